/* The company of a node: the nodes that share its database, the lease, and the words that they tell each
 * other. What is on its way between the loop and the threads is guarded by the lock of the queue. */
#ifndef STORE_POSTGRES_COMPANY_H
#define STORE_POSTGRES_COMPANY_H

#include "store/postgres/link.h"
#include "store/queue.h"

struct company {
    int64_t node;      /* this one */
    const char *lease; /* borrowed; NULL: there is none */
    /* Of the writer: so many signs of life in a row were written, and whether one ever failed. */
    unsigned beats;
    bool has_failed;
    /* Guarded: */
    struct buf said;  /* words for the others: each its size and its text */
    struct buf heard; /* words of others: each its node, its size and its text */
    struct store_company now;
    bool has_now, has_missed;
};

void company_init(struct company *, int64_t node, const char *lease);
void company_free(struct company *);

/* From the loop: keeps a word until it is told. */
void company_say(struct company *, struct store_queue *, struct span word);
/* On the loop: tells the neighbours of the store what there is to tell. */
void company_deliver(struct company *, struct store_queue *);
/* From the follower: whether a notice is a word; takes such a notice; and notices may have been lost. */
bool company_is_word(const char *notice);
void company_hear(struct company *, struct store_queue *, const char *notice);
void company_miss(struct company *, struct store_queue *);

/* The statements of the writer. False, and link.why says it, when one failed. */
bool company_beat(struct company *, struct store_queue *, struct link *, unsigned timeout_ms) MUST_CHECK;
bool company_tell(struct company *, struct store_queue *, struct link *, unsigned timeout_ms) MUST_CHECK;
/* The node ends in order: nobody has to wait for its lease. */
void company_leave(struct company *, struct link *, unsigned timeout_ms);
/* A statement failed: the nodes may have lost sight of each other. */
void company_failed(struct company *);

/* Whether words wait to be told. Called with the lock. */
static inline bool company_has_words(const struct company *c) {
    return c->said.size > 0;
}

#endif
