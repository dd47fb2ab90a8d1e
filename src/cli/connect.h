/* A TCP connection for the programs that are clients. */
#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

#include "base/err.h"
#include "base/span.h"

/* True when the text is "ADDR:PORT"; otherwise says on standard error that the option cannot be that. */
bool connect_is_address(const char *option, const char *address);

/* Connects to "ADDR:PORT". Returns the socket, or -1 after having said why on standard error. */
int connect_to(const char *address);

/* Sends all of it; ERR_IO when the connection is gone. */
enum err send_all(int fd, struct span bytes) MUST_CHECK;

#endif
