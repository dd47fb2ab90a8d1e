#include "base/log.h"

#include "base/buf.h"
#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char *const level_words[] = {"debug", "info", "warn", "error"};
static _Atomic enum log_level log_least = LOG_INFO;
static struct buf log_line;
static uint64_t log_dropped; /* lines, since one could last be written */
static struct log_figures log_counts;
static bool log_is_torn;                                     /* a line was written in part */
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

static void log_append_begin(struct buf *b, enum log_level level, const char *event) {
    int64_t now = clock_wall_ms();
    time_t seconds = (time_t)(now / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    buf_printf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ %s %s", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
               tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(now % 1000), level_words[level], event);
}

/* Writes a line if that can be done at once. A pipe that has room takes as much as this whole; a socket is
 * asked not to wait; of anything else (a file, a terminal) there is room. Standard error may be somebody
 * else's, too, so how it is opened is not changed. */
static bool log_put(struct span line) {
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0)
        return false;
    ssize_t written = send(STDERR_FILENO, line.data, line.size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
        written = write(STDERR_FILENO, line.data, line.size);
    log_is_torn = written > 0 && (size_t)written < line.size;
    return written > 0;
}

/* What has to be said before anything else. */
static bool log_catch_up(void) {
    char text[64];
    if (log_is_torn && !log_put(SPAN("\n")))
        return false;
    if (log_dropped == 0)
        return true;
    struct buf *b = &log_line;
    buf_clear(b);
    log_append_begin(b, LOG_WARN, "log-dropped");
    snprintf(text, sizeof text, " lines=%" PRIu64 "\n", log_dropped);
    buf_append_text(b, text);
    if (!log_put(buf_span(b)))
        return false;
    log_dropped = 0;
    return true;
}

static void log_drop(void) {
    log_dropped++;
    log_counts.dropped++;
}

void log_settle(void) {
    pthread_mutex_lock(&log_lock);
    (void)log_catch_up();
    pthread_mutex_unlock(&log_lock);
}

void log_fields(enum log_level level, const char *event, const struct log_field *fields) {
    if (level < log_least)
        return;
    pthread_mutex_lock(&log_lock);
    if (!log_catch_up()) {
        log_drop();
        pthread_mutex_unlock(&log_lock);
        return;
    }
    struct buf *b = &log_line;
    buf_clear(b);
    log_append_begin(b, level, event);
    for (; fields->name != NULL; fields++) {
        buf_printf(b, " %s=", fields->name);
        if (fields->text.data != NULL)
            log_append_quoted(b, fields->text);
        else
            buf_append_int(b, fields->number);
    }
    if (b->size >= LOG_LINE_BYTES_MAX)
        b->size = LOG_LINE_BYTES_MAX - 1;
    buf_append_byte(b, '\n');
    if (log_put(buf_span(b)))
        log_counts.lines[level]++;
    else
        log_drop();
    pthread_mutex_unlock(&log_lock);
}

bool log_may(struct log_pace *pace, uint64_t *times) {
    uint64_t now_ms = clock_monotonic_ms();
    pace->times++;
    if (now_ms < pace->next_ms)
        return false;
    *times = pace->times;
    *pace = (struct log_pace){.next_ms = now_ms + LOG_PACE_MS};
    return true;
}

void log_figures(struct log_figures *out) {
    pthread_mutex_lock(&log_lock);
    *out = log_counts;
    pthread_mutex_unlock(&log_lock);
}
