#include "host/table.h"

#include "base/mem.h"

#include <assert.h>

struct table {
    const struct game *game;
    struct game_options options;
    struct table_policy policy;
    enum table_outcome outcome;
    unsigned offender; /* the seat that lost by violation or forfeit */
    uint64_t version;
    struct game_state *state;
    struct game_state *trial; /* scratch: where requests are tried before they count */
};

enum err table_create(const struct game *game, const struct game_options *options,
                      const struct table_policy *policy, struct table **out) {
    struct game_state *state = game_state_alloc(game);
    enum err e = game->setup(state, options);
    if (e != ERR_OK) {
        mem_free(state);
        return e;
    }
    struct table *table = mem_alloc(sizeof *table);
    table->game = game;
    table->options = *options;
    table->policy = *policy;
    table->state = state;
    table->trial = game_state_alloc(game);
    *out = table;
    return ERR_OK;
}

void table_free(struct table *table) {
    if (table == NULL)
        return;
    mem_free(table->state);
    mem_free(table->trial);
    mem_free(table);
}

static void lose(struct table *table, unsigned seat, enum table_outcome outcome) {
    assert(seat < table->options.seat_count);
    table->outcome = outcome;
    table->offender = seat;
    table->version++;
}

static enum err try_actions(struct table *table, unsigned seat, const struct action *actions, size_t count) {
    const struct game *game = table->game;
    memcpy(table->trial, table->state, game->state_size);
    for (size_t i = 0; i < count; i++) {
        enum err e = game->check(table->trial, seat, &actions[i]);
        if (e != ERR_OK)
            return e;
        game->apply(table->trial, seat, &actions[i]);
    }
    return ERR_OK;
}

enum err table_act(struct table *table, unsigned seat, const struct action *actions, size_t count) {
    if (table->outcome != TABLE_RUNNING)
        return ERR_TABLE_OVER;
    if (!game_may_act(table->game, table->state, seat))
        return ERR_NOT_YOUR_TURN;
    enum err e = try_actions(table, seat, actions, count);
    if (e != ERR_OK) {
        if (table->policy.violation_loses)
            table_violate(table, seat);
        return e;
    }
    struct game_state *played = table->trial;
    table->trial = table->state;
    table->state = played;
    table->version += count;
    if (table->game->turn(table->state) == 0)
        table->outcome = TABLE_PLAYED;
    return ERR_OK;
}

void table_violate(struct table *table, unsigned seat) {
    if (table->outcome == TABLE_RUNNING)
        lose(table, seat, TABLE_VIOLATED);
}

void table_forfeit(struct table *table, unsigned seat) {
    if (table->outcome == TABLE_RUNNING)
        lose(table, seat, TABLE_FORFEITED);
}

enum table_outcome table_outcome(const struct table *table) {
    return table->outcome;
}

void table_points(const struct table *table, int32_t points[SEATS_MAX]) {
    assert(table->outcome != TABLE_RUNNING);
    memset(points, 0, SEATS_MAX * sizeof *points);
    if (table->outcome == TABLE_PLAYED) {
        table->game->score(table->state, points);
        return;
    }
    for (unsigned seat = 0; seat < table->options.seat_count; seat++)
        points[seat] = seat != table->offender;
}

const struct game_state *table_state(const struct table *table) {
    return table->state;
}

void table_view(const struct table *table, unsigned viewer, struct game_view *out) {
    game_view(table->game, table->state, viewer, out);
}

uint64_t table_version(const struct table *table) {
    return table->version;
}
