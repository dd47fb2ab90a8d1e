/* How a line of the log is written: for people and grep, as JSON, or as the fields of a journal. Whatever a
 * client sent is escaped here, so that nothing of it can end a line, forge a field or turn the direction of
 * the text on a terminal. */
#ifndef BASE_LOG_FORM_H
#define BASE_LOG_FORM_H

#include "base/buf.h"
#include "base/log.h"

struct log_line {
    enum log_level level;
    const char *event;
    const struct log_field *fields; /* ended by one without a name */
    int64_t at_ms;                  /* since 1970 */
};

/* Each appends the line, at most LOG_LINE_BYTES_MAX bytes with its end. Of a line that would be longer the
 * text form is cut off; of the others the fields are left out that have no room, and "cut" says that some
 * are.
 *
 * has_priority: "<6>" stands before it, by which the journal of systemd knows its level. */
void log_form_text(struct buf *, const struct log_line *, bool has_priority);
void log_form_json(struct buf *, const struct log_line *);
/* A datagram of the journal's own protocol: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, PARLOR_EVENT, and
 * PARLOR_NAME for every field. */
void log_form_journal(struct buf *, const struct log_line *);

#endif
