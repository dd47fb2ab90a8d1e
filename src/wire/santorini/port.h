/* The Santorini port: lines of JSON, the lobby and the tables behind the server's --santorini listener.
 *
 * Whoever connects joins the open table of the port; when there is none, the first in line is asked for the
 * number of players. Seats are taken in the order of the names that come. Everything that happens at a table
 * is told from its journal, so it does not matter through which protocol somebody plays. */
#ifndef WIRE_SANTORINI_PORT_H
#define WIRE_SANTORINI_PORT_H

#include "host/table/table.h"
#include "wire/port.h"

struct santorini_port_config {
    struct tables *tables;       /* borrowed */
    struct inspector *inspector; /* borrowed; NULL: none */
    uint32_t grace_ms;           /* how long a seat waits for its player to come back */
    uint32_t ping_every_ms;      /* 0: no pings */
    uint32_t silence_ms;         /* a peer that answers pings and is silent for so long is gone */
    uint32_t quiet_ms;           /* the same for one that never has answered a ping */
    uint32_t answer_ms;          /* for the number of players or a name, while others wait for it */
    uint32_t turn_ms;            /* for each action once the players are known; 0: any time */
    uint32_t game_ms;            /* for all actions of a player together; 0: any time */
    uint32_t increment_ms;       /* that comes to that with each turn */
    uint32_t tables_max;         /* at the same time */
    uint32_t waiting_max;        /* peers in line before a table */
};

struct santorini_port_config santorini_port_config_default(void);

/* Gives; freed by ops->free. Takes over all running tables of this protocol that a restart has brought back.
 */
struct port *santorini_port_create(const struct santorini_port_config *);

#endif
