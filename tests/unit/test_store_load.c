/* Journals that are loaded: they come through store_drain, like the results of appends, from every engine. */
#include "tests.h"

#include "base/log.h"
#include "journals.h"
#include "postgres.h"

#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { HANG_GUARD_S = 60, TABLE = 21, EVENTS = 5 };

static sem_t woken;

static void on_wake(void *context) {
    (void)context;
    sem_post(&woken);
}

static struct {
    struct digest hashes[EVENTS];
    size_t count, stop_after;
    unsigned done_count, secret_count, origin_count;
    struct digest secret;
    struct store_origin origin;
    enum err e;
} loaded;

static bool see(void *context, uint64_t table, const struct event *event) {
    (void)context;
    assert_int_equal(table, TABLE);
    assert_true(loaded.count < EVENTS);
    loaded.hashes[loaded.count++] = event->hash;
    return loaded.count != loaded.stop_after;
}

static void on_secret(void *context, const struct digest *secret) {
    (void)context;
    assert_int_equal(loaded.done_count, 0); /* before the end */
    loaded.secret_count++;
    loaded.secret = *secret;
}

static void on_origin(void *context, const struct store_origin *origin) {
    (void)context;
    loaded.origin_count++;
    loaded.origin = *origin;
}

static void on_done(void *context, enum err e) {
    (void)context;
    loaded.done_count++;
    loaded.e = e;
}

static void await_done(struct store *store, unsigned count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += HANG_GUARD_S;
    while (loaded.done_count < count) {
        store_work(store);
        assert_int_equal(sem_timedwait(&woken, &until), 0);
        store_drain(store);
    }
}

static void load(struct store *store, uint64_t table, uint64_t from_seq, size_t stop_after) {
    memset(&loaded, 0, sizeof loaded);
    loaded.stop_after = stop_after;
    store_load(store,
               &(struct store_load){.table = table, .from_seq = from_seq, .visit = see, .done = on_done});
    assert_int_equal(loaded.count + loaded.done_count, 0); /* later */
    await_done(store, 1);
    assert_int_equal(loaded.e, ERR_OK);
}

/* Of a table that runs, with the secret of its dice. */
static void load_running(struct store *store) {
    memset(&loaded, 0, sizeof loaded);
    store_load(store, &(struct store_load){.table = TABLE,
                                           .from_seq = 1,
                                           .is_running = true,
                                           .visit = see,
                                           .secret = on_secret,
                                           .done = on_done});
    await_done(store, 1);
    assert_int_equal(loaded.e, ERR_OK);
}

/* Apart from the others, as whoever looks back asks for it. */
static void load_past(struct store *store) {
    memset(&loaded, 0, sizeof loaded);
    store_load(store, &(struct store_load){.table = TABLE,
                                           .from_seq = 1,
                                           .is_past = true,
                                           .visit = see,
                                           .origin = on_origin,
                                           .done = on_done});
    assert_int_equal(loaded.count + loaded.done_count, 0); /* later */
    await_done(store, 1);
    assert_int_equal(loaded.e, ERR_OK);
    assert_int_equal(loaded.count, EVENTS);
    assert_int_equal(loaded.origin_count, 1);
    assert_int_equal(loaded.origin.count, 0);
}

static bool see_row(void *context, const struct store_table *row) {
    (void)context;
    assert_int_equal(row->table, TABLE);
    assert_string_equal(row->game, "paper-soccer");
    assert_int_equal(row->last_seq, EVENTS);
    loaded.count++;
    return true;
}

static void look(struct store *store, struct store_look asked, size_t count) {
    memset(&loaded, 0, sizeof loaded);
    asked.visit = see_row;
    asked.done = on_done;
    store_look(store, &asked);
    assert_int_equal(loaded.count + loaded.done_count, 0); /* later */
    await_done(store, 1);
    assert_int_equal(loaded.e, ERR_OK);
    assert_int_equal(loaded.count, count);
}

/* Lists come in the same way. */
static void store_looks(struct store *store) {
    look(store, (struct store_look){.filter = STORE_ALL}, 1);
    look(store, (struct store_look){.filter = STORE_RUNNING}, 0);
    look(store, (struct store_look){.filter = STORE_CHAMPIONSHIPS}, 0);
    look(store, (struct store_look){.filter = STORE_FINISHED, .before_ms = INT64_MAX}, 1);
    look(store, (struct store_look){.filter = STORE_FINISHED, .before_ms = 1004, .before_table = TABLE}, 0);
    look(store, (struct store_look){.filter = STORE_FINISHED, .before_ms = INT64_MAX, .game = "santorini"},
         0);
    look(store,
         (struct store_look){
             .filter = STORE_FINISHED, .before_ms = INT64_MAX, .game = "paper-soccer", .tables_max = 1},
         1);
}

static void journal_make(struct journal *j) {
    struct event_result result = {.outcome = OUTCOME_FORFEITED, .seat_count = 2, .points = {0, 1}};
    j->table = TABLE;
    journal_setup(j, 1000);
    journal_seat(j, 0, "ann", 1001);
    journal_seat(j, 1, "bob", 1002);
    journal_forfeit(j, 0, 1003);
    journal_result(j, &result, 1004);
}

static void store_loads(struct store *store) {
    struct journal j = {0};
    journal_make(&j);
    sem_init(&woken, 0, 0);
    store->wake = on_wake;
    struct digest secret = {{1, 2, 3}};
    load_running(store); /* there is none yet */
    assert_int_equal(loaded.count + loaded.secret_count, 0);
    loaded.done_count = 0;
    store_append(
        store, &(struct store_request){
                   .table = TABLE, .events = j.events, .event_count = 3, .secret = &secret, .done = on_done});
    await_done(store, 1);
    load_running(store);
    assert_int_equal(loaded.count, 3);
    assert_true(loaded.secret_count == 1 && digest_equal(&loaded.secret, &secret));
    loaded.done_count = 0;
    store_append(store, &(struct store_request){.table = TABLE,
                                                .expected_seq = 3,
                                                .events = j.events + 3,
                                                .event_count = EVENTS - 3,
                                                .done = on_done});
    await_done(store, 1);
    load_running(store); /* over: nothing is shown */
    assert_int_equal(loaded.count + loaded.secret_count, 0);
    load(store, TABLE, 1, 0);
    assert_int_equal(loaded.count, EVENTS);
    for (size_t i = 0; i < EVENTS; i++)
        assert_true(digest_equal(&loaded.hashes[i], &j.events[i].hash));
    load(store, TABLE, 4, 0);
    assert_int_equal(loaded.count, 2);
    assert_true(digest_equal(&loaded.hashes[0], &j.events[3].hash));
    load(store, TABLE, 1, 2); /* whoever looks may stop */
    assert_int_equal(loaded.count, 2);
    load_past(store);
    store_looks(store);
    load(store, TABLE, EVENTS + 1, 0);
    load(store, TABLE + 1, 1, 0); /* a table that does not exist has none */
    assert_int_equal(loaded.count, 0);
    store_load(store, &(struct store_load){.table = TABLE, .from_seq = 1, .visit = see, .done = on_done});
    store_load(store, &(struct store_load){
                          .table = TABLE, .from_seq = 1, .is_past = true, .visit = see, .done = on_done});
    store_look(store, &(struct store_look){.filter = STORE_ALL, .visit = see_row, .done = on_done});
    store_close(store); /* nobody is told any more */
    assert_int_equal(loaded.count, 0);
    sem_destroy(&woken);
    journal_free(&j);
}

static void memory_loads(void **state) {
    (void)state;
    store_loads(store_memory_open(false));
    store_loads(store_memory_open(true));
}

static void sqlite_loads(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        char directory[] = "/tmp/parlor-test-XXXXXX", path[64];
        struct store *store;
        assert_non_null(mkdtemp(directory));
        snprintf(path, sizeof path, "%s/journal.db", directory);
        struct store_sqlite_config config = {
            .path = path, .has_writer_thread = i == 1, .is_exclusive = i == 2};
        assert_int_equal(store_sqlite_open(&config, &store, NULL), ERR_OK);
        store_loads(store);
        unlink(path);
        snprintf(path, sizeof path, "%s/journal.db-mark", directory);
        unlink(path);
        assert_int_equal(rmdir(directory), 0);
    }
}

static void postgres_loads(void **state) {
    (void)state;
    char url[2 * POSTGRES_TEXT_BYTES];
    if (!postgres_begin()) {
        printf("# skipped: %s\n", postgres.missing);
        skip();
    }
    postgres_url(url, postgres.folder);
    for (unsigned i = 0; i < 2; i++) {
        struct store *store;
        const struct store_postgres_config config = {
            .url = url, .has_writer_thread = i == 1, .is_alone = true};
        postgres_sql("DROP SCHEMA IF EXISTS parlor CASCADE", NULL);
        assert_int_equal(store_postgres_open(&config, &store, NULL), ERR_OK);
        store_loads(store);
    }
}

int main(void) {
    log_set_level(LOG_WARN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_loads),
        cmocka_unit_test(sqlite_loads),
        cmocka_unit_test(postgres_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
