/* Players who are gone: their seats can be claimed, or a bot plays on for them until they are back. */
#include "lounge_world.h"

static void claim_then(struct look *l) {
    lounge_claim(lounge, l->table, l->seat, l->other, l->level, l->reply, now_ms);
}

static enum err claim(uint64_t table, unsigned seat, unsigned claimed, unsigned level) {
    struct reply *reply = ticket();
    ask(&(struct look){
        .table = table, .then = claim_then, .reply = reply, .seat = seat, .other = claimed, .level = level});
    return reply->answer.why;
}

/* A table of two at which it is the turn of ann, who is gone; bob waits. */
static uint64_t left_alone(void) {
    uint64_t table = open_for_two();
    lounge_attach(lounge, table, 0, true, now_ms);
    lounge_attach(lounge, table, 1, true, now_ms);
    lounge_attach(lounge, table, 0, false, now_ms);
    return table;
}

/* Whatever is possible where a bot has left the ball. */
static void act_somehow(uint64_t table, unsigned seat) {
    static const char *const ways[] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
    size_t i = 0;
    while (i < sizeof ways / sizeof *ways && act(table, seat, ways[i]) != ERR_OK)
        i++;
    assert_true(i < sizeof ways / sizeof *ways);
}

static void seats_are_claimed_after_a_while(void **state) {
    (void)state;
    struct lounge_absence absence;
    uint64_t table = left_alone();
    const struct table *t = tables_find(tables, table);
    assert_int_equal(claim(table, 1, 0, 0), ERR_CLAIM_EARLY);
    pass(config.claim_ms - 1);
    assert_true(lounge_absent(lounge, table, 0, &absence, now_ms));
    assert_int_equal(absence.left_ms, 1);
    assert_false(lounge_absent(lounge, table, 1, &absence, now_ms));
    assert_int_equal(claim(table, 1, 0, 0), ERR_CLAIM_EARLY);
    pass(1);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_int_equal(claim(table, 1, 0, 0), ERR_OK);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    assert_int_equal(table_loss_reason(t), REASON_LEFT);
    int32_t points[SEATS_MAX];
    table_points(t, points);
    assert_true(points[0] == 0 && points[1] == 1);
    assert_int_equal(claim(table, 1, 0, 0), ERR_TABLE_OVER);
    assert_false(lounge_absent(lounge, table, 0, &absence, now_ms));
}

static void coming_back_begins_anew(void **state) {
    (void)state;
    uint64_t table = left_alone();
    pass(config.claim_ms);
    lounge_attach(lounge, table, 0, true, now_ms);
    assert_int_equal(claim(table, 1, 0, 0), ERR_CLAIM_EARLY);
    lounge_attach(lounge, table, 0, false, now_ms);
    pass(config.claim_ms - 1);
    assert_int_equal(claim(table, 1, 0, 0), ERR_CLAIM_EARLY);
    pass(1);
    assert_int_equal(claim(table, 1, 0, 0), ERR_OK);
}

static void who_is_not_waited_for_keeps_the_seat(void **state) {
    (void)state;
    uint64_t table = open_for_two();
    lounge_attach(lounge, table, 0, true, now_ms);
    pass(10 * config.claim_ms); /* bob has never come, but it is the turn of ann */
    assert_int_equal(claim(table, 0, 1, 0), ERR_CLAIM_EARLY);
    assert_int_equal(act(table, 0, "N"), ERR_OK);
    assert_int_equal(claim(table, 0, 1, 0), ERR_OK);
}

static void claims_are_refused(void **state) {
    (void)state;
    uint64_t table = left_alone();
    pass(config.claim_ms);
    assert_int_equal(claim(table, 1, 1, 0), ERR_FIELD_INVALID);
    assert_int_equal(claim(table, 1, 2, 0), ERR_FIELD_INVALID);
    assert_int_equal(claim(table + 1, 1, 0, 0), ERR_TABLE_UNKNOWN);
    struct lounge_order order = order_of(&paper_soccer_game);
    uint64_t waiting = open_table(&order)->answer.table;
    sit(waiting, 0, "ann");
    pass(config.claim_ms);
    assert_int_equal(claim(waiting, 0, 1, 0), ERR_TABLE_WAITS);
    order.bot_level[1] = 1;
    uint64_t with_bot = open_table(&order)->answer.table;
    sit(with_bot, 0, "ann");
    pass(config.claim_ms);
    assert_int_equal(claim(with_bot, 0, 1, 0), ERR_CLAIM_IMPOSSIBLE);
}

/* The seat stays its player's: only the bot moves, and no more when the player is back. */
static void a_bot_plays_on_until_the_player_is_back(void **state) {
    (void)state;
    struct lounge_absence absence;
    uint64_t table = left_alone();
    const struct table *t = tables_find(tables, table);
    pass(config.claim_ms);
    uint64_t version = table_version(t);
    assert_int_equal(claim(table, 1, 0, 1), ERR_OK);
    assert_true(lounge_absent(lounge, table, 0, &absence, now_ms));
    assert_int_equal(absence.bot_level, 1);
    think();
    assert_true(table_version(t) > version);
    assert_string_equal(table_name(t, 0), "ann");
    assert_true(table_may_act(t, 1));
    act_somehow(table, 1);
    lounge_attach(lounge, table, 0, true, now_ms); /* while it thinks */
    version = table_version(t);
    think();
    assert_int_equal(table_version(t), version);
    assert_false(lounge_absent(lounge, table, 0, &absence, now_ms));
    act_somehow(table, 0);
}

/* After a restart nobody is there yet, and everybody has the whole time to come back. */
static void a_restart_begins_anew(void **state) {
    (void)state;
    uint64_t table = left_alone();
    pass(config.claim_ms);
    restart();
    lounge_attach(lounge, table, 1, true, now_ms);
    assert_int_equal(claim(table, 1, 0, 0), ERR_CLAIM_EARLY);
    pass(config.claim_ms);
    assert_int_equal(claim(table, 1, 0, 0), ERR_OK);
}

/* The same table, with a policy. */
static uint64_t left_to_a_bot(struct lounge_clocks clocks) {
    struct lounge_order order = order_of(&paper_soccer_game);
    order.has_absent = true;
    order.absent_level = 2;
    order.clocks = clocks;
    uint64_t table = open_table(&order)->answer.table;
    sit(table, 0, "ann");
    sit(table, 1, "bob");
    lounge_attach(lounge, table, 0, true, now_ms);
    lounge_attach(lounge, table, 1, true, now_ms);
    lounge_attach(lounge, table, 0, false, now_ms);
    return table;
}

/* Nobody asks for it, and the player has the seat again when it is back. */
static void a_bot_takes_over_by_itself(void **state) {
    (void)state;
    struct lounge_absence absence;
    uint64_t table = left_to_a_bot((struct lounge_clocks){0});
    const struct table *t = tables_find(tables, table);
    uint64_t version = table_version(t);
    pass(config.absent_ms - 1);
    think();
    assert_int_equal(table_version(t), version);
    pass(1);
    assert_true(lounge_absent(lounge, table, 0, &absence, now_ms));
    assert_int_equal(absence.bot_level, 2);
    think();
    assert_true(table_version(t) > version);
    assert_true(table_may_act(t, 1));
    act_somehow(table, 1);
    lounge_attach(lounge, table, 0, true, now_ms); /* while it thinks */
    version = table_version(t);
    think();
    assert_int_equal(table_version(t), version);
    act_somehow(table, 0);
}

static void a_bot_takes_over_after_a_restart(void **state) {
    (void)state;
    uint64_t table = left_to_a_bot((struct lounge_clocks){0});
    pass(config.absent_ms);
    think();
    act_somehow(table, 1);
    restart(); /* in the middle, and nobody is there: for nobody no bot plays */
    const struct table *t = tables_find(tables, table);
    uint64_t version = table_version(t);
    assert_true(table_may_act(t, 0));
    pass(10 * config.absent_ms);
    think();
    assert_int_equal(table_version(t), version);
    lounge_attach(lounge, table, 1, true, now_ms);
    pass(TABLES_CARE_RETRY_MS);
    think();
    assert_true(table_version(t) > version);
    assert_true(table_may_act(t, 1));
    lounge_attach(lounge, table, 0, true, now_ms);
    act_somehow(table, 1);
    version = table_version(t);
    think();
    assert_int_equal(table_version(t), version);
    act_somehow(table, 0);
}

/* Also where the server says so for all tables that say nothing; and not where the table says no. */
static void the_table_has_the_last_word(void **state) {
    (void)state;
    struct lounge_absence absence;
    config.absent_level = 4;
    restart();
    uint64_t table = left_alone();
    struct lounge_order order = order_of(&paper_soccer_game);
    order.has_absent = true;
    uint64_t without = open_table(&order)->answer.table;
    sit(without, 0, "ann");
    sit(without, 1, "bob");
    lounge_attach(lounge, without, 1, true, now_ms);
    pass(config.absent_ms + LOUNGE_SEEN_MS);
    assert_true(lounge_absent(lounge, table, 0, &absence, now_ms));
    assert_int_equal(absence.bot_level, 4);
    pass(config.absent_ms);
    assert_true(lounge_absent(lounge, without, 0, &absence, now_ms));
    assert_int_equal(absence.bot_level, 0);
}

/* The time of the bot was not the player's. */
static void who_comes_back_has_its_whole_turn(void **state) {
    (void)state;
    uint64_t table = left_to_a_bot((struct lounge_clocks){.turn_ms = 60 * 1000});
    const struct table *t = tables_find(tables, table);
    pass(config.absent_ms); /* the bot is to think, and has no thread */
    pass(40 * 1000);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    lounge_attach(lounge, table, 0, true, now_ms);
    assert_int_equal(table_left_ms(t, 0), 60 * 1000);
    pass(60 * 1000 - 1);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    pass(1);
    assert_int_equal(table_state_word(t), TABLE_OVER);
    assert_int_equal(table_outcome(t), OUTCOME_FORFEITED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(seats_are_claimed_after_a_while),
        CASE(coming_back_begins_anew),
        CASE(who_is_not_waited_for_keeps_the_seat),
        CASE(claims_are_refused),
        CASE(a_bot_plays_on_until_the_player_is_back),
        CASE(a_restart_begins_anew),
        CASE(a_bot_takes_over_by_itself),
        CASE(a_bot_takes_over_after_a_restart),
        CASE(the_table_has_the_last_word),
        CASE(who_comes_back_has_its_whole_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
