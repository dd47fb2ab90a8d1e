/* Appends and loads on their way: copies of requests in a queue, and how their results are delivered. Shared
 * by the engines; what differs between them is only how a pending append becomes lasting. */
#ifndef STORE_PENDING_H
#define STORE_PENDING_H

#include "store/store.h"

struct pending {
    struct pending *next;
    uint64_t table;
    uint64_t expected_seq;
    bool has_secret;
    struct digest secret;
    struct store_origin origin;
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
    store_visit_commit *visit; /* or NULL */
    void *context;
};

/* Tells follower and owners of all, in order, and frees the list. The follower is looked up anew for every
 * append, because a callback may change it. Returns how many. */
size_t pending_deliver(struct pending_list *, const struct store_follower *);

/* Counts how the appends in a list ended, before they are delivered. What others have appended is not
 * counted. */
void pending_count(const struct pending_list *, struct store_figures *);

void pending_free(struct pending_list *);

/* A table of a list that is asked for. */
struct pending_row {
    struct store_table table; /* its texts are below */
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
};

/* A journal or a list that is asked for, and as much of it as has been read. */
struct pending_load {
    struct pending_load *next;
    struct store_load asked;
    bool is_look; /* a list is asked for: */
    struct store_look look;
    struct pending_row *rows;
    size_t row_count, row_capacity;
    enum err result;
    struct event *events; /* bodies as sizes only, one behind the other in bodies */
    size_t count, capacity;
    struct buf bodies;
    bool is_read;    /* together with others */
    bool has_secret; /* and it was asked for */
    struct digest secret;
    struct store_origin origin; /* when it was asked for */
};

enum { PENDING_LOADS_MAX = 4096 }; /* that wait; those beyond are refused with ERR_IO */

struct pending_loads {
    struct pending_load *first, *last;
    size_t count;
};

/* Keeps a copy in the list, refused already when there are too many. */
void pending_loads_push(struct pending_loads *, const struct store_load *);
void pending_looks_push(struct pending_loads *, const struct store_look *);
/* Takes the first off a list that has one. */
struct pending_load *pending_loads_pop(struct pending_loads *);
void pending_loads_move(struct pending_loads *to, struct pending_loads *from);
/* Adds one event; the visitor of whoever reads. context is the struct pending_load. */
bool pending_load_take(void *context, uint64_t table, const struct event *);
/* The same for a table of a list; false when it has enough. */
bool pending_look_take(void *context, const struct store_table *);
/* Shows what was read, tells the askers in order, and frees the list. Returns how many. */
size_t pending_loads_deliver(struct pending_loads *);
void pending_loads_free(struct pending_loads *);

#endif
