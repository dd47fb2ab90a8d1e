#include "wire/peers.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"

#include <stdalign.h>
#include <utlist.h>

enum {
    PEERS_SPARE_MAX = 16,               /* buffers for answers that are kept for the next ones */
    PEER_KEPT_BYTES_MAX = 64 * 1024,    /* of each */
    PEER_SEND_BYTES = 16 * 1024,        /* answers to what came in one piece are gathered up to this */
    PEER_SIZE_BYTES = sizeof(uint32_t), /* before every message that waits for its pause */
};

/* A timer that is so late shows that we have not listened ourselves: what was sent or saved meanwhile is
 * heard first. */
enum { LATE_MS = 1000 };

/* Messages with pauses between them, of those few clients that need them. */
struct peer_pauses {
    struct peer *peer;
    struct buf queue;   /* messages that wait, each with its size before it */
    struct timer timer; /* armed: the pause after the last one is not over */
};

struct peer {
    struct peers *port;
    struct link *link; /* NULL once it is closed */
    void *session;
    struct buf *unheard; /* bytes that wait until the dialect hears the peer again, or answers can be sent;
                            owned, NULL: there are none */
    struct buf out;      /* lent by the port while there is something to send: a peer at rest has none */
    uint64_t number;     /* among all connections of the port */
    uint64_t heard_ms;
    uint64_t pinged_ms;  /* first since it was heard, if is_pinged */
    uint64_t asked_ms;   /* since when nothing has come, see peer_ask; 0: it was not asked */
    uint32_t silence_ms; /* 0: any */
    bool is_held;        /* bytes are unheard, and the link is not read */
    bool is_owed;        /* since it said something the dialect does not hear it: the answer is to come */
    bool has_finished;   /* says nothing more, and waits for that; in the list of those */
    bool is_dirty;       /* in the list of peers with something to send */
    bool is_in_use;      /* its input is being worked on: it is freed after that */
    bool is_pinged;      /* since it was heard */
    struct timer ping_timer, silence_timer;
    struct peer_pauses *pauses;                 /* owned; NULL: it was never to have any */
    struct peer *prev, *next;                   /* all peers */
    struct peer *dirty_prev, *dirty_next;       /* those with something to send */
    struct peer *finished_prev, *finished_next; /* those that have_finished */
    alignas(max_align_t) char frame[];          /* the framing's own */
};

struct peers {
    struct port port;
    struct peers_config config;
    struct peer_dialect dialect;
    struct timers timers;
    struct peer *peers, *dirty, *finished;
    uint64_t last_number;
    /* What is being heard and has not been shown to the inspector yet. */
    struct peer *speaker;
    struct span spoken;
    const void *spoken_message; /* NULL: it is none */
    enum err spoken_why;
    struct buf shown;
    struct buf ping, greeting;
    struct buf spares[PEERS_SPARE_MAX];
    size_t spare_count;
};

static struct peers *peers_of(const struct port *port) {
    return (struct peers *)(void *)(uintptr_t)port;
}

/* What the inspector is shown of a message, if the framing has its own idea of that. */
static struct span peer_text(struct peers *p, const void *message, struct span bytes, bool is_incoming) {
    const struct peer_framing *f = p->config.framing;
    buf_clear(&p->shown);
    if (is_incoming && message != NULL && f->show_received != NULL)
        f->show_received(message, &p->shown);
    else if (!is_incoming && f->show_sent != NULL)
        f->show_sent(bytes, &p->shown);
    else
        return bytes;
    return buf_span(&p->shown);
}

/* Shows the inspector what was said by or to a peer. */
static void peer_inspect(struct peer *peer, bool is_incoming, const void *message, struct span bytes,
                         enum err why) {
    struct peers *p = peer->port;
    const struct peer_dialect *d = &p->dialect;
    uint64_t table;
    unsigned seat;
    if (p->config.inspector == NULL || d->place == NULL || !d->place(d->context, peer, &table, &seat) ||
        !inspector_wants(p->config.inspector, table))
        return;
    inspector_record(p->config.inspector, table,
                     &(struct inspector_message){.seat = seat,
                                                 .connection = peer->number,
                                                 .protocol = p->config.protocol,
                                                 .origin = *peer_origin(peer),
                                                 .is_incoming = is_incoming,
                                                 .text = peer_text(p, message, bytes, is_incoming),
                                                 .why = why});
}

/* What is being heard comes before what is answered; until then it can still be said that it is refused. */
static void inspect_speaker(struct peers *p) {
    struct peer *speaker = p->speaker;
    p->speaker = NULL;
    if (speaker != NULL)
        peer_inspect(speaker, true, p->spoken_message, p->spoken, p->spoken_why);
}

void peer_refused(struct peer *peer, enum err why) {
    if (peer->port->speaker == peer)
        peer->port->spoken_why = why;
}

const char *peer_protocol(const struct peer *peer) {
    return peer->port->config.protocol;
}

static void peer_lend_out(struct peer *peer) {
    struct peers *p = peer->port;
    if (p->spare_count > 0)
        peer->out = p->spares[--p->spare_count];
}

static void peer_return_out(struct peer *peer) {
    struct peers *p = peer->port;
    if (p->spare_count < PEERS_SPARE_MAX && peer->out.capacity <= PEER_KEPT_BYTES_MAX) {
        buf_clear(&peer->out);
        p->spares[p->spare_count++] = peer->out;
        peer->out = (struct buf){0};
    } else
        buf_free(&peer->out);
}

static size_t peer_unheard_bytes(const struct peer *peer) {
    return peer->unheard == NULL ? 0 : peer->unheard->capacity;
}

static void peer_keep_unheard(struct peer *peer, struct span bytes) {
    if (peer->unheard == NULL)
        peer->unheard = mem_alloc(sizeof *peer->unheard);
    buf_append(peer->unheard, bytes);
}

static void peer_drop_unheard(struct peer *peer) {
    if (peer->unheard != NULL)
        buf_free(peer->unheard);
    mem_free(peer->unheard);
    peer->unheard = NULL;
}

static void peer_end_pauses(struct peer *peer) {
    if (peer->pauses == NULL)
        return;
    timers_stop(&peer->port->timers, &peer->pauses->timer);
    buf_free(&peer->pauses->queue);
    mem_free(peer->pauses);
}

static void peer_free(struct peer *peer) {
    struct peers *p = peer->port;
    timers_stop(&p->timers, &peer->ping_timer);
    timers_stop(&p->timers, &peer->silence_timer);
    if (peer->is_dirty)
        DL_DELETE2(p->dirty, peer, dirty_prev, dirty_next);
    if (peer->has_finished)
        DL_DELETE2(p->finished, peer, finished_prev, finished_next);
    DL_DELETE(p->peers, peer);
    p->config.framing->release(peer->frame);
    peer_drop_unheard(peer);
    peer_end_pauses(peer);
    buf_free(&peer->out);
    mem_free(peer);
}

static void peer_flush(struct peer *peer) {
    if (!peer->is_dirty)
        return;
    DL_DELETE2(peer->port->dirty, peer, dirty_prev, dirty_next);
    peer->is_dirty = false;
    if (peer->link != NULL)
        link_send(peer->link, buf_span(&peer->out));
    peer_return_out(peer);
}

void peers_flush(struct port *port) {
    struct peers *p = peers_of(port);
    while (p->dirty != NULL)
        peer_flush(p->dirty);
}

void peer_set_session(struct peer *peer, void *session) {
    peer->session = session;
}

void *peer_session(const struct peer *peer) {
    return peer->session;
}

struct port *peer_port(const struct peer *peer) {
    return &peer->port->port;
}

const struct address *peer_address(const struct peer *peer) {
    static const struct address nobody;
    return peer->link == NULL ? &nobody : &peer->link->address;
}

const struct address *peer_origin(const struct peer *peer) {
    static const struct address nobody;
    return peer->link == NULL ? &nobody : &peer->link->origin;
}

static void peer_put(struct peer *peer, struct span bytes, struct span end) {
    if (!peer->is_dirty) {
        DL_APPEND2(peer->port->dirty, peer, dirty_prev, dirty_next);
        peer_lend_out(peer);
    }
    peer->is_dirty = true;
    buf_append(&peer->out, bytes);
    buf_append(&peer->out, end);
}

void peer_send(struct peer *peer, struct span message) {
    inspect_speaker(peer->port);
    peer_inspect(peer, false, NULL, message, ERR_OK);
    peer_put(peer, message, peer->port->config.framing->end);
}

static void pause_due(struct timer *timer, uint64_t now_ms);
static void finish_due(struct timer *timer, uint64_t now_ms);

static void peer_send_paused(struct peer *peer, struct span message, uint64_t now_ms) {
    peer_put(peer, message, peer->port->config.framing->end);
    timers_arm(&peer->port->timers, &peer->pauses->timer, now_ms + peer->port->config.pause_ms, pause_due);
}

/* A queue that is over is found by its timer: nobody who speaks to a peer may lose it meanwhile. */
void peer_queue(struct peer *peer, struct span message, uint64_t now_ms) {
    inspect_speaker(peer->port);
    peer_inspect(peer, false, NULL, message, ERR_OK);
    if (peer->pauses == NULL) {
        peer->pauses = mem_alloc(sizeof *peer->pauses);
        *peer->pauses = (struct peer_pauses){.peer = peer, .queue = {.bytes_max = PEER_QUEUE_BYTES_MAX}};
    }
    struct peer_pauses *pauses = peer->pauses;
    if (!timer_is_armed(&pauses->timer) && pauses->queue.size == 0) {
        peer_send_paused(peer, message, now_ms);
        return;
    }
    uint32_t size = (uint32_t)message.size;
    buf_append(&pauses->queue, span_make(&size, PEER_SIZE_BYTES));
    buf_append(&pauses->queue, message);
}

void peer_close(struct peer *peer) {
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
static void peer_lost(struct peer *peer, uint64_t now_ms) {
    struct peers *p = peer->port;
    peer->link = NULL;
    peer->is_in_use = true;
    p->dialect.closed(p->dialect.context, peer, now_ms);
    peer_free(peer);
    peers_flush(&p->port);
}

/* The peer is gone for us, after what was said to it. */
static void peer_leave(struct peer *peer, uint64_t now_ms) {
    peer_flush(peer);
    link_close(peer->link);
    peer_lost(peer, now_ms);
}

/* Whether the answer to what it said last is still to come, or to leave. */
static bool peer_is_owed(const struct peer *peer) {
    return peer->is_owed || (peer->pauses != NULL && peer->pauses->queue.size > 0);
}

static void pause_due(struct timer *timer, uint64_t now_ms) {
    struct peer_pauses *pauses = TIMER_OWNER(timer, struct peer_pauses, timer);
    struct peer *peer = pauses->peer;
    struct peers *p = peer->port;
    uint32_t size;
    bool is_left = peer->has_finished && !peer_is_owed(peer);
    if (buf_is_over(&pauses->queue) || is_left) {
        peer_leave(peer, now_ms);
        return;
    }
    if (pauses->queue.size == 0)
        return;
    memcpy(&size, pauses->queue.data, PEER_SIZE_BYTES);
    peer_send_paused(peer, span_make(pauses->queue.data + PEER_SIZE_BYTES, size), now_ms);
    buf_consume(&pauses->queue, PEER_SIZE_BYTES + size);
    if (pauses->queue.size == 0)
        buf_free(&pauses->queue);
    peers_flush(&p->port);
}

static void peer_pinged(struct peer *peer, uint64_t now_ms) {
    if (!peer->is_pinged)
        peer->pinged_ms = now_ms;
    peer->is_pinged = true;
}

static void ping_due(struct timer *timer, uint64_t now_ms) {
    struct peer *peer = TIMER_OWNER(timer, struct peer, ping_timer);
    struct peers *p = peer->port;
    peer_send(peer, buf_span(&p->ping));
    peer_pinged(peer, now_ms);
    timers_arm(&p->timers, &peer->ping_timer, now_ms + p->config.ping_every_ms, ping_due);
    if (p->dialect.pinged != NULL)
        p->dialect.pinged(p->dialect.context, peer, now_ms);
    peers_flush(&p->port);
}

static void peer_heard(struct peer *peer, uint64_t now_ms) {
    peer->heard_ms = now_ms;
    peer->is_pinged = false;
}

/* When the peer is gone if it says nothing more. Many have nothing to say but the answer to a ping. When that
 * was sent late, because the whole server stood still, there is as much time for the answer as ever. */
static uint64_t silence_end_ms(const struct peer *peer) {
    const struct peers_config *config = &peer->port->config;
    uint64_t end_ms = peer->heard_ms + peer->silence_ms;
    if (config->ping_every_ms == 0)
        return end_ms;
    uint32_t gap_ms =
        config->ping_first_ms > config->ping_every_ms ? config->ping_first_ms : config->ping_every_ms;
    uint64_t answer_ms = peer->silence_ms > gap_ms ? peer->silence_ms - gap_ms : peer->silence_ms;
    uint64_t answer_end_ms = (peer->is_pinged ? peer->pinged_ms : peer->ping_timer.due_ms) + answer_ms;
    return end_ms > answer_end_ms ? end_ms : answer_end_ms;
}

/* The same of a peer that may have been asked. */
static uint64_t peer_end_ms(const struct peer *peer) {
    uint64_t end_ms = silence_end_ms(peer), answer_end_ms = peer->asked_ms + PEER_ASK_MS;
    return peer->asked_ms != 0 && answer_end_ms < end_ms ? answer_end_ms : end_ms;
}

/* Armed once and looked at when it is due, so that a message costs nothing here. */
static void silence_due(struct timer *timer, uint64_t now_ms) {
    struct peer *peer = TIMER_OWNER(timer, struct peer, silence_timer);
    struct peers *p = peer->port;
    if (peer->is_held && !link_is_full(peer->link)) { /* its silence is ours */
        peer_heard(peer, now_ms);
        peer->asked_ms = peer->asked_ms != 0 ? now_ms : 0;
    }
    uint64_t due_ms = peer_end_ms(peer);
    if (now_ms >= due_ms + LATE_MS) {
        due_ms = now_ms + LATE_MS;
        peer->heard_ms = due_ms - peer->silence_ms;
        peer->asked_ms = peer->asked_ms != 0 ? due_ms - PEER_ASK_MS : 0;
    }
    if (now_ms < due_ms) {
        timers_arm(&p->timers, &peer->silence_timer, due_ms, silence_due);
        return;
    }
    log_event(LOG_DEBUG, "peer-silent", LOG_INT("ms", (int64_t)(now_ms - peer->heard_ms)));
    peer_leave(peer, now_ms);
}

void peer_set_silence(struct peer *peer, uint32_t silence_ms, uint64_t now_ms) {
    struct timers *timers = &peer->port->timers;
    peer->silence_ms = silence_ms;
    if (peer->has_finished)
        return;
    if (silence_ms == 0)
        timers_stop(timers, &peer->silence_timer);
    else
        timers_arm(timers, &peer->silence_timer, now_ms + silence_ms, silence_due);
}

void peer_ask(struct peer *peer, uint64_t now_ms) {
    struct peers *p = peer->port;
    if (p->config.ping_every_ms == 0 || peer->silence_ms == 0 || peer->link == NULL)
        return;
    if (peer->has_finished) {
        timers_arm(&p->timers, &peer->silence_timer, now_ms, finish_due);
        return;
    }
    peer->asked_ms = now_ms;
    timers_arm(&p->timers, &peer->ping_timer, now_ms, ping_due);
    timers_arm(&p->timers, &peer->silence_timer, now_ms + PEER_ASK_MS, silence_due);
}

static void peer_greet(struct peer *peer, uint64_t now_ms) {
    const struct peer_framing *f = peer->port->config.framing;
    if (f->greet == NULL)
        return;
    peer_put(peer, buf_span(&peer->port->greeting), SPAN(""));
    peer_pinged(peer, now_ms);
}

static void peers_opened(struct port *port, struct link *link, uint64_t now_ms) {
    struct peers *p = peers_of(port);
    struct peer *peer = mem_alloc(sizeof *peer + p->config.framing->frame_bytes);
    peer->port = p;
    peer->link = link;
    peer->number = ++p->last_number;
    peer->heard_ms = now_ms;
    peer->is_in_use = true;
    link->session = peer;
    DL_APPEND(p->peers, peer);
    peer_greet(peer, now_ms);
    if (p->config.ping_every_ms != 0)
        timers_arm(&p->timers, &peer->ping_timer, now_ms + p->config.ping_first_ms, ping_due);
    peer_set_silence(peer, p->config.silence_ms, now_ms);
    p->dialect.opened(p->dialect.context, peer, now_ms);
    peers_flush(port);
    peer->is_in_use = false;
    if (peer->link == NULL)
        peer_free(peer);
}

/* Its address says too much: the dialect says so without looking at it. Where it has no word for that it is
 * as if nothing could be understood any more. */
static void peer_put_off(struct peer *peer, uint64_t now_ms) {
    struct peers *p = peer->port;
    struct buf words = {0};
    if (p->dialect.refuse == NULL) {
        p->dialect.malformed(p->dialect.context, peer, ERR_TOO_OFTEN, err_sentence(ERR_TOO_OFTEN), now_ms);
        return;
    }
    p->dialect.refuse(&words, ERR_TOO_OFTEN);
    peer_refused(peer, ERR_TOO_OFTEN);
    peer_send(peer, buf_span(&words));
    buf_free(&words);
}

void peer_received(struct peer *peer, const void *message, struct span bytes, uint64_t now_ms) {
    struct peers *p = peer->port;
    peer_heard(peer, now_ms);
    p->speaker = peer;
    p->spoken = bytes;
    p->spoken_message = message;
    p->spoken_why = ERR_OK;
    if (peer->link == NULL || link_may_ask(peer->link, &peer->link->address))
        p->dialect.received(p->dialect.context, peer, message, now_ms);
    else
        peer_put_off(peer, now_ms);
    inspect_speaker(p);
}

void peer_malformed(struct peer *peer, struct span bytes, enum err why, const char *complaint,
                    uint64_t now_ms) {
    struct peers *p = peer->port;
    peer_heard(peer, now_ms);
    p->speaker = bytes.data == NULL ? NULL : peer;
    p->spoken = bytes;
    p->spoken_message = NULL;
    p->spoken_why = why;
    p->dialect.malformed(p->dialect.context, peer, why, complaint, now_ms);
    inspect_speaker(p);
}

static bool peer_may_be_heard(const struct peer *peer) {
    const struct peer_dialect *d = &peer->port->dialect;
    return d->may_hear == NULL || d->may_hear(d->context, peer);
}

static void peer_hold(struct peer *peer, bool is_held) {
    if (peer->is_held == is_held || peer->link == NULL)
        return;
    peer->is_held = is_held;
    link_hold(peer->link, is_held);
}

/* Whether the peer takes what it is answered. */
static bool peer_has_room(struct peer *peer) {
    if (peer->out.size >= PEER_SEND_BYTES)
        peer_flush(peer);
    return !link_must_wait(peer->link);
}

/* Works through the input as long as the peer is there, may be heard and takes the answers; what is left
 * waits. */
static void peer_read(struct peer *peer, struct span input, uint64_t now_ms) {
    bool has_spoken = false;
    peer->is_in_use = true;
    while (peer->link != NULL && peer_may_be_heard(peer) && peer_has_room(peer)) {
        if (!peer->port->config.framing->take(peer, peer->frame, &input, now_ms))
            break;
        has_spoken = true;
        if (peer->link != NULL)
            link_heard(peer->link);
    }
    if (peer->link != NULL && input.size > 0)
        peer_keep_unheard(peer, input);
    if (peer->link != NULL && (has_spoken || input.size > 0))
        peer->is_owed = input.size > 0 || !peer_may_be_heard(peer);
    peer_hold(peer, peer->unheard != NULL);
    if (peer->link != NULL)
        peer->link->kept_bytes =
            peer_unheard_bytes(peer) + peer->port->config.framing->kept_bytes(peer->frame);
    peers_flush(&peer->port->port);
    peer->is_in_use = false;
    if (peer->link == NULL)
        peer_free(peer);
    else if (peer->has_finished && !peer_is_owed(peer))
        peer_leave(peer, now_ms);
}

static void peers_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct peer *peer = link->session;
    (void)port;
    peer->asked_ms = 0;
    if (peer->is_held) /* read before the link was held */
        peer_keep_unheard(peer, bytes);
    else
        peer_read(peer, bytes, now_ms);
}

void peer_resume(struct peer *peer, uint64_t now_ms) {
    if (peer->is_in_use || peer->link == NULL)
        return;
    peer->is_owed = peer->is_owed && !peer_may_be_heard(peer);
    if (!peer->is_held) {
        if (peer->has_finished && !peer_is_owed(peer))
            peer_leave(peer, now_ms);
        return;
    }
    struct buf unheard = {0};
    if (peer->unheard != NULL) {
        unheard = *peer->unheard;
        *peer->unheard = (struct buf){0};
        peer_drop_unheard(peer);
    }
    peer_heard(peer, now_ms);
    peer_read(peer, buf_span(&unheard), now_ms);
    buf_free(&unheard);
}

static void peers_closed(struct port *port, struct link *link, uint64_t now_ms) {
    (void)port;
    peer_lost(link->session, now_ms);
}

static void peers_drained(struct port *port, struct link *link, uint64_t now_ms) {
    (void)port;
    peer_resume(link->session, now_ms);
}

static void finish_due(struct timer *timer, uint64_t now_ms) {
    struct peer *peer = TIMER_OWNER(timer, struct peer, silence_timer);
    if (now_ms >= timer->due_ms + LATE_MS)
        timers_arm(&peer->port->timers, timer, now_ms + LATE_MS, finish_due);
    else
        peer_leave(peer, now_ms);
}

static void peers_finished(struct port *port, struct link *link, uint64_t now_ms) {
    struct peers *p = peers_of(port);
    struct peer *peer = link->session;
    if (!peer_is_owed(peer)) {
        peer_leave(peer, now_ms);
        return;
    }
    peer->has_finished = true;
    DL_APPEND2(p->finished, peer, finished_prev, finished_next);
    timers_stop(&p->timers, &peer->ping_timer);
    timers_arm(&p->timers, &peer->silence_timer, now_ms + PEER_FINISH_MS, finish_due);
}

bool peers_release(struct port *port, bool (*is_meant)(const struct peer *, const void *whom),
                   const void *whom, uint64_t now_ms) {
    struct peers *p = peers_of(port);
    struct peer *peer = p->finished;
    while (peer != NULL && !is_meant(peer, whom))
        peer = peer->finished_next;
    if (peer == NULL)
        return false;
    peer_leave(peer, now_ms);
    return true;
}

static uint64_t peers_next_ms(const struct port *port) {
    const struct peers *p = peers_of(port);
    uint64_t own = timers_next_ms(&p->timers);
    uint64_t other = p->dialect.next_ms == NULL ? TIMERS_NEVER : p->dialect.next_ms(p->dialect.context);
    return own < other ? own : other;
}

static void peers_advance(struct port *port, uint64_t now_ms) {
    struct peers *p = peers_of(port);
    timers_advance(&p->timers, now_ms);
    if (p->dialect.advance != NULL)
        p->dialect.advance(p->dialect.context, now_ms);
    peers_flush(port);
}

static void peers_refuse(struct port *port, struct buf *out) {
    const struct peer_dialect *d = &peers_of(port)->dialect;
    if (d->refuse == NULL)
        return;
    d->refuse(out, ERR_ADDRESS_FULL);
    buf_append(out, peers_of(port)->config.framing->end);
}

static void peers_shutdown(struct port *port) {
    struct peers *p = peers_of(port);
    struct peer *peer, *next;
    if (p->dialect.shutdown != NULL)
        p->dialect.shutdown(p->dialect.context);
    DL_FOREACH_SAFE(p->peers, peer, next) peer_close(peer);
}

static void peers_free(struct port *port) {
    struct peers *p = peers_of(port);
    p->dialect.free(p->dialect.context);
    while (p->peers != NULL)
        peer_free(p->peers);
    timers_free(&p->timers);
    buf_free(&p->shown);
    buf_free(&p->ping);
    buf_free(&p->greeting);
    while (p->spare_count > 0)
        buf_free(&p->spares[--p->spare_count]);
    mem_free(p);
}

static const struct port_ops peers_ops = {
    .opened = peers_opened,
    .refuse = peers_refuse,
    .received = peers_received,
    .closed = peers_closed,
    .finished = peers_finished,
    .drained = peers_drained,
    .resumed = peers_drained,
    .next_ms = peers_next_ms,
    .advance = peers_advance,
    .shutdown = peers_shutdown,
    .free = peers_free,
};

struct port *peers_create(const struct peers_config *config, const struct peer_dialect *dialect) {
    struct peers *p = mem_alloc(sizeof *p);
    p->port.ops = &peers_ops;
    p->config = *config;
    p->dialect = *dialect;
    config->framing->ping(&p->ping);
    if (config->framing->greet != NULL)
        config->framing->greet(&p->greeting);
    return &p->port;
}
