/* parlor tune GAME: a bot plays against itself and learns from that how to judge a position. */
#include "bots/bots.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/tune/tune.h"
#include "games/paper_soccer/paper_soccer.h"

#include <stdio.h>

/* The kind that plays this game by weights; NULL: none does. */
static const struct bot_kind *tune_kind(const char *name) {
    for (size_t i = 0; bot_kinds[i] != NULL; i++)
        if (bot_kinds[i]->weights != NULL && strcmp(bot_kinds[i]->game->name, name) == 0)
            return bot_kinds[i];
    return NULL;
}

static int tune_game(const char *name, const struct tune_plan *plan) {
    const struct bot_kind *kind = tune_kind(name);
    if (strcmp(paper_soccer_game.name, name) == 0)
        return pitch_tune(plan);
    if (kind != NULL)
        return weights_tune(plan, kind);
    fprintf(stderr, "parlor: nothing is learned for '%s'; there is: %s", name, paper_soccer_game.name);
    for (size_t i = 0; bot_kinds[i] != NULL; i++)
        if (bot_kinds[i]->weights != NULL)
            fprintf(stderr, " %s", bot_kinds[i]->game->name);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

static int tune_run(int argc, char **argv) {
    struct tune_plan plan = {
        .rounds = 6, .games = 8000, .nodes = 400, .trust = 50, .seed = 1, .out_path = "weights.inc"};
    const struct option_row rows[] = {
        ROW_NUMBER("rounds", &plan.rounds, 1, 1000, "rounds of playing and learning"),
        ROW_NUMBER("games", &plan.games, 1, 1000000, "games of a round"),
        ROW_NUMBER("nodes", &plan.nodes, 1, 1000000, "positions that the bot looks at for a turn"),
        ROW_NUMBER(
            "trust", &plan.trust, 0, 100,
            "how much of a lesson is what the bot expected, and not how the game ended, in hundredths"),
        ROW_NUMBER("seed", &plan.seed, 0, INT64_MAX,
                   "of games and weights: the same seed gives the same weights"),
        ROW_TEXT("out", "FILE", &plan.out_path, "where the weights are written, after every round"),
        {0},
    };
    const struct options options = {
        .command = "tune",
        .operands = "GAME",
        .about =
            "Lets a bot play against itself and learn from that how to judge a position. The weights are\n"
            "those that the program is built with, once they stand in its sources.",
        .rows = rows,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    return wrong != OPTIONS_GO_ON ? wrong : tune_game(operands.list[0], &plan);
}

const struct command cmd_tune = {"tune", "let a bot learn from games against itself", tune_run};
