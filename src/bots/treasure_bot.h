/* The Treasure Hunt player: looks where it sees most for its effort. */
#ifndef BOTS_TREASURE_BOT_H
#define BOTS_TREASURE_BOT_H

#include "bots/bots.h"
#include "games/treasure_hunt/treasure_hunt.h"

extern const struct bot_kind treasure_bot_kind;

/* The next move of a seat on a whole map, from its own view: the same view gives the same move. looks is how
 * many first targets it thinks through to the end of the search; 1 is quick.
 *
 * A client of a protocol that is sent a map instead of a view fills in these fields and nothing else: shape,
 * origin and terrain; of its own seat position, actions, direction, progress, fort, treasure, has_treasure,
 * seen, first_seen and first_seen_moves; of the other the fort. */
enum treasure_direction treasure_bot_move(const struct game_view *, unsigned seat, unsigned level,
                                          uint64_t looks);
/* How many of a thousand moves are slips of such a client, after so many actions of its own. */
uint32_t treasure_bot_slips_after(const struct bot *, unsigned actions);
/* A slip of such a client (bots.h): any legal move. */
enum treasure_direction treasure_bot_slip(const struct game_view *, unsigned seat, struct rng *);

#endif
