/* Bots on the threads of the event loop's pool, so that the loop never waits for a bot. */
#ifndef SERVER_THINKER_POOL_H
#define SERVER_THINKER_POOL_H

#include "host/thinker.h"

#include <uv.h>

/* Gives; to be freed with thinker_free when the loop has nothing to do any more. */
struct thinker *thinker_pool_create(uv_loop_t *);

#endif
