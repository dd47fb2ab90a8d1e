#include "host/championship/championship.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum pair_state { PAIR_OPEN, PAIR_PLAYING, PAIR_DECIDED };

struct entrant {
    uint32_t won, lost;
    uint32_t open;  /* pairs that are neither playing nor decided */
    uint32_t tries; /* mark of the search in championship_pair_start */
    bool is_busy;
    size_t gone; /* 0: still here; otherwise the how-manieth to leave */
};

struct championship {
    size_t count;
    struct entrant *entrants;
    uint8_t *pairs; /* enum pair_state, count x count, only [smaller][larger] is used */
    size_t undecided;
    size_t busy;
    size_t gone;
    uint32_t searches;
    void (*decided)(void *context, const struct pair_result *); /* or NULL */
    void *context;
};

static uint8_t *pair_of(const struct championship *c, size_t a, size_t b) {
    assert(a != b && a < c->count && b < c->count);
    return &c->pairs[(a < b ? a : b) * c->count + (a < b ? b : a)];
}

struct championship *championship_create(size_t entrants) {
    assert(entrants >= CHAMPIONSHIP_ENTRANTS_MIN && entrants <= CHAMPIONSHIP_ENTRANTS_MAX);
    struct championship *c = mem_alloc(sizeof *c);
    c->count = entrants;
    c->entrants = mem_alloc(entrants * sizeof *c->entrants);
    c->pairs = mem_alloc(entrants * entrants);
    c->undecided = entrants * (entrants - 1) / 2;
    for (size_t i = 0; i < entrants; i++)
        c->entrants[i].open = (uint32_t)entrants - 1;
    return c;
}

void championship_free(struct championship *c) {
    if (c == NULL)
        return;
    mem_free(c->entrants);
    mem_free(c->pairs);
    mem_free(c);
}

struct championship *championship_copy(const struct championship *from) {
    struct championship *c = championship_create(from->count);
    struct entrant *entrants = c->entrants;
    uint8_t *pairs = c->pairs;
    memcpy(entrants, from->entrants, from->count * sizeof *entrants);
    memcpy(pairs, from->pairs, from->count * from->count);
    *c = *from;
    c->entrants = entrants;
    c->pairs = pairs;
    c->decided = NULL;
    return c;
}

void championship_listen(struct championship *c, void (*decided)(void *context, const struct pair_result *),
                         void *context) {
    c->decided = decided;
    c->context = context;
}

static bool is_idle(const struct entrant *e) {
    return !e->is_busy && e->gone == 0 && e->open > 0;
}

/* The idle entrant with the most open pairs that was not tried in this search; when rival is given, only
 * those whose pair with it is open. Returns count when there is none. */
static size_t idle_best(const struct championship *c, const size_t *rival) {
    size_t best = c->count;
    for (size_t i = 0; i < c->count; i++) {
        const struct entrant *e = &c->entrants[i];
        if (!is_idle(e) || (rival != NULL && (i == *rival || *pair_of(c, i, *rival) != PAIR_OPEN)))
            continue;
        if (rival == NULL && e->tries == c->searches)
            continue;
        if (best == c->count || e->open > c->entrants[best].open)
            best = i;
    }
    return best;
}

static void set_busy(struct championship *c, size_t entrant, bool is_busy) {
    if (c->entrants[entrant].is_busy == is_busy)
        return;
    c->entrants[entrant].is_busy = is_busy;
    c->busy = is_busy ? c->busy + 1 : c->busy - 1;
}

bool championship_pair_start(struct championship *c, size_t *a, size_t *b) {
    c->searches++;
    size_t first;
    while ((first = idle_best(c, NULL)) < c->count) {
        c->entrants[first].tries = c->searches;
        size_t second = idle_best(c, &first);
        if (second == c->count)
            continue;
        *pair_of(c, first, second) = PAIR_PLAYING;
        c->entrants[first].open--;
        c->entrants[second].open--;
        set_busy(c, first, true);
        set_busy(c, second, true);
        *a = first < second ? first : second;
        *b = first < second ? second : first;
        return true;
    }
    return false;
}

static void pair_decide(struct championship *c, const struct pair_result *r) {
    *pair_of(c, r->a, r->b) = PAIR_DECIDED;
    c->undecided--;
    c->entrants[r->a].won += r->a_won;
    c->entrants[r->a].lost += r->a_lost;
    c->entrants[r->b].won += r->b_won;
    c->entrants[r->b].lost += r->b_lost;
}

static void pair_tell(struct championship *c, const struct pair_result *r) {
    const struct pair_result turned = {r->b, r->a, r->b_won, r->b_lost, r->a_won, r->a_lost};
    if (c->decided != NULL)
        c->decided(c->context, r->a < r->b ? r : &turned);
}

void championship_pair_result(struct championship *c, size_t a, size_t b, bool a_won, bool a_lost, bool b_won,
                              bool b_lost) {
    const struct pair_result result = {a, b, a_won, a_lost, b_won, b_lost};
    assert(*pair_of(c, a, b) == PAIR_PLAYING);
    pair_decide(c, &result);
    pair_tell(c, &result);
}

/* Decides a pair without playing it: the one who left first has lost. */
static void pair_walkover(struct championship *c, size_t a, size_t b) {
    size_t a_gone = c->entrants[a].gone, b_gone = c->entrants[b].gone;
    bool a_loses = a_gone != 0 && (b_gone == 0 || a_gone < b_gone);
    const struct pair_result result = {a, b, !a_loses, a_loses, a_loses, !a_loses};
    pair_decide(c, &result);
    pair_tell(c, &result);
}

void championship_pair_again(struct championship *c, size_t a, size_t b) {
    assert(*pair_of(c, a, b) == PAIR_PLAYING);
    if (c->entrants[a].gone != 0 || c->entrants[b].gone != 0) {
        pair_walkover(c, a, b);
        return;
    }
    *pair_of(c, a, b) = PAIR_OPEN;
    c->entrants[a].open++;
    c->entrants[b].open++;
}

void championship_entrant_free(struct championship *c, size_t entrant) {
    set_busy(c, entrant, false);
}

void championship_withdraw(struct championship *c, size_t entrant) {
    struct entrant *e = &c->entrants[entrant];
    if (e->gone != 0)
        return;
    e->gone = ++c->gone;
    for (size_t i = 0; i < c->count; i++)
        if (i != entrant && *pair_of(c, i, entrant) == PAIR_OPEN) {
            c->entrants[i].open--;
            e->open--;
            pair_walkover(c, entrant, i);
        }
}

bool championship_has_left(const struct championship *c, size_t entrant) {
    return c->entrants[entrant].gone != 0;
}

bool championship_pair_restore(struct championship *c, const struct pair_result *r) {
    if (r->a >= r->b || r->b >= c->count || *pair_of(c, r->a, r->b) != PAIR_OPEN)
        return false;
    c->entrants[r->a].open--;
    c->entrants[r->b].open--;
    pair_decide(c, r);
    return true;
}

bool championship_leave_restore(struct championship *c, size_t entrant) {
    if (entrant >= c->count || c->entrants[entrant].gone != 0)
        return false;
    c->entrants[entrant].gone = ++c->gone;
    return true;
}

void championship_resume(struct championship *c) {
    for (size_t a = 0; a < c->count; a++) {
        for (size_t b = a + 1; b < c->count; b++) {
            if (*pair_of(c, a, b) != PAIR_OPEN || (c->entrants[a].gone == 0 && c->entrants[b].gone == 0))
                continue;
            c->entrants[a].open--;
            c->entrants[b].open--;
            pair_walkover(c, a, b);
        }
        set_busy(c, a, c->entrants[a].gone == 0);
    }
}

bool championship_is_over(const struct championship *c) {
    return c->undecided == 0 && c->busy == 0;
}

size_t championship_pairs_left(const struct championship *c) {
    return c->undecided;
}

static int standing_compare(const void *left, const void *right) {
    const struct standing *a = left, *b = right;
    if (a->won != b->won)
        return a->won > b->won ? -1 : 1;
    if (a->lost != b->lost)
        return a->lost < b->lost ? -1 : 1;
    return a->entrant < b->entrant ? -1 : 1;
}

void championship_standings(const struct championship *c, struct standing *out) {
    for (size_t i = 0; i < c->count; i++)
        out[i] = (struct standing){i, c->entrants[i].won, c->entrants[i].lost};
    qsort(out, c->count, sizeof *out, standing_compare);
}
