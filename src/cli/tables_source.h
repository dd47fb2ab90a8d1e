/* Where the tables of a program get the time and their secrets from: the machine, or a seed when a run must
 * be repeatable. With a seed the dice are no secret. */
#ifndef CLI_TABLES_SOURCE_H
#define CLI_TABLES_SOURCE_H

#include "host/table/table.h"

struct tables_source {
    bool has_seed;
    struct rng rng; /* when it has one */
};

/* The configuration of tables on this store; borrows the source for their life. */
struct tables_config tables_source_config(struct tables_source *, struct store *);

#endif
