#include "cli/http_client.h"

#include "server/local_socket.h"

#include <http_parser.h>
#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 16 * 1024 };

/* Splits "http://HOST:PORT/BASE" or "https://..."; the scheme may be missing. False when the host is too
 * long.
 */
static bool url_split(const char *url, char address[HTTP_CLIENT_ADDRESS_BYTES_MAX], const char **path,
                      bool *is_tls) {
    static const char plain[] = "http://", tls[] = "https://";
    *is_tls = strncmp(url, tls, sizeof tls - 1) == 0;
    const char *host = *is_tls                                      ? url + sizeof tls - 1
                       : strncmp(url, plain, sizeof plain - 1) == 0 ? url + sizeof plain - 1
                                                                    : url;
    *path = strchrnul(host, '/');
    return span_copy(span_make(host, (size_t)(*path - host)), address, HTTP_CLIENT_ADDRESS_BYTES_MAX);
}

bool http_client_is_url(const char *option, const char *url) {
    char address[HTTP_CLIENT_ADDRESS_BYTES_MAX];
    const char *path;
    bool is_tls;
    return connect_is_address(option, url_split(url, address, &path, &is_tls) ? address : url);
}

bool http_client_open(struct http_client *c, const char *url, const struct connect_way *way) {
    const char *path;
    bool is_tls;
    *c = (struct http_client){0};
    if (way != NULL)
        c->way = *way;
    if (!url_split(url, c->address, &path, &is_tls))
        return false;
    c->way.is_tls = c->way.is_tls || is_tls;
    c->base = span_of(path);
    while (c->base.size > 0 && c->base.data[c->base.size - 1] == '/')
        c->base.size--;
    c->connection = connection_open(c->address, &c->way);
    return c->connection != NULL;
}

bool http_client_open_local(struct http_client *c, const char *path) {
    *c = (struct http_client){.address = "localhost"};
    int fd = local_socket_connect(path);
    c->connection = fd < 0 ? NULL : connection_of(fd);
    return c->connection != NULL;
}

static void disconnect(struct http_client *c) {
    connection_close(c->connection);
    c->connection = NULL;
}

void http_client_close(struct http_client *c) {
    disconnect(c);
    buf_free(&c->request);
}

/* An answer while it comes in. */
struct answer {
    struct buf *out;
    size_t before; /* what out had already */
    bool is_whole;
    bool is_too_large;
};

static int on_body(http_parser *parser, const char *bytes, size_t size) {
    struct answer *a = parser->data;
    if (a->out->size - a->before + size > HTTP_CLIENT_ANSWER_BYTES_MAX) {
        a->is_too_large = true;
        return 1;
    }
    buf_append(a->out, span_make(bytes, size));
    return 0;
}

static int on_whole(http_parser *parser) {
    struct answer *a = parser->data;
    a->is_whole = parser->status_code >= 200; /* 100 is only a sign that it goes on */
    return 0;
}

/* ERR_CLOSED when the server has closed before it said anything. */
static enum err receive(struct http_client *c, int *status, struct buf *out) {
    static const http_parser_settings settings = {.on_body = on_body, .on_message_complete = on_whole};
    struct answer a = {.out = out, .before = out->size};
    http_parser parser;
    char input[READ_BYTES];
    bool has_begun = false;
    http_parser_init(&parser, HTTP_RESPONSE);
    parser.data = &a;
    while (!a.is_whole) {
        ssize_t n = connection_receive(c->connection, input, sizeof input);
        if (n < 0 || (n == 0 && !has_begun))
            return has_begun ? ERR_IO : ERR_CLOSED;
        has_begun = true;
        size_t used = http_parser_execute(&parser, &settings, input, (size_t)n);
        if (a.is_too_large)
            return ERR_TOO_LARGE;
        if (HTTP_PARSER_ERRNO(&parser) != HPE_OK || (!a.is_whole && used != (size_t)n))
            return ERR_MALFORMED;
        if (n == 0 && !a.is_whole)
            return ERR_IO;
    }
    *status = parser.status_code;
    if (http_should_keep_alive(&parser) == 0)
        disconnect(c);
    return ERR_OK;
}

enum err http_client_ask(struct http_client *c, const char *method, const char *path, struct span body,
                         int *status, struct buf *out) {
    buf_clear(&c->request);
    buf_printf(&c->request, "%s %.*s%s HTTP/1.1\r\nHost: %s\r\nAccept: application/xml\r\n", method,
               (int)c->base.size, c->base.data, path, c->address);
    if (c->token != NULL)
        buf_printf(&c->request, "Authorization: Bearer %s\r\n", c->token);
    if (body.size > 0)
        buf_printf(&c->request, "Content-Type: %s\r\nContent-Length: %zu\r\n",
                   c->type == NULL ? "application/xml" : c->type, body.size);
    buf_append(&c->request, SPAN("\r\n"));
    buf_append(&c->request, body);
    bool is_old = c->connection !=
                  NULL; /* the server may have closed it meanwhile, and then has not seen the request */
    for (;;) {
        if (c->connection == NULL)
            c->connection = connection_open(c->address, &c->way);
        if (c->connection == NULL)
            return ERR_IO;
        enum err e = connection_send(c->connection, buf_span(&c->request));
        if (e == ERR_OK)
            e = receive(c, status, out);
        if (e != ERR_OK)
            disconnect(c);
        if ((e != ERR_CLOSED && e != ERR_IO) || !is_old)
            return e == ERR_CLOSED ? ERR_IO : e;
        is_old = false;
    }
}
