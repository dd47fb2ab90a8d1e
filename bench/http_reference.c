/* The reference that the HTTP port is held against: epoll and the same parser, nothing else. It answers every
 * request with the same 16 kB, without looking at it.
 *
 *     http_reference     listens on a free port of the loopback and prints "ready http=127.0.0.1:PORT" */
#include "body.h"

#include <arpa/inet.h>
#include <errno.h>
#include <http_parser.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS_MAX = 256, READ_BYTES = 16 * 1024, BACKLOG = 1024 };

struct peer {
    http_parser parser;
    int fd;
    size_t unsent;    /* of the answer that the socket did not take whole */
    unsigned pending; /* answers that are still to be begun */
};

static char answer[BENCH_BODY_BYTES + 256];
static size_t answer_size;

static int failed(const char *what) {
    perror(what);
    return 1;
}

static int on_message(http_parser *parser) {
    struct peer *peer = parser->data;
    peer->pending++;
    return 0;
}

static void watch(int epoll, int how, int fd, uint32_t events, void *data) {
    struct epoll_event event = {.events = events, .data.ptr = data};
    if (epoll_ctl(epoll, how, fd, &event) != 0)
        exit(failed("epoll_ctl"));
}

static void accept_all(int epoll, int listener) {
    int fd, yes = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct peer *peer = calloc(1, sizeof *peer);
        if (peer == NULL)
            exit(failed("calloc"));
        http_parser_init(&peer->parser, HTTP_REQUEST);
        peer->parser.data = peer;
        peer->fd = fd;
        watch(epoll, EPOLL_CTL_ADD, fd, EPOLLIN, peer);
    }
}

static void peer_free(struct peer *peer) {
    close(peer->fd);
    free(peer);
}

/* Writes what is to be written; false when the peer is gone. */
static bool peer_write(int epoll, struct peer *peer) {
    bool was_full = peer->unsent > 0;
    while (peer->unsent > 0 || peer->pending > 0) {
        if (peer->unsent == 0) {
            peer->unsent = answer_size;
            peer->pending--;
        }
        ssize_t size = write(peer->fd, answer + answer_size - peer->unsent, peer->unsent);
        if (size < 0 && errno != EAGAIN)
            return false;
        peer->unsent -= size > 0 ? (size_t)size : 0;
        if (peer->unsent > 0) {
            watch(epoll, EPOLL_CTL_MOD, peer->fd, EPOLLOUT, peer);
            return true;
        }
    }
    if (was_full)
        watch(epoll, EPOLL_CTL_MOD, peer->fd, EPOLLIN, peer);
    return true;
}

static bool peer_serve(int epoll, struct peer *peer, uint32_t events) {
    static const http_parser_settings settings = {.on_message_complete = on_message};
    static char bytes[READ_BYTES];
    if (events & EPOLLIN) {
        ssize_t size = read(peer->fd, bytes, sizeof bytes);
        if (size == 0 || (size < 0 && errno != EAGAIN))
            return false;
        if (size > 0 && http_parser_execute(&peer->parser, &settings, bytes, (size_t)size) != (size_t)size)
            return false;
    } else if (!(events & EPOLLOUT)) {
        return false;
    }
    return peer_write(epoll, peer);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int size =
        snprintf(answer, sizeof answer,
                 "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: application/xml\r\n"
                 "Content-Length: %d\r\n\r\n",
                 BENCH_BODY_BYTES);
    bench_body(answer + size);
    answer_size = (size_t)size + BENCH_BODY_BYTES;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t address_size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, address_size) != 0 ||
        listen(listener, BACKLOG) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &address_size) != 0)
        return failed("listen");
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0)
        return failed("epoll");
    watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
    printf("ready http=127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR)
            return failed("epoll_wait");
        for (int i = 0; i < count; i++)
            if (events[i].data.ptr == NULL)
                accept_all(epoll, listener);
            else if (!peer_serve(epoll, events[i].data.ptr, events[i].events))
                peer_free(events[i].data.ptr);
    }
}
