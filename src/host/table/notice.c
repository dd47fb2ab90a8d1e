/* Whom a table tells what: its owner, those who watch it, and whoever listens to all tables. */
#include "base/log.h"
#include "base/mem.h"
#include "host/table/internal.h"

#include <assert.h>
#include <utlist.h>

/* Calls one function of every listener that has it: first that of all tables, then the owner, then those who
 * watch. */
#define TELL(t, function, ...)                                                                               \
    do {                                                                                                     \
        struct table_watch *watch_;                                                                          \
        if ((t)->tables->listener.function != NULL)                                                          \
            (t)->tables->listener.function((t)->tables->listener.context, __VA_ARGS__);                      \
        if ((t)->listener->function != NULL && !(t)->is_closed)                                              \
            (t)->listener->function((t)->listener_context, __VA_ARGS__);                                     \
        DL_FOREACH((t)->watches, watch_)                                                                     \
        if (watch_->listener->function != NULL && !watch_->is_over)                                          \
            watch_->listener->function(watch_->listener_context, __VA_ARGS__);                               \
    } while (0)

/* The log has one line when a table begins and one when it ends. */

static void log_begin(const struct table *t, const char *code) {
    log_event(LOG_INFO, "table-began", LOG_TEXT("table", span_of(code)),
              LOG_TEXT("game", span_of(t->fold.game->name)), LOG_TEXT("protocol", span_of(table_protocol(t))),
              LOG_INT("seats", t->fold.setup.options.seat_count));
}

static void log_end(const struct table *t, const char *code) {
    const struct event_result *result = t->fold.result;
    bool is_forfeit = result->outcome == OUTCOME_FORFEITED;
    struct buf points = {0};
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        buf_printf(&points, "%s%d", seat == 0 ? "" : " ", (int)result->points[seat]);
    log_event(LOG_INFO, "table-ended", LOG_TEXT("table", span_of(code)),
              LOG_TEXT("game", span_of(t->fold.game->name)), LOG_TEXT("protocol", span_of(table_protocol(t))),
              LOG_TEXT("outcome", span_of(record_outcome(result->outcome))),
              LOG_TEXT("why", span_of(is_forfeit ? record_reason(t->fold.loser_reason) : "")),
              LOG_TEXT("points", buf_span(&points)), LOG_INT("events", (int64_t)t->fold.last_seq));
    buf_free(&points);
}

void table_log(struct table *t) {
    bool is_begin = !t->is_begin_logged && table_free_seats(t) == 0;
    char code[TABLE_CODE_CHARS + 1];
    t->is_begin_logged = t->is_begin_logged || is_begin;
    if (!t->tells_own || (!is_begin && !t->fold.is_finished))
        return;
    table_code_format(t->id, code);
    if (is_begin)
        log_begin(t, code);
    t->figures->begun += is_begin;
    if (!t->fold.is_finished)
        return;
    t->figures->ended[t->fold.result->outcome]++;
    log_end(t, code);
}

static void tell_begin(struct table *t) {
    t->telling++;
}

/* Frees what has ended meanwhile. False when the table is among it. */
static bool tell_end(struct table *t) {
    struct table_watch *watch, *next;
    if (--t->telling > 0)
        return true;
    DL_FOREACH_SAFE(t->watches, watch, next)
    if (watch->is_over) {
        DL_DELETE(t->watches, watch);
        mem_free(watch);
    }
    if (!t->is_closed || t->request != NULL)
        return true;
    tables_remove(t);
    return false;
}

void table_tell_settled(struct table *t) {
    t->tables->change++;
    tell_begin(t);
    TELL(t, settled, t);
    if ((t->is_update_due || t->is_ahead_elsewhere) && !t->is_closed)
        nodes_table_update_now(t);
    if (tell_end(t) && !t->is_closed)
        table_do_wishes(t);
}

void table_tell_stalled(struct table *t) {
    tell_begin(t);
    TELL(t, stalled, t);
    tell_end(t);
}

void table_tell_refused(struct table *t, unsigned seat, enum err why) {
    t->telling++;
    TELL(t, refused, t, seat, why);
    t->telling--;
}

bool table_tell_late(struct table *t) {
    tell_begin(t);
    TELL(t, late, t);
    return tell_end(t);
}

void table_tell_closed(struct table *t) {
    struct table_watch *watch;
    t->tables->change++;
    t->telling++;
    TELL(t, closed, t);
    DL_FOREACH(t->watches, watch) watch->is_over = true;
    t->telling--;
}

void table_tell_late_watches_closed(struct table *t) {
    struct table_watch *watch;
    t->telling++;
    DL_FOREACH(t->watches, watch) {
        if (watch->listener->closed != NULL && !watch->is_over)
            watch->listener->closed(watch->listener_context, t);
        watch->is_over = true;
    }
    t->telling--;
}

static bool wants_steps(const struct table_listener *listener) {
    return listener->played != NULL || listener->attended != NULL;
}

/* Whether anybody wants to know the steps. */
static bool tells_steps(const struct table *t) {
    const struct table_watch *watch;
    DL_FOREACH(t->watches, watch)
    if (wants_steps(watch->listener))
        return true;
    return wants_steps(t->listener) || wants_steps(&t->tables->listener);
}

/* What it was before stands in tables->before, see fold_on. */
static void step_played(void *context, unsigned seat, const struct action *action) {
    struct table *t = context;
    const struct table_notice notice = {.table = t, .seat = seat};
    table_changed(t);
    t->tables->action = action;
    TELL(t, played, &notice);
    t->tables->action = NULL;
}

static void step_attended(void *context, unsigned seat, enum attendance attendance) {
    struct table *t = context;
    const struct table_notice notice = {.table = t, .seat = seat, .attendance = attendance};
    table_changed(t);
    TELL(t, attended, &notice);
}

/* Before the event counts, unless it is one of a seat: that is told with the new name. */
static void tell_happened(struct table *t, const struct event *event) {
    struct record record = {.event = event, .game = t->fold.game, .truth = t->fold.state};
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        record.names[seat] = t->fold.seats[seat]->name;
    TELL(t, happened, t, &record);
}

bool table_is_own(const struct table *t, const struct event *event) {
    const struct table_request *r = t->request;
    return r != NULL && r->count > 0 && event->seq >= r->events[0].seq &&
           event->seq - r->events[0].seq < r->count &&
           digest_equal(&r->events[event->seq - r->events[0].seq].hash, &event->hash);
}

/* What was judged on a copy before it was saved cannot be refused now; what another writer has saved may be
 * of rules that are not known here. The first events of a table are in its fold from the start. The hashes of
 * own events were made from the fold's last one. */
static void fold_on(struct table *t, const struct event *event, bool is_own) {
    struct tables *tables = t->tables;
    if (event->seq <= t->fold.last_seq)
        return;
    tables_make_room(tables, t->fold.game);
    struct fold_steps steps = {
        .before = tables->before, .trial = tables->trial, .is_chained = is_own, .context = t};
    if (!t->is_closed && tells_steps(t)) {
        steps.played = step_played;
        steps.attended = step_attended;
    }
    enum err e = fold_event_steps(&t->fold, event, &steps);
    assert(e == ERR_OK || !is_own);
    if (e != ERR_OK)
        table_log_broken(t->id, event->seq, t->fold.game, e);
    if (steps.played == NULL) /* otherwise with every step */
        table_changed(t);
}

static void notice_take_seat(struct table *t, const struct event *event, bool is_own) {
    struct event_seat guest;
    fold_on(t, event, is_own);
    if (event_seat_read(event->body, &guest) != ERR_OK)
        return;
    nodes_seat_changes(t, guest.seat);
    if (guest.name[0] == '\0' && t->is_online[guest.seat]) {
        t->is_online[guest.seat] = false;
        nodes_table_tell(t);
    }
    if (t->is_closed)
        return;
    tell_happened(t, event);
    TELL(t, sat, t, guest.seat);
}

void table_take_event(struct table *t, const struct event *event) {
    bool is_own = table_is_own(t, event);
    if (event->seq <= t->told_seq || (!is_own && (!t->is_opened || event->seq != t->fold.last_seq + 1)))
        return;
    t->told_seq = event->seq;
    t->tells_own = is_own;
    t->figures->moves += is_own && event->kind == EVENT_ACTION;
    t->telling++; /* what ends meanwhile is freed by table_tell_settled, which follows */
    if (event->kind == EVENT_SEAT) {
        notice_take_seat(t, event, is_own);
    } else {
        if (!t->is_closed)
            tell_happened(t, event);
        fold_on(t, event, is_own);
    }
    t->telling--;
}

bool table_tells_own(const struct table *t) {
    return t->tells_own;
}

bool table_last(const struct table *t, struct record *out) {
    if (t->is_opened)
        *out = record_last(&t->fold);
    return t->is_opened;
}

/* A handful at most: one for every struct of functions in the program. */
const struct table_listener *tables_voice(struct tables *tables, const struct table_listener *listener) {
    struct table_listener wanted = *listener;
    wanted.context = NULL;
    for (struct table_voice *v = tables->voices; v != NULL; v = v->next)
        if (memcmp(&v->listener, &wanted, sizeof wanted) == 0)
            return &v->listener;
    struct table_voice *voice = mem_alloc(sizeof *voice);
    voice->listener = wanted;
    LL_PREPEND(tables->voices, voice);
    return &voice->listener;
}

void table_listen(struct table *t, const struct table_listener *listener) {
    t->listener = tables_voice(t->tables, listener);
    t->listener_context = listener->context;
}

struct table_watch *table_watch(struct table *t, const struct table_listener *listener) {
    struct table_watch *watch = mem_alloc(sizeof *watch);
    watch->table = t;
    watch->listener = tables_voice(t->tables, listener);
    watch->listener_context = listener->context;
    DL_APPEND(t->watches, watch);
    return watch;
}

void table_unwatch(struct table_watch *watch) {
    struct table *t = watch->table;
    if (t->telling > 0) {
        watch->is_over = true;
        return;
    }
    DL_DELETE(t->watches, watch);
    mem_free(watch);
}

void table_free_watches(struct table *t) {
    struct table_watch *watch, *next;
    DL_FOREACH_SAFE(t->watches, watch, next) mem_free(watch);
    t->watches = NULL;
}

static void tell_presence(struct table *t, unsigned seat) {
    t->tables->change++;
    tell_begin(t);
    TELL(t, presence, t, seat);
    tell_end(t);
}

void table_set_online(struct table *t, unsigned seat, bool is_online) {
    assert(seat < t->fold.setup.options.seat_count);
    bool was_online = table_is_online(t, seat);
    if (t->is_online[seat] == is_online)
        return;
    t->is_online[seat] = is_online;
    nodes_table_tell(t);
    if (table_is_online(t, seat) != was_online)
        tell_presence(t, seat);
}

bool table_is_online_elsewhere(const struct table *t, unsigned seat) {
    return (t->elsewhere & SEAT_BIT(seat)) != 0;
}

bool table_is_online(const struct table *t, unsigned seat) {
    assert(seat < t->fold.setup.options.seat_count);
    return t->is_online[seat] || table_is_online_elsewhere(t, seat);
}

bool table_tells_remote(const struct table *t) {
    return t->is_remote;
}

void table_set_guests(struct table *t, unsigned count) {
    if (t->guests == count)
        return;
    t->guests = count;
    nodes_table_tell(t);
}

unsigned table_guests_elsewhere(const struct table *t) {
    return t->guests_elsewhere;
}

void table_set_elsewhere(struct table *t, seat_set seats, unsigned guests) {
    seat_set before = t->elsewhere;
    unsigned seat_count = t->fold.setup.options.seat_count, guests_before = t->guests_elsewhere;
    t->elsewhere = seats;
    t->guests_elsewhere = guests;
    if (t->is_closed)
        return;
    t->telling++;
    t->is_remote = true;
    for (unsigned seat = 0; seat < seat_count; seat++)
        if (((before ^ seats) & SEAT_BIT(seat)) != 0 && !t->is_online[seat])
            tell_presence(t, seat);
        else if ((seats & ~before & SEAT_BIT(seat)) != 0 && table_token(t, seat) == NULL)
            TELL(t, doubled, t, seat);
    if (guests != guests_before)
        TELL(t, guests, t);
    t->is_remote = false;
    tell_end(t);
}
