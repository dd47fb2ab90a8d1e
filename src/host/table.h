/* A table: one game being played by its rules. It checks, then applies, in that order; what is refused has
 * changed nothing. What a breach of the rules costs, and what becomes of a seat that is given up, is policy
 * of the table, not a rule. */
#ifndef HOST_TABLE_H
#define HOST_TABLE_H

#include "game/game.h"

struct table_policy {
    bool violation_loses; /* an illegal action forfeits the seat; otherwise it is refused and may be tried
                             again */
};

enum table_outcome {
    TABLE_RUNNING,
    TABLE_PLAYED,    /* ended by the rules */
    TABLE_VIOLATED,  /* a seat broke the rules, and policy makes that a loss */
    TABLE_FORFEITED, /* a seat was given up: left, or out of time */
};

struct table;

/* Gives. Refuses options that the game refuses. */
enum err table_create(const struct game *, const struct game_options *, const struct table_policy *,
                      struct table **out) MUST_CHECK;
void table_free(struct table *);

/* Plays the actions of one seat, all of them or none: they are tried on a copy first. The reason of a refusal
 * is returned; when policy makes it a loss the table is over after it. Out of turn is never a violation. */
enum err table_act(struct table *, unsigned seat, const struct action *actions, size_t count) MUST_CHECK;

/* Declares the last attempt of a seat illegal: for messages that cannot even be read as actions. */
void table_violate(struct table *, unsigned seat);

/* The seat is given up: it loses, all others win. Does nothing to a table that is over. */
void table_forfeit(struct table *, unsigned seat);

enum table_outcome table_outcome(const struct table *);

/* Result per seat, once it is not running any more. After a violation or forfeit the seat has 0 and all
 * others 1. */
void table_points(const struct table *, int32_t points[SEATS_MAX]);

/* The truth about the table. Only for the host's own judgement: what leaves goes through table_view. */
const struct game_state *table_state(const struct table *);

/* What a viewer may know, into memory of the game's state_size. */
void table_view(const struct table *, unsigned viewer, struct game_view *out);

/* Number of actions played; every change of the table raises it. */
uint64_t table_version(const struct table *);

#endif
