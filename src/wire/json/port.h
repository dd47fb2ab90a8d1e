/* A port that speaks JSON, one object a line, for any dialect: lines, parsing, pings, peers that fall silent,
 * and one write per peer and event. What the messages mean is the dialect's.
 *
 * The dialect is told of peers and messages. What it has to say is collected per peer and leaves when the
 * call into the dialect returns. Whoever speaks at another time (a table has settled) calls json_port_flush
 * at the end.
 *
 * A peer that has closed its sending side may still be owed the answer to what it said last. It is gone when
 * that is out, or cannot be given within JSON_FINISH_MS; one that is owed nothing is gone at once. */
#ifndef WIRE_JSON_PORT_H
#define WIRE_JSON_PORT_H

#include "host/inspector.h"
#include "wire/json/read.h"
#include "wire/port.h"

struct json_peer; /* one connection */

enum { JSON_FINISH_MS = 30 * 1000 };

struct json_dialect {
    void *context;
    /* A peer has connected; json_peer_session is its own to set. */
    void (*opened)(void *context, struct json_peer *, uint64_t now_ms);
    /* Appends what is said, without the end of the line, to somebody who is not taken for that reason. NULL:
     * nothing is said. */
    void (*refuse)(struct buf *out, enum err why);
    /* Whether the peer may be heard now. While it may not, what it sends waits, unread beyond a bound: for a
     * request at its table that is being saved. Call json_peer_resume when it may be again, also when nothing
     * of it waits. NULL: always. */
    bool (*may_hear)(void *context, const struct json_peer *);
    /* An object; borrowed. */
    void (*received)(void *context, struct json_peer *, const json_t *message, uint64_t now_ms);
    /* A line that is none, or is longer than LINE_FRAME_BYTES_MAX: why, and more about it. The next line is
     * read as if nothing had been, unless the dialect closes the peer. */
    void (*malformed)(void *context, struct json_peer *, enum err why, const char *complaint,
                      uint64_t now_ms);
    /* The table and seat (SEAT_WATCHER: none yet) that a peer is at; false: none. For the inspector. */
    bool (*place)(void *context, const struct json_peer *, uint64_t *table, unsigned *seat);
    /* The peer has just been pinged. NULL: nothing to do. */
    void (*pinged)(void *context, struct json_peer *, uint64_t now_ms);
    /* The peer is gone: its connection is closed, or it has been silent for too long. Not called after
     * json_peer_close. The peer must not be used any more. */
    void (*closed)(void *context, struct json_peer *, uint64_t now_ms);
    /* When something is due next, and doing what is due. NULL: nothing ever is. */
    uint64_t (*next_ms)(void *context);
    void (*advance)(void *context, uint64_t now_ms);
    /* Says goodbye to all peers; they are closed after it. NULL: nothing to say. */
    void (*shutdown)(void *context);
    void (*free)(void *context);
};

struct json_port_config {
    uint32_t ping_first_ms; /* from the connection to the first ping */
    uint32_t ping_every_ms; /* from one ping to the next; 0: no pings */
    /* A peer of which no line came for so long is gone; 0: never. It has the time that this leaves after a
     * ping to answer it, also when the ping was late. */
    uint32_t silence_ms;
    struct inspector *inspector; /* what is said at inspected tables goes there too; NULL: nowhere */
    const char *protocol;        /* the word for it there */
    bool mends_lines;            /* a line that is no JSON is tried again as json_mend makes it */
};

/* Gives; freed by ops->free, and the dialect with it. */
struct port *json_port_create(const struct json_port_config *, const struct json_dialect *);

/* Sends everything that was said. */
void json_port_flush(struct port *);

/* Those are gone now, as closed tells, who have closed their sending side, wait for their answers, and are
 * meant: somebody has come in their place. True when there was any. */
bool json_port_release(struct port *, bool (*is_meant)(const struct json_peer *, const void *whom),
                       const void *whom, uint64_t now_ms);

/* Something of the dialect's own. */
void json_peer_set_session(struct json_peer *, void *session);
void *json_peer_session(const struct json_peer *);

/* Where the peer is; nobody's when it is not to be limited. Borrowed. */
const struct address *json_peer_address(const struct json_peer *);

/* Another limit for the silence of this peer alone, from now on; 0: none. */
void json_peer_set_silence(struct json_peer *, uint32_t silence_ms, uint64_t now_ms);

/* A message without the end of its line. Copied. */
void json_peer_send(struct json_peer *, struct span line);

/* Several messages with a line feed between them, sent one by one: so each is one to the inspector. */
void json_peer_send_lines(struct json_peer *, struct span lines);

/* What the peer has just said is refused for this reason; to be called before the answer is sent. For the
 * inspector. */
void json_peer_refused(struct json_peer *, enum err why);

/* Goes on with what the peer sent while it was not heard. Calls received; what is said leaves after it. The
 * peer may be gone then. */
void json_peer_resume(struct json_peer *, uint64_t now_ms);

/* Sends what was said, then closes. The peer must not be used any more. */
void json_peer_close(struct json_peer *);

#endif
