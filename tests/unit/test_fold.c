/* The fold: what makes a table of a journal, and what it refuses. */
#include "tests.h"

#include "fixture_game.h"
#include "game/playout.h"
#include "games/eriantys/eriantys.h"
#include "games/renaissance/renaissance.h"
#include "games/santorini/santorini.h"
#include "host/table/dice.h"
#include "host/table/fold.h"
#include "journals.h"

static struct journal j;
static struct fold fold;

static const struct game *find_any(struct span name) {
    return span_is(name, fixture_game.name) ? &fixture_game : game_by_name(name);
}

static int begin(void **state) {
    (void)state;
    j.table = 99;
    fold_init(&fold, 99);
    fold.find = find_any;
    return 0;
}

static int end(void **state) {
    (void)state;
    fold_free(&fold);
    journal_free(&j);
    return 0;
}

/* The event before the last is taken for granted. */
static enum err take_last(void) {
    return fold_event(&fold, &j.events[j.count - 1]);
}

/* Takes back the last event of the journal, which the fold has refused. */
static void forget_last(void) {
    buf_clear(&j.bodies[--j.count]);
}

static void refuse_last(enum err right) {
    const uint64_t seq = fold.last_seq;
    assert_int_equal(take_last(), right);
    assert_int_equal(fold.last_seq, seq);
    forget_last();
}

static struct action some_action(unsigned seat) {
    struct rng rng;
    struct action action;
    rng_seed(&rng, fold.last_seq);
    fold.game->sample(fold.state, seat, &rng, &action);
    return action;
}

static void start(void) {
    journal_setup(&j, 1000);
    assert_int_equal(take_last(), ERR_OK);
    journal_seat(&j, 0, "ann", 1001);
    assert_int_equal(take_last(), ERR_OK);
    journal_seat(&j, 1, "bob", 1002);
    assert_int_equal(take_last(), ERR_OK);
}

static void play_to_the_end(void) {
    while (fold.game->turn(fold.state) != 0) {
        unsigned seat = (unsigned)__builtin_ctz(fold.game->turn(fold.state));
        struct action action = some_action(seat);
        journal_action(&j, seat, &action, 2000);
        assert_int_equal(take_last(), ERR_OK);
    }
}

static void whole_table_is_folded(void **state) {
    (void)state;
    struct event_result result;
    start();
    assert_string_equal(fold.game->name, "paper-soccer");
    assert_string_equal(fold.seats[0]->name, "ann");
    assert_string_equal(fold.seats[1]->name, "bob");
    assert_int_equal(fold.created_ms, 1000);
    assert_false(fold_is_over(&fold));
    play_to_the_end();
    assert_true(fold_is_over(&fold));
    assert_true(fold.plies > 5);
    fold_result(&fold, &result);
    assert_int_equal(result.outcome, OUTCOME_PLAYED);
    journal_result(&j, &result, 3000);
    assert_int_equal(take_last(), ERR_OK);
    assert_true(fold.is_finished);
    assert_int_equal(fold.result->points[0] + fold.result->points[1], 1);
    assert_int_equal(fold.last_ms, 3000);
    assert_int_equal(fold.last_seq, j.count);
}

static void broken_chains_are_refused(void **state) {
    (void)state;
    start();
    struct action action = some_action(0);
    journal_action(&j, 0, &action, 2000);
    struct event *event = &j.events[j.count - 1];
    event->time_ms++;
    assert_int_equal(take_last(), ERR_CHAIN);
    event->time_ms--;
    event->hash.bytes[5] ^= 1;
    assert_int_equal(take_last(), ERR_CHAIN);
    event->hash.bytes[5] ^= 1;
    event->seq++;
    event_chain(event, 99, &fold.last_hash);
    assert_int_equal(take_last(), ERR_CHAIN); /* a gap, even with the right hash */
    event->seq--;
    event_chain(event, 98, &fold.last_hash);
    assert_int_equal(take_last(), ERR_CHAIN); /* of another table */
    event_chain(event, 99, &fold.last_hash);
    assert_int_equal(take_last(), ERR_OK);
    assert_int_equal(take_last(), ERR_CHAIN); /* twice */
}

/* Older journals knew no partners, and tables that waited for players had winners. */
static void older_forfeits_are_read(void **state) {
    (void)state;
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .game = "eriantys",
                                .rules_version = eriantys_game.rules_version,
                                .options = {.seat_count = 4},
                                .protocol = "test"};
    struct event_result old = {
        .outcome = OUTCOME_FORFEITED, .seat_count = 4, .points = {1, 1, 0, 1}, .all_others_win = true};
    struct event_result right = {.outcome = OUTCOME_FORFEITED, .seat_count = 4, .points = {0, 1, 0, 1}};
    for (unsigned taken = 1; taken <= 4; taken += 3) {
        event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
        journal_chain(&j);
        assert_int_equal(take_last(), ERR_OK);
        for (unsigned seat = 0; seat < taken; seat++) {
            journal_seat(&j, seat, "somebody", 2);
            assert_int_equal(take_last(), ERR_OK);
        }
        journal_forfeit(&j, 2, 3);
        assert_int_equal(take_last(), ERR_OK);
        if (taken < 4) {
            journal_result(&j, &right, 4);
            refuse_last(ERR_RESULT_WRONG); /* that is not written any more */
        } else {
            old.all_others_win = false;
            journal_result(&j, &old, 4);
            refuse_last(ERR_RESULT_WRONG); /* the partner */
            right.all_others_win = true;
            journal_result(&j, &right, 4);
            refuse_last(ERR_RESULT_WRONG);
            right.all_others_win = false;
            old.all_others_win = true;
        }
        journal_result(&j, taken < 4 ? &old : &right, 4);
        assert_int_equal(take_last(), ERR_OK);
        end(NULL);
        begin(NULL);
    }
}

static void order_is_kept(void **state) {
    (void)state;
    struct event_result result = {.outcome = OUTCOME_UNDECIDED, .seat_count = 2};
    journal_seat(&j, 0, "ann", 1);
    refuse_last(ERR_EVENT_ORDER);
    start();
    journal_setup(&j, 1);
    refuse_last(ERR_EVENT_ORDER);
    journal_next(&j, (enum event_kind)(EVENT_CUP_CLOSE + 1), 1);
    journal_chain(&j);
    refuse_last(ERR_MALFORMED);
    journal_forfeit(&j, 1, 5);
    assert_int_equal(take_last(), ERR_OK);
    assert_true(fold_is_over(&fold));
    struct action action = some_action(0);
    journal_action(&j, 0, &action, 6);
    refuse_last(ERR_EVENT_ORDER);
    journal_forfeit(&j, 0, 6);
    refuse_last(ERR_EVENT_ORDER);
    journal_result(&j, &result, 7);
    refuse_last(ERR_RESULT_WRONG);
    fold_result(&fold, &result);
    assert_int_equal(result.outcome, OUTCOME_FORFEITED);
    assert_int_equal(result.points[0], 1);
    assert_int_equal(result.points[1], 0);
    journal_result(&j, &result, 7);
    assert_int_equal(take_last(), ERR_OK);
    journal_result(&j, &result, 8);
    refuse_last(ERR_EVENT_ORDER);
}

static void seats_change_hands_only_before_the_first_action(void **state) {
    (void)state;
    start();
    journal_seat(&j, 0, "cid", 1);
    assert_int_equal(take_last(), ERR_OK);
    assert_string_equal(fold.seats[0]->name, "cid");
    struct action action = some_action(0);
    journal_action(&j, 0, &action, 2);
    assert_int_equal(take_last(), ERR_OK);
    journal_seat(&j, 0, "ann", 3);
    refuse_last(ERR_EVENT_ORDER);
    assert_string_equal(fold.seats[0]->name, "cid");
}

static void rules_are_kept(void **state) {
    (void)state;
    start();
    struct action action = some_action(0);
    journal_action(&j, 1, &action, 1);
    refuse_last(ERR_NOT_YOUR_TURN);
    journal_action(&j, SEAT_CHANCE, &action, 1);
    refuse_last(ERR_NOT_YOUR_TURN);
    struct action nonsense = {.kind = 200};
    journal_action(&j, 0, &nonsense, 1);
    assert_int_not_equal(take_last(), ERR_OK);
    forget_last();
    /* All of an event or nothing: the second of these two is not this seat's any more. */
    struct action pair[2] = {action, action};
    const struct game_state *before = fold.state;
    event_action_write(journal_next(&j, EVENT_ACTION, 1), 0, pair, 2);
    journal_chain(&j);
    assert_int_not_equal(take_last(), ERR_OK);
    forget_last();
    assert_ptr_equal(fold.state, before);
    assert_int_equal(fold.plies, 0);
    journal_action(&j, 0, &action, 1);
    assert_int_equal(take_last(), ERR_OK);
    assert_int_equal(fold.plies, 1);
}

static void unknown_rules_are_refused(void **state) {
    (void)state;
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .game = "paper-soccer",
                                .rules_version = 77,
                                .options = {.seat_count = 2},
                                .protocol = "ugs"};
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
    refuse_last(ERR_RULES_UNKNOWN);
    setup.rules_version = 1;
    memcpy(setup.game, "chess", 6);
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
    refuse_last(ERR_RULES_UNKNOWN);
    memcpy(setup.game, "paper-soccer", 13);
    setup.options.seat_count = 3;
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
    refuse_last(ERR_SEAT_COUNT);
    assert_null(fold.game);
}

/* A game that still knows older rules goes on with tables that began by them. */
static void older_rules_are_kept(void **state) {
    (void)state;
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .game = "santorini",
                                .rules_version = SANTORINI_RULES_LED + 1,
                                .options = {.seat_count = 2},
                                .protocol = "santorini"};
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
    refuse_last(ERR_RULES_UNKNOWN);
    setup.rules_version = SANTORINI_RULES_FIRST;
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
    assert_int_equal(take_last(), ERR_OK);
    assert_int_equal(santorini_of(fold.state)->rules_version, SANTORINI_RULES_FIRST);
}

/* The next event, which nobody keeps: whole tables of Masters of Renaissance are long. */
static enum err take_next(enum event_kind kind, struct buf *body) {
    struct event event = {.seq = fold.last_seq + 1, .time_ms = 1, .kind = kind, .body = buf_span(body)};
    event_chain(&event, 99, fold.last_seq == 0 ? NULL : &fold.last_hash);
    enum err e = fold_event(&fold, &event);
    buf_free(body);
    return e;
}

/* A table for two by these rules, until its last round runs and both leave. */
static void play_and_leave(uint32_t rules_version) {
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .game = "renaissance",
                                .rules_version = rules_version,
                                .options = {.seat_count = 2},
                                .protocol = "renaissance"};
    struct buf body = {0};
    event_setup_write(&body, &setup);
    assert_int_equal(take_next(EVENT_SETUP, &body), ERR_OK);
    const struct renaissance *r = renaissance_of(fold.state);
    while (!r->is_ending || (r->phase != RENAISSANCE_BEFORE && r->phase != RENAISSANCE_AFTER)) {
        unsigned seat = (unsigned)__builtin_ctz(fold.game->turn(fold.state));
        struct action action = some_action(seat);
        event_action_write(&body, seat, &action, 1);
        assert_int_equal(take_next(seat == SEAT_CHANCE ? EVENT_CHANCE : EVENT_ACTION, &body), ERR_OK);
        r = renaissance_of(fold.state);
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        event_attendance_write(&body, &(struct event_attendance){.seat = seat, .attendance = SEAT_AWAY});
        assert_int_equal(take_next(EVENT_ATTENDANCE, &body), ERR_OK);
        if (fold_is_over(&fold))
            break;
    }
}

/* R38 of Masters of Renaissance: a last round that everybody had left was over. */
static void a_last_round_that_everybody_left_is_read_as_it_was(void **state) {
    struct event_result result;
    struct buf body = {0};
    play_and_leave(RENAISSANCE_RULES_FIRST);
    assert_true(fold_is_over(&fold));
    fold_result(&fold, &result);
    assert_int_equal(result.outcome, OUTCOME_PLAYED);
    event_result_write(&body, &result);
    assert_int_equal(take_next(EVENT_RESULT, &body), ERR_OK);
    assert_true(fold.is_finished);
    end(state);
    begin(state);
    play_and_leave(RENAISSANCE_RULES_WAITING);
    assert_false(fold_is_over(&fold));
    event_result_write(&body, &result);
    assert_int_equal(take_next(EVENT_RESULT, &body), ERR_RESULT_WRONG);
}

static void wrong_results_are_refused(void **state) {
    (void)state;
    struct event_result result, wrong;
    start();
    fold_result(&fold, &result);
    assert_int_equal(result.outcome, OUTCOME_UNDECIDED);
    play_to_the_end();
    fold_result(&fold, &result);
    wrong = result;
    wrong.points[0]++;
    journal_result(&j, &wrong, 1);
    refuse_last(ERR_RESULT_WRONG);
    wrong = result;
    wrong.outcome = OUTCOME_UNDECIDED;
    journal_result(&j, &wrong, 1);
    refuse_last(ERR_RESULT_WRONG);
    wrong.outcome = OUTCOME_FORFEITED;
    journal_result(&j, &wrong, 1);
    refuse_last(ERR_RESULT_WRONG);
    journal_result(&j, &result, 1);
    assert_int_equal(take_last(), ERR_OK);
}

/* A table with chance, played by the dice. */
static struct digest secret;

static void dice_setup_of(const char *protocol, bool has_given) {
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .has_given = has_given,
                                .game = "secret-bids",
                                .rules_version = 1,
                                .options = game_options_default(&fixture_game, 3)};
    memset(secret.bytes, 0x33, DIGEST_BYTES);
    assert_true(span_copy(span_of(protocol), setup.protocol, sizeof setup.protocol));
    dice_commit(&setup.commitment, 99, &secret);
    event_setup_write(journal_next(&j, EVENT_SETUP, 1), &setup);
    journal_chain(&j);
}

static void dice_setup(const char *protocol) {
    dice_setup_of(protocol, false);
}

static enum err take_last_with_dice(void) {
    enum err e = fold_check_dice(&fold, &j.events[j.count - 1], &secret);
    return e == ERR_OK ? take_last() : e;
}

static void draw_chance(void) {
    struct rng rng;
    struct action action;
    dice_draw(&rng, 99, &secret, &fold.dice, fold.last_seq + 1, "chance");
    fold.game->sample(fold.state, SEAT_CHANCE, &rng, &action);
    journal_action(&j, SEAT_CHANCE, &action, 2);
}

/* Some legal outcome that the dice did not give. */
static struct action other_outcome(const struct action *drawn) {
    struct action list[BIDS_CARD_MAX + 1];
    size_t count = fold.game->legal(fold.state, SEAT_CHANCE, list);
    for (size_t i = 0; i < count; i++)
        if (!action_equal(&list[i], drawn))
            return list[i];
    fail_msg("chance has no choice");
    return *drawn;
}

static void dice_are_checked(void **state) {
    (void)state;
    struct event_result result;
    unsigned draws = 0;
    dice_setup("ugs");
    assert_int_equal(take_last_with_dice(), ERR_OK);
    while (!fold_is_over(&fold)) {
        unsigned seat = (unsigned)__builtin_ctz(fold.game->turn(fold.state));
        if (seat == SEAT_CHANCE) {
            static struct event_action read;
            draws++;
            draw_chance();
            assert_int_equal(event_action_read(j.events[j.count - 1].body, &read), ERR_OK);
            forget_last();
            struct action cheat = other_outcome(&read.actions[0]);
            journal_action(&j, SEAT_CHANCE, &cheat, 2);
            assert_int_equal(take_last_with_dice(), ERR_DICE_WRONG);
            forget_last();
            event_given_write(journal_next(&j, EVENT_CHANCE, 2), &cheat, 1);
            journal_chain(&j);
            assert_int_equal(take_last_with_dice(), ERR_EVENT_ORDER); /* not an imported table */
            forget_last();
            draw_chance();
        } else {
            struct action action = some_action(seat);
            journal_action(&j, seat, &action, 2);
        }
        assert_int_equal(take_last_with_dice(), ERR_OK);
    }
    assert_true(draws >= 5);
    fold_result(&fold, &result);
    journal_result(&j, &result, 3);
    assert_int_equal(take_last_with_dice(), ERR_DICE_WRONG); /* without the secret */
    forget_last();
    result.secret = secret;
    journal_result(&j, &result, 3);
    assert_int_equal(take_last_with_dice(), ERR_OK);
}

static void wrong_secret_is_noticed(void **state) {
    (void)state;
    dice_setup("ugs");
    secret.bytes[0]++;
    assert_int_equal(take_last_with_dice(), ERR_DICE_WRONG);
}

static void imported_outcomes_are_believed(void **state) {
    (void)state;
    dice_setup("import");
    assert_int_equal(take_last_with_dice(), ERR_OK);
    static struct event_action read;
    draw_chance();
    assert_int_equal(event_action_read(j.events[j.count - 1].body, &read), ERR_OK);
    forget_last();
    struct action other = other_outcome(&read.actions[0]);
    event_given_write(journal_next(&j, EVENT_CHANCE, 2), &other, 1);
    journal_chain(&j);
    assert_int_equal(take_last_with_dice(), ERR_OK);
    /* What comes after the import is drawn, and checked. */
    draw_chance();
    assert_int_equal(take_last_with_dice(), ERR_OK);
}

/* A table that goes on from another may be given outcomes, but none any more when somebody has sat down. */
static void given_outcomes_end_with_the_first_player(void **state) {
    (void)state;
    static struct event_action read;
    dice_setup_of("api", true);
    assert_int_equal(take_last_with_dice(), ERR_OK);
    draw_chance();
    assert_int_equal(event_action_read(j.events[j.count - 1].body, &read), ERR_OK);
    forget_last();
    event_given_write(journal_next(&j, EVENT_CHANCE, 2), read.actions, 1);
    journal_chain(&j);
    assert_int_equal(take_last_with_dice(), ERR_OK);
    event_seat_write(journal_next(&j, EVENT_SEAT, 2), &(struct event_seat){.seat = 0, .name = "ann"});
    journal_chain(&j);
    assert_int_equal(take_last_with_dice(), ERR_OK);
    draw_chance();
    assert_int_equal(event_action_read(j.events[j.count - 1].body, &read), ERR_OK);
    forget_last();
    event_given_write(journal_next(&j, EVENT_CHANCE, 2), read.actions, 1);
    journal_chain(&j);
    assert_int_equal(take_last_with_dice(), ERR_EVENT_ORDER);
}

static void seat_event(unsigned seat) {
    struct event_seat body = {.seat = seat, .is_drawn = true, .name = "ann"};
    event_seat_write(journal_next(&j, EVENT_SEAT, 2), &body);
    journal_chain(&j);
}

static void drawn_seats_are_checked(void **state) {
    (void)state;
    unsigned joined[3];
    dice_setup("ugs");
    assert_int_equal(take_last_with_dice(), ERR_OK);
    dice_seats(99, &secret, &fold.dice, 2, 3, joined);
    for (int i = 0; i < 3; i++) {
        seat_event((joined[i] + 1) % 3);
        assert_int_equal(take_last_with_dice(), ERR_DICE_WRONG);
        forget_last();
        seat_event(joined[i]);
        assert_int_equal(take_last_with_dice(), ERR_OK);
    }
    seat_event(joined[0]);
    assert_int_equal(take_last_with_dice(), ERR_DICE_WRONG); /* one too many */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_table_is_folded, begin, end),
        cmocka_unit_test_setup_teardown(broken_chains_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(order_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(older_forfeits_are_read, begin, end),
        cmocka_unit_test_setup_teardown(seats_change_hands_only_before_the_first_action, begin, end),
        cmocka_unit_test_setup_teardown(rules_are_kept, begin, end),
        cmocka_unit_test_setup_teardown(unknown_rules_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(older_rules_are_kept, begin, end),
        cmocka_unit_test_setup_teardown(a_last_round_that_everybody_left_is_read_as_it_was, begin, end),
        cmocka_unit_test_setup_teardown(wrong_results_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(dice_are_checked, begin, end),
        cmocka_unit_test_setup_teardown(wrong_secret_is_noticed, begin, end),
        cmocka_unit_test_setup_teardown(imported_outcomes_are_believed, begin, end),
        cmocka_unit_test_setup_teardown(given_outcomes_end_with_the_first_player, begin, end),
        cmocka_unit_test_setup_teardown(drawn_seats_are_checked, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
