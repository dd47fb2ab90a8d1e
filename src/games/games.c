/* The list of games: the one line that adds a game. */
#include "games/paper_soccer.h"

const struct game *const games[] = {
    &paper_soccer_game,
    NULL,
};
