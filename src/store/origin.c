#include "store/origin.h"

#include "base/mem.h"

#include <assert.h>

enum { ORIGIN_SEQ_FIRST = 2 }; /* right behind the set-up */

void origin_row_write(struct buf *out, const struct origin_row *row) {
    event_number_write(out, row->table);
    event_number_write(out, row->version);
    event_number_write(out, row->depth);
    buf_append(out, span_make(row->before.bytes, DIGEST_BYTES));
}

enum err origin_row_read(struct span body, struct origin_row *out) {
    uint64_t depth = 0;
    bool is_read = event_number_read(&body, &out->table) && event_number_read(&body, &out->version) &&
                   event_number_read(&body, &depth);
    if (!is_read || depth == 0 || depth > STORE_ORIGINS_MAX || body.size != DIGEST_BYTES)
        return ERR_MALFORMED;
    out->depth = (uint32_t)depth;
    memcpy(out->before.bytes, body.data, DIGEST_BYTES);
    return ERR_OK;
}

struct event origin_row_of(const struct pending *p, struct buf *out) {
    const struct store_origin *origin = &p->origin;
    assert(origin->count > 0 && origin->count < p->event_count && p->expected_seq == 0);
    struct event row = p->events[origin->count];
    origin_row_write(out,
                     &(struct origin_row){origin->table, origin->version, origin->depth, p->events[0].hash});
    row.kind = (enum event_kind)ORIGIN_ROW_KIND;
    row.body = buf_span(out);
    return row;
}

enum err origin_of_row(const struct event *row, struct store_origin *out) {
    struct origin_row said;
    if (origin_row_read(row->body, &said) != ERR_OK || row->seq < ORIGIN_SEQ_FIRST)
        return ERR_DAMAGED;
    *out = (struct store_origin){said.table, said.version, (size_t)(row->seq - ORIGIN_SEQ_FIRST + 1),
                                 said.depth};
    return ERR_OK;
}

/* The events in place of a row, as they come out of the other journal one by one. */
struct origin_events {
    const struct origin_filter *to;
    uint64_t table; /* whose they are */
    const struct event *row;
    struct origin_row said;
    uint64_t next_seq;
    struct digest before;
    struct buf body;
    bool is_enough;  /* for who looks */
    bool is_another; /* the other journal has something that cannot have been there */
};

/* The event of the other journal as one of this: what chance decided there was given here. */
static struct event origin_event_of(struct origin_events *o, const struct event *event) {
    struct event mine = {
        .seq = o->next_seq, .time_ms = o->row->time_ms, .kind = event->kind, .body = event->body};
    if (event->kind == EVENT_CHANCE) {
        buf_clear(&o->body);
        event_body_give(&o->body, event->body);
        mine.body = buf_span(&o->body);
    }
    event_chain(&mine, o->table, &o->before);
    if (mine.seq == o->row->seq)
        mine.hash = o->row->hash;
    return mine;
}

static bool origin_events_take(void *context, uint64_t table, const struct event *event) {
    struct origin_events *o = context;
    (void)table;
    if (event->seq > o->said.version)
        return false;
    if (event->kind == EVENT_SETUP || event->kind == EVENT_SEAT)
        return true;
    bool is_played = event->kind == EVENT_ACTION || event->kind == EVENT_CHANCE;
    o->is_another = !is_played || event->body.size == 0 || o->next_seq > o->row->seq;
    if (o->is_another)
        return false;
    struct event mine = origin_event_of(o, event);
    o->before = mine.hash;
    o->next_seq++;
    o->is_enough = mine.seq >= o->to->from_seq && !o->to->visit(o->to->context, o->table, &mine);
    return !o->is_enough;
}

/* True when whoever looks wants more. */
static bool origin_show(struct origin_filter *f, uint64_t table, const struct event *row) {
    struct origin_events o = {.to = f, .table = table, .row = row, .next_seq = ORIGIN_SEQ_FIRST};
    struct origin_filter inner = {.rows = f->rows,
                                  .engine = f->engine,
                                  .visit = origin_events_take,
                                  .context = &o,
                                  .depth = f->depth + 1};
    /* However a file was damaged, reading it ends. */
    if (inner.depth > STORE_ORIGINS_MAX || origin_row_read(row->body, &o.said) != ERR_OK) {
        f->result = ERR_DAMAGED;
        return false;
    }
    o.before = o.said.before;
    enum err e = f->rows(f->engine, o.said.table, 1, origin_filter_take, &inner);
    buf_free(&o.body);
    if (o.is_enough)
        return false;
    f->result = e != ERR_OK ? e : inner.result;
    if (f->result == ERR_OK && (o.is_another || o.next_seq != row->seq + 1))
        f->result = ERR_DAMAGED;
    return f->result == ERR_OK;
}

bool origin_filter_take(void *context, uint64_t table, const struct event *row) {
    struct origin_filter *f = context;
    if (row->kind == (enum event_kind)ORIGIN_ROW_KIND)
        return origin_show(f, table, row);
    return f->visit(f->context, table, row);
}

enum err origin_read(origin_rows *rows, void *engine, uint64_t table, uint64_t from_seq,
                     store_visit_event *visit, void *context) {
    struct origin_filter filter = {
        .rows = rows, .engine = engine, .from_seq = from_seq, .visit = visit, .context = context};
    enum err e = rows(engine, table, from_seq, origin_filter_take, &filter);
    return e != ERR_OK ? e : filter.result;
}
