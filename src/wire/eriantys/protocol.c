/* What the server can be told about Eriantys. */
#include "wire/protocol.h"
#include "wire/eriantys/dialect.h"
#include "wire/eriantys/port.h"

enum { ERIANTYS_TABLES_MAX_MAX = 1000 * 1000 };

static const struct option_row eriantys_rows[] = {
    FIELD_U32("eriantys-tables-max", struct eriantys_port_config, tables_max, 1, ERIANTYS_TABLES_MAX_MAX,
              "Eriantys games at the same time"),
    FIELD_SECONDS("eriantys-keep", struct eriantys_port_config, keep_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without anybody, after which such a game is given up"),
    FIELD_SECONDS("eriantys-silence", struct eriantys_port_config, json.silence_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a line, after which an Eriantys client is gone"),
    FIELD_SECONDS("eriantys-turn-time", struct eriantys_port_config, turn_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for each action of an Eriantys player; 0 is no limit"),
    FIELD_SECONDS("eriantys-game-time", struct eriantys_port_config, game_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for all actions of an Eriantys player together; 0 is no limit"),
    FIELD_SECONDS("eriantys-increment", struct eriantys_port_config, increment_ms, 0, OPTION_SECONDS_MS_MAX,
                  "that come to that with each turn"),
    {0},
};

static void eriantys_defaults(void *target) {
    *(struct eriantys_port_config *)target = eriantys_port_config_default();
}

static struct port *eriantys_protocol_open(const void *given, const struct protocol_host *host) {
    struct eriantys_port_config c = *(const struct eriantys_port_config *)given;
    c.tables = host->tables;
    c.json.inspector = host->inspector;
    return eriantys_port_create(&c);
}

const struct protocol eriantys_protocol = {
    .name = "eriantys",
    .about = "Eriantys, JSON over TCP",
    .game = "eriantys",
    .page = "protocols/eriantys.md",
    .messages = &eriantys_messages,
    .default_address = "127.0.0.1:36803",
    .config_size = sizeof(struct eriantys_port_config),
    .defaults = eriantys_defaults,
    .rows = eriantys_rows,
    .port = eriantys_protocol_open,
};
