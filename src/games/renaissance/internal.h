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

/* Adds what that production takes. */
void renaissance_production_add(const struct renaissance_seat *, const struct action *,
                                uint8_t owed[RENAISSANCE_KINDS]);

/* The kind that is to be paid next, or RENAISSANCE_KINDS when nothing is owed. */
unsigned renaissance_owed_next(const struct renaissance *);

#endif
