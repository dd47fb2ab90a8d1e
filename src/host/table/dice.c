#include "host/table/dice.h"

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

static void seed_mix(struct dice *d, uint64_t seq, const struct event_seat *seat) {
    uint8_t seq_bytes[8], seat_bytes[8];
    digest_number(seq, seq_bytes);
    digest_number(seat->seat, seat_bytes);
    const struct span pieces[] = {
        SPAN("parlor seed"),
        span_make(d->seeds.bytes, DIGEST_BYTES),
        span_make(seq_bytes, sizeof seq_bytes),
        span_make(seat_bytes, sizeof seat_bytes),
        span_of(seat->seed),
    };
    struct digest seeds;
    digest_of(&seeds, NULL, pieces, sizeof pieces / sizeof pieces[0]);
    d->seeds = seeds;
    if (d->mixed_seq == 0)
        d->mixed_seq = seq;
}

static void seat_follow(struct dice *d, const struct event *event) {
    struct event_seat seat;
    d->seat_events += !d->has_opened;
    if (event_seat_read(event->body, &seat) == ERR_OK && seat.seed[0] != '\0')
        seed_mix(d, event->seq, &seat);
}

static void setup_follow(struct dice *d, const struct event *event) {
    struct event_setup setup;
    if (event_setup_read(event->body, &setup) == ERR_OK)
        d->waits_for_seats = setup.waits_for_seats;
}

void dice_follow(struct dice *d, const struct event *event) {
    switch (event->kind) {
    case EVENT_SETUP: setup_follow(d, event); break;
    case EVENT_SEAT: seat_follow(d, event); break;
    case EVENT_CHANCE: break;
    default: d->has_opened = true;
    }
}

/* What chance decides before anybody has done anything counts as if nobody had sat down before it: so when it
 * is decided changes nothing but the seeds in it. */
static uint64_t draw_number(const struct dice *d, uint64_t seq) {
    return d->waits_for_seats && !d->has_opened ? seq - d->seat_events : seq;
}

void dice_draw(struct rng *out, uint64_t table, const struct digest *secret, const struct dice *dice,
               uint64_t seq, const char *purpose) {
    uint8_t table_bytes[8], number_bytes[8];
    struct digest draw;
    digest_number(table, table_bytes);
    digest_number(draw_number(dice, seq), number_bytes);
    const struct span pieces[] = {
        span_make(table_bytes, sizeof table_bytes),
        span_make(number_bytes, sizeof number_bytes),
        span_of(purpose),
        span_make(dice->seeds.bytes, DIGEST_BYTES),
    };
    digest_of(&draw, secret->bytes, pieces, dice->mixed_seq == 0 ? 3 : 4);
    for (int i = 0; i < 4; i++)
        out->s[i] = digest_to_number(draw.bytes + (size_t)i * 8);
    /* The one state from which the generator never leaves. */
    if ((out->s[0] | out->s[1] | out->s[2] | out->s[3]) == 0)
        out->s[0] = 1;
}

void dice_seats(uint64_t table, const struct digest *secret, const struct dice *dice, uint64_t seq,
                unsigned seat_count, unsigned joined[]) {
    struct rng rng;
    assert(seat_count > 0);
    dice_draw(&rng, table, secret, dice, seq, "seats");
    for (unsigned i = 0; i < seat_count; i++)
        joined[i] = i;
    for (unsigned i = seat_count - 1; i > 0; i--) {
        unsigned j = rng_below(&rng, i + 1);
        unsigned seat = joined[i];
        joined[i] = joined[j];
        joined[j] = seat;
    }
}
