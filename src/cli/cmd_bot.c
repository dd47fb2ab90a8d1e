/* parlor bot GAME: one of Parlor's bots as a client of its own, over the protocol of its game. */
#include "cli/bot/programs.h"
#include "cli/command.h"
#include "game/game.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ENTRY(name) &name,
static const struct bot_program *const programs[] = {
#include "cli/bot_program_list.h"
    NULL,
};
#undef ENTRY

static void cmd_bot_print_help(void) {
    printf("usage: parlor bot GAME [options]\n\ngames:\n");
    for (size_t i = 0; programs[i] != NULL; i++)
        printf("  %-14s %s\n", programs[i]->game, programs[i]->summary);
    printf("\n'parlor bot GAME --help' shows the options of one.\n");
}

/* The same for machines, see cli/options_form.c. */
static bool cmd_bot_print_form(const char *form) {
    bool is_man = strcmp(form, "--help=man") == 0, is_words = strcmp(form, "--help=words") == 0;
    if (is_man)
        printf(".TH PARLOR-BOT 1 \"\" parlor \"User commands\"\n.SH NAME\nparlor\\-bot \\- play as a bot on "
               "a server\n"
               ".SH SYNOPSIS\n\\fBparlor bot\\fR \\fIGAME\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n"
               "One of the bots as a client of its own, over the protocol of its game. \\fBparlor bot\\fR "
               "\\fIGAME\\fR\n"
               "\\fB\\-\\-help\\fR shows the options of one.\n.SH GAMES\n");
    for (size_t i = 0; programs[i] != NULL && (is_man || is_words); i++)
        printf(is_man ? ".TP\n\\fB%s\\fR\n%s\n" : "%s\t\t\t%s\n", programs[i]->game, programs[i]->summary);
    if (is_man)
        printf(".SH SEE ALSO\n\\fBparlor\\fR(1)\n");
    return is_man || is_words;
}

static int bot_run(int argc, char **argv) {
    if (argc >= 2 && cmd_bot_print_form(argv[1]))
        return 0;
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        cmd_bot_print_help();
        return 0;
    }
    for (size_t i = 0; argc >= 2 && programs[i] != NULL; i++)
        if (strcmp(argv[1], programs[i]->game) == 0)
            return programs[i]->run(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "parlor: no bot for '%s'; see 'parlor bot --help'\n", argv[1]);
    else
        fprintf(stderr, "parlor: bot needs the name of a game; see 'parlor bot --help'\n");
    return EXIT_USAGE;
}

const struct command cmd_bot = {"bot", "play as a bot on a server", bot_run};
