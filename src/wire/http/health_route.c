#include "wire/http/health_route.h"

#include "store/store.h"

#define TEXT_PLAIN "text/plain; charset=utf-8"

/* A server that answers is alive. One that cannot write is too: its players are told why they wait, and
 * starting it again would not help them. */
static const char *health_live(const struct protocol_host *host) {
    (void)host;
    return NULL;
}

static const char *health_ready(const struct protocol_host *host) {
    return store_why_not(host->store);
}

/* What lives at one node at a time. A node that may have lost it to another one does not have it. */
static const char *health_ugs(const struct protocol_host *host) {
    if (host->desk->hall == NULL)
        return host->desk->is_elsewhere ? http_hall_elsewhere.sentence : http_hall_off.sentence;
    return tables_has_lease(host->tables) ? NULL : http_hall_unsure.sentence;
}

/* What can be asked, and who says why not as a sentence, or NULL. */
static const struct health_row {
    const char *path;
    const char *(*why_not)(const struct protocol_host *);
} health_rows[] = {
    {"/health/live", health_live},
    {"/health/ready", health_ready},
    {"/health/ugs", health_ugs},
};

static void health_answer(const struct health_row *row, const struct protocol_host *host,
                          struct http_exchange *exchange) {
    const char *why_not = row->why_not(host);
    struct buf body = {0};
    buf_printf(&body, "%s\n", why_not == NULL ? "ok" : why_not);
    http_exchange_set_headers(exchange, SPAN("Cache-Control: no-store\r\n"));
    http_answer(exchange, why_not == NULL ? 200 : 503, TEXT_PLAIN, buf_span(&body));
    buf_free(&body);
}

static bool health_take(void *context, const struct http_request *request, struct http_exchange *exchange,
                        uint64_t now_ms) {
    const struct health_row *row = NULL;
    (void)now_ms;
    for (size_t i = 0; i < sizeof health_rows / sizeof *health_rows && row == NULL; i++)
        if (span_is(request->path, health_rows[i].path))
            row = &health_rows[i];
    if (row == NULL)
        return false;
    if (request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD) {
        health_answer(row, context, exchange);
    } else {
        http_exchange_set_headers(exchange, SPAN("Allow: GET, HEAD\r\n"));
        http_answer_refusal(exchange, http_health_is_read);
    }
    return true;
}

struct http_route health_route(const struct protocol_host *host) {
    return (struct http_route){.context = (void *)(uintptr_t)host, .take = health_take};
}
