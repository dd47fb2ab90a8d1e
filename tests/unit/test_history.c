/* The past of tables: any of its positions, what was known when, and tables that go on from a beginning of
 * another. */
#include "lounge_world.h"

#include "base/mem.h"
#include "games/treasure_hunt/treasure_hunt.h"
#include "host/table/internal.h"

static void a_beginning_is_played_again(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    assert_int_equal(act(table, 1, "N"), ERR_OK);
    uint64_t version = table_version(tables_find(tables, table));
    assert_int_equal(act(table, 0, "NE"), ERR_OK);
    struct lounge_order order = order_of(&paper_soccer_game);
    order.from_table = table;
    order.from_version = version;
    assert_int_equal(open_table(&order)->answer.why, ERR_TABLE_RUNS);
    lounge_resign(lounge, table, 0, ticket(), now_ms);
    settle();
    const struct table *t = tables_find(tables, open_table(&order)->answer.table);
    const struct fold *fold = past_at(history, table, version);
    assert_memory_equal(table_state(t), fold->state, paper_soccer_game.state_size);
    order = order_of(&treasure_hunt_game);
    order.from_table = table;
    order.from_version = version;
    assert_int_equal(open_table(&order)->answer.why, ERR_FROM_IMPOSSIBLE);
}

/* A finished table of bots. */
static uint64_t played_by_bots(const struct lounge_order *order) {
    uint64_t table = open_table(order)->answer.table;
    think();
    assert_int_equal(table_state_word(tables_find(tables, table)), TABLE_OVER);
    return table;
}

struct verifying {
    struct fold fold;
    struct digest secret;
    size_t given, drawn;
};

static bool verify_event(void *context, uint64_t table, const struct event *event) {
    struct verifying *v = context;
    static struct event_action action;
    (void)table;
    assert_int_equal(fold_check_dice(&v->fold, event, &v->secret), ERR_OK);
    assert_int_equal(fold_event(&v->fold, event), ERR_OK);
    if (event->kind != EVENT_CHANCE)
        return true;
    assert_int_equal(event_action_read(event->body, &action), ERR_OK);
    v->given += action.is_given;
    v->drawn += !action.is_given;
    assert_true(!action.is_given || v->drawn == 0);
    return true;
}

/* The journal of a finished table is as anybody can check it. */
static void verify(uint64_t table, size_t *given, size_t *drawn) {
    struct verifying v = {.secret = past_at(history, table, HISTORY_LAST)->result->secret};
    fold_init(&v.fold, table);
    assert_int_equal(store_read(store, table, 1, verify_event, &v), ERR_OK);
    assert_true(v.fold.is_finished);
    fold_free(&v.fold);
    *given = v.given;
    *drawn = v.drawn;
}

/* Every game is gone on with from about its middle, twice: what chance decided before is the same, and the
 * journals are good. */
static void a_beginning_with_chance_is_played_again(void **state) {
    (void)state;
    size_t given_count = 0, drawn_count = 0;
    for (size_t i = 0; games[i] != NULL; i++) {
        struct lounge_order order = order_of(games[i]);
        for (unsigned seat = 0; seat < order.options.seat_count; seat++)
            order.bot_level[seat] = 1;
        order.from_version =
            table_version(tables_find(tables, order.from_table = played_by_bots(&order))) / 2;
        const struct fold *fold = past_at(history, order.from_table, order.from_version);
        struct game_state *there = game_state_alloc(games[i]);
        memcpy(there, fold->state, games[i]->state_size);
        bool is_chance = games[i]->turn(there) == SEAT_BIT(SEAT_CHANCE);
        for (int run = 0; run < 2; run++) {
            size_t given, drawn;
            const struct reply *reply = open_table(&order);
            assert_int_equal(reply->answer.why, ERR_OK);
            uint64_t table = reply->answer.table;
            assert_true(is_chance ||
                        memcmp(table_state(tables_find(tables, table)), there, games[i]->state_size) == 0);
            restart();
            think();
            verify(table, &given, &drawn);
            given_count += given;
            drawn_count += drawn;
            reply_count = 0;
            memset(replies, 0, sizeof replies);
        }
        mem_free(there);
    }
    assert_true(given_count > 0 && drawn_count > 0);
}

static void beginnings_are_refused(void **state) {
    (void)state;
    struct lounge_order order = order_of(&treasure_hunt_game);
    order.bot_level[0] = order.bot_level[1] = 1;
    order.from_table = played_by_bots(&order);
    uint64_t last = table_version(tables_find(tables, order.from_table));
    for (uint64_t version = last - 1; version < last + 2; version++) { /* the end, its result, and beyond */
        order.from_version = version;
        assert_int_equal(open_table(&order)->answer.why, ERR_FROM_IMPOSSIBLE);
    }
    order.from_version = 1; /* nothing but the set-up: chance begins anew */
    assert_int_equal(open_table(&order)->answer.why, ERR_OK);
    order.from_version = last - 2;
    order.from_table = 77;
    assert_int_equal(open_table(&order)->answer.why, ERR_FROM_IMPOSSIBLE);
}

static void history_goes_anywhere(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    static const char *const moves[] = {"N", "N", "NE", "W"};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(act(table, i % 2, moves[i]), ERR_OK);
    uint64_t last = table_version(tables_find(tables, table));
    static const uint64_t order[] = {6, 1, 4, 5, 2, 6, 3, 3};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct fold *fold = past_at(history, table, order[i]);
        assert_non_null(fold);
        assert_int_equal(fold->last_seq, order[i]);
        assert_int_equal(record_last(fold).event->seq, order[i]);
    }
    assert_int_equal(past_at(history, table, HISTORY_LAST)->last_seq, last);
    assert_null(past_at(history, table, last + 1));
    assert_null(past_at(history, table, 0));
    assert_null(past_at(history, 77, HISTORY_LAST));
    assert_false(history_is_finished(history, table));
    lounge_resign(lounge, table, 0, ticket(), now_ms);
    settle();
    assert_true(past_at(history, table, HISTORY_LAST)->is_finished);
    assert_true(history_is_finished(history, table));
    assert_non_null(past_at(history, table, 2));
    assert_true(history_is_finished(history, table));
}

/* What was known of a table at a time. */
static const struct fold *known_at(struct history *h, uint64_t table, int64_t at_ms, int64_t *next_ms) {
    struct look l = {
        .history = h, .table = table, .version = HISTORY_LAST, .is_until = true, .wall_ms = at_ms};
    const struct fold *fold = look(&l);
    *next_ms = l.next_ms;
    return fold;
}

/* The moves are a second apart; the first event that is too young ends it, whatever follows. */
static void history_knows_what_was_known_when(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    int64_t begun_ms = wall_ms, next_ms;
    for (unsigned i = 0; i < 3; i++) {
        pass(1000);
        assert_int_equal(act(table, i % 2, "N"), ERR_OK);
    }
    wall_ms = begun_ms; /* somebody sets the clock back */
    assert_int_equal(act(table, 1, "NE"), ERR_OK);
    struct history *late = history_create(store);
    assert_int_equal(known_at(late, table, begun_ms - 1, &next_ms)->last_seq, 1);
    assert_int_equal(next_ms, begun_ms);
    assert_int_equal(known_at(late, table, begun_ms, &next_ms)->last_seq, 3);
    assert_int_equal(next_ms, begun_ms + 1000);
    assert_int_equal(known_at(late, table, begun_ms + 2999, &next_ms)->last_seq, 5);
    assert_int_equal(next_ms, begun_ms + 3000);
    assert_int_equal(known_at(late, table, begun_ms, &next_ms)->last_seq, 5); /* it stays */
    assert_int_equal(known_at(late, table, begun_ms + 3000, &next_ms)->last_seq, 7);
    assert_int_equal(next_ms, INT64_MAX);
    assert_null(known_at(late, 77, begun_ms, &next_ms));
    history_free(late);
}

static unsigned come_count;

static void come(void *context) {
    const uint64_t *table = context;
    come_count++;
    assert_non_null(history_at(history, *table, 2));
    assert_int_equal(history_at(history, *table, HISTORY_LAST)->last_seq, 3);
    assert_false(history_lacks(history));
}

/* Nothing is read before somebody waits for it; what was read stays at hand, the newest is asked for anew. */
static void what_is_lacking_is_waited_for(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    history_begin(history);
    assert_null(history_at(history, table, 2));
    assert_int_equal(history_error(history), ERR_LATER);
    assert_null(history_at(history, table, HISTORY_LAST));
    assert_true(history_lacks(history));
    come_count = 0;
    history_wait(history, come, &table);
    assert_false(history_lacks(history));
    assert_null(history_at(history, table, 2)); /* it comes with store_drain */
    assert_int_equal(come_count, 0);
    struct history_wait *unwanted = history_wait(history, come, &table);
    history_wait_forget(unwanted);
    settle();
    assert_int_equal(come_count, 1);
    history_begin(history);
    for (uint64_t version = 3; version > 0; version--)
        assert_non_null(history_at(history, table, version));
    assert_int_equal(history_has(history, table, 1, 3), ERR_OK);
    assert_false(history_lacks(history));
    assert_int_equal(history_has(history, table, 1, 4), ERR_LATER);
    assert_null(history_at(history, table, HISTORY_LAST)); /* there may be more by now */
    assert_true(history_lacks(history));
}

/* Whoever asks while a journal is on its way may mean something that was not there when it was read. */
static void what_was_asked_for_later_is_read_later(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    struct look early = {.history = history, .table = table, .version = 3};
    struct look late = {.history = history, .table = table, .version = 4};
    look_try(&early); /* is read at once, and not delivered yet */
    struct reply *reply = ticket();
    struct span texts[] = {SPAN("N")};
    lounge_act(lounge, table, 0, LOUNGE_ANY_VERSION, texts, 1, reply, now_ms);
    look_try(&late);
    settle();
    assert_true(early.is_done && early.fold != NULL);
    assert_true(late.is_done && late.fold != NULL);
    assert_int_equal(late.fold->last_seq, 4);
}

static const struct store_ops *ops_before;
static struct store_ops failing_ops;

static void failing_load(struct store *s, const struct store_load *load) {
    struct store_load vain = *load;
    vain.table = UINT64_MAX; /* nothing of it */
    ops_before->load(s, &vain);
}

static enum err load_error;
static store_done *real_done;

static void fail_done(void *context, enum err e) {
    (void)e;
    real_done(context, load_error);
}

static void failing_load_with_error(struct store *s, const struct store_load *load) {
    struct store_load vain = *load;
    real_done = load->done;
    vain.done = fail_done;
    failing_load(s, &vain);
}

/* A store that cannot be read is another thing than a table that is not there. */
static void a_journal_that_cannot_be_read_is_said_to_be(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    struct look l = {.history = history, .table = table, .version = 2};
    ops_before = store->ops;
    failing_ops = *ops_before;
    failing_ops.load = failing_load_with_error;
    store->ops = &failing_ops;
    load_error = ERR_IO;
    assert_null(look(&l));
    assert_int_equal(history_error(history), ERR_IO);
    store->ops = ops_before;
    assert_non_null(past_at(history, table, 2)); /* it is tried again */
    assert_null(past_at(history, table + 1, 2));
    assert_int_equal(history_error(history), ERR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_beginning_is_played_again),
        CASE(a_beginning_with_chance_is_played_again),
        CASE(beginnings_are_refused),
        CASE(history_goes_anywhere),
        CASE(history_knows_what_was_known_when),
        CASE(what_is_lacking_is_waited_for),
        CASE(what_was_asked_for_later_is_read_later),
        CASE(a_journal_that_cannot_be_read_is_said_to_be),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
