/* The formats of a cup: who meets whom next. Each is one constant struct beside its code, and pure: the same
 * sheet always gives the same plan, so that any node, and a restart, goes on alike. */
#ifndef HOST_CUP_FORMAT_H
#define HOST_CUP_FORMAT_H

#include "host/cup/sheet.h"

enum { CUP_PLAN_MAX = CUP_ENTRANTS_MAX / 2 + 1 }; /* pairings of one plan: a round */

struct cup_plan {
    struct cup_pairing pairings[CUP_PLAN_MAX];
    uint32_t count;
};

struct cup_format {
    const char *word; /* of the wire: "round-robin" */
    bool waits;       /* a round is planned when all before it are decided; otherwise all at once */
    bool takes_late;  /* entrants may come while it runs */
    /* How many tables it has at most for so many entrants of the sheet; for ceilings. */
    uint32_t (*tables)(const struct cup_sheet *);
    /* The next pairings, or none: then it is over, as soon as all are decided. */
    void (*plan)(const struct cup_sheet *, struct cup_plan *);
    /* An order of its own, by entrant, smaller is better; NULL: points alone count. */
    void (*rank)(const struct cup_sheet *, uint32_t *rank);
};

/* The numbers stand in journals: added, never changed. */
enum cup_format_number {
    CUP_ROUND_ROBIN = 1,
    CUP_DOUBLE_ROUND_ROBIN = 2,
    CUP_SWISS = 3,
    CUP_KNOCKOUT = 4,
    CUP_LADDER = 5,
    CUP_FORMAT_COUNT,
};

/* NULL: there is no such format. */
const struct cup_format *cup_format_of(uint32_t number);
/* The number of a word; 0: there is none. */
uint32_t cup_format_number(struct span word);

extern const struct cup_format cup_round_robin, cup_double_round_robin, cup_swiss, cup_knockout, cup_ladder;

/* For the formats. */

/* Adds a pairing of so many entrants to a plan. */
struct cup_pairing *cup_plan_add(struct cup_plan *, uint32_t round, const uint32_t *entrants, uint32_t count);
/* In how many groups so many entrants sit at tables of so many seats, and how many are in one of them: sizes
 * differ by at most one. */
uint32_t cup_group_count(uint32_t entrants, uint32_t seats);
uint32_t cup_group_size(uint32_t entrants, uint32_t groups, uint32_t index);
/* Of the entrants that are left, those with whom the group has had least to do join it until it is full:
 * first by how often they have met, then by their order. left has count entrants, and those who join are
 * taken off it. */
void cup_group_fill(const uint8_t *met, uint32_t entrants, uint32_t *group, uint32_t size, uint32_t *left,
                    uint32_t *count);

/* Whether all of n can be paired off so that only allowed pairs meet (matching.c); mate[i] is then the
 * partner of i. allowed is n x n and symmetric; mate may begin with a matching of some (n: nobody). */
bool cup_match(const bool *allowed, uint32_t n, uint32_t *mate);

#endif
