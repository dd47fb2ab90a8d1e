/* A lounge on a store of memory, with a clock of the test's own and bots that think when the test lets them:
 * what the tests of the lounge and of the past of tables share. */
#ifndef TESTS_LOUNGE_WORLD_H
#define TESTS_LOUNGE_WORLD_H

#include "tests.h"

#include "base/log.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/lounge/lounge.h"

/* Not every test calls every one of these. */
#define WORLD_FUNCTION static __attribute__((unused))

enum { REPLIES_MAX = 64 };

struct reply {
    bool is_there;
    struct lounge_answer answer;
    char token[TOKEN_CHARS + 1], owner_token[TOKEN_CHARS + 1];
};

static struct store *store;
static struct tables *tables;
static struct history *history;
static struct thinker *thinker;
static struct lounge *lounge;
static struct lounge_config config;
static struct rng secrets;
static uint64_t now_ms;
static int64_t wall_ms;
static struct reply replies[REPLIES_MAX];
static size_t reply_count;
static int listed_count, unlisted_count, changed_count;
static uint64_t listed_table, changed_table;

static int64_t on_wall(void *context) {
    (void)context;
    return wall_ms;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&secrets), out->bytes + i);
}

static void on_answer(void *context, void *ticket, const struct lounge_answer *a) {
    (void)context;
    struct reply *reply = ticket;
    assert_false(reply->is_there);
    reply->is_there = true;
    reply->answer = *a;
    if (a->token != NULL)
        memcpy(reply->token, a->token, sizeof reply->token);
    if (a->owner_token != NULL)
        memcpy(reply->owner_token, a->owner_token, sizeof reply->owner_token);
}

static void on_listed(void *context, struct table *table) {
    (void)context;
    listed_count++;
    listed_table = table_id(table);
}

static void on_unlisted(void *context, uint64_t table) {
    (void)context;
    (void)table;
    unlisted_count++;
}

static void on_changed(void *context, uint64_t table) {
    (void)context;
    changed_count++;
    changed_table = table;
}

static const struct lounge_output output = {NULL, on_answer, on_listed, on_unlisted, on_changed};

static void on_restored(void *context, struct table *table) {
    (void)context;
    static const struct table_listener nobody;
    table_listen(table, &nobody);
}

static void lounge_start(void) {
    tables = tables_create(&(struct tables_config){.store = store, .wall_ms = on_wall, .secret = on_secret});
    assert_int_equal(tables_restore(tables, now_ms, on_restored, NULL), ERR_OK);
    history = history_create(store);
    thinker = thinker_inline_create();
    config.tables = tables;
    config.history = history;
    config.thinker = thinker;
    lounge = lounge_create(&config, &output);
    assert_int_equal(lounge_next_ms(lounge), 0);
    lounge_advance(lounge, now_ms);
}

static void lounge_end(void) {
    lounge_stop(lounge);
    while (thinker_inline_work(thinker)) {
    }
    lounge_free(lounge);
    history_free(history);
    thinker_free(thinker);
    tables_free(tables);
}

WORLD_FUNCTION int start(void **unused) {
    (void)unused;
    log_set_level(LOG_ERROR);
    rng_seed(&secrets, 9);
    now_ms = 1000;
    wall_ms = 1000000;
    reply_count = 0;
    listed_count = unlisted_count = changed_count = 0;
    memset(replies, 0, sizeof replies);
    config = lounge_config_default();
    store = store_memory_open(true);
    lounge_start();
    return 0;
}

WORLD_FUNCTION int stop(void **unused) {
    (void)unused;
    lounge_end();
    store_close(store);
    return 0;
}

WORLD_FUNCTION void restart(void) {
    lounge_end();
    lounge_start();
}

/* Everything that is on its way arrives; bots do not think meanwhile. */
WORLD_FUNCTION void settle(void) {
    while (store_drain(store) > 0) {
    }
}

WORLD_FUNCTION void think(void) {
    settle();
    while (thinker_inline_work(thinker))
        settle();
}

WORLD_FUNCTION void pass(uint64_t ms) {
    now_ms += ms;
    wall_ms += (int64_t)ms;
    tables_advance(tables, now_ms);
    lounge_advance(lounge, now_ms);
    settle();
}

WORLD_FUNCTION struct reply *ticket(void) {
    assert_true(reply_count < REPLIES_MAX);
    return &replies[reply_count++];
}

WORLD_FUNCTION struct lounge_order order_of(const struct game *game) {
    return (struct lounge_order){.game = game, .options = game_options_default(game, game->seats_min)};
}

/* Somebody who looks at the past: what is lacking is waited for. */
struct look {
    struct history *history;
    uint64_t table, version;
    bool is_until; /* what was known at a time, with next_ms */
    int64_t wall_ms, next_ms;
    void (*then)(struct look *); /* what is asked of the lounge, when all is at hand; or NULL */
    const struct lounge_order *order;
    struct reply *reply;
    unsigned seat, other, level;
    const char *text;
    const struct fold *fold;
    unsigned rounds;
    bool is_done;
};

static void look_try(void *context) {
    struct look *l = context;
    struct store_origin origin;
    history_begin(l->history);
    l->fold = l->is_until ? history_until(l->history, l->table, l->version, l->wall_ms, &l->next_ms)
                          : history_at(l->history, l->table, l->version);
    if (l->order != NULL && history_origin(l->history, l->table, &origin) == ERR_LATER)
        l->fold = NULL;
    l->is_done = !history_lacks(l->history);
    assert_true(l->rounds++ < 4);
    if (!l->is_done)
        history_wait(l->history, look_try, l);
    else if (l->then != NULL)
        l->then(l);
}

static const struct fold *look(struct look *l) {
    look_try(l);
    settle();
    assert_true(l->is_done);
    return l->fold;
}

WORLD_FUNCTION const struct fold *past_at(struct history *h, uint64_t table, uint64_t version) {
    return look(&(struct look){.history = h, .table = table, .version = version});
}

/* As the API does: a table that is not at hand is looked up first. */
WORLD_FUNCTION void ask(struct look *l) {
    l->history = history;
    l->version = HISTORY_LAST;
    if (tables_find(tables, l->table) != NULL)
        l->then(l);
    else
        look(l);
    settle();
    assert_true(l->reply->is_there);
}

static void open_then(struct look *l) {
    lounge_open(lounge, l->order, l->reply, now_ms);
}

WORLD_FUNCTION struct reply *open_table(const struct lounge_order *order) {
    struct reply *reply = ticket();
    if (order->from_table == 0)
        lounge_open(lounge, order, reply, now_ms);
    else
        look(&(struct look){.history = history,
                            .table = order->from_table,
                            .version = HISTORY_LAST,
                            .then = open_then,
                            .order = order,
                            .reply = reply});
    settle();
    assert_true(reply->is_there);
    return reply;
}

WORLD_FUNCTION struct reply *sit(uint64_t table, unsigned seat, const char *name) {
    struct reply *reply = ticket();
    lounge_sit(lounge, table, seat, span_of(name), SPAN(""), SPAN(""), reply, now_ms);
    settle();
    assert_true(reply->is_there);
    return reply;
}

static void act_then(struct look *l) {
    struct span texts[] = {span_of(l->text)};
    lounge_act(lounge, l->table, l->seat, LOUNGE_ANY_VERSION, texts, 1, l->reply, now_ms);
}

WORLD_FUNCTION enum err act(uint64_t table, unsigned seat, const char *text) {
    struct reply *reply = ticket();
    ask(&(struct look){.table = table, .then = act_then, .reply = reply, .seat = seat, .text = text});
    reply_count--;
    enum err why = reply->answer.why;
    *reply = (struct reply){0};
    return why;
}

/* A running table of two people. */
WORLD_FUNCTION uint64_t open_for_two(void) {
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t table = open_table(&order)->answer.table;
    assert_int_equal(sit(table, SEAT_WATCHER, "ann")->answer.seat, 0);
    assert_int_equal(sit(table, SEAT_WATCHER, "bob")->answer.seat, 1);
    return table;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, start, stop)

#endif
