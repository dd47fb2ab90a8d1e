/* Bodies that come in chunks (RFC 9112, section 7.1), in any split. The parser library takes any two bytes
 * for the end of a chunk and lets line feeds into extensions, which is how requests are smuggled past others;
 * here every byte of the framing must be what it should be. Extensions and trailers are skipped. */
#ifndef WIRE_HTTP_CHUNKS_H
#define WIRE_HTTP_CHUNKS_H

#include "base/buf.h"
#include "base/err.h"

enum { HTTP_CHUNKS_EXTRA_BYTES_MAX = 8 * 1024 /* extensions and trailers of one body */ };

/* Zeroed at the start of a body. */
struct http_chunks {
    uint8_t state;
    uint8_t digit_count;
    uint32_t extra_bytes;
    uint64_t left; /* of the chunk */
};

/* Takes bytes off the front of input and appends what they carry to body. ERR_OK with *is_done when the last
 * chunk and its trailers are through; what follows stays in input. ERR_MALFORMED; ERR_TOO_LARGE when the body
 * would be larger than body_bytes_max, or what is skipped is larger than its own limit. */
enum err http_chunks_read(struct http_chunks *, struct span *input, struct buf *body, size_t body_bytes_max,
                          bool *is_done) MUST_CHECK;

#endif
