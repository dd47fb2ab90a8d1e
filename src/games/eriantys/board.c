/* The board of Eriantys: professors, influence, towers, groups of islands, and who has won. Nothing here
 * knows whose turn it is or how it came to this. */
#include "games/eriantys/internal.h"

#include <assert.h>

enum { SIZE_INFLUENCES = ERIANTYS_TEAMS_MAX };

unsigned eriantys_group_index(const struct eriantys *e, unsigned island) {
    unsigned index = e->group_count - 1u; /* what lies before the first id belongs to the last group (R16) */
    for (unsigned i = 0; i < e->group_count && e->group[i].id <= island; i++)
        index = i;
    return index;
}

unsigned eriantys_group_id(const struct eriantys *e, unsigned island) {
    return island < ERIANTYS_ISLANDS ? e->group[eriantys_group_index(e, island)].id : island;
}

bool eriantys_is_group(const struct eriantys *e, unsigned group_id) {
    return group_id < ERIANTYS_ISLANDS && eriantys_group_id(e, group_id) == group_id;
}

unsigned eriantys_distance(const struct eriantys *e, unsigned group_id) {
    if (!eriantys_is_group(e, group_id))
        return 0;
    unsigned to = eriantys_group_index(e, group_id);
    return to > e->mother ? to - e->mother : to + e->group_count - e->mother;
}

unsigned eriantys_steps_max(const struct eriantys *e) {
    unsigned value = e->seat[e->mover].assistant;
    return value == 0 ? 0 : eriantys_assistant_steps(value) + eriantys_active_row(e)->steps_more;
}

/* R12, R28: a seat with strictly more than all others takes the professor, and so does the mover with the
 * Farmer when it has as many as the owner and nobody has more. Otherwise everything stays as it is. */
void eriantys_professor_update(struct eriantys *e, unsigned color) {
    unsigned owner = e->professor[color], best = 0, most = e->seat[0].dining[color];
    bool is_shared = false;
    for (unsigned seat = 1; seat < e->seat_count; seat++) {
        unsigned count = e->seat[seat].dining[color];
        is_shared = count > most ? false : is_shared || count == most;
        best = count > most ? seat : best;
        most = count > most ? count : most;
    }
    if (most == 0)
        return;
    if (!is_shared)
        e->professor[color] = (uint8_t)best;
    else if (owner != ERIANTYS_NONE && eriantys_active_row(e)->wins_ties &&
             e->seat[e->mover].dining[color] == most && e->seat[owner].dining[color] == most)
        e->professor[color] = e->mover;
}

void eriantys_professors_update(struct eriantys *e) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        eriantys_professor_update(e, color);
}

void eriantys_dining_add(struct eriantys *e, unsigned seat, unsigned color) {
    struct eriantys_seat *s = &e->seat[seat];
    assert(s->dining[color] < ERIANTYS_TABLE_SEATS);
    s->dining[color]++;
    if (e->mode == ERIANTYS_EXPERT && s->dining[color] % ERIANTYS_COIN_EVERY_SEATS == 0 &&
        e->bank > 0) { /* R23 */
        e->bank--;
        s->coins++;
    }
}

/* R14: of all teams at once. */
static void influences(const struct eriantys *e, unsigned group_index, unsigned out[SIZE_INFLUENCES]) {
    const struct eriantys_group *g = &e->group[group_index];
    const struct eriantys_character_row *row = eriantys_active_row(e);
    memset(out, 0, SIZE_INFLUENCES * sizeof *out);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        if (e->professor[color] != ERIANTYS_NONE && color != e->ignored) /* R35 */
            out[eriantys_team(e, e->professor[color])] += g->students[color];
    if (g->tower != ERIANTYS_NONE && !row->without_towers) /* R32 */
        out[g->tower] += g->size;
    out[eriantys_team(e, e->mover)] += row->influence_more; /* R34 */
}

unsigned eriantys_influence(const struct eriantys *e, unsigned group_index, unsigned team) {
    unsigned all[SIZE_INFLUENCES];
    influences(e, group_index, all);
    return all[team];
}

/* The team with strictly the highest influence, above 0; ERIANTYS_NONE on a tie. */
static unsigned strongest(const struct eriantys *e, unsigned group_index) {
    unsigned all[SIZE_INFLUENCES], best = ERIANTYS_NONE, most = 0;
    influences(e, group_index, all);
    for (unsigned team = 0; team < e->team_count; team++) {
        if (all[team] > most) {
            most = all[team];
            best = team;
        } else if (all[team] == most)
            best = ERIANTYS_NONE;
    }
    return best;
}

/* R16: the group at right becomes part of its neighbour at left, which keeps its id. */
static void group_absorb(struct eriantys *e, unsigned left, unsigned right) {
    struct eriantys_group *to = &e->group[left];
    const struct eriantys_group *from = &e->group[right];
    to->size += from->size;
    to->bans += from->bans;
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        to->students[color] += from->students[color];
    if (e->mother == right)
        e->mother = (uint8_t)left;
    e->group_count--;
    for (unsigned i = right; i < e->group_count; i++)
        e->group[i] = e->group[i + 1];
    if (e->mother > right)
        e->mother--;
    memset(&e->group[e->group_count], 0, sizeof e->group[0]);
}

/* R16: joins the group with those of its neighbours that have the same towers, until there is none. */
static void group_merge(struct eriantys *e, unsigned at) {
    while (e->group_count > 1) {
        unsigned last = e->group_count - 1u, next = at == last ? 0 : at + 1, before = at == 0 ? last : at - 1;
        if (e->group[next].tower == e->group[at].tower) {
            group_absorb(e, at, next);
            at -= next < at;
        } else if (e->group[before].tower == e->group[at].tower) {
            group_absorb(e, before, at);
            at = before - (at < before);
        } else
            return;
    }
}

/* R15, R18: the old towers go home, the new ones come; false when that was the last of them. */
static bool towers_change(struct eriantys *e, struct eriantys_group *g, unsigned team) {
    if (g->tower != ERIANTYS_NONE)
        e->towers[g->tower] += g->size;
    g->tower = (uint8_t)team;
    e->towers[team] -= g->size < e->towers[team] ? g->size : e->towers[team];
    return e->towers[team] > 0;
}

/* R39: a no-entry tile is used up instead, and goes back to the Herbalist. */
static bool ban_use(struct eriantys *e, struct eriantys_group *g) {
    if (g->bans == 0)
        return false;
    unsigned card = eriantys_card_index(e, ERIANTYS_HERBALIST);
    assert(card != ERIANTYS_NONE);
    g->bans--;
    e->card[card].bans++;
    return true;
}

void eriantys_resolve(struct eriantys *e, unsigned group_index) {
    struct eriantys_group *g = &e->group[group_index];
    if (ban_use(e, g))
        return;
    unsigned team = strongest(e, group_index);
    if (team == ERIANTYS_NONE || team == g->tower)
        return;
    if (!towers_change(e, g, team)) {
        eriantys_finish(e, ERIANTYS_BY_TOWERS);
        return;
    }
    group_merge(e, group_index);
    if (e->group_count <= ERIANTYS_GROUPS_END) /* R19 */
        eriantys_finish(e, ERIANTYS_BY_GROUPS);
}

unsigned eriantys_towers_placed(const struct eriantys *e, unsigned team) {
    return eriantys_towers_of_team(e) - e->towers[team];
}

unsigned eriantys_professors(const struct eriantys *e, unsigned team) {
    unsigned count = 0;
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        count += e->professor[color] != ERIANTYS_NONE && eriantys_team(e, e->professor[color]) == team;
    return count;
}

/* R22: towers count first, professors among those who are equal in towers. */
static unsigned standing(const struct eriantys *e, unsigned team) {
    return eriantys_towers_placed(e, team) * (ERIANTYS_COLORS + 1) + eriantys_professors(e, team);
}

seat_set eriantys_winners(const struct eriantys *e) {
    seat_set winners = 0;
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        if (eriantys_team(e, seat) == e->winner)
            winners |= SEAT_BIT(seat);
    return winners;
}

void eriantys_finish(struct eriantys *e, enum eriantys_end end) {
    unsigned best = 0;
    e->end = (uint8_t)end;
    e->phase = ERIANTYS_OVER;
    e->winner = 0;
    for (unsigned team = 1; team < e->team_count; team++) {
        unsigned own = standing(e, team), leader = standing(e, best);
        best = own > leader ? team : best;
        e->winner = own > leader ? (uint8_t)team : own == leader ? ERIANTYS_NONE : e->winner;
    }
}

unsigned eriantys_bonus_seat(const struct eriantys *e) {
    return eriantys_active_row(e)->influence_more > 0 ? e->mover : ERIANTYS_NONE;
}
