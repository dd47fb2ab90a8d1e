/* Bots: always legal, the same again for the same generator, and each better than what it should beat. The
 * nodes are few here, so that the tests are fast in every build. */
#include "tests.h"

#include "base/mem.h"
#include "bots/paper_soccer_bot.h"
#include "bots/treasure_bot.h"
#include "game/playout.h"

static const char monster[] =
    "13064113570225017036575014630745741422243523574227742164435274617703502106741745431"
    "672745757134661453130361";

static struct pitch after(enum attack first_attack, const char *digits) {
    struct pitch p;
    pitch_setup(&p, first_attack);
    for (; *digits != '\0'; digits++) {
        assert_int_equal(pitch_check_step(&p, (unsigned)(*digits - '0')), ERR_OK);
        pitch_step(&p, (enum direction)(*digits - '0'));
    }
    return p;
}

/* Plays a table of any game with a bot per seat; every action must be legal, and chance is drawn. The points
 * of the first seat minus those of the second. */
static int32_t table_play(const struct game *game, struct bot *const bots[SEATS_MAX], struct rng *rng) {
    struct game_options options = game_options_default(game, game->seats_min);
    struct game_state *state = game_state_alloc(game);
    struct game_view *view = mem_alloc(game->state_size);
    int32_t points[SEATS_MAX] = {0};
    seat_set set;
    assert_int_equal(game->setup(state, &options), ERR_OK);
    while ((set = game->turn(state)) != 0) {
        struct action action;
        unsigned seat = playout_seat(set, rng);
        if (seat == SEAT_CHANCE)
            game->sample(state, seat, rng, &action);
        else {
            game_view(game, state, seat, view);
            bot_choose(bots[seat], view, seat, rng, &action);
        }
        assert_int_equal(game->check(state, seat, &action), ERR_OK);
        game->apply(state, seat, &action);
    }
    game->score(state, points);
    mem_free(view);
    mem_free(state);
    return points[0] - points[1];
}

/* Tables won by a, with both sides taking the first seat in turn. */
static int tables_won(const struct game *game, struct bot *a, struct bot *b, int tables, uint64_t seed) {
    struct rng rng;
    int won = 0;
    rng_seed(&rng, seed);
    for (int i = 0; i < tables; i++) {
        struct bot *const seats[SEATS_MAX] = {i & 1 ? b : a, i & 1 ? a : b, b, b};
        int32_t points = table_play(game, seats, &rng);
        won += i & 1 ? points < 0 : points > 0;
    }
    return won;
}

static struct bot *soccer_bot(unsigned level, uint64_t nodes) {
    struct bot *bot = bot_for_game(&paper_soccer_game, level);
    if (nodes != 0)
        bot->nodes_max = nodes;
    return bot;
}

static void every_kind_plays_every_game_it_says(void **unused) {
    (void)unused;
    for (size_t g = 0; games[g] != NULL; g++)
        for (size_t k = 0; bot_kinds[k] != NULL; k++) {
            if (bot_kinds[k]->game != NULL && bot_kinds[k]->game != games[g])
                continue;
            assert_ptr_equal(bot_kind_by_name(span_of(bot_kinds[k]->name), games[g]), bot_kinds[k]);
            for (unsigned level = BOT_LEVEL_MIN; level <= BOT_LEVEL_MAX; level++) {
                struct bot *bot = bot_open(bot_kinds[k], games[g], level);
                struct bot *const seats[SEATS_MAX] = {bot, bot, bot, bot};
                struct rng rng;
                rng_seed(&rng, level);
                bot->nodes_max = bot->nodes_max > 8 ? 8 : bot->nodes_max;
                table_play(games[g], seats, &rng);
                bot_close(bot);
            }
        }
    assert_null(bot_kind_by_name(SPAN("nobody"), games[0]));
}

static void a_bot_is_deterministic(void **unused) {
    (void)unused;
    for (size_t k = 0; bot_kinds[k] != NULL; k++) {
        if (bot_kinds[k]->game != NULL && bot_kinds[k]->game != &paper_soccer_game)
            continue;
        struct pitch p = after(ATTACK_TOP, "0271352");
        struct action first = {0}, again = {0};
        for (int i = 0; i < 2; i++) {
            struct bot *bot = bot_open(bot_kinds[k], &paper_soccer_game, BOT_LEVEL_DEFAULT);
            struct rng rng;
            rng_seed(&rng, 42);
            bot->nodes_max = 500;
            bot_choose(bot, (const struct game_view *)&p, p.mover, &rng, i == 0 ? &first : &again);
            bot_close(bot);
        }
        assert_memory_equal(&first, &again, sizeof first);
    }
}

static void assert_turn_scores(const char *digits, enum attack first_attack) {
    for (unsigned level = BOT_LEVEL_MIN; level <= BOT_LEVEL_MAX; level++) {
        struct bot *bot = soccer_bot(level, 50);
        struct pitch p = after(first_attack, digits);
        unsigned mover = p.mover;
        uint8_t dirs[PITCH_MOVE_STEPS_MAX];
        struct rng rng;
        rng_seed(&rng, level);
        size_t count = pitch_bot_turn(bot, &p, &rng, dirs);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(pitch_check_step(&p, dirs[i]), ERR_OK);
            pitch_step(&p, (enum direction)dirs[i]);
        }
        assert_true(p.is_over);
        assert_int_equal(p.winner, mover);
        bot_close(bot);
    }
}

static void a_goal_within_reach_is_scored_at_every_level(void **unused) {
    (void)unused;
    assert_turn_scores("0000", ATTACK_TOP);    /* over the post */
    assert_turn_scores("44444", ATTACK_TOP);   /* the second seat, straight */
    assert_turn_scores("4444", ATTACK_BOTTOM); /* the first seat attacks the bottom */
    assert_turn_scores("00001", ATTACK_TOP);   /* the rest of a turn */
}

/* With a shot for the opponent after most turns, one of the few others is found: the opponent never has a
 * shot when there was a turn that prevents it. */
static void no_shot_is_given_away(void **unused) {
    (void)unused;
    struct bot *bot = soccer_bot(BOT_LEVEL_DEFAULT, 400);
    struct pitch_moves m = {.move_capacity = 4096, .steps_capacity = 1 << 18, .seen_capacity = 1 << 14};
    m.move = mem_alloc(m.move_capacity * sizeof *m.move);
    m.steps = mem_alloc(m.steps_capacity);
    m.seen = mem_alloc(m.seen_capacity * sizeof *m.seen);
    struct rng rng;
    rng_seed(&rng, 8);
    int choices = 0;
    for (int i = 0; i < 300; i++) {
        struct pitch p, next;
        pitch_setup(&p, ATTACK_TOP);
        for (uint32_t steps = rng_below(&rng, 30); steps > 0; steps--) {
            struct action a;
            next = p;
            paper_soccer_game.sample((const struct game_state *)&p, p.mover, &rng, &a);
            pitch_step(&next, (enum direction)a.arg[0]);
            if (next.is_over)
                break;
            p = next;
        }
        pitch_moves_list(&p, &m);
        if (!m.is_complete || pitch_can_score(&p, pitch_attack_of(&p, p.mover)))
            continue;
        size_t safe = 0, open = 0;
        for (size_t k = 0; k < m.count; k++) {
            next = p;
            for (size_t s = 0; s < m.move[k].count; s++)
                pitch_step(&next, (enum direction)m.steps[m.move[k].first + s]);
            if (next.is_over || pitch_can_score(&next, pitch_attack_of(&next, next.mover)))
                open++;
            else
                safe++;
        }
        if (safe == 0 || open == 0)
            continue;
        uint8_t dirs[PITCH_MOVE_STEPS_MAX];
        next = p;
        size_t count = pitch_bot_turn(bot, &p, &rng, dirs);
        for (size_t s = 0; s < count; s++)
            pitch_step(&next, (enum direction)dirs[s]);
        assert_false(next.is_over);
        assert_false(pitch_can_score(&next, pitch_attack_of(&next, next.mover)));
        choices++;
    }
    assert_true(choices > 50);
    mem_free(m.move);
    mem_free(m.steps);
    mem_free(m.seen);
    bot_close(bot);
}

static void positions_with_a_flood_of_turns_stay_bounded(void **unused) {
    (void)unused;
    struct bot *bot = soccer_bot(BOT_LEVEL_DEFAULT, 2000);
    struct pitch p = after(ATTACK_TOP, monster), start = p;
    uint8_t dirs[PITCH_MOVE_STEPS_MAX];
    struct rng rng;
    rng_seed(&rng, 1);
    size_t count = pitch_bot_turn(bot, &p, &rng, dirs);
    for (size_t i = 0; i < count; i++) {
        assert_false(p.is_over || p.mover != start.mover);
        assert_int_equal(pitch_check_step(&p, dirs[i]), ERR_OK);
        pitch_step(&p, (enum direction)dirs[i]);
    }
    assert_true(p.is_over || p.mover != start.mover);
    bot_close(bot);
}

static void level_3_beats_random_play(void **unused) {
    (void)unused;
    struct bot *bot = soccer_bot(3, 100), *other = bot_open(&random_bot_kind, &paper_soccer_game, 1);
    assert_true(tables_won(&paper_soccer_game, bot, other, 100, 1) >= 95);
    bot_close(bot);
    bot_close(other);
}

static void level_4_beats_level_2(void **unused) {
    (void)unused;
    struct bot *bot = soccer_bot(4, 2500), *other = soccer_bot(2, 0);
    assert_true(tables_won(&paper_soccer_game, bot, other, 16, 2) >= 12);
    bot_close(bot);
    bot_close(other);
}

static void level_2_beats_level_1(void **unused) {
    (void)unused;
    struct bot *bot = soccer_bot(2, 0), *other = soccer_bot(1, 0);
    assert_true(tables_won(&paper_soccer_game, bot, other, 40, 3) >= 28);
    bot_close(bot);
    bot_close(other);
}

static void the_search_for_any_game_beats_random_play(void **unused) {
    (void)unused;
    struct bot *bot = bot_open(&search_bot_kind, &paper_soccer_game, 2),
               *other = bot_open(&random_bot_kind, &paper_soccer_game, 1);
    assert_true(tables_won(&paper_soccer_game, bot, other, 20, 4) >= 18);
    bot_close(bot);
    bot_close(other);
}

/* A walker that goes to a random neighbour again and again, step by step. */
static void walker_choose(const struct treasure_hunt *view, unsigned seat, struct rng *rng,
                          struct action *out) {
    const struct treasure_seat *own = &view->seat[seat];
    unsigned d = own->direction;
    while (own->progress == 0 &&
           treasure_move_check(view, seat, d = rng_below(rng, TREASURE_DIRECTIONS)) != ERR_OK)
        ;
    *out = treasure_action_move((enum treasure_direction)d);
}

/* Plays one hunt to its end; without a bot a seat walks at random. */
static struct treasure_hunt hunt_play(struct bot *const bots[TREASURE_SEATS], enum treasure_players players,
                                      struct rng *rng) {
    const struct game *game = &treasure_hunt_game;
    struct game_options options = game_options_default(game, TREASURE_SEATS);
    struct treasure_hunt h, view;
    struct game_state *state = (struct game_state *)&h;
    seat_set set;
    options.value[TREASURE_OPTION_PLAYERS] = players;
    assert_int_equal(game->setup(state, &options), ERR_OK);
    while ((set = game->turn(state)) != 0) {
        struct action action;
        unsigned seat = playout_seat(set, rng);
        if (seat != SEAT_CHANCE)
            game_view(game, state, seat, (struct game_view *)&view);
        if (seat == SEAT_CHANCE)
            game->sample(state, seat, rng, &action);
        else if (bots[seat] != NULL)
            bot_choose(bots[seat], (const struct game_view *)&view, seat, rng, &action);
        else
            walker_choose(&view, seat, rng, &action);
        assert_int_equal(game->check(state, seat, &action), ERR_OK);
        game->apply(state, seat, &action);
    }
    return h;
}

static void the_hunter_beats_a_random_walker(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(&treasure_hunt_game, BOT_LEVEL_MAX);
    struct rng rng;
    int won = 0;
    rng_seed(&rng, 5);
    for (unsigned i = 0; i < 100; i++) {
        struct bot *const seats[TREASURE_SEATS] = {i & 1 ? NULL : bot, i & 1 ? bot : NULL};
        won += hunt_play(seats, TREASURE_PLAYERS_SEED, &rng).winner == (i & 1);
    }
    assert_true(won >= 95);
    bot_close(bot);
}

static void hunters_reach_a_fort_before_the_limit(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(&treasure_hunt_game, BOT_LEVEL_MAX);
    struct bot *const seats[TREASURE_SEATS] = {bot, bot};
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned i = 0; i < 16; i++) {
        struct treasure_hunt h = hunt_play(seats, (enum treasure_players)(i % 4), &rng);
        assert_int_equal(h.end, TREASURE_BY_FORT);
        assert_true(h.actions <= TREASURE_ACTIONS_DEFAULT);
    }
    bot_close(bot);
}

/* Whoever slips and is lost for long pulls itself together: hardly any game of the level that plays unless
 * told ends by the limit, and few of the levels below. */
static void hunts_of_lower_levels_end_too(void **unused) {
    (void)unused;
    static const unsigned by_limit_max[] = {[1] = 16, [2] = 8, [3] = 3};
    for (unsigned level = 1; level <= BOT_LEVEL_DEFAULT; level++) {
        struct bot *bot = bot_for_game(&treasure_hunt_game, level);
        struct bot *const seats[TREASURE_SEATS] = {bot, bot};
        struct rng rng;
        unsigned by_limit = 0;
        rng_seed(&rng, 7);
        for (unsigned i = 0; i < 40; i++)
            by_limit += hunt_play(seats, TREASURE_PLAYERS_SEED, &rng).end != TREASURE_BY_FORT;
        assert_true(by_limit <= by_limit_max[level]);
        bot_close(bot);
    }
}

static void better_hunters_win_more(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(&treasure_hunt_game, 3), *other = bot_for_game(&treasure_hunt_game, 1);
    assert_true(tables_won(&treasure_hunt_game, bot, other, 60, 6) >= 35);
    bot_close(bot);
    bot_close(other);
}

/* Worlds that look the same to the seat get the same move. */
static void the_hunter_knows_only_its_view(void **unused) {
    (void)unused;
    const struct game *game = &treasure_hunt_game;
    struct game_options options = game_options_default(game, TREASURE_SEATS);
    struct treasure_hunt h, view, world;
    struct rng rng;
    rng_seed(&rng, 7);
    assert_int_equal(game->setup((struct game_state *)&h, &options), ERR_OK);
    while (game->turn((struct game_state *)&h) != 0) {
        struct action action;
        unsigned seat = playout_seat(game->turn((struct game_state *)&h), &rng);
        game->sample((struct game_state *)&h, seat, &rng, &action);
        if (h.phase == TREASURE_MOVING) {
            game_view(game, (struct game_state *)&h, seat, (struct game_view *)&view);
            world = view;
            game->imagine((struct game_view *)&world, seat, &rng);
            game_view(game, (struct game_state *)&world, seat, (struct game_view *)&world);
            assert_int_equal(treasure_bot_move((struct game_view *)&view, seat, 3, 4),
                             treasure_bot_move((struct game_view *)&world, seat, 3, 4));
        }
        game->apply((struct game_state *)&h, seat, &action);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_plays_every_game_it_says),
        cmocka_unit_test(a_bot_is_deterministic),
        cmocka_unit_test(a_goal_within_reach_is_scored_at_every_level),
        cmocka_unit_test(no_shot_is_given_away),
        cmocka_unit_test(positions_with_a_flood_of_turns_stay_bounded),
        cmocka_unit_test(level_3_beats_random_play),
        cmocka_unit_test(level_4_beats_level_2),
        cmocka_unit_test(level_2_beats_level_1),
        cmocka_unit_test(the_search_for_any_game_beats_random_play),
        cmocka_unit_test(the_hunter_beats_a_random_walker),
        cmocka_unit_test(hunters_reach_a_fort_before_the_limit),
        cmocka_unit_test(hunts_of_lower_levels_end_too),
        cmocka_unit_test(better_hunters_win_more),
        cmocka_unit_test(the_hunter_knows_only_its_view),
    };
    return cmocka_run_group_tests_name("bots", tests, NULL, NULL);
}
