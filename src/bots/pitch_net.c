#include "bots/pitch_net.h"

const struct pitch_net pitch_net = {
#include "bots/pitch_net.inc"
};

enum { HALF = DIRECTIONS / 2 };

static point_set point_bit(unsigned point) {
    return (point_set)1 << point;
}

void pitch_points_of(const struct pitch *p, struct pitch_points *out) {
    *out = (struct pitch_points){0};
    for (unsigned point = 0; point < PITCH_POINTS; point++) {
        if (p->mask[point] == 0)
            out->fresh |= point_bit(point);
        for (unsigned d = 0; d < DIRECTIONS; d++)
            if ((p->mask[point] & 1u << d) == 0)
                out->free[d] |= point_bit(point);
    }
}

void pitch_points_step(struct pitch_points *points, const struct pitch *p, enum direction d) {
    point_set from = point_bit(p->ball), to = point_bit(p->ball + (unsigned)(int)pitch_offset[d]);
    points->free[d] &= ~from;
    points->free[(d + HALF) % DIRECTIONS] &= ~to;
    points->fresh &= ~(from | to);
}

/* The points that are one line away from any of these. */
static point_set points_next(const struct pitch_points *points, point_set from) {
    point_set next = 0;
    next |= (from & points->free[NORTH]) << PITCH_WIDTH;
    next |= (from & points->free[NORTH_EAST]) << (PITCH_WIDTH + 1);
    next |= (from & points->free[EAST]) << 1;
    next |= (from & points->free[SOUTH_EAST]) >> (PITCH_WIDTH - 1);
    next |= (from & points->free[SOUTH]) >> PITCH_WIDTH;
    next |= (from & points->free[SOUTH_WEST]) >> (PITCH_WIDTH + 1);
    next |= (from & points->free[WEST]) >> 1;
    next |= (from & points->free[NORTH_WEST]) << (PITCH_WIDTH - 1);
    return next;
}

struct goal_turns goal_turns(const struct pitch *p, const struct pitch_points *points) {
    const point_set top_goal = ~(point_bit(TOP_GOAL_FIRST) - 1),
                    bottom_goal = point_bit(BOTTOM_GOAL_LAST + 1) - 1;
    point_set at = point_bit(p->ball), seen = at;
    int top = GOAL_TURNS_FAR, bottom = GOAL_TURNS_FAR;
    for (int turn = 0; at != 0 && (top == GOAL_TURNS_FAR || bottom == GOAL_TURNS_FAR); turn++) {
        point_set rest = 0; /* where the turn can end */
        while (at != 0) {
            point_set next = points_next(points, at) & ~seen;
            seen |= next;
            rest |= next & points->fresh;
            at = next & ~points->fresh & ~(top_goal | bottom_goal);
        }
        if (top == GOAL_TURNS_FAR && (seen & top_goal) != 0)
            top = turn;
        if (bottom == GOAL_TURNS_FAR && (seen & bottom_goal) != 0)
            bottom = turn;
        at = rest;
    }
    bool is_up = pitch_attack_of(p, p->mover) == ATTACK_TOP;
    return is_up ? (struct goal_turns){top, bottom} : (struct goal_turns){bottom, top};
}

/* A point as the side sees it: who attacks the bottom looks from the other end. */
static unsigned side_point(enum attack side, unsigned point) {
    return side == ATTACK_TOP ? point : PITCH_POINTS - 1 - point;
}

/* A line has two ends; it is named by the one from which it goes in one of the first directions. */
static unsigned side_line(enum attack side, unsigned from, unsigned d) {
    unsigned end = d < HALF ? from : from + (unsigned)(int)pitch_offset[d];
    d %= HALF;
    if (side == ATTACK_BOTTOM) /* where its other end becomes the first */
        end = side_point(side, end + (unsigned)(int)pitch_offset[d]);
    return PITCH_NET_LINES + end * HALF + d;
}

static void side_add(const struct pitch_net *net, int16_t *restrict sum, unsigned input) {
    const int16_t *restrict weight = net->input[input];
    for (size_t i = 0; i < PITCH_NET_HIDDEN; i++)
        sum[i] = (int16_t)(sum[i] + weight[i]);
}

/* Lines and touched points as a side sees them. */
static size_t side_inputs(const struct pitch *p, enum attack side, uint16_t *out) {
    size_t count = 0;
    for (unsigned point = 0; point < PITCH_POINTS; point++) {
        unsigned drawn = pitch_played(p, point);
        if (drawn != 0)
            out[count++] = (uint16_t)(PITCH_NET_TOUCHED + side_point(side, point));
        for (unsigned d = 0; d < HALF; d++)
            if ((drawn & 1u << d) != 0)
                out[count++] = (uint16_t)side_line(side, point, d);
    }
    return count;
}

static unsigned turns_input(int turns) {
    return (unsigned)(turns < PITCH_NET_TURNS ? turns : PITCH_NET_TURNS - 1);
}

size_t pitch_net_inputs(const struct pitch *p, struct goal_turns turns, uint16_t out[PITCH_NET_INPUTS_MAX]) {
    enum attack side = pitch_attack_of(p, p->mover);
    size_t count = side_inputs(p, side, out);
    out[count++] = (uint16_t)(PITCH_NET_BALL + side_point(side, p->ball));
    out[count++] = (uint16_t)(PITCH_NET_SCORE + turns_input(turns.to_score));
    out[count++] = (uint16_t)(PITCH_NET_LOSE + turns_input(turns.to_lose));
    return count;
}

static unsigned point_mirrored(unsigned point) {
    return point - point % PITCH_WIDTH + (PITCH_WIDTH - 1 - point % PITCH_WIDTH);
}

uint16_t pitch_net_mirrored(uint16_t input) {
    if (input >= PITCH_NET_SCORE)
        return input;
    if (input >= PITCH_NET_BALL)
        return (uint16_t)(PITCH_NET_BALL + point_mirrored(input - PITCH_NET_BALL));
    if (input >= PITCH_NET_TOUCHED)
        return (uint16_t)(PITCH_NET_TOUCHED + point_mirrored(input - PITCH_NET_TOUCHED));
    unsigned line = input - PITCH_NET_LINES, d = (DIRECTIONS - line % HALF) % DIRECTIONS;
    return (uint16_t)side_line(ATTACK_TOP, point_mirrored(line / HALF), d);
}

void pitch_sum_of(const struct pitch_net *net, const struct pitch *p, struct pitch_sum *sum) {
    uint16_t inputs[PITCH_NET_INPUTS_MAX];
    for (unsigned side = ATTACK_TOP; side <= ATTACK_BOTTOM; side++) {
        memcpy(sum->side[side], net->bias, sizeof net->bias);
        size_t count = side_inputs(p, (enum attack)side, inputs);
        for (size_t i = 0; i < count; i++)
            side_add(net, sum->side[side], inputs[i]);
    }
}

void pitch_sum_step(const struct pitch_net *net, struct pitch_sum *sum, const struct pitch *p,
                    enum direction d) {
    unsigned to = p->ball + (unsigned)(int)pitch_offset[d];
    for (unsigned side = ATTACK_TOP; side <= ATTACK_BOTTOM; side++) {
        side_add(net, sum->side[side], side_line((enum attack)side, p->ball, d));
        if (pitch_played(p, to) == 0)
            side_add(net, sum->side[side], PITCH_NET_TOUCHED + side_point((enum attack)side, to));
        if (p->steps == 0)
            side_add(net, sum->side[side], PITCH_NET_TOUCHED + side_point((enum attack)side, p->ball));
    }
}

int pitch_net_value(const struct pitch_net *net, const struct pitch_sum *sum, const struct pitch *p,
                    struct goal_turns turns) {
    enum attack side = pitch_attack_of(p, p->mover);
    const int16_t *lines = sum->side[side], *ball = net->input[PITCH_NET_BALL + side_point(side, p->ball)],
                  *score = net->input[PITCH_NET_SCORE + turns_input(turns.to_score)],
                  *lose = net->input[PITCH_NET_LOSE + turns_input(turns.to_lose)];
    int32_t out = net->output_bias;
    for (size_t i = 0; i < PITCH_NET_HIDDEN; i++) {
        int16_t unit = (int16_t)(lines[i] + ball[i] + score[i] + lose[i]);
        unit = unit < 0 ? 0 : unit > PITCH_NET_ONE ? PITCH_NET_ONE : unit;
        out += unit * net->output[i];
    }
    int64_t value = (int64_t)out * PITCH_NET_VALUE / (PITCH_NET_ONE * PITCH_NET_OUTPUT_ONE);
    return value > PITCH_NET_VALUE_MAX    ? PITCH_NET_VALUE_MAX
           : value < -PITCH_NET_VALUE_MAX ? -PITCH_NET_VALUE_MAX
                                          : (int)value;
}
