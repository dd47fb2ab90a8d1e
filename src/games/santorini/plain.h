/* Turns of Santorini in which nobody has a power, on the board alone: what counting (perft.c) and random
 * games (playout.c) share. Tests hold both against the turn as a machine of steps (turn.c). */
#ifndef GAMES_SANTORINI_PLAIN_H
#define GAMES_SANTORINI_PLAIN_H

#include "games/santorini/internal.h"

struct plain {
    cell_set block[SANTORINI_HEIGHT_MAX];
    cell_set dome;
    cell_set occupied;
};

static inline struct plain plain_of(const struct santorini *s) {
    return (struct plain){{s->block[0], s->block[1], s->block[2]}, s->dome, cells_occupied(s)};
}

/* R5: where a builder can go. */
static inline cell_set plain_moves(const struct plain *p, unsigned from) {
    cell_set high = cell_is_in(from, p->block[1]) ? 0 : p->block[1 + (p->block[0] >> from & 1)];
    return santorini_near[from] & ~(p->dome | p->occupied | high);
}

/* R8: which of these moves win. */
static inline cell_set plain_wins(const struct plain *p, unsigned from, cell_set moves) {
    return cell_is_in(from, p->block[1] & ~p->block[2]) ? moves & p->block[2] : 0;
}

/* R6: where a builder that has gone from one cell to another can build. */
static inline cell_set plain_sites(const struct plain *p, unsigned from, unsigned to) {
    return santorini_near[to] & ~(p->dome | (p->occupied & ~CELL_BIT(from)));
}

static inline unsigned plain_height(const struct plain *p, unsigned cell) {
    return (p->block[0] >> cell & 1) + (p->block[1] >> cell & 1) + (p->block[2] >> cell & 1);
}

/* A block, or a dome on three of them. */
static inline void plain_build(struct plain *p, unsigned site) {
    cell_set bit = CELL_BIT(site);
    p->dome |= bit & p->block[2];
    p->block[2] |= bit & p->block[1];
    p->block[1] |= bit & p->block[0];
    p->block[0] |= bit;
}

#endif
