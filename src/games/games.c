/* The list of games: the one line that adds a game. */
#include "games/eriantys.h"
#include "games/paper_soccer.h"
#include "games/renaissance.h"
#include "games/santorini.h"
#include "games/treasure_hunt.h"

/* clang-format off */
const struct game *const games[] = {
    &eriantys_game, &paper_soccer_game, &renaissance_game, &santorini_game, &treasure_hunt_game, NULL,
};
/* clang-format on */
