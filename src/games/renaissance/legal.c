/* The actions of Masters of Renaissance, and one of them at random. What can be done is a few sorts of
 * things, each of which has at most 64 numbered possibilities: so what is open is a set of numbers, without a
 * list of actions. A list follows from the sets, and a random action is the n-th of one. The sets ask the
 * questions that check.c asks; contract tests hold them together. */
#include "games/renaissance/internal.h"

/* Numbers in the order in which legal lists them. */
enum {
    WHITES_MAX = RENAISSANCE_COLUMNS + 1,    /* push: line * WHITES_MAX + whites for the first leader */
    PAIRS = 10,                              /* of resources that the base production takes */
    NUMBER_CARD = PAIRS * RENAISSANCE_KINDS, /* productions: pair * RENAISSANCE_KINDS + gain, then slots, */
    NUMBER_LEADER = NUMBER_CARD + RENAISSANCE_SLOTS, /* then leader * RENAISSANCE_KINDS + gain, */
    NUMBER_RUN = NUMBER_LEADER + RENAISSANCE_LEADERS_KEPT * RENAISSANCE_KINDS, /* and the end of them */
    NUMBER_END = 2 * RENAISSANCE_LEADERS_KEPT, /* leaders: 2 * place in the hand + (0: play, 1: discard) */
    FILLS = 3,                                 /* fill: 0 is nothing, then 1 + kind * FILLS + count - 1 */
    LEADERS_MAX = 8,                           /* pay: base * LEADERS_MAX + leaders */
};
_Static_assert(NUMBER_RUN < 64 && RENAISSANCE_LINES * WHITES_MAX <= 64 &&
                   RENAISSANCE_PILES * RENAISSANCE_SLOTS <= 64,
               "every number is a bit of a set");

typedef uint64_t number_set;
#define NUMBER_BIT(number) ((number_set)1 << (number))

static const uint8_t pairs[PAIRS][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                        {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};

static unsigned set_count(number_set set) {
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (unsigned)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* The number that so many lower ones of the set precede. */
static unsigned set_nth(number_set set, uint32_t n) {
    unsigned skipped = 0, count;
    for (; n >= 8 && n >= (count = set_count(set & 0xffff)); n -= count, skipped += 16)
        set >>= 16;
    for (; n > 0; n--)
        set &= set - 1;
    return skipped + (unsigned)__builtin_ctzll(set);
}

static void action_make(struct action *out, unsigned kind, unsigned a, unsigned b, unsigned c) {
    out->kind = (uint8_t)kind;
    out->arg[0] = (uint8_t)a;
    out->arg[1] = (uint8_t)b;
    out->arg[2] = (uint8_t)c;
}

static number_set leaders_open(const struct renaissance *r, const struct renaissance_seat *s) {
    number_set set = 0;
    (void)r;
    for (unsigned i = 0; i < s->hand_count; i++)
        if (renaissance_holds(s, s->hand[i]))
            set |= (2u | renaissance_leader_is_earned(s, s->hand[i])) << 2 * i;
    return set;
}

static void leaders_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                           struct action *out) {
    (void)r;
    if (number == NUMBER_END)
        action_make(out, RENAISSANCE_END_TURN, 0, 0, 0);
    else
        action_make(out, number % 2 == 0 ? RENAISSANCE_PLAY : RENAISSANCE_DISCARD, s->hand[number / 2], 0, 0);
}

static number_set after_open(const struct renaissance *r, const struct renaissance_seat *s) {
    return leaders_open(r, s) | NUMBER_BIT(NUMBER_END);
}

static number_set pushes_open(const struct renaissance *r, const struct renaissance_seat *s) {
    bool has_choice = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE) == 2;
    number_set set = 0;
    for (unsigned line = 0; line < RENAISSANCE_LINES; line++)
        set |= (has_choice ? (2u << renaissance_line_whites(r, line)) - 1 : (number_set)1)
               << line * WHITES_MAX;
    return set;
}

static void pushes_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                          struct action *out) {
    (void)r;
    (void)s;
    action_make(out, RENAISSANCE_PUSH, number / WHITES_MAX, number % WHITES_MAX, 0);
}

static number_set purchases_open(const struct renaissance *r, const struct renaissance_seat *s) {
    unsigned stock[RENAISSANCE_KINDS], slots[RENAISSANCE_LEVELS + 1] = {0};
    number_set set = 0;
    renaissance_stocks(s, stock);
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) /* R18: by the height of each */
        slots[renaissance_slot_height(s, slot)] |= 1u << slot;
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++) {
        unsigned fitting = slots[pile / RENAISSANCE_COLOURS], card = r->visible[pile];
        uint8_t cost[RENAISSANCE_KINDS];
        if (fitting == 0 || card == 0)
            continue;
        renaissance_price(s, card, cost);
        if (renaissance_covers(stock, cost))
            set |= (number_set)fitting << pile * RENAISSANCE_SLOTS;
    }
    return set;
}

static void purchases_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                             struct action *out) {
    unsigned pile = number / RENAISSANCE_SLOTS;
    (void)r;
    (void)s;
    action_make(out, RENAISSANCE_BUY, pile % RENAISSANCE_COLOURS, 1 + pile / RENAISSANCE_COLOURS,
                number % RENAISSANCE_SLOTS);
}

static void productions_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                               struct action *out) {
    (void)r;
    (void)s;
    if (number == NUMBER_RUN)
        action_make(out, RENAISSANCE_RUN, 0, 0, 0);
    else if (number >= NUMBER_LEADER)
        action_make(out, RENAISSANCE_LEADER, (number - NUMBER_LEADER) / RENAISSANCE_KINDS,
                    (number - NUMBER_LEADER) % RENAISSANCE_KINDS, 0);
    else if (number >= NUMBER_CARD)
        action_make(out, RENAISSANCE_CARD, number - NUMBER_CARD, 0, 0);
    else {
        const uint8_t *pair = pairs[number / RENAISSANCE_KINDS];
        action_make(out, RENAISSANCE_BASE, pair[0], pair[1], number % RENAISSANCE_KINDS);
    }
}

/* When one resource can be gained, all can; so only the first is asked for. */
static const number_set gains = (1u << RENAISSANCE_KINDS) - 1;

static number_set bases_open(const struct renaissance *r, const unsigned stock[RENAISSANCE_KINDS]) {
    number_set set = 0;
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        uint8_t owed[RENAISSANCE_KINDS];
        memcpy(owed, r->owed, sizeof owed);
        renaissance_base_add(pairs[pair], owed);
        if (renaissance_covers(stock, owed))
            set |= gains << pair * RENAISSANCE_KINDS;
    }
    return set;
}

static number_set productions_open(const struct renaissance *r, const struct renaissance_seat *s) {
    unsigned stock[RENAISSANCE_KINDS];
    renaissance_stocks(s, stock);
    number_set set = r->productions < RENAISSANCE_BIT_BASE ? bases_open(r, stock) : 0;
    for (unsigned i = 0; i < RENAISSANCE_SLOTS + RENAISSANCE_LEADERS_KEPT; i++) {
        bool is_card = i < RENAISSANCE_SLOTS;
        unsigned number =
            is_card ? NUMBER_CARD + i : NUMBER_LEADER + (i - RENAISSANCE_SLOTS) * RENAISSANCE_KINDS;
        struct action action = {0};
        uint8_t owed[RENAISSANCE_KINDS];
        productions_action(r, s, number, &action);
        if (renaissance_check_order(r, s, &action) != ERR_OK)
            continue;
        memcpy(owed, r->owed, sizeof owed);
        renaissance_production_add(s, &action, owed);
        if (renaissance_covers(stock, owed))
            set |= (is_card ? (number_set)1 : gains) << number;
    }
    return set;
}

static number_set choosing_open(const struct renaissance *r, const struct renaissance_seat *s) {
    return productions_open(r, s) | NUMBER_BIT(NUMBER_RUN);
}

static number_set fills_open(const struct renaissance *r, const struct renaissance_seat *s) {
    unsigned capacity = renaissance_depot_capacity(s, r->depot_next);
    number_set set = 1;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        unsigned most = r->pool[kind] < capacity ? r->pool[kind] : capacity;
        if (most > 0 && renaissance_check_depot(s, r->depot_next, kind, 1, r->depot_next) == ERR_OK)
            set |= (number_set)((1u << most) - 1) << (1 + kind * FILLS);
    }
    return set;
}

static void fills_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                         struct action *out) {
    (void)s;
    if (number == 0)
        action_make(out, RENAISSANCE_FILL, r->depot_next, 0, 0);
    else
        action_make(out, RENAISSANCE_FILL, r->depot_next, (number - 1) / FILLS, 1 + (number - 1) % FILLS);
}

static number_set payments_open(const struct renaissance *r, const struct renaissance_seat *s) {
    unsigned kind = renaissance_owed_next(r), owed = r->owed[kind], stock[RENAISSANCE_SOURCES];
    number_set set = 0;
    renaissance_stock(s, kind, stock);
    for (unsigned base = 0; base <= stock[RENAISSANCE_FROM_BASE] && base <= owed; base++)
        for (unsigned leaders = 0; leaders <= stock[RENAISSANCE_FROM_LEADERS] && base + leaders <= owed;
             leaders++)
            if (owed - base - leaders <= stock[RENAISSANCE_FROM_STRONGBOX])
                set |= NUMBER_BIT(base * LEADERS_MAX + leaders);
    return set;
}

static void payments_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                            struct action *out) {
    unsigned kind = renaissance_owed_next(r), base = number / LEADERS_MAX, leaders = number % LEADERS_MAX;
    (void)s;
    action_make(out, RENAISSANCE_PAY, kind, base, leaders);
    out->arg[3] = (uint8_t)(r->owed[kind] - base - leaders);
}

/* Leaders by their places in the hand, then resources by kind and depot. */
static number_set setup_open(const struct renaissance *r, const struct renaissance_seat *s) {
    number_set set = 0;
    (void)r;
    for (unsigned a = 0; s->stage == RENAISSANCE_MUST_KEEP && a < s->hand_count; a++)
        for (unsigned b = a + 1; b < s->hand_count; b++)
            if (renaissance_holds(s, s->hand[a]) && renaissance_holds(s, s->hand[b]))
                set |= NUMBER_BIT(a * RENAISSANCE_LEADERS_DEALT + b);
    for (unsigned i = 0; s->stage == RENAISSANCE_MUST_PUT && i < RENAISSANCE_KINDS * RENAISSANCE_BASE_DEPOTS;
         i++) {
        const uint8_t arg[] = {(uint8_t)(i / RENAISSANCE_BASE_DEPOTS),
                               (uint8_t)(i % RENAISSANCE_BASE_DEPOTS)};
        set |= (number_set)(renaissance_check_put(s, arg) == ERR_OK) << i;
    }
    return set;
}

static void setup_action(const struct renaissance *r, const struct renaissance_seat *s, unsigned number,
                         struct action *out) {
    (void)r;
    if (s->stage == RENAISSANCE_MUST_KEEP)
        action_make(out, RENAISSANCE_KEEP, s->hand[number / RENAISSANCE_LEADERS_DEALT],
                    s->hand[number % RENAISSANCE_LEADERS_DEALT], 0);
    else
        action_make(out, RENAISSANCE_PUT, number / RENAISSANCE_BASE_DEPOTS, number % RENAISSANCE_BASE_DEPOTS,
                    0);
}

/* One sort of things to do: which are open, and the action of one of them, of which all bytes are 0 yet. */
struct sort {
    number_set (*open)(const struct renaissance *, const struct renaissance_seat *);
    void (*action)(const struct renaissance *, const struct renaissance_seat *, unsigned number,
                   struct action *);
};

static const struct sort sort_setup = {setup_open, setup_action},
                         sort_leaders = {leaders_open, leaders_action},
                         sort_pushes = {pushes_open, pushes_action},
                         sort_purchases = {purchases_open, purchases_action},
                         sort_productions = {productions_open, productions_action},
                         sort_fills = {fills_open, fills_action},
                         sort_choosing = {choosing_open, productions_action},
                         sort_payments = {payments_open, payments_action},
                         sort_after = {after_open, leaders_action};

/* The only sort of things that a seat can do now; before the main action there are several. */
static const struct sort *sort_of(const struct renaissance *r, const struct renaissance_seat *s) {
    if (s->stage != RENAISSANCE_READY)
        return &sort_setup;
    switch ((enum renaissance_phase)r->phase) {
    case RENAISSANCE_ARRANGING: return &sort_fills;
    case RENAISSANCE_CHOOSING: return &sort_choosing;
    case RENAISSANCE_PAYING: return &sort_payments;
    default: return &sort_after;
    }
}

static bool is_before_main(const struct renaissance *r, const struct renaissance_seat *s) {
    return r->phase == RENAISSANCE_BEFORE && s->stage == RENAISSANCE_READY;
}

/* Outcomes of chance that are few enough to list: places in the pile, or tokens from 0. */
static bool chance_open(const struct renaissance *r, number_set *out) {
    *out = r->phase == RENAISSANCE_REVEALING ? r->unseen[r->revealing] : r->tokens;
    return r->phase == RENAISSANCE_REVEALING || r->phase == RENAISSANCE_TURNING;
}

static void chance_action(const struct renaissance *r, unsigned number, struct action *out) {
    if (r->phase == RENAISSANCE_REVEALING)
        action_make(out, RENAISSANCE_REVEAL, renaissance_pile_card(r->revealing, number), 0, 0);
    else
        action_make(out, RENAISSANCE_TOKEN, number + 1, 0, 0);
}

static size_t list_sort(const struct renaissance *r, const struct renaissance_seat *s,
                        const struct sort *sort, struct action *out) {
    size_t count = 0;
    for (number_set set = sort->open(r, s); set != 0; set &= set - 1) {
        out[count] = (struct action){0};
        sort->action(r, s, (unsigned)__builtin_ctzll(set), &out[count++]);
    }
    return count;
}

static size_t list_chance(const struct renaissance *r, struct action *out) {
    number_set set;
    size_t count = 0;
    if (!chance_open(r, &set))
        return LEGAL_UNLISTED;
    for (; set != 0; set &= set - 1) {
        out[count] = (struct action){0};
        chance_action(r, (unsigned)__builtin_ctzll(set), &out[count++]);
    }
    return count;
}

size_t renaissance_legal(const struct game_state *state, unsigned seat, struct action *out) {
    static const struct sort *const before[] = {&sort_leaders, &sort_pushes, &sort_purchases,
                                                &sort_productions};
    const struct renaissance *r = renaissance_of(state);
    if (!game_may_act(&renaissance_game, state, seat))
        return 0;
    if (seat == SEAT_CHANCE)
        return list_chance(r, out);
    const struct renaissance_seat *s = &r->seat[seat];
    if (!is_before_main(r, s))
        return list_sort(r, s, sort_of(r, s), out);
    size_t count = 0;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        count += list_sort(r, s, before[i], out + count);
    return count;
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

static void sample_chance(const struct renaissance *r, struct rng *rng, struct action *out) {
    number_set set;
    if (chance_open(r, &set)) {
        chance_action(r, set_nth(set, rng_below(rng, set_count(set))), out);
        return;
    }
    switch ((enum renaissance_phase)r->phase) {
    case RENAISSANCE_LAYING: sample_lay(rng, out); return;
    case RENAISSANCE_SHOWING:
        out->kind = RENAISSANCE_SHOW;
        for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
            out->arg[pile] = (uint8_t)renaissance_pile_card(pile, rng_below(rng, RENAISSANCE_PILE_CARDS));
        return;
    default: sample_deal(r, rng, out);
    }
}

/* What to do in a turn: first which sort of action, then which of them, because there are so many ways to
 * produce that they would drown everything else. */
static const struct sort *sample_before(const struct renaissance *r, const struct renaissance_seat *s,
                                        struct rng *rng, number_set *set) {
    static const struct sort *const sorts[] = {&sort_leaders, &sort_productions, &sort_purchases,
                                               &sort_pushes};
    enum { SORTS = sizeof sorts / sizeof *sorts };
    /* The market comes last: it is always open. */
    unsigned i = rng_below(rng, SORTS);
    while ((*set = sorts[i]->open(r, s)) == 0)
        i++;
    return sorts[i];
}

void renaissance_sample(const struct game_state *state, unsigned seat, struct rng *rng, struct action *out) {
    const struct renaissance *r = renaissance_of(state);
    const struct renaissance_seat *s = &r->seat[seat % RENAISSANCE_SEATS_MAX];
    const struct sort *sort;
    number_set set;
    memset(out, 0, sizeof *out);
    if (seat == SEAT_CHANCE) {
        sample_chance(r, rng, out);
        return;
    }
    if (is_before_main(r, s))
        sort = sample_before(r, s, rng, &set);
    else {
        sort = sort_of(r, s);
        set = sort->open(r, s);
    }
    sort->action(r, s, set_nth(set, rng_below(rng, set_count(set))), out);
}
