/* Whether this server is alive and of use, for whoever spreads clients over several of them: GET /health/...
 * is 200, or 503 with a sentence. */
#ifndef WIRE_HTTP_HEALTH_ROUTE_H
#define WIRE_HTTP_HEALTH_ROUTE_H

#include "wire/http/http.h"
#include "wire/protocol.h"

/* GET and HEAD of /health/live and /health/ready. host is borrowed for the life of the port. */
struct http_route health_route(const struct protocol_host *host);

#endif
