/* A port of peers (wire/peers.h) that speak JSON, one object a line: lines and parsing. Its messages are
 * json_t. A line that is none, or is longer than LINE_FRAME_BYTES_MAX, is malformed; the next one is read as
 * if nothing had been. */
#ifndef WIRE_JSON_PORT_H
#define WIRE_JSON_PORT_H

#include "wire/json/read.h"
#include "wire/peers.h"

/* See struct peers_config. */
struct json_port_config {
    uint32_t ping_first_ms;
    uint32_t ping_every_ms;
    uint32_t silence_ms;
    struct inspector *inspector;
    const char *protocol;
    bool mends_lines; /* a line that is no JSON is tried again as json_mend makes it */
};

/* The same for a port of peers. */
struct peers_config json_peers_config(const struct json_port_config *);

/* Gives; freed by ops->free, and the dialect with it. */
struct port *json_port_create(const struct json_port_config *, const struct peer_dialect *);

/* Several messages with a line feed between them, sent one by one: so each is one to the inspector. */
void json_peer_send_lines(struct peer *, struct span lines);

#endif
