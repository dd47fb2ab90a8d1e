/* A store that forgets with the process: for tests, for measuring what the disk costs, and for servers that
 * are told to keep nothing. */
#include "base/mem.h"
#include "store/pending.h"

#include <uthash.h>
#include <utlist.h>

enum { MEMORY_FINISHED_MAX = 1000 }; /* tables: older ones are forgotten, so that memory has a bound */

struct kept_table {
    uint64_t id;
    struct event *events; /* bodies owned */
    size_t event_count, event_capacity;
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
    int64_t created_ms, finished_ms;
    bool has_secret;
    struct digest secret;
    struct kept_table *prev, *next; /* finished ones, in the order of their end */
    UT_hash_handle hh;
};

struct memory_store {
    struct store base; /* first: the interface points at it */
    bool is_immediate;
    struct kept_table *tables; /* by id; in the order of their creation when walked */
    struct kept_table *finished;
    size_t finished_count;
    struct pending_list queue, done;
    struct pending_loads loads, loaded;
    struct store_follower follower;
};

static struct memory_store *memory_of(struct store *s) {
    return (struct memory_store *)(void *)s;
}

static struct kept_table *table_find(struct memory_store *m, uint64_t id) {
    struct kept_table *t;
    HASH_FIND(hh, m->tables, &id, sizeof id, t);
    return t;
}

static struct kept_table *store_memory_table_add(struct memory_store *m, const struct pending *p) {
    struct kept_table *t = mem_alloc(sizeof *t);
    t->id = p->table;
    t->created_ms = p->events[0].time_ms;
    t->has_secret = p->has_secret;
    t->secret = p->secret;
    event_row(&p->events[0], t->game, t->protocol);
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
    if (event_ends(event->kind)) {
        t->finished_ms = pending_finished_ms(event);
        t->has_secret = false;
    }
}

static void table_free(struct memory_store *m, struct kept_table *t) {
    HASH_DEL(m->tables, t);
    for (size_t i = 0; i < t->event_count; i++)
        mem_free((void *)(uintptr_t)t->events[i].body.data);
    mem_free(t->events);
    mem_free(t);
}

static void table_finished(struct memory_store *m, struct kept_table *t) {
    DL_APPEND(m->finished, t);
    if (++m->finished_count <= MEMORY_FINISHED_MAX)
        return;
    struct kept_table *oldest = m->finished;
    DL_DELETE(m->finished, oldest);
    m->finished_count--;
    table_free(m, oldest);
}

static enum err commit(struct memory_store *m, const struct pending *p) {
    struct kept_table *t = table_find(m, p->table);
    if ((t == NULL ? 0 : t->event_count) != p->expected_seq)
        return ERR_CONFLICT;
    if (t == NULL)
        t = store_memory_table_add(m, p);
    for (size_t i = 0; i < p->event_count; i++)
        table_append(t, &p->events[i]);
    if (t->finished_ms != 0)
        table_finished(m, t);
    return ERR_OK;
}

static bool table_visit(const struct kept_table *t, uint64_t from_seq, store_visit_event *visit,
                        void *context) {
    for (size_t i = from_seq < 2 ? 0 : from_seq - 1; i < t->event_count; i++)
        if (!visit(context, t->id, &t->events[i]))
            return false;
    return true;
}

static bool memory_work(struct store *s) {
    struct memory_store *m = memory_of(s);
    if (m->queue.first == NULL && m->loads.first == NULL)
        return false;
    for (struct pending *p = m->queue.first; p != NULL; p = p->next)
        p->result = commit(m, p);
    pending_move(&m->done, &m->queue);
    for (struct pending_load *l = m->loads.first; l != NULL; l = l->next) {
        const struct kept_table *t = table_find(m, l->asked.table);
        if (t != NULL && l->result == ERR_OK)
            table_visit(t, l->asked.from_seq, pending_load_take, l);
    }
    pending_loads_move(&m->loaded, &m->loads);
    if (s->wake != NULL)
        s->wake(s->wake_context);
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

static size_t memory_drain(struct store *s) {
    struct memory_store *m = memory_of(s);
    struct pending_list ready = {0};
    struct pending_loads loaded = {0};
    pending_move(&ready, &m->done);
    pending_loads_move(&loaded, &m->loaded);
    size_t count = pending_deliver(&ready, &m->follower);
    return count + pending_loads_deliver(&loaded);
}

static enum err memory_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                            void *context) {
    const struct kept_table *t = table_find(memory_of(s), table);
    if (t != NULL)
        table_visit(t, from_seq, visit, context);
    return ERR_OK;
}

static bool is_championship(const struct kept_table *t) {
    return strcmp(t->protocol, EVENT_PROTOCOL_CHAMPIONSHIP) == 0;
}

static enum err memory_read_running(struct store *s, store_visit_event *visit, void *context) {
    for (struct kept_table *t = memory_of(s)->tables; t != NULL; t = t->hh.next)
        if (t->finished_ms == 0 && !is_championship(t) && !table_visit(t, 1, visit, context))
            break;
    return ERR_OK;
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
    struct memory_store *m = memory_of(s);
    HASH_SORT(m->tables, by_creation);
    for (struct kept_table *t = m->tables; t != NULL; t = t->hh.next) {
        if (!filter_takes(filter, t))
            continue;
        struct store_table row = {t->id, t->game, t->protocol, t->created_ms, t->finished_ms, t->event_count};
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
    struct memory_store *m = memory_of(s);
    HASH_SORT(m->tables, by_end);
    for (struct kept_table *t = m->tables; t != NULL && t->finished_ms != 0; t = t->hh.next) {
        if (is_championship(t) || t->finished_ms > before_ms ||
            (t->finished_ms == before_ms && t->id >= before_table))
            continue;
        struct store_table row = {t->id, t->game, t->protocol, t->created_ms, t->finished_ms, t->event_count};
        if (!visit(context, &row))
            break;
    }
    return ERR_OK;
}

static enum err memory_secret(struct store *s, uint64_t table, struct digest *out) {
    const struct kept_table *t = table_find(memory_of(s), table);
    if (t == NULL || !t->has_secret)
        return ERR_FIELD_MISSING;
    *out = t->secret;
    return ERR_OK;
}

static enum err memory_last_table(struct store *s, uint64_t below, uint64_t *out) {
    *out = 0;
    for (const struct kept_table *t = memory_of(s)->tables; t != NULL; t = t->hh.next)
        if (t->id < below && t->id > *out)
            *out = t->id;
    return ERR_OK;
}

static void memory_follow(struct store *s, store_visit_commit *visit, void *context) {
    memory_of(s)->follower = (struct store_follower){visit, context};
}

/* Nothing outlives the process, so there is nobody to tell that it lived. */
static void memory_beat(struct store *s, int64_t wall_ms) {
    (void)s;
    (void)wall_ms;
}

static void memory_close(struct store *s) {
    struct memory_store *m = memory_of(s);
    struct kept_table *t, *next;
    HASH_ITER(hh, m->tables, t, next) {
        table_free(m, t);
    }
    pending_free(&m->queue);
    pending_free(&m->done);
    pending_loads_free(&m->loads);
    pending_loads_free(&m->loaded);
    mem_free(m);
}

struct store *store_memory_open(bool is_immediate) {
    static const struct store_ops ops = {
        .append = memory_append,
        .load = memory_load,
        .drain = memory_drain,
        .work = memory_work,
        .read = memory_read,
        .read_running = memory_read_running,
        .list = memory_list,
        .list_finished = memory_list_finished,
        .secret = memory_secret,
        .last_table = memory_last_table,
        .follow = memory_follow,
        .beat = memory_beat,
        .close = memory_close,
    };
    struct memory_store *m = mem_alloc(sizeof *m);
    m->base.ops = &ops;
    m->is_immediate = is_immediate;
    return &m->base;
}
