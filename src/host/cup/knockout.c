/* Knock-out: the winner of a table goes on, the others are out. Who entered first is seeded first. At tables
 * of two the first round brings the field to a power of two, so that the first ones rest there and nobody
 * does later; at larger tables everybody plays in every round. A table without a winner is played again with
 * the seats moved on, KNOCKOUT_TABLES_MAX times in all, and then whoever is seeded first goes on. */
#include "base/mem.h"
#include "host/cup/format.h"

#include <string.h>

enum {
    KNOCKOUT_TABLES_MAX = 3, /* of one group */
    KNOCKOUT_NOBODY = CUP_ENTRANTS_MAX,
};

/* A round as it was played. */
struct knockout {
    const struct cup_sheet *sheet;
    uint32_t
        alive[2 * CUP_ENTRANTS_MAX]; /* by their places in the tree; KNOCKOUT_NOBODY: the place is empty */
    uint32_t count;                  /* of places */
    uint32_t round;
    uint32_t rank[CUP_ENTRANTS_MAX]; /* the round in which they were last alive */
};

static uint32_t knockout_first_places(const struct cup_sheet *s) {
    uint32_t places = 2;
    if (s->seats > 2)
        return s->entrant_count;
    while (places < s->entrant_count)
        places *= 2;
    return places;
}

/* The places of a group: first and last, second and last but one, and so on, there and back for larger ones.
 */
static uint32_t knockout_group(const struct knockout *k, uint32_t groups, uint32_t index, uint32_t *group) {
    uint32_t size = 0;
    for (uint32_t row = 0; row * groups < k->count; row++) {
        uint32_t place = row * groups + (row % 2 == 0 ? index : groups - 1 - index);
        if (place < k->count && k->alive[place] != KNOCKOUT_NOBODY)
            group[size++] = k->alive[place];
    }
    return size;
}

static bool knockout_is_in(uint32_t entrant, const uint32_t *group, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (group[i] == entrant)
            return true;
    return false;
}

/* What the tables of a group in this round have come to. */
struct knockout_tables {
    uint32_t count;
    const struct cup_pairing *last; /* NULL: there was none */
    uint32_t winner;                /* KNOCKOUT_NOBODY: none yet */
};

static struct knockout_tables knockout_look(const struct knockout *k, const uint32_t *group, uint32_t size) {
    struct knockout_tables tables = {.winner = KNOCKOUT_NOBODY};
    for (uint32_t i = 0; i < k->sheet->pairing_count; i++) {
        const struct cup_pairing *p = &k->sheet->pairings[i];
        if (p->round != k->round || !knockout_is_in(p->entrant[0], group, size))
            continue;
        unsigned seat = cup_pairing_winner(p);
        tables.count++;
        tables.last = p;
        tables.winner = p->how == CUP_UNDECIDED || seat == SEAT_WATCHER ? KNOCKOUT_NOBODY : p->entrant[seat];
    }
    return tables;
}

/* The seats move on by one. */
static void knockout_again(const struct knockout *k, const struct cup_pairing *last, struct cup_plan *plan) {
    uint32_t entrants[SEATS_MAX];
    for (uint32_t seat = 0; seat < last->count; seat++)
        entrants[seat] = last->entrant[(seat + 1) % last->count];
    cup_plan_add(plan, k->round, entrants, last->count);
}

static uint32_t knockout_first(const struct cup_pairing *p) {
    uint32_t first = p->entrant[0];
    for (uint32_t seat = 1; seat < p->count; seat++)
        first = p->entrant[seat] < first ? p->entrant[seat] : first;
    return first;
}

static bool knockout_has_gone(const struct cup_sheet *s, const struct cup_pairing *p) {
    for (uint32_t seat = 0; seat < p->count; seat++)
        if (s->is_gone[p->entrant[seat]])
            return true;
    return false;
}

/* Who goes on from a group; KNOCKOUT_NOBODY: nobody, or a table is to come, which is in the plan then. */
static uint32_t knockout_decide(const struct knockout *k, uint32_t *group, uint32_t size,
                                struct cup_plan *plan) {
    const struct cup_sheet *s = k->sheet;
    struct knockout_tables tables = knockout_look(k, group, size);
    if (tables.winner != KNOCKOUT_NOBODY)
        return tables.winner;
    if (tables.last != NULL && (tables.count >= KNOCKOUT_TABLES_MAX || knockout_has_gone(s, tables.last)))
        return knockout_first(tables.last);
    if (tables.last != NULL) {
        knockout_again(k, tables.last, plan);
        return KNOCKOUT_NOBODY;
    }
    uint32_t present = 0;
    for (uint32_t i = 0; i < size; i++)
        if (!s->is_gone[group[i]])
            group[present++] = group[i];
    if (present > 0) {
        struct cup_pairing *p = cup_plan_add(plan, k->round, group, present);
        if (present > 1)
            cup_sheet_seat(s, p);
    }
    return KNOCKOUT_NOBODY;
}

/* Plays a round; true when it is over and the next is to come. */
static bool knockout_round(struct knockout *k, struct cup_plan *plan) {
    uint32_t groups = cup_group_count(k->count, k->sheet->seats), winners[CUP_ENTRANTS_MAX];
    uint32_t group[SEATS_MAX];
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t size = knockout_group(k, groups, i, group);
        for (uint32_t j = 0; j < size; j++)
            k->rank[group[j]] = k->round;
        winners[i] = knockout_decide(k, group, size, plan);
    }
    if (plan->count > 0)
        return false;
    memcpy(k->alive, winners, groups * sizeof *winners);
    k->count = groups;
    return true;
}

/* Goes through all rounds to the first that is not decided; then plan has what is to come. */
static void knockout_play(const struct cup_sheet *s, struct knockout *k, struct cup_plan *plan) {
    *k = (struct knockout){.sheet = s, .count = knockout_first_places(s), .round = 1};
    plan->count = 0;
    for (uint32_t i = 0; i < k->count; i++)
        k->alive[i] = i < s->entrant_count ? i : KNOCKOUT_NOBODY;
    while (k->count > 1 && knockout_round(k, plan))
        k->round++;
    if (k->count == 1 && k->alive[0] != KNOCKOUT_NOBODY)
        k->rank[k->alive[0]] = k->round;
}

static void knockout_plan(const struct cup_sheet *s, struct cup_plan *plan) {
    struct knockout *k = mem_alloc(sizeof *k);
    knockout_play(s, k, plan);
    mem_free(k);
}

/* Who got further is before who did not. */
static void knockout_rank(const struct cup_sheet *s, uint32_t *rank) {
    struct knockout *k = mem_alloc(sizeof *k);
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    knockout_play(s, k, plan);
    for (uint32_t i = 0; i < s->entrant_count; i++)
        rank[i] = CUP_ROUNDS_MAX - k->rank[i];
    mem_free(plan);
    mem_free(k);
}

static uint32_t knockout_tables(const struct cup_sheet *s) {
    return KNOCKOUT_TABLES_MAX * s->entrant_count;
}

const struct cup_format cup_knockout = {.word = "knockout",
                                        .waits = true,
                                        .tables = knockout_tables,
                                        .plan = knockout_plan,
                                        .rank = knockout_rank};
