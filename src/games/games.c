/* The list of games, from src/games/meson.build. */
#include "game/game.h"

#define ENTRY(name) extern const struct game name;
#include "games/game_list.h"
#undef ENTRY

#define ENTRY(name) &name,
const struct game *const games[] = {
#include "games/game_list.h"
    NULL,
};
#undef ENTRY
