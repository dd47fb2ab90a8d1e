/* A fast generator for playouts, search and tests (xoshiro256**, seeded by splitmix64). It keeps no secrets
 * by itself: the dice of a table start one anew for every draw, from a keyed hash (host/table/dice.h). The
 * same seed gives the same numbers on every machine. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

static inline uint64_t rng_mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline void rng_seed(struct rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        rng->s[i] = rng_mix(seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
}

static inline uint64_t rng_rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
}

static inline uint64_t rng_next(struct rng *rng) {
    uint64_t *s = rng->s;
    uint64_t result = rng_rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* A number from 0 to below - 1, each with exactly the same chance (Lemire's method): of the 2^32 products
 * those are drawn again that would give some numbers one more than others, about one in 2^32 / below. */
static inline uint32_t rng_below(struct rng *rng, uint32_t below) {
    uint64_t product = (rng_next(rng) >> 32) * (uint64_t)below;
    if (__builtin_expect((uint32_t)product < below, 0)) {
        uint32_t surplus = -below % below;
        while ((uint32_t)product < surplus)
            product = (rng_next(rng) >> 32) * (uint64_t)below;
    }
    return (uint32_t)(product >> 32);
}

#endif
