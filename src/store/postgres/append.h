/* Appends in PostgreSQL: as many as have gathered, of many tables, in one statement. */
#ifndef STORE_POSTGRES_APPEND_H
#define STORE_POSTGRES_APPEND_H

#include "store/pending.h"
#include "store/postgres/link.h"

enum append_end {
    APPEND_DONE,    /* every append of done has its result */
    APPEND_REFUSED, /* the database has said no: nothing of it is there */
    APPEND_DOUBTED, /* the connection broke or the database has warned: nobody knows. The link is closed */
};

/* For a link that append_run is used on. */
bool append_prepare(struct link *) MUST_CHECK;

/* Who writes, for the others. */
struct append_author {
    int64_t node;
    const struct digest *key; /* of the store, borrowed: small events are told with the notice (notice.h);
                                 NULL: nobody is there to be told */
};

/* Takes from the front of batch what fits into one statement and commits it. What was taken is in taken:
 * with results when it is done, as it was otherwise. Appends that have to wait for the outcome of another of
 * their table stay in the batch, in order. */
enum append_end append_run(struct link *, struct pending_list *batch, struct pending_list *taken,
                           const struct append_author *, unsigned timeout_ms);

/* What became of appends that are doubted, now that nobody can write them any more: result stays ERR_OK for
 * those that are there, by the hash of the last event, and becomes ERR_IO for the others. */
bool append_find(struct link *, struct pending_list *, unsigned timeout_ms) MUST_CHECK;

#endif
