/* A store that forgets with the process: for tests, for measuring what the disk costs, and for servers that
 * are told to keep nothing. */
#include "base/mem.h"
#include "store/origin.h"

#include <uthash.h>
#include <utlist.h>

enum { MEMORY_FINISHED_MAX = 1000 }; /* tables: older ones are forgotten, so that memory has a bound */

struct kept_table {
    uint64_t id;
    struct event *events; /* bodies owned; one of them may stand for others, see store/origin.h */
    size_t event_count, event_capacity;
    uint64_t last_seq;
    struct kept_table *origin; /* to which it refers, or NULL */
    unsigned referrers;        /* it stays as long as there are any ... */
    bool is_forgotten;         /* ... although nobody else finds it */
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
    int64_t created_ms, finished_ms;
    bool has_secret;
    struct digest secret;
    struct kept_table *prev, *next; /* finished ones, in the order of their end */
    UT_hash_handle hh;
};

/* What all nodes share. */
struct memory_journals {
    struct kept_table *tables; /* by id; in the order of their creation when walked */
    struct kept_table *finished;
    size_t finished_count;
    struct memory_store *nodes;
    uint64_t node_count; /* that ever were: the number of the last */
    int64_t now_ms;      /* of the newest sign of life */
    uint64_t lease;      /* the node that has it, 0: nobody */
};

/* A word of another node, on its way. */
struct memory_word {
    struct memory_word *next;
    uint64_t node;
    size_t size;
    char text[];
};

struct memory_store {
    struct store base; /* first: the interface points at it */
    bool is_immediate;
    struct memory_journals *journals;
    struct memory_store *prev, *next; /* the nodes */
    uint64_t number;
    int64_t seen_ms; /* its last sign of life */
    struct pending_list queue, done, news;
    struct pending_loads loads, loaded;
    struct memory_word *words;
    bool has_company;
    struct store_follower follower;
};

static struct memory_store *memory_of(struct store *s) {
    return (struct memory_store *)(void *)s;
}

static void memory_wake(const struct memory_store *m) {
    if (m->base.wake != NULL)
        m->base.wake(m->base.wake_context);
}

static struct kept_table *table_find(const struct memory_journals *j, uint64_t id) {
    struct kept_table *t;
    HASH_FIND(hh, j->tables, &id, sizeof id, t);
    return t;
}

static struct kept_table *store_memory_table_add(struct memory_journals *m, const struct pending *p) {
    struct kept_table *t = mem_alloc(sizeof *t);
    t->id = p->table;
    t->created_ms = p->events[0].time_ms;
    t->has_secret = p->has_secret;
    t->secret = p->secret;
    event_row(&p->events[0], t->game, t->protocol);
    if (p->origin.count > 0)
        t->origin = table_find(m, p->origin.table);
    if (t->origin != NULL)
        t->origin->referrers++;
    HASH_ADD(hh, m->tables, id, sizeof t->id, t);
    return t;
}

static void table_append(struct kept_table *t, const struct event *event) {
    if (t->event_count == t->event_capacity) {
        t->event_capacity = t->event_capacity == 0 ? 8 : 2 * t->event_capacity;
        t->events = mem_resize(t->events, t->event_capacity * sizeof t->events[0]);
    }
    char *body = mem_alloc(event->body.size + 1);
    if (event->body.size > 0)
        memcpy(body, event->body.data, event->body.size);
    struct event *kept = &t->events[t->event_count++];
    *kept = *event;
    kept->body.data = body;
    t->last_seq = event->seq;
    if (event_ends(event->kind)) {
        t->finished_ms = pending_finished_ms(event);
        t->has_secret = false;
    }
}

static void table_free(struct kept_table *t) {
    struct kept_table *origin = t->origin;
    for (size_t i = 0; i < t->event_count; i++)
        mem_free((void *)(uintptr_t)t->events[i].body.data);
    mem_free(t->events);
    mem_free(t);
    if (origin != NULL && --origin->referrers == 0 && origin->is_forgotten)
        table_free(origin);
}

/* Nobody finds it any more; what others refer to stays until they go. */
static void table_forget(struct memory_journals *m, struct kept_table *t) {
    HASH_DEL(m->tables, t);
    t->is_forgotten = true;
    if (t->referrers == 0)
        table_free(t);
}

static void table_finished(struct memory_journals *m, struct kept_table *t) {
    DL_APPEND(m->finished, t);
    if (++m->finished_count <= MEMORY_FINISHED_MAX)
        return;
    struct kept_table *oldest = m->finished;
    DL_DELETE(m->finished, oldest);
    m->finished_count--;
    table_forget(m, oldest);
}

/* One row in place of the events that stand in another journal. Returns how many. */
static size_t table_append_origin(struct kept_table *t, const struct pending *p) {
    struct buf body = {0};
    struct event row = origin_row_of(p, &body);
    table_append(t, &row);
    buf_free(&body);
    return p->origin.count;
}

/* The other nodes hear of a commit. */
static void commit_tell(struct memory_store *m, const struct pending *p) {
    struct memory_store *other;
    const struct store_request copy = {.table = p->table,
                                       .expected_seq = p->expected_seq,
                                       .events = p->events,
                                       .event_count = p->event_count};
    DL_FOREACH(m->journals->nodes, other) {
        if (other == m)
            continue;
        pending_push(&other->news, pending_copy(&copy));
        memory_wake(other);
    }
}

static enum err commit(struct memory_store *m, const struct pending *p) {
    struct kept_table *t = table_find(m->journals, p->table);
    if ((t == NULL ? 0 : t->last_seq) != p->expected_seq)
        return ERR_CONFLICT;
    if (t == NULL)
        t = store_memory_table_add(m->journals, p);
    for (size_t i = 0; i < p->event_count; i++) {
        if (i == 1 && t->origin != NULL && p->expected_seq == 0)
            i += table_append_origin(t, p);
        if (i < p->event_count)
            table_append(t, &p->events[i]);
    }
    commit_tell(m, p);
    if (t->finished_ms != 0)
        table_finished(m->journals, t);
    return ERR_OK;
}

/* Where the first event from this number on stands. */
static size_t table_place(const struct kept_table *t, uint64_t from_seq) {
    uint64_t left_out = t->last_seq - t->event_count; /* in favour of the row at place 1 */
    if (from_seq < 2)
        return 0;
    return from_seq - 1 <= left_out + 1 ? 1 : (size_t)(from_seq - 1 - left_out);
}

/* engine is the table: what it refers to is found by that, forgotten or not. */
static enum err memory_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                            void *context) {
    const struct kept_table *t = engine;
    while (t != NULL && t->id != table)
        t = t->origin;
    if (t == NULL)
        return ERR_DAMAGED;
    for (size_t i = table_place(t, from_seq); i < t->event_count; i++)
        if (!visit(context, t->id, &t->events[i]))
            break;
    return ERR_OK;
}

struct memory_visit {
    store_visit_event *visit;
    void *context;
    bool is_enough;
};

static bool memory_visit_take(void *context, uint64_t table, const struct event *event) {
    struct memory_visit *v = context;
    v->is_enough = !v->visit(v->context, table, event);
    return !v->is_enough;
}

/* False when the visitor has seen enough. */
static bool table_visit(struct kept_table *t, uint64_t from_seq, store_visit_event *visit, void *context,
                        enum err *e) {
    struct memory_visit v = {.visit = visit, .context = context};
    *e = origin_read(memory_rows, t, t->id, from_seq, memory_visit_take, &v);
    return !v.is_enough;
}

static enum err memory_list(struct store *, enum store_filter, store_visit_table *, void *context);
static enum err memory_list_finished(struct store *, int64_t before_ms, uint64_t before_table,
                                     store_visit_table *, void *context);
static enum err memory_origin(struct store *, uint64_t table, struct store_origin *out);

static void memory_read_load(struct memory_store *m, struct pending_load *l) {
    if (l->is_look) {
        l->result = l->look.filter == STORE_FINISHED
                        ? memory_list_finished(&m->base, l->look.before_ms, l->look.before_table,
                                               pending_look_take, l)
                        : memory_list(&m->base, l->look.filter, pending_look_take, l);
        return;
    }
    struct kept_table *t = table_find(m->journals, l->asked.table);
    if (t == NULL || (l->asked.is_running && t->finished_ms != 0))
        return;
    table_visit(t, l->asked.from_seq, pending_load_take, l, &l->result);
    l->has_secret = l->asked.secret != NULL && t->has_secret;
    l->secret = t->secret;
    if (l->result == ERR_OK)
        l->result = memory_origin(&m->base, l->asked.table, &l->origin);
}

static bool memory_work(struct store *s) {
    struct memory_store *m = memory_of(s);
    if (m->queue.first == NULL && m->loads.first == NULL)
        return false;
    for (struct pending *p = m->queue.first; p != NULL; p = p->next)
        p->result = commit(m, p);
    pending_move(&m->done, &m->queue);
    for (struct pending_load *l = m->loads.first; l != NULL; l = l->next)
        if (l->result == ERR_OK)
            memory_read_load(m, l);
    pending_loads_move(&m->loaded, &m->loads);
    memory_wake(m);
    return true;
}

static void memory_append(struct store *s, const struct store_request *r) {
    struct memory_store *m = memory_of(s);
    pending_push(&m->queue, pending_copy(r));
    if (m->is_immediate)
        memory_work(s);
}

static void memory_load(struct store *s, const struct store_load *load) {
    struct memory_store *m = memory_of(s);
    pending_loads_push(&m->loads, load);
    if (m->is_immediate)
        memory_work(s);
}

static void memory_look(struct store *s, const struct store_look *look) {
    struct memory_store *m = memory_of(s);
    pending_looks_push(&m->loads, look);
    if (m->is_immediate)
        memory_work(s);
}

/* Who is there, and whether the lease is here. */
static struct store_company company_of(struct memory_store *m) {
    struct memory_journals *j = m->journals;
    struct store_company c = {.self = m->number};
    bool is_held = false;
    const struct memory_store *node;
    DL_FOREACH(j->nodes, node) {
        bool is_there = j->now_ms - node->seen_ms <= STORE_NODE_LOST_MS;
        if (is_there && c.count < STORE_NODES_MAX) {
            c.ages_ms[c.count] = (uint32_t)(j->now_ms - node->seen_ms);
            c.nodes[c.count++] = node->number;
        }
        is_held = is_held || (is_there && node->number == j->lease);
    }
    if (!is_held)
        j->lease = m->number;
    c.has_lease = j->lease == m->number;
    return c;
}

static void memory_neighbours_tell(struct memory_store *m) {
    const struct store_neighbours *n = &m->base.neighbours;
    struct memory_word *word, *next, *words = m->words;
    m->words = NULL;
    LL_FOREACH_SAFE(words, word, next) {
        if (n->word != NULL)
            n->word(n->context, word->node, span_make(word->text, word->size));
        mem_free(word);
    }
    if (!m->has_company || n->company == NULL)
        return;
    m->has_company = false;
    struct store_company company = company_of(m);
    n->company(n->context, &company);
}

static size_t memory_drain(struct store *s) {
    struct memory_store *m = memory_of(s);
    struct pending_list ready = {0};
    struct pending_loads loaded = {0};
    pending_move(&ready, &m->done);
    pending_move(&ready, &m->news);
    pending_loads_move(&loaded, &m->loaded);
    pending_count(&ready, &s->figures);
    size_t count = pending_deliver(&ready, &m->follower);
    count += pending_loads_deliver(&loaded);
    memory_neighbours_tell(m);
    return count;
}

static enum err memory_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                            void *context) {
    struct kept_table *t = table_find(memory_of(s)->journals, table);
    enum err e = ERR_OK;
    if (t != NULL)
        table_visit(t, from_seq, visit, context, &e);
    return e;
}

static bool is_championship(const struct kept_table *t) {
    return strcmp(t->protocol, EVENT_PROTOCOL_CHAMPIONSHIP) == 0;
}

static enum err memory_read_running(struct store *s, store_visit_event *visit, void *context) {
    enum err e = ERR_OK;
    for (struct kept_table *t = memory_of(s)->journals->tables; t != NULL && e == ERR_OK; t = t->hh.next)
        if (t->finished_ms == 0 && !is_championship(t) && !table_visit(t, 1, visit, context, &e))
            break;
    return e;
}

static int by_creation(const struct kept_table *a, const struct kept_table *b) {
    if (a->created_ms != b->created_ms)
        return a->created_ms < b->created_ms ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

static bool filter_takes(enum store_filter filter, const struct kept_table *t) {
    switch (filter) {
    case STORE_ALL: return true;
    case STORE_RUNNING: return t->finished_ms == 0;
    case STORE_FINISHED: return t->finished_ms != 0;
    case STORE_CHAMPIONSHIPS: return is_championship(t);
    }
    return false;
}

static enum err memory_list(struct store *s, enum store_filter filter, store_visit_table *visit,
                            void *context) {
    struct memory_journals *m = memory_of(s)->journals;
    HASH_SORT(m->tables, by_creation);
    for (struct kept_table *t = m->tables; t != NULL; t = t->hh.next) {
        if (!filter_takes(filter, t))
            continue;
        struct store_table row = {t->id, t->game, t->protocol, t->created_ms, t->finished_ms, t->last_seq};
        if (!visit(context, &row))
            break;
    }
    return ERR_OK;
}

static int by_end(const struct kept_table *a, const struct kept_table *b) {
    if (a->finished_ms != b->finished_ms)
        return a->finished_ms > b->finished_ms ? -1 : 1;
    return a->id > b->id ? -1 : 1;
}

static enum err memory_list_finished(struct store *s, int64_t before_ms, uint64_t before_table,
                                     store_visit_table *visit, void *context) {
    struct memory_journals *m = memory_of(s)->journals;
    HASH_SORT(m->tables, by_end);
    for (struct kept_table *t = m->tables; t != NULL && t->finished_ms != 0; t = t->hh.next) {
        if (is_championship(t) || t->finished_ms > before_ms ||
            (t->finished_ms == before_ms && t->id >= before_table))
            continue;
        struct store_table row = {t->id, t->game, t->protocol, t->created_ms, t->finished_ms, t->last_seq};
        if (!visit(context, &row))
            break;
    }
    return ERR_OK;
}

static enum err memory_secret(struct store *s, uint64_t table, struct digest *out) {
    const struct kept_table *t = table_find(memory_of(s)->journals, table);
    if (t == NULL || !t->has_secret)
        return ERR_FIELD_MISSING;
    *out = t->secret;
    return ERR_OK;
}

static enum err memory_last_table(struct store *s, uint64_t below, uint64_t *out) {
    *out = 0;
    for (const struct kept_table *t = memory_of(s)->journals->tables; t != NULL; t = t->hh.next)
        if (t->id < below && t->id > *out)
            *out = t->id;
    return ERR_OK;
}

static enum err memory_origin(struct store *s, uint64_t table, struct store_origin *out) {
    const struct kept_table *t = table_find(memory_of(s)->journals, table);
    return t == NULL || t->origin == NULL ? ERR_OK : origin_of_row(&t->events[1], out);
}

static void memory_follow(struct store *s, store_visit_commit *visit, void *context) {
    memory_of(s)->follower = (struct store_follower){visit, context};
}

/* Nothing outlives the process, so only the other nodes of it are told that this one lives. */
static void memory_beat(struct store *s, int64_t wall_ms) {
    struct memory_store *m = memory_of(s);
    m->seen_ms = wall_ms;
    if (wall_ms > m->journals->now_ms)
        m->journals->now_ms = wall_ms;
    m->has_company = s->is_shared;
    if (s->is_shared)
        memory_wake(m);
}

static void memory_say(struct store *s, struct span text) {
    struct memory_store *m = memory_of(s), *other;
    DL_FOREACH(m->journals->nodes, other) {
        if (other == m)
            continue;
        struct memory_word *word = mem_alloc(sizeof *word + text.size);
        word->node = m->number;
        word->size = text.size;
        memcpy(word->text, text.data, text.size);
        LL_APPEND(other->words, word);
        memory_wake(other);
    }
}

static void journals_free(struct memory_journals *j) {
    struct kept_table *t, *next;
    HASH_ITER(hh, j->tables, t, next) {
        table_forget(j, t);
    }
    mem_free(j);
}

static enum err memory_inherit(struct store *s, const struct store_outage *outages, size_t count,
                               int64_t beat_ms, const struct digest *key) {
    (void)s;
    (void)key;
    (void)outages;
    (void)count;
    (void)beat_ms;
    return ERR_OK;
}

static void memory_close(struct store *s) {
    struct memory_store *m = memory_of(s);
    struct memory_word *word, *next;
    DL_DELETE(m->journals->nodes, m);
    if (m->journals->nodes == NULL)
        journals_free(m->journals);
    LL_FOREACH_SAFE(m->words, word, next) mem_free(word);
    pending_free(&m->queue);
    pending_free(&m->done);
    pending_free(&m->news);
    pending_loads_free(&m->loads);
    pending_loads_free(&m->loaded);
    mem_free(m);
}

static struct store *memory_node(struct memory_journals *j, bool is_immediate) {
    static const struct store_ops ops = {
        .append = memory_append,
        .load = memory_load,
        .look = memory_look,
        .drain = memory_drain,
        .work = memory_work,
        .read = memory_read,
        .read_running = memory_read_running,
        .list = memory_list,
        .list_finished = memory_list_finished,
        .secret = memory_secret,
        .last_table = memory_last_table,
        .origin = memory_origin,
        .follow = memory_follow,
        .beat = memory_beat,
        .say = memory_say,
        .inherit = memory_inherit,
        .close = memory_close,
    };
    struct memory_store *m = mem_alloc(sizeof *m);
    m->base.ops = &ops;
    digest_secret(&m->base.key);
    m->is_immediate = is_immediate;
    m->journals = j;
    m->number = ++j->node_count;
    m->seen_ms = j->now_ms;
    DL_APPEND(j->nodes, m);
    return &m->base;
}

struct store *store_memory_open(bool is_immediate) {
    return memory_node(mem_alloc(sizeof(struct memory_journals)), is_immediate);
}

struct store *store_memory_share(struct store *s) {
    struct memory_store *m = memory_of(s);
    struct store *node = memory_node(m->journals, m->is_immediate);
    s->is_shared = node->is_shared = true;
    return node;
}
