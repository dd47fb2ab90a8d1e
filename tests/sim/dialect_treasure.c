/* Treasure Hunt over HTTP and XML in the simulation. Players of both kinds create games, tell each other the
 * ids, register, send half maps, poll, and move where they are told that they can. Bad ones also say what is
 * illegal, out of turn or no request at all, go, vanish and come back with their secret ids. A good move is
 * never refused, an id that was given is known as long as the game is, and whoever asks is answered. What the
 * states have to show is in treasure_witness.c. */
#include "json_clients.h"

#include "http_stream.h"
#include "treasure_witness.h"
#include "wire/treasure/answer.h"
#include "wire/treasure/route.h"

#include <stdio.h>

enum {
    PLAYERS_MIN = 2,
    PLAYERS_MORE = 5,
    THINK_MS = 60,
    POLL_MS = 600,
    DAWDLE_MS = 6000,
    AWAY_MS = 2000,
    PATIENCE_MS = 2500,
    MUTE_MS = 25000,      /* without an answer; longer than any disk is slow */
    STALE_POLLS_MAX = 80, /* of a state that does not change, then the game is left alone */
    OVER_POLLS_MAX = 8,   /* of a game that is over */
    NAME_BYTES_MAX = 40,
};

extern const struct sim_dialect treasure_dialect;

/* What all of a run share; there is one run at a time. */
static struct {
    struct hunt_config config;
    struct http_port_config http;
    struct thinker *thinkers[SIM_NODES_MAX]; /* of each server */
    char offer[TREASURE_CODE_BYTES_MAX];     /* a game that its creator has told the others of */
    unsigned offers_left;
} treasure;

struct player {
    struct http_stream stream;
    unsigned malice_per_mille;
    size_t connection; /* its number in the network */
    struct treasure_ask asked,
        behind; /* what is not answered yet: the first, and what it did not wait with */
    uint64_t asked_ms;
    bool is_hasty;    /* asks for its state without waiting for the answer to its move */
    bool is_sure;     /* what it asks for is right, as far as it was told */
    bool is_fouled;   /* it has said here what is no request */
    bool is_doubtful; /* something that it said in this game was never answered, and may still arrive */
    char game[TREASURE_CODE_BYTES_MAX];
    char id[HUNT_ID_CHARS + 1]; /* "": not registered */
    enum hunt_kind kind;
    const char *name; /* as it stands in XML */
    uint64_t well_ms; /* when it asked the last thing that went well in this game */
    struct treasure_answer state;
    bool has_state;
    char state_id[TREASURE_TEXT_BYTES_MAX]; /* of the one before */
    unsigned stale_polls, over_polls;
    enum treasure_direction direction; /* of its last move */
};

static int64_t wall_ms(void) {
    return sim_current() == NULL ? 1 : sim_wall_ms(sim_current());
}

static void game_forget(struct player *p) {
    p->game[0] = p->id[0] = p->state_id[0] = '\0';
    p->has_state = p->is_doubtful = false;
    p->stale_polls = p->over_polls = 0;
}

/* Speaking. */

static void request(struct sim_client *client, struct treasure_ask ask, const char *method, const char *path,
                    struct span body) {
    struct player *p = client->own;
    struct buf out = {0};
    sim_trace(client->sim, "client %zu asks %s %s %.*s", client->index, method, path,
              body.size < 100 ? (int)body.size : 100, body.size == 0 ? "" : body.data);
    buf_printf(&out, "%s %s HTTP/1.1\r\nHost: sim\r\nAccept: application/xml\r\n", method, path);
    if (body.size > 0)
        buf_printf(&out, "Content-Type: application/xml\r\nContent-Length: %zu\r\n", body.size);
    buf_append_text(&out, "\r\n");
    buf_append(&out, body);
    treasure_witness_asked(p->connection, &ask);
    sim_client_send(client, buf_span(&out));
    buf_free(&out);
    p->asked_ms = client->sim->now_ms;
    if (p->asked.kind == TREASURE_ASK_NOTHING)
        p->asked = ask;
    else
        p->behind = ask;
}

static struct treasure_ask ask_make(const struct player *p, enum treasure_ask_kind kind) {
    struct treasure_ask ask = {.kind = kind};
    memcpy(ask.game, p->game, sizeof ask.game);
    memcpy(ask.player, p->id, sizeof ask.player);
    return ask;
}

static void create_game(struct sim_client *client) {
    static const char *const queries[] = {"",
                                          "",
                                          "?violation=lose",
                                          "?violation=refuse&maxActions=60",
                                          "?maxActions=12",
                                          "?maxActions=100&actionTime=2",
                                          "?actionTime=3.5&enableDebugMode=true",
                                          "?enableDummyCompetition=true&maxActions=400"};
    char path[100];
    struct treasure_ask ask = {.kind = TREASURE_ASK_GAME};
    snprintf(path, sizeof path, "/games%s",
             queries[sim_below(&client->rng, sizeof queries / sizeof *queries)]);
    request(client, ask, "GET", path, SPAN(""));
}

static void enter(struct sim_client *client, const char *game) {
    static const char *const names[] = {"ann", "J&amp;rg", "&lt;b&gt;", "M\xc3\xbcller", "&quot; &apos;"};
    struct player *p = client->own;
    struct treasure_ask ask = {.kind = TREASURE_ASK_PLAYER};
    char path[80], body[400];
    game_forget(p);
    snprintf(p->game, sizeof p->game, "%s", game);
    memcpy(ask.game, p->game, sizeof ask.game);
    p->name = names[sim_below(&client->rng, sizeof names / sizeof *names)];
    p->kind = sim_chance(&client->rng, 500) ? HUNT_COURSE : HUNT_SEED;
    snprintf(path, sizeof path, "/games/%s/players", game);
    if (p->kind == HUNT_SEED)
        snprintf(body, sizeof body,
                 "<playerRegistration><playerUsername>%s</playerUsername></playerRegistration>", p->name);
    else
        snprintf(body, sizeof body,
                 "<playerRegistration><studentFirstName>%s</studentFirstName><studentLastName>B</"
                 "studentLastName><studentUAccount>c%zu</studentUAccount></playerRegistration>",
                 p->name, client->index);
    request(client, ask, "POST", path, span_of(body));
}

static void find_game(struct sim_client *client) {
    if (treasure.offers_left > 0) {
        treasure.offers_left--;
        enter(client, treasure.offer);
    } else {
        create_game(client);
    }
}

static void poll(struct sim_client *client) {
    struct player *p = client->own;
    char path[120];
    snprintf(path, sizeof path, "/games/%s/states/%s", p->game, p->id);
    request(client, ask_make(p, TREASURE_ASK_STATE), "GET", path, SPAN(""));
}

static void move(struct sim_client *client, enum treasure_direction direction) {
    static const char *const words[] = {"Up", "Down", "Left", "Right"};
    struct player *p = client->own;
    struct treasure_ask ask = ask_make(p, TREASURE_ASK_MOVE);
    char path[80], body[200];
    ask.direction = p->direction = direction;
    snprintf(path, sizeof path, "/games/%s/moves", p->game);
    snprintf(body, sizeof body, "<playerMove><uniquePlayerID>%s</uniquePlayerID><move>%s</move></playerMove>",
             p->id, words[direction]);
    request(client, ask, "POST", path, span_of(body));
}

static void send_half(struct sim_client *client, const struct treasure_half *half) {
    static const char *const words[] = {"Fog", "Water", "Grass", "Mountain"};
    struct player *p = client->own;
    struct buf body = {0};
    char path[80];
    snprintf(path, sizeof path, "/games/%s/halfmaps", p->game);
    buf_printf(&body, "<playerHalfMap><uniquePlayerID>%s</uniquePlayerID><playerHalfMapNodes>", p->id);
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++)
        buf_printf(&body,
                   "<playerHalfMapNode><X>%u</X><Y>%u</Y><fortPresent>%s</fortPresent><terrain>%s</terrain>"
                   "</playerHalfMapNode>",
                   i % TREASURE_HALF_WIDTH, i / TREASURE_HALF_WIDTH, half->is_fort[i] ? "true" : "false",
                   words[half->terrain[i]]);
    buf_append_text(&body, "</playerHalfMapNodes></playerHalfMap>");
    request(client, ask_make(p, TREASURE_ASK_HALF), "POST", path, buf_span(&body));
    buf_free(&body);
}

/* Thinking. */

static const struct treasure_field *field_at(const struct treasure_answer *state, int x, int y) {
    for (size_t i = 0; i < state->field_count; i++)
        if (state->fields[i].x == x && state->fields[i].y == y)
            return &state->fields[i];
    return NULL;
}

/* Whether the map that it was shown lets it go there. */
static bool can_go(const struct treasure_answer *state, enum treasure_direction direction) {
    static const int dx[] = {0, 0, -1, 1}, dy[] = {-1, 1, 0, 0};
    for (size_t i = 0; i < state->field_count; i++) {
        const struct treasure_field *f = &state->fields[i];
        if (!f->has_viewer)
            continue;
        const struct treasure_field *to = field_at(state, f->x + dx[direction], f->y + dy[direction]);
        return to != NULL && to->terrain != TREASURE_WATER;
    }
    return false;
}

/* Steps take several actions, so it mostly keeps its direction. */
static enum treasure_direction direction_choose(struct sim_client *client) {
    const struct player *p = client->own;
    enum treasure_direction direction = p->direction;
    if (can_go(&p->state, direction) && sim_chance(&client->rng, 850))
        return direction;
    for (unsigned i = 0; i < 100; i++) {
        direction = (enum treasure_direction)sim_below(&client->rng, TREASURE_DIRECTIONS);
        if (can_go(&p->state, direction))
            break;
    }
    return direction;
}

static bool has_half(const struct player *p) {
    for (size_t i = 0; i < p->state.field_count; i++)
        if (p->state.fields[i].has_own_fort)
            return true;
    return false;
}

static void act(struct sim_client *client) {
    struct player *p = client->own;
    struct treasure_half half;
    p->is_sure = !p->is_doubtful;
    p->has_state = false;
    if (has_half(p)) {
        move(client, direction_choose(client));
    } else {
        treasure_half_draw(&half, &client->rng);
        send_half(client, &half);
    }
    if (p->is_hasty)
        poll(client);
}

/* A request in good order that is wrong here. */
static void ask_wrongly(struct sim_client *client) {
    struct player *p = client->own;
    struct treasure_half half = {0};
    p->is_sure = false;
    p->has_state = false;
    switch (sim_below(&client->rng, 5)) {
    case 0: send_half(client, &half); break;
    case 1:
        treasure_half_draw(&half, &client->rng);
        send_half(client, &half);
        break;
    case 2:
        request(client, (struct treasure_ask){.kind = TREASURE_ASK_OTHER}, "GET",
                "/games/ZZZZZ/states/702ecdb6-b363-462c-a63a-5d0a39222c4e", SPAN(""));
        break;
    case 3:
        request(client, (struct treasure_ask){.kind = TREASURE_ASK_OTHER}, "POST", "/games/ZZZZZ/players",
                SPAN("<playerRegistration>"));
        break;
    default: move(client, (enum treasure_direction)sim_below(&client->rng, TREASURE_DIRECTIONS));
    }
}

static void foul(struct sim_client *client) {
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\n\r\n",
        "POST /games/ZZZZZ/moves HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /games HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /games/ZZZZZ HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\n",
        "DELETE /games HTTP/1.1\r\nHost: a\r\nContent-Le",
        "\xff\xff\xff",
    };
    struct player *p = client->own;
    p->is_fouled = true;
    treasure_witness_fouled(p->connection);
    sim_client_send(client, span_of(texts[sim_below(&client->rng, sizeof texts / sizeof *texts)]));
}

static void leave(struct sim_client *client, bool vanishes) {
    struct player *p = client->own;
    p->is_doubtful = p->is_doubtful || p->asked.kind != TREASURE_ASK_NOTHING;
    sim_client_close(client, vanishes);
}

static void misbehave(struct sim_client *client) {
    struct player *p = client->own;
    switch (sim_below(&client->rng, 8)) {
    case 0: leave(client, false); break;
    case 1: leave(client, true); break;
    case 2: foul(client); break;
    case 3: sim_client_act_in(client, sim_below(&client->rng, DAWDLE_MS)); return;
    default:
        if (p->id[0] != '\0' && p->asked.kind == TREASURE_ASK_NOTHING && !p->is_fouled)
            ask_wrongly(client);
    }
    sim_client_act_in(client, sim_below(&client->rng, client->conn == NULL ? AWAY_MS : THINK_MS));
}

/* Living. */

static void player_connects(struct sim_client *client) {
    struct player *p = client->own;
    http_stream_free(&p->stream);
    p->asked = p->behind = (struct treasure_ask){.kind = TREASURE_ASK_NOTHING};
    p->is_sure = p->is_fouled = p->has_state = false;
    p->connection = client->sim->counts.connections;
    if (p->id[0] == '\0')
        game_forget(p); /* whether it has registered it will never know */
    bool is_connected = sim_client_connect(client);
    sim_client_act_in(client, sim_below(&client->rng, is_connected ? THINK_MS : AWAY_MS));
}

static void player_goes_on(struct sim_client *client) {
    struct player *p = client->own;
    if (p->is_fouled || sim_chance(&client->rng, 10))
        leave(client, sim_chance(&client->rng, 500));
    else if (p->id[0] == '\0')
        find_game(client);
    else if (p->has_state && p->state.standing == TREASURE_MUST_ACT)
        act(client);
    else
        poll(client);
}

static void servers_think(struct sim *sim) {
    json_clients_think(sim, treasure.thinkers);
}

static void player_acts(struct sim_client *client) {
    struct player *p = client->own;
    struct sim *sim = client->sim;
    bool is_waiting = p->asked.kind != TREASURE_ASK_NOTHING;
    servers_think(sim);
    if (client->conn == NULL) {
        player_connects(client);
        return;
    }
    if (is_waiting && sim->now_ms > p->asked_ms + MUTE_MS && !p->is_fouled && sim_client_is_linked(client))
        sim_fail(sim, "client %zu of %s was not answered for %d s", client->index, HUNT_PROTOCOL,
                 MUTE_MS / 1000);
    sim_client_act_in(client, sim_below(&client->rng, PATIENCE_MS));
    if (sim_chance(&client->rng, p->malice_per_mille))
        misbehave(client);
    else if (!is_waiting || p->is_fouled)
        player_goes_on(client);
    if (client->conn == NULL)
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

/* Listening. */

static void take_game(const struct treasure_answer *answer) {
    if (span_copy(span_of(answer->id), treasure.offer, sizeof treasure.offer))
        treasure.offers_left = TREASURE_SEATS;
}

static void take_player(struct sim_client *client, const struct treasure_answer *answer) {
    struct player *p = client->own;
    if (!span_copy(span_of(answer->id), p->id, sizeof p->id))
        sim_fail(client->sim, "client %zu has registered and got no id", client->index);
}

/* Names come back exactly as they were given. */
static void check_name(struct sim_client *client, struct span body) {
    const struct player *p = client->own;
    const char *element = p->kind == HUNT_SEED ? "playerUsername" : "firstName";
    char text[2 * NAME_BYTES_MAX + 40];
    snprintf(text, sizeof text, "<%s>%s</%s>", element, p->name, element);
    if (memmem(body.data, body.size, text, strlen(text)) == NULL)
        sim_fail(client->sim, "client %zu does not find its name in its state", client->index);
}

/* Games that are over, or where nothing happens, are left after a while. */
static void take_state(struct sim_client *client, const struct treasure_answer *answer, struct span body) {
    struct player *p = client->own;
    bool is_over = answer->standing == TREASURE_WON || answer->standing == TREASURE_LOST;
    bool is_stale = strcmp(answer->state_id, p->state_id) == 0;
    check_name(client, body);
    p->state = *answer;
    p->has_state = true;
    p->stale_polls = is_stale ? p->stale_polls + 1 : 0;
    p->over_polls += is_over;
    if (p->over_polls == 1)
        sim_trace(client->sim, "client %zu has %s game %s%s", client->index,
                  answer->standing == TREASURE_WON ? "won" : "lost", p->game,
                  answer->has_treasure ? ", with its treasure" : "");
    memcpy(p->state_id, answer->state_id, sizeof p->state_id);
    if (p->stale_polls > STALE_POLLS_MAX || p->over_polls > sim_below(&client->rng, OVER_POLLS_MAX))
        game_forget(p);
}

/* A good move is refused only when the game is over, or too many wait; and a game that somebody has asked for
 * is not forgotten. */
static void take_refusal(struct sim_client *client, const struct treasure_answer *answer) {
    struct player *p = client->own;
    struct sim *sim = client->sim;
    const char *name = answer->name;
    bool is_gone = strcmp(name, "GameNotFoundException") == 0,
         is_over = strcmp(name, "GameOverException") == 0;
    if (p->asked.kind == TREASURE_ASK_OTHER)
        return;
    if (strcmp(name, "PlayerUnknownException") == 0)
        sim_fail(sim, "the id of client %zu in game %s is not known any more", client->index, p->game);
    /* One that ended undecided is kept by the node that knew it. */
    bool was_over = sim->db != NULL && p->over_polls > 0;
    if (is_gone && p->id[0] != '\0' && sim->now_ms < p->well_ms + treasure.config.idle_ms &&
        treasure.config.games_max > SIM_CLIENTS_MAX && !was_over)
        sim_fail(sim, "the game %s of client %zu is gone", p->game, client->index);
    if (p->is_sure && !is_gone && !is_over && strcmp(name, "TooManyRequestsException") != 0 &&
        !sim_client_was_put_off(client))
        sim_fail(sim, "client %zu of %s is refused what is right: %s, %s", client->index, HUNT_PROTOCOL, name,
                 answer->message);
    if (is_gone || p->id[0] == '\0')
        game_forget(p);
}

static void take_answer(struct sim_client *client, int status, struct span body) {
    struct player *p = client->own;
    static struct treasure_answer answer;
    enum treasure_ask_kind kind = p->asked.kind;
    if (p->is_fouled || kind == TREASURE_ASK_NOTHING)
        return;
    if (status != 200) { /* the connection ends */
        p->is_doubtful = true;
    } else if (treasure_answer_read(body, span_of(p->id), &answer) != ERR_OK) {
        sim_fail(client->sim, "client %zu is answered with what cannot be read", client->index);
    } else if (!answer.is_okay) {
        take_refusal(client, &answer);
    } else {
        p->well_ms = p->asked_ms;
        if (kind == TREASURE_ASK_GAME)
            take_game(&answer);
        else if (kind == TREASURE_ASK_PLAYER)
            take_player(client, &answer);
        else if (kind == TREASURE_ASK_STATE)
            take_state(client, &answer, body);
    }
    p->is_sure = false;
    p->asked = p->behind;
    p->behind.kind = TREASURE_ASK_NOTHING;
}

static void player_hears(struct sim_client *client, struct span bytes) {
    struct player *p = client->own;
    struct buf body = {0};
    int status;
    http_stream_add(&p->stream, bytes);
    while (client->conn != NULL && http_stream_next(&p->stream, &status, &body) == HTTP_PIECE_ANSWER)
        if (client->sim->is_silent)
            p->asked.kind = p->behind.kind = TREASURE_ASK_NOTHING;
        else
            take_answer(client, status, buf_span(&body));
    buf_free(&body);
    if (p->asked.kind != TREASURE_ASK_NOTHING)
        return;
    bool is_waiting = p->has_state && p->state.standing != TREASURE_MUST_ACT;
    sim_client_act_in(client, sim_below(&client->rng, is_waiting ? POLL_MS : THINK_MS));
}

static void player_closed(struct sim_client *client) {
    struct player *p = client->own;
    p->is_doubtful = p->is_doubtful || p->asked.kind != TREASURE_ASK_NOTHING;
    sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void player_told(struct sim_client *client, size_t connection, struct span bytes) {
    treasure_witness_told(client->sim, &treasure_dialect, connection, bytes);
}

static void player_freed(struct sim_client *client) {
    struct player *p = client->own;
    http_stream_free(&p->stream);
}

/* The dialect. */

static void treasure_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    static const uint32_t intervals_ms[] = {0, 50, 400};
    treasure.config = hunt_config_default();
    treasure.http = http_port_config_default();
    treasure.http.wall_ms = wall_ms;
    treasure.http.header_timeout_ms = 1000 + sim_below(rng, 10000);
    treasure.http.idle_timeout_ms = 30000 + sim_below(rng, 20000); /* longer than anybody waits */
    treasure.config.idle_ms = 5000 + sim_below(rng, 60000);
    treasure.config.poll_interval_ms = intervals_ms[sim_below(rng, 3)];
    treasure.config.action_ms = 2000 + sim_below(rng, 20000);
    treasure.config.game_ms = 30000 + sim_below(rng, 200000);
    if (sim_chance(rng, 200))
        treasure.config.games_max = 1 + sim_below(rng, 4);
    treasure.offers_left = 0;
    json_clients_thinkers_create(treasure.thinkers);
    treasure_witness_begin(sim->options.seed);
}

static struct port *treasure_open(struct sim *sim, struct tables *tables) {
    treasure.config.tables = tables;
    treasure.config.thinker = treasure.thinkers[sim->server->index];
    struct http_route route = treasure_route(&treasure.config, sim->inspector);
    return http_port_create(&treasure.http, &route, 1);
}

static void treasure_populate(struct sim *sim) {
    static const struct sim_client_kind kind = {.size = sizeof(struct player),
                                                .acts = player_acts,
                                                .heard = player_hears,
                                                .closed = player_closed,
                                                .told = player_told,
                                                .freed = player_freed};
    static const unsigned malices[] = {0, 0, 5, 30, 100};
    size_t count = PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE);
    for (size_t i = 0; i < count; i++) {
        struct sim_client *client = sim_client_add(sim, &treasure_dialect, &kind);
        struct player *p = client->own;
        p->malice_per_mille = malices[sim_below(&sim->plan_rng, sizeof malices / sizeof *malices)];
        p->is_hasty = sim_chance(&sim->plan_rng, 300);
    }
}

static void treasure_finish(struct sim *sim) {
    (void)sim;
    json_clients_thinkers_free(treasure.thinkers);
    treasure_witness_finish();
}

static const char *treasure_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    (void)is_saving;
    const uint32_t limits[] = {treasure.http.header_timeout_ms, treasure.http.idle_timeout_ms,
                               treasure.config.idle_ms,         treasure.config.poll_interval_ms,
                               treasure.config.game_ms,         HUNT_SEEN_MS};
    return json_clients_wait(sim, port, limits, sizeof limits / sizeof *limits);
}

const struct sim_dialect treasure_dialect = {
    .name = HUNT_PROTOCOL,
    .prepare = treasure_prepare,
    .open = treasure_open,
    .restored = json_clients_restored,
    .populate = treasure_populate,
    .tells = treasure_witness_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = treasure_waits,
    .remains = json_clients_remain,
    .work = servers_think,
    .finish = treasure_finish,
};
