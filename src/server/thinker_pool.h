/* Bots on the threads of the event loop's pool, so that the loop never waits for a bot. Who thinks next is
 * decided by host/thinker_queue.h: the pool itself, which would take them as they come, is given no more than
 * it has threads. */
#ifndef SERVER_THINKER_POOL_H
#define SERVER_THINKER_POOL_H

#include "host/thinker.h"

#include <uv.h>

enum {
    POOL_JOBS_MAX = 4,  /* under way at a time: what libuv has as threads unless told otherwise */
    POOL_ALONE_MAX = 2, /* of them of tables where bots are alone */
    POOL_NICE = 5,      /* how far threads that think stand back behind the others */
    POOL_THOUGHT_MS = 60 * 60 * 1000, /* over which the thinking time of an address is counted */
};

/* Gives; to be freed with thinker_free when the loop has nothing to do any more. After so many seconds in an
 * hour an address gets no more bots (thinker_allows); 0: any number. */
struct thinker *thinker_pool_create(uv_loop_t *, uint32_t address_thinking_s);

#endif
