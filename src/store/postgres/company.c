#include "store/postgres/company.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COMPANY_BEATS_MIN = 4, /* in a row, before a node that had lost the database takes a lease that is free:
                              whoever had it before may be first */
    COMPANY_OLD_MS = 500,  /* an answer that took longer says nothing about now */
    COMPANY_WORDS_MAX = 1000, /* in one statement */
};

void company_init(struct company *c, int64_t node, const char *lease) {
    *c = (struct company){.node = node, .lease = lease};
    c->said.bytes_max = c->heard.bytes_max = STORE_WORDS_BYTES_MAX;
}

void company_free(struct company *c) {
    buf_free(&c->said);
    buf_free(&c->heard);
}

static void word_push(struct buf *list, const uint64_t *node, struct span word) {
    uint32_t size = (uint32_t)word.size;
    if (!buf_reserve(list, sizeof *node + sizeof size + word.size))
        return;
    if (node != NULL)
        buf_append(list, span_make(node, sizeof *node));
    buf_append(list, span_make(&size, sizeof size));
    buf_append(list, word);
}

/* Takes the first word off the front. */
static struct span word_take(struct span *list, uint64_t *node) {
    uint32_t size;
    size_t skip = node == NULL ? 0 : sizeof *node;
    if (node != NULL)
        memcpy(node, list->data, sizeof *node);
    memcpy(&size, list->data + skip, sizeof size);
    struct span word = span_make(list->data + skip + sizeof size, size);
    *list = span_make(word.data + size, list->size - skip - sizeof size - size);
    return word;
}

/* What did not fit is lost, and the rest is worth nothing without it. */
static void words_check(struct company *c, struct buf *list) {
    if (!buf_is_over(list))
        return;
    buf_clear(list);
    c->has_missed = true;
}

void company_say(struct company *c, struct store_queue *q, struct span word) {
    pthread_mutex_lock(&q->lock);
    word_push(&c->said, NULL, word);
    words_check(c, &c->said);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

bool company_is_word(const char *notice) {
    return notice[0] == 'w' && notice[1] == ' ';
}

void company_hear(struct company *c, struct store_queue *q, const char *notice) {
    long long node;
    int at = 0;
    if (sscanf(notice, "w %lld %n", &node, &at) != 1 || at == 0 || node == c->node)
        return;
    uint64_t from = (uint64_t)node;
    pthread_mutex_lock(&q->lock);
    word_push(&c->heard, &from, span_of(notice + at));
    words_check(c, &c->heard);
    pthread_mutex_unlock(&q->lock);
    queue_wake_loop(q);
}

void company_miss(struct company *c, struct store_queue *q) {
    pthread_mutex_lock(&q->lock);
    c->has_missed = true;
    pthread_mutex_unlock(&q->lock);
    queue_wake_loop(q);
}

void company_deliver(struct company *c, struct store_queue *q) {
    const struct store_neighbours *n = &q->store->neighbours;
    struct buf heard;
    pthread_mutex_lock(&q->lock);
    bool has_missed = c->has_missed, has_now = c->has_now;
    struct store_company now = c->now;
    heard = c->heard;
    c->heard = (struct buf){.bytes_max = STORE_WORDS_BYTES_MAX};
    c->has_missed = c->has_now = false;
    pthread_mutex_unlock(&q->lock);
    struct span rest = buf_span(&heard);
    while (rest.size > 0) {
        uint64_t node;
        struct span word = word_take(&rest, &node);
        if (n->word != NULL)
            n->word(n->context, node, word);
    }
    buf_free(&heard);
    if (has_missed && n->missed != NULL)
        n->missed(n->context);
    if (has_now && n->company != NULL)
        n->company(n->context, &now);
}

/* $1 this node, $2 the lease, $3 whether it may be taken, $4 how long a sign of life counts. */
static const char beat_sql[] =
    "WITH alive AS ("
    "  INSERT INTO parlor.nodes(id, seen) VALUES($1, clock_timestamp())"
    "  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen"
    "), gone AS ("
    "  DELETE FROM parlor.nodes WHERE id <> $1 AND seen < clock_timestamp() - interval '1 hour'"
    "), lease AS ("
    "  INSERT INTO parlor.leases(name, node, until)"
    "  SELECT $2, $1, clock_timestamp() + $4 * interval '1 ms'"
    "  WHERE $2 <> '' AND ($3 <> 0 OR EXISTS (SELECT FROM parlor.leases WHERE name = $2 AND node = $1))"
    "  ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until"
    "  WHERE leases.node = excluded.node OR leases.until < clock_timestamp() RETURNING name"
    ") SELECT $1, (SELECT count(*) FROM lease), 0 UNION ALL"
    " (SELECT id, 0, greatest(0, extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint"
    "  FROM parlor.nodes WHERE id <> $1 AND seen > clock_timestamp() - $4 * interval '1 ms'"
    "  ORDER BY id LIMIT $5)";

bool company_beat(struct company *c, struct store_queue *q, struct link *l, unsigned timeout_ms) {
    struct link_params params = {0};
    struct store_company now = {.self = (uint64_t)c->node};
    uint64_t sent_ms = clock_monotonic_ms();
    link_param_int(&params, c->node);
    link_param_text(&params, c->lease == NULL ? "" : c->lease);
    link_param_int(&params, !c->has_failed || c->beats >= COMPANY_BEATS_MIN);
    link_param_int(&params, STORE_NODE_LOST_MS);
    link_param_int(&params, STORE_NODES_MAX - 1);
    PGresult *rows = link_run(l, beat_sql, &params, timeout_ms);
    link_params_free(&params);
    if (rows == NULL) {
        company_failed(c);
        return false;
    }
    for (int row = 0; row < PQntuples(rows) && now.count < STORE_NODES_MAX; row++) {
        now.ages_ms[now.count] = (uint32_t)link_int(rows, row, 2);
        now.nodes[now.count++] = (uint64_t)link_int(rows, row, 0);
        now.has_lease = now.has_lease || link_int(rows, row, 1) > 0;
    }
    PQclear(rows);
    c->beats++;
    if (clock_monotonic_ms() - sent_ms > COMPANY_OLD_MS)
        return true;
    pthread_mutex_lock(&q->lock);
    c->now = now;
    c->has_now = true;
    pthread_mutex_unlock(&q->lock);
    queue_wake_loop(q);
    return true;
}

void company_failed(struct company *c) {
    c->beats = 0;
    c->has_failed = true;
}

/* One statement for the words at the front of a list. */
static bool words_tell(struct company *c, struct link *l, struct span *rest, unsigned timeout_ms) {
    struct link_params params = {0};
    struct buf notice = {0};
    link_array_begin(&params, LINK_TEXTS);
    for (int i = 0; i < COMPANY_WORDS_MAX && rest->size > 0; i++) {
        buf_clear(&notice);
        buf_printf(&notice, "w %lld ", (long long)c->node);
        buf_append(&notice, word_take(rest, NULL));
        link_array_bytes(&params, buf_span(&notice));
    }
    link_array_end(&params);
    bool is_told =
        link_do(l, "SELECT pg_notify('parlor', word) FROM unnest($1::text[]) AS word", &params, timeout_ms);
    link_params_free(&params);
    buf_free(&notice);
    return is_told;
}

bool company_tell(struct company *c, struct store_queue *q, struct link *l, unsigned timeout_ms) {
    bool is_told = true;
    pthread_mutex_lock(&q->lock);
    struct buf said = c->said;
    c->said = (struct buf){.bytes_max = STORE_WORDS_BYTES_MAX};
    pthread_mutex_unlock(&q->lock);
    struct span rest = buf_span(&said);
    while (rest.size > 0 && is_told)
        is_told = words_tell(c, l, &rest, timeout_ms);
    buf_free(&said);
    if (!is_told)
        company_miss(c, q);
    return is_told;
}

void company_leave(struct company *c, struct link *l, unsigned timeout_ms) {
    struct link_params params = {0};
    link_param_int(&params, c->node);
    bool is_left = link_do(l,
                           "WITH gone AS (DELETE FROM parlor.nodes WHERE id = $1) "
                           "UPDATE parlor.leases SET until = '-infinity' WHERE node = $1",
                           &params, timeout_ms);
    (void)is_left; /* the others find out by themselves */
    link_params_free(&params);
}
