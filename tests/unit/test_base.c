/* The small helpers: errors, spans, timers, UTF-8, writers. */
#include "tests.h"

#include "base/address.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/ration.h"
#include "base/rng.h"
#include "base/steady.h"
#include "base/timers.h"
#include "base/utf8.h"
#include "base/writer.h"

static void every_error_has_a_word_and_a_sentence(void **unused) {
    (void)unused;
    for (int i = 0; i < ERR_COUNT; i++) {
        assert_true(strlen(err_word((enum err)i)) > 0);
        assert_true(strlen(err_sentence((enum err)i)) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(err_word((enum err)i), err_word((enum err)j));
    }
}

static void addresses_are_counted(void **unused) {
    (void)unused;
    static const uint8_t four[4] = {192, 0, 2, 7}, mapped[16] = {[10] = 0xff, [11] = 0xff, 192, 0, 2, 7},
                         home[4] = {127, 3, 2, 1}, home_six[16] = {[15] = 1},
                         six[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, [15] = 9},
                         neighbour[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, [15] = 8},
                         other[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 2, [15] = 9};
    const struct address nobody = {{0}}, a = address_of_four(four), b = address_of_six(mapped),
                         c = address_of_six(six), d = address_of_six(neighbour), e = address_of_six(other),
                         f = address_of_four(home), g = address_of_six(home_six);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&c, &d, sizeof c);
    assert_memory_not_equal(&c, &e, sizeof c);
    assert_true(address_is_loopback(&f) && address_is_loopback(&g) && address_is_nobody(&nobody));
    assert_false(address_is_loopback(&a) || address_is_loopback(&c) || address_is_nobody(&g));
    struct tally tally = {0};
    tally_add(&tally, &a);
    tally_add(&tally, &b);
    tally_add(&tally, &c);
    tally_add(&tally, &nobody);
    assert_int_equal(tally_count(&tally, &a), 2);
    assert_int_equal(tally_count(&tally, &d), 1);
    assert_int_equal(tally_count(&tally, &e), 0);
    assert_int_equal(tally_count(&tally, &nobody), 0);
    tally_remove(&tally, &a);
    tally_remove(&tally, &d);
    tally_remove(&tally, &nobody);
    assert_int_equal(tally_count(&tally, &a), 1);
    assert_int_equal(tally_count(&tally, &c), 0);
    tally_free(&tally);
}

static void numbers_are_read_whole_or_not_at_all(void **unused) {
    (void)unused;
    int64_t value = 7;
    assert_true(span_to_int(SPAN("-12"), &value));
    assert_int_equal(value, -12);
    assert_true(span_to_int(SPAN("+9223372036854775807"), &value));
    assert_true(value == INT64_MAX);
    assert_true(span_to_int(SPAN("-9223372036854775808"), &value));
    assert_true(value == INT64_MIN);
    value = 7;
    const char *const refused[] = {"", "-", "+", "1 ", " 1", "0x1", "1.0", "9223372036854775808", "--1"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(span_to_int(span_of(refused[i]), &value));
    assert_int_equal(value, 7);
}

static void copies_refuse_what_does_not_fit(void **unused) {
    (void)unused;
    char text[4];
    assert_true(span_copy(SPAN("abc"), text, sizeof text));
    assert_string_equal(text, "abc");
    assert_false(span_copy(SPAN("abcd"), text, sizeof text));
    assert_string_equal(text, "");
    assert_false(span_copy(SPAN("a\0b"), text, sizeof text));
}

struct tick {
    struct timer timer;
    int number;
};

static int fired[400], fired_count;

static void on_tick(struct timer *timer, uint64_t now_ms) {
    assert_true(now_ms >= timer->due_ms);
    fired[fired_count++] = ((struct tick *)timer)->number;
}

static void timers_fire_in_order(void **unused) {
    (void)unused;
    static struct tick ticks[400];
    struct timers timers = {0};
    struct rng rng;
    rng_seed(&rng, 1);
    fired_count = 0;
    for (int i = 0; i < 400; i++) {
        ticks[i] = (struct tick){.number = i};
        timers_arm(&timers, &ticks[i].timer, 1000, on_tick);
    }
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 400; i++)
            timers_arm(&timers, &ticks[i].timer, 1 + rng_below(&rng, 5000), on_tick);
    for (int i = 0; i < 400; i += 4)
        timers_stop(&timers, &ticks[i].timer);
    timers_advance(&timers, 2500);
    for (int i = 0; i < fired_count; i++)
        assert_true(ticks[fired[i]].timer.due_ms <= 2500);
    assert_true(timers_next_ms(&timers) > 2500);
    timers_advance(&timers, 6000);
    assert_int_equal(fired_count, 300);
    for (int i = 1; i < fired_count; i++)
        assert_true(ticks[fired[i - 1]].timer.due_ms <= ticks[fired[i]].timer.due_ms);
    assert_true(timers_next_ms(&timers) == TIMERS_NEVER);
    timers_free(&timers);
}

static void utf8_tells_good_from_bad(void **unused) {
    (void)unused;
    assert_true(utf8_is_valid(SPAN("")));
    assert_true(utf8_is_valid(SPAN("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80")));
    assert_int_equal(utf8_length(SPAN("Zo\xc3\xab")), 3);
    const char *const bad[] = {"\x80",
                               "\xc0\x80",
                               "\xc3",
                               "\xed\xa0\x80",
                               "\xf4\x90\x80\x80",
                               "\xff",
                               "\xe2\x82",
                               "\xf8\x88\x80\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(utf8_is_valid(span_of(bad[i])));
    assert_true(utf8_is_blank(' ') && utf8_is_blank(0xa0) && utf8_is_blank(0x3000) && utf8_is_blank('\n'));
    assert_true(utf8_is_blank(0x200b) && utf8_is_blank(0x202e) && utf8_is_blank(0x2060) &&
                utf8_is_blank(0x2067));
    assert_false(utf8_is_blank('a') || utf8_is_blank(0xeb) || utf8_is_blank(0x1f600) ||
                 utf8_is_blank(0x200d));
    assert_true(span_is(utf8_without_last(SPAN("a\xf0\x9f\x98\x80")), "a"));
    assert_true(span_is(utf8_without_last(SPAN("ab")), "a"));
    assert_true(utf8_is_all_blank(SPAN("")) && utf8_is_all_blank(SPAN(" \xc2\xa0\t")));
    assert_false(utf8_is_all_blank(SPAN("\xc2\xa0x")));
    assert_true(utf8_has_control(SPAN("a\x1b[1m")) && utf8_has_control(SPAN("a\nb")) &&
                utf8_has_control(SPAN("\xc2\x85")));
    assert_false(utf8_has_control(SPAN("")) || utf8_has_control(SPAN("\xc3\xa9 \xc2\xa0 \xf0\x9f\x98\x80")));
}

static void walk(struct writer *w) {
    writer_object_begin(w, NULL);
    writer_int(w, "n", -3);
    writer_text(w, "who", SPAN("a\"b\n"));
    writer_list_begin(w, "list");
    writer_bool(w, NULL, true);
    writer_null(w, NULL);
    writer_list_begin(w, NULL);
    writer_list_end(w);
    writer_list_end(w);
    writer_object_begin(w, "inner");
    writer_bool(w, "ok", false);
    writer_object_end(w);
    writer_object_end(w);
}

static void one_walk_makes_json_and_text(void **unused) {
    (void)unused;
    struct buf out = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &out);
    walk(&w);
    assert_string_equal(
        buf_text(&out),
        "{\"n\":-3,\"who\":\"a\\\"b\\u000a\",\"list\":[true,null,[]],\"inner\":{\"ok\":false}}");
    buf_clear(&out);
    writer_init(&w, WRITER_TEXT, &out);
    walk(&w);
    assert_non_null(strstr(buf_text(&out), "n: -3\n"));
    assert_non_null(strstr(buf_text(&out), "list: yes -"));
    buf_free(&out);
}

static void a_grid_is_json_for_programs_and_a_board_for_people(void **unused) {
    (void)unused;
    struct grid_cell cells[6] = {
        {.text = "X", .owner = 1}, {0}, {.is_hole = true}, {.owner = 2}, {.text = "é3"}, {0}};
    struct buf out = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &out);
    writer_object_begin(&w, NULL);
    writer_grid(&w, "board", 2, 3, cells);
    writer_int(&w, "n", 1);
    writer_object_end(&w);
    assert_string_equal(buf_text(&out), "{\"board\":{\"rows\":2,\"columns\":3,\"cells\":["
                                        "{\"name\":\"a2\",\"text\":\"X\",\"owner\":0},"
                                        "{\"name\":\"b2\",\"text\":\"\",\"owner\":null},null,"
                                        "{\"name\":\"a1\",\"text\":\"\",\"owner\":1},"
                                        "{\"name\":\"b1\",\"text\":\"é3\",\"owner\":null},"
                                        "{\"name\":\"c1\",\"text\":\"\",\"owner\":null}]},\"n\":1}");
    buf_clear(&out);
    writer_init(&w, WRITER_TEXT, &out);
    writer_object_begin(&w, NULL);
    writer_grid(&w, "board", 2, 3, cells);
    writer_int(&w, "n", 1);
    writer_object_end(&w);
    assert_string_equal(buf_text(&out), "board:\n"
                                        "    2  X  .\n"
                                        "    1  2  é3 .\n"
                                        "       a  b  c\n"
                                        "n: 1\n");
    buf_free(&out);
}

static void cells_have_names(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < GRID_SIDE_MAX * GRID_SIDE_MAX; i++) {
        char name[GRID_CELL_NAME_BYTES];
        unsigned row, column;
        grid_cell_format(GRID_SIDE_MAX, i / GRID_SIDE_MAX, i % GRID_SIDE_MAX, name);
        assert_true(grid_cell_parse(span_of(name), GRID_SIDE_MAX, GRID_SIDE_MAX, &row, &column));
        assert_int_equal(row * GRID_SIDE_MAX + column, i);
    }
    static const char *const wrong[] = {"",    "a",   "1",  "a0",  "a4",   "d1", "a01",
                                        "a+1", "a1 ", "A1", "a-1", "a111", "é1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned row, column;
        if (grid_cell_parse(span_of(wrong[i]), 3, 3, &row, &column))
            fail_msg("'%s' is a cell", wrong[i]);
    }
}

static void buffers_keep_what_is_put_in(void **unused) {
    (void)unused;
    struct buf b = {0};
    for (int i = 0; i < 1000; i++)
        buf_append_int(&b, i);
    assert_int_equal(b.size, 10 + 180 + 2700);
    buf_consume(&b, 10);
    assert_memory_equal(b.data, "1011", 4);
    buf_consume(&b, b.size + 5);
    assert_int_equal(b.size, 0);
    buf_printf(&b, "%s-%d", "x", 5);
    assert_string_equal(buf_text(&b), "x-5");
    buf_free(&b);
}

/* Whether a byte fits is asked for every byte: one behind the ceiling would be somebody else's. */
static void single_bytes_stay_under_the_ceiling(void **unused) {
    (void)unused;
    struct buf b = {.bytes_max = 1000};
    for (int i = 0; i < 5000; i++)
        buf_append_byte(&b, 'x');
    assert_true(buf_is_over(&b));
    assert_int_equal(b.size, 1000);
    assert_true(b.capacity <= 1000);
    assert_int_equal(buf_span(&b).size, 0);
    buf_clear(&b);
    buf_append_int(&b, -42);
    buf_append_int(&b, 7);
    assert_string_equal(buf_text(&b), "-427");
    buf_free(&b);
}

/* What does not fit under the ceiling is not there in parts. */
static void buffers_have_a_ceiling(void **unused) {
    (void)unused;
    struct buf b = {.bytes_max = 8};
    buf_append_text(&b, "12345678");
    assert_false(buf_is_over(&b));
    assert_string_equal(buf_text(&b), "12345678");
    buf_append_byte(&b, '9');
    assert_true(buf_is_over(&b));
    assert_int_equal(buf_span(&b).size, 0);
    assert_string_equal(buf_text(&b), "");
    buf_clear(&b);
    buf_printf(&b, "%s", "123456789");
    buf_append_text(&b, "1");
    assert_true(buf_is_over(&b));
    buf_free(&b);
    buf_append_text(&b, "1234");
    assert_string_equal(buf_text(&b), "1234");
    buf_append_text(&b, "56789");
    assert_true(buf_is_over(&b));
    for (int i = 0; i < 10000; i++) /* beyond its memory, too */
        buf_append_byte(&b, '9');
    assert_true(b.size <= b.bytes_max);
    buf_free(&b);
}

static void memory_is_counted(void **state) {
    (void)state;
    size_t used = mem_used();
    char *memory = mem_alloc(1000);
    assert_in_range(mem_used(), used + 1000, used + 1100);
    memory = mem_resize(memory, 100000);
    assert_in_range(mem_used(), used + 100000, used + 200000);
    assert_true(mem_peak() >= mem_used());
    assert_true(mem_has_room(SIZE_MAX)); /* without a ceiling there always is */
    mem_set_max(mem_used() + 500);
    assert_true(mem_has_room(500));
    assert_false(mem_has_room(501));
    mem_charge(501);
    assert_false(mem_has_room(0));
    mem_credit(501);
    mem_free(memory);
    mem_free(NULL);
    assert_true(mem_has_room(100000));
    assert_int_equal(mem_used(), used);
    mem_set_max(0);
}

static void addresses_are_read(void **unused) {
    (void)unused;
    static const uint8_t four[4] = {192, 168, 1, 20};
    struct address read, expected = address_of_four(four);
    assert_true(address_parse(SPAN("192.168.1.20"), &read) && address_equal(&read, &expected));
    assert_true(address_parse(SPAN("::ffff:192.168.1.20"), &read) && address_equal(&read, &expected));
    assert_true(address_parse(SPAN("2001:db8:1:2:3:4:5:6"), &read));
    assert_true(address_parse(SPAN("2001:db8:1:2:ffff::"), &expected) && address_equal(&read, &expected));
    static const char *const bad[] = {"", "192.168.1", "localhost", "1.2.3.4:80", "[::1]", "1.2.3.4 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(address_parse(span_of(bad[i]), &read));
}

static void lists_of_addresses_are_read(void **unused) {
    (void)unused;
    struct addresses list;
    struct address one, other;
    assert_true(address_parse(SPAN("10.0.0.1"), &one) && address_parse(SPAN("10.0.0.2"), &other));
    assert_true(addresses_parse(SPAN("10.0.0.1"), &list) && list.count == 1);
    assert_true(addresses_have(&list, &one) && !addresses_have(&list, &other));
    assert_true(addresses_parse(SPAN("::1, 10.0.0.2,10.0.0.1"), &list) && list.count == 3);
    assert_true(addresses_have(&list, &one) && addresses_have(&list, &other));
    assert_true(addresses_parse(SPAN("::1,::1,::1,::1,::1,::1,::1,::1"), &list));
    static const char *const bad[] = {"", "10.0.0.1,", ",10.0.0.1", "10.0.0.1 10.0.0.2",
                                      "::1,::1,::1,::1,::1,::1,::1,::1,::1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(addresses_parse(span_of(bad[i]), &list));
}

static void rations_leak(void **unused) {
    (void)unused;
    static const uint8_t one[4] = {10, 0, 0, 1}, other[4] = {10, 0, 0, 2};
    const struct address a = address_of_four(one), b = address_of_four(other), nobody = {{0}};
    struct ration r = {.amount = 10, .time_ms = 1000}, any = {.amount = 0};
    for (int i = 0; i < 10; i++) {
        assert_true(ration_allows(&r, &a, 0));
        ration_spend(&r, &a, 1, 0);
        ration_spend(&r, &nobody, 1, 0);
        ration_spend(&any, &a, 1, 0);
    }
    assert_false(ration_allows(&r, &a, 99));
    assert_true(ration_allows(&r, &b, 0) && ration_allows(&r, &nobody, 0) && ration_allows(&any, &a, 0));
    assert_true(ration_allows(&r, &a, 100)); /* one of them has leaked */
    ration_spend(&r, &a, UINT32_MAX, 100);   /* more than can be is twice the amount */
    assert_false(ration_allows(&r, &a, 1099));
    assert_true(ration_allows(&r, &a, 1200));
    for (uint64_t time_ms = 1201; time_ms < 1300; time_ms++) /* looking does not hold it up */
        ration_allows(&r, &a, time_ms);
    assert_true(ration_allows(&r, &a, 2101));
    assert_null(r.rows);
    struct address many = a;
    for (uint32_t i = 0; i < RATION_ROWS_MAX + 10; i++) {
        memcpy(many.bytes, &i, sizeof i);
        ration_spend(&r, &many, 10, 3000);
    }
    uint32_t first = 0;
    memcpy(many.bytes, &first, sizeof first);
    assert_true(ration_allows(&r, &many, 3000)); /* forgotten */
    ration_free(&r);
}

/* What is shown a minute after it was stamped is not shown earlier when somebody sets the clock. */
static void a_clock_that_jumps_shows_nothing_early(void **unused) {
    (void)unused;
    enum { DELAY_MS = 60000, HOUR_MS = 3600000 };
    struct steady s = {0};
    assert_int_equal(steady_ago(&s, DELAY_MS, 1000000, 0), 1000000 - DELAY_MS);
    for (uint64_t now_ms = 1000; now_ms < 100000; now_ms += 1000) /* slewed by a percent */
        steady_look(&s, 1000000 + (int64_t)now_ms * 101 / 100, now_ms);
    int64_t wall_ms = 1000000 + 101000;
    assert_int_equal(steady_ago(&s, DELAY_MS, wall_ms, 100000), wall_ms - DELAY_MS);
    /* An hour ahead: what was stamped before is as old as it was, what comes now is young. */
    assert_in_range(steady_ago(&s, DELAY_MS, wall_ms + HOUR_MS, 100000), wall_ms - DELAY_MS - 100,
                    wall_ms - DELAY_MS);
    assert_true(steady_ago(&s, DELAY_MS, wall_ms + HOUR_MS + DELAY_MS - 1, 100000 + DELAY_MS - 1) <
                wall_ms + HOUR_MS);
    assert_int_equal(steady_ago(&s, DELAY_MS, wall_ms + HOUR_MS + DELAY_MS, 100000 + DELAY_MS),
                     wall_ms + HOUR_MS);
    /* And back again: nothing is shown that was not before. */
    assert_true(steady_ago(&s, DELAY_MS, wall_ms + DELAY_MS, 100000 + DELAY_MS) <= wall_ms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_a_word_and_a_sentence),
        cmocka_unit_test(addresses_are_counted),
        cmocka_unit_test(addresses_are_read),
        cmocka_unit_test(lists_of_addresses_are_read),
        cmocka_unit_test(rations_leak),
        cmocka_unit_test(a_clock_that_jumps_shows_nothing_early),
        cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
        cmocka_unit_test(copies_refuse_what_does_not_fit),
        cmocka_unit_test(timers_fire_in_order),
        cmocka_unit_test(utf8_tells_good_from_bad),
        cmocka_unit_test(one_walk_makes_json_and_text),
        cmocka_unit_test(a_grid_is_json_for_programs_and_a_board_for_people),
        cmocka_unit_test(cells_have_names),
        cmocka_unit_test(buffers_keep_what_is_put_in),
        cmocka_unit_test(buffers_have_a_ceiling),
        cmocka_unit_test(single_bytes_stay_under_the_ceiling),
        cmocka_unit_test(memory_is_counted),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
