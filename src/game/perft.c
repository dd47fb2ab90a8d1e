#include "game/perft.h"

#include "base/mem.h"

#include <assert.h>

static uint64_t walk_seat(const struct game *game, const struct game_state *state, unsigned seat,
                          unsigned turns);

static uint64_t walk(const struct game *game, const struct game_state *state, unsigned turns) {
    uint64_t leaves = 0;
    seat_set set = game->turn(state);
    for (unsigned seat = 0; seat <= SEAT_CHANCE; seat++)
        if (set & SEAT_BIT(seat))
            leaves += walk_seat(game, state, seat, turns);
    return leaves;
}

static uint64_t walk_seat(const struct game *game, const struct game_state *state, unsigned seat,
                          unsigned turns) {
    struct action *actions = mem_alloc(game->actions_max * sizeof *actions);
    struct game_state *next = game_state_alloc(game);
    size_t count = game->legal(state, seat, actions);
    assert(count != LEGAL_UNLISTED);
    seat_set before = game->turn(state);
    uint64_t leaves = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(next, state, game->state_size);
        game->apply(next, seat, &actions[i]);
        unsigned left = game->turn(next) == before ? turns : turns - 1;
        leaves += left == 0 ? 1 : walk(game, next, left);
    }
    mem_free(next);
    mem_free(actions);
    return leaves;
}

uint64_t perft_turns(const struct game *game, const struct game_state *state, unsigned turns) {
    return turns == 0 ? 1 : walk(game, state, turns);
}

static bool seat_is_listed(const struct game *game, const struct game_state *state, unsigned seat,
                           unsigned turns) {
    struct action *actions = mem_alloc(game->actions_max * sizeof *actions);
    struct game_state *next = game_state_alloc(game);
    seat_set before = game->turn(state);
    size_t count = game->legal(state, seat, actions);
    bool is_listed = count != LEGAL_UNLISTED;
    for (size_t i = 0; is_listed && i < count; i++) {
        memcpy(next, state, game->state_size);
        game->apply(next, seat, &actions[i]);
        is_listed = perft_is_listed(game, next, game->turn(next) == before ? turns : turns - 1);
    }
    mem_free(next);
    mem_free(actions);
    return is_listed;
}

bool perft_is_listed(const struct game *game, const struct game_state *state, unsigned turns) {
    seat_set set = game->turn(state);
    for (unsigned seat = 0; turns > 0 && seat <= SEAT_CHANCE; seat++)
        if ((set & SEAT_BIT(seat)) && !seat_is_listed(game, state, seat, turns))
            return false;
    return true;
}
