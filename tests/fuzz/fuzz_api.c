/* Whatever comes as the body of a request or as a message of a WebSocket: the server answers with JSON that
 * can be read again, or closes, and its tables stay valid. The first byte says which request it is. */
#include "fuzz.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/lounge/lounge.h"
#include "host/table/internal.h"
#include "wire/api/api.h"
#include "wire/json/read.h"

#include <stdio.h>

static int64_t wall_ms(void) {
    return 1000;
}

static int64_t tables_wall_ms(void *context) {
    (void)context;
    return 1000;
}

static void secret(void *context, struct digest *out) {
    static uint8_t count;
    (void)context;
    memset(out->bytes, ++count, DIGEST_BYTES);
}

struct peer {
    struct link link;
    struct buf got;
    bool is_closed;
};

static void peer_send(struct link *link, struct span bytes) {
    buf_append(&((struct peer *)(void *)link)->got, bytes);
}

static void peer_close(struct link *link) {
    ((struct peer *)(void *)link)->is_closed = true;
}

static const struct link_ops peer_ops = {.send = peer_send, .close = peer_close};

/* A server in memory: one table with a person and a free seat. */
struct world {
    struct store *store;
    struct tables *tables;
    struct thinker *thinker;
    struct inspector *inspector;
    struct port *port;
    struct peer peer;
};

static void say(struct world *w, struct span bytes) {
    w->port->ops->received(w->port, &w->peer.link, bytes, 1);
    for (int i = 0; i < 20 && (store_drain(w->store) > 0 || thinker_inline_work(w->thinker)); i++)
        w->port->ops->advance(w->port, 1);
}

static void open_world(struct world *w) {
    w->store = store_memory_open(true);
    w->tables = tables_create(
        &(struct tables_config){.store = w->store, .wall_ms = tables_wall_ms, .secret = secret});
    w->thinker = thinker_inline_create();
    w->inspector = inspector_create(&(struct inspector_config){.wall_ms = wall_ms});
    struct api_config config = api_config_default();
    config.lounge.tables = w->tables;
    config.lounge.thinker = w->thinker;
    config.store = w->store;
    config.inspector = w->inspector;
    struct http_route route = api_route(&config);
    struct http_port_config http = http_port_config_default();
    http.wall_ms = wall_ms;
    w->port = http_port_create(&http, &route, 1);
    w->port->ops->advance(w->port, 1);
    w->peer.link.ops = &peer_ops;
    w->port->ops->opened(w->port, &w->peer.link, 1);
}

static void close_world(struct world *w) {
    if (!w->peer.is_closed)
        w->port->ops->closed(w->port, &w->peer.link, 1);
    w->port->ops->shutdown(w->port);
    while (thinker_inline_work(w->thinker)) {
    }
    w->port->ops->free(w->port);
    inspector_free(w->inspector);
    thinker_free(w->thinker);
    tables_free(w->tables);
    store_close(w->store);
    buf_free(&w->peer.got);
}

static void post(struct world *w, const char *path, const char *token, struct span body) {
    struct buf request = {0};
    buf_printf(&request, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n", path);
    if (token != NULL)
        buf_printf(&request, "Authorization: Bearer %s\r\n", token);
    buf_printf(&request, "Content-Length: %zu\r\n\r\n", body.size);
    buf_append(&request, body);
    buf_clear(&w->peer.got);
    say(w, buf_span(&request));
    buf_free(&request);
}

/* The body of the one answer that has come. */
static struct span answer_of(struct world *w) {
    const char *text = buf_text(&w->peer.got), *end = strstr(text, "\r\n\r\n");
    assert(strncmp(text, "HTTP/1.1 ", 9) == 0 && end != NULL);
    return span_of(end + 4);
}

static json_t *answer_read(struct world *w) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *value = NULL;
    enum err e = json_read_object(answer_of(w), &value, complaint);
    assert(e == ERR_OK);
    (void)e;
    return value;
}

static void fuzz_body(struct world *w, unsigned which, struct span body, const char *code,
                      const char *token) {
    static const char *const words[] = {"seats", "actions", "rematch"};
    char path[64];
    if (which == 0)
        snprintf(path, sizeof path, "/api/v1/tables");
    else
        snprintf(path, sizeof path, "/api/v1/tables/%s/%s", code, words[which - 1]);
    post(w, path, which > 1 ? token : NULL, body);
    json_decref(answer_read(w));
}

/* As messages of a WebSocket, one a line. */
enum { LINE_BYTES_MAX = 65535 };

static void fuzz_socket(struct world *w, struct span lines) {
    static const uint8_t mask[4] = {0};
    say(w, SPAN("GET /api/v1/ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
    while (lines.size > 0 && !w->peer.is_closed) {
        const char *end = memchr(lines.data, '\n', lines.size);
        size_t size = end == NULL ? lines.size : (size_t)(end - lines.data);
        struct buf frame = {0};
        buf_append_byte(&frame, (char)0x81);
        size_t said = size < LINE_BYTES_MAX ? size : LINE_BYTES_MAX;
        if (said < 126) { /* a length is written as short as it can be */
            buf_append_byte(&frame, (char)(0x80 | said));
        } else {
            buf_append_byte(&frame, (char)(0x80 | 126));
            buf_append_byte(&frame, (char)(said >> 8));
            buf_append_byte(&frame, (char)said);
        }
        buf_append(&frame, span_make(mask, 4));
        buf_append(&frame, span_make(lines.data, said));
        say(w, buf_span(&frame));
        buf_free(&frame);
        size += end != NULL;
        lines = span_make(lines.data + size, lines.size - size);
    }
}

static void check_table(void *context, struct table *table) {
    (void)context;
    assert(table_game(table)->valid(table_state(table)) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct world w = {0};
    if (size == 0)
        return 0;
    log_set_level(LOG_ERROR);
    open_world(&w);
    post(&w, "/api/v1/tables", NULL,
         SPAN("{\"game\":\"paper-soccer\",\"seat\":{\"name\":\"ann\"},\"bots\":[{\"seat\":1,\"level\":1}]}"));
    json_t *opened = answer_read(&w);
    struct span body = span_make(data + 1, size - 1);
    if (data[0] % 5 == 4)
        fuzz_socket(&w, body);
    else
        fuzz_body(&w, data[0] % 5, body, json_text(opened, "code").data, json_text(opened, "token").data);
    tables_each(w.tables, check_table, NULL);
    json_decref(opened);
    close_world(&w);
    return 0;
}
