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
    X(UNAVAILABLE,        "unavailable",        "the journal cannot be read at the moment",               "") \
    X(ADDRESS,            "bad-address",        "an address is ADDR:PORT with a port from 0 to 65535",     "") \
    X(TOO_LARGE,          "too-large",          "the message is larger than allowed",                     "") \
    X(TOO_DEEP,           "too-deep",           "the elements are nested deeper than allowed",            "") \
    X(CONFLICT,           "conflict",           "the table has moved on",                                 "") \
    X(CLOSED,             "closed",             "the other side closed the connection",                   "") \
    /* journals that do not stand up to a check */ \
    X(DAMAGED,            "damaged",            "the file of the journal is damaged where this stands",   "") \
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
    X(ADDRESS_FULL,       "address-full",       "your address has as many of these as the server takes",  "") \
    X(BUSY,               "busy",               "the request before is still being saved",                "") \
    X(NOT_YOUR_TURN,      "not-your-turn",      "another seat is to act",                                 "") \
    X(NOT_ASKED,          "not-asked",          "this is not what was asked for",                         "") \
    X(ANSWER_LATE,        "answer-late",        "the answer took too long, and others are waiting",       "") \
    X(NOT_LOGGED_IN,      "not-logged-in",      "log in first",                                           "") \
    X(NOT_YOUR_NAME,      "not-your-name",      "the name in the message is not your own",                "") \
    X(NOT_OFFERED,        "not-offered",        "this action is not among those offered now",             "") \
    X(NOT_ANNOUNCED,      "not-announced",      "the parameters are not those of the action chosen before", "") \
    X(TABLE_UNKNOWN,      "table-unknown",      "there is no such game",                                  "") \
    X(TABLE_FULL,         "table-full",         "the game has all the players it can have",               "") \
    X(PLAYER_UNKNOWN,     "player-unknown",     "there is no such player in this game",                   "") \
    X(SEAT_TAKEN,         "seat-taken",         "somebody sits there already",                            "") \
    X(TABLE_OVER,         "table-over",         "the table is finished",                                  "") \
    X(GIVEN_UP,           "given-up",           "you have given this game up: resigned, left, or out of time", "") \
    X(REFUSED,            "refused",            "a message was refused; the text says why",               "") \
    X(TABLE_WAITS,        "table-waits",        "the table still waits for players",                      "") \
    X(TABLE_RUNS,         "table-runs",         "the table is not over yet",                              "") \
    X(VERSION_UNKNOWN,    "version-unknown",    "the table has not been there",                           "") \
    X(GAME_UNKNOWN,       "game-unknown",       "there are no such rules here",                           "") \
    X(TOKEN_UNKNOWN,      "token-unknown",      "the token is missing, or is not one of this table",      "") \
    X(NOT_ALLOWED,        "not-allowed",        "this is not yours to see",                               "") \
    X(KEY_REUSED,         "key-reused",         "the Idempotency-Key was used for another request before", "") \
    X(HOST_UNKNOWN,       "host-unknown",       "the server does not go by this name; --host NAME gives it one", "") \
    X(ORIGIN_REFUSED,     "origin-refused",     "pages of this origin may not ask here; --cors ORIGIN lets them", "") \
    X(CONTENT_TYPE,       "content-type",       "the body is JSON, and its Content-Type application/json", "") \
    X(PATH_UNKNOWN,       "path-unknown",       "there is nothing at this path",                          "") \
    X(METHOD_UNKNOWN,     "method-unknown",     "the path is asked with another method",                  "") \
    X(OUTCOME_UNKNOWN,    "outcome-unknown",    "what the action before it leads to cannot be known yet: send that one alone", "") \
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
    X(MOVE_OFF_MAP,       "move-off-map",       "the move leaves the map",                                "treasure-hunt R18") \
    /* Santorini */ \
    X(BIRTH_DATE,         "birth-date",         "a date of birth is a day of the calendar in the years 1 to 9999", "santorini R2") \
    X(GOD_UNKNOWN,        "god-unknown",        "there is no such god",                                   "santorini R3") \
    X(GOD_OFFERED,        "god-offered",        "this god has been named already",                        "santorini R3") \
    X(GOD_SEATS,          "god-seats",          "this god does not play at a table of so many",           "santorini R15") \
    X(GOD_NOT_OFFERED,    "god-not-offered",    "this god is not one of those named for the table",       "santorini R3") \
    X(GOD_TAKEN,          "god-taken",          "somebody else has taken this god",                       "santorini R3") \
    X(STARTER_UNKNOWN,    "starter-unknown",    "the starter is one of the seats of the table",           "santorini R3") \
    X(COLOR_UNKNOWN,      "color-unknown",      "the colours are MAGENTA, LIGHT_BLUE and WHITE",          "santorini R3") \
    X(COLOR_TAKEN,        "color-taken",        "somebody else has taken this colour",                    "santorini R3") \
    X(PHASE_OTHER,        "phase-other",        "the table waits for an action of another kind",          "santorini R3") \
    X(CELL_OUTSIDE,       "cell-outside",       "cells have rows and columns from 0 to 4",                "santorini R1") \
    X(PLACE_OCCUPIED,     "place-occupied",     "a builder stands there already",                         "santorini R4") \
    X(PLACE_POWER,        "place-power",        "the god of this seat starts elsewhere",                  "santorini R4") \
    X(BUILDER_UNKNOWN,    "builder-unknown",    "the seat has no such builder on the board now",          "santorini R5") \
    X(BUILDER_OTHER,      "builder-other",      "the turn goes on with the builder that it began with",   "santorini R7") \
    X(MOVE_FAR,           "move-far",           "a builder moves to a neighbouring cell",                 "santorini R5") \
    X(MOVE_OCCUPIED,      "move-occupied",      "the cell is occupied and the god does not open it",      "santorini R5") \
    X(MOVE_DOMED,         "move-domed",         "nobody stands on a dome",                                "santorini R5") \
    X(MOVE_HIGH,          "move-high",          "a builder moves up by one level at most",                "santorini R5") \
    X(MOVE_POWER,         "move-power",         "the power of a god forbids this move",                   "santorini R19") \
    X(MOVE_LATE,          "move-late",          "there is no move at this point of the turn",             "santorini R7") \
    X(BUILD_FAR,          "build-far",          "a builder builds on a neighbouring cell",                "santorini R6") \
    X(BUILD_OCCUPIED,     "build-occupied",     "a builder stands on that cell",                          "santorini R6") \
    X(BUILD_DOMED,        "build-domed",        "nothing is built on a dome",                             "santorini R6") \
    X(BUILD_HIGH,         "build-high",         "on three blocks only a dome is built",                   "santorini R6") \
    X(DOME_LOW,           "dome-low",           "a dome is built on three blocks",                        "santorini R6") \
    X(BUILD_POWER,        "build-power",        "the power of a god forbids this build",                  "santorini R19") \
    X(BUILD_EARLY,        "build-early",        "the move comes before the build",                        "santorini R7") \
    X(BUILD_LATE,         "build-late",         "there is no further build in this turn",                 "santorini R7") \
    X(TURN_DEAD_END,      "turn-dead-end",      "after this step the turn could not be completed",        "santorini R9") \
    X(TURN_OPEN,          "turn-open",          "the turn is not complete yet",                           "santorini R7") \
    X(STEP_POWER,         "step-power",         "the power of this seat does not allow that now",         "santorini R19") \
    X(STEP_AMBIGUOUS,     "step-ambiguous",     "several steps go there: name the builder, or say move, build or dome", "") \
    /* Eriantys */ \
    X(ASSISTANT_FIRST,    "assistant-first",    "in the planning phase assistants are played, nothing else", "eriantys R7") \
    X(ASSISTANT_LATE,     "assistant-late",     "assistants are played in the planning phase only",       "eriantys R7") \
    X(ASSISTANT_UNKNOWN,  "assistant-unknown",  "assistants have the values 1 to 10",                     "eriantys R2") \
    X(ASSISTANT_GONE,     "assistant-gone",     "this assistant was already played in an earlier round",  "eriantys R8") \
    X(ASSISTANT_TAKEN,    "assistant-taken",    "another player has played this assistant in this round", "eriantys R8") \
    X(STUDENT_COLOR,      "student-color",      "the colors are BLUE, FUCHSIA, GREEN, RED and YELLOW",     "eriantys R2") \
    X(ISLAND_UNKNOWN,     "island-unknown",     "a group of islands is named by its first island, 0 to 11", "eriantys R16") \
    X(STUDENTS_FIRST,     "students-first",     "the students of this turn must be moved first",          "eriantys R10") \
    X(STUDENTS_DONE,      "students-done",      "all students of this turn have been moved",              "eriantys R10") \
    X(ENTRANCE_EMPTY,     "entrance-empty",     "there is no student of this color in the entrance",      "eriantys R10") \
    X(DINING_FULL,        "dining-full",        "a table of the dining room has ten seats",               "eriantys R11") \
    X(DINING_EMPTY,       "dining-empty",       "there is no student of this color in the dining room",   "eriantys R36") \
    X(MOTHER_FIRST,       "mother-first",       "mother nature must be moved before a cloud is taken",    "eriantys R13") \
    X(MOTHER_DONE,        "mother-done",        "mother nature was already moved in this turn",           "eriantys R13") \
    X(MOTHER_TOO_FAR,     "mother-too-far",     "mother nature cannot go that far with this assistant",   "eriantys R13") \
    X(CLOUD_UNKNOWN,      "cloud-unknown",      "there are as many clouds as players, counted from 0",    "eriantys R17") \
    X(CLOUD_EMPTY,        "cloud-empty",        "there are no students on this cloud",                    "eriantys R17") \
    X(NOT_EXPERT,         "not-expert",         "there are no characters in a normal game",               "eriantys R5") \
    X(CHARACTER_UNKNOWN,  "character-unknown",  "the characters have the numbers 1 to 12",                "eriantys R5") \
    X(CHARACTER_ABSENT,   "character-absent",   "this character is not in play",                          "eriantys R5") \
    X(CHARACTER_PAID,     "character-paid",     "a character was already paid in this turn",              "eriantys R24") \
    X(COINS_SHORT,        "coins-short",        "there are not enough coins for this character",          "eriantys R24") \
    X(BANS_GONE,          "bans-gone",          "all no-entry tiles are on the islands",                  "eriantys R31") \
    X(EFFECT_UNPAID,      "effect-unpaid",      "the character of this effect was not paid in this turn", "eriantys R25") \
    X(EFFECT_USED,        "effect-used",        "the effect was already used as often as it can be",      "eriantys R25") \
    X(EFFECT_OTHER,       "effect-other",       "this character does not move students that way",         "eriantys R25") \
    X(CARD_EMPTY,         "card-empty",         "there is no student of this color on the character",     "eriantys R27") \
    X(SWAP_OPEN,          "swap-open",          "a swap was begun, its other half must come first",       "eriantys R26") \
    X(MOVE_WAY,           "move-way",           "no student goes that way",                               "eriantys R10") \
    X(DRAW_WRONG,         "draw-wrong",         "the bag cannot give these students",                     "eriantys R2") \
    /* Masters of Renaissance */ \
    X(LEADERS_KEPT,       "leaders-kept",       "two different ones of the four leaders dealt are kept",  "renaissance R4") \
    X(SETUP_UNFINISHED,   "setup-unfinished",   "leaders and starting resources are to be chosen first",  "renaissance R6") \
    X(SETUP_FINISHED,     "setup-finished",     "nothing of the set-up is left to be chosen",             "renaissance R6") \
    X(GIFTS_COUNT,        "gifts-count",        "as many starting resources are placed as were offered",  "renaissance R6") \
    X(MAIN_ACTION_TWICE,  "main-action-twice",  "a turn has only one main action, and it is done",        "renaissance R7") \
    X(ACTION_UNFINISHED,  "action-unfinished",  "the action that was begun is to be finished first",      "renaissance R7") \
    X(MAIN_ACTION_AWAITED, "main-action-awaited", "the turn cannot end before a main action",             "renaissance R8") \
    X(MARKET_LINE,        "market-line",        "the market has rows 0 to 2 and columns 0 to 3",          "renaissance R9") \
    X(EXCHANGE_WRONG,     "exchange-wrong",     "white marbles only become what exchange leaders in play give", "renaissance R11") \
    X(DEPOT_ORDER,        "depot-order",        "the depots are filled one after the other",              "renaissance R12") \
    X(DEPOT_INVENTED,     "depot-invented",     "more is placed than was stored and taken",               "renaissance R12") \
    X(DEPOT_FULL,         "depot-full",         "the depot does not hold that many",                      "renaissance R13") \
    X(DEPOT_KIND,         "depot-kind",         "a depot holds one kind, and no two base depots the same", "renaissance R13") \
    X(DEPOT_UNKNOWN,      "depot-unknown",      "there is no such depot",                                 "renaissance R14") \
    X(DEPOT_LEADER,       "depot-leader",       "the depot of a leader holds only its own kind",          "renaissance R14") \
    X(CARD_GONE,          "card-gone",          "there is no card of this colour and level",              "renaissance R16") \
    X(CARD_PRICE,         "card-price",         "the resources do not suffice for this card",             "renaissance R16") \
    X(CARD_SLOT,          "card-slot",          "a card goes onto one of the level below, level 1 onto an empty slot", "renaissance R18") \
    X(PAYMENT_WRONG,      "payment-wrong",      "the payment is not exactly what is owed",                "renaissance R19") \
    X(PAYMENT_LACKING,    "payment-lacking",    "there is less than that where the payment is taken from", "renaissance R19") \
    X(PRODUCTION_TWICE,   "production-twice",   "every production is used once at most, in their order",  "renaissance R20") \
    X(PRODUCTION_NONE,    "production-none",    "at least one production is to be chosen",                "renaissance R20") \
    X(PRODUCTION_UNKNOWN, "production-unknown", "there is no such production",                            "renaissance R22") \
    X(PRODUCTION_PRICE,   "production-price",   "the resources do not suffice for these productions",     "renaissance R24") \
    X(LEADER_UNEARNED,    "leader-unearned",    "what the leader asks for is not there",                  "renaissance R25") \
    X(LEADER_NOT_HELD,    "leader-not-held",    "this leader is not in the hand",                         "renaissance R26")
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
