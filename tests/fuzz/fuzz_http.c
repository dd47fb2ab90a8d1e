/* A stream of requests gives the same answers in whatever pieces it comes, and whether they are given at once
 * or later: every byte that is sent, and the closing. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/rng.h"
#include "wire/http/http.h"

enum piece_size { WHOLE, SINGLE_BYTES, RANDOM };
enum { WAITING_MAX = HTTP_PIPELINE_MAX, STREAM_BYTES_MAX = 4096 };

/* One run: the peer, and the exchanges that wait. */
struct run {
    struct link link;
    struct port *port;
    struct buf sent;
    bool is_closed;
    bool is_held;
    bool is_late; /* some answers come after everything has been received */
    struct http_exchange *waiting[WAITING_MAX];
    struct buf waiting_text[WAITING_MAX];
    size_t waiting_count;
};

static void run_send(struct link *link, struct span bytes) {
    struct run *run = (struct run *)link;
    assert(!run->is_closed && bytes.size > 0);
    buf_append(&run->sent, bytes);
}

static void run_close(struct link *link) {
    struct run *run = (struct run *)link;
    assert(!run->is_closed);
    run->is_closed = true;
}

static void run_hold(struct link *link, bool is_held) {
    struct run *run = (struct run *)link;
    assert(run->is_held != is_held);
    run->is_held = is_held;
}

static const struct link_ops run_ops = {.send = run_send, .close = run_close, .hold = run_hold};

/* Answers with everything that the request says. */
static bool run_take(void *context, const struct http_request *r, struct http_exchange *e, uint64_t now_ms) {
    (void)now_ms;
    struct run *run = context;
    struct buf text = {0};
    assert(r->body.size <= HTTP_BODY_BYTES_MAX && r->path.size > 0 && r->path.size < HTTP_HEADER_BYTES_MAX);
    buf_printf(&text, "%d%d", (int)r->method, r->accepts_gzip);
    struct span parts[] = {r->path,          r->query,  r->content_type, r->authorization,
                           r->websocket_key, r->origin, r->body};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        buf_printf(&text, "[%zu]", parts[i].size);
        buf_append(&text, parts[i]);
    }
    if (run->is_late && r->path.size % 2 == 0) {
        assert(run->waiting_count < WAITING_MAX);
        run->waiting_text[run->waiting_count] = text;
        run->waiting[run->waiting_count++] = e;
        return true;
    }
    http_answer(e, 200, "text/plain", buf_span(&text));
    buf_free(&text);
    return true;
}

static void answer_waiting(struct run *run) {
    while (run->waiting_count > 0) {
        size_t last = --run->waiting_count; /* the last one first, so that the others are waited for */
        struct buf text = run->waiting_text[last];
        http_answer(run->waiting[last], 200, "text/plain", buf_span(&text));
        buf_free(&text);
    }
    run->port->ops->advance(run->port, 0);
}

static int64_t no_wall(void) {
    return 0;
}

static struct buf run_stream(struct span stream, enum piece_size piece_size, bool is_late) {
    struct run run = {.link.ops = &run_ops, .is_late = is_late};
    struct http_port_config config = http_port_config_default();
    config.wall_ms = no_wall;
    struct http_route route = {.context = &run, .take = run_take};
    run.port = http_port_create(&config, &route, 1);
    run.port->ops->opened(run.port, &run.link, 0);
    struct rng rng;
    rng_seed(&rng, stream.size);
    while (stream.size > 0 && !run.is_closed) {
        size_t size = piece_size == WHOLE          ? stream.size
                      : piece_size == SINGLE_BYTES ? 1
                                                   : 1 + rng_below(&rng, 100);
        size = size < stream.size ? size : stream.size;
        run.port->ops->received(run.port, &run.link, span_make(stream.data, size), 0);
        stream = span_make(stream.data + size, stream.size - size);
        while (run.is_held && run.waiting_count > 0)
            answer_waiting(&run);
        assert(!run.is_held || run.is_closed);
    }
    while (run.waiting_count > 0)
        answer_waiting(&run);
    if (!run.is_closed) {
        buf_append_text(&run.sent, "(open)");
        run.port->ops->closed(run.port, &run.link, 0);
    }
    assert(run.port->ops->next_ms(run.port) == UINT64_MAX);
    run.port->ops->free(run.port);
    return run.sent;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span stream = span_make(data, size < STREAM_BYTES_MAX ? size : STREAM_BYTES_MAX);
    struct buf whole = run_stream(stream, WHOLE, false);
    for (int piece_size = WHOLE; piece_size <= RANDOM; piece_size++)
        for (int is_late = 0; is_late <= 1; is_late++) {
            struct buf other = run_stream(stream, (enum piece_size)piece_size, is_late != 0);
            assert(span_equal(buf_span(&whole), buf_span(&other)));
            buf_free(&other);
        }
    buf_free(&whole);
    return 0;
}
