#include "server/local_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LOCAL_SOCKET_BACKLOG = 16 };

static bool local_socket_address(const char *path, struct sockaddr_un *out) {
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof out->sun_path)
        return false;
    memcpy(out->sun_path, path, size + 1);
    return true;
}

int local_socket_connect(const char *path) {
    struct sockaddr_un address;
    if (!local_socket_address(path, &address)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* What a server left there that did not end in order is nobody's. */
static bool local_socket_is_left(const char *path) {
    struct stat found;
    if (lstat(path, &found) != 0 || !S_ISSOCK(found.st_mode))
        return false;
    int fd = local_socket_connect(path);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == ECONNREFUSED;
}

static int local_socket_bind(const char *path) {
    struct sockaddr_un address;
    if (!local_socket_address(path, &address)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    mode_t before = umask(S_IRWXG | S_IRWXO | S_IXUSR); /* from its first moment on it is its owner's alone */
    int failed = bind(fd, (const struct sockaddr *)&address, sizeof address);
    int why = errno;
    umask(before);
    if (failed == 0 && listen(fd, LOCAL_SOCKET_BACKLOG) == 0)
        return fd;
    why = failed == 0 ? errno : why;
    close(fd);
    errno = why;
    return -1;
}

int local_socket_listen(const char *path, char *complaint, size_t size) {
    if (local_socket_is_left(path))
        unlink(path);
    int fd = local_socket_bind(path);
    if (fd < 0)
        snprintf(complaint, size, "cannot listen for admin on %s: %s", path, strerror(errno));
    return fd;
}

bool local_socket_admits(int fd, uint32_t *uid, uint32_t *pid) {
    struct ucred found;
    socklen_t size = sizeof found;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0)
        return false;
    *uid = found.uid;
    *pid = (uint32_t)found.pid;
    return found.uid == 0 || found.uid == geteuid();
}
