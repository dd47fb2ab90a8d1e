#include "base/writer.h"

#include <assert.h>

void writer_init(struct writer *w, enum writer_form form, struct buf *out) {
    *w = (struct writer){.out = out, .form = form};
}

static void json_text(struct buf *b, struct span text) {
    buf_append_byte(b, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || c == '\\') {
            buf_append_byte(b, '\\');
            buf_append_byte(b, (char)c);
        } else if (c < 0x20) {
            buf_printf(b, "\\u%04x", c);
        } else {
            buf_append_byte(b, (char)c);
        }
    }
    buf_append_byte(b, '"');
}

static void begin_item(struct writer *w, const char *name) {
    bool named = w->depth > 0 && !w->in_list[w->depth];
    if (w->form == WRITER_JSON) {
        if (w->has_items[w->depth])
            buf_append_byte(w->out, ',');
        if (named) {
            json_text(w->out, span_of(name));
            buf_append_byte(w->out, ':');
        }
    } else if (w->depth > 0 && !named) {
        if (w->has_items[w->depth])
            buf_append_byte(w->out, ' ');
    } else if (named) {
        if (w->out->size > 0 && w->out->data[w->out->size - 1] != '\n')
            buf_append_byte(w->out, '\n');
        buf_printf(w->out, "%*s%s: ", 2 * (w->depth - 1), "", name);
    }
    w->has_items[w->depth] = true;
}

static void enter(struct writer *w, const char *name, bool is_list) {
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
    enter(w, name, false);
}

void writer_object_end(struct writer *w) {
    leave(w, false);
}

void writer_list_begin(struct writer *w, const char *name) {
    enter(w, name, true);
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
        json_text(w->out, value);
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
