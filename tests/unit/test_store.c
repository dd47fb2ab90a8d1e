/* The store: the same promises of every engine. */
#include "store_world.h"

#include "base/log.h"

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

static void beat_and_wait(int64_t wall_ms) {
    struct journal j = {0};
    store_beat(fx.store, wall_ms);
    /* A result of its own shows that the round with the beat is over. */
    journal_fill(&j, (uint64_t)wall_ms + 1000000, wall_ms, false);
    assert_int_equal(append_now(&j, 0, 3), ERR_OK);
    journal_free(&j);
    if (has_thread())
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

/* clang-format off */
int main(void) {
    log_set_level(LOG_WARN);
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
        EACH_LASTING(outages_are_remembered),
        EACH_LASTING(everything_is_there_after_reopening),
        EACH_LASTING(old_tables_go_by_age),
        EACH_LASTING(old_tables_go_by_number),
        EACH_LASTING(everything_is_kept_by_default),
        CASE(too_many_are_refused_in_order, SQLITE),
        CASE(too_many_are_refused_in_order, POSTGRES),
    };
    return store_world_run(tests, sizeof tests / sizeof *tests);
}
/* clang-format on */
