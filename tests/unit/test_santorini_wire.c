/* The words of Santorini over lines of JSON: what is read, what is refused, what is told of an action, and
 * lines as the protocol document prints them. docs/protocols/santorini.md. */
#include "tests.h"

#include "wire/json/mend.h"
#include "wire/santorini/dialect.h"

static struct buf text;

static int clear(void **unused) {
    (void)unused;
    buf_free(&text);
    return 0;
}

enum { ALL_WORDS = (1 << SANTORINI_STEP_COUNT) - 1 };

static void expect_mended(const char *line, const char *expected) {
    buf_clear(&text);
    json_mend(span_of(line), &text);
    assert_string_equal(buf_text(&text), expected);
}

static void lines_are_mended(void **unused) {
    (void)unused;
    expect_mended("{\"numberOfPlayers\":\"2\",type:\"setNumberOfPlayers\"}",
                  "{\"numberOfPlayers\":\"2\",\"type\":\"setNumberOfPlayers\"}");
    expect_mended("{ \"godCardNames\" : {\"Minotaur\", \"Zeus\"} }",
                  "{\"godCardNames\":[\"Minotaur\",\"Zeus\"]}");
    expect_mended("{\"a\":{\"one\"},\"b\":{},\"c\":{{\"i\":1},{i:2}}}",
                  "{\"a\":[\"one\"],\"b\":{},\"c\":[{\"i\":1},{\"i\":2}]}");
    expect_mended("{\"a\":1} and more }", "{\"a\":1}");
    expect_mended("{a:true,b:-1.5e3,c:null}", "{\"a\":true,\"b\":-1.5e3,\"c\":null}");
    expect_mended("{\"a b\\\" {c:\":[1,{\"d\":2}]}", "{\"a b\\\" {c:\":[1,{\"d\":2}]}");
    expect_mended("{\"a\":\"unfinished", "{\"a\":\"unfinished");
    expect_mended("}", "}");
    expect_mended("", "");
    expect_mended("{\"a\":\"ends with \\", "{\"a\":\"ends with \\");
}

/* The document prints some of its examples with the quotes of a word processor, and not always in pairs. */
static void printed_quotes_are_mended(void **unused) {
    (void)unused;
    expect_mended("{“godCardNames”:{“Minotaur”, “Zeus”},”name”: “ann”}",
                  "{\"godCardNames\":[\"Minotaur\",\"Zeus\"],\"name\":\"ann\"}");
    expect_mended("{“a b”:1,\"c\":\"“d”\"}", "{\"a b\":1,\"c\":\"“d”\"}");
    expect_mended("{””:1}", "{\"\":1}");
    expect_mended("{\"a\":“unfinished}", "{\"a\":“unfinished}");
    expect_mended("[“", "[“");
}

static void deep_lines_are_not_mended(void **unused) {
    (void)unused;
    char line[JSON_DEPTH_MAX + 2] = "";
    memset(line, '[', JSON_DEPTH_MAX);
    expect_mended(line, line);
    line[JSON_DEPTH_MAX] = '[';
    expect_mended(line, "");
}

static enum err read_line(const char *line, struct santorini_request *r) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    static json_t *message; /* the request borrows from it */
    json_decref(message);
    assert_int_equal(json_read_object(span_of(line), &message, complaint), ERR_OK);
    enum err e = santorini_read(message, r);
    assert_int_equal(e == ERR_OK, r->complaint[0] == '\0');
    return e;
}

static void dates_are_days_of_the_calendar(void **unused) {
    (void)unused;
    struct santorini_request r;
    static const struct {
        const char *date;
        unsigned year, month, day; /* 0: refused */
    } cases[] = {
        {"1998.04.11", 1998, 4, 11},   {"1998.4.1", 1998, 4, 1}, {"2000-02-29", 2000, 2, 29},
        {" 2004/02/29 ", 2004, 2, 29}, {"1900.02.29", 0, 0, 0},  {"1999.02.29", 0, 0, 0},
        {"1999.13.01", 0, 0, 0},       {"1999.00.10", 0, 0, 0},  {"1999.01.32", 0, 0, 0},
        {"1999.01", 0, 0, 0},          {"1999.01.", 0, 0, 0},    {"", 0, 0, 0},
        {"1999.01.01.", 0, 0, 0},      {"19990101", 0, 0, 0},    {"0.1.1", 0, 0, 0},
        {"1999..01", 0, 0, 0},         {"-1.1.1", 0, 0, 0},      {"12345.1.1", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"type\":\"addPlayer\",\"name\":\"x\",\"date\":\"%s\"}", cases[i].date);
        enum err e = read_line(line, &r);
        bool is_real = cases[i].day != 0;
        if (e != (is_real ? ERR_OK : ERR_BIRTH_DATE))
            print_error("%s\n", cases[i].date);
        assert_int_equal(e, is_real ? ERR_OK : ERR_BIRTH_DATE);
        if (is_real)
            assert_true(r.birth.year == cases[i].year && r.birth.month == cases[i].month &&
                        r.birth.day == cases[i].day);
    }
}

static void what_cannot_be_read_keeps_its_type(void **unused) {
    (void)unused;
    struct santorini_request r;
    assert_int_equal(read_line("{\"type\":\"move\",\"src\":{\"i\":1,\"j\":2}}", &r), ERR_FIELD_MISSING);
    assert_int_equal(r.type, SANTORINI_MOVE);
    assert_int_equal(r.src, 7);
    assert_int_equal(r.dst, SANTORINI_NOWHERE);
    assert_int_equal(
        read_line("{\"type\":\"build\",\"src\":{\"i\":5,\"j\":2},\"dst\":{\"i\":1,\"j\":1}}", &r),
        ERR_CELL_OUTSIDE);
    assert_int_equal(r.type, SANTORINI_BUILD);
    assert_int_equal(read_line("{\"type\":\"colorUpdate\",\"color\":\"RED\"}", &r), ERR_COLOR_UNKNOWN);
    assert_int_equal(read_line("{\"type\":\"setGodCard\",\"godCard\":\"Nobody\"}", &r), ERR_GOD_UNKNOWN);
    assert_int_equal(read_line("{\"type\":\"playerAdded\"}", &r), ERR_UNKNOWN_TYPE);
    assert_int_equal(read_line("{\"name\":\"x\"}", &r), ERR_UNKNOWN_TYPE);
}

/* Somebody's text is repeated without breaking a character. */
static void complaints_are_valid_text(void **unused) {
    (void)unused;
    struct santorini_request r;
    char line[200] = "{\"type\":\"x";
    for (int i = 0; i < 60; i++)
        strcat(line, "\xc3\xa4");
    strcat(line, "\"}");
    assert_int_equal(read_line(line, &r), ERR_UNKNOWN_TYPE);
    json_t *again = json_string(r.complaint);
    assert_non_null(again);
    json_decref(again);
}

static struct santorini_scene begin(struct santorini *s, enum santorini_god first, enum santorini_god second,
                                    const char *heights) {
    struct santorini_position position = {
        .seat_count = 2, .heights = heights, .builder = {{0, 12}, {24, 13}}, .god = {first, second}};
    assert_true(santorini_set_position(s, &position));
    return (struct santorini_scene){.state = s, .names = {"ann", "b\"b", ""}};
}

static void play(struct santorini_scene *scene, struct santorini *s, enum santorini_kind kind, unsigned first,
                 unsigned second) {
    struct santorini before = *s;
    struct action action = santorini_action(kind, first, second);
    assert_int_equal(santorini_game.check((const struct game_state *)s, s->mover, &action), ERR_OK);
    santorini_game.apply((struct game_state *)s, before.mover, &action);
    buf_clear(&text);
    santorini_write_news(&text, scene, &before, before.mover, &action);
}

static void displaced_builders_come_before_the_move(void **unused) {
    (void)unused;
    struct santorini s;
    struct santorini_scene scene = begin(&s, GOD_APOLLO, GOD_PAN, NULL);
    play(&scene, &s, SANTORINI_ACT_MOVE, 1, 13);
    assert_string_equal(buf_text(&text), "{\"type\":\"builderPushed\",\"name\":\"b\\\"b\",\"src\":{\"i\":2,"
                                         "\"j\":3},\"dst\":{\"i\":2,\"j\":2}}\n"
                                         "{\"type\":\"move\",\"result\":true,\"name\":\"ann\",\"src\":{\"i\":"
                                         "2,\"j\":2},\"dst\":{\"i\":2,\"j\":3}}");
}

static void builders_that_leave_are_told(void **unused) {
    (void)unused;
    struct santorini s;
    struct santorini_scene scene = begin(&s, GOD_MEDUSA, GOD_PAN, "00000 00000 00100 00000 00000");
    play(&scene, &s, SANTORINI_ACT_MOVE, 0, 1);
    play(&scene, &s, SANTORINI_ACT_BUILD, 0, 0);
    assert_string_equal(buf_text(&text),
                        "{\"type\":\"build\",\"result\":true,\"name\":\"ann\",\"src\":{\"i\":0,\"j\":1},"
                        "\"dst\":{\"i\":0,\"j\":0},"
                        "\"buildDome\":false}\n"
                        "{\"type\":\"builderRemoved\",\"name\":\"b\\\"b\",\"src\":{\"i\":2,\"j\":3}}\n"
                        "{\"type\":\"build\",\"result\":true,\"name\":\"ann\",\"src\":{\"i\":2,\"j\":2},"
                        "\"dst\":{\"i\":2,\"j\":3},\"buildDome\":false}\n"
                        "{\"type\":\"turnUpdate\",\"name\":\"b\\\"b\"}");
}

/* What is offered to a client that knows only the document, and what is done for it. */

static void ask_document(struct santorini_scene *scene, const struct santorini *s) {
    struct action action;
    assert_false(santorini_speaks_for(s, 0, &action));
    buf_clear(&text);
    santorini_write_prompt(&text, scene, SANTORINI_STEP_NONE, 0);
}

/* R35: without another way out the server brings the opponent across, and then only that builder can go on.
 */
static void charon_is_offered_words_of_the_document(void **unused) {
    (void)unused;
    struct santorini s;
    struct action action;
    struct santorini_scene scene = begin(&s, GOD_CHARON, GOD_PAN, NULL);
    ask_document(&scene, &s);
    assert_non_null(strstr(buf_text(&text), "possibleMoveDestinations"));
    struct santorini_position walled = {.seat_count = 2,
                                        .heights = "22200 20000 22200 00000 00000",
                                        .builder = {{6, SANTORINI_NOWHERE}, {7, 24}},
                                        .god = {GOD_CHARON, GOD_PAN}};
    assert_true(santorini_set_position(&s, &walled));
    assert_false(santorini_speaks_for(&s, ALL_WORDS, &action));
    assert_true(santorini_speaks_for(&s, 0, &action));
    assert_int_equal(action.kind, SANTORINI_ACT_FORCE);
    play(&scene, &s, SANTORINI_ACT_FORCE, action.arg[0], action.arg[1]);
    assert_non_null(strstr(buf_text(&text), "builderPushed"));
    ask_document(&scene, &s);
    assert_non_null(strstr(buf_text(&text), "\"possibleDst\":[[{\"i\":1,\"j\":2}],[]]"));
}

/* R47: the cells of the builder that stood still are offered as those of the one that acted, and taken so. */
static void poseidon_is_bound_to_one_builder(void **unused) {
    (void)unused;
    struct santorini s;
    struct santorini_scene scene = begin(&s, GOD_POSEIDON, GOD_PAN, NULL);
    struct santorini_request r = {.type = SANTORINI_BUILD, .src = 16, .dst = 1};
    play(&scene, &s, SANTORINI_ACT_MOVE, 1, 16);
    play(&scene, &s, SANTORINI_ACT_BUILD, 1, 15);
    ask_document(&scene, &s);
    assert_non_null(strstr(buf_text(&text), "[\"BUILD\",\"END\"]"));
    buf_clear(&text);
    santorini_write_prompt(&text, &scene, SANTORINI_STEP_BUILD, 0);
    assert_non_null(strstr(buf_text(&text),
                           "[[{\"i\":0,\"j\":1},{\"i\":1,\"j\":0},{\"i\":1,\"j\":1}],"
                           "[{\"i\":0,\"j\":1},{\"i\":1,\"j\":0},{\"i\":1,\"j\":1}],[],[]]"));
    santorini_request_bind(&s, ALL_WORDS, &r);
    assert_int_equal(r.src, 16);
    santorini_request_bind(&s, 0, &r);
    assert_int_equal(r.src, 0);
}

/* R32, R38: a turn that has only its end in such words ends. */
static void ares_and_dionysus_end_in_words_of_the_document(void **unused) {
    (void)unused;
    struct santorini s;
    struct action action;
    struct santorini_scene scene = begin(&s, GOD_ARES, GOD_PAN, "01000 00000 00000 00000 00000");
    play(&scene, &s, SANTORINI_ACT_MOVE, 1, 16);
    play(&scene, &s, SANTORINI_ACT_BUILD, 1, 15);
    assert_true(santorini_speaks_for(&s, 0, &action));
    assert_int_equal(action.kind, SANTORINI_ACT_END);
    assert_false(santorini_speaks_for(&s, ALL_WORDS, &action));
    scene = begin(&s, GOD_DIONYSUS, GOD_PAN, "00000 00000 00000 30000 00000");
    play(&scene, &s, SANTORINI_ACT_MOVE, 1, 16);
    play(&scene, &s, SANTORINI_ACT_DOME, 1, 15);
    assert_true(s.is_choosing);
    assert_true(santorini_speaks_for(&s, 0, &action));
    assert_int_equal(action.kind, SANTORINI_ACT_END);
    play(&scene, &s, SANTORINI_ACT_BORROW, 24, 0); /* and came back with a client that knows nothing of it */
    assert_true(santorini_speaks_for(&s, 0, &action));
    assert_int_equal(action.kind, SANTORINI_ACT_MOVE);
    assert_false(santorini_speaks_for(&s, ALL_WORDS, &action));
}

/* R10: the game has begun when a starter without a move is out. */
static void starters_without_a_turn_are_out_in_the_game(void **unused) {
    (void)unused;
    struct santorini s;
    struct game_options options = game_options_default(&santorini_game, 3);
    struct santorini_scene scene = {.state = &s, .names = {"ann", "bob", "cid"}};
    const uint8_t cells[] = {0, 1, 5, 6, 2, 7};
    options.value[SANTORINI_OPTION_GODS] = SANTORINI_GODS_NONE;
    assert_int_equal(santorini_game.setup((struct game_state *)&s, &options), ERR_OK);
    for (unsigned i = 0; i < sizeof cells; i++)
        play(&scene, &s, SANTORINI_ACT_PLACE, cells[i], 0);
    assert_string_equal(strchr(buf_text(&text), '\n') + 1,
                        "{\"type\":\"stateUpdate\",\"state\":\"GAME\"}\n"
                        "{\"type\":\"turnUpdate\",\"name\":\"ann\"}\n"
                        "{\"type\":\"builderRemoved\",\"name\":\"ann\",\"src\":{\"i\":0,\"j\":0}}\n"
                        "{\"type\":\"builderRemoved\",\"name\":\"ann\",\"src\":{\"i\":0,\"j\":1}}\n"
                        "{\"type\":\"lossUpdate\",\"name\":\"ann\",\"reason\":\"lost\"}\n"
                        "{\"type\":\"lostUpdate\",\"name\":\"ann\"}\n"
                        "{\"type\":\"turnUpdate\",\"name\":\"bob\"}");
}

/* Selene: the lists of the builder that did not move count, too. */
static void lists_say_which_builders_count(void **unused) {
    (void)unused;
    struct santorini s;
    struct santorini_scene scene = begin(&s, GOD_SELENE, GOD_PAN, NULL);
    play(&scene, &s, SANTORINI_ACT_MOVE, 1, 11);
    buf_clear(&text);
    santorini_write_prompt(&text, &scene, SANTORINI_STEP_NONE, ALL_WORDS);
    assert_non_null(strstr(buf_text(&text), "\"builders\":[1,2]"));
    struct santorini t;
    scene = begin(&t, GOD_PAN, GOD_PAN, NULL);
    play(&scene, &t, SANTORINI_ACT_MOVE, 1, 11);
    buf_clear(&text);
    santorini_write_prompt(&text, &scene, SANTORINI_STEP_NONE, ALL_WORDS);
    assert_non_null(strstr(buf_text(&text), "\"builders\":[2]"));
}

/* Every action of random games is a request that gives the action back, and every prompt lists it. */
static void requests_and_actions_are_inverse(void **unused) {
    (void)unused;
    enum { GAMES = 60 };
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned game = 0; game < GAMES; game++) {
        struct santorini s;
        struct game_options options = game_options_default(&santorini_game, 2 + game % 2);
        struct santorini_scene scene = {.state = &s, .names = {"ann", "bob", game % 2 ? "cid" : ""}};
        struct game_state *state = (struct game_state *)&s;
        assert_int_equal(santorini_game.setup(state, &options), ERR_OK);
        seat_set set;
        while ((set = santorini_game.turn(state)) != 0) {
            unsigned seat = (unsigned)__builtin_ctz(set);
            struct action action, again[SANTORINI_REQUEST_ACTIONS_MAX];
            struct santorini_request r;
            size_t count;
            santorini_game.sample(state, seat, &rng, &action);
            if (s.phase == SANTORINI_TURN || s.phase == SANTORINI_TAKE || s.phase == SANTORINI_COLOR) {
                santorini_request_of(&s, &action, &r);
                assert_int_equal(santorini_request_phase(r.type), s.phase);
                assert_int_equal(santorini_request_actions(&scene, &r, again, &count), ERR_OK);
                assert_true(count == 1 && action_equal(&again[0], &action));
            }
            struct santorini before = s;
            santorini_game.apply(state, seat, &action);
            buf_clear(&text);
            santorini_write_news(&text, &scene, &before, seat, &action);
            santorini_write_prompt(&text, &scene, SANTORINI_STEP_NONE, ALL_WORDS);
            santorini_write_replay(&text, &scene);
            assert_null(memchr(text.data, '\0', text.size));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(lines_are_mended, clear),
        cmocka_unit_test_teardown(printed_quotes_are_mended, clear),
        cmocka_unit_test_teardown(deep_lines_are_not_mended, clear),
        cmocka_unit_test(dates_are_days_of_the_calendar),
        cmocka_unit_test(what_cannot_be_read_keeps_its_type),
        cmocka_unit_test(complaints_are_valid_text),
        cmocka_unit_test_teardown(displaced_builders_come_before_the_move, clear),
        cmocka_unit_test_teardown(builders_that_leave_are_told, clear),
        cmocka_unit_test_teardown(charon_is_offered_words_of_the_document, clear),
        cmocka_unit_test_teardown(poseidon_is_bound_to_one_builder, clear),
        cmocka_unit_test_teardown(ares_and_dionysus_end_in_words_of_the_document, clear),
        cmocka_unit_test_teardown(starters_without_a_turn_are_out_in_the_game, clear),
        cmocka_unit_test_teardown(lists_say_which_builders_count, clear),
        cmocka_unit_test_teardown(requests_and_actions_are_inverse, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
