/* Messages of object streams for people: the inspector. */
#include "wire/java/stream.h"

#include "base/writer.h"

static void show_value(struct writer *, const struct java_message *, const struct java_value *,
                       const char *name);

static void show_text(struct writer *w, const char *name, struct span modified) {
    struct buf text = {0};
    java_text_append(&text, modified);
    writer_text(w, name, buf_span(&text));
    buf_free(&text);
}

/* Keys are texts, numbers and constants. */
static void show_key(const struct java_value *key, struct buf *out) {
    buf_clear(out);
    if (key->kind == JAVA_STRING)
        java_text_append(out, key->text);
    else if (key->kind == JAVA_ENUM)
        buf_append_text(out, key->class->words[key->number]);
    else
        buf_append_int(out, key->number);
}

static void show_map(struct writer *w, const struct java_message *m, const struct java_value *v,
                     const char *name) {
    struct buf key = {0};
    writer_object_begin(w, name);
    for (uint32_t i = 0; i + 1 < v->count; i += 2) {
        show_key(java_item(m, v, i), &key);
        show_value(w, m, java_item(m, v, i + 1), buf_text(&key));
    }
    writer_object_end(w);
    buf_free(&key);
}

static void show_list(struct writer *w, const struct java_message *m, const struct java_value *v,
                      const char *name) {
    writer_list_begin(w, name);
    for (uint32_t i = 0; i < v->count; i++)
        show_value(w, m, java_item(m, v, i), NULL);
    writer_list_end(w);
}

static void show_value(struct writer *w, const struct java_message *m, const struct java_value *v,
                       const char *name) {
    switch (v->kind) {
    case JAVA_INT:
    case JAVA_INTEGER: writer_int(w, name, v->number); break;
    case JAVA_FLAG:
    case JAVA_BOOLEAN: writer_bool(w, name, v->number != 0); break;
    case JAVA_STRING: show_text(w, name, v->text); break;
    case JAVA_ENUM: writer_text(w, name, span_of(v->class->words[v->number])); break;
    case JAVA_LIST:
    case JAVA_ARRAY: show_list(w, m, v, name); break;
    case JAVA_MAP: show_map(w, m, v, name); break;
    default: writer_null(w, name); break;
    }
}

void java_show(const struct java_message *m, struct buf *out) {
    const struct java_value *root = &m->values[0];
    const char *name = strrchr(root->class->name, '.');
    struct writer w;
    buf_append_text(out, name == NULL ? root->class->name : name + 1);
    buf_append_byte(out, ' ');
    writer_init(&w, WRITER_JSON, out);
    writer_object_begin(&w, NULL);
    for (uint32_t i = 0; i < root->count; i++)
        show_value(&w, m, java_item(m, root, i), root->class->fields[i].name);
    writer_object_end(&w);
}
