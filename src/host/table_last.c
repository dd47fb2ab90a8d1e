/* The last request of a table, kept until the next one is on disk: so that whoever asks what happened last
 * need not ask the journal for it. */
#include "base/mem.h"
#include "host/table_internal.h"

#include <assert.h>

void table_last_forget(struct table *t) {
    if (t->last != NULL)
        table_request_recycle(t->tables, t->last);
    t->last = NULL;
}

void table_last_set(struct table *t) {
    assert(t->last == NULL);
    t->last = t->request;
    t->request = NULL;
}

void table_last_restore(struct table *t, const struct event *event, const struct game_state *before) {
    struct table_request *r = mem_alloc(sizeof *r);
    r->events = mem_alloc(sizeof *r->events);
    r->count = r->capacity = 1;
    buf_append(&r->bodies, event->body);
    r->events[0] = *event;
    r->events[0].body = buf_span(&r->bodies);
    t->last = r;
    t->before = game_state_alloc(t->game);
    if (before != NULL)
        memcpy(t->before, before, t->game->state_size);
}

/* The events were right when they were saved. */
static void event_play(const struct game *game, struct game_state *state, const struct event *event) {
    struct event_action action;
    unsigned seat;
    enum attendance attendance;
    bool is_played = event->kind == EVENT_ACTION || event->kind == EVENT_CHANCE;
    if (is_played && event_action_read(event->body, &action) == ERR_OK)
        for (size_t i = 0; i < action.action_count; i++)
            game->apply(state, action.seat, &action.actions[i]);
    bool is_attended = !is_played && event_attends(event, &seat, &attendance) &&
                       game->attend(state, seat, attendance); /* otherwise the seat has lost */
    (void)is_attended;
}

/* The truth before the last of several events: from before the request on, in memory that all tables share.
 */
static const struct game_state *last_before(const struct table *t) {
    struct tables *tables = t->tables;
    size_t size = t->game->state_size;
    if (tables->last_before_bytes < size) {
        mem_free(tables->last_before);
        tables->last_before = game_state_alloc(t->game);
        tables->last_before_bytes = size;
    }
    memcpy(tables->last_before, t->before, size);
    for (size_t i = 0; i + 1 < t->last->count; i++)
        event_play(t->game, tables->last_before, &t->last->events[i]);
    return tables->last_before;
}

const struct event *table_last(const struct table *t, const struct game_state **before) {
    if (t->last == NULL)
        return NULL;
    const struct event *event = &t->last->events[t->last->count - 1];
    *before = event->kind == EVENT_SETUP ? NULL : t->last->count == 1 ? t->before : last_before(t);
    return event;
}

enum event_reason table_loss_reason(const struct table *t) {
    struct event_forfeit forfeit = {0};
    for (size_t i = 0; t->last != NULL && i < t->last->count; i++) {
        const struct event *event = &t->last->events[i];
        bool is_loss = event->kind == EVENT_FORFEIT || event->kind == EVENT_TIMEOUT;
        if (is_loss && event_forfeit_read(event->body, &forfeit) != ERR_OK)
            forfeit = (struct event_forfeit){0};
    }
    return forfeit.reason;
}
