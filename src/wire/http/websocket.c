#include "wire/http/websocket.h"

#include "base/mem.h"

#include <assert.h>
#include <openssl/sha.h>
#include <sodium.h>
#include <wslay/wslay.h>

enum {
    KEY_BYTES = 16,
    KEY_CHARS = 24,
    MASK_BYTES = 4,           /* of every frame of a client */
    CONTEXT_BYTES = 9 * 1024, /* of the library, about */
    REASON_BYTES_MAX = 100,   /* a control frame has room for 123 */
    TEXT_HEAD_BYTES_MAX = 10,
};

/* The library keeps two buffers of 4 KiB in every context, and the message that is being received. So there
 * is a context only while something is on its way: between two messages, with nothing to be sent, it has
 * nothing to remember. One such context is kept for whoever needs the next, because to clear those buffers
 * for every message costs more than the message. Where a frame ends it does not tell, but how long each is;
 * so it is between two frames when it has been given as many bytes as the frames have that it has seen. */
struct frames {
    wslay_event_context_ptr library;
    struct websocket *owner; /* NULL: the spare one */
};

struct websocket {
    struct websocket_output output;
    struct websocket_spare *spare;
    struct frames *frames; /* NULL: at rest */
    uint64_t given;        /* bytes of the peer, to this context */
    uint64_t framed;       /* bytes of all frames that have begun */
    uint64_t message_at;   /* given before the message that is being received */
    size_t charged;        /* for the context and that message */
    bool is_partial;       /* more frames of a message are to come */
    struct span input;     /* what the library has not read yet */
    struct buf out;        /* frames of this turn */
    bool is_reading;       /* the library is not to be entered again */
    bool is_broken;
    bool is_closing; /* we have said our last word, and hear nothing more */
};

static ssize_t take_input(wslay_event_context_ptr library, uint8_t *into, size_t size, int flags,
                          void *context) {
    struct websocket *w = ((struct frames *)context)->owner;
    (void)flags;
    if (w->input.size == 0) {
        wslay_event_set_error(library, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    size = size < w->input.size ? size : w->input.size;
    memcpy(into, w->input.data, size);
    w->input = span_make(w->input.data + size, w->input.size - size);
    return (ssize_t)size;
}

static ssize_t put_output(wslay_event_context_ptr library, const uint8_t *data, size_t size, int flags,
                          void *context) {
    struct websocket *w = ((struct frames *)context)->owner;
    (void)library;
    (void)flags;
    buf_append(&w->out, span_make(data, size));
    return (ssize_t)size;
}

static void take_message(wslay_event_context_ptr library, const struct wslay_event_on_msg_recv_arg *message,
                         void *context) {
    struct websocket *w = ((struct frames *)context)->owner;
    (void)library;
    if (!wslay_is_ctrl_frame(message->opcode))
        w->message_at = w->framed;
    if (w->is_closing)
        return;
    if (message->opcode == WSLAY_TEXT_FRAME)
        w->output.message(w->output.context, span_make(message->msg, message->msg_length));
    else if (message->opcode == WSLAY_BINARY_FRAME)
        websocket_close(w, WEBSOCKET_UNSUPPORTED, "");
}

static void count_frame(wslay_event_context_ptr library,
                        const struct wslay_event_on_frame_recv_start_arg *frame, void *context) {
    struct websocket *w = ((struct frames *)context)->owner;
    uint64_t size = frame->payload_length;
    (void)library;
    w->framed += 2 + (size < 126 ? 0 : size < 65536 ? 2 : 8) + MASK_BYTES + size;
    if (!wslay_is_ctrl_frame(frame->opcode))
        w->is_partial = !frame->fin;
}

/* What it costs now. */
static void http_websocket_charge(struct websocket *w, size_t bytes) {
    mem_charge(bytes);
    mem_credit(w->charged);
    w->charged = bytes;
}

static void frames_open(struct websocket *w) {
    static const struct wslay_event_callbacks callbacks = {.recv_callback = take_input,
                                                           .send_callback = put_output,
                                                           .on_frame_recv_start_callback = count_frame,
                                                           .on_msg_recv_callback = take_message};
    if (w->frames != NULL)
        return;
    w->frames = w->spare->frames;
    w->spare->frames = NULL;
    if (w->frames == NULL) {
        w->frames = mem_alloc(sizeof *w->frames);
        int failed = wslay_event_context_server_init(&w->frames->library, &callbacks, w->frames);
        assert(failed == 0); /* only when memory is gone */
        (void)failed;
        wslay_event_config_set_max_recv_msg_length(w->frames->library, WEBSOCKET_MESSAGE_BYTES_MAX);
    }
    w->frames->owner = w;
    w->given = w->framed = w->message_at = 0;
    http_websocket_charge(w, CONTEXT_BYTES);
}

static void frames_free(struct frames *frames) {
    if (frames != NULL)
        wslay_event_context_free(frames->library);
    mem_free(frames);
}

void websocket_spare_free(struct websocket_spare *spare) {
    frames_free(spare->frames);
    spare->frames = NULL;
}

/* What it remembers goes with it. */
static void frames_close(struct websocket *w) {
    frames_free(w->frames);
    w->frames = NULL;
    http_websocket_charge(w, 0);
}

/* It remembers nothing: the next one who needs a context may have it. */
static void frames_spare(struct websocket *w) {
    if (w->spare->frames != NULL) {
        frames_close(w);
        return;
    }
    w->spare->frames = w->frames;
    w->frames->owner = NULL;
    w->frames = NULL;
    http_websocket_charge(w, 0);
}

/* Lets go of the context if it has nothing to remember. */
static void frames_settle(struct websocket *w) {
    if (w->frames == NULL || w->is_reading || w->is_closing || websocket_is_over(w))
        return;
    bool is_between = w->given == w->framed && !w->is_partial;
    if (is_between && wslay_event_get_read_enabled(w->frames->library) &&
        !wslay_event_want_write(w->frames->library))
        frames_spare(w);
    else
        http_websocket_charge(w, CONTEXT_BYTES + (size_t)(w->given - w->message_at));
}

struct websocket *websocket_create(const struct websocket_output *output, struct websocket_spare *spare) {
    struct websocket *w = mem_alloc(sizeof *w);
    w->output = *output;
    w->spare = spare;
    return w;
}

void websocket_free(struct websocket *w) {
    frames_close(w);
    buf_free(&w->out);
    mem_free(w);
}

size_t websocket_bytes(const struct websocket *w) {
    return w->charged;
}

/* What is queued becomes frames. */
static void http_websocket_gather(struct websocket *w) {
    if (wslay_event_want_write(w->frames->library) && wslay_event_send(w->frames->library) != 0)
        w->is_broken = true;
}

static void send_gathered(struct websocket *w) {
    if (w->out.size > 0)
        w->output.send(w->output.context, buf_span(&w->out));
    buf_free(&w->out);
}

/* Everything that is queued leaves in one piece. */
static void flush(struct websocket *w) {
    if (w->is_reading)
        return;
    if (w->frames != NULL)
        http_websocket_gather(w);
    send_gathered(w);
    frames_settle(w);
}

/* Lets the library read so many bytes, and answer. It does not stop in the middle of what it has been given,
 * so it is given little at a time. */
static void sip(struct websocket *w, struct span bytes) {
    frames_open(w);
    w->input = bytes;
    w->given += bytes.size;
    w->is_reading = true;
    if (wslay_event_want_read(w->frames->library) && wslay_event_recv(w->frames->library) != 0)
        w->is_broken = true;
    w->is_reading = false;
    w->input = SPAN("");
    http_websocket_gather(w);
    if (w->out.size >= WEBSOCKET_SEND_BYTES)
        send_gathered(w);
}

static bool http_websocket_must_wait(const struct websocket *w) {
    return w->output.must_wait != NULL && w->output.must_wait(w->output.context);
}

size_t websocket_receive(struct websocket *w, struct span bytes) {
    size_t taken = 0;
    assert(!w->is_reading);
    while (taken < bytes.size && !websocket_is_over(w) && !http_websocket_must_wait(w)) {
        size_t rest = bytes.size - taken;
        size_t size = rest < WEBSOCKET_SIP_BYTES ? rest : WEBSOCKET_SIP_BYTES;
        sip(w, span_make(bytes.data + taken, size));
        taken += size;
    }
    flush(w);
    return websocket_is_over(w) ? bytes.size : taken;
}

static void queue(struct websocket *w, uint8_t opcode, struct span text) {
    const struct wslay_event_msg message = {opcode, (const uint8_t *)text.data, text.size};
    frames_open(w);
    /* Refused when the connection is closing, and then nobody waits for it. */
    int refused = wslay_event_queue_msg(w->frames->library, &message);
    assert(refused == 0 || refused == WSLAY_ERR_NO_MORE_MSG);
    (void)refused;
    flush(w);
}

/* The head of a whole text message of a server (RFC 6455, 5.2). Returns its size. */
static size_t text_head(uint64_t size, char head[TEXT_HEAD_BYTES_MAX]) {
    unsigned more = size < 126 ? 0 : size < 65536 ? 2 : 8;
    head[0] = (char)(0x80 | WSLAY_TEXT_FRAME);
    head[1] = (char)(more == 0 ? size : more == 2 ? 126 : 127);
    for (unsigned i = 0; i < more; i++)
        head[2 + i] = (char)(size >> (8 * (more - 1 - i)));
    return 2 + more;
}

/* At rest there is nothing that a message could have to wait for, and the library, which would copy it twice,
 * has nothing to add but the head. */
void websocket_send(struct websocket *w, struct span text) {
    char head[TEXT_HEAD_BYTES_MAX];
    if (w->frames != NULL || w->is_broken) {
        queue(w, WSLAY_TEXT_FRAME, text);
        return;
    }
    size_t size = text_head(text.size, head);
    if (!buf_reserve(&w->out, size + text.size))
        return;
    buf_append(&w->out, span_make(head, size));
    buf_append(&w->out, text);
    send_gathered(w);
}

void websocket_ping(struct websocket *w) {
    queue(w, WSLAY_PING, SPAN(""));
}

void websocket_close(struct websocket *w, enum websocket_code code, const char *reason) {
    size_t size = strlen(reason);
    assert(size <= REASON_BYTES_MAX);
    w->is_closing = true;
    frames_open(w);
    wslay_event_queue_close(w->frames->library, (uint16_t)code, (const uint8_t *)reason, size);
    flush(w);
}

bool websocket_is_over(const struct websocket *w) {
    return w->is_broken ||
           (w->frames != NULL && wslay_event_get_close_sent(w->frames->library) && !w->is_reading);
}

bool websocket_accept(struct span key, char accept[WEBSOCKET_ACCEPT_BYTES]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    uint8_t bytes[KEY_BYTES], text[KEY_CHARS + sizeof guid - 1], hash[SHA_DIGEST_LENGTH];
    size_t size;
    if (key.size != KEY_CHARS || sodium_base642bin(bytes, sizeof bytes, key.data, key.size, NULL, &size, NULL,
                                                   sodium_base64_VARIANT_ORIGINAL) != 0)
        return false;
    if (size != KEY_BYTES)
        return false;
    memcpy(text, key.data, KEY_CHARS);
    memcpy(text + KEY_CHARS, guid, sizeof guid - 1);
    SHA1(text, sizeof text, hash);
    sodium_bin2base64(accept, WEBSOCKET_ACCEPT_BYTES, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    return true;
}
