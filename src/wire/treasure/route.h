/* Treasure Hunt over HTTP: which path is which request, and rendered states that are kept as long as they are
 * true, so that polling costs a lookup and a copy. */
#ifndef WIRE_TREASURE_ROUTE_H
#define WIRE_TREASURE_ROUTE_H

#include "host/hunt/hunt.h"
#include "host/inspector.h"
#include "wire/http/http.h"

enum { TREASURE_CACHE_BYTES_MAX = 128 * 1024 * 1024 };

/* GET /games, POST /games/{id}/players, GET /games/{id}/states/{player}, POST /games/{id}/moves, POST
 * /games/{id}/halfmaps. Answers everything below /games, and all paths that nobody wants. What is said is
 * recorded by the inspector, which is borrowed and may be NULL. */
struct http_route treasure_route(const struct hunt_config *, struct inspector *);

#endif
