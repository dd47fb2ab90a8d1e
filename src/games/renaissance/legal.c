/* The actions of Masters of Renaissance as lists, and one of them at random. Everything listed is what
 * check.c lets through of the few actions that can be meant. */
#include "games/renaissance/internal.h"

/* A list that is being put together. */
struct list {
    const struct renaissance *r;
    const struct renaissance_seat *s; /* NULL for chance */
    unsigned seat;
    struct action *out;
    size_t count;
};

static void offer(struct list *l, unsigned kind, unsigned a, unsigned b, unsigned c, unsigned d) {
    l->out[l->count] = renaissance_action(kind, a, b, c, d);
    l->count += renaissance_check_turn(l->r, l->seat, &l->out[l->count]) == ERR_OK;
}

static void list_leaders(struct list *l) {
    for (unsigned i = 0; i < l->s->hand_count; i++) {
        offer(l, RENAISSANCE_PLAY, l->s->hand[i], 0, 0, 0);
        offer(l, RENAISSANCE_DISCARD, l->s->hand[i], 0, 0, 0);
    }
}

static void list_pushes(struct list *l) {
    bool has_choice = renaissance_leaders_in_play(l->s, RENAISSANCE_EXCHANGE) == 2;
    for (unsigned line = 0; line < RENAISSANCE_LINES; line++)
        for (unsigned whites = 0; whites <= (has_choice ? RENAISSANCE_COLUMNS : 0); whites++)
            offer(l, RENAISSANCE_PUSH, line, whites, 0, 0);
}

static void list_purchases(struct list *l) {
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
        for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
            offer(l, RENAISSANCE_BUY, pile % RENAISSANCE_COLOURS, 1 + pile / RENAISSANCE_COLOURS, slot, 0);
}

/* When one resource can be gained, all can. */
static void list_gains(struct list *l, struct action action, unsigned arg) {
    action.arg[arg] = 0;
    if (renaissance_check_turn(l->r, l->seat, &action) != ERR_OK)
        return;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        action.arg[arg] = (uint8_t)kind;
        l->out[l->count++] = action;
    }
}

static void list_productions(struct list *l) {
    for (unsigned a = 0; a < RENAISSANCE_KINDS; a++)
        for (unsigned b = a; b < RENAISSANCE_KINDS; b++)
            list_gains(l, renaissance_action(RENAISSANCE_BASE, a, b, 0, 0), 2);
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        offer(l, RENAISSANCE_CARD, slot, 0, 0, 0);
    for (unsigned i = 0; i < RENAISSANCE_LEADERS_KEPT; i++)
        list_gains(l, renaissance_action(RENAISSANCE_LEADER, i, 0, 0, 0), 1);
}

static void list_fills(struct list *l) {
    unsigned capacity = renaissance_depot_capacity(l->s, l->r->depot_next);
    offer(l, RENAISSANCE_FILL, l->r->depot_next, 0, 0, 0);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        for (unsigned count = 1; count <= capacity && count <= l->r->pool[kind]; count++)
            offer(l, RENAISSANCE_FILL, l->r->depot_next, kind, count, 0);
}

static void list_payments(struct list *l) {
    unsigned kind = renaissance_owed_next(l->r), owed = l->r->owed[kind], stock[RENAISSANCE_SOURCES];
    renaissance_stock(l->s, kind, stock);
    for (unsigned base = 0; base <= stock[RENAISSANCE_FROM_BASE] && base <= owed; base++)
        for (unsigned leaders = 0; leaders <= stock[RENAISSANCE_FROM_LEADERS] && base + leaders <= owed;
             leaders++)
            offer(l, RENAISSANCE_PAY, kind, base, leaders, owed - base - leaders);
}

static void list_setup(struct list *l) {
    for (unsigned a = 0; l->s->stage == RENAISSANCE_MUST_KEEP && a < l->s->hand_count; a++)
        for (unsigned b = a + 1; b < l->s->hand_count; b++)
            offer(l, RENAISSANCE_KEEP, l->s->hand[a], l->s->hand[b], 0, 0);
    for (unsigned kind = 0; l->s->stage == RENAISSANCE_MUST_PUT && kind < RENAISSANCE_KINDS; kind++)
        for (unsigned depot = 0; depot < RENAISSANCE_BASE_DEPOTS; depot++)
            offer(l, RENAISSANCE_PUT, kind, depot, 0, 0);
}

static size_t legal_chance(struct list *l) {
    switch ((enum renaissance_phase)l->r->phase) {
    case RENAISSANCE_REVEALING:
        for (unsigned i = 0; i < RENAISSANCE_PILE_CARDS; i++)
            offer(l, RENAISSANCE_REVEAL, renaissance_pile_card(l->r->revealing, i), 0, 0, 0);
        return l->count;
    case RENAISSANCE_TURNING:
        for (unsigned token = 1; token <= RENAISSANCE_TOKENS; token++)
            offer(l, RENAISSANCE_TOKEN, token, 0, 0, 0);
        return l->count;
    default: return LEGAL_UNLISTED;
    }
}

static void list_begin(struct list *l, const struct game_state *state, unsigned seat, struct action *out) {
    const struct renaissance *r = renaissance_of(state);
    *l = (struct list){r, seat < r->seats ? &r->seat[seat] : NULL, seat, out, 0};
}

size_t renaissance_legal(const struct game_state *state, unsigned seat, struct action *out) {
    struct list l;
    if (!game_may_act(&renaissance_game, state, seat))
        return 0;
    list_begin(&l, state, seat, out);
    if (seat == SEAT_CHANCE)
        return legal_chance(&l);
    if (l.s->stage != RENAISSANCE_READY) {
        list_setup(&l);
        return l.count;
    }
    switch ((enum renaissance_phase)l.r->phase) {
    case RENAISSANCE_BEFORE:
        list_leaders(&l);
        list_pushes(&l);
        list_purchases(&l);
        list_productions(&l);
        break;
    case RENAISSANCE_ARRANGING: list_fills(&l); break;
    case RENAISSANCE_CHOOSING:
        list_productions(&l);
        offer(&l, RENAISSANCE_RUN, 0, 0, 0, 0);
        break;
    case RENAISSANCE_PAYING: list_payments(&l); break;
    default: list_leaders(&l); offer(&l, RENAISSANCE_END_TURN, 0, 0, 0, 0);
    }
    return l.count;
}

static void shuffle(uint8_t *bytes, unsigned count, struct rng *rng) {
    for (unsigned i = count; i > 1; i--) {
        unsigned k = rng_below(rng, i);
        uint8_t byte = bytes[k];
        bytes[k] = bytes[i - 1];
        bytes[i - 1] = byte;
    }
}

static void sample_lay(struct rng *rng, struct action *out) {
    static const uint8_t marbles[RENAISSANCE_MARBLES] = {
        RENAISSANCE_WHITE, RENAISSANCE_WHITE,  RENAISSANCE_WHITE,  RENAISSANCE_WHITE,  RENAISSANCE_RED,
        RENAISSANCE_BLUE,  RENAISSANCE_BLUE,   RENAISSANCE_YELLOW, RENAISSANCE_YELLOW, RENAISSANCE_GREY,
        RENAISSANCE_GREY,  RENAISSANCE_PURPLE, RENAISSANCE_PURPLE}; /* R2 */
    out->kind = RENAISSANCE_LAY;
    memcpy(out->arg, marbles, sizeof marbles);
    shuffle(out->arg, RENAISSANCE_MARBLES, rng);
}

static void sample_deal(const struct renaissance *r, struct rng *rng, struct action *out) {
    bool is_dealt[RENAISSANCE_LEADERS + 1] = {false};
    unsigned seat = 0;
    for (; seat < r->seats && r->seat[seat].hand_count > 0; seat++)
        for (unsigned i = 0; i < RENAISSANCE_LEADERS_DEALT; i++)
            is_dealt[r->seat[seat].hand[i]] = true;
    unsigned left = RENAISSANCE_LEADERS - seat * RENAISSANCE_LEADERS_DEALT,
             wanted = RENAISSANCE_LEADERS_DEALT;
    *out = renaissance_action(RENAISSANCE_DEAL, seat, 0, 0, 0);
    /* One pass over those that are left, so that they come out rising: each is taken with the chance that the
     * rest of the hand needs it. */
    for (unsigned leader = 1; leader <= RENAISSANCE_LEADERS && wanted > 0; leader++) {
        if (is_dealt[leader])
            continue;
        if (rng_below(rng, left--) < wanted)
            out->arg[1 + RENAISSANCE_LEADERS_DEALT - wanted--] = (uint8_t)leader;
    }
}

static void sample_chance(struct list *l, struct rng *rng, struct action *out) {
    memset(out, 0, sizeof *out);
    switch ((enum renaissance_phase)l->r->phase) {
    case RENAISSANCE_LAYING: sample_lay(rng, out); return;
    case RENAISSANCE_SHOWING:
        out->kind = RENAISSANCE_SHOW;
        for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
            out->arg[pile] = (uint8_t)renaissance_pile_card(pile, rng_below(rng, RENAISSANCE_PILE_CARDS));
        return;
    case RENAISSANCE_DEALING: sample_deal(l->r, rng, out); return;
    default: legal_chance(l); *out = l->out[rng_below(rng, (uint32_t)l->count)];
    }
}

/* What to do in a turn: first which sort of action, then which of them, because there are so many ways to
 * produce that they would drown everything else. */
static void sample_before(struct list *l, struct rng *rng) {
    static void (*const sorts[])(struct list *) = {list_leaders, list_productions, list_purchases,
                                                   list_pushes};
    enum { SORTS = sizeof sorts / sizeof *sorts };
    /* The market comes last: it is always open. */
    for (unsigned i = rng_below(rng, SORTS); l->count == 0; i++)
        sorts[i](l);
}

void renaissance_sample(const struct game_state *state, unsigned seat, struct rng *rng, struct action *out) {
    struct action actions[RENAISSANCE_ACTIONS_MAX];
    struct list l;
    list_begin(&l, state, seat, actions);
    if (seat == SEAT_CHANCE) {
        sample_chance(&l, rng, out);
        return;
    }
    if (l.r->phase == RENAISSANCE_BEFORE && l.s->stage == RENAISSANCE_READY)
        sample_before(&l, rng);
    else
        l.count = renaissance_legal(state, seat, actions);
    *out = actions[rng_below(rng, (uint32_t)l.count)];
}
