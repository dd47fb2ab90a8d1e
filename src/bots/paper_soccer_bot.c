/* Alpha-beta over whole turns. A node is a position after a turn; its value is estimated from how many turns
 * the ball is away from either goal, through bounces. Lists of turns can have hundreds of thousands of
 * entries, so they are cut at a ceiling; then one direct way to every point that can be reached is put beside
 * what was listed. */
#include "bots/paper_soccer_bot.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

enum {
    VALUE_WIN = 1000000,
    VALUE_SURE = VALUE_WIN - 1000, /* from here on a value is a proven win */
    VALUE_HALF = PITCH_NET_VALUE,  /* half of a sure win */
    VALUE_TURN = 100,              /* one turn nearer to a goal */
    VALUE_ROW = 6,                 /* one row nearer to a goal */
    BLIND_VALUE = 8 * VALUE_TURN,  /* what a blind level fears most */

    DEPTH_MAX = 24, /* turns */
    ROOT_MOVES_MAX = 4096,
    NODE_MOVES_MAX = 384,
    DIRECT_MOVES_MAX = 72, /* fresh points, and some */
    STEPS_PER_MOVE = 24,   /* on average */
    ROOT_SEEN = 1 << 15,
    NODE_SEEN = 1 << 11,
    SEEN_PER_NODE = 8, /* points passed within a turn that cost as much as an estimate */
};

struct level {
    uint64_t nodes;
    unsigned depth_max;
    unsigned width; /* turns followed per position, at first; those that lose at once do not count */
    uint32_t noise; /* added to the value of a turn at random */
    bool is_blind;  /* does not recoil from what the opponent scores next turn */
};

static const struct level levels[BOT_LEVEL_MAX + 1] = {
    {0},
    {300, 1, 8, 30 * VALUE_TURN, true},
    {1500, 1, 8, 6 * VALUE_TURN, true},
    {1200, DEPTH_MAX, 16, 4, false},
    {16000, DEPTH_MAX, 16, 4, false},
    {400000, DEPTH_MAX, 16, 4, false},
};

struct choice {
    int value; /* for the side that makes the turn */
    uint32_t noise;
    uint32_t move; /* in the list */
};

struct position {
    struct pitch pitch;
    struct pitch_points points;
    struct pitch_sum sum; /* of the bot's net */
};

struct ply {
    struct position at;
    struct pitch_moves moves;
    struct choice *choices;
};

struct paper_soccer_bot {
    struct bot bot;
    struct ply plies[DEPTH_MAX + 1]; /* the first is the root's, with room for more */
    uint64_t *seen;                  /* shared by all lists: needed only while one is made */
    uint64_t nodes;
    bool is_stopped; /* no nodes left */
    unsigned width;
    const struct pitch_net *net; /* NULL: it judges by turns to the goals alone */
};

static void ply_alloc(struct ply *ply, size_t moves, size_t seen_capacity, uint64_t *seen) {
    size_t steps = moves * STEPS_PER_MOVE + DIRECT_MOVES_MAX * PITCH_POINTS;
    ply->moves.move = mem_alloc((moves + DIRECT_MOVES_MAX) * sizeof *ply->moves.move);
    ply->moves.move_capacity = moves;
    ply->moves.steps = mem_alloc(steps);
    ply->moves.steps_capacity = moves * STEPS_PER_MOVE;
    ply->moves.seen = seen;
    ply->moves.seen_capacity = seen_capacity;
    ply->choices = mem_alloc((moves + DIRECT_MOVES_MAX) * sizeof *ply->choices);
}

static struct bot *soccer_open(const struct game *game, unsigned level) {
    (void)game;
    struct paper_soccer_bot *b = mem_alloc(sizeof *b);
    b->seen = mem_alloc(ROOT_SEEN * sizeof *b->seen);
    for (size_t i = 0; i <= DEPTH_MAX; i++)
        ply_alloc(&b->plies[i], i == 0 ? ROOT_MOVES_MAX : NODE_MOVES_MAX, i == 0 ? ROOT_SEEN : NODE_SEEN,
                  b->seen);
    b->bot.nodes_max = levels[level].nodes;
    b->net = &pitch_net;
    return &b->bot;
}

static void soccer_close(struct bot *bot) {
    struct paper_soccer_bot *b = (struct paper_soccer_bot *)bot;
    for (size_t i = 0; i <= DEPTH_MAX; i++) {
        mem_free(b->plies[i].moves.move);
        mem_free(b->plies[i].moves.steps);
        mem_free(b->plies[i].choices);
    }
    mem_free(b->seen);
    mem_free(b);
}

/* For the seat on turn, by the turns to either goal alone: all that a blind level looks at. */
static int distance_value(const struct pitch *p, struct goal_turns turns) {
    bool is_up = pitch_attack_of(p, p->mover) == ATTACK_TOP;
    int row = p->ball / PITCH_WIDTH - PITCH_HEIGHT / 2;
    return VALUE_TURN * (turns.to_lose - turns.to_score) + VALUE_ROW * (is_up ? row : -row);
}

/* For the seat on turn. */
static int position_value(const struct paper_soccer_bot *b, const struct position *at) {
    bool is_blind = levels[b->bot.level].is_blind;
    struct goal_turns turns = goal_turns(&at->pitch, &at->points);
    if (turns.to_score == 0)
        return is_blind ? BLIND_VALUE : VALUE_WIN - 1;
    return is_blind || b->net == NULL ? distance_value(&at->pitch, turns)
                                      : pitch_net_value(b->net, &at->sum, &at->pitch, turns);
}

static void position_set(const struct paper_soccer_bot *b, struct position *at, const struct pitch *p) {
    at->pitch = *p;
    pitch_points_of(p, &at->points);
    if (b->net != NULL)
        pitch_sum_of(b->net, p, &at->sum);
}

static void position_play(const struct paper_soccer_bot *b, const struct position *from,
                          const struct pitch_moves *m, size_t i, struct position *to) {
    const struct pitch_move *move = &m->move[i];
    *to = *from;
    for (size_t s = 0; s < move->count; s++) {
        enum direction d = (enum direction)m->steps[move->first + s];
        if (b->net != NULL)
            pitch_sum_step(b->net, &to->sum, &to->pitch, d);
        pitch_points_step(&to->points, &to->pitch, d);
        pitch_step(&to->pitch, d);
    }
}

/* Steps of the way to a point that a search by breadth has come to, at the end of the list's steps. */
static void direct_keep(struct pitch_moves *m, const uint8_t *came_by, unsigned from, unsigned to,
                        bool ends_game) {
    uint8_t back[PITCH_POINTS];
    size_t count = 0;
    for (unsigned at = to; at != from; at = (unsigned)(at - pitch_offset[came_by[at]]))
        back[count++] = came_by[at];
    m->move[m->count++] = (struct pitch_move){.first = (uint32_t)m->steps_count,
                                              .count = (uint16_t)count,
                                              .end = (uint8_t)to,
                                              .ends_game = ends_game};
    while (count > 0)
        m->steps[m->steps_count++] = back[--count];
}

/* Adds the shortest way to every point where the turn can end. */
static void direct_list(const struct pitch *p, struct pitch_moves *m) {
    uint8_t queue[PITCH_POINTS], came_by[PITCH_POINTS];
    bool seen[PITCH_POINTS] = {false};
    size_t count = 1, room = m->count + DIRECT_MOVES_MAX;
    queue[0] = p->ball;
    seen[p->ball] = true;
    for (size_t i = 0; i < count; i++)
        for (unsigned exits = (uint8_t)~p->mask[queue[i]]; exits != 0; exits &= exits - 1) {
            unsigned d = (unsigned)__builtin_ctz(exits), to = (unsigned)(queue[i] + pitch_offset[d]);
            if (seen[to])
                continue;
            seen[to] = true;
            came_by[to] = (uint8_t)d;
            if (p->mask[to] != 0 && !pitch_is_goal(to))
                queue[count++] = (uint8_t)to;
            else if (m->count < room)
                direct_keep(m, came_by, p->ball, to, pitch_is_goal(to));
        }
}

static int choice_compare(const void *left, const void *right) {
    const struct choice *a = left, *b = right;
    int64_t by = (int64_t)b->value + b->noise - ((int64_t)a->value + a->noise);
    if (by != 0)
        return by < 0 ? -1 : 1;
    return a->move < b->move ? -1 : a->move > b->move;
}

static void moves_list(struct paper_soccer_bot *b, const struct pitch *p, struct pitch_moves *m) {
    pitch_moves_list(p, m);
    if (!m->is_complete)
        direct_list(p, m);
    b->nodes += m->seen_count / SEEN_PER_NODE;
}

/* What a turn is worth to the side that makes it, by the estimate alone. */
static int move_estimate(struct paper_soccer_bot *b, const struct position *at, const struct pitch_moves *m,
                         size_t i) {
    struct position next;
    position_play(b, at, m, i, &next);
    b->nodes++;
    b->is_stopped = b->is_stopped || b->nodes >= b->bot.nodes_max || bot_must_stop(&b->bot);
    if (next.pitch.is_over)
        return next.pitch.winner == at->pitch.mover ? VALUE_WIN : -VALUE_WIN;
    return -position_value(b, &next);
}

/* Lists the turns of a position, the most promising first by their estimate. Returns their number. */
static size_t choices_list(struct paper_soccer_bot *b, unsigned ply, struct rng *noise) {
    struct pitch_moves *m = &b->plies[ply].moves;
    const struct position *at = &b->plies[ply].at;
    moves_list(b, &at->pitch, m);
    for (size_t i = 0; i < m->count; i++) {
        struct choice *c = &b->plies[ply].choices[i];
        *c = (struct choice){.value = move_estimate(b, at, m, i), .move = (uint32_t)i};
        if (noise != NULL && abs(c->value) < VALUE_SURE)
            c->noise = rng_below(noise, levels[b->bot.level].noise + 1);
    }
    qsort(b->plies[ply].choices, m->count, sizeof *b->plies[ply].choices, choice_compare);
    return m->count;
}

/* A win or loss is worth less the further away it is, so that wins come soon and losses late. */
static int one_turn_older(int value) {
    return value > VALUE_SURE ? value - 1 : value < -VALUE_SURE ? value + 1 : value;
}

/* The last turn of a search: no order is needed, and no further look once it is good enough. */
static int search_last(struct paper_soccer_bot *b, unsigned ply, int beta) {
    struct pitch_moves *m = &b->plies[ply].moves;
    const struct position *at = &b->plies[ply].at;
    int best = -VALUE_WIN;
    moves_list(b, &at->pitch, m);
    for (size_t i = 0; i < m->count && best < beta && !(b->is_stopped && i > 0); i++) {
        int value = one_turn_older(move_estimate(b, at, m, i));
        best = value > best ? value : best;
    }
    return best;
}

/* The value for the seat on turn, so many turns deep; a guess once the nodes are used up. */
static int paper_soccer_bot_search(struct paper_soccer_bot *b, unsigned ply, unsigned depth, int alpha,
                                   int beta) {
    const struct position *at = &b->plies[ply].at;
    const struct pitch *p = &at->pitch;
    if (pitch_can_score(p, pitch_attack_of(p, p->mover)))
        return VALUE_WIN - 1;
    if (depth == 1)
        return search_last(b, ply, beta);
    size_t count = choices_list(b, ply, NULL);
    const struct choice *choices = b->plies[ply].choices;
    int best = -VALUE_WIN;
    unsigned followed = 0;
    for (size_t i = 0; i < count && followed < b->width && best < beta && !b->is_stopped; i++) {
        int value = choices[i].value;
        if (abs(value) < VALUE_SURE) {
            position_play(b, at, &b->plies[ply].moves, choices[i].move, &b->plies[ply + 1].at);
            value = -paper_soccer_bot_search(b, ply + 1, depth - 1, -beta, -(best > alpha ? best : alpha));
        }
        value = one_turn_older(value);
        followed += value > -VALUE_SURE;
        best = value > best ? value : best;
    }
    return best;
}

/* One round at the root: values for its choices by searches of this depth, best first afterwards. False when
 * the nodes ran out; then the order holds as far as the round came. */
static bool paper_soccer_bot_root_round(struct paper_soccer_bot *b, size_t count, unsigned depth) {
    struct choice *choices = b->plies[0].choices;
    int best = -VALUE_WIN;
    size_t best_index = 0, followed = 0, done = 0;
    for (size_t i = 0; i < count && followed < 2 * (size_t)b->width; i++) {
        struct position *next = &b->plies[1].at;
        position_play(b, &b->plies[0].at, &b->plies[0].moves, choices[i].move, next);
        if (next->pitch.is_over)
            break; /* sorted: what follows ends the game as well, badly */
        int noise = (int)choices[i].noise;
        int value = -paper_soccer_bot_search(b, 1, depth - 1, -VALUE_WIN, -(best - noise));
        if (b->is_stopped)
            break;
        value = one_turn_older(value);
        choices[i].value = value;
        followed += value > -VALUE_SURE;
        done = i + 1;
        if (value + noise > best) {
            best = value + noise;
            best_index = i;
        }
    }
    /* Only the best one has an exact value, the others are no better than theirs: it alone moves, to the
     * front. */
    if (done > 0 && best_index > 0) {
        struct choice chosen = choices[best_index];
        memmove(choices + 1, choices, best_index * sizeof *choices);
        choices[0] = chosen;
    }
    return !b->is_stopped;
}

/* The place in the root's list of the turn to play. */
static size_t turn_choose(struct paper_soccer_bot *b, const struct pitch *p, struct rng *rng) {
    const struct level *level = &levels[b->bot.level];
    b->nodes = 0;
    b->is_stopped = false;
    b->width = level->width;
    position_set(b, &b->plies[0].at, p);
    size_t count = choices_list(b, 0, rng);
    const struct choice *choices = b->plies[0].choices;
    bool is_going = !b->is_stopped && count > 1;
    for (unsigned depth = 2; is_going && depth <= level->depth_max && abs(choices[0].value) < VALUE_SURE;
         depth++) {
        uint64_t before = b->nodes;
        is_going = paper_soccer_bot_root_round(b, count, depth);
        if (is_going)
            b->bot.thought.depth = depth;
        /* Deeper rounds that find nothing more to look at widen the view instead. */
        if (is_going && (depth == level->depth_max || b->nodes - before < b->bot.nodes_max / 64))
            b->width *= 2;
    }
    b->bot.thought.nodes = b->nodes;
    bot_expect_value(&b->bot, choices[0].value, VALUE_HALF);
    return choices[0].move;
}

/* The shortest way into the goal that is attacked; false when there is none within this turn. */
static bool shot_find(struct paper_soccer_bot *b, const struct pitch *p, uint8_t *dirs, size_t *count) {
    struct pitch_moves *m = &b->plies[0].moves;
    enum attack goal = pitch_attack_of(p, p->mover);
    if (!pitch_can_score(p, goal))
        return false;
    m->count = m->steps_count = 0;
    direct_list(p, m);
    for (size_t i = 0; i < m->count; i++)
        if (m->move[i].ends_game && (m->move[i].end >= TOP_GOAL_FIRST) == (goal == ATTACK_TOP)) {
            *count = m->move[i].count;
            memcpy(dirs, m->steps + m->move[i].first, *count);
            return true;
        }
    return false;
}

void pitch_bot_use(struct bot *bot, const struct pitch_net *net) {
    ((struct paper_soccer_bot *)bot)->net = net;
}

/* The turn as the line that is expected. */
static void turn_expect(struct bot *bot, unsigned seat, const uint8_t *dirs, size_t count) {
    bot->thought.line_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct action action = pitch_action((enum direction)dirs[i]);
        bot_expect(bot, seat, &action);
    }
}

size_t pitch_bot_turn(struct bot *bot, const struct pitch *p, struct rng *rng,
                      uint8_t dirs[PITCH_MOVE_STEPS_MAX]) {
    struct paper_soccer_bot *b = (struct paper_soccer_bot *)bot;
    size_t count;
    assert(!p->is_over);
    bot_begin_choice(bot);
    if (shot_find(b, p, dirs, &count)) {
        bot_expect_value(bot, VALUE_WIN, VALUE_HALF);
        return count;
    }
    size_t chosen = turn_choose(b, p, rng);
    const struct pitch_moves *m = &b->plies[0].moves;
    memcpy(dirs, m->steps + m->move[chosen].first, m->move[chosen].count);
    return m->move[chosen].count;
}

static void soccer_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                          struct action *out) {
    const struct pitch *p = (const struct pitch *)view;
    uint8_t dirs[PITCH_MOVE_STEPS_MAX];
    size_t count;
    assert(seat == p->mover);
    count = pitch_bot_turn(bot, p, rng, dirs);
    turn_expect(bot, seat, dirs, count);
    *out = pitch_action((enum direction)dirs[0]);
    for (size_t i = 1; i < count; i++) {
        struct action step = pitch_action((enum direction)dirs[i]);
        bot_intend(bot, &step);
    }
}

const struct bot_kind paper_soccer_bot_kind = {
    "paper-soccer", &paper_soccer_game, soccer_open, soccer_choose, soccer_close, NULL, NULL};
