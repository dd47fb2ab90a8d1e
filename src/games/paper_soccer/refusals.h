/* What Paper Soccer refuses by its rules: the constant, the stable word for wires and logs, the sentence for
 * people, and the numbered rule. The values are of this game alone (ERR_GAME_FIRST in base/err.h), so
 * game_refusal words them.
 *
 * Words are part of the wire contract: they are added, never changed. */
#ifndef GAMES_PAPER_SOCCER_REFUSALS_H
#define GAMES_PAPER_SOCCER_REFUSALS_H

#include "base/err.h"

/* clang-format off */
#define PAPER_SOCCER_REFUSALS(X) \
    X(STEP_TOO_LONG,      "step-too-long",      "a step goes to one of the eight neighbouring points",    "paper-soccer R2") \
    X(STEP_OUTSIDE,       "step-outside",       "the step leaves the pitch or runs along its border",     "paper-soccer R3") \
    X(STEP_USED,          "step-used",          "there is already a line between these points",           "paper-soccer R4") \
    X(MOVE_EMPTY,         "move-empty",         "a move has at least one point",                          "paper-soccer R6") \
    X(MOVE_TOO_SHORT,     "move-too-short",     "the ball bounces here, the move must go on",             "paper-soccer R7") \
    X(MOVE_TOO_LONG,      "move-too-long",      "the move had already ended before its last point",       "paper-soccer R8") \
    X(STEP_ELSEWHERE,     "step-elsewhere",     "a step begins where the ball lies",                      "paper-soccer R2")
/* clang-format on */

ERR_GAME_CONSTANTS(PAPER_SOCCER_REFUSALS);

#endif
