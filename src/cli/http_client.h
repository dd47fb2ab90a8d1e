/* One connection to an HTTP server, for the programs that are its clients. Blocking, one request at a time;
 * it is opened again when the server has closed it between two requests. */
#ifndef CLI_HTTP_CLIENT_H
#define CLI_HTTP_CLIENT_H

#include "base/buf.h"
#include "base/err.h"
#include "cli/connect.h"

enum { HTTP_CLIENT_ANSWER_BYTES_MAX = 16 * 1024 * 1024, HTTP_CLIENT_ADDRESS_BYTES_MAX = 256 };

struct http_client {
    struct connection *connection; /* NULL: there is none */
    struct connect_way way;
    char address[HTTP_CLIENT_ADDRESS_BYTES_MAX];
    struct span base;  /* path before all others; borrowed from the url */
    const char *type;  /* of the bodies that are sent; NULL: XML */
    const char *token; /* that is shown with every request; NULL: none. Borrowed */
    struct buf request;
};

/* True when the text is such an address; otherwise says on standard error that the option cannot be that. */
bool http_client_is_url(const char *option, const char *url);

/* Connects to "http://ADDR:PORT[/PATH]", or https, and prints why when it cannot; the way is NULL for the one
 * that the address says. http_client_close in any case.
 */
bool http_client_open(struct http_client *, const char *url, const struct connect_way *);
/* The same at a socket of this machine; prints nothing, errno says why. */
bool http_client_open_local(struct http_client *, const char *path);
void http_client_close(struct http_client *);

/* Asks, and appends the body of the answer. Waits as long as it takes. ERR_IO
 * when the connection is lost, ERR_MALFORMED when the answer is no HTTP, ERR_TOO_LARGE. */
enum err http_client_ask(struct http_client *, const char *method, const char *path, struct span body,
                         int *status, struct buf *out) MUST_CHECK;

#endif
