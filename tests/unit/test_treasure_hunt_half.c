/* The rules of half maps in Treasure Hunt, R4 to R11 of docs/rules/treasure-hunt.md: what is refused and
 * where, and that what chance draws is never refused. */
#include "tests.h"

#include "games/treasure_hunt/treasure_hunt.h"

/* A half that keeps all rules by a small margin: 7 water, 5 mountains. */
static const char half_rows[] = "GGGGGGGGGG/"
                                "GMMGWGGMGG/"
                                "GGGGWGGGWG/"
                                "GMGGWGWGWG/"
                                "GGGMGGWGGG";

static struct treasure_half half_parsed(const char *rows, int fort) {
    struct treasure_half half = {0};
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++) {
        char letter = rows[i + i / TREASURE_HALF_WIDTH];
        half.terrain[i] = letter == 'W'   ? TREASURE_WATER
                          : letter == 'G' ? TREASURE_GRASS
                          : letter == 'M' ? TREASURE_MOUNTAIN
                                          : TREASURE_UNKNOWN;
    }
    if (fort >= 0)
        half.is_fort[fort] = 1;
    return half;
}

/* What the game says when a course player sends the half. */
static enum err sent(const struct treasure_half *half) {
    struct treasure_hunt h;
    struct game_options options = game_options_default(&treasure_hunt_game, TREASURE_SEATS);
    struct action join = {.kind = TREASURE_JOIN}, action = treasure_half_action(half);
    options.value[TREASURE_OPTION_PLAYERS] = TREASURE_PLAYERS_COURSE;
    assert_int_equal(treasure_hunt_game.setup((struct game_state *)&h, &options), ERR_OK);
    treasure_hunt_game.apply((struct game_state *)&h, SEAT_CHANCE, &join);
    return treasure_hunt_game.check((struct game_state *)&h, 0, &action);
}

static void assert_put_refused(struct treasure_half *half, int64_t x, int64_t y,
                               enum treasure_terrain terrain, const char *what) {
    struct treasure_offence offence;
    struct treasure_half before = *half;
    assert_int_equal(treasure_half_put(half, x, y, terrain, false, &offence), ERR_HALF_FIELD);
    assert_int_equal(offence.rule, 4);
    assert_true(offence.has_field);
    assert_string_equal(offence.what, what);
    if (x >= INT32_MIN && x <= INT32_MAX)
        assert_int_equal(offence.x, x);
    assert_memory_equal(half, &before, sizeof before);
}

static void r4_fields_are_put_once_and_inside(void **unused) {
    (void)unused;
    struct treasure_half half = {0};
    struct treasure_offence offence;
    assert_int_equal(treasure_half_put(&half, 9, 4, TREASURE_GRASS, true, &offence), ERR_OK);
    assert_int_equal(offence.rule, 0);
    assert_int_equal(half.terrain[49], TREASURE_GRASS);
    assert_int_equal(half.is_fort[49], 1);
    assert_put_refused(&half, 9, 4, TREASURE_WATER, "given twice");
    assert_put_refused(&half, 10, 0, TREASURE_GRASS, "outside");
    assert_put_refused(&half, -1, 0, TREASURE_GRASS, "outside");
    assert_put_refused(&half, 0, 5, TREASURE_GRASS, "outside");
    assert_put_refused(&half, 0, -1, TREASURE_GRASS, "outside");
    assert_put_refused(&half, INT64_MAX, INT64_MIN, TREASURE_GRASS, "outside");
    assert_put_refused(&half, 3, 3, TREASURE_UNKNOWN, "without terrain");
}

/* The half is refused for this rule, at this field when x is not negative. */
static void assert_half_refused(const struct treasure_half *half, enum err expected, unsigned rule, int x,
                                int y, const char *sentence) {
    struct treasure_offence offence;
    char text[TREASURE_OFFENCE_TEXT_BYTES_MAX];
    enum err e = treasure_half_check(half, TREASURE_FORTS_ONE, &offence);
    assert_int_equal(e, expected);
    assert_int_equal(offence.rule, rule);
    assert_int_equal(offence.has_field, x >= 0);
    if (x >= 0) {
        assert_int_equal(offence.x, x);
        assert_int_equal(offence.y, y);
    }
    treasure_offence_format(e, &offence, text);
    assert_string_equal(text, sentence);
    assert_int_equal(treasure_half_check(half, TREASURE_FORTS_ONE, NULL), expected);
    /* The game refuses the same half when it is sent, if it can be sent at all. */
    if (rule != 8 || x < 0)
        assert_int_equal(sent(half), expected);
    char rule_text[32];
    snprintf(rule_text, sizeof rule_text, "treasure-hunt R%u", rule);
    assert_string_equal(game_refusal(&treasure_hunt_game, expected)->rule, rule_text);
}

static void r4_every_field_is_needed(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, 0);
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, NULL), ERR_OK);
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++) {
        struct treasure_half missing = half;
        char sentence[128];
        snprintf(sentence, sizeof sentence,
                 "a half map has each of its 10 x 5 fields once; field (%u,%u) is not given (R4)", field % 10,
                 field / 10);
        missing.terrain[field] = TREASURE_UNKNOWN;
        assert_half_refused(&missing, ERR_HALF_FIELD, 4, (int)(field % 10), (int)(field / 10), sentence);
    }
    half.terrain[7] = 200; /* any bytes are looked at */
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, NULL), ERR_HALF_FIELD);
}

static void r5_mountains_are_counted(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, 0);
    half.terrain[11] = TREASURE_GRASS;
    assert_half_refused(&half, ERR_HALF_MOUNTAIN, 5, -1, -1,
                        "there are 4 fields of mountain, there must be at least 5 (R5)");
}

static void r6_grass_is_counted(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, 0);
    unsigned grass = 38;
    for (unsigned field = 1; grass > 24; field++)
        if (half.terrain[field] == TREASURE_GRASS) {
            half.terrain[field] = TREASURE_MOUNTAIN;
            grass--;
        }
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, NULL), ERR_OK);
    half.terrain[49] = TREASURE_MOUNTAIN;
    assert_half_refused(&half, ERR_HALF_GRASS, 6, -1, -1,
                        "there are 23 fields of grass, there must be at least 24 (R6)");
}

static void r7_water_is_counted(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, 0);
    half.terrain[14] = TREASURE_GRASS;
    assert_half_refused(&half, ERR_HALF_WATER, 7, -1, -1,
                        "there are 6 fields of water, there must be at least 7 (R7)");
}

static void r8_there_is_one_fort(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, -1);
    assert_half_refused(&half, ERR_HALF_FORTS, 8, -1, -1,
                        "a half map has exactly one fort, there is none (R8)");
    half.is_fort[3] = half.is_fort[25] = half.is_fort[29] = 1;
    assert_half_refused(&half, ERR_HALF_FORTS, 8, 5, 2,
                        "a half map has exactly one fort; field (5,2) is a second fort (R8)");
}

static void r9_the_fort_stands_on_grass(void **unused) {
    (void)unused;
    struct treasure_half half = half_parsed(half_rows, 11);
    assert_half_refused(&half, ERR_HALF_FORT_GRASS, 9, 1, 1,
                        "the fort stands on grass; field (1,1) is not (R9)");
    half = half_parsed(half_rows, 14);
    assert_half_refused(&half, ERR_HALF_FORT_GRASS, 9, 4, 1,
                        "the fort stands on grass; field (4,1) is not (R9)");
}

/* The usual half with other water on its edges. */
static struct treasure_half with_water(const char *const *fields) {
    struct treasure_half half = half_parsed(half_rows, 22);
    for (; *fields != NULL; fields++)
        half.terrain[((*fields)[1] - '0') * 10 + (*fields)[0] - '0'] = TREASURE_WATER;
    return half;
}

static void r10_edges_are_more_than_half_open(void **unused) {
    (void)unused;
    static const struct {
        const char *good[6], *more;
        int x, y;
        const char *sentence;
    } cases[] = {
        {{"00", "20", "40", "80", NULL},
         "90",
         9,
         0,
         "there are 5 fields of water on the top edge, there may be 4; field (9,0) is too much (R10)"},
        {{"04", "44", "84", NULL},
         "94",
         9,
         4,
         "there are 5 fields of water on the bottom edge, there may be 4; field (9,4) is too much (R10)"},
        {{"01", "03", NULL},
         "04",
         0,
         4,
         "there are 3 fields of water on the left edge, there may be 2; field (0,4) is too much (R10)"},
        {{"90", "92", NULL},
         "94",
         9,
         4,
         "there are 3 fields of water on the right edge, there may be 2; field (9,4) is too much (R10)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treasure_half half = with_water(cases[i].good);
        struct treasure_offence offence;
        /* An island may remain, but the edges are as they should be. */
        assert_int_not_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, &offence), ERR_HALF_EDGE);
        half.terrain[(cases[i].more[1] - '0') * 10 + cases[i].more[0] - '0'] = TREASURE_WATER;
        assert_half_refused(&half, ERR_HALF_EDGE, 10, cases[i].x, cases[i].y, cases[i].sentence);
    }
}

static void r11_islands_are_found(void **unused) {
    (void)unused;
    static const char *const corner[] = {"90", "92", NULL}, *const middle[] = {"63", "74", NULL};
    struct treasure_half half = with_water(corner);
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, NULL), ERR_OK);
    half.terrain[18] = TREASURE_WATER; /* (8,1) closes (9,1) off */
    assert_half_refused(&half, ERR_HALF_ISLAND, 11, 9, 1,
                        "every field that is no water can be reached; field (9,1) is an island (R11)");
    half = with_water(middle);
    half.terrain[27] = TREASURE_WATER; /* (7,2) closes (7,3) off */
    assert_half_refused(&half, ERR_HALF_ISLAND, 11, 7, 3,
                        "every field that is no water can be reached; field (7,3) is an island (R11)");
    /* Slanting is no way: (0,0) is an island behind (1,0) and (0,1). */
    static const char *const slant[] = {"10", "01", NULL};
    half = with_water(slant);
    assert_half_refused(&half, ERR_HALF_ISLAND, 11, 2, 0,
                        "every field that is no water can be reached; field (2,0) is an island (R11)");
}

static void halves_travel_in_actions(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 9);
    for (int i = 0; i < 300; i++) {
        struct treasure_half half, again;
        treasure_half_draw(&half, &rng);
        struct action action = treasure_half_action(&half);
        assert_true(treasure_half_of_action(&action, &again));
        assert_memory_equal(&half, &again, sizeof half);
        action.arg[12] |= 0x10; /* behind the last field */
        assert_false(treasure_half_of_action(&action, &again));
        action = treasure_half_action(&half);
        action.arg[13] = 50; /* no field */
        assert_false(treasure_half_of_action(&action, &again));
        action.arg[13] = TREASURE_NONE;
        assert_true(treasure_half_of_action(&action, &again));
        assert_int_equal(treasure_half_check(&again, TREASURE_FORTS_ONE, NULL), ERR_HALF_FORTS);
    }
}

/* Which of three forts chance draws in this table, as the index among them; nothing else is left of the
 * others. */
static unsigned fort_drawn(const struct treasure_half *half, const unsigned forts[3], struct rng *rng) {
    struct treasure_hunt h, view;
    struct game_state *state = (struct game_state *)&h;
    struct game_options options = game_options_default(&treasure_hunt_game, TREASURE_SEATS);
    struct action join = {.kind = TREASURE_JOIN}, action = treasure_half_action(half), drawn;
    options.value[TREASURE_OPTION_PLAYERS] = TREASURE_PLAYERS_COURSE;
    options.value[TREASURE_OPTION_FORTS] = TREASURE_FORTS_ANY;
    assert_int_equal(treasure_hunt_game.setup(state, &options), ERR_OK);
    treasure_hunt_game.apply(state, SEAT_CHANCE, &join);
    assert_int_equal(treasure_hunt_game.check(state, 0, &action), ERR_OK);
    treasure_hunt_game.apply(state, 0, &action);
    assert_int_equal(treasure_hunt_game.turn(state), SEAT_BIT(SEAT_CHANCE));
    treasure_hunt_game.sample(state, SEAT_CHANCE, rng, &drawn);
    for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
        struct action other = {.kind = TREASURE_FORT, .arg = {(uint8_t)field}};
        bool is_named = field == forts[0] || field == forts[1] || field == forts[2];
        assert_int_equal(treasure_hunt_game.check(state, SEAT_CHANCE, &other),
                         is_named ? ERR_OK : ERR_FIELD_INVALID);
    }
    treasure_hunt_game.apply(state, SEAT_CHANCE, &drawn);
    assert_null(treasure_hunt_game.valid(state));
    assert_int_equal(treasure_hunt_game.turn(state), SEAT_BIT(1));
    game_view(&treasure_hunt_game, state, 0, (struct game_view *)&view);
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++) {
        struct treasure_field seen = treasure_field_seen((struct game_view *)&view, 0, field);
        assert_int_equal(seen.has_own_fort, field == drawn.arg[0]);
        assert_int_equal(seen.has_viewer, field == drawn.arg[0]);
        assert_int_equal(seen.terrain, half->terrain[field]);
    }
    return drawn.arg[0] == forts[0] ? 0 : drawn.arg[0] == forts[1] ? 1 : 2;
}

/* R8 */
static void r8_chance_draws_one_of_several_forts(void **unused) {
    (void)unused;
    enum { DRAWS = 900 };
    static const unsigned forts[3] = {3, 25, 49};
    struct treasure_half half = half_parsed(half_rows, 3), again;
    unsigned drawn[3] = {0};
    struct rng rng;
    rng_seed(&rng, 8);
    half.is_fort[25] = half.is_fort[49] = 1;
    struct action action = treasure_half_action(&half);
    assert_int_equal(action.arg[13], TREASURE_DRAWN);
    assert_true(treasure_half_of_action(&action, &again));
    assert_memory_equal(&half, &again, sizeof half);
    assert_int_equal(sent(&half), ERR_HALF_FORTS); /* where it is not wanted */
    for (int i = 0; i < DRAWS; i++)
        drawn[fort_drawn(&half, forts, &rng)]++;
    for (int i = 0; i < 3; i++)
        assert_in_range(drawn[i], DRAWS / 3 - 80, DRAWS / 3 + 80);
}

/* R8, R9: each of them stands on grass, and there is at least one. */
static void r9_several_forts_stand_on_grass(void **unused) {
    (void)unused;
    struct treasure_offence offence;
    struct treasure_half half = half_parsed(half_rows, -1);
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ANY, &offence), ERR_HALF_FORTS);
    half.is_fort[3] = 1;
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ANY, &offence), ERR_OK);
    half.is_fort[11] = 1; /* a mountain */
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ANY, &offence), ERR_HALF_FORT_GRASS);
    assert_int_equal(offence.rule, 9);
    assert_int_equal(offence.x, 1);
    assert_int_equal(offence.y, 1);
    assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, &offence), ERR_HALF_FORTS);
}

/* R25: the other seat and whoever watches learn neither the fort nor those of which it is drawn. */
static void r25_several_forts_are_secret(void **unused) {
    (void)unused;
    struct treasure_half one = half_parsed(half_rows, 3), several = one;
    several.is_fort[25] = several.is_fort[49] = 1;
    struct treasure_hunt h = {.phase = TREASURE_HALVES, .forts = TREASURE_FORTS_ANY};
    struct action shown_one = treasure_half_action(&one), shown_several = treasure_half_action(&several);
    struct action own = shown_several, fort = {.kind = TREASURE_FORT, .arg = {25}};
    treasure_redact_action((struct game_state *)&h, 0, &own, 0);
    treasure_redact_action((struct game_state *)&h, 0, &shown_one, 1);
    treasure_redact_action((struct game_state *)&h, 0, &shown_several, 1);
    assert_memory_equal(&shown_one, &shown_several, sizeof shown_one);
    assert_int_equal(own.arg[13], TREASURE_DRAWN);
    treasure_redact_action((struct game_state *)&h, SEAT_CHANCE, &fort, 0);
    assert_int_equal(fort.arg[0], 25);
    treasure_redact_action((struct game_state *)&h, SEAT_CHANCE, &fort, SEAT_WATCHER);
    assert_int_equal(fort.arg[0], TREASURE_HIDDEN);
}

static void r12_drawn_halves_keep_the_rules_and_differ(void **unused) {
    (void)unused;
    enum { DRAWS = 3000 };
    unsigned terrain[TREASURE_HALF_FIELDS][4] = {0}, forts[TREASURE_HALF_FIELDS] = {0};
    unsigned water_count[51] = {0}, mountain_count[51] = {0};
    struct rng rng;
    rng_seed(&rng, 12);
    for (int i = 0; i < DRAWS; i++) {
        struct treasure_half half;
        unsigned count[4] = {0};
        treasure_half_draw(&half, &rng);
        assert_int_equal(treasure_half_check(&half, TREASURE_FORTS_ONE, NULL), ERR_OK);
        for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++) {
            terrain[field][half.terrain[field]]++;
            count[half.terrain[field]]++;
            forts[field] += half.is_fort[field];
        }
        water_count[count[TREASURE_WATER]]++;
        mountain_count[count[TREASURE_MOUNTAIN]]++;
    }
    /* Everything can be anywhere, and each number comes about as often as the others. */
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++) {
        assert_in_range(terrain[field][TREASURE_WATER], DRAWS / 15, DRAWS / 3);
        assert_in_range(terrain[field][TREASURE_MOUNTAIN], DRAWS / 10, DRAWS / 4);
        assert_in_range(forts[field], DRAWS / 100, DRAWS / 30);
    }
    for (unsigned water = 7; water <= 10; water++)
        assert_in_range(water_count[water], DRAWS / 4 - 120, DRAWS / 4 + 120);
    for (unsigned mountains = 5; mountains <= 12; mountains++)
        assert_in_range(mountain_count[mountains], DRAWS / 8 - 100, DRAWS / 8 + 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r4_fields_are_put_once_and_inside),
        cmocka_unit_test(r4_every_field_is_needed),
        cmocka_unit_test(r5_mountains_are_counted),
        cmocka_unit_test(r6_grass_is_counted),
        cmocka_unit_test(r7_water_is_counted),
        cmocka_unit_test(r8_there_is_one_fort),
        cmocka_unit_test(r9_the_fort_stands_on_grass),
        cmocka_unit_test(r10_edges_are_more_than_half_open),
        cmocka_unit_test(r11_islands_are_found),
        cmocka_unit_test(halves_travel_in_actions),
        cmocka_unit_test(r8_chance_draws_one_of_several_forts),
        cmocka_unit_test(r9_several_forts_stand_on_grass),
        cmocka_unit_test(r25_several_forts_are_secret),
        cmocka_unit_test(r12_drawn_halves_keep_the_rules_and_differ),
    };
    return cmocka_run_group_tests_name("treasure_hunt_half", tests, NULL, NULL);
}
