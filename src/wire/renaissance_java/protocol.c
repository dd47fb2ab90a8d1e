/* What the server can be told about Masters of Renaissance over Java streams: its options are those of the
 * same game over lines of JSON, since both lead to one room. */
#include "wire/protocol.h"
#include "wire/renaissance_java/port.h"

extern const struct protocol renaissance_protocol;

static struct port *renaissance_java_open(const void *given, const struct protocol_host *host) {
    struct renaissance_port_config c = *(const struct renaissance_port_config *)given;
    c.tables = host->tables;
    c.players_max = host->players_max;
    c.inspector = host->inspector;
    return renaissance_java_port_create(&c);
}

const struct protocol renaissance_java_protocol = {
    .name = "renaissance-java",
    .about = "Masters of Renaissance, Java object streams",
    .game = "renaissance",
    .of = &renaissance_protocol,
    .page = "protocols/renaissance-java.md",
    .default_address = "127.0.0.1:4001",
    .port = renaissance_java_open,
};
