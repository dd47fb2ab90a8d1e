/* Between one program and the server of its game, where the protocol gives seats to whoever speaks first: the
 * program connects to the usher, which connects to the server at once, and what the program says waits until
 * it is its turn to come in. What the server says is never held back. */
#ifndef CLI_MATCH_USHER_H
#define CLI_MATCH_USHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct usher {
    int listen_fd;
    uint16_t port;       /* on 127.0.0.1 */
    const char *address; /* of the server; borrowed */
    atomic_bool may_speak, must_end;
    pthread_t thread;
    bool is_running;
};

/* Listens and waits for the one connection. False when that is impossible; usher_end in any case. */
bool usher_begin(struct usher *, const char *address);
void usher_let_speak(struct usher *);
void usher_end(struct usher *);

#endif
