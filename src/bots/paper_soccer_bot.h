/* The Paper Soccer player: a search over whole turns. */
#ifndef BOTS_PAPER_SOCCER_BOT_H
#define BOTS_PAPER_SOCCER_BOT_H

#include "bots/bots.h"
#include "bots/pitch_net.h"

extern const struct bot_kind paper_soccer_bot_kind;

/* The rest of the turn of the seat that is to act, as directions: a whole move when the ball stands where a
 * turn begins, otherwise what completes it. The table must be running. Returns the number of steps. */
size_t pitch_bot_turn(struct bot *, const struct pitch *, struct rng *, uint8_t dirs[PITCH_MOVE_STEPS_MAX]);

/* Judges by another net; borrowed. NULL: by the turns to the goals alone. */
void pitch_bot_use(struct bot *, const struct pitch_net *);

#endif
