/* A bot in words, as people give it to commands: "level:3", "level:5,ms=100", "search:nodes=2000", "random".
 *
 * The word before the colon is a kind of bot, or "level" for the best kind that the game has. After it stand,
 * with commas, level=N (a number alone is a level), ms=N, nodes=N and weights=first, which is how the bot
 * judged before it was tuned. With ms alone nodes do not end a decision. */
#ifndef BOTS_SPEC_H
#define BOTS_SPEC_H

#include "bots/bots.h"

struct bot_spec {
    const struct bot_kind *kind; /* NULL: the best of the game */
    unsigned level;
    uint64_t nodes; /* 0: as the level says */
    uint32_t ms;    /* 0: time does not matter */
    bool is_untuned;
};

enum { BOT_SPEC_MS_MAX = 10 * 60 * 1000 };

/* False when the text is no bot that plays the game; complaint then says why in words, borrowed. */
bool bot_spec_read(struct span text, const struct game *, struct bot_spec *out,
                   const char **complaint) MUST_CHECK;

/* Gives a bot as the spec says. now_ns is its clock, needed when there are milliseconds. */
struct bot *bot_spec_open(const struct bot_spec *, const struct game *, uint64_t (*now_ns)(void));

#endif
