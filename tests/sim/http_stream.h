/* What an HTTP server says, out of a stream of bytes in any split: answers, and after an upgrade the messages
 * of a WebSocket. For clients in the simulation and for what the witness is told. */
#ifndef SIM_HTTP_STREAM_H
#define SIM_HTTP_STREAM_H

#include "base/buf.h"

struct http_stream {
    struct buf bytes;
    bool is_socket;
};

enum http_piece {
    HTTP_PIECE_NONE,    /* more bytes are needed */
    HTTP_PIECE_ANSWER,  /* a status and a body */
    HTTP_PIECE_MESSAGE, /* a text */
    HTTP_PIECE_PING,
    HTTP_PIECE_PONG,
    HTTP_PIECE_CLOSE,
    HTTP_PIECE_BROKEN, /* it is not what a server says */
};

void http_stream_add(struct http_stream *, struct span bytes);
/* The next piece; its text is put into body. */
enum http_piece http_stream_next(struct http_stream *, int *status, struct buf *body);
void http_stream_free(struct http_stream *);

/* A frame of a client, masked as it must be. */
enum http_opcode { HTTP_OPCODE_TEXT = 1, HTTP_OPCODE_PONG = 10 };
void http_frame_write(struct buf *out, enum http_opcode, struct span text);

#endif
