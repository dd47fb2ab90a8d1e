#include "host/championship/fold.h"

#include "base/mem.h"

_Static_assert((int)EVENT_ENTRANTS_MAX == (int)CHAMPIONSHIP_ENTRANTS_MAX, "the journal has room for all");

void championship_fold_init(struct championship_fold *f, uint64_t id) {
    *f = (struct championship_fold){.id = id};
}

void championship_fold_free(struct championship_fold *f) {
    mem_free(f->entrants);
    championship_free(f->standing);
    *f = (struct championship_fold){0};
}

static enum err championship_fold_refuse(struct championship_fold *f, enum err e, const char *complaint) {
    f->complaint = complaint;
    return e;
}

static enum err take_first(struct championship_fold *f, const struct event *event) {
    struct event_championship about;
    if (f->about.format != 0)
        return championship_fold_refuse(f, ERR_EVENT_ORDER, "a second beginning");
    if (event_championship_read(event->body, &about) != ERR_OK)
        return championship_fold_refuse(f, ERR_MALFORMED,
                                        "the championship cannot be read, or is of a newer format");
    f->about = about;
    f->entrants = mem_alloc(about.entrants * sizeof *f->entrants);
    return ERR_OK;
}

static enum err take_entrant(struct championship_fold *f, const struct event *event) {
    struct event_entrant entrant;
    if (event_entrant_read(event->body, &entrant) != ERR_OK)
        return championship_fold_refuse(f, ERR_MALFORMED, "the entrant cannot be read");
    if (f->entered == f->about.entrants)
        return championship_fold_refuse(f, ERR_EVENT_ORDER, "more entrants than it is for");
    f->entrants[f->entered++] = entrant;
    if (f->entered == f->about.entrants)
        f->standing = championship_create(f->entered);
    return ERR_OK;
}

static enum err championship_fold_take_pair(struct championship_fold *f, const struct event *event) {
    struct event_pair pair;
    if (event_pair_read(event->body, &pair) != ERR_OK)
        return championship_fold_refuse(f, ERR_MALFORMED, "the pair cannot be read");
    const struct pair_result result = {pair.a, pair.b, pair.a_won, pair.a_lost, pair.b_won, pair.b_lost};
    if (!championship_pair_restore(f->standing, &result))
        return championship_fold_refuse(f, ERR_EVENT_ORDER,
                                        "a pair that does not exist or was decided before");
    return ERR_OK;
}

static enum err take_withdrawal(struct championship_fold *f, const struct event *event) {
    struct event_withdrawal withdrawal;
    if (event_withdrawal_read(event->body, &withdrawal) != ERR_OK)
        return championship_fold_refuse(f, ERR_MALFORMED, "the withdrawal cannot be read");
    if (!championship_leave_restore(f->standing, withdrawal.entrant))
        return championship_fold_refuse(f, ERR_EVENT_ORDER,
                                        "an entrant who does not exist or has left before");
    return ERR_OK;
}

static enum err take_close(struct championship_fold *f, const struct event *event) {
    struct event_close end;
    if (event_close_read(event->body, &end) != ERR_OK)
        return championship_fold_refuse(f, ERR_MALFORMED, "the end cannot be read");
    bool is_played = f->standing != NULL && championship_pairs_left(f->standing) == 0; /* nobody came */
    if ((end.outcome == OUTCOME_PLAYED) != is_played)
        return championship_fold_refuse(f, ERR_RESULT_WRONG, NULL);
    f->close = end;
    f->is_closed = true;
    return ERR_OK;
}

static enum err championship_fold_take(struct championship_fold *f, const struct event *event) {
    if (event->kind != EVENT_CHAMPIONSHIP && f->about.format == 0)
        return championship_fold_refuse(f, ERR_EVENT_ORDER, "the first event is not that of a championship");
    if (f->is_closed)
        return championship_fold_refuse(f, ERR_EVENT_ORDER, "an event after the end");
    switch (event->kind) {
    case EVENT_CHAMPIONSHIP: return take_first(f, event);
    case EVENT_ENTRANT: return take_entrant(f, event);
    case EVENT_PAIR:
    case EVENT_WITHDRAWAL:
    case EVENT_CLOSE: break;
    default: return championship_fold_refuse(f, ERR_MALFORMED, "no such kind of event in a championship");
    }
    if (f->standing == NULL && (event->kind != EVENT_CLOSE || f->entered > 0))
        return championship_fold_refuse(f, ERR_EVENT_ORDER, "an entrant is missing");
    return event->kind == EVENT_PAIR         ? championship_fold_take_pair(f, event)
           : event->kind == EVENT_WITHDRAWAL ? take_withdrawal(f, event)
                                             : take_close(f, event);
}

enum err championship_fold_event(struct championship_fold *f, const struct event *event) {
    if (!event_is_next(event, f->id, f->last_seq, &f->last_hash, &f->complaint))
        return ERR_CHAIN;
    enum err e = championship_fold_take(f, event);
    if (e != ERR_OK)
        return e;
    f->last_seq = event->seq;
    f->last_hash = event->hash;
    return ERR_OK;
}

const char *championship_fold_nick(const struct championship_fold *f, uint32_t entrant) {
    return entrant < f->entered ? f->entrants[entrant].nick : "?";
}
