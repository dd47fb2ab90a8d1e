/* What the server can be told about Santorini. */
#include "wire/protocol.h"
#include "wire/santorini/dialect.h"
#include "wire/santorini/port.h"

struct santorini_port_config santorini_port_config_default(void) {
    return (struct santorini_port_config){
        .grace_ms = 60 * 1000,
        .ping_every_ms = 2 * 1000,
        .silence_ms = 10 * 1000,
        .quiet_ms = 600 * 1000,
        .answer_ms = 120 * 1000,
        .tables_max = 10 * 1000,
        .waiting_max = 1000,
    };
}

enum { SANTORINI_TABLES_MAX_MAX = 1000 * 1000, SANTORINI_WAITING_MAX_MAX = 1000 * 1000 };

static const struct option_row santorini_rows[] = {
    FIELD_SECONDS("santorini-grace", struct santorini_port_config, grace_ms, 1, OPTION_SECONDS_MS_MAX,
                  "that the seat of a Santorini player waits for a new connection"),
    FIELD_SECONDS("santorini-silence", struct santorini_port_config, silence_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a line, after which a Santorini client that answers pings is gone"),
    FIELD_SECONDS("santorini-quiet", struct santorini_port_config, quiet_ms, 1, OPTION_SECONDS_MS_MAX,
                  "the same for one that never has answered a ping"),
    FIELD_SECONDS("santorini-answer-time", struct santorini_port_config, answer_ms, 1, OPTION_SECONDS_MS_MAX,
                  "for the number of players or a name, when others wait for it"),
    FIELD_SECONDS("santorini-turn-time", struct santorini_port_config, turn_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for each action of a Santorini player; 0 is no limit"),
    FIELD_SECONDS("santorini-game-time", struct santorini_port_config, game_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for all actions of a Santorini player together; 0 is no limit"),
    FIELD_SECONDS("santorini-increment", struct santorini_port_config, increment_ms, 0, OPTION_SECONDS_MS_MAX,
                  "that come to that with each turn"),
    FIELD_U32("santorini-tables-max", struct santorini_port_config, tables_max, 1, SANTORINI_TABLES_MAX_MAX,
              "Santorini tables at the same time"),
    FIELD_U32("santorini-waiting-max", struct santorini_port_config, waiting_max, 1,
              SANTORINI_WAITING_MAX_MAX, "Santorini clients that wait for a table"),
    {0},
};

static void santorini_defaults(void *target) {
    *(struct santorini_port_config *)target = santorini_port_config_default();
}

static struct port *santorini_protocol_open(const void *given, const struct protocol_host *host) {
    struct santorini_port_config c = *(const struct santorini_port_config *)given;
    c.tables = host->tables;
    c.inspector = host->inspector;
    return santorini_port_create(&c);
}

const struct protocol santorini_protocol = {
    .name = "santorini",
    .about = "Santorini, JSON over TCP",
    .game = "santorini",
    .page = "protocols/santorini.md",
    .messages = &santorini_messages,
    .default_address = "127.0.0.1:2033",
    .config_size = sizeof(struct santorini_port_config),
    .defaults = santorini_defaults,
    .rows = santorini_rows,
    .port = santorini_protocol_open,
};
