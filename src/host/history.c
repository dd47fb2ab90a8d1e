#include "host/history.h"

#include "base/mem.h"

#include <assert.h>
#include <uthash.h>
#include <utlist.h>

/* The last fold of a table, and one step before it. */
struct past {
    uint64_t table;
    UT_hash_handle by_table;
    struct past *prev, *next; /* by the last use, oldest first */
    struct fold fold;
    struct game_state *before; /* the truth before the last event; NULL before the set-up */
    struct event last;
    bool is_finished; /* it has been seen to its end once */
    struct buf last_body;
};

struct history {
    struct store *store;
    struct past *by_table;
    struct past *oldest;
};

struct history *history_create(struct store *store) {
    struct history *h = mem_alloc(sizeof *h);
    h->store = store;
    return h;
}

static void past_clear(struct past *p) {
    fold_free(&p->fold);
    mem_free(p->before);
    p->before = NULL;
    fold_init(&p->fold, p->table);
}

static void past_free(struct history *h, struct past *p) {
    HASH_DELETE(by_table, h->by_table, p);
    DL_DELETE(h->oldest, p);
    past_clear(p);
    buf_free(&p->last_body);
    mem_free(p);
}

void history_free(struct history *h) {
    struct past *p, *next;
    DL_FOREACH_SAFE(h->oldest, p, next) past_free(h, p);
    mem_free(h);
}

static struct past *past_get(struct history *h, uint64_t table) {
    struct past *p;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    if (p != NULL) {
        DL_DELETE(h->oldest, p);
        DL_APPEND(h->oldest, p);
        return p;
    }
    if (HASH_CNT(by_table, h->by_table) == HISTORY_TABLES_MAX)
        past_free(h, h->oldest);
    p = mem_alloc(sizeof *p);
    p->table = table;
    fold_init(&p->fold, table);
    HASH_ADD(by_table, h->by_table, table, sizeof p->table, p);
    DL_APPEND(h->oldest, p);
    return p;
}

struct reading {
    struct past *past;
    uint64_t from, to;
    int64_t until_ms;                                    /* younger events are not taken */
    int64_t next_ms;                                     /* of the first of them */
    bool (*visit)(void *context, const struct record *); /* NULL: nobody looks */
    void *context;
    bool is_broken;
};

static struct record record_of(const struct past *p, const struct event *event,
                               const struct game_state *before) {
    struct record r = {.event = event, .game = p->fold.game, .before = before};
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        r.names[seat] = p->fold.names[seat];
    return r;
}

static bool past_take(struct past *p, const struct event *event) {
    if (p->fold.game != NULL) {
        if (p->before == NULL)
            p->before = game_state_alloc(p->fold.game);
        memcpy(p->before, p->fold.state, p->fold.game->state_size);
    }
    if (fold_event(&p->fold, event) != ERR_OK)
        return false;
    buf_clear(&p->last_body);
    buf_append(&p->last_body, event->body);
    p->last = *event;
    p->last.body = buf_span(&p->last_body);
    p->is_finished = p->is_finished || p->fold.is_finished;
    return true;
}

static bool read_event(void *context, uint64_t table, const struct event *event) {
    struct reading *r = context;
    (void)table;
    if (event->seq > r->to)
        return false;
    if (event->time_ms > r->until_ms && event->seq > 1) {
        r->next_ms = event->time_ms;
        return false;
    }
    if (!past_take(r->past, event)) {
        r->is_broken = true;
        return false;
    }
    if (r->visit == NULL || event->seq < r->from)
        return true;
    struct record record = record_of(r->past, &r->past->last, r->past->before);
    if (r->past->before == NULL)
        record.game = NULL; /* it was the set-up */
    return r->visit(r->context, &record);
}

/* Folds on from where the table's past is, or from the start when that is too late. NULL when the journal is
 * broken or there is none. */
static struct past *past_read(struct history *h, struct reading *r, uint64_t table, uint64_t until) {
    struct past *p = past_get(h, table);
    if (p->fold.last_seq > until)
        past_clear(p);
    r->past = p;
    if (store_read(h->store, table, p->fold.last_seq + 1, read_event, r) != ERR_OK || r->is_broken ||
        p->fold.game == NULL) {
        past_free(h, p);
        return NULL;
    }
    return p;
}

const struct fold *history_at(struct history *h, uint64_t table, uint64_t version) {
    struct past *p;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    bool is_there =
        p != NULL && (p->fold.last_seq == version || (version == HISTORY_LAST && p->fold.is_finished));
    struct reading reading = {.to = version, .until_ms = INT64_MAX};
    if (!is_there)
        p = version == 0 ? NULL : past_read(h, &reading, table, version);
    if (p == NULL || (version != HISTORY_LAST && p->fold.last_seq != version))
        return NULL;
    return &p->fold;
}

const struct fold *history_until(struct history *h, uint64_t table, int64_t wall_ms, int64_t *next_ms) {
    struct reading reading = {.to = HISTORY_LAST, .until_ms = wall_ms, .next_ms = INT64_MAX};
    const struct past *p = past_read(h, &reading, table, HISTORY_LAST);
    *next_ms = reading.next_ms;
    return p == NULL ? NULL : &p->fold;
}

bool history_is_finished(struct history *h, uint64_t table) {
    struct past *p;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    if (p != NULL && p->is_finished)
        return true;
    const struct fold *fold = history_at(h, table, HISTORY_LAST);
    return fold != NULL && fold->is_finished;
}

struct record history_last(const struct history *h, const struct fold *fold) {
    struct past *p;
    HASH_FIND(by_table, h->by_table, &fold->table, sizeof fold->table, p);
    assert(p != NULL && &p->fold == fold);
    struct record record = record_of(p, &p->last, p->before);
    if (p->before == NULL)
        record.game = NULL;
    return record;
}

uint64_t history_read(struct history *h, uint64_t table, uint64_t from, uint64_t to,
                      bool (*visit)(void *context, const struct record *), void *context) {
    struct reading reading = {
        .from = from == 0 ? 1 : from, .to = to, .until_ms = INT64_MAX, .visit = visit, .context = context};
    struct past *p = past_read(h, &reading, table, reading.from - 1);
    return p == NULL || p->fold.last_seq < reading.from ? 0 : p->fold.last_seq;
}
