/* Clocks of tables on a clock of the test's own, and what the journal keeps of every way to lose a seat. */
#include "table_world.h"

#include "base/receipt.h"
#include "base/timers.h"

enum { GAME_MS = 10000, MORE_MS = 500 };

static struct event_forfeit loss;
static enum event_kind loss_kind;

static bool loss_find(void *context, uint64_t table, const struct event *event) {
    (void)context;
    (void)table;
    if (event->kind == EVENT_FORFEIT || event->kind == EVENT_TIMEOUT) {
        assert_int_equal(event_forfeit_read(event->body, &loss), ERR_OK);
        loss_kind = event->kind;
    }
    return true;
}

/* The journal folds, and has a loss of this kind. */
static void loss_read(const struct table *t, enum event_kind kind) {
    check_journal(t);
    assert_int_equal(store_read(&disk.base, table_id(t), 1, loss_find, NULL), ERR_OK);
    assert_int_equal(loss_kind, kind);
}

static void loss_is(const struct table *t, enum event_kind kind, const char *rule, const char *why) {
    loss_read(t, kind);
    assert_string_equal(loss.rule, rule);
    assert_string_equal(loss.why, why);
    assert_true(loss.has_stamps);
}

static void stamps_are(int64_t asked_ms, int64_t heard_ms, uint32_t used_ms, uint32_t allowed_ms) {
    assert_int_equal(loss.stamps.asked_ms, asked_ms);
    assert_int_equal(loss.stamps.heard_ms, heard_ms);
    assert_int_equal(loss.stamps.used_ms, used_ms);
    assert_int_equal(loss.stamps.allowed_ms, allowed_ms);
}

static struct table *open_game_clock(uint32_t increment_ms) {
    struct table *t = open_soccer(false);
    table_set_game_clock(t, GAME_MS, increment_ms, 0);
    return t;
}

/* A seat acts at this time, and it is on disk a while later. */
static void act_at(struct table *t, unsigned seat, enum direction d, uint64_t at_ms, uint64_t saved_ms) {
    struct action action = pitch_action(d);
    assert_int_equal(table_act(t, seat, &action, 1, at_ms), ERR_OK);
    tables_advance(tables, saved_ms);
    store_drain(&disk.base);
}

static void a_turn_that_takes_too_long_is_lost_with_its_stamps(void **unused) {
    (void)unused;
    struct table *t = open_soccer(false);
    table_set_clock(t, 5000, 0);
    act_at(t, 0, NORTH, 1000, 1000);
    wall_ms += 6000;
    tables_advance(tables, 5999);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    tables_advance(tables, 6000);
    store_drain(&disk.base);
    loss_is(t, EVENT_TIMEOUT, "clocks C1", "no action within 5 s");
    assert_int_equal(loss.seat, 1);
    stamps_are(1000000, 1006000, 5000, 5000);
}

static void the_time_for_the_game_is_used_turn_by_turn(void **unused) {
    (void)unused;
    struct table *t = open_game_clock(0);
    act_at(t, 0, NORTH, 3000, 3400); /* a slow disk is nobody's fault */
    assert_int_equal(table_left_ms(t, 0), GAME_MS - 3000);
    assert_int_equal(table_left_ms(t, 1), GAME_MS);
    act_at(t, 1, NORTH, 4400, 4400);
    assert_int_equal(table_left_ms(t, 1), GAME_MS - 1000);
    tables_advance(tables, 4400 + 6999);
    assert_int_equal(table_left_ms(t, 0), 1);
    assert_false(table_is_busy(t));
    tables_advance(tables, 4400 + 7000);
    store_drain(&disk.base);
    loss_is(t, EVENT_TIMEOUT, "clocks C2", "the time for the whole game is used up");
    assert_int_equal(loss.seat, 0);
    assert_int_equal(loss.stamps.used_ms, 7000);
    assert_int_equal(loss.stamps.allowed_ms, 7000);
}

static void each_turn_gives_some_time_back(void **unused) {
    (void)unused;
    struct table *t = open_game_clock(MORE_MS);
    act_at(t, 0, NORTH, 3000, 3000);
    assert_int_equal(table_left_ms(t, 0), GAME_MS - 3000 + MORE_MS);
    act_at(t, 1, NORTH, 3100, 3100);
    assert_int_equal(table_left_ms(t, 1), GAME_MS - 100 + MORE_MS);
}

/* What was used stands in the journal, so it is the same after a restart, and the outage is not charged. */
static void the_time_that_is_used_outlives_a_restart(void **unused) {
    (void)unused;
    struct table *t = open_game_clock(MORE_MS);
    uint64_t id = table_id(t);
    act_at(t, 0, NORTH, 3000, 3000);
    wall_ms += 2000; /* of the other seat */
    tables_beat(tables);
    wall_ms += 3600000;
    restart(50);
    t = tables_find(tables, id);
    table_set_game_clock(t, GAME_MS, MORE_MS, 50);
    assert_int_equal(table_left_ms(t, 0), GAME_MS - 3000 + MORE_MS);
    assert_int_equal(table_left_ms(t, 1), GAME_MS - 2000);
    assert_true(tables_next_ms(tables) == 50 + GAME_MS - 2000);
    check_journal(t);
}

static void the_first_of_two_clocks_strikes(void **unused) {
    (void)unused;
    struct table *t = open_game_clock(0);
    table_set_clock(t, 4000, 0);
    assert_true(tables_next_ms(tables) == 4000);
    act_at(t, 0, NORTH, 3900, 3900);
    act_at(t, 1, NORTH, 3900, 3900);
    act_at(t, 0, NORTH, 7700, 7700);
    act_at(t, 1, NORTH, 7700, 7700);
    assert_true(tables_next_ms(tables) == 7700 + 2300); /* of ten seconds 7.7 are gone */
}

static uint32_t waited(const void *context) {
    return *(const uint32_t *)context;
}

/* Bytes that lay in the kernel while the loop was busy were sent in time. */
static void what_the_server_delays_is_not_charged(void **unused) {
    (void)unused;
    const uint32_t waited_ms = 700;
    struct table *t = open_game_clock(0);
    receipt_begin(waited, &waited_ms);
    act_at(t, 0, NORTH, 3000, 3000);
    receipt_end();
    assert_int_equal(table_left_ms(t, 0), GAME_MS - 2300);
    receipt_begin(waited, &waited_ms);
    act_at(t, 1, NORTH, 3100, 3100); /* sent before it was asked: nothing is used, and nothing is won */
    receipt_end();
    assert_int_equal(table_left_ms(t, 1), GAME_MS);
}

/* How long our own bots take is told: while they wait for a thread no clock runs. */
static void seats_whose_time_is_told_are_never_struck(void **unused) {
    (void)unused;
    struct table *t = open_game_clock(0);
    struct action action = pitch_action(NORTH);
    table_set_clock(t, 4000, 0);
    table_set_told(t, SEAT_BIT(0), 0);
    assert_true(tables_next_ms(tables) == TIMERS_NEVER);
    tables_advance(tables, 3600000);
    struct table_turn turn = {.actions = &action, .count = 1, .has_used = true, .used_ms = 40};
    assert_int_equal(table_act_turn(t, 0, &turn, 3600000), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_left_ms(t, 0), GAME_MS - 40 < 4000 ? GAME_MS - 40 : 4000);
    assert_int_equal(t->fold.used_ms[0], 40);
    assert_true(tables_next_ms(tables) == 3600000 + 4000); /* of who is next */
}

static void every_way_to_lose_a_seat_is_explained(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    wall_ms += 30;
    tables_advance(tables, 30);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    wall_ms += 40;
    struct action back = pitch_action(SOUTH);
    const struct table_turn turn = {.actions = &back, .count = 1, .sent = SPAN("<move>S</move>")};
    assert_int_equal(table_act_turn(t, 1, &turn, 70), ERR_STEP_USED);
    store_drain(&disk.base);
    loss_is(t, EVENT_FORFEIT, "paper-soccer R4", "there is already a line between these points");
    assert_string_equal(loss.sent, "<move>S</move>");
    stamps_are(1000030, 1000070, 70, 0);

    t = open_soccer(false);
    assert_int_equal(table_forfeit(t, 1, REASON_RESIGNED), ERR_OK); /* no clock has a part in it */
    store_drain(&disk.base);
    loss_read(t, EVENT_FORFEIT);
    assert_false(loss.has_stamps);

    t = open_soccer(false);
    table_retire(t, 0, &(struct table_cause){.words = TABLE_WORDS_AWAY}, 100);
    store_drain(&disk.base);
    loss_is(t, EVENT_FORFEIT, "", TABLE_WORDS_AWAY);
    assert_int_equal(loss.reason, REASON_LEFT);

    t = open_soccer(false);
    const struct table_cause cause = {
        .words = "no move within 30 s", .rule = "clocks C1", .allowed_ms = 30000};
    assert_int_equal(table_time_out_why(t, 0, &cause), ERR_OK);
    store_drain(&disk.base);
    loss_is(t, EVENT_TIMEOUT, "clocks C1", "no move within 30 s");
    assert_int_equal(loss.stamps.allowed_ms, 30000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(a_turn_that_takes_too_long_is_lost_with_its_stamps),
        TABLE_TEST(the_time_for_the_game_is_used_turn_by_turn),
        TABLE_TEST(each_turn_gives_some_time_back),
        TABLE_TEST(the_time_that_is_used_outlives_a_restart),
        TABLE_TEST(the_first_of_two_clocks_strikes),
        TABLE_TEST(what_the_server_delays_is_not_charged),
        TABLE_TEST(seats_whose_time_is_told_are_never_struck),
        TABLE_TEST(every_way_to_lose_a_seat_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
