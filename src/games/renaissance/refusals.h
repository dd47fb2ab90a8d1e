/* What Masters of Renaissance refuses by its rules: the constant, the stable word for wires and logs, the
 * sentence for people, and the numbered rule. The values are of this game alone (ERR_GAME_FIRST in
 * base/err.h), so game_refusal words them.
 *
 * Words are part of the wire contract: they are added, never changed. */
#ifndef GAMES_RENAISSANCE_REFUSALS_H
#define GAMES_RENAISSANCE_REFUSALS_H

#include "base/err.h"

/* clang-format off */
#define RENAISSANCE_REFUSALS(X) \
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

ERR_GAME_CONSTANTS(RENAISSANCE_REFUSALS);

#endif
