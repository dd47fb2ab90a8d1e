/* Short codes: none is given out that a finished table has, and nobody waits for the store to say so. */
#include "tests.h"

#include "games/paper_soccer/paper_soccer.h"
#include "host/table/internal.h"

#include <stdio.h>

enum { USED = 3 }; /* the first secrets that are drawn lead to codes that are used */

static struct store *store;
static struct store_ops ops, memory;
static struct tables *tables;
static uint64_t drawn, loads;
static unsigned fetched;
static enum err why;

static int64_t on_wall(void *context) {
    (void)context;
    return 1000;
}

static struct digest secret_of(uint64_t number) {
    struct digest digest = {{0}};
    char text[32];
    snprintf(text, sizeof text, "secret %llu", (unsigned long long)number);
    digest_of(&digest, NULL, (struct span[]){span_of(text)}, 1);
    return digest;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    *out = secret_of(drawn++);
}

static uint64_t code_of(uint64_t number) {
    const struct digest secret = secret_of(number);
    return tables_short_of(&secret);
}

static void on_load(struct store *s, const struct store_load *load) {
    loads++;
    memory.load(s, load);
}

static void on_saved(void *context, enum err e) {
    (void)context;
    assert_int_equal(e, ERR_OK);
}

static void on_fetched(void *context, enum err e) {
    (void)context;
    fetched++;
    why = e;
}

static void settle(void) {
    do
        store_drain(store);
    while (store_work(store));
    store_drain(store);
}

/* A journal that nobody folds: only that it is there counts. */
static void use(uint64_t id) {
    struct event event = {.seq = 1, .kind = EVENT_SETUP, .body = SPAN("x")};
    event_chain(&event, id, NULL);
    store_append(store,
                 &(struct store_request){.table = id, .events = &event, .event_count = 1, .done = on_saved});
}

static int setup(void **unused) {
    (void)unused;
    drawn = loads = 0;
    fetched = 0;
    store = store_memory_open(false);
    memory = ops = *store->ops;
    ops.load = on_load;
    store->ops = &ops;
    tables = tables_create(&(struct tables_config){.store = store, .wall_ms = on_wall, .secret = on_secret});
    for (uint64_t i = 0; i < USED; i++)
        use(code_of(i));
    settle();
    store->is_serving = true; /* a read that waits ends the test */
    return 0;
}

static int teardown(void **unused) {
    (void)unused;
    store_close(store);
    tables_free(tables);
    return 0;
}

static void used_codes_are_not_given_out(void **unused) {
    (void)unused;
    tables_beat(tables);
    settle();
    tables_beat(tables); /* others in place of those that were used */
    settle();
    assert_int_equal(tables->codes.spare_count, TABLES_CODES_SPARE_MAX);
    assert_int_equal(loads, TABLES_CODES_SPARE_MAX + USED);
    for (int i = 0; i < 4 * TABLES_CODES_SPARE_MAX; i++) {
        uint64_t id = tables_new_short(tables);
        for (uint64_t k = 0; k < USED; k++)
            assert_int_not_equal(id, code_of(k));
        settle();
    }
}

/* More than are known, and none is known yet: drawn, and the append finds out. */
static void nobody_waits_for_a_code(void **unused) {
    (void)unused;
    for (int i = 0; i < 4 * TABLES_CODES_SPARE_MAX; i++)
        assert_int_not_equal(tables_new_short(tables), 0);
    assert_int_equal(loads, TABLES_CODES_SPARE_MAX);
}

static void a_wish_is_looked_up(void **unused) {
    (void)unused;
    uint64_t used = code_of(0), unused_code = code_of(1000);
    assert_true(tables_fetch_code(tables, used, on_fetched, NULL));
    assert_true(tables_fetch_code(tables, unused_code, on_fetched, NULL));
    assert_int_equal(fetched, 0);
    settle();
    assert_int_equal(fetched, 2);
    assert_int_equal(why, ERR_OK);
    assert_int_equal(tables_take_short(tables, unused_code), unused_code);
    assert_int_not_equal(tables_take_short(tables, used), used);
    assert_int_not_equal(tables_take_short(tables, 0), 0);
}

static void used_ones_are_remembered_up_to_a_ceiling(void **unused) {
    (void)unused;
    store->is_serving = false;
    for (uint64_t i = 0; i <= TABLES_CODES_USED_MAX; i++)
        use(code_of(100 + i));
    settle();
    for (uint64_t i = 0; i <= TABLES_CODES_USED_MAX; i++) {
        assert_true(tables_fetch_code(tables, code_of(100 + i), on_fetched, NULL));
        settle();
        assert_int_not_equal(tables_take_short(tables, code_of(100 + i)), code_of(100 + i));
    }
    assert_int_equal(tables_take_short(tables, code_of(100)), code_of(100)); /* the append refuses it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(used_codes_are_not_given_out, setup, teardown),
        cmocka_unit_test_setup_teardown(nobody_waits_for_a_code, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wish_is_looked_up, setup, teardown),
        cmocka_unit_test_setup_teardown(used_ones_are_remembered_up_to_a_ceiling, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
