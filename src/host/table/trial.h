/* Actions of a seat in words, played one after the other on a copy: before they are played in earnest, and
 * when they are only tried.
 *
 * What a trial answers depends on nothing but the player's view: trial_imagine, the only way to a world for
 * it, takes a struct game_view. Legality is no secret of a game (game.h), what comes to light by an action
 * may be: where an outcome does not follow from the view, a trial stops and says so. The same is true of
 * requests in earnest: an action behind one whose outcome is open is refused for that, whatever the truth is,
 * so that no refusal tells it before the move is made. */
#ifndef HOST_TABLE_TRIAL_H
#define HOST_TABLE_TRIAL_H

#include "host/table/table.h"

/* Makes a world of the seat's view that agrees with it and depends on nothing else, in place; and the random
 * numbers that may go on from there. */
void trial_imagine(const struct game *, struct game_view *, unsigned seat, struct rng *rng);

struct trial {
    size_t played;   /* so many of the actions were played on the state */
    bool is_unknown; /* the next one is allowed, but what it leads to does not follow from the seat's view */
};

/* Plays the actions of a seat on the state as far as they go. Returns why the one at out->played is refused,
 * or ERR_OK; ERR_OUTCOME_UNKNOWN when it stands behind one whose outcome is open. The last of all may be open
 * itself: it is not played then, and is_unknown says so. */
enum err trial_play(const struct game *, struct game_state *, unsigned seat, const struct span *texts,
                    size_t count, struct trial *out) MUST_CHECK;

/* The same before the actions are played at a table in earnest, where the last one may be open. They go into
 * actions (room for count), the refused one too unless it was not looked at. Changes nothing. */
enum err trial_table(const struct table *, unsigned seat, const struct span *texts, size_t count,
                     struct action *actions, struct trial *out) MUST_CHECK;

#endif
