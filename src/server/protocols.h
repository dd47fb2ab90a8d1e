/* The list of protocols that the server can listen for, in the order of the ready line. To add one is to add
 * a line in protocols.c. */
#ifndef SERVER_PROTOCOLS_H
#define SERVER_PROTOCOLS_H

#include "wire/api.h"
#include "wire/eriantys_port.h"
#include "wire/http.h"
#include "wire/port.h"
#include "wire/renaissance_port.h"
#include "wire/santorini_port.h"
#include "wire/treasure_route.h"
#include "wire/ugs_port.h"

/* Everything that the protocols can be told. Strings are borrowed for the life of the ports. */
struct protocols_config {
    struct inspector *inspector; /* of all of them; borrowed */
    struct hall_desk *desk;      /* where the hall of the Universal Game System is to be found; borrowed */
    struct http_port_config http;
    struct api_config api;
    struct hunt_config hunt; /* Treasure Hunt */
    struct ugs_port_config ugs;
    struct renaissance_port_config renaissance;
    struct santorini_port_config santorini;
    struct eriantys_port_config eriantys;
};

struct protocols_config protocols_config_default(void);

struct protocol {
    const char *name;  /* of the option and in the ready line */
    const char *about; /* for --help */
    const char *default_address;
    /* Gives the port; NULL when this version does not speak the protocol. */
    struct port *(*create)(const struct protocols_config *);
    /* Takes over a table of this protocol that a restart has brought back. */
    void (*restored)(struct table *);
};

enum {
    PROTOCOL_HTTP,
    PROTOCOL_UGS,
    PROTOCOL_SANTORINI,
    PROTOCOL_ERIANTYS,
    PROTOCOL_RENAISSANCE,
    PROTOCOL_COUNT
};

extern const struct protocol protocols[PROTOCOL_COUNT];

#endif
