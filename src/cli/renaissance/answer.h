/* What a player of Masters of Renaissance says when it is asked: actions that somebody chooses, as messages,
 * one for the actions that belong together. For the bot and for the simulation. */
#ifndef CLI_RENAISSANCE_ANSWER_H
#define CLI_RENAISSANCE_ANSWER_H

#include "base/writer.h"
#include "cli/renaissance/follow.h"

struct renaissance_answers {
    struct renaissance_follow follow;
    void *context;
    /* One legal action of the seat in what it knows. */
    void (*choose)(void *context, const struct game_view *, unsigned seat, struct action *out);
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX]; /* chosen, and announced by actionReply */
    size_t action_count;
};

/* Begins the answer to a message that was followed, an object that is still open. False: it is not asked for
 * anything that is about the table, and nothing is begun. */
bool renaissance_answer(struct renaissance_answers *, const json_t *message, struct buf *out,
                        struct writer *) MUST_CHECK;

#endif
