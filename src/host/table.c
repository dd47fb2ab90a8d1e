#include "host/table_internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/fold.h"

#include <assert.h>
#include <utlist.h>

struct table *table_alloc(struct tables *tables, const struct game *game,
                          const struct game_options *options) {
    struct table *t = mem_alloc(sizeof *t);
    t->tables = tables;
    t->game = game;
    t->options = *options;
    t->state = game_state_alloc(game);
    t->next = game_state_alloc(game);
    return t;
}

void table_request_free(struct table_request *r) {
    buf_free(&r->bodies);
    mem_free(r->events);
    mem_free(r);
}

void table_request_recycle(struct tables *tables, struct table_request *r) {
    r->count = 0;
    buf_clear(&r->bodies);
    r->next_free = tables->free_requests;
    tables->free_requests = r;
}

/* The request is given up before it has begun. */
static void request_end(struct table *t) {
    table_request_recycle(t->tables, t->request);
    t->request = NULL;
}

void table_free(struct table *t) {
    table_forget_opener(t);
    timers_stop(&t->tables->clocks, &t->clock);
    if (t->is_waiting)
        DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    if (t->request != NULL)
        table_request_free(t->request);
    if (t->last != NULL)
        table_request_free(t->last);
    /* A table has two requests at most, the last and the next; the spare one goes with it. */
    struct table_request *spare = t->tables->free_requests;
    if (spare != NULL) {
        t->tables->free_requests = spare->next_free;
        table_request_free(spare);
    }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        mem_free(t->notes[seat]);
        mem_free(t->seeds[seat]);
    }
    table_free_watches(t);
    mem_free(t->note);
    mem_free(t->house);
    mem_free(t->next_guest);
    mem_free(t->state);
    mem_free(t->next);
    mem_free(t->before);
    mem_free(t);
}

/* Begins a request: what follows is prepared on a copy of the state. */
static void request_begin(struct table *t) {
    assert(t->request == NULL);
    t->request = t->tables->free_requests;
    if (t->request != NULL)
        t->tables->free_requests = t->request->next_free;
    else
        t->request = mem_alloc(sizeof *t->request);
    memcpy(t->next, t->state, t->game->state_size);
    t->next_dice = t->dice;
    t->next_is_over = false;
    t->next_acted = 0;
    t->retired_before = t->retired;
}

/* An event of the request; its body has just been appended to request->bodies, from body_at on. */
static void request_event(struct table *t, enum event_kind kind, size_t body_at) {
    struct table_request *r = t->request;
    if (r->count == r->capacity) {
        r->capacity = r->capacity == 0 ? 4 : r->capacity * 2;
        r->events = mem_resize(r->events, r->capacity * sizeof *r->events);
    }
    r->events[r->count] = (struct event){.seq = t->seq + r->count + 1,
                                         .time_ms = t->tables->config.wall_ms(t->tables->config.context),
                                         .kind = kind,
                                         .body = {r->bodies.data + body_at, r->bodies.size - body_at}};
    dice_follow(&t->next_dice, &r->events[r->count]);
    r->count++;
}

static void add_actions(struct table *t, enum event_kind kind, unsigned seat, const struct action *actions,
                        size_t count) {
    size_t at = t->request->bodies.size;
    event_action_write(&t->request->bodies, seat, actions, count);
    request_event(t, kind, at);
    if (kind == EVENT_ACTION)
        t->next_acted |= SEAT_BIT(seat);
}

static void add_result(struct table *t, enum event_outcome outcome) {
    struct event_result result = {
        .outcome = outcome, .seat_count = t->options.seat_count, .secret = t->secret};
    memcpy(result.points, t->next_points, sizeof result.points);
    size_t at = t->request->bodies.size;
    event_result_write(&t->request->bodies, &result);
    request_event(t, EVENT_RESULT, at);
    t->next_is_over = true;
    t->next_outcome = outcome;
}

/* Whether somebody is still to come: then chance decides nothing yet, so that everybody's seed counts. */
static bool is_seat_free(const struct table *t) {
    for (unsigned seat = 0; seat < t->options.seat_count; seat++) {
        bool is_next = t->next_guest != NULL && t->next_guest->seat == seat;
        if ((is_next ? t->next_guest->name : t->names[seat])[0] == '\0')
            return true;
    }
    return false;
}

/* While chance is to act, the dice do; at last the result, when the game is over. */
static void add_consequences(struct table *t) {
    seat_set set;
    while ((set = t->game->turn(t->next)) == SEAT_BIT(SEAT_CHANCE) && !is_seat_free(t)) {
        struct rng rng;
        struct action action;
        dice_draw(&rng, t->id, &t->secret, &t->next_dice, t->seq + t->request->count + 1, "chance");
        t->game->sample(t->next, SEAT_CHANCE, &rng, &action);
        t->game->apply(t->next, SEAT_CHANCE, &action);
        add_actions(t, EVENT_CHANCE, SEAT_CHANCE, &action, 1);
    }
    if (set == 0) {
        memset(t->next_points, 0, sizeof t->next_points);
        t->game->score(t->next, t->next_points);
        add_result(t, OUTCOME_PLAYED);
    }
}

static void request_done(void *context, enum err e);

void table_submit(struct table *t) {
    struct table_request *r = t->request;
    const struct digest *before = t->seq == 0 ? NULL : &t->hash;
    const char *body = r->bodies.data;
    assert(!t->is_sent);
    t->is_sent = true;
    if (!t->is_waiting) {
        t->is_waiting = true;
        t->waiting_since_ms = t->tables->now_ms;
        DL_APPEND2(t->tables->waiting, t, waiting_prev, waiting_next);
    }
    for (size_t i = 0; i < r->count; i++) {
        r->events[i].body.data = body;
        body += r->events[i].body.size;
        event_chain(&r->events[i], t->id, before);
        before = &r->events[i].hash;
    }
    store_append(t->tables->config.store, &(struct store_request){.table = t->id,
                                                                  .expected_seq = t->seq,
                                                                  .events = r->events,
                                                                  .event_count = r->count,
                                                                  .secret = t->seq == 0 ? &t->secret : NULL,
                                                                  .done = request_done,
                                                                  .context = t});
}

void table_stalls(struct table *t) {
    if (t->is_stalled)
        return;
    t->is_stalled = true;
    if (!t->is_closed)
        table_tell_stalled(t);
}

void table_take_guest(struct table *t, const struct event_seat *guest) {
    unsigned seat = guest->seat;
    memcpy(t->names[seat], guest->name, sizeof guest->name);
    t->acted &= ~SEAT_BIT(seat);
    if (guest->name[0] == '\0')
        t->is_online[seat] = false;
    t->has_token[seat] = guest->has_token;
    t->tokens[seat] = guest->token;
    mem_free(t->notes[seat]);
    t->notes[seat] = guest->note[0] == '\0' ? NULL : mem_copy_text(guest->note);
    mem_free(t->seeds[seat]);
    t->seeds[seat] = guest->seed[0] == '\0' ? NULL : mem_copy_text(guest->seed);
}

/* What the request has changed, now that it is on disk. */
static void request_take_effect(struct table *t) {
    t->is_opened = true;
    if (t->next_guest != NULL) {
        table_take_guest(t, t->next_guest);
        mem_free(t->next_guest);
        t->next_guest = NULL;
    }
    table_last_forget(t);
    if (t->before == NULL)
        t->before = game_state_alloc(t->game);
    if (!t->is_closed && table_tells_steps(t)) {
        memcpy(t->before, t->state, t->game->state_size);
        table_tell_steps(t);
    } else {
        struct game_state *settled = t->next;
        t->next = t->before;
        t->before = t->state;
        t->state = settled;
    }
    t->has_begun = t->has_begun || t->next_acted != 0;
    t->acted |= t->next_acted;
    t->seq += t->request->count;
    t->dice = t->next_dice;
    t->hash = t->request->events[t->request->count - 1].hash;
    if (t->next_is_over) {
        t->is_over = true;
        table_forget_opener(t);
        t->outcome = t->next_outcome;
        memcpy(t->points, t->next_points, sizeof t->points);
    }
}

static void request_done(void *context, enum err e) {
    struct table *t = context;
    t->is_sent = false;
    if (e == ERR_CONFLICT) {
        /* One process writes a table: somebody else's event under this number means that the file was changed
         * behind our back, and going on would make it worse. */
        char code[TABLE_CODE_CHARS + 1];
        table_code_format(t->id, code);
        log_event(LOG_ERROR, "journal-conflict", LOG_TEXT("table", span_of(code)),
                  LOG_INT("seq", (int64_t)t->seq));
    }
    if (e != ERR_OK) {
        table_stalls(t); /* and is tried again with the next beat */
        return;
    }
    t->is_waiting = t->is_stalled = false;
    DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    request_take_effect(t);
    table_last_set(t);
    if (t->is_closed) {
        table_tell_late_watches_closed(t);
        tables_remove(t);
        return;
    }
    t->used_ms = 0;
    table_clock_start(t, t->turn_timeout_ms);
    table_tell_settled(t);
}

static bool names_fit(const struct table_setup *setup) {
    if (setup->note.size > EVENT_NOTE_BYTES_MAX || setup->house.size > EVENT_NOTE_BYTES_MAX)
        return false;
    for (uint32_t i = 0; i < setup->options.seat_count; i++)
        if (setup->names[i].size > EVENT_NAME_BYTES_MAX)
            return false;
    return true;
}

static void add_setup(struct table *t) {
    struct event_setup event = {.format = EVENT_FORMAT,
                                .rules_version = game_options_rules(t->game, &t->options),
                                .options = t->options,
                                .violation_loses = t->violation_loses,
                                .has_given = t->has_given,
                                .waits_for_seats = true,
                                .turn_timeout_ms = t->turn_timeout_ms};
    bool fits = span_copy(span_of(t->game->name), event.game, sizeof event.game);
    assert(fits);
    (void)fits;
    memcpy(event.protocol, t->protocol, sizeof event.protocol);
    fits = span_copy(span_of(t->note), event.note, sizeof event.note);
    assert(fits);
    fits = span_copy(span_of(table_house_note(t)), event.house, sizeof event.house);
    assert(fits);
    event.commitment = t->commitment;
    size_t at = t->request->bodies.size;
    event_setup_write(&t->request->bodies, &event);
    request_event(t, EVENT_SETUP, at);
}

/* The seats in the order of the names; where each of them sits is drawn when the set-up says so. */
static void add_seats(struct table *t, const struct table_setup *setup) {
    unsigned seats[SEATS_MAX] = {0, 1, 2, 3};
    if (setup->draws_seats)
        dice_seats(t->id, &t->secret, &t->next_dice, t->seq + t->request->count + 1, t->options.seat_count,
                   seats);
    for (unsigned i = 0; i < t->options.seat_count; i++) {
        struct event_seat event = {.seat = seats[i], .is_drawn = setup->draws_seats};
        if (setup->names[i].size == 0 && !setup->draws_seats)
            continue;
        bool fits = span_copy(setup->names[i], event.name, sizeof event.name);
        assert(fits);
        (void)fits;
        memcpy(t->names[event.seat], event.name, sizeof event.name);
        size_t at = t->request->bodies.size;
        event_seat_write(&t->request->bodies, &event);
        request_event(t, EVENT_SEAT, at);
    }
}

/* Plays the steps on t->next as far as the rules allow. */
static enum err try_steps(struct table *t, const struct table_setup *setup) {
    memcpy(t->next, t->state, t->game->state_size);
    for (size_t i = 0; i < setup->step_count; i++) {
        const struct table_step *step = &setup->steps[i];
        for (size_t k = 0; k < step->count; k++) {
            enum err e = game_may_act(t->game, t->next, step->seat)
                             ? t->game->check(t->next, step->seat, &step->actions[k])
                             : ERR_NOT_YOUR_TURN;
            if (e != ERR_OK)
                return e;
            t->game->apply(t->next, step->seat, &step->actions[k]);
        }
        t->has_given |= step->seat == SEAT_CHANCE;
    }
    return ERR_OK;
}

/* The same, now that they are known to be right, as events of the request. */
static void add_steps(struct table *t, const struct table_setup *setup) {
    for (size_t i = 0; i < setup->step_count; i++) {
        const struct table_step *step = &setup->steps[i];
        size_t at = t->request->bodies.size;
        for (size_t k = 0; k < step->count; k++)
            t->game->apply(t->next, step->seat, &step->actions[k]);
        if (step->seat != SEAT_CHANCE) {
            add_actions(t, EVENT_ACTION, step->seat, step->actions, step->count);
            continue;
        }
        event_given_write(&t->request->bodies, step->actions, step->count);
        request_event(t, EVENT_CHANCE, at);
    }
}

enum err table_open(struct tables *tables, const struct table_setup *setup,
                    const struct table_listener *listener, uint64_t now_ms, struct table **out) {
    tables->now_ms = now_ms;
    if (!names_fit(setup))
        return ERR_FIELD_INVALID;
    struct table *t = table_alloc(tables, setup->game, &setup->options);
    enum err e = setup->game->setup(t->state, &setup->options);
    if (e == ERR_OK)
        e = try_steps(t, setup);
    if (e != ERR_OK) {
        table_free(t);
        return e;
    }
    t->id = setup->id;
    t->violation_loses = setup->violation_loses;
    t->turn_timeout_ms = setup->turn_timeout_ms;
    t->listener = *listener;
    t->created_ms = tables->config.wall_ms(tables->config.context);
    t->note = mem_alloc(setup->note.size + 1);
    if (setup->note.size > 0)
        memcpy(t->note, setup->note.data, setup->note.size);
    if (setup->house.size > 0) {
        t->house = mem_alloc(setup->house.size + 1);
        memcpy(t->house, setup->house.data, setup->house.size);
    }
    bool fits = span_copy(span_of(setup->protocol), t->protocol, sizeof t->protocol);
    assert(fits);
    (void)fits;
    tables->config.secret(tables->config.context, &t->secret);
    dice_commit(&t->commitment, t->id, &t->secret);
    tables_add(tables, t);
    t->opener = setup->opener;
    tally_add(&tables->openers, &t->opener);
    request_begin(t);
    add_setup(t);
    add_steps(t, setup);
    add_seats(t, setup);
    add_consequences(t);
    table_submit(t);
    *out = t;
    return ERR_OK;
}

void table_close(struct table *t) {
    t->is_closed = true;
    timers_stop(&t->tables->clocks, &t->clock);
    table_tell_closed(t);
    if (t->request == NULL && t->telling == 0)
        tables_remove(t);
}

bool table_may_withdraw(const struct table *t) {
    return t->request != NULL && t->is_waiting && !t->is_sent;
}

void table_withdraw(struct table *t) {
    assert(table_may_withdraw(t));
    t->is_waiting = t->is_stalled = false;
    DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    mem_free(t->next_guest);
    t->next_guest = NULL;
    t->next_is_over = false;
    t->retired = t->retired_before;
    request_end(t);
    if (!t->is_opened) {
        table_close(t);
        return;
    }
    table_clock_start(t, t->turn_timeout_ms);
    table_tell_settled(t);
}

void table_listen(struct table *t, const struct table_listener *listener) {
    t->listener = *listener;
}

static enum err may_request(const struct table *t) {
    if (t->request != NULL)
        return ERR_BUSY;
    return t->is_over ? ERR_TABLE_OVER : ERR_OK;
}

/* An event of the request that says who sits where from then on; keeps the event until then. */
static void add_guest(struct table *t, struct event_seat *event) {
    timers_stop(&t->tables->clocks, &t->clock);
    size_t at = t->request->bodies.size;
    event_seat_write(&t->request->bodies, event);
    request_event(t, EVENT_SEAT, at);
    t->next_guest = event;
}

static bool may_change(const struct table *t, unsigned seat) {
    return fold_may_change(t->has_begun, t->acted, table_free_seats(t), seat);
}

static void get_up(struct table *t, unsigned seat) {
    struct event_seat *event = mem_alloc(sizeof *event);
    event->seat = seat;
    request_begin(t);
    add_guest(t, event);
    table_submit(t);
}

/* At a table that waits for players there is nothing to lose yet: whoever goes leaves the seat free. Refused
 * when the seat is free already, or its player has acted. */
static enum err leave_early(struct table *t, unsigned seat) {
    if (t->names[seat][0] == '\0' || !may_change(t, seat))
        return ERR_TABLE_WAITS;
    get_up(t, seat);
    return ERR_OK;
}

static seat_set seats_present(const struct table *t) {
    seat_set present = 0;
    for (unsigned seat = 0; seat < t->options.seat_count; seat++)
        present |= t->names[seat][0] != '\0' ? SEAT_BIT(seat) : 0;
    return present & ~t->retired;
}

/* As much of a text as has room, whole characters. */
static void text_keep(struct span text, char *out, size_t bytes_max) {
    size_t kept = 0;
    for (struct span rest = text; rest.size > 0;) {
        int32_t point = utf8_next(&rest);
        if (point <= 0 || text.size - rest.size > bytes_max)
            break;
        kept = text.size - rest.size;
    }
    memcpy(out, text.data, kept);
    out[kept] = '\0';
}

static struct event_forfeit violation(unsigned seat, const struct table_breach *breach) {
    struct event_forfeit forfeit = {.seat = seat, .reason = REASON_VIOLATION};
    struct span words = breach->words.size > 0 ? breach->words : span_of(err_sentence(breach->why));
    text_keep(words, forfeit.why, EVENT_WHY_BYTES_MAX);
    text_keep(span_of(err_rule(breach->why)), forfeit.rule, EVENT_RULE_BYTES_MAX);
    if (breach->sent.size > 0)
        text_keep(breach->sent, forfeit.sent, EVENT_SENT_BYTES_MAX);
    return forfeit;
}

/* The seat is given up: the table goes on without it, or it loses. */
static void lose(struct table *t, enum event_kind kind, const struct event_forfeit *forfeit) {
    unsigned seat = forfeit->seat;
    assert(seat < t->options.seat_count && table_free_seats(t) == 0);
    timers_stop(&t->tables->clocks, &t->clock);
    request_begin(t);
    size_t at = t->request->bodies.size;
    event_forfeit_write(&t->request->bodies, forfeit);
    request_event(t, kind, at);
    if (t->game->attend(t->next, seat, SEAT_RETIRED)) {
        t->retired |= SEAT_BIT(seat);
        add_consequences(t);
    } else {
        fold_loss(t->game, t->next, seats_present(t), seat, t->next_points);
        add_result(t, OUTCOME_FORFEITED);
    }
    table_submit(t);
}

static enum err try_actions(struct table *t, unsigned seat, const struct action *actions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum err e = t->game->check(t->next, seat, &actions[i]);
        if (e != ERR_OK)
            return e;
        t->game->apply(t->next, seat, &actions[i]);
    }
    return ERR_OK;
}

static enum err guest_read(const struct table *t, const struct table_guest *guest, struct event_seat *out) {
    if (guest->seat >= t->options.seat_count)
        return ERR_FIELD_INVALID;
    if (t->names[guest->seat][0] != '\0' && (!guest->takes_over || t->has_begun))
        return ERR_SEAT_TAKEN;
    out->seat = guest->seat;
    if (guest->name.size == 0 || !utf8_is_valid(guest->name) || !utf8_is_valid(guest->note) ||
        !span_copy(guest->name, out->name, sizeof out->name) ||
        !span_copy(guest->note, out->note, sizeof out->note))
        return ERR_FIELD_INVALID;
    if (guest->seed.size > 0 &&
        (!event_seed_fits(guest->seed) || !span_copy(guest->seed, out->seed, sizeof out->seed)))
        return ERR_FIELD_INVALID;
    out->has_token = guest->token != NULL;
    if (out->has_token)
        out->token = *guest->token;
    return ERR_OK;
}

enum err table_sit(struct table *t, const struct table_guest *guest, const struct action *actions,
                   size_t count, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    assert(count <= EVENT_ACTIONS_MAX);
    struct event_seat *event = mem_alloc(sizeof *event);
    request_begin(t);
    e = guest_read(t, guest, event);
    if (e == ERR_OK)
        e = try_actions(t, guest->seat, actions, count);
    if (e != ERR_OK) {
        request_end(t);
        mem_free(event);
        return e;
    }
    add_guest(t, event);
    if (count > 0)
        add_actions(t, EVENT_ACTION, guest->seat, actions, count);
    add_consequences(t);
    table_submit(t);
    return ERR_OK;
}

enum err table_get_up(struct table *t, unsigned seat, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    if (seat >= t->options.seat_count || t->names[seat][0] == '\0' || !may_change(t, seat))
        return ERR_FIELD_INVALID;
    get_up(t, seat);
    return ERR_OK;
}

enum err table_act(struct table *t, unsigned seat, const struct action *actions, size_t count,
                   uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    if (seat >= t->options.seat_count || !game_may_act(t->game, t->state, seat))
        return ERR_NOT_YOUR_TURN;
    if (count == 0 || count > EVENT_ACTIONS_MAX)
        return ERR_ACTION_UNKNOWN;
    request_begin(t);
    e = try_actions(t, seat, actions, count);
    if (e != ERR_OK) {
        request_end(t);
        if (t->violation_loses && table_free_seats(t) == 0) {
            struct event_forfeit forfeit = violation(seat, &(struct table_breach){.why = e});
            lose(t, EVENT_FORFEIT, &forfeit);
        }
        return e;
    }
    timers_stop(&t->tables->clocks, &t->clock);
    add_actions(t, EVENT_ACTION, seat, actions, count);
    add_consequences(t);
    table_submit(t);
    return ERR_OK;
}

enum err table_forfeit(struct table *t, unsigned seat, enum event_reason reason) {
    enum err e = may_request(t);
    if (e == ERR_OK && (t->retired & SEAT_BIT(seat)) != 0)
        e = ERR_TABLE_OVER;
    if (e != ERR_OK)
        return e;
    if (table_free_seats(t) > 0)
        return reason == REASON_VIOLATION ? ERR_TABLE_WAITS : leave_early(t, seat);
    lose(t, EVENT_FORFEIT, &(struct event_forfeit){.seat = seat, .reason = reason});
    return ERR_OK;
}

enum err table_violate(struct table *t, unsigned seat, const struct table_breach *breach) {
    enum err e = may_request(t);
    if (e == ERR_OK && (t->retired & SEAT_BIT(seat)) != 0)
        e = ERR_TABLE_OVER;
    if (e == ERR_OK && table_free_seats(t) > 0)
        e = ERR_TABLE_WAITS;
    if (e != ERR_OK)
        return e;
    struct event_forfeit forfeit = violation(seat, breach);
    lose(t, EVENT_FORFEIT, &forfeit);
    return ERR_OK;
}

bool table_is_retired(const struct table *t, unsigned seat) {
    return (t->retired & SEAT_BIT(seat)) != 0;
}

static void go_or_come(struct table *t, unsigned seat, enum attendance attendance) {
    request_begin(t);
    if (!t->game->attend(t->next, seat, attendance)) {
        request_end(t);
        return;
    }
    timers_stop(&t->tables->clocks, &t->clock);
    size_t at = t->request->bodies.size;
    event_attendance_write(&t->request->bodies,
                           &(struct event_attendance){.seat = seat, .attendance = attendance});
    request_event(t, EVENT_ATTENDANCE, at);
    add_consequences(t);
    table_submit(t);
}

void table_do_wishes(struct table *t) {
    for (unsigned seat = 0; seat < t->options.seat_count && may_request(t) == ERR_OK; seat++) {
        if (!t->has_wish[seat])
            continue;
        t->has_wish[seat] = false;
        if ((t->retired & SEAT_BIT(seat)) != 0)
            continue;
        if (t->wishes[seat] == SEAT_RETIRED) {
            enum err e = table_forfeit(t, seat, REASON_LEFT);
            (void)e; /* nothing to lose yet */
        } else
            go_or_come(t, seat, t->wishes[seat]);
    }
}

void table_attend(struct table *t, unsigned seat, enum attendance attendance, uint64_t now_ms) {
    assert(seat < t->options.seat_count);
    t->tables->now_ms = now_ms;
    t->has_wish[seat] = true;
    t->wishes[seat] = attendance;
    table_do_wishes(t);
}

enum err table_abandon(struct table *t) {
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    request_begin(t);
    memset(t->next_points, 0, sizeof t->next_points);
    add_result(t, OUTCOME_UNDECIDED);
    table_submit(t);
    return ERR_OK;
}

enum err table_time_out(struct table *t) {
    seat_set set = t->game->turn(t->state);
    enum err e = may_request(t);
    if (e == ERR_OK && (set == 0 || set == SEAT_BIT(SEAT_CHANCE)))
        e = ERR_NOT_YOUR_TURN;
    if (e == ERR_OK && table_free_seats(t) > 0)
        e = ERR_TABLE_WAITS;
    if (e == ERR_OK)
        lose(t, EVENT_TIMEOUT, &(struct event_forfeit){.seat = (unsigned)__builtin_ctz(set)});
    return e;
}

void table_set_clock(struct table *t, uint32_t turn_timeout_ms, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    t->turn_timeout_ms = turn_timeout_ms;
    if (t->request == NULL)
        table_clock_start(t, turn_timeout_ms > t->used_ms ? turn_timeout_ms - t->used_ms : 0);
}

uint64_t table_id(const struct table *t) {
    return t->id;
}

const char *table_protocol(const struct table *t) {
    return t->protocol;
}

const struct game *table_game(const struct table *t) {
    return t->game;
}

const struct game_options *table_options(const struct table *t) {
    return &t->options;
}

bool table_violation_loses(const struct table *t) {
    return t->violation_loses;
}

uint32_t table_turn_ms(const struct table *t) {
    return t->turn_timeout_ms;
}

uint64_t table_turn_left_ms(const struct table *t) {
    if (!timer_is_armed(&t->clock))
        return t->turn_timeout_ms;
    return t->clock.due_ms > t->tables->now_ms ? t->clock.due_ms - t->tables->now_ms : 0;
}

uint32_t *table_mark(struct table *t) {
    return &t->mark;
}

bool table_has_begun(const struct table *t) {
    return t->has_begun;
}

unsigned table_free_seats(const struct table *t) {
    unsigned count = 0;
    for (unsigned seat = 0; seat < t->options.seat_count; seat++)
        count += t->names[seat][0] == '\0';
    return count;
}

enum table_state_word table_state_word(const struct table *t) {
    return t->is_over ? TABLE_OVER : t->is_opened ? TABLE_RUNNING : TABLE_OPENING;
}

const char *table_name(const struct table *t, unsigned seat) {
    assert(seat < t->options.seat_count);
    return t->names[seat];
}

const struct digest *table_token(const struct table *t, unsigned seat) {
    assert(seat < t->options.seat_count);
    return t->has_token[seat] ? &t->tokens[seat] : NULL;
}

const char *table_note(const struct table *t, unsigned seat) {
    assert(seat < t->options.seat_count);
    return t->notes[seat] == NULL ? "" : t->notes[seat];
}

const char *table_seed(const struct table *t, unsigned seat) {
    assert(seat < t->options.seat_count);
    return t->seeds[seat] == NULL ? "" : t->seeds[seat];
}

void table_commitment(const struct table *t, struct digest *out) {
    *out = t->commitment;
}

uint64_t table_mixed_seq(const struct table *t) {
    return t->dice.mixed_seq;
}

const char *table_setup_note(const struct table *t) {
    return t->note;
}

const char *table_house_note(const struct table *t) {
    return t->house == NULL ? "" : t->house;
}

void table_derive(const struct table *t, const char *purpose, uint64_t a, uint64_t b, struct digest *out) {
    uint8_t id_bytes[8], a_bytes[8], b_bytes[8];
    digest_number(t->id, id_bytes);
    digest_number(a, a_bytes);
    digest_number(b, b_bytes);
    const struct span pieces[] = {
        SPAN("parlor derive"),
        span_of(purpose),
        span_make(id_bytes, sizeof id_bytes),
        span_make(a_bytes, sizeof a_bytes),
        span_make(b_bytes, sizeof b_bytes),
    };
    digest_of(out, t->secret.bytes, pieces, sizeof pieces / sizeof pieces[0]);
}

int64_t table_created_ms(const struct table *t) {
    return t->created_ms;
}

bool table_is_busy(const struct table *t) {
    return t->request != NULL;
}

enum event_outcome table_outcome(const struct table *t) {
    assert(t->is_over);
    return t->outcome;
}

void table_points(const struct table *t, int32_t points[SEATS_MAX]) {
    assert(t->is_over);
    memcpy(points, t->points, sizeof t->points);
}

uint64_t table_version(const struct table *t) {
    return t->seq;
}

const struct game_state *table_state(const struct table *t) {
    return t->state;
}

void table_view(const struct table *t, unsigned viewer, struct game_view *out) {
    game_view(t->game, t->state, viewer, out);
}
