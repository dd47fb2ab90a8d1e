/* Structured log on standard error, one line per event:
 *
 *     2026-11-15T20:15:00.123Z info login nick="ann" type="paper-soccer"
 *
 * Texts are quoted and escaped here, so that nothing a client sends can forge a line or a field. What a
 * player does wrong is told to the player and counted; it is not logged above debug.
 *
 * Logging never waits. When whoever reads standard error does not keep up, lines are dropped and counted, and
 * the next line that fits says how many: "log-dropped lines=42". */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/span.h"

enum { LOG_LINE_BYTES_MAX = 4096 }; /* what a pipe takes whole or not at all; the rest of a line is cut off */

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

struct log_field {
    const char *name; /* NULL ends the list */
    struct span text; /* used when data is not NULL */
    int64_t number;
};

#define LOG_TEXT(name, value) ((struct log_field){(name), (value), 0})
#define LOG_INT(name, value)  ((struct log_field){(name), {NULL, 0}, (value)})

/* log_event(LOG_INFO, "login", LOG_TEXT("nick", nick), LOG_INT("table", 3)); */
#define log_event(level, event, ...)                                                                         \
    log_fields((level), (event), (struct log_field[]){__VA_ARGS__ __VA_OPT__(, ){NULL, {NULL, 0}, 0}})

void log_fields(enum log_level level, const char *event, const struct log_field *fields);

/* For what may come in masses: at most one line in LOG_PACE_MS for each pace, zeroed at first. True: the line
 * may be written, and has to say that it happened so many times since the last one. */
enum { LOG_PACE_MS = 10 * 1000 };
struct log_pace {
    uint64_t next_ms, times;
};
bool log_may(struct log_pace *, uint64_t *times);

/* Lines that were written or dropped so far, from any thread. */
struct log_figures {
    uint64_t lines[LOG_ERROR + 1], dropped;
};
void log_figures(struct log_figures *out);

/* Says how many lines were dropped, if any were and there is room now. To be called now and then, so that it
 * is said also when nothing else is. */
void log_settle(void);

/* Events below this level are dropped; LOG_INFO at the start. */
void log_set_level(enum log_level level);

/* How lines are written (base/log_form.h); LOG_FORM_TEXT at the start. Those of the journal of systemd go to
 * its socket at this path, or, while nobody is there, to standard error with their priority before them. */
#define LOG_JOURNAL_PATH "/run/systemd/journal/socket"
enum log_form { LOG_FORM_TEXT, LOG_FORM_JSON, LOG_FORM_JOURNAL };
void log_set_form(enum log_form, const char *journal_path);

/* Whether standard error leads to the journal of systemd (JOURNAL_STREAM). */
bool log_is_journal(void);

/* "debug", "info", "warn", "error"; false when it is none of them. */
bool log_level_parse(const char *word, enum log_level *out);

#endif
