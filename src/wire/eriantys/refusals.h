/* What the protocol of Eriantys refuses in words of its own (wire/refusal.h). */
#ifndef WIRE_ERIANTYS_REFUSALS_H
#define WIRE_ERIANTYS_REFUSALS_H

#include "wire/refusal.h"

/* clang-format off */
REFUSAL(eriantys_player_other,  ERR_FIELD_INVALID,  "the field 'player' is not your own name")
REFUSAL(eriantys_is_seated,     ERR_SEAT_TAKEN,     "you are in a game; log out first")
REFUSAL(eriantys_not_seated,    ERR_PLAYER_UNKNOWN, "you are in no game")
REFUSAL(eriantys_waits_return,  ERR_TABLE_WAITS,    "the game waits until everybody is back")
REFUSAL(eriantys_waits_players, ERR_TABLE_WAITS,    "the game waits until everybody is there")
REFUSAL(eriantys_too_many,      ERR_TOO_MANY,       "the server has all the games it can have")
REFUSAL(eriantys_table_gone,    ERR_CLOSED,         "the game is gone")
REFUSAL(eriantys_shutdown,      ERR_CLOSED,         "the server is shutting down")
/* clang-format on */

#endif
