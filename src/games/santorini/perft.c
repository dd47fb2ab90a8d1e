/* Counting the turns of Santorini without gods, fast: the board in sets of cells, the builders in one set per
 * seat. A test holds it against the walk by legal and apply.
 *
 * The turns of the last level need not be made. For the cells D that a builder can go to without winning, and
 * the cells F where something can be built once it has left, the pairs of a move and a build are the pairs of
 * neighbours in D and F; so they are counted direction by direction, eight sets for all moves of a builder.
 */
#include "game/stock.h"
#include "games/santorini/plain.h"

/* The board and the builders of the seats from the one on turn on. */
struct stand {
    struct plain board;
    cell_set builders[SANTORINI_SEATS_MAX];
};

/* Cells from which one can go to the right or to the left and stay on the board. */
#define CELLS_NOT_LAST  ((cell_set)0x0f7bdef)
#define CELLS_NOT_FIRST ((cell_set)0x1ef7bde)

static inline unsigned count_bits(cell_set cells) {
    return (unsigned)__builtin_popcount(cells);
}

/* Pairs of neighbours, one in each set. */
static inline unsigned count_pairs(cell_set a, cell_set b) {
    cell_set right = (a & CELLS_NOT_LAST) << 1, left = (a & CELLS_NOT_FIRST) >> 1;
    return count_bits(right & b) + count_bits(left & b) + count_bits(a << 5 & b) + count_bits(a >> 5 & b) +
           count_bits(right << 5 & b) + count_bits(right >> 5 & b) + count_bits(left << 5 & b) +
           count_bits(left >> 5 & b);
}

/* The turns of the seat on turn, counted and not made. */
static inline __attribute__((always_inline)) uint64_t last_count(const struct stand *p) {
    uint64_t leaves = 0;
    EACH_CELL(from, p->builders[0]) {
        cell_set moves = plain_moves(&p->board, from), wins = plain_wins(&p->board, from, moves);
        cell_set sites = ~(p->board.dome | (p->board.occupied & ~CELL_BIT(from))) & CELLS_ALL;
        leaves += count_bits(wins) + count_pairs(moves & ~wins, sites);
    }
    return leaves;
}

static uint64_t last_any(const struct stand *p) {
    return last_count(p);
}

/* The same with the instruction that counts bits, where the processor has it. */
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
__attribute__((target("popcnt"))) static uint64_t last_popcnt(const struct stand *p) {
    return last_count(p);
}

static bool has_popcnt(void) {
    return __builtin_cpu_supports("popcnt");
}
#else
static uint64_t last_popcnt(const struct stand *p) {
    return last_count(p);
}

static bool has_popcnt(void) {
    return false;
}
#endif

struct walk {
    uint64_t (*last)(const struct stand *); /* counts the last turn; NULL: every leaf is made */
    unsigned seat_count;
};

static uint64_t walk_turns(const struct walk *w, const struct stand *p, unsigned turns);

/* The position after a turn, seen from the next seat. */
static inline struct stand stand_after(const struct stand *p, unsigned seat_count, cell_set own,
                                       unsigned site) {
    struct stand next = *p;
    plain_build(&next.board, site);
    next.board.occupied = (p->board.occupied & ~p->builders[0]) | own;
    next.builders[0] = p->builders[1];
    next.builders[1] = seat_count == 2 ? own : p->builders[2];
    next.builders[2] = seat_count == 2 ? 0 : own;
    return next;
}

/* R10: who cannot move is out; of two the other has won then. */
static uint64_t walk_stuck(const struct walk *w, const struct stand *p, unsigned turns) {
    if (w->seat_count == 2)
        return 0;
    struct walk rest = {w->last, 2};
    struct stand next = *p;
    next.board.occupied &= ~p->builders[0];
    next.builders[0] = p->builders[1];
    next.builders[1] = p->builders[2];
    next.builders[2] = 0;
    return walk_turns(&rest, &next, turns);
}

static uint64_t walk_turns(const struct walk *w, const struct stand *p, unsigned turns) {
    uint64_t leaves = 0;
    bool is_stuck = true;
    if (turns == 0)
        return 1;
    if (turns == 1 && w->last != NULL && (leaves = w->last(p)) != 0)
        return leaves;
    EACH_CELL(from, p->builders[0]) {
        cell_set moves = plain_moves(&p->board, from), wins = plain_wins(&p->board, from, moves);
        is_stuck = is_stuck && moves == 0;
        leaves += turns == 1 ? count_bits(wins) : 0;
        EACH_CELL(to, moves & ~wins) {
            cell_set own = (p->builders[0] & ~CELL_BIT(from)) | CELL_BIT(to);
            EACH_CELL(site, plain_sites(&p->board, from, to)) {
                struct stand next = stand_after(p, w->seat_count, own, site);
                leaves += walk_turns(w, &next, turns - 1);
            }
        }
    }
    return is_stuck ? walk_stuck(w, p, turns) : leaves;
}

static uint64_t plain_perft(const struct santorini *s, unsigned turns, bool is_made) {
    struct walk w = {is_made ? NULL : has_popcnt() ? last_popcnt : last_any, 0};
    struct stand p = {.board = plain_of(s)};
    unsigned seat = s->mover;
    do {
        p.builders[w.seat_count++] = cells_of(s, seat);
        seat = seat_after(s, seat);
    } while (seat != s->mover);
    return walk_turns(&w, &p, turns);
}

bool santorini_is_plain(const struct santorini *s, unsigned turns) {
    if (s->gods_option != SANTORINI_GODS_NONE || s->phase != SANTORINI_TURN || s->moves > 0)
        return false;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (santorini_power(s, seat) != GOD_NONE)
            return false;
    return s->turns + turns <= SANTORINI_TURNS_MAX;
}

uint64_t santorini_perft_each(const struct santorini *s, unsigned turns) {
    return plain_perft(s, turns, true);
}

uint64_t santorini_perft(const struct game *game, const struct game_state *state, unsigned turns) {
    const struct santorini *s = santorini_of(state);
    return santorini_is_plain(s, turns) ? plain_perft(s, turns, false) : stock_perft(game, state, turns);
}
