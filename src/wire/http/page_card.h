/* The card of a shared link: what programs that show links to people (messengers, search) read in the head of
 * the document instead of running its script. Open Graph, and the names that Twitter gave to the same things.
 */
#ifndef WIRE_HTTP_PAGE_CARD_H
#define WIRE_HTTP_PAGE_CARD_H

#include "wire/http/http.h"

enum {
    PAGE_CARD_HOST_BYTES_MAX = 262, /* a name of 255, a colon and a port */
    PAGE_CARD_WIDTH_PX = 1200,      /* of its picture */
    PAGE_CARD_HEIGHT_PX = 630,
};

/* Texts as people read them: whatever they have in them is escaped here. Borrowed. */
struct page_card {
    struct span title, about;
    const char *picture; /* its path; NULL: there is none */
};

/* Writes the card as lines of the head of a document. Addresses in it are those of the request: its host and
 * path. A request whose host is no plain name or address with a port gets a card without addresses. */
void page_card_write(const struct page_card *, const struct http_request *, struct buf *out);

#endif
