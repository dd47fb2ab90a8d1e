#include "host/table/trial.h"

#include "base/digest.h"
#include "base/mem.h"
#include "game/stock.h"
#include "host/table/internal.h"

void trial_imagine(const struct game *game, struct game_view *view, unsigned seat, struct rng *rng) {
    const struct span bytes = span_make(view, game->state_size);
    struct digest digest;
    digest_of(&digest, NULL, &bytes, 1);
    rng_seed(rng, digest_to_number(digest.bytes));
    game->imagine(view, seat, rng);
}

static enum err trial_read(const struct game *game, const struct game_state *state, unsigned seat,
                           struct span text, struct action *action) {
    seat_set turn = game->turn(state);
    if (turn == 0)
        return ERR_TABLE_OVER;
    if ((turn & SEAT_BIT(seat)) == 0)
        return ERR_NOT_YOUR_TURN;
    enum err e = game->action_parse(state, seat, text, action);
    return e == ERR_OK ? game->check(state, seat, action) : e;
}

static bool trial_foresees(const struct game *game, const struct game_state *state, unsigned seat,
                           const struct action *action) {
    if (game->foresee == stock_foresee)
        return true;
    struct game_view *view = (struct game_view *)game_state_alloc(game);
    game_view(game, state, seat, view);
    bool is_foreseen = game->foresee(view, seat, action);
    mem_free(view);
    return is_foreseen;
}

/* actions NULL: they are only tried. Otherwise the last one is for the table to play, whatever comes of it.
 */
static enum err trial_steps(const struct game *game, struct game_state *state, unsigned seat,
                            const struct span *texts, size_t count, struct action *actions,
                            struct trial *out) {
    *out = (struct trial){0};
    while (out->played < count) {
        struct action action = {0};
        bool is_last = out->played + 1 == count;
        enum err e = trial_read(game, state, seat, texts[out->played], &action);
        if (actions != NULL)
            actions[out->played] = action;
        if (e != ERR_OK)
            return e;
        bool is_left = is_last && actions != NULL;
        out->is_unknown = !is_left && !trial_foresees(game, state, seat, &action);
        if (out->is_unknown && is_last)
            return ERR_OK;
        if (!is_left)
            game->apply(state, seat, &action);
        out->played++;
        if (out->is_unknown)
            return ERR_OUTCOME_UNKNOWN;
    }
    return ERR_OK;
}

enum err trial_play(const struct game *game, struct game_state *state, unsigned seat,
                    const struct span *texts, size_t count, struct trial *out) {
    return trial_steps(game, state, seat, texts, count, NULL, out);
}

enum err trial_table(const struct table *t, unsigned seat, const struct span *texts, size_t count,
                     struct action *actions, struct trial *out) {
    tables_make_room(t->tables, t->fold.game);
    memcpy(t->tables->next, t->fold.state, t->fold.game->state_size);
    return trial_steps(t->fold.game, t->tables->next, seat, texts, count, actions, out);
}
