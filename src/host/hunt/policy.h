/* The policy of a Treasure Hunt game, as the query that creates it says it and as its set-up keeps it. */
#ifndef HOST_HUNT_POLICY_H
#define HOST_HUNT_POLICY_H

#include "base/buf.h"

enum { HUNT_ACTION_MS_MAX = 24 * 60 * 60 * 1000, HUNT_POLICY_BYTES_MAX = 160 };

enum hunt_violation {
    HUNT_VIOLATION_BY_KIND, /* loses as soon as a course player sits there */
    HUNT_VIOLATION_LOSES,
    HUNT_VIOLATION_IS_REFUSED,
};

struct hunt_policy {
    enum hunt_violation violation;
    bool has_action_ms;   /* otherwise it depends on who sits there */
    uint32_t action_ms;   /* 0: no limit */
    uint32_t actions_max; /* 0: it depends on who sits there, see R26 */
    bool is_debug;        /* no limit for an action */
    bool has_bot;         /* a bot is the opponent of the first player */
    bool may_name_forts;  /* a half map may name several forts; chance draws one, see R8 */
};

/* From "violation=lose&actionTime=2.5&maxActions=100&enableDebugMode=true&enableDummyCompetition=true
 * &forts=any". Names that are not known and values that make no sense are passed over. The first of two
 * counts. */
void hunt_policy_read(struct span query, struct hunt_policy *out);

/* The same form, with only what differs from the default; "" for the default. */
void hunt_policy_format(const struct hunt_policy *, char text[HUNT_POLICY_BYTES_MAX]);

#endif
