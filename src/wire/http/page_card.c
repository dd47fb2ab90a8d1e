#include "wire/http/page_card.h"

#include <string.h>

/* Text within quotes or between tags. */
static void card_escape(struct buf *out, struct span text) {
    for (size_t i = 0; i < text.size; i++)
        switch (text.data[i]) {
        case '&': buf_append(out, SPAN("&amp;")); break;
        case '<': buf_append(out, SPAN("&lt;")); break;
        case '>': buf_append(out, SPAN("&gt;")); break;
        case '"': buf_append(out, SPAN("&quot;")); break;
        case '\'': buf_append(out, SPAN("&#39;")); break;
        default: buf_append_byte(out, text.data[i]);
        }
}

static bool card_is_in(char letter, const char *others) {
    bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                    (letter >= '0' && letter <= '9');
    return is_plain || (letter != '\0' && strchr(others, letter) != NULL);
}

/* "name", "name:80", "[::1]:80". The guard lets any text in brackets pass, because nobody can point it
 * elsewhere; in an address that others are to follow it is read more strictly. */
static bool card_host_is_plain(struct span host) {
    size_t at = 0;
    bool is_bracketed = host.size > 0 && host.data[0] == '[';
    if (host.size == 0 || host.size > PAGE_CARD_HOST_BYTES_MAX)
        return false;
    if (is_bracketed)
        for (at = 1; at < host.size && host.data[at] != ']'; at++)
            if (!card_is_in(host.data[at], ":."))
                return false;
    for (; at < host.size && !is_bracketed && host.data[at] != ':'; at++)
        if (!card_is_in(host.data[at], "-._"))
            return false;
    if (is_bracketed && at++ == host.size)
        return false;
    if (at == host.size)
        return true;
    int64_t port;
    return at > 0 && host.data[at] == ':' &&
           span_to_int(span_make(host.data + at + 1, host.size - at - 1), &port) && port > 0 &&
           port <= UINT16_MAX;
}

static void card_line(struct buf *out, const char *kind, const char *name, struct span text) {
    buf_printf(out, "<meta %s=\"%s\" content=\"", kind, name);
    card_escape(out, text);
    buf_append(out, SPAN("\">\n"));
}

static void card_address(struct buf *out, const char *kind, const char *name, const struct http_request *r,
                         struct span path) {
    buf_printf(out, "<meta %s=\"%s\" content=\"%s://", kind, name, r->is_secure ? "https" : "http");
    card_escape(out, r->host);
    card_escape(out, path);
    buf_append(out, SPAN("\">\n"));
}

void page_card_write(const struct page_card *card, const struct http_request *request, struct buf *out) {
    bool has_picture = card->picture != NULL && card_host_is_plain(request->host);
    card_line(out, "name", "description", card->about);
    card_line(out, "property", "og:type", SPAN("website"));
    card_line(out, "property", "og:site_name", SPAN("Parlor"));
    card_line(out, "property", "og:title", card->title);
    card_line(out, "property", "og:description", card->about);
    if (card_host_is_plain(request->host))
        card_address(out, "property", "og:url", request, request->path);
    if (has_picture) {
        card_address(out, "property", "og:image", request, span_of(card->picture));
        card_line(out, "property", "og:image:type", SPAN("image/png"));
        buf_printf(out, "<meta property=\"og:image:width\" content=\"%d\">\n", PAGE_CARD_WIDTH_PX);
        buf_printf(out, "<meta property=\"og:image:height\" content=\"%d\">\n", PAGE_CARD_HEIGHT_PX);
        card_line(out, "property", "og:image:alt", card->title);
        card_address(out, "name", "twitter:image", request, span_of(card->picture));
    }
    card_line(out, "name", "twitter:card", has_picture ? SPAN("summary_large_image") : SPAN("summary"));
    card_line(out, "name", "twitter:title", card->title);
    card_line(out, "name", "twitter:description", card->about);
    buf_append(out, SPAN("<title>"));
    card_escape(out, card->title);
    buf_append(out, SPAN("</title>\n"));
}
