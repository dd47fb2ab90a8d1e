#include "game/playout.h"

size_t playout(const struct game *game, struct game_state *state, struct rng *rng) {
    size_t plies = 0;
    seat_set set;
    while ((set = game->turn(state)) != 0) {
        playout_step(game, state, set, rng);
        plies++;
    }
    return plies;
}
