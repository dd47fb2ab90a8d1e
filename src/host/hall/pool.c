/* Pools: the players of one game type who wait, their master, and the championship when there is one. */
#include "host/hall/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>

static bool is_championship_type(const struct hall *hall, struct span type) {
    return hall->config.championship_players > 0 &&
           span_equal(hall_type_canonical(hall, type),
                      hall_type_canonical(hall, span_of(hall->config.championship_type)));
}

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
    pool->is_championship = is_championship_type(hall, type);
    pool->entrants_max = hall->config.championship_players;
    HASH_ADD_KEYPTR(by_type, hall->pools_by_type, pool->type, type.size, pool);
    return pool;
}

void pool_release(struct pool *pool) {
    struct hall *hall = pool->hall;
    bool is_running = pool->championship != NULL && !hall->is_ending;
    bool is_opened = pool->opened != NULL && !hall->is_ending;
    if (is_opened || pool->player_count > 0 || pool->tables != NULL || is_running ||
        (pool->master != NULL && pool->master->pool == pool))
        return;
    timers_stop(&hall->timers, &pool->timer);
    timers_stop(&hall->timers, &pool->return_timer);
    if (pool->log != NULL)
        pool->log->subject = NULL;
    championship_free(pool->championship);
    mem_free(pool->entrants);
    HASH_DELETE(by_type, hall->pools_by_type, pool);
    mem_free(pool);
}

/* The entrant of this nick who may come back, or entrants_max. */
static size_t entrant_away(const struct pool *pool, struct span nick) {
    size_t i = pool->away_count == 0 ? pool->entrants_max : 0;
    while (i < pool->entrants_max && !(pool->entrants[i].is_away && span_is(nick, pool->entrants[i].nick)))
        i++;
    return i;
}

void pool_return(struct hall_member *player) {
    struct pool *pool = player->pool;
    player->entrant = entrant_away(pool, span_of(player->nick));
    assert(player->entrant < pool->entrants_max);
    pool->entrants[player->entrant].is_away = false;
    pool->entrants[player->entrant].member = player;
    if (--pool->away_count == 0)
        timers_stop(&pool->hall->timers, &pool->return_timer);
}

enum hall_login_error pool_admits(struct hall *hall, struct span type, struct span nick) {
    if (type.size == 0 || type.size > HALL_TYPE_BYTES_MAX || memchr(type.data, '\0', type.size) != NULL)
        return HALL_LOGIN_GAME_TYPE;
    if (hall->config.championship_players > 0 && !is_championship_type(hall, type))
        return HALL_LOGIN_GAME_TYPE;
    const struct pool *pool = pool_find(hall, hall_type_canonical(hall, type));
    bool is_full = pool != NULL && pool->is_championship &&
                   (pool->championship != NULL ? entrant_away(pool, nick) == pool->entrants_max
                                               : pool->player_count >= pool->entrants_max);
    return is_full ? HALL_LOGIN_POOL_FULL : HALL_LOGIN_OK;
}

void pool_forget(struct hall_member *player) {
    struct pool *pool = player->pool;
    if (!player->is_free)
        return;
    if (player->free_prev != NULL)
        player->free_prev->free_next = player->free_next;
    else
        pool->free_first = player->free_next;
    if (player->free_next != NULL)
        player->free_next->free_prev = player->free_prev;
    else
        pool->free_last = player->free_prev;
    player->free_prev = player->free_next = NULL;
    player->is_free = false;
    pool->free_count--;
}

void pool_wait(struct hall_member *player) {
    struct pool *pool = player->pool;
    assert(!player->is_free && player->table == NULL);
    player->is_free = true;
    player->free_prev = pool->free_last;
    if (pool->free_last != NULL)
        pool->free_last->free_next = player;
    else
        pool->free_first = player;
    pool->free_last = player;
    pool->free_count++;
    if (pool->championship != NULL)
        championship_entrant_free(pool->championship, player->entrant);
}

void pool_entrant_release(struct pool *pool, size_t entrant) {
    if (pool->championship != NULL && pool->entrants[entrant].member == NULL)
        championship_entrant_free(pool->championship, entrant);
}

void pool_withdraw(struct hall_member *player, bool is_connected) {
    struct pool *pool = player->pool;
    if (pool->championship == NULL)
        return;
    if (!championship_has_left(pool->championship, player->entrant))
        keep_withdrawal(pool, player->entrant);
    championship_withdraw(pool->championship, player->entrant);
    if (is_connected)
        return;
    pool->entrants[player->entrant].member = NULL;
    if (player->table == NULL || relay_is_decided(player->table))
        pool_entrant_release(pool, player->entrant);
}

void entrants_standings(const struct championship *c, const struct pool_entrant *entrants, size_t count,
                        struct hall_player *out) {
    struct standing *standings = mem_alloc(count * sizeof *standings);
    championship_standings(c, standings);
    for (size_t i = 0; i < count; i++)
        out[i] = (struct hall_player){.nick = span_of(entrants[standings[i].entrant].nick),
                                      .won = (int32_t)standings[i].won,
                                      .lost = (int32_t)standings[i].lost};
    mem_free(standings);
}

void pool_finish(struct pool *pool) {
    struct hall *hall = pool->hall;
    size_t count = pool->entrants_max;
    struct hall_player *players = mem_alloc(count * sizeof *players);
    entrants_standings(pool->championship, pool->entrants, count, players);
    struct hall_message list = {.type = HALL_CHAMPIONS_LIST, .players = players, .player_count = count};
    for (size_t i = 0; i < count; i++)
        if (pool->entrants[i].member != NULL)
            hall_tell(pool->entrants[i].member, &list);
    log_event(LOG_INFO, "championship-over", LOG_TEXT("type", span_of(pool->type)),
              LOG_TEXT("champion", players[0].nick),
              LOG_INT("undecided", (int64_t)championship_pairs_left(pool->championship)));
    mem_free(players);
    keep_close(pool);
    if (pool->opened != NULL)
        opened_finish(pool);
    else
        hall_shutdown(hall);
}

static void pair_decided(void *context, const struct pair_result *result) {
    keep_pair(context, result);
}

void pool_listen(struct pool *pool) {
    championship_listen(pool->championship, pair_decided, pool);
}

static void championship_begin(struct pool *pool) {
    size_t count = pool->entrants_max, i = 0;
    pool->championship = championship_create(count);
    pool->entrants = mem_alloc(count * sizeof *pool->entrants);
    for (struct hall_member *player = pool->free_first; player != NULL; player = player->free_next, i++) {
        player->entrant = i;
        pool->entrants[i].member = player;
        memcpy(pool->entrants[i].nick, player->nick, sizeof player->nick);
    }
    assert(i == count);
    pool_listen(pool);
    keep_begin(pool);
    log_event(LOG_INFO, "championship-begins", LOG_TEXT("type", span_of(pool->type)),
              LOG_INT("players", (int64_t)count));
}

static bool has_room_for_table(const struct pool *pool) {
    uint32_t max = pool->hall->config.tables_per_master_max;
    return pool->master != NULL && (max == 0 || pool->table_count < max);
}

/* When the outermost call into the hall ends. */
static void finish_soon(struct pool *pool) {
    if (pool->is_finished)
        return;
    pool->is_finished = true;
    pool->finished_next = pool->hall->finished;
    pool->hall->finished = pool;
}

static void match_championship(struct pool *pool) {
    if (pool->championship == NULL && pool->master != NULL && pool->free_count == pool->entrants_max)
        championship_begin(pool);
    if (pool->championship == NULL || !keep_has_begun(pool))
        return;
    size_t a, b;
    while (!pool->is_given_up && has_room_for_table(pool) &&
           championship_pair_start(pool->championship, &a, &b)) {
        struct hall_member *pair[2] = {pool->entrants[a].member, pool->entrants[b].member};
        relay_begin(pool, pair, 2);
    }
    if ((pool->is_given_up || championship_is_over(pool->championship)) && keep_is_saved(pool))
        finish_soon(pool);
}

static void match_waiting(struct pool *pool) {
    while (has_room_for_table(pool) && pool->free_count >= pool->players_min) {
        struct hall_member *players[HALL_TABLE_SEATS_MAX];
        size_t count = 0;
        for (struct hall_member *p = pool->free_first; count < pool->players_min; p = p->free_next)
            players[count++] = p;
        relay_begin(pool, players, count);
    }
}

void pool_match(struct pool *pool) {
    if (pool->hall->is_ending || pool->is_finished)
        return;
    if (pool->is_championship)
        match_championship(pool);
    else
        match_waiting(pool);
}

static void master_not_found(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct pool *pool = TIMER_OWNER(timer, struct pool, timer);
    log_event(LOG_WARN, "championship-without-master", LOG_TEXT("type", span_of(pool->type)));
    pool->is_given_up = true;
    pool_match(pool);
}

void pool_seek_master(struct pool *pool, uint32_t timeout_ms) {
    struct hall *hall = pool->hall;
    timers_arm(&hall->timers, &pool->timer, hall->now_ms + timeout_ms, master_not_found);
}

static void lose_master(struct pool *pool) {
    struct hall *hall = pool->hall;
    pool->master = NULL;
    struct relay *next;
    for (struct relay *table = pool->tables; table != NULL; table = next) {
        next = table->next;
        if (table->phase != RELAY_SAVES) /* its verdict does not need the master any more */
            relay_abandon(table);
    }
    if (pool->championship != NULL && !hall->is_ending)
        pool_seek_master(pool, hall->config.master_timeout_ms);
}

void pool_master_lost(struct hall_member *master) {
    struct pool *pool, *next;
    HASH_ITER(by_type, master->hall->pools_by_type, pool, next) {
        if (pool->master == master)
            lose_master(pool);
    }
}
