/* What clients say means at a table. Reading it is in messages.c, writing in write.c. */
#include "wire/santorini/dialect.h"

/* The number of the builder on a cell that the turn may use. */
static enum err builder_at(const struct santorini *s, unsigned cell, unsigned *out) {
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if (santorini_cell(s, b) == cell) {
            *out = b;
            return ERR_OK;
        }
    return ERR_BUILDER_UNKNOWN;
}

static enum err step_action(const struct santorini *s, const struct santorini_request *r,
                            enum santorini_kind kind, struct action *out) {
    unsigned builder = 0;
    enum err e = builder_at(s, r->src, &builder);
    *out = santorini_action(kind, builder, r->dst);
    return e;
}

static enum err offer_actions(const struct santorini *s, const struct santorini_request *r,
                              struct action *out, size_t *count) {
    unsigned known = 0;
    *count = 0;
    for (unsigned i = 0; i < r->god_count; i++) {
        bool is_known = false;
        for (unsigned k = 0; k < s->offered_count; k++)
            is_known = is_known || s->offered[k] == r->gods[i];
        known += is_known;
        if (!is_known)
            out[(*count)++] = santorini_action(SANTORINI_ACT_OFFER, r->gods[i], 0);
    }
    return known == s->offered_count && r->god_count == s->seat_count ? ERR_OK : ERR_FIELD_INVALID;
}

static enum err start_action(const struct santorini_scene *scene, const struct santorini_request *r,
                             struct action *out) {
    unsigned count = scene->state->seat_count, seat = 0;
    while (seat < count && !span_is(r->name, scene->names[seat]))
        seat++;
    for (unsigned i = 0; i < count && seat == count; i++)
        if (span_is_nocase(span_trim(r->name), scene->names[i]))
            seat = i;
    *out = santorini_action(SANTORINI_ACT_START, seat, 0);
    return seat < count ? ERR_OK : ERR_STARTER_UNKNOWN;
}

enum err santorini_request_actions(const struct santorini_scene *scene, const struct santorini_request *r,
                                   struct action out[SANTORINI_REQUEST_ACTIONS_MAX], size_t *count) {
    const struct santorini *s = scene->state;
    *count = 1;
    switch (r->type) {
    case SANTORINI_SET_GODS: return offer_actions(s, r, out, count);
    case SANTORINI_SET_GOD: out[0] = santorini_action(SANTORINI_ACT_TAKE, r->gods[0], 0); return ERR_OK;
    case SANTORINI_SET_START: return start_action(scene, r, out);
    case SANTORINI_SET_COLOR: out[0] = santorini_action(SANTORINI_ACT_COLOR, r->color, 0); return ERR_OK;
    case SANTORINI_SET_BUILDERS:
        /* A player who placed one of them elsewhere places the other one now. */
        *count = SANTORINI_BUILDERS - santorini_placing(s);
        for (unsigned i = 0; i < *count; i++)
            out[i] = santorini_action(SANTORINI_ACT_PLACE, r->positions[santorini_placing(s) + i], 0);
        return ERR_OK;
    case SANTORINI_SET_STEP:
        *count = r->step == SANTORINI_STEP_END;
        out[0] = santorini_action(SANTORINI_ACT_END, 0, 0);
        return ERR_OK;
    case SANTORINI_MOVE: return step_action(s, r, SANTORINI_ACT_MOVE, out);
    case SANTORINI_BUILD:
        return step_action(s, r, r->is_dome ? SANTORINI_ACT_DOME : SANTORINI_ACT_BUILD, out);
    case SANTORINI_FORCE: return step_action(s, r, SANTORINI_ACT_FORCE, out);
    case SANTORINI_REMOVE: out[0] = santorini_action(SANTORINI_ACT_REMOVE, r->dst, 0); return ERR_OK;
    case SANTORINI_BORROW: out[0] = santorini_action(SANTORINI_ACT_BORROW, r->dst, 0); return ERR_OK;
    default: *count = 0; return ERR_UNKNOWN_TYPE;
    }
}

void santorini_request_of(const struct santorini *s, const struct action *action,
                          struct santorini_request *out) {
    static const enum santorini_request_type types[] = {
        [SANTORINI_ACT_BORN] = SANTORINI_ADD_PLAYER,    [SANTORINI_ACT_OFFER] = SANTORINI_SET_GODS,
        [SANTORINI_ACT_TAKE] = SANTORINI_SET_GOD,       [SANTORINI_ACT_DRAW] = SANTORINI_PONG,
        [SANTORINI_ACT_START] = SANTORINI_SET_START,    [SANTORINI_ACT_COLOR] = SANTORINI_SET_COLOR,
        [SANTORINI_ACT_PLACE] = SANTORINI_SET_BUILDERS, [SANTORINI_ACT_MOVE] = SANTORINI_MOVE,
        [SANTORINI_ACT_BUILD] = SANTORINI_BUILD,        [SANTORINI_ACT_DOME] = SANTORINI_BUILD,
        [SANTORINI_ACT_FORCE] = SANTORINI_FORCE,        [SANTORINI_ACT_REMOVE] = SANTORINI_REMOVE,
        [SANTORINI_ACT_BORROW] = SANTORINI_BORROW,      [SANTORINI_ACT_END] = SANTORINI_SET_STEP,
    };
    const uint8_t *arg = action->arg;
    *out = santorini_request_empty;
    out->type = types[action->kind];
    out->is_dome = action->kind == SANTORINI_ACT_DOME;
    out->step = SANTORINI_STEP_END;
    switch (out->type) {
    case SANTORINI_SET_GOD:
        out->gods[0] = arg[0];
        out->god_count = 1;
        break;
    case SANTORINI_SET_COLOR: out->color = (enum santorini_color)arg[0]; break;
    case SANTORINI_MOVE:
    case SANTORINI_BUILD:
    case SANTORINI_FORCE:
        out->src = (uint8_t)santorini_cell(s, arg[0]);
        out->dst = arg[1];
        break;
    case SANTORINI_REMOVE:
    case SANTORINI_BORROW: out->dst = arg[0]; break;
    default: break;
    }
}

unsigned santorini_open_steps(const struct santorini_steps *steps) {
    unsigned open = 0;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        open |= (steps->move[b] != 0) << SANTORINI_STEP_MOVE;
        open |= ((steps->block[b] | steps->dome[b]) != 0) << SANTORINI_STEP_BUILD;
        open |= (steps->force[b] != 0) << SANTORINI_STEP_FORCE;
    }
    open |= (steps->remove != 0) << SANTORINI_STEP_REMOVE;
    open |= (steps->borrow != 0) << SANTORINI_STEP_BORROW;
    return open | steps->can_end << SANTORINI_STEP_END;
}
