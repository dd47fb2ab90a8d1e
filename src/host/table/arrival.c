/* Tables that other nodes have opened: each is folded here as soon as it is heard of, or asked for. And
 * tables that are to be as new as their journals are now, for players whose requests reach one node after the
 * other.
 */
#include "host/table/internal.h"

#include "base/mem.h"
#include "base/receipt.h"

#include <utlist.h>

void tables_fetch_forget(struct tables_fetch *f) {
    f->fetched = NULL;
}

static struct tables_fetch fetch_begin(struct tables *tables, tables_fetched *fetched, void *context) {
    return (struct tables_fetch){.fetched = fetched,
                                 .context = context,
                                 .tables = tables,
                                 .since_ms = tables_journal_ms(tables) - (int64_t)receipt_waited_ms()};
}

static uint32_t fetch_waited_ms(const void *context) {
    const struct tables_fetch *f = context;
    int64_t waited_ms = tables_journal_ms(f->tables) - f->since_ms;
    return waited_ms < 0 ? 0 : waited_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)waited_ms;
}

/* C4: what has waited for the table arrived when it began to. */
static void fetch_tell(const struct tables_fetch *f, enum err why) {
    if (f->fetched == NULL)
        return;
    receipt_begin(fetch_waited_ms, f);
    f->fetched(f->context, why == ERR_IO ? ERR_IO : ERR_OK);
    receipt_end();
}

static void fetches_tell(struct tables_fetch *list, enum err why) {
    struct tables_fetch *f, *next;
    LL_FOREACH_SAFE(list, f, next) {
        fetch_tell(f, why);
        mem_free(f);
    }
}

static void fetches_free(struct tables_fetch *list) {
    struct tables_fetch *f, *next;
    LL_FOREACH_SAFE(list, f, next) mem_free(f);
}

/* A table on its way. */

static struct arrival *arrival_find(struct tables *tables, uint64_t id) {
    struct arrival *a;
    HASH_FIND(hh, tables->arrivals, &id, sizeof id, a);
    return a;
}

static void arrival_free(struct arrival *a) {
    HASH_DEL(a->tables->arrivals, a);
    fetches_free(a->fetches);
    fold_free(&a->fold);
    mem_free(a);
}

static struct tables_fetch *fetches_take(struct arrival *a) {
    struct tables_fetch *fetches = a->fetches;
    a->fetches = NULL;
    return fetches;
}

static bool arrival_event(void *context, uint64_t table, const struct event *event) {
    struct arrival *a = context;
    if (a->is_broken || event->seq != a->fold.last_seq + 1)
        return !a->is_broken;
    enum err e = fold_event(&a->fold, event);
    a->is_broken = e != ERR_OK;
    if (a->is_broken && event->seq > 1) /* otherwise it is no table at all */
        table_log_broken(table, event->seq, a->fold.game, e);
    return !a->is_broken;
}

static void arrival_secret(void *context, const struct digest *secret) {
    struct arrival *a = context;
    a->secret = *secret;
}

static void arrival_done(void *context, enum err e);

static void arrival_load(struct arrival *a) {
    a->is_loading = true;
    a->from_seq = a->fold.last_seq;
    store_load(a->tables->config.store, &(struct store_load){.table = a->id,
                                                             .from_seq = a->fold.last_seq + 1,
                                                             .is_running = true,
                                                             .visit = arrival_event,
                                                             .secret = arrival_secret,
                                                             .done = arrival_done,
                                                             .context = a});
}

static void greeters_tell(struct tables *tables, struct table *t) {
    for (size_t i = 0; i < tables->greeter_count; i++)
        if (tables->greeters[i].came != NULL)
            tables->greeters[i].came(tables->greeters[i].context, t);
}

/* A table of which no protocol here is the owner is forgotten when it is over. One whose set-up was still on
 * its way when its owner left it comes only now, as if another node had opened it. */
static void unowned_settled(void *context, struct table *t) {
    bool was_opening = context != NULL;
    if (t->fold.is_finished) {
        table_close(t);
    } else if (was_opening && t->is_opened) {
        table_disown(t);
        greeters_tell(t->tables, t);
    }
}

static void unowned_taken(void *context, struct table *t) {
    (void)context;
    (void)t;
}

void table_disown(struct table *t) {
    table_listen(t, &(struct table_listener){.context = t->is_opened ? NULL : t,
                                             .settled = unowned_settled,
                                             .taken = unowned_taken});
}

/* Nobody here listens to it yet. */
static void arrival_become_table(struct arrival *a) {
    struct tables *tables = a->tables;
    struct table *t = table_alloc(tables, &a->fold);
    t->is_opened = true;
    table_disown(t);
    t->told_seq = t->fold.last_seq;
    t->secret = a->secret;
    tables_add(tables, t);
    tables->change++;
    table_clock_start(t, 0);
    nodes_table_update(t);
    greeters_tell(tables, t);
    if (!fold_has_dice(&t->fold) || fold_secret_fits(&t->fold, &t->secret))
        return;
    table_log_undecided(t->id, "the secret of its dice is missing, or not the one that it committed to");
    enum err e = table_abandon(t);
    (void)e; /* busy: somebody has done so already, or it is tried again at the next start */
}

static void arrival_done(void *context, enum err e) {
    struct arrival *a = context;
    struct tables *tables = a->tables;
    bool is_there = a->fold.game != NULL && !a->is_broken;
    a->is_loading = false;
    if (e == ERR_IO && a->seen_seq > 0) { /* it is there: again with the next beat */
        fetches_tell(fetches_take(a), e);
        return;
    }
    bool is_running = e == ERR_OK && is_there && !a->fold.is_finished;
    if (is_running && a->fold.last_seq < a->seen_seq && a->fold.last_seq > a->from_seq) {
        arrival_load(a); /* it has gone on meanwhile */
        return;
    }
    if (is_running && a->fold.last_seq >= a->seen_seq && tables_find(tables, a->id) == NULL)
        arrival_become_table(a);
    struct tables_fetch *fetches = fetches_take(a);
    arrival_free(a);
    fetches_tell(fetches, e);
}

static struct arrival *arrival_begin(struct tables *tables, uint64_t id) {
    struct arrival *a = mem_alloc(sizeof *a);
    a->tables = tables;
    a->id = id;
    fold_init(&a->fold, id);
    HASH_ADD(hh, tables->arrivals, id, sizeof a->id, a);
    arrival_load(a);
    return a;
}

void arrivals_hear(struct tables *tables, uint64_t id, const struct event *events, size_t count) {
    struct arrival *a = arrival_find(tables, id);
    if (a == NULL && tables->nodes != NULL && events[0].seq == 1 && events[0].kind == EVENT_SETUP) {
        tables_number_seen(tables, id);
        a = arrival_begin(tables, id);
    }
    if (a != NULL && events[count - 1].seq > a->seen_seq)
        a->seen_seq = events[count - 1].seq;
}

void arrivals_expect(struct tables *tables, uint64_t id) {
    if (tables->nodes != NULL && tables_find(tables, id) == NULL && arrival_find(tables, id) == NULL)
        arrival_begin(tables, id);
}

void arrivals_beat(struct tables *tables) {
    struct arrival *a, *next;
    HASH_ITER(hh, tables->arrivals, a, next) {
        if (!a->is_loading)
            arrival_load(a);
    }
}

void arrivals_free(struct tables *tables) {
    struct arrival *a, *next;
    HASH_ITER(hh, tables->arrivals, a, next) {
        arrival_free(a);
    }
    while (tables->refreshes != NULL) {
        struct refresh *r = tables->refreshes;
        DL_DELETE(tables->refreshes, r);
        mem_free(r);
    }
}

/* A table that is here, to be brought up to date. */

static bool refresh_event(void *context, uint64_t id, const struct event *event) {
    struct refresh *r = context;
    struct table *t = tables_find(r->tables, id);
    if (t == NULL)
        return false;
    uint64_t told_seq = t->told_seq;
    table_take_event(t, event);
    r->has_news = r->has_news || t->told_seq > told_seq;
    return true;
}

static void refresh_done(void *context, enum err e) {
    struct refresh *r = context;
    struct table *t = tables_find(r->tables, r->id);
    if (t != NULL && t->request == NULL && r->has_news)
        table_settle(t);
    DL_DELETE(r->tables->refreshes, r);
    fetch_tell(&r->fetch, e);
    mem_free(r);
}

static struct tables_fetch *refresh_begin(struct table *t, tables_fetched *fetched, void *context) {
    struct refresh *r = mem_alloc(sizeof *r);
    *r =
        (struct refresh){.tables = t->tables, .id = t->id, .fetch = fetch_begin(t->tables, fetched, context)};
    DL_APPEND(t->tables->refreshes, r);
    store_load(t->tables->config.store, &(struct store_load){.table = t->id,
                                                             .from_seq = t->told_seq + 1,
                                                             .visit = refresh_event,
                                                             .done = refresh_done,
                                                             .context = r});
    return &r->fetch;
}

void arrivals_fill_gap(struct table *t) {
    refresh_begin(t, NULL, NULL);
}

struct tables_fetch *tables_fetch(struct tables *tables, uint64_t id, tables_fetched *fetched,
                                  void *context) {
    if (tables->nodes == NULL)
        return NULL;
    struct table *t = tables_find(tables, id);
    if (t != NULL && (!t->is_opened || t->fold.is_finished))
        return NULL;
    if (t != NULL)
        return refresh_begin(t, fetched, context);
    struct arrival *a = arrival_find(tables, id);
    if (a == NULL)
        a = arrival_begin(tables, id);
    struct tables_fetch *f = mem_alloc(sizeof *f);
    *f = fetch_begin(tables, fetched, context);
    LL_APPEND(a->fetches, f);
    return f;
}
