/* The Masters of Renaissance player: thinks its turn through to the end of the main action. */
#ifndef BOTS_RENAISSANCE_BOT_H
#define BOTS_RENAISSANCE_BOT_H

#include "bots/bots.h"
#include "games/renaissance/renaissance.h"

extern const struct bot_kind renaissance_bot_kind;

#endif
