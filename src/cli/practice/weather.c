#include "cli/practice/weather.h"

#include <assert.h>

bool weather_kinds(struct span text, unsigned *kinds) {
    static const struct {
        const char *name;
        unsigned kind;
    } words[] = {{"fragments", WEATHER_FRAGMENTS}, {"delays", WEATHER_DELAYS}, {"drops", WEATHER_DROPS}};
    *kinds = 0;
    while (text.size > 0) {
        const char *comma = memchr(text.data, ',', text.size);
        size_t size = comma == NULL ? text.size : (size_t)(comma - text.data), i = 0;
        while (i < 3 && !span_is(span_make(text.data, size), words[i].name))
            i++;
        if (i == 3)
            return false;
        *kinds |= words[i].kind;
        size += comma != NULL;
        text = span_make(text.data + size, text.size - size);
    }
    return *kinds != 0;
}

/* One piece in four is small, and comes with others like it more often than not. */
static void weather_cut(struct weather *w) {
    bool is_small = (w->kinds & WEATHER_FRAGMENTS) != 0 && rng_below(&w->rng, 4) == 0;
    w->cut_at = w->passed + 1 + rng_below(&w->rng, is_small ? WEATHER_PIECE_SMALL_MAX : WEATHER_PIECE_MAX);
}

void weather_begin(struct weather *w, unsigned kinds, uint64_t seed, const char *listener, uint64_t number,
                   bool is_down) {
    uint64_t mixed = rng_mix(seed) ^ rng_mix(number * 2 + is_down);
    for (; *listener != '\0'; listener++)
        mixed = rng_mix(mixed + (uint8_t)*listener);
    *w = (struct weather){.kinds = kinds, .cut_at = UINT64_MAX, .drop_at = UINT64_MAX};
    rng_seed(&w->rng, mixed);
    bool is_dropped = rng_below(&w->rng, is_down ? 3 : 6) == 0;
    uint32_t drop_at =
        rng_below(&w->rng, rng_below(&w->rng, 2) == 0 ? WEATHER_DROP_BYTES_MAX / 8 : WEATHER_DROP_BYTES_MAX);
    if (is_dropped && (kinds & WEATHER_DROPS) != 0)
        w->drop_at = drop_at;
    if ((kinds & (WEATHER_FRAGMENTS | WEATHER_DELAYS)) != 0)
        weather_cut(w);
}

size_t weather_room(const struct weather *w, size_t bytes) {
    uint64_t end = w->cut_at < w->drop_at ? w->cut_at : w->drop_at;
    return end - w->passed < bytes ? (size_t)(end - w->passed) : bytes;
}

uint32_t weather_pass(struct weather *w, size_t bytes) {
    assert(bytes <= weather_room(w, bytes));
    w->passed += bytes;
    if (w->passed != w->cut_at)
        return 0;
    bool is_delayed = rng_below(&w->rng, 6) == 0;
    uint32_t delay_ms = rng_below(&w->rng, WEATHER_DELAY_MAX_MS) + 1;
    weather_cut(w);
    return is_delayed && (w->kinds & WEATHER_DELAYS) != 0 ? delay_ms : WEATHER_PAUSE_MIN_MS;
}
