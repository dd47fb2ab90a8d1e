#include "game/playout.h"

unsigned playout_seat(seat_set set, struct rng *rng) {
    if ((set & (set - 1)) != 0)
        for (uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(set)); skip > 0; skip--)
            set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

void playout_step(const struct game *game, struct game_state *state, seat_set set, struct rng *rng) {
    unsigned seat = playout_seat(set, rng);
    struct action action;
    game->sample(state, seat, rng, &action);
    game->apply(state, seat, &action);
}

size_t playout(const struct game *game, struct game_state *state, struct rng *rng) {
    size_t plies = 0;
    seat_set set;
    while ((set = game->turn(state)) != 0) {
        playout_step(game, state, set, rng);
        plies++;
    }
    return plies;
}
