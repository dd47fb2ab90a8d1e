/* The journals of championships: what is noted in them while one is played, what follows when it is on disk,
 * and the way back after a restart. */
#include "host/hall/internal.h"

#include "base/mem.h"

#include <utlist.h>

static void log_done(struct championship_log *log) {
    struct contest *c = log->owner;
    struct hall *hall = c->hall;
    timers_stop(&hall->timers, &log->retry);
    if (c->pool == NULL || hall->is_ending)
        return;
    hall_enter(hall, hall->now_ms);
    contest_saved(c);
    relays_saved(c->pool, log->saved.last_seq);
    contest_match(c);
    hall_exit(hall);
}

static void log_try_again(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    championship_log_send(TIMER_OWNER(timer, struct championship_log, retry));
}

static void log_failed(struct championship_log *log) {
    struct contest *c = log->owner;
    struct hall *hall = c->hall;
    timers_arm(&hall->timers, &log->retry, hall->now_ms + CHAMPIONSHIP_LOG_RETRY_MS, log_try_again);
    if (c->pool == NULL || hall->is_ending)
        return;
    relays_stalled(c->pool);
    contest_failed(c);
}

void keep_resume(struct contest *c, struct championship_log *log) {
    c->log = log;
    log->owner = c;
    log->done = log_done;
    log->failed = log_failed;
}

void keep_flush(struct hall *hall) {
    struct contest *c;
    DL_FOREACH(hall->contests, c)
    if (c->log != NULL && !c->log->is_failing) /* that is tried again in time */
        championship_log_send(c->log);
}

/* Notes an event, and gives the memory of its body back. A hall that ends leaves everything as it is: its
 * entrants come back when it begins again. */
static void keep_note(struct contest *c, enum event_kind kind, struct buf *body) {
    if (c->log != NULL && !c->hall->is_ending)
        championship_log_add(c->log, kind, buf_span(body), tables_journal_ms(c->hall->config.tables));
    buf_free(body);
}

void keep_open(struct contest *c, uint64_t number) {
    struct tables *tables = c->hall->config.tables;
    struct event_championship about = {.format = EVENT_FORMAT, .number = number, .entrants = c->players};
    struct buf body = {0};
    if (!c->hall->config.keeps_championships)
        return;
    keep_resume(c, championship_log_create(tables_store(tables), tables_new_id(tables)));
    struct span type = hall_type_canonical(c->hall, span_of(c->type));
    memcpy(about.type, type.data, type.size);
    event_championship_write(&body, &about);
    keep_note(c, EVENT_CHAMPIONSHIP, &body);
}

void keep_begin(struct contest *c) {
    struct buf body = {0};
    struct event_entrant entrant = {{0}};
    if (c == c->hall->whole)
        keep_open(c, 0);
    for (size_t i = 0; i < c->players; i++) {
        memcpy(entrant.nick, c->entrants[i].nick, sizeof c->entrants[i].nick);
        event_entrant_write(&body, &entrant);
        keep_note(c, EVENT_ENTRANT, &body);
    }
}

void keep_pair(void *contest, const struct pair_result *r) {
    struct buf body = {0};
    event_pair_write(&body, &(struct event_pair){.a = (uint32_t)r->a,
                                                 .b = (uint32_t)r->b,
                                                 .a_won = r->a_won,
                                                 .a_lost = r->a_lost,
                                                 .b_won = r->b_won,
                                                 .b_lost = r->b_lost});
    keep_note(contest, EVENT_PAIR, &body);
}

void keep_withdrawal(struct contest *c, size_t entrant) {
    struct buf body = {0};
    event_withdrawal_write(&body, &(struct event_withdrawal){(uint32_t)entrant});
    keep_note(c, EVENT_WITHDRAWAL, &body);
}

void keep_close(struct contest *c) {
    struct buf body = {0};
    bool is_played = championship_pairs_left(c->championship) == 0;
    event_close_write(&body, &(struct event_close){is_played ? OUTCOME_PLAYED : OUTCOME_UNDECIDED});
    keep_note(c, EVENT_CLOSE, &body);
}

bool keep_is_saved(const struct contest *c) {
    return c->log == NULL || championship_log_is_idle(c->log);
}

bool keep_has_begun(const struct contest *c) {
    return c->log == NULL || c->log->saved.standing != NULL;
}

uint64_t keep_last_seq(const struct contest *c) {
    const struct championship_log *log = c->log;
    return log->count == 0 ? log->saved.last_seq : log->events[log->count - 1].seq;
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

static bool folding_take(void *context, uint64_t id, const struct event *event) {
    struct folding *f = context;
    bool fits = event->kind != EVENT_ENTRANT || event->body.size <= HALL_NICK_BYTES_MAX + 1;
    enum err e = fits ? championship_fold_event(&f->fold, event) : ERR_MALFORMED;
    if (e == ERR_OK)
        return true;
    table_log_broken(id, event->seq, NULL, e);
    f->is_broken = true;
    return false;
}

/* The championship of the whole hall, of this type and for so many, goes on when that is wished; others stay
 * as they are. */
static bool keep_is_wanted(struct hall *hall, const struct championship_fold *fold) {
    const struct event_championship *about = &fold->about;
    const struct contest *whole = hall->whole;
    if (about->number > hall->opened_count)
        hall->opened_count = about->number;
    if (about->format == 0)
        return false;
    if (whole == NULL)
        return about->number != 0 && strlen(about->type) < HALL_TYPE_BYTES_MAX;
    return hall->config.championship_resumes && whole->log == NULL && about->number == 0 &&
           !fold->is_closed && about->entrants == whole->players &&
           strcmp(whole->pool->type, about->type) == 0;
}

/* All that run, and of those that are over the newest, as many as there is room for; the newest first. */
static enum err keep_restore(struct hall *hall, const struct found *found) {
    struct store *store = tables_store(hall->config.tables);
    size_t room = found->running < HALL_CHAMPIONSHIPS_MAX ? HALL_CHAMPIONSHIPS_MAX - found->running : 0;
    for (size_t i = found->count, count = 0; i-- > 0 && count < HALL_CHAMPIONSHIPS_MAX;) {
        struct folding f = {.is_broken = false};
        uint64_t id = found->rows[i].id;
        if (found->rows[i].is_over && room == 0)
            continue;
        room -= found->rows[i].is_over;
        championship_fold_init(&f.fold, id);
        enum err e = store_read(store, id, 1, folding_take, &f);
        if (e == ERR_DAMAGED) /* the others go on */
            table_log_broken(id, f.fold.last_seq + 1, NULL, e);
        if (e == ERR_OK && !f.is_broken && keep_is_wanted(hall, &f.fold)) {
            contest_restore(hall, championship_log_resume(store, &f.fold));
            count++;
            continue;
        }
        championship_fold_free(&f.fold);
        if (e != ERR_OK && e != ERR_DAMAGED)
            return e;
    }
    return ERR_OK;
}

enum err hall_restore(struct hall *hall, uint64_t now_ms) {
    struct found found = {0};
    if (!hall->config.keeps_championships)
        return ERR_OK;
    hall_enter(hall, now_ms);
    enum err e = store_list(tables_store(hall->config.tables), STORE_CHAMPIONSHIPS, found_add, &found);
    if (e == ERR_OK || e == ERR_DAMAGED)
        e = keep_restore(hall, &found);
    mem_free(found.rows);
    hall_exit(hall);
    return e;
}
