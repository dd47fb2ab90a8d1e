/* What one address may ask for, through all its connections: so many requests and messages, and so many bytes
 * that come from it and go to it, counted over some seconds. Whoever is over one of them is refused until
 * enough of it has leaked away, leaves a line in the log, and is counted (base/limit.h).
 *
 * Plain counting without a clock of its own, for the loop's thread. */
#ifndef SERVER_APPETITE_H
#define SERVER_APPETITE_H

#include "base/ration.h"

enum {
    APPETITE_MS = 10 * 1000, /* over which it is counted */
    APPETITE_LOG_MS = 1000,  /* between two lines of the log about requests */
};

struct appetite {
    struct ration requests, bytes; /* by where they come from */
    uint64_t logged_ms;
};

/* Of a second each; 0: any number. */
struct appetite appetite_make(uint32_t requests_max, uint64_t bytes_max);
void appetite_free(struct appetite *);

/* An address asks for one thing more, and so many bytes have come and gone since it asked last: counts both,
 * and says whether it may have it now. For nobody in particular it always is so. */
bool appetite_allows(struct appetite *, const struct address *, uint64_t bytes, uint64_t now_ms);
/* So many bytes have come and gone, and it does not ask any more. */
void appetite_spend(struct appetite *, const struct address *, uint64_t bytes, uint64_t now_ms);

#endif
