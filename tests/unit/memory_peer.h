/* Peers of memory, and secrets that everybody can guess: what tests of servers in memory share. */
#ifndef TESTS_MEMORY_PEER_H
#define TESTS_MEMORY_PEER_H

#include "base/digest.h"
#include "wire/port.h"

/* Another one with every call, the same in every run. */
static void secret(void *context, struct digest *out) {
    static uint8_t count;
    (void)context;
    memset(out->bytes, ++count, DIGEST_BYTES);
}

struct peer {
    struct link link;
    struct buf got;
};

static void peer_send(struct link *link, struct span bytes) {
    buf_append(&((struct peer *)(void *)link)->got, bytes);
}

#endif
