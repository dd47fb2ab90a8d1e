/* Connections that leave HTTP: the handshake, bytes both ways, and how they end. */
#include "tests.h"

#include "base/buf.h"
#include "wire/http/http.h"

#define HOST      "Host: a\r\n"
#define GET(path) "GET " path " HTTP/1.1\r\n" HOST "\r\n"
#define UPGRADE                                                                                              \
    "GET /tunnel HTTP/1.1\r\n" HOST "Connection: Upgrade\r\nUpgrade: websocket\r\n"                          \
    "Sec-WebSocket-Key: k\r\nSec-WebSocket-Version: 13\r\nOrigin: http://a\r\n\r\n"
#define SWITCHED                                                                                             \
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: y\r\n\r\n"

struct stage {
    struct port *port;
    struct link link;
    struct buf got;
    bool is_closed;
    bool is_full;
    bool is_spent;
    bool counts; /* the share is one message */
    uint64_t now_ms;
    struct http_exchange *waiting;
    struct http_tunnel *tunnel;
    struct buf through; /* what came out of the tunnel */
    size_t sip;         /* so much is taken at a time; 0: everything */
    int tunnel_ends;
    int taken;
};

static struct stage stage;

static void link_take(struct link *link, struct span bytes) {
    assert_ptr_equal(link, &stage.link);
    assert_false(stage.is_closed);
    buf_append(&stage.got, bytes);
}

static void link_end(struct link *link) {
    assert_ptr_equal(link, &stage.link);
    stage.is_closed = true;
}

static bool link_full(const struct link *link) {
    assert_ptr_equal(link, &stage.link);
    return stage.is_full;
}

static void link_counts(struct link *link) {
    assert_ptr_equal(link, &stage.link);
    stage.is_spent = stage.counts;
}

static bool link_spent(const struct link *link) {
    assert_ptr_equal(link, &stage.link);
    return stage.is_spent;
}

static const struct link_ops link_ops = {
    .send = link_take, .close = link_end, .is_full = link_full, .heard = link_counts, .is_spent = link_spent};

/* The other end of a tunnel. */
static size_t tunnel_received(void *context, struct span bytes, uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    assert_int_equal(now_ms, stage.now_ms);
    if (stage.sip > 0 && bytes.size > stage.sip)
        bytes.size = stage.sip;
    buf_append(&stage.through, bytes);
    if (span_is(bytes, "echo"))
        http_tunnel_send(stage.tunnel, bytes);
    if (span_is(bytes, "quit"))
        http_tunnel_close(stage.tunnel);
    return bytes.size;
}

static void tunnel_closed(void *context, uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    assert_int_equal(now_ms, stage.now_ms);
    stage.tunnel_ends++;
}

static void tunnel_drained(void *context, uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    assert_int_equal(now_ms, stage.now_ms);
    http_tunnel_send(stage.tunnel, SPAN("more"));
}

static void tunnel_shutdown(void *context) {
    assert_ptr_equal(context, &stage);
    http_tunnel_send(stage.tunnel, SPAN("bye"));
}

static const struct http_tunnel_ops tunnel_ops = {tunnel_received, tunnel_closed, tunnel_drained,
                                                  tunnel_shutdown};

static bool route_take(void *context, const struct http_request *r, struct http_exchange *e,
                       uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    assert_int_equal(now_ms, stage.now_ms);
    stage.taken++;
    if (span_is(r->path, "/now")) {
        http_answer(e, 204, "text/plain", SPAN(""));
        return true;
    }
    if (!r->wants_websocket) {
        assert_null(stage.waiting);
        stage.waiting = e;
        return true;
    }
    assert_true(span_is(r->path, "/tunnel"));
    assert_true(span_is(r->websocket_key, "k") && span_is(r->websocket_version, "13"));
    assert_true(span_is(r->origin, "http://a"));
    stage.tunnel = http_upgrade(e, SPAN("X: y\r\n"), &tunnel_ops, &stage);
    if (stage.tunnel == NULL)
        http_answer(e, 400, "text/plain", SPAN("not now"));
    else
        http_tunnel_send(stage.tunnel, SPAN("hello"));
    return true;
}

static int setup(void **state) {
    (void)state;
    stage = (struct stage){.link.ops = &link_ops, .now_ms = 1000};
    struct http_route route = {.context = &stage, .take = route_take};
    struct http_port_config config = http_port_config_default();
    stage.port = http_port_create(&config, &route, 1);
    stage.port->ops->opened(stage.port, &stage.link, stage.now_ms);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    stage.port->ops->free(stage.port);
    buf_free(&stage.got);
    buf_free(&stage.through);
    return 0;
}

static void say(const char *text) {
    stage.port->ops->received(stage.port, &stage.link, span_of(text), stage.now_ms);
}

static void expect(const char *text) {
    assert_string_equal(buf_text(&stage.got), text);
    buf_clear(&stage.got);
}

static void a_connection_can_leave_http(void **state) {
    (void)state;
    say(UPGRADE "first words");
    expect(SWITCHED "hello");
    assert_string_equal(buf_text(&stage.through), "first words");
    say("echo");
    expect("echo");
    say(GET("/now")); /* is nobody's request any more */
    assert_int_equal(stage.taken, 1);
    say("quit");
    assert_true(stage.is_closed);
    assert_int_equal(stage.tunnel_ends, 0);
}

static void the_handshake_may_come_in_pieces(void **state) {
    (void)state;
    struct span text = SPAN(UPGRADE "x");
    for (size_t i = 0; i < text.size; i++)
        stage.port->ops->received(stage.port, &stage.link, span_make(text.data + i, 1), stage.now_ms);
    expect(SWITCHED "hello");
    assert_string_equal(buf_text(&stage.through), "x");
    stage.port->ops->closed(stage.port, &stage.link, stage.now_ms);
    assert_int_equal(stage.tunnel_ends, 1);
}

static void a_tunnel_hears_of_its_peer(void **state) {
    (void)state;
    say(UPGRADE);
    expect(SWITCHED "hello");
    stage.is_full = true;
    say("echo");
    assert_true(http_tunnel_is_full(stage.tunnel));
    expect("echo");
    stage.is_full = false;
    stage.port->ops->drained(stage.port, &stage.link, stage.now_ms);
    assert_false(http_tunnel_is_full(stage.tunnel));
    expect("more");
    stage.now_ms += 3600 * 1000; /* its silence is not HTTP's business */
    stage.port->ops->advance(stage.port, stage.now_ms);
    assert_false(stage.is_closed);
    stage.port->ops->finished(stage.port, &stage.link, stage.now_ms);
    assert_int_equal(stage.tunnel_ends, 1);
    assert_true(stage.is_closed);
}

/* What the other end does not take comes again when there is room, and before it is told of the end. */
static void a_tunnel_may_take_less(void **state) {
    (void)state;
    say(UPGRADE);
    expect(SWITCHED "hello");
    stage.is_full = true;
    stage.sip = 4;
    say("echotwo.three");
    expect("echo");
    assert_string_equal(buf_text(&stage.through), "echo");
    say("last");
    stage.port->ops->finished(stage.port, &stage.link, stage.now_ms);
    assert_string_equal(buf_text(&stage.through), "echo");
    assert_int_equal(stage.tunnel_ends, 0);
    stage.is_full = false;
    stage.sip = 0;
    stage.port->ops->drained(stage.port, &stage.link, stage.now_ms);
    assert_string_equal(buf_text(&stage.through), "echotwo.threelast");
    assert_int_equal(stage.tunnel_ends, 1);
    assert_true(stage.is_closed);
}

/* Requests that came together are taken one a turn; the peer's last word does not end what waits, and waiting
 * for its turn is not the peer's silence. */
static void a_peer_has_its_share_of_a_turn(void **state) {
    (void)state;
    stage.counts = true;
    say(GET("/now") GET("/now") GET("/now"));
    assert_int_equal(stage.taken, 1);
    stage.port->ops->finished(stage.port, &stage.link, stage.now_ms);
    stage.now_ms += 3600 * 1000;
    stage.port->ops->advance(stage.port, stage.now_ms);
    for (int turn = 2; turn <= 4; turn++) {
        assert_false(stage.is_closed);
        stage.is_spent = false;
        stage.port->ops->resumed(stage.port, &stage.link, stage.now_ms);
        assert_int_equal(stage.taken, turn < 3 ? turn : 3);
    }
    assert_true(stage.is_closed);
}

/* A tunnel whose peer has used up its share is not full: it is told things, but not heard. */
static void a_tunnel_waits_for_its_turn(void **state) {
    (void)state;
    say(UPGRADE);
    expect(SWITCHED "hello");
    stage.counts = true;
    stage.sip = 4;
    say("echo");
    expect("echo");
    http_tunnel_heard(stage.tunnel);
    assert_true(http_tunnel_must_wait(stage.tunnel));
    assert_false(http_tunnel_is_full(stage.tunnel));
    say("two.");
    stage.port->ops->finished(stage.port, &stage.link, stage.now_ms);
    assert_string_equal(buf_text(&stage.through), "echo");
    assert_int_equal(stage.tunnel_ends, 0);
    stage.is_spent = false;
    stage.port->ops->resumed(stage.port, &stage.link, stage.now_ms);
    assert_string_equal(buf_text(&stage.through), "echotwo.");
    assert_int_equal(stage.tunnel_ends, 1);
}

/* From outside of a turn of the port it takes effect with the next one, which is due at once. */
static void a_tunnel_can_be_closed_at_any_time(void **state) {
    (void)state;
    say(UPGRADE);
    http_tunnel_send(stage.tunnel, SPAN("last"));
    http_tunnel_close(stage.tunnel);
    expect(SWITCHED "hellolast");
    assert_true(stage.port->ops->next_ms(stage.port) <= stage.now_ms);
    say("unheard");
    assert_int_equal(stage.through.size, 0);
    assert_true(stage.is_closed);
    assert_int_equal(stage.tunnel_ends, 0);
}

static void tunnels_say_goodbye(void **state) {
    (void)state;
    say(UPGRADE);
    expect(SWITCHED "hello");
    stage.port->ops->shutdown(stage.port);
    expect("bye");
    assert_true(stage.is_closed);
    assert_int_equal(stage.tunnel_ends, 0);
}

static void a_tunnel_waits_for_no_answers(void **state) {
    (void)state;
    say(GET("/later") UPGRADE);
    assert_int_equal(stage.taken, 2);
    assert_null(stage.tunnel);
    http_answer(stage.waiting, 200, "text/plain", SPAN("late"));
    stage.port->ops->advance(stage.port, stage.now_ms);
    assert_non_null(strstr(buf_text(&stage.got), "not now"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_connection_can_leave_http),        CASE(the_handshake_may_come_in_pieces),
        CASE(a_tunnel_hears_of_its_peer),         CASE(a_tunnel_may_take_less),
        CASE(a_tunnel_waits_for_its_turn),        CASE(a_peer_has_its_share_of_a_turn),
        CASE(a_tunnel_can_be_closed_at_any_time), CASE(tunnels_say_goodbye),
        CASE(a_tunnel_waits_for_no_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
