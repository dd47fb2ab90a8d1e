/* A turn of Masters of Renaissance is one main action with many ways to do it. The bot walks through these
 * ways, as far as its nodes go, up to the end of the action, and takes the one whose position it values most;
 * better levels then look at what the turn after that could bring for the most promising of them. Others are
 * taken into account only by what the own turn gives them: most of the game is a race.
 *
 * It plays on its own view: nothing that it looks at depends on what is hidden. */
#include "bots/renaissance_bot.h"

#include "base/mem.h"

#include <assert.h>

enum {
    CANDIDATES_MAX = 160, /* at least actions_max of the game */
    LEVEL_LOOKS_AHEAD = 5,
    TARGETS = 3,            /* cards that are saved for at the same time */
    LOOKAHEAD_NODES = 1500, /* for one turn after the one that is thought about */
};

/* Positions per decision, and how many points an action may seem better than it is, by level. */
static const struct {
    uint64_t nodes;
    float noise;
} levels[BOT_LEVEL_MAX + 1] = {{0, 0}, {30, 12}, {200, 6}, {3000, 3.2f}, {3000, 0}, {40000, 0}};

struct renaissance_bot {
    struct bot bot;
};

static struct bot *bot_begin(const struct game *game, unsigned level) {
    (void)game;
    struct renaissance_bot *b = mem_alloc(sizeof *b);
    b->bot.nodes_max = levels[level].nodes;
    return &b->bot;
}

static void bot_end(struct bot *bot) {
    mem_free(bot);
}

/* What things are worth, in thousandths of a point: a name, with what tuning begins, and what it is in
 * words. */
#define RENAISSANCE_WEIGHTS(X)                                                                               \
    X(RESOURCE, 200, "a resource that lies there")                                                           \
    X(STEP, 350, "a step of faith, besides what the track says")                                             \
    X(CARD, 12000, "a card, besides what is printed on it")                                                  \
    X(USE, 80, "a resource gained by a production, per turn that is left")                                   \
    X(INPUT, 800, "a resource that a production takes, compared to one gained")                              \
    X(TARGET, 850, "a card that could be bought, compared to one owned")                                     \
    X(NEXT_TARGET, 300, "the next best card to buy, compared to the best")                                   \
    X(MISSING, 780, "a card to buy, for each resource that is missing")                                      \
    X(HAND, 500, "a leader in the hand, compared to one in play")                                            \
    X(LORENZO, 1500, "a step of Lorenzo")                                                                    \
    X(LATER, 500, "what the next turn brings, compared to this one")                                         \
    X(OTHERS, 500, "what the best of the others has, compared to the own")

#define WEIGHT(name, first, words) WORTH_##name,
enum { RENAISSANCE_WEIGHTS(WEIGHT) WORTHS };
#undef WEIGHT
static const char *const weight_names[WORTHS] = {RENAISSANCE_WEIGHTS(BOT_WEIGHT_WORDS)};
static const int32_t weight_firsts[WORTHS] = {RENAISSANCE_WEIGHTS(BOT_WEIGHT_FIRST)};
/* In this order; written by `parlor tune renaissance`. */
static const int32_t weight_values[WORTHS] = {
#include "bots/renaissance_weights.inc"
};
static const struct bot_weights renaissance_weights = {WORTHS, weight_names, weight_firsts, weight_values};

static const float worth_won = 500;

static float worth_of(const int32_t *w, unsigned weight) {
    return (float)w[weight] / 1000.0f;
}

/* Turns that are probably left. A table that goes on for long has none left: then only points count, which
 * brings it to its end. */
static float turns_left(const struct renaissance *r) {
    enum { TURNS_PER_CARD = 3, TURNS_USUAL = 32 };
    unsigned cards = 0, faith = r->lorenzo;
    for (unsigned i = 0; i < r->seats; i++) {
        unsigned owned = renaissance_cards_owned(&r->seat[i]);
        cards = owned > cards ? owned : cards;
        faith = r->seat[i].faith > faith ? r->seat[i].faith : faith;
    }
    float by_cards =
        cards < RENAISSANCE_CARDS_END ? (float)(RENAISSANCE_CARDS_END - cards) * TURNS_PER_CARD : 0;
    float by_faith = (float)(RENAISSANCE_FAITH_MAX - faith) * 1.2f;
    float by_round = r->round < TURNS_USUAL ? (float)(TURNS_USUAL - r->round) : 0;
    float turns = by_cards < by_faith ? by_cards : by_faith;
    return turns < by_round ? turns : by_round;
}

/* What the production of a card brings in the turns that are left. */
static float engine_worth(const int32_t *w, const struct renaissance_card *card, float turns) {
    float gain = 1.2f * (float)card->faith;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        gain += (float)card->output[kind] - worth_of(w, WORTH_INPUT) * (float)card->input[kind];
    return gain > 0 ? gain * turns * worth_of(w, WORTH_USE) : 0;
}

static unsigned renaissance_bot_slot_height(const struct renaissance_seat *s, unsigned slot) {
    unsigned top = renaissance_top(s, slot);
    return top == 0 ? 0 : renaissance_card(top)->level;
}

static bool has_place(const struct renaissance_seat *s, unsigned level) {
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        if (renaissance_bot_slot_height(s, slot) + 1 == level)
            return true;
    return false;
}

static unsigned card_missing(const struct renaissance_seat *s, unsigned card,
                             const unsigned have[RENAISSANCE_KINDS]) {
    uint8_t cost[RENAISSANCE_KINDS];
    unsigned missing = 0;
    renaissance_price(s, card, cost);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        missing += cost[kind] > have[kind] ? cost[kind] - have[kind] : 0;
    return missing;
}

/* What the resources are good for: the visible cards that are nearest and best, the first of them most. */
static float targets_worth(const int32_t *w, const struct renaissance *r, const struct renaissance_seat *s,
                           const unsigned have[RENAISSANCE_KINDS], float turns) {
    float best[TARGETS] = {0}, sum = 0, weight = worth_of(w, WORTH_TARGET);
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++) {
        unsigned card = r->visible[pile];
        if (card == 0 || !has_place(s, renaissance_card(card)->level))
            continue;
        float worth = (float)renaissance_card(card)->points + engine_worth(w, renaissance_card(card), turns) +
                      worth_of(w, WORTH_CARD);
        for (unsigned missing = card_missing(s, card, have); missing > 0; missing--)
            worth *= worth_of(w, WORTH_MISSING);
        for (unsigned i = 0; i < TARGETS; i++)
            if (worth > best[i]) {
                float other = best[i];
                best[i] = worth;
                worth = other;
            }
    }
    for (unsigned i = 0; i < TARGETS; i++, weight *= worth_of(w, WORTH_NEXT_TARGET))
        sum += weight * best[i];
    return sum;
}

static float cards_worth(const int32_t *w, const struct renaissance_seat *s, float turns) {
    float sum = 0;
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        unsigned top = renaissance_top(s, slot);
        if (top != 0)
            sum += engine_worth(w, renaissance_card(top), turns);
    }
    return sum + worth_of(w, WORTH_CARD) * (float)renaissance_cards_owned(s);
}

/* Leaders that may still be played: the more of what they ask for is there, the more. */
static float hand_worth(const int32_t *w, const struct renaissance_seat *s,
                        const unsigned have[RENAISSANCE_KINDS]) {
    float sum = 0;
    for (unsigned i = 0; i < s->hand_count; i++) {
        if (s->hand[i] == RENAISSANCE_HIDDEN)
            continue;
        const struct renaissance_leader *leader = renaissance_leader(s->hand[i]);
        float worth = leader->points + 1.0f;
        for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
            for (unsigned lack = leader->resources[kind]; lack > have[kind]; lack--)
                worth *= 0.8f;
        sum += worth * (renaissance_leader_is_earned(s, s->hand[i]) ? 0.9f : worth_of(w, WORTH_HAND));
    }
    return sum;
}

/* What a colour that runs out would cost. */
static float solo_worth(const int32_t *w, const struct renaissance *r) {
    enum { CARDS_FEW = 3 };
    float worth = -worth_of(w, WORTH_LORENZO) * (float)r->lorenzo;
    for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++) {
        unsigned left = 0;
        for (unsigned level = 1; level <= RENAISSANCE_LEVELS; level++)
            left += renaissance_pile_left(r, renaissance_pile(colour, level));
        if (left < CARDS_FEW)
            worth -= left == 0 ? worth_won : (float)(CARDS_FEW - left) * 4;
    }
    return worth - (r->lorenzo == RENAISSANCE_FAITH_MAX ? worth_won : 0);
}

static float others_worth(const int32_t *w, const struct renaissance *r, unsigned seat) {
    float best = 0;
    for (unsigned i = 0; i < r->seats; i++) {
        float worth = (float)renaissance_points(r, i) + worth_of(w, WORTH_STEP) * (float)r->seat[i].faith;
        best = i != seat && worth > best ? worth : best;
    }
    return best;
}

static float position_worth(const int32_t *w, const struct renaissance *r, unsigned seat) {
    const struct renaissance_seat *s = &r->seat[seat];
    unsigned have[RENAISSANCE_KINDS], sum = 0;
    float turns = turns_left(r), points = (float)renaissance_points(r, seat);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        sum += have[kind] = renaissance_stock_sum(s, kind);
    bool is_done = s->faith == RENAISSANCE_FAITH_MAX || renaissance_cards_owned(s) >= RENAISSANCE_CARDS_END;
    float worth = points + worth_of(w, WORTH_STEP) * (float)s->faith + cards_worth(w, s, turns);
    if (turns > 0)
        worth += worth_of(w, WORTH_RESOURCE) * (float)sum + targets_worth(w, r, s, have, turns) +
                 hand_worth(w, s, have);
    if (r->seats == 1)
        return worth + solo_worth(w, r) + (is_done ? worth_won / 2 : 0);
    float others = others_worth(w, r, seat);
    return worth - worth_of(w, WORTH_OTHERS) * others + (is_done && points > others ? worth_won / 2 : 0);
}

static bool is_main_action_done(const struct renaissance *r) {
    return r->phase == RENAISSANCE_AFTER || r->phase == RENAISSANCE_REVEALING || r->phase == RENAISSANCE_OVER;
}

/* Of the legal actions those worth a thought: a depot as full as it can be or empty, payment from the
 * warehouse first, leaders apart. */
static size_t candidates(const struct renaissance *r, unsigned seat, struct action *out) {
    size_t count = renaissance_game.legal((const struct game_state *)r, seat, out), kept = 0;
    assert(count <= CANDIDATES_MAX);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *arg = out[i].arg;
        bool is_next_fuller =
            i + 1 < count && out[i].kind == RENAISSANCE_FILL && arg[2] > 0 && out[i + 1].arg[1] == arg[1];
        bool is_next_dearer = i + 1 < count && out[i].kind == RENAISSANCE_PAY;
        if (is_next_fuller || is_next_dearer || out[i].kind == RENAISSANCE_PLAY ||
            out[i].kind == RENAISSANCE_DISCARD)
            continue;
        out[kept++] = out[i];
    }
    return kept;
}

static void swap_random(struct action *actions, size_t from, size_t count, struct rng *rng) {
    size_t pick = from + rng_below(rng, (uint32_t)(count - from));
    struct action action = actions[from];
    actions[from] = actions[pick];
    actions[pick] = action;
}

/* The best position at the end of the main action, within so many nodes, and what it is worth. Without nodes
 * or time it still gets to the end, any way. */
static float explore(struct bot *bot, const struct renaissance *r, unsigned seat, uint64_t nodes,
                     struct rng *rng, struct renaissance *best_end) {
    if (is_main_action_done(r)) {
        *best_end = *r;
        return position_worth(bot->weights, r, seat);
    }
    struct action actions[CANDIDATES_MAX];
    size_t count = candidates(r, seat, actions);
    float best = 0;
    bot->thought.nodes++;
    for (size_t i = 0; i < count && (i == 0 || (i < nodes && !bot_must_stop(bot))); i++) {
        struct renaissance next = *r, end;
        swap_random(actions, i, count, rng);
        renaissance_game.apply((struct game_state *)&next, seat, &actions[i]);
        float worth = explore(bot, &next, seat, nodes / count, rng, &end);
        if (i == 0 || worth > best) {
            best = worth;
            *best_end = end;
        }
    }
    return best;
}

/* What the turn after this one could bring, as if nobody else acted in between. */
static float look_ahead(struct bot *bot, const struct renaissance *end, unsigned seat, struct rng *rng) {
    struct renaissance next = *end, last;
    if (next.phase == RENAISSANCE_REVEALING) {
        struct action action;
        renaissance_game.sample((struct game_state *)&next, SEAT_CHANCE, rng, &action);
        renaissance_game.apply((struct game_state *)&next, SEAT_CHANCE, &action);
    }
    if (next.phase != RENAISSANCE_AFTER || next.is_ending)
        return position_worth(bot->weights, &next, seat);
    next.phase = RENAISSANCE_BEFORE;
    return explore(bot, &next, seat, LOOKAHEAD_NODES, rng, &last);
}

struct option {
    struct action action;
    float worth;
    struct renaissance end;
};

/* Thinks the best options through the next turn, as many as the nodes allow; the others drop out. */
static size_t options_deepen(struct bot *bot, struct option *options, size_t count, unsigned seat,
                             uint64_t nodes, struct rng *rng) {
    size_t wanted = nodes / LOOKAHEAD_NODES;
    for (size_t i = 0; i < wanted && i < count && !bot_must_stop(bot); i++) {
        size_t best = i;
        for (size_t k = i + 1; k < count; k++)
            best = options[k].worth > options[best].worth ? k : best;
        struct option option = options[best];
        options[best] = options[i];
        /* What comes a turn later is worth less: otherwise it is all the same when a card is bought. */
        option.worth +=
            worth_of(bot->weights, WORTH_LATER) * (look_ahead(bot, &option.end, seat, rng) - option.worth);
        options[i] = option;
    }
    return wanted == 0 || wanted > count ? count : wanted;
}

/* The best action by so many nodes. */
static void options_weigh(struct bot *bot, const struct renaissance *r, unsigned seat, uint64_t nodes_max,
                          struct rng *rng, struct action *out) {
    struct action actions[CANDIDATES_MAX];
    static const uint64_t share = 2; /* one part for this turn, the rest for the next */
    bool is_deep = bot->level >= LEVEL_LOOKS_AHEAD;
    size_t count = candidates(r, seat, actions);
    uint64_t nodes = is_deep ? nodes_max / share : nodes_max;
    struct option *options = mem_alloc(count * sizeof *options);
    for (size_t i = 0; i < count; i++) {
        struct renaissance next = *r;
        renaissance_game.apply((struct game_state *)&next, seat, &actions[i]);
        options[i].action = actions[i];
        options[i].worth =
            explore(bot, &next, seat, bot_must_stop(bot) ? 0 : nodes / count, rng, &options[i].end);
        if (levels[bot->level].noise > 0)
            options[i].worth += levels[bot->level].noise * (float)rng_below(rng, 1001) / 1000;
    }
    if (is_deep)
        count = options_deepen(bot, options, count, seat, nodes_max - nodes, rng);
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        best = options[i].worth > options[best].worth ? i : best;
    *out = options[best].action;
    mem_free(options);
}

/* With a clock it weighs again with more and more nodes; what was not finished in time does not count. */
static void choose_main(struct bot *bot, const struct renaissance *r, unsigned seat, struct rng *rng,
                        struct action *out) {
    enum { NODES_FIRST = 2000, NODES_TIMES = 4, NODES_LAST = 2 * 1000 * 1000 };
    uint64_t nodes = bot->now_ns == NULL || bot->nodes_max < NODES_FIRST ? bot->nodes_max : NODES_FIRST;
    options_weigh(bot, r, seat, nodes, rng, out);
    while (bot->now_ns != NULL && nodes * NODES_TIMES <= bot->nodes_max && nodes < NODES_LAST) {
        struct action action;
        nodes *= NODES_TIMES;
        options_weigh(bot, r, seat, nodes, rng, &action);
        if (bot_must_stop(bot))
            return;
        *out = action;
    }
}

/* The action after which the position is worth most. */
static void choose_greedy(const int32_t *w, const struct renaissance *r, unsigned seat, struct action *out) {
    struct action actions[CANDIDATES_MAX];
    size_t count = renaissance_game.legal((const struct game_state *)r, seat, actions);
    float best = 0;
    for (size_t i = 0; i < count; i++) {
        struct renaissance next = *r;
        renaissance_game.apply((struct game_state *)&next, seat, &actions[i]);
        float worth = position_worth(w, &next, seat);
        if (i == 0 || worth > best) {
            best = worth;
            *out = actions[i];
        }
    }
}

/* A leader that can be played is played; it costs nothing. */
static bool choose_leader(const struct renaissance *r, unsigned seat, struct action *out) {
    const struct renaissance_seat *s = &r->seat[seat];
    bool is_time = r->phase == RENAISSANCE_BEFORE || r->phase == RENAISSANCE_AFTER;
    for (unsigned i = 0; is_time && i < s->hand_count; i++)
        if (renaissance_leader_is_earned(s, s->hand[i])) {
            *out = renaissance_action(RENAISSANCE_PLAY, s->hand[i], 0, 0, 0);
            return true;
        }
    return false;
}

/* After the main action only a discarded leader is left to think about: worth it when its step decides
 * something, or when it will hardly be played any more. */
static void choose_after(const int32_t *w, const struct renaissance *r, unsigned seat, struct action *out) {
    const struct renaissance_seat *s = &r->seat[seat];
    *out = renaissance_action(RENAISSANCE_END_TURN, 0, 0, 0, 0);
    for (unsigned i = 0; i < s->hand_count; i++) {
        struct renaissance next = *r;
        struct action discard = renaissance_action(RENAISSANCE_DISCARD, s->hand[i], 0, 0, 0);
        renaissance_game.apply((struct game_state *)&next, seat, &discard);
        if (position_worth(w, &next, seat) > position_worth(w, r, seat))
            *out = discard;
    }
}

/* Pairs of leaders: what they are good for early on, and together. */
static void choose_keep(const struct renaissance_seat *s, struct action *out) {
    static const float ability[] = {[RENAISSANCE_DISCOUNT] = 3.0f,
                                    [RENAISSANCE_STORE] = 1.0f,
                                    [RENAISSANCE_EXCHANGE] = 2.0f,
                                    [RENAISSANCE_PRODUCTION] = 2.5f};
    float best = -1;
    for (unsigned a = 0; a < s->hand_count; a++)
        for (unsigned b = a + 1; b < s->hand_count; b++) {
            const struct renaissance_leader *x = renaissance_leader(s->hand[a]),
                                            *y = renaissance_leader(s->hand[b]);
            float worth = ability[x->ability] + ability[y->ability] + 0.3f * (float)(x->points + y->points);
            for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
                worth += x->cards[colour] > 0 && y->cards[colour] > 0 ? 0.5f : 0;
            if (worth > best) {
                best = worth;
                *out = renaissance_action(RENAISSANCE_KEEP, s->hand[a], s->hand[b], 0, 0);
            }
        }
}

static void renaissance_bot_think(struct bot *bot, const struct game_view *view, unsigned seat,
                                  struct rng *rng, struct action *out) {
    const struct renaissance *r = renaissance_of_view(view);
    const struct renaissance_seat *s = &r->seat[seat];
    if (s->stage == RENAISSANCE_MUST_KEEP)
        choose_keep(s, out);
    else if (s->stage == RENAISSANCE_MUST_PUT)
        choose_greedy(bot->weights, r, seat, out);
    else if (choose_leader(r, seat, out))
        return;
    else if (r->phase == RENAISSANCE_AFTER)
        choose_after(bot->weights, r, seat, out);
    else
        choose_main(bot, r, seat, rng, out);
}

const struct bot_kind renaissance_bot_kind = {"race",  &renaissance_game,    bot_begin, renaissance_bot_think,
                                              bot_end, &renaissance_weights, NULL};
