/* What a seat of Treasure Hunt may know: views, worlds that agree with them, and what a protocol shows. */
#include "games/treasure_hunt/treasure_hunt.h"

#include <assert.h>

static bool treasure_is_field(unsigned field) {
    return field < TREASURE_FIELDS;
}

static void hide(uint8_t *field) {
    if (*field != TREASURE_NONE)
        *field = TREASURE_HIDDEN;
}

/* R24, R25: the position of a seat is known to the other after eight actions of its own, and then to all. */
static bool is_position_known(const struct treasure_hunt *h, unsigned seat, unsigned viewer) {
    return seat == viewer || h->seat[seat ^ 1].actions >= TREASURE_FAKED_ACTIONS;
}

/* R25: what only the seat itself knows. */
static void redact_own(struct treasure_hunt *h, unsigned seat) {
    struct treasure_seat *s = &h->seat[seat];
    s->direction = s->progress = 0;
    hide(&s->fake);
    hide(&s->first_seen);
    s->first_seen_moves = 0;
    memset(s->seen, 0, sizeof s->seen);
}

/* R21, R25; terrain is never blank (R3). */
void treasure_redact_state(struct game_state *state, unsigned viewer) {
    struct treasure_hunt *h = (struct treasure_hunt *)state;
    if (h->phase == TREASURE_OVER)
        return;
    const uint8_t *seen = viewer < TREASURE_SEATS ? h->seat[viewer].seen : NULL;
    if (viewer != h->mover)
        memset(h->fort_set, 0, sizeof h->fort_set);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        struct treasure_seat *s = &h->seat[seat];
        if (seat != viewer &&
            !(seen != NULL && treasure_is_field(s->fort) && treasure_set_has(seen, s->fort)))
            hide(&s->fort);
        if (seat != viewer || !(treasure_is_field(s->treasure) && treasure_set_has(seen, s->treasure)))
            hide(&s->treasure);
        if (!is_position_known(h, seat, viewer))
            hide(&s->position);
        if (seat != viewer)
            redact_own(h, seat);
    }
}

/* The seat for which chance draws a half now. */
static unsigned half_seat(const struct treasure_hunt *h) {
    return h->seat[0].kind == TREASURE_SEED && !h->seat[0].has_half ? 0 : 1;
}

/* R25: neither the fort nor those of which one is drawn. */
static void redact_half(struct action *action) {
    enum { FORT_ARG = 13 };
    struct treasure_half half;
    if (treasure_half_of_action(action, &half)) {
        memset(half.is_fort, 0, sizeof half.is_fort);
        *action = treasure_half_action(&half);
    }
    action->arg[FORT_ARG] = TREASURE_HIDDEN;
}

/* R25 */
void treasure_redact_action(const struct game_state *state, unsigned actor, struct action *action,
                            unsigned viewer) {
    switch (action->kind) {
    case TREASURE_HALF:
        if ((actor == SEAT_CHANCE ? half_seat(treasure_of(state)) : actor) != viewer)
            redact_half(action);
        break;
    case TREASURE_FORT:
        if (viewer != treasure_of(state)->mover)
            action->arg[0] = TREASURE_HIDDEN;
        break;
    case TREASURE_HIDE: action->arg[0] = action->arg[1] = TREASURE_HIDDEN; break;
    case TREASURE_MOVE:
        if (actor != viewer)
            action->arg[0] = TREASURE_HIDDEN;
        break;
    case TREASURE_FAKE:
        for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
            if (seat != viewer)
                hide(&action->arg[seat]);
        break;
    default: break;
    }
}

void treasure_fort_candidates(const struct game_view *view, unsigned viewer, bool out[TREASURE_FIELDS]) {
    const struct treasure_hunt *h = treasure_of_view(view);
    const struct treasure_seat *own = &h->seat[viewer], *other = &h->seat[viewer ^ 1];
    uint8_t cost[TREASURE_FIELDS];
    bool has_first = treasure_is_field(own->first_seen);
    if (has_first)
        treasure_costs(h, own->first_seen, cost);
    for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
        bool is_possible = h->terrain[field] == TREASURE_GRASS && treasure_half_owner(h, field) != viewer &&
                           !treasure_set_has(own->seen, field) &&
                           (!has_first || cost[field] <= own->first_seen_moves);
        out[field] = treasure_is_field(other->fort) ? field == other->fort : is_possible;
    }
}

/* One of the fields, each as likely as the others; there is at least one. */
static unsigned treasure_draw_field(const bool fields[TREASURE_FIELDS], struct rng *rng) {
    unsigned chosen = TREASURE_NONE;
    uint32_t count = 0;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        if (fields[field] && rng_below(rng, ++count) == 0)
            chosen = field;
    assert(treasure_is_field(chosen));
    return chosen;
}

/* Someone with its treasure does not stand in the other's fort (R23): it would have won. */
static bool would_have_won(const struct treasure_hunt *h, unsigned seat, unsigned position, unsigned fort) {
    return h->seat[seat].has_treasure && position == fort;
}

static void imagine_fort(struct treasure_hunt *h, unsigned seat, unsigned viewer, struct rng *rng) {
    bool fields[TREASURE_FIELDS];
    const struct treasure_seat *other = &h->seat[seat ^ 1];
    if (viewer < TREASURE_SEATS)
        treasure_fort_candidates((const struct game_view *)h, viewer, fields);
    else
        for (unsigned field = 0; field < TREASURE_FIELDS; field++)
            fields[field] = h->terrain[field] == TREASURE_GRASS && treasure_half_owner(h, field) == seat &&
                            !would_have_won(h, seat ^ 1, other->position, field);
    h->seat[seat].fort = (uint8_t)treasure_draw_field(fields, rng);
}

/* A walk from the fort that the seat could have made until now. */
static void imagine_walk(struct treasure_hunt *h, unsigned seat, struct rng *rng, bool entered[]) {
    struct treasure_seat *s = &h->seat[seat];
    unsigned left = s->actions, at = s->fort;
    for (;;) {
        int to = treasure_neighbour(h, at, (enum treasure_direction)rng_below(rng, TREASURE_DIRECTIONS));
        if (left == 0)
            break;
        left--; /* also spent on what leads nowhere */
        if (to < 0 || h->terrain[to] < TREASURE_GRASS || treasure_step_cost(h, at, (unsigned)to) > left + 1 ||
            would_have_won(h, seat, (unsigned)to, h->seat[seat ^ 1].fort))
            continue;
        left -= treasure_step_cost(h, at, (unsigned)to) - 1;
        at = (unsigned)to;
        entered[at] = true;
        treasure_sight_add(h, at, s->seen);
    }
    s->position = (uint8_t)at;
}

/* What only the seat itself knows, and its treasure. */
static void imagine_rest(struct treasure_hunt *h, unsigned seat, unsigned viewer, struct rng *rng) {
    struct treasure_seat *s = &h->seat[seat];
    bool entered[TREASURE_FIELDS] = {false}, fields[TREASURE_FIELDS];
    entered[s->fort] = true;
    if (seat != viewer)
        treasure_sight_add(h, s->fort, s->seen);
    if (s->position == TREASURE_HIDDEN)
        imagine_walk(h, seat, rng, entered);
    if (seat != viewer)
        treasure_sight_add(h, s->position, s->seen);
    entered[s->position] = true;
    if (s->fake == TREASURE_HIDDEN)
        s->fake = (uint8_t)rng_below(rng, TREASURE_FIELDS);
    if (s->first_seen == TREASURE_HIDDEN)
        s->first_seen = h->seat[seat ^ 1].fort;
    if (s->treasure != TREASURE_HIDDEN)
        return;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        fields[field] = h->terrain[field] == TREASURE_GRASS && treasure_half_owner(h, field) == seat &&
                        !entered[field] && !(seat == viewer && treasure_set_has(s->seen, field));
    s->treasure = (uint8_t)treasure_draw_field(fields, rng);
}

/* Two forts of the mover's half, of which chance is to draw one (R8). */
static void imagine_fort_set(struct treasure_hunt *h, struct rng *rng) {
    for (unsigned count = 0; count < 2;) {
        unsigned i = rng_below(rng, TREASURE_HALF_FIELDS);
        uint8_t bit = (uint8_t)(1u << i % 8);
        if (h->terrain[treasure_field_of_half(h, h->mover, i)] != TREASURE_GRASS ||
            (h->fort_set[i / 8] & bit) != 0)
            continue;
        h->fort_set[i / 8] |= bit;
        count++;
    }
}

void treasure_imagine(struct game_view *view, unsigned viewer, struct rng *rng) {
    struct treasure_hunt *h = (struct treasure_hunt *)view;
    if (h->phase == TREASURE_OVER)
        return;
    if (h->phase == TREASURE_DRAWING && viewer != h->mover)
        imagine_fort_set(h, rng);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        if (h->seat[seat].fort == TREASURE_HIDDEN)
            imagine_fort(h, seat, viewer, rng);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        if (h->seat[seat].has_half && treasure_is_field(h->seat[seat].fort))
            imagine_rest(h, seat, viewer, rng);
}

/* R25: with the end everything is shown. */
static bool is_last_action(const struct treasure_hunt *h) {
    return h->actions + 1 == h->actions_max;
}

/* R13, R9: whether coming to a field may uncover the own treasure or the fort of the other. */
static bool may_uncover(const struct treasure_hunt *h, unsigned viewer, unsigned to) {
    const struct treasure_seat *own = &h->seat[viewer], *other = &h->seat[viewer ^ 1];
    uint8_t sight[TREASURE_SET_BYTES] = {0};
    treasure_sight_add(h, to, sight);
    for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
        bool is_own = treasure_half_owner(h, field) == viewer;
        if (treasure_set_has(sight, field) && !treasure_set_has(own->seen, field) &&
            h->terrain[field] == TREASURE_GRASS && (is_own ? own->treasure : other->fort) == TREASURE_HIDDEN)
            return true;
    }
    return false;
}

static bool foresee_move(const struct treasure_hunt *h, unsigned viewer, enum treasure_direction direction) {
    const struct treasure_seat *own = &h->seat[viewer];
    unsigned to = (unsigned)treasure_neighbour(h, own->position, direction);
    unsigned spent = own->progress > 0 && own->direction == direction ? own->progress : 0;
    if (own->actions + 1 == TREASURE_FAKED_ACTIONS) /* R24 */
        return false;
    if (spent + 1 < treasure_step_cost(h, own->position, to)) /* R15 */
        return true;
    bool has_treasure = own->has_treasure || own->treasure == to;
    bool is_won = has_treasure && h->seat[viewer ^ 1].fort == to; /* R23 */
    return !is_won && !may_uncover(h, viewer, to);
}

bool treasure_foresee(const struct game_view *view, unsigned viewer, const struct action *action) {
    const struct treasure_hunt *h = treasure_of_view(view);
    if (action->kind == TREASURE_ENTER)
        return true;
    if (is_last_action(h))
        return false;
    return action->kind != TREASURE_MOVE || foresee_move(h, viewer, (enum treasure_direction)action->arg[0]);
}

enum treasure_standing treasure_standing(const struct game_view *view, unsigned seat) {
    const struct treasure_hunt *h = treasure_of_view(view);
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_OVER: return h->winner == seat ? TREASURE_WON : TREASURE_LOST;
    case TREASURE_HALVES:
        if (h->seat[h->mover].has_half || h->seat[h->mover].kind != TREASURE_COURSE)
            return TREASURE_MUST_WAIT;
        return h->mover == seat ? TREASURE_MUST_ACT : TREASURE_MUST_WAIT;
    case TREASURE_MOVING:
    case TREASURE_FAKING: return h->mover == seat ? TREASURE_MUST_ACT : TREASURE_MUST_WAIT;
    default: return TREASURE_MUST_WAIT;
    }
}

enum treasure_kind treasure_kind_of(const struct game_view *view, unsigned seat) {
    return (enum treasure_kind)treasure_of_view(view)->seat[seat].kind;
}

bool treasure_is_collected(const struct game_view *view, unsigned seat) {
    return treasure_of_view(view)->seat[seat].has_treasure != 0;
}

unsigned treasure_fields_known(const struct game_view *view) {
    const struct treasure_hunt *h = treasure_of_view(view);
    return (h->seat[0].has_half + h->seat[1].has_half) * (unsigned)TREASURE_HALF_FIELDS;
}

struct treasure_field treasure_field_seen(const struct game_view *view, unsigned viewer, unsigned field) {
    const struct treasure_hunt *h = treasure_of_view(view);
    const struct treasure_seat *own = &h->seat[viewer], *other = &h->seat[viewer ^ 1];
    bool is_seen = treasure_set_has(own->seen, field);
    unsigned enemy = own->fake == TREASURE_NONE || h->phase == TREASURE_OVER ? other->position : own->fake;
    return (struct treasure_field){
        .x = (uint8_t)(field % treasure_width(h)),
        .y = (uint8_t)(field / treasure_width(h)),
        .terrain = h->terrain[field],
        .has_viewer = own->position == field,
        .has_enemy = enemy == field,
        .has_own_treasure = is_seen && own->treasure == field,
        .has_own_fort = own->fort == field,
        .has_enemy_fort = is_seen && other->fort == field,
    };
}
