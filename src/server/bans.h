/* Addresses that the operator lets nobody in from, each for a while. They are forgotten with the server. Time
 * is an argument, in milliseconds of a clock that never goes back. */
#ifndef SERVER_BANS_H
#define SERVER_BANS_H

#include "base/address.h"

enum { BANS_MAX = 10000, BAN_SECONDS_MAX = 366 * 24 * 60 * 60 };

/* All zero at first. */
struct bans {
    struct ban_row *rows;
};

/* Until that time, or another one than before. False: there are too many. */
bool bans_add(struct bans *, const struct address *, uint64_t until_ms);
/* False: there was none. */
bool bans_lift(struct bans *, const struct address *);
bool bans_have(struct bans *, const struct address *, uint64_t now_ms);
/* Shows those that hold. */
void bans_each(struct bans *, uint64_t now_ms,
               void (*visit)(void *context, const struct address *, uint64_t left_ms), void *context);
void bans_free(struct bans *);

#endif
