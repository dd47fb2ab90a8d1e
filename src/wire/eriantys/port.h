/* Eriantys for its own clients: a port that speaks JSON lines, with a lobby of codes and waiting rooms.
 * docs/protocols/eriantys.md is the protocol. */
#ifndef WIRE_ERIANTYS_PORT_H
#define WIRE_ERIANTYS_PORT_H

#include "host/table/table.h"
#include "wire/json/port.h"

#define ERIANTYS_PROTOCOL "eriantys" /* in the journal */

struct eriantys_port_config {
    struct tables *tables; /* borrowed */
    struct json_port_config json;
    uint32_t keep_ms; /* a table at which nobody is connected is given up after that */
    uint32_t turn_ms; /* for each action of a player; 0: any time */
    uint32_t game_ms,
        increment_ms;    /* for all of them together, and what comes to it with each turn; 0: any time */
    uint32_t tables_max; /* opened through this port and not over */
};

struct eriantys_port_config eriantys_port_config_default(void);

/* Gives; freed by ops->free. Takes over the tables of its own that a restart has brought back. */
struct port *eriantys_port_create(const struct eriantys_port_config *);

#endif
