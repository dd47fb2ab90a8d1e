/* parlor bench [GAME]: how fast the rules are on one core, with what they should reach. Seconds are those of
 * the processor, so that the numbers hold on a machine that is busy with other things. */
#include "base/clock.h"
#include "base/mem.h"
#include "bots/spec.h"
#include "cli/command.h"
#include "cli/game_choice.h"
#include "cli/options.h"
#include "game/perft.h"
#include "game/playout.h"
#include "games/santorini/santorini.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAYOUT_BATCH = 1000, BATCHES_MAX = 8192, PLAYOUT_NS = 500 * 1000 * 1000, LISTED_TURNS = 2 };

static uint64_t santorini_each(const struct game_state *state, unsigned turns) {
    return santorini_perft_each(santorini_of(state), turns);
}

/* What a game should reach, and how many turns of its tree are counted. A game that is not here is measured
 * without a target and counted as far as a fraction of a second goes. */
static const struct bench_target {
    const char *game;
    double playouts_per_second, leaves_per_second;
    /* NULL, or options with which random games are measured once more, and what they should reach then. */
    const char *variant;
    double variant_per_second;
    unsigned turns, turns_deep;
    const char *options, *play; /* that lead to the position whose tree is counted; NULL: the start */
    /* NULL, or the same count with every leaf made one by one, as far and as fast as this. */
    uint64_t (*each)(const struct game_state *, unsigned turns);
    unsigned each_turns;
    double each_per_second;
} targets[] = {
    /* A third turn may be a whole one of millions of ways. */
    {.game = "eriantys", .playouts_per_second = 300e3, .turns = 2, .turns_deep = 2},
    {.game = "paper-soccer",
     .playouts_per_second = 3.5e6,
     .leaves_per_second = 100e6,
     .turns = 7,
     .turns_deep = 8},
    {.game = "renaissance",
     .playouts_per_second = 150e3,
     .leaves_per_second = 1e6,
     .turns = 2,
     .turns_deep = 3},
    {.game = "santorini",
     .playouts_per_second = 100e3,
     .variant = "gods=none",
     .variant_per_second = 300e3,
     .leaves_per_second = 1e9,
     .turns = 5,
     .turns_deep = 5,
     .options = "gods=none",
     .play = "place 11,place 33,place 13,place 31",
     .each = santorini_each,
     .each_turns = 4,
     .each_per_second = 50e6},
    {.game = "treasure-hunt", .playouts_per_second = 150e3},
};

static const struct bench_target *target_of(const struct game *game) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].game, game->name) == 0)
            return &targets[i];
    return NULL;
}

static void line_print(const struct game *game, const char *what, double per_second, double target,
                       const char *detail) {
    printf("%-14s %-13s %9.3f M/s", game->name, what, per_second / 1e6);
    if (target > 0)
        printf("  (target %6.2f M/s, %s)", target / 1e6, per_second >= target ? "reached" : "MISSED");
    printf("  %s\n", detail);
    fflush(stdout);
}

static int rate_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of many short measurements: what else the machine does slows down some of them. */
static void playouts_measure(const struct game *game, const struct game_state *start, const char *variant,
                             double target) {
    struct game_state *state = game_state_alloc(game);
    double *rates = mem_alloc(BATCHES_MAX * sizeof *rates);
    struct rng rng;
    size_t batches = 0, plies = 0;
    uint64_t begin = clock_cpu_ns(), now = begin;
    rng_seed(&rng, 1);
    do {
        uint64_t before = now;
        for (int i = 0; i < PLAYOUT_BATCH; i++) {
            memcpy(state, start, game->state_size);
            plies += game->playout(game, state, &rng);
        }
        now = clock_cpu_ns();
        rates[batches++] = PLAYOUT_BATCH * 1e9 / (double)(now > before ? now - before : 1);
    } while (now - begin < PLAYOUT_NS && batches < BATCHES_MAX);
    qsort(rates, batches, sizeof *rates, rate_compare);
    char detail[96];
    snprintf(detail, sizeof detail, "%.1f actions each%s%s",
             (double)plies / (double)(batches * PLAYOUT_BATCH), variant == NULL ? "" : ", ",
             variant == NULL ? "" : variant);
    line_print(game, "random games", rates[batches / 2], target, detail);
    mem_free(rates);
    mem_free(state);
}

/* The same with other options. */
static bool variant_measure(const struct game *game, const struct bench_target *target) {
    const struct game *same;
    struct game_options options;
    struct game_state *start = game_state_alloc(game);
    bool is_good = game_choice(game->name, 0, target->variant, &same, &options) &&
                   game->setup(start, &options) == ERR_OK;
    if (is_good)
        playouts_measure(game, start, target->variant, target->variant_per_second);
    mem_free(start);
    return is_good;
}

static void perft_measure(const struct game *game, const struct game_state *start, unsigned turns,
                          double target) {
    uint64_t leaves = 0, spent = 0;
    unsigned counted = 0;
    while (turns != 0 ? counted == 0 : spent < PLAYOUT_NS / 10) {
        counted = turns != 0 ? turns : counted + 1;
        uint64_t begin = clock_cpu_ns();
        leaves = game->perft(game, start, counted);
        spent = clock_cpu_ns() - begin;
    }
    char detail[96];
    snprintf(detail, sizeof detail, "%" PRIu64 " sequences of %u turns in %.2f CPU s", leaves, counted,
             (double)spent / 1e9);
    line_print(game, "perft leaves", (double)leaves * 1e9 / (double)(spent == 0 ? 1 : spent), target, detail);
}

/* Plays on at random until what follows can be listed: some games begin with outcomes of chance that cannot.
 */
static void listed_begin(const struct game *game, struct game_state *state) {
    struct rng rng;
    seat_set set;
    rng_seed(&rng, 1);
    while (!perft_is_listed(game, state, LISTED_TURNS) && (set = game->turn(state)) != 0) {
        struct action action;
        unsigned seat = playout_seat(set, &rng);
        game->sample(state, seat, &rng, &action);
        game->apply(state, seat, &action);
    }
}

/* The same count, every leaf made. */
static void each_measure(const struct game *game, const struct game_state *start,
                         const struct bench_target *target) {
    uint64_t begin = clock_cpu_ns(), leaves = target->each(start, target->each_turns);
    uint64_t spent = clock_cpu_ns() - begin;
    char detail[96];
    snprintf(detail, sizeof detail, "%" PRIu64 " sequences of %u turns in %.2f CPU s", leaves,
             target->each_turns, (double)spent / 1e9);
    line_print(game, "leaves made", (double)leaves * 1e9 / (double)(spent == 0 ? 1 : spent),
               target->each_per_second, detail);
}

/* Where the counting begins: the position of the target, or the first that can be listed. */
static bool perft_begin(const struct game *game, const struct bench_target *target,
                        struct game_state *start) {
    const struct game *same;
    struct game_options options;
    if (target == NULL || target->play == NULL) {
        listed_begin(game, start);
        return true;
    }
    return game_choice(game->name, 0, target->options, &same, &options) &&
           game->setup(start, &options) == ERR_OK && game_choice_play(game, start, target->play) == ERR_OK;
}

/* So many random games and nothing else, always the same: for counting instructions (bench/rules). */
static bool games_play(const struct game *game, const char *with, int64_t count) {
    const struct game *same;
    struct game_options options;
    struct game_state *start = game_state_alloc(game), *state = game_state_alloc(game);
    bool is_good =
        game_choice(game->name, 0, with, &same, &options) && game->setup(start, &options) == ERR_OK;
    struct rng rng;
    size_t plies = 0;
    rng_seed(&rng, 1);
    for (int64_t i = 0; is_good && i < count; i++) {
        memcpy(state, start, game->state_size);
        plies += game->playout(game, state, &rng);
    }
    if (is_good)
        printf("%s %" PRId64 " games %zu actions\n", game->name, count, plies);
    mem_free(start);
    mem_free(state);
    return is_good;
}

static bool game_measure(const struct game *game, bool is_deep) {
    const struct bench_target *target = target_of(game);
    struct game_options options = game_options_default(game, game->seats_min);
    struct game_state *start = game_state_alloc(game);
    enum err e = game->setup(start, &options);
    bool is_good = e == ERR_OK;
    if (is_good) {
        unsigned turns = target == NULL ? 0 : is_deep ? target->turns_deep : target->turns;
        playouts_measure(game, start, NULL, target == NULL ? 0 : target->playouts_per_second);
        if (target != NULL && target->variant != NULL)
            is_good = variant_measure(game, target);
        is_good = is_good && perft_begin(game, target, start);
        if (is_good)
            perft_measure(game, start, turns, target == NULL ? 0 : target->leaves_per_second);
        if (is_good && target != NULL && target->each != NULL)
            each_measure(game, start, target);
    } else
        fprintf(stderr, "parlor: %s: %s\n", game->name, err_sentence(e));
    mem_free(start);
    return is_good;
}

/* A bot against itself: how many positions it looks at in a second, and how far it sees. */
static bool bot_measure(const struct game *game, const char *words, const char *with) {
    struct game_options options;
    struct bot_spec spec;
    const char *complaint;
    uint64_t nodes = 0, took_ns = 0;
    unsigned depth = 0, decisions = 0;
    seat_set set;
    struct rng rng;
    if (!bot_spec_read(span_of(words), game, &spec, &complaint)) {
        fprintf(stderr, "parlor: %s: '%s': %s\n", game->name, words, complaint);
        return false;
    }
    if (!game_choice(game->name, 0, with, &game, &options))
        return false;
    struct game_state *state = game_state_alloc(game);
    struct game_view *view = mem_alloc(game->state_size);
    struct bot *bot = bot_spec_open(&spec, game, clock_cpu_ns);
    enum err e = game->setup(state, &options);
    (void)e; /* game_choice has looked at them */
    rng_seed(&rng, 1);
    while ((set = game->turn(state)) != 0) {
        struct action action;
        unsigned seat = (unsigned)__builtin_ctz(set);
        if (seat == SEAT_CHANCE) {
            game->sample(state, seat, &rng, &action);
        } else {
            game_view(game, state, seat, view);
            uint64_t begun_ns = clock_cpu_ns();
            bot_choose(bot, view, seat, &rng, &action);
            took_ns += clock_cpu_ns() - begun_ns;
            nodes += bot->thought.nodes;
            decisions++;
            depth = depth == 0 ? bot->thought.depth : depth;
        }
        game->apply(state, seat, &action);
    }
    printf("%-14s %s: %.2f M positions/s, %u decisions of %.1f ms", game->name, words,
           (double)nodes / ((double)took_ns + 1) * 1e3, decisions, (double)took_ns / 1e6 / (decisions + 1));
    if (depth > 0)
        printf(", %u deep in the opening", depth);
    printf("\n");
    bot_close(bot);
    mem_free(view);
    mem_free(state);
    return true;
}

static int bench_run(int argc, char **argv) {
    enum { GAMES_MAX = 1000 * 1000 * 1000 };
    bool is_deep = false;
    int64_t count = 0;
    const char *with = NULL, *bot = NULL;
    const struct option_row rows[] = {
        ROW_FLAG("deep", &is_deep, "count one turn further (half a minute)"),
        ROW_NUMBER("games", &count, 0, GAMES_MAX, "no time: the same N random games in every run"),
        ROW_TEXT("option", "NAME=VALUE", &with, "of the game, for --games and --bot; several with commas"),
        ROW_TEXT("bot", "BOT", &bot, "instead: a game of a bot against itself (level:5, level:5,ms=1000)"),
        {0},
    };
    const struct options options = {
        .command = "bench",
        .operands = "[GAME]",
        .about = "Measures the rules of one game or of all: random games and counted sequences per second,\n"
                 "on one core.",
        .rows = rows,
        .operands_min = 0,
        .operands_max = 1,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    const struct game *only = operands.count == 0 ? NULL : game_by_name(span_of(operands.list[0]));
    if (operands.count == 1 && only == NULL) {
        fprintf(stderr, "parlor: no game '%s'\n", operands.list[0]);
        return EXIT_USAGE;
    }
    bool is_good = true;
    for (size_t i = 0; games[i] != NULL; i++)
        if (only == NULL || only == games[i])
            is_good = (bot != NULL ? bot_measure(games[i], bot, with)
                       : count > 0 ? games_play(games[i], with, count)
                                   : game_measure(games[i], is_deep)) &&
                      is_good;
    return is_good ? 0 : 1;
}

const struct command cmd_bench = {"bench", "measure the rules of a game", bench_run};
