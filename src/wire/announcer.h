/* Who can be told something that is meant for everybody, by the operator: each protocol that has a way to say
 * it. */
#ifndef WIRE_ANNOUNCER_H
#define WIRE_ANNOUNCER_H

#include "base/span.h"

#include <assert.h>

enum { ANNOUNCER_VOICES_MAX = 16, ANNOUNCER_TEXT_BYTES_MAX = 500 };

/* Zeroed at first. */
struct announcer {
    struct announcer_voice {
        void *context;
        /* Says it to all who are connected; how many they are. */
        size_t (*say)(void *context, struct span text);
    } voices[ANNOUNCER_VOICES_MAX];
    size_t count;
};

/* The context is borrowed for the life of the announcer's ports. NULL: nobody announces anything. */
static inline void announcer_add(struct announcer *a, void *context, size_t (*say)(void *, struct span)) {
    if (a == NULL)
        return;
    assert(a->count < ANNOUNCER_VOICES_MAX);
    a->voices[a->count++] = (struct announcer_voice){context, say};
}

/* How many were told. */
static inline size_t announcer_say(const struct announcer *a, struct span text) {
    size_t told = 0;
    for (size_t i = 0; i < a->count; i++)
        told += a->voices[i].say(a->voices[i].context, text);
    return told;
}

#endif
