/* Masters of Renaissance for the clients of its authors, over Java object streams: another framing in front
 * of the room of wire/renaissance (docs/protocols/renaissance-java.md). */
#ifndef WIRE_RENAISSANCE_JAVA_PORT_H
#define WIRE_RENAISSANCE_JAVA_PORT_H

#include "wire/renaissance/port.h"

/* The room of these tables is opened, with this config, if there is none yet. Gives; freed by ops->free. */
struct port *renaissance_java_port_create(const struct renaissance_port_config *);

#endif
