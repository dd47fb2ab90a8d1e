/* Tables on a journal: nothing happens before it is on disk, nothing is lost when the disk fails, everything
 * comes back after a restart. Driven with Paper Soccer and with the fixture game, which has chance and
 * secrets. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "fixture_game.h"
#include "game/playout.h"
#include "games/eriantys.h"
#include "games/paper_soccer.h"
#include "games/santorini.h"
#include "host/fold.h"
#include "host/table.h"

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

static void full_follow(struct store *s, store_visit_event *v, void *c) {
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

static int start(void **unused) {
    (void)unused;
    log_set_level(LOG_ERROR);
    rng_seed(&secrets, 9);
    wall_ms = 1000000;
    settled_count = stalled_count = 0;
    disk = (struct full_store){.memory = store_memory_open(false)};
    disk.memory_ops = disk.memory->ops;
    disk.ops = (struct store_ops){.append = full_append,
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

static int stop(void **unused) {
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

static struct table_setup setup_of(const struct game *game, uint32_t seats) {
    return (struct table_setup){.id = tables_new_id(tables),
                                .game = game,
                                .options = game_options_default(game, seats),
                                .protocol = "test",
                                .names = {SPAN("ann"), SPAN("bob"), SPAN("cid"), SPAN("dan")},
                                .draws_seats = true};
}

static struct table *open_table(const struct table_setup *setup) {
    struct table *t;
    assert_int_equal(table_open(tables, setup, &listener, 0, &t), ERR_OK);
    return t;
}

static struct table *open_soccer(bool violation_loses) {
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.violation_loses = violation_loses;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    return t;
}

static enum err step(struct table *t, unsigned seat, enum direction d) {
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
static void check_journal(const struct table *t) {
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
        assert_memory_equal(points, check.fold.result.points, sizeof points);
        assert_int_equal(check.fold.result.outcome, table_outcome(t));
    }
    fold_free(&check.fold);
}

static void nothing_happens_before_it_is_on_disk(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    struct table *t = open_table(&setup);
    assert_int_equal(table_state_word(t), TABLE_OPENING);
    assert_int_equal(step(t, 0, NORTH), ERR_BUSY);
    assert_int_equal(settled_count, 0);
    store_drain(&disk.base);
    assert_int_equal(settled_count, 1);
    struct pitch before = *(const struct pitch *)table_state(t);
    assert_int_equal(step(t, 1, NORTH), ERR_NOT_YOUR_TURN);
    assert_int_equal(step(t, 5, NORTH), ERR_NOT_YOUR_TURN);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    assert_true(table_is_busy(t));
    assert_memory_equal(&before, table_state(t), sizeof before);
    assert_int_equal(table_forfeit(t, 1, REASON_LEFT), ERR_BUSY);
    assert_int_equal(table_abandon(t), ERR_BUSY);
    store_drain(&disk.base);
    assert_int_equal(settled_count, 2);
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 1);
    check_journal(t);
}

static void a_request_counts_whole_or_not_at_all(void **unused) {
    (void)unused;
    struct table *t = open_soccer(false);
    struct action actions[] = {pitch_action(NORTH), pitch_action(NORTH)}; /* the second is the other seat's */
    uint64_t version = table_version(t);
    assert_int_equal(table_act(t, 0, actions, 2, 0), ERR_NOT_YOUR_TURN);
    assert_int_equal(table_act(t, 0, actions, 0, 0), ERR_ACTION_UNKNOWN);
    assert_false(table_is_busy(t));
    assert_int_equal(table_version(t), version);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    check_journal(t);
}

static bool forfeit_find(void *context, uint64_t table, const struct event *event) {
    (void)table;
    if (event->kind == EVENT_FORFEIT)
        assert_int_equal(event_forfeit_read(event->body, context), ERR_OK);
    return true;
}

/* The journal knows what was broken and what was sent, as much as has room. */
static void a_violation_is_explained(void **unused) {
    (void)unused;
    struct event_forfeit forfeit;
    struct buf sent = {0};
    for (int i = 0; i < EVENT_SENT_BYTES_MAX; i++)
        buf_append_text(&sent, i == 0 ? "x" : "\xc3\xa4");
    struct table *t = open_soccer(true);
    assert_int_equal(
        table_violate(t, 1, &(struct table_breach){.why = ERR_STEP_USED, .sent = buf_span(&sent)}), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(store_read(&disk.base, table_id(t), 1, forfeit_find, &forfeit), ERR_OK);
    assert_int_equal(forfeit.seat, 1);
    assert_string_equal(forfeit.why, err_sentence(ERR_STEP_USED));
    assert_string_equal(forfeit.rule, err_rule(ERR_STEP_USED));
    assert_int_equal(strlen(forfeit.sent), EVENT_SENT_BYTES_MAX - 1); /* no half character */
    check_journal(t);
    t = open_soccer(true);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(step(t, 1, SOUTH), ERR_STEP_USED);
    store_drain(&disk.base);
    assert_int_equal(store_read(&disk.base, table_id(t), 1, forfeit_find, &forfeit), ERR_OK);
    assert_string_equal(forfeit.rule, err_rule(ERR_STEP_USED));
    buf_free(&sent);
}

static void a_violation_loses_where_policy_says_so(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    assert_int_equal(step(t, 1, NORTH), ERR_NOT_YOUR_TURN); /* never a violation */
    assert_false(table_is_busy(t));
    struct action nonsense = {.kind = 77};
    assert_int_equal(table_act(t, 0, &nonsense, 1, 0), ERR_ACTION_UNKNOWN);
    store_drain(&disk.base);
    int32_t points[SEATS_MAX];
    assert_int_equal(table_state_word(t), TABLE_OVER);
    table_points(t, points);
    assert_int_equal(points[0], 0);
    assert_int_equal(points[1], 1);
    assert_int_equal(table_outcome(t), OUTCOME_FORFEITED);
    assert_int_equal(step(t, 1, NORTH), ERR_TABLE_OVER);
    check_journal(t);
}

static void a_full_disk_loses_nothing(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    uint64_t version = table_version(t);
    disk.is_full = true;
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(stalled_count, 1);
    assert_int_equal(settled_count, 1);
    assert_int_equal(table_version(t), version);
    for (int i = 0; i < 3; i++) { /* told once, tried again and again */
        tables_beat(tables);
        store_drain(&disk.base);
    }
    assert_int_equal(stalled_count, 1);
    assert_int_equal(step(t, 0, SOUTH), ERR_BUSY);
    disk.is_full = false;
    tables_beat(tables);
    store_drain(&disk.base);
    assert_int_equal(settled_count, 2);
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 1);
    tables_beat(tables); /* and not a second time */
    store_drain(&disk.base);
    assert_int_equal(settled_count, 2);
    check_journal(t);
}

static void a_table_may_be_forgotten_while_it_is_saved(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    uint64_t id = table_id(t);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    table_close(t);
    assert_int_equal(tables_count(tables), 1);
    store_drain(&disk.base);
    assert_int_equal(tables_count(tables), 0);
    assert_int_equal(settled_count, 1); /* nobody wanted to know */
    struct check check = {0};
    fold_init(&check.fold, id);
    assert_int_equal(store_read(&disk.base, id, 1, fold_next, &check), ERR_OK);
    assert_int_equal(check.fold.plies, 1);
    fold_free(&check.fold);
}

static void seats_are_drawn_by_the_dice(void **unused) {
    (void)unused;
    int first[2] = {0, 0};
    for (int i = 0; i < 200; i++) {
        struct table *t = open_soccer(true);
        first[strcmp(table_name(t, 0), "ann") == 0]++;
        assert_string_not_equal(table_name(t, 0), table_name(t, 1));
        check_journal(t);
        table_close(t);
    }
    assert_in_range(first[0], 70, 130);
}

/* Plays a whole table of the fixture game at random and checks its journal after every request. */
static void chance_is_drawn_and_written_with_the_move(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 4);
    for (uint32_t seats = fixture_game.seats_min; seats <= fixture_game.seats_max; seats++) {
        struct table_setup setup = setup_of(&fixture_game, seats);
        struct table *t = open_table(&setup);
        store_drain(&disk.base);
        while (table_state_word(t) == TABLE_RUNNING) {
            seat_set set = fixture_game.turn(table_state(t));
            assert_true(set != 0 && (set & SEAT_BIT(SEAT_CHANCE)) == 0); /* chance never waits for anybody */
            unsigned seat = playout_seat(set, &rng);
            struct action action;
            fixture_game.sample(table_state(t), seat, &rng, &action);
            assert_int_equal(table_act(t, seat, &action, 1, 0), ERR_OK);
            store_drain(&disk.base);
            check_journal(t);
        }
        assert_int_equal(table_outcome(t), OUTCOME_PLAYED);
        table_close(t);
    }
}

/* What a watch has been told, as words. */
static struct buf told;

static void told_played(void *context, struct table *t, unsigned seat, const struct action *action,
                        const struct game_state *before) {
    struct game_state *after = game_state_alloc(table_game(t));
    memcpy(after, before, table_game(t)->state_size);
    assert_int_equal(table_game(t)->check(before, seat, action), ERR_OK);
    table_game(t)->apply(after, seat, action);
    assert_memory_equal(after, table_state(t), table_game(t)->state_size);
    mem_free(after);
    struct action only = {0};
    assert_int_equal(table_act(t, 0, &only, 1, 0), ERR_BUSY);
    buf_printf(&told, "%s%u ", (const char *)context, seat);
}

static void told_attended(void *context, struct table *t, unsigned seat, enum attendance attendance,
                          const struct game_state *before) {
    static const char *const words[] = {"away", "back", "retired"};
    assert_memory_not_equal(before, table_state(t), table_game(t)->state_size);
    buf_printf(&told, "%s%s%u ", (const char *)context, words[attendance], seat);
}

static void told_sat(void *context, struct table *t, unsigned seat) {
    buf_printf(&told, "%ssat%u=%s ", (const char *)context, seat, table_name(t, seat));
}

static void told_settled(void *context, struct table *t) {
    buf_printf(&told, "%ssettled%llu ", (const char *)context, (unsigned long long)table_version(t));
}

static void told_presence(void *context, struct table *t, unsigned seat) {
    buf_printf(&told, "%s%s%u ", (const char *)context, table_is_online(t, seat) ? "on" : "off", seat);
}

static void told_closed(void *context, struct table *t) {
    (void)t;
    buf_printf(&told, "%sclosed ", (const char *)context);
}

static struct table_listener teller(char *name) {
    return (struct table_listener){.context = name,
                                   .settled = told_settled,
                                   .sat = told_sat,
                                   .played = told_played,
                                   .attended = told_attended,
                                   .presence = told_presence,
                                   .closed = told_closed};
}

static void expect_told(const char *words) {
    buf_append_byte(&told, '\0');
    assert_string_equal(told.data, words);
    buf_clear(&told);
}

static void those_who_watch_are_told_step_by_step(void **unused) {
    (void)unused;
    char a[] = "a:", b[] = "b:";
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.names[1] = (struct span){0};
    struct table *t = open_table(&setup);
    struct table_listener first = teller(a), second = teller(b);
    struct table_watch *watch = table_watch(t, &first);
    table_watch(t, &second);
    store_drain(&disk.base);
    expect_told("a:sat0=ann b:sat0=ann a:settled2 b:settled2 ");
    struct table_guest guest = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_free_seats(t), 1);
    assert_int_equal(table_sit(t, &guest, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_free_seats(t), 0);
    expect_told("a:sat1=bob b:sat1=bob a:settled3 b:settled3 ");
    table_set_online(t, 1, true);
    table_set_online(t, 1, true);
    expect_told("a:on1 b:on1 ");
    table_unwatch(watch);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    expect_told("b:0 b:settled4 ");
    check_journal(t);
    table_close(t);
    expect_told("b:closed ");
    buf_free(&told);
}

static void tables_are_listed_from_the_newest(void **unused) {
    (void)unused;
    struct table *old = open_soccer(true), *middle = open_soccer(true), *new = open_soccer(true);
    assert_ptr_equal(tables_newest(tables), new);
    assert_ptr_equal(table_older(new), middle);
    table_close(middle);
    assert_ptr_equal(table_older(new), old);
    assert_null(table_older(old));
}

static struct table *open_bids(void) {
    struct table_setup setup = setup_of(&fixture_game, 3);
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    return t;
}

static void whoever_is_away_does_not_hold_up_the_table(void **unused) {
    (void)unused;
    char a[] = "";
    struct table *t = open_bids();
    struct table_listener all = teller(a);
    table_watch(t, &all);
    struct action bid = {.kind = BIDS_BID, .arg = {0}};
    assert_int_equal(table_act(t, 0, &bid, 1, 0), ERR_OK);
    table_attend(t, 1, SEAT_AWAY, 0); /* one after the other: the bid is still being saved */
    table_attend(t, 1, SEAT_BACK, 0); /* and only the last wish counts */
    table_attend(t, 2, SEAT_AWAY, 0);
    while (store_drain(&disk.base) > 0)
        ;
    expect_told("0 settled9 away2 settled10 ");
    assert_int_equal(fixture_game.turn(table_state(t)), SEAT_BIT(1));
    assert_int_equal(table_act(t, 1, &bid, 1, 0), ERR_OK);
    store_drain(&disk.base);
    expect_told("1 4 settled12 "); /* and the die of the next round */
    assert_int_equal(fixture_game.turn(table_state(t)), SEAT_BIT(0) | SEAT_BIT(1));
    check_journal(t);
    buf_free(&told);
}

static void a_table_goes_on_without_who_retires_when_the_rules_know_how(void **unused) {
    (void)unused;
    struct table *t = open_bids();
    assert_int_equal(table_forfeit(t, 1, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_int_equal(fixture_game.turn(table_state(t)), SEAT_BIT(0) | SEAT_BIT(2));
    assert_int_equal(table_forfeit(t, 1, REASON_RESIGNED), ERR_TABLE_OVER);
    table_attend(t, 1, SEAT_BACK, 0); /* too late */
    assert_false(table_is_busy(t));
    check_journal(t);
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_OK);
    store_drain(&disk.base);
    table_attend(t, 2, SEAT_RETIRED, 0);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER); /* nobody is left, and all rounds go by */
    assert_int_equal(table_outcome(t), OUTCOME_PLAYED);
    check_journal(t);
}

static struct table *restored[16];
static size_t restored_count;

static void on_restored(void *context, struct table *t) {
    (void)context;
    table_listen(t, &listener);
    restored[restored_count++] = t;
}

static void restart(uint64_t now_ms) {
    tables_free(tables);
    tables_start();
    restored_count = 0;
    assert_int_equal(tables_restore(tables, now_ms, on_restored, NULL), ERR_OK);
}

static void a_restart_brings_running_tables_back(void **unused) {
    (void)unused;
    struct table *over = open_soccer(true), *t = open_soccer(true);
    assert_int_equal(table_forfeit(over, 0, REASON_RESIGNED), ERR_OK);
    assert_int_equal(step(t, 0, NORTH_EAST), ERR_OK);
    store_drain(&disk.base);
    struct pitch before = *(const struct pitch *)table_state(t);
    uint64_t id = table_id(t), version = table_version(t);
    char name[EVENT_NAME_BYTES_MAX + 1];
    snprintf(name, sizeof name, "%s", table_name(t, 1));
    restart(0);
    assert_int_equal(restored_count, 1);
    t = tables_find(tables, id);
    assert_ptr_equal(t, restored[0]);
    assert_memory_equal(&before, table_state(t), sizeof before);
    assert_int_equal(table_version(t), version);
    assert_string_equal(table_name(t, 1), name);
    assert_string_equal(table_protocol(t), "test");
    assert_int_equal(step(t, 1, SOUTH), ERR_OK);
    store_drain(&disk.base);
    check_journal(t);
    assert_int_equal(table_abandon(t), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_outcome(t), OUTCOME_UNDECIDED);
    check_journal(t);
    restart(0);
    assert_int_equal(restored_count, 0);
}

static void what_was_not_on_disk_did_not_happen(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    uint64_t version = table_version(t), id = table_id(t);
    disk.is_full = true;
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    disk.failed_count = 0; /* the process ends here */
    disk.is_full = false;
    restart(0);
    t = tables_find(tables, id);
    assert_int_equal(table_version(t), version);
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 0);
}

static void clocks_do_not_charge_an_outage(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.turn_timeout_ms = 10000;
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    store_drain(&disk.base);
    assert_true(tables_next_ms(tables) == 10000);
    wall_ms += 4000; /* four seconds of the turn are used */
    tables_beat(tables);
    wall_ms += 3600000; /* and then nobody is there for an hour */
    restart(50);
    assert_true(tables_next_ms(tables) == 50 + 6000);
    tables_advance(tables, 50 + 5999);
    t = tables_find(tables, id);
    assert_false(table_is_busy(t));
    tables_advance(tables, 50 + 6000);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    int32_t points[SEATS_MAX];
    table_points(t, points);
    assert_int_equal(points[0], 0);
    assert_int_equal(points[1], 1);
    check_journal(t);
}

static void a_move_stops_the_clock_of_its_seat(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.turn_timeout_ms = 10000;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    struct action action = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &action, 1, 9000), ERR_OK);
    assert_true(tables_next_ms(tables) == TIMERS_NEVER); /* a slow disk is nobody's fault */
    tables_advance(tables, 30000);
    store_drain(&disk.base);
    assert_true(tables_next_ms(tables) == 40000);
}

static void numbers_go_on_after_a_restart(void **unused) {
    (void)unused;
    char code[TABLE_CODE_CHARS + 1];
    for (int i = 1; i <= 12; i++) {
        struct table_setup setup = setup_of(&paper_soccer_game, 2);
        setup.id = tables_new_number(tables);
        char expected[8];
        snprintf(expected, sizeof expected, "%d", i);
        table_code_format(setup.id, code);
        assert_string_equal(code, expected);
        open_table(&setup);
        store_drain(&disk.base);
        if (i == 9)
            restart(0);
    }
}

static void guests_sit_down_one_by_one(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    setup.note = SPAN("policy");
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "");
    struct digest token = {{7}};
    struct action north = pitch_action(NORTH);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .token = &token, .note = SPAN("first")};
    assert_int_equal(table_sit(t, &ann, &north, 1, 0), ERR_OK);
    assert_string_equal(table_name(t, 0), ""); /* not before it is on disk */
    assert_null(table_token(t, 0));
    struct table_guest bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_BUSY);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "ann");
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 1);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    check_journal(t);
    struct digest derived, again;
    table_derive(t, "test", 1, 2, &derived);
    restart(0);
    t = tables_find(tables, id);
    assert_string_equal(table_name(t, 0), "ann");
    assert_string_equal(table_name(t, 1), "bob");
    assert_true(digest_equal(table_token(t, 0), &token));
    assert_null(table_token(t, 1));
    assert_string_equal(table_note(t, 0), "first");
    assert_string_equal(table_note(t, 1), "");
    assert_string_equal(table_setup_note(t), "policy");
    table_derive(t, "test", 1, 2, &again);
    assert_true(digest_equal(&derived, &again));
    table_derive(t, "test", 2, 1, &again);
    assert_false(digest_equal(&derived, &again));
}

static void guests_are_refused_without_a_trace(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.names[1] = (struct span){0};
    setup.violation_loses = true;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    uint64_t version = table_version(t);
    char too_long[EVENT_NAME_BYTES_MAX + 1];
    memset(too_long, 'x', sizeof too_long);
    struct action east = pitch_action(EAST), nothing = {.kind = 99};
    const struct table_guest wrong[] = {
        {.seat = 2, .name = SPAN("cid")},
        {.seat = 1, .name = SPAN("")},
        {.seat = 1, .name = SPAN("\xff")},
        {.seat = 1, .name = {too_long, sizeof too_long}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(table_sit(t, &wrong[i], NULL, 0, 0), ERR_FIELD_INVALID);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann")}, bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    assert_int_not_equal(table_sit(t, &bob, &nothing, 1, 0), ERR_OK);
    assert_int_not_equal(table_sit(t, &bob, &east, 1, 0), ERR_OK); /* not its turn */
    store_drain(&disk.base);
    assert_int_equal(table_version(t), version);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_string_equal(table_name(t, 1), "");
}

static void waiting_seats_can_be_taken_over(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    struct digest token = {{7}};
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .token = &token, .note = SPAN("first")};
    struct table_guest bob = {.seat = 0, .name = SPAN("bob")};
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_SEAT_TAKEN);
    bob.takes_over = true;
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "bob");
    assert_null(table_token(t, 0));
    assert_string_equal(table_note(t, 0), "");
    check_journal(t);
    restart(0);
    t = tables_find(tables, id);
    assert_string_equal(table_name(t, 0), "bob");
    assert_false(table_has_begun(t));
    struct action north = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &north, 1, 0), ERR_OK);
    store_drain(&disk.base);
    assert_true(table_has_begun(t));
    ann.takes_over = true;
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    restart(0);
    t = tables_find(tables, id);
    assert_true(table_has_begun(t));
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_SEAT_TAKEN);
    assert_string_equal(table_name(t, 0), "bob");
}

static void guests_can_get_up_until_a_seat_has_acted(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    uint64_t id = table_id(t);
    struct table_guest ann = {.seat = 0, .name = SPAN("ann"), .note = SPAN("first")};
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    assert_int_equal(table_get_up(t, 0, 0), ERR_BUSY);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 2, 0), ERR_FIELD_INVALID);
    assert_int_equal(table_get_up(t, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_string_equal(table_name(t, 0), "");
    assert_string_equal(table_note(t, 0), "");
    assert_int_equal(table_free_seats(t), 2);
    check_journal(t);
    restart(0);
    t = tables_find(tables, id);
    assert_int_equal(table_free_seats(t), 2);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    struct action north = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &north, 1, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID);
    assert_string_equal(table_name(t, 0), "ann");
}

static void chance_waits_for_the_seats_and_their_seeds(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&eriantys_game, 2);
    struct table_guest ann = {.name = SPAN("ann"), .seed = SPAN("s")}, bob = {.seat = 1, .name = SPAN("b")};
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &ann, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_version(t), 2);
    restart(0);
    t = tables_find(tables, setup.id);
    assert_int_equal(table_sit(t, &bob, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(eriantys_of(table_state(t))->phase, ERIANTYS_PLANNING);
    check_journal(t);
}

/* A table that waits for players: paper soccer with a clock, and ann alone. */
static struct table *open_for_ann(void) {
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.turn_timeout_ms = 5000;
    setup.violation_loses = true;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 0, .name = SPAN("ann")}, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    table_set_online(t, 0, true);
    return t;
}

static void expect_free(struct table *t) {
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_int_equal(table_free_seats(t), 2);
    assert_false(table_is_online(t, 0));
    check_journal(t);
}

static void a_table_that_waits_for_players_has_no_result(void **unused) {
    (void)unused;
    struct table *t = open_for_ann();
    assert_int_equal(table_forfeit(t, 1, REASON_LEFT), ERR_TABLE_WAITS); /* nobody sits there */
    assert_int_equal(table_forfeit(t, 0, REASON_VIOLATION), ERR_TABLE_WAITS);
    assert_int_equal(table_time_out(t), ERR_TABLE_WAITS);
    assert_int_equal(table_forfeit(t, 0, REASON_RESIGNED), ERR_OK);
    expect_free(t);
    t = open_for_ann();
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_OK);
    expect_free(t);
    t = open_for_ann();
    table_attend(t, 0, SEAT_RETIRED, 0);
    expect_free(t);
    t = open_for_ann();
    struct action wrong = pitch_action(NORTH);
    wrong.arg[0] = 99;
    assert_int_not_equal(table_act(t, 0, &wrong, 1, 0), ERR_OK); /* here that would lose */
    assert_false(table_is_busy(t));
}

static void the_clock_does_not_run_while_seats_are_free(void **unused) {
    (void)unused;
    struct table *t = open_for_ann();
    tables_advance(tables, 1000 * 1000);
    assert_false(table_is_busy(t));
    struct table_guest bob = {.seat = 1, .name = SPAN("bob")};
    assert_int_equal(table_sit(t, &bob, NULL, 0, 1000 * 1000), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_get_up(t, 1, 1000 * 1000), ERR_OK); /* nobody has acted: he may */
    store_drain(&disk.base);
    tables_advance(tables, 2000 * 1000);
    assert_false(table_is_busy(t));
    assert_int_equal(table_sit(t, &bob, NULL, 0, 2000 * 1000), ERR_OK);
    store_drain(&disk.base);
    tables_advance(tables, 2005 * 1000);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER); /* ann has let it run out */
    int32_t points[SEATS_MAX];
    table_points(t, points);
    assert_int_equal(points[1] - points[0], 1);
    check_journal(t);
}

/* Players say things when they sit down: that does not keep others in their seats. */
static void a_guest_may_go_although_another_has_acted(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&santorini_game, 3);
    setup.draws_seats = false;
    memset(setup.names, 0, sizeof setup.names);
    struct table *t = open_table(&setup);
    struct action born = santorini_action_born(2000, 1, 1);
    store_drain(&disk.base);
    uint64_t id = table_id(t);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 0, .name = SPAN("ann")}, &born, 1, 0),
                     ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 1, .name = SPAN("bob")}, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    restart(0);
    t = tables_find(tables, id);
    assert_int_equal(table_get_up(t, 0, 0), ERR_FIELD_INVALID); /* what she said stands */
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_TABLE_WAITS);
    assert_int_equal(table_forfeit(t, 1, REASON_LEFT), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_free_seats(t), 2);
    check_journal(t);
}

static void partners_lose_together(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&eriantys_game, 4);
    setup.draws_seats = false;
    struct table *t = open_table(&setup);
    int32_t points[SEATS_MAX];
    store_drain(&disk.base);
    assert_int_equal(table_forfeit(t, 2, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    table_points(t, points);
    assert_memory_equal(points, ((int32_t[SEATS_MAX]){0, 1, 0, 1}), sizeof points);
    check_journal(t);
    setup.turn_timeout_ms = 1000;
    setup.id = tables_new_id(tables);
    t = open_table(&setup);
    store_drain(&disk.base);
    tables_advance(tables, 1000);
    store_drain(&disk.base);
    table_points(t, points);
    assert_memory_equal(points, ((int32_t[SEATS_MAX]){0, 1, 0, 1}), sizeof points); /* seat 0 was on turn */
    check_journal(t);
}

static void short_codes_begin_with_a_letter(void **unused) {
    (void)unused;
    char code[TABLE_CODE_CHARS + 1];
    for (int i = 0; i < 2000; i++) {
        table_code_format(tables_new_short(tables), code);
        assert_int_equal(strlen(code), TABLE_SHORT_CODE_CHARS);
        assert_true(code[0] >= 'A' && code[0] <= 'Z');
    }
}

/* A short code lies above every number that has been given out so far. */
static void numbers_are_not_confused_by_short_codes(void **unused) {
    (void)unused;
    char code[TABLE_CODE_CHARS + 1];
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.id = tables_new_number(tables);
    open_table(&setup);
    setup.id = tables_new_short(tables);
    open_table(&setup);
    store_drain(&disk.base);
    restart(0);
    table_code_format(tables_new_number(tables), code);
    assert_string_equal(code, "2");
}

static void finished_tables_can_be_looked_at_again(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    enum err why;
    uint64_t id = table_id(t), version = table_version(t);
    struct digest derived, again;
    table_derive(t, "test", 0, 0, &derived);
    assert_null(tables_recall(tables, id, &why)); /* it is running */
    assert_int_equal(table_forfeit(t, 0, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    assert_true(table_version(t) > version);
    version = table_version(t);
    table_close(t);
    t = tables_recall(tables, id, &why);
    assert_non_null(t);
    assert_ptr_equal(tables_find(tables, id), t);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    assert_int_equal(table_version(t), version);
    table_derive(t, "test", 0, 0, &again);
    assert_true(digest_equal(&derived, &again));
    check_journal(t);
    table_close(t);
    assert_null(tables_recall(tables, id + 1, &why));
}

static void a_clock_can_be_set_later(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    assert_true(tables_next_ms(tables) == TIMERS_NEVER);
    table_set_clock(t, 5000, 1000);
    assert_true(tables_next_ms(tables) == 6000);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    tables_advance(tables, 60000);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    check_journal(t);
}

#define TABLE_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(nothing_happens_before_it_is_on_disk),
        TABLE_TEST(a_request_counts_whole_or_not_at_all),
        TABLE_TEST(a_violation_loses_where_policy_says_so),
        TABLE_TEST(a_violation_is_explained),
        TABLE_TEST(a_full_disk_loses_nothing),
        TABLE_TEST(a_table_may_be_forgotten_while_it_is_saved),
        TABLE_TEST(seats_are_drawn_by_the_dice),
        TABLE_TEST(those_who_watch_are_told_step_by_step),
        TABLE_TEST(tables_are_listed_from_the_newest),
        TABLE_TEST(whoever_is_away_does_not_hold_up_the_table),
        TABLE_TEST(a_table_goes_on_without_who_retires_when_the_rules_know_how),
        TABLE_TEST(chance_is_drawn_and_written_with_the_move),
        TABLE_TEST(a_restart_brings_running_tables_back),
        TABLE_TEST(what_was_not_on_disk_did_not_happen),
        TABLE_TEST(clocks_do_not_charge_an_outage),
        TABLE_TEST(a_move_stops_the_clock_of_its_seat),
        TABLE_TEST(numbers_go_on_after_a_restart),
        TABLE_TEST(guests_sit_down_one_by_one),
        TABLE_TEST(guests_are_refused_without_a_trace),
        TABLE_TEST(waiting_seats_can_be_taken_over),
        TABLE_TEST(guests_can_get_up_until_a_seat_has_acted),
        TABLE_TEST(chance_waits_for_the_seats_and_their_seeds),
        TABLE_TEST(a_table_that_waits_for_players_has_no_result),
        TABLE_TEST(the_clock_does_not_run_while_seats_are_free),
        TABLE_TEST(a_guest_may_go_although_another_has_acted),
        TABLE_TEST(partners_lose_together),
        TABLE_TEST(short_codes_begin_with_a_letter),
        TABLE_TEST(numbers_are_not_confused_by_short_codes),
        TABLE_TEST(finished_tables_can_be_looked_at_again),
        TABLE_TEST(a_clock_can_be_set_later),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
