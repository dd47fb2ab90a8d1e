/* A TCP connection for the programs that are clients. */
#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

#include "base/err.h"
#include "base/span.h"

/* Connects to "ADDR:PORT". Returns the socket, or -1 after having said why on standard error. */
int connect_to(const char *address);

/* Sends all of it; ERR_IO when the connection is gone. */
enum err send_all(int fd, struct span bytes) MUST_CHECK;

#endif
