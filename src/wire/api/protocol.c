/* What the server can be told about the native API. */
#include "wire/protocol.h"
#include "wire/api/api.h"
#include "wire/api/asking.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSPECT_VARIABLE "PARLOR_INSPECT"

enum { API_TABLES_MAX_MAX = 1000 * 1000, API_WATCHERS_MAX_MAX = 1000 * 1000 };

static const struct option_row api_rows[] = {
    FIELD_U32("tables-max", struct api_config, lounge.tables_max, 1, API_TABLES_MAX_MAX,
              "tables of the native API at the same time"),
    FIELD_SECONDS("table-idle", struct api_config, lounge.idle_ms, 1, OPTION_SECONDS_MS_MAX,
                  "without a change, after which such a table is given up"),
    FIELD_SECONDS("table-wait", struct api_config, lounge.wait_ms, 1, OPTION_SECONDS_MS_MAX,
                  "that such a table waits for players when nobody of them is there"),
    FIELD_SECONDS("claim-after", struct api_config, lounge.claim_ms, 1, OPTION_SECONDS_MS_MAX,
                  "that a player must be away before the others may claim its seat at such a table"),
    FIELD_U32(
        "absent-bot", struct api_config, lounge.absent_level, 0, BOT_LEVEL_MAX,
        "level of the bot that plays on for a player who is gone, at such tables that say nothing of it; "
        "0: none does"),
    FIELD_SECONDS("absent-after", struct api_config, lounge.absent_ms, 1, OPTION_SECONDS_MS_MAX,
                  "that a player must be away before such a bot plays on"),
    FIELD_U32("watchers-max", struct api_config, watchers_max, 1, API_WATCHERS_MAX_MAX,
              "watchers of one table over WebSocket"),
    FIELD_SECONDS(
        "watch-delay", struct api_config, lounge.watch_delay_ms, 0, LOUNGE_WATCH_DELAY_MS_MAX,
        "that watchers see tables of other protocols later; tables of the native API say so themselves"),
    FIELD_TEXT("cors", "ORIGIN", struct api_config, cors,
               "let pages of this origin use the native API; * for all"),
    FIELD_TEXT("championships", "FILE", struct api_config, championships,
               "open the championships of this file, a list in JSON, once; see docs/championships.md"),
    FIELD_TEXT("inspect", "FILE", struct api_config, inspect_file,
               "record what clients of all tables say; whoever has the token in FILE, or in the environment "
               "as " INSPECT_VARIABLE ", may look (32 hexadecimal digits)"),
    {0},
};

static void api_defaults(void *target) {
    *(struct api_config *)target = api_config_default();
}

/* The token is in a file or in the environment: others can see what stands on the command line. */
static bool inspect_take(struct api_config *c, char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    const char *given = getenv(INSPECT_VARIABLE);
    struct digest hash;
    FILE *file = c->inspect_file == NULL ? NULL : fopen(c->inspect_file, "re");
    if (c->inspect_file != NULL && file == NULL) {
        snprintf(
            complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
            "--inspect takes the name of a file that has the token in it, and this one cannot be read: %s",
            strerror(errno));
        return false;
    }
    size_t size = 0;
    if (file != NULL) {
        size = fread(c->inspect_read, 1, sizeof c->inspect_read - 1, file);
        fclose(file);
    } else if (given != NULL) {
        size = strnlen(given, sizeof c->inspect_read - 1);
        memcpy(c->inspect_read, given, size);
    }
    if (file == NULL && size == 0)
        return true;
    struct span token = span_trim(span_make(c->inspect_read, size));
    if (!token_hash(token, &hash)) {
        snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
                 "what --inspect or " INSPECT_VARIABLE
                 " gives must be a token of %d hexadecimal digits in lower case",
                 TOKEN_CHARS);
        return false;
    }
    memmove(c->inspect_read, token.data, token.size);
    c->inspect_read[token.size] = '\0';
    c->inspect_token = c->inspect_read;
    return true;
}

static bool api_check(void *target, struct protocol_place *place,
                      char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    struct api_config *c = target;
    (void)place;
    if (!inspect_take(c, complaint))
        return false;
    if (c->championships != NULL &&
        !cup_file_check(c->championships, complaint, PROTOCOL_COMPLAINT_BYTES_MAX))
        return false;
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
    c.version = host->version;
    c.server = host->server;
    c.write_protocols = host->write_protocols;
    c.announcer = host->announcer;
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
