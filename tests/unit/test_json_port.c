/* Lines of JSON: framing in any split, tolerant fields, pings and silence, peers that must wait, one write
 * per event. */
#include "tests.h"

#include "base/mem.h"
#include "base/rng.h"
#include "wire/json/line_frame.h"
#include "wire/json/port.h"

/* All lines of a stream that comes in pieces of this size (0: whole), each with a '|' behind it, and '!' for
 * one that is too long. */
static void expect_lines(struct span stream, size_t piece_size, const char *lines) {
    struct line_frame frame = {0};
    struct buf out = {0};
    while (stream.size > 0) {
        size_t size = piece_size == 0 || piece_size > stream.size ? stream.size : piece_size;
        char *copy = mem_alloc(size);
        memcpy(copy, stream.data, size);
        struct span piece = {copy, size}, line;
        stream = span_make(stream.data + size, stream.size - size);
        for (;;) {
            enum err e = line_frame_next(&frame, &piece, &line);
            if (e == ERR_OK && line.size == 0)
                break;
            if (e == ERR_OK)
                buf_append(&out, line);
            buf_append_byte(&out, e == ERR_OK ? '|' : '!');
        }
        mem_free(copy);
    }
    assert_string_equal(buf_text(&out), lines);
    line_frame_free(&frame);
    buf_free(&out);
}

static void lines_end_with_lf_cr_or_both(void **unused) {
    (void)unused;
    for (size_t size = 0; size < 9; size++) {
        expect_lines(SPAN("a\nbc\r\nd\re\n"), size, "a|bc|d|e|");
        expect_lines(SPAN("\n\r\n  \t\nabc\n\n\ndef\nrest"), size, "abc|def|");
    }
}

static void a_line_that_is_too_long_is_skipped(void **unused) {
    (void)unused;
    struct buf stream = {0};
    buf_append_text(&stream, "a\n");
    for (int i = 0; i <= LINE_FRAME_BYTES_MAX; i++)
        buf_append_byte(&stream, 'x');
    buf_append_text(&stream, "xx\nb\n");
    static const size_t sizes[] = {0, 1, 7, 4096, 65536, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        expect_lines(buf_span(&stream), sizes[i], "a|!b|");
    buf_free(&stream);
}

static enum err read_as(const char *text) {
    char complaint[JSON_COMPLAINT_BYTES_MAX] = "";
    json_t *object;
    enum err e = json_read_object(span_of(text), &object, complaint);
    if (e != ERR_OK) {
        assert_null(object);
        assert_true(strlen(complaint) > 5);
    }
    json_decref(object);
    return e;
}

static void only_one_object_is_a_message(void **unused) {
    (void)unused;
    assert_int_equal(read_as("{}"), ERR_OK);
    assert_int_equal(read_as(" {\"a\": [1, \"\\u00e9\"]} "), ERR_OK);
    assert_int_equal(read_as("\xef\xbb\xbf{\"a\": 1}"), ERR_OK);
    assert_int_equal(read_as("\xef\xbb\xbf"), ERR_MALFORMED);
    assert_int_equal(read_as("\xef\xbb\xbf\xef\xbb\xbf{}"), ERR_MALFORMED);
    assert_int_equal(read_as("[]"), ERR_FIELD_INVALID);
    assert_int_equal(read_as("12"), ERR_FIELD_INVALID);
    assert_int_equal(read_as("{} {}"), ERR_MALFORMED);
    assert_int_equal(read_as("{\"a\":1,\"a\":2}"), ERR_MALFORMED);
    assert_int_equal(read_as("{\"a\":\"\xff\"}"), ERR_MALFORMED);
    assert_int_equal(read_as("{\"a\":\"\\u0000\"}"), ERR_MALFORMED);
    assert_int_equal(read_as("{\"a\":"), ERR_MALFORMED);
    assert_int_equal(read_as("hello"), ERR_MALFORMED);
}

static void nesting_has_a_limit(void **unused) {
    (void)unused;
    struct buf text = {0};
    for (int depth = JSON_DEPTH_MAX - 1; depth <= JSON_DEPTH_MAX; depth++) {
        buf_clear(&text);
        buf_append_text(&text, "{\"not \\\" deep\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\",\"a\":");
        for (int i = 0; i < depth; i++)
            buf_append_byte(&text, '[');
        for (int i = 0; i < depth; i++)
            buf_append_byte(&text, ']');
        buf_append_text(&text, "}");
        assert_int_equal(read_as(buf_text(&text)), depth < JSON_DEPTH_MAX ? ERR_OK : ERR_TOO_DEEP);
    }
    buf_clear(&text);
    for (int i = 0; i < 60000; i++)
        buf_append_byte(&text, '[');
    assert_int_equal(read_as(buf_text(&text)), ERR_TOO_DEEP);
    buf_free(&text);
}

static void numbers_and_flags_may_come_as_text(void **unused) {
    (void)unused;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *o;
    enum err e =
        json_read_object(SPAN("{\"a\":2,\"b\":\" 2 \",\"c\":2.0,\"d\":2.5,\"e\":\"x\",\"f\":null,\"g\":1e300,"
                              "\"h\":true,\"i\":\"FALSE\",\"j\":1,\"k\":[],\"l\":\"-7\"}"),
                         &o, complaint);
    assert_int_equal(e, ERR_OK);
    int64_t n = 0;
    bool flag = false;
    for (const char *name = "abc"; *name != '\0'; name++) {
        char key[2] = {*name, '\0'};
        assert_true(json_int(o, key, &n) && n == 2);
        n = 0;
    }
    assert_true(json_int(o, "l", &n) && n == -7);
    for (const char *name = "defghkz"; *name != '\0'; name++) {
        char key[2] = {*name, '\0'};
        assert_false(json_int(o, key, &n));
    }
    assert_true(json_flag(o, "h", &flag) && flag);
    assert_true(json_flag(o, "i", &flag) && !flag);
    assert_true(json_flag(o, "j", &flag) && flag);
    assert_false(json_flag(o, "a", &flag));
    assert_false(json_flag(o, "e", &flag));
    assert_true(span_is(json_text(o, "e"), "x"));
    assert_null(json_text(o, "a").data);
    assert_false(json_has(o, "f"));
    assert_false(json_has(o, "z"));
    assert_false(json_has(NULL, "a"));
    json_decref(o);
}

/* A port with a dialect that echoes, and links that are memory. */
struct test_link {
    struct link link;
    struct buf sent; /* a '/' before each write */
    bool is_closed, is_held;
    size_t room;       /* for bytes that are sent; 0: any number */
    unsigned messages; /* that it may still say in this turn */
    bool has_share;    /* so many and no more */
};

static struct {
    struct port *port;
    struct peer *last; /* that was opened */
    struct buf events;
    bool is_deaf;
    struct test_link links[2];
} world;

static struct test_link *test_link_of(struct link *link) {
    return (struct test_link *)link;
}

static void link_sends(struct link *link, struct span bytes) {
    assert_false(test_link_of(link)->is_closed);
    buf_append_byte(&test_link_of(link)->sent, '/');
    buf_append(&test_link_of(link)->sent, bytes);
}

static void link_closes(struct link *link) {
    test_link_of(link)->is_closed = true;
}

static void link_holds(struct link *link, bool is_held) {
    test_link_of(link)->is_held = is_held;
}

static bool link_full(const struct link *link) {
    const struct test_link *l = (const struct test_link *)link;
    return l->room > 0 && l->sent.size >= l->room;
}

static void link_hears(struct link *link) {
    if (test_link_of(link)->messages > 0)
        test_link_of(link)->messages--;
}

static bool link_spent(const struct link *link) {
    const struct test_link *l = (const struct test_link *)link;
    return l->has_share && l->messages == 0;
}

static const struct link_ops test_link_ops = {.send = link_sends,
                                              .close = link_closes,
                                              .hold = link_holds,
                                              .is_full = link_full,
                                              .heard = link_hears,
                                              .is_spent = link_spent};

static void on_opened(void *context, struct peer *peer, uint64_t now_ms) {
    (void)context;
    (void)now_ms;
    world.last = peer;
    peer_set_session(peer, &world);
    peer_send(peer, SPAN("\"hello\""));
}

static bool on_may_hear(void *context, const struct peer *peer) {
    (void)context;
    (void)peer;
    return !world.is_deaf;
}

static void on_received(void *context, struct peer *peer, const void *message, uint64_t now_ms) {
    (void)context;
    (void)now_ms;
    assert_ptr_equal(peer_session(peer), &world);
    struct span say = json_text(message, "say");
    peer_send(peer, SPAN("\"first\""));
    if (say.data != NULL)
        peer_send(peer, say);
    if (span_is(say, "deaf"))
        world.is_deaf = true;
    if (span_is(say, "bye"))
        peer_close(peer);
}

static void on_malformed(void *context, struct peer *peer, enum err why, const char *complaint,
                         uint64_t now_ms) {
    (void)context;
    (void)complaint;
    (void)now_ms;
    peer_send(peer, span_of(err_word(why)));
}

static void on_closed(void *context, struct peer *peer, uint64_t now_ms) {
    (void)context;
    (void)peer;
    buf_printf(&world.events, "closed at %d;", (int)now_ms);
}

static void on_free(void *context) {
    (void)context;
    buf_append_text(&world.events, "freed;");
}

static int start(void **unused) {
    (void)unused;
    memset(&world, 0, sizeof world);
    static const struct peer_dialect dialect = {.opened = on_opened,
                                                .may_hear = on_may_hear,
                                                .received = on_received,
                                                .malformed = on_malformed,
                                                .closed = on_closed,
                                                .free = on_free};
    world.port = json_port_create(
        &(struct json_port_config){.ping_first_ms = 1500, .ping_every_ms = 1000, .silence_ms = 4000},
        &dialect);
    for (int i = 0; i < 2; i++)
        world.links[i].link.ops = &test_link_ops;
    return 0;
}

static int stop(void **unused) {
    (void)unused;
    world.port->ops->free(world.port);
    assert_string_equal(buf_text(&world.events) + world.events.size - strlen("freed;"), "freed;");
    buf_free(&world.events);
    for (int i = 0; i < 2; i++)
        buf_free(&world.links[i].sent);
    return 0;
}

static void connect_link(int i, uint64_t now_ms) {
    world.port->ops->opened(world.port, &world.links[i].link, now_ms);
}

static void give(int i, const char *bytes, uint64_t now_ms) {
    world.port->ops->received(world.port, &world.links[i].link, span_of(bytes), now_ms);
}

static void expect_sent(int i, const char *text) {
    assert_string_equal(buf_text(&world.links[i].sent), text);
    buf_clear(&world.links[i].sent);
}

static void all_that_is_said_of_one_event_is_one_write(void **unused) {
    (void)unused;
    connect_link(0, 0);
    expect_sent(0, "/\"hello\"\n");
    give(0, "{\"say\":\"a\"}\r\n{}\n{\"sa", 1);
    expect_sent(0, "/\"first\"\na\n\"first\"\n");
    give(0, "y\":\"b\"}\n", 2);
    expect_sent(0, "/\"first\"\nb\n");
    give(0, "nonsense\n[]\n", 3);
    expect_sent(0, "/malformed\nfield-invalid\n");
}

static void what_a_peer_says_waits_while_it_is_not_heard(void **unused) {
    (void)unused;
    connect_link(0, 0);
    expect_sent(0, "/\"hello\"\n");
    give(0, "{\"say\":\"deaf\"}\n{\"say\":\"b\"}\n{\"say\":\"c\"}\n", 1);
    expect_sent(0, "/\"first\"\ndeaf\n");
    assert_true(world.links[0].is_held);
    give(0, "{\"say\":\"d\"}\n{\"say", 2); /* was read before the link was held */
    expect_sent(0, "");
    peer_resume(world.last, 3); /* still deaf */
    expect_sent(0, "");
    world.is_deaf = false;
    peer_resume(world.last, 4);
    expect_sent(0, "/\"first\"\nb\n\"first\"\nc\n\"first\"\nd\n");
    assert_false(world.links[0].is_held);
    give(0, "\":\"e\"}\n", 5);
    expect_sent(0, "/\"first\"\ne\n");
}

/* Nothing is heard whose answer could not be sent, not even in the middle of a piece; a peer that does not
 * read is as silent as any other. */
static void a_full_link_stops_in_the_middle_of_a_piece(void **unused) {
    (void)unused;
    struct buf bytes = {0};
    size_t turns = 0, answers = 0;
    for (int i = 0; i < 10000; i++)
        buf_append_text(&bytes, "x\n");
    connect_link(0, 0);
    expect_sent(0, "/\"hello\"\n");
    struct test_link *l = &world.links[0];
    l->room = 10000;
    give(0, buf_text(&bytes), 0);
    buf_free(&bytes);
    while (l->sent.size > 0) {
        assert_true(l->sent.size < l->room + 20000);
        for (size_t i = 0; i < l->sent.size; i++)
            answers += l->sent.data[i] == '\n';
        buf_clear(&l->sent);
        assert_true(++turns < 1000);
        world.port->ops->drained(world.port, &l->link, 0);
    }
    assert_true(turns > 5);
    assert_int_equal(answers, 10000);
    assert_false(l->is_held);
    l->room = 1;
    give(0, "x\n", 0);
    give(0, "x\n", 0);
    assert_true(l->is_held);
    for (uint64_t now_ms = 0; now_ms <= 6000; now_ms += 100)
        world.port->ops->advance(world.port, now_ms);
    assert_true(l->is_closed);
}

/* One message a turn, in order, and the end of the stream only after the last. */
static void a_peer_has_its_share_of_a_turn(void **unused) {
    (void)unused;
    connect_link(0, 0);
    expect_sent(0, "/\"hello\"\n");
    struct test_link *l = &world.links[0];
    l->has_share = true;
    l->messages = 1;
    give(0, "{\"say\":\"a\"}\n{\"say\":\"b\"}\n{\"say\":\"c\"}\n{\"say", 1);
    expect_sent(0, "/\"first\"\na\n");
    for (const char *letter = "bc"; *letter != '\0'; letter++) {
        char answer[] = "/\"first\"\n?\n";
        answer[sizeof answer - 3] = *letter;
        l->messages = 1;
        world.port->ops->resumed(world.port, &l->link, 2);
        expect_sent(0, answer);
    }
    l->messages = 1;
    world.port->ops->resumed(world.port, &l->link, 3);
    expect_sent(0, "");
    assert_false(l->is_held);
    give(0, "\":\"d\"}\n", 4);
    expect_sent(0, "/\"first\"\nd\n");
    world.port->ops->finished(world.port, &l->link, 5);
    assert_true(l->is_closed);
}

static void finish(int i, uint64_t now_ms) {
    world.port->ops->finished(world.port, &world.links[i].link, now_ms);
}

static void who_has_said_its_last_word_is_gone_at_once(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"a\"}\n", 1);
    finish(0, 2);
    expect_sent(0, "/\"hello\"\n/\"first\"\na\n");
    assert_true(world.links[0].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 2;");
}

/* Somebody else's request keeps the peer from being heard: that is no answer it could wait for. */
static void who_has_asked_nothing_does_not_wait(void **unused) {
    (void)unused;
    connect_link(0, 0);
    connect_link(1, 0);
    give(1, "{\"say\":\"deaf\"}\n", 1);
    finish(0, 2);
    assert_true(world.links[0].is_closed);
    assert_false(world.links[1].is_closed);
}

static void the_last_word_is_answered_before_the_peer_is_gone(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"deaf\"}\n", 1);
    finish(0, 2);
    peer_resume(world.last, 3); /* still deaf */
    world.port->ops->advance(world.port, 9000);
    assert_false(world.links[0].is_closed);
    buf_clear(&world.links[0].sent);
    peer_send(world.last, SPAN("\"saved\""));
    world.is_deaf = false;
    peer_resume(world.last, 9001);
    expect_sent(0, "/\"saved\"\n");
    assert_true(world.links[0].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 9001;");
}

/* Several lines, of which each but the last keeps the next one waiting. */
static void everything_that_was_said_is_answered_before_the_peer_is_gone(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"deaf\"}\n{\"say\":\"deaf\"}\n{\"say\":\"b\"}\n", 1);
    finish(0, 2);
    for (uint64_t now_ms = 3; now_ms < 5; now_ms++) {
        assert_false(world.links[0].is_closed);
        world.is_deaf = false;
        peer_resume(world.last, now_ms);
    }
    expect_sent(0, "/\"hello\"\n/\"first\"\ndeaf\n/\"first\"\ndeaf\n/\"first\"\nb\n");
    assert_true(world.links[0].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 4;");
}

static void an_answer_that_does_not_come_is_not_waited_for_forever(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"deaf\"}\n", 1);
    finish(0, 2);
    peer_set_silence(world.last, 100, 3);
    world.port->ops->advance(world.port, PEER_FINISH_MS + 1);
    assert_false(world.links[0].is_closed);
    assert_int_equal(world.port->ops->next_ms(world.port), PEER_FINISH_MS + 2);
    world.port->ops->advance(world.port, PEER_FINISH_MS + 2);
    assert_true(world.links[0].is_closed);
    world.is_deaf = false;
    connect_link(1, 0);
    give(1, "{\"say\":\"deaf\"}\n", 1);
    finish(1, 2);
    world.port->ops->advance(world.port, 10 * PEER_FINISH_MS); /* a server that stood still itself */
    assert_false(world.links[1].is_closed);
    world.port->ops->advance(world.port, 10 * PEER_FINISH_MS + 1000);
    assert_true(world.links[1].is_closed);
}

static void who_has_finished_may_be_reset(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"deaf\"}\n", 1);
    finish(0, 2);
    world.port->ops->closed(world.port, &world.links[0].link, 3);
    assert_string_equal(buf_text(&world.events), "closed at 3;");
    assert_int_equal(world.port->ops->next_ms(world.port), UINT64_MAX);
}

static bool is_peer(const struct peer *peer, const void *whom) {
    return peer == whom;
}

static void who_has_finished_makes_way_for_who_comes_back(void **unused) {
    (void)unused;
    connect_link(0, 0);
    struct peer *first = world.last;
    connect_link(1, 0);
    give(0, "{\"say\":\"deaf\"}\n", 1);
    assert_false(peers_release(world.port, is_peer, first, 2)); /* it may say more */
    finish(0, 2);
    assert_false(peers_release(world.port, is_peer, world.last, 3));
    assert_true(peers_release(world.port, is_peer, first, 4));
    assert_true(world.links[0].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 4;");
}

static void peers_are_pinged_and_the_silent_are_gone(void **unused) {
    (void)unused;
    connect_link(0, 0);
    connect_link(1, 0);
    expect_sent(0, "/\"hello\"\n");
    expect_sent(1, "/\"hello\"\n");
    assert_int_equal(world.port->ops->next_ms(world.port), 1500);
    world.port->ops->advance(world.port, 1500);
    expect_sent(0, "/{\"type\":\"ping\"}\n");
    give(1, "{}\n", 2000);
    world.port->ops->advance(world.port, 2500);
    expect_sent(0, "/{\"type\":\"ping\"}\n");
    world.port->ops->advance(world.port, 4000);
    assert_true(world.links[0].is_closed);
    assert_false(world.links[1].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 4000;");
    world.port->ops->advance(world.port, 6000);
    assert_true(world.links[1].is_closed);
    assert_int_equal(world.port->ops->next_ms(world.port), UINT64_MAX);
}

/* Nobody could answer a ping that was not sent: a server that stood still does not hold that against them. */
static void a_server_that_stood_still_hears_the_answers_first(void **unused) {
    (void)unused;
    connect_link(0, 0);
    connect_link(1, 0);
    world.port->ops->advance(world.port, 1500);
    give(0, "{}\n", 1600);
    give(1, "{}\n", 1600);
    world.port->ops->advance(world.port, 60000);
    assert_false(world.links[0].is_closed);
    assert_false(world.links[1].is_closed);
    give(0, "{}\n", 60100);
    world.port->ops->advance(world.port, 61000);
    world.port->ops->advance(world.port, 62499);
    assert_false(world.links[1].is_closed);
    world.port->ops->advance(world.port, 62500);
    assert_true(world.links[1].is_closed);
    assert_false(world.links[0].is_closed);
}

/* Between two pings nobody need say anything, however short the silence may be. */
static void a_silence_shorter_than_the_pings_is_counted_from_them(void **unused) {
    (void)unused;
    connect_link(0, 0);
    peer_set_silence(world.last, 100, 0);
    world.port->ops->advance(world.port, 1500);
    give(0, "{}\n", 1599);
    for (uint64_t now_ms = 1600; now_ms < 2600; now_ms += 50)
        world.port->ops->advance(world.port, now_ms);
    assert_false(world.links[0].is_closed);
    world.port->ops->advance(world.port, 2600);
    assert_true(world.links[0].is_closed);
}

/* Somebody else is in its place: whoever is there says so, whoever is not is gone before its silence is over.
 */
static void who_is_asked_and_does_not_answer_is_gone(void **unused) {
    (void)unused;
    connect_link(0, 0);
    peer_set_silence(world.last, 60000, 0);
    peer_ask(world.last, 100);
    connect_link(1, 0);
    peer_set_silence(world.last, 60000, 0);
    peer_ask(world.last, 100);
    buf_clear(&world.links[0].sent);
    assert_int_equal(world.port->ops->next_ms(world.port), 100); /* not before the next time it is due */
    world.port->ops->advance(world.port, 100);
    expect_sent(0, "/{\"type\":\"ping\"}\n");
    give(1, "{}\n", 200);
    world.port->ops->advance(world.port, 100 + PEER_ASK_MS - 1);
    assert_false(world.links[0].is_closed);
    world.port->ops->advance(world.port, 100 + PEER_ASK_MS);
    assert_true(world.links[0].is_closed);
    assert_string_equal(buf_text(&world.events), "closed at 3100;");
    world.port->ops->advance(world.port, 59999); /* who has answered has all its time */
    assert_false(world.links[1].is_closed);
}

/* What it said before is no answer, and while it is not heard it cannot give one. */
static void who_is_asked_may_be_waiting_to_be_heard(void **unused) {
    (void)unused;
    connect_link(0, 0);
    peer_set_silence(world.last, 60000, 0);
    give(0, "{\"say\":\"deaf\"}\n{\"say\":\"b\"}\n", 1);
    peer_ask(world.last, 100);
    for (uint64_t now_ms = 100; now_ms <= 20000; now_ms += 100)
        world.port->ops->advance(world.port, now_ms);
    assert_false(world.links[0].is_closed);
    world.is_deaf = false;
    peer_resume(world.last, 20000);
    for (uint64_t now_ms = 20000; now_ms <= 20000 + PEER_ASK_MS; now_ms += 100)
        world.port->ops->advance(world.port, now_ms);
    assert_true(world.links[0].is_closed);
}

static void who_has_finished_and_is_asked_is_gone(void **unused) {
    (void)unused;
    connect_link(0, 0);
    give(0, "{\"say\":\"deaf\"}\n", 1);
    finish(0, 2);
    peer_ask(world.last, 100);
    assert_false(world.links[0].is_closed);
    world.port->ops->advance(world.port, 100);
    assert_string_equal(buf_text(&world.events), "closed at 100;");
}

static void a_peer_may_be_closed_while_it_speaks(void **unused) {
    (void)unused;
    connect_link(0, 0);
    buf_clear(&world.links[0].sent);
    give(0, "{\"say\":\"bye\"}\n{\"say\":\"never\"}\n", 1);
    expect_sent(0, "/\"first\"\nbye\n");
    assert_true(world.links[0].is_closed);
    assert_int_equal(world.port->ops->next_ms(world.port), UINT64_MAX);
    connect_link(1, 0);
    world.port->ops->closed(world.port, &world.links[1].link, 9);
    assert_string_equal(buf_text(&world.events), "closed at 9;");
}

static bool on_place(void *context, const struct peer *peer, uint64_t *table, unsigned *seat) {
    (void)context;
    *table = 77;
    *seat = 1;
    return peer == world.last;
}

static int64_t no_time(void) {
    return 0;
}

static bool inspected(void *context, const struct inspector_message *m) {
    struct buf *out = context;
    assert_int_equal(m->seat, 1);
    buf_append_text(out, m->is_incoming ? "<" : ">");
    buf_append(out, m->text);
    buf_append_text(out, m->why == ERR_OK ? "" : err_word(m->why));
    return true;
}

static void the_inspector_sees_both_directions_in_order(void **unused) {
    (void)unused;
    struct inspector *inspector = inspector_create(&(struct inspector_config){.wall_ms = no_time});
    struct peer_dialect dialect = {.opened = on_opened,
                                   .received = on_received,
                                   .malformed = on_malformed,
                                   .place = on_place,
                                   .closed = on_closed,
                                   .free = on_free};
    world.port->ops->free(world.port);
    world.port =
        json_port_create(&(struct json_port_config){.inspector = inspector, .protocol = "test"}, &dialect);
    connect_link(1, 0);
    inspector_enable(inspector, 77);
    connect_link(0, 0);
    give(1, "{\"say\":\"elsewhere\"}\n", 1);
    give(0, "{\"say\":\"a\"}\nnonsense\n{\"say\":\"bye\"}\n", 1);
    struct buf seen = {0};
    inspector_read(inspector, 77, 1, inspected, &seen);
    assert_string_equal(buf_text(&seen), ">\"hello\"<{\"say\":\"a\"}>\"first\">a<nonsensemalformed>malformed"
                                         "<{\"say\":\"bye\"}>\"first\">bye");
    buf_free(&seen);
    inspector_free(inspector);
}

static void at_the_end_all_are_closed(void **unused) {
    (void)unused;
    connect_link(0, 0);
    connect_link(1, 0);
    world.port->ops->shutdown(world.port);
    assert_true(world.links[0].is_closed && world.links[1].is_closed);
}

#define PORT_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_with_lf_cr_or_both),
        cmocka_unit_test(a_line_that_is_too_long_is_skipped),
        cmocka_unit_test(only_one_object_is_a_message),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(numbers_and_flags_may_come_as_text),
        PORT_TEST(all_that_is_said_of_one_event_is_one_write),
        PORT_TEST(what_a_peer_says_waits_while_it_is_not_heard),
        PORT_TEST(a_full_link_stops_in_the_middle_of_a_piece),
        PORT_TEST(a_peer_has_its_share_of_a_turn),
        PORT_TEST(who_has_said_its_last_word_is_gone_at_once),
        PORT_TEST(who_has_asked_nothing_does_not_wait),
        PORT_TEST(the_last_word_is_answered_before_the_peer_is_gone),
        PORT_TEST(everything_that_was_said_is_answered_before_the_peer_is_gone),
        PORT_TEST(an_answer_that_does_not_come_is_not_waited_for_forever),
        PORT_TEST(who_has_finished_may_be_reset),
        PORT_TEST(who_has_finished_makes_way_for_who_comes_back),
        PORT_TEST(peers_are_pinged_and_the_silent_are_gone),
        PORT_TEST(a_server_that_stood_still_hears_the_answers_first),
        PORT_TEST(a_silence_shorter_than_the_pings_is_counted_from_them),
        PORT_TEST(who_is_asked_and_does_not_answer_is_gone),
        PORT_TEST(who_is_asked_may_be_waiting_to_be_heard),
        PORT_TEST(who_has_finished_and_is_asked_is_gone),
        PORT_TEST(a_peer_may_be_closed_while_it_speaks),
        PORT_TEST(the_inspector_sees_both_directions_in_order),
        PORT_TEST(at_the_end_all_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
