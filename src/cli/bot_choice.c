#include "cli/bot_choice.h"

#include "base/clock.h"
#include "bots/spec.h"

#include <stdio.h>

struct bot *bot_choice(const struct game *game, const char *kind, int64_t level, const char *spec) {
    struct bot_spec chosen = {.level = (unsigned)level};
    const char *complaint;
    if (spec != NULL) {
        if (bot_spec_read(span_of(spec), game, &chosen, &complaint))
            return bot_spec_open(&chosen, game, clock_monotonic_ns);
        fprintf(stderr, "parlor: '%s': %s\n", spec, complaint);
        return NULL;
    }
    if (kind != NULL && (chosen.kind = bot_kind_by_name(span_of(kind), game)) == NULL) {
        fprintf(stderr, "parlor: no kind of bot '%s' plays %s\n", kind, game->title);
        return NULL;
    }
    return bot_spec_open(&chosen, game, clock_monotonic_ns);
}
