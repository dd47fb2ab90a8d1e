/* The bot of Santorini: always legal with any gods, better than chance, and better at higher levels. The
 * nodes are few here, so that the tests are fast in every build. */
#include "tests.h"

#include "bots/santorini_bot.h"
#include "game/playout.h"
#include "games/santorini/santorini.h"

/* Plays one table, every action checked, and returns the winner. gods are dealt when they are not GOD_NONE.
 */
static unsigned table_play(unsigned seat_count, const enum santorini_god gods[SANTORINI_SEATS_MAX],
                           struct bot *const bots[SANTORINI_SEATS_MAX], struct rng *rng) {
    struct game_options options = game_options_default(&santorini_game, seat_count);
    struct santorini s;
    struct game_state *state = (struct game_state *)&s;
    seat_set set;
    assert_int_equal(santorini_game.setup(state, &options), ERR_OK);
    while ((set = santorini_game.turn(state)) != 0) {
        struct action action;
        unsigned seat = playout_seat(set, rng);
        if (seat == SEAT_CHANCE)
            santorini_game.sample(state, seat, rng, &action);
        else if (s.phase == SANTORINI_OFFER && gods[0] != GOD_NONE)
            action = santorini_action(SANTORINI_ACT_OFFER, gods[s.offered_count], 0);
        else if (s.phase == SANTORINI_TAKE && gods[0] != GOD_NONE)
            action = santorini_action(SANTORINI_ACT_TAKE, gods[seat], 0);
        else
            bot_choose(bots[seat], (const struct game_view *)&s, seat, rng, &action);
        assert_int_equal(santorini_game.check(state, seat, &action), ERR_OK);
        santorini_game.apply(state, seat, &action);
    }
    return s.winner;
}

/* The same without gods. */
static unsigned plain_table_play(struct bot *const bots[2], struct rng *rng) {
    struct game_options options = game_options_default(&santorini_game, 2);
    struct santorini s;
    struct game_state *state = (struct game_state *)&s;
    options.value[SANTORINI_OPTION_GODS] = SANTORINI_GODS_NONE;
    assert_int_equal(santorini_game.setup(state, &options), ERR_OK);
    while (s.phase != SANTORINI_OVER) {
        struct action action;
        unsigned seat = (unsigned)__builtin_ctz(santorini_game.turn(state));
        bot_choose(bots[seat], (const struct game_view *)&s, seat, rng, &action);
        assert_int_equal(santorini_game.check(state, seat, &action), ERR_OK);
        santorini_game.apply(state, seat, &action);
    }
    return s.winner;
}

static struct bot *bot_with(unsigned level, uint64_t nodes) {
    struct bot *bot = bot_open(&santorini_bot_kind, &santorini_game, level);
    bot->nodes_max = nodes;
    return bot;
}

/* Of so many tables with gods by lot, how many the bot wins; its seat changes. */
static int tables_won(unsigned seat_count, struct bot *bot, struct bot *other, int tables, uint64_t seed) {
    static const enum santorini_god by_lot[SANTORINI_SEATS_MAX];
    struct rng rng;
    int won = 0;
    rng_seed(&rng, seed);
    for (int i = 0; i < tables; i++) {
        unsigned seat = (unsigned)i % seat_count;
        struct bot *bots[SANTORINI_SEATS_MAX] = {other, other, other};
        bots[seat] = bot;
        won += table_play(seat_count, by_lot, bots, &rng) == seat;
    }
    return won;
}

static void every_god_is_played_to_the_end(void **unused) {
    (void)unused;
    struct bot *bot = bot_with(3, 60);
    struct bot *const bots[SANTORINI_SEATS_MAX] = {bot, bot, bot};
    struct rng rng;
    rng_seed(&rng, 11);
    for (unsigned god = GOD_APOLLO; god < GOD_COUNT; god++) {
        enum santorini_god next = god + 1 < GOD_COUNT ? (enum santorini_god)(god + 1) : GOD_APOLLO;
        const enum santorini_god pair[] = {(enum santorini_god)god, next, GOD_NONE};
        table_play(2, pair, bots, &rng);
        const enum santorini_god three[] = {(enum santorini_god)god, GOD_ATLAS, GOD_PAN};
        if (santorini_god_fits((enum santorini_god)god, 3) && god != GOD_ATLAS && god != GOD_PAN)
            table_play(3, three, bots, &rng);
    }
    bot_close(bot);
}

static void it_beats_random_play(void **unused) {
    (void)unused;
    struct bot *bot = bot_with(3, 300), *other = bot_open(&random_bot_kind, &santorini_game, 1);
    assert_true(tables_won(2, bot, other, 24, 1) >= 23);
    assert_true(tables_won(3, bot, other, 18, 2) >= 15);
    bot_close(bot);
    bot_close(other);
}

static void level_5_beats_level_1(void **unused) {
    (void)unused;
    struct bot *bot = bot_with(5, 800), *other = bot_open(&santorini_bot_kind, &santorini_game, 1);
    assert_true(tables_won(2, bot, other, 12, 3) >= 10);
    bot_close(bot);
    bot_close(other);
}

static void a_climb_within_reach_is_taken_and_one_of_the_opponent_stopped(void **unused) {
    (void)unused;
    const struct santorini_position climb = {2, "00000 02300 00000 00000 00000", {{6, 24}, {20, 22}}, {0}};
    const struct santorini_position stop = {2, "00000 02300 00000 00000 00000", {{13, 24}, {6, 22}}, {0}};
    for (unsigned level = 2; level <= BOT_LEVEL_MAX; level++) {
        struct bot *bot = bot_with(level, 3000);
        struct santorini s;
        struct rng rng;
        rng_seed(&rng, level);
        assert_true(santorini_set_position(&s, &climb));
        struct action action;
        bot_choose(bot, (const struct game_view *)&s, 0, &rng, &action);
        santorini_game.apply((struct game_state *)&s, 0, &action);
        assert_int_equal(s.phase, SANTORINI_OVER);
        assert_true(santorini_set_position(&s, &stop));
        while (level >= 3 && s.mover == 0) {
            bot_choose(bot, (const struct game_view *)&s, 0, &rng, &action);
            santorini_game.apply((struct game_state *)&s, 0, &action);
        }
        if (level >= 3)
            assert_true(santorini_has_dome(&s, 7) || s.builder[0][0] == 7);
        bot_close(bot);
    }
}

/* Two players without powers: whole turns, whatever the table asks for in between, and an end that is forced
 * is found however far it is. */
static void plain_turns_are_searched_whole(void **unused) {
    (void)unused;
    /* Seat 0 goes up to the second level beside two cells of the third: the other can build on only one. */
    const struct santorini_position fork = {2, "00000 03120 03000 00000 00000", {{7, 24}, {20, 22}}, {0}};
    struct bot *bot = bot_with(4, 20000);
    struct santorini s;
    struct action action;
    struct rng rng;
    rng_seed(&rng, 5);
    assert_true(santorini_set_position(&s, &fork));
    s.gods_option = SANTORINI_GODS_NONE;
    bot_choose(bot, (const struct game_view *)&s, 0, &rng, &action);
    assert_int_equal(bot->thought.value > 900, true);
    assert_true(bot->thought.nodes > 0 && bot->thought.depth > 0 && bot->thought.line_count >= 3);
    assert_memory_equal(&bot->thought.line[0].action, &action, sizeof action);
    /* The line is legal to its end, and the seat wins by it. */
    struct santorini line = s;
    for (size_t i = 0; i < bot->thought.line_count; i++) {
        const struct bot_step *step = &bot->thought.line[i];
        assert_int_equal(santorini_game.check((const struct game_state *)&line, step->seat, &step->action),
                         ERR_OK);
        santorini_game.apply((struct game_state *)&line, step->seat, &step->action);
    }
    /* Another bot of the same level completes the turn that this one has begun. */
    santorini_game.apply((struct game_state *)&s, 0, &action);
    struct bot *other = bot_with(4, 20000);
    bot_choose(other, (const struct game_view *)&s, 0, &rng, &action);
    assert_int_equal(santorini_game.check((const struct game_state *)&s, 0, &action), ERR_OK);
    bot_close(bot);
    bot_close(other);
}

/* Each level of the game without powers beats the one before; budgets of nodes, so the same in every run. */
static void levels_are_a_ladder_without_gods(void **unused) {
    (void)unused;
    for (unsigned level = BOT_LEVEL_MIN + 1; level <= 4; level++) {
        int tables = level == 4 ? 6 : 30;
        struct bot *better = bot_open(&santorini_bot_kind, &santorini_game, level);
        struct bot *worse = bot_open(&santorini_bot_kind, &santorini_game, level - 1);
        struct rng rng;
        int won = 0;
        better->nodes_max = better->nodes_max > 20000 ? 20000 : better->nodes_max;
        rng_seed(&rng, level);
        for (unsigned i = 0; i < (unsigned)tables; i++) {
            struct bot *const bots[] = {i % 2 == 0 ? better : worse, i % 2 == 0 ? worse : better};
            won += plain_table_play(bots, &rng) == i % 2;
        }
        assert_true(won * 5 >= tables * 3);
        bot_close(better);
        bot_close(worse);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_god_is_played_to_the_end),
        cmocka_unit_test(it_beats_random_play),
        cmocka_unit_test(level_5_beats_level_1),
        cmocka_unit_test(plain_turns_are_searched_whole),
        cmocka_unit_test(levels_are_a_ladder_without_gods),
        cmocka_unit_test(a_climb_within_reach_is_taken_and_one_of_the_opponent_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
