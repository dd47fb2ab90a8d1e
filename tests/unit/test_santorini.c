/* Santorini apart from its gods: set-up, moves and builds, winning and losing, leaving, and what wires ask.
 */
#include "tests.h"

#include "santorini.h"

static struct santorini table(unsigned seats) {
    struct game_options options = game_options_default(&santorini_game, seats);
    struct santorini s;
    assert_int_equal(santorini_game.setup((struct game_state *)&s, &options), ERR_OK);
    return s;
}

static struct santorini plain(const char *builders, const char *heights) {
    return board(builders, heights, GOD_NONE, GOD_NONE, GOD_NONE);
}

static enum err text_error(const struct santorini *s, const char *text) {
    struct action action;
    return santorini_game.action_parse((const struct game_state *)s, s->mover, span_of(text), &action);
}

/* A birth by any seat. */
static void born(struct santorini *s, unsigned seat, const char *text) {
    struct action action;
    assert_int_equal(try_step(s, seat, text, &action), ERR_OK);
    santorini_game.apply((struct game_state *)s, seat, &action);
}

/* R1 */
static void neighbours_are_around(void **unused) {
    (void)unused;
    for (unsigned a = 0; a < SANTORINI_CELLS; a++)
        for (unsigned b = 0; b < SANTORINI_CELLS; b++) {
            int down = (int)(a / 5) - (int)(b / 5), right = (int)(a % 5) - (int)(b % 5);
            bool is_near = a != b && down >= -1 && down <= 1 && right >= -1 && right <= 1;
            assert_int_equal(santorini_neighbours(a) >> b & 1, is_near);
        }
    struct santorini s = plain("11 33 / 13 31", NULL);
    assert_int_equal(text_error(&s, "move 1 15"), ERR_CELL_OUTSIDE);
    assert_int_equal(text_error(&s, "move 1 50"), ERR_CELL_OUTSIDE);
    struct action action = santorini_action(SANTORINI_ACT_MOVE, 0, 25);
    assert_int_equal(santorini_game.check((struct game_state *)&s, 0, &action), ERR_CELL_OUTSIDE);
}

/* R2 */
static void dates_are_days_of_the_calendar(void **unused) {
    (void)unused;
    struct santorini s = table(2);
    static const char *const good[] = {"born 2000-02-29", "born 2024-02-29", "born 1998.04.11",
                                       "born 1998-4-1",   "born 0001-01-01", "born 9999-12-31",
                                       "born unknown"};
    static const char *const bad[] = {"born 1900-02-29", "born 2023-02-29", "born 2000-04-31",
                                      "born 2000-13-01", "born 2000-00-10", "born 2000-10-00",
                                      "born 0000-01-01"};
    static const char *const garbled[] = {"born 2000-10", "born", "born 2000-10-10-1", "born x",
                                          "born 10000-01-01"};
    struct action action;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(try_step(&s, 0, good[i], &action), ERR_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(try_step(&s, 0, bad[i], &action), ERR_BIRTH_DATE);
    for (size_t i = 0; i < sizeof garbled / sizeof *garbled; i++)
        assert_int_equal(text_error(&s, garbled[i]), ERR_BIRTH_DATE);
    born(&s, 1, "born 1998-04-11");
    assert_int_equal(try_step(&s, 1, "born 1998-04-11", &action), ERR_NOT_YOUR_TURN);
}

static void assert_order(const char *first, const char *second, const char *third, const char *order) {
    struct santorini s = table(3);
    born(&s, 2, third);
    born(&s, 0, first);
    born(&s, 1, second);
    assert_int_equal(s.phase, SANTORINI_OFFER);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(s.order[i], order[i] - '0');
    assert_int_equal(s.mover, order[0] - '0');
}

/* R2 */
static void the_youngest_is_the_challenger(void **unused) {
    (void)unused;
    assert_order("born 1990-05-05", "born 2000-05-05", "born 1995-05-05", "120");
    assert_order("born 2000-05-05", "born 2000-05-06", "born 2000-06-01", "210");
    assert_order("born 2000-05-05", "born 2000-05-05", "born 2000-05-05", "012"); /* equal: by seats */
    assert_order("born unknown", "born 1900-01-01", "born unknown", "102");
}

/* R3, R4 */
static void the_set_up_goes_step_by_step(void **unused) {
    (void)unused;
    struct santorini s = table(3);
    struct action action;
    born(&s, 0, "born 1990-05-05");
    born(&s, 1, "born 2000-05-05");
    born(&s, 2, "born 1995-05-05");
    assert_refused(&s, "take Pan", ERR_PHASE_OTHER);
    assert_refused(&s, "offer Circe", ERR_GOD_SEATS); /* R15 */
    assert_int_equal(text_error(&s, "offer Zorro"), ERR_GOD_UNKNOWN);
    play(&s, "offer Pan");
    assert_refused(&s, "offer Pan", ERR_GOD_OFFERED);
    play(&s, "offer Eros,offer Bia");
    assert_int_equal(s.mover, 2); /* after the challenger */
    assert_int_equal(try_step(&s, 1, "take Pan", &action), ERR_NOT_YOUR_TURN);
    assert_refused(&s, "take Atlas", ERR_GOD_NOT_OFFERED);
    play(&s, "take Bia");
    assert_refused(&s, "take Bia", ERR_GOD_TAKEN);
    play(&s, "take Eros,take Pan");
    assert_int_equal(s.mover, 1);
    action = santorini_action(SANTORINI_ACT_START, 3, 0);
    assert_int_equal(santorini_game.check((struct game_state *)&s, 1, &action), ERR_STARTER_UNKNOWN);
    play(&s, "start 0");
    assert_int_equal(s.mover, 0);
    assert_int_equal(text_error(&s, "color RED"), ERR_COLOR_UNKNOWN);
    play(&s, "color WHITE");
    assert_int_equal(s.mover, 1); /* 0 is the oldest, so the youngest is next */
    assert_refused(&s, "color WHITE", ERR_COLOR_TAKEN);
    play(&s, "color MAGENTA,color LIGHT_BLUE");
    /* R33: Bia first, on the perimeter; R39: Eros on opposite edges. */
    assert_int_equal(s.mover, 2);
    assert_refused(&s, "place 11", ERR_PLACE_POWER);
    play(&s, "place 00");
    assert_refused(&s, "place 00", ERR_PLACE_OCCUPIED);
    play(&s, "place 01");
    assert_int_equal(s.mover, 0);
    assert_refused(&s, "place 22", ERR_PLACE_POWER);
    play(&s, "place 02");
    assert_refused(&s, "place 14", ERR_PLACE_POWER);
    assert_refused(&s, "place 03", ERR_PLACE_POWER);
    play(&s, "place 44,place 11,place 12");
    assert_turn_of(&s, 0);
}

/* R39: from a corner both other edges are opposite. */
static void eros_may_start_in_a_corner(void **unused) {
    (void)unused;
    struct santorini s = table(2);
    born(&s, 0, "born 2000-01-01");
    born(&s, 1, "born unknown");
    play(&s, "offer Eros,offer Pan,take Pan,take Eros,start 0,color WHITE,color MAGENTA,place 00");
    assert_allowed(&s, "place 42");
    assert_allowed(&s, "place 24");
    assert_allowed(&s, "place 04");
    assert_refused(&s, "place 01", ERR_PLACE_POWER);
}

/* R14 */
static void without_gods_the_first_seat_places(void **unused) {
    (void)unused;
    struct game_options options = game_options_default(&santorini_game, 2);
    struct santorini s;
    assert_int_equal(game_options_set(&santorini_game, &options, "gods", "none"), ERR_OK);
    assert_int_equal(santorini_game.setup((struct game_state *)&s, &options), ERR_OK);
    assert_int_equal(s.phase, SANTORINI_PLACE);
    play(&s, "place 11,place 33,place 13,place 31");
    assert_turn_of(&s, 0);
    assert_int_equal(santorini_power(&s, 0), GOD_NONE);
}

/* R5 */
static void moves(void **unused) {
    (void)unused;
    struct santorini s = plain("11 12 / 13 31", "12a00 10000 30000 00000 00000");
    assert_refused(&s, "move 1 33", ERR_MOVE_FAR);
    assert_refused(&s, "move 1 11", ERR_MOVE_FAR);
    assert_refused(&s, "move 1 12", ERR_MOVE_OCCUPIED);
    assert_refused(&s, "move 2 13", ERR_MOVE_OCCUPIED);
    assert_refused(&s, "move 1 02", ERR_MOVE_DOMED);
    assert_refused(&s, "move 1 01", ERR_MOVE_HIGH);
    assert_refused(&s, "move 1 20", ERR_MOVE_HIGH);
    assert_allowed(&s, "move 1 00");
    assert_refused(&s, "move 3 00", ERR_BUILDER_UNKNOWN);
    s = plain("00 44 / 13 31", "30000 00000 00000 00000 00000");
    assert_allowed(&s, "move 1 01"); /* down by any number */
    s = plain("00 -- / 13 31", NULL);
    assert_refused(&s, "move 2 01", ERR_BUILDER_UNKNOWN);
}

/* R6, R7 */
static void builds(void **unused) {
    (void)unused;
    struct santorini s = plain("11 44 / 13 31", "0340a 00000 00000 00000 00000");
    assert_refused(&s, "build 1 12", ERR_BUILD_EARLY);
    assert_refused(&s, "end", ERR_TURN_OPEN);
    play(&s, "move 1 12");
    assert_refused(&s, "move 1 11", ERR_MOVE_LATE);
    assert_refused(&s, "build 2 34", ERR_BUILDER_OTHER);
    assert_refused(&s, "build 1 33", ERR_BUILD_FAR);
    assert_refused(&s, "build 1 13", ERR_BUILD_OCCUPIED);
    assert_refused(&s, "build 1 02", ERR_BUILD_DOMED);
    assert_refused(&s, "build 1 01", ERR_BUILD_HIGH);
    assert_refused(&s, "dome 1 11", ERR_DOME_LOW);
    assert_refused(&s, "force 1 13", ERR_STEP_POWER);
    assert_refused(&s, "remove 11", ERR_STEP_POWER);
    assert_refused(&s, "borrow 13", ERR_STEP_POWER);
    assert_allowed(&s, "dome 1 01");
    play(&s, "build 1 11"); /* the cell just left */
    assert_int_equal(santorini_height(&s, cell_of("11")), 1);
    assert_turn_of(&s, 1);
    struct action action;
    assert_int_equal(try_step(&s, 0, "move 1 11", &action), ERR_NOT_YOUR_TURN);
}

/* R8 */
static void winning(void **unused) {
    (void)unused;
    struct santorini s = plain("11 44 / 13 31", "00300 02000 00000 00000 00000");
    play(&s, "move 1 02");
    assert_won(&s, 0, SANTORINI_BY_CLIMB);
    struct action action;
    assert_int_equal(try_step(&s, 0, "move 2 43", &action), ERR_TABLE_OVER);
    int32_t points[SEATS_MAX] = {0};
    santorini_game.score((struct game_state *)&s, points);
    assert_true(points[0] > points[1]);
    s = plain("11 44 / 13 31", "00300 03000 00000 00000 00000");
    play(&s, "move 1 02");
    assert_turn_of(&s, 0); /* from the third level it is none */
}

/* R10, R11 */
static void losing(void **unused) {
    (void)unused;
    struct santorini s = plain("22 44 / 00 --", "02000 21000 00000 00000 00000");
    play(&s, "move 1 12, build 1 11");
    assert_won(&s, 0, SANTORINI_BY_LAST);
    /* Of three the others go on, in the same order, and the towers stay. */
    s = plain("22 44 / 00 -- / 34 43", "02000 21000 00000 00000 00000");
    play(&s, "move 1 12, build 1 11");
    assert_turn_of(&s, 2);
    assert_false(santorini_is_alive(&s, 1));
    assert_at(&s, 1, 1, "--");
    assert_int_equal(santorini_height(&s, cell_of("11")), 2);
    play(&s, "move 1 33, build 1 34");
    assert_turn_of(&s, 0);
    play(&s, "move 1 22, build 1 12");
    assert_turn_of(&s, 2);
    int32_t points[SEATS_MAX] = {0};
    s = plain("11 44 / 13 31 / 40 42", "00300 02000 00000 00000 00000");
    play(&s, "move 1 02"); /* R13: a climb wins against both */
    santorini_game.score((struct game_state *)&s, points);
    assert_true(points[0] > points[1] && points[0] > points[2]);
}

/* R11: when the first in the order is out, nobody plays twice. */
static void the_order_stays_when_the_first_is_out(void **unused) {
    (void)unused;
    struct santorini s = plain("00 -- / 44 40 / 33 04", "00000 20000 00000 00000 00000");
    play(&s, "move 1 01, build 1 02");
    play(&s, "move 1 43, build 1 44, move 1 32, build 1 33");
    assert_turn_of(&s, 0);
    assert_true(santorini_game.attend((struct game_state *)&s, 0, SEAT_RETIRED));
    assert_turn_of(&s, 1);
    play(&s, "move 1 44, build 1 43");
    assert_turn_of(&s, 2);
    play(&s, "move 1 33, build 1 32");
    assert_turn_of(&s, 1);
}

/* R17 */
static void the_longest_game(void **unused) {
    (void)unused;
    struct santorini s = board("11 44 / 13 31", NULL, GOD_MORPHEUS, GOD_ARES, GOD_NONE);
    s.turns = SANTORINI_TURNS_MAX;
    play(&s, "move 1 12, build 1 11");
    assert_won(&s, SANTORINI_NOBODY, SANTORINI_BY_LENGTH);
    int32_t points[SEATS_MAX] = {0};
    santorini_game.score((struct game_state *)&s, points);
    assert_int_equal(points[0], points[1]);
}

/* R18 */
static void leaving(void **unused) {
    (void)unused;
    struct santorini s = table(2);
    struct game_state *state = (struct game_state *)&s;
    assert_false(santorini_game.attend(state, 0, SEAT_RETIRED)); /* nothing has begun */
    s = plain("11 44 / 13 31", NULL);
    struct santorini before = s;
    assert_false(santorini_game.attend(state, 0, SEAT_AWAY));
    assert_false(santorini_game.attend(state, 0, SEAT_BACK));
    assert_memory_equal(&s, &before, sizeof s);
    assert_true(santorini_game.attend(state, 0, SEAT_RETIRED));
    assert_won(&s, 1, SANTORINI_BY_LAST);
    assert_false(santorini_game.attend(state, 1, SEAT_RETIRED)); /* it is over */
    /* In the middle of the own turn, and in somebody else's. */
    s = plain("11 44 / 13 31 / 40 42", NULL);
    play(&s, "move 1 12");
    assert_true(santorini_game.attend(state, 0, SEAT_RETIRED));
    assert_turn_of(&s, 1);
    play(&s, "move 1 12");
    assert_true(santorini_game.attend(state, 2, SEAT_RETIRED));
    assert_won(&s, 1, SANTORINI_BY_LAST);
    /* The owner of a builder that Dionysus leads: the extra turn is over. */
    s = board("11 44 / 22 33 / 40 42", "00300 00000 00000 00000 00000", GOD_DIONYSUS, GOD_PAN, GOD_ATLAS);
    play(&s, "move 1 12, dome 1 02, borrow 22, move 3 23");
    assert_true(santorini_game.attend(state, 1, SEAT_RETIRED));
    assert_turn_of(&s, 2);
    assert_null(santorini_game.valid(state));
}

/* R19: what was not offered by a power is refused, whatever bytes it comes as. */
static void strange_actions(void **unused) {
    (void)unused;
    struct santorini s = plain("11 44 / 13 31", NULL);
    struct action action = {.kind = 0};
    assert_int_equal(santorini_game.check((struct game_state *)&s, 0, &action), ERR_ACTION_UNKNOWN);
    action = (struct action){.kind = SANTORINI_ACT_END + 1};
    assert_int_equal(santorini_game.check((struct game_state *)&s, 0, &action), ERR_ACTION_UNKNOWN);
    action = santorini_action(SANTORINI_ACT_MOVE, 0, cell_of("12"));
    action.arg[2] = 1;
    assert_int_equal(santorini_game.check((struct game_state *)&s, 0, &action), ERR_ACTION_UNKNOWN);
    static const char *const garbled[] = {"move",        "move 1",     "move 1 1",  "move 0 11", "move 4 11",
                                          "move 1 11 x", "build 1 1a", "jump 1 11", "end now"};
    for (size_t i = 0; i < sizeof garbled / sizeof *garbled; i++)
        assert_int_equal(text_error(&s, garbled[i]), ERR_ACTION_TEXT);
}

static cell_set cells(const char *text) {
    cell_set set = 0;
    for (; *text != '\0'; text += text[2] == ' ' ? 3 : 2)
        set |= CELL_BIT(cell_of(text));
    return set;
}

/* The lists that clients are shown: R5, R6 for each builder, and the idle one. */
static void steps_by_builder(void **unused) {
    (void)unused;
    struct santorini s = board("00 22 / 44 23", NULL, GOD_DEMETER, GOD_MINOTAUR, GOD_NONE);
    struct santorini_steps steps;
    santorini_steps(&s, &steps);
    assert_int_equal(steps.move[0], cells("01 10 11"));
    assert_int_equal(steps.move[1], cells("11 12 13 21 31 32 33"));
    assert_int_equal(steps.block[0] | steps.dome[0] | steps.block[1], 0);
    assert_false(steps.can_end);
    play(&s, "move 1 01, build 1 02");
    santorini_steps(&s, &steps);
    assert_int_equal(steps.block[0], cells("00 10 11 12"));
    assert_true(steps.can_end);
    cell_set move, block, dome;
    santorini_idle_steps(&s, 1, &move, &block, &dome);
    assert_int_equal(steps.block[1], 0);
    assert_int_equal(block, cells("11 12 13 21 31 32 33"));
    assert_int_equal(move | dome, 0);
    play(&s, "build 1 11");
    santorini_steps(&s, &steps);
    assert_int_equal(steps.move[1], cells("12 13 14 22 24 32 33 34")); /* 22 can be pushed */
    play(&s, "move 2 22");
    assert_at(&s, 0, 2, "21");
}

static struct santorini_effect effects[SANTORINI_EFFECTS_MAX];

/* The effects of one step. */
static size_t effects_of(struct santorini *s, const char *text) {
    struct santorini before = *s;
    struct action action;
    assert_int_equal(try_step(s, s->mover, text, &action), ERR_OK);
    play(s, text);
    return santorini_effects(&before, &action, s, effects);
}

static void assert_effect(size_t i, enum santorini_effect_kind kind, unsigned seat, unsigned from,
                          unsigned to) {
    assert_int_equal(effects[i].kind, kind);
    assert_int_equal(effects[i].seat, seat);
    assert_int_equal(effects[i].from, from);
    assert_int_equal(effects[i].to, to);
}

/* What a wire has to tell: R13, R21 and others. */
static void effects_tell_everything(void **unused) {
    (void)unused;
    struct santorini s = board("11 44 / 12 40", NULL, GOD_MINOTAUR, GOD_PAN, GOD_NONE);
    assert_int_equal(effects_of(&s, "move 1 12"), 2);
    assert_effect(0, EFFECT_FORCED, 1, cell_of("12"), cell_of("13"));
    assert_effect(1, EFFECT_MOVED, 0, cell_of("11"), cell_of("12"));
    assert_int_equal(effects_of(&s, "build 1 11"), 2);
    assert_effect(0, EFFECT_BLOCK, SANTORINI_NOBODY, SANTORINI_NOWHERE, cell_of("11"));
    assert_effect(1, EFFECT_TURN, 1, SANTORINI_NOWHERE, SANTORINI_NOWHERE);

    s = board("11 44 / 22 -- / 40 42", "00000 01000 00000 00000 00000", GOD_MEDUSA, GOD_PAN, GOD_ATLAS);
    play(&s, "move 2 34");
    assert_int_equal(effects_of(&s, "build 2 44"), 5);
    assert_effect(0, EFFECT_GONE, 1, cell_of("22"), SANTORINI_NOWHERE);
    assert_effect(1, EFFECT_BLOCK, SANTORINI_NOBODY, SANTORINI_NOWHERE, cell_of("22"));
    assert_effect(2, EFFECT_BLOCK, SANTORINI_NOBODY, SANTORINI_NOWHERE, cell_of("44"));
    assert_effect(3, EFFECT_OUT, 1, SANTORINI_NOWHERE, SANTORINI_NOWHERE);
    assert_effect(4, EFFECT_TURN, 2, SANTORINI_NOWHERE, SANTORINI_NOWHERE);

    s = board("11 44 / 13 31", NULL, GOD_ZEUS, GOD_PAN, GOD_NONE);
    play(&s, "move 1 12");
    assert_int_equal(effects_of(&s, "build 1 12"), 2);
    assert_true(effects[0].is_under);

    s = board("11 44 / 13 31", "00000 00000 00000 00010 00000", GOD_ARES, GOD_PAN, GOD_NONE);
    play(&s, "move 1 12, build 1 11");
    assert_int_equal(effects_of(&s, "remove 33"), 2);
    assert_effect(0, EFFECT_BLOCK_GONE, SANTORINI_NOBODY, SANTORINI_NOWHERE, cell_of("33"));

    s = board("11 44 / 12 31", NULL, GOD_CIRCE, GOD_ATLAS, GOD_NONE);
    play(&s, "move 1 10, build 1 00, move 1 21");
    assert_int_equal(effects_of(&s, "build 1 11"), 4); /* side by side: the power goes back */
    assert_int_equal(effects[1].kind, EFFECT_POWER);
    assert_int_equal(effects[1].god, GOD_CIRCE);
    assert_int_equal(effects[2].god, GOD_ATLAS);

    s = plain("11 44 / 13 31", "00300 02000 00000 00000 00000");
    assert_int_equal(effects_of(&s, "move 1 02"), 2);
    assert_effect(1, EFFECT_OVER, 0, SANTORINI_NOWHERE, SANTORINI_NOWHERE);
}

static void positions_are_checked(void **unused) {
    (void)unused;
    struct santorini s;
    struct santorini_position p = {2, NULL, {{0, 1}, {2, 3}}, {GOD_NONE}};
    assert_true(santorini_set_position(&s, &p));
    p.builder[1][0] = 0;
    assert_false(santorini_set_position(&s, &p));
    p.builder[1][0] = 25;
    assert_false(santorini_set_position(&s, &p));
    p.builder[1][0] = 2;
    p.heights = "00000 00000 00000 00000 0000";
    assert_false(santorini_set_position(&s, &p));
    p.heights = "00000 00000 00000 00000 00009";
    assert_false(santorini_set_position(&s, &p));
    p.heights = "40000 00000 00000 00000 00000";
    assert_false(santorini_set_position(&s, &p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_around),
        cmocka_unit_test(dates_are_days_of_the_calendar),
        cmocka_unit_test(the_youngest_is_the_challenger),
        cmocka_unit_test(the_set_up_goes_step_by_step),
        cmocka_unit_test(eros_may_start_in_a_corner),
        cmocka_unit_test(without_gods_the_first_seat_places),
        cmocka_unit_test(moves),
        cmocka_unit_test(builds),
        cmocka_unit_test(winning),
        cmocka_unit_test(losing),
        cmocka_unit_test(the_order_stays_when_the_first_is_out),
        cmocka_unit_test(the_longest_game),
        cmocka_unit_test(leaving),
        cmocka_unit_test(strange_actions),
        cmocka_unit_test(steps_by_builder),
        cmocka_unit_test(effects_tell_everything),
        cmocka_unit_test(positions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
