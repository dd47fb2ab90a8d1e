/* What comes next in a cup: results of tables that are over are written down, entrants who have gone lose
 * what they play, the next round is planned, and tables are opened, so many at a time and one for each
 * entrant. It looks at what there is each time anew, so that a restart, or another node, goes on without a
 * trace. */
#include "host/cup/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

/* Tables that are watched. */

static struct cup_place *cup_place_of(const struct cup *c, uint32_t pairing) {
    struct cup_place *p;
    DL_FOREACH(c->places, p)
    if (p->pairing == pairing && p->table == c->fold.records[pairing].table)
        return p;
    return NULL;
}

static void cup_place_free(struct cup_place *p) {
    if (p->watch != NULL)
        table_unwatch(p->watch);
    DL_DELETE(p->cup->places, p);
    mem_free(p);
}

void cup_places_free(struct cup *c) {
    while (c->places != NULL)
        cup_place_free(c->places);
}

static void cup_place_settled(void *context, struct table *table) {
    struct cup_place *p = context;
    (void)table;
    p->cup->cups->now_ms = tables_now_ms(p->cup->cups->config.tables);
    cup_pump(p->cup);
}

static void cup_place_closed(void *context, struct table *table) {
    struct cup_place *p = context;
    struct cup *c = p->cup;
    (void)table;
    p->watch = NULL;
    cup_retry(c);
}

static void cup_place_add(struct cup *c, uint32_t pairing, struct table *table) {
    struct cup_place *p = mem_alloc(sizeof *p);
    p->cup = c;
    p->pairing = pairing;
    p->table = table_id(table);
    p->since_ms = c->cups->now_ms;
    p->watch = table_watch(
        table,
        &(struct table_listener){.context = p, .settled = cup_place_settled, .closed = cup_place_closed});
    DL_APPEND(c->places, p);
}

bool cups_is_open(const struct cups *cups, const struct cup_fold *f, uint32_t pairing, uint32_t seat) {
    const struct table *t = tables_find(cups->config.tables, f->records[pairing].table);
    bool comes_by_itself = f->entrants[f->sheet.pairings[pairing].entrant[seat]]->about.is_client;
    return t != NULL && table_state_word(t) == TABLE_RUNNING &&
           (comes_by_itself || table_name(t, seat)[0] != '\0');
}

bool cups_is_played(const struct cups *cups, const struct cup_fold *f, uint32_t pairing) {
    const struct table *t = tables_find(cups->config.tables, f->records[pairing].table);
    return t != NULL && table_state_word(t) == TABLE_RUNNING && table_free_seats(t) == 0;
}

/* Results. */

/* What the table has of it, but for the end of a long text. */
static void cup_take_forfeit(const struct event_forfeit *forfeit, struct event_cup_result *result) {
    struct span sent = span_of(forfeit->sent);
    memcpy(result->why, forfeit->why, sizeof result->why);
    result->has_stamps = forfeit->has_stamps;
    if (!forfeit->has_stamps)
        return;
    result->stamps = forfeit->stamps;
    memcpy(result->rule, forfeit->rule, sizeof result->rule);
    while (sent.size > EVENT_CUP_SENT_BYTES_MAX)
        sent = utf8_without_last(sent);
    bool fits = span_copy(sent, result->sent, sizeof result->sent);
    assert(fits);
    (void)fits;
}

static bool cup_find_forfeit(void *context, const struct record *record) {
    struct event_cup_result *result = context;
    struct event_forfeit forfeit;
    if ((record->event->kind == EVENT_FORFEIT || record->event->kind == EVENT_TIMEOUT) &&
        event_forfeit_read(record->event->body, &forfeit) == ERR_OK && forfeit.seat == result->loser)
        cup_take_forfeit(&forfeit, result);
    return true;
}

/* The first of the events among which a forfeit stands that ended a table. */
static uint64_t cup_last_events(uint64_t last) {
    return last > 2 ? last - 2 : 1;
}

/* A sentence, also where the table has none. */
static void cup_result_reason(struct cup *c, const struct fold *fold, struct event_cup_result *result) {
    static const char *const sentences[] = {[0] = "ran out of time",
                                            [REASON_LEFT] = "left the table",
                                            [REASON_VIOLATION] = "broke the rules",
                                            [REASON_RESIGNED] = "resigned"};
    const char *name = fold->seats[fold->loser]->name;
    uint64_t table = fold->table, last = fold->last_seq;
    enum event_reason reason = fold->loser_reason;
    result->loser = fold->loser;
    snprintf(result->reason, sizeof result->reason, "%s", record_reason(reason));
    char sentence[EVENT_WHY_BYTES_MAX + 1];
    snprintf(sentence, sizeof sentence, "%s %s", name, sentences[reason]);
    history_read(c->cups->config.history, table, cup_last_events(last), last, cup_find_forfeit, result);
    if (result->why[0] == '\0')
        memcpy(result->why, sentence, sizeof result->why);
}

/* The table by its journal. Of one that is over everything is at hand that a result needs; NULL: it is waited
 * for (history_error), or there is none. */
static const struct fold *cup_history(struct cup *c, uint64_t table) {
    struct history *history = c->cups->config.history;
    const struct fold *fold = history_at(history, table, HISTORY_LAST);
    if (fold == NULL || !fold->is_finished)
        return fold;
    uint64_t last = fold->last_seq;
    return history_has(history, table, cup_last_events(last), last) == ERR_LATER
               ? NULL
               : history_at(history, table, HISTORY_LAST);
}

/* Notes how a finished table ended. One that came to nothing is played again, and when that does not help the
 * players share. */
static void cup_note_result(struct cup *c, uint32_t pairing, const struct fold *fold, struct cup_batch *b) {
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    struct event_cup_result result = {
        .pairing = pairing, .how = CUP_PLAYED, .seat_count = p->count, .loser = SEAT_WATCHER};
    struct buf body = {0};
    bool is_undecided = fold->result->outcome == OUTCOME_UNDECIDED;
    if (is_undecided && c->fold.records[pairing].replays < CUPS_REPLAYS_MAX) {
        event_cup_replay_write(&body, &(struct event_cup_replay){pairing, cup_new_table(c)});
        cup_batch_add(b, EVENT_CUP_REPLAY, &body);
        return;
    }
    if (is_undecided) {
        result.how = CUP_WALKOVER;
        snprintf(result.reason, sizeof result.reason, "undecided");
        snprintf(result.why, sizeof result.why, "the table ended without a result, more than once");
    } else {
        for (uint32_t seat = 0; seat < p->count; seat++)
            result.results[seat] = fold->result->points[seat];
    }
    if (fold->result->outcome == OUTCOME_FORFEITED && fold->loser < p->count) {
        result.how = CUP_FORFEITED;
        cup_result_reason(c, fold, &result);
    }
    event_cup_result_write(&body, &result);
    cup_batch_add(b, EVENT_CUP_RESULT, &body);
}

static bool cup_has_gone(const struct cup *c, const struct cup_pairing *p) {
    for (uint32_t seat = 0; seat < p->count; seat++)
        if (c->fold.sheet.is_gone[p->entrant[seat]])
            return true;
    return false;
}

static void cup_note_walkover(struct cup *c, uint32_t pairing, struct cup_batch *b) {
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    struct event_cup_result result = {
        .pairing = pairing, .how = CUP_WALKOVER, .seat_count = p->count, .loser = SEAT_WATCHER};
    struct buf body = {0};
    for (uint32_t seat = 0; seat < p->count && result.loser == SEAT_WATCHER; seat++)
        if (c->fold.sheet.is_gone[p->entrant[seat]])
            result.loser = seat;
    const struct cup_entrant *gone = c->fold.entrants[p->entrant[result.loser]];
    snprintf(result.reason, sizeof result.reason, gone->is_disqualified ? "disqualified" : "withdrew");
    memcpy(result.why, gone->why, sizeof result.why);
    event_cup_result_write(&body, &result);
    cup_batch_add(b, EVENT_CUP_RESULT, &body);
}

/* Somebody has not come to the table: whoever has wins it. The table is ended when that is on disk. */
static void cup_note_absence(struct cup *c, uint32_t pairing, const struct table *t, struct cup_batch *b) {
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    struct event_cup_result result = {
        .pairing = pairing, .how = CUP_FORFEITED, .seat_count = p->count, .loser = SEAT_WATCHER};
    struct buf body = {0};
    for (uint32_t seat = 0; seat < p->count; seat++) {
        result.results[seat] = table_name(t, seat)[0] != '\0';
        if (result.results[seat] == 0 && result.loser == SEAT_WATCHER)
            result.loser = seat;
    }
    snprintf(result.reason, sizeof result.reason, "absent");
    snprintf(result.why, sizeof result.why, "%s did not come to the table",
             cup_fold_name(&c->fold, p->entrant[result.loser]));
    event_cup_result_write(&body, &result);
    cup_batch_add(b, EVENT_CUP_RESULT, &body);
}

/* Who has gone loses the table that runs. A table that is busy is asked again when it has settled. */
static void cup_forfeit_gone(struct cup *c, const struct cup_pairing *p, struct table *t) {
    for (uint32_t seat = 0; seat < p->count; seat++)
        if (c->fold.sheet.is_gone[p->entrant[seat]] && table_free_seats(t) == 0 && !table_is_busy(t) &&
            !table_has_given_up(t, seat) && table_forfeit(t, seat, REASON_LEFT) == ERR_OK)
            return;
}

/* A look at everything that is undecided. */
struct cup_survey {
    struct cup *cup;
    struct cup_batch batch;
    bool is_busy[CUP_ENTRANTS_MAX]; /* sits at a table that runs, or is to be opened */
    uint32_t running;
    uint32_t opening[CUPS_TABLES_MAX]; /* pairings whose tables are to be opened */
    uint32_t opening_count;
};

static void cup_survey_seat(struct cup_survey *s, const struct cup_pairing *p) {
    for (uint32_t seat = 0; seat < p->count; seat++)
        s->is_busy[p->entrant[seat]] = true;
    s->running++;
}

/* Whether the table of a pairing could begin now. */
static bool cup_survey_may_open(const struct cup_survey *s, const struct cup_pairing *p) {
    const struct cup_fold *f = &s->cup->fold;
    bool may = f->phase == CUP_RUNNING && s->running < f->about.tables_max && s->running < CUPS_TABLES_MAX;
    for (uint32_t seat = 0; seat < p->count; seat++)
        may = may && !s->is_busy[p->entrant[seat]];
    return may;
}

/* Its table is not here: it has not been opened, or was over before a restart. */
static void cup_survey_absent(struct cup_survey *s, uint32_t pairing) {
    struct cup *c = s->cup;
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    bool has_gone = cup_has_gone(c, p);
    if (!has_gone && !cup_survey_may_open(s, p))
        return;
    const struct fold *fold = cup_history(c, c->fold.records[pairing].table);
    if (fold != NULL && fold->is_finished) {
        cup_note_result(c, pairing, fold, &s->batch);
    } else if (fold == NULL && history_error(c->cups->config.history) == ERR_LATER) {
        cup_survey_seat(s, p);
    } else if (fold != NULL || history_error(c->cups->config.history) != ERR_OK) {
        cup_survey_seat(s, p); /* another node has it, or nobody can tell */
        cup_retry(c);
    } else if (has_gone) {
        cup_note_walkover(c, pairing, &s->batch);
    } else {
        cup_survey_seat(s, p);
        s->opening[s->opening_count++] = pairing;
    }
}

static void cup_survey_running(struct cup_survey *s, uint32_t pairing, struct table *t) {
    struct cup *c = s->cup;
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    const struct cup_place *place = cup_place_of(c, pairing);
    if (table_state_word(t) != TABLE_RUNNING)
        return;
    if (table_free_seats(t) == 0) {
        cup_forfeit_gone(c, p, t);
    } else if (cup_has_gone(c, p)) {
        cup_note_walkover(c, pairing, &s->batch);
    } else if (c->cups->now_ms - place->since_ms >= CUPS_ARRIVAL_MS) {
        cup_note_absence(c, pairing, t, &s->batch);
    } else {
        cup_retry(c);
    }
}

/* Its table is here. */
static void cup_survey_present(struct cup_survey *s, uint32_t pairing, struct table *t) {
    struct cup *c = s->cup;
    const struct cup_pairing *p = &c->fold.sheet.pairings[pairing];
    if (cup_place_of(c, pairing) == NULL)
        cup_place_add(c, pairing, t);
    if (table_state_word(t) != TABLE_OVER) {
        cup_survey_seat(s, p);
        cup_survey_running(s, pairing, t);
        return;
    }
    const struct fold *fold = cup_history(c, table_id(t));
    if (fold != NULL && fold->is_finished)
        cup_note_result(c, pairing, fold, &s->batch);
    else if (history_error(c->cups->config.history) != ERR_LATER)
        cup_retry(c); /* it cannot be read at the moment */
}

/* Those who sit somewhere are known before anybody is asked to another table. */
static void cup_survey_all(struct cup_survey *s) {
    const struct cup_fold *f = &s->cup->fold;
    const struct tables *tables = s->cup->cups->config.tables;
    for (unsigned is_second = 0; is_second < 2; is_second++)
        for (uint32_t i = 0; i < f->sheet.pairing_count; i++) {
            struct table *t =
                f->sheet.pairings[i].how == CUP_UNDECIDED ? tables_find(tables, f->records[i].table) : NULL;
            if (t != NULL && is_second == 0)
                cup_survey_present(s, i, t);
            else if (t == NULL && is_second == 1 && f->sheet.pairings[i].how == CUP_UNDECIDED)
                cup_survey_absent(s, i);
        }
}

/* Tables of which the cup wants to know no more. */
static void cup_drop_places(struct cup *c) {
    struct cup_place *p, *next;
    DL_FOREACH_SAFE(c->places, p, next) {
        bool is_wanted = c->fold.sheet.pairings[p->pairing].how == CUP_UNDECIDED &&
                         c->fold.records[p->pairing].table == p->table;
        struct table *t = tables_find(c->cups->config.tables, p->table);
        bool runs = t != NULL && table_state_word(t) == TABLE_RUNNING;
        if (is_wanted && !cup_fold_is_closed(&c->fold)) {
            if (p->watch == NULL) /* it has gone, or another node opened another one */
                cup_place_free(p);
            continue;
        }
        if (runs && table_abandon(t) == ERR_BUSY)
            continue; /* as soon as it has settled */
        if (!runs || !table_is_busy(t))
            cup_place_free(p);
    }
}

/* Planning. */

static bool cup_plan_round(struct cup *c) {
    const struct cup_fold *f = &c->fold;
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    struct event_cup_round *round = mem_alloc(sizeof *round);
    struct cup_batch batch = {.cup = c};
    struct buf body = {0};
    bool is_decided = cup_sheet_is_decided(&f->sheet);
    if (is_decided || !f->format->waits)
        f->format->plan(&f->sheet, plan);
    if (f->sheet.pairing_count + plan->count > CUP_PAIRINGS_MAX)
        plan->count = 0;
    round->count = plan->count;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct cup_pairing *p = &plan->pairings[i];
        round->pairings[i] = (struct event_cup_pairing){
            .round = p->round, .count = p->count, .table = p->count == 1 ? 0 : cup_new_table(c)};
        memcpy(round->pairings[i].entrant, p->entrant, sizeof p->entrant);
    }
    if (plan->count > 0) {
        event_cup_round_write(&body, round);
        cup_batch_add(&batch, EVENT_CUP_ROUND, &body);
    } else if (is_decided) {
        event_close_write(&body, &(struct event_close){OUTCOME_PLAYED});
        cup_batch_add(&batch, EVENT_CUP_CLOSE, &body);
        log_event(LOG_INFO, "championship-over", LOG_TEXT("name", span_of(f->about.name)));
    }
    bool is_any = batch.count > 0;
    cup_batch_send(&batch);
    mem_free(round);
    mem_free(plan);
    return is_any;
}

static void cup_open_table(struct cup *c, uint32_t pairing) {
    const struct cup_fold *f = &c->fold;
    struct lounge_cup_order order = {.game = game_by_name(span_of(f->about.game)),
                                     .options = f->about.options,
                                     .clocks = {.turn_ms = f->about.turn_ms,
                                                .game_ms = f->about.game_ms,
                                                .increment_ms = f->about.increment_ms},
                                     .cup = f->id,
                                     .table = f->records[pairing].table};
    bool has_door = strcmp(f->about.protocol, LOUNGE_PROTOCOL) != 0;
    order.options.seat_count = f->sheet.pairings[pairing].count;
    order.door = has_door ? tables_door(c->cups->config.tables, span_of(f->about.protocol)) : NULL;
    enum err e = order.game == NULL || (has_door && order.door == NULL)
                     ? ERR_RULES_UNKNOWN
                     : lounge_open_cup(c->cups->config.lounge, &order, c->cups->now_ms);
    if (e == ERR_OK) {
        struct table *t = tables_find(c->cups->config.tables, order.table);
        if (t != NULL)
            cup_place_add(c, pairing, t);
        return;
    }
    log_event(LOG_WARN, "championship-waits", LOG_TEXT("name", span_of(f->about.name)),
              LOG_TEXT("why", span_of(err_word(e))));
    cup_retry(c);
}

/* What was lacking is at hand. */
static void cup_came(void *context) {
    struct cup *c = context;
    c->wait = NULL;
    c->cups->now_ms = tables_now_ms(c->cups->config.tables);
    cup_pump(c);
}

bool cup_direct(struct cup *c) {
    bool is_running = c->fold.phase == CUP_RUNNING;
    if (!tables_is_cared(c->cups->config.tables, c->fold.id))
        return false;
    cup_drop_places(c);
    if (!is_running && c->fold.phase != CUP_PAUSED)
        return false;
    struct cup_survey *s = mem_alloc(sizeof *s);
    struct history *history = c->cups->config.history;
    s->cup = s->batch.cup = c;
    history_begin(history);
    cup_survey_all(s);
    if (history_lacks(history) && c->wait == NULL)
        c->wait = history_wait(history, cup_came, c);
    bool is_sending = s->batch.count > 0;
    cup_batch_send(&s->batch);
    if (!is_sending && is_running)
        is_sending = cup_plan_round(c);
    for (uint32_t i = 0; i < s->opening_count && !is_sending; i++)
        cup_open_table(c, s->opening[i]);
    mem_free(s);
    return is_sending;
}
