/* Championships that are opened while the hall runs: a pool of its own for each, served by the master of its
 * game type. */
#include "host/hall_internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

enum { NUMBER_CHARS_MAX = 21 }; /* "#18446744073709551615" */

static void opened_free(struct hall *hall, struct opened *o) {
    DL_DELETE(hall->opened, o);
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
    if (o->pool == NULL) {
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

enum err hall_open_championship(struct hall *hall, struct span type, int64_t players, size_t *index,
                                uint64_t now_ms) {
    struct opened *o;
    hall->now_ms = now_ms;
    type = hall_type_canonical(hall, type);
    if (type.size == 0 || type.size + NUMBER_CHARS_MAX > HALL_TYPE_BYTES_MAX ||
        memchr(type.data, '\0', type.size) != NULL || players < CHAMPIONSHIP_ENTRANTS_MIN ||
        players > CHAMPIONSHIP_ENTRANTS_MAX)
        return ERR_FIELD_INVALID;
    if (hall->config.championship_players > 0 || hall->is_ending || !make_room(hall))
        return ERR_TOO_MANY;
    struct opened *made = mem_alloc(sizeof *made);
    bool fits = span_copy(type, made->type, sizeof made->type);
    assert(fits);
    (void)fits;
    do /* nobody waits under that name by chance */
        snprintf(made->name, sizeof made->name, "%.*s#%" PRIu64, HALL_TYPE_BYTES_MAX - NUMBER_CHARS_MAX,
                 made->type, ++hall->opened_count);
    while (pool_find(hall, span_of(made->name)) != NULL);
    made->players = (uint32_t)players;
    made->pool = pool_get(hall, span_of(made->name));
    made->pool->is_championship = true;
    made->pool->entrants_max = made->players;
    made->pool->opened = made;
    DL_APPEND(hall->opened, made);
    const struct pool *base = pool_find(hall, type);
    if (base != NULL && base->master != NULL && can_serve(base->master))
        serve(made->pool, base->master);
    *index = 0;
    DL_COUNT(hall->opened, o, *index);
    --*index;
    log_event(LOG_INFO, "championship-opened", LOG_TEXT("name", span_of(made->name)),
              LOG_INT("players", players));
    return ERR_OK;
}

void opened_finish(struct pool *pool) {
    struct opened *o = pool->opened;
    o->results = mem_alloc(o->players * sizeof *o->results);
    pool_standings(pool, o->results);
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
    if (index-- == 0)
        return o;
    return NULL;
}

bool hall_championship_at(const struct hall *hall, size_t index, struct hall_championship *out) {
    const struct opened *o = opened_at(hall, index);
    if (o == NULL)
        return false;
    bool has_begun = o->pool == NULL || o->pool->championship != NULL;
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
    if (o == NULL || (o->pool != NULL && o->pool->championship == NULL))
        return;
    struct hall_player *players = mem_alloc(o->players * sizeof *players);
    if (o->pool != NULL)
        pool_standings(o->pool, players);
    else
        memcpy(players, o->results, o->players * sizeof *players);
    for (size_t i = 0; i < o->players; i++)
        visit(context, &players[i]);
    mem_free(players);
}
