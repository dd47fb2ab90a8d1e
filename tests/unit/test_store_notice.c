/* What nodes on one PostgreSQL tell each other of their appends: events come back as they were, and only from
 * who has the key of the store. */
#include "tests.h"

#include "base/mem.h"
#include "store/postgres/notice.h"

enum { TABLE = 77, OTHER = 78 };

static const struct digest key = {{1, 2, 3}};

/* Appends of one list: two of the table with one of another between them. */
static void appends_make(struct pending_list *list, struct span body) {
    static const uint64_t tables[] = {TABLE, OTHER, TABLE};
    static const uint64_t expected[] = {4, 9, 6};
    for (size_t i = 0; i < 3; i++) {
        struct event events[2];
        for (size_t k = 0; k < 2; k++) {
            events[k] = (struct event){.seq = expected[i] + 1 + k,
                                       .time_ms = 1700000000000 + (int64_t)i,
                                       .kind = EVENT_ACTION,
                                       .body = k == 0 ? body : span_of("")};
            events[k].hash.bytes[0] = (uint8_t)(10 * i + k);
            events[k].hash.bytes[DIGEST_BYTES - 1] = 0xff;
        }
        pending_push(
            list, pending_copy(&(struct store_request){
                      .table = tables[i], .expected_seq = expected[i], .events = events, .event_count = 2}));
    }
}

static void notice_make(struct buf *out, struct span body, const struct digest *with) {
    struct pending_list list = {0};
    appends_make(&list, body);
    buf_append_text(out, "12345");
    notice_write(out, list.first, list.last, with);
    notice_write(out, list.first->next, list.first->next, with);
    pending_free(&list);
}

static void entry_free(struct notice_entry *entry) {
    struct pending_list list = {0};
    if (entry->news != NULL)
        pending_push(&list, entry->news);
    pending_free(&list);
}

/* What both entries say without their events. */
static void assert_places(const char *text, const struct digest *with, bool has_news) {
    struct notice_entry entry;
    int64_t node;
    const char *at = notice_read_node(text, &node);
    assert_non_null(at);
    assert_int_equal(node, 12345);
    at = notice_read(at, with, &entry);
    assert_non_null(at);
    assert_int_equal(entry.table, TABLE);
    assert_int_equal(entry.first, 5);
    assert_int_equal(entry.last, 8);
    assert_true((entry.news != NULL) == has_news);
    entry_free(&entry);
    at = notice_read(at, with, &entry);
    assert_non_null(at);
    assert_int_equal(entry.table, OTHER);
    assert_int_equal(entry.first, 10);
    assert_true((entry.news != NULL) == has_news);
    entry_free(&entry);
    assert_null(notice_read(at, with, &entry));
}

static void events_come_as_they_were(void **state) {
    static const char body[] = "a\0b\n c\xff";
    struct buf text = {0};
    struct notice_entry entry;
    int64_t node;
    (void)state;
    notice_make(&text, span_make(body, sizeof body), &key);
    assert_places(buf_text(&text), &key, true);
    notice_read(notice_read_node(buf_text(&text), &node), &key, &entry);
    assert_int_equal(entry.news->table, TABLE);
    assert_int_equal(entry.news->expected_seq, 4);
    assert_int_equal(entry.news->event_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct event *event = &entry.news->events[i];
        assert_int_equal(event->seq, 5 + i);
        assert_int_equal(event->kind, EVENT_ACTION);
        assert_int_equal(event->time_ms, 1700000000000 + (i < 2 ? 0 : 2));
        assert_int_equal(event->hash.bytes[0], (i < 2 ? 0 : 20) + i % 2);
        assert_int_equal(event->hash.bytes[DIGEST_BYTES - 1], 0xff);
        assert_int_equal(event->body.size, i % 2 == 0 ? sizeof body : 0);
        if (i % 2 == 0)
            assert_memory_equal(event->body.data, body, sizeof body);
    }
    entry_free(&entry);
    buf_free(&text);
}

static void large_events_are_to_be_read(void **state) {
    char body[NOTICE_EVENTS_BYTES_MAX];
    struct buf text = {0};
    (void)state;
    memset(body, 'x', sizeof body);
    notice_make(&text, span_make(body, sizeof body), &key);
    assert_places(buf_text(&text), &key, false);
    assert_true(text.size < 200);
    buf_free(&text);
}

static void alone_nothing_is_told_but_where(void **state) {
    struct buf text = {0};
    (void)state;
    notice_make(&text, span_of("body"), NULL);
    assert_places(buf_text(&text), &key, false);
    buf_free(&text);
}

/* Every letter of an entry, changed: its events are not believed. */
static void forged_events_are_to_be_read(void **state) {
    static const struct digest wrong = {{9}};
    struct buf text = {0};
    struct notice_entry entry;
    int64_t node;
    (void)state;
    notice_make(&text, span_of("body"), &key);
    assert_places(buf_text(&text), &wrong, false);
    char *first = strchr(text.data, '\n') + 1;
    for (char *letter = first; *letter != '\n'; letter++) {
        char was = *letter;
        *letter = was == '1' ? '2' : '1';
        if (notice_read(notice_read_node(buf_text(&text), &node), &key, &entry) != NULL)
            assert_null(entry.news);
        *letter = was;
    }
    buf_free(&text);
}

static void what_is_no_notice_is_left(void **state) {
    static const char *const texts[] = {"", "x", "12x", "\n1 2 3", "-", " "};
    struct notice_entry entry;
    int64_t node;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_null(notice_read_node(texts[i], &node));
    assert_null(notice_read("\n1 2", &key, &entry));
    assert_null(notice_read("\nx 2 3", &key, &entry));
    assert_null(notice_read("", &key, &entry));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_as_they_were),        cmocka_unit_test(large_events_are_to_be_read),
        cmocka_unit_test(alone_nothing_is_told_but_where), cmocka_unit_test(forged_events_are_to_be_read),
        cmocka_unit_test(what_is_no_notice_is_left),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
