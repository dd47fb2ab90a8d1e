/* What the server can be told about the native API. */
#include "wire/protocol.h"
#include "wire/api/api.h"

#include <stdio.h>

enum { API_TABLES_MAX_MAX = 1000 * 1000, API_WATCHERS_MAX_MAX = 1000 * 1000 };

static const struct option_row api_rows[] = {
    FIELD_U32("tables-max", struct api_config, lounge.tables_max, 1, API_TABLES_MAX_MAX,
              "tables of the native API at the same time"),
    FIELD_SECONDS("table-idle", struct api_config, lounge.idle_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a change, after which such a table is given up"),
    FIELD_U32("watchers-max", struct api_config, watchers_max, 1, API_WATCHERS_MAX_MAX,
              "watchers of one table over WebSocket"),
    FIELD_SECONDS(
        "watch-delay", struct api_config, lounge.watch_delay_ms, 0, LOUNGE_WATCH_DELAY_MS_MAX,
        "that watchers see tables of other protocols later; tables of the native API say so themselves"),
    FIELD_TEXT("cors", "ORIGIN", struct api_config, cors,
               "let pages of this origin use the native API; * for all"),
    FIELD_TEXT("inspect", "TOKEN", struct api_config, inspect_token,
               "record what clients of all tables say; whoever has TOKEN may look (32 hexadecimal digits)"),
    {0},
};

static void api_defaults(void *target) {
    *(struct api_config *)target = api_config_default();
}

static bool api_check(void *target, struct protocol_place *place,
                      char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    const struct api_config *c = target;
    struct digest hash;
    (void)place;
    if (c->inspect_token != NULL && !token_hash(span_of(c->inspect_token), &hash)) {
        snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
                 "--inspect takes a token of %d hexadecimal digits in lower case", TOKEN_CHARS);
        return false;
    }
    for (const char *letter = c->cors; letter != NULL && *letter != '\0'; letter++)
        if (*letter <= ' ' || *letter > '~') {
            snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
                     "--cors takes an origin such as https://example.org, or *");
            return false;
        }
    return true;
}

static struct http_route api_open(const void *given, const struct protocol_host *host) {
    struct api_config c = *(const struct api_config *)given;
    c.lounge.tables = host->tables;
    c.lounge.thinker = host->thinker;
    c.store = host->store;
    c.inspector = host->inspector;
    c.desk = host->desk;
    if (c.inspect_token != NULL)
        inspector_enable_all(host->inspector);
    return api_route(&c);
}

const struct protocol api_protocol = {
    .name = "api",
    .about = "the native API for every game, JSON over HTTP and WebSocket",
    .page = "api.md",
    .config_size = sizeof(struct api_config),
    .defaults = api_defaults,
    .rows = api_rows,
    .check = api_check,
    .route = api_open,
};
