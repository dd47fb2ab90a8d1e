/* WebSocket framing: what goes in byte by byte comes out as messages, and what is wrong is answered with the
 * right closing code. */
#include "tests.h"

#include "base/buf.h"
#include "base/mem.h"
#include "wire/http/websocket.h"

#include <stdio.h>

struct stage {
    struct websocket *ws;
    struct websocket_spare spare;
    struct buf sent;
    struct buf messages; /* each with a bar behind it */
    bool closes_on_message;
    bool sends_much;
    size_t room; /* for bytes that are sent; 0: any number */
};

static struct stage stage;

enum { MUCH_BYTES = 5000 };
static char much[MUCH_BYTES];

static void on_send(void *context, struct span bytes) {
    assert_ptr_equal(context, &stage);
    buf_append(&stage.sent, bytes);
}

static void on_message(void *context, struct span text) {
    assert_ptr_equal(context, &stage);
    buf_append(&stage.messages, text);
    buf_append_byte(&stage.messages, '|');
    if (stage.closes_on_message)
        websocket_close(stage.ws, WEBSOCKET_GOING_AWAY, "bye");
    else
        websocket_send(stage.ws, stage.sends_much ? span_make(much, sizeof much) : SPAN("ok"));
}

static bool on_full(void *context) {
    assert_ptr_equal(context, &stage);
    return stage.room > 0 && stage.sent.size >= stage.room;
}

static int setup(void **state) {
    (void)state;
    stage = (struct stage){0};
    stage.ws =
        websocket_create(&(struct websocket_output){&stage, on_send, on_message, on_full}, &stage.spare);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    websocket_free(stage.ws);
    websocket_spare_free(&stage.spare);
    buf_free(&stage.sent);
    buf_free(&stage.messages);
    return 0;
}

/* A frame as a client sends it, masked. */
static void frame(struct buf *out, uint8_t first, struct span payload) {
    static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};
    buf_append_byte(out, (char)first);
    if (payload.size < 126) {
        buf_append_byte(out, (char)(0x80 | payload.size));
    } else if (payload.size < 65536) {
        buf_append_byte(out, (char)(0x80 | 126));
        buf_append_byte(out, (char)(payload.size >> 8));
        buf_append_byte(out, (char)payload.size);
    } else {
        buf_append_byte(out, (char)(0x80 | 127));
        for (int i = 7; i >= 0; i--)
            buf_append_byte(out, (char)((uint64_t)payload.size >> 8 * i));
    }
    buf_append(out, span_make(mask, 4));
    for (size_t i = 0; i < payload.size; i++)
        buf_append_byte(out, (char)((uint8_t)payload.data[i] ^ mask[i % 4]));
}

static void receive(struct buf *bytes) {
    assert_int_equal(websocket_receive(stage.ws, buf_span(bytes)), bytes->size);
    buf_free(bytes);
}

static void say(uint8_t first, struct span payload) {
    struct buf bytes = {0};
    frame(&bytes, first, payload);
    receive(&bytes);
}

static void expect_sent(struct span bytes) {
    assert_int_equal(stage.sent.size, bytes.size);
    assert_memory_equal(stage.sent.data, bytes.data, bytes.size);
    buf_clear(&stage.sent);
}

/* 0: a close without a code. */
static void expect_close(unsigned code) {
    assert_true(stage.sent.size >= (code == 0 ? 2 : 4));
    assert_int_equal((uint8_t)stage.sent.data[0], 0x88);
    assert_int_equal((uint8_t)stage.sent.data[1], code == 0 ? 0 : stage.sent.size - 2);
    if (code != 0)
        assert_int_equal((uint8_t)stage.sent.data[2] << 8 | (uint8_t)stage.sent.data[3], code);
    assert_true(websocket_is_over(stage.ws));
}

static void a_text_is_a_message(void **state) {
    (void)state;
    say(0x81, SPAN("hello"));
    assert_string_equal(buf_text(&stage.messages), "hello|");
    expect_sent(SPAN("\x81\x02ok"));
    assert_false(websocket_is_over(stage.ws));
    say(0x81, SPAN(""));
    assert_string_equal(buf_text(&stage.messages), "hello||");
}

static void any_split_gives_the_same(void **state) {
    (void)state;
    struct buf bytes = {0};
    char large[300];
    memset(large, 'x', sizeof large);
    frame(&bytes, 0x81, SPAN("one"));
    frame(&bytes, 0x01, SPAN("tw"));
    frame(&bytes, 0x89, SPAN("ping"));
    frame(&bytes, 0x80, SPAN("o"));
    frame(&bytes, 0x81, span_make(large, sizeof large));
    for (size_t i = 0; i < bytes.size; i++)
        assert_int_equal(websocket_receive(stage.ws, span_make(bytes.data + i, 1)), 1);
    buf_free(&bytes);
    assert_int_equal(stage.messages.size, 4 + 4 + 301);
    assert_memory_equal(stage.messages.data, "one|two|xxx", 11);
    expect_sent(SPAN("\x81\x02ok\x8a\x04ping\x81\x02ok\x81\x02ok"));
}

static void several_messages_in_one_piece(void **state) {
    (void)state;
    struct buf bytes = {0};
    frame(&bytes, 0x81, SPAN("a"));
    frame(&bytes, 0x81, SPAN("b"));
    receive(&bytes);
    assert_string_equal(buf_text(&stage.messages), "a|b|");
    expect_sent(SPAN("\x81\x02ok\x81\x02ok"));
}

static void the_server_can_speak_first(void **state) {
    (void)state;
    char large[70000];
    memset(large, 'y', sizeof large);
    websocket_send(stage.ws, SPAN("hi"));
    expect_sent(SPAN("\x81\x02hi"));
    websocket_ping(stage.ws);
    expect_sent(SPAN("\x89\x00"));
    websocket_send(stage.ws, span_make(large, sizeof large));
    assert_int_equal(stage.sent.size, sizeof large + 10);
    assert_memory_equal(stage.sent.data, "\x81\x7f\0\0\0\0\0\x01\x11\x70yyy", 13);
}

static void a_close_is_echoed(void **state) {
    (void)state;
    say(0x88, SPAN("\x03\xe8over"));
    expect_close(1000);
    websocket_send(stage.ws, SPAN("too late"));
    expect_sent(SPAN("\x88\x06\x03\xe8over"));
}

static void a_close_of_ours_is_the_last_word(void **state) {
    (void)state;
    stage.closes_on_message = true;
    struct buf bytes = {0};
    frame(&bytes, 0x81, SPAN("a"));
    frame(&bytes, 0x81, SPAN("b"));
    receive(&bytes);
    assert_string_equal(buf_text(&stage.messages), "a|");
    expect_close(1001);
    expect_sent(SPAN("\x88\x05\x03\xe9"
                     "bye"));
}

static void what_breaks_the_protocol_closes(void **state) {
    static const struct {
        uint8_t first;
        struct span payload;
        unsigned code;
    } wrong[] = {
        {0x82, {"bytes", 5}, 1003},  {0x81, {"\xff\xfe", 2}, 1007}, {0x81, {"\xed\xa0\x80", 3}, 1007},
        {0xc1, {"rsv", 3}, 1002},    {0x83, {"what", 4}, 1002},     {0x80, {"go on", 5}, 1002},
        {0x09, {"in pieces", 9}, 0}, {0x88, {"x", 1}, 0},           {0x88, {"\x03\xec", 2}, 1002},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        teardown(state);
        setup(state);
        say(wrong[i].first, wrong[i].payload);
        expect_close(wrong[i].code);
        assert_int_equal(stage.messages.size, 0);
    }
}

static void a_message_has_a_ceiling(void **state) {
    (void)state;
    char large[WEBSOCKET_MESSAGE_BYTES_MAX + 1];
    memset(large, 'z', sizeof large);
    say(0x81, span_make(large, sizeof large - 1));
    assert_int_equal(stage.messages.size, sizeof large);
    buf_clear(&stage.sent);
    say(0x81, span_make(large, sizeof large));
    expect_close(1009);
}

static void so_has_one_in_pieces(void **state) {
    (void)state;
    char large[WEBSOCKET_MESSAGE_BYTES_MAX / 2 + 1];
    memset(large, 'z', sizeof large);
    say(0x01, span_make(large, sizeof large));
    assert_int_equal(stage.sent.size, 0);
    say(0x80, span_make(large, sizeof large));
    expect_close(1009);
    assert_int_equal(stage.messages.size, 0);
}

static void frames_of_a_client_are_masked(void **state) {
    (void)state;
    assert_int_equal(websocket_receive(stage.ws, SPAN("\x81\x02no")), 4);
    expect_close(1002);
    assert_int_equal(stage.messages.size, 0);
}

/* Nothing is read whose answer could not be sent, not even in the middle of a piece. */
static void a_full_link_stops_in_the_middle_of_a_piece(void **state) {
    (void)state;
    struct buf bytes = {0};
    char text[16];
    for (int i = 0; i < 1000; i++)
        frame(&bytes, 0x81, span_make(text, (size_t)snprintf(text, sizeof text, "message%08d", i)));
    stage.sends_much = true;
    stage.room = 2 * WEBSOCKET_SEND_BYTES;
    size_t taken = 0, turns = 0;
    while (taken < bytes.size) {
        taken += websocket_receive(stage.ws, span_make(bytes.data + taken, bytes.size - taken));
        assert_true(stage.sent.size <= stage.room + WEBSOCKET_SEND_BYTES + 2 * MUCH_BYTES);
        buf_clear(&stage.sent);
        assert_true(++turns < 1000);
    }
    assert_true(turns > 10);
    assert_int_equal(stage.messages.size, 1000 * 16);
    assert_non_null(strstr(buf_text(&stage.messages), "|message00000998|message00000999|"));
    buf_free(&bytes);
}

static void the_handshake_has_one_answer(void **state) {
    (void)state;
    char accept[WEBSOCKET_ACCEPT_BYTES];
    assert_true(websocket_accept(SPAN("dGhlIHNhbXBsZSBub25jZQ=="), accept));
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); /* the example of RFC 6455 */
    assert_false(websocket_accept(SPAN(""), accept));
    assert_false(websocket_accept(SPAN("dGhlIHNhbXBsZSBub25jZ"), accept));
    assert_false(websocket_accept(SPAN("dGhlIHNhbXBsZSBub25jZQ!="), accept));
    assert_false(websocket_accept(SPAN("dGhlIHNhbXBsZSBub25jZQdG"), accept));
}

/* Byte by byte, with a fragmented message and a ping in the middle of it: memory is taken while a frame or a
 * message is not whole, and at no other time. */
static void nothing_is_kept_between_messages(void **state) {
    (void)state;
    struct buf bytes = {0};
    size_t ends[5], count = 0;
    websocket_ping(stage.ws); /* makes the spare one, which is for all */
    buf_free(&stage.sent);
    const size_t used = mem_used();
    assert_int_equal(websocket_bytes(stage.ws), 0);
    frame(&bytes, 0x81, SPAN("one"));
    ends[count++] = bytes.size;
    frame(&bytes, 0x89, SPAN("ping"));
    ends[count++] = bytes.size;
    frame(&bytes, 0x01, SPAN("tw"));
    frame(&bytes, 0x89, SPAN(""));
    frame(&bytes, 0x80, SPAN("o"));
    ends[count++] = bytes.size;
    frame(&bytes, 0x81, span_make(much, 300));
    ends[count++] = bytes.size;
    size_t next = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        assert_int_equal(websocket_receive(stage.ws, span_make(bytes.data + i, 1)), 1);
        bool is_between = i + 1 == ends[next];
        next += is_between;
        assert_int_equal(websocket_bytes(stage.ws) == 0, is_between);
        assert_true(websocket_bytes(stage.ws) < 16 * 1024);
    }
    assert_int_equal(next, count);
    buf_free(&bytes);
    buf_free(&stage.sent);
    buf_free(&stage.messages);
    websocket_ping(stage.ws);
    assert_int_equal(websocket_bytes(stage.ws), 0);
    buf_free(&stage.sent);
    assert_int_equal(mem_used(), used);
}

/* What a peer has begun to say is part of the account. */
static void a_message_in_pieces_is_charged(void **state) {
    (void)state;
    static char piece[30000];
    memset(piece, 'x', sizeof piece);
    const size_t used = mem_used();
    say(0x01, span_make(piece, sizeof piece));
    size_t one = websocket_bytes(stage.ws);
    assert_true(one >= sizeof piece && mem_used() >= used + one);
    say(0x00, span_make(piece, sizeof piece));
    assert_true(websocket_bytes(stage.ws) >= one + sizeof piece);
    say(0x80, SPAN(""));
    assert_int_equal(stage.messages.size, 2 * sizeof piece + 1);
    assert_int_equal(websocket_bytes(stage.ws), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_text_is_a_message),
        CASE(any_split_gives_the_same),
        CASE(several_messages_in_one_piece),
        CASE(the_server_can_speak_first),
        CASE(a_close_is_echoed),
        CASE(a_close_of_ours_is_the_last_word),
        CASE(what_breaks_the_protocol_closes),
        CASE(a_message_has_a_ceiling),
        CASE(so_has_one_in_pieces),
        CASE(frames_of_a_client_are_masked),
        CASE(a_full_link_stops_in_the_middle_of_a_piece),
        CASE(the_handshake_has_one_answer),
        CASE(nothing_is_kept_between_messages),
        CASE(a_message_in_pieces_is_charged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
