/* Which requests of web pages are let in. A browser sends what any page asks it to, also to servers of the
 * machine it runs on: so a page of another origin may not change anything here unless it was invited, and a
 * name that somebody else's DNS has pointed at this machine is not one of the server's ("rebinding").
 * Programs that are no browsers send no Origin, and are not concerned by the first. */
#ifndef WIRE_HTTP_GUARD_H
#define WIRE_HTTP_GUARD_H

#include "wire/http/http.h"

/* ERR_HOST_UNKNOWN: the request is for a name that is not one of the server's. Addresses always are, because
 * nobody can point them elsewhere, and so is localhost; ports are not looked at, because they prove nothing.
 * ERR_ORIGIN_REFUSED: it would change something, or open a WebSocket, for a page of an origin that is neither
 * the server's own nor invited ("*": all are; NULL: none is). */
enum err http_guard_check(const struct http_guard *, const char *invited,
                          const struct http_request *) MUST_CHECK;

/* Whether these are names of hosts with commas between them, as the guard reads them. */
bool http_guard_names_are_valid(struct span names);

#endif
