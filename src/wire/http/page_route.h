/* The web page as part of HTTP: a few files that the build has embedded into the program, plain and
 * compressed, so that serving them costs a lookup and a copy. What a path means beyond that is the page's own
 * affair: every path of the page is answered with the same document, but for the card in its head. */
#ifndef WIRE_HTTP_PAGE_ROUTE_H
#define WIRE_HTTP_PAGE_ROUTE_H

#include "wire/http/page_card.h"

/* One embedded file. */
struct page_asset {
    const char *path; /* "/assets/app-1F2E3D4C.js"; "/" is the document. NULL ends the list */
    const char *content_type;
    const char *etag; /* with its quotes */
    struct span plain;
    struct span gzip;  /* empty: it would not be smaller */
    bool is_immutable; /* another content would have another path */
};

/* Written by tools/embed-page. */
extern const struct page_asset page_assets[];

/* False when the build had no Node.js: the document only says how to get the page then. */
extern const bool page_is_built;

/* GET and HEAD of the embedded files, and of every path of the page: / and everything below /t/. Says in the
 * log when the page is missing. */
struct http_route page_route(void);

/* Answers GET or HEAD with the document, for a path of the page that somebody else knows more about, with a
 * card in its head; NULL: the one of the page itself. A status of 404 has the document say that there is
 * nothing. */
void page_answer_card(const struct http_request *, struct http_exchange *, int status,
                      const struct page_card *);

/* The path of the picture that goes with a game (NULL: with none): its own, or the one of the page; NULL
 * when the page was not built. */
const char *page_picture(const char *game);

#endif
