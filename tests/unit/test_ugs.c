/* The UGS dialect: every message there and back, every tolerance and every refusal of docs/protocols/ugs.md.
 */
#include "tests.h"

#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"
#include "wire/xml/frame.h"

#include <stdio.h>

#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

static const struct ugs_style plain_style = {0};

static char *document_copy;

static int reader_setup(void **state) {
    *state = ugs_reader_create(false);
    return 0;
}

static int reader_teardown(void **state) {
    ugs_reader_free(*state);
    free(document_copy);
    return 0;
}

/* Reads from memory of exactly the right size, so that a read beyond the end is noticed; the copy lives until
 * the next call. */
static enum err read_span(struct ugs_reader *reader, struct span document, struct hall_message *out) {
    free(document_copy);
    document_copy = malloc(document.size + 1);
    memcpy(document_copy + 1, document.data, document.size);
    return ugs_read(reader, span_make(document_copy + 1, document.size), out);
}

static struct hall_message read_text(struct ugs_reader *reader, const char *document) {
    struct hall_message message;
    enum err e = read_span(reader, span_of(document), &message);
    if (e != ERR_OK)
        print_error("%s: %s (%s)\n", document, game_refusal(&paper_soccer_game, e)->word,
                    ugs_reader_complaint(reader));
    assert_int_equal(e, ERR_OK);
    return message;
}

static void expect_refused(struct ugs_reader *reader, struct span document, enum err expected) {
    struct hall_message message;
    enum err e = read_span(reader, document, &message);
    if (e != expected)
        print_error("%.*s\n", (int)document.size, document.data);
    assert_string_equal(game_refusal(&paper_soccer_game, e)->word,
                        game_refusal(&paper_soccer_game, expected)->word);
    assert_true(strlen(ugs_reader_complaint(reader)) > 0);
    assert_null(message.payload.data);
    assert_int_equal(message.player_count, 0);
}

static void expect_span(struct span span, const char *expected) {
    if (!span_is(span, expected))
        print_error("'%.*s' instead of '%s'\n", (int)span.size, span.data, expected);
    assert_true(span_is(span, expected));
}

static void expect_equal(const struct hall_message *a, const struct hall_message *b) {
    assert_int_equal(a->type, b->type);
    assert_true(span_equal(a->text, b->text));
    assert_true(span_equal(a->nick, b->nick));
    assert_true(span_equal(a->id, b->id));
    assert_true(span_equal(a->game_type, b->game_type));
    assert_int_equal(a->players_min, b->players_min);
    assert_int_equal(a->players_max, b->players_max);
    assert_int_equal(a->login_error, b->login_error);
    assert_int_equal(a->has_table, b->has_table);
    assert_true(span_equal(a->table, b->table));
    assert_int_equal(a->has_next, b->has_next);
    assert_true(span_equal(a->next, b->next));
    assert_int_equal(a->is_over, b->is_over);
    assert_true(span_equal(a->payload, b->payload));
    assert_int_equal(a->player_count, b->player_count);
    for (size_t i = 0; i < a->player_count; i++) {
        assert_true(span_equal(a->players[i].nick, b->players[i].nick));
        assert_true(span_equal(a->players[i].result, b->players[i].result));
        assert_int_equal(a->players[i].won, b->players[i].won);
        assert_int_equal(a->players[i].lost, b->players[i].lost);
    }
}

static const struct hall_player begin_players[] = {{.nick = {"ann", 3}}, {.nick = {"b\"o'b", 5}}};
static const struct hall_player over_players[] = {
    {.nick = {"ann", 3}, .result = {"winner", 6}},
    {.nick = {"bob", 3}, .result = {"loser", 5}},
    {.nick = {"eve", 3}, .result = {"draw", 4}},
};
static const struct hall_player champions[] = {
    {.nick = {"ann", 3}, .won = 2147483647, .lost = 0},
    {.nick = {"bob", 3}, .won = 1, .lost = 12},
};

struct sample {
    struct hall_message message;
    const char *content; /* between the tags of <message> */
    const char *type;
};

#define TABLE    .has_table = true, .table = {"7", 1}
#define GAME_ID  "<gameId id=\"7\"/>"
#define BOB_TEXT "b&quot;o'b"

/* Every message in its written form. */
static const struct sample samples[] = {
    {{.type = HALL_ERROR, .text = {"no <such> \"game\" & more\n\r\tx", 27}},
     "no &lt;such&gt; &quot;game&quot; &amp; more&#10;&#13;&#9;x",
     "error"},
    {{.type = HALL_ERROR}, "", "error"},
    {{.type = HALL_PLAYER_LOGIN, .nick = {"a&b", 3}, .game_type = {"paper-soccer", 12}},
     "<playerLogin nick=\"a&amp;b\" gameType=\"paper-soccer\"/>",
     "playerLogin"},
    {{.type = HALL_MASTER_LOGIN,
      .id = {"m1", 2},
      .game_type = {"5-in-line-tic-tac-toe", 21},
      .players_min = 2,
      .players_max = 4},
     "<gameMasterLogin id=\"m1\" gameType=\"5-in-line-tic-tac-toe\" playersMin=\"2\" playersMax=\"4\"/>",
     "gameMasterLogin"},
    {{.type = HALL_LOGIN_RESPONSE}, "<response accept=\"yes\"/>", "loginResponse"},
    {{.type = HALL_LOGIN_RESPONSE, .login_error = HALL_LOGIN_NICK},
     "<response accept=\"no\"/><error id=\"1\"/>",
     "loginResponse"},
    {{.type = HALL_LOGIN_RESPONSE, .login_error = HALL_LOGIN_DESCRIPTION},
     "<response accept=\"no\"/><error id=\"5\"/>",
     "loginResponse"},
    {{.type = HALL_LOGIN_RESPONSE, .login_error = (enum hall_login_error)UGS_LOGIN_UNSAID},
     "<response accept=\"no\"/>",
     "loginResponse"},
    {{.type = HALL_BEGIN_GAME, TABLE, .players = begin_players, .player_count = 2},
     GAME_ID "<player nick=\"ann\"/><player nick=\"" BOB_TEXT "\"/>",
     "beginGame"},
    {{.type = HALL_GAME_STATE,
      TABLE,
      .has_next = true,
      .next = {"ann", 3},
      .payload = {"<gameState></gameState>", 23}},
     GAME_ID "<nextPlayer nick=\"ann\"/><gameState></gameState>",
     "gameState"},
    {{.type = HALL_GAME_STATE,
      TABLE,
      .is_over = true,
      .players = over_players,
      .player_count = 3,
      .payload = {"<gameState><point x='0' y='1'/></gameState>", 43}},
     GAME_ID "<gameOver><player nick=\"ann\" result=\"winner\"/><player nick=\"bob\" result=\"loser\"/>"
             "<player nick=\"eve\" result=\"draw\"/></gameOver><gameState><point x='0' y='1'/></gameState>",
     "gameState"},
    {{.type = HALL_MOVE, TABLE, .payload = {"<move><point x='0' y='1'/></move>", 33}},
     GAME_ID "<move><point x='0' y='1'/></move>",
     "move"},
    {{.type = HALL_THANK_YOU, TABLE}, GAME_ID, "thank you"},
    {{.type = HALL_LEAVE_GAME, TABLE}, GAME_ID, "leaveGame"},
    {{.type = HALL_PLAYER_LEFT_GAME, TABLE, .nick = {"ann", 3}},
     "<player nick=\"ann\"/>" GAME_ID,
     "playerLeftGame"},
    {{.type = HALL_LOGOUT}, "", "logout"},
    {{.type = HALL_SERVER_SHUTDOWN}, "", "serverShutdown"},
    {{.type = HALL_CHAMPIONS_LIST, .players = champions, .player_count = 2},
     "<player nick=\"ann\" won=\"2147483647\" lost=\"0\"/><player nick=\"bob\" won=\"1\" lost=\"12\"/>",
     "championsList"},
};
enum { SAMPLE_COUNT = sizeof samples / sizeof *samples };

static void every_message_is_written_and_read_back(void **state) {
    bool is_seen[HALL_TYPE_COUNT] = {false};
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        struct buf out = {0}, expected = {0};
        ugs_write(&out, &samples[i].message, &plain_style);
        buf_printf(&expected, DECLARATION "<message type=\"%s\">%s</message>", samples[i].type,
                   samples[i].content);
        assert_string_equal(buf_text(&out), buf_text(&expected));
        struct hall_message back = read_text(*state, buf_text(&out));
        expect_equal(&samples[i].message, &back);
        is_seen[samples[i].message.type] = true;
        buf_free(&out);
        buf_free(&expected);
    }
    for (int type = 0; type < HALL_TYPE_COUNT; type++)
        assert_true(is_seen[type]);
}

static void styles_change_only_the_wrapping(void **unused) {
    (void)unused;
    const struct hall_message logout = {.type = HALL_LOGOUT};
    struct buf out = {0};
    ugs_write(&out, &logout, &(struct ugs_style){.omits_declaration = true});
    assert_string_equal(buf_text(&out), "<message type=\"logout\"></message>");
    ugs_write(&out, &logout, &(struct ugs_style){.omits_declaration = true, .ends_with_newline = true});
    assert_string_equal(buf_text(&out),
                        "<message type=\"logout\"></message><message type=\"logout\"></message>\n");
    buf_free(&out);
}

static void an_empty_payload_is_still_an_element(void **unused) {
    (void)unused;
    struct buf out = {0};
    const struct ugs_style bare = {.omits_declaration = true};
    ugs_write(&out,
              &(struct hall_message){.type = HALL_GAME_STATE, TABLE, .has_next = true, .next = {"a", 1}},
              &bare);
    assert_string_equal(buf_text(&out), "<message type=\"gameState\">" GAME_ID
                                        "<nextPlayer nick=\"a\"/><gameState></gameState></message>");
    buf_clear(&out);
    ugs_write(&out, &(struct hall_message){.type = HALL_MOVE, TABLE}, &bare);
    assert_string_equal(buf_text(&out), "<message type=\"move\">" GAME_ID "<move></move></message>");
    buf_free(&out);
}

static void text_that_xml_forbids_is_replaced(void **state) {
    const struct hall_message error = {.type = HALL_ERROR,
                                       .text = SPAN("a\0b\x1b[31m\xff\xc0\x80 \xef\xbf\xbf]]>")};
    struct buf out = {0};
    ugs_write(&out, &error, &plain_style);
    struct hall_message back = read_text(*state, buf_text(&out));
    expect_span(back.text, "a\ufffdb\ufffd[31m\ufffd\ufffd\ufffd \ufffd]]>");
    buf_free(&out);
}

/* All samples in one stream, in every split; and a thousand messages in one buffer. */
static void read_stream(struct ugs_reader *reader, struct span stream, size_t piece_size, size_t count) {
    struct xml_frame frame = {0};
    size_t read = 0;
    for (size_t at = 0; at < stream.size; at += piece_size) {
        struct span piece = {stream.data + at, stream.size - at < piece_size ? stream.size - at : piece_size};
        for (;;) {
            struct span document;
            struct hall_message message;
            assert_int_equal(xml_frame_next(&frame, &piece, &document), ERR_OK);
            if (document.size == 0)
                break;
            assert_int_equal(ugs_read(reader, document, &message), ERR_OK);
            expect_equal(&samples[read % SAMPLE_COUNT].message, &message);
            read++;
        }
    }
    assert_int_equal(read, count);
    assert_false(xml_frame_is_partial(&frame));
    xml_frame_free(&frame);
}

static void a_thousand_messages_in_any_split(void **state) {
    struct buf stream = {0};
    for (int i = 0; i < 1000; i++)
        ugs_write(&stream, &samples[i % SAMPLE_COUNT].message,
                  &(struct ugs_style){.omits_declaration = i % 3 == 0, .ends_with_newline = i % 5 == 0});
    const size_t piece_sizes[] = {stream.size, 1, 7, 1024};
    for (size_t i = 0; i < 4; i++)
        read_stream(*state, buf_span(&stream), piece_sizes[i], 1000);
    buf_free(&stream);
}

static void payloads_are_kept_byte_for_byte(void **state) {
    const char *const payloads[] = {
        "<move/>",
        "<move />",
        "<move></move>",
        "<move\r\n/>",
        "<move x=\"1\" y=\"2\"/>",
        "<move x='1'  y = '2' ></move >",
        "<move><point x='0' y='1'/>\r\n\t<point  x = \"&#49;\"\ty='-1'></point></move>",
        "<move><![CDATA[</move> & <gameId id='9'/>]]>&amp;&#x41;<!-- </move> --><?pi </move>?>\r\n</move>",
        "<move><move><move/></move></move>",
        "<move>caf\u00e9 \u2654</move>",
        "<move/><move x=\"1\" y=\"2\"/><move></move>",
    };
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        struct buf document = {0};
        buf_printf(&document, "<message type='move'>\r\n<gameId id='1'/> %s\n<other/></message>",
                   payloads[i]);
        struct hall_message message = read_text(*state, buf_text(&document));
        expect_span(message.payload, payloads[i]);
        expect_span(message.table, "1");
        struct buf again = {0};
        ugs_write(&again, &message, &plain_style);
        assert_non_null(strstr(buf_text(&again), payloads[i]));
        buf_free(&document);
        buf_free(&again);
    }
}

static void scattered_payloads_are_joined(void **state) {
    struct hall_message m =
        read_text(*state, "<message type='move'><move x='1' y='2'/> <gameId id='1'/><move  a='&lt;'/><move>x"
                          "</move>\n<move/><!-- <move/> --><move>last</move></message>");
    expect_span(m.payload, "<move x='1' y='2'/><move  a='&lt;'/><move>x</move><move/><move>last</move>");
    m = read_text(*state,
                  "<message type='gameState'><gameState/><nextPlayer nick='a'/><gameState>1</gameState>"
                  "</message>");
    expect_span(m.payload, "<gameState/><gameState>1</gameState>");
    expect_span(m.next, "a");
}

static void only_children_of_the_message_are_payload(void **state) {
    struct hall_message m = read_text(*state, "<message type='move'><x><move>1</move></x></message>");
    assert_int_equal(m.payload.size, 0);
    m = read_text(*state, "<message type='gameState'><move/><nextPlayer nick='a'/></message>");
    assert_int_equal(m.payload.size, 0);
    m = read_text(*state, "<message type='thank you'><gameId id='1'/><move/></message>");
    assert_int_equal(m.payload.size, 0);
    m = read_text(*state, "<message type='move'><move><gameId id='2'/></move></message>");
    assert_false(m.has_table);
}

static void thank_you_has_many_spellings(void **state) {
    const char *const words[] = {"thank you", "thankYou", "thank_you", "THANK YOU", "thankyou", "Thank_You"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct buf document = {0};
        buf_printf(&document, "<message type=\"%s\" />", words[i]);
        struct hall_message m = read_text(*state, buf_text(&document));
        assert_int_equal(m.type, HALL_THANK_YOU);
        assert_false(m.has_table);
        buf_free(&document);
    }
}

static void losers_may_be_loosers(void **state) {
    struct hall_message m = read_text(
        *state, "<message type='gameState'><gameOver><player nick='a' result='looser' won='3'/>"
                "<player nick='b' result='Winner'/><player result='LOSER' nick='c'/><player nick='d'/>"
                "<player nick='e' result='half &amp; half'/></gameOver><gameState/></message>");
    const char *const results[] = {"loser", "winner", "loser", "", "half & half"};
    assert_true(m.is_over);
    assert_int_equal(m.player_count, 5);
    for (size_t i = 0; i < 5; i++)
        expect_span(m.players[i].result, results[i]);
    assert_int_equal(m.players[0].won, 0);
}

static void an_empty_game_over_is_absent(void **state) {
    struct hall_message m = read_text(
        *state, "<message type='gameState'><gameOver /><nextPlayer nick='a'/><gameState/></message>");
    assert_false(m.is_over);
    assert_true(m.has_next);
    m = read_text(*state,
                  "<message type='gameState'><gameOver> <x/> </gameOver><player nick='x'/></message>");
    assert_false(m.is_over);
    assert_false(m.has_next);
    assert_int_equal(m.player_count, 0);
    m = read_text(*state, "<message type='gameState'><gameOver><player nick='a' result='winner'/></gameOver>"
                          "<nextPlayer nick='a'/></message>");
    assert_true(m.is_over);
    assert_true(m.has_next);
}

static void error_ids_stand_beside_or_inside_the_response(void **state) {
    static const struct {
        const char *content;
        int expected;
    } cases[] = {
        {"<response accept='yes'/>", 0},
        {"<response accept=' YES '/>", 0},
        {"<response accept='no'/><error id='3'/>", 3},
        {"<error id='3'/><response accept='no'/>", 3},
        {"<response accept='no'><error id=' 4 '/></response>", 4},
        {"<response accept='no'/><error id='6'/>", 6},
        {"<response accept='yes'/><error id='2'/>", 0},
        {"<response accept='no'/>", UGS_LOGIN_UNSAID},
        {"<response accept='no'/><error/>", UGS_LOGIN_UNSAID},
        {"<response accept='no'/><error id='0'/>", UGS_LOGIN_UNSAID},
        {"<response accept='no'/><error id='none'/>", UGS_LOGIN_UNSAID},
        {"<response accept='no'/><error id='99999999999999999999'/>", UGS_LOGIN_UNSAID},
        {"<response/>", UGS_LOGIN_UNSAID},
        {"", UGS_LOGIN_UNSAID},
        {"<other><error id='3'/></other><response accept='no'/>", UGS_LOGIN_UNSAID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf document = {0};
        buf_printf(&document, "<message type='loginResponse'>%s</message>", cases[i].content);
        struct hall_message m = read_text(*state, buf_text(&document));
        assert_int_equal(m.login_error, cases[i].expected);
        buf_free(&document);
    }
}

static void missing_and_extra_things_are_no_reason_to_refuse(void **state) {
    struct hall_message m = read_text(*state, "<message type='move'><move/></message>");
    assert_false(m.has_table);
    m = read_text(*state, "<message type='move'><gameId/><move/><gameId id=''/></message>");
    assert_true(m.has_table);
    assert_int_equal(m.table.size, 0);
    m = read_text(*state, "<message type='playerLogin'/>");
    assert_int_equal(m.nick.size + m.game_type.size, 0);
    m = read_text(*state, "<message a='1' type='playerLogin' b='2'>text<x y='z'><playerLogin nick='no'/></x>"
                          "<playerLogin  gameType = 'g'  extra='' nick='n'>text</playerLogin></message>");
    expect_span(m.nick, "n");
    expect_span(m.game_type, "g");
    m = read_text(*state, "<message type='playerLeftGame'><gameId id='1'/><player nick='n'/></message>");
    expect_span(m.nick, "n");
    expect_span(m.table, "1");
    m = read_text(*state, "<message type='beginGame'><player result='winner' lost='1' won='2' nick='n'/>"
                          "<gameId id='1'/></message>");
    assert_int_equal(m.player_count, 1);
    assert_int_equal(m.players[0].result.size, 0);
    assert_int_equal(m.players[0].won + m.players[0].lost, 0);
    m = read_text(*state, "<!-- c --><?xml-stylesheet?><message type='logout'><x/></message> <!-- c --> ");
    assert_int_equal(m.type, HALL_LOGOUT);
}

static void player_numbers_that_make_no_sense_are_minus_one(void **state) {
    static const struct {
        const char *attributes;
        int64_t min, max;
    } cases[] = {
        {"playersMin='2' playersMax='2'", 2, 2},
        {"playersMin=' 2 ' playersMax='+10'", 2, 10},
        {"", -1, -1},
        {"playersMin='two' playersMax=''", -1, -1},
        {"playersMin='2.0' playersMax='0x2'", -1, -1},
        {"playersMin='-2' playersMax='99999999999999999999'", -1, -1},
        {"playersMin='0' playersMax='9223372036854775807'", 0, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf document = {0};
        buf_printf(&document,
                   "<message type='gameMasterLogin'><gameMasterLogin id='m' gameType='g' %s/></message>",
                   cases[i].attributes);
        struct hall_message m = read_text(*state, buf_text(&document));
        assert_true(m.players_min == cases[i].min);
        assert_true(m.players_max == cases[i].max);
        buf_free(&document);
    }
}

static void entities_in_names_are_decoded(void **state) {
    struct hall_message m = read_text(
        *state, "<message type=\"playerLogin\"><playerLogin nick='&amp;&lt;&gt;&quot;&apos;&#65;&#x42;\u00e9'"
                " gameType=\"it's\"/></message>");
    expect_span(m.nick, "&<>\"'AB\u00e9");
    expect_span(m.game_type, "it's");
    m = read_text(*state, "<message type='error'>a&lt;b<![CDATA[<c>&amp;]]>\r\n<x>d</x></message>");
    expect_span(m.text, "a<b<c>&amp;\nd");
}

static void encodings_other_than_utf8_are_refused(void **state) {
    const char *const good[] = {"", " encoding='UTF-8'", " encoding=\"utf-8\"",
                                " encoding='Utf-8' standalone='yes'"};
    const char *const bad[] = {"ISO-8859-1", "utf-16", "US-ASCII", "windows-1250", "nonsense"};
    struct buf document = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        buf_clear(&document);
        buf_printf(&document, "<?xml version='1.0'%s?><message type='logout'/>", good[i]);
        assert_int_equal(read_text(*state, buf_text(&document)).type, HALL_LOGOUT);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        buf_clear(&document);
        buf_printf(&document, "<?xml version='1.0' encoding='%s'?><message type='logout'/>", bad[i]);
        expect_refused(*state, buf_span(&document), ERR_ENCODING);
        assert_non_null(strstr(ugs_reader_complaint(*state), bad[i]));
    }
    expect_refused(*state, SPAN("\xff\xfe<\0m\0/\0>\0"), ERR_ENCODING);
    expect_refused(*state, SPAN("<\0m\0/\0>\0"), ERR_ENCODING);
    expect_refused(*state, SPAN("\0<\0m\0/\0>"), ERR_ENCODING);
    buf_free(&document);
}

static void doctypes_and_entities_are_refused(void **state) {
    expect_refused(*state, SPAN("<!DOCTYPE message><message type='logout'/>"), ERR_DOCTYPE);
    expect_refused(*state, SPAN("<!DOCTYPE m SYSTEM 'file:///etc/passwd'><message type='logout'/>"),
                   ERR_DOCTYPE);
    expect_refused(*state,
                   SPAN("<?xml version='1.0'?><!DOCTYPE m [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>"
                        "<message type='error'>&b;</message>"),
                   ERR_DOCTYPE);
    expect_refused(*state, SPAN("<message type='error'>&a;</message>"), ERR_MALFORMED);
}

static void unknown_messages_are_told_apart_from_broken_ones(void **state) {
    const char *const unknown[] = {
        "<message/>",
        "<message type='ping'/>",
        "<message type=''/>",
        "<message type='Logout'/>",
        "<message type='thank  you'/>",
        "<protocol><message type='logout'/></protocol>",
        "<Message type='logout'/>",
    };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        expect_refused(*state, span_of(unknown[i]), ERR_UNKNOWN_TYPE);
    struct hall_message m;
    assert_int_equal(ugs_read(*state, SPAN("<message type='ping'/>"), &m), ERR_UNKNOWN_TYPE);
    assert_string_equal(ugs_reader_complaint(*state), "the type is 'ping'");
}

static void long_words_are_cut_in_complaints(void **state) {
    struct buf document = {0};
    buf_append_text(&document, "<message type='");
    for (int i = 0; i < 1000; i++)
        buf_append_text(&document, "\u2654");
    buf_append_text(&document, "'/>");
    expect_refused(*state, buf_span(&document), ERR_UNKNOWN_TYPE);
    const char *complaint = ugs_reader_complaint(*state);
    assert_true(strlen(complaint) < 100);
    assert_string_equal(complaint + strlen(complaint) - 4, "\u2654'");
    buf_free(&document);
}

static void broken_documents_are_malformed(void **state) {
    static const struct span broken[] = {
        {"", 0},
        {" ", 1},
        {"<message type='logout'>", 23},
        {"<message type='logout'></massage>", 33},
        {"<message type='logout'/><message type='logout'/>", 48},
        {"<message type='logout' type='move'/>", 36},
        {"<message type=logout/>", 22},
        {"<message type='error'>\xff</message>", 33},
        {"<message type='error'>\xc0\xaf</message>", 34},
        {"<message type='error'>\xed\xa0\x80</message>", 35},
        {"<message type='error'>a\0b</message>", 35},
        {"<message type='error'>&#0;</message>", 36},
        {"<message type='error'>a & b</message>", 37},
        {"<message type='error'>a < b</message>", 37},
        {" <?xml version='1.0'?><message type='logout'/>", 46},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refused(*state, broken[i], ERR_MALFORMED);
    struct hall_message m;
    assert_int_equal(ugs_read(*state, SPAN("<message type='logout'></massage>"), &m), ERR_MALFORMED);
    assert_string_equal(ugs_reader_complaint(*state), "line 1, column 26: mismatched tag");
}

/* The paper on Paper Soccer has typing errors in its samples; they are no dialect. */
static void the_broken_samples_of_the_paper_are_malformed(void **state) {
    expect_refused(*state,
                   SPAN("<message type='move'><gameId id='1'/><move><point x='0 y='1'/></move></message>"),
                   ERR_MALFORMED);
    expect_refused(*state,
                   SPAN("<message type='move'><gameId id='1'/><move><point x'='-1' y='0'/></move></message>"),
                   ERR_MALFORMED);
}

static void documents_have_a_largest_size(void **state) {
    struct buf document = {0};
    buf_append_text(&document, "<message type='error'>");
    while (document.size < XML_FRAME_BYTES_MAX - 10)
        buf_append_byte(&document, 'x');
    buf_append_text(&document, "</message>");
    assert_int_equal(document.size, XML_FRAME_BYTES_MAX);
    struct hall_message m = read_text(*state, buf_text(&document));
    assert_int_equal(m.text.size, XML_FRAME_BYTES_MAX - 32);
    buf_append_byte(&document, ' ');
    expect_refused(*state, buf_span(&document), ERR_TOO_LARGE);
    buf_free(&document);
}

static void many_players_fit(void **state) {
    struct buf document = {0};
    buf_append_text(&document, "<message type='championsList'>");
    for (int i = 0; i < 5000; i++)
        buf_printf(&document, "<player nick='p%d' won='%d' lost='x'/>", i, 5000 - i);
    buf_append_text(&document, "</message>");
    struct hall_message m = read_text(*state, buf_text(&document));
    assert_int_equal(m.player_count, 5000);
    for (int i = 0; i < 5000; i++) {
        char nick[16];
        snprintf(nick, sizeof nick, "p%d", i);
        expect_span(m.players[i].nick, nick);
        assert_int_equal(m.players[i].won, 5000 - i);
        assert_int_equal(m.players[i].lost, 0);
    }
    buf_free(&document);
}

/* The points of a payload, read strictly or not, in a message of the type of its first element. */
static struct hall_message points_of(const char *payload, bool lenient) {
    static struct ugs_reader *readers[2];
    struct buf document = {0};
    if (readers[lenient] == NULL)
        readers[lenient] = ugs_reader_create(lenient);
    bool is_move = strncmp(payload, "<gameState", 10) != 0;
    buf_printf(&document, "<message type='%s'>text %s text</message>", is_move ? "move" : "gameState",
               payload);
    struct hall_message m = read_text(readers[lenient], buf_text(&document));
    buf_free(&document);
    return m;
}

static void expect_points(const char *payload, bool lenient, const char *expected) {
    struct hall_message m = points_of(payload, lenient);
    assert_string_equal(err_word(m.unread), "ok");
    struct buf text = {0};
    for (size_t i = 0; i < m.point_count; i++)
        buf_printf(&text, "%d,%d;", m.points[i].x, m.points[i].y);
    assert_string_equal(buf_text(&text), expected);
    buf_free(&text);
}

static void expect_no_points(const char *payload, bool lenient, enum err expected) {
    struct hall_message m = points_of(payload, lenient);
    if (m.unread != expected)
        print_error("%s\n", payload);
    assert_string_equal(game_refusal(&paper_soccer_game, m.unread)->word,
                        game_refusal(&paper_soccer_game, expected)->word);
    assert_int_equal(m.point_count, 0);
    expect_span(m.payload, payload); /* for a master that knows better */
}

static void points_are_read(void **unused) {
    (void)unused;
    static const struct {
        const char *payload, *expected;
    } cases[] = {
        {"", ""},
        {"<move/>", ""},
        {"<gameState></gameState>", ""},
        {"<gameState><point x='0' y='1'/></gameState>", "0,1;"},
        {"<move><point x='0' y='1'/><point x=\"-1\" y=\"+2\"></point></move>", "0,1;-1,2;"},
        {"<move>\r\n <!-- c --><?p?><point z='9' y=' 007 ' x='\t-0\n'> <!-- c --> </point>\n</move>\n",
         "0,7;"},
        {"<move a='b' x='5' y='5'><point x='2147483647' y='-2147483648'/></move>", "2147483647,-2147483648;"},
        {"<move><point x='&#49;' y='1'/><![CDATA[ ]]></move>", "1,1;"},
        {"<point x='1' y='1'/>", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_points(cases[i].payload, false, cases[i].expected);
}

static void points_that_cannot_be_read_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *payload;
        enum err expected;
    } cases[] = {
        {"<move><point x='1'/></move>", ERR_FIELD_MISSING},
        {"<move><point y='1'/></move>", ERR_FIELD_MISSING},
        {"<move><point/></move>", ERR_FIELD_MISSING},
        {"<move><point x='' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='1.0' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='1 1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='- 1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='0x1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='2147483648' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='-2147483649' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='99999999999999999999' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><pint x='1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move><point x='1' y='1'/><x/></move>", ERR_FIELD_INVALID},
        {"<move><point x='1' y='1'>a</point></move>", ERR_FIELD_INVALID},
        {"<move><point x='1' y='1'><point x='1' y='1'/></point></move>", ERR_FIELD_INVALID},
        {"<move>0,1</move>", ERR_FIELD_INVALID},
        {"<move>&#49;</move>", ERR_FIELD_INVALID},
        {"<move><move><point x='1' y='1'/></move></move>", ERR_FIELD_INVALID},
        {"<move><move x='1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move/><move><point x='1' y='1'/></move>", ERR_FIELD_INVALID},
        {"<move x='1' y='1'/><move x='1' y='1'/>", ERR_FIELD_INVALID},
        {"<gameState/><gameState/>", ERR_FIELD_INVALID},
        {"<gameState><point x='1' y='1'/>.</gameState>", ERR_FIELD_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_no_points(cases[i].payload, false, cases[i].expected);
}

static void points_as_moves_are_read_when_asked_for(void **unused) {
    (void)unused;
    expect_points("<move x='0' y='0'/><move x='1' y='-1'></move>", true, "0,0;1,-1;");
    expect_points("<gameState><move x='0' y='0'/><move x='1' y='-1'/></gameState>", true, "0,0;1,-1;");
    expect_points("<move><point x='0' y='0'/></move>", true, "0,0;");
    expect_points("<move/>", true, "");
    expect_no_points("<move x='1'/>", true, ERR_FIELD_MISSING);
    expect_no_points("<move x='1' y='a'/>", true, ERR_FIELD_INVALID);
    expect_no_points("<move x='1' y='1'><point x='1' y='1'/></move>", true, ERR_FIELD_INVALID);
}

/* A whole move, and the starting point. */
static void more_points_than_a_move_has_are_too_many(void **unused) {
    (void)unused;
    struct buf payload = {0};
    buf_append_text(&payload, "<move>");
    for (int i = 0; i < PITCH_MOVE_STEPS_MAX + 1; i++)
        buf_append_text(&payload, "<point x='1' y='1'/>");
    struct buf more = {0};
    buf_printf(&more, "%s<point x='1' y='1'/></move>", buf_text(&payload));
    buf_append_text(&payload, "</move>");
    assert_int_equal(points_of(buf_text(&payload), false).point_count, PITCH_MOVE_STEPS_MAX + 1);
    expect_no_points(buf_text(&more), false, ERR_TOO_LARGE);
    buf_free(&payload);
    buf_free(&more);
}

static void points_stand_beside_the_payload_that_brought_them(void **state) {
    struct hall_message m = read_text(
        *state, "<message type='move'><gameId id='t1'/><move><point x='3' y='-4'/></move></message>");
    assert_int_equal(m.point_count, 1);
    assert_int_equal(m.points[0].x, 3);
    assert_int_equal(m.points[0].y, -4);
    expect_span(m.table, "t1");
    expect_span(m.payload, "<move><point x='3' y='-4'/></move>");
}

static void points_are_written_where_there_is_no_payload(void **unused) {
    (void)unused;
    const struct pitch_point points[] = {{0, 1}, {-4, INT32_MIN}};
    struct buf out = {0};
    struct hall_message m = {.type = HALL_MOVE, .points = points, .point_count = 2};
    ugs_write(&out, &m, &(struct ugs_style){.omits_declaration = true});
    assert_string_equal(buf_text(&out), "<message type=\"move\"><move><point x=\"0\" y=\"1\"/>"
                                        "<point x=\"-4\" y=\"-2147483648\"/></move></message>");
    buf_clear(&out);
    m.payload = SPAN("<move>e4</move>");
    ugs_write(&out, &m, &(struct ugs_style){.omits_declaration = true});
    assert_string_equal(buf_text(&out), "<message type=\"move\"><move>e4</move></message>");
    buf_free(&out);
}

/* Whatever stands in the comment, it is one, and the points can be read. */
static void what_is_wrong_is_a_comment(void **state) {
    const struct pitch_point points[] = {{0, 1}};
    struct buf out = {0};
    ugs_write(
        &out,
        &(struct hall_message){
            .type = HALL_GAME_STATE, .text = SPAN("one--two---three->-"), .points = points, .point_count = 1},
        &(struct ugs_style){.omits_declaration = true});
    assert_string_equal(buf_text(&out), "<message type=\"gameState\"><gameState><point x=\"0\" y=\"1\"/>"
                                        "<!-- one- -two- - -three->- --></gameState></message>");
    assert_int_equal(read_text(*state, buf_text(&out)).point_count, 1);
    buf_free(&out);
}

static void a_reader_recovers_from_every_refusal(void **state) {
    expect_refused(*state, SPAN("<!DOCTYPE a><a/>"), ERR_DOCTYPE);
    assert_int_equal(read_text(*state, "<message type='logout'/>").type, HALL_LOGOUT);
    assert_int_equal(read_text(*state, "<message type='move'><move>x</move></message>").unread,
                     ERR_FIELD_INVALID);
    assert_int_equal(read_text(*state, "<message type='move'><move/></message>").unread, ERR_OK);
    expect_refused(*state, SPAN("<message"), ERR_MALFORMED);
    assert_int_equal(read_text(*state, "<message type='move'><move/></message>").unread, ERR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_written_and_read_back),
        cmocka_unit_test(styles_change_only_the_wrapping),
        cmocka_unit_test(an_empty_payload_is_still_an_element),
        cmocka_unit_test(text_that_xml_forbids_is_replaced),
        cmocka_unit_test(a_thousand_messages_in_any_split),
        cmocka_unit_test(payloads_are_kept_byte_for_byte),
        cmocka_unit_test(scattered_payloads_are_joined),
        cmocka_unit_test(only_children_of_the_message_are_payload),
        cmocka_unit_test(thank_you_has_many_spellings),
        cmocka_unit_test(losers_may_be_loosers),
        cmocka_unit_test(an_empty_game_over_is_absent),
        cmocka_unit_test(error_ids_stand_beside_or_inside_the_response),
        cmocka_unit_test(missing_and_extra_things_are_no_reason_to_refuse),
        cmocka_unit_test(player_numbers_that_make_no_sense_are_minus_one),
        cmocka_unit_test(entities_in_names_are_decoded),
        cmocka_unit_test(encodings_other_than_utf8_are_refused),
        cmocka_unit_test(doctypes_and_entities_are_refused),
        cmocka_unit_test(unknown_messages_are_told_apart_from_broken_ones),
        cmocka_unit_test(long_words_are_cut_in_complaints),
        cmocka_unit_test(broken_documents_are_malformed),
        cmocka_unit_test(the_broken_samples_of_the_paper_are_malformed),
        cmocka_unit_test(documents_have_a_largest_size),
        cmocka_unit_test(many_players_fit),
        cmocka_unit_test(points_are_read),
        cmocka_unit_test(points_that_cannot_be_read_are_refused),
        cmocka_unit_test(points_as_moves_are_read_when_asked_for),
        cmocka_unit_test(more_points_than_a_move_has_are_too_many),
        cmocka_unit_test(points_stand_beside_the_payload_that_brought_them),
        cmocka_unit_test(points_are_written_where_there_is_no_payload),
        cmocka_unit_test(what_is_wrong_is_a_comment),
        cmocka_unit_test(a_reader_recovers_from_every_refusal),
    };
    return cmocka_run_group_tests_name("ugs", tests, reader_setup, reader_teardown);
}
