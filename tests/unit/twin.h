/* A table with another truth behind the same view: what secrets are tested with. */
#ifndef TESTS_TWIN_H
#define TESTS_TWIN_H

#include "base/mem.h"
#include "host/table/internal.h"

static struct game_state *table_truth(struct table *t) {
    return (struct game_state *)(uintptr_t)table_state(t);
}

/* From now on this is the truth about the table. */
static void truth_set(struct table *t, const struct game_state *truth) {
    memcpy(table_truth(t), truth, table_game(t)->state_size);
    table_changed(t);
}

/* From now on a world is true that the viewer cannot tell from the one before. False when it is the same. */
static bool truth_imagine(struct table *t, unsigned viewer, struct rng *rng) {
    const struct game *game = table_game(t);
    struct game_state *twin = game_state_alloc(game);
    game_view(game, table_state(t), viewer, (struct game_view *)twin);
    game->imagine((struct game_view *)twin, viewer, rng);
    bool is_other = memcmp(twin, table_state(t), game->state_size) != 0;
    truth_set(t, twin);
    mem_free(twin);
    return is_other;
}

#endif
