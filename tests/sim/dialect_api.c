/* The native API in the simulation, over HTTP and WebSocket. Clients open tables of every game, or take seats
 * at those of other protocols, and play what they are told is legal. A token that was given is known for
 * good; what is shown of a table is what that seat may see of its journal at that version. */
#include "json_clients.h"

#include "cups.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/hall/hall.h"
#include "http_stream.h"
#include "wire/api/api.h"
#include "wire/json/read.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PLAYERS_MIN = 2,
    PLAYERS_MORE = 5,
    THINK_MS = 60,
    AWAY_MS = 2000,
    PATIENCE_MS = 2500,
    MUTE_MS = 25000,
    CODE_BYTES_MAX = 16,
    GLANCES_MAX = 16,             /* of one connection, which looks at few tables through few eyes */
    LISTENERS_OF_CONNECTION = 16, /* one for each pair of eyes, and one for versions */
};

extern const struct sim_dialect api_dialect;

/* The last fact that a listener was shown of a table. */
struct glance {
    size_t listener;
    uint64_t table;
    char text[SIM_FACT_BYTES_MAX];
};

/* What the server has said on a connection. */
struct told {
    struct told *next;
    size_t connection;
    struct http_stream stream;
    struct glance glances[GLANCES_MAX];
    size_t glance_count; /* ever */
};

/* What all of a run share; there is one run at a time. */
static struct {
    struct api_config config;
    struct http_port_config http;
    struct thinker *thinkers[SIM_NODES_MAX]; /* of each server */
    struct told *told;
} api;

enum ask { ASK_NOTHING, ASK_LIST, ASK_OPEN, ASK_SIT, ASK_SOCKET, ASK_TABLE, ASK_ACT, ASK_END };

struct player {
    struct http_stream stream;
    unsigned malice_per_mille;
    bool likes_sockets;
    enum ask asked;
    uint64_t asked_ms;
    bool is_sure, is_fouled, is_watching;
    char name[JSON_NAME_BYTES_MAX], code[CODE_BYTES_MAX];
    char offer[CODE_BYTES_MAX]; /* a table with a free seat */
    char token[TOKEN_CHARS + 1];
    bool may_be_gone; /* it has left; where the table waited for players the token is worth nothing then */
    bool was_away; /* from a table that may have waited for players: its protocol may have freed the seat */
    json_t *table; /* as it was shown last; NULL: not known */
};

static int64_t wall_ms(void) {
    return sim_current() == NULL ? 1 : sim_wall_ms(sim_current());
}

/* Speaking. */

static void request(struct sim_client *client, enum ask ask, const char *method, const char *path,
                    json_t *body) {
    static const char upgrade[] = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    struct player *p = client->own;
    sim_client_request(client, method, path, p->token, ask == ASK_SOCKET ? upgrade : "", body);
    p->asked = ask;
    p->asked_ms = client->sim->now_ms;
}

static void message(struct sim_client *client, enum ask ask, json_t *body) {
    struct player *p = client->own;
    struct buf out = {0};
    char *text = json_dumps(body, JSON_COMPACT);
    sim_trace(client->sim, "client %zu says %.100s", client->index, text);
    http_frame_write(&out, HTTP_OPCODE_TEXT, span_of(text));
    sim_client_send(client, buf_span(&out));
    buf_free(&out);
    free(text);
    json_decref(body);
    p->asked = ask;
    p->asked_ms = client->sim->now_ms;
}

static void table_forget(struct player *p) {
    json_decref(p->table);
    p->table = NULL;
}

static bool is_running(const struct player *p) {
    return p->table != NULL && span_is(json_text(p->table, "state"), "running");
}

static void seat_forget(struct player *p) {
    table_forget(p);
    p->token[0] = p->code[0] = '\0';
    p->is_watching = p->may_be_gone = p->was_away = false;
}

static void open_table(struct sim_client *client) {
    struct player *p = client->own;
    uint32_t count = 0;
    while (games[count] != NULL)
        count++;
    /* Refused where there is no such door. */
    bool is_for_hall = sim_chance(&client->rng, 300);
    const char *game = is_for_hall ? paper_soccer_game.name : games[sim_below(&client->rng, count)]->name;
    json_t *body = json_pack("{s:s,s:{s:s,s:s*}}", "game", game, "seat", "name", p->name, "seed",
                             sim_client_seed(client, p->name));
    if (is_for_hall)
        json_object_set_new(body, "protocol", json_string(HALL_PROTOCOL));
    else if (sim_chance(&client->rng, 200)) {
        uint32_t turn_ms = 1000 + sim_below(&client->rng, 4000);
        json_object_set_new(body, "turn_ms", json_integer(turn_ms));
        if (turn_ms % 2 == 0) {
            json_object_set_new(body, "game_ms", json_integer(2 * turn_ms));
            json_object_set_new(body, "increment_ms", json_integer(turn_ms / 10));
        }
    }
    if (strcmp(game, "paper-soccer") == 0 && sim_chance(&client->rng, 400))
        json_object_set_new(body, "bots", json_pack("[{s:i,s:i}]", "seat", 1, "level", 1));
    request(client, ASK_OPEN, "POST", "/tables", body);
}

static void find_seat(struct sim_client *client) {
    struct player *p = client->own;
    char path[80];
    if (p->offer[0] != '\0') {
        snprintf(path, sizeof path, "/tables/%s/seats", p->offer);
        request(client, ASK_SIT, "POST", path,
                json_pack("{s:s,s:s*}", "name", p->name, "seed", sim_client_seed(client, p->name)));
        p->offer[0] = '\0';
    } else if (sim_chance(&client->rng, 700)) {
        request(client, ASK_LIST, "GET", "/tables?state=open", NULL);
    } else {
        open_table(client);
    }
}

static void look(struct sim_client *client) {
    struct player *p = client->own;
    char path[80];
    if (p->stream.is_socket && !p->is_watching) {
        message(client, ASK_TABLE,
                json_pack("{s:s,s:s,s:s}", "type", "watch", "table", p->code, "token", p->token));
        p->is_watching = true;
    } else if (!p->stream.is_socket && p->likes_sockets) {
        request(client, ASK_SOCKET, "GET", "/ws", NULL);
    } else if (!p->stream.is_socket) {
        snprintf(path, sizeof path, "/tables/%s", p->code);
        request(client, ASK_TABLE, "GET", path, NULL);
    }
}

/* One of the legal actions, when it is to act. */
static json_t *action_choose(struct sim_client *client) {
    const struct player *p = client->own;
    json_t *action = json_any(&client->rng, json_object_get(p->table, "legal"));
    return action != NULL ? action : json_any(&client->rng, json_object_get(p->table, "legal_samples"));
}

static void act(struct sim_client *client, json_t *action) {
    struct player *p = client->own;
    char path[80];
    json_t *version = json_object_get(p->table, "version");
    p->is_sure = true;
    if (p->stream.is_socket) {
        message(client, ASK_ACT,
                json_pack("{s:s,s:s,s:O,s:[O]}", "type", "act", "table", p->code, "version", version,
                          "actions", action));
    } else {
        snprintf(path, sizeof path, "/tables/%s/actions", p->code);
        request(client, ASK_ACT, "POST", path,
                json_pack("{s:O,s:[O]}", "version", version, "actions", action));
    }
    table_forget(p);
}

static void misbehave(struct sim_client *client) {
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\n\r\n",
        "POST /api/v1/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /api/v1/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n{\"game\":\"nothing\"}",
        "GET /api/v1/tables/ZZZZZ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer 00\r\n\r\n",
        "GET /api/v1/games HTTP/1.1\r\nHost: a\r\n\r\nGET /api/v1/tables HTTP/1.1\r\nHost: a\r\n\r\n",
        "\x81\x02\x00\x00",
        "\x89\x80\x00\x00\x00\x01",
        "\xff\xff\xff",
    };
    struct player *p = client->own;
    char path[80];
    p->is_fouled = true;
    switch (sim_below(&client->rng, 6)) {
    case 0: sim_client_close(client, false); break;
    case 1: sim_client_close(client, true); break;
    case 2:
        if (p->token[0] != '\0' && !p->stream.is_socket && p->asked == ASK_NOTHING) {
            snprintf(path, sizeof path, "/tables/%s/%s", p->code,
                     sim_chance(&client->rng, 500) ? "resign" : "leave");
            p->may_be_gone = true;
            request(client, ASK_END, "POST", path, json_object());
        }
        break;
    default: sim_client_send(client, span_of(texts[sim_below(&client->rng, sizeof texts / sizeof *texts)]));
    }
    sim_client_act_in(client, sim_below(&client->rng, client->conn == NULL ? AWAY_MS : THINK_MS));
}

/* Living. */

static void player_connects(struct sim_client *client) {
    struct player *p = client->own;
    p->was_away = p->was_away || !is_running(p);
    http_stream_free(&p->stream);
    table_forget(p);
    p->asked = ASK_NOTHING;
    p->is_sure = p->is_fouled = p->is_watching = false;
    p->likes_sockets = sim_chance(&client->rng, 600);
    bool is_connected = sim_client_connect(client);
    sim_client_act_in(client, sim_below(&client->rng, is_connected ? THINK_MS : AWAY_MS));
}

static void servers_think(struct sim *sim) {
    json_clients_think(sim, api.thinkers);
}

static void player_acts(struct sim_client *client) {
    struct player *p = client->own;
    struct sim *sim = client->sim;
    servers_think(sim);
    if (client->conn == NULL) {
        player_connects(client);
        return;
    }
    if (p->asked != ASK_NOTHING && sim->now_ms > p->asked_ms + MUTE_MS && !p->is_fouled &&
        sim_client_is_linked(client))
        sim_fail(sim, "client %zu of the API was not answered for %d s", client->index, MUTE_MS / 1000);
    sim_client_act_in(client, sim_below(&client->rng, PATIENCE_MS));
    json_t *action = action_choose(client);
    if (sim_chance(&client->rng, p->malice_per_mille))
        misbehave(client);
    else if (p->asked != ASK_NOTHING)
        return;
    else if (action != NULL)
        act(client, action);
    else if (sim_chance(&client->rng, 20))
        sim_client_close(client, sim_chance(&client->rng, 500));
    else if (p->token[0] != '\0')
        look(client);
    else if (p->stream.is_socket) /* seats are taken over HTTP */
        sim_client_close(client, false);
    else
        find_seat(client);
    if (client->conn == NULL)
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void take_seat(struct player *p, const json_t *body) {
    if (!span_copy(json_text(body, "token"), p->token, sizeof p->token) ||
        !span_copy(json_text(body, "code"), p->code, sizeof p->code))
        p->token[0] = '\0';
}

static void take_table(struct player *p, const json_t *body) {
    bool is_over = false;
    table_forget(p);
    if (!span_is(json_text(body, "code"), p->code))
        return;
    p->table = json_deep_copy(body);
    p->was_away =
        p->was_away && !is_running(p); /* that the seat is free again may be on its way to the disk */
    if (json_flag(body, "over", &is_over) && is_over)
        seat_forget(p);
}

/* A table that is gone, over or given away is left; others look again. */
static void take_refusal(struct sim_client *client, int64_t status, const json_t *body) {
    struct player *p = client->own;
    struct span word = json_text(body, "error");
    bool is_about_seat = p->token[0] != '\0' && !p->is_fouled;
    if (status == 401 && is_about_seat && !p->may_be_gone && !p->was_away)
        sim_fail(client->sim, "the token of client %zu at table %s is not known any more", client->index,
                 p->code);
    if (status == 422 && p->asked == ASK_ACT && p->is_sure && is_about_seat)
        sim_fail(client->sim, "client %zu of the API is refused what it was offered: %.*s", client->index,
                 (int)word.size, word.data);
    table_forget(p);
    if (status == 404 || span_is(word, "table-over") || span_is(word, "token-unknown"))
        seat_forget(p);
}

static void take_list(struct sim_client *client, const json_t *body) {
    struct player *p = client->own;
    const json_t *table = json_any(&client->rng, json_object_get(body, "tables"));
    if (!span_copy(json_text(table, "code"), p->offer, sizeof p->offer))
        p->offer[0] = '\0';
}

static void take_answer(struct sim_client *client, int status, const json_t *body) {
    struct player *p = client->own;
    enum ask asked = p->asked;
    if (status >= 400)
        take_refusal(client, status, body);
    else if (asked == ASK_LIST)
        take_list(client, body);
    else if (asked == ASK_OPEN || asked == ASK_SIT)
        take_seat(p, body);
    else if (asked == ASK_TABLE)
        take_table(p, body);
    else if (asked == ASK_END)
        seat_forget(p);
    p->asked = ASK_NOTHING;
}

static void take_message(struct sim_client *client, const json_t *body) {
    struct player *p = client->own;
    int64_t status = 0;
    if (json_is(body, "table")) {
        take_table(p, body);
        if (p->asked == ASK_TABLE)
            p->asked = ASK_NOTHING;
        return;
    }
    if (json_is(body, "refused") && json_int(body, "status", &status)) {
        take_refusal(client, status, body);
        p->is_watching = p->is_watching && p->asked != ASK_TABLE;
    }
    if (json_is(body, "gone"))
        seat_forget(p);
    p->asked = ASK_NOTHING;
}

/* The next piece of a stream as JSON; false when there is none, or it is broken. NULL: it is no JSON. */
static bool piece_next(struct sim *sim, struct http_stream *stream, enum http_piece *piece, int *status,
                       json_t **body, struct buf *text) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    *body = NULL;
    *piece = http_stream_next(stream, status, text);
    if (*piece == HTTP_PIECE_BROKEN)
        sim_fail(sim, "the server says what is neither HTTP nor WebSocket");
    if (*piece == HTTP_PIECE_NONE || *piece == HTTP_PIECE_BROKEN)
        return false;
    bool may_be_text = *piece == HTTP_PIECE_ANSWER; /* such as pages, and errors below the API */
    if (text->size > 0 && json_read_object(buf_span(text), body, complaint) != ERR_OK && !may_be_text &&
        *piece == HTTP_PIECE_MESSAGE)
        sim_fail(sim, "the server says over WebSocket what is no message");
    return true;
}

static void player_hears(struct sim_client *client, struct span bytes) {
    struct player *p = client->own;
    struct buf text = {0}, pong = {0};
    enum http_piece piece;
    int status;
    json_t *body;
    http_stream_add(&p->stream, bytes);
    while (client->conn != NULL && piece_next(client->sim, &p->stream, &piece, &status, &body, &text)) {
        if (client->sim->is_silent)
            p->asked = ASK_NOTHING;
        else if (piece == HTTP_PIECE_PING)
            http_frame_write(&pong, HTTP_OPCODE_PONG, buf_span(&text));
        else if (piece == HTTP_PIECE_ANSWER)
            take_answer(client, status, body);
        else if (piece == HTTP_PIECE_MESSAGE)
            take_message(client, body);
        json_decref(body);
    }
    if (pong.size > 0)
        sim_client_send(client, buf_span(&pong));
    if (p->asked == ASK_NOTHING)
        sim_client_act_in(client, sim_below(&client->rng, THINK_MS));
    buf_free(&text);
    buf_free(&pong);
}

static void player_closed(struct sim_client *client) {
    sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void player_freed(struct sim_client *client) {
    struct player *p = client->own;
    table_forget(p);
    http_stream_free(&p->stream);
}

/* Witness. */

static struct told *told_of(size_t connection) {
    struct told *told = api.told;
    while (told != NULL && told->connection != connection)
        told = told->next;
    if (told != NULL)
        return told;
    told = calloc(1, sizeof *told);
    assert(told != NULL);
    told->connection = connection;
    told->next = api.told;
    api.told = told;
    return told;
}

/* The text of the view in a message, as it was written; empty when there is none. */
static struct span view_of(struct span body) {
    static const char name[] = "\"view\":{";
    const char *begin = memmem(body.data, body.size, name, sizeof name - 1);
    if (begin == NULL)
        return SPAN("");
    begin += sizeof name - 2;
    int depth = 0;
    bool is_text = false;
    for (const char *at = begin; at < body.data + body.size; at++) {
        if (is_text && *at == '\\')
            at++;
        else if (*at == '"')
            is_text = !is_text;
        else if (!is_text && (*at == '{' || *at == '}') && (depth += *at == '{' ? 1 : -1) == 0)
            return span_make(begin, (size_t)(at + 1 - begin));
    }
    return SPAN("");
}

static void view_text(char text[SIM_FACT_BYTES_MAX], uint64_t version, unsigned viewer, struct span view) {
    char line[SIM_FACT_BYTES_MAX];
    sim_fact_text(view, line);
    snprintf(text, SIM_FACT_BYTES_MAX, "version %llu for %u %s", (unsigned long long)version, viewer,
             strrchr(line, '#'));
}

static void version_text(char text[SIM_FACT_BYTES_MAX], uint64_t version) {
    snprintf(text, SIM_FACT_BYTES_MAX, "version %llu", (unsigned long long)version);
}

/* A fact once, however often it is shown, and whatever was looked at in between. */
static void tell_once(struct sim *sim, struct told *told, size_t listener, uint64_t table, const char *text) {
    listener += told->connection * LISTENERS_OF_CONNECTION;
    struct glance *g = NULL;
    for (size_t i = 0; i < GLANCES_MAX && g == NULL; i++)
        if (told->glances[i].table == table && told->glances[i].listener == listener)
            g = &told->glances[i];
    if (g == NULL)
        g = &told->glances[told->glance_count++ % GLANCES_MAX];
    else if (strcmp(text, g->text) == 0)
        return;
    g->listener = listener;
    g->table = table;
    snprintf(g->text, sizeof g->text, "%s", text);
    sim_told(sim, &api_dialect, listener, table, true, text);
}

/* What was said about one table: how it looks, or how far it is. */
static void body_told(struct sim *sim, struct told *told, const json_t *body, struct span written) {
    char text[SIM_FACT_BYTES_MAX];
    int64_t version, viewer;
    uint64_t table;
    struct span view = view_of(written);
    if (!table_code_parse(json_text(body, "code"), &table) || !json_int(body, "version", &version) ||
        version == 0 || json_has(body, "error") || json_is(body, "tried"))
        return;
    if (view.size == 0) {
        version_text(text, (uint64_t)version);
        tell_once(sim, told, LISTENERS_OF_CONNECTION - 1, table, text);
        return;
    }
    if (!json_int(body, "as", &viewer)) {
        if (!span_is(json_text(body, "as"), "watcher"))
            return;
        viewer = SEAT_WATCHER;
    }
    view_text(text, (uint64_t)version, (unsigned)viewer, view);
    tell_once(sim, told, (size_t)viewer % (LISTENERS_OF_CONNECTION - 1), table, text);
}

static void player_told(struct sim_client *client, size_t connection, struct span bytes) {
    struct told *told = told_of(connection);
    struct buf text = {0};
    enum http_piece piece;
    int status;
    json_t *body;
    counted_pause(true);
    http_stream_add(&told->stream, bytes);
    while (piece_next(client->sim, &told->stream, &piece, &status, &body, &text)) {
        if (body != NULL && status < 400)
            body_told(client->sim, told, body, buf_span(&text));
        json_decref(body);
    }
    buf_free(&text);
    counted_pause(false);
}

/* Everything that may be shown after an event, to whom ever. */
static void api_tells(struct sim_telling *t, const struct sim_step *step) {
    const struct game *game = step->fold->game;
    char text[SIM_FACT_BYTES_MAX];
    if (step->before == NULL)
        telling_view(t, SPAN(""));
    if (!step->is_last)
        return;
    version_text(text, step->event->seq);
    telling_add(t, text, true);
    struct game_view *view = malloc(game->state_size);
    assert(view != NULL);
    for (unsigned i = 0; i <= step->fold->setup.options.seat_count; i++) {
        unsigned viewer = i == step->fold->setup.options.seat_count ? SEAT_WATCHER : i;
        struct buf out = {0};
        struct writer w;
        game_view(game, step->fold->state, viewer, view);
        writer_init(&w, WRITER_JSON, &out);
        game->describe(view, &w);
        view_text(text, step->event->seq, viewer, buf_span(&out));
        telling_add(t, text, true);
        buf_free(&out);
    }
    free(view);
}

/* The dialect. */

static void told_free(void) {
    while (api.told != NULL) {
        struct told *next = api.told->next;
        counted_pause(true);
        http_stream_free(&api.told->stream);
        counted_pause(false);
        free(api.told);
        api.told = next;
    }
}

static struct port *api_open(struct sim *sim, struct tables *tables) {
    api.config.lounge.tables = tables;
    api.config.store = sim->server->store;
    api.config.lounge.thinker = api.thinkers[sim->server->index];
    api.config.inspector = sim->inspector;
    api.config.desk = sim->options.has_cups ? cup_clients_desk(sim->server) : NULL;
    struct http_route route = api_route(&api.config);
    return http_port_create(&api.http, &route, 1);
}

static void api_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    api.config = api_config_default();
    api.http = http_port_config_default();
    api.http.wall_ms = wall_ms;
    api.http.header_timeout_ms = 1000 + sim_below(rng, 10000);
    api.http.idle_timeout_ms = 30000 + sim_below(rng, 20000); /* longer than anybody waits for an answer */
    api.config.lounge.idle_ms = 5000 + sim_below(rng, 60000);
    api.config.lounge.linger_ms = 500 + sim_below(rng, 5000);
    if (sim_chance(rng, 200))
        api.config.lounge.tables_max = 1 + sim_below(rng, 3);
    json_clients_thinkers_create(api.thinkers);
}

static void api_populate(struct sim *sim) {
    static const struct sim_client_kind kind = {.size = sizeof(struct player),
                                                .acts = player_acts,
                                                .heard = player_hears,
                                                .closed = player_closed,
                                                .told = player_told,
                                                .freed = player_freed};
    static const unsigned malices[] = {0, 0, 5, 30, 100};
    size_t count = PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE);
    for (size_t i = 0; i < count; i++) {
        struct sim_client *client = sim_client_add(sim, &api_dialect, &kind);
        struct player *p = client->own;
        snprintf(p->name, sizeof p->name, "api-%zu", client->index);
        p->malice_per_mille = malices[sim_below(&sim->plan_rng, sizeof malices / sizeof *malices)];
    }
}

static void api_finish(struct sim *sim) {
    (void)sim;
    json_clients_thinkers_free(api.thinkers);
    told_free();
}

static const char *api_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    (void)is_saving;
    const uint32_t limits[] = {API_SILENCE_MS, api.http.header_timeout_ms, api.http.idle_timeout_ms,
                               api.config.lounge.idle_ms, LOUNGE_SEEN_MS};
    return json_clients_wait(sim, port, limits, sizeof limits / sizeof *limits);
}

const struct sim_dialect api_dialect = {
    .name = LOUNGE_PROTOCOL,
    .prepare = api_prepare,
    .open = api_open,
    .restored = json_clients_restored,
    .populate = api_populate,
    .tells = api_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = api_waits,
    .remains = json_clients_remain,
    .work = servers_think,
    .finish = api_finish,
};
