/* Who may ask: names of the server, and origins of pages. */
#include "tests.h"

#include "wire/http/guard.h"

static const struct http_guard plain = {.place = "here.example"},
                               named = {.place = "127.0.0.1", .hosts = "games.example.org, pc-7.school"};
static const char *invited; /* the origin */

static enum err ask(const struct http_guard *guard, enum http_method method, const char *host,
                    const char *origin, bool wants_websocket) {
    const struct http_request request = {.method = method,
                                         .host = span_of(host),
                                         .origin = span_of(origin),
                                         .wants_websocket = wants_websocket};
    return http_guard_check(guard, invited, &request);
}

static void names_of_the_server(void **state) {
    (void)state;
    static const char *const ours[] = {
        "localhost",  "localhost:8080", "LocalHost:1", "127.0.0.1:8080",  "192.0.2.7", "10.0.0.255",
        "[::1]:8080", "[fe80::1]",      "localhost.",  "here.example:80", ""};
    static const char *const others[] = {"evil.example",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil.example",
                                         "256.0.0.1",
                                         "1.2.3",
                                         "a.b",
                                         "1.2.3.4.5",
                                         "a",
                                         ":80",
                                         "127.0.0.1:99999",
                                         "localhost:x",
                                         "0x7f.0.0.1",
                                         "[::1",
                                         "1..2.3",
                                         "games.example.org"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ask(&plain, HTTP_METHOD_GET, ours[i], "", false) != ERR_OK)
            fail_msg("'%s' is refused", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ask(&plain, HTTP_METHOD_GET, others[i], "", false) != ERR_HOST_UNKNOWN)
            fail_msg("'%s' is let in", others[i]);
    assert_int_equal(ask(&named, HTTP_METHOD_GET, "Games.Example.Org:8080", "", false), ERR_OK);
    assert_int_equal(ask(&named, HTTP_METHOD_POST, "pc-7.school", "", false), ERR_OK);
    assert_int_equal(ask(&named, HTTP_METHOD_GET, "example.org", "", false), ERR_HOST_UNKNOWN);
    static const struct http_guard none = {0};
    assert_int_equal(ask(&none, HTTP_METHOD_POST, "evil.example", "http://evil.example:1", true), ERR_OK);
}

static void the_own_page_may_ask(void **state) {
    (void)state;
    static const struct {
        const char *host, *origin;
        bool is_own;
    } pairs[] = {
        {"localhost:8080", "http://localhost:8080", true},
        {"127.0.0.1:8080", "http://127.0.0.1:8080", true},
        {"[::1]:8080", "http://[::1]:8080", true},
        {"127.0.0.1", "http://127.0.0.1", true},
        {"127.0.0.1:80", "http://127.0.0.1", true},
        {"games.example.org", "https://games.example.org", true},
        {"127.0.0.1:8080", "https://games.example.org", true}, /* a proxy that does not hand the name on */
        {"localhost:8080", "http://localhost:8081", false},
        {"localhost:8080", "http://127.0.0.1:8080", false},
        {"localhost:8080", "http://localhost", false},
        {"127.0.0.1:8080", "http://127.0.0.1", false},
        {"localhost:8080", "http://evil.example:8080", false},
        {"localhost:8080", "null", false},
        {"localhost:8080", "file://", false},
        {"localhost:8080", "chrome-extension://localhost:8080", false},
        {"127.0.0.1:8080", "https://games.example.org:8443", false},
        {"", "http://localhost", false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        enum err expected = pairs[i].is_own ? ERR_OK : ERR_ORIGIN_REFUSED;
        if (ask(&named, HTTP_METHOD_POST, pairs[i].host, pairs[i].origin, false) != expected ||
            ask(&named, HTTP_METHOD_GET, pairs[i].host, pairs[i].origin, true) != expected)
            fail_msg("%s at %s", pairs[i].origin, pairs[i].host);
        /* What only reads cannot be read by the page of another origin; the browser sees to that. */
        assert_int_equal(ask(&named, HTTP_METHOD_GET, pairs[i].host, pairs[i].origin, false), ERR_OK);
        assert_int_equal(ask(&named, HTTP_METHOD_OPTIONS, pairs[i].host, pairs[i].origin, false), ERR_OK);
        assert_int_equal(ask(&named, HTTP_METHOD_DELETE, pairs[i].host, pairs[i].origin, false), expected);
    }
}

static void invited_pages_may_ask(void **state) {
    (void)state;
    invited = "https://a.example";
    assert_int_equal(ask(&plain, HTTP_METHOD_POST, "localhost", "https://a.example", false), ERR_OK);
    assert_int_equal(ask(&plain, HTTP_METHOD_GET, "localhost", "https://a.example", true), ERR_OK);
    assert_int_equal(ask(&plain, HTTP_METHOD_POST, "localhost", "http://a.example", false),
                     ERR_ORIGIN_REFUSED);
    assert_int_equal(ask(&plain, HTTP_METHOD_GET, "localhost", "https://b.example", true),
                     ERR_ORIGIN_REFUSED);
    invited = "*";
    assert_int_equal(ask(&plain, HTTP_METHOD_GET, "localhost", "https://b.example", true), ERR_OK);
    assert_int_equal(ask(&plain, HTTP_METHOD_POST, "evil.example", "https://b.example", false),
                     ERR_HOST_UNKNOWN);
    invited = NULL;
}

static void names_are_words_with_commas(void **state) {
    (void)state;
    assert_true(http_guard_names_are_valid(SPAN("a")));
    assert_true(http_guard_names_are_valid(SPAN("games.example.org, pc-7_b")));
    static const char *const wrong[] = {"", ",", "a,,b", "a:80", "http://a", "a b", "*", "a/b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (http_guard_names_are_valid(span_of(wrong[i])))
            fail_msg("'%s' is taken for names", wrong[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_server),
        cmocka_unit_test(the_own_page_may_ask),
        cmocka_unit_test(invited_pages_may_ask),
        cmocka_unit_test(names_are_words_with_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
