/* parlor play GAME: a person against the bot in the terminal. */
#include "bots/bots.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/play.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

static const char *const seat_words[] = {"first", "second", "random", NULL};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
static const char *const color_words[] = {"auto", "always", "never", NULL};

/* See https://no-color.org for the variable. */
static bool color_wanted(enum color color) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (color != COLOR_AUTO)
        return color == COLOR_ALWAYS;
    return isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static int play_command(int argc, char **argv) {
    int64_t level = BOT_LEVEL_DEFAULT, seed = 0;
    int seat = PLAY_FIRST, color = COLOR_AUTO;
    bool is_ascii = false, has_seed = false;
    const struct option_row rows[] = {
        {"level", "N", "how well the bot plays, 1 to 5", OPTION_INT, &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX,
         NULL, NULL, NULL},
        {"seat", "SEAT", "your seat: first, second or random", OPTION_WORD, &seat, 0, 0, seat_words, NULL,
         NULL},
        {"seed", "N", "number that decides what the bot leaves to chance; random when 0", OPTION_INT, &seed,
         0, INT32_MAX, NULL, NULL, &has_seed},
        {"ascii", NULL, "draw with ASCII characters only", OPTION_FLAG, &is_ascii, 0, 0, NULL, NULL, NULL},
        {"color", "WHEN", "auto, always or never", OPTION_WORD, &color, 0, 0, color_words, NULL, NULL},
        {0},
    };
    const struct options options = {
        .command = "play",
        .operands = "GAME",
        .about = "You against the bot of a game, in this terminal. Lines come from standard input.",
        .rows = rows,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    const struct game *game = game_by_name(span_of(operands.list[0]));
    if (game == NULL) {
        fprintf(stderr, "parlor: no game '%s'\n", operands.list[0]);
        return EXIT_USAGE;
    }
    uint32_t random_seed = 1;
    if (!has_seed || seed == 0)
        seed = getrandom(&random_seed, sizeof random_seed, 0) == sizeof random_seed ? random_seed : 1;
    struct play_settings settings = {
        .game = game,
        .level = (unsigned)level,
        .seat = (enum play_seat)seat,
        .seed = (uint64_t)seed,
        .is_ascii = is_ascii,
        .has_color = color_wanted((enum color)color),
        .clears = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO),
        .echoes = !isatty(STDIN_FILENO),
    };
    return play_run(&settings, stdin, stdout);
}

const struct command cmd_play = {"play", "play against the bot in the terminal", play_command};
