#include "server/supervisor.h"

#include "base/span.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SUPERVISOR_SOCKET_FIRST = 3, SUPERVISOR_SOCKETS_MAX = 64 };

static uint64_t supervisor_given; /* the sockets that have an owner, as bits */

static int64_t supervisor_number(const char *name) {
    const char *text = getenv(name);
    int64_t number;
    return text != NULL && span_to_int(span_of(text), &number) ? number : -1;
}

int supervisor_socket(const char *name) {
    const char *names = getenv("LISTEN_FDNAMES");
    int64_t count = supervisor_number("LISTEN_FDS");
    if (supervisor_number("LISTEN_PID") != getpid() || names == NULL)
        return -1;
    for (int i = 0; i < count && i < SUPERVISOR_SOCKETS_MAX && *names != '\0'; i++) {
        size_t size = strcspn(names, ":");
        if (span_is(span_make(names, size), name) && !(supervisor_given >> i & 1)) {
            supervisor_given |= UINT64_C(1) << i;
            fcntl(SUPERVISOR_SOCKET_FIRST + i, F_SETFD, FD_CLOEXEC);
            return SUPERVISOR_SOCKET_FIRST + i;
        }
        names += size + (names[size] != '\0');
    }
    return -1;
}

void supervisor_say(const char *text) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = path == NULL ? 0 : strlen(path);
    if (size < 2 || size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@') /* a name that is not in the file system */
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    ssize_t sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL, (const struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
    (void)sent;
    close(fd);
}

bool supervisor_watches(void) {
    int64_t pid = supervisor_number("WATCHDOG_PID");
    return supervisor_number("WATCHDOG_USEC") > 0 && (pid == -1 || pid == getpid());
}
