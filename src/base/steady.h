/* A clock of the wall beside one that never jumps: how much of the wall's time is a jump. What is to be shown
 * some time after it was stamped by the wall's clock must not be shown early because somebody has set that
 * clock. Times are arguments, in milliseconds. */
#ifndef BASE_STEADY_H
#define BASE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

enum { STEADY_JITTER_MS = 1000 }; /* the two clocks may differ so much between two looks */

/* Zeroed at first. */
struct steady {
    bool has_base;
    int64_t base_ms;    /* the wall's clock without the jump, at 0 of the other */
    int64_t jump_ms;    /* it has jumped ahead by so much, all in all */
    uint64_t jumped_ms; /* last, by the other clock */
};

/* Looks at both clocks: to be called about once a second. */
void steady_look(struct steady *, int64_t wall_ms, uint64_t now_ms);

/* The time of the wall's clock that is at least delay_ms ago by both clocks: stamps up to there are as old.
 */
int64_t steady_ago(struct steady *, uint64_t delay_ms, int64_t wall_ms, uint64_t now_ms);

#endif
