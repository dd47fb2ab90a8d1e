#include "host/dice.h"

#include <assert.h>

void dice_commit(struct digest *out, uint64_t table, const struct digest *secret) {
    uint8_t table_bytes[8];
    digest_number(table, table_bytes);
    const struct span pieces[] = {
        SPAN("parlor dice"),
        span_make(table_bytes, sizeof table_bytes),
        span_make(secret->bytes, DIGEST_BYTES),
    };
    digest_of(out, NULL, pieces, 3);
}

void dice_draw(struct rng *out, uint64_t table, const struct digest *secret, uint64_t seq,
               const char *purpose) {
    uint8_t table_bytes[8], seq_bytes[8];
    struct digest draw;
    digest_number(table, table_bytes);
    digest_number(seq, seq_bytes);
    const struct span pieces[] = {
        span_make(table_bytes, sizeof table_bytes),
        span_make(seq_bytes, sizeof seq_bytes),
        span_of(purpose),
    };
    digest_of(&draw, secret->bytes, pieces, 3);
    for (int i = 0; i < 4; i++)
        out->s[i] = digest_to_number(draw.bytes + (size_t)i * 8);
    /* The one state from which the generator never leaves. */
    if ((out->s[0] | out->s[1] | out->s[2] | out->s[3]) == 0)
        out->s[0] = 1;
}

void dice_seats(uint64_t table, const struct digest *secret, uint64_t seq, unsigned seat_count,
                unsigned joined[]) {
    struct rng rng;
    assert(seat_count > 0);
    dice_draw(&rng, table, secret, seq, "seats");
    for (unsigned i = 0; i < seat_count; i++)
        joined[i] = i;
    for (unsigned i = seat_count - 1; i > 0; i--) {
        unsigned j = rng_below(&rng, i + 1);
        unsigned seat = joined[i];
        joined[i] = joined[j];
        joined[j] = seat;
    }
}
