/* The HTTP port on the server's own connections, over real sockets on the loopback: more answers than the
 * network takes, more requests than may wait, and a peer that has said its last word. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "server/conn.h"
#include "server/server.h"
#include "wire/http/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HANG_S = 60, BODY_BYTES = 16 * 1024, REQUESTS = 400, DELAY_MS = 5 };

#define REQUEST(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"

/* "/late" is answered a few milliseconds later, everything else at once. */
struct route {
    struct http_exchange *waiting[HTTP_PIPELINE_MAX];
    size_t waiting_count;
    size_t waiting_most;
    uint64_t due_ms;
    char body[BODY_BYTES];
};

struct stage {
    struct server *server;
    pthread_t thread;
    struct route route;
    uint16_t port;
};

static bool route_take(void *context, const struct http_request *r, struct http_exchange *e,
                       uint64_t now_ms) {
    struct route *route = context;
    if (!span_is(r->path, "/late")) {
        http_answer(e, 200, "text/plain", span_make(route->body, sizeof route->body));
        return true;
    }
    if (route->waiting_count == HTTP_PIPELINE_MAX)
        abort(); /* cmocka's own asserts belong to the other thread */
    route->waiting[route->waiting_count++] = e;
    route->due_ms = now_ms + DELAY_MS;
    if (route->waiting_most < route->waiting_count)
        route->waiting_most = route->waiting_count;
    return true;
}

static uint64_t route_next_ms(void *context) {
    const struct route *route = context;
    return route->waiting_count == 0 ? TIMERS_NEVER : route->due_ms;
}

static void route_advance(void *context, uint64_t now_ms) {
    struct route *route = context;
    if (now_ms < route->due_ms)
        return;
    while (route->waiting_count > 0)
        http_answer(route->waiting[--route->waiting_count], 200, "text/plain",
                    span_make(route->body, sizeof route->body));
}

static void *stage_run(void *server) {
    server_run(server);
    return NULL;
}

static int setup(void **state) {
    struct stage *stage = mem_alloc(sizeof *stage);
    memset(stage->route.body, 'b', sizeof stage->route.body);
    struct server_config config = server_config_default();
    struct http_port_config http = http_port_config_default();
    const struct http_route route = {
        .context = &stage->route, .take = route_take, .next_ms = route_next_ms, .advance = route_advance};
    stage->server = server_create(&config);
    assert_int_equal(server_listen(stage->server, &(struct server_place){.name = "http", .host = "127.0.0.1"},
                                   http_port_create(&http, &route, 1)),
                     ERR_OK);
    stage->port = (uint16_t)atoi(strrchr(server_address(stage->server, "http"), ':') + 1);
    assert_int_equal(pthread_create(&stage->thread, NULL, stage_run, stage->server), 0);
    *state = stage;
    return 0;
}

static int teardown(void **state) {
    struct stage *stage = *state;
    kill(getpid(), SIGTERM);
    assert_int_equal(pthread_join(stage->thread, NULL), 0);
    server_free(stage->server);
    mem_free(stage);
    return 0;
}

static int client_open(const struct stage *stage) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), small = 4096;
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    struct timeval hang = {.tv_sec = HANG_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &hang, sizeof hang);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(stage->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void client_ask(int fd, const char *request, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
}

/* How many bytes of bodies come before the stream ends in order. */
static size_t client_count_bodies(int fd) {
    char piece[16384];
    size_t count = 0;
    ssize_t got;
    while ((got = recv(fd, piece, sizeof piece, 0)) > 0)
        for (ssize_t i = 0; i < got; i++)
            count += piece[i] == 'b';
    assert_int_equal(got, 0);
    close(fd);
    return count;
}

/* Six times as much as a connection may have unsent before it is dropped, from requests that were all there
 * before the first answer was read. */
static void more_answers_than_the_network_takes(void **state) {
    int fd = client_open(*state);
    assert_true(REQUESTS * BODY_BYTES > 6 * CONN_UNSENT_MAX_BYTES);
    client_ask(fd, REQUEST("/"), REQUESTS);
    shutdown(fd, SHUT_WR);
    assert_int_equal(client_count_bodies(fd), REQUESTS * BODY_BYTES);
}

static void more_requests_than_may_wait(void **state) {
    struct stage *stage = *state;
    int fd = client_open(stage);
    client_ask(fd, REQUEST("/late"), REQUESTS);
    shutdown(fd, SHUT_WR);
    assert_int_equal(client_count_bodies(fd), REQUESTS * BODY_BYTES);
    assert_true(stage->route.waiting_most <= HTTP_PIPELINE_MAX);
}

static void the_last_word_is_answered_later(void **state) {
    int fd = client_open(*state);
    client_ask(fd, REQUEST("/late"), 1);
    shutdown(fd, SHUT_WR);
    assert_int_equal(client_count_bodies(fd), BODY_BYTES);
}

static void who_leaves_before_the_answer_harms_nobody(void **state) {
    for (int i = 0; i < 20; i++) {
        int fd = client_open(*state);
        client_ask(fd, REQUEST("/late"), 1 + i % 3);
        struct linger hard = {1, 0};
        if (i % 2 == 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(fd);
    }
    the_last_word_is_answered_later(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        CASE(more_answers_than_the_network_takes),
        CASE(more_requests_than_may_wait),
        CASE(the_last_word_is_answered_later),
        CASE(who_leaves_before_the_answer_harms_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
