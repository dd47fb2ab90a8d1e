/* The rules of Treasure Hunt, one test or more for each number in docs/rules/treasure-hunt.md; those of half
 * maps, R4 to R11, are in test_treasure_hunt_half.c. */
#include "tests.h"

#include "game/playout.h"
#include "games/treasure_hunt/treasure_hunt.h"

static const struct game *const game = &treasure_hunt_game;

/* A half that keeps all rules by a small margin: 7 water, 5 mountains. */
static const char half_rows[] = "GGGGGGGGGG/"
                                "GMMGWGGMGG/"
                                "GGGGWGGGWG/"
                                "GMGGWGWGWG/"
                                "GGGMGGWGGG";

static struct game_state *state_of(struct treasure_hunt *h) {
    return (struct game_state *)h;
}

static struct action parsed(struct treasure_hunt *h, unsigned seat, const char *text) {
    struct action action;
    if (game->action_parse(state_of(h), seat, span_of(text), &action) != ERR_OK)
        fail_msg("'%s' is no action", text);
    return action;
}

static enum err tried(struct treasure_hunt *h, unsigned seat, const char *text) {
    struct action action = parsed(h, seat, text);
    return game->check(state_of(h), seat, &action);
}

static void play(struct treasure_hunt *h, unsigned seat, const char *text) {
    struct action action = parsed(h, seat, text);
    enum err e = game->check(state_of(h), seat, &action);
    if (e != ERR_OK)
        fail_msg("seat %u may not '%s': %s", seat, text, game_refusal(game, e)->word);
    game->apply(state_of(h), seat, &action);
    assert_null(game->valid(state_of(h)));
}

static struct treasure_hunt hunt_new(enum treasure_players players, int32_t actions_max) {
    struct treasure_hunt h;
    struct game_options options = game_options_default(game, TREASURE_SEATS);
    options.value[TREASURE_OPTION_PLAYERS] = players;
    options.value[TREASURE_OPTION_ACTIONS_MAX] = actions_max;
    assert_int_equal(game->setup(state_of(&h), &options), ERR_OK);
    return h;
}

/* Chance draws until a seat is to act or the table is over. */
static void chance_acts(struct treasure_hunt *h, struct rng *rng) {
    while (game->turn(state_of(h)) == SEAT_BIT(SEAT_CHANCE)) {
        struct action action;
        game->sample(state_of(h), SEAT_CHANCE, rng, &action);
        assert_int_equal(game->check(state_of(h), SEAT_CHANCE, &action), ERR_OK);
        game->apply(state_of(h), SEAT_CHANCE, &action);
        assert_null(game->valid(state_of(h)));
    }
}

struct scene {
    const char *join, *fort[TREASURE_SEATS], *hide;
    int32_t actions_max;
};

/* Two seed players on halves that look like half_rows, before the first move. */
static struct treasure_hunt scene_begin(const struct scene *scene) {
    struct treasure_hunt h =
        hunt_new(TREASURE_PLAYERS_SEED, scene->actions_max == 0 ? 320 : scene->actions_max);
    char text[ACTION_TEXT_BYTES_MAX];
    play(&h, SEAT_CHANCE, scene->join);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        snprintf(text, sizeof text, "half %s %s", half_rows, scene->fort[seat]);
        play(&h, SEAT_CHANCE, text);
    }
    play(&h, SEAT_CHANCE, scene->hide);
    play(&h, SEAT_CHANCE, "fake 0,0 0,0");
    return h;
}

/* The usual scene: stacked, the first seat above with its fort at (0,0) and its treasure at (2,0), the second
 * below with its fort at (9,9) and its treasure at (5,5). */
static const struct scene stacked = {
    .join = "join 0 stacked 0", .fort = {"0,0", "9,4"}, .hide = "hide 2,0 5,5"};

/* Both seats move, u d l r one action each: "rurd" is right, up, right, down by the two in turn. */
static void moves(struct treasure_hunt *h, const char *letters) {
    static const struct {
        char letter;
        const char *word;
    } words[] = {{'u', "up"}, {'d', "down"}, {'l', "left"}, {'r', "right"}};
    struct rng rng;
    rng_seed(&rng, 3);
    for (; *letters != '\0'; letters++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (words[i].letter == *letters) {
                play(h, h->mover, words[i].word);
                chance_acts(h, &rng);
            }
}

/* The mover spends an action and gets nowhere: never twice in the same direction. */
static void idle(struct treasure_hunt *h) {
    const struct treasure_seat *s = &h->seat[h->mover];
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
        if (treasure_move_check(h, h->mover, d) == ERR_OK && !(s->progress > 0 && s->direction == d)) {
            moves(h, (const char *[]){"u", "d", "l", "r"}[d]);
            return;
        }
    fail_msg("seat %u cannot move", h->mover);
}

static unsigned at(const struct treasure_hunt *h, unsigned x, unsigned y) {
    return y * treasure_width(h) + x;
}

static struct treasure_hunt view_of(struct treasure_hunt *h, unsigned viewer) {
    struct treasure_hunt view;
    game_view(game, state_of(h), viewer, (struct game_view *)&view);
    return view;
}

static const struct game_view *as_view(const struct treasure_hunt *h) {
    return (const struct game_view *)h;
}

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

static void r1_players_enter_in_their_own_time(void **unused) {
    (void)unused;
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_ANY, 320);
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(tried(&h, 0, "up"), ERR_ACTION_UNKNOWN);
    play(&h, 1, "enter course");
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(0));
    assert_int_equal(tried(&h, 1, "enter course"), ERR_NOT_YOUR_TURN);
    struct treasure_hunt view = view_of(&h, 0);
    assert_int_equal(treasure_kind_of(as_view(&view), 1), TREASURE_COURSE);
    assert_int_equal(treasure_kind_of(as_view(&view), 0), TREASURE_ABSENT);
    assert_int_equal(treasure_standing(as_view(&view), 1), TREASURE_MUST_WAIT);
    play(&h, 0, "enter seed");
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(SEAT_CHANCE));
    struct action wrong = treasure_action_enter(TREASURE_ABSENT);
    h = hunt_new(TREASURE_PLAYERS_ANY, 320);
    assert_int_equal(game->check(state_of(&h), 0, &wrong), ERR_ACTION_UNKNOWN);
}

static void r1_players_of_a_fixed_kind_are_there_from_the_start(void **unused) {
    (void)unused;
    static const uint8_t kinds[][2] = {
        {TREASURE_SEED, TREASURE_SEED}, {TREASURE_COURSE, TREASURE_COURSE}, {TREASURE_COURSE, TREASURE_SEED}};
    for (unsigned players = 0; players < TREASURE_PLAYERS_ANY; players++) {
        struct treasure_hunt h = hunt_new((enum treasure_players)players, 320);
        assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(SEAT_CHANCE));
        for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
            assert_int_equal(h.seat[seat].kind, kinds[players][seat]);
    }
}

static void r2_halves_are_joined_in_four_ways(void **unused) {
    (void)unused;
    static const struct {
        const char *join;
        unsigned width, height, x, y; /* where the top left of the first seat's half lies */
    } cases[] = {{"join 0 stacked 0", 10, 10, 0, 0},
                 {"join 0 stacked 1", 10, 10, 0, 5},
                 {"join 0 side-by-side 0", 20, 5, 0, 0},
                 {"join 0 side-by-side 1", 20, 5, 10, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_SEED, 320);
        play(&h, SEAT_CHANCE, cases[i].join);
        assert_int_equal(treasure_width(&h), cases[i].width);
        assert_int_equal(treasure_height(&h), cases[i].height);
        bool is_used[TREASURE_FIELDS] = {false};
        for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
            for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++) {
                unsigned on_map = treasure_field_of_half(&h, seat, field);
                assert_false(is_used[on_map]);
                is_used[on_map] = true;
                assert_int_equal(treasure_half_owner(&h, on_map), seat);
                if (seat == 0)
                    assert_int_equal(on_map, at(&h, cases[i].x + field % 10, cases[i].y + field / 10));
            }
    }
}

static void r2_all_joins_are_equally_likely(void **unused) {
    (void)unused;
    enum { DRAWS = 8000 };
    int count[8] = {0};
    struct rng rng;
    rng_seed(&rng, 2);
    for (int i = 0; i < DRAWS; i++) {
        struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_SEED, 320);
        struct action action;
        game->sample(state_of(&h), SEAT_CHANCE, &rng, &action);
        count[action.arg[0] * 4 + action.arg[1] * 2 + action.arg[2]]++;
    }
    for (int i = 0; i < 8; i++)
        assert_in_range(count[i], DRAWS / 8 - 150, DRAWS / 8 + 150);
}

static void r3_terrain_is_known_to_everybody(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    static const unsigned viewers[] = {0, 1, SEAT_WATCHER};
    for (size_t i = 0; i < 3; i++) {
        struct treasure_hunt view = view_of(&h, viewers[i]);
        assert_memory_equal(view.terrain, h.terrain, sizeof h.terrain);
        assert_int_equal(treasure_fields_known(as_view(&view)), 100);
    }
    assert_int_equal(h.terrain[at(&h, 4, 1)], TREASURE_WATER);
    assert_int_equal(h.terrain[at(&h, 1, 6)], TREASURE_MOUNTAIN);
}

static void r12_two_course_players_send_their_halves_in_turn(void **unused) {
    (void)unused;
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_COURSE, 320);
    char text[ACTION_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "half %s 0,0", half_rows);
    play(&h, SEAT_CHANCE, "join 1 side-by-side 0");
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(1));
    struct treasure_hunt view = view_of(&h, 0);
    assert_int_equal(treasure_fields_known(as_view(&view)), 0);
    assert_int_equal(treasure_standing(as_view(&view), 1), TREASURE_MUST_ACT);
    assert_int_equal(treasure_standing(as_view(&view), 0), TREASURE_MUST_WAIT);
    assert_int_equal(tried(&h, 0, text), ERR_NOT_YOUR_TURN);
    assert_int_equal(tried(&h, 1, "up"), ERR_ACTION_UNKNOWN);
    play(&h, 1, text);
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(0));
    view = view_of(&h, 1);
    assert_int_equal(treasure_fields_known(as_view(&view)), 50);
    assert_true(treasure_field_seen(as_view(&view), 1, at(&h, 10, 0)).has_viewer);
    assert_int_equal(treasure_field_seen(as_view(&view), 1, at(&h, 9, 0)).terrain, TREASURE_UNKNOWN);
    play(&h, 0, text);
    assert_int_equal(h.phase, TREASURE_HIDING);
    struct rng rng;
    rng_seed(&rng, 1);
    chance_acts(&h, &rng);
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(1)); /* R14: whoever sent first moves first */
    assert_int_equal(h.seat[0].actions, 1);
    assert_int_equal(h.seat[0].position, at(&h, 0, 0));
    assert_int_equal(h.seat[1].position, at(&h, 10, 0));
}

static void r14_in_a_mixed_game_the_course_player_acts_first(void **unused) {
    (void)unused;
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_ANY, 320);
    char text[ACTION_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "half %s 0,0", half_rows);
    play(&h, 0, "enter seed");
    play(&h, 1, "enter course");
    assert_int_equal(tried(&h, SEAT_CHANCE, "join 0 stacked 0"), ERR_FIELD_INVALID);
    play(&h, SEAT_CHANCE, "join 1 stacked 0");
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(1));
    assert_int_equal(h.seat[0].has_half, 0); /* the seed player's half is drawn afterwards */
    play(&h, 1, text);
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(SEAT_CHANCE));
    struct rng rng;
    rng_seed(&rng, 1);
    chance_acts(&h, &rng);
    assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(0)); /* and then it has the first move */
    assert_int_equal(h.seat[0].actions, 0);
    assert_int_equal(h.seat[1].actions, 1);
}

static void r14_players_act_in_turn(void **unused) {
    (void)unused;
    struct scene second = stacked;
    second.join = "join 1 stacked 0";
    struct treasure_hunt h = scene_begin(&second);
    for (int i = 0; i < 12; i++) {
        unsigned mover = (i & 1) == 0;
        struct treasure_hunt view = view_of(&h, 0);
        assert_int_equal(game->turn(state_of(&h)), SEAT_BIT(mover));
        assert_int_equal(treasure_standing(as_view(&view), mover), TREASURE_MUST_ACT);
        assert_int_equal(treasure_standing(as_view(&view), mover ^ 1), TREASURE_MUST_WAIT);
        assert_int_equal(tried(&h, mover ^ 1, mover == 0 ? "left" : "right"), ERR_NOT_YOUR_TURN);
        idle(&h);
    }
}

static void joined_maps_are_connected(void **unused) {
    (void)unused;
    struct rng rng;
    unsigned shapes[2] = {0};
    rng_seed(&rng, 10);
    for (int i = 0; i < 400; i++) {
        struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_SEED, 320);
        uint8_t cost[TREASURE_FIELDS];
        chance_acts(&h, &rng);
        shapes[h.shape]++;
        treasure_costs(&h, h.seat[0].fort, cost);
        for (unsigned field = 0; field < TREASURE_FIELDS; field++)
            assert_int_equal(cost[field] != TREASURE_FAR, h.terrain[field] != TREASURE_WATER);
    }
    assert_in_range(shapes[0], 120, 280);
}

static void r13_treasures_lie_on_grass_of_their_half(void **unused) {
    (void)unused;
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_SEED, 320);
    char text[ACTION_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "half %s 0,0", half_rows);
    play(&h, SEAT_CHANCE, "join 0 stacked 0");
    play(&h, SEAT_CHANCE, text);
    play(&h, SEAT_CHANCE, text);
    assert_int_equal(tried(&h, SEAT_CHANCE, "hide 0,0 1,5"), ERR_FIELD_INVALID); /* the fort */
    assert_int_equal(tried(&h, SEAT_CHANCE, "hide 1,1 1,5"), ERR_FIELD_INVALID); /* a mountain */
    assert_int_equal(tried(&h, SEAT_CHANCE, "hide 4,1 1,5"), ERR_FIELD_INVALID); /* water */
    assert_int_equal(tried(&h, SEAT_CHANCE, "hide 1,5 1,0"), ERR_FIELD_INVALID); /* the other half */
    assert_int_equal(tried(&h, SEAT_CHANCE, "hide 1,0 -"), ERR_FIELD_INVALID);
    unsigned count[TREASURE_FIELDS] = {0};
    enum { DRAWS = 3700 };
    struct rng rng;
    rng_seed(&rng, 13);
    for (int i = 0; i < DRAWS; i++) {
        struct action action;
        game->sample(state_of(&h), SEAT_CHANCE, &rng, &action);
        count[action.arg[0]]++;
        count[action.arg[1]]++;
    }
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        if (h.terrain[field] == TREASURE_GRASS && field != 0 && field != 50)
            assert_in_range(count[field], DRAWS / 37 - 45, DRAWS / 37 + 45);
        else
            assert_int_equal(count[field], 0);
}

/* The first seat goes this way, the second stays where it is. */
static void first_moves(struct treasure_hunt *h, const char *letters) {
    for (; *letters != '\0' && h->phase != TREASURE_OVER; letters++) {
        moves(h, (const char[]){*letters, '\0'});
        if (h->phase != TREASURE_OVER)
            idle(h);
    }
}

static void r15_steps_cost_by_terrain(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    assert_int_equal(h.seat[0].position, at(&h, 0, 0));
    first_moves(&h, "r"); /* grass to grass: 2 */
    assert_int_equal(h.seat[0].position, at(&h, 0, 0));
    assert_int_equal(h.seat[0].progress, 1);
    first_moves(&h, "r");
    assert_int_equal(h.seat[0].position, at(&h, 1, 0));
    assert_int_equal(h.seat[0].progress, 0);
    first_moves(&h, "dd"); /* grass to mountain: 3 */
    assert_int_equal(h.seat[0].position, at(&h, 1, 0));
    first_moves(&h, "d");
    assert_int_equal(h.seat[0].position, at(&h, 1, 1));
    first_moves(&h, "rrr"); /* mountain to mountain: 4 */
    assert_int_equal(h.seat[0].position, at(&h, 1, 1));
    assert_int_equal(h.seat[0].progress, 3);
    first_moves(&h, "r");
    assert_int_equal(h.seat[0].position, at(&h, 2, 1));
    first_moves(&h, "rr"); /* mountain to grass: 3 */
    assert_int_equal(h.seat[0].position, at(&h, 2, 1));
    first_moves(&h, "r");
    assert_int_equal(h.seat[0].position, at(&h, 3, 1));
    assert_int_equal(treasure_step_cost(&h, at(&h, 0, 0), at(&h, 1, 0)), 2);
    assert_int_equal(treasure_step_cost(&h, at(&h, 1, 1), at(&h, 2, 1)), 4);
}

static void r15_directions_are_as_the_screen_has_them(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    assert_int_equal(treasure_neighbour(&h, at(&h, 3, 3), TREASURE_UP), at(&h, 3, 2));
    assert_int_equal(treasure_neighbour(&h, at(&h, 3, 3), TREASURE_DOWN), at(&h, 3, 4));
    assert_int_equal(treasure_neighbour(&h, at(&h, 3, 3), TREASURE_LEFT), at(&h, 2, 3));
    assert_int_equal(treasure_neighbour(&h, at(&h, 3, 3), TREASURE_RIGHT), at(&h, 4, 3));
}

static void r16_another_direction_discards_the_progress(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    first_moves(&h, "rd");
    assert_int_equal(h.seat[0].position, at(&h, 0, 0));
    assert_int_equal(h.seat[0].direction, TREASURE_DOWN);
    assert_int_equal(h.seat[0].progress, 1);
    first_moves(&h, "r"); /* from nothing again */
    assert_int_equal(h.seat[0].position, at(&h, 0, 0));
    first_moves(&h, "r");
    assert_int_equal(h.seat[0].position, at(&h, 1, 0));
    assert_int_equal(h.seat[0].actions, 4); /* all of them were spent */
    /* Progress on one field does not count on the next. */
    first_moves(&h, "dd");
    assert_int_equal(h.seat[0].progress, 2);
    first_moves(&h, "rr");
    assert_int_equal(h.seat[0].position, at(&h, 2, 0));
    first_moves(&h, "dd");
    assert_int_equal(h.seat[0].position, at(&h, 2, 0));
}

static void r17_nobody_goes_into_the_water(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked), before;
    first_moves(&h, "rrrrrrdd"); /* to (3,1), left of the water at (4,1) */
    assert_int_equal(h.seat[0].position, at(&h, 3, 1));
    before = h;
    assert_int_equal(tried(&h, 0, "right"), ERR_MOVE_WATER);
    assert_memory_equal(&h, &before, sizeof h);
    assert_string_equal(game_refusal(game, ERR_MOVE_WATER)->rule, "treasure-hunt R17");
    struct action legal[8];
    assert_int_equal(game->legal(state_of(&h), 0, legal), 3);
}

static void r18_nobody_leaves_the_map(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    assert_int_equal(tried(&h, 0, "up"), ERR_MOVE_OFF_MAP);
    assert_int_equal(tried(&h, 0, "left"), ERR_MOVE_OFF_MAP);
    assert_string_equal(game_refusal(game, ERR_MOVE_OFF_MAP)->rule, "treasure-hunt R18");
    moves(&h, "r");
    assert_int_equal(tried(&h, 1, "down"), ERR_MOVE_OFF_MAP);
    assert_int_equal(tried(&h, 1, "right"), ERR_MOVE_OFF_MAP);
    struct action wrong = treasure_action_move(TREASURE_DIRECTIONS);
    assert_int_equal(game->check(state_of(&h), 1, &wrong), ERR_ACTION_UNKNOWN);
    /* The end of a row is not the beginning of the next. */
    assert_int_equal(treasure_neighbour(&h, at(&h, 9, 3), TREASURE_RIGHT), -1);
    assert_int_equal(treasure_neighbour(&h, at(&h, 0, 3), TREASURE_LEFT), -1);
}

static unsigned seen_count(const struct treasure_hunt *h, unsigned seat) {
    unsigned count = 0;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        count += treasure_set_has(h->seat[seat].seen, field);
    return count;
}

static void r19_mountains_show_what_is_around_them(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    assert_int_equal(seen_count(&h, 0), 1);
    first_moves(&h, "rr");
    assert_int_equal(seen_count(&h, 0), 2);
    first_moves(&h, "dd");
    assert_int_equal(seen_count(&h, 0), 2); /* not before it is there */
    first_moves(&h, "d");
    for (unsigned y = 0; y <= 2; y++)
        for (unsigned x = 0; x <= 2; x++)
            assert_true(treasure_set_has(h.seat[0].seen, at(&h, x, y)));
    assert_int_equal(seen_count(&h, 0), 9);
    assert_int_equal(h.seat[0].has_treasure, 0); /* seen at (2,0), not collected */
    struct treasure_hunt view = view_of(&h, 0);
    assert_true(treasure_field_seen(as_view(&view), 0, at(&h, 2, 0)).has_own_treasure);
}

static void r19_sight_ends_at_the_edge_of_the_map(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    memset(h.terrain, TREASURE_MOUNTAIN, sizeof h.terrain);
    static const unsigned expected[3][3] = {{4, 6, 4}, {6, 9, 6}, {4, 6, 4}};
    for (int shape = 0; shape < 2; shape++) {
        h.shape = (uint8_t)shape;
        unsigned width = treasure_width(&h), height = treasure_height(&h);
        const unsigned xs[] = {0, width / 2, width - 1}, ys[] = {0, height / 2, height - 1};
        for (unsigned i = 0; i < 9; i++) {
            uint8_t set[TREASURE_SET_BYTES] = {0};
            unsigned count = 0, x = xs[i % 3], y = ys[i / 3];
            treasure_sight_add(&h, at(&h, x, y), set);
            for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
                int dx = (int)(field % width) - (int)x, dy = (int)(field / width) - (int)y;
                if (treasure_set_has(set, field))
                    assert_true(abs(dx) <= 1 && abs(dy) <= 1);
                count += treasure_set_has(set, field);
            }
            assert_int_equal(count, expected[i / 3][i % 3]);
        }
    }
}

static void r20_a_treasure_is_collected_by_coming_to_it(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    first_moves(&h, "rrr");
    assert_int_equal(h.seat[0].has_treasure, 0);
    first_moves(&h, "r");
    assert_int_equal(h.seat[0].has_treasure, 1);
    assert_int_equal(h.seat[0].treasure, TREASURE_NONE);
    static const unsigned viewers[] = {0, 1, SEAT_WATCHER};
    for (size_t i = 0; i < 3; i++) {
        struct treasure_hunt view = view_of(&h, viewers[i]);
        assert_true(treasure_is_collected(as_view(&view), 0));
        assert_false(treasure_is_collected(as_view(&view), 1));
    }
}

static void r20_nobody_takes_the_treasure_of_the_other(void **unused) {
    (void)unused;
    struct scene scene = stacked;
    scene.hide = "hide 9,4 0,5";
    struct treasure_hunt h = scene_begin(&scene);
    first_moves(&h, "dddddddddd"); /* from (0,0) straight down to (0,5) */
    assert_int_equal(h.seat[0].position, at(&h, 0, 5));
    assert_int_equal(h.seat[0].has_treasure, 0);
    assert_int_equal(h.seat[1].treasure, at(&h, 0, 5));
    struct treasure_hunt view = view_of(&h, 0);
    assert_int_equal(view.seat[1].treasure, TREASURE_HIDDEN);
    assert_false(treasure_field_seen(as_view(&view), 0, at(&h, 0, 5)).has_own_treasure);
}

static void r21_what_was_uncovered_stays(void **unused) {
    (void)unused;
    struct scene scene = stacked;
    scene.fort[1] = "0,0"; /* at (0,5) */
    scene.hide = "hide 0,2 5,5";
    struct treasure_hunt h = scene_begin(&scene);
    struct treasure_hunt view = view_of(&h, 0);
    assert_int_equal(view.seat[1].fort, TREASURE_HIDDEN);
    assert_int_equal(view.seat[0].treasure, TREASURE_HIDDEN);
    first_moves(&h, "rrddd"); /* the mountain at (1,1) shows the treasure at (0,2) */
    view = view_of(&h, 0);
    assert_int_equal(view.seat[0].treasure, at(&h, 0, 2));
    first_moves(&h, "uuu"); /* and it is still there from further away */
    view = view_of(&h, 0);
    assert_true(treasure_field_seen(as_view(&view), 0, at(&h, 0, 2)).has_own_treasure);
    first_moves(&h, "lldddd");
    view = view_of(&h, 0);
    assert_true(treasure_is_collected(as_view(&view), 0));
    assert_false(treasure_field_seen(as_view(&view), 0, at(&h, 0, 2)).has_own_treasure);
}

static void r21_a_fort_that_was_seen_from_a_mountain_stays(void **unused) {
    (void)unused;
    struct scene scene = stacked;
    scene.fort[0] = "3,3";
    scene.fort[1] = "4,0"; /* at (4,5), beside the mountain at (3,4) */
    struct treasure_hunt h = scene_begin(&scene);
    first_moves(&h, "ddd");
    assert_int_equal(h.seat[0].position, at(&h, 3, 4));
    struct treasure_hunt view = view_of(&h, 0);
    assert_true(treasure_field_seen(as_view(&view), 0, at(&h, 4, 5)).has_enemy_fort);
    first_moves(&h, "uuuuu");
    view = view_of(&h, 0);
    assert_true(treasure_field_seen(as_view(&view), 0, at(&h, 4, 5)).has_enemy_fort);
    assert_int_equal(view.seat[1].fort, at(&h, 4, 5));
    view = view_of(&h, SEAT_WATCHER);
    assert_int_equal(view.seat[1].fort, TREASURE_HIDDEN);
}

static void r22_both_may_stand_on_one_field(void **unused) {
    (void)unused;
    struct scene scene = stacked;
    scene.fort[0] = "0,4"; /* (0,4) and (0,5): neighbours across the border */
    scene.fort[1] = "0,0";
    struct treasure_hunt h = scene_begin(&scene);
    moves(&h, "drdr"); /* the first goes down, the second right */
    assert_int_equal(h.seat[0].position, at(&h, 0, 5));
    assert_int_equal(h.seat[1].position, at(&h, 1, 5));
    moves(&h, "rlrrrr"); /* the first follows */
    assert_int_equal(h.phase, TREASURE_MOVING);
    while (h.seat[0].position != h.seat[1].position || h.actions < 16)
        moves(&h, h.mover == 0 ? (h.seat[0].position == at(&h, 9, 5) ? "l" : "r")
                               : (h.seat[1].position == at(&h, 9, 5) ? "l" : "r"));
    struct treasure_hunt view = view_of(&h, 0);
    struct treasure_field field = treasure_field_seen(as_view(&view), 0, h.seat[0].position);
    assert_true(field.has_viewer && field.has_enemy);
}

/* Forts at (0,4) and (0,5), so that the way is short; the treasure of the first at (0,3). */
static const struct scene near = {.join = "join 0 stacked 0", .fort = {"0,4", "0,0"}, .hide = "hide 0,3 5,5"};

static void r23_the_fort_with_the_treasure_wins(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&near);
    first_moves(&h, "uudddd");
    assert_int_equal(h.phase, TREASURE_OVER);
    assert_int_equal(h.end, TREASURE_BY_FORT);
    assert_int_equal(game->turn(state_of(&h)), 0);
    int32_t points[SEATS_MAX];
    game->score(state_of(&h), points);
    assert_int_equal(points[0], 1);
    assert_int_equal(points[1], 0);
    struct treasure_hunt view = view_of(&h, 1);
    assert_int_equal(treasure_standing(as_view(&view), 0), TREASURE_WON);
    assert_int_equal(treasure_standing(as_view(&view), 1), TREASURE_LOST);
    assert_int_equal(tried(&h, 0, "up"), ERR_TABLE_OVER);
}

static void r23_the_fort_without_the_treasure_is_only_found(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&near);
    first_moves(&h, "dd");
    assert_int_equal(h.seat[0].position, at(&h, 0, 5));
    assert_int_equal(h.phase, TREASURE_MOVING);
    struct treasure_hunt view = view_of(&h, 0);
    assert_true(treasure_field_seen(as_view(&view), 0, at(&h, 0, 5)).has_enemy_fort);
    first_moves(&h, "uuuu"); /* back to the treasure */
    assert_int_equal(h.seat[0].has_treasure, 1);
    assert_int_equal(h.phase, TREASURE_MOVING);
    first_moves(&h, "ddd");
    assert_int_equal(h.phase, TREASURE_MOVING);
    first_moves(&h, "d");
    assert_int_equal(h.phase, TREASURE_OVER);
    assert_int_equal(h.winner, 0);
}

static void r23_the_own_fort_wins_nothing(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&near);
    first_moves(&h, "uudd");
    assert_int_equal(h.seat[0].position, h.seat[0].fort);
    assert_int_equal(h.seat[0].has_treasure, 1);
    assert_int_equal(h.phase, TREASURE_MOVING);
}

static void r24_the_enemy_is_faked_until_the_eighth_action(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    for (unsigned action = 0; action < 12; action++) {
        struct treasure_hunt view = view_of(&h, 0);
        if (action < TREASURE_FAKED_ACTIONS) {
            assert_int_equal(view.seat[1].position, TREASURE_HIDDEN);
            assert_true(treasure_field_seen(as_view(&view), 0, h.seat[0].fake).has_enemy);
        } else {
            assert_int_equal(view.seat[1].position, h.seat[1].position);
            assert_int_equal(h.seat[0].fake, TREASURE_NONE);
            assert_true(treasure_field_seen(as_view(&view), 0, h.seat[1].position).has_enemy);
        }
        first_moves(&h, (action / 2 & 1) == 0 ? "r" : "l");
    }
    assert_int_equal(h.seat[0].first_seen, at(&h, 9, 9));
    assert_int_equal(h.seat[0].first_seen_moves, 7);
}

static void r24_a_fake_is_drawn_after_every_action_and_may_be_anywhere(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    unsigned draws = 0, count[TREASURE_FIELDS] = {0};
    while (h.seat[0].actions < 10) {
        unsigned back = h.actions / 2 & 1;
        play(&h, h.mover, h.mover == 0 ? (back ? "down" : "right") : (back ? "up" : "left"));
        bool is_due = h.seat[0].actions < 8 || h.seat[1].actions < 8;
        assert_int_equal(h.phase == TREASURE_FAKING, is_due);
        if (!is_due)
            continue;
        draws++;
        assert_int_equal(tried(&h, SEAT_CHANCE, "fake - -"), ERR_FIELD_INVALID);
        if (h.seat[0].actions == 8)
            assert_int_equal(tried(&h, SEAT_CHANCE, "fake 1,1 1,1"), ERR_FIELD_INVALID);
        play(&h, SEAT_CHANCE, h.seat[0].actions < 8 ? "fake 4,1 0,0" : "fake - 0,0");
    }
    assert_int_equal(draws, 15);
    h = scene_begin(&stacked);
    play(&h, 0, "right");
    struct rng rng;
    rng_seed(&rng, 24);
    for (int i = 0; i < 5000; i++) {
        struct action action;
        game->sample(state_of(&h), SEAT_CHANCE, &rng, &action);
        count[action.arg[0]]++;
    }
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        assert_in_range(count[field], 15, 95);
}

static void r24_the_half_map_is_an_action(void **unused) {
    (void)unused;
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_MIXED, 320);
    char text[ACTION_TEXT_BYTES_MAX];
    struct rng rng;
    rng_seed(&rng, 1);
    snprintf(text, sizeof text, "half %s 0,0", half_rows);
    play(&h, SEAT_CHANCE, "join 0 stacked 0");
    play(&h, 0, text);
    chance_acts(&h, &rng);
    while (h.seat[0].actions < TREASURE_FAKED_ACTIONS) {
        assert_int_not_equal(h.seat[0].fake, TREASURE_NONE);
        struct action action;
        game->sample(state_of(&h), h.mover, &rng, &action);
        game->apply(state_of(&h), h.mover, &action);
        chance_acts(&h, &rng);
    }
    assert_int_equal(h.seat[0].fake, TREASURE_NONE); /* after seven moves */
    assert_int_equal(h.seat[0].first_seen, h.seat[1].position);
    assert_int_equal(h.seat[0].first_seen_moves, h.seat[1].actions);
}

static void r25_secrets_are_kept(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    moves(&h, "rlr");
    struct treasure_hunt own = view_of(&h, 0), other = view_of(&h, 1), watcher = view_of(&h, SEAT_WATCHER);
    assert_int_equal(own.seat[0].fort, h.seat[0].fort);
    assert_int_equal(own.seat[0].position, h.seat[0].position);
    assert_int_equal(own.seat[0].fake, h.seat[0].fake);
    assert_int_equal(own.seat[0].treasure, TREASURE_HIDDEN);
    assert_int_equal(own.seat[1].fake, TREASURE_HIDDEN);
    assert_int_equal(other.seat[0].fort, TREASURE_HIDDEN);
    assert_int_equal(other.seat[0].progress, 0);
    assert_int_equal(other.seat[0].position, TREASURE_HIDDEN);
    assert_int_equal(seen_count(&other, 0), 0);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        assert_int_equal(watcher.seat[seat].fort, TREASURE_HIDDEN);
        assert_int_equal(watcher.seat[seat].treasure, TREASURE_HIDDEN);
        assert_int_equal(watcher.seat[seat].position, TREASURE_HIDDEN);
        assert_int_equal(watcher.seat[seat].fake, TREASURE_HIDDEN);
        assert_int_equal(watcher.seat[seat].actions, h.seat[seat].actions);
    }
    /* A watcher sees a position when the opponent does. */
    while (h.seat[0].actions < 8)
        idle(&h);
    watcher = view_of(&h, SEAT_WATCHER);
    assert_int_equal(watcher.seat[1].position, h.seat[1].position);
    assert_int_equal(watcher.seat[0].position, TREASURE_HIDDEN);
}

static void r25_actions_are_kept_secret(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    struct action action = treasure_action_move(TREASURE_RIGHT);
    game->redact_action(state_of(&h), 0, &action, 1);
    assert_int_equal(action.arg[0], TREASURE_HIDDEN);
    action = treasure_action_move(TREASURE_RIGHT);
    game->redact_action(state_of(&h), 0, &action, 0);
    assert_int_equal(action.arg[0], TREASURE_RIGHT);
    action = (struct action){.kind = TREASURE_HIDE, .arg = {1, 60}};
    game->redact_action(state_of(&h), SEAT_CHANCE, &action, 0);
    assert_int_equal(action.arg[0], TREASURE_HIDDEN);
    action = (struct action){.kind = TREASURE_FAKE, .arg = {1, TREASURE_NONE}};
    game->redact_action(state_of(&h), SEAT_CHANCE, &action, 1);
    assert_int_equal(action.arg[0], TREASURE_HIDDEN);
    assert_int_equal(action.arg[1], TREASURE_NONE);
    /* The fort of a half: chance draws for the first seat here, then for the second. */
    struct treasure_hunt fresh = hunt_new(TREASURE_PLAYERS_SEED, 320);
    struct treasure_half half = half_parsed(half_rows, 7);
    play(&fresh, SEAT_CHANCE, "join 0 stacked 0");
    for (unsigned owner = 0; owner < TREASURE_SEATS; owner++) {
        struct action sent = treasure_half_action(&half), shown = sent;
        game->redact_action(state_of(&fresh), SEAT_CHANCE, &shown, owner);
        assert_memory_equal(&shown, &sent, sizeof sent);
        game->redact_action(state_of(&fresh), SEAT_CHANCE, &shown, owner ^ 1);
        assert_int_equal(shown.arg[13], TREASURE_HIDDEN);
        char text[ACTION_TEXT_BYTES_MAX];
        game->action_format(state_of(&fresh), SEAT_CHANCE, &shown, text);
        assert_string_equal(text + strlen(text) - 2, " ?");
        game->apply(state_of(&fresh), SEAT_CHANCE, &sent);
    }
}

static void r25_everything_is_shown_at_the_end(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&near);
    first_moves(&h, "uudddd");
    struct treasure_hunt watcher = view_of(&h, SEAT_WATCHER);
    assert_int_equal(watcher.seat[1].treasure, h.seat[1].treasure);
    assert_int_equal(watcher.seat[0].fort, h.seat[0].fort);
    /* A protocol still shows no more than what was uncovered. */
    struct treasure_hunt loser = view_of(&h, 1);
    assert_false(treasure_field_seen(as_view(&loser), 1, h.seat[0].fort).has_enemy_fort);
    assert_false(treasure_field_seen(as_view(&loser), 1, h.seat[1].treasure).has_own_treasure);
    assert_true(treasure_field_seen(as_view(&loser), 1, h.seat[0].position).has_enemy);
}

static void r26_the_limit_beats_whoever_would_act_next(void **unused) {
    (void)unused;
    struct scene scene = stacked;
    scene.actions_max = 5;
    struct treasure_hunt h = scene_begin(&scene);
    moves(&h, "rlrl");
    assert_int_not_equal(h.phase, TREASURE_OVER);
    moves(&h, "r");
    assert_int_equal(h.phase, TREASURE_OVER);
    assert_int_equal(h.end, TREASURE_BY_LIMIT);
    assert_int_equal(h.winner, 0); /* the second would be next */
    scene.join = "join 1 stacked 0";
    scene.actions_max = 4;
    h = scene_begin(&scene);
    moves(&h, "lrlr");
    assert_int_equal(h.winner, 0); /* again the second would be next */
}

static void r26_to_win_with_the_last_action_is_to_win(void **unused) {
    (void)unused;
    struct scene scene = near;
    scene.actions_max = 11;
    struct treasure_hunt h = scene_begin(&scene);
    first_moves(&h, "uudddd");
    assert_int_equal(h.actions, 11);
    assert_int_equal(h.end, TREASURE_BY_FORT);
    assert_int_equal(h.winner, 0);
}

static void r26_half_maps_count(void **unused) {
    (void)unused;
    char text[ACTION_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "half %s 0,0", half_rows);
    for (int limit = 1; limit <= 2; limit++) {
        struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_COURSE, limit);
        play(&h, SEAT_CHANCE, "join 0 stacked 0");
        play(&h, 0, text);
        if (limit == 2)
            play(&h, 1, text);
        assert_int_equal(h.end, TREASURE_BY_LIMIT);
        assert_int_equal(h.winner, limit == 1 ? 0 : 1);
    }
    struct game_options options = game_options_default(game, TREASURE_SEATS);
    struct treasure_hunt h;
    assert_int_equal(options.value[TREASURE_OPTION_ACTIONS_MAX], 320);
    options.value[TREASURE_OPTION_ACTIONS_MAX] = -1;
    assert_int_equal(game->setup(state_of(&h), &options), ERR_OPTION_INVALID);
    options.value[TREASURE_OPTION_ACTIONS_MAX] = TREASURE_ACTIONS_CEILING + 1;
    assert_int_equal(game->setup(state_of(&h), &options), ERR_OPTION_INVALID);
}

static void r26_an_open_limit_depends_on_who_plays(void **unused) {
    (void)unused;
    static const struct {
        enum treasure_players players;
        int limit;
    } there[] = {{TREASURE_PLAYERS_SEED, TREASURE_ACTIONS_CEILING},
                 {TREASURE_PLAYERS_MIXED, TREASURE_ACTIONS_DEFAULT},
                 {TREASURE_PLAYERS_COURSE, TREASURE_ACTIONS_DEFAULT}};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_int_equal(hunt_new(there[i].players, 0).actions_max, there[i].limit);
    struct treasure_hunt h = hunt_new(TREASURE_PLAYERS_ANY, 0);
    play(&h, 1, "enter seed");
    assert_int_equal(h.actions_max, 0);
    play(&h, 0, "enter course");
    assert_int_equal(h.actions_max, TREASURE_ACTIONS_DEFAULT);
    h = hunt_new(TREASURE_PLAYERS_ANY, 7);
    play(&h, 0, "enter seed");
    play(&h, 1, "enter seed");
    assert_int_equal(h.actions_max, 7);
}

/* What the number behind gameStateId stands on: the turn has passed. */
static void every_action_of_a_seat_changes_both_views(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 26);
    for (unsigned i = 0; i < 40; i++) {
        struct treasure_hunt h = hunt_new((enum treasure_players)(i % 4), 320);
        seat_set set;
        while ((set = game->turn(state_of(&h))) != 0) {
            struct treasure_hunt before = h;
            struct action action;
            unsigned seat = playout_seat(set, &rng);
            game->sample(state_of(&h), seat, &rng, &action);
            game->apply(state_of(&h), seat, &action);
            for (unsigned viewer = 0; viewer < TREASURE_SEATS && seat != SEAT_CHANCE; viewer++) {
                struct treasure_hunt old = view_of(&before, viewer), new = view_of(&h, viewer);
                assert_memory_not_equal(&old, &new, sizeof old);
            }
        }
    }
}

/* What a protocol shows, of many positions. */
static void shown_maps_have_one_of_each(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 27);
    for (unsigned i = 0; i < 20; i++) {
        struct treasure_hunt h = hunt_new((enum treasure_players)(i % 3), 320);
        for (unsigned step = 0; game->turn(state_of(&h)) != 0; step++) {
            struct action action;
            unsigned seat = playout_seat(game->turn(state_of(&h)), &rng);
            game->sample(state_of(&h), seat, &rng, &action);
            game->apply(state_of(&h), seat, &action);
            for (unsigned viewer = 0; viewer < 2 && h.phase == TREASURE_MOVING; viewer++) {
                unsigned own = 0, enemy = 0, own_fort = 0, enemy_fort = 0, treasure = 0;
                struct treasure_hunt view = view_of(&h, viewer);
                for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
                    struct treasure_field f = treasure_field_seen(as_view(&view), viewer, field);
                    assert_int_equal(at(&h, f.x, f.y), field);
                    own += f.has_viewer;
                    enemy += f.has_enemy;
                    own_fort += f.has_own_fort;
                    enemy_fort += f.has_enemy_fort;
                    treasure += f.has_own_treasure;
                }
                assert_int_equal(own, 1);
                assert_int_equal(enemy, 1);
                assert_int_equal(own_fort, 1);
                assert_true(enemy_fort <= 1 && treasure <= !h.seat[viewer].has_treasure);
            }
        }
    }
}

static void the_fort_is_always_among_its_candidates(void **unused) {
    (void)unused;
    struct rng rng;
    unsigned narrow = 0, looks = 0;
    rng_seed(&rng, 28);
    for (unsigned i = 0; i < 60; i++) {
        struct treasure_hunt h = hunt_new((enum treasure_players)(i % 3), 320);
        while (game->turn(state_of(&h)) != 0) {
            struct action action;
            unsigned seat = playout_seat(game->turn(state_of(&h)), &rng), count = 0;
            game->sample(state_of(&h), seat, &rng, &action);
            game->apply(state_of(&h), seat, &action);
            if (h.phase != TREASURE_MOVING)
                continue;
            struct treasure_hunt view = view_of(&h, 0);
            bool candidates[TREASURE_FIELDS];
            treasure_fort_candidates(as_view(&view), 0, candidates);
            assert_true(candidates[h.seat[1].fort]);
            for (unsigned field = 0; field < TREASURE_FIELDS; field++)
                count += candidates[field];
            narrow += h.seat[0].actions >= 8 && count < 20;
            looks += h.seat[0].actions >= 8;
        }
    }
    assert_true(narrow > looks / 2); /* and the first sight of the enemy tells a lot */
}

static void texts_are_read_and_refused(void **unused) {
    (void)unused;
    struct treasure_hunt h = scene_begin(&stacked);
    struct action action;
    static const char *const bad[] = {"up up",          "enter",           "enter absent",
                                      "enter nobody",   "join 0 round 0",  "join 2 stacked 0",
                                      "join 0 stacked", "half GGG 0,0",    "hide 1,1",
                                      "hide 10,0 0,0",  "hide 0,10 0,0",   "fake 1,1 1",
                                      "fake 1,1 ,",     "move ?",          "half 0,0",
                                      "north",          "hide 1,1 1,1 1,1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (game->action_parse(state_of(&h), 0, span_of(bad[i]), &action) != ERR_ACTION_TEXT)
            fail_msg("'%s' is read", bad[i]);
    assert_int_equal(game->action_parse(state_of(&h), 0, SPAN("UP"), &action), ERR_OK);
    assert_int_equal(action.arg[0], TREASURE_UP);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1_players_enter_in_their_own_time),
        cmocka_unit_test(r1_players_of_a_fixed_kind_are_there_from_the_start),
        cmocka_unit_test(r2_halves_are_joined_in_four_ways),
        cmocka_unit_test(r2_all_joins_are_equally_likely),
        cmocka_unit_test(r3_terrain_is_known_to_everybody),
        cmocka_unit_test(r12_two_course_players_send_their_halves_in_turn),
        cmocka_unit_test(r13_treasures_lie_on_grass_of_their_half),
        cmocka_unit_test(r14_in_a_mixed_game_the_course_player_acts_first),
        cmocka_unit_test(r14_players_act_in_turn),
        cmocka_unit_test(joined_maps_are_connected),
        cmocka_unit_test(r15_steps_cost_by_terrain),
        cmocka_unit_test(r15_directions_are_as_the_screen_has_them),
        cmocka_unit_test(r16_another_direction_discards_the_progress),
        cmocka_unit_test(r17_nobody_goes_into_the_water),
        cmocka_unit_test(r18_nobody_leaves_the_map),
        cmocka_unit_test(r19_mountains_show_what_is_around_them),
        cmocka_unit_test(r19_sight_ends_at_the_edge_of_the_map),
        cmocka_unit_test(r20_a_treasure_is_collected_by_coming_to_it),
        cmocka_unit_test(r20_nobody_takes_the_treasure_of_the_other),
        cmocka_unit_test(r21_what_was_uncovered_stays),
        cmocka_unit_test(r21_a_fort_that_was_seen_from_a_mountain_stays),
        cmocka_unit_test(r22_both_may_stand_on_one_field),
        cmocka_unit_test(r23_the_fort_with_the_treasure_wins),
        cmocka_unit_test(r23_the_fort_without_the_treasure_is_only_found),
        cmocka_unit_test(r23_the_own_fort_wins_nothing),
        cmocka_unit_test(r24_the_enemy_is_faked_until_the_eighth_action),
        cmocka_unit_test(r24_a_fake_is_drawn_after_every_action_and_may_be_anywhere),
        cmocka_unit_test(r24_the_half_map_is_an_action),
        cmocka_unit_test(r25_secrets_are_kept),
        cmocka_unit_test(r25_actions_are_kept_secret),
        cmocka_unit_test(r25_everything_is_shown_at_the_end),
        cmocka_unit_test(r26_the_limit_beats_whoever_would_act_next),
        cmocka_unit_test(r26_to_win_with_the_last_action_is_to_win),
        cmocka_unit_test(r26_half_maps_count),
        cmocka_unit_test(r26_an_open_limit_depends_on_who_plays),
        cmocka_unit_test(every_action_of_a_seat_changes_both_views),
        cmocka_unit_test(shown_maps_have_one_of_each),
        cmocka_unit_test(the_fort_is_always_among_its_candidates),
        cmocka_unit_test(texts_are_read_and_refused),
    };
    return cmocka_run_group_tests_name("treasure_hunt", tests, NULL, NULL);
}
