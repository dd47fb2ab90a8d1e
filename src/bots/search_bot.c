/* A tree search that plays any game through struct game alone, hidden information and chance included.
 *
 * Each round imagines a world behind the view, walks down a tree of actions, adds one node, plays on at
 * random and counts how the seats did along the way (information set Monte Carlo tree search). The tree holds
 * actions, not states: what chance decided and what was imagined differs from round to round, and a node is
 * the average over all of it. A child takes part in the choice only when its action is legal in the world of
 * the round. */
#include "base/mem.h"
#include "bots/bots.h"

#include <assert.h>
#include <math.h>

enum {
    NODES_CAPACITY = 1 << 15,
    NODE_NONE = 0, /* the root is nobody's child or sibling */
    DEPTH_MAX = 128,
    UNLISTED_CHILDREN_MAX = 24, /* of a node whose actions are too many to list */
};

static const float exploration = 0.8f;

/* Rounds per decision, by level. */
static const uint64_t level_rounds[BOT_LEVEL_MAX + 1] = {0, 40, 200, 1000, 4000, 16000};

struct node {
    struct action action; /* that leads here */
    uint32_t first_child, next_sibling;
    uint32_t visits;
    uint32_t chances; /* rounds in which it could have been chosen */
    float reward;     /* sum over the visits, for the seat that acted */
    uint32_t seat;
};

struct search_bot {
    struct bot bot;
    struct game_state *world;
    struct action *actions; /* room for actions_max */
    struct node *nodes;
    uint32_t node_count;
    uint32_t path[DEPTH_MAX];
    size_t path_count;
};

static struct bot *search_open(const struct game *game, unsigned level) {
    struct search_bot *s = mem_alloc(sizeof *s);
    s->world = game_state_alloc(game);
    s->actions = mem_alloc(game->actions_max * sizeof *s->actions);
    s->nodes = mem_alloc(NODES_CAPACITY * sizeof *s->nodes);
    s->bot.nodes_max = level_rounds[level];
    return &s->bot;
}

static void search_close(struct bot *bot) {
    struct search_bot *s = (struct search_bot *)bot;
    mem_free(s->world);
    mem_free(s->actions);
    mem_free(s->nodes);
    mem_free(s);
}

static uint32_t child_find(const struct search_bot *s, uint32_t parent, unsigned seat,
                           const struct action *action) {
    uint32_t i = s->nodes[parent].first_child;
    while (i != NODE_NONE && (s->nodes[i].seat != seat || !action_equal(&s->nodes[i].action, action)))
        i = s->nodes[i].next_sibling;
    return i;
}

/* NODE_NONE when the tree is full. */
static uint32_t child_add(struct search_bot *s, uint32_t parent, unsigned seat, const struct action *action) {
    if (s->node_count == NODES_CAPACITY)
        return NODE_NONE;
    uint32_t i = s->node_count++;
    s->nodes[i] =
        (struct node){.action = *action, .seat = seat, .next_sibling = s->nodes[parent].first_child};
    s->nodes[parent].first_child = i;
    return i;
}

static float child_value(const struct node *n) {
    float visits = (float)n->visits;
    return n->reward / visits + exploration * sqrtf(logf((float)n->chances) / visits);
}

/* Of the children that are legal in this world the most promising one; each of them had its chance. */
static uint32_t child_best(struct search_bot *s, uint32_t parent, unsigned seat) {
    uint32_t best = NODE_NONE;
    float best_value = -1;
    for (uint32_t i = s->nodes[parent].first_child; i != NODE_NONE; i = s->nodes[i].next_sibling) {
        struct node *n = &s->nodes[i];
        if (n->seat != seat || s->bot.game->check(s->world, seat, &n->action) != ERR_OK)
            continue;
        n->chances++;
        float value = child_value(n);
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

/* One action of the seat that has no node yet, among those that can be listed; false when there is none. */
static bool untried_listed(struct search_bot *s, uint32_t parent, unsigned seat, size_t count,
                           struct rng *rng, struct action *out) {
    size_t untried = 0;
    for (size_t i = 0; i < count; i++)
        if (child_find(s, parent, seat, &s->actions[i]) == NODE_NONE &&
            rng_below(rng, (uint32_t)++untried) == 0)
            *out = s->actions[i];
    return untried > 0;
}

static bool untried_unlisted(struct search_bot *s, uint32_t parent, unsigned seat, struct rng *rng,
                             struct action *out) {
    unsigned children = 0;
    for (uint32_t i = s->nodes[parent].first_child; i != NODE_NONE; i = s->nodes[i].next_sibling)
        children += s->nodes[i].seat == seat;
    if (children >= UNLISTED_CHILDREN_MAX)
        return false;
    s->bot.game->sample(s->world, seat, rng, out);
    return child_find(s, parent, seat, out) == NODE_NONE;
}

static bool untried_draw(struct search_bot *s, uint32_t parent, unsigned seat, struct rng *rng,
                         struct action *out) {
    size_t count = s->bot.game->legal(s->world, seat, s->actions);
    return count == LEGAL_UNLISTED ? untried_unlisted(s, parent, seat, rng, out)
                                   : untried_listed(s, parent, seat, count, rng, out);
}

static unsigned seat_draw(seat_set set, struct rng *rng) {
    for (uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(set)); skip > 0; skip--)
        set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

/* Goes down from the root until a new node or the end of the table; only the given seat acts first. */
static void round_descend(struct search_bot *s, unsigned first_seat, struct rng *rng) {
    const struct game *game = s->bot.game;
    uint32_t at = 0;
    seat_set set;
    s->path_count = 0;
    while ((set = game->turn(s->world)) != 0 && s->path_count < DEPTH_MAX) {
        unsigned seat = s->path_count == 0 ? first_seat : seat_draw(set, rng);
        struct action action;
        if (seat == SEAT_CHANCE) {
            game->sample(s->world, seat, rng, &action);
            game->apply(s->world, seat, &action);
            continue;
        }
        bool is_new = untried_draw(s, at, seat, rng, &action);
        uint32_t next = is_new ? child_add(s, at, seat, &action) : child_best(s, at, seat);
        if (next == NODE_NONE)
            return;
        s->nodes[next].chances += is_new;
        game->apply(s->world, seat, &s->nodes[next].action);
        s->path[s->path_count++] = next;
        at = next;
        if (is_new)
            return;
    }
}

/* How well a seat did, from 0 to 1: the part of the others that it beat. Alone, more points are better. */
static float reward_of(const int32_t points[SEATS_MAX], unsigned seat) {
    float beaten = 0, others = 0;
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        if (i == seat || points[i] == INT32_MIN)
            continue;
        others++;
        beaten += points[seat] > points[i] ? 1.0f : points[seat] == points[i] ? 0.5f : 0;
    }
    float own = (float)points[seat];
    return others > 0 ? beaten / others : 0.5f + 0.5f * own / (20 + fabsf(own));
}

static void round_play(struct search_bot *s, const struct game_view *view, unsigned seat, struct rng *rng) {
    const struct game *game = s->bot.game;
    int32_t points[SEATS_MAX] = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    memcpy(s->world, view, game->state_size);
    game->imagine((struct game_view *)s->world, seat, rng);
    round_descend(s, seat, rng);
    game->playout(game, s->world, rng);
    game->score(s->world, points);
    for (size_t i = 0; i < s->path_count; i++) {
        struct node *n = &s->nodes[s->path[i]];
        n->visits++;
        n->reward += reward_of(points, n->seat);
    }
}

/* The way that most rounds went. */
static void search_explain(struct search_bot *s, uint32_t best) {
    const struct node *n = &s->nodes[best];
    s->bot.thought.visits = n->visits;
    s->bot.thought.has_value = true;
    s->bot.thought.value = (int32_t)(BOT_VALUE_MAX * (2 * n->reward / (float)n->visits - 1));
    while (best != NODE_NONE) {
        uint32_t next = NODE_NONE;
        bot_expect(&s->bot, s->nodes[best].seat, &s->nodes[best].action);
        for (uint32_t i = s->nodes[best].first_child; i != NODE_NONE; i = s->nodes[i].next_sibling)
            if (next == NODE_NONE || s->nodes[i].visits > s->nodes[next].visits)
                next = i;
        best = next;
    }
}

static void search_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                          struct action *out) {
    struct search_bot *s = (struct search_bot *)bot;
    s->nodes[0] = (struct node){0};
    s->node_count = 1;
    for (uint64_t i = 0; (i < bot->nodes_max && !bot_must_stop(bot)) || i == 0; i++) {
        round_play(s, view, seat, rng);
        bot->thought.nodes++;
    }
    uint32_t best = s->nodes[0].first_child;
    assert(best != NODE_NONE);
    for (uint32_t i = best; i != NODE_NONE; i = s->nodes[i].next_sibling)
        if (s->nodes[i].visits > s->nodes[best].visits)
            best = i;
    *out = s->nodes[best].action;
    search_explain(s, best);
}

const struct bot_kind search_bot_kind = {"search",     NULL, search_open, search_choose,
                                         search_close, NULL, NULL};
