#include "wire/http/page_route.h"

#include "base/log.h"

#include <stdio.h>

#define TEXT_PLAIN "text/plain; charset=utf-8"

/* The page loads nothing from elsewhere, runs no script that is not its own, and cannot be framed. */
#define POLICY                                                                                               \
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "      \
    "data:; "                                                                                                \
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "         \
    "'none'\r\n"                                                                                             \
    "Referrer-Policy: same-origin\r\n"

enum { HEADERS_BYTES_MAX = 640 };

static bool begins_with(struct span text, struct span start) {
    return text.size >= start.size && memcmp(text.data, start.data, start.size) == 0;
}

/* Whether a path is that of the page of a game's rules: they are there as a document of their own, with ".md"
 * behind it. */
static bool page_has_rules(struct span path) {
    static const char ending[] = ".md";
    for (const struct page_asset *a = page_assets; a->path != NULL; a++)
        if (strlen(a->path) == path.size + sizeof ending - 1 && memcmp(a->path, path.data, path.size) == 0 &&
            strcmp(a->path + path.size, ending) == 0)
            return true;
    return false;
}

static const struct page_asset *asset_of(struct span path) {
    if (begins_with(path, SPAN("/t/")) || begins_with(path, SPAN("/p/")) || span_is(path, "/connect") ||
        span_is(path, "/archive"))
        path = SPAN("/"); /* the document reads its own address */
    if (begins_with(path, SPAN("/rules/")) && page_has_rules(path))
        path = SPAN("/");
    for (const struct page_asset *a = page_assets; a->path != NULL; a++)
        if (span_is(path, a->path))
            return a;
    return NULL;
}

/* True when one of the tags of an If-None-Match header is this one, strong or weak, or it is "*". */
static bool tags_have(struct span tags, const char *etag) {
    while (tags.size > 0) {
        const char *comma = memchr(tags.data, ',', tags.size);
        size_t size = comma == NULL ? tags.size : (size_t)(comma - tags.data);
        struct span tag = span_trim(span_make(tags.data, size));
        if (begins_with(tag, SPAN("W/")))
            tag = span_make(tag.data + 2, tag.size - 2);
        if (span_is(tag, etag) || span_is(tag, "*"))
            return true;
        tags = comma == NULL ? SPAN("") : span_make(comma + 1, tags.size - size - 1);
    }
    return false;
}

/* The document itself says that there is nothing at its address. */
static bool page_unknown(void *context, const struct http_request *request, struct http_exchange *exchange) {
    (void)context;
    const struct page_asset *document = asset_of(SPAN("/"));
    bool is_read = request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD;
    if (!is_read || !request->accepts_html || document == NULL)
        return false;
    http_exchange_set_headers(exchange, SPAN(POLICY "Cache-Control: no-cache\r\n"));
    if (request->accepts_gzip)
        http_answer_gzip(exchange, 404, document->content_type, document->gzip);
    else
        http_answer(exchange, 404, document->content_type, document->plain);
    return true;
}

static void answer_asset(const struct page_asset *a, const struct http_request *request,
                         struct http_exchange *exchange) {
    char headers[HEADERS_BYTES_MAX];
    int size = snprintf(headers, sizeof headers, "%sETag: %s\r\nCache-Control: %s\r\n%s", POLICY, a->etag,
                        a->is_immutable ? "public, max-age=31536000, immutable" : "no-cache",
                        request->accepts_gzip ? "" : "Vary: Accept-Encoding\r\n");
    http_exchange_set_headers(exchange, span_make(headers, (size_t)size));
    if (tags_have(request->if_none_match, a->etag))
        http_answer(exchange, 304, a->content_type, SPAN(""));
    else if (request->accepts_gzip)
        http_answer_gzip(exchange, 200, a->content_type, a->gzip);
    else
        http_answer(exchange, 200, a->content_type, a->plain);
}

static bool page_take(void *context, const struct http_request *request, struct http_exchange *exchange,
                      uint64_t now_ms) {
    (void)context;
    (void)now_ms;
    const struct page_asset *a = asset_of(request->path);
    if (a == NULL)
        return false;
    if (request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD) {
        answer_asset(a, request, exchange);
    } else {
        http_exchange_set_headers(exchange, SPAN("Allow: GET, HEAD\r\n"));
        http_answer_refusal(exchange, http_page_is_read);
    }
    return true;
}

struct http_route page_route(void) {
    if (!page_is_built)
        log_event(LOG_WARN, "page-missing",
                  LOG_TEXT("why", SPAN("Node.js was not there when the program was built")));
    return (struct http_route){.take = page_take, .unknown = page_unknown};
}
