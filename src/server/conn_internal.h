/* A connection from within: what conn.c (its life) and conn_memory.c (what goes when memory is short) share.
 */
#ifndef SERVER_CONN_INTERNAL_H
#define SERVER_CONN_INTERNAL_H

#include "base/buf.h"
#include "server/conn.h"
#include "server/share.h"

enum conn_state { CONN_GREETING, CONN_OPEN, CONN_LOST, CONN_FLUSHING, CONN_LINGERING, CONN_GONE };

/* Output that the kernel did not take at once. Exists only while there is any, so that an idle connection
 * costs nothing for it. */
struct backlog {
    uv_write_t request;
    struct buf writing; /* given to libuv, must not move */
    struct buf waiting;
};

/* What a connection has before it is open: the header of a proxy or a handshake is still to come. */
struct greeting {
    struct buf input;   /* that was not looked at */
    size_t heard_bytes; /* for the handshake */
    bool wants_header;
    bool is_counted;            /* for its address */
    bool is_queued, is_crowded; /* in line for its next step; in which of the two */
};

struct conn {
    struct link link; /* first: a link is its connection */
    uv_tcp_t tcp;
    struct conns *conns;
    struct port *port;
    const struct conn_place *place;
    struct greeting *greeting; /* NULL: it is over */
    struct tls *tls;           /* NULL: its bytes are those of the protocol */
    struct conn *prev, *next;
    struct conn *lost_next;
    struct backlog *backlog;
    struct timer deadline;
    uint8_t state;        /* enum conn_state */
    bool is_turned;       /* away */
    bool has_ended;       /* the peer has ended its stream: there is nothing to linger for */
    bool is_paused;       /* not read because too much is unsent */
    bool is_held;         /* not read because the protocol does not want to */
    bool is_unread;       /* rests with something in its socket, which is read when it is resumed */
    bool is_unwritten;    /* rests, and more of its output is given to the kernel when it is resumed */
    bool is_drained;      /* rests, and its port is told that it is not full any more when it is resumed */
    struct holder holder; /* when it rests it is not read because others are to be served */
    struct share share;
    uint64_t number, since_ms;
    uint64_t passed_bytes;              /* from and to the peer since it asked last */
    size_t leaving_bytes;               /* see struct conns */
    size_t discarded_bytes;             /* that came after the end */
    struct conn *line_prev, *line_next; /* of those in line for a handshake */
};

/* The connection is of no use any more, and the port that still counts on it may be in the middle of
 * something. */
void conn_lose(struct conn *);

#endif
