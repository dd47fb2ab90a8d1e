/* The HTTP port by itself, to be held against http_reference: the server's loop and connections, and one
 * route that answers everything with the same 16 kB.
 *
 *     http_serve     listens on a free port of the loopback and prints "ready http=127.0.0.1:PORT" */
#include "body.h"

#include "server/server.h"
#include "wire/http/http.h"

#include <stdio.h>

static char body[BENCH_BODY_BYTES];

static bool take(void *context, const struct http_request *request, struct http_exchange *exchange,
                 uint64_t now_ms) {
    (void)context;
    (void)request;
    (void)now_ms;
    http_answer(exchange, 200, "application/xml", span_make(body, sizeof body));
    return true;
}

int main(void) {
    bench_body(body);
    struct http_port_config http = http_port_config_default();
    struct server_config config = server_config_default();
    struct server *server = server_create(&config);
    const struct http_route route = {.take = take};
    if (server_listen(server, "http", "127.0.0.1", 0, http_port_create(&http, &route, 1)) != ERR_OK) {
        fprintf(stderr, "http_serve: %s\n", server_complaint(server));
        server_free(server);
        return 1;
    }
    printf("ready http=%s\n", server_address(server, "http"));
    fflush(stdout);
    server_run(server);
    server_free(server);
    return 0;
}
