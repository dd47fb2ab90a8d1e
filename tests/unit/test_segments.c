/* Players that move segment by segment (section 14 of docs/protocols/ugs.md): who is taken for one, in which
 * words they are spoken to, and, on a port with links of memory and a clock of its own, what is a matter of
 * time. Conversations with the real server are in tests/wire/ugs/. */
#include "port_world.h"

#include "wire/ugs/port.h"
#include "wire/ugs/segments.h"

enum { MOVE_MS = 1000, THANKS_MS = 400, SEED = 3 /* which lets the first who logs in begin */ };

#define DECLARED "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

static int begin(void **state) {
    struct ugs_port_config config = ugs_port_config_default();
    (void)state;
    world_begin();
    rng_seed(&world.secrets, SEED);
    world_tables();
    config.hall.tables = world.tables;
    config.hall.move_timeout_ms = MOVE_MS;
    config.hall.thanks_timeout_ms = THANKS_MS;
    world.port = ugs_port_create(&config);
    return 0;
}

static int finish(void **state) {
    world.port->ops->shutdown(world.port);
    return end(state);
}

/* What came there since the last call. */
static const char *heard(unsigned i) {
    struct buf *sent = &world.links[i].sent;
    buf_clear(&world.text);
    buf_append(&world.text, buf_span(sent));
    buf_clear(sent);
    world.links[i].writes = 0;
    return world.text.size == 0 ? "" : buf_text(&world.text);
}

static bool has_heard(unsigned i, const char *text) {
    return strstr(heard(i), text) != NULL;
}

static void say_and_save(unsigned i, const char *text) {
    say(i, text);
    save();
}

static void segment(unsigned i, int from_x, int from_y, int to_x, int to_y) {
    char text[160];
    snprintf(text, sizeof text,
             "<message type=\"move\"><move x=\"%d\" y=\"%d\" /><move x=\"%d\" y=\"%d\" /></message>", from_x,
             from_y, to_x, to_y);
    say_and_save(i, text);
}

/* 7 moves segment by segment, bob does not; 7 is to move. */
static void two_players(void) {
    link_opens(0);
    link_opens(1);
    say(0, "<?xml version=\"1.0\" encoding=\"utf-8\"?><message type=\"playerLogin\">"
           "<playerLogin nick=\"7\" gameType=\"paper_football\" /></message>");
    say_and_save(1,
                 "<message type='playerLogin'><playerLogin nick='bob' gameType='paper-soccer'/></message>");
    assert_true(has_heard(0, "<gameId id=\"1\"/><nextPlayer nick=\"7\"/></message>"));
    assert_true(has_heard(1, "<nextPlayer nick=\"7\"/><gameState></gameState></message>"));
}

/* The ball lies on (-1, 0), and the centre is one of the points where it bounces. */
static void play_to_the_left(void) {
    two_players();
    segment(0, 0, 0, 0, -1);
    say_and_save(1, "<message type='move'><move><point x='-1' y='0'/></move></message>");
    assert_true(has_heard(0, "<nextPlayer nick=\"7\"/><gameState><point x=\"0\" y=\"-1\"/><point x=\"-1\" "
                             "y=\"0\"/></gameState>"));
    heard(1);
}

static void every_segment_has_the_time_of_a_move(void **unused) {
    (void)unused;
    play_to_the_left();
    pass(MOVE_MS - 1);
    segment(0, -1, 0, 0, 0);
    assert_true(has_heard(0, "<nextPlayer nick=\"7\"/>"));
    pass(MOVE_MS - 1);
    segment(0, 0, 0, 1, -1);
    assert_true(has_heard(0, "<nextPlayer nick=\"bob\"/>"));
    assert_true(has_heard(1, "<gameState><point x=\"0\" y=\"0\"/><point x=\"1\" y=\"1\"/></gameState>"));
}

static void who_stops_in_the_middle_has_lost(void **unused) {
    (void)unused;
    play_to_the_left();
    segment(0, -1, 0, 0, 0);
    heard(0);
    pass(MOVE_MS);
    save();
    assert_string_equal(heard(1),
                        DECLARED "<message type=\"gameState\"><gameId id=\"1\"/><gameOver><player nick=\"7\" "
                                 "result=\"loser\"/><player nick=\"bob\" result=\"winner\"/></gameOver>"
                                 "<gameState></gameState></message>");
    assert_true(
        has_heard(0, "result=\"looser\"/><player nick=\"bob\" result=\"winner\"/></gameOver></message>"));
    pass(THANKS_MS);
    assert_true(world.links[0].is_closed);
    assert_true(has_heard(0, DECLARED "<message type=\"thankYou\"></message>"));
}

/* One event is one write, also where it is several messages. */
static void the_segments_of_a_move_are_one_write(void **unused) {
    (void)unused;
    play_to_the_left();
    segment(0, -1, 0, 0, 0);
    segment(0, 0, 0, 1, -1);
    heard(0);
    say_and_save(1, "<message type='move'><move><point x='0' y='1'/><point x='0' y='2'/></move></message>");
    assert_int_equal(world.links[0].writes, 1);
    assert_string_equal(heard(0), DECLARED
                        "<message type=\"gameState\"><gameId id=\"1\"/><nextPlayer nick=\"bob\"/><gameState>"
                        "<point x=\"1\" y=\"-1\"/><point x=\"0\" y=\"-1\"/></gameState></message>" DECLARED
                        "<message type=\"gameState\"><gameId id=\"1\"/><nextPlayer nick=\"7\"/><gameState>"
                        "<point x=\"0\" y=\"-1\"/><point x=\"0\" y=\"-2\"/></gameState></message>");
}

/* The end of a game waits for the disk. A move that comes meanwhile is as late as one that comes after it. */
static void a_move_while_the_end_is_saved_is_thrown_away(void **unused) {
    (void)unused;
    two_players();
    say(1, "<message type='leaveGame'/>");
    say(0, "<message type=\"move\"><move x=\"0\" y=\"0\" /><move x=\"0\" y=\"-1\" /></message>");
    assert_string_equal(heard(0), "");
    save();
    assert_true(has_heard(0, "<player nick=\"7\" result=\"winner\"/>"));
    save();
    assert_true(has_heard(0, "<gameId id=\"2\"/>")); /* it is free at once: it owes nothing */
}

static void an_old_answer_is_waited_for(void **unused) {
    (void)unused;
    two_players();
    say_and_save(1, "<message type='leaveGame'/>");
    assert_true(has_heard(0, "<player nick=\"7\" result=\"winner\"/>"));
    pass(THANKS_MS - 1);
    save();
    assert_string_equal(heard(0), "");
    segment(0, 0, 0, 0, -1);
    save();
    assert_true(has_heard(0, "<gameId id=\"2\"/>"));
    assert_true(has_heard(1, "<gameId id=\"2\"/>"));
}

/* A connection that is lost in the middle of a turn: a link that is gone is not written to. */
static void who_is_gone_has_lost_and_is_told_nothing(void **unused) {
    (void)unused;
    play_to_the_left();
    segment(0, -1, 0, 0, 0);
    link_breaks(0);
    save();
    assert_true(has_heard(1, "<player nick=\"bob\" result=\"winner\"/></gameOver><gameState></gameState>"));
}

static void the_nick_and_the_type_decide(void **unused) {
    (void)unused;
    static const struct {
        const char *nick, *type;
        bool is_one;
    } cases[] = {
        {"0", "paper_football", true},
        {"1234567890", "paper_football", true},
        {"12345678901", "paper_football", false},
        {"", "paper_football", false},
        {"12a", "paper_football", false},
        {"-1", "paper_football", false},
        {"7", "paper-soccer", false},
        {"7", "Paper_Football", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hall_message login = {
            .type = HALL_PLAYER_LOGIN, .nick = span_of(cases[i].nick), .game_type = span_of(cases[i].type)};
        assert_int_equal(segments_recognise(&login), cases[i].is_one);
    }
}

static void expect_written(const struct hall_message *m, const char *expected) {
    struct buf out = {0};
    ugs_write(&out, m, &(struct ugs_style){.omits_declaration = true, .is_segmented = true});
    assert_string_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void they_are_spoken_to_in_their_words(void **unused) {
    (void)unused;
    const struct hall_player players[] = {{.nick = SPAN("7"), .result = SPAN("loser")},
                                          {.nick = SPAN("8"), .result = SPAN("winner")}};
    const struct pitch_point points[] = {{0, 0}, {0, -1}};
    struct hall_message over = {
        .type = HALL_GAME_STATE, .is_over = true, .players = players, .player_count = 2};
    expect_written(&(struct hall_message){.type = HALL_LOGIN_RESPONSE},
                   "<message type=\"loginResponse\"><response accept=\"yes\"/></message>");
    expect_written(
        &(struct hall_message){.type = HALL_LOGIN_RESPONSE, .login_error = HALL_LOGIN_POOL_FULL},
        "<message type=\"loginResponse\"><response accept=\"no\"><error id=\"3\"/></response></message>");
    expect_written(&(struct hall_message){.type = HALL_THANK_YOU}, "<message type=\"thankYou\"></message>");
    expect_written(&over, "<message type=\"gameState\"><gameOver><player nick=\"7\" result=\"looser\"/>"
                          "<player nick=\"8\" result=\"winner\"/></gameOver></message>");
    over.points = points;
    over.point_count = 2;
    expect_written(&over,
                   "<message type=\"gameState\"><gameOver><player nick=\"7\" result=\"looser\"/>"
                   "<player nick=\"8\" result=\"winner\"/></gameOver><gameState><point x=\"0\" y=\"0\"/>"
                   "<point x=\"0\" y=\"-1\"/></gameState></message>");
}

#define SEGMENTS_TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void) {
    const struct CMUnitTest tests[] = {
        SEGMENTS_TEST(every_segment_has_the_time_of_a_move),
        SEGMENTS_TEST(who_stops_in_the_middle_has_lost),
        SEGMENTS_TEST(the_segments_of_a_move_are_one_write),
        SEGMENTS_TEST(a_move_while_the_end_is_saved_is_thrown_away),
        SEGMENTS_TEST(an_old_answer_is_waited_for),
        SEGMENTS_TEST(who_is_gone_has_lost_and_is_told_nothing),
        cmocka_unit_test(the_nick_and_the_type_decide),
        cmocka_unit_test(they_are_spoken_to_in_their_words),
    };
    return cmocka_run_group_tests_name("segments", tests, NULL, NULL);
}
