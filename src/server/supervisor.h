/* Whoever has started the server and looks after it, by the conventions of systemd: it may give sockets that
 * listen already (LISTEN_FDS, LISTEN_FDNAMES), and wants to be told when the server is ready, that it lives,
 * and that it ends (NOTIFY_SOCKET, WATCHDOG_USEC). Where nobody does, all of this does nothing. */
#ifndef SERVER_SUPERVISOR_H
#define SERVER_SUPERVISOR_H

#include <stdbool.h>

/* The socket that was given under this name, or -1. It belongs to the caller, and is given once. */
int supervisor_socket(const char *name);

/* Tells something, such as "READY=1". What cannot be told is not. */
void supervisor_say(const char *text);

/* Whether it wants to hear every now and then that the server lives. */
bool supervisor_watches(void);

#endif
