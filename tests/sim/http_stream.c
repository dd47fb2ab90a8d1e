#include "http_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    LENGTH_16 = 126,
    LENGTH_64 = 127,
    HEAD_BYTES_MAX = 8192,
};

void http_stream_add(struct http_stream *s, struct span bytes) {
    buf_append(&s->bytes, bytes);
}

void http_stream_free(struct http_stream *s) {
    buf_free(&s->bytes);
    *s = (struct http_stream){0};
}

static enum http_piece answer_next(struct http_stream *s, int *status, struct buf *body) {
    const char *end = memmem(s->bytes.data, s->bytes.size, "\r\n\r\n", 4);
    char head[HEAD_BYTES_MAX];
    if (end == NULL)
        return HTTP_PIECE_NONE;
    size_t head_size = (size_t)(end - s->bytes.data) + 4, length = 0;
    if (head_size >= sizeof head)
        return HTTP_PIECE_BROKEN;
    memcpy(head, s->bytes.data, head_size);
    head[head_size] = '\0';
    if (sscanf(head, "HTTP/1.1 %d ", status) != 1)
        return HTTP_PIECE_BROKEN;
    const char *field = strcasestr(head, "\r\nContent-Length:");
    if (field != NULL)
        length = strtoul(field + strlen("\r\nContent-Length:"), NULL, 10);
    if (s->bytes.size < head_size + length)
        return HTTP_PIECE_NONE;
    buf_append(body, span_make(s->bytes.data + head_size, length));
    buf_consume(&s->bytes, head_size + length);
    s->is_socket = *status == 101;
    return HTTP_PIECE_ANSWER;
}

static enum http_piece frame_next(struct http_stream *s, struct buf *body) {
    const uint8_t *b = (const uint8_t *)s->bytes.data;
    if (s->bytes.size < 2)
        return HTTP_PIECE_NONE;
    size_t head = 2, length = b[1] & 0x7f;
    unsigned opcode = b[0] & 0x0f, more = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
    if ((b[0] & 0x80) == 0 || (b[1] & 0x80) != 0)
        return HTTP_PIECE_BROKEN;
    if (s->bytes.size < head + more)
        return HTTP_PIECE_NONE;
    if (more > 0)
        length = 0;
    for (unsigned i = 0; i < more; i++)
        length = length << 8 | b[head + i];
    head += more;
    if (s->bytes.size < head + length)
        return HTTP_PIECE_NONE;
    buf_append(body, span_make(s->bytes.data + head, length));
    buf_consume(&s->bytes, head + length);
    switch (opcode) {
    case HTTP_OPCODE_TEXT: return HTTP_PIECE_MESSAGE;
    case OPCODE_PING: return HTTP_PIECE_PING;
    case HTTP_OPCODE_PONG: return HTTP_PIECE_PONG;
    case OPCODE_CLOSE: return HTTP_PIECE_CLOSE;
    default: return HTTP_PIECE_BROKEN;
    }
}

enum http_piece http_stream_next(struct http_stream *s, int *status, struct buf *body) {
    buf_clear(body);
    *status = 0;
    if (s->bytes.size == 0)
        return HTTP_PIECE_NONE;
    return s->is_socket ? frame_next(s, body) : answer_next(s, status, body);
}

void http_frame_write(struct buf *out, enum http_opcode opcode, struct span text) {
    static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};
    buf_append_byte(out, (char)(0x80 | opcode));
    if (text.size < LENGTH_16) {
        buf_append_byte(out, (char)(0x80 | text.size));
    } else {
        buf_append_byte(out, (char)(0x80 | LENGTH_16));
        buf_append_byte(out, (char)(text.size >> 8));
        buf_append_byte(out, (char)(text.size & 0xff));
    }
    buf_append(out, span_make((const char *)mask, sizeof mask));
    for (size_t i = 0; i < text.size; i++)
        buf_append_byte(out, (char)((uint8_t)text.data[i] ^ mask[i % sizeof mask]));
}
