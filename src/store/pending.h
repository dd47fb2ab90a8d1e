/* Appends on their way: copies of requests in a queue, and how their results are delivered. Shared by the
 * engines; what differs between them is only how a pending append becomes lasting. */
#ifndef STORE_PENDING_H
#define STORE_PENDING_H

#include "store/store.h"

struct pending {
    struct pending *next;
    uint64_t table;
    uint64_t expected_seq;
    bool has_secret;
    struct digest secret;
    store_done *done;
    void *context;
    enum err result;
    uint64_t last_id;   /* of its last event, where events are counted over all tables */
    size_t event_count; /* 0: refused before it got here */
    struct event events[];
};

struct pending_list {
    struct pending *first, *last;
    size_t event_count; /* of all */
};

/* A copy of the request with everything it points at; gives, to be freed with mem_free. Asserts what
 * store_append demands of a request. */
struct pending *pending_copy(const struct store_request *);

/* The same without its events, for a request that is refused at once and only waits for its turn to be told
 * so. */
struct pending *pending_refuse(const struct store_request *, enum err);

void pending_push(struct pending_list *, struct pending *);

/* Takes the first off a list that has one. */
struct pending *pending_pop(struct pending_list *);

/* Moves everything to the end of another list. */
void pending_move(struct pending_list *to, struct pending_list *from);

/* When a table with this result was finished: never 0, which means that it runs. */
static inline int64_t pending_finished_ms(const struct event *result) {
    return result->time_ms == 0 ? 1 : result->time_ms;
}

struct store_follower {
    store_visit_event *visit; /* or NULL */
    void *context;
};

/* Tells follower and owners of all, in order, and frees the list. The follower is looked up anew for every
 * append, because a callback may change it. Returns how many. */
size_t pending_deliver(struct pending_list *, const struct store_follower *);

void pending_free(struct pending_list *);

#endif
