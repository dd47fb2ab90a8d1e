/* What is kept for who was away at the end: once, for a time, and not for too many. */
#include "tests.h"

#include "wire/farewell.h"

#include <stdio.h>

static struct farewells kept;
static struct buf out;

static int begin(void **unused) {
    (void)unused;
    kept = (struct farewells){0};
    return 0;
}

static int end(void **unused) {
    (void)unused;
    farewells_free(&kept);
    buf_free(&out);
    return 0;
}

static const char *taken(const char *name, uint64_t now_ms) {
    buf_clear(&out);
    return farewells_take(&kept, span_of(name), now_ms, &out) ? buf_text(&out) : NULL;
}

static void it_is_told_once_and_only_to_its_name(void **unused) {
    (void)unused;
    farewells_add(&kept, SPAN("ann"), SPAN("one\ntwo"), 100, 200);
    assert_null(taken("bob", 100));
    assert_null(taken("an", 100));
    assert_string_equal(taken("ann", 199), "one\ntwo");
    assert_null(taken("ann", 199));
}

static void it_is_kept_for_a_time(void **unused) {
    (void)unused;
    farewells_add(&kept, SPAN("ann"), SPAN("one"), 100, 200);
    assert_null(taken("ann", 200));
    farewells_add(&kept, SPAN("ann"), SPAN("one"), 100, 100);
    assert_null(taken("ann", 100));
}

static void the_newest_is_told(void **unused) {
    (void)unused;
    farewells_add(&kept, SPAN("ann"), SPAN("one"), 100, 200);
    farewells_add(&kept, SPAN("ann"), SPAN("two"), 150, 250);
    assert_string_equal(taken("ann", 240), "two");
    assert_null(taken("ann", 150));
}

static void names_that_no_seat_can_have_are_nobodys(void **unused) {
    (void)unused;
    char name[1000];
    memset(name, 'x', sizeof name);
    farewells_add(&kept, span_make(name, sizeof name), SPAN("one"), 100, 200);
    farewells_add(&kept, SPAN(""), SPAN("one"), 100, 200);
    assert_false(farewells_take(&kept, span_make(name, sizeof name), 100, &out));
    assert_null(taken("", 100));
}

static void the_oldest_makes_way(void **unused) {
    (void)unused;
    char name[32];
    for (int i = 0; i < FAREWELLS_MAX + 2; i++) {
        snprintf(name, sizeof name, "player%d", i);
        farewells_add(&kept, span_of(name), SPAN("one"), 100, 200);
    }
    assert_null(taken("player0", 100));
    assert_null(taken("player1", 100));
    assert_string_equal(taken("player2", 100), "one");
    assert_string_equal(taken(name, 100), "one");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(it_is_told_once_and_only_to_its_name),    CASE(it_is_kept_for_a_time), CASE(the_newest_is_told),
        CASE(names_that_no_seat_can_have_are_nobodys), CASE(the_oldest_makes_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
