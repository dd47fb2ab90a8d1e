/* Where a protocol meets the network, without knowing what the network is: the server gives it sockets, the
 * tests give it pieces of memory and a clock of their own.
 *
 * A port serves one protocol; a link is one connection to it as the protocol sees it. */
#ifndef WIRE_PORT_H
#define WIRE_PORT_H

#include "base/address.h"
#include "base/buf.h"

struct link;

struct link_ops {
    /* Sends bytes, all of them or the link is lost; never blocks. One call is one write. */
    void (*send)(struct link *, struct span bytes);
    /* Sends what is still on its way, then closes. closed is not called; the link must not be used any more.
     */
    void (*close)(struct link *);
    /* Stops reading from the peer, and goes on. What was read before may still be received. NULL: cannot. */
    void (*hold)(struct link *, bool is_held);
    /* So much is unsent that nothing more should be sent before drained is called. NULL: never. */
    bool (*is_full)(const struct link *);
    /* A message of the peer has been dealt with, and counts against its share of this turn of the loop. NULL:
     * nobody counts. */
    void (*heard)(struct link *);
    /* The share is used up: whatever else the peer has said waits until resumed is called, so that others are
     * heard. What is to be sent is sent as ever. NULL: never. */
    bool (*is_spent)(const struct link *);
    /* An address asks for one thing more through the link: counts it, and says whether it may have it now.
     * NULL: everybody may have everything. */
    bool (*may_ask)(struct link *, const struct address *);
};

struct link {
    const struct link_ops *ops;
    void *session;          /* the protocol's own, set by opened */
    struct address address; /* where the peer comes from; nobody's when it is not to be limited */
    struct address origin;  /* the same, limited or not; nobody's when it is not known */
    uint32_t uid,
        pid;        /* the user and process at the other end of a socket of this machine; pid 0: of no such */
    bool is_secure; /* its bytes come over TLS that ends here */
    size_t kept_bytes; /* of what it has said, and of answers that wait, the protocol keeps: the port
                        * sets it, so that the greediest are known when memory is short */
};

static inline void link_send(struct link *link, struct span bytes) {
    link->ops->send(link, bytes);
}

static inline void link_close(struct link *link) {
    link->ops->close(link);
}

static inline void link_hold(struct link *link, bool is_held) {
    if (link->ops->hold != NULL)
        link->ops->hold(link, is_held);
}

static inline bool link_is_full(const struct link *link) {
    return link->ops->is_full != NULL && link->ops->is_full(link);
}

static inline void link_heard(struct link *link) {
    if (link->ops->heard != NULL)
        link->ops->heard(link);
}

static inline bool link_is_spent(const struct link *link) {
    return link->ops->is_spent != NULL && link->ops->is_spent(link);
}

/* Before a message is dealt with. The address is that of the link, but for those for whom a proxy speaks. */
static inline bool link_may_ask(struct link *link, const struct address *address) {
    return link->ops->may_ask == NULL || link->ops->may_ask(link, address);
}

/* The next message of the peer is not to be looked at now, for one of the two reasons. */
static inline bool link_must_wait(const struct link *link) {
    return link_is_full(link) || link_is_spent(link);
}

struct port;

struct port_ops {
    /* A peer has connected. */
    void (*opened)(struct port *, struct link *, uint64_t now_ms);
    /* What a peer is told that is not taken because its address has too many connections; appended to out.
     * The link to it is never opened. NULL: nothing. */
    void (*refuse)(struct port *, struct buf *out);
    /* Bytes of a peer, in any split. May close the link. */
    void (*received)(struct port *, struct link *, struct span bytes, uint64_t now_ms);
    /* The peer is gone; the link must not be used any more. */
    void (*closed)(struct port *, struct link *, uint64_t now_ms);
    /* The peer will say nothing more, but still reads; the port closes the link when it has said its own last
     * word, and closed is called if the peer goes before. NULL: as if the peer were gone. */
    void (*finished)(struct port *, struct link *, uint64_t now_ms);
    /* A link that was full is so no more. NULL: nobody waits for that. */
    void (*drained)(struct port *, struct link *, uint64_t now_ms);
    /* A link that was spent has a new share, and is not full: what waits is gone on with. NULL: nothing
     * ever waits. */
    void (*resumed)(struct port *, struct link *, uint64_t now_ms);
    /* When something is due next (TIMERS_NEVER: nothing), and doing what is due. */
    uint64_t (*next_ms)(const struct port *);
    void (*advance)(struct port *, uint64_t now_ms);
    /* Says goodbye to all peers and closes their links. */
    void (*shutdown)(struct port *);
    void (*free)(struct port *);
};

/* What has passed through a port so far; raised by whoever gives it its links. */
struct port_figures {
    uint64_t links;    /* open now, or still closing */
    uint64_t accepted; /* all that were ever opened */
    uint64_t messages; /* that were dealt with */
    uint64_t received_bytes, sent_bytes;
};

struct port {
    const struct port_ops *ops;
    struct port_figures figures;
    bool is_operator; /* of whoever runs the server: limits that are for players do not hold here */
    /* Set by the server: called when the protocol has nothing more to do and the program may end. */
    void (*ended)(void *context);
    void *ended_context;
};

#endif
