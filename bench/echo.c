/* The reference that the server is held against: the least that a server on epoll can do. It sends every
 * piece that it receives straight back, without looking at it.
 *
 *     echo          listens on a free port of the loopback and prints "ready echo=127.0.0.1:PORT" */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS_MAX = 256, READ_BYTES = 16 * 1024, BACKLOG = 1024 };

static int failed(const char *what) {
    perror(what);
    return 1;
}

static void watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        exit(failed("epoll_ctl"));
}

static void accept_all(int epoll, int listener) {
    int fd, yes = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        watch(epoll, fd);
    }
}

/* The load has one small message on its way, so a socket that does not take it whole is a broken one. */
static void echo(int fd) {
    static char bytes[READ_BYTES];
    ssize_t size = read(fd, bytes, sizeof bytes);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0 || write(fd, bytes, (size_t)size) != size)
        close(fd);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, BACKLOG) != 0 || getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        return failed("listen");
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0)
        return failed("epoll");
    watch(epoll, listener);
    printf("ready echo=127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR)
            return failed("epoll_wait");
        for (int i = 0; i < count; i++)
            if (events[i].data.fd == listener)
                accept_all(epoll, listener);
            else
                echo(events[i].data.fd);
    }
}
