#include "wire/eriantys/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <utlist.h>

enum { MISTAKES_MAX = 8 }; /* lines in a row that are no message */

struct eriantys_port_config eriantys_port_config_default(void) {
    return (struct eriantys_port_config){
        /* The first ping is late, so that programs which pong without being asked are known by it. */
        .json = {.ping_first_ms = 1500,
                 .ping_every_ms = 1000,
                 .silence_ms = 10000,
                 .protocol = ERIANTYS_PROTOCOL},
        .keep_ms = 60 * 60 * 1000,
        .tables_max = 10000,
    };
}

void eriantys_session_say(struct eriantys_session *s) {
    json_peer_send(s->peer, buf_span(&s->port->out));
}

void eriantys_session_error(struct eriantys_session *s, enum err why, const char *text) {
    json_peer_refused(s->peer, why);
    buf_clear(&s->port->out);
    eriantys_write_error(&s->port->out, text);
    eriantys_session_say(s);
}

static void refuse_login(struct eriantys_session *s, enum err why) {
    json_peer_refused(s->peer, why);
    buf_clear(&s->port->out);
    eriantys_write_login(&s->port->out, false);
    eriantys_session_say(s);
}

/* The connection ends: others may wait for the seat. */
static void session_end(struct eriantys_session *s) {
    eriantys_table_leave(s);
    if (s->creating != NULL)
        s->creating->creator = NULL;
    DL_DELETE(s->port->sessions, s);
    mem_free(s);
}

/* 2: a line that is no message. After a handful of them this is no client of ours. */
static void mistake(struct eriantys_session *s, enum err why, const char *complaint) {
    struct json_peer *peer = s->peer;
    eriantys_session_error(s, why, complaint);
    if (++s->mistakes < MISTAKES_MAX && why != ERR_TOO_LARGE)
        return;
    log_event(LOG_DEBUG, "eriantys-closed", LOG_INT("mistakes", (int64_t)s->mistakes));
    session_end(s);
    json_peer_close(peer);
}

static void enter(struct eriantys_session *s, const struct eriantys_request *r) {
    if (s->seat != ERIANTYS_NONE) { /* 14 */
        eriantys_session_error(s, ERR_SEAT_TAKEN, "you are in a game; log out first");
        return;
    }
    eriantys_table_leave(s);
    struct eriantys_table *t = eriantys_table_find(s->port, r->code);
    struct eriantys_scene scene = {0};
    bool is_found = t != NULL && !eriantys_table_is_complete(t);
    if (is_found) {
        scene = eriantys_table_scene(t);
        eriantys_table_enter(t, s);
    }
    buf_clear(&s->port->out);
    eriantys_write_enter(&s->port->out, is_found, &scene);
    eriantys_session_say(s);
    if (t != NULL)
        eriantys_table_release(t);
}

/* The seat for a name that the table does not know: a free one, or before the start that of whoever has been
 * gone for the longest time (13). ERIANTYS_NONE: there is none. Whoever is known by a secret cannot be
 * replaced. */
static unsigned seat_for(const struct eriantys_table *t, bool *takes_over) {
    unsigned count = table_options(t->table)->seat_count, oldest = ERIANTYS_NONE;
    *takes_over = false;
    for (unsigned seat = 0; seat < count; seat++)
        if (table_name(t->table, seat)[0] == '\0')
            return seat;
    *takes_over = true;
    for (unsigned seat = 0; seat < count && !eriantys_table_is_started(t); seat++)
        if (!table_is_online(t->table, seat) && table_token(t->table, seat) == NULL &&
            (oldest == ERIANTYS_NONE || t->left[seat] < t->left[oldest]))
            oldest = seat;
    return oldest;
}

static enum err sit(struct eriantys_session *s, const struct eriantys_request *r) {
    struct eriantys_table *t = s->table;
    struct table_guest guest = {.name = r->name, .seed = r->seed};
    guest.seat = seat_for(t, &guest.takes_over);
    if (guest.seat == ERIANTYS_NONE)
        return ERR_TABLE_FULL;
    enum err e = table_sit(t->table, &guest, NULL, 0, s->port->now_ms);
    if (e != ERR_OK)
        return e;
    t->sitter = s; /* who hears of it when it is saved */
    t->sitting = guest.seat;
    return ERR_OK;
}

/* Where somebody wants to come back. */
struct place {
    const struct eriantys_table *table;
    unsigned seat;
};

static bool is_seated_at(const struct json_peer *peer, const void *where) {
    const struct eriantys_session *s = json_peer_session(peer);
    const struct place *place = where;
    return s->table == place->table && s->seat == place->seat;
}

static void login(struct eriantys_session *s, const struct eriantys_request *r) {
    struct eriantys_table *t = s->table;
    if (t == NULL || s->seat != ERIANTYS_NONE || r->name.size == 0) { /* 14, 15 */
        refuse_login(s, t == NULL           ? ERR_TABLE_UNKNOWN
                        : r->name.size == 0 ? ERR_FIELD_INVALID
                                            : ERR_SEAT_TAKEN);
        return;
    }
    for (unsigned seat = 0; seat < table_options(t->table)->seat_count; seat++) {
        if (!span_is(r->name, table_name(t->table, seat)))
            continue;
        json_port_release(s->port->port, is_seated_at, &(struct place){t, seat}, s->port->now_ms);
        /* Back again; but who is known by a secret does not come back by a name. */
        if (table_is_online(t->table, seat) || table_token(t->table, seat) != NULL)
            refuse_login(s, ERR_SEAT_TAKEN);
        else
            eriantys_table_seat(s, seat);
        return;
    }
    enum err e = sit(s, r);
    if (e != ERR_OK)
        refuse_login(s, e);
}

static void logout(struct eriantys_session *s) {
    if (s->seat == ERIANTYS_NONE)
        eriantys_session_error(s, ERR_PLAYER_UNKNOWN, "you are in no game");
    else
        eriantys_table_leave(s);
}

/* 1: told why, and then where the game stands, because clients wait for that. */
static void refuse(struct eriantys_session *s, enum err why, const char *text) {
    eriantys_session_error(s, why, text);
    if (eriantys_table_is_started(s->table))
        eriantys_table_show(s);
}

static void command(struct eriantys_session *s, const json_t *message) {
    struct eriantys_table *t = s->table;
    struct action action;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    if (s->seat == ERIANTYS_NONE) {
        eriantys_session_error(s, ERR_PLAYER_UNKNOWN, "you are in no game");
        return;
    }
    if (!eriantys_table_is_complete(t)) {
        refuse(s, ERR_TABLE_WAITS,
               eriantys_table_is_started(t) ? "the game waits until everybody is back"
                                            : "the game waits until everybody is there");
        return;
    }
    if (!game_may_act(&eriantys_game, table_state(t->table), s->seat)) {
        refuse(s, ERR_NOT_YOUR_TURN, err_sentence(ERR_NOT_YOUR_TURN));
        return;
    }
    struct span name = span_of(table_name(t->table, s->seat));
    enum err e = eriantys_read_command(message, eriantys_table_state(t), name, &action, complaint);
    if (e != ERR_OK) {
        refuse(s, e, complaint);
        return;
    }
    e = table_act(t->table, s->seat, &action, 1, s->port->now_ms);
    if (e != ERR_OK)
        refuse(s, e, err_sentence(e));
}

static void refuse_peer(struct buf *out, enum err why) {
    eriantys_write_error(out, err_sentence(why));
}

static void create(struct eriantys_session *s, const struct eriantys_request *r) {
    enum err e = eriantys_table_open(s, r);
    if (e != ERR_OK)
        eriantys_session_error(
            s, e, e == ERR_ADDRESS_FULL ? err_sentence(e) : "the server has all the games it can have");
}

/* Before it was ever pinged: it is of the kind that does so every second. */
static void pong(struct eriantys_session *s) {
    if (s->is_pinged || s->pongs_unasked)
        return;
    s->pongs_unasked = true;
    if (s->table != NULL)
        eriantys_table_help(s->table);
}

static void take(struct eriantys_session *s, const json_t *message) {
    struct eriantys_request request;
    enum err e = eriantys_read_request(message, &request);
    if (e != ERR_OK) {
        mistake(s, e, request.complaint);
        return;
    }
    switch (request.type) {
    case ERIANTYS_REQUEST_PONG: pong(s); return;
    case ERIANTYS_REQUEST_PING: /* 7: an answer would be unknown to clients */
    case ERIANTYS_REQUEST_ERROR: return;
    case ERIANTYS_REQUEST_CREATE: create(s, &request); break;
    case ERIANTYS_REQUEST_ENTER: enter(s, &request); break;
    case ERIANTYS_REQUEST_LOGIN: login(s, &request); break;
    case ERIANTYS_REQUEST_LOGOUT: logout(s); break;
    case ERIANTYS_REQUEST_COMMAND: command(s, message); break;
    }
    s->mistakes = 0;
}

/* What the JSON port calls. It sends what was said when they return. */

static struct eriantys_port *call_begin(void *context, uint64_t now_ms) {
    struct eriantys_port *p = context;
    p->now_ms = now_ms;
    p->calls++;
    return p;
}

static void call_end(struct eriantys_port *p) {
    p->calls--;
}

static void on_opened(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    struct eriantys_session *s = mem_alloc(sizeof *s);
    s->port = p;
    s->peer = peer;
    s->seat = ERIANTYS_NONE;
    json_peer_set_session(peer, s);
    DL_APPEND(p->sessions, s);
    call_end(p);
}

static bool on_may_hear(void *context, const struct json_peer *peer) {
    const struct eriantys_session *s = json_peer_session(peer);
    (void)context;
    return s->creating == NULL && (s->table == NULL || !table_is_busy(s->table->table));
}

static bool on_place(void *context, const struct json_peer *peer, uint64_t *table, unsigned *seat) {
    const struct eriantys_session *s = json_peer_session(peer);
    (void)context;
    if (s->table == NULL)
        return false;
    *table = s->table->id;
    *seat = s->seat == ERIANTYS_NONE ? (unsigned)SEAT_WATCHER : s->seat;
    return true;
}

static void on_received(void *context, struct json_peer *peer, const json_t *message, uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    take(json_peer_session(peer), message);
    call_end(p);
}

static void on_malformed(void *context, struct json_peer *peer, enum err why, const char *complaint,
                         uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    mistake(json_peer_session(peer), why, complaint);
    call_end(p);
}

/* The waiting room is told to those who are in it, once a second. */
static void on_pinged(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    struct eriantys_session *s = json_peer_session(peer);
    s->is_pinged = true;
    if (s->seat != ERIANTYS_NONE && s->table->is_paused) {
        struct eriantys_scene scene = eriantys_table_scene(s->table);
        buf_clear(&p->out);
        eriantys_write_waiting(&p->out, &scene);
        eriantys_session_say(s);
    }
    call_end(p);
}

static void on_closed(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    session_end(json_peer_session(peer));
    call_end(p);
}

static uint64_t on_next_ms(void *context) {
    struct eriantys_port *p = context;
    return p->is_awake ? timers_next_ms(&p->timers) : 0;
}

/* The tables of the last run have had nobody for an unknown time; they are kept as if that began now. */
static void wake(struct eriantys_port *p) {
    struct eriantys_table *t, *next;
    p->is_awake = true;
    HASH_ITER(by_id, p->by_id, t, next) eriantys_table_wake(t);
}

static void on_advance(void *context, uint64_t now_ms) {
    struct eriantys_port *p = call_begin(context, now_ms);
    if (!p->is_awake)
        wake(p);
    timers_advance(&p->timers, now_ms);
    call_end(p);
}

/* All at once, so that nobody hears that another one goes before. */
static void sessions_end(struct eriantys_port *p) {
    while (p->sessions != NULL) {
        if (p->sessions->table != NULL)
            eriantys_table_detach(p->sessions);
        session_end(p->sessions);
    }
}

static void on_shutdown(void *context) {
    struct eriantys_port *p = context;
    struct eriantys_session *s;
    DL_FOREACH(p->sessions, s) eriantys_session_error(s, ERR_CLOSED, "the server is shutting down");
    sessions_end(p);
}

static void on_free(void *context) {
    struct eriantys_port *p = context;
    struct eriantys_table *t, *next;
    sessions_end(p);
    tables_remove_door(p->config.tables, ERIANTYS_PROTOCOL);
    HASH_ITER(by_id, p->by_id, t, next) eriantys_table_free(t);
    timers_free(&p->timers);
    buf_free(&p->out);
    mem_free(p);
}

static void adopt_running(void *context, struct table *table) {
    if (strcmp(table_protocol(table), ERIANTYS_PROTOCOL) == 0)
        eriantys_table_adopt(context, table);
}

struct port *eriantys_port_create(const struct eriantys_port_config *config) {
    struct eriantys_port *p = mem_alloc(sizeof *p);
    p->config = *config;
    p->port = json_port_create(&config->json, &(struct json_dialect){.context = p,
                                                                     .opened = on_opened,
                                                                     .refuse = refuse_peer,
                                                                     .may_hear = on_may_hear,
                                                                     .received = on_received,
                                                                     .malformed = on_malformed,
                                                                     .place = on_place,
                                                                     .pinged = on_pinged,
                                                                     .closed = on_closed,
                                                                     .next_ms = on_next_ms,
                                                                     .advance = on_advance,
                                                                     .shutdown = on_shutdown,
                                                                     .free = on_free});
    tables_each(config->tables, adopt_running, p);
    struct table_door door = eriantys_door;
    door.context = p;
    tables_add_door(config->tables, &door);
    return p->port;
}
