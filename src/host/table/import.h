/* A table from a list of actions: the text form of game/replay.h becomes the first events of a journal, so
 * that any reachable position can be set up. Chance outcomes stand in the text and are taken as given; what
 * chance decides later comes from the table's own dice. */
#ifndef HOST_TABLE_IMPORT_H
#define HOST_TABLE_IMPORT_H

#include "game/replay.h"
#include "store/event.h"

#define IMPORT_PROTOCOL "import" /* in the set-up of such a table */

struct import {
    struct event *events; /* owned, chained, ready for one append that opens the table */
    size_t event_count;
    bool is_finished;        /* the actions end the game, so a result is the last event */
    size_t line;             /* of the text; the offending one after a refusal */
    const struct game *game; /* of the text, which words the refusal; NULL: it names none */
    struct buf bodies;
};

/* Refuses what replay_run refuses, with line at the offence. import_free in any case. */
enum err import_text(struct import *, struct span text, uint64_t table, int64_t time_ms,
                     const struct digest *secret) MUST_CHECK;
void import_free(struct import *);

#endif
