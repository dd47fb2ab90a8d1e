/* A room whose members are connections that speak JSON, one object a line: what lies between a port of lines
 * (json/port.h) and a room (host/room/room.h), for any dialect. A room may have another port in front of it,
 * of another framing, whose members stand in it like the others. */
#ifndef WIRE_JSON_ROOM_PORT_H
#define WIRE_JSON_ROOM_PORT_H

#include "host/room/room.h"
#include "wire/farewell.h"
#include "wire/json/port.h"

/* The first member of a dialect's own struct for a connection. */
struct json_member {
    struct room_member member;
    struct peer *peer;
};

enum { JSON_ROOM_PORTS_MAX = 2 };

/* What a dialect brings. All are called between room_enter and room_exit. */
struct json_room_dialect {
    /* Somebody has connected. NULL: nothing to do. */
    void (*opened)(struct room_member *);
    /* See struct peer_dialect. */
    void (*refuse)(struct buf *out, enum err why);
    void (*received)(struct room_member *, const json_t *message);
    void (*heard)(struct room_member *, const void *message); /* instead, of another framing */
    void (*malformed)(struct room_member *, enum err why, const char *complaint);
    void (*pinged)(struct room_member *); /* NULL: nothing to do */
    /* The connection is gone: the member leaves; it is freed after that. */
    void (*left)(struct room_member *);
    /* Whether the connection is known to answer pings. NULL: all do. */
    bool (*answers_pings)(const struct room_member *);
    /* The server ends: the last words. NULL: none. */
    void (*goodbye)(struct room_member *);
    /* What the room tells, but for ROOM_HEAR, ROOM_FLUSH and ROOM_DOUBLED; that of the first port counts. */
    void (*tell)(struct room *, const struct room_notice *);
};

struct json_room_port {
    struct json_room *room;
    struct port *port; /* NULL: there is none */
    struct json_room_dialect dialect;
};

/* The first member of the dialect's own. */
struct json_room {
    struct room room;
    struct json_room_port ports[JSON_ROOM_PORTS_MAX];
    void (*tell)(struct room *, const struct room_notice *);
    void (*release)(struct json_room *); /* what else is the dialect's, before the room goes; NULL: nothing */
    struct buf out;                      /* the message that is being written */
    struct farewells farewells;
};

/* Begins the room, which is zeroed memory of the heap that the port frees. */
struct port *json_room_create(struct json_room *, const struct json_room_dialect *,
                              const struct json_port_config *, struct room_policy, struct tables *);
/* The same in two steps: a room without a port, and a port in front of a room. The room is freed with the
 * last of its ports. policy->tell is filled in here. */
void json_room_begin(struct json_room *, void (*tell)(struct room *, const struct room_notice *),
                     struct room_policy, struct tables *);
struct port *json_room_add_port(struct json_room *, const struct json_room_dialect *,
                                const struct peers_config *);

static inline struct json_room *json_room_of(const struct room_member *m) {
    return (struct json_room *)(void *)m->room;
}

static inline struct peer *json_member_peer(const struct room_member *m) {
    return ((const struct json_member *)(const void *)m)->peer;
}

/* The buffer for the next message, empty. */
struct buf *json_room_message(struct room *);
/* What is in it, message by message: to one member; to those who speak for these seats; to all at a table but
 * one (NULL: to all). */
void json_say(struct room_member *);
void json_say_seats(struct room_table *, seat_set);
void json_say_table(struct room_table *, const struct room_member *except);
/* What is in it is kept for so long for the player of a seat who was away at the end. And what was kept for
 * the name is in it, once: false when nothing was. */
void json_farewell_keep(struct room_table *, unsigned seat, uint32_t keep_ms);
bool json_farewell_take(struct room *, struct span name);
/* What the member has just asked is refused for this reason: for the inspector, before the answer. */
void json_member_refused(const struct room_member *, enum err why);
/* Sends what was said, closes the connection and frees the member, which has left. */
void json_member_close(struct room_member *);
/* The member makes way when its connection says nothing more and only waits for its answers: it has left and
 * is freed then. True when it was so; not for NULL. */
bool json_release_member(const struct room_member *);

#endif
