/* Championships that are over as rating periods: each counts once, in the order in which they ended. */
#include "base/mem.h"
#include "host/cup/internal.h"

#include <stdlib.h>
#include <utlist.h>

static void period_take(struct cup *c) {
    mem_free(c->lines);
    c->lines = mem_alloc((c->fold.sheet.entrant_count + 1) * sizeof *c->lines);
    ratings_take(&c->cups->ratings, &c->fold, c->lines);
    c->cups->rated = c;
}

static int period_order(const void *left, const void *right) {
    return ratings_order(&(*(struct cup *const *)left)->fold, &(*(struct cup *const *)right)->fold);
}

void cups_recount(struct cups *cups) {
    struct cup *c, **over;
    size_t count = 0;
    over = mem_alloc((HASH_CNT(by_id, cups->by_id) + 1) * sizeof(struct cup *));
    DL_FOREACH(cups->all, c)
    if (c->fold.phase == CUP_OVER)
        over[count++] = c;
    qsort(over, count, sizeof *over, period_order);
    ratings_copy(&cups->ratings, &cups->base);
    cups->rated = NULL;
    for (size_t i = 0; i < count; i++)
        period_take(over[i]);
    mem_free(over);
}

/* Nodes tell each other late, and their clocks differ: what ended before what was counted is counted before
 * it. */
void cup_count(struct cup *c) {
    const struct cup *last = c->cups->rated;
    if (c->fold.phase != CUP_OVER || c->lines != NULL)
        return;
    if (last == NULL || ratings_order(&last->fold, &c->fold) < 0)
        period_take(c);
    else
        cups_recount(c->cups);
}

void cup_count_off(struct cup *c) {
    if (c->fold.phase == CUP_OVER)
        ratings_take(&c->cups->base, &c->fold, NULL);
    if (c->cups->rated == c)
        c->cups->rated = NULL;
}

const struct ratings *cups_ratings(const struct cups *cups) {
    return &cups->ratings;
}

struct rating_line cups_rating_line(const struct cups *cups, const struct cup_fold *f, uint32_t entrant) {
    const struct cup *c = cup_find(cups, f->id);
    if (c != NULL && c->lines != NULL)
        return c->lines[entrant];
    struct glicko now = ratings_of(&cups->ratings, f->about.game, &f->entrants[entrant]->about);
    return (struct rating_line){now, now};
}
