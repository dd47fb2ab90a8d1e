/* Who is how strong at which game, by the championships that were played to their end (glicko.h). A rating is
 * that of a secret, not of a name, which anybody can take: an entrant who enters again with the token of an
 * earlier entry goes on with its rating, and bots of the server are rated by level. A championship is one
 * rating period of its entrants, and a day (UTC) without one is a period without games.
 *
 * Nothing is saved: ratings follow from the journals of the championships, in the order in which they ended,
 * so a restart and every node come to the same numbers. */
#ifndef HOST_CUP_RATINGS_H
#define HOST_CUP_RATINGS_H

#include "host/cup/fold.h"
#include "host/cup/glicko.h"

#include <uthash.h>

enum { RATINGS_MAX = 8192 }; /* of all games; then whoever played longest ago is dropped */

/* Compared byte by byte, so nothing lies between its fields. */
struct rating_key {
    struct digest token; /* zero of a bot */
    uint32_t bot_level;
    char game[EVENT_NAME_BYTES_MAX + 4];
};
_Static_assert(sizeof(struct rating_key) == DIGEST_BYTES + 4 + EVENT_NAME_BYTES_MAX + 4, "no gaps");

struct rated {
    UT_hash_handle hh;
    struct rating_key key;
    char name[EVENT_NAME_BYTES_MAX + 1]; /* of the last entry; of a bot "level:3" */
    struct glicko now;
    uint32_t games, cups; /* that counted */
    int64_t last_ms;      /* when the last of them ended */
    struct glicko_sum sum;
    bool is_playing; /* in the championship that is being counted */
};

struct ratings {
    struct rated *players;
};

/* Of an entrant of a championship that counts: when it began, and when it was over. */
struct rating_line {
    struct glicko before, after;
};

void ratings_free(struct ratings *);
/* Becomes a copy. */
void ratings_copy(struct ratings *, const struct ratings *from);

/* Counts a championship that was played to its end. Every two who sat at a table that was played are one
 * game, won by whoever stood before the other; at tables of more than two those who were level are none,
 * because partners are. Byes, walkovers and games of a player against itself (bots of one level) are none,
 * too. lines is for all entrants, or NULL. */
void ratings_take(struct ratings *, const struct cup_fold *, struct rating_line *lines);

/* How strong an entrant is now: as somebody new when nothing is known. */
struct glicko ratings_of(const struct ratings *, const char *game, const struct event_cup_entrant *);
/* Whether a rating is that of this token, at any game. */
bool ratings_know(const struct ratings *, const struct digest *token);
/* The players of a game, the strongest first: gives count rows, borrowed until something is taken. */
const struct rated **ratings_list(const struct ratings *, const char *game, size_t *count);

/* By which of two championships that are over counts first. */
int ratings_order(const struct cup_fold *, const struct cup_fold *);

#endif
