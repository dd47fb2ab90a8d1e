/* Command-line options from a table: parsing, --help and configuration files all come from the same rows, so
 * that they never disagree. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "base/span.h"

enum { OPTION_SECONDS_MS_MAX = 24 * 60 * 60 * 1000 };

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

/* Rows without the fields that a kind does not need. */
#define ROW_TEXT(row_name, row_value, row_target, row_help)                                                  \
    {                                                                                                        \
        .name = (row_name), .value = (row_value), .help = (row_help), .kind = OPTION_TEXT,                   \
        .target = (row_target)                                                                               \
    }
#define ROW_WORD(row_name, row_value, row_target, row_words, row_help)                                       \
    {                                                                                                        \
        .name = (row_name), .value = (row_value), .help = (row_help), .kind = OPTION_WORD,                   \
        .target = (row_target), .words = (row_words)                                                         \
    }
#define ROW_FLAG(row_name, row_target, row_help)                                                             \
    { .name = (row_name), .help = (row_help), .kind = OPTION_FLAG, .target = (row_target) }
#define ROW_SECONDS(row_name, row_target, row_help)                                                          \
    {                                                                                                        \
        .name = (row_name), .value = "SECONDS", .help = (row_help), .kind = OPTION_SECONDS,                  \
        .target = (row_target), .min = 1, .max = OPTION_SECONDS_MS_MAX                                       \
    }
/* given is NULL, or learns that the number was given: it has no default of its own then. */
#define ROW_NUMBER(row_name, row_target, from, to, given, row_help)                                          \
    {                                                                                                        \
        .name = (row_name), .value = "N", .help = (row_help), .kind = OPTION_INT, .target = (row_target),    \
        .min = (from), .max = (to), .is_given = (given)                                                      \
    }

struct options {
    const char *command;  /* "serve" */
    const char *operands; /* "GAME DEPTH" for the usage line; "" when there are none */
    const char *about;    /* a paragraph for --help */
    const struct option_row *rows;
    int operands_min, operands_max;
};

struct operands {
    char **list;
    int count;
};

enum { OPTIONS_GO_ON = -1 };

/* Reads argv (argv[0] is the command's name) into the targets. Options are accepted as --name VALUE,
 * --name=VALUE and anywhere between operands; a row named "config" is read as a file first, so that the
 * command line wins. Returns OPTIONS_GO_ON, or the exit status with which the command ends now: --help was
 * printed, or what is wrong with the call. */
int options_parse(const struct options *, int argc, char **argv, struct operands *out) MUST_CHECK;

/* Splits "ADDR:PORT" ("[::1]:80" too) into its parts. */
enum err options_address(const char *text, char *host, size_t host_size, uint16_t *port) MUST_CHECK;

#endif
