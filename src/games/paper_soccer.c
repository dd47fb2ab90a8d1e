#include "games/paper_soccer.h"

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

/* For every set of directions its members, three bits each from the lowest, and above them (bit 24) how many
 * they are: drawing one of them at random takes no loop and no branch. */
/* clang-format off */
static const uint32_t members[256] = {
    0x0000000, 0x1000000, 0x1000001, 0x2000008, 0x1000002, 0x2000010, 0x2000011, 0x3000088,
    0x1000003, 0x2000018, 0x2000019, 0x30000c8, 0x200001a, 0x30000d0, 0x30000d1, 0x4000688,
    0x1000004, 0x2000020, 0x2000021, 0x3000108, 0x2000022, 0x3000110, 0x3000111, 0x4000888,
    0x2000023, 0x3000118, 0x3000119, 0x40008c8, 0x300011a, 0x40008d0, 0x40008d1, 0x5004688,
    0x1000005, 0x2000028, 0x2000029, 0x3000148, 0x200002a, 0x3000150, 0x3000151, 0x4000a88,
    0x200002b, 0x3000158, 0x3000159, 0x4000ac8, 0x300015a, 0x4000ad0, 0x4000ad1, 0x5005688,
    0x200002c, 0x3000160, 0x3000161, 0x4000b08, 0x3000162, 0x4000b10, 0x4000b11, 0x5005888,
    0x3000163, 0x4000b18, 0x4000b19, 0x50058c8, 0x4000b1a, 0x50058d0, 0x50058d1, 0x602c688,
    0x1000006, 0x2000030, 0x2000031, 0x3000188, 0x2000032, 0x3000190, 0x3000191, 0x4000c88,
    0x2000033, 0x3000198, 0x3000199, 0x4000cc8, 0x300019a, 0x4000cd0, 0x4000cd1, 0x5006688,
    0x2000034, 0x30001a0, 0x30001a1, 0x4000d08, 0x30001a2, 0x4000d10, 0x4000d11, 0x5006888,
    0x30001a3, 0x4000d18, 0x4000d19, 0x50068c8, 0x4000d1a, 0x50068d0, 0x50068d1, 0x6034688,
    0x2000035, 0x30001a8, 0x30001a9, 0x4000d48, 0x30001aa, 0x4000d50, 0x4000d51, 0x5006a88,
    0x30001ab, 0x4000d58, 0x4000d59, 0x5006ac8, 0x4000d5a, 0x5006ad0, 0x5006ad1, 0x6035688,
    0x30001ac, 0x4000d60, 0x4000d61, 0x5006b08, 0x4000d62, 0x5006b10, 0x5006b11, 0x6035888,
    0x4000d63, 0x5006b18, 0x5006b19, 0x60358c8, 0x5006b1a, 0x60358d0, 0x60358d1, 0x71ac688,
    0x1000007, 0x2000038, 0x2000039, 0x30001c8, 0x200003a, 0x30001d0, 0x30001d1, 0x4000e88,
    0x200003b, 0x30001d8, 0x30001d9, 0x4000ec8, 0x30001da, 0x4000ed0, 0x4000ed1, 0x5007688,
    0x200003c, 0x30001e0, 0x30001e1, 0x4000f08, 0x30001e2, 0x4000f10, 0x4000f11, 0x5007888,
    0x30001e3, 0x4000f18, 0x4000f19, 0x50078c8, 0x4000f1a, 0x50078d0, 0x50078d1, 0x603c688,
    0x200003d, 0x30001e8, 0x30001e9, 0x4000f48, 0x30001ea, 0x4000f50, 0x4000f51, 0x5007a88,
    0x30001eb, 0x4000f58, 0x4000f59, 0x5007ac8, 0x4000f5a, 0x5007ad0, 0x5007ad1, 0x603d688,
    0x30001ec, 0x4000f60, 0x4000f61, 0x5007b08, 0x4000f62, 0x5007b10, 0x5007b11, 0x603d888,
    0x4000f63, 0x5007b18, 0x5007b19, 0x603d8c8, 0x5007b1a, 0x603d8d0, 0x603d8d1, 0x71ec688,
    0x200003e, 0x30001f0, 0x30001f1, 0x4000f88, 0x30001f2, 0x4000f90, 0x4000f91, 0x5007c88,
    0x30001f3, 0x4000f98, 0x4000f99, 0x5007cc8, 0x4000f9a, 0x5007cd0, 0x5007cd1, 0x603e688,
    0x30001f4, 0x4000fa0, 0x4000fa1, 0x5007d08, 0x4000fa2, 0x5007d10, 0x5007d11, 0x603e888,
    0x4000fa3, 0x5007d18, 0x5007d19, 0x603e8c8, 0x5007d1a, 0x603e8d0, 0x603e8d1, 0x71f4688,
    0x30001f5, 0x4000fa8, 0x4000fa9, 0x5007d48, 0x4000faa, 0x5007d50, 0x5007d51, 0x603ea88,
    0x4000fab, 0x5007d58, 0x5007d59, 0x603eac8, 0x5007d5a, 0x603ead0, 0x603ead1, 0x71f5688,
    0x4000fac, 0x5007d60, 0x5007d61, 0x603eb08, 0x5007d62, 0x603eb10, 0x603eb11, 0x71f5888,
    0x5007d63, 0x603eb18, 0x603eb19, 0x71f58c8, 0x603eb1a, 0x71f58d0, 0x71f58d1, 0x8fac688,
};
/* clang-format on */

static unsigned opposite(unsigned direction) {
    return direction ^ 4;
}

static const struct pitch *pitch_of(const struct game_state *state) {
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

void pitch_step(struct pitch *p, enum direction d) {
    unsigned from = p->ball, to = from + (unsigned)(int)pitch_offset[d];
    unsigned there = p->mask[to], after = there | 1u << opposite(d);
    p->mask[from] |= (uint8_t)(1u << d);
    p->mask[to] = (uint8_t)after;
    p->ball = (uint8_t)to;
    p->steps++;
    if (after == 0xff || pitch_is_goal(to))
        finish(p);
    else
        p->mover ^= there == 0; /* R5, R6 */
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

/* R2: the direction from one point to the next, or -1 when they are not neighbours. */
static int direction_between(struct pitch_point from, struct pitch_point to) {
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
        int d = direction_between(pitch_point_of(trial.ball), points[i]);
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
        if (there == 0 || pitch_is_goal(to) || (there | back) == 0xff) {
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
        if (pitch_is_goal(to) || (there | back) == 0xff)
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
        bool ends_game = pitch_is_goal(to) || (there | back) == 0xff;
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

static enum err game_setup(struct game_state *state, const struct game_options *options) {
    enum err e = game_options_check(&paper_soccer_game, options);
    if (e == ERR_OK)
        pitch_setup((struct pitch *)state, (enum attack)options->value[PITCH_OPTION_FIRST_ATTACKS]);
    return e;
}

static seat_set game_turn(const struct game_state *state) {
    const struct pitch *p = pitch_of(state);
    return p->is_over ? 0 : SEAT_BIT(p->mover);
}

static size_t game_legal(const struct game_state *state, unsigned seat, struct action *out) {
    if (!game_may_act(&paper_soccer_game, state, seat))
        return 0;
    size_t count = 0;
    for (unsigned exits = pitch_exits(pitch_of(state)); exits != 0; exits &= exits - 1)
        out[count++] = pitch_action((enum direction)__builtin_ctz(exits));
    return count;
}

static enum direction draw_exit(const struct pitch *p, struct rng *rng) {
    uint32_t set = members[pitch_exits(p)];
    uint32_t nth = rng_below(rng, set >> 24);
    return (enum direction)(set >> (3 * nth) & 7);
}

static void game_sample(const struct game_state *state, unsigned seat, struct rng *rng, struct action *out) {
    (void)seat;
    /* Written in place: building the value and copying it stalls on the half-written 16 bytes. */
    memset(out, 0, sizeof *out);
    out->kind = STEP_KIND;
    out->arg[0] = (uint8_t)draw_exit(pitch_of(state), rng);
}

static size_t game_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    (void)game;
    struct pitch *p = (struct pitch *)state;
    size_t before = p->steps;
    while (!p->is_over)
        pitch_step(p, draw_exit(p, rng));
    return p->steps - before;
}

static enum err game_check(const struct game_state *state, unsigned seat, const struct action *action) {
    const struct pitch *p = pitch_of(state);
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

static void game_apply(struct game_state *state, unsigned seat, const struct action *action) {
    (void)seat;
    pitch_step((struct pitch *)state, (enum direction)action->arg[0]);
}

static void game_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct pitch *p = pitch_of(state);
    points[p->winner] = 1;
    points[p->winner ^ 1] = 0;
}

static const char *game_valid(const struct game_state *state) {
    const struct pitch *p = pitch_of(state);
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
    snprintf(text, ACTION_TEXT_BYTES_MAX, "%s",
             action->kind == STEP_KIND && action->arg[0] < DIRECTIONS ? direction_words[action->arg[0]]
                                                                      : "?");
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
    return pitch_perft(pitch_of(state), turns);
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
    .setup = game_setup,
    .turn = game_turn,
    .legal = game_legal,
    .sample = game_sample,
    .check = game_check,
    .apply = game_apply,
    .score = game_score,
    .valid = game_valid,
    .redact_state = stock_redact_state,
    .redact_action = stock_redact_action,
    .imagine = stock_imagine,
    .describe = game_describe,
    .action_format = game_action_format,
    .action_parse = game_action_parse,
    .playout = game_playout,
    .perft = game_perft,
};
