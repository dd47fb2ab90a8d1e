/* Every way something can be refused or fail, in one list: the constant, the stable word for wires and logs,
 * the sentence for people, and the numbered rule it enforces ("" when it is not a rule of a game).
 *
 * Add a line here and nowhere else. Words are part of the wire contract: they are added, never changed. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define MUST_CHECK __attribute__((warn_unused_result))

/* clang-format off */
#define ERR_LIST(X) \
    X(OK,                 "ok",                 "all is well",                                            "") \
    /* the world's fault */ \
    X(IO,                 "io",                 "the system refused an operation",                        "") \
    X(ADDRESS,            "bad-address",        "an address is ADDR:PORT with a port from 0 to 65535",     "") \
    X(TOO_LARGE,          "too-large",          "the message is larger than allowed",                     "") \
    X(TOO_DEEP,           "too-deep",           "the elements are nested deeper than allowed",            "") \
    X(CONFLICT,           "conflict",           "the table has moved on",                                 "") \
    X(CLOSED,             "closed",             "the other side closed the connection",                   "") \
    /* journals that do not stand up to a check */ \
    X(CHAIN,              "chain",              "the journal was altered: its chain of hashes is broken", "") \
    X(EVENT_ORDER,        "event-order",        "the journal has an event where it cannot be",            "") \
    X(RULES_UNKNOWN,      "rules-unknown",      "these rules are not known here",                         "") \
    X(RESULT_WRONG,       "result-wrong",       "the result does not follow from what was played",        "") \
    X(DICE_WRONG,         "dice-wrong",         "the outcome is not what the dice of the table gave",     "") \
    /* requests that cannot be read */ \
    X(MALFORMED,          "malformed",          "the message is not well-formed",                         "") \
    X(NOT_XML,            "not-xml",            "these bytes are not XML",                                "") \
    X(DOCTYPE,            "doctype",            "DOCTYPE and entity declarations are not accepted",       "") \
    X(ENCODING,           "encoding",           "the encoding must be UTF-8",                             "") \
    X(UNKNOWN_TYPE,       "unknown-type",       "the message type is not known",                          "") \
    X(FIELD_MISSING,      "field-missing",      "a required field is missing",                            "") \
    X(FIELD_INVALID,      "field-invalid",      "a field has a value that is not allowed",                "") \
    X(OPTION_UNKNOWN,     "option-unknown",     "no such option",                                         "") \
    X(OPTION_INVALID,     "option-invalid",     "the option has a value that is not allowed",             "") \
    /* requests that come at the wrong time or from the wrong seat */ \
    X(SEAT_COUNT,         "seat-count",         "the game is not played by that many",                    "") \
    X(TOO_MANY,           "too-many",           "there are as many of these as the server takes",         "") \
    X(BUSY,               "busy",               "the request before is still being saved",                "") \
    X(NOT_YOUR_TURN,      "not-your-turn",      "another seat is to act",                                 "") \
    X(TABLE_UNKNOWN,      "table-unknown",      "there is no such game",                                  "") \
    X(TABLE_FULL,         "table-full",         "the game has all the players it can have",               "") \
    X(PLAYER_UNKNOWN,     "player-unknown",     "there is no such player in this game",                   "") \
    X(SEAT_TAKEN,         "seat-taken",         "somebody sits there already",                            "") \
    X(TABLE_OVER,         "table-over",         "the table is finished",                                  "") \
    X(TABLE_WAITS,        "table-waits",        "the table still waits for players",                      "") \
    X(TABLE_RUNS,         "table-runs",         "the table is not over yet",                              "") \
    X(VERSION_UNKNOWN,    "version-unknown",    "the table has not been there",                           "") \
    X(GAME_UNKNOWN,       "game-unknown",       "there are no such rules here",                           "") \
    X(TOKEN_UNKNOWN,      "token-unknown",      "the token is missing, or is not one of this table",      "") \
    X(NOT_ALLOWED,        "not-allowed",        "this is not yours to see",                               "") \
    X(PATH_UNKNOWN,       "path-unknown",       "there is nothing at this path",                          "") \
    X(METHOD_UNKNOWN,     "method-unknown",     "the path is asked with another method",                  "") \
    X(REMATCH_IMPOSSIBLE, "rematch-impossible", "somebody came through a protocol that knows no rematch", "") \
    X(FROM_IMPOSSIBLE,    "from-impossible",    "the table cannot be gone on with from there",            "") \
    X(ACTION_UNKNOWN,     "action-unknown",     "the game has no such action",                            "") \
    X(ACTION_TEXT,        "action-text",        "the text is not an action of this game",                 "") \
    /* Paper Soccer */ \
    X(STEP_TOO_LONG,      "step-too-long",      "a step goes to one of the eight neighbouring points",    "paper-soccer R2") \
    X(STEP_OUTSIDE,       "step-outside",       "the step leaves the pitch or runs along its border",     "paper-soccer R3") \
    X(STEP_USED,          "step-used",          "there is already a line between these points",           "paper-soccer R4") \
    X(MOVE_EMPTY,         "move-empty",         "a move has at least one point",                          "paper-soccer R6") \
    X(MOVE_TOO_SHORT,     "move-too-short",     "the ball bounces here, the move must go on",             "paper-soccer R7") \
    X(MOVE_TOO_LONG,      "move-too-long",      "the move had already ended before its last point",       "paper-soccer R8") \
    /* Treasure Hunt */ \
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

enum err {
#define ERR_ENUM(name, word, sentence, rule) ERR_##name,
    ERR_LIST(ERR_ENUM)
#undef ERR_ENUM
        ERR_COUNT
};

/* The stable word of an error, such as "not-your-turn". Never NULL. */
const char *err_word(enum err e);

/* The sentence of an error, without a full stop. Never NULL. */
const char *err_sentence(enum err e);

/* The rule an error enforces, such as "paper-soccer R4"; "" when it is not a rule of a game. Never NULL. */
const char *err_rule(enum err e);

#endif
