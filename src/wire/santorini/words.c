/* Clients that know only the words of the document: MOVE, BUILD and END, and a turn that goes on with the
 * builder that has acted. What is offered to them is what they can answer; what is left is done for them. */
#include "wire/santorini/dialect.h"

static bool knows(unsigned words, enum santorini_step step) {
    return words >> step & 1;
}

static bool can_build(const struct santorini_steps *steps, unsigned builder) {
    return (steps->block[builder] | steps->dome[builder]) != 0;
}

/* The builder that the client goes on with, or SANTORINI_NOBODY. Whom the server let Charon force has not
 * acted for it. */
static unsigned bound_builder(const struct santorini *s, unsigned words) {
    bool has_acted = s->moves + s->builds + s->early > 0;
    return words == 0 && has_acted && s->actor < SANTORINI_BUILDERS ? s->actor : SANTORINI_NOBODY;
}

/* R47, R48: the other builder's cells stand for those of the one that the client is bound to, when that one
 * has none. A move of the other one (R27) is offered only when nothing else is left. */
static void steps_bind(struct santorini_steps *steps, unsigned own) {
    unsigned other = own ^ 1;
    if (!can_build(steps, own)) {
        steps->block[own] = steps->block[other];
        steps->dome[own] = steps->dome[other];
    }
    if (steps->move[own] == 0 && (can_build(steps, own) || steps->can_end))
        steps->move[other] = 0;
}

void santorini_offered(const struct santorini *s, unsigned words, struct santorini_steps *out) {
    unsigned own = bound_builder(s, words);
    santorini_steps(s, out);
    if (!knows(words, SANTORINI_STEP_FORCE))
        memset(out->force, 0, sizeof out->force);
    if (!knows(words, SANTORINI_STEP_REMOVE))
        out->remove = 0;
    if (!knows(words, SANTORINI_STEP_BORROW))
        out->borrow = 0;
    if (own != SANTORINI_NOBODY)
        steps_bind(out, own);
}

/* The first step of a list by builders that is not empty. */
static bool santorini_words_first_step(const cell_set cells[SANTORINI_HANDS], enum santorini_kind kind,
                                       struct action *out) {
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if (cells[b] != 0) {
            *out = santorini_action(kind, b, (unsigned)__builtin_ctz(cells[b]));
            return true;
        }
    return false;
}

bool santorini_speaks_for(const struct santorini *s, unsigned words, struct action *out) {
    struct santorini_steps steps;
    if (s->phase != SANTORINI_TURN)
        return false;
    santorini_offered(s, words, &steps);
    bool is_led = s->led_seat != SANTORINI_NOBODY && !knows(words, SANTORINI_STEP_BORROW);
    if (!is_led && (santorini_open_steps(&steps) & ~(1u << SANTORINI_STEP_END)) != 0)
        return false;
    *out = santorini_action(SANTORINI_ACT_END, 0, 0);
    if (steps.can_end)
        return true;
    santorini_steps(s, &steps);
    return santorini_words_first_step(steps.force, SANTORINI_ACT_FORCE, out) ||
           santorini_words_first_step(steps.move, SANTORINI_ACT_MOVE, out) ||
           santorini_words_first_step(steps.block, SANTORINI_ACT_BUILD, out) ||
           santorini_words_first_step(steps.dome, SANTORINI_ACT_DOME, out);
}

void santorini_request_bind(const struct santorini *s, unsigned words, struct santorini_request *r) {
    unsigned own = bound_builder(s, words), other = own ^ 1;
    struct santorini_steps steps;
    if (own == SANTORINI_NOBODY || r->type != SANTORINI_BUILD || r->src != santorini_cell(s, own))
        return;
    santorini_steps(s, &steps);
    if (!can_build(&steps, own) && can_build(&steps, other))
        r->src = (uint8_t)santorini_cell(s, other);
}
