#include "wire/santorini/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <time.h>
#include <utlist.h>

enum { NUMBER_MIN = 2, NUMBER_MAX = SANTORINI_SEATS_MAX };

struct santorini_port_config santorini_port_config_default(void) {
    return (struct santorini_port_config){
        .grace_ms = 60 * 1000,
        .ping_every_ms = 2 * 1000,
        .silence_ms = 10 * 1000,
        .quiet_ms = 600 * 1000,
        .answer_ms = 120 * 1000,
        .tables_max = 10 * 1000,
        .waiting_max = 1000,
    };
}

void visitor_send(struct visitor *v) {
    json_peer_send_lines(v->peer, buf_span(&v->port->out));
    buf_clear(&v->port->out);
}

void stage_send(struct stage *stage, const struct visitor *except) {
    struct santorini_port *p = stage->port;
    struct visitor *v;
    DL_FOREACH(stage->visitors, v)
    if (v != except)
        json_peer_send_lines(v->peer, buf_span(&p->out));
    buf_clear(&p->out);
}

void visitor_send_error(struct visitor *v, const char *description) {
    santorini_write_error(&v->port->out, description);
    visitor_send(v);
}

static void visitor_free(struct visitor *v) {
    timers_stop(&v->port->timers, &v->timer);
    mem_free(v);
}

void visitor_dismiss(struct visitor *v) {
    santorini_write_plain(&v->port->out, "disconnect");
    visitor_send(v);
    json_peer_close(v->peer);
    visitor_free(v);
}

/* Nobody is there any more; who gives up does not come back. */
static void visitor_gone(struct visitor *v, bool gives_up) {
    struct santorini_port *p = v->port;
    struct stage_seat *seat = v->seat;
    lobby_leave(v);
    visitor_free(v);
    if (seat != NULL) {
        stage_seat_lose(seat);
        if (gives_up)
            stage_seat_give_up(seat);
    }
    lobby_advance(p);
}

/* Refusals. */

/* What could be understood of the request is repeated, except what nobody could have said. */
static void refuse(struct visitor *v, const struct santorini_request *r, enum err e, const char *why) {
    const char *name = v->seat == NULL ? "" : table_name(v->at->table, v->seat->number);
    log_event(LOG_DEBUG, "request-refused", LOG_TEXT("type", span_of(santorini_request_word(r->type))),
              LOG_TEXT("why", span_of(why)));
    json_peer_refused(v->peer, e);
    struct santorini_request shown = *r;
    if (r->name.size == 0 || utf8_length(r->name) > SANTORINI_NAME_CHARS_MAX)
        shown.name = (struct span){0};
    shown.god_count = r->type == SANTORINI_SET_GODS ? 0 : r->god_count;
    santorini_write_reply(&v->port->out, &shown, name, false);
    santorini_write_error(&v->port->out, why);
    visitor_send(v);
}

/* Moves and builds are not asked for again: the lists that were sent still hold. */
static bool is_asked_again(enum santorini_request_type type) {
    return type < SANTORINI_MOVE;
}

static void refuse_turn(struct visitor *v, const struct santorini_request *r, enum err e, const char *why) {
    refuse(v, r, e, why);
    if (!is_asked_again(r->type))
        return;
    v->seat->step = SANTORINI_STEP_NONE;
    stage_prompt(v->at);
}

static void refuse_player(struct visitor *v, const struct santorini_request *r, enum err e, const char *why) {
    refuse(v, r, e, why);
    if (v->is_asked)
        santorini_write_plain(&v->port->out, "askNickAndDate");
    else if (v->is_asked_number)
        santorini_write_plain(&v->port->out, "askNumberOfPlayers");
    visitor_send(v);
}

/* Nobody waits for such a request now, or from this player. */
static void refuse_time(struct visitor *v, enum err e, const char *why) {
    json_peer_refused(v->peer, e);
    visitor_send_error(v, why);
}

/* Requests. */

static void take_number(struct visitor *v, const struct santorini_request *r) {
    struct santorini_port *p = v->port;
    if (!v->is_asked_number) {
        refuse_time(v, ERR_PHASE_OTHER, "the number of players is not asked for");
        return;
    }
    if (r->number >= NUMBER_MIN && r->number <= NUMBER_MAX) {
        lobby_open_table(v, (unsigned)r->number);
        return;
    }
    json_peer_refused(v->peer, ERR_SEAT_COUNT);
    santorini_write_plain(&p->out, "errorNumber");
    santorini_write_plain(&p->out, "askNumberOfPlayers");
    visitor_send(v);
}

static bool is_seated_as(const struct json_peer *peer, const void *name) {
    const struct visitor *v = json_peer_session(peer);
    return v->seat != NULL && span_is(*(const struct span *)name, table_name(v->at->table, v->seat->number));
}

/* The seat of that name whose player is gone and has not lost: the one that went last. */
static struct stage_seat *find_missed(const struct santorini_port *p, struct span name) {
    struct stage_seat *seat;
    DL_FOREACH(p->missed, seat) {
        const struct table *table = seat->stage->table;
        if (seat->visitor == NULL && !seat->is_leaving && !seat->stage->is_dropped &&
            santorini_is_alive(stage_view(seat->stage), seat->number) &&
            span_is(name, table_name(table, seat->number)) && stage_seat_is_ours(table, seat->number))
            return seat;
    }
    return NULL;
}

static void come_back(struct visitor *v, struct stage_seat *seat) {
    struct santorini_port *p = v->port;
    struct stage *stage = seat->stage;
    lobby_leave(v);
    v->at = stage;
    DL_APPEND(stage->visitors, v);
    struct santorini_scene scene = stage_scene(stage);
    santorini_write_replay(&p->out, &scene);
    stage_write_away(stage, seat->number);
    visitor_send(v);
    stage_seat_take(seat, v);
    if (!table_is_busy(stage->table) && stage_view(stage)->mover == seat->number)
        stage_prompt(stage);
    lobby_advance(p);
}

/* Whoever comes back after the end is told how it ended, as those who were there, and goes like them. True
 * when it was so. */
static bool come_late(struct visitor *v, struct span name) {
    struct santorini_port *p = v->port;
    struct buf lines = {0};
    if (!farewells_take(&p->farewells, name, p->now_ms, &lines))
        return false;
    lobby_leave(v);
    json_peer_send_lines(v->peer, buf_span(&lines));
    buf_free(&lines);
    visitor_dismiss(v);
    lobby_advance(p);
    return true;
}

/* Tomorrow has begun somewhere in the world. */
static bool birth_is_to_come(const struct santorini_port *p, struct santorini_birth birth) {
    enum { HOUR_S = 3600, EAST_HOURS_MAX = 14 };
    time_t now_s = (time_t)(tables_journal_ms(p->config.tables) / 1000 + EAST_HOURS_MAX * HOUR_S);
    struct tm today;
    gmtime_r(&now_s, &today);
    int year = today.tm_year + 1900, month = today.tm_mon + 1;
    if (birth.year != year)
        return birth.year > year;
    return birth.month != month ? birth.month > month : birth.day > today.tm_mday;
}

/* A client of the document that was asked in line has no table yet: its name is kept until there is one. */
static void keep_name(struct visitor *v, const struct santorini_request *r) {
    bool fits = span_copy(r->name, v->name, sizeof v->name) && span_copy(r->seed, v->seed, sizeof v->seed);
    assert(fits);
    (void)fits;
    v->birth = r->birth;
}

static void take_player(struct visitor *v, const struct santorini_request *r, enum err e) {
    json_port_release(v->port->json, is_seated_as, &r->name, v->port->now_ms);
    struct stage_seat *missed = v->seat == NULL ? find_missed(v->port, r->name) : NULL;
    if (v->seat != NULL) {
        refuse_time(v, ERR_PHASE_OTHER, "you have a name already");
        return;
    }
    v->words = r->words;
    if (missed != NULL) {
        come_back(v, missed);
        return;
    }
    if (come_late(v, r->name))
        return;
    /* Who has just gone makes its seat free first. */
    bool has_to_wait = v->at == NULL || table_is_busy(v->at->table);
    const char *why = e != ERR_OK                           ? r->complaint
                      : birth_is_to_come(v->port, r->birth) ? "this day is yet to come"
                      : v->at == NULL && !v->is_asked
                          ? "the number of players has to be chosen first"
                          : stage_name_complaint(has_to_wait ? NULL : v->at->table, r->name);
    if (why == NULL && has_to_wait) {
        keep_name(v, r);
        return;
    }
    v->name[0] = '\0';
    if (why == NULL) {
        e = stage_sit(v, r->name, r->birth, r->seed);
        why = e == ERR_OK ? NULL : err_sentence(e);
    }
    if (why != NULL)
        refuse_player(v, r, e == ERR_OK ? ERR_FIELD_INVALID : e, why);
}

static void take_step(struct visitor *v, const struct santorini_request *r) {
    struct santorini_steps steps;
    santorini_steps(stage_view(v->at), &steps);
    if (!(santorini_open_steps(&steps) >> r->step & 1)) {
        refuse_turn(v, r, ERR_STEP_POWER, "this step is not offered");
        return;
    }
    if (!(SANTORINI_WORDS_DOCUMENT >> r->step & 1))
        v->words |= SANTORINI_WORDS_DOCUMENT | 1u << r->step; /* who says it knows it */
    v->seat->step = r->step;
    santorini_write_reply(&v->port->out, r, table_name(v->at->table, v->seat->number), true);
    visitor_send(v);
    stage_prompt(v->at);
}

/* Whether the player has bound itself to another step than this request is. */
static bool is_against_choice(const struct stage_seat *seat, enum santorini_request_type type) {
    static const enum santorini_step steps[SANTORINI_REQUEST_TYPES] = {
        [SANTORINI_MOVE] = SANTORINI_STEP_MOVE,     [SANTORINI_BUILD] = SANTORINI_STEP_BUILD,
        [SANTORINI_FORCE] = SANTORINI_STEP_FORCE,   [SANTORINI_REMOVE] = SANTORINI_STEP_REMOVE,
        [SANTORINI_BORROW] = SANTORINI_STEP_BORROW,
    };
    return type >= SANTORINI_MOVE && seat->step != SANTORINI_STEP_NONE && seat->step != steps[type];
}

static enum err act(struct visitor *v, const struct santorini_request *r, const char **why) {
    struct santorini_scene scene = stage_scene(v->at);
    struct action actions[SANTORINI_REQUEST_ACTIONS_MAX];
    size_t count;
    if (is_against_choice(v->seat, r->type)) {
        *why = "another step was chosen";
        return ERR_PHASE_OTHER;
    }
    struct santorini_request meant = *r;
    santorini_request_bind(scene.state, v->words, &meant);
    enum err e = santorini_request_actions(&scene, &meant, actions, &count);
    if (e == ERR_OK)
        e = table_act(v->at->table, v->seat->number, actions, count, v->port->now_ms);
    *why = e == ERR_FIELD_INVALID ? "name as many gods as there are players" : err_sentence(e);
    return e;
}

/* Everything that is for the seat on turn alone. */
static void take_turn(struct visitor *v, const struct santorini_request *r, enum err e) {
    if (v->seat == NULL) {
        refuse_time(v, ERR_PHASE_OTHER, "you do not play yet");
        return;
    }
    const struct santorini *s = stage_view(v->at);
    if (s->phase == SANTORINI_BORN || s->mover != v->seat->number) {
        refuse_time(v, ERR_NOT_YOUR_TURN, err_sentence(ERR_NOT_YOUR_TURN));
        return;
    }
    if (s->phase != santorini_request_phase(r->type)) {
        refuse_time(v, ERR_PHASE_OTHER, err_sentence(ERR_PHASE_OTHER));
        return;
    }
    if (e == ERR_OK && r->type == SANTORINI_SET_STEP && r->step != SANTORINI_STEP_END) {
        take_step(v, r);
        return;
    }
    const char *why = r->complaint;
    if (e == ERR_OK)
        e = act(v, r, &why);
    if (e != ERR_OK)
        refuse_turn(v, r, e, why);
}

static void take_pong(struct visitor *v) {
    if (!v->has_ponged)
        json_peer_set_silence(v->peer, v->port->config.silence_ms, v->port->now_ms);
    v->has_ponged = true;
}

/* The dialect. */

static void refuse_peer(struct buf *out, enum err why) {
    santorini_write_error(out, err_sentence(why));
    santorini_write_plain(out, "disconnect");
}

static void peer_opened(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct santorini_port *p = context;
    p->now_ms = now_ms;
    struct visitor *v = mem_alloc(sizeof *v);
    v->port = p;
    v->peer = peer;
    json_peer_set_session(peer, v);
    lobby_arrive(v);
}

static bool peer_may_be_heard(void *context, const struct json_peer *peer) {
    const struct visitor *v = json_peer_session(peer);
    (void)context;
    return v->at == NULL || !table_is_busy(v->at->table);
}

static void peer_received(void *context, struct json_peer *peer, const json_t *message, uint64_t now_ms) {
    struct santorini_port *p = context;
    struct visitor *v = json_peer_session(peer);
    struct santorini_request r;
    p->now_ms = now_ms;
    enum err e = santorini_read(message, &r);
    switch (r.type) {
    case SANTORINI_REQUEST_TYPES: refuse_time(v, e, r.complaint); break;
    case SANTORINI_PONG: take_pong(v); break;
    case SANTORINI_SET_NUMBER: take_number(v, &r); break;
    case SANTORINI_ADD_PLAYER: take_player(v, &r, e); break;
    case SANTORINI_DISCONNECT:
        json_peer_close(peer);
        visitor_gone(v, true);
        break;
    default: take_turn(v, &r, e);
    }
}

static void peer_malformed(void *context, struct json_peer *peer, enum err why, const char *complaint,
                           uint64_t now_ms) {
    struct santorini_port *p = context;
    p->now_ms = now_ms;
    log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(err_word(why))));
    visitor_send_error(json_peer_session(peer), complaint);
}

static void peer_closed(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct santorini_port *p = context;
    p->now_ms = now_ms;
    visitor_gone(json_peer_session(peer), false);
}

static bool peer_place(void *context, const struct json_peer *peer, uint64_t *table, unsigned *seat) {
    const struct visitor *v = json_peer_session(peer);
    (void)context;
    if (v->at == NULL)
        return false;
    *table = table_id(v->at->table);
    *seat = v->seat == NULL ? SEAT_WATCHER : v->seat->number;
    return true;
}

static uint64_t next_ms(void *context) {
    const struct santorini_port *p = context;
    return p->is_started ? timers_next_ms(&p->timers) : 0;
}

/* Tables of an earlier run wait from here on. */
static void start(struct santorini_port *p) {
    struct stage *stage;
    p->is_started = true;
    DL_FOREACH(p->stages, stage) stage_start(stage);
}

static void advance(void *context, uint64_t now_ms) {
    struct santorini_port *p = context;
    p->now_ms = now_ms;
    if (!p->is_started)
        start(p);
    timers_advance(&p->timers, now_ms);
}

static void dismiss_all(struct visitor **list) {
    struct visitor *v, *next;
    DL_FOREACH_SAFE(*list, v, next) {
        DL_DELETE(*list, v);
        visitor_dismiss(v);
    }
}

/* What is on its way is saved and told to nobody. */
static void say_goodbye(void *context) {
    struct santorini_port *p = context;
    struct stage *stage;
    DL_FOREACH(p->stages, stage) {
        stage->sitter = NULL;
        for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
            stage->seats[seat].visitor = NULL;
        dismiss_all(&stage->visitors);
    }
    dismiss_all(&p->line);
    p->line_count = 0;
}

static void free_visitors(struct visitor *list) {
    struct visitor *v, *next;
    DL_FOREACH_SAFE(list, v, next) visitor_free(v);
}

static void port_free(void *context) {
    struct santorini_port *p = context;
    tables_remove_door(p->config.tables, SANTORINI_PROTOCOL);
    while (p->stages != NULL) {
        free_visitors(p->stages->visitors);
        stage_free(p->stages);
    }
    free_visitors(p->line);
    farewells_free(&p->farewells);
    timers_free(&p->timers);
    buf_free(&p->out);
    mem_free(p);
}

static void adopt(void *context, struct table *table) {
    if (strcmp(table_protocol(table), SANTORINI_PROTOCOL) == 0 && table_state_word(table) != TABLE_OVER)
        stage_adopt(context, table);
}

struct port *santorini_port_create(const struct santorini_port_config *config) {
    struct santorini_port *p = mem_alloc(sizeof *p);
    p->config = *config;
    struct json_port_config json_config = {
        .ping_first_ms = config->ping_every_ms,
        .ping_every_ms = config->ping_every_ms,
        .silence_ms = config->quiet_ms,
        .inspector = config->inspector,
        .protocol = SANTORINI_PROTOCOL,
        .mends_lines = true,
    };
    struct json_dialect dialect = {
        .context = p,
        .opened = peer_opened,
        .refuse = refuse_peer,
        .may_hear = peer_may_be_heard,
        .received = peer_received,
        .malformed = peer_malformed,
        .place = peer_place,
        .closed = peer_closed,
        .next_ms = next_ms,
        .advance = advance,
        .shutdown = say_goodbye,
        .free = port_free,
    };
    p->json = json_port_create(&json_config, &dialect);
    tables_each(config->tables, adopt, p);
    struct table_door door = santorini_door;
    door.context = p;
    tables_add_door(config->tables, &door);
    return p->json;
}
