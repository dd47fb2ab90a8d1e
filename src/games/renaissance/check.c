/* What Masters of Renaissance allows and refuses. */
#include "games/renaissance/internal.h"

unsigned renaissance_production_bit(const struct action *action) {
    switch (action->kind) {
    case RENAISSANCE_BASE: return RENAISSANCE_BIT_BASE;
    case RENAISSANCE_CARD: return RENAISSANCE_BIT_CARD << action->arg[0];
    default: return RENAISSANCE_BIT_LEADER << action->arg[0];
    }
}

void renaissance_production_add(const struct renaissance_seat *s, const struct action *action,
                                uint8_t owed[RENAISSANCE_KINDS]) {
    const uint8_t *arg = action->arg;
    if (action->kind == RENAISSANCE_BASE)
        renaissance_base_add(arg, owed);
    else if (action->kind == RENAISSANCE_CARD) { /* R22 */
        const struct renaissance_card *card = renaissance_card(renaissance_top(s, arg[0]));
        for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
            owed[kind] = (uint8_t)(owed[kind] + card->input[kind]);
    } else /* R23 */
        owed[renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_PRODUCTION, arg[0]))->kind]++;
}

unsigned renaissance_owed_next(const struct renaissance *r) {
    unsigned kind = 0;
    while (kind < RENAISSANCE_KINDS && r->owed[kind] == 0)
        kind++;
    return kind;
}

static bool is_affordable(const struct renaissance_seat *s, const uint8_t owed[RENAISSANCE_KINDS]) {
    unsigned stock[RENAISSANCE_KINDS];
    renaissance_stocks(s, stock);
    return renaissance_covers(stock, owed);
}

bool renaissance_holds(const struct renaissance_seat *s, unsigned leader) {
    for (unsigned i = 0; i < s->hand_count; i++)
        if (s->hand[i] == leader)
            return leader != 0 && leader != RENAISSANCE_HIDDEN;
    return false;
}

static enum err check_lay(const uint8_t *arg) {
    static const uint8_t marbles[RENAISSANCE_MARBLE_COLOURS] = {4, 1, 2, 2, 2, 2}; /* R2 */
    uint8_t counts[RENAISSANCE_MARBLE_COLOURS] = {0};
    for (unsigned i = 0; i < RENAISSANCE_MARBLES; i++) {
        if (arg[i] >= RENAISSANCE_MARBLE_COLOURS)
            return ERR_FIELD_INVALID;
        counts[arg[i]]++;
    }
    return memcmp(counts, marbles, sizeof counts) == 0 ? ERR_OK : ERR_FIELD_INVALID;
}

static bool is_card(unsigned card) {
    return card >= 1 && card <= RENAISSANCE_CARDS;
}

static enum err check_show(const uint8_t *arg) {
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
        if (!is_card(arg[pile]) || renaissance_pile_of(arg[pile]) != pile)
            return ERR_FIELD_INVALID;
    return ERR_OK;
}

/* R4 */
static enum err check_deal(const struct renaissance *r, const uint8_t *arg) {
    unsigned seat = 0;
    while (seat < r->seats && r->seat[seat].hand_count > 0)
        seat++;
    if (arg[0] != seat)
        return ERR_FIELD_INVALID;
    for (unsigned i = 1; i <= RENAISSANCE_LEADERS_DEALT; i++) {
        if (arg[i] < 1 || arg[i] > RENAISSANCE_LEADERS || (i > 1 && arg[i] <= arg[i - 1]))
            return ERR_FIELD_INVALID;
        for (unsigned other = 0; other < seat; other++)
            if (renaissance_holds(&r->seat[other], arg[i]))
                return ERR_FIELD_INVALID;
    }
    return ERR_OK;
}

static enum err check_reveal(const struct renaissance *r, unsigned card) {
    bool is_good = is_card(card) && renaissance_pile_of(card) == r->revealing &&
                   (r->unseen[r->revealing] >> renaissance_pile_place(card) & 1) != 0;
    return is_good ? ERR_OK : ERR_FIELD_INVALID;
}

static enum err renaissance_check_chance(const struct renaissance *r, const struct action *action) {
    static const uint8_t kinds[RENAISSANCE_OVER] = {[RENAISSANCE_LAYING] = RENAISSANCE_LAY,
                                                    [RENAISSANCE_SHOWING] = RENAISSANCE_SHOW,
                                                    [RENAISSANCE_DEALING] = RENAISSANCE_DEAL,
                                                    [RENAISSANCE_REVEALING] = RENAISSANCE_REVEAL,
                                                    [RENAISSANCE_TURNING] = RENAISSANCE_TOKEN};
    const uint8_t *arg = action->arg;
    if (action->kind != kinds[r->phase])
        return ERR_ACTION_UNKNOWN;
    switch (action->kind) {
    case RENAISSANCE_LAY: return check_lay(arg);
    case RENAISSANCE_SHOW: return check_show(arg);
    case RENAISSANCE_DEAL: return check_deal(r, arg);
    case RENAISSANCE_REVEAL: return check_reveal(r, arg[0]);
    default: /* R33 */
        return arg[0] >= 1 && arg[0] <= RENAISSANCE_TOKENS && (r->tokens >> (arg[0] - 1) & 1) != 0
                   ? ERR_OK
                   : ERR_FIELD_INVALID;
    }
}

/* R4 */
static enum err check_keep(const struct renaissance_seat *s, const uint8_t *arg) {
    if (s->stage != RENAISSANCE_MUST_KEEP)
        return ERR_SETUP_FINISHED;
    return arg[0] < arg[1] && renaissance_holds(s, arg[0]) && renaissance_holds(s, arg[1]) ? ERR_OK
                                                                                           : ERR_LEADERS_KEPT;
}

enum err renaissance_check_depot(const struct renaissance_seat *s, unsigned depot, unsigned kind,
                                 unsigned count, unsigned others) {
    unsigned capacity = renaissance_depot_capacity(s, depot);
    if (capacity == 0)
        return ERR_DEPOT_UNKNOWN;
    if (count > capacity)
        return ERR_DEPOT_FULL;
    if (depot >= RENAISSANCE_BASE_DEPOTS) /* R14 */
        return count == 0 || kind == renaissance_depot_kind(s, depot) ? ERR_OK : ERR_DEPOT_LEADER;
    for (unsigned i = 0; i < others; i++)
        if (i != depot && count > 0 && s->depot[i].count > 0 && s->depot[i].kind == kind)
            return ERR_DEPOT_KIND;
    return ERR_OK;
}

enum err renaissance_check_put(const struct renaissance_seat *s, const uint8_t arg[2]) {
    if (s->stage == RENAISSANCE_READY)
        return ERR_SETUP_FINISHED;
    if (s->stage != RENAISSANCE_MUST_PUT)
        return ERR_SETUP_UNFINISHED;
    if (arg[0] >= RENAISSANCE_KINDS)
        return ERR_ACTION_UNKNOWN;
    if (arg[1] >= RENAISSANCE_BASE_DEPOTS)
        return ERR_DEPOT_UNKNOWN;
    const struct renaissance_depot *depot = &s->depot[arg[1]];
    if (depot->count > 0 && depot->kind != arg[0])
        return ERR_DEPOT_KIND;
    return renaissance_check_depot(s, arg[1], arg[0], depot->count + 1u, RENAISSANCE_BASE_DEPOTS);
}

unsigned renaissance_line_whites(const struct renaissance *r, unsigned line) {
    uint8_t marbles[RENAISSANCE_COLUMNS];
    unsigned whites = 0;
    for (unsigned i = renaissance_line(r, line, marbles); i > 0; i--)
        whites += marbles[i - 1] == RENAISSANCE_WHITE;
    return whites;
}

/* R9, R11 */
static enum err check_push(const struct renaissance *r, const struct renaissance_seat *s,
                           const uint8_t *arg) {
    if (arg[0] >= RENAISSANCE_LINES)
        return ERR_MARKET_LINE;
    if (arg[1] == 0)
        return ERR_OK;
    bool has_choice = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE) == 2;
    return has_choice && arg[1] <= renaissance_line_whites(r, arg[0]) ? ERR_OK : ERR_EXCHANGE_WRONG;
}

/* R12 */
static enum err check_fill(const struct renaissance *r, const struct renaissance_seat *s,
                           const uint8_t *arg) {
    unsigned depot = arg[0], kind = arg[1], count = arg[2];
    if (depot != r->depot_next)
        return depot >= renaissance_depot_count(s) ? ERR_DEPOT_UNKNOWN : ERR_DEPOT_ORDER;
    if (kind >= RENAISSANCE_KINDS || (count == 0 && kind != 0))
        return ERR_ACTION_UNKNOWN;
    enum err e = renaissance_check_depot(s, depot, kind, count, depot);
    return e == ERR_OK && count > r->pool[kind] ? ERR_DEPOT_INVENTED : e;
}

/* R16, R18 */
static enum err check_buy(const struct renaissance *r, const struct renaissance_seat *s, const uint8_t *arg) {
    uint8_t cost[RENAISSANCE_KINDS];
    if (arg[0] >= RENAISSANCE_COLOURS || arg[1] < 1 || arg[1] > RENAISSANCE_LEVELS)
        return ERR_CARD_GONE;
    unsigned card = r->visible[renaissance_pile(arg[0], arg[1])];
    if (card == 0)
        return ERR_CARD_GONE;
    if (arg[2] >= RENAISSANCE_SLOTS || renaissance_slot_height(s, arg[2]) != arg[1] - 1u)
        return ERR_CARD_SLOT;
    renaissance_price(s, card, cost);
    return is_affordable(s, cost) ? ERR_OK : ERR_CARD_PRICE;
}

/* Whether there is such a production, apart from its price. */
static enum err check_production_exists(const struct renaissance_seat *s, const struct action *action) {
    const uint8_t *arg = action->arg;
    switch (action->kind) {
    case RENAISSANCE_BASE: /* R21 */
        return arg[0] <= arg[1] && arg[1] < RENAISSANCE_KINDS && arg[2] < RENAISSANCE_KINDS
                   ? ERR_OK
                   : ERR_ACTION_UNKNOWN;
    case RENAISSANCE_CARD: /* R22 */
        return arg[0] < RENAISSANCE_SLOTS && renaissance_top(s, arg[0]) != 0 ? ERR_OK
                                                                             : ERR_PRODUCTION_UNKNOWN;
    default: /* R23 */
        if (arg[0] >= renaissance_leaders_in_play(s, RENAISSANCE_PRODUCTION))
            return ERR_PRODUCTION_UNKNOWN;
        return arg[1] < RENAISSANCE_KINDS ? ERR_OK : ERR_ACTION_UNKNOWN;
    }
}

enum err renaissance_check_order(const struct renaissance *r, const struct renaissance_seat *s,
                                 const struct action *action) {
    enum err e = check_production_exists(s, action);
    if (e != ERR_OK)
        return e;
    return r->productions >= renaissance_production_bit(action) ? ERR_PRODUCTION_TWICE : ERR_OK;
}

/* R20, R24 */
static enum err check_production(const struct renaissance *r, const struct renaissance_seat *s,
                                 const struct action *action) {
    uint8_t owed[RENAISSANCE_KINDS];
    enum err e = renaissance_check_order(r, s, action);
    if (e != ERR_OK)
        return e;
    memcpy(owed, r->owed, sizeof owed);
    renaissance_production_add(s, action, owed);
    return is_affordable(s, owed) ? ERR_OK : ERR_PRODUCTION_PRICE;
}

/* R19 */
static enum err check_pay(const struct renaissance *r, const struct renaissance_seat *s, const uint8_t *arg) {
    unsigned stock[RENAISSANCE_SOURCES], sum = 0;
    if (arg[0] >= RENAISSANCE_KINDS)
        return ERR_ACTION_UNKNOWN;
    if (arg[0] != renaissance_owed_next(r))
        return ERR_PAYMENT_WRONG;
    renaissance_stock(s, arg[0], stock);
    for (unsigned i = 0; i < RENAISSANCE_SOURCES; i++) {
        if (arg[1 + i] > stock[i])
            return ERR_PAYMENT_LACKING;
        sum += arg[1 + i];
    }
    return sum == r->owed[arg[0]] ? ERR_OK : ERR_PAYMENT_WRONG;
}

static enum err check_main(const struct renaissance *r, const struct renaissance_seat *s,
                           const struct action *action) {
    if (r->phase == RENAISSANCE_AFTER)
        return ERR_MAIN_ACTION_TWICE; /* R7 */
    if (r->phase != RENAISSANCE_BEFORE)
        return ERR_ACTION_UNFINISHED;
    return action->kind == RENAISSANCE_PUSH ? check_push(r, s, action->arg) : check_buy(r, s, action->arg);
}

/* R25, R26 */
static enum err check_leader(const struct renaissance *r, const struct renaissance_seat *s,
                             const struct action *action) {
    if (r->phase != RENAISSANCE_BEFORE && r->phase != RENAISSANCE_AFTER)
        return ERR_ACTION_UNFINISHED;
    if (!renaissance_holds(s, action->arg[0]))
        return ERR_LEADER_NOT_HELD;
    return action->kind == RENAISSANCE_DISCARD || renaissance_leader_is_earned(s, action->arg[0])
               ? ERR_OK
               : ERR_LEADER_UNEARNED;
}

/* R8 */
static enum err check_end(const struct renaissance *r) {
    if (r->phase == RENAISSANCE_AFTER)
        return ERR_OK;
    return r->phase == RENAISSANCE_BEFORE ? ERR_MAIN_ACTION_AWAITED : ERR_ACTION_UNFINISHED;
}

/* The steps that are only possible within an action that was begun. */
static enum err check_step(const struct renaissance *r, const struct renaissance_seat *s,
                           const struct action *action) {
    static const uint8_t phases[] = {[RENAISSANCE_FILL] = RENAISSANCE_ARRANGING,
                                     [RENAISSANCE_RUN] = RENAISSANCE_CHOOSING,
                                     [RENAISSANCE_PAY] = RENAISSANCE_PAYING};
    if (r->phase == RENAISSANCE_BEFORE && action->kind == RENAISSANCE_RUN)
        return ERR_PRODUCTION_NONE; /* R20 */
    if (r->phase == RENAISSANCE_BEFORE || r->phase == RENAISSANCE_AFTER)
        return r->phase == RENAISSANCE_AFTER ? ERR_MAIN_ACTION_TWICE : ERR_MAIN_ACTION_AWAITED;
    if (r->phase != phases[action->kind])
        return ERR_ACTION_UNFINISHED;
    switch (action->kind) {
    case RENAISSANCE_FILL: return check_fill(r, s, action->arg);
    case RENAISSANCE_PAY: return check_pay(r, s, action->arg);
    default: return ERR_OK;
    }
}

static enum err check_turn(const struct renaissance *r, const struct renaissance_seat *s,
                           const struct action *action) {
    switch (action->kind) {
    case RENAISSANCE_PUSH:
    case RENAISSANCE_BUY: return check_main(r, s, action);
    case RENAISSANCE_BASE:
    case RENAISSANCE_CARD:
    case RENAISSANCE_LEADER:
        if (r->phase == RENAISSANCE_CHOOSING)
            return check_production(r, s, action);
        if (r->phase != RENAISSANCE_BEFORE)
            return r->phase == RENAISSANCE_AFTER ? ERR_MAIN_ACTION_TWICE : ERR_ACTION_UNFINISHED;
        return check_production(r, s, action);
    case RENAISSANCE_PLAY:
    case RENAISSANCE_DISCARD: return check_leader(r, s, action);
    case RENAISSANCE_END_TURN: return check_end(r);
    default: return check_step(r, s, action);
    }
}

static bool is_clean(const struct action *action) {
    /* How many bytes of an action of each kind are used. */
    static const uint8_t used[] = {
        [RENAISSANCE_LAY] = RENAISSANCE_MARBLES,
        [RENAISSANCE_SHOW] = RENAISSANCE_PILES,
        [RENAISSANCE_DEAL] = 1 + RENAISSANCE_LEADERS_DEALT,
        [RENAISSANCE_REVEAL] = 1,
        [RENAISSANCE_TOKEN] = 1,
        [RENAISSANCE_KEEP] = 2,
        [RENAISSANCE_PUT] = 2,
        [RENAISSANCE_PUSH] = 2,
        [RENAISSANCE_FILL] = 3,
        [RENAISSANCE_BUY] = 3,
        [RENAISSANCE_BASE] = 3,
        [RENAISSANCE_CARD] = 1,
        [RENAISSANCE_LEADER] = 2,
        [RENAISSANCE_RUN] = 0,
        [RENAISSANCE_PAY] = 1 + RENAISSANCE_SOURCES,
        [RENAISSANCE_PLAY] = 1,
        [RENAISSANCE_DISCARD] = 1,
        [RENAISSANCE_END_TURN] = 0,
    };
    static const struct action nothing;
    if (action->kind < RENAISSANCE_LAY || action->kind > RENAISSANCE_END_TURN)
        return false;
    size_t size = used[action->kind];
    return memcmp(action->arg + size, nothing.arg, ACTION_ARGS - size) == 0;
}

enum err renaissance_check_turn(const struct renaissance *r, unsigned seat, const struct action *action) {
    if (seat == SEAT_CHANCE)
        return renaissance_check_chance(r, action);
    const struct renaissance_seat *s = &r->seat[seat];
    if (action->kind < RENAISSANCE_KEEP)
        return ERR_ACTION_UNKNOWN;
    if (action->kind == RENAISSANCE_KEEP)
        return check_keep(s, action->arg);
    if (action->kind == RENAISSANCE_PUT)
        return renaissance_check_put(s, action->arg);
    if (s->stage != RENAISSANCE_READY) /* R6, R37 */
        return ERR_SETUP_UNFINISHED;
    return check_turn(r, s, action);
}

enum err renaissance_check(const struct game_state *state, unsigned seat, const struct action *action) {
    const struct renaissance *r = renaissance_of(state);
    if (r->phase == RENAISSANCE_OVER)
        return ERR_TABLE_OVER;
    if (!game_may_act(&renaissance_game, state, seat))
        return ERR_NOT_YOUR_TURN;
    return is_clean(action) ? renaissance_check_turn(r, seat, action) : ERR_ACTION_UNKNOWN;
}
