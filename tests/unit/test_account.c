/* Accounts of the loop's time: who is served at once and who waits, and connections over real sockets whose
 * every line costs time of a fake clock, so that the length of a turn is exact on any machine. */
#include "tests.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "server/account.h"
#include "server/conn.h"
#include "server/share.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GREEDY = 200, LINES = 100, LINE_US = 40, HANG_MS = 60000, MUCH_BYTES = 512 * 1024 };

/* Of an address that was light before this turn: what it has at once, and what those have who rest. Each may
 * be over its time by one share, and that by one line. */
enum { TURN_US_MAX = ACCOUNT_AT_ONCE_US + SHARE_RESUME_US + 2 * (SHARE_US + LINE_US) };
/* When all are greedy. */
enum { TURN_GREEDY_US_MAX = SHARE_RESUME_US + SHARE_US_MIN + LINE_US };

static struct address account_address(const char *text) {
    struct address address;
    assert_true(address_parse(span_of(text), &address));
    return address;
}

static void who_has_had_much_waits_behind_those_who_rest(void **state) {
    (void)state;
    struct accounts all = {0};
    struct holder one = {0}, other = {0};
    struct address home = account_address("192.0.2.1"), elsewhere = account_address("192.0.2.2");
    account_open(&all, &one, &home, 0);
    account_open(&all, &other, &elsewhere, 0);
    assert_false(account_must_wait(&all, &one, 1, 0));
    account_charge(&all, &one, 1, ACCOUNT_AT_ONCE_US, 0);
    assert_true(account_must_wait(&all, &one, 1, 0)); /* enough for this turn */
    assert_false(account_must_wait(&all, &one, 2, 0));
    account_charge(&all, &one, 2, ACCOUNT_GREEDY_US, 0);
    assert_false(account_must_wait(&all, &one, 3, 0)); /* greedy, but nobody else wants anything */
    account_rest(&all, &other);
    assert_true(account_must_wait(&all, &one, 3, 0));
    account_rise(&all, &other);
    assert_false(account_must_wait(&all, &other, 3, 0));
    assert_false(account_must_wait(&all, &one, 3, 0));
    account_charge(&all, &one, 3, SHARE_RESUME_US, 0);
    assert_true(account_must_wait(&all, &one, 3, 0)); /* greedy, and the turn has been long enough */
    account_rest(&all, &other);
    assert_false(account_must_wait(&all, &one, 4, 20 * ACCOUNT_HALF_US)); /* forgotten */
    account_close(&all, &one, 20 * ACCOUNT_HALF_US);
    account_close(&all, &other, 20 * ACCOUNT_HALF_US);
    accounts_free(&all);
}

static void an_address_takes_its_greed_to_its_next_connection(void **state) {
    (void)state;
    struct accounts all = {0};
    struct holder one = {0}, other = {0};
    struct address home = account_address("192.0.2.1"), elsewhere = account_address("192.0.2.2");
    account_open(&all, &other, &elsewhere, 0);
    account_rest(&all, &other);
    account_open(&all, &one, &home, 0);
    account_charge(&all, &one, 1, 2 * ACCOUNT_GREEDY_US, 0);
    account_close(&all, &one, 0);
    assert_int_equal(all.left_count, 1);
    account_open(&all, &one, &home, 1);
    assert_int_equal(all.left_count, 0);
    assert_true(account_must_wait(&all, &one, 2, 1));
    account_close(&all, &one, 1);
    account_open(&all, &one, &home, 4 * ACCOUNT_HALF_US); /* for long enough it was not there */
    assert_int_equal(all.left_count, 0);
    assert_false(account_must_wait(&all, &one, 3, 4 * ACCOUNT_HALF_US));
    account_close(&all, &one, 4 * ACCOUNT_HALF_US);
    account_close(&all, &other, 4 * ACCOUNT_HALF_US);
    accounts_free(&all);
}

static void accounts_that_were_left_are_bounded(void **state) {
    (void)state;
    struct accounts all = {0};
    for (uint32_t i = 0; i < 2 * ACCOUNTS_LEFT_MAX; i++) {
        struct holder one = {0};
        struct address home = address_of_four((uint8_t[]){10, 0, (uint8_t)(i >> 8), (uint8_t)i});
        account_open(&all, &one, &home, 0);
        account_charge(&all, &one, 1, 2 * ACCOUNT_GREEDY_US, 0);
        account_close(&all, &one, 0);
        assert_in_range(all.left_count, 1, ACCOUNTS_LEFT_MAX);
    }
    accounts_free(&all);
}

/* An address with many connections that rest and one with a single one are resumed in turn. Nobody in
 * particular has an account for every connection. */
static void addresses_take_turns(void **state) {
    (void)state;
    struct accounts all = {0};
    struct holder many[4] = {0}, one = {0}, free_one = {0}, free_other = {0};
    struct address home = account_address("192.0.2.1"), elsewhere = account_address("2001:db8::1"),
                   nobody = {{0}};
    struct holder *const order[] = {&many[0], &one, &free_one, &free_other, &many[1], &many[2], &many[3]};
    for (int i = 0; i < 4; i++)
        account_open(&all, &many[i], &home, 0);
    account_open(&all, &one, &elsewhere, 0);
    account_open(&all, &free_one, &nobody, 0);
    account_open(&all, &free_other, &nobody, 0);
    for (int i = 0; i < 4; i++)
        account_rest(&all, &many[i]);
    account_rest(&all, &one);
    account_rest(&all, &free_one);
    account_rest(&all, &free_other);
    assert_int_equal(all.resting_count, 7);
    for (int i = 0; i < 7; i++) {
        assert_ptr_equal(accounts_next(&all), order[i]);
        account_rise(&all, order[i]);
    }
    assert_null(accounts_next(&all));
    for (int i = 0; i < 7; i++)
        account_close(&all, order[i], 0);
    accounts_free(&all);
}

/* Connections on a clock that only lines move. */

static uint64_t fake_us;

static uint64_t fake_now_us(void) {
    return fake_us;
}

static uint64_t fake_now_ms(void *context) {
    (void)context;
    return fake_us / 1000;
}

struct world {
    struct port port; /* every line takes LINE_US; "count" is answered with how many there were */
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_prepare_t before_wait;
    struct conns conns;
    struct conn_place place;
    uint16_t number;
    unsigned lines, opened, closed, drained;
    uint64_t read_us, close_us; /* what it takes to read a piece, and to hear that a peer is gone */
    uint64_t turn_begun_us, turn_us_max;
    uint64_t honest_read_us, honest_heard_us; /* when the bytes of an honest peer came, and were looked at */
};

static bool is_stranger(const struct link *link) {
    struct address strangers = account_address("127.0.0.66");
    return address_equal(&link->origin, &strangers);
}

static void world_opened(struct port *port, struct link *link, uint64_t now_ms) {
    (void)now_ms;
    ((struct world *)port)->opened++;
    link->session = mem_alloc(sizeof(struct buf));
}

static void world_line(struct world *w, struct link *link, struct span line) {
    char text[16];
    fake_us += LINE_US;
    w->lines++;
    if (span_is(line, "much")) {
        char *much = mem_alloc(MUCH_BYTES);
        link_send(link, span_make(much, MUCH_BYTES));
        mem_free(much);
    }
    if (span_is(line, "count")) {
        w->honest_heard_us = fake_us;
        int size = snprintf(text, sizeof text, "%9u\n", w->lines);
        link_send(link, span_make(text, (size_t)size));
    }
    link_heard(link);
}

static void world_resumed(struct port *port, struct link *link, uint64_t now_ms) {
    struct buf *unheard = link->session;
    (void)now_ms;
    size_t taken = 0;
    while (!link_must_wait(link)) {
        const char *begin = unheard->data + taken;
        const char *end = unheard->size == taken ? NULL : memchr(begin, '\n', unheard->size - taken);
        if (end == NULL)
            break;
        world_line((struct world *)port, link, span_make(begin, (size_t)(end - begin)));
        taken += (size_t)(end - begin) + 1;
    }
    buf_consume(unheard, taken);
}

static void world_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct world *w = (struct world *)port;
    fake_us += w->read_us;
    if (!is_stranger(link))
        w->honest_read_us = fake_us;
    buf_append(link->session, bytes);
    world_resumed(port, link, now_ms);
}

static void world_closed(struct port *port, struct link *link, uint64_t now_ms) {
    struct world *w = (struct world *)port;
    (void)now_ms;
    fake_us += w->close_us;
    w->closed++;
    buf_free(link->session);
    mem_free(link->session);
}

/* Much waited for that. */
static void world_drained(struct port *port, struct link *link, uint64_t now_ms) {
    ((struct world *)port)->drained++;
    fake_us += LINE_US;
    assert_false(link_is_full(link));
    world_resumed(port, link, now_ms);
}

static const struct port_ops world_ops = {.opened = world_opened,
                                          .received = world_received,
                                          .closed = world_closed,
                                          .drained = world_drained,
                                          .resumed = world_resumed};

static void world_on_peer(uv_stream_t *stream, int status) {
    struct world *w = stream->data;
    assert_int_equal(status, 0);
    assert_int_equal(conn_accept(&w->conns, stream, &w->place), ERR_OK);
}

static void world_before_wait(uv_prepare_t *prepare) {
    struct world *w = prepare->data;
    conns_settle(&w->conns);
}

/* One turn of the loop, which does not wait. */
static void world_turn(struct world *w) {
    uint64_t begun_us = fake_us;
    uv_run(&w->loop, UV_RUN_NOWAIT);
    w->turn_us_max = fake_us - begun_us > w->turn_us_max ? fake_us - begun_us : w->turn_us_max;
}

static void world_begin(struct world *w) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int size = sizeof address;
    fake_us = 1000 * 1000;
    *w = (struct world){.port.ops = &world_ops};
    w->place = (struct conn_place){.name = "lines", .port = &w->port};
    uv_loop_init(&w->loop);
    uv_tcp_init(&w->loop, &w->listener);
    uv_prepare_init(&w->loop, &w->before_wait);
    w->listener.data = w->before_wait.data = w;
    conns_init(&w->conns, &w->loop, &(struct conns_clock){w, fake_now_ms, fake_now_us}, 1000);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(uv_tcp_bind(&w->listener, (struct sockaddr *)&address, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&w->listener, 1024, world_on_peer), 0);
    assert_int_equal(uv_tcp_getsockname(&w->listener, (struct sockaddr *)&address, &size), 0);
    w->number = ntohs(address.sin_port);
    uv_prepare_start(&w->before_wait, world_before_wait);
}

static void world_end(struct world *w) {
    conns_abort(&w->conns);
    conns_end(&w->conns);
    uv_close((uv_handle_t *)&w->listener, NULL);
    uv_close((uv_handle_t *)&w->before_wait, NULL);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&w->loop), 0);
    conns_free(&w->conns);
}

static int world_client(struct world *w, const char *home) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, home, &address.sin_addr), 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(w->number);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    uint64_t until_ms = clock_monotonic_ns() / 1000000 + HANG_MS;
    for (unsigned before = w->opened; w->opened == before;) {
        world_turn(w);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
    return fd;
}

static void world_say(int fd, struct span text) {
    assert_int_equal(send(fd, text.data, text.size, MSG_NOSIGNAL), (ssize_t)text.size);
}

/* Turns until there is an answer, which may take any number of them: the machine decides when bytes arrive.
 */
static unsigned world_answer(struct world *w, int fd) {
    char text[11] = "";
    uint64_t until_ms = clock_monotonic_ns() / 1000000 + HANG_MS;
    while (recv(fd, text, 10, MSG_DONTWAIT) != 10) {
        world_turn(w);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
    return (unsigned)atoi(text);
}

/* Strangers from one address say more than can be heard, on many connections. Whatever they do a turn is
 * short, and what an honest peer says is looked at when it is read. */
static void an_honest_peer_does_not_wait_for_two_hundred_greedy_ones(void **state) {
    (void)state;
    struct world w;
    struct buf lines = {0};
    int greedy[GREEDY];
    world_begin(&w);
    for (int i = 0; i < LINES; i++)
        buf_append_text(&lines, "x\n");
    int honest = world_client(&w, "127.0.0.1");
    for (int i = 0; i < GREEDY; i++)
        greedy[i] = world_client(&w, "127.0.0.66");
    for (int i = 0; i < GREEDY; i++)
        world_say(greedy[i], buf_span(&lines));
    while (w.conns.accounts.resting_count < GREEDY - 10) /* the burst: nobody knew that they are greedy */
        world_turn(&w);
    assert_in_range(w.turn_us_max, LINE_US, TURN_US_MAX);
    for (int i = 0; i < 300; i++)
        world_turn(&w);
    w.turn_us_max = 0;
    for (int i = 0; i < 20; i++) {
        world_say(honest, SPAN("count\n"));
        unsigned before = world_answer(&w, honest);
        assert_true(before < GREEDY * LINES); /* there was always somebody who waited */
        assert_int_equal(w.honest_heard_us - w.honest_read_us, LINE_US);
    }
    assert_in_range(w.turn_us_max, LINE_US,
                    TURN_GREEDY_US_MAX + LINE_US); /* and the line of the honest one */
    while (w.lines < GREEDY * LINES + 20)
        world_turn(&w);
    world_say(greedy[0], SPAN("count\n"));
    assert_int_equal(world_answer(&w, greedy[0]), GREEDY * LINES + 21); /* nothing was lost */
    for (int i = 0; i < GREEDY; i++)
        close(greedy[i]);
    close(honest);
    world_end(&w);
    buf_free(&lines);
}

/* Strangers from one address, each known to the server. */
static void world_strangers(struct world *w, int *fds) {
    for (int i = 0; i < GREEDY; i++)
        fds[i] = world_client(w, "127.0.0.66");
    w->turn_us_max = 0;
}

/* Turns until a count is there; no turn was longer than this. */
static void world_until(struct world *w, const unsigned *count, unsigned wanted, uint64_t turn_us_max) {
    uint64_t until_ms = clock_monotonic_ns() / 1000000 + HANG_MS;
    while (*count < wanted) {
        world_turn(w);
        assert_in_range(w->turn_us_max, 0, turn_us_max);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
}

/* Strangers go all at the same moment: they are let go a few in a turn, and an honest peer is heard among
 * them. */
static void those_who_go_together_are_let_go_a_few_at_a_time(void **state) {
    (void)state;
    struct world w;
    int strangers[GREEDY];
    world_begin(&w);
    int honest = world_client(&w, "127.0.0.1");
    world_strangers(&w, strangers);
    w.close_us = LINE_US;
    for (int i = 0; i < GREEDY; i++)
        close(strangers[i]);
    world_until(&w, &w.closed, 1, TURN_US_MAX);
    world_say(honest, SPAN("count\n"));
    assert_int_equal(world_answer(&w, honest), 1);
    assert_int_equal(w.honest_heard_us - w.honest_read_us, LINE_US);
    assert_in_range(w.closed, 1, GREEDY / 2); /* most of them were still there */
    world_until(&w, &w.closed, GREEDY, TURN_US_MAX);
    close(honest);
    world_end(&w);
}

/* Messages that are begun and not ended cost only to be read. */
static void pieces_are_read_a_few_at_a_time(void **state) {
    (void)state;
    struct world w;
    int strangers[GREEDY];
    world_begin(&w);
    world_strangers(&w, strangers);
    w.read_us = LINE_US;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < GREEDY; i++)
            world_say(strangers[i], SPAN("x"));
        for (int i = 0; i < 2 * GREEDY; i++)
            world_turn(&w);
        assert_in_range(w.turn_us_max, LINE_US, TURN_US_MAX);
    }
    w.read_us = 0;
    for (int i = 0; i < GREEDY; i++)
        world_say(strangers[i], SPAN("\n"));
    world_until(&w, &w.lines, GREEDY, TURN_US_MAX); /* nothing was lost */
    for (int i = 0; i < GREEDY; i++)
        close(strangers[i]);
    world_end(&w);
}

/* Strangers who did not read what they asked for read it at the same moment: what waited for that is gone on
 * with for a few of them in a turn, and for all in the end. */
static void those_who_read_together_are_gone_on_with_a_few_at_a_time(void **state) {
    (void)state;
    enum { READERS = 40 };
    static char bytes[MUCH_BYTES];
    struct world w;
    int strangers[GREEDY], small = 32 * 1024;
    uv_os_fd_t listener;
    world_begin(&w);
    assert_int_equal(uv_fileno((uv_handle_t *)&w.listener, &listener), 0);
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &small, sizeof small); /* connections have it from there */
    world_strangers(&w, strangers);
    for (int i = 0; i < READERS; i++) {
        setsockopt(strangers[i], SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        world_say(strangers[i], SPAN("much\ncount\n")); /* the second waits until the first is sent */
    }
    world_until(&w, &w.lines, READERS, TURN_US_MAX);
    size_t left[READERS], done = 0;
    for (int i = 0; i < READERS; i++)
        left[i] = MUCH_BYTES + 10;
    uint64_t until_ms = clock_monotonic_ns() / 1000000 + HANG_MS;
    while (done < READERS) {
        for (int i = 0; i < READERS; i++) {
            ssize_t size = left[i] == 0 ? 0 : recv(strangers[i], bytes, sizeof bytes, MSG_DONTWAIT);
            left[i] -= size > 0 ? (size_t)size : 0;
            done += size > 0 && left[i] == 0;
        }
        world_turn(&w);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
    assert_int_equal(w.drained, READERS);
    assert_in_range(w.turn_us_max, LINE_US, TURN_US_MAX);
    for (int i = 0; i < GREEDY; i++)
        close(strangers[i]);
    world_end(&w);
}

/* What a peer says after its end is thrown away in shares, too. */
static void who_is_being_closed_is_read_in_shares(void **state) {
    (void)state;
    enum { PIECE_BYTES = 256 * 1024 };
    struct world w;
    char *piece = mem_alloc(PIECE_BYTES);
    world_begin(&w);
    int fd = world_client(&w, "127.0.0.66"), size = PIECE_BYTES * 4;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    struct conn *conn = conns_next(&w.conns, NULL);
    struct link *link = (struct link *)conn; /* a link is its connection */
    world_closed(&w.port, link, 0);
    link_close(link);
    ssize_t sent = send(fd, piece, PIECE_BYTES, MSG_NOSIGNAL | MSG_DONTWAIT);
    assert_true(sent > SHARE_BYTES);
    uint64_t until_ms = clock_monotonic_ns() / 1000000 + HANG_MS;
    while (w.conns.accounts.resting_count == 0) { /* it rests before all of it is read */
        world_turn(&w);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
    close(fd);
    while (w.conns.count > 0) { /* and is let go when it has ended */
        world_turn(&w);
        assert_true(clock_monotonic_ns() / 1000000 < until_ms);
    }
    world_end(&w);
    mem_free(piece);
}

int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_had_much_waits_behind_those_who_rest),
        cmocka_unit_test(an_address_takes_its_greed_to_its_next_connection),
        cmocka_unit_test(accounts_that_were_left_are_bounded),
        cmocka_unit_test(addresses_take_turns),
        cmocka_unit_test(an_honest_peer_does_not_wait_for_two_hundred_greedy_ones),
        cmocka_unit_test(those_who_go_together_are_let_go_a_few_at_a_time),
        cmocka_unit_test(pieces_are_read_a_few_at_a_time),
        cmocka_unit_test(those_who_read_together_are_gone_on_with_a_few_at_a_time),
        cmocka_unit_test(who_is_being_closed_is_read_in_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
