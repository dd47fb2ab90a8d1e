/* Holds any game against the contract of game/game.h by random play. A check is a function that looks at one
 * position of a running table (at), and one that looks at a finished one (over). It does not assert but says
 * what is wrong, so that the checks themselves can be tested with games that are broken on purpose. */
#ifndef CONTRACT_CHECKER_H
#define CONTRACT_CHECKER_H

#include "game/game.h"

enum { COMPLAINT_BYTES_MAX = 4096, CONTRACT_NAME_BYTES_MAX = 256 };

/* One table as the checks see it. They may use scratch, other, view, actions and rng as they like, and must
 * leave the rest alone. */
struct walk {
    const struct game *game;
    struct game_options options;
    struct game_state *state;
    size_t plies;
    struct buf record; /* the replay so far */

    struct game_state *scratch, *other;
    struct game_view *view;
    struct action *actions; /* room for actions_max */
    struct rng rng;
    char note[256]; /* for complaints with numbers in them */
};

struct contract_check {
    const char *name;
    const char *(*at)(struct walk *);   /* NULL: nothing to see there */
    const char *(*over)(struct walk *); /* both return NULL when all is well */
};

/* The checks of the rules and those of the secrets, each list ended by a NULL name. */
extern const struct contract_check contract_checks[];
extern const struct contract_check secret_checks[];

/* Plays so many tables of the game from this seed and holds the positions against one check: every one of the
 * first dozens of actions, and of long tables then fewer and fewer; when tables are very long, fewer of them.
 * True when all is well; otherwise complaint says what is wrong and how to get there. */
bool contract_run(const struct game *, const struct game_options *, const struct contract_check *,
                  uint64_t seed, unsigned tables, char complaint[COMPLAINT_BYTES_MAX]);

/* What setup must refuse, and that it leaves no byte as it was. NULL when all is well. */
const char *contract_setup(const struct game *);

/* Calls each for every seat count with the default options, and for every other value of every option. */
void contract_variants(const struct game *,
                       void (*each)(void *context, const struct game_options *, const char *name),
                       void *context);

#endif
