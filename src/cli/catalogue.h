/* The options of commands that list what the program has: for people, or as JSON for programs, among them the
 * tests. */
#ifndef CLI_CATALOGUE_H
#define CLI_CATALOGUE_H

#include "base/writer.h"

#include <jansson.h>

struct catalogue {
    const char *command; /* "games": also the name of the list in JSON */
    const char *about;
    void (*print)(void);            /* for people */
    void (*write)(struct writer *); /* the objects of the list */
    /* The JSON schemas of one of the list, as json_schemas; NULL: of none. Gives. */
    json_t *(*schemas)(const char *name);
};

/* Returns the exit status of the command. */
int catalogue_run(const struct catalogue *, int argc, char **argv);

#endif
