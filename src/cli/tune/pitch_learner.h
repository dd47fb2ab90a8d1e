/* Learns the weights of a net for Paper Soccer (bots/pitch_net.h) from positions whose outcome is known: Adam
 * on the cross entropy, in floating point, and rounded to the whole numbers that the bot counts with. The
 * same lessons in the same order give the same weights. */
#ifndef CLI_TUNE_PITCH_LEARNER_H
#define CLI_TUNE_PITCH_LEARNER_H

#include "base/buf.h"
#include "base/rng.h"
#include "bots/pitch_net.h"

/* A position and how it ended for the seat on turn: from 0, lost, to 1, won. */
struct pitch_lesson {
    struct pitch pitch;
    float outcome;
    bool is_aside; /* it is what was expected there: nobody played on from it */
};

/* Draws which of the lessons from one place on comes there: done for all places it shuffles them. */
void pitch_lesson_draw(struct pitch_lesson *lessons, size_t place, size_t count, struct rng *);

struct pitch_learner;

/* Gives. Begins with small weights drawn by the generator. */
struct pitch_learner *pitch_learner_create(struct rng *);
void pitch_learner_free(struct pitch_learner *);

/* Goes once through all lessons, which are shuffled; returns the mean of the cross entropy. */
double pitch_learner_learn(struct pitch_learner *, struct pitch_lesson *lessons, size_t count, float rate,
                           struct rng *);

/* The same of lessons that are not learned from. */
double pitch_learner_test(const struct pitch_learner *, const struct pitch_lesson *lessons, size_t count);

/* What is known by now, as the bot counts with it. */
void pitch_learner_net(const struct pitch_learner *, struct pitch_net *out);

/* A net as the text of pitch_net.inc. */
void pitch_net_write(const struct pitch_net *, struct buf *out);

#endif
