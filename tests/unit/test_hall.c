/* The hall without a network: members are names, what they are told becomes short lines, the clock is a
 * number.
 *
 *     login ok | login N | begin ID NICK... | state ID next=NICK PAYLOAD | state ID over NICK=RESULT...
 * PAYLOAD move ID PAYLOAD | left ID NICK | shutdown | list NICK:won:lost... | error */
#include "tests.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/timers.h"
#include "hall_past.h"

#include <stdio.h>

enum { PEOPLE_MAX = 16 };

struct person {
    const char *name;
    struct hall_member *member;
    struct buf heard;
    bool is_closed;
};

static struct hall *hall;
static struct person people[PEOPLE_MAX];
static size_t person_count;
static uint64_t now_ms;
static bool has_ended;

static void write_line(struct buf *b, const struct hall_message *m) {
    buf_append_byte(b, '|');
    switch (m->type) {
    case HALL_ERROR:
        buf_append_text(b, "error");
        assert_true(m->text.size > 0);
        break;
    case HALL_LOGIN_RESPONSE:
        if (m->login_error == HALL_LOGIN_OK)
            buf_append_text(b, "login ok");
        else
            buf_printf(b, "login %d", (int)m->login_error);
        break;
    case HALL_BEGIN_GAME: buf_append_text(b, "begin "); break;
    case HALL_GAME_STATE: buf_append_text(b, "state "); break;
    case HALL_MOVE: buf_append_text(b, "move "); break;
    case HALL_PLAYER_LEFT_GAME: buf_append_text(b, "left "); break;
    case HALL_SERVER_SHUTDOWN: buf_append_text(b, "shutdown"); break;
    case HALL_CHAMPIONS_LIST: buf_append_text(b, "list"); break;
    default: fail_msg("the hall never says %d", m->type);
    }
    if (m->has_table)
        buf_append(b, m->table);
    if (m->has_next)
        buf_printf(b, " next=%.*s", (int)m->next.size, m->next.data);
    if (m->is_over)
        buf_append_text(b, " over");
    if (m->nick.size > 0)
        buf_printf(b, " %.*s", (int)m->nick.size, m->nick.data);
    for (size_t i = 0; i < m->player_count; i++) {
        buf_printf(b, " %.*s", (int)m->players[i].nick.size, m->players[i].nick.data);
        if (m->type == HALL_CHAMPIONS_LIST)
            buf_printf(b, ":%d:%d", m->players[i].won, m->players[i].lost);
        else if (m->players[i].result.size > 0)
            buf_printf(b, "=%.*s", (int)m->players[i].result.size, m->players[i].result.data);
    }
    if (m->payload.size > 0)
        buf_printf(b, " %.*s", (int)m->payload.size, m->payload.data);
}

static void on_write(void *context, struct buf *out, const struct hall_message *m) {
    (void)context;
    write_line(out, m);
}

static void on_send(void *context, void *member_context, enum hall_type type, struct span written) {
    (void)context;
    (void)type;
    buf_append(&((struct person *)member_context)->heard, written);
}

static void on_close(void *context, void *member_context) {
    struct person *p = member_context;
    (void)context;
    assert_false(p->is_closed);
    p->is_closed = true;
    p->member = NULL;
}

static void on_ended(void *context) {
    (void)context;
    has_ended = true;
}

static void open_hall(struct hall_config config) {
    now_ms = 1000;
    has_ended = false;
    person_count = 0;
    memset(people, 0, sizeof people);
    hall = hall_create(&config, &(struct hall_output){NULL, on_write, on_send, on_close, on_ended});
}

static int close_hall(void **unused) {
    (void)unused;
    hall_free(hall);
    for (size_t i = 0; i < person_count; i++)
        buf_free(&people[i].heard);
    return 0;
}

static struct person *person(const char *name) {
    for (size_t i = 0; i < person_count; i++)
        if (strcmp(people[i].name, name) == 0)
            return &people[i];
    struct person *p = &people[person_count++];
    p->name = name;
    p->member = hall_join(hall, p, now_ms);
    return p;
}

static void take(const char *name, struct hall_message m) {
    hall_take(hall, person(name)->member, &m, now_ms);
}

/* Everything this person has heard since it was asked last. */
static void heard(const char *name, const char *lines) {
    struct person *p = person(name);
    assert_string_equal(buf_text(&p->heard), lines);
    buf_clear(&p->heard);
}

static void pass(uint64_t ms) {
    now_ms += ms;
    hall_advance(hall, now_ms);
}

static void hang_up(const char *name) {
    struct person *p = person(name);
    hall_leave(hall, p->member, now_ms);
    p->member = NULL;
    p->is_closed = true;
}

static void login(const char *nick, const char *type) {
    take(nick,
         (struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = span_of(nick), .game_type = span_of(type)});
}

static void login_master(const char *name, const char *type, int64_t min, int64_t max) {
    take(name, (struct hall_message){.type = HALL_MASTER_LOGIN,
                                     .id = span_of(name),
                                     .game_type = span_of(type),
                                     .players_min = min,
                                     .players_max = max});
}

static void say(const char *name, enum hall_type type, const char *table, const char *payload) {
    take(name, (struct hall_message){.type = type,
                                     .has_table = table != NULL,
                                     .table = span_of(table == NULL ? "" : table),
                                     .payload = span_of(payload)});
}

static void say_next(const char *master, const char *table, const char *next, const char *payload) {
    take(master, (struct hall_message){.type = HALL_GAME_STATE,
                                       .has_table = true,
                                       .table = span_of(table),
                                       .has_next = true,
                                       .next = span_of(next),
                                       .payload = span_of(payload)});
}

static void say_over(const char *master, const char *table, const char *winner, const char *loser) {
    struct hall_player players[] = {{.nick = span_of(winner), .result = SPAN("winner")},
                                    {.nick = span_of(loser), .result = SPAN("loser")}};
    take(master, (struct hall_message){.type = HALL_GAME_STATE,
                                       .has_table = true,
                                       .table = span_of(table),
                                       .is_over = true,
                                       .players = players,
                                       .player_count = 2});
}

/* ann and bob at table 1 of master m, ann to move; nothing left to be heard. */
static void seat_two(void) {
    open_hall(hall_config_default());
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    heard("m", "|login ok|begin 1 ann bob");
    say_next("m", "1", "ann", "");
    heard("ann", "|login ok|state 1 next=ann");
    heard("bob", "|login ok|state 1 next=ann");
}

static void a_whole_game(void **unused) {
    (void)unused;
    seat_two();
    say("ann", HALL_MOVE, "1", "<move>e4</move>");
    heard("m", "|move 1 <move>e4</move>");
    say_next("m", "1", "bob", "<gameState>e4</gameState>");
    heard("ann", "|state 1 next=bob <gameState>e4</gameState>");
    heard("bob", "|state 1 next=bob <gameState>e4</gameState>");
    say("bob", HALL_MOVE, NULL, "<move>e5</move>"); /* without the id: there is only one game it can mean */
    heard("m", "|move 1 <move>e5</move>");
    say_over("m", "1", "bob", "ann");
    heard("ann", "|state 1 over bob=winner ann=loser");
    heard("bob", "|state 1 over bob=winner ann=loser");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "");
    assert_int_equal(hall_counts(hall).tables, 1); /* both are free only when both have thanked */
    say("ann", HALL_THANK_YOU, NULL, "");
    heard("m", "|begin 2 ann bob"); /* back to the pool, and on */
    assert_int_equal(hall_counts(hall).tables_finished, 1);
}

static void an_error_is_as_good_as_thanks(void **unused) {
    (void)unused;
    seat_two();
    say_over("m", "1", "bob", "ann");
    say("bob", HALL_ERROR, NULL, "");
    say("ann", HALL_ERROR, NULL, "");
    heard("m", "|begin 2 ann bob");
}

static void missing_thanks_are_waited_for_only_so_long(void **unused) {
    (void)unused;
    seat_two();
    say_over("m", "1", "bob", "ann");
    say("bob", HALL_THANK_YOU, "1", "");
    pass(4999);
    heard("m", "");
    pass(1);
    heard("m", "|begin 2 ann bob");
    heard("ann", "|state 1 over bob=winner ann=loser");
    say("ann", HALL_THANK_YOU, "1", ""); /* late, but no offence */
    heard("ann", "");
    say("ann", HALL_THANK_YOU, "2", ""); /* too early */
    heard("ann", "|error");
}

static void logins_are_refused_with_their_number(void **unused) {
    (void)unused;
    open_hall(hall_config_default());
    login("ann", "chess");
    heard("ann", "|login ok");
    const char *const nicks[] = {"",     "a b",
                                 "a\tb", "a\u00a0b",
                                 "\xff", "1234567890123456789012345678901234567890123456789012345678901234x",
                                 "ann"};
    person("x");
    for (size_t i = 0; i < sizeof nicks / sizeof *nicks; i++) {
        take("x", (struct hall_message){
                      .type = HALL_PLAYER_LOGIN, .nick = span_of(nicks[i]), .game_type = SPAN("chess")});
        heard("x", "|login 1");
    }
    take("x", (struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = SPAN("x")});
    heard("x", "|login 2");
    take("x", (struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = SPAN("x"), .game_type = SPAN("go")});
    heard("x", "|login ok"); /* the connection was kept for this */
    login("x", "go");
    heard("x", "|error"); /* and the first login stays */
    login_master("m", "", 2, 2);
    heard("m", "|login 2");
    const int64_t wrong[][2] = {{1, 2}, {3, 2}, {-1, 2}, {2, -1}, {100000, 100000}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        login_master("m", "chess", wrong[i][0], wrong[i][1]);
        heard("m", "|login 5");
    }
    login_master("m", "chess", 2, 4);
    heard("m", "|login ok");
    login_master("n", "chess", 2, 4);
    heard("n", "|login 4");
    login_master("n", "go", 2, 4);
    heard("n", "|login ok");
}

static void the_pool_has_a_limit(void **unused) {
    (void)unused;
    struct hall_config config = hall_config_default();
    config.players_max = 2;
    open_hall(config);
    login("ann", "chess");
    login("bob", "go");
    login("cid", "go");
    heard("cid", "|login 3");
    hang_up("bob");
    login("cid", "go");
    heard("cid", "|login ok");
}

static void who_does_not_log_in_is_closed(void **unused) {
    (void)unused;
    open_hall(hall_config_default());
    person("x");
    pass(9999);
    assert_false(person("x")->is_closed);
    say("x", HALL_MOVE, NULL, "");
    heard("x", "|error");
    pass(1);
    assert_true(person("x")->is_closed);
    heard("x", "|error");
    person("y");
    for (int i = 0; i < 16; i++) {
        assert_false(person("y")->is_closed);
        take("y", (struct hall_message){.type = HALL_PLAYER_LOGIN});
    }
    assert_true(person("y")->is_closed); /* nobody tries for ever */
}

static void moves_at_the_wrong_time_are_refused(void **unused) {
    (void)unused;
    seat_two();
    login("cid", "chess");
    heard("cid", "|login ok");
    say("cid", HALL_MOVE, "1", "");
    say("cid", HALL_LEAVE_GAME, "1", "");
    say("cid", HALL_THANK_YOU, "1", "");
    say("cid", HALL_BEGIN_GAME, "1", "");
    say("cid", HALL_GAME_STATE, "1", "");
    heard("cid", "|error|error|error|error|error");
    say("bob", HALL_MOVE, "1", "");
    heard("bob", "|error");
    say("ann", HALL_MOVE, "7", "");
    heard("ann", "|error");
    heard("m", "");
    say("ann", HALL_MOVE, "1", "<move>1</move>");
    say("ann", HALL_MOVE, "1", "<move>2</move>");
    heard("ann", "|error");
    heard("m", "|move 1 <move>1</move>");
    say_over("m", "1", "bob", "ann");
    heard("ann", "|state 1 over bob=winner ann=loser");
    say("ann", HALL_MOVE, "1", "");
    heard("ann", "|error");
    say("m", HALL_MOVE, "1", "");
    heard("m", "|error");
}

static void who_leaves_loses_by_the_masters_word(void **unused) {
    (void)unused;
    seat_two();
    say("bob", HALL_LEAVE_GAME, "1", "");
    heard("m", "|left 1 bob");
    say("m", HALL_PLAYER_LEFT_GAME, "1", ""); /* names nobody */
    heard("m", "|error");
    say_next("m", "1", "bob", "");
    heard("m", "|error"); /* bob is gone */
    say_over("m", "1", "ann", "bob");
    heard("ann", "|state 1 over ann=winner bob=loser");
    heard("bob", "");
    say("ann", HALL_THANK_YOU, "1", "");
    heard("m", "|begin 2 bob ann"); /* bob has been free for longer */
}

static void who_leaves_loses_when_the_master_is_silent(void **unused) {
    (void)unused;
    seat_two();
    hang_up("ann");
    heard("m", "|left 1 ann");
    pass(5000);
    heard("bob", "|state 1 over ann=loser bob=winner");
    say_over("m", "1", "bob", "ann");
    heard("m", "|error"); /* too late */
    assert_false(person("m")->is_closed);
}

static void when_all_leave_the_table_ends(void **unused) {
    (void)unused;
    seat_two();
    say("ann", HALL_LOGOUT, NULL, "");
    assert_true(person("ann")->is_closed);
    hang_up("bob");
    heard("m", "|left 1 ann|left 1 bob");
    pass(5000);
    assert_int_equal(hall_counts(hall).tables, 0);
    assert_int_equal(hall_counts(hall).players, 0);
}

static void who_does_not_move_loses(void **unused) {
    (void)unused;
    seat_two();
    pass(29999);
    heard("ann", "");
    pass(1);
    heard("ann", "|error");
    heard("m", "|left 1 ann");
    say("ann", HALL_MOVE, "1", "");
    heard("ann", "|error");
    say_over("m", "1", "bob", "ann");
    heard("ann", "|state 1 over bob=winner ann=loser");
    say("bob", HALL_THANK_YOU, "1", "");
    pass(5000); /* not even thanks: taken for broken */
    assert_true(person("ann")->is_closed);
    assert_false(person("bob")->is_closed);
    assert_int_equal(hall_counts(hall).players, 1);
}

static void a_master_that_vanishes_frees_players_and_type(void **unused) {
    (void)unused;
    seat_two();
    hang_up("m");
    heard("ann", "|error");
    heard("bob", "|error");
    assert_int_equal(hall_counts(hall).tables, 0);
    login_master("n", "chess", 2, 2);
    heard("n", "|login ok|begin 2 ann bob");
    pass(30000); /* this one never says anything */
    assert_true(person("n")->is_closed);
    heard("n", "|error");
    heard("ann", "|error");
    login_master("o", "chess", 2, 2);
    heard("o", "|login ok|begin 3 ann bob");
}

static void a_confused_master_is_told(void **unused) {
    (void)unused;
    seat_two();
    say_next("m", "9", "ann", "");
    say_next("m", "1", "zoe", "");
    say("m", HALL_GAME_STATE, "1", ""); /* neither next nor over */
    say_over("m", "1", "zoe", "ann");
    heard("m", "|error|error|error|error");
    heard("ann", "");
    take("m", (struct hall_message){.type = HALL_GAME_STATE, .has_next = true, .next = SPAN("bob")});
    heard("ann", "|state 1 next=bob"); /* no id, but only one game */
    struct hall_player players[] = {{.nick = SPAN("ann"), .result = SPAN("winner")}};
    take("m", (struct hall_message){.type = HALL_GAME_STATE,
                                    .has_table = true,
                                    .table = SPAN("1"),
                                    .has_next = true,
                                    .next = SPAN("bob"),
                                    .is_over = true,
                                    .players = players,
                                    .player_count = 1});
    heard("ann", "|state 1 over ann=winner"); /* both: over wins */
}

static void three_play_on_when_one_leaves(void **unused) {
    (void)unused;
    open_hall(hall_config_default());
    login("ann", "tri");
    login("bob", "tri");
    login("cid", "tri");
    login("dan", "tri");
    login_master("m", "tri", 3, 5);
    heard("m", "|login ok|begin 1 ann bob cid");
    say_next("m", "1", "cid", "");
    hang_up("ann");
    heard("m", "|left 1 ann");
    say_next("m", "1", "bob", "");
    heard("cid", "|login ok|state 1 next=cid|state 1 next=bob");
    take("m", (struct hall_message){
                  .type = HALL_PLAYER_LEFT_GAME, .has_table = true, .table = SPAN("1"), .nick = SPAN("bob")});
    heard("bob", "|login ok|state 1 next=cid|state 1 next=bob|error");
    pass(5000);
    heard("cid", "|state 1 over ann=loser bob=loser cid=winner");
    heard("dan", "|login ok");
}

static void shutdown_is_told_to_everybody(void **unused) {
    (void)unused;
    seat_two();
    person("x");
    hall_shutdown(hall);
    heard("ann", "|shutdown");
    heard("bob", "|shutdown");
    heard("m", "|shutdown");
    heard("x", "|shutdown");
    assert_true(has_ended && person("ann")->is_closed && person("m")->is_closed && person("x")->is_closed);
}

static struct hall_config championship(uint32_t players) {
    struct hall_config config = hall_config_default();
    config.championship_type = "chess";
    config.championship_players = players;
    config.championship_resumes = true;
    return config;
}

static void a_championship_of_three(void **unused) {
    (void)unused;
    open_hall(championship(3));
    login("zed", "go");
    heard("zed", "|login 2");
    login_master("m", "chess", 3, 4);
    heard("m", "|login 5"); /* two players a game */
    login("ann", "chess");
    login("bob", "chess");
    login("cid", "chess");
    login_master("m", "chess", 2, 4);
    heard("m", "|login ok|begin 1 ann bob");
    login("zed", "chess");
    heard("zed", "|login 3");
    say_over("m", "1", "bob", "ann");
    say("ann", HALL_THANK_YOU, "1", "");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "|begin 2 ann cid");
    say_over("m", "2", "cid", "ann");
    say("ann", HALL_THANK_YOU, "2", "");
    say("cid", HALL_THANK_YOU, "2", "");
    heard("m", "|begin 3 bob cid");
    say_over("m", "3", "cid", "bob");
    say("bob", HALL_THANK_YOU, "3", "");
    assert_false(has_ended);
    say("cid", HALL_THANK_YOU, "3", "");
    assert_true(has_ended);
    heard("ann", "|login ok|state 1 over bob=winner ann=loser|state 2 over cid=winner ann=loser"
                 "|list cid:2:0 bob:1:1 ann:0:2|shutdown");
    heard("m", "|shutdown"); /* the list is for players */
}

static void who_leaves_a_championship_loses_the_rest(void **unused) {
    (void)unused;
    open_hall(championship(4));
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    login("cid", "chess");
    login("dan", "chess");
    heard("m", "|login ok|begin 1 ann bob|begin 2 cid dan"); /* games run side by side */
    hang_up("ann");
    heard("m", "|left 1 ann");
    say_over("m", "1", "bob", "ann");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "");
    login("eve", "chess");
    heard("eve", "|login 3"); /* the place is not free again */
    say_next("m", "2", "dan", "");
    pass(30000); /* dan does not move */
    heard("m", "|left 2 dan");
    say_over("m", "2", "cid", "dan");
    say("cid", HALL_THANK_YOU, "2", "");
    say("dan", HALL_THANK_YOU, "2", "");
    heard("m", "|begin 3 bob cid");
    hang_up("cid");
    say_over("m", "3", "bob", "cid");
    say("bob", HALL_THANK_YOU, "3", "");
    assert_true(has_ended);
    buf_clear(&person("bob")->heard);
}

static void a_championship_outlives_its_master(void **unused) {
    (void)unused;
    open_hall(championship(2));
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    say_next("m", "1", "ann", "");
    hang_up("m");
    heard("ann", "|login ok|state 1 next=ann|error");
    pass(29999);
    login_master("n", "chess", 2, 2);
    heard("n", "|login ok|begin 2 ann bob");
    hang_up("n");
    pass(30000); /* nobody takes over: the list so far */
    heard("bob", "|login ok|state 1 next=ann|error|error|list ann:0:0 bob:0:0|shutdown");
    assert_true(has_ended);
}

static void a_master_may_want_one_game_at_a_time(void **unused) {
    (void)unused;
    struct hall_config config = hall_config_default();
    config.tables_per_master_max = 1;
    open_hall(config);
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    login("cid", "chess");
    login("dan", "chess");
    heard("m", "|login ok|begin 1 ann bob");
    say_over("m", "1", "ann", "bob");
    hang_up("ann");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "|begin 2 cid dan");
}

static void on_opened(void *context, const struct hall *where, size_t index) {
    assert_ptr_equal(where, hall);
    *(size_t *)context = index;
}

static size_t open_championship(const char *type, int64_t players) {
    size_t index = 99;
    const struct hall_opening opening = {&index, on_opened, NULL, {{0}}};
    assert_int_equal(hall_open_championship(hall, span_of(type), players, &opening, now_ms), ERR_OK);
    return index;
}

static enum hall_championship_state state_of(size_t index) {
    struct hall_championship c;
    assert_true(hall_championship_at(hall, index, &c));
    return c.state;
}

static void add_row(void *context, const struct hall_player *player) {
    buf_printf(context, " %.*s:%d:%d", (int)player->nick.size, player->nick.data, player->won, player->lost);
}

static void standings(size_t index, const char *rows) {
    struct buf found = {0};
    hall_championship_standings(hall, index, add_row, &found);
    assert_string_equal(buf_text(&found), rows);
    buf_free(&found);
}

static void a_championship_beside_the_pool(void **unused) {
    (void)unused;
    open_hall(hall_config_default());
    size_t index = open_championship("chess", 2);
    login("ann", "chess#1");
    login("bob", "chess#1");
    login("cid", "chess#1");
    heard("cid", "|login 3");
    assert_int_equal(state_of(index), HALL_CHAMPIONSHIP_OPEN); /* its type has no master yet */
    login("cid", "chess");
    login_master("m", "chess", 2, 2);
    heard("m", "|login ok|begin 1 ann bob");
    assert_int_equal(state_of(index), HALL_CHAMPIONSHIP_RUNS);
    standings(index, " ann:0:0 bob:0:0");
    login("dan", "chess"); /* the pool of the type goes on */
    heard("m", "|begin 2 cid dan");
    say_over("m", "1", "bob", "ann");
    say("ann", HALL_THANK_YOU, "1", "");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("ann", "|login ok|state 1 over bob=winner ann=loser|list bob:1:0 ann:0:1|shutdown");
    assert_true(person("ann")->is_closed && person("bob")->is_closed && !person("m")->is_closed);
    assert_false(has_ended);
    assert_int_equal(state_of(index), HALL_CHAMPIONSHIP_OVER);
    standings(index, " bob:1:0 ann:0:1");
    say_over("m", "2", "cid", "dan");
    heard("cid", "|login ok|state 2 over cid=winner dan=loser");
}

static void an_opened_championship_outlives_its_master(void **unused) {
    (void)unused;
    open_hall(hall_config_default());
    login_master("m", "chess", 2, 2);
    size_t index = open_championship("chess", 2);
    login("ann", "chess#1");
    login("bob", "chess#1");
    heard("m", "|login ok|begin 1 ann bob");
    hang_up("m");
    heard("ann", "|login ok|error");
    login_master("n", "chess", 2, 2);
    heard("n", "|login ok|begin 2 ann bob");
    hang_up("n");
    pass(30000); /* nobody takes over: the list so far, and the hall goes on */
    heard("bob", "|login ok|error|error|list ann:0:0 bob:0:0|shutdown");
    assert_false(has_ended);
    assert_int_equal(state_of(index), HALL_CHAMPIONSHIP_OVER);
}

static void not_opened(void *context, const struct hall *where, size_t index) {
    (void)context;
    (void)where;
    (void)index;
    fail();
}

static void openings_are_refused(void **unused) {
    (void)unused;
    const struct hall_opening index = {NULL, not_opened, NULL, {{0}}};
    open_hall(championship(2));
    assert_int_equal(hall_open_championship(hall, SPAN("chess"), 2, &index, now_ms), ERR_TOO_MANY);
    close_hall(NULL);
    open_hall(hall_config_default());
    assert_int_equal(hall_open_championship(hall, SPAN(""), 2, &index, now_ms), ERR_FIELD_INVALID);
    assert_int_equal(hall_open_championship(hall, SPAN("chess"), 1, &index, now_ms), ERR_FIELD_INVALID);
    assert_int_equal(hall_open_championship(hall, SPAN("\xff"), 2, &index, now_ms), ERR_FIELD_INVALID);
    for (size_t i = 0; i < HALL_CHAMPIONSHIPS_MAX; i++)
        assert_int_equal(open_championship("chess", 2), i);
    assert_int_equal(hall_open_championship(hall, SPAN("chess"), 2, &index, now_ms), ERR_TOO_MANY);
    pass(HALL_OPEN_MS); /* nobody has come */
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_OVER);
    assert_int_equal(open_championship("chess", 2), HALL_CHAMPIONSHIPS_MAX - 1);
}

/* Championships that are kept: a disk that writes when it is told to, and forgets nothing. */
static struct {
    struct store *store;
    const struct store_ops *memory_ops;
    struct store_ops ops;
    struct tables *tables;
    bool is_full;
    struct store_request failed;
    uint64_t secrets;
} disk;

static void disk_append(struct store *s, const struct store_request *r) {
    if (disk.is_full)
        disk.failed = *r;
    else
        disk.memory_ops->append(s, r);
}

static size_t disk_drain(struct store *s) {
    struct store_request failed = disk.failed;
    disk.failed = (struct store_request){0};
    if (failed.done != NULL)
        failed.done(failed.context, ERR_IO);
    return disk.memory_ops->drain(s);
}

static int64_t disk_wall_ms(void *context) {
    (void)context;
    return (int64_t)now_ms;
}

static void disk_secret(void *context, struct digest *out) {
    (void)context;
    *out = (struct digest){0};
    digest_number(++disk.secrets * UINT64_C(0x9e3779b97f4a7c15), out->bytes); /* spread over all ids */
}

static void save(void) {
    store_work(disk.store);
    store_drain(disk.store);
}

static int open_disk(void **unused) {
    (void)unused;
    memset(&disk, 0, sizeof disk);
    disk.store = store_memory_open(false);
    disk.memory_ops = disk.store->ops;
    disk.ops = *disk.store->ops;
    disk.ops.append = disk_append;
    disk.ops.drain = disk_drain;
    disk.store->ops = &disk.ops;
    disk.tables = tables_create(
        &(struct tables_config){.store = disk.store, .wall_ms = disk_wall_ms, .secret = disk_secret});
    return 0;
}

static int close_disk(void **unused) {
    save();
    close_hall(unused);
    tables_free(disk.tables);
    store_close(disk.store);
    return 0;
}

static void open_kept_hall(struct hall_config config) {
    config.tables = disk.tables;
    config.keeps_championships = true;
    open_hall(config);
    assert_int_equal(hall_restore(hall, now_ms), ERR_OK);
}

/* What is on its way still arrives; then nobody is there any more, and it begins anew, as at another node. */
static void restart(struct hall_config config) {
    save();
    close_hall(NULL);
    struct hall_past *past = past_read(disk.tables, &config);
    open_hall(config);
    hall_restore_past(hall, past, now_ms);
    hall_past_free(past);
}

/* ann, bob and cid are in chess#1, whose master is m; ann plays bob. */
static void enter_three(void) {
    open_kept_hall(hall_config_default());
    login_master("m", "chess", 2, 2);
    size_t index = 99;
    const struct hall_opening opening = {&index, on_opened, NULL, {{0}}};
    struct hall_championship c;
    assert_int_equal(hall_open_championship(hall, SPAN("chess"), 3, &opening, now_ms), ERR_OK);
    assert_int_equal(index, 99); /* not before it is on disk */
    assert_false(hall_championship_at(hall, 0, &c));
    save();
    assert_int_equal(index, 0);
    login("ann", "chess#1");
    login("bob", "chess#1");
    login("cid", "chess#1");
    heard("m", "|login ok"); /* who has entered is not on disk yet */
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_OPEN);
    save();
    heard("m", "|begin 1 ann bob");
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_RUNS);
    heard("ann", "|login ok");
    heard("bob", "|login ok");
    heard("cid", "|login ok");
}

static void results_are_told_when_they_are_saved(void **unused) {
    (void)unused;
    enter_three();
    say_over("m", "1", "bob", "ann");
    heard("ann", "");
    standings(0, " ann:0:0 bob:0:0 cid:0:0");
    say("ann", HALL_MOVE, "1", "<move/>"); /* neither on turn nor over */
    say("ann", HALL_THANK_YOU, "1", "");
    heard("ann", "|error|error");
    say_over("m", "1", "ann", "bob"); /* it has been decided */
    heard("m", "|error");
    save();
    heard("ann", "|state 1 over bob=winner ann=loser");
    heard("bob", "|state 1 over bob=winner ann=loser");
    standings(0, " bob:1:0 cid:0:0 ann:0:1");
    say("ann", HALL_THANK_YOU, "1", "");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "|begin 2 ann cid");
}

static void a_full_disk_holds_results_up(void **unused) {
    (void)unused;
    enter_three();
    disk.is_full = true;
    say_over("m", "1", "bob", "ann");
    save();
    heard("ann", "|error");
    pass(HALL_RETRY_MS);
    disk.is_full = false;
    save();
    heard("bob", "|error"); /* once */
    standings(0, " ann:0:0 bob:0:0 cid:0:0");
    pass(HALL_RETRY_MS);
    save();
    heard("bob", "|state 1 over bob=winner ann=loser");
}

static void who_leaves_while_it_is_saved_is_gone(void **unused) {
    (void)unused;
    enter_three();
    say_over("m", "1", "bob", "ann");
    hang_up("ann");
    hang_up("m"); /* the verdict holds */
    heard("bob", "");
    save();
    heard("bob", "|state 1 over bob=winner ann=loser");
    save();
    standings(0, " bob:1:0 cid:1:0 ann:0:2");
    login_master("n", "chess", 2, 2);
    heard("n", "|login ok|begin 2 bob cid");
}

static void entrants_come_back_after_a_restart(void **unused) {
    (void)unused;
    enter_three();
    say_over("m", "1", "bob", "ann");
    save();
    say("ann", HALL_THANK_YOU, "1", "");
    say("bob", HALL_THANK_YOU, "1", "");
    heard("m", "|begin 2 ann cid");
    restart(hall_config_default()); /* game 2 runs: it is played again */
    standings(0, " bob:1:0 cid:0:0 ann:0:1");
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_RUNS);
    login_master("m", "chess", 2, 2);
    login("eve", "chess#1");
    heard("eve", "|login 3");
    login("cid", "chess#1");
    login("bob", "chess#1");
    heard("m", "|login ok|begin 3 bob cid"); /* never bob and ann again */
    login("ann", "chess#1");
    say_over("m", "3", "cid", "bob");
    save();
    say("bob", HALL_THANK_YOU, "3", "");
    say("cid", HALL_THANK_YOU, "3", "");
    heard("m", "|begin 4 ann cid");
    say_over("m", "4", "cid", "ann");
    save();
    say("ann", HALL_THANK_YOU, "4", "");
    say("cid", HALL_THANK_YOU, "4", "");
    heard("ann", "|login ok|state 4 over cid=winner ann=loser|list cid:2:0 bob:1:1 ann:0:2|shutdown");
    restart(hall_config_default());
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_OVER);
    standings(0, " cid:2:0 bob:1:1 ann:0:2");
    size_t index = 99;
    const struct hall_opening opening = {&index, on_opened, NULL, {{0}}};
    struct hall_championship c;
    assert_int_equal(hall_open_championship(hall, SPAN("chess"), 2, &opening, now_ms), ERR_OK);
    save();
    assert_true(hall_championship_at(hall, index, &c));
    assert_string_equal(c.name, "chess#2");
}

static void on_put_off(void *context, bool is_undone) {
    *(size_t *)context = is_undone ? 100 : 101;
}

/* The store has refused it before whoever asked is answered, or does so after. */
static void an_opening_that_cannot_be_saved_is_taken_back(void **unused) {
    (void)unused;
    open_kept_hall(hall_config_default());
    for (size_t is_late = 0; is_late < 2; is_late++) {
        size_t index = 99;
        const struct hall_opening opening = {&index, on_opened, on_put_off, {{0}}};
        disk.is_full = true;
        assert_int_equal(hall_open_championship(hall, SPAN("chess"), 3, &opening, now_ms), ERR_OK);
        pass(TABLES_PATIENCE_MS - 1);
        if (!is_late)
            save();
        pass(1);
        assert_int_equal(index, 100 + is_late);
        save();
        disk.is_full = false;
        pass(HALL_RETRY_MS);
        save();
        assert_false(hall_championship_at(hall, 0, &(struct hall_championship){0}));
    }
}

static void who_does_not_come_back_has_left(void **unused) {
    (void)unused;
    enter_three();
    hang_up("cid"); /* for good: a restart does not bring it back */
    restart(hall_config_default());
    login_master("m", "chess", 2, 2);
    login("cid", "chess#1");
    heard("cid", "|login 3");
    login("ann", "chess#1");
    pass(hall_config_default().return_timeout_ms - 1);
    heard("ann", "|login ok");
    pass(1);
    save();
    heard("ann", "|list ann:2:0 bob:1:1 cid:0:2|shutdown");
    assert_int_equal(state_of(0), HALL_CHAMPIONSHIP_OVER);
}

/* Everything is decided, but not everybody has heard the list. */
static void the_list_waits_for_those_who_come_back(void **unused) {
    (void)unused;
    open_kept_hall(championship(2));
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    save();
    say_over("m", "1", "bob", "ann");
    save();
    heard("ann", "|login ok|state 1 over bob=winner ann=loser");
    restart(championship(2));
    login("ann", "chess");
    heard("ann", "|login ok");
    assert_false(has_ended);
    login("bob", "chess");
    heard("ann", "|list bob:1:0 ann:0:1|shutdown");
    assert_true(has_ended);
    restart(championship(2)); /* that one is over: a new one */
    login("cid", "chess");
    heard("cid", "|login ok");
}

static void a_championship_of_other_options_waits(void **unused) {
    (void)unused;
    open_kept_hall(championship(2));
    login_master("m", "chess", 2, 2);
    login("ann", "chess");
    login("bob", "chess");
    restart(championship(3));
    login("cid", "chess"); /* this is another one */
    heard("cid", "|login ok");
    restart(hall_config_default());
    struct hall_championship c;
    assert_false(hall_championship_at(hall, 0, &c));
    restart(championship(2));
    login("cid", "chess");
    heard("cid", "|login 3");
    pass(hall_config_default().return_timeout_ms); /* neither players nor a master */
    save();
    assert_true(has_ended);
}

#define HALL_TEST(function) cmocka_unit_test_teardown(function, close_hall)
#define KEPT_TEST(function) cmocka_unit_test_setup_teardown(function, open_disk, close_disk)

int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        HALL_TEST(a_whole_game),
        HALL_TEST(an_error_is_as_good_as_thanks),
        HALL_TEST(missing_thanks_are_waited_for_only_so_long),
        HALL_TEST(logins_are_refused_with_their_number),
        HALL_TEST(the_pool_has_a_limit),
        HALL_TEST(who_does_not_log_in_is_closed),
        HALL_TEST(moves_at_the_wrong_time_are_refused),
        HALL_TEST(who_leaves_loses_by_the_masters_word),
        HALL_TEST(who_leaves_loses_when_the_master_is_silent),
        HALL_TEST(when_all_leave_the_table_ends),
        HALL_TEST(who_does_not_move_loses),
        HALL_TEST(a_master_that_vanishes_frees_players_and_type),
        HALL_TEST(a_confused_master_is_told),
        HALL_TEST(three_play_on_when_one_leaves),
        HALL_TEST(shutdown_is_told_to_everybody),
        HALL_TEST(a_championship_of_three),
        HALL_TEST(a_championship_beside_the_pool),
        HALL_TEST(an_opened_championship_outlives_its_master),
        HALL_TEST(openings_are_refused),
        HALL_TEST(who_leaves_a_championship_loses_the_rest),
        HALL_TEST(a_championship_outlives_its_master),
        HALL_TEST(a_master_may_want_one_game_at_a_time),
        KEPT_TEST(an_opening_that_cannot_be_saved_is_taken_back),
        KEPT_TEST(results_are_told_when_they_are_saved),
        KEPT_TEST(a_full_disk_holds_results_up),
        KEPT_TEST(who_leaves_while_it_is_saved_is_gone),
        KEPT_TEST(entrants_come_back_after_a_restart),
        KEPT_TEST(who_does_not_come_back_has_left),
        KEPT_TEST(the_list_waits_for_those_who_come_back),
        KEPT_TEST(a_championship_of_other_options_waits),
    };
    return cmocka_run_group_tests_name("hall", tests, NULL, NULL);
}
