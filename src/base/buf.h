/* A growing run of bytes: output before it is sent, input before it is a whole message. It has a ceiling from
 * birth: what does not fit under it is not appended, nothing after it either, and buf_is_over says so until
 * the buffer is emptied. So nobody can make it grow without a bound, and a message is never sent with a hole
 * in it. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/span.h"

enum { BUF_BYTES_MAX = 256 * 1024 * 1024 }; /* of a buffer that was given no other ceiling */

struct buf {
    char *data;
    size_t size;
    size_t capacity;
    size_t bytes_max; /* 0: BUF_BYTES_MAX */
    bool is_over;
};

/* A zeroed struct buf is an empty buffer, and so is one with nothing but bytes_max. */
void buf_append(struct buf *b, struct span bytes);
void buf_append_text(struct buf *b, const char *text);
void buf_append_byte_slowly(struct buf *b, char byte);
static inline void buf_append_byte(struct buf *b, char byte) {
    bool is_under = b->bytes_max == 0 || b->size < b->bytes_max;
    if (b->size < b->capacity && is_under && !b->is_over)
        b->data[b->size++] = byte;
    else
        buf_append_byte_slowly(b, byte);
}
void buf_append_int(struct buf *b, int64_t value);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for at least this many further bytes; after it that many appends do not move the data. False,
 * and the buffer is over, when they would not fit under the ceiling. */
bool buf_reserve_slowly(struct buf *b, size_t more);
static inline bool buf_reserve(struct buf *b, size_t more) {
    bool is_under = b->bytes_max == 0 || more <= b->bytes_max - b->size;
    return (b->capacity - b->size >= more && is_under && !b->is_over) || buf_reserve_slowly(b, more);
}

/* Something was not appended because of the ceiling: what is there is not whole. */
static inline bool buf_is_over(const struct buf *b) {
    return b->is_over;
}

/* Writes a number in digits, without a NUL; returns how many characters it has. */
enum { INT_TEXT_BYTES = 24 };
size_t int_format(int64_t value, char text[INT_TEXT_BYTES]);

/* Removes bytes at the front. */
void buf_consume(struct buf *b, size_t size);

/* Empties it and keeps the memory. */
static inline void buf_clear(struct buf *b) {
    b->size = 0;
    b->is_over = false;
}

/* Empties it and gives the memory back; the ceiling stays. */
void buf_free(struct buf *b);

/* The content, valid until the next change; nothing when it is not whole. */
static inline struct span buf_span(const struct buf *b) {
    return (struct span){b->data, b->is_over ? 0 : b->size};
}

/* The content as a terminated string, valid until the next change. */
const char *buf_text(struct buf *b);

#endif
