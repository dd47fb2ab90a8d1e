/* Reads what can be read of a damaged journal: not by the trees of SQLite, of which one damaged page hides
 * everything behind it, but page by page. A page that holds rows of a table (a leaf) is understood by itself;
 * whatever it says is held against the chain of hashes by whoever takes it. Never writes to the file.
 *
 * The format is that of https://www.sqlite.org/fileformat.html: header, freelist, table leaves, overflow. */
#ifndef STORE_SQLITE_SALVAGE_H
#define STORE_SQLITE_SALVAGE_H

#include "store/event.h"

struct salvage_visitor {
    void *context;
    /* An event, in no order, perhaps several times; borrowed. */
    void (*event)(void *context, uint64_t table, const struct event *);
    /* The row of a table or championship: how many events it had, and its secret (NULL: none). */
    void (*row)(void *context, uint64_t table, uint64_t last_seq, const struct digest *secret);
};

struct salvage_counts {
    uint64_t pages, leaves, rows_broken; /* rows_broken: rows that could not be understood */
};

/* Shows all rows of a database file without a write-ahead log of its own. ERR_IO when the file itself cannot
 * be read. */
enum err sqlite_salvage(const char *path, const struct salvage_visitor *, struct salvage_counts *) MUST_CHECK;

#endif
