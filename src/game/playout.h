/* Playing a game to its end by random legal actions: for contract tests, benchmarks and search. */
#ifndef GAME_PLAYOUT_H
#define GAME_PLAYOUT_H

#include "game/game.h"

/* Plays one random action of one of these seats, which are those to act. */
void playout_step(const struct game *, struct game_state *, seat_set, struct rng *);

/* Plays on in place until the table is over. Returns the number of actions played. In a simultaneous phase
 * the seat that acts next is drawn at random. */
size_t playout(const struct game *, struct game_state *, struct rng *);

/* The seat that acts next in a random playout: one of the set, which must not be empty. */
unsigned playout_seat(seat_set set, struct rng *);

#endif
