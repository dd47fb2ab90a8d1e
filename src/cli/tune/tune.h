/* What `parlor tune` does for a game: its bot plays against itself and learns how to judge a position. */
#ifndef CLI_TUNE_TUNE_H
#define CLI_TUNE_TUNE_H

#include <stdint.h>

struct tune_plan {
    int64_t rounds; /* of playing and learning */
    int64_t games;  /* of a round */
    int64_t nodes;  /* of a decision */
    int64_t
        trust; /* how much of a lesson is what the bot expected and not how the game ended, in hundredths */
    int64_t seed;
    const char *out_path;
};

/* Each writes what it has learned after every round, and tells of it on standard error. The same plan gives
 * the same weights. Returns an exit status. */
int pitch_tune(const struct tune_plan *);

/* The same for any kind of bot that has weights (bots/bots.h); trust has no meaning there. */
struct bot_kind;
int weights_tune(const struct tune_plan *, const struct bot_kind *);

#endif
