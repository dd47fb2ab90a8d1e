#include "host/lounge/note.h"

#include <inttypes.h>
#include <stdio.h>

/* Takes "NAME=VALUE" off the front of a query. */
static bool lounge_note_take_pair(struct span *rest, struct span *name, struct span *value) {
    if (rest->size == 0)
        return false;
    const char *end = memchr(rest->data, '&', rest->size);
    size_t size = end == NULL ? rest->size : (size_t)(end - rest->data);
    const char *equals = memchr(rest->data, '=', size);
    size_t name_size = equals == NULL ? size : (size_t)(equals - rest->data);
    *name = span_make(rest->data, name_size);
    *value = equals == NULL ? SPAN("") : span_make(equals + 1, size - name_size - 1);
    size += end != NULL;
    *rest = span_make(rest->data + size, rest->size - size);
    return true;
}

/* "1:3.2:5": seats and levels. */
static void lounge_note_read_bots(struct span text, uint8_t levels[SEATS_MAX]) {
    for (size_t i = 0; i + 2 < text.size; i += 4) {
        unsigned seat = (unsigned)(text.data[i] - '0'), level = (unsigned)(text.data[i + 2] - '0');
        if (seat < SEATS_MAX && level >= BOT_LEVEL_MIN && level <= BOT_LEVEL_MAX)
            levels[seat] = (uint8_t)level;
    }
}

/* "K7QZ2:17": a table and a version. */
static void lounge_note_read_from(struct span text, struct lounge_note *out) {
    const char *colon = text.size == 0 ? NULL : memchr(text.data, ':', text.size);
    int64_t version;
    if (colon == NULL)
        return;
    size_t size = (size_t)(colon - text.data);
    if (table_code_parse(span_make(text.data, size), &out->from_table) &&
        span_to_int(span_make(colon + 1, text.size - size - 1), &version))
        out->from_version = (uint64_t)version;
}

static void read_pair(struct span name, struct span value, struct lounge_note *out) {
    int64_t number;
    if (span_is(name, "owner"))
        out->has_owner = digest_parse(value, &out->owner);
    else if (span_is(name, "home"))
        out->has_home = digest_parse(value, &out->home);
    else if (span_is(name, "key"))
        out->has_key = digest_parse(value, &out->key);
    else if (span_is(name, "body") && span_to_int(value, &number))
        out->body = (uint64_t)number;
    else if (span_is(name, "private"))
        out->is_private = span_is(value, "1");
    else if (span_is(name, "inspect"))
        out->is_inspected = span_is(value, "1");
    else if (span_is(name, "turn") && span_to_int(value, &number) && number > 0 && number <= UINT32_MAX)
        out->clocks.turn_ms = (uint32_t)number;
    else if (span_is(name, "time") && span_to_int(value, &number) && number > 0 && number <= UINT32_MAX)
        out->clocks.game_ms = (uint32_t)number;
    else if (span_is(name, "more") && span_to_int(value, &number) && number > 0 && number <= UINT32_MAX)
        out->clocks.increment_ms = (uint32_t)number;
    else if (span_is(name, "delay") && span_to_int(value, &number) && number >= 0 && number <= UINT32_MAX) {
        out->has_watch_delay = true;
        out->watch_delay_ms = (uint32_t)number;
    } else if (span_is(name, "absent") && span_to_int(value, &number) && number >= 0 &&
               number <= BOT_LEVEL_MAX) {
        out->has_absent = true;
        out->absent_level = (uint8_t)number;
    } else if (span_is(name, "bots"))
        lounge_note_read_bots(value, out->bot_level);
    else if (span_is(name, "rematch") && !table_code_parse(value, &out->rematch_of))
        out->rematch_of = 0;
    else if (span_is(name, "cup") && !table_code_parse(value, &out->cup))
        out->cup = 0;
    else if (span_is(name, "from"))
        lounge_note_read_from(value, out);
}

void lounge_note_read(const char *text, struct lounge_note *out) {
    struct span rest = span_of(text), name, value;
    *out = (struct lounge_note){0};
    while (lounge_note_take_pair(&rest, &name, &value))
        read_pair(name, value, out);
}

static void lounge_note_append(char text[EVENT_NOTE_BYTES_MAX + 1], const char *name, const char *value) {
    size_t used = strlen(text);
    snprintf(text + used, EVENT_NOTE_BYTES_MAX + 1 - used, "%s%s=%s", used == 0 ? "" : "&", name, value);
}

static void lounge_note_append_ms(char text[EVENT_NOTE_BYTES_MAX + 1], const char *name, uint32_t ms) {
    char value[16];
    snprintf(value, sizeof value, "%" PRIu32, ms);
    if (ms > 0)
        lounge_note_append(text, name, value);
}

void lounge_note_format(const struct lounge_note *note, char text[EVENT_NOTE_BYTES_MAX + 1]) {
    char value[2 * DIGEST_BYTES + 1], code[TABLE_CODE_CHARS + 1];
    text[0] = '\0';
    if (note->has_owner) {
        digest_format(&note->owner, value);
        lounge_note_append(text, "owner", value);
    }
    if (note->has_home) {
        digest_format(&note->home, value);
        lounge_note_append(text, "home", value);
    }
    if (note->has_key) {
        digest_format(&note->key, value);
        lounge_note_append(text, "key", value);
        snprintf(value, sizeof value, "%" PRId64, (int64_t)note->body);
        lounge_note_append(text, "body", value);
    }
    if (note->is_private)
        lounge_note_append(text, "private", "1");
    if (note->is_inspected)
        lounge_note_append(text, "inspect", "1");
    lounge_note_append_ms(text, "turn", note->clocks.turn_ms);
    lounge_note_append_ms(text, "time", note->clocks.game_ms);
    lounge_note_append_ms(text, "more", note->clocks.increment_ms);
    if (note->has_watch_delay) {
        snprintf(value, sizeof value, "%" PRIu32, note->watch_delay_ms);
        lounge_note_append(text, "delay", value);
    }
    if (note->has_absent) {
        snprintf(value, sizeof value, "%u", note->absent_level);
        lounge_note_append(text, "absent", value);
    }
    size_t used = 0;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if (note->bot_level[seat] != 0)
            used += (size_t)snprintf(value + used, sizeof value - used, "%s%u:%u", used == 0 ? "" : ".", seat,
                                     note->bot_level[seat]);
    if (used > 0)
        lounge_note_append(text, "bots", value);
    if (note->rematch_of != 0) {
        table_code_format(note->rematch_of, code);
        lounge_note_append(text, "rematch", code);
    }
    if (note->cup != 0) {
        table_code_format(note->cup, code);
        lounge_note_append(text, "cup", code);
    }
    if (note->from_table != 0) {
        table_code_format(note->from_table, code);
        snprintf(value, sizeof value, "%s:%" PRIu64, code, note->from_version);
        lounge_note_append(text, "from", value);
    }
}

void lounge_bot_note(unsigned level, char note[LOUNGE_BOT_NOTE_BYTES]) {
    snprintf(note, LOUNGE_BOT_NOTE_BYTES, LOUNGE_BOT " %u", level % 10);
}

struct lounge_face lounge_face_of(const char *table_protocol, const char *name, const char *note) {
    struct span text = span_of(note);
    if (name[0] == '\0')
        return (struct lounge_face){LOUNGE_FREE, table_protocol, 0};
    if (span_is(text, LOUNGE_PROTOCOL))
        return (struct lounge_face){LOUNGE_PERSON, LOUNGE_PROTOCOL, 0};
    if (span_is(text, LOUNGE_BOT)) /* one of the table's own protocol */
        return (struct lounge_face){LOUNGE_MACHINE, LOUNGE_BOT, 0};
    if (text.size == 5 && memcmp(text.data, LOUNGE_BOT " ", 4) == 0) {
        unsigned level = (unsigned)(text.data[4] - '0');
        if (level >= BOT_LEVEL_MIN && level <= BOT_LEVEL_MAX)
            return (struct lounge_face){LOUNGE_MACHINE, LOUNGE_BOT, level};
    }
    return (struct lounge_face){LOUNGE_PERSON, table_protocol, 0};
}
