/* The store in SQLite: what only a file and a disk can do. What every engine promises is in test_store.c. */
#include "store_world.h"

#include "base/log.h"
#include "faulty_vfs.h"
#include "host/table/fold.h"

#include <sqlite3.h>
#include <sys/stat.h>

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
    assert_int_equal(sql(copy, "PRAGMA user_version = 3"), SQLITE_OK);
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

static int end_faulty(void **state) {
    faulty_vfs_set(FAULT_NONE);
    return end(state);
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

static void fault_end(void) {
    faulty_vfs_set(FAULT_NONE);
}

/* SQLite writes nothing where nothing changes: what settles a doubt changes something in every run. */
static void doubt_is_settled_in_every_run(void **state) {
    (void)state;
    struct journal j = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 62, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    for (int run = 0; run < 3; run++) {
        size_t before = fx.result_count;
        store_beat(fx.store, 1 + run); /* the log begins */
        store_work(fx.store);
        faulty_vfs_at_fault(fault_end);
        faulty_vfs_set(FAULT_SYNC);
        append_events(&j, 1, 2, NULL, 1);
        results_await(before + 1);
        assert_int_equal(fx.results[before].e, ERR_IO);
        assert_int_equal(events_after_crash(62), 1);
        store_reopen();
    }
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
#define ON_FAULTY_DISK(test) {#test, test, begin_faulty, end_faulty, NULL}, \
    {#test " (exclusive)", test, begin_faulty_exclusive, end_faulty, NULL}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(tampering_is_noticed, SQLITE),
        CASE(backup_is_whole, SQLITE),
        CASE(backup_is_whole, SQLITE_THREAD),
        CASE(backup_says_why_not, SQLITE),
        CASE(reader_beside_the_writer, SQLITE),
        CASE(reader_beside_the_writer, SQLITE_THREAD),
        CASE(foreign_files_are_refused, SQLITE),
        ON_FAULTY_DISK(full_disk_refuses_and_recovers),
        ON_FAULTY_DISK(doubtful_commit_is_settled_first),
        ON_FAULTY_DISK(doubt_is_settled_in_every_run),
        ON_FAULTY_DISK(failed_writes_are_settled_too),
        ON_FAULTY_DISK(log_is_left_until_it_lasts),
    };
    return store_world_run(tests, sizeof tests / sizeof *tests);
}
/* clang-format on */
