/* The header by which a proxy of TCP says whose connection it hands on: the PROXY protocol of HAProxy, which
 * stands before the first byte of the peer. Plain reading of bytes. Version 1, which is all that nginx sends,
 * is a line of at most 107 bytes:
 *
 *     PROXY TCP4 192.0.2.1 10.0.0.1 40000 8888\r\n      or TCP6, or UNKNOWN and whatever
 *
 * Version 2:
 *
 *     12  0d 0a 0d 0a 00 0d 0a 51 55 49 54 0a
 *      1  version (2) and command: 0 the proxy speaks for itself, 1 for somebody
 *      1  family (1 IPv4, 2 IPv6) and transport (1 stream)
 *      2  how many bytes follow
 *      n  addresses of both ends, ports of both ends, then records: type (1), size (2), content
 */
#ifndef SERVER_PROXY_HEADER_H
#define SERVER_PROXY_HEADER_H

#include "base/address.h"

enum { PROXY_HEADER_START_BYTES = 16, PROXY_HEADER_BYTES_MAX = PROXY_HEADER_START_BYTES + 4096 };

struct proxy_header {
    struct address origin;
    bool has_origin; /* otherwise the proxy speaks for itself, or does not know for whom */
    size_t size;     /* of the header; what follows is the peer's */
};

enum proxy_header_state { PROXY_HEADER_WAITS, PROXY_HEADER_READ, PROXY_HEADER_REFUSED };

/* Reads the header at the start of what has come. When it is refused, reason is some words for the log. */
enum proxy_header_state proxy_header_read(struct span bytes, struct proxy_header *out, const char **reason);

#endif
