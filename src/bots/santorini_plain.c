#include "bots/santorini_plain.h"

#include "base/mem.h"
#include "games/santorini/plain.h"

#include <assert.h>

enum {
    RECORDS = 1 << 17,
    KILLERS = 2,
    EXTENSIONS_MAX = 8,  /* answers to climbs beyond the depth */
    NODES_PER_CLOCK = 8, /* a look at the limits */
    PLACE_PAIRS_MAX = SANTORINI_CELLS * SANTORINI_CELLS / 2,
    SITE_NONE = 31,
};

/* What a builder is worth on each level, what a cell is that it can go to, and what one that is higher. */
static const int level_worth[SANTORINI_HEIGHT_MAX + 1] = {0, 40, 100, 110};
static const int climb_worth[SANTORINI_HEIGHT_MAX + 1] = {14, 28, 160, 0};
enum { REACH_WORTH = 4, CENTRE_WORTH = 3, TEMPO_WORTH = 10 };

enum plain_bound { PLAIN_EXACT, PLAIN_LOWER, PLAIN_UPPER };

struct plain_record {
    uint64_t key;
    int32_t value;
    uint16_t turn; /* the best, packed */
    uint8_t depth, bound;
    uint32_t generation;
};

/* A position, seen by the side on turn. */
struct plain_node {
    struct plain board;
    cell_set own, other;
    uint64_t key;
    unsigned side;
};

struct plain_engine {
    struct plain_record *records;
    uint64_t height_keys[SANTORINI_CELLS][SANTORINI_HEIGHT_MAX + 2], builder_keys[2][SANTORINI_CELLS],
        side_key;
    uint8_t bits[1 << 13];
    int8_t centre[SANTORINI_CELLS];
    uint32_t generation;
    /* Of the search that is under way: */
    struct bot *bot;
    uint64_t nodes, looks_at; /* when it looks at its limits again */
    bool is_stopped;
    int32_t history[2][SANTORINI_CELLS][32];
    uint16_t killers[PLAIN_DEPTH_MAX + EXTENSIONS_MAX + 2][KILLERS];
};

struct plain_engine *plain_engine_create(void) {
    struct plain_engine *e = mem_alloc(sizeof *e);
    e->records = mem_alloc(RECORDS * sizeof *e->records);
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++) {
        int row = (int)(cell / SANTORINI_SIDE) - 2, column = (int)(cell % SANTORINI_SIDE) - 2;
        e->centre[cell] = (int8_t)(CENTRE_WORTH * (4 - row * row / 2 - column * column / 2));
        for (unsigned h = 0; h < SANTORINI_HEIGHT_MAX + 2; h++)
            e->height_keys[cell][h] = rng_mix(cell * 8 + h);
        for (unsigned side = 0; side < 2; side++)
            e->builder_keys[side][cell] = rng_mix(0x1000 + side * 32 + cell);
    }
    e->side_key = rng_mix(0x2000);
    for (unsigned i = 0; i < 1 << 13; i++)
        e->bits[i] = (uint8_t)__builtin_popcount(i);
    return e;
}

void plain_engine_free(struct plain_engine *e) {
    if (e != NULL)
        mem_free(e->records);
    mem_free(e);
}

bool plain_engine_plays(const struct santorini *s) {
    return s->seat_count == 2 && s->alive == 3 && santorini_power(s, 0) == GOD_NONE &&
           santorini_power(s, 1) == GOD_NONE && s->card[0] == GOD_NONE && s->card[1] == GOD_NONE;
}

static inline int bits_count(const struct plain_engine *e, cell_set cells) {
    return e->bits[cells & 0x1fff] + e->bits[cells >> 13];
}

static inline unsigned plain_first(cell_set cells) {
    return (unsigned)__builtin_ctz(cells);
}

static inline uint16_t turn_pack(const struct plain_turn *t) {
    return (uint16_t)(t->from | t->to << 5 | (t->is_climb ? SITE_NONE : t->site) << 10);
}

static int side_worth(const struct plain_engine *e, const struct plain *board, cell_set builders) {
    int worth = 0;
    for (; builders != 0; builders &= builders - 1) {
        unsigned from = plain_first(builders), height = plain_height(board, from);
        cell_set moves = plain_moves(board, from);
        worth += level_worth[height] + REACH_WORTH * bits_count(e, moves) + e->centre[from];
        if (height < SANTORINI_HEIGHT_MAX)
            worth += climb_worth[height] * bits_count(e, moves & board->block[height]);
    }
    return worth;
}

static int plain_evaluate(const struct plain_engine *e, const struct plain_node *n) {
    return side_worth(e, &n->board, n->own) - side_worth(e, &n->board, n->other) + TEMPO_WORTH;
}

/* The cells to which a side could climb and win now. */
static cell_set climbs_of(const struct plain *board, cell_set builders) {
    cell_set climbs = 0;
    for (builders &= board->block[1] & ~board->block[2]; builders != 0; builders &= builders - 1)
        climbs |= plain_moves(board, plain_first(builders)) & board->block[2];
    return climbs;
}

static uint64_t node_key(const struct plain_engine *e, const struct plain_node *n) {
    uint64_t key = n->side ? e->side_key : 0;
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++)
        key ^= e->height_keys[cell][cell_is_in(cell, n->board.dome) ? SANTORINI_HEIGHT_MAX + 1
                                                                    : plain_height(&n->board, cell)];
    for (cell_set own = n->own; own != 0; own &= own - 1)
        key ^= e->builder_keys[n->side][plain_first(own)];
    for (cell_set other = n->other; other != 0; other &= other - 1)
        key ^= e->builder_keys[n->side ^ 1][plain_first(other)];
    return key;
}

static void node_after(const struct plain_engine *e, const struct plain_node *n, const struct plain_turn *t,
                       struct plain_node *out) {
    unsigned height = plain_height(&n->board, t->site);
    out->board = n->board;
    plain_build(&out->board, t->site);
    out->own = n->other;
    out->other = (n->own & ~CELL_BIT(t->from)) | CELL_BIT(t->to);
    out->board.occupied = out->own | out->other;
    out->side = n->side ^ 1;
    out->key = n->key ^ e->side_key ^ e->builder_keys[n->side][t->from] ^ e->builder_keys[n->side][t->to] ^
               e->height_keys[t->site][height] ^ e->height_keys[t->site][height + 1];
}

/* What is likely good comes first. */
static int turn_order(const struct plain_engine *e, const struct plain_node *n, const struct plain_turn *t,
                      uint16_t best, const uint16_t *killers) {
    uint16_t packed = turn_pack(t);
    if (packed == best)
        return 1 << 28;
    int order = e->history[n->side][t->to][t->site];
    if (packed == killers[0] || packed == killers[1])
        order += 1 << 20;
    int up = (int)plain_height(&n->board, t->to) - (int)plain_height(&n->board, t->from);
    return order + 4000 * up + 200 * e->centre[t->to];
}

/* The turns of the side; with a threat only those that build on it. None of them is a climb that wins. */
static size_t turns_list(const struct plain_engine *e, const struct plain_node *n, cell_set threat,
                         uint16_t best, const uint16_t *killers, struct plain_turn *out) {
    size_t count = 0;
    for (cell_set own = n->own; own != 0; own &= own - 1) {
        unsigned from = plain_first(own);
        for (cell_set moves = plain_moves(&n->board, from); moves != 0; moves &= moves - 1) {
            unsigned to = plain_first(moves);
            cell_set sites = plain_sites(&n->board, from, to);
            for (sites &= threat == 0 ? ~(cell_set)0 : threat; sites != 0; sites &= sites - 1) {
                struct plain_turn *t = &out[count++];
                *t = (struct plain_turn){(uint8_t)from, (uint8_t)to, (uint8_t)plain_first(sites), false, 0};
                t->value = turn_order(e, n, t, best, killers);
            }
        }
    }
    return count;
}

/* The next best of those from index on comes to index. */
static void turns_pick(struct plain_turn *turns, size_t index, size_t count) {
    size_t best = index;
    for (size_t i = index + 1; i < count; i++)
        best = turns[i].value > turns[best].value ? i : best;
    struct plain_turn t = turns[best];
    turns[best] = turns[index];
    turns[index] = t;
}

static bool plain_is_stopped(struct plain_engine *e) {
    if (!e->is_stopped && e->nodes >= e->looks_at) {
        e->looks_at = e->nodes + NODES_PER_CLOCK;
        e->is_stopped = e->nodes >= e->bot->nodes_max || bot_must_stop(e->bot);
    }
    return e->is_stopped;
}

static const struct plain_record *plain_record_find(const struct plain_engine *e, uint64_t key) {
    const struct plain_record *r = &e->records[key % RECORDS];
    return r->key == key && r->generation == e->generation ? r : NULL;
}

static void plain_record_keep(struct plain_engine *e, uint64_t key, unsigned depth, int value,
                              enum plain_bound bound, uint16_t turn) {
    struct plain_record *r = &e->records[key % RECORDS];
    if (r->generation == e->generation && r->key != key && r->depth > depth + 3)
        return;
    *r = (struct plain_record){key, value, turn, (uint8_t)depth, (uint8_t)bound, e->generation};
}

/* Ends are stored as seen from their position, not from the root. */
static int value_to_record(int value, unsigned ply) {
    return value >= PLAIN_SURE ? value + (int)ply : value <= -PLAIN_SURE ? value - (int)ply : value;
}

static int value_of_record(int value, unsigned ply) {
    return value >= PLAIN_SURE ? value - (int)ply : value <= -PLAIN_SURE ? value + (int)ply : value;
}

static bool plain_record_answers(const struct plain_record *r, unsigned depth, int value, int alpha,
                                 int beta) {
    if (r->depth < depth)
        return false;
    return r->bound == PLAIN_EXACT || (r->bound == PLAIN_LOWER ? value >= beta : value <= alpha);
}

static void turn_was_good(struct plain_engine *e, const struct plain_node *n, const struct plain_turn *t,
                          unsigned ply, unsigned depth) {
    enum { HISTORY_MAX = 1 << 16 };
    uint16_t packed = turn_pack(t), *killers = e->killers[ply];
    int32_t *history = &e->history[n->side][t->to][t->site];
    if (killers[0] != packed) {
        killers[1] = killers[0];
        killers[0] = packed;
    }
    *history += (int32_t)(depth * depth) - *history / 64;
    if (*history > HISTORY_MAX)
        *history = HISTORY_MAX;
}

static unsigned turn_reduction(unsigned depth, size_t index) {
    if (depth < 3 || index < 4)
        return depth == 2 && index >= 12 ? 1 : 0;
    unsigned less = 1 + (index >= 12) + (index >= 32 && depth >= 5);
    return less < depth - 1 ? less : depth - 2;
}

static int plain_search(struct plain_engine *, const struct plain_node *, unsigned ply, unsigned depth,
                        int alpha, int beta, unsigned extensions);

/* One turn, first against a window of nothing and less deep when it comes late. */
static int plain_turn_search(struct plain_engine *e, const struct plain_node *n, const struct plain_turn *t,
                             size_t index, unsigned ply, unsigned depth, int alpha, int beta,
                             unsigned extensions) {
    struct plain_node next;
    node_after(e, n, t, &next);
    if (index == 0)
        return -plain_search(e, &next, ply + 1, depth - 1, -beta, -alpha, extensions);
    unsigned less = turn_reduction(depth, index);
    int value = -plain_search(e, &next, ply + 1, depth - 1 - less, -alpha - 1, -alpha, extensions);
    if (value > alpha && less > 0)
        value = -plain_search(e, &next, ply + 1, depth - 1, -alpha - 1, -alpha, extensions);
    if (value > alpha && value < beta)
        value = -plain_search(e, &next, ply + 1, depth - 1, -beta, -alpha, extensions);
    return value;
}

static int plain_search_turns(struct plain_engine *e, const struct plain_node *n, cell_set threat,
                              unsigned ply, unsigned depth, int alpha, int beta, unsigned extensions) {
    struct plain_turn turns[PLAIN_TURNS_MAX];
    const struct plain_record *known = plain_record_find(e, n->key);
    int best = -PLAIN_WIN + (int)ply, floor = alpha; /* R10: no turn at all loses */
    uint16_t best_turn = known == NULL ? 0 : known->turn;
    size_t count = turns_list(e, n, threat, best_turn, e->killers[ply], turns);
    if (count == 0 && threat != 0)
        return -PLAIN_WIN + (int)ply + 1;
    for (size_t i = 0; i < count && best < beta && !(e->is_stopped && i > 0); i++) {
        turns_pick(turns, i, count);
        int value = plain_turn_search(e, n, &turns[i], i, ply, depth, floor, beta, extensions);
        if (value > best || i == 0) {
            best = value;
            best_turn = turn_pack(&turns[i]);
            if (best >= beta)
                turn_was_good(e, n, &turns[i], ply, depth);
        }
        floor = best > floor ? best : floor;
    }
    if (!e->is_stopped)
        plain_record_keep(e, n->key, depth, value_to_record(best, ply),
                          best >= beta    ? PLAIN_LOWER
                          : best <= alpha ? PLAIN_UPPER
                                          : PLAIN_EXACT,
                          best_turn);
    return best;
}

/* The value for the side on turn. */
static int plain_search(struct plain_engine *e, const struct plain_node *n, unsigned ply, unsigned depth,
                        int alpha, int beta, unsigned extensions) {
    e->nodes++;
    if (climbs_of(&n->board, n->own) != 0)
        return PLAIN_WIN - (int)ply;
    cell_set threat = climbs_of(&n->board, n->other);
    if ((threat & (threat - 1)) != 0)
        return -PLAIN_WIN + (int)ply + 1; /* only one of two can be built on */
    if (plain_is_stopped(e) || ply >= PLAIN_DEPTH_MAX)
        return plain_evaluate(e, n);
    if (depth == 0) {
        if (threat == 0 || extensions == 0)
            return plain_evaluate(e, n);
        depth = 1;
        extensions--;
    }
    const struct plain_record *known = plain_record_find(e, n->key);
    if (known != NULL) {
        int value = value_of_record(known->value, ply);
        if (plain_record_answers(known, depth, value, alpha, beta))
            return value;
    }
    return plain_search_turns(e, n, threat, ply, depth, alpha, beta, extensions);
}

static struct plain_node node_of(const struct plain_engine *e, const struct santorini *s) {
    struct plain_node n = {.board = plain_of(s), .side = s->mover};
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
        n.own |= s->builder[s->mover][b] == SANTORINI_NOWHERE ? 0 : CELL_BIT(s->builder[s->mover][b]);
        n.other |=
            s->builder[s->mover ^ 1][b] == SANTORINI_NOWHERE ? 0 : CELL_BIT(s->builder[s->mover ^ 1][b]);
    }
    n.key = node_key(e, &n);
    return n;
}

/* The turns of the root. After a move only what can be built is left: the turn goes from the cell to itself.
 */
static void root_list(const struct plain_engine *e, const struct santorini *s, const struct plain_node *n,
                      struct plain_answer *out) {
    static const uint16_t no_killers[KILLERS];
    if (s->moves > 0) {
        unsigned at = santorini_cell(s, s->actor);
        for (cell_set sites = santorini_near[at] & ~(n->board.dome | n->board.occupied); sites != 0;
             sites &= sites - 1)
            out->turns[out->count++] =
                (struct plain_turn){(uint8_t)at, (uint8_t)at, (uint8_t)plain_first(sites), false, 0};
        return;
    }
    for (cell_set own = n->own; own != 0; own &= own - 1) {
        unsigned from = plain_first(own);
        cell_set wins = plain_wins(&n->board, from, plain_moves(&n->board, from));
        if (wins != 0) {
            out->turns[0] =
                (struct plain_turn){(uint8_t)from, (uint8_t)plain_first(wins), SITE_NONE, true, PLAIN_WIN};
            out->count = 1;
            return;
        }
    }
    out->count = turns_list(e, n, 0, 0, no_killers, out->turns);
}

/* One round over the root's turns, which brings the best to the front. */
static void root_round(struct plain_engine *e, const struct plain_node *n, unsigned depth,
                       const uint32_t *noise, struct plain_answer *out) {
    int best = -2 * PLAIN_WIN;
    for (size_t i = 0; i < out->count; i++) {
        struct plain_turn t = out->turns[i];
        int luck = (int)noise[t.to << 5 | t.site];
        int floor = best - luck < -PLAIN_WIN ? -PLAIN_WIN : best - luck;
        int value = plain_turn_search(e, n, &t, i, 0, depth, floor, PLAIN_WIN, EXTENSIONS_MAX);
        if (e->is_stopped && i > 0)
            return;
        if (value + luck <= best)
            continue;
        best = value + luck;
        t.value = value;
        memmove(out->turns + 1, out->turns, i * sizeof t);
        out->turns[0] = t;
        if (e->is_stopped || value >= PLAIN_SURE)
            break;
    }
    out->depth = e->is_stopped ? out->depth : depth;
}

/* How the game is expected to go on, as far as the table of positions knows it. */
static void root_expect(const struct plain_engine *e, const struct plain_node *root,
                        struct plain_answer *out) {
    static const uint16_t no_killers[KILLERS];
    struct plain_node n = *root;
    out->line_count = 0;
    if (out->count == 0)
        return;
    out->line[out->line_count++] = out->turns[0];
    while (out->line_count < PLAIN_LINE_MAX && !out->line[out->line_count - 1].is_climb) {
        struct plain_turn turns[PLAIN_TURNS_MAX];
        struct plain_node next;
        node_after(e, &n, &out->line[out->line_count - 1], &next);
        n = next;
        const struct plain_record *known = plain_record_find(e, n.key);
        size_t count = turns_list(e, &n, 0, 0, no_killers, turns), i = 0;
        while (i < count && (known == NULL || turn_pack(&turns[i]) != known->turn))
            i++;
        if (i == count)
            return;
        out->line[out->line_count++] = turns[i];
    }
}

static void plain_engine_begin(struct plain_engine *e, struct bot *bot) {
    e->bot = bot;
    e->nodes = e->looks_at = 0;
    e->is_stopped = false;
    memset(e->killers, 0, sizeof e->killers);
    /* With a clock nobody expects the same again, and what was found before still holds. */
    if (bot->now_ns == NULL || e->generation == 0) {
        e->generation++;
        memset(e->history, 0, sizeof e->history);
    }
}

void plain_engine_search(struct plain_engine *e, struct bot *bot, const struct santorini *s,
                         const struct plain_limits *limits, struct rng *rng, struct plain_answer *out) {
    uint32_t noise[1 << 10];
    struct plain_node n = node_of(e, s);
    plain_engine_begin(e, bot);
    out->count = out->depth = 0;
    root_list(e, s, &n, out);
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        noise[i] = limits->noise == 0 ? 0 : rng_below(rng, limits->noise + 1);
    for (size_t i = 0; i < out->count; i++)
        turns_pick(out->turns, i, out->count);
    for (unsigned depth = 1; out->count > 1 && depth <= limits->depth_max && !e->is_stopped; depth++) {
        root_round(e, &n, depth, noise, out);
        if (out->turns[0].value >= PLAIN_SURE || out->turns[0].value <= -PLAIN_SURE)
            break;
    }
    out->nodes = e->nodes;
    root_expect(e, &n, out);
}

/* The value of a whole placement for whoever placed last, when the other begins. */
static int place_value(struct plain_engine *e, const struct plain_node *n, unsigned depth) {
    return -plain_search(e, n, 0, depth, -PLAIN_WIN, PLAIN_WIN, 0);
}

/* The best second builder beside the first, by a search of this depth; the other two stand. */
static int place_second(struct plain_engine *e, const struct plain_node *n, unsigned first, unsigned depth,
                        struct rng *rng, unsigned *cell) {
    int best = -2 * PLAIN_WIN;
    for (cell_set free = CELLS_ALL & ~(n->own | n->other | CELL_BIT(first)); free != 0; free &= free - 1) {
        struct plain_node after = {.board = {.occupied = 0}, .own = n->other, .side = n->side ^ 1};
        after.other = CELL_BIT(first) | CELL_BIT(plain_first(free));
        after.board.occupied = after.own | after.other;
        after.key = node_key(e, &after);
        int value = place_value(e, &after, depth) + (int)rng_below(rng, 3);
        if (value > best) {
            best = value;
            *cell = plain_first(free);
        }
    }
    return best;
}

unsigned plain_engine_place(struct plain_engine *e, struct bot *bot, const struct santorini *s,
                            struct rng *rng) {
    enum { DEPTH_FIRST = 1, DEPTH_SECOND = 3 };
    struct plain_node n = node_of(e, s);
    unsigned best_cell = 0, second = 0;
    int best = -2 * PLAIN_WIN;
    plain_engine_begin(e, bot);
    if (n.other == 0) { /* nobody to answer yet: in the middle, and not both on one spot of it */
        static const uint8_t middle[] = {12, 6, 8, 16, 18, 7, 11, 13, 17};
        size_t from = n.own == 0 ? 0 : 1 + rng_below(rng, 4);
        while (!cell_is_in(middle[from], santorini_places(s)))
            from = (from + 1) % sizeof middle;
        return middle[from];
    }
    if (n.own != 0) {
        place_second(e, &n, plain_first(n.own), DEPTH_SECOND, rng, &second);
        return second;
    }
    for (cell_set free = santorini_places(s); free != 0; free &= free - 1) {
        int value = place_second(e, &n, plain_first(free), DEPTH_FIRST, rng, &second);
        if (value > best) {
            best = value;
            best_cell = plain_first(free);
        }
    }
    return best_cell;
}
