#include "server/conn.h"

#include "base/buf.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "server/share.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <uthash.h>
#include <utlist.h>

enum conn_state { CONN_OPEN, CONN_LOST, CONN_FLUSHING, CONN_LINGERING, CONN_GONE };

/* Output that the kernel did not take at once. Exists only while there is any, so that an idle connection
 * costs nothing for it. */
struct backlog {
    uv_write_t request;
    struct buf writing; /* given to libuv, must not move */
    struct buf waiting;
};

struct conn {
    struct link link; /* first: a link is its connection */
    uv_tcp_t tcp;
    struct conns *conns;
    struct port *port;
    struct conn *prev, *next;
    struct conn *lost_next;
    struct backlog *backlog;
    struct timer deadline;
    uint8_t state;  /* enum conn_state */
    bool is_turned; /* away */
    bool has_ended; /* the peer has ended its stream: there is nothing to linger for */
    bool is_paused; /* not read because too much is unsent */
    bool is_held;   /* not read because the protocol does not want to */
    bool is_spent;  /* not read because others are to be served; it rests */
    struct share share;
    size_t leaving_bytes;   /* see struct conns */
    size_t discarded_bytes; /* that came after the end */
    struct conn *resting_prev, *resting_next;
};

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
    tally_free(&conns->addresses);
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
    if (conn->is_turned)
        conn->conns->turned_count--;
    else
        tally_remove(&conn->conns->addresses, &conn->link.address);
    if (conn->port != NULL)
        conn->port->figures.links--;
    DL_DELETE(conn->conns->all, conn);
    backlog_free(conn);
    mem_free(conn);
}

/* It rests no more, for whatever reason. */
static void conn_rise(struct conn *conn) {
    struct conns *conns = conn->conns;
    if (!conn->is_spent)
        return;
    conn->is_spent = false;
    DL_DELETE2(conns->resting, conn, resting_prev, resting_next);
    if (--conns->resting_count == 0)
        uv_idle_stop(&conns->next_turn);
}

/* Closes the socket; the memory follows when libuv has let go of it. */
static void conn_abort(struct conn *conn) {
    if (conn->state == CONN_GONE)
        return;
    if (conn->state == CONN_LOST)
        LL_DELETE2(conn->conns->lost, conn, lost_next);
    conn->state = CONN_GONE;
    conn_rise(conn);
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

static void on_read_space(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    struct conn *conn = handle->data;
    *out = uv_buf_init(conn->conns->input, sizeof conn->conns->input);
}

/* The protocol is through with the connection, by its own wish or because it was told. */
static void conn_flush(struct conn *conn) {
    conn->state = CONN_FLUSHING;
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

static void conn_spend(struct conn *, size_t bytes, uint32_t messages);

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *space) {
    struct conn *conn = stream->data;
    uint64_t now_ms = conns_now(conn->conns);
    if (size > 0) {
        if (conn->state != CONN_OPEN) {
            conn_discard(conn, (size_t)size);
            return;
        }
        conn->port->figures.received_bytes += (uint64_t)size;
        conn_spend(conn, (size_t)size, 0);
        conns_make_room_now(conn->conns);
        if (conn->state != CONN_OPEN)
            return;
        conn->port->ops->received(conn->port, &conn->link, span_make(space->base, (size_t)size), now_ms);
        return;
    }
    if (size == 0)
        return;
    bool had_ended = conn->has_ended, was_open = conn->state == CONN_OPEN;
    conn->has_ended = true;
    if (size == UV_EOF && was_open && conn->port->ops->finished != NULL) {
        if (!had_ended)
            conn->port->ops->finished(conn->port, &conn->link, now_ms);
        return;
    }
    if (was_open)
        conn_tell_closed(conn);
    if (size != UV_EOF || conn->state == CONN_LINGERING)
        conn_abort(conn);
    else if (was_open)
        conn_flush(conn);
}

/* The connection is of no use any more, and the port that still counts on it may be in the middle of
 * something. */
static void conn_lose(struct conn *conn) {
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
    return conn->is_paused || conn->is_held || conn->is_spent;
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
    conn->is_spent = true;
    DL_APPEND2(conns->resting, conn, resting_prev, resting_next);
    if (conns->resting_count++ == 0)
        uv_idle_start(&conns->next_turn, conns_on_turn);
    reading_set(conn, was_stopped);
}

static void conn_spend(struct conn *conn, size_t bytes, uint32_t messages) {
    struct conns *conns = conn->conns;
    if (conn->state != CONN_OPEN || conn->is_spent)
        return;
    uint64_t now_us = conns->clock.now_us();
    share_begin(&conn->share, conns->turn, now_us);
    conn->share.bytes += bytes;
    conn->share.messages += messages;
    if (share_is_spent(&conn->share, conns->resting_count, now_us))
        conn_rest(conn);
}

/* Its turn has come again. */
static void conn_resume(struct conn *conn) {
    struct conns *conns = conn->conns;
    bool was_stopped = conn_is_stopped(conn);
    conn_rise(conn);
    share_renew(&conn->share, conns->turn, conns->clock.now_us());
    reading_set(conn, was_stopped);
    if (conn->state == CONN_OPEN && !conn->is_paused && conn->port->ops->resumed != NULL)
        conn->port->ops->resumed(conn->port, &conn->link, conns_now(conns));
}

/* Resumes those who rest, each once and as many as there is time for: whoever has not rested is served
 * after it in the same turn. */
static void conns_on_turn(uv_idle_t *idle) {
    struct conns *conns = idle->data;
    uint64_t begun_us = conns->clock.now_us();
    size_t count = conns->resting_count;
    while (count-- > 0 && conns->resting != NULL && conns->clock.now_us() - begun_us < SHARE_RESUME_US)
        conn_resume(conns->resting);
}

/* Little enough is unsent again. */
static void conn_drained(struct conn *conn) {
    if (!conn->is_paused)
        return;
    paused_set(conn, false);
    if (conn->state == CONN_OPEN && conn->port->ops->drained != NULL)
        conn->port->ops->drained(conn->port, &conn->link, conns_now(conn->conns));
}

/* Memory. */

static size_t conn_bytes(const struct conn *conn) {
    const struct backlog *backlog = conn->backlog;
    return conn->link.kept_bytes +
           (backlog == NULL ? 0 : backlog->writing.capacity + backlog->waiting.capacity);
}

/* What all connections of an address have. */
struct purse {
    struct address address;
    size_t bytes;
    UT_hash_handle by_address;
};

struct greedy {
    struct conn *conn;
    size_t bytes;
    struct purse *purse; /* NULL: of nobody in particular, so it counts for itself */
};

static size_t greedy_weight(const struct greedy *g) {
    return g->purse == NULL ? g->bytes : g->purse->bytes;
}

static int greedy_compare(const void *a, const void *b) {
    const struct greedy *x = a, *y = b;
    size_t x_weight = greedy_weight(x), y_weight = greedy_weight(y);
    if (x_weight != y_weight)
        return x_weight < y_weight ? 1 : -1;
    return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : 0;
}

static struct purse *purse_of(struct purse **purses, const struct address *address) {
    struct purse *purse;
    if (address_is_nobody(address))
        return NULL;
    HASH_FIND(by_address, *purses, address, sizeof *address, purse);
    if (purse != NULL)
        return purse;
    purse = mem_alloc(sizeof *purse);
    purse->address = *address;
    HASH_ADD(by_address, *purses, address, sizeof purse->address, purse);
    return purse;
}

static void purses_free(struct purse *purses) {
    struct purse *purse, *next;
    HASH_ITER(by_address, purses, purse, next) {
        HASH_DELETE(by_address, purses, purse);
        mem_free(purse);
    }
}

/* What is left when those who are leaving have left. */
static bool conns_have_room(const struct conns *conns, size_t bytes) {
    size_t max = mem_max(), used = mem_used();
    used -= conns->leaving_bytes < used ? conns->leaving_bytes : used;
    return max == 0 || used + bytes <= max;
}

/* Connections with something to give, the greediest first. */
static size_t greedy_list(const struct conns *conns, struct greedy *list, struct purse **purses) {
    struct conn *conn;
    size_t count = 0;
    DL_FOREACH(conns->all, conn) {
        size_t bytes = conn_bytes(conn);
        if (conn->state == CONN_GONE || conn->state == CONN_LOST || bytes < CONN_GREEDY_BYTES_MIN)
            continue;
        struct purse *purse = purse_of(purses, &conn->link.address);
        if (purse != NULL)
            purse->bytes += bytes;
        list[count++] = (struct greedy){conn, bytes, purse};
    }
    qsort(list, count, sizeof *list, greedy_compare);
    return count;
}

static void conn_drop(struct conn *conn) {
    conn_lose(conn);
    if (conn->state != CONN_LOST)
        return;
    conn->leaving_bytes = conn_bytes(conn);
    conn->conns->leaving_bytes += conn->leaving_bytes;
}

static void conns_log_short(struct conns *conns, size_t dropped) {
    uint64_t now_ms = conns_now(conns);
    conns->dropped_count += dropped;
    limit_hit(LIMIT_MEMORY, NULL);
    if (now_ms < conns->short_logged_ms + CONN_SHORT_LOG_MS && conns->short_logged_ms != 0)
        return;
    conns->short_logged_ms = now_ms;
    log_event(LOG_WARN, "memory-short", LOG_INT("used_bytes", (int64_t)mem_used()),
              LOG_INT("max_bytes", (int64_t)mem_max()), LOG_INT("dropped", (int64_t)conns->dropped_count));
}

bool conns_make_room(struct conns *conns) {
    if (conns_have_room(conns, CONN_ROOM_BYTES))
        return true;
    if (conns->short_turn == conns->turn) /* nobody has become greedy since */
        return false;
    struct purse *purses = NULL;
    struct greedy *list = mem_alloc((conns->count + 1) * sizeof *list);
    size_t count = greedy_list(conns, list, &purses), dropped = 0;
    /* A little more than is needed, so that it is not to be done again at once. */
    size_t wanted = CONN_ROOM_BYTES + mem_max() / CONN_ROOM_PART;
    while (dropped < count && !conns_have_room(conns, wanted))
        conn_drop(list[dropped++].conn);
    purses_free(purses);
    mem_free(list);
    conns_log_short(conns, dropped);
    bool has_room = conns_have_room(conns, CONN_ROOM_BYTES);
    if (!has_room)
        conns->short_turn = conns->turn;
    return has_room;
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

static void on_written(uv_write_t *request, int status) {
    struct conn *conn = request->handle->data;
    if (conn->state == CONN_GONE || conn->state == CONN_LOST)
        return;
    if (status != 0) {
        conn_lose(conn);
        return;
    }
    buf_clear(&conn->backlog->writing);
    if (conn->backlog->waiting.size > 0)
        backlog_write(conn);
    else
        backlog_free(conn);
    if (conn->state == CONN_FLUSHING && conn->backlog == NULL)
        conn_linger(conn);
    else if (conn->state == CONN_OPEN && unsent_bytes(conn) < CONN_UNSENT_PAUSE_BYTES / 2)
        conn_drained(conn);
}

static void log_slow(const struct conn *conn, size_t unsent) {
    char peer[INET6_ADDRSTRLEN] = "?";
    struct sockaddr_storage address;
    int size = sizeof address;
    if (uv_tcp_getpeername(&conn->tcp, (struct sockaddr *)&address, &size) == 0)
        uv_ip_name((struct sockaddr *)&address, peer, sizeof peer);
    log_event(LOG_WARN, "slow-consumer-dropped", LOG_TEXT("peer", span_of(peer)),
              LOG_INT("unsent_bytes", (int64_t)unsent));
}

/* Keeps what the kernel did not take. */
static void backlog_add(struct conn *conn, struct span bytes) {
    bool is_first = conn->backlog == NULL;
    conns_make_room(conn->conns);
    if (conn->state != CONN_OPEN)
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
    if (unsent > CONN_UNSENT_PAUSE_BYTES)
        paused_set(conn, true);
    if (is_first)
        backlog_write(conn);
}

static void conn_link_send(struct link *link, struct span bytes) {
    struct conn *conn = conn_of(link);
    if (conn->state != CONN_OPEN || bytes.size == 0)
        return;
    conn->port->figures.sent_bytes += bytes.size;
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
    return conn->state == CONN_OPEN && conn->is_paused;
}

static void conn_link_heard(struct link *link) {
    conn_of(link)->port->figures.messages++;
    conn_spend(conn_of(link), 0, 1);
}

/* Of a peer that is lost nothing more is heard, either. */
static bool conn_link_is_spent(const struct link *link) {
    const struct conn *conn = (const struct conn *)link;
    return conn->is_spent || conn->state == CONN_LOST;
}

static const struct link_ops conn_link_ops = {conn_link_send,    conn_link_close, conn_link_hold,
                                              conn_link_is_full, conn_link_heard, conn_link_is_spent};

/* Nobody's when it is not known. */
static struct address origin_of(const struct conn *conn) {
    static const struct address nobody;
    struct address address = nobody;
    struct sockaddr_storage found;
    int size = sizeof found;
    if (uv_tcp_getpeername(&conn->tcp, (struct sockaddr *)&found, &size) != 0)
        return nobody;
    if (found.ss_family == AF_INET)
        address = address_of_four((const uint8_t *)&((const struct sockaddr_in *)&found)->sin_addr);
    else if (found.ss_family == AF_INET6)
        address = address_of_six((const uint8_t *)&((const struct sockaddr_in6 *)&found)->sin6_addr);
    return address;
}

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

/* Says why in as much as the kernel takes at once, and closes. */
static void conn_turn_away(struct conn *conn, struct port *port) {
    struct conns *conns = conn->conns;
    struct buf words = {0};
    if (conns->turned_count++ == 0)
        log_event(LOG_WARN, "address-full", LOG_INT("max", conns->address_max));
    conn->is_turned = true;
    bool is_told = conns->turned_count <= CONN_TURNED_MAX && port->ops->refuse != NULL;
    if (is_told)
        port->ops->refuse(port, &words);
    uv_buf_t buffer = uv_buf_init(words.data, (unsigned)words.size);
    is_told = is_told && uv_try_write((uv_stream_t *)&conn->tcp, &buffer, 1) == (int)words.size &&
              uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) == 0;
    buf_free(&words);
    if (is_told)
        conn_linger(conn);
    else
        conn_abort(conn);
}

enum err conn_accept(struct conns *conns, uv_stream_t *listener, struct port *port) {
    struct conn *conn = conn_take(conns, listener);
    if (conn == NULL)
        return ERR_IO;
    if (!conns_make_room_now(conns)) {
        conn_abort(conn);
        return ERR_OK;
    }
    conn->link.origin = origin_of(conn);
    conn->link.address = limited_of(conn);
    if (!port->is_operator && is_crowded(conns, &conn->link.address)) {
        limit_hit(LIMIT_ADDRESS_CONNECTIONS, &conn->link.address);
        conn_turn_away(conn, port);
        return ERR_OK;
    }
    tally_add(&conns->addresses, &conn->link.address);
    /* Without these two a connection is slower or notices a dead peer later, but it works. */
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_tcp_keepalive(&conn->tcp, 1, CONN_KEEPALIVE_S);
    if (uv_read_start((uv_stream_t *)&conn->tcp, on_read_space, on_read) != 0) {
        conn_abort(conn);
        return ERR_IO;
    }
    conn->port = port;
    port->figures.links++;
    port->figures.accepted++;
    conn->state = CONN_OPEN;
    port->ops->opened(port, &conn->link, conns_now(conns));
    return ERR_OK;
}

void conn_refuse(struct conns *conns, uv_stream_t *listener) {
    struct conn *conn = conn_take(conns, listener);
    if (conn != NULL)
        conn_abort(conn);
}

void conns_settle(struct conns *conns) {
    conns->turn++;
    conns_tell_lost(conns);
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
