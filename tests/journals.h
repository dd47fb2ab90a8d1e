/* Journals for tests: events in a row, with their bodies, numbers and hashes right. */
#ifndef TESTS_JOURNALS_H
#define TESTS_JOURNALS_H

#include "store/store.h"

#include <assert.h>

enum { JOURNAL_EVENTS_MAX = 256 };

/* What has been written down for a table so far. A zeroed one with an id is empty. */
struct journal {
    uint64_t table;
    struct event events[JOURNAL_EVENTS_MAX];
    struct buf bodies[JOURNAL_EVENTS_MAX];
    size_t count;
};

/* The next event; its body is whatever the caller appends to the buffer before journal_chain. */
static inline struct buf *journal_next(struct journal *j, enum event_kind kind, int64_t time_ms) {
    assert(j->count < JOURNAL_EVENTS_MAX);
    j->events[j->count] = (struct event){.seq = j->count + 1, .time_ms = time_ms, .kind = kind};
    return &j->bodies[j->count];
}

static inline const struct event *journal_chain(struct journal *j) {
    struct event *event = &j->events[j->count];
    event->body = buf_span(&j->bodies[j->count]);
    event_chain(event, j->table, j->count == 0 ? NULL : &j->events[j->count - 1].hash);
    j->count++;
    return event;
}

static inline const struct event *journal_setup(struct journal *j, int64_t time_ms) {
    struct event_setup setup = {
        .format = EVENT_FORMAT,
        .game = "paper-soccer",
        .rules_version = 1,
        .options = {.seat_count = 2},
        .violation_loses = true,
        .turn_timeout_ms = 30000,
        .protocol = "ugs",
    };
    event_setup_write(journal_next(j, EVENT_SETUP, time_ms), &setup);
    return journal_chain(j);
}

static inline const struct event *journal_seat(struct journal *j, unsigned seat, const char *name,
                                               int64_t time_ms) {
    struct event_seat body = {.seat = seat};
    bool fits = span_copy(span_of(name), body.name, sizeof body.name);
    assert(fits);
    (void)fits;
    event_seat_write(journal_next(j, EVENT_SEAT, time_ms), &body);
    return journal_chain(j);
}

static inline const struct event *journal_action(struct journal *j, unsigned seat,
                                                 const struct action *action, int64_t time_ms) {
    enum event_kind kind = seat == SEAT_CHANCE ? EVENT_CHANCE : EVENT_ACTION;
    event_action_write(journal_next(j, kind, time_ms), seat, action, 1);
    return journal_chain(j);
}

static inline const struct event *journal_forfeit(struct journal *j, unsigned seat, int64_t time_ms) {
    struct event_forfeit forfeit = {.seat = seat, .reason = REASON_LEFT};
    event_forfeit_write(journal_next(j, EVENT_FORFEIT, time_ms), &forfeit);
    return journal_chain(j);
}

static inline const struct event *journal_result(struct journal *j, const struct event_result *result,
                                                 int64_t time_ms) {
    event_result_write(journal_next(j, EVENT_RESULT, time_ms), result);
    return journal_chain(j);
}

static inline void journal_free(struct journal *j) {
    for (size_t i = 0; i < JOURNAL_EVENTS_MAX; i++)
        buf_free(&j->bodies[i]);
    *j = (struct journal){0};
}

#endif
