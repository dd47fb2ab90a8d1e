/* The Paper Soccer master without a hall and without a wire: messages in, messages out as short lines.
 *
 *     state ID next=NICK POINTS | state ID over NICK=RESULT... POINTS ! what was wrong | error */
#include "tests.h"

#include "host/hall/master.h"

#include <stdio.h>

static struct store *store;
static struct tables *tables;
static struct master *master;
static struct buf said;
static uint64_t secrets;

static int64_t on_wall_ms(void *context) {
    (void)context;
    return 1000;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    *out = (struct digest){0};
    digest_number(++secrets * UINT64_C(0x9e3779b97f4a7c15), out->bytes);
}

static void on_say(void *context, const struct hall_message *m) {
    (void)context;
    assert_true(m->type == HALL_GAME_STATE || m->type == HALL_ERROR);
    assert_int_equal(m->payload.size, 0); /* it writes nothing itself */
    if (m->type == HALL_ERROR) {
        buf_append_text(&said, "|error");
        return;
    }
    buf_printf(&said, "|state %.*s", (int)m->table.size, m->table.data);
    if (m->has_next)
        buf_printf(&said, " next=%.*s", (int)m->next.size, m->next.data);
    for (size_t i = 0; i < m->player_count; i++)
        buf_printf(&said, "%s %.*s=%.*s", i == 0 ? " over" : "", (int)m->players[i].nick.size,
                   m->players[i].nick.data, (int)m->players[i].result.size, m->players[i].result.data);
    for (size_t i = 0; i < m->point_count; i++)
        buf_printf(&said, " (%d,%d)", m->points[i].x, m->points[i].y);
    if (m->text.size > 0)
        buf_printf(&said, " ! %.*s", (int)m->text.size, m->text.data);
}

static int start(void **unused) {
    (void)unused;
    store = store_memory_open(true);
    tables =
        tables_create(&(struct tables_config){.store = store, .wall_ms = on_wall_ms, .secret = on_secret});
    return 0;
}

static int stop(void **unused) {
    (void)unused;
    master_free(master);
    store_close(store);
    tables_free(tables);
    buf_free(&said);
    return 0;
}

static void expect(const char *lines) {
    while (store_drain(store) > 0)
        ;
    assert_string_equal(buf_text(&said), lines);
    buf_clear(&said);
}

static void begin(const char *id, size_t players) {
    const struct hall_player both[] = {{.nick = SPAN("ann")}, {.nick = SPAN("bob")}, {.nick = SPAN("cid")}};
    master_take(master,
                &(struct hall_message){.type = HALL_BEGIN_GAME,
                                       .has_table = true,
                                       .table = span_of(id),
                                       .players = both,
                                       .player_count = players},
                0);
}

/* A game "g" that has begun; first and second are who moves so. */
static const char *first, *second;

static void begin_one(void) {
    master = master_create(&(struct master_config){.tables = tables, .say = on_say});
    begin("g", 2);
    while (store_drain(store) > 0)
        ;
    bool ann_begins = strcmp(buf_text(&said), "|state g next=ann") == 0;
    first = ann_begins ? "ann" : "bob";
    second = ann_begins ? "bob" : "ann";
    buf_clear(&said);
}

static void move(const struct pitch_point *points, size_t count, enum err unread) {
    master_take(master,
                &(struct hall_message){.type = HALL_MOVE,
                                       .has_table = true,
                                       .table = SPAN("g"),
                                       .payload = SPAN("<never looked into>"),
                                       .points = points,
                                       .point_count = count,
                                       .unread = unread},
                0);
}

static void move_and_wait(const struct pitch_point *points, size_t count) {
    while (store_drain(store) > 0)
        ;
    move(points, count, ERR_OK);
    while (store_drain(store) > 0)
        ;
}

static void expect_state(const char *format, const char *a, const char *b) {
    char lines[256];
    snprintf(lines, sizeof lines, format, a, b);
    expect(lines);
}

static void moves_are_points(void **unused) {
    (void)unused;
    begin_one();
    move((const struct pitch_point[]){{0, 1}}, 1, ERR_OK);
    expect_state("|state g next=%s (0,1)%s", second, "");
    move((const struct pitch_point[]){{1, 0}}, 1, ERR_OK);
    expect_state("|state g next=%s (1,0)%s", first, "");
    move((const struct pitch_point[]){{0, 0}, {-1, 0}}, 2, ERR_OK); /* bounces at the centre */
    expect_state("|state g next=%s (0,0) (-1,0)%s", second, "");
    assert_int_equal(master_table_count(master), 1);
}

static void an_illegal_move_loses_and_is_told_why(void **unused) {
    (void)unused;
    begin_one();
    move((const struct pitch_point[]){{0, 1}, {0, 2}}, 2, ERR_OK);
    while (store_drain(store) > 0)
        ;
    char over[64];
    snprintf(over, sizeof over, "|state g over %s=loser %s=winner (0,1) (0,2) ! ", first, second);
    assert_memory_equal(buf_text(&said), over, strlen(over));
    assert_non_null(strstr(buf_text(&said), "R8: "));
    assert_int_equal(master_table_count(master), 0);
}

/* What cannot be read cannot be shown; a move without points is none. */
static void what_is_no_move_loses(void **unused) {
    (void)unused;
    begin_one();
    move(NULL, 0, ERR_FIELD_INVALID);
    while (store_drain(store) > 0)
        ;
    assert_non_null(strstr(buf_text(&said), "=winner ! "));
    assert_non_null(strstr(buf_text(&said), err_sentence(ERR_FIELD_INVALID)));
    buf_clear(&said);
    begin("g", 2);
    while (store_drain(store) > 0)
        ;
    buf_clear(&said);
    move(NULL, 0, ERR_OK);
    while (store_drain(store) > 0)
        ;
    assert_non_null(strstr(buf_text(&said), " over "));
}

/* R2, R7: neither the point where the ball lies nor a part of a move is anything that a player can send. */
static void neither_the_ball_nor_a_part_is_a_move(void **unused) {
    (void)unused;
    begin_one();
    move((const struct pitch_point[]){{0, 0}, {0, 1}}, 2, ERR_OK);
    while (store_drain(store) > 0)
        ;
    assert_non_null(strstr(buf_text(&said), "=winner (0,0) (0,1) ! paper-soccer R2: "));
    buf_clear(&said);
    begin("g", 2);
    move_and_wait((const struct pitch_point[]){{0, 1}}, 1);
    move_and_wait((const struct pitch_point[]){{1, 0}}, 1);
    buf_clear(&said);
    move_and_wait((const struct pitch_point[]){{0, 0}}, 1);
    assert_non_null(strstr(buf_text(&said), " (0,0) ! paper-soccer R7: "));
}

static void who_leaves_has_lost(void **unused) {
    (void)unused;
    begin_one();
    struct hall_message left = {
        .type = HALL_PLAYER_LEFT_GAME, .has_table = true, .table = SPAN("g"), .nick = SPAN("eve")};
    master_take(master, &left, 0);
    expect("|error");
    move((const struct pitch_point[]){{0, 1}}, 1, ERR_OK); /* is being saved */
    left.nick = span_of(second);
    master_take(master, &left, 0);
    expect_state("|state g over %s=winner %s=loser", first, second);
}

static void what_makes_no_sense_is_refused(void **unused) {
    (void)unused;
    begin_one();
    begin("g", 2);
    begin("h", 3);
    begin("", 2);
    expect("|error|error|error");
    begin("h", 2);
    while (store_drain(store) > 0)
        ;
    buf_clear(&said);
    master_take(master, &(struct hall_message){.type = HALL_MOVE}, 0); /* which one? */
    expect("|error");
}

#define MASTER_TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        MASTER_TEST(moves_are_points),      MASTER_TEST(an_illegal_move_loses_and_is_told_why),
        MASTER_TEST(what_is_no_move_loses), MASTER_TEST(neither_the_ball_nor_a_part_is_a_move),
        MASTER_TEST(who_leaves_has_lost),   MASTER_TEST(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("master", tests, NULL, NULL);
}
