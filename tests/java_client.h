/* Clients of Java streams in C: records by their short names, with their fields as JSON. Resources and
 * actions are words, numbers inside of lists and maps are boxed, keys of maps that are numbers too. */
#ifndef TESTS_JAVA_CLIENT_H
#define TESTS_JAVA_CLIENT_H

#include "wire/json/read.h"
#include "wire/renaissance_java/records.h"

#include <assert.h>

static const struct java_class *java_client_class(const char *name) {
    for (int i = 0; i < RENAISSANCE_JAVA_RECORDS; i++)
        if (strcmp(strrchr(renaissance_java_records[i].name, '.') + 1, name) == 0)
            return &renaissance_java_records[i];
    return NULL;
}

static bool java_client_put_constant(struct java_writer *w, const struct java_class *class,
                                     const char *word) {
    for (unsigned i = 0; class->words[i] != NULL; i++)
        if (strcmp(class->words[i], word) == 0) {
            java_put_word(w, class, i);
            return true;
        }
    return false;
}

static void java_client_put_text(struct java_writer *w, const char *text) {
    if (!java_client_put_constant(w, &renaissance_java_resource, text))
        java_put_text(w, span_of(text));
}

static void java_client_put_value(struct java_writer *w, const json_t *value) {
    const char *key;
    json_t *item;
    int64_t number;
    if (json_is_object(value)) {
        java_put_map(w, &java_hash_map, (uint32_t)json_object_size(value), 16, 12);
        json_object_foreach((json_t *)(uintptr_t)value, key, item) {
            if (span_to_int(span_of(key), &number))
                java_put_integer(w, (int32_t)number);
            else
                java_client_put_text(w, key);
            java_client_put_value(w, item);
        }
        java_put_map_end(w, &java_hash_map);
    } else if (json_is_array(value)) {
        java_put_list(w, (uint32_t)json_array_size(value), (uint32_t)json_array_size(value));
        for (size_t i = 0; i < json_array_size(value); i++)
            java_client_put_value(w, json_array_get(value, i));
        java_put_list_end(w);
    } else if (json_is_integer(value)) {
        java_put_integer(w, (int32_t)json_integer_value(value));
    } else if (json_is_string(value)) {
        java_client_put_text(w, json_string_value(value));
    } else {
        java_put_null(w);
    }
}

/* Fields that are missing are null, 0 or false. */
static void java_client_put(struct java_writer *w, const char *name, const json_t *fields) {
    const struct java_class *class = java_client_class(name);
    assert(class != NULL);
    java_put_record(w, class);
    for (const struct java_field *field = class->fields; field->name != NULL; field++) {
        const json_t *value = json_object_get(fields, field->name);
        const struct java_class *constants = strcmp(field->name, "action") == 0  ? &renaissance_java_action
                                             : strcmp(field->name, "color") == 0 ? &renaissance_java_color
                                                                                 : NULL;
        if (field->type == 'I')
            java_put_int(w, (int32_t)json_integer_value(value));
        else if (field->type == 'Z')
            java_put_flag(w, json_is_true(value));
        else if (constants == NULL || !json_is_string(value))
            java_client_put_value(w, value);
        else if (!java_client_put_constant(w, constants, json_string_value(value)))
            java_put_null(w);
    }
}

#endif
