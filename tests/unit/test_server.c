/* Connections and the server over real sockets on the loopback: the server runs in a thread of its own with
 * two ports, "echo" that sends back every byte and "words" that does what a line says. The words are what a
 * protocol may do at the most awkward moment. */
#include "tests.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "server/conn.h"
#include "server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

/* FULL_MS without room to write is taken for a server that does not read; nothing fails when it is wrong. */
enum { HANG_MS = 60000, FULL_MS = 200, PIECE_BYTES = 64 * 1024, FLOOD_BYTES = 64 * 1024 * 1024 };

struct session {
    struct link *link;
    struct buf line;
    struct session *prev, *next;
};

struct test_port {
    struct port port;
    bool is_echo;
    struct session *sessions;
    int count;
    struct test_port *other; /* whose sessions "count" counts */
    uint64_t wake_ms;
    struct session *sleeper;
};

static struct test_port *port_of(struct port *port) {
    return (struct test_port *)port;
}

static void session_end(struct test_port *port, struct session *session) {
    DL_DELETE(port->sessions, session);
    port->count--;
    if (port->sleeper == session) {
        port->sleeper = NULL;
        port->wake_ms = TIMERS_NEVER;
    }
    buf_free(&session->line);
    mem_free(session);
}

static void session_close(struct test_port *port, struct session *session) {
    link_close(session->link);
    session_end(port, session);
}

static void session_flood(struct session *session, size_t bytes) {
    char *piece = mem_alloc(PIECE_BYTES);
    memset(piece, 'f', PIECE_BYTES);
    for (; bytes > 0; bytes -= bytes < PIECE_BYTES ? bytes : PIECE_BYTES)
        link_send(session->link, span_make(piece, bytes < PIECE_BYTES ? bytes : PIECE_BYTES));
    mem_free(piece);
}

/* Does what a line says; false when the session is gone after it. */
static bool session_obey(struct test_port *port, struct session *session, const char *line, uint64_t now_ms) {
    struct session *each, *next;
    if (strncmp(line, "flood ", 6) == 0) {
        session_flood(session, (size_t)atol(line + 6));
    } else if (strncmp(line, "bye ", 4) == 0) {
        session_flood(session, (size_t)atol(line + 4));
        session_close(port, session);
        return false;
    } else if (strcmp(line, "kick") == 0) {
        DL_FOREACH_SAFE(port->sessions, each, next) {
            if (each == session)
                continue;
            link_send(each->link, SPAN("kicked\n"));
            session_close(port, each);
        }
        link_send(session->link, SPAN("done\n"));
    } else if (strcmp(line, "count") == 0) {
        char text[16];
        snprintf(text, sizeof text, "%d\n", port->other->count);
        link_send(session->link, span_of(text));
    } else if (strcmp(line, "wake") == 0) {
        port->sleeper = session;
        port->wake_ms = now_ms + 5;
    } else if (strcmp(line, "end") == 0) {
        DL_FOREACH_SAFE(port->sessions, each, next)
        session_close(port, each);
        port->port.ended(port->port.ended_context);
        return false;
    }
    return true;
}

static void test_opened(struct port *base, struct link *link, uint64_t now_ms) {
    (void)now_ms;
    struct test_port *port = port_of(base);
    struct session *session = mem_alloc(sizeof *session);
    session->link = link;
    link->session = session;
    DL_APPEND(port->sessions, session);
    port->count++;
}

static void test_received(struct port *base, struct link *link, struct span bytes, uint64_t now_ms) {
    struct test_port *port = port_of(base);
    struct session *session = link->session;
    if (port->is_echo) {
        link_send(link, bytes);
        return;
    }
    for (size_t i = 0; i < bytes.size; i++) {
        if (bytes.data[i] != '\n') {
            buf_append_byte(&session->line, bytes.data[i]);
            continue;
        }
        if (!session_obey(port, session, buf_text(&session->line), now_ms))
            return;
        buf_free(&session->line);
    }
    link->kept_bytes = session->line.capacity;
}

static void test_closed(struct port *base, struct link *link, uint64_t now_ms) {
    (void)now_ms;
    session_end(port_of(base), link->session);
}

static uint64_t test_next_ms(const struct port *base) {
    return ((const struct test_port *)base)->wake_ms;
}

static void test_advance(struct port *base, uint64_t now_ms) {
    struct test_port *port = port_of(base);
    if (now_ms < port->wake_ms)
        abort(); /* cmocka's own asserts belong to the other thread */
    port->wake_ms = TIMERS_NEVER;
    link_send(port->sleeper->link, SPAN("awake\n"));
}

static void test_shutdown(struct port *base) {
    struct test_port *port = port_of(base);
    struct session *session, *next;
    DL_FOREACH_SAFE(port->sessions, session, next) {
        link_send(session->link, SPAN("goodbye\n"));
        session_close(port, session);
    }
}

static void test_destroy(struct port *base) {
    struct test_port *port = port_of(base);
    assert_null(port->sessions);
    mem_free(port);
}

static const struct port_ops test_ops = {
    .opened = test_opened,
    .received = test_received,
    .closed = test_closed,
    .next_ms = test_next_ms,
    .advance = test_advance,
    .shutdown = test_shutdown,
    .free = test_destroy,
};

static struct test_port *test_port_create(bool is_echo) {
    struct test_port *port = mem_alloc(sizeof *port);
    port->port.ops = &test_ops;
    port->is_echo = is_echo;
    port->wake_ms = TIMERS_NEVER;
    return port;
}

struct stage {
    struct server *server;
    pthread_t thread;
    uint16_t echo, words;
};

static uint16_t listen_port(struct server *server, const char *name) {
    const char *address = server_address(server, name);
    assert_non_null(address);
    return (uint16_t)atoi(strrchr(address, ':') + 1);
}

static void *stage_run(void *server) {
    server_run(server);
    return NULL;
}

static void stage_start(struct stage *stage, const struct server_config *config) {
    stage->server = server_create(config);
    struct test_port *echo = test_port_create(true), *words = test_port_create(false);
    words->other = echo;
    echo->other = words;
    assert_int_equal(server_listen(stage->server, &(struct server_place){.name = "echo", .host = "127.0.0.1"},
                                   &echo->port),
                     ERR_OK);
    assert_int_equal(server_listen(stage->server,
                                   &(struct server_place){.name = "words", .host = "127.0.0.1"},
                                   &words->port),
                     ERR_OK);
    stage->echo = listen_port(stage->server, "echo");
    stage->words = listen_port(stage->server, "words");
    assert_int_equal(pthread_create(&stage->thread, NULL, stage_run, stage->server), 0);
}

/* Waits for the server to end by itself. */
static void stage_join(struct stage *stage) {
    assert_int_equal(pthread_join(stage->thread, NULL), 0);
    server_free(stage->server);
}

static void stage_stop(struct stage *stage) {
    kill(getpid(), SIGTERM);
    stage_join(stage);
}

static int setup(void **state) {
    struct stage *stage = mem_alloc(sizeof *stage);
    struct server_config config = server_config_default();
    stage_start(stage, &config);
    *state = stage;
    return 0;
}

static int teardown(void **state) {
    stage_stop(*state);
    mem_free(*state);
    return 0;
}

static int client_open_with(uint16_t port, int receive_bytes) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    if (receive_bytes > 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    struct timeval hang = {.tv_sec = HANG_MS / 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &hang, sizeof hang);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &hang, sizeof hang);
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static int client_open(uint16_t port) {
    return client_open_with(port, 0);
}

static void client_send(int fd, const void *bytes, size_t size) {
    assert_int_equal(send(fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

static void client_say(int fd, const char *text) {
    client_send(fd, text, strlen(text));
}

static void client_read(int fd, void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = recv(fd, (char *)bytes + done, size - done, 0);
        assert_true(got > 0);
        done += (size_t)got;
    }
}

static void client_expect(int fd, const char *text) {
    char got[64];
    client_read(fd, got, strlen(text));
    assert_memory_equal(got, text, strlen(text));
}

/* Reads until the end of the stream; -1 when it was reset instead. */
static ssize_t client_read_rest(int fd) {
    char piece[16384];
    ssize_t total = 0, got;
    while ((got = recv(fd, piece, sizeof piece, 0)) > 0)
        total += got;
    assert_true(got == 0 || errno == ECONNRESET);
    return got == 0 ? total : -1;
}

/* Asks until the number of sessions of the other port is this. */
static void wait_for_count(int words, const char *count) {
    char line[16] = "";
    for (uint64_t start = clock_monotonic_ms(); strcmp(line, count) != 0;) {
        assert_true(clock_monotonic_ms() - start < HANG_MS);
        client_say(words, "count\n");
        size_t size = 0;
        do
            client_read(words, &line[size], 1);
        while (line[size++] != '\n');
        line[size - 1] = '\0';
    }
}

static void one_byte_per_packet_comes_back_in_order(void **state) {
    struct stage *stage = *state;
    int fd = client_open(stage->echo);
    char sent[500], got[500];
    for (size_t i = 0; i < sizeof sent; i++) {
        sent[i] = (char)(i * 7);
        client_send(fd, &sent[i], 1);
    }
    client_read(fd, got, sizeof got);
    assert_memory_equal(got, sent, sizeof sent);
    close(fd);
}

/* Sends size bytes to the echo and checks that they all come back in order. A peer that writes_first does
 * not read until it can write no more, because the server has met its limit of unsent bytes and has stopped
 * reading. */
static void echo_pump(uint16_t port, size_t size, bool writes_first) {
    char *sent = mem_alloc(size), *got = mem_alloc(size);
    for (size_t i = 0; i < size; i++)
        sent[i] = (char)(i ^ (i >> 8) ^ (i >> 16));
    int fd = client_open(port);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    size_t written = 0, read = 0;
    bool is_reading = !writes_first;
    while (read < size) {
        struct pollfd p = {fd, (short)((written < size ? POLLOUT : 0) | (is_reading ? POLLIN : 0)), 0};
        int ready = poll(&p, 1, is_reading ? HANG_MS : FULL_MS);
        assert_true(is_reading ? ready > 0 : ready >= 0);
        is_reading = is_reading || ready == 0 || written == size;
        if (p.revents & POLLOUT) {
            ssize_t n = send(fd, sent + written, size - written, MSG_NOSIGNAL);
            assert_true(n >= 0 || errno == EAGAIN);
            written += n > 0 ? (size_t)n : 0;
        }
        if (p.revents & POLLIN) {
            ssize_t n = recv(fd, got + read, size - read, 0);
            assert_true(n > 0);
            read += (size_t)n;
        }
    }
    assert_memory_equal(got, sent, size);
    mem_free(sent);
    mem_free(got);
    close(fd);
}

static void a_megabyte_in_one_go_comes_back(void **state) {
    struct stage *stage = *state;
    echo_pump(stage->echo, 1024 * 1024, false);
}

static void a_peer_that_writes_before_it_reads_is_held_back(void **state) {
    struct stage *stage = *state;
    echo_pump(stage->echo, FLOOD_BYTES / 4, true);
}

static void a_half_closed_peer_still_gets_what_is_unsent(void **state) {
    struct stage *stage = *state;
    enum { SIZE = 200 * 1024 };
    char *sent = mem_alloc(SIZE);
    int fd = client_open_with(stage->echo, 4096);
    client_send(fd, sent, SIZE);
    shutdown(fd, SHUT_WR);
    assert_int_equal(client_read_rest(fd), SIZE);
    mem_free(sent);
    close(fd);
}

static void client_reset(int fd) {
    struct linger hard = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close(fd);
}

static void a_reset_peer_is_forgotten(void **state) {
    struct stage *stage = *state;
    int words = client_open(stage->words), fds[20];
    for (int i = 0; i < 20; i++) {
        fds[i] = client_open(stage->echo);
        client_send(fds[i], "x", 1);
    }
    wait_for_count(words, "20");
    for (int i = 0; i < 20; i++)
        client_reset(fds[i]);
    wait_for_count(words, "0");
    close(words);
}

static void a_slow_consumer_is_dropped_and_nobody_else(void **state) {
    struct stage *stage = *state;
    int other = client_open(stage->words), echo = client_open(stage->echo);
    int slow = client_open_with(stage->words, 4096);
    char text[32];
    snprintf(text, sizeof text, "flood %d\n", FLOOD_BYTES);
    client_say(slow, text);
    client_say(echo, "still here");
    client_expect(echo, "still here");
    ssize_t got = client_read_rest(slow);
    assert_true(got < FLOOD_BYTES);
    wait_for_count(other, "1");
    close(slow);
    close(other);
    close(echo);
}

/* True when an answer still comes back. */
static bool client_is_served(int fd) {
    char answer;
    return send(fd, "\ncount\n", 7, MSG_NOSIGNAL) == 7 && recv(fd, &answer, 1, 0) == 1;
}

/* Many peers say lines without an end: under the ceiling of memory there is room for some of them. The
 * greediest go before it is passed, another one is served meanwhile, and everything is given back. */
static void the_greediest_go_when_memory_is_short(void **state) {
    struct stage *stage = *state;
    enum { GREEDY = 60, LINE_BYTES = 500 * 1000, ROOM_BYTES = 24 * 1024 * 1024 };
    int greedy[GREEDY], honest = client_open(stage->words), served = 0;
    char *line = mem_alloc(LINE_BYTES);
    memset(line, 'x', LINE_BYTES);
    wait_for_count(honest, "0");
    size_t used = mem_used(), max = used + ROOM_BYTES;
    mem_set_max(max);
    for (int i = 0; i < GREEDY; i++) {
        greedy[i] = client_open(stage->words);
        ssize_t sent = 1; /* it may be dropped before it is through */
        for (size_t done = 0; done < LINE_BYTES && sent > 0; done += sent > 0 ? (size_t)sent : 0)
            sent = send(greedy[i], line + done, LINE_BYTES - done, MSG_NOSIGNAL);
        for (int turn = 0; turn < 3; turn++) {
            client_say(honest, "count\n");
            client_expect(honest, "0\n");
            assert_true(mem_used() <= max);
        }
    }
    for (int i = 0; i < GREEDY; i++) {
        served += client_is_served(greedy[i]);
        close(greedy[i]);
    }
    assert_in_range(served, 1, GREEDY - 1);
    mem_set_max(0);
    for (uint64_t start = clock_monotonic_ms(); mem_used() > used + 64 * 1024;) { /* when they are gone */
        assert_true(clock_monotonic_ms() - start < HANG_MS);
        client_say(honest, "count\n");
        client_expect(honest, "0\n");
    }
    mem_free(line);
    close(honest);
}

static void what_was_said_before_the_close_arrives_whole(void **state) {
    struct stage *stage = *state;
    enum { SAID = 500 * 1000 };
    int fd = client_open_with(stage->words, 4096);
    client_say(fd, "bye 500000\n");
    assert_int_equal(client_read_rest(fd), SAID);
    close(fd);
}

/* A socket that is closed while input is unread resets the connection, and the peer loses the last words. */
static void input_after_the_close_does_not_lose_the_last_words(void **state) {
    struct stage *stage = *state;
    enum { JUNK = 100 * 1000 };
    char *junk = mem_alloc(JUNK);
    memset(junk, 'j', JUNK);
    memcpy(junk, "bye 9\n", 6);
    for (int i = 0; i < 20; i++) {
        int fd = client_open(stage->words);
        client_send(fd, junk, JUNK);
        client_send(fd, junk, JUNK);
        assert_int_equal(client_read_rest(fd), 9);
        close(fd);
    }
    mem_free(junk);
}

static void links_may_be_closed_while_another_one_speaks(void **state) {
    struct stage *stage = *state;
    int fds[5], boss = client_open(stage->words), echo = client_open(stage->echo);
    for (int i = 0; i < 5; i++)
        fds[i] = client_open(stage->words);
    for (int i = 0; i < 5; i++) {
        client_say(fds[i], "count\n");
        client_expect(fds[i], "1\n");
    }
    client_say(boss, "kick\ncount\n");
    client_expect(boss, "done\n1\n");
    for (int i = 0; i < 5; i++) {
        client_expect(fds[i], "kicked\n");
        assert_int_equal(client_read_rest(fds[i]), 0);
        close(fds[i]);
    }
    close(echo);
    close(boss);
}

static void a_lost_peer_may_be_closed_before_its_port_is_told(void **state) {
    struct stage *stage = *state;
    int fd = client_open_with(stage->words, 4096), other = client_open(stage->echo);
    char text[32];
    snprintf(text, sizeof text, "bye %d\n", FLOOD_BYTES);
    client_say(fd, text);
    assert_true(client_read_rest(fd) < FLOOD_BYTES);
    client_say(other, "alive");
    client_expect(other, "alive");
    close(fd);
    close(other);
}

static void a_thousand_connections_come_and_go(void **state) {
    struct stage *stage = *state;
    int words = client_open(stage->words);
    for (int round = 0; round < 10; round++) {
        int fds[100];
        for (int i = 0; i < 100; i++) {
            fds[i] = client_open(stage->echo);
            client_send(fds[i], "hello", 5);
        }
        for (int i = 0; i < 100; i++) {
            client_expect(fds[i], "hello");
            close(fds[i]);
        }
    }
    wait_for_count(words, "0");
    close(words);
}

static void a_port_is_woken_when_it_asked_to_be(void **state) {
    struct stage *stage = *state;
    int fd = client_open(stage->words);
    for (int i = 0; i < 3; i++) {
        client_say(fd, "wake\n");
        client_expect(fd, "awake\n");
    }
    close(fd);
}

static void a_signal_says_goodbye_to_everybody(void **unused) {
    (void)unused;
    struct stage stage;
    struct server_config config = server_config_default();
    stage_start(&stage, &config);
    int fds[20];
    for (int i = 0; i < 20; i++) {
        fds[i] = client_open(i % 2 == 0 ? stage.echo : stage.words);
        client_say(fds[i], i % 2 == 0 ? "ff" : "flood 2\n");
        client_expect(fds[i], "ff");
    }
    kill(getpid(), SIGTERM);
    for (int i = 0; i < 20; i++) {
        client_expect(fds[i], "goodbye\n");
        assert_int_equal(client_read_rest(fds[i]), 0);
        close(fds[i]);
    }
    stage_join(&stage);
}

/* With ten minutes for the goodbye, only the second signal can end this within the time of the test. */
static void a_second_signal_waits_for_nobody(void **unused) {
    (void)unused;
    struct stage stage;
    struct server_config config = server_config_default();
    config.goodbye_ms = 10 * 60 * 1000;
    stage_start(&stage, &config);
    int stuck = client_open_with(stage.echo, 4096), polite = client_open(stage.words);
    fcntl(stuck, F_SETFL, O_NONBLOCK);
    char *piece = mem_alloc(PIECE_BYTES);
    struct pollfd writable = {stuck, POLLOUT, 0};
    /* Until the server has stopped reading: its unsent bytes are many then. */
    while (poll(&writable, 1, FULL_MS) > 0)
        if (send(stuck, piece, PIECE_BYTES, MSG_NOSIGNAL) < 0)
            assert_int_equal(errno, EAGAIN);
    kill(getpid(), SIGTERM);
    client_expect(polite, "goodbye\n");
    kill(getpid(), SIGINT);
    stage_join(&stage);
    mem_free(piece);
    close(stuck);
    close(polite);
}

static void a_port_that_has_ended_ends_the_server(void **unused) {
    (void)unused;
    struct stage stage;
    struct server_config config = server_config_default();
    stage_start(&stage, &config);
    int echo = client_open(stage.echo), words = client_open(stage.words);
    client_say(echo, "here");
    client_expect(echo, "here");
    client_say(words, "end\nend\n");
    assert_int_equal(client_read_rest(words), 0);
    client_expect(echo, "goodbye\n");
    close(echo);
    close(words);
    stage_join(&stage);
}

static void peers_above_the_ceiling_are_closed_at_once(void **unused) {
    (void)unused;
    struct stage stage;
    struct server_config config = server_config_default();
    config.connections_max = 3;
    stage_start(&stage, &config);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = client_open(i == 0 ? stage.words : stage.echo);
        client_say(fds[i], i == 0 ? "kick\n" : "hello");
        client_expect(fds[i], i == 0 ? "done\n" : "hello");
    }
    for (int i = 0; i < 5; i++) {
        int refused = client_open(stage.echo);
        assert_true(client_read_rest(refused) <= 0);
        close(refused);
    }
    close(fds[2]);
    wait_for_count(fds[0], "1");
    /* The port knows before the file is closed, so a first try may still be refused. */
    char got = 0;
    for (uint64_t start = clock_monotonic_ms(); got != 'x';) {
        assert_true(clock_monotonic_ms() - start < HANG_MS);
        int late = client_open(stage.echo);
        if (send(late, "x", 1, MSG_NOSIGNAL) == 1 && recv(late, &got, 1, 0) != 1)
            got = 0;
        close(late);
    }
    close(fds[0]);
    close(fds[1]);
    stage_stop(&stage);
}

static void an_address_in_use_is_complained_about(void **state) {
    struct stage *stage = *state;
    struct server_config config = server_config_default();
    struct server *server = server_create(&config);
    struct test_port *port = test_port_create(true);
    assert_int_equal(
        server_listen(server,
                      &(struct server_place){.name = "echo", .host = "127.0.0.1", .number = stage->echo},
                      &port->port),
        ERR_IO);
    assert_non_null(strstr(server_complaint(server), "address already in use"));
    assert_null(server_address(server, "echo"));
    server_free(server);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_ERROR);
#define STAGED(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        STAGED(one_byte_per_packet_comes_back_in_order),
        STAGED(a_megabyte_in_one_go_comes_back),
        STAGED(a_peer_that_writes_before_it_reads_is_held_back),
        STAGED(a_half_closed_peer_still_gets_what_is_unsent),
        STAGED(a_reset_peer_is_forgotten),
        STAGED(a_slow_consumer_is_dropped_and_nobody_else),
        STAGED(the_greediest_go_when_memory_is_short),
        STAGED(what_was_said_before_the_close_arrives_whole),
        STAGED(input_after_the_close_does_not_lose_the_last_words),
        STAGED(links_may_be_closed_while_another_one_speaks),
        STAGED(a_lost_peer_may_be_closed_before_its_port_is_told),
        STAGED(a_thousand_connections_come_and_go),
        STAGED(a_port_is_woken_when_it_asked_to_be),
        cmocka_unit_test(a_signal_says_goodbye_to_everybody),
        cmocka_unit_test(a_second_signal_waits_for_nobody),
        cmocka_unit_test(a_port_that_has_ended_ends_the_server),
        cmocka_unit_test(peers_above_the_ceiling_are_closed_at_once),
        STAGED(an_address_in_use_is_complained_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
