/* The bots as programs: one per game, each in a file of its own beside the protocol it speaks. */
#ifndef CLI_BOT_PROGRAMS_H
#define CLI_BOT_PROGRAMS_H

struct bot_program {
    const char *game;    /* "paper-soccer" */
    const char *summary; /* one line for `parlor bot --help` */
    int (*run)(int argc, char **argv);
};

extern const struct bot_program bot_eriantys;
extern const struct bot_program bot_renaissance;
extern const struct bot_program bot_santorini;
extern const struct bot_program bot_treasure;
extern const struct bot_program bot_ugs;

#endif
