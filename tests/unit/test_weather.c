/* The bad weather of `parlor practice`: where bytes are cut and dropped follows from the seed, whatever size
 * the pieces have in which they come. */
#include "tests.h"

#include "cli/practice/weather.h"

enum { STREAM_BYTES = 20000, CUTS_MAX = 4000, NEVER = 1 << 30 };

struct course {
    uint64_t cuts[CUTS_MAX];
    uint32_t pauses[CUTS_MAX];
    size_t count;
    uint64_t passed;
};

/* Bytes come in pieces of this size until the stream has ended, or is dropped. */
static void run(struct course *c, unsigned kinds, uint64_t seed, const char *listener, uint64_t number,
                bool is_down, size_t size) {
    struct weather w;
    size_t held = 0, to_come = STREAM_BYTES;
    *c = (struct course){0};
    weather_begin(&w, kinds, seed, listener, number, is_down);
    while (to_come > 0 || held > 0) {
        size_t piece = to_come < size ? to_come : size;
        held += piece;
        to_come -= piece;
        while (held > 0) {
            size_t room = weather_room(&w, held);
            if (room == 0) {
                c->passed = w.passed;
                return;
            }
            uint32_t pause_ms = weather_pass(&w, room);
            held -= room;
            if (pause_ms > 0) {
                assert_true(c->count < CUTS_MAX);
                c->cuts[c->count] = w.passed;
                c->pauses[c->count++] = pause_ms;
            }
        }
    }
    c->passed = w.passed;
}

static bool is_same(const struct course *a, const struct course *b) {
    return a->passed == b->passed && a->count == b->count &&
           memcmp(a->cuts, b->cuts, a->count * sizeof a->cuts[0]) == 0 &&
           memcmp(a->pauses, b->pauses, a->count * sizeof a->pauses[0]) == 0;
}

static void faults_follow_from_the_seed_alone(void **state) {
    (void)state;
    static struct course first, other;
    for (uint64_t number = 1; number <= 20; number++) {
        run(&first, WEATHER_ALL, 7, "ugs", number, true, STREAM_BYTES);
        for (size_t size = 1; size < 5000; size = size * 3 + 1) {
            run(&other, WEATHER_ALL, 7, "ugs", number, true, size);
            assert_true(is_same(&first, &other));
        }
        run(&other, WEATHER_ALL, 8, "ugs", number, true, STREAM_BYTES);
        assert_false(is_same(&first, &other));
        run(&other, WEATHER_ALL, 7, "http", number, true, STREAM_BYTES);
        assert_false(is_same(&first, &other));
        run(&other, WEATHER_ALL, 7, "ugs", number, false, STREAM_BYTES);
        assert_false(is_same(&first, &other));
    }
}

static void only_the_kinds_that_are_asked_for_happen(void **state) {
    (void)state;
    static struct course c;
    unsigned dropped = 0;
    for (uint64_t number = 1; number <= 300; number++) {
        run(&c, 0, 3, "http", number, true, 1000);
        assert_true(c.count == 0 && c.passed == STREAM_BYTES);
        run(&c, WEATHER_FRAGMENTS, 3, "http", number, true, 1000);
        assert_true(c.count > STREAM_BYTES / WEATHER_PIECE_MAX && c.passed == STREAM_BYTES);
        for (size_t i = 0; i < c.count; i++)
            assert_int_equal(c.pauses[i], WEATHER_PAUSE_MIN_MS);
        run(&c, WEATHER_DROPS, 3, "http", number, true, 1000);
        assert_int_equal(c.count, 0);
        dropped += c.passed < STREAM_BYTES;
        assert_true(c.passed == STREAM_BYTES || c.passed < WEATHER_DROP_BYTES_MAX);
    }
    assert_in_range(dropped, 60, 140); /* one in three */
}

static void kinds_are_words(void **state) {
    (void)state;
    unsigned kinds;
    assert_true(weather_kinds(SPAN("drops"), &kinds));
    assert_int_equal(kinds, WEATHER_DROPS);
    assert_true(weather_kinds(SPAN("delays,fragments"), &kinds));
    assert_int_equal(kinds, WEATHER_DELAYS | WEATHER_FRAGMENTS);
    assert_false(weather_kinds(SPAN(""), &kinds));
    assert_false(weather_kinds(SPAN("rain"), &kinds));
    assert_false(weather_kinds(SPAN("drops,rain"), &kinds));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_follow_from_the_seed_alone),
        cmocka_unit_test(only_the_kinds_that_are_asked_for_happen),
        cmocka_unit_test(kinds_are_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
