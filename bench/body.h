/* The body that both HTTP servers of the benchmark answer with: as large and as monotonous as the state of a
 * Treasure Hunt. */
#ifndef BENCH_BODY_H
#define BENCH_BODY_H

#include <stddef.h>
#include <string.h>

enum { BENCH_BODY_BYTES = 16 * 1024 };

static inline void bench_body(char out[BENCH_BODY_BYTES]) {
    static const char node[] =
        "<mapNode><playerPositionState>NoPlayerPresent</playerPositionState><terrain>Grass</terrain>"
        "<treasureState>NoOrUnknownTreasureState</treasureState></mapNode>";
    for (size_t i = 0; i < BENCH_BODY_BYTES; i++)
        out[i] = node[i % (sizeof node - 1)];
}

#endif
