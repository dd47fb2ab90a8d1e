/* What the references share: a listener on a free port of the loopback, and epoll. */
#ifndef BENCH_LISTEN_H
#define BENCH_LISTEN_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { EVENTS_MAX = 256, READ_BYTES = 64 * 1024, BACKLOG = 1024, ANSWER_BYTES_MAX = 64 * 1024 };

static inline int failed(const char *what) {
    perror(what);
    return 1;
}

static inline void watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        exit(failed("epoll_ctl"));
}

static inline int accept_next(int listener) {
    int yes = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

/* Listens, watches the listener, and says so as "ready NAME=127.0.0.1:PORT". */
static inline int listen_ready(const char *name, int *epoll) {
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, BACKLOG) != 0 || getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        exit(failed("listen"));
    *epoll = epoll_create1(EPOLL_CLOEXEC);
    if (*epoll < 0)
        exit(failed("epoll"));
    watch(*epoll, listener);
    printf("ready %s=127.0.0.1:%d\n", name, ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

#endif
