/* The rules of Treasure Hunt: who acts when, what an action does, and how it ends. */
#include "games/treasure_hunt/treasure_hunt.h"

#include "game/playout.h"
#include "game/stock.h"

#include <assert.h>

enum {
    SHAPES = 2,
    JOINS_MAX = TREASURE_SEATS * SHAPES * TREASURE_SEATS,
    GRASS_COST = 1,    /* R15: to leave it or to enter it */
    MOUNTAIN_COST = 2, /* R15 */
    /* A random walk begins something else now and then, in the middle of a step; otherwise it gets nowhere.
     */
    SAMPLE_TURNS_ONE_IN = 16,
    SAMPLE_FORTS_MAX = 6, /* of a half map that may name several */
};

_Static_assert(sizeof(struct treasure_hunt) == 8 + TREASURE_FIELDS + 4 + TREASURE_HALF_SET_BYTES +
                                                   TREASURE_SEATS * (13 + TREASURE_SET_BYTES),
               "states are compared by their bytes: no padding");

/* R2 */
unsigned treasure_half_owner(const struct treasure_hunt *h, unsigned field) {
    bool is_first = h->shape == TREASURE_STACKED ? field < TREASURE_HALF_FIELDS
                                                 : treasure_x(h, field) < TREASURE_HALF_WIDTH;
    return is_first ? h->origin : h->origin ^ 1u;
}

/* R2 */
unsigned treasure_field_of_half(const struct treasure_hunt *h, unsigned seat, unsigned half_field) {
    unsigned x = half_field % TREASURE_HALF_WIDTH, y = half_field / TREASURE_HALF_WIDTH;
    if (seat != h->origin && h->shape == TREASURE_STACKED)
        y += TREASURE_HALF_HEIGHT;
    else if (seat != h->origin)
        x += TREASURE_HALF_WIDTH;
    return y * treasure_width(h) + x;
}

/* How far it is from a field to its neighbours, by direction, in a map of each shape. */
static const int8_t step_offset[SHAPES][TREASURE_DIRECTIONS] = {
    [TREASURE_STACKED] = {-TREASURE_HALF_WIDTH, TREASURE_HALF_WIDTH, -1, 1},
    [TREASURE_SIDE_BY_SIDE] = {-2 * TREASURE_HALF_WIDTH, 2 * TREASURE_HALF_WIDTH, -1, 1},
};

/* The set of the directions in which a field has neighbours, in a map of each shape. */
#define TO(direction) (1u << (direction))
#define EIGHT(set)    (set), (set), (set), (set), (set), (set), (set), (set)
#define ROW_10(set)   (set) & ~TO(TREASURE_LEFT), EIGHT(set), (set) & ~TO(TREASURE_RIGHT)
#define ROW_20(set)                                                                                          \
    (set) & ~TO(TREASURE_LEFT), EIGHT(set), (set), (set), EIGHT(set), (set) & ~TO(TREASURE_RIGHT)
enum {
    ANYWHERE = (1 << TREASURE_DIRECTIONS) - 1,
    NOT_UP = ANYWHERE & ~(1 << TREASURE_UP),
    NOT_DOWN = ANYWHERE & ~(1 << TREASURE_DOWN),
};
static const uint8_t neighbours[SHAPES][TREASURE_FIELDS] = {
    [TREASURE_STACKED] = {ROW_10(NOT_UP), ROW_10(ANYWHERE), ROW_10(ANYWHERE), ROW_10(ANYWHERE),
                          ROW_10(ANYWHERE), ROW_10(ANYWHERE), ROW_10(ANYWHERE), ROW_10(ANYWHERE),
                          ROW_10(ANYWHERE), ROW_10(NOT_DOWN)},
    [TREASURE_SIDE_BY_SIDE] = {ROW_20(NOT_UP), ROW_20(ANYWHERE), ROW_20(ANYWHERE), ROW_20(ANYWHERE),
                               ROW_20(NOT_DOWN)},
};

static inline bool has_neighbour(const struct treasure_hunt *h, unsigned field, unsigned direction) {
    return neighbours[h->shape][field] >> direction & 1;
}

/* The neighbour that is there. */
static inline unsigned field_beside(const struct treasure_hunt *h, unsigned field, unsigned direction) {
    return (unsigned)((int)field + step_offset[h->shape][direction]);
}

int treasure_neighbour(const struct treasure_hunt *h, unsigned field, enum treasure_direction direction) {
    bool has_one = field < TREASURE_FIELDS && has_neighbour(h, field, direction);
    return has_one ? (int)field_beside(h, field, direction) : -1;
}

/* R17, R18: the set of the directions in which one can go from a field. */
static inline unsigned field_exits(const struct treasure_hunt *h, unsigned field) {
    unsigned exits = neighbours[h->shape][field];
    for (unsigned rest = exits; rest != 0; rest &= rest - 1) {
        unsigned d = (unsigned)__builtin_ctz(rest);
        exits &= ~((unsigned)(h->terrain[field_beside(h, field, d)] == TREASURE_WATER) << d);
    }
    return exits;
}

static inline unsigned terrain_cost(const struct treasure_hunt *h, unsigned field) {
    return h->terrain[field] == TREASURE_MOUNTAIN ? MOUNTAIN_COST : GRASS_COST;
}

/* R15 */
static inline unsigned step_cost(const struct treasure_hunt *h, unsigned from, unsigned to) {
    return terrain_cost(h, from) + terrain_cost(h, to);
}

unsigned treasure_step_cost(const struct treasure_hunt *h, unsigned from, unsigned to) {
    return step_cost(h, from, to);
}

void treasure_costs(const struct treasure_hunt *h, unsigned from, uint8_t cost[TREASURE_FIELDS]) {
    uint8_t queue[TREASURE_FIELDS];
    bool is_queued[TREASURE_FIELDS] = {false};
    size_t head = 0, count = 1;
    memset(cost, TREASURE_FAR, TREASURE_FIELDS);
    cost[from] = 0;
    queue[0] = (uint8_t)from;
    while (count > 0) {
        unsigned field = queue[head];
        head = (head + 1) % TREASURE_FIELDS;
        count--;
        is_queued[field] = false;
        for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++) {
            int to = treasure_neighbour(h, field, (enum treasure_direction)d);
            if (to < 0 || h->terrain[to] < TREASURE_GRASS)
                continue;
            unsigned sum = cost[field] + treasure_step_cost(h, field, (unsigned)to);
            if (sum >= cost[to])
                continue;
            cost[to] = (uint8_t)sum;
            if (!is_queued[to])
                queue[(head + count++) % TREASURE_FIELDS] = (uint8_t)to;
            is_queued[to] = true;
        }
    }
}

/* R19 */
void treasure_sight_add(const struct treasure_hunt *h, unsigned field, uint8_t set[TREASURE_SET_BYTES]) {
    if (h->terrain[field] != TREASURE_MOUNTAIN) {
        treasure_set_add(set, field);
        return;
    }
    enum { REACH = 1 };
    int width = (int)treasure_width(h), height = (int)treasure_height(h);
    int x = (int)treasure_x(h, field), y = ((int)field - x) / width;
    for (int to_y = y - REACH; to_y <= y + REACH; to_y++)
        for (int to_x = x - REACH; to_x <= x + REACH; to_x++)
            if (to_x >= 0 && to_x < width && to_y >= 0 && to_y < height)
                treasure_set_add(set, (unsigned)(to_y * width + to_x));
}

static bool is_lacking_half(const struct treasure_hunt *h, unsigned seat, enum treasure_kind kind) {
    return h->seat[seat].kind == kind && !h->seat[seat].has_half;
}

/* R12: the seat whose half comes next, or TREASURE_SEATS. Course players first. */
static unsigned half_next(const struct treasure_hunt *h) {
    if (is_lacking_half(h, h->mover, TREASURE_COURSE))
        return h->mover;
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        if (is_lacking_half(h, seat, TREASURE_SEED))
            return seat;
    return TREASURE_SEATS;
}

static seat_set hunt_turn(const struct treasure_hunt *h) {
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_ENTERING: /* R1 */
        return (h->seat[0].kind == TREASURE_ABSENT ? SEAT_BIT(0) : 0) |
               (h->seat[1].kind == TREASURE_ABSENT ? SEAT_BIT(1) : 0);
    case TREASURE_HALVES: /* R12 */
        return SEAT_BIT(is_lacking_half(h, h->mover, TREASURE_COURSE) ? h->mover : SEAT_CHANCE);
    case TREASURE_JOINING:
    case TREASURE_DRAWING:
    case TREASURE_HIDING:
    case TREASURE_FAKING: return SEAT_BIT(SEAT_CHANCE);
    case TREASURE_MOVING: return SEAT_BIT(h->mover); /* R14 */
    case TREASURE_OVER: break;
    }
    return 0;
}

static seat_set treasure_turn(const struct game_state *state) {
    return hunt_turn(treasure_of(state));
}

/* R26: a limit that was left open depends on who plays. */
static void limit_settle(struct treasure_hunt *h) {
    bool has_course = h->seat[0].kind == TREASURE_COURSE || h->seat[1].kind == TREASURE_COURSE;
    if (h->actions_max == 0)
        h->actions_max = has_course ? TREASURE_ACTIONS_DEFAULT : TREASURE_ACTIONS_CEILING;
}

static enum err treasure_setup(struct game_state *state, const struct game_options *options) {
    static const uint8_t kinds[][TREASURE_SEATS] = {
        [TREASURE_PLAYERS_SEED] = {TREASURE_SEED, TREASURE_SEED},
        [TREASURE_PLAYERS_COURSE] = {TREASURE_COURSE, TREASURE_COURSE},
        [TREASURE_PLAYERS_MIXED] = {TREASURE_COURSE, TREASURE_SEED},
        [TREASURE_PLAYERS_ANY] = {TREASURE_ABSENT, TREASURE_ABSENT},
    };
    enum err e = game_options_check(&treasure_hunt_game, options);
    if (e != ERR_OK)
        return e;
    struct treasure_hunt *h = (struct treasure_hunt *)state;
    memset(h, 0, sizeof *h);
    h->players = (uint8_t)options->value[TREASURE_OPTION_PLAYERS];
    h->phase = h->players == TREASURE_PLAYERS_ANY ? TREASURE_ENTERING : TREASURE_JOINING;
    h->actions_max = (uint16_t)options->value[TREASURE_OPTION_ACTIONS_MAX];
    h->forts = (uint8_t)options->value[TREASURE_OPTION_FORTS];
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        struct treasure_seat *s = &h->seat[seat];
        s->kind = kinds[h->players][seat];
        s->fort = s->treasure = s->position = s->fake = s->first_seen = TREASURE_NONE;
    }
    if (h->phase == TREASURE_JOINING)
        limit_settle(h);
    return ERR_OK;
}

/* R14: in a mixed game the course player acts first. */
static bool may_begin(const struct treasure_hunt *h, unsigned seat) {
    return h->seat[seat].kind == TREASURE_COURSE || h->seat[seat ^ 1].kind == TREASURE_SEED;
}

/* R13 */
static bool may_hide(const struct treasure_hunt *h, unsigned seat, unsigned field) {
    return field < TREASURE_FIELDS && h->terrain[field] == TREASURE_GRASS &&
           treasure_half_owner(h, field) == seat && field != h->seat[seat].fort;
}

/* R24 */
static bool is_faked(const struct treasure_hunt *h, unsigned viewer) {
    return h->seat[viewer].actions < TREASURE_FAKED_ACTIONS;
}

enum err treasure_move_check(const struct treasure_hunt *h, unsigned seat, unsigned direction) {
    if (direction >= TREASURE_DIRECTIONS)
        return ERR_ACTION_UNKNOWN;
    unsigned field = h->seat[seat].position;
    if (field >= TREASURE_FIELDS || !has_neighbour(h, field, direction))
        return ERR_MOVE_OFF_MAP;                                             /* R18 */
    return field_exits(h, field) >> direction & 1 ? ERR_OK : ERR_MOVE_WATER; /* R17 */
}

/* R8: only a half map that is sent names several forts. */
static enum err check_half(const struct treasure_hunt *h, unsigned seat, const struct action *action) {
    struct treasure_half half;
    unsigned forts = seat == SEAT_CHANCE ? TREASURE_FORTS_ONE : h->forts;
    return treasure_half_of_action(action, &half)
               ? treasure_half_check(&half, (enum treasure_forts)forts, NULL)
               : ERR_ACTION_UNKNOWN;
}

static bool fort_set_has(const struct treasure_hunt *h, unsigned half_field) {
    return (h->fort_set[half_field / 8] >> half_field % 8 & 1) != 0;
}

/* R8: the field of the map is one of those that the mover's half names. */
static bool may_get_fort(const struct treasure_hunt *h, unsigned field) {
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++)
        if (fort_set_has(h, i) && treasure_field_of_half(h, h->mover, i) == field)
            return true;
    return false;
}

static enum err treasure_check_chance(const struct treasure_hunt *h, const uint8_t *arg) {
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_JOINING:
        return arg[0] < TREASURE_SEATS && may_begin(h, arg[0]) && arg[1] < SHAPES && arg[2] < TREASURE_SEATS
                   ? ERR_OK
                   : ERR_FIELD_INVALID;
    case TREASURE_DRAWING: return may_get_fort(h, arg[0]) ? ERR_OK : ERR_FIELD_INVALID;
    case TREASURE_HIDING:
        return may_hide(h, 0, arg[0]) && may_hide(h, 1, arg[1]) ? ERR_OK : ERR_FIELD_INVALID;
    case TREASURE_FAKING:
        for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
            if (is_faked(h, seat) ? arg[seat] >= TREASURE_FIELDS : arg[seat] != TREASURE_NONE)
                return ERR_FIELD_INVALID;
        return ERR_OK;
    default: return ERR_NOT_YOUR_TURN;
    }
}

static enum err treasure_check(const struct game_state *state, unsigned seat, const struct action *action) {
    /* Per phase the kind of action, and how many of its bytes are used. */
    static const uint8_t kinds[] = {TREASURE_ENTER, TREASURE_JOIN, TREASURE_HALF, TREASURE_FORT,
                                    TREASURE_HIDE,  TREASURE_MOVE, TREASURE_FAKE};
    static const uint8_t used[] = {1, 3, ACTION_ARGS, 1, 2, 1, 2};
    static const struct action nothing;
    const struct treasure_hunt *h = treasure_of(state);
    if (h->phase == TREASURE_OVER)
        return ERR_TABLE_OVER;
    if (!game_may_act(&treasure_hunt_game, state, seat))
        return ERR_NOT_YOUR_TURN;
    size_t size = used[h->phase];
    if (action->kind != kinds[h->phase] || memcmp(action->arg + size, nothing.arg, ACTION_ARGS - size) != 0)
        return ERR_ACTION_UNKNOWN;
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_ENTERING:
        return action->arg[0] == TREASURE_SEED || action->arg[0] == TREASURE_COURSE ? ERR_OK
                                                                                    : ERR_ACTION_UNKNOWN;
    case TREASURE_HALVES: return check_half(h, seat, action);
    case TREASURE_MOVING: return treasure_move_check(h, seat, action->arg[0]);
    default: return treasure_check_chance(h, action->arg);
    }
}

static size_t legal_joins(const struct game_state *state, struct action *out) {
    size_t count = 0;
    for (unsigned i = 0; i < JOINS_MAX; i++) {
        out[count] = (struct action){.kind = TREASURE_JOIN, .arg = {i >> 2, i >> 1 & 1, i & 1}};
        count += treasure_check(state, SEAT_CHANCE, &out[count]) == ERR_OK;
    }
    return count;
}

static size_t treasure_legal(const struct game_state *state, unsigned seat, struct action *out) {
    const struct treasure_hunt *h = treasure_of(state);
    size_t count = 0;
    if (!game_may_act(&treasure_hunt_game, state, seat))
        return 0;
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_ENTERING:
        out[count++] = treasure_action_enter(TREASURE_SEED);
        out[count++] = treasure_action_enter(TREASURE_COURSE);
        return count;
    case TREASURE_JOINING: return legal_joins(state, out);
    case TREASURE_MOVING:
        for (unsigned exits = field_exits(h, h->seat[seat].position); exits != 0; exits &= exits - 1)
            out[count++] = treasure_action_move((enum treasure_direction)__builtin_ctz(exits));
        return count;
    default: return LEGAL_UNLISTED;
    }
}

static unsigned sample_treasure(const struct treasure_hunt *h, unsigned seat, struct rng *rng) {
    unsigned field;
    do
        field = treasure_field_of_half(h, seat, rng_below(rng, TREASURE_HALF_FIELDS));
    while (!may_hide(h, seat, field));
    return field;
}

/* A half map that is sent where several forts may be named has up to six: a course of 2025 asks for so many.
 */
static void sample_half(const struct treasure_hunt *h, unsigned seat, struct rng *rng, struct action *out) {
    struct treasure_half half;
    treasure_half_draw(&half, rng);
    if (seat != SEAT_CHANCE && h->forts == TREASURE_FORTS_ANY)
        for (uint32_t more = rng_below(rng, SAMPLE_FORTS_MAX); more > 0; more--) {
            unsigned field = rng_below(rng, TREASURE_HALF_FIELDS);
            half.is_fort[field] |= half.terrain[field] == TREASURE_GRASS;
        }
    *out = treasure_half_action(&half);
}

/* R8: one of the forts, each as likely as the others: the n-th of the half, row by row. */
static unsigned sample_fort(const struct treasure_hunt *h, struct rng *rng) {
    uint32_t count = 0;
    unsigned field = 0;
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++)
        count += fort_set_has(h, i);
    for (uint32_t n = rng_below(rng, count); !fort_set_has(h, field) || n-- > 0;)
        field++;
    return treasure_field_of_half(h, h->mover, field);
}

static void sample_join(const struct treasure_hunt *h, struct rng *rng, struct action *out) {
    bool is_open = may_begin(h, 0) && may_begin(h, 1);
    uint32_t i = rng_below(rng, is_open ? JOINS_MAX : JOINS_MAX / TREASURE_SEATS);
    unsigned first = is_open ? i >> 2 : may_begin(h, 1);
    *out = (struct action){.kind = TREASURE_JOIN, .arg = {(uint8_t)first, i >> 1 & 1, i & 1}};
}

/* The n-th of a set of directions. */
static inline unsigned direction_nth(unsigned set, uint32_t n) {
    while (n-- > 0)
        set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

/* Whether a random walk goes on where it was going; otherwise it takes any of the exits. */
static inline bool sample_goes_on(const struct treasure_seat *s, struct rng *rng) {
    return s->progress > 0 && rng_below(rng, SAMPLE_TURNS_ONE_IN) != 0;
}

static inline unsigned sample_exit(unsigned exits, struct rng *rng) {
    static const uint8_t counts[1 << TREASURE_DIRECTIONS] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return direction_nth(exits, rng_below(rng, counts[exits]));
}

static unsigned sample_direction(const struct treasure_hunt *h, unsigned seat, struct rng *rng) {
    const struct treasure_seat *s = &h->seat[seat];
    return sample_goes_on(s, rng) ? s->direction : sample_exit(field_exits(h, s->position), rng);
}

/* R24: what a seat is told now. */
static inline uint8_t sample_fake(const struct treasure_hunt *h, unsigned seat, struct rng *rng) {
    return is_faked(h, seat) ? (uint8_t)rng_below(rng, TREASURE_FIELDS) : TREASURE_NONE;
}

static void treasure_sample(const struct game_state *state, unsigned seat, struct rng *rng,
                            struct action *out) {
    const struct treasure_hunt *h = treasure_of(state);
    memset(out, 0, sizeof *out);
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_HALVES: sample_half(h, seat, rng, out); return;
    case TREASURE_DRAWING:
        out->kind = TREASURE_FORT;
        out->arg[0] = (uint8_t)sample_fort(h, rng);
        return;
    case TREASURE_HIDING:
        out->kind = TREASURE_HIDE;
        for (unsigned i = 0; i < TREASURE_SEATS; i++)
            out->arg[i] = (uint8_t)sample_treasure(h, i, rng);
        return;
    case TREASURE_FAKING:
        out->kind = TREASURE_FAKE;
        for (unsigned i = 0; i < TREASURE_SEATS; i++)
            out->arg[i] = sample_fake(h, i, rng);
        return;
    case TREASURE_JOINING: sample_join(h, rng, out); return;
    case TREASURE_ENTERING:
        *out = treasure_action_enter((enum treasure_kind)(TREASURE_SEED + rng_below(rng, 2)));
        return;
    default: out->kind = TREASURE_MOVE; out->arg[0] = (uint8_t)sample_direction(h, seat, rng);
    }
}

static void treasure_enter(struct treasure_hunt *h, unsigned seat, unsigned kind) {
    h->seat[seat].kind = (uint8_t)kind;
    if (hunt_turn(h) != 0)
        return;
    h->phase = TREASURE_JOINING;
    limit_settle(h);
}

/* R14, R26: after an action of the mover it is the other's turn, or that one has lost. */
static void treasure_turn_pass(struct treasure_hunt *h) {
    h->actions++;
    h->seat[h->mover].actions++;
    if (h->phase != TREASURE_OVER && h->actions == h->actions_max) {
        h->phase = TREASURE_OVER;
        h->end = TREASURE_BY_LIMIT;
        h->winner = h->mover;
    }
    if (h->phase != TREASURE_OVER)
        h->mover ^= 1;
}

/* R12: the fort comes onto the map, and the avatar into it. */
static void fort_place(struct treasure_hunt *h, unsigned seat, unsigned field) {
    struct treasure_seat *s = &h->seat[seat];
    s->fort = s->position = (uint8_t)field;
    treasure_sight_add(h, field, s->seen);
}

/* R2, R12: the terrain comes onto the map, and the fort, unless chance is to draw it (R8). */
static void half_place(struct treasure_hunt *h, unsigned seat, const struct action *action) {
    struct treasure_half half;
    unsigned fort = 0;
    bool is_sound = treasure_half_of_action(action, &half);
    assert(is_sound);
    (void)is_sound;
    for (unsigned row = 0; row < TREASURE_HALF_FIELDS; row += TREASURE_HALF_WIDTH)
        memcpy(&h->terrain[treasure_field_of_half(h, seat, row)], &half.terrain[row], TREASURE_HALF_WIDTH);
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++)
        if (half.is_fort[i] != 0) {
            fort = treasure_field_of_half(h, seat, i);
            h->fort_set[i / 8] |= (uint8_t)(1u << i % 8);
        }
    h->seat[seat].has_half = 1;
    if (action->arg[ACTION_ARGS - 2] == TREASURE_DRAWN) {
        h->phase = TREASURE_DRAWING;
        return;
    }
    memset(h->fort_set, 0, sizeof h->fort_set);
    fort_place(h, seat, fort);
}

/* The half of a seat is on the map with its fort. */
static void treasure_half_done(struct treasure_hunt *h, bool is_sent) {
    if (is_sent)
        treasure_turn_pass(h);
    if (h->phase != TREASURE_OVER && half_next(h) == TREASURE_SEATS)
        h->phase = TREASURE_HIDING;
}

static void play_half(struct treasure_hunt *h, unsigned seat, const struct action *action) {
    half_place(h, seat == SEAT_CHANCE ? half_next(h) : seat, action);
    if (h->phase != TREASURE_DRAWING)
        treasure_half_done(h, seat != SEAT_CHANCE);
}

/* R8: the other forts of the half are grass like any. */
static void play_fort(struct treasure_hunt *h, unsigned field) {
    memset(h->fort_set, 0, sizeof h->fort_set);
    h->phase = TREASURE_HALVES;
    fort_place(h, h->mover, field);
    treasure_half_done(h, true);
}

/* R24: whoever does not see the truth yet is told something new. */
static void fakes_want(struct treasure_hunt *h) {
    h->phase = is_faked(h, 0) || is_faked(h, 1) ? TREASURE_FAKING : TREASURE_MOVING;
}

/* R24: from now on this seat sees where the other is. */
static void truth_begin(struct treasure_hunt *h, unsigned seat) {
    struct treasure_seat *s = &h->seat[seat];
    const struct treasure_seat *other = &h->seat[seat ^ 1];
    s->fake = TREASURE_NONE;
    s->first_seen = other->position;
    s->first_seen_moves = (uint8_t)(other->actions - (other->kind == TREASURE_COURSE));
}

/* R19, R20, R23: what happens on the field where the avatar has just come. The other may be there too (R22).
 */
static void arrive(struct treasure_hunt *h, unsigned seat, unsigned field) {
    struct treasure_seat *s = &h->seat[seat];
    s->position = (uint8_t)field;
    treasure_set_add(s->seen, field);
    if (h->terrain[field] == TREASURE_MOUNTAIN)
        treasure_sight_add(h, field, s->seen);
    if (s->treasure == field) {
        s->treasure = TREASURE_NONE;
        s->has_treasure = 1;
    }
    if (s->has_treasure && h->seat[seat ^ 1].fort == field) {
        h->phase = TREASURE_OVER;
        h->end = TREASURE_BY_FORT;
        h->winner = (uint8_t)seat;
    }
}

static inline void play_move(struct treasure_hunt *h, unsigned seat, unsigned direction) {
    struct treasure_seat *s = &h->seat[seat];
    unsigned to = field_beside(h, s->position, direction);
    if (s->direction != direction)
        s->progress = 0; /* R16 */
    s->direction = (uint8_t)direction;
    s->progress++;
    if (s->progress == step_cost(h, s->position, to)) { /* R15 */
        s->progress = 0;
        arrive(h, seat, to);
    }
    if (s->progress == 0)
        s->direction = 0;
    treasure_turn_pass(h);
    if (s->actions == TREASURE_FAKED_ACTIONS)
        truth_begin(h, seat);
    if (h->phase != TREASURE_OVER)
        fakes_want(h);
}

static inline void play_fake(struct treasure_hunt *h, uint8_t first, uint8_t second) {
    h->seat[0].fake = first;
    h->seat[1].fake = second;
    h->phase = TREASURE_MOVING;
}

static void treasure_apply(struct game_state *state, unsigned seat, const struct action *action) {
    struct treasure_hunt *h = (struct treasure_hunt *)state;
    switch (action->kind) {
    case TREASURE_ENTER: treasure_enter(h, seat, action->arg[0]); break;
    case TREASURE_JOIN:
        h->mover = action->arg[0];
        h->shape = action->arg[1];
        h->origin = action->arg[2];
        h->phase = TREASURE_HALVES;
        break;
    case TREASURE_HALF: play_half(h, seat, action); break;
    case TREASURE_FORT: play_fort(h, action->arg[0]); break;
    case TREASURE_HIDE:
        h->seat[0].treasure = action->arg[0];
        h->seat[1].treasure = action->arg[1];
        fakes_want(h);
        break;
    case TREASURE_MOVE: play_move(h, seat, action->arg[0]); break;
    case TREASURE_FAKE: play_fake(h, action->arg[0], action->arg[1]); break;
    default: assert(false);
    }
}

/* field_exits of all fields. */
static void map_exits(const struct treasure_hunt *h, uint8_t exits[TREASURE_FIELDS]) {
    enum { MARGIN = 2 * TREASURE_HALF_WIDTH }; /* for the neighbours that are off the map */
    uint8_t water[MARGIN + TREASURE_FIELDS + MARGIN] = {0}, *middle = water + MARGIN;
    const int8_t *offset = step_offset[h->shape];
    for (int i = 0; i < TREASURE_FIELDS; i++)
        middle[i] = h->terrain[i] == TREASURE_WATER;
    for (int i = 0; i < TREASURE_FIELDS; i++) {
        unsigned wet = middle[i + offset[0]] | middle[i + offset[1]] << 1 | middle[i + offset[2]] << 2 |
                       middle[i + offset[3]] << 3;
        exits[i] = neighbours[h->shape][i] & (uint8_t)~wet;
    }
}

/* What the stock playout does once the avatars walk, without actions: their moves, and what seats are told
 * meanwhile, are nearly all of a random game. */
static size_t walk_playout(struct treasure_hunt *h, struct rng *rng) {
    uint8_t exits[TREASURE_FIELDS];
    size_t plies = 0;
    map_exits(h, exits);
    for (; h->phase != TREASURE_OVER; plies++) {
        const struct treasure_seat *s = &h->seat[h->mover];
        if (h->phase == TREASURE_FAKING) {
            uint8_t first = sample_fake(h, 0, rng);
            play_fake(h, first, sample_fake(h, 1, rng));
        } else
            play_move(h, h->mover,
                      sample_goes_on(s, rng) ? s->direction : sample_exit(exits[s->position], rng));
    }
    return plies;
}

static size_t treasure_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    struct treasure_hunt *h = (struct treasure_hunt *)state;
    size_t plies = 0;
    seat_set set;
    while (h->phase < TREASURE_MOVING && (set = hunt_turn(h)) != 0) {
        playout_step(game, state, set, rng);
        plies++;
    }
    struct rng local = *rng; /* through the pointer every byte written could be one of it */
    plies += walk_playout(h, &local);
    *rng = local;
    return plies;
}

static void treasure_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct treasure_hunt *h = treasure_of(state);
    points[h->winner] = 1;
    points[h->winner ^ 1] = 0;
}

/* R8: the seat has sent its half, and chance is to draw its fort. */
static bool is_fort_awaited(const struct treasure_hunt *h, unsigned seat) {
    return h->phase == TREASURE_DRAWING && h->mover == seat;
}

static const char *valid_half(const struct treasure_hunt *h, unsigned seat) {
    struct treasure_half half = {0};
    const struct treasure_seat *s = &h->seat[seat];
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++) {
        unsigned field = treasure_field_of_half(h, seat, i);
        if (!s->has_half && h->terrain[field] != TREASURE_UNKNOWN)
            return "there is terrain of a half that is not there";
        half.terrain[i] = h->terrain[field];
        half.is_fort[i] = is_fort_awaited(h, seat) ? fort_set_has(h, i) : s->fort == field;
    }
    if (s->has_half && treasure_half_check(&half, (enum treasure_forts)h->forts, NULL) != ERR_OK)
        return "a half map breaks the rules";
    return NULL;
}

static const char *valid_avatar(const struct treasure_hunt *h, unsigned seat) {
    const struct treasure_seat *s = &h->seat[seat];
    uint8_t sight[TREASURE_SET_BYTES] = {0};
    if (s->position >= TREASURE_FIELDS || h->terrain[s->position] < TREASURE_GRASS)
        return "an avatar is in the water or nowhere";
    treasure_sight_add(h, s->fort, sight);
    treasure_sight_add(h, s->position, sight);
    for (unsigned i = 0; i < TREASURE_SET_BYTES; i++)
        if ((sight[i] & ~s->seen[i]) != 0)
            return "an avatar does not see what is around it";
    if (s->direction >= TREASURE_DIRECTIONS ||
        (s->progress > 0 && treasure_move_check(h, seat, s->direction) != ERR_OK))
        return "a step goes where none can go";
    if (s->progress > 0 &&
        s->progress >= treasure_step_cost(h, s->position,
                                          (unsigned)treasure_neighbour(
                                              h, s->position, (enum treasure_direction)s->direction)))
        return "a step should be finished";
    return NULL;
}

/* A limit can strike before the treasures are hidden (R26). */
static bool are_treasures_hidden(const struct treasure_hunt *h) {
    unsigned sent = (h->seat[0].kind == TREASURE_COURSE) + (h->seat[1].kind == TREASURE_COURSE);
    return h->phase == TREASURE_MOVING || h->phase == TREASURE_FAKING ||
           (h->phase == TREASURE_OVER && h->actions > sent);
}

static const char *valid_treasure(const struct treasure_hunt *h, unsigned seat) {
    const struct treasure_seat *s = &h->seat[seat];
    bool is_hidden = are_treasures_hidden(h) && !s->has_treasure;
    if (is_hidden != (s->treasure != TREASURE_NONE))
        return "a treasure is missing, or there is one too many";
    if (is_hidden && (!may_hide(h, seat, s->treasure) || s->position == s->treasure))
        return "a treasure is where it cannot be";
    if (s->has_treasure && s->position == h->seat[seat ^ 1].fort && h->end != TREASURE_BY_FORT)
        return "the table should be over";
    return NULL;
}

static const char *valid_sight(const struct treasure_hunt *h, unsigned seat) {
    const struct treasure_seat *s = &h->seat[seat];
    bool sees = s->actions >= TREASURE_FAKED_ACTIONS;
    if (sees != (s->first_seen != TREASURE_NONE) || (sees && s->fake != TREASURE_NONE))
        return "the truth comes too early or too late";
    if (s->fake != TREASURE_NONE && s->fake >= TREASURE_FIELDS)
        return "a fake is off the map";
    if (h->phase == TREASURE_MOVING && !sees && s->fake == TREASURE_NONE)
        return "a fake is missing";
    return NULL;
}

static const char *treasure_valid_seat(const struct treasure_hunt *h, unsigned seat) {
    const struct treasure_seat *s = &h->seat[seat];
    const char *wrong = h->phase >= TREASURE_HALVES ? valid_half(h, seat) : NULL;
    if (wrong != NULL || !s->has_half || is_fort_awaited(h, seat))
        return wrong;
    wrong = valid_avatar(h, seat);
    if (wrong == NULL)
        wrong = valid_treasure(h, seat);
    return wrong == NULL ? valid_sight(h, seat) : wrong;
}

static const char *treasure_valid(const struct game_state *state) {
    const struct treasure_hunt *h = treasure_of(state);
    if (h->phase > TREASURE_OVER || h->players > TREASURE_PLAYERS_ANY || h->shape >= SHAPES ||
        h->origin >= TREASURE_SEATS || h->mover >= TREASURE_SEATS || h->winner >= TREASURE_SEATS ||
        h->forts > TREASURE_FORTS_ANY)
        return "a number is out of its range";
    if (h->actions != h->seat[0].actions + h->seat[1].actions || h->actions > h->actions_max)
        return "the actions do not add up";
    if ((h->phase == TREASURE_OVER) != (h->end != TREASURE_RUNNING))
        return "the end does not fit the phase";
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        if (h->seat[seat].kind > TREASURE_COURSE ||
            (h->phase > TREASURE_ENTERING && h->seat[seat].kind == TREASURE_ABSENT))
            return "somebody is not there";
        const char *wrong = treasure_valid_seat(h, seat);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static const char *const players_words[] = {"seed", "course", "mixed", "any", NULL};
static const char *const forts_words[] = {"one", "any", NULL};

static const struct game_option game_options[] = {
    [TREASURE_OPTION_PLAYERS] = {"players",
                                 "who plays: halves drawn (seed), sent (course), or as each says (any)",
                                 players_words, TREASURE_PLAYERS_SEED, TREASURE_PLAYERS_ANY,
                                 TREASURE_PLAYERS_SEED},
    [TREASURE_OPTION_ACTIONS_MAX] =
        {"actions-max", "after so many actions of both the next one loses; 0: it depends on who plays", NULL,
         0, TREASURE_ACTIONS_CEILING, TREASURE_ACTIONS_DEFAULT},
    [TREASURE_OPTION_FORTS] = {"forts",
                               "forts that a half map names: one, or any number of which chance draws one",
                               forts_words, TREASURE_FORTS_ONE, TREASURE_FORTS_ANY, TREASURE_FORTS_ONE},
    {0},
};

const struct game treasure_hunt_game = {
    .name = "treasure-hunt",
    .title = "Treasure Hunt",
    .rules_version = 1,
    .seats_min = TREASURE_SEATS,
    .seats_max = TREASURE_SEATS,
    .state_size = sizeof(struct treasure_hunt),
    .actions_max = JOINS_MAX,
    /* Entering, joining, halves and their forts, hiding, a fake at first and after every action that needs
     * one, and the rest.
     */
    .plies_max = TREASURE_SEATS + 1 + 2 * TREASURE_SEATS + 1 + 1 + TREASURE_SEATS * TREASURE_FAKED_ACTIONS +
                 TREASURE_ACTIONS_CEILING,
    .options = game_options,
    .refusals = (const struct err_row[]){TREASURE_HUNT_REFUSALS(ERR_ROW){0}},
    .setup = treasure_setup,
    .turn = treasure_turn,
    .legal = treasure_legal,
    .sample = treasure_sample,
    .check = treasure_check,
    .apply = treasure_apply,
    .attend = stock_attend,
    .rivals = stock_rivals,
    .score = treasure_score,
    .valid = treasure_valid,
    .redact_state = treasure_redact_state,
    .redact_action = treasure_redact_action,
    .imagine = treasure_imagine,
    .foresee = treasure_foresee,
    .describe = treasure_describe,
    .action_format = treasure_action_format,
    .action_parse = treasure_action_parse,
    .playout = treasure_playout,
    .perft = stock_perft,
};
