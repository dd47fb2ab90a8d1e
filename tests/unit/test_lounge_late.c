/* Requests of the lounge on a disk that is full: each is answered, and what the answer says about what has
 * become of it is true, also at tables that belong to another protocol. */
#include "lounge_world.h"

#include <string.h>

enum { FAILURES_MAX = 4 };

/* The store of the world with a disk that can be full: it refuses what is appended, in store_drain. */
static const struct store_ops *ops;
static struct store_ops full_ops;
static struct store_request failed[FAILURES_MAX];
static size_t failed_count;

static void full_append(struct store *s, const struct store_request *r) {
    (void)s;
    assert_true(failed_count < FAILURES_MAX);
    failed[failed_count++] = *r;
}

static size_t full_drain(struct store *s) {
    size_t count = failed_count;
    failed_count = 0;
    for (size_t i = 0; i < count; i++)
        failed[i].done(failed[i].context, ERR_IO);
    return count + ops->drain(s);
}

static void disk_fill(void) {
    ops = store->ops;
    full_ops = *ops;
    full_ops.append = full_append;
    full_ops.drain = full_drain;
    store->ops = &full_ops;
}

static void disk_empty(void) {
    store->ops = ops;
}

/* A protocol that has a door. */
static int owner_settled;

static void owner_on_settled(void *context, struct table *table) {
    (void)context;
    (void)table;
    owner_settled++;
}

static enum err door_open(void *context, const struct table_wish *wish, uint64_t at_ms, struct table **out) {
    (void)context;
    struct table_setup setup = {.id = tables_new_id(tables),
                                .game = &paper_soccer_game,
                                .options = wish->options,
                                .protocol = "test",
                                .house = wish->house};
    return table_open(tables, &setup, &(struct table_listener){.settled = owner_on_settled}, at_ms, out);
}

static const struct table_door door = {.protocol = "test", .game = &paper_soccer_game, .open = door_open};

static struct table *open_at_door(void) {
    struct lounge_order order = order_of(&paper_soccer_game);
    order.door = &door;
    uint64_t table = open_table(&order)->answer.table;
    assert_int_equal(sit(table, 0, "ann")->answer.seat, 0);
    return tables_find(tables, table);
}

static struct reply *act_begin(struct table *t, const char *text) {
    struct reply *reply = ticket();
    struct span texts[] = {span_of(text)};
    lounge_act(lounge, table_id(t), 0, LOUNGE_ANY_VERSION, texts, 1, reply, now_ms);
    settle();
    return reply;
}

static void wait_in_vain(void) {
    pass(TABLES_PATIENCE_MS);
    tables_beat(tables);
    settle();
}

static void assert_put_off(const struct reply *reply, bool is_undone) {
    assert_true(reply->is_there);
    assert_int_equal(reply->answer.why, ERR_BUSY);
    assert_int_equal(strstr(reply->answer.reason, "nothing has happened") != NULL, is_undone);
}

static void an_action_at_a_table_of_another_protocol_is_taken_back(void **state) {
    (void)state;
    struct table *t = open_at_door();
    assert_int_equal(sit(table_id(t), 1, "bob")->answer.seat, 1);
    uint64_t version = table_version(t);
    disk_fill();
    struct reply *reply = act_begin(t, "N");
    assert_false(reply->is_there);
    int before = owner_settled;
    wait_in_vain();
    assert_put_off(reply, true);
    assert_int_equal(owner_settled, before + 1); /* its players may go on */
    assert_false(table_is_busy(t));
    disk_empty();
    wait_in_vain();
    assert_int_equal(table_version(t), version);
    assert_int_equal(act(table_id(t), 0, "S"), ERR_OK);
    assert_int_equal(table_version(t), version + 1);
}

static void so_are_a_guest_and_a_resignation(void **state) {
    (void)state;
    struct table *t = open_at_door();
    struct reply *guest = ticket(), *resignation = ticket();
    disk_fill();
    lounge_sit(lounge, table_id(t), 1, SPAN("bob"), SPAN(""), SPAN(""), guest, now_ms);
    settle();
    wait_in_vain();
    assert_put_off(guest, true);
    disk_empty();
    assert_string_equal(table_name(t, 1), "");
    assert_int_equal(sit(table_id(t), 1, "cid")->answer.seat, 1);
    disk_fill();
    lounge_resign(lounge, table_id(t), 0, resignation, now_ms);
    settle();
    wait_in_vain();
    assert_put_off(resignation, true);
    disk_empty();
    wait_in_vain();
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_int_equal(act(table_id(t), 0, "N"), ERR_OK);
}

static void what_another_protocol_asks_stays(void **state) {
    (void)state;
    struct table *t = open_at_door();
    assert_int_equal(sit(table_id(t), 1, "bob")->answer.seat, 1);
    uint64_t version = table_version(t);
    struct action north = pitch_action(NORTH);
    disk_fill();
    assert_int_equal(table_act(t, 0, &north, 1, now_ms), ERR_OK);
    settle();
    struct reply *reply = act_begin(t, "N");
    wait_in_vain();
    assert_put_off(reply, true); /* it had not begun */
    assert_true(table_is_busy(t));
    disk_empty();
    wait_in_vain();
    assert_int_equal(table_version(t), version + 1);
}

/* The store says nothing, and then that it is not there. */
static void what_was_unknown_goes_when_it_is_refused(void **state) {
    (void)state;
    struct table *t = open_at_door();
    assert_int_equal(sit(table_id(t), 1, "bob")->answer.seat, 1);
    uint64_t version = table_version(t);
    struct reply *reply = ticket();
    struct span texts[] = {SPAN("N")};
    disk_fill();
    lounge_act(lounge, table_id(t), 0, LOUNGE_ANY_VERSION, texts, 1, reply, now_ms);
    now_ms += TABLES_PATIENCE_MS;
    tables_advance(tables, now_ms);
    tables_beat(tables);
    assert_put_off(reply, false);
    assert_true(table_is_busy(t));
    settle();
    wait_in_vain();
    assert_false(table_is_busy(t));
    disk_empty();
    wait_in_vain();
    assert_int_equal(table_version(t), version);
}

/* The protocol knows its table already. */
static void the_table_of_a_door_may_still_come(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    struct reply *reply = ticket();
    order.door = &door;
    disk_fill();
    lounge_open(lounge, &order, reply, now_ms);
    settle();
    wait_in_vain();
    assert_put_off(reply, false);
    disk_empty();
    wait_in_vain();
    assert_int_equal(tables_count(tables), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(an_action_at_a_table_of_another_protocol_is_taken_back),
        CASE(so_are_a_guest_and_a_resignation),
        CASE(what_another_protocol_asks_stays),
        CASE(what_was_unknown_goes_when_it_is_refused),
        CASE(the_table_of_a_door_may_still_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
