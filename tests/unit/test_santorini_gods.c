/* What the gods do, rule by rule. Seat 0 is on turn first in every position. */
#include "tests.h"

#include "santorini.h"

#define TWO(builders, heights, first, second) board(builders, heights, GOD_##first, GOD_##second, GOD_NONE)

/* R21 */
static void apollo(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 12 40", "00000 00100 00000 00000 00000", APOLLO, PAN);
    assert_allowed(&s, "move 1 12");
    play(&s, "move 1 12");
    assert_at(&s, 0, 1, "12");
    assert_at(&s, 1, 1, "11");
    assert_refused(&s, "build 1 11", ERR_BUILD_OCCUPIED); /* the cell that was left is not free */
    /* Never an own builder, and one level at most. */
    s = TWO("11 12 / 01 40", "02000 00000 00000 00000 00000", APOLLO, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    assert_refused(&s, "move 1 01", ERR_MOVE_HIGH);
    /* The other one may land on any level, even the third, and wins nothing; so do none of the others. */
    s = TWO("11 44 / 12 40", "00000 03000 00000 00000 00000", APOLLO, PAN);
    play(&s, "move 1 12, build 1 02");
    assert_at(&s, 1, 1, "11");
    assert_turn_of(&s, 1);
    /* Climbing by a swap wins. */
    s = TWO("11 44 / 12 40", "00000 02300 00000 00000 00000", APOLLO, PAN);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
}

/* R21 with R9: a swap that leaves nothing to build on is not legal. */
static void apollo_must_still_build(void **unused) {
    (void)unused;
    struct santorini s = TWO("01 44 / 00 40", "00000 44000 00000 00000 00000", APOLLO, PAN);
    assert_refused(&s, "move 1 00", ERR_TURN_DEAD_END);
    assert_allowed(&s, "move 1 02");
}

/* R22 */
static void artemis(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 13 40", NULL, ARTEMIS, PAN);
    play(&s, "move 1 12");
    assert_refused(&s, "end", ERR_TURN_OPEN);
    assert_refused(&s, "move 1 11", ERR_MOVE_POWER); /* not back */
    assert_refused(&s, "move 2 43", ERR_BUILDER_OTHER);
    play(&s, "move 1 22");
    assert_refused(&s, "move 1 23", ERR_MOVE_LATE);
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
    /* One move is enough. */
    s = TWO("11 44 / 13 40", NULL, ARTEMIS, PAN);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 1);
    /* Each move by one level, and either wins. */
    s = TWO("11 44 / 40 42", "00000 01230 00000 00000 00000", ARTEMIS, PAN);
    assert_refused(&s, "move 1 13", ERR_MOVE_FAR);
    play(&s, "move 1 12, move 1 13");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
    s = TWO("12 44 / 40 42", "00000 01230 00000 00000 00000", ARTEMIS, PAN);
    play(&s, "move 1 13");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
}

/* R23 */
static void athena(void **unused) {
    (void)unused;
    const char *heights = "00000 01000 00000 00010 00000";
    struct santorini s = TWO("10 44 / 32 40", heights, ATHENA, PAN);
    play(&s, "move 1 11, build 1 10");
    assert_refused(&s, "move 1 33", ERR_MOVE_POWER);
    play(&s, "move 1 31, build 1 32");
    /* Until her next turn: she does not move up now. */
    play(&s, "move 2 34, build 2 44");
    assert_allowed(&s, "move 1 32");
    /* Winning climbs are banned too. */
    s = TWO("10 44 / 32 40", "00000 01000 00000 00230 00000", ATHENA, PAN);
    play(&s, "move 1 11, build 1 10");
    assert_refused(&s, "move 1 33", ERR_MOVE_POWER);
}

/* R23: both opponents, and no longer than she is in (R16). */
static void athena_at_a_table_of_three(void **unused) {
    (void)unused;
    const char *heights = "00000 01000 00000 01010 00000";
    struct santorini s = board("10 44 / 32 40 / 42 04", heights, GOD_ATHENA, GOD_PAN, GOD_ATLAS);
    play(&s, "move 1 11, build 1 10");
    assert_refused(&s, "move 1 33", ERR_MOVE_POWER);
    play(&s, "move 1 22, build 1 23");
    assert_refused(&s, "move 1 33", ERR_MOVE_POWER);
    assert_true(santorini_game.attend((struct game_state *)&s, 0, SEAT_RETIRED));
    assert_turn_of(&s, 2);
    assert_allowed(&s, "move 1 33");
}

/* R23 with R13: neither a forced way up arms her, nor is it banned. */
static void athena_and_forced_ways(void **unused) {
    (void)unused;
    /* The Minotaur pushes Athena up; her next turn is on the level. */
    struct santorini s = TWO("10 44 / 11 40", "00000 00100 00001 00000 00000", MINOTAUR, ATHENA);
    play(&s, "move 1 11, build 1 21");
    assert_at(&s, 1, 1, "12");
    play(&s, "move 2 41, build 2 40");
    assert_allowed(&s, "move 1 21"); /* up */
    /* Athena went up; who is pushed up by the Minotaur minds no ban. */
    s = board("00 44 / 31 40 / 32 04", "00000 10000 00000 00010 00000", GOD_ATHENA, GOD_MINOTAUR, GOD_PAN);
    play(&s, "move 1 10, build 1 00");
    play(&s, "move 1 32, build 1 31");
    assert_at(&s, 2, 1, "33");
}

/* R23 with R10: who has no move left because of the ban has lost. */
static void athena_wins_against_a_walled_in_player(void **unused) {
    (void)unused;
    struct santorini s = TWO("22 30 / 44 --", "00000 00000 00000 00111 00010", ATHENA, PAN);
    play(&s, "move 1 33, build 1 22");
    assert_won(&s, 0, SANTORINI_BY_LAST);
}

/* R24 */
static void atlas(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00030 00000 00000 00000 00000", ATLAS, PAN);
    play(&s, "move 1 12");
    assert_allowed(&s, "dome 1 22");
    assert_allowed(&s, "build 1 22");
    assert_refused(&s, "build 1 03", ERR_BUILD_HIGH);
    play(&s, "dome 1 22");
    assert_true(santorini_has_dome(&s, cell_of("22")));
    assert_int_equal(santorini_height(&s, cell_of("22")), 0);
    assert_int_equal(santorini_towers(&s), 0); /* low domes are no towers */
    assert_turn_of(&s, 1);
    /* Nobody else may. */
    play(&s, "move 1 30");
    assert_refused(&s, "dome 1 31", ERR_DOME_LOW);
}

/* R25 */
static void demeter(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00030 00000 00000 00000 00000", DEMETER, PAN);
    play(&s, "move 1 12, build 1 22");
    assert_turn_of(&s, 0);
    assert_refused(&s, "build 1 22", ERR_BUILD_POWER);
    assert_refused(&s, "build 2 43", ERR_BUILDER_OTHER);
    assert_refused(&s, "move 1 11", ERR_MOVE_LATE);
    assert_allowed(&s, "end");
    play(&s, "dome 1 03"); /* the second may be a dome */
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 40 42", NULL, DEMETER, PAN);
    play(&s, "move 1 12, build 1 22, end");
    assert_turn_of(&s, 1);
}

/* R26 */
static void hephaestus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00230 00000 00000 00000 00000", HEPHAESTUS, PAN);
    play(&s, "move 1 12, build 1 22");
    assert_turn_of(&s, 0);
    assert_refused(&s, "build 1 21", ERR_BUILD_POWER);
    play(&s, "build 1 22");
    assert_int_equal(santorini_height(&s, cell_of("22")), 2);
    assert_turn_of(&s, 1);
    /* Neither a dome on top of the third block nor anything on a dome: the turn ends by itself. */
    s = TWO("11 44 / 40 42", "00230 00000 00000 00000 00000", HEPHAESTUS, PAN);
    play(&s, "move 1 12, build 1 02");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 40 42", "00230 00000 00000 00000 00000", HEPHAESTUS, PAN);
    play(&s, "move 1 12, dome 1 03");
    assert_turn_of(&s, 1);
}

/* R27 */
static void hermes(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00000 00100 00000 00000 00000", HERMES, PAN);
    play(&s, "build 2 43"); /* nobody moved */
    assert_turn_of(&s, 1);
    /* Both walk in any order, and the one that did not walk last builds. */
    s = TWO("11 44 / 40 42", "00000 00100 00000 00000 00000", HERMES, PAN);
    play(&s, "move 1 21, move 2 34, move 1 22, move 2 44, move 1 21");
    assert_refused(&s, "move 1 12", ERR_MOVE_POWER); /* not to another level now */
    assert_refused(&s, "end", ERR_TURN_OPEN);
    play(&s, "build 2 43");
    assert_turn_of(&s, 1);
    /* A first move to another level makes an ordinary turn. */
    s = TWO("11 44 / 40 42", "00000 00100 00000 00000 00000", HERMES, PAN);
    play(&s, "move 1 12");
    assert_refused(&s, "move 1 13", ERR_MOVE_LATE);
    assert_refused(&s, "move 2 43", ERR_MOVE_LATE);
    assert_refused(&s, "build 2 43", ERR_BUILDER_OTHER);
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
}

/* R20 */
static void walks_come_to_an_end(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", NULL, HERMES, PAN);
    for (unsigned i = 0; i < SANTORINI_MOVES_MAX; i++)
        play(&s, i & 1 ? "move 1 11" : "move 1 12");
    assert_refused(&s, "move 1 12", ERR_MOVE_LATE);
    play(&s, "build 1 12");
    assert_turn_of(&s, 1);
}

/* R20 with R43: a walk is legal only as far as a place to build is still within reach. */
static void hermes_beside_limus(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 -- / 11 31", "00000 00000 00000 22222 00000", HERMES, LIMUS);
    assert_refused(&s, "build 1 01", ERR_BUILD_POWER); /* everything around is beside Limus */
    play(&s, "move 1 01");
    assert_refused(&s, "build 1 02", ERR_BUILD_POWER);
    play(&s, "move 1 02, move 1 03, build 1 04");
    assert_turn_of(&s, 1);
}

/* R28 */
static void minotaur(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 12 40", "00000 00030 00000 00000 00000", MINOTAUR, PAN);
    play(&s, "move 1 12"); /* at any level, and that wins nothing */
    assert_at(&s, 1, 1, "13");
    assert_turn_of(&s, 0);
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
    /* The edge, a dome, a builder of anybody behind; own builders; the level rule. */
    s = TWO("01 44 / 00 40", NULL, MINOTAUR, PAN);
    assert_refused(&s, "move 1 00", ERR_MOVE_OCCUPIED);
    s = TWO("11 44 / 12 40", "00000 000a0 00000 00000 00000", MINOTAUR, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    s = TWO("11 13 / 12 40", NULL, MINOTAUR, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    s = TWO("11 44 / 12 13", NULL, MINOTAUR, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    s = TWO("11 12 / 40 43", NULL, MINOTAUR, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    s = TWO("11 44 / 12 40", "00000 00200 00000 00000 00000", MINOTAUR, PAN);
    assert_refused(&s, "move 1 12", ERR_MOVE_HIGH);
}

/* R29 */
static void pan(void **unused) {
    (void)unused;
    static const char *const falls[] = {"00000 03100 00000 00000 00000", "00000 03000 00000 00000 00000",
                                        "00000 02000 00000 00000 00000"};
    for (unsigned i = 0; i < 3; i++) {
        struct santorini s = TWO("11 44 / 40 42", falls[i], PAN, ATLAS);
        play(&s, "move 1 12");
        assert_won(&s, 0, SANTORINI_BY_POWER);
        s = TWO("11 44 / 40 42", falls[i], ATLAS, PAN);
        play(&s, "move 1 12");
        assert_turn_of(&s, 0);
    }
    struct santorini s = TWO("11 44 / 40 42", "00000 03200 00000 00000 00000", PAN, ATLAS);
    play(&s, "move 1 12");
    assert_turn_of(&s, 0); /* one level is not enough */
    /* To be pushed down is nothing. */
    s = TWO("11 44 / 12 40", "00000 02200 00000 00000 00000", MINOTAUR, PAN);
    play(&s, "move 1 12, build 1 22");
    assert_at(&s, 1, 1, "13");
    assert_turn_of(&s, 1);
}

/* R30 */
static void prometheus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00000 00100 00000 00000 00000", PROMETHEUS, PAN);
    assert_allowed(&s, "move 1 12");
    play(&s, "build 1 21");
    assert_refused(&s, "move 1 12", ERR_MOVE_POWER); /* not up any more */
    assert_refused(&s, "move 1 21", ERR_MOVE_POWER);
    assert_refused(&s, "move 2 43", ERR_BUILDER_OTHER);
    assert_refused(&s, "build 1 01", ERR_BUILD_EARLY);
    assert_refused(&s, "end", ERR_TURN_OPEN);
    play(&s, "move 1 01, build 1 00");
    assert_turn_of(&s, 1);
    /* What was built may be entered when it is not higher. */
    s = TWO("11 44 / 40 42", "00000 01000 00000 00000 00000", PROMETHEUS, PAN);
    play(&s, "build 1 21, move 1 21, build 1 11");
    assert_turn_of(&s, 1);
    /* Climbing without the first build. */
    s = TWO("11 44 / 40 42", "00000 00100 00000 00000 00000", PROMETHEUS, PAN);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 1);
}

/* R30 with R9: who builds himself in has no turn. */
static void prometheus_does_not_build_himself_in(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 44 / 40 42", "02000 22000 00000 00000 00000", PROMETHEUS, PAN);
    assert_refused(&s, "build 1 01", ERR_TURN_DEAD_END);
    assert_allowed(&s, "build 2 34");
}

/* R31 */
static void aphrodite(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 40", NULL, PAN, APHRODITE);
    assert_refused(&s, "move 1 00", ERR_TURN_DEAD_END);
    assert_allowed(&s, "move 1 12");
    assert_allowed(&s, "move 2 34"); /* this one did not start beside her */
    play(&s, "move 1 21, build 1 11");
    assert_turn_of(&s, 1);
    /* The last move counts: Artemis may leave and come back. */
    s = TWO("12 44 / 22 40", NULL, ARTEMIS, APHRODITE);
    play(&s, "move 1 02");
    assert_refused(&s, "build 1 01", ERR_BUILD_POWER);
    assert_refused(&s, "move 1 03", ERR_TURN_DEAD_END);
    play(&s, "move 1 13, build 1 12");
    assert_turn_of(&s, 1);
    /* No such move: the builder cannot move; and even a climb must end beside her. */
    s = TWO("11 44 / 22 40", "00000 00a00 0a000 00000 00000", PAN, APHRODITE);
    assert_refused(&s, "move 1 00", ERR_TURN_DEAD_END);
    s = TWO("11 44 / 22 40", "03000 02000 00000 00000 00000", PAN, APHRODITE);
    assert_refused(&s, "move 1 01", ERR_TURN_DEAD_END);
    s = TWO("11 44 / 22 40", "00000 02300 00000 00000 00000", PAN, APHRODITE);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
}

/* R32 */
static void ares(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 32 / 22 23", "00000 10000 00100 00041 00a20", ARES, PAN);
    assert_refused(&s, "remove 43", ERR_STEP_POWER);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 0);
    assert_refused(&s, "remove 22", ERR_STEP_POWER); /* somebody stands there */
    assert_refused(&s, "remove 33", ERR_STEP_POWER); /* a dome */
    assert_refused(&s, "remove 42", ERR_STEP_POWER); /* a dome on nothing */
    assert_refused(&s, "remove 31", ERR_STEP_POWER); /* no block */
    assert_refused(&s, "remove 11", ERR_STEP_POWER); /* beside the one that moved */
    play(&s, "remove 43");
    assert_int_equal(santorini_height(&s, cell_of("43")), 1);
    assert_turn_of(&s, 1);
    /* Optional, and not asked when there is nothing to take. */
    s = TWO("11 44 / 22 23", "00000 00000 00000 00010 00000", ARES, PAN);
    play(&s, "move 1 12, build 1 11, end");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 22 23", NULL, ARES, PAN);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 1);
}

/* R33 */
static void bia(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 13 40", NULL, BIA, PAN);
    play(&s, "move 1 12");
    assert_at(&s, 1, 1, "--");
    assert_at(&s, 1, 2, "40");
    play(&s, "build 1 13");
    assert_turn_of(&s, 1);
    /* The last builder: its player has lost (R12). */
    s = TWO("11 44 / 13 --", NULL, BIA, PAN);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_LAST);
    /* Her own stay; over the edge there is nobody. */
    s = TWO("11 13 / 04 40", NULL, BIA, PAN);
    play(&s, "move 1 12");
    assert_at(&s, 0, 2, "13");
    /* At a table of three the others go on. */
    s = board("11 44 / 13 -- / 30 40", NULL, GOD_BIA, GOD_LIMUS, GOD_PAN);
    play(&s, "move 1 12, build 1 13");
    assert_false(santorini_is_alive(&s, 1));
    assert_turn_of(&s, 2);
}

/* R34 */
static void chaos(void **unused) {
    (void)unused;
    struct santorini s;
    struct game_options options = game_options_default(&santorini_game, 2);
    assert_int_equal(santorini_game.setup((struct game_state *)&s, &options), ERR_OK);
    play(&s, "born 2000-01-01,born 1999-01-01,offer Chaos,offer Atlas,take Chaos,take Atlas");
    assert_int_equal(santorini_game.turn((struct game_state *)&s), SEAT_BIT(SEAT_CHANCE));
    struct action action = santorini_action(SANTORINI_ACT_DRAW, GOD_ATLAS, 0);
    assert_int_equal(santorini_game.check((struct game_state *)&s, SEAT_CHANCE, &action), ERR_GOD_TAKEN);
    action.arg[0] = GOD_ZEUS;
    assert_int_equal(santorini_game.check((struct game_state *)&s, SEAT_CHANCE, &action), ERR_GOD_TAKEN);
    play(&s, "draw Artemis,start 0,color WHITE,color MAGENTA");
    assert_int_equal(santorini_power(&s, 1), GOD_ARTEMIS);
    play(&s, "place 11,place 13,place 33,place 31");
    play(&s, "move 1 12,build 1 11"); /* no dome, no draw */
    play(&s, "move 1 32,move 1 22,build 1 32");
    play(&s, "move 1 02,dome 1 01"); /* anybody's dome */
    assert_int_equal(s.phase, SANTORINI_DRAW);
    action.arg[0] = GOD_ARTEMIS;
    assert_int_equal(santorini_game.check((struct game_state *)&s, SEAT_CHANCE, &action), ERR_GOD_TAKEN);
    play(&s, "draw Demeter");
    assert_int_equal(santorini_power(&s, 1), GOD_DEMETER);
    assert_turn_of(&s, 1);
    play(&s, "move 1 21,build 1 22,build 1 32");
    assert_turn_of(&s, 0);
}

/* R34 with R18: who leaves in the middle of a turn with a dome in it leaves a draw behind. */
static void chaos_draws_after_a_turn_that_was_given_up(void **unused) {
    (void)unused;
    struct santorini s =
        board("11 44 / 13 40 / 20 24", "00300 00000 00000 00000 00000", GOD_DEMETER, GOD_CHAOS, GOD_PAN);
    s.chaos_power = GOD_HERMES;
    s.chaos_deck = 1u << GOD_APOLLO | 1u << GOD_ATLAS;
    play(&s, "move 1 12,dome 1 02");
    assert_turn_of(&s, 0);
    assert_true(santorini_game.attend((struct game_state *)&s, 0, SEAT_RETIRED));
    assert_int_equal(s.phase, SANTORINI_DRAW);
    play(&s, "draw Atlas");
    assert_turn_of(&s, 1);
}

/* R34: when all powers were drawn the deck is made again. */
static void chaos_draws_for_ever(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 13 40", NULL, CHAOS, ATLAS);
    s.chaos_power = GOD_PAN;
    s.chaos_deck = 1u << GOD_APOLLO;
    play(&s, "move 1 12,build 1 11,move 1 03,dome 1 04");
    assert_int_equal(s.phase, SANTORINI_DRAW);
    play(&s, "draw Apollo");
    assert_int_equal(__builtin_popcount(s.chaos_deck), 9); /* ten without Atlas */
    /* A deck of ten is left when the one who has Chaos leaves while chance is to draw (R18). */
    s.has_domed = 1;
    s.phase = SANTORINI_DRAW;
    assert_true(santorini_game.attend((struct game_state *)&s, 0, SEAT_RETIRED));
    assert_won(&s, 1, SANTORINI_BY_LAST);
}

/* R35 */
static void charon(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 12 40", "00000 30000 00000 00000 00000", CHARON, PAN);
    play(&s, "force 1 12"); /* at any level, and it wins nothing */
    assert_at(&s, 1, 1, "10");
    assert_turn_of(&s, 0);
    assert_refused(&s, "move 2 43", ERR_BUILDER_OTHER);
    assert_refused(&s, "force 1 10", ERR_STEP_POWER); /* once */
    assert_refused(&s, "build 1 01", ERR_BUILD_EARLY);
    play(&s, "move 1 12");
    assert_refused(&s, "force 1 10", ERR_STEP_POWER);
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
    /* The other side is taken, domed or off the board; nobody is there. */
    s = TWO("11 10 / 12 40", NULL, CHARON, PAN);
    assert_refused(&s, "force 1 12", ERR_STEP_POWER);
    s = TWO("11 44 / 12 40", "00000 a0000 00000 00000 00000", CHARON, PAN);
    assert_refused(&s, "force 1 12", ERR_STEP_POWER);
    s = TWO("10 44 / 11 40", NULL, CHARON, PAN);
    assert_refused(&s, "force 1 11", ERR_STEP_POWER);
    assert_refused(&s, "force 1 00", ERR_STEP_POWER);
    /* Then he must be able to move (R9). */
    s = TWO("11 44 / 22 40", "0aa00 a0a00 aa200 00000 00000", CHARON, PAN);
    assert_refused(&s, "force 1 22", ERR_STEP_POWER);
}

/* R36 */
static void chronus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 40", "44440 00000 00030 00000 00000", PAN, CHRONUS);
    play(&s, "move 1 12, dome 1 23"); /* by whoever */
    assert_won(&s, 1, SANTORINI_BY_POWER);
    s = TWO("11 44 / 22 40", "44440 00000 00030 00000 00000", CHRONUS, PAN);
    play(&s, "move 1 12, dome 1 23");
    assert_won(&s, 0, SANTORINI_BY_POWER);
    /* Low domes are not towers. */
    s = TWO("11 44 / 22 40", "44440 00000 00000 00000 00000", ATLAS, CHRONUS);
    play(&s, "move 1 12, dome 1 23");
    assert_turn_of(&s, 1);
}

/* R37 */
static void circe(void **unused) {
    (void)unused;
    /* Apart: she has the power, and Atlas has none. */
    struct santorini s = TWO("11 44 / 22 40", NULL, CIRCE, ATLAS);
    assert_int_equal(santorini_power(&s, 0), GOD_ATLAS);
    assert_int_equal(santorini_power(&s, 1), GOD_NONE);
    play(&s, "move 1 12, dome 1 11");
    play(&s, "move 2 31");
    assert_refused(&s, "dome 2 41", ERR_DOME_LOW);
    play(&s, "build 2 41");
    /* Now they stand side by side when her turn begins. */
    assert_int_equal(santorini_power(&s, 0), GOD_CIRCE);
    assert_int_equal(santorini_power(&s, 1), GOD_ATLAS);
    play(&s, "move 1 02");
    assert_refused(&s, "dome 1 01", ERR_DOME_LOW);
    play(&s, "build 1 01");
    play(&s, "move 2 30, dome 2 31");
    assert_turn_of(&s, 0);
    assert_int_equal(santorini_power(&s, 0), GOD_ATLAS);
    /* Passive powers as well: Athena's ban binds Athena. */
    s = TWO("10 44 / 22 40", "00000 01000 00010 00000 00000", CIRCE, ATHENA);
    play(&s, "move 1 11, build 1 10");
    assert_refused(&s, "move 1 23", ERR_MOVE_POWER);
    /* A single builder has no neighbour. */
    s = TWO("10 44 / 22 --", NULL, CIRCE, MORPHEUS);
    assert_int_equal(s.tokens[0], 1);
    play(&s, "move 1 11, build 1 10");
    assert_turn_of(&s, 1);
    assert_int_equal(s.tokens[1], 0); /* Morpheus gets none while she has his power */
}

/* R38 */
static void dionysus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 33", "00300 00000 00230 00300 00000", DIONYSUS, PAN);
    play(&s, "move 1 12, dome 1 02");
    assert_turn_of(&s, 0);
    assert_refused(&s, "move 1 11", ERR_MOVE_LATE);
    assert_refused(&s, "borrow 12", ERR_STEP_POWER); /* his own */
    assert_allowed(&s, "end");                       /* optional */
    play(&s, "borrow 22");
    assert_refused(&s, "move 1 11", ERR_BUILDER_UNKNOWN);
    play(&s, "move 3 23"); /* up to the third level: nobody wins */
    assert_turn_of(&s, 0);
    assert_at(&s, 1, 1, "23");
    play(&s, "dome 3 32"); /* a tower again, so once more */
    assert_turn_of(&s, 0);
    play(&s, "borrow 33, move 3 43, build 3 33");
    assert_turn_of(&s, 1);
    /* Without a tower there is no extra turn. */
    s = TWO("11 44 / 22 33", NULL, DIONYSUS, PAN);
    play(&s, "move 1 12, build 1 02");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 22 33", "00300 00000 00000 00000 00000", DIONYSUS, PAN);
    play(&s, "move 1 12, dome 1 02, end");
    assert_turn_of(&s, 1);
}

/* R38 with R36: nor does anybody win by towers then, but when the next turn begins. */
static void dionysus_and_chronus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 22 40", "44430 00000 00000 03300 00000", DIONYSUS, CHRONUS);
    play(&s, "move 1 12, dome 1 03, borrow 22, move 3 21");
    assert_turn_of(&s, 0);
    play(&s, "dome 3 31");
    assert_turn_of(&s, 0); /* five towers, and Dionysus may lead on */
    assert_int_equal(santorini_towers(&s), 5);
    play(&s, "end");
    assert_won(&s, 1, SANTORINI_BY_POWER);
}

/* R39 */
static void eros(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 13 / 44 40", "00000 01110 00000 00000 00000", EROS, PAN);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_POWER);
    /* Other levels, and equal ones that are not the first. */
    s = TWO("11 13 / 44 40", "00000 01210 00000 00000 00000", EROS, PAN);
    play(&s, "move 1 12");
    assert_turn_of(&s, 0);
    s = TWO("11 13 / 44 40", NULL, EROS, PAN);
    play(&s, "move 1 12");
    assert_turn_of(&s, 0);
    /* Both must be there. */
    s = TWO("11 -- / 44 40", "00000 01110 00000 00000 00000", EROS, PAN);
    play(&s, "move 1 12");
    assert_turn_of(&s, 0);
    /* At a table of three the same level is enough. */
    s = board("11 13 / 44 40 / 30 33", NULL, GOD_EROS, GOD_PAN, GOD_ATLAS);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_POWER);
}

/* R40 */
static void hera(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "03000 02300 00000 00000 00000", ATLAS, HERA);
    play(&s, "move 1 01"); /* legal, and no win */
    assert_turn_of(&s, 0);
    play(&s, "build 1 00");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 40 42", "03000 02300 00000 00000 00000", ATLAS, HERA);
    play(&s, "move 1 12");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
    /* Pan and Eros as well. */
    s = TWO("11 44 / 40 42", "00000 02000 00000 00000 00000", PAN, HERA);
    play(&s, "move 1 01");
    assert_turn_of(&s, 0);
    s = TWO("11 02 / 40 42", "01100 01000 00000 00000 00000", EROS, HERA);
    play(&s, "move 1 01");
    assert_turn_of(&s, 0);
    /* Hera herself wins there. */
    s = TWO("11 44 / 40 42", "03000 02000 00000 00000 00000", HERA, PAN);
    play(&s, "move 1 01");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
}

/* R41 */
static void hestia(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00000 00000 00300 00000 00000", HESTIA, PAN);
    play(&s, "move 1 12, build 1 02"); /* the first may be on the perimeter */
    assert_turn_of(&s, 0);
    assert_refused(&s, "build 1 02", ERR_BUILD_POWER);
    play(&s, "dome 1 22");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 40 42", NULL, HESTIA, PAN);
    play(&s, "move 1 12, build 1 22, build 1 22"); /* the same cell */
    assert_turn_of(&s, 1);
}

/* R42 */
static void hypnus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 33 / 40 42", "00000 01000 00000 00000 00000", PAN, HYPNUS);
    assert_refused(&s, "move 1 12", ERR_MOVE_POWER);
    assert_allowed(&s, "move 2 34");
    s = TWO("11 33 / 40 42", "00000 01000 00000 00010 00000", PAN, HYPNUS);
    assert_allowed(&s, "move 1 12"); /* equal heights: none */
    assert_allowed(&s, "move 2 34");
    /* A single builder is held, so its player has lost (R10). */
    s = TWO("11 -- / 40 42", NULL, PAN, HYPNUS);
    assert_won(&s, 1, SANTORINI_BY_LAST);
}

/* R43 */
static void limus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 13 40", "00230 00000 00000 00000 00000", ATLAS, LIMUS);
    play(&s, "move 1 12");
    assert_refused(&s, "build 1 02", ERR_BUILD_POWER);
    assert_allowed(&s, "dome 1 03");                  /* a complete tower */
    assert_refused(&s, "dome 1 02", ERR_BUILD_POWER); /* a low dome is not one */
    assert_allowed(&s, "build 1 11");
    /* Limus himself builds there. */
    s = TWO("11 44 / 13 40", NULL, LIMUS, ATLAS);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 1);
}

/* R10 with R43: when the only build is a dome, the turn is possible; when there is none, it is not. */
static void limus_leaves_a_dome_to_build(void **unused) {
    (void)unused;
    struct santorini s = TWO("00 -- / 11 44", "00300 20000 00000 00000 00000", PAN, LIMUS);
    struct santorini_steps steps;
    assert_turn_of(&s, 0);
    play(&s, "move 1 01");
    santorini_steps(&s, &steps);
    assert_int_equal(steps.block[0], 0);
    assert_int_equal(steps.dome[0], CELL_BIT(cell_of("02")));
    play(&s, "dome 1 02");
    assert_turn_of(&s, 1);
    s = TWO("00 -- / 11 44", "00200 20000 00000 00000 00000", PAN, LIMUS);
    assert_won(&s, 1, SANTORINI_BY_LAST);
}

/* R16: when Limus is out his cells are free, whichever way he went. */
static void limus_is_out(void **unused) {
    (void)unused;
    struct santorini s = board("11 44 / 13 40 / 33 30", NULL, GOD_PAN, GOD_LIMUS, GOD_ATLAS);
    play(&s, "move 1 12");
    assert_refused(&s, "build 1 03", ERR_BUILD_POWER);
    assert_true(santorini_game.attend((struct game_state *)&s, 1, SEAT_RETIRED));
    assert_turn_of(&s, 0);
    play(&s, "build 1 03");
    assert_turn_of(&s, 2);
}

/* R44 */
static void medusa(void **unused) {
    (void)unused;
    struct santorini s =
        board("11 32 / 22 23 / 02 40", "00000 11000 01000 00200 00010", GOD_MEDUSA, GOD_PAN, GOD_ATLAS);
    play(&s, "move 1 10, build 1 00");
    /* 22 and 23 stand below 32 and beside it; 02 and 40 are not beside anybody. */
    assert_at(&s, 1, 1, "--");
    assert_at(&s, 1, 2, "--");
    assert_false(santorini_is_alive(&s, 1)); /* R12 */
    assert_int_equal(santorini_height(&s, cell_of("22")), 1);
    assert_int_equal(santorini_height(&s, cell_of("23")), 1);
    assert_at(&s, 2, 1, "02");
    assert_turn_of(&s, 2);
    /* Equal heights are safe; of two players the last one left wins. */
    s = TWO("11 44 / 22 40", "00000 01000 00100 00000 00000", MEDUSA, PAN);
    play(&s, "move 1 12, build 1 02");
    assert_at(&s, 1, 1, "22");
    s = TWO("11 44 / 22 --", "00000 01100 00000 00000 00000", MEDUSA, PAN);
    play(&s, "move 1 12, build 1 02");
    assert_won(&s, 0, SANTORINI_BY_LAST);
    /* Where she could not build she takes nobody: 21 and 22 protect each other (R43). */
    s = TWO("11 44 / 22 21", "00000 01100 00000 00000 00000", MEDUSA, LIMUS);
    play(&s, "move 1 12, build 1 02");
    assert_at(&s, 1, 1, "22");
}

/* R45 */
static void morpheus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", NULL, MORPHEUS, PAN);
    assert_int_equal(s.tokens[0], 1);
    play(&s, "move 1 12");
    assert_allowed(&s, "build 1 11");
    play(&s, "end"); /* none at all */
    play(&s, "move 1 30, build 1 31");
    assert_int_equal(s.tokens[0], 2);
    play(&s, "move 1 11, build 1 12, build 1 12"); /* twice, the same cell */
    assert_int_equal(s.tokens[0], 0);
    assert_turn_of(&s, 1); /* nothing left, so the turn is over */
}

/* R46 */
static void persephone(void **unused) {
    (void)unused;
    const char *heights = "00000 00100 00000 00000 00000";
    struct santorini s = TWO("11 44 / 40 42", heights, PAN, PERSEPHONE);
    assert_refused(&s, "move 1 10", ERR_TURN_DEAD_END);
    assert_refused(&s, "move 2 43", ERR_TURN_DEAD_END);
    play(&s, "move 1 12, build 1 11");
    s = TWO("11 44 / 40 42", NULL, PAN, PERSEPHONE);
    assert_allowed(&s, "move 1 10"); /* nobody can go up */
    /* Prometheus may not build before; Artemis goes up with one of two moves. */
    s = TWO("11 44 / 40 42", heights, PROMETHEUS, PERSEPHONE);
    assert_refused(&s, "build 1 10", ERR_TURN_DEAD_END);
    s = TWO("11 44 / 40 42", heights, ARTEMIS, PERSEPHONE);
    play(&s, "move 1 01");
    assert_refused(&s, "build 1 00", ERR_BUILD_POWER);
    assert_refused(&s, "move 1 02", ERR_TURN_DEAD_END);
    play(&s, "move 1 12, build 1 11");
    s = TWO("11 44 / 40 42", heights, ARTEMIS, PERSEPHONE);
    play(&s, "move 1 12, move 1 13, build 1 12");
    assert_turn_of(&s, 1);
}

/* R47 */
static void poseidon(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00000 00000 00000 00030 00000", POSEIDON, PAN);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 0);
    assert_refused(&s, "build 1 11", ERR_BUILDER_OTHER);
    assert_allowed(&s, "end");
    play(&s, "dome 2 33, build 2 34, build 2 34");
    assert_turn_of(&s, 1); /* three, and no more */
    /* Not from above the ground. */
    s = TWO("11 44 / 40 42", "00000 00000 00000 00000 00001", POSEIDON, PAN);
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 1);
}

/* R48 */
static void selene(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", NULL, SELENE, PAN);
    play(&s, "move 2 34");
    assert_allowed(&s, "build 2 44");
    assert_refused(&s, "dome 2 44", ERR_DOME_LOW); /* only the first builder */
    assert_refused(&s, "build 1 12", ERR_BUILD_POWER);
    play(&s, "dome 1 12");
    assert_true(santorini_has_dome(&s, cell_of("12")));
    assert_turn_of(&s, 1); /* instead of the build */
    s = TWO("11 44 / 40 42", NULL, SELENE, PAN);
    play(&s, "move 1 12, dome 1 11");
    assert_turn_of(&s, 1);
}

/* R49 */
static void triton(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", NULL, TRITON, PAN);
    play(&s, "move 1 01, move 1 02, move 1 01"); /* back is allowed */
    assert_refused(&s, "move 2 43", ERR_BUILDER_OTHER);
    play(&s, "move 1 12");
    assert_refused(&s, "move 1 11", ERR_MOVE_LATE); /* inside he stops */
    play(&s, "build 1 11");
    assert_turn_of(&s, 1);
    s = TWO("11 44 / 40 42", "12300 00000 00000 00000 00000", TRITON, PAN);
    play(&s, "move 1 00, move 1 01, move 1 02");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
}

/* R50 */
static void zeus(void **unused) {
    (void)unused;
    struct santorini s = TWO("11 44 / 40 42", "00000 02200 00000 00000 00000", ZEUS, PAN);
    play(&s, "move 1 12, build 1 12"); /* up to the third level, and no win */
    assert_int_equal(santorini_height(&s, cell_of("12")), 3);
    assert_turn_of(&s, 1);
    /* Nothing under himself on the third level. */
    s = TWO("11 44 / 40 42", "00000 03300 00000 00000 00000", ZEUS, PAN);
    play(&s, "move 1 12");
    assert_refused(&s, "dome 1 12", ERR_BUILD_FAR);
    assert_refused(&s, "build 1 12", ERR_BUILD_FAR);
    /* Limus forbids it beside him (R43). */
    s = TWO("11 44 / 13 42", NULL, ZEUS, LIMUS);
    play(&s, "move 1 12");
    assert_refused(&s, "build 1 12", ERR_BUILD_POWER);
}

/* R15 */
static void who_plays_with_how_many(void **unused) {
    (void)unused;
    for (unsigned god = GOD_APOLLO; god < GOD_COUNT; god++) {
        bool is_for_two = god == GOD_APHRODITE || god == GOD_CHRONUS || god == GOD_CIRCE;
        assert_true(santorini_god_fits((enum santorini_god)god, 2));
        assert_int_equal(santorini_god_fits((enum santorini_god)god, 3), !is_for_two);
        assert_int_equal(santorini_god_by_name(span_of(santorini_god_name((enum santorini_god)god))), god);
        const char *text = santorini_god_text((enum santorini_god)god);
        assert_true(strlen(text) > 20 && text[strlen(text) - 1] == '.');
    }
    assert_int_equal(santorini_god_by_name(SPAN("aPOLLO")), GOD_APOLLO);
    assert_int_equal(santorini_god_by_name(SPAN("Zorro")), GOD_NONE);
    assert_int_equal(santorini_god_by_name(SPAN("")), GOD_NONE);
}

/* Every pair of gods, and every god at a table of three, by chance to the end (R19): what is listed can be
 * completed, and nothing asserts. */
static void any_gods_play_to_the_end(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned first = GOD_APOLLO; first < GOD_COUNT; first++)
        for (unsigned second = GOD_APOLLO; second < GOD_COUNT; second++) {
            unsigned third = GOD_APOLLO + rng_below(&rng, GOD_COUNT - GOD_APOLLO);
            bool is_three = third != first && third != second &&
                            santorini_god_fits((enum santorini_god)first, 3) &&
                            santorini_god_fits((enum santorini_god)second, 3) &&
                            santorini_god_fits((enum santorini_god)third, 3) && rng_below(&rng, 2);
            if (first == second)
                continue;
            struct santorini s =
                board(is_three ? "11 33 / 13 31 / 20 24" : "11 33 / 13 31", NULL, (enum santorini_god)first,
                      (enum santorini_god)second, (enum santorini_god)(is_three ? third : GOD_NONE));
            s.chaos_power = GOD_HERMES;
            s.chaos_deck = 1u << GOD_HERMES;
            santorini_game.playout(&santorini_game, (struct game_state *)&s, &rng);
            assert_int_equal(s.phase, SANTORINI_OVER);
            assert_null(santorini_game.valid((struct game_state *)&s));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apollo),
        cmocka_unit_test(apollo_must_still_build),
        cmocka_unit_test(artemis),
        cmocka_unit_test(athena),
        cmocka_unit_test(athena_at_a_table_of_three),
        cmocka_unit_test(athena_and_forced_ways),
        cmocka_unit_test(athena_wins_against_a_walled_in_player),
        cmocka_unit_test(atlas),
        cmocka_unit_test(demeter),
        cmocka_unit_test(hephaestus),
        cmocka_unit_test(hermes),
        cmocka_unit_test(walks_come_to_an_end),
        cmocka_unit_test(hermes_beside_limus),
        cmocka_unit_test(minotaur),
        cmocka_unit_test(pan),
        cmocka_unit_test(prometheus),
        cmocka_unit_test(prometheus_does_not_build_himself_in),
        cmocka_unit_test(aphrodite),
        cmocka_unit_test(ares),
        cmocka_unit_test(bia),
        cmocka_unit_test(chaos),
        cmocka_unit_test(chaos_draws_after_a_turn_that_was_given_up),
        cmocka_unit_test(chaos_draws_for_ever),
        cmocka_unit_test(charon),
        cmocka_unit_test(chronus),
        cmocka_unit_test(circe),
        cmocka_unit_test(dionysus),
        cmocka_unit_test(dionysus_and_chronus),
        cmocka_unit_test(eros),
        cmocka_unit_test(hera),
        cmocka_unit_test(hestia),
        cmocka_unit_test(hypnus),
        cmocka_unit_test(limus),
        cmocka_unit_test(limus_leaves_a_dome_to_build),
        cmocka_unit_test(limus_is_out),
        cmocka_unit_test(medusa),
        cmocka_unit_test(morpheus),
        cmocka_unit_test(persephone),
        cmocka_unit_test(poseidon),
        cmocka_unit_test(selene),
        cmocka_unit_test(triton),
        cmocka_unit_test(zeus),
        cmocka_unit_test(who_plays_with_how_many),
        cmocka_unit_test(any_gods_play_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
