/* The store: the same promises of every engine, then what only a disk can do. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "faulty_vfs.h"
#include "host/table/fold.h"
#include "journals.h"

#include <semaphore.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HANG_GUARD_S = 60, RESULTS_MAX = 512, PATH_BYTES = 256 };

enum engine { MEMORY, MEMORY_IMMEDIATE, SQLITE, SQLITE_THREAD, SQLITE_EXCLUSIVE, ENGINES };

struct result {
    int context;
    enum err e;
};

static struct {
    enum engine engine;
    char directory[PATH_BYTES], path[PATH_BYTES];
    struct store_sqlite_config config;
    struct store *store;
    sem_t woken;
    struct result results[RESULTS_MAX];
    size_t result_count;
    int contexts[RESULTS_MAX];
} fx;

static void on_wake(void *context) {
    (void)context;
    sem_post(&fx.woken);
}

static void on_done(void *context, enum err e) {
    assert_true(fx.result_count < RESULTS_MAX);
    fx.results[fx.result_count++] = (struct result){*(int *)context, e};
}

static void store_reopen(void) {
    const char *complaint = NULL;
    if (fx.store != NULL)
        store_close(fx.store);
    fx.store = NULL;
    if (fx.engine == MEMORY || fx.engine == MEMORY_IMMEDIATE) {
        fx.store = store_memory_open(fx.engine == MEMORY_IMMEDIATE);
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

static int begin_with(enum engine engine) {
    memset(&fx, 0, sizeof fx);
    fx.engine = engine;
    sem_init(&fx.woken, 0, 0);
    snprintf(fx.directory, sizeof fx.directory, "/tmp/parlor-test-XXXXXX");
    assert_non_null(mkdtemp(fx.directory));
    snprintf(fx.path, sizeof fx.path, "%.200s/journal.db", fx.directory);
    for (int i = 0; i < RESULTS_MAX; i++)
        fx.contexts[i] = i;
    store_reopen();
    return 0;
}

static int begin(void **state) {
    return begin_with((enum engine)(intptr_t)*state);
}

static void remove_file(const char *suffix) {
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s%s", fx.path, suffix);
    unlink(path);
}

static int end(void **state) {
    static const char *const suffixes[] = {"",          "-mark",   ".copy-mark",  ".backup-mark",
                                           "-wal",      "-shm",    ".copy",       ".copy-wal",
                                           ".copy-shm", ".backup", ".backup-wal", ".backup-shm"};
    (void)state;
    faulty_vfs_set(FAULT_NONE);
    if (fx.store != NULL)
        store_close(fx.store);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        remove_file(suffixes[i]);
    assert_int_equal(rmdir(fx.directory), 0);
    sem_destroy(&fx.woken);
    return 0;
}

/* Until so many results have come. */
static void results_await(size_t count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += HANG_GUARD_S;
    for (;;) {
        store_work(fx.store);
        store_drain(fx.store);
        if (fx.result_count >= count)
            break;
        if (fx.engine == SQLITE_THREAD)
            assert_int_equal(sem_timedwait(&fx.woken, &until), 0);
        else
            fail_msg("%zu results are missing", count - fx.result_count);
    }
    assert_int_equal(fx.result_count, count);
}

static void append_events(struct journal *j, size_t from, size_t count, const struct digest *secret,
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
static enum err append_now(struct journal *j, size_t from, size_t count) {
    size_t before = fx.result_count;
    append_events(j, from, count, NULL, 0);
    results_await(before + 1);
    return fx.results[before].e;
}

/* A journal of two seats and one action, with a result if it is to be finished. */
static void journal_fill(struct journal *j, uint64_t table, int64_t time_ms, bool is_finished) {
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

static bool see_event(void *context, uint64_t table, const struct event *event) {
    struct seen *seen = context;
    assert_true(seen->count < RESULTS_MAX);
    seen->tables[seen->count] = table;
    seen->seqs[seen->count] = event->seq;
    seen->hashes[seen->count++] = event->hash;
    seen->results_before = fx.result_count;
    return seen->count != seen->stop_after;
}

static void see_commit(void *context, uint64_t table, const struct event *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        see_event(context, table, &events[i]);
}

static struct seen read_table(uint64_t table, uint64_t from_seq) {
    struct seen seen = {0};
    assert_int_equal(store_read(fx.store, table, from_seq, see_event, &seen), ERR_OK);
    return seen;
}

static void events_come_back(void **state) {
    (void)state;
    struct journal j = {0};
    journal_fill(&j, 42, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    assert_int_equal(append_now(&j, 1, 2), ERR_OK);
    struct seen seen = read_table(42, 1);
    assert_int_equal(seen.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(seen.tables[i], 42);
        assert_int_equal(seen.seqs[i], i + 1);
        assert_true(digest_equal(&seen.hashes[i], &j.events[i].hash));
    }
    assert_int_equal(read_table(42, 0).count, 3);
    assert_int_equal(read_table(42, 3).count, 1);
    assert_int_equal(read_table(42, 4).count, 0);
    assert_int_equal(read_table(43, 1).count, 0);
    journal_free(&j);
}

static bool same_event(void *context, uint64_t table, const struct event *event) {
    struct journal *j = context;
    const struct event *right = &j->events[event->seq - 1];
    assert_int_equal(table, j->table);
    assert_int_equal(event->time_ms, right->time_ms);
    assert_int_equal(event->kind, right->kind);
    assert_true(span_equal(event->body, right->body));
    assert_true(digest_equal(&event->hash, &right->hash));
    return true;
}

static void every_field_comes_back(void **state) {
    (void)state;
    struct journal j = {.table = ((uint64_t)1 << TABLE_ID_BITS) - 1};
    char large[100000];
    memset(large, 0xfe, sizeof large);
    journal_setup(&j, -5);
    journal_next(&j, EVENT_TIMEOUT, INT64_MAX);
    journal_chain(&j); /* an empty body */
    buf_append(journal_next(&j, EVENT_TIMEOUT, 0), span_make(large, sizeof large));
    journal_chain(&j);
    assert_int_equal(append_now(&j, 0, 3), ERR_OK);
    assert_int_equal(store_read(fx.store, j.table, 1, same_event, &j), ERR_OK);
    assert_int_equal(read_table(j.table, 1).count, 3);
    journal_free(&j);
}

static void reading_stops_when_told(void **state) {
    (void)state;
    struct journal j = {0};
    struct seen seen = {.stop_after = 2};
    journal_fill(&j, 1, 1000, true);
    assert_int_equal(append_now(&j, 0, 5), ERR_OK);
    assert_int_equal(store_read(fx.store, 1, 1, see_event, &seen), ERR_OK);
    assert_int_equal(seen.count, 2);
    journal_free(&j);
}

static void second_writer_gets_a_conflict(void **state) {
    (void)state;
    struct journal j = {0}, other = {0};
    journal_fill(&j, 7, 1000, false);
    journal_fill(&other, 8, 1000, false);
    assert_int_equal(append_now(&j, 1, 1), ERR_CONFLICT); /* no such table yet */
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    assert_int_equal(append_now(&j, 0, 1), ERR_CONFLICT); /* opened twice */
    assert_int_equal(append_now(&j, 2, 1), ERR_CONFLICT); /* too far */
    assert_int_equal(append_now(&j, 1, 1), ERR_OK);
    assert_int_equal(append_now(&j, 1, 2), ERR_CONFLICT); /* behind; nothing of it is written */
    assert_int_equal(read_table(7, 1).count, 2);

    /* In one batch the loser does not harm the others. */
    fx.result_count = 0;
    append_events(&j, 2, 1, NULL, 1);
    append_events(&j, 2, 1, NULL, 2);
    append_events(&other, 0, 3, NULL, 3);
    append_events(&other, 0, 1, NULL, 4);
    results_await(4);
    const enum err right[] = {ERR_OK, ERR_CONFLICT, ERR_OK, ERR_CONFLICT};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fx.results[i].context, i + 1);
        assert_int_equal(fx.results[i].e, right[i]);
    }
    assert_int_equal(read_table(7, 1).count, 3);
    assert_int_equal(read_table(8, 1).count, 3);
    journal_free(&j);
    journal_free(&other);
}

static void results_come_in_order(void **state) {
    (void)state;
    enum { APPENDS = 200 };
    struct journal j = {.table = 5};
    struct action action = {.kind = 1};
    journal_setup(&j, 1);
    for (int i = 1; i < APPENDS; i++)
        journal_action(&j, (unsigned)i % 2, &action, i);
    for (int i = 0; i < APPENDS; i++)
        append_events(&j, (size_t)i, 1, NULL, i);
    assert_int_equal(fx.result_count, 0); /* never from inside append */
    results_await(APPENDS);
    for (int i = 0; i < APPENDS; i++) {
        assert_int_equal(fx.results[i].context, i);
        assert_int_equal(fx.results[i].e, ERR_OK);
    }
    journal_free(&j);
}

static struct journal *chained; /* of appends_again */

static void append_again(void *context, enum err e) {
    on_done(context, e);
    if (fx.result_count < 3) {
        struct store_request request = {.table = chained->table,
                                        .expected_seq = fx.result_count,
                                        .events = &chained->events[fx.result_count],
                                        .event_count = 1,
                                        .done = append_again,
                                        .context = &fx.contexts[fx.result_count]};
        store_append(fx.store, &request);
    }
}

static void results_may_append_again(void **state) {
    (void)state;
    struct journal j = {0};
    journal_fill(&j, 9, 1000, false);
    chained = &j;
    struct store_request request = {
        .table = 9, .events = j.events, .event_count = 1, .done = append_again, .context = &fx.contexts[0]};
    store_append(fx.store, &request);
    while (fx.result_count < 3) {
        size_t before = fx.result_count;
        results_await(before + 1);
    }
    assert_int_equal(fx.results[2].e, ERR_OK);
    assert_int_equal(read_table(9, 1).count, 3);
    journal_free(&j);
}

static void follower_sees_before_the_owner(void **state) {
    (void)state;
    struct journal j = {0};
    struct seen seen = {0};
    journal_fill(&j, 11, 1000, false);
    store_follow(fx.store, see_commit, &seen);
    assert_int_equal(append_now(&j, 0, 2), ERR_OK);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.seqs[1], 2);
    assert_int_equal(seen.results_before, 0);
    assert_int_equal(append_now(&j, 0, 2), ERR_CONFLICT);
    assert_int_equal(seen.count, 2);
    store_follow(fx.store, NULL, NULL);
    assert_int_equal(append_now(&j, 2, 1), ERR_OK);
    assert_int_equal(seen.count, 2);
    journal_free(&j);
}

static void secret_is_kept_until_the_result(void **state) {
    (void)state;
    struct journal j = {0}, without = {0};
    struct digest secret, out;
    digest_secret(&secret);
    journal_fill(&j, 21, 1000, true);
    journal_fill(&without, 22, 1000, false);
    append_events(&j, 0, 3, &secret, 0);
    append_events(&without, 0, 3, NULL, 0);
    results_await(2);
    assert_int_equal(store_secret(fx.store, 21, &out), ERR_OK);
    assert_true(digest_equal(&out, &secret));
    assert_int_equal(store_secret(fx.store, 22, &out), ERR_FIELD_MISSING);
    assert_int_equal(store_secret(fx.store, 23, &out), ERR_FIELD_MISSING);
    assert_int_equal(append_now(&j, 3, 2), ERR_OK);
    assert_int_equal(store_secret(fx.store, 21, &out), ERR_FIELD_MISSING);
    journal_free(&j);
    journal_free(&without);
}

struct listed {
    struct store_table rows[16];
    char game[16][32], protocol[16][32];
    size_t count, stop_after;
};

static bool list_table(void *context, const struct store_table *row) {
    struct listed *listed = context;
    assert_true(listed->count < 16);
    listed->rows[listed->count] = *row;
    snprintf(listed->game[listed->count], 32, "%s", row->game);
    snprintf(listed->protocol[listed->count], 32, "%s", row->protocol);
    listed->count++;
    return listed->count != listed->stop_after;
}

static struct listed list_tables(enum store_filter filter) {
    struct listed listed = {0};
    assert_int_equal(store_list(fx.store, filter, list_table, &listed), ERR_OK);
    return listed;
}

/* Tables 3, 1, 2 by time; 1 is finished. */
static void tables_fill(struct journal j[3]) {
    journal_fill(&j[0], 2, 3000, false);
    journal_fill(&j[1], 3, 1000, false);
    journal_fill(&j[2], 1, 2000, true);
    for (int i = 0; i < 3; i++)
        assert_int_equal(append_now(&j[i], 0, j[i].count), ERR_OK);
}

static void tables_are_listed(void **state) {
    (void)state;
    struct journal j[3] = {0};
    tables_fill(j);
    struct listed all = list_tables(STORE_ALL);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.rows[0].table, 3);
    assert_int_equal(all.rows[1].table, 1);
    assert_int_equal(all.rows[2].table, 2);
    assert_string_equal(all.game[0], "paper-soccer");
    assert_string_equal(all.protocol[0], "ugs");
    assert_int_equal(all.rows[1].created_ms, 2000);
    assert_int_equal(all.rows[1].finished_ms, 2004);
    assert_int_equal(all.rows[1].last_seq, 5);
    assert_int_equal(all.rows[0].finished_ms, 0);
    assert_int_equal(all.rows[0].last_seq, 3);
    struct listed finished = list_tables(STORE_FINISHED);
    assert_int_equal(finished.count, 1);
    assert_int_equal(finished.rows[0].table, 1);
    assert_int_equal(list_tables(STORE_RUNNING).count, 2);
    struct listed one = {.stop_after = 1};
    assert_int_equal(store_list(fx.store, STORE_ALL, list_table, &one), ERR_OK);
    assert_int_equal(one.count, 1);
    for (int i = 0; i < 3; i++)
        journal_free(&j[i]);
}

static void finished_tables_are_listed_from_the_end(void **state) {
    (void)state;
    struct journal j[4] = {0};
    static const uint64_t ids[] = {5, 9, 7, 8};
    static const int64_t times[] = {1000, 3000, 3000, 2000};
    for (int i = 0; i < 4; i++) {
        journal_fill(&j[i], ids[i], times[i], ids[i] != 8);
        assert_int_equal(append_now(&j[i], 0, j[i].count), ERR_OK);
    }
    struct listed all = {0}, rest = {0}, one = {.stop_after = 1};
    assert_int_equal(store_list_finished(fx.store, INT64_MAX, 0, list_table, &all), ERR_OK);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.rows[0].table, 9);
    assert_int_equal(all.rows[1].table, 7);
    assert_int_equal(all.rows[2].table, 5);
    assert_int_equal(store_list_finished(fx.store, all.rows[0].finished_ms, 9, list_table, &rest), ERR_OK);
    assert_int_equal(rest.count, 2);
    assert_int_equal(rest.rows[0].table, 7);
    assert_int_equal(store_list_finished(fx.store, INT64_MAX, 0, list_table, &one), ERR_OK);
    assert_int_equal(one.count, 1);
    for (int i = 0; i < 4; i++)
        journal_free(&j[i]);
}

static void championships_are_no_tables(void **state) {
    (void)state;
    static struct journal j;
    struct listed finished = {0};
    struct seen seen = {0};
    j = (struct journal){.table = 6};
    const struct event_championship about = {.format = EVENT_FORMAT, .entrants = 2, .type = "go"};
    event_championship_write(journal_next(&j, EVENT_CHAMPIONSHIP, 1000), &about);
    journal_chain(&j);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    struct listed found = list_tables(STORE_CHAMPIONSHIPS);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.game[0], "go");
    assert_string_equal(found.protocol[0], EVENT_PROTOCOL_CHAMPIONSHIP);
    assert_int_equal(list_tables(STORE_RUNNING).count, 1);
    assert_int_equal(store_read_running(fx.store, see_event, &seen), ERR_OK);
    assert_int_equal(seen.count, 0);
    event_close_write(journal_next(&j, EVENT_CLOSE, 2000), &(struct event_close){OUTCOME_UNDECIDED});
    journal_chain(&j);
    assert_int_equal(append_now(&j, 1, 1), ERR_OK);
    assert_int_equal(list_tables(STORE_CHAMPIONSHIPS).rows[0].finished_ms, 2000);
    assert_int_equal(list_tables(STORE_FINISHED).count, 1);
    assert_int_equal(store_list_finished(fx.store, INT64_MAX, 0, list_table, &finished), ERR_OK);
    assert_int_equal(finished.count, 0);
    journal_free(&j);
}

static void running_tables_are_read_in_one_sweep(void **state) {
    (void)state;
    struct journal j[3] = {0};
    struct seen seen = {0};
    tables_fill(j);
    assert_int_equal(store_read_running(fx.store, see_event, &seen), ERR_OK);
    assert_int_equal(seen.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(seen.seqs[i], i % 3 + 1);
        assert_int_equal(seen.tables[i], seen.tables[i - i % 3]);
        assert_int_not_equal(seen.tables[i], 1);
    }
    assert_int_not_equal(seen.tables[0], seen.tables[3]);
    for (int i = 0; i < 3; i++)
        journal_free(&j[i]);
}

static bool nest(void *context, uint64_t table, const struct event *event) {
    struct digest secret;
    struct seen *seen = context;
    (void)event;
    assert_int_equal(store_secret(fx.store, table, &secret), ERR_FIELD_MISSING);
    struct seen inner = {0};
    assert_int_equal(store_read(fx.store, table, 1, see_event, &inner), ERR_OK);
    seen->count += inner.count;
    return true;
}

static void readers_may_read(void **state) {
    (void)state;
    struct journal j[3] = {0};
    struct seen seen = {0};
    tables_fill(j);
    assert_int_equal(store_read_running(fx.store, nest, &seen), ERR_OK);
    assert_int_equal(seen.count, 2 * 3 * 3);
    for (int i = 0; i < 3; i++)
        journal_free(&j[i]);
}

static void outages_are_remembered(void **state) {
    (void)state;
    store_beat(fx.store, 1000);
    store_beat(fx.store, 2000);
    store_reopen();
    assert_int_equal(fx.store->outage_count, 0); /* the one before this run is told by last_beat_ms */
    store_beat(fx.store, 5000);
    store_reopen();
    store_reopen(); /* a run without a sign of life is part of the outage */
    assert_int_equal(fx.store->last_beat_ms, 5000);
    store_beat(fx.store, 9000);
    store_reopen();
    assert_int_equal(fx.store->last_beat_ms, 9000);
    assert_int_equal(fx.store->outage_count, 2); /* the newest first */
    assert_int_equal(fx.store->outages[0].from_ms, 5000);
    assert_int_equal(fx.store->outages[0].to_ms, 9000);
    assert_int_equal(fx.store->outages[1].from_ms, 2000);
    assert_int_equal(fx.store->outages[1].to_ms, 5000);
}

static void everything_is_there_after_reopening(void **state) {
    (void)state;
    struct journal j[3] = {0};
    struct digest secret, out;
    digest_secret(&secret);
    tables_fill(j);
    struct journal last = {0};
    journal_fill(&last, 4, 4000, false);
    append_events(&last, 0, 3, &secret, 0);
    store_beat(fx.store, 987654321);
    assert_int_equal(fx.store->last_beat_ms, 0);
    store_reopen(); /* what is queued is committed before it closes */
    assert_int_equal(fx.store->last_beat_ms, 987654321);
    assert_int_equal(list_tables(STORE_ALL).count, 4);
    assert_int_equal(store_read(fx.store, 4, 1, same_event, &last), ERR_OK);
    assert_int_equal(store_secret(fx.store, 4, &out), ERR_OK);
    assert_true(digest_equal(&secret, &out));
    assert_int_equal(append_now(&j[0], 0, 1), ERR_CONFLICT);
    struct action action = {.kind = 1};
    journal_action(&j[0], 0, &action, 5000);
    assert_int_equal(append_now(&j[0], 3, 1), ERR_OK);
    for (int i = 0; i < 3; i++)
        journal_free(&j[i]);
    journal_free(&last);
}

static int sql(const char *path, const char *text) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    int code = sqlite3_exec(db, text, NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return code;
}

static bool fold_next(void *context, uint64_t table, const struct event *event) {
    struct fold *fold = context;
    assert_int_equal(table, fold->table);
    return fold_event(fold, event) == ERR_OK;
}

static void tampering_is_noticed(void **state) {
    static const char *const crimes[] = {
        "UPDATE events SET time_ms = time_ms + 1 WHERE seq = 2",
        "UPDATE events SET body = x'010003616e6e' WHERE seq = 2",
        "UPDATE events SET hash = zeroblob(32) WHERE seq = 2",
        "UPDATE events SET hash = x'00' WHERE seq = 2",
        "UPDATE events SET kind = 6 WHERE seq = 2",
        "UPDATE events SET table_id = 78 WHERE table_id = 77",
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM events WHERE seq = 2",
        "UPDATE events SET seq = 9 - seq WHERE seq IN (1, 2)",
    };
    (void)state;
    struct journal j = {0};
    journal_fill(&j, 77, 1000, false);
    assert_int_equal(append_now(&j, 0, 3), ERR_OK);
    for (size_t i = 0; i < sizeof crimes / sizeof crimes[0]; i++) {
        struct fold fold;
        const char *complaint;
        uint64_t table = strstr(crimes[i], "78") != NULL ? 78 : 77;
        char copy[PATH_BYTES + 32];
        snprintf(copy, sizeof copy, "%s.copy", fx.path);
        assert_int_equal(store_sqlite_backup(fx.path, copy, &complaint), ERR_OK);
        assert_int_equal(sql(copy, crimes[i]), SQLITE_OK);
        struct store *tampered;
        struct store_sqlite_config config = {.path = copy, .is_read_only = true};
        assert_int_equal(store_sqlite_open(&config, &tampered, &complaint), ERR_OK);
        fold_init(&fold, table);
        assert_int_equal(store_read(tampered, table, 1, fold_next, &fold), ERR_OK);
        assert_true(fold.last_seq < 3);
        fold_free(&fold);
        store_close(tampered);
    }
    struct fold fold;
    fold_init(&fold, 77);
    assert_int_equal(store_read(fx.store, 77, 1, fold_next, &fold), ERR_OK);
    assert_int_equal(fold.last_seq, 3);
    fold_free(&fold);
    journal_free(&j);
}

static void beat_and_wait(int64_t wall_ms) {
    struct journal j = {0};
    store_beat(fx.store, wall_ms);
    /* A result of its own shows that the round with the beat is over. */
    journal_fill(&j, (uint64_t)wall_ms + 1000000, wall_ms, false);
    assert_int_equal(append_now(&j, 0, 3), ERR_OK);
    journal_free(&j);
    if (fx.engine == SQLITE_THREAD)
        store_reopen(); /* the thread ends only when it has nothing left to do */
}

enum { DAY = 24 * 60 * 60 * 1000, FINISHED_TABLES = 100 };

static void finish_tables(int64_t apart_ms) {
    for (uint64_t i = 0; i < FINISHED_TABLES; i++) {
        struct journal j = {0};
        journal_fill(&j, 100 + i, (int64_t)i * apart_ms + 1, true);
        assert_int_equal(append_now(&j, 0, 5), ERR_OK);
        journal_free(&j);
        fx.result_count = 0;
    }
}

struct count {
    size_t finished;
    uint64_t oldest;
};

static bool count_table(void *context, const struct store_table *row) {
    struct count *count = context;
    if (count->finished++ == 0)
        count->oldest = row->table;
    return true;
}

static struct count finished_tables(void) {
    struct count count = {0};
    assert_int_equal(store_list(fx.store, STORE_FINISHED, count_table, &count), ERR_OK);
    return count;
}

static void old_tables_go_by_age(void **state) {
    (void)state;
    fx.config.keep_days = 10;
    store_reopen();
    finish_tables(DAY);
    beat_and_wait(0);
    assert_int_equal(finished_tables().finished, FINISHED_TABLES);
    beat_and_wait((int64_t)50 * DAY); /* the tables of days 0 to 39 are older than ten days */
    struct count count = finished_tables();
    assert_int_equal(count.finished, 60);
    assert_int_equal(count.oldest, 140);
    assert_int_equal(read_table(139, 1).count, 0);
    assert_int_equal(read_table(140, 1).count, 5);
    beat_and_wait((int64_t)50 * DAY + DAY / 2); /* running tables stay, whatever their age */
    assert_int_equal(list_tables(STORE_RUNNING).count, 3);
}

static void old_tables_go_by_number(void **state) {
    (void)state;
    fx.config.keep_tables = 7;
    store_reopen();
    finish_tables(1);
    beat_and_wait(60 * 1000);
    struct count count = finished_tables();
    assert_int_equal(count.finished, 7);
    assert_int_equal(count.oldest, 100 + FINISHED_TABLES - 7);
    assert_int_equal(read_table(100, 1).count, 0);
}

static void everything_is_kept_by_default(void **state) {
    (void)state;
    finish_tables(DAY);
    beat_and_wait((int64_t)5000 * DAY);
    assert_int_equal(finished_tables().finished, FINISHED_TABLES);
}

static void backup_is_whole(void **state) {
    (void)state;
    enum { APPENDS = 100 };
    struct journal j = {.table = 5};
    struct action action = {.kind = 1};
    char copy[PATH_BYTES + 32];
    const char *complaint = "";
    snprintf(copy, sizeof copy, "%s.backup", fx.path);
    journal_setup(&j, 1);
    for (int i = 1; i < 2 * APPENDS; i++)
        journal_action(&j, (unsigned)i % 2, &action, i);
    for (int i = 0; i < APPENDS; i++)
        append_events(&j, (size_t)i, 1, NULL, i);
    results_await(APPENDS);
    for (int i = APPENDS; i < 2 * APPENDS; i++) /* while these are being written */
        append_events(&j, (size_t)i, 1, NULL, i);
    enum err e = store_sqlite_backup(fx.path, copy, &complaint);
    if (e != ERR_OK)
        fail_msg("%s", complaint);
    results_await(2 * APPENDS);

    struct store *backup;
    struct seen seen = {0};
    struct store_sqlite_config config = {.path = copy, .is_read_only = true};
    assert_int_equal(store_sqlite_open(&config, &backup, &complaint), ERR_OK);
    assert_int_equal(store_read(backup, 5, 1, see_event, &seen), ERR_OK);
    assert_in_range(seen.count, APPENDS, 2 * APPENDS);
    for (size_t i = 0; i < seen.count; i++)
        assert_true(digest_equal(&seen.hashes[i], &j.events[i].hash));
    store_close(backup);
    /* Again into the same place. */
    assert_int_equal(store_sqlite_backup(fx.path, copy, &complaint), ERR_OK);
    journal_free(&j);
}

static void backup_says_why_not(void **state) {
    (void)state;
    char path[PATH_BYTES + 32];
    const char *complaint = NULL;
    snprintf(path, sizeof path, "%s/no/such/directory", fx.directory);
    assert_int_equal(store_sqlite_backup(fx.path, path, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "cannot be written"));
    assert_int_equal(store_sqlite_backup(path, fx.path, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "cannot be opened"));
}

static void reader_beside_the_writer(void **state) {
    (void)state;
    struct journal j = {0};
    struct store *reader;
    const char *complaint;
    struct seen seen = {0};
    struct store_sqlite_config config = {.path = fx.path, .is_read_only = true};
    journal_fill(&j, 31, 1000, false);
    assert_int_equal(append_now(&j, 0, 2), ERR_OK);
    assert_int_equal(store_sqlite_open(&config, &reader, &complaint), ERR_OK);
    assert_int_equal(store_read(reader, 31, 1, see_event, &seen), ERR_OK);
    assert_int_equal(seen.count, 2);
    assert_int_equal(append_now(&j, 2, 1), ERR_OK);
    assert_int_equal(store_read(reader, 31, 3, see_event, &seen), ERR_OK);
    assert_int_equal(seen.count, 3);
    store_close(reader);
    journal_free(&j);
}

static void foreign_files_are_refused(void **state) {
    (void)state;
    char copy[PATH_BYTES + 32];
    struct store *store;
    const char *complaint = "";
    struct store_sqlite_config config = {.path = copy};
    snprintf(copy, sizeof copy, "%s.copy", fx.path);
    assert_int_equal(sql(copy, "CREATE TABLE mine(a)"), SQLITE_OK);
    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "not a journal"));
    unlink(copy);

    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_OK);
    store_close(store);
    assert_int_equal(sql(copy, "PRAGMA user_version = 2"), SQLITE_OK);
    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "newer version"));
    unlink(copy);

    FILE *file = fopen(copy, "w");
    fputs("this is no database, it is only long enough to look like one to a careless reader of files, "
          "with a hundred bytes and more in it",
          file);
    fclose(file);
    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "not a database"));
    unlink(copy);

    config.is_read_only = true;
    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "unable to open"));
    assert_int_not_equal(access(copy, F_OK), 0);
}

static void too_many_are_refused_in_order(void **state) {
    (void)state;
    enum { CEILING = 32 * 1024, PER_TABLE = 256 };
    struct journal j = {.table = 1};
    struct action action = {.kind = 1};
    journal_setup(&j, 1);
    for (int i = 1; i < PER_TABLE; i++)
        journal_action(&j, 0, &action, i);
    struct store_request request = {.events = j.events, .event_count = PER_TABLE, .done = on_done};
    for (int i = 0; i <= CEILING / PER_TABLE; i++) {
        request.table = (uint64_t)i + 1;
        request.context = &fx.contexts[i];
        store_append(fx.store, &request);
    }
    results_await(CEILING / PER_TABLE + 1);
    for (int i = 0; i <= CEILING / PER_TABLE; i++) {
        assert_int_equal(fx.results[i].context, i);
        assert_int_equal(fx.results[i].e, i < CEILING / PER_TABLE ? ERR_OK : ERR_IO);
    }
    assert_int_equal(read_table(CEILING / PER_TABLE, 1).count, PER_TABLE);
    assert_int_equal(read_table(CEILING / PER_TABLE + 1, 1).count, 0);
    journal_free(&j);
}

static int begin_faulty(void **state) {
    begin_with(SQLITE);
    (void)state;
    faulty_vfs_register();
    fx.config.vfs = "faulty";
    store_reopen();
    return 0;
}

static int begin_faulty_exclusive(void **state) {
    begin_faulty(state);
    fx.engine = SQLITE_EXCLUSIVE;
    store_reopen();
    return 0;
}

static void copy_file(const char *suffix) {
    char from[PATH_BYTES + 32], to[PATH_BYTES + 32];
    char bytes[65536];
    snprintf(from, sizeof from, "%s%s", fx.path, suffix);
    snprintf(to, sizeof to, "%s.copy%s", fx.path, suffix);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* Keeps what a restart would find if the process died now. */
static void crash_image(void) {
    char shm[PATH_BYTES + 64];
    snprintf(shm, sizeof shm, "%s.copy-shm", fx.path);
    unlink(shm);
    copy_file("");
    copy_file("-wal");
    copy_file("-mark");
}

/* How many events of a table there are in the image. */
static size_t events_in_image(uint64_t table) {
    char copy[PATH_BYTES + 32];
    struct store *store;
    struct seen seen = {0};
    const char *complaint;
    struct store_sqlite_config config = {.path = copy};
    snprintf(copy, sizeof copy, "%s.copy", fx.path);
    assert_int_equal(store_sqlite_open(&config, &store, &complaint), ERR_OK);
    assert_int_equal(store_read(store, table, 1, see_event, &seen), ERR_OK);
    store_close(store);
    return seen.count;
}

static size_t events_after_crash(uint64_t table) {
    crash_image();
    return events_in_image(table);
}

/* The disk is full: a clear no, nothing is there, and later it works again. */
static void full_disk_refuses_and_recovers(void **state) {
    (void)state;
    struct journal j = {0}, other = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 51, 1000, false);
    journal_fill(&other, 52, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    faulty_vfs_set(FAULT_FULL);
    append_events(&j, 1, 1, NULL, 1);
    append_events(&other, 0, 1, NULL, 2);
    append_events(&j, 0, 1, NULL, 3);
    results_await(4);
    assert_int_equal(fx.results[1].e, ERR_IO);
    assert_int_equal(fx.results[2].e, ERR_IO);
    assert_int_equal(fx.results[3].e, ERR_CONFLICT);
    assert_int_equal(append_now(&j, 1, 2), ERR_IO);
    assert_int_equal(read_table(51, 1).count, 1); /* reading goes on */
    assert_int_equal(events_after_crash(51), 1);
    assert_int_equal(events_after_crash(52), 0);
    faulty_vfs_set(FAULT_NONE);
    assert_int_equal(append_now(&j, 1, 2), ERR_OK);
    assert_int_equal(append_now(&other, 0, 3), ERR_OK);
    assert_int_equal(events_after_crash(51), 3);
    assert_int_equal(events_after_crash(52), 3);
    log_set_level(LOG_INFO);
    journal_free(&j);
    journal_free(&other);
}

/* The disk took everything but does not answer for it: a crash now would bring the events back. So there is
 * no answer until that is ruled out, and then it is a no for good. */
static void doubtful_commit_is_settled_first(void **state) {
    (void)state;
    struct journal j = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 61, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    faulty_vfs_set(FAULT_SYNC);
    faulty_vfs_at_fault(crash_image);
    append_events(&j, 1, 2, NULL, 1);
    store_work(fx.store);
    store_work(fx.store);
    assert_int_equal(store_drain(fx.store), 0);
    assert_int_equal(read_table(61, 1).count, 1);
    assert_int_equal(events_in_image(61), 3); /* the doubt was real */
    store_beat(fx.store, 5);
    assert_false(store_work(fx.store));
    assert_int_equal(store_drain(fx.store), 0);
    faulty_vfs_set(FAULT_NONE);
    results_await(2);
    assert_int_equal(fx.results[1].e, ERR_IO);
    assert_int_equal(read_table(61, 1).count, 1);
    assert_int_equal(events_after_crash(61), 1);
    assert_int_equal(append_now(&j, 1, 2), ERR_OK);
    assert_int_equal(events_after_crash(61), 3);
    log_set_level(LOG_INFO);
    journal_free(&j);
}

static void failed_writes_are_settled_too(void **state) {
    (void)state;
    struct journal j = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 71, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    faulty_vfs_set(FAULT_WRITE);
    append_events(&j, 1, 1, NULL, 1);
    append_events(&j, 2, 1, NULL, 2); /* waits behind it */
    store_work(fx.store);
    faulty_vfs_set(FAULT_NONE);
    results_await(3);
    assert_int_equal(fx.results[1].e, ERR_IO);
    assert_int_equal(fx.results[2].e, ERR_IO);
    assert_int_equal(append_now(&j, 2, 1), ERR_CONFLICT);
    assert_int_equal(events_after_crash(71), 1);
    assert_int_equal(append_now(&j, 1, 2), ERR_OK);
    log_set_level(LOG_INFO);
    journal_free(&j);
}

static uint64_t digest_of_copy(const char *suffix) {
    char path[PATH_BYTES + 32];
    uint64_t hash = 14695981039346656037u;
    int byte;
    snprintf(path, sizeof path, "%s.copy%s", fx.path, suffix);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while ((byte = fgetc(file)) != EOF)
        hash = (hash ^ (uint64_t)byte) * 1099511628211u;
    fclose(file);
    return hash;
}

/* The log that a crash has left is as it was after everybody who did not make it lasting, and then it is made
 * lasting: a system that once failed to write it believes that it has. */
static void log_is_left_until_it_lasts(void **state) {
    (void)state;
    static const enum fault faults[] = {FAULT_SYNC, FAULT_WRITE, FAULT_FULL, FAULT_NONE};
    char copy[PATH_BYTES + 32];
    const char *complaint;
    struct store *store;
    struct journal j = {0};
    snprintf(copy, sizeof copy, "%s.copy", fx.path);
    journal_fill(&j, 81, 1000, false);
    assert_int_equal(append_now(&j, 0, 2), ERR_OK);
    crash_image();
    uint64_t database = digest_of_copy(""), log = digest_of_copy("-wal");
    for (int i = 0; i < 4; i++) {
        struct store_sqlite_config config = {
            .path = copy, .vfs = "faulty", .is_read_only = faults[i] == FAULT_NONE};
        faulty_vfs_set(faults[i]);
        bool is_open = store_sqlite_open(&config, &store, &complaint) == ERR_OK;
        assert_true(is_open == config.is_read_only);
        if (is_open)
            store_close(store);
        assert_true(digest_of_copy("") == database && digest_of_copy("-wal") == log);
    }
    assert_int_equal(events_in_image(81), 2);
    assert_true(digest_of_copy("") != database);
    journal_free(&j);
}

/* clang-format off */
#define CASE(test, engine) {#test " (" #engine ")", test, begin, end, (void *)(intptr_t)(engine)}
#define EACH_SQLITE(test) CASE(test, SQLITE), CASE(test, SQLITE_THREAD), CASE(test, SQLITE_EXCLUSIVE)
#define EACH_ENGINE(test) CASE(test, MEMORY), CASE(test, MEMORY_IMMEDIATE), EACH_SQLITE(test)
#define ON_FAULTY_DISK(test) {#test, test, begin_faulty, end, NULL}, \
    {#test " (exclusive)", test, begin_faulty_exclusive, end, NULL}

int main(void) {
    const struct CMUnitTest tests[] = {
        EACH_ENGINE(events_come_back),
        EACH_ENGINE(every_field_comes_back),
        EACH_ENGINE(reading_stops_when_told),
        EACH_ENGINE(second_writer_gets_a_conflict),
        EACH_ENGINE(results_come_in_order),
        EACH_ENGINE(results_may_append_again),
        EACH_ENGINE(follower_sees_before_the_owner),
        EACH_ENGINE(secret_is_kept_until_the_result),
        EACH_ENGINE(tables_are_listed),
        EACH_ENGINE(finished_tables_are_listed_from_the_end),
        EACH_ENGINE(championships_are_no_tables),
        EACH_ENGINE(running_tables_are_read_in_one_sweep),
        EACH_ENGINE(readers_may_read),
        EACH_SQLITE(outages_are_remembered),
        EACH_SQLITE(everything_is_there_after_reopening),
        EACH_SQLITE(old_tables_go_by_age),
        EACH_SQLITE(old_tables_go_by_number),
        EACH_SQLITE(everything_is_kept_by_default),
        CASE(tampering_is_noticed, SQLITE),
        CASE(backup_is_whole, SQLITE),
        CASE(backup_is_whole, SQLITE_THREAD),
        CASE(backup_says_why_not, SQLITE),
        CASE(reader_beside_the_writer, SQLITE),
        CASE(reader_beside_the_writer, SQLITE_THREAD),
        CASE(foreign_files_are_refused, SQLITE),
        CASE(too_many_are_refused_in_order, SQLITE),
        ON_FAULTY_DISK(full_disk_refuses_and_recovers),
        ON_FAULTY_DISK(doubtful_commit_is_settled_first),
        ON_FAULTY_DISK(failed_writes_are_settled_too),
        ON_FAULTY_DISK(log_is_left_until_it_lasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* clang-format on */
