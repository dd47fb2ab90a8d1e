#include "server/refused_log.h"

#include "base/log.h"

bool refused_log_may(struct refused_log *r, uint64_t now_ms) {
    if (now_ms >= r->since_ms + REFUSED_LOG_MS) {
        r->since_ms = now_ms;
        r->lines = 0;
    }
    if (r->lines >= REFUSED_LOG_MAX) {
        r->unsaid++;
        return false;
    }
    r->lines++;
    return true;
}

void refused_log_say(struct refused_log *r, const char *event, const char *listener, const char *peer,
                     const char *reason) {
    log_event(LOG_INFO, event, LOG_TEXT("listener", span_of(listener)), LOG_TEXT("peer", span_of(peer)),
              LOG_TEXT("reason", span_of(reason)), LOG_INT("unsaid", (int64_t)r->unsaid));
    r->unsaid = 0;
}
