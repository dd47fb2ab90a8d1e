/* What the server can be told about Masters of Renaissance. */
#include "wire/protocol.h"
#include "wire/renaissance/dialect.h"
#include "wire/renaissance/port.h"

#include <stdio.h>

enum { RENAISSANCE_TABLES_MAX_MAX = 1000 * 1000, RENAISSANCE_JAVA_PAUSE_MS_MAX = 10 * 1000 };

static const struct option_row renaissance_rows[] = {
    FIELD_INT("renaissance-tables-max", struct renaissance_port_config, tables_max, 1,
              RENAISSANCE_TABLES_MAX_MAX, "Masters of Renaissance games at the same time"),
    FIELD_SECONDS("renaissance-keep", struct renaissance_port_config, keep_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without anybody, after which such a game is given up"),
    FIELD_SECONDS("renaissance-silence", struct renaissance_port_config, silence_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a line of a player there, after which the player is gone"),
    FIELD_SECONDS("renaissance-return", struct renaissance_port_config, return_ms, 1, OPTION_SECONDS_MS_MAX,
                  "for players to come back after a restart before their turns are skipped"),
    FIELD_SECONDS("renaissance-answer-time", struct renaissance_port_config, answer_ms, 1,
                  OPTION_SECONDS_MS_MAX, "for the number of players, when others wait for it"),
    FIELD_SECONDS("renaissance-turn-time", struct renaissance_port_config, turn_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for each action of a player there; 0 is no limit"),
    FIELD_SECONDS("renaissance-game-time", struct renaissance_port_config, game_ms, 0, OPTION_SECONDS_MS_MAX,
                  "for all actions of a player there together; 0 is no limit"),
    FIELD_SECONDS("renaissance-increment", struct renaissance_port_config, increment_ms, 0,
                  OPTION_SECONDS_MS_MAX, "that come to that with each turn"),
    FIELD_SECONDS("renaissance-java-pause", struct renaissance_port_config, java_pause_ms, 1,
                  RENAISSANCE_JAVA_PAUSE_MS_MAX, "between two messages to a client of Java streams"),
    FIELD_INT("renaissance-name-min", struct renaissance_port_config, name_chars_min, 1,
              RENAISSANCE_NAME_CHARS_MAX, "characters that a nickname there has at least"),
    FIELD_INT("renaissance-name-max", struct renaissance_port_config, name_chars_max, 1,
              RENAISSANCE_NAME_CHARS_MAX, "characters that a nickname there has at most"),
    FIELD_FLAG("renaissance-lenient", struct renaissance_port_config, is_lenient,
               "take parameters there without the actionReply before them"),
    {0},
};

static void renaissance_defaults(void *target) {
    *(struct renaissance_port_config *)target = renaissance_port_config_default();
}

static bool renaissance_check(void *target, struct protocol_place *place,
                              char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    const struct renaissance_port_config *c = target;
    (void)place;
    if (c->name_chars_min <= c->name_chars_max)
        return true;
    snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
             "--renaissance-name-min is more than --renaissance-name-max");
    return false;
}

static struct port *renaissance_open(const void *given, const struct protocol_host *host) {
    struct renaissance_port_config c = *(const struct renaissance_port_config *)given;
    c.tables = host->tables;
    c.players_max = host->players_max;
    c.inspector = host->inspector;
    return renaissance_port_create(&c);
}

const struct protocol renaissance_protocol = {
    .name = "renaissance",
    .about = "Masters of Renaissance, JSON over TCP",
    .game = "renaissance",
    .page = "protocols/renaissance.md",
    .messages = &renaissance_messages,
    .default_address = "127.0.0.1:4000",
    .config_size = sizeof(struct renaissance_port_config),
    .defaults = renaissance_defaults,
    .rows = renaissance_rows,
    .check = renaissance_check,
    .port = renaissance_open,
};
