/* Every protocol that the simulation speaks: those of the server's list that have a dialect_NAME.c here, and
 * the tables themselves. The list is written by meson.build. */
#include "sim.h"

#define ENTRY(name) extern const struct sim_dialect name;
#include "tests/sim/dialect_list.h"
#undef ENTRY

#define ENTRY(name) &name,
const struct sim_dialect *const sim_dialects[] = {
#include "tests/sim/dialect_list.h"
    NULL,
};
#undef ENTRY
