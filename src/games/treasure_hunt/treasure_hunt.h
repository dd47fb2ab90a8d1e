/* Treasure Hunt: two avatars on a map of 100 fields that is put together from two halves. Each looks for its
 * own treasure in its own half and then for the fort of the other. The rules are numbered in
 * docs/rules/treasure-hunt.md; the branches that implement them cite the numbers.
 *
 * The state begins before the players are there: they enter, halves are drawn by chance or sent as an action,
 * then they move in turn. Everything that is random is an action of chance, the faked positions of R24 too,
 * so that the journal alone tells what each seat was shown.
 *
 * A field of the map is one index, row by row from the top left: y * width + x. The rules are in
 * treasure_hunt.c, those of half maps in half.c, what a seat may know in sight.c
 * and texts in text.c. */
#ifndef GAMES_TREASURE_HUNT_TREASURE_HUNT_H
#define GAMES_TREASURE_HUNT_TREASURE_HUNT_H

#include "game/game.h"
#include "games/treasure_hunt/refusals.h"

enum {
    TREASURE_SEATS = 2,
    TREASURE_FIELDS = 100,
    TREASURE_HALF_WIDTH = 10,
    TREASURE_HALF_HEIGHT = 5,
    TREASURE_HALF_FIELDS = TREASURE_HALF_WIDTH * TREASURE_HALF_HEIGHT,

    TREASURE_MOUNTAINS_MIN = 5,        /* R5 */
    TREASURE_GRASS_MIN = 24,           /* R6 */
    TREASURE_WATER_MIN = 7,            /* R7 */
    TREASURE_LONG_EDGE_WATER_MAX = 4,  /* R10: of 10 fields */
    TREASURE_SHORT_EDGE_WATER_MAX = 2, /* R10: of 5 fields */

    TREASURE_FAKED_ACTIONS = 8, /* R24: own actions until the enemy is shown where it is */

    /* R26: actions of both seats together. The default is the course's limit. A game "without a limit" takes
     * the ceiling, which nobody reaches who wants to get anywhere: every table must end. */
    TREASURE_ACTIONS_DEFAULT = 320,
    TREASURE_ACTIONS_CEILING = 10000,

    TREASURE_SET_BYTES = (TREASURE_FIELDS + 7) / 8,
    TREASURE_HALF_SET_BYTES = (TREASURE_HALF_FIELDS + 7) / 8 + 1, /* so that the state has no padding */

    /* In place of a field. */
    TREASURE_DRAWN = 0xfd,  /* of a half map: chance draws one of several */
    TREASURE_HIDDEN = 0xfe, /* there is one, but the viewer may not know it */
    TREASURE_NONE = 0xff,   /* there is none: not yet, or not any more */
};

/* Indices into game_options.value. */
enum {
    TREASURE_OPTION_PLAYERS,     /* enum treasure_players */
    TREASURE_OPTION_ACTIONS_MAX, /* 0 to TREASURE_ACTIONS_CEILING */
    TREASURE_OPTION_FORTS,       /* enum treasure_forts */
};

/* R1. With TREASURE_PLAYERS_ANY every seat enters in its own time and says what it is; with the others both
 * are there from the beginning ("mixed": seat 0 is a course player, seat 1 a seed player). The default is
 * "seed". */
enum treasure_players {
    TREASURE_PLAYERS_SEED,
    TREASURE_PLAYERS_COURSE,
    TREASURE_PLAYERS_MIXED,
    TREASURE_PLAYERS_ANY,
};

/* R8: how many forts a half map that is sent may name. */
enum treasure_forts { TREASURE_FORTS_ONE, TREASURE_FORTS_ANY };

/* R1: whose half is drawn, and who sends it. */
enum treasure_kind {
    TREASURE_ABSENT, /* has not entered yet */
    TREASURE_SEED,
    TREASURE_COURSE,
};

enum treasure_terrain { TREASURE_UNKNOWN, TREASURE_WATER, TREASURE_GRASS, TREASURE_MOUNTAIN };

/* R2. Stacked is 10 wide and 10 high, side by side is 20 wide and 5 high. */
enum treasure_shape { TREASURE_STACKED, TREASURE_SIDE_BY_SIDE };

enum treasure_direction { TREASURE_UP, TREASURE_DOWN, TREASURE_LEFT, TREASURE_RIGHT, TREASURE_DIRECTIONS };

enum treasure_phase {
    TREASURE_ENTERING, /* seats that are absent enter */
    TREASURE_JOINING,  /* chance: who begins, the shape, whose half lies where */
    TREASURE_HALVES,   /* course players send their halves in turn, then chance draws the others */
    TREASURE_DRAWING,  /* chance draws one of the forts that the mover's half names, then halves go on */
    TREASURE_HIDING,   /* chance hides the treasures */
    TREASURE_MOVING,   /* seats move in turn */
    TREASURE_FAKING,   /* chance draws faked positions, then it goes on with TREASURE_MOVING */
    TREASURE_OVER,
};

/* How it ended. */
enum treasure_end {
    TREASURE_RUNNING,
    TREASURE_BY_FORT,  /* R23: the winner came into the fort of the other with its treasure */
    TREASURE_BY_LIMIT, /* R26: the loser would have had to act after the last action */
};

/* Kinds of actions. */
enum {
    TREASURE_ENTER = 1, /* arg[0]: enum treasure_kind */
    TREASURE_JOIN, /* chance; arg[0]: the seat that acts first, arg[1]: enum treasure_shape, arg[2]: the seat
                      whose half lies at the origin */
    TREASURE_HALF, /* a course player, or chance for the first seed player that has none; see
                      treasure_half_action */
    TREASURE_HIDE, /* chance; arg[0], arg[1]: the fields of the treasures of seat 0 and 1 */
    TREASURE_MOVE, /* arg[0]: enum treasure_direction */
    TREASURE_FAKE, /* chance; arg[0], arg[1]: where seat 0 and 1 believe the other is; TREASURE_NONE for a
                      seat that sees the truth */
    TREASURE_FORT, /* chance; arg[0]: the field of the map on which the fort of the mover stands */
};

struct treasure_seat {
    uint8_t kind;     /* enum treasure_kind */
    uint8_t has_half; /* its terrain is on the map */
    uint8_t fort;     /* field */
    uint8_t treasure; /* field; TREASURE_NONE before it is hidden and after it is collected */
    uint8_t has_treasure;
    uint8_t position;  /* field */
    uint8_t direction; /* of the step that is under way */
    uint8_t progress;  /* actions spent on it; 0: none is under way */
    uint8_t fake;      /* where this seat is told the other is (R24); TREASURE_NONE when it sees the truth */
    /* Where the other was when this seat first saw the truth, and how many actions it had spent on moves by
     * then: no more than the way from its fort. TREASURE_NONE before. */
    uint8_t first_seen;
    uint8_t first_seen_moves;
    uint8_t seen[TREASURE_SET_BYTES]; /* set of the fields that this seat has uncovered (R19) */
    uint16_t actions;                 /* its own ones, half map included */
};

/* The state of the game; what struct game_state and struct game_view are underneath. In a view everything
 * that the viewer may not know is TREASURE_HIDDEN or 0. */
struct treasure_hunt {
    uint8_t phase;   /* enum treasure_phase */
    uint8_t players; /* enum treasure_players */
    uint8_t shape;   /* enum treasure_shape, from TREASURE_HALVES on */
    uint8_t origin;  /* the seat whose half lies at the origin */
    uint8_t mover;   /* seat to act, from TREASURE_HALVES on; of a finished table, the one that acted last */
    uint8_t winner;  /* seat, once it is over */
    uint8_t end;     /* enum treasure_end */
    uint8_t forts;   /* enum treasure_forts */
    uint8_t terrain[TREASURE_FIELDS]; /* enum treasure_terrain; unknown while the half is not there */
    uint16_t actions_max, actions;    /* of both seats, half maps included; a limit of 0 is still open */
    /* In TREASURE_DRAWING the set of the fields of the mover's half of which one gets its fort; else empty.
     */
    uint8_t fort_set[TREASURE_HALF_SET_BYTES];
    struct treasure_seat seat[TREASURE_SEATS];
};

extern const struct game treasure_hunt_game;

static inline const struct treasure_hunt *treasure_of(const struct game_state *state) {
    return (const struct treasure_hunt *)state;
}

static inline const struct treasure_hunt *treasure_of_view(const struct game_view *view) {
    return (const struct treasure_hunt *)view;
}

/* Half maps: half.c. */

struct treasure_half {
    uint8_t terrain[TREASURE_HALF_FIELDS]; /* enum treasure_terrain, row by row; unknown: not given */
    uint8_t is_fort[TREASURE_HALF_FIELDS]; /* 0 or 1 */
};

/* What a half map is refused for, so that it can be said in any words. */
struct treasure_offence {
    unsigned rule;    /* its number in docs/rules/treasure-hunt.md; 0: there is no offence */
    bool has_field;   /* x and y say where */
    int32_t x, y;     /* in the half: 0,0 is its top left */
    int32_t found;    /* so many were there of what the rule counts */
    int32_t bound;    /* and so many should be at least, or at most */
    const char *what; /* what is counted or concerned: "mountain", "water on the top edge"; never NULL */
};

/* Puts one field into a half that began as all zeros. Refuses (R4) coordinates outside of 0..9 and 0..4, a
 * field that was put before, and a terrain that is none; then the half is as it was and *out says what is
 * wrong. */
enum err treasure_half_put(struct treasure_half *, int64_t x, int64_t y, enum treasure_terrain, bool is_fort,
                           struct treasure_offence *out) MUST_CHECK;

/* The first of the rules R4 to R11 that the half breaks, in this order, or ERR_OK. *out (may be NULL) says
 * where. Takes any bytes. */
enum err treasure_half_check(const struct treasure_half *, enum treasure_forts,
                             struct treasure_offence *out) MUST_CHECK;

enum { TREASURE_OFFENCE_TEXT_BYTES_MAX = 160 };
/* An offence as a sentence without a full stop: "there are 4 mountains, there must be at least 5 (R5)". */
void treasure_offence_format(enum err, const struct treasure_offence *,
                             char text[TREASURE_OFFENCE_TEXT_BYTES_MAX]);

/* The action that sends a half that passes the check. Two bits a field in arg[0..12], the index of the fort
 * in arg[13] (TREASURE_NONE: none). Of several forts arg[13] is TREASURE_DRAWN, and the bits of their fields,
 * all of them grass, are 0. */
struct action treasure_half_action(const struct treasure_half *);
/* The half that an action carries; false when bytes are set that no half has. */
bool treasure_half_of_action(const struct action *, struct treasure_half *out);

/* A random half map that keeps all rules: what chance draws for seed players, and bots send. */
void treasure_half_draw(struct treasure_half *, struct rng *);

/* The map. */

static inline unsigned treasure_width(const struct treasure_hunt *h) {
    return h->shape == TREASURE_STACKED ? TREASURE_HALF_WIDTH : 2 * TREASURE_HALF_WIDTH;
}

static inline unsigned treasure_height(const struct treasure_hunt *h) {
    return TREASURE_FIELDS / treasure_width(h);
}

/* The column of a field. */
static inline unsigned treasure_x(const struct treasure_hunt *h, unsigned field) {
    return h->shape == TREASURE_STACKED ? field % TREASURE_HALF_WIDTH : field % (2 * TREASURE_HALF_WIDTH);
}

/* The seat in whose half a field lies. */
unsigned treasure_half_owner(const struct treasure_hunt *, unsigned field);

/* The field of the map that a field of this seat's half becomes. */
unsigned treasure_field_of_half(const struct treasure_hunt *, unsigned seat, unsigned half_field);

/* The neighbour of a field, or -1 when it would be off the map. */
int treasure_neighbour(const struct treasure_hunt *, unsigned field, enum treasure_direction);

/* R15: actions that it takes from one field to its neighbour; both are no water. */
unsigned treasure_step_cost(const struct treasure_hunt *, unsigned from, unsigned to);

/* Actions that it takes at least from one field to every other; TREASURE_FAR for water and unknown terrain.
 * Costs are the same in both directions. */
enum { TREASURE_FAR = 255 };
void treasure_costs(const struct treasure_hunt *, unsigned from, uint8_t cost[TREASURE_FIELDS]);

/* R19: adds to the set what is uncovered by coming to this field. */
void treasure_sight_add(const struct treasure_hunt *, unsigned field, uint8_t set[TREASURE_SET_BYTES]);

static inline bool treasure_set_has(const uint8_t set[TREASURE_SET_BYTES], unsigned field) {
    return (set[field / 8] >> field % 8 & 1) != 0;
}

static inline void treasure_set_add(uint8_t set[TREASURE_SET_BYTES], unsigned field) {
    set[field / 8] |= (uint8_t)(1u << field % 8);
}

static inline struct action treasure_action_enter(enum treasure_kind kind) {
    return (struct action){.kind = TREASURE_ENTER, .arg = {(uint8_t)kind}};
}

static inline struct action treasure_action_move(enum treasure_direction direction) {
    return (struct action){.kind = TREASURE_MOVE, .arg = {(uint8_t)direction}};
}

/* Why a move of the seat is refused, apart from whose turn it is: ERR_MOVE_OFF_MAP (R18) or ERR_MOVE_WATER
 * (R17). The own seat's view is enough. */
enum err treasure_move_check(const struct treasure_hunt *, unsigned seat, unsigned direction) MUST_CHECK;

/* Whether the fort of the other seat can be on a field, as far as the viewer's own view tells: grass of the
 * other half that was not uncovered, and no further from where the other was first seen than it could have
 * come. Exactly the fort once it is uncovered. */
void treasure_fort_candidates(const struct game_view *, unsigned viewer, bool out[TREASURE_FIELDS]);

/* What a protocol shows of a view to the seat whose view it is. None of it tells more after the end than the
 * seat had uncovered, apart from where the other is. */

enum treasure_standing { TREASURE_MUST_WAIT, TREASURE_MUST_ACT, TREASURE_WON, TREASURE_LOST };

/* How any of the two seats stands. Absent seats, and those that wait for an absent one, must wait. Tables
 * that end by policy (forfeit, time) are not over by the rules: the host knows those. */
enum treasure_standing treasure_standing(const struct game_view *, unsigned seat);

enum treasure_kind treasure_kind_of(const struct game_view *, unsigned seat);
bool treasure_is_collected(const struct game_view *, unsigned seat);

/* How many fields of the map are there: 0, 50 after the first half map of two course players, or 100. */
unsigned treasure_fields_known(const struct game_view *);

struct treasure_field {
    uint8_t x, y;
    uint8_t terrain; /* enum treasure_terrain; unknown: this half is not there yet, leave the field out */
    bool has_viewer; /* the viewer's avatar stands there */
    bool has_enemy;  /* the other's avatar, or its faked position (R24) */
    bool has_own_treasure; /* uncovered and not collected */
    bool has_own_fort;
    bool has_enemy_fort; /* uncovered */
};

/* One field, 0 to 99, as the viewer (a seat) sees it. Exactly one field has the viewer once its half is
 * there; one has the enemy once the map is whole. */
struct treasure_field treasure_field_seen(const struct game_view *, unsigned viewer, unsigned field);

/* The parts of treasure_hunt_game that stand in files of their own. */
void treasure_redact_state(struct game_state *, unsigned viewer);
void treasure_redact_action(const struct game_state *, unsigned actor, struct action *, unsigned viewer);
void treasure_imagine(struct game_view *, unsigned viewer, struct rng *);
bool treasure_foresee(const struct game_view *, unsigned viewer, const struct action *);
void treasure_describe(const struct game_view *, struct writer *);
void treasure_action_format(const struct game_state *, unsigned seat, const struct action *,
                            char text[ACTION_TEXT_BYTES_MAX]);
enum err treasure_action_parse(const struct game_state *, unsigned seat, struct span text,
                               struct action *out) MUST_CHECK;

#endif
