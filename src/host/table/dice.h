/* Fair dice. A table has a secret from the day it is opened. The server commits to it at once (a hash in the
 * table's set-up event), every draw is a keyed hash of the table, the event it belongs to, what it is for and
 * the seeds that players have brought by then, and the result reveals the secret: so the server cannot choose
 * outcomes afterwards, nobody can foresee them, and anybody can check them in the end. The server could have
 * tried secrets before it committed to one; not so for draws after a seed that it did not know then.
 * docs/journal.md has the formulas. */
#ifndef HOST_TABLE_DICE_H
#define HOST_TABLE_DICE_H

#include "base/rng.h"
#include "store/event.h"

/* What the events of a table so far mean for its next draw. Zero before the first event. */
struct dice {
    bool waits_for_seats; /* as its set-up says */
    bool has_opened;      /* another event than set-up, seats and chance has come */
    uint64_t seat_events; /* as long as it has not */
    uint64_t mixed_seq;   /* of the event with the first seed; 0: nobody has brought one */
    struct digest seeds;  /* of all seeds in their order */
};

/* Takes the next event of the table, whose body can be read. */
void dice_follow(struct dice *, const struct event *);

/* What the server publishes when the table is opened. */
void dice_commit(struct digest *out, uint64_t table, const struct digest *secret);

/* The generator for one draw: seq is the number of the event that will hold the outcome, purpose a word such
 * as "chance" or "seats", dice what came before it. */
void dice_draw(struct rng *out, uint64_t table, const struct digest *secret, const struct dice *dice,
               uint64_t seq, const char *purpose);

/* The seats of players who have no choice: joined[i] is the seat of the one who came i-th. Every order has
 * the same chance. seq is the number of the first of the seat events, which stand in the order of coming, and
 * dice what came before that one. */
void dice_seats(uint64_t table, const struct digest *secret, const struct dice *dice, uint64_t seq,
                unsigned seat_count, unsigned joined[]);

#endif
