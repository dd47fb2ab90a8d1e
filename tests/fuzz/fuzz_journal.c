/* The readers of a journal. The first byte chooses: a kind of event, whose body is the rest, or the import of
 * the rest as text. A body that is accepted is the one form of what was read; an import that is accepted
 * folds, by the rules and by its dice. */
#include "fuzz.h"

#include "base/mem.h"
#include "host/cup/fold.h"
#include "host/table/fold.h"
#include "host/table/import.h"

enum { IMPORT = 'i' };

static void check_import(struct span text) {
    struct import import;
    struct fold fold;
    const struct digest secret = {{7}};
    fold_init(&fold, 5);
    if (import_text(&import, text, 5, 1000, &secret) == ERR_OK) {
        assert(import.event_count >= 1);
        for (size_t i = 0; i < import.event_count; i++) {
            assert(fold_check_dice(&fold, &import.events[i], &secret) == ERR_OK);
            enum err e = fold_event(&fold, &import.events[i]);
            assert(e == ERR_OK);
        }
        assert(fold.is_finished == import.is_finished);
        assert(fold.is_finished || !fold_is_over(&fold));
    }
    fold_free(&fold);
    import_free(&import);
}

static bool write_actions(struct span body, struct buf *out) {
    static struct event_action action;
    if (event_action_read(body, &action) != ERR_OK)
        return false;
    if (action.is_given)
        event_given_write(out, action.actions, action.action_count);
    else if (action.has_time)
        event_timed_write(out, action.seat, action.actions, action.action_count, action.used_ms,
                          action.ends_turn);
    else
        event_action_write(out, action.seat, action.actions, action.action_count);
    return true;
}

/* The same for the bodies of cups. */
static bool rewrite_cup(unsigned kind, struct span body, struct buf *out) {
    struct event_cup cup;
    struct event_cup_entrant entrant;
    struct event_cup_gone gone;
    enum event_cup_step step;
    static struct event_cup_round round;
    struct event_cup_result result;
    struct event_cup_replay replay;
    if (kind == EVENT_CUP && event_cup_read(body, &cup) == ERR_OK)
        event_cup_write(out, &cup);
    else if (kind == EVENT_CUP_ENTRANT && event_cup_entrant_read(body, &entrant) == ERR_OK)
        event_cup_entrant_write(out, &entrant);
    else if (kind == EVENT_CUP_GONE && event_cup_gone_read(body, &gone) == ERR_OK)
        event_cup_gone_write(out, &gone);
    else if (kind == EVENT_CUP_STATE && event_cup_state_read(body, &step) == ERR_OK)
        event_cup_state_write(out, step);
    else if (kind == EVENT_CUP_ROUND && event_cup_round_read(body, &round) == ERR_OK)
        event_cup_round_write(out, &round);
    else if (kind == EVENT_CUP_RESULT && event_cup_result_read(body, &result) == ERR_OK)
        event_cup_result_write(out, &result);
    else if (kind == EVENT_CUP_REPLAY && event_cup_replay_read(body, &replay) == ERR_OK)
        event_cup_replay_write(out, &replay);
    else
        return false;
    return true;
}

/* A cup of three that has begun and met once, and then this event: it is taken or refused, and the standings
 * can be made in any case. */
static void check_cup(unsigned kind, struct span body) {
    struct cup_fold fold;
    struct buf bodies[6] = {{0}};
    const enum event_kind kinds[] = {EVENT_CUP,         EVENT_CUP_ENTRANT, EVENT_CUP_ENTRANT,
                                     EVENT_CUP_ENTRANT, EVENT_CUP_STATE,   EVENT_CUP_ROUND};
    struct event_cup about = {
        .format = EVENT_FORMAT, .name = "c", .game = "g", .protocol = "api", .number = CUP_SWISS};
    static struct event_cup_round round = {.count = 2, .pairings = {{1, 2, {0, 1}, 7}, {1, 1, {2}, 0}}};
    about.options.seat_count = 2;
    event_cup_write(&bodies[0], &about);
    for (unsigned i = 0; i < 3; i++) {
        struct event_cup_entrant entrant = {.bot_level = 1};
        entrant.name[0] = (char)('a' + i);
        event_cup_entrant_write(&bodies[1 + i], &entrant);
    }
    event_cup_state_write(&bodies[4], CUP_STEP_BEGIN);
    event_cup_round_write(&bodies[5], &round);
    cup_fold_init(&fold, 5);
    for (unsigned i = 0; i < 7; i++) {
        struct event event = {.seq = fold.last_seq + 1,
                              .time_ms = 1,
                              .kind = i < 6 ? kinds[i] : (enum event_kind)kind,
                              .body = i < 6 ? buf_span(&bodies[i]) : body};
        event_chain(&event, 5, i == 0 ? NULL : &fold.last_hash);
        enum err e = cup_fold_event(&fold, &event);
        assert(i == 6 || e == ERR_OK);
    }
    struct cup_standing *rows = cup_fold_standings(&fold);
    assert(rows[0].place == 1);
    mem_free(rows);
    cup_fold_free(&fold);
    for (unsigned i = 0; i < 6; i++)
        buf_free(&bodies[i]);
}

/* The same for the bodies of championships. */
static bool rewrite_championship(unsigned kind, struct span body, struct buf *out) {
    struct event_championship about;
    struct event_entrant entrant;
    struct event_pair pair;
    struct event_withdrawal withdrawal;
    struct event_close end;
    if (kind == EVENT_CHAMPIONSHIP && event_championship_read(body, &about) == ERR_OK)
        event_championship_write(out, &about);
    else if (kind == EVENT_ENTRANT && event_entrant_read(body, &entrant) == ERR_OK)
        event_entrant_write(out, &entrant);
    else if (kind == EVENT_PAIR && event_pair_read(body, &pair) == ERR_OK)
        event_pair_write(out, &pair);
    else if (kind == EVENT_WITHDRAWAL && event_withdrawal_read(body, &withdrawal) == ERR_OK)
        event_withdrawal_write(out, &withdrawal);
    else if (kind == EVENT_CLOSE && event_close_read(body, &end) == ERR_OK)
        event_close_write(out, &end);
    else
        return rewrite_cup(kind, body, out);
    return true;
}

/* Reads a body and writes it again; false when it is refused. */
static bool rewrite(unsigned kind, struct span body, struct buf *out) {
    struct event_setup setup;
    struct event_seat seat;
    struct event_forfeit forfeit;
    struct event_attendance attendance;
    struct event_result result;
    switch (kind) {
    case EVENT_SETUP:
        if (event_setup_read(body, &setup) != ERR_OK)
            return false;
        event_setup_write(out, &setup);
        return true;
    case EVENT_SEAT:
        if (event_seat_read(body, &seat) != ERR_OK)
            return false;
        event_seat_write(out, &seat);
        return true;
    case EVENT_ACTION:
    case EVENT_CHANCE: return write_actions(body, out);
    case EVENT_TIMEOUT:
    case EVENT_FORFEIT:
        if (event_forfeit_read(body, &forfeit) != ERR_OK)
            return false;
        event_forfeit_write(out, &forfeit);
        return true;
    case EVENT_ATTENDANCE:
        if (event_attendance_read(body, &attendance) != ERR_OK)
            return false;
        event_attendance_write(out, &attendance);
        return true;
    case EVENT_RESULT:
        if (event_result_read(body, &result) != ERR_OK)
            return false;
        event_result_write(out, &result);
        return true;
    default: return rewrite_championship(kind, body, out);
    }
}

/* As the first event of a table, which only a set-up can be. */
static void check_fold(unsigned kind, struct span body) {
    struct fold fold;
    struct event event = {.seq = 1, .time_ms = 1, .kind = (enum event_kind)kind, .body = body};
    fold_init(&fold, 5);
    event_chain(&event, 5, NULL);
    if (fold_event(&fold, &event) == ERR_OK)
        assert(kind == EVENT_SETUP && (fold.game == NULL || fold.game->valid(fold.state) == NULL));
    fold_free(&fold);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct span rest = span_make(data + 1, size - 1);
    struct buf again = {0};
    if (data[0] == IMPORT)
        check_import(rest);
    else if (rewrite(data[0], rest, &again))
        assert(span_equal(buf_span(&again), rest));
    if (data[0] != IMPORT)
        check_fold(data[0], rest);
    if (data[0] >= EVENT_CUP && data[0] <= EVENT_CUP_CLOSE)
        check_cup(data[0], rest);
    buf_free(&again);
    return 0;
}
