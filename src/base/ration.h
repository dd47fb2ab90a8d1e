/* How much of something every address may have in a time: a bucket for each that leaks evenly. Time is an
 * argument, in milliseconds of a clock that never goes back. */
#ifndef BASE_RATION_H
#define BASE_RATION_H

#include "base/address.h"

enum { RATION_ROWS_MAX = 16 * 1024 }; /* one more address forgets the one that came first */

/* Zeroed but for the first two. */
struct ration {
    uint64_t amount;  /* that an address may have at once; 0: any */
    uint64_t time_ms; /* after so long all of it may be had again */
    struct ration_row *rows;
};

/* Whether there is anything left for the address. For nobody in particular there always is. */
bool ration_allows(struct ration *, const struct address *, uint64_t now_ms);
/* It has had so much. */
void ration_spend(struct ration *, const struct address *, uint64_t amount, uint64_t now_ms);
void ration_free(struct ration *);

#endif
