/* Fair dice. A table has a secret from the day it is opened. The server commits to it at once (a hash in the
 * table's set-up event), every draw is a keyed hash of the table, the event it belongs to and what it is for,
 * and the result reveals the secret: so the server cannot choose outcomes afterwards, nobody can foresee
 * them, and anybody can check them in the end. */
#ifndef HOST_DICE_H
#define HOST_DICE_H

#include "base/digest.h"
#include "base/rng.h"

/* What the server publishes when the table is opened. */
void dice_commit(struct digest *out, uint64_t table, const struct digest *secret);

/* The generator for one draw: seq is the number of the event that will hold the outcome, purpose a word such
 * as "chance" or "seats". */
void dice_draw(struct rng *out, uint64_t table, const struct digest *secret, uint64_t seq,
               const char *purpose);

/* The seats of players who have no choice: joined[i] is the seat of the one who came i-th. Every order has
 * the same chance. seq is the number of the first of the seat events, which stand in the order of coming. */
void dice_seats(uint64_t table, const struct digest *secret, uint64_t seq, unsigned seat_count,
                unsigned joined[]);

#endif
