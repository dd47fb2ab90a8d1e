/* Every protocol that the simulation speaks. A new one is a file and a line here. */
#include "sim.h"

extern const struct sim_dialect ugs_dialect;
extern const struct sim_dialect tables_dialect;
extern const struct sim_dialect santorini_dialect;
extern const struct sim_dialect eriantys_dialect;
extern const struct sim_dialect renaissance_dialect;
extern const struct sim_dialect api_dialect;
extern const struct sim_dialect treasure_dialect;

const struct sim_dialect *const sim_dialects[] = {
    &ugs_dialect,         &tables_dialect, &santorini_dialect, &eriantys_dialect,
    &renaissance_dialect, &api_dialect,    &treasure_dialect,  NULL,
};
