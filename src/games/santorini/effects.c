/* What an action has done, found by comparing the states before and after it: so nothing that a power does
 * can be forgotten here, whatever the power is. */
#include "games/santorini/internal.h"

#include <assert.h>

struct effects {
    struct santorini_effect *out;
    size_t count;
};

static struct santorini_effect *effect_add(struct effects *e, enum santorini_effect_kind kind) {
    assert(e->count < SANTORINI_EFFECTS_MAX);
    e->out[e->count] = (struct santorini_effect){.kind = kind,
                                                 .seat = SANTORINI_NOBODY,
                                                 .builder = SANTORINI_NOBODY,
                                                 .from = SANTORINI_NOWHERE,
                                                 .to = SANTORINI_NOWHERE};
    return &e->out[e->count++];
}

/* Whether the action is the move of this very builder. */
static bool is_mover(const struct santorini *before, const struct action *action, unsigned seat,
                     unsigned builder) {
    if (action == NULL || action->kind != SANTORINI_ACT_MOVE)
        return false;
    return action->arg[0] == SANTORINI_BORROWED ? seat == before->led_seat && builder == before->led_builder
                                                : seat == before->mover && builder == action->arg[0];
}

/* Displaced builders first, then the one that moved, then those that are gone. */
static void builders_compare(struct effects *e, const struct santorini *before, const struct action *action,
                             const struct santorini *after, enum santorini_effect_kind kind) {
    for (unsigned seat = 0; seat < before->seat_count; seat++)
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
            unsigned from = before->builder[seat][b], to = after->builder[seat][b];
            enum santorini_effect_kind is = to == SANTORINI_NOWHERE             ? EFFECT_GONE
                                            : is_mover(before, action, seat, b) ? EFFECT_MOVED
                                                                                : EFFECT_FORCED;
            if (from == to || is != kind)
                continue;
            struct santorini_effect *effect = effect_add(e, kind);
            effect->seat = (uint8_t)seat;
            effect->builder = (uint8_t)b;
            effect->from = (uint8_t)from;
            effect->to = (uint8_t)to;
        }
}

static void board_compare(struct effects *e, const struct santorini *before, const struct santorini *after) {
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++) {
        unsigned low = santorini_height(before, cell), high = santorini_height(after, cell);
        bool has_new_dome = cell_is_in(cell, after->dome & ~before->dome);
        if (low == high && !has_new_dome)
            continue;
        struct santorini_effect *effect = effect_add(e, has_new_dome ? EFFECT_DOME
                                                        : high > low ? EFFECT_BLOCK
                                                                     : EFFECT_BLOCK_GONE);
        effect->to = (uint8_t)cell;
        effect->is_under = !has_new_dome && cell_is_in(cell, santorini_occupied(after));
    }
}

static void seats_compare(struct effects *e, const struct santorini *before, const struct santorini *after) {
    for (unsigned seat = 0; seat < before->seat_count; seat++)
        if (santorini_is_alive(after, seat) &&
            santorini_power(before, seat) != santorini_power(after, seat)) {
            struct santorini_effect *effect = effect_add(e, EFFECT_POWER);
            effect->seat = (uint8_t)seat;
            effect->god = (uint8_t)santorini_power(after, seat);
        }
    for (unsigned seat = 0; seat < before->seat_count; seat++)
        if (santorini_is_alive(before, seat) && !santorini_is_alive(after, seat))
            effect_add(e, EFFECT_OUT)->seat = (uint8_t)seat;
}

size_t santorini_effects(const struct santorini *before, const struct action *action,
                         const struct santorini *after, struct santorini_effect out[SANTORINI_EFFECTS_MAX]) {
    struct effects e = {out, 0};
    builders_compare(&e, before, action, after, EFFECT_FORCED);
    builders_compare(&e, before, action, after, EFFECT_MOVED);
    builders_compare(&e, before, action, after, EFFECT_GONE);
    board_compare(&e, before, after);
    seats_compare(&e, before, after);
    if (after->phase == SANTORINI_TURN && after->turns != before->turns)
        effect_add(&e, EFFECT_TURN)->seat = after->mover;
    if (after->phase == SANTORINI_OVER && before->phase != SANTORINI_OVER)
        effect_add(&e, EFFECT_OVER)->seat = after->winner;
    return e.count;
}
