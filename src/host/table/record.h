/* One event of a journal as a viewer may know it: what the API shows as journal, log and news. */
#ifndef HOST_TABLE_RECORD_H
#define HOST_TABLE_RECORD_H

#include "base/writer.h"
#include "store/event.h"

/* Sees everything: only for tables that are over, and for the host itself. Follows on the viewers of
 * game/game.h. */
enum { VIEWER_ALL = SEAT_WATCHER + 1, VIEWERS };

/* All borrowed. */
struct record {
    const struct event *event;
    const struct game *game;        /* NULL before the set-up */
    const struct game_state *truth; /* before the event, and nobody's but record_write's; NULL when game is */
    const char *names[SEATS_MAX];   /* "": nobody */
};

/* The event that a fold has taken last. Borrowed until the next. */
struct fold;
struct record record_last(const struct fold *);

/* The event as one object: version, at_ms, kind, seat, actions, text, and what is its own. The secrets of
 * players (tokens, notes) are never in it. */
void record_write(struct writer *, const char *name, const struct record *, unsigned viewer);

/* What a loss was judged by, as an object of this name. */
void record_write_stamps(struct writer *, const char *name, const struct event_stamps *);

/* "resigned", "left", "violation"; "time" for 0. */
const char *record_reason(enum event_reason);
/* The word for how a table ended. */
const char *record_outcome(enum event_outcome);

#endif
