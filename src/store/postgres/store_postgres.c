/* The journal in PostgreSQL: a writer thread that commits what has gathered in one statement, and a thread
 * that follows the other writers (follow.h).
 *
 * What is promised about failures: ERR_IO means that nothing of the append is there or ever will be. When the
 * connection breaks during a statement, or the database gives up its wait for the standby, nobody knows. Then
 * the batch stays unsettled, unanswered, until
 *
 *     1. the session that sent it has ended: it held a lock of its own, which is free now. A statement that
 *        was still on its way in the database can no longer begin;
 *     2. another small transaction has been committed. The standby that answers for it has everything that
 *        was committed before;
 *     3. the journal has been read: the hash of the last event of an append is there or not.
 *
 * While the database cannot be reached everything else is answered with ERR_IO, so that tables wait as for a
 * full disk. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/postgres/append.h"
#include "store/postgres/follow.h"
#include "store/postgres/read.h"
#include "store/postgres/schema.h"
#include "store/reader.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include <uthash.h>

enum {
    WRITE_TIMEOUT_MS = 10 * 1000, /* for an answer; then the session is given up */
    READ_TIMEOUT_MS = 60 * 1000,  /* at the start and of commands */
    READ_LOOP_TIMEOUT_MS = 1000,  /* of the loop of a server, which does so at its start and end alone */
    READ_PAST_TIMEOUT_MS = 3000,  /* of those who look back: then they are told that it cannot be read */
    SETTLE_INTERVAL_MS = 250,
    OUTAGE_MIN_MS = 2000, /* without a sign of life: nobody takes care of anything any more */
    GATHER_US = 2000,     /* from one commit to the next at least: what comes meanwhile shares the next one */
    RETAIN_INTERVAL_MS = 60 * 1000,
    RETAIN_TABLES_PER_STEP = 32, /* small transactions: appends do not wait long behind one */
    DAY_MS = 24 * 60 * 60 * 1000,
    COMPLAINT_BYTES = 2048,
    APPLICATION_BYTES = 64, /* PostgreSQL cuts it there */
};

/* A table with appends on their way. */
struct flying {
    uint64_t table;
    size_t count;
    UT_hash_handle hh;
};

struct postgres_store {
    struct store base; /* first: the interface points at it */
    struct store_postgres_config config;
    int64_t node; /* this store, as opposed to others that write there */
    char application[APPLICATION_BYTES], follow_application[APPLICATION_BYTES];
    struct store_queue queue;
    struct follow follow;
    struct company company;
    atomic_bool is_up;      /* the writer has a link */
    atomic_bool is_reading; /* nothing that was read was in vain since the writer has written last */

    /* the loop's own */
    struct store_follower follower;
    struct link reader;
    unsigned read_timeout_ms;
    struct flying *flying;
    struct pending_list held; /* news of tables that are flying: shown when that is over, in order */
    int64_t appends,
        conflicts; /* that came to an end: written, and those of which another writer was first */

    struct store_reader pasts;
    struct link past; /* of its thread */

    /* the writer's own */
    pthread_t thread;
    bool has_thread;
    struct link writer;
    int64_t session, doubted_session; /* the locks of its sessions */
    struct pending_list unsettled;
    bool has_beaten, is_retaining, has_promised;
    int64_t retained_ms;
    struct append_author author;
    uint64_t batch_ns; /* when the last batch was taken */
};

static struct postgres_store *postgres_of(struct store *s) {
    return (struct postgres_store *)(void *)s;
}

static void writer_failed(struct postgres_store *q) {
    if (!atomic_exchange(&q->base.is_failing, true))
        log_event(LOG_ERROR, "store-failed", LOG_TEXT("database", span_of(q->writer.name)),
                  LOG_TEXT("why", span_of(q->writer.why)));
    company_failed(&q->company);
    atomic_store(&q->is_up, link_is_open(&q->writer));
}

static void writer_succeeded(struct postgres_store *q) {
    if (atomic_exchange(&q->base.is_failing, false))
        log_event(LOG_INFO, "store-recovered", LOG_TEXT("database", span_of(q->writer.name)));
    atomic_store(&q->is_up, true);
    atomic_store(&q->is_reading, true);
}

/* Ends what an earlier session of this store may still be waiting for, and takes the lock by which a later
 * one knows that this one has ended. */
static bool session_begin(struct postgres_store *q) {
    struct link_params params = {0};
    link_param_text(&params, q->application);
    bool is_begun =
        link_do(&q->writer,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = $1 AND usename = current_user AND pid <> pg_backend_pid()",
                &params, WRITE_TIMEOUT_MS);
    link_params_clear(&params);
    q->session = link_number();
    link_param_int(&params, q->session);
    is_begun = is_begun && link_do(&q->writer, "SELECT pg_advisory_lock($1)", &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    return is_begun;
}

static bool writer_connect(struct postgres_store *q) {
    char promise[PROMISE_BYTES];
    if (link_is_sound(&q->writer))
        return true;
    bool is_there = link_open(&q->writer, q->config.url, LINK_WRITE, q->application) &&
                    schema_promise(&q->writer, q->config.is_alone, promise) &&
                    schema_prepare(&q->writer, true) && append_prepare(&q->writer) && session_begin(q);
    if (!is_there) {
        link_close(&q->writer);
        return false;
    }
    if (!q->has_promised && q->config.has_writer_thread)
        log_event(LOG_INFO, "store-promise", LOG_TEXT("database", span_of(q->writer.name)),
                  LOG_TEXT("promise", span_of(promise)));
    q->has_promised = true;
    atomic_store(&q->is_up, true);
    return true;
}

static void list_refuse(struct pending_list *list) {
    for (struct pending *p = list->first; p != NULL; p = p->next)
        if (p->result == ERR_OK)
            p->result = ERR_IO;
}

static bool list_has_table(const struct pending_list *list, uint64_t table) {
    for (const struct pending *p = list->first; p != NULL; p = p->next)
        if (p->table == table)
            return true;
    return false;
}

/* Back to the front of the queue. */
static void queue_return(struct postgres_store *q, struct pending_list *list) {
    pthread_mutex_lock(&q->queue.lock);
    pending_move(list, &q->queue.appends);
    pending_move(&q->queue.appends, list);
    pthread_mutex_unlock(&q->queue.lock);
}

/* Answers what cannot be written now; but what comes behind an append that is in doubt waits for it. */
static void waiting_refuse(struct postgres_store *q) {
    struct store_batch batch;
    struct pending_list refused = {0}, waits = {0};
    queue_take(&q->queue, &batch);
    while (batch.appends.first != NULL) {
        struct pending *p = pending_pop(&batch.appends);
        pending_push(list_has_table(&q->unsettled, p->table) ? &waits : &refused, p);
    }
    list_refuse(&refused);
    queue_hand_back(&q->queue, &refused);
    queue_return(q, &waits);
}

/* One number, 0 when there is no answer. */
static bool writer_asks(struct postgres_store *q, const char *sql, int64_t number) {
    struct link_params params = {0};
    link_param_int(&params, number);
    PGresult *row = link_run(&q->writer, sql, &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    bool answer =
        row != NULL && PQntuples(row) == 1 && PQgetlength(row, 0, 0) == 1 && *PQgetvalue(row, 0, 0) == 1;
    PQclear(row);
    return answer;
}

/* Finds out, for good, what became of the unsettled appends. See the top. */
static bool postgres_settle(struct postgres_store *q) {
    if (!writer_connect(q))
        return false;
    if (!writer_asks(q, "SELECT pg_try_advisory_lock($1)", q->doubted_session)) {
        if (link_is_open(&q->writer))
            snprintf(q->writer.why, sizeof q->writer.why, "the session before has not ended yet");
        return false;
    }
    bool is_settled = link_do(&q->writer,
                              "INSERT INTO parlor.meta(key, value) VALUES('settled', 1) "
                              "ON CONFLICT (key) DO UPDATE SET value = meta.value + 1",
                              NULL, WRITE_TIMEOUT_MS) &&
                      !q->writer.was_warned && append_find(&q->writer, &q->unsettled, WRITE_TIMEOUT_MS) &&
                      writer_asks(q, "SELECT pg_advisory_unlock($1)", q->doubted_session);
    if (!is_settled) /* the lock goes with the session */
        link_close(&q->writer);
    return is_settled;
}

/* Whether an error of the database is about what was written and not about its writing. */
static bool is_about_data(const struct link *l) {
    return strncmp(l->state, "22", 2) == 0 || strncmp(l->state, "23", 2) == 0 ||
           strncmp(l->state, "XX", 2) == 0;
}

static void batch_refuse(struct postgres_store *q, struct pending_list *taken, struct pending_list *batch) {
    writer_failed(q);
    link_close(&q->writer); /* another of the hosts may take writes by now */
    atomic_store(&q->is_up, false);
    pending_move(taken, batch);
    list_refuse(taken);
    queue_hand_back(&q->queue, taken);
}

static void batch_doubt(struct postgres_store *q, struct pending_list *taken, struct pending_list *batch) {
    q->doubted_session = q->session;
    pending_move(&q->unsettled, taken);
    queue_return(q, batch);
    writer_failed(q);
}

/* Appends whose statement was refused for what stands in it: each by itself, so that only those fail that are
 * at fault. Afterwards taken holds those with results; or the one that is in doubt, and what comes behind it
 * is in the batch again. */
static enum append_end batch_singly(struct postgres_store *q, struct pending_list *taken,
                                    struct pending_list *batch) {
    struct pending_list answered = {0};
    while (taken->first != NULL) {
        struct pending_list one = {0}, now = {0};
        pending_push(&one, pending_pop(taken));
        enum append_end end = append_run(&q->writer, &one, &now, &q->author, WRITE_TIMEOUT_MS);
        if (end == APPEND_DOUBTED) {
            pending_move(taken, batch);
            pending_move(batch, taken);
            pending_move(taken, &now);
            queue_hand_back(&q->queue, &answered);
            return end;
        }
        if (end == APPEND_REFUSED) {
            log_event(LOG_ERROR, "store-refused", LOG_INT("table", (int64_t)now.first->table),
                      LOG_TEXT("why", span_of(q->writer.why)));
            list_refuse(&now);
        }
        pending_move(&answered, &now);
    }
    pending_move(taken, &answered);
    return APPEND_DONE;
}

/* Results in the order of the appends, whichever statement they were in: both lists are in it. */
static void done_merge(struct pending_list *done, struct pending_list *more) {
    struct pending_list merged = {0};
    while (done->first != NULL && more->first != NULL)
        pending_push(&merged, pending_pop(done->first->last_id < more->first->last_id ? done : more));
    pending_move(&merged, done);
    pending_move(&merged, more);
    *done = merged;
}

/* Those that nothing that is still to be written comes before. */
static void done_hand_back(struct postgres_store *q, struct pending_list *done,
                           const struct pending_list *rest) {
    struct pending_list ready = {0};
    while (done->first != NULL && (rest->first == NULL || done->first->last_id < rest->first->last_id))
        pending_push(&ready, pending_pop(done));
    queue_hand_back(&q->queue, &ready);
}

/* Commits the appends of a batch, or leaves them unsettled. True when the link is still of use. */
static bool postgres_batch_commit(struct postgres_store *q, struct pending_list *batch) {
    struct pending_list done = {0};
    enum append_end end = APPEND_DONE;
    uint64_t number = 0;
    for (struct pending *p = batch->first; p != NULL; p = p->next)
        p->last_id = number++;
    q->author = (struct append_author){q->node, q->company.now.count > 1 ? &q->base.key : NULL};
    while (batch->first != NULL && end == APPEND_DONE) {
        struct pending_list taken = {0};
        end = append_run(&q->writer, batch, &taken, &q->author, WRITE_TIMEOUT_MS);
        if (end == APPEND_REFUSED && is_about_data(&q->writer))
            end = batch_singly(q, &taken, batch);
        if (end == APPEND_DONE) {
            atomic_store(&q->is_reading, true);
            done_merge(&done, &taken);
            done_hand_back(q, &done, batch);
            continue;
        }
        queue_hand_back(&q->queue, &done);
        if (end == APPEND_REFUSED)
            batch_refuse(q, &taken, batch);
        else
            batch_doubt(q, &taken, batch);
    }
    return end == APPEND_DONE;
}

/* One row per outage, under the time when it began: a second try of the same start only moves its end.
 * beat_ms 0: the last beat stays as it is. */
static bool life_write(struct postgres_store *q, int64_t beat_ms, const struct store_outage *outages,
                       size_t count) {
    struct link_params params = {0};
    link_array_begin(&params, LINK_TEXTS);
    if (beat_ms != 0)
        link_array_bytes(&params, span_of("beat_ms"));
    for (size_t i = 0; i < count; i++) {
        char away[64];
        snprintf(away, sizeof away, "away %020lld", (long long)outages[i].from_ms);
        link_array_bytes(&params, span_of(away));
    }
    link_array_end(&params);
    link_array_begin(&params, LINK_INTS);
    if (beat_ms != 0)
        link_array_int(&params, beat_ms);
    for (size_t i = 0; i < count; i++)
        link_array_int(&params, outages[i].to_ms);
    link_array_end(&params);
    bool is_written =
        link_do(&q->writer,
                "INSERT INTO parlor.meta(key, value) SELECT * FROM unnest($1::text[], $2::bigint[]) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    return is_written;
}

/* $1 now, $2 how long the last sign of life of any node may be ago. Whoever is first after a longer time
 * writes the outage; the others wait for that and find a sign of life. */
static const char life_sql[] =
    "WITH old AS MATERIALIZED (SELECT value FROM parlor.meta WHERE key = 'beat_ms' FOR UPDATE"
    "), away AS ("
    "  INSERT INTO parlor.meta(key, value) SELECT 'away ' || lpad(value::text, 20, '0'), $1 FROM old"
    "  WHERE value > 0 AND $1 - value > $2 ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    ") INSERT INTO parlor.meta(key, value) SELECT 'beat_ms', $1 FROM (SELECT count(*) FROM old) AS looked"
    "  ON CONFLICT (key) DO UPDATE SET value = excluded.value";

static bool beat_write(struct postgres_store *q, int64_t wall_ms) {
    struct link_params params = {0};
    link_param_int(&params, wall_ms);
    link_param_int(&params, q->has_beaten ? OUTAGE_MIN_MS : 0);
    bool is_written = link_do(&q->writer, life_sql, &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    q->has_beaten = q->has_beaten || is_written;
    return is_written;
}

/* What others refer to stays as long as they do. */
#define UNREFERRED "NOT EXISTS (SELECT FROM parlor.tables r WHERE r.origin = t.id) "

/* One small transaction of removals; goes on next time while there is more to remove. */
static void postgres_retain(struct postgres_store *q) {
    struct link_params params = {0};
    const struct store_postgres_config *c = &q->config;
    link_param_int(&params, c->keep_days == 0 ? INT64_MIN : q->retained_ms - (int64_t)c->keep_days * DAY_MS);
    link_param_int(&params, (int64_t)c->keep_tables);
    link_param_int(&params, RETAIN_TABLES_PER_STEP);
    PGresult *row =
        link_run(&q->writer,
                 "WITH old AS MATERIALIZED ("
                 "  SELECT id FROM parlor.tables t WHERE finished_ms <> 0 AND (finished_ms < $1 OR $2 > 0)"
                 "  AND " UNREFERRED "  ORDER BY finished_ms, id LIMIT least($3, greatest("
                 "    (SELECT count(*) FROM parlor.tables t WHERE finished_ms <> 0 AND finished_ms < $1"
                 "      AND " UNREFERRED "),"
                 "    CASE $2 WHEN 0 THEN 0 ELSE (SELECT count(*) FROM parlor.tables WHERE finished_ms <> 0) "
                 "- $2 END))"
                 "), journals AS (DELETE FROM parlor.events e USING old WHERE e.table_id = old.id"
                 "), gone AS (DELETE FROM parlor.tables t USING old WHERE t.id = old.id RETURNING 1"
                 ") SELECT count(*) FROM gone",
                 &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    q->is_retaining = row != NULL && link_int(row, 0, 0) == RETAIN_TABLES_PER_STEP;
    /* Another node has just opened a table that goes on from one of them: there is another time. */
    bool is_referred = row == NULL && link_is_open(&q->writer) && strcmp(q->writer.state, "23503") == 0;
    if (row == NULL && !is_referred)
        writer_failed(q);
    PQclear(row);
}

/* One node is enough for it: the first of those that are there. */
static void postgres_retain_begin(struct postgres_store *q, int64_t wall_ms) {
    bool wants_retention = q->config.keep_days > 0 || q->config.keep_tables > 0;
    for (size_t i = 0; i < q->company.now.count; i++)
        wants_retention = wants_retention && q->company.now.nodes[i] >= (uint64_t)q->node;
    if (!wants_retention || wall_ms - q->retained_ms < RETAIN_INTERVAL_MS)
        return;
    q->retained_ms = wall_ms;
    q->is_retaining = true;
}

/* Words that cannot be told now are lost, and told so when there is somebody to tell. */
static void words_drop(struct postgres_store *q) {
    pthread_mutex_lock(&q->queue.lock);
    q->company.has_missed = q->company.has_missed || company_has_words(&q->company);
    buf_clear(&q->company.said);
    pthread_mutex_unlock(&q->queue.lock);
}

static bool words_wait(struct postgres_store *q) {
    pthread_mutex_lock(&q->queue.lock);
    bool has_words = company_has_words(&q->company);
    pthread_mutex_unlock(&q->queue.lock);
    return has_words;
}

/* What a batch has besides its appends. */
static bool batch_finish(struct postgres_store *q, const struct store_batch *batch) {
    if (batch->has_beat && !beat_write(q, batch->beat_ms))
        return false;
    if (!q->base.is_shared)
        return true;
    return company_tell(&q->company, &q->queue, &q->writer, WRITE_TIMEOUT_MS) &&
           (!batch->has_beat || company_beat(&q->company, &q->queue, &q->writer, WRITE_TIMEOUT_MS));
}

/* A commit costs the same for one append and for many, so under load they are made to share it; who comes
 * alone does not wait. */
static void batch_gather(struct postgres_store *q) {
    const uint64_t since_us = (clock_monotonic_ns() - q->batch_ns) / 1000;
    pthread_mutex_lock(&q->queue.lock);
    bool is_due = !q->queue.is_closing && q->queue.appends.first != NULL;
    pthread_mutex_unlock(&q->queue.lock);
    if (!is_due || !q->config.has_writer_thread)
        return;
    if (since_us < GATHER_US)
        usleep((useconds_t)(GATHER_US - since_us));
    q->batch_ns = clock_monotonic_ns();
}

/* What has gathered; true when it got anything done. */
static bool batch_run(struct postgres_store *q) {
    struct store_batch batch;
    batch_gather(q);
    if (!queue_take(&q->queue, &batch) && !words_wait(q)) {
        bool was_retaining = q->is_retaining;
        if (was_retaining)
            postgres_retain(q);
        return was_retaining;
    }
    if (!writer_connect(q)) {
        writer_failed(q);
        list_refuse(&batch.appends);
        queue_hand_back(&q->queue, &batch.appends);
        words_drop(q);
        return true;
    }
    if (!postgres_batch_commit(q, &batch.appends))
        return true;
    if (!batch_finish(q, &batch)) {
        writer_failed(q);
        return true;
    }
    writer_succeeded(q);
    if (batch.has_beat)
        postgres_retain_begin(q, batch.beat_ms);
    return true;
}

static bool postgres_round_run(struct postgres_store *q) {
    if (q->unsettled.first == NULL)
        return batch_run(q);
    if (postgres_settle(q)) {
        writer_succeeded(q);
        queue_hand_back(&q->queue, &q->unsettled);
        return true;
    }
    writer_failed(q);
    waiting_refuse(q);
    return false;
}

static void *postgres_writer_main(void *context) {
    struct postgres_store *q = context;
    struct store_queue *queue = &q->queue;
    bool is_closing = false;
    slice_ask(SLICE_WRITER_US);
    while (!is_closing) {
        while (postgres_round_run(q))
            continue;
        pthread_mutex_lock(&queue->lock);
        bool is_unsettled = q->unsettled.first != NULL;
        bool is_idle = queue->appends.first == NULL && !queue->has_beat && !company_has_words(&q->company);
        if (!queue->is_closing && (is_idle || is_unsettled))
            queue_wait(queue, is_unsettled ? SETTLE_INTERVAL_MS : 0);
        is_idle = queue->appends.first == NULL && !queue->has_beat;
        is_closing = queue->is_closing && (is_idle || is_unsettled);
        pthread_mutex_unlock(&queue->lock);
    }
    return NULL;
}

static void flying_add(struct postgres_store *q, uint64_t table) {
    struct flying *f;
    HASH_FIND(hh, q->flying, &table, sizeof table, f);
    if (f == NULL) {
        f = mem_alloc(sizeof *f);
        f->table = table;
        HASH_ADD(hh, q->flying, table, sizeof f->table, f);
    }
    f->count++;
}

static bool flying_has(struct postgres_store *q, uint64_t table) {
    struct flying *f;
    HASH_FIND(hh, q->flying, &table, sizeof table, f);
    return f != NULL;
}

static void flying_remove(struct postgres_store *q, uint64_t table) {
    struct flying *f;
    HASH_FIND(hh, q->flying, &table, sizeof table, f);
    if (f == NULL || --f->count > 0)
        return;
    HASH_DEL(q->flying, f);
    mem_free(f);
}

static void postgres_append(struct store *s, const struct store_request *r) {
    struct postgres_store *q = postgres_of(s);
    assert(!q->config.is_read_only);
    flying_add(q, r->table);
    queue_append(&q->queue, r);
}

static void postgres_load(struct store *s, const struct store_load *load) {
    struct postgres_store *q = postgres_of(s);
    queue_load(&q->queue, load);
    if (!load->is_past)
        follow_wake(&q->follow);
}

static void postgres_look(struct store *s, const struct store_look *look) {
    queue_look(&postgres_of(s)->queue, look);
}

static void postgres_beat(struct store *s, int64_t wall_ms) {
    struct postgres_store *q = postgres_of(s);
    assert(!q->config.is_read_only);
    if (q->has_thread)
        q->read_timeout_ms = READ_LOOP_TIMEOUT_MS;
    queue_beat(&q->queue, wall_ms);
}

static bool key_write(struct link *l, const struct digest *key) {
    struct link_params params = {0};
    char digits[2 * DIGEST_BYTES + 1];
    digest_format(key, digits);
    link_param_text(&params, digits);
    bool is_written = link_do(l, "UPDATE parlor.secrets SET secret = decode($1, 'hex') WHERE table_id = 0",
                              &params, WRITE_TIMEOUT_MS);
    link_params_free(&params);
    return is_written;
}

static enum err postgres_inherit(struct store *s, const struct store_outage *outages, size_t count,
                                 int64_t beat_ms, const struct digest *key) {
    struct postgres_store *q = postgres_of(s);
    bool is_new = q->base.last_beat_ms == 0;
    assert(!q->has_thread && !q->config.is_read_only);
    bool is_written = writer_connect(q) && life_write(q, is_new ? beat_ms : 0, outages, count) &&
                      (!is_new || key == NULL || key_write(&q->writer, key)) && !q->writer.was_warned;
    return is_written ? ERR_OK : ERR_IO;
}

/* What others have committed. What comes while an append of ours to the same table is on its way may stand
 * behind it in the journal, so it waits for that. */
static size_t news_deliver(struct postgres_store *q) {
    struct pending_list now = {0}, rest = {0};
    while (q->held.first != NULL) {
        struct pending *p = pending_pop(&q->held);
        pending_push(flying_has(q, p->table) ? &rest : &now, p);
    }
    q->held = rest;
    return pending_deliver(&now, &q->follower);
}

static size_t postgres_drain(struct store *s) {
    struct postgres_store *q = postgres_of(s);
    struct pending_list ready = {0};
    struct pending_loads loaded = {0};
    pthread_mutex_lock(&q->queue.lock);
    pending_move(&ready, &q->queue.done);
    s->figures.commits = q->queue.commits;
    pending_move(&q->held, &q->follow.news);
    pending_loads_move(&loaded, &q->queue.loaded);
    pthread_mutex_unlock(&q->queue.lock);
    for (const struct pending *p = ready.first; p != NULL; p = p->next) {
        flying_remove(q, p->table);
        q->appends += p->result == ERR_OK;
        q->conflicts += p->result == ERR_CONFLICT;
    }
    pending_count(&ready, &s->figures);
    size_t count = pending_deliver(&ready, &q->follower);
    count += news_deliver(q);
    count += pending_loads_deliver(&loaded);
    if (s->is_shared)
        company_deliver(&q->company, &q->queue);
    return count;
}

static void postgres_say(struct store *s, struct span word) {
    struct postgres_store *q = postgres_of(s);
    company_say(&q->company, &q->queue, word);
}

/* Whether the database is known to be away, or has not answered and has written nothing since: who reads
 * waits for it once. */
static bool postgres_is_silent(struct postgres_store *q) {
    return q->has_thread && (!atomic_load(&q->is_up) || !atomic_load(&q->is_reading));
}

/* NULL when it cannot be opened. */
static struct link *postgres_link_take(struct postgres_store *q, struct link *l) {
    enum link_mode mode = q->config.is_read_only ? LINK_READ : LINK_WRITE;
    return link_is_sound(l) || link_open(l, q->config.url, mode, NULL) ? l : NULL;
}

/* The link for reading; NULL at once while the database is silent. */
static struct link *postgres_reader_take(struct postgres_store *q) {
    return postgres_is_silent(q) ? NULL : postgres_link_take(q, &q->reader);
}

static enum err reader_ends(struct postgres_store *q, enum err e) {
    if (e == ERR_IO)
        atomic_store(&q->is_reading, false);
    return e;
}

static bool postgres_loads_run(struct postgres_store *q) {
    struct pending_loads loads;
    if (!queue_take_loads(&q->queue, &loads))
        return false;
    struct link *reader = postgres_reader_take(q);
    for (struct pending_load *l = loads.first; l != NULL; l = l->next)
        read_load(reader, l, q->read_timeout_ms);
    queue_hand_back_loads(&q->queue, &loads);
    return true;
}

/* For those who look back. */
static void postgres_read_past(void *engine, struct pending_load *load) {
    struct postgres_store *q = engine;
    unsigned timeout_ms = q->has_thread ? READ_PAST_TIMEOUT_MS : q->read_timeout_ms;
    struct link *l =
        postgres_is_silent(q) ? NULL : postgres_link_take(q, q->has_thread ? &q->past : &q->reader);
    if (l == NULL)
        load->result = ERR_IO;
    else if (!load->is_look)
        read_load(l, load, timeout_ms);
    else if (load->look.filter == STORE_FINISHED)
        load->result = read_finished(l, load->look.before_ms, load->look.before_table, timeout_ms,
                                     pending_look_take, load);
    else
        load->result = read_list(l, load->look.filter, timeout_ms, pending_look_take, load);
    load->result = reader_ends(q, load->result);
}

static bool postgres_work(struct store *s) {
    struct postgres_store *q = postgres_of(s);
    if (q->has_thread)
        return false;
    bool is_done = postgres_loads_run(q);
    while (!q->config.is_read_only && postgres_round_run(q))
        is_done = true;
    return reader_work(&q->pasts) || is_done;
}

static enum err postgres_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                              void *context) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    store_read_log("events", table);
    return reader == NULL
               ? ERR_IO
               : reader_ends(q, read_events(reader, table, from_seq, q->read_timeout_ms, visit, context));
}

static enum err postgres_read_running(struct store *s, store_visit_event *visit, void *context) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    return reader == NULL ? ERR_IO : read_running(reader, q->read_timeout_ms, visit, context);
}

static enum err postgres_list(struct store *s, enum store_filter filter, store_visit_table *visit,
                              void *context) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    return reader == NULL ? ERR_IO
                          : reader_ends(q, read_list(reader, filter, q->read_timeout_ms, visit, context));
}

static enum err postgres_list_finished(struct store *s, int64_t before_ms, uint64_t before_table,
                                       store_visit_table *visit, void *context) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    store_read_log("finished", before_table);
    return reader == NULL ? ERR_IO
                          : reader_ends(q, read_finished(reader, before_ms, before_table, q->read_timeout_ms,
                                                         visit, context));
}

static enum err postgres_secret(struct store *s, uint64_t table, struct digest *out) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    store_read_log("secret", table);
    return reader == NULL ? ERR_IO : reader_ends(q, read_secret(reader, table, q->read_timeout_ms, out));
}

static enum err postgres_last_table(struct store *s, uint64_t below, uint64_t *out) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    return reader == NULL ? ERR_IO : reader_ends(q, read_last_table(reader, below, q->read_timeout_ms, out));
}

static enum err postgres_origin(struct store *s, uint64_t table, struct store_origin *out) {
    struct postgres_store *q = postgres_of(s);
    struct link *reader = postgres_reader_take(q);
    return reader == NULL ? ERR_IO : read_origin(reader, table, q->read_timeout_ms, out);
}

static void postgres_follow(struct store *s, store_visit_commit *visit, void *context) {
    postgres_of(s)->follower = (struct store_follower){visit, context};
}

static void postgres_free(struct postgres_store *q) {
    struct flying *f, *next;
    follow_end(&q->follow);
    reader_end(&q->pasts);
    link_close(&q->writer);
    link_close(&q->reader);
    link_close(&q->past);
    pending_free(&q->unsettled);
    pending_free(&q->held);
    company_free(&q->company);
    HASH_ITER(hh, q->flying, f, next) {
        HASH_DEL(q->flying, f);
        mem_free(f);
    }
    queue_free(&q->queue);
    mem_free((void *)(uintptr_t)q->config.url);
    mem_free(q->base.outages);
    mem_free(q);
}

static void postgres_close(struct store *s) {
    struct postgres_store *q = postgres_of(s);
    if (q->has_thread) {
        queue_close(&q->queue);
        follow_wake(&q->follow);
        pthread_join(q->thread, NULL);
        log_event(LOG_INFO, "store-closed", LOG_TEXT("database", span_of(q->writer.name)),
                  LOG_INT("appends", q->appends), LOG_INT("conflicts", q->conflicts));
    } else {
        postgres_work(s);
    }
    if (s->is_shared && link_is_open(&q->writer))
        company_leave(&q->company, &q->writer, READ_LOOP_TIMEOUT_MS);
    postgres_free(q);
}

/* The connections that are needed, and what stands in the database about the time before. Fills why. */
static bool postgres_connect(struct postgres_store *q, char why[COMPLAINT_BYTES]) {
    const struct link *at_fault = &q->reader;
    bool is_there = true;
    if (!q->config.is_read_only) {
        at_fault = &q->writer;
        is_there = writer_connect(q) && read_key(&q->writer, WRITE_TIMEOUT_MS, &q->base.key) == ERR_OK;
    }
    if (is_there && !q->config.is_read_only && q->config.has_writer_thread) {
        at_fault = &q->follow.link;
        is_there = follow_begin(&q->follow);
        q->base.is_shared = is_there;
    }
    if (is_there && q->base.is_shared) { /* whether the lease is here is known from the start */
        at_fault = &q->writer;
        is_there = company_beat(&q->company, &q->queue, &q->writer, READ_TIMEOUT_MS);
    }
    if (is_there) {
        at_fault = &q->reader;
        is_there =
            postgres_reader_take(q) != NULL &&
            (!q->config.is_read_only || schema_prepare(&q->reader, false)) &&
            read_last_beat(&q->reader, READ_TIMEOUT_MS, &q->base.last_beat_ms) == ERR_OK &&
            read_outages(&q->reader, READ_TIMEOUT_MS, q->base.outages, &q->base.outage_count) == ERR_OK;
    }
    /* Whoever may only look is not shown it, and does not need it. */
    if (is_there && q->config.is_read_only &&
        read_secret(&q->reader, 0, READ_TIMEOUT_MS, &q->base.key) != ERR_OK)
        q->base.key = (struct digest){{0}};
    if (!is_there)
        snprintf(why, COMPLAINT_BYTES, "the journal %s cannot be opened: %s",
                 at_fault->name[0] == '\0' ? "in PostgreSQL" : at_fault->name, at_fault->why);
    return is_there;
}

static bool threads_start(struct postgres_store *q, char why[COMPLAINT_BYTES]) {
    if (q->config.is_read_only || !q->config.has_writer_thread)
        return true;
    q->has_thread = pthread_create(&q->thread, NULL, postgres_writer_main, q) == 0;
    if (q->has_thread && reader_start(&q->pasts) && follow_start(&q->follow))
        return true;
    snprintf(why, COMPLAINT_BYTES, "the system gives no thread for the journal");
    if (q->has_thread) {
        queue_close(&q->queue);
        pthread_join(q->thread, NULL);
    }
    return false;
}

static struct postgres_store *postgres_make(const struct store_postgres_config *config) {
    struct postgres_store *q = mem_alloc(sizeof *q);
    q->config = *config;
    q->config.url = mem_copy_text(config->url);
    q->node = link_number();
    q->is_reading = true;
    q->read_timeout_ms = READ_TIMEOUT_MS;
    snprintf(q->application, sizeof q->application, "parlor writer %llx", (unsigned long long)q->node);
    snprintf(q->follow_application, sizeof q->follow_application, "parlor follower %llx",
             (unsigned long long)q->node);
    q->base.outages = mem_alloc(STORE_OUTAGES_MAX * sizeof *q->base.outages);
    queue_init(&q->queue, &q->base);
    q->pasts = (struct store_reader){.queue = &q->queue, .read = postgres_read_past, .engine = q};
    company_init(&q->company, q->node, config->lease);
    q->follow = (struct follow){.url = q->config.url,
                                .application = q->follow_application,
                                .node = q->node,
                                .key = &q->base.key,
                                .queue = &q->queue,
                                .company = &q->company,
                                .wake_fd = -1};
    return q;
}

enum err store_postgres_open(const struct store_postgres_config *config, struct store **out,
                             const char **complaint) {
    static const struct store_ops ops = {
        .append = postgres_append,
        .load = postgres_load,
        .look = postgres_look,
        .drain = postgres_drain,
        .work = postgres_work,
        .read = postgres_read,
        .read_running = postgres_read_running,
        .list = postgres_list,
        .list_finished = postgres_list_finished,
        .secret = postgres_secret,
        .last_table = postgres_last_table,
        .origin = postgres_origin,
        .follow = postgres_follow,
        .beat = postgres_beat,
        .say = postgres_say,
        .inherit = postgres_inherit,
        .close = postgres_close,
    };
    static _Thread_local char why[COMPLAINT_BYTES];
    struct postgres_store *q = postgres_make(config);
    q->base.ops = &ops;
    if (postgres_connect(q, why) && threads_start(q, why)) {
        *out = &q->base;
        return ERR_OK;
    }
    q->has_thread = false;
    postgres_free(q);
    if (complaint != NULL)
        *complaint = why;
    return ERR_IO;
}
