/* What clients of Masters of Renaissance have in common in the simulation, in whatever framing. */
#ifndef SIM_RENAISSANCE_CLIENTS_H
#define SIM_RENAISSANCE_CLIENTS_H

#include "json_clients.h"

#include "wire/renaissance/port.h"

/* Of the run that is going on: both framings lead to one room. */
extern struct renaissance_port_config renaissance_config;

/* For the functions of a sim_dialect; everything but the framing. */
struct json_speech renaissance_client_speech(const struct sim_dialect *);
enum json_meaning renaissance_client_takes(struct sim_client *, const json_t *message);
void renaissance_tells(struct sim_telling *, const struct sim_step *);
/* That the seat has what it has: the update of a production by which nothing changes. */
void renaissance_tells_layout(struct sim_telling *, const struct sim_step *, unsigned seat);
const char *renaissance_clients_wait(const struct sim *, const struct port *, bool is_saving);

#endif
