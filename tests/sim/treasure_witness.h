/* What players of Treasure Hunt are told, held against what is so: a state is the truth of this moment as its
 * player may see it, and would be the same bytes in any other world that this player could be in; what was
 * acknowledged is in the journal, and every later state of that player comes after it. */
#ifndef SIM_TREASURE_WITNESS_H
#define SIM_TREASURE_WITNESS_H

#include "host/hunt/hunt.h"
#include "sim.h"

enum treasure_ask_kind {
    TREASURE_ASK_NOTHING,
    TREASURE_ASK_GAME,
    TREASURE_ASK_PLAYER,
    TREASURE_ASK_STATE,
    TREASURE_ASK_MOVE,
    TREASURE_ASK_HALF,
    TREASURE_ASK_OTHER, /* something wrong that has an answer all the same */
};

enum { TREASURE_CODE_BYTES_MAX = 16 };

/* One request of a client. */
struct treasure_ask {
    enum treasure_ask_kind kind;
    char game[TREASURE_CODE_BYTES_MAX];
    char player[HUNT_ID_CHARS + 1];
    enum treasure_direction direction; /* of a move */
};

/* A run begins; the seed is for other worlds that a player could be in, and decides nothing that happens. */
void treasure_witness_begin(uint64_t seed);
/* The client asks this on the connection of that number; answers come in the order of asking. */
void treasure_witness_asked(size_t connection, const struct treasure_ask *);
/* From now on it is not known any more which answer belongs to what. */
void treasure_witness_fouled(size_t connection);
/* The server sends this. */
void treasure_witness_told(struct sim *, const struct sim_dialect *, size_t connection, struct span bytes);
/* For struct sim_dialect. */
void treasure_witness_tells(struct sim_telling *, const struct sim_step *);
void treasure_witness_finish(void);

#endif
