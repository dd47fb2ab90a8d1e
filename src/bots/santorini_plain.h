/* A search for Santorini between two players without powers, where a turn is one ply: the board in sets of
 * cells, a table of positions that were looked at, and turns in the order in which they are likely to be
 * good. Climbs to the third level are seen two turns before they happen, whatever the depth. */
#ifndef BOTS_SANTORINI_PLAIN_H
#define BOTS_SANTORINI_PLAIN_H

#include "bots/bots.h"
#include "games/santorini/santorini.h"

enum {
    PLAIN_WIN = 1000000,
    PLAIN_SURE = PLAIN_WIN - 1000, /* from here on a value is a proven end */
    PLAIN_TURNS_MAX = 128,         /* of one position: 2 builders, 8 moves, 8 builds each */
    PLAIN_DEPTH_MAX = 40,
    PLAIN_LINE_MAX = 12, /* turns of an expected line */
};

/* What a turn does. A climb that wins builds nothing. */
struct plain_turn {
    uint8_t from, to, site;
    bool is_climb;
    int32_t value; /* of the root's turns: for the side that makes it */
};

struct plain_engine;
struct plain_engine *plain_engine_create(void);
void plain_engine_free(struct plain_engine *);

/* How a search is limited, besides the bot's nodes and time: by turns, and by chance that is added to the
 * values of turns. */
struct plain_limits {
    unsigned depth_max;
    uint32_t noise;
};

/* What a search has found: the turns of the position, the best first, and how far it came. */
struct plain_answer {
    struct plain_turn turns[PLAIN_TURNS_MAX];
    size_t count; /* 0: there is none, and the seat has lost */
    unsigned depth;
    uint64_t nodes;
    struct plain_turn line[PLAIN_LINE_MAX]; /* how it goes on; the best turn is its first */
    size_t line_count;
};

/* Whether it can search this position: two seats, both still there, and no powers. */
bool plain_engine_plays(const struct santorini *);

/* The turns of the seat to act, or what is left of its turn after a move. */
void plain_engine_search(struct plain_engine *, struct bot *, const struct santorini *,
                         const struct plain_limits *, struct rng *, struct plain_answer *out);

/* Where to put builders, first and second: the place whose position the other can answer least. */
unsigned plain_engine_place(struct plain_engine *, struct bot *, const struct santorini *, struct rng *);

#endif
