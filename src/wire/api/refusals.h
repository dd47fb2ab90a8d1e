/* What the native API refuses in words of its own (wire/refusal.h): which field is wrong, where the error
 * alone does not say it. */
#ifndef WIRE_API_REFUSALS_H
#define WIRE_API_REFUSALS_H

#include "wire/refusal.h"

/* clang-format off */
REFUSAL(api_table_unknown,      ERR_TABLE_UNKNOWN, "there is no such table")
REFUSAL(api_list_invalid,       ERR_FIELD_INVALID, "game, state, before or limit has a value that is not allowed")
REFUSAL(api_key_invalid,        ERR_FIELD_INVALID, "Idempotency-Key has from 16 to 64 characters, and no blanks")
REFUSAL(api_as_invalid,         ERR_FIELD_INVALID, "as is a seat of the table, watcher or all")
REFUSAL(api_version_invalid,    ERR_FIELD_INVALID, "version is the number of a version of the table")
REFUSAL(api_actions_invalid,    ERR_FIELD_INVALID, "actions is a list of 1 to 512 texts")
REFUSAL(api_dry_run_invalid,    ERR_FIELD_INVALID, "dry_run is true or false")
REFUSAL(api_events_invalid,     ERR_FIELD_INVALID, "from or limit has a value that is not allowed")
REFUSAL(api_wire_invalid,       ERR_FIELD_INVALID, "from, limit or seat has a value that is not allowed")
REFUSAL(api_wire_unknown,       ERR_PATH_UNKNOWN,  "there is no such message: it was never recorded, or is forgotten")
REFUSAL(api_bot_invalid,        ERR_FIELD_INVALID, "bot is a level from 1 to 5")
REFUSAL(api_seat_invalid,       ERR_FIELD_INVALID, "seat is one of the table, counted from 0")
REFUSAL(api_name_missing,       ERR_FIELD_MISSING, "name is a text: that of the player who sits down")
REFUSAL(api_guest_invalid,      ERR_FIELD_INVALID, "name has from 1 to 50 characters, and seat is one of the table, counted from 0")
REFUSAL(api_values_invalid,     ERR_FIELD_INVALID, "from is the number of a version, and limit from 1 to 32")
REFUSAL(api_advice_many,        ERR_TOO_MANY,      "bots think about as many hints and values as they can: ask again in a moment")
REFUSAL(api_advice_yours,       ERR_ADDRESS_FULL,  "bots still think about what your address asked before: wait for that")
REFUSAL(api_past_many,          ERR_TOO_MANY,      "as many wait for old journals as the server takes: ask again in a moment")
REFUSAL(api_past_yours,         ERR_ADDRESS_FULL,  "your address still waits for what it asked of old journals before: wait for that")
REFUSAL(api_past_behind,        ERR_UNAVAILABLE,   "the table goes on faster than its journal is read: ask again in a moment")
REFUSAL(api_claim_seat_missing, ERR_FIELD_MISSING, "seat is the one whose player is gone, counted from 0")
REFUSAL(api_claim_invalid,      ERR_FIELD_INVALID, "seat is another one of the table, counted from 0, and bot a level from 1 to 5")
REFUSAL(api_handover_invalid,   ERR_FIELD_INVALID, "handover is the text that the other device was given")
/* championships */
REFUSAL(api_hall_elsewhere,     ERR_UNAVAILABLE, "championships are at another node of this server: ask the one whose GET /health/ugs is answered with 200")
REFUSAL(api_hall_nowhere,       ERR_PATH_UNKNOWN, "championships without a format are for clients of the Universal Game System, which this server does not speak")
REFUSAL(api_not_saved,          ERR_BUSY, "the server cannot save at the moment: nothing has happened, try again later")
REFUSAL(api_perhaps_saved,      ERR_BUSY, "the server cannot save at the moment: this may still be done when it can, look at the championships before you try again")
REFUSAL(api_cup_unknown,        ERR_TABLE_UNKNOWN, "there is no such championship")
REFUSAL(api_cup_format,         ERR_FIELD_INVALID, "format is round-robin, double-round-robin, swiss, knockout or ladder")
REFUSAL(api_cup_protocol,       ERR_FIELD_INVALID, "protocol is api, or one of this game that the server speaks: clients of others could not enter")
REFUSAL(api_cup_client,         ERR_FIELD_INVALID, "client is true for an entrant that comes in the protocol of the championship, and no bot is one")
REFUSAL(api_cup_numbers,        ERR_FIELD_INVALID, "rounds (and round) is a number up to 255, and tables_max one from 1 to 64")
REFUSAL(api_cup_owner,          ERR_TOKEN_UNKNOWN, "that is for who has the owner's token of the championship, and bots are entered by nobody else")
REFUSAL(api_cup_token,          ERR_TOKEN_UNKNOWN, "no entrant of a championship has this token: enter without one, and you get one")
REFUSAL(api_ratings_game,       ERR_FIELD_INVALID, "game is the name of a game, as in /api/v1/games")
REFUSAL(api_ratings_limit,      ERR_FIELD_INVALID, "limit is a number from 1 to 8192")
REFUSAL(api_cup_entrant,        ERR_FIELD_INVALID, "name is a text of 1 to 50 characters, that of an entrant, and why one of at most 400 bytes")
REFUSAL(api_cup_object,         ERR_FIELD_INVALID, "it is no object")
REFUSAL(api_cup_bots,           ERR_FIELD_INVALID, "bots is a list of {\"name\", \"level\"}, with levels from 1 to 5")
REFUSAL(api_cup_begin_with,     ERR_FIELD_INVALID, "begin_with is the number of entrants with which it begins, from 2 to 256")
REFUSAL(api_cup_twice,          ERR_FIELD_INVALID, "name: there is another championship of this name")
REFUSAL(api_cup_pairing,        ERR_FIELD_INVALID, "pairing is the number of a pairing")
REFUSAL(api_cup_missing,        ERR_FIELD_MISSING, "name is that of a championship")
/* WebSocket */
REFUSAL(api_table_missing,      ERR_FIELD_MISSING, "table is the code of a table")
REFUSAL(api_token_invalid,      ERR_FIELD_INVALID, "token is a text")
REFUSAL(api_id_invalid,         ERR_FIELD_INVALID, "id is a whole number or a text of at most 64 bytes")
REFUSAL(api_type_missing,       ERR_FIELD_MISSING, "type says what the message is")
REFUSAL(api_silent,             ERR_CLOSED,        "silent for too long")
REFUSAL(api_shutdown,           ERR_CLOSED,        "the server ends")

#define API_CHAMPIONSHIP_INVALID "type is the name of a game, and players a number from %d to %d"
#define API_CHAMPIONSHIP_FOREIGN "type: clients of this game speak another protocol, and could not enter"
#define API_CUP_FILE_UNREAD      "--championships: %s cannot be read"
#define API_CUP_FILE_NO_JSON     "--championships: %s is not JSON: line %d: %s"
#define API_CUP_FILE_NO_LIST     "--championships: %s is no list of at most %d championships"
#define API_CUP_FILE_WRONG       "--championships: %s: championship %zu: %s"
#define API_FIELD                "%s: %s" /* which one, and the sentence of the error */
#define API_LEVEL_OF_BOT         "level of a bot"
#define API_SEAT_OF_BOT          "seat of a bot"
#define API_NAME_OF_SEAT         "name of the seat"
#define API_SEED_OF_SEAT         "seed of the seat"
#define API_TURN_MS_AT_DOOR      "turn_ms or game_ms, where the other protocol has clocks of its own"
/* clang-format on */

/* Cards of shared links (cards.c): no refusals, but sentences for people all the same. */
#define API_CARD_TABLE      "A table of %s"
#define API_CARD_INVITATION "%s %s you to a game of %s"
#define API_CARD_PRIVATE    "Open it to play or to watch."
#define API_CARD_WAITS      "It waits for players: sit down and play in the browser."
#define API_CARD_INVITES    "Sit down and play in the browser. Nothing to install, no account."
#define API_CARD_RUNS       "The game is on: watch it live."
#define API_CARD_UNDECIDED  "The game is over, and nobody has won. See it again, move by move."
#define API_CARD_WON        "%s %s won. See the game again, move by move."
#define API_CARD_POSITION   "A position of this game: see what led to it and what came of it, move by move."
#define API_CARD_PLAYER     "Games of %s"
#define API_CARD_RESULTS    "Results by game and opponent, and every finished game to see again."
#define API_CARD_PLAYERS    "%s: %s"
#define API_CARD_CUP        "%s: a championship of %s"
#define API_CARD_CUP_OPEN                                                                                    \
    "It waits for entrants: enter by name and play in the browser. Nothing to install, no account."
#define API_CARD_CUP_RUNS  "It is being played: standings, tables and replays, live."
#define API_CARD_CUP_LEADS "%s leads. Standings, tables and replays, live."
#define API_CARD_CUP_WON   "%s has won. The standings, and every game to see again."
#define API_CARD_CUP_OVER  "It is over. The standings, and every game to see again."

#endif
