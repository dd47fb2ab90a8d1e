#include "base/histogram.h"

const uint64_t histogram_bounds_us[HISTOGRAM_BOUNDS] = {
    50,         100,         250,         500,         1000,        2500,
    5000,       10 * 1000,   25 * 1000,   50 * 1000,   100 * 1000,  250 * 1000,
    500 * 1000, 1000 * 1000, 2500 * 1000, 5000 * 1000, 7500 * 1000, 10 * 1000 * 1000,
};

void histogram_add(struct histogram *h, uint64_t us) {
    size_t i = 0;
    while (i < HISTOGRAM_BOUNDS && us > histogram_bounds_us[i])
        i++;
    h->counts[i]++;
    h->sum_us += us;
}
