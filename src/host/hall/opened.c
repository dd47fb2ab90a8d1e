/* Championships that are opened while the hall runs: a pool of its own for each, served by the master of its
 * game type. */
#include "host/hall/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

enum { NUMBER_CHARS_MAX = 21 }; /* "#18446744073709551615" */

static void opened_free(struct hall *hall, struct opened *o) {
    DL_DELETE(hall->opened, o);
    timers_stop(&hall->timers, &o->patience);
    if (o->log != NULL)
        keep_forget(hall, o->log);
    mem_free(o->results);
    mem_free(o->entrants);
    mem_free(o);
}

void opened_free_all(struct hall *hall) {
    while (hall->opened != NULL)
        opened_free(hall, hall->opened);
}

/* Room for one more: the oldest that is over goes. */
static bool make_room(struct hall *hall) {
    struct opened *o;
    size_t count = 0;
    DL_COUNT(hall->opened, o, count);
    if (count < HALL_CHAMPIONSHIPS_MAX)
        return true;
    DL_FOREACH(hall->opened, o)
    if (o->pool == NULL && (o->log == NULL || championship_log_is_idle(o->log))) {
        opened_free(hall, o);
        return true;
    }
    return false;
}

static void serve(struct pool *pool, struct hall_member *master) {
    struct hall *hall = pool->hall;
    pool->master = master;
    pool->players_min = pool->players_max = 2;
    timers_stop(&hall->timers, &pool->timer);
    pool_match(pool);
}

/* Masters of more than two play no pairs. */
static bool can_serve(const struct hall_member *master) {
    return master->pool->players_min <= 2 && master->pool->opened == NULL;
}

void opened_serve(struct hall_member *master) {
    struct opened *o;
    DL_FOREACH(master->hall->opened, o)
    if (o->pool != NULL && o->pool->master == NULL && can_serve(master) &&
        strcmp(o->type, master->pool->type) == 0)
        serve(o->pool, master);
}

/* A new one under the number in its name, with a pool. */
static struct opened *opened_make(struct hall *hall, struct span type, uint64_t number, uint32_t players) {
    struct opened *o = mem_alloc(sizeof *o);
    bool fits = span_copy(type, o->type, sizeof o->type);
    assert(fits);
    (void)fits;
    snprintf(o->name, sizeof o->name, "%.*s#%" PRIu64, HALL_TYPE_BYTES_MAX - NUMBER_CHARS_MAX, o->type,
             number);
    o->players = players;
    DL_APPEND(hall->opened, o);
    return o;
}

static void opened_add_pool(struct hall *hall, struct opened *o) {
    o->pool = pool_get(hall, span_of(o->name));
    o->pool->is_championship = true;
    o->pool->entrants_max = o->players;
    o->pool->opened = o;
}

/* The master of the type, if it has one. */
static void opened_find_master(struct hall *hall, struct opened *o) {
    const struct pool *base = pool_find(hall, span_of(o->type));
    if (base != NULL && base->master != NULL && can_serve(base->master))
        serve(o->pool, base->master);
}

/* Whether it can be taken back: the store has refused it, and nobody has found the way to it. */
static bool may_undo(const struct opened *o) {
    return o->log->saved.last_seq == 0 && o->log->sent == 0 && o->pool->player_count == 0;
}

static void opened_undo(struct opened *o) {
    struct pool *pool = o->pool;
    struct hall *hall = pool->hall;
    log_event(LOG_INFO, "championship-undone", LOG_TEXT("name", span_of(o->name)));
    pool->log = NULL;
    pool->opened = NULL;
    opened_free(hall, o);
    pool_release(pool);
}

static void opened_late(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct opened *o = TIMER_OWNER(timer, struct opened, patience);
    struct hall_opening opening = o->opening;
    bool is_undone = may_undo(o);
    o->opening = (struct hall_opening){0};
    o->is_unasked = true;
    if (is_undone)
        opened_undo(o);
    opening.put_off(opening.context, is_undone);
}

void opened_failed(struct opened *o) {
    if (o->is_unasked && may_undo(o))
        opened_undo(o);
}

/* A number under whose name nobody waits by chance. */
static uint64_t number_next(struct hall *hall, struct span type) {
    char name[HALL_TYPE_BYTES_MAX + 1];
    do
        snprintf(name, sizeof name, "%.*s#%" PRIu64, (int)type.size, type.data, ++hall->opened_count);
    while (pool_find(hall, span_of(name)) != NULL);
    return hall->opened_count;
}

static bool type_is_good(struct span type) {
    return type.size > 0 && type.size + NUMBER_CHARS_MAX <= HALL_TYPE_BYTES_MAX &&
           memchr(type.data, '\0', type.size) == NULL && utf8_is_valid(type);
}

enum err hall_open_championship(struct hall *hall, struct span type, int64_t players,
                                const struct hall_opening *opening, uint64_t now_ms) {
    type = hall_type_canonical(hall, type);
    if (!type_is_good(type) || players < CHAMPIONSHIP_ENTRANTS_MIN || players > CHAMPIONSHIP_ENTRANTS_MAX)
        return ERR_FIELD_INVALID;
    if (hall->config.championship_players > 0 || hall->is_ending || !make_room(hall))
        return ERR_TOO_MANY;
    hall_enter(hall, now_ms);
    uint64_t number = number_next(hall, type);
    struct opened *made = opened_make(hall, type, number, (uint32_t)players);
    opened_add_pool(hall, made);
    made->opening = *opening;
    keep_open(made->pool, number, made->type, made->players);
    made->log = made->pool->log;
    opened_find_master(hall, made);
    log_event(LOG_INFO, "championship-opened", LOG_TEXT("name", span_of(made->name)),
              LOG_INT("players", players));
    if (made->log == NULL)
        opened_saved(made);
    else if (opening->put_off != NULL)
        timers_arm(&hall->timers, &made->patience, now_ms + TABLES_PATIENCE_MS, opened_late);
    hall_exit(hall);
    return ERR_OK;
}

void opened_restore(struct hall *hall, const struct championship_fold *fold, struct championship_log *log) {
    struct opened *o = opened_make(hall, span_of(fold->about.type), fold->about.number, fold->about.entrants);
    o->log = log;
    if (log == NULL) {
        o->entrants = entrants_restore(fold);
        o->results = mem_alloc(o->players * sizeof *o->results);
        entrants_standings(fold->standing, o->entrants, o->players, o->results);
        return;
    }
    opened_add_pool(hall, o);
    keep_resume(o->pool, log);
    opened_find_master(hall, o);
}

/* Nobody is told of it before it is on disk. */
static bool is_known(const struct opened *o) {
    return o->log == NULL || o->log->saved.last_seq > 0;
}

void opened_saved(struct opened *o) {
    struct hall_opening opening = o->opening;
    struct hall *hall = o->pool->hall;
    size_t index = 0;
    timers_stop(&hall->timers, &o->patience);
    if (opening.opened == NULL)
        return;
    o->opening = (struct hall_opening){0};
    for (const struct opened *other = hall->opened; other != o; other = other->next)
        index += is_known(other);
    opening.opened(opening.context, hall, index);
}

void opened_finish(struct pool *pool) {
    struct opened *o = pool->opened;
    o->results = mem_alloc(o->players * sizeof *o->results);
    entrants_standings(pool->championship, pool->entrants, o->players, o->results);
    for (size_t i = 0; i < o->players; i++) {
        struct hall_member *member = pool->entrants[i].member;
        if (member == NULL)
            continue;
        hall_tell(member, &(struct hall_message){.type = HALL_SERVER_SHUTDOWN});
        hall_member_end(member, true);
    }
    o->entrants = pool->entrants; /* has the nicks of the results */
    pool->entrants = NULL;
    championship_free(pool->championship);
    pool->championship = NULL;
    pool->opened = NULL;
    o->pool = NULL;
    pool_release(pool);
}

static struct opened *opened_at(const struct hall *hall, size_t index) {
    struct opened *o;
    DL_FOREACH(hall->opened, o)
    if (is_known(o) && index-- == 0)
        return o;
    return NULL;
}

/* How it stands by what is on disk, while it runs; NULL: it has not begun. */
static const struct championship *standing_of(const struct pool *pool) {
    return pool->log != NULL ? pool->log->saved.standing : pool->championship;
}

/* The pool of the one championship that the whole hall is; NULL: nobody has come yet. */
static const struct pool *whole_pool(const struct hall *hall) {
    return pool_find(hall, hall_type_canonical(hall, span_of(hall->config.championship_type)));
}

/* The championship of the whole hall comes behind those that were opened before. */
static bool is_whole(const struct hall *hall, size_t index) {
    return hall->config.championship_players > 0 && opened_at(hall, index) == NULL &&
           (index == 0 || opened_at(hall, index - 1) != NULL);
}

static struct hall_championship whole_championship(const struct hall *hall) {
    const struct pool *pool = whole_pool(hall);
    uint32_t players = hall->config.championship_players;
    bool has_begun = pool != NULL && standing_of(pool) != NULL;
    return (struct hall_championship){
        .name = hall->config.championship_type,
        .type = hall->config.championship_type,
        .players = players,
        .entered = has_begun      ? players
                   : pool == NULL ? 0
                                  : (uint32_t)pool->player_count,
        .state = !has_begun          ? HALL_CHAMPIONSHIP_OPEN
                 : pool->is_finished ? HALL_CHAMPIONSHIP_OVER
                                     : HALL_CHAMPIONSHIP_RUNS,
    };
}

bool hall_championship_at(const struct hall *hall, size_t index, struct hall_championship *out) {
    const struct opened *o = opened_at(hall, index);
    if (o == NULL && !is_whole(hall, index))
        return false;
    if (o == NULL) {
        *out = whole_championship(hall);
        return true;
    }
    bool has_begun = o->pool == NULL || standing_of(o->pool) != NULL;
    *out = (struct hall_championship){
        .name = o->name,
        .type = o->type,
        .players = o->players,
        .entered = has_begun ? o->players : (uint32_t)o->pool->player_count,
        .state = o->pool == NULL ? HALL_CHAMPIONSHIP_OVER
                 : has_begun     ? HALL_CHAMPIONSHIP_RUNS
                                 : HALL_CHAMPIONSHIP_OPEN,
    };
    return true;
}

void hall_championship_standings(const struct hall *hall, size_t index,
                                 void (*visit)(void *context, const struct hall_player *), void *context) {
    const struct opened *o = opened_at(hall, index);
    const struct pool *pool = o != NULL ? o->pool : is_whole(hall, index) ? whole_pool(hall) : NULL;
    bool is_over = o != NULL && pool == NULL;
    if (!is_over && (pool == NULL || standing_of(pool) == NULL))
        return;
    size_t count = is_over ? o->players : pool->entrants_max;
    struct hall_player *players = mem_alloc(count * sizeof *players);
    if (is_over)
        memcpy(players, o->results, count * sizeof *players);
    else
        entrants_standings(standing_of(pool), pool->entrants, count, players);
    for (size_t i = 0; i < count; i++)
        visit(context, &players[i]);
    mem_free(players);
}
