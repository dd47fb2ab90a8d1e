/* What Eriantys refuses by its rules: the constant, the stable word for wires and logs, the sentence for
 * people, and the numbered rule. The values are of this game alone (ERR_GAME_FIRST in base/err.h), so
 * game_refusal words them.
 *
 * Words are part of the wire contract: they are added, never changed. */
#ifndef GAMES_ERIANTYS_REFUSALS_H
#define GAMES_ERIANTYS_REFUSALS_H

#include "base/err.h"

/* clang-format off */
#define ERIANTYS_REFUSALS(X) \
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
    X(DRAW_WRONG,         "draw-wrong",         "the bag cannot give these students",                     "eriantys R2")
/* clang-format on */

ERR_GAME_CONSTANTS(ERIANTYS_REFUSALS);

#endif
