/* The commands of the program: one constant struct per command beside its code in cmd_*.c, one line in
 * main.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

struct command {
    const char *name;    /* "serve" */
    const char *summary; /* one line for `parlor --help` */
    /* argv[0] is the command's name. Returns the exit status: 0, EXIT_USAGE for a wrong call, 1 for
     * everything else. */
    int (*run)(int argc, char **argv);
};

enum { EXIT_USAGE = 2 };

extern const struct command *const commands[]; /* ended by NULL */

#endif
