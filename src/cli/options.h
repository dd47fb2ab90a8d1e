/* Command-line options from a table: parsing, --help and configuration files all come from the same rows, so
 * that they never disagree. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "base/option_row.h"
#include "base/span.h"

struct options {
    const char *command;               /* "serve" */
    const char *operands;              /* "GAME DEPTH" for the usage line; "" when there are none */
    const char *about;                 /* a paragraph for --help */
    const struct option_row *rows;     /* of the command itself */
    const struct option_group *groups; /* of others whom it serves, ended by one without rows; or NULL */
    int operands_min, operands_max;
};

struct operands {
    char **list;
    int count;
};

enum { OPTIONS_GO_ON = -1 };

/* A row and what it sets. */
struct option_place {
    const struct option_row *row; /* NULL: there is none */
    void *target;
};

/* Shows every row to visit, those of the command first, until it returns false. */
void options_each(const struct options *, bool (*visit)(void *context, const struct option_place *),
                  void *context);
/* The default of a row as a user would write it; false when it has none. */
bool options_default(const struct option_place *, char *text, size_t size);

/* Help for machines, from the same rows: --help=FORM. False when there is no such form. */
bool options_print_form(const struct options *, const char *form);

/* Reads argv (argv[0] is the command's name) into the targets. Options are accepted as --name VALUE,
 * --name=VALUE and anywhere between operands; a row named "config" is read as a file first, so that the
 * command line wins. Returns OPTIONS_GO_ON, or the exit status with which the command ends now: --help was
 * printed (--help=man, --help=conf and --help=words are forms for machines), or what is wrong with the call.
 */
int options_parse(const struct options *, int argc, char **argv, struct operands *out) MUST_CHECK;

#endif
