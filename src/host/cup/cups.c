#include "host/cup/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/room/room.h"

#include <assert.h>
#include <utlist.h>

enum { CUP_CONFLICTS_MAX = 8 };

/* The journal. */

void cup_batch_add(struct cup_batch *b, enum event_kind kind, struct buf *body) {
    const struct cup_fold *fold = &b->cup->fold;
    b->events = mem_resize(b->events, (b->count + 1) * sizeof *b->events);
    const struct digest *before = b->count > 0         ? &b->events[b->count - 1].hash
                                  : fold->last_seq > 0 ? &fold->last_hash
                                                       : NULL;
    struct event *event = &b->events[b->count];
    *event = (struct event){.seq = fold->last_seq + ++b->count,
                            .time_ms = tables_journal_ms(b->cup->cups->config.tables),
                            .kind = kind,
                            .body = buf_span(body)};
    *body = (struct buf){0};
    event_chain(event, fold->id, before);
}

static void cup_batch_free(struct cup_batch *b) {
    for (size_t i = 0; i < b->count; i++)
        mem_free((void *)(uintptr_t)b->events[i].body.data);
    mem_free(b->events);
    *b = (struct cup_batch){.cup = b->cup};
}

static void cup_forget(struct cup *c) {
    struct cups *cups = c->cups;
    HASH_DELETE(by_id, cups->by_id, c);
    DL_DELETE(cups->all, c);
    timers_stop(&cups->timers, &c->retry);
    if (c->wait != NULL)
        history_wait_forget(c->wait);
    cup_places_free(c);
    while (c->queue != NULL) {
        struct cup_request *r = c->queue;
        DL_DELETE(c->queue, r);
        mem_free(r);
    }
    cup_fold_free(&c->fold);
    mem_free(c->lines);
    mem_free(c);
}

/* A cup that begins when so many others are at hand that one is forgotten ends after that one, because no
 * more than CUPS_MAX can run: whichever way they are read, they are forgotten in the order in which they
 * ended. */
_Static_assert(CUPS_OVER_MAX >= CUPS_MAX, "ratings count cups in the order of their ends");

/* Of those that are over the one that ended first goes. */
static void cups_trim(struct cups *cups) {
    struct cup *c, *oldest = NULL;
    size_t over = 0;
    DL_FOREACH(cups->all, c) {
        if (!cup_fold_is_closed(&c->fold))
            continue;
        over++;
        if (oldest == NULL || ratings_order(&c->fold, &oldest->fold) < 0)
            oldest = c;
    }
    if (over <= CUPS_OVER_MAX || oldest->is_sending || oldest->places != NULL)
        return;
    cup_count_off(oldest);
    cup_forget(oldest);
}

static void cup_changed(struct cup *c) {
    struct cups *cups = c->cups;
    cup_count(c);
    if (c->fold.last_seq > 0)
        cups->output.changed(cups->output.context, &c->fold);
    cup_pump(c);
    cups_trim(cups);
}

static void cup_retry_due(struct timer *timer, uint64_t now_ms) {
    struct cup *c = TIMER_OWNER(timer, struct cup, retry);
    c->cups->now_ms = now_ms;
    cup_pump(c);
}

void cup_retry(struct cup *c) {
    struct cups *cups = c->cups;
    if (!timer_is_armed(&c->retry))
        timers_arm(&cups->timers, &c->retry, cups->now_ms + CUPS_RETRY_MS, cup_retry_due);
}

static void cup_take(struct cup *c, const struct event *event) {
    if (c->is_broken || event->seq != c->fold.last_seq + 1)
        return;
    enum err e = cup_fold_event(&c->fold, event);
    if (e == ERR_OK)
        return;
    c->is_broken = true;
    table_log_broken(c->fold.id, event->seq, NULL, e);
}

/* What another node wrote, and has not been told. */

static bool cup_loaded_event(void *context, uint64_t id, const struct event *event) {
    (void)id;
    cup_take(context, event);
    return true;
}

static void cup_loaded(void *context, enum err e) {
    struct cup *c = context;
    c->is_loading = false;
    if (e != ERR_OK)
        cup_retry(c);
    else
        cup_changed(c);
}

static void cup_load(struct cup *c) {
    if (c->is_loading)
        return;
    c->is_loading = true;
    store_load(tables_store(c->cups->config.tables), &(struct store_load){.table = c->fold.id,
                                                                          .from_seq = c->fold.last_seq + 1,
                                                                          .visit = cup_loaded_event,
                                                                          .done = cup_loaded,
                                                                          .context = c});
}

/* Whoever asked first for something that was not saved is told so; what directs it is tried again. */
static void cup_append_failed(struct cup *c, enum err e) {
    bool is_conflict = e == ERR_CONFLICT && ++c->conflicts < CUP_CONFLICTS_MAX;
    bool is_new = c->fold.last_seq == 0;
    if (c->is_asked && (!is_conflict || is_new))
        cup_request_answer(c, ERR_BUSY,
                           "the server cannot save at the moment: nothing has happened, try again later");
    c->is_asked = false;
    if (is_new)
        cup_forget(c);
    else if (is_conflict)
        cup_load(c);
    else
        cup_retry(c);
}

static void cup_appended(void *context, enum err e) {
    struct cup *c = context;
    c->is_sending = false;
    if (e != ERR_OK) {
        cup_append_failed(c, e);
        return;
    }
    c->conflicts = 0;
    if (c->is_asked)
        cup_request_answer(c, ERR_OK, NULL);
    c->is_asked = false;
    cup_changed(c);
}

void cup_batch_send(struct cup_batch *b) {
    struct cup *c = b->cup;
    assert(!c->is_sending);
    if (b->count > 0) {
        c->is_sending = true;
        store_append(tables_store(c->cups->config.tables),
                     &(struct store_request){.table = c->fold.id,
                                             .expected_seq = c->fold.last_seq,
                                             .events = b->events,
                                             .event_count = b->count,
                                             .done = cup_appended,
                                             .context = c});
    }
    cup_batch_free(b);
}

struct cup *cup_find(const struct cups *cups, uint64_t id) {
    struct cup *c;
    HASH_FIND(by_id, cups->by_id, &id, sizeof id, c);
    return c;
}

static void cups_sweep(struct timer *, uint64_t now_ms);

static struct cup *cup_add(struct cups *cups, uint64_t id) {
    struct cup *c = mem_alloc(sizeof *c);
    if (!timer_is_armed(&cups->sweep)) /* it is not while there is no cup that could be deserted */
        timers_arm(&cups->timers, &cups->sweep, cups->now_ms + CUPS_SWEEP_MS, cups_sweep);
    c->cups = cups;
    cup_fold_init(&c->fold, id);
    HASH_ADD(by_id, cups->by_id, fold.id, sizeof id, c);
    DL_PREPEND(cups->all, c);
    return c;
}

/* Everything that is on disk, ours or another node's. What is our own is told when it is done. */
static void cups_commit(void *context, uint64_t id, const struct event *events, size_t count) {
    struct cups *cups = context;
    struct cup *c = cup_find(cups, id);
    cups->now_ms = tables_now_ms(cups->config.tables);
    if (c == NULL && events[0].seq > 1)
        return; /* it was over long ago, or cannot be read */
    if (c == NULL)
        c = cup_add(cups, id);
    if (events[0].seq > c->fold.last_seq + 1) {
        cup_load(c);
        return;
    }
    for (size_t i = 0; i < count; i++)
        cup_take(c, &events[i]);
    if (!c->is_sending && !c->is_loading)
        cup_changed(c);
}

/* What waits, then what comes next. */

void cup_pump(struct cup *c) {
    if (c->is_directing || c->is_broken || c->cups->is_stopped)
        return;
    while (!c->is_sending && !c->is_loading && c->queue != NULL) {
        struct cup_batch batch = {.cup = c};
        struct cup_request *r = c->queue;
        enum err e = cup_request_judge(c, r, &batch);
        c->is_asked = e == ERR_OK;
        if (e == ERR_OK) {
            cup_batch_send(&batch);
        } else {
            cup_batch_free(&batch);
            cup_request_answer(c, e, r->reason);
        }
    }
    if (c->is_sending || c->is_loading || c->fold.last_seq == 0)
        return;
    c->is_directing = true;
    cup_direct(c);
    c->is_directing = false;
}

/* Opening. */

static const char *cups_name_complaint(struct span name) {
    bool is_name = name.size > 0 && name.size <= CUPS_NAME_CHARS_MAX;
    for (size_t i = 0; i < name.size && is_name; i++) {
        char letter = name.data[i];
        bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                        (letter >= '0' && letter <= '9');
        is_name = is_plain || (i > 0 && (letter == '-' || letter == '_' || letter == '.'));
    }
    return is_name ? NULL : "name has from 1 to 50 letters and digits of ASCII, and - _ . behind the first";
}

/* Tables may have fewer seats when the entrants do not fill them all. */
static bool cups_game_fits(const struct cups_order *order) {
    struct game_options options = order->options;
    for (options.seat_count = 2; options.seat_count <= order->options.seat_count; options.seat_count++)
        if (game_options_check(order->game, &options) != ERR_OK)
            return false;
    return order->options.seat_count >= 2;
}

const char *cups_order_complaint(const struct cups_order *order) {
    const char *complaint = cups_name_complaint(order->name);
    if (complaint == NULL && !cups_game_fits(order))
        complaint =
            "seats: the game is not played by so many, or not by fewer, as tables that do not fill must be";
    return complaint;
}

static enum err cups_limits(const struct cups *cups, const struct address *opener) {
    const struct cup *c;
    size_t open = 0, own = 0;
    DL_FOREACH(cups->all, c) {
        if (cup_fold_is_closed(&c->fold))
            continue;
        open++;
        own += address_equal(&c->opener, opener) && !address_is_nobody(opener);
    }
    if (tables_is_draining(cups->config.tables))
        return ERR_DRAINING;
    return open >= CUPS_MAX || tables_is_scarce(cups->config.tables) ? ERR_TOO_MANY
           : own >= CUPS_ADDRESS_MAX                                 ? ERR_ADDRESS_FULL
                                                                     : ERR_OK;
}

static void cups_begin_opening(struct cups *cups, const struct cups_order *order, void *ticket) {
    struct cup *c = cup_add(cups, tables_new_id(cups->config.tables));
    struct cup_request *r = mem_alloc(sizeof *r);
    c->opener = order->opener;
    r->ticket = ticket;
    r->opens = true;
    r->about = (struct event_cup){.format = EVENT_FORMAT,
                                  .number = order->format,
                                  .options = order->options,
                                  .rounds = order->rounds,
                                  .turn_ms = order->clocks.turn_ms,
                                  .game_ms = order->clocks.game_ms,
                                  .increment_ms = order->clocks.increment_ms,
                                  .tables_max = order->tables_max};
    bool fits = span_copy(span_of(order->protocol), r->about.protocol, sizeof r->about.protocol) &&
                span_copy(order->name, r->about.name, sizeof r->about.name) &&
                span_copy(span_of(order->game->name), r->about.game, sizeof r->about.game);
    assert(fits);
    (void)fits;
    token_make(r->token, &r->about.owner);
    DL_APPEND(c->queue, r);
    c->queue_count++;
    cup_pump(c);
}

void cups_open(struct cups *cups, const struct cups_order *order, void *ticket, uint64_t now_ms) {
    cups->now_ms = now_ms;
    const char *reason = cups_order_complaint(order);
    if (reason == NULL && cups_find(cups, order->name) != NULL)
        reason = "name: there is a championship of this name";
    enum err e = reason == NULL ? cups_limits(cups, &order->opener) : ERR_FIELD_INVALID;
    if (e == ERR_OK)
        cups_begin_opening(cups, order, ticket);
    else if (ticket != NULL)
        cups->output.answer(cups->output.context, ticket, &(struct cups_answer){.why = e, .reason = reason});
}

/* Looking. */

static bool cup_is_known(const struct cup *c) {
    return c->fold.last_seq > 0 && !c->is_broken;
}

const struct cup_fold *cups_find(const struct cups *cups, struct span name) {
    const struct cup *c;
    const struct cup_fold *found = NULL;
    DL_FOREACH(cups->all, c) {
        if (cup_is_known(c) && span_is(name, c->fold.about.name))
            found = &c->fold;
    }
    return found;
}

const struct cup_fold *cups_at(const struct cups *cups, size_t index) {
    const struct cup *c;
    DL_FOREACH(cups->all, c)
    if (cup_is_known(c) && index-- == 0)
        return &c->fold;
    return NULL;
}

const struct cup_fold *cups_of(const struct cups *cups, uint64_t id) {
    const struct cup *c = cup_find(cups, id);
    return c == NULL || !cup_is_known(c) ? NULL : &c->fold;
}

bool cups_is_owner(const struct cup_fold *f, const struct digest *token) {
    return digest_equal(&f->about.owner, token);
}

uint32_t cups_entrant_of(const struct cup_fold *f, const struct digest *token) {
    uint32_t found = f->sheet.entrant_count;
    for (uint32_t i = 0; i < f->sheet.entrant_count; i++)
        if (f->entrants[i]->about.bot_level == 0 && digest_equal(&f->entrants[i]->about.token, token))
            found = i;
    return found;
}

bool cups_know_token(const struct cups *cups, const struct digest *token) {
    const struct cup *c;
    DL_FOREACH(cups->all, c)
    if (cup_is_known(c) && cups_entrant_of(&c->fold, token) < c->fold.sheet.entrant_count)
        return true;
    return ratings_know(&cups->ratings, token);
}

/* The steward of the lounge. */
static bool cups_guest(void *context, uint64_t cup, uint64_t table, unsigned seat, struct table_guest *out) {
    struct cups *cups = context;
    const struct cup *c = cup_find(cups, cup);
    uint32_t pairing = c == NULL ? 0 : cup_fold_at(&c->fold, table);
    if (c == NULL || pairing == c->fold.sheet.pairing_count || seat >= c->fold.sheet.pairings[pairing].count)
        return false;
    const struct event_cup_entrant *about =
        &c->fold.entrants[c->fold.sheet.pairings[pairing].entrant[seat]]->about;
    if (about->is_client)
        return false; /* it comes by itself */
    out->name = span_of(about->name);
    out->note = SPAN(LOUNGE_PROTOCOL);
    if (about->bot_level == 0) {
        out->token = &about->token;
        return true;
    }
    lounge_bot_note(about->bot_level, cups->note);
    out->note = span_of(cups->note);
    return true;
}

/* A seat of a cup is its entrant's: clients come by their names, and everybody else is brought by the lounge.
 */
static enum err cups_usher(void *context, const struct table *table, struct table_guest *guest) {
    struct cups *cups = context;
    struct lounge_note note;
    const char *text = table_house_note(table)[0] != '\0' ? table_house_note(table) : table_setup_note(table);
    if (strstr(text, "cup=") == NULL)
        return ERR_OK;
    lounge_note_read(text, &note);
    const struct cup *c = note.cup == 0 ? NULL : cup_find(cups, note.cup);
    if (c == NULL)
        return note.cup == 0 ? ERR_OK : ERR_SEAT_TAKEN;
    uint32_t pairing = cup_fold_at(&c->fold, table_id(table)), seat;
    uint32_t entrant = cup_fold_named(&c->fold, guest->name);
    if (pairing == c->fold.sheet.pairing_count || entrant == c->fold.sheet.entrant_count ||
        !cup_pairing_has(&c->fold.sheet.pairings[pairing], entrant, &seat))
        return ERR_SEAT_TAKEN;
    const struct event_cup_entrant *about = &c->fold.entrants[entrant]->about;
    bool is_brought = about->bot_level != 0
                          ? guest->note.size > 0 && guest->token == NULL
                          : guest->token != NULL && digest_equal(guest->token, &about->token);
    if (about->is_client ? span_is(guest->note, LOUNGE_PROTOCOL) : !is_brought)
        return ERR_SEAT_TAKEN;
    guest->seat = seat;
    guest->is_any_seat = false;
    return ERR_OK;
}

uint64_t cup_new_table(const struct cup *c) {
    struct tables *tables = c->cups->config.tables;
    const struct room *room = room_of_protocol(tables, c->fold.about.protocol);
    return room != NULL && room->policy.has_short_codes ? tables_new_short(tables) : tables_new_id(tables);
}

/* The way back after a restart. */

struct cups_found {
    struct cups *cups;
    struct buf ids; /* uint64_t, oldest first */
};

static bool cups_restore_row(void *context, const struct store_table *row) {
    struct cups_found *found = context;
    buf_append(&found->ids, span_make(&row->table, sizeof row->table));
    return true;
}

static bool cups_restore_event(void *context, uint64_t id, const struct event *event) {
    struct cups *cups = context;
    struct cup *c = cup_find(cups, id);
    if (c == NULL && event->kind != EVENT_CUP)
        return false; /* a championship of another kind */
    c = c == NULL ? cup_add(cups, id) : c;
    cup_take(c, event);
    return !c->is_broken;
}

static void cups_restore(struct cups *cups) {
    struct store *store = tables_store(cups->config.tables);
    struct cups_found found = {.cups = cups};
    enum err e = store_list(store, STORE_CHAMPIONSHIPS, cups_restore_row, &found);
    const uint64_t *ids = (const void *)found.ids.data;
    for (size_t i = 0; i < found.ids.size / sizeof *ids; i++) {
        e = store_read(store, ids[i], 1, cups_restore_event, cups);
        struct cup *c = cup_find(cups, ids[i]);
        if (e != ERR_OK && c != NULL) {
            c->is_broken = true;
            table_log_broken(ids[i], c->fold.last_seq + 1, NULL, e);
        }
        cups_trim(cups);
    }
    if (e != ERR_OK && found.ids.size == 0)
        log_event(LOG_ERROR, "championships-unread", LOG_TEXT("why", span_of(err_sentence(e))));
    buf_free(&found.ids);
}

static void cups_direct_all(void *context) {
    struct cups *cups = context;
    struct cup *c, *next;
    cups->now_ms = tables_now_ms(cups->config.tables);
    DL_FOREACH_SAFE(cups->all, c, next)
    cup_pump(c);
}

static bool cup_is_live(const struct cup *c) {
    return !c->is_broken && c->fold.phase != CUP_OVER && c->fold.phase != CUP_CANCELLED;
}

/* Cups that nobody wants any more. */
static bool cup_is_deserted(const struct cup *c) {
    int64_t idle_ms = tables_journal_ms(c->cups->config.tables) - c->fold.last_ms;
    bool is_waiting = c->fold.phase == CUP_OPEN || c->fold.phase == CUP_PAUSED;
    bool is_empty = c->fold.phase == CUP_OPEN && c->fold.sheet.entrant_count == 0;
    return cup_is_known(c) && !c->is_sending && c->queue == NULL &&
           tables_is_cared(c->cups->config.tables, c->fold.id) &&
           ((is_waiting && idle_ms > CUPS_IDLE_MS) || (is_empty && idle_ms > CUPS_EMPTY_MS));
}

static void cups_sweep(struct timer *timer, uint64_t now_ms) {
    struct cups *cups = TIMER_OWNER(timer, struct cups, sweep);
    struct cup *c, *next;
    bool is_any_live = false;
    cups->now_ms = now_ms;
    DL_FOREACH_SAFE(cups->all, c, next) {
        is_any_live = is_any_live || cup_is_live(c);
        if (!cup_is_deserted(c))
            continue;
        log_event(LOG_INFO, "championship-deserted", LOG_TEXT("name", span_of(c->fold.about.name)));
        cups_wish(cups, &(struct cups_wish){.kind = CUPS_CANCEL, .cup = c->fold.id}, NULL, now_ms);
    }
    if (is_any_live)
        timers_arm(&cups->timers, &cups->sweep, now_ms + CUPS_SWEEP_MS, cups_sweep);
}

struct cups *cups_create(const struct cups_config *config, const struct cups_output *output) {
    struct cups *cups = mem_alloc(sizeof *cups);
    cups->config = *config;
    cups->output = *output;
    cups->now_ms = tables_now_ms(config->tables);
    tables_hear_cups(config->tables, cups_commit, cups);
    tables_greet(config->tables, &(struct tables_greeter){.context = cups, .company = cups_direct_all});
    lounge_set_steward(config->lounge, &(struct lounge_steward){cups, cups_guest});
    tables_set_usher(config->tables, cups_usher, cups);
    cups_restore(cups);
    cups_recount(cups);
    struct cup *c;
    DL_FOREACH(cups->all, c) /* once the time is known */
    timers_arm(&cups->timers, &c->retry, 0, cup_retry_due);
    return cups;
}

void cups_free(struct cups *cups) {
    static const struct lounge_steward nobody;
    tables_hear_cups(cups->config.tables, NULL, NULL);
    tables_ungreet(cups->config.tables, cups);
    lounge_set_steward(cups->config.lounge, &nobody);
    tables_set_usher(cups->config.tables, NULL, NULL);
    while (cups->all != NULL)
        cup_forget(cups->all);
    ratings_free(&cups->base);
    ratings_free(&cups->ratings);
    timers_free(&cups->timers);
    mem_free(cups);
}

void cups_stop(struct cups *cups) {
    cups->is_stopped = true;
}

uint64_t cups_next_ms(const struct cups *cups) {
    return timers_next_ms(&cups->timers);
}

void cups_advance(struct cups *cups, uint64_t now_ms) {
    cups->now_ms = now_ms;
    timers_advance(&cups->timers, now_ms);
}
