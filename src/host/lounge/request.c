/* What people ask of a table. Requests are taken one after the other: each is answered when what it did is on
 * disk, and only then the next begins. */
#include "base/limit.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/lounge/internal.h"
#include "host/table/trial.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

enum { NAME_NUMBER_BYTES = 8 }; /* " (10)" */

static struct lounge_request *lounge_request_make(enum lounge_request_kind kind, void *ticket) {
    struct lounge_request *r = mem_alloc(sizeof *r);
    r->kind = kind;
    r->ticket = ticket;
    r->seat = SEAT_WATCHER;
    return r;
}

static void lounge_request_free(struct lounge_request *r) {
    mem_free(r->texts);
    mem_free(r->words);
    mem_free(r);
}

static void request_name(struct lounge_request *r, struct span name) {
    r->words = mem_alloc(name.size + 1);
    memcpy(r->words, name.data, name.size);
    r->name = span_make(r->words, name.size);
}

static void request_key(struct lounge_request *r, struct span key) {
    bool fits = span_copy(key, r->key, sizeof r->key);
    assert(fits);
    (void)fits;
}

static void lounge_request_tell(struct lounge *l, const struct room_table *rt, struct lounge_request *r) {
    bool is_known = rt != NULL && !rt->is_opening;
    struct lounge_answer answer = {
        .why = r->room.why,
        .game = is_known ? table_game(rt->table) : NULL,
        .reason = r->reason,
        .index = r->index,
        .has_index = r->has_index,
        .table = is_known ? rt->id : 0,
        .version = is_known ? table_version(rt->table) : 0,
        .seat = r->has_sat ? r->seat : SEAT_WATCHER,
        .token = r->has_sat && r->token[0] != '\0' ? r->token : NULL,
        .owner_token = r->owner_token[0] != '\0' ? r->owner_token : NULL,
        .is_freed = r->is_freed && r->room.why == ERR_OK,
    };
    l->output.answer(l->output.context, r->ticket, &answer);
    lounge_request_free(r);
}

void lounge_request_answer(struct room_table *rt, struct room_request *r) {
    lounge_request_tell((struct lounge *)(void *)rt->room, rt, (struct lounge_request *)(void *)r);
}

static void lounge_request_refuse(struct lounge *l, void *ticket, enum err why) {
    l->output.answer(l->output.context, ticket, &(struct lounge_answer){.why = why, .seat = SEAT_WATCHER});
}

/* Keeps the seed; false when it is none. */
static bool request_seed(struct lounge_request *r, struct span seed) {
    return seed.size == 0 || (event_seed_fits(seed) && span_copy(seed, r->seed, sizeof r->seed));
}

void lounge_request_put_off(struct room_table *rt, struct room_request *request, bool is_undone) {
    struct lounge_request *r = (struct lounge_request *)(void *)request;
    (void)rt;
    r->room.why = ERR_BUSY;
    r->has_index = r->has_sat = false;
    r->reason = is_undone
                    ? "the server cannot save at the moment: nothing has happened, try again later"
                    : "the server cannot save at the moment: this may still be done when it can, look at "
                      "the version of the table before you try again";
}

static enum err lounge_request_name_check(struct span name) {
    if (span_trim(name).size == 0)
        return ERR_FIELD_MISSING;
    if (name.size > EVENT_NAME_BYTES_MAX || !utf8_is_valid(name) ||
        utf8_length(name) > LOUNGE_NAME_CHARS_MAX || !utf8_is_one_line(name))
        return ERR_FIELD_INVALID;
    return ERR_OK;
}

/* Taking a seat. */

static enum err seat_find(const struct table *t, unsigned *seat) {
    unsigned count = table_options(t)->seat_count;
    if (*seat != SEAT_WATCHER)
        return *seat >= count ? ERR_FIELD_INVALID : table_name(t, *seat)[0] != '\0' ? ERR_SEAT_TAKEN : ERR_OK;
    for (*seat = 0; *seat < count; (*seat)++)
        if (table_name(t, *seat)[0] == '\0')
            return ERR_OK;
    *seat = SEAT_WATCHER;
    return ERR_TABLE_FULL;
}

static bool is_name_at(const struct table *t, struct span name) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (span_is(name, table_name(t, seat)))
            return true;
    return false;
}

/* The guest takes the seat. Other protocols tell players apart by their names alone, so whoever comes second
 * under a name has a number behind it. */
static enum err guest_sit(struct lounge_table *lt, struct table_guest guest) {
    char numbered[EVENT_NAME_BYTES_MAX + 1];
    struct span wanted = guest.name;
    for (unsigned number = 2; is_name_at(lt->room.table, guest.name); number++) {
        while (wanted.size > EVENT_NAME_BYTES_MAX - NAME_NUMBER_BYTES)
            wanted = utf8_without_last(wanted);
        snprintf(numbered, sizeof numbered, "%.*s (%u)", (int)wanted.size, wanted.data, number);
        guest.name = span_of(numbered);
    }
    return table_sit(lt->room.table, &guest, NULL, 0, lt->room.room->now_ms);
}

enum err lounge_seat_bot(struct lounge_table *lt, unsigned seat, unsigned level) {
    char name[16], note[LOUNGE_BOT_NOTE_BYTES];
    snprintf(name, sizeof name, "Bot %u", level);
    lounge_bot_note(level, note);
    return guest_sit(lt, (struct table_guest){.seat = seat, .name = span_of(name), .note = span_of(note)});
}

/* The seat that a request with this key has taken before, or SEAT_WATCHER. The token is what the request
 * gets. */
static unsigned seat_of_key(const struct lounge_table *lt, struct lounge_request *r, struct digest *token) {
    if (r->key[0] == '\0') {
        token_make(r->token, token);
        return SEAT_WATCHER;
    }
    token_derive(span_of(r->key), "seat", lt->room.id, r->token, token);
    for (unsigned seat = 0; seat < table_options(lt->room.table)->seat_count; seat++) {
        const struct digest *kept = table_token(lt->room.table, seat);
        if (kept != NULL && digest_equal(kept, token))
            return seat;
    }
    return SEAT_WATCHER;
}

/* Whether a seat is what the request wants; whoever came second under a name has a number behind it. */
static bool is_wanted(const struct table *t, unsigned seat, const struct lounge_request *r) {
    const char *name = table_name(t, seat);
    bool is_name = strlen(name) >= r->name.size && memcmp(name, r->name.data, r->name.size) == 0;
    return is_name && (r->seat == SEAT_WATCHER || r->seat == seat);
}

/* The same request has been here before, and its answer was lost. */
static enum err sit_again(const struct lounge_table *lt, struct lounge_request *r, unsigned seat) {
    if (!is_wanted(lt->room.table, seat, r))
        return ERR_KEY_REUSED;
    r->seat = seat;
    r->has_sat = r->room.is_done = true;
    return ERR_OK;
}

/* Whether an address may have one bot more. */
static enum err bot_check(const struct lounge *l, const struct address *opener) {
    if (thinker_allows(l->config.thinker, opener))
        return ERR_OK;
    limit_hit(LIMIT_ADDRESS_THINKING, opener);
    return ERR_ADDRESS_FULL;
}

static enum err start_sit(struct lounge_table *lt, struct lounge_request *r) {
    struct digest token;
    unsigned before = r->bot_level == 0 ? seat_of_key(lt, r, &token) : SEAT_WATCHER;
    if (before != SEAT_WATCHER)
        return sit_again(lt, r, before);
    if (table_state_word(lt->room.table) == TABLE_OVER)
        return ERR_TABLE_OVER;
    if ((lt->note.rematch_of != 0 && !r->is_rematch) || lt->note.cup != 0)
        return ERR_SEAT_TAKEN; /* they are kept for those who played before, or for entrants */
    r->is_any_seat = r->seat == SEAT_WATCHER;
    enum err e = seat_find(lt->room.table, &r->seat);
    if (e != ERR_OK)
        return e;
    if (r->bot_level != 0) {
        e = bot_check(lounge_of(lt), table_opener(lt->room.table));
        e = e != ERR_OK ? e : lounge_seat_bot(lt, r->seat, r->bot_level);
    } else {
        e = guest_sit(lt, (struct table_guest){.seat = r->seat,
                                               .name = r->name,
                                               .token = &token,
                                               .note = SPAN(LOUNGE_PROTOCOL),
                                               .seed = span_of(r->seed)});
    }
    r->has_sat = e == ERR_OK;
    return e;
}

/* Acting. */

/* What a history that gave nothing means: there is no such thing, or nobody can tell at the moment. */
static enum err history_missing(const struct lounge *l, enum err why) {
    return history_error(l->config.history) == ERR_OK ? why : ERR_UNAVAILABLE;
}

/* Of a table that is over, as its journal has it: the player who ended it by giving up is told that. */
static enum err over_why(struct lounge *l, uint64_t id, unsigned seat) {
    const struct fold *fold = history_at(l->config.history, id, HISTORY_LAST);
    if (fold == NULL)
        return history_missing(l, ERR_TABLE_UNKNOWN);
    return fold_has_given_up(fold, seat) ? ERR_GIVEN_UP : ERR_TABLE_OVER;
}

enum err lounge_may_act(struct lounge *l, uint64_t id, unsigned seat) {
    const struct table *table = tables_find(l->room.tables, id);
    if (table == NULL)
        return over_why(l, id, seat);
    if (table_has_given_up(table, seat))
        return ERR_GIVEN_UP;
    return table_state_word(table) == TABLE_OVER ? ERR_TABLE_OVER : ERR_OK;
}

/* Where a breach of the rules is a loss the table must hear of it; what is no action at all is none, and
 * neither is one that came too early. */
static bool is_violation(enum err e) {
    return e != ERR_NOT_YOUR_TURN && e != ERR_ACTION_TEXT && e != ERR_OUTCOME_UNKNOWN;
}

/* What a player sent, for the journal when it costs the game. */
static struct buf texts_join(const struct lounge_request *r) {
    struct buf sent = {0};
    for (size_t i = 0; i < r->text_count && sent.size < EVENT_SENT_BYTES_MAX; i++) {
        buf_append_text(&sent, i == 0 ? "" : ", ");
        buf_append(&sent, r->texts[i]);
    }
    return sent;
}

static enum err start_act(struct lounge_table *lt, struct lounge_request *r) {
    struct table *t = lt->room.table;
    enum err e = lounge_may_act(lounge_of(lt), lt->room.id, r->seat);
    if (e != ERR_OK)
        return e;
    if (r->version != LOUNGE_ANY_VERSION && r->version != table_version(t))
        return ERR_CONFLICT;
    if (table_free_seats(t) > 0)
        return ERR_TABLE_WAITS;
    struct action *actions = mem_alloc(r->text_count * sizeof *actions);
    struct trial trial;
    e = trial_table(t, r->seat, r->texts, r->text_count, actions, &trial);
    r->has_index = e != ERR_OK && (e != ERR_NOT_YOUR_TURN || trial.played > 0);
    r->index = trial.played;
    size_t count = e == ERR_OK ? r->text_count : r->index + 1;
    if (e == ERR_OK || (table_violation_loses(t) && is_violation(e))) {
        struct buf sent = e == ERR_OK ? (struct buf){0} : texts_join(r);
        struct table_turn turn = {.actions = actions, .count = count, .sent = buf_span(&sent)};
        enum err why = table_act_turn(t, r->seat, &turn, lt->room.room->now_ms);
        buf_free(&sent);
        e = e == ERR_OK ? why : e;
        if (table_is_busy(t) && r->version != LOUNGE_ANY_VERSION)
            table_pin_request(t);
    }
    mem_free(actions);
    return e;
}

/* Whether a person sits there besides this seat. */
static bool is_shared(const struct table *t, unsigned seat) {
    for (unsigned other = 0; other < table_options(t)->seat_count; other++) {
        struct lounge_face face =
            lounge_face_of(table_protocol(t), table_name(t, other), table_note(t, other));
        if (other != seat && table_name(t, other)[0] != '\0' && face.kind == LOUNGE_PERSON)
            return true;
    }
    return false;
}

static enum err start_leave(struct lounge_table *lt, struct lounge_request *r) {
    struct table *t = lt->room.table;
    enum err e = lounge_may_act(lounge_of(lt), lt->room.id, r->seat);
    if (e != ERR_OK)
        return e;
    r->is_freed = table_state_word(t) != TABLE_OVER && table_free_seats(t) > 0;
    bool is_opener = (lt->opened_from & SEAT_BIT(r->seat)) != 0;
    lt->opened_from &= ~SEAT_BIT(r->seat);
    if (r->is_freed && lt->room.is_own && is_opener && !is_shared(t, r->seat))
        return table_abandon(t);
    return table_forfeit(t, r->seat, r->kind == LOUNGE_REQUEST_LEAVE ? REASON_LEFT : REASON_RESIGNED);
}

/* A table that is there already is opened once more: by the same request, whose answer was lost. */
static enum err open_again(const struct lounge_table *lt, struct lounge_request *r) {
    struct digest token;
    unsigned seat = seat_of_key(lt, r, &token);
    r->room.is_done = true;
    r->has_sat = seat != SEAT_WATCHER;
    r->seat = seat;
    token_derive(span_of(r->key), "owner", 0, r->owner_token, &token);
    return ERR_OK;
}

static enum err lounge_request_begin(struct lounge_table *lt, struct lounge_request *r) {
    switch (r->kind) {
    case LOUNGE_REQUEST_SIT: return start_sit(lt, r);
    case LOUNGE_REQUEST_ACT: return start_act(lt, r);
    case LOUNGE_REQUEST_RESIGN:
    case LOUNGE_REQUEST_LEAVE: return start_leave(lt, r);
    case LOUNGE_REQUEST_CLAIM: return lounge_claim_start(lt, r);
    case LOUNGE_REQUEST_OPEN: return open_again(lt, r);
    }
    assert(false);
    return ERR_UNKNOWN_TYPE;
}

/* A refusal is told at once, also when the loss that follows from it is still to be saved. */
enum err lounge_request_start(struct room_table *rt, struct room_request *request) {
    struct lounge_request *r = (struct lounge_request *)(void *)request;
    enum err e = lounge_request_begin(lounge_table_of(rt), r);
    r->room.is_done = r->room.is_done || e != ERR_OK;
    return e;
}

/* Another node was first at the seat, perhaps with the same request, or has seated the bot: what is still
 * wanted is judged by what is true now. */
enum err lounge_request_again(struct room_table *rt, struct room_request *request) {
    struct lounge_request *r = (struct lounge_request *)(void *)request;
    if (r->is_any_seat)
        r->seat = SEAT_WATCHER;
    r->has_sat = false;
    return r->room.opens ? ERR_OK : lounge_request_start(rt, request);
}

/* Taking requests. */

/* The table of a request of a seat (SEAT_WATCHER: of nobody there); NULL, and the ticket is answered, when
 * there is none. */
static struct lounge_table *table_of(struct lounge *l, uint64_t id, unsigned seat, void *ticket) {
    struct lounge_table *lt = lounge_table_get(l, id);
    if (lt == NULL)
        lounge_request_refuse(l, ticket, over_why(l, id, seat));
    return lt;
}

static void sit(struct lounge_table *lt, unsigned seat, struct span name, struct span seed, unsigned level,
                bool is_rematch, struct span key, void *ticket) {
    struct lounge_request *r = lounge_request_make(LOUNGE_REQUEST_SIT, ticket);
    request_key(r, key);
    bool is_seed = request_seed(r, seed);
    assert(is_seed);
    (void)is_seed;
    r->seat = seat;
    r->bot_level = level;
    r->is_rematch = is_rematch;
    request_name(r, name);
    room_take(&lt->room, &r->room);
}

void lounge_sit(struct lounge *l, uint64_t id, unsigned seat, struct span name, struct span seed,
                struct span key, void *ticket, uint64_t now_ms) {
    enum err e = lounge_request_name_check(name);
    struct lounge_table *lt = NULL;
    if (e == ERR_OK && seed.size > 0 && !event_seed_fits(seed))
        e = ERR_FIELD_INVALID;
    room_enter(&l->room, now_ms);
    if (e != ERR_OK)
        lounge_request_refuse(l, ticket, e);
    else
        lt = table_of(l, id, SEAT_WATCHER, ticket);
    if (lt != NULL)
        sit(lt, seat, name, seed, 0, false, key, ticket);
    room_exit(&l->room);
}

void lounge_sit_bot(struct lounge *l, uint64_t id, unsigned seat, unsigned level, void *ticket,
                    uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = table_of(l, id, SEAT_WATCHER, ticket);
    if (lt != NULL)
        sit(lt, seat, SPAN(""), SPAN(""), level, false, SPAN(""), ticket);
    room_exit(&l->room);
}

static void request_texts(struct lounge_request *r, const struct span *texts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += texts[i].size;
    r->texts = mem_alloc(count * sizeof *r->texts);
    r->text_count = count;
    char *at = r->words = mem_alloc(size + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(at, texts[i].data, texts[i].size);
        r->texts[i] = span_make(at, texts[i].size);
        at += texts[i].size;
    }
}

void lounge_act(struct lounge *l, uint64_t id, unsigned seat, uint64_t version, const struct span *texts,
                size_t count, void *ticket, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = table_of(l, id, seat, ticket);
    if (lt != NULL) {
        assert(count > 0 && count <= EVENT_ACTIONS_MAX);
        struct lounge_request *r = lounge_request_make(LOUNGE_REQUEST_ACT, ticket);
        r->seat = seat;
        r->version = version;
        request_texts(r, texts, count);
        room_take(&lt->room, &r->room);
    }
    room_exit(&l->room);
}

static void go(struct lounge *l, uint64_t id, unsigned seat, enum lounge_request_kind kind, void *ticket,
               uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = table_of(l, id, seat, ticket);
    if (lt != NULL) {
        struct lounge_request *r = lounge_request_make(kind, ticket);
        r->seat = seat;
        room_take(&lt->room, &r->room);
    }
    room_exit(&l->room);
}

void lounge_resign(struct lounge *l, uint64_t id, unsigned seat, void *ticket, uint64_t now_ms) {
    go(l, id, seat, LOUNGE_REQUEST_RESIGN, ticket, now_ms);
}

void lounge_leave(struct lounge *l, uint64_t id, unsigned seat, void *ticket, uint64_t now_ms) {
    go(l, id, seat, LOUNGE_REQUEST_LEAVE, ticket, now_ms);
}

void lounge_claim(struct lounge *l, uint64_t id, unsigned seat, unsigned claimed, unsigned bot_level,
                  void *ticket, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = table_of(l, id, seat, ticket);
    if (lt != NULL) {
        struct lounge_request *r = lounge_request_make(LOUNGE_REQUEST_CLAIM, ticket);
        r->seat = seat;
        r->claimed = claimed;
        r->bot_level = bot_level;
        room_take(&lt->room, &r->room);
    }
    room_exit(&l->room);
}

/* Opening. */

bool lounge_request_goes_on(struct room_table *rt, struct room_request *request) {
    struct lounge_table *lt = lounge_table_of(rt);
    struct lounge_request *r = (struct lounge_request *)(void *)request;
    if (!rt->is_over && lounge_bots_sit(lt))
        return true;
    if (r->name.size == 0 || r->has_sat)
        return false;
    r->room.why = start_sit(lt, r);
    if (r->room.why == ERR_OK)
        lt->opened_from = SEAT_BIT(r->seat);
    return r->room.why == ERR_OK;
}

static void beginning_free(struct lounge_beginning *b) {
    for (size_t i = 0; i < b->step_count; i++)
        mem_free((void *)(uintptr_t)b->steps[i].actions);
    mem_free(b->steps);
}

static void beginning_add(struct lounge_beginning *b, const struct event_action *action) {
    struct action *actions = mem_alloc(action->action_count * sizeof *actions);
    memcpy(actions, action->actions, action->action_count * sizeof *actions);
    b->steps = mem_resize(b->steps, (b->step_count + 1) * sizeof *b->steps);
    b->steps[b->step_count++] = (struct table_step){action->seat, actions, action->action_count};
}

/* What was played counts, and what chance decided; who sat there does not. Players who were away or have gone
 * would be missed at the new table, and nobody could come back for them. */
static bool gather_step(void *context, const struct record *record) {
    struct lounge_beginning *b = context;
    enum event_kind kind = record->event->kind;
    if (kind == EVENT_SETUP || kind == EVENT_SEAT)
        return true;
    struct event_action *action = mem_alloc(sizeof *action);
    b->is_impossible = (kind != EVENT_ACTION && kind != EVENT_CHANCE) || b->step_count == LOUNGE_STEPS_MAX ||
                       event_action_read(record->event->body, action) != ERR_OK;
    if (!b->is_impossible)
        beginning_add(b, action);
    mem_free(action);
    return !b->is_impossible;
}

/* The journal of the new table refers to the other one, which may refer to another itself, but not for ever.
 */
static enum err beginning_refer(struct lounge *l, const struct lounge_order *order,
                                struct lounge_beginning *b) {
    struct store_origin before;
    enum err e = history_origin(l->config.history, order->from_table, &before);
    if (e != ERR_OK)
        return ERR_UNAVAILABLE;
    b->origin = (struct store_origin){
        .table = order->from_table, .version = order->from_version, .depth = before.depth + 1};
    return before.depth < STORE_ORIGINS_MAX ? ERR_OK : ERR_FROM_IMPOSSIBLE;
}

static enum err lounge_request_gather(struct lounge *l, const struct lounge_order *order,
                                      struct game_options *options, struct lounge_beginning *b) {
    const struct fold *fold = history_at(l->config.history, order->from_table, HISTORY_LAST);
    if (fold == NULL)
        return history_missing(l, ERR_FROM_IMPOSSIBLE);
    if (fold->game != order->game || order->from_version == 0)
        return ERR_FROM_IMPOSSIBLE;
    if (!fold->is_finished)
        return ERR_TABLE_RUNS;
    *options = fold->setup.options;
    fold = history_at(l->config.history, order->from_table, order->from_version);
    if (fold == NULL || fold_is_over(fold))
        return fold == NULL ? history_missing(l, ERR_FROM_IMPOSSIBLE) : ERR_FROM_IMPOSSIBLE;
    history_read(l->config.history, order->from_table, 1, order->from_version, gather_step, b);
    return b->is_impossible ? ERR_FROM_IMPOSSIBLE : beginning_refer(l, order, b);
}

/* 0: any. */
static uint64_t order_table(const struct lounge_order *order) {
    return order->key.size == 0 ? 0 : lounge_key_table(order->key);
}

enum err lounge_open_own(struct lounge *l, const struct game *game, const struct game_options *options,
                         const struct lounge_beginning *beginning, const struct lounge_note *note,
                         const struct address *opener, uint64_t id, struct lounge_table **out) {
    char text[EVENT_NOTE_BYTES_MAX + 1];
    struct room_table *rt;
    lounge_note_format(note, text);
    struct table_setup setup = {.id = id,
                                .game = game,
                                .options = *options,
                                .note = span_of(text),
                                .opener = *opener,
                                .is_private = note->is_private,
                                .is_fixed = note->cup != 0,
                                .steps = beginning->steps,
                                .step_count = beginning->step_count,
                                .origin = beginning->origin};
    enum err e = room_open(&l->room, &setup, NULL, &rt);
    if (e != ERR_OK)
        return e;
    *out = lounge_table_of(rt);
    lounge_table_known(*out);
    return ERR_OK;
}

/* A table that belongs to another protocol: what we must know about it is the note of the house. */
static enum err open_door(struct lounge *l, const struct lounge_order *order, const struct lounge_note *note,
                          struct lounge_table **out) {
    char text[EVENT_NOTE_BYTES_MAX + 1];
    struct table *table;
    lounge_note_format(note, text);
    const struct table_wish wish = {.options = order->options,
                                    .house = span_of(text),
                                    .opener = order->opener,
                                    .id = order_table(order),
                                    .is_private = order->is_private};
    enum err e = order->door->open(order->door->context, &wish, l->room.now_ms, &table);
    if (e == ERR_OK)
        *out = lounge_table_of(room_adopt(&l->room, table));
    return e;
}

/* Whether bots leave no seat for who opens the table. */
static bool bots_fill(const struct lounge_order *order) {
    for (uint32_t i = 0; i < order->options.seat_count; i++)
        if (order->bot_level[i] == 0)
            return false;
    return true;
}

static bool has_bots(const uint8_t *levels) {
    unsigned seat = 0;
    while (seat < SEATS_MAX && levels[seat] == 0)
        seat++;
    return seat < SEATS_MAX;
}

static enum err room_check(const struct lounge *l, const struct address *opener, const uint8_t *bot_levels) {
    if (tables_is_draining(l->room.tables))
        return ERR_DRAINING;
    bool is_full =
        l->room.own_count >= l->config.tables_max && room_table_least(&l->room, opener, false) == NULL;
    if (is_full || !mem_has_room(TABLE_ROOM_BYTES)) {
        limit_hit(is_full ? LIMIT_TABLES : LIMIT_MEMORY, opener);
        return ERR_TOO_MANY;
    }
    if (!tables_may_open(l->room.tables, opener))
        return ERR_ADDRESS_FULL;
    return has_bots(bot_levels) ? bot_check(l, opener) : ERR_OK;
}

static enum err open_check(const struct lounge *l, const struct lounge_order *order) {
    enum err e = game_options_check(order->game, &order->options);
    if (e == ERR_OK && order->wants_seat)
        e = lounge_request_name_check(order->name);
    if (e == ERR_OK && order->seed.size > 0 && !event_seed_fits(order->seed))
        e = ERR_FIELD_INVALID;
    if (e == ERR_OK && order->wants_seat && order->seat != SEAT_WATCHER)
        e = order->seat >= order->options.seat_count ? ERR_FIELD_INVALID
            : order->bot_level[order->seat] != 0     ? ERR_SEAT_TAKEN
                                                     : ERR_OK;
    if (e == ERR_OK && order->wants_seat && bots_fill(order))
        e = ERR_TABLE_FULL;
    return e == ERR_OK ? room_check(l, &order->opener, order->bot_level) : e;
}

static struct digest key_hash(struct span key) {
    struct digest hash;
    digest_of(&hash, NULL, (struct span[]){SPAN("parlor request key"), key}, 2);
    return hash;
}

uint64_t lounge_key_table(struct span key) {
    struct digest hash;
    digest_of(&hash, NULL, (struct span[]){SPAN("parlor table of a key"), key}, 2);
    return tables_short_of(&hash);
}

static struct lounge_note lounge_request_note_of(const struct lounge *l, const struct lounge_order *order,
                                                 const struct digest *owner) {
    struct lounge_note note = {.has_owner = true,
                               .owner = *owner,
                               .has_key = order->key.size > 0,
                               .key = key_hash(order->key),
                               .body = order->body,
                               .is_private = order->is_private,
                               .is_inspected = order->is_inspected,
                               .clocks = order->clocks,
                               .has_watch_delay = order->has_watch_delay,
                               .watch_delay_ms = order->watch_delay_ms,
                               .has_absent = order->has_absent,
                               .absent_level = order->absent_level,
                               .from_table = order->from_table,
                               .from_version = order->from_version};
    memcpy(note.bot_level, order->bot_level, sizeof note.bot_level);
    note.has_home = order->is_inspected && tables_home(l->room.tables, 0, &order->origin, &note.home);
    return note;
}

/* True when a request with this key has opened a table: then it is answered with that one. */
static bool opened_before(struct lounge *l, const struct lounge_order *order, void *ticket) {
    struct digest key = key_hash(order->key);
    struct lounge_table *lt;
    HASH_FIND(by_key, l->keyed, &key, sizeof key, lt);
    if (lt == NULL)
        return false;
    if (lt->note.body != order->body) {
        lounge_request_refuse(l, ticket, ERR_KEY_REUSED);
        return true;
    }
    struct lounge_request *r = lounge_request_make(LOUNGE_REQUEST_OPEN, ticket);
    request_key(r, order->key);
    room_take(&lt->room, &r->room);
    return true;
}

/* Opens the table of an order; the request knows why not. */
static struct lounge_table *order_open(struct lounge *l, const struct lounge_order *order,
                                       struct lounge_request *r) {
    struct game_options options = order->options;
    struct lounge_beginning beginning = {0};
    struct lounge_table *lt = NULL;
    struct digest owner;
    enum err e = open_check(l, order);
    if (e == ERR_OK && order->from_table != 0)
        e = lounge_request_gather(l, order, &options, &beginning);
    if (e == ERR_OK) {
        char token[TOKEN_CHARS + 1];
        if (order->key.size > 0)
            token_derive(order->key, "owner", 0, token, &owner);
        else
            token_make(token, &owner);
        struct lounge_note note = lounge_request_note_of(l, order, &owner);
        e = order->door != NULL ? open_door(l, order, &note, &lt)
                                : lounge_open_own(l, order->game, &options, &beginning, &note, &order->opener,
                                                  order_table(order), &lt);
        if (e == ERR_OK)
            memcpy(r->owner_token, token, sizeof token);
    }
    beginning_free(&beginning);
    r->room.why = e;
    return lt;
}

void lounge_open(struct lounge *l, const struct lounge_order *order, void *ticket, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    if (order->key.size == 0 || !opened_before(l, order, ticket)) {
        struct lounge_request *r = lounge_request_make(LOUNGE_REQUEST_OPEN, ticket);
        request_key(r, order->key);
        r->room.opens = true;
        struct lounge_table *lt = order_open(l, order, r);
        if (lt != NULL && order->wants_seat) {
            r->seat = order->seat;
            request_name(r, order->name);
            bool is_seed = request_seed(r, order->seed);
            assert(is_seed);
            (void)is_seed;
        }
        if (lt == NULL)
            lounge_request_tell(l, NULL, r);
        else
            lt->room.current = &r->room; /* goes on when the set-up is on disk */
    }
    room_exit(&l->room);
}

/* Playing again. */

static bool rematch_is_possible(const struct snapshot *before) {
    bool is_possible = strcmp(before->protocol, LOUNGE_PROTOCOL) == 0;
    for (unsigned seat = 0; seat < before->options->seat_count; seat++) {
        const struct lounge_face *face = &before->faces[seat];
        bool is_ours = face->kind == LOUNGE_MACHINE
                           ? face->level != 0
                           : face->kind == LOUNGE_PERSON && strcmp(face->protocol, LOUNGE_PROTOCOL) == 0;
        is_possible = is_possible && is_ours;
    }
    return is_possible;
}

/* Everybody sits one seat further. */
static unsigned seat_after(const struct snapshot *before, unsigned seat) {
    return (seat + 1) % before->options->seat_count;
}

static enum err rematch_open(struct lounge *l, const struct snapshot *before, const struct address *opener,
                             struct lounge_table **out) {
    struct lounge_note note = before->note;
    note.rematch_of = before->table;
    note.from_table = note.from_version = 0;
    note.has_key = false;
    for (unsigned seat = 0; seat < before->options->seat_count; seat++)
        note.bot_level[seat_after(before, seat)] = (uint8_t)before->faces[seat].level;
    static const struct lounge_beginning none;
    enum err e = room_check(l, opener, note.bot_level);
    return e == ERR_OK ? lounge_open_own(l, before->game, before->options, &none, &note, opener, 0, out) : e;
}

void lounge_rematch(struct lounge *l, const struct snapshot *before, unsigned seat, struct span seed,
                    const struct address *opener, struct span key, void *ticket, uint64_t now_ms) {
    struct room_table *rt = NULL;
    struct lounge_table *lt = NULL;
    uint64_t after = lounge_rematch_of(l, before->table);
    enum err e = !before->is_over                          ? ERR_TABLE_RUNS
                 : !rematch_is_possible(before)            ? ERR_REMATCH_IMPOSSIBLE
                 : seed.size > 0 && !event_seed_fits(seed) ? ERR_FIELD_INVALID
                                                           : ERR_OK;
    room_enter(&l->room, now_ms);
    if (e == ERR_OK && after != 0)
        rt = room_table_of(&l->room, after);
    if (rt != NULL)
        lt = lounge_table_of(rt);
    else if (e == ERR_OK)
        e = rematch_open(l, before, opener, &lt);
    if (e != ERR_OK) {
        lounge_request_refuse(l, ticket, e);
    } else {
        uint64_t table = before->table; /* sitting down may change what before was borrowed from */
        sit(lt, seat_after(before, seat), span_of(before->names[seat]), seed, 0, true, key, ticket);
        if (rt == NULL)
            l->output.changed(l->output.context, table);
    }
    room_exit(&l->room);
}
