/* The words of Eriantys over JSON: what clients write becomes actions, states become messages and back. */
#include "tests.h"

#include "base/mem.h"
#include "cli/eriantys/follow.h"

static struct eriantys game;
static struct eriantys_scene scene;
static struct rng rng;
static struct buf out;
static char complaint[JSON_COMPLAINT_BYTES_MAX];

static const struct game *const rules = &eriantys_game;

static struct game_state *state_of(struct eriantys *e) {
    return (struct game_state *)e;
}

/* Until a seat is to act, or the table is over. */
static void chance_acts(void) {
    while (rules->turn(state_of(&game)) == SEAT_BIT(SEAT_CHANCE)) {
        struct action action;
        rules->sample(state_of(&game), SEAT_CHANCE, &rng, &action);
        rules->apply(state_of(&game), SEAT_CHANCE, &action);
    }
}

static void game_begin(unsigned seats, enum eriantys_mode mode, uint64_t seed) {
    static const char *const names[] = {"ann", "bob", "cid", "\xc3\xaa z \"x\""};
    struct game_options options = game_options_default(rules, seats);
    options.value[ERIANTYS_OPTION_MODE] = mode;
    rng_seed(&rng, seed);
    assert_int_equal(rules->setup(state_of(&game), &options), ERR_OK);
    chance_acts();
    scene = (struct eriantys_scene){.state = &game};
    for (unsigned seat = 0; seat < ERIANTYS_SEATS_MAX; seat++) {
        scene.names[seat] = names[seat];
        scene.is_online[seat] = seat != 1;
        scene.wizards[seat] = 3 - seat;
    }
}

static json_t *parse(const char *text) {
    json_t *message;
    assert_int_equal(json_read_object(span_of(text), &message, complaint), ERR_OK);
    return message;
}

static json_t *written(void) {
    json_t *message;
    assert_int_equal(json_read_object(buf_span(&out), &message, complaint), ERR_OK);
    return message;
}

static int end(void **state) {
    (void)state;
    buf_free(&out);
    return 0;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A state without what a status cannot tell. */
static struct eriantys told(const struct eriantys *e) {
    struct eriantys copy = *e;
    unsigned bans = 0, first = ERIANTYS_NONE;
    for (unsigned i = 0; i < copy.group_count; i++) {
        if (copy.group[i].bans == 0)
            continue;
        first = first == ERIANTYS_NONE ? i : first;
        bans += copy.group[i].bans - 1u;
        copy.group[i].bans = 1;
    }
    if (first != ERIANTYS_NONE)
        copy.group[first].bans += (uint8_t)bans;
    copy.is_last_round = copy.has_bag_failed = 0;
    return copy;
}

static void check_status(void) {
    struct eriantys read;
    struct span names[ERIANTYS_SEATS_MAX];
    buf_clear(&out);
    eriantys_write_status(&out, &scene);
    json_t *message = written();
    assert_true(json_equal(json_object_get(message, "gameBoard"), json_object_get(message, "board")));
    assert_true(eriantys_follow_status(message, &read, names));
    for (unsigned seat = 0; seat < game.seat_count; seat++)
        assert_true(span_is(names[seat], scene.names[seat]));
    struct eriantys wanted = told(&game), got = told(&read);
    assert_memory_equal(&got, &wanted, sizeof got);
    assert_null(rules->valid(state_of(&read)));
    /* Thief and draws can hide that the bag was empty, never the contrary. */
    assert_true(read.is_last_round <= game.is_last_round);
    json_decref(message);
}

/* The command of an action is read as that action. */
static void check_command(unsigned seat, const struct action *action) {
    struct action read;
    buf_clear(&out);
    eriantys_write_command(&out, &scene, seat, action);
    json_t *message = written();
    assert_string_equal(text_of(message, "type"), "command");
    assert_int_equal(eriantys_read_command(message, &game, span_of(scene.names[seat]), &read, complaint),
                     ERR_OK);
    assert_true(action_equal(&read, action));
    json_decref(message);
}

static unsigned play_through(unsigned seats, enum eriantys_mode mode, uint64_t seed) {
    struct action *actions = mem_alloc(rules->actions_max * sizeof *actions);
    unsigned kinds = 0;
    game_begin(seats, mode, seed);
    for (unsigned seat = 0; seat < seats && mode == ERIANTYS_EXPERT; seat++) {
        game.seat[seat].coins += 4; /* so that everything can be paid */
        game.bank -= 4;
    }
    while (rules->turn(state_of(&game)) != 0) {
        unsigned seat = game.mover;
        if (rng_below(&rng, 3) == 0)
            check_status();
        size_t count = rules->legal(state_of(&game), seat, actions);
        for (size_t i = rng_below(&rng, 8); i < count; i += 8)
            check_command(seat, &actions[i]);
        /* Half of the time the last one, because characters stand there. */
        struct action action =
            actions[rng_below(&rng, 2) == 0 ? count - 1 : rng_below(&rng, (uint32_t)count)];
        check_command(seat, &action);
        kinds |= 1u << action.kind;
        rules->apply(state_of(&game), seat, &action);
        chance_acts();
    }
    mem_free(actions);
    return kinds;
}

static void whole_games_survive_the_wire(void **unused) {
    (void)unused;
    unsigned kinds = 0;
    for (unsigned seats = ERIANTYS_SEATS_MIN; seats <= ERIANTYS_SEATS_MAX; seats++)
        for (uint64_t seed = 0; seed < 16; seed++)
            kinds |= play_through(seats, seed < 2 ? ERIANTYS_NORMAL : ERIANTYS_EXPERT, seed);
    for (unsigned kind = ERIANTYS_PLAY_ASSISTANT; kind <= ERIANTYS_SWAP_OUT; kind++)
        if (!(kinds >> kind & 1))
            fail_msg("no action of kind %u was played", kind);
}

static void broken_statuses_are_refused(void **unused) {
    (void)unused;
    static const char *const keys[] = {"players", "expert", "round", "activeUser", "subPhase", "gameBoard"};
    static const char *const board_keys[] = {"bag",        "clouds",           "islands",
                                             "characters", "playedAssistants", "motherNatureIsland"};
    struct eriantys read;
    struct span names[ERIANTYS_SEATS_MAX];
    game_begin(3, ERIANTYS_EXPERT, 5);
    for (size_t i = 0; i < sizeof keys / sizeof *keys + sizeof board_keys / sizeof *board_keys; i++) {
        buf_clear(&out);
        eriantys_write_status(&out, &scene);
        json_t *message = written();
        size_t outer = sizeof keys / sizeof *keys;
        if (i < outer)
            json_object_del(message, keys[i]);
        else
            json_object_del(json_object_get(message, "gameBoard"), board_keys[i - outer]);
        assert_false(eriantys_follow_status(message, &read, names));
        json_decref(message);
    }
    json_t *empty = parse("{}");
    assert_false(eriantys_follow_status(empty, &read, names));
    json_decref(empty);
}

static void check_request(const char *text, enum err expected, enum eriantys_request_type type) {
    struct eriantys_request request;
    json_t *message = parse(text);
    enum err e = eriantys_read_request(message, &request);
    assert_int_equal(e, expected);
    if (e == ERR_OK)
        assert_int_equal(request.type, type);
    else
        assert_string_not_equal(request.complaint, "");
    json_decref(message);
}

/* The name that a login means; "" when it can be none. */
static void check_name(const char *written, const char *expected) {
    struct eriantys_request request;
    char text[256];
    snprintf(text, sizeof text, "{\"type\":\"login\",\"name\":\"%s\"}", written);
    json_t *message = parse(text);
    assert_int_equal(eriantys_read_request(message, &request), ERR_OK);
    assert_true(span_is(request.name, expected));
    json_decref(message);
}

static void names_are_read(void **unused) {
    (void)unused;
    check_name("  \xc3\xa9ve \\t", "\xc3\xa9ve");
    check_name("Player 1", "Player 1");
    check_name("12345678901234567890123456789012", "12345678901234567890123456789012");
    check_name("123456789012345678901234567890123", "");
    check_name("\\n", "");
    check_name("\xc2\xa0", ""); /* blank, though not of ASCII */
    check_name("a\\u001b[31mb", "");
    check_name("a\\nb", "");
}

static void requests_are_read(void **unused) {
    (void)unused;
    check_request("{\"type\":\"pong\"}", ERR_OK, ERIANTYS_REQUEST_PONG);
    check_request("{\"type\":\"ping\",\"x\":[1]}", ERR_OK, ERIANTYS_REQUEST_PING);
    check_request("{\"type\":\"LOGOUT\",\"name\":7}", ERR_OK, ERIANTYS_REQUEST_LOGOUT);
    check_request("{\"type\":\"error\"}", ERR_OK, ERIANTYS_REQUEST_ERROR);
    check_request("{\"type\":\"command\"}", ERR_OK, ERIANTYS_REQUEST_COMMAND);
    check_request("{\"expert\":\"TRUE\",\"playersNumber\":\"3\",\"type\":\"gameCreation\"}", ERR_OK,
                  ERIANTYS_REQUEST_CREATE);
    check_request("{}", ERR_FIELD_MISSING, 0);
    check_request("{\"type\":7}", ERR_UNKNOWN_TYPE, 0);
    check_request("{\"type\":\"status\"}", ERR_UNKNOWN_TYPE, 0);
    check_request("{\"type\":\"gameCreation\",\"expert\":true}", ERR_FIELD_MISSING, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":2}", ERR_FIELD_MISSING, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":1,\"expert\":true}", ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":5,\"expert\":true}", ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":2.5,\"expert\":true}", ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":99999999999999999999,\"expert\":true}",
                  ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"gameCreation\",\"playersNumber\":2,\"expert\":\"no\"}", ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"enterGame\"}", ERR_FIELD_MISSING, 0);
    check_request("{\"type\":\"enterGame\",\"code\":[]}", ERR_FIELD_INVALID, 0);
    check_request("{\"type\":\"login\",\"name\":null}", ERR_FIELD_MISSING, 0);
}

/* What the first player of a new game means with this. */
static enum err command_of(const char *text, struct action *action) {
    json_t *message = parse(text);
    enum err e = eriantys_read_command(message, &game, SPAN("ann"), action, complaint);
    json_decref(message);
    return e;
}

static void check_read(const char *text, struct action wanted) {
    struct action action;
    assert_int_equal(command_of(text, &action), ERR_OK);
    assert_true(action_equal(&action, &wanted));
}

static void check_refused(const char *text, enum err expected) {
    struct action action;
    complaint[0] = '\0';
    assert_int_equal(command_of(text, &action), expected);
    assert_string_not_equal(complaint, "");
}

#define MOVE "{\"subtype\":\"move\",\"pawn\":\"student\","
static void commands_are_read_with_tolerance(void **unused) {
    (void)unused;
    game_begin(2, ERIANTYS_EXPERT, 3);
    check_read("{\"subtype\":\"playAssistant\",\"player\":\"ann\",\"assistant\":4}",
               eriantys_action(ERIANTYS_PLAY_ASSISTANT, 4));
    check_read("{\"assistant\":\" 4 \",\"extra\":{},\"subtype\":\"PLAYASSISTANT\"}",
               eriantys_action(ERIANTYS_PLAY_ASSISTANT, 4));
    static const char *const dining[] = {"diningRoom", "dining-room", "dining_room", "DININGROOM"};
    for (size_t i = 0; i < sizeof dining / sizeof *dining; i++) {
        char text[256];
        snprintf(text, sizeof text, MOVE "\"color\":\"red\",\"from\":\"entrance\",\"to\":\"%s\"}", dining[i]);
        check_read(text, eriantys_action(ERIANTYS_TO_DINING, ERIANTYS_RED));
    }
    check_read(
        MOVE
        "\"special\":\"false\",\"toId\":\"7\",\"to\":\"island\",\"from\":\"Entrance\",\"color\":\"Blue\"}",
        eriantys_action_two(ERIANTYS_TO_ISLAND, ERIANTYS_BLUE, 7));
    check_read("{\"subtype\":\"move\",\"pawn\":\"motherNature\",\"island\":3}",
               eriantys_action(ERIANTYS_MOVE_MOTHER, 3));
    check_read("{\"subtype\":\"move\",\"pawn\":\"mothernature\",\"move\":false,\"island\":3.0}",
               eriantys_action(ERIANTYS_USE_HERALD, 3));
    check_read("{\"subtype\":\"ban\",\"island\":11}", eriantys_action(ERIANTYS_USE_BAN, 11));
    check_read("{\"subtype\":\"ignore\",\"color\":\"fuchsia\"}",
               eriantys_action(ERIANTYS_USE_IGNORE, ERIANTYS_FUCHSIA));
    check_read("{\"subtype\":\"return\",\"color\":\"YELLOW\"}",
               eriantys_action(ERIANTYS_USE_RETURN, ERIANTYS_YELLOW));
    check_read("{\"subtype\":\"refill\",\"cloud\":1}", eriantys_action(ERIANTYS_TAKE_CLOUD, 1));
    check_read("{\"subtype\":\"pay\",\"character\":12}", eriantys_action(ERIANTYS_PAY, 12));
    /* Any island of a group stands for the group. */
    game.group[11].size = 3;
    memmove(&game.group[0], &game.group[2], 10 * sizeof game.group[0]);
    game.group_count = 10;
    check_read("{\"subtype\":\"ban\",\"island\":1}", eriantys_action(ERIANTYS_USE_BAN, 11));
}

static void commands_are_refused(void **unused) {
    (void)unused;
    game_begin(2, ERIANTYS_NORMAL, 3);
    check_refused("{}", ERR_FIELD_MISSING);
    check_refused("{\"subtype\":\"dance\"}", ERR_FIELD_INVALID);
    check_refused("{\"subtype\":\"playAssistant\",\"assistant\":4,\"player\":\"bob\"}", ERR_FIELD_INVALID);
    check_refused("{\"subtype\":\"playAssistant\",\"assistant\":4,\"player\":4}", ERR_FIELD_INVALID);
    check_refused("{\"subtype\":\"playAssistant\"}", ERR_FIELD_MISSING);
    check_refused("{\"subtype\":\"playAssistant\",\"assistant\":\"four\"}", ERR_FIELD_INVALID);
    check_refused("{\"subtype\":\"move\"}", ERR_FIELD_MISSING);
    check_refused("{\"subtype\":\"move\",\"pawn\":\"king\"}", ERR_FIELD_INVALID);
    check_refused(MOVE "\"color\":\"PINK\",\"from\":\"entrance\",\"to\":\"diningRoom\"}", ERR_STUDENT_COLOR);
    check_refused(MOVE "\"from\":\"entrance\",\"to\":\"diningRoom\"}", ERR_FIELD_MISSING);
    check_refused(MOVE "\"color\":\"RED\",\"to\":\"diningRoom\"}", ERR_FIELD_MISSING);
    check_refused(MOVE "\"color\":\"RED\",\"from\":\"bag\",\"to\":\"diningRoom\"}", ERR_FIELD_INVALID);
    check_refused(MOVE "\"color\":\"RED\",\"from\":\"entrance\",\"to\":\"island\"}", ERR_FIELD_MISSING);
    check_refused(MOVE "\"color\":\"RED\",\"from\":\"entrance\",\"to\":\"diningRoom\",\"special\":\"x\"}",
                  ERR_FIELD_INVALID);
    check_refused(MOVE "\"color\":\"RED\",\"from\":\"island\",\"to\":\"entrance\",\"fromId\":1}",
                  ERR_MOVE_WAY);
    check_refused("{\"subtype\":\"move\",\"pawn\":\"motherNature\"}", ERR_FIELD_MISSING);
    check_refused("{\"subtype\":\"move\",\"pawn\":\"motherNature\",\"island\":1,\"move\":2}",
                  ERR_FIELD_INVALID);
    check_refused("{\"subtype\":\"return\",\"color\":7}", ERR_FIELD_INVALID);
    /* Numbers that nothing has are for the rules to refuse, whatever their size. */
    struct action action;
    static const char *const far[] = {"-1", "99", "255", "256", "70000", "\"-9\""};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"subtype\":\"playAssistant\",\"assistant\":%s}", far[i]);
        assert_int_equal(command_of(text, &action), ERR_OK);
        assert_int_equal(rules->check(state_of(&game), 0, &action), ERR_ASSISTANT_UNKNOWN);
    }
}

static void check_written(const char *wanted) {
    assert_string_equal(buf_text(&out), wanted);
    buf_clear(&out);
}

static void small_messages_are_written(void **unused) {
    (void)unused;
    game_begin(3, ERIANTYS_NORMAL, 3);
    scene.names[0] = "z\"z";
    scene.names[2] = "";
    eriantys_write_error(&out, ERIANTYS_USER_DISCONNECTED);
    check_written("{\"type\":\"error\",\"message\":\"UserDisconnected\"}");
    eriantys_write_creation(&out, "ABC12");
    check_written("{\"type\":\"gameCreation\",\"code\":\"ABC12\"}");
    eriantys_write_enter(&out, false, &scene);
    check_written("{\"type\":\"enterGame\",\"found\":false}");
    eriantys_write_enter(&out, true, &scene);
    check_written("{\"type\":\"enterGame\",\"found\":true,\"expectedPlayers\":3,\"players\":[{\"name\":"
                  "\"bob\",\"online\":"
                  "false},{\"name\":\"z\\\"z\",\"online\":true}]}");
    eriantys_write_waiting(&out, &scene);
    check_written("{\"type\":\"waitingRoomUpdate\",\"expectedPlayers\":3,\"players\":[{\"name\":\"bob\","
                  "\"online\":false},"
                  "{\"name\":\"z\\\"z\",\"online\":true}]}");
    eriantys_write_login(&out, true);
    check_written("{\"type\":\"login\",\"success\":true}");
    eriantys_write_start(&out);
    check_written("{\"type\":\"gameStart\"}");
    eriantys_write_turn(&out, "bob", false);
    check_written("{\"type\":\"turnEnable\",\"player\":\"bob\",\"enable\":false}");
    eriantys_write_win(&out, &scene, SEAT_BIT(0) | SEAT_BIT(1));
    check_written("{\"type\":\"win\",\"winners\":[\"z\\\"z\",\"bob\"]}");
    eriantys_write_win(&out, &scene, 0);
    check_written("{\"type\":\"win\",\"winners\":null}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(whole_games_survive_the_wire, end),
        cmocka_unit_test_teardown(broken_statuses_are_refused, end),
        cmocka_unit_test_teardown(requests_are_read, end),
        cmocka_unit_test_teardown(names_are_read, end),
        cmocka_unit_test_teardown(commands_are_read_with_tolerance, end),
        cmocka_unit_test_teardown(commands_are_refused, end),
        cmocka_unit_test_teardown(small_messages_are_written, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
