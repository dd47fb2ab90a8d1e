#include "wire/ugs/port.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "host/hall/mixed.h"
#include "host/table/figures.h"
#include "wire/ugs/segments.h"
#include "wire/xml/frame.h"

#include <assert.h>
#include <stdio.h>

enum {
    PORT_TEXT_BYTES_MAX = 256,
    UGS_REFUSALS_MAX = 1000,  /* of one connection in a row, each answered; then it is closed */
    UGS_PAST_AGAIN_MS = 1000, /* until what a hall begins with, and could not be read, is tried again */
};

struct session {
    struct ugs_port *port;
    struct link *link;          /* NULL once it is closed */
    struct hall_member *member; /* NULL once it has left the hall */
    struct xml_frame frame;
    struct buf unheard;        /* bytes that wait until the answers to those before them can be sent */
    struct timer timer;        /* for the rest of a message */
    bool is_reading;           /* its input is being worked on: it is freed after that */
    bool is_refused;           /* the message that is being dealt with was answered with an error */
    uint32_t refusals;         /* in a row */
    uint64_t number;           /* of the connection, for the inspector */
    struct segments *segments; /* of a player that moves segment by segment; NULL: it is none */
};

struct ugs_port {
    struct port port;
    struct ugs_port_config config;
    struct hall *hall;      /* NULL: it is at another node */
    struct mixed *mixed;    /* NULL: no tables are kept */
    struct buf halls_ended; /* that had to leave for another node, until what they save is saved */
    bool is_moving;         /* the hall leaves, not the server */
    bool is_ending;         /* the server does */
    struct hall_past *past; /* what the hall begins with that is to be here, while it is read; or NULL */
    bool is_past_old;       /* the hall was elsewhere since that began */
    struct timer past_again;
    struct ugs_reader *reader;
    struct ugs_reader *segments_reader; /* what such players say, and */
    struct ugs_reader *told_reader;     /* what the hall has for them, as it is written for all */
    struct timers timers;
    struct buf out; /* the message that is being sent */
    uint64_t session_count;
    uint64_t now_ms;
};

struct ugs_port_config ugs_port_config_default(void) {
    return (struct ugs_port_config){
        .hall = hall_config_default(),
        .has_master = true,
        .master = {.first_attack = ATTACK_TOP},
        .message_timeout_ms = 30000,
    };
}

static struct ugs_port *ugs_port_of(const struct port *port) {
    return (struct ugs_port *)(void *)(uintptr_t)port;
}

static struct address session_origin(const struct session *s) {
    static const struct address nobody;
    return s->link == NULL ? nobody : s->link->origin;
}

/* What is said at a table whose messages are recorded. */
static void session_record(const struct session *s, bool is_incoming, struct span text, enum err why) {
    struct inspector *inspector = s->port->config.master.inspector;
    const char *id;
    size_t seat;
    uint64_t table;
    if (inspector == NULL || s->member == NULL || !hall_member_place(s->member, &id, &seat) ||
        !table_code_parse(span_of(id), &table) || !inspector_wants(inspector, table))
        return;
    inspector_record(inspector, table,
                     &(struct inspector_message){.seat = seat < SEATS_MAX ? (unsigned)seat : SEAT_WATCHER,
                                                 .connection = s->number,
                                                 .protocol = HALL_PROTOCOL,
                                                 .origin = session_origin(s),
                                                 .is_incoming = is_incoming,
                                                 .text = text,
                                                 .why = why});
}

static void session_send(struct session *s, enum hall_type type, struct span written) {
    if (s->link == NULL)
        return;
    s->is_refused = s->is_refused || type == HALL_ERROR;
    session_record(s, false, written, type == HALL_ERROR ? ERR_REFUSED : ERR_OK);
    link_send(s->link, written);
}

/* What a player that moves segment by segment is told gathers in the port's buffer, and leaves together. */
static void session_say_segment(void *context, const struct hall_message *m) {
    struct session *s = context;
    struct buf *out = &s->port->out;
    struct ugs_style style = s->port->config.style;
    size_t before = out->size;
    style.is_segmented = true;
    ugs_write(out, m, &style);
    session_record(s, false, span_make(out->data + before, out->size - before),
                   m->type == HALL_ERROR ? ERR_REFUSED : ERR_OK);
}

static struct segments_output session_segments_begin(struct session *s) {
    buf_clear(&s->port->out);
    return (struct segments_output){s, session_say_segment};
}

static void session_segments_end(struct session *s) {
    if (s->link != NULL && s->port->out.size > 0)
        link_send(s->link, buf_span(&s->port->out));
}

static void session_tell_segments(struct session *s, const struct hall_message *m) {
    struct segments_output output = session_segments_begin(s);
    segments_tell(s->segments, m, &output);
    session_segments_end(s);
}

static void session_send_error(struct session *s, const char *text) {
    const struct hall_message error = {.type = HALL_ERROR, .text = span_of(text)};
    struct ugs_port *p = s->port;
    if (s->segments != NULL) {
        session_tell_segments(s, &error);
        return;
    }
    buf_clear(&p->out);
    ugs_write(&p->out, &error, &p->config.style);
    session_send(s, HALL_ERROR, buf_span(&p->out));
}

static void ugs_port_session_free(struct session *s) {
    timers_stop(&s->port->timers, &s->timer);
    xml_frame_free(&s->frame);
    segments_free(s->segments);
    buf_free(&s->unheard);
    mem_free(s);
}

/* The session is out of the hall: close its link, and free it unless its input is still being worked on. */
static void ugs_port_session_close(struct session *s) {
    if (s->segments != NULL && s->link != NULL) {
        struct segments_output output = session_segments_begin(s);
        segments_farewell(s->segments, &output);
        session_segments_end(s);
    }
    s->member = NULL;
    if (s->link != NULL)
        link_close(s->link);
    s->link = NULL;
    if (!s->is_reading)
        ugs_port_session_free(s);
}

/* The peer cannot be understood any more: tell it why and let it go. */
static void ugs_port_session_refuse(struct session *s, const char *text) {
    struct ugs_port *p = s->port;
    struct hall_member *member = s->member;
    session_send_error(s, text);
    ugs_port_session_close(s);
    if (member != NULL)
        hall_leave(p->hall, member, p->now_ms);
}

static void session_write(void *context, struct buf *out, const struct hall_message *m) {
    ugs_write(out, m, &((struct ugs_port *)context)->config.style);
}

static void session_told(void *context, void *member_context, enum hall_type type, struct span written) {
    struct ugs_port *p = context;
    struct session *s = member_context;
    struct hall_message m;
    if (s->segments != NULL && ugs_read(p->told_reader, written, &m) == ERR_OK)
        session_tell_segments(s, &m);
    else /* a list of champions may be larger than what is read; it is the same for all */
        session_send(s, type, written);
}

static void session_closed(void *context, void *member_context) {
    (void)context;
    ugs_port_session_close(member_context);
}

static void ugs_port_ended(void *context) {
    struct ugs_port *p = context;
    if (p->port.ended != NULL && !p->is_moving)
        p->port.ended(p->port.ended_context);
}

static void ugs_port_opened(struct port *port, struct link *link, uint64_t now_ms) {
    struct ugs_port *p = ugs_port_of(port);
    p->now_ms = now_ms;
    if (p->hall == NULL) {
        const struct hall_message why = {.type = HALL_ERROR, .text = span_of(ugs_hall_elsewhere.sentence)};
        buf_clear(&p->out);
        ugs_write(&p->out, &why, &p->config.style);
        link_send(link, buf_span(&p->out));
        link_close(link);
        return;
    }
    struct session *s = mem_alloc(sizeof *s);
    s->port = p;
    s->link = link;
    link->session = s;
    s->number = ++p->session_count;
    s->member = hall_join(p->hall, s, now_ms);
    hall_member_is_from(s->member, &link->origin, &link->address);
}

static void ugs_port_refuse(struct port *port, struct buf *out) {
    const struct hall_message why = {.type = HALL_ERROR, .text = span_of(err_sentence(ERR_ADDRESS_FULL))};
    ugs_write(out, &why, &ugs_port_of(port)->config.style);
}

static void session_late(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    ugs_port_session_refuse(TIMER_OWNER(timer, struct session, timer), ugs_message_late.sentence);
}

/* The sentence of an error and what the reader has to add to it. Only a message of an unknown type leaves the
 * connection open. */
static void session_refuse_message(struct session *s, enum err e, const char *detail) {
    char text[PORT_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "%s%s%s", err_sentence(e), *detail ? ": " : "", detail);
    log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(err_word(e))));
    refusals_count(HALL_PROTOCOL, NULL, e);
    if (e == ERR_UNKNOWN_TYPE)
        session_send_error(s, text);
    else
        ugs_port_session_refuse(s, text);
}

/* Which kind of player logs in, if it is one. Only the built-in master is known to judge Paper Soccer: what
 * passes between others and their players is not looked into. */
static void session_login(struct session *s, const struct hall_message *login, struct span document) {
    const struct ugs_port_config *config = &s->port->config;
    segments_free(s->segments);
    s->segments = NULL;
    if (config->has_master && segments_recognise(login))
        s->segments = segments_create(login, document, config->master.first_attack);
    hall_member_set_thanks(s->member, s->segments == NULL);
}

/* The player is one of the papers after all: from now on it is told what they are told. */
static void session_leave_segments(struct session *s, struct span document,
                                   const struct hall_message *state) {
    struct ugs_port *p = s->port;
    struct hall_message m;
    bool is_told = state->has_table;
    if (is_told) {
        buf_clear(&p->out);
        ugs_write(&p->out, state, &p->config.style);
        session_send(s, state->type, buf_span(&p->out));
    }
    segments_free(s->segments); /* and the state with it */
    s->segments = NULL;
    hall_member_set_thanks(s->member, true);
    enum err e = ugs_read(p->reader, document, &m); /* strictly, as theirs are read */
    assert(e == ERR_OK);
    (void)e;
    if (!is_told || m.type != HALL_MOVE)
        hall_take(p->hall, s->member, &m, p->now_ms);
}

static void session_take_segment(struct session *s, struct span document, const struct hall_message *m) {
    struct ugs_port *p = s->port;
    char text[PORT_TEXT_BYTES_MAX];
    struct hall_message out;
    enum err why;
    struct segments_output output = session_segments_begin(s);
    enum segments_answer answer =
        segments_take(s->segments, m, ugs_reader_saw_point(p->segments_reader), &output, &out, &why);
    session_segments_end(s);
    if (why != ERR_OK) { /* the last gameState has no place for it */
        const struct err_row *row = game_refusal(&paper_soccer_game, why);
        snprintf(text, sizeof text, "%s%s%s", row->rule, row->rule[0] != '\0' ? ": " : "", row->sentence);
        session_send_error(s, text);
    }
    switch (answer) {
    case SEGMENTS_PASSES: hall_take(p->hall, s->member, &out, p->now_ms); break;
    case SEGMENTS_GOES_ON: hall_move_goes_on(p->hall, s->member, p->now_ms); break;
    case SEGMENTS_NEVER: session_leave_segments(s, document, &out); break;
    }
}

static void ugs_session_take(struct session *s, struct span document) {
    struct ugs_port *p = s->port;
    struct ugs_reader *reader = s->segments != NULL ? p->segments_reader : p->reader;
    struct hall_message m;
    enum err e = ugs_read(reader, document, &m);
    session_record(s, true, document, e);
    if (e != ERR_OK) {
        session_refuse_message(s, e, ugs_reader_complaint(reader));
        return;
    }
    bool is_in = hall_member_is_in(s->member);
    if (!is_in && (m.type == HALL_PLAYER_LOGIN || m.type == HALL_MASTER_LOGIN))
        session_login(s, &m, document);
    if (is_in && s->segments != NULL)
        session_take_segment(s, document, &m);
    else
        hall_take(p->hall, s->member, &m, p->now_ms);
}

static void session_message(struct session *s, struct span document) {
    s->is_refused = false;
    if (link_may_ask(s->link, &s->link->address))
        ugs_session_take(s, document);
    else
        session_send_error(s, err_sentence(ERR_TOO_OFTEN));
    s->refusals = s->is_refused ? s->refusals + 1 : 0;
    if (s->refusals == UGS_REFUSALS_MAX && s->link != NULL) /* it does not listen to what it is told */
        ugs_port_session_refuse(s, ugs_refused_too_often.sentence);
}

/* A message has the time of message_timeout_ms from its first byte to its last. */
static void ugs_port_session_watch(struct session *s) {
    struct timers *timers = &s->port->timers;
    if (!xml_frame_is_partial(&s->frame))
        timers_stop(timers, &s->timer);
    else if (!timer_is_armed(&s->timer))
        timers_arm(timers, &s->timer, s->port->now_ms + s->port->config.message_timeout_ms, session_late);
}

/* Works through the input as long as the peer is there and takes the answers; what is left waits. */
static void ugs_port_session_read(struct session *s, struct span bytes) {
    struct ugs_port *p = s->port;
    s->is_reading = true;
    while (s->link != NULL && !link_must_wait(s->link)) {
        struct span document;
        enum err e = xml_frame_next(&s->frame, &bytes, &document);
        if (e != ERR_OK) {
            session_refuse_message(s, e, "");
            break;
        }
        if (document.size == 0)
            break;
        timers_stop(&p->timers, &s->timer);
        session_message(s, document);
        if (s->link != NULL)
            link_heard(s->link);
    }
    s->is_reading = false;
    if (s->link == NULL) {
        ugs_port_session_free(s);
        return;
    }
    buf_append(&s->unheard, bytes);
    s->link->kept_bytes = s->unheard.capacity + s->frame.partial.capacity;
    ugs_port_session_watch(s);
}

static void ugs_port_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct session *s = link->session;
    ugs_port_of(port)->now_ms = now_ms;
    if (s->unheard.size > 0)
        buf_append(&s->unheard, bytes);
    else
        ugs_port_session_read(s, bytes);
}

static void ugs_port_drained(struct port *port, struct link *link, uint64_t now_ms) {
    struct session *s = link->session;
    struct buf unheard = s->unheard;
    ugs_port_of(port)->now_ms = now_ms;
    s->unheard = (struct buf){0};
    ugs_port_session_read(s, buf_span(&unheard));
    buf_free(&unheard);
}

static void ugs_port_closed(struct port *port, struct link *link, uint64_t now_ms) {
    struct ugs_port *p = ugs_port_of(port);
    struct session *s = link->session;
    struct hall_member *member = s->member;
    p->now_ms = now_ms;
    s->link = NULL;
    ugs_port_session_close(s);
    if (member != NULL)
        hall_leave(p->hall, member, now_ms);
}

static uint64_t ugs_port_next_ms(const struct port *port) {
    const struct ugs_port *p = ugs_port_of(port);
    uint64_t own = timers_next_ms(&p->timers), hall = p->hall == NULL ? TIMERS_NEVER : hall_next_ms(p->hall);
    uint64_t mixed = p->mixed == NULL ? TIMERS_NEVER : mixed_next_ms(p->mixed);
    own = own < mixed ? own : mixed;
    return own < hall ? own : hall;
}

static void halls_free(struct ugs_port *p, bool is_end) {
    struct hall **ended = (struct hall **)(void *)p->halls_ended.data;
    size_t count = p->halls_ended.size / sizeof *ended, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_end || hall_is_at_rest(ended[i]))
            hall_free(ended[i]);
        else
            ended[kept++] = ended[i];
    }
    p->halls_ended.size = kept * sizeof *ended;
}

static void ugs_port_advance(struct port *port, uint64_t now_ms) {
    struct ugs_port *p = ugs_port_of(port);
    p->now_ms = now_ms;
    timers_advance(&p->timers, now_ms);
    halls_free(p, false);
    if (p->mixed != NULL)
        mixed_advance(p->mixed, now_ms);
    if (p->hall != NULL)
        hall_advance(p->hall, now_ms);
}

static void ugs_port_shutdown(struct port *port) {
    struct ugs_port *p = ugs_port_of(port);
    p->is_ending = true;
    if (p->hall != NULL)
        hall_shutdown(p->hall);
    else
        ugs_port_ended(p);
}

static void ugs_port_free(struct port *port) {
    struct ugs_port *p = ugs_port_of(port);
    if (p->config.hall.tables != NULL)
        tables_ungreet(p->config.hall.tables, p);
    if (p->config.desk != NULL)
        p->config.desk->hall = NULL;
    if (p->hall != NULL)
        hall_free(p->hall);
    halls_free(p, true);
    if (p->past != NULL)
        hall_past_free(p->past);
    if (p->mixed != NULL)
        mixed_free(p->mixed);
    buf_free(&p->halls_ended);
    ugs_reader_free(p->reader);
    ugs_reader_free(p->segments_reader);
    ugs_reader_free(p->told_reader);
    timers_free(&p->timers);
    buf_free(&p->out);
    mem_free(p);
}

static const struct port_ops ugs_port_ops = {
    .opened = ugs_port_opened,
    .refuse = ugs_port_refuse,
    .received = ugs_port_received,
    .closed = ugs_port_closed,
    .drained = ugs_port_drained,
    .resumed = ugs_port_drained,
    .next_ms = ugs_port_next_ms,
    .advance = ugs_port_advance,
    .shutdown = ugs_port_shutdown,
    .free = ugs_port_free,
};

static void desk_tell(const struct ugs_port *p) {
    struct hall_desk *desk = p->config.desk;
    if (desk != NULL) {
        desk->hall = p->hall;
        desk->is_elsewhere = p->hall == NULL;
    }
}

static void hall_open(struct ugs_port *p) {
    p->hall = hall_create(&p->config.hall, &(struct hall_output){p, session_write, session_told,
                                                                 session_closed, ugs_port_ended});
    desk_tell(p);
}

/* At the start, when nobody is there who would wait. */
static void hall_begin(struct ugs_port *p) {
    struct tables *tables = p->config.hall.tables;
    hall_open(p);
    if (tables != NULL && hall_restore(p->hall, tables_now_ms(tables)) != ERR_OK)
        log_event(LOG_ERROR, "championships-unread");
}

/* From another node, with what is known of it. */
static void hall_arrive(struct ugs_port *p, struct hall_past *past) {
    log_event(LOG_INFO, "hall-here");
    hall_open(p);
    if (past != NULL)
        hall_restore_past(p->hall, past, tables_now_ms(p->config.hall.tables));
}

static void hall_await(struct ugs_port *p);

static void hall_await_again(struct timer *timer, uint64_t now_ms) {
    struct ugs_port *p = TIMER_OWNER(timer, struct ugs_port, past_again);
    (void)now_ms;
    if (p->hall == NULL && p->past == NULL && tables_has_lease(p->config.hall.tables))
        hall_await(p);
}

/* The hall begins when everything that it has to know has been read. */
static void hall_awaited(void *context, enum err e) {
    struct ugs_port *p = context;
    struct tables *tables = p->config.hall.tables;
    struct hall_past *past = p->past;
    p->past = NULL;
    if (e == ERR_OK && !p->is_past_old && !p->is_ending) {
        hall_arrive(p, past);
    } else if (!p->is_ending) {
        if (e != ERR_OK)
            log_event(LOG_ERROR, "championships-unread");
        timers_arm(&p->timers, &p->past_again, tables_now_ms(tables) + UGS_PAST_AGAIN_MS, hall_await_again);
    }
    hall_past_free(past);
}

static void hall_await(struct ugs_port *p) {
    p->is_past_old = false;
    if (p->config.hall.keeps_championships)
        p->past = hall_past_read(&p->config.hall, hall_awaited, p);
    else
        hall_arrive(p, NULL);
}

/* The hall is at another node from now on: everybody here has to go there. */
static void hall_end(struct ugs_port *p) {
    struct hall *hall = p->hall;
    p->is_moving = true;
    hall_shutdown(hall);
    p->is_moving = false;
    p->hall = NULL;
    desk_tell(p);
    buf_append(&p->halls_ended, span_make(&hall, sizeof hall));
}

static void ugs_port_company(void *context) {
    struct ugs_port *p = context;
    bool is_here = tables_has_lease(p->config.hall.tables);
    if (!is_here && !tables_has_company(p->config.hall.tables))
        return; /* while the database is away nobody knows where it is, and nothing can be saved elsewhere */
    if (is_here && p->hall == NULL && p->past == NULL && !p->is_ending)
        hall_await(p);
    p->is_past_old = p->is_past_old || !is_here;
    if (is_here || p->hall == NULL)
        return;
    log_event(LOG_INFO, "hall-elsewhere");
    hall_end(p);
}

struct port *ugs_port_create(const struct ugs_port_config *config) {
    struct tables *tables = config->hall.tables;
    struct ugs_port *p = mem_alloc(sizeof *p);
    p->port.ops = &ugs_port_ops;
    p->config = *config;
    p->reader = ugs_reader_create(false);
    p->segments_reader = ugs_reader_create(true);
    p->told_reader = ugs_reader_create(false);
    p->config.hall.master = config->has_master ? &p->config.master : NULL;
    if (tables != NULL) {
        p->mixed = mixed_create(
            &(struct mixed_config){.tables = tables,
                                   .inspector = config->master.inspector,
                                   .first_attack = config->master.first_attack,
                                   .move_timeout_ms = config->hall.move_timeout_ms,
                                   .has_door = config->has_master && config->hall.championship_players == 0});
        p->config.hall.mixed = p->mixed;
        tables_greet(tables, &(struct tables_greeter){.context = p, .company = ugs_port_company});
    }
    if (tables == NULL || tables_has_lease(tables))
        hall_begin(p);
    else
        desk_tell(p);
    return &p->port;
}

struct hall_counts ugs_port_counts(const struct port *port) {
    const struct ugs_port *p = ugs_port_of(port);
    return p->hall == NULL ? (struct hall_counts){0} : hall_counts(p->hall);
}
