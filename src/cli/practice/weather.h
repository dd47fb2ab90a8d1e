/* The bad weather of one direction of a connection: where its bytes are cut into pieces, how long nothing
 * passes there, and after how many bytes the connection is dropped. It follows from a seed, the listener, the
 * number of the connection and the direction alone; neither from the time nor from how the bytes came. */
#ifndef CLI_PRACTICE_WEATHER_H
#define CLI_PRACTICE_WEATHER_H

#include "base/rng.h"
#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>

/* Kinds of faults, to be added up. */
enum { WEATHER_FRAGMENTS = 1, WEATHER_DELAYS = 2, WEATHER_DROPS = 4, WEATHER_ALL = 7 };

enum {
    WEATHER_PIECE_SMALL_MAX = 8,       /* bytes; of some pieces */
    WEATHER_PIECE_MAX = 1200,          /* of all others */
    WEATHER_PAUSE_MIN_MS = 1,          /* so that pieces do not travel together */
    WEATHER_DELAY_MAX_MS = 250,        /* of some cuts */
    WEATHER_DROP_BYTES_MAX = 8 * 1024, /* after which a connection that is dropped at all is */
};

struct weather {
    struct rng rng;
    unsigned kinds;
    uint64_t passed;  /* bytes so far */
    uint64_t cut_at;  /* the next one; UINT64_MAX: there is none */
    uint64_t drop_at; /* UINT64_MAX: never */
};

/* "fragments,delays,drops" as kinds; false when there is another word in it. */
bool weather_kinds(struct span text, unsigned *kinds);

/* The weather of connection number (from 1) of a listener, towards the client (is_down) or from it. */
void weather_begin(struct weather *, unsigned kinds, uint64_t seed, const char *listener, uint64_t number,
                   bool is_down);

/* How many bytes may pass now; 0: it is dropped here. */
size_t weather_room(const struct weather *, size_t bytes);

/* So many bytes pass, not more than there is room for. Returns how many milliseconds nothing may pass
 * afterwards. */
uint32_t weather_pass(struct weather *, size_t bytes);

#endif
