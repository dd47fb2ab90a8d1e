/* Whatever comes as frames: in one piece or in two, the same messages come out; texts are UTF-8 and keep
 * their bound, and nothing is said after a close. */
#include "fuzz.h"

#include "base/utf8.h"
#include "wire/http/websocket.h"

struct run {
    struct websocket *ws;
    struct buf sent, messages;
};

static void on_send(void *context, struct span bytes) {
    struct run *run = context;
    buf_append(&run->sent, bytes);
}

static void on_message(void *context, struct span text) {
    struct run *run = context;
    assert(text.size <= WEBSOCKET_MESSAGE_BYTES_MAX && utf8_is_valid(text));
    buf_append(&run->messages, text);
    buf_append_byte(&run->messages, '\n');
    if (text.size % 3 == 0)
        websocket_send(run->ws, text);
    if (text.size == 7)
        websocket_close(run->ws, WEBSOCKET_GOING_AWAY, "seven");
}

static void receive(struct run *run, const uint8_t *data, size_t size) {
    if (!websocket_is_over(run->ws))
        if (websocket_receive(run->ws, span_make(data, size)) != size)
            abort(); /* only what cannot be sent is not taken */
}

static void end(struct run *run) {
    if (websocket_is_over(run->ws)) {
        size_t size = run->sent.size;
        websocket_send(run->ws, SPAN("too late"));
        assert(run->sent.size == size);
    }
    websocket_free(run->ws);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct run whole = {0}, split = {0};
    size_t at = size == 0 ? 0 : data[0] % size;
    char accept[WEBSOCKET_ACCEPT_BYTES];
    struct websocket_spare spare = {0}; /* of both: what one leaves there may not show at the other */
    whole.ws = websocket_create(&(struct websocket_output){&whole, on_send, on_message, NULL}, &spare);
    split.ws = websocket_create(&(struct websocket_output){&split, on_send, on_message, NULL}, &spare);
    receive(&whole, data, size);
    receive(&split, data, at);
    receive(&split, data + at, size - at);
    assert(span_equal(buf_span(&whole.messages), buf_span(&split.messages)));
    end(&whole);
    end(&split);
    websocket_spare_free(&spare);
    if (websocket_accept(span_make(data, size), accept))
        assert(strlen(accept) == WEBSOCKET_ACCEPT_BYTES - 1);
    buf_free(&whole.sent);
    buf_free(&whole.messages);
    buf_free(&split.sent);
    buf_free(&split.messages);
    return 0;
}
