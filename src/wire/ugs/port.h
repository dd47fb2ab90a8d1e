/* The UGS port: framing, dialect, hall and built-in master put together for the server's --ugs listener. */
#ifndef WIRE_UGS_PORT_H
#define WIRE_UGS_PORT_H

#include "host/hall/master.h"
#include "wire/port.h"
#include "wire/ugs/dialect.h"

struct ugs_port_config {
    struct hall_config hall;
    struct ugs_style style;
    bool has_master; /* the built-in Paper Soccer master */
    struct master_config
        master; /* its switches, and the inspector, which records what players of a table say and hear */
    uint32_t message_timeout_ms; /* how long a message may stay incomplete */
    struct hall_desk *desk;      /* told where the hall is, for as long as there is one; borrowed, or NULL */
};

struct ugs_port_config ugs_port_config_default(void);

/* Gives; freed by ops->free. The strings of config are borrowed for the life of the port. */
struct port *ugs_port_create(const struct ugs_port_config *);

struct hall_counts ugs_port_counts(const struct port *);

#endif
