/* A connection for the programs that are clients: TCP, and TLS over it where that is asked for. Blocking. */
#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

#include "base/err.h"
#include "base/span.h"

#include <stdbool.h>
#include <sys/types.h>

/* How to connect. What CONNECT_ROWS fill; zeroed: without TLS. */
struct connect_way {
    bool is_tls;
    const char
        *ca; /* a file of certificates in PEM, of which one must vouch for the server; NULL: the system's */
};

/* Rows of options, the same for every client. */
#define CONNECT_ROWS(way)                                                                                    \
    ROW_FLAG("tls", &(way).is_tls, "speak TLS, and check the certificate of the server"),                    \
        ROW_TEXT("tls-ca", "FILE", &(way).ca, "with --tls: trust the certificates in this file alone")

struct connection;

/* True when the text is "ADDR:PORT"; otherwise says on standard error that the option cannot be that. */
bool connect_is_address(const char *option, const char *address);

/* Connects to "ADDR:PORT" without TLS. Returns the socket, or -1 after having said why on standard error. */
int connect_to(const char *address);

/* Sends all of it; ERR_IO when the connection is gone. */
enum err send_all(int fd, struct span bytes) MUST_CHECK;

/* Connects to "ADDR:PORT"; the way is NULL for one without TLS. Gives; NULL after having said why on standard
 * error. With TLS the server must have a certificate for ADDR that is trusted. */
struct connection *connection_open(const char *address, const struct connect_way *);

/* The same over a socket that is connected already, without TLS. Keeps the socket. */
struct connection *connection_of(int fd);

/* NULL is none. */
void connection_close(struct connection *);

/* Sends all of it; ERR_IO when the connection is gone. */
enum err connection_send(struct connection *, struct span bytes) MUST_CHECK;

/* Waits for bytes; how many, 0 at the end of the stream, -1 when the connection is lost. */
ssize_t connection_receive(struct connection *, char *out, size_t size) MUST_CHECK;

#endif
