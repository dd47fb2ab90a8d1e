/* The list of games: the one line that adds a game. */
#include "games/paper_soccer.h"
#include "games/renaissance.h"
#include "games/treasure_hunt.h"

const struct game *const games[] = {
    &paper_soccer_game,
    &renaissance_game,
    &treasure_hunt_game,
    NULL,
};
