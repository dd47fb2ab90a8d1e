/* What the server can be told about Treasure Hunt over HTTP and XML. */
#include "wire/protocol.h"
#include "wire/treasure/route.h"

enum { HUNT_GAMES_MAX_MAX = 1000 * 1000 };

static const struct option_row treasure_rows[] = {
    FIELD_U32("hunt-games-max", struct hunt_config, games_max, 1, HUNT_GAMES_MAX_MAX,
              "Treasure Hunt games at the same time; one more drops the oldest"),
    FIELD_SECONDS("hunt-idle", struct hunt_config, idle_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a request, after which such a game is given up"),
    FIELD_SECONDS("hunt-poll-interval", struct hunt_config, poll_interval_ms, 0, OPTION_SECONDS_MS_MAX,
                  "between two state queries of a player; earlier ones are answered late"),
    FIELD_SECONDS("hunt-action-time", struct hunt_config, action_ms, 1, OPTION_SECONDS_MS_MAX,
                  "for an action in games of course players"),
    FIELD_SECONDS("hunt-game-time", struct hunt_config, game_ms, 1, OPTION_SECONDS_MS_MAX,
                  "for a whole game of course players"),
    {0},
};

static void treasure_defaults(void *target) {
    *(struct hunt_config *)target = hunt_config_default();
}

static struct http_route treasure_protocol_open(const void *given, const struct protocol_host *host) {
    struct hunt_config c = *(const struct hunt_config *)given;
    c.tables = host->tables;
    c.thinker = host->thinker;
    return treasure_route(&c, host->inspector);
}

const struct protocol treasure_protocol = {
    .name = HUNT_PROTOCOL,
    .about = "Treasure Hunt, HTTP and XML, polled",
    .game = "treasure-hunt",
    .page = "protocols/treasure.md",
    .config_size = sizeof(struct hunt_config),
    .defaults = treasure_defaults,
    .rows = treasure_rows,
    .route = treasure_protocol_open,
};
