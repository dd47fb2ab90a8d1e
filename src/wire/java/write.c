/* Object streams as Java writes them. */
#include "wire/java/stream.h"

#include "base/utf8.h"

#include <assert.h>

enum { LOAD_FACTOR = 0x3f400000 }; /* 0.75 as a float, which every map has */

static void put_bytes(struct java_writer *w, uint64_t value, unsigned size) {
    while (size-- > 0)
        buf_append_byte(w->out, (char)(value >> (8 * size) & 0xff));
}

static void put_utf(struct java_writer *w, struct span text) {
    put_bytes(w, text.size, 2);
    buf_append(w->out, text);
}

/* A reference when the stream has the key already; otherwise it takes the next handle, and false. */
static bool put_seen(struct java_writer *w, const void *key) {
    for (uint32_t i = 0; i < w->seen_count; i++)
        if (w->seen[i].key == key) {
            java_put_reference(w, w->seen[i].handle);
            return true;
        }
    return false;
}

static void writer_see(struct java_writer *w, const void *key) {
    assert(w->seen_count < JAVA_SEEN_MAX);
    w->seen[w->seen_count].key = key;
    w->seen[w->seen_count++].handle = w->handle_count++;
}

static void put_field(struct java_writer *w, const struct java_field *field) {
    buf_append_byte(w->out, field->type);
    put_utf(w, span_of(field->name));
    if (field->signature == NULL || put_seen(w, field->signature))
        return;
    writer_see(w, field->signature);
    buf_append_byte(w->out, 0x74);
    put_utf(w, span_of(field->signature));
}

static void put_class(struct java_writer *w, const struct java_class *class) {
    unsigned count = 0;
    if (class == NULL) {
        java_put_null(w);
        return;
    }
    if (put_seen(w, class))
        return;
    buf_append_byte(w->out, 0x72);
    put_utf(w, span_of(class->name));
    put_bytes(w, class->number, 8);
    writer_see(w, class);
    put_bytes(w, class->flags, 1);
    while (class->fields != NULL && class->fields[count].name != NULL)
        count++;
    put_bytes(w, count, 2);
    for (unsigned i = 0; i < count; i++)
        put_field(w, &class->fields[i]);
    buf_append_byte(w->out, 0x78);
    put_class(w, class->super);
}

void java_begin(struct java_writer *w, struct buf *out) {
    w->out = out;
    w->handle_count = w->seen_count = 0;
}

void java_put_header(struct java_writer *w) {
    put_bytes(w, 0xaced0005, JAVA_HEADER_BYTES);
}

void java_put_reset(struct java_writer *w) {
    buf_append_byte(w->out, 0x79);
    w->handle_count = w->seen_count = 0;
}

void java_put_record(struct java_writer *w, const struct java_class *class) {
    buf_append_byte(w->out, 0x73);
    put_class(w, class);
    w->handle_count++;
}

void java_put_int(struct java_writer *w, int32_t number) {
    put_bytes(w, (uint32_t)number, 4);
}

void java_put_flag(struct java_writer *w, bool flag) {
    put_bytes(w, flag, 1);
}

void java_put_null(struct java_writer *w) {
    buf_append_byte(w->out, 0x70);
}

void java_put_reference(struct java_writer *w, uint32_t handle) {
    buf_append_byte(w->out, 0x71);
    put_bytes(w, JAVA_HANDLE_BASE + handle, 4);
}

void java_put_modified(struct java_writer *w, struct span modified) {
    assert(modified.size <= UINT16_MAX);
    buf_append_byte(w->out, 0x74);
    w->handle_count++;
    put_utf(w, modified);
}

static void modified_append(struct buf *out, uint32_t unit) {
    if (unit != 0 && unit < 0x80) {
        buf_append_byte(out, (char)unit);
    } else if (unit < 0x800) {
        buf_append_byte(out, (char)(0xc0 | unit >> 6));
        buf_append_byte(out, (char)(0x80 | (unit & 0x3f)));
    } else {
        buf_append_byte(out, (char)(0xe0 | unit >> 12));
        buf_append_byte(out, (char)(0x80 | (unit >> 6 & 0x3f)));
        buf_append_byte(out, (char)(0x80 | (unit & 0x3f)));
    }
}

/* Nearly all texts are ASCII, which stays as it is. */
void java_put_text(struct java_writer *w, struct span utf8) {
    struct buf modified = {0};
    size_t plain = 0;
    while (plain < utf8.size && (signed char)utf8.data[plain] > 0)
        plain++;
    if (plain == utf8.size) {
        java_put_modified(w, utf8);
        return;
    }
    while (utf8.size > 0) {
        uint32_t code = (uint32_t)utf8_next(&utf8);
        if (code > 0xffff) {
            modified_append(&modified, 0xd800 + ((code - 0x10000) >> 10));
            code = 0xdc00 + (code & 0x3ff);
        }
        modified_append(&modified, code);
    }
    java_put_modified(w, buf_span(&modified));
    buf_free(&modified);
}

/* The name is a new string every time: Java reads nothing else there. */
void java_put_word(struct java_writer *w, const struct java_class *class, unsigned word) {
    const void *key = &class->words[word];
    if (put_seen(w, key))
        return;
    buf_append_byte(w->out, 0x7e);
    put_class(w, class);
    writer_see(w, key);
    java_put_modified(w, span_of(class->words[word]));
}

void java_put_integer(struct java_writer *w, int32_t number) {
    java_put_record(w, &java_integer);
    java_put_int(w, number);
}

void java_put_boolean(struct java_writer *w, bool flag) {
    java_put_record(w, &java_boolean);
    java_put_flag(w, flag);
}

void java_put_array(struct java_writer *w, const struct java_class *class, uint32_t count) {
    buf_append_byte(w->out, 0x75);
    put_class(w, class);
    w->handle_count++;
    put_bytes(w, count, 4);
}

void java_put_list(struct java_writer *w, uint32_t count, uint32_t capacity) {
    java_put_record(w, &java_array_list);
    put_bytes(w, count, 4);
    put_bytes(w, 0x7704, 2);
    put_bytes(w, capacity, 4);
}

void java_put_list_end(struct java_writer *w) {
    buf_append_byte(w->out, 0x78);
}

void java_put_map(struct java_writer *w, const struct java_class *class, uint32_t count, int32_t buckets,
                  int32_t threshold) {
    java_put_record(w, class);
    put_bytes(w, LOAD_FACTOR, 4);
    java_put_int(w, threshold);
    put_bytes(w, 0x7708, 2);
    java_put_int(w, buckets);
    put_bytes(w, count, 4);
}

void java_put_map_end(struct java_writer *w, const struct java_class *class) {
    buf_append_byte(w->out, 0x78);
    if (class == &java_linked_hash_map)
        java_put_flag(w, false); /* not by the order of looking at them */
}
