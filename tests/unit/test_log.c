/* The log: its three forms, what clients may have sent, and who is told how often. */
#include "tests.h"

#include "base/limit.h"
#include "base/log.h"

#include <jansson.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE_BYTES = 8192 };

/* Standard error leads here while a line is written. */
static char line[LINE_BYTES];

static void capture(enum log_form form, const struct log_field *fields) {
    int ends[2], kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    log_set_form(form, "/nowhere/socket");
    log_fields(LOG_WARN, "something", fields);
    log_set_form(LOG_FORM_TEXT, NULL);
    dup2(kept, STDERR_FILENO);
    close(ends[1]);
    close(kept);
    ssize_t size = read(ends[0], line, sizeof line - 1);
    close(ends[0]);
    assert_true(size > 0);
    line[size] = '\0';
}

#define FIELDS(...) ((const struct log_field[]){__VA_ARGS__, {NULL, {NULL, 0}, 0}})

/* A quote, a backslash, ends of lines, an escape, DEL, a control character beyond ASCII, one that turns the
 * text, one that ends a line, a letter, and a byte that is no UTF-8. */
static const struct span hostile =
    SPAN("\"\\\n\r\x1b\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xc3\xa4\xff info forged");

static void texts_are_escaped(void **state) {
    (void)state;
    capture(LOG_FORM_TEXT, FIELDS(LOG_TEXT("text", hostile), LOG_INT("n", -3)));
    assert_non_null(
        strstr(line, "Z warn something text=\"\\\"\\\\\\x0a\\x0d\\x1b\\x7f\\u009b\\u202e\\u2028\xc3\xa4\\xff "
                     "info forged\" n=-3\n"));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void json_is_json(void **state) {
    (void)state;
    capture(LOG_FORM_JSON, FIELDS(LOG_TEXT("text", hostile), LOG_INT("n", -3)));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    for (const char *c = line; c[1] != '\0'; c++)
        assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(value);
    assert_string_equal(json_string_value(json_object_get(value, "event")), "something");
    assert_string_equal(json_string_value(json_object_get(value, "level")), "warn");
    assert_non_null(json_object_get(value, "time"));
    assert_int_equal(json_integer_value(json_object_get(value, "n")), -3);
    assert_string_equal(json_string_value(json_object_get(value, "text")),
                        "\"\\\n\r\x1b\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xc3\xa4\xef\xbf\xbd info forged");
    json_decref(value);
}

/* However long a text is the line ends, and is JSON. */
static void long_lines_are_cut(void **state) {
    static char text[LOG_LINE_BYTES_MAX * 2];
    (void)state;
    memset(text, 1, sizeof text);
    const struct span whole = {text, sizeof text};
    capture(LOG_FORM_TEXT, FIELDS(LOG_TEXT("text", whole), LOG_INT("n", 1)));
    assert_int_equal(strlen(line), LOG_LINE_BYTES_MAX);
    capture(LOG_FORM_JSON, FIELDS(LOG_TEXT("text", whole), LOG_INT("n", 1)));
    assert_true(strlen(line) <= LOG_LINE_BYTES_MAX);
    json_t *value = json_loads(line, 0, NULL);
    assert_non_null(value);
    assert_null(json_object_get(value, "text"));
    assert_int_equal(json_integer_value(json_object_get(value, "n")), 1);
    assert_true(json_is_true(json_object_get(value, "cut")));
    json_decref(value);
}

static void without_a_journal_the_priority_stands_before(void **state) {
    (void)state;
    capture(LOG_FORM_JOURNAL, FIELDS(LOG_INT("n", 1)));
    assert_memory_equal(line, "<4>", 3);
    assert_non_null(strstr(line, " warn something n=1\n"));
}

static int journal_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void the_journal_gets_fields(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/parlor-test-journal-%d", (int)getpid());
    int fd = journal_at(path);
    log_set_form(LOG_FORM_JOURNAL, path);
    log_event(LOG_ERROR, "something", LOG_TEXT("why", hostile), LOG_INT("used_bytes", 7));
    log_set_form(LOG_FORM_TEXT, NULL);
    ssize_t size = recv(fd, line, sizeof line - 1, MSG_DONTWAIT);
    close(fd);
    unlink(path);
    assert_true(size > 0);
    line[size] = '\0';
    assert_non_null(
        strstr(line, "PRIORITY=3\nSYSLOG_IDENTIFIER=parlor\nPARLOR_EVENT=something\nMESSAGE=something why="));
    assert_non_null(strstr(line, "\nPARLOR_WHY=\\\"\\\\\\x0a\\x0d\\x1b"));
    assert_non_null(strstr(line, " info forged\nPARLOR_USED_BYTES=7\n"));
    int lines = 0;
    for (const char *c = line; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 6);
}

/* One that is started again has the lines that come then. */
static void a_journal_may_be_started_again(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/parlor-test-journal-%d", (int)getpid());
    log_set_form(LOG_FORM_JOURNAL, path);
    for (int i = 0; i < 2; i++) {
        int fd = journal_at(path);
        log_event(LOG_ERROR, "something", LOG_INT("n", i));
        ssize_t size = recv(fd, line, sizeof line - 1, MSG_DONTWAIT);
        close(fd);
        unlink(path);
        assert_true(size > 0);
    }
    log_set_form(LOG_FORM_TEXT, NULL);
}

static void crowds_leave_few_lines(void **state) {
    struct log_pace pace = {0};
    uint64_t times, written = 0, before = limit_hits(LIMIT_GUESSES);
    (void)state;
    for (int i = 0; i < 1000; i++)
        written += log_may(&pace, &times);
    assert_true(written >= 1 && written < 100);
    log_set_level(LOG_ERROR);
    for (int i = 0; i < 1000; i++)
        limit_hit(LIMIT_GUESSES, NULL);
    log_set_level(LOG_INFO);
    assert_int_equal(limit_hits(LIMIT_GUESSES) - before, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(json_is_json),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(without_a_journal_the_priority_stands_before),
        cmocka_unit_test(the_journal_gets_fields),
        cmocka_unit_test(a_journal_may_be_started_again),
        cmocka_unit_test(crowds_leave_few_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
