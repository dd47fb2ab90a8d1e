#include "wire/json/read.h"

#include "store/event.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The library recurses as deep as the text is nested; so the depth is looked at before. */
static bool is_too_deep(struct span text) {
    int depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']'))
            depth--;
        if (depth > JSON_DEPTH_MAX)
            return true;
    }
    return false;
}

/* The library's words, except where they speak of the library itself. */
static const char *complaint_of(const json_error_t *error) {
    switch (json_error_code(error)) {
    case json_error_null_character: return json_text_has_null.sentence;
    case json_error_null_byte_in_key: return json_name_has_null.sentence;
    case json_error_out_of_memory: return json_has_no_room.sentence;
    case json_error_stack_overflow: return json_nested_too_deep.sentence;
    default: return error->text;
    }
}

enum err json_read_object(struct span text, json_t **out, char complaint[JSON_COMPLAINT_BYTES_MAX]) {
    static const char mark[] = "\xef\xbb\xbf";
    json_error_t error;
    *out = NULL;
    if (text.size >= strlen(mark) && memcmp(text.data, mark, strlen(mark)) == 0)
        text = span_make(text.data + strlen(mark), text.size - strlen(mark));
    json_t *value = json_read_plain(text);
    if (value == NULL && is_too_deep(text)) {
        snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, JSON_DEEPER_THAN, JSON_DEPTH_MAX);
        return ERR_TOO_DEEP;
    }
    size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
    if (value == NULL)
        value = json_loadb(text.data, text.size, flags, &error);
    if (value == NULL && json_error_code(&error) == json_error_numeric_overflow)
        value = json_loadb(text.data, text.size, flags | JSON_DECODE_INT_AS_REAL, &error);
    if (value == NULL) {
        snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, JSON_NOT_JSON, error.column, complaint_of(&error));
        return ERR_MALFORMED;
    }
    if (!json_is_object(value)) {
        json_decref(value);
        snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, "%s", json_not_an_object.sentence);
        return json_not_an_object.why;
    }
    *out = value;
    return ERR_OK;
}

static const json_t *json_read_field(const json_t *object, const char *name) {
    const json_t *value = json_is_object(object) ? json_object_get(object, name) : NULL;
    return json_is_null(value) ? NULL : value;
}

bool json_has(const json_t *object, const char *name) {
    return json_read_field(object, name) != NULL;
}

struct span json_value_text(const json_t *value) {
    if (!json_is_string(value))
        return (struct span){0};
    return span_make(json_string_value(value), json_string_length(value));
}

bool json_value_int(const json_t *value, int64_t *out) {
    if (json_is_integer(value)) {
        *out = json_integer_value(value);
        return true;
    }
    if (json_is_string(value))
        return span_to_int(span_trim(json_value_text(value)), out);
    double real = json_is_real(value) ? json_real_value(value) : NAN;
    if (!(fabs(real) < 1e15) || real != trunc(real))
        return false;
    *out = (int64_t)real;
    return true;
}

bool json_value_flag(const json_t *value, bool *out) {
    int64_t number;
    if (json_is_boolean(value)) {
        *out = json_is_true(value);
        return true;
    }
    struct span text = span_trim(json_value_text(value));
    bool is_true = span_is_nocase(text, "true");
    if (is_true || span_is_nocase(text, "false")) {
        *out = is_true;
        return true;
    }
    if (!json_value_int(value, &number) || (number != 0 && number != 1))
        return false;
    *out = number == 1;
    return true;
}

bool json_plain_int(const json_t *object, const char *name, int64_t *out) {
    const json_t *value = json_read_field(object, name);
    return !json_is_string(value) && json_value_int(value, out);
}

bool json_plain_flag(const json_t *object, const char *name, bool *out) {
    const json_t *value = json_read_field(object, name);
    *out = json_is_true(value);
    return json_is_boolean(value);
}

struct span json_text(const json_t *object, const char *name) {
    return json_value_text(json_read_field(object, name));
}

static_assert(EVENT_SEED_BYTES_MAX == 64, "json_seed_invalid says so");

bool json_seed(const json_t *object, struct span *out) {
    *out = json_has(object, "seed") ? json_text(object, "seed") : SPAN("");
    return !json_has(object, "seed") || (out->data != NULL && event_seed_fits(*out));
}

bool json_int(const json_t *object, const char *name, int64_t *out) {
    return json_value_int(json_read_field(object, name), out);
}

bool json_flag(const json_t *object, const char *name, bool *out) {
    return json_value_flag(json_read_field(object, name), out);
}

bool json_word(struct span text, const char *(*word)(unsigned), unsigned *out) {
    unsigned i = 0;
    while (word(i) != NULL && !span_is_nocase(span_trim(text), word(i)))
        i++;
    if (word(i) != NULL)
        *out = i;
    return word(i) != NULL;
}
