#include "store/pending.h"

#include "base/mem.h"

#include <assert.h>

static struct pending *pending_make(const struct store_request *r, size_t event_count, size_t body_bytes) {
    struct pending *p = mem_alloc(sizeof *p + event_count * sizeof p->events[0] + body_bytes);
    p->table = r->table;
    p->expected_seq = r->expected_seq;
    p->done = r->done;
    p->context = r->context;
    p->event_count = event_count;
    if (r->secret != NULL) {
        p->has_secret = true;
        p->secret = *r->secret;
    }
    return p;
}

struct pending *pending_copy(const struct store_request *r) {
    size_t body_bytes = 0;
    assert(r->event_count > 0);
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
        for (size_t i = 0; p->result == ERR_OK && i < p->event_count && follower->visit != NULL; i++)
            follower->visit(follower->context, p->table, &p->events[i]);
        if (p->done != NULL)
            p->done(p->context, p->result);
        mem_free(p);
    }
    *list = (struct pending_list){0};
    return count;
}

void pending_free(struct pending_list *list) {
    struct pending *next;
    for (struct pending *p = list->first; p != NULL; p = next) {
        next = p->next;
        mem_free(p);
    }
    *list = (struct pending_list){0};
}
