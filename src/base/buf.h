/* A growing run of bytes: output before it is sent, input before it is a whole message. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/span.h"

struct buf {
    char *data;
    size_t size;
    size_t capacity;
};

/* A zeroed struct buf is an empty buffer. */
void buf_append(struct buf *b, struct span bytes);
void buf_append_text(struct buf *b, const char *text);
void buf_append_byte(struct buf *b, char byte);
void buf_append_int(struct buf *b, int64_t value);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for at least this many further bytes; after it that many appends do not move the data. */
void buf_reserve(struct buf *b, size_t more);

/* Removes bytes at the front. */
void buf_consume(struct buf *b, size_t size);

/* Empties it and keeps the memory. */
static inline void buf_clear(struct buf *b) {
    b->size = 0;
}

/* Empties it and gives the memory back. */
void buf_free(struct buf *b);

/* The content, valid until the next change. */
static inline struct span buf_span(const struct buf *b) {
    return (struct span){b->data, b->size};
}

/* The content as a terminated string, valid until the next change. */
const char *buf_text(struct buf *b);

#endif
