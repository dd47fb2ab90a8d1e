#include "host/table/record.h"

#include "base/mem.h"
#include "host/table/fold.h"

#include <assert.h>

/* What is said about one event; body kinds differ, the frame is the same. */
struct sentence {
    int seat; /* -1: nobody's, SEAT_CHANCE: of chance */
    struct buf text;
};

const char *record_reason(enum event_reason reason) {
    static const char *const words[] = {[0] = "time",
                                        [REASON_LEFT] = "left",
                                        [REASON_VIOLATION] = "violation",
                                        [REASON_RESIGNED] = "resigned"};
    return words[reason];
}

static const char *reason_sentence(enum event_reason reason) {
    static const char *const words[] = {[0] = "is out of time",
                                        [REASON_LEFT] = "has left",
                                        [REASON_VIOLATION] = "broke the rules",
                                        [REASON_RESIGNED] = "resigned"};
    return words[reason];
}

static void append_name(struct buf *out, const struct record *r, unsigned seat) {
    if (seat < SEATS_MAX && r->names[seat] != NULL && r->names[seat][0] != '\0')
        buf_append_text(out, r->names[seat]);
    else
        buf_printf(out, "seat %u", seat);
}

static void write_texts(struct writer *w, const struct record *r, const struct event_action *action,
                        unsigned viewer, struct buf *text) {
    const struct game *game = r->game;
    const struct game_state *now = r->truth;
    struct game_state *state = NULL; /* only what was played between the actions needs one of its own */
    for (size_t i = 0; i < action->action_count; i++) {
        char one[ACTION_TEXT_BYTES_MAX];
        struct action shown = action->actions[i];
        if (i == 1) {
            now = state = game_state_alloc(game);
            memcpy(state, r->truth, game->state_size);
        }
        if (i > 0)
            game->apply(state, action->seat, &action->actions[i - 1]);
        if (viewer != VIEWER_ALL)
            game->redact_action(now, action->seat, &shown, viewer);
        game->action_format(now, action->seat, &shown, one);
        writer_text(w, NULL, span_of(one));
        if (i > 0)
            buf_append_text(text, ", ");
        buf_append_text(text, one);
    }
    mem_free(state);
}

static void write_actions(struct writer *w, const struct record *r, unsigned viewer, struct sentence *s) {
    struct event_action action; /* large: read where it is, and not cleared before */
    bool is_read = event_action_read(r->event->body, &action) == ERR_OK;
    writer_list_begin(w, "actions");
    if (is_read && r->game != NULL) {
        s->seat = (int)action.seat;
        write_texts(w, r, &action, viewer, &s->text);
    }
    writer_list_end(w);
    if (is_read && action.has_time)
        writer_int(w, "used_ms", action.used_ms);
}

static void write_no_actions(struct writer *w) {
    writer_list_begin(w, "actions");
    writer_list_end(w);
}

static void write_digest(struct writer *w, const char *name, const struct digest *digest) {
    char text[2 * DIGEST_BYTES + 1];
    digest_format(digest, text);
    writer_text(w, name, span_of(text));
}

static void record_write_setup(struct writer *w, const struct record *r, struct sentence *s) {
    struct event_setup *setup = mem_alloc(sizeof *setup);
    if (event_setup_read(r->event->body, setup) == ERR_OK) {
        buf_append_text(&s->text, setup->game);
        write_digest(w, "commitment", &setup->commitment);
    }
    mem_free(setup);
}

static void record_write_seat(struct writer *w, const struct record *r, struct sentence *s) {
    struct event_seat seat;
    if (event_seat_read(r->event->body, &seat) != ERR_OK)
        return;
    s->seat = (int)seat.seat;
    buf_printf(&s->text, "%s sits down", seat.name);
    writer_text(w, "name", span_of(seat.name));
    if (seat.seed[0] != '\0')
        writer_text(w, "seed", span_of(seat.seed));
}

void record_write_stamps(struct writer *w, const char *name, const struct event_stamps *stamps) {
    writer_object_begin(w, name);
    writer_int(w, "asked_ms", stamps->asked_ms);
    writer_int(w, "heard_ms", stamps->heard_ms);
    writer_int(w, "used_ms", stamps->used_ms);
    writer_int(w, "allowed_ms", stamps->allowed_ms);
    writer_object_end(w);
}

static void record_write_loss(struct writer *w, const struct record *r, struct sentence *s) {
    struct event_forfeit forfeit;
    if (event_forfeit_read(r->event->body, &forfeit) != ERR_OK)
        return;
    s->seat = (int)forfeit.seat;
    append_name(&s->text, r, forfeit.seat);
    buf_printf(&s->text, " %s", reason_sentence(forfeit.reason));
    writer_text(w, "reason", span_of(record_reason(forfeit.reason)));
    if (forfeit.has_stamps)
        record_write_stamps(w, "stamps", &forfeit.stamps);
    if (forfeit.why[0] == '\0')
        return;
    buf_printf(&s->text, " (%s%s%s)", forfeit.rule, forfeit.rule[0] == '\0' ? "" : ": ", forfeit.why);
    if (forfeit.sent[0] != '\0')
        buf_printf(&s->text, ", sent %s", forfeit.sent);
    writer_text(w, "rule", span_of(forfeit.rule));
    writer_text(w, "why", span_of(forfeit.why));
    writer_text(w, "sent", span_of(forfeit.sent));
}

static void record_write_attendance(struct writer *w, const struct record *r, struct sentence *s) {
    struct event_attendance attendance;
    if (event_attendance_read(r->event->body, &attendance) != ERR_OK)
        return;
    bool is_back = attendance.attendance == SEAT_BACK;
    s->seat = (int)attendance.seat;
    append_name(&s->text, r, attendance.seat);
    buf_append_text(&s->text, is_back ? " is back" : " is away");
    writer_bool(w, "back", is_back);
}

const char *record_outcome(enum event_outcome outcome) {
    static const char *const words[] = {
        [OUTCOME_PLAYED] = "played", [OUTCOME_FORFEITED] = "forfeited", [OUTCOME_UNDECIDED] = "undecided"};
    return words[outcome];
}

static void record_write_result(struct writer *w, const struct record *r, struct sentence *s) {
    struct event_result result;
    if (event_result_read(r->event->body, &result) != ERR_OK)
        return;
    writer_list_begin(w, "points");
    for (uint32_t seat = 0; seat < result.seat_count; seat++) {
        writer_int(w, NULL, result.points[seat]);
        buf_printf(&s->text, "%s%d", seat == 0 ? "" : " ", game_points(r->game, result.points[seat]));
    }
    writer_list_end(w);
    writer_text(w, "outcome", span_of(record_outcome(result.outcome)));
    write_digest(w, "secret", &result.secret);
}

static void record_write_kind(struct writer *w, const struct record *r, unsigned viewer, struct sentence *s) {
    if (r->event->kind == EVENT_ACTION || r->event->kind == EVENT_CHANCE) {
        write_actions(w, r, viewer, s);
        return;
    }
    write_no_actions(w);
    switch (r->event->kind) {
    case EVENT_SETUP: record_write_setup(w, r, s); break;
    case EVENT_SEAT: record_write_seat(w, r, s); break;
    case EVENT_TIMEOUT:
    case EVENT_FORFEIT: record_write_loss(w, r, s); break;
    case EVENT_ATTENDANCE: record_write_attendance(w, r, s); break;
    case EVENT_RESULT: record_write_result(w, r, s); break;
    default: break;
    }
}

struct record record_last(const struct fold *f) {
    bool is_setup = f->last.kind == EVENT_SETUP;
    struct record record = {
        .event = &f->last, .game = is_setup ? NULL : f->game, .truth = is_setup ? NULL : f->before};
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        record.names[seat] = f->seats[seat]->name;
    return record;
}

void record_write(struct writer *w, const char *name, const struct record *r, unsigned viewer) {
    struct sentence s = {.seat = -1};
    writer_object_begin(w, name);
    writer_int(w, "version", (int64_t)r->event->seq);
    writer_int(w, "at_ms", r->event->time_ms);
    writer_text(w, "kind", span_of(event_kind_word(r->event->kind)));
    record_write_kind(w, r, viewer, &s);
    if (s.seat < 0)
        writer_null(w, "seat");
    else if (s.seat == SEAT_CHANCE)
        writer_text(w, "seat", SPAN("chance"));
    else
        writer_int(w, "seat", s.seat);
    writer_text(w, "text", buf_span(&s.text));
    writer_object_end(w);
    buf_free(&s.text);
}
