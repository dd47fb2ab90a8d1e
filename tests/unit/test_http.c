/* HTTP over links of memory and a clock of its own: what is refused and how, any split, the order of answers,
 * timeouts, limits, and answers whose connection is gone. */
#include "tests.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/timers.h"
#include "wire/http/chunks.h"
#include "wire/http/head.h"
#include "wire/http/http.h"

#include <zlib.h>

enum { WAITING_MAX = 2048, HEADER_TIMEOUT_MS = 1000, IDLE_TIMEOUT_MS = 5000 };

#define DATE      "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nX-Content-Type-Options: nosniff\r\n"
#define HOST      "Host: a\r\n"
#define GET(path) "GET " path " HTTP/1.1\r\n" HOST "\r\n"

/* A link that keeps what is sent. */
struct peer {
    struct link link;
    struct buf got;
    int sends;
    bool is_closed;
    bool is_held;
    size_t full_at; /* bytes after which it is full until it is drained; 0: never */
    size_t drained_at;
};

static void peer_send(struct link *link, struct span bytes) {
    struct peer *peer = (struct peer *)link;
    assert_false(peer->is_closed);
    buf_append(&peer->got, bytes);
    peer->sends++;
}

static void peer_close(struct link *link) {
    struct peer *peer = (struct peer *)link;
    assert_false(peer->is_closed);
    peer->is_closed = true;
}

static void peer_hold(struct link *link, bool is_held) {
    struct peer *peer = (struct peer *)link;
    assert_int_not_equal(peer->is_held, is_held);
    peer->is_held = is_held;
}

static bool peer_is_full(const struct link *link) {
    const struct peer *peer = (const struct peer *)link;
    return peer->full_at > 0 && peer->got.size - peer->drained_at >= peer->full_at;
}

static const struct link_ops peer_ops = {
    .send = peer_send, .close = peer_close, .hold = peer_hold, .is_full = peer_is_full};

/* The port under test, one peer, and a route that does what the path says:
 *     /now...     answers with the request in words
 *     /wait...    leaves it to the test
 *     /at/N       answers at time N
 *     /big        16 kB
 *     /other      answers the first one that waits, then itself
 * Anything else is not its own. */
struct stage {
    struct port *port;
    struct peer peer;
    uint64_t now_ms;
    struct http_exchange *waiting[WAITING_MAX];
    size_t waiting_count;
    int taken;
    bool is_freed;
    uint64_t advanced_ms;
    struct buf text;
};

static struct stage stage;

static int64_t fake_wall_ms(void) {
    return 784111777000 + (int64_t)stage.now_ms / 1000 * 1000;
}

static const char *method_word(enum http_method method) {
    static const char *const words[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "other"};
    return words[method];
}

static bool begins_with(struct span text, const char *start) {
    size_t size = strlen(start);
    return text.size >= size && memcmp(text.data, start, size) == 0;
}

static bool route_take(void *context, const struct http_request *r, struct http_exchange *e,
                       uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    assert_int_equal(now_ms, stage.now_ms);
    stage.taken++;
    struct buf *text = &stage.text;
    buf_clear(text);
    buf_printf(text, "%s %.*s", method_word(r->method), (int)r->path.size, r->path.data);
    if (r->query.size > 0)
        buf_printf(text, "?%.*s", (int)r->query.size, r->query.data);
    if (r->content_type.size > 0)
        buf_printf(text, " type=%.*s", (int)r->content_type.size, r->content_type.data);
    if (r->authorization.size > 0)
        buf_printf(text, " auth=%.*s", (int)r->authorization.size, r->authorization.data);
    if (r->accepts_gzip)
        buf_append_text(text, " gzip");
    if (r->body.size > 0)
        buf_printf(text, " body=%.*s", (int)r->body.size, r->body.data);
    if (begins_with(r->path, "/wait")) {
        assert_true(stage.waiting_count < WAITING_MAX);
        stage.waiting[stage.waiting_count++] = e;
    } else if (begins_with(r->path, "/at/")) {
        http_answer_at(e, (uint64_t)atoi(r->path.data + 4), 200, "text/plain", r->path);
    } else if (begins_with(r->path, "/big")) {
        char *big = mem_alloc(16 * 1024);
        memset(big, 'b', 16 * 1024);
        http_answer(e, 200, "text/plain", span_make(big, 16 * 1024));
        mem_free(big);
    } else if (begins_with(r->path, "/other")) {
        http_answer(stage.waiting[0], 200, "text/plain", SPAN("first"));
        http_answer(e, 200, "text/plain", SPAN("self"));
    } else if (begins_with(r->path, "/gzip")) {
        http_answer_gzip(e, 200, "text/plain", SPAN("(compressed)"));
    } else if (begins_with(r->path, "/empty")) {
        http_answer(e, 204, "text/plain", SPAN(""));
    } else if (begins_with(r->path, "/odd")) {
        http_answer(e, 299, "text/plain", SPAN(""));
    } else if (begins_with(r->path, "/now") || span_is(r->path, "*") || span_is(r->path, "/")) {
        http_answer(e, 200, "text/plain", buf_span(text));
    } else {
        return false;
    }
    return true;
}

static void route_advance(void *context, uint64_t now_ms) {
    assert_ptr_equal(context, &stage);
    stage.advanced_ms = now_ms;
}

static void route_free(void *context) {
    assert_ptr_equal(context, &stage);
    stage.is_freed = true;
}

static void peer_open(struct peer *peer) {
    *peer = (struct peer){.link.ops = &peer_ops};
    stage.port->ops->opened(stage.port, &peer->link, stage.now_ms);
}

static void stage_open(const struct http_port_config *config) {
    struct http_route route = {
        .context = &stage, .take = route_take, .advance = route_advance, .free = route_free};
    stage.port = http_port_create(config, &route, 1);
    peer_open(&stage.peer);
}

static struct http_port_config test_config(void) {
    struct http_port_config config = http_port_config_default();
    config.wall_ms = fake_wall_ms;
    config.header_timeout_ms = HEADER_TIMEOUT_MS;
    config.idle_timeout_ms = IDLE_TIMEOUT_MS;
    return config;
}

static int setup(void **state) {
    (void)state;
    stage = (struct stage){0};
    struct http_port_config config = test_config();
    stage_open(&config);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    stage.port->ops->free(stage.port);
    assert_true(stage.is_freed);
    buf_free(&stage.peer.got);
    buf_free(&stage.text);
    return 0;
}

static void receive(struct span bytes) {
    stage.port->ops->received(stage.port, &stage.peer.link, bytes, stage.now_ms);
}

static void say(const char *text) {
    receive(span_of(text));
}

/* Byte by byte, from memory of its own, so that nothing outside of a piece is looked at. */
static void say_slowly(struct span text) {
    for (size_t i = 0; i < text.size && !stage.peer.is_closed; i++) {
        char *byte = mem_alloc(1);
        *byte = text.data[i];
        receive(span_make(byte, 1));
        mem_free(byte);
    }
}

static void advance_to(uint64_t now_ms) {
    stage.now_ms = now_ms;
    stage.port->ops->advance(stage.port, now_ms);
}

static uint64_t next_ms(void) {
    return stage.port->ops->next_ms(stage.port);
}

/* What has been sent since the last time must be this. */
static void expect(const char *text) {
    assert_string_equal(buf_text(&stage.peer.got), text);
    buf_clear(&stage.peer.got);
}

/* An answer of 200 with this text. */
static void expect_text(const char *text) {
    char wanted[2048];
    snprintf(wanted, sizeof wanted,
             "HTTP/1.1 200 OK\r\n" DATE "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
             strlen(text), text);
    expect(wanted);
}

/* Starts again with a new connection. */
static void reopen(void) {
    if (!stage.peer.is_closed)
        stage.port->ops->closed(stage.port, &stage.peer.link, stage.now_ms);
    buf_free(&stage.peer.got);
    peer_open(&stage.peer);
}

static void a_request_is_answered(void **state) {
    (void)state;
    say(GET("/now"));
    expect_text("GET /now");
    assert_int_equal(stage.peer.sends, 1);
    say("POST /now/x?a=b&c HTTP/1.1\r\nhost:a\r\nContent-Type: application/xml \r\nAUTHORIZATION: Basic "
        "eDp5\r\n"
        "Accept-Encoding: br, GZIP;q=0.5\r\nContent-Length: 3\r\n\r\n<a>");
    expect_text("POST /now/x?a=b&c type=application/xml auth=Basic eDp5 gzip body=<a>");
    say("\r\n\r\nOPTIONS * HTTP/1.1\r\n" HOST "\r\n");
    expect_text("OPTIONS *");
    say("PATCH /now HTTP/1.1\r\n" HOST "\r\n");
    expect_text("other /now");
    assert_false(stage.peer.is_closed);
    assert_int_equal(stage.peer.sends, 4);
}

static void targets_come_in_several_forms(void **state) {
    (void)state;
    say(GET("http://example.org:8080/now/%41?x=y#z"));
    expect_text("GET /now/%41?x=y");
    say(GET("http://example.org"));
    expect_text("GET /");
    say(GET("/now//x/"));
    expect_text("GET /now//x/");
    say(GET("/now?#"));
    expect_text("GET /now");
    say(GET("/now/\xc3\xa4"));
    expect_text("GET /now/\xc3\xa4");
}

static void unknown_paths_are_404(void **state) {
    (void)state;
    say(GET("/nowhere"));
    expect_text("GET /nowhere");
    say(GET("/elsewhere"));
    expect("HTTP/1.1 404 Not Found\r\n" DATE
           "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 30\r\n\r\n"
           "there is nothing at this path\n");
    assert_false(stage.peer.is_closed);
}

static bool in_own_words(void *context, const struct http_request *r, struct http_exchange *e) {
    (void)context;
    http_answer(e, 404, "application/xml", r->path);
    return true;
}

static bool in_no_words(void *context, const struct http_request *r, struct http_exchange *e) {
    (void)context;
    (void)r;
    (void)e;
    return false;
}

static bool take_nothing(void *context, const struct http_request *r, struct http_exchange *e,
                         uint64_t now_ms) {
    (void)context;
    (void)r;
    (void)e;
    (void)now_ms;
    return false;
}

static void a_port_may_have_no_route_or_one_with_words_of_its_own(void **state) {
    (void)state;
    struct http_port_config config = test_config();
    struct http_route routes[] = {{.take = take_nothing, .unknown = in_no_words},
                                  {.take = take_nothing, .unknown = in_own_words}};
    for (size_t count = 0; count <= 2; count += 2) {
        struct port *port = http_port_create(&config, routes, count);
        struct peer peer = {.link.ops = &peer_ops};
        port->ops->opened(port, &peer.link, 0);
        port->ops->received(port, &peer.link, SPAN(GET("/x")), 0);
        assert_non_null(strstr(buf_text(&peer.got), count == 0 ? "\r\n\r\nthere is nothing" : "\r\n\r\n/x"));
        assert_non_null(strstr(buf_text(&peer.got), "HTTP/1.1 404 "));
        assert_int_equal(port->ops->next_ms(port), IDLE_TIMEOUT_MS);
        port->ops->free(port); /* with the connection still open */
        buf_free(&peer.got);
    }
}

static void head_gets_the_length_without_the_body(void **state) {
    (void)state;
    say("HEAD /now HTTP/1.1\r\n" HOST "\r\n");
    expect("HTTP/1.1 200 OK\r\n" DATE "Content-Type: text/plain\r\nContent-Length: 9\r\n\r\n");
    say(GET("/now"));
    expect_text("GET /now");
}

static void answers_without_a_body_or_a_name(void **state) {
    (void)state;
    say(GET("/empty"));
    expect("HTTP/1.1 204 No Content\r\n" DATE "\r\n");
    say(GET("/odd"));
    expect("HTTP/1.1 299 \r\n" DATE "Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n");
}

static void compressed_answers_say_so(void **state) {
    (void)state;
    say(GET("/gzip"));
    expect("HTTP/1.1 200 OK\r\n" DATE
           "Content-Type: text/plain\r\nContent-Length: 12\r\nContent-Encoding: gzip\r\n"
           "Vary: Accept-Encoding\r\n\r\n(compressed)");
    static const char *const unwilling[] = {"gzip;q=0", "br",    "gzip; q=0.000, br",   "",
                                            "*",        "gzipx", "identity, gzip ;Q=0."};
    static const char *const willing[] = {"gzip",         "x-gzip",           "gzip;q=0.1",
                                          "br;q=0, gzip", " deflate , gzip ", "gzip;q=1.0"};
    for (size_t i = 0; i < sizeof unwilling / sizeof *unwilling; i++) {
        char text[128];
        snprintf(text, sizeof text, "GET /now HTTP/1.1\r\n" HOST "Accept-Encoding: %s\r\n\r\n", unwilling[i]);
        say(text);
        expect_text("GET /now");
    }
    for (size_t i = 0; i < sizeof willing / sizeof *willing; i++) {
        char text[128];
        snprintf(text, sizeof text, "GET /now HTTP/1.1\r\n" HOST "Accept-Encoding: %s\r\n\r\n", willing[i]);
        say(text);
        expect_text("GET /now gzip");
    }
}

static void gzip_is_undone_by_zlib(void **state) {
    (void)state;
    struct buf body = {0}, packed = {0};
    for (int i = 0; i < 1000; i++)
        buf_printf(&body, "<mapNode><X>%d</X></mapNode>", i);
    buf_append_text(&packed, "before");
    http_gzip(&packed, buf_span(&body));
    assert_memory_equal(packed.data, "before\x1f\x8b", 8);
    assert_true(packed.size < body.size / 4);
    char *unpacked = mem_alloc(body.size + 1);
    z_stream stream = {.next_in = (Bytef *)packed.data + 6,
                       .avail_in = (uInt)packed.size - 6,
                       .next_out = (Bytef *)unpacked,
                       .avail_out = (uInt)body.size + 1};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, body.size);
    assert_memory_equal(unpacked, body.data, body.size);
    inflateEnd(&stream);
    mem_free(unpacked);
    buf_clear(&packed);
    http_gzip(&packed, SPAN(""));
    assert_int_equal(packed.size, 20);
    buf_free(&body);
    buf_free(&packed);
}

static void the_date_follows_the_wall_clock(void **state) {
    (void)state;
    say(GET("/now"));
    expect_text("GET /now");
    stage.now_ms = 999;
    say(GET("/now"));
    expect_text("GET /now");
    stage.now_ms = 1000;
    say(GET("/now"));
    assert_non_null(strstr(buf_text(&stage.peer.got), "\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\n"));
}

static void connections_close_when_either_side_says_so(void **state) {
    (void)state;
    static const struct {
        const char *request;
        const char *connection; /* in the answer */
        bool closes;
    } cases[] = {
        {GET("/now"), "", false},
        {"GET /now HTTP/1.1\r\n" HOST "Connection: keep-alive\r\n\r\n", "", false},
        {"GET /now HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", "Connection: close\r\n", true},
        {"GET /now HTTP/1.1\r\n" HOST "Connection: x, Close\r\n\r\n", "Connection: close\r\n", true},
        {"GET /now HTTP/1.0\r\n\r\n", "Connection: close\r\n", true},
        {"GET /now HTTP/1.0\r\n" HOST "Connection: Keep-Alive\r\n\r\n", "Connection: keep-alive\r\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[512];
        snprintf(wanted, sizeof wanted,
                 "HTTP/1.1 200 OK\r\n" DATE "Content-Type: text/plain\r\nContent-Length: 8\r\n%s\r\nGET /now",
                 cases[i].connection);
        say(cases[i].request);
        expect(wanted);
        assert_int_equal(stage.peer.is_closed, cases[i].closes);
        reopen();
    }
    say("GET /now HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n" GET("/now/ignored"));
    assert_null(strstr(buf_text(&stage.peer.got), "ignored"));
}

static const struct {
    const char *request;
    int status;
} refusals[] = {
    {"GET /now HTTP/1.1\n" HOST "\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A: b\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A: b\r\n c\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A: b\r\n\tc\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A : b\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A\t: b\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A b: c\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST ": b\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A: b\x01\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST "A: b\rc\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n\r\n", 400},
    {"GET /now HTTP/1.1\r\n" HOST HOST "\r\n", 400},
    {"GET /now HTTP/1.0\r\n" HOST HOST "\r\n", 400},
    {"GET  /now HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now  HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now x HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now\tHTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now HTTP/1.1 \r\n" HOST "\r\n", 400},
    {"GET /now\r\n" HOST "\r\n", 400},
    {"GET\r\n" HOST "\r\n", 400},
    {"GET /now http/1.1\r\n" HOST "\r\n", 400},
    {"GET /now HTTP/11\r\n" HOST "\r\n", 400},
    {"GET /now HTTP/1.10\r\n" HOST "\r\n", 400},
    {"GET now HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now\t HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET /now\f HTTP/1.1\r\n" HOST "\r\n", 400},
    {"GET http:///x HTTP/1.1\r\n" HOST "\r\n", 400},
    {" GET /now HTTP/1.1\r\n" HOST "\r\n", 400},
    {"\r\n\r\n\r\n" GET("/now"), 400},
    {"\rGET /now HTTP/1.1\r\n" HOST "\r\n", 400},
    {"\x16\x03\x01", 400},
    {"GET /now HTTP/2.0\r\n" HOST "\r\n", 505},
    {"GET /now HTTP/0.9\r\n" HOST "\r\n", 505},
    {"get /now HTTP/1.1\r\n" HOST "\r\n", 501},
    {"BREW /now HTTP/1.1\r\n" HOST "\r\n", 501},
    {"TRACE /now HTTP/1.1\r\n" HOST "\r\n", 501},
    {"CONNECT a:80 HTTP/1.1\r\n" HOST "\r\n", 501},
    {"G(T /now HTTP/1.1\r\n" HOST "\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 1, 1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 0x1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 1 1\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length:\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 18446744073709551617\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 18446744073709551614\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Content-Length: 65537\r\n\r\n", 413},
    {"POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n", 501},
    {"POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
    {"POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: xchunked\r\n\r\n", 501},
    {"POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {"POST /now HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", 400},
    {"POST /now HTTP/1.1\r\n" HOST "Expect: rain\r\nContent-Length: 1\r\n\r\n", 417},
    {"POST /now HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n", 413},
};

static void expect_refusal(int status, const char *request) {
    char start[32];
    snprintf(start, sizeof start, "HTTP/1.1 %d ", status);
    const char *got = buf_text(&stage.peer.got);
    if (strncmp(got, start, strlen(start)) != 0)
        fail_msg("%d for %s\nbut got %s", status, request, got);
    assert_non_null(strstr(got, "\r\nConnection: close\r\n"));
    assert_non_null(strstr(got, "\r\nContent-Type: text/plain; charset=utf-8\r\n"));
    assert_null(strstr(got + 1, "HTTP/1.1 2"));
    assert_true(stage.peer.is_closed);
    reopen();
}

static void what_is_not_to_be_trusted_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        say(refusals[i].request);
        expect_refusal(refusals[i].status, refusals[i].request);
        say_slowly(span_of(refusals[i].request));
        expect_refusal(refusals[i].status, refusals[i].request);
    }
    receive(SPAN("GET /now HTTP/1.1\r\n" HOST "A: \0\r\n\r\n"));
    expect_refusal(400, "NUL");
    assert_int_equal(stage.taken, 0);
}

static void refusals_come_after_the_answers_before_them(void **state) {
    (void)state;
    say(GET("/wait") GET("/now") "GARBAGE\r\n\r\n" GET("/now"));
    expect("");
    assert_false(stage.peer.is_closed);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("waited"));
    assert_int_equal(next_ms(), 0);
    advance_to(0);
    const char *got = buf_text(&stage.peer.got);
    const char *first = strstr(got, "waited"), *second = strstr(got, "GET /now"),
               *third = strstr(got, " 400 ");
    assert_true(first != NULL && first < second && second < third);
    assert_int_equal(stage.peer.sends, 1);
    assert_true(stage.peer.is_closed);
    assert_int_equal(stage.taken, 2);
}

static const char conversation[] = GET("/now/1") "\r\n" GET(
    "/now/2?q") "POST /now/3 HTTP/1.1\r\n" HOST "Content-Length: 12\r\n\r\nhello\r\n\r\nyou"
                "POST /now/4 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
                "5\r\nhello\r\n00b ;x=\"y\"\r\n, and more.\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n"
                "PUT /now/5 HTTP/1.1\r\n" HOST "Expect: 100-Continue\r\nContent-Length: 2\r\n\r\nhi"
                "HEAD /now/6 HTTP/1.1\r\n" HOST "Content-Length: 0\r\nExpect: 100-continue\r\n\r\n"
                "POST /now/7 HTTP/1.0\r\nConnection: keep-alive\r\nExpect: rain\r\nContent-Length: 1\r\n\r\nx"
                "DELETE /now/8 HTTP/1.1\r\n" HOST
                "Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";

static void any_split_gives_the_same(void **state) {
    (void)state;
    say(conversation);
    assert_true(stage.peer.is_closed);
    assert_int_equal(stage.taken, 8);
    char *whole = mem_copy_text(buf_text(&stage.peer.got));
    assert_non_null(strstr(whole, "POST /now/4 body=hello, and more."));
    assert_non_null(strstr(whole, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"));
    assert_non_null(strstr(whole, "DELETE /now/8"));
    reopen();
    say_slowly(SPAN(conversation));
    expect(whole);
    for (size_t cut = 1; cut < sizeof conversation - 1; cut++) {
        reopen();
        receive(span_make(conversation, cut));
        receive(span_make(conversation + cut, sizeof conversation - 1 - cut));
        expect(whole);
        assert_true(stage.peer.is_closed);
    }
    mem_free(whole);
}

static void a_thousand_requests_in_one_buffer(void **state) {
    (void)state;
    struct buf requests = {0};
    for (int i = 0; i < 1000; i++)
        buf_append_text(&requests, GET("/now"));
    receive(buf_span(&requests));
    assert_int_equal(stage.taken, 1000);
    size_t answer_size =
        strlen("HTTP/1.1 200 OK\r\n" DATE "Content-Type: text/plain\r\nContent-Length: 8\r\n\r\nGET /now");
    assert_int_equal(stage.peer.got.size, 1000 * answer_size);
    assert_true(stage.peer.sends <= 3); /* not one for each */
    buf_free(&requests);
}

static void answers_keep_the_order_of_the_requests(void **state) {
    (void)state;
    say(GET("/wait/0") GET("/wait/1") GET("/now/2") GET("/wait/3"));
    assert_int_equal(stage.waiting_count, 3);
    http_answer(stage.waiting[1], 200, "text/plain", SPAN("one"));
    advance_to(1);
    expect("");
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("zero"));
    advance_to(1);
    const char *got = buf_text(&stage.peer.got);
    const char *zero = strstr(got, "zero"), *one = strstr(got, "one"), *two = strstr(got, "GET /now/2");
    assert_true(zero != NULL && zero < one && one < two);
    assert_int_equal(stage.peer.sends, 1);
    buf_clear(&stage.peer.got);
    http_answer(stage.waiting[2], 200, "text/plain", SPAN("three")); /* alone: leaves at once */
    expect_text("three");
    say(GET("/now"));
    expect_text("GET /now");
}

static void what_comes_behind_a_change_waits_for_it(void **state) {
    (void)state;
    say("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    assert_int_equal(stage.taken, 1);
    assert_false(stage.peer.is_held); /* there is nothing yet that would have to wait */
    say(GET("/now/1") GET("/now/2"));
    assert_int_equal(stage.taken, 1);
    assert_true(stage.peer.is_held);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("done"));
    assert_int_equal(next_ms(), stage.now_ms);
    assert_int_equal(stage.taken, 1); /* not while its route is in the middle of something */
    advance_to(stage.now_ms);
    assert_int_equal(stage.taken, 3);
    assert_false(stage.peer.is_held);
    const char *got = buf_text(&stage.peer.got);
    const char *done = strstr(got, "done"), *one = strstr(got, "GET /now/1"),
               *two = strstr(got, "GET /now/2");
    assert_true(done != NULL && done < one && one < two);
}

static void who_finishes_behind_a_change_gets_all_answers(void **state) {
    (void)state;
    say("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" GET("/now"));
    stage.port->ops->finished(stage.port, &stage.peer.link, stage.now_ms);
    assert_false(stage.peer.is_closed);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("done"));
    advance_to(stage.now_ms);
    assert_true(stage.peer.is_closed);
    assert_non_null(strstr(buf_text(&stage.peer.got), "GET /now"));
}

static void answers_may_be_due_later(void **state) {
    (void)state;
    say(GET("/at/300") GET("/at/200") GET("/at/0"));
    assert_int_equal(next_ms(), 200);
    advance_to(200);
    expect("");
    assert_int_equal(next_ms(), 300);
    advance_to(299);
    expect("");
    advance_to(300);
    const char *got = buf_text(&stage.peer.got);
    const char *first = strstr(got, "/at/300"), *second = strstr(got, "/at/200"),
               *third = strstr(got, "/at/0");
    assert_true(first != NULL && first < second && second < third);
    assert_int_equal(stage.peer.sends, 1);
    buf_clear(&stage.peer.got);
    say(GET("/wait"));
    http_answer_gzip_at(stage.waiting[0], 500, 200, "text/plain", SPAN("packed"));
    expect("");
    advance_to(500);
    assert_non_null(strstr(buf_text(&stage.peer.got), "Content-Encoding: gzip\r\n"));
    assert_int_equal(stage.advanced_ms, 500);
}

static void too_many_waiting_requests_stop_the_reading(void **state) {
    (void)state;
    struct buf requests = {0};
    for (int i = 0; i < 200; i++)
        buf_append_text(&requests, GET("/wait"));
    receive(buf_span(&requests));
    assert_int_equal(stage.waiting_count, HTTP_PIPELINE_MAX);
    assert_true(stage.peer.is_held);
    say(GET("/now")); /* was on its way */
    for (size_t i = 0; i < 200; i++) {
        assert_true(i < stage.waiting_count);
        http_answer(stage.waiting[i], 200, "text/plain", SPAN("x"));
        advance_to(stage.now_ms);
    }
    assert_false(stage.peer.is_held);
    assert_int_equal(stage.taken, 201);
    const char *got = buf_text(&stage.peer.got);
    assert_string_equal(got + stage.peer.got.size - 8, "GET /now");
    buf_free(&requests);
}

static void a_link_that_cannot_be_held_is_closed_at_last(void **state) {
    (void)state;
    struct buf requests = {0};
    for (int i = 0; i < 100; i++)
        buf_append_text(&requests, GET("/wait"));
    for (int i = 0; i < 1000 && !stage.peer.is_closed; i++)
        receive(buf_span(&requests));
    assert_true(stage.peer.is_closed);
    for (size_t i = 0; i < stage.waiting_count; i++)
        http_answer(stage.waiting[i], 200, "text/plain", SPAN("x"));
    buf_free(&requests);
}

static void a_full_link_stops_everything_until_it_is_drained(void **state) {
    (void)state;
    struct buf requests = {0};
    for (int i = 0; i < 100; i++)
        buf_append_text(&requests, GET("/big"));
    stage.peer.full_at = 200 * 1024;
    receive(buf_span(&requests));
    assert_true(stage.peer.is_held);
    assert_true(stage.peer.got.size < 300 * 1024);
    for (int i = 0; i < 100 && stage.taken < 100; i++) {
        stage.peer.drained_at = stage.peer.got.size;
        stage.port->ops->drained(stage.port, &stage.peer.link, stage.now_ms);
    }
    assert_int_equal(stage.taken, 100);
    assert_true(stage.peer.got.size > 100 * 16 * 1024);
    assert_false(stage.peer.is_closed);
    stage.peer.full_at = 1; /* and never drained again */
    stage.peer.drained_at = stage.peer.got.size;
    say(GET("/now"));
    assert_true(stage.peer.is_held);
    advance_to(IDLE_TIMEOUT_MS - 1);
    assert_false(stage.peer.is_closed);
    advance_to(IDLE_TIMEOUT_MS);
    assert_true(stage.peer.is_closed);
    buf_free(&requests);
}

static void who_expects_continue_is_told_before_the_body(void **state) {
    (void)state;
    say("POST /now HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    expect("HTTP/1.1 100 Continue\r\n\r\n");
    say("hi");
    expect_text("POST /now body=hi");
    say(GET("/wait") "POST /now HTTP/1.1\r\n" HOST
                     "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
    expect("");
    assert_true(stage.peer.is_held);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("first"));
    const char *got = buf_text(&stage.peer.got);
    assert_non_null(strstr(got, "\r\n\r\nfirstHTTP/1.1 100 Continue\r\n\r\n"));
    buf_clear(&stage.peer.got);
    assert_false(stage.peer.is_held);
    say("2\r\nhi\r\n0\r\n\r\n");
    expect_text("POST /now body=hi");
}

static void refused_chunks(void **state) {
    (void)state;
    static const struct {
        const char *chunks;
        int status;
    } cases[] = {
        {"5\rXhello\r\n0\r\n\r\n", 400},
        {"5\nhello\r\n0\r\n\r\n", 400},
        {"5;a\nb\r\nhello\r\n0\r\n\r\n", 400},
        {"5\r\nhelloXX0\r\n\r\n", 400},
        {"5\r\nhello\r0\r\n\r\n", 400},
        {"5\r\nhello\n0\r\n\r\n", 400},
        {"\r\nhello", 400},
        {" 5\r\nhello", 400},
        {"+5\r\nhello", 400},
        {"0x5\r\nhello", 400},
        {"5x\r\nhello", 400},
        {"-1\r\nhello", 400},
        {"0\r\nA: b\n\r\n", 400},
        {"0\r\n\n", 400},
        {"10001\r\nx", 413},
        {"ffffffffffffffffff\r\nx", 413},
        {"000000000\r\n", 413},
        {"5\r\nhello\r\nfffc\r\n", 413},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        say("POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n");
        say(cases[i].chunks);
        expect_refusal(cases[i].status, cases[i].chunks);
    }
    struct buf endless = {0};
    buf_append_text(&endless, "POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n1;");
    for (int i = 0; i < HTTP_CHUNKS_EXTRA_BYTES_MAX + 1; i++)
        buf_append_byte(&endless, 'x');
    receive(buf_span(&endless));
    expect_refusal(413, "an endless extension");
    assert_int_equal(stage.taken, 0);
    buf_free(&endless);
}

/* A request whose head has exactly so many bytes. */
static void say_head_of(size_t size) {
    struct buf text = {0};
    buf_append_text(&text, "GET /now HTTP/1.1\r\n" HOST "X: ");
    while (text.size < size - 4)
        buf_append_byte(&text, 'x');
    buf_append_text(&text, "\r\n\r\n");
    receive(buf_span(&text));
    buf_free(&text);
}

static void heads_have_a_ceiling(void **state) {
    (void)state;
    say_head_of(HTTP_HEADER_BYTES_MAX);
    expect_text("GET /now");
    say_head_of(HTTP_HEADER_BYTES_MAX + 1);
    expect_refusal(431, "a head that is too large");
    for (int i = 0; i < HTTP_HEADER_BYTES_MAX && !stage.peer.is_closed; i++)
        say("x");
    expect_refusal(431, "a head without end");
}

static void bodies_have_a_ceiling(void **state) {
    (void)state;
    struct buf text = {0};
    buf_printf(&text, "POST /now HTTP/1.1\r\n" HOST "Content-Length: %d\r\n\r\n", HTTP_BODY_BYTES_MAX);
    size_t head_size = text.size;
    for (int i = 0; i < HTTP_BODY_BYTES_MAX; i++)
        buf_append_byte(&text, 'x');
    receive(buf_span(&text));
    assert_true(stage.peer.got.size > HTTP_BODY_BYTES_MAX);
    buf_clear(&stage.peer.got);
    receive(span_make(text.data, head_size + 1000));
    receive(span_make(text.data + head_size + 1000, text.size - head_size - 1000));
    assert_true(stage.peer.got.size > HTTP_BODY_BYTES_MAX);
    buf_clear(&text);
    buf_append_text(&text, "POST /now HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < HTTP_BODY_BYTES_MAX / 1024; i++)
        buf_printf(&text, "400\r\n%01024d\r\n", 0);
    buf_append_text(&text, "0\r\n\r\n");
    reopen();
    receive(buf_span(&text));
    assert_true(stage.peer.got.size > HTTP_BODY_BYTES_MAX);
    text.size -= 5;
    buf_append_text(&text, "1\r\nx\r\n0\r\n\r\n");
    reopen();
    receive(buf_span(&text));
    expect_refusal(413, "one byte too many");
    assert_int_equal(stage.taken, 3);
    buf_free(&text);
}

static void slow_requests_are_refused_and_idle_connections_closed(void **state) {
    (void)state;
    assert_int_equal(next_ms(), IDLE_TIMEOUT_MS);
    stage.now_ms = 100;
    say("GET /now HT");
    for (int i = 0; i < 9; i++) {
        stage.now_ms += 100;
        say("x"); /* does not help */
    }
    advance_to(100 + HEADER_TIMEOUT_MS - 1);
    assert_false(stage.peer.is_closed);
    advance_to(100 + HEADER_TIMEOUT_MS);
    assert_non_null(strstr(buf_text(&stage.peer.got), "HTTP/1.1 408 "));
    assert_true(stage.peer.is_closed);
    reopen();
    stage.now_ms = 10000;
    say("POST /now HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nx");
    advance_to(10000 + HEADER_TIMEOUT_MS);
    assert_non_null(strstr(buf_text(&stage.peer.got), "HTTP/1.1 408 "));
    reopen();
    stage.now_ms = 20000;
    say(GET("/now") "G");
    stage.now_ms += HEADER_TIMEOUT_MS - 1;
    say("ET /now HTTP/1.1\r\n" HOST "\r\nG"); /* the next one has its own time */
    advance_to(stage.now_ms + HEADER_TIMEOUT_MS - 1);
    assert_false(stage.peer.is_closed);
    say("ET /now HTTP/1.1\r\n" HOST "\r\n");
    buf_clear(&stage.peer.got);
    uint64_t last_ms = stage.now_ms;
    advance_to(last_ms + IDLE_TIMEOUT_MS - 1);
    assert_false(stage.peer.is_closed);
    advance_to(last_ms + IDLE_TIMEOUT_MS);
    assert_true(stage.peer.is_closed);
    expect("");
    assert_int_equal(next_ms(), TIMERS_NEVER);
}

static void who_waits_for_an_answer_is_not_idle(void **state) {
    (void)state;
    say(GET("/wait"));
    advance_to(100 * IDLE_TIMEOUT_MS);
    assert_false(stage.peer.is_closed);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("late"));
    assert_non_null(strstr(buf_text(&stage.peer.got), "late"));
    advance_to(101 * IDLE_TIMEOUT_MS);
    assert_true(stage.peer.is_closed);
}

static void answers_to_a_connection_that_is_gone_go_nowhere(void **state) {
    (void)state;
    say(GET("/wait/0") GET("/wait/1") GET("/at/500") GET("/now") GET("/wait/2"));
    http_answer(stage.waiting[1], 200, "text/plain", SPAN("one"));
    stage.port->ops->closed(stage.port, &stage.peer.link, stage.now_ms);
    stage.peer.is_closed = true; /* nothing may be sent any more */
    assert_int_equal(next_ms(), TIMERS_NEVER);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("zero"));
    http_answer_at(stage.waiting[2], 9999, 200, "text/plain", SPAN("two"));
    advance_to(20000);
    reopen();
    say(GET("/wait")); /* left open when the port is freed */
    expect("");
}

static void one_request_may_answer_another(void **state) {
    (void)state;
    say(GET("/wait"));
    struct peer waiter = stage.peer, *second = mem_alloc(sizeof *second);
    peer_open(second);
    stage.port->ops->received(stage.port, &second->link, SPAN(GET("/other")), 0);
    assert_non_null(strstr(buf_text(&second->got), "self"));
    assert_int_equal(waiter.sends, 0);
    assert_non_null(strstr(buf_text(&stage.peer.got), "first"));
    stage.port->ops->closed(stage.port, &second->link, 0);
    buf_free(&second->got);
    mem_free(second);
    buf_clear(&stage.peer.got);
    say(GET("/wait") GET("/now")); /* and of the same connection */
    stage.waiting[0] = stage.waiting[1];
    say(GET("/other"));
    const char *got = buf_text(&stage.peer.got);
    const char *first = strstr(got, "first"), *self = strstr(got, "self");
    assert_true(first != NULL && first < self);
}

static void who_has_finished_still_gets_its_answers(void **state) {
    (void)state;
    say(GET("/wait") GET("/at/100") "GET /ha");
    stage.port->ops->finished(stage.port, &stage.peer.link, 0);
    assert_false(stage.peer.is_closed);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("waited"));
    advance_to(100);
    assert_non_null(strstr(buf_text(&stage.peer.got), "/at/100"));
    assert_true(stage.peer.is_closed);
    reopen();
    say(GET("/now"));
    stage.port->ops->finished(stage.port, &stage.peer.link, 100);
    assert_true(stage.peer.is_closed);
}

static void shutdown_sends_what_is_ready_and_closes(void **state) {
    (void)state;
    say(GET("/at/5000") GET("/wait") GET("/now"));
    stage.port->ops->shutdown(stage.port);
    expect_text("/at/5000");
    assert_true(stage.peer.is_closed);
    http_answer(stage.waiting[0], 200, "text/plain", SPAN("too late"));
    expect("");
}

#define UPGRADE(protocol) "GET /now HTTP/1.1\r\n" HOST "Connection: Upgrade\r\nUpgrade: " protocol "\r\n\r\n"

static void upgrades_are_ignored_where_nobody_grants_them(void **state) {
    (void)state;
    say("GET /now HTTP/1.1\r\n" HOST
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n");
    expect_text("GET /now");
    say("GET /now HTTP/1.1\r\n" HOST
        "Upgrade: websocket\r\n\r\n"); /* without the word in Connection it is void */
    expect_text("GET /now");
    say(UPGRADE("h2c, WebSocket"));
    expect_text("GET /now");
    assert_int_equal(stage.taken, 3);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_request_is_answered),
        CASE(targets_come_in_several_forms),
        CASE(unknown_paths_are_404),
        CASE(a_port_may_have_no_route_or_one_with_words_of_its_own),
        CASE(head_gets_the_length_without_the_body),
        CASE(answers_without_a_body_or_a_name),
        CASE(compressed_answers_say_so),
        CASE(gzip_is_undone_by_zlib),
        CASE(the_date_follows_the_wall_clock),
        CASE(connections_close_when_either_side_says_so),
        CASE(what_is_not_to_be_trusted_is_refused),
        CASE(refusals_come_after_the_answers_before_them),
        CASE(any_split_gives_the_same),
        CASE(a_thousand_requests_in_one_buffer),
        CASE(answers_keep_the_order_of_the_requests),
        CASE(what_comes_behind_a_change_waits_for_it),
        CASE(who_finishes_behind_a_change_gets_all_answers),
        CASE(answers_may_be_due_later),
        CASE(too_many_waiting_requests_stop_the_reading),
        CASE(a_link_that_cannot_be_held_is_closed_at_last),
        CASE(a_full_link_stops_everything_until_it_is_drained),
        CASE(who_expects_continue_is_told_before_the_body),
        CASE(refused_chunks),
        CASE(heads_have_a_ceiling),
        CASE(bodies_have_a_ceiling),
        CASE(slow_requests_are_refused_and_idle_connections_closed),
        CASE(who_waits_for_an_answer_is_not_idle),
        CASE(answers_to_a_connection_that_is_gone_go_nowhere),
        CASE(one_request_may_answer_another),
        CASE(who_has_finished_still_gets_its_answers),
        CASE(shutdown_sends_what_is_ready_and_closes),
        CASE(upgrades_are_ignored_where_nobody_grants_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
