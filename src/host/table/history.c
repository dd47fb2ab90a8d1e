#include "host/table/history.h"

#include "base/mem.h"

#include <assert.h>
#include <uthash.h>
#include <utlist.h>

/* Events that were told, in a row, the newest last. */
struct tail {
    struct event events[HISTORY_TAIL_EVENTS_MAX]; /* a ring; their bodies are owned */
    size_t first, count;
};

/* The last fold of a table, and one step before it. */
struct past {
    uint64_t table;
    UT_hash_handle by_table;
    struct past *prev, *next; /* by the last use, oldest first */
    struct fold fold;
    bool is_finished;  /* it has been seen to its end once */
    int64_t next_ms;   /* of the event after the fold; INT64_MIN: not known */
    struct tail *tail; /* NULL: nothing was told */
};

struct history {
    struct store *store;
    struct past *by_table;
    struct past *oldest;
    enum err error; /* of the last call */
};

struct history *history_create(struct store *store) {
    struct history *h = mem_alloc(sizeof *h);
    h->store = store;
    return h;
}

static const struct event *tail_at(const struct tail *t, size_t i) {
    return &t->events[(t->first + i) % HISTORY_TAIL_EVENTS_MAX];
}

static void tail_drop(struct tail *t) {
    mem_free((void *)(uintptr_t)tail_at(t, 0)->body.data);
    t->first = (t->first + 1) % HISTORY_TAIL_EVENTS_MAX;
    t->count--;
}

static void tail_add(struct tail *t, const struct event *event) {
    bool goes_on = t->count == 0 || tail_at(t, t->count - 1)->seq + 1 == event->seq;
    while (t->count > 0 && (!goes_on || t->count == HISTORY_TAIL_EVENTS_MAX))
        tail_drop(t);
    struct event *kept = &t->events[(t->first + t->count++) % HISTORY_TAIL_EVENTS_MAX];
    char *body = mem_alloc(event->body.size + 1);
    memcpy(body, event->body.data, event->body.size);
    *kept = *event;
    kept->body.data = body;
}

/* Whether it has all events from one number to another. */
static bool tail_has(const struct tail *t, uint64_t from, uint64_t to) {
    return t != NULL && t->count > 0 && tail_at(t, 0)->seq <= from && tail_at(t, t->count - 1)->seq >= to;
}

static void tail_free(struct tail *t) {
    while (t != NULL && t->count > 0)
        tail_drop(t);
    mem_free(t);
}

static void past_clear(struct past *p) {
    fold_free(&p->fold);
    p->next_ms = INT64_MIN;
    fold_init(&p->fold, p->table);
}

static void past_free(struct history *h, struct past *p) {
    HASH_DELETE(by_table, h->by_table, p);
    DL_DELETE(h->oldest, p);
    past_clear(p);
    tail_free(p->tail);
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
    p->next_ms = INT64_MIN;
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

static bool past_take(struct past *p, const struct event *event) {
    if (fold_event(&p->fold, event) != ERR_OK)
        return false;
    p->is_finished = p->is_finished || p->fold.is_finished;
    p->next_ms = INT64_MIN;
    return true;
}

static bool history_read_event(void *context, uint64_t table, const struct event *event) {
    struct reading *r = context;
    (void)table;
    if (event->seq > r->to)
        return false;
    if (event->time_ms > r->until_ms && event->seq > 1) {
        r->next_ms = r->past->next_ms = event->time_ms;
        return false;
    }
    if (!past_take(r->past, event)) {
        r->is_broken = true;
        return false;
    }
    if (r->visit == NULL || event->seq < r->from)
        return true;
    struct record record = record_last(&r->past->fold);
    return r->visit(r->context, &record);
}

/* The events after the fold, from what was told when that is enough to come to this number, otherwise from
 * the store. */
static enum err past_go_on(struct history *h, struct reading *r, uint64_t to) {
    struct past *p = r->past;
    uint64_t from = p->fold.last_seq + 1;
    if (p->fold.game != NULL && from > to)
        return ERR_OK;
    if (!tail_has(p->tail, from, to))
        return store_read(h->store, p->table, from, history_read_event, r);
    for (size_t i = (size_t)(from - tail_at(p->tail, 0)->seq); i < p->tail->count; i++)
        if (!history_read_event(r, p->table, tail_at(p->tail, i)))
            break;
    return ERR_OK;
}

/* Folds on from where the table's past is, or from the start when that is too late. NULL when the journal is
 * broken or there is none; h->error says which. */
static struct past *past_read(struct history *h, struct reading *r, uint64_t table, uint64_t until) {
    struct past *p = past_get(h, table);
    if (p->fold.last_seq > until)
        past_clear(p);
    r->past = p;
    h->error = past_go_on(h, r, r->to);
    if (h->error == ERR_OK && r->is_broken)
        h->error = ERR_CHAIN;
    if (h->error != ERR_OK || p->fold.game == NULL) {
        past_free(h, p);
        return NULL;
    }
    return p;
}

enum err history_error(const struct history *h) {
    return h->error;
}

void history_tell(struct history *h, uint64_t table, const struct event *event) {
    struct past *p = past_get(h, table);
    if (p->tail == NULL)
        p->tail = mem_alloc(sizeof *p->tail);
    tail_add(p->tail, event);
}

const struct fold *history_at(struct history *h, uint64_t table, uint64_t version) {
    struct past *p;
    h->error = ERR_OK;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    bool is_there = p != NULL && p->fold.game != NULL &&
                    (p->fold.last_seq == version || (version == HISTORY_LAST && p->fold.is_finished));
    struct reading reading = {.to = version, .until_ms = INT64_MAX};
    if (!is_there)
        p = version == 0 ? NULL : past_read(h, &reading, table, version);
    if (p == NULL || (version != HISTORY_LAST && p->fold.last_seq != version))
        return NULL;
    return &p->fold;
}

const struct fold *history_until(struct history *h, uint64_t table, uint64_t newest, int64_t wall_ms,
                                 int64_t *next_ms) {
    struct reading reading = {.to = newest, .until_ms = wall_ms, .next_ms = INT64_MAX};
    struct past *p;
    h->error = ERR_OK;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    bool is_early = p != NULL && p->fold.game != NULL && p->fold.last_seq < newest && p->next_ms > wall_ms;
    if (is_early)
        reading.next_ms = p->next_ms;
    else
        p = past_read(h, &reading, table, HISTORY_LAST);
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

uint64_t history_read(struct history *h, uint64_t table, uint64_t from, uint64_t to,
                      bool (*visit)(void *context, const struct record *), void *context) {
    struct reading reading = {
        .from = from == 0 ? 1 : from, .to = to, .until_ms = INT64_MAX, .visit = visit, .context = context};
    struct past *p = past_read(h, &reading, table, reading.from - 1);
    return p == NULL || p->fold.last_seq < reading.from ? 0 : p->fold.last_seq;
}
