/* What one connection may have of a turn of the loop, so that the next one is served: so many bytes and
 * messages, and so much time. A connection that wants more rests, and is resumed in a later turn, behind
 * those that rest already. The more of them rest the less time each has in a turn, and those who rest are
 * resumed for so long only: so the length of a turn, which is what everybody else waits for, does not grow
 * with how many want too much.
 *
 * Plain counting without a clock of its own; connections keep the list of those who rest. */
#ifndef SERVER_SHARE_H
#define SERVER_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHARE_BYTES = 64 * 1024,
    SHARE_MESSAGES = 64,
    SHARE_US = 150,        /* of one that wants more while nobody else does */
    SHARE_US_MIN = 50,     /* of one of many */
    SHARE_RESUME_US = 150, /* in a turn, of all together that have rested */
};

/* Zeroed: of a turn that is over. */
struct share {
    uint64_t turn; /* numbers of turns begin at 1 */
    uint64_t begun_us;
    size_t bytes;
    uint32_t messages;
};

/* The share is that of this turn from now on; nothing changes when it is already. */
void share_begin(struct share *, uint64_t turn, uint64_t now_us);

/* A new one, in whatever turn. */
void share_renew(struct share *, uint64_t turn, uint64_t now_us);

/* Nothing is left of it, while so many rest. Whoever has been given nothing yet has something left. */
bool share_is_spent(const struct share *, size_t resting, uint64_t now_us);

#endif
