/* Why a seat is lost or given up: what the journal keeps of it, whoever judged it. */
#include "host/table/internal.h"

#include "base/utf8.h"

#include <string.h>

/* As much of a text as has room, whole characters. */
static void loss_text_keep(struct span text, char *out, size_t bytes_max) {
    size_t kept = 0;
    for (struct span rest = text; rest.size > 0;) {
        int32_t point = utf8_next(&rest);
        if (point <= 0 || text.size - rest.size > bytes_max)
            break;
        kept = text.size - rest.size;
    }
    if (kept > 0)
        memcpy(out, text.data, kept);
    out[kept] = '\0';
}

struct event_forfeit table_loss_of_breach(const struct game *game, unsigned seat,
                                          const struct table_breach *breach) {
    struct event_forfeit forfeit = {.seat = seat, .reason = REASON_VIOLATION};
    const struct err_row *row = game_refusal(game, breach->why);
    struct span words = breach->words.size > 0 ? breach->words : span_of(row->sentence);
    loss_text_keep(words, forfeit.why, EVENT_WHY_BYTES_MAX);
    loss_text_keep(span_of(row->rule), forfeit.rule, EVENT_RULE_BYTES_MAX);
    if (breach->sent.size > 0)
        loss_text_keep(breach->sent, forfeit.sent, EVENT_SENT_BYTES_MAX);
    return forfeit;
}

struct event_forfeit table_loss_of_cause(unsigned seat, enum event_reason reason,
                                         const struct table_cause *cause) {
    struct event_forfeit forfeit = {.seat = seat, .reason = reason};
    if (cause == NULL || cause->words == NULL)
        return forfeit;
    forfeit.stamps.allowed_ms = cause->allowed_ms;
    loss_text_keep(span_of(cause->words), forfeit.why, EVENT_WHY_BYTES_MAX);
    if (cause->rule != NULL && forfeit.why[0] != '\0')
        loss_text_keep(span_of(cause->rule), forfeit.rule, EVENT_RULE_BYTES_MAX);
    return forfeit;
}

void table_loss_stamp(const struct table *t, struct event_forfeit *forfeit) {
    if (forfeit->reason == REASON_RESIGNED) /* no clock had a part in it */
        return;
    uint32_t allowed_ms = forfeit->stamps.allowed_ms;
    forfeit->has_stamps = true;
    table_clock_stamps(t, forfeit->seat, allowed_ms, &forfeit->stamps);
    /* Another clock has judged it, which may have been told the time a little later. */
    if (forfeit->reason == 0 && forfeit->stamps.used_ms < allowed_ms)
        forfeit->stamps.used_ms = allowed_ms;
}
