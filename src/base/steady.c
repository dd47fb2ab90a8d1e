#include "base/steady.h"

/* Small differences are how one clock is slewed towards the true time, or two looks that were not at once. */
void steady_look(struct steady *s, int64_t wall_ms, uint64_t now_ms) {
    int64_t offset_ms = wall_ms - (int64_t)now_ms, ahead_ms = offset_ms - s->base_ms;
    if (!s->has_base || ahead_ms < -STEADY_JITTER_MS) { /* set back: stamps are the older for it */
        *s = (struct steady){.has_base = true, .base_ms = offset_ms};
        return;
    }
    int64_t more_ms = ahead_ms - s->jump_ms;
    if (more_ms >= -STEADY_JITTER_MS && more_ms <= STEADY_JITTER_MS) {
        s->base_ms += more_ms;
        return;
    }
    s->jump_ms = ahead_ms < 0 ? 0 : ahead_ms;
    if (more_ms > 0)
        s->jumped_ms = now_ms;
}

/* What was stamped before the jump is as old as it was; what was stamped after it is not old enough before
 * the delay has passed since. */
int64_t steady_ago(struct steady *s, uint64_t delay_ms, int64_t wall_ms, uint64_t now_ms) {
    steady_look(s, wall_ms, now_ms);
    bool is_recent = s->jump_ms > 0 && now_ms - s->jumped_ms < delay_ms;
    return wall_ms - (int64_t)delay_ms - (is_recent ? s->jump_ms : 0);
}
