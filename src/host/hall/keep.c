/* The journals of championships: what is noted in them while one is played, what follows when it is on disk,
 * and the way back after a restart. */
#include "host/hall/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/table/table.h"

#include <assert.h>
#include <utlist.h>

static void log_done(struct championship_log *log) {
    struct hall *hall = log->owner;
    struct pool *pool = log->subject;
    timers_stop(&hall->timers, &log->retry);
    if (pool == NULL || hall->is_ending)
        return;
    hall_enter(hall, hall->now_ms);
    if (pool->opened != NULL)
        opened_saved(pool->opened);
    relays_saved(pool, log->saved.last_seq);
    pool_match(pool);
    hall_exit(hall);
}

static void log_try_again(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    championship_log_send(TIMER_OWNER(timer, struct championship_log, retry));
}

static void log_failed(struct championship_log *log) {
    struct hall *hall = log->owner;
    struct pool *pool = log->subject;
    timers_arm(&hall->timers, &log->retry, hall->now_ms + CHAMPIONSHIP_LOG_RETRY_MS, log_try_again);
    if (pool == NULL || hall->is_ending)
        return;
    relays_stalled(pool);
    if (pool->opened != NULL)
        opened_failed(pool->opened);
}

static void log_add(struct hall *hall, struct championship_log *log) {
    log->owner = hall;
    log->done = log_done;
    log->failed = log_failed;
    DL_APPEND(hall->logs, log);
}

void keep_forget(struct hall *hall, struct championship_log *log) {
    timers_stop(&hall->timers, &log->retry);
    DL_DELETE(hall->logs, log);
    championship_log_free(log);
}

void keep_free_all(struct hall *hall) {
    while (hall->logs != NULL)
        keep_forget(hall, hall->logs);
}

void keep_flush(struct hall *hall) {
    struct championship_log *log, *next;
    hall->has_notes = false;
    DL_FOREACH_SAFE(hall->logs, log, next)
    championship_log_send(log);
}

/* Notes an event, and gives the memory of its body back. A hall that ends leaves everything as it is: its
 * entrants come back when it begins again. */
static void note(struct pool *pool, enum event_kind kind, struct buf *body) {
    struct hall *hall = pool->hall;
    if (pool->log != NULL && !hall->is_ending) {
        championship_log_add(pool->log, kind, buf_span(body), tables_journal_ms(hall->config.tables));
        hall->has_notes = true;
    }
    buf_free(body);
}

void keep_open(struct pool *pool, uint64_t number, const char *type, uint32_t players) {
    struct tables *tables = pool->hall->config.tables;
    struct event_championship about = {.format = EVENT_FORMAT, .number = number, .entrants = players};
    struct buf body = {0};
    if (!pool->hall->config.keeps_championships)
        return;
    pool->log = championship_log_create(tables_store(tables), tables_new_id(tables));
    pool->log->subject = pool;
    log_add(pool->hall, pool->log);
    memcpy(about.type, type, strlen(type) + 1);
    event_championship_write(&body, &about);
    note(pool, EVENT_CHAMPIONSHIP, &body);
}

void keep_begin(struct pool *pool) {
    struct buf body = {0};
    struct event_entrant entrant = {{0}};
    if (pool->log == NULL && pool->opened == NULL)
        keep_open(pool, 0, pool->type, pool->entrants_max);
    for (size_t i = 0; pool->log != NULL && i < pool->entrants_max; i++) {
        memcpy(entrant.nick, pool->entrants[i].nick, sizeof pool->entrants[i].nick);
        event_entrant_write(&body, &entrant);
        note(pool, EVENT_ENTRANT, &body);
    }
}

void keep_pair(struct pool *pool, const struct pair_result *r) {
    struct buf body = {0};
    event_pair_write(&body, &(struct event_pair){.a = (uint32_t)r->a,
                                                 .b = (uint32_t)r->b,
                                                 .a_won = r->a_won,
                                                 .a_lost = r->a_lost,
                                                 .b_won = r->b_won,
                                                 .b_lost = r->b_lost});
    note(pool, EVENT_PAIR, &body);
}

void keep_withdrawal(struct pool *pool, size_t entrant) {
    struct buf body = {0};
    event_withdrawal_write(&body, &(struct event_withdrawal){(uint32_t)entrant});
    note(pool, EVENT_WITHDRAWAL, &body);
}

void keep_close(struct pool *pool) {
    struct buf body = {0};
    bool is_played = championship_pairs_left(pool->championship) == 0;
    event_close_write(&body, &(struct event_close){is_played ? OUTCOME_PLAYED : OUTCOME_UNDECIDED});
    note(pool, EVENT_CLOSE, &body);
    if (pool->log != NULL)
        pool->log->subject = NULL;
    pool->log = NULL;
}

bool keep_is_saved(const struct pool *pool) {
    return pool->log == NULL || championship_log_is_idle(pool->log);
}

bool keep_has_begun(const struct pool *pool) {
    return pool->log == NULL || pool->log->saved.standing != NULL;
}

uint64_t keep_last_seq(const struct pool *pool) {
    const struct championship_log *log = pool->log;
    return log->count == 0 ? log->saved.last_seq : log->events[log->count - 1].seq;
}

/* Who has not come back by now has left. */
static void nobody_comes(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct pool *pool = TIMER_OWNER(timer, struct pool, return_timer);
    for (size_t i = 0; i < pool->entrants_max; i++) {
        if (!pool->entrants[i].is_away)
            continue;
        pool->entrants[i].is_away = false;
        keep_withdrawal(pool, i);
        championship_withdraw(pool->championship, i);
        championship_entrant_free(pool->championship, i);
    }
    log_event(LOG_INFO, "championship-entrants-missing", LOG_TEXT("type", span_of(pool->type)),
              LOG_INT("players", (int64_t)pool->away_count));
    pool->away_count = 0;
    pool_match(pool);
}

struct pool_entrant *entrants_restore(const struct championship_fold *fold) {
    struct pool_entrant *entrants = mem_alloc(fold->about.entrants * sizeof *entrants);
    for (size_t i = 0; i < fold->entered; i++)
        memcpy(entrants[i].nick, fold->entrants[i].nick, sizeof entrants[i].nick);
    return entrants;
}

void keep_resume(struct pool *pool, struct championship_log *log) {
    struct hall *hall = pool->hall;
    const struct championship_fold *fold = &log->saved;
    pool->log = log;
    log->subject = pool;
    log_add(hall, log);
    if (fold->standing == NULL)
        return;
    pool->entrants = entrants_restore(fold);
    pool->championship = championship_copy(fold->standing);
    for (size_t i = 0; i < pool->entrants_max; i++) {
        pool->entrants[i].is_away = !championship_has_left(pool->championship, i);
        pool->away_count += pool->entrants[i].is_away;
    }
    pool_listen(pool);
    championship_resume(pool->championship);
    timers_arm(&hall->timers, &pool->return_timer, hall->now_ms + hall->config.return_timeout_ms,
               nobody_comes);
    uint32_t master_ms = hall->config.master_timeout_ms;
    if (pool->master == NULL)
        pool_seek_master(pool, master_ms > hall->config.return_timeout_ms ? master_ms
                                                                          : hall->config.return_timeout_ms);
    log_event(LOG_INFO, "championship-restored", LOG_TEXT("type", span_of(pool->type)),
              LOG_INT("left", (int64_t)championship_pairs_left(pool->championship)));
}

struct found_row {
    uint64_t id;
    bool is_over;
};

struct found {
    struct found_row *rows; /* oldest first */
    size_t count, capacity;
    size_t running;
};

static bool found_add(void *context, const struct store_table *row) {
    struct found *f = context;
    if (f->count == f->capacity) {
        f->capacity = f->capacity == 0 ? HALL_CHAMPIONSHIPS_MAX : 2 * f->capacity;
        f->rows = mem_resize(f->rows, f->capacity * sizeof f->rows[0]);
    }
    f->rows[f->count++] = (struct found_row){row->table, row->finished_ms != 0};
    f->running += row->finished_ms == 0;
    return true;
}

struct folding {
    struct championship_fold fold;
    bool is_broken;
};

static bool fold_nick_fits(const struct event *event) {
    return event->kind != EVENT_ENTRANT || event->body.size <= HALL_NICK_BYTES_MAX + 1;
}

static bool folding_take(void *context, uint64_t id, const struct event *event) {
    struct folding *f = context;
    enum err e = fold_nick_fits(event) ? championship_fold_event(&f->fold, event) : ERR_MALFORMED;
    if (e == ERR_OK)
        return true;
    table_log_broken(id, event->seq, e);
    f->is_broken = true;
    return false;
}

/* The championship of the whole hall, of this type and for so many, goes on when that is wished; others stay
 * as they are. */
static bool is_wanted(struct hall *hall, const struct championship_fold *fold) {
    const struct event_championship *about = &fold->about;
    if (about->number > hall->opened_count)
        hall->opened_count = about->number;
    if (hall->config.championship_players == 0)
        return about->number != 0 && strlen(about->type) < HALL_TYPE_BYTES_MAX;
    if (!hall->config.championship_resumes)
        return false;
    struct span type = hall_type_canonical(hall, span_of(hall->config.championship_type));
    const struct pool *pool = pool_find(hall, type);
    return about->number == 0 && !fold->is_closed && about->entrants == hall->config.championship_players &&
           span_is(type, about->type) && (pool == NULL || pool->log == NULL);
}

static void restore_fold(struct hall *hall, struct championship_fold *fold) {
    bool is_over = fold->is_closed;
    struct championship_log *log =
        is_over ? NULL : championship_log_resume(tables_store(hall->config.tables), fold);
    if (fold->about.number == 0)
        keep_resume(pool_get(hall, span_of(fold->about.type)), log);
    else
        opened_restore(hall, fold, log);
    if (is_over)
        championship_fold_free(fold);
}

/* All that run, and of those that are over the newest, as many as there is room for. */
static enum err restore_all(struct hall *hall, const struct found *found) {
    struct championship_fold wanted[HALL_CHAMPIONSHIPS_MAX];
    size_t count = 0;
    size_t room = found->running < HALL_CHAMPIONSHIPS_MAX ? HALL_CHAMPIONSHIPS_MAX - found->running : 0;
    enum err e = ERR_OK;
    for (size_t i = found->count; i-- > 0 && count < HALL_CHAMPIONSHIPS_MAX && e == ERR_OK;) {
        struct folding f = {.is_broken = false};
        uint64_t id = found->rows[i].id;
        if (found->rows[i].is_over && room == 0)
            continue;
        room -= found->rows[i].is_over;
        championship_fold_init(&f.fold, id);
        e = store_read(tables_store(hall->config.tables), id, 1, folding_take, &f);
        if (e == ERR_DAMAGED) { /* the others go on */
            table_log_broken(id, f.fold.last_seq + 1, e);
            f.is_broken = true;
            e = ERR_OK;
        }
        if (e == ERR_OK && !f.is_broken && f.fold.about.format != 0 && is_wanted(hall, &f.fold))
            wanted[count++] = f.fold;
        else
            championship_fold_free(&f.fold);
    }
    while (count-- > 0)
        restore_fold(hall, &wanted[count]);
    return e;
}

enum err hall_restore(struct hall *hall, uint64_t now_ms) {
    struct found found = {0};
    if (!hall->config.keeps_championships)
        return ERR_OK;
    hall_enter(hall, now_ms);
    enum err e = store_list(tables_store(hall->config.tables), STORE_CHAMPIONSHIPS, found_add, &found);
    if (e == ERR_OK || e == ERR_DAMAGED)
        e = restore_all(hall, &found);
    mem_free(found.rows);
    hall_exit(hall);
    return e;
}
