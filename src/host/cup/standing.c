/* Where everybody stands, and by what those with the same points are told apart. */
#include "base/mem.h"
#include "host/cup/sheet.h"

#include <stdlib.h>

#define CUP_TIE_WORD(name, word) word,
const char *const cup_tie_words[CUP_TIE_COUNT] = {CUP_TIE_LIST(CUP_TIE_WORD)};

/* Only tables that were played tell how strong somebody's opponents were. */
static bool standing_is_met(const struct cup_pairing *p) {
    return p->how == CUP_PLAYED || p->how == CUP_FORFEITED;
}

static void standing_count(const struct cup_pairing *p, struct cup_standing *by_entrant) {
    unsigned winner = cup_pairing_winner(p);
    for (uint32_t seat = 0; seat < p->count && p->how != CUP_UNDECIDED; seat++) {
        struct cup_standing *row = &by_entrant[p->entrant[seat]];
        bool is_best = true;
        for (uint32_t other = 0; other < p->count; other++)
            is_best = is_best && p->points[other] <= p->points[seat];
        row->played++;
        row->points += p->points[seat];
        row->won += winner == seat;
        row->drawn += winner != seat && is_best && p->points[seat] > 0;
        row->lost += !is_best || (winner != seat && p->points[seat] == 0);
    }
}

/* What a seat had of another one of its table: 2 for a win, 1 when they were level. */
static uint32_t standing_halves(const struct cup_pairing *p, uint32_t seat, uint32_t other) {
    return p->points[seat] > p->points[other] ? 2 : p->points[seat] == p->points[other] ? 1 : 0;
}

static void standing_compare_rivals(const struct cup_pairing *p, struct cup_standing *by_entrant) {
    for (uint32_t seat = 0; seat < p->count && standing_is_met(p); seat++)
        for (uint32_t other = 0; other < p->count; other++) {
            struct cup_standing *row = &by_entrant[p->entrant[seat]];
            const struct cup_standing *rival = &by_entrant[p->entrant[other]];
            if (other == seat)
                continue;
            uint32_t halves = standing_halves(p, seat, other);
            row->buchholz += rival->points;
            row->sonneborn += rival->points * halves / 2;
            if (rival->points == row->points)
                row->direct += halves * CUP_POINT / 2;
        }
}

static int standing_less(uint32_t a, uint32_t b) {
    return a < b ? -1 : a > b;
}

static int standing_order(const void *left, const void *right) {
    const struct cup_standing *a = left, *b = right;
    const int differences[] = {
        standing_less(a->rank, b->rank),           standing_less(b->points, a->points),
        standing_less(b->direct, a->direct),       standing_less(b->buchholz, a->buchholz),
        standing_less(b->sonneborn, a->sonneborn), standing_less(b->won, a->won),
        standing_less(a->entrant, b->entrant),
    };
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

void cup_standings(const struct cup_sheet *s, const uint32_t *rank, struct cup_standing *rows) {
    for (uint32_t i = 0; i < s->entrant_count; i++)
        rows[i] = (struct cup_standing){.entrant = i, .rank = rank == NULL ? 0 : rank[i]};
    for (uint32_t i = 0; i < s->pairing_count; i++)
        standing_count(&s->pairings[i], rows);
    for (uint32_t i = 0; i < s->pairing_count; i++)
        standing_compare_rivals(&s->pairings[i], rows);
    qsort(rows, s->entrant_count, sizeof *rows, standing_order);
    for (uint32_t i = 0; i < s->entrant_count; i++)
        rows[i].place = i + 1;
}
