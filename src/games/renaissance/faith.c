/* The faith track of Masters of Renaissance: steps, reports, and what they are worth. Apart from the rest
 * because a step of one seat can change all others. */
#include "games/renaissance/internal.h"

static const uint8_t pope_spaces[RENAISSANCE_REPORTS] = {8, 16, 24};
static const uint8_t section_begins[RENAISSANCE_REPORTS] = {5, 12, 19};
static const uint8_t tile_points[RENAISSANCE_REPORTS] = {2, 3, 4};

unsigned renaissance_pope_space(unsigned report) {
    return pope_spaces[report];
}

unsigned renaissance_section_begin(unsigned report) {
    return section_begins[report];
}

unsigned renaissance_tile_points(unsigned report) {
    return tile_points[report];
}

static void markers_copy(const struct renaissance *r, uint8_t faith[RENAISSANCE_SEATS_MAX]) {
    for (unsigned seat = 0; seat < RENAISSANCE_SEATS_MAX; seat++)
        faith[seat] = r->seat[seat].faith;
}

/* R29: who is in the section or beyond keeps the tile. */
static void report_hold(struct renaissance *r, unsigned i) {
    struct renaissance_report *report = &r->report[i];
    report->happened = 1;
    report->lorenzo = r->lorenzo;
    markers_copy(r, report->faith);
    for (unsigned seat = 0; seat < r->seats; seat++)
        if (r->seat[seat].faith >= section_begins[i])
            report->kept |= (uint8_t)SEAT_BIT(seat);
}

/* R28: the first marker on a pope space, and only the first. */
static void reports_check(struct renaissance *r) {
    unsigned furthest = r->lorenzo;
    for (unsigned seat = 0; seat < r->seats; seat++)
        furthest = r->seat[seat].faith > furthest ? r->seat[seat].faith : furthest;
    for (unsigned i = 0; i < RENAISSANCE_REPORTS && furthest >= pope_spaces[i]; i++)
        if (!r->report[i].happened)
            report_hold(r, i);
}

static void marker_step(uint8_t *marker) {
    *marker = (uint8_t)(*marker + (*marker < RENAISSANCE_FAITH_MAX)); /* R27: steps beyond are lost */
}

void renaissance_advance(struct renaissance *r, seat_set who, unsigned steps) {
    for (; steps > 0; steps--) {
        for (unsigned seat = 0; seat < r->seats; seat++)
            if (who & SEAT_BIT(seat))
                marker_step(&r->seat[seat].faith);
        if (who & SEAT_BIT(SEAT_CHANCE))
            marker_step(&r->lorenzo);
        reports_check(r);
    }
}

unsigned renaissance_faith_changes(const struct renaissance *before, const struct renaissance *after,
                                   struct renaissance_faith_change out[RENAISSANCE_FAITH_CHANGES_MAX]) {
    struct renaissance_faith_change last = {.lorenzo = before->lorenzo}, now = {.lorenzo = after->lorenzo};
    unsigned count = 0;
    markers_copy(before, last.faith);
    markers_copy(after, now.faith);
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++) {
        const struct renaissance_report *report = &after->report[i];
        if (!report->happened || before->report[i].happened)
            continue;
        last.lorenzo = report->lorenzo;
        memcpy(last.faith, report->faith, sizeof last.faith);
        out[count] = last;
        out[count].report = pope_spaces[i];
        out[count++].kept = report->kept;
    }
    if (last.lorenzo != now.lorenzo || memcmp(last.faith, now.faith, sizeof now.faith) != 0)
        out[count++] = now;
    return count;
}

/* R27: the value that was passed last. */
static unsigned track_points(unsigned faith) {
    static const uint8_t points[] = {0, 1, 2, 4, 6, 9, 12, 16, 20};
    enum { SPACES_BETWEEN_VALUES = 3 };
    return points[faith / SPACES_BETWEEN_VALUES];
}

static unsigned seat_card_points(const struct renaissance_seat *s) {
    unsigned sum = 0;
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        for (unsigned i = 0; i < RENAISSANCE_LEVELS && s->slot[slot][i] != 0; i++)
            sum += renaissance_card(s->slot[slot][i])->points;
    return sum;
}

unsigned renaissance_points(const struct renaissance *r, unsigned seat) {
    enum { RESOURCES_PER_POINT = 5 };
    const struct renaissance_seat *s = &r->seat[seat];
    unsigned sum = seat_card_points(s) + track_points(s->faith); /* R31 */
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        if (r->report[i].kept & SEAT_BIT(seat))
            sum += tile_points[i];
    for (unsigned i = 0; i < s->played_count; i++)
        sum += renaissance_leader(s->played[i])->points;
    return sum + renaissance_resources_left(s) / RESOURCES_PER_POINT;
}
