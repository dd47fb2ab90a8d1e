#include "base/log_form.h"

#include "base/utf8.h"

#include <ctype.h>
#include <time.h>

static const char *const form_levels[] = {"debug", "info", "warn", "error"};
static const int form_priorities[] = {7, 6, 4, 3}; /* of syslog */

/* Behind the last field there is room for what ends the line. */
enum { FORM_END_BYTES = 16 };

/* A character that stands for itself in no form. */
static void form_escape(struct buf *b, const char *bytes, size_t size, int32_t point, bool is_json) {
    if (point < 0 && is_json)
        buf_append_text(b, "\\ufffd");
    else if (point < 0 || (point < 0x80 && !is_json))
        for (size_t i = 0; i < size; i++)
            buf_printf(b, "\\x%02x", (unsigned char)bytes[i]);
    else
        buf_printf(b, "\\u%04x", (unsigned)point); /* none of them lies beyond 16 bits */
}

static void form_quoted(struct buf *b, struct span text, bool is_json) {
    buf_append_byte(b, '"');
    while (text.size > 0) {
        const char *at = text.data;
        int32_t point = utf8_next(&text);
        struct span letter = span_make(at, (size_t)(text.data - at));
        if (point < 0 || !utf8_is_one_line(letter)) {
            form_escape(b, at, letter.size, point, is_json);
            continue;
        }
        if (point == '"' || point == '\\')
            buf_append_byte(b, '\\');
        buf_append(b, letter);
    }
    buf_append_byte(b, '"');
}

static void form_time(struct buf *b, int64_t at_ms) {
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    buf_printf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
               tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(at_ms % 1000));
}

static void form_value(struct buf *b, const struct log_field *field, bool is_json) {
    if (field->text.data != NULL)
        form_quoted(b, field->text, is_json);
    else
        buf_append_int(b, field->number);
}

/* The event and its fields, for people. */
static void form_words(struct buf *b, const struct log_line *l) {
    buf_append_text(b, l->event);
    for (const struct log_field *field = l->fields; field->name != NULL; field++) {
        buf_printf(b, " %s=", field->name);
        form_value(b, field, false);
    }
}

void log_form_text(struct buf *b, const struct log_line *l, bool has_priority) {
    if (has_priority)
        buf_printf(b, "<%d>", form_priorities[l->level]);
    form_time(b, l->at_ms);
    buf_printf(b, " %s ", form_levels[l->level]);
    form_words(b, l);
    if (b->size >= LOG_LINE_BYTES_MAX)
        b->size = LOG_LINE_BYTES_MAX - 1;
    buf_append_byte(b, '\n');
}

/* Takes a field back that has no room. */
static bool form_fits(struct buf *b, size_t before) {
    if (b->size <= LOG_LINE_BYTES_MAX - FORM_END_BYTES)
        return true;
    b->size = before;
    return false;
}

void log_form_json(struct buf *b, const struct log_line *l) {
    bool is_cut = false;
    buf_append_text(b, "{\"time\":\"");
    form_time(b, l->at_ms);
    buf_printf(b, "\",\"level\":\"%s\",\"event\":\"%s\"", form_levels[l->level], l->event);
    for (const struct log_field *field = l->fields; field->name != NULL; field++) {
        size_t before = b->size;
        buf_printf(b, ",\"%s\":", field->name);
        form_value(b, field, true);
        is_cut = !form_fits(b, before) || is_cut;
    }
    buf_append_text(b, is_cut ? ",\"cut\":true}\n" : "}\n");
}

static void form_journal_field(struct buf *b, const struct log_field *field) {
    buf_append_text(b, "PARLOR_");
    for (const char *c = field->name; *c != '\0'; c++)
        buf_append_byte(b, (char)toupper((unsigned char)*c));
    buf_append_byte(b, '=');
    size_t at = b->size;
    form_value(b, field, false);
    if (field->text.data != NULL) { /* the journal has fields of its own to keep texts apart */
        memmove(b->data + at, b->data + at + 1, b->size - at - 1);
        b->size -= 2;
    }
    buf_append_byte(b, '\n');
}

void log_form_journal(struct buf *b, const struct log_line *l) {
    bool is_cut = false;
    buf_printf(b,
               "PRIORITY=%d\nSYSLOG_IDENTIFIER=parlor\nPARLOR_EVENT=%s\nMESSAGE=", form_priorities[l->level],
               l->event);
    form_words(b, l);
    if (b->size > LOG_LINE_BYTES_MAX / 2)
        b->size = LOG_LINE_BYTES_MAX / 2;
    buf_append_byte(b, '\n');
    for (const struct log_field *field = l->fields; field->name != NULL; field++) {
        size_t before = b->size;
        form_journal_field(b, field);
        is_cut = !form_fits(b, before) || is_cut;
    }
    if (is_cut)
        buf_append_text(b, "PARLOR_CUT=1\n");
}
