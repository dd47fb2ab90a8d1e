/* The Eriantys player: thinks its own turn through, and judges the board where it ends. */
#ifndef BOTS_ERIANTYS_BOT_H
#define BOTS_ERIANTYS_BOT_H

#include "bots/bots.h"
#include "games/eriantys/eriantys.h"

extern const struct bot_kind eriantys_bot_kind;

#endif
