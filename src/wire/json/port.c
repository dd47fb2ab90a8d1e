#include "wire/json/port.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "wire/json/line_frame.h"
#include "wire/json/mend.h"

#include <utlist.h>

enum {
    PEER_KEPT_BYTES_MAX = 4096,  /* the memory for answers that is kept for the next ones */
    PEER_SEND_BYTES = 16 * 1024, /* answers to what came in one piece are gathered up to this */
};

/* A timer that is so late shows that we have not listened ourselves: what was sent or saved meanwhile is
 * heard first. */
enum { LATE_MS = 1000 };

struct json_peer {
    struct json_port *port;
    struct link *link; /* NULL once it is closed */
    void *session;
    struct line_frame frame;
    struct buf unheard; /* bytes that wait until the dialect hears the peer again, or answers can be sent */
    bool is_held;       /* so they do, and the link is not read */
    bool is_owed;       /* since it said something the dialect does not hear it: the answer is to come */
    bool has_finished;  /* says nothing more, and waits for that; in the list of those */
    struct buf out;
    uint64_t number; /* among all connections of the port */
    bool is_dirty;   /* in the list of peers with something to send */
    bool is_in_use;  /* its input is being worked on: it is freed after that */
    uint64_t heard_ms;
    bool is_pinged;      /* since then */
    uint64_t pinged_ms;  /* first */
    uint32_t silence_ms; /* 0: any */
    struct timer ping_timer, silence_timer;
    struct json_peer *prev, *next;                   /* all peers */
    struct json_peer *dirty_prev, *dirty_next;       /* those with something to send */
    struct json_peer *finished_prev, *finished_next; /* those that have_finished */
};

struct json_port {
    struct port port;
    struct json_port_config config;
    struct json_dialect dialect;
    struct timers timers;
    struct json_peer *peers, *dirty, *finished;
    uint64_t last_number;
    /* What is being heard and has not been shown to the inspector yet. */
    struct json_peer *speaker;
    struct span spoken;
    enum err spoken_why;
};

static struct json_port *json_port_of(const struct port *port) {
    return (struct json_port *)(void *)(uintptr_t)port;
}

/* Shows the inspector what was said by or to a peer. */
static void peer_inspect(struct json_peer *peer, bool is_incoming, struct span text, enum err why) {
    struct json_port *p = peer->port;
    const struct json_dialect *d = &p->dialect;
    uint64_t table;
    unsigned seat;
    if (p->config.inspector == NULL || d->place == NULL || !d->place(d->context, peer, &table, &seat) ||
        !inspector_wants(p->config.inspector, table))
        return;
    inspector_record(p->config.inspector, table,
                     &(struct inspector_message){.seat = seat,
                                                 .connection = peer->number,
                                                 .protocol = p->config.protocol,
                                                 .is_incoming = is_incoming,
                                                 .text = text,
                                                 .why = why});
}

/* What is being heard comes before what is answered; until then it can still be said that it is refused. */
static void inspect_speaker(struct json_port *p) {
    struct json_peer *speaker = p->speaker;
    p->speaker = NULL;
    if (speaker != NULL)
        peer_inspect(speaker, true, p->spoken, p->spoken_why);
}

void json_peer_refused(struct json_peer *peer, enum err why) {
    if (peer->port->speaker == peer)
        peer->port->spoken_why = why;
}

static void peer_free(struct json_peer *peer) {
    struct json_port *p = peer->port;
    timers_stop(&p->timers, &peer->ping_timer);
    timers_stop(&p->timers, &peer->silence_timer);
    if (peer->is_dirty)
        DL_DELETE2(p->dirty, peer, dirty_prev, dirty_next);
    if (peer->has_finished)
        DL_DELETE2(p->finished, peer, finished_prev, finished_next);
    DL_DELETE(p->peers, peer);
    line_frame_free(&peer->frame);
    buf_free(&peer->unheard);
    buf_free(&peer->out);
    mem_free(peer);
}

static void peer_flush(struct json_peer *peer) {
    if (!peer->is_dirty)
        return;
    DL_DELETE2(peer->port->dirty, peer, dirty_prev, dirty_next);
    peer->is_dirty = false;
    if (peer->link != NULL)
        link_send(peer->link, buf_span(&peer->out));
    if (peer->out.capacity > PEER_KEPT_BYTES_MAX)
        buf_free(&peer->out);
    else
        buf_clear(&peer->out);
}

void json_port_flush(struct port *port) {
    struct json_port *p = json_port_of(port);
    while (p->dirty != NULL)
        peer_flush(p->dirty);
}

void json_peer_set_session(struct json_peer *peer, void *session) {
    peer->session = session;
}

void *json_peer_session(const struct json_peer *peer) {
    return peer->session;
}

const struct address *json_peer_address(const struct json_peer *peer) {
    static const struct address nobody;
    return peer->link == NULL ? &nobody : &peer->link->address;
}

void json_peer_send(struct json_peer *peer, struct span line) {
    inspect_speaker(peer->port);
    peer_inspect(peer, false, line, ERR_OK);
    if (!peer->is_dirty)
        DL_APPEND2(peer->port->dirty, peer, dirty_prev, dirty_next);
    peer->is_dirty = true;
    buf_append(&peer->out, line);
    buf_append_byte(&peer->out, '\n');
}

void json_peer_send_lines(struct json_peer *peer, struct span lines) {
    while (lines.size > 0) {
        const char *end = memchr(lines.data, '\n', lines.size);
        size_t size = end == NULL ? lines.size : (size_t)(end - lines.data);
        size_t taken = size + (end != NULL);
        json_peer_send(peer, span_make(lines.data, size));
        lines = span_make(lines.data + taken, lines.size - taken);
    }
}

void json_peer_close(struct json_peer *peer) {
    if (peer->link == NULL)
        return;
    inspect_speaker(peer->port);
    peer_flush(peer);
    link_close(peer->link);
    peer->link = NULL;
    if (!peer->is_in_use)
        peer_free(peer);
}

/* The peer is gone without the dialect's doing. */
static void peer_lost(struct json_peer *peer, uint64_t now_ms) {
    struct json_port *p = peer->port;
    peer->link = NULL;
    peer->is_in_use = true;
    p->dialect.closed(p->dialect.context, peer, now_ms);
    peer_free(peer);
    json_port_flush(&p->port);
}

/* The peer is gone for us, after what was said to it. */
static void peer_leave(struct json_peer *peer, uint64_t now_ms) {
    peer_flush(peer);
    link_close(peer->link);
    peer_lost(peer, now_ms);
}

static void ping_due(struct timer *timer, uint64_t now_ms) {
    struct json_peer *peer = TIMER_OWNER(timer, struct json_peer, ping_timer);
    struct json_port *p = peer->port;
    json_peer_send(peer, SPAN("{\"type\":\"ping\"}"));
    if (!peer->is_pinged)
        peer->pinged_ms = now_ms;
    peer->is_pinged = true;
    timers_arm(&p->timers, &peer->ping_timer, now_ms + p->config.ping_every_ms, ping_due);
    if (p->dialect.pinged != NULL)
        p->dialect.pinged(p->dialect.context, peer, now_ms);
    json_port_flush(&p->port);
}

static void peer_heard(struct json_peer *peer, uint64_t now_ms) {
    peer->heard_ms = now_ms;
    peer->is_pinged = false;
}

/* When the peer is gone if it says nothing more. Many have nothing to say but the answer to a ping. When that
 * was sent late, because the whole server stood still, there is as much time for the answer as ever. */
static uint64_t silence_end_ms(const struct json_peer *peer) {
    const struct json_port_config *config = &peer->port->config;
    uint64_t end_ms = peer->heard_ms + peer->silence_ms;
    if (config->ping_every_ms == 0)
        return end_ms;
    uint32_t gap_ms =
        config->ping_first_ms > config->ping_every_ms ? config->ping_first_ms : config->ping_every_ms;
    uint64_t answer_ms = peer->silence_ms > gap_ms ? peer->silence_ms - gap_ms : peer->silence_ms;
    uint64_t answer_end_ms = (peer->is_pinged ? peer->pinged_ms : peer->ping_timer.due_ms) + answer_ms;
    return end_ms > answer_end_ms ? end_ms : answer_end_ms;
}

/* Armed once and looked at when it is due, so that a line costs nothing here. */
static void silence_due(struct timer *timer, uint64_t now_ms) {
    struct json_peer *peer = TIMER_OWNER(timer, struct json_peer, silence_timer);
    struct json_port *p = peer->port;
    if (peer->is_held && !link_is_full(peer->link)) /* its silence is ours */
        peer_heard(peer, now_ms);
    uint64_t due_ms = silence_end_ms(peer);
    if (now_ms >= due_ms + LATE_MS) {
        due_ms = now_ms + LATE_MS;
        peer->heard_ms = due_ms - peer->silence_ms;
    }
    if (now_ms < due_ms) {
        timers_arm(&p->timers, &peer->silence_timer, due_ms, silence_due);
        return;
    }
    log_event(LOG_DEBUG, "peer-silent", LOG_INT("ms", (int64_t)(now_ms - peer->heard_ms)));
    peer_leave(peer, now_ms);
}

void json_peer_set_silence(struct json_peer *peer, uint32_t silence_ms, uint64_t now_ms) {
    struct timers *timers = &peer->port->timers;
    peer->silence_ms = silence_ms;
    if (peer->has_finished)
        return;
    if (silence_ms == 0)
        timers_stop(timers, &peer->silence_timer);
    else
        timers_arm(timers, &peer->silence_timer, now_ms + silence_ms, silence_due);
}

static void json_port_opened(struct port *port, struct link *link, uint64_t now_ms) {
    struct json_port *p = json_port_of(port);
    struct json_peer *peer = mem_alloc(sizeof *peer);
    peer->port = p;
    peer->link = link;
    peer->number = ++p->last_number;
    peer->heard_ms = now_ms;
    peer->is_in_use = true;
    link->session = peer;
    DL_APPEND(p->peers, peer);
    if (p->config.ping_every_ms != 0)
        timers_arm(&p->timers, &peer->ping_timer, now_ms + p->config.ping_first_ms, ping_due);
    json_peer_set_silence(peer, p->config.silence_ms, now_ms);
    p->dialect.opened(p->dialect.context, peer, now_ms);
    json_port_flush(port);
    peer->is_in_use = false;
    if (peer->link == NULL)
        peer_free(peer);
}

/* The complaint stays the one about the line as it came. */
static enum err mended_object(struct span line, json_t **out) {
    struct buf mended = {0};
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_mend(line, &mended);
    enum err e = json_read_object(buf_span(&mended), out, complaint);
    buf_free(&mended);
    return e == ERR_OK ? ERR_OK : ERR_MALFORMED;
}

static void peer_line(struct json_peer *peer, struct span line, uint64_t now_ms) {
    struct json_port *p = peer->port;
    const struct json_dialect *d = &p->dialect;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message;
    enum err e = json_read_object(line, &message, complaint);
    if (e == ERR_MALFORMED && p->config.mends_lines)
        e = mended_object(line, &message);
    p->speaker = peer;
    p->spoken = line;
    p->spoken_why = e;
    if (e == ERR_OK)
        d->received(d->context, peer, message, now_ms);
    else
        d->malformed(d->context, peer, e, complaint, now_ms);
    inspect_speaker(p);
    json_decref(message);
}

static bool peer_may_be_heard(const struct json_peer *peer) {
    const struct json_dialect *d = &peer->port->dialect;
    return d->may_hear == NULL || d->may_hear(d->context, peer);
}

static void peer_hold(struct json_peer *peer, bool is_held) {
    if (peer->is_held == is_held || peer->link == NULL)
        return;
    peer->is_held = is_held;
    link_hold(peer->link, is_held);
}

/* Whether the peer takes what it is answered. */
static bool peer_has_room(struct json_peer *peer) {
    if (peer->out.size >= PEER_SEND_BYTES)
        peer_flush(peer);
    return !link_is_full(peer->link);
}

/* Works through the input as long as the peer is there, may be heard and takes the answers; what is left
 * waits. */
static void peer_read(struct json_peer *peer, struct span input, uint64_t now_ms) {
    const struct json_dialect *d = &peer->port->dialect;
    bool has_spoken = false;
    peer->is_in_use = true;
    while (peer->link != NULL && peer_may_be_heard(peer) && peer_has_room(peer)) {
        struct span line;
        enum err e = line_frame_next(&peer->frame, &input, &line);
        if (e == ERR_OK && line.size == 0)
            break;
        peer_heard(peer, now_ms);
        has_spoken = true;
        if (e != ERR_OK)
            d->malformed(d->context, peer, e, json_line_too_long.sentence, now_ms);
        else
            peer_line(peer, line, now_ms);
    }
    if (peer->link != NULL && input.size > 0)
        buf_append(&peer->unheard, input);
    if (peer->link != NULL && (has_spoken || input.size > 0))
        peer->is_owed = input.size > 0 || !peer_may_be_heard(peer);
    peer_hold(peer, peer->unheard.size > 0);
    json_port_flush(&peer->port->port);
    peer->is_in_use = false;
    if (peer->link == NULL)
        peer_free(peer);
    else if (peer->has_finished && !peer->is_owed)
        peer_leave(peer, now_ms);
}

static void json_port_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct json_peer *peer = link->session;
    (void)port;
    if (peer->is_held) /* read before the link was held */
        buf_append(&peer->unheard, bytes);
    else
        peer_read(peer, bytes, now_ms);
}

void json_peer_resume(struct json_peer *peer, uint64_t now_ms) {
    if (peer->is_in_use || peer->link == NULL)
        return;
    peer->is_owed = peer->is_owed && !peer_may_be_heard(peer);
    if (!peer->is_held) {
        if (peer->has_finished && !peer->is_owed)
            peer_leave(peer, now_ms);
        return;
    }
    struct buf unheard = peer->unheard;
    peer->unheard = (struct buf){0};
    peer_heard(peer, now_ms);
    peer_read(peer, buf_span(&unheard), now_ms);
    buf_free(&unheard);
}

static void json_port_closed(struct port *port, struct link *link, uint64_t now_ms) {
    (void)port;
    peer_lost(link->session, now_ms);
}

static void json_port_drained(struct port *port, struct link *link, uint64_t now_ms) {
    (void)port;
    json_peer_resume(link->session, now_ms);
}

static void finish_due(struct timer *timer, uint64_t now_ms) {
    struct json_peer *peer = TIMER_OWNER(timer, struct json_peer, silence_timer);
    if (now_ms >= timer->due_ms + LATE_MS)
        timers_arm(&peer->port->timers, timer, now_ms + LATE_MS, finish_due);
    else
        peer_leave(peer, now_ms);
}

static void json_port_finished(struct port *port, struct link *link, uint64_t now_ms) {
    struct json_port *p = json_port_of(port);
    struct json_peer *peer = link->session;
    if (!peer->is_owed) {
        peer_leave(peer, now_ms);
        return;
    }
    peer->has_finished = true;
    DL_APPEND2(p->finished, peer, finished_prev, finished_next);
    timers_stop(&p->timers, &peer->ping_timer);
    timers_arm(&p->timers, &peer->silence_timer, now_ms + JSON_FINISH_MS, finish_due);
}

bool json_port_release(struct port *port, bool (*is_meant)(const struct json_peer *, const void *whom),
                       const void *whom, uint64_t now_ms) {
    struct json_port *p = json_port_of(port);
    struct json_peer *peer = p->finished;
    while (peer != NULL && !is_meant(peer, whom))
        peer = peer->finished_next;
    if (peer == NULL)
        return false;
    peer_leave(peer, now_ms);
    return true;
}

static uint64_t json_port_next_ms(const struct port *port) {
    const struct json_port *p = json_port_of(port);
    uint64_t own = timers_next_ms(&p->timers);
    uint64_t other = p->dialect.next_ms == NULL ? TIMERS_NEVER : p->dialect.next_ms(p->dialect.context);
    return own < other ? own : other;
}

static void json_port_advance(struct port *port, uint64_t now_ms) {
    struct json_port *p = json_port_of(port);
    timers_advance(&p->timers, now_ms);
    if (p->dialect.advance != NULL)
        p->dialect.advance(p->dialect.context, now_ms);
    json_port_flush(port);
}

static void json_port_refuse(struct port *port, struct buf *out) {
    const struct json_dialect *d = &json_port_of(port)->dialect;
    if (d->refuse == NULL)
        return;
    d->refuse(out, ERR_ADDRESS_FULL);
    buf_append_byte(out, '\n');
}

static void json_port_shutdown(struct port *port) {
    struct json_port *p = json_port_of(port);
    struct json_peer *peer, *next;
    if (p->dialect.shutdown != NULL)
        p->dialect.shutdown(p->dialect.context);
    DL_FOREACH_SAFE(p->peers, peer, next) json_peer_close(peer);
}

static void json_port_free(struct port *port) {
    struct json_port *p = json_port_of(port);
    p->dialect.free(p->dialect.context);
    while (p->peers != NULL)
        peer_free(p->peers);
    timers_free(&p->timers);
    mem_free(p);
}

static const struct port_ops json_port_ops = {
    .opened = json_port_opened,
    .refuse = json_port_refuse,
    .received = json_port_received,
    .closed = json_port_closed,
    .finished = json_port_finished,
    .drained = json_port_drained,
    .next_ms = json_port_next_ms,
    .advance = json_port_advance,
    .shutdown = json_port_shutdown,
    .free = json_port_free,
};

struct port *json_port_create(const struct json_port_config *config, const struct json_dialect *dialect) {
    struct json_port *p = mem_alloc(sizeof *p);
    p->port.ops = &json_port_ops;
    p->config = *config;
    p->dialect = *dialect;
    return &p->port;
}
