#include "store/postgres/append.h"

#include "base/mem.h"
#include "store/origin.h"
#include "store/postgres/notice.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <uthash.h>

enum {
    APPEND_EVENTS_MAX = 4096, /* of one statement */
    APPEND_BYTES_MAX = 16 * 1024 * 1024,
    APPEND_NODE_BYTES = 24, /* of the number of a node as text */
    DEADLOCKS_MAX = 5,      /* in a row: two writers took the same tables in different order */
};

/* $1 to $11 are the runs, one per table: the appends that follow each other. A run is written whole when its
 * table stands where it expects, and not at all otherwise; the tables that were written come back. The row of
 * the table decides: whoever comes second waits for its lock, and looks at it again. As many runs as fit
 * share one notice, because each costs every node a message. What refers to another journal comes in both
 * forms, as that row (its origin) and as the events for which it stands (its origin as a negative number):
 * which of them is written is decided here, where nobody can remove the other journal meanwhile. */
static const char append_sql[] =
    "WITH run AS MATERIALIZED ("
    "  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],"
    "    $7::bigint[], $8::bytea[], $9::text[], $10::bigint[], $11::bigint[])"
    "  AS r(id, expected, last, created_ms, game, protocol, finished_ms, secret, entry, notice, origin)"
    "), origin AS MATERIALIZED ("
    "  SELECT t.id FROM parlor.tables t WHERE t.id IN (SELECT origin FROM run WHERE origin <> 0)"
    "  AND t.finished_ms <> 0 FOR KEY SHARE"
    "), opened AS ("
    "  INSERT INTO parlor.tables(id, game, protocol, created_ms, finished_ms, last_seq, origin)"
    "  SELECT id, game, protocol, created_ms, finished_ms, last,"
    "    (SELECT o.id FROM origin o WHERE o.id = run.origin) FROM run WHERE expected = 0 ORDER BY run.id"
    "  ON CONFLICT (id) DO NOTHING RETURNING id"
    "), moved AS ("
    "  UPDATE parlor.tables t SET last_seq = r.last,"
    "    finished_ms = CASE r.finished_ms WHEN 0 THEN t.finished_ms ELSE r.finished_ms END"
    "  FROM run r WHERE t.id = r.id AND r.expected > 0 AND t.last_seq = r.expected RETURNING t.id"
    "), won AS MATERIALIZED (SELECT id FROM opened UNION ALL SELECT id FROM moved"
    "), written AS ("
    "  INSERT INTO parlor.events(table_id, seq, time_ms, kind, body, hash)"
    "  SELECT e.table_id, e.seq, e.time_ms, e.kind, e.body, e.hash"
    "  FROM unnest($12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bytea[], $17::bytea[],"
    "    $18::bigint[]) AS e(table_id, seq, time_ms, kind, body, hash, origin)"
    "  JOIN won ON won.id = e.table_id"
    "  WHERE e.origin = 0 OR (e.origin > 0) = EXISTS (SELECT FROM origin o WHERE o.id = abs(e.origin))"
    "), kept AS ("
    "  INSERT INTO parlor.secrets(table_id, secret)"
    "  SELECT r.id, r.secret FROM run r JOIN opened o ON o.id = r.id WHERE r.secret IS NOT NULL"
    "), revealed AS ("
    "  DELETE FROM parlor.secrets s USING run r, moved m"
    "  WHERE s.table_id = r.id AND m.id = r.id AND r.finished_ms <> 0"
    ") SELECT string_agg(w.id::text, ' '), pg_notify('parlor', $19 || string_agg(r.entry, ''))"
    "  FROM won w JOIN run r ON r.id = w.id GROUP BY r.notice";

struct run {
    uint64_t table;
    struct pending *first, *last; /* not in a list of their own: from first on those of the table */
    int64_t finished_ms;
    bool is_stopped; /* what comes next of the table waits for what becomes of this */
    bool is_won;
    struct buf entry; /* of the notice with this number */
    int64_t notice;
    UT_hash_handle hh;
};

bool append_prepare(struct link *l) {
    return link_prepare(l, "append", append_sql, 10 * 1000);
}

static struct run *run_find(struct run *runs, uint64_t table) {
    struct run *r;
    HASH_FIND(hh, runs, &table, sizeof table, r);
    return r;
}

static uint64_t pending_end(const struct pending *p) {
    return p->expected_seq + p->event_count;
}

static void run_extend(struct run *r, struct pending *p) {
    r->last = p;
    for (size_t i = 0; i < p->event_count; i++)
        if (event_ends(p->events[i].kind))
            r->finished_ms = pending_finished_ms(&p->events[i]);
}

/* True when the append goes into this statement. */
static bool runs_take(struct run **runs, struct pending *p) {
    struct run *r = run_find(*runs, p->table);
    if (r == NULL) {
        r = mem_alloc(sizeof *r);
        r->table = p->table;
        r->first = p;
        HASH_ADD(hh, *runs, table, sizeof r->table, r);
    } else if (r->is_stopped || pending_end(r->last) != p->expected_seq) {
        r->is_stopped = true;
        return false;
    }
    run_extend(r, p);
    return true;
}

/* Divides the batch into what goes now and what waits. */
static struct run *runs_make(struct pending_list *batch, struct pending_list *taken) {
    struct pending_list rest = {0};
    struct run *runs = NULL;
    size_t events = 0, bytes = 0;
    while (batch->first != NULL && events < APPEND_EVENTS_MAX && bytes < APPEND_BYTES_MAX) {
        struct pending *p = pending_pop(batch);
        bool goes_now = p->event_count == 0 || runs_take(&runs, p);
        for (size_t i = 0; i < p->event_count && goes_now; i++)
            bytes += p->events[i].body.size;
        events += goes_now ? p->event_count : 0;
        pending_push(goes_now ? taken : &rest, p);
    }
    pending_move(&rest, batch);
    *batch = rest;
    return runs;
}

static void runs_free(struct run *runs) {
    struct run *r, *next;
    HASH_ITER(hh, runs, r, next) {
        HASH_DEL(runs, r);
        buf_free(&r->entry);
        mem_free(r);
    }
}

static int run_order(const struct run *a, const struct run *b) {
    return a->table < b->table ? -1 : 1;
}

enum run_column {
    RUN_ID,
    RUN_EXPECTED,
    RUN_LAST,
    RUN_CREATED,
    RUN_GAME,
    RUN_PROTOCOL,
    RUN_FINISHED,
    RUN_SECRET,
    RUN_ENTRY,
    RUN_NOTICE,
    RUN_ORIGIN,
    RUN_COLUMNS
};

/* What one run has in one of the arrays. */
static void run_write(struct link_params *p, const struct run *r, enum run_column column) {
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
    const struct pending *first = r->first;
    switch (column) {
    case RUN_ID: link_array_int(p, (int64_t)r->table); return;
    case RUN_EXPECTED: link_array_int(p, (int64_t)first->expected_seq); return;
    case RUN_LAST: link_array_int(p, (int64_t)pending_end(r->last)); return;
    case RUN_CREATED: link_array_int(p, first->events[0].time_ms); return;
    case RUN_GAME:
    case RUN_PROTOCOL:
        /* A set-up that cannot be read is for the fold to refuse; the journal keeps what it is given. */
        game[0] = protocol[0] = '\0';
        if (first->expected_seq == 0)
            event_row(&first->events[0], game, protocol);
        link_array_bytes(p, span_of(column == RUN_GAME ? game : protocol));
        return;
    case RUN_FINISHED: link_array_int(p, r->finished_ms); return;
    case RUN_SECRET: {
        bool is_kept = first->has_secret && r->finished_ms == 0;
        link_array_bytes(p, is_kept ? span_make((const char *)first->secret.bytes, DIGEST_BYTES)
                                    : (struct span){0});
        return;
    }
    case RUN_ENTRY: link_array_bytes(p, buf_span(&r->entry)); return;
    case RUN_NOTICE: link_array_int(p, r->notice); return;
    case RUN_ORIGIN: link_array_int(p, first->origin.count > 0 ? (int64_t)first->origin.table : 0); return;
    case RUN_COLUMNS: return;
    }
}

enum { EVENT_COLUMNS = 7 };

/* origin as in append_sql. */
static void append_event_write(struct link_params *p, uint64_t table, const struct event *event,
                               int64_t origin, int column) {
    switch (column) {
    case 0: link_array_int(p, (int64_t)table); return;
    case 1: link_array_int(p, (int64_t)event->seq); return;
    case 2: link_array_int(p, event->time_ms); return;
    case 3: link_array_int(p, (int64_t)event->kind); return;
    case 4: link_array_bytes(p, event->body.size == 0 ? span_of("") : event->body); return;
    case 5: link_array_bytes(p, span_make((const char *)event->hash.bytes, DIGEST_BYTES)); return;
    default: link_array_int(p, origin); return;
    }
}

static void append_events_write(struct link_params *p, const struct pending *t, int column) {
    for (size_t i = 0; i < t->event_count; i++) {
        bool is_elsewhere = i >= 1 && i <= t->origin.count;
        append_event_write(p, t->table, &t->events[i], is_elsewhere ? -(int64_t)t->origin.table : 0, column);
    }
    if (t->origin.count == 0)
        return;
    struct buf body = {0};
    struct event row = origin_row_of(t, &body);
    append_event_write(p, t->table, &row, (int64_t)t->origin.table, column);
    buf_free(&body);
}

static void entries_write(struct run *runs, const struct append_author *author) {
    size_t bytes = APPEND_NODE_BYTES;
    int64_t notice = 0;
    for (struct run *r = runs; r != NULL; r = r->hh.next) {
        notice_write(&r->entry, r->first, r->last, author->key);
        bytes += r->entry.size;
        if (bytes > NOTICE_BYTES_MAX) {
            bytes = APPEND_NODE_BYTES + r->entry.size;
            notice++;
        }
        r->notice = notice;
    }
}

static void params_write(struct link_params *p, struct run *runs, const struct pending_list *taken,
                         int64_t node) {
    char whose[APPEND_NODE_BYTES];
    static const enum link_type run_types[RUN_COLUMNS] = {[RUN_GAME] = LINK_TEXTS,
                                                          [RUN_PROTOCOL] = LINK_TEXTS,
                                                          [RUN_SECRET] = LINK_BYTES,
                                                          [RUN_ENTRY] = LINK_TEXTS};
    static const enum link_type event_types[EVENT_COLUMNS] = {LINK_INTS,  LINK_INTS,  LINK_INTS, LINK_INTS,
                                                              LINK_BYTES, LINK_BYTES, LINK_INTS};
    for (int column = 0; column < RUN_COLUMNS; column++) {
        link_array_begin(p, run_types[column]);
        for (const struct run *r = runs; r != NULL; r = r->hh.next)
            run_write(p, r, (enum run_column)column);
        link_array_end(p);
    }
    for (int column = 0; column < EVENT_COLUMNS; column++) {
        link_array_begin(p, event_types[column]);
        for (const struct pending *t = taken->first; t != NULL; t = t->next)
            append_events_write(p, t, column);
        link_array_end(p);
    }
    snprintf(whose, sizeof whose, "%lld", (long long)node);
    link_param_text(p, whose);
}

/* The statement, again when it met another writer in a deadlock: then the database has undone it. */
static PGresult *append_statement_run(struct link *l, struct link_params *params, unsigned timeout_ms) {
    PGresult *result = NULL;
    for (int i = 0; i < DEADLOCKS_MAX && result == NULL && link_is_open(l); i++) {
        result = link_run_prepared(l, "append", params, timeout_ms);
        if (result == NULL && strcmp(l->state, "40P01") != 0)
            break;
    }
    return result;
}

/* The tables of one notice that were written. */
static void runs_win(struct run *runs, const char *tables) {
    char *end;
    for (long long table = strtoll(tables, &end, 10); end != tables; table = strtoll(tables, &end, 10)) {
        struct run *r = run_find(runs, (uint64_t)table);
        if (r != NULL)
            r->is_won = true;
        tables = end;
    }
}

/* A run that lost is a conflict of its first append; the others of it are judged by themselves, later. */
static void results_set(struct run *runs, struct pending_list *batch, struct pending_list *taken) {
    struct pending_list done = {0}, again = {0};
    while (taken->first != NULL) {
        struct pending *p = pending_pop(taken);
        const struct run *r = run_find(runs, p->table);
        bool waits = p->event_count > 0 && !r->is_won && p != r->first;
        if (p->event_count > 0)
            p->result = r->is_won ? ERR_OK : ERR_CONFLICT;
        pending_push(waits ? &again : &done, p);
    }
    pending_move(&again, batch);
    *batch = again;
    *taken = done;
}

enum append_end append_run(struct link *l, struct pending_list *batch, struct pending_list *taken,
                           const struct append_author *author, unsigned timeout_ms) {
    struct link_params params = {0};
    struct run *runs = runs_make(batch, taken);
    enum append_end end = APPEND_DONE;
    if (runs == NULL) /* nothing but what was refused before */
        return end;
    HASH_SORT(runs, run_order);
    entries_write(runs, author);
    params_write(&params, runs, taken, author->node);
    PGresult *result = append_statement_run(l, &params, timeout_ms);
    link_params_free(&params);
    if (result != NULL && l->was_warned) {
        /* It was committed here, and the wait for the standby was given up. */
        snprintf(l->why, sizeof l->why, "the database has warned about a commit");
        PQclear(result);
        link_close(l);
        result = NULL;
    }
    if (result == NULL) {
        end = link_is_open(l) ? APPEND_REFUSED : APPEND_DOUBTED;
    } else {
        for (int i = 0; i < PQntuples(result); i++)
            runs_win(runs, PQgetvalue(result, i, 0));
        PQclear(result);
        results_set(runs, batch, taken);
    }
    runs_free(runs);
    return end;
}

static const struct event *pending_last(const struct pending *p) {
    return &p->events[p->event_count - 1];
}

bool append_find(struct link *l, struct pending_list *doubted, unsigned timeout_ms) {
    struct link_params params = {0};
    link_array_begin(&params, LINK_INTS);
    for (const struct pending *p = doubted->first; p != NULL; p = p->next)
        link_array_int(&params, p->event_count == 0 ? 0 : (int64_t)p->table);
    link_array_end(&params);
    link_array_begin(&params, LINK_INTS);
    for (const struct pending *p = doubted->first; p != NULL; p = p->next)
        link_array_int(&params, p->event_count == 0 ? 0 : (int64_t)pending_last(p)->seq);
    link_array_end(&params);
    PGresult *result = link_run(l,
                                "SELECT e.hash FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY "
                                "AS d(id, seq, place) LEFT JOIN parlor.events e "
                                "ON e.table_id = d.id AND e.seq = d.seq ORDER BY d.place",
                                &params, timeout_ms);
    link_params_free(&params);
    if (result == NULL)
        return false;
    int row = 0;
    for (struct pending *p = doubted->first; p != NULL; p = p->next, row++) {
        if (p->event_count == 0)
            continue;
        struct span hash = link_bytes(result, row, 0);
        bool is_there =
            hash.size == DIGEST_BYTES && memcmp(hash.data, pending_last(p)->hash.bytes, DIGEST_BYTES) == 0;
        p->result = is_there ? ERR_OK : ERR_IO;
    }
    PQclear(result);
    return true;
}
