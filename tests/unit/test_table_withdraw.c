/* Requests that are withdrawn: the store has refused them, and then nothing has happened. */
#include "table_world.h"

#include "base/mem.h"
#include "game/playout.h"

enum { TURN_MS = 10000 };

static int closed_count;

static void on_closed(void *context, struct table *table) {
    (void)context;
    (void)table;
    closed_count++;
}

static struct table *open_with_clock(const struct game *game, uint32_t seats) {
    struct table_setup setup = setup_of(game, seats);
    setup.turn_timeout_ms = TURN_MS;
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    return t;
}

/* Everything that somebody can see of a table. */
struct look {
    struct game_state *state;
    uint64_t version, last_seq;
    enum table_state_word word;
    char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1];
    bool is_retired[SEATS_MAX];
};

static struct look look_at(const struct table *t) {
    struct record last;
    assert_true(table_last(t, &last));
    struct look look = {.state = game_state_alloc(table_game(t)),
                        .version = table_version(t),
                        .last_seq = last.event->seq,
                        .word = table_state_word(t)};
    memcpy(look.state, table_state(t), table_game(t)->state_size);
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++) {
        memcpy(look.names[seat], table_name(t, seat), strlen(table_name(t, seat)) + 1);
        look.is_retired[seat] = table_is_retired(t, seat);
    }
    return look;
}

/* The look is given back. */
static void assert_looks_the_same(const struct table *t, struct look *before) {
    struct look now = look_at(t);
    assert_memory_equal(now.state, before->state, table_game(t)->state_size);
    mem_free(now.state);
    mem_free(before->state);
    now.state = before->state = NULL;
    assert_int_equal(now.version, before->version);
    assert_int_equal(now.last_seq, before->last_seq);
    assert_int_equal(now.word, before->word);
    assert_memory_equal(now.names, before->names, sizeof now.names);
    assert_memory_equal(now.is_retired, before->is_retired, sizeof now.is_retired);
    check_journal(t);
}

/* The request that has just begun is refused by the store, and withdrawn. */
static void refuse_and_withdraw(struct table *t) {
    assert_false(table_may_withdraw(t)); /* it is with the store */
    store_drain(&disk.base);
    assert_true(table_may_withdraw(t));
    int before = settled_count;
    table_withdraw(t);
    assert_int_equal(settled_count, before + 1);
    assert_false(table_is_busy(t));
    assert_false(table_may_withdraw(t));
}

static void a_move_that_was_refused_has_not_happened(void **unused) {
    (void)unused;
    struct table *t = open_with_clock(&paper_soccer_game, 2);
    struct look before = look_at(t);
    tables_advance(tables, TURN_MS / 2);
    disk.is_full = true;
    struct action north = pitch_action(NORTH);
    assert_int_equal(table_act(t, 0, &north, 1, TURN_MS / 2), ERR_OK);
    refuse_and_withdraw(t);
    assert_int_equal(table_left_ms(t, 0), TURN_MS); /* the turn begins anew */
    assert_looks_the_same(t, &before);
    disk.is_full = false;
    tables_beat(tables); /* nothing is tried again */
    store_drain(&disk.base);
    assert_int_equal(table_version(t), before.version);
    struct action south = pitch_action(SOUTH);
    assert_int_equal(table_act(t, 0, &south, 1, TURN_MS / 2), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_version(t), before.version + 1);
    check_journal(t);
    tables_advance(tables, TURN_MS / 2 + TURN_MS); /* and its clock runs */
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    check_journal(t);
}

static void nor_has_anybody_sat_down_gone_or_lost(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    setup.draws_seats = false;
    setup.names[1] = SPAN("");
    struct table *t = open_table(&setup);
    store_drain(&disk.base);
    const struct table_guest guest = {.seat = 1, .name = SPAN("eve"), .seed = SPAN("00112233")};
    struct look before = look_at(t);
    disk.is_full = true;
    assert_int_equal(table_sit(t, &guest, NULL, 0, 0), ERR_OK);
    refuse_and_withdraw(t);
    assert_string_equal(table_name(t, 1), "");
    assert_looks_the_same(t, &before);
    before = look_at(t);
    assert_int_equal(table_get_up(t, 0, 0), ERR_OK);
    refuse_and_withdraw(t);
    assert_looks_the_same(t, &before);
    disk.is_full = false;
    assert_int_equal(table_sit(t, &guest, NULL, 0, 0), ERR_OK);
    store_drain(&disk.base);
    before = look_at(t);
    disk.is_full = true;
    assert_int_equal(table_forfeit(t, 0, REASON_RESIGNED), ERR_OK);
    refuse_and_withdraw(t);
    assert_looks_the_same(t, &before);
    disk.is_full = false;
    assert_int_equal(table_forfeit(t, 1, REASON_RESIGNED), ERR_OK);
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    check_journal(t);
}

/* Chance is drawn with the move; the same number of the journal draws again, by whatever comes then. */
static void dice_that_were_withdrawn_are_not_used_up(void **unused) {
    (void)unused;
    struct rng rng;
    struct action action;
    rng_seed(&rng, 4);
    struct table *t = open_with_clock(&fixture_game, fixture_game.seats_min);
    while (table_state_word(t) == TABLE_RUNNING) {
        unsigned seat = playout_seat(fixture_game.turn(table_state(t)), &rng);
        struct look before = look_at(t);
        for (int is_full = 1; is_full >= 0; is_full--) {
            disk.is_full = is_full;
            fixture_game.sample(table_state(t), seat, &rng, &action);
            assert_int_equal(table_act(t, seat, &action, 1, 0), ERR_OK);
            if (is_full) {
                refuse_and_withdraw(t);
                assert_looks_the_same(t, &before);
            }
        }
        store_drain(&disk.base);
        check_journal(t);
    }
    assert_int_equal(table_outcome(t), OUTCOME_PLAYED);
}

static void a_table_whose_set_up_was_withdrawn_is_closed(void **unused) {
    (void)unused;
    struct table_setup setup = setup_of(&paper_soccer_game, 2);
    closed_count = 0;
    disk.is_full = true;
    struct table *t = open_table(&setup);
    table_watch(t, &(struct table_listener){.closed = on_closed}); /* the owner knows what it does */
    assert_false(table_may_withdraw(t));
    store_drain(&disk.base);
    assert_true(table_may_withdraw(t));
    table_withdraw(t);
    assert_int_equal(closed_count, 1);
    assert_int_equal(settled_count, 0);
    assert_int_equal(tables_count(tables), 0);
    disk.is_full = false;
    tables_beat(tables);
    store_drain(&disk.base);
    restart(0);
    assert_int_equal(restored_count, 0);
}

static void what_is_with_the_store_cannot_be_withdrawn(void **unused) {
    (void)unused;
    struct table *t = open_soccer(false);
    assert_false(table_may_withdraw(t)); /* there is nothing */
    disk.is_full = true;
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    assert_false(table_may_withdraw(t));
    store_drain(&disk.base);
    assert_true(table_may_withdraw(t));
    disk.is_full = false;
    tables_beat(tables); /* tried again */
    assert_false(table_may_withdraw(t));
    store_drain(&disk.base);
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 1);
    check_journal(t);
}

/* Somebody goes while a request is refused: that is done when it is withdrawn. */
static void wishes_are_done_after_it(void **unused) {
    (void)unused;
    struct table *t = open_soccer(false);
    disk.is_full = true;
    assert_int_equal(step(t, 0, NORTH), ERR_OK);
    table_attend(t, 1, SEAT_RETIRED, 0);
    store_drain(&disk.base);
    disk.is_full = false;
    table_withdraw(t);
    assert_true(table_is_busy(t));
    store_drain(&disk.base);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    assert_int_equal(((const struct pitch *)table_state(t))->steps, 0);
    check_journal(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(a_move_that_was_refused_has_not_happened),
        TABLE_TEST(nor_has_anybody_sat_down_gone_or_lost),
        TABLE_TEST(dice_that_were_withdrawn_are_not_used_up),
        TABLE_TEST(a_table_whose_set_up_was_withdrawn_is_closed),
        TABLE_TEST(what_is_with_the_store_cannot_be_withdrawn),
        TABLE_TEST(wishes_are_done_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
