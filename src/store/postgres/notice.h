/* What a writer tells the other nodes of its appends, by NOTIFY in the same transaction: which events of
 * which table are new, and the small ones themselves, so that nobody has to read them.
 *
 *     notice    NODE (newline entry)...
 *     entry     TABLE FIRST LAST                          to be read from the journal
 *             | TABLE FIRST LAST SEAL (" " event)...      with all its events
 *     event     TIME KIND HASH BODY                       hash and body in base64; "-": an empty body
 *
 * Whoever may connect to the database may notify. So the seal is a hash with the key of the store, which only
 * nodes can read: events without the right one are read from the journal. */
#ifndef STORE_POSTGRES_NOTICE_H
#define STORE_POSTGRES_NOTICE_H

#include "store/pending.h"

enum {
    NOTICE_BYTES_MAX = 7900,        /* of one; PostgreSQL takes less than 8,000 */
    NOTICE_EVENTS_BYTES_MAX = 3000, /* of an entry with its events; larger ones are to be read */
};

/* Adds an entry for the appends of a table from first to last, which are in one list, perhaps among others.
 * key NULL: without events. */
void notice_write(struct buf *, const struct pending *first, const struct pending *last,
                  const struct digest *key);

struct notice_entry {
    int64_t table, first, last;
    struct pending *news; /* its events as one append; NULL: they are to be read. Gives */
};

/* Whose notice it is, and where its entries begin; NULL: it is none. */
const char *notice_read_node(const char *text, int64_t *node);
/* The entry here, and where the next one begins; NULL: there is none. */
const char *notice_read(const char *at, const struct digest *key, struct notice_entry *out);

#endif
