/* What a move costs at a live table, whoever asks for it and however many look on: the rules run twice, once
 * on the copy that is judged and once in the fold, and the store is not read. */
#include "lounge_world.h"

#include "host/table/record.h"

enum { WATCHERS = 2, APPLIES_A_MOVE = 2 };

static unsigned applies, reads;
static struct game counted;
static struct store_ops counted_ops;
static const struct store_ops *ops;
static struct buf shown;

static void count_apply(struct game_state *state, unsigned seat, const struct action *action) {
    applies++;
    paper_soccer_game.apply(state, seat, action);
}

static enum err count_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                           void *context) {
    reads++;
    return ops->read(s, table, from_seq, visit, context);
}

/* Watchers look at all there is, with the eyes of everybody. */
static void look_at_event(void *context, struct table *t, const struct record *record) {
    (void)context;
    (void)t;
    for (unsigned viewer = 0; viewer <= 2; viewer++) {
        struct writer w;
        writer_init(&w, WRITER_JSON, &shown);
        buf_clear(&shown);
        record_write(&w, NULL, record, viewer < 2 ? viewer : (unsigned)SEAT_WATCHER);
    }
}

static void look_at_step(void *context, const struct table_notice *n) {
    (void)context;
    assert_non_null(notice_before(n, 0));
    assert_non_null(table_view(n->table, 1));
}

static uint64_t open_watched(void) {
    counted = paper_soccer_game;
    counted.apply = count_apply;
    struct lounge_order order = order_of(&counted);
    uint64_t id = open_table(&order)->answer.table;
    sit(id, 0, "ann");
    sit(id, 1, "bob");
    for (unsigned i = 0; i < WATCHERS; i++)
        table_watch(tables_find(tables, id),
                    &(struct table_listener){.happened = look_at_event, .played = look_at_step});
    ops = store->ops;
    counted_ops = *ops;
    counted_ops.read = count_read;
    store->ops = &counted_ops;
    applies = reads = 0;
    return id;
}

static void an_action_in_words_runs_the_rules_twice(void **state) {
    (void)state;
    uint64_t id = open_watched();
    assert_int_equal(act(id, 0, "N"), ERR_OK);
    assert_int_equal(applies, APPLIES_A_MOVE);
    assert_int_equal(act(id, 1, "W"), ERR_OK);
    assert_int_equal(applies, 2 * APPLIES_A_MOVE);
    assert_int_equal(reads, 0);
}

static void what_is_refused_runs_them_at_most_once(void **state) {
    (void)state;
    uint64_t id = open_watched();
    assert_int_not_equal(act(id, 1, "N"), ERR_OK);
    assert_int_not_equal(act(id, 0, "nonsense"), ERR_OK);
    assert_true(applies == 0 && reads == 0);
}

static void an_action_runs_them_twice(void **state) {
    (void)state;
    uint64_t id = open_watched();
    struct table *t = tables_find(tables, id);
    struct action north = pitch_action(NORTH), west = pitch_action(WEST);
    assert_int_equal(table_act(t, 0, &north, 1, now_ms), ERR_OK);
    settle();
    assert_int_equal(applies, APPLIES_A_MOVE);
    assert_int_equal(table_act(t, 1, &west, 1, now_ms), ERR_OK);
    settle();
    assert_int_equal(applies, 2 * APPLIES_A_MOVE);
    assert_int_equal(reads, 0);
}

static int stop_counting(void **state) {
    store->ops = ops;
    buf_free(&shown);
    return stop(state);
}

#define COST_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop_counting)

int main(void) {
    const struct CMUnitTest tests[] = {
        COST_TEST(an_action_in_words_runs_the_rules_twice),
        COST_TEST(what_is_refused_runs_them_at_most_once),
        COST_TEST(an_action_runs_them_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
