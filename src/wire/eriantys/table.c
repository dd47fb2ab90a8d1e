/* Tables of Eriantys as its clients see them. Everything that happens at a table is told from here, out of
 * what the table itself tells, so that it makes no difference through which protocol somebody sits or plays.
 */
#include "wire/eriantys/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

enum { BUSY_RETRY_MS = 1000 };

const struct eriantys *eriantys_table_state(const struct eriantys_table *t) {
    return eriantys_of(table_state(t->table));
}

static unsigned seat_count(const struct eriantys_table *t) {
    return table_options(t->table)->seat_count;
}

static struct eriantys_scene scene_of(const struct eriantys_table *t, const struct game_state *state) {
    struct eriantys_scene scene = {.state = eriantys_of(state)};
    for (unsigned seat = 0; seat < seat_count(t); seat++) {
        scene.names[seat] = table_name(t->table, seat);
        scene.is_online[seat] = table_is_online(t->table, seat);
        scene.wizards[seat] = t->wizards[seat];
    }
    return scene;
}

struct eriantys_scene eriantys_table_scene(const struct eriantys_table *t) {
    return scene_of(t, table_state(t->table));
}

bool eriantys_table_is_complete(const struct eriantys_table *t) {
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if (table_name(t->table, seat)[0] == '\0' || !table_is_online(t->table, seat))
            return false;
    return true;
}

bool eriantys_table_is_started(const struct eriantys_table *t) {
    return t->is_started || table_has_begun(t->table);
}

static bool is_anybody_online(const struct eriantys_table *t) {
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if (table_is_online(t->table, seat))
            return true;
    return false;
}

/* Messages. */

static struct buf *message(struct eriantys_table *t) {
    buf_clear(&t->port->out);
    return &t->port->out;
}

/* What is in port->out, to everybody who is logged in. */
static void say_all(struct eriantys_table *t) {
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if (t->seats[seat] != NULL)
            eriantys_session_say(t->seats[seat]);
}

static void write_status(struct eriantys_table *t) {
    struct eriantys_scene scene = eriantys_table_scene(t);
    eriantys_write_status(message(t), &scene);
}

/* Whose turn it is. While somebody is missing nobody may play. */
static void write_turn(struct eriantys_table *t) {
    eriantys_write_turn(message(t), table_name(t->table, eriantys_table_state(t)->mover),
                        eriantys_table_is_complete(t));
}

static void say_all_state(struct eriantys_table *t) {
    write_status(t);
    say_all(t);
    write_turn(t);
    say_all(t);
}

void eriantys_table_show(struct eriantys_session *s) {
    write_status(s->table);
    eriantys_session_say(s);
    write_turn(s->table);
    eriantys_session_say(s);
}

/* What was said outside of a call from the JSON port leaves now. */
static void flush(struct eriantys_port *p) {
    if (p->calls == 0)
        json_port_flush(p->port);
}

/* Somebody was missing and is not any more. What is being saved is told with it: until then the game waits,
 * so that nobody is offered a turn that is just being played. */
static void start(struct eriantys_table *t) {
    if (!t->is_paused || !eriantys_table_is_complete(t) || table_is_busy(t->table))
        return;
    t->is_started = true;
    t->is_paused = false;
    write_status(t);
    say_all(t);
    eriantys_write_start(message(t));
    say_all(t);
    write_turn(t);
    say_all(t);
}

/* Who comes and goes. */

void eriantys_table_detach(struct eriantys_session *s) {
    struct eriantys_table *t = s->table;
    DL_DELETE2(t->sessions, s, table_prev, table_next);
    if (s->seat != ERIANTYS_NONE)
        t->seats[s->seat] = NULL;
    if (t->sitter == s)
        t->sitter = NULL;
    s->table = NULL;
    s->seat = ERIANTYS_NONE;
}

void eriantys_table_enter(struct eriantys_table *t, struct eriantys_session *s) {
    DL_APPEND2(t->sessions, s, table_prev, table_next);
    s->table = t;
}

void eriantys_table_leave(struct eriantys_session *s) {
    struct eriantys_table *t = s->table;
    unsigned seat = s->seat;
    if (t == NULL)
        return;
    eriantys_table_detach(s);
    if (seat != ERIANTYS_NONE)
        table_set_online(t->table, seat, false);
    eriantys_table_release(t);
}

void eriantys_table_release(struct eriantys_table *t) {
    if (!t->is_own && t->sessions == NULL)
        eriantys_table_free(t);
}

void eriantys_table_seat(struct eriantys_session *s, unsigned seat) {
    struct eriantys_table *t = s->table;
    assert(t->seats[seat] == NULL);
    t->seats[seat] = s;
    s->seat = seat;
    eriantys_write_login(message(t), true);
    eriantys_session_say(s);
    table_set_online(t->table, seat, true);
}

static void give_up(struct timer *timer, uint64_t now_ms);

/* Tables of others are not the port's to give up. */
static void watch_keep(struct eriantys_table *t) {
    struct eriantys_port *p = t->port;
    if (!t->is_own || !p->is_awake || table_state_word(t->table) == TABLE_OVER)
        return;
    if (is_anybody_online(t))
        timers_stop(&p->timers, &t->timer);
    else if (!timer_is_armed(&t->timer))
        timers_arm(&p->timers, &t->timer, p->now_ms + p->config.keep_ms, give_up);
}

void eriantys_table_wake(struct eriantys_table *t) {
    watch_keep(t);
}

static void on_presence(void *context, struct table *table, unsigned seat) {
    struct eriantys_table *t = context;
    if (table_state_word(table) == TABLE_OVER)
        return;
    if (table_is_online(table, seat)) {
        start(t);
    } else {
        t->is_paused = true;
        t->left[seat] = ++t->port->departures;
        eriantys_write_error(message(t), ERIANTYS_USER_DISCONNECTED);
        say_all(t);
        if (eriantys_table_is_started(t) && eriantys_table_state(t)->phase != ERIANTYS_PLANNING) {
            write_status(t);
            say_all(t);
        }
    }
    watch_keep(t);
    eriantys_table_help(t);
    flush(t->port);
}

/* What is played. */

static struct eriantys_turn turn_of(const struct eriantys *e) {
    return (struct eriantys_turn){e->phase <= ERIANTYS_PLANNING, e->round, e->turn, e->mover};
}

static bool turn_equal(const struct eriantys_turn *a, const struct eriantys_turn *b) {
    return a->is_planning == b->is_planning && a->round == b->round && a->turn == b->turn;
}

/* The command goes to everybody but who has sent it, as far as they can bear it. What is played in a pause,
 * through another protocol, is told with the whole game when everybody is there again. */
static void on_played(void *context, struct table *table, unsigned seat, const struct action *action,
                      const struct game_state *before) {
    struct eriantys_table *t = context;
    (void)table;
    if (seat == SEAT_CHANCE || t->is_paused)
        return;
    if (!t->has_step) {
        t->has_step = true;
        t->step_turn = turn_of(eriantys_of(before));
    }
    struct eriantys_scene scene = scene_of(t, before);
    eriantys_write_command(message(t), &scene, seat, action);
    for (unsigned other = 0; other < seat_count(t); other++)
        if (other != seat && t->seats[other] != NULL && !t->seats[other]->pongs_unasked)
            eriantys_session_say(t->seats[other]);
}

static void tell_step(struct eriantys_table *t) {
    struct eriantys_turn now = turn_of(eriantys_table_state(t));
    t->has_step = false;
    if (!turn_equal(&t->step_turn, &now)) {
        eriantys_write_turn(message(t), table_name(t->table, t->step_turn.mover), false);
        say_all(t);
    }
    say_all_state(t);
}

/* 23: the authors' client refuses to send an assistant that somebody else has played, although R8 allows it
 * to who has no other: it would wait for ever. */
void eriantys_table_help(struct eriantys_table *t) {
    const struct eriantys *e = eriantys_table_state(t);
    const struct eriantys_session *s = t->seats[e->mover];
    struct action hand[ERIANTYS_ACTIONS_MAX];
    if (t->is_paused || table_is_busy(t->table) || table_state_word(t->table) != TABLE_RUNNING || s == NULL ||
        !s->pongs_unasked || e->phase != ERIANTYS_PLANNING || !eriantys_hand_is_taken(e))
        return;
    size_t count = eriantys_game.legal(table_state(t->table), e->mover, hand);
    uint64_t now_ms = tables_now_ms(t->port->config.tables); /* what has led here need not be of this port */
    enum err why =
        table_act(t->table, e->mover, &hand[0], 1, now_ms > t->port->now_ms ? now_ms : t->port->now_ms);
    assert(count > 0 && why == ERR_OK);
    (void)count;
    (void)why;
}

static seat_set winners_of(const struct eriantys_table *t) {
    int32_t points[SEATS_MAX];
    seat_set set = 0;
    if (table_outcome(t->table) == OUTCOME_PLAYED)
        return eriantys_winners(eriantys_table_state(t));
    table_points(t->table, points);
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        set |= points[seat] > 0 ? SEAT_BIT(seat) : 0;
    return set;
}

static void tell_win(struct eriantys_table *t) {
    struct eriantys_scene scene = eriantys_table_scene(t);
    eriantys_write_win(message(t), &scene, winners_of(t));
    say_all(t);
}

static void close_due(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    eriantys_table_free(TIMER_OWNER(timer, struct eriantys_table, timer));
}

/* Lets all go, each with what it has said in the meantime. */
static void let_go(struct eriantys_table *t) {
    while (t->sessions != NULL) {
        struct eriantys_session *s = t->sessions;
        eriantys_table_detach(s);
        json_peer_resume(s->peer, t->port->now_ms);
    }
}

/* Nothing is said about the table after this; the connections may enter others. It is closed a moment later,
 * so that everybody else who watches it has heard of the end too. */
static void tell_end(struct eriantys_table *t) {
    tell_win(t);
    flush(t->port);
    let_go(t);
    timers_arm(&t->port->timers, &t->timer, t->port->now_ms, close_due);
}

/* What waited while the request was being saved is heard now: each session in its turn, so that one that
 * always has something to say does not keep the others from being heard. */
static void resume(struct eriantys_table *t) {
    struct eriantys_port *p = t->port;
    struct eriantys_session *s;
    DL_FOREACH2(t->sessions, s, table_next) s->is_marked = true;
    p->resuming = t;
    while (p->resuming == t && !table_is_busy(t->table)) {
        for (s = t->sessions; s != NULL && !s->is_marked;)
            s = s->table_next;
        if (s == NULL)
            break;
        s->is_marked = false;
        DL_DELETE2(t->sessions, s, table_prev, table_next);
        DL_APPEND2(t->sessions, s, table_prev, table_next);
        json_peer_resume(s->peer, p->now_ms);
    }
    p->resuming = NULL;
}

static void tell_creator(struct eriantys_table *t) {
    struct eriantys_session *creator = t->creator;
    char code[TABLE_CODE_CHARS + 1];
    if (creator == NULL)
        return;
    t->creator = NULL;
    creator->creating = NULL;
    table_code_format(t->id, code);
    eriantys_write_creation(message(t), code);
    eriantys_session_say(creator);
    json_peer_resume(creator->peer, t->port->now_ms);
}

static void on_settled(void *context, struct table *table) {
    struct eriantys_table *t = context;
    struct eriantys_port *p = t->port;
    struct eriantys_session *sitter = t->sitter;
    t->sitter = NULL;
    if (table_state_word(table) == TABLE_OVER) {
        tell_end(t);
        flush(p);
        return;
    }
    if (sitter != NULL)
        eriantys_table_seat(sitter, t->sitting);
    t->is_paused = t->is_paused || !eriantys_table_is_complete(t);
    if (t->has_step)
        tell_step(t);
    start(t);
    watch_keep(t);
    flush(p);
    tell_creator(t);
    eriantys_table_help(t);
    resume(t);
    flush(p);
}

static void on_stalled(void *context, struct table *table) {
    static const char text[] = "the server cannot save at the moment; the game goes on as soon as it can";
    struct eriantys_table *t = context;
    (void)table;
    eriantys_write_error(message(t), text);
    say_all(t);
    if (t->sitter != NULL)
        eriantys_session_say(t->sitter);
    if (t->creator != NULL)
        eriantys_session_say(t->creator);
    flush(t->port);
}

/* Somebody else's table is gone; perhaps its owner has closed it with the last request. */
static void on_closed(void *context, struct table *table) {
    struct eriantys_table *t = context;
    struct eriantys_port *p = t->port;
    if (table_state_word(table) == TABLE_OVER) {
        tell_win(t);
    } else {
        eriantys_write_error(message(t), "the game is gone");
        say_all(t);
    }
    t->watch = NULL;
    t->table = NULL;
    eriantys_table_free(t);
    flush(p);
}

/* The lives of tables. */

static struct table_listener listener_of(struct eriantys_table *t) {
    return (struct table_listener){.context = t,
                                   .settled = on_settled,
                                   .stalled = on_stalled,
                                   .played = on_played,
                                   .presence = on_presence,
                                   .closed = on_closed};
}

/* Which wizard a seat has means nothing to the rules; it is drawn, and the same after a restart. */
static void draw_wizards(struct eriantys_table *t) {
    struct digest digest;
    struct rng rng;
    table_derive(t->table, "eriantys wizards", 0, 0, &digest);
    rng_seed(&rng, digest_to_number(digest.bytes));
    for (unsigned i = 0; i < ERIANTYS_WIZARDS; i++) {
        unsigned other = rng_below(&rng, i + 1);
        t->wizards[i] = t->wizards[other];
        t->wizards[other] = i;
    }
}

static struct eriantys_table *table_add(struct eriantys_port *p, uint64_t id, bool is_own) {
    struct eriantys_table *t = mem_alloc(sizeof *t);
    t->port = p;
    t->id = id;
    t->is_own = is_own;
    t->is_paused = true;
    p->own_count += is_own;
    HASH_ADD(by_id, p->by_id, id, sizeof t->id, t);
    return t;
}

void eriantys_table_free(struct eriantys_table *t) {
    struct eriantys_port *p = t->port;
    HASH_DELETE(by_id, p->by_id, t);
    p->own_count -= t->is_own;
    timers_stop(&p->timers, &t->timer);
    if (p->resuming == t)
        p->resuming = NULL;
    let_go(t);
    if (t->creator != NULL)
        t->creator->creating = NULL;
    if (t->watch != NULL)
        table_unwatch(t->watch);
    else if (t->table != NULL)
        table_close(t->table);
    mem_free(t);
}

struct eriantys_table *eriantys_table_adopt(struct eriantys_port *p, struct table *table) {
    bool is_own = strcmp(table_protocol(table), ERIANTYS_PROTOCOL) == 0;
    struct eriantys_table *t = table_add(p, table_id(table), is_own);
    t->table = table;
    struct table_listener listener = listener_of(t);
    draw_wizards(t);
    if (is_own)
        table_listen(table, &listener);
    else
        t->watch = table_watch(table, &listener);
    /* Whether all were there at once is not in the journal. Who has a seat and has only lost the server keeps
     * it. */
    t->is_started = table_free_seats(table) == 0;
    t->is_paused = !eriantys_table_is_complete(t);
    watch_keep(t);
    return t;
}

struct eriantys_table *eriantys_table_find(struct eriantys_port *p, struct span code) {
    struct eriantys_table *t = NULL;
    uint64_t id;
    if (!table_code_parse(code, &id))
        return NULL;
    HASH_FIND(by_id, p->by_id, &id, sizeof id, t);
    if (t == NULL) {
        struct table *table = tables_find(p->config.tables, id);
        if (table == NULL || table_game(table) != &eriantys_game || table_state_word(table) != TABLE_RUNNING)
            return NULL;
        return eriantys_table_adopt(p, table);
    }
    return table_state_word(t->table) == TABLE_RUNNING ? t : NULL;
}

static void give_up(struct timer *timer, uint64_t now_ms) {
    struct eriantys_table *t = TIMER_OWNER(timer, struct eriantys_table, timer);
    char code[TABLE_CODE_CHARS + 1];
    if (table_is_busy(t->table)) {
        timers_arm(&t->port->timers, &t->timer, now_ms + BUSY_RETRY_MS, give_up);
        return;
    }
    table_code_format(t->id, code);
    log_event(LOG_DEBUG, "eriantys-empty", LOG_TEXT("table", span_of(code)));
    enum err e = table_abandon(t->table);
    assert(e == ERR_OK);
    (void)e;
}

/* A table at which nobody has ever sat makes room for a new one; false when there is none. */
static bool make_room(struct eriantys_port *p) {
    struct eriantys_table *t, *next;
    HASH_ITER(by_id, p->by_id, t, next) {
        if (!t->is_own || t->sessions != NULL || table_is_busy(t->table) ||
            table_free_seats(t->table) != seat_count(t) || table_state_word(t->table) != TABLE_RUNNING)
            continue;
        timers_stop(&p->timers, &t->timer);
        return table_abandon(t->table) == ERR_OK;
    }
    return false;
}

static enum err open_table(struct eriantys_port *p, const struct table_wish *wish,
                           struct eriantys_table **out) {
    if (!tables_may_open(p->config.tables, &wish->opener))
        return ERR_ADDRESS_FULL;
    if (p->own_count >= p->config.tables_max && !make_room(p))
        return ERR_TOO_MANY;
    struct eriantys_table *t = table_add(p, tables_new_short(p->config.tables), true);
    struct table_setup setup = {.id = t->id,
                                .game = &eriantys_game,
                                .options = wish->options,
                                .protocol = ERIANTYS_PROTOCOL,
                                .house = wish->house,
                                .opener = wish->opener};
    struct table_listener listener = listener_of(t);
    enum err e = table_open(p->config.tables, &setup, &listener, p->now_ms, &t->table);
    assert(e == ERR_OK);
    (void)e;
    draw_wizards(t);
    watch_keep(t);
    *out = t;
    return ERR_OK;
}

enum err eriantys_table_open(struct eriantys_session *s, const struct eriantys_request *r) {
    struct table_wish wish = {.options = game_options_default(&eriantys_game, r->seat_count),
                              .opener = *json_peer_address(s->peer)};
    struct eriantys_table *t;
    wish.options.value[ERIANTYS_OPTION_MODE] = r->is_expert ? ERIANTYS_EXPERT : ERIANTYS_NORMAL;
    enum err e = open_table(s->port, &wish, &t);
    if (e != ERR_OK)
        return e;
    t->creator = s;
    s->creating = t;
    return ERR_OK;
}

static enum err door_open(void *context, const struct table_wish *wish, uint64_t now_ms, struct table **out) {
    struct eriantys_port *p = context;
    struct eriantys_table *t;
    enum err e = game_options_check(&eriantys_game, &wish->options);
    p->now_ms = now_ms;
    if (e == ERR_OK)
        e = open_table(p, wish, &t);
    if (e == ERR_OK)
        *out = t->table;
    return e;
}

const struct table_door eriantys_door = {
    .protocol = ERIANTYS_PROTOCOL, .game = &eriantys_game, .open = door_open};
