/* The bots as programs: one per protocol, bot_PROTOCOL in bot/PROTOCOL.c, which is there because the file is.
 */
#ifndef CLI_BOT_PROGRAMS_H
#define CLI_BOT_PROGRAMS_H

struct bot_program {
    const char *game;    /* "paper-soccer" */
    const char *summary; /* one line for `parlor bot --help` */
    int (*run)(int argc, char **argv);
};

#define ENTRY(name) extern const struct bot_program name;
#include "cli/bot_program_list.h"
#undef ENTRY

#endif
