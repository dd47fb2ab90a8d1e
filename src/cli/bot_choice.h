/* Which bot a program plays as: by level and kind, or in words as in `parlor match`. */
#ifndef CLI_BOT_CHOICE_H
#define CLI_BOT_CHOICE_H

#include "bots/bots.h"

/* Gives the bot. kind and spec may be NULL; a spec wins. NULL, with the reason on standard error, when there
 * is none like that for the game. */
struct bot *bot_choice(const struct game *, const char *kind, int64_t level, const char *spec);

#endif
