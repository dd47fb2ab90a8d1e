#include "base/log.h"

#include "base/clock.h"
#include "base/log_form.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const level_words[] = {"debug", "info", "warn", "error"};
static _Atomic enum log_level log_least = LOG_INFO;
static struct buf log_line;
static enum log_form log_form = LOG_FORM_TEXT;
static int log_journal = -1; /* a socket to send from; -1: lines go to standard error */
static struct sockaddr_un log_journal_address;
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

enum log_taken { LOG_TAKEN, LOG_IS_FULL, LOG_IS_GONE };

/* A datagram is taken whole or not at all. Each says where it goes: a journal that was started again has it,
 * and the server connects to nobody once it has few rights. */
static enum log_taken log_put_journal(struct span datagram) {
    ssize_t sent = sendto(log_journal, datagram.data, datagram.size, MSG_DONTWAIT | MSG_NOSIGNAL,
                          (const struct sockaddr *)&log_journal_address, sizeof log_journal_address);
    return sent > 0 ? LOG_TAKEN : errno == EAGAIN ? LOG_IS_FULL : LOG_IS_GONE;
}

static bool log_emit(enum log_level level, const char *event, const struct log_field *fields) {
    const struct log_line line = {level, event, fields, clock_wall_ms()};
    struct buf *b = &log_line;
    buf_clear(b);
    switch (log_form) {
    case LOG_FORM_JSON: log_form_json(b, &line); break;
    case LOG_FORM_JOURNAL:
        if (log_journal >= 0) {
            log_form_journal(b, &line);
            enum log_taken taken = log_put_journal(buf_span(b));
            if (taken != LOG_IS_GONE)
                return taken == LOG_TAKEN;
            buf_clear(b);
        }
        log_form_text(b, &line, true);
        break;
    case LOG_FORM_TEXT: log_form_text(b, &line, false); break;
    }
    return log_put(buf_span(b));
}

/* What has to be said before anything else. */
static bool log_catch_up(void) {
    if (log_is_torn && !log_put(SPAN("\n")))
        return false;
    if (log_dropped == 0)
        return true;
    const struct log_field fields[] = {LOG_INT("lines", (int64_t)log_dropped), {NULL, {NULL, 0}, 0}};
    if (!log_emit(LOG_WARN, "log-dropped", fields))
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
    if (log_emit(level, event, fields))
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

bool log_is_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat own;
    return stream != NULL && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
           fstat(STDERR_FILENO, &own) == 0 && own.st_dev == device && own.st_ino == inode;
}

void log_set_form(enum log_form form, const char *journal_path) {
    pthread_mutex_lock(&log_lock);
    if (form == LOG_FORM_JOURNAL) {
        if (log_journal < 0)
            log_journal = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        log_journal_address = (struct sockaddr_un){.sun_family = AF_UNIX};
        snprintf(log_journal_address.sun_path, sizeof log_journal_address.sun_path, "%s", journal_path);
    }
    log_form = form;
    pthread_mutex_unlock(&log_lock);
}
