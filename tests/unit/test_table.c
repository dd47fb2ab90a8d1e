/* Tables on a journal: nothing happens before it is on disk, nothing is lost when the disk fails, everything
 * comes back after a restart. Driven with Paper Soccer and with the fixture game, which has chance and
 * secrets. Who sits at them is in test_table_seats.c. */
#include "table_world.h"

#include "base/mem.h"
#include "base/timers.h"
#include "game/playout.h"

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
    assert_string_equal(forfeit.why, "there is already a line between these points");
    assert_string_equal(forfeit.rule, "paper-soccer R4");
    assert_int_equal(strlen(forfeit.sent), EVENT_SENT_BYTES_MAX - 1); /* no half character */
    check_journal(t);
    t = open_soccer(true);
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(step(t, 1, SOUTH), ERR_STEP_USED);
    store_drain(&disk.base);
    assert_int_equal(store_read(&disk.base, table_id(t), 1, forfeit_find, &forfeit), ERR_OK);
    assert_string_equal(forfeit.rule, "paper-soccer R4");
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

/* A turn is judged as a whole: neither too short nor too long, and what is wrong behind its last action
 * counts after what is wrong before. */
static void a_turn_is_judged_as_a_whole(void **unused) {
    (void)unused;
    struct table *t = open_soccer(false);
    const struct action steps[] = {pitch_action(NORTH), pitch_action(SOUTH)}; /* back is not free any more */
    struct table_turn turn = {
        .actions = steps, .count = 2, .too_short = ERR_MOVE_TOO_SHORT, .too_long = ERR_MOVE_TOO_LONG};
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_MOVE_TOO_LONG);
    turn.count = 0;
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_ACTION_UNKNOWN);
    turn.broken = ERR_STEP_TOO_LONG;
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_STEP_TOO_LONG);
    turn.count = 1;
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_MOVE_TOO_LONG);
    turn.broken = ERR_OK;
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_OK);
    store_drain(&disk.base);
    const struct action back[] = {pitch_action(SOUTH_EAST), pitch_action(WEST), pitch_action(SOUTH)};
    turn.actions = back;
    assert_int_equal(table_act_turn(t, 1, &turn, 0), ERR_OK); /* a fresh point */
    store_drain(&disk.base);
    turn.actions = &back[1]; /* to the centre, where a line ends: the turn goes on */
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_MOVE_TOO_SHORT);
    turn.too_short = ERR_OK;
    assert_int_equal(table_act_turn(t, 0, &turn, 0), ERR_OK);
    store_drain(&disk.base);
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

static void check_view(const struct table *t, unsigned viewer) {
    struct game_view *view = (struct game_view *)game_state_alloc(&fixture_game);
    game_view(&fixture_game, table_state(t), viewer, view);
    assert_memory_equal(table_view(t, viewer), view, fixture_game.state_size);
    mem_free(view);
}

static void tables_share_memory_for_views_and_nothing_else(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&fixture_game, fixture_game.seats_min);
    struct table *pair[2];
    struct rng rng;
    rng_seed(&rng, 9);
    for (int i = 0; i < 2; i++) {
        setup.id = tables_new_id(tables);
        pair[i] = open_table(&setup);
        store_drain(&disk.base);
    }
    for (unsigned n = 0; table_state_word(pair[n % 2]) == TABLE_RUNNING; n++) {
        struct table *t = pair[n % 2];
        struct action action;
        unsigned seat = playout_seat(fixture_game.turn(table_state(t)), &rng);
        for (int i = 0; i < 2; i++) {
            check_view(pair[i], 1);
            check_view(pair[i], SEAT_WATCHER);
        }
        fixture_game.sample(table_state(t), seat, &rng, &action);
        assert_int_equal(table_act(t, seat, &action, 1, 0), ERR_OK);
        check_view(t, 1); /* nothing has happened yet */
        store_drain(&disk.base);
        check_view(t, 1);
    }
    table_close(pair[0]);
    table_close(pair[1]);
}

/* What a watch has been told, as words. */
static struct buf told;

/* Every viewer is shown what it may know, and the same memory when it looks again. */
static void check_views(const struct table_notice *n) {
    const struct table *t = n->table;
    const struct game *game = table_game(t);
    struct game_view *view = (struct game_view *)game_state_alloc(game);
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++) {
        if (viewer >= table_options(t)->seat_count && viewer != SEAT_WATCHER)
            continue;
        game_view(game, t->tables->before, viewer, view);
        assert_memory_equal(notice_before(n, viewer), view, game->state_size);
        assert_ptr_equal(notice_before(n, viewer), notice_before(n, viewer));
        game_view(game, table_state(t), viewer, view);
        assert_memory_equal(table_view(t, viewer), view, game->state_size);
        assert_ptr_equal(table_view(t, viewer), table_view(t, viewer));
    }
    mem_free(view);
}

static void told_played(void *context, const struct table_notice *n) {
    struct table *t = n->table;
    const struct game *game = table_game(t);
    const struct game_state *before = t->tables->before;
    const struct action *action = t->tables->action;
    struct game_state *after = game_state_alloc(game);
    memcpy(after, before, game->state_size);
    assert_int_equal(game->check(before, n->seat, action), ERR_OK);
    game->apply(after, n->seat, action);
    assert_memory_equal(after, table_state(t), game->state_size);
    mem_free(after);
    check_views(n);
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++) {
        struct action shown = *action, told_action = notice_action(n, viewer);
        game->redact_action(before, n->seat, &shown, viewer);
        assert_true(action_equal(&told_action, &shown));
    }
    struct action only = {0};
    assert_int_equal(table_act(t, 0, &only, 1, 0), ERR_BUSY);
    buf_printf(&told, "%s%u ", (const char *)context, n->seat);
}

static void told_attended(void *context, const struct table_notice *n) {
    static const char *const words[] = {"away", "back", "retired"};
    assert_memory_not_equal(n->table->tables->before, table_state(n->table),
                            table_game(n->table)->state_size);
    check_views(n);
    buf_printf(&told, "%s%s%u ", (const char *)context, words[n->attendance], n->seat);
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

static struct {
    unsigned count;
    struct table *table;
    enum err why;
} loaded;

static void on_loaded(void *context, struct table *t, enum err why) {
    (void)context;
    loaded.count++;
    loaded.table = t;
    loaded.why = why;
}

static struct table *load(uint64_t id) {
    loaded.count = 0;
    tables_load(tables, id, on_loaded, NULL);
    assert_int_equal(loaded.count, 0); /* later */
    store_drain(&disk.base);
    assert_int_equal(loaded.count, 1);
    return loaded.table;
}

static void finished_tables_can_be_looked_at_again(void **unused) {
    (void)unused;
    struct table *t = open_soccer(true);
    uint64_t id = table_id(t), version = table_version(t);
    struct digest derived, again;
    table_derive(t, "test", 0, 0, &derived);
    assert_null(load(id)); /* it is running */
    assert_int_equal(table_forfeit(t, 0, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    assert_true(table_version(t) > version);
    version = table_version(t);
    table_close(t);
    t = load(id);
    assert_non_null(t);
    assert_ptr_equal(tables_find(tables, id), t);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    assert_int_equal(table_version(t), version);
    table_derive(t, "test", 0, 0, &again);
    assert_true(digest_equal(&derived, &again));
    check_journal(t);
    assert_null(load(id)); /* it is here */
    table_close(t);
    assert_null(load(id + 1));
    assert_int_equal(loaded.why, ERR_TABLE_UNKNOWN);
    tables_load_forget(tables_load(tables, id, on_loaded, NULL));
    store_drain(&disk.base);
    assert_int_equal(loaded.count, 1); /* nobody is told, and nothing stays */
    assert_null(tables_find(tables, id));
    tables_load(tables, id, on_loaded, NULL); /* and what is not told any more is freed with the tables */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(nothing_happens_before_it_is_on_disk),
        TABLE_TEST(tables_share_memory_for_views_and_nothing_else),
        TABLE_TEST(a_request_counts_whole_or_not_at_all),
        TABLE_TEST(a_violation_loses_where_policy_says_so),
        TABLE_TEST(a_violation_is_explained),
        TABLE_TEST(a_turn_is_judged_as_a_whole),
        TABLE_TEST(a_full_disk_loses_nothing),
        TABLE_TEST(a_table_may_be_forgotten_while_it_is_saved),
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
        TABLE_TEST(short_codes_begin_with_a_letter),
        TABLE_TEST(numbers_are_not_confused_by_short_codes),
        TABLE_TEST(finished_tables_can_be_looked_at_again),
        TABLE_TEST(a_clock_can_be_set_later),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
