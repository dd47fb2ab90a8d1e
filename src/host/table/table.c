#include "host/table/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <utlist.h>

struct table *table_alloc(struct tables *tables, struct fold *fold) {
    struct table *t = mem_alloc(sizeof *t);
    t->tables = tables;
    t->id = fold->table;
    t->fold = *fold;
    fold_init(fold, t->id);
    t->turn_timeout_ms = t->fold.setup.turn_timeout_ms;
    table_listen(t, &(struct table_listener){0});
    t->is_begin_logged = t->fold.last_seq > 1 && table_free_seats(t) == 0;
    table_changed(t);
    table_count_in(t);
    return t;
}

static void request_end(struct table *t) {
    table_request_keep(t->tables, t->request);
    t->request = NULL;
}

void table_free(struct table *t) {
    table_forget_opener(t);
    timers_stop(&t->tables->clocks, &t->clock);
    if (t->is_waiting)
        DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    if (t->request != NULL)
        table_request_free(t->request);
    table_free_watches(t);
    fold_free(&t->fold);
    mem_free(t->wishes);
    mem_free(t);
}

/* Begins a request: what is asked for is still to be filled in. */
static struct table_ask *request_ask(struct table *t, enum table_ask_kind kind, unsigned seat) {
    assert(t->request == NULL);
    t->request = t->tables->free_requests;
    if (t->request != NULL) {
        t->tables->free_requests = t->request->next_free;
        t->tables->free_request_count--;
    } else
        t->request = mem_alloc(sizeof *t->request);
    struct table_request *r = t->request;
    r->is_pinned = r->is_again = false;
    r->conflicts = 0;
    r->ask.kind = kind;
    r->ask.seat = seat;
    r->ask.action_count = 0;
    return &r->ask;
}

static void request_ask_loss(struct table *t, enum table_ask_kind kind, unsigned seat,
                             const struct event_forfeit *forfeit) {
    struct table_ask *ask = request_ask(t, kind, seat);
    ask->word = mem_alloc(sizeof *ask->word);
    ask->word->forfeit = *forfeit;
}

static void ask_keep_actions(struct table_ask *ask, const struct action *actions, size_t count) {
    if (count > ask->action_capacity) {
        ask->action_capacity = count;
        ask->actions = mem_resize(ask->actions, count * sizeof *actions);
    }
    if (count > 0)
        memcpy(ask->actions, actions, count * sizeof *actions);
    ask->action_count = count;
}

/* What follows is prepared on a copy of the state. */
static void request_begin(struct table *t) {
    struct table_request *r = t->request;
    r->count = 0;
    r->origin = (struct store_origin){0};
    buf_clear(&r->bodies);
    tables_make_room(t->tables, t->fold.game);
    memcpy(t->tables->next, t->fold.state, t->fold.game->state_size);
    r->dice = t->fold.dice;
    r->taken = fold_taken(&t->fold);
}

/* The number of the event that comes next in the request. */
static uint64_t request_seq(const struct table *t) {
    return (t->is_opened ? t->fold.last_seq : 0) + t->request->count + 1;
}

/* An event of the request; its body has just been appended to request->bodies, from body_at on. */
static void request_event(struct table *t, enum event_kind kind, size_t body_at) {
    struct table_request *r = t->request;
    if (r->count == r->capacity) {
        r->capacity = r->capacity == 0 ? 1 : r->capacity * 2;
        r->events = mem_resize(r->events, r->capacity * sizeof *r->events);
    }
    r->events[r->count] = (struct event){.seq = request_seq(t),
                                         .time_ms = t->tables->config.wall_ms(t->tables->config.context),
                                         .kind = kind,
                                         .body = {r->bodies.data + body_at, r->bodies.size - body_at}};
    dice_follow(&t->request->dice, &r->events[r->count]);
    r->count++;
}

static void add_actions(struct table *t, enum event_kind kind, unsigned seat, const struct action *actions,
                        size_t count) {
    size_t at = t->request->bodies.size;
    event_action_write(&t->request->bodies, seat, actions, count);
    request_event(t, kind, at);
}

static void add_result(struct table *t, enum event_outcome outcome, const int32_t points[SEATS_MAX]) {
    struct event_result result = {
        .outcome = outcome, .seat_count = t->fold.setup.options.seat_count, .secret = t->secret};
    memcpy(result.points, points, sizeof result.points);
    size_t at = t->request->bodies.size;
    event_result_write(&t->request->bodies, &result);
    request_event(t, EVENT_RESULT, at);
}

/* Whether somebody is still to come: then chance decides nothing yet, so that everybody's seed counts. */
static bool is_seat_free(const struct table *t) {
    return t->request->taken != SEAT_BIT(t->fold.setup.options.seat_count) - 1;
}

/* While chance is to act, the dice do; at last the result, when the game is over. */
static void add_consequences(struct table *t) {
    const struct game *game = t->fold.game;
    struct game_state *next = t->tables->next;
    seat_set set;
    while ((set = game->turn(next)) == SEAT_BIT(SEAT_CHANCE) && !is_seat_free(t)) {
        struct rng rng;
        struct action action;
        dice_draw(&rng, t->id, &t->secret, &t->request->dice, request_seq(t), "chance");
        game->sample(next, SEAT_CHANCE, &rng, &action);
        game->apply(next, SEAT_CHANCE, &action);
        add_actions(t, EVENT_CHANCE, SEAT_CHANCE, &action, 1);
    }
    if (set == 0) {
        int32_t points[SEATS_MAX] = {0};
        game->score(next, points);
        add_result(t, OUTCOME_PLAYED, points);
    }
}

static void request_done(void *context, enum err e);

/* Bodies and hashes of the events, now that no body moves any more. */
static void request_chain(struct table *t) {
    struct table_request *r = t->request;
    const struct digest *before = t->is_opened ? &t->fold.last_hash : NULL;
    const char *body = r->bodies.data;
    for (size_t i = 0; i < r->count; i++) {
        r->events[i].body.data = body;
        body += r->events[i].body.size;
        event_chain(&r->events[i], t->id, before);
        before = &r->events[i].hash;
    }
}

static void request_submit(struct table *t) {
    struct table_request *r = t->request;
    assert(!t->is_sent);
    t->is_sent = true;
    if (!t->is_waiting) {
        t->is_waiting = true;
        t->waiting_since_ms = t->tables->now_ms;
        table_count_asked(t);
        DL_APPEND2(t->tables->waiting, t, waiting_prev, waiting_next);
    }
    request_chain(t);
    table_charge(t);
    store_append(t->tables->config.store,
                 &(struct store_request){.table = t->id,
                                         .expected_seq = t->is_opened ? t->fold.last_seq : 0,
                                         .events = r->events,
                                         .event_count = r->count,
                                         .origin = r->origin,
                                         .secret = t->is_opened ? NULL : &t->secret,
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

void table_settle(struct table *t) {
    table_log(t);
    if (t->fold.is_finished)
        table_forget_opener(t);
    t->used_ms = 0;
    table_clock_start(t, 0);
    table_tell_settled(t);
}

/* The request is through: it is on disk, was taken back (both ERR_OK), or is refused after all. */
static void request_over(struct table *t, enum err refused) {
    const struct table_ask *ask = &t->request->ask;
    unsigned seat = ask->kind == TABLE_ASK_ATTEND ? (unsigned)SEAT_WATCHER : ask->seat;
    t->is_waiting = t->is_stalled = false;
    DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    request_end(t);
    if (t->is_closed) {
        table_tell_late_watches_closed(t);
        tables_remove(t);
        return;
    }
    if (refused != ERR_OK)
        table_tell_refused(t, seat, refused);
    table_count_answered(t);
    table_settle(t);
}

static enum err request_judge(struct table *t);

/* Judges the request again on what is true now. */
static void request_again(struct table *t) {
    t->request->is_again = true;
    enum err e = t->request->is_pinned ? ERR_CONFLICT : request_judge(t);
    if (e != ERR_CONFLICT && t->request->count > 0)
        request_submit(t);
    else
        request_over(t, e);
}

static bool has_moved_on(const struct table *t) {
    return t->is_opened && t->fold.last_seq >= t->request->events[0].seq;
}

void table_retry(struct table *t) {
    t->request->conflicts = 0;
    if (has_moved_on(t))
        request_again(t);
    else
        request_submit(t);
}

static bool news_take(void *context, uint64_t table, const struct event *event) {
    (void)table;
    table_take_event(context, event);
    return true;
}

static void news_done(void *context, enum err e) {
    struct table *t = context;
    t->is_sent = false;
    if (e == ERR_OK && has_moved_on(t)) {
        request_again(t);
        return;
    }
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->id, code);
    log_event(LOG_ERROR, "journal-conflict", LOG_TEXT("table", span_of(code)),
              LOG_INT("seq", (int64_t)table_version(t)));
    table_stalls(t);
}

/* The id is that of somebody else's table, which comes here in place of this one. */
static void request_give_way(struct table *t) {
    struct tables *tables = t->tables;
    uint64_t id = t->id;
    t->is_waiting = t->is_stalled = false;
    DL_DELETE2(tables->waiting, t, waiting_prev, waiting_next);
    request_end(t);
    t->listener->taken(t->listener_context, t);
    table_close(t);
    arrivals_expect(tables, id);
}

/* Somebody else has opened a table under the same id, and it stays theirs. Whoever asked for this one gives
 * way; or is told at once that nothing can be saved, and takes it back if it can. Then the other one comes
 * here. */
static void request_open_conflict(struct table *t) {
    struct tables *tables = t->tables;
    uint64_t id = t->id;
    if (t->listener->taken != NULL) {
        request_give_way(t);
        return;
    }
    news_done(t, ERR_CONFLICT);
    if (!table_tell_late(t))
        arrivals_expect(tables, id);
}

/* Another writer was first: what it has written comes the same way as what the store tells by itself, and
 * may have come already. With too many conflicts in a row there is another try with the next beat. */
static void request_conflict(struct table *t) {
    if (!t->is_opened) {
        request_open_conflict(t);
        return;
    }
    if (t->request->conflicts == TABLE_CONFLICTS_MAX) {
        news_done(t, ERR_CONFLICT);
        return;
    }
    t->request->conflicts++;
    t->is_sent = true;
    store_load(t->tables->config.store, &(struct store_load){.table = t->id,
                                                             .from_seq = t->fold.last_seq + 1,
                                                             .visit = news_take,
                                                             .done = news_done,
                                                             .context = t});
}

static void request_done(void *context, enum err e) {
    struct table *t = context;
    t->is_sent = false;
    if (e == ERR_CONFLICT) {
        request_conflict(t);
    } else if (e != ERR_OK) {
        table_stalls(t); /* and is tried again with the next beat */
    } else {
        t->figures->opened += !t->is_opened;
        t->is_opened = true;
        request_over(t, ERR_OK);
    }
}

static bool names_fit(const struct table_setup *setup) {
    if (setup->note.size > EVENT_NOTE_BYTES_MAX || setup->house.size > EVENT_NOTE_BYTES_MAX)
        return false;
    for (uint32_t i = 0; i < setup->options.seat_count; i++)
        if (setup->names[i].size > EVENT_NAME_BYTES_MAX)
            return false;
    return true;
}

/* An event of the request that says who sits where from then on. */
static void add_guest(struct table *t, const struct event_seat *event) {
    size_t at = t->request->bodies.size;
    event_seat_write(&t->request->bodies, event);
    request_event(t, EVENT_SEAT, at);
    t->request->taken &= ~SEAT_BIT(event->seat);
    t->request->taken |= event->name[0] != '\0' ? SEAT_BIT(event->seat) : 0;
}

/* The seats in the order of the names; where each of them sits is drawn when the set-up says so. */
static void add_seats(struct table *t, const struct table_setup *setup) {
    unsigned seats[SEATS_MAX] = {0, 1, 2, 3}, count = setup->options.seat_count;
    if (setup->draws_seats)
        dice_seats(t->id, &t->secret, &t->request->dice, request_seq(t), count, seats);
    for (unsigned i = 0; i < count; i++) {
        struct event_seat event = {.seat = seats[i], .is_drawn = setup->draws_seats};
        if (setup->names[i].size == 0 && !setup->draws_seats)
            continue;
        bool fits = span_copy(setup->names[i], event.name, sizeof event.name);
        assert(fits);
        (void)fits;
        add_guest(t, &event);
    }
}

/* Whether the game takes the options, and the rules the steps; played on a state that is nobody's. */
static enum err try_setup(struct tables *tables, const struct table_setup *setup) {
    const struct game *game = setup->game;
    tables_make_room(tables, game);
    enum err e = names_fit(setup) ? game->setup(tables->next, &setup->options) : ERR_FIELD_INVALID;
    for (size_t i = 0; i < setup->step_count && e == ERR_OK; i++) {
        const struct table_step *step = &setup->steps[i];
        for (size_t k = 0; k < step->count && e == ERR_OK; k++) {
            e = game_may_act(game, tables->next, step->seat)
                    ? game->check(tables->next, step->seat, &step->actions[k])
                    : ERR_NOT_YOUR_TURN;
            if (e == ERR_OK)
                game->apply(tables->next, step->seat, &step->actions[k]);
        }
    }
    return e;
}

/* The same, now that they are known to be right, as events of the request. */
static void add_steps(struct table *t, const struct table_setup *setup) {
    for (size_t i = 0; i < setup->step_count; i++) {
        const struct table_step *step = &setup->steps[i];
        size_t at = t->request->bodies.size;
        for (size_t k = 0; k < step->count; k++)
            t->fold.game->apply(t->tables->next, step->seat, &step->actions[k]);
        if (step->seat != SEAT_CHANCE) {
            add_actions(t, EVENT_ACTION, step->seat, step->actions, step->count);
            continue;
        }
        event_given_write(&t->request->bodies, step->actions, step->count);
        request_event(t, EVENT_CHANCE, at);
    }
    if (setup->origin.table != 0 && setup->step_count > 0)
        table_request_refer(t->request, &setup->origin);
}

static bool steps_have_chance(const struct table_setup *setup) {
    for (size_t i = 0; i < setup->step_count; i++)
        if (setup->steps[i].seat == SEAT_CHANCE)
            return true;
    return false;
}

/* What the set-up event says. */
static void table_write_setup(struct buf *out, const struct table_setup *setup, const struct digest *secret) {
    struct event_setup said = {.format = EVENT_FORMAT,
                               .rules_version = game_options_rules(setup->game, &setup->options),
                               .options = setup->options,
                               .violation_loses = setup->violation_loses,
                               .has_given = steps_have_chance(setup),
                               .waits_for_seats = true,
                               .turn_timeout_ms = setup->turn_timeout_ms};
    bool fits = span_copy(span_of(setup->game->name), said.game, sizeof said.game) &&
                span_copy(span_of(setup->protocol), said.protocol, sizeof said.protocol) &&
                span_copy(setup->note, said.note, sizeof said.note) &&
                span_copy(setup->house, said.house, sizeof said.house);
    assert(fits);
    (void)fits;
    dice_commit(&said.commitment, setup->id, secret);
    event_setup_write(out, &said);
}

/* A table of which nothing is on disk yet: its set-up is in the fold, so that it can be looked at. */
static struct table *table_begin(struct tables *tables, const struct table_setup *setup) {
    struct digest secret;
    struct buf body = {0};
    struct fold fold;
    tables->config.secret(tables->config.context, &secret);
    table_write_setup(&body, setup, &secret);
    struct event event = {.seq = 1,
                          .time_ms = tables->config.wall_ms(tables->config.context),
                          .kind = EVENT_SETUP,
                          .body = buf_span(&body)};
    event_chain(&event, setup->id, NULL);
    fold_init(&fold, setup->id);
    fold.find = NULL;
    fold.game = setup->game;
    enum err e = fold_event(&fold, &event);
    assert(e == ERR_OK);
    (void)e;
    struct table *t = table_alloc(tables, &fold);
    t->secret = secret;
    request_ask(t, TABLE_ASK_OPEN, SEAT_WATCHER);
    request_begin(t);
    buf_append(&t->request->bodies, buf_span(&body));
    request_event(t, EVENT_SETUP, 0);
    t->request->events[0].time_ms = event.time_ms; /* or its hash would be another one */
    buf_free(&body);
    return t;
}

/* Those who sit there from the start are in the fold from the start, too, unless something was played before.
 */
static void seats_show(struct table *t) {
    const struct table_request *r = t->request;
    request_chain(t);
    for (size_t i = 1; i < r->count && r->events[i].kind == EVENT_SEAT; i++) {
        enum err e = fold_event(&t->fold, &r->events[i]);
        assert(e == ERR_OK);
        (void)e;
    }
}

enum err table_open(struct tables *tables, const struct table_setup *setup,
                    const struct table_listener *listener, uint64_t now_ms, struct table **out) {
    tables->now_ms = now_ms;
    enum err e = tables->is_draining ? ERR_DRAINING : try_setup(tables, setup);
    if (e != ERR_OK)
        return e;
    struct table *t = table_begin(tables, setup);
    table_listen(t, listener);
    tables_add(tables, t);
    t->opener = setup->opener;
    tally_add(&tables->openers, &t->opener);
    add_steps(t, setup);
    add_seats(t, setup);
    seats_show(t);
    add_consequences(t);
    request_submit(t);
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
    if (t->is_opened) {
        request_over(t, ERR_OK);
        return;
    }
    t->is_waiting = t->is_stalled = false;
    DL_DELETE2(t->tables->waiting, t, waiting_prev, waiting_next);
    request_end(t);
    table_close(t);
}

static enum err may_request(const struct table *t) {
    if (t->request != NULL)
        return ERR_BUSY;
    return t->fold.is_finished ? ERR_TABLE_OVER : ERR_OK;
}

static bool table_is_free(const struct table *t, unsigned seat) {
    return t->fold.seats[seat]->name[0] == '\0';
}

/* The seat is given up: the table goes on without it, or it loses. */
static void add_loss(struct table *t, enum event_kind kind, struct event_forfeit *forfeit) {
    unsigned seat = forfeit->seat;
    table_loss_stamp(t, forfeit);
    assert(seat < t->fold.setup.options.seat_count && table_free_seats(t) == 0);
    size_t at = t->request->bodies.size;
    event_forfeit_write(&t->request->bodies, forfeit);
    request_event(t, kind, at);
    const struct game *game = t->fold.game;
    if (game->attend(t->tables->next, seat, SEAT_RETIRED)) {
        add_consequences(t);
    } else {
        int32_t points[SEATS_MAX];
        fold_loss(game, t->tables->next, fold_taken(&t->fold) & ~t->fold.retired, seat, points);
        add_result(t, OUTCOME_FORFEITED, points);
    }
}

static enum err try_action(struct table *t, unsigned seat, const struct action *action) {
    enum err e = t->fold.game->check(t->tables->next, seat, action);
    if (e == ERR_OK)
        t->fold.game->apply(t->tables->next, seat, action);
    return e;
}

static enum err try_turn(struct table *t, const struct table_ask *ask) {
    const struct table_turn *turn = &ask->turn;
    for (size_t i = 0;; i++) {
        bool is_on_turn = game_may_act(t->fold.game, t->tables->next, ask->seat);
        if (i == ask->action_count && turn->broken == ERR_OK)
            return is_on_turn ? turn->too_short : ERR_OK;
        if (!is_on_turn && turn->too_long != ERR_OK)
            return turn->too_long;
        enum err e = i == ask->action_count ? turn->broken : try_action(t, ask->seat, &ask->actions[i]);
        if (e != ERR_OK)
            return e;
    }
}

/* Somebody of the same name, who was not there when it was asked for, sat down through another node. */
static bool is_namesake_first(const struct table *t, const struct table_ask *ask) {
    for (unsigned seat = 0; t->request->is_again && seat < t->fold.setup.options.seat_count; seat++)
        if (seat != ask->seat && ask->word->guest.name[0] != '\0' &&
            strcmp(t->fold.seats[seat]->name, ask->word->guest.name) == 0)
            return true;
    return false;
}

/* Another free seat for a guest whose seat was taken meanwhile. */
static void guest_move(const struct table *t, struct table_ask *ask) {
    unsigned count = t->fold.setup.options.seat_count, seat;
    if (strcmp(t->fold.seats[ask->seat]->name, ask->word->guest.name) == 0)
        return;
    for (seat = 0; seat < count && !table_is_free(t, seat);)
        seat++;
    if (seat < count)
        ask->seat = ask->word->guest.seat = seat;
}

static enum err judge_sit(struct table *t, struct table_ask *ask) {
    if (ask->seat >= t->fold.setup.options.seat_count)
        return ERR_FIELD_INVALID;
    if (t->request->is_again && ask->is_any_seat && !table_is_free(t, ask->seat))
        guest_move(t, ask);
    if (!table_is_free(t, ask->seat) && (!ask->takes_over || t->fold.has_begun))
        return ERR_SEAT_TAKEN;
    if (ask->guest_fault != ERR_OK)
        return ask->guest_fault;
    if (is_namesake_first(t, ask))
        return ERR_SEAT_TAKEN;
    enum err e = ERR_OK;
    for (size_t i = 0; i < ask->action_count && e == ERR_OK; i++)
        e = try_action(t, ask->seat, &ask->actions[i]);
    if (e != ERR_OK)
        return e;
    add_guest(t, &ask->word->guest);
    if (ask->action_count > 0)
        add_actions(t, EVENT_ACTION, ask->seat, ask->actions, ask->action_count);
    add_consequences(t);
    return ERR_OK;
}

static enum err judge_get_up(struct table *t, const struct table_ask *ask, enum err too_late) {
    if (ask->seat >= t->fold.setup.options.seat_count || table_is_free(t, ask->seat) ||
        !fold_may_change(&t->fold, ask->seat))
        return too_late;
    add_guest(t, &(struct event_seat){.seat = ask->seat});
    return ERR_OK;
}

/* With what the seat is charged for it, where the whole game has a clock. */
static void add_turn(struct table *t, const struct table_ask *ask) {
    if (t->game_ms == 0) {
        add_actions(t, EVENT_ACTION, ask->seat, ask->actions, ask->action_count);
        return;
    }
    const struct table_turn *turn = &ask->turn;
    uint32_t used_ms = turn->has_used ? turn->used_ms : table_clock_used_ms(t, ask->seat);
    size_t at = t->request->bodies.size;
    event_timed_write(&t->request->bodies, ask->seat, ask->actions, ask->action_count, used_ms,
                      !game_may_act(t->fold.game, t->tables->next, ask->seat));
    request_event(t, EVENT_ACTION, at);
}

static enum err judge_act(struct table *t, const struct table_ask *ask) {
    if (ask->seat >= t->fold.setup.options.seat_count ||
        !game_may_act(t->fold.game, t->fold.state, ask->seat))
        return ERR_NOT_YOUR_TURN;
    if (ask->action_count == 0 && ask->turn.broken == ERR_OK)
        return ERR_ACTION_UNKNOWN;
    enum err e = try_turn(t, ask);
    if (e == ERR_OK) {
        add_turn(t, ask);
        add_consequences(t);
    } else if (t->fold.setup.violation_loses && table_free_seats(t) == 0) {
        struct event_forfeit forfeit = table_loss_of_breach(
            t->fold.game, ask->seat, &(struct table_breach){.why = e, .sent = ask->turn.sent});
        request_begin(t);
        add_loss(t, EVENT_FORFEIT, &forfeit);
    }
    return e;
}

/* At a table that waits for players there is nothing to lose yet: whoever goes leaves the seat free. */
static enum err judge_forfeit(struct table *t, const struct table_ask *ask) {
    if ((t->fold.retired & SEAT_BIT(ask->seat)) != 0)
        return ERR_TABLE_OVER;
    if (table_free_seats(t) > 0)
        return ask->word->forfeit.reason == REASON_VIOLATION ? ERR_TABLE_WAITS
                                                             : judge_get_up(t, ask, ERR_TABLE_WAITS);
    struct event_forfeit forfeit = ask->word->forfeit;
    add_loss(t, EVENT_FORFEIT, &forfeit);
    return ERR_OK;
}

/* Whatever happened since the clock ran out, the turn has begun anew with it. */
static enum err judge_time_out(struct table *t, const struct table_ask *ask) {
    seat_set set = t->fold.game->turn(t->fold.state);
    if (t->request->is_again || set == 0 || set == SEAT_BIT(SEAT_CHANCE))
        return ERR_NOT_YOUR_TURN;
    if (table_free_seats(t) > 0)
        return ERR_TABLE_WAITS;
    struct event_forfeit forfeit = ask->word->forfeit;
    forfeit.seat = table_clock_loser(t, ask->seat);
    add_loss(t, EVENT_TIMEOUT, &forfeit);
    return ERR_OK;
}

static enum err judge_attend(struct table *t, const struct table_ask *ask) {
    if (!t->fold.game->attend(t->tables->next, ask->seat, ask->attendance))
        return ERR_FIELD_INVALID;
    size_t at = t->request->bodies.size;
    event_attendance_write(&t->request->bodies,
                           &(struct event_attendance){.seat = ask->seat, .attendance = ask->attendance});
    request_event(t, EVENT_ATTENDANCE, at);
    add_consequences(t);
    return ERR_OK;
}

/* What is asked for, judged by what is true now: why it is refused, or ERR_OK. The request has events when
 * something follows, which may be a loss when it is refused. */
static enum err request_judge(struct table *t) {
    struct table_ask *ask = &t->request->ask;
    request_begin(t);
    if (t->fold.is_finished)
        return ERR_TABLE_OVER;
    switch (ask->kind) {
    case TABLE_ASK_SIT: return judge_sit(t, ask);
    case TABLE_ASK_GET_UP: return judge_get_up(t, ask, ERR_FIELD_INVALID);
    case TABLE_ASK_ACT: return judge_act(t, ask);
    case TABLE_ASK_FORFEIT: return judge_forfeit(t, ask);
    case TABLE_ASK_TIME_OUT: return judge_time_out(t, ask);
    case TABLE_ASK_ATTEND: return judge_attend(t, ask);
    case TABLE_ASK_ABANDON: add_result(t, OUTCOME_UNDECIDED, (const int32_t[SEATS_MAX]){0}); return ERR_OK;
    case TABLE_ASK_OPEN: break;
    }
    assert(false);
    return ERR_UNKNOWN_TYPE;
}

/* Judges what has been asked for, for the first time. */
static enum err table_request_start(struct table *t) {
    enum err e = request_judge(t);
    if (t->request->count == 0) {
        request_end(t);
        return e;
    }
    table_clock_stop(t);
    request_submit(t);
    return e;
}

static enum err guest_read(const struct table_guest *guest, struct event_seat *out) {
    *out = (struct event_seat){.seat = guest->seat, .has_token = guest->token != NULL};
    if (out->has_token)
        out->token = *guest->token;
    if (guest->name.size == 0 || !utf8_is_valid(guest->name) || !utf8_is_valid(guest->note) ||
        !span_copy(guest->name, out->name, sizeof out->name) ||
        !span_copy(guest->note, out->note, sizeof out->note))
        return ERR_FIELD_INVALID;
    if (guest->seed.size > 0 &&
        (!event_seed_fits(guest->seed) || !span_copy(guest->seed, out->seed, sizeof out->seed)))
        return ERR_FIELD_INVALID;
    return ERR_OK;
}

enum err table_sit(struct table *t, const struct table_guest *given, const struct action *actions,
                   size_t count, uint64_t now_ms) {
    struct table_guest guest = *given;
    struct tables *tables = t->tables;
    tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e == ERR_OK && tables->usher != NULL)
        e = tables->usher(tables->usher_context, t, &guest);
    if (e != ERR_OK)
        return e;
    assert(count <= EVENT_ACTIONS_MAX);
    struct table_ask *ask = request_ask(t, TABLE_ASK_SIT, guest.seat);
    ask_keep_actions(ask, actions, count);
    ask->word = mem_alloc(sizeof *ask->word);
    ask->takes_over = guest.takes_over;
    ask->is_any_seat = guest.is_any_seat;
    ask->guest_fault = guest_read(&guest, &ask->word->guest);
    table_guest_home(t, &guest, &ask->word->guest);
    return table_request_start(t);
}

enum err table_get_up(struct table *t, unsigned seat, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    request_ask(t, TABLE_ASK_GET_UP, seat);
    return table_request_start(t);
}

enum err table_act(struct table *t, unsigned seat, const struct action *actions, size_t count,
                   uint64_t now_ms) {
    return table_act_turn(t, seat, &(struct table_turn){.actions = actions, .count = count}, now_ms);
}

enum err table_act_turn(struct table *t, unsigned seat, const struct table_turn *turn, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    struct table_ask *ask = request_ask(t, TABLE_ASK_ACT, seat);
    ask->turn = *turn;
    if (turn->count > EVENT_ACTIONS_MAX)
        ask->turn = (struct table_turn){0};
    ask_keep_actions(ask, turn->actions, ask->turn.count);
    /* As bytes: text is made of them when the turn is a breach, and that is rare. */
    size_t kept = turn->sent.size < EVENT_SENT_BYTES_MAX ? turn->sent.size : EVENT_SENT_BYTES_MAX;
    buf_clear(&ask->sent);
    if (t->fold.setup.violation_loses)
        buf_append(&ask->sent, span_make(turn->sent.data, kept));
    ask->turn.sent = buf_span(&ask->sent);
    return table_request_start(t);
}

void table_pin_request(struct table *t) {
    assert(t->request != NULL);
    t->request->is_pinned = true;
}

static enum err forfeit_ask(struct table *t, const struct event_forfeit *forfeit) {
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    request_ask_loss(t, TABLE_ASK_FORFEIT, forfeit->seat, forfeit);
    return table_request_start(t);
}

enum err table_forfeit(struct table *t, unsigned seat, enum event_reason reason) {
    return table_forfeit_why(t, seat, reason, NULL);
}

enum err table_forfeit_why(struct table *t, unsigned seat, enum event_reason reason,
                           const struct table_cause *cause) {
    struct event_forfeit forfeit = table_loss_of_cause(seat, reason, cause);
    return forfeit_ask(t, &forfeit);
}

enum err table_violate(struct table *t, unsigned seat, const struct table_breach *breach) {
    struct event_forfeit forfeit = table_loss_of_breach(t->fold.game, seat, breach);
    return forfeit_ask(t, &forfeit);
}

bool table_is_retired(const struct table *t, unsigned seat) {
    return (t->fold.retired & SEAT_BIT(seat)) != 0;
}

static void go_or_come(struct table *t, unsigned seat, enum attendance attendance) {
    request_ask(t, TABLE_ASK_ATTEND, seat)->attendance = attendance;
    enum err e = table_request_start(t);
    (void)e; /* the rules know nothing of it */
}

void table_do_wishes(struct table *t) {
    for (unsigned seat = 0; t->wishes != NULL && seat < t->fold.setup.options.seat_count; seat++) {
        if (may_request(t) != ERR_OK)
            return;
        struct table_intent wish = t->wishes[seat];
        t->wishes[seat].is_open = false;
        if (!wish.is_open || (t->fold.retired & SEAT_BIT(seat)) != 0)
            continue;
        if (wish.attendance == SEAT_RETIRED) {
            enum err e = table_forfeit_why(t, seat, REASON_LEFT, &wish.cause);
            (void)e; /* nothing to lose yet */
        } else
            go_or_come(t, seat, wish.attendance);
    }
    if (may_request(t) == ERR_OK) { /* all of them were looked at */
        mem_free(t->wishes);
        t->wishes = NULL;
    }
}

static void wish_take(struct table *t, unsigned seat, enum attendance attendance,
                      const struct table_cause *cause, uint64_t now_ms) {
    assert(seat < t->fold.setup.options.seat_count);
    t->tables->now_ms = now_ms;
    if (t->wishes == NULL)
        t->wishes = mem_alloc(t->fold.setup.options.seat_count * sizeof *t->wishes);
    t->wishes[seat] = (struct table_intent){.is_open = true, .attendance = attendance, .cause = *cause};
    table_do_wishes(t);
}

void table_attend(struct table *t, unsigned seat, enum attendance attendance, uint64_t now_ms) {
    wish_take(t, seat, attendance, &(struct table_cause){0}, now_ms);
}

void table_retire(struct table *t, unsigned seat, const struct table_cause *cause, uint64_t now_ms) {
    wish_take(t, seat, SEAT_RETIRED, cause, now_ms);
}

enum err table_abandon(struct table *t) {
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    request_ask(t, TABLE_ASK_ABANDON, SEAT_WATCHER);
    return table_request_start(t);
}

enum err table_time_out_why(struct table *t, unsigned seat, const struct table_cause *cause) {
    enum err e = may_request(t);
    if (e != ERR_OK)
        return e;
    struct event_forfeit forfeit = table_loss_of_cause(0, (enum event_reason)0, cause);
    request_ask_loss(t, TABLE_ASK_TIME_OUT, seat, &forfeit);
    return table_request_start(t);
}

enum err table_time_out(struct table *t) {
    return table_time_out_why(t, SEAT_WATCHER, NULL);
}

uint64_t table_id(const struct table *t) {
    return t->id;
}

const struct address *table_opener(const struct table *t) {
    return &t->opener;
}

const char *table_protocol(const struct table *t) {
    return t->fold.setup.protocol;
}

const struct game *table_game(const struct table *t) {
    return t->fold.game;
}

const struct game_options *table_options(const struct table *t) {
    return &t->fold.setup.options;
}

bool table_violation_loses(const struct table *t) {
    return t->fold.setup.violation_loses;
}

bool table_has_given_up(const struct table *t, unsigned seat) {
    return fold_has_given_up(&t->fold, seat);
}

uint32_t *table_mark(struct table *t) {
    return &t->mark;
}

bool table_has_begun(const struct table *t) {
    return t->fold.has_begun;
}

unsigned table_free_seats(const struct table *t) {
    return fold_free_seats(&t->fold);
}

enum table_state_word table_state_word(const struct table *t) {
    return t->fold.is_finished ? TABLE_OVER : t->is_opened ? TABLE_RUNNING : TABLE_OPENING;
}

const char *table_name(const struct table *t, unsigned seat) {
    assert(seat < t->fold.setup.options.seat_count);
    return t->fold.seats[seat]->name;
}

const char *table_note(const struct table *t, unsigned seat) {
    assert(seat < t->fold.setup.options.seat_count);
    return t->fold.seats[seat]->note;
}

const char *table_seed(const struct table *t, unsigned seat) {
    assert(seat < t->fold.setup.options.seat_count);
    return t->fold.seats[seat]->seed;
}

void table_commitment(const struct table *t, struct digest *out) {
    *out = t->fold.setup.commitment;
}

uint64_t table_mixed_seq(const struct table *t) {
    return t->fold.dice.mixed_seq;
}

const char *table_setup_note(const struct table *t) {
    return t->fold.setup.note;
}

const char *table_house_note(const struct table *t) {
    return t->fold.setup.house;
}

unsigned table_draw_seat(const struct table *t) {
    static const struct dice nothing_before;
    unsigned joined[SEATS_MAX];
    dice_seats(t->id, &t->secret, &nothing_before, 2, 2, joined);
    return joined[0];
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
    return t->fold.created_ms;
}

bool table_is_busy(const struct table *t) {
    return t->request != NULL;
}

enum event_outcome table_outcome(const struct table *t) {
    assert(t->fold.is_finished);
    return t->fold.result->outcome;
}

void table_points(const struct table *t, int32_t points[SEATS_MAX]) {
    assert(t->fold.is_finished);
    memcpy(points, t->fold.result->points, sizeof t->fold.result->points);
}

uint64_t table_version(const struct table *t) {
    return t->is_opened ? t->fold.last_seq : 0;
}

enum event_reason table_loss_reason(const struct table *t) {
    return t->fold.loser_reason;
}
