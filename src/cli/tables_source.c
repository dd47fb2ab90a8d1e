#include "cli/tables_source.h"

#include "base/clock.h"

static int64_t wall_ms(void *context) {
    (void)context;
    return clock_wall_ms();
}

static void secret_draw(void *context, struct digest *out) {
    struct tables_source *source = context;
    if (!source->has_seed) {
        digest_secret(out);
        return;
    }
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&source->rng), out->bytes + i);
}

struct tables_config tables_source_config(struct tables_source *source, struct store *store) {
    return (struct tables_config){.store = store,
                                  .context = source,
                                  .wall_ms = wall_ms,
                                  .secret = secret_draw,
                                  .is_repeatable = source->has_seed,
                                  .now_us = clock_monotonic_us};
}
