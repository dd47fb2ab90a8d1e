/* A refusal in a protocol's own words. The sentences of a protocol stand in one list, refusals.h in its
 * folder, and nowhere else in src/wire; what base/err.h and the games say in the same words is taken from
 * there. A row is a name, the error that the refusal counts as, and the sentence. A sentence with places to
 * fill in is a constant beside the rows, so that the compiler checks what fills them. */
#ifndef WIRE_REFUSAL_H
#define WIRE_REFUSAL_H

#include "game/game.h"

struct refusal {
    enum err why;
    const char *sentence;
};

#define REFUSAL(name, why, sentence) static const struct refusal name = {why, sentence};

/* A refusal of a table in the words of the game or of everybody. */
static inline struct refusal refusal_of(const struct game *game, enum err why) {
    return (struct refusal){why, game_refusal(game, why)->sentence};
}

/* What several protocols say. */
/* clang-format off */
REFUSAL(refusal_stalled, ERR_IO, "the server cannot save at the moment; the game goes on as soon as it can")
/* clang-format on */

#endif
