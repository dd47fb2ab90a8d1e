/* The journal in SQLite: a queue, and a writer that commits what has gathered in one transaction. While one
 * commit waits for the disk the next batch gathers, so the batches grow with the load by themselves.
 *
 * What is promised about failures: ERR_IO means that nothing of the append is there or ever will be. Before
 * COMMIT that is simple, the transaction is rolled back. When COMMIT itself fails the transaction may stand
 * complete in the write-ahead log although SQLite does not count it: a crash now would bring it back. Then
 * the batch stays unsettled, unanswered, until another small transaction has been committed: that one is
 * written over the start of the doubtful one, whose checksums no longer fit. Only a full disk is certain at
 * once: it was the writing of the log that failed, before its last page (see is_certain). */
#include "base/log.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/reader.h"
#include "store/sqlite/db.h"
#include "store/sqlite/mark.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    RETAIN_INTERVAL_MS = 60 * 1000,
    RETAIN_TABLES_PER_STEP = 32, /* small transactions: appends do not wait long behind one */
    SETTLE_INTERVAL_MS = 250,
    LOSS_TABLES_NAMED_MAX = 20,
    DAY_MS = 24 * 60 * 60 * 1000,
};

struct sqlite_store {
    struct store base; /* first: the interface points at it */
    struct store_sqlite_config config;
    struct store_follower follower;

    struct store_queue queue;

    pthread_mutex_t writer_lock; /* guards the writer connection where readers share it */
    struct db writer, reader;
    bool has_writer, has_reader; /* exclusive and read-only stores have only one of them */

    struct store_reader pasts;
    struct db past; /* of its thread */
    bool has_past;

    /* the writer's own */
    pthread_t thread;
    struct pending_list unsettled;
    bool is_damaged;
    struct mark mark;
    bool has_beaten;   /* this run is known to have begun */
    int64_t beaten_ms; /* the last beat that is on disk, of this run or the one before */
    bool owes_key;     /* the key is not on disk yet */
    int64_t retained_ms;
    bool is_retaining;
};

static struct sqlite_store *sqlite_of(struct store *s) {
    return (struct sqlite_store *)(void *)s;
}

static void failed(struct sqlite_store *q, int code) {
    if (!atomic_exchange(&q->base.is_failing, true))
        log_event(LOG_ERROR, "store-failed", LOG_TEXT("file", span_of(q->config.path)),
                  LOG_TEXT("why", span_of(sqlite3_errmsg(q->writer.handle))), LOG_INT("code", code));
}

static void succeeded(struct sqlite_store *q) {
    if (atomic_exchange(&q->base.is_failing, false))
        log_event(LOG_INFO, "store-recovered", LOG_TEXT("file", span_of(q->config.path)));
}

static void damaged(struct sqlite_store *q) {
    if (!q->is_damaged)
        log_event(
            LOG_ERROR, "store-damaged", LOG_TEXT("file", span_of(q->config.path)),
            LOG_TEXT("why", span_of(sqlite3_errmsg(q->has_writer ? q->writer.handle : q->reader.handle))));
    q->is_damaged = true;
}

static void roll_back(struct sqlite_store *q) {
    q->writer.has_last_id = false;
    if (!sqlite3_get_autocommit(q->writer.handle))
        db_run(&q->writer, DB_ROLLBACK);
}

static void refuse_all(struct pending_list *list) {
    for (struct pending *p = list->first; p != NULL; p = p->next)
        if (p->result == ERR_OK)
            p->result = ERR_IO;
}

/* Whether a failed COMMIT has left no complete transaction in the log. A write that found the disk full is
 * sure not to have finished the log's last page, unless SQLite pads the log after it, which it does for disks
 * that do not promise to leave neighbouring bytes alone. */
static bool is_certain(struct sqlite_store *q, int code) {
    sqlite3_file *file = NULL;
    if ((code & 0xff) != SQLITE_FULL)
        return false;
    sqlite3_file_control(q->writer.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file != NULL && file->pMethods != NULL &&
           (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
}

/* A batch is on disk: what is announced now will be missed when it is gone. */
static void mark_batch(struct sqlite_store *q, const struct pending_list *batch) {
    bool is_news = false;
    for (const struct pending *p = batch->first; p != NULL; p = p->next) {
        if (p->event_count == 0 || p->result != ERR_OK)
            continue;
        mark_add(&q->mark, &(struct mark_entry){p->table, p->events[p->event_count - 1].seq, p->last_id});
        is_news = true;
    }
    if (is_news)
        mark_write(&q->mark);
}

/* Everything up to COMMIT. */
static int batch_write(struct sqlite_store *q, struct pending_list *batch, bool has_beat, int64_t beat_ms) {
    int code = db_run(&q->writer, DB_BEGIN);
    for (struct pending *p = batch->first; p != NULL && code == SQLITE_OK; p = p->next)
        if (p->event_count > 0)
            code = db_append(&q->writer, p);
    if (code == SQLITE_OK && q->owes_key)
        code = db_key_add(&q->writer, &q->base.key);
    /* Between two beats of a run there is a second, unless the clock of the wall was set, the machine slept
     * or the disk hung: nobody is charged for any of these after a restart. */
    bool is_back =
        has_beat && q->beaten_ms != 0 && (!q->has_beaten || beat_ms - q->beaten_ms > STORE_BEAT_GAP_MS);
    if (code == SQLITE_OK && is_back)
        code = db_outage_add(&q->writer, &(struct store_outage){q->beaten_ms, beat_ms});
    if (code == SQLITE_OK && has_beat)
        code = db_beat(&q->writer, beat_ms);
    return code;
}

/* The clock of the wall was set back since the last beat: what happens now would seem to lie far before it,
 * and whoever is on turn would be charged for the difference. So the beat goes back with it. */
static bool batch_is_set_back(const struct sqlite_store *q, const struct pending_list *batch,
                              int64_t *beat_ms) {
    for (const struct pending *p = batch->first; p != NULL; p = p->next) {
        if (p->event_count == 0)
            continue;
        *beat_ms = p->events[p->event_count - 1].time_ms;
        if (*beat_ms < q->beaten_ms - STORE_BEAT_GAP_MS)
            return true;
    }
    return false;
}

/* Commits a batch or leaves it unsettled. True when it is settled, either way. *is_damage: nothing was
 * committed because the file is damaged where something of it belongs. */
static bool batch_try(struct sqlite_store *q, struct pending_list *batch, bool has_beat, int64_t beat_ms,
                      bool *is_damage) {
    if (!has_beat)
        has_beat = batch_is_set_back(q, batch, &beat_ms);
    int code = batch_write(q, batch, has_beat, beat_ms);
    *is_damage = (code & 0xff) == SQLITE_CORRUPT;
    if (code != SQLITE_OK) {
        if (*is_damage)
            damaged(q);
        else
            failed(q, code);
        roll_back(q);
        refuse_all(batch);
        return true;
    }
    code = db_run(&q->writer, DB_COMMIT);
    if (code == SQLITE_OK) {
        mark_batch(q, batch);
        q->has_beaten = q->has_beaten || has_beat;
        q->beaten_ms = has_beat ? beat_ms : q->beaten_ms;
        q->owes_key = false;
        succeeded(q);
        return true;
    }
    failed(q, code);
    bool is_settled = is_certain(q, code);
    roll_back(q);
    if (is_settled)
        refuse_all(batch);
    return is_settled;
}

/* Where the file is damaged each append is committed by itself, so that only those fail that the damage hits.
 * What remains unsettled goes into the list. */
static void batch_commit_singly(struct sqlite_store *q, struct pending_list *batch, bool has_beat,
                                int64_t beat_ms, struct pending_list *unsettled) {
    struct pending_list rest = {0}, done = {0};
    bool is_damage;
    pending_move(&rest, batch);
    while (rest.first != NULL) {
        struct pending_list one = {0};
        pending_push(&one, pending_pop(&rest));
        one.first->result = one.first->event_count > 0 ? ERR_OK : one.first->result;
        bool is_settled = unsettled->first == NULL && batch_try(q, &one, false, 0, &is_damage);
        pending_move(is_settled ? &done : unsettled, &one);
    }
    struct pending_list none = {0};
    if (has_beat && unsettled->first == NULL)
        batch_try(q, &none, true, beat_ms, &is_damage);
    pending_move(batch, &done);
}

/* Whether there is enough room on the disk to begin something new. */
static void reserve_look(struct sqlite_store *q) {
    struct statvfs disk;
    if (q->config.reserve_bytes == 0 || q->config.vfs != NULL || statvfs(q->config.path, &disk) != 0)
        return;
    uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    bool is_scarce = free_bytes < q->config.reserve_bytes;
    if (is_scarce != q->base.is_scarce)
        log_event(LOG_WARN, is_scarce ? "disk-scarce" : "disk-roomy", LOG_INT("free", (int64_t)free_bytes),
                  LOG_INT("reserve", (int64_t)q->config.reserve_bytes));
    q->base.is_scarce = is_scarce;
}

/* What is settled stays in the batch; what is not goes to q->unsettled. */
static void batch_commit(struct sqlite_store *q, struct pending_list *batch, bool has_beat, int64_t beat_ms) {
    bool is_damage;
    bool is_settled = batch_try(q, batch, has_beat, beat_ms, &is_damage);
    if (is_damage)
        batch_commit_singly(q, batch, has_beat, beat_ms, &q->unsettled);
    else if (!is_settled)
        pending_move(&q->unsettled, batch);
}

/* Tries to find out, and to fix for good, what became of the unsettled batch. */
static bool settle(struct sqlite_store *q) {
    int code = db_run(&q->writer, DB_BEGIN);
    if (code == SQLITE_OK)
        code = db_run(&q->writer, DB_SETTLE);
    if (code == SQLITE_OK)
        code = db_run(&q->writer, DB_COMMIT);
    for (struct pending *p = q->unsettled.first; p != NULL && code == SQLITE_OK; p = p->next) {
        bool is_there = false;
        if (p->event_count > 0 && p->result == ERR_OK) {
            code = db_is_there(&q->writer, p, &is_there);
            if (code == SQLITE_OK && !is_there)
                p->result = ERR_IO;
        }
    }
    if (code != SQLITE_OK) {
        failed(q, code);
        roll_back(q);
        return false;
    }
    succeeded(q);
    mark_batch(q, &q->unsettled);
    return true;
}

static bool wants_retention(const struct sqlite_store *q) {
    return q->config.keep_days > 0 || q->config.keep_tables > 0;
}

/* One small transaction of removals; goes on next time while there is more to remove. */
static void retain(struct sqlite_store *q) {
    unsigned removed;
    int64_t before_ms =
        q->config.keep_days == 0 ? INT64_MIN : q->retained_ms - (int64_t)q->config.keep_days * DAY_MS;
    int code = db_retain(&q->writer, before_ms, q->config.keep_tables, RETAIN_TABLES_PER_STEP, &removed);
    if (code != SQLITE_OK)
        failed(q, code);
    q->is_retaining = code == SQLITE_OK && removed == RETAIN_TABLES_PER_STEP;
}

static void load_read(const struct sqlite_store *q, struct db *db, struct pending_load *l) {
    const struct store_load *asked = &l->asked;
    bool is_wanted = true;
    store_read_log("load", asked->table);
    if (asked->is_running)
        l->result = db_is_running(db, asked->table, &is_wanted);
    if (!is_wanted || l->result != ERR_OK)
        return;
    l->has_secret = asked->secret != NULL && db_secret(db, asked->table, &l->secret) == ERR_OK;
    l->result = db_read(db, asked->table, asked->from_seq, q->config.is_read_only, pending_load_take, l);
    if (asked->origin != NULL && l->result == ERR_OK)
        l->result = db_origin(db, asked->table, &l->origin);
}

/* The journals that were asked for, as far as they are committed. Not in the queue of the appends: a disk
 * that takes nothing can still be read. */
static bool loads_run(struct sqlite_store *q) {
    struct pending_loads loads;
    if (!queue_take_loads(&q->queue, &loads))
        return false;
    for (struct pending_load *l = loads.first; l != NULL; l = l->next)
        if (l->result == ERR_OK)
            load_read(q, q->has_writer ? &q->writer : &q->reader, l);
    queue_hand_back_loads(&q->queue, &loads);
    return true;
}

/* One round of the writer over what has gathered. True when it got anything done. */
static bool round_run(struct sqlite_store *q) {
    struct store_batch batch;
    if (q->unsettled.first != NULL) {
        if (!settle(q))
            return false;
        queue_hand_back(&q->queue, &q->unsettled);
        return true;
    }
    if (!queue_take(&q->queue, &batch)) {
        bool was_retaining = q->is_retaining;
        if (was_retaining)
            retain(q);
        return was_retaining;
    }
    batch_commit(q, &batch.appends, batch.has_beat, batch.beat_ms);
    if (batch.has_beat)
        reserve_look(q);
    queue_hand_back(&q->queue, &batch.appends);
    if (batch.has_beat && wants_retention(q) && batch.beat_ms - q->retained_ms >= RETAIN_INTERVAL_MS) {
        q->retained_ms = batch.beat_ms;
        q->is_retaining = true;
    }
    return true;
}

static bool round_run_locked(struct sqlite_store *q) {
    pthread_mutex_lock(&q->writer_lock);
    bool is_done = loads_run(q);
    is_done = round_run(q) || is_done;
    pthread_mutex_unlock(&q->writer_lock);
    return is_done;
}

static void *writer_main(void *context) {
    struct sqlite_store *q = context;
    struct store_queue *queue = &q->queue;
    bool is_closing = false;
    slice_ask(SLICE_WRITER_US);
    while (!is_closing) {
        while (round_run_locked(q))
            continue;
        pthread_mutex_lock(&queue->lock);
        bool is_unsettled = q->unsettled.first != NULL;
        bool is_idle = queue->appends.first == NULL && queue->loads.first == NULL && !queue->has_beat;
        if (!queue->is_closing && (is_idle || is_unsettled))
            queue_wait(queue, is_unsettled ? SETTLE_INTERVAL_MS : 0);
        is_idle = queue->appends.first == NULL && !queue->has_beat;
        is_closing = queue->is_closing && (is_idle || is_unsettled);
        pthread_mutex_unlock(&queue->lock);
    }
    return NULL;
}

static void sqlite_append(struct store *s, const struct store_request *r) {
    assert(!sqlite_of(s)->config.is_read_only);
    queue_append(&sqlite_of(s)->queue, r);
}

static void sqlite_load(struct store *s, const struct store_load *load) {
    queue_load(&sqlite_of(s)->queue, load);
}

static void sqlite_look(struct store *s, const struct store_look *look) {
    queue_look(&sqlite_of(s)->queue, look);
}

static void sqlite_beat(struct store *s, int64_t wall_ms) {
    assert(!sqlite_of(s)->config.is_read_only);
    queue_beat(&sqlite_of(s)->queue, wall_ms);
}

static enum err sqlite_inherit(struct store *s, const struct store_outage *outages, size_t count,
                               int64_t beat_ms, const struct digest *key) {
    struct sqlite_store *q = sqlite_of(s);
    pthread_mutex_lock(&q->writer_lock);
    int code = db_run(&q->writer, DB_BEGIN);
    for (size_t i = 0; i < count && code == SQLITE_OK; i++)
        code = db_outage_add(&q->writer, &outages[i]);
    if (code == SQLITE_OK && q->base.last_beat_ms == 0 && beat_ms != 0)
        code = db_beat(&q->writer, beat_ms);
    if (code == SQLITE_OK && q->base.last_beat_ms == 0 && key != NULL) {
        code = db_key_add(&q->writer, key);
        q->owes_key = false;
    }
    if (code == SQLITE_OK)
        code = db_run(&q->writer, DB_COMMIT);
    if (code != SQLITE_OK)
        roll_back(q);
    pthread_mutex_unlock(&q->writer_lock);
    return code == SQLITE_OK ? ERR_OK : ERR_IO;
}

static size_t sqlite_drain(struct store *s) {
    struct sqlite_store *q = sqlite_of(s);
    struct pending_list ready = {0};
    struct pending_loads loaded = {0};
    pthread_mutex_lock(&q->queue.lock);
    pending_move(&ready, &q->queue.done);
    s->figures.commits = q->queue.commits;
    pending_loads_move(&loaded, &q->queue.loaded);
    pthread_mutex_unlock(&q->queue.lock);
    pending_count(&ready, &s->figures);
    size_t count = pending_deliver(&ready, &q->follower);
    return count + pending_loads_deliver(&loaded);
}

static bool sqlite_work(struct store *s) {
    struct sqlite_store *q = sqlite_of(s);
    bool is_done = false;
    if (q->config.has_writer_thread)
        return false;
    if (!q->has_writer)
        is_done = loads_run(q);
    while (q->has_writer && round_run_locked(q))
        is_done = true;
    return reader_work(&q->pasts) || is_done;
}

/* The connection for reading. Where it is the writer's own the writer has to wait. */
static struct db *reader_take(struct sqlite_store *q) {
    if (q->has_reader)
        return &q->reader;
    pthread_mutex_lock(&q->writer_lock);
    return &q->writer;
}

static void reader_return(struct sqlite_store *q) {
    if (!q->has_reader)
        pthread_mutex_unlock(&q->writer_lock);
}

/* For those who look back: by the connection of their thread, where there is one. */
static void past_read(void *engine, struct pending_load *l) {
    struct sqlite_store *q = engine;
    struct db *db = q->has_past ? &q->past : reader_take(q);
    if (!l->is_look)
        load_read(q, db, l);
    else if (l->look.filter == STORE_FINISHED)
        l->result = db_list_finished(db, l->look.before_ms, l->look.before_table, pending_look_take, l);
    else
        l->result = db_list(db, l->look.filter, pending_look_take, l);
    if (!q->has_past)
        reader_return(q);
}

static enum err sqlite_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                            void *context) {
    struct sqlite_store *q = sqlite_of(s);
    store_read_log("events", table);
    enum err e = db_read(reader_take(q), table, from_seq, q->config.is_read_only, visit, context);
    reader_return(q);
    return e;
}

static enum err sqlite_read_running(struct store *s, store_visit_event *visit, void *context) {
    struct sqlite_store *q = sqlite_of(s);
    struct db *db = reader_take(q);
    int code = db_widen(db, true);
    enum err e = db_read_running(db, visit, context);
    if (code == SQLITE_OK && !q->config.is_read_only)
        code = db_widen(db, false);
    (void)code; /* it is as right with little memory */
    reader_return(q);
    return e;
}

static enum err sqlite_list(struct store *s, enum store_filter filter, store_visit_table *visit,
                            void *context) {
    struct sqlite_store *q = sqlite_of(s);
    enum err e = db_list(reader_take(q), filter, visit, context);
    reader_return(q);
    return e;
}

static enum err sqlite_list_finished(struct store *s, int64_t before_ms, uint64_t before_table,
                                     store_visit_table *visit, void *context) {
    struct sqlite_store *q = sqlite_of(s);
    store_read_log("finished", before_table);
    enum err e = db_list_finished(reader_take(q), before_ms, before_table, visit, context);
    reader_return(q);
    return e;
}

static enum err sqlite_secret(struct store *s, uint64_t table, struct digest *out) {
    struct sqlite_store *q = sqlite_of(s);
    store_read_log("secret", table);
    enum err e = db_secret(reader_take(q), table, out);
    reader_return(q);
    return e;
}

static enum err sqlite_last_table(struct store *s, uint64_t below, uint64_t *out) {
    struct sqlite_store *q = sqlite_of(s);
    enum err e = db_last_table(reader_take(q), below, out);
    reader_return(q);
    return e;
}

static enum err sqlite_origin(struct store *s, uint64_t table, struct store_origin *out) {
    struct sqlite_store *q = sqlite_of(s);
    store_read_log("origin", table);
    enum err e = db_origin(reader_take(q), table, out);
    reader_return(q);
    return e;
}

static void sqlite_follow(struct store *s, store_visit_commit *visit, void *context) {
    sqlite_of(s)->follower = (struct store_follower){visit, context};
}

static void sqlite_free(struct sqlite_store *q) {
    mark_close(&q->mark);
    mem_free((void *)(uintptr_t)q->base.loss);
    if (q->has_past)
        db_close(&q->past);
    if (q->has_reader)
        db_close(&q->reader);
    if (q->has_writer)
        db_close(&q->writer);
    pending_free(&q->unsettled);
    queue_free(&q->queue);
    pthread_mutex_destroy(&q->writer_lock);
    mem_free((void *)(uintptr_t)q->config.path);
    mem_free(q->base.outages);
    mem_free(q);
}

static void sqlite_close(struct store *s) {
    struct sqlite_store *q = sqlite_of(s);
    if (q->config.has_writer_thread) {
        queue_close(&q->queue);
        pthread_join(q->thread, NULL);
        reader_end(&q->pasts);
    } else {
        sqlite_work(s);
    }
    sqlite_free(q);
}

static struct sqlite_store *sqlite_make(const struct store_sqlite_config *config) {
    struct sqlite_store *q = mem_alloc(sizeof *q);
    pthread_mutexattr_t mutex_kind;
    q->config = *config;
    q->config.path = mem_copy_text(config->path);
    queue_init(&q->queue, &q->base);
    q->pasts = (struct store_reader){.queue = &q->queue, .read = past_read, .engine = q};
    /* Recursive: a visitor may read again. */
    pthread_mutexattr_init(&mutex_kind);
    pthread_mutexattr_settype(&mutex_kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&q->writer_lock, &mutex_kind);
    pthread_mutexattr_destroy(&mutex_kind);
    return q;
}

/* The tables that have lost events, as far as the mark knows them: "K7QZ2 (3 events), ...". */
static void loss_tables(struct sqlite_store *q, struct db *db, uint64_t known, struct buf *out) {
    size_t hit = 0;
    for (size_t i = 0; i < q->mark.entry_count; i++) {
        const struct mark_entry *entry = &q->mark.entries[i];
        char code[TABLE_CODE_CHARS + 1];
        uint64_t seq;
        if (entry->id <= known || db_last_seq(db, entry->table, &seq) != SQLITE_OK || seq >= entry->seq)
            continue;
        table_code_format(entry->table, code);
        if (hit++ < LOSS_TABLES_NAMED_MAX)
            buf_printf(out, "%s%s (%llu events)", hit == 1 ? "" : ", ", code,
                       (unsigned long long)(entry->seq - seq));
    }
    if (hit > LOSS_TABLES_NAMED_MAX)
        buf_printf(out, " and %zu more", hit - LOSS_TABLES_NAMED_MAX);
    if (hit == MARK_ENTRIES_MAX)
        buf_append_text(out, ", perhaps others");
}

/* Whether the database is behind what was announced. The mark is read first: whoever writes meanwhile writes
 * the database before it. True, and base.loss says what is missing. */
static bool loss_find(struct sqlite_store *q, struct db *db) {
    uint64_t known;
    struct buf text = {0}, tables = {0};
    if (!mark_read(&q->mark) || db_last_id(db, &known) != SQLITE_OK || q->mark.last_id <= known)
        return false;
    loss_tables(q, db, known, &tables);
    buf_printf(
        &text,
        "the journal %s has lost the last %llu events that were saved in it: %s-wal was removed or cut "
        "while no server ran, or an older copy was put in its place. Hit are: %s",
        q->config.path, (unsigned long long)(q->mark.last_id - known), q->config.path,
        tables.size == 0 ? "nobody knows" : buf_text(&tables));
    q->base.loss = mem_copy_text(buf_text(&text));
    if (q->config.accepts_loss)
        log_event(LOG_ERROR, "journal-loss-accepted", LOG_TEXT("file", span_of(q->config.path)),
                  LOG_INT("events", (int64_t)(q->mark.last_id - known)),
                  LOG_TEXT("tables", buf_span(&tables)));
    buf_free(&text);
    buf_free(&tables);
    return true;
}

/* The mark goes on from where the database is. */
static void mark_begin(struct sqlite_store *q) {
    uint64_t known;
    if (db_last_id(&q->writer, &known) != SQLITE_OK)
        return;
    if (q->mark.last_id != known)
        mark_clear(&q->mark, known);
    mark_write(&q->mark);
}

/* The journal has the dice of running tables: nobody but its owner reads it. A file that is there is not
 * opened for that, because closing it would end the locks that this process may have on it. */
static void file_close_to_others(const char *path, const char *suffix) {
    char name[PATH_MAX];
    struct stat found;
    if (snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name || stat(name, &found) != 0)
        return;
    bool is_open = S_ISREG(found.st_mode) && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    if (is_open && chmod(name, found.st_mode & S_IRWXU) != 0)
        log_event(LOG_WARN, "journal-open-to-others", LOG_TEXT("file", span_of(name)));
}

/* What SQLite puts beside the file gets its mode. */
static void files_close_to_others(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd >= 0)
        close(fd); /* otherwise it is there, or whoever opens it next says why it cannot be */
    file_close_to_others(path, "");
    file_close_to_others(path, "-wal");
    file_close_to_others(path, "-shm");
}

static enum err writer_open(struct sqlite_store *q, char complaint[DB_COMPLAINT_BYTES]) {
    const struct store_sqlite_config *c = &q->config;
    if (c->vfs == NULL)
        files_close_to_others(c->path);
    enum err e = db_open(&q->writer, c->path, c->vfs, DB_WRITE, c->is_exclusive, complaint);
    q->has_writer = e == ERR_OK;
    if (e != ERR_OK)
        return e;
    mark_open(&q->mark, c->path, c->vfs, true);
    if (c->vfs == NULL)
        file_close_to_others(c->path, "-mark");
    if (loss_find(q, &q->writer) && !c->accepts_loss) {
        snprintf(complaint, DB_COMPLAINT_BYTES,
                 "%s. Nothing has been changed: put the file back, or go on without them by --accept-loss",
                 q->base.loss);
        return ERR_IO;
    }
    int code = db_settle_log(&q->writer);
    if (code == SQLITE_OK)
        code = db_migrate(&q->writer);
    if (code != SQLITE_OK) {
        snprintf(complaint, DB_COMPLAINT_BYTES, "the journal %s cannot be opened: %s", c->path,
                 sqlite3_errstr(code));
        return ERR_IO;
    }
    mark_begin(q);
    return ERR_OK;
}

static enum err connections_open(struct sqlite_store *q, char complaint[DB_COMPLAINT_BYTES]) {
    const struct store_sqlite_config *c = &q->config;
    enum err e = ERR_OK;
    if (!c->is_read_only)
        e = writer_open(q, complaint);
    if (e == ERR_OK && (c->is_read_only || !c->is_exclusive)) {
        e = db_open(&q->reader, c->path, c->vfs, DB_READ, false, complaint);
        q->has_reader = e == ERR_OK;
    }
    if (e == ERR_OK && q->has_reader && c->has_writer_thread) {
        e = db_open(&q->past, c->path, c->vfs, DB_READ, false, complaint);
        q->has_past = e == ERR_OK;
    }
    if (e == ERR_OK && c->is_read_only) {
        mark_open(&q->mark, c->path, c->vfs, false);
        loss_find(q, &q->reader);
    }
    struct db *db = q->has_reader ? &q->reader : &q->writer;
    if (e == ERR_OK)
        e = db_last_beat(db, &q->base.last_beat_ms);
    q->beaten_ms = q->base.last_beat_ms;
    if (e == ERR_OK) {
        e = db_key(db, &q->base.key);
        bool is_missing = e == ERR_FIELD_MISSING;
        q->owes_key =
            is_missing && !c->is_read_only; /* it goes with the first commit, before anybody needs it */
        if (q->owes_key)
            digest_secret(&q->base.key);
        e = is_missing ? ERR_OK : e;
    }
    q->base.outages = mem_alloc(STORE_OUTAGES_MAX * sizeof *q->base.outages);
    if (e == ERR_OK)
        e = db_outages(db, q->base.outages, &q->base.outage_count);
    if (e == ERR_DAMAGED) { /* clocks then know of no outage; that is no reason to keep the tables away */
        damaged(q);
        e = ERR_OK;
    }
    return e;
}

static bool sqlite_threads_start(struct sqlite_store *q) {
    if (pthread_create(&q->thread, NULL, writer_main, q) != 0)
        return false;
    if (reader_start(&q->pasts))
        return true;
    queue_close(&q->queue);
    pthread_join(q->thread, NULL);
    return false;
}

enum err store_sqlite_open(const struct store_sqlite_config *config, struct store **out,
                           const char **complaint) {
    static const struct store_ops ops = {
        .append = sqlite_append,
        .load = sqlite_load,
        .look = sqlite_look,
        .drain = sqlite_drain,
        .work = sqlite_work,
        .read = sqlite_read,
        .read_running = sqlite_read_running,
        .list = sqlite_list,
        .list_finished = sqlite_list_finished,
        .secret = sqlite_secret,
        .last_table = sqlite_last_table,
        .origin = sqlite_origin,
        .follow = sqlite_follow,
        .beat = sqlite_beat,
        .inherit = sqlite_inherit,
        .close = sqlite_close,
    };
    static _Thread_local char why[DB_COMPLAINT_BYTES];
    struct sqlite_store *q = sqlite_make(config);
    q->base.ops = &ops;
    q->config.has_writer_thread = config->has_writer_thread && !config->is_read_only;
    snprintf(why, sizeof why, "the journal %s cannot be read", config->path);
    enum err e = connections_open(q, why);
    if (e == ERR_OK && q->config.has_writer_thread && !sqlite_threads_start(q)) {
        snprintf(why, sizeof why, "the system gives no thread for the journal");
        e = ERR_IO;
    }
    if (e != ERR_OK) {
        sqlite_free(q);
        if (complaint != NULL)
            *complaint = why;
        return e;
    }
    *out = &q->base;
    return ERR_OK;
}
