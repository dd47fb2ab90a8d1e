#include "games/paper_soccer/paper_soccer.h"

#include "game/stock.h"

#include <assert.h>
#include <stdio.h>

const int8_t pitch_offset[DIRECTIONS] = {PITCH_WIDTH,  PITCH_WIDTH + 1,  1,  1 - PITCH_WIDTH,
                                         -PITCH_WIDTH, -PITCH_WIDTH - 1, -1, PITCH_WIDTH - 1};

static const char *const direction_words[DIRECTIONS] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};

/* Direction of a step by (dy + 1) * 3 + dx + 1; the middle is no step at all. */
static const int8_t direction_of[9] = {SOUTH_WEST, SOUTH,      SOUTH_EAST, WEST,      -1,
                                       EAST,       NORTH_WEST, NORTH,      NORTH_EAST};

/* The pitch before kick-off (R1, R3): border, posts and goal backs are closed, the mouths are open. A test
 * derives the same table from the geometry of the rules. */
/* clang-format off */
static const uint8_t kick_off[PITCH_POINTS] = {
    0xff, 0xff, 0xff, 0xfd, 0x7c, 0x7f, 0xff, 0xff, 0xff, /* y = -6 */
    0xfd, 0x7c, 0x7c, 0x70, 0x00, 0x1c, 0x7c, 0x7c, 0x7f, /* y = -5 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = -4 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = -3 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = -2 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = -1 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = 0 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = 1 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = 2 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = 3 */
    0xf1, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f, /* y = 4 */
    0xf7, 0xc7, 0xc7, 0xc1, 0x00, 0x07, 0xc7, 0xc7, 0xdf, /* y = 5 */
    0xff, 0xff, 0xff, 0xf7, 0xc7, 0xdf, 0xff, 0xff, 0xff, /* y = 6 */};
/* clang-format on */

/* For every set of directions its members in order, so that drawing one of them at random and finding the
 * point it leads to takes no loop, no branch and the fewest loads that wait for each other. */
struct exit_set {
    uint64_t offsets;    /* of the nth member in byte n */
    uint32_t directions; /* the nth member in the four bits from 4 * n */
    uint32_t count;
};

/* clang-format off */
#define HAS(set, d)  ((uint64_t)((set) >> (d) & 1))
#define RANK(set, d) __builtin_popcount((set) & ((1u << (d)) - 1))
#define OFFSET(set, d, offset) (HAS(set, d) * (uint8_t)(offset) << 8 * RANK(set, d))
#define MEMBER(set, d)         ((uint32_t)HAS(set, d) * (d) << 4 * RANK(set, d))
#define EXITS(set) { \
    OFFSET(set, 0, PITCH_WIDTH) | OFFSET(set, 1, PITCH_WIDTH + 1) | OFFSET(set, 2, 1) | \
    OFFSET(set, 3, 1 - PITCH_WIDTH) | OFFSET(set, 4, -PITCH_WIDTH) | OFFSET(set, 5, -PITCH_WIDTH - 1) | \
    OFFSET(set, 6, -1) | OFFSET(set, 7, PITCH_WIDTH - 1), \
    MEMBER(set, 1) | MEMBER(set, 2) | MEMBER(set, 3) | MEMBER(set, 4) | MEMBER(set, 5) | MEMBER(set, 6) | \
    MEMBER(set, 7), \
    __builtin_popcount(set)}
#define EXITS_4(set)  EXITS(set), EXITS((set) + 1), EXITS((set) + 2), EXITS((set) + 3)
#define EXITS_16(set) EXITS_4(set), EXITS_4((set) + 4), EXITS_4((set) + 8), EXITS_4((set) + 12)
#define EXITS_64(set) EXITS_16(set), EXITS_16((set) + 16), EXITS_16((set) + 32), EXITS_16((set) + 48)
static const struct exit_set exit_sets[256] = {EXITS_64(0), EXITS_64(64), EXITS_64(128), EXITS_64(192)};
/* clang-format on */

static unsigned opposite(unsigned direction) {
    return direction ^ 4;
}

static const struct pitch *soccer_pitch_of(const struct game_state *state) {
    return (const struct pitch *)state;
}

void pitch_setup(struct pitch *p, enum attack first_attack) {
    memset(p, 0, sizeof *p);
    memcpy(p->mask, kick_off, sizeof kick_off);
    p->ball = PITCH_CENTRE;
    p->first_attack = (uint8_t)first_attack;
}

struct pitch_point pitch_point_of(unsigned index) {
    return (struct pitch_point){(int32_t)(index % PITCH_WIDTH) - 4, (int32_t)(index / PITCH_WIDTH) - 6};
}

int pitch_index_of(struct pitch_point at) {
    bool in_field = at.x >= -4 && at.x <= 4 && at.y >= -5 && at.y <= 5;
    bool in_goal = at.x >= -1 && at.x <= 1 && (at.y == 6 || at.y == -6);
    return in_field || in_goal ? (at.y + 6) * PITCH_WIDTH + at.x + 4 : -1;
}

unsigned pitch_played(const struct pitch *p, unsigned point) {
    return p->mask[point] ^ kick_off[point];
}

enum attack pitch_attack_of(const struct pitch *p, unsigned seat) {
    return (enum attack)(p->first_attack ^ seat);
}

/* R9: whoever attacks the goal that holds the ball has won, whoever moved it there. */
static unsigned goal_owner(const struct pitch *p, unsigned point) {
    enum attack goal = point >= TOP_GOAL_FIRST ? ATTACK_TOP : ATTACK_BOTTOM;
    return goal == pitch_attack_of(p, 0) ? 0 : 1;
}

/* R9, R10: the ball is in a goal, or on a point without an exit; then the mover has lost. */
static void finish(struct pitch *p) {
    p->is_over = 1;
    p->winner = pitch_is_goal(p->ball) ? (uint8_t)goal_owner(p, p->ball) : p->mover ^ 1;
}

/* R8, R9, R10: nothing follows a goal or a point that has no exit left once this line has come in. */
static inline bool step_is_last(unsigned to, unsigned mask_after) {
    return mask_after == 0xff || pitch_is_goal(to);
}

/* The part of a state that changes with every step, apart from the lines themselves. */
struct run {
    unsigned ball, here;   /* where it is, and the mask there */
    unsigned steps, turns; /* since run_begin */
};

static struct run run_begin(const struct pitch *p) {
    return (struct run){.ball = p->ball, .here = p->mask[p->ball]};
}

/* Draws the line in direction d to the point `to` and moves the ball there. True when that ends the game.
 * Apart from perft and the listing of moves, which take their steps back, every step is made here. */
static inline bool run_step(struct run *r, uint8_t *mask, unsigned to, unsigned d) {
    unsigned there = mask[to], after = there | 1u << opposite(d);
    mask[r->ball] = (uint8_t)(r->here | 1u << d);
    mask[to] = (uint8_t)after;
    r->ball = to;
    r->here = after;
    r->steps++;
    if (step_is_last(to, after))
        return true;
    r->turns += there == 0; /* R5, R6 */
    return false;
}

static void run_end(const struct run *r, struct pitch *p, bool is_over) {
    p->ball = (uint8_t)r->ball;
    p->mover ^= r->turns & 1;
    p->steps = (uint16_t)(p->steps + r->steps);
    if (is_over)
        finish(p);
}

void pitch_step(struct pitch *p, enum direction d) {
    struct run r = run_begin(p);
    bool is_over = run_step(&r, p->mask, r.ball + (unsigned)(int)pitch_offset[d], d);
    run_end(&r, p, is_over);
}

enum err pitch_check_step(const struct pitch *p, unsigned direction) {
    if (direction >= DIRECTIONS)
        return ERR_ACTION_UNKNOWN;
    if (p->is_over)
        return ERR_TABLE_OVER;
    if (kick_off[p->ball] & (1u << direction))
        return ERR_STEP_OUTSIDE; /* R3 */
    if (p->mask[p->ball] & (1u << direction))
        return ERR_STEP_USED; /* R4 */
    return ERR_OK;
}

int pitch_direction(struct pitch_point from, struct pitch_point to) {
    int64_t dx = (int64_t)to.x - from.x, dy = (int64_t)to.y - from.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1)
        return -1;
    return direction_of[(dy + 1) * 3 + dx + 1];
}

enum err pitch_play_move(struct pitch *p, const struct pitch_point *points, size_t count, uint8_t *dirs) {
    if (p->is_over)
        return ERR_TABLE_OVER;
    if (count == 0)
        return ERR_MOVE_EMPTY;
    struct pitch trial = *p;
    for (size_t i = 0; i < count; i++) {
        if (trial.is_over || trial.mover != p->mover)
            return ERR_MOVE_TOO_LONG; /* R8 */
        int d = pitch_direction(pitch_point_of(trial.ball), points[i]);
        if (d < 0)
            return ERR_STEP_TOO_LONG;
        enum err e = pitch_check_step(&trial, (unsigned)d);
        if (e != ERR_OK)
            return e;
        pitch_step(&trial, (enum direction)d);
        if (dirs != NULL)
            dirs[i] = (uint8_t)d;
    }
    if (!trial.is_over && trial.mover == p->mover)
        return ERR_MOVE_TOO_SHORT; /* R7 */
    *p = trial;
    return ERR_OK;
}

bool pitch_can_score(const struct pitch *p, enum attack goal) {
    uint8_t queue[PITCH_POINTS];
    bool seen[PITCH_POINTS] = {false};
    size_t head = 0, tail = 0;
    queue[tail++] = p->ball;
    seen[p->ball] = true;
    /* A shortest way uses no line twice, and on it every point but the last bounces anyway; so lines drawn
     * earlier in the same turn never matter and a breadth-first search is exact. */
    while (head < tail) {
        unsigned from = queue[head++];
        for (unsigned exits = (uint8_t)~p->mask[from]; exits != 0; exits &= exits - 1) {
            unsigned to = (unsigned)(from + pitch_offset[__builtin_ctz(exits)]);
            if (pitch_is_goal(to)) {
                if ((to >= TOP_GOAL_FIRST) == (goal == ATTACK_TOP))
                    return true;
            } else if (!seen[to] && p->mask[to] != 0) {
                seen[to] = true;
                queue[tail++] = (uint8_t)to;
            }
        }
    }
    return false;
}

/* Leaves of the last turn: nothing after a point that ends the turn needs to be played out. */
static uint64_t perft_last(uint8_t *mask, unsigned from) {
    uint64_t leaves = 0;
    unsigned exits = (uint8_t)~mask[from];
    while (exits != 0) {
        unsigned d = (unsigned)__builtin_ctz(exits);
        exits &= exits - 1;
        unsigned to = (unsigned)(from + pitch_offset[d]);
        uint8_t there = mask[to], back = (uint8_t)(1u << opposite(d));
        if (there == 0 || step_is_last(to, there | back)) {
            leaves++;
            continue;
        }
        mask[from] ^= (uint8_t)(1u << d);
        mask[to] = there | back;
        leaves += perft_last(mask, to);
        mask[to] = there;
        mask[from] ^= (uint8_t)(1u << d);
    }
    return leaves;
}

static uint64_t perft_walk(uint8_t *mask, unsigned from, unsigned turns) {
    if (turns == 1)
        return perft_last(mask, from);
    uint64_t leaves = 0;
    for (unsigned exits = (uint8_t)~mask[from]; exits != 0; exits &= exits - 1) {
        unsigned d = (unsigned)__builtin_ctz(exits), to = (unsigned)(from + pitch_offset[d]);
        uint8_t there = mask[to], back = (uint8_t)(1u << opposite(d));
        if (step_is_last(to, there | back))
            continue; /* over before the last turn: not continued */
        mask[from] ^= (uint8_t)(1u << d);
        mask[to] = there | back;
        leaves += perft_walk(mask, to, there == 0 ? turns - 1 : turns);
        mask[to] = there;
        mask[from] ^= (uint8_t)(1u << d);
    }
    return leaves;
}

uint64_t pitch_perft(const struct pitch *p, unsigned turns) {
    if (turns == 0)
        return 1;
    if (p->is_over)
        return 0;
    struct pitch copy = *p;
    return perft_walk(copy.mask, copy.ball, turns);
}

/* Every line has one key, whichever of its ends it is drawn from. */
static uint64_t edge_key(unsigned from, unsigned d) {
    unsigned end = d < 4 ? from : (unsigned)(from + pitch_offset[d]);
    return rng_mix(end * 4 + (d & 3));
}

static uint64_t ball_key(unsigned ball) {
    return rng_mix(0x10000 + ball);
}

uint64_t pitch_key(const struct pitch *p) {
    uint64_t key = ball_key(p->ball) ^ (p->mover ? rng_mix(0x20000) : 0);
    for (unsigned i = 0; i < PITCH_POINTS; i++)
        for (unsigned d = 0; d < 4; d++)
            if ((p->mask[i] ^ kick_off[i]) & (1u << d))
                key ^= edge_key(i, d);
    return key;
}

struct moves_walk {
    struct pitch_moves *out;
    uint8_t mask[PITCH_POINTS];
    uint8_t path[PITCH_MOVE_STEPS_MAX];
};

/* True when the key is new. When the set is full everything counts as seen, and the list is incomplete. */
static bool seen_insert(struct pitch_moves *m, uint64_t key) {
    size_t slots = m->seen_capacity - 1;
    if (key == 0)
        key = 1;
    for (size_t i = key & slots;; i = (i + 1) & slots) {
        if (m->seen[i] == key)
            return false;
        if (m->seen[i] != 0)
            continue;
        if (m->seen_count * 4 >= m->seen_capacity * 3) {
            m->is_complete = false;
            return false;
        }
        m->seen[i] = key;
        m->seen_count++;
        return true;
    }
}

static void moves_keep(struct moves_walk *w, uint64_t key, unsigned end, bool ends_game, size_t steps) {
    struct pitch_moves *m = w->out;
    if (m->count == m->move_capacity || m->steps_count + steps > m->steps_capacity) {
        m->is_complete = false;
        return;
    }
    m->move[m->count++] = (struct pitch_move){.key = key,
                                              .first = (uint32_t)m->steps_count,
                                              .count = (uint16_t)steps,
                                              .end = (uint8_t)end,
                                              .ends_game = ends_game};
    memcpy(m->steps + m->steps_count, w->path, steps);
    m->steps_count += steps;
}

static void moves_walk(struct moves_walk *w, unsigned from, uint64_t lines, size_t depth) {
    for (unsigned exits = (uint8_t)~w->mask[from]; exits != 0; exits &= exits - 1) {
        unsigned d = (unsigned)__builtin_ctz(exits), to = (unsigned)(from + pitch_offset[d]);
        uint8_t there = w->mask[to], back = (uint8_t)(1u << opposite(d));
        uint64_t lines_after = lines ^ edge_key(from, d), key = lines_after ^ ball_key(to);
        if (!seen_insert(w->out, key))
            continue;
        w->path[depth] = (uint8_t)d;
        bool ends_game = step_is_last(to, there | back);
        if (ends_game || there == 0) {
            moves_keep(w, key, to, ends_game, depth + 1);
            continue;
        }
        w->mask[from] ^= (uint8_t)(1u << d);
        w->mask[to] = there | back;
        moves_walk(w, to, lines_after, depth + 1);
        w->mask[to] = there;
        w->mask[from] ^= (uint8_t)(1u << d);
    }
}

void pitch_moves_list(const struct pitch *p, struct pitch_moves *m) {
    struct moves_walk w = {.out = m};
    assert(!p->is_over && (m->seen_capacity & (m->seen_capacity - 1)) == 0);
    memcpy(w.mask, p->mask, sizeof w.mask);
    memset(m->seen, 0, m->seen_capacity * sizeof *m->seen);
    m->count = m->steps_count = m->seen_count = 0;
    m->is_complete = true;
    moves_walk(&w, p->ball, 0, 0);
}

static enum err soccer_setup(struct game_state *state, const struct game_options *options) {
    enum err e = game_options_check(&paper_soccer_game, options);
    if (e == ERR_OK)
        pitch_setup((struct pitch *)state, (enum attack)options->value[PITCH_OPTION_FIRST_ATTACKS]);
    return e;
}

static seat_set soccer_turn(const struct game_state *state) {
    const struct pitch *p = soccer_pitch_of(state);
    return p->is_over ? 0 : SEAT_BIT(p->mover);
}

static size_t soccer_legal(const struct game_state *state, unsigned seat, struct action *out) {
    if (!game_may_act(&paper_soccer_game, state, seat))
        return 0;
    size_t count = 0;
    for (unsigned exits = pitch_exits(soccer_pitch_of(state)); exits != 0; exits &= exits - 1)
        out[count++] = pitch_action((enum direction)__builtin_ctz(exits));
    return count;
}

/* Which of the members of a set, each as likely as the others. */
static inline unsigned draw_nth(const struct exit_set *exits, struct rng *rng) {
    return rng_below(rng, exits->count);
}

static inline unsigned nth_direction(const struct exit_set *exits, unsigned nth) {
    return exits->directions >> 4 * nth & 7;
}

static void soccer_sample(const struct game_state *state, unsigned seat, struct rng *rng,
                          struct action *out) {
    (void)seat;
    const struct exit_set *exits = &exit_sets[pitch_exits(soccer_pitch_of(state))];
    /* Written in place: building the value and copying it stalls on the half-written 16 bytes. */
    memset(out, 0, sizeof *out);
    out->kind = STEP_KIND;
    out->arg[0] = (uint8_t)nth_direction(exits, draw_nth(exits, rng));
}

static size_t game_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    (void)game;
    struct pitch *p = (struct pitch *)state;
    if (p->is_over)
        return 0;
    /* Copies, because through the pointers every byte written to a mask could be one of theirs, and the
     * compiler would load all of it again for each step. */
    struct rng local = *rng;
    struct run r = run_begin(p);
    const struct exit_set *exits;
    unsigned nth, to;
    do {
        exits = &exit_sets[r.here ^ 0xff];
        nth = draw_nth(exits, &local);
        to = r.ball + (unsigned)(int)(int8_t)(exits->offsets >> 8 * nth);
    } while (!run_step(&r, p->mask, to, nth_direction(exits, nth)));
    *rng = local;
    run_end(&r, p, true);
    return r.steps;
}

static enum err soccer_check(const struct game_state *state, unsigned seat, const struct action *action) {
    const struct pitch *p = soccer_pitch_of(state);
    if (p->is_over)
        return ERR_TABLE_OVER;
    if (seat != p->mover)
        return ERR_NOT_YOUR_TURN;
    if (action->kind != STEP_KIND || action->arg[0] >= DIRECTIONS)
        return ERR_ACTION_UNKNOWN;
    struct action expected = pitch_action((enum direction)action->arg[0]);
    if (!action_equal(action, &expected))
        return ERR_ACTION_UNKNOWN;
    return pitch_check_step(p, action->arg[0]);
}

static void soccer_apply(struct game_state *state, unsigned seat, const struct action *action) {
    (void)seat;
    pitch_step((struct pitch *)state, (enum direction)action->arg[0]);
}

static void soccer_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct pitch *p = soccer_pitch_of(state);
    points[p->winner] = 1;
    points[p->winner ^ 1] = 0;
}

static const char *soccer_valid(const struct game_state *state) {
    const struct pitch *p = soccer_pitch_of(state);
    unsigned lines = 0;
    if (p->ball >= PITCH_POINTS || p->mover > 1 || p->winner > 1 || p->is_over > 1 || p->first_attack > 1)
        return "a field is out of its range";
    for (unsigned i = 0; i < PITCH_POINTS; i++) {
        if ((p->mask[i] & kick_off[i]) != kick_off[i])
            return "a border line is missing";
        for (unsigned d = 0; d < 4; d++) {
            if (kick_off[i] & (1u << d))
                continue;
            bool here = p->mask[i] & (1u << d);
            bool there = p->mask[i + (unsigned)pitch_offset[d]] & (1u << opposite(d));
            if (here != there)
                return "a line has only one end";
            lines += here;
        }
    }
    if (lines != p->steps)
        return "the number of lines is not the number of steps";
    if (!p->is_over && (pitch_exits(p) == 0 || pitch_is_goal(p->ball)))
        return "the table should be over";
    if (p->is_over && pitch_exits(p) != 0 && !pitch_is_goal(p->ball))
        return "the table should not be over";
    return NULL;
}

static void write_point(struct writer *w, const char *name, unsigned index) {
    struct pitch_point at = pitch_point_of(index);
    writer_list_begin(w, name);
    writer_int(w, NULL, at.x);
    writer_int(w, NULL, at.y);
    writer_list_end(w);
}

static void write_lines(struct writer *w, const struct pitch *p) {
    writer_list_begin(w, "lines");
    for (unsigned i = 0; i < PITCH_POINTS; i++)
        for (unsigned d = 0; d < 4; d++)
            if ((p->mask[i] ^ kick_off[i]) & (1u << d)) {
                writer_list_begin(w, NULL);
                write_point(w, NULL, i);
                write_point(w, NULL, (unsigned)((int)i + pitch_offset[d]));
                writer_list_end(w);
            }
    writer_list_end(w);
}

static void game_describe(const struct game_view *view, struct writer *w) {
    static const char *const goals[] = {"top", "bottom"};
    const struct pitch *p = (const struct pitch *)view;
    writer_object_begin(w, NULL);
    write_point(w, "ball", p->ball);
    writer_list_begin(w, "attacks");
    for (unsigned seat = 0; seat < 2; seat++)
        writer_text(w, NULL, span_of(goals[pitch_attack_of(p, seat)]));
    writer_list_end(w);
    if (p->is_over)
        writer_int(w, "winner", p->winner);
    else
        writer_int(w, "mover", p->mover);
    writer_int(w, "steps", p->steps);
    write_lines(w, p);
    writer_object_end(w);
}

static void game_action_format(const struct game_state *state, unsigned seat, const struct action *action,
                               char text[ACTION_TEXT_BYTES_MAX]) {
    (void)state;
    (void)seat;
    bool is_step = action->kind == STEP_KIND && action->arg[0] < DIRECTIONS;
    const char *word = is_step ? direction_words[action->arg[0]] : "?";
    memcpy(text, word, strlen(word) + 1);
}

static enum err game_action_parse(const struct game_state *state, unsigned seat, struct span text,
                                  struct action *out) {
    (void)state;
    (void)seat;
    for (unsigned d = 0; d < DIRECTIONS; d++)
        if (span_is_nocase(text, direction_words[d]) || (text.size == 1 && text.data[0] == (char)('0' + d))) {
            *out = pitch_action((enum direction)d);
            return ERR_OK;
        }
    return ERR_ACTION_TEXT;
}

static uint64_t game_perft(const struct game *game, const struct game_state *state, unsigned turns) {
    (void)game;
    return pitch_perft(soccer_pitch_of(state), turns);
}

static const char *const attack_words[] = {"top", "bottom", NULL};

static const struct game_option game_options[] = {
    [PITCH_OPTION_FIRST_ATTACKS] = {"first-attacks", "the goal that the first seat attacks", attack_words,
                                    ATTACK_TOP, ATTACK_BOTTOM, ATTACK_TOP},
    {0},
};

const struct game paper_soccer_game = {
    .name = "paper-soccer",
    .title = "Paper Soccer",
    .rules_version = 1,
    .seats_min = 2,
    .seats_max = 2,
    .state_size = sizeof(struct pitch),
    .actions_max = DIRECTIONS,
    .plies_max = PITCH_EDGES,
    .options = game_options,
    .refusals = (const struct err_row[]){PAPER_SOCCER_REFUSALS(ERR_ROW){0}},
    .setup = soccer_setup,
    .turn = soccer_turn,
    .legal = soccer_legal,
    .sample = soccer_sample,
    .check = soccer_check,
    .apply = soccer_apply,
    .attend = stock_attend,
    .rivals = stock_rivals,
    .score = soccer_score,
    .valid = soccer_valid,
    .redact_state = stock_redact_state,
    .redact_action = stock_redact_action,
    .imagine = stock_imagine,
    .foresee = stock_foresee,
    .describe = game_describe,
    .action_format = game_action_format,
    .action_parse = game_action_parse,
    .playout = game_playout,
    .perft = game_perft,
};
