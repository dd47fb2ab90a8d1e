/* The inspector keeps the newest of what was sent, and not more than it may. */
#include "tests.h"

#include "base/mem.h"
#include "host/inspector.h"

static int64_t fixed_wall(void) {
    return 5000;
}

struct seen {
    size_t count;
    uint64_t first, last;
    size_t bytes;
    char text[32];
};

static bool see(void *context, const struct inspector_message *message) {
    struct seen *seen = context;
    seen->first = seen->count++ == 0 ? message->number : seen->first;
    seen->last = message->number;
    seen->bytes += message->text.size;
    snprintf(seen->text, sizeof seen->text, "%.*s", (int)message->text.size, message->text.data);
    assert_int_equal(message->at_ms, 5000);
    return true;
}

static void the_inspector_keeps_the_newest(void **state) {
    (void)state;
    struct inspector *in = inspector_create(&(struct inspector_config){.wall_ms = fixed_wall});
    struct inspector_message message = {.seat = 1, .protocol = "treasure", .text = SPAN("hello")};
    struct seen seen = {0};
    assert_false(inspector_wants(in, 7) || inspector_wants(NULL, 7));
    inspector_record(in, 7, &message);
    assert_int_equal(inspector_read(in, 7, 1, see, &seen), 0);
    inspector_enable(in, 7);
    for (int i = 0; i < INSPECTOR_MESSAGES_MAX + 10; i++)
        inspector_record(in, 7, &message);
    assert_int_equal(inspector_read(in, 7, 1, see, &seen), INSPECTOR_MESSAGES_MAX + 11);
    assert_int_equal(seen.count, INSPECTOR_MESSAGES_MAX);
    assert_int_equal(seen.first, 11);
    char *large = mem_alloc(2 * INSPECTOR_TEXT_BYTES_MAX);
    memset(large, 'x', 2 * INSPECTOR_TEXT_BYTES_MAX);
    message.text = span_make(large, 2 * INSPECTOR_TEXT_BYTES_MAX);
    for (int i = 0; i < 40; i++)
        inspector_record(in, 7, &message);
    mem_free(large);
    seen = (struct seen){0};
    inspector_read(in, 7, 1, see, &seen);
    assert_true(seen.bytes <= INSPECTOR_BYTES_MAX && seen.bytes > INSPECTOR_BYTES_MAX / 2);
    message.text = SPAN("a\xff\xe4z");
    inspector_record(in, 7, &message);
    inspector_read(in, 7, 1, see, &seen);
    assert_string_equal(seen.text, "a??z"); /* what is no text does not become JSON */
    for (uint64_t table = 100; table < 100 + INSPECTOR_TABLES_MAX; table++)
        inspector_enable(in, table);
    assert_false(inspector_wants(in, 7));
    inspector_free(in);
}

/* A hundred tables say as much as each may, another one a little: what is kept stays under the ceiling of
 * all, and what goes is theirs. */
static void all_tables_together_have_a_ceiling(void **state) {
    (void)state;
    size_t used = mem_used();
    struct inspector *in =
        inspector_create(&(struct inspector_config){.wall_ms = fixed_wall, .has_all = true});
    struct inspector_message small = {.protocol = "treasure", .text = SPAN("small")}, large = small;
    struct seen seen = {0};
    char *text = mem_alloc(INSPECTOR_TEXT_BYTES_MAX);
    memset(text, 'x', INSPECTOR_TEXT_BYTES_MAX);
    large.text = span_make(text, INSPECTOR_TEXT_BYTES_MAX);
    for (int i = 0; i < 5; i++)
        inspector_record(in, 7, &small);
    for (uint64_t table = 100; table < 200; table++)
        for (int i = 0; i < INSPECTOR_BYTES_MAX / INSPECTOR_TEXT_BYTES_MAX; i++) {
            inspector_record(in, table, &large);
            assert_true(mem_used() - used < INSPECTOR_ALL_BYTES_MAX + INSPECTOR_ALL_BYTES_MAX / 8);
        }
    assert_true(mem_used() - used > INSPECTOR_ALL_BYTES_MAX / 2);
    inspector_read(in, 7, 1, see, &seen);
    assert_int_equal(seen.count, 5);
    seen = (struct seen){0};
    inspector_read(in, 199, 1, see, &seen);
    assert_true(seen.count > 0);
    inspector_free(in);
    mem_free(text);
    assert_int_equal(mem_used(), used);
}

/* Whatever is called a secret is shown as stars, however it is written. */
static void secrets_are_not_kept(void **unused) {
    (void)unused;
    static const char *const texts[][2] = {
        {"{\"secret\":\"abc\",\"name\":\"ann\"}", "{\"secret\":\"***\",\"name\":\"ann\"}"},
        {"{\"secret\" : \"a\\\"b\"}", "{\"secret\" : \"****\"}"},
        {"<p secret='abc' x='secret'/>", "<p secret='***' x='secret'/>"},
        {"{\"secret\":\"never ends", "{\"secret\":\"**********"},
        {"secret", "secret"},
    };
    struct inspector *in =
        inspector_create(&(struct inspector_config){.has_all = true, .wall_ms = fixed_wall});
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct seen seen = {0};
        inspector_record(in, 1, &(struct inspector_message){.protocol = "x", .text = span_of(texts[i][0])});
        inspector_read(in, 1, i + 1, see, &seen);
        assert_string_equal(seen.text, texts[i][1]);
    }
    inspector_free(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inspector_keeps_the_newest),
        cmocka_unit_test(all_tables_together_have_a_ceiling),
        cmocka_unit_test(secrets_are_not_kept),
    };
    return cmocka_run_group_tests_name("inspector", tests, NULL, NULL);
}
