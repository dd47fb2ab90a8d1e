/* Pools: the players of one game type or championship who wait, and their master. */
#include "host/hall/internal.h"

#include "base/limit.h"
#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

struct pool *pool_find(const struct hall *hall, struct span type) {
    struct pool *pool = NULL;
    HASH_FIND(by_type, hall->pools_by_type, type.data, type.size, pool);
    return pool;
}

struct pool *pool_get(struct hall *hall, struct span type) {
    struct pool *pool = pool_find(hall, type);
    if (pool != NULL)
        return pool;
    pool = mem_alloc(sizeof *pool);
    pool->hall = hall;
    bool fits = span_copy(type, pool->type, sizeof pool->type);
    assert(fits);
    (void)fits;
    HASH_ADD_KEYPTR(by_type, hall->pools_by_type, pool->type, type.size, pool);
    return pool;
}

void pool_free(struct pool *pool) {
    HASH_DELETE(by_type, pool->hall->pools_by_type, pool);
    mem_free(pool);
}

void pool_release(struct pool *pool) {
    bool has_master = pool->master != NULL && pool->master->pool == pool;
    if (pool->contest == NULL && pool->player_count == 0 && pool->tables == NULL && !has_master &&
        !pool->hall->is_ending)
        pool_free(pool);
}

enum hall_login_error pool_admits(struct hall *hall, struct span type, struct span nick,
                                  const struct address *origin) {
    if (type.size == 0 || type.size > HALL_TYPE_BYTES_MAX || memchr(type.data, '\0', type.size) != NULL)
        return HALL_LOGIN_GAME_TYPE;
    const struct pool *pool = pool_find(hall, hall_type_canonical(hall, type));
    const struct contest *contest = pool == NULL ? NULL : pool->contest;
    if (hall->whole != NULL && contest != hall->whole)
        return HALL_LOGIN_GAME_TYPE;
    return contest != NULL && contest_is_full(contest, nick, origin) ? HALL_LOGIN_POOL_FULL : HALL_LOGIN_OK;
}

void pool_forget(struct hall_member *player) {
    struct pool *pool = player->pool;
    if (!player->is_free)
        return;
    DL_DELETE2(pool->free, player, free_prev, free_next);
    player->is_free = false;
    pool->free_count--;
    pool_unwatch(player);
}

void pool_wait(struct hall_member *player) {
    struct pool *pool = player->pool;
    assert(!player->is_free && player->table == NULL);
    player->is_free = true;
    DL_APPEND2(pool->free, player, free_prev, free_next);
    pool->free_count++;
    if (pool->contest != NULL && pool->contest->championship != NULL)
        championship_entrant_free(pool->contest->championship, player->entrant);
}

bool pool_has_room(const struct pool *pool) {
    uint32_t max = pool->hall->config.tables_per_master_max;
    const struct tables *tables = pool->hall->config.tables;
    if ((tables != NULL && tables_is_draining(tables)) || (pool->contest != NULL && pool->contest->is_paused))
        return false;
    return pool->master != NULL && (max == 0 || pool->table_count < max);
}

/* Those who wait are put together when there is room again, whatever made it. */
static void pool_retry(struct timer *timer, uint64_t now_ms) {
    struct hall *hall = TIMER_OWNER(timer, struct hall, retry);
    struct pool *pool, *next;
    (void)now_ms;
    HASH_ITER(by_type, hall->pools_by_type, pool, next) {
        pool_match(pool);
    }
}

bool pool_may_open(struct pool *pool) {
    struct hall *hall = pool->hall;
    const struct tables *tables = hall->config.tables;
    if (!pool_has_room(pool))
        return false;
    bool is_scarce = tables != NULL && tables_is_scarce(tables);
    if (!is_scarce && mem_has_room(TABLE_ROOM_BYTES))
        return true;
    limit_hit(is_scarce ? LIMIT_DISK : LIMIT_MEMORY, NULL);
    if (!timer_is_armed(&hall->retry))
        timers_arm(&hall->timers, &hall->retry, hall->now_ms + HALL_ROOM_RETRY_MS, pool_retry);
    return false;
}

void pool_unwatch(struct hall_member *player) {
    struct hall *hall = player->hall;
    if (hall->waiter != player)
        return;
    hall->waiter = NULL;
    timers_stop(&hall->timers, &hall->alone);
}

static void pool_watch(struct pool *);

/* Nobody of the hall has come for a while: others may. */
static void pool_waited(struct timer *timer, uint64_t now_ms) {
    struct hall *hall = TIMER_OWNER(timer, struct hall, alone);
    const struct hall_member *player = hall->waiter;
    struct pool *pool = player->pool;
    (void)now_ms;
    if (mixed_is_open_to(pool) && mixed_open(pool, &player->opener))
        return; /* the player sits down there when it is saved */
    hall->waiter = NULL;
    pool_watch(pool);
}

/* The one who waits for the longest time, as long as it does. */
static void pool_watch(struct pool *pool) {
    struct hall *hall = pool->hall;
    if (pool->free == NULL || hall->waiter != NULL || hall->config.alone_timeout_ms == 0 ||
        !mixed_is_open_to(pool))
        return;
    hall->waiter = pool->free;
    timers_arm(&hall->timers, &hall->alone, hall->now_ms + hall->config.alone_timeout_ms, pool_waited);
}

void pool_match(struct pool *pool) {
    if (pool->hall->is_ending)
        return;
    if (pool->contest != NULL) {
        contest_match(pool->contest);
        return;
    }
    mixed_fill(pool);
    while (pool->free_count >= pool->players_min && pool_may_open(pool)) {
        struct hall_member *players[HALL_TABLE_SEATS_MAX];
        size_t count = 0;
        for (struct hall_member *p = pool->free; count < pool->players_min; p = p->free_next)
            players[count++] = p;
        relay_begin(pool, players, count);
    }
    pool_watch(pool);
}

void pool_serve(struct pool *pool, struct hall_member *master, uint32_t players_min) {
    pool->master = master;
    pool->players_min = players_min;
    if (pool->contest != NULL)
        timers_stop(&pool->hall->timers, &pool->contest->timer);
}

void pool_master_lost(struct hall_member *master) {
    struct hall *hall = master->hall;
    struct pool *pool, *next;
    HASH_ITER(by_type, hall->pools_by_type, pool, next) {
        struct relay *table, *after;
        if (pool->master != master)
            continue;
        pool->master = NULL;
        DL_FOREACH_SAFE(pool->tables, table, after)
        if (table->phase != RELAY_SAVES) /* its verdict does not need the master any more */
            relay_abandon(table);
        if (pool->contest != NULL && pool->contest->championship != NULL && !hall->is_ending)
            contest_seek_master(pool->contest, hall->config.master_timeout_ms);
    }
}
