/* Every way something can be refused or fail that is not a rule of one game, in one list: the constant, the
 * stable word for wires and logs, the sentence for people, and the numbered rule it enforces ("": none).
 *
 * What a game refuses by its rules stands in a list of the same form beside the game, and has values from
 * ERR_GAME_FIRST on. They mean something only together with the game: game_refusal (game/game.h) words
 * whatever may come from a table, err_word and so on only what cannot be a game's. Words are part of the wire
 * contract: they are added, never changed. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define MUST_CHECK __attribute__((warn_unused_result))

/* clang-format off */
#define ERR_LIST(X) \
    X(OK,                 "ok",                 "all is well",                                            "") \
    /* the world's fault */ \
    X(IO,                 "io",                 "the system refused an operation",                        "") \
    X(UNAVAILABLE,        "unavailable",        "the journal cannot be read at the moment",               "") \
    X(LATER,              "later",              "the journal is being read",                              "") \
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
    X(TOO_OFTEN,          "too-often",          "your address asks more often than the server answers: wait a moment", "") \
    X(BANNED,             "banned",             "this address is banned for a while",                     "") \
    X(DRAINING,           "draining",           "the server opens no more tables: it is about to end",    "") \
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
    X(ADVICE_REFUSED,     "advice-refused",     "hints and values are for tables at which nobody but bots of this server plays against you", "") \
    X(KEY_REUSED,         "key-reused",         "the Idempotency-Key was used for another request before", "") \
    X(HOST_UNKNOWN,       "host-unknown",       "the server does not go by this name; --host NAME gives it one", "") \
    X(ORIGIN_REFUSED,     "origin-refused",     "pages of this origin may not ask here; --cors ORIGIN lets them", "") \
    X(CONTENT_TYPE,       "content-type",       "the body is JSON, and its Content-Type application/json", "") \
    X(PATH_UNKNOWN,       "path-unknown",       "there is nothing at this path",                          "") \
    X(METHOD_UNKNOWN,     "method-unknown",     "the path is asked with another method",                  "") \
    X(OUTCOME_UNKNOWN,    "outcome-unknown",    "what the action before it leads to cannot be known yet: send that one alone", "") \
    X(REMATCH_IMPOSSIBLE, "rematch-impossible", "somebody came through a protocol that knows no rematch", "") \
    X(FROM_IMPOSSIBLE,    "from-impossible",    "the table cannot be gone on with from there",            "") \
    X(CLAIM_EARLY,        "claim-early",        "the player of that seat is there, has not been away for long enough, or is not on turn", "") \
    X(CLAIM_IMPOSSIBLE,   "claim-impossible",   "only the seat of a person at a table of the API can be claimed, and not of one who has gone for good", "") \
    X(HANDOVER_UNKNOWN,   "handover-unknown",   "this hands nothing over: it was used before, is too old, or was never given out", "") \
    X(ACTION_UNKNOWN,     "action-unknown",     "the game has no such action",                            "") \
    X(ACTION_TEXT,        "action-text",        "the text is not an action of this game",                 "")
/* clang-format on */

#define ERR_CONSTANT(name, word, sentence, rule) ERR_##name,
#define ERR_ROW(name, word, sentence, rule)      {word, sentence, rule},

enum err {
    ERR_LIST(ERR_CONSTANT) ERR_COUNT,
    ERR_GAME_FIRST = 256, /* from here on the values are of the game at hand */
};
_Static_assert(ERR_COUNT <= ERR_GAME_FIRST, "the values of games begin after those of nobody");

/* The constants of a game's own list. */
#define ERR_GAME_CONSTANTS(LIST) enum { LIST##_BEFORE = ERR_GAME_FIRST - 1, LIST(ERR_CONSTANT) }

struct err_row {
    const char *word;     /* stable, such as "not-your-turn" */
    const char *sentence; /* without a full stop */
    const char *rule;     /* such as "paper-soccer R4"; "": it is not a rule of a game */
};

/* What an error says that is not of a game. None of these is ever NULL. */
const struct err_row *err_row(enum err);
const char *err_word(enum err);
const char *err_sentence(enum err);

#endif
