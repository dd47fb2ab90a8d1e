/* TCP connections of one event loop: each is a socket, the link that its protocol sees, and the output that
 * the kernel has not taken yet; where the place says so, TLS lies between the two. Separate from the server,
 * which knows listeners, signals and when to end.
 *
 * The life of a connection:
 *
 *     greeting -- the header of a proxy, a handshake -----------> open
 *     greeting -- neither, or not in time ----------------------------------------------> gone
 *     open ------ link_close, or the peer ended its stream (*) -> flushing --> lingering --> gone
 *     open ------ output refused by the kernel, slow peer ------> lost ------------------> gone
 *     open ------ reset ---------------------------------------------------------------> gone
 *
 * (*) unless the port wants to go on speaking to it. Flushing sends what is unsent. Lingering has sent the
 * end of the stream and throws away what the peer still says, up to a bound, because closing a socket with
 * unread input makes the kernel reset the connection and the peer lose what it was told last. Lost means that
 * the protocol is still to be told: it is in the middle of a send, and hears of the loss from conns_settle.
 * Handshakes cost most of what a stranger can ask for: each step of one waits in line, and a turn of the loop
 * has a bounded time for all of them. An open connection that has used up its share of the loop (share.h)
 * rests: it is not read, and its port lets what was read wait. So does one whose address has had much of the
 * loop lately (account.h), before it is read: what reading it costs, closing it when it has ended, and going
 * on with its output, is part of its turn. */
#ifndef SERVER_CONN_H
#define SERVER_CONN_H

#include "base/err.h"
#include "base/timers.h"
#include "server/account.h"
#include "server/appetite.h"
#include "server/bans.h"
#include "server/refused_log.h"
#include "wire/port.h"

#include <uv.h>

enum {
    CONN_READ_BYTES = 16 * 1024,          /* one buffer for all connections of a loop */
    CONN_UNSENT_PAUSE_BYTES = 256 * 1024, /* above it nothing is read from the peer until half is sent */
    CONN_UNSENT_MAX_BYTES = 1024 * 1024,  /* above it the peer is too slow and is dropped */
    CONN_LINGER_MS = 1000,
    CONN_DISCARD_MAX_BYTES = 4 * 1024 * 1024, /* of what a peer still says when it is being closed */
    CONN_KEEPALIVE_S = 60,
    CONN_ROOM_BYTES = 4 * 1024 * 1024, /* of memory that is left before anything is read or queued */
    CONN_GREEDY_BYTES_MIN = 4 * 1024,  /* that a connection has before it is dropped to make room */
    CONN_ROOM_PART = 16,               /* and such a part of all memory more when any are */
    CONN_SHORT_LOG_MS = 1000,          /* between two lines of the log about it */
    CONN_TURNED_MAX = 256, /* that are still told why they were turned away; more are just closed */
    CONN_GREETERS_FEW = 4, /* handshakes of one address; with more it waits for those with fewer */
    CONN_SHAKE_US = 250,   /* in a turn, of all handshakes together; one is always gone on with */
    CONN_SEALED_KEPT_BYTES = 256 * 1024, /* of the buffer that output of TLS is written to */
};

struct conn;
struct tls_keys;

/* Where connections come in, and what they lead to. */
struct conn_place {
    const char *name; /* for the log */
    struct port *port;
    struct tls_keys *tls; /* NULL: the bytes are those of the protocol */
    bool is_http;
    bool wants_header; /* of those proxies that the server knows (proxy_header.h) */
};

/* What time it is, for connections and ports. */
struct conns_clock {
    void *context;
    uint64_t (*now_ms)(void *context);
    uint64_t (*now_us)(void); /* for how long something takes */
};

struct conns {
    uv_loop_t *loop;
    struct conns_clock clock;
    uint32_t flush_ms;        /* how long a closing connection may take to send what is unsent */
    uint32_t greeting_ms;     /* from the first moment until a connection is open */
    uint32_t address_max;     /* connections of one address; 0: any number */
    bool is_loopback_free;    /* addresses of this machine have no limit */
    struct addresses proxies; /* have none either */
    struct tally addresses;   /* connections by where they come from */
    struct bans bans;         /* who is not let in at all */
    uint64_t number;          /* of the last connection */
    struct appetite appetite; /* of where they come from */
    size_t turned_count;      /* connections that were turned away and still are closing */
    struct conn *all;
    size_t count; /* of all, those included that are still closing */
    struct conn *lost;
    struct timers deadlines;    /* of greeting, flushing and lingering connections */
    struct accounts accounts;   /* of the loop's time, and who rests */
    struct conn *greeting[2];   /* in line for a step of their handshake: of addresses with few of them, and
                                   of others */
    struct tally greeters;      /* in a handshake, by where they come from */
    struct buf plain, sealed;   /* what came and what goes through TLS, while it does */
    struct refused_log refused; /* peers, before they were known */
    uv_idle_t next_turn;        /* runs while any rests, so that the loop does not wait */
    uint64_t turn;              /* of the loop, from 1 */
    size_t leaving_bytes;       /* of connections that are lost, and still have their memory */
    uint64_t short_turn;        /* in which no more memory could be made free */
    uint64_t short_logged_ms;
    uint64_t dropped_count; /* connections that were dropped because memory was short */
    uint64_t read_us;       /* when reading the connection began that is being read */
    char input[CONN_READ_BYTES];
};

void conns_init(struct conns *, uv_loop_t *, const struct conns_clock *, uint32_t flush_ms);

/* Lets go of the loop, once there are no connections any more. */
void conns_end(struct conns *);

/* Only when count is 0, and the loop is closed. */
void conns_free(struct conns *);

/* Takes the next peer off a listener and opens a link to it on the port of the place, which is borrowed for
 * the life of the connection. ERR_IO when the system refuses. A peer whose address has too many connections
 * is turned away in the words of the port. */
enum err conn_accept(struct conns *, uv_stream_t *listener, const struct conn_place *) MUST_CHECK;

/* Takes the next peer off a listener and closes the connection at once, without telling any port. */
void conn_refuse(struct conns *, uv_stream_t *listener);

/* Tells the ports which links are lost, and begins the next turn. To be called once a loop turn before it
 * waits. */
void conns_settle(struct conns *);

/* Whether there is memory for what the next message may need. When there is not, those connections go at once
 * that have most of it unsent, unheard or unanswered, of the address that has most; false when that was not
 * enough. */
bool conns_make_room(struct conns *);

/* Closes all that no port knows of yet. */
void conns_end_greetings(struct conns *);

/* One connection, for the operator. */
struct conn_about {
    uint64_t number;         /* no other had it before */
    const struct port *port; /* borrowed */
    struct address origin;
    uint64_t since_ms; /* by the clock of the connections */
    size_t unsent_bytes;
};
struct conn_about conn_about(const struct conn *);
/* The first that is open, or the one after another; NULL: there are no more. */
struct conn *conns_next(const struct conns *, const struct conn *after);
/* Closes it without a word; its port is told when the turn ends. */
void conn_cut(struct conn *);

/* The next deadline of a connection that opens or closes, and closing those hard that are late. */
uint64_t conns_next_ms(const struct conns *);
void conns_advance(struct conns *, uint64_t now_ms);

/* Closes all connections hard; ports are told of links that they have not closed themselves. */
void conns_abort(struct conns *);

#endif
