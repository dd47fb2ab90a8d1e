#include "host/table/import.h"

#include "base/mem.h"
#include "host/table/dice.h"

#include <assert.h>

struct builder {
    struct import *import;
    size_t capacity;
    uint64_t table;
    int64_t time_ms;
    const struct digest *secret;
};

/* A new event whose body begins at the end of the bodies; body.size is set by event_end. */
static void event_begin(struct builder *b, enum event_kind kind) {
    struct import *i = b->import;
    if (i->event_count == b->capacity) {
        b->capacity = b->capacity == 0 ? 64 : 2 * b->capacity;
        i->events = mem_resize(i->events, b->capacity * sizeof i->events[0]);
    }
    i->events[i->event_count] = (struct event){
        .seq = i->event_count + 1, .time_ms = b->time_ms, .kind = kind, .body = {NULL, i->bodies.size}};
}

static void event_end(struct builder *b) {
    struct import *i = b->import;
    struct event *event = &i->events[i->event_count++];
    event->body.size = i->bodies.size - event->body.size;
}

static void import_write_setup(struct builder *b, const struct replay *replay) {
    struct event_setup setup = {
        .format = EVENT_FORMAT,
        .rules_version = game_options_rules(replay->game, &replay->options),
        .options = replay->options,
        .protocol = IMPORT_PROTOCOL,
    };
    bool fits = span_copy(span_of(replay->game->name), setup.game, sizeof setup.game);
    assert(fits);
    (void)fits;
    dice_commit(&setup.commitment, b->table, b->secret);
    event_begin(b, EVENT_SETUP);
    event_setup_write(&b->import->bodies, &setup);
    event_end(b);
}

static void import_write_attendance(struct builder *b, unsigned seat, enum attendance attendance) {
    struct buf *bodies = &b->import->bodies;
    if (attendance == SEAT_RETIRED) {
        event_begin(b, EVENT_FORFEIT);
        event_forfeit_write(bodies, &(struct event_forfeit){.seat = seat, .reason = REASON_LEFT});
    } else {
        event_begin(b, EVENT_ATTENDANCE);
        event_attendance_write(bodies, &(struct event_attendance){.seat = seat, .attendance = attendance});
    }
    event_end(b);
}

static void import_write_action(void *context, const struct replay *replay, unsigned seat,
                                const struct action *action) {
    struct builder *b = context;
    if (b->import->event_count == 0)
        import_write_setup(b, replay);
    if (action == NULL) {
        import_write_attendance(b, seat, replay->attendance);
        return;
    }
    event_begin(b, seat == SEAT_CHANCE ? EVENT_CHANCE : EVENT_ACTION);
    if (seat == SEAT_CHANCE)
        event_given_write(&b->import->bodies, action, 1);
    else
        event_action_write(&b->import->bodies, seat, action, 1);
    event_end(b);
}

static void import_write_result(struct builder *b, const struct replay *replay) {
    struct event_result result = {
        .outcome = OUTCOME_PLAYED, .seat_count = replay->options.seat_count, .secret = *b->secret};
    int32_t points[SEATS_MAX] = {0};
    replay->game->score(replay->state, points);
    memcpy(result.points, points, result.seat_count * sizeof points[0]);
    event_begin(b, EVENT_RESULT);
    event_result_write(&b->import->bodies, &result);
    event_end(b);
}

/* The bodies do not move any more: they get their places, and the events their hashes. */
static void chain_all(struct builder *b) {
    const char *body = b->import->bodies.data;
    struct event *events = b->import->events;
    for (size_t i = 0; i < b->import->event_count; i++) {
        events[i].body.data = body;
        body += events[i].body.size;
        event_chain(&events[i], b->table, i == 0 ? NULL : &events[i - 1].hash);
    }
}

enum err import_text(struct import *import, struct span text, uint64_t table, int64_t time_ms,
                     const struct digest *secret) {
    struct builder b = {.import = import, .table = table, .time_ms = time_ms, .secret = secret};
    struct replay replay;
    *import = (struct import){0};
    enum err e = replay_run_each(&replay, text, import_write_action, &b);
    import->line = replay.line;
    import->game = replay.game;
    if (e == ERR_OK && import->event_count == 0)
        import_write_setup(&b, &replay);
    if (e == ERR_OK && replay.game->turn(replay.state) == 0) {
        import->is_finished = true;
        import_write_result(&b, &replay);
    }
    if (e == ERR_OK)
        chain_all(&b);
    replay_free(&replay);
    return e;
}

void import_free(struct import *import) {
    mem_free(import->events);
    buf_free(&import->bodies);
    *import = (struct import){0};
}
