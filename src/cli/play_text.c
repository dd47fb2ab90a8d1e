#include "cli/play_text.h"

#include "base/utf8.h"

enum { ESCAPE = 0x1b };

/* Ranges of characters that a terminal draws in two columns. */
static const int32_t wide_ranges[][2] = {
    {0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

static size_t character_columns(int32_t c) {
    if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f))
        return 0;
    for (size_t i = 0; i < sizeof wide_ranges / sizeof *wide_ranges; i++)
        if (c >= wide_ranges[i][0] && c <= wide_ranges[i][1])
            return 2;
    return 1;
}

/* Takes the next character off the front, or a whole colour code, and returns its columns. */
static size_t columns_next(struct span *text) {
    if (text->size > 1 && text->data[0] == ESCAPE && text->data[1] == '[') {
        size_t size = 2;
        while (size < text->size && text->data[size] < '@')
            size++;
        size += size < text->size;
        *text = span_make(text->data + size, text->size - size);
        return 0;
    }
    return character_columns(utf8_next(text));
}

size_t text_columns(struct span text) {
    size_t columns = 0;
    while (text.size > 0)
        columns += columns_next(&text);
    return columns;
}

struct span text_line(struct span *text) {
    const char *end = memchr(text->data, '\n', text->size);
    struct span line = span_make(text->data, end == NULL ? text->size : (size_t)(end - text->data));
    size_t used = line.size + (end != NULL);
    *text = span_make(text->data + used, text->size - used);
    return line;
}

size_t text_line_count(struct span text) {
    size_t count = 0;
    for (; text.size > 0; count++)
        text_line(&text);
    return count;
}

/* How many bytes of the line fit: up to its last blank that does, or as many characters as there is room for.
 */
static size_t bytes_that_fit(struct span line, size_t columns) {
    size_t used = 0, size = 0, blank = 0;
    for (struct span rest = line; rest.size > 0;) {
        struct span before = rest;
        used += columns_next(&rest);
        if (before.data[0] == ' ' && size > 0)
            blank = size;
        if (used > columns)
            return blank > 0 ? blank : size;
        size = line.size - rest.size;
    }
    return line.size;
}

static void line_wrap(struct buf *out, struct span line, size_t columns, size_t indent) {
    size_t room = columns;
    while (text_columns(line) > room) {
        size_t size = bytes_that_fit(line, room);
        buf_append(out, span_make(line.data, size));
        buf_append_byte(out, '\n');
        for (size_t i = 0; i < indent; i++)
            buf_append_byte(out, ' ');
        line = span_make(line.data + size, line.size - size);
        while (line.size > 1 && line.data[0] == ' ')
            line = span_make(line.data + 1, line.size - 1);
        room = columns - indent;
    }
    buf_append(out, line);
}

void text_wrap(struct buf *out, struct span text, size_t columns, size_t indent) {
    while (text.size > 0) {
        size_t before = text.size;
        struct span line = text_line(&text);
        line_wrap(out, line, columns, indent);
        if (line.size < before)
            buf_append_byte(out, '\n');
    }
}
