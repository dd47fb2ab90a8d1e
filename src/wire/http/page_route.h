/* The web page as part of HTTP: a few files that the build has embedded into the program, plain and
 * compressed, so that serving them costs a lookup and a copy. What a path means beyond that is the page's own
 * affair: every path of the page is answered with the same document. */
#ifndef WIRE_HTTP_PAGE_ROUTE_H
#define WIRE_HTTP_PAGE_ROUTE_H

#include "wire/http/http.h"

/* One embedded file. */
struct page_asset {
    const char *path; /* "/assets/app-1F2E3D4C.js"; "/" is the document. NULL ends the list */
    const char *content_type;
    const char *etag; /* with its quotes */
    struct span plain;
    struct span gzip;
    bool is_immutable; /* another content would have another path */
};

/* Written by tools/embed-page. */
extern const struct page_asset page_assets[];

/* False when the build had no Node.js: the document only says how to get the page then. */
extern const bool page_is_built;

/* GET and HEAD of the embedded files, and of every path of the page: / and everything below /t/. Says in the
 * log when the page is missing. */
struct http_route page_route(void);

#endif
