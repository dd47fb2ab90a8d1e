#include "wire/http/chunks.h"

enum { SIZE_DIGITS_MAX = 8 };

enum state {
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    TRAILER_START,
    TRAILER,
    TRAILER_LF,
    LAST_LF,
    DONE,
};

static int digit_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool http_chunks_is_text(char c) {
    return (unsigned char)c >= ' ' ? c != 0x7f : c == '\t';
}

static enum err extra_take(struct http_chunks *c, char byte) {
    if (!http_chunks_is_text(byte))
        return ERR_MALFORMED;
    return ++c->extra_bytes > HTTP_CHUNKS_EXTRA_BYTES_MAX ? ERR_TOO_LARGE : ERR_OK;
}

static enum err size_take(struct http_chunks *c, char byte) {
    int value = digit_value(byte);
    if (value >= 0) {
        c->left = c->left * 16 + (unsigned)value;
        return ++c->digit_count > SIZE_DIGITS_MAX ? ERR_TOO_LARGE : ERR_OK;
    }
    if (c->digit_count == 0)
        return ERR_MALFORMED;
    c->state = byte == '\r' ? CHUNK_SIZE_LF : CHUNK_EXTENSION;
    return byte == '\r' || byte == ';' || byte == ' ' || byte == '\t' ? ERR_OK : ERR_MALFORMED;
}

/* Goes on to the next state if the byte is the one that must come. */
static enum err must_be(struct http_chunks *c, char byte, char wanted, enum state next) {
    c->state = (uint8_t)next;
    return byte == wanted ? ERR_OK : ERR_MALFORMED;
}

/* Everything but data. */
static enum err framing_take(struct http_chunks *c, char byte) {
    switch ((enum state)c->state) {
    case CHUNK_SIZE: return size_take(c, byte);
    case CHUNK_EXTENSION:
        if (byte != '\r')
            return extra_take(c, byte);
        c->state = CHUNK_SIZE_LF;
        return ERR_OK;
    case CHUNK_SIZE_LF: return must_be(c, byte, '\n', c->left > 0 ? CHUNK_DATA : TRAILER_START);
    case CHUNK_DATA_CR: return must_be(c, byte, '\r', CHUNK_DATA_LF);
    case CHUNK_DATA_LF: c->digit_count = 0; return must_be(c, byte, '\n', CHUNK_SIZE);
    case TRAILER_START:
        c->state = byte == '\r' ? LAST_LF : TRAILER;
        return byte == '\r' ? ERR_OK : extra_take(c, byte);
    case TRAILER:
        if (byte != '\r')
            return extra_take(c, byte);
        c->state = TRAILER_LF;
        return ERR_OK;
    case TRAILER_LF: return must_be(c, byte, '\n', TRAILER_START);
    case LAST_LF: return must_be(c, byte, '\n', DONE);
    case CHUNK_DATA:
    case DONE: break;
    }
    return ERR_MALFORMED;
}

static void data_take(struct http_chunks *c, struct span *input, struct buf *body) {
    size_t size = input->size < c->left ? input->size : (size_t)c->left;
    buf_append(body, span_make(input->data, size));
    *input = span_make(input->data + size, input->size - size);
    c->left -= size;
    if (c->left == 0)
        c->state = CHUNK_DATA_CR;
}

enum err http_chunks_read(struct http_chunks *c, struct span *input, struct buf *body, size_t body_bytes_max,
                          bool *is_done) {
    *is_done = false;
    while (input->size > 0 && !*is_done) {
        if (c->state == CHUNK_DATA) {
            data_take(c, input, body);
            continue;
        }
        enum err e = framing_take(c, input->data[0]);
        if (e != ERR_OK)
            return e;
        *input = span_make(input->data + 1, input->size - 1);
        if (c->state == CHUNK_DATA && c->left > body_bytes_max - body->size)
            return ERR_TOO_LARGE;
        *is_done = c->state == DONE;
    }
    return ERR_OK;
}
