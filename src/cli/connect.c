#include "cli/connect.h"

#include "base/address.h"

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

bool connect_is_address(const char *option, const char *address) {
    char host[HOST_BYTES_MAX];
    uint16_t port;
    if (address_split(address, host, sizeof host, &port) == ERR_OK)
        return true;
    fprintf(stderr, "parlor: %s cannot be '%s': %s\n", option, address, err_sentence(ERR_ADDRESS));
    return false;
}

int connect_to(const char *address) {
    char host[HOST_BYTES_MAX], service[8];
    uint16_t port;
    if (address_split(address, host, sizeof host, &port) != ERR_OK) {
        fprintf(stderr, "parlor: '%s': %s\n", address, err_sentence(ERR_ADDRESS));
        return -1;
    }
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    int failed = getaddrinfo(host, service, &hints, &list);
    if (failed != 0) {
        fprintf(stderr, "parlor: %s: %s\n", address, gai_strerror(failed));
        return -1;
    }
    int fd = connect_any(list);
    freeaddrinfo(list);
    if (fd < 0) {
        fprintf(stderr, "parlor: cannot connect to %s: %s\n", address, strerror(errno));
        return -1;
    }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

enum err send_all(int fd, struct span bytes) {
    for (size_t sent = 0; sent < bytes.size;) {
        ssize_t n = send(fd, bytes.data + sent, bytes.size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ERR_IO;
        sent += (size_t)n;
    }
    return ERR_OK;
}
