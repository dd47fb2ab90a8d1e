/* Tables on a store whose disk can be full, and journals that are checked: what the tests of tables share. */
#ifndef TESTS_TABLE_WORLD_H
#define TESTS_TABLE_WORLD_H

#include "tests.h"

#include "base/log.h"
#include "fixture_game.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/table/internal.h"

/* Not every test calls every one of these. */
#define WORLD_FUNCTION static __attribute__((unused))

enum { FAILURES_MAX = 16 };

/* A store in memory whose disk can be full: appends fail then, in store_drain, as they do on a real one. */
struct full_store {
    struct store base;
    struct store_ops ops;
    struct store *memory;
    const struct store_ops *memory_ops;
    bool is_full;
    struct store_request failed[FAILURES_MAX];
    size_t failed_count;
};

static struct full_store disk;
static struct tables *tables;
static int64_t wall_ms;
static struct rng secrets;
static int settled_count, stalled_count;

static void full_append(struct store *s, const struct store_request *r) {
    (void)s;
    if (disk.is_full)
        disk.failed[disk.failed_count++] = *r;
    else
        disk.memory_ops->append(disk.memory, r);
}

static size_t full_drain(struct store *s) {
    (void)s;
    size_t count = disk.failed_count;
    disk.failed_count = 0;
    for (size_t i = 0; i < count; i++)
        disk.failed[i].done(disk.failed[i].context, ERR_IO);
    disk.memory_ops->work(disk.memory);
    return count + disk.memory_ops->drain(disk.memory);
}

#define PASS_ON(type, name, parameters, arguments)                                                           \
    static type full_##name parameters {                                                                     \
        (void)s;                                                                                             \
        return disk.memory_ops->name arguments;                                                              \
    }
PASS_ON(enum err, read, (struct store * s, uint64_t t, uint64_t from, store_visit_event *v, void *c),
        (disk.memory, t, from, v, c))
PASS_ON(enum err, read_running, (struct store * s, store_visit_event *v, void *c), (disk.memory, v, c))
PASS_ON(enum err, secret, (struct store * s, uint64_t t, struct digest *out), (disk.memory, t, out))
PASS_ON(enum err, last_table, (struct store * s, uint64_t below, uint64_t *out), (disk.memory, below, out))

static void full_load(struct store *s, const struct store_load *load) {
    (void)s;
    disk.memory_ops->load(disk.memory, load);
}

static void full_follow(struct store *s, store_visit_commit *v, void *c) {
    (void)s;
    disk.memory_ops->follow(disk.memory, v, c);
}

static void full_beat(struct store *s, int64_t now_ms) {
    s->last_beat_ms = now_ms;
}

static int64_t on_wall(void *context) {
    (void)context;
    return wall_ms;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&secrets), out->bytes + i);
}

static void tables_start(void) {
    tables =
        tables_create(&(struct tables_config){.store = &disk.base, .wall_ms = on_wall, .secret = on_secret});
}

WORLD_FUNCTION int start(void **unused) {
    (void)unused;
    log_set_level(LOG_ERROR);
    rng_seed(&secrets, 9);
    wall_ms = 1000000;
    settled_count = stalled_count = 0;
    disk = (struct full_store){.memory = store_memory_open(false)};
    disk.memory_ops = disk.memory->ops;
    disk.ops = (struct store_ops){.append = full_append,
                                  .load = full_load,
                                  .drain = full_drain,
                                  .read = full_read,
                                  .read_running = full_read_running,
                                  .secret = full_secret,
                                  .last_table = full_last_table,
                                  .follow = full_follow,
                                  .beat = full_beat};
    disk.base.ops = &disk.ops;
    tables_start();
    return 0;
}

WORLD_FUNCTION int stop(void **unused) {
    (void)unused;
    tables_free(tables);
    store_close(disk.memory);
    return 0;
}

static void on_settled(void *context, struct table *table) {
    (void)context;
    (void)table;
    settled_count++;
}

static void on_stalled(void *context, struct table *table) {
    (void)context;
    (void)table;
    stalled_count++;
}

static const struct table_listener listener = {.settled = on_settled, .stalled = on_stalled};

WORLD_FUNCTION struct table_setup setup_of(const struct game *game, uint32_t seats) {
    return (struct table_setup){.id = tables_new_id(tables),
                                .game = game,
                                .options = game_options_default(game, seats),
                                .protocol = "test",
                                .names = {SPAN("ann"), SPAN("bob"), SPAN("cid"), SPAN("dan")},
                                .draws_seats = true};
}

WORLD_FUNCTION struct table *open_table(const struct table_setup *setup) {
    struct table *t;
    assert_int_equal(table_open(tables, setup, &listener, 0, &t), ERR_OK);
    return t;
}

WORLD_FUNCTION struct table *open_soccer(bool violation_loses) {
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.violation_loses = violation_loses;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    return t;
}

WORLD_FUNCTION enum err step(struct table *t, unsigned seat, enum direction d) {
    struct action action = pitch_action(d);
    return table_act(t, seat, &action, 1, 0);
}

struct check {
    struct fold fold;
    struct digest secret;
    bool has_secret;
};

static const struct game *find_game(struct span name) {
    return span_is(name, fixture_game.name) ? &fixture_game : game_by_name(name);
}

static bool fold_next(void *context, uint64_t table, const struct event *event) {
    struct check *check = context;
    (void)table;
    if (check->has_secret)
        assert_int_equal(fold_check_dice(&check->fold, event, &check->secret), ERR_OK);
    assert_int_equal(fold_event(&check->fold, event), ERR_OK);
    return true;
}

/* The journal of the table, folded by the rules and against its dice, is the table. */
WORLD_FUNCTION void check_journal(const struct table *t) {
    struct check check = {0};
    fold_init(&check.fold, table_id(t));
    check.fold.find = find_game;
    check.has_secret = store_secret(&disk.base, table_id(t), &check.secret) == ERR_OK;
    assert_int_equal(store_read(&disk.base, table_id(t), 1, fold_next, &check), ERR_OK);
    assert_int_equal(check.fold.last_seq, table_version(t));
    assert_memory_equal(check.fold.state, table_state(t), table_game(t)->state_size);
    assert_int_equal(check.fold.is_finished, table_state_word(t) == TABLE_OVER);
    if (check.fold.is_finished) {
        int32_t points[SEATS_MAX];
        table_points(t, points);
        assert_memory_equal(points, check.fold.result->points, sizeof points);
        assert_int_equal(check.fold.result->outcome, table_outcome(t));
    }
    fold_free(&check.fold);
}

static struct table *restored[16];
static size_t restored_count;

static void on_restored(void *context, struct table *t) {
    (void)context;
    table_listen(t, &listener);
    restored[restored_count++] = t;
}

WORLD_FUNCTION void restart(uint64_t now_ms) {
    store_drain(&disk.base); /* what was asked of it is answered to those who asked */
    tables_free(tables);
    tables_start();
    restored_count = 0;
    assert_int_equal(tables_restore(tables, now_ms, on_restored, NULL), ERR_OK);
}

#define TABLE_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

#endif
