/* A port of peers, for any framing and dialect: pings, peers that fall silent, peers that must wait, pauses,
 * the inspector, and one write per peer and event. How bytes become messages is the framing's, what they mean
 * is the dialect's.
 *
 * The dialect is told of peers and messages. What it has to say is collected per peer and leaves when the
 * call into the dialect returns. Whoever speaks at another time (a table has settled) calls peers_flush at
 * the end.
 *
 * A peer that has closed its sending side may still be owed the answer to what it said last. It is gone when
 * that is out, or cannot be given within PEER_FINISH_MS; one that is owed nothing is gone at once. */
#ifndef WIRE_PEERS_H
#define WIRE_PEERS_H

#include "host/inspector.h"
#include "wire/port.h"

struct peer; /* one connection */

enum {
    PEER_FINISH_MS = 30 * 1000,
    PEER_ASK_MS = 3000,                 /* for the answer to peer_ask */
    PEER_QUEUE_BYTES_MAX = 1024 * 1024, /* that wait for their pauses; a peer that is owed more is gone */
};

/* Bytes to messages. One constant struct beside its code. */
struct peer_framing {
    size_t frame_bytes; /* of what it keeps for every peer, zeroed at first */
    /* Takes the next message off the front of the input and has it heard, by peer_received or peer_malformed;
     * false: the input is used up and more is needed. */
    bool (*take)(struct peer *, void *frame, struct span *input, uint64_t now_ms);
    void (*release)(void *frame);
    /* The memory that a message which has not arrived whole takes. */
    size_t (*kept_bytes)(const void *frame);
    /* What a ping is, and what comes behind every message. */
    void (*ping)(struct buf *out);
    struct span end;
    /* What is said first of all, with the first ping in it. NULL: nothing, the first ping has its own time.
     */
    void (*greet)(struct buf *out);
    /* For the inspector: a message that was received, one that is sent. NULL: as its bytes are. */
    void (*show_received)(const void *message, struct buf *out);
    void (*show_sent)(struct span bytes, struct buf *out);
};

struct peer_dialect {
    void *context;
    /* A peer has connected; peer_session is its own to set. */
    void (*opened)(void *context, struct peer *, uint64_t now_ms);
    /* Appends what is said, without the end of the message, to somebody who is not taken for that reason.
     * NULL: nothing is said. */
    void (*refuse)(struct buf *out, enum err why);
    /* Whether the peer may be heard now. While it may not, what it sends waits, unread beyond a bound: for a
     * request at its table that is being saved. Call peer_resume when it may be again, also when nothing of
     * it waits. NULL: always. */
    bool (*may_hear)(void *context, const struct peer *);
    /* A message as the framing has it; borrowed. */
    void (*received)(void *context, struct peer *, const void *message, uint64_t now_ms);
    /* What cannot be read: why, and more about it. The stream goes on as if nothing had been, unless the
     * dialect closes the peer. */
    void (*malformed)(void *context, struct peer *, enum err why, const char *complaint, uint64_t now_ms);
    /* The table and seat (SEAT_WATCHER: none yet) that a peer is at; false: none. For the inspector. */
    bool (*place)(void *context, const struct peer *, uint64_t *table, unsigned *seat);
    /* The peer has just been pinged. NULL: nothing to do. */
    void (*pinged)(void *context, struct peer *, uint64_t now_ms);
    /* The peer is gone: its connection is closed, or it has been silent for too long. Not called after
     * peer_close. The peer must not be used any more. */
    void (*closed)(void *context, struct peer *, uint64_t now_ms);
    /* When something is due next, and doing what is due. NULL: nothing ever is. */
    uint64_t (*next_ms)(void *context);
    void (*advance)(void *context, uint64_t now_ms);
    /* Says goodbye to all peers; they are closed after it. NULL: nothing to say. */
    void (*shutdown)(void *context);
    void (*free)(void *context);
};

struct peers_config {
    const struct peer_framing *framing;
    uint32_t ping_first_ms; /* from the connection to the first ping that is not in the greeting */
    uint32_t ping_every_ms; /* from one ping to the next; 0: no pings */
    /* A peer of which no message came for so long is gone; 0: never. It has the time that this leaves after a
     * ping to answer it, also when the ping was late. */
    uint32_t silence_ms;
    uint32_t pause_ms;           /* at least, after a message of peer_queue and before the next one */
    struct inspector *inspector; /* what is said at inspected tables goes there too; NULL: nowhere */
    const char *protocol;        /* the word for it there */
};

/* Gives; freed by ops->free, and the dialect with it. */
struct port *peers_create(const struct peers_config *, const struct peer_dialect *);

/* Sends everything that was said. */
void peers_flush(struct port *);

/* Those are gone now, as closed tells, who have closed their sending side, wait for their answers, and are
 * meant: somebody has come in their place. True when there was any. */
bool peers_release(struct port *, bool (*is_meant)(const struct peer *, const void *whom), const void *whom,
                   uint64_t now_ms);

/* Something of the dialect's own. */
void peer_set_session(struct peer *, void *session);
void *peer_session(const struct peer *);

struct port *peer_port(const struct peer *);
/* The word of what is spoken with it. */
const char *peer_protocol(const struct peer *);

/* Where the peer is; nobody's when it is not to be limited. Borrowed. */
const struct address *peer_address(const struct peer *);
/* The same, whether it is limited or not. */
const struct address *peer_origin(const struct peer *);

/* Another limit for the silence of this peer alone, from now on; 0: none. */
void peer_set_silence(struct peer *, uint32_t silence_ms, uint64_t now_ms);

/* Somebody else is where the peer is, and one of the two may be dead: it is pinged, and gone when nothing
 * comes within PEER_ASK_MS although it is heard; one that has closed its sending side is gone at once. Both
 * as closed tells, not within this call. Nothing happens where there are no pings. */
void peer_ask(struct peer *, uint64_t now_ms);

/* A message without its end. Copied. */
void peer_send(struct peer *, struct span message);
/* The same, but not before the pause after the last one of these is over; pings do not wait. */
void peer_queue(struct peer *, struct span message, uint64_t now_ms);

/* What the peer has just said is refused for this reason; to be called before the answer is sent. For the
 * inspector. */
void peer_refused(struct peer *, enum err why);

/* Goes on with what the peer sent while it was not heard. Calls received; what is said leaves after it. The
 * peer may be gone then. */
void peer_resume(struct peer *, uint64_t now_ms);

/* Sends what was said, then closes. The peer must not be used any more. */
void peer_close(struct peer *);

/* Of framings: a message, with its bytes; or what is none (without bytes it is not shown to the inspector).
 */
void peer_received(struct peer *, const void *message, struct span bytes, uint64_t now_ms);
void peer_malformed(struct peer *, struct span bytes, enum err why, const char *complaint, uint64_t now_ms);

#endif
