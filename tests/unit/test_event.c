/* The bytes of events: round trips, refusals, the chain, and the codes of tables. */
#include "tests.h"

#include "store/event.h"

static struct buf body; /* of the test that runs */

static struct event_setup some_setup(void) {
    struct event_setup setup = {
        .format = EVENT_FORMAT,
        .game = "paper-soccer",
        .rules_version = 300,
        .options = {.seat_count = 4, .value = {0, -1, INT32_MAX, INT32_MIN}},
        .violation_loses = true,
        .turn_timeout_ms = UINT32_MAX,
        .protocol = "ugs",
    };
    memset(setup.commitment.bytes, 0x5a, DIGEST_BYTES);
    return setup;
}

static struct event_action some_actions(void) {
    struct event_action action = {.seat = 2, .action_count = 4};
    action.actions[0] = (struct action){.kind = 0};
    action.actions[1] = (struct action){.kind = 7, .arg = {0, 0, 9}};
    memset(&action.actions[2], 0xff, sizeof action.actions[2]);
    action.actions[3] = (struct action){.kind = 0, .arg = {1}};
    return action;
}

static struct event_result some_result(void) {
    struct event_result result = {.outcome = OUTCOME_PLAYED, .seat_count = 3, .points = {-5, 0, INT32_MAX}};
    memset(result.secret.bytes, 0xc3, DIGEST_BYTES);
    return result;
}

static void setup_comes_back(void **state) {
    (void)state;
    struct event_setup setup = some_setup(), back;
    event_setup_write(&body, &setup);
    assert_int_equal(event_setup_read(buf_span(&body), &back), ERR_OK);
    assert_string_equal(back.game, "paper-soccer");
    assert_string_equal(back.protocol, "ugs");
    assert_int_equal(back.rules_version, 300);
    assert_int_equal(back.turn_timeout_ms, UINT32_MAX);
    assert_true(back.violation_loses);
    assert_memory_equal(&back.options, &setup.options, sizeof setup.options);
    assert_true(digest_equal(&back.commitment, &setup.commitment));
}

static void seat_comes_back(void **state) {
    (void)state;
    struct event_seat seat = {.seat = 3, .is_drawn = true, .name = "Zo\xc3\xab"}, back;
    event_seat_write(&body, &seat);
    assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.seat, 3);
    assert_true(back.is_drawn);
    assert_string_equal(back.name, seat.name);
}

/* What is not there takes no room: these are the bytes of a journal that knew neither tokens nor notes. */
static void seats_become_free_again(void **state) {
    (void)state;
    struct event_seat seat = {.seat = 2}, back;
    event_seat_write(&body, &seat);
    assert_int_equal(body.size, 2);
    assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.seat, 2);
    assert_string_equal(back.name, "");
    body.data[1] |= 1; /* drawn, and nobody */
    assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_MALFORMED);
}

static void seats_without_extras_are_as_they_always_were(void **state) {
    (void)state;
    struct event_seat seat = {.seat = 1, .name = "ann"};
    event_seat_write(&body, &seat);
    assert_int_equal(body.size, 6);
    assert_memory_equal(body.data, "\x01\x00\x03\x61nn", 6);
}

static void a_seed_has_no_control_characters(void **state) {
    (void)state;
    struct event_seat seat = {.seat = 1, .name = "a", .seed = "ab"}, back;
    event_seat_write(&body, &seat);
    assert_int_equal(body.size, 7);
    assert_memory_equal(body.data, "\x01\x10\x01\x61\x02\x61\x62", 7);
    body.data[6] = '\n';
    assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_MALFORMED);
    body.data[6] = '\xff';
    assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_MALFORMED);
    assert_false(event_seed_fits(SPAN("")));
    assert_true(event_seed_fits(SPAN("\xc3\xa4 b")));
}

static void tokens_and_notes_come_back(void **state) {
    (void)state;
    for (int extras = 0; extras < 8; extras++) {
        struct event_seat seat = {.seat = 1, .name = "ann", .has_token = (extras & 1) != 0}, back;
        if (seat.has_token)
            memset(seat.token.bytes, 0x77, DIGEST_BYTES);
        if ((extras & 2) != 0)
            memset(seat.note, 'n', EVENT_NOTE_BYTES_MAX);
        if ((extras & 4) != 0)
            memset(seat.seed, 's', EVENT_SEED_BYTES_MAX);
        buf_clear(&body);
        event_seat_write(&body, &seat);
        assert_int_equal(event_seat_read(buf_span(&body), &back), ERR_OK);
        assert_string_equal(back.seed, seat.seed);
        assert_int_equal(back.has_token, seat.has_token);
        assert_true(digest_equal(&back.token, &seat.token));
        assert_string_equal(back.note, seat.note);
    }
    struct event_setup setup = some_setup(), back;
    memcpy(setup.note, "violation=lose", 15);
    buf_clear(&body);
    event_setup_write(&body, &setup);
    assert_int_equal(event_setup_read(buf_span(&body), &back), ERR_OK);
    assert_string_equal(back.note, "violation=lose");
    assert_string_equal(back.house, "");
    for (int has_note = 0; has_note < 2; has_note++) {
        memset(setup.note, 'n', has_note == 0 ? 0 : EVENT_NOTE_BYTES_MAX);
        setup.note[has_note == 0 ? 0 : EVENT_NOTE_BYTES_MAX] = '\0';
        memset(setup.house, 'h', EVENT_NOTE_BYTES_MAX);
        buf_clear(&body);
        event_setup_write(&body, &setup);
        assert_int_equal(event_setup_read(buf_span(&body), &back), ERR_OK);
        assert_string_equal(back.note, setup.note);
        assert_string_equal(back.house, setup.house);
    }
}

static void actions_come_back(void **state) {
    (void)state;
    static struct event_action action, back;
    action = some_actions();
    event_action_write(&body, action.seat, action.actions, action.action_count);
    /* who, count, and per action a size, the kind and what is left of the arguments */
    assert_int_equal(body.size, 2 + 2 + 5 + 17 + 3);
    assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.seat, 2);
    assert_false(back.is_given);
    assert_int_equal(back.action_count, 4);
    assert_memory_equal(back.actions, action.actions, 4 * sizeof action.actions[0]);
}

static void chance_is_drawn_or_given(void **state) {
    (void)state;
    static struct event_action action, back;
    action = some_actions();
    event_action_write(&body, SEAT_CHANCE, action.actions, 1);
    assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.seat, SEAT_CHANCE);
    assert_false(back.is_given);
    buf_clear(&body);
    event_given_write(&body, action.actions, 1);
    assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.seat, SEAT_CHANCE);
    assert_true(back.is_given);
}

static void longest_action_comes_back(void **state) {
    (void)state;
    static struct event_action action, back;
    memset(action.actions, 0x81, sizeof action.actions);
    event_action_write(&body, 0, action.actions, EVENT_ACTIONS_MAX);
    assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.action_count, EVENT_ACTIONS_MAX);
    assert_memory_equal(back.actions, action.actions, sizeof action.actions);
}

static void forfeit_comes_back(void **state) {
    (void)state;
    for (unsigned reason = 0; reason <= REASON_RESIGNED; reason++) {
        struct event_forfeit forfeit = {.seat = 1, .reason = (enum event_reason)reason}, back;
        buf_clear(&body);
        event_forfeit_write(&body, &forfeit);
        assert_int_equal(event_forfeit_read(buf_span(&body), &back), ERR_OK);
        assert_int_equal(back.seat, 1);
        assert_int_equal(back.reason, reason);
        assert_string_equal(back.why, "");
    }
}

static void the_reason_of_a_violation_comes_back(void **state) {
    (void)state;
    struct event_forfeit forfeit = {.seat = 1, .reason = REASON_VIOLATION, .why = "no"}, back;
    for (unsigned i = 0; i < 3; i++) {
        buf_clear(&body);
        event_forfeit_write(&body, &forfeit);
        assert_int_equal(event_forfeit_read(buf_span(&body), &back), ERR_OK);
        assert_memory_equal(&back, &forfeit, sizeof back);
        if (i == 0)
            memset(forfeit.sent, 'x', EVENT_SENT_BYTES_MAX);
        else
            snprintf(forfeit.rule, sizeof forfeit.rule, "R7");
    }
    assert_int_equal(event_forfeit_read(SPAN("\1\2\0\0\0"), &back), ERR_MALFORMED);  /* no sentence */
    assert_int_equal(event_forfeit_read(SPAN("\1\2\1n"), &back), ERR_MALFORMED);     /* cut off */
    assert_int_equal(event_forfeit_read(SPAN("\1\3\1n\0\0"), &back), ERR_MALFORMED); /* resigned */
}

/* Whatever the reason, it may be explained, and the times by which it was judged stand beside it. */
static void a_forfeit_with_stamps_comes_back(void **state) {
    (void)state;
    for (unsigned reason = 0; reason <= REASON_RESIGNED; reason++) {
        struct event_forfeit forfeit = {.seat = 2,
                                        .reason = (enum event_reason)reason,
                                        .has_stamps = true,
                                        .stamps = {1794787200000, 1794787260001, 60001, 60000}},
                             back;
        for (unsigned i = 0; i < 2; i++) {
            buf_clear(&body);
            event_forfeit_write(&body, &forfeit);
            assert_int_equal(event_forfeit_read(buf_span(&body), &back), ERR_OK);
            assert_memory_equal(&back, &forfeit, sizeof back);
            snprintf(forfeit.why, sizeof forfeit.why, "no action within 60 s");
            snprintf(forfeit.rule, sizeof forfeit.rule, "clocks C1");
        }
    }
    struct event_forfeit back;
    assert_int_equal(event_forfeit_read(SPAN("\1\x10\0\0\0\1\2\3\4"), &back), ERR_OK);
    assert_int_equal(event_forfeit_read(SPAN("\1\x10\0\0\0\1\2\3"), &back), ERR_MALFORMED);    /* cut off */
    assert_int_equal(event_forfeit_read(SPAN("\1\x10\0\1r\0\1\2\3\4"), &back), ERR_MALFORMED); /* no words */
    assert_int_equal(event_forfeit_read(SPAN("\1\x14\0\0\0\1\2\3\4"), &back), ERR_MALFORMED);
}

static void the_time_of_an_action_comes_back(void **state) {
    (void)state;
    static struct event_action action, back;
    const uint32_t times[] = {0, 1, 812, UINT32_MAX};
    action = some_actions();
    for (size_t i = 0; i < 8; i++) {
        buf_clear(&body);
        event_timed_write(&body, action.seat, action.actions, action.action_count, times[i / 2], i % 2 == 1);
        assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
        assert_true(back.has_time);
        assert_int_equal(back.seat, action.seat);
        assert_int_equal(back.used_ms, times[i / 2]);
        assert_int_equal(back.ends_turn, i % 2 == 1);
        assert_int_equal(event_action_read(span_make(body.data, body.size - 1), &back), ERR_MALFORMED);
    }
    buf_clear(&body);
    event_action_write(&body, action.seat, action.actions, action.action_count);
    assert_int_equal(event_action_read(buf_span(&body), &back), ERR_OK);
    assert_false(back.has_time);
}

static void result_comes_back(void **state) {
    (void)state;
    struct event_result result = some_result(), back;
    event_result_write(&body, &result);
    assert_int_equal(event_result_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.outcome, OUTCOME_PLAYED);
    assert_int_equal(back.seat_count, 3);
    assert_memory_equal(back.points, result.points, sizeof back.points);
    assert_true(digest_equal(&back.secret, &result.secret));
}

/* Who wins by a forfeit is for the rules to say; in older journals all others had won. */
static void both_forms_of_a_forfeit_are_read(void **state) {
    (void)state;
    struct event_result result = {.outcome = OUTCOME_FORFEITED, .seat_count = 2, .points = {1, 0}}, back;
    event_result_write(&body, &result);
    assert_int_equal(body.data[0], 4);
    assert_int_equal(event_result_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.outcome, OUTCOME_FORFEITED);
    assert_false(back.all_others_win);
    body.data[0] = 2;
    assert_int_equal(event_result_read(buf_span(&body), &back), ERR_OK);
    assert_int_equal(back.outcome, OUTCOME_FORFEITED);
    assert_true(back.all_others_win);
}

static enum err reread_cup(enum event_kind kind, struct span bytes, struct buf *again) {
    struct event_cup cup;
    struct event_cup_entrant entrant;
    struct event_cup_gone gone;
    enum event_cup_step step;
    static struct event_cup_round round;
    struct event_cup_result result;
    struct event_cup_replay replay;
    enum err e = ERR_MALFORMED;
    switch (kind) {
    case EVENT_CUP:
        if ((e = event_cup_read(bytes, &cup)) == ERR_OK)
            event_cup_write(again, &cup);
        break;
    case EVENT_CUP_ENTRANT:
        if ((e = event_cup_entrant_read(bytes, &entrant)) == ERR_OK)
            event_cup_entrant_write(again, &entrant);
        break;
    case EVENT_CUP_GONE:
        if ((e = event_cup_gone_read(bytes, &gone)) == ERR_OK)
            event_cup_gone_write(again, &gone);
        break;
    case EVENT_CUP_STATE:
        if ((e = event_cup_state_read(bytes, &step)) == ERR_OK)
            event_cup_state_write(again, step);
        break;
    case EVENT_CUP_ROUND:
        if ((e = event_cup_round_read(bytes, &round)) == ERR_OK)
            event_cup_round_write(again, &round);
        break;
    case EVENT_CUP_RESULT:
        if ((e = event_cup_result_read(bytes, &result)) == ERR_OK)
            event_cup_result_write(again, &result);
        break;
    case EVENT_CUP_REPLAY:
        if ((e = event_cup_replay_read(bytes, &replay)) == ERR_OK)
            event_cup_replay_write(again, &replay);
        break;
    default: fail();
    }
    return e;
}

/* One reader for all kinds, that also writes again what it could read. */
static enum err reread(enum event_kind kind, struct span bytes, struct buf *again) {
    static struct event_setup setup;
    static struct event_seat seat;
    static struct event_action action;
    static struct event_attendance attendance;
    struct event_forfeit forfeit;
    static struct event_result result;
    struct event_championship about;
    struct event_entrant entrant;
    struct event_pair pair;
    struct event_withdrawal withdrawal;
    struct event_close end;
    enum err e = ERR_MALFORMED;
    switch (kind) {
    case EVENT_SETUP:
        if ((e = event_setup_read(bytes, &setup)) == ERR_OK)
            event_setup_write(again, &setup);
        break;
    case EVENT_SEAT:
        if ((e = event_seat_read(bytes, &seat)) == ERR_OK)
            event_seat_write(again, &seat);
        break;
    case EVENT_ACTION:
        if ((e = event_action_read(bytes, &action)) != ERR_OK)
            break;
        if (action.is_given)
            event_given_write(again, action.actions, action.action_count);
        else if (action.has_time)
            event_timed_write(again, action.seat, action.actions, action.action_count, action.used_ms,
                              action.ends_turn);
        else
            event_action_write(again, action.seat, action.actions, action.action_count);
        break;
    case EVENT_FORFEIT:
        if ((e = event_forfeit_read(bytes, &forfeit)) == ERR_OK)
            event_forfeit_write(again, &forfeit);
        break;
    case EVENT_ATTENDANCE:
        if ((e = event_attendance_read(bytes, &attendance)) == ERR_OK)
            event_attendance_write(again, &attendance);
        break;
    case EVENT_RESULT:
        if ((e = event_result_read(bytes, &result)) == ERR_OK)
            event_result_write(again, &result);
        break;
    case EVENT_CHAMPIONSHIP:
        if ((e = event_championship_read(bytes, &about)) == ERR_OK)
            event_championship_write(again, &about);
        break;
    case EVENT_ENTRANT:
        if ((e = event_entrant_read(bytes, &entrant)) == ERR_OK)
            event_entrant_write(again, &entrant);
        break;
    case EVENT_PAIR:
        if ((e = event_pair_read(bytes, &pair)) == ERR_OK)
            event_pair_write(again, &pair);
        break;
    case EVENT_WITHDRAWAL:
        if ((e = event_withdrawal_read(bytes, &withdrawal)) == ERR_OK)
            event_withdrawal_write(again, &withdrawal);
        break;
    case EVENT_CLOSE:
        if ((e = event_close_read(bytes, &end)) == ERR_OK)
            event_close_write(again, &end);
        break;
    default: return reread_cup(kind, bytes, again);
    }
    return e;
}

static void write_some_cup(enum event_kind kind) {
    static const struct event_cup_round round = {
        .count = 2, .pairings = {{1, 4, {3, 200, 1, 0}, 1234567}, {1, 1, {2}, 0}}};
    switch (kind) {
    case EVENT_CUP:
        event_cup_write(&body, &(struct event_cup){.format = EVENT_FORMAT,
                                                   .name = "spring",
                                                   .game = "santorini",
                                                   .protocol = "api",
                                                   .number = 3,
                                                   .options = {.seat_count = 3, .value = {0, -1, 300}},
                                                   .rounds = 7,
                                                   .turn_ms = 60000,
                                                   .tables_max = 8});
        break;
    case EVENT_CUP_ENTRANT: event_cup_entrant_write(&body, &(struct event_cup_entrant){.name = "ann"}); break;
    case EVENT_CUP_GONE:
        event_cup_gone_write(&body, &(struct event_cup_gone){200, .is_disqualified = true, .why = "why"});
        break;
    case EVENT_CUP_STATE: event_cup_state_write(&body, CUP_STEP_RESUME); break;
    case EVENT_CUP_ROUND: event_cup_round_write(&body, &round); break;
    case EVENT_CUP_RESULT:
        event_cup_result_write(&body, &(struct event_cup_result){.pairing = 300,
                                                                 .how = 2,
                                                                 .seat_count = 2,
                                                                 .results = {1, -70},
                                                                 .loser = 1,
                                                                 .reason = "time",
                                                                 .why = "bob ran out of time"});
        break;
    case EVENT_CUP_REPLAY: event_cup_replay_write(&body, &(struct event_cup_replay){300, 1234567}); break;
    default: fail();
    }
}

static void write_some(enum event_kind kind) {
    struct event_setup setup = some_setup();
    struct event_seat seat = {.seat = 1, .name = "ann", .has_token = true, .note = "a note"};
    static struct event_action action;
    struct event_forfeit forfeit = {.seat = 1, .reason = REASON_RESIGNED};
    struct event_attendance attendance = {.seat = 2, .attendance = SEAT_BACK};
    struct event_result result = some_result();
    action = some_actions();
    buf_clear(&body);
    switch (kind) {
    case EVENT_SETUP: event_setup_write(&body, &setup); break;
    case EVENT_SEAT: event_seat_write(&body, &seat); break;
    case EVENT_ACTION: event_action_write(&body, action.seat, action.actions, action.action_count); break;
    case EVENT_FORFEIT: event_forfeit_write(&body, &forfeit); break;
    case EVENT_ATTENDANCE: event_attendance_write(&body, &attendance); break;
    case EVENT_RESULT: event_result_write(&body, &result); break;
    case EVENT_CHAMPIONSHIP:
        event_championship_write(
            &body, &(struct event_championship){EVENT_FORMAT, .number = 300, .entrants = 4, .type = "go"});
        break;
    case EVENT_ENTRANT: event_entrant_write(&body, &(struct event_entrant){.nick = "ann"}); break;
    case EVENT_PAIR:
        event_pair_write(&body, &(struct event_pair){1, 200, .a_won = true, .b_lost = true});
        break;
    case EVENT_WITHDRAWAL: event_withdrawal_write(&body, &(struct event_withdrawal){1023}); break;
    case EVENT_CLOSE: event_close_write(&body, &(struct event_close){OUTCOME_PLAYED}); break;
    default: write_some_cup(kind);
    }
}

static const enum event_kind kinds[] = {
    EVENT_SETUP,     EVENT_SEAT,         EVENT_ACTION,      EVENT_FORFEIT,  EVENT_ATTENDANCE,
    EVENT_RESULT,    EVENT_CHAMPIONSHIP, EVENT_ENTRANT,     EVENT_PAIR,     EVENT_WITHDRAWAL,
    EVENT_CLOSE,     EVENT_CUP,          EVENT_CUP_ENTRANT, EVENT_CUP_GONE, EVENT_CUP_STATE,
    EVENT_CUP_ROUND, EVENT_CUP_RESULT,   EVENT_CUP_REPLAY};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* From memory of exactly that size, so that the sanitizer sees a reader that goes too far. */
static enum err reread_exactly(enum event_kind kind, struct span bytes, struct buf *again) {
    char *copy = malloc(bytes.size + 1);
    memcpy(copy + 1, bytes.data, bytes.size);
    enum err e = reread(kind, span_make(copy + 1, bytes.size), again);
    free(copy);
    return e;
}

/* A pairing that was lost carries what its table was judged by; without it the body is that of before. */
static void results_of_pairings_keep_their_cause(void **state) {
    (void)state;
    struct event_cup_result back, result = {.pairing = 300,
                                            .how = 2,
                                            .seat_count = 2,
                                            .results = {1, 0},
                                            .loser = 1,
                                            .reason = "violation",
                                            .why = "there is already a line"};
    struct buf again = {0};
    buf_clear(&body);
    event_cup_result_write(&body, &result);
    size_t without = body.size;
    result.has_stamps = true;
    result.stamps = (struct event_stamps){5, 9, 4, 300};
    snprintf(result.rule, sizeof result.rule, "paper-soccer R4");
    memset(result.sent, 'x', EVENT_CUP_SENT_BYTES_MAX);
    buf_clear(&body);
    event_cup_result_write(&body, &result);
    assert_int_equal(event_cup_result_read(buf_span(&body), &back), ERR_OK);
    assert_true(back.has_stamps && back.stamps.asked_ms == 5 && back.stamps.heard_ms == 9);
    assert_true(back.stamps.used_ms == 4 && back.stamps.allowed_ms == 300);
    assert_string_equal(back.rule, result.rule);
    assert_string_equal(back.sent, result.sent);
    for (size_t size = 0; size < body.size; size++)
        assert_int_equal(reread_exactly(EVENT_CUP_RESULT, span_make(body.data, size), &again),
                         size == without ? ERR_OK : ERR_MALFORMED);
    buf_free(&again);
}

static void cut_and_lengthened_bodies_are_refused(void **state) {
    (void)state;
    struct buf again = {0};
    for (int k = 0; k < KINDS; k++) {
        write_some(kinds[k]);
        for (size_t size = 0; size < body.size; size++)
            assert_int_equal(reread_exactly(kinds[k], span_make(body.data, size), &again), ERR_MALFORMED);
        buf_append_byte(&body, 0);
        assert_int_equal(reread_exactly(kinds[k], buf_span(&body), &again), ERR_MALFORMED);
    }
    buf_free(&again);
}

/* Every byte in every place: what is still accepted must be the one form of what was read. */
static void accepted_bodies_are_canonical(void **state) {
    (void)state;
    struct buf again = {0};
    size_t refused = 0, accepted = 0;
    for (int k = 0; k < KINDS; k++) {
        write_some(kinds[k]);
        for (size_t at = 0; at < body.size; at++) {
            char before = body.data[at];
            for (int byte = 0; byte < 256; byte++) {
                body.data[at] = (char)byte;
                buf_clear(&again);
                if (reread_exactly(kinds[k], buf_span(&body), &again) != ERR_OK) {
                    refused++;
                    continue;
                }
                accepted++;
                assert_int_equal(again.size, body.size);
                assert_memory_equal(again.data, body.data, body.size);
            }
            body.data[at] = before;
        }
    }
    assert_true(refused > 1000);
    assert_true(accepted > 1000);
    buf_free(&again);
}

static void refuse(enum event_kind kind, struct span bytes) {
    struct buf again = {0};
    assert_int_equal(reread_exactly(kind, bytes, &again), ERR_MALFORMED);
    buf_free(&again);
}

static void wrong_values_are_refused(void **state) {
    (void)state;
    refuse(EVENT_SEAT, SPAN("\x04\x00\x01x"));              /* no such seat */
    refuse(EVENT_SEAT, SPAN("\x00\x08\x01x"));              /* unknown flag */
    refuse(EVENT_SEAT, SPAN("\x00\x02\x01x"));              /* no token where one is announced */
    refuse(EVENT_SEAT, SPAN("\x00\x04\x01x\x00"));          /* an empty note */
    refuse(EVENT_SEAT, SPAN("\x00\x00\x00"));               /* no name */
    refuse(EVENT_SEAT, SPAN("\x00\x00\x01\xff"));           /* not UTF-8 */
    refuse(EVENT_SEAT, SPAN("\x00\x00\x01\x00"));           /* NUL */
    refuse(EVENT_SEAT, SPAN("\x00\x00\x81\x00x"));          /* padded number */
    refuse(EVENT_ACTION, SPAN("\x00\x00"));                 /* no action */
    refuse(EVENT_ACTION, SPAN("\x04\x01\x01\x01"));         /* no such seat */
    refuse(EVENT_ACTION, SPAN("\x00\x01\x00"));             /* without its kind */
    refuse(EVENT_ACTION, SPAN("\x00\x01\x02\x01\x00"));     /* zero that is not trimmed */
    refuse(EVENT_ACTION, SPAN("\x00\x81\x04\x01\x01"));     /* 513 actions */
    refuse(EVENT_FORFEIT, SPAN("\x04\x01"));                /* no such seat */
    refuse(EVENT_FORFEIT, SPAN("\x00\x04"));                /* no such reason */
    refuse(EVENT_ATTENDANCE, SPAN("\x04\x01"));             /* no such seat */
    refuse(EVENT_ATTENDANCE, SPAN("\x00\x02"));             /* neither away nor back */
    refuse(EVENT_CHAMPIONSHIP, SPAN("\x01\x00\x01\x02go")); /* alone */
    refuse(EVENT_CHAMPIONSHIP, SPAN("\x02\x00\x02\x02go")); /* a newer format */
    refuse(EVENT_PAIR, SPAN("\x01\x01\x00"));               /* with itself */
    refuse(EVENT_PAIR, SPAN("\x00\x01\x10"));               /* an unknown flag */
    refuse(EVENT_CLOSE, SPAN("\x02"));                      /* nobody forfeits a championship */
    refuse(EVENT_SEAT, SPAN("\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02x")); /* 65 bits */
    write_some(EVENT_SETUP);
    body.data[0] = EVENT_FORMAT + 1;
    refuse(EVENT_SETUP, buf_span(&body));
    write_some(EVENT_RESULT);
    body.data[0] = OUTCOME_UNDECIDED + 2; /* one more is the newer form of a forfeit */
    refuse(EVENT_RESULT, buf_span(&body));
    body.data[0] = OUTCOME_PLAYED;
    body.data[1] = SEATS_MAX + 1;
    refuse(EVENT_RESULT, buf_span(&body));
}

static void chain_holds_every_field(void **state) {
    (void)state;
    struct digest before = {{1}}, other_before = {{2}};
    struct event event = {.seq = 2, .time_ms = 3, .kind = EVENT_SEAT, .body = SPAN("abc")};
    event_chain(&event, 7, &before);
    const struct digest hash = event.hash;
    event_chain(&event, 7, &before);
    assert_true(digest_equal(&hash, &event.hash));

    struct event changed = event;
    event_chain(&changed, 8, &before);
    assert_false(digest_equal(&hash, &changed.hash));
    event_chain(&changed, 7, &other_before);
    assert_false(digest_equal(&hash, &changed.hash));
    event_chain(&changed, 7, NULL);
    assert_false(digest_equal(&hash, &changed.hash));
    changed.seq++;
    event_chain(&changed, 7, &before);
    assert_false(digest_equal(&hash, &changed.hash));
    changed = event;
    changed.time_ms = -3;
    event_chain(&changed, 7, &before);
    assert_false(digest_equal(&hash, &changed.hash));
    changed = event;
    changed.kind = EVENT_ACTION;
    event_chain(&changed, 7, &before);
    assert_false(digest_equal(&hash, &changed.hash));
    changed = event;
    changed.body = SPAN("abd");
    event_chain(&changed, 7, &before);
    assert_false(digest_equal(&hash, &changed.hash));
    changed.body = SPAN("ab");
    event_chain(&changed, 7, &before);
    assert_false(digest_equal(&hash, &changed.hash));
}

/* The same value by Python: hashlib.blake2b(digest_size=32) over lengths and pieces, see docs/journal.md. */
static void chain_is_the_documented_one(void **state) {
    (void)state;
    char text[2 * DIGEST_BYTES + 1];
    struct event event = {.seq = 1,
                          .time_ms = 1000,
                          .kind = EVENT_SEAT,
                          .body = SPAN("\x01\x00\x03"
                                       "ann")};
    event_chain(&event, 12345, NULL);
    digest_format(&event.hash, text);
    assert_string_equal(text, "b238ec181120995703da5c96ffeab46c326bb6b424e543d4596bd5f23df9879b");
}

static void kinds_have_words(void **state) {
    (void)state;
    assert_string_equal(event_kind_word(EVENT_SETUP), "setup");
    assert_string_equal(event_kind_word(EVENT_RESULT), "result");
    assert_string_equal(event_kind_word(EVENT_CUP_CLOSE), "cup-close");
    assert_string_equal(event_kind_word(0), "?");
    assert_string_equal(event_kind_word(EVENT_CUP_CLOSE + 1), "?");
    assert_string_equal(event_kind_word(UINT32_MAX), "?");
}

static void codes_come_back(void **state) {
    (void)state;
    struct rng rng;
    char code[TABLE_CODE_CHARS + 1];
    uint64_t table;
    rng_seed(&rng, 3);
    for (int i = 0; i < 1000; i++) {
        uint64_t id = rng_next(&rng) >> (64 - TABLE_ID_BITS);
        table_code_format(id, code);
        assert_in_range(strlen(code), 1, TABLE_CODE_CHARS);
        assert_true(code[0] != '0' || id == 0);
        assert_true(table_code_parse(span_of(code), &table));
        assert_int_equal(table, id);
        for (char *c = code; *c != '\0'; c++)
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        assert_true(table_code_parse(span_of(code), &table));
        assert_int_equal(table, id);
    }
    table_code_format(0, code);
    assert_string_equal(code, "0");
    table_code_format(((uint64_t)1 << TABLE_ID_BITS) - 1, code);
    assert_string_equal(code, "ZZZZZZZZZZ");
}

static void wrong_codes_are_refused(void **state) {
    (void)state;
    uint64_t table = 77;
    const struct span wrong[] = {
        SPAN(""),           SPAN("000000000"),  SPAN("00000000000"), SPAN("000000000U"),  SPAN("000000000I"),
        SPAN("000000000L"), SPAN("000000000O"), SPAN("00000 0000"),  SPAN("000000000\0"), SPAN("-000000001")};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(table_code_parse(wrong[i], &table));
    assert_int_equal(table, 77);
}

static int clean(void **state) {
    (void)state;
    buf_free(&body);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(setup_comes_back, clean),
        cmocka_unit_test_teardown(seat_comes_back, clean),
        cmocka_unit_test_teardown(seats_become_free_again, clean),
        cmocka_unit_test_teardown(seats_without_extras_are_as_they_always_were, clean),
        cmocka_unit_test_teardown(tokens_and_notes_come_back, clean),
        cmocka_unit_test_teardown(a_seed_has_no_control_characters, clean),
        cmocka_unit_test_teardown(actions_come_back, clean),
        cmocka_unit_test_teardown(chance_is_drawn_or_given, clean),
        cmocka_unit_test_teardown(longest_action_comes_back, clean),
        cmocka_unit_test_teardown(forfeit_comes_back, clean),
        cmocka_unit_test_teardown(the_reason_of_a_violation_comes_back, clean),
        cmocka_unit_test_teardown(a_forfeit_with_stamps_comes_back, clean),
        cmocka_unit_test_teardown(results_of_pairings_keep_their_cause, clean),
        cmocka_unit_test_teardown(the_time_of_an_action_comes_back, clean),
        cmocka_unit_test_teardown(result_comes_back, clean),
        cmocka_unit_test_teardown(both_forms_of_a_forfeit_are_read, clean),
        cmocka_unit_test_teardown(cut_and_lengthened_bodies_are_refused, clean),
        cmocka_unit_test_teardown(accepted_bodies_are_canonical, clean),
        cmocka_unit_test_teardown(wrong_values_are_refused, clean),
        cmocka_unit_test(chain_holds_every_field),
        cmocka_unit_test(chain_is_the_documented_one),
        cmocka_unit_test(kinds_have_words),
        cmocka_unit_test(codes_come_back),
        cmocka_unit_test(wrong_codes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
