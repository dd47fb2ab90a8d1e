/* Two players without powers are searched turn by turn (santorini_plain.h). Everybody else by alpha-beta over
 * the steps of turns, deeper and deeper until the nodes are used up: every power is played through the rules
 * alone, a step that the rules list is a branch, whatever god it comes from. With three players all others
 * are taken for opponents of the bot. What chance draws for Chaos is not foreseen; the first power of the
 * deck stands for it. */
#include "bots/santorini_bot.h"

#include "base/mem.h"
#include "bots/santorini_plain.h"
#include "games/santorini/santorini.h"

#include <assert.h>

enum {
    VALUE_WIN = 1000000,
    VALUE_SURE = VALUE_WIN - 1000, /* from here on a value is a proven end */
    VALUE_REACH = 4,               /* a cell that a builder can go to */
    VALUE_STEP = 12,               /* ... that is one level higher */
    VALUE_GOAL = 150,              /* ... on the third level */
    VALUE_CENTRE = 3,
    VALUE_BUILDER = 60, /* that it is on the board at all */
    VALUE_HALF = 300,   /* half of a sure win, for those who ask why */

    DEPTH_MAX = 24,     /* steps */
    ROAM_MOVES_MAX = 2, /* moves of a turn that are looked at when it can be ended instead */
};

/* A builder on the ground, and on each level. */
static const int level_values[SANTORINI_HEIGHT_MAX + 1] = {0, 40, 100, 110};

struct level {
    uint64_t nodes;
    unsigned depth_max;
    uint32_t noise; /* added to the value of a step at random */
    struct plain_limits plain;
};

static const struct level levels[BOT_LEVEL_MAX + 1] = {
    {0},
    {40, 1, 120, {1, 300}},
    {300, 2, 40, {1, 20}},
    {6000, 8, 4, {2, 8}},
    {60000, DEPTH_MAX, 2, {PLAIN_DEPTH_MAX, 2}},
    {500000, DEPTH_MAX, 1, {PLAIN_DEPTH_MAX, 1}},
};

struct santorini_bot {
    struct bot bot;
    struct plain_engine *plain;
    unsigned seat; /* that it thinks for */
    uint64_t nodes;
    bool is_stopped;
};

static struct bot *santorini_bot_open(const struct game *game, unsigned level) {
    (void)game;
    struct santorini_bot *b = mem_alloc(sizeof *b);
    b->plain = plain_engine_create();
    b->bot.nodes_max = levels[level].nodes;
    return &b->bot;
}

static void santorini_close(struct bot *bot) {
    plain_engine_free(((struct santorini_bot *)bot)->plain);
    mem_free(bot);
}

static struct game_state *santorini_bot_state_of(struct santorini *s) {
    return (struct game_state *)s;
}

static int centre_value(unsigned cell) {
    int row = (int)(cell / SANTORINI_SIDE) - 2, column = (int)(cell % SANTORINI_SIDE) - 2;
    return 4 - row * row / 2 - column * column / 2;
}

static int builder_value(const struct santorini *s, unsigned cell) {
    unsigned height = santorini_height(s, cell);
    int value = VALUE_BUILDER + level_values[height] + VALUE_CENTRE * centre_value(cell);
    cell_set open = santorini_neighbours(cell) & ~s->dome & ~santorini_occupied(s);
    for (; open != 0; open &= open - 1) {
        unsigned to = (unsigned)__builtin_ctz(open), high = santorini_height(s, to);
        if (high > height + 1)
            continue;
        value += VALUE_REACH;
        if (high == SANTORINI_HEIGHT_MAX && height == SANTORINI_HEIGHT_MAX - 1)
            value += VALUE_GOAL;
        else if (high > height)
            value += VALUE_STEP * (int)high;
    }
    return value;
}

static int seat_value(const struct santorini *s, unsigned seat) {
    int value = 0;
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        if (s->builder[seat][b] != SANTORINI_NOWHERE)
            value += builder_value(s, s->builder[seat][b]);
    return value;
}

/* For the bot: what it has beyond the average of the others. */
static int santorini_bot_evaluate(const struct santorini *s, unsigned seat) {
    int others = 0, count = 0;
    for (unsigned other = 0; other < s->seat_count; other++)
        if (other != seat && santorini_is_alive(s, other)) {
            others += seat_value(s, other);
            count++;
        }
    return seat_value(s, seat) - others / (count == 0 ? 1 : count);
}

/* What is likely good comes first: climbs, then builds, then the rest. */
static int action_order(const struct santorini *s, const struct action *action) {
    if (action->kind == SANTORINI_ACT_MOVE)
        return 2 + 3 * (int)santorini_height(s, action->arg[1]) -
               (int)santorini_height(s, santorini_cell(s, action->arg[0]));
    return action->kind == SANTORINI_ACT_END ? 1 : 0;
}

static void actions_sort(const struct santorini *s, struct action *actions, size_t count) {
    int order[SANTORINI_ACTIONS_MAX];
    for (size_t i = 0; i < count; i++) {
        struct action action = actions[i];
        int value = action_order(s, &action);
        size_t k = i;
        for (; k > 0 && order[k - 1] < value; k--) {
            actions[k] = actions[k - 1];
            order[k] = order[k - 1];
        }
        actions[k] = action;
        order[k] = value;
    }
}

/* The steps to look at. A god who roams could go on for ever; after some moves he is to come to the end. */
static size_t actions_list(const struct santorini *s, struct action *actions) {
    size_t count = santorini_game.legal((const struct game_state *)s, s->mover, actions), kept = 0, ends = 0;
    for (size_t i = 0; i < count; i++)
        ends += actions[i].kind != SANTORINI_ACT_MOVE;
    if (s->moves < ROAM_MOVES_MAX || ends == 0)
        return count;
    for (size_t i = 0; i < count; i++)
        if (actions[i].kind != SANTORINI_ACT_MOVE)
            actions[kept++] = actions[i];
    return kept;
}

/* Chance gives Chaos the first power of what is left. */
static void draw_first(struct santorini *s) {
    struct action action = santorini_action(SANTORINI_ACT_DRAW, (unsigned)__builtin_ctz(s->chaos_deck), 0);
    santorini_game.apply(santorini_bot_state_of(s), SEAT_CHANCE, &action);
}

static int end_value(const struct santorini *s, unsigned seat, unsigned ply) {
    if (s->phase == SANTORINI_OVER && s->winner == SANTORINI_NOBODY)
        return 0;
    bool is_won = s->phase == SANTORINI_OVER && s->winner == seat;
    return is_won ? VALUE_WIN - (int)ply : -VALUE_WIN + (int)ply;
}

/* The value for the bot, so many steps deep; a guess once the nodes are used up. */
static int santorini_bot_search(struct santorini_bot *b, const struct santorini *s, unsigned ply,
                                unsigned depth, int alpha, int beta) {
    struct action actions[SANTORINI_ACTIONS_MAX];
    if (s->phase == SANTORINI_OVER || !santorini_is_alive(s, b->seat))
        return end_value(s, b->seat, ply);
    b->is_stopped = b->is_stopped || ++b->nodes >= b->bot.nodes_max || bot_must_stop(&b->bot);
    if (depth == 0 || b->is_stopped)
        return santorini_bot_evaluate(s, b->seat);
    bool is_own = s->mover == b->seat;
    size_t count = actions_list(s, actions);
    int best = is_own ? -VALUE_WIN : VALUE_WIN;
    actions_sort(s, actions, count);
    for (size_t i = 0; i < count && alpha < beta && !(b->is_stopped && i > 0); i++) {
        struct santorini next = *s;
        santorini_game.apply(santorini_bot_state_of(&next), s->mover, &actions[i]);
        if (next.phase == SANTORINI_DRAW)
            draw_first(&next);
        int value = santorini_bot_search(b, &next, ply + 1, depth - 1, alpha, beta);
        if (is_own) {
            best = value > best ? value : best;
            alpha = best > alpha ? best : alpha;
        } else {
            best = value < best ? value : best;
            beta = best < beta ? best : beta;
        }
    }
    return best;
}

/* One round at the root: the best action comes to the front. Its value; what the nodes did not suffice for
 * keeps its place. */
static int santorini_bot_root_round(struct santorini_bot *b, const struct santorini *s,
                                    struct action *actions, uint32_t *noise, size_t count, unsigned depth) {
    int best = -2 * VALUE_WIN;
    for (size_t i = 0; i < count; i++) {
        struct santorini next = *s;
        struct action action = actions[i];
        uint32_t own_noise = noise[i];
        santorini_game.apply(santorini_bot_state_of(&next), s->mover, &action);
        if (next.phase == SANTORINI_DRAW)
            draw_first(&next);
        int value = santorini_bot_search(b, &next, 1, depth - 1, best - (int)own_noise, VALUE_WIN);
        if (b->is_stopped && i > 0)
            break;
        if (value + (int)own_noise <= best && i > 0)
            continue;
        best = value + (int)own_noise;
        memmove(actions + 1, actions, i * sizeof *actions);
        memmove(noise + 1, noise, i * sizeof *noise);
        actions[0] = action;
        noise[0] = own_noise;
        if (value >= VALUE_SURE)
            break;
    }
    return best;
}

static void step_choose(struct santorini_bot *b, const struct santorini *s, struct rng *rng,
                        struct action *out) {
    const struct level *level = &levels[b->bot.level];
    struct action actions[SANTORINI_ACTIONS_MAX];
    uint32_t noise[SANTORINI_ACTIONS_MAX];
    size_t count = actions_list(s, actions);
    b->nodes = 0;
    b->is_stopped = false;
    actions_sort(s, actions, count);
    for (size_t i = 0; i < count; i++)
        noise[i] = rng_below(rng, level->noise + 1);
    for (unsigned depth = 1; count > 1 && depth <= level->depth_max && !b->is_stopped; depth++) {
        int value = santorini_bot_root_round(b, s, actions, noise, count, depth);
        b->bot.thought.depth = depth;
        bot_expect_value(&b->bot, value, VALUE_HALF);
        if (value >= VALUE_SURE || value <= -VALUE_SURE)
            break;
    }
    b->bot.thought.nodes = b->nodes;
    *out = actions[0];
}

/* The steps of a turn: a move, unless it has been made, and what is built. Returns their number. */
static size_t plain_steps(const struct santorini *s, const struct plain_turn *t, struct action out[2]) {
    size_t count = 0;
    unsigned builder = s->builder[s->mover][0] == t->from ? 0 : 1;
    bool is_dome = !t->is_climb && santorini_height(s, t->site) == SANTORINI_HEIGHT_MAX;
    if (s->moves == 0)
        out[count++] = santorini_action(SANTORINI_ACT_MOVE, builder, t->to);
    if (!t->is_climb)
        out[count++] = santorini_action(is_dome ? SANTORINI_ACT_DOME : SANTORINI_ACT_BUILD, builder, t->site);
    return count;
}

/* What the search expects, step by step. */
static void plain_explain(struct santorini_bot *b, const struct santorini *s,
                          const struct plain_answer *answer) {
    struct santorini at = *s;
    b->bot.thought.nodes = answer->nodes;
    b->bot.thought.depth = answer->depth;
    bot_expect_value(&b->bot, answer->turns[0].value, VALUE_HALF);
    for (size_t i = 0; i < answer->line_count && at.phase == SANTORINI_TURN; i++) {
        struct action steps[2];
        unsigned seat = at.mover;
        size_t count = plain_steps(&at, &answer->line[i], steps);
        for (size_t k = 0; k < count && at.phase == SANTORINI_TURN; k++) {
            bot_expect(&b->bot, seat, &steps[k]);
            santorini_game.apply(santorini_bot_state_of(&at), seat, &steps[k]);
        }
    }
}

/* A whole turn is chosen at once: its second half is the plan. */
static void plain_choose(struct santorini_bot *b, const struct santorini *s, struct rng *rng,
                         struct action *out) {
    struct plain_answer answer;
    struct action steps[2];
    plain_engine_search(b->plain, &b->bot, s, &levels[b->bot.level].plain, rng, &answer);
    assert(answer.count > 0);
    plain_explain(b, s, &answer);
    size_t count = plain_steps(s, &answer.turns[0], steps);
    *out = steps[0];
    if (count > 1)
        bot_intend(&b->bot, &steps[1]);
}

/* Near the centre, with some chance in it. */
static void place_near(const struct santorini *s, struct rng *rng, struct action *out) {
    int best = -1;
    for (cell_set cells = santorini_places(s); cells != 0; cells &= cells - 1) {
        unsigned cell = (unsigned)__builtin_ctz(cells);
        int value = 4 * centre_value(cell) + (int)rng_below(rng, 8) + 16;
        if (value > best) {
            best = value;
            *out = santorini_action(SANTORINI_ACT_PLACE, cell, 0);
        }
    }
}

static void place_choose(struct santorini_bot *b, const struct santorini *s, struct rng *rng,
                         struct action *out) {
    enum { LEVEL_PLACES = 3 }; /* from this level on places are searched */
    if (b->bot.level >= LEVEL_PLACES && plain_engine_plays(s))
        *out = santorini_action(SANTORINI_ACT_PLACE, plain_engine_place(b->plain, &b->bot, s, rng), 0);
    else
        place_near(s, rng, out);
}

static void santorini_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                             struct action *out) {
    struct santorini_bot *b = (struct santorini_bot *)bot;
    const struct santorini *s = santorini_of_view(view);
    b->seat = seat;
    switch (s->phase) {
    case SANTORINI_BORN: *out = santorini_action_born(0, 0, 0); return;
    case SANTORINI_PLACE: place_choose(b, s, rng, out); return;
    case SANTORINI_TURN:
        if (plain_engine_plays(s))
            plain_choose(b, s, rng, out);
        else
            step_choose(b, s, rng, out);
        return;
    default: santorini_game.sample((const struct game_state *)s, seat, rng, out);
    }
}

const struct bot_kind santorini_bot_kind = {
    "santorini", &santorini_game, santorini_bot_open, santorini_choose, santorini_close, NULL, NULL};
