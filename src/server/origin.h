/* Where the peer of a socket is, as the system says it. */
#ifndef SERVER_ORIGIN_H
#define SERVER_ORIGIN_H

#include "base/address.h"

#include <uv.h>

/* Nobody's when it is not known. */
struct address origin_of(const uv_tcp_t *);

/* The same for the log, whole, of IPv6 too; "?" when it is not known. */
void origin_text(const uv_tcp_t *, char out[INET6_ADDRSTRLEN]);

#endif
