/* The network between clients and ports: two pipes of bytes per connection, which deliver in pieces of any
 * size after any time, lose their rest when the connection is cut, and let one side believe for long in a
 * connection that the other has given up. A port that holds a link is given nothing more; and now and then
 * the share of a link is used up after a message, so that the rest of a piece waits for a later turn. */
#include "sim.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <utlist.h>

enum {
    DELAY_USUAL_MS = 6,
    DELAY_SLOW_MS = 400,
    HALF_OPEN_MS = 40000,
    PIECE_SMALL_BYTES = 40,
    SLOW_READERS_PER_MILLE = 250, /* of connections, which are full when so much is on its way: */
    FULL_BYTES_MAX = 4000,
    FINISHED_MS_MAX = 3000, /* in which a port closes when its peer says nothing more */
    SPENT_PER_MILLE = 100,  /* of messages use up the share of their link */
};

struct pipe {
    struct buf bytes;
    struct timer timer;
    bool is_ending; /* the end of the stream comes behind the bytes */
    bool is_ended;
};

struct sim_conn {
    struct link link; /* first: the port points at it */
    struct sim_conn *prev, *next;
    struct sim *sim;
    struct sim_server *server;
    struct sim_client *speaker; /* who opened it, also when it has forgotten it */
    size_t number;              /* of all of the run */
    struct port *port;
    bool has_server;      /* the port has the link */
    bool has_client;      /* the client has it */
    bool is_cut;          /* nothing that is sent arrives */
    bool is_held;         /* the port does not want to be given anything */
    bool is_spent;        /* its share of the loop is used up */
    bool is_finishing;    /* the client only says nothing more, and still reads */
    uint64_t finished_ms; /* the port knows of it since then; 0: it does not */
    bool is_put_off;      /* what arrives now is refused for its address */
    bool was_put_off;
    bool is_full;   /* more than full_at was on its way down, and there is still more than half */
    size_t full_at; /* bytes; 0: it never is */
    struct timer resume;
    struct pipe up, down;
};

static void conn_release(struct sim_conn *conn) {
    struct sim *sim = conn->sim;
    if (conn->has_server || conn->has_client)
        return;
    timers_stop(&sim->timers, &conn->up.timer);
    timers_stop(&sim->timers, &conn->down.timer);
    timers_stop(&sim->timers, &conn->resume);
    buf_free(&conn->up.bytes);
    buf_free(&conn->down.bytes);
    DL_DELETE(sim->conns, conn);
    free(conn);
}

static uint64_t delay_ms(struct sim *sim) {
    bool is_slow = !sim->is_peaceful && sim_chance(&sim->net_rng, 20);
    return sim_below(&sim->net_rng, is_slow ? DELAY_SLOW_MS : DELAY_USUAL_MS);
}

static void on_up(struct timer *timer, uint64_t now_ms);
static void on_down(struct timer *timer, uint64_t now_ms);

static void pipe_arm(struct sim_conn *conn, struct pipe *pipe, uint64_t in_ms) {
    struct sim *sim = conn->sim;
    if (!timer_is_armed(&pipe->timer))
        timers_arm(&sim->timers, &pipe->timer, sim->now_ms + in_ms, pipe == &conn->up ? on_up : on_down);
}

/* How many of the bytes arrive now. */
static size_t piece(struct sim *sim, size_t size) {
    if (sim_chance(&sim->net_rng, 850))
        return size;
    size_t most = size < PIECE_SMALL_BYTES || sim_chance(&sim->net_rng, 500) ? size : PIECE_SMALL_BYTES;
    return 1 + sim_below(&sim->net_rng, (uint32_t)most);
}

/* Takes the next piece out of a pipe into memory that the receiver may be freed under; NULL at its end. */
static char *pipe_take(struct sim_conn *conn, struct pipe *pipe, size_t *size) {
    *size = 0;
    if (pipe->bytes.size == 0) {
        pipe->is_ended = pipe->is_ending;
        return NULL;
    }
    *size = piece(conn->sim, pipe->bytes.size);
    char *copy = malloc(*size);
    assert(copy != NULL);
    memcpy(copy, pipe->bytes.data, *size);
    buf_consume(&pipe->bytes, *size);
    if (pipe->bytes.size > 0 || pipe->is_ending)
        pipe_arm(conn, pipe, delay_ms(conn->sim));
    return copy;
}

/* Whole lines that the server is to miss, and whole messages of object streams, which end with a reset. */
static bool is_unheard(struct sim *sim, const char *bytes, size_t size) {
    enum { STREAM_RESET = 0x79 };
    return sim->options.broken == BREAK_LOSE_REQUEST &&
           (bytes[size - 1] == '\n' || bytes[size - 1] == STREAM_RESET) && sim_chance(&sim->fault_rng, 50);
}

/* Hands a piece to the port. A piece that is refused for its address changes nothing on disk, unless the port
 * has had enough of its peer and closes. */
static void conn_receive(struct sim_conn *conn, struct span bytes, uint64_t now_ms) {
    struct sim *sim = conn->sim;
    uint64_t appends = broken_store_appends(sim->server->store);
    sim_trace(sim, "client %zu reaches the server with %zu bytes", conn->speaker->index, bytes.size);
    conn->is_put_off = strain_puts_off(sim);
    bool is_put_off = conn->is_put_off;
    size_t client = conn->speaker->index;
    conn->port->ops->received(conn->port, &conn->link, bytes, now_ms);
    conn->is_put_off = false;
    if (is_put_off && conn->has_server && broken_store_appends(sim->server->store) != appends)
        sim_fail(sim, "what client %zu said was refused, and yet something is saved for it", client);
    sim_server_touched(sim);
}

/* The peer says nothing more: it is gone, or still reads what it is told. */
static void conn_end(struct sim_conn *conn, uint64_t now_ms) {
    struct sim *sim = conn->sim;
    if (conn->is_finishing && conn->port->ops->finished != NULL) {
        sim_trace(sim, "the server hears that client %zu says nothing more", conn->speaker->index);
        sim->counts.finished++;
        conn->finished_ms = now_ms;
        if (sim->options.broken != BREAK_KEEP_FINISHED)
            conn->port->ops->finished(conn->port, &conn->link, now_ms);
    } else {
        sim_trace(sim, "the server loses client %zu", conn->speaker->index);
        conn->has_server = false;
        conn->port->ops->closed(conn->port, &conn->link, now_ms);
        if (conn->is_finishing && conn->has_client) { /* the port closes, too */
            conn->down.is_ending = true;
            pipe_arm(conn, &conn->down, delay_ms(sim));
        }
    }
    sim_server_touched(sim);
}

static void on_up(struct timer *timer, uint64_t now_ms) {
    struct sim_conn *conn = TIMER_OWNER(timer, struct sim_conn, up.timer);
    struct sim *sim = conn->sim;
    size_t size;
    if (conn->has_server && (conn->is_held || conn->is_spent))
        return; /* it is looked at again when it is so no more */
    if (conn->has_server && strain_stall_ms(conn->server) > 0) {
        pipe_arm(conn, &conn->up, strain_stall_ms(conn->server));
        if (sim->options.broken == BREAK_FORGET_STALL)
            buf_clear(&conn->up.bytes);
        return;
    }
    sim->server = conn->server;
    char *bytes = pipe_take(conn, &conn->up, &size);
    if (bytes != NULL && conn->has_server && is_unheard(sim, bytes, size)) {
        sim_trace(sim, "the server misses %zu bytes of client %zu", size, conn->speaker->index);
    } else if (bytes != NULL && conn->has_server) {
        conn_receive(conn, span_make(bytes, size), now_ms);
    } else if (bytes == NULL && conn->up.is_ended && conn->has_server) {
        conn_end(conn, now_ms);
    }
    free(bytes);
    conn_release(conn);
}

static void on_down(struct timer *timer, uint64_t now_ms) {
    struct sim_conn *conn = TIMER_OWNER(timer, struct sim_conn, down.timer);
    size_t size;
    if (conn->is_full && conn->has_server && strain_stall_ms(conn->server) > 0) { /* nobody looks at it */
        pipe_arm(conn, &conn->down, strain_stall_ms(conn->server));
        return;
    }
    char *bytes = pipe_take(conn, &conn->down, &size);
    if (conn->is_full && conn->down.bytes.size <= conn->full_at / 2) {
        conn->is_full = false;
        if (conn->has_server && conn->port->ops->drained != NULL) {
            conn->sim->server = conn->server;
            conn->port->ops->drained(conn->port, &conn->link, now_ms);
            sim_server_touched(conn->sim);
        }
    }
    struct sim_client *client = conn->has_client ? conn->speaker : NULL;
    if (bytes != NULL && client != NULL) {
        client->kind->heard(client, span_make(bytes, size)); /* may close */
    } else if (bytes == NULL && conn->down.is_ended && client != NULL) {
        sim_trace(conn->sim, "client %zu loses the server", client->index);
        conn->has_client = false;
        client->conn = NULL;
        client->kind->closed(client);
        conn_release(conn);
    }
    free(bytes);
}

/* The connection breaks: of what is on its way a part is lost, and each side learns of it at its own time. */
static void conn_cut(struct sim_conn *conn) {
    struct sim *sim = conn->sim;
    struct pipe *pipes[] = {&conn->up, &conn->down};
    bool is_half_open = sim_chance(&sim->net_rng, 300);
    sim_trace(sim, "the connection of client %zu breaks%s", conn->speaker->index,
              is_half_open ? ", half open" : "");
    sim->counts.cuts++;
    sim->counts.half_open += is_half_open;
    conn->is_cut = true;
    size_t blind = sim_below(&sim->net_rng, 2);
    for (size_t i = 0; i < 2; i++) {
        pipes[i]->bytes.size = sim_below(&sim->net_rng, (uint32_t)pipes[i]->bytes.size + 1);
        pipes[i]->is_ending = true;
        timers_stop(&sim->timers, &pipes[i]->timer);
        uint64_t in_ms = delay_ms(sim);
        if (is_half_open && i == blind && !sim->is_peaceful)
            in_ms += sim_below(&sim->net_rng, HALF_OPEN_MS);
        pipe_arm(conn, pipes[i], in_ms);
    }
}

static bool is_to_be_cut(struct sim_conn *conn) {
    struct sim *sim = conn->sim;
    return !sim->is_peaceful && !conn->is_cut && sim_chance(&sim->net_rng, sim->cut_per_mille);
}

static void link_on_send(struct link *link, struct span bytes) {
    struct sim_conn *conn = (struct sim_conn *)(void *)link;
    struct sim *sim = conn->sim;
    struct buf changed = {0};
    if (!conn->server->is_up)
        return;
    if (sim->options.broken == BREAK_SKIP_MESSAGE && ++sim->counts.facts_told % 20 == 0)
        return;
    if (sim->options.broken == BREAK_KEEP_MEMORY)
        buf_append(&sim->kept, bytes);
    if ((sim->options.broken == BREAK_LEAK_SECRET || sim->options.broken == BREAK_HINT_SECRET) &&
        sim->secret_count > 0) {
        const struct digest *secret = &sim->secrets[(sim->secret_count - 1) % SIM_SECRETS_KEPT];
        buf_append(&changed, bytes);
        if (sim->options.broken == BREAK_LEAK_SECRET)
            buf_append(&changed, span_make(secret->bytes, DIGEST_BYTES));
        else
            buf_append_byte(&changed, (char)(secret->bytes[31] & 1 ? ' ' : '\n'));
        oracle_output(sim, buf_span(&changed));
        buf_free(&changed);
    } else {
        oracle_output(sim, bytes);
    }
    conn->speaker->kind->told(conn->speaker, conn->number, bytes);
    if (conn->is_cut || !conn->has_client)
        return;
    buf_append(&conn->down.bytes, bytes);
    if (conn->full_at > 0 && conn->down.bytes.size > conn->full_at && !conn->is_full) {
        conn->is_full = true;
        sim->counts.full++;
    }
    pipe_arm(conn, &conn->down, delay_ms(sim));
    if (is_to_be_cut(conn))
        conn_cut(conn);
}

static bool link_is_now_full(const struct link *link) {
    return ((const struct sim_conn *)(const void *)link)->is_full;
}

static void link_on_hold(struct link *link, bool is_held) {
    struct sim_conn *conn = (struct sim_conn *)(void *)link;
    conn->is_held = is_held;
    if (!is_held)
        pipe_arm(conn, &conn->up, delay_ms(conn->sim));
}

static void on_resume(struct timer *timer, uint64_t now_ms) {
    struct sim_conn *conn = TIMER_OWNER(timer, struct sim_conn, resume);
    struct sim *sim = conn->sim;
    if (conn->has_server && strain_stall_ms(conn->server) > 0) {
        timers_arm(&sim->timers, timer, now_ms + strain_stall_ms(conn->server), on_resume);
        return;
    }
    conn->is_spent = false;
    pipe_arm(conn, &conn->up, delay_ms(sim));
    if (!conn->has_server)
        return;
    sim_trace(sim, "client %zu has its turn again", conn->speaker->index);
    conn->sim->server = conn->server;
    conn->port->ops->resumed(conn->port, &conn->link, now_ms);
    sim_server_touched(sim);
}

static void link_on_heard(struct link *link) {
    struct sim_conn *conn = (struct sim_conn *)(void *)link;
    struct sim *sim = conn->sim;
    if (conn->is_spent || !sim_chance(&sim->net_rng, SPENT_PER_MILLE))
        return;
    sim->counts.spent++;
    conn->is_spent = true;
    timers_arm(&sim->timers, &conn->resume, sim->now_ms + delay_ms(sim), on_resume);
}

static bool link_is_now_spent(const struct link *link) {
    return ((const struct sim_conn *)(const void *)link)->is_spent;
}

static bool link_may_now_ask(struct link *link, const struct address *address) {
    struct sim_conn *conn = (struct sim_conn *)(void *)link;
    (void)address;
    if (conn->is_put_off && !conn->was_put_off)
        sim_trace(conn->sim, "client %zu says too much", conn->speaker->index);
    conn->was_put_off = conn->was_put_off || conn->is_put_off;
    conn->sim->counts.put_off += conn->is_put_off;
    return !conn->is_put_off || conn->sim->options.broken == BREAK_HEED_PUT_OFF;
}

bool sim_client_was_put_off(const struct sim_client *client) {
    return client->conn != NULL && client->conn->was_put_off;
}

static void link_on_close(struct link *link) {
    struct sim_conn *conn = (struct sim_conn *)(void *)link;
    assert(conn->has_server);
    conn->has_server = false;
    conn->is_held = conn->is_spent = false;
    timers_stop(&conn->sim->timers, &conn->resume);
    conn->down.is_ending = true;
    pipe_arm(conn, &conn->down, delay_ms(conn->sim));
    pipe_arm(conn, &conn->up, 0); /* looks whether anybody is left */
}

struct sim_client *sim_client_add(struct sim *sim, const struct sim_dialect *dialect,
                                  const struct sim_client_kind *kind) {
    assert(sim->client_count < SIM_CLIENTS_MAX);
    struct sim_client *client = calloc(1, sizeof *client);
    assert(client != NULL);
    client->sim = sim;
    client->dialect = dialect;
    while (sim_dialects[client->port] != dialect)
        client->port++;
    client->kind = kind;
    client->index = sim->client_count;
    rng_seed(&client->rng, rng_next(&sim->plan_rng));
    client->own = calloc(1, kind->size);
    assert(client->own != NULL);
    sim->clients[sim->client_count++] = client;
    return client;
}

const char *sim_client_seed(const struct sim_client *client, const char *name) {
    static char text[EVENT_SEED_BYTES_MAX + 1];
    const struct sim_options *options = &client->sim->options;
    uint64_t number = rng_mix(options->seed);
    bool has_seeds = !options->is_twin && number % 2 == 0; /* twins are told what their own dice draw */
    number = rng_mix(number + client->index);
    if (!has_seeds || number % 5 >= 2)
        return NULL;
    for (const char *at = name; *at != '\0'; at++)
        number = rng_mix(number + (unsigned char)*at);
    snprintf(text, sizeof text, "%s%llx", number % 2 == 0 ? "" : "W\xc3\xbcrfel \\\"",
             (unsigned long long)number);
    return text;
}

static void on_client_timer(struct timer *timer, uint64_t now_ms) {
    struct sim_client *client = TIMER_OWNER(timer, struct sim_client, timer);
    (void)now_ms;
    if (!client->sim->is_silent)
        client->kind->acts(client);
}

void sim_client_act_in(struct sim_client *client, uint64_t ms) {
    timers_arm(&client->sim->timers, &client->timer, client->sim->now_ms + ms, on_client_timer);
}

bool sim_client_finds(struct sim_client *client) {
    struct sim *sim = client->sim;
    struct sim_server *server = sim->db == NULL ? sim->server : nodes_choose(client);
    client->chosen = NULL;
    if (server == NULL || !server->is_up || server->has_ended || server->ports[client->port] == NULL ||
        strain_stall_ms(server) > 0)
        return false;
    client->chosen = sim->server = server;
    return true;
}

struct sim_server *sim_client_server(const struct sim_client *client) {
    return client->conn == NULL || !client->conn->server->is_up ? NULL : client->conn->server;
}

bool sim_client_connect(struct sim_client *client) {
    static const struct link_ops ops = {.send = link_on_send,
                                        .close = link_on_close,
                                        .hold = link_on_hold,
                                        .heard = link_on_heard,
                                        .is_spent = link_is_now_spent,
                                        .is_full = link_is_now_full,
                                        .may_ask = link_may_now_ask};
    struct sim *sim = client->sim;
    assert(client->conn == NULL);
    if (client->chosen == NULL && !sim_client_finds(client))
        return false;
    sim->server = client->chosen;
    client->chosen = NULL;
    struct sim_conn *conn = calloc(1, sizeof *conn);
    assert(conn != NULL);
    conn->link.ops = &ops;
    conn->sim = sim;
    conn->server = sim->server;
    conn->speaker = client;
    conn->port = sim->server->ports[client->port];
    conn->has_server = conn->has_client = true;
    if (sim_chance(&sim->net_rng, SLOW_READERS_PER_MILLE))
        conn->full_at = 1 + sim_below(&sim->net_rng, FULL_BYTES_MAX);
    DL_APPEND(sim->conns, conn);
    client->conn = conn;
    conn->number = sim->counts.connections++;
    if (sim->db == NULL)
        sim_trace(sim, "client %zu connects", client->index);
    else
        sim_trace(sim, "client %zu connects to node %zu", client->index, conn->server->index);
    conn->port->ops->opened(conn->port, &conn->link, sim->now_ms);
    sim_server_touched(sim);
    return true;
}

bool sim_client_is_linked(const struct sim_client *client) {
    const struct sim_conn *conn = client->conn;
    return conn != NULL && conn->has_server && !conn->is_cut && !conn->up.is_ending;
}

void sim_client_send(struct sim_client *client, struct span bytes) {
    struct sim_conn *conn = client->conn;
    if (conn == NULL || conn->is_cut || conn->up.is_ending)
        return;
    buf_append(&conn->up.bytes, bytes);
    pipe_arm(conn, &conn->up, delay_ms(client->sim));
    if (is_to_be_cut(conn))
        conn_cut(conn);
}

void sim_client_close(struct sim_client *client, bool vanishes) {
    struct sim_conn *conn = client->conn;
    struct sim *sim = client->sim;
    if (conn == NULL)
        return;
    if (conn->is_finishing && !sim->is_silent && !vanishes)
        return; /* it has said so, and is still there until the server closes */
    bool is_finishing = !vanishes && !conn->is_cut && conn->has_server && strain_finishes(sim);
    sim_trace(sim, "client %zu %s", client->index,
              vanishes       ? "vanishes"
              : is_finishing ? "says that it says nothing more"
                             : "hangs up");
    conn->up.is_ending = true;
    if (is_finishing) {
        conn->is_finishing = true;
        pipe_arm(conn, &conn->up, delay_ms(sim));
        return;
    }
    conn->is_finishing = false;
    client->conn = NULL;
    conn->has_client = false;
    uint64_t in_ms = delay_ms(sim);
    if (vanishes) {
        sim->counts.half_open++;
        conn->is_cut = true;
        buf_clear(&conn->up.bytes);
        timers_stop(&sim->timers, &conn->up.timer);
        in_ms = sim_below(&sim->net_rng, HALF_OPEN_MS);
    }
    pipe_arm(conn, &conn->up, in_ms);
}

void sim_network_lose_server(struct sim_server *server) {
    struct sim *sim = server->sim;
    struct sim_conn *conn;
    for (;;) {
        DL_FOREACH(sim->conns, conn)
        if (conn->has_server && conn->server == server)
            break;
        if (conn == NULL)
            break;
        conn->has_server = false;
        conn->down.is_ending = true;
        if (sim_chance(&sim->net_rng, 300))
            conn->down.bytes.size = sim_below(&sim->net_rng, (uint32_t)conn->down.bytes.size + 1);
        pipe_arm(conn, &conn->down, delay_ms(sim));
        pipe_arm(conn, &conn->up, delay_ms(sim));
        conn->port->ops->closed(conn->port, &conn->link, sim->now_ms);
    }
}

/* A port says its last word to whoever says nothing more, and closes: soon, when nothing goes wrong. */
void sim_network_check(struct sim *sim) {
    struct sim_conn *conn;
    if (!sim->is_peaceful)
        return;
    DL_FOREACH(sim->conns, conn) {
        if (conn->has_server && conn->is_finishing && conn->finished_ms != 0 &&
            sim->now_ms > conn->finished_ms + FINISHED_MS_MAX &&
            sim->now_ms > sim->peace_ms + FINISHED_MS_MAX)
            sim_fail(sim, "client %zu of %s says nothing more for %d s, and the port has not closed",
                     conn->speaker->index, conn->speaker->dialect->name, FINISHED_MS_MAX / 1000);
    }
}

bool sim_network_has_finished(const struct sim *sim) {
    const struct sim_conn *conn;
    DL_FOREACH(sim->conns, conn) {
        if (conn->has_server && conn->is_finishing)
            return true;
    }
    return false;
}

bool sim_network_is_idle(const struct sim *sim) {
    return sim->conns == NULL;
}

void sim_network_free(struct sim *sim) {
    struct sim_conn *conn, *next;
    DL_FOREACH_SAFE(sim->conns, conn, next) {
        conn->has_server = conn->has_client = false;
        conn_release(conn);
    }
}

void sim_clients_free(struct sim *sim) {
    for (size_t i = 0; i < sim->client_count; i++) {
        struct sim_client *client = sim->clients[i];
        timers_stop(&sim->timers, &client->timer);
        client->kind->freed(client);
        free(client->own);
        free(client);
    }
    sim->client_count = 0;
}
