/* What list, show, export and verify share about the kinds of journals, and the words for those of
 * championships of the Universal Game System. */
#include "base/mem.h"
#include "cli/journal/tool.h"

#include <inttypes.h>

bool record_is_championship(const struct record *record) {
    return record->event_count > 0 &&
           (record->events[0].kind == EVENT_CHAMPIONSHIP || record->events[0].kind == EVENT_CUP);
}

void story_begin(struct story *s, const struct record *record) {
    bool is_cup = record->event_count > 0 && record->events[0].kind == EVENT_CUP;
    *s = (struct story){.is_championship = record_is_championship(record) && !is_cup, .is_cup = is_cup};
    fold_init(&s->table, record->table);
    championship_fold_init(&s->championship, record->table);
    cup_fold_init(&s->cup, record->table);
}

void story_end(struct story *s) {
    fold_free(&s->table);
    championship_fold_free(&s->championship);
    cup_fold_free(&s->cup);
}

enum err story_take(struct story *s, const struct event *event) {
    return s->is_cup            ? cup_fold_event(&s->cup, event)
           : s->is_championship ? championship_fold_event(&s->championship, event)
                                : fold_event(&s->table, event);
}

uint64_t story_last_seq(const struct story *s) {
    return s->is_cup ? s->cup.last_seq : s->championship.last_seq;
}

bool story_is_closed(const struct story *s) {
    return s->is_cup ? cup_fold_is_closed(&s->cup) : s->championship.is_closed;
}

const char *story_complaint(const struct story *s) {
    return s->is_cup ? s->cup.complaint : s->is_championship ? s->championship.complaint : s->table.complaint;
}

static const char *nick_of(const struct championship_fold *fold, uint32_t entrant,
                           char text[EVENT_NAME_BYTES_MAX + 1]) {
    name_text(championship_fold_nick(fold, entrant), text);
    return text;
}

static const char *share_word(bool won, bool lost) {
    return won ? "won" : lost ? "lost" : "neither won nor lost";
}

static bool pair_words(const struct championship_fold *fold, const struct event *event, struct buf *out) {
    struct event_pair pair;
    char a[EVENT_NAME_BYTES_MAX + 1], b[EVENT_NAME_BYTES_MAX + 1];
    if (event_pair_read(event->body, &pair) != ERR_OK)
        return false;
    buf_printf(out, "%s %s, %s %s", nick_of(fold, pair.a, a), share_word(pair.a_won, pair.a_lost),
               nick_of(fold, pair.b, b), share_word(pair.b_won, pair.b_lost));
    return true;
}

/* False when the event cannot be read. */
static bool championship_words(const struct championship_fold *fold, const struct event *event,
                               struct buf *out) {
    struct event_championship about;
    struct event_entrant entrant;
    struct event_withdrawal withdrawal;
    char name[EVENT_NAME_BYTES_MAX + 1];
    switch (event->kind) {
    case EVENT_CHAMPIONSHIP:
        if (event_championship_read(event->body, &about) != ERR_OK)
            return false;
        name_text(about.type, name);
        buf_printf(out, "%s", name);
        if (about.number != 0)
            buf_printf(out, "#%" PRIu64, about.number);
        buf_printf(out, ", for %u players", about.entrants);
        return true;
    case EVENT_ENTRANT:
        if (event_entrant_read(event->body, &entrant) != ERR_OK)
            return false;
        name_text(entrant.nick, name);
        buf_printf(out, "%s enters", name);
        return true;
    case EVENT_PAIR: return pair_words(fold, event, out);
    case EVENT_WITHDRAWAL:
        if (event_withdrawal_read(event->body, &withdrawal) != ERR_OK)
            return false;
        buf_printf(out, "%s is gone", nick_of(fold, withdrawal.entrant, name));
        return true;
    case EVENT_CLOSE: standing_words(fold, out); return true;
    default: return false;
    }
}

void story_words(const struct story *s, const struct event *event, bool knows_all, struct buf *out) {
    if (!s->is_championship && !s->is_cup)
        event_words(&s->table, event, knows_all, out);
    else if (s->is_cup ? !cup_words(&s->cup, event, out) : !championship_words(&s->championship, event, out))
        buf_append_text(out, "cannot be read");
}

void standing_words(const struct championship_fold *fold, struct buf *out) {
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (fold->standing == NULL) {
        buf_printf(out, "open for %u players", fold->about.entrants);
        return;
    }
    struct standing *rows = mem_alloc(fold->entered * sizeof *rows);
    championship_standings(fold->standing, rows);
    if (!fold->is_closed)
        buf_append_text(out, "running: ");
    for (size_t i = 0; i < fold->entered; i++)
        buf_printf(out, "%s%s %u:%u", i == 0 ? "" : ", ", nick_of(fold, (uint32_t)rows[i].entrant, name),
                   rows[i].won, rows[i].lost);
    size_t left = championship_pairs_left(fold->standing);
    if (left > 0)
        buf_printf(out, "; %zu games %s", left, fold->is_closed ? "undecided" : "to play");
    mem_free(rows);
}
