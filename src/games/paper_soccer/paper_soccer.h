/* Paper Soccer on the standard pitch 10x8. The rules are numbered in docs/rules/paper-soccer.md; the branches
 * that implement them cite the numbers.
 *
 * A point (x, y) with the centre (0, 0), x from -4 to 4 to the right and y from -6 to 6 upwards is one index,
 * row by row from the bottom left. Every point has a mask of its eight directions in which no line can be
 * drawn any more: bit 0 north, then clockwise. The border is in the masks from the beginning, so "does the
 * ball bounce here" is mask != 0, and "is it stuck" is mask == 0xff. */
#ifndef GAMES_PAPER_SOCCER_PAPER_SOCCER_H
#define GAMES_PAPER_SOCCER_PAPER_SOCCER_H

#include "game/game.h"
#include "games/paper_soccer/refusals.h"

enum {
    PITCH_WIDTH = 9,
    PITCH_HEIGHT = 13, /* with the two goal rows */
    PITCH_POINTS = PITCH_WIDTH * PITCH_HEIGHT,
    PITCH_CENTRE = PITCH_POINTS / 2,
    PITCH_EDGES = 316, /* R11: no game is longer */
    DIRECTIONS = 8,
    TOP_GOAL_FIRST = PITCH_WIDTH * 12,  /* indices from here on lie in the top goal row */
    BOTTOM_GOAL_LAST = PITCH_WIDTH - 1, /* indices up to here lie in the bottom goal row */
    PITCH_TURNS_MAX = 65,               /* R11 */
    PITCH_OPTION_FIRST_ATTACKS = 0,
};

enum direction { NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST };

enum attack { ATTACK_TOP, ATTACK_BOTTOM };

/* The state of the game; what struct game_state and struct game_view are underneath. */
struct pitch {
    uint8_t mask[PITCH_POINTS]; /* directions that are not free any more */
    uint8_t ball;               /* index */
    uint8_t mover;              /* seat to act; of a finished table, the seat that acted last */
    uint8_t is_over;
    uint8_t winner;       /* seat, once it is over */
    uint8_t first_attack; /* enum attack of seat 0 */
    uint16_t steps;       /* played so far */
};

/* An action is one step; kind is STEP_KIND and arg[0] the direction. A whole move is several. */
enum { STEP_KIND = 1 };

extern const struct game paper_soccer_game;

static inline const struct pitch *pitch_of_view(const struct game_view *view) {
    return (const struct pitch *)view;
}

extern const int8_t pitch_offset[DIRECTIONS]; /* index of the neighbour minus own index */

/* The kick-off position. first_attack is the goal that seat 0 attacks. */
void pitch_setup(struct pitch *, enum attack first_attack);

static inline bool pitch_is_goal(unsigned point) {
    return point <= BOTTOM_GOAL_LAST || point >= TOP_GOAL_FIRST;
}

/* Directions in which the ball can go. Not 0 while the table is running. */
static inline unsigned pitch_exits(const struct pitch *p) {
    return (unsigned)(uint8_t)~p->mask[p->ball];
}

/* Directions in which lines were played from or to a point. */
unsigned pitch_played(const struct pitch *, unsigned point);

/* Makes one step in a direction that is among the exits of a running table. */
void pitch_step(struct pitch *, enum direction);

static inline struct action pitch_action(enum direction d) {
    return (struct action){.kind = STEP_KIND, .arg = {(uint8_t)d}};
}

/* Why a step is refused, apart from whose turn it is. */
enum err pitch_check_step(const struct pitch *, unsigned direction) MUST_CHECK;

/* Plays a whole move of the seat on turn: a list of points without the starting point. It must be complete
 * (the turn passes or the game ends) and go no further; otherwise it is refused and nothing is changed. dirs,
 * when not NULL, receives the direction of each step. */
struct pitch_point {
    int32_t x, y;
};
enum err pitch_play_move(struct pitch *, const struct pitch_point *points, size_t count,
                         uint8_t *dirs) MUST_CHECK;

struct pitch_point pitch_point_of(unsigned index);
/* R2: the direction from one point to the next, or -1 when they are not neighbours. */
int pitch_direction(struct pitch_point from, struct pitch_point to);
/* The index of a point, or -1 when it is not one of the 105 points of the pitch. */
int pitch_index_of(struct pitch_point);

/* The goal that a seat attacks (R12). */
enum attack pitch_attack_of(const struct pitch *, unsigned seat);

/* Exactly: can the seat on turn bring the ball into this goal within this turn? */
bool pitch_can_score(const struct pitch *, enum attack goal);

/* Number of ordered move sequences of so many turns; what paper_soccer_game.perft calls. */
uint64_t pitch_perft(const struct pitch *, unsigned turns);

/* All different results of one turn. Two orders of the same lines that end on the same point are one result,
 * and no set of lines is looked into twice. The tables are the caller's and are used again and again. */
enum { PITCH_MOVE_STEPS_MAX = PITCH_EDGES };

struct pitch_move {
    /* Hash of the lines it draws and of the point where it ends: two turns from one position lead to the same
     * one when it is the same. Where both pass the turn, pitch_key there differs by the same bits. */
    uint64_t key;
    uint32_t first; /* of its steps in pitch_moves.steps */
    uint16_t count;
    uint8_t end;       /* point where it ends */
    uint8_t ends_game; /* in a goal, or stuck */
};

struct pitch_moves {
    struct pitch_move *move; /* the results */
    size_t move_capacity;
    size_t count;
    uint8_t *steps; /* of all results, one direction a byte */
    size_t steps_capacity;
    size_t steps_count;
    uint64_t *seen; /* hash set of positions within the turn; its capacity is a power of two */
    size_t seen_capacity;
    size_t seen_count;
    bool is_complete; /* false when a ceiling was met: there are more results than listed */
};

/* Lists the results for the seat on turn of a running table. */
void pitch_moves_list(const struct pitch *, struct pitch_moves *);

/* Hash of lines, ball and seat on turn. */
uint64_t pitch_key(const struct pitch *);

#endif
