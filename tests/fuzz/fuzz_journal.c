/* The readers of a journal. The first byte chooses: a kind of event, whose body is the rest, or the import of
 * the rest as text. A body that is accepted is the one form of what was read; an import that is accepted
 * folds, by the rules and by its dice. */
#include "fuzz.h"

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
        return false;
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
    buf_free(&again);
    return 0;
}
