/* Reading what clients say, by the table of messages. */
#include "wire/santorini/dialect.h"

#include <stdio.h>

static enum err santorini_messages_message_complain(char *complaint, struct refusal why) {
    snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, "%s", why.sentence);
    return why.why;
}

/* Repeats as much of a client's text as an answer does, without a broken character at its end. */
static enum err message_complain_of(char *complaint, enum err e, const char *format, struct span text) {
    enum { EXCERPT_BYTES_MAX = 40 };
    size_t size = text.size;
    if (size > EXCERPT_BYTES_MAX) {
        size = EXCERPT_BYTES_MAX;
        while (size > 0 && ((unsigned char)text.data[size] & 0xc0) == 0x80)
            size--;
    }
    snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, format, (int)size, size == 0 ? "" : text.data);
    return e;
}

/* Takes a number off the front, with the sign between two of them behind it. */
static bool message_date_part(struct span *text, unsigned *out) {
    unsigned value = 0;
    size_t size = 0;
    for (; size < text->size && size < 4 && text->data[size] >= '0' && text->data[size] <= '9'; size++)
        value = value * 10 + (unsigned)(text->data[size] - '0');
    if (size == 0)
        return false;
    size += size < text->size && strchr(".-/", text->data[size]) != NULL;
    *text = span_make(text->data + size, text->size - size);
    *out = value;
    return true;
}

static enum err message_take_date(const json_t *value, void *place, char *complaint) {
    struct span date = json_value_text(value), rest = span_trim(date);
    unsigned year, month, day;
    if (date.data == NULL)
        return ERR_FIELD_INVALID;
    bool ends_in_digit = rest.size > 0 && rest.data[rest.size - 1] >= '0' && rest.data[rest.size - 1] <= '9';
    if (!ends_in_digit || !message_date_part(&rest, &year) || !message_date_part(&rest, &month) ||
        !message_date_part(&rest, &day) || rest.size > 0 || !santorini_birth_is_real(year, month, day))
        return santorini_messages_message_complain(complaint, santorini_date_invalid);
    *(struct santorini_birth *)place = (struct santorini_birth){(uint16_t)year, (uint8_t)month, (uint8_t)day};
    return ERR_OK;
}

/* The words that are known are enough: a client may be ahead of this server. */
static bool message_read_words(const json_t *value, void *place) {
    unsigned words = SANTORINI_WORDS_DOCUMENT;
    for (size_t i = 0; i < json_array_size(value); i++)
        words |= 1u << santorini_step_by_word(json_value_text(json_array_get(value, i)));
    *(unsigned *)place = json_is_array(value) ? words : 0;
    return value == NULL || json_is_array(value);
}

static enum err message_add_god(void *place, struct span name, char *complaint) {
    struct santorini_request *r = (void *)((char *)place - offsetof(struct santorini_request, gods));
    enum santorini_god god = name.data == NULL ? GOD_NONE : santorini_god_by_name(span_trim(name));
    if (god == GOD_NONE)
        return message_complain_of(complaint, ERR_GOD_UNKNOWN, SANTORINI_GOD_UNKNOWN, name);
    if (r->god_count == SANTORINI_SEATS_MAX)
        return santorini_messages_message_complain(complaint, santorini_gods_too_many);
    r->gods[r->god_count++] = (uint8_t)god;
    return ERR_OK;
}

static enum err message_take_god(const json_t *value, void *place, char *complaint) {
    return json_is_string(value) ? message_add_god(place, json_value_text(value), complaint)
                                 : ERR_FIELD_INVALID;
}

/* A list of names, or an object whose keys are the names. */
static enum err message_take_gods(const json_t *value, void *place, char *complaint) {
    enum err e = json_is_object(value) || json_is_array(value) ? ERR_OK : ERR_FIELD_INVALID;
    const char *key;
    json_t *text;
    json_object_foreach((json_t *)(uintptr_t)value, key, text) {
        if (e == ERR_OK)
            e = message_add_god(place, span_of(key), complaint);
    }
    for (size_t i = 0; i < json_array_size(value) && e == ERR_OK; i++)
        e = message_add_god(place, json_value_text(json_array_get(value, i)), complaint);
    return e;
}

static enum err message_take_cell(const json_t *value, void *place, char *complaint) {
    int64_t row, column;
    if (!json_int(value, "i", &row) || !json_int(value, "j", &column))
        return santorini_messages_message_complain(complaint, santorini_cell_missing);
    if (row < 0 || row >= SANTORINI_SIDE || column < 0 || column >= SANTORINI_SIDE)
        return ERR_CELL_OUTSIDE;
    *(uint8_t *)place = (uint8_t)(row * SANTORINI_SIDE + column);
    return ERR_OK;
}

static enum err message_take_positions(const json_t *value, void *place, char *complaint) {
    enum err e = json_array_size(value) == SANTORINI_BUILDERS ? ERR_OK : ERR_FIELD_INVALID;
    for (size_t i = 0; i < SANTORINI_BUILDERS && e == ERR_OK; i++)
        e = message_take_cell(json_array_get(value, i), (uint8_t *)place + i, complaint);
    return e;
}

static const char *message_god_word(unsigned i) {
    return i + 1 < GOD_COUNT ? santorini_god_name((enum santorini_god)(i + 1)) : NULL;
}

static const char *santorini_messages_message_color_word(unsigned i) {
    return i < SANTORINI_COLORS ? santorini_color_name((enum santorini_color)i) : NULL;
}

static const char *message_step_word(unsigned i) {
    static const char *const words[] = {"MOVE", "BUILD", "FORCE", "REMOVE", "BORROW", "END", NULL};
    return words[i];
}

#define NO_TEXT .refusal = ERR_FIELD_MISSING, .wrong = SANTORINI_NO_TEXT

/* clang-format off */
static const struct json_kind
    name_kind = {"name", JSON_SCHEMA({"description": "of a player"}), JSON_TEXT, .min = 1, .max = SANTORINI_NAME_CHARS_MAX, NO_TEXT},
    number_kind = {NULL, JSON_SCHEMA({"anyOf": [{"type": "integer", "minimum": 2, "maximum": 3}, {"enum": ["2", "3"]}]}),
                   JSON_NUMBER, .refusal = ERR_FIELD_MISSING, .wrong = SANTORINI_NO_NUMBER},
    date_kind = {NULL, JSON_SCHEMA({"type": "string", "pattern": "^[0-9]{1,4}[.]([0-9]{1,2})[.]([0-9]{1,2})$"}),
                 .take = message_take_date, NO_TEXT},
    step_kind = {"step", .form = JSON_WORD, .word = message_step_word, NO_TEXT,
                 .unknown = ERR_FIELD_INVALID, .none = SANTORINI_STEP_UNKNOWN},
    steps_kind = {NULL, JSON_SCHEMA({"description":
                  "the steps that this client knows besides MOVE, BUILD and END; left out by a client of the document"}),
                  .item = &step_kind, .read = message_read_words, .refusal = ERR_FIELD_INVALID, .wrong = SANTORINI_NO_WORDS},
    god_kind = {"god", .take = message_take_god, .word = message_god_word, NO_TEXT},
    gods_kind = {"gods", JSON_SCHEMA({"uniqueItems": true}), .item = &god_kind, .max = SANTORINI_SEATS_MAX,
                 .take = message_take_gods, .refusal = ERR_FIELD_MISSING, .wrong = SANTORINI_NO_NAMES},
    color_kind = {"color", .form = JSON_WORD, .word = santorini_messages_message_color_word, .unknown = ERR_COLOR_UNKNOWN, NO_TEXT},
    cell_kind = {"cell", JSON_SCHEMA({"type": "object", "properties": {
                     "i": {"type": "integer", "minimum": 0, "maximum": 4, "description": "row, from the top"},
                     "j": {"type": "integer", "minimum": 0, "maximum": 4, "description": "column, from the left"}},
                 "required": ["i", "j"], "additionalProperties": false}), .take = message_take_cell},
    positions_kind = {.item = &cell_kind, .min = SANTORINI_BUILDERS, .max = SANTORINI_BUILDERS,
                      .take = message_take_positions, .refusal = ERR_FIELD_INVALID, .wrong = SANTORINI_NO_CELLS},
    dome_kind = {.form = JSON_FLAG, .wrong = SANTORINI_NO_FLAG};

#define FIELD(...) JSON_FIELD(struct santorini_request, __VA_ARGS__)
#define SPEAKER    FIELD("name", name, JSON_UNREAD, name)
#define SRC        FIELD("src", cell, JSON_MUST, src)
#define DST        FIELD("dst", cell, JSON_MUST, dst)
#define MESSAGE(TYPE, WORD, REPLY, PHASE, ABOUT, ...) \
    [SANTORINI_##TYPE] = {.word = WORD, .about = ABOUT, JSON_FIELDS(__VA_ARGS__)},
#define REPLY(TYPE, WORD, REPLY, PHASE, ...) [SANTORINI_##TYPE] = {REPLY, SANTORINI_##PHASE},
/* clang-format on */

static const struct json_message messages[SANTORINI_REQUEST_TYPES + 1] = {SANTORINI_MESSAGES(MESSAGE)};
const struct json_message santorini_messages = {.by = "type", .cases = messages};

static const struct {
    const char *word;
    enum santorini_phase phase;
} replies[SANTORINI_REQUEST_TYPES] = {SANTORINI_MESSAGES(REPLY)};

const struct santorini_request santorini_request_empty = {
    .seed = {"", 0},
    .secret = {"", 0},
    .table = {"", 0},
    .color = SANTORINI_COLORS,
    .positions = {SANTORINI_NOWHERE, SANTORINI_NOWHERE},
    .src = SANTORINI_NOWHERE,
    .dst = SANTORINI_NOWHERE,
    .step = SANTORINI_STEP_NONE,
};

const char *santorini_request_word(enum santorini_request_type type) {
    return messages[type].word;
}

const char *santorini_reply_word(enum santorini_request_type type) {
    return replies[type].word;
}

enum santorini_phase santorini_request_phase(enum santorini_request_type type) {
    return replies[type].phase;
}

const char *santorini_step_word(enum santorini_step step) {
    return message_step_word(step);
}

enum santorini_step santorini_step_by_word(struct span word) {
    unsigned step = SANTORINI_STEP_NONE;
    return (enum santorini_step)(json_word(word, message_step_word, &step) ? step : SANTORINI_STEP_NONE);
}

static enum err message_read_type(const json_t *m, struct santorini_request *r, bool is_reply) {
    struct span type = json_text(m, "type");
    unsigned i = 0;
    *r = santorini_request_empty;
    while (i < SANTORINI_REQUEST_TYPES && !span_is(type, is_reply ? replies[i].word : messages[i].word))
        i++;
    r->type = (enum santorini_request_type)i;
    if (i < SANTORINI_REQUEST_TYPES)
        return ERR_OK;
    if (type.data == NULL)
        return santorini_messages_message_complain(r->complaint, santorini_type_missing);
    return message_complain_of(r->complaint, ERR_UNKNOWN_TYPE, SANTORINI_TYPE_UNKNOWN, type);
}

enum err santorini_read(const json_t *message, struct santorini_request *out) {
    enum err e = message_read_type(message, out, false);
    return e == ERR_OK
               ? json_take_fields(&santorini_game, messages[out->type].fields, message, out, out->complaint)
               : e;
}

enum err santorini_read_reply(const json_t *message, struct santorini_request *out) {
    enum err e = message_read_type(message, out, true);
    if (e != ERR_OK)
        return e;
    if (out->type != SANTORINI_ADD_PLAYER)
        e = json_take_fields(&santorini_game, messages[out->type].fields, message, out, out->complaint);
    out->name = json_text(message, "name");
    return e;
}
