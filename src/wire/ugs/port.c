#include "wire/ugs/port.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "wire/xml/frame.h"

#include <stdio.h>

enum { PORT_TEXT_BYTES_MAX = 256 };

struct session {
    struct ugs_port *port;
    struct link *link;          /* NULL once it is closed */
    struct hall_member *member; /* NULL once it has left the hall */
    struct xml_frame frame;
    struct buf unheard; /* bytes that wait until the answers to those before them can be sent */
    struct timer timer; /* for the rest of a message */
    bool is_reading;    /* its input is being worked on: it is freed after that */
    uint64_t number;    /* of the connection, for the inspector */
};

struct ugs_port {
    struct port port;
    struct ugs_port_config config;
    struct hall *hall;
    struct ugs_reader *reader;
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
                                                 .protocol = "ugs",
                                                 .is_incoming = is_incoming,
                                                 .text = text,
                                                 .why = why});
}

static void session_send(struct session *s, enum hall_type type, struct span written) {
    if (s->link == NULL)
        return;
    session_record(s, false, written, type == HALL_ERROR ? ERR_REFUSED : ERR_OK);
    link_send(s->link, written);
}

static void session_send_error(struct session *s, const char *text) {
    struct ugs_port *p = s->port;
    buf_clear(&p->out);
    ugs_write(&p->out, &(struct hall_message){.type = HALL_ERROR, .text = span_of(text)}, &p->config.style);
    session_send(s, HALL_ERROR, buf_span(&p->out));
}

static void ugs_port_session_free(struct session *s) {
    timers_stop(&s->port->timers, &s->timer);
    xml_frame_free(&s->frame);
    buf_free(&s->unheard);
    mem_free(s);
}

/* The session is out of the hall: close its link, and free it unless its input is still being worked on. */
static void ugs_port_session_close(struct session *s) {
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
    (void)context;
    session_send(member_context, type, written);
}

static void session_closed(void *context, void *member_context) {
    (void)context;
    ugs_port_session_close(member_context);
}

static void ugs_port_ended(void *context) {
    struct ugs_port *p = context;
    if (p->port.ended != NULL)
        p->port.ended(p->port.ended_context);
}

static void ugs_port_opened(struct port *port, struct link *link, uint64_t now_ms) {
    struct ugs_port *p = ugs_port_of(port);
    p->now_ms = now_ms;
    struct session *s = mem_alloc(sizeof *s);
    s->port = p;
    s->link = link;
    link->session = s;
    s->number = ++p->session_count;
    s->member = hall_join(p->hall, s, now_ms);
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
    if (e == ERR_UNKNOWN_TYPE)
        session_send_error(s, text);
    else
        ugs_port_session_refuse(s, text);
}

static void session_message(struct session *s, struct span document) {
    struct ugs_port *p = s->port;
    struct hall_message m;
    enum err e = ugs_read(p->reader, document, &m);
    session_record(s, true, document, e);
    if (e == ERR_OK)
        hall_take(p->hall, s->member, &m, p->now_ms);
    else
        session_refuse_message(s, e, ugs_reader_complaint(p->reader));
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
    while (s->link != NULL && !link_is_full(s->link)) {
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
    }
    s->is_reading = false;
    if (s->link == NULL) {
        ugs_port_session_free(s);
        return;
    }
    buf_append(&s->unheard, bytes);
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
    uint64_t own = timers_next_ms(&p->timers), hall = hall_next_ms(p->hall);
    return own < hall ? own : hall;
}

static void ugs_port_advance(struct port *port, uint64_t now_ms) {
    struct ugs_port *p = ugs_port_of(port);
    p->now_ms = now_ms;
    timers_advance(&p->timers, now_ms);
    hall_advance(p->hall, now_ms);
}

static void ugs_port_shutdown(struct port *port) {
    hall_shutdown(ugs_port_of(port)->hall);
}

static void ugs_port_free(struct port *port) {
    struct ugs_port *p = ugs_port_of(port);
    if (p->config.desk != NULL)
        p->config.desk->hall = NULL;
    hall_free(p->hall);
    ugs_reader_free(p->reader);
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
    .next_ms = ugs_port_next_ms,
    .advance = ugs_port_advance,
    .shutdown = ugs_port_shutdown,
    .free = ugs_port_free,
};

struct port *ugs_port_create(const struct ugs_port_config *config) {
    struct ugs_port *p = mem_alloc(sizeof *p);
    p->port.ops = &ugs_port_ops;
    p->config = *config;
    p->reader = ugs_reader_create(config->master.is_lenient);
    p->config.hall.master = config->has_master ? &config->master : NULL;
    p->hall = hall_create(&p->config.hall, &(struct hall_output){p, session_write, session_told,
                                                                 session_closed, ugs_port_ended});
    if (config->desk != NULL)
        config->desk->hall = p->hall;
    if (config->hall.tables != NULL && hall_restore(p->hall, tables_now_ms(config->hall.tables)) != ERR_OK)
        log_event(LOG_ERROR, "championships-unread");
    return &p->port;
}

struct hall_counts ugs_port_counts(const struct port *port) {
    return hall_counts(ugs_port_of(port)->hall);
}
