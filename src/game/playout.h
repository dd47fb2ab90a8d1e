/* Playing a game to its end by random legal actions: for contract tests, benchmarks and search. */
#ifndef GAME_PLAYOUT_H
#define GAME_PLAYOUT_H

#include "game/game.h"

/* The seat that acts next in a random playout: one of the set, which must not be empty. */
static inline unsigned playout_seat(seat_set set, struct rng *rng) {
    if ((set & (set - 1)) != 0)
        for (uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(set)); skip > 0; skip--)
            set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

/* Plays one random action of one of these seats, which are those to act. */
static inline void playout_step(const struct game *rules, struct game_state *state, seat_set set,
                                struct rng *rng) {
    unsigned seat = playout_seat(set, rng);
    struct action action;
    rules->sample(state, seat, rng, &action);
    rules->apply(state, seat, &action);
}

/* Plays on in place until the table is over. Returns the number of actions played. In a simultaneous phase
 * the seat that acts next is drawn at random. */
size_t playout(const struct game *, struct game_state *, struct rng *);

#endif
