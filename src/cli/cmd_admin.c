/* parlor admin: what the operator does while a server runs, over its socket. Every command is one request of
 * HTTP, and its answer is printed as a sentence or as a list; --json prints it as it came. */
#include "base/mem.h"
#include "base/span.h"
#include "cli/command.h"
#include "cli/http_client.h"
#include "cli/options.h"
#include "server/local_socket.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define ADMIN_SOCKET_DEFAULT "/run/parlor/admin.sock"

enum { ADMIN_OPERANDS_MAX = 3, ADMIN_COLUMNS_MAX = 8, ADMIN_BODY_BYTES_MAX = 4096 };

static struct {
    const char *socket;
    bool is_json;
} admin;

static const struct option_row admin_rows[] = {
    ROW_TEXT("socket", "PATH", &admin.socket, "of the server, as its option --admin names it"),
    ROW_FLAG("json", &admin.is_json, "print the answer as the server gives it"),
    {0},
};

/* A command: its words, its request, and how its answer is shown. A word after the name fills the field of
 * the body that has its place; those in brackets may be left out. */
static const struct order {
    const char *name, *operands, *help;
    const char *method, *path;
    const char *fields[ADMIN_OPERANDS_MAX];
    int needed;                             /* of the operands */
    const char *list;                       /* of the answer; NULL: it is a sentence */
    const char *columns[ADMIN_COLUMNS_MAX]; /* of the list */
} orders[] = {
    {"status", "", "how the server is", "GET", "/admin/status", {0}, 0, NULL, {0}},
    {"tables",
     "",
     "the tables that it has",
     "GET",
     "/admin/tables",
     {0},
     0,
     "tables",
     {"table", "game", "protocol", "state", "seats", "free", "online", "version"}},
    {"connections",
     "",
     "the connections",
     "GET",
     "/admin/connections",
     {0},
     0,
     "connections",
     {"connection", "listener", "address", "seconds", "unsent_bytes"}},
    {"bans", "", "addresses that are banned", "GET", "/admin/bans", {0}, 0, "bans", {"address", "seconds"}},
    {"championships",
     "",
     "the championships",
     "GET",
     "/admin/championships",
     {0},
     0,
     "championships",
     {"championship", "type", "state", "paused", "players", "entered"}},
    {"close-table", "CODE", "ends a table undecided", "POST", "/admin/tables/close", {"table"}, 1, NULL, {0}},
    {"close-connection",
     "NUMBER",
     "closes a connection",
     "POST",
     "/admin/connections/close",
     {"#connection"},
     1,
     NULL,
     {0}},
    {"ban",
     "ADDRESS [SECONDS]",
     "lets nobody in from there, for an hour if not told",
     "POST",
     "/admin/bans",
     {"address", "#seconds"},
     1,
     NULL,
     {0}},
    {"lift", "ADDRESS", "lets them in again", "POST", "/admin/bans/lift", {"address"}, 1, NULL, {0}},
    {"open-championship",
     "TYPE PLAYERS",
     "opens a championship",
     "POST",
     "/admin/championships",
     {"type", "#players"},
     2,
     NULL,
     {0}},
    {"open",
     "NAME GAME FORMAT",
     "opens one with a format",
     "POST",
     "/admin/championships",
     {"name", "game", "format"},
     3,
     NULL,
     {0}},
    {"enter-bot",
     "NAME BOT LEVEL",
     "enters a bot in it",
     "POST",
     "/admin/championships/bots",
     {"championship", "name", "#level"},
     3,
     NULL,
     {0}},
    {"begin", "NAME", "begins it", "POST", "/admin/championships/begin", {"championship"}, 1, NULL, {0}},
    {"pause",
     "NAME",
     "begins no more games of a championship",
     "POST",
     "/admin/championships/pause",
     {"championship"},
     1,
     NULL,
     {0}},
    {"resume",
     "NAME",
     "goes on with it",
     "POST",
     "/admin/championships/resume",
     {"championship"},
     1,
     NULL,
     {0}},
    {"cancel",
     "NAME",
     "ends it as it stands",
     "POST",
     "/admin/championships/cancel",
     {"championship"},
     1,
     NULL,
     {0}},
    {"announce",
     "TEXT",
     "tells everybody at the page and the API",
     "POST",
     "/admin/announce",
     {"text"},
     1,
     NULL,
     {0}},
    {"drain", "", "opens no more tables, and ends when none runs", "POST", "/admin/drain", {0}, 0, NULL, {0}},
    {"undrain", "", "opens tables again", "POST", "/admin/undrain", {0}, 0, NULL, {0}},
    {"reload", "", "reads the configuration file again", "POST", "/admin/reload", {0}, 0, NULL, {0}},
};

enum { ORDERS = sizeof orders / sizeof *orders };

static const struct order *order_of(const char *name) {
    for (size_t i = 0; i < ORDERS; i++)
        if (strcmp(orders[i].name, name) == 0)
            return &orders[i];
    return NULL;
}

/* The body that the words of a call make; NULL, and says so: a word is no number. */
static json_t *order_body(const struct order *order, char **words, int count) {
    json_t *body = json_object();
    for (int i = 0; i < count; i++) {
        const char *field = order->fields[i];
        int64_t number;
        if (field[0] != '#') {
            json_object_set_new(body, field, json_string(words[i]));
        } else if (span_to_int(span_of(words[i]), &number)) {
            json_object_set_new(body, field + 1, json_integer(number));
        } else {
            fprintf(stderr, "parlor: '%s' is no number\n", words[i]);
            json_decref(body);
            return NULL;
        }
    }
    return body;
}

static void value_print(const json_t *value, const char *end) {
    if (json_is_string(value))
        printf("%s%s", json_string_value(value), end);
    else if (json_is_boolean(value))
        printf("%s%s", json_is_true(value) ? "yes" : "no", end);
    else
        printf("%lld%s", (long long)json_integer_value(value), end);
}

static void list_print(const struct order *order, const json_t *rows) {
    size_t i;
    const json_t *row;
    for (int k = 0; k < ADMIN_COLUMNS_MAX && order->columns[k] != NULL; k++)
        printf("%s%s", k == 0 ? "" : "\t", order->columns[k]);
    printf("\n");
    json_array_foreach(rows, i, row) {
        for (int k = 0; k < ADMIN_COLUMNS_MAX && order->columns[k] != NULL; k++) {
            bool is_last = k + 1 == ADMIN_COLUMNS_MAX || order->columns[k + 1] == NULL;
            value_print(json_object_get(row, order->columns[k]), is_last ? "\n" : "\t");
        }
    }
}

/* Every figure of a status, and then its sentence. */
static void status_print(const json_t *answer) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)answer, name, value) if (strcmp(name, "said") != 0) {
        printf("%s: ", name);
        value_print(value, "\n");
    }
}

static int answer_print(const struct order *order, int status, struct span text) {
    json_t *answer = json_loadb(text.data, text.size, 0, NULL);
    const char *error = json_string_value(json_object_get(answer, "error"));
    const char *said = json_string_value(json_object_get(answer, "said"));
    if (admin.is_json && json_is_object(answer)) {
        printf("%.*s", (int)text.size, text.data);
    } else if (status != 200) {
        fprintf(stderr, "parlor: %.*s\n", error != NULL ? (int)strlen(error) : (int)text.size,
                error != NULL ? error : text.data);
    } else if (order->list != NULL) {
        list_print(order, json_object_get(answer, order->list));
    } else {
        if (strcmp(order->name, "status") == 0)
            status_print(answer);
        printf("%s\n", said == NULL ? "" : said);
    }
    json_decref(answer);
    return status == 200 ? 0 : 1;
}

static int order_send(const struct order *order, const json_t *body) {
    char text[ADMIN_BODY_BYTES_MAX];
    size_t size = json_dumpb(body, text, sizeof text, JSON_COMPACT);
    bool is_post = strcmp(order->method, "POST") == 0;
    struct http_client client;
    struct buf out = {0};
    int status = 0, result = 1;
    if (!http_client_open_local(&client, admin.socket)) {
        fprintf(stderr, "parlor: no server answers at %s (%s); --socket names another\n", admin.socket,
                strerror(errno));
    } else {
        client.type = "application/json";
        enum err e = http_client_ask(&client, order->method, order->path,
                                     is_post ? span_make(text, size < sizeof text ? size : 0) : SPAN(""),
                                     &status, &out);
        if (e == ERR_OK)
            result = answer_print(order, status, buf_span(&out));
        else
            fprintf(stderr, "parlor: %s: %s\n", admin.socket, err_sentence(e));
    }
    http_client_close(&client);
    buf_free(&out);
    return result;
}

static void orders_describe(struct buf *out) {
    buf_append_text(out, "What the operator of a running server can see and do, over its socket.\n\n");
    for (size_t i = 0; i < ORDERS; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s%s%s", orders[i].name, orders[i].operands[0] != '\0' ? " " : "",
                 orders[i].operands);
        buf_printf(out, "  %-32s %s%s", words, orders[i].help, i + 1 < ORDERS ? "\n" : "");
    }
    buf_append_byte(out, '\0');
}

static int orders_take(const struct operands *operands) {
    const struct order *order = order_of(operands->list[0]);
    int count = operands->count - 1, most = 0;
    if (order == NULL) {
        fprintf(stderr, "parlor: admin has no command '%s'; see 'parlor admin --help'\n", operands->list[0]);
        return EXIT_USAGE;
    }
    while (most < ADMIN_OPERANDS_MAX && order->fields[most] != NULL)
        most++;
    if (count < order->needed || count > most) {
        fprintf(stderr, "parlor: admin %s takes %s; see 'parlor admin --help'\n", order->name,
                order->operands[0] == '\0' ? "nothing more" : order->operands);
        return EXIT_USAGE;
    }
    json_t *body = order_body(order, operands->list + 1, count);
    if (body == NULL)
        return EXIT_USAGE;
    int status = order_send(order, body);
    json_decref(body);
    return status;
}

static int admin_run(int argc, char **argv) {
    struct buf about = {0};
    struct operands operands;
    admin.socket = ADMIN_SOCKET_DEFAULT;
    orders_describe(&about);
    const struct options options = {.command = "admin",
                                    .operands = "COMMAND",
                                    .about = about.data,
                                    .rows = admin_rows,
                                    .operands_min = 1,
                                    .operands_max = 1 + ADMIN_OPERANDS_MAX};
    int status = options_parse(&options, argc, argv, &operands);
    if (status == OPTIONS_GO_ON)
        status = orders_take(&operands);
    buf_free(&about);
    return status;
}

const struct command cmd_admin = {"admin", "see and do things at a running server", admin_run};
