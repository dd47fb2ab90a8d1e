/* The store in PostgreSQL: other writers, connections that break, and what a database must promise. What
 * every engine promises is in test_store.c. */
#include "store_world.h"

#include "base/log.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static struct store *another_open(void) {
    struct store *store;
    const char *complaint = NULL;
    if (store_postgres_open(&(struct store_postgres_config){.url = fx.url, .is_alone = true}, &store,
                            &complaint) != ERR_OK)
        fail_msg("%s", complaint);
    return store;
}

static void another_done(void *context, enum err e) {
    *(enum err *)context = e;
}

/* Appends through a second store, on this thread. */
static enum err another_append(struct store *store, struct journal *j, size_t from, size_t count) {
    enum err result = ERR_UNAVAILABLE;
    store_append(store, &(struct store_request){.table = j->table,
                                                .expected_seq = from,
                                                .events = &j->events[from],
                                                .event_count = count,
                                                .done = another_done,
                                                .context = &result});
    store_work(store);
    store_drain(store);
    return result;
}

static void news_await(const struct seen *seen, size_t count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += HANG_GUARD_S;
    while (store_drain(fx.store), seen->count < count)
        assert_int_equal(sem_timedwait(&fx.woken, &until), 0);
}

/* Until a statement says "t". */
static void sql_await(const char *sql) {
    char answer[POSTGRES_TEXT_BYTES];
    for (int i = 0; i < HANG_GUARD_S * 100; i++) {
        postgres_sql(sql, answer);
        if (answer[0] == 't')
            return;
        poll(NULL, 0, 10);
    }
    fail_msg("never true: %s", sql);
}

static void other_writers_are_followed(void **state) {
    (void)state;
    struct journal j = {0}, mine = {0};
    struct seen seen = {0};
    struct store *another = another_open();
    journal_fill(&j, 12, 1000, true);
    journal_fill(&mine, 13, 1000, false);
    store_follow(fx.store, see_commit, &seen);
    assert_int_equal(another_append(another, &j, 0, 1), ERR_OK);
    news_await(&seen, 1);
    assert_int_equal(another_append(another, &j, 1, 4), ERR_OK);
    news_await(&seen, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(seen.tables[i], 12);
        assert_int_equal(seen.seqs[i], i + 1);
        assert_true(digest_equal(&seen.hashes[i], &j.events[i].hash));
    }
    assert_int_equal(append_now(&mine, 0, 3), ERR_OK); /* its own are shown once */
    assert_int_equal(another_append(another, &mine, 2, 1), ERR_CONFLICT);
    journal_action(&mine, 0, &(struct action){.kind = 1}, 2000);
    assert_int_equal(another_append(another, &mine, 3, 1), ERR_OK);
    news_await(&seen, 9);
    assert_int_equal(seen.count, 9);
    store_close(another);
    journal_free(&j);
    journal_free(&mine);
}

/* The database was away for all nodes, and both are still there: one outage, for whoever starts later. */
static void an_outage_of_the_database_is_written(void **state) {
    (void)state;
    struct store *another = another_open();
    for (int i = 0; i < 3; i++) {
        store_beat(fx.store, 100 * 1000 + i * 1000);
        store_work(fx.store);
        store_beat(another, 100 * 1000 + i * 1000 + 400);
        store_work(another);
    }
    store_beat(fx.store, 150 * 1000);
    store_work(fx.store);
    store_beat(another, 150 * 1000 + 100);
    store_work(another);
    store_close(another);
    store_reopen();
    assert_int_equal(fx.store->last_beat_ms, 150 * 1000 + 100);
    assert_int_equal(fx.store->outages[0].from_ms, 102 * 1000 + 400);
    assert_int_equal(fx.store->outages[0].to_ms, 150 * 1000);
    for (size_t i = 1; i < fx.store->outage_count; i++) /* the second had begun meanwhile */
        assert_true(fx.store->outages[i].to_ms - fx.store->outages[i].from_ms <= 1000);
}

static void conflict_hits_one_table_alone(void **state) {
    (void)state;
    struct journal j[3] = {0};
    struct store *another = another_open();
    for (size_t i = 0; i < 3; i++) {
        journal_fill(&j[i], 20 + i, 1000, false);
        assert_int_equal(append_now(&j[i], 0, 1), ERR_OK);
    }
    assert_int_equal(another_append(another, &j[1], 1, 1), ERR_OK);
    fx.result_count = 0;
    for (int i = 0; i < 3; i++)
        append_events(&j[i], 1, 1, NULL, i);
    results_await(3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fx.results[i].e, fx.results[i].context == 1 ? ERR_CONFLICT : ERR_OK);
    assert_int_equal(append_now(&j[1], 2, 1), ERR_OK);
    store_close(another);
    for (size_t i = 0; i < 3; i++)
        journal_free(&j[i]);
}

/* Two that write the same tables at the same time: of each number one is there, and only its owner was told
 * so. */
static void two_writers_at_once(void **state) {
    (void)state;
    enum { TABLES = 8, ROUNDS = 40 };
    struct journal j[TABLES] = {0};
    enum err others[TABLES];
    struct store *another = another_open();
    size_t won = 0, lost = 0;
    for (size_t i = 0; i < TABLES; i++) {
        j[i].table = 100 + i;
        journal_setup(&j[i], 1);
        for (int k = 0; k < ROUNDS; k++)
            journal_action(&j[i], 0, &(struct action){.kind = 1}, k);
        assert_int_equal(append_now(&j[i], 0, 1), ERR_OK);
    }
    for (size_t k = 1; k <= ROUNDS; k++) {
        fx.result_count = 0;
        for (size_t i = 0; i < TABLES; i++)
            append_events(&j[i], k, 1, NULL, (int)i);
        for (size_t i = TABLES; i-- > 0;)
            store_append(another, &(struct store_request){.table = j[i].table,
                                                          .expected_seq = k,
                                                          .events = &j[i].events[k],
                                                          .event_count = 1,
                                                          .done = another_done,
                                                          .context = &others[i]});
        store_work(another);
        store_drain(another);
        results_await(TABLES);
        for (size_t r = 0; r < TABLES; r++) {
            enum err mine = fx.results[r].e, theirs = others[fx.results[r].context];
            assert_true((mine == ERR_OK) != (theirs == ERR_OK));
            assert_true(mine == ERR_CONFLICT || theirs == ERR_CONFLICT);
            won += mine == ERR_OK;
            lost += mine != ERR_OK;
        }
    }
    assert_int_equal(won + lost, TABLES * ROUNDS);
    store_close(another);
    for (size_t i = 0; i < TABLES; i++)
        journal_free(&j[i]);
}

static void what_was_missed_is_caught_up_with(void **state) {
    (void)state;
    struct journal j = {0};
    struct seen seen = {0};
    struct store *another = another_open();
    journal_fill(&j, 14, 1000, true);
    store_follow(fx.store, see_commit, &seen);
    postgres_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                 "WHERE application_name LIKE 'parlor follower%'",
                 NULL);
    assert_int_equal(another_append(another, &j, 0, 5), ERR_OK);
    news_await(&seen, 5);
    assert_int_equal(seen.tables[0], 14);
    store_close(another);
    journal_free(&j);
}

/* A proxy that breaks a connection after so many bytes in one direction. */
static struct {
    pthread_t thread;
    int listener;
    char folder[PATH_BYTES], path[PATH_BYTES + 32], target[PATH_BYTES + 32];
    atomic_long left[2]; /* bytes to the server and from it; below 0: no end */
    atomic_bool is_over;
} proxy;

static int socket_to(const char *path, bool listens) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(strlen(path) < sizeof address.sun_path);
    strcpy(address.sun_path, path);
    if (listens)
        assert_true(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 16) == 0);
    else if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* False when the pair is to be closed. */
static bool proxy_pass(int from, int to, atomic_long *left) {
    char bytes[65536];
    ssize_t size = read(from, bytes, sizeof bytes);
    if (size <= 0)
        return false;
    long allowed = atomic_load(left);
    bool breaks = allowed >= 0 && allowed <= size;
    ssize_t passed = breaks ? allowed : size;
    if (allowed >= 0)
        atomic_store(left, breaks ? -1 : allowed - size);
    return write(to, bytes, (size_t)passed) == passed && !breaks;
}

enum { PAIRS_MAX = 16 };

static void *proxy_main(void *context) {
    struct pollfd fds[1 + 2 * PAIRS_MAX] = {{.fd = proxy.listener, .events = POLLIN}};
    (void)context;
    for (int i = 1; i <= 2 * PAIRS_MAX; i++)
        fds[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    while (!atomic_load(&proxy.is_over)) {
        poll(fds, 1 + 2 * PAIRS_MAX, 20);
        for (int i = 1; i <= 2 * PAIRS_MAX; i += 2) {
            bool is_open = fds[i].fd >= 0;
            if (is_open && fds[i].revents != 0)
                is_open = proxy_pass(fds[i].fd, fds[i + 1].fd, &proxy.left[0]);
            if (is_open && fds[i + 1].revents != 0)
                is_open = proxy_pass(fds[i + 1].fd, fds[i].fd, &proxy.left[1]);
            if (fds[i].fd >= 0 && !is_open) {
                close(fds[i].fd);
                close(fds[i + 1].fd);
                fds[i].fd = fds[i + 1].fd = -1;
            } else if (fds[i].fd < 0 && fds[0].revents != 0) {
                fds[i].fd = accept(proxy.listener, NULL, NULL);
                fds[i + 1].fd = socket_to(proxy.target, false);
                fds[0].revents = fds[i].revents = fds[i + 1].revents = 0;
            }
        }
    }
    for (int i = 1; i <= 2 * PAIRS_MAX; i++)
        if (fds[i].fd >= 0)
            close(fds[i].fd);
    return NULL;
}

/* The store writes through the proxy. */
static int begin_proxied(void **state) {
    log_set_level(LOG_ERROR + 1);
    begin(state);
    store_close(fx.store);
    fx.store = NULL;
    snprintf(proxy.folder, sizeof proxy.folder, "/tmp/parlor-proxy-XXXXXX");
    assert_non_null(mkdtemp(proxy.folder));
    snprintf(proxy.path, sizeof proxy.path, "%s/.s.PGSQL.5432", proxy.folder);
    snprintf(proxy.target, sizeof proxy.target, "%.200s/.s.PGSQL.5432", postgres.folder);
    atomic_store(&proxy.left[0], -1);
    atomic_store(&proxy.left[1], -1);
    atomic_store(&proxy.is_over, false);
    proxy.listener = socket_to(proxy.path, true);
    assert_int_equal(pthread_create(&proxy.thread, NULL, proxy_main, NULL), 0);
    postgres_url(fx.url, proxy.folder);
    store_reopen();
    return 0;
}

static int end_proxied(void **state) {
    int failed = end(state);
    atomic_store(&proxy.is_over, true);
    pthread_join(proxy.thread, NULL);
    close(proxy.listener);
    unlink(proxy.path);
    rmdir(proxy.folder);
    log_set_level(LOG_WARN);
    return failed;
}

/* Tries an append until it is there: whatever breaks, it is told once, and what is told is true. */
static void append_stubbornly(struct journal *j, size_t from, size_t *refused) {
    char sql[POSTGRES_TEXT_BYTES], count[POSTGRES_TEXT_BYTES];
    enum err e;
    do {
        fx.result_count = 0;
        e = append_now(j, from, 1);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM parlor.events WHERE table_id = %llu",
                 (unsigned long long)j->table);
        postgres_sql(sql, count);
        assert_true(e == ERR_OK || e == ERR_IO);
        assert_int_equal(strtoul(count, NULL, 10), from + (e == ERR_OK));
        *refused += e == ERR_IO;
    } while (e != ERR_OK);
}

static void connection_is_cut_everywhere(void **state) {
    (void)state;
    enum { CUTS = 60 };
    struct journal j = {.table = 31};
    size_t refused = 0;
    journal_setup(&j, 1);
    for (int i = 0; i < 2 * CUTS; i++)
        journal_action(&j, 0, &(struct action){.kind = 1}, i);
    append_stubbornly(&j, 0, &refused);
    for (long i = 0; i < 2 * CUTS; i++) {
        /* Every few bytes of what goes to the server, then every single byte of its answer. */
        atomic_store(&proxy.left[i < CUTS ? 0 : 1], i < CUTS ? i * 20 : i - CUTS);
        append_stubbornly(&j, (size_t)i + 1, &refused);
        atomic_store(&proxy.left[0], -1);
        atomic_store(&proxy.left[1], -1);
    }
    assert_true(refused > 0 && refused < 2 * CUTS); /* some were there although nobody had said so */
    assert_int_equal(read_table(31, 1).count, 1 + 2 * CUTS);
    journal_free(&j);
}

/* Appends to new tables until one is answered, which is when the writer knows that the database is gone: what
 * it had sent before is not known and not answered. Returns how many. */
static int append_until_refused(struct journal *others, int count_max) {
    int count = 0;
    while (fx.result_count == 0 && count < count_max) {
        struct timespec until;
        append_events(&others[count], 0, 3, NULL, 1 + count);
        count++;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 2;
        sem_timedwait(&fx.woken, &until);
        store_drain(fx.store);
    }
    assert_true(fx.result_count > 0);
    return count;
}

static void database_goes_and_comes(void **state) {
    (void)state;
    enum { OTHERS = 8 };
    struct journal j = {0}, others[OTHERS] = {0};
    struct seen seen = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 41, 1000, false);
    for (size_t i = 0; i < OTHERS; i++)
        journal_fill(&others[i], 50 + i, 1000, false);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(append_now(&j, i, 1), ERR_OK);
        postgres_command(i == 0 ? "stop" : "kill");
        fx.result_count = 0;
        append_events(&j, i + 1, 1, NULL, 0);
        int count = append_until_refused(&others[i], OTHERS - 1);
        assert_int_equal(store_read(fx.store, 41, 1, see_event, &seen), ERR_IO);
        postgres_command("start");
        results_await(1 + (size_t)count);
        for (size_t r = 0; r < fx.result_count; r++)
            assert_int_equal(fx.results[r].e, ERR_IO);
        assert_int_equal(append_now(&others[i], 0, 3), ERR_OK); /* by itself */
        assert_int_equal(read_table(41, 1).count, i + 1);
    }
    log_set_level(LOG_WARN);
    journal_free(&j);
    for (size_t i = 0; i < OTHERS; i++)
        journal_free(&others[i]);
}

/* A database that hangs is waited for once by the loop, and asked again when it has written something. */
static void loop_waits_once(void **state) {
    (void)state;
    struct journal j = {0};
    struct seen seen = {0};
    journal_fill(&j, 42, 1000, false);
    store_beat(fx.store, 1000);
    assert_int_equal(append_now(&j, 0, 2), ERR_OK);
    assert_int_equal(store_read(fx.store, 42, 1, see_event, &seen), ERR_OK);
    PGconn *holder = PQconnectdb(fx.url);
    PQclear(PQexec(holder, "BEGIN"));
    PQclear(PQexec(holder, "LOCK TABLE parlor.events IN ACCESS EXCLUSIVE MODE"));
    assert_int_equal(PQtransactionStatus(holder), PQTRANS_INTRANS);
    assert_int_equal(store_read(fx.store, 42, 1, see_event, &seen), ERR_IO);
    PQfinish(holder);
    assert_int_equal(store_read(fx.store, 42, 1, see_event, &seen), ERR_IO); /* nobody was asked */
    assert_int_equal(append_now(&j, 2, 1), ERR_OK);
    assert_int_equal(read_table(42, 1).count, 3);
    journal_free(&j);
}

static void wait_for_the_standby_is_not_given_up(void **state) {
    (void)state;
    struct journal j = {0};
    log_set_level(LOG_ERROR + 1);
    journal_fill(&j, 61, 1000, false);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK);
    postgres_sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", NULL);
    postgres_sql("SELECT pg_reload_conf()", NULL);
    sql_await("SELECT current_setting('synchronous_standby_names') <> ''");
    append_events(&j, 1, 1, NULL, 1);
    static const char waits[] = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep' "
                                "AND application_name LIKE 'parlor writer%'";
    sql_await(waits);
    /* The database calls it committed now, and warns. */
    postgres_sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", NULL);
    sql_await("SELECT count(*) = 2 FROM parlor.events");
    sql_await(waits); /* the settling waits, too */
    store_drain(fx.store);
    assert_int_equal(fx.result_count, 1);
    postgres_sql("ALTER SYSTEM RESET synchronous_standby_names", NULL);
    postgres_sql("SELECT pg_reload_conf()", NULL);
    results_await(2);
    assert_int_equal(fx.results[1].e, ERR_OK);
    assert_int_equal(read_table(61, 1).count, 2);
    log_set_level(LOG_WARN);
    journal_free(&j);
}

static void open_is_refused(bool is_alone, const char *because) {
    struct store *store;
    const char *complaint = "";
    struct store_postgres_config config = {.url = fx.url, .is_alone = is_alone};
    assert_int_equal(store_postgres_open(&config, &store, &complaint), ERR_IO);
    if (strstr(complaint, because) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, because);
}

static void weak_promises_are_refused(void **state) {
    (void)state;
    struct store *store;
    open_is_refused(false, "fsync = on"); /* which the tests have off */
    postgres_sql("ALTER ROLE parlor SET synchronous_commit = off", NULL);
    postgres_command("stop");
    postgres_command("start");
    struct store_postgres_config config = {.url = fx.url, .is_alone = true};
    assert_int_equal(store_postgres_open(&config, &store, NULL), ERR_OK);
    store_close(store);
    postgres_sql("ALTER ROLE parlor RESET synchronous_commit", NULL);
    char url[sizeof fx.url + 64];
    snprintf(url, sizeof url, "%s", fx.url);
    config.url = "postgresql:///postgres?host=/nowhere/at/all";
    const char *complaint = "";
    assert_int_equal(store_postgres_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "/nowhere/at/all"));
}

static void foreign_schemas_are_refused(void **state) {
    (void)state;
    store_close(fx.store);
    fx.store = NULL;
    postgres_sql("UPDATE parlor.meta SET value = 99 WHERE key = 'schema'", NULL);
    open_is_refused(true, "newer version");
    postgres_sql("DROP SCHEMA parlor CASCADE; CREATE SCHEMA parlor; CREATE TABLE parlor.mine(a int)", NULL);
    open_is_refused(true, "not a journal");
    postgres_sql("DROP SCHEMA parlor CASCADE", NULL);
    struct store_postgres_config config = {.url = fx.url, .is_read_only = true};
    const char *complaint = "";
    struct store *store;
    assert_int_equal(store_postgres_open(&config, &store, &complaint), ERR_IO);
    assert_non_null(strstr(complaint, "no journal"));
}

/* The first version knew no other nodes. */
static void older_schemas_are_migrated(void **state) {
    (void)state;
    struct journal j = {0};
    struct store_postgres_config config = {.url = fx.url, .is_alone = true};
    journal_fill(&j, 63, 1000, false);
    assert_int_equal(append_now(&j, 0, 3), ERR_OK);
    store_close(fx.store);
    fx.store = NULL;
    postgres_sql("DROP TABLE parlor.nodes, parlor.leases; ALTER TABLE parlor.tables DROP COLUMN origin; "
                 "UPDATE parlor.meta SET value = 1 WHERE key = 'schema'",
                 NULL);
    assert_int_equal(store_postgres_open(&config, &fx.store, NULL), ERR_OK);
    assert_int_equal(read_table(63, 1).count, 3);
    char tables[POSTGRES_TEXT_BYTES];
    postgres_sql(
        "SELECT to_regclass('parlor.leases') IS NOT NULL AND value = 3 FROM parlor.meta WHERE key = 'schema'",
        tables);
    assert_string_equal(tables, "t");
    journal_free(&j);
}

static void secrets_are_for_the_servers_alone(void **state) {
    (void)state;
    struct journal j = {0};
    struct digest secret;
    char count[POSTGRES_TEXT_BYTES];
    digest_secret(&secret);
    journal_fill(&j, 71, 1000, false);
    append_events(&j, 0, 3, &secret, 0);
    results_await(1);
    postgres_sql("DROP ROLE IF EXISTS viewer; CREATE ROLE viewer; GRANT USAGE ON SCHEMA parlor TO viewer; "
                 "GRANT SELECT ON ALL TABLES IN SCHEMA parlor TO viewer; SET ROLE viewer; "
                 "SELECT (SELECT count(*) FROM parlor.events) || ' ' || (SELECT count(*) FROM parlor.secrets "
                 "WHERE table_id <> 0)",
                 count);
    assert_string_equal(count, "3 0");
    postgres_sql("DROP OWNED BY viewer; DROP ROLE viewer", NULL);
    journal_free(&j);
}

/* clang-format off */
int main(void) {
    log_set_level(LOG_WARN);
    const struct CMUnitTest tests[] = {
        CASE(other_writers_are_followed, POSTGRES_THREAD),
        CASE(an_outage_of_the_database_is_written, POSTGRES),
        EACH_POSTGRES(conflict_hits_one_table_alone),
        CASE(two_writers_at_once, POSTGRES_THREAD),
        CASE(what_was_missed_is_caught_up_with, POSTGRES_THREAD),
        {"connection_is_cut_everywhere", connection_is_cut_everywhere, begin_proxied, end_proxied,
         (void *)(intptr_t)POSTGRES_THREAD},
        CASE(database_goes_and_comes, POSTGRES_THREAD),
        CASE(loop_waits_once, POSTGRES_THREAD),
        CASE(wait_for_the_standby_is_not_given_up, POSTGRES_THREAD),
        CASE(weak_promises_are_refused, POSTGRES),
        CASE(foreign_schemas_are_refused, POSTGRES),
        CASE(older_schemas_are_migrated, POSTGRES),
        CASE(secrets_are_for_the_servers_alone, POSTGRES_THREAD),
    };
    return store_world_run(tests, sizeof tests / sizeof *tests);
}
/* clang-format on */
