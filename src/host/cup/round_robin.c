/* Everybody meets everybody, once or twice. Two seats: by the circle method, the seats of a pair settled by
 * the numbers of the two, so that everybody has each seat equally often, and swapped the second time. More
 * seats: groups are drawn round by round of those who have not met, until everybody has met everybody. */
#include "base/mem.h"
#include "host/cup/format.h"

#include <string.h>

/* The places around which the circle turns: one more than entrants when these are odd. */
static uint32_t robin_places(const struct cup_sheet *s) {
    return s->entrant_count + s->entrant_count % 2;
}

static void robin_pair(const struct cup_sheet *s, uint32_t a, uint32_t b, bool is_swapped, uint32_t round,
                       struct cup_plan *plan) {
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    if (second >= s->entrant_count)
        return; /* whoever meets the empty place rests */
    bool is_first = ((first + second) % 2 == 1) != is_swapped;
    const uint32_t entrants[] = {is_first ? first : second, is_first ? second : first};
    cup_plan_add(plan, round, entrants, 2);
}

static void robin_circle(const struct cup_sheet *s, uint32_t cycles, uint32_t round, struct cup_plan *plan) {
    uint32_t places = robin_places(s), turns = places - 1;
    if (round > cycles * turns)
        return;
    uint32_t turn = (round - 1) % turns;
    bool is_swapped = (round - 1) / turns == 1;
    robin_pair(s, turn, places - 1, is_swapped, round, plan);
    for (uint32_t i = 1; i < places / 2; i++)
        robin_pair(s, (turn + i) % turns, (turn + turns - i) % turns, is_swapped, round, plan);
}

/* How many of the others an entrant has met too seldom. */
static uint32_t robin_missing(const struct cup_sheet *s, const uint8_t *met, uint32_t entrant,
                              uint32_t cycles) {
    uint32_t missing = 0;
    for (uint32_t i = 0; i < s->entrant_count; i++)
        missing += i != entrant && !s->is_gone[i] && met[entrant * s->entrant_count + i] < cycles;
    return missing;
}

/* Those who have met fewest come first; who has met all sits in where a place is left. */
static uint32_t robin_line_up(const struct cup_sheet *s, const uint8_t *met, uint32_t cycles,
                              uint32_t *left) {
    uint32_t count = 0;
    uint32_t missing[CUP_ENTRANTS_MAX];
    for (uint32_t i = 0; i < s->entrant_count; i++) {
        if (s->is_gone[i])
            continue;
        uint32_t own = robin_missing(s, met, i, cycles), at = count++;
        for (; at > 0 && missing[at - 1] < own; at--) {
            missing[at] = missing[at - 1];
            left[at] = left[at - 1];
        }
        missing[at] = own;
        left[at] = i;
    }
    return count == 0 || missing[0] == 0 ? 0 : count;
}

static void robin_groups(const struct cup_sheet *s, uint32_t cycles, uint32_t round, struct cup_plan *plan) {
    uint8_t *met = cup_sheet_meetings(s);
    uint32_t left[CUP_ENTRANTS_MAX], group[SEATS_MAX];
    uint32_t count = robin_line_up(s, met, cycles, left), all = count;
    uint32_t groups = cup_group_count(all, s->seats);
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t size = cup_group_size(all, groups, i);
        cup_group_fill(met, s->entrant_count, group, size, left, &count);
        cup_sheet_seat(s, cup_plan_add(plan, round, group, size));
    }
    mem_free(met);
}

static void robin_plan(const struct cup_sheet *s, uint32_t cycles, struct cup_plan *plan) {
    uint32_t round = cup_sheet_round(s) + 1;
    plan->count = 0;
    if (s->seats == 2)
        robin_circle(s, cycles, round, plan);
    else if (round <= CUP_ROUNDS_MAX && cup_sheet_present(s) >= CUP_ENTRANTS_MIN)
        robin_groups(s, cycles, round, plan);
}

static void robin_once(const struct cup_sheet *s, struct cup_plan *plan) {
    robin_plan(s, 1, plan);
}

static void robin_twice(const struct cup_sheet *s, struct cup_plan *plan) {
    robin_plan(s, 2, plan);
}

/* More seats need fewer tables than pairs, as long as every group has two who have not met. */
static uint32_t robin_tables(const struct cup_sheet *s) {
    return s->entrant_count * (s->entrant_count - 1) / 2;
}

static uint32_t robin_tables_twice(const struct cup_sheet *s) {
    return 2 * robin_tables(s);
}

const struct cup_format cup_round_robin = {.word = "round-robin", .tables = robin_tables, .plan = robin_once};
const struct cup_format cup_double_round_robin = {
    .word = "double-round-robin", .tables = robin_tables_twice, .plan = robin_twice};
