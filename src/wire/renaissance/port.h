/* The Masters of Renaissance protocol on a listener: logins, the lobby, tables, absence and return
 * (docs/protocols/renaissance.md). */
#ifndef WIRE_RENAISSANCE_PORT_H
#define WIRE_RENAISSANCE_PORT_H

#include "host/inspector.h"
#include "host/table/table.h"
#include "wire/port.h"

struct renaissance_port_config {
    struct tables *tables;  /* borrowed */
    uint32_t ping_ms;       /* from one ping to the next */
    uint32_t silence_ms;    /* a client of which nothing comes for so long is gone */
    uint32_t keep_ms;       /* a table at which nobody is any more is kept for so long */
    uint32_t return_ms;     /* after a restart players have so long to come back before they count as away */
    uint32_t turn_ms;       /* for each action of a player; 0: any time */
    uint32_t game_ms;       /* for all of them together; 0: any time */
    uint32_t increment_ms;  /* that comes to that with each turn */
    uint32_t java_pause_ms; /* between two messages to a client of Java streams */
    uint32_t answer_ms;     /* who is asked for the number of players has so long while others wait */
    uint32_t players_max;   /* logged in or at a table, at the same time */
    int64_t tables_max;     /* at the same time */
    int64_t name_chars_min; /* of a nickname */
    int64_t name_chars_max;
    struct inspector *inspector; /* borrowed; NULL: none */
    bool is_lenient;             /* parameters may come without the reply that announces them */
};

enum { RENAISSANCE_NAME_CHARS_MAX = 40 }; /* that name_chars_max may be */

struct renaissance_port_config renaissance_port_config_default(void);

/* Takes over the running tables of this protocol. Gives; freed by ops->free. */
struct port *renaissance_port_create(const struct renaissance_port_config *);

#endif
