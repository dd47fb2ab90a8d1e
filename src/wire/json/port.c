#include "wire/json/port.h"

#include "wire/json/line_frame.h"
#include "wire/json/mend.h"

/* The complaint stays the one about the line as it came. */
static enum err mended_object(struct span line, json_t **out) {
    struct buf mended = {0};
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_mend(line, &mended);
    enum err e = json_read_object(buf_span(&mended), out, complaint);
    buf_free(&mended);
    return e == ERR_OK ? ERR_OK : ERR_MALFORMED;
}

static bool json_line_take(struct peer *peer, struct line_frame *frame, struct span *input, bool mends,
                           uint64_t now_ms) {
    struct span line;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message;
    enum err e = line_frame_next(frame, input, &line);
    if (e == ERR_OK && line.size == 0)
        return false;
    if (e != ERR_OK) {
        peer_malformed(peer, span_make(NULL, 0), e, json_line_too_long.sentence, now_ms);
        return true;
    }
    e = json_read_object(line, &message, complaint);
    if (e == ERR_MALFORMED && mends)
        e = mended_object(line, &message);
    if (e == ERR_OK)
        peer_received(peer, message, line, now_ms);
    else
        peer_malformed(peer, line, e, complaint, now_ms);
    json_decref(message);
    return true;
}

static bool json_line_take_strict(struct peer *peer, void *frame, struct span *input, uint64_t now_ms) {
    return json_line_take(peer, frame, input, false, now_ms);
}

static bool json_line_take_mended(struct peer *peer, void *frame, struct span *input, uint64_t now_ms) {
    return json_line_take(peer, frame, input, true, now_ms);
}

static void line_release(void *frame) {
    line_frame_free(frame);
}

static size_t line_kept_bytes(const void *frame) {
    return ((const struct line_frame *)frame)->partial.capacity;
}

static void line_ping(struct buf *out) {
    buf_append_text(out, "{\"type\":\"ping\"}");
}

#define LINE_FRAMING(TAKE)                                                                                   \
    {                                                                                                        \
        .frame_bytes = sizeof(struct line_frame), .take = TAKE, .release = line_release,                     \
        .kept_bytes = line_kept_bytes, .ping = line_ping, .end = {"\n", 1},                                  \
    }
static const struct peer_framing line_framing = LINE_FRAMING(json_line_take_strict);
static const struct peer_framing line_framing_mended = LINE_FRAMING(json_line_take_mended);

struct peers_config json_peers_config(const struct json_port_config *config) {
    return (struct peers_config){.framing = config->mends_lines ? &line_framing_mended : &line_framing,
                                 .ping_first_ms = config->ping_first_ms,
                                 .ping_every_ms = config->ping_every_ms,
                                 .silence_ms = config->silence_ms,
                                 .inspector = config->inspector,
                                 .protocol = config->protocol};
}

struct port *json_port_create(const struct json_port_config *config, const struct peer_dialect *dialect) {
    const struct peers_config peers = json_peers_config(config);
    return peers_create(&peers, dialect);
}

void json_peer_send_lines(struct peer *peer, struct span lines) {
    while (lines.size > 0) {
        const char *end = memchr(lines.data, '\n', lines.size);
        size_t size = end == NULL ? lines.size : (size_t)(end - lines.data);
        size_t taken = size + (end != NULL);
        peer_send(peer, span_make(lines.data, size));
        lines = span_make(lines.data + taken, lines.size - taken);
    }
}
