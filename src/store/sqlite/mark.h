/* A small file beside the database that remembers how far the journal was when something was last announced:
 * so that a write-ahead log that was deleted or cut while nobody ran is noticed at the next start.
 *
 * It is written after a commit, without a sync of its own, and never before: it may be behind the database,
 * after a power cut by any number of commits, but never ahead of it, unless the database has lost something.
 * What cannot be read, or was torn, says nothing. Format, 4096 bytes, numbers as 8 bytes little endian:
 *
 *     "PRLRMARK"; number of the last event (events.id); number of entries; entries, the newest first, each
 *     table, its last seq and the number of that event; zeros; digest of all that stands before it */
#ifndef STORE_SQLITE_MARK_H
#define STORE_SQLITE_MARK_H

#include "base/digest.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    MARK_BYTES = 4096,
    MARK_ENTRIES_MAX = 160, /* tables in which something has happened last */
};
#define MARK_SUFFIX "-mark"

struct mark_entry {
    uint64_t table, seq, id;
};

struct mark {
    sqlite3_file *file; /* NULL: there is none */
    char *path;
    uint64_t last_id;
    size_t entry_count;
    struct mark_entry entries[MARK_ENTRIES_MAX];
};

/* Opens the mark of a database, and makes it when it is to be written. Whatever goes wrong: then there is
 * none, and nothing can be noticed. */
void mark_open(struct mark *, const char *database, const char *vfs, bool is_written);
void mark_close(struct mark *);

/* Reads it. False, and it is empty, when there is nothing to be read. */
bool mark_read(struct mark *);

/* An append to a table has been committed: its last event. mark_write makes it known. */
void mark_add(struct mark *, const struct mark_entry *);
void mark_clear(struct mark *, uint64_t last_id);
void mark_write(struct mark *);

#endif
