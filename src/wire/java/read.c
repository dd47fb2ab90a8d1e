/* Object streams into messages. A message is read in one go from bytes that lie together: when they do not
 * reach, everything is as it was, and it is tried again with more. */
#include "wire/java/stream.h"

#include "base/mem.h"
#include "wire/java/refusals.h"

#include <stdio.h>

/* What can be referred to. Everything else that has a handle is only counted, so that a stream that says the
 * same short message for days needs no memory for it. */
struct java_known {
    uint32_t handle;
    int32_t number;                 /* of a text: where it begins in texts */
    const struct java_class *class; /* a class itself, an enum or a box; NULL: a text */
    uint16_t text_size;
    bool is_class;
};

/* What is being read. */
struct java_cursor {
    struct java_reader *reader;
    struct java_message *message;
    const uint8_t *bytes;
    size_t size, at;
    size_t missing; /* bytes, at least; 0: none, or it is refused */
    unsigned depth;
    char *complaint;
};

#define CURSOR_REFUSE(cursor, ...)                                                                           \
    (snprintf((cursor)->complaint, JAVA_COMPLAINT_BYTES_MAX, __VA_ARGS__), false)

/* Takes so many bytes, if there are as many. */
static bool cursor_take(struct java_cursor *c, size_t size, const uint8_t **out) {
    if (c->size - c->at < size) {
        c->missing = size - (c->size - c->at);
        return false;
    }
    *out = c->bytes + c->at;
    c->at += size;
    return true;
}

static bool cursor_number(struct java_cursor *c, size_t size, uint64_t *out) {
    const uint8_t *bytes;
    if (!cursor_take(c, size, &bytes))
        return false;
    *out = 0;
    for (size_t i = 0; i < size; i++)
        *out = *out << 8 | bytes[i];
    return true;
}

static bool cursor_int(struct java_cursor *c, int32_t *out) {
    uint64_t number;
    if (!cursor_number(c, 4, &number))
        return false;
    *out = (int32_t)(uint32_t)number;
    return true;
}

static bool cursor_flag(struct java_cursor *c, int32_t *out) {
    uint64_t number;
    if (!cursor_number(c, 1, &number))
        return false;
    *out = number != 0;
    return true;
}

static bool cursor_wrong_byte(struct java_cursor *c) {
    return CURSOR_REFUSE(c, JAVA_BYTE_UNKNOWN, c->bytes[c->at - 1], c->at - 1);
}

/* One byte that can be nothing else. */
static bool cursor_expect(struct java_cursor *c, uint8_t byte) {
    uint64_t found;
    return cursor_number(c, 1, &found) && (found == byte || cursor_wrong_byte(c));
}

static bool cursor_span(struct java_cursor *c, struct span *out) {
    uint64_t size;
    const uint8_t *bytes;
    if (!cursor_number(c, 2, &size) || !cursor_take(c, size, &bytes))
        return false;
    *out = span_make(bytes, size);
    return true;
}

/* Handles. */

static bool cursor_handle(struct java_cursor *c, uint32_t *out) {
    if (c->reader->handle_count >= JAVA_HANDLES_MAX)
        return CURSOR_REFUSE(c, JAVA_BEYOND_CEILING, c->at);
    *out = c->reader->handle_count++;
    return true;
}

/* Beyond the ceiling it is only counted, and a reference to it leads to nothing. */
static void reader_know(struct java_reader *r, const struct java_known *known) {
    if (r->known_count == JAVA_KNOWN_MAX)
        return;
    if (r->known_count == r->known_capacity) {
        r->known_capacity = r->known_capacity == 0 ? 64 : 2 * r->known_capacity;
        r->known = mem_resize(r->known, r->known_capacity * sizeof *r->known);
    }
    r->known[r->known_count++] = *known;
}

static void reader_know_text(struct java_reader *r, uint32_t handle, struct span text) {
    if (r->known_count == JAVA_KNOWN_MAX || r->texts.size + text.size > JAVA_KNOWN_BYTES_MAX)
        return;
    reader_know(r, &(struct java_known){
                       .handle = handle, .number = (int32_t)r->texts.size, .text_size = (uint16_t)text.size});
    buf_append(&r->texts, text);
}

/* Handles rise, so what is known is in their order. */
static const struct java_known *reader_find(const struct java_reader *r, uint64_t reference) {
    uint32_t low = 0, high = r->known_count;
    uint64_t handle = reference - JAVA_HANDLE_BASE;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->known[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->known_count && r->known[low].handle == handle ? &r->known[low] : NULL;
}

static struct span known_text(const struct java_reader *r, const struct java_known *known) {
    return span_make(r->texts.data + known->number, known->text_size);
}

static const struct java_known *cursor_reference(struct java_cursor *c) {
    uint64_t reference;
    if (!cursor_number(c, 4, &reference))
        return NULL;
    const struct java_known *known = reader_find(c->reader, reference);
    if (known == NULL)
        (void)CURSOR_REFUSE(c, JAVA_REFERENCE_UNKNOWN, (unsigned)reference);
    return known;
}

/* Texts. */

static bool modified_is_valid(struct span text) {
    const uint8_t *b = (const uint8_t *)text.data;
    for (size_t i = 0, size; i < text.size; i += size) {
        size = b[i] < 0x80 ? 1 : b[i] >> 5 == 6 ? 2 : b[i] >> 4 == 14 ? 3 : 0;
        if (size == 0 || size > text.size - i || (size == 1 && b[i] == 0))
            return false;
        for (size_t k = 1; k < size; k++)
            if (b[i + k] >> 6 != 2)
                return false;
    }
    return true;
}

/* Behind its code. */
static bool cursor_text(struct java_cursor *c, uint32_t *handle, struct span *out) {
    if (!cursor_handle(c, handle) || !cursor_span(c, out))
        return false;
    if (!modified_is_valid(*out))
        return CURSOR_REFUSE(c, JAVA_TEXT_INVALID, c->at - out->size);
    reader_know_text(c->reader, *handle, *out);
    return true;
}

static uint32_t modified_unit(const uint8_t *b, size_t *size) {
    *size = b[0] < 0x80 ? 1 : b[0] < 0xe0 ? 2 : 3;
    if (*size == 1)
        return b[0];
    uint32_t unit = *size == 2 ? b[0] & 0x1f : b[0] & 0x0f;
    for (size_t i = 1; i < *size; i++)
        unit = unit << 6 | (b[i] & 0x3f);
    return unit;
}

void java_text_append(struct buf *out, struct span modified) {
    const uint8_t *b = (const uint8_t *)modified.data, *end = b + modified.size;
    while (b < end) {
        size_t size, low_size;
        uint32_t unit = modified_unit(b, &size), low = 0;
        if (unit >> 10 == 0xd800 >> 10 && end - b > (ptrdiff_t)size)
            low = modified_unit(b + size, &low_size);
        if (low >> 10 == 0xdc00 >> 10) {
            uint32_t code = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
            const char four[] = {(char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3f)),
                                 (char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f))};
            buf_append(out, span_make(four, sizeof four));
            size += low_size;
        } else if (unit == 0) {
            buf_append_byte(out, '\0');
        } else {
            buf_append(out, span_make(b, size));
        }
        b += size;
    }
}

/* Classes. */

static bool cursor_signature(struct java_cursor *c, const struct java_class *class,
                             const struct java_field *field) {
    uint64_t code;
    uint32_t handle;
    struct span text = {0};
    if (!cursor_number(c, 1, &code))
        return false;
    if (code == 0x71) {
        const struct java_known *known = cursor_reference(c);
        if (known == NULL)
            return false;
        if (known->class == NULL)
            text = known_text(c->reader, known);
    } else if (code != 0x74) {
        return cursor_wrong_byte(c);
    } else if (!cursor_text(c, &handle, &text)) {
        return false;
    }
    return span_is(text, field->signature) || CURSOR_REFUSE(c, JAVA_CLASS_DIFFERENT, class->name);
}

static bool cursor_fields(struct java_cursor *c, const struct java_class *class) {
    const struct java_field *field = class->fields;
    uint64_t flags, count, type;
    struct span name;
    if (!cursor_number(c, 1, &flags) || !cursor_number(c, 2, &count))
        return false;
    bool is_same = flags == class->flags;
    for (; is_same && count > 0; count--, field++) {
        if (field == NULL || field->name == NULL)
            break;
        if (!cursor_number(c, 1, &type) || !cursor_span(c, &name))
            return false;
        is_same = type == (uint8_t)field->type && span_is(name, field->name);
        if (is_same && field->signature != NULL && !cursor_signature(c, class, field))
            return false;
    }
    if (!is_same || count > 0 || (field != NULL && field->name != NULL))
        return CURSOR_REFUSE(c, JAVA_CLASS_DIFFERENT, class->name);
    return cursor_expect(c, 0x78);
}

static const struct java_class *class_named(const struct java_reader *r, struct span name) {
    for (size_t i = 0; r->classes[i] != NULL; i++)
        if (span_is(name, r->classes[i]->name))
            return r->classes[i];
    return NULL;
}

static bool cursor_class(struct java_cursor *c, const struct java_class **out);

/* Behind its code. */
static bool cursor_descriptor(struct java_cursor *c, const struct java_class **out) {
    struct span name;
    uint64_t number;
    uint32_t handle;
    const struct java_class *super;
    if (!cursor_span(c, &name))
        return false;
    const struct java_class *class = class_named(c->reader, name);
    if (class == NULL)
        return CURSOR_REFUSE(c, JAVA_CLASS_UNKNOWN, (int)(name.size < 80 ? name.size : 80), name.data);
    if (!cursor_number(c, 8, &number))
        return false;
    if (number != class->number)
        return CURSOR_REFUSE(c, JAVA_CLASS_DIFFERENT, class->name);
    if (!cursor_handle(c, &handle))
        return false;
    reader_know(c->reader, &(struct java_known){.handle = handle, .class = class, .is_class = true});
    if (!cursor_fields(c, class))
        return false;
    *out = class;
    if (class->super == NULL)
        return cursor_expect(c, 0x70);
    if (!cursor_class(c, &super))
        return false;
    return super == class->super || CURSOR_REFUSE(c, JAVA_CLASS_DIFFERENT, class->name);
}

static bool cursor_class(struct java_cursor *c, const struct java_class **out) {
    uint64_t code;
    if (!cursor_number(c, 1, &code))
        return false;
    if (code == 0x72) {
        if (++c->depth > JAVA_DEPTH_MAX)
            return CURSOR_REFUSE(c, JAVA_BEYOND_CEILING, c->at);
        bool is_right = cursor_descriptor(c, out);
        c->depth--;
        return is_right;
    }
    if (code != 0x71)
        return cursor_wrong_byte(c);
    const struct java_known *known = cursor_reference(c);
    if (known == NULL)
        return false;
    *out = known->class;
    return known->is_class || cursor_wrong_byte(c);
}

/* Values. */

static bool cursor_value(struct java_cursor *c, uint32_t place);

/* Places for the values of a value. */
static bool cursor_reserve(struct java_cursor *c, uint32_t place, int64_t count) {
    struct java_message *m = c->message;
    if (count < 0 || count > JAVA_VALUES_MAX - m->count)
        return CURSOR_REFUSE(c, JAVA_BEYOND_CEILING, c->at);
    m->values[place].first = m->count;
    m->values[place].count = (uint32_t)count;
    m->count += (uint32_t)count;
    return true;
}

static bool cursor_values(struct java_cursor *c, uint32_t place) {
    const struct java_value *v = &c->message->values[place];
    for (uint32_t i = 0; i < v->count; i++)
        if (!cursor_value(c, v->first + i))
            return false;
    return true;
}

static bool cursor_list(struct java_cursor *c, uint32_t place) {
    int32_t size;
    return cursor_int(c, &size) && cursor_expect(c, 0x77) && cursor_expect(c, 4) &&
           cursor_int(c, &c->message->values[place].number) && cursor_reserve(c, place, size) &&
           cursor_values(c, place) && cursor_expect(c, 0x78);
}

static bool cursor_map(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    int32_t load_factor, size, order;
    return cursor_int(c, &load_factor) && cursor_int(c, &v->threshold) && cursor_expect(c, 0x77) &&
           cursor_expect(c, 8) && cursor_int(c, &v->number) && cursor_int(c, &size) &&
           cursor_reserve(c, place, 2 * (int64_t)size) && cursor_values(c, place) && cursor_expect(c, 0x78) &&
           (v->class != &java_linked_hash_map || cursor_flag(c, &order));
}

/* Whether a field of this type can hold the value: a text, a map of any class, or an object of that class. */
static bool field_takes(const struct java_field *field, const struct java_value *v) {
    if (v->kind == JAVA_NULL)
        return true;
    if (v->class == NULL)
        return v->kind == JAVA_STRING && field->signature == java_of_string;
    if (v->kind == JAVA_MAP && (field->signature == java_of_map || field->signature == java_of_hash_map))
        return true;
    const char *signature = field->signature + (field->type == 'L'), *name = v->class->name;
    while (*name != '\0' && *signature == (*name == '.' ? '/' : *name)) {
        name++;
        signature++;
    }
    return *name == '\0' && strcmp(signature, field->type == 'L' ? ";" : "") == 0;
}

static bool cursor_record(struct java_cursor *c, uint32_t place) {
    const struct java_class *class = c->message->values[place].class;
    uint32_t count = 0;
    while (class->fields != NULL && class->fields[count].name != NULL)
        count++;
    if (!cursor_reserve(c, place, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct java_field *field = &class->fields[i];
        uint32_t at = c->message->values[place].first + i;
        struct java_value *v = &c->message->values[at];
        *v = (struct java_value){.kind = field->type == 'I' ? JAVA_INT : JAVA_FLAG};
        bool is_read = field->type == 'I'   ? cursor_int(c, &v->number)
                       : field->type == 'Z' ? cursor_flag(c, &v->number)
                                            : cursor_value(c, at);
        if (!is_read)
            return false;
        if (field->signature != NULL && !field_takes(field, v))
            return CURSOR_REFUSE(c, JAVA_FIELD_DIFFERENT, field->name, class->name);
    }
    return true;
}

static bool cursor_object(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    size_t begin = c->at;
    if (!cursor_class(c, &v->class) || !cursor_handle(c, &v->handle))
        return false;
    v->kind = v->class->kind;
    bool is_message = place == 0;
    if (c->reader->knows_lists && (v->kind == JAVA_LIST || v->kind == JAVA_MAP))
        reader_know(c->reader, &(struct java_known){.handle = v->handle, .class = v->class});
    switch (v->kind) {
    case JAVA_RECORD:
        if (is_message)
            return cursor_record(c, place);
        break;
    case JAVA_LIST:
        if (!is_message)
            return cursor_list(c, place);
        break;
    case JAVA_MAP:
        if (!is_message)
            return cursor_map(c, place);
        break;
    case JAVA_INTEGER:
    case JAVA_BOOLEAN:
        if (is_message)
            break;
        if (!(v->kind == JAVA_INTEGER ? cursor_int(c, &v->number) : cursor_flag(c, &v->number)))
            return false;
        reader_know(c->reader,
                    &(struct java_known){.handle = v->handle, .number = v->number, .class = v->class});
        return true;
    default: break;
    }
    return CURSOR_REFUSE(c, JAVA_CLASS_MISPLACED, v->class->name, begin);
}

/* A constant is known before its name is: the handle of the name comes after it. */
static bool cursor_word(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    uint32_t handle;
    struct span name;
    if (!cursor_class(c, &v->class) || !cursor_handle(c, &v->handle))
        return false;
    if (v->class->kind != JAVA_ENUM)
        return CURSOR_REFUSE(c, JAVA_CLASS_MISPLACED, v->class->name, c->at);
    uint32_t own = c->reader->known_count;
    reader_know(c->reader, &(struct java_known){.handle = v->handle, .class = v->class});
    if (!cursor_expect(c, 0x74) || !cursor_text(c, &handle, &name))
        return false;
    v->kind = JAVA_ENUM;
    while (v->class->words[v->number] != NULL && !span_is(name, v->class->words[v->number]))
        v->number++;
    if (v->class->words[v->number] == NULL)
        return CURSOR_REFUSE(c, JAVA_WORD_UNKNOWN, v->class->name, (int)(name.size < 40 ? name.size : 40),
                             name.data);
    if (own < c->reader->known_count)
        c->reader->known[own].number = v->number;
    return true;
}

static bool cursor_array(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    int32_t size;
    if (!cursor_class(c, &v->class) || !cursor_handle(c, &v->handle))
        return false;
    v->kind = JAVA_ARRAY;
    if (v->class->kind != JAVA_ARRAY)
        return CURSOR_REFUSE(c, JAVA_CLASS_MISPLACED, v->class->name, c->at);
    return cursor_int(c, &size) && cursor_reserve(c, place, size) && cursor_values(c, place);
}

/* Once more what was said before. */
static bool cursor_again(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    const struct java_known *known = cursor_reference(c);
    if (known == NULL)
        return false;
    if (known->is_class)
        return CURSOR_REFUSE(c, JAVA_REFERENCE_UNKNOWN, (unsigned)(JAVA_HANDLE_BASE + known->handle));
    *v = (struct java_value){.kind = known->class == NULL ? JAVA_STRING : known->class->kind,
                             .is_reference = true,
                             .handle = known->handle,
                             .class = known->class,
                             .number = known->number};
    if (known->class == NULL)
        v->text.size = known->text_size; /* where it is shows when no more come */
    return true;
}

static bool cursor_coded(struct java_cursor *c, uint32_t place) {
    struct java_value *v = &c->message->values[place];
    uint64_t code;
    *v = (struct java_value){.kind = JAVA_NULL};
    if (!cursor_number(c, 1, &code))
        return false;
    if (place == 0 && code != 0x73)
        return cursor_wrong_byte(c);
    switch (code) {
    case 0x70: return true;
    case 0x71: return cursor_again(c, place);
    case 0x73: return cursor_object(c, place);
    case 0x74: v->kind = JAVA_STRING; return cursor_text(c, &v->handle, &v->text);
    case 0x75: return cursor_array(c, place);
    case 0x7e: return cursor_word(c, place);
    default: return cursor_wrong_byte(c);
    }
}

static bool cursor_value(struct java_cursor *c, uint32_t place) {
    if (++c->depth > JAVA_DEPTH_MAX)
        return CURSOR_REFUSE(c, JAVA_BEYOND_CEILING, c->at);
    bool is_read = cursor_coded(c, place);
    c->depth--;
    return is_read;
}

static enum java_result java_read_header(struct java_reader *r, struct span bytes, size_t *size,
                                         char *complaint) {
    static const char header[] = "\xac\xed\x00\x05";
    size_t known = bytes.size < JAVA_HEADER_BYTES ? bytes.size : JAVA_HEADER_BYTES;
    if (known > 0 && memcmp(bytes.data, header, known) != 0) {
        snprintf(complaint, JAVA_COMPLAINT_BYTES_MAX, JAVA_NO_STREAM);
        return JAVA_REFUSED;
    }
    *size = known < JAVA_HEADER_BYTES ? JAVA_HEADER_BYTES - known : JAVA_HEADER_BYTES;
    r->has_begun = known == JAVA_HEADER_BYTES;
    return r->has_begun ? JAVA_PASSED : JAVA_MORE;
}

/* The texts of references, which the reader may have moved while it read. */
static void java_find_texts(const struct java_reader *r, struct java_message *m) {
    for (uint32_t i = 0; i < m->count; i++) {
        struct java_value *v = &m->values[i];
        if (v->kind != JAVA_STRING || !v->is_reference)
            continue;
        v->text.data = r->texts.data + v->number;
        v->number = 0;
    }
}

enum java_result java_read(struct java_reader *r, struct span bytes, struct java_message *out, size_t *size,
                           char complaint[JAVA_COMPLAINT_BYTES_MAX]) {
    uint32_t handle_count = r->handle_count, known_count = r->known_count;
    size_t texts_size = r->texts.size;
    if (!r->has_begun)
        return java_read_header(r, bytes, size, complaint);
    if (bytes.size > 0 && (uint8_t)bytes.data[0] == 0x79) {
        r->handle_count = r->known_count = 0;
        buf_clear(&r->texts);
        *size = 1;
        return JAVA_PASSED;
    }
    struct java_cursor c = {.reader = r,
                            .message = out,
                            .bytes = (const uint8_t *)bytes.data,
                            .size = bytes.size,
                            .complaint = complaint};
    out->count = 1;
    bool is_whole = cursor_value(&c, 0);
    bool is_large = (is_whole ? c.at : bytes.size + c.missing) > JAVA_MESSAGE_BYTES_MAX;
    *size = is_whole ? c.at : c.missing;
    if (is_whole && !is_large) {
        java_find_texts(r, out);
        return JAVA_MESSAGE;
    }
    r->handle_count = handle_count;
    r->known_count = known_count;
    r->texts.size = texts_size;
    if (is_large)
        snprintf(complaint, JAVA_COMPLAINT_BYTES_MAX, JAVA_MESSAGE_TOO_LARGE);
    return is_large || c.missing == 0 ? JAVA_REFUSED : JAVA_MORE;
}

void java_reader_free(struct java_reader *r) {
    mem_free(r->known);
    buf_free(&r->texts);
}
