/* What the two halves of HTTP share: port.c takes requests in, exchange.c lets answers out. Nobody
 * else includes it. */
#ifndef WIRE_HTTP_INTERNAL_H
#define WIRE_HTTP_INTERNAL_H

#include "base/timers.h"
#include "wire/http/chunks.h"
#include "wire/http/http.h"

enum {
    HTTP_SEND_BYTES = 64 * 1024,      /* answers are gathered up to this before they are sent */
    HTTP_HELD_BYTES_MAX = 256 * 1024, /* input that waits for answers to earlier requests */
    HTTP_SPARE_COUNT_MAX = 256,       /* exchanges that are kept for the next requests */
    HTTP_SPARE_BYTES_MAX = 64 * 1024, /* the largest answer whose memory is kept with them */
    HTTP_DATE_BYTES = 37,             /* "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" */
};

/* What a session waits for. */
enum http_watch { HTTP_WATCH_NOTHING, HTTP_WATCH_REQUEST, HTTP_WATCH_IDLE, HTTP_WATCH_STALL };

/* Where the bytes of a session go once it has left HTTP. */
struct http_tunnel {
    const struct http_tunnel_ops *ops; /* NULL: it speaks HTTP, or the other side has closed the tunnel */
    void *context;
};

/* A connection. Requests wait in the order in which they came; what can be sent is gathered in the port's
 * output while the session is the port's writer. */
struct http_session {
    struct http_port *port;
    struct link *link;
    struct http_session *prev, *next; /* of all */
    struct http_session *dirty_next;
    struct http_exchange *first, *last;
    uint32_t exchange_count;
    size_t kept_bytes;   /* of answers that cannot leave yet */
    bool is_dirty;       /* in the port's list of those that have something to do */
    bool is_in_body;     /* head is whole, the body is not */
    bool is_chunked;     /* the body that is being read */
    bool wants_continue; /* 100 is to be sent as soon as everything before is */
    bool is_deaf;        /* takes no more requests */
    bool is_finished;    /* the peer sends no more, and may only wait for answers */
    bool is_blocked;     /* the link is full */
    bool is_held;        /* the link does not read */
    bool must_close;     /* the last answer is in the output */
    bool is_tunnel;      /* it has left HTTP */
    struct http_tunnel tunnel;
    size_t tunnel_bytes;  /* that its other end keeps of what came through it */
    uint8_t watch;        /* enum http_watch */
    uint64_t deadline_ms; /* of what it waits for */
    struct timer timer;   /* armed for the deadline or earlier */
    struct buf head;      /* of a request that is not whole; no memory while there is none */
    size_t head_looked;
    struct buf body;
    size_t body_left;
    struct http_chunks chunks;
    struct buf held; /* input that is not looked at yet */
};

struct http_exchange {
    struct http_port *port;
    struct http_session *session; /* NULL once the connection is gone */
    struct http_exchange *next;   /* of its session, or of the spare ones */
    struct http_exchange *all_prev, *all_next;
    struct timer timer; /* when the answer is due */
    uint64_t begun_us;  /* when the request was whole; where answers are counted */
    struct buf answer;
    struct http_wait *wait; /* to be taken again; NULL: it is not */
    struct span headers;    /* more lines for the head of the answer */
    bool is_answered;       /* nobody but the port knows it any more */
    bool is_ready;          /* may leave */
    bool is_change;         /* its request changes something */
    bool is_head;
    bool is_1_0;
    bool closes; /* the connection ends with it */
};

/* A request that waits until it can be taken, with everything that it says. */
struct http_wait {
    struct http_port *port;
    struct http_exchange *exchange;
    const struct http_route *route; /* for which it waits; NULL: it was taken before */
    void (*gone)(void *context);    /* of one that was */
    void *context;
    struct http_request request;
    struct buf texts;
    struct http_wait *prev, *next;
};

struct http_port {
    struct port port;
    struct http_port_config config;
    struct http_route route[HTTP_ROUTES_MAX];
    size_t route_count;
    struct http_session *sessions;
    struct http_session *dirty;
    struct http_session *writer; /* whose output out is; NULL: nobody's, and it is empty */
    struct buf out;
    struct http_wait *waits;
    struct http_exchange *exchanges; /* all that are in use */
    struct http_exchange *spare;
    size_t spare_count;
    struct timers timers;
    uint64_t now_ms;
    bool is_settling; /* whoever becomes dirty now is served before this turn ends */
    uint64_t date_turn_ms;
    int64_t date_s;
    char date[HTTP_DATE_BYTES + 1];
};

/* The exchange for the next request of a session. */
struct http_exchange *http_exchange_create(struct http_session *, bool is_head, bool is_1_0, bool closes);

/* The same for the last words to a peer that cannot be understood or waited for. */
void http_exchange_refuse(struct http_session *, struct http_refusal);

/* Moves the answers that may leave to the port's output, in order, as far as the link takes them, and sends
 * it. */
void http_session_flush(struct http_session *);

/* Sends the port's output. */
void http_session_send(struct http_session *);

/* The connection is gone: what is not answered yet goes on without it. */
void http_session_orphan(struct http_session *);

/* An answer may leave. */
void http_session_ready(struct http_session *);

/* Nobody wants the answer of an exchange that is to be taken again. */
void http_wait_abandon(struct http_wait *);

/* Frees all exchanges, with the routes already gone. */
void http_exchanges_free(struct http_port *);

#endif
