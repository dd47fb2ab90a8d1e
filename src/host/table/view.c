/* What viewers may know of a table. The only file that turns the truth of a live table into something that
 * leaves this folder. */
#include "base/mem.h"
#include "host/table/internal.h"

#include <assert.h>

/* With the address sanitizer every view has memory of its own, so that one that is used too late is found. */
#ifdef __SANITIZE_ADDRESS__
enum { VIEWS_ARE_FRESH = true };
#else
enum { VIEWS_ARE_FRESH = false };
#endif

void table_changed(struct table *t) {
    t->stamp = ++t->tables->stamps;
}

void table_views_free(struct table_views *views) {
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++)
        mem_free(views->of[viewer].view);
}

/* The view of a state of the table now: from the ones that are there, or made. */
static const struct game_view *view_of(const struct table *t, struct table_views *views,
                                       const struct game_state *state, unsigned viewer) {
    const struct game *game = t->fold.game;
    assert(viewer < t->fold.setup.options.seat_count || viewer == SEAT_WATCHER);
    if (!game_has_secrets(game))
        return (const struct game_view *)state;
    bool is_stale = views->of[viewer].stamp != t->stamp;
    if (views->of[viewer].bytes < game->state_size || (VIEWS_ARE_FRESH && is_stale)) {
        mem_free(views->of[viewer].view);
        views->of[viewer].view = (struct game_view *)game_state_alloc(game);
        views->of[viewer].bytes = game->state_size;
        is_stale = true;
    }
    if (is_stale)
        game_view(game, state, viewer, views->of[viewer].view);
    views->of[viewer].stamp = t->stamp;
    return views->of[viewer].view;
}

const struct game_view *table_view(const struct table *t, unsigned viewer) {
    return view_of(t, &t->tables->views, t->fold.state, viewer);
}

const struct game_view *notice_before(const struct table_notice *n, unsigned viewer) {
    struct tables *tables = n->table->tables;
    return view_of(n->table, &tables->views_before, tables->before, viewer);
}

struct action notice_action(const struct table_notice *n, unsigned viewer) {
    const struct tables *tables = n->table->tables;
    struct action action = *tables->action;
    n->table->fold.game->redact_action(tables->before, n->seat, &action, viewer);
    return action;
}

bool table_may_act(const struct table *t, unsigned seat) {
    return game_may_act(t->fold.game, t->fold.state, seat);
}

size_t table_legal(const struct table *t, unsigned seat, struct action *out) {
    return t->fold.game->legal(t->fold.state, seat, out);
}
