#include "host/cup/format.h"

#include <assert.h>
#include <string.h>

static const struct cup_format *const formats[CUP_FORMAT_COUNT] = {
    [CUP_ROUND_ROBIN] = &cup_round_robin,
    [CUP_DOUBLE_ROUND_ROBIN] = &cup_double_round_robin,
    [CUP_SWISS] = &cup_swiss,
    [CUP_KNOCKOUT] = &cup_knockout,
    [CUP_LADDER] = &cup_ladder,
};

const struct cup_format *cup_format_of(uint32_t number) {
    return number < CUP_FORMAT_COUNT ? formats[number] : NULL;
}

uint32_t cup_format_number(struct span word) {
    for (uint32_t i = 1; i < CUP_FORMAT_COUNT; i++)
        if (span_is(word, formats[i]->word))
            return i;
    return 0;
}

struct cup_pairing *cup_plan_add(struct cup_plan *plan, uint32_t round, const uint32_t *entrants,
                                 uint32_t count) {
    assert(plan->count < CUP_PLAN_MAX && count >= 1 && count <= SEATS_MAX);
    struct cup_pairing *p = &plan->pairings[plan->count++];
    *p = (struct cup_pairing){.round = round, .count = count};
    memcpy(p->entrant, entrants, count * sizeof *entrants);
    return p;
}

uint32_t cup_group_count(uint32_t entrants, uint32_t seats) {
    return (entrants + seats - 1) / seats;
}

uint32_t cup_group_size(uint32_t entrants, uint32_t groups, uint32_t index) {
    return entrants / groups + (index < entrants % groups);
}

void cup_group_fill(const uint8_t *met, uint32_t entrants, uint32_t *group, uint32_t size, uint32_t *left,
                    uint32_t *count) {
    uint32_t filled = 0;
    while (filled < size) {
        uint32_t best = 0, fewest = UINT32_MAX;
        for (uint32_t i = 0; i < *count; i++) {
            uint32_t meetings = 0;
            for (uint32_t j = 0; j < filled; j++)
                meetings += met[(size_t)left[i] * entrants + group[j]];
            if (meetings < fewest) {
                fewest = meetings;
                best = i;
            }
        }
        group[filled++] = left[best];
        memmove(&left[best], &left[best + 1], (*count - best - 1) * sizeof *left);
        (*count)--;
    }
}
