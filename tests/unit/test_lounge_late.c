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

/* Another writer of the same journal is first with a move of the seat on turn. */
static void write_first(const struct table *t, unsigned seat, enum direction d) {
    struct record last;
    struct buf body = {0};
    struct action action = pitch_action(d);
    assert_true(table_last(t, &last));
    event_action_write(&body, seat, &action, 1);
    struct event event = {
        .seq = table_version(t) + 1, .time_ms = wall_ms, .kind = EVENT_ACTION, .body = buf_span(&body)};
    event_chain(&event, table_id(t), &last.event->hash);
    store_append(store, &(struct store_request){.table = table_id(t),
                                                .expected_seq = table_version(t),
                                                .events = &event,
                                                .event_count = 1});
    buf_free(&body);
}

/* Whoever asked is told the word of the rules; with a version that it named, that it is another one. */
static void the_second_of_two_writers_is_told_why(void **state) {
    (void)state;
    struct span texts[] = {SPAN("S")};
    struct reply *late = ticket(), *named = ticket(), *giving_up = ticket();
    uint64_t id = open_for_two();
    struct table *t = tables_find(tables, id);
    write_first(t, 0, NORTH);
    lounge_act(lounge, id, 0, LOUNGE_ANY_VERSION, texts, 1, late, now_ms);
    settle();
    assert_true(late->is_there);
    assert_int_equal(late->answer.why, ERR_NOT_YOUR_TURN);
    write_first(t, 1, WEST);
    texts[0] = SPAN("E");
    lounge_act(lounge, id, 1, table_version(t), texts, 1, named, now_ms);
    settle();
    assert_true(named->is_there);
    assert_int_equal(named->answer.why, ERR_CONFLICT);
    write_first(t, 0, WEST);
    lounge_resign(lounge, id, 0, giving_up, now_ms); /* which is still allowed */
    settle();
    assert_true(giving_up->is_there);
    assert_int_equal(giving_up->answer.why, ERR_OK);
    assert_int_equal(table_state_word(t), TABLE_OVER);
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
        CASE(the_second_of_two_writers_is_told_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
