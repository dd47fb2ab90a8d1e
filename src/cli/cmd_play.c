/* parlor play GAME: a person against the bot in the terminal. */
#include "bots/bots.h"
#include "cli/command.h"
#include "cli/game_choice.h"
#include "cli/options.h"
#include "cli/play.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

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

/* Of the terminal; 0 when there is none or it does not say. */
static unsigned screen_rows(void) {
    struct winsize size = {0};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

static int play_command(int argc, char **argv) {
    int64_t level = BOT_LEVEL_DEFAULT, seed = 0, players = 0;
    const char *game_options_text = NULL;
    int seat = PLAY_FIRST, color = COLOR_AUTO;
    bool is_ascii = false;
    const struct option_row rows[] = {
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "how well the bot plays, 1 to 5"),
        ROW_NUMBER("players", &players, 0, SEATS_MAX,
                   "seats at the table, you and bots; as few as the game allows when 0"),
        ROW_TEXT("option", "NAME=VALUE", &game_options_text,
                 "options of the game, with commas between several"),
        ROW_WORD("seat", "SEAT", &seat, play_seat_words, "your seat: first, second, third, fourth or random"),
        ROW_NUMBER("seed", &seed, 0, INT32_MAX,
                   "number that decides what the bot leaves to chance; random when 0"),
        ROW_FLAG("ascii", &is_ascii, "draw with ASCII characters only"),
        ROW_WORD("color", "WHEN", &color, color_words, "auto, always or never"),
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
    const struct game *game;
    struct game_options chosen;
    if (!game_choice(operands.list[0], players, game_options_text, &game, &chosen))
        return EXIT_USAGE;
    if (seat != PLAY_RANDOM && (uint32_t)seat >= chosen.seat_count) {
        fprintf(stderr, "parlor: there is no %s seat at a table of %u\n", play_seat_words[seat],
                chosen.seat_count);
        return EXIT_USAGE;
    }
    uint32_t random_seed = 1;
    if (seed == 0)
        seed = getrandom(&random_seed, sizeof random_seed, 0) == sizeof random_seed ? random_seed : 1;
    struct play_settings settings = {
        .game = game,
        .options = chosen,
        .level = (unsigned)level,
        .seat = (enum play_seat)seat,
        .seed = (uint64_t)seed,
        .is_ascii = is_ascii,
        .has_color = color_wanted((enum color)color),
        .clears = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO),
        .rows = screen_rows(),
        .echoes = !isatty(STDIN_FILENO),
    };
    return play_run(&settings, stdin, stdout);
}

const struct command cmd_play = {"play", "play against the bot in the terminal", play_command};
