/* The numbers of turns and of different positions after them, with and without gods, in positions that are
 * set up with heights. They were counted by other implementations of the rules. PARLOR_LONG=1 adds the counts
 * that take minutes. */
#include "tests.h"

#include "base/mem.h"
#include "game/perft.h"
#include "games/santorini/santorini.h"

enum { NOBODY_WINS = 0, KEYS_FIRST = 1 << 12, EACH_LEAVES_MAX = 5 * 1000 * 1000 };

#define AT(row, column) ((row)*5 + (column))

static const struct board {
    char name;
    unsigned seats;
    uint8_t builder[3][2];
    const char *heights;
} boards[] = {
    {'A', 2, {{AT(1, 1), AT(3, 3)}, {AT(1, 3), AT(3, 1)}}, NULL},
    {'B', 2, {{AT(0, 0), AT(4, 4)}, {AT(0, 4), AT(4, 0)}}, NULL},
    {'C', 2, {{AT(2, 1), AT(2, 3)}, {AT(1, 2), AT(3, 2)}}, NULL},
    {'D', 2, {{AT(0, 0), AT(0, 1)}, {AT(1, 0), AT(1, 1)}}, NULL},
    {'E', 2, {{AT(2, 2), AT(1, 2)}, {AT(0, 4), AT(4, 4)}}, NULL},
    {'F', 2, {{AT(0, 0), AT(2, 2)}, {AT(4, 4), AT(2, 3)}}, NULL},
    {'K', 2, {{AT(0, 1), AT(2, 1)}, {AT(3, 1), AT(1, 3)}}, "00000 01100 01210 00100 00000"},
    {'M', 2, {{AT(1, 1), AT(2, 2)}, {AT(0, 2), AT(3, 3)}}, "01210 12321 01230 34100 00a00"},
    {'T', 3, {{AT(0, 0), AT(0, 1)}, {AT(1, 3), AT(2, 2)}, {AT(4, 4), AT(3, 0)}}, NULL},
};

static struct santorini position(char name, enum santorini_god first, enum santorini_god second) {
    const struct board *b = boards;
    while (b->name != name)
        b++;
    struct santorini_position p = {.seat_count = b->seats, .heights = b->heights, .god = {first, second}};
    memcpy(p.builder, b->builder, sizeof p.builder);
    struct santorini s;
    assert_true(santorini_set_position(&s, &p));
    return s;
}

/* What distinguishes positions: the builders of one seat are interchangeable. */
struct key {
    cell_set block[SANTORINI_HEIGHT_MAX], dome, builders[SANTORINI_SEATS_MAX];
    uint32_t is_won;
};

/* The leaves of a tree of whole turns: how many, how many of them won, and what they look like. */
struct leaves {
    uint64_t count, won;
    struct key *keys; /* NULL: not wanted */
    size_t key_count, key_capacity;
};

static void leaf_add(struct leaves *l, const struct santorini *s) {
    bool is_won = s->phase == SANTORINI_OVER && s->end != SANTORINI_BY_LAST;
    l->count++;
    l->won += is_won;
    if (l->keys == NULL)
        return;
    if (l->key_count == l->key_capacity) {
        l->key_capacity *= 2;
        l->keys = mem_resize(l->keys, l->key_capacity * sizeof *l->keys);
    }
    struct key key = {.dome = s->dome, .is_won = is_won};
    memcpy(key.block, s->block, sizeof key.block);
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
            key.builders[seat] |=
                s->builder[seat][b] == SANTORINI_NOWHERE ? 0 : CELL_BIT(s->builder[seat][b]);
    l->keys[l->key_count++] = key;
}

/* Whether a build is the last step of its turn; that turns do end there is what counts of one turn show. */
static bool build_is_last(const struct santorini *s) {
    switch (santorini_power(s, s->mover)) {
    case GOD_DEMETER:
    case GOD_HEPHAESTUS:
    case GOD_HESTIA: return s->builds == 1;
    default: return s->moves > 0;
    }
}

/* The leaf after a last build, without what follows it: the next turn need not be begun. */
static void leaf_build(struct leaves *l, const struct santorini *s, const struct action *action) {
    struct santorini next = *s;
    unsigned cell = action->arg[1];
    if (action->kind == SANTORINI_ACT_DOME)
        next.dome |= CELL_BIT(cell);
    else
        next.block[santorini_height(s, cell)] |= CELL_BIT(cell);
    leaf_add(l, &next);
}

static void walk(struct leaves *l, const struct santorini *s, unsigned turns, bool is_deep) {
    struct action actions[SANTORINI_ACTIONS_MAX];
    size_t count = santorini_game.legal((const struct game_state *)s, s->mover, actions);
    for (size_t i = 0; i < count; i++) {
        bool is_build = actions[i].kind == SANTORINI_ACT_BUILD || actions[i].kind == SANTORINI_ACT_DOME;
        if (is_deep && turns == 1 && is_build && build_is_last(s)) {
            leaf_build(l, s, &actions[i]);
            continue;
        }
        struct santorini next = *s;
        santorini_game.apply((struct game_state *)&next, s->mover, &actions[i]);
        unsigned left = next.phase == SANTORINI_OVER || next.mover != s->mover ? turns - 1 : turns;
        if (left == 0)
            leaf_add(l, &next);
        else if (next.phase != SANTORINI_OVER)
            walk(l, &next, left, is_deep);
    }
}

static int key_compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct key));
}

/* Different positions among the leaves, won ones and others. */
static void keys_count(struct leaves *l, unsigned *open, unsigned *won) {
    qsort(l->keys, l->key_count, sizeof *l->keys, key_compare);
    *open = *won = 0;
    for (size_t i = 0; i < l->key_count; i++)
        if (i == 0 || key_compare(&l->keys[i], &l->keys[i - 1]) != 0)
            *(l->keys[i].is_won ? won : open) += 1;
}

static struct leaves leaves_of(const struct santorini *s, unsigned turns, bool has_keys) {
    struct leaves l = {0};
    if (has_keys) {
        l.key_capacity = KEYS_FIRST;
        l.keys = mem_alloc(l.key_capacity * sizeof *l.keys);
    }
    walk(&l, s, turns, turns > 1);
    return l;
}

static void assert_turns(char name, enum santorini_god first, enum santorini_god second, unsigned turns,
                         uint64_t expected, uint64_t expected_won) {
    struct santorini s = position(name, first, second);
    struct leaves l = leaves_of(&s, turns, false);
    if (l.count != expected || l.won != expected_won)
        fail_msg("position %c, %s against %s, %u turns: %llu (%llu won), not %llu (%llu)", name,
                 santorini_god_name(first), santorini_god_name(second), turns, (unsigned long long)l.count,
                 (unsigned long long)l.won, (unsigned long long)expected, (unsigned long long)expected_won);
}

static void assert_distinct(char name, enum santorini_god first, enum santorini_god second, unsigned turns,
                            unsigned expected, unsigned expected_won) {
    struct santorini s = position(name, first, second);
    struct leaves l = leaves_of(&s, turns, true);
    unsigned open, won;
    keys_count(&l, &open, &won);
    mem_free(l.keys);
    if (open != expected || won != expected_won)
        fail_msg("position %c, %s against %s, %u turns: %u positions and %u won ones, not %u and %u", name,
                 santorini_god_name(first), santorini_god_name(second), turns, open, won, expected,
                 expected_won);
}

static void without_gods(void **unused) {
    (void)unused;
    static const struct {
        char name;
        uint64_t count[4];
    } rows[] = {
        {'A', {80, 6176, 426384, 29096316}}, {'B', {36, 1296, 69468, 3572700}},
        {'C', {68, 5156, 350208, 24545388}}, {'D', {11, 409, 16456, 853841}},
        {'E', {91, 2806, 230261, 10010688}}, {'F', {67, 3978, 249017, 13607160}},
        {'K', {62, 3977, 216520, 12911586}}, {'M', {43, 1549, 59179, 1952256}},
        {'T', {30, 2276, 91240, 3275340}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned turns = 1; turns <= 4; turns++) {
            struct santorini s = position(rows[i].name, GOD_NONE, GOD_NONE);
            const struct game_state *state = (const struct game_state *)&s;
            assert_int_equal(santorini_game.perft(&santorini_game, state, turns), rows[i].count[turns - 1]);
            if (rows[i].count[turns - 1] < EACH_LEAVES_MAX)
                assert_int_equal(santorini_perft_each(&s, turns), rows[i].count[turns - 1]);
            if (turns <= 2)
                assert_int_equal(perft_turns(&santorini_game, state, turns), rows[i].count[turns - 1]);
        }
}

static void winning_turns_without_gods(void **unused) {
    (void)unused;
    assert_turns('K', GOD_NONE, GOD_NONE, 3, 216520, 20);
    assert_turns('M', GOD_NONE, GOD_NONE, 1, 43, 3);
    assert_turns('M', GOD_NONE, GOD_NONE, 2, 1549, 41);
    assert_turns('M', GOD_NONE, GOD_NONE, 3, 59179, 2868);
}

static void distinct_positions_without_gods(void **unused) {
    (void)unused;
    static const struct {
        char name;
        unsigned count[3], won;
    } rows[] = {
        {'A', {80, 6028, 225754}, 0},
        {'D', {11, 399, 13114}, 0},
        {'F', {67, 3894, 141963}, 0},
        {'K', {62, 3903, 122443}, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned turns = 1; turns <= 3; turns++)
            assert_distinct(rows[i].name, GOD_NONE, GOD_NONE, turns, rows[i].count[turns - 1],
                            turns == 3 ? rows[i].won : 0);
}

/* Turns of one and of two levels: the god first against a plain player, plain against the god, god against
 * god; and what wins among them. */
static const struct god_counts {
    char name;
    enum santorini_god god;
    unsigned one, one_won, distinct, distinct_won, first, first_won, second, second_won, both, both_won;
} god_counts[] = {
    {'A', GOD_APOLLO, 80, 0, 80, 0, 6176, 0, 6536, 0, 6536, 0},
    {'A', GOD_ARTEMIS, 416, 0, 120, 0, 31888, 0, 33140, 0, 171276, 0},
    {'A', GOD_ATHENA, 80, 0, 80, 0, 6176, 0, 6176, 0, 6176, 0},
    {'A', GOD_ATLAS, 160, 0, 160, 0, 11816, 0, 12352, 0, 23632, 0},
    {'A', GOD_DEMETER, 428, 0, 254, 0, 32616, 0, 33600, 0, 175336, 0},
    {'A', GOD_HEPHAESTUS, 160, 0, 160, 0, 12088, 0, 12352, 0, 23904, 0},
    {'A', GOD_MINOTAUR, 80, 0, 80, 0, 6176, 0, 6372, 0, 6372, 0},
    {'A', GOD_PAN, 80, 0, 80, 0, 6176, 0, 6176, 0, 6176, 0},
    {'A', GOD_PROMETHEUS, 640, 0, 584, 0, 49224, 0, 45588, 0, 349420, 0},
    {'C', GOD_APOLLO, 92, 0, 92, 0, 6788, 0, 6248, 0, 8168, 0},
    {'C', GOD_ARTEMIS, 348, 0, 136, 0, 26700, 0, 26992, 0, 141540, 0},
    {'C', GOD_ATHENA, 68, 0, 68, 0, 5156, 0, 5156, 0, 5156, 0},
    {'C', GOD_ATLAS, 136, 0, 136, 0, 9748, 0, 10312, 0, 19496, 0},
    {'C', GOD_DEMETER, 396, 0, 232, 0, 29812, 0, 30388, 0, 175236, 0},
    {'C', GOD_HEPHAESTUS, 136, 0, 136, 0, 9972, 0, 10312, 0, 19720, 0},
    {'C', GOD_MINOTAUR, 92, 0, 92, 0, 6596, 0, 6148, 0, 7876, 0},
    {'C', GOD_PAN, 68, 0, 68, 0, 5156, 0, 5156, 0, 5156, 0},
    {'C', GOD_PROMETHEUS, 408, 0, 378, 0, 30812, 0, 32656, 0, 188124, 0},
    {'D', GOD_APOLLO, 25, 0, 25, 0, 716, 0, 496, 0, 947, 0},
    {'D', GOD_ARTEMIS, 69, 0, 45, 0, 2852, 0, 2444, 0, 16976, 0},
    {'D', GOD_ATHENA, 11, 0, 11, 0, 409, 0, 409, 0, 409, 0},
    {'D', GOD_ATLAS, 22, 0, 22, 0, 759, 0, 818, 0, 1518, 0},
    {'D', GOD_DEMETER, 65, 0, 38, 0, 2371, 0, 2243, 0, 12689, 0},
    {'D', GOD_HEPHAESTUS, 22, 0, 22, 0, 780, 0, 818, 0, 1539, 0},
    {'D', GOD_MINOTAUR, 23, 0, 23, 0, 1034, 0, 458, 0, 1187, 0},
    {'D', GOD_PAN, 11, 0, 11, 0, 409, 0, 409, 0, 409, 0},
    {'D', GOD_PROMETHEUS, 22, 0, 22, 0, 807, 0, 1641, 0, 3091, 0},
    {'M', GOD_APOLLO, 53, 3, 50, 3, 1944, 61, 1753, 41, 2289, 61},
    {'M', GOD_ARTEMIS, 143, 5, 73, 3, 5472, 149, 5391, 123, 19141, 462},
    {'M', GOD_ATHENA, 43, 3, 40, 3, 1549, 41, 1549, 41, 1549, 41},
    {'M', GOD_ATLAS, 74, 3, 71, 3, 2708, 72, 2795, 41, 4875, 72},
    {'M', GOD_DEMETER, 215, 3, 126, 3, 7829, 209, 7617, 41, 37745, 209},
    {'M', GOD_HEPHAESTUS, 66, 3, 63, 3, 2449, 67, 2552, 41, 4012, 67},
    {'M', GOD_MINOTAUR, 49, 3, 46, 3, 1697, 47, 1729, 41, 1954, 47},
    {'M', GOD_PAN, 38, 5, 33, 5, 1240, 32, 1549, 41, 1240, 32},
    {'M', GOD_PROMETHEUS, 252, 3, 232, 3, 9473, 240, 7453, 41, 45422, 240},
};

static void with_simple_gods(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof god_counts / sizeof *god_counts; i++) {
        const struct god_counts *c = &god_counts[i];
        assert_turns(c->name, c->god, GOD_NONE, 1, c->one, c->one_won);
        assert_distinct(c->name, c->god, GOD_NONE, 1, c->distinct, c->distinct_won);
        assert_turns(c->name, c->god, GOD_NONE, 2, c->first, c->first_won);
        assert_turns(c->name, GOD_NONE, c->god, 2, c->second, c->second_won);
        assert_turns(c->name, c->god, c->god, 2, c->both, c->both_won);
    }
}

static void simple_gods_in_corners_and_beside_each_other(void **unused) {
    (void)unused;
    static const struct {
        enum santorini_god god;
        unsigned b, b_distinct, e, e_distinct;
    } rows[] = {
        {GOD_APOLLO, 36, 36, 91, 91},         {GOD_ARTEMIS, 228, 104, 508, 201},
        {GOD_ATLAS, 72, 72, 182, 182},        {GOD_DEMETER, 228, 132, 609, 350},
        {GOD_HEPHAESTUS, 72, 72, 182, 182},   {GOD_MINOTAUR, 36, 36, 91, 91},
        {GOD_PROMETHEUS, 108, 102, 637, 609},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_turns('B', rows[i].god, GOD_NONE, 1, rows[i].b, NOBODY_WINS);
        assert_distinct('B', rows[i].god, GOD_NONE, 1, rows[i].b_distinct, NOBODY_WINS);
        assert_turns('E', rows[i].god, GOD_NONE, 1, rows[i].e, NOBODY_WINS);
        assert_distinct('E', rows[i].god, GOD_NONE, 1, rows[i].e_distinct, NOBODY_WINS);
    }
}

static void with_zeus_hestia_and_against_limus(void **unused) {
    (void)unused;
    static const struct {
        char name;
        unsigned zeus[2], hestia[2], hestia_distinct, limus[2], won;
    } rows[] = {
        {'A', {96, 7428}, {320, 23944}, 268, {36, 2872}, 0},
        {'B', {42, 1512}, {124, 4464}, 114, {36, 1296}, 0},
        {'C', {80, 6072}, {244, 18036}, 210, {24, 1848}, 0},
        {'D', {13, 485}, {47, 1691}, 40, {5, 187}, 0},
        {'E', {105, 3235}, {373, 11534}, 324, {71, 2236}, 0},
        {'F', {77, 4566}, {268, 16025}, 235, {44, 2640}, 0},
        {'K', {74, 4769}, {238, 14738}, 201, {24, 1579}, 0},
        {'M', {51, 1876}, {138, 4938}, 120, {28, 985}, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned turns = 1; turns <= 2; turns++) {
            struct santorini zeus = position(rows[i].name, GOD_ZEUS, GOD_NONE);
            struct santorini hestia = position(rows[i].name, GOD_HESTIA, GOD_NONE);
            struct santorini limus = position(rows[i].name, GOD_NONE, GOD_LIMUS);
            struct leaves z = leaves_of(&zeus, turns, false), h = leaves_of(&hestia, turns, false),
                          l = leaves_of(&limus, turns, false);
            assert_int_equal(z.count, rows[i].zeus[turns - 1]);
            assert_int_equal(h.count, rows[i].hestia[turns - 1]);
            assert_int_equal(l.count, rows[i].limus[turns - 1]);
            if (turns == 1) {
                assert_int_equal(z.won, rows[i].won);
                assert_int_equal(h.won, rows[i].won);
                assert_int_equal(l.won, rows[i].won);
                assert_distinct(rows[i].name, GOD_HESTIA, GOD_NONE, 1, rows[i].hestia_distinct, rows[i].won);
            }
        }
}

/* Gods that roam have too many paths; a turn is what it leads to. Every place in the course of a turn is
 * looked at once, whatever way led there. */
struct roam {
    uint8_t is_seen[SANTORINI_HANDS][SANTORINI_CELLS][SANTORINI_CELLS];
    struct leaves *distinct; /* NULL: not wanted */
    uint64_t ends, won;      /* by cells of both builders, the one that builds, and where */
    uint64_t (*follow)(const struct santorini *); /* what one end counts; NULL: 1 */
};

static void roam_walk(struct roam *r, const struct santorini *s) {
    struct action actions[SANTORINI_ACTIONS_MAX];
    const uint8_t *cell = s->builder[s->mover];
    bool is_triton = santorini_power(s, s->mover) == GOD_TRITON;
    /* Either builder of Hermes goes on, but only the one of Triton that began. */
    unsigned hand = is_triton && s->moves > 0 ? s->actor + 1u : 0;
    /* After a move to another level Hermes has an ordinary turn, and its places are its own. */
    if (!s->changed_level || is_triton) {
        if (r->is_seen[hand][cell[0]][cell[1]])
            return;
        r->is_seen[hand][cell[0]][cell[1]] = 1;
    }
    size_t count = santorini_game.legal((const struct game_state *)s, s->mover, actions);
    for (size_t i = 0; i < count; i++) {
        struct santorini next = *s;
        santorini_game.apply((struct game_state *)&next, s->mover, &actions[i]);
        if (next.phase != SANTORINI_OVER && next.mover == s->mover) {
            next.moves = 1; /* the ceiling of moves is of no interest here */
            roam_walk(r, &next);
            continue;
        }
        bool is_won = next.phase == SANTORINI_OVER && next.end != SANTORINI_BY_LAST;
        r->won += is_won;
        r->ends += r->follow == NULL ? 1 : is_won ? 0 : r->follow(&next);
        if (r->distinct != NULL)
            leaf_add(r->distinct, &next);
    }
}

static uint64_t plain_turns(const struct santorini *s) {
    return leaves_of(s, 1, false).count;
}

static uint64_t roam_turns(const struct santorini *s) {
    struct roam r = {.distinct = NULL};
    roam_walk(&r, s);
    return r.ends;
}

static uint64_t wins_only(const struct santorini *s) {
    struct roam r = {.distinct = NULL};
    roam_walk(&r, s);
    return r.won;
}

static uint64_t plain_wins(const struct santorini *s) {
    return leaves_of(s, 1, false).won;
}

static uint64_t roam_ends(char name, enum santorini_god second,
                          uint64_t (*follow)(const struct santorini *)) {
    struct santorini s = position(name, GOD_HERMES, second);
    struct roam r = {.follow = follow};
    roam_walk(&r, &s);
    return r.ends;
}

static void assert_roam_distinct(char name, enum santorini_god god, unsigned expected,
                                 unsigned expected_won) {
    struct santorini s = position(name, god, GOD_NONE);
    struct leaves l = {.keys = mem_alloc(KEYS_FIRST * sizeof *l.keys), .key_capacity = KEYS_FIRST};
    struct roam r = {.distinct = &l};
    unsigned open, won;
    roam_walk(&r, &s);
    keys_count(&l, &open, &won);
    mem_free(l.keys);
    if (open != expected || won != expected_won)
        fail_msg("position %c, %s: %u positions and %u won ones, not %u and %u", name,
                 santorini_god_name(god), open, won, expected, expected_won);
}

/* Sums what the turns of a roaming seat count over the turns of a plain one. */
struct plain_first {
    uint64_t sum, won;
};

static struct plain_first plain_then_roam(char name) {
    struct santorini s = position(name, GOD_NONE, GOD_HERMES);
    struct plain_first total = {0};
    struct action moves[SANTORINI_ACTIONS_MAX], builds[SANTORINI_ACTIONS_MAX];
    size_t move_count = santorini_game.legal((const struct game_state *)&s, 0, moves);
    for (size_t i = 0; i < move_count; i++) {
        struct santorini moved = s;
        santorini_game.apply((struct game_state *)&moved, 0, &moves[i]);
        size_t build_count = santorini_game.legal((const struct game_state *)&moved, 0, builds);
        for (size_t k = 0; k < build_count; k++) {
            struct santorini next = moved;
            santorini_game.apply((struct game_state *)&next, 0, &builds[k]);
            total.sum += roam_turns(&next);
            total.won += wins_only(&next);
        }
    }
    return total;
}

static void with_hermes(void **unused) {
    (void)unused;
    static const struct {
        char name;
        unsigned one, won, distinct, first, first_won;
    } rows[] = {
        {'A', 4704, 0, 2101, 361848, 0}, {'C', 4704, 0, 2115, 407232, 0}, {'D', 5040, 0, 2222, 234132, 0},
        {'M', 72, 3, 63, 2562, 67},      {'B', 5544, 0, 2424, 0, 0},      {'E', 5544, 0, 2424, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct santorini s = position(rows[i].name, GOD_HERMES, GOD_NONE);
        assert_int_equal(roam_turns(&s), rows[i].one);
        assert_int_equal(wins_only(&s), rows[i].won);
        assert_roam_distinct(rows[i].name, GOD_HERMES, rows[i].distinct, rows[i].won);
        if (rows[i].first != 0) {
            assert_int_equal(roam_ends(rows[i].name, GOD_NONE, plain_turns), rows[i].first);
            if (rows[i].first_won != 0)
                assert_int_equal(roam_ends(rows[i].name, GOD_NONE, plain_wins), rows[i].first_won);
        }
    }
}

static void against_hermes(void **unused) {
    (void)unused;
    static const struct {
        char name;
        unsigned sum, won;
        bool is_long;
    } rows[] = {
        {'M', 5922, 41, false}, {'D', 52398, 0, false}, {'A', 354088, 0, true}, {'C', 299908, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_long && getenv("PARLOR_LONG") == NULL)
            continue;
        struct plain_first total = plain_then_roam(rows[i].name);
        assert_int_equal(total.sum, rows[i].sum);
        assert_int_equal(total.won, rows[i].won);
    }
}

static void hermes_against_hermes(void **unused) {
    (void)unused;
    assert_int_equal(roam_ends('M', GOD_HERMES, roam_turns), 8747);
    assert_int_equal(roam_ends('M', GOD_HERMES, wins_only), 67);
    if (getenv("PARLOR_LONG") == NULL)
        return;
    assert_int_equal(roam_ends('A', GOD_HERMES, roam_turns), 21909352);
    assert_int_equal(roam_ends('C', GOD_HERMES, roam_turns), 21974480);
    assert_int_equal(roam_ends('D', GOD_HERMES, roam_turns), 23323128);
}

static void with_triton(void **unused) {
    (void)unused;
    static const struct {
        char name;
        unsigned distinct, won;
    } rows[] = {{'A', 191, 0}, {'B', 236, 0}, {'C', 199, 0}, {'D', 111, 0},
                {'E', 166, 0}, {'F', 158, 0}, {'K', 192, 0}, {'M', 46, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_roam_distinct(rows[i].name, GOD_TRITON, rows[i].distinct, rows[i].won);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gods),
        cmocka_unit_test(winning_turns_without_gods),
        cmocka_unit_test(distinct_positions_without_gods),
        cmocka_unit_test(with_simple_gods),
        cmocka_unit_test(simple_gods_in_corners_and_beside_each_other),
        cmocka_unit_test(with_zeus_hestia_and_against_limus),
        cmocka_unit_test(with_hermes),
        cmocka_unit_test(against_hermes),
        cmocka_unit_test(hermes_against_hermes),
        cmocka_unit_test(with_triton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
