/* The turn of Santorini as a machine of steps. What may be done now is asked in three layers: the board (R5,
 * R6), the god of the seat on turn, and then the gods of all others. From these raw steps santorini_steps
 * keeps those after which the turn can still be completed (R9). Of most moves that is known (moves_sure,
 * moves_vain); the others are tried on a copy. */
#include "games/santorini/internal.h"

/* What struct santorini.must_rise is while it is looked for whether somebody can move up at all. */
enum { RISE_SOUGHT = 2 };

/* The seats whose opponents the builders of this turn are, so that their gods are asked. R38: the builder
 * that is led is none of its own seat. */
static unsigned seats_asked(const struct santorini *s) {
    unsigned seats = s->alive & ~(1u << s->mover);
    if (s->led_seat != SANTORINI_NOBODY && s->rules_version >= SANTORINI_RULES_LED)
        seats &= ~(1u << s->led_seat);
    return seats;
}

/* What every question about a position needs, looked up once: the row of the turn, the cells that are
 * occupied, and the rows of the others that have a word about turns that are not theirs. */
struct look {
    const struct santorini *s;
    const struct santorini_row *own;
    cell_set occupied;
    unsigned other_count;
    const struct santorini_row *other[SANTORINI_SEATS_MAX];
    uint8_t seat[SANTORINI_SEATS_MAX]; /* of each of them */
};

/* Filled in place: a copy of what was just written in pieces would have to wait for them. */
static inline void look_at(struct look *l, const struct santorini *s) {
    *l = (struct look){.s = s, .own = turn_row(s), .occupied = cells_occupied(s)};
    for (unsigned seats = seats_asked(s); seats != 0; seats &= seats - 1) {
        unsigned seat = cell_first(seats);
        const struct santorini_row *row = row_of(s, seat);
        l->other[l->other_count] = row;
        l->seat[l->other_count] = (uint8_t)seat;
        l->other_count += row->minds_others;
    }
}

/* Whether some god may have something against it that the moves end anywhere. */
static bool has_demands(const struct santorini *s) {
    return (s->charmed | s->must_rise) != 0;
}

/* R46: whether somebody who can move up must, and has not done so. */
static bool look_must_rise(const struct look *l) {
    bool is_demanded = l->s->must_rise == RISE_SOUGHT;
    if (l->s->must_rise == 0 || l->s->went_up)
        return false;
    for (unsigned i = 0; i < l->other_count; i++)
        is_demanded = is_demanded || l->other[i]->demands_rise;
    return is_demanded;
}

/* R31: cells where the moves of a builder may end. */
static cell_set cells_to_stop(const struct look *l, unsigned builder) {
    cell_set cells = CELLS_ALL;
    for (unsigned i = 0; i < l->other_count && (l->s->charmed >> builder & 1); i++)
        if (l->other[i]->stops != NULL)
            cells &= l->other[i]->stops(l->s, l->seat[i]);
    return cells;
}

/* Whether all builders that have moved, but for one of them, may stay where they are. */
static bool others_may_stop(const struct look *l, unsigned builder) {
    unsigned bound = l->s->moved & l->s->charmed & ~(1u << builder);
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if ((bound >> b & 1) && !cell_is_in(santorini_cell(l->s, b), cells_to_stop(l, b)))
            return false;
    return true;
}

static bool look_may_stop(const struct look *l) {
    return !has_demands(l->s) || (!look_must_rise(l) && others_may_stop(l, SANTORINI_HANDS));
}

bool turn_may_stop(const struct santorini *s) {
    if (!has_demands(s))
        return true;
    struct look l;
    look_at(&l, s);
    return look_may_stop(&l);
}

/* What the gods of others leave of these sites. */
static cell_set sites_left(const struct look *l, cell_set sites, bool is_dome) {
    for (unsigned i = 0; i < l->other_count; i++)
        if (l->other[i]->hinders_build != NULL)
            sites = l->other[i]->hinders_build(l->s, l->seat[i], sites, is_dome);
    return sites;
}

/* Cells beside which the gods of others leave something to build on once a builder has left its cell. */
static cell_set cells_to_build(const struct look *l, unsigned from) {
    const struct santorini *s = l->s;
    cell_set free = CELLS_ALL & ~s->dome & ~(l->occupied & ~CELL_BIT(from)),
             high = s->block[SANTORINI_HEIGHT_MAX - 1];
    if (sites_left(l, CELL_BIT(from), cell_is_in(from, high)) != 0)
        return CELLS_ALL; /* the cell itself, for all that it can move to */
    return cells_near(sites_left(l, free & ~high, false) | sites_left(l, free & high, true));
}

/* Cells such that a move of the builder to one of them surely leads to a complete turn (R9), if it may be
 * made at all: free cells where the moves may end and something can be built. Without a word of others that
 * is so everywhere, because the builder can build on the cell that it leaves, which is free then and has no
 * dome. That the mover's own god does not forbid it is what struct santorini_row promises of `builds`. */
static cell_set moves_sure_among(const struct look *l, unsigned builder) {
    unsigned from = santorini_cell(l->s, builder);
    if (builder == SANTORINI_BORROWED)
        return 0; /* it may be one of those whose god is asked */
    cell_set cells = ~l->occupied & cells_to_build(l, from);
    if (!has_demands(l->s))
        return cells;
    if (l->own->arrives != NULL)
        return 0; /* who demands something may not be there any more, or elsewhere */
    cells &= others_may_stop(l, builder) ? cells_to_stop(l, builder) : 0;
    return look_must_rise(l) ? cells & ~cells_up_to(l->s, santorini_height(l->s, from)) : cells;
}

static inline cell_set moves_sure(const struct look *l, unsigned builder) {
    bool is_alone = l->other_count == 0 && !has_demands(l->s);
    return is_alone ? ~l->occupied : moves_sure_among(l, builder);
}

/* Cells such that a move of the builder to one of them surely does not: who must rise and can do so only with
 * this move, or must stop elsewhere after it. */
static cell_set moves_vain_among(const struct look *l, unsigned builder) {
    bool is_last = l->own->may_move == NULL;
    cell_set cells = 0;
    if (l->own->arrives != NULL || builder == SANTORINI_BORROWED)
        return 0;
    if ((is_last || l->own->stays_level) && look_must_rise(l))
        cells = cells_up_to(l->s, santorini_height(l->s, santorini_cell(l->s, builder)));
    return is_last ? cells | (~l->occupied & ~cells_to_stop(l, builder)) : cells;
}

static inline cell_set moves_vain(const struct look *l, unsigned builder) {
    return has_demands(l->s) ? moves_vain_among(l, builder) : 0;
}

static bool look_is_build(const struct look *l, unsigned builder) {
    return l->s->moves > 0 && l->s->builds == 0 && l->s->actor == builder && look_may_stop(l);
}

bool turn_is_build(const struct santorini *s, unsigned builder) {
    return s->moves > 0 && s->builds == 0 && s->actor == builder && turn_may_stop(s);
}

/* R8, and R21 to R50 where a god of another seat forbids it. */
static bool move_may_win(const struct santorini *s, unsigned to) {
    struct look l;
    look_at(&l, s);
    if (s->led_seat != SANTORINI_NOBODY)
        return false; /* R38 */
    for (unsigned i = 0; i < l.other_count; i++)
        if (l.other[i]->lets_win != NULL && !l.other[i]->lets_win(s, to))
            return false;
    return true;
}

/* Cells that are exactly so high. */
static cell_set cells_level(const struct santorini *s, unsigned height) {
    return cells_up_to(s, height) & ~(height == 0 ? 0 : cells_up_to(s, height - 1));
}

static cell_set move_cells(const struct look *l, unsigned builder, unsigned from) {
    const struct santorini *s = l->s;
    /* R5 */
    cell_set near = santorini_near[from] & ~s->dome & cells_up_to(s, santorini_height(s, from) + 1);
    cell_set cells = near & ~l->occupied;
    if (l->own->invades != NULL)
        cells |= l->own->invades(s, builder, near & l->occupied & ~cells_of(s, s->mover));
    if (l->own->moves != NULL)
        cells = l->own->moves(s, builder, cells);
    if (l->own->stays_level && s->moves > 0)
        cells &= cells_level(s, santorini_height(s, from));
    for (unsigned i = 0; i < l->other_count; i++)
        if (l->other[i]->hinders_move != NULL)
            cells = l->other[i]->hinders_move(s, l->seat[i], builder, cells);
    return cells;
}

static bool may_move(const struct look *l, unsigned builder) {
    const struct santorini *s = l->s;
    if (l->own->may_move != NULL)
        return l->own->may_move(s, builder);
    return s->moves == 0 && (s->actor == SANTORINI_NOBODY || s->actor == builder);
}

static void build_sites(const struct look *l, unsigned builder, struct santorini_sites *sites) {
    const struct santorini *s = l->s;
    if (l->own->builds == NULL && !look_is_build(l, builder)) {
        *sites = (struct santorini_sites){0};
        return;
    }
    /* R6 */
    sites->free = santorini_near[santorini_cell(s, builder)] & ~s->dome & ~l->occupied;
    sites->block = sites->free & cells_up_to(s, SANTORINI_HEIGHT_MAX - 1);
    sites->dome = sites->free & ~sites->block;
    if (l->own->builds != NULL)
        l->own->builds(s, builder, sites);
    if (l->other_count > 0) {
        sites->block = sites_left(l, sites->block, false);
        sites->dome = sites_left(l, sites->dome, true);
    }
}

static bool may_end(const struct santorini *s, const struct santorini_row *row) {
    return row->may_end != NULL ? row->may_end(s) : s->builds > 0;
}

/* Whether with this god only the builder that has begun to act can do something more. */
static bool has_one_hand(const struct santorini_row *row) {
    return row->builds == NULL && row->may_move == NULL && row->forces == NULL;
}

/* Whether a builder is there and can be used in this turn: the own two, or the one that is led. */
static bool turn_has_hand(const struct santorini *s, unsigned builder) {
    return (builder == SANTORINI_BORROWED) == (s->led_seat != SANTORINI_NOBODY) &&
           santorini_cell(s, builder) != SANTORINI_NOWHERE;
}

static inline void hand_steps(const struct look *l, unsigned builder, struct santorini_steps *out) {
    const struct santorini *s = l->s;
    unsigned cell = santorini_cell(s, builder);
    if (cell == SANTORINI_NOWHERE)
        return;
    if (s->moves > 0 || l->own->builds != NULL) {
        struct santorini_sites sites;
        build_sites(l, builder, &sites);
        out->block[builder] = sites.block;
        out->dome[builder] = sites.dome;
    }
    if (may_move(l, builder))
        out->move[builder] = move_cells(l, builder, cell);
    if (l->own->forces != NULL)
        out->force[builder] = l->own->forces(s, builder);
}

static void look_steps(const struct look *l, struct santorini_steps *out) {
    const struct santorini *s = l->s;
    const struct santorini_row *own = l->own;
    bool is_led = s->led_seat != SANTORINI_NOBODY;
    *out = (struct santorini_steps){0};
    if (is_led || (s->actor != SANTORINI_NOBODY && has_one_hand(own)))
        hand_steps(l, is_led ? SANTORINI_BORROWED : s->actor, out);
    else {
        hand_steps(l, 0, out);
        hand_steps(l, 1, out);
    }
    if (own->removes != NULL)
        out->remove = own->removes(s);
    out->can_end = may_end(s, own);
}

void turn_steps_raw(const struct santorini *s, struct santorini_steps *out) {
    struct look l;
    look_at(&l, s);
    look_steps(&l, out);
}

static void table_win(struct santorini *s, unsigned seat, enum santorini_end end) {
    s->phase = SANTORINI_OVER;
    s->winner = (uint8_t)seat;
    s->end = (uint8_t)end;
}

void seat_out(struct santorini *s, unsigned seat) {
    s->alive &= (uint8_t) ~(1u << seat);
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        s->builder[seat][b] = SANTORINI_NOWHERE;
    s->climbed &= (uint8_t) ~(1u << seat);
    s->tokens[seat] = 0;
    if ((s->alive & (s->alive - 1)) == 0 && s->phase != SANTORINI_OVER)
        table_win(s, cell_first(s->alive), SANTORINI_BY_LAST); /* R11 */
}

/* R12: who has no builder left has lost. */
static void bare_seats_out(struct santorini *s) {
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if ((s->builder[seat][0] & s->builder[seat][1]) == SANTORINI_NOWHERE && santorini_is_alive(s, seat))
            seat_out(s, seat);
}

static void step_move(struct santorini *s, unsigned builder, unsigned to) {
    const struct santorini_row *row = turn_row(s);
    unsigned from = santorini_cell(s, builder);
    unsigned low = santorini_height(s, from), high = santorini_height(s, to);
    if (row->displaces != NULL && cell_is_in(to, cells_occupied(s)))
        row->displaces(s, from, to);
    if (s->led_seat != SANTORINI_NOBODY)
        s->builder[s->led_seat][s->led_builder] = (uint8_t)to;
    else
        s->builder[s->mover][builder] = (uint8_t)to;
    s->actor = (uint8_t)builder;
    s->moves++;
    s->moved |= (uint8_t)(1u << builder);
    s->went_up |= high > low;
    s->changed_level |= high != low;
    bool is_climb = high == SANTORINI_HEIGHT_MAX && low < high; /* R8 */
    if ((is_climb || (row->wins != NULL && row->wins(s, builder, from, to))) && move_may_win(s, to)) {
        table_win(s, s->mover, is_climb ? SANTORINI_BY_CLIMB : SANTORINI_BY_POWER);
        return;
    }
    if (row->arrives != NULL) {
        row->arrives(s, from, to);
        bare_seats_out(s);
    }
}

/* R36: somebody has five towers to win with. Not while an opponent's builder is led (R38). */
static void towers_count(struct santorini *s) {
    if (s->led_seat != SANTORINI_NOBODY || santorini_towers(s) < SANTORINI_TOWERS_TO_WIN)
        return;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (s->phase != SANTORINI_OVER && row_of(s, seat)->wins_with_towers)
            table_win(s, seat, SANTORINI_BY_POWER);
}

static void step_build(struct santorini *s, unsigned builder, unsigned cell, bool is_dome) {
    const struct santorini_row *row = turn_row(s);
    unsigned height = santorini_height(s, cell);
    if (is_dome) {
        s->dome |= CELL_BIT(cell);
        s->has_domed = 1;
        /* R38: the god of the mover leads, also while he leads already. */
        s->tower_due |= height == SANTORINI_HEIGHT_MAX && row_of(s, s->mover)->leads;
    } else
        s->block[height] |= CELL_BIT(cell);
    if (s->actor == SANTORINI_NOBODY || row->roams)
        s->actor = (uint8_t)builder;
    if (row->builds_early && s->moves == 0)
        s->early++;
    else {
        s->first_built = s->builds == 0 ? (uint8_t)cell : s->first_built;
        s->builds++;
    }
    if (row->built != NULL)
        row->built(s);
    if (is_dome)
        towers_count(s);
}

static void step_force(struct santorini *s, unsigned builder, unsigned other) {
    unsigned cell = santorini_cell(s, builder), number, seat = santorini_owner(s, other, &number);
    s->builder[seat][number] = (uint8_t)(2 * cell - other); /* straight across, and on the board */
    s->actor = (uint8_t)builder;
    s->has_forced = 1;
}

static void step_remove(struct santorini *s, unsigned cell) {
    s->block[santorini_height(s, cell) - 1] &= ~CELL_BIT(cell);
    s->has_removed = 1;
}

struct roam;
static bool completes(const struct santorini *, struct roam *);

/* After a move on a copy: won, and nobody demands that the moves end elsewhere; or still to be completed. */
static bool move_completes(const struct santorini *after, struct roam *roam) {
    return after->phase == SANTORINI_OVER ? turn_may_stop(after) : completes(after, roam);
}

/* Where the builders of a god that roams can stand in the course of one turn. Several moves by which a
 * builder begins to walk can be looked at with the same one: nobody has to look again where it was in vain.
 */
struct roam {
    struct {
        uint8_t cell[SANTORINI_BUILDERS], went_up, moves;
    } queue[SANTORINI_CELLS * SANTORINI_CELLS * 2];
    size_t head, tail;
    cell_set seen[SANTORINI_CELLS + 1][2]; /* by cell of the first builder and went_up: cells of the second */
};

static unsigned roam_index(unsigned cell) {
    return cell == SANTORINI_NOWHERE ? SANTORINI_CELLS : cell;
}

static void roam_add(struct roam *r, const struct santorini *s) {
    const uint8_t *cell = s->builder[s->mover];
    cell_set *seen = &r->seen[roam_index(cell[0])][s->went_up], bit = CELL_BIT(roam_index(cell[1]));
    if (*seen & bit)
        return;
    *seen |= bit;
    r->queue[r->tail].cell[0] = cell[0];
    r->queue[r->tail].cell[1] = cell[1];
    r->queue[r->tail].went_up = s->went_up;
    r->queue[r->tail++].moves = s->moves;
}

/* Whether a move leads where the turn has been, and does not win by climbing. */
static bool roam_knows(const struct roam *r, const struct santorini *s, unsigned builder, unsigned to) {
    unsigned low = santorini_height(s, s->builder[s->mover][builder]), high = santorini_height(s, to);
    unsigned first = builder == 0 ? to : s->builder[s->mover][0];
    unsigned second = builder == 1 ? to : s->builder[s->mover][1];
    return high < SANTORINI_HEIGHT_MAX &&
           cell_is_in(roam_index(second), r->seen[roam_index(first)][s->went_up | (high > low)]);
}

/* The turn at a place of the queue. That a builder has moved shows in its cell, except when it came back;
 * then the gods that ask are content with where it is. */
static struct santorini roam_take(struct roam *r, const struct santorini *s) {
    struct santorini now = *s;
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
        now.builder[now.mover][b] = r->queue[r->head].cell[b];
        now.moved |= (uint8_t)((now.builder[now.mover][b] != now.start[b]) << b);
    }
    now.went_up = r->queue[r->head].went_up;
    now.moves = r->queue[r->head++].moves;
    return now;
}

static bool steps_finish(const struct santorini *s, const struct santorini_steps *steps) {
    bool can_build = false;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        can_build = can_build || (steps->block[b] | steps->dome[b]) != 0;
    return steps->can_end || (can_build && !(turn_row(s)->builds_early && s->moves == 0));
}

/* Whether the turn can be completed by a move of which that is known, the first one or another. */
static bool can_move_surely(const struct look *l) {
    if (l->s->builds > 0)
        return false;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if (turn_has_hand(l->s, b) && may_move(l, b) &&
            (move_cells(l, b, santorini_cell(l->s, b)) & moves_sure(l, b)) != 0)
            return true;
    return false;
}

static void roam_forget(struct roam *r) {
    memset(r->seen, 0, sizeof r->seen);
}

/* R20: by breadth, so that it takes the fewest moves to the place where the turn can end. */
static bool roam_search(struct roam *r, const struct santorini *s) {
    r->head = r->tail = 0;
    roam_add(r, s);
    while (r->head < r->tail) {
        struct santorini now = roam_take(r, s);
        struct santorini_steps steps;
        struct look l;
        look_at(&l, &now);
        if (can_move_surely(&l))
            return true;
        look_steps(&l, &steps);
        if (steps_finish(&now, &steps))
            return true;
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
            EACH_CELL(to, steps.move[b]) {
                if (roam_knows(r, &now, b, to))
                    continue;
                struct santorini next = now;
                step_move(&next, b, to);
                if (next.phase == SANTORINI_OVER && turn_may_stop(&next))
                    return true;
                if (next.phase != SANTORINI_OVER)
                    roam_add(r, &next);
            }
    }
    return false;
}

/* What was looked at before is worth something as long as the moves are not about to run out. Apart from them
 * the way does not matter: who stays on the level but for the first move comes nowhere where others come that
 * have changed it. */
static bool roam_completes(const struct santorini *s, struct roam *before) {
    struct roam r;
    bool is_shared = before != NULL && s->moves < SANTORINI_MOVES_MAX / 4;
    if (!is_shared)
        roam_forget(&r);
    bool is = roam_search(is_shared ? before : &r, s);
    if (is && is_shared)
        roam_forget(before);
    return is;
}

static bool move_leads_on(const struct santorini *s, unsigned builder, unsigned to, struct roam *roam) {
    struct santorini next = *s;
    step_move(&next, builder, to);
    return move_completes(&next, roam);
}

static bool any_move_completes(const struct look *l, const struct santorini_steps *steps) {
    struct roam roam;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        cell_set cells = steps->move[b] != 0 ? steps->move[b] & ~moves_vain(l, b) : 0;
        if (cells != 0)
            roam_forget(&roam);
        EACH_CELL(to, cells)
        if (move_leads_on(l->s, b, to, &roam))
            return true;
    }
    return false;
}

static bool build_completes(const struct santorini *s, unsigned builder, unsigned cell, bool is_dome) {
    struct santorini next = *s;
    step_build(&next, builder, cell, is_dome);
    return next.phase == SANTORINI_OVER || completes(&next, NULL);
}

static bool force_completes(const struct santorini *s, unsigned builder, unsigned other) {
    struct santorini next = *s;
    step_force(&next, builder, other);
    return completes(&next, NULL);
}

/* The usual case of what follows, without a look at all the rest: a move after which there is something to
 * build on. */
static bool move_can_build(const struct look *l) {
    struct santorini_sites sites;
    if (l->s->moves == 0 || l->s->builds > 0)
        return false;
    build_sites(l, l->s->actor, &sites);
    return (sites.block | sites.dome) != 0;
}

/* R9: whether the turn so far is one, or can become one. */
static bool look_completes(const struct look *l, struct roam *roam) {
    const struct santorini *s = l->s;
    struct santorini_steps steps;
    if (move_can_build(l) || can_move_surely(l))
        return true;
    look_steps(l, &steps);
    if (steps_finish(s, &steps))
        return true;
    if (l->own->roams && s->moves > 0)
        return roam_completes(s, roam);
    if (any_move_completes(l, &steps))
        return true;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        EACH_CELL(cell, steps.block[b]) if (build_completes(s, b, cell, false)) return true;
        EACH_CELL(cell, steps.dome[b]) if (build_completes(s, b, cell, true)) return true;
        EACH_CELL(cell, steps.force[b]) if (force_completes(s, b, cell)) return true;
    }
    return false;
}

static bool completes(const struct santorini *s, struct roam *roam) {
    struct look l;
    look_at(&l, s);
    return look_completes(&l, roam);
}

/* R46: whether some complete turn moves up. It is no such turn when the god that demands it is put out by a
 * move on the level. */
static bool can_rise(const struct santorini *s) {
    struct santorini sought = *s;
    sought.must_rise = RISE_SOUGHT;
    return completes(&sought, NULL);
}

/* What the gods of others make of the turn that begins now. */
static void others_watch(struct santorini *s, const struct look *l) {
    bool is_risen = false;
    for (unsigned i = 0; i < l->other_count; i++) {
        if (l->other[i]->watches != NULL)
            l->other[i]->watches(s, l->seat[i]);
        is_risen = is_risen || l->other[i]->demands_rise;
    }
    /* Only what some complete turn can do is demanded; so this is asked last. */
    s->must_rise = is_risen && can_rise(s);
}

static void turn_clear(struct santorini *s) {
    s->actor = s->led_seat = s->led_builder = SANTORINI_NOBODY;
    s->moves = s->builds = s->early = s->moved = s->went_up = s->changed_level = 0;
    s->has_forced = s->has_removed = s->tower_due = s->is_choosing = 0;
    s->first_built = SANTORINI_NOWHERE;
    s->pinned = s->charmed = s->must_rise = 0;
    memset(s->start, SANTORINI_NOWHERE, sizeof s->start);
}

/* A turn with an opponent's builder (R38). */
static void lead_begin(struct santorini *s, unsigned cell) {
    unsigned builder, seat = santorini_owner(s, cell, &builder);
    turn_clear(s);
    s->led_seat = (uint8_t)seat;
    s->led_builder = (uint8_t)builder;
    s->start[SANTORINI_BORROWED] = (uint8_t)cell;
    struct look l;
    look_at(&l, s);
    others_watch(s, &l);
}

static cell_set lead_cells(const struct santorini *s) {
    cell_set cells = 0;
    EACH_CELL(cell, cells_occupied(s) & ~cells_of(s, s->mover)) {
        struct santorini next = *s;
        lead_begin(&next, cell);
        cells |= completes(&next, NULL) ? CELL_BIT(cell) : 0;
    }
    return cells;
}

unsigned seat_after(const struct santorini *s, unsigned seat) {
    unsigned place = 0;
    while (s->order[place] != seat)
        place++;
    do
        place = place + 1 == s->seat_count ? 0 : place + 1;
    while (!santorini_is_alive(s, s->order[place]));
    return s->order[place];
}

/* True when the seat can play. */
static bool turn_open(struct santorini *s, unsigned seat) {
    turn_clear(s);
    s->phase = SANTORINI_TURN;
    s->mover = (uint8_t)seat;
    s->has_domed = 0;
    s->turns++;
    s->climbed &= (uint8_t) ~(1u << seat); /* R23: until her next turn */
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        s->start[b] = s->builder[seat][b];
    const struct santorini_row *card = &santorini_rows[s->card[seat]];
    if (card->steals != NULL)
        card->steals(s);
    struct look l;
    look_at(&l, s);
    if (l.own->begins != NULL)
        l.own->begins(s);
    towers_count(s);
    if (s->phase == SANTORINI_OVER)
        return true;
    others_watch(s, &l);
    return look_completes(&l, NULL);
}

void turn_begin(struct santorini *s, unsigned seat) {
    for (;;) {
        if (s->turns == SANTORINI_TURNS_MAX) { /* R17 */
            table_win(s, SANTORINI_NOBODY, SANTORINI_BY_LENGTH);
            return;
        }
        if (turn_open(s, seat))
            return;
        unsigned next = seat_after(s, seat);
        seat_out(s, seat); /* R10 */
        if (s->phase == SANTORINI_OVER)
            return;
        seat = next;
    }
}

void turn_next(struct santorini *s) {
    turn_begin(s, seat_after(s, s->mover));
}

/* R34: Chaos draws after a turn with a dome in it. */
static bool draw_is_due(const struct santorini *s) {
    for (unsigned seat = 0; s->has_domed && seat < s->seat_count; seat++)
        if (s->card[seat] == GOD_CHAOS && santorini_is_alive(s, seat))
            return true;
    return false;
}

void turn_pass(struct santorini *s) {
    if (draw_is_due(s))
        s->phase = SANTORINI_DRAW;
    else
        turn_next(s);
}

static void santorini_turn_end(struct santorini *s) {
    const struct santorini_row *row = turn_row(s);
    if (s->led_seat == SANTORINI_NOBODY && !s->is_choosing) {
        s->climbed |= (uint8_t)(s->went_up << s->mover);
        if (row->ends != NULL)
            row->ends(s);
        bare_seats_out(s);
    }
    if (s->phase == SANTORINI_OVER)
        return;
    bool is_due = s->tower_due && !s->is_choosing;
    turn_clear(s);
    if (is_due && lead_cells(s) != 0)
        s->is_choosing = 1;
    else
        turn_pass(s);
}

/* Whether nothing is missing after a build now; otherwise it comes before the move. */
static bool is_last_build(const struct look *l) {
    return l->s->moves > 0 || !l->own->builds_early;
}

/* Whether a raw step of one kind leads to a complete turn; of a build, one before the move. */
static bool raw_completes(const struct santorini *s, enum santorini_kind kind, unsigned builder,
                          unsigned cell, struct roam *roam) {
    switch (kind) {
    case SANTORINI_ACT_MOVE: return move_leads_on(s, builder, cell, roam);
    case SANTORINI_ACT_FORCE: return force_completes(s, builder, cell);
    default: return build_completes(s, builder, cell, kind == SANTORINI_ACT_DOME);
    }
}

/* Of raw steps of one kind those that lead to a complete turn. */
static cell_set raw_try(const struct santorini *s, enum santorini_kind kind, unsigned builder, cell_set raw) {
    struct roam roam;
    cell_set cells = 0;
    roam_forget(&roam);
    EACH_CELL(cell, raw)
    cells |= raw_completes(s, kind, builder, cell, &roam) ? CELL_BIT(cell) : 0;
    return cells;
}

/* The same where it is known of some of them that they do. */
static inline cell_set raw_filter(const struct santorini *s, enum santorini_kind kind, unsigned builder,
                                  cell_set raw, cell_set sure) {
    return (raw & ~sure) == 0 ? raw : (raw & sure) | raw_try(s, kind, builder, raw & ~sure);
}

/* Cells such that a build on one of them before the move surely leads to a complete turn: such a build
 * changes nothing for moves to other cells, as long as nobody else has a word. */
static cell_set builds_sure(const struct santorini *s, unsigned builder) {
    struct santorini next = *s;
    next.actor = (uint8_t)builder;
    next.early++;
    struct look l;
    look_at(&l, &next);
    if (l.other_count > 0 || !may_move(&l, builder))
        return 0;
    cell_set moves = move_cells(&l, builder, santorini_cell(s, builder)) & moves_sure(&l, builder);
    return moves == 0 ? 0 : (moves & (moves - 1)) != 0 ? CELLS_ALL : ~moves;
}

/* The raw steps of a builder, less those that lead nowhere. */
static inline void hand_filter(const struct look *l, unsigned b, struct santorini_steps *out) {
    if (out->move[b] != 0)
        out->move[b] =
            raw_filter(l->s, SANTORINI_ACT_MOVE, b, out->move[b] & ~moves_vain(l, b), moves_sure(l, b));
    if (out->force[b] != 0)
        out->force[b] = raw_filter(l->s, SANTORINI_ACT_FORCE, b, out->force[b], 0);
    if (is_last_build(l) || (out->block[b] | out->dome[b]) == 0)
        return;
    cell_set sure = builds_sure(l->s, b);
    out->block[b] = raw_filter(l->s, SANTORINI_ACT_BUILD, b, out->block[b], sure);
    out->dome[b] = raw_filter(l->s, SANTORINI_ACT_DOME, b, out->dome[b], sure);
}

void santorini_steps(const struct santorini *s, struct santorini_steps *out) {
    if (s->phase != SANTORINI_TURN || s->is_choosing) {
        *out = (struct santorini_steps){0};
        out->can_end = s->phase == SANTORINI_TURN;
        out->borrow = s->phase == SANTORINI_TURN ? lead_cells(s) : 0;
        return;
    }
    struct look l;
    look_at(&l, s);
    look_steps(&l, out);
    if (s->led_seat != SANTORINI_NOBODY)
        hand_filter(&l, SANTORINI_BORROWED, out);
    else {
        hand_filter(&l, 0, out);
        hand_filter(&l, 1, out);
    }
}

bool turn_allows(const struct santorini *s, const struct action *action) {
    unsigned first = action->arg[0], second = action->arg[1];
    struct santorini_steps raw = {0};
    if (s->is_choosing)
        return action->kind == SANTORINI_ACT_END ||
               (action->kind == SANTORINI_ACT_BORROW && cell_is_in(first, lead_cells(s)));
    struct look l;
    look_at(&l, s);
    look_steps(&l, &raw);
    const cell_set *hands = action->kind == SANTORINI_ACT_MOVE    ? raw.move
                            : action->kind == SANTORINI_ACT_BUILD ? raw.block
                            : action->kind == SANTORINI_ACT_DOME  ? raw.dome
                                                                  : raw.force;
    switch (action->kind) {
    case SANTORINI_ACT_END: return raw.can_end;
    case SANTORINI_ACT_REMOVE: return cell_is_in(first, raw.remove);
    case SANTORINI_ACT_BORROW: return false;
    case SANTORINI_ACT_BUILD:
    case SANTORINI_ACT_DOME:
        if (is_last_build(&l))
            return cell_is_in(second, hands[first]);
        break;
    default: break;
    }
    return cell_is_in(second, hands[first]) &&
           raw_completes(s, (enum santorini_kind)action->kind, first, second, NULL);
}

bool turn_is_possible(const struct santorini *s) {
    return s->is_choosing || completes(s, NULL);
}

void santorini_idle_steps(const struct santorini *s, unsigned builder, cell_set *move, cell_set *block,
                          cell_set *dome) {
    struct santorini other = *s;
    struct santorini_sites sites = {0};
    *move = *block = *dome = 0;
    if (s->phase != SANTORINI_TURN || builder >= SANTORINI_HANDS ||
        santorini_cell(s, builder) == SANTORINI_NOWHERE)
        return;
    if (s->actor != SANTORINI_NOBODY) { /* it takes the place of the one that acts */
        other.actor = (uint8_t)builder;
        other.start[builder] = s->start[s->actor];
    }
    struct look l;
    look_at(&l, &other);
    *move = may_move(&l, builder) ? move_cells(&l, builder, santorini_cell(&other, builder)) : 0;
    build_sites(&l, builder, &sites);
    *block = sites.block;
    *dome = sites.dome;
}

static bool is_empty(const struct santorini_steps *steps) {
    cell_set any = steps->remove | steps->borrow;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        any |= steps->move[b] | steps->block[b] | steps->dome[b] | steps->force[b];
    return any == 0;
}

/* Whether nobody with this god has anything to do after a build but to end the turn. */
static bool ends_with_build(const struct santorini_row *row) {
    return has_one_hand(row) && row->removes == NULL && row->may_end == NULL;
}

/* Whether nothing is left of the turn but its end. */
static bool is_only_end(const struct santorini *s) {
    const struct santorini_row *row = turn_row(s);
    struct santorini_steps steps;
    if (!s->is_choosing) {
        if (!may_end(s, row))
            return false; /* R9: then there is a step that leads on */
        if (ends_with_build(row))
            return true;
        turn_steps_raw(s, &steps);
        if (is_empty(&steps))
            return true;
    }
    santorini_steps(s, &steps);
    return is_empty(&steps);
}

void turn_resume(struct santorini *s) {
    if (is_only_end(s))
        santorini_turn_end(s);
}

void turn_play(struct santorini *s, const struct action *action) {
    const uint8_t *arg = action->arg;
    switch (action->kind) {
    case SANTORINI_ACT_MOVE: step_move(s, arg[0], arg[1]); break;
    case SANTORINI_ACT_BUILD: step_build(s, arg[0], arg[1], false); break;
    case SANTORINI_ACT_DOME: step_build(s, arg[0], arg[1], true); break;
    case SANTORINI_ACT_FORCE: step_force(s, arg[0], arg[1]); break;
    case SANTORINI_ACT_REMOVE: step_remove(s, arg[0]); break;
    case SANTORINI_ACT_BORROW: lead_begin(s, arg[0]); return;
    default: santorini_turn_end(s); return;
    }
    if (s->phase != SANTORINI_OVER)
        turn_resume(s);
}

/* Whether a turn begins that is a move and a build and nothing else, as far as the mover is concerned. */
static bool is_ordinary(const struct santorini *s) {
    bool is_begun = s->moves > 0 || s->is_choosing || s->led_seat != SANTORINI_NOBODY;
    return !is_begun && !has_demands(s) && ends_with_build(turn_row(s));
}

/* The moves of a builder in such a turn. */
static inline cell_set ordinary_moves(const struct look *l, unsigned builder) {
    unsigned from = santorini_cell(l->s, builder);
    if (from == SANTORINI_NOWHERE)
        return 0;
    return raw_filter(l->s, SANTORINI_ACT_MOVE, builder, move_cells(l, builder, from),
                      moves_sure(l, builder));
}

/* In the order in which legal lists them: the moves of the first builder before those of the second, blocks
 * before domes. */
unsigned turn_play_random(struct santorini *s, struct rng *rng) {
    struct santorini_sites sites;
    if (!is_ordinary(s))
        return 0;
    struct look l;
    look_at(&l, s);
    if (l.other_count > 0)
        return 0;
    cell_set first = ordinary_moves(&l, 0), second = ordinary_moves(&l, 1);
    unsigned count = cells_count(first);
    uint32_t n = rng_below(rng, count + cells_count(second));
    unsigned builder = n >= count;
    step_move(s, builder, cell_nth(builder ? second : first, builder ? n - count : n));
    if (s->phase == SANTORINI_OVER)
        return 1;
    l.occupied = cells_occupied(s); /* nothing else that was looked up can have changed */
    build_sites(&l, builder, &sites);
    count = cells_count(sites.block);
    n = rng_below(rng, count + cells_count(sites.dome));
    bool is_dome = n >= count;
    step_build(s, builder, cell_nth(is_dome ? sites.dome : sites.block, is_dome ? n - count : n), is_dome);
    if (s->phase != SANTORINI_OVER)
        turn_resume(s);
    return 2;
}
