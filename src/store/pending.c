#include "store/pending.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>

static struct pending *pending_make(const struct store_request *r, size_t event_count, size_t body_bytes) {
    struct pending *p = mem_alloc(sizeof *p + event_count * sizeof p->events[0] + body_bytes);
    p->table = r->table;
    p->expected_seq = r->expected_seq;
    p->done = r->done;
    p->context = r->context;
    p->event_count = event_count;
    p->origin = r->origin;
    if (r->secret != NULL) {
        p->has_secret = true;
        p->secret = *r->secret;
    }
    return p;
}

struct pending *pending_copy(const struct store_request *r) {
    size_t body_bytes = 0;
    assert(r->event_count > r->origin.count);
    assert(r->origin.count == 0 || r->expected_seq == 0);
    assert(r->expected_seq > 0 || event_begins(r->events[0].kind));
    for (size_t i = 0; i < r->event_count; i++) {
        assert(r->events[i].seq == r->expected_seq + 1 + i);
        assert(r->events[i].body.size <= EVENT_BODY_BYTES_MAX);
        body_bytes += r->events[i].body.size;
    }
    struct pending *p = pending_make(r, r->event_count, body_bytes);
    char *bytes = (char *)&p->events[r->event_count];
    for (size_t i = 0; i < r->event_count; i++) {
        p->events[i] = r->events[i];
        p->events[i].body.data = bytes;
        if (r->events[i].body.size > 0)
            memcpy(bytes, r->events[i].body.data, r->events[i].body.size);
        bytes += r->events[i].body.size;
    }
    return p;
}

struct pending *pending_refuse(const struct store_request *r, enum err e) {
    struct pending *p = pending_make(r, 0, 0);
    p->result = e;
    return p;
}

void pending_push(struct pending_list *list, struct pending *p) {
    p->next = NULL;
    if (list->last == NULL)
        list->first = p;
    else
        list->last->next = p;
    list->last = p;
    list->event_count += p->event_count;
}

struct pending *pending_pop(struct pending_list *list) {
    struct pending *p = list->first;
    list->first = p->next;
    if (list->first == NULL)
        list->last = NULL;
    list->event_count -= p->event_count;
    p->next = NULL;
    return p;
}

void pending_move(struct pending_list *to, struct pending_list *from) {
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->event_count += from->event_count;
    *from = (struct pending_list){0};
}

size_t pending_deliver(struct pending_list *list, const struct store_follower *follower) {
    size_t count = 0;
    struct pending *next;
    for (struct pending *p = list->first; p != NULL; p = next, count++) {
        next = p->next;
        if (p->result == ERR_OK && p->event_count > 0 && follower->visit != NULL)
            follower->visit(follower->context, p->table, p->events, p->event_count);
        if (p->done != NULL)
            p->done(p->context, p->result);
        mem_free(p);
    }
    *list = (struct pending_list){0};
    return count;
}

void pending_count(const struct pending_list *list, struct store_figures *figures) {
    for (const struct pending *p = list->first; p != NULL; p = p->next) {
        if (p->done == NULL)
            continue;
        figures->saved += p->result == ERR_OK;
        figures->conflicts += p->result == ERR_CONFLICT;
        figures->failed += p->result != ERR_OK && p->result != ERR_CONFLICT;
        figures->events += p->result == ERR_OK ? p->event_count : 0;
    }
}

void pending_free(struct pending_list *list) {
    struct pending *next;
    for (struct pending *p = list->first; p != NULL; p = next) {
        next = p->next;
        mem_free(p);
    }
    *list = (struct pending_list){0};
}

static struct pending_load *loads_push_new(struct pending_loads *list) {
    struct pending_load *l = mem_alloc(sizeof *l);
    l->result = list->count < PENDING_LOADS_MAX ? ERR_OK : ERR_IO;
    pending_loads_move(list, &(struct pending_loads){l, l, 1});
    return l;
}

void pending_loads_push(struct pending_loads *list, const struct store_load *asked) {
    loads_push_new(list)->asked = *asked;
}

void pending_looks_push(struct pending_loads *list, const struct store_look *look) {
    struct pending_load *l = loads_push_new(list);
    l->is_look = true;
    l->look = *look;
}

struct pending_load *pending_loads_pop(struct pending_loads *list) {
    struct pending_load *l = list->first;
    list->first = l->next;
    if (list->first == NULL)
        list->last = NULL;
    list->count--;
    l->next = NULL;
    return l;
}

void pending_loads_move(struct pending_loads *to, struct pending_loads *from) {
    if (from->first == NULL)
        return;
    if (to->last == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->count += from->count;
    *from = (struct pending_loads){0};
}

bool pending_load_take(void *context, uint64_t table, const struct event *event) {
    struct pending_load *l = context;
    (void)table;
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 64 : 2 * l->capacity;
        l->events = mem_resize(l->events, l->capacity * sizeof *l->events);
    }
    buf_append(&l->bodies, event->body);
    l->events[l->count++] = *event;
    return true;
}

bool pending_look_take(void *context, const struct store_table *table) {
    struct pending_load *l = context;
    if (l->look.game != NULL && strcmp(l->look.game, table->game) != 0)
        return true;
    if (l->row_count == l->row_capacity) {
        l->row_capacity = l->row_capacity == 0 ? 64 : 2 * l->row_capacity;
        l->rows = mem_resize(l->rows, l->row_capacity * sizeof *l->rows);
    }
    struct pending_row *row = &l->rows[l->row_count++];
    row->table = *table;
    snprintf(row->game, sizeof row->game, "%s", table->game);
    snprintf(row->protocol, sizeof row->protocol, "%s", table->protocol);
    return l->row_count != l->look.tables_max;
}

static void pending_load_free(struct pending_load *l) {
    mem_free(l->rows);
    buf_free(&l->bodies);
    mem_free(l->events);
    mem_free(l);
}

static void look_deliver(struct pending_load *l) {
    bool goes_on = true;
    for (size_t i = 0; i < l->row_count && goes_on; i++) {
        struct pending_row *row = &l->rows[i];
        row->table.game = row->game;
        row->table.protocol = row->protocol;
        goes_on = l->look.visit(l->look.context, &row->table);
    }
    l->look.done(l->look.context, l->result);
    pending_load_free(l);
}

static void load_deliver(struct pending_load *l) {
    const char *body = l->bodies.data;
    bool goes_on = true;
    for (size_t i = 0; i < l->count && goes_on; i++) {
        l->events[i].body.data = body;
        body += l->events[i].body.size;
        goes_on = l->asked.visit(l->asked.context, l->asked.table, &l->events[i]);
    }
    if (l->has_secret)
        l->asked.secret(l->asked.context, &l->secret);
    if (l->asked.origin != NULL && l->result == ERR_OK)
        l->asked.origin(l->asked.context, &l->origin);
    l->asked.done(l->asked.context, l->result);
    pending_load_free(l);
}

size_t pending_loads_deliver(struct pending_loads *list) {
    size_t count = list->count;
    struct pending_load *next;
    for (struct pending_load *l = list->first; l != NULL; l = next) {
        next = l->next;
        if (l->is_look)
            look_deliver(l);
        else
            load_deliver(l);
    }
    *list = (struct pending_loads){0};
    return count;
}

void pending_loads_free(struct pending_loads *list) {
    struct pending_load *next;
    for (struct pending_load *l = list->first; l != NULL; l = next) {
        next = l->next;
        pending_load_free(l);
    }
    *list = (struct pending_loads){0};
}
