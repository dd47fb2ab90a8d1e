/* What Santorini refuses by its rules: the constant, the stable word for wires and logs, the sentence for
 * people, and the numbered rule. The values are of this game alone (ERR_GAME_FIRST in base/err.h), so
 * game_refusal words them.
 *
 * Words are part of the wire contract: they are added, never changed. */
#ifndef GAMES_SANTORINI_REFUSALS_H
#define GAMES_SANTORINI_REFUSALS_H

#include "base/err.h"

/* clang-format off */
#define SANTORINI_REFUSALS(X) \
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
    X(STEP_AMBIGUOUS,     "step-ambiguous",     "several steps go there: name the builder, or say move, build or dome", "")
/* clang-format on */

ERR_GAME_CONSTANTS(SANTORINI_REFUSALS);

#endif
