/* Treasure Hunt over HTTP: a move, and after it both players ask for their state, as clients that poll do.
 * Everybody goes to a field beside the first one and back. */
#include "load.h"

#include "wire/treasure/answer.h"

#include <stdio.h>

enum { PLAYER_ID_BYTES = 40, GAME_ID_BYTES = 16 };

enum treasure_stage { STAGE_GAME, STAGE_PLAYER, STAGE_READY, STAGE_STATE, STAGE_REST, STAGE_MOVE };

struct treasure_player {
    struct load_conn conn; /* first */
    enum treasure_stage stage;
    char game[GAME_ID_BYTES];
    char id[PLAYER_ID_BYTES];
    int64_t home_x, home_y;
    const char *way, *back;
    bool is_over;
};

static void treasure_post(struct treasure_player *p, const char *what, const char *body) {
    load_say_text(&p->conn,
                  "POST /games/%s/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/xml\r\n"
                  "Content-Length: %zu\r\n\r\n%s",
                  p->game, what, strlen(body), body);
}

static void treasure_ask(struct treasure_player *p) {
    p->stage = STAGE_STATE;
    load_say_text(&p->conn, "GET /games/%s/states/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", p->game, p->id);
}

static void treasure_register(struct treasure_player *p) {
    char body[200];
    p->stage = STAGE_PLAYER;
    snprintf(body, sizeof body,
             "<playerRegistration><playerUsername>load%u</playerUsername></playerRegistration>",
             p->conn.number);
    treasure_post(p, "players", body);
}

static void treasure_begin(struct load_conn *conn) {
    if (conn->seat == 0)
        load_say(conn, SPAN("GET /games?violation=refuse&actionTime=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"));
}

/* Where the player stands, by the text of its state. */
static bool treasure_place(struct span state, int64_t *x, int64_t *y) {
    struct span rest = load_behind(state, "MyPlayerPosition<");
    if (rest.data == NULL)
        rest = load_behind(state, "BothPlayerPosition<");
    return span_to_int(load_value(rest, "<X>", '<'), x) && span_to_int(load_value(rest, "<Y>", '<'), y);
}

/* The first state: a field beside that can be walked on. */
static void treasure_find_way(struct treasure_player *p, struct span state) {
    static const struct {
        const char *way, *back;
        int64_t x, y;
    } ways[] = {
        {"Up", "Down", 0, -1}, {"Down", "Up", 0, 1}, {"Left", "Right", -1, 0}, {"Right", "Left", 1, 0}};
    static struct treasure_answer answer;
    const char *body = memmem(state.data, state.size, "\r\n\r\n", 4);
    struct span document = span_make(body + 4, state.size - (size_t)(body + 4 - state.data));
    if (treasure_answer_read(document, span_of(p->id), &answer) != ERR_OK ||
        !treasure_place(state, &p->home_x, &p->home_y)) {
        load_error(&p->conn, "a state that cannot be read", state);
        return;
    }
    for (size_t i = 0; i < answer.field_count; i++)
        for (size_t k = 0; k < 4; k++)
            if (answer.fields[i].x == p->home_x + ways[k].x && answer.fields[i].y == p->home_y + ways[k].y &&
                answer.fields[i].terrain != TREASURE_WATER) {
                p->way = ways[k].way;
                p->back = ways[k].back;
            }
}

static void treasure_move(struct treasure_player *p, struct span state) {
    char body[200], text[600];
    int64_t x, y;
    if (!treasure_place(state, &x, &y) || p->way == NULL) {
        load_error(&p->conn, "no place", state);
        return;
    }
    snprintf(body, sizeof body, "<playerMove><uniquePlayerID>%s</uniquePlayerID><move>%s</move></playerMove>",
             p->id, x == p->home_x && y == p->home_y ? p->way : p->back);
    int size =
        snprintf(text, sizeof text,
                 "POST /games/%s/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/xml\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 p->game, strlen(body), body);
    p->stage = STAGE_MOVE;
    load_move(&p->conn, span_make(text, (size_t)size));
}

/* Both have their state of after the move: who is on turn goes on. */
static void treasure_take_state(struct treasure_player *p, struct span answer) {
    struct treasure_player *peer = (struct treasure_player *)p->conn.peer;
    struct span own = load_behind(answer, p->id);
    struct span standing = load_value(own, "<state>", '<');
    if (p->way == NULL)
        treasure_find_way(p, answer);
    if (span_is(standing, "Won") || span_is(standing, "Lost")) {
        if (!p->is_over && p->conn.seat == 0)
            load_over(&p->conn);
        p->is_over = true;
    } else if (span_is(standing, "MustAct")) {
        treasure_move(p, answer);
    } else {
        p->stage = STAGE_REST;
        if (peer->stage == STAGE_REST && !p->is_over) /* both asked before the move was there */
            treasure_ask(p);
    }
}

static void treasure_take_set_up(struct treasure_player *p, struct span answer) {
    struct treasure_player *peer = (struct treasure_player *)p->conn.peer;
    if (p->stage == STAGE_GAME) {
        if (!span_copy(load_value(answer, "<uniqueGameID>", '<'), p->game, sizeof p->game))
            load_error(&p->conn, "no game", answer);
        memcpy(peer->game, p->game, sizeof p->game);
        treasure_register(p);
        treasure_register(peer);
        return;
    }
    if (!span_copy(load_value(answer, "<uniquePlayerID>", '<'), p->id, sizeof p->id))
        load_error(&p->conn, "not registered", answer);
    p->stage = STAGE_READY;
    if (peer->stage == STAGE_READY) {
        treasure_ask(p);
        treasure_ask(peer);
    }
}

static void treasure_take(struct load_conn *conn, struct span answer) {
    struct treasure_player *p = (struct treasure_player *)conn;
    if (!load_begins(answer, "HTTP/1.1 200"))
        load_error(conn, "refused", answer);
    else if (p->stage == STAGE_STATE) {
        treasure_take_state(p, answer);
    } else if (p->stage == STAGE_MOVE) {
        if (!load_has(answer, "<state>Okay"))
            load_error(conn, "refused", answer);
        load_answered(conn);
        treasure_ask(p);
        treasure_ask((struct treasure_player *)conn->peer);
    } else {
        treasure_take_set_up(p, answer);
    }
}

const struct load_client load_treasure = {
    .name = "treasure",
    .seats = 2,
    .size = sizeof(struct treasure_player),
    .begin = treasure_begin,
    .message = load_http_answer,
    .take = treasure_take,
};
