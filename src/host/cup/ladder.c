/* The ladder: everybody stands on a rung, at first in the order of entering. In a round neighbours meet, and
 * those of a table share their rungs by how it ended; the next round the tables are moved on by half, so that
 * one can climb as far as one wins. Who comes while it runs stands below all others. */
#include "base/mem.h"
#include "host/cup/format.h"

#include <string.h>

/* So that the last can climb to the top. */
static uint32_t ladder_rounds(const struct cup_sheet *s) {
    uint32_t rounds = s->rounds != 0 ? s->rounds : s->entrant_count;
    return rounds < CUP_ROUNDS_MAX ? rounds : CUP_ROUNDS_MAX;
}

/* Takes the entrants of a table by what they had there, best first; who is level keeps the order of rungs. */
static void ladder_order(const struct cup_pairing *p, const uint32_t *rung_of, uint32_t *seats) {
    for (uint32_t seat = 0; seat < p->count; seat++) {
        uint32_t at = seat;
        for (; at > 0; at--) {
            uint32_t other = seats[at - 1];
            bool is_above = p->points[other] > p->points[seat] ||
                            (p->points[other] == p->points[seat] &&
                             rung_of[p->entrant[other]] < rung_of[p->entrant[seat]]);
            if (is_above)
                break;
            seats[at] = other;
        }
        seats[at] = seat;
    }
}

/* The rungs that the entrants of a table have together, from the top. */
static void ladder_rungs(const struct cup_pairing *p, const uint32_t *rung_of, uint32_t *rungs) {
    for (uint32_t seat = 0; seat < p->count; seat++) {
        uint32_t at = seat, rung = rung_of[p->entrant[seat]];
        for (; at > 0 && rungs[at - 1] > rung; at--)
            rungs[at] = rungs[at - 1];
        rungs[at] = rung;
    }
}

static void ladder_rank(const struct cup_sheet *s, uint32_t *rung_of) {
    uint32_t seats[SEATS_MAX], rungs[SEATS_MAX];
    for (uint32_t i = 0; i < s->entrant_count; i++)
        rung_of[i] = i;
    for (uint32_t i = 0; i < s->pairing_count; i++) {
        const struct cup_pairing *p = &s->pairings[i];
        if (p->how == CUP_UNDECIDED || p->count < 2)
            continue;
        ladder_order(p, rung_of, seats);
        ladder_rungs(p, rung_of, rungs);
        for (uint32_t j = 0; j < p->count; j++)
            rung_of[p->entrant[seats[j]]] = rungs[j];
    }
}

static void ladder_plan(const struct cup_sheet *s, struct cup_plan *plan) {
    uint32_t rung_of[CUP_ENTRANTS_MAX], on[CUP_ENTRANTS_MAX], order[CUP_ENTRANTS_MAX], count = 0;
    uint32_t round = cup_sheet_round(s) + 1;
    plan->count = 0;
    if (round > ladder_rounds(s))
        return;
    ladder_rank(s, rung_of);
    for (uint32_t i = 0; i < s->entrant_count; i++)
        on[rung_of[i]] = i;
    for (uint32_t rung = 0; rung < s->entrant_count; rung++)
        if (!s->is_gone[on[rung]])
            order[count++] = on[rung];
    uint32_t first = round % 2 == 1 ? 0 : s->seats / 2;
    for (uint32_t at = first; count >= CUP_ENTRANTS_MIN && at < count; at += s->seats) {
        uint32_t size = count - at < s->seats ? count - at : s->seats;
        if (size > 1)
            cup_sheet_seat(s, cup_plan_add(plan, round, &order[at], size));
    }
    /* Two of whom one would rest in every second round meet in each. */
    if (plan->count == 0 && count >= CUP_ENTRANTS_MIN)
        cup_sheet_seat(s, cup_plan_add(plan, round, order, count < s->seats ? count : s->seats));
}

static uint32_t ladder_tables(const struct cup_sheet *s) {
    return ladder_rounds(s) * cup_group_count(s->entrant_count, s->seats);
}

const struct cup_format cup_ladder = {.word = "ladder",
                                      .waits = true,
                                      .takes_late = true,
                                      .tables = ladder_tables,
                                      .plan = ladder_plan,
                                      .rank = ladder_rank};
