/* Championships in the simulation (sim --cups): one owner after the other opens one over the API, enters
 * bots, begins it, pauses it now and then; players enter and play their tables, at whichever node. What
 * anybody was told of them is held against their journals, and those against the journals of their tables. */
#ifndef SIM_CUPS_H
#define SIM_CUPS_H

#include "sim.h"

struct hall_desk;

/* cup_clients.c: the clients, and where the championships of a server are to be found. */
void cup_clients_add(struct sim *);
void cup_clients_finish(void);
struct hall_desk *cup_clients_desk(const struct sim_server *);
/* Nobody says anything any more: the operator cancels what was never begun, and lets go on what is paused.
 * True when all championships are over at every server. */
bool cup_clients_are_over(const struct sim *);
/* What looks for deserted ones has seen that there are none. */
bool cup_clients_are_swept(const struct sim *);

/* cup_oracle.c: what was told is remembered, and compared with what was told before. How a pairing was
 * decided is a text; pairings that are played again are others. */
void cup_told_entrant(const char *cup, const char *name);
void cup_told_begun(const char *cup);
void cup_told_result(struct sim *, const char *cup, unsigned pairing, unsigned replays, const char *text);
void cup_told_free(void);
/* The journal of a championship, in the end: no pair plays more often than the format has it, no table counts
 * twice, every result is that of its table, everything that was told stands there, and what began is decided
 * to the last pairing. */
void cup_oracle_check(struct sim *, uint64_t id, const struct journal_copy *);

#endif
