/* The Eriantys port on links of memory and a clock of its own: pings and waiting rooms, silence, what waits
 * while a command is saved, stalls, tables without anybody, and tables at which others sit and play through
 * another protocol. */
#include "port_world.h"

#include "games/eriantys/eriantys.h"
#include "host/table/internal.h"
#include "wire/eriantys/port.h"

enum { KEEP_MS = 5000, TABLES_MAX = 2 };

static void port_begin(void) {
    struct eriantys_port_config config = eriantys_port_config_default();
    world_tables();
    config.tables = world.tables;
    config.keep_ms = KEEP_MS;
    config.tables_max = TABLES_MAX;
    world.port = eriantys_port_create(&config);
}

static int begin(void **state) {
    (void)state;
    world_begin();
    port_begin();
    return 0;
}

/* A message as its type and something about it. */
static void write_line(const json_t *message) {
    static const char *const keys[] = {"message", "subPhase", "player"};
    static const char *const flags[] = {"enable", "success", "found"};
    if (world.text.size > 0)
        buf_append_text(&world.text, ", ");
    buf_append_text(&world.text, json_string_value(json_object_get(message, "type")));
    for (size_t i = 0; i < 3; i++)
        if (json_has(message, keys[i]))
            buf_printf(&world.text, " %s", json_string_value(json_object_get(message, keys[i])));
    for (size_t i = 0; i < 3; i++)
        if (json_is_true(json_object_get(message, flags[i])))
            buf_append_byte(&world.text, '+');
}

/* What came there since the last call. */
static const char *heard(unsigned i) {
    struct buf *sent = &world.links[i].sent;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    buf_clear(&world.text);
    while (sent->size > 0) {
        const char *line_end = memchr(sent->data, '\n', sent->size);
        json_t *message;
        assert_non_null(line_end);
        size_t size = (size_t)(line_end - sent->data);
        assert_int_equal(json_read_object(span_make(sent->data, size), &message, complaint), ERR_OK);
        write_line(message);
        json_decref(message);
        buf_consume(sent, size + 1);
    }
    world.links[i].writes = 0;
    return buf_text(&world.text);
}

static void expect(unsigned i, const char *wanted) {
    assert_string_equal(heard(i), wanted);
}

static void enter(unsigned i, const char *code, const char *name) {
    char line[128];
    snprintf(line, sizeof line,
             "{\"type\":\"enterGame\",\"code\":\"%s\"}\n{\"type\":\"login\",\"name\":\"%s\"}", code, name);
    say(i, line);
    save();
}

static char code[TABLE_CODE_CHARS + 1];

static struct table *created(unsigned i, unsigned seats) {
    char line[128];
    snprintf(line, sizeof line, "{\"type\":\"gameCreation\",\"playersNumber\":%u,\"expert\":false}", seats);
    heard(i);
    say(i, line);
    expect(i, "");
    save();
    expect(i, "gameCreation");
    struct table *t = tables_newest(world.tables);
    table_code_format(table_id(t), code);
    return t;
}

/* ann and bob at a table that has begun, on links 0 and 1. */
static struct table *began(void) {
    link_opens(0);
    link_opens(1);
    struct table *t = created(0, 2);
    enter(0, code, "ann");
    expect(0, "enterGame+, login+");
    enter(1, code, "bob");
    expect(1, "enterGame+, login+, status PLAY_ASSISTANT, gameStart, turnEnable ann+");
    assert_int_equal(world.links[0].writes, 1); /* an event, a write */
    expect(0, "status PLAY_ASSISTANT, gameStart, turnEnable ann+");
    return t;
}

#define ASSISTANT "{\"type\":\"command\",\"subtype\":\"playAssistant\",\"assistant\":"

static void pings_come_late_and_then_every_second(void **state) {
    (void)state;
    link_opens(0);
    pass(1499);
    expect(0, "");
    pass(1);
    expect(0, "ping");
    pass(2000);
    expect(0, "ping, ping");
    created(0, 3);
    enter(0, code, "ann");
    expect(0, "enterGame+, login+");
    pass(1000);
    expect(0, "ping, waitingRoomUpdate");
    pass(1000);
    assert_int_equal(world.links[0].writes, 1);
    expect(0, "ping, waitingRoomUpdate");
}

static void silence_is_a_departure(void **state) {
    (void)state;
    struct table *t = began();
    pass(6000);
    say(0, "{\"type\":\"pong\"}");
    heard(0);
    pass(4000);
    assert_true(world.links[1].is_closed);
    assert_false(world.links[0].is_closed);
    assert_false(table_is_online(t, 1));
    expect(0, "ping, ping, ping, ping, error UserDisconnected");
    link_opens(2);
    enter(2, code, "bob");
    expect(2, "enterGame+, login+, status PLAY_ASSISTANT, gameStart, turnEnable ann+");
}

/* A machine that stood still has not listened: what has come in the meantime counts before the silence. */
static void who_spoke_while_the_server_slept_is_heard(void **state) {
    (void)state;
    began();
    world.now_ms += 60000;
    world.port->ops->advance(world.port, world.now_ms);
    assert_false(world.links[0].is_closed || world.links[1].is_closed);
    for (unsigned second = 0; second < 10; second++) {
        say(0, "{\"type\":\"pong\"}");
        pass(1000);
    }
    assert_false(world.links[0].is_closed);
    assert_true(world.links[1].is_closed);
}

static void who_pongs_unasked_hears_no_commands(void **state) {
    (void)state;
    link_opens(0);
    link_opens(1);
    link_opens(2);
    say(1, "{\"type\":\"pong\"}"); /* before the first ping */
    pass(1500);
    say(2, "{\"type\":\"pong\"}"); /* after it */
    created(0, 3);
    enter(0, code, "ann");
    enter(1, code, "bob");
    enter(2, code, "cid");
    for (unsigned i = 0; i < 3; i++)
        heard(i);
    say(0, ASSISTANT "3}");
    save();
    expect(0, "turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
    expect(1, "turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
    expect(2, "command ann, turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
}

static void nothing_is_said_before_it_is_saved(void **state) {
    (void)state;
    struct table *t = began();
    say(0, ASSISTANT "3}");
    expect(0, "");
    expect(1, "");
    assert_true(table_is_busy(t));
    /* Both go on talking; each is heard in its turn. */
    say(0, ASSISTANT "4}\n{\"type\":\"ping\"}");
    say(1, ASSISTANT "3}\n" ASSISTANT "5}");
    expect(1, "");
    save();
    expect(0, "turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+, error another seat is to act, status "
              "PLAY_ASSISTANT, "
              "turnEnable bob+");
    expect(1, "command ann, turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+, error another player has "
              "played this "
              "assistant in this round, status PLAY_ASSISTANT, turnEnable bob+");
    save();
    expect(1, "turnEnable bob, status MOVE_STUDENT_1, turnEnable ann+");
    expect(0, "command bob, turnEnable bob, status MOVE_STUDENT_1, turnEnable ann+");
}

static void a_stall_is_told_once(void **state) {
    (void)state;
    struct table *t = began();
    say(0, ASSISTANT "3}");
    for (int i = 0; i < 4; i++) {
        tables_advance(world.tables, world.now_ms);
        tables_beat(world.tables);
        world.now_ms += 1000;
    }
    static const char told[] =
        "error the server cannot save at the moment; the game goes on as soon as it can";
    expect(0, told);
    expect(1, told);
    assert_true(table_is_busy(t));
    save();
    expect(1, "command ann, turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
    expect(0, "turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
}

static void who_goes_while_its_login_is_saved_keeps_the_seat(void **state) {
    (void)state;
    link_opens(0);
    link_opens(1);
    struct table *t = created(0, 2);
    char line[64];
    snprintf(line, sizeof line, "{\"type\":\"enterGame\",\"code\":\"%s\"}", code);
    say(0, line);
    say(0, "{\"type\":\"login\",\"name\":\"ann\"}");
    link_breaks(0);
    save();
    assert_string_equal(table_name(t, 0), "ann");
    assert_false(table_is_online(t, 0));
    enter(1, code, "ann");
    expect(1, "enterGame+, login+");
    assert_true(table_is_online(t, 0));
}

static void who_goes_while_its_table_is_saved_leaves_it(void **state) {
    (void)state;
    link_opens(0);
    say(0, "{\"type\":\"gameCreation\",\"playersNumber\":2,\"expert\":true}");
    link_breaks(0);
    save();
    assert_int_equal(tables_count(world.tables), 1);
    pass(KEEP_MS);
    save();
    pass(0);
    assert_int_equal(tables_count(world.tables), 0);
}

static void tables_without_anybody_are_given_up(void **state) {
    (void)state;
    struct table *t = began();
    uint64_t id = table_id(t);
    link_breaks(0);
    expect(1, "error UserDisconnected");
    for (int i = 0; i < 4; i++) {
        pass(KEEP_MS / 2);
        say(1, "{\"type\":\"pong\"}");
    }
    assert_ptr_equal(tables_find(world.tables, id), t); /* one is still there */
    say(1, "{\"type\":\"logout\"}");
    pass(KEEP_MS - 1);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    assert_false(table_is_busy(t));
    heard(1);
    char line[64];
    snprintf(line, sizeof line, "{\"type\":\"enterGame\",\"code\":\"%s\"}", code);
    say(1, line);
    expect(1, "enterGame+");
    pass(1);
    assert_true(table_is_busy(t));
    say(1, line); /* waits for what becomes of the table, and is not forgotten */
    save();
    expect(1, "enterGame");
    pass(0);
    assert_null(tables_find(world.tables, id));
}

static void play_on(struct table *t, struct rng *rng) {
    struct action action;
    unsigned seat = eriantys_of(table_state(t))->mover;
    eriantys_game.sample(table_state(t), seat, rng, &action);
    assert_int_equal(table_act(t, seat, &action, 1, world.now_ms), ERR_OK);
    save();
}

/* However a move comes to the table, everybody hears of it in the words of this protocol. */
static void moves_of_others_are_told(void **state) {
    (void)state;
    struct rng rng;
    struct table *t = began();
    uint64_t id = table_id(t);
    rng_seed(&rng, 5);
    play_on(t, &rng);
    expect(0, "turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
    expect(1, "command ann, turnEnable ann, status PLAY_ASSISTANT, turnEnable bob+");
    while (table_state_word(t) == TABLE_RUNNING) {
        heard(0);
        play_on(t, &rng);
    }
    const char *last = heard(0);
    assert_string_equal(last + strlen(last) - strlen("win"), "win");
    pass(0);
    assert_null(tables_find(world.tables, id));
    say(0, "{\"type\":\"logout\"}");
    expect(0, "error you are in no game");
}

static void what_was_said_before_the_end_is_heard(void **state) {
    (void)state;
    struct rng rng;
    struct table *t = began();
    rng_seed(&rng, 5);
    while (table_state_word(t) == TABLE_RUNNING) {
        struct action action;
        unsigned seat = eriantys_of(table_state(t))->mover;
        eriantys_game.sample(table_state(t), seat, &rng, &action);
        assert_int_equal(table_act(t, seat, &action, 1, world.now_ms), ERR_OK);
        say(1, "{\"type\":\"pong\"}");
        save();
    }
    heard(1);
    say(1, "{\"type\":\"enterGame\",\"code\":\"ZZZZZ\"}");
    expect(1, "enterGame");
}

static void listens(void *context, struct table *t) {
    (void)t;
    ++*(int *)context;
}

/* A table of somebody else, with a player of that protocol on its first seat. */
static struct table *foreign(int *settled) {
    struct table_setup setup = {.id = tables_new_short(world.tables),
                                .game = &eriantys_game,
                                .options = game_options_default(&eriantys_game, 2),
                                .protocol = "other"};
    struct table_listener listener = {.context = settled, .settled = listens};
    struct digest token = {{1}};
    struct table *t;
    assert_int_equal(table_open(world.tables, &setup, &listener, world.now_ms, &t), ERR_OK);
    save();
    assert_int_equal(table_sit(t, &(struct table_guest){.seat = 0, .name = SPAN("web"), .token = &token},
                               NULL, 0, world.now_ms),
                     ERR_OK);
    save();
    table_code_format(table_id(t), code);
    return t;
}

static void tables_of_others_can_be_entered(void **state) {
    (void)state;
    int settled = 0;
    struct rng rng;
    struct table *t = foreign(&settled);
    rng_seed(&rng, 6);
    link_opens(0);
    link_opens(1);
    enter(0, code, "web"); /* known by a secret, not by a name */
    expect(0, "enterGame+, login");
    enter(1, code, "bob");
    expect(1, "enterGame+, login+");
    say(1, ASSISTANT "1}");
    expect(1, "error the game waits until everybody is there");
    table_set_online(t, 0, true);
    expect(1, "status PLAY_ASSISTANT, gameStart, turnEnable web+");
    play_on(t, &rng);
    expect(1, "command web, turnEnable web, status PLAY_ASSISTANT, turnEnable bob+");
    play_on(t, &rng);
    assert_true(strncmp(heard(1), "turnEnable bob, status MOVE_STUDENT_1", 37) == 0);
    table_set_online(t, 0, false);
    expect(1, "error UserDisconnected, status MOVE_STUDENT_1");
    table_set_online(t, 0, true);
    heard(1);
    assert_int_equal(table_forfeit(t, 0, REASON_LEFT), ERR_OK);
    save();
    expect(1, "win");
    pass(1);
    assert_int_equal(table_state_word(t), TABLE_OVER); /* it is not this port's to close */
    table_close(t);
}

static void tables_of_others_do_not_count(void **state) {
    (void)state;
    int settled = 0;
    for (unsigned i = 0; i < TABLES_MAX; i++) {
        foreign(&settled);
        link_opens(i);
        enter(i, code, "bob");
        expect(i, "enterGame+, login+");
    }
    link_opens(TABLES_MAX);
    link_opens(TABLES_MAX + 1);
    for (unsigned i = 0; i < TABLES_MAX; i++) {
        created(TABLES_MAX + i, 2);
        enter(TABLES_MAX + i, code, "ann");
    }
    heard(TABLES_MAX);
    say(TABLES_MAX, "{\"type\":\"gameCreation\",\"playersNumber\":2,\"expert\":false}");
    expect(TABLES_MAX, "error the server has all the games it can have");
}

static void tables_of_others_may_go(void **state) {
    (void)state;
    int settled = 0;
    struct table *t = foreign(&settled);
    link_opens(0);
    enter(0, code, "bob");
    expect(0, "enterGame+, login+");
    table_close(t);
    expect(0, "error the game is gone");
    enter(0, code, "bob");
    expect(0, "enterGame, login");
}

static void the_first_seat_left_is_the_first_taken_over(void **state) {
    (void)state;
    link_opens(0);
    link_opens(1);
    struct table *t = created(0, 2);
    enter(0, code, "ann");
    enter(1, code, "bob");
    heard(0);
    heard(1);
    /* Begun, though nobody has played: only the old names may come. */
    link_breaks(0);
    link_opens(2);
    enter(2, code, "cid");
    expect(2, "enterGame+, login");
    assert_string_equal(table_name(t, 0), "ann");
}

static void restart(void) {
    world.port->ops->free(world.port);
    tables_free(world.tables);
    world.links[0].is_closed = world.links[1].is_closed = true;
    world.now_ms += 1000000;
    port_begin();
}

static void after_a_restart_only_old_names_come_back(void **state) {
    (void)state;
    began(); /* and nobody has played yet */
    restart();
    link_opens(2);
    link_opens(3);
    enter(2, code, "eve");
    expect(2, "enterGame+, login");
    enter(3, code, "ann");
    expect(3, "enterGame+, login+");
    enter(2, code, "bob");
    expect(2, "enterGame+, login+, status PLAY_ASSISTANT, gameStart, turnEnable ann+");
}

static void after_a_restart_free_seats_are_free(void **state) {
    (void)state;
    link_opens(0);
    link_opens(1);
    created(0, 2);
    enter(0, code, "ann");
    restart();
    link_opens(2);
    link_opens(3);
    enter(2, code, "eve");
    expect(2, "enterGame+, login+");
    enter(3, code, "ann");
    expect(3, "enterGame+, login+, status PLAY_ASSISTANT, gameStart, turnEnable ann+");
}

static void a_restart_brings_tables_back(void **state) {
    (void)state;
    struct table *t = began();
    uint64_t id = table_id(t);
    say(0, ASSISTANT "3}");
    save();
    struct eriantys before = *eriantys_of(table_state(t));
    restart();
    t = tables_find(world.tables, id);
    assert_memory_equal(eriantys_of(table_state(t)), &before, sizeof before);
    pass(KEEP_MS - 1); /* kept from now on, not from before */
    link_opens(2);
    link_opens(3);
    enter(2, code, "bob");
    expect(2, "enterGame+, login+");
    enter(3, code, "ann");
    expect(3, "enterGame+, login+, status PLAY_ASSISTANT, gameStart, turnEnable bob+");
    say(2, ASSISTANT "3}\n" ASSISTANT "2}");
    save();
    expect(3, "command bob, turnEnable bob, status MOVE_STUDENT_1, turnEnable bob+");
}

static void shutdown_says_goodbye(void **state) {
    (void)state;
    began();
    link_opens(2);
    world.port->ops->shutdown(world.port);
    for (unsigned i = 0; i < 3; i++) {
        expect(i, "error the server is shutting down");
        assert_true(world.links[i].is_closed);
    }
    save();
}

#define PORT_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        PORT_TEST(pings_come_late_and_then_every_second),
        PORT_TEST(silence_is_a_departure),
        PORT_TEST(who_spoke_while_the_server_slept_is_heard),
        PORT_TEST(who_pongs_unasked_hears_no_commands),
        PORT_TEST(nothing_is_said_before_it_is_saved),
        PORT_TEST(a_stall_is_told_once),
        PORT_TEST(who_goes_while_its_login_is_saved_keeps_the_seat),
        PORT_TEST(who_goes_while_its_table_is_saved_leaves_it),
        PORT_TEST(tables_without_anybody_are_given_up),
        PORT_TEST(moves_of_others_are_told),
        PORT_TEST(what_was_said_before_the_end_is_heard),
        PORT_TEST(tables_of_others_can_be_entered),
        PORT_TEST(tables_of_others_may_go),
        PORT_TEST(tables_of_others_do_not_count),
        PORT_TEST(the_first_seat_left_is_the_first_taken_over),
        PORT_TEST(a_restart_brings_tables_back),
        PORT_TEST(after_a_restart_only_old_names_come_back),
        PORT_TEST(after_a_restart_free_seats_are_free),
        PORT_TEST(shutdown_says_goodbye),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
