/* Counting the tree of a game, the check that two implementations of the rules agree. */
#ifndef GAME_PERFT_H
#define GAME_PERFT_H

#include "game/game.h"

/* Number of different action sequences from this state that are so many turns long. A turn is a run of
 * actions during which the same seats are to act (a whole polyline in Paper Soccer, move and build in
 * Santorini), an outcome of chance is one too. Tables that are over before are not continued and count only
 * at the turn that ended them. Walks by turn, legal and apply alone, with room for at most actions_max
 * actions per level on the heap. */
uint64_t perft_turns(const struct game *, const struct game_state *, unsigned turns);

/* Whether these sequences can be counted: false when somewhere on the way a seat or chance has more actions
 * than legal lists. Takes as long as counting. */
bool perft_is_listed(const struct game *, const struct game_state *, unsigned turns);

#endif
