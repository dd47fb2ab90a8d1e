#include "cli/match/usher.h"

#include "cli/connect.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOK_MS = 10, PIECE_BYTES = 16 * 1024 };

/* Passes on what is there; false when one side has closed. */
static bool usher_pass(int from, int to) {
    char piece[PIECE_BYTES];
    ssize_t size = read(from, piece, sizeof piece);
    return size > 0 && send_all(to, (struct span){piece, (size_t)size}) == ERR_OK;
}

static void usher_join(struct usher *r, int program, int server) {
    bool goes_on = true;
    while (goes_on && !r->must_end) {
        bool may_speak = r->may_speak;
        struct pollfd ends[] = {{.fd = server, .events = POLLIN},
                                {.fd = may_speak ? program : -1, .events = POLLIN}};
        if (poll(ends, 2, LOOK_MS) <= 0)
            continue;
        if (ends[0].revents != 0)
            goes_on = usher_pass(server, program);
        if (goes_on && ends[1].revents != 0)
            goes_on = usher_pass(program, server);
    }
}

static void *usher_work(void *context) {
    struct usher *r = context;
    struct pollfd door = {.fd = r->listen_fd, .events = POLLIN};
    while (!r->must_end && poll(&door, 1, LOOK_MS) <= 0)
        ;
    int program = r->must_end ? -1 : accept4(r->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    int server = program < 0 ? -1 : connect_to(r->address);
    if (server >= 0)
        usher_join(r, program, server);
    if (server >= 0)
        close(server);
    if (program >= 0)
        close(program);
    return NULL;
}

bool usher_begin(struct usher *r, const char *address) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof here;
    r->address = address;
    r->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (r->listen_fd < 0 || bind(r->listen_fd, (struct sockaddr *)&here, sizeof here) != 0 ||
        listen(r->listen_fd, 1) != 0 || getsockname(r->listen_fd, (struct sockaddr *)&here, &size) != 0)
        return false;
    r->port = ntohs(here.sin_port);
    r->is_running = pthread_create(&r->thread, NULL, usher_work, r) == 0;
    return r->is_running;
}

void usher_let_speak(struct usher *r) {
    r->may_speak = true;
}

void usher_end(struct usher *r) {
    r->must_end = true;
    if (r->is_running)
        pthread_join(r->thread, NULL);
    if (r->listen_fd > 0)
        close(r->listen_fd);
    r->is_running = false;
}
