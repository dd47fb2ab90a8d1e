/* The seats of tables: drawn, free, taken, taken over, given up; what waits until all are taken; partners. */
#include "table_world.h"

#include "games/eriantys/eriantys.h"
#include "games/santorini/santorini.h"

static void seats_are_drawn_by_the_dice(void **unused) {
    (void)unused;
    int first[2] = {0, 0};
    for (int i = 0; i < 200; i++) {
        struct table *t = open_soccer(true);
        first[strcmp(table_name(t, 0), "ann") == 0]++;
        assert_string_not_equal(table_name(t, 0), table_name(t, 1));
        check_journal(t);
        table_close(t);
    }
    assert_in_range(first[0], 70, 130);
}

static void guests_sit_down_one_by_one(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    setup.note = SPAN("policy");
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "");
    struct digest token = {{7}};
    struct action north = pitch_action(NORTH);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .token = &token, .note = SPAN("first")};
    assert_int_equal(table_sit(t, &ann, &north, 1, 0), ERR_OK);
    assert_string_equal(table_name(t, 0), ""); /* not before it is on disk */
    assert_null(table_token(t, 0));
    struct table_guest bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_BUSY);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "ann");
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 1);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    check_journal(t);
    struct digest derived, again;
    table_derive(t, "test", 1, 2, &derived);
    restart(0);
    t = tables_find(tables, id);
    assert_string_equal(table_name(t, 0), "ann");
    assert_string_equal(table_name(t, 1), "bob");
    assert_true(digest_equal(table_token(t, 0), &token));
    assert_null(table_token(t, 1));
    assert_string_equal(table_note(t, 0), "first");
    assert_string_equal(table_note(t, 1), "");
    assert_string_equal(table_setup_note(t), "policy");
    table_derive(t, "test", 1, 2, &again);
    assert_true(digest_equal(&derived, &again));
    table_derive(t, "test", 2, 1, &again);
    assert_false(digest_equal(&derived, &again));
}

static void guests_are_refused_without_a_trace(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.names[1] = (struct span){0};
    setup.violation_loses = true;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    uint64_t version = table_version(t);
    char too_long[EVENT_NAME_BYTES_MAX + 1];
    memset(too_long, 'x', sizeof too_long);
    struct action east = pitch_action(EAST), nothing = {.kind = 99};
    const struct table_guest wrong[] = {
        {.seat = 2, .name = SPAN("cid")},
        {.seat = 1, .name = SPAN("")},
        {.seat = 1, .name = SPAN("\xff")},
        {.seat = 1, .name = {too_long, sizeof too_long}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(table_sit(t, &wrong[i], NULL, 0, 0), ERR_FIELD_INVALID);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann")}, bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    assert_int_not_equal(table_sit(t, &bob, &nothing, 1, 0), ERR_OK);
    assert_int_not_equal(table_sit(t, &bob, &east, 1, 0), ERR_OK); /* not its turn */
    store_drain(&disk.base);
    assert_int_equal(table_version(t), version);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_string_equal(table_name(t, 1), "");
}

static void waiting_seats_can_be_taken_over(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    struct digest token = {{7}};
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .token = &token, .note = SPAN("first")};
    struct table_guest bob = {.seat = 0, .name = SPAN("bob")};
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_SEAT_TAKEN);
    bob.takes_over = true;
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "bob");
    assert_null(table_token(t, 0));
    assert_string_equal(table_note(t, 0), "");
    check_journal(t);
    restart(0);
    t = tables_find(tables, id);
    assert_string_equal(table_name(t, 0), "bob");
    assert_false(table_has_begun(t));
    struct action north = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &north, 1, 0), ERR_OK);
    store_drain(&disk.base);
    assert_true(table_has_begun(t));
    ann.takes_over = true;
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    restart(0);
    t = tables_find(tables, id);
    assert_true(table_has_begun(t));
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    assert_string_equal(table_name(t, 0), "bob");
}

static void guests_can_get_up_until_a_seat_has_acted(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .note = SPAN("first")};
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    assert_int_equal(table_get_up(t, 0, 0), ERR_BUSY);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 2, 0), ERR_FIELD_INVALID);
    assert_int_equal(table_get_up(t, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "");
    assert_string_equal(table_note(t, 0), "");
    assert_int_equal(table_free_seats(t), 2);
    check_journal(t);
    restart(0);
    t = tables_find(tables, id);
    assert_int_equal(table_free_seats(t), 2);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    struct action north = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &north, 1, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID);
    assert_string_equal(table_name(t, 0), "ann");
}

static void chance_waits_for_the_seats_and_their_seeds(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&eriantys_game, 2);
    struct table_guest ann = {.name = SPAN("ann"), .seed = SPAN("s")}, bob = {.seat = 1, .name = SPAN("b")};
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_version(t), 2);
    restart(0);
    t = tables_find(tables, setup.id);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(eriantys_of(table_state(t))->phase, ERIANTYS_PLANNING);
    check_journal(t);
}

/* A table that waits for players: paper soccer with a clock, and ann alone. */
static struct table *open_for_ann(void) {
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.turn_timeout_ms = 5000;
    setup.violation_loses = true;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 0, .name = SPAN("ann")}, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    table_set_online(t, 0, true);
    return t;
}

static void expect_free(struct table *t) {
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_int_equal(table_free_seats(t), 2);
    assert_false(table_is_online(t, 0));
    check_journal(t);
}

static void a_table_that_waits_for_players_has_no_result(void **unused) {
    (void)unused;
    struct table *t = open_for_ann();
    assert_int_equal(table_forfeit(t, 1, REASON_LEFT), ERR_TABLE_WAITS); /* nobody sits there */
    assert_int_equal(table_forfeit(t, 0, REASON_VIOLATION), ERR_TABLE_WAITS);
    assert_int_equal(table_time_out(t), ERR_TABLE_WAITS);
    assert_int_equal(table_forfeit(t, 0, REASON_RESIGNED), ERR_OK);
    expect_free(t);
    t = open_for_ann();
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_OK);
    expect_free(t);
    t = open_for_ann();
    table_attend(t, 0, SEAT_RETIRED, 0);
    expect_free(t);
    t = open_for_ann();
    struct action wrong = pitch_action(NORTH);
    wrong.arg[0] = 99;
    assert_int_not_equal(table_act(t, 0, &wrong, 1, 0), ERR_OK); /* here that would lose */
    assert_false(table_is_busy(t));
}

static void the_clock_does_not_run_while_seats_are_free(void **unused) {
    (void)unused;
    struct table *t = open_for_ann();
    tables_advance(tables, 1000 * 1000);
    assert_false(table_is_busy(t));
    struct table_guest bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &bob, NULL, 0, 1000 * 1000), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 1, 1000 * 1000), ERR_OK); /* nobody has acted: he may */
    store_drain(&disk.base);
    tables_advance(tables, 2000 * 1000);
    assert_false(table_is_busy(t));
    assert_int_equal(table_sit(t, &bob, NULL, 0, 2000 * 1000), ERR_OK);
    store_drain(&disk.base);
    tables_advance(tables, 2005 * 1000);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER); /* ann has let it run out */
    int32_t points[SEATS_MAX];
    table_points(t, points);
    assert_int_equal(points[1] - points[0], 1);
    check_journal(t);
}

/* Players say things when they sit down: that does not keep others in their seats. */
static void a_guest_may_go_although_another_has_acted(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&santorini_game, 3);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    struct action born = santorini_action_born(2000, 1, 1);
    store_drain(&disk.base);
    uint64_t id = table_id(t);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 0, .name = SPAN("ann")}, &born, 1, 0),
                     ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 1, .name = SPAN("bob")}, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    restart(0);
    t = tables_find(tables, id);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID); /* what she said stands */
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_TABLE_WAITS);
    assert_int_equal(table_forfeit(t, 1, REASON_LEFT), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_free_seats(t), 2);
    check_journal(t);
}

static void partners_lose_together(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&eriantys_game, 4);
    setup.draws_seats = false;
    struct table *t = open_table(&setup);
    int32_t points[SEATS_MAX];
    store_drain(&disk.base);
    assert_int_equal(table_forfeit(t, 2, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    table_points(t, points);
    assert_memory_equal(points, ((int32_t[SEATS_MAX]){0, 1, 0, 1}), sizeof points);
    check_journal(t);
    setup.turn_timeout_ms = 1000;
    setup.id = tables_new_id(tables);
    t = open_table(&setup);
    store_drain(&disk.base);
    tables_advance(tables, 1000);
    store_drain(&disk.base);
    table_points(t, points);
    assert_memory_equal(points, ((int32_t[SEATS_MAX]){0, 1, 0, 1}), sizeof points); /* seat 0 was on turn */
    check_journal(t);
}

/* Who says the name of a seat is its player from the same address or with the secret, over a restart too. */
static void players_come_back_by_their_names(void **unused) {
    (void)unused;
    static const uint8_t here[4] = {10, 0, 0, 1}, there[4] = {10, 0, 0, 2};
    const struct address home = address_of_four(here), away = address_of_four(there), unknown = {{0}};
    struct digest token = {{7}};
    struct table_setup setup = setup_of(&eriantys_game, 4);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    store_drain(&disk.base);
    const struct table_guest guests[] = {
        {.seat = 0, .name = SPAN("ann"), .origin = home},
        {.seat = 1, .name = SPAN("bob"), .origin = home, .secret = SPAN("open sesame")},
        {.seat = 2, .name = SPAN("cid"), .token = &token, .origin = home},
        {.seat = 3, .name = SPAN("dan")},
    };
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(table_sit(t, &guests[i], NULL, 0, 0), ERR_OK);
        store_drain(&disk.base);
    }
    for (int run = 0; run < 2; run++) {
        assert_true(table_may_return(t, 0, &home, SPAN("")));
        assert_false(table_may_return(t, 0, &away, SPAN("")) || table_may_return(t, 0, &unknown, SPAN("")) ||
                     table_may_return(t, 0, &away, SPAN("open sesame")));
        assert_true(table_may_return(t, 1, &home, SPAN("")) &&
                    table_may_return(t, 1, &away, SPAN("open sesame")));
        assert_false(table_may_return(t, 1, &away, SPAN("open barley")));
        assert_false(table_may_return(t, 2, &home, SPAN("")) ||
                     table_may_return(t, 2, &home, SPAN("open sesame")));
        assert_true(table_may_return(t, 3, &away, SPAN(""))); /* nothing is known of dan */
        assert_true(table_is_claimable(t, 0) && !table_is_claimable(t, 2));
        table_set_online(t, 0, true);
        assert_false(table_is_claimable(t, 0));
        check_journal(t);
        restart(0);
        t = tables_find(tables, id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(seats_are_drawn_by_the_dice),
        TABLE_TEST(guests_sit_down_one_by_one),
        TABLE_TEST(players_come_back_by_their_names),
        TABLE_TEST(guests_are_refused_without_a_trace),
        TABLE_TEST(waiting_seats_can_be_taken_over),
        TABLE_TEST(guests_can_get_up_until_a_seat_has_acted),
        TABLE_TEST(chance_waits_for_the_seats_and_their_seeds),
        TABLE_TEST(a_table_that_waits_for_players_has_no_result),
        TABLE_TEST(the_clock_does_not_run_while_seats_are_free),
        TABLE_TEST(a_guest_may_go_although_another_has_acted),
        TABLE_TEST(partners_lose_together),
    };
    return cmocka_run_group_tests_name("table_seats", tests, NULL, NULL);
}
