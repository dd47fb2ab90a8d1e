/* Santorini for two and three players with the thirty gods of the first two sets. The rules are numbered in
 * docs/rules/santorini.md; the branches that implement them cite the numbers.
 *
 * A cell is row * 5 + column, rows from the top and columns from the left; a set of cells is 25 bits. In
 * texts a cell is two digits, row and column: "12" is row 1, column 2.
 *
 * Everything from the dates of birth to the placing of the builders is part of the game, in small actions
 * (see enum santorini_phase), and a turn is a run of steps by one seat: moves, builds, special steps of gods,
 * and perhaps an end. santorini_steps says which steps are open; it names only what can still become a
 * complete turn. A turn ends by itself as soon as nothing but its end is left. */
#ifndef GAMES_SANTORINI_SANTORINI_H
#define GAMES_SANTORINI_SANTORINI_H

#include "game/game.h"
#include "games/santorini/refusals.h"

enum {
    SANTORINI_SEATS_MAX = 3,
    SANTORINI_SIDE = 5,
    SANTORINI_CELLS = SANTORINI_SIDE * SANTORINI_SIDE,
    SANTORINI_BUILDERS = 2,      /* of each seat */
    SANTORINI_BORROWED = 2,      /* number of the opponent's builder that Dionysus leads for a turn */
    SANTORINI_HANDS = 3,         /* the builders that a turn may use, the borrowed one included */
    SANTORINI_NOWHERE = 0xff,    /* cell of a builder that is not on the board */
    SANTORINI_NOBODY = 0xff,     /* no seat */
    SANTORINI_HEIGHT_MAX = 3,    /* blocks */
    SANTORINI_MOVES_MAX = 128,   /* moves in one turn: R20 */
    SANTORINI_TURNS_MAX = 400,   /* of all seats together: R17 */
    SANTORINI_TOWERS_TO_WIN = 5, /* for Chronus */
    SANTORINI_YEAR_MAX = 9999,
    SANTORINI_OPTION_GODS = 0,
    SANTORINI_ACTIONS_MAX = 96,
    SANTORINI_EFFECTS_MAX = 24, /* of one action */
};

/* Versions of the rules. */
enum {
    SANTORINI_RULES_FIRST =
        1, /* a builder that Dionysus led was an opponent of Athena and Limus, also their own */
    SANTORINI_RULES_LED = 2, /* R38 as it stands */
};

enum santorini_gods_option { SANTORINI_GODS_CHOOSE, SANTORINI_GODS_NONE };

typedef uint32_t cell_set;
#define CELL_BIT(cell) ((cell_set)1 << (cell))

/* In the order of the rules page; the first ten are the simple ones. */
enum santorini_god {
    GOD_NONE,
    GOD_APOLLO,
    GOD_ARTEMIS,
    GOD_ATHENA,
    GOD_ATLAS,
    GOD_DEMETER,
    GOD_HEPHAESTUS,
    GOD_HERMES,
    GOD_MINOTAUR,
    GOD_PAN,
    GOD_PROMETHEUS,
    GOD_APHRODITE,
    GOD_ARES,
    GOD_BIA,
    GOD_CHAOS,
    GOD_CHARON,
    GOD_CHRONUS,
    GOD_CIRCE,
    GOD_DIONYSUS,
    GOD_EROS,
    GOD_HERA,
    GOD_HESTIA,
    GOD_HYPNUS,
    GOD_LIMUS,
    GOD_MEDUSA,
    GOD_MORPHEUS,
    GOD_PERSEPHONE,
    GOD_POSEIDON,
    GOD_SELENE,
    GOD_TRITON,
    GOD_ZEUS,
    GOD_COUNT,
    GOD_SIMPLE_LAST = GOD_PROMETHEUS,
};

/* The three colours of the protocol document, as it spells them. */
enum santorini_color { COLOR_MAGENTA, COLOR_LIGHT_BLUE, COLOR_WHITE, SANTORINI_COLORS };

/* What the table waits for. With the option gods none it begins with SANTORINI_PLACE. */
enum santorini_phase {
    SANTORINI_BORN,  /* every seat, in any order: its date of birth */
    SANTORINI_OFFER, /* the challenger: as many gods as seats, one by one */
    SANTORINI_TAKE,  /* the others in order, the challenger last: one of them */
    SANTORINI_DRAW,  /* chance: a power for Chaos, after the cards are taken or between two turns */
    SANTORINI_START, /* the challenger: who begins */
    SANTORINI_COLOR, /* from the starter on */
    SANTORINI_PLACE, /* both builders of a seat, then of the next */
    SANTORINI_TURN,  /* steps */
    SANTORINI_OVER,
};

/* The kinds of actions and their arguments. A builder is 0 or 1 (1 and 2 in texts), or SANTORINI_BORROWED. */
enum santorini_kind {
    SANTORINI_ACT_BORN = 1, /* year low byte, year high byte, month, day; all 0: does not say */
    SANTORINI_ACT_OFFER,    /* god */
    SANTORINI_ACT_TAKE,     /* god */
    SANTORINI_ACT_DRAW,     /* god; chance */
    SANTORINI_ACT_START,    /* seat */
    SANTORINI_ACT_COLOR,    /* colour */
    SANTORINI_ACT_PLACE,    /* cell */
    SANTORINI_ACT_MOVE,     /* builder, cell it goes to */
    SANTORINI_ACT_BUILD,    /* builder, cell that gets a block */
    SANTORINI_ACT_DOME,     /* builder, cell that gets a dome */
    SANTORINI_ACT_FORCE,    /* builder, cell of the opponent it brings to its other side (Charon) */
    SANTORINI_ACT_REMOVE,   /* cell that loses a block (Ares) */
    SANTORINI_ACT_BORROW,   /* cell of an opponent's builder to lead for an extra turn (Dionysus) */
    SANTORINI_ACT_END,      /* nothing more in this turn */
};

struct santorini_birth {
    uint16_t year; /* 0: not said */
    uint8_t month, day;
};

/* Why a table that is over is over. */
enum santorini_end {
    SANTORINI_RUNNING,
    SANTORINI_BY_CLIMB,  /* a move up to the third level */
    SANTORINI_BY_POWER,  /* another way to win that a god gives */
    SANTORINI_BY_LAST,   /* nobody else is left */
    SANTORINI_BY_LENGTH, /* SANTORINI_TURNS_MAX turns: those still there share */
};

/* The state of the game; what struct game_state is underneath. No secrets. */
struct santorini {
    cell_set block[SANTORINI_HEIGHT_MAX]; /* cells with at least 1, 2 and 3 blocks */
    cell_set dome;
    uint8_t builder[SANTORINI_SEATS_MAX][SANTORINI_BUILDERS]; /* cell, or SANTORINI_NOWHERE */

    uint8_t phase; /* enum santorini_phase */
    uint8_t seat_count;
    uint8_t rules_version;
    uint8_t alive; /* bit per seat that has not lost */
    uint8_t left;  /* bit per seat that lost because its player left */
    uint8_t mover; /* seat to act (not in SANTORINI_BORN); of a finished table, the seat that acted last */
    uint8_t winner;
    uint8_t end;         /* enum santorini_end */
    uint8_t gods_option; /* enum santorini_gods_option */
    uint16_t turns;      /* begun so far */

    struct santorini_birth birth[SANTORINI_SEATS_MAX];
    uint8_t has_birth;                    /* bit per seat */
    uint8_t order[SANTORINI_SEATS_MAX];   /* seats from the youngest on; order[0] is the challenger */
    uint8_t starter;                      /* seat, or SANTORINI_NOBODY */
    uint8_t offered[SANTORINI_SEATS_MAX]; /* gods, in the order of naming */
    uint8_t offered_count;
    uint8_t card[SANTORINI_SEATS_MAX];  /* the god each seat has taken, or GOD_NONE */
    uint8_t color[SANTORINI_SEATS_MAX]; /* or SANTORINI_NOBODY */

    /* What powers remember from turn to turn. */
    uint8_t climbed;                     /* bit per seat that moved up in its last turn (Athena) */
    uint8_t tokens[SANTORINI_SEATS_MAX]; /* Morpheus */
    uint8_t is_stolen;                   /* Circe has the power of her opponent */
    uint8_t chaos_power;                 /* the power Chaos has now, or GOD_NONE */
    uint16_t chaos_deck;                 /* bit per simple god that can still be drawn */

    /* The turn so far. */
    uint8_t actor;                      /* the builder that must go on, or SANTORINI_NOBODY */
    uint8_t moves, builds, early;       /* moves; builds after and before them */
    uint8_t start[SANTORINI_HANDS];     /* where the builders stood when the turn began */
    uint8_t moved;                      /* bit per builder */
    uint8_t went_up, changed_level;     /* in some move of the turn */
    uint8_t has_forced, has_removed;    /* Charon, Ares */
    uint8_t first_built;                /* cell of the first build after the move */
    uint8_t has_domed;                  /* somebody built a dome in this turn (Chaos) */
    uint8_t tower_due;                  /* Dionysus may lead an opponent's builder next */
    uint8_t is_choosing;                /* ... and is to say which one */
    uint8_t led_seat, led_builder;      /* the builder he leads in an extra turn; else SANTORINI_NOBODY */
    uint8_t pinned, charmed, must_rise; /* bits per builder: Hypnus, Aphrodite; Persephone */
};

extern const struct game santorini_game;

static inline const struct santorini *santorini_of(const struct game_state *state) {
    return (const struct santorini *)state;
}

static inline const struct santorini *santorini_of_view(const struct game_view *view) {
    return (const struct santorini *)view;
}

/* Blocks on a cell, without the dome. */
static inline unsigned santorini_height(const struct santorini *s, unsigned cell) {
    return (s->block[0] >> cell & 1) + (s->block[1] >> cell & 1) + (s->block[2] >> cell & 1);
}

static inline bool santorini_has_dome(const struct santorini *s, unsigned cell) {
    return s->dome >> cell & 1;
}

static inline bool santorini_is_alive(const struct santorini *s, unsigned seat) {
    return seat < SANTORINI_SEATS_MAX && (s->alive >> seat & 1);
}

/* The neighbours of a cell. */
cell_set santorini_neighbours(unsigned cell);

/* Cells with a builder on them. */
cell_set santorini_occupied(const struct santorini *);

/* Whose builder stands on a cell: its seat, and its number when builder is not NULL; or SANTORINI_NOBODY. */
unsigned santorini_owner(const struct santorini *, unsigned cell, unsigned *builder);

/* Where a builder of the seat on turn stands; SANTORINI_BORROWED is the one that Dionysus leads now. */
static inline unsigned santorini_cell(const struct santorini *s, unsigned builder) {
    if (builder < SANTORINI_BUILDERS)
        return s->builder[s->mover][builder];
    return s->led_seat == SANTORINI_NOBODY ? SANTORINI_NOWHERE : s->builder[s->led_seat][s->led_builder];
}

/* Number of complete towers: three blocks and a dome. */
unsigned santorini_towers(const struct santorini *);

/* The gods. */

/* "Apollo"; "" for GOD_NONE. */
const char *santorini_god_name(enum santorini_god);

/* What the power does, one sentence. */
const char *santorini_god_text(enum santorini_god);

/* Whether a god can be offered at a table of so many seats (R15). */
bool santorini_god_fits(enum santorini_god, unsigned seat_count);

/* By name, in any case; GOD_NONE when there is no such god. */
enum santorini_god santorini_god_by_name(struct span name);

/* The power that a seat has now: its card, what Chaos has drawn, what Circe has stolen; GOD_NONE when it is
 * out, stolen from, or plays without. */
enum santorini_god santorini_power(const struct santorini *, unsigned seat);

const char *santorini_color_name(enum santorini_color);
/* SANTORINI_COLORS when there is no such colour. */
enum santorini_color santorini_color_by_name(struct span name);

/* Set-up. */

/* Whether this is a day of the Gregorian calendar in the years 1 to SANTORINI_YEAR_MAX. */
bool santorini_birth_is_real(unsigned year, unsigned month, unsigned day);

/* Cells where the seat on turn may put its next builder now; empty in other phases. */
cell_set santorini_places(const struct santorini *);
/* The same for the second builder, once the first one stands on this cell, one of those above. */
cell_set santorini_places_after(const struct santorini *, unsigned cell);

/* The builder that SANTORINI_ACT_PLACE puts on the board next: 0 or 1. */
unsigned santorini_placing(const struct santorini *);

/* Steps. */

/* What the seat on turn can do now, by builder; empty in other phases than SANTORINI_TURN. Whatever is listed
 * can be completed to a legal turn. */
struct santorini_steps {
    cell_set move[SANTORINI_HANDS];
    cell_set block[SANTORINI_HANDS];
    cell_set dome[SANTORINI_HANDS];
    cell_set force[SANTORINI_HANDS]; /* cells of opponents to be brought across */
    cell_set remove;
    cell_set borrow;
    bool can_end;
};
void santorini_steps(const struct santorini *, struct santorini_steps *out);

/* Where a builder could go and build if it were the one to act now, whether or not it may: for clients that
 * are shown the cells of both builders. Nothing of it is a promise. */
void santorini_idle_steps(const struct santorini *, unsigned builder, cell_set *move, cell_set *block,
                          cell_set *dome);

/* Actions. */
struct santorini_birth santorini_action_birth(const struct action *);
struct action santorini_action_born(unsigned year, unsigned month, unsigned day); /* 0, 0, 0: does not say */
/* Any other action: the two arguments as enum santorini_kind lists them, 0 where there is none. */
static inline struct action santorini_action(enum santorini_kind kind, unsigned first, unsigned second) {
    return (struct action){.kind = (uint8_t)kind, .arg = {(uint8_t)first, (uint8_t)second}};
}

/* What an action has done to the board and the players: everything that a client must be told to draw the
 * same board. */
enum santorini_effect_kind {
    EFFECT_MOVED,      /* a builder by its own move: seat, builder, from, to */
    EFFECT_FORCED,     /* a builder that was swapped, pushed or brought across: seat, builder, from, to */
    EFFECT_GONE,       /* a builder left the board: seat, builder, from */
    EFFECT_BLOCK,      /* a block was put on the cell `to`; is_under when its builder stands on it */
    EFFECT_DOME,       /* a dome was put on the cell `to` */
    EFFECT_BLOCK_GONE, /* a block was taken off the cell `to` */
    EFFECT_POWER,      /* what a seat's power is has changed: seat, god (GOD_NONE: it has none now) */
    EFFECT_OUT,        /* a seat has lost */
    EFFECT_TURN,       /* a seat begins a turn */
    EFFECT_OVER,       /* the table is over; seat is the winner or SANTORINI_NOBODY */
};

struct santorini_effect {
    enum santorini_effect_kind kind;
    uint8_t seat, builder;
    uint8_t from, to; /* cells */
    uint8_t god;
    bool is_under;
};

/* Compares the state before an action (of any kind but SANTORINI_ACT_BORN to SANTORINI_ACT_PLACE, or an
 * attendance) with the state after it and lists what has happened, in the order of the enum: displaced
 * builders (EFFECT_FORCED) come before the mover. action is NULL for an attendance. Returns the number, at
 * most SANTORINI_EFFECTS_MAX. */
size_t santorini_effects(const struct santorini *before, const struct action *, const struct santorini *after,
                         struct santorini_effect out[SANTORINI_EFFECTS_MAX]);

/* For tests and tools. */

/* A position in which seat 0 begins a turn. heights: 25 characters row by row, blanks ignored, NULL when the
 * board is empty: 0 to 3 blocks, 4 three blocks and a dome, a to c a dome on 0 to 2 blocks. */
struct santorini_position {
    unsigned seat_count;
    const char *heights;
    uint8_t builder[SANTORINI_SEATS_MAX][SANTORINI_BUILDERS]; /* cells, or SANTORINI_NOWHERE */
    enum santorini_god god[SANTORINI_SEATS_MAX];
};
/* False, and an undefined state, when the text is no board or two builders stand on one cell. */
bool santorini_set_position(struct santorini *, const struct santorini_position *) MUST_CHECK;

/* Number of sequences of so many turns, each leaf made one by one; santorini_game.perft counts those of the
 * last turn together. Only where santorini_is_plain. */
uint64_t santorini_perft_each(const struct santorini *, unsigned turns);

/* Whether nobody has a power and a turn is about to begin, so that so many turns can be counted fast. */
bool santorini_is_plain(const struct santorini *, unsigned turns);

#endif
