/* A database that several nodes share, for runs of more than one server: journals in memory, and between them
 * and each node everything that a network and a database do to their users. Commits and answers take their
 * time; an answer is lost, and its append stays unsettled until it is found out, truthfully, what became of
 * it; the database is away for one node or for all; commits of others come late, again, and in any order
 * between tables, but in the order of each journal; words come late or are lost, and then that is told; who
 * is there is told late, so that two nodes believe that they care for a table or have the lease. Every choice
 * comes from the seed. */
#ifndef SIM_SHARED_STORE_H
#define SIM_SHARED_STORE_H

#include "sim.h"

struct shared_db;

/* What goes wrong, per thousand. */
struct shared_plan {
    unsigned slow, doubt, lose_words, again, late_company;
};

struct shared_db *shared_db_create(struct sim *, const struct shared_plan *);
void shared_db_free(struct shared_db *);

/* The journals themselves. */
struct store *shared_journals(const struct shared_db *);

/* From now on nothing goes wrong by itself, and nobody is cut off. */
void shared_db_calm(struct shared_db *);

/* One more node. ERR_IO while the database is away. */
enum err shared_store_open(struct shared_db *, struct store **out);

/* The database is away for a node, or back; for all with NULL. */
void shared_store_cut(struct shared_db *, struct store *, bool is_away);

/* The process of the node dies: of what is on its way, some may still be committed. To be closed after it. */
void shared_store_kill(struct store *);

/* Whether an event that is in the journal was written by this node. */
bool shared_is_author(const struct store *, uint64_t table, uint64_t seq);

/* When store_drain has something to deliver; TIMERS_NEVER: nothing is on its way. */
uint64_t shared_store_next_ms(const struct store *);

#endif
