#include "base/timers.h"

#include "base/mem.h"

static void timers_put(struct timers *t, size_t place, struct timer *timer) {
    t->heap[place] = timer;
    timer->place = place;
}

static void sift_up(struct timers *t, size_t place, struct timer *timer) {
    while (place > 1 && t->heap[place / 2]->due_ms > timer->due_ms) {
        timers_put(t, place, t->heap[place / 2]);
        place /= 2;
    }
    timers_put(t, place, timer);
}

static void sift_down(struct timers *t, size_t place, struct timer *timer) {
    for (;;) {
        size_t child = place * 2;
        if (child > t->count)
            break;
        if (child < t->count && t->heap[child + 1]->due_ms < t->heap[child]->due_ms)
            child++;
        if (t->heap[child]->due_ms >= timer->due_ms)
            break;
        timers_put(t, place, t->heap[child]);
        place = child;
    }
    timers_put(t, place, timer);
}

void timers_stop(struct timers *t, struct timer *timer) {
    size_t place = timer->place;
    if (place == 0)
        return;
    timer->place = 0;
    struct timer *last = t->heap[t->count--];
    if (last == timer)
        return;
    if (place > 1 && t->heap[place / 2]->due_ms > last->due_ms)
        sift_up(t, place, last);
    else
        sift_down(t, place, last);
}

void timers_arm(struct timers *t, struct timer *timer, uint64_t due_ms,
                void (*fire)(struct timer *, uint64_t now_ms)) {
    timers_stop(t, timer);
    if (t->count + 2 > t->capacity) {
        t->capacity = t->capacity == 0 ? 64 : t->capacity * 2;
        t->heap = mem_resize(t->heap, t->capacity * sizeof *t->heap);
    }
    timer->due_ms = due_ms;
    timer->fire = fire;
    t->count++;
    sift_up(t, t->count, timer);
}

uint64_t timers_next_ms(const struct timers *t) {
    return t->count == 0 ? TIMERS_NEVER : t->heap[1]->due_ms;
}

struct timer *timers_first(const struct timers *t) {
    return t->count == 0 ? NULL : t->heap[1];
}

void timers_advance(struct timers *t, uint64_t now_ms) {
    while (t->count > 0 && t->heap[1]->due_ms <= now_ms) {
        struct timer *timer = t->heap[1];
        timers_stop(t, timer);
        timer->fire(timer, now_ms);
    }
}

void timers_free(struct timers *t) {
    mem_free(t->heap);
    *t = (struct timers){0};
}
