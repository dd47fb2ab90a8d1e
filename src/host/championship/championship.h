/* Everybody meets everybody once: which pairs are still to play, who won how often, and the table at the end.
 * Knows no clients, no clock and no journal; entrants are numbers from 0 in the order in which they entered.
 *
 * An entrant who withdraws loses every pair that is not decided yet; when both of a pair are gone, the one
 * who left first loses. */
#ifndef HOST_CHAMPIONSHIP_CHAMPIONSHIP_H
#define HOST_CHAMPIONSHIP_CHAMPIONSHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHAMPIONSHIP_ENTRANTS_MIN = 2, CHAMPIONSHIP_ENTRANTS_MAX = 1024 };

struct championship;

/* Gives. entrants is from CHAMPIONSHIP_ENTRANTS_MIN to CHAMPIONSHIP_ENTRANTS_MAX. */
struct championship *championship_create(size_t entrants);
void championship_free(struct championship *);

/* A copy of all of it but the listener; gives. */
struct championship *championship_copy(const struct championship *);

/* How a pair parted: how often each of the two won (0 or 1) and lost, exactly as it was reported. a entered
 * before b. */
struct pair_result {
    size_t a, b;
    bool a_won, a_lost, b_won, b_lost;
};

/* From now on decided is called for every pair as it is decided, by playing or without. */
void championship_listen(struct championship *, void (*decided)(void *context, const struct pair_result *),
                         void *context);

/* Finds a pair that has not met and of which both are idle (neither playing nor withdrawn), marks it as
 * playing and returns true. Pairs are taken so that those with the most games left go first. */
bool championship_pair_start(struct championship *, size_t *a, size_t *b);

/* The pair that is playing has finished. Both stay busy until championship_entrant_free. */
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

/* Whether the entrant has withdrawn. */
bool championship_has_left(const struct championship *, size_t entrant);

/* For bringing one back from what was noted of it: an open pair parted so, an entrant left (its open pairs
 * stay open). Both tell the listener nothing, and return false when that cannot be: no such entrants, decided
 * or gone before. */
bool championship_pair_restore(struct championship *, const struct pair_result *);
bool championship_leave_restore(struct championship *, size_t entrant);
/* After that: decides the open pairs of those who have left, and takes all others for busy until
 * championship_entrant_free. */
void championship_resume(struct championship *);

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
