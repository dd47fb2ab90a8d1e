/* The Masters of Renaissance port on links of memory and a clock of its own: what waits while a request is
 * saved, stalls, silence, the lobby, restarts, and tables at which others sit and play through another
 * protocol. */
#include "port_world.h"

#include "games/renaissance/renaissance.h"
#include "twin.h"
#include "wire/json/read.h"
#include "wire/renaissance/port.h"

enum { KEEP_MS = 60 * 1000, SILENCE_MS = 5000 };

static int64_t tables_max; /* 0: as usual */

static void port_begin(void) {
    struct renaissance_port_config config = renaissance_port_config_default();
    world_tables();
    config.tables = world.tables;
    config.keep_ms = KEEP_MS;
    config.silence_ms = SILENCE_MS;
    if (tables_max != 0)
        config.tables_max = tables_max;
    world.port = renaissance_port_create(&config);
}

static int begin_with(int64_t max) {
    world_begin();
    tables_max = max;
    port_begin();
    return 0;
}

static int begin(void **state) {
    (void)state;
    return begin_with(0);
}

static int begin_narrow(void **state) {
    (void)state;
    return begin_with(1);
}

/* A message as its type and something about it. Pings are not shown. */
static void write_line(const json_t *message) {
    static const char *const keys[] = {"error", "action", "nickname"};
    if (span_is(json_text(message, "type"), "ping"))
        return;
    if (world.text.size > 0)
        buf_append_text(&world.text, ", ");
    buf_append_text(&world.text, json_string_value(json_object_get(message, "type")));
    for (size_t i = 0; i < 3; i++)
        if (json_has(message, keys[i]))
            buf_printf(&world.text, " %s", json_string_value(json_object_get(message, keys[i])));
    if (json_is_false(json_object_get(message, "isFree")))
        buf_append_byte(&world.text, '-');
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

static void login(unsigned i, const char *name) {
    char line[128];
    snprintf(line, sizeof line, "{\"type\":\"loginRequest\",\"username\":\"%s\"}", name);
    link_opens(i);
    say(i, line);
}

#define NUMBER(n) "{\"type\":\"numberOfPlayersSelectionReply\",\"number\":" #n "}"

static const struct renaissance *truth(const struct table *t) {
    return renaissance_of(table_state(t));
}

static void keep(unsigned i, const struct table *t, unsigned seat) {
    char line[128], a[RENAISSANCE_ID_BYTES], b[RENAISSANCE_ID_BYTES];
    renaissance_leader_id(truth(t)->seat[seat].hand[0], a);
    renaissance_leader_id(truth(t)->seat[seat].hand[1], b);
    snprintf(line, sizeof line, "{\"type\":\"leaderCardsReply\",\"leaderCards\":[\"%s\",\"%s\"]}", a, b);
    say(i, line);
    save();
}

static void put(unsigned i, const char *resources) {
    char line[128];
    snprintf(line, sizeof line, "{\"type\":\"resourcesReply\",\"warehouse\":{\"1\":[%s]}}", resources);
    say(i, line);
    save();
}

#define CARDS "devCardGrid, market"
#define BEGIN "players, " CARDS ", leaderCardsRequest"

/* alice and bobby, on links 0 and 1, and alice is to act. */
static struct table *began(void) {
    login(0, "alice");
    expect(0, "usernameResponse, numberOfPlayersSelectionRequest");
    say(0, NUMBER(2));
    login(1, "bobby");
    expect(1, "usernameResponse");
    save(); /* the table */
    save(); /* alice sits down */
    expect(0, "");
    save(); /* and bobby */
    expect(0, BEGIN);
    expect(1, BEGIN);
    struct table *t = tables_newest(world.tables);
    keep(0, t, 0);
    expect(0, "leaderCardsResponse");
    keep(1, t, 1);
    assert_int_equal(world.links[1].writes, 1); /* an event, a write */
    expect(1, "leaderCardsResponse, resourcesRequest");
    expect(0, "resourcesRequest");
    put(1, "\"COINS\"");
    expect(1, "resourcesResponse");
    put(0, "");
    expect(0, "resourcesResponse, " CARDS ", setupUpdate, possibleAction");
    expect(1, CARDS ", setupUpdate, startTurn alice");
    return t;
}

static const char market[] = "{\"type\":\"actionReply\",\"action\":\"MARKETACTION\"}\n"
                             "{\"type\":\"rowColumnSelection\",\"index\":0,\"isRow\":true}";
static const char nothing_kept[] = "{\"type\":\"resourcesManageReply\",\"warehouse\":{}}";
static const char turn_ended[] = "{\"type\":\"actionReply\",\"action\":\"ENDTURN\"}";

/* What came there ends with this. */
static void expect_last(unsigned i, const char *wanted) {
    const char *text = heard(i);
    size_t size = strlen(text), last = strlen(wanted);
    assert_true(size >= last);
    assert_string_equal(text + size - last, wanted);
}

static void nothing_is_said_before_it_is_saved(void **state) {
    (void)state;
    struct table *t = began();
    say(0, market);
    expect(0, "actionResponse MARKETACTION");
    assert_true(table_is_busy(t));
    say(0, nothing_kept); /* each is heard in its turn */
    say(0, turn_ended);
    say(1, turn_ended);
    expect(0, "");
    expect(1, "");
    save();
    expect(0, "resourcesManageRequest");
    expect(1, "");
    save();
    expect_last(0, "layoutUpdate MARKETACTION alice, possibleAction");
    expect_last(1, "layoutUpdate MARKETACTION alice");
    save();
    expect(0, "actionResponse ENDTURN, startTurn bobby");
    expect(1, "possibleAction, errorMessage INVALID_ACTION, possibleAction");
}

static void a_stall_is_told_once(void **state) {
    (void)state;
    struct table *t = began();
    say(0, market);
    heard(0);
    for (int i = 0; i < 4; i++) {
        tables_advance(world.tables, world.now_ms);
        tables_beat(world.tables);
        world.now_ms += 1000;
    }
    expect(0, "errorMessage NOT_SAVED");
    expect(1, "errorMessage NOT_SAVED");
    assert_true(table_is_busy(t));
    save();
    expect(0, "resourcesManageRequest");
    expect(1, "");
}

static void silence_is_a_departure(void **state) {
    (void)state;
    struct table *t = began();
    pass(SILENCE_MS - 1);
    say(1, "{\"type\":\"pong\"}");
    pass(1);
    assert_true(world.links[0].is_closed);
    assert_false(table_is_online(t, 0));
    expect(1, "disconnectionMessage alice");
    save();
    expect(1, "possibleAction");
    login(2, "alice");
    expect(1, "reconnectionMessage alice");
    expect(2, "");
    save();
    expect(2, "players, " CARDS ", reconnectionUpdate, startTurn bobby");
}

/* Somebody leaves while the request of somebody else is on its way, and comes back before it is saved. */
static void absence_waits_for_what_is_saved(void **state) {
    (void)state;
    struct table *t = began();
    say(0, market);
    link_breaks(1);
    expect(0, "actionResponse MARKETACTION, disconnectionMessage bobby");
    login(2, "bobby");
    expect(2, "");
    expect(0, "reconnectionMessage bobby");
    save();
    expect(0, "resourcesManageRequest");
    save();
    expect(2, "players, " CARDS ", reconnectionUpdate, startTurn alice");
    assert_false(truth(t)->seat[1].is_away);
}

static void seats_are_free_again_before_everybody_has_come(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(3));
    login(1, "bobby");
    save();
    save();
    save();
    struct table *t = tables_newest(world.tables);
    assert_int_equal(table_free_seats(t), 1);
    link_breaks(0);
    login(2, "alice"); /* as somebody new */
    heard(2);
    save();
    save();
    assert_string_equal(table_name(t, 1), "bobby");
    assert_string_equal(table_name(t, 0), "alice");
    assert_true(table_is_online(t, 0));
    link_breaks(1);
    link_breaks(2);
    for (int i = 0; i < 4; i++)
        save();
    assert_int_equal(table_state_word(t), TABLE_OVER); /* nobody is left */
    login(3, "carol");
    expect(3, "usernameResponse, numberOfPlayersSelectionRequest");
}

/* Two who were asked say nothing but pongs: a pair behind them plays after one patience. The silent are not
 * seated with anybody before they have answered. */
static void a_pair_behind_silent_ones_plays(void **state) {
    (void)state;
    static const char *const names[] = {"alice", "bobby", "carol", "david"};
    for (unsigned i = 0; i < 4; i++)
        login(i, names[i]);
    expect(0, "usernameResponse, numberOfPlayersSelectionRequest");
    expect(1, "usernameResponse");
    pass(3000);
    expect(1, "numberOfPlayersSelectionRequest");
    expect(2, "usernameResponse, numberOfPlayersSelectionRequest");
    say(2, NUMBER(2));
    for (int i = 0; i < 4; i++)
        save();
    const struct table *t = tables_newest(world.tables);
    assert_string_equal(table_name(t, 0), "carol");
    assert_string_equal(table_name(t, 1), "david");
    expect(0, "");
    say(0, NUMBER(2));
    for (int i = 0; i < 3; i++)
        save();
    say(1, NUMBER(4)); /* joins who has answered before */
    for (int i = 0; i < 3; i++)
        save();
    t = tables_newest(world.tables);
    assert_string_equal(table_name(t, 0), "alice");
    assert_string_equal(table_name(t, 1), "bobby");
}

/* Who has chosen a number leaves before the table is there: those who waited choose for themselves. */
static void nobody_plays_what_somebody_gone_has_chosen(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(1));
    login(1, "bobby");
    expect(1, "usernameResponse");
    link_breaks(0);
    save(); /* the table */
    expect(1, "numberOfPlayersSelectionRequest");
    struct table *t = tables_newest(world.tables);
    save();
    assert_int_equal(table_state_word(t), TABLE_OVER);
    say(1, NUMBER(1));
    save();
    save();
    expect(1, BEGIN);
}

/* A game that everybody has left does not wait for those who come later. */
static void a_table_is_not_left_to_those_who_come_later(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(2));
    save();
    save();
    struct table *t = tables_newest(world.tables);
    assert_string_equal(table_name(t, 0), "alice");
    link_breaks(0);
    login(1, "bobby"); /* while alice gets up */
    expect(1, "usernameResponse");
    save();
    expect(1, "numberOfPlayersSelectionRequest");
    save();
    assert_int_equal(table_state_word(t), TABLE_OVER);
}

/* A seat that becomes free is not pressed on somebody who is choosing. */
static void who_chooses_goes_on_choosing(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(1));
    save();
    link_breaks(0); /* while alice sits down */
    save();
    login(1, "bobby"); /* while she gets up again */
    expect(1, "usernameResponse, numberOfPlayersSelectionRequest");
    save();
    save();
    expect(1, "");
    say(1, NUMBER(1));
    save();
    save();
    expect(1, BEGIN);
}

static void the_last_seat_and_a_departure_meet(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(2));
    save();
    save();
    heard(0);
    login(1, "bobby");
    link_breaks(0); /* while bobby sits down */
    save();
    expect(1, "usernameResponse"); /* the table is full, but alice has left it before */
    save();
    struct table *t = tables_newest(world.tables);
    assert_string_equal(table_name(t, 0), "");
    login(2, "carol");
    save();
    expect(1, BEGIN);
    expect(2, "usernameResponse, " BEGIN);
}

static void restart(void) {
    world.port->ops->free(world.port);
    tables_free(world.tables);
    port_begin();
    pass(0);
}

static void a_restart_changes_nothing(void **state) {
    (void)state;
    began();
    say(0, market);
    save();
    restart();
    login(1, "bobby");
    save();
    expect(1, "players, " CARDS ", reconnectionUpdate, startTurn alice");
    login(0, "alice");
    save();
    expect(1, "reconnectionMessage alice");
    expect(0, "players, " CARDS ", reconnectionUpdate, resourcesManageRequest");
    say(0, nothing_kept);
    save();
    expect_last(1, "layoutUpdate MARKETACTION alice");
}

static void who_stays_away_after_a_restart_is_skipped(void **state) {
    (void)state;
    began();
    restart();
    login(1, "bobby");
    save();
    expect_last(1, "startTurn alice");
    for (int i = 0; i < 29; i++) {
        pass(1000);
        say(1, "{\"type\":\"pong\"}");
    }
    save();
    expect(1, "");
    pass(1000);
    save();
    expect(1, "possibleAction");
}

/* Row 29. */
static void a_table_without_anybody_is_given_up(void **state) {
    (void)state;
    struct table *t = began();
    link_breaks(0);
    link_breaks(1);
    save();
    save();
    pass(KEEP_MS - 1);
    save();
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    pass(1);
    save();
    assert_int_equal(table_state_word(t), TABLE_OVER);
    login(2, "alice");
    expect(2, "usernameResponse, numberOfPlayersSelectionRequest");
    pass(60 * 1000);
    assert_int_equal(tables_count(world.tables), 0);
}

/* Who has closed its sending side gets its answer, and is away then. */
static void the_last_word_is_answered(void **state) {
    (void)state;
    began();
    say(0, market);
    world.port->ops->finished(world.port, &world.links[0].link, world.now_ms);
    assert_false(world.links[0].is_closed);
    expect(1, "");
    save();
    assert_true(world.links[0].is_closed);
    expect_last(0, "resourcesManageRequest");
    expect(1, "disconnectionMessage alice");
}

/* The same player is back before that: nobody waits for the old connection any more. */
static void who_is_back_takes_the_place_of_the_old_connection(void **state) {
    (void)state;
    began();
    say(0, market);
    login(2, "alice");
    expect(2, "usernameResponse-");
    world.port->ops->finished(world.port, &world.links[0].link, world.now_ms);
    login(2, "alice");
    assert_true(world.links[0].is_closed);
    save();
    save();
    expect(2, "players, " CARDS ", reconnectionUpdate, resourcesManageRequest");
}

/* Somebody comes back while the end of the table is being saved: the answer is that of a new login. */
static void who_returns_too_late_logs_in_anew(void **state) {
    (void)state;
    struct table *t = began();
    link_breaks(0);
    link_breaks(1);
    save();
    save();
    pass(KEEP_MS);
    assert_true(table_is_busy(t));
    login(2, "alice");
    expect(2, "");
    save();
    assert_int_equal(table_state_word(t), TABLE_OVER);
    expect(2, "usernameResponse, numberOfPlayersSelectionRequest");
}

/* The seat does whatever comes first among what the rules allow, one action a request. */
static void act_elsewhere(struct table *t, unsigned seat, unsigned kind) {
    struct action actions[512];
    size_t count = renaissance_game.legal(table_state(t), seat, actions), at = 0;
    assert_true(count <= 512);
    while (at < count && actions[at].kind != kind)
        at++;
    assert_true(at < count);
    assert_int_equal(table_act(t, seat, &actions[at], 1, world.now_ms), ERR_OK);
    save();
}

/* Whoever is on turn does anything, until the last round has begun; bobby is away all the time. */
static struct table *nearly_over(void) {
    struct table *t = began();
    struct rng rng;
    rng_seed(&rng, 11);
    link_breaks(1);
    save();
    while (!truth(t)->is_ending) {
        struct action actions[512];
        size_t count = renaissance_game.legal(table_state(t), 0, actions);
        assert_in_range(count, 1, 512);
        assert_int_equal(table_act(t, 0, &actions[rng_below(&rng, count)], 1, world.now_ms), ERR_OK);
        save();
    }
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    return t;
}

#define THE_END     "players, " CARDS ", reconnectionUpdate, endGame, finalScore"
#define LOGIN(name) "{\"type\":\"loginRequest\",\"username\":\"" name "\"}"

/* The only one who is there plays on until the end is being saved. What alice hears is not looked at. */
static void play_on(struct table *t, unsigned seat) {
    struct rng rng;
    rng_seed(&rng, 12);
    while (renaissance_game.turn(table_state(t)) != 0 && !table_is_busy(t)) {
        struct action actions[512];
        size_t count = renaissance_game.legal(table_state(t), seat, actions), at = 0;
        while (at < count && actions[at].kind != RENAISSANCE_END_TURN)
            at++;
        bool is_last = at < count;
        at = is_last ? at : rng_below(&rng, count);
        assert_int_equal(table_act(t, seat, &actions[at], 1, world.now_ms), ERR_OK);
        if (!is_last)
            save();
    }
    heard(0);
}

/* Decision about those who were away at the end: the end, once, and then the answer to the login. */
static void who_was_away_at_the_end_is_told(void **state) {
    (void)state;
    struct table *t = nearly_over();
    play_on(t, 0);
    save();
    assert_int_equal(table_state_word(t), TABLE_OVER);
    login(1, "bobby");
    expect(1, THE_END ", usernameResponse, numberOfPlayersSelectionRequest");
    say(1, LOGIN("bobby"));
    expect(1, "usernameResponse-"); /* has one */
    link_breaks(1);
    login(1, "bobby");
    expect(1, "usernameResponse, numberOfPlayersSelectionRequest");
}

static void the_end_is_told_for_a_minute(void **state) {
    (void)state;
    play_on(nearly_over(), 0);
    save();
    pass(60 * 1000);
    login(1, "bobby");
    expect(1, "usernameResponse, numberOfPlayersSelectionRequest");
}

/* Somebody comes back while the end of the table is being saved. */
static void who_returns_during_the_end_is_told(void **state) {
    (void)state;
    struct table *t = nearly_over();
    play_on(t, 0);
    assert_true(table_is_busy(t));
    login(2, "bobby");
    expect(2, "");
    save();
    expect(2, THE_END ", usernameResponse, numberOfPlayersSelectionRequest");
}

/* R38: when everybody is away in the last round, the first to return plays on. */
static void a_last_round_waits_for_who_returns(void **state) {
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        static const char *const names[] = {"alice", "bobby"};
        struct table *t = nearly_over();
        link_breaks(0);
        save();
        assert_int_equal(table_state_word(t), TABLE_RUNNING);
        login(2, names[first]);
        save();
        expect_last(2, "possibleAction");
        play_on(t, first);
        save();
        assert_int_equal(table_state_word(t), TABLE_OVER);
        expect_last(2, "finalScore");
        end(state);
        begin(state);
    }
}

/* The seat of who leaves a table that is not full is free at once, for the same name too: one who comes back
 * quickly is not asked how many shall play. */
static void who_comes_back_quickly_sits_down_again(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(3));
    save();
    save();
    login(1, "bobby");
    save();
    struct table *t = tables_newest(world.tables);
    assert_int_equal(table_free_seats(t), 1);
    link_breaks(0);
    login(0, "alice"); /* while she gets up */
    expect(0, "usernameResponse");
    save();
    assert_string_equal(table_name(t, 0), "");
    save();
    assert_string_equal(table_name(t, 0), "alice");
    expect(0, "");
    login(2, "carol");
    save();
    expect(0, BEGIN);
    expect(1, "usernameResponse, " BEGIN);
}

/* The same at a table of which the last seat is being taken: whoever comes next waits for the one that
 * becomes free. */
static void a_seat_that_becomes_free_is_waited_for(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(2));
    save();
    save();
    login(1, "bobby");
    link_breaks(0); /* while bobby sits down */
    save();         /* alice gets up */
    login(2, "alice");
    expect(2, "usernameResponse");
    save();
    save();
    expect(1, "usernameResponse, " BEGIN);
    expect(2, BEGIN);
}

/* Through the door comes a table; one seat is taken elsewhere, the other through the port. */
static void others_play_along(void **state) {
    (void)state;
    const struct table_door *door = tables_door(world.tables, SPAN("renaissance"));
    const struct table_wish wish = {.options = game_options_default(&renaissance_game, 2)};
    struct table *t;
    assert_int_equal(door->open(door->context, &wish, world.now_ms, &t), ERR_OK);
    save();
    struct table_guest guest = {.seat = 0, .name = SPAN("webby")};
    assert_int_equal(table_sit(t, &guest, NULL, 0, world.now_ms), ERR_OK);
    save();
    table_set_online(t, 0, true);
    login(0, "webby"); /* that name is somebody's */
    expect(0, "usernameResponse-");
    login(1, "bobby");
    expect(1, "usernameResponse");
    save();
    expect(1, BEGIN);
    keep(1, t, 1);
    act_elsewhere(t, 0, RENAISSANCE_KEEP);
    expect(1, "leaderCardsResponse, resourcesRequest");
    put(1, "\"COINS\"");
    expect(1, "resourcesResponse, " CARDS ", setupUpdate, startTurn webby");
    act_elsewhere(t, 0, RENAISSANCE_DISCARD);
    expect(1, "faithTrackUpdate, layoutUpdate DISCARDLEADERCARD webby");
    act_elsewhere(t, 0, RENAISSANCE_PUSH);
    expect(1, "");
    for (unsigned depot = 0; depot < RENAISSANCE_BASE_DEPOTS; depot++)
        act_elsewhere(t, 0, RENAISSANCE_FILL);
    expect_last(1, "layoutUpdate MARKETACTION webby");
    act_elsewhere(t, 0, RENAISSANCE_END_TURN);
    expect(1, "possibleAction");
    table_set_online(t, 0, false);
    expect(1, "disconnectionMessage webby");
    table_set_online(t, 0, true);
    expect(1, "reconnectionMessage webby");
}

static void sit_elsewhere(struct table *t, unsigned seat, const char *name) {
    struct table_guest guest = {.seat = seat, .name = span_of(name)};
    assert_int_equal(table_sit(t, &guest, NULL, 0, world.now_ms), ERR_OK);
    save();
    table_set_online(t, seat, true);
}

static void who_sits_down_last_elsewhere_has_not_come_back(void **state) {
    (void)state;
    const struct table_door *door = tables_door(world.tables, SPAN("renaissance"));
    const struct table_wish wish = {.options = game_options_default(&renaissance_game, 2)};
    struct table *t;
    assert_int_equal(door->open(door->context, &wish, world.now_ms, &t), ERR_OK);
    save();
    login(0, "alice");
    save();
    sit_elsewhere(t, 1, "webby");
    expect(0, "usernameResponse, " BEGIN);
    table_set_online(t, 1, false);
    expect(0, "disconnectionMessage webby");
}

/* Somebody who sits there through another protocol has gone meanwhile: who joins is told so. */
static void who_joins_is_told_who_is_away(void **state) {
    (void)state;
    const struct table_door *door = tables_door(world.tables, SPAN("renaissance"));
    const struct table_wish wish = {.options = game_options_default(&renaissance_game, 2)};
    struct table *t;
    assert_int_equal(door->open(door->context, &wish, world.now_ms, &t), ERR_OK);
    save();
    sit_elsewhere(t, 0, "webby");
    table_set_online(t, 0, false);
    login(1, "bobby");
    save();
    expect(1, "usernameResponse, players, " CARDS ", disconnectionMessage webby, leaderCardsRequest");
    table_set_online(t, 0, true);
    expect(1, "reconnectionMessage webby");
}

static void the_number_of_tables_has_an_end(void **state) {
    (void)state;
    login(0, "alice");
    say(0, NUMBER(1));
    save();
    save();
    heard(0);
    login(1, "bobby");
    say(1, NUMBER(1));
    expect(1, "usernameResponse, numberOfPlayersSelectionRequest, numberOfPlayersSelectionRequest");
}

/* The seat that bobby is about to take is somebody else's meanwhile: he waits, and takes the next one. */
static void who_sits_down_second_takes_another_seat(void **state) {
    (void)state;
    struct event_seat webby = {.seat = 1, .name = "webby"};
    struct buf body = {0};
    login(0, "alice");
    say(0, NUMBER(3));
    save();
    save();
    struct table *t = tables_newest(world.tables);
    event_seat_write(&body, &webby);
    write_first(t, EVENT_SEAT, &body);
    buf_free(&body);
    login(1, "bobby");
    for (int i = 0; i < 3; i++)
        save();
    assert_string_equal(table_name(t, 1), "webby");
    assert_string_equal(table_name(t, 2), "bobby");
    expect(1, "usernameResponse, players, " CARDS ", disconnectionMessage webby, leaderCardsRequest");
}

/* alice has ended her turn elsewhere, which is told: the second end is refused, and no endTurn is swallowed
 * for it. */
static void who_acts_second_is_refused(void **state) {
    (void)state;
    struct table *t = began();
    struct action end_turn = {.kind = RENAISSANCE_END_TURN};
    struct buf body = {0};
    say(0, market);
    save();
    say(0, nothing_kept);
    save();
    heard(0);
    event_action_write(&body, 0, &end_turn, 1);
    write_first(t, EVENT_ACTION, &body);
    buf_free(&body);
    say(0, turn_ended);
    say(0, "{\"type\":\"endTurn\"}");
    for (int i = 0; i < 3; i++)
        save();
    expect(0, "actionResponse ENDTURN, startTurn bobby, errorMessage INVALID_ACTION, "
              "errorMessage INVALID_ACTION");
    expect_last(1, "possibleAction");
}

#define PORT_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* What has come on a link, but for setupUpdate, which shows hands because the protocol wants it. */
static void take_unopened(unsigned i, struct buf *out) {
    const struct buf *sent = &world.links[i].sent;
    for (const char *line = sent->data, *end = line + sent->size; line < end;) {
        const char *next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        struct span text = span_make(line, (size_t)(next - line));
        if (memmem(text.data, text.size, "\"setupUpdate\"", strlen("\"setupUpdate\"")) == NULL)
            buf_append(out, text);
        line = next;
    }
    buf_clear(&world.links[i].sent);
}

/* Everything that alice hears of a table where bobby may have got other leaders. */
static void hear_alice(bool is_twin, struct buf *out) {
    struct rng rng;
    rng_seed(&rng, 7);
    login(0, "alice");
    say(0, NUMBER(2));
    login(1, "bobby");
    for (int i = 0; i < 3; i++)
        save();
    struct table *t = tables_newest(world.tables);
    if (is_twin)
        assert_true(truth_imagine(t, 0, &rng));
    keep(0, t, 0);
    keep(1, t, 1);
    put(1, "\"COINS\"");
    put(0, "");
    const char *const lines[] = {market, nothing_kept, turn_ended};
    for (unsigned seat = 0; seat < 2; seat++)
        for (size_t i = 0; i < 3; i++) {
            say(seat, lines[i]);
            save();
        }
    take_unopened(0, out);
    link_breaks(0);
    save();
    login(2, "alice");
    for (int i = 0; i < 3; i++)
        save();
    take_unopened(2, out);
}

static void nothing_but_the_set_up_shows_the_leaders_of_others(void **state) {
    struct buf heard_by[2] = {{0}, {0}};
    unsigned hands[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            end(state);
            begin(state);
        }
        hear_alice(i == 1, &heard_by[i]);
        const struct renaissance_seat *bobby = &truth(tables_newest(world.tables))->seat[1];
        hands[i] = bobby->hand[0] << 8 | bobby->hand[1];
    }
    assert_int_not_equal(hands[0], hands[1]);
    assert_non_null(strstr(buf_text(&heard_by[0]), "\"reconnectionUpdate\""));
    assert_non_null(strstr(buf_text(&heard_by[0]), "\"layoutUpdate\",\"nickname\":\"bobby\""));
    assert_string_equal(buf_text(&heard_by[0]), buf_text(&heard_by[1]));
    buf_free(&heard_by[0]);
    buf_free(&heard_by[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PORT_TEST(nothing_but_the_set_up_shows_the_leaders_of_others),
        PORT_TEST(nothing_is_said_before_it_is_saved),
        PORT_TEST(a_stall_is_told_once),
        PORT_TEST(silence_is_a_departure),
        PORT_TEST(absence_waits_for_what_is_saved),
        PORT_TEST(seats_are_free_again_before_everybody_has_come),
        PORT_TEST(nobody_plays_what_somebody_gone_has_chosen),
        PORT_TEST(a_table_is_not_left_to_those_who_come_later),
        PORT_TEST(who_chooses_goes_on_choosing),
        PORT_TEST(a_pair_behind_silent_ones_plays),
        PORT_TEST(the_last_seat_and_a_departure_meet),
        PORT_TEST(a_restart_changes_nothing),
        PORT_TEST(who_stays_away_after_a_restart_is_skipped),
        PORT_TEST(a_table_without_anybody_is_given_up),
        PORT_TEST(the_last_word_is_answered),
        PORT_TEST(who_is_back_takes_the_place_of_the_old_connection),
        PORT_TEST(who_returns_too_late_logs_in_anew),
        PORT_TEST(who_was_away_at_the_end_is_told),
        PORT_TEST(the_end_is_told_for_a_minute),
        PORT_TEST(who_returns_during_the_end_is_told),
        PORT_TEST(a_last_round_waits_for_who_returns),
        PORT_TEST(who_comes_back_quickly_sits_down_again),
        PORT_TEST(a_seat_that_becomes_free_is_waited_for),
        PORT_TEST(others_play_along),
        PORT_TEST(who_sits_down_last_elsewhere_has_not_come_back),
        PORT_TEST(who_joins_is_told_who_is_away),
        PORT_TEST(who_sits_down_second_takes_another_seat),
        PORT_TEST(who_acts_second_is_refused),
        cmocka_unit_test_setup_teardown(the_number_of_tables_has_an_end, begin_narrow, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
