/* The reference that state queries are held against: epoll and the same parser, nothing else. It answers
 * every request with the same body of so many bytes, without looking at it.
 *
 *     http_reference BYTES     listens on a free port of the loopback and prints "ready http=127.0.0.1:PORT"
 */
#include "listen.h"

#include <errno.h>
#include <http_parser.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct peer {
    http_parser parser;
    int fd;
    size_t unsent;    /* of the answer that the socket did not take whole */
    unsigned pending; /* answers that are still to be begun */
};

static char answer[ANSWER_BYTES_MAX + 256];
static size_t answer_size;

static int on_message(http_parser *parser) {
    struct peer *peer = parser->data;
    peer->pending++;
    return 0;
}

static void watch_peer(int epoll, int how, int fd, uint32_t events, void *data) {
    struct epoll_event event = {.events = events, .data.ptr = data};
    if (epoll_ctl(epoll, how, fd, &event) != 0)
        exit(failed("epoll_ctl"));
}

static void accept_all(int epoll, int listener) {
    int fd;
    while ((fd = accept_next(listener)) >= 0) {
        struct peer *peer = calloc(1, sizeof *peer);
        if (peer == NULL)
            exit(failed("calloc"));
        http_parser_init(&peer->parser, HTTP_REQUEST);
        peer->parser.data = peer;
        peer->fd = fd;
        watch_peer(epoll, EPOLL_CTL_ADD, fd, EPOLLIN, peer);
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
            watch_peer(epoll, EPOLL_CTL_MOD, peer->fd, EPOLLOUT, peer);
            return true;
        }
    }
    if (was_full)
        watch_peer(epoll, EPOLL_CTL_MOD, peer->fd, EPOLLIN, peer);
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

int main(int argc, char **argv) {
    size_t body = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    int epoll;
    if (body == 0 || body > ANSWER_BYTES_MAX)
        return 2;
    int head = snprintf(answer, sizeof answer,
                        "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                        "Content-Type: application/xml\r\nContent-Length: %zu\r\n\r\n",
                        body);
    memset(answer + head, 'x', body);
    answer_size = (size_t)head + body;
    int listener = listen_ready("http", &epoll);
    watch_peer(epoll, EPOLL_CTL_MOD, listener, EPOLLIN, NULL);
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
