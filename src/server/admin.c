#include "server/admin.h"

#include "base/address.h"
#include "base/mem.h"
#include "wire/http/health_route.h"

#include <stdio.h>

struct admin {
    struct admin_config config;
    struct buf out;
};

static bool admin_complain(char complaint[PROTOCOL_COMPLAINT_BYTES_MAX], struct span text, const char *why) {
    snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX, "--admin cannot be '%.*s': %s",
             (int)(text.size < 100 ? text.size : 100), text.data, why);
    return false;
}

/* Whoever reaches this listener sees what no player may. */
static bool admin_is_loopback(const char *host) {
    struct address address;
    return strcmp(host, "localhost") == 0 ||
           (address_parse(span_of(host), &address) && address_is_loopback(&address));
}

static bool admin_place_parse(struct span text, struct admin_place *out,
                              char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    char address[PROTOCOL_HOST_BYTES_MAX];
    *out = (struct admin_place){.is_local = memchr(text.data, '/', text.size) != NULL};
    if (out->is_local)
        return span_copy(text, out->path, sizeof out->path) ||
               admin_complain(complaint, text, "the path of a socket has at most 107 bytes");
    if (!span_copy(text, address, sizeof address) ||
        address_split(address, out->at.host, sizeof out->at.host, &out->at.number) != ERR_OK)
        return admin_complain(complaint, text,
                              "it takes the path of a socket with a '/' in it, ADDR:PORT, or off");
    return admin_is_loopback(out->at.host) ||
           admin_complain(complaint, text,
                          "it listens on this machine alone, as 127.0.0.1:9464 or [::1]:9464");
}

bool admin_places_parse(const char *text, struct admin_places *out,
                        char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    struct span rest = span_of(text);
    *out = (struct admin_places){0};
    if (span_is(rest, "off"))
        return true;
    for (bool has_more = true; has_more;) {
        const char *comma = memchr(rest.data, ',', rest.size);
        size_t size = comma == NULL ? rest.size : (size_t)(comma - rest.data);
        struct span place = span_trim(span_make(rest.data, size));
        has_more = comma != NULL;
        if (out->count == ADMIN_PLACES_MAX)
            return admin_complain(complaint, place, "it takes one socket and one address");
        if (!admin_place_parse(place, &out->of[out->count++], complaint))
            return false;
        if (out->count == ADMIN_PLACES_MAX && out->of[0].is_local == out->of[1].is_local)
            return admin_complain(complaint, place, "it takes one socket and one address");
        if (has_more)
            rest = span_make(comma + 1, rest.size - size - 1);
    }
    return true;
}

static void admin_answer_metrics(struct admin *a, struct http_exchange *exchange) {
    buf_clear(&a->out);
    metrics_write(&a->out, &a->config.metrics);
    http_exchange_set_headers(exchange, SPAN("Cache-Control: no-store\r\n"));
    http_answer(exchange, 200, METRICS_CONTENT_TYPE, buf_span(&a->out));
}

static bool admin_take(void *context, const struct http_request *request, struct http_exchange *exchange,
                       uint64_t now_ms) {
    (void)now_ms;
    if (!span_is(request->path, "/metrics"))
        return false;
    if (request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD) {
        admin_answer_metrics(context, exchange);
    } else {
        http_exchange_set_headers(exchange, SPAN("Allow: GET, HEAD\r\n"));
        http_answer_refusal(exchange, http_metrics_are_read);
    }
    return true;
}

struct admin *admin_create(const struct admin_config *config) {
    struct admin *a = mem_alloc(sizeof *a);
    a->config = *config;
    return a;
}

void admin_free(struct admin *a) {
    buf_free(&a->out);
    mem_free(a);
}

/* One port for each place, with the same routes. */
static struct port *admin_port(struct admin *a, const struct admin_place *place) {
    const struct http_route routes[] = {{.context = a, .take = admin_take},
                                        place->is_local ? commands_route(a->config.commands)
                                                        : commands_refusal_route(),
                                        health_route(a->config.host)};
    struct http_port_config config = http_port_config_default();
    config.header_timeout_ms = a->config.message_timeout_ms;
    config.guard.place = place->is_local ? "localhost" : place->at.host;
    struct port *port = http_port_create(&config, routes, sizeof routes / sizeof *routes);
    port->is_operator = true;
    return port;
}

enum err admin_listen(struct admin *a, struct server *server, const struct admin_places *places) {
    for (size_t i = 0; i < places->count; i++) {
        const struct admin_place *place = &places->of[i];
        struct port *port = admin_port(a, place);
        enum err e = place->is_local ? server_listen_local(server, ADMIN_NAME, place->path, port)
                                     : server_listen(server,
                                                     &(struct server_place){.name = ADMIN_TCP_NAME,
                                                                            .host = place->at.host,
                                                                            .number = place->at.number},
                                                     port);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}
