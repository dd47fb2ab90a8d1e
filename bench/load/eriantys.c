/* Eriantys over lines of JSON. Every status shows the whole game, but reading it costs the load more than
 * writing it costs the server: so a pair plays on a table of its own, and reads the status only when chance
 * has had a word. */
#include "load.h"

#include "base/mem.h"
#include "base/writer.h"
#include "cli/eriantys/follow.h"

#include <stdio.h>

struct eriantys_player {
    struct load_conn conn; /* first */
    char name[24];
    unsigned game_seat;     /* its own, once the status has said it */
    struct eriantys *state; /* of the pair */
    bool *is_known;         /* likewise: nothing has happened since that it does not show */
    struct buf status;      /* the last one, when it has to be read */
};

static void eriantys_begin(struct load_conn *conn) {
    struct eriantys_player *p = (struct eriantys_player *)conn, *peer = (struct eriantys_player *)conn->peer;
    snprintf(p->name, sizeof p->name, "%s%u", load_wishes.name, conn->number);
    if (conn->seat != 0)
        return;
    p->state = peer->state = mem_alloc(sizeof *p->state);
    p->is_known = peer->is_known = mem_alloc(sizeof *p->is_known);
    load_say(conn, SPAN("{\"type\":\"gameCreation\",\"playersNumber\":2,\"expert\":false}\n"));
}

static void eriantys_enter(struct eriantys_player *p, struct span line) {
    struct span code = load_value(line, "\"code\":\"", '"');
    for (struct load_conn *conn = &p->conn;; conn = p->conn.peer) {
        load_say_text(conn, "{\"type\":\"enterGame\",\"code\":\"%.*s\"}\n", (int)code.size, code.data);
        if (conn == p->conn.peer)
            return;
    }
}

static void eriantys_read(struct eriantys_player *p, struct span line) {
    struct eriantys_player *peer = (struct eriantys_player *)p->conn.peer;
    struct span names[ERIANTYS_SEATS_MAX];
    json_t *message = load_json(&p->conn, line);
    *p->is_known = message != NULL && eriantys_follow_status(message, p->state, names);
    if (!*p->is_known)
        load_error(&p->conn, "a status that cannot be read", line);
    p->game_seat = *p->is_known && span_is(names[0], p->name) ? 0 : 1;
    peer->game_seat = 1 - p->game_seat;
    json_decref(message);
}

static void eriantys_act(struct eriantys_player *p) {
    static struct buf out;
    struct game_state *state = (struct game_state *)p->state;
    struct eriantys_scene scene = {.state = p->state};
    struct action action;
    if (p->state->mover != p->game_seat) {
        load_error(&p->conn, "the other one is on turn", SPAN(""));
        return;
    }
    scene.names[p->game_seat] = p->name;
    eriantys_game.sample(state, p->game_seat, &p->conn.rng, &action);
    buf_clear(&out);
    struct writer writer = writer_message(&out, "command");
    eriantys_write_command_fields(&writer, &scene, p->game_seat, &action);
    writer_object_end(&writer);
    buf_append_byte(&out, '\n');
    eriantys_game.apply(state, p->game_seat, &action);
    *p->is_known = (eriantys_game.turn(state) & SEAT_BIT(SEAT_CHANCE)) == 0;
    load_move(&p->conn, buf_span(&out));
}

static void eriantys_take_turn(struct eriantys_player *p, struct span line) {
    struct span name = load_value(line, "\"player\":\"", '"');
    if (!load_has(line, "\"enable\":true") || !span_is(name, p->name))
        return;
    if (!*p->is_known) /* what this one was told last, before it was asked: the other one may be ahead or
                          behind */
        eriantys_read(p, buf_span(&p->status));
    eriantys_act(p);
}

static void eriantys_take(struct load_conn *conn, struct span line) {
    struct eriantys_player *p = (struct eriantys_player *)conn;
    if (load_begins(line, "{\"type\":\"status\"")) {
        load_answered(conn);
        buf_clear(&p->status);
        if (!*p->is_known)
            buf_append(&p->status, line);
    } else if (load_begins(line, "{\"type\":\"turnEnable\"")) {
        eriantys_take_turn(p, line);
    } else if (load_begins(line, "{\"type\":\"win\"")) {
        load_answered(conn);
        if (conn->seat == 0)
            load_over(conn);
    } else if (load_begins(line, "{\"type\":\"gameCreation\"")) {
        eriantys_enter(p, line);
    } else if (load_begins(line, "{\"type\":\"enterGame\"")) {
        load_say_text(conn, "{\"type\":\"login\",\"name\":\"%s\"}\n", p->name);
    } else if (load_begins(line, "{\"type\":\"error\"") || load_has(line, "\"success\":false")) {
        load_error(conn, "refused", line);
    } else {
        load_pong(conn, line);
    }
}

const struct load_client load_eriantys = {
    .name = "eriantys",
    .seats = 2,
    .size = sizeof(struct eriantys_player),
    .begin = eriantys_begin,
    .message = load_line,
    .take = eriantys_take,
};
