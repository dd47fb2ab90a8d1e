/* Shares of the loop: what is counted, and how a server with a greedy peer serves the others. The server runs
 * in a thread of its own with a port that counts lines and can be made to stand still, so that it finds in
 * its sockets what the test has put there. */
#include "tests.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "server/server.h"
#include "server/share.h"
#include "wire/port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINES = 20000, GREEDY = 8, COMERS = 100, HANG_S = 60 };

static void a_share_is_bytes_messages_and_time(void **state) {
    (void)state;
    struct share s = {0};
    share_begin(&s, 1, 5000);
    assert_false(
        share_is_spent(&s, 0, 5000 + 10 * SHARE_US)); /* whoever was given nothing has something left */
    s.messages = SHARE_MESSAGES - 1;
    s.bytes = SHARE_BYTES - 1;
    assert_false(share_is_spent(&s, 0, 5000 + SHARE_US - 1));
    assert_true(share_is_spent(&s, 0, 5000 + SHARE_US));
    s.messages++;
    assert_true(share_is_spent(&s, 0, 5000));
    share_begin(&s, 1, 6000); /* it is of this turn already */
    assert_true(share_is_spent(&s, 0, 6000));
    share_begin(&s, 2, 6000);
    s.bytes = SHARE_BYTES;
    assert_true(share_is_spent(&s, 0, 6000));
    share_renew(&s, 2, 7000);
    assert_int_equal(s.bytes, 0);
}

static void of_many_each_has_a_part(void **state) {
    (void)state;
    struct share s = {0};
    share_begin(&s, 1, 0);
    s.messages = 1;
    assert_false(share_is_spent(&s, 1, SHARE_US / 2 - 1));
    assert_true(share_is_spent(&s, 1, SHARE_US / 2));
    assert_false(share_is_spent(&s, 100000, SHARE_US_MIN - 1));
    assert_true(share_is_spent(&s, 100000, SHARE_US_MIN));
}

/* The port: every line counts; "stall" waits for the test; "count" is answered with how many there were. */
struct counter {
    struct port port;
    unsigned lines;
    unsigned opened, turn_opened_max; /* in this turn, and the most in one */
    sem_t stalled, goes_on;
};

struct session {
    struct buf unheard;
};

static void counter_opened(struct port *port, struct link *link, uint64_t now_ms) {
    (void)now_ms;
    ((struct counter *)port)->opened++;
    link->session = mem_alloc(sizeof(struct session));
}

static void counter_line(struct counter *c, struct link *link, struct span line) {
    char text[16];
    c->lines++;
    if (span_is(line, "stall")) {
        sem_post(&c->stalled);
        sem_wait(&c->goes_on);
    }
    if (span_is(line, "count")) {
        int size = snprintf(text, sizeof text, "%9u\n", c->lines);
        link_send(link, span_make(text, (size_t)size));
    }
    link_heard(link);
}

static void counter_resumed(struct port *port, struct link *link, uint64_t now_ms) {
    struct session *s = link->session;
    (void)now_ms;
    size_t taken = 0;
    while (!link_must_wait(link)) {
        const char *begin = s->unheard.data + taken;
        const char *end = s->unheard.size == taken ? NULL : memchr(begin, '\n', s->unheard.size - taken);
        if (end == NULL)
            break;
        counter_line((struct counter *)port, link, span_make(begin, (size_t)(end - begin)));
        taken += (size_t)(end - begin) + 1;
    }
    buf_consume(&s->unheard, taken);
}

static void counter_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct session *s = link->session;
    buf_append(&s->unheard, bytes);
    counter_resumed(port, link, now_ms);
}

static void counter_closed(struct port *port, struct link *link, uint64_t now_ms) {
    struct session *s = link->session;
    (void)port;
    (void)now_ms;
    buf_free(&s->unheard);
    mem_free(s);
}

/* Asked before the loop waits, so once a turn. */
static uint64_t counter_next_ms(const struct port *port) {
    struct counter *c = (struct counter *)(uintptr_t)port;
    c->turn_opened_max = c->opened > c->turn_opened_max ? c->opened : c->turn_opened_max;
    c->opened = 0;
    return UINT64_MAX;
}

static void counter_advance(struct port *port, uint64_t now_ms) {
    (void)port;
    (void)now_ms;
}

static void counter_nothing(struct port *port) {
    (void)port;
}

static const struct port_ops counter_ops = {
    .opened = counter_opened,
    .received = counter_received,
    .closed = counter_closed,
    .resumed = counter_resumed,
    .next_ms = counter_next_ms,
    .advance = counter_advance,
    .shutdown = counter_nothing,
    .free = counter_nothing,
};

static void *counter_serve(void *server) {
    server_run(server);
    return NULL;
}

static int client_open(uint16_t port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    struct timeval hang = {.tv_sec = HANG_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &hang, sizeof hang);
    return fd;
}

static void client_say(int fd, struct span text) {
    assert_int_equal(send(fd, text.data, text.size, MSG_NOSIGNAL), (ssize_t)text.size);
}

static unsigned client_count(int fd) {
    char text[11] = "";
    assert_int_equal(recv(fd, text, 10, MSG_WAITALL), 10);
    return (unsigned)atoi(text);
}

struct run {
    struct counter counter;
    struct server *server;
    pthread_t thread;
    uint16_t port;
};

static void run_begin(struct run *r) {
    struct server_config config = server_config_default();
    *r = (struct run){.counter.port.ops = &counter_ops};
    sem_init(&r->counter.stalled, 0, 0);
    sem_init(&r->counter.goes_on, 0, 0);
    r->server = server_create(&config);
    const struct server_place place = {.name = "count", .host = "127.0.0.1"};
    assert_int_equal(server_listen(r->server, &place, &r->counter.port), ERR_OK);
    r->port = (uint16_t)atoi(strrchr(server_address(r->server, "count"), ':') + 1);
    assert_int_equal(pthread_create(&r->thread, NULL, counter_serve, r->server), 0);
}

static void run_end(struct run *r) {
    kill(getpid(), SIGTERM);
    pthread_join(r->thread, NULL);
    server_free(r->server);
    sem_destroy(&r->counter.stalled);
    sem_destroy(&r->counter.goes_on);
}

/* While the server stands still greedy peers say thousands of things each, and at last an honest one asks
 * something. It is answered after hardly more than one share of each, and nothing of the others is lost. */
static void a_greedy_peer_waits_for_the_others(void **state) {
    (void)state;
    struct run run;
    struct buf lines = {0};
    int greedy[GREEDY];
    run_begin(&run);
    for (unsigned i = 0; i < LINES; i++)
        buf_append_text(&lines, "x\n");
    buf_append_text(&lines, "count\n");
    int honest = client_open(run.port);
    client_say(honest, SPAN("count\n")); /* so that it has been accepted */
    assert_int_equal(client_count(honest), 1);
    for (int i = 0; i < GREEDY; i++) {
        greedy[i] = client_open(run.port);
        client_say(greedy[i], SPAN("count\n"));
        client_count(greedy[i]);
    }
    client_say(greedy[0], SPAN("stall\n"));
    sem_wait(&run.counter.stalled);
    for (int i = 0; i < GREEDY; i++)
        client_say(greedy[i], buf_span(&lines));
    client_say(honest, SPAN("count\n"));
    sem_post(&run.counter.goes_on);
    unsigned before = client_count(honest);
    assert_in_range(before, GREEDY, 2 * GREEDY * (SHARE_MESSAGES + 2)); /* of GREEDY * LINES */
    unsigned last = 0;
    for (int i = 0; i < GREEDY; i++) {
        unsigned count = client_count(greedy[i]);
        last = count > last ? count : last;
        close(greedy[i]);
    }
    assert_int_equal(last, 2 + GREEDY + 1 + GREEDY * (LINES + 1)); /* every line of everybody */
    close(honest);
    run_end(&run);
    buf_free(&lines);
}

/* A hundred peers come while the server stands still: it takes a few of them in each turn, and all in the
 * end. */
static void those_who_come_together_are_taken_a_few_at_a_time(void **state) {
    (void)state;
    struct run run;
    int comers[COMERS];
    run_begin(&run);
    int first = client_open(run.port);
    client_say(first, SPAN("stall\n"));
    sem_wait(&run.counter.stalled);
    for (int i = 0; i < COMERS; i++) {
        comers[i] = client_open(run.port);
        client_say(comers[i], SPAN("count\n"));
    }
    sem_post(&run.counter.goes_on);
    for (int i = 0; i < COMERS; i++)
        assert_in_range(client_count(comers[i]), 2, COMERS + 1);
    for (int i = 0; i < COMERS; i++)
        close(comers[i]);
    close(first);
    run_end(&run);
    assert_in_range(run.counter.turn_opened_max, 1, SERVER_TURN_PEERS_MAX + 1);
}

int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_bytes_messages_and_time),
        cmocka_unit_test(of_many_each_has_a_part),
        cmocka_unit_test(a_greedy_peer_waits_for_the_others),
        cmocka_unit_test(those_who_come_together_are_taken_a_few_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
