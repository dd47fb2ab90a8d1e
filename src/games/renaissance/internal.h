/* What the files of Masters of Renaissance share among themselves. */
#ifndef GAMES_RENAISSANCE_INTERNAL_H
#define GAMES_RENAISSANCE_INTERNAL_H

#include "games/renaissance/renaissance.h"

enum {
    /* Before the main action: leaders, lines with their exchanges, cards and slots, productions. */
    RENAISSANCE_ACTIONS_MAX = 2 * RENAISSANCE_LEADERS_KEPT + RENAISSANCE_LINES * (RENAISSANCE_COLUMNS + 1) +
                              RENAISSANCE_PILES * RENAISSANCE_SLOTS + 40 + RENAISSANCE_SLOTS +
                              RENAISSANCE_LEADERS_KEPT * RENAISSANCE_KINDS,
};

/* Parts of renaissance_game that stand in files of their own. */
enum err renaissance_check(const struct game_state *, unsigned seat, const struct action *) MUST_CHECK;
size_t renaissance_legal(const struct game_state *, unsigned seat, struct action *out);
void renaissance_sample(const struct game_state *, unsigned seat, struct rng *, struct action *out);
const char *renaissance_valid(const struct game_state *);
void renaissance_redact_state(struct game_state *, unsigned viewer);
void renaissance_redact_action(const struct game_state *, unsigned actor, struct action *, unsigned viewer);
void renaissance_imagine(struct game_view *, unsigned viewer, struct rng *);
void renaissance_describe(const struct game_view *, struct writer *);
void renaissance_action_format(const struct game_state *, unsigned seat, const struct action *,
                               char text[ACTION_TEXT_BYTES_MAX]);
enum err renaissance_action_parse(const struct game_state *, unsigned seat, struct span text,
                                  struct action *out) MUST_CHECK;

/* The same as renaissance_check for a seat that may act and an action without stray bytes. */
enum err renaissance_check_turn(const struct renaissance *, unsigned seat, const struct action *) MUST_CHECK;

/* The markers of these seats (SEAT_CHANCE: Lorenzo) go so many steps, all together one after the other, with
 * the reports that follow (R27, R28). */
void renaissance_advance(struct renaissance *, seat_set, unsigned steps);

/* The bit of the production that an action of a kind BASE, CARD or LEADER chooses. */
unsigned renaissance_production_bit(const struct action *);

/* R21: adds what the base production takes: two resources. */
static inline void renaissance_base_add(const uint8_t pair[2], uint8_t owed[RENAISSANCE_KINDS]) {
    owed[pair[0]]++;
    owed[pair[1]]++;
}

/* Adds what that production takes. */
void renaissance_production_add(const struct renaissance_seat *, const struct action *,
                                uint8_t owed[RENAISSANCE_KINDS]);

/* What a seat has of each kind, wherever it lies. */
static inline void renaissance_stocks(const struct renaissance_seat *s, unsigned out[RENAISSANCE_KINDS]) {
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        out[kind] = s->strongbox[kind];
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        out[s->depot[i].kind] += s->depot[i].count;
}

/* Whether that is enough. */
static inline bool renaissance_covers(const unsigned stock[RENAISSANCE_KINDS],
                                      const uint8_t owed[RENAISSANCE_KINDS]) {
    return owed[0] <= stock[0] && owed[1] <= stock[1] && owed[2] <= stock[2] && owed[3] <= stock[3];
}

/* R18: cards that lie in a slot. */
static inline unsigned renaissance_slot_height(const struct renaissance_seat *s, unsigned slot) {
    return (s->slot[slot][0] != 0) + (s->slot[slot][1] != 0) + (s->slot[slot][2] != 0);
}

/* R11: white marbles in a line of the market. */
unsigned renaissance_line_whites(const struct renaissance *, unsigned line);

/* Whether the seat holds the leader, and knows it. */
bool renaissance_holds(const struct renaissance_seat *, unsigned leader);

/* R13, R14: so many of a kind in a depot, when the base depots below `others` stay as they are. */
enum err renaissance_check_depot(const struct renaissance_seat *, unsigned depot, unsigned kind,
                                 unsigned count, unsigned others) MUST_CHECK;

/* R6: a starting resource into a depot. */
enum err renaissance_check_put(const struct renaissance_seat *, const uint8_t arg[2]) MUST_CHECK;

/* R20: whether there is such a production, apart from its price, and it is its turn. */
enum err renaissance_check_order(const struct renaissance *, const struct renaissance_seat *,
                                 const struct action *) MUST_CHECK;

/* The kind that is to be paid next, or RENAISSANCE_KINDS when nothing is owed. */
unsigned renaissance_owed_next(const struct renaissance *);

#endif
