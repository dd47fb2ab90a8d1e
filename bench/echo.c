/* The reference that the server is held against: the least that a server on epoll can do. It answers every
 * piece that it receives without looking at it, with as many bytes as it is told to.
 *
 *     echo [BYTES [all]]     listens on a free port of the loopback and prints "ready echo=127.0.0.1:PORT"
 *
 * With "all" every connection is answered whenever one of them says something. */
#include "listen.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

enum { CONNS_MAX = 65536 };

static size_t answer_bytes; /* 0: what has come goes back */
static bool is_for_all;
static int conns[CONNS_MAX];
static size_t conn_count;
static char bytes[READ_BYTES];

/* The load has one small message on its way, so a socket that does not take it whole is a broken one. */
static void answer(int fd, size_t size) {
    if (write(fd, bytes, size) != (ssize_t)size)
        close(fd);
}

static void echo(int fd) {
    ssize_t size = read(fd, bytes, sizeof bytes);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0)
        close(fd);
    else if (!is_for_all)
        answer(fd, answer_bytes == 0 ? (size_t)size : answer_bytes);
    else
        for (size_t i = 0; i < conn_count; i++)
            answer(conns[i], answer_bytes);
}

int main(int argc, char **argv) {
    int epoll, fd;
    answer_bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    is_for_all = argc > 2;
    if (answer_bytes > ANSWER_BYTES_MAX)
        return 2;
    int listener = listen_ready("echo", &epoll);
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR)
            return failed("epoll_wait");
        for (int i = 0; i < count; i++)
            if (events[i].data.fd != listener)
                echo(events[i].data.fd);
            else
                while ((fd = accept_next(listener)) >= 0 && conn_count < CONNS_MAX) {
                    conns[conn_count++] = fd;
                    watch(epoll, fd);
                }
    }
}
