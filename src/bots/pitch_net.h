/* What a position of Paper Soccer is worth by a small net: one hidden layer over the lines that are drawn,
 * the points they touch, where the ball is and how many turns it is away from either goal. The pitch is
 * looked at from the side of whoever is on turn, who attacks the top.
 *
 * Lines add up: the sum of a position follows from that of the one before, which makes a value cheap. Weights
 * are whole numbers, so that every machine comes to the same value; they were learned from games of the bot
 * against itself (`parlor tune paper-soccer`) and stand in pitch_net.inc. */
#ifndef BOTS_PITCH_NET_H
#define BOTS_PITCH_NET_H

#include "games/paper_soccer/paper_soccer.h"

enum {
    PITCH_NET_HIDDEN = 32,
    PITCH_NET_TURNS = 10, /* turns to a goal that are told apart, from 0 on */
    /* Inputs: where each kind begins. */
    PITCH_NET_LINES = 0, /* a point and one of the first four directions */
    PITCH_NET_TOUCHED = PITCH_POINTS * (DIRECTIONS / 2),
    PITCH_NET_BALL = PITCH_NET_TOUCHED + PITCH_POINTS,
    PITCH_NET_SCORE = PITCH_NET_BALL + PITCH_POINTS,
    PITCH_NET_LOSE = PITCH_NET_SCORE + PITCH_NET_TURNS,
    PITCH_NET_INPUTS = PITCH_NET_LOSE + PITCH_NET_TURNS,
    PITCH_NET_INPUTS_MAX = PITCH_EDGES + PITCH_POINTS + 3, /* of one position */

    PITCH_NET_ONE = 256,       /* what 1 is in the first layer, and the most that a hidden unit gives on */
    PITCH_NET_OUTPUT_ONE = 64, /* what 1 is in the second */
    PITCH_NET_VALUE = 100,     /* of a position that is won e times as often as it is lost */
    PITCH_NET_VALUE_MAX = 20 * PITCH_NET_VALUE,
};

struct pitch_net {
    int16_t input[PITCH_NET_INPUTS][PITCH_NET_HIDDEN];
    int16_t bias[PITCH_NET_HIDDEN];
    int16_t output[PITCH_NET_HIDDEN];
    int32_t output_bias; /* by both scales */
};

/* The one that bots use. */
extern const struct pitch_net pitch_net;

/* In how many further turns the ball can be in each goal when everybody helps: 0 is "in this turn". */
struct goal_turns {
    int to_score, to_lose; /* by the seat on turn, and by the other */
};

enum { GOAL_TURNS_FAR = 16 }; /* it cannot be reached any more */

/* All points at once, a bit each: those from which a line can be drawn in a direction, and those where the
 * ball does not bounce. Follows from the lines, and is kept beside them because it is needed for every value.
 */
__extension__ typedef unsigned __int128 point_set;
struct pitch_points {
    point_set free[DIRECTIONS];
    point_set fresh;
};

void pitch_points_of(const struct pitch *, struct pitch_points *);
/* A step in a direction is about to be made. */
void pitch_points_step(struct pitch_points *, const struct pitch *, enum direction);

struct goal_turns goal_turns(const struct pitch *, const struct pitch_points *);

/* The sum of all lines and touched points, as either side sees them; by enum attack. */
struct pitch_sum {
    int16_t side[2][PITCH_NET_HIDDEN];
};

void pitch_sum_of(const struct pitch_net *, const struct pitch *, struct pitch_sum *);
/* A step in a direction is about to be made. */
void pitch_sum_step(const struct pitch_net *, struct pitch_sum *, const struct pitch *, enum direction);

/* For the seat on turn of a running table whose sum this is. */
int pitch_net_value(const struct pitch_net *, const struct pitch_sum *, const struct pitch *,
                    struct goal_turns);

/* The inputs that are on, for whoever learns; returns how many. */
size_t pitch_net_inputs(const struct pitch *, struct goal_turns, uint16_t out[PITCH_NET_INPUTS_MAX]);
/* The same input when left and right change places. */
uint16_t pitch_net_mirrored(uint16_t input);

#endif
