#include "host/cup/fold.h"

#include "base/mem.h"

#include <assert.h>

_Static_assert((int)EVENT_CUP_ENTRANTS_MAX == (int)CUP_ENTRANTS_MAX, "the journal has room for all entrants");
_Static_assert((int)EVENT_CUP_PAIRINGS_MAX == (int)CUP_PAIRINGS_MAX, "the journal has room for all pairings");
_Static_assert((int)EVENT_CUP_ROUND_MAX == (int)CUP_PLAN_MAX, "an event has room for a plan");

void cup_fold_init(struct cup_fold *f, uint64_t id) {
    *f = (struct cup_fold){.id = id};
}

void cup_fold_free(struct cup_fold *f) {
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++)
        mem_free(f->entrants[i]);
    for (uint32_t i = 0; i < f->sheet.pairing_count; i++)
        mem_free(f->records[i].texts);
    mem_free(f->entrants);
    mem_free(f->records);
    cup_sheet_free(&f->sheet);
    *f = (struct cup_fold){0};
}

static enum err cup_fold_refuse(struct cup_fold *f, enum err e, const char *complaint) {
    f->complaint = complaint;
    return e;
}

static enum err cup_fold_first(struct cup_fold *f, const struct event *event) {
    struct event_cup about;
    if (f->about.format != 0)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "a second beginning");
    if (event_cup_read(event->body, &about) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "the cup cannot be read, or is of a newer format");
    f->format = cup_format_of(about.number);
    if (f->format == NULL || about.options.seat_count < 2 || about.rounds > CUP_ROUNDS_MAX)
        return cup_fold_refuse(f, ERR_MALFORMED, "no such format, seats or rounds");
    f->about = about;
    f->phase = CUP_OPEN;
    f->created_ms = event->time_ms;
    f->sheet = (struct cup_sheet){.seats = about.options.seat_count, .rounds = about.rounds};
    return ERR_OK;
}

static enum err cup_fold_enter(struct cup_fold *f, const struct event *event) {
    struct event_cup_entrant about;
    if (event_cup_entrant_read(event->body, &about) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "the entrant cannot be read");
    bool is_late = f->phase != CUP_OPEN;
    uint32_t count = f->sheet.entrant_count;
    if ((is_late && !f->format->takes_late) || count == CUP_ENTRANTS_MAX)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "an entrant who comes too late, or one too many");
    if (cup_fold_named(f, span_of(about.name)) != count)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "two entrants of one name");
    f->entrants = mem_resize(f->entrants, (count + 1) * sizeof *f->entrants);
    f->entrants[count] = mem_alloc(sizeof **f->entrants);
    f->entrants[count]->about = about;
    f->sheet.is_gone[count] = false;
    f->sheet.entrant_count++;
    return ERR_OK;
}

/* Before it begins the others move up. */
static void cup_fold_strike(struct cup_fold *f, uint32_t entrant) {
    uint32_t behind = --f->sheet.entrant_count - entrant;
    mem_free(f->entrants[entrant]);
    memmove(&f->entrants[entrant], &f->entrants[entrant + 1], behind * sizeof *f->entrants);
}

static enum err cup_fold_gone(struct cup_fold *f, const struct event *event) {
    struct event_cup_gone gone;
    if (event_cup_gone_read(event->body, &gone) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "who is gone cannot be read");
    if (gone.entrant >= f->sheet.entrant_count || f->sheet.is_gone[gone.entrant])
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "an entrant who does not exist or has gone before");
    if (f->phase == CUP_OPEN) {
        cup_fold_strike(f, gone.entrant);
        return ERR_OK;
    }
    f->sheet.is_gone[gone.entrant] = true;
    f->entrants[gone.entrant]->is_disqualified = gone.is_disqualified;
    memcpy(f->entrants[gone.entrant]->why, gone.why, sizeof gone.why);
    return ERR_OK;
}

static enum err cup_fold_step(struct cup_fold *f, const struct event *event) {
    static const struct {
        enum cup_state from, to;
    } steps[] = {[CUP_STEP_BEGIN] = {CUP_OPEN, CUP_RUNNING},
                 [CUP_STEP_PAUSE] = {CUP_RUNNING, CUP_PAUSED},
                 [CUP_STEP_RESUME] = {CUP_PAUSED, CUP_RUNNING}};
    enum event_cup_step step;
    if (event_cup_state_read(event->body, &step) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "the step cannot be read");
    if (f->phase != steps[step].from)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "a step that cannot come now");
    if (step == CUP_STEP_BEGIN && f->sheet.entrant_count < CUP_ENTRANTS_MIN)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "too few entrants");
    f->phase = steps[step].to;
    return ERR_OK;
}

static bool cup_fold_pairing_fits(const struct cup_fold *f, const struct event_cup_pairing *p) {
    bool fits = p->count <= f->sheet.seats && p->round >= 1 && (p->count == 1) == (p->table == 0);
    for (uint32_t a = 0; a < p->count; a++) {
        fits = fits && p->entrant[a] < f->sheet.entrant_count;
        for (uint32_t b = 0; b < a; b++)
            fits = fits && p->entrant[a] != p->entrant[b];
    }
    return fits;
}

static enum err cup_fold_round(struct cup_fold *f, const struct event *event) {
    struct event_cup_round *round = mem_alloc(sizeof *round);
    enum err e = event_cup_round_read(event->body, round);
    if (e != ERR_OK)
        (void)cup_fold_refuse(f, e, "the round cannot be read");
    bool fits = f->sheet.pairing_count + round->count <= CUP_PAIRINGS_MAX;
    for (uint32_t i = 0; i < round->count && e == ERR_OK; i++)
        fits = fits && cup_fold_pairing_fits(f, &round->pairings[i]);
    if (e == ERR_OK && !fits)
        e = cup_fold_refuse(f, ERR_EVENT_ORDER, "a pairing of those who are not there, or one too many");
    if (e == ERR_OK)
        f->records = mem_resize(f->records, (f->sheet.pairing_count + round->count) * sizeof *f->records);
    for (uint32_t i = 0; i < round->count && e == ERR_OK; i++) {
        const struct event_cup_pairing *p = &round->pairings[i];
        struct cup_pairing pairing = {.round = p->round, .count = p->count};
        memcpy(pairing.entrant, p->entrant, sizeof pairing.entrant);
        f->records[f->sheet.pairing_count] = (struct cup_record){
            .table = p->table, .loser = SEAT_WATCHER, .reason = "", .why = "", .rule = "", .sent = ""};
        cup_sheet_add(&f->sheet, &pairing);
    }
    mem_free(round);
    return e;
}

/* Copies a text behind the others, and moves on. */
static const char *cup_fold_text(char **at, const char *text) {
    size_t size = strlen(text) + 1;
    const char *copy = memcpy(*at, text, size);
    *at += size;
    return copy;
}

static void cup_fold_texts(struct cup_record *record, const struct event_cup_result *result) {
    size_t size = strlen(result->reason) + strlen(result->why) + strlen(result->rule) + strlen(result->sent);
    mem_free(record->texts);
    char *at = record->texts = mem_alloc(size + 4);
    record->reason = cup_fold_text(&at, result->reason);
    record->why = cup_fold_text(&at, result->why);
    record->rule = cup_fold_text(&at, result->rule);
    record->sent = cup_fold_text(&at, result->sent);
}

static enum err cup_fold_result(struct cup_fold *f, const struct event *event) {
    struct event_cup_result result;
    if (event_cup_result_read(event->body, &result) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "the result cannot be read");
    struct cup_pairing *p =
        result.pairing < f->sheet.pairing_count ? &f->sheet.pairings[result.pairing] : NULL;
    if (p == NULL || p->how != CUP_UNDECIDED || result.seat_count != p->count)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "a pairing that does not exist or was decided before");
    if (result.how != CUP_PLAYED && result.how != CUP_FORFEITED && result.how != CUP_WALKOVER)
        return cup_fold_refuse(f, ERR_MALFORMED, "a result of no kind");
    struct cup_record *record = &f->records[result.pairing];
    if (result.how == CUP_WALKOVER)
        cup_walkover(&f->sheet, p);
    else
        cup_share(p->count, result.results, p->points);
    p->how = (enum cup_how)result.how;
    record->loser = result.loser;
    memcpy(record->results, result.results, sizeof record->results);
    record->has_stamps = result.has_stamps;
    record->stamps = result.stamps;
    cup_fold_texts(record, &result);
    return ERR_OK;
}

bool cup_fold_may_replay(const struct cup_fold *f, uint32_t pairing) {
    const struct cup_sheet *s = &f->sheet;
    return pairing < s->pairing_count && s->pairings[pairing].count > 1 &&
           (!f->format->waits || s->pairings[pairing].round == cup_sheet_round(s));
}

static enum err cup_fold_replay(struct cup_fold *f, const struct event *event) {
    struct event_cup_replay replay;
    if (event_cup_replay_read(event->body, &replay) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "what is played again cannot be read");
    if (!cup_fold_may_replay(f, replay.pairing) || replay.table == 0)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "a pairing that cannot be played again");
    struct cup_pairing *p = &f->sheet.pairings[replay.pairing];
    struct cup_record *record = &f->records[replay.pairing];
    p->how = CUP_UNDECIDED;
    memset(p->points, 0, sizeof p->points);
    cup_fold_texts(record, &(struct event_cup_result){0});
    record->has_stamps = false;
    record->table = replay.table;
    record->loser = SEAT_WATCHER;
    record->replays++;
    return ERR_OK;
}

static bool cup_fold_is_played(const struct cup_fold *f) {
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    bool is_played = f->phase != CUP_OPEN && cup_sheet_is_decided(&f->sheet);
    if (is_played) {
        f->format->plan(&f->sheet, plan);
        is_played = plan->count == 0 || f->sheet.pairing_count + plan->count > CUP_PAIRINGS_MAX;
    }
    mem_free(plan);
    return is_played;
}

static enum err cup_fold_close(struct cup_fold *f, const struct event *event) {
    struct event_close end;
    if (event_close_read(event->body, &end) != ERR_OK)
        return cup_fold_refuse(f, ERR_MALFORMED, "the end cannot be read");
    if (end.outcome == OUTCOME_PLAYED && !cup_fold_is_played(f))
        return cup_fold_refuse(f, ERR_RESULT_WRONG, NULL);
    f->phase = end.outcome == OUTCOME_PLAYED ? CUP_OVER : CUP_CANCELLED;
    return ERR_OK;
}

static enum err cup_fold_take(struct cup_fold *f, const struct event *event) {
    if (event->kind != EVENT_CUP && f->about.format == 0)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "the first event is not that of a cup");
    if (cup_fold_is_closed(f))
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "an event after the end");
    bool is_early = f->phase == CUP_OPEN;
    switch (event->kind) {
    case EVENT_CUP: return cup_fold_first(f, event);
    case EVENT_CUP_ENTRANT: return cup_fold_enter(f, event);
    case EVENT_CUP_GONE: return cup_fold_gone(f, event);
    case EVENT_CUP_STATE: return cup_fold_step(f, event);
    case EVENT_CUP_CLOSE: return cup_fold_close(f, event);
    case EVENT_CUP_ROUND:
    case EVENT_CUP_RESULT:
    case EVENT_CUP_REPLAY: break;
    default: return cup_fold_refuse(f, ERR_MALFORMED, "no such kind of event in a cup");
    }
    if (is_early)
        return cup_fold_refuse(f, ERR_EVENT_ORDER, "it has not begun");
    return event->kind == EVENT_CUP_ROUND    ? cup_fold_round(f, event)
           : event->kind == EVENT_CUP_RESULT ? cup_fold_result(f, event)
                                             : cup_fold_replay(f, event);
}

enum err cup_fold_event(struct cup_fold *f, const struct event *event) {
    if (!event_is_next(event, f->id, f->last_seq, &f->last_hash, &f->complaint))
        return ERR_CHAIN;
    enum err e = cup_fold_take(f, event);
    if (e != ERR_OK)
        return e;
    f->last_seq = event->seq;
    f->last_hash = event->hash;
    f->last_ms = event->time_ms;
    return ERR_OK;
}

bool cup_fold_is_closed(const struct cup_fold *f) {
    return f->phase == CUP_OVER || f->phase == CUP_CANCELLED;
}

const char *cup_state_word(enum cup_state state) {
    static const char *const words[] = {[CUP_OPEN] = "open",
                                        [CUP_RUNNING] = "running",
                                        [CUP_PAUSED] = "paused",
                                        [CUP_OVER] = "finished",
                                        [CUP_CANCELLED] = "cancelled"};
    return words[state];
}

const char *cup_how_word(enum cup_how how) {
    static const char *const words[] = {[CUP_UNDECIDED] = "undecided",
                                        [CUP_PLAYED] = "played",
                                        [CUP_FORFEITED] = "forfeited",
                                        [CUP_WALKOVER] = "walkover",
                                        [CUP_BYE] = "bye"};
    return words[how];
}

uint32_t cup_fold_named(const struct cup_fold *f, struct span name) {
    uint32_t i = 0;
    while (i < f->sheet.entrant_count && !span_is(name, f->entrants[i]->about.name))
        i++;
    return i;
}

const char *cup_fold_name(const struct cup_fold *f, uint32_t entrant) {
    return entrant < f->sheet.entrant_count ? f->entrants[entrant]->about.name : "?";
}

uint32_t cup_fold_at(const struct cup_fold *f, uint64_t table) {
    uint32_t i = 0;
    while (i < f->sheet.pairing_count &&
           (f->records[i].table != table || f->sheet.pairings[i].how != CUP_UNDECIDED))
        i++;
    return i;
}

struct cup_standing *cup_fold_standings(const struct cup_fold *f) {
    uint32_t rank[CUP_ENTRANTS_MAX];
    struct cup_standing *rows = mem_alloc((f->sheet.entrant_count + 1) * sizeof *rows);
    if (f->format->rank != NULL)
        f->format->rank(&f->sheet, rank);
    cup_standings(&f->sheet, f->format->rank == NULL ? NULL : rank, rows);
    return rows;
}
