#include "cli/connect.h"

#include "base/address.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_BYTES_MAX = 256 };

struct connection {
    int fd;
    SSL *tls; /* NULL: without */
};

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

/* Whom the certificate must be for. */
static bool connect_expect(SSL *tls, const char *address) {
    char host[HOST_BYTES_MAX];
    uint16_t port;
    uint8_t number[16];
    if (address_split(address, host, sizeof host, &port) != ERR_OK)
        return false;
    if (inet_pton(AF_INET, host, number) == 1 || inet_pton(AF_INET6, host, number) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host) == 1;
    return SSL_set_tlsext_host_name(tls, host) == 1 && SSL_set1_host(tls, host) == 1;
}

static SSL *connect_tls_create(const char *ca) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *tls = NULL;
    if (context == NULL)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    if ((ca == NULL ? SSL_CTX_set_default_verify_paths(context) : SSL_CTX_load_verify_file(context, ca)) == 1)
        tls = SSL_new(context);
    SSL_CTX_free(context); /* the session has its own reference */
    return tls;
}

/* The session over a socket, or NULL after having said why. */
static SSL *connect_tls(const char *address, const char *ca, int fd) {
    ERR_clear_error();
    SSL *tls = connect_tls_create(ca);
    if (tls == NULL && ca != NULL) {
        fprintf(stderr, "parlor: --tls-ca %s: it has no certificates that can be read\n", ca);
        return NULL;
    }
    if (tls != NULL && SSL_set_fd(tls, fd) == 1 && connect_expect(tls, address) && SSL_connect(tls) == 1)
        return tls;
    long verified = tls == NULL ? X509_V_OK : SSL_get_verify_result(tls);
    const char *words = ERR_reason_error_string(ERR_peek_error());
    if (verified != X509_V_OK)
        words = X509_verify_cert_error_string(verified);
    fprintf(stderr, "parlor: no TLS with %s: %s\n", address,
            words == NULL ? "the server has ended the connection" : words);
    SSL_free(tls);
    return NULL;
}

struct connection *connection_of(int fd) {
    struct connection *c = mem_alloc(sizeof *c);
    c->fd = fd;
    return c;
}

struct connection *connection_open(const char *address, const struct connect_way *way) {
    int fd = connect_to(address);
    if (fd < 0)
        return NULL;
    bool wants_tls = way != NULL && (way->is_tls || way->ca != NULL);
    SSL *tls = wants_tls ? connect_tls(address, way->ca, fd) : NULL;
    if (wants_tls && tls == NULL) {
        close(fd);
        return NULL;
    }
    struct connection *c = mem_alloc(sizeof *c);
    *c = (struct connection){.fd = fd, .tls = tls};
    return c;
}

void connection_close(struct connection *c) {
    if (c == NULL)
        return;
    if (c->tls != NULL)
        SSL_shutdown(c->tls);
    SSL_free(c->tls);
    close(c->fd);
    mem_free(c);
}

/* Whether it only has to be tried again, after a signal. */
static bool connection_retries(struct connection *c, int result) {
    int why = SSL_get_error(c->tls, result);
    return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
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

enum err connection_send(struct connection *c, struct span bytes) {
    if (c->tls == NULL)
        return send_all(c->fd, bytes);
    while (bytes.size > 0) {
        size_t sent = 0;
        ERR_clear_error();
        int result = SSL_write_ex(c->tls, bytes.data, bytes.size, &sent);
        if (result != 1 && !connection_retries(c, result))
            return ERR_IO;
        bytes = span_make(bytes.data + sent, bytes.size - sent);
    }
    return ERR_OK;
}

ssize_t connection_receive(struct connection *c, char *out, size_t size) {
    for (;;) {
        if (c->tls == NULL) {
            ssize_t n = recv(c->fd, out, size, 0);
            if (n >= 0 || errno != EINTR)
                return n;
            continue;
        }
        size_t got = 0;
        ERR_clear_error();
        int result = SSL_read_ex(c->tls, out, size, &got);
        if (result == 1)
            return (ssize_t)got;
        if (SSL_get_error(c->tls, result) == SSL_ERROR_ZERO_RETURN)
            return 0;
        if (!connection_retries(c, result))
            return -1;
    }
}
