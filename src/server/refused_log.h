/* Lines of the log about peers that were refused before they were known: a few in a second, because strangers
 * can cause as many of these as they like. What is left out is counted, and said with the next line. */
#ifndef SERVER_REFUSED_LOG_H
#define SERVER_REFUSED_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum {
    REFUSED_LOG_MS = 1000,
    REFUSED_LOG_MAX = 10, /* lines in that time */
};

/* Zeroed at first. */
struct refused_log {
    uint64_t since_ms, unsaid;
    uint32_t lines;
};

/* There is to be a line now. When it is false it is counted as left out. */
bool refused_log_may(struct refused_log *, uint64_t now_ms);

/* The line itself. */
void refused_log_say(struct refused_log *, const char *event, const char *listener, const char *peer,
                     const char *reason);

#endif
