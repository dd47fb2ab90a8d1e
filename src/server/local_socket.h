/* A socket in the file system, for programs of this machine that its owner runs: nobody else can open it. */
#ifndef SERVER_LOCAL_SOCKET_H
#define SERVER_LOCAL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOCAL_SOCKET_PATH_BYTES_MAX = 107 }; /* what an address of the system has room for */

/* Listens at this path, with mode 0600; a socket that nobody listens on any more is replaced, anything else
 * is not. The descriptor, or -1 and a sentence. */
int local_socket_listen(const char *path, char *complaint, size_t size);

/* Connects to it; -1: errno says why. */
int local_socket_connect(const char *path);

/* Whether who has connected is root or the user of this process, and who it is. The mode of the socket says
 * the same, but somebody may have changed that. */
bool local_socket_admits(int fd, uint32_t *uid, uint32_t *pid);

#endif
