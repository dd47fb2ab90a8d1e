/* The thread that reads beside the writer: the commits of other writers, and journals that are asked for. It
 * has a link of its own, so that neither waits for a commit.
 *
 * A writer says in the transaction of its appends (notice.h) which events of which table are new; those that
 * do not come with the notice are read from the journal, so that only what stands there is ever shown. While
 * the link is gone notices are lost: afterwards everything is read that was written by a transaction that may
 * have ended since, and shown again in part. Followers know what they have seen by its number. The words of
 * other nodes come with the notices; they are not kept anywhere, and whoever needs them asks again. */
#ifndef STORE_POSTGRES_FOLLOW_H
#define STORE_POSTGRES_FOLLOW_H

#include "store/postgres/company.h"
#include "store/queue.h"

struct follow {
    const char *url, *application; /* borrowed */
    int64_t node;                  /* whose own notices are left out */
    const struct digest *key;      /* of the store, borrowed: seals notices */
    struct store_queue *queue;
    struct company *company;
    struct pending_list news; /* guarded by the lock of the queue */
    struct link link;
    int wake_fd; /* -1: not begun */
    pthread_t thread;
    bool has_thread;
    /* Transactions from here on may not have been heard of: as of now, and as of the time before, by which
     * all notices of those that had ended have come. */
    int64_t since, since_before;
    uint64_t since_taken_ms;
};

/* Listens from here on, so that whatever is read later is not older. False, and link.why says it. */
bool follow_begin(struct follow *) MUST_CHECK;
bool follow_start(struct follow *) MUST_CHECK;
/* There is something to load, or the end has come. */
void follow_wake(struct follow *);
/* Joins the thread, when there is one, and frees. The queue is closing. */
void follow_end(struct follow *);

#endif
