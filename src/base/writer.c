#include "base/writer.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

void writer_init(struct writer *w, enum writer_form form, struct buf *out) {
    *w = (struct writer){.out = out, .form = form};
}

static bool json_is_plain(char letter) {
    unsigned char c = (unsigned char)letter;
    return c >= 0x20 && c != '"' && c != '\\';
}

/* Whether eight letters at once are plain: each of the three is the well-known test for a byte that is 0, or
 * less than a number, in a word. It may only be wrong by saying no. */
static bool json_is_plain_word(const char *letters) {
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    uint64_t word;
    memcpy(&word, letters, sizeof word);
    uint64_t quotes = word ^ (ones * '"'), slashes = word ^ (ones * '\\');
    uint64_t low = (word - ones * 0x20) & ~word;
    return ((low | ((quotes - ones) & ~quotes) | ((slashes - ones) & ~slashes)) & highs) == 0;
}

/* From where on a text needs a backslash; its size when it does nowhere. */
static size_t json_plain_size(struct span text) {
    size_t size = 0;
    while (text.size - size >= sizeof(uint64_t) && json_is_plain_word(text.data + size))
        size += sizeof(uint64_t);
    while (size < text.size && json_is_plain(text.data[size]))
        size++;
    return size;
}

static void json_text_escaped(struct buf *b, struct span text) {
    buf_append_byte(b, '"');
    while (text.size > 0) {
        size_t plain = json_plain_size(text);
        buf_append(b, span_make(text.data, plain));
        if (plain == text.size)
            break;
        unsigned char c = (unsigned char)text.data[plain];
        if (c < 0x20) {
            buf_printf(b, "\\u%04x", c);
        } else {
            buf_append_byte(b, '\\');
            buf_append_byte(b, (char)c);
        }
        text = span_make(text.data + plain + 1, text.size - plain - 1);
    }
    buf_append_byte(b, '"');
}

/* A text in quotes, and what comes before and behind it (NUL: nothing): nearly always without a backslash, so
 * that there is room for all of it at once. */
static void json_text(struct buf *b, char before, struct span text, char behind) {
    if (json_plain_size(text) < text.size) {
        if (before != '\0')
            buf_append_byte(b, before);
        json_text_escaped(b, text);
        if (behind != '\0')
            buf_append_byte(b, behind);
        return;
    }
    if (!buf_reserve(b, text.size + 4))
        return;
    char *at = b->data + b->size;
    if (before != '\0')
        *at++ = before;
    *at++ = '"';
    if (text.size > 0)
        memcpy(at, text.data, text.size);
    at += text.size;
    *at++ = '"';
    if (behind != '\0')
        *at++ = behind;
    b->size = (size_t)(at - b->data);
}

static void begin_text_item(struct writer *w, const char *name, bool named) {
    if (w->depth > 0 && !named) {
        if (w->has_items[w->depth])
            buf_append_byte(w->out, ' ');
    } else if (named) {
        if (w->out->size > 0 && w->out->data[w->out->size - 1] != '\n')
            buf_append_byte(w->out, '\n');
        buf_printf(w->out, "%*s%s: ", 2 * (w->depth - 1), "", name);
    }
}

static void begin_item(struct writer *w, const char *name) {
    bool named = w->depth > 0 && !w->in_list[w->depth], has_items = w->has_items[w->depth];
    if (w->form != WRITER_JSON)
        begin_text_item(w, name, named);
    else if (named)
        json_text(w->out, has_items ? ',' : '\0', span_of(name), ':');
    else if (has_items)
        buf_append_byte(w->out, ',');
    w->has_items[w->depth] = true;
}

static void writer_enter(struct writer *w, const char *name, bool is_list) {
    begin_item(w, name);
    assert(w->depth + 1 < WRITER_DEPTH_MAX);
    w->depth++;
    w->in_list[w->depth] = is_list;
    w->has_items[w->depth] = false;
    if (w->form == WRITER_JSON)
        buf_append_byte(w->out, is_list ? '[' : '{');
}

static void leave(struct writer *w, bool is_list) {
    assert(w->depth > 0 && w->in_list[w->depth] == is_list);
    w->depth--;
    if (w->form == WRITER_JSON)
        buf_append_byte(w->out, is_list ? ']' : '}');
    else if (w->depth == 0)
        buf_append_byte(w->out, '\n');
}

struct writer writer_message(struct buf *out, const char *type) {
    struct writer w;
    writer_init(&w, WRITER_JSON, out);
    writer_object_begin(&w, NULL);
    writer_text(&w, "type", span_of(type));
    return w;
}

void writer_object_begin(struct writer *w, const char *name) {
    writer_enter(w, name, false);
}

void writer_object_end(struct writer *w) {
    leave(w, false);
}

void writer_list_begin(struct writer *w, const char *name) {
    writer_enter(w, name, true);
}

void writer_list_end(struct writer *w) {
    leave(w, true);
}

void writer_int(struct writer *w, const char *name, int64_t value) {
    begin_item(w, name);
    buf_append_int(w->out, value);
}

void writer_bool(struct writer *w, const char *name, bool value) {
    begin_item(w, name);
    buf_append_text(w->out, w->form == WRITER_JSON ? (value ? "true" : "false") : (value ? "yes" : "no"));
}

void writer_text(struct writer *w, const char *name, struct span value) {
    begin_item(w, name);
    if (w->form == WRITER_JSON)
        json_text(w->out, '\0', value, '\0');
    else
        buf_append(w->out, value);
}

void writer_raw(struct writer *w, const char *name, struct span written) {
    begin_item(w, name);
    buf_append(w->out, written);
}

void writer_null(struct writer *w, const char *name) {
    begin_item(w, name);
    buf_append_text(w->out, w->form == WRITER_JSON ? "null" : "-");
}

void grid_cell_format(unsigned rows, unsigned row, unsigned column, char name[GRID_CELL_NAME_BYTES]) {
    assert(row < rows && rows <= GRID_SIDE_MAX && column < GRID_SIDE_MAX);
    snprintf(name, GRID_CELL_NAME_BYTES, "%c%u", (char)('a' + column), (rows - row) % 100);
}

bool grid_cell_parse(struct span name, unsigned rows, unsigned columns, unsigned *row, unsigned *column) {
    int64_t number;
    if (name.size < 2 || name.size >= GRID_CELL_NAME_BYTES || name.data[0] < 'a' ||
        (unsigned)(name.data[0] - 'a') >= columns || name.data[1] < '1' || name.data[1] > '9')
        return false;
    if (!span_to_int(span_make(name.data + 1, name.size - 1), &number) || number < 1 || number > rows)
        return false;
    *row = rows - (unsigned)number;
    *column = (unsigned)(name.data[0] - 'a');
    return true;
}

static void grid_json(struct writer *w, unsigned rows, unsigned columns, const struct grid_cell *cells) {
    writer_int(w, "rows", rows);
    writer_int(w, "columns", columns);
    writer_list_begin(w, "cells");
    for (unsigned i = 0; i < rows * columns; i++) {
        char name[GRID_CELL_NAME_BYTES];
        if (cells[i].is_hole) {
            writer_null(w, NULL);
            continue;
        }
        grid_cell_format(rows, i / columns, i % columns, name);
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(name));
        writer_text(w, "text", span_of(cells[i].text));
        if (cells[i].owner == 0)
            writer_null(w, "owner");
        else
            writer_int(w, "owner", cells[i].owner - 1);
        writer_object_end(w);
    }
    writer_list_end(w);
}

/* What stands in a cell for people. An owner without a text is shown by its number. */
static struct span grid_cell_shown(const struct grid_cell *cell, char number[GRID_CELL_NAME_BYTES]) {
    if (cell->is_hole)
        return SPAN("");
    if (cell->text[0] != '\0')
        return span_of(cell->text);
    if (cell->owner == 0)
        return SPAN(".");
    snprintf(number, GRID_CELL_NAME_BYTES, "%u", cell->owner);
    return span_of(number);
}

static void grid_cell_draw(struct buf *out, struct span text, size_t width) {
    buf_printf(out, " %.*s%*s", (int)text.size, text.data, (int)(width - utf8_length(text)), "");
}

static void grid_line_end(struct buf *out) {
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->size--;
    buf_append_byte(out, '\n');
}

static void grid_draw(struct writer *w, unsigned rows, unsigned columns, const struct grid_cell *cells) {
    char number[GRID_CELL_NAME_BYTES];
    size_t width = 1;
    for (unsigned i = 0; i < rows * columns; i++) {
        size_t length = utf8_length(grid_cell_shown(&cells[i], number));
        width = length > width ? length : width;
    }
    grid_line_end(w->out);
    for (unsigned row = 0; row <= rows; row++) {
        if (row < rows)
            buf_printf(w->out, "%*s%3u ", 2 * (w->depth - 1), "", rows - row);
        else
            buf_printf(w->out, "%*s    ", 2 * (w->depth - 1), "");
        for (unsigned column = 0; column < columns; column++) {
            char letter = (char)('a' + column);
            grid_cell_draw(w->out,
                           row < rows ? grid_cell_shown(&cells[row * columns + column], number)
                                      : span_make(&letter, 1),
                           width);
        }
        grid_line_end(w->out);
    }
}

void writer_grid(struct writer *w, const char *name, unsigned rows, unsigned columns,
                 const struct grid_cell *cells) {
    assert(rows >= 1 && rows <= GRID_SIDE_MAX && columns >= 1 && columns <= GRID_SIDE_MAX);
    writer_enter(w, name, false);
    if (w->form == WRITER_JSON)
        grid_json(w, rows, columns, cells);
    else
        grid_draw(w, rows, columns, cells);
    leave(w, false);
}
