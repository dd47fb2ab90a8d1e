/* HTTP/1.1 for whatever is served over it: bytes to requests, answers to bytes, in the order of the requests.
 * Behind this interface sits a parser library that can be exchanged; nothing else knows it.
 *
 * A request is handed out whole, body included. It is answered through its exchange, at once or later:
 * answers to pipelined requests are kept until those before them have left. */
#ifndef WIRE_HTTP_HTTP_H
#define WIRE_HTTP_HTTP_H

#include "base/buf.h"
#include "base/err.h"
#include "base/histogram.h"
#include "wire/http/refusals.h"
#include "wire/port.h"

enum {
    HTTP_HEADER_BYTES_MAX = 8 * 1024,
    HTTP_BODY_BYTES_MAX = 64 * 1024,
    /* Requests of one connection that wait for their answer; reading pauses beyond, and behind every request
     * that is neither GET nor HEAD until it is answered. */
    HTTP_PIPELINE_MAX = 64,
    HTTP_KEPT_BYTES_MAX = 256 * 1024, /* and so much of answers that wait for those before them */
};

enum http_method {
    HTTP_METHOD_GET,
    HTTP_METHOD_HEAD,
    HTTP_METHOD_POST,
    HTTP_METHOD_PUT,
    HTTP_METHOD_DELETE,
    HTTP_METHOD_OPTIONS,
    HTTP_METHOD_OTHER
};

/* Borrowed for the length of the call. */
struct http_request {
    enum http_method method;
    struct span path;  /* as sent, percent escapes and all, without the query */
    struct span query; /* after the '?', or empty */
    struct span body;
    struct span content_type;
    struct span authorization;
    struct span host;            /* the name by which the server was asked, with its port; or empty */
    struct span origin;          /* of the page that asks, or empty */
    struct span idempotency_key; /* the client's name for a request that it may repeat, or empty */
    bool wants_websocket; /* the client would rather speak WebSocket; http_upgrade grants it. Wishes for
                             anything else are ignored, as HTTP allows: the request counts */
    struct span websocket_key, websocket_version; /* what it says about that, or empty */
    struct span if_none_match;                    /* the tags of what the client has already, or empty */
    bool accepts_gzip;
    bool accepts_html;      /* a person looks at it */
    bool is_secure;         /* it came over TLS, to the server or to a proxy that is believed */
    struct address address; /* where the client is; nobody's when it is not to be limited */
    struct address client;  /* the same, limited or not */
    uint32_t uid, pid;      /* who asks, as in struct link */
};

/* One request that waits for its answer. Lives until it is answered; when its connection is gone the answer
 * goes nowhere. */
struct http_exchange;

/* More lines for the head of the answer, each with its CRLF; borrowed until the exchange is answered. */
void http_exchange_set_headers(struct http_exchange *, struct span lines);

/* Answers. The body is copied. Content-Length, Date, Connection and Content-Encoding are added; HEAD gets no
 * body. No route is asked anything before the function returns. */
void http_answer(struct http_exchange *, int status, const char *content_type, struct span body);

/* The same with a sentence as text/plain. */
void http_answer_refusal(struct http_exchange *, struct http_refusal);

/* Answers with a body that was compressed by the caller before (gzip). */
void http_answer_gzip(struct http_exchange *, int status, const char *content_type, struct span compressed);

/* The same, but not before this time of the loop's clock. */
void http_answer_at(struct http_exchange *, uint64_t due_ms, int status, const char *content_type,
                    struct span body);
void http_answer_gzip_at(struct http_exchange *, uint64_t due_ms, int status, const char *content_type,
                         struct span compressed);

/* Appends the gzip form of a body. To be done once for a body that is asked for often. */
void http_gzip(struct buf *out, struct span body);

/* Keeps a request that is being taken and that nobody has answered, so that it can be taken again: all routes
 * are asked anew by http_retake, which may come to another wait. gone is called instead when the connection
 * has ended, because then nobody wants the answer; neither is when the port is freed. */
struct http_wait;
struct http_wait *http_wait(struct http_exchange *, const struct http_request *, void (*gone)(void *context),
                            void *context);
void http_retake(struct http_wait *);
/* It is answered instead: gives the exchange back. */
struct http_exchange *http_wait_end(struct http_wait *);

/* A connection that has left HTTP: bytes both ways. */
struct http_tunnel;

struct http_tunnel_ops {
    /* Bytes of the peer, in any split. Returns how many were taken: all, or less when the tunnel must
     * wait (http_tunnel_must_wait); the rest comes again when it need no more. */
    size_t (*received)(void *context, struct span bytes, uint64_t now_ms);
    /* The peer is gone; the tunnel must not be used any more. */
    void (*closed)(void *context, uint64_t now_ms);
    /* A tunnel that was full is so no more. */
    void (*drained)(void *context, uint64_t now_ms);
    /* The server ends: the last chance to say something. closed is not called, and the tunnel must not be
     * used after it. */
    void (*shutdown)(void *context);
};

/* Answers 101 with these lines besides the usual ones, each with its CRLF, and gives the tunnel; everything
 * that the peer has sent behind the request goes through it. Only for a request that wants it and while it is
 * being taken. NULL, and nothing is answered, when requests before it still wait for their answers. */
struct http_tunnel *http_upgrade(struct http_exchange *, struct span lines, const struct http_tunnel_ops *,
                                 void *context) MUST_CHECK;

void http_tunnel_send(struct http_tunnel *, struct span bytes);
/* So much is unsent that nothing more should be sent before drained is called. */
bool http_tunnel_is_full(const struct http_tunnel *);
/* A message of the peer has been dealt with: see link_heard. */
void http_tunnel_heard(struct http_tunnel *);
/* Before a message is dealt with: see link_may_ask. */
bool http_tunnel_may_ask(struct http_tunnel *, const struct address *);
/* So much memory goes into what came through it and is no whole message yet. */
void http_tunnel_keeps(struct http_tunnel *, size_t bytes);
/* The next one is not to be looked at now: the tunnel is full, or the peer has used up its share. */
bool http_tunnel_must_wait(const struct http_tunnel *);
/* Whoever took less than there was takes more now: received is called again, a little later. */
void http_tunnel_resume(struct http_tunnel *);
/* Sends what is on its way, then closes, a little later. The tunnel must not be used any more; closed is not
 * called. */
void http_tunnel_close(struct http_tunnel *);

/* A part of the tree of paths. */
struct http_route {
    void *context;
    const char
        *origin; /* whose pages are invited, "*" for all; NULL: nobody's but the server's own. Borrowed */
    /* True when the path is its own; it answers the exchange then, now or later. False: somebody else may
     * want it. */
    bool (*take)(void *context, const struct http_request *, struct http_exchange *, uint64_t now_ms);
    /* True when the request has to wait before anybody takes it: resume is called once with the ticket when
     * that is over, unless the port is freed before; with ERR_OK, or why it waited in vain. NULL: it never
     * has to. */
    bool (*waits)(void *context, const struct http_request *, void (*resume)(void *ticket, enum err),
                  void *ticket);
    /* Answers what has waited in vain. Where waits is. */
    void (*waited)(void *context, const struct http_request *, struct http_exchange *, enum err);
    /* Answers a path that nobody wants, in this route's own words. False: others may speak, and at last a
     * plain 404 does. NULL: it never does. */
    bool (*unknown)(void *context, const struct http_request *, struct http_exchange *);
    /* Answers in its own words what the port does not let in although the path is its own: too many requests
     * of an address. False: the problem below is the answer. NULL: always that. */
    bool (*refuse)(void *context, const struct http_request *, struct http_exchange *, enum err why);
    /* The body, as application/problem+json, of what the port itself refuses: clients whose address has too
     * many connections or requests, and what the guard does not let in. NULL: nothing to say; the first route
     * that has one speaks. */
    void (*problem)(struct buf *out, enum err why);
    /* Time and the end, each NULL when there is nothing to do. When it is freed, exchanges that are still
     * open go without an answer. */
    uint64_t (*next_ms)(void *context);
    void (*advance)(void *context, uint64_t now_ms);
    /* The server ends: nothing more is to be begun. */
    void (*shutdown)(void *context);
    void (*free)(void *context);
};

enum { HTTP_ROUTES_MAX = 8 };

/* Who may ask; see guard.h. Borrowed. */
struct http_guard {
    const char *place;     /* the name or address that it listens on; NULL: everybody may ask by any name */
    const char *tls_place; /* the same, where it listens over TLS; NULL: nowhere */
    const char *hosts;     /* other names of the server, with commas between them; NULL: none */
};

/* What was answered so far, by the first digit of the status; and how long it took from the whole request on.
 */
struct http_figures {
    uint64_t answers[6];
    struct histogram took;
};

enum http_proxy_header { HTTP_X_FORWARDED_FOR, HTTP_FORWARDED };

struct http_port_config {
    /* Whether nobody from there is answered. NULL: everybody is. */
    bool (*is_banned)(void *context, const struct address *);
    void *ban_context;
    struct http_figures *figures; /* raised with every answer; borrowed. NULL: nobody counts */
    uint64_t (*now_us)(void);     /* for that */
    struct http_guard guard;
    uint32_t header_timeout_ms; /* from the first byte of a request to its last */
    uint32_t idle_timeout_ms;   /* between requests, and for a peer that does not read its answers */
    int64_t (*wall_ms)(void);   /* milliseconds since 1970, for the Date header */
    const char *proxy_text;     /* the addresses of proxies that are believed, see proxies; NULL: none are */
    struct addresses proxies;   /* whose header says where their clients are, by the last one in it */
    int proxy_header;           /* enum http_proxy_header: in which they say so */
};

struct http_port_config http_port_config_default(void);

/* The port of the --http and --https listeners. Routes are asked in order, and are freed with it. */
struct port *http_port_create(const struct http_port_config *, const struct http_route *routes,
                              size_t route_count);

#endif
