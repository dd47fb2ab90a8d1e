/* Everybody meets everybody once: which pairs are still to play, who won how often, and the table at the end.
 * Knows no clients and no clock; entrants are numbers from 0 in the order in which they entered.
 *
 * An entrant who withdraws loses every pair that is not decided yet; when both of a pair are gone, the one
 * who left first loses. */
#ifndef HOST_CHAMPIONSHIP_H
#define HOST_CHAMPIONSHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHAMPIONSHIP_ENTRANTS_MIN = 2, CHAMPIONSHIP_ENTRANTS_MAX = 1024 };

struct championship;

/* Gives. entrants is from CHAMPIONSHIP_ENTRANTS_MIN to CHAMPIONSHIP_ENTRANTS_MAX. */
struct championship *championship_create(size_t entrants);
void championship_free(struct championship *);

/* Finds a pair that has not met and of which both are idle (neither playing nor withdrawn), marks it as
 * playing and returns true. Pairs are taken so that those with the most games left go first. */
bool championship_pair_start(struct championship *, size_t *a, size_t *b);

/* The pair that is playing has finished: how often each of the two won (0 or 1) and lost, exactly as it was
 * reported. Both stay busy until championship_entrant_free. */
void championship_pair_result(struct championship *, size_t a, size_t b, bool a_won, bool a_lost, bool b_won,
                              bool b_lost);

/* The pair that is playing could not be decided (its master is lost): it is to be played again. Both stay
 * busy until championship_entrant_free. */
void championship_pair_again(struct championship *, size_t a, size_t b);

/* The entrant is ready for another pair. */
void championship_entrant_free(struct championship *, size_t entrant);

/* The entrant is gone for good. A pair it is playing right now is left to championship_pair_result; all
 * others of its pairs are decided at once. */
void championship_withdraw(struct championship *, size_t entrant);

/* True when every pair is decided and nobody is busy. */
bool championship_is_over(const struct championship *);

size_t championship_pairs_left(const struct championship *);

struct standing {
    size_t entrant;
    uint32_t won;
    uint32_t lost;
};

/* All entrants, best first: more won, then fewer lost, then the order of entering. out has room for all. */
void championship_standings(const struct championship *, struct standing *out);

#endif
