#include "wire/json/message.h"

#include "store/event.h"

#include <stdio.h>

const struct json_message *json_message_case(const struct json_message *m, struct span word) {
    const struct json_message *at = m->cases;
    while (at->word != NULL && !span_is_nocase(word, at->word))
        at++;
    return at->word == NULL ? NULL : at;
}

static void json_message_complain(char *complaint, const char *format, const char *what) {
    int size = snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, format, what);
    (void)size; /* what does not fit is left out */
}

/* A word or number that is none of the kind. */
static enum err kind_unknown(const struct json_kind *kind, char *complaint) {
    if (kind->none != NULL)
        json_message_complain(complaint, "%s", kind->none);
    return kind->unknown == ERR_OK ? ERR_FIELD_INVALID : kind->unknown;
}

static enum err kind_take(const struct json_kind *kind, const json_t *value, void *place, char *complaint) {
    int64_t number;
    switch (kind->form) {
    case JSON_TEXT:
        *(struct span *)place = json_value_text(value);
        return json_is_string(value) ? ERR_OK : ERR_FIELD_INVALID;
    case JSON_NUMBER:
        if (!json_value_int(value, &number))
            return ERR_FIELD_INVALID;
        if (kind->unknown != ERR_OK && (number < kind->min || number > kind->max))
            return kind_unknown(kind, complaint);
        *(int64_t *)place = number;
        return ERR_OK;
    case JSON_FLAG: return json_value_flag(value, place) ? ERR_OK : ERR_FIELD_INVALID;
    case JSON_WORD:
        if (json_word(json_value_text(value), kind->word, place))
            return ERR_OK;
        return json_is_string(value) ? kind_unknown(kind, complaint) : ERR_FIELD_INVALID;
    default: break;
    }
    if (kind->take != NULL)
        return kind->take(value, place, complaint);
    return kind->read(value, place) ? ERR_OK : ERR_FIELD_INVALID;
}

enum err json_complain_of(const json_t *message, const char *field, char *complaint) {
    bool is_there = json_has(message, field);
    json_message_complain(complaint, is_there ? JSON_FIELD_INVALID : JSON_FIELD_MISSING, field);
    return is_there ? ERR_FIELD_INVALID : ERR_FIELD_MISSING;
}

static enum err field_take(const struct game *game, const struct json_field *f, const json_t *message,
                           const char *name, void *place, char *complaint) {
    const struct json_kind *kind = f->kind;
    enum err e = kind_take(kind, json_object_get(message, name), place, complaint);
    if (e == ERR_OK || complaint[0] != '\0')
        return e;
    if (e != ERR_FIELD_INVALID) {
        json_message_complain(complaint, "%s", game_refusal(game, e)->sentence);
        return e;
    }
    e = json_complain_of(message, f->name, complaint);
    if (kind->wrong != NULL)
        json_message_complain(complaint, kind->wrong, f->name);
    return kind->refusal != ERR_OK ? kind->refusal : e;
}

enum err json_take_fields(const struct game *game, const struct json_field *f, const json_t *message,
                          void *request, char *complaint) {
    char unheard[JSON_COMPLAINT_BYTES_MAX] = "";
    enum err e = ERR_OK;
    for (; f != NULL && f->name != NULL && e == ERR_OK; f++) {
        const char *name = f->alias != NULL && !json_has(message, f->name) ? f->alias : f->name;
        bool is_read = (f->flags & JSON_NEEDED) != 0 || json_has(message, name);
        if (is_read && (f->flags & JSON_UNREAD) == 0)
            e = field_take(game, f, message, name, (char *)request + f->offset,
                           complaint == NULL ? unheard : complaint);
    }
    return e;
}

bool json_optional(const json_t *message, const char *field, const struct json_kind *kind, struct span *out) {
    *out = SPAN("");
    return !json_has(message, field) || kind->read(json_object_get(message, field), out);
}

static bool seed_read(const json_t *value, void *place) {
    struct span *seed = place;
    *seed = json_value_text(value);
    return seed->data != NULL && event_seed_fits(*seed);
}

const struct json_kind json_seed_kind = {.schema = JSON_SCHEMA({"type" : "string"}),
                                         .read = seed_read,
                                         .min = 1,
                                         .max = EVENT_SEED_BYTES_MAX,
                                         .wrong = JSON_SEED_COMPLAINT};

const struct json_kind json_secret_kind = {.schema = JSON_SCHEMA({"type" : "string"}),
                                           .read = seed_read,
                                           .min = 1,
                                           .max = EVENT_SEED_BYTES_MAX,
                                           .wrong = JSON_SECRET_COMPLAINT};

static bool message_table_read(const json_t *value, void *place) {
    struct span *code = place;
    *code = json_value_text(value);
    return code->data != NULL && code->size > 0 && code->size <= TABLE_CODE_CHARS;
}

const struct json_kind json_table_kind = {.schema = JSON_SCHEMA({"type" : "string"}),
                                          .read = message_table_read,
                                          .min = 1,
                                          .max = TABLE_CODE_CHARS,
                                          .wrong = JSON_TABLE_COMPLAINT};
