/* What the tests of the store share: one store of some engine, results that come back, journals to append.
 * The unit under test is the store itself, so there is nothing in between. */
#ifndef STORE_WORLD_H
#define STORE_WORLD_H

#include "tests.h"

#include "base/mem.h"
#include "journals.h"
#include "postgres.h"

#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WORLD_FUNCTION static __attribute__((unused))

enum { HANG_GUARD_S = 60, RESULTS_MAX = 512, PATH_BYTES = 256 };

enum engine {
    MEMORY,
    MEMORY_IMMEDIATE,
    SQLITE,
    SQLITE_THREAD,
    SQLITE_EXCLUSIVE,
    POSTGRES,
    POSTGRES_THREAD,
};

struct result {
    int context;
    enum err e;
};

static struct {
    enum engine engine;
    char directory[PATH_BYTES], path[PATH_BYTES];
    struct store_sqlite_config config;
    char url[2 * POSTGRES_TEXT_BYTES];
    struct store *store;
    sem_t woken;
    struct result results[RESULTS_MAX];
    size_t result_count;
    int contexts[RESULTS_MAX];
} fx;

WORLD_FUNCTION void on_wake(void *context) {
    (void)context;
    sem_post(&fx.woken);
}

WORLD_FUNCTION void on_done(void *context, enum err e) {
    assert_true(fx.result_count < RESULTS_MAX);
    fx.results[fx.result_count++] = (struct result){*(int *)context, e};
}

static void postgres_open(void) {
    const char *complaint = NULL;
    struct store_postgres_config config = {.url = fx.url,
                                           .has_writer_thread = fx.engine == POSTGRES_THREAD,
                                           .is_alone = true,
                                           .keep_days = fx.config.keep_days,
                                           .keep_tables = fx.config.keep_tables};
    if (store_postgres_open(&config, &fx.store, &complaint) != ERR_OK)
        fail_msg("%s", complaint);
}

static bool has_thread(void) {
    return fx.engine == SQLITE_THREAD || fx.engine == POSTGRES_THREAD;
}

static bool is_postgres(void) {
    return fx.engine == POSTGRES || fx.engine == POSTGRES_THREAD;
}

WORLD_FUNCTION void store_reopen(void) {
    const char *complaint = NULL;
    if (fx.store != NULL)
        store_close(fx.store);
    fx.store = NULL;
    if (fx.engine == MEMORY || fx.engine == MEMORY_IMMEDIATE) {
        fx.store = store_memory_open(fx.engine == MEMORY_IMMEDIATE);
    } else if (is_postgres()) {
        postgres_open();
    } else {
        fx.config.path = fx.path;
        fx.config.has_writer_thread = fx.engine == SQLITE_THREAD;
        fx.config.is_exclusive = fx.engine == SQLITE_EXCLUSIVE;
        enum err e = store_sqlite_open(&fx.config, &fx.store, &complaint);
        if (e != ERR_OK)
            fail_msg("%s", complaint);
    }
    fx.store->wake = on_wake;
}

WORLD_FUNCTION int begin_with(enum engine engine) {
    memset(&fx, 0, sizeof fx);
    fx.engine = engine;
    sem_init(&fx.woken, 0, 0);
    snprintf(fx.directory, sizeof fx.directory, "/tmp/parlor-test-XXXXXX");
    assert_non_null(mkdtemp(fx.directory));
    snprintf(fx.path, sizeof fx.path, "%.200s/journal.db", fx.directory);
    for (int i = 0; i < RESULTS_MAX; i++)
        fx.contexts[i] = i;
    if (is_postgres()) {
        postgres_url(fx.url, postgres.folder);
        postgres_sql("DROP SCHEMA IF EXISTS parlor CASCADE", NULL);
    }
    store_reopen();
    return 0;
}

WORLD_FUNCTION int begin(void **state) {
    return begin_with((enum engine)(intptr_t)*state);
}

WORLD_FUNCTION void remove_file(const char *suffix) {
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s%s", fx.path, suffix);
    unlink(path);
}

WORLD_FUNCTION int end(void **state) {
    static const char *const suffixes[] = {"",          "-mark",   ".copy-mark",  ".backup-mark",
                                           "-wal",      "-shm",    ".copy",       ".copy-wal",
                                           ".copy-shm", ".backup", ".backup-wal", ".backup-shm"};
    (void)state;
    if (fx.store != NULL)
        store_close(fx.store);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        remove_file(suffixes[i]);
    assert_int_equal(rmdir(fx.directory), 0);
    sem_destroy(&fx.woken);
    return 0;
}

/* Until so many results have come. */
WORLD_FUNCTION void results_await(size_t count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += HANG_GUARD_S;
    for (;;) {
        store_work(fx.store);
        store_drain(fx.store);
        if (fx.result_count >= count)
            break;
        if (has_thread())
            assert_int_equal(sem_timedwait(&fx.woken, &until), 0);
        else
            fail_msg("%zu results are missing", count - fx.result_count);
    }
    assert_int_equal(fx.result_count, count);
}

WORLD_FUNCTION void append_events(struct journal *j, size_t from, size_t count, const struct digest *secret,
                                  int context) {
    struct store_request request = {
        .table = j->table,
        .expected_seq = from,
        .events = &j->events[from],
        .event_count = count,
        .secret = secret,
        .done = on_done,
        .context = &fx.contexts[context],
    };
    store_append(fx.store, &request);
}

/* Appends and waits; the result of it. */
WORLD_FUNCTION enum err append_now(struct journal *j, size_t from, size_t count) {
    size_t before = fx.result_count;
    append_events(j, from, count, NULL, 0);
    results_await(before + 1);
    return fx.results[before].e;
}

/* A journal of two seats and one action, with a result if it is to be finished. */
WORLD_FUNCTION void journal_fill(struct journal *j, uint64_t table, int64_t time_ms, bool is_finished) {
    struct event_result result = {.outcome = OUTCOME_FORFEITED, .seat_count = 2, .points = {0, 1}};
    j->table = table;
    journal_setup(j, time_ms);
    journal_seat(j, 0, "ann", time_ms + 1);
    journal_seat(j, 1, "bob", time_ms + 2);
    if (is_finished) {
        journal_forfeit(j, 0, time_ms + 3);
        journal_result(j, &result, time_ms + 4);
    }
}

struct seen {
    uint64_t tables[RESULTS_MAX];
    uint64_t seqs[RESULTS_MAX];
    struct digest hashes[RESULTS_MAX];
    size_t count, stop_after;
    size_t results_before; /* results that had come when the last one was seen */
};

WORLD_FUNCTION bool see_event(void *context, uint64_t table, const struct event *event) {
    struct seen *seen = context;
    assert_true(seen->count < RESULTS_MAX);
    seen->tables[seen->count] = table;
    seen->seqs[seen->count] = event->seq;
    seen->hashes[seen->count++] = event->hash;
    seen->results_before = fx.result_count;
    return seen->count != seen->stop_after;
}

WORLD_FUNCTION void see_commit(void *context, uint64_t table, const struct event *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        see_event(context, table, &events[i]);
}

WORLD_FUNCTION struct seen read_table(uint64_t table, uint64_t from_seq) {
    struct seen seen = {0};
    assert_int_equal(store_read(fx.store, table, from_seq, see_event, &seen), ERR_OK);
    return seen;
}

/* Runs the cases; those of PostgreSQL only where there is one. */
WORLD_FUNCTION int store_world_run(const struct CMUnitTest *tests, size_t count) {
    struct CMUnitTest *wanted = mem_alloc(count * sizeof *wanted);
    bool has_postgres = postgres_begin();
    size_t wanted_count = 0;
    for (size_t i = 0; i < count; i++) {
        enum engine engine = (enum engine)(intptr_t)tests[i].initial_state;
        if (has_postgres || (engine != POSTGRES && engine != POSTGRES_THREAD))
            wanted[wanted_count++] = tests[i];
    }
    if (wanted_count < count)
        printf("# skipped: %zu cases of PostgreSQL, %s\n", count - wanted_count, postgres.missing);
    int failed = _cmocka_run_group_tests("tests", wanted, wanted_count, NULL, NULL);
    mem_free(wanted);
    return failed;
}

/* clang-format off */
#define CASE(test, engine) {#test " (" #engine ")", test, begin, end, (void *)(intptr_t)(engine)}
#define EACH_SQLITE(test) CASE(test, SQLITE), CASE(test, SQLITE_THREAD), CASE(test, SQLITE_EXCLUSIVE)
#define EACH_POSTGRES(test) CASE(test, POSTGRES), CASE(test, POSTGRES_THREAD)
#define EACH_LASTING(test) EACH_SQLITE(test), EACH_POSTGRES(test)
#define EACH_ENGINE(test) CASE(test, MEMORY), CASE(test, MEMORY_IMMEDIATE), EACH_LASTING(test)
/* clang-format on */

#endif
