/* The invariants of Eriantys: nothing is lost or made, groups lie in a ring, professors are where they
 * belong. */
#include "games/eriantys/internal.h"

static const char *valid_ranges(const struct eriantys *e) {
    if (e->phase > ERIANTYS_OVER || e->mode > ERIANTYS_EXPERT || e->seat_count < ERIANTYS_SEATS_MIN ||
        e->seat_count > ERIANTYS_SEATS_MAX || e->team_count != (e->seat_count == 3 ? 3 : 2) ||
        e->round >= ERIANTYS_ROUNDS_MAX || e->first >= e->seat_count || e->mover >= e->seat_count ||
        e->turn > e->seat_count || e->end > ERIANTYS_BY_ASSISTANTS || e->unused != 0)
        return "a number is out of its range";
    if (e->group_count == 0 || e->group_count > ERIANTYS_ISLANDS || e->mother >= e->group_count)
        return "mother nature is nowhere";
    if ((e->phase == ERIANTYS_OVER) != (e->end != ERIANTYS_RUNNING))
        return "the end does not fit the phase";
    if (e->moved > eriantys_students_per_turn(e) ||
        (e->phase == ERIANTYS_STUDENTS && e->moved == eriantys_students_per_turn(e)))
        return "too many students were moved";
    return NULL;
}

static unsigned students_of(const struct eriantys *e, unsigned color) {
    unsigned sum = e->bag[color];
    for (unsigned seat = 0; seat < ERIANTYS_SEATS_MAX; seat++)
        sum += (unsigned)e->seat[seat].entrance[color] + e->seat[seat].dining[color] + e->cloud[seat][color];
    for (unsigned i = 0; i < e->group_count; i++)
        sum += e->group[i].students[color];
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++)
        sum += e->card[i].students[color];
    return sum;
}

static const char *valid_students(const struct eriantys *e) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) /* R2 */
        if (students_of(e, color) != ERIANTYS_STUDENTS_PER_COLOR)
            return "there are not 26 students of a colour";
    for (unsigned seat = 0; seat < e->seat_count; seat++) {
        for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
            if (e->seat[seat].dining[color] > ERIANTYS_TABLE_SEATS) /* R11 */
                return "a table has more than ten students";
        if (eriantys_sum(e->seat[seat].entrance) > eriantys_entrance_size(e) + (e->open_half != 0))
            return "an entrance has too many students";
    }
    return NULL;
}

/* R15, R18: only who wins by the last tower may have had too few for the group. */
static const char *valid_towers(const struct eriantys *e) {
    for (unsigned team = 0; team < e->team_count; team++) {
        unsigned wanted = 0;
        for (unsigned i = 0; i < e->group_count; i++)
            wanted += e->group[i].tower == team ? e->group[i].size : 0u;
        bool is_last = e->end == ERIANTYS_BY_TOWERS && e->towers[team] == 0;
        if (is_last ? wanted < eriantys_towers_of_team(e)
                    : wanted + e->towers[team] != eriantys_towers_of_team(e))
            return "the towers of a team do not add up";
        if (e->towers[team] == 0 && e->phase != ERIANTYS_OVER)
            return "the table should be over";
    }
    return NULL;
}

/* R16 */
static const char *valid_groups(const struct eriantys *e) {
    unsigned islands = 0;
    for (unsigned i = 0; i < e->group_count; i++) {
        const struct eriantys_group *g = &e->group[i], *next = &e->group[(i + 1) % e->group_count];
        islands += g->size;
        if (g->size == 0 || (g->tower != ERIANTYS_NONE && g->tower >= e->team_count) ||
            (i > 0 && g->id <= e->group[i - 1].id) || (g->id + g->size) % ERIANTYS_ISLANDS != next->id)
            return "the groups do not lie in a ring";
        if (e->end != ERIANTYS_BY_TOWERS && g != next && g->tower != ERIANTYS_NONE && g->tower == next->tower)
            return "two neighbours should be one group";
    }
    if (islands != ERIANTYS_ISLANDS)
        return "there are not twelve islands";
    return e->group_count <= ERIANTYS_GROUPS_END && e->phase != ERIANTYS_OVER ? "the table should be over"
                                                                              : NULL;
}

/* R12: inside a swap they may lag behind. */
static const char *valid_professor(const struct eriantys *e, unsigned color) {
    unsigned owner = e->professor[color], most = 0, leader = ERIANTYS_NONE;
    for (unsigned seat = 0; seat < e->seat_count; seat++) {
        unsigned count = e->seat[seat].dining[color];
        leader = count > most ? seat : count == most ? (unsigned)ERIANTYS_NONE : leader;
        most = count > most ? count : most;
    }
    if (owner != ERIANTYS_NONE && owner >= e->seat_count)
        return "a professor is nowhere";
    if (e->open_half != 0)
        return NULL;
    if (owner == ERIANTYS_NONE ? most > 0 : leader != ERIANTYS_NONE && leader != owner)
        return "a professor is with the wrong school";
    return NULL;
}

/* R5, R23, R24, R31 */
static const char *valid_expert(const struct eriantys *e) {
    unsigned coins = e->bank, bans = 0;
    bool is_expert = e->mode == ERIANTYS_EXPERT, has_herbalist = false;
    for (unsigned seat = 0; seat < ERIANTYS_SEATS_MAX; seat++)
        coins += e->seat[seat].coins;
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++) {
        coins += e->card[i].has_coin;
        bans += e->card[i].bans;
        has_herbalist = has_herbalist || e->card[i].id == ERIANTYS_HERBALIST;
        if (e->card[i].id > (is_expert ? (unsigned)ERIANTYS_CHARACTERS : 0u) ||
            (e->card[i].id != 0 && i > 0 && e->card[i].id <= e->card[i - 1].id))
            return "the characters are not in order";
    }
    for (unsigned i = 0; i < e->group_count; i++)
        bans += e->group[i].bans;
    if (coins != (is_expert ? (unsigned)ERIANTYS_COINS : 0u))
        return "there are not twenty coins";
    if (bans != (has_herbalist ? (unsigned)ERIANTYS_BANS : 0u))
        return "the no-entry tiles do not add up";
    if (e->paid != ERIANTYS_NONE &&
        (!is_expert || e->paid >= ERIANTYS_CHARACTERS_IN_PLAY || e->card[e->paid].has_coin == 0))
        return "something was paid that cannot be";
    return (e->paid == ERIANTYS_NONE || e->phase < ERIANTYS_STUDENTS) &&
                   (e->uses_left != 0 || e->ignored != ERIANTYS_NONE || e->open_half != 0 ||
                    e->refill_due != ERIANTYS_NONE)
               ? "an effect lasts for too long"
               : NULL;
}

/* R7: one assistant a round. */
static const char *valid_hands(const struct eriantys *e) {
    for (unsigned seat = 0; seat < e->seat_count; seat++) {
        const struct eriantys_seat *s = &e->seat[seat];
        unsigned left = (unsigned)__builtin_popcount(s->hand),
                 played = e->round + (s->assistant != 0 ? 1u : 0u);
        if (left + played != ERIANTYS_ASSISTANTS || s->assistant > ERIANTYS_ASSISTANTS ||
            (s->assistant != 0 && (s->hand >> s->assistant & 1) != 0))
            return "a hand does not fit the round";
    }
    return NULL;
}

const char *eriantys_valid(const struct game_state *state) {
    static const char *(*const checks[])(const struct eriantys *) = {
        valid_ranges, valid_students, valid_towers, valid_groups, valid_expert, valid_hands,
    };
    const struct eriantys *e = eriantys_of(state);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const char *wrong = checks[i](e);
        if (wrong != NULL)
            return wrong;
    }
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        const char *wrong = valid_professor(e, color);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
