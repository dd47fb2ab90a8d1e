/* The journal of one championship while it is played: events are added at once and written in the order in
 * which they were added, as many together as have gathered; whoever added them is told when they are on disk.
 * What is on disk is folded as it gets there, so that what is told of a standing is never ahead of it. */
#ifndef HOST_CHAMPIONSHIP_LOG_H
#define HOST_CHAMPIONSHIP_LOG_H

#include "base/timers.h"
#include "host/championship/fold.h"
#include "store/store.h"

enum {
    CHAMPIONSHIP_LOG_RETRY_MS = 1000,   /* until what could not be written is tried again */
    CHAMPIONSHIP_LOG_EVENTS_MAX = 4096, /* of one append; the beginning, with all entrants, fits */
};

struct championship_log {
    struct store *store;            /* borrowed */
    struct championship_fold saved; /* what is on disk */
    struct event *events;           /* that are not yet; bodies owned */
    size_t count, capacity;
    size_t sent; /* how many of them are on their way: the first ones */
    bool is_failing;
    /* Of whoever keeps it, who is told. */
    void *owner;
    struct timer retry;
    /* More of it is on disk: look at saved. */
    void (*done)(struct championship_log *);
    /* What was on its way could not be written; championship_log_send tries again. */
    void (*failed)(struct championship_log *);
};

/* Gives. The journal is new; or it goes on after fold, which belongs to the log then. */
struct championship_log *championship_log_create(struct store *, uint64_t id);
struct championship_log *championship_log_resume(struct store *, const struct championship_fold *);
/* Needs nothing on its way, or a store that is closed. */
void championship_log_free(struct championship_log *);

/* Adds an event; body is copied. It leaves with championship_log_send. Returns its number. */
uint64_t championship_log_add(struct championship_log *, enum event_kind, struct span body, int64_t time_ms);
/* Writes what has gathered, unless something is on its way: then it follows. */
void championship_log_send(struct championship_log *);

/* Nothing waits to be written. */
bool championship_log_is_idle(const struct championship_log *);

#endif
