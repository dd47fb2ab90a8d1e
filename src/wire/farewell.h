/* What is kept of finished tables for those of their players who were away at the end: how it ended, in the
 * words of the protocol, for whoever comes back by name. Bounded in number and time. */
#ifndef WIRE_FAREWELL_H
#define WIRE_FAREWELL_H

#include "base/buf.h"

enum { FAREWELLS_MAX = 1000 }; /* of one port; the oldest makes way */

/* Zeroed: none. */
struct farewells {
    struct farewell *by_name;
};

/* Keeps these lines, which are copied, for who comes back under this name before until_ms; in place of what
 * was kept for the name. A name that is longer than those of seats is nobody's. */
void farewells_add(struct farewells *, struct span name, struct span lines, uint64_t now_ms,
                   uint64_t until_ms);

/* Appends what is kept for the name to out, and keeps it no longer. False: nothing is. */
bool farewells_take(struct farewells *, struct span name, uint64_t now_ms, struct buf *out);

void farewells_free(struct farewells *);

#endif
