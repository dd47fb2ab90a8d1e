#include "host/table/history.h"

#include "base/mem.h"

#include <assert.h>
#include <uthash.h>
#include <utlist.h>

/* Events in a row, from a number on. */
struct window {
    uint64_t first_seq;
    size_t count, capacity;
    struct window_event {
        struct event event; /* its body as a size only */
        size_t body_at;
    } * events;
    struct buf bodies;
};

/* What somebody asked for and is not at hand. */
struct lack {
    uint64_t table, from_seq;
    bool wants_origin;
};

/* What is known of a table. */
struct past {
    uint64_t table;
    UT_hash_handle by_table;
    struct past *prev, *next; /* by the last use, oldest first */
    struct fold fold;         /* the last one */
    bool is_finished;         /* it has been seen to its end once */
    bool is_fresh;       /* nothing newer can be had now; valid while somebody is told that it has come */
    enum err error;      /* of the reading before that */
    uint64_t loaded_seq; /* ... which began at this event */
    int64_t next_ms;     /* of the event after the fold; INT64_MIN: not known */
    struct window window;
    bool has_origin;
    struct store_origin origin;
    struct past_load *load; /* under way; NULL: none */
    uint64_t begun, come;   /* loads so far: those that were begun, and those that came */
    struct lack later;      /* what was lacking since it is under way; from_seq 0: nothing */
    size_t wait_count;      /* who waits for it */
};

/* A journal on its way. */
struct past_load {
    struct past_load *prev, *next;
    struct history *history;
    uint64_t table, from_seq;
    struct window window;
    bool has_origin;
    struct store_origin origin;
};

struct history_wait {
    struct history_wait *prev, *next;
    struct history *history;
    void (*come)(void *context); /* NULL: nobody wants to know any more */
    void *context;
    size_t left; /* of these, that have not come */
    size_t count;
    struct wait_table {
        uint64_t table;
        uint64_t number; /* of the load: one that was begun after somebody asked has all there was then */
    } tables[];
};

struct history {
    struct store *store;
    struct past *by_table;
    struct past *oldest;
    size_t bytes; /* of all windows */
    struct past_load *loads;
    struct history_wait *waits;
    size_t lack_count;
    struct lack lacks[HISTORY_LACKS_MAX];
    enum err error; /* of the last call */
};

struct history *history_create(struct store *store) {
    struct history *h = mem_alloc(sizeof *h);
    h->store = store;
    return h;
}

/* Windows. */

static uint64_t window_end(const struct window *w) {
    return w->first_seq + w->count;
}

static size_t window_bytes(const struct window *w) {
    return w->count * sizeof *w->events + w->bodies.size;
}

static void window_clear(struct window *w) {
    mem_free(w->events);
    buf_free(&w->bodies);
    *w = (struct window){0};
}

/* Borrowed until the window changes. */
static struct event window_at(const struct window *w, uint64_t seq) {
    const struct window_event *e = &w->events[seq - w->first_seq];
    struct event event = e->event;
    event.body.data = w->bodies.data + e->body_at;
    return event;
}

/* An event that does not follow the others begins anew. */
static void window_add(struct window *w, const struct event *event) {
    if (w->count > 0 && event->seq != window_end(w))
        window_clear(w);
    if (w->count == 0)
        w->first_seq = event->seq;
    if (w->count == w->capacity) {
        w->capacity = w->capacity == 0 ? 16 : 2 * w->capacity;
        w->events = mem_resize(w->events, w->capacity * sizeof *w->events);
    }
    w->events[w->count++] = (struct window_event){*event, w->bodies.size};
    buf_append(&w->bodies, event->body);
}

/* The events of another window that follow those of this one. */
static void window_extend(struct window *w, const struct window *by) {
    for (uint64_t seq = window_end(w); seq < window_end(by); seq++) {
        struct event event = window_at(by, seq);
        window_add(w, &event);
    }
}

/* Whether two make one, the second behind the first or beginning inside of it. */
static bool window_meets(const struct window *w, const struct window *next) {
    return w->count > 0 && next->count > 0 && next->first_seq >= w->first_seq &&
           next->first_seq <= window_end(w);
}

/* What was read and what was told meanwhile make one, or what was read counts. by is empty afterwards. */
static void window_join(struct window *w, struct window *by) {
    if (window_meets(w, by)) {
        window_extend(w, by);
    } else if (by->count > 0) {
        struct window told = *w;
        *w = *by;
        *by = told;
        if (window_meets(w, by))
            window_extend(w, by);
    }
    window_clear(by);
}

static bool window_is_whole(const struct window *w) {
    return w->count > 0 && event_ends(w->events[w->count - 1].event.kind);
}

/* Pasts. */

static void past_drop_window(struct history *h, struct past *p) {
    h->bytes -= window_bytes(&p->window);
    window_clear(&p->window);
}

static void past_drop_fold(struct past *p) {
    fold_free(&p->fold);
    p->next_ms = INT64_MIN;
    fold_init(&p->fold, p->table);
}

static void past_free(struct history *h, struct past *p) {
    HASH_DELETE(by_table, h->by_table, p);
    DL_DELETE(h->oldest, p);
    past_drop_fold(p);
    past_drop_window(h, p);
    mem_free(p);
}

static struct past *past_find(const struct history *h, uint64_t table) {
    struct past *p;
    HASH_FIND(by_table, h->by_table, &table, sizeof table, p);
    return p;
}

/* The oldest ones go, but for those that somebody waits for; and windows, but for the newest. */
static void pasts_make_room(struct history *h) {
    struct past *p, *next;
    DL_FOREACH_SAFE(h->oldest, p, next) {
        if (HASH_CNT(by_table, h->by_table) <= HISTORY_TABLES_MAX && h->bytes <= HISTORY_BYTES_MAX)
            break;
        if (p->load != NULL || p->wait_count > 0 || next == NULL)
            continue;
        if (HASH_CNT(by_table, h->by_table) > HISTORY_TABLES_MAX)
            past_free(h, p);
        else
            past_drop_window(h, p);
    }
}

static struct past *past_get(struct history *h, uint64_t table) {
    struct past *p = past_find(h, table);
    if (p != NULL) {
        DL_DELETE(h->oldest, p);
        DL_APPEND(h->oldest, p);
        return p;
    }
    p = mem_alloc(sizeof *p);
    p->table = table;
    p->next_ms = INT64_MIN;
    fold_init(&p->fold, table);
    HASH_ADD(by_table, h->by_table, table, sizeof p->table, p);
    DL_APPEND(h->oldest, p);
    pasts_make_room(h);
    return p;
}

static bool past_is_there(const struct past *p) {
    return p->fold.game != NULL;
}

/* Nothing is known of it. */
static bool past_is_idle(const struct past *p) {
    return !past_is_there(p) && p->window.count == 0 && p->load == NULL && p->wait_count == 0;
}

void history_free(struct history *h) {
    struct past *p, *next;
    struct past_load *l, *next_load;
    struct history_wait *w, *next_wait;
    DL_FOREACH_SAFE(h->oldest, p, next) past_free(h, p);
    DL_FOREACH_SAFE(h->loads, l, next_load) {
        window_clear(&l->window);
        mem_free(l);
    }
    DL_FOREACH_SAFE(h->waits, w, next_wait) mem_free(w);
    mem_free(h);
}

enum err history_error(const struct history *h) {
    return h->error;
}

/* What is lacking. */

bool history_lacks(const struct history *h) {
    return h->lack_count > 0;
}

void history_begin(struct history *h) {
    h->lack_count = 0;
}

static void lack_join(struct lack *lack, const struct lack *by) {
    bool is_first = lack->from_seq == 0 || by->from_seq < lack->from_seq;
    *lack = (struct lack){by->table, is_first ? by->from_seq : lack->from_seq,
                          lack->wants_origin || by->wants_origin};
}

/* Those beyond the ceiling are asked for when these have come. */
static void lack_add(struct history *h, const struct lack *lack) {
    size_t i = 0;
    h->error = ERR_LATER;
    while (i < h->lack_count && h->lacks[i].table != lack->table)
        i++;
    if (i == HISTORY_LACKS_MAX)
        return;
    if (i == h->lack_count)
        h->lacks[h->lack_count++] = (struct lack){.table = lack->table};
    lack_join(&h->lacks[i], lack);
}

/* Where the reading of a journal begins so that what is kept is added to. */
static uint64_t past_from_seq(const struct past *p, uint64_t next_seq) {
    const struct window *w = &p->window;
    bool is_kept = w->count > 0 && w->first_seq <= next_seq && next_seq <= window_end(w);
    return is_kept ? window_end(w) : next_seq;
}

/* The events from a number on are needed. What cannot be had now is not lacking. */
static void past_lack(struct history *h, const struct past *p, uint64_t next_seq) {
    uint64_t from_seq = past_from_seq(p, next_seq);
    if (p->is_fresh && (p->error != ERR_OK || from_seq >= p->loaded_seq))
        h->error = p->error;
    else
        lack_add(h, &(struct lack){.table = p->table, .from_seq = from_seq});
}

/* Loads. */

static bool history_load_take(void *context, uint64_t table, const struct event *event) {
    struct past_load *l = context;
    (void)table;
    window_add(&l->window, event);
    return true;
}

static void history_load_take_origin(void *context, const struct store_origin *origin) {
    struct past_load *l = context;
    l->origin = *origin;
    l->has_origin = true;
}

static void waits_come(struct history *, struct past *);
static void history_load_begin(struct history *, struct past *, const struct lack *);

static void history_load_done(void *context, enum err e) {
    struct past_load *l = context;
    struct history *h = l->history;
    struct past *p = past_find(h, l->table); /* it stays as long as it is loaded */
    p->load = NULL;
    p->come++;
    p->error = e;
    p->loaded_seq = l->from_seq;
    h->bytes -= window_bytes(&p->window);
    if (e == ERR_OK)
        window_join(&p->window, &l->window);
    h->bytes += window_bytes(&p->window);
    p->has_origin = p->has_origin || l->has_origin;
    if (l->has_origin)
        p->origin = l->origin;
    DL_DELETE(h->loads, l);
    window_clear(&l->window);
    mem_free(l);
    if (p->later.from_seq != 0) {
        struct lack next = p->later;
        p->later = (struct lack){0};
        next.from_seq = past_from_seq(p, next.from_seq);
        history_load_begin(h, p, &next);
    }
    waits_come(h, p);
    pasts_make_room(h);
}

static void history_load_begin(struct history *h, struct past *p, const struct lack *lack) {
    struct past_load *l = mem_alloc(sizeof *l);
    l->history = h;
    l->table = p->table;
    l->from_seq = lack->from_seq;
    p->load = l;
    p->begun++;
    DL_APPEND(h->loads, l);
    store_load(h->store, &(struct store_load){.table = p->table,
                                              .from_seq = lack->from_seq,
                                              .is_past = true,
                                              .visit = history_load_take,
                                              .origin = lack->wants_origin ? history_load_take_origin : NULL,
                                              .done = history_load_done,
                                              .context = l});
}

/* Waits. */

struct history_wait *history_wait(struct history *h, void (*come)(void *context), void *context) {
    assert(h->lack_count > 0);
    struct history_wait *w = mem_alloc(sizeof *w + h->lack_count * sizeof *w->tables);
    *w = (struct history_wait){
        .history = h, .come = come, .context = context, .left = h->lack_count, .count = h->lack_count};
    for (size_t i = 0; i < w->count; i++) {
        struct past *p = past_get(h, h->lacks[i].table);
        p->wait_count++;
        if (p->load == NULL)
            history_load_begin(h, p, &h->lacks[i]);
        else
            lack_join(&p->later, &h->lacks[i]);
        w->tables[i] = (struct wait_table){p->table, p->begun + (p->later.from_seq != 0)};
    }
    h->lack_count = 0;
    DL_APPEND(h->waits, w);
    return w;
}

void history_wait_forget(struct history_wait *w) {
    w->come = NULL;
}

static void wait_end(struct history_wait *w) {
    struct history *h = w->history;
    DL_DELETE(h->waits, w);
    for (size_t i = 0; i < w->count; i++) /* they stay as long as somebody waits for them */
        past_find(h, w->tables[i].table)->is_fresh = true;
    if (w->come != NULL)
        w->come(w->context);
    for (size_t i = 0; i < w->count; i++) {
        struct past *p = past_find(h, w->tables[i].table);
        p->is_fresh = false;
        p->wait_count--;
        if (past_is_idle(p))
            past_free(h, p);
    }
    mem_free(w);
}

/* A journal has come: who waited for no other is told. */
static void waits_come(struct history *h, struct past *p) {
    const uint64_t table = p->table, come = p->come;
    struct history_wait *w, *next;
    p->wait_count++; /* it stays until all are told */
    DL_FOREACH_SAFE(h->waits, w, next) {
        for (size_t i = 0; i < w->count; i++)
            w->left -= w->tables[i].table == table && w->tables[i].number == come;
        if (w->left == 0)
            wait_end(w);
    }
    p->wait_count--;
    if (past_is_idle(p))
        past_free(h, p);
}

/* Looking. */

struct reading {
    uint64_t from, to;
    int64_t until_ms;                                    /* younger events are not taken */
    int64_t next_ms;                                     /* of the first of them */
    bool (*visit)(void *context, const struct record *); /* NULL: nobody looks */
    void *context;
};

static bool past_take(struct past *p, const struct event *event) {
    if (fold_event(&p->fold, event) != ERR_OK)
        return false;
    p->is_finished = p->is_finished || p->fold.is_finished;
    p->next_ms = INT64_MIN;
    return true;
}

/* Whether all events after a number up to another are kept; beyond the end of a table there are none. */
static bool past_has(const struct past *p, uint64_t after, uint64_t to) {
    const struct window *w = &p->window;
    if (after >= to)
        return true;
    return w->count > 0 && w->first_seq <= after + 1 && (window_end(w) > to || window_is_whole(w));
}

/* A journal that does not fold is forgotten, and why is remembered for as long as somebody is told. */
static void past_break(struct history *h, struct past *p) {
    past_drop_fold(p);
    past_drop_window(h, p);
    p->error = h->error = ERR_CHAIN;
}

/* Folds on as far as is wanted and kept. */
static void past_go_on(struct history *h, struct past *p, struct reading *r) {
    const struct window *w = &p->window;
    for (uint64_t seq = p->fold.last_seq + 1; seq <= r->to && seq < window_end(w); seq++) {
        if (seq < w->first_seq)
            return;
        const struct event event = window_at(w, seq);
        if (event.time_ms > r->until_ms && seq > 1) {
            r->next_ms = p->next_ms = event.time_ms;
            return;
        }
        if (!past_take(p, &event)) {
            past_break(h, p);
            return;
        }
        if (r->visit == NULL || seq < r->from)
            continue;
        struct record record = record_last(&p->fold);
        if (!r->visit(r->context, &record))
            return;
    }
}

/* Brings the fold to where it is wanted, from where it is or from the start when that is too late. NULL when
 * something is lacking or there is nothing; h->error says which. */
static struct past *past_reach(struct history *h, struct reading *r, uint64_t table, uint64_t latest) {
    struct past *p = past_get(h, table);
    h->error = ERR_OK;
    uint64_t after = past_is_there(p) && p->fold.last_seq <= latest ? p->fold.last_seq : 0;
    if (!past_has(p, after, r->to))
        past_lack(h, p, after + 1);
    if (h->error == ERR_OK) {
        if (after == 0)
            past_drop_fold(p);
        past_go_on(h, p, r);
    }
    bool is_there = h->error == ERR_OK && past_is_there(p);
    if (h->error == ERR_OK && !is_there)
        h->error = p->is_fresh ? p->error : ERR_OK;
    if (!is_there && past_is_idle(p))
        past_free(h, p);
    return is_there ? p : NULL;
}

void history_tell(struct history *h, uint64_t table, const struct event *event) {
    struct past *p = past_get(h, table);
    h->bytes -= window_bytes(&p->window);
    window_add(&p->window, event);
    h->bytes += window_bytes(&p->window);
    pasts_make_room(h);
}

const struct fold *history_at(struct history *h, uint64_t table, uint64_t version) {
    struct past *p = past_find(h, table);
    h->error = ERR_OK;
    bool is_there = p != NULL && past_is_there(p) &&
                    (p->fold.last_seq == version || (version == HISTORY_LAST && p->fold.is_finished));
    struct reading reading = {.to = version, .until_ms = INT64_MAX};
    if (!is_there)
        p = version == 0 ? NULL : past_reach(h, &reading, table, version);
    if (p == NULL || (version != HISTORY_LAST && p->fold.last_seq != version))
        return NULL;
    return &p->fold;
}

const struct fold *history_until(struct history *h, uint64_t table, uint64_t newest, int64_t wall_ms,
                                 int64_t *next_ms) {
    struct reading reading = {.to = newest, .until_ms = wall_ms, .next_ms = INT64_MAX};
    struct past *p = past_get(h, table);
    h->error = ERR_OK;
    bool is_early = past_is_there(p) && p->fold.last_seq < newest && p->next_ms > wall_ms;
    if (is_early)
        reading.next_ms = p->next_ms;
    else
        past_go_on(h, p, &reading);
    bool has_all = reading.next_ms != INT64_MAX || past_has(p, p->fold.last_seq, newest);
    if (h->error == ERR_OK && !has_all)
        past_lack(h, p, p->fold.last_seq + 1);
    if (h->error == ERR_OK && !has_all && newest != HISTORY_LAST)
        reading.next_ms = wall_ms + HISTORY_AGAIN_MS; /* the table has gone on since it was read */
    *next_ms = reading.next_ms;
    bool is_there = h->error == ERR_OK && past_is_there(p);
    const struct fold *fold = &p->fold;
    if (!is_there && past_is_idle(p))
        past_free(h, p);
    return is_there ? fold : NULL;
}

bool history_is_finished(struct history *h, uint64_t table) {
    struct past *p = past_find(h, table);
    h->error = ERR_OK;
    if (p != NULL && p->is_finished)
        return true;
    const struct fold *fold = history_at(h, table, HISTORY_LAST);
    return fold != NULL && fold->is_finished;
}

uint64_t history_read(struct history *h, uint64_t table, uint64_t from, uint64_t to,
                      bool (*visit)(void *context, const struct record *), void *context) {
    struct reading reading = {
        .from = from == 0 ? 1 : from, .to = to, .until_ms = INT64_MAX, .visit = visit, .context = context};
    struct past *p = past_reach(h, &reading, table, reading.from - 1);
    return p == NULL || p->fold.last_seq < reading.from ? 0 : p->fold.last_seq;
}

enum err history_has(struct history *h, uint64_t table, uint64_t from, uint64_t to) {
    struct past *p = past_get(h, table);
    h->error = ERR_OK;
    uint64_t after = past_is_there(p) && p->fold.last_seq < from ? p->fold.last_seq : 0;
    if (!past_has(p, after, to))
        past_lack(h, p, after + 1);
    if (past_is_idle(p))
        past_free(h, p);
    return h->error;
}

enum err history_origin(struct history *h, uint64_t table, struct store_origin *out) {
    struct past *p = past_get(h, table);
    h->error = ERR_OK;
    *out = p->origin;
    if (!p->has_origin && p->is_fresh)
        h->error = p->error;
    if (!p->has_origin && h->error == ERR_OK)
        lack_add(h, &(struct lack){.table = table, .from_seq = past_from_seq(p, 1), .wants_origin = true});
    if (past_is_idle(p))
        past_free(h, p);
    return h->error;
}
