#include "host/cup/ratings.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum { RATINGS_DAY_MS = 24 * 60 * 60 * 1000 };

void ratings_free(struct ratings *r) {
    struct rated *p, *next;
    HASH_ITER(hh, r->players, p, next) {
        HASH_DEL(r->players, p);
        mem_free(p);
    }
}

void ratings_copy(struct ratings *r, const struct ratings *from) {
    ratings_free(r);
    for (const struct rated *p = from->players; p != NULL; p = p->hh.next) {
        struct rated *copy = mem_alloc(sizeof *copy);
        *copy = *p;
        HASH_ADD(hh, r->players, key, sizeof copy->key, copy);
    }
}

static struct rating_key rating_key_of(const char *game, const struct event_cup_entrant *about) {
    struct rating_key key = {.bot_level = about->bot_level};
    snprintf(key.game, sizeof key.game, "%s", game);
    if (about->bot_level == 0)
        key.token = about->token;
    return key;
}

static struct rated *ratings_find(const struct ratings *r, const char *game,
                                  const struct event_cup_entrant *about) {
    struct rating_key key = rating_key_of(game, about);
    struct rated *found;
    HASH_FIND(hh, r->players, &key, sizeof key, found);
    return found;
}

struct glicko ratings_of(const struct ratings *r, const char *game, const struct event_cup_entrant *about) {
    const struct rated *found = ratings_find(r, game, about);
    return found == NULL ? glicko_new() : found->now;
}

bool ratings_know(const struct ratings *r, const struct digest *token) {
    for (const struct rated *p = r->players; p != NULL; p = p->hh.next)
        if (p->key.bot_level == 0 && digest_equal(&p->key.token, token))
            return true;
    return false;
}

/* Counting. */

static void ratings_drop_one(struct ratings *r) {
    struct rated *oldest = r->players;
    for (struct rated *p = r->players; p != NULL; p = p->hh.next)
        if (p->last_ms < oldest->last_ms ||
            (p->last_ms == oldest->last_ms && memcmp(&p->key, &oldest->key, sizeof p->key) < 0))
            oldest = p;
    HASH_DEL(r->players, oldest);
    mem_free(oldest);
}

/* The player is in this championship. The name is that of the last entry. */
static void rated_begin(struct rated *p, const struct cup_fold *f, const struct event_cup_entrant *about) {
    int64_t days = f->last_ms / RATINGS_DAY_MS - p->last_ms / RATINGS_DAY_MS - 1;
    if (p->is_playing)
        return;
    if (days > 0)
        glicko_rest(&p->now, (double)days);
    p->is_playing = true;
    p->sum = (struct glicko_sum){0};
    p->last_ms = f->last_ms;
    if (about->bot_level != 0)
        snprintf(p->name, sizeof p->name, "level:%u", about->bot_level);
    else
        memcpy(p->name, about->name, sizeof p->name);
}

static void ratings_add(struct ratings *r, const struct cup_fold *f, const struct event_cup_entrant *about) {
    if (HASH_COUNT(r->players) >= RATINGS_MAX)
        ratings_drop_one(r);
    struct rated *p = mem_alloc(sizeof *p);
    p->key = rating_key_of(f->about.game, about);
    p->now = glicko_new();
    p->last_ms = f->last_ms;
    HASH_ADD(hh, r->players, key, sizeof p->key, p);
    rated_begin(p, f, about);
}

/* Whether two seats of a pairing count as a game. */
static bool ratings_is_game(const struct cup_fold *f, const struct cup_pairing *p, uint32_t a, uint32_t b) {
    const struct event_cup_entrant *left = &f->entrants[p->entrant[a]]->about;
    const struct event_cup_entrant *right = &f->entrants[p->entrant[b]]->about;
    bool is_same = left->bot_level == right->bot_level &&
                   (left->bot_level != 0 || digest_equal(&left->token, &right->token));
    return a != b && (p->how == CUP_PLAYED || p->how == CUP_FORFEITED) && !is_same &&
           (p->count == 2 || p->points[a] != p->points[b]);
}

/* Who of the entrants has played a game that counts. */
static void ratings_players(const struct cup_fold *f, bool *has_played) {
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++) {
        const struct cup_pairing *p = &f->sheet.pairings[i];
        for (uint32_t a = 0; a < p->count; a++)
            for (uint32_t b = 0; b < p->count; b++)
                if (ratings_is_game(f, p, a, b))
                    has_played[p->entrant[a]] = true;
    }
}

/* Those who are known are there before anybody could be dropped for somebody new. */
static void ratings_begin(struct ratings *r, const struct cup_fold *f, const bool *has_played,
                          struct rated **players) {
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++) {
        struct rated *p = ratings_find(r, f->about.game, &f->entrants[i]->about);
        if (has_played[i] && p != NULL)
            rated_begin(p, f, &f->entrants[i]->about);
    }
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++)
        if (has_played[i] && ratings_find(r, f->about.game, &f->entrants[i]->about) == NULL)
            ratings_add(r, f, &f->entrants[i]->about);
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++)
        players[i] = has_played[i] ? ratings_find(r, f->about.game, &f->entrants[i]->about) : NULL;
}

static void ratings_add_games(const struct cup_fold *f, const struct cup_pairing *p, struct rated **players) {
    for (uint32_t a = 0; a < p->count; a++)
        for (uint32_t b = 0; b < p->count; b++)
            if (ratings_is_game(f, p, a, b)) {
                struct rated *own = players[p->entrant[a]];
                glicko_add(&own->sum, &own->now, &players[p->entrant[b]]->now,
                           p->points[a] > p->points[b]    ? 1
                           : p->points[a] == p->points[b] ? 0.5
                                                          : 0);
                own->games++;
            }
}

void ratings_take(struct ratings *r, const struct cup_fold *f, struct rating_line *lines) {
    uint32_t count = f->sheet.entrant_count;
    bool has_played[CUP_ENTRANTS_MAX] = {false};
    struct rated *players[CUP_ENTRANTS_MAX];
    ratings_players(f, has_played);
    for (uint32_t i = 0; i < count && lines != NULL; i++)
        lines[i].before = ratings_of(r, f->about.game, &f->entrants[i]->about);
    ratings_begin(r, f, has_played, players);
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++)
        ratings_add_games(f, &f->sheet.pairings[i], players);
    for (uint32_t i = 0; i < count; i++)
        if (players[i] != NULL && players[i]->is_playing) {
            glicko_close(&players[i]->now, &players[i]->sum);
            players[i]->cups++;
            players[i]->is_playing = false;
        }
    for (uint32_t i = 0; i < count && lines != NULL; i++)
        lines[i].after = ratings_of(r, f->about.game, &f->entrants[i]->about);
}

/* Looking. */

static int rated_order(const void *left, const void *right) {
    const struct rated *a = *(struct rated *const *)left, *b = *(struct rated *const *)right;
    if (a->now.rating != b->now.rating)
        return a->now.rating > b->now.rating ? -1 : 1;
    return memcmp(&a->key, &b->key, sizeof a->key);
}

const struct rated **ratings_list(const struct ratings *r, const char *game, size_t *count) {
    const struct rated **rows = mem_alloc((HASH_COUNT(r->players) + 1) * sizeof *rows);
    *count = 0;
    for (const struct rated *p = r->players; p != NULL; p = p->hh.next)
        if (strcmp(p->key.game, game) == 0)
            rows[(*count)++] = p;
    qsort(rows, *count, sizeof *rows, rated_order);
    return rows;
}

int ratings_order(const struct cup_fold *a, const struct cup_fold *b) {
    if (a->last_ms != b->last_ms)
        return a->last_ms < b->last_ms ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}
