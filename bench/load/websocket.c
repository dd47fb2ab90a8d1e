/* Paper Soccer over the native API: two players of a table, each with a WebSocket that is told the table's
 * news, as a browser's. And one table that many others look on at: there a move is answered when the last of
 * them was told. */
#include "load.h"

#include "games/paper_soccer/paper_soccer.h"

#include <stdio.h>

enum { FRAME_BYTES_MAX = 1024, FRAME_HEAD_BYTES = 8, TOKEN_BYTES_MAX = 40, BEGUN_VERSION = 3 };

enum socket_stage { STAGE_OPEN, STAGE_SIT, STAGE_SIT_PEER, STAGE_UPGRADE, STAGE_WATCH, STAGE_PLAY };

struct socket_player {
    struct load_conn conn; /* first */
    enum socket_stage stage;
    char code[16];
    char tokens[2][TOKEN_BYTES_MAX]; /* its own; of the table that is watched the only player has both */
    struct game_state *pitch;        /* of the table: both players have the same */
    int64_t *version;                /* which the table has when all moves are made, likewise */
    int64_t own_version;
    int64_t told; /* the version that it has heard of */
};

static struct socket_player *watched; /* the one player of the table that all look on at */
static size_t watcher_count, watchers_told;

static void socket_frame(struct load_conn *conn, const char *text, size_t size, uint8_t kind, bool is_move) {
    /* The frame of a client has a mask; one of zeros changes nothing. */
    char frame[FRAME_BYTES_MAX] = {(char)kind};
    size_t head = size < 126 ? 6 : 8;
    frame[1] = (char)(0x80 | (size < 126 ? size : 126));
    if (size >= 126) {
        frame[2] = (char)(size >> 8);
        frame[3] = (char)size;
    }
    memcpy(frame + head, text, size);
    if (is_move)
        load_move(conn, span_make(frame, head + size));
    else
        load_say(conn, span_make(frame, head + size));
}

static void socket_post(struct load_conn *conn, const char *path, const char *body) {
    load_say_text(conn,
                  "POST /api/v1/tables%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  "Content-Length: %zu\r\n\r\n%s",
                  path, strlen(body), body);
}

static void socket_upgrade(struct socket_player *p) {
    p->stage = STAGE_UPGRADE;
    load_say_text(&p->conn, "GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                            "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n");
}

static void socket_watch(struct socket_player *p) {
    char text[FRAME_BYTES_MAX - FRAME_HEAD_BYTES];
    p->stage = STAGE_WATCH;
    const char *token = p->tokens[p->conn.seat];
    int size = token[0] == '\0'
                   ? snprintf(text, sizeof text, "{\"type\":\"watch\",\"table\":\"%s\"}", p->code)
                   : snprintf(text, sizeof text, "{\"type\":\"watch\",\"table\":\"%s\",\"token\":\"%s\"}",
                              p->code, token);
    socket_frame(&p->conn, text, (size_t)size, 0x81, false);
}

static size_t socket_message(const struct load_conn *conn, struct span input) {
    const struct socket_player *p = (const struct socket_player *)conn;
    if (p->stage <= STAGE_UPGRADE)
        return load_http_answer(conn, input);
    if (input.size < 4)
        return 0;
    const uint8_t *head = (const uint8_t *)input.data;
    size_t size = head[1] & 0x7f, used = 2;
    if (size == 126) {
        size = (size_t)(head[2] << 8 | head[3]);
        used = 4;
    } else if (size == 127) {
        if (input.size < 10)
            return 0;
        size = 0;
        for (unsigned i = 2; i < 10; i++)
            size = size << 8 | head[i];
        used = 10;
    }
    return input.size >= used + size ? used + size : 0;
}

static void socket_begin(struct load_conn *conn) {
    if (conn->seat == 0)
        socket_post(conn, "", "{\"game\":\"paper-soccer\",\"private\":true}");
}

static void socket_table_new(struct socket_player *p) {
    struct socket_player *peer = (struct socket_player *)p->conn.peer;
    const struct game_options options = game_options_default(&paper_soccer_game, 2);
    p->pitch = game_state_alloc(&paper_soccer_game);
    p->version = &p->own_version;
    *p->version = BEGUN_VERSION;
    if (paper_soccer_game.setup(p->pitch, &options) != ERR_OK)
        load_error(&p->conn, "no pitch", SPAN(""));
    peer->pitch = p->pitch;
    peer->version = p->version;
    memcpy(peer->code, p->code, sizeof p->code);
}

/* Answers of HTTP, before there is a socket. */
static void socket_take_answer(struct socket_player *p, struct span answer) {
    struct socket_player *peer = (struct socket_player *)p->conn.peer;
    char path[64];
    if (p->stage == STAGE_OPEN &&
        span_copy(load_value(answer, "\"code\":\"", '"'), p->code, sizeof p->code)) {
        socket_table_new(p);
    } else if (p->stage == STAGE_UPGRADE) {
        if (!load_begins(answer, "HTTP/1.1 101"))
            load_error(&p->conn, "no socket", answer);
        socket_watch(p);
        return;
    } else if (p->stage == STAGE_OPEN ||
               !span_copy(load_value(answer, "\"token\":\"", '"'),
                          p->stage == STAGE_SIT ? p->tokens[0] : peer->tokens[1], TOKEN_BYTES_MAX)) {
        load_error(&p->conn, "refused", answer);
        return;
    }
    if (p->stage++ == STAGE_SIT_PEER) {
        socket_upgrade(p);
        if (peer != p)
            socket_upgrade(peer);
        return;
    }
    snprintf(path, sizeof path, "/%s/seats", p->code);
    socket_post(&p->conn, path, "{\"name\":\"load\"}");
}

static unsigned socket_seat_on_turn(const struct socket_player *p) {
    return paper_soccer_game.turn(p->pitch) == SEAT_BIT(0) ? 0 : 1;
}

static void socket_move(struct socket_player *p) {
    struct action action = {0};
    char word[ACTION_TEXT_BYTES_MAX], text[FRAME_BYTES_MAX - FRAME_HEAD_BYTES];
    unsigned seat = socket_seat_on_turn(p);
    bool is_for_another = seat != p->conn.seat;
    paper_soccer_game.sample(p->pitch, seat, &p->conn.rng, &action);
    paper_soccer_game.action_format(p->pitch, seat, &action, word);
    paper_soccer_game.apply(p->pitch, seat, &action);
    (*p->version)++;
    int size = snprintf(text, sizeof text, "{\"type\":\"act\",\"table\":\"%s\"%s%s%s,\"actions\":[\"%s\"]}",
                        p->code, is_for_another ? ",\"token\":\"" : "", is_for_another ? p->tokens[seat] : "",
                        is_for_another ? "\"" : "", word);
    socket_frame(&p->conn, text, (size_t)size, 0x81, true);
}

/* It moves when it has heard of everything that was done, as a person would. */
static void socket_play(struct socket_player *p) {
    bool is_over = paper_soccer_game.turn(p->pitch) == 0;
    if (p->told < *p->version)
        return;
    if (is_over && p->conn.seat == 0)
        load_over(&p->conn);
    else if (!is_over && socket_seat_on_turn(p) == p->conn.seat)
        socket_move(p);
}

/* News: true when it is of a later version than those before. */
static bool socket_is_news(struct socket_player *p, struct span message) {
    int64_t version;
    if (load_has(message, "\"type\":\"refused\""))
        load_error(&p->conn, "refused", message);
    if (!load_has(message, "\"type\":\"table\"") ||
        !span_to_int(load_value(message, "\"version\":", ','), &version) || version <= p->told)
        return false;
    p->told = version;
    return true;
}

/* The server asks whether anybody is still there. */
static bool socket_pong(struct socket_player *p, struct span message) {
    if (p->stage <= STAGE_UPGRADE || (uint8_t)message.data[0] != 0x89)
        return false;
    socket_frame(&p->conn, message.data + 2, message.size - 2, 0x8a, false);
    return true;
}

static void socket_take(struct load_conn *conn, struct span message) {
    struct socket_player *p = (struct socket_player *)conn;
    struct socket_player *peer = (struct socket_player *)conn->peer;
    if (p->stage <= STAGE_UPGRADE) {
        socket_take_answer(p, message);
    } else if (socket_pong(p, message)) {
        return;
    } else if (load_has(span_make(message.data, message.size < 32 ? message.size : 32), "\"acted\"")) {
        load_answered(conn);
    } else if (!socket_is_news(p, message)) {
        return;
    } else if (p->stage == STAGE_PLAY) {
        socket_play(p);
    } else {
        p->stage = STAGE_PLAY;
        if (peer->stage == STAGE_PLAY)
            socket_play(p->conn.seat == 0 ? p : peer);
    }
}

/* Watchers. */

static void watcher_begin(struct load_conn *conn) {
    struct socket_player *p = (struct socket_player *)conn;
    if (conn->number == 0) {
        watched = p;
        socket_begin(conn);
    } else {
        memcpy(p->code, watched->code, sizeof p->code);
        watcher_count++;
        socket_upgrade(p);
    }
}

static void watched_move(void) {
    if (paper_soccer_game.turn(watched->pitch) == 0)
        load_over(&watched->conn);
    else
        socket_move(watched);
}

static void watcher_take(struct load_conn *conn, struct span message) {
    struct socket_player *p = (struct socket_player *)conn;
    if (p->stage <= STAGE_UPGRADE) {
        socket_take_answer(p, message);
    } else if (socket_pong(p, message)) {
        return;
    } else if (!socket_is_news(p, message)) {
        return;
    } else if (p->stage == STAGE_WATCH) {
        p->stage = STAGE_PLAY;
        if (p == watched)
            watched_move();
        else
            load_move(conn, SPAN(""));
    } else if (++watchers_told == watcher_count + 1) { /* the player is told, too */
        watchers_told = 0;
        load_answered(&watched->conn);
        watched_move();
    }
}

const struct load_client load_websocket = {
    .name = "websocket",
    .seats = 2,
    .size = sizeof(struct socket_player),
    .begin = socket_begin,
    .message = socket_message,
    .take = socket_take,
};

const struct load_client load_watchers = {
    .name = "watchers",
    .seats = 1,
    .is_one_by_one = true,
    .size = sizeof(struct socket_player),
    .begin = watcher_begin,
    .message = socket_message,
    .take = watcher_take,
};
