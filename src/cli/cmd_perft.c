/* parlor perft GAME TURNS: counts the tree of a game from its start or a position, turn by turn. */
#include "base/clock.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/game_choice.h"
#include "cli/options.h"
#include "game/perft.h"
#include "games/santorini/santorini.h"

#include <inttypes.h>
#include <stdio.h>

enum { PERFT_TURNS_MAX = 100 };

/* Makes every leaf of a game that can count faster than that. */
static uint64_t count_each(const struct game *game, const struct game_state *state, unsigned turns) {
    bool is_plain = game == &santorini_game && santorini_is_plain(santorini_of(state), turns);
    return is_plain ? santorini_perft_each(santorini_of(state), turns) : perft_turns(game, state, turns);
}

static int perft_print(const struct game *game, const struct game_options *options, const char *play,
                       unsigned turns_max, bool is_each) {
    struct game_state *state = game_state_alloc(game);
    enum err e = game->setup(state, options);
    if (e == ERR_OK)
        e = game_choice_play(game, state, play);
    if (e == ERR_OK && !perft_is_listed(game, state, 1)) {
        fprintf(stderr, "parlor: %s has actions there that are too many to list\n", game->name);
        e = ERR_FIELD_INVALID;
    }
    if (e != ERR_OK) {
        mem_free(state);
        return 1;
    }
    printf("turns  sequences            million per second\n");
    for (unsigned turns = 1; turns <= turns_max; turns++) {
        uint64_t start = clock_monotonic_ns();
        uint64_t leaves = is_each ? count_each(game, state, turns) : game->perft(game, state, turns);
        uint64_t spent = clock_monotonic_ns() - start;
        printf("%5u  %-19" PRIu64 "  %.1f\n", turns, leaves,
               (double)leaves * 1000 / (double)(spent == 0 ? 1 : spent));
        fflush(stdout);
    }
    mem_free(state);
    return 0;
}

static int perft_run(int argc, char **argv) {
    const char *options_text = NULL, *play = "";
    int64_t seats = 0;
    bool is_each = false;
    const struct option_row rows[] = {
        ROW_NUMBER("players", &seats, 0, SEATS_MAX, "seats at the table; as few as the game allows when 0"),
        ROW_TEXT("option", "NAME=VALUE", &options_text, "options of the game, with commas between several"),
        ROW_TEXT("play", "ACTIONS", &play, "actions that lead to the position, with commas between them"),
        ROW_FLAG("each", &is_each, "make every leaf instead of counting those of the last turn together"),
        {0},
    };
    const struct options options = {
        .command = "perft",
        .operands = "GAME TURNS",
        .about = "Counts the action sequences of 1 to TURNS turns from the start of a game or a position.\n"
                 "Two implementations of the rules agree when these numbers do.",
        .rows = rows,
        .operands_min = 2,
        .operands_max = 2,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    const struct game *game;
    struct game_options chosen;
    int64_t turns;
    if (!game_choice(operands.list[0], seats, options_text, &game, &chosen))
        return EXIT_USAGE;
    if (!span_to_int(span_of(operands.list[1]), &turns) || turns < 1 || turns > PERFT_TURNS_MAX) {
        fprintf(stderr, "parlor: TURNS is a number from 1 to %d\n", PERFT_TURNS_MAX);
        return EXIT_USAGE;
    }
    return perft_print(game, &chosen, play, (unsigned)turns, is_each);
}

const struct command cmd_perft = {"perft", "count the tree of a game", perft_run};
