/* What the files of Santorini share and nobody else sees: the board as sets of cells, the row of a god, and
 * the parts of a turn. */
#ifndef GAMES_SANTORINI_INTERNAL_H
#define GAMES_SANTORINI_INTERNAL_H

#include "games/santorini/santorini.h"

#define CELLS_ALL       (CELL_BIT(SANTORINI_CELLS) - 1)
#define CELLS_INTERIOR  ((cell_set)0x739c0)
#define CELLS_PERIMETER (CELLS_ALL & ~CELLS_INTERIOR)

extern const cell_set santorini_near[SANTORINI_CELLS]; /* the neighbours of each cell */

static inline unsigned cell_first(cell_set cells) {
    return (unsigned)__builtin_ctz(cells);
}

/* for (each cell of a set, lowest first) */
#define EACH_CELL(cell, set)                                                                                 \
    for (cell_set cell##_rest = (set), cell; cell##_rest != 0 && (cell = cell_first(cell##_rest), true);     \
         cell##_rest &= cell##_rest - 1)

/* Cells that are at most so high, domes included. */
static inline cell_set cells_up_to(const struct santorini *s, unsigned height) {
    return height >= SANTORINI_HEIGHT_MAX ? CELLS_ALL : CELLS_ALL & ~s->block[height];
}

static inline bool cell_is_in(unsigned cell, cell_set cells) {
    return cells >> cell & 1;
}

/* How many cells a set has; without the instruction for it, which not every processor has. */
static inline unsigned cells_count(cell_set cells) {
    cells -= cells >> 1 & 0x55555555;
    cells = (cells & 0x33333333) + (cells >> 2 & 0x33333333);
    return ((cells + (cells >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

/* The cell of a set that so many lower ones precede. */
static inline unsigned cell_nth(cell_set cells, unsigned n) {
    while (n-- > 0)
        cells &= cells - 1;
    return cell_first(cells);
}

/* The set of one cell; for SANTORINI_NOWHERE a bit beyond the board. */
static inline cell_set cell_bit(unsigned cell) {
    return CELL_BIT(cell & 31);
}
_Static_assert((SANTORINI_NOWHERE & 31) >= SANTORINI_CELLS, "who stands nowhere stands on no cell");

/* Cells of the builders of a seat. */
static inline cell_set cells_of(const struct santorini *s, unsigned seat) {
    return (cell_bit(s->builder[seat][0]) | cell_bit(s->builder[seat][1])) & CELLS_ALL;
}

/* Cells with a builder on them. Seats that the table does not have stand nowhere. */
static inline cell_set cells_occupied(const struct santorini *s) {
    cell_set cells = 0;
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        cells |= cell_bit(s->builder[seat][0]) | cell_bit(s->builder[seat][1]);
    return cells & CELLS_ALL;
}

/* Neighbours of all cells of a set. */
static inline cell_set cells_near(cell_set cells) {
    cell_set near = 0;
    EACH_CELL(cell, cells)
    near |= santorini_near[cell];
    return near;
}

/* Cells where a builder can build: everything free beside it, and split by what goes there without any power.
 */
struct santorini_sites {
    cell_set free, block, dome;
};

/* One god: a row of small functions, each NULL where the power changes nothing. s->mover is the seat whose
 * turn it is; a builder is one of that seat. The functions of the last part are asked of every other seat's
 * god; owner is that seat. */
struct santorini_row {
    const char *name, *text;
    uint8_t seats; /* bit per number of seats at which it can be offered */

    /* Set-up: the seat places before all others; which of the free cells it may take for its next builder. */
    bool places_first;
    cell_set (*places)(const struct santorini *, unsigned seat, cell_set cells);

    /* The turn of its owner. steals is asked of the card, even when somebody has its power; begins and all
     * that follows of the power that the seat has then. */
    void (*steals)(struct santorini *);
    void (*begins)(struct santorini *);
    bool (*may_move)(const struct santorini *, unsigned builder); /* another move now; NULL: one in a turn */
    bool roams;       /* may_move can allow many moves, none of which displaces anybody */
    bool stays_level; /* with all moves but the first of a turn */
    cell_set (*moves)(const struct santorini *, unsigned builder, cell_set cells); /* those it may enter */
    cell_set (*invades)(const struct santorini *, unsigned builder,
                        cell_set cells);                               /* of opponents, the same */
    void (*displaces)(struct santorini *, unsigned from, unsigned to); /* the opponent on `to` makes room */
    void (*arrives)(struct santorini *, unsigned from, unsigned to);
    bool (*wins)(const struct santorini *, unsigned builder, unsigned from,
                 unsigned to); /* besides climbing */
    /* Narrows or widens the sites of a builder to what it may use now; NULL: one build after the move. After
     * a move every god leaves its builder all sites of an ordinary build, or may_end allows to do without. */
    void (*builds)(const struct santorini *, unsigned builder, struct santorini_sites *);
    bool builds_early; /* before the move, which then does not count as the build of the turn */
    void (*built)(struct santorini *);
    cell_set (*forces)(const struct santorini *, unsigned builder); /* opponents it may bring across now */
    cell_set (*removes)(const struct santorini *); /* cells that it may take a block off now */
    bool (*may_end)(const struct santorini *);     /* NULL: after the build */
    void (*ends)(struct santorini *);
    bool leads;            /* has an extra turn with an opponent's builder after completing a tower */
    bool wins_with_towers; /* at any time */

    /* The turns of others; asked only of gods that have a word about them. */
    bool minds_others;
    void (*watches)(struct santorini *, unsigned owner); /* as they begin */
    cell_set (*hinders_move)(const struct santorini *, unsigned owner, unsigned builder, cell_set cells);
    /* By the board and the builders of its owner alone. */
    cell_set (*hinders_build)(const struct santorini *, unsigned owner, cell_set cells, bool is_dome);
    /* Cells where the moves of a builder that has moved may end, by the builders of its owner alone; asked of
     * builders that are noted in `charmed`. */
    cell_set (*stops)(const struct santorini *, unsigned owner);
    bool (*lets_win)(const struct santorini *, unsigned to); /* by moving there */
    bool demands_rise; /* who can move up must, see santorini.must_rise */
};

extern const struct santorini_row santorini_rows[GOD_COUNT];

/* R37: what Circe's theft makes of the card of a seat. */
enum santorini_god santorini_power_stolen(const struct santorini *, unsigned seat);

/* santorini_power of a seat that the table has. */
static inline unsigned power_of(const struct santorini *s, unsigned seat) {
    if (!(s->alive >> seat & 1))
        return GOD_NONE;
    unsigned god = s->is_stolen ? (unsigned)santorini_power_stolen(s, seat) : s->card[seat];
    return god == GOD_CHAOS ? s->chaos_power : god; /* R34 */
}

static inline const struct santorini_row *row_of(const struct santorini *s, unsigned seat) {
    return &santorini_rows[power_of(s, seat)];
}

/* The row of the turn: that of the mover, and none in a turn with a borrowed builder. */
static inline const struct santorini_row *turn_row(const struct santorini *s) {
    return s->led_seat != SANTORINI_NOBODY ? &santorini_rows[GOD_NONE] : row_of(s, s->mover);
}

/* What the seat on turn, or chance, can choose now by one small number, as a set of these numbers: gods,
 * seats, colours, cells. Empty in SANTORINI_BORN, SANTORINI_TURN and SANTORINI_OVER. */
uint32_t santorini_choices(const struct santorini *);

/* Whether the moves so far may be all of this turn, as far as the others' gods are concerned. */
bool turn_may_stop(const struct santorini *);

/* Whether it is time for the build of an ordinary turn by this builder. */
bool turn_is_build(const struct santorini *, unsigned builder);

/* Steps without a look at whether the turn can still be completed. */
void turn_steps_raw(const struct santorini *, struct santorini_steps *out);

/* Whether a step of the turn is one that santorini_steps lists. Builder and cell must be in range. */
bool turn_allows(const struct santorini *, const struct action *);

/* Whether the turn can go on at all; always so between two actions. */
bool turn_is_possible(const struct santorini *);

/* Begins the turn of a seat; who cannot complete one is out, and the next begins. */
void turn_begin(struct santorini *, unsigned seat);

/* Plays a step that santorini_steps lists, and whatever follows by itself. */
void turn_play(struct santorini *, const struct action *);

/* Plays a whole turn at random when it is an ordinary one, by the numbers that sample would draw. Returns the
 * number of steps; 0 when the turn has begun, or a god makes it another one: then nothing has happened. */
unsigned turn_play_random(struct santorini *, struct rng *);

/* Begins the turn of the seat after the mover. */
void turn_next(struct santorini *);

/* The same at the end of a turn; before it chance may have to draw. */
void turn_pass(struct santorini *);

/* Goes on with a turn after somebody else has left: it may have nothing but its end any more. */
void turn_resume(struct santorini *);

/* Takes a seat and its builders out; over when only one is left. Does not pass the turn. */
void seat_out(struct santorini *, unsigned seat);

/* The seat after this one in the order that has not lost. */
unsigned seat_after(const struct santorini *, unsigned seat);

/* Why an action of the seat that may act is refused; ERR_OK when it is allowed. */
enum err santorini_refusal(const struct santorini *, unsigned seat, const struct action *) MUST_CHECK;

/* Functions of the interface that stand in files of their own. */
void santorini_describe(const struct game_view *, struct writer *);
void santorini_action_format(const struct game_state *, unsigned seat, const struct action *,
                             char text[ACTION_TEXT_BYTES_MAX]);
enum err santorini_action_parse(const struct game_state *, unsigned seat, struct span text,
                                struct action *out) MUST_CHECK;
size_t santorini_playout(const struct game *, struct game_state *, struct rng *);
uint64_t santorini_perft(const struct game *, const struct game_state *, unsigned turns);

#endif
