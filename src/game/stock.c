#include "game/stock.h"

#include "game/perft.h"
#include "game/playout.h"

void stock_redact_state(struct game_state *state, unsigned viewer) {
    (void)state;
    (void)viewer;
}

void stock_redact_action(const struct game_state *state, unsigned actor, struct action *action,
                         unsigned viewer) {
    (void)state;
    (void)actor;
    (void)action;
    (void)viewer;
}

void stock_imagine(struct game_view *view, unsigned viewer, struct rng *rng) {
    (void)view;
    (void)viewer;
    (void)rng;
}

bool stock_foresee(const struct game_view *view, unsigned viewer, const struct action *action) {
    (void)view;
    (void)viewer;
    (void)action;
    return true;
}

bool stock_attend(struct game_state *state, unsigned seat, enum attendance attendance) {
    (void)state;
    (void)seat;
    (void)attendance;
    return false;
}

seat_set stock_rivals(const struct game_state *state, unsigned seat) {
    (void)state;
    return (SEAT_BIT(SEATS_MAX) - 1) & ~SEAT_BIT(seat);
}

uint64_t stock_perft(const struct game *game, const struct game_state *state, unsigned turns) {
    return perft_turns(game, state, turns);
}

size_t stock_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    return playout(game, state, rng);
}
