/* Mixed tables: Paper Soccer tables of the Universal Game System at which players of other protocols sit,
 * too. They are the tables of a room (host/room/room.h): opened through its door, or by the hall for a player
 * who waits alone. The room is there as long as the port is, at every node; the hall seats its players at
 * them while it is at this node.
 *
 * To the players of the hall such a table is a game like any other: a relay (relay.c) of which some seats
 * have no member. What the built-in master does for a game of the hall's own players is done here. */
#ifndef HOST_HALL_MIXED_H
#define HOST_HALL_MIXED_H

#include "games/paper_soccer/paper_soccer.h"
#include "host/inspector.h"
#include "host/table/table.h"

enum {
    MIXED_TABLES_MAX = 10000,            /* that are not over */
    MIXED_DOOR_KEEP_MS = 10 * 60 * 1000, /* a table from the door may be empty for so long */
    MIXED_IDLE_MS = 30 * 60 * 1000,      /* one where nothing has happened for so long is given up */
    MIXED_LINGER_MS = 60 * 1000, /* a finished one is kept at hand, for those who are still to hear of it */
    MIXED_LINGER_MAX = 1000,     /* so many of them at most */
};

struct mixed_config {
    struct tables *tables;       /* borrowed */
    struct inspector *inspector; /* is told of moves that break the rules; borrowed, or NULL */
    enum attack first_attack;
    uint32_t move_timeout_ms; /* for a turn of somebody who is not of the hall */
    bool has_door; /* false: there are none, but tables that were left behind end as they would otherwise */
};

struct mixed;

/* Gives. Takes over the tables of the protocol that are there. */
struct mixed *mixed_create(const struct mixed_config *);
void mixed_free(struct mixed *);

uint64_t mixed_next_ms(const struct mixed *);
void mixed_advance(struct mixed *, uint64_t now_ms);

/* A table of the hall's protocol that a restart has brought back. With a player of the hall at it, who cannot
 * come back, it ends undecided, unless others are there and nobody has moved: then they go on waiting. */
void mixed_restored(struct table *);

#endif
