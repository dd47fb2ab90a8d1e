/* How long something takes, as counts of how often it took at most so long. Adding costs a few comparisons
 * and no allocation; it is for one thread. */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 18 };

/* From 50 microseconds to 10 seconds; what took longer is in the last count. */
extern const uint64_t histogram_bounds_us[HISTOGRAM_BOUNDS];

/* Zeroed at first. */
struct histogram {
    uint64_t counts[HISTOGRAM_BOUNDS + 1]; /* each of those that are in none before it */
    uint64_t sum_us;
};

void histogram_add(struct histogram *, uint64_t us);

#endif
