/* The bot of Santorini: a search over steps with any gods, for two and three players. */
#ifndef BOTS_SANTORINI_BOT_H
#define BOTS_SANTORINI_BOT_H

#include "bots/bots.h"

extern const struct bot_kind santorini_bot_kind;

#endif
