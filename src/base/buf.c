#include "base/buf.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>

enum { BUF_FIRST_BYTES = 64 };

bool buf_reserve_slowly(struct buf *b, size_t more) {
    size_t bytes_max = b->bytes_max == 0 ? BUF_BYTES_MAX : b->bytes_max;
    b->is_over = b->is_over || more > bytes_max - b->size;
    if (b->is_over)
        return false;
    if (b->capacity - b->size >= more)
        return true;
    size_t capacity = b->capacity == 0 ? BUF_FIRST_BYTES : b->capacity;
    while (capacity - b->size < more)
        capacity *= 2;
    if (capacity > bytes_max) /* so that whatever has room is under the ceiling */
        capacity = bytes_max;
    b->data = mem_resize(b->data, capacity);
    b->capacity = capacity;
    return true;
}

void buf_append(struct buf *b, struct span bytes) {
    if (bytes.size == 0 || !buf_reserve(b, bytes.size))
        return;
    memcpy(b->data + b->size, bytes.data, bytes.size);
    b->size += bytes.size;
}

void buf_append_text(struct buf *b, const char *text) {
    buf_append(b, span_of(text));
}

void buf_append_byte_slowly(struct buf *b, char byte) {
    if (buf_reserve(b, 1))
        b->data[b->size++] = byte;
}

size_t int_format(int64_t value, char text[INT_TEXT_BYTES]) {
    char digits[INT_TEXT_BYTES], *first = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--first = '-';
    size_t size = (size_t)(digits + sizeof digits - first);
    memcpy(text, first, size);
    return size;
}

void buf_append_int(struct buf *b, int64_t value) {
    if (value >= 0 && value < 10) {
        buf_append_byte(b, (char)('0' + value));
        return;
    }
    char text[INT_TEXT_BYTES];
    buf_append(b, span_make(text, int_format(value, text)));
}

void buf_printf(struct buf *b, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size > 0 && buf_reserve(b, (size_t)size + 1)) {
        vsnprintf(b->data + b->size, (size_t)size + 1, format, again);
        b->size += (size_t)size;
    }
    va_end(again);
}

void buf_consume(struct buf *b, size_t size) {
    if (size >= b->size) {
        b->size = 0;
        return;
    }
    memmove(b->data, b->data + size, b->size - size);
    b->size -= size;
}

void buf_free(struct buf *b) {
    mem_free(b->data);
    *b = (struct buf){.bytes_max = b->bytes_max};
}

const char *buf_text(struct buf *b) {
    if (b->is_over)
        return "";
    if (b->capacity == b->size) /* the end of a string is not content: the ceiling does not count it */
        b->data = mem_resize(b->data, ++b->capacity);
    b->data[b->size] = '\0';
    return b->data;
}
