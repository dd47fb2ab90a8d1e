/* Follows a game of Masters of Renaissance from what the server tells one of its players, for the bot. */
#ifndef CLI_RENAISSANCE_FOLLOW_H
#define CLI_RENAISSANCE_FOLLOW_H

#include "wire/renaissance/dialect.h"

enum { RENAISSANCE_FOLLOW_NAME_BYTES_MAX = 256 };

struct renaissance_follow {
    struct renaissance state; /* the view of our seat, as far as it was told */
    char names[RENAISSANCE_SEATS_MAX][RENAISSANCE_FOLLOW_NAME_BYTES_MAX];
    struct span name; /* our own; borrowed */
    unsigned seat;
    bool is_just_back; /* the table was shown, and nothing has told yet that it goes on */
};

/* Nothing is known yet. */
void renaissance_follow_begin(struct renaissance_follow *, struct span name);

/* Takes a message over into the state: whoever is asked for something is on turn then, in the phase that
 * fits. Messages that tell nothing about the table are ignored. False when the message cannot be understood,
 * or does not fit what was told before. */
bool renaissance_follow_take(struct renaissance_follow *, const json_t *message) MUST_CHECK;

/* Whether the message is the score of a table that was over when we logged in. That login is answered next;
 * after any other score another one is needed. */
bool renaissance_follow_is_farewell(const struct renaissance_follow *, const json_t *message);

#endif
