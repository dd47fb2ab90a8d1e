/* TLS on pieces of memory, without sockets: what an idle session owns, pieces of any size, ends, and what
 * breaks one. And the header of proxies that may stand before it. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "server/proxy_header.h"
#include "server/tls.h"
#include "tls_peer.h"

#include <netinet/in.h>

enum { LARGE_BYTES = 200 * 1000, SESSIONS = 50 };

static char path[] = "/tmp/parlor-tls-XXXXXX";
static struct tls_keys *keys;

static int setup(void **state) {
    (void)state;
    char complaint[TLS_COMPLAINT_BYTES_MAX];
    tls_peer_certify(path);
    keys = tls_keys_open(path, path, complaint);
    return keys == NULL;
}

static int teardown(void **state) {
    (void)state;
    tls_keys_free(keys);
    unlink(path);
    return 0;
}

/* The client says something, and hears it back. */
static void echo(struct tls_peer *peer, struct tls *tls, const char *text, size_t size) {
    struct buf plain = {0}, sealed = {0};
    char *back = mem_alloc(size);
    size_t got = 0;
    assert_int_equal(SSL_write(peer->session, text, (int)size), (int)size);
    assert_int_equal(tls_receive(tls, tls_peer_output(peer), &plain, &sealed), TLS_OPEN);
    tls_peer_input(peer, &sealed);
    assert_int_equal(plain.size, size);
    assert_true(tls_send(tls, buf_span(&plain), &sealed));
    tls_peer_input(peer, &sealed);
    while (got < size) {
        int n = SSL_read(peer->session, back + got, (int)(size - got));
        assert_true(n > 0);
        got += (size_t)n;
    }
    assert_memory_equal(text, back, size);
    mem_free(back);
    buf_free(&plain);
    buf_free(&sealed);
}

/* At most 20 kB for one that is open and says nothing, also after it has said much. */
static void test_idle_sessions_are_small(void **state) {
    (void)state;
    static const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};
    char *large = mem_alloc(LARGE_BYTES);
    memset(large, 'x', LARGE_BYTES);
    for (size_t v = 0; v < 2; v++) {
        struct tls *tls[SESSIONS];
        struct tls_peer peer[SESSIONS];
        size_t most = 0, all = 0;
        for (size_t i = 0; i < SESSIONS; i++) {
            tls[i] = tls_create(keys, false);
            tls_peer_open(&peer[i], versions[v]);
            assert_int_equal(tls_peer_greet(&peer[i], tls[i]), TLS_OPEN);
            if (i % 2 == 0)
                echo(&peer[i], tls[i], large, LARGE_BYTES);
            most = tls_bytes(tls[i]) > most ? tls_bytes(tls[i]) : most;
            all += tls_bytes(tls[i]);
        }
        print_message("# %s: %zu bytes a session, %zu at most\n", SSL_get_version(peer[0].session),
                      all / SESSIONS, most);
        assert_true(most > 1000 && most <= TLS_IDLE_BYTES_MAX);
        for (size_t i = 0; i < SESSIONS; i++) {
            tls_free(tls[i]);
            tls_peer_close(&peer[i]);
        }
    }
    mem_free(large);
}

/* What is counted as the memory of a session is what the process has more. */
static void test_memory_is_counted(void **state) {
    (void)state;
    struct tls_peer peer;
    tls_peer_open(&peer, 0);
    SSL_do_handshake(peer.session);
    struct span hello = tls_peer_output(&peer);
    size_t before = mem_used();
    struct tls *tls = tls_create(keys, false);
    assert_true(mem_used() - before >= tls_bytes(tls) && tls_bytes(tls) > 1000);
    struct buf plain = {0}, sealed = {0};
    size_t idle = tls_bytes(tls);
    assert_int_equal(tls_receive(tls, span_make(hello.data, hello.size / 2), &plain, &sealed), TLS_GREETING);
    assert_true(tls_bytes(tls) > idle);
    buf_free(&plain);
    buf_free(&sealed);
    tls_free(tls);
    assert_int_equal(mem_used(), before);
    tls_peer_close(&peer);
}

static void test_bytes_come_one_by_one(void **state) {
    (void)state;
    struct tls *tls = tls_create(keys, false);
    struct tls_peer peer;
    struct buf plain = {0}, sealed = {0};
    enum tls_state last = TLS_GREETING;
    tls_peer_open(&peer, 0);
    for (int step = 0; step < 4; step++) {
        SSL_do_handshake(peer.session);
        if (SSL_is_init_finished(peer.session) && step == 2)
            SSL_write(peer.session, "hello", 5);
        struct span output = tls_peer_output(&peer);
        for (size_t i = 0; i < output.size; i++)
            last = tls_receive(tls, span_make(output.data + i, 1), &plain, &sealed);
        tls_peer_input(&peer, &sealed);
    }
    assert_int_equal(last, TLS_OPEN);
    assert_true(span_is(buf_span(&plain), "hello"));
    buf_free(&plain);
    buf_free(&sealed);
    tls_free(tls);
    tls_peer_close(&peer);
}

static void test_both_ends_end(void **state) {
    (void)state;
    struct tls *tls = tls_create(keys, false);
    struct tls_peer peer;
    struct buf plain = {0}, sealed = {0};
    char byte[8];
    tls_peer_open(&peer, 0);
    assert_int_equal(tls_peer_greet(&peer, tls), TLS_OPEN);
    SSL_write(peer.session, "last", 4);
    SSL_shutdown(peer.session);
    assert_int_equal(tls_receive(tls, tls_peer_output(&peer), &plain, &sealed), TLS_ENDED);
    assert_true(span_is(buf_span(&plain), "last"));
    assert_true(tls_send(tls, SPAN("answer"), &sealed)); /* the other half is still open */
    tls_end(tls, &sealed);
    tls_peer_input(&peer, &sealed);
    assert_int_equal(SSL_read(peer.session, byte, sizeof byte), 6);
    assert_int_equal(SSL_read(peer.session, byte, sizeof byte), 0);
    assert_int_equal(SSL_get_shutdown(peer.session) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
    buf_free(&plain);
    buf_free(&sealed);
    tls_free(tls);
    tls_peer_close(&peer);
}

/* A handshake has a ceiling of memory, whatever length the peer speaks of. */
static void test_handshakes_have_a_ceiling(void **state) {
    (void)state;
    struct buf plain = {0}, sealed = {0};
    struct tls *tls = tls_create(keys, false);
    assert_int_equal(tls_receive(tls, SPAN("\x16\x03\x01\x00\x06\x01\x02\x00\x00\x03\x03"), &plain, &sealed),
                     TLS_FAILED); /* 128 KiB */
    assert_string_equal(tls_reason(tls), "the handshake wants too much memory");
    tls_free(tls);
    struct tls_peer peer;
    tls = tls_create(keys, false);
    tls_peer_open(&peer, 0);
    SSL_do_handshake(peer.session);
    struct span hello = tls_peer_output(&peer);
    assert_int_equal(tls_receive(tls, span_make(hello.data, hello.size - 1), &plain, &sealed), TLS_GREETING);
    size_t half = tls_bytes(tls);
    assert_int_equal(tls_receive(tls, span_make(hello.data + hello.size - 1, 1), &plain, &sealed),
                     TLS_GREETING);
    print_message("# half of a handshake: %zu and %zu bytes\n", half, tls_bytes(tls));
    assert_true(half < 80 * 1024 && tls_bytes(tls) < half);
    buf_free(&plain);
    buf_free(&sealed);
    tls_free(tls);
    tls_peer_close(&peer);
}

/* A failure is told to the peer, and stays one. */
static void test_what_breaks_a_session(void **state) {
    (void)state;
    struct buf plain = {0}, sealed = {0};
    struct tls *tls = tls_create(keys, false);
    assert_int_equal(tls_receive(tls, SPAN("GET / HTTP/1.1\r\n\r\n"), &plain, &sealed), TLS_FAILED);
    assert_string_equal(tls_reason(tls), "http request");
    assert_int_equal(tls_receive(tls, SPAN("more"), &plain, &sealed), TLS_FAILED);
    tls_free(tls);
    tls = tls_create(keys, false);
    struct tls_peer peer;
    tls_peer_open(&peer, TLS1_3_VERSION);
    assert_int_equal(tls_peer_greet(&peer, tls), TLS_OPEN);
    buf_clear(&sealed);
    assert_int_equal(tls_receive(tls, SPAN("\x17\x03\x03\x00\x10 sealed by nobody"), &plain, &sealed),
                     TLS_FAILED);
    assert_true(sealed.size > 0);
    assert_false(tls_send(tls, SPAN("too late"), &sealed));
    assert_int_equal(plain.size, 0);
    buf_free(&plain);
    buf_free(&sealed);
    tls_free(tls);
    tls_peer_close(&peer);
}

/* Headers of proxies. */

static const char signature[] = "\r\n\r\n\0\r\nQUIT\n";

static struct buf header(uint8_t command, uint8_t kind, struct span content) {
    struct buf out = {0};
    buf_append(&out, span_make(signature, 12));
    buf_append_byte(&out, (char)command);
    buf_append_byte(&out, (char)kind);
    buf_append_byte(&out, (char)(content.size >> 8));
    buf_append_byte(&out, (char)content.size);
    buf_append(&out, content);
    return out;
}

static enum proxy_header_state header_read(struct buf bytes, struct proxy_header *out, const char **reason) {
    enum proxy_header_state state = PROXY_HEADER_WAITS;
    for (size_t size = 1; size < bytes.size && state == PROXY_HEADER_WAITS; size++) /* in any split */
        state = proxy_header_read(span_make(bytes.data, size), out, reason);
    if (state == PROXY_HEADER_WAITS)
        state = proxy_header_read(buf_span(&bytes), out, reason);
    buf_free(&bytes);
    return state;
}

static void test_proxies_say_for_whom(void **state) {
    (void)state;
    struct proxy_header h;
    const char *reason;
    struct address expected;
    struct span four = SPAN("\xc0\x00\x02\x07\x7f\0\0\x01\x30\x39\x22\xb8");
    assert_int_equal(header_read(header(0x21, 0x11, four), &h, &reason), PROXY_HEADER_READ);
    assert_true(address_parse(SPAN("192.0.2.7"), &expected));
    assert_true(h.has_origin && address_equal(&h.origin, &expected));
    assert_int_equal(h.size, 28);
    char six[36 + 6] = "\x20\x01\x0d\xb8\0\0\0\x01\0\0\0\0\0\0\0\x05";
    memcpy(six + 36, "\x04\x00\x03xyz", 6); /* and a record that is passed over */
    assert_int_equal(header_read(header(0x21, 0x21, span_make(six, sizeof six)), &h, &reason),
                     PROXY_HEADER_READ);
    assert_true(address_parse(SPAN("2001:db8:0:1::ffff"), &expected)); /* the same network of 64 bits */
    assert_true(h.has_origin && address_equal(&h.origin, &expected));
    assert_int_equal(header_read(header(0x20, 0x00, SPAN("")), &h, &reason), PROXY_HEADER_READ);
    assert_false(h.has_origin);
    assert_int_equal(header_read(header(0x21, 0x00, SPAN("whatever")), &h, &reason), PROXY_HEADER_READ);
    assert_false(h.has_origin);
    assert_int_equal(h.size, 24);
}

static struct buf line(const char *text) {
    struct buf out = {0};
    buf_append_text(&out, text);
    return out;
}

static void test_lines_of_version_one(void **state) {
    (void)state;
    struct proxy_header h;
    const char *reason;
    struct address expected;
    assert_int_equal(header_read(line("PROXY TCP4 192.0.2.7 127.0.0.1 12345 8888\r\n"), &h, &reason),
                     PROXY_HEADER_READ);
    assert_true(address_parse(SPAN("192.0.2.7"), &expected));
    assert_true(h.has_origin && address_equal(&h.origin, &expected));
    assert_int_equal(h.size, 43);
    assert_int_equal(header_read(line("PROXY TCP6 2001:db8:0:1::5 ::1 1 65535\r\n"), &h, &reason),
                     PROXY_HEADER_READ);
    assert_true(address_parse(SPAN("2001:db8:0:1::"), &expected) && address_equal(&h.origin, &expected));
    assert_int_equal(header_read(line("PROXY UNKNOWN whatever else\r\n"), &h, &reason), PROXY_HEADER_READ);
    assert_false(h.has_origin);
    static const char *const wrong[] = {
        "PROXY TCP4 192.0.2.7 127.0.0.1 12345 65536\r\n",  "PROXY TCP4 192.0.2.7 127.0.0.1 12345\r\n",
        "PROXY TCP6 192.0.2.7 127.0.0.1 12345 8888\r\n",   "PROXY TCP4 ::1 ::1 12345 8888\r\n",
        "PROXY TCP4  192.0.2.7 127.0.0.1 12345 8888\r\n",  "PROXY \r\n",
        "PROXY TCP4 192.0.2.7 127.0.0.1 12345 8888 1\r\n", "PROXY TCP4 192.0.2.7 127.0.0.1 12345 8888\n\r\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(header_read(line(wrong[i]), &h, &reason), PROXY_HEADER_REFUSED);
        assert_string_equal(reason, "the line of the header is not as it should be");
    }
    struct buf large = line("PROXY UNKNOWN ");
    while (large.size < 107)
        buf_append_byte(&large, 'x');
    assert_int_equal(header_read(large, &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "the header is too long");
}

static void test_other_headers_are_refused(void **state) {
    (void)state;
    struct proxy_header h;
    const char *reason = NULL;
    struct span four = SPAN("\xc0\x00\x02\x07\x7f\0\0\x01\x30\x39\x22\xb8\x04\x00\x09");
    assert_int_equal(header_read(header(0x21, 0x11, four), &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "a record of the header is cut off");
    four.size = 11;
    assert_int_equal(header_read(header(0x21, 0x11, four), &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "the header has no room for its addresses");
    assert_int_equal(header_read(header(0x11, 0x11, four), &h, &reason), PROXY_HEADER_REFUSED);
    assert_int_equal(header_read(header(0x22, 0x11, four), &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "the version or command of the header is not known");
    assert_int_equal(header_read(header(0x21, 0x12, four), &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "the header is of no stream of TCP");
    assert_int_equal(proxy_header_read(SPAN("GET / HTTP/1.1\r\n"), &h, &reason), PROXY_HEADER_REFUSED);
    assert_int_equal(proxy_header_read(SPAN("\r\n\r\n"), &h, &reason), PROXY_HEADER_WAITS);
    char *large = mem_alloc(PROXY_HEADER_BYTES_MAX);
    struct span content = span_make(large, PROXY_HEADER_BYTES_MAX - PROXY_HEADER_START_BYTES + 1);
    assert_int_equal(header_read(header(0x20, 0x00, content), &h, &reason), PROXY_HEADER_REFUSED);
    assert_string_equal(reason, "the header is too long");
    mem_free(large);
}

int main(void) {
    tls_account();
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_sessions_are_small),   cmocka_unit_test(test_memory_is_counted),
        cmocka_unit_test(test_bytes_come_one_by_one),     cmocka_unit_test(test_both_ends_end),
        cmocka_unit_test(test_handshakes_have_a_ceiling), cmocka_unit_test(test_what_breaks_a_session),
        cmocka_unit_test(test_proxies_say_for_whom),      cmocka_unit_test(test_lines_of_version_one),
        cmocka_unit_test(test_other_headers_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
