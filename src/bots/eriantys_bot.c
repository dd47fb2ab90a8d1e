/* A turn of Eriantys is a few steps with dozens of ways each. The bot goes through them with a beam: of all
 * positions after one step it keeps the best, judged as if mother nature moved to the best place right then,
 * and goes on from those. The first step of the best whole turn is its choice. What chance puts on a card is
 * imagined.
 *
 * Assistants are chosen by the turn that each would allow, as if the others had already played at random and
 * nobody acted before; the sooner one acts the better. */
#include "bots/eriantys_bot.h"

#include "base/mem.h"

#include <assert.h>

enum {
    BEAM_MAX = 48,
    STEPS_MAX = 16,           /* of one turn: students, a character with its swaps, mother nature, a cloud */
    NODES_PER_BEAM = 250,     /* what a turn of usual length costs for each kept position */
    ASSISTANT_NODES_MIN = 60, /* for each card of the hand */

    WORTH_WIN = 1000000,
    WORTH_HALF = 400, /* half of a sure win, for those who ask why */
    LEAD_MAX = 3,
    NEAR_STEPS = 4,
    COINS_MAX = 4, /* more of them are worth nothing more */
};

/* The worth of things: a name, with what tuning begins, and what it is in words. */
#define ERIANTYS_WEIGHTS(X)                                                                                  \
    X(TOWER, 120, "a tower on an island")                                                                    \
    X(PROFESSOR, 45, "a professor")                                                                          \
    X(LEAD, 3, "a student more than the next who could have the professor, up to three")                     \
    X(DINING, 2, "a student in the dining room")                                                             \
    X(COIN, 7, "a coin, up to four")                                                                         \
    X(NEAR, 20, "an island that would change hands when mother nature comes, and she is near")               \
    X(FAR, 10, "the same, and she is far or banned")                                                         \
    X(HELD, 5, "an island that would stay as it is")                                                         \
    X(FIRST, 6, "acting before another seat")                                                                \
    X(CARD, 2, "a step of mother nature that stays in the hand")

#define WEIGHT(name, first, words) WORTH_##name,
enum { ERIANTYS_WEIGHTS(WEIGHT) WORTHS };
#undef WEIGHT
static const char *const weight_names[WORTHS] = {ERIANTYS_WEIGHTS(BOT_WEIGHT_WORDS)};
static const int32_t weight_firsts[WORTHS] = {ERIANTYS_WEIGHTS(BOT_WEIGHT_FIRST)};
/* In this order; written by `parlor tune eriantys`. */
static const int32_t weight_values[WORTHS] = {
#include "bots/eriantys_weights.inc"
};
static const struct bot_weights eriantys_weights = {WORTHS, weight_names, weight_firsts, weight_values};

/* Positions to look at for one decision, and slips of a thousand, by level. */
static const struct {
    uint32_t nodes, slips;
} levels[BOT_LEVEL_MAX + 1] = {{0, 0}, {250, 600}, {250, 300}, {1500, 130}, {5000, 85}, {12000, 0}};

struct plan {
    struct eriantys state;
    struct action first; /* that began it */
    int32_t value;
};

struct eriantys_bot {
    struct bot bot;
    struct plan beams[2][BEAM_MAX];
    struct action *actions; /* room for actions_max */
    unsigned width;
    uint64_t nodes, nodes_max; /* of the search that is under way */
};

static struct bot *eriantys_bot_open(const struct game *game, unsigned level) {
    struct eriantys_bot *b = mem_alloc(sizeof *b);
    b->actions = mem_alloc(game->actions_max * sizeof *b->actions);
    b->bot.nodes_max = levels[level].nodes;
    b->bot.slips = levels[level].slips;
    return &b->bot;
}

static void eriantys_close(struct bot *bot) {
    struct eriantys_bot *b = (struct eriantys_bot *)bot;
    mem_free(b->actions);
    mem_free(b);
}

static int32_t at_most(int32_t value, int32_t max) {
    return value < max ? value : max;
}

/* What the professor of one colour is worth to its owner's team, with how safe it is. */
static void professor_worth(const int32_t *w, const struct eriantys *e, unsigned color,
                            int32_t worth[ERIANTYS_TEAMS_MAX]) {
    unsigned owner = e->professor[color];
    int32_t own, next = 0;
    if (owner == ERIANTYS_NONE)
        return;
    own = e->seat[owner].dining[color];
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        if (eriantys_team(e, seat) != eriantys_team(e, owner) && e->seat[seat].dining[color] > next)
            next = e->seat[seat].dining[color];
    worth[eriantys_team(e, owner)] += w[WORTH_PROFESSOR] + w[WORTH_LEAD] * at_most(own - next, LEAD_MAX);
}

/* Who would have the island if mother nature came, and how soon she may. */
static void group_worth(const int32_t *w, const struct eriantys *e, unsigned index,
                        int32_t worth[ERIANTYS_TEAMS_MAX]) {
    const struct eriantys_group *g = &e->group[index];
    unsigned best = ERIANTYS_NONE, most = 0,
             steps = (index + e->group_count - e->mother - 1u) % e->group_count;
    for (unsigned team = 0; team < e->team_count; team++) {
        unsigned influence = eriantys_influence(e, index, team);
        best = influence > most ? team : influence == most ? (unsigned)ERIANTYS_NONE : best;
        most = influence > most ? influence : most;
    }
    if (best == ERIANTYS_NONE)
        return;
    int32_t change = g->bans > 0 || steps >= NEAR_STEPS ? w[WORTH_FAR] : w[WORTH_NEAR];
    worth[best] += (best == g->tower ? w[WORTH_HELD] : change) * g->size;
}

static void seat_worth(const int32_t *w, const struct eriantys *e, unsigned seat,
                       int32_t worth[ERIANTYS_TEAMS_MAX]) {
    const struct eriantys_seat *s = &e->seat[seat];
    worth[eriantys_team(e, seat)] +=
        w[WORTH_DINING] * (int32_t)eriantys_sum(s->dining) + w[WORTH_COIN] * at_most(s->coins, COINS_MAX);
}

/* The own team against the best of the others. */
static int32_t judge(const int32_t *w, const struct eriantys *e, unsigned team) {
    int32_t worth[ERIANTYS_TEAMS_MAX] = {0}, others = INT32_MIN;
    if (e->phase == ERIANTYS_OVER) {
        if (e->winner != ERIANTYS_NONE)
            return e->winner == team ? WORTH_WIN : -WORTH_WIN;
        return 0;
    }
    for (unsigned i = 0; i < e->team_count; i++)
        worth[i] = w[WORTH_TOWER] * (int32_t)eriantys_towers_placed(e, i);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        professor_worth(w, e, color, worth);
    for (unsigned i = 0; i < e->group_count; i++)
        group_worth(w, e, i, worth);
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        seat_worth(w, e, seat, worth);
    for (unsigned i = 0; i < e->team_count; i++)
        if (i != team && worth[i] > others)
            others = worth[i];
    return worth[team] - others;
}

/* A position inside a turn: with the best that mother nature could still do. */
static int32_t judge_inside(const int32_t *w, const struct eriantys *e, unsigned seat) {
    int32_t best = INT32_MIN;
    unsigned steps = eriantys_steps_max(e), team = eriantys_team(e, seat);
    if (e->phase != ERIANTYS_STUDENTS && e->phase != ERIANTYS_MOTHER)
        return judge(w, e, team);
    for (unsigned i = 1; i <= steps && i <= e->group_count; i++) {
        struct eriantys after = *e;
        struct action move =
            eriantys_action(ERIANTYS_MOVE_MOTHER, e->group[(e->mother + i) % e->group_count].id);
        eriantys_game.apply((struct game_state *)&after, seat, &move);
        int32_t value = judge(w, &after, team);
        best = value > best ? value : best;
    }
    return best;
}

/* Keeps the plan when it is among the best and not there already. */
static unsigned beam_add(struct plan *beam, unsigned count, unsigned width, const struct plan *plan) {
    unsigned at = count;
    while (at > 0 && beam[at - 1].value < plan->value)
        at--;
    for (unsigned i = at; i > 0 && beam[i - 1].value == plan->value; i--)
        if (memcmp(&beam[i - 1].state, &plan->state, sizeof plan->state) == 0)
            return count;
    if (at == width)
        return count;
    unsigned last = count < width ? count : width - 1;
    memmove(&beam[at + 1], &beam[at], (last - at) * sizeof *beam);
    beam[at] = *plan;
    return last + 1;
}

/* Plays the step and what chance puts on a card after it. */
static void step_play(struct eriantys *e, unsigned seat, const struct action *action, struct rng *rng) {
    struct game_state *state = (struct game_state *)e;
    eriantys_game.apply(state, seat, action);
    while (e->phase > ERIANTYS_PLANNING && eriantys_game.turn(state) == SEAT_BIT(SEAT_CHANCE)) {
        struct action outcome;
        eriantys_game.sample(state, SEAT_CHANCE, rng, &outcome);
        eriantys_game.apply(state, SEAT_CHANCE, &outcome);
    }
}

static bool is_turn_over(const struct eriantys *before, const struct eriantys *after) {
    return after->phase == ERIANTYS_OVER || after->phase <= ERIANTYS_PLANNING || after->turn != before->turn;
}

static bool nodes_are_left(struct eriantys_bot *b) {
    return b->nodes < b->nodes_max && !bot_must_stop(&b->bot);
}

/* All steps that continue one plan: whole turns may become the best one, others go into the next beam.
 * Returns the number of plans in it. */
static unsigned plan_continue(struct eriantys_bot *b, const struct plan *from, unsigned seat, struct rng *rng,
                              unsigned next_count, struct plan *next, struct plan *best) {
    size_t count = eriantys_game.legal((const struct game_state *)&from->state, seat, b->actions);
    for (size_t i = 0; i < count && (nodes_are_left(b) || next_count == 0); i++) {
        struct plan plan = *from;
        b->nodes++;
        step_play(&plan.state, seat, &b->actions[i], rng);
        if (from->first.kind == 0)
            plan.first = b->actions[i];
        if (!is_turn_over(&from->state, &plan.state)) {
            plan.value = judge_inside(b->bot.weights, &plan.state, seat);
            next_count = beam_add(next, next_count, b->width, &plan);
            continue;
        }
        plan.value = judge(b->bot.weights, &plan.state, eriantys_team(&plan.state, seat));
        if (best->first.kind == 0 || plan.value > best->value)
            *best = plan;
    }
    return next_count;
}

/* The best turn from here on, or the most promising beginning of one when the nodes are spent. */
static struct plan turn_search(struct eriantys_bot *b, const struct eriantys *e, unsigned seat,
                               uint64_t nodes_max, struct rng *rng) {
    struct plan best = {.first = {0}, .value = INT32_MIN}, *beam = b->beams[0], *next = b->beams[1];
    unsigned count = 1;
    uint64_t width = nodes_max / NODES_PER_BEAM;
    b->width = width < 1 ? 1 : width > BEAM_MAX ? BEAM_MAX : (unsigned)width;
    b->nodes = 0;
    b->nodes_max = nodes_max;
    beam[0] = (struct plan){.state = *e};
    for (unsigned step = 0; step < STEPS_MAX && count > 0; step++) {
        unsigned next_count = 0;
        for (unsigned i = 0; i < count && (nodes_are_left(b) || next_count == 0); i++)
            next_count = plan_continue(b, &beam[i], seat, rng, next_count, next, &best);
        struct plan *swap = beam;
        beam = next;
        next = swap;
        count = next_count;
        if (!nodes_are_left(b) && best.first.kind == 0 && count > 0)
            return beam[0];
    }
    return best;
}

/* The beginning of the own turn with this assistant, as if it were the first one. */
static struct eriantys turn_imagine(const struct eriantys *e, unsigned seat, unsigned value,
                                    struct rng *rng) {
    struct eriantys world = *e;
    struct game_state *state = (struct game_state *)&world;
    struct action action = eriantys_action(ERIANTYS_PLAY_ASSISTANT, value);
    eriantys_game.apply(state, seat, &action);
    while (world.phase == ERIANTYS_PLANNING) {
        eriantys_game.sample(state, world.mover, rng, &action);
        eriantys_game.apply(state, world.mover, &action);
    }
    while (world.order[world.turn] != seat)
        world.turn++;
    world.mover = (uint8_t)seat;
    return world;
}

static void assistant_choose(struct eriantys_bot *b, const struct eriantys *e, unsigned seat, struct rng *rng,
                             struct action *out) {
    struct action cards[ERIANTYS_ASSISTANTS];
    size_t count = eriantys_game.legal((const struct game_state *)e, seat, b->actions);
    const int32_t *w = b->bot.weights;
    int32_t best = INT32_MIN;
    uint64_t nodes = b->bot.nodes_max / count;
    assert(count <= ERIANTYS_ASSISTANTS);
    memcpy(cards, b->actions, count * sizeof *cards);
    uint64_t looked_at = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned value = cards[i].arg[0];
        struct eriantys world = turn_imagine(e, seat, value, rng);
        int32_t place = world.turn;
        struct plan plan =
            turn_search(b, &world, seat, nodes < ASSISTANT_NODES_MIN ? ASSISTANT_NODES_MIN : nodes, rng);
        looked_at += b->nodes;
        int32_t worth =
            plan.value - w[WORTH_FIRST] * place - w[WORTH_CARD] * (int32_t)eriantys_assistant_steps(value);
        if (worth > best) {
            best = worth;
            *out = cards[i];
        }
    }
    b->bot.thought.nodes = looked_at;
    bot_expect_value(&b->bot, best, WORTH_HALF);
}

static void eriantys_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                            struct action *out) {
    struct eriantys_bot *b = (struct eriantys_bot *)bot;
    const struct eriantys *e = eriantys_of_view(view);
    if (e->phase == ERIANTYS_PLANNING)
        assistant_choose(b, e, seat, rng, out);
    else {
        struct plan plan = turn_search(b, e, seat, bot->nodes_max, rng);
        *out = plan.first;
        bot->thought.nodes = b->nodes;
        bot_expect_value(bot, plan.value, WORTH_HALF);
    }
}

const struct bot_kind eriantys_bot_kind = {
    "eriantys", &eriantys_game, eriantys_bot_open, eriantys_choose, eriantys_close, &eriantys_weights, NULL};
