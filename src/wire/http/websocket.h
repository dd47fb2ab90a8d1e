/* WebSocket (RFC 6455) after the handshake, as the server sees it: bytes to messages and back. A thin coat
 * over the library that does masks, fragments, control frames, closing codes and UTF-8, so that nothing else
 * knows it; and the one line of cryptography that the handshake asks for. Knows no sockets: what is to be
 * sent goes out through a function. */
#ifndef WIRE_HTTP_WEBSOCKET_H
#define WIRE_HTTP_WEBSOCKET_H

#include "base/buf.h"
#include "base/err.h"

enum {
    WEBSOCKET_MESSAGE_BYTES_MAX = 64 * 1024, /* of a peer; more closes with 1009 */
    WEBSOCKET_ACCEPT_BYTES = 29,             /* of websocket_accept, with the final NUL */
    /* What is read between two looks at whether there is room for answers: hardly more than one message. */
    WEBSOCKET_SIP_BYTES = 32,
    WEBSOCKET_SEND_BYTES = 16 * 1024, /* frames are gathered up to this before they are sent */
};

/* Why a connection is closed. */
enum websocket_code {
    WEBSOCKET_GOING_AWAY = 1001,
    WEBSOCKET_UNSUPPORTED = 1003,
    WEBSOCKET_POLICY = 1008,
    WEBSOCKET_TRY_AGAIN = 1013,
};

struct websocket_output {
    void *context;
    /* Bytes for the peer, whole frames; borrowed. */
    void (*send)(void *context, struct span bytes);
    /* A whole text message of the peer; borrowed. May send, may close; must not free the websocket. */
    void (*message)(void *context, struct span text);
    /* Nothing more is to be read now: too much is unsent, or others are to be heard. NULL: never. */
    bool (*must_wait)(void *context);
};

struct websocket;

/* What is expensive to make and remembers nothing between two messages: many websockets share one. Begins
 * with zeros, and lives as long as any of them. */
struct websocket_spare {
    struct frames *frames; /* NULL: somebody has it, or nobody has made one yet */
};
void websocket_spare_free(struct websocket_spare *);

/* Gives. */
struct websocket *websocket_create(const struct websocket_output *, struct websocket_spare *);
void websocket_free(struct websocket *);

/* Bytes of the peer, in any split. Returns how many it has taken: it stops when it must wait, and the rest is
 * to be given again when it need no more. Pings are answered, a close is echoed, and what breaks the
 * protocol is answered with a close: 1002 or no code for frames that are wrong, 1003 binary messages, 1007
 * text that is no UTF-8, 1009 too large. */
size_t websocket_receive(struct websocket *, struct span bytes) MUST_CHECK;

/* Memory that it takes at the moment besides its own struct: nothing between two messages. */
size_t websocket_bytes(const struct websocket *);

/* A text message. Nothing happens when the connection is closing. */
void websocket_send(struct websocket *, struct span text);
void websocket_ping(struct websocket *);

/* Says that it is over; what was sent before arrives before. */
void websocket_close(struct websocket *, enum websocket_code, const char *reason);

/* Everything has been said, and the connection below is to be closed. */
bool websocket_is_over(const struct websocket *);

/* The answer to the Sec-WebSocket-Key of a handshake. False when it is no such key (16 bytes in base64). */
bool websocket_accept(struct span key, char accept[WEBSOCKET_ACCEPT_BYTES]);

#endif
