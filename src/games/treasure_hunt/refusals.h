/* What Treasure Hunt refuses by its rules: the constant, the stable word for wires and logs, the sentence for
 * people, and the numbered rule. The values are of this game alone (ERR_GAME_FIRST in base/err.h), so
 * game_refusal words them.
 *
 * Words are part of the wire contract: they are added, never changed. */
#ifndef GAMES_TREASURE_HUNT_REFUSALS_H
#define GAMES_TREASURE_HUNT_REFUSALS_H

#include "base/err.h"

/* clang-format off */
#define TREASURE_HUNT_REFUSALS(X) \
    X(HALF_FIELD,         "half-map-field",     "a half map has each of its 10 x 5 fields once",          "treasure-hunt R4") \
    X(HALF_MOUNTAIN,      "half-map-mountain",  "a half map has at least 5 mountains",                    "treasure-hunt R5") \
    X(HALF_GRASS,         "half-map-grass",     "a half map has at least 24 fields of grass",             "treasure-hunt R6") \
    X(HALF_WATER,         "half-map-water",     "a half map has at least 7 fields of water",              "treasure-hunt R7") \
    X(HALF_FORTS,         "half-map-forts",     "a half map has exactly one fort",                        "treasure-hunt R8") \
    X(HALF_FORT_GRASS,    "half-map-fort-grass", "the fort stands on grass",                              "treasure-hunt R9") \
    X(HALF_EDGE,          "half-map-edge",      "more than half of every edge can be walked on",          "treasure-hunt R10") \
    X(HALF_ISLAND,        "half-map-island",    "every field that is no water can be reached",            "treasure-hunt R11") \
    X(HALF_AWAITED,       "half-map-awaited",   "the half map must be sent before the first move",        "treasure-hunt R12") \
    X(HALF_UNWANTED,      "half-map-unwanted",  "no half map is awaited from this player",                "treasure-hunt R12") \
    X(MOVE_WATER,         "move-water",         "nobody can go into the water",                           "treasure-hunt R17") \
    X(MOVE_OFF_MAP,       "move-off-map",       "the move leaves the map",                                "treasure-hunt R18")
/* clang-format on */

ERR_GAME_CONSTANTS(TREASURE_HUNT_REFUSALS);

#endif
