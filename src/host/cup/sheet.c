#include "host/cup/sheet.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void cup_sheet_free(struct cup_sheet *s) {
    mem_free(s->pairings);
    *s = (struct cup_sheet){0};
}

void cup_sheet_add(struct cup_sheet *s, const struct cup_pairing *p) {
    assert(p->count >= 1 && p->count <= SEATS_MAX && s->pairing_count < CUP_PAIRINGS_MAX);
    bool is_full = (s->pairing_count & (s->pairing_count - 1)) == 0; /* grows by doubling */
    if (is_full)
        s->pairings =
            mem_resize(s->pairings, (s->pairing_count == 0 ? 1 : 2 * s->pairing_count) * sizeof *s->pairings);
    struct cup_pairing *added = &s->pairings[s->pairing_count++];
    *added = *p;
    added->how = p->count == 1 ? CUP_BYE : CUP_UNDECIDED;
    memset(added->points, 0, sizeof added->points);
    if (p->count == 1)
        added->points[0] = CUP_POINT;
}

void cup_share(uint32_t count, const int32_t *results, uint32_t points[SEATS_MAX]) {
    memset(points, 0, SEATS_MAX * sizeof *points);
    for (uint32_t seat = 0; seat < count && count > 1; seat++) {
        uint32_t halves = 0;
        for (uint32_t other = 0; other < count; other++)
            halves += other == seat                     ? 0
                      : results[seat] > results[other]  ? 2
                      : results[seat] == results[other] ? 1
                                                        : 0;
        points[seat] = halves * CUP_POINT / 2 / (count - 1);
    }
}

void cup_walkover(const struct cup_sheet *s, struct cup_pairing *p) {
    uint32_t present = 0;
    int32_t results[SEATS_MAX] = {0};
    for (uint32_t seat = 0; seat < p->count; seat++) {
        results[seat] = !s->is_gone[p->entrant[seat]];
        present += !s->is_gone[p->entrant[seat]];
    }
    cup_share(p->count, results, p->points);
    for (uint32_t seat = 0; seat < p->count; seat++)
        if (present == 0 || s->is_gone[p->entrant[seat]])
            p->points[seat] = 0;
    p->how = CUP_WALKOVER;
}

bool cup_sheet_is_decided(const struct cup_sheet *s) {
    for (uint32_t i = 0; i < s->pairing_count; i++)
        if (s->pairings[i].how == CUP_UNDECIDED)
            return false;
    return true;
}

uint32_t cup_sheet_round(const struct cup_sheet *s) {
    uint32_t round = 0;
    for (uint32_t i = 0; i < s->pairing_count; i++)
        round = s->pairings[i].round > round ? s->pairings[i].round : round;
    return round;
}

uint32_t cup_sheet_present(const struct cup_sheet *s) {
    uint32_t present = 0;
    for (uint32_t i = 0; i < s->entrant_count; i++)
        present += !s->is_gone[i];
    return present;
}

bool cup_pairing_has(const struct cup_pairing *p, uint32_t entrant, uint32_t *seat) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->entrant[i] == entrant) {
            if (seat != NULL)
                *seat = i;
            return true;
        }
    return false;
}

unsigned cup_pairing_winner(const struct cup_pairing *p) {
    unsigned best = 0, level = 0;
    for (unsigned seat = 1; seat < p->count; seat++)
        if (p->points[seat] > p->points[best])
            best = seat;
    for (unsigned seat = 0; seat < p->count; seat++)
        level += p->points[seat] == p->points[best];
    return level == 1 ? best : SEAT_WATCHER;
}

uint8_t *cup_sheet_meetings(const struct cup_sheet *s) {
    size_t n = s->entrant_count;
    uint8_t *met = mem_alloc(n * n);
    for (uint32_t i = 0; i < s->pairing_count; i++) {
        const struct cup_pairing *p = &s->pairings[i];
        for (uint32_t a = 0; a < p->count; a++)
            for (uint32_t b = 0; b < p->count; b++)
                if (a != b && met[p->entrant[a] * n + p->entrant[b]] < UINT8_MAX)
                    met[p->entrant[a] * n + p->entrant[b]]++;
    }
    return met;
}

/* How often an entrant had each seat, and which one last. */
struct seating {
    uint32_t had[SEATS_MAX];
    uint32_t last; /* SEATS_MAX: none yet */
};

static struct seating sheet_seating(const struct cup_sheet *s, uint32_t entrant) {
    struct seating seating = {.last = SEATS_MAX};
    uint32_t seat;
    for (uint32_t i = 0; i < s->pairing_count; i++)
        if (s->pairings[i].count > 1 && cup_pairing_has(&s->pairings[i], entrant, &seat)) {
            seating.had[seat]++;
            seating.last = seat;
        }
    return seating;
}

void cup_sheet_seat(const struct cup_sheet *s, struct cup_pairing *p) {
    struct seating seating[SEATS_MAX];
    uint32_t left[SEATS_MAX];
    for (uint32_t i = 0; i < p->count; i++) {
        left[i] = p->entrant[i];
        seating[i] = sheet_seating(s, left[i]);
    }
    for (uint32_t seat = 0, count = p->count; seat < p->count; seat++, count--) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++) {
            uint32_t had = seating[i].had[seat], least = seating[best].had[seat];
            if (had < least || (had == least && seating[best].last == seat && seating[i].last != seat))
                best = i;
        }
        p->entrant[seat] = left[best];
        memmove(&left[best], &left[best + 1], (count - best - 1) * sizeof *left);
        memmove(&seating[best], &seating[best + 1], (count - best - 1) * sizeof *seating);
    }
}
