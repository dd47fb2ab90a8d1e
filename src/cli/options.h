/* Command-line options from a table: parsing, --help and configuration files all come from the same rows, so
 * that they never disagree. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "base/span.h"

enum option_kind {
    OPTION_FLAG,    /* bool *: true when given */
    OPTION_TEXT,    /* const char **: borrows from argv, or keeps for ever when it comes from a file */
    OPTION_INT,     /* int64_t *: within min..max */
    OPTION_SECONDS, /* uint32_t * in milliseconds: "30", "0.5", within min..max milliseconds */
    OPTION_WORD,    /* int *: index into words */
};

struct option_row {
    const char *name;  /* without the dashes; NULL ends the table */
    const char *value; /* what the value is called in --help, "ADDR:PORT"; NULL for a flag */
    const char *help;
    enum option_kind kind;
    void *target; /* holds the default before parsing */
    int64_t min, max;
    const char *const *words; /* OPTION_WORD: the allowed words, ended by NULL */
    const char **second;      /* not NULL: the option takes two values, the second goes here (a text) */
    bool *is_given; /* not NULL: set to true when the option is given; a number has no default then */
};

struct options {
    const char *command;  /* "serve" */
    const char *operands; /* "GAME DEPTH" for the usage line; "" when there are none */
    const char *about;    /* a paragraph for --help */
    const struct option_row *rows;
    int operands_min, operands_max;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_DONE /* --help was printed */,
    OPTIONS_WRONG /* and why was printed */
};

/* Reads argv (argv[0] is the command's name) into the targets. Options are accepted as --name VALUE,
 * --name=VALUE and anywhere between operands; a row named "config" is read as a file first, so that the
 * command line wins. On OPTIONS_RUN *operands is the first of *operand_count operands. */
enum options_result options_parse(const struct options *, int argc, char **argv, char ***operands,
                                  int *operand_count) MUST_CHECK;

/* Splits "ADDR:PORT" ("[::1]:80" too) into its parts. */
enum err options_address(const char *text, char *host, size_t host_size, uint16_t *port) MUST_CHECK;

#endif
