/* A TCP connection for the programs that are clients. */
#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

/* Connects to "ADDR:PORT". Returns the socket, or -1 after having said why on standard error. */
int connect_to(const char *address);

#endif
