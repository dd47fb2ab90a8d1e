/* The Santorini port on links of memory and a clock of its own: who is not held up by whom while tables form.
 * The clock of the journal stands in 1970. */
#include "port_world.h"

#include "games/santorini/santorini.h"
#include "wire/json/read.h"
#include "wire/santorini/port.h"

enum {
    LINE_PATIENCE_MS = 3 * 1000,
    PATIENCE_MS = 15 * 1000,
    ANSWER_MS = 120 * 1000,
    GRACE_MS = 60 * 1000,
    DOOR_KEEP_MS = 600 * 1000,
};

static int begin(void **state) {
    struct santorini_port_config config = santorini_port_config_default();
    (void)state;
    world_begin();
    world_tables();
    config.tables = world.tables;
    config.answer_ms = ANSWER_MS;
    config.grace_ms = GRACE_MS;
    config.ping_every_ms = 0;
    world.port = santorini_port_create(&config);
    world.port->ops->advance(world.port, world.now_ms);
    return 0;
}

/* The types of what came there since the last call, with the names in it. */
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
        buf_printf(&world.text, "%s%s", world.text.size > 0 ? ", " : "",
                   json_string_value(json_object_get(message, "type")));
        if (json_has(message, "name"))
            buf_printf(&world.text, " %s", json_string_value(json_object_get(message, "name")));
        json_decref(message);
        buf_consume(sent, size + 1);
    }
    return world.text.size == 0 ? "" : buf_text(&world.text);
}

static void say_name(unsigned i, const char *name) {
    char text[100];
    snprintf(text, sizeof text, "{\"type\":\"addPlayer\",\"name\":\"%s\",\"date\":\"1960.01.01\"}", name);
    say(i, text);
    save();
}

static void say_number(unsigned i, unsigned number) {
    char text[60];
    snprintf(text, sizeof text, "{\"type\":\"setNumberOfPlayers\",\"numberOfPlayers\":%u}", number);
    say(i, text);
    save();
}

/* The next in line is asked, too, and opens the table for both. */
static void silence_in_line_holds_up_nobody(void **unused) {
    (void)unused;
    link_opens(0);
    link_opens(1);
    assert_string_equal(heard(0), "askNumberOfPlayers");
    pass(LINE_PATIENCE_MS - 1);
    assert_string_equal(heard(1), "");
    pass(1);
    assert_string_equal(heard(1), "askNumberOfPlayers");
    say_number(1, 2);
    assert_string_equal(heard(1), "stateUpdate, askNickAndDate");
    assert_string_equal(heard(0), "stateUpdate, askNickAndDate");
}

/* Two who say nothing came first: a pair behind them plays after one patience. The silent wait behind. */
static void a_pair_behind_silent_ones_plays(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 4; i++)
        link_opens(i);
    pass(LINE_PATIENCE_MS);
    assert_string_equal(heard(1), "askNumberOfPlayers");
    assert_string_equal(heard(2), "askNumberOfPlayers");
    say_number(2, 2);
    assert_string_equal(heard(2), "stateUpdate, askNickAndDate");
    assert_string_equal(heard(3), "stateUpdate, askNickAndDate");
    say_name(2, "cid");
    say_name(3, "dan");
    for (unsigned i = 0; i < 3; i++)
        save(); /* the dates of birth */
    assert_non_null(strstr(heard(3), "turnUpdate"));
    say_number(0, 2); /* late, and yet an answer */
    assert_string_equal(heard(0), "askNumberOfPlayers, stateUpdate, askNickAndDate");
    assert_string_equal(heard(1), "stateUpdate, askNickAndDate");
}

/* A place at a table goes to whoever says a name first. */
static void silence_at_a_table_keeps_no_place(void **unused) {
    (void)unused;
    link_opens(0);
    say_number(0, 2);
    link_opens(1);
    say_name(0, "ann");
    assert_string_equal(heard(1), "stateUpdate, askNickAndDate, playerAdded ann");
    heard(0);
    link_opens(2);
    assert_string_equal(heard(2), "askNumberOfPlayers");
    pass(PATIENCE_MS);
    assert_string_equal(heard(2), "stateUpdate, playerAdded ann, askNickAndDate");
    say_name(2, "cid");
    for (unsigned i = 0; i < 3; i++)
        save(); /* the dates of birth */
    assert_string_equal(heard(0), "playerAdded cid, stateUpdate, turnUpdate ann, chooseMatchGodCards");
    assert_string_equal(heard(1), "playerAdded cid, error, askNumberOfPlayers");
}

/* The seat is free as soon as that is saved; who comes meanwhile waits in line so long. */
static void seats_of_who_goes_are_free(void **unused) {
    (void)unused;
    link_opens(0);
    say_number(0, 2);
    link_opens(1);
    say_name(1, "bob");
    heard(0);
    link_breaks(1);
    assert_string_equal(heard(0), "playerDisconnected bob");
    link_opens(2);
    assert_string_equal(heard(2), "askNumberOfPlayers");
    save();
    assert_string_equal(heard(2), "stateUpdate, askNickAndDate");
    say_name(2, "bob");
    assert_string_equal(heard(0), "playerAdded bob");
    link_breaks(0);
    link_breaks(2);
    save();
    save();
    link_opens(3);
    assert_string_equal(heard(3), "askNumberOfPlayers");
}

/* Somebody who goes while the dates of birth are saved has left a game, and has the grace time. */
static void who_goes_when_all_are_there_is_waited_for(void **unused) {
    (void)unused;
    link_opens(0);
    say_number(0, 2);
    link_opens(1);
    say_name(0, "ann");
    say(1, "{\"type\":\"addPlayer\",\"name\":\"bob\",\"date\":\"1950.01.01\"}");
    save();
    heard(0);
    link_breaks(1);
    for (unsigned i = 0; i < 3; i++)
        save();
    assert_string_equal(heard(0), "playerDisconnected bob, stateUpdate, turnUpdate ann, chooseMatchGodCards");
    link_opens(2);
    assert_string_equal(heard(2), "askNumberOfPlayers");
    say(2, "{\"type\":\"addPlayer\",\"name\":\"bob\"}");
    assert_string_equal(heard(0), "playerReconnected bob");
}

static void open_elsewhere(void) {
    const struct table_door *door = tables_door(world.tables, SPAN("santorini"));
    const struct table_wish wish = {.options = game_options_default(&santorini_game, 2)};
    struct table *t;
    assert_int_equal(door->open(door->context, &wish, world.now_ms, &t), ERR_OK);
    save();
}

/* It is there for whoever comes, also again; after a while it is gone with the last one, as any other. */
static void a_table_from_elsewhere_may_be_empty_for_a_while(void **unused) {
    (void)unused;
    open_elsewhere();
    pass(DOOR_KEEP_MS - 1000);
    for (unsigned i = 0; i < 2; i++) {
        link_opens(i);
        assert_string_equal(heard(i), "stateUpdate");
        if (i == 0)
            link_breaks(0);
        save();
    }
    pass(1000);
    save();
    link_opens(2);
    assert_string_equal(heard(2), "stateUpdate, askNickAndDate");
    link_breaks(2);
    link_breaks(1);
    save();
    link_opens(3);
    assert_string_equal(heard(3), "askNumberOfPlayers");
}

static void a_table_from_elsewhere_to_which_nobody_comes_is_gone(void **unused) {
    (void)unused;
    open_elsewhere();
    pass(DOOR_KEEP_MS);
    save();
    link_opens(0);
    assert_string_equal(heard(0), "askNumberOfPlayers");
}

/* The seat that ann is about to take is somebody else's meanwhile: she takes the next one. */
static void who_sits_down_second_takes_another_seat(void **unused) {
    (void)unused;
    struct event_seat webby = {.seat = 0, .name = "webby"};
    struct buf body = {0};
    link_opens(0);
    say_number(0, 3);
    link_opens(1);
    link_opens(2);
    heard(0);
    heard(1);
    struct table *t = tables_newest(world.tables);
    event_seat_write(&body, &webby);
    write_first(t, EVENT_SEAT, &body);
    buf_free(&body);
    say_name(0, "ann");
    for (int i = 0; i < 3; i++)
        save();
    assert_string_equal(table_name(t, 0), "webby");
    assert_string_equal(table_name(t, 1), "ann");
    assert_string_equal(heard(0), "playerAdded webby, playerAdded ann");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(silence_in_line_holds_up_nobody, begin, end),
        cmocka_unit_test_setup_teardown(a_pair_behind_silent_ones_plays, begin, end),
        cmocka_unit_test_setup_teardown(silence_at_a_table_keeps_no_place, begin, end),
        cmocka_unit_test_setup_teardown(seats_of_who_goes_are_free, begin, end),
        cmocka_unit_test_setup_teardown(who_goes_when_all_are_there_is_waited_for, begin, end),
        cmocka_unit_test_setup_teardown(a_table_from_elsewhere_may_be_empty_for_a_while, begin, end),
        cmocka_unit_test_setup_teardown(a_table_from_elsewhere_to_which_nobody_comes_is_gone, begin, end),
        cmocka_unit_test_setup_teardown(who_sits_down_second_takes_another_seat, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
