/* The sheet of a cup: a championship of any game, at tables of this server. Who entered, who meets whom at
 * which table, how they parted, and where everybody stands. Knows no clients, no clock, no journal and no
 * tables; what is planned next is a format's to say (format.h). Entrants are numbers from 0 in the order in
 * which they entered, pairings numbers from 0 in the order in which they were planned.
 *
 * A table is worth one point: its winner has all of it, the last one nothing, and whoever is between as many
 * parts of it as players were beaten; those who are level share. So two seats have 1, a half and 0. */
#ifndef HOST_CUP_SHEET_H
#define HOST_CUP_SHEET_H

#include "game/game.h"

enum {
    CUP_ENTRANTS_MIN = 2,
    CUP_ENTRANTS_MAX = 256,
    CUP_PAIRINGS_MAX = 8192, /* of one cup; 128 entrants meet each other once */
    CUP_ROUNDS_MAX = 255,
    CUP_POINT = 12, /* parts of a point: what is shared by 2, 3 or 4 is a whole number of them */
};

/* How a pairing was decided. */
enum cup_how {
    CUP_UNDECIDED = 0, /* not yet */
    CUP_PLAYED = 1,
    CUP_FORFEITED = 2, /* somebody gave up, ran out of time or broke the rules */
    CUP_WALKOVER = 3,  /* somebody had gone before it began, or it could not be decided: without a table */
    CUP_BYE = 4,       /* one entrant, who had nobody to meet */
};

struct cup_pairing {
    uint32_t round;              /* from 1 */
    uint32_t count;              /* of its entrants; 1: a bye */
    uint32_t entrant[SEATS_MAX]; /* in the order of seats */
    enum cup_how how;
    uint32_t points[SEATS_MAX]; /* parts of a point, once it is decided */
};

struct cup_sheet {
    uint32_t seats;  /* of a table, from 2 to SEATS_MAX */
    uint32_t rounds; /* that are wished; 0: as many as the format has for so many entrants */
    uint32_t entrant_count;
    bool is_gone[CUP_ENTRANTS_MAX]; /* withdrew, or was disqualified */
    struct cup_pairing *pairings;   /* owned */
    uint32_t pairing_count;
};

void cup_sheet_free(struct cup_sheet *);

/* One more pairing, undecided unless it is a bye. The entrants are there, and no one is twice in it. */
void cup_sheet_add(struct cup_sheet *, const struct cup_pairing *);

/* How a table's result is shared: results are what the table gave to each seat, more is better. */
void cup_share(uint32_t count, const int32_t *results, uint32_t points[SEATS_MAX]);

/* Without a table: those who are still there share, the others have nothing. */
void cup_walkover(const struct cup_sheet *, struct cup_pairing *);

/* All pairings of a round and before are decided. */
bool cup_sheet_is_decided(const struct cup_sheet *);
/* The last round that was planned; 0: none. */
uint32_t cup_sheet_round(const struct cup_sheet *);
/* How many entrants have not gone. */
uint32_t cup_sheet_present(const struct cup_sheet *);
/* Whether the entrant is in a pairing; at which seat, if seat is given. */
bool cup_pairing_has(const struct cup_pairing *, uint32_t entrant, uint32_t *seat);
/* The seat with most points, or SEAT_WATCHER when several have. */
unsigned cup_pairing_winner(const struct cup_pairing *);

/* How often two have met, or will, by what is planned. The memory is count x count numbers, given. */
uint8_t *cup_sheet_meetings(const struct cup_sheet *);

/* Gives seats to the entrants of a pairing: to whoever had each least often, then to who did not have it
 * last. */
void cup_sheet_seat(const struct cup_sheet *, struct cup_pairing *);

/* By what those with the same points are told apart, in this order. */
#define CUP_TIE_LIST(X)                                                                                      \
    X(POINTS, "points")                                                                                      \
    X(DIRECT, "direct")              /* points from tables with others who have the same points */           \
    X(BUCHHOLZ, "buchholz")          /* the points of all who were met */                                    \
    X(SONNEBORN, "sonneborn_berger") /* of those who were beaten, and half of those who were level */        \
    X(WINS, "wins")                  /* tables won alone */                                                  \
    X(ENTERED, "entered")            /* who entered first */
#define CUP_TIE_CONSTANT(name, word) CUP_TIE_##name,
enum cup_tie { CUP_TIE_LIST(CUP_TIE_CONSTANT) CUP_TIE_COUNT };
extern const char *const cup_tie_words[CUP_TIE_COUNT];

struct cup_standing {
    uint32_t entrant;
    uint32_t place;  /* from 1 */
    uint32_t rank;   /* of formats that have an order of their own: smaller is better; otherwise 0 */
    uint32_t played; /* tables, byes and walkovers */
    uint32_t won, drawn, lost;
    uint32_t points;                      /* parts of a point, and so are the next three */
    uint32_t direct, buchholz, sonneborn; /* direct: only among those of equal points */
};

/* All entrants, best first: by rank (given by entrant, or NULL), then as CUP_TIE_LIST has it. rows has room
 * for all. */
void cup_standings(const struct cup_sheet *, const uint32_t *rank, struct cup_standing *rows);

#endif
