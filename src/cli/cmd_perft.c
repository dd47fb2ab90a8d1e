/* parlor perft GAME TURNS: counts the tree of a game from its start, turn by turn. */
#include "base/clock.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/options.h"
#include "game/perft.h"

#include <inttypes.h>
#include <stdio.h>

enum { PERFT_TURNS_MAX = 100 };

static int perft_print(const struct game *game, unsigned turns_max) {
    struct game_options options = game_options_default(game, game->seats_min);
    struct game_state *state = game_state_alloc(game);
    enum err e = game->setup(state, &options);
    if (e != ERR_OK) {
        fprintf(stderr, "parlor: %s\n", err_sentence(e));
        mem_free(state);
        return 1;
    }
    if (!perft_is_listed(game, state, 1)) {
        fprintf(stderr, "parlor: %s begins with actions that are too many to list\n", game->name);
        mem_free(state);
        return 1;
    }
    printf("turns  sequences            million per second\n");
    for (unsigned turns = 1; turns <= turns_max; turns++) {
        uint64_t start = clock_monotonic_ns();
        uint64_t leaves = game->perft(game, state, turns);
        uint64_t spent = clock_monotonic_ns() - start;
        printf("%5u  %-19" PRIu64 "  %.1f\n", turns, leaves,
               (double)leaves * 1000 / (double)(spent == 0 ? 1 : spent));
        fflush(stdout);
    }
    mem_free(state);
    return 0;
}

static int perft_run(int argc, char **argv) {
    static const struct option_row rows[] = {{0}};
    static const struct options options = {
        .command = "perft",
        .operands = "GAME TURNS",
        .about = "Counts the action sequences of 1 to TURNS turns from the start of a game.\n"
                 "Two implementations of the rules agree when these numbers do.",
        .rows = rows,
        .operands_min = 2,
        .operands_max = 2,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    const struct game *game = game_by_name(span_of(operands.list[0]));
    int64_t turns;
    if (game == NULL) {
        fprintf(stderr, "parlor: no game '%s'\n", operands.list[0]);
        return EXIT_USAGE;
    }
    if (!span_to_int(span_of(operands.list[1]), &turns) || turns < 1 || turns > PERFT_TURNS_MAX) {
        fprintf(stderr, "parlor: TURNS is a number from 1 to %d\n", PERFT_TURNS_MAX);
        return EXIT_USAGE;
    }
    return perft_print(game, (unsigned)turns);
}

const struct command cmd_perft = {"perft", "count the tree of a game", perft_run};
