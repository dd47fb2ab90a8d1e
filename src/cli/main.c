/* parlor: the one program. */
#include "base/span.h"
#include "cli/command.h"
#include "server/libraries.h"
#include "version.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define ENTRY(name) extern const struct command name;
#include "cli/command_list.h"
#undef ENTRY

/* From src/cli/meson.build. */
#define ENTRY(name) &name,
const struct command *const commands[] = {
#include "cli/command_list.h"
    NULL,
};
#undef ENTRY

static void main_print_help(FILE *out) {
    fprintf(out, "usage: parlor COMMAND [options]\n\n"
                 "A server for turn-based board games, its game masters, bots and tools.\n\ncommands:\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out,
            "\n'parlor COMMAND --help' shows the options of a command; 'parlor --version' the version.\n");
}

/* The same for machines, see cli/options_form.c. */
static bool main_print_form(const char *form) {
    bool is_man = strcmp(form, "--help=man") == 0, is_words = strcmp(form, "--help=words") == 0;
    if (is_man)
        printf(
            ".TH PARLOR 1 \"\" \"parlor %s\" \"User commands\"\n.SH NAME\nparlor \\- a server for "
            "turn\\-based "
            "board games\n.SH SYNOPSIS\n\\fBparlor\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n"
            "Serves board games over the protocols of their communities and one of its own, and has the "
            "tools that\n"
            "belong to it. Each command has a manual page of its own.\n.SH COMMANDS\n",
            PARLOR_VERSION);
    for (size_t i = 0; commands[i] != NULL && (is_man || is_words); i++)
        printf(is_man ? ".TP\n\\fBparlor\\-%s\\fR(1)\n%s\n" : "%s\t\t\t%s\n", commands[i]->name,
               commands[i]->summary);
    return is_man || is_words;
}

int main(int argc, char **argv) {
    libraries_adopt();
    /* A peer that resets its connection must not end the program. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        main_print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        main_print_help(stdout);
        return 0;
    }
    if (main_print_form(argv[1]))
        return 0;
    if (strcmp(argv[1], "--version") == 0) {
        printf("parlor %s\n", PARLOR_VERSION);
        return 0;
    }
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    fprintf(stderr, "parlor: no command '%s'; see 'parlor --help'\n", argv[1]);
    return EXIT_USAGE;
}
