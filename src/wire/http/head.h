/* The head of one HTTP/1 request: where it ends in a stream, and what it says. Strict where servers that read
 * the same bytes differently can be played off against each other (RFC 9112), tolerant elsewhere.
 *
 * Behind it sits the parser library, which is included in head.c alone: it has an enum http_method of
 * its own, and it is to be exchangeable. */
#ifndef WIRE_HTTP_HEAD_H
#define WIRE_HTTP_HEAD_H

#include "base/err.h"
#include "base/span.h"
#include "wire/http/refusals.h"

enum { HTTP_BLANK_LINES_MAX = 2 /* before a request; some old clients end a body with one */ };

/* Finds the end of a head. looked is how far earlier calls for the same head have come, 0 at first, so that
 * no byte is searched twice. Returns 0 and the size of the head with its empty line (0: the end is still to
 * come), or the status that the request is to be refused with. */
int http_head_find(struct span bytes, size_t bytes_max, size_t *looked, size_t *head_size) MUST_CHECK;

/* Spans point into the head that was read. */
struct http_head {
    struct span method;
    struct span path;  /* without the query; of an absolute target only the path */
    struct span query; /* after the '?', or empty */
    struct span content_type;
    struct span authorization;
    struct span upgrade; /* the protocols that the client would rather speak, or empty */
    struct span if_none_match;
    struct span host, origin, idempotency_key, forwarded_for, forwarded_proto, forwarded;
    struct span websocket_key, websocket_version;
    uint64_t body_bytes; /* of a body that is not chunked */
    bool is_chunked;
    bool is_1_0;
    bool keeps_alive;      /* the connection may be used for another request */
    bool expects_continue; /* the client waits for a word before it sends the body */
    bool accepts_gzip, accepts_html;
    const char *complaint; /* why it was refused, in words for people */
};

/* Reads a whole head as http_head_find has found it. Returns 0, or the status that the request is to be
 * refused with; out->complaint says why then, and nothing else in out counts. */
int http_head_read(struct span head, struct http_head *out) MUST_CHECK;

#endif
