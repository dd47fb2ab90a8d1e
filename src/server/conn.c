#include "server/conn.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "server/conn_internal.h"
#include "server/local_socket.h"
#include "server/origin.h"
#include "server/proxy_header.h"
#include "server/socket_age.h"
#include "server/tls.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <utlist.h>

static struct conn *conn_of(struct link *link) {
    return (struct conn *)link;
}

void conns_init(struct conns *conns, uv_loop_t *loop, const struct conns_clock *clock, uint32_t flush_ms) {
    *conns = (struct conns){.loop = loop, .clock = *clock, .flush_ms = flush_ms, .turn = 1};
    uv_idle_init(loop, &conns->next_turn);
    conns->next_turn.data = conns;
}

void conns_end(struct conns *conns) {
    if (!uv_is_closing((uv_handle_t *)&conns->next_turn))
        uv_close((uv_handle_t *)&conns->next_turn, NULL);
}

static uint64_t conns_now(const struct conns *conns) {
    return conns->clock.now_ms(conns->clock.context);
}

void conns_free(struct conns *conns) {
    assert(conns->count == 0);
    timers_free(&conns->deadlines);
    bans_free(&conns->bans);
    tally_free(&conns->addresses);
    tally_free(&conns->greeters);
    buf_free(&conns->plain);
    buf_free(&conns->sealed);
    appetite_free(&conns->appetite);
    accounts_free(&conns->accounts);
}

static size_t unsent_bytes(const struct conn *conn) {
    if (conn->backlog == NULL)
        return 0;
    return uv_stream_get_write_queue_size((const uv_stream_t *)&conn->tcp) + conn->backlog->waiting.size;
}

static void backlog_free(struct conn *conn) {
    if (conn->backlog == NULL)
        return;
    buf_free(&conn->backlog->writing);
    buf_free(&conn->backlog->waiting);
    mem_free(conn->backlog);
    conn->backlog = NULL;
}

static void on_gone(uv_handle_t *handle) {
    struct conn *conn = handle->data;
    conn->conns->count--;
    account_close(&conn->conns->accounts, &conn->holder, conn->conns->clock.now_us());
    appetite_spend(&conn->conns->appetite, &conn->link.address, conn->passed_bytes, conns_now(conn->conns));
    if (conn->is_turned)
        conn->conns->turned_count--;
    else
        tally_remove(&conn->conns->addresses, &conn->link.address);
    if (conn->port != NULL)
        conn->port->figures.links--;
    DL_DELETE(conn->conns->all, conn);
    backlog_free(conn);
    tls_free(conn->tls);
    mem_free(conn);
}

/* Nobody rests and nobody is in line: the loop may wait. */
static void conns_calm(struct conns *conns) {
    if (conns->accounts.resting_count == 0 && conns->greeting[0] == NULL && conns->greeting[1] == NULL)
        uv_idle_stop(&conns->next_turn);
}

/* It rests no more, for whatever reason. */
static void conn_rise(struct conn *conn) {
    struct conns *conns = conn->conns;
    if (!conn->holder.is_resting)
        return;
    account_rise(&conns->accounts, &conn->holder);
    conns_calm(conns);
}

static void greeting_unqueue(struct conn *conn) {
    struct greeting *greeting = conn->greeting;
    if (!greeting->is_queued)
        return;
    greeting->is_queued = false;
    DL_DELETE2(conn->conns->greeting[greeting->is_crowded], conn, line_prev, line_next);
    conns_calm(conn->conns);
}

static void greeting_free(struct conn *conn) {
    if (conn->greeting == NULL)
        return;
    greeting_unqueue(conn);
    if (conn->greeting->is_counted)
        tally_remove(&conn->conns->greeters, &conn->link.address);
    buf_free(&conn->greeting->input);
    mem_free(conn->greeting);
    conn->greeting = NULL;
}

/* Closes the socket; the memory follows when libuv has let go of it. */
static void conn_abort(struct conn *conn) {
    if (conn->state == CONN_GONE)
        return;
    if (conn->state == CONN_LOST)
        LL_DELETE2(conn->conns->lost, conn, lost_next);
    conn->state = CONN_GONE;
    conn_rise(conn);
    greeting_free(conn);
    timers_stop(&conn->conns->deadlines, &conn->deadline);
    uv_close((uv_handle_t *)&conn->tcp, on_gone);
    if (conn->backlog != NULL) { /* nothing is written any more; the request itself is still libuv's */
        buf_free(&conn->backlog->writing);
        buf_free(&conn->backlog->waiting);
    }
    conn->conns->leaving_bytes -= conn->leaving_bytes;
    conn->leaving_bytes = 0;
}

static void conn_on_deadline(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    conn_abort((struct conn *)((char *)timer - offsetof(struct conn, deadline)));
}

static void deadline_set(struct conn *conn, uint32_t delay_ms) {
    timers_arm(&conn->conns->deadlines, &conn->deadline, conns_now(conn->conns) + delay_ms, conn_on_deadline);
}

/* Everything is sent: ends the stream, then waits for the peer to end its own. */
static void conn_linger(struct conn *conn) {
    uv_os_fd_t fd;
    conn->state = CONN_LINGERING;
    if (conn->has_ended || uv_fileno((uv_handle_t *)&conn->tcp, &fd) != 0 || shutdown(fd, SHUT_WR) != 0)
        conn_abort(conn);
    else
        deadline_set(conn, CONN_LINGER_MS);
}

/* Others are served before it, in this turn of the loop. */
static bool conn_must_wait(const struct conn *conn, uint64_t now_us) {
    return account_must_wait(&conn->conns->accounts, &conn->holder, conn->conns->turn, now_us);
}

static bool conn_is_there(const struct conn *conn) {
    return conn->state == CONN_OPEN || conn->state == CONN_FLUSHING || conn->state == CONN_LINGERING;
}

/* Reading takes time, too, and so does it to find that a peer is gone: there is no space for those who have
 * to wait. */
static void on_read_space(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    struct conn *conn = handle->data;
    struct conns *conns = conn->conns;
    conns->read_us = conns->clock.now_us();
    *out = uv_buf_init(conns->input, conn_must_wait(conn, conns->read_us) ? 0 : sizeof conns->input);
}

static void conn_write(struct conn *, struct span bytes);
static void conn_write_on(struct conn *);

/* The protocol is through with the connection, by its own wish or because it was told. */
static void conn_flush(struct conn *conn) {
    conn->state = CONN_FLUSHING;
    conn_write_on(conn);
    if (conn->state == CONN_GONE)
        return;
    if (conn->tls != NULL) {
        buf_clear(&conn->conns->sealed);
        tls_end(conn->tls, &conn->conns->sealed);
        tls_free(conn->tls); /* what still comes is thrown away as it is */
        conn->tls = NULL;
        conn_write(conn, buf_span(&conn->conns->sealed));
        if (conn->state == CONN_GONE)
            return;
    }
    if (conn->backlog == NULL) {
        conn_linger(conn);
        return;
    }
    deadline_set(conn, conn->conns->flush_ms);
}

/* Tells the port of a link that ends without its wish. */
static void conn_tell_closed(struct conn *conn) {
    conn_rise(conn);
    conn->state = CONN_FLUSHING;
    conn->port->ops->closed(conn->port, &conn->link, conns_now(conn->conns));
}

/* Only where no port is in the middle of anything. */
static void conns_tell_lost(struct conns *conns) {
    while (conns->lost != NULL) {
        struct conn *conn = conns->lost;
        LL_DELETE2(conns->lost, conn, lost_next);
        conn_tell_closed(conn);
        conn_abort(conn);
    }
}

/* Makes room where no port is in the middle of anything: those who are dropped give their memory back at
 * once. */
static bool conns_make_room_now(struct conns *conns) {
    bool has_room = conns_make_room(conns);
    if (conns->leaving_bytes > 0)
        conns_tell_lost(conns);
    return has_room;
}

/* Input after the end is thrown away. A peer that goes on for long does not read what it was told last. */
static void conn_discard(struct conn *conn, size_t size) {
    conn->discarded_bytes += size;
    if (conn->discarded_bytes > CONN_DISCARD_MAX_BYTES)
        conn_abort(conn);
}

static void conn_charge(struct conn *, uint64_t begun_us);
static void conn_spend(struct conn *, size_t bytes, uint32_t messages);
static void conn_rest(struct conn *);
static void conn_greet(struct conn *, struct span bytes);

/* The peer has ended its stream, or (not orderly) is gone. */
static void conn_ended(struct conn *conn, bool is_orderly) {
    bool had_ended = conn->has_ended, was_open = conn->state == CONN_OPEN;
    conn->has_ended = true;
    if (is_orderly && was_open && conn->port->ops->finished != NULL) {
        if (!had_ended)
            conn->port->ops->finished(conn->port, &conn->link, conns_now(conn->conns));
        return;
    }
    if (was_open)
        conn_tell_closed(conn);
    if (!is_orderly || conn->state == CONN_LINGERING)
        conn_abort(conn);
    else if (was_open)
        conn_flush(conn);
}

static void conn_log_refused(const struct conn *conn, const char *event, const char *reason) {
    char peer[INET6_ADDRSTRLEN];
    if (!refused_log_may(&conn->conns->refused, conns_now(conn->conns)))
        return;
    origin_text(&conn->tcp, peer);
    refused_log_say(&conn->conns->refused, event, conn->place->name, peer, reason);
}

/* Hands on what the peer has said. */
static void conn_hear(struct conn *conn, struct span plain) {
    if (conn->state == CONN_OPEN && plain.size > 0)
        socket_hand_on(&conn->tcp, conn->port, &conn->link, plain, conns_now(conn->conns));
}

/* Takes bytes of the peer apart: what they say comes out in conns->plain, what must be sent for it is sent.
 */
static enum tls_state conn_unseal(struct conn *conn, struct span bytes) {
    struct conns *conns = conn->conns;
    buf_clear(&conns->plain);
    buf_clear(&conns->sealed);
    enum tls_state state = tls_receive(conn->tls, bytes, &conns->plain, &conns->sealed);
    conn_write(conn, buf_span(&conns->sealed));
    return state;
}

static void conn_hear_sealed(struct conn *conn, struct span bytes) {
    enum tls_state state = conn_unseal(conn, bytes);
    conn_hear(conn, buf_span(&conn->conns->plain));
    if (state == TLS_ENDED) {
        conn_ended(conn, true);
    } else if (state == TLS_FAILED && conn->state == CONN_OPEN) {
        conn_log_refused(conn, "tls-failed", tls_reason(conn->tls));
        conn_tell_closed(conn);
        conn_flush(conn);
    }
}

static void conn_take_bytes(struct conn *conn, struct span bytes) {
    conn->port->figures.received_bytes += bytes.size;
    conn->passed_bytes += bytes.size;
    conns_make_room_now(conn->conns);
    if (conn->state != CONN_OPEN)
        return;
    if (conn->tls != NULL)
        conn_hear_sealed(conn, bytes);
    else
        conn_hear(conn, bytes);
}

/* What has been read, or (negative) why there is nothing to read any more. */
static void conn_take_read(struct conn *conn, ssize_t size) {
    struct conns *conns = conn->conns;
    struct span bytes = span_make(conns->input, size > 0 ? (size_t)size : 0);
    if (conn->state == CONN_GREETING) {
        conns_make_room_now(conns);
        if (conn->state == CONN_GREETING)
            conn_greet(conn, bytes);
        return;
    }
    if (size > 0)
        conn_spend(conn, bytes.size, 0);
    if (size < 0)
        conn_ended(conn, size == UV_EOF);
    else if (conn->state == CONN_OPEN)
        conn_take_bytes(conn, bytes);
    else
        conn_discard(conn, bytes.size);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *space) {
    struct conn *conn = stream->data;
    (void)space;
    if (size == 0)
        return;
    uint64_t begun_us = conn->conns->read_us;
    if (size == UV_ENOBUFS) {
        conn->is_unread = true;
        conn_rest(conn);
    } else {
        conn_take_read(conn, size);
    }
    conn_charge(conn, begun_us);
}

/* Reads what the loop has found before, now that its turn has come: so what reading it costs, or closing it,
 * is part of that. */
static void conn_read(struct conn *conn) {
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&conn->tcp, &fd) != 0)
        return;
    ssize_t size = recv(fd, conn->conns->input, sizeof conn->conns->input, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0)
        uv_read_stop((uv_stream_t *)&conn->tcp);
    conn_take_read(conn, size > 0 ? size : size == 0 ? UV_EOF : UV_ECONNRESET);
}

void conn_lose(struct conn *conn) {
    if (conn->backlog != NULL)
        buf_free(&conn->backlog->waiting); /* nobody will read it */
    if (conn->state != CONN_OPEN) {
        conn_abort(conn);
        return;
    }
    conn->state = CONN_LOST;
    conn_rise(conn);
    uv_read_stop((uv_stream_t *)&conn->tcp);
    LL_PREPEND2(conn->conns->lost, conn, lost_next);
}

static bool conn_is_stopped(const struct conn *conn) {
    return conn->is_paused || conn->is_held || conn->holder.is_resting;
}

/* Stops reading or goes on with it, after one of the reasons to stop has changed. */
static void reading_set(struct conn *conn, bool was_stopped) {
    if (conn_is_stopped(conn) == was_stopped)
        return;
    if (!was_stopped)
        uv_read_stop((uv_stream_t *)&conn->tcp);
    else if (uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) != 0)
        conn_lose(conn);
}

static void paused_set(struct conn *conn, bool is_paused) {
    bool was_stopped = conn_is_stopped(conn);
    conn->is_paused = is_paused;
    reading_set(conn, was_stopped);
}

static void held_set(struct conn *conn, bool is_held) {
    bool was_stopped = conn_is_stopped(conn);
    conn->is_held = is_held;
    reading_set(conn, was_stopped);
}

static void conns_on_turn(uv_idle_t *);

/* Its share is used up: it is not read, and is the last in line of those who rest. */
static void conn_rest(struct conn *conn) {
    struct conns *conns = conn->conns;
    bool was_stopped = conn_is_stopped(conn);
    account_rest(&conns->accounts, &conn->holder);
    uv_idle_start(&conns->next_turn, conns_on_turn);
    reading_set(conn, was_stopped);
}

/* It has been served since then. */
static void conn_charge(struct conn *conn, uint64_t begun_us) {
    struct conns *conns = conn->conns;
    uint64_t now_us = conns->clock.now_us();
    account_charge(&conns->accounts, &conn->holder, conns->turn, now_us - begun_us, now_us);
}

/* Bytes after the end are thrown away, which takes time, too. */
static void conn_spend(struct conn *conn, size_t bytes, uint32_t messages) {
    struct conns *conns = conn->conns;
    if (!conn_is_there(conn) || conn->holder.is_resting)
        return;
    uint64_t now_us = conns->clock.now_us();
    share_begin(&conn->share, conns->turn, now_us);
    conn->share.bytes += bytes;
    conn->share.messages += messages;
    if (share_is_spent(&conn->share, conns->accounts.resting_count, now_us))
        conn_rest(conn);
}

/* The port goes on with what waits. */
static void conn_resume_port(struct conn *conn) {
    uint64_t now_ms = conns_now(conn->conns);
    if (conn->is_drained) {
        conn->is_drained = false;
        conn->port->ops->drained(conn->port, &conn->link, now_ms);
    }
    if (conn->state == CONN_OPEN && conn->port->ops->resumed != NULL)
        socket_resume(&conn->tcp, conn->port, &conn->link, now_ms);
}

/* Its turn has come again. */
static void conn_resume(struct conn *conn) {
    struct conns *conns = conn->conns;
    bool was_stopped = conn_is_stopped(conn), is_unread = conn->is_unread;
    uint64_t begun_us = conns->clock.now_us();
    conn_rise(conn);
    conn->is_unread = false;
    share_renew(&conn->share, conns->turn, begun_us);
    reading_set(conn, was_stopped);
    conn_write_on(conn);
    if (conn->state == CONN_OPEN && !conn->is_paused)
        conn_resume_port(conn);
    if (is_unread && !conn_is_stopped(conn) && (conn_is_there(conn) || conn->state == CONN_GREETING))
        conn_read(conn);
    conn_charge(conn, begun_us);
}

static void conn_shake(struct conn *);

/* Goes on with handshakes, as many as there is time for: those of addresses with few of them come first. */
static void conns_shake(struct conns *conns) {
    uint64_t begun_us = conns->clock.now_us(), step_us;
    do {
        struct conn *conn = conns->greeting[0] != NULL ? conns->greeting[0] : conns->greeting[1];
        if (conn == NULL)
            return;
        step_us = conns->clock.now_us();
        conn_shake(conn);
        conn_charge(conn, step_us);
    } while (conns->clock.now_us() - begun_us < CONN_SHAKE_US);
}

/* Resumes those who rest, each once and as many as there is time for: whoever has not rested is served
 * after it in the same turn. */
static void conns_on_turn(uv_idle_t *idle) {
    struct conns *conns = idle->data;
    uint64_t begun_us = conns->clock.now_us();
    size_t count = conns->accounts.resting_count;
    struct holder *next;
    while (count-- > 0 && (next = accounts_next(&conns->accounts)) != NULL &&
           conns->clock.now_us() - begun_us < SHARE_RESUME_US)
        conn_resume((struct conn *)((char *)next - offsetof(struct conn, holder)));
    conns_shake(conns);
}

/* Whether it may go on at once; otherwise it does when it is resumed. */
static bool conn_has_turn(struct conn *conn) {
    if (!conn->holder.is_resting && conn_must_wait(conn, conn->conns->clock.now_us()))
        conn_rest(conn);
    return !conn->holder.is_resting;
}

/* Little enough is unsent again. The port goes on with what waited for that, which may be much: whoever has
 * to wait does it in its turn. */
static void conn_drained(struct conn *conn) {
    if (!conn->is_paused)
        return;
    paused_set(conn, false);
    if (conn->state != CONN_OPEN || conn->port->ops->drained == NULL)
        return;
    conn->is_drained = true;
    if (conn_has_turn(conn))
        conn_resume_port(conn);
}

static void on_written(uv_write_t *, int status);

/* Gives what is waiting to libuv. */
static void backlog_write(struct conn *conn) {
    struct backlog *backlog = conn->backlog;
    struct buf empty = backlog->writing;
    backlog->writing = backlog->waiting;
    backlog->waiting = empty;
    uv_buf_t bytes = uv_buf_init(backlog->writing.data, (unsigned)backlog->writing.size);
    if (uv_write(&backlog->request, (uv_stream_t *)&conn->tcp, &bytes, 1, on_written) != 0)
        conn_lose(conn);
}

/* What was put off. */
static void conn_write_on(struct conn *conn) {
    bool is_unwritten = conn->is_unwritten;
    conn->is_unwritten = false;
    if (is_unwritten && conn->state != CONN_LOST && conn->state != CONN_GONE)
        backlog_write(conn);
}

/* What one peer is sent may be much, and many may have read at the same moment. */
static void backlog_write_in_turn(struct conn *conn) {
    conn->is_unwritten = true;
    if (conn_has_turn(conn))
        conn_write_on(conn);
}

static void on_written(uv_write_t *request, int status) {
    struct conn *conn = request->handle->data;
    uint64_t begun_us = conn->conns->clock.now_us();
    if (conn->state == CONN_GONE || conn->state == CONN_LOST)
        return;
    if (status != 0) {
        conn_lose(conn);
        return;
    }
    buf_clear(&conn->backlog->writing);
    if (conn->backlog->waiting.size > 0)
        backlog_write_in_turn(conn);
    else
        backlog_free(conn);
    if (conn->state == CONN_FLUSHING && conn->backlog == NULL)
        conn_linger(conn);
    else if (conn->state == CONN_OPEN && unsent_bytes(conn) < CONN_UNSENT_PAUSE_BYTES / 2)
        conn_drained(conn);
    conn_charge(conn, begun_us);
}

static void log_slow(const struct conn *conn, size_t unsent) {
    char peer[INET6_ADDRSTRLEN];
    origin_text(&conn->tcp, peer);
    log_event(LOG_WARN, "slow-consumer-dropped", LOG_TEXT("peer", span_of(peer)),
              LOG_INT("unsent_bytes", (int64_t)unsent));
}

/* Keeps what the kernel did not take. */
static void backlog_add(struct conn *conn, struct span bytes) {
    bool is_first = conn->backlog == NULL;
    conns_make_room(conn->conns);
    if (conn->state == CONN_LOST || conn->state == CONN_GONE)
        return;
    if (is_first)
        conn->backlog = mem_alloc(sizeof *conn->backlog);
    buf_append(&conn->backlog->waiting, bytes);
    size_t unsent = unsent_bytes(conn);
    if (unsent > CONN_UNSENT_MAX_BYTES) {
        log_slow(conn, unsent);
        limit_hit(LIMIT_UNSENT, &conn->link.origin);
        conn_lose(conn);
        return;
    }
    if (unsent > CONN_UNSENT_PAUSE_BYTES && conn->state == CONN_OPEN)
        paused_set(conn, true);
    if (is_first)
        backlog_write(conn);
}

/* Sends bytes as they are. */
static void conn_write(struct conn *conn, struct span bytes) {
    if (bytes.size == 0)
        return;
    conn->place->port->figures.sent_bytes += bytes.size;
    conn->passed_bytes += bytes.size;
    if (conn->backlog == NULL) {
        uv_buf_t buffer = {.base = (char *)(uintptr_t)bytes.data, .len = bytes.size};
        int taken = uv_try_write((uv_stream_t *)&conn->tcp, &buffer, 1);
        if (taken < 0 && taken != UV_EAGAIN) {
            conn_lose(conn);
            return;
        }
        if (taken > 0)
            bytes = span_make(bytes.data + taken, bytes.size - (size_t)taken);
    }
    if (bytes.size > 0)
        backlog_add(conn, bytes);
}

static void conn_write_sealed(struct conn *conn, struct span plain) {
    struct buf *sealed = &conn->conns->sealed;
    buf_clear(sealed);
    if (tls_send(conn->tls, plain, sealed))
        conn_write(conn, buf_span(sealed));
    else
        conn_lose(conn);
    if (sealed->capacity > CONN_SEALED_KEPT_BYTES)
        buf_free(sealed);
}

static void conn_link_send(struct link *link, struct span bytes) {
    struct conn *conn = conn_of(link);
    if (conn->state != CONN_OPEN || bytes.size == 0)
        return;
    if (conn->tls != NULL)
        conn_write_sealed(conn, bytes);
    else
        conn_write(conn, bytes);
}

static void conn_link_close(struct link *link) {
    struct conn *conn = conn_of(link);
    if (conn->state == CONN_LOST) {
        conn_abort(conn);
    } else if (conn->state == CONN_OPEN) {
        bool was_stopped = conn_is_stopped(conn);
        conn_rise(conn);
        conn->is_paused = conn->is_held = false;
        conn_flush(conn);
        if (conn->state != CONN_GONE)
            reading_set(conn, was_stopped);
    }
}

static void conn_link_hold(struct link *link, bool is_held) {
    struct conn *conn = conn_of(link);
    if (conn->state == CONN_OPEN)
        held_set(conn, is_held);
}

static bool conn_link_is_full(const struct link *link) {
    const struct conn *conn = (const struct conn *)link;
    return conn->state == CONN_OPEN && (conn->is_paused || conn->is_drained);
}

static void conn_link_heard(struct link *link) {
    conn_of(link)->port->figures.messages++;
    conn_spend(conn_of(link), 0, 1);
}

/* Of a peer that is lost nothing more is heard, either. */
static bool conn_link_is_spent(const struct link *link) {
    const struct conn *conn = (const struct conn *)link;
    return conn->holder.is_resting || conn->state == CONN_LOST;
}

static bool conn_link_may_ask(struct link *link, const struct address *address) {
    struct conn *conn = conn_of(link);
    uint64_t bytes = conn->passed_bytes;
    conn->passed_bytes = 0;
    return appetite_allows(&conn->conns->appetite, address, bytes, conns_now(conn->conns));
}

static const struct link_ops conn_link_ops = {.send = conn_link_send,
                                              .close = conn_link_close,
                                              .hold = conn_link_hold,
                                              .is_full = conn_link_is_full,
                                              .heard = conn_link_heard,
                                              .is_spent = conn_link_is_spent,
                                              .may_ask = conn_link_may_ask};

/* Whom the limits count; nobody when the peer is not to be limited. */
static struct address limited_of(const struct conn *conn) {
    static const struct address nobody;
    const struct address *origin = &conn->link.origin;
    bool is_free = (address_is_loopback(origin) && conn->conns->is_loopback_free) ||
                   addresses_have(&conn->conns->proxies, origin);
    return is_free ? nobody : *origin;
}

/* The next peer of a listener as a connection that nobody knows of yet; NULL when the system refuses. */
static struct conn *conn_take(struct conns *conns, uv_stream_t *listener) {
    struct conn *conn = mem_alloc(sizeof *conn);
    conn->link.ops = &conn_link_ops;
    conn->conns = conns;
    conn->number = ++conns->number;
    conn->since_ms = conns_now(conns);
    conn->state = CONN_FLUSHING;
    if (uv_tcp_init(conns->loop, &conn->tcp) != 0) {
        mem_free(conn);
        return NULL;
    }
    conn->tcp.data = conn;
    DL_APPEND(conns->all, conn);
    conns->count++;
    if (uv_accept(listener, (uv_stream_t *)&conn->tcp) != 0) {
        conn_abort(conn);
        return NULL;
    }
    return conn;
}

static bool is_crowded(const struct conns *conns, const struct address *address) {
    return conns->address_max != 0 && !address_is_nobody(address) &&
           tally_count(&conns->addresses, address) >= conns->address_max;
}

/* Says why in as much as the kernel takes at once, and closes. Behind TLS nothing can be said. */
static void conn_turn_away(struct conn *conn) {
    struct conns *conns = conn->conns;
    struct port *port = conn->place->port;
    struct buf words = {0};
    if (conns->turned_count++ == 0) {
        char peer[INET6_ADDRSTRLEN];
        origin_text(&conn->tcp, peer);
        log_event(LOG_WARN, "address-full", LOG_INT("max", conns->address_max),
                  LOG_TEXT("peer", span_of(peer)));
    }
    conn->is_turned = true;
    bool is_told =
        conns->turned_count <= CONN_TURNED_MAX && port->ops->refuse != NULL && conn->place->tls == NULL;
    if (is_told)
        port->ops->refuse(port, &words);
    uv_buf_t buffer = uv_buf_init(words.data, (unsigned)words.size);
    uv_read_stop((uv_stream_t *)&conn->tcp);
    is_told = is_told && uv_try_write((uv_stream_t *)&conn->tcp, &buffer, 1) == (int)words.size &&
              uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) == 0;
    buf_free(&words);
    if (is_told)
        conn_linger(conn);
    else
        conn_abort(conn);
}

/* Who has come to the operator's socket; over the loopback anybody may, and only looks. */
static bool conn_look(struct conn *conn) {
    uv_os_fd_t fd;
    return !address_is_nobody(&conn->link.origin) ||
           (uv_fileno((uv_handle_t *)&conn->tcp, &fd) == 0 &&
            local_socket_admits(fd, &conn->link.uid, &conn->link.pid));
}

/* Counts it for where it comes from; false when it was turned away. */
static bool conn_admit(struct conn *conn) {
    struct address address = limited_of(conn);
    bool is_operator = conn->place->port->is_operator;
    bool is_banned =
        !is_operator && bans_have(&conn->conns->bans, &conn->link.origin, conns_now(conn->conns));
    if (is_banned)
        limit_hit(LIMIT_BANS, &conn->link.origin);
    if (is_banned || (is_operator && !conn_look(conn))) {
        conn_abort(conn);
        return false;
    }
    account_open(&conn->conns->accounts, &conn->holder, &address, conn->conns->clock.now_us());
    if (!is_operator && is_crowded(conn->conns, &address)) {
        limit_hit(LIMIT_ADDRESS_CONNECTIONS, &address);
        conn_turn_away(conn);
        return false;
    }
    conn->link.address = address;
    tally_add(&conn->conns->addresses, &address);
    return true;
}

/* The protocol has it from here on; plain is what the peer has said already. */
static void conn_open(struct conn *conn, struct span plain) {
    conn->port = conn->place->port;
    conn->port->figures.links++;
    conn->port->figures.accepted++;
    conn->state = CONN_OPEN;
    timers_stop(&conn->conns->deadlines, &conn->deadline);
    conn->port->ops->opened(conn->port, &conn->link, conns_now(conn->conns));
    conn_spend(conn, plain.size, 0);
    if (plain.size > 0 && !conn->holder.is_resting && conn_must_wait(conn, conn->conns->clock.now_us()))
        conn_rest(conn);
    conn_hear(conn, plain);
}

/* Greetings. */

static void conn_greet_fail(struct conn *conn, const char *event, const char *reason) {
    conn_log_refused(conn, event, reason);
    conn_abort(conn);
}

static void conn_on_greeting_late(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct conn *conn = TIMER_OWNER(timer, struct conn, deadline);
    conn_greet_fail(conn, conn->greeting->wants_header ? "proxy-refused" : "tls-failed",
                    "nothing came for too long");
}

/* It takes its turn in line, and is not read until then. */
static void greeting_queue(struct conn *conn) {
    struct conns *conns = conn->conns;
    struct greeting *greeting = conn->greeting;
    uv_read_stop((uv_stream_t *)&conn->tcp);
    greeting->heard_bytes += greeting->input.size;
    if (conn->tls == NULL) {
        conn->tls = tls_create(conn->place->tls, conn->place->is_http);
        greeting->is_counted = true;
        tally_add(&conns->greeters, &conn->link.address);
    }
    greeting->is_queued = true;
    greeting->is_crowded = tally_count(&conns->greeters, &conn->link.address) > CONN_GREETERS_FEW;
    DL_APPEND2(conns->greeting[greeting->is_crowded], conn, line_prev, line_next);
    uv_idle_start(&conns->next_turn, conns_on_turn);
}

/* Its next step of the handshake. */
static void conn_shake(struct conn *conn) {
    greeting_unqueue(conn);
    enum tls_state state = conn_unseal(conn, buf_span(&conn->greeting->input));
    if (conn->state != CONN_GREETING)
        return;
    buf_free(&conn->greeting->input);
    if (uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) != 0) {
        conn_abort(conn);
    } else if (state == TLS_FAILED) {
        conn_log_refused(conn, "tls-failed", tls_reason(conn->tls));
        greeting_free(conn);
        conn_flush(conn);
    } else if (state != TLS_GREETING) {
        greeting_free(conn);
        conn_open(conn, buf_span(&conn->conns->plain));
        if (state == TLS_ENDED)
            conn_ended(conn, true);
    }
}

/* The header of a proxy has come; false: not all of it, or it was not good, or where it leads is full. */
static bool conn_greet_header(struct conn *conn) {
    struct greeting *greeting = conn->greeting;
    struct proxy_header header;
    const char *reason;
    switch (proxy_header_read(buf_span(&greeting->input), &header, &reason)) {
    case PROXY_HEADER_WAITS: return false;
    case PROXY_HEADER_REFUSED: conn_greet_fail(conn, "proxy-refused", reason); return false;
    case PROXY_HEADER_READ: break;
    }
    if (header.has_origin)
        conn->link.origin = header.origin;
    greeting->wants_header = false;
    buf_consume(&greeting->input, header.size);
    return conn_admit(conn);
}

/* More bytes of a peer that is not known yet; none: it has gone. */
static void conn_greet(struct conn *conn, struct span bytes) {
    struct greeting *greeting = conn->greeting;
    bool is_sealed = conn->place->tls != NULL;
    const char *event = greeting->wants_header ? "proxy-refused" : "tls-failed";
    buf_append(&greeting->input, bytes);
    if (bytes.size == 0) {
        conn_greet_fail(conn, event, "the peer has gone");
        return;
    }
    if (greeting->wants_header && !conn_greet_header(conn))
        return;
    /* The last piece of a handshake may have what the protocol is told behind it. */
    if (is_sealed && greeting->heard_bytes >= TLS_HELLO_BYTES_MAX) {
        conn_greet_fail(conn, event, "too much was said before the handshake was over");
    } else if (is_sealed && greeting->input.size > 0) {
        greeting_queue(conn);
    } else if (!is_sealed) {
        struct buf input = greeting->input;
        greeting->input = (struct buf){0};
        greeting_free(conn);
        conn_open(conn, buf_span(&input));
        buf_free(&input);
    }
}

static void conn_greet_begin(struct conn *conn, bool wants_header) {
    conn->state = CONN_GREETING;
    conn->greeting = mem_alloc(sizeof *conn->greeting);
    conn->greeting->wants_header = wants_header;
    timers_arm(&conn->conns->deadlines, &conn->deadline, conns_now(conn->conns) + conn->conns->greeting_ms,
               conn_on_greeting_late);
}

enum err conn_accept(struct conns *conns, uv_stream_t *listener, const struct conn_place *place) {
    struct conn *conn = conn_take(conns, listener);
    if (conn == NULL)
        return ERR_IO;
    conn->place = place;
    conn->link.is_secure = place->tls != NULL;
    if (!conns_make_room_now(conns)) {
        conn_abort(conn);
        return ERR_OK;
    }
    conn->link.origin = origin_of(&conn->tcp);
    bool wants_header = place->wants_header && addresses_have(&conns->proxies, &conn->link.origin);
    if (!wants_header && !conn_admit(conn))
        return ERR_OK;
    /* Without these two a connection is slower or notices a dead peer later, but it works. */
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_tcp_keepalive(&conn->tcp, 1, CONN_KEEPALIVE_S);
    if (uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) != 0) {
        conn_abort(conn);
        return ERR_IO;
    }
    if (wants_header || place->tls != NULL)
        conn_greet_begin(conn, wants_header);
    else
        conn_open(conn, span_make(NULL, 0));
    return ERR_OK;
}

void conn_refuse(struct conns *conns, uv_stream_t *listener) {
    struct conn *conn = conn_take(conns, listener);
    if (conn != NULL)
        conn_abort(conn);
}

struct conn *conns_next(const struct conns *conns, const struct conn *after) {
    struct conn *conn = after == NULL ? conns->all : after->next;
    while (conn != NULL && conn->state != CONN_OPEN)
        conn = conn->next;
    return conn;
}

struct conn_about conn_about(const struct conn *c) {
    return (struct conn_about){c->number, c->port, c->link.origin, c->since_ms, unsent_bytes(c)};
}

void conn_cut(struct conn *conn) {
    conn_lose(conn);
}

void conns_settle(struct conns *conns) {
    conns->turn++;
    conns_tell_lost(conns);
}

void conns_end_greetings(struct conns *conns) {
    struct conn *conn;
    DL_FOREACH(conns->all, conn) {
        if (conn->state == CONN_GREETING)
            conn_abort(conn);
    }
}

uint64_t conns_next_ms(const struct conns *conns) {
    return timers_next_ms(&conns->deadlines);
}

void conns_advance(struct conns *conns, uint64_t now_ms) {
    timers_advance(&conns->deadlines, now_ms);
}

void conns_abort(struct conns *conns) {
    conns_settle(conns);
    struct conn *conn;
    /* What is aborted leaves the list only when the loop turns again, so that walking it is safe. */
    DL_FOREACH(conns->all, conn) {
        if (conn->state == CONN_OPEN)
            conn_tell_closed(conn);
        else if (conn->state == CONN_LOST)
            continue; /* by what a port said just now; settled below */
        conn_abort(conn);
    }
    conns_settle(conns);
}
