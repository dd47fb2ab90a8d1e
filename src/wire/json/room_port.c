#include "wire/json/room_port.h"

#include "base/mem.h"
#include "host/table/figures.h"

#include <assert.h>
#include <utlist.h>

static struct json_room *room_of(struct room *room) {
    return (struct json_room *)(void *)room;
}

struct buf *json_room_message(struct room *room) {
    struct buf *out = &room_of(room)->out;
    buf_clear(out);
    return out;
}

void json_say(struct room_member *m) {
    json_peer_send_lines(json_member_peer(m), buf_span(&json_room_of(m)->out));
}

void json_say_seats(struct room_table *rt, seat_set seats) {
    for (unsigned seat = 0; seat < rt->seat_count; seat++)
        if ((seats & SEAT_BIT(seat)) != 0 && rt->seats[seat].member != NULL)
            json_say(rt->seats[seat].member);
}

void json_say_table(struct room_table *rt, const struct room_member *except) {
    struct room_member *m;
    DL_FOREACH2(rt->members, m, at_next)
    if (m != except)
        json_say(m);
}

void json_farewell_keep(struct room_table *rt, unsigned seat, uint32_t keep_ms) {
    struct json_room *jr = room_of(rt->room);
    farewells_add(&jr->farewells, span_of(table_name(rt->table, seat)), buf_span(&jr->out), rt->room->now_ms,
                  rt->room->now_ms + keep_ms);
}

bool json_farewell_take(struct room *room, struct span name) {
    return farewells_take(&room_of(room)->farewells, name, room->now_ms, json_room_message(room));
}

void json_member_refused(const struct room_member *m, enum err why) {
    struct peer *peer = json_member_peer(m);
    refusals_count(peer_protocol(peer), m->room->policy.game, why);
    peer_refused(peer, why);
}

void json_member_close(struct room_member *m) {
    struct peer *peer = json_member_peer(m);
    peer_set_session(peer, NULL);
    room_member_free(m);
    peer_close(peer);
}

static bool is_session(const struct peer *peer, const void *m) {
    return peer_session(peer) == m;
}

bool json_release_member(const struct room_member *m) {
    return m != NULL && peers_release(peer_port(json_member_peer(m)), is_session, m, m->room->now_ms);
}

/* What the room tells. */

/* The connection that is dead is gone soon, and not only when its silence is over. */
static void json_member_ask(const struct room_member *m) {
    struct peer *peer = json_member_peer(m);
    const struct json_room *jr = json_room_of(m);
    for (unsigned i = 0; i < JSON_ROOM_PORTS_MAX; i++) {
        const struct json_room_dialect *d = &jr->ports[i].dialect;
        if (jr->ports[i].port == peer_port(peer) && (d->answers_pings == NULL || d->answers_pings(m)))
            peer_ask(peer, m->room->now_ms);
    }
}

static void json_room_tell(struct room *room, const struct room_notice *notice) {
    struct json_room *jr = room_of(room);
    switch (notice->kind) {
    case ROOM_HEAR: peer_resume(json_member_peer(notice->member), room->now_ms); break;
    case ROOM_FLUSH:
        for (unsigned i = 0; i < JSON_ROOM_PORTS_MAX; i++)
            if (jr->ports[i].port != NULL)
                peers_flush(jr->ports[i].port);
        break;
    case ROOM_DOUBLED: json_member_ask(notice->member); break;
    case ROOM_UNSEATED: json_member_close(notice->member); break;
    default: jr->tell(room, notice);
    }
}

/* What a port calls. */

static void on_opened(void *context, struct peer *peer, uint64_t now_ms) {
    struct json_room_port *rp = context;
    room_enter(&rp->room->room, now_ms);
    struct room_member *m = room_member_add(&rp->room->room);
    ((struct json_member *)(void *)m)->peer = peer;
    peer_set_session(peer, m);
    if (rp->dialect.opened != NULL)
        rp->dialect.opened(m);
    room_exit(&rp->room->room);
}

static bool on_may_hear(void *context, const struct peer *peer) {
    const struct room_member *m = peer_session(peer);
    (void)context;
    return m == NULL || room_member_may_speak(m);
}

static void on_received(void *context, struct peer *peer, const void *message, uint64_t now_ms) {
    struct json_room_port *rp = context;
    room_enter(&rp->room->room, now_ms);
    if (rp->dialect.heard != NULL)
        rp->dialect.heard(peer_session(peer), message);
    else
        rp->dialect.received(peer_session(peer), message);
    room_exit(&rp->room->room);
}

static void on_malformed(void *context, struct peer *peer, enum err why, const char *complaint,
                         uint64_t now_ms) {
    struct json_room_port *rp = context;
    room_enter(&rp->room->room, now_ms);
    rp->dialect.malformed(peer_session(peer), why, complaint);
    room_exit(&rp->room->room);
}

static bool on_place(void *context, const struct peer *peer, uint64_t *table, unsigned *seat) {
    const struct room_member *m = peer_session(peer);
    (void)context;
    if (m == NULL || m->at == NULL)
        return false;
    *table = m->at->id;
    *seat = m->seat;
    return true;
}

static void on_pinged(void *context, struct peer *peer, uint64_t now_ms) {
    struct json_room_port *rp = context;
    if (rp->dialect.pinged == NULL)
        return;
    room_enter(&rp->room->room, now_ms);
    rp->dialect.pinged(peer_session(peer));
    room_exit(&rp->room->room);
}

static void json_room_port_on_closed(void *context, struct peer *peer, uint64_t now_ms) {
    struct json_room_port *rp = context;
    struct room_member *m = peer_session(peer);
    if (m == NULL)
        return;
    room_enter(&rp->room->room, now_ms);
    rp->dialect.left(m);
    room_member_free(m);
    room_lobby(&rp->room->room);
    room_exit(&rp->room->room);
}

/* Its members are forgotten without a word. */
static void json_room_port_empty(struct json_room_port *rp) {
    struct room_member *m, *next;
    DL_FOREACH_SAFE(rp->room->room.members, m, next) {
        if (peer_port(json_member_peer(m)) != rp->port)
            continue;
        peer_set_session(json_member_peer(m), NULL);
        room_member_free(m);
    }
}

static uint64_t on_next_ms(void *context) {
    const struct json_room_port *rp = context;
    return room_next_ms(&rp->room->room);
}

static void on_advance(void *context, uint64_t now_ms) {
    struct json_room_port *rp = context;
    room_advance(&rp->room->room, now_ms);
}

/* All at once, so that nobody hears that another one goes before; the connections are closed by the port. */
static void on_shutdown(void *context) {
    struct json_room_port *rp = context;
    struct room *room = &rp->room->room;
    struct room_member *m;
    room->is_ending = true;
    DL_FOREACH(room->members, m)
    if (rp->dialect.goodbye != NULL && peer_port(json_member_peer(m)) == rp->port)
        rp->dialect.goodbye(m);
    json_room_port_empty(rp);
}

static void on_free(void *context) {
    struct json_room_port *rp = context;
    struct json_room *jr = rp->room;
    for (unsigned i = 0; i < JSON_ROOM_PORTS_MAX; i++)
        if (jr->ports[i].port != NULL && &jr->ports[i] != rp) {
            json_room_port_empty(rp);
            rp->port = NULL;
            return;
        }
    room_end(&jr->room);
    if (jr->release != NULL)
        jr->release(jr);
    farewells_free(&jr->farewells);
    buf_free(&jr->out);
    mem_free(jr);
}

void json_room_begin(struct json_room *jr, void (*tell)(struct room *, const struct room_notice *),
                     struct room_policy policy, struct tables *tables) {
    jr->tell = tell;
    policy.tell = json_room_tell;
    room_begin(&jr->room, &policy, tables);
}

struct port *json_room_add_port(struct json_room *jr, const struct json_room_dialect *dialect,
                                const struct peers_config *config) {
    struct json_room_port *rp = jr->ports;
    while (rp->port != NULL)
        rp++;
    assert(rp < jr->ports + JSON_ROOM_PORTS_MAX);
    *rp = (struct json_room_port){.room = jr, .dialect = *dialect};
    rp->port = peers_create(config, &(struct peer_dialect){.context = rp,
                                                           .opened = on_opened,
                                                           .refuse = dialect->refuse,
                                                           .may_hear = on_may_hear,
                                                           .received = on_received,
                                                           .malformed = on_malformed,
                                                           .place = on_place,
                                                           .pinged = on_pinged,
                                                           .closed = json_room_port_on_closed,
                                                           .next_ms = on_next_ms,
                                                           .advance = on_advance,
                                                           .shutdown = on_shutdown,
                                                           .free = on_free});
    return rp->port;
}

struct port *json_room_create(struct json_room *jr, const struct json_room_dialect *dialect,
                              const struct json_port_config *config, struct room_policy policy,
                              struct tables *tables) {
    const struct peers_config peers = json_peers_config(config);
    struct port *port = json_room_add_port(jr, dialect, &peers);
    json_room_begin(jr, dialect->tell, policy, tables);
    return port;
}
