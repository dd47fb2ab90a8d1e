/* Swiss: so many rounds in which those meet who stand alike, and nobody meets twice while that can be
 * avoided. Of an odd number at tables of two one rests: the last in the standing who has not rested before.
 */
#include "base/mem.h"
#include "host/cup/format.h"

#include <string.h>

/* Enough for one to be ahead of all: each round parts those who have won everything by the seats of a table.
 */
static uint32_t swiss_rounds(const struct cup_sheet *s) {
    uint32_t rounds = 1;
    for (uint32_t one = s->seats; one < s->entrant_count; one *= s->seats)
        rounds++;
    return s->rounds != 0 ? s->rounds : rounds;
}

/* Those who are there, best first. */
static uint32_t swiss_order(const struct cup_sheet *s, uint32_t *order) {
    struct cup_standing *rows = mem_alloc(s->entrant_count * sizeof *rows);
    uint32_t count = 0;
    cup_standings(s, NULL, rows);
    for (uint32_t i = 0; i < s->entrant_count; i++)
        if (!s->is_gone[rows[i].entrant])
            order[count++] = rows[i].entrant;
    mem_free(rows);
    return count;
}

static bool swiss_has_rested(const struct cup_sheet *s, uint32_t entrant) {
    for (uint32_t i = 0; i < s->pairing_count; i++)
        if (s->pairings[i].how == CUP_BYE && s->pairings[i].entrant[0] == entrant)
            return true;
    return false;
}

/* Takes the one who rests off the order. */
static uint32_t swiss_rest(const struct cup_sheet *s, uint32_t *order, uint32_t *count) {
    uint32_t at = *count - 1;
    while (at > 0 && swiss_has_rested(s, order[at]))
        at--;
    if (swiss_has_rested(s, order[at]))
        at = *count - 1;
    uint32_t rests = order[at];
    memmove(&order[at], &order[at + 1], (*count - at - 1) * sizeof *order);
    (*count)--;
    return rests;
}

/* Pairs may have met so often. False: not everybody finds a partner. */
static bool swiss_allow(const struct cup_sheet *s, const uint8_t *met, const uint32_t *order, uint32_t count,
                        uint32_t most, bool *allowed, uint32_t *mate) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            allowed[i * count + j] = i != j && met[order[i] * s->entrant_count + order[j]] <= most;
    for (uint32_t i = 0; i < count; i++)
        mate[i] = count;
    return cup_match(allowed, count, mate);
}

/* Whether all others find a partner when these two meet; mate is how then. */
static bool swiss_try(bool *allowed, uint32_t count, uint32_t a, uint32_t b, uint32_t *mate) {
    uint32_t *tried = mem_alloc(count * sizeof *tried);
    bool *rest = mem_alloc((size_t)count * count);
    memcpy(tried, mate, count * sizeof *tried);
    memcpy(rest, allowed, (size_t)count * count);
    for (uint32_t i = 0; i < count; i++)
        rest[a * count + i] = rest[i * count + a] = rest[b * count + i] = rest[i * count + b] = false;
    rest[a * count + b] = rest[b * count + a] = true;
    for (uint32_t i = 0; i < count; i++)
        if (i == a || i == b || tried[i] == a || tried[i] == b)
            tried[i] = count;
    tried[a] = b;
    tried[b] = a;
    bool fits = cup_match(rest, count, tried);
    if (fits) {
        memcpy(mate, tried, count * sizeof *tried);
        memcpy(allowed, rest, (size_t)count * count);
    }
    mem_free(rest);
    mem_free(tried);
    return fits;
}

/* From the top, everybody meets the next in the standing who can be spared. */
static void swiss_pair(const struct cup_sheet *s, const uint32_t *order, uint32_t count, uint32_t round,
                       struct cup_plan *plan) {
    uint8_t *met = cup_sheet_meetings(s);
    bool *allowed = mem_alloc((size_t)count * count);
    uint32_t *mate = mem_alloc(count * sizeof *mate);
    bool is_paired[CUP_ENTRANTS_MAX] = {false};
    for (uint32_t most = 0; !swiss_allow(s, met, order, count, most, allowed, mate); most++)
        ; /* everybody has met everybody so often */
    for (uint32_t a = 0; a < count; a++) {
        uint32_t b = a + 1;
        if (is_paired[a])
            continue;
        while (b < count &&
               (is_paired[b] || !allowed[a * count + b] || !swiss_try(allowed, count, a, b, mate)))
            b++;
        is_paired[a] = is_paired[b] = true;
        const uint32_t entrants[] = {order[a], order[b]};
        cup_sheet_seat(s, cup_plan_add(plan, round, entrants, 2));
    }
    mem_free(mate);
    mem_free(allowed);
    mem_free(met);
}

static void swiss_group(const struct cup_sheet *s, uint32_t *order, uint32_t count, uint32_t round,
                        struct cup_plan *plan) {
    uint8_t *met = cup_sheet_meetings(s);
    uint32_t group[SEATS_MAX], all = count, groups = cup_group_count(count, s->seats);
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t size = cup_group_size(all, groups, i);
        cup_group_fill(met, s->entrant_count, group, size, order, &count);
        cup_sheet_seat(s, cup_plan_add(plan, round, group, size));
    }
    mem_free(met);
}

static void swiss_plan(const struct cup_sheet *s, struct cup_plan *plan) {
    uint32_t order[CUP_ENTRANTS_MAX], round = cup_sheet_round(s) + 1, count = swiss_order(s, order);
    plan->count = 0;
    if (round > swiss_rounds(s) || count < CUP_ENTRANTS_MIN)
        return;
    if (s->seats > 2) {
        swiss_group(s, order, count, round, plan);
        return;
    }
    uint32_t rests = count % 2 == 1 ? swiss_rest(s, order, &count) : CUP_ENTRANTS_MAX;
    swiss_pair(s, order, count, round, plan);
    if (rests != CUP_ENTRANTS_MAX)
        cup_plan_add(plan, round, &rests, 1);
}

static uint32_t swiss_tables(const struct cup_sheet *s) {
    return swiss_rounds(s) * cup_group_count(s->entrant_count, s->seats);
}

const struct cup_format cup_swiss = {
    .word = "swiss", .waits = true, .tables = swiss_tables, .plan = swiss_plan};
