#include "wire/http/page_route.h"

#include "base/digest.h"
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

enum { HEADERS_BYTES_MAX = 640, PICTURE_PATH_BYTES_MAX = 64, PAGE_TAG_CHARS = 16 };

static bool begins_with(struct span text, struct span start) {
    return text.size >= start.size && memcmp(text.data, start.data, start.size) == 0;
}

/* Whether a path is that of a page which shows a text, the rules of a game or the description of a protocol:
 * it is there as a document of its own, with ".md" behind it. */
static bool page_has_text(struct span path) {
    static const char ending[] = ".md";
    for (const struct page_asset *a = page_assets; a->path != NULL; a++)
        if (strlen(a->path) == path.size + sizeof ending - 1 && memcmp(a->path, path.data, path.size) == 0 &&
            strcmp(a->path + path.size, ending) == 0)
            return true;
    return false;
}

static const struct page_asset *asset_of(struct span path) {
    if (begins_with(path, SPAN("/t/")) || begins_with(path, SPAN("/p/")) || span_is(path, "/c") ||
        span_is(path, "/c/") || span_is(path, "/connect") || span_is(path, "/archive"))
        path = SPAN("/"); /* the document reads its own address */
    if ((begins_with(path, SPAN("/rules/")) || begins_with(path, SPAN("/docs/"))) && page_has_text(path))
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

/* What the document has in the place of a card when it is embedded; the page that is missing has none. */
static bool page_split(const struct page_asset *document, struct span *before, struct span *after) {
    static const char begin[] = "<!-- card -->\n", end[] = "<!-- card ends -->\n";
    struct span text = document->plain;
    const char *from = memmem(text.data, text.size, begin, sizeof begin - 1);
    const char *to = memmem(text.data, text.size, end, sizeof end - 1);
    if (from == NULL || to == NULL)
        return false;
    to += sizeof end - 1;
    *before = span_make(text.data, (size_t)(from - text.data));
    *after = span_make(to, text.size - (size_t)(to - text.data));
    return true;
}

static void page_answer(const struct http_request *request, struct http_exchange *exchange, int status,
                        const struct page_asset *a) {
    char headers[HEADERS_BYTES_MAX];
    int size = snprintf(headers, sizeof headers, "%sETag: %s\r\nCache-Control: %s\r\n%s", POLICY, a->etag,
                        a->is_immutable ? "public, max-age=31536000, immutable" : "no-cache",
                        request->accepts_gzip ? "" : "Vary: Accept-Encoding\r\n");
    http_exchange_set_headers(exchange, span_make(headers, (size_t)size));
    if (status == 200 && tags_have(request->if_none_match, a->etag))
        http_answer(exchange, 304, a->content_type, SPAN(""));
    else if (request->accepts_gzip && a->gzip.size > 0)
        http_answer_gzip(exchange, status, a->content_type, a->gzip);
    else
        http_answer(exchange, status, a->content_type, a->plain);
}

void page_answer_card(const struct http_request *request, struct http_exchange *exchange, int status,
                      const struct page_card *card) {
    const struct page_asset *document = asset_of(SPAN("/"));
    struct span before, after;
    if (card == NULL || !page_split(document, &before, &after)) {
        page_answer(request, exchange, status, document);
        return;
    }
    struct buf plain = {0}, gzip = {0};
    struct digest digest;
    char hex[2 * DIGEST_BYTES + 1], etag[PAGE_TAG_CHARS + 3];
    buf_append(&plain, before);
    page_card_write(card, request, &plain);
    buf_append(&plain, after);
    struct span text = buf_span(&plain);
    digest_of(&digest, NULL, &text, 1);
    digest_format(&digest, hex);
    snprintf(etag, sizeof etag, "\"%.*s\"", PAGE_TAG_CHARS, hex);
    if (request->accepts_gzip)
        http_gzip(&gzip, text);
    page_answer(request, exchange, status,
                &(struct page_asset){"/", document->content_type, etag, text, buf_span(&gzip), false});
    buf_free(&plain);
    buf_free(&gzip);
}

const char *page_picture(const char *game) {
    char path[PICTURE_PATH_BYTES_MAX];
    int size = snprintf(path, sizeof path, "/cards/%s.png", game == NULL ? "parlor" : game);
    const struct page_asset *a = asset_of(span_make(path, (size_t)size));
    if (a != NULL)
        return a->path;
    return game == NULL ? NULL : page_picture(NULL);
}

/* The document itself says that there is nothing at its address. */
static bool page_unknown(void *context, const struct http_request *request, struct http_exchange *exchange) {
    (void)context;
    bool is_read = request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD;
    if (!is_read || !request->accepts_html)
        return false;
    page_answer_card(request, exchange, 404, NULL);
    return true;
}

static bool page_take(void *context, const struct http_request *request, struct http_exchange *exchange,
                      uint64_t now_ms) {
    (void)context;
    (void)now_ms;
    const struct page_asset *a = asset_of(request->path);
    if (a == NULL)
        return false;
    if (request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD) {
        page_answer(request, exchange, 200, a);
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
