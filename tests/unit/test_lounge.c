/* The lounge with a clock of the test's own: opening, sitting, acting, bots that think when the test lets
 * them, rematches, idle tables, restarts, ceilings; and the notes by which it knows tables again. */
#include "lounge_world.h"

#include "base/mem.h"

#include "games/eriantys/eriantys.h"
#include "host/table/internal.h"

static const struct address nowhere;

static unsigned seat_by(uint64_t table, const char *token) {
    struct snapshot s;
    struct digest hash;
    assert_true(token_hash(span_of(token), &hash));
    snapshot_of_table(tables_find(tables, table), &s);
    return snapshot_seat(&s, &hash);
}

static void a_table_is_opened_as_ordered(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.bot_level[0] = 2;
    order.wants_seat = true;
    order.name = SPAN("ann");
    order.seat = SEAT_WATCHER;
    order.is_inspected = true;
    struct reply *reply = ticket();
    lounge_open(lounge, &order, reply, now_ms);
    assert_false(reply->is_there); /* not before it is on disk */
    settle();
    assert_true(reply->is_there);
    assert_int_equal(reply->answer.why, ERR_OK);
    assert_int_equal(reply->answer.seat, 1);
    struct table *t = tables_find(tables, reply->answer.table);
    assert_string_equal(table_name(t, 0), "Bot 2");
    assert_string_equal(table_name(t, 1), "ann");
    assert_true(lounge_is_inspected(lounge, t) && !lounge_is_private(lounge, t));
    assert_int_equal(seat_by(reply->answer.table, reply->token), 1);
    struct snapshot s;
    struct digest owner, seat;
    snapshot_of_table(t, &s);
    assert_true(token_hash(span_of(reply->owner_token), &owner) && token_hash(span_of(reply->token), &seat));
    assert_true(lounge_is_owner(lounge, &s, &owner));
    assert_false(lounge_is_owner(lounge, &s, &seat));
    assert_int_equal(snapshot_seat(&s, &owner), SEAT_WATCHER);
}

/* Other protocols know players by their names alone. */
static void nobody_has_the_name_of_another(void **state) {
    (void)state;
    struct lounge_order order = order_of(&eriantys_game);
    order.options.seat_count = 4;
    order.bot_level[0] = order.bot_level[3] = 2;
    uint64_t table = open_table(&order)->answer.table;
    sit(table, SEAT_WATCHER, "ann");
    sit(table, SEAT_WATCHER, "ann");
    static const char *const names[] = {"Bot 2", "ann", "ann (2)", "Bot 2 (2)"};
    for (unsigned seat = 0; seat < 4; seat++)
        assert_string_equal(table_name(tables_find(tables, table), seat), names[seat]);
    /* The longest name has to give way. */
    char longest[EVENT_NAME_BYTES_MAX + 1] = "";
    while (strlen(longest) < EVENT_NAME_BYTES_MAX)
        strcat(longest, "\xf0\x9f\xa6\x8a");
    order = order_of(&paper_soccer_game);
    table = open_table(&order)->answer.table;
    sit(table, SEAT_WATCHER, longest);
    sit(table, SEAT_WATCHER, longest);
    const char *second = table_name(tables_find(tables, table), 1);
    assert_memory_equal(second, longest, strlen(second) - 4);
    assert_string_equal(second + strlen(second) - 4, " (2)");
}

static void orders_are_refused(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.options.seat_count = 3;
    assert_int_equal(open_table(&order)->answer.why, ERR_SEAT_COUNT);
    order = order_of(&paper_soccer_game);
    order.wants_seat = true;
    order.name = SPAN(" ");
    assert_int_equal(open_table(&order)->answer.why, ERR_FIELD_MISSING);
    order.name = SPAN("a\0b");
    assert_int_equal(open_table(&order)->answer.why, ERR_FIELD_INVALID);
    order.name = SPAN("\xff");
    assert_int_equal(open_table(&order)->answer.why, ERR_FIELD_INVALID);
    order.name = SPAN("a\x1b[2J");
    assert_int_equal(open_table(&order)->answer.why, ERR_FIELD_INVALID);
    order.name = SPAN("ann");
    order.seat = 2;
    assert_int_equal(open_table(&order)->answer.why, ERR_FIELD_INVALID);
    assert_int_equal(tables_count(tables), 0);
}

static void the_ceiling_counts_what_is_not_over(void **state) {
    lounge_end();
    config.tables_max = 2;
    lounge_start();
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t first = open_for_two();
    assert_int_equal(open_table(&order)->answer.why, ERR_OK);
    assert_int_equal(open_table(&order)->answer.why, ERR_TOO_MANY);
    lounge_resign(lounge, first, 0, ticket(), now_ms);
    settle();
    assert_int_equal(open_table(&order)->answer.why, ERR_OK);
    assert_int_equal(open_table(&order)->answer.why, ERR_TOO_MANY);
}

/* No new table when memory is short; those that there are go on. */
static void the_ceiling_of_memory_counts_too(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    struct span north[] = {SPAN("N")};
    uint64_t table = open_for_two();
    mem_set_max(mem_used() + TABLE_ROOM_BYTES / 2);
    assert_int_equal(open_table(&order)->answer.why, ERR_TOO_MANY);
    struct reply *reply = ticket();
    lounge_act(lounge, table, 0, LOUNGE_ANY_VERSION, north, 1, reply, now_ms);
    settle();
    assert_int_equal(reply->answer.why, ERR_OK);
    mem_set_max(mem_used() + 2 * TABLE_ROOM_BYTES);
    assert_int_equal(open_table(&order)->answer.why, ERR_OK);
    mem_set_max(0);
}

static void requests_wait_for_each_other(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    struct span north[] = {SPAN("N")};
    struct reply *first = ticket(), *second = ticket(), *third = ticket();
    uint64_t version = table_version(tables_find(tables, table));
    lounge_act(lounge, table, 0, version, north, 1, first, now_ms);
    lounge_act(lounge, table, 1, version, north, 1, second, now_ms);
    lounge_act(lounge, table, 1, LOUNGE_ANY_VERSION, north, 1, third, now_ms);
    assert_false(first->is_there || second->is_there || third->is_there);
    settle();
    assert_int_equal(first->answer.why, ERR_OK);
    assert_int_equal(first->answer.version, version + 1);
    assert_int_equal(second->answer.why, ERR_CONFLICT);
    assert_int_equal(third->answer.why, ERR_OK);
    struct reply *many[LOUNGE_REQUESTS_MAX + 2];
    for (size_t i = 0; i < LOUNGE_REQUESTS_MAX + 2; i++)
        lounge_act(lounge, table, 1, 1, north, 1, many[i] = ticket(), now_ms);
    settle();
    for (size_t i = 0; i < LOUNGE_REQUESTS_MAX + 2; i++)
        assert_int_equal(many[i]->answer.why, ERR_CONFLICT); /* none of them changes anything: none waits */
}

static void a_queue_has_an_end(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    struct span north[] = {SPAN("N")};
    lounge_act(lounge, table, 0, LOUNGE_ANY_VERSION, north, 1, ticket(), now_ms);
    struct reply *many[LOUNGE_REQUESTS_MAX + 1];
    for (size_t i = 0; i < LOUNGE_REQUESTS_MAX + 1; i++)
        lounge_act(lounge, table, 0, LOUNGE_ANY_VERSION, north, 1, many[i] = ticket(), now_ms);
    assert_true(many[LOUNGE_REQUESTS_MAX]->is_there);
    assert_int_equal(many[LOUNGE_REQUESTS_MAX]->answer.why, ERR_BUSY);
    settle();
    for (size_t i = 0; i < LOUNGE_REQUESTS_MAX; i++)
        assert_int_equal(many[i]->answer.why, ERR_NOT_YOUR_TURN);
}

static void actions_in_words(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t table = open_table(&order)->answer.table;
    sit(table, 0, "ann");
    assert_int_equal(act(table, 0, "N"), ERR_TABLE_WAITS);
    sit(table, 1, "bob");
    assert_int_equal(act(table, 1, "N"), ERR_NOT_YOUR_TURN);
    assert_int_equal(act(table, 0, "nowhere"), ERR_ACTION_TEXT);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    assert_int_equal(act(table, 1, "S"), ERR_STEP_USED);
    assert_int_equal(act(table + 1, 1, "S"), ERR_TABLE_UNKNOWN);
    struct span texts[] = {SPAN("N"), SPAN("N")};
    struct reply *reply = ticket();
    lounge_act(lounge, table, 1, LOUNGE_ANY_VERSION, texts, 2, reply, now_ms);
    assert_int_equal(reply->answer.why, ERR_NOT_YOUR_TURN); /* the first step ends the turn */
    assert_int_equal(reply->answer.index, 1);
}

static void bots_act_beside_the_table(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.bot_level[1] = 1;
    order.wants_seat = true;
    order.name = SPAN("ann");
    uint64_t table = open_table(&order)->answer.table;
    struct table *t = tables_find(tables, table);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    uint64_t version = table_version(t);
    settle();
    assert_int_equal(table_version(t), version); /* it thinks, and the table waits */
    think();
    assert_true(table_version(t) > version);
    assert_int_equal(paper_soccer_game.turn(table_state(t)), SEAT_BIT(0));
    /* Somebody resigns while it thinks: what it chose is not played any more. */
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    lounge_resign(lounge, table, 0, ticket(), now_ms);
    settle();
    version = table_version(t);
    think();
    assert_int_equal(table_version(t), version);
}

static void bots_play_every_game(void **state) {
    (void)state;
    for (size_t i = 0; games[i] != NULL; i++) {
        struct lounge_order order = order_of(games[i]);
        for (unsigned seat = 0; seat < order.options.seat_count; seat++)
            order.bot_level[seat] = 1;
        struct table *t = tables_find(tables, open_table(&order)->answer.table);
        think();
        assert_int_equal(table_state_word(t), TABLE_OVER);
        assert_int_equal(table_outcome(t), OUTCOME_PLAYED);
    }
}

static void everything_goes_on_after_a_restart(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.bot_level[1] = 1;
    order.wants_seat = true;
    order.name = SPAN("ann");
    order.is_private = true;
    struct reply *reply = open_table(&order);
    uint64_t table = reply->answer.table;
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    restart();
    struct table *t = tables_find(tables, table);
    assert_true(lounge_is_private(lounge, t));
    assert_int_equal(seat_by(table, reply->token), 0);
    uint64_t version = table_version(t);
    think();
    assert_true(table_version(t) > version); /* the bot was on turn */
}

/* Killed between the set-up and the first seat. */
static void bots_that_were_ordered_sit_down_after_a_restart(void **state) {
    (void)state;
    struct lounge_note note = {.bot_level = {0, 4}};
    char text[EVENT_NOTE_BYTES_MAX + 1];
    struct table *t;
    lounge_note_format(&note, text);
    static const struct table_listener nobody;
    assert_int_equal(table_open(tables,
                                &(struct table_setup){.id = 12345678,
                                                      .game = &paper_soccer_game,
                                                      .options = game_options_default(&paper_soccer_game, 2),
                                                      .protocol = LOUNGE_PROTOCOL,
                                                      .note = span_of(text)},
                                &nobody, now_ms, &t),
                     ERR_OK);
    settle();
    restart();
    settle();
    assert_string_equal(table_name(tables_find(tables, 12345678), 1), "Bot 4");
}

/* A protocol that owns what it opens and otherwise does nothing. */
static enum err through_the_door(void *context, const struct table_wish *wish, uint64_t at_ms,
                                 struct table **out) {
    (void)context;
    const struct table_setup setup = {.id = tables_new_short(tables),
                                      .game = &paper_soccer_game,
                                      .options = wish->options,
                                      .protocol = "smoke",
                                      .note = SPAN("signals"),
                                      .house = wish->house,
                                      .opener = wish->opener};
    static const struct table_listener nobody;
    return table_open(tables, &setup, &nobody, at_ms, out);
}

static const struct table_door smoke_door = {
    .protocol = "smoke", .game = &paper_soccer_game, .open = through_the_door};

static bool owns(uint64_t table, const char *token) {
    struct snapshot s;
    struct digest hash;
    snapshot_of_table(tables_find(tables, table), &s);
    return token_hash(span_of(token), &hash) && lounge_is_owner(lounge, &s, &hash);
}

static void owners_of_tables_of_other_protocols_are_known_after_a_restart(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.door = &smoke_door;
    const struct reply *open = open_table(&order);
    order.is_private = order.is_inspected = true;
    const struct reply *secret = open_table(&order);
    for (int run = 0; run < 3; run++) {
        const struct table *seen = tables_find(tables, open->answer.table);
        const struct table *hidden = tables_find(tables, secret->answer.table);
        assert_string_equal(table_setup_note(hidden), "signals");
        assert_true(lounge_is_private(lounge, hidden) && lounge_is_inspected(lounge, hidden));
        assert_false(lounge_is_private(lounge, seen) || lounge_is_inspected(lounge, seen));
        assert_true(owns(secret->answer.table, secret->owner_token));
        assert_false(owns(secret->answer.table, open->owner_token));
        assert_true(owns(open->answer.table, open->owner_token));
        restart();
        settle();
    }
}

static void leaving_before_the_start_ends_the_table(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.wants_seat = true;
    order.name = SPAN("ann");
    order.seat = 0;
    uint64_t table = open_table(&order)->answer.table;
    struct reply *reply = ticket();
    lounge_leave(lounge, table, 0, reply, now_ms);
    settle();
    assert_int_equal(reply->answer.why, ERR_OK);
    assert_int_equal(table_outcome(tables_find(tables, table)), OUTCOME_UNDECIDED);
    uint64_t other = open_for_two();
    lounge_leave(lounge, other, 0, ticket(), now_ms);
    settle();
    assert_int_equal(table_outcome(tables_find(tables, other)), OUTCOME_FORFEITED);
}

/* A stranger who sits down and goes again does not end a table that waits, whichever way it goes. */
static void strangers_only_free_their_seats(void **state) {
    (void)state;
    void (*const ways[])(struct lounge *, uint64_t, unsigned, void *, uint64_t) = {lounge_leave,
                                                                                   lounge_resign};
    struct lounge_order order = order_of(&eriantys_game);
    order.options = game_options_default(&eriantys_game, 3);
    uint64_t table = open_table(&order)->answer.table;
    const struct table *t = tables_find(tables, table);
    sit(table, 0, "ann");
    for (size_t i = 0; i < 2; i++) {
        sit(table, 2, "stranger");
        lounge_attach(lounge, table, 2, true, now_ms);
        struct reply *reply = ticket();
        ways[i](lounge, table, 2, reply, now_ms);
        settle();
        assert_int_equal(reply->answer.why, ERR_OK);
        assert_true(reply->answer.is_freed);
        assert_int_equal(table_state_word(t), TABLE_RUNNING);
        assert_int_equal(table_free_seats(t), 2);
        assert_false(table_is_online(t, 2));
        lounge_attach(lounge, table, 2, false, now_ms); /* its socket closes later */
    }
    sit(table, 2, "bob");
    lounge_attach(lounge, table, 2, true, now_ms);
    lounge_attach(lounge, table, 2, false, now_ms);
    assert_false(table_is_online(t, 2));
    sit(table, 1, "cid");
    struct reply *reply = ticket();
    lounge_resign(lounge, table, 2, reply, now_ms);
    settle();
    assert_false(reply->answer.is_freed);
    assert_int_equal(table_outcome(t), OUTCOME_FORFEITED);
}

static void rematches_turn_the_seats(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    struct snapshot before;
    struct reply *reply = ticket();
    snapshot_of_table(tables_find(tables, table), &before);
    lounge_rematch(lounge, &before, 0, SPAN(""), &nowhere, SPAN(""), reply, now_ms);
    assert_int_equal(reply->answer.why, ERR_TABLE_RUNS);
    lounge_resign(lounge, table, 0, ticket(), now_ms);
    settle();
    snapshot_of_fold(past_at(history, table, HISTORY_LAST), &before);
    assert_string_equal(before.why, "resigned");
    lounge_rematch(lounge, &before, 0, SPAN(""), &nowhere, SPAN(""), reply = ticket(), now_ms);
    settle();
    assert_int_equal(reply->answer.why, ERR_OK);
    assert_int_equal(reply->answer.seat, 1);
    assert_int_equal(changed_count, 1);
    assert_int_equal(changed_table, table);
    uint64_t after = lounge_rematch_of(lounge, table);
    assert_int_equal(after, reply->answer.table);
    assert_int_equal(sit(after, 0, "stranger")->answer.why, ERR_SEAT_TAKEN);
    restart();
    assert_int_equal(lounge_rematch_of(lounge, table), after);
    snapshot_of_fold(past_at(history, table, HISTORY_LAST), &before);
    lounge_rematch(lounge, &before, 1, SPAN(""), &nowhere, SPAN(""), reply = ticket(), now_ms);
    settle();
    assert_int_equal(reply->answer.table, after);
    assert_int_equal(reply->answer.seat, 0);
}

static void idle_tables_are_given_up_and_finished_ones_forgotten(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    pass(config.idle_ms - 1);
    assert_int_equal(table_state_word(tables_find(tables, table)), TABLE_RUNNING);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    pass(config.idle_ms - 1);
    assert_int_equal(table_state_word(tables_find(tables, table)), TABLE_RUNNING);
    pass(1);
    assert_int_equal(table_outcome(tables_find(tables, table)), OUTCOME_UNDECIDED);
    pass(config.linger_ms);
    assert_null(tables_find(tables, table));
    assert_int_equal(lounge_table_count(lounge), 0);
    assert_int_equal(act(table, 0, "N"), ERR_TABLE_OVER);
}

/* A table to which nobody comes is gone after minutes, also when somebody has sat down there and left. One at
 * which somebody waits stays. */
static void tables_that_only_wait_live_minutes(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t left = open_table(&order)->answer.table, waited = open_table(&order)->answer.table;
    assert_int_equal(sit(left, SEAT_WATCHER, "ann")->answer.seat, 0);
    assert_int_equal(sit(waited, SEAT_WATCHER, "bob")->answer.seat, 0);
    lounge_attach(lounge, left, 0, true, now_ms);
    lounge_attach(lounge, waited, 0, true, now_ms);
    assert_in_range(config.wait_ms, 1, 60 * 60 * 1000);
    pass(config.wait_ms);
    assert_int_not_equal(table_state_word(tables_find(tables, left)), TABLE_OVER);
    lounge_attach(lounge, left, 0, false, now_ms);
    pass(config.wait_ms - 1);
    assert_int_not_equal(table_state_word(tables_find(tables, left)), TABLE_OVER);
    pass(1);
    assert_int_equal(table_state_word(tables_find(tables, left)), TABLE_OVER);
    assert_int_not_equal(table_state_word(tables_find(tables, waited)), TABLE_OVER);
    assert_int_equal(sit(left, SEAT_WATCHER, "cid")->answer.why, ERR_TABLE_OVER);
}

/* However fast tables end, only so many are kept at hand; their journals stay. */
static void finished_tables_crowd_each_other_out(void **state) {
    (void)state;
    enum { KEPT = 3, ENDED = 5 };
    uint64_t ended[ENDED];
    config.linger_max = KEPT;
    restart();
    for (unsigned i = 0; i < ENDED; i++) {
        ended[i] = open_for_two();
        lounge_resign(lounge, ended[i], 0, ticket(), now_ms);
        settle();
    }
    pass(1);
    for (unsigned i = 0; i < ENDED; i++)
        assert_int_equal(tables_find(tables, ended[i]) != NULL, i >= ENDED - KEPT);
    assert_non_null(past_at(history, ended[0], HISTORY_LAST));
    pass(config.linger_ms);
    assert_int_equal(lounge_table_count(lounge), 0);
}

static void the_clock_waits_for_everybody(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    order.clocks.turn_ms = 5000;
    uint64_t table = open_table(&order)->answer.table;
    struct table *t = tables_find(tables, table);
    sit(table, 0, "ann");
    pass(60000);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    sit(table, 1, "bob");
    assert_int_equal(table_turn_ms(t), 5000);
    pass(4000);
    assert_int_equal(table_left_ms(t, 0), 1000);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    assert_int_equal(table_left_ms(t, 1), 5000);
    restart();
    t = tables_find(tables, table);
    pass(4999);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    pass(1);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    struct snapshot s;
    snapshot_of_fold(past_at(history, table, HISTORY_LAST), &s);
    assert_string_equal(s.why, "time");
    assert_int_equal(s.points[0], 1);
}

static void lists_hear_of_changes(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t table = open_table(&order)->answer.table;
    assert_int_equal(listed_count, 1);
    assert_int_equal(listed_table, table);
    sit(table, 0, "ann");
    sit(table, 1, "bob");
    assert_int_equal(listed_count, 3);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    assert_int_equal(listed_count, 3); /* a move is no news for a list */
    lounge_resign(lounge, table, 0, ticket(), now_ms);
    settle();
    assert_int_equal(unlisted_count, 1);
    order.is_private = true;
    open_table(&order);
    assert_int_equal(listed_count, 3);
}

static void presence(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    const struct table *t = tables_find(tables, table);
    lounge_seen(lounge, table, 0, now_ms);
    assert_true(table_is_online(t, 0) && !table_is_online(t, 1));
    pass(LOUNGE_SEEN_WAITING_MS); /* whoever thinks does not ask */
    assert_true(table_is_online(t, 0));
    pass(LOUNGE_SEEN_MS - LOUNGE_SEEN_WAITING_MS);
    assert_false(table_is_online(t, 0));
    lounge_attach(lounge, table, 1, true, now_ms);
    lounge_attach(lounge, table, 1, true, now_ms);
    pass(10 * LOUNGE_SEEN_MS);
    lounge_attach(lounge, table, 1, false, now_ms);
    assert_true(table_is_online(t, 1));
    lounge_attach(lounge, table, 1, false, now_ms);
    assert_false(table_is_online(t, 1));
}

/* Whoever waits for others asks whether they have come, or is gone. */
static void presence_before_the_start(void **state) {
    (void)state;
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t table = open_table(&order)->answer.table;
    const struct table *t = tables_find(tables, table);
    sit(table, 0, "ann");
    lounge_seen(lounge, table, 0, now_ms);
    pass(LOUNGE_SEEN_WAITING_MS);
    assert_false(table_is_online(t, 0));
    lounge_seen(lounge, table, 0, now_ms);
    pass(LOUNGE_SEEN_WAITING_MS / 2);
    sit(table, 1, "bob"); /* now she thinks about her first move */
    pass(LOUNGE_SEEN_MS - LOUNGE_SEEN_WAITING_MS);
    assert_true(table_is_online(t, 0));
    pass(LOUNGE_SEEN_WAITING_MS / 2);
    assert_false(table_is_online(t, 0));
}

static void delays_are_ordered_or_usual(void **state) {
    (void)state;
    config.watch_delay_ms = 5000;
    restart();
    struct snapshot s;
    const struct {
        const struct table_door *door;
        bool has_own;
        uint32_t own_ms, expected_ms;
    } cases[] = {{NULL, false, 0, 0},
                 {NULL, true, 7, 7},
                 {&smoke_door, false, 0, 5000},
                 {&smoke_door, true, 0, 0},
                 {&smoke_door, true, 7, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lounge_order order = order_of(&paper_soccer_game);
        order.door = cases[i].door;
        order.has_watch_delay = cases[i].has_own;
        order.watch_delay_ms = cases[i].own_ms;
        uint64_t table = open_table(&order)->answer.table;
        snapshot_of_table(tables_find(tables, table), &s);
        assert_int_equal(lounge_watch_delay_ms(lounge, &s), cases[i].expected_ms);
        snapshot_of_fold(past_at(history, table, HISTORY_LAST), &s);
        assert_int_equal(lounge_watch_delay_ms(lounge, &s), cases[i].expected_ms);
    }
}

static void notes_come_back(void **state) {
    (void)state;
    char text[EVENT_NOTE_BYTES_MAX + 1];
    struct lounge_note read, note = {.has_owner = true,
                                     .is_private = true,
                                     .is_inspected = true,
                                     .clocks.turn_ms = 86400000,
                                     .has_watch_delay = true,
                                     .watch_delay_ms = 86400000,
                                     .bot_level = {1, 0, 5, 3},
                                     .rematch_of = 12345678,
                                     .from_table = 87654321,
                                     .from_version = 4000};
    memset(note.owner.bytes, 0xab, sizeof note.owner.bytes);
    lounge_note_format(&note, text);
    lounge_note_read(text, &read);
    assert_memory_equal(&read, &note, sizeof note);
    note = (struct lounge_note){0};
    lounge_note_format(&note, text);
    assert_string_equal(text, "");
    lounge_note_read("owner=x&private&turn=-1&delay=-1&bots=9:9.x&from=1&rematch=!&&=&what=1", &read);
    assert_memory_equal(&read, &note, sizeof note);
    assert_int_equal(lounge_face_of("api", "", "").kind, LOUNGE_FREE);
    assert_int_equal(lounge_face_of("ugs", "ann", "").kind, LOUNGE_PERSON);
    assert_string_equal(lounge_face_of("ugs", "ann", "").protocol, "ugs");
    assert_string_equal(lounge_face_of("ugs", "ann", "api").protocol, "api");
    assert_int_equal(lounge_face_of("api", "Bot 3", "bot 3").level, 3);
    assert_int_equal(lounge_face_of("treasure", "Parlor", "bot").level, 0);
    assert_int_equal(lounge_face_of("treasure", "Parlor", "bot").kind, LOUNGE_MACHINE);
    assert_int_equal(lounge_face_of("api", "x", "bot 9").kind, LOUNGE_PERSON);
}

static void tokens_are_secrets(void **state) {
    (void)state;
    char one[TOKEN_CHARS + 1], other[TOKEN_CHARS + 1];
    struct digest a, b, again;
    token_make(one, &a);
    token_make(other, &b);
    assert_string_not_equal(one, other);
    assert_int_equal(strlen(one), TOKEN_CHARS);
    assert_true(token_hash(span_of(one), &again) && digest_equal(&a, &again) && !digest_equal(&a, &b));
    assert_false(token_hash(SPAN(""), &again));
    assert_false(token_hash(span_make(one, TOKEN_CHARS - 1), &again));
    one[3] = 'G';
    assert_false(token_hash(span_of(one), &again));
    one[3] = '\0';
    assert_false(token_hash(span_make(one, TOKEN_CHARS), &again));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_table_is_opened_as_ordered),
        CASE(nobody_has_the_name_of_another),
        CASE(orders_are_refused),
        CASE(the_ceiling_counts_what_is_not_over),
        CASE(the_ceiling_of_memory_counts_too),
        CASE(requests_wait_for_each_other),
        CASE(a_queue_has_an_end),
        CASE(actions_in_words),
        CASE(bots_act_beside_the_table),
        CASE(bots_play_every_game),
        CASE(everything_goes_on_after_a_restart),
        CASE(bots_that_were_ordered_sit_down_after_a_restart),
        CASE(owners_of_tables_of_other_protocols_are_known_after_a_restart),
        CASE(leaving_before_the_start_ends_the_table),
        CASE(strangers_only_free_their_seats),
        CASE(rematches_turn_the_seats),
        CASE(idle_tables_are_given_up_and_finished_ones_forgotten),
        CASE(tables_that_only_wait_live_minutes),
        CASE(finished_tables_crowd_each_other_out),
        CASE(the_clock_waits_for_everybody),
        CASE(lists_hear_of_changes),
        CASE(presence),
        CASE(presence_before_the_start),
        CASE(delays_are_ordered_or_usual),
        cmocka_unit_test(notes_come_back),
        cmocka_unit_test(tokens_are_secrets),
    };
    return cmocka_run_group_tests_name("lounge", tests, NULL, NULL);
}
