/* Ready-made functions for games that need nothing of their own in their place. */
#ifndef GAME_STOCK_H
#define GAME_STOCK_H

#include "game/game.h"

/* For games in which everybody may know everything. */
void stock_redact_state(struct game_state *, unsigned viewer);
void stock_redact_action(const struct game_state *, unsigned actor, struct action *, unsigned viewer);
void stock_imagine(struct game_view *, unsigned viewer, struct rng *);

/* For games in which no action shows its player what it did not know before. */
bool stock_foresee(const struct game_view *, unsigned viewer, const struct action *);

/* For games whose rules say nothing about players that are not there. */
bool stock_attend(struct game_state *, unsigned seat, enum attendance);

/* For games in which everybody plays alone: all others. */
seat_set stock_rivals(const struct game_state *, unsigned seat);

/* Plays by turn, sample and apply alone: playout of game/playout.h. */
size_t stock_playout(const struct game *, struct game_state *, struct rng *);

/* Counts by turn, legal and apply alone: perft_turns of game/perft.h. */
uint64_t stock_perft(const struct game *, const struct game_state *, unsigned turns);

#endif
