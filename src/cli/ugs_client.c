#include "cli/ugs_client.h"

#include "cli/options.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_BYTES_MAX = 256 };

static int connect_any(const struct addrinfo *list) {
    int fd = -1;
    for (const struct addrinfo *a = list; a != NULL && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            int reason = errno;
            close(fd);
            errno = reason;
            fd = -1;
        }
    }
    return fd;
}

bool ugs_client_open(struct ugs_client *c, const char *address) {
    char host[HOST_BYTES_MAX], service[8];
    uint16_t port;
    memset(c, 0, sizeof *c);
    c->fd = -1;
    if (options_address(address, host, sizeof host, &port) != ERR_OK) {
        fprintf(stderr, "parlor: '%s': %s\n", address, err_sentence(ERR_ADDRESS));
        return false;
    }
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    int failed = getaddrinfo(host, service, &hints, &list);
    if (failed != 0) {
        fprintf(stderr, "parlor: %s: %s\n", address, gai_strerror(failed));
        return false;
    }
    c->fd = connect_any(list);
    freeaddrinfo(list);
    if (c->fd < 0) {
        fprintf(stderr, "parlor: cannot connect to %s: %s\n", address, strerror(errno));
        return false;
    }
    int on = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    c->reader = ugs_reader_create();
    return true;
}

void ugs_client_close(struct ugs_client *c) {
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    if (c->reader != NULL)
        ugs_reader_free(c->reader);
    c->reader = NULL;
    xml_frame_free(&c->frame);
    buf_free(&c->out);
}

enum err ugs_client_send(struct ugs_client *c, const struct hall_message *m) {
    buf_clear(&c->out);
    ugs_write(&c->out, m, &c->style);
    for (size_t sent = 0; sent < c->out.size;) {
        ssize_t n = send(c->fd, c->out.data + sent, c->out.size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ERR_IO;
        sent += (size_t)n;
    }
    return ERR_OK;
}

enum err ugs_client_next(struct ugs_client *c, struct hall_message *m) {
    for (;;) {
        struct span document;
        enum err e = xml_frame_next(&c->frame, &c->rest, &document);
        if (e != ERR_OK)
            return e;
        if (document.size > 0)
            return ugs_read(c->reader, document, m);
        ssize_t n = recv(c->fd, c->input, sizeof c->input, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 ? ERR_CLOSED : ERR_IO;
        c->rest = span_make(c->input, (size_t)n);
    }
}
