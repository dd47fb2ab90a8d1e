/* Deadlines in order: an intrusive binary heap. Time is an argument, in milliseconds of a clock that never
 * goes back; nothing here reads one. Arming, re-arming and stopping cost O(log n), looking at the first O(1).
 */
#ifndef BASE_TIMERS_H
#define BASE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMERS_NEVER UINT64_MAX

struct timer {
    uint64_t due_ms;
    size_t place; /* 1-based place in the heap; 0 when it is not armed */
    void (*fire)(struct timer *, uint64_t now_ms);
};

struct timers {
    struct timer **heap; /* heap[0] is unused */
    size_t count;
    size_t capacity;
};

/* The struct that a timer is a member of, for fire functions. */
#define TIMER_OWNER(timer, type, member) ((type *)(void *)((char *)(timer)-offsetof(type, member)))

/* A zeroed struct timer is stopped, a zeroed struct timers is empty. Arming an armed timer moves it. */
void timers_arm(struct timers *, struct timer *, uint64_t due_ms,
                void (*fire)(struct timer *, uint64_t now_ms));
void timers_stop(struct timers *, struct timer *);

static inline bool timer_is_armed(const struct timer *t) {
    return t->place != 0;
}

/* When the first one is due, or TIMERS_NEVER. */
uint64_t timers_next_ms(const struct timers *);

/* The first one itself; NULL: there is none. For heaps of something else than deadlines, which never fire. */
struct timer *timers_first(const struct timers *);

/* Stops and fires all that are due; a fired timer may arm itself or any other again, for later than now. */
void timers_advance(struct timers *, uint64_t now_ms);

/* Gives the memory back. The timers themselves belong to others. */
void timers_free(struct timers *);

#endif
