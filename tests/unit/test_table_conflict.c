/* Two nodes at one journal: whoever appends first wins, and the other folds what is new and judges its
 * request again, as if it had come now. Nothing is told twice and nothing is lost, also where a node hears
 * late of what the other has written. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "game/playout.h"
#include "games/eriantys/eriantys.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/table/internal.h"
#include "host/table/record.h"

enum { NODES = 2, TOLD_MAX = 20000, TURN_MS = 10000 };

/* A server: its tables, its own way to the store that both share, and what its table has told. */
struct node {
    struct store way; /* first */
    store_visit_commit *follow;
    void *follow_context;
    bool is_deaf; /* hears nothing of commits, not even its own, before it asks */
    bool is_full; /* its appends fail */
    struct store_request failed;
    void (*before_append)(void);
    struct tables *tables;
    struct table *table;
    uint64_t told[TOLD_MAX]; /* the numbers of the events, in the order of telling */
    size_t told_count;
    uint64_t known_seq; /* the last event before it began to tell */
    int settled, refused, stalled;
    enum err why;
    unsigned refused_seat;
};

static struct node nodes[NODES];
static struct store *memory;
static int64_t wall_ms;
static struct rng rng;

static struct node *node_of(struct store *s) {
    return (struct node *)(void *)s;
}

static void way_append(struct store *s, const struct store_request *r) {
    struct node *n = node_of(s);
    if (n->before_append != NULL)
        n->before_append();
    if (n->is_full)
        n->failed = *r;
    else
        store_append(memory, r);
}

static void way_load(struct store *s, const struct store_load *load) {
    (void)s;
    store_load(memory, load);
}

static size_t way_drain(struct store *s) {
    struct node *n = node_of(s);
    struct store_request failed = n->failed;
    n->failed = (struct store_request){0};
    if (failed.done != NULL)
        failed.done(failed.context, ERR_IO);
    store_work(memory);
    return store_drain(memory);
}

static enum err way_read_running(struct store *s, store_visit_event *visit, void *context) {
    (void)s;
    return store_read_running(memory, visit, context);
}

static enum err way_secret(struct store *s, uint64_t table, struct digest *out) {
    (void)s;
    return store_secret(memory, table, out);
}

static enum err way_last_table(struct store *s, uint64_t below, uint64_t *out) {
    (void)s;
    return store_last_table(memory, below, out);
}

static void way_follow(struct store *s, store_visit_commit *visit, void *context) {
    node_of(s)->follow = visit;
    node_of(s)->follow_context = context;
}

static void way_beat(struct store *s, int64_t now_ms) {
    s->last_beat_ms = now_ms;
}

static void on_commit(void *context, uint64_t table, const struct event *events, size_t count) {
    (void)context;
    for (size_t i = 0; i < NODES; i++)
        if (!nodes[i].is_deaf && nodes[i].follow != NULL)
            nodes[i].follow(nodes[i].follow_context, table, events, count);
}

static int64_t on_wall(void *context) {
    (void)context;
    return wall_ms;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&rng), out->bytes + i);
}

static int start(void **unused) {
    static const struct store_ops ops = {.append = way_append,
                                         .load = way_load,
                                         .drain = way_drain,
                                         .read_running = way_read_running,
                                         .secret = way_secret,
                                         .last_table = way_last_table,
                                         .follow = way_follow,
                                         .beat = way_beat};
    (void)unused;
    log_set_level(LOG_ERROR);
    rng_seed(&rng, 5);
    wall_ms = 1000000;
    memset(nodes, 0, sizeof nodes);
    memory = store_memory_open(false);
    store_follow(memory, on_commit, NULL);
    for (size_t i = 0; i < NODES; i++) {
        nodes[i].way.ops = &ops;
        nodes[i].tables = tables_create(
            &(struct tables_config){.store = &nodes[i].way, .wall_ms = on_wall, .secret = on_secret});
    }
    return 0;
}

static int stop(void **unused) {
    (void)unused;
    for (size_t i = 0; i < NODES; i++)
        tables_free(nodes[i].tables);
    store_close(memory);
    return 0;
}

static void on_happened(void *context, struct table *t, const struct record *record) {
    struct node *n = context;
    (void)t;
    assert_true(n->told_count < TOLD_MAX);
    n->told[n->told_count++] = record->event->seq;
}

static void on_settled(void *context, struct table *t) {
    struct node *n = context;
    assert_false(table_is_busy(t));
    n->settled++;
}

static void on_refused(void *context, struct table *t, unsigned seat, enum err why) {
    struct node *n = context;
    (void)t;
    n->refused_seat = seat;
    n->refused++;
    n->why = why;
}

static void on_stalled(void *context, struct table *t) {
    struct node *n = context;
    (void)t;
    n->stalled++;
}

static struct table_listener listener_of(struct node *n) {
    return (struct table_listener){.context = n,
                                   .settled = on_settled,
                                   .refused = on_refused,
                                   .stalled = on_stalled,
                                   .happened = on_happened};
}

static void on_restored(void *context, struct table *t) {
    struct node *n = context;
    struct table_listener listener = listener_of(n);
    table_listen(t, &listener);
    n->table = t;
    n->known_seq = table_version(t);
}

static void drain(void) {
    while (store_drain(&nodes[0].way) + store_drain(&nodes[1].way) > 0)
        continue;
}

/* A table that the first node opens and the second brings back from the journal. */
static void open_with(const struct game *game, unsigned seats, bool is_taken, bool violation_loses) {
    struct table_setup setup = {.id = tables_new_id(nodes[0].tables),
                                .game = game,
                                .options = game_options_default(game, seats),
                                .violation_loses = violation_loses,
                                .turn_timeout_ms = TURN_MS,
                                .protocol = "test"};
    for (unsigned seat = 0; seat < seats && is_taken; seat++)
        setup.names[seat] = SPAN("somebody");
    struct table_listener listener = listener_of(&nodes[0]);
    assert_int_equal(table_open(nodes[0].tables, &setup, &listener, 0, &nodes[0].table), ERR_OK);
    drain();
    assert_int_equal(tables_restore(nodes[1].tables, 0, on_restored, &nodes[1]), ERR_OK);
    assert_non_null(nodes[1].table);
    nodes[0].settled = 0;
}

static enum err go(struct node *n, unsigned seat, enum direction d) {
    struct action action = pitch_action(d);
    return table_act(n->table, seat, &action, 1, 0);
}

static enum err sit(struct node *n, unsigned seat, const char *name) {
    return table_sit(n->table, &(struct table_guest){.seat = seat, .name = span_of(name)}, NULL, 0, 0);
}

struct check {
    struct fold fold;
    struct digest secret;
    bool has_secret;
};

static bool check_event(void *context, uint64_t table, const struct event *event) {
    struct check *check = context;
    (void)table;
    if (check->has_secret)
        assert_int_equal(fold_check_dice(&check->fold, event, &check->secret), ERR_OK);
    assert_int_equal(fold_event(&check->fold, event), ERR_OK);
    return true;
}

/* Both are what the journal says, and have told all of it once, in order. */
static void assert_at_one(void) {
    uint64_t id = table_id(nodes[0].table);
    struct check check = {.has_secret = false};
    check.has_secret = store_secret(memory, id, &check.secret) == ERR_OK;
    fold_init(&check.fold, id);
    assert_int_equal(store_read(memory, id, 1, check_event, &check), ERR_OK);
    for (size_t i = 0; i < NODES; i++) {
        const struct node *n = &nodes[i];
        assert_int_equal(table_version(n->table), check.fold.last_seq);
        assert_memory_equal(table_state(n->table), check.fold.state, check.fold.game->state_size);
        assert_int_equal(table_state_word(n->table) == TABLE_OVER, check.fold.is_finished);
        assert_int_equal(n->told_count, check.fold.last_seq - n->known_seq);
        for (size_t k = 0; k < n->told_count; k++)
            assert_int_equal(n->told[k], n->known_seq + 1 + k);
        assert_false(table_is_busy(n->table));
    }
    fold_free(&check.fold);
}

static void the_second_of_two_moves_is_refused_with_the_word_of_the_rules(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    assert_int_equal(go(&nodes[1], 0, NORTH), ERR_OK);
    assert_int_equal(go(&nodes[0], 0, SOUTH), ERR_OK);
    drain();
    assert_int_equal(nodes[0].refused, 1);
    assert_int_equal(nodes[0].why, ERR_NOT_YOUR_TURN);
    assert_int_equal(nodes[0].settled, 1);
    assert_int_equal(nodes[0].stalled, 0);
    assert_int_equal(nodes[1].refused, 0);
    assert_int_equal(nodes[1].settled, 1);
    assert_at_one();
    assert_int_equal(go(&nodes[0], 1, WEST), ERR_OK); /* and it goes on */
    drain();
    assert_int_equal(nodes[0].settled, 2);
    assert_int_equal(nodes[1].settled, 2); /* which heard of it, too */
    assert_at_one();
}

static void what_is_still_allowed_is_appended_anew(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    uint64_t version = table_version(nodes[0].table);
    assert_int_equal(go(&nodes[0], 0, NORTH), ERR_OK);
    assert_int_equal(table_forfeit(nodes[1].table, 1, REASON_RESIGNED), ERR_OK);
    drain();
    assert_int_equal(nodes[1].refused, 0);
    assert_int_equal(nodes[1].settled, 1); /* with its own request, not before */
    assert_int_equal(nodes[0].settled, 2);
    assert_int_equal(table_version(nodes[0].table), version + 3);
    assert_int_equal(table_state_word(nodes[0].table), TABLE_OVER);
    assert_at_one();
}

static void only_one_of_two_resigns(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    assert_int_equal(table_forfeit(nodes[0].table, 0, REASON_RESIGNED), ERR_OK);
    assert_int_equal(table_forfeit(nodes[1].table, 1, REASON_RESIGNED), ERR_OK);
    drain();
    assert_int_equal(nodes[1].refused, 1);
    assert_int_equal(nodes[1].why, ERR_TABLE_OVER);
    assert_int_equal(nodes[1].refused_seat, 1);
    int32_t points[SEATS_MAX];
    table_points(nodes[1].table, points);
    assert_int_equal(points[0], 0);
    assert_int_equal(points[1], 1);
    assert_at_one();
}

static void a_seat_is_taken_once(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, false, false);
    assert_int_equal(sit(&nodes[1], 0, "ann"), ERR_OK);
    assert_int_equal(sit(&nodes[0], 0, "bob"), ERR_OK);
    drain();
    assert_int_equal(nodes[0].why, ERR_SEAT_TAKEN);
    assert_int_equal(nodes[0].refused_seat, 0);
    for (size_t i = 0; i < NODES; i++)
        assert_string_equal(table_name(nodes[i].table, 0), "ann");
    assert_at_one();
}

static void two_sit_down_beside_each_other(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, false, false);
    assert_int_equal(sit(&nodes[1], 0, "ann"), ERR_OK);
    assert_int_equal(sit(&nodes[0], 1, "bob"), ERR_OK);
    drain();
    assert_int_equal(nodes[0].refused + nodes[1].refused, 0);
    for (size_t i = 0; i < NODES; i++) {
        assert_string_equal(table_name(nodes[i].table, 0), "ann");
        assert_string_equal(table_name(nodes[i].table, 1), "bob");
    }
    assert_at_one();
}

/* The clock ran out here, but the move was first there. */
static void a_move_that_was_first_is_not_too_late(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    assert_int_equal(go(&nodes[0], 0, NORTH), ERR_OK);
    tables_advance(nodes[1].tables, TURN_MS);
    assert_true(table_is_busy(nodes[1].table));
    drain();
    assert_int_equal(nodes[1].why, ERR_NOT_YOUR_TURN);
    assert_int_equal(table_state_word(nodes[1].table), TABLE_RUNNING);
    assert_int_equal(table_left_ms(nodes[1].table, 1), TURN_MS);
    assert_at_one();
}

/* An illegal move that costs the seat; by what the other wrote it is nobody's turn to break rules. */
static void who_is_not_on_turn_any_more_breaks_no_rule(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, true);
    const struct action nonsense = {.kind = 99};
    assert_int_equal(go(&nodes[0], 0, NORTH), ERR_OK);
    assert_int_not_equal(table_act(nodes[1].table, 0, &nonsense, 1, 0), ERR_OK);
    assert_true(table_is_busy(nodes[1].table));
    drain();
    assert_int_equal(nodes[1].why, ERR_NOT_YOUR_TURN);
    assert_int_equal(table_state_word(nodes[1].table), TABLE_RUNNING);
    assert_at_one();
}

/* A node that hears late reads what is new, and what it then hears it does not tell again. */
static void what_was_read_is_not_told_again(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    nodes[1].is_deaf = true;
    assert_int_equal(go(&nodes[0], 0, NORTH), ERR_OK);
    drain();
    assert_int_equal(nodes[1].told_count, 0);
    assert_int_equal(go(&nodes[1], 0, SOUTH), ERR_OK);
    drain();
    assert_int_equal(nodes[1].why, ERR_NOT_YOUR_TURN);
    assert_int_equal(nodes[1].told_count, 1);
    assert_at_one();
    struct check check = {.has_secret = false};
    fold_init(&check.fold, table_id(nodes[0].table));
    assert_int_equal(store_read(memory, table_id(nodes[0].table), 1, check_event, &check), ERR_OK);
    nodes[1].follow(nodes[1].follow_context, table_id(nodes[0].table), &check.fold.last, 1);
    fold_free(&check.fold);
    assert_int_equal(nodes[1].told_count, 1);
    assert_int_equal(nodes[1].settled, 1);
    nodes[1].is_deaf = false;
    assert_int_equal(go(&nodes[1], 1, WEST), ERR_OK);
    drain();
    assert_at_one();
}

/* Somebody on turn who named the version acts on nothing else. */
static void a_request_for_one_version_is_not_judged_again(void **unused) {
    (void)unused;
    open_with(game_by_name(SPAN("renaissance")), 2, true, false);
    const struct game *game = table_game(nodes[0].table);
    struct action action;
    seat_set set = game->turn(table_state(nodes[1].table));
    unsigned seat = playout_seat(set, &rng);
    table_attend(nodes[0].table, 1 - seat, SEAT_AWAY, 0);
    assert_true(table_is_busy(nodes[0].table));
    game->sample(table_state(nodes[1].table), seat, &rng, &action);
    assert_int_equal(table_act(nodes[1].table, seat, &action, 1, 0), ERR_OK);
    table_pin_request(nodes[1].table);
    drain();
    assert_int_equal(nodes[1].why, ERR_CONFLICT);
    assert_at_one();
}

/* What waits for a disk that is full is judged again when there is news. */
static void a_request_that_stalls_is_judged_again(void **unused) {
    (void)unused;
    open_with(&paper_soccer_game, 2, true, false);
    nodes[1].is_full = true;
    assert_int_equal(go(&nodes[1], 0, NORTH), ERR_OK);
    drain();
    assert_int_equal(nodes[1].stalled, 1);
    assert_int_equal(go(&nodes[0], 0, SOUTH), ERR_OK);
    drain();
    assert_true(table_is_busy(nodes[1].table));
    assert_int_equal(nodes[1].told_count, 1);
    nodes[1].is_full = false;
    tables_beat(nodes[1].tables);
    assert_int_equal(nodes[1].why, ERR_NOT_YOUR_TURN);
    assert_int_equal(nodes[1].settled, 1);
    assert_at_one();
}

static int firsts;

/* The other node is always first: somebody sits down there, or gets up. */
static void be_first(void) {
    struct table *t = nodes[1].table;
    assert_int_equal(firsts++ % 2 == 0 ? sit(&nodes[1], 1, "ann") : table_get_up(t, 1, 0), ERR_OK);
}

static void conflicts_in_a_row_have_an_end(void **unused) {
    (void)unused;
    open_with(&eriantys_game, 4, false, false);
    nodes[0].before_append = be_first;
    firsts = 0;
    assert_int_equal(sit(&nodes[0], 0, "bob"), ERR_OK);
    drain();
    assert_int_equal(firsts, TABLE_CONFLICTS_MAX + 1);
    assert_int_equal(nodes[0].stalled, 1);
    assert_int_equal(nodes[0].settled, 0);
    nodes[0].before_append = NULL;
    tables_beat(nodes[0].tables);
    drain();
    assert_int_equal(nodes[0].settled, 1);
    assert_string_equal(table_name(nodes[1].table, 0), "bob");
    assert_at_one();
}

/* A table that both open under one id belongs to whoever was first. */
static void an_id_is_opened_once(void **unused) {
    (void)unused;
    struct table *there;
    struct table_setup setup = {.id = tables_new_number(nodes[0].tables),
                                .game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2),
                                .protocol = "test"};
    struct table_listener here = listener_of(&nodes[0]), other = listener_of(&nodes[1]);
    assert_int_equal(table_open(nodes[0].tables, &setup, &here, 0, &nodes[0].table), ERR_OK);
    assert_int_equal(table_open(nodes[1].tables, &setup, &other, 0, &there), ERR_OK);
    drain();
    assert_int_equal(nodes[0].settled, 1);
    assert_int_equal(nodes[1].settled, 0);
    assert_int_equal(nodes[1].stalled, 1);
    assert_int_equal(nodes[1].told_count, 0);
    assert_true(table_may_withdraw(there));
    table_withdraw(there);
    assert_null(tables_find(nodes[1].tables, setup.id));
}

/* Whole games that both nodes play at once, each for all seats, with news that come now and then. */
static void play_out(const struct game *game, unsigned seats) {
    open_with(game, seats, true, false);
    for (unsigned i = 0; i < 200000 && table_state_word(nodes[0].table) != TABLE_OVER; i++) {
        struct node *n = &nodes[rng_below(&rng, NODES)];
        seat_set set = game->turn(table_state(n->table));
        struct action action;
        if (!table_is_busy(n->table) && set != 0) {
            unsigned seat = playout_seat(set, &rng);
            game->sample(table_state(n->table), seat, &rng, &action);
            assert_int_equal(table_act(n->table, seat, &action, 1, 0), ERR_OK);
        }
        n->is_deaf = rng_below(&rng, 3) == 0 && !table_is_busy(n->table);
        if (rng_below(&rng, 2) == 0)
            store_drain(&nodes[0].way);
    }
    nodes[0].is_deaf = nodes[1].is_deaf = false;
    drain();
    assert_int_equal(table_state_word(nodes[0].table), TABLE_OVER);
    if (table_version(nodes[1].table) != table_version(nodes[0].table)) /* it has not heard of the end */
        assert_int_equal(table_forfeit(nodes[1].table, 0, REASON_RESIGNED), ERR_OK);
    drain();
    assert_at_one();
    assert_true(nodes[0].refused + nodes[1].refused > 0);
}

static void two_nodes_play_whole_games(void **unused) {
    static const struct {
        const char *game;
        unsigned seats;
    } plays[] = {{"paper-soccer", 2}, {"eriantys", 3}, {"renaissance", 4}, {"santorini", 2}};
    (void)unused;
    for (size_t i = 0; i < sizeof plays / sizeof plays[0]; i++) {
        if (i > 0) {
            stop(NULL);
            start(NULL);
            rng_seed(&rng, i);
        }
        play_out(game_by_name(span_of(plays[i].game)), plays[i].seats);
    }
}

#define CONFLICT_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        CONFLICT_TEST(the_second_of_two_moves_is_refused_with_the_word_of_the_rules),
        CONFLICT_TEST(what_is_still_allowed_is_appended_anew),
        CONFLICT_TEST(only_one_of_two_resigns),
        CONFLICT_TEST(a_seat_is_taken_once),
        CONFLICT_TEST(two_sit_down_beside_each_other),
        CONFLICT_TEST(a_move_that_was_first_is_not_too_late),
        CONFLICT_TEST(who_is_not_on_turn_any_more_breaks_no_rule),
        CONFLICT_TEST(what_was_read_is_not_told_again),
        CONFLICT_TEST(a_request_for_one_version_is_not_judged_again),
        CONFLICT_TEST(a_request_that_stalls_is_judged_again),
        CONFLICT_TEST(conflicts_in_a_row_have_an_end),
        CONFLICT_TEST(an_id_is_opened_once),
        CONFLICT_TEST(two_nodes_play_whole_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
