/* What two gods make of each other where no rule says it: it follows from who is asked when. Seat 0 is on
 * turn first in every position. The rules of each god alone are in test_santorini_gods.c. */
#include "tests.h"

#include "game/stock.h"
#include "santorini.h"

#define TWO(builders, heights, first, second) board(builders, heights, GOD_##first, GOD_##second, GOD_NONE)

/* R23 with R22 and R49: the ban holds for every move of a turn. */
static void athena_bans_further_moves(void **unused) {
    (void)unused;
    const char *heights = "00000 01000 00000 01100 00000";
    struct santorini s = TWO("10 44 / 42 04", heights, ATHENA, ARTEMIS);
    play(&s, "move 1 11,build 1 10");
    assert_refused(&s, "move 1 31", ERR_MOVE_POWER);
    play(&s, "move 1 41");
    assert_refused(&s, "move 1 32", ERR_MOVE_POWER);
    s = TWO("10 44 / 42 04", heights, ATHENA, TRITON);
    play(&s, "move 1 11,build 1 10,move 1 41");
    assert_refused(&s, "move 1 32", ERR_MOVE_POWER);
    assert_allowed(&s, "move 1 40");
}

/* R46 with R23: who may not move up is not asked to. */
static void persephone_demands_nothing_that_athena_bans(void **unused) {
    (void)unused;
    const char *heights = "00000 01000 00010 00000 00000";
    struct santorini s = board("10 44 / 22 40 / 04 00", heights, GOD_ATHENA, GOD_PAN, GOD_PERSEPHONE);
    assert_refused(&s, "move 1 20", ERR_TURN_DEAD_END); /* she can go up herself, so she must */
    play(&s, "move 1 11,build 1 10");
    assert_refused(&s, "move 1 23", ERR_MOVE_POWER);
    play(&s, "move 1 21,build 1 22");
}

/* R46 with R27: a walk on the level cannot go up later. */
static void persephone_keeps_hermes_from_walking(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 04", "00000 00100 00000 00000 00000", HERMES, PERSEPHONE);
    assert_refused(&s, "move 1 10", ERR_TURN_DEAD_END);
    assert_refused(&s, "move 2 43", ERR_TURN_DEAD_END);
    assert_refused(&s, "build 1 01", ERR_BUILD_POWER);
    play(&s, "move 1 12,build 1 11");
    assert_turn_of(&s, 1);
}

/* R46 with R45: Morpheus need not build, but has to go up. */
static void persephone_lets_morpheus_end_after_a_climb(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 04", "00000 00100 00000 00000 00000", MORPHEUS, PERSEPHONE);
    assert_refused(&s, "move 1 10", ERR_TURN_DEAD_END);
    play(&s, "move 1 12");
    assert_allowed(&s, "end");
}

/* R46 with R18: what she demanded is void when she leaves. */
static void persephone_leaves(void **unused) {
    (void)unused;
    struct santorini s =
        board("11 44 / 40 04 / 20 24", "00000 00100 00000 00000 00000", GOD_PAN, GOD_PERSEPHONE, GOD_ATLAS);
    assert_refused(&s, "move 1 10", ERR_TURN_DEAD_END);
    assert_true(santorini_game.attend((struct game_state *)&s, 1, SEAT_RETIRED));
    assert_turn_of(&s, 0);
    assert_allowed(&s, "move 1 10");
}

/* R31 with R49: on his way Triton may be anywhere, at its end he is beside her. */
static void aphrodite_calls_triton_back(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 40 / 11 33", NULL, TRITON, APHRODITE);
    play(&s, "move 1 01,move 1 02,move 1 03");
    assert_refused(&s, "build 1 04", ERR_BUILD_POWER);
    assert_refused(&s, "move 1 13", ERR_TURN_DEAD_END); /* he would stop there */
    play(&s, "move 1 12,build 1 03");
    assert_turn_of(&s, 1);
}

/* R31 with R27: who did not move is where it was; who did comes back. */
static void aphrodite_calls_hermes_back(void **unused) {
    (void)unused;
    struct santorini s = TWO("12 40 / 11 33", NULL, HERMES, APHRODITE);
    assert_allowed(&s, "build 1 13");
    play(&s, "move 1 13");
    assert_refused(&s, "build 1 03", ERR_BUILD_POWER);
    assert_refused(&s, "build 2 41", ERR_BUILD_POWER); /* the other builder does not free it */
    play(&s, "move 1 12,build 2 41");
    assert_turn_of(&s, 1);
}

/* R31 with R28: beside her is beside where she stands then. */
static void aphrodite_is_pushed_on(void **unused) {
    (void)unused;
    struct santorini s = TWO("10 40 / 11 33", NULL, MINOTAUR, APHRODITE);
    assert_refused(&s, "move 1 30", ERR_MOVE_FAR);
    play(&s, "move 1 11");
    assert_at(&s, 1, 1, "12");
    play(&s, "build 1 10"); /* 11 is beside 12 */
    assert_turn_of(&s, 1);
}

/* R42 with R27: a builder that is held may build. */
static void hypnus_lets_hermes_build(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 04", "00000 01000 00000 00000 00000", HERMES, HYPNUS);
    assert_refused(&s, "move 1 10", ERR_MOVE_POWER);
    assert_allowed(&s, "build 1 10");
    play(&s, "move 2 43,build 1 10");
    assert_turn_of(&s, 1);
}

/* R42 with R35: who is held brings nobody across, because it has to move then. */
static void hypnus_holds_charon(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 43 / 12 42", "00000 01000 00000 00000 00000", CHARON, HYPNUS);
    assert_refused(&s, "force 1 12", ERR_STEP_POWER);
    assert_allowed(&s, "force 2 42");
}

/* R43 with R50 and R30: under himself and before the move are builds like others. */
static void limus_stops_zeus_and_prometheus(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 44 / 12 30", NULL, ZEUS, LIMUS);
    play(&s, "move 1 01");
    assert_refused(&s, "build 1 01", ERR_BUILD_POWER);
    play(&s, "build 1 00");
    s = TWO("00 44 / 12 30", NULL, PROMETHEUS, LIMUS);
    assert_refused(&s, "build 1 01", ERR_BUILD_POWER);
    play(&s, "build 1 10,move 1 01,build 1 00");
    assert_turn_of(&s, 1);
}

/* R43 with R48: her domes must complete a tower there. */
static void limus_and_selene(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 33 / 12 40", "00000 03000 00000 00000 00000", SELENE, LIMUS);
    play(&s, "move 2 34");
    assert_refused(&s, "dome 1 01", ERR_BUILD_POWER);
    assert_allowed(&s, "dome 1 10");
    play(&s, "dome 1 11");
    assert_turn_of(&s, 1);
}

/* R46 with R33: a turn on the level that would put Persephone out is no reason to demand that others go up.
 */
static void persephone_demands_no_climb_that_bia_does_not_have(void **unused) {
    (void)unused;
    const char *heights = "10102 01110 01110 0aa11 00110";
    struct santorini s = board("12 22 / 42 23 / 14 --", heights, GOD_BIA, GOD_HERMES, GOD_PERSEPHONE);
    struct santorini_steps steps;
    santorini_steps(&s, &steps);
    assert_int_equal(__builtin_popcount(steps.move[0]), 6);
    assert_int_equal(__builtin_popcount(steps.move[1]), 4);
    play(&s, "move 1 13"); /* she is out */
    assert_at(&s, 2, 1, "--");
    s = board("12 22 / 42 23 / 14 --", "10102 01110 01110 0aa21 00110", GOD_BIA, GOD_HERMES, GOD_PERSEPHONE);
    assert_refused(&s, "move 1 11", ERR_TURN_DEAD_END); /* 22 can go up to 33 */
    assert_allowed(&s, "move 2 33");
}

/* R43 with R38: the builder that is led is no opponent of its own Limus; that of a third player is. */
static void limus_lets_his_own_builder_be_led(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 30", "00300 00000 00000 00000 00000", DIONYSUS, LIMUS);
    struct santorini old = s;
    play(&s, "move 1 12,dome 1 02,borrow 22,move 3 21,build 3 31");
    assert_turn_of(&s, 1);
    old.rules_version = SANTORINI_RULES_FIRST;
    play(&old, "move 1 12,dome 1 02");
    assert_turn_of(&old, 1);
    s = board("11 44 / 22 30 / 32 00", "00300 00000 00000 00000 00000", GOD_DIONYSUS, GOD_LIMUS, GOD_PAN);
    play(&s, "move 1 12,dome 1 02,borrow 32,move 3 43");
    assert_refused(&s, "build 3 33", ERR_BUILD_POWER);
    assert_allowed(&s, "build 3 34");
}

/* R23 with R38: nor does Athena forbid her own builder to go up. */
static void athena_lets_her_own_builder_be_led_up(void **unused) {
    (void)unused;
    const char *heights = "00300 00000 01000 00010 00000";
    struct santorini s = board("40 44 / 11 42 / 20 24", heights, GOD_ATHENA, GOD_DIONYSUS, GOD_PAN);
    play(&s, "move 1 31,build 1 41,move 1 12,dome 1 02,borrow 31");
    assert_allowed(&s, "move 3 21"); /* she did not go up */
    s = board("20 44 / 11 42 / 22 24", heights, GOD_ATHENA, GOD_DIONYSUS, GOD_PAN);
    play(&s, "move 1 21,build 1 31,move 1 12,dome 1 02,borrow 44");
    assert_allowed(&s, "move 3 33");
    s = board("20 44 / 11 42 / 22 24", heights, GOD_ATHENA, GOD_DIONYSUS, GOD_PAN);
    play(&s, "move 1 21,build 1 31,move 1 12,dome 1 02,borrow 22");
    assert_refused(&s, "move 3 33", ERR_MOVE_POWER); /* Pan's builder is an opponent of hers */
}

/* R46 with R38: nor does Persephone demand that her own builder goes up. */
static void persephone_lets_her_own_builder_be_led(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 40", "00300 00000 00000 00100 00000", DIONYSUS, PERSEPHONE);
    play(&s, "move 1 12,dome 1 02,borrow 22");
    assert_allowed(&s, "move 3 21");
    assert_allowed(&s, "move 3 32");
}

/* R22: what the other builder is shown while one is bound lacks the cell where that one began, too. */
static void artemis_shows_the_other_builder_no_way_back(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 00 / 44 40", NULL, ARTEMIS, PAN);
    cell_set move, block, dome;
    play(&s, "move 1 12");
    santorini_idle_steps(&s, 1, &move, &block, &dome);
    assert_int_equal(move, CELL_BIT(cell_of("01")) | CELL_BIT(cell_of("10")));
    assert_true(block & CELL_BIT(cell_of("11")));
}

/* R40 with R49: a climb to the perimeter is a move like others, so Triton goes on. */
static void hera_lets_triton_go_on(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 30", "03000 02300 00000 00000 00000", TRITON, HERA);
    play(&s, "move 1 01");
    assert_turn_of(&s, 0);
    assert_allowed(&s, "build 1 00");
    play(&s, "move 1 12"); /* from the third level to the third: no win (R8) */
    assert_turn_of(&s, 0);
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
}

/* R37 with R36: the fifth tower is hers while she has his power, whoever builds it. */
static void circe_counts_the_towers_of_chronus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 40", "44440 00000 00030 00000 00000", CIRCE, CHRONUS);
    play(&s, "move 1 12,dome 1 23");
    assert_won(&s, 0, SANTORINI_BY_POWER);
    s = TWO("11 44 / 22 40", "44440 00000 00030 00000 00000", CIRCE, CHRONUS);
    play(&s, "move 1 10,build 1 11,move 1 12,dome 1 23");
    assert_won(&s, 0, SANTORINI_BY_POWER);
}

/* R37 with R34: she has the power that was drawn, and the next one, too. */
static void circe_has_what_chaos_draws(void **unused) {
    (void)unused;
    struct santorini_position p = {
        .heights = "00000 00000 00000 00000 00000",
        .seat_count = 2,
        .god = {GOD_CIRCE, GOD_CHAOS},
        .builder = {{cell_of("11"), cell_of("44")}, {cell_of("22"), cell_of("40")}}};
    struct santorini s;
    assert_true(santorini_set_position(&s, &p));
    s.chaos_power = GOD_ATLAS;
    s.chaos_deck = 1u << GOD_ARTEMIS | 1u << GOD_PAN;
    assert_int_equal(santorini_power(&s, 0), GOD_ATLAS);
    assert_int_equal(santorini_power(&s, 1), GOD_NONE);
    play(&s, "move 1 12,dome 1 02,draw Artemis");
    assert_int_equal(santorini_power(&s, 0), GOD_ARTEMIS);
    play(&s, "move 1 32");
    assert_refused(&s, "move 1 33", ERR_MOVE_LATE); /* one move: the power is hers */
}

/* Random games have short ways that depend on who has which god: they end as those without do. Chaos is not
 * among them, who needs a deck; he is in the contract tests. */
static void every_two_gods_play_out_as_by_single_steps(void **unused) {
    (void)unused;
    for (unsigned first = GOD_NONE; first < GOD_COUNT; first++)
        for (unsigned second = GOD_NONE; second < GOD_COUNT; second++) {
            if (first == GOD_CHAOS || second == GOD_CHAOS)
                continue;
            struct santorini short_way = board("11 33 / 13 31", NULL, (enum santorini_god)first,
                                               (enum santorini_god)second, GOD_NONE),
                             long_way = short_way;
            struct rng short_rng, long_rng;
            rng_seed(&short_rng, first * GOD_COUNT + second);
            long_rng = short_rng;
            size_t plies =
                santorini_game.playout(&santorini_game, (struct game_state *)&short_way, &short_rng);
            assert_int_equal(plies,
                             stock_playout(&santorini_game, (struct game_state *)&long_way, &long_rng));
            assert_memory_equal(&short_way, &long_way, sizeof long_way);
            assert_memory_equal(&short_rng, &long_rng, sizeof long_rng);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_two_gods_play_out_as_by_single_steps),
        cmocka_unit_test(athena_bans_further_moves),
        cmocka_unit_test(persephone_demands_nothing_that_athena_bans),
        cmocka_unit_test(persephone_keeps_hermes_from_walking),
        cmocka_unit_test(persephone_lets_morpheus_end_after_a_climb),
        cmocka_unit_test(persephone_leaves),
        cmocka_unit_test(aphrodite_calls_triton_back),
        cmocka_unit_test(aphrodite_calls_hermes_back),
        cmocka_unit_test(aphrodite_is_pushed_on),
        cmocka_unit_test(hypnus_lets_hermes_build),
        cmocka_unit_test(hypnus_holds_charon),
        cmocka_unit_test(limus_stops_zeus_and_prometheus),
        cmocka_unit_test(limus_and_selene),
        cmocka_unit_test(persephone_demands_no_climb_that_bia_does_not_have),
        cmocka_unit_test(limus_lets_his_own_builder_be_led),
        cmocka_unit_test(athena_lets_her_own_builder_be_led_up),
        cmocka_unit_test(persephone_lets_her_own_builder_be_led),
        cmocka_unit_test(artemis_shows_the_other_builder_no_way_back),
        cmocka_unit_test(hera_lets_triton_go_on),
        cmocka_unit_test(circe_counts_the_towers_of_chronus),
        cmocka_unit_test(circe_has_what_chaos_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
