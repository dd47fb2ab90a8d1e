/* The rules of Masters of Renaissance: who acts when, what an action does, and how it ends. What a seat may
 * do is decided in check.c. */
#include "games/renaissance/internal.h"

#include "game/stock.h"

#include <assert.h>

enum {
    ALL_TOKENS = (1 << RENAISSANCE_TOKENS) - 1,
    ALL_PILE_CARDS = (1 << RENAISSANCE_PILE_CARDS) - 1,

    /* The longest turn: six productions, RUN, four payments, END_TURN; a purchase with a reveal and a market
     * action are shorter. Then Lorenzo's token with two reveals. */
    TURN_PLIES_MAX = 6 + 1 + RENAISSANCE_KINDS + 1 + 3,
    /* Marbles, cards, deals, leaders kept, starting resources, leaders played. */
    OTHER_PLIES_MAX = 2 + RENAISSANCE_SEATS_MAX * (1 + 1 + 2 + RENAISSANCE_LEADERS_KEPT),
};

static seat_set seats_present(const struct renaissance *r) {
    seat_set set = 0;
    for (unsigned seat = 0; seat < r->seats; seat++)
        if (!r->seat[seat].is_away)
            set |= SEAT_BIT(seat);
    return set;
}

/* R37, R38: those that are there; when nobody is, all. */
static seat_set seats_awaited(const struct renaissance *r) {
    seat_set present = seats_present(r);
    return present != 0 ? present : SEAT_BIT(r->seats) - 1;
}

static seat_set seats_before_stage(const struct renaissance *r, enum renaissance_stage stage) {
    seat_set set = 0;
    for (unsigned seat = 0; seat < r->seats; seat++)
        if (r->seat[seat].stage < stage)
            set |= SEAT_BIT(seat);
    return set;
}

static seat_set renaissance_turn(const struct game_state *state) {
    const struct renaissance *r = renaissance_of(state);
    switch ((enum renaissance_phase)r->phase) {
    case RENAISSANCE_LAYING:
    case RENAISSANCE_SHOWING:
    case RENAISSANCE_DEALING:
    case RENAISSANCE_REVEALING:
    case RENAISSANCE_TURNING: return SEAT_BIT(SEAT_CHANCE);
    case RENAISSANCE_KEEPING: return seats_awaited(r) & seats_before_stage(r, RENAISSANCE_MUST_PUT);
    case RENAISSANCE_STORING: return seats_awaited(r) & seats_before_stage(r, RENAISSANCE_READY);
    case RENAISSANCE_OVER: return 0;
    default: /* R37: who came back after the set-up may make up for it at once */
        return SEAT_BIT(r->mover) | (seats_present(r) & seats_before_stage(r, RENAISSANCE_READY));
    }
}

static enum err renaissance_setup(struct game_state *state, const struct game_options *options) {
    enum err e = game_options_check(&renaissance_game, options);
    if (e != ERR_OK)
        return e;
    struct renaissance *r = (struct renaissance *)state;
    memset(r, 0, sizeof *r);
    r->seats = (uint8_t)options->seat_count;
    r->rules_version = (uint8_t)game_options_rules(&renaissance_game, options);
    memset(r->unseen, ALL_PILE_CARDS, sizeof r->unseen);
    r->tokens = r->seats == 1 ? ALL_TOKENS : 0; /* R33 */
    for (unsigned seat = 0; seat < r->seats; seat++) {
        r->seat[seat].faith = (uint8_t)renaissance_first_faith(r->seats, seat);
        r->seat[seat].gifts = (uint8_t)renaissance_gifts(r->seats, seat);
    }
    return ERR_OK;
}

/* Forgets the action that is under way. */
static void action_clear(struct renaissance *r) {
    r->depot_next = r->bought = r->slot = r->productions = r->base_output = 0;
    memset(r->taken, 0, sizeof r->taken);
    memset(r->before, 0, sizeof r->before);
    memset(r->pool, 0, sizeof r->pool);
    memset(r->base_input, 0, sizeof r->base_input);
    memset(r->leader_output, 0, sizeof r->leader_output);
    memset(r->owed, 0, sizeof r->owed);
    memset(r->paid, 0, sizeof r->paid);
}

static void table_end(struct renaissance *r, enum renaissance_end end) {
    action_clear(r);
    r->phase = RENAISSANCE_OVER;
    r->end = (uint8_t)end;
}

static bool is_colour_gone(const struct renaissance *r) {
    bool is_gone = false;
    for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++) {
        unsigned left = 0;
        for (unsigned level = 1; level <= RENAISSANCE_LEVELS; level++) {
            unsigned pile = renaissance_pile(colour, level);
            left |= (unsigned)r->visible[pile] | r->unseen[pile];
        }
        is_gone |= left == 0;
    }
    return is_gone;
}

/* R35: how a solo game stands; the losses come first. */
static enum renaissance_end solo_standing(const struct renaissance *r) {
    const struct renaissance_seat *s = &r->seat[0];
    if (r->lorenzo == RENAISSANCE_FAITH_MAX)
        return RENAISSANCE_SOLO_FAITH;
    if (is_colour_gone(r))
        return RENAISSANCE_SOLO_CARDS;
    bool is_won = s->faith == RENAISSANCE_FAITH_MAX || renaissance_cards_owned(s) >= RENAISSANCE_CARDS_END;
    return is_won ? RENAISSANCE_SOLO_WON : RENAISSANCE_RUNNING;
}

/* R30: once somebody has a seventh card or a marker on 24, the round is the last one. */
static void ending_check(struct renaissance *r) {
    if (r->seats == 1)
        r->is_ending = r->is_ending || solo_standing(r) != RENAISSANCE_RUNNING;
    for (unsigned seat = 0; seat < r->seats && r->seats > 1; seat++)
        if (r->seat[seat].faith == RENAISSANCE_FAITH_MAX ||
            renaissance_cards_owned(&r->seat[seat]) >= RENAISSANCE_CARDS_END)
            r->is_ending = 1;
}

static void turn_begin(struct renaissance *r, unsigned seat) {
    action_clear(r);
    r->line = 0;
    r->mover = (uint8_t)seat;
    r->phase = RENAISSANCE_BEFORE;
}

/* No round follows this one (R30, R41). */
static bool is_last_round(const struct renaissance *r) {
    return r->is_ending || r->round + 1 == RENAISSANCE_ROUNDS_MAX;
}

/* R38: a last round that everybody has left waits; by the first rules it was over. */
static bool is_waiting_last(const struct renaissance *r) {
    return is_last_round(r) && r->rules_version >= RENAISSANCE_RULES_WAITING;
}

/* The next turn is that of this seat; when that is not further round the table, a round is over.
 */
static void turn_to(struct renaissance *r, unsigned seat) {
    if (seat > r->mover)
        turn_begin(r, seat);
    else if (is_last_round(r))
        table_end(r, r->seats == 1 ? RENAISSANCE_SOLO_LATE : RENAISSANCE_BY_POINTS);
    else {
        r->round++;
        turn_begin(r, seat);
    }
}

/* R36, R38: seats that are away are skipped; when nobody is there the turn waits for the first to return. In
 * a last round only a main action that is done leads here without anybody: the turn waits as it is. */
static void renaissance_turn_pass(struct renaissance *r) {
    seat_set present = seats_present(r);
    for (unsigned i = 1; i <= r->seats; i++) {
        unsigned seat = (r->mover + i) % r->seats;
        if (present & SEAT_BIT(seat)) {
            turn_to(r, seat);
            return;
        }
    }
    if (!is_waiting_last(r)) {
        turn_to(r, r->mover);
        return;
    }
    action_clear(r);
    r->phase = RENAISSANCE_AFTER;
}

/* R37: the set-up goes on as soon as nobody who is there owes anything. */
static void setup_advance(struct renaissance *r) {
    if (r->phase == RENAISSANCE_KEEPING &&
        (seats_awaited(r) & seats_before_stage(r, RENAISSANCE_MUST_PUT)) == 0)
        r->phase = RENAISSANCE_STORING;
    if (r->phase == RENAISSANCE_STORING && (seats_awaited(r) & seats_before_stage(r, RENAISSANCE_READY)) == 0)
        turn_begin(r, (unsigned)__builtin_ctz(seats_awaited(r)));
}

/* R35: the last turn draws no token. */
static void solo_turn_end(struct renaissance *r) {
    enum renaissance_end end = solo_standing(r);
    if (end != RENAISSANCE_RUNNING)
        table_end(r, end);
    else {
        action_clear(r);
        r->line = 0;
        r->phase = RENAISSANCE_TURNING;
    }
}

static void token_finish(struct renaissance *r) {
    enum renaissance_end end = solo_standing(r);
    r->lorenzo_acts = r->token_colour = r->token_cards = 0;
    ending_check(r);
    if (end != RENAISSANCE_RUNNING)
        table_end(r, end);
    else
        turn_to(r, 0);
}

/* Takes the visible card of a pile away; chance shows the next one (R3). */
static void pile_take(struct renaissance *r, unsigned pile) {
    r->visible[pile] = 0;
    if (r->unseen[pile] != 0) {
        r->revealing = (uint8_t)pile;
        r->phase = RENAISSANCE_REVEALING;
    }
}

/* The lowest pile of a colour that has a card, or RENAISSANCE_PILES. */
static unsigned pile_lowest(const struct renaissance *r, unsigned colour) {
    for (unsigned level = 1; level <= RENAISSANCE_LEVELS; level++)
        if (r->visible[renaissance_pile(colour, level)] != 0)
            return renaissance_pile(colour, level);
    return RENAISSANCE_PILES;
}

/* R34: one after the other, because the next card is shown in between. */
static void lorenzo_takes(struct renaissance *r) {
    while (r->token_cards > 0) {
        unsigned pile = pile_lowest(r, r->token_colour);
        if (pile == RENAISSANCE_PILES)
            break;
        r->lorenzo_took[pile] |= (uint8_t)(1u << renaissance_pile_place(r->visible[pile]));
        r->token_cards--;
        pile_take(r, pile);
        if (r->phase == RENAISSANCE_REVEALING)
            return;
    }
    token_finish(r);
}

/* R33 */
static void apply_token(struct renaissance *r, unsigned token) {
    static const uint8_t colours[] = {[1] = RENAISSANCE_CARD_GREEN,
                                      [2] = RENAISSANCE_CARD_YELLOW,
                                      [3] = RENAISSANCE_CARD_BLUE,
                                      [4] = RENAISSANCE_CARD_PURPLE};
    enum { CARDS = 2, STEPS = 2, STEPS_OF_SHUFFLE = 1 };
    r->tokens &= (uint8_t) ~(1u << (token - 1));
    r->token_last = (uint8_t)token;
    r->lorenzo_acts = 1;
    if (token <= RENAISSANCE_COLOURS) {
        r->token_colour = colours[token];
        r->token_cards = CARDS;
        lorenzo_takes(r);
        return;
    }
    renaissance_advance(r, SEAT_BIT(SEAT_CHANCE), token == RENAISSANCE_TOKENS ? STEPS_OF_SHUFFLE : STEPS);
    if (token == RENAISSANCE_TOKENS)
        r->tokens = ALL_TOKENS;
    token_finish(r);
}

/* R4: the cards lie in the order of their numbers, which tells nothing. */
static void apply_deal(struct renaissance *r, const uint8_t *arg) {
    struct renaissance_seat *s = &r->seat[arg[0]];
    memcpy(s->hand, arg + 1, RENAISSANCE_LEADERS_DEALT);
    s->hand_count = RENAISSANCE_LEADERS_DEALT;
    if (arg[0] + 1u == r->seats) {
        r->phase = RENAISSANCE_KEEPING;
        setup_advance(r);
    }
}

static void apply_reveal(struct renaissance *r, unsigned card) {
    r->visible[r->revealing] = (uint8_t)card;
    r->unseen[r->revealing] &= (uint8_t) ~(1u << renaissance_pile_place(card));
    r->revealing = 0;
    if (r->lorenzo_acts) {
        r->phase = RENAISSANCE_TURNING;
        lorenzo_takes(r);
        return;
    }
    r->phase = RENAISSANCE_AFTER;
    if (r->seat[r->mover].is_away && r->seats > 1) /* R36: gone before the card was shown */
        renaissance_turn_pass(r);
}

static void apply_show(struct renaissance *r, const uint8_t *arg) {
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++) {
        r->visible[pile] = arg[pile];
        r->unseen[pile] = (uint8_t)(ALL_PILE_CARDS & ~(1u << renaissance_pile_place(arg[pile])));
    }
    r->phase = RENAISSANCE_DEALING;
}

static bool is_seats_turn(const struct renaissance *r) {
    return r->phase >= RENAISSANCE_BEFORE && r->phase <= RENAISSANCE_AFTER &&
           r->phase != RENAISSANCE_REVEALING;
}

/* R40: when nobody can come back any more, it is over, as soon as chance is done. */
static void retired_check(struct renaissance *r) {
    for (unsigned seat = 0; seat < r->seats; seat++)
        if (!r->seat[seat].is_retired)
            return;
    if (is_seats_turn(r) || r->phase == RENAISSANCE_KEEPING || r->phase == RENAISSANCE_STORING)
        table_end(r, r->seats == 1 ? RENAISSANCE_SOLO_LEFT : RENAISSANCE_BY_POINTS);
}

static void apply_chance(struct renaissance *r, const struct action *action) {
    switch (action->kind) {
    case RENAISSANCE_LAY:
        memcpy(r->market, action->arg, RENAISSANCE_CELLS);
        r->free_marble = action->arg[RENAISSANCE_CELLS];
        r->phase = RENAISSANCE_SHOWING;
        break;
    case RENAISSANCE_SHOW: apply_show(r, action->arg); break;
    case RENAISSANCE_DEAL: apply_deal(r, action->arg); break;
    case RENAISSANCE_REVEAL: apply_reveal(r, action->arg[0]); break;
    default: apply_token(r, action->arg[0]);
    }
    retired_check(r);
}

/* R4 */
static void apply_keep(struct renaissance *r, unsigned seat, const uint8_t *arg) {
    struct renaissance_seat *s = &r->seat[seat];
    for (unsigned i = 0; i < s->hand_count; i++)
        if (s->hand[i] != arg[0] && s->hand[i] != arg[1])
            s->dropped[s->dropped_count++] = s->hand[i];
    memset(s->hand, 0, sizeof s->hand);
    memcpy(s->hand, arg, RENAISSANCE_LEADERS_KEPT);
    s->hand_count = RENAISSANCE_LEADERS_KEPT;
    s->stage = s->gifts > 0 ? RENAISSANCE_MUST_PUT : RENAISSANCE_READY;
    setup_advance(r);
}

static void apply_put(struct renaissance *r, unsigned seat, const uint8_t *arg) {
    struct renaissance_seat *s = &r->seat[seat];
    s->depot[arg[1]].kind = arg[0];
    s->depot[arg[1]].count++;
    if (--s->gifts == 0)
        s->stage = RENAISSANCE_READY;
    setup_advance(r);
}

/* R9: the free marble enters on the right or at the bottom, what lies first falls out. */
static void line_shift(struct renaissance *r, unsigned line) {
    bool is_row = line < RENAISSANCE_ROWS;
    unsigned count = is_row ? RENAISSANCE_COLUMNS : RENAISSANCE_ROWS, step = is_row ? 1 : RENAISSANCE_COLUMNS;
    uint8_t *at = r->market + (is_row ? line * RENAISSANCE_COLUMNS : line - RENAISSANCE_ROWS);
    uint8_t fallen = *at;
    for (unsigned i = 1; i < count; i++, at += step)
        at[0] = at[step];
    *at = r->free_marble;
    r->free_marble = fallen;
}

/* R10, R11 */
static void marbles_take(struct renaissance *r, const struct renaissance_seat *s, const uint8_t *arg) {
    uint8_t marbles[RENAISSANCE_COLUMNS];
    unsigned count = renaissance_line(r, arg[0], marbles), for_first = arg[1], reds = 0;
    unsigned exchanges = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE);
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = renaissance_marble_kind(marbles[i]);
        reds += marbles[i] == RENAISSANCE_RED;
        if (marbles[i] == RENAISSANCE_WHITE && exchanges > 0) {
            bool is_first = exchanges == 1 || for_first > 0;
            for_first -= for_first > 0;
            kind = renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_EXCHANGE, !is_first))->kind;
        }
        if (kind < RENAISSANCE_KINDS)
            r->taken[kind]++;
    }
    renaissance_advance(r, SEAT_BIT(r->mover), reds);
}

static void apply_push(struct renaissance *r, const uint8_t *arg) {
    struct renaissance_seat *s = &r->seat[r->mover];
    marbles_take(r, s, arg);
    line_shift(r, arg[0]);
    r->line = arg[0];
    memcpy(r->before, s->depot, sizeof r->before);
    memcpy(r->pool, r->taken, sizeof r->pool);
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        r->pool[s->depot[i].kind] = (uint8_t)(r->pool[s->depot[i].kind] + s->depot[i].count);
    r->phase = RENAISSANCE_ARRANGING;
    ending_check(r);
}

/* R15: each discarded resource is a step for all others, who go together. */
static void resources_discard(struct renaissance *r, const uint8_t counts[RENAISSANCE_KINDS]) {
    unsigned sum = 0;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        sum += counts[kind];
    seat_set others = (SEAT_BIT(r->seats) - 1) & ~SEAT_BIT(r->mover);
    renaissance_advance(r, r->seats == 1 ? SEAT_BIT(SEAT_CHANCE) : others, sum);
}

/* R12 */
static void apply_fill(struct renaissance *r, const uint8_t *arg) {
    struct renaissance_seat *s = &r->seat[r->mover];
    if (arg[0] == 0)
        memset(s->depot, 0, sizeof s->depot);
    s->depot[arg[0]] = (struct renaissance_depot){arg[1], arg[2]};
    r->pool[arg[1]] = (uint8_t)(r->pool[arg[1]] - arg[2]);
    if (++r->depot_next < renaissance_depot_count(s))
        return;
    resources_discard(r, r->pool);
    action_clear(r);
    r->phase = RENAISSANCE_AFTER;
    ending_check(r);
}

static void apply_buy(struct renaissance *r, const uint8_t *arg) {
    r->bought = r->visible[renaissance_pile(arg[0], arg[1])];
    r->slot = arg[2];
    renaissance_price(&r->seat[r->mover], r->bought, r->owed);
    r->phase = RENAISSANCE_PAYING;
}

static void apply_production(struct renaissance *r, const struct action *action) {
    const struct renaissance_seat *s = &r->seat[r->mover];
    const uint8_t *arg = action->arg;
    r->phase = RENAISSANCE_CHOOSING;
    r->productions |= (uint8_t)renaissance_production_bit(action);
    renaissance_production_add(s, action, r->owed);
    if (action->kind == RENAISSANCE_BASE) {
        memcpy(r->base_input, arg, sizeof r->base_input);
        r->base_output = arg[2];
    }
    if (action->kind == RENAISSANCE_LEADER)
        r->leader_output[arg[0]] = arg[1];
}

static void depot_take(struct renaissance_depot *depot, unsigned kind, uint8_t *count) {
    if (depot->count == 0 || depot->kind != kind)
        return;
    uint8_t taken = *count < depot->count ? *count : depot->count;
    *count = (uint8_t)(*count - taken);
    depot->count = (uint8_t)(depot->count - taken);
    if (depot->count == 0)
        depot->kind = 0;
}

/* R24: everything that was paid leaves before anything comes. */
static void payment_take(struct renaissance *r) {
    struct renaissance_seat *s = &r->seat[r->mover];
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        uint8_t *paid = r->paid[kind];
        s->strongbox[kind] = (uint16_t)(s->strongbox[kind] - paid[RENAISSANCE_FROM_STRONGBOX]);
        for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
            depot_take(&s->depot[i], kind,
                       &paid[i < RENAISSANCE_BASE_DEPOTS ? RENAISSANCE_FROM_BASE : RENAISSANCE_FROM_LEADERS]);
    }
}

/* R24 */
static void productions_give(struct renaissance *r) {
    enum { FAITH_OF_LEADER = 1 };
    struct renaissance_seat *s = &r->seat[r->mover];
    unsigned faith = 0;
    if (r->productions & RENAISSANCE_BIT_BASE)
        s->strongbox[r->base_output]++; /* R21 */
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        if (!(r->productions & RENAISSANCE_BIT_CARD << slot))
            continue;
        const struct renaissance_card *card = renaissance_card(renaissance_top(s, slot)); /* R22 */
        for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
            s->strongbox[kind] = (uint16_t)(s->strongbox[kind] + card->output[kind]);
        faith += card->faith;
    }
    for (unsigned i = 0; i < RENAISSANCE_LEADERS_KEPT; i++) {
        if (!(r->productions & RENAISSANCE_BIT_LEADER << i))
            continue;
        s->strongbox[r->leader_output[i]]++; /* R23 */
        faith += FAITH_OF_LEADER;
    }
    renaissance_advance(r, SEAT_BIT(r->mover), faith);
}

static void main_action_finish(struct renaissance *r) {
    struct renaissance_seat *s = &r->seat[r->mover];
    unsigned card = r->bought, slot = r->slot;
    payment_take(r);
    if (card == 0)
        productions_give(r);
    action_clear(r);
    r->phase = RENAISSANCE_AFTER;
    if (card != 0) {
        s->slot[slot][renaissance_card(card)->level - 1] = (uint8_t)card; /* R18 */
        pile_take(r, renaissance_pile_of(card));
    }
    ending_check(r);
}

static void apply_pay(struct renaissance *r, const uint8_t *arg) {
    memcpy(r->paid[arg[0]], arg + 1, RENAISSANCE_SOURCES);
    r->owed[arg[0]] = 0;
    if (renaissance_owed_next(r) == RENAISSANCE_KINDS)
        main_action_finish(r);
}

static void hand_remove(struct renaissance_seat *s, unsigned leader) {
    unsigned i = 0;
    while (s->hand[i] != leader)
        i++;
    for (s->hand_count--; i < s->hand_count; i++)
        s->hand[i] = s->hand[i + 1];
    s->hand[s->hand_count] = 0;
}

static void apply_leader(struct renaissance *r, const struct action *action) {
    struct renaissance_seat *s = &r->seat[r->mover];
    hand_remove(s, action->arg[0]);
    if (action->kind == RENAISSANCE_PLAY) {
        s->played[s->played_count++] = action->arg[0]; /* R25 */
        return;
    }
    s->discarded[s->discarded_count++] = action->arg[0];
    renaissance_advance(r, SEAT_BIT(r->mover), 1); /* R26 */
    ending_check(r);
}

static void renaissance_apply(struct game_state *state, unsigned seat, const struct action *action) {
    struct renaissance *r = (struct renaissance *)state;
    switch (action->kind) {
    case RENAISSANCE_KEEP: apply_keep(r, seat, action->arg); break;
    case RENAISSANCE_PUT: apply_put(r, seat, action->arg); break;
    case RENAISSANCE_PUSH: apply_push(r, action->arg); break;
    case RENAISSANCE_FILL: apply_fill(r, action->arg); break;
    case RENAISSANCE_BUY: apply_buy(r, action->arg); break;
    case RENAISSANCE_BASE:
    case RENAISSANCE_CARD:
    case RENAISSANCE_LEADER: apply_production(r, action); break;
    case RENAISSANCE_RUN: r->phase = RENAISSANCE_PAYING; break;
    case RENAISSANCE_PAY: apply_pay(r, action->arg); break;
    case RENAISSANCE_PLAY:
    case RENAISSANCE_DISCARD: apply_leader(r, action); break;
    case RENAISSANCE_END_TURN:
        if (r->seats == 1)
            solo_turn_end(r);
        else
            renaissance_turn_pass(r);
        break;
    default: apply_chance(r, action);
    }
}

/* R36: what was begun is as if it had not been, but what was taken from the market is discarded. */
static void mover_leaves(struct renaissance *r) {
    if (r->phase == RENAISSANCE_ARRANGING) {
        memcpy(r->seat[r->mover].depot, r->before, sizeof r->before);
        resources_discard(r, r->taken);
        ending_check(r);
    }
    renaissance_turn_pass(r);
}

/* R38: in a last round in which nobody was there, somebody comes back whose turn it is not. A last turn that
 * was not played is no reason to end: who has come plays, in one more round where that is needed. */
static void last_turn_passes(struct renaissance *r, unsigned seat) {
    bool was_played = r->phase == RENAISSANCE_ARRANGING || r->phase == RENAISSANCE_AFTER;
    if (was_played || seat > r->mover || r->round + 1 == RENAISSANCE_ROUNDS_MAX) {
        mover_leaves(r);
        return;
    }
    r->round++;
    turn_begin(r, seat);
}

static void seat_leaves(struct renaissance *r, unsigned seat) {
    bool was_present = !r->seat[seat].is_away;
    r->seat[seat].is_away = 1;
    /* R38, R39: the table waits as it is */
    if (r->seats == 1 || (seats_present(r) == 0 && is_waiting_last(r)))
        return;
    if (is_seats_turn(r) && r->mover == seat && was_present)
        mover_leaves(r);
    setup_advance(r);
}

static void seat_returns(struct renaissance *r, unsigned seat) {
    bool was_empty = seats_present(r) == 0;
    r->seat[seat].is_away = 0;
    if (was_empty && r->seats > 1 && is_seats_turn(r)) { /* R38 */
        if (!is_waiting_last(r))
            turn_to(r, seat);
        else if (seat != r->mover)
            last_turn_passes(r, seat);
    }
    setup_advance(r);
}

static bool game_attend(struct game_state *state, unsigned seat, enum attendance attendance) {
    struct renaissance *r = (struct renaissance *)state;
    if (r->phase == RENAISSANCE_OVER || seat >= r->seats)
        return false;
    struct renaissance_seat *s = &r->seat[seat];
    if (attendance == SEAT_BACK && s->is_away && !s->is_retired)
        seat_returns(r, seat);
    else if (attendance != SEAT_BACK && !s->is_away)
        seat_leaves(r, seat);
    if (attendance == SEAT_RETIRED) {
        s->is_retired = 1;
        retired_check(r);
    }
    return true;
}

/* R31, R32, R35 */
static void renaissance_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct renaissance *r = renaissance_of(state);
    bool is_lost = r->seats == 1 && r->end != RENAISSANCE_SOLO_WON;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        unsigned left = renaissance_resources_left(&r->seat[seat]);
        if (left >= RENAISSANCE_SCORE_UNIT)
            left = RENAISSANCE_SCORE_UNIT - 1;
        points[seat] = is_lost ? 0 : (int32_t)(renaissance_points(r, seat) * RENAISSANCE_SCORE_UNIT + left);
    }
}

static const struct game_option game_options[] = {{0}};

const struct game renaissance_game = {
    .name = "renaissance",
    .title = "Masters of Renaissance",
    .rules_version = RENAISSANCE_RULES_WAITING,
    .rules_oldest = RENAISSANCE_RULES_FIRST,
    .seats_min = 1,
    .seats_max = RENAISSANCE_SEATS_MAX,
    .state_size = sizeof(struct renaissance),
    .actions_max = RENAISSANCE_ACTIONS_MAX,
    .plies_max = OTHER_PLIES_MAX + RENAISSANCE_ROUNDS_MAX * RENAISSANCE_SEATS_MAX * TURN_PLIES_MAX,
    .options = game_options,
    .refusals = (const struct err_row[]){RENAISSANCE_REFUSALS(ERR_ROW){0}},
    .score_unit = RENAISSANCE_SCORE_UNIT,
    .setup = renaissance_setup,
    .turn = renaissance_turn,
    .legal = renaissance_legal,
    .sample = renaissance_sample,
    .check = renaissance_check,
    .apply = renaissance_apply,
    .attend = game_attend,
    .rivals = stock_rivals,
    .score = renaissance_score,
    .valid = renaissance_valid,
    .redact_state = renaissance_redact_state,
    .redact_action = renaissance_redact_action,
    .imagine = renaissance_imagine,
    .foresee = stock_foresee,
    .describe = renaissance_describe,
    .action_format = renaissance_action_format,
    .action_parse = renaissance_action_parse,
    .playout = stock_playout,
    .perft = stock_perft,
};
