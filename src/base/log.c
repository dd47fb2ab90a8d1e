#include "base/log.h"

#include "base/buf.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *const level_words[] = {"debug", "info", "warn", "error"};
static _Atomic enum log_level log_least = LOG_INFO;
static struct buf log_line;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER; /* the store's writer logs too */

void log_set_level(enum log_level level) {
    log_least = level;
}

bool log_level_parse(const char *word, enum log_level *out) {
    for (int i = 0; i < 4; i++)
        if (strcmp(word, level_words[i]) == 0) {
            *out = (enum log_level)i;
            return true;
        }
    return false;
}

static void log_append_quoted(struct buf *b, struct span text) {
    buf_append_byte(b, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || c == '\\') {
            buf_append_byte(b, '\\');
            buf_append_byte(b, (char)c);
        } else if (c < 0x20 || c == 0x7f) {
            buf_printf(b, "\\x%02x", c);
        } else {
            buf_append_byte(b, (char)c);
        }
    }
    buf_append_byte(b, '"');
}

void log_fields(enum log_level level, const char *event, const struct log_field *fields) {
    if (level < log_least)
        return;
    int64_t now = clock_wall_ms();
    time_t seconds = (time_t)(now / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    pthread_mutex_lock(&log_lock);
    struct buf *b = &log_line;
    buf_clear(b);
    buf_printf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ %s %s", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
               tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(now % 1000), level_words[level], event);
    for (; fields->name != NULL; fields++) {
        buf_printf(b, " %s=", fields->name);
        if (fields->text.data != NULL)
            log_append_quoted(b, fields->text);
        else
            buf_append_int(b, fields->number);
    }
    buf_append_byte(b, '\n');
    /* A log that cannot be written must not stop the server. */
    ssize_t written = write(STDERR_FILENO, b->data, b->size);
    (void)written;
    pthread_mutex_unlock(&log_lock);
}
