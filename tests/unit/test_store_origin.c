/* Journals that refer to another one for their beginning: whoever reads sees every event, and on disk they
 * stand once. The same of every engine. */
#include "store_world.h"

#include "base/log.h"

#include <sqlite3.h>

enum { FROM = 10, MINE = 11, NEXT = 12, STEPS = 20, FROM_VERSION = 3 + STEPS };

/* A table that is over: two seats, actions and outcomes of chance, a result. */
static void from_fill(struct journal *j) {
    struct event_result result = {.outcome = OUTCOME_FORFEITED, .seat_count = 2, .points = {0, 1}};
    j->table = FROM;
    journal_setup(j, 1000);
    journal_seat(j, 0, "ann", 1001);
    journal_seat(j, 1, "bob", 1002);
    for (int i = 0; i < STEPS; i++) {
        struct action action = {.kind = (uint8_t)(1 + i % 7)};
        journal_action(j, i % 3 == 2 ? SEAT_CHANCE : (unsigned)i % 2, &action, 1003 + i);
    }
    journal_forfeit(j, 0, 2000);
    journal_result(j, &result, 2001);
}

/* A table that goes on from the first events of another: what was played there, and a seat. */
static struct store_origin mine_fill(struct journal *j, const struct journal *from, uint64_t table,
                                     uint64_t version, uint32_t depth) {
    int64_t time_ms = 5000;
    j->table = table;
    journal_setup(j, time_ms);
    for (size_t i = 0; i < version; i++) {
        struct event_action *action = mem_alloc(sizeof *action);
        enum event_kind kind = from->events[i].kind;
        if (kind == EVENT_ACTION || kind == EVENT_CHANCE) {
            assert_int_equal(event_action_read(from->events[i].body, action), ERR_OK);
            if (kind == EVENT_CHANCE)
                event_given_write(journal_next(j, kind, time_ms), action->actions, action->action_count);
            else
                event_action_write(journal_next(j, kind, time_ms), action->seat, action->actions,
                                   action->action_count);
            journal_chain(j);
        }
        mem_free(action);
    }
    struct store_origin origin = {from->table, version, j->count - 1, depth};
    journal_seat(j, 0, "cid", time_ms + 1);
    return origin;
}

static enum err append_origin(struct journal *j, size_t count, const struct store_origin *origin) {
    size_t before = fx.result_count;
    store_append(fx.store, &(struct store_request){.table = j->table,
                                                   .events = j->events,
                                                   .event_count = count,
                                                   .origin = *origin,
                                                   .done = on_done,
                                                   .context = &fx.contexts[0]});
    results_await(before + 1);
    return fx.results[before].e;
}

/* One table, and another that refers to it, without some of its last events. */
static void both_fill(struct journal *from, struct journal *mine, size_t without) {
    from_fill(from);
    assert_int_equal(append_now(from, 0, from->count), ERR_OK);
    struct store_origin origin = mine_fill(mine, from, MINE, FROM_VERSION, 1);
    assert_int_equal(append_origin(mine, mine->count - without, &origin), ERR_OK);
}

struct same {
    const struct journal *right;
    uint64_t next;
};

static bool is_same(void *context, uint64_t table, const struct event *event) {
    struct same *same = context;
    const struct event *right = &same->right->events[event->seq - 1];
    assert_int_equal(table, same->right->table);
    assert_int_equal(event->seq, same->next++);
    assert_int_equal(event->kind, right->kind);
    assert_int_equal(event->time_ms, right->time_ms);
    assert_true(span_equal(event->body, right->body));
    assert_true(digest_equal(&event->hash, &right->hash));
    return true;
}

/* The whole journal is read, from whatever number on. */
static void read_is_same(struct store *store, const struct journal *right) {
    for (uint64_t from = 0; from <= right->count + 1; from++) {
        struct same same = {right, from == 0 ? 1 : from};
        assert_int_equal(store_read(store, right->table, from, is_same, &same), ERR_OK);
        assert_int_equal(same.next, right->count + 1);
    }
}

static void worlds_free(struct journal *a, struct journal *b, struct journal *c) {
    journal_free(a);
    journal_free(b);
    journal_free(c);
}

/* Of the events of all tables, where that can be counted. */
static long rows_on_disk(void) {
    char text[POSTGRES_TEXT_BYTES] = "-1";
    if (is_postgres()) {
        postgres_sql("SELECT count(*) FROM parlor.events", text);
    } else if (fx.engine == SQLITE || fx.engine == SQLITE_THREAD) {
        sqlite3 *db;
        sqlite3_stmt *s;
        assert_int_equal(sqlite3_open(fx.path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM events", -1, &s, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        snprintf(text, sizeof text, "%lld", (long long)sqlite3_column_int64(s, 0));
        sqlite3_finalize(s);
        sqlite3_close(db);
    }
    return strtol(text, NULL, 10);
}

static void what_is_referred_to_is_read(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, next = {0};
    struct seen seen = {0};
    from_fill(&from);
    assert_int_equal(append_now(&from, 0, from.count), ERR_OK);
    struct store_origin origin = mine_fill(&mine, &from, MINE, FROM_VERSION, 1), found;
    store_follow(fx.store, see_commit, &seen);
    assert_int_equal(append_origin(&mine, mine.count - 1, &origin), ERR_OK);
    assert_int_equal(seen.count, mine.count - 1); /* the follower sees them, too */
    store_follow(fx.store, NULL, NULL);
    assert_int_equal(append_now(&mine, mine.count - 1, 1), ERR_OK);
    read_is_same(fx.store, &mine);
    read_is_same(fx.store, &from);
    assert_int_equal(store_origin(fx.store, MINE, &found), ERR_OK);
    assert_true(found.table == origin.table && found.version == origin.version && found.depth == 1);
    assert_int_equal(found.count, origin.count);
    assert_int_equal(store_origin(fx.store, FROM, &found), ERR_OK);
    assert_int_equal(found.count, 0);
    long rows = rows_on_disk();
    if (rows >= 0)
        assert_int_equal(rows, from.count + 3); /* set-up, what stands for all of them, seat */

    /* One goes on from it, and from a version within what is referred to. */
    struct event_result result = {.outcome = OUTCOME_UNDECIDED, .seat_count = 2};
    journal_result(&mine, &result, 6000);
    assert_int_equal(append_now(&mine, mine.count - 1, 1), ERR_OK);
    origin = mine_fill(&next, &mine, NEXT, STEPS / 2, 2);
    assert_int_equal(append_origin(&next, next.count, &origin), ERR_OK);
    read_is_same(fx.store, &next);

    struct same same = {&next, 1}; /* what a restart reads */
    assert_int_equal(store_read_running(fx.store, is_same, &same), ERR_OK);
    assert_int_equal(same.next, next.count + 1);
    if (fx.engine != MEMORY && fx.engine != MEMORY_IMMEDIATE) {
        store_reopen();
        read_is_same(fx.store, &mine);
        read_is_same(fx.store, &next);
        journal_seat(&next, 1, "dan", 7000); /* and goes on */
        assert_int_equal(append_now(&next, next.count - 1, 1), ERR_OK);
        read_is_same(fx.store, &next);
    }
    worlds_free(&from, &mine, &next);
}

static bool stop(void *context, uint64_t table, const struct event *event) {
    size_t *left = context;
    (void)table;
    (void)event;
    return --*left > 0;
}

static void reading_stops_within(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, none = {0};
    both_fill(&from, &mine, 0);
    for (size_t count = 1; count < mine.count; count++) {
        size_t left = count;
        assert_int_equal(store_read(fx.store, MINE, 1, stop, &left), ERR_OK);
        assert_int_equal(left, 0);
        left = 1;
        assert_int_equal(store_read_running(fx.store, stop, &left), ERR_OK);
    }
    worlds_free(&from, &mine, &none);
}

/* The other journal went between the question and the commit. */
static void what_is_gone_is_written_in_full(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, none = {0};
    struct store_origin found;
    from_fill(&from);
    struct store_origin origin = mine_fill(&mine, &from, MINE, FROM_VERSION, 1);
    assert_int_equal(append_origin(&mine, mine.count, &origin), ERR_OK);
    read_is_same(fx.store, &mine);
    assert_int_equal(store_origin(fx.store, MINE, &found), ERR_OK);
    assert_int_equal(found.count, 0);
    worlds_free(&from, &mine, &none);
}

static size_t finished_count;

static bool count_finished(void *context, const struct store_table *row) {
    (void)context;
    (void)row;
    finished_count++;
    return true;
}

static void beat_until(int64_t wall_ms) {
    struct journal j = {.table = (uint64_t)wall_ms};
    store_beat(fx.store, wall_ms);
    journal_setup(&j, wall_ms);
    assert_int_equal(append_now(&j, 0, 1), ERR_OK); /* behind the beat */
    journal_free(&j);
    if (has_thread())
        store_reopen(); /* the thread ends only when it has nothing left to do */
}

static size_t finished_tables(void) {
    finished_count = 0;
    assert_int_equal(store_list(fx.store, STORE_FINISHED, count_finished, NULL), ERR_OK);
    return finished_count;
}

/* Retention leaves what others refer to, and takes it when they are gone. */
static void what_is_referred_to_stays(void **state) {
    (void)state;
    enum { DAY_MS = 24 * 60 * 60 * 1000 };
    struct journal from = {0}, mine = {0}, none = {0};
    struct event_result result = {.outcome = OUTCOME_UNDECIDED, .seat_count = 2};
    fx.config.keep_days = 10;
    store_reopen();
    both_fill(&from, &mine, 0);
    beat_until((int64_t)20 * DAY_MS);
    assert_int_equal(finished_tables(), 1);
    read_is_same(fx.store, &mine);
    journal_result(&mine, &result, (int64_t)20 * DAY_MS);
    assert_int_equal(append_now(&mine, mine.count - 1, 1), ERR_OK);
    beat_until((int64_t)21 * DAY_MS);
    assert_int_equal(finished_tables(), 2);
    read_is_same(fx.store, &mine);
    beat_until((int64_t)40 * DAY_MS); /* the one that refers goes now */
    assert_int_equal(finished_tables(), 1);
    beat_until((int64_t)41 * DAY_MS);
    assert_int_equal(finished_tables(), 0);
    worlds_free(&from, &mine, &none);
}

/* In memory only so many finished tables are kept. */
static void what_is_forgotten_stays_for_others(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, other = {0};
    both_fill(&from, &mine, 0);
    for (uint64_t id = 100; id < 1200; id++) {
        journal_free(&other);
        journal_fill(&other, id, 1000, true);
        assert_int_equal(append_now(&other, 0, 5), ERR_OK);
        fx.result_count = 0;
    }
    assert_int_equal(read_table(FROM, 1).count, 0);
    read_is_same(fx.store, &mine);
    worlds_free(&from, &mine, &other);
}

static void sql_run(const char *text) {
    if (is_postgres()) {
        postgres_sql(text, NULL);
        return;
    }
    char own[256];
    const char *dot = strstr(text, "parlor.");
    sqlite3 *db;
    assert_non_null(dot);
    snprintf(own, sizeof own, "%.*s%s", (int)(dot - text), text, dot + strlen("parlor."));
    assert_int_equal(sqlite3_open(fx.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, own, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

struct chain {
    uint64_t table, seq;
    struct digest hash;
};

static bool follows(void *context, uint64_t table, const struct event *event) {
    struct chain *chain = context;
    const char *complaint;
    if (!event_is_next(event, table, chain->seq, &chain->hash, &complaint))
        return false;
    chain->seq = event->seq;
    chain->hash = event->hash;
    return true;
}

/* A change of the other journal breaks the chain of this one, whoever made it. */
static void a_changed_origin_is_noticed(void **state) {
    static const char *const crimes[] = {
        "UPDATE parlor.events SET kind = 4 WHERE table_id = 10 AND seq = 4",
        "UPDATE parlor.events SET kind = 2 WHERE table_id = 10 AND seq = 20",
        "UPDATE parlor.events SET kind = 3 WHERE table_id = 10 AND seq = 2",
        "DELETE FROM parlor.events WHERE table_id = 10 AND seq = 10",
        "DELETE FROM parlor.events WHERE table_id = 10",
        "UPDATE parlor.events SET hash = body WHERE table_id = 11 AND kind = 128",
        "UPDATE parlor.events SET body = hash WHERE table_id = 11 AND kind = 128",
        "UPDATE parlor.events SET seq = seq + 1 WHERE table_id = 11 AND kind = 128",
        "UPDATE parlor.events SET seq = seq - 1 WHERE table_id = 11 AND kind = 128",
    };
    (void)state;
    for (size_t i = 0; i < sizeof crimes / sizeof *crimes; i++) {
        struct journal from = {0}, mine = {0}, none = {0};
        struct chain chain = {0};
        both_fill(&from, &mine, 1);
        sql_run(crimes[i]);
        enum err e = store_read(fx.store, MINE, 1, follows, &chain);
        assert_true(e == ERR_DAMAGED || chain.seq < mine.count - 1);
        sql_run("DELETE FROM parlor.events");
        sql_run("DELETE FROM parlor.tables");
        worlds_free(&from, &mine, &none);
    }
}

/* Nobody writes that, but whoever reads it must come to an end. */
static void a_journal_that_refers_to_itself_is_damaged(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, none = {0};
    struct chain chain = {0};
    both_fill(&from, &mine, 1);
    sql_run("DELETE FROM parlor.events WHERE table_id = 10 AND seq > 1");
    sql_run("UPDATE parlor.events SET table_id = 10 WHERE table_id = 11 AND seq > 1");
    assert_int_equal(store_read(fx.store, FROM, 1, follows, &chain), ERR_DAMAGED);
    worlds_free(&from, &mine, &none);
}

/* A file of the first version has no column for it. */
static void older_files_are_migrated(void **state) {
    (void)state;
    struct journal from = {0}, mine = {0}, none = {0};
    const char *complaint = "";
    struct store *reader;
    from_fill(&from);
    assert_int_equal(append_now(&from, 0, from.count), ERR_OK);
    store_close(fx.store);
    fx.store = NULL;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(fx.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP INDEX tables_origin; ALTER TABLE tables DROP COLUMN origin; "
                                  "PRAGMA user_version = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    struct store_sqlite_config config = {.path = fx.path, .is_read_only = true};
    if (store_sqlite_open(&config, &reader, &complaint) != ERR_OK)
        fail_msg("%s", complaint);
    read_is_same(reader, &from); /* as it is, by whoever only reads */
    store_close(reader);
    store_reopen();
    struct store_origin origin = mine_fill(&mine, &from, MINE, FROM_VERSION, 1);
    assert_int_equal(append_origin(&mine, mine.count, &origin), ERR_OK);
    read_is_same(fx.store, &mine);
    worlds_free(&from, &mine, &none);
}

/* clang-format off */
int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        EACH_ENGINE(what_is_referred_to_is_read),
        EACH_ENGINE(reading_stops_within),
        EACH_ENGINE(what_is_gone_is_written_in_full),
        EACH_LASTING(what_is_referred_to_stays),
        CASE(what_is_forgotten_stays_for_others, MEMORY_IMMEDIATE),
        CASE(a_changed_origin_is_noticed, SQLITE),
        CASE(a_changed_origin_is_noticed, POSTGRES),
        CASE(a_journal_that_refers_to_itself_is_damaged, SQLITE),
        CASE(a_journal_that_refers_to_itself_is_damaged, POSTGRES),
        CASE(older_files_are_migrated, SQLITE),
        CASE(older_files_are_migrated, SQLITE_THREAD),
    };
    return store_world_run(tests, sizeof tests / sizeof *tests);
}
/* clang-format on */
