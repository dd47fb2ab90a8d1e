/* The API tells nothing that is hidden: the same table with another truth behind the same view answers with
 * the same bytes, over HTTP and over WebSocket, whatever is looked at or tried; and so is what is refused in
 * earnest. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "game/stock.h"
#include "host/lounge/lounge.h"
#include "memory_peer.h"
#include "twin.h"
#include "wire/api/api.h"
#include "wire/json/read.h"

#include <stdio.h>

enum { POSITIONS_MAX = 60, TWINS = 4, LEGAL_LOOKED_MAX = 6 };

static int64_t wall_ms(void) {
    return 1000;
}

static int64_t tables_wall_ms(void *context) {
    (void)context;
    return 1000;
}

static void peer_close(struct link *link) {
    (void)link;
    fail_msg("the server has hung up");
}

static const struct link_ops peer_ops = {.send = peer_send, .close = peer_close};

/* A server in memory with one connection that speaks HTTP and one that speaks WebSocket. */
struct world {
    struct store *store;
    struct tables *tables;
    struct thinker *thinker;
    struct inspector *inspector;
    struct port *port;
    struct peer plain, socket;
};

static struct world world;

static void say(struct peer *peer, struct span bytes) {
    struct world *w = &world;
    buf_clear(&peer->got);
    w->port->ops->received(w->port, &peer->link, bytes, 1);
    while (store_drain(w->store) > 0 || thinker_inline_work(w->thinker))
        w->port->ops->advance(w->port, 1);
}

static int setup(void **state) {
    (void)state;
    struct world *w = &world;
    log_set_level(LOG_ERROR);
    *w = (struct world){.store = store_memory_open(true)};
    w->tables = tables_create(
        &(struct tables_config){.store = w->store, .wall_ms = tables_wall_ms, .secret = secret});
    w->thinker = thinker_inline_create();
    w->inspector = inspector_create(&(struct inspector_config){.wall_ms = wall_ms});
    struct api_config config = api_config_default();
    config.lounge.tables = w->tables;
    config.lounge.thinker = w->thinker;
    config.store = w->store;
    config.inspector = w->inspector;
    struct http_route route = api_route(&config);
    struct http_port_config http = http_port_config_default();
    http.wall_ms = wall_ms;
    w->port = http_port_create(&http, &route, 1);
    w->port->ops->advance(w->port, 1);
    w->plain.link.ops = w->socket.link.ops = &peer_ops;
    w->port->ops->opened(w->port, &w->plain.link, 1);
    w->port->ops->opened(w->port, &w->socket.link, 1);
    say(&w->socket,
        SPAN("GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
    assert_memory_equal(buf_text(&w->socket.got), "HTTP/1.1 101", 12);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    struct world *w = &world;
    w->port->ops->closed(w->port, &w->plain.link, 1);
    w->port->ops->closed(w->port, &w->socket.link, 1);
    w->port->ops->shutdown(w->port);
    w->port->ops->free(w->port);
    inspector_free(w->inspector);
    thinker_free(w->thinker);
    tables_free(w->tables);
    store_close(w->store);
    buf_free(&w->plain.got);
    buf_free(&w->socket.got);
    return 0;
}

/* What is asked, and all bytes of the answer. */
static struct span post(const char *path, const char *token, const char *body) {
    struct buf request = {0};
    buf_printf(&request,
               "POST /api/v1/tables%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n",
               path);
    if (token != NULL)
        buf_printf(&request, "Authorization: Bearer %s\r\n", token);
    buf_printf(&request, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    say(&world.plain, buf_span(&request));
    buf_free(&request);
    return buf_span(&world.plain.got);
}

static struct span message(const char *text) {
    static const uint8_t mask[4] = {0};
    size_t size = strlen(text);
    struct buf frame = {0};
    assert_in_range(size, 126, 65535);
    buf_append_byte(&frame, (char)0x81);
    buf_append_byte(&frame, (char)(0x80 | 126));
    buf_append_byte(&frame, (char)(size >> 8));
    buf_append_byte(&frame, (char)size);
    buf_append(&frame, span_make(mask, 4));
    buf_append(&frame, span_of(text));
    say(&world.socket, buf_span(&frame));
    buf_free(&frame);
    return buf_span(&world.socket.got);
}

static json_t *posted(const char *path, const char *token, const char *body) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *value = NULL;
    post(path, token, body);
    const char *end = strstr(buf_text(&world.plain.got), "\r\n\r\n");
    assert_non_null(end);
    assert_int_equal(json_read_object(span_of(end + 4), &value, complaint), ERR_OK);
    return value;
}

struct players {
    char code[16];
    char tokens[SEATS_MAX][TOKEN_CHARS + 1];
    struct table *table;
    struct rng rng;
    unsigned unknown, known, other_worlds; /* so many answers, and twins that are not the truth */
};

static void players_sit(struct players *p, const struct game *game) {
    char body[128], path[32];
    uint64_t id;
    unsigned seats = game->seats_min < 2 ? 2 : game->seats_min;
    snprintf(body, sizeof body, "{\"game\":\"%s\",\"seats\":%u}", game->name, seats);
    json_t *opened = posted("", NULL, body);
    snprintf(p->code, sizeof p->code, "%s", json_text(opened, "code").data);
    json_decref(opened);
    snprintf(path, sizeof path, "/%s/seats", p->code);
    for (unsigned seat = 0; seat < seats; seat++) {
        json_t *sat = posted(path, NULL, "{\"name\":\"ann\"}");
        snprintf(p->tokens[seat], sizeof p->tokens[seat], "%s", json_text(sat, "token").data);
        json_decref(sat);
    }
    assert_true(table_code_parse(span_of(p->code), &id));
    p->table = tables_find(world.tables, id);
    assert_non_null(p->table);
}

/* Asks both ways; the answers in a row. */
static void ask(const struct players *p, unsigned seat, const char *actions, bool is_dry, struct buf *out) {
    char path[32], text[512];
    const char *dry = is_dry ? "true" : "false";
    buf_clear(out);
    snprintf(path, sizeof path, "/%s/actions", p->code);
    snprintf(text, sizeof text, "{\"actions\":[%s],\"dry_run\":%s}", actions, dry);
    buf_append(out, post(path, p->tokens[seat], text));
    snprintf(
        text, sizeof text,
        "{\"type\":\"act\",\"id\":\"%s\",\"table\":\"%s\",\"token\":\"%s\",\"actions\":[%s],\"dry_run\":%s}",
        "so that the message is not a short one", p->code, p->tokens[seat], actions, dry);
    buf_append(out, message(text));
}

/* The same question to the truth and to worlds that look the same to the seat. */
static void ask_twins(struct players *p, unsigned seat, const char *actions, bool is_dry) {
    const struct game *game = table_game(p->table);
    struct game_state *truth = game_state_alloc(game);
    struct buf first = {0}, again = {0};
    memcpy(truth, table_state(p->table), game->state_size);
    ask(p, seat, actions, is_dry, &first);
    p->unknown += strstr(buf_text(&first), "\"unknown\":true") != NULL;
    p->known += strstr(buf_text(&first), "\"unknown\":false") != NULL;
    for (unsigned i = 0; i < TWINS; i++) {
        p->other_worlds += truth_imagine(p->table, seat, &p->rng);
        ask(p, seat, actions, is_dry, &again);
        truth_set(p->table, truth);
        assert_string_equal(buf_text(&first), buf_text(&again));
    }
    buf_free(&first);
    buf_free(&again);
    mem_free(truth);
}

/* All that a viewer can look at: the table, its journal, and what begins a subscription. */
static void look(const struct players *p, unsigned viewer, struct buf *out) {
    static const char *const paths[] = {"", "/journal"};
    const char *token = viewer < SEATS_MAX ? p->tokens[viewer] : NULL;
    char text[256];
    buf_clear(out);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct buf request = {0};
        buf_printf(&request, "GET /api/v1/tables/%s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n", p->code, paths[i]);
        if (token != NULL)
            buf_printf(&request, "Authorization: Bearer %s\r\n", token);
        buf_append_text(&request, "\r\n");
        say(&world.plain, buf_span(&request));
        buf_append(out, buf_span(&world.plain.got));
        buf_free(&request);
    }
    snprintf(text, sizeof text, "{\"type\":\"watch\",\"id\":\"1\",\"table\":\"%s\"%s%s%s%128s}", p->code,
             token == NULL ? "" : ",\"token\":\"", token == NULL ? "" : token, token == NULL ? "" : "\"", "");
    buf_append(out, message(text));
}

/* What is shown to every viewer, of the truth and of a world that looks the same. */
static void look_at_twins(struct players *p) {
    const struct game *game = table_game(p->table);
    struct game_state *truth = game_state_alloc(game);
    struct buf first = {0}, again = {0};
    memcpy(truth, table_state(p->table), game->state_size);
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++) {
        if (viewer >= table_options(p->table)->seat_count && viewer != SEAT_WATCHER)
            continue;
        look(p, viewer, &first); /* who has looked once is online */
        look(p, viewer, &first);
        assert_non_null(strstr(buf_text(&first), "\"view\":"));
        p->other_worlds += truth_imagine(p->table, viewer, &p->rng);
        look(p, viewer, &again);
        truth_set(p->table, truth);
        assert_string_equal(buf_text(&first), buf_text(&again));
    }
    buf_free(&first);
    buf_free(&again);
    mem_free(truth);
}

static void ask_about(struct players *p, unsigned seat, const struct action *action) {
    char text[ACTION_TEXT_BYTES_MAX], actions[2 * ACTION_TEXT_BYTES_MAX + 16];
    table_game(p->table)->action_format(table_state(p->table), seat, action, text);
    snprintf(actions, sizeof actions, "\"%s\"", text);
    ask_twins(p, seat, actions, true);
    snprintf(actions, sizeof actions, "\"%s\",\"nonsense\"", text);
    ask_twins(p, seat, actions, true);
    ask_twins(p, seat, actions, false);
}

static void look_at_position(struct players *p, unsigned seat) {
    const struct game *game = table_game(p->table);
    struct action *legal = mem_alloc(game->actions_max * sizeof *legal), sampled;
    size_t count = game->legal(table_state(p->table), seat, legal);
    for (size_t i = 0; count != LEGAL_UNLISTED && i < count && i < LEGAL_LOOKED_MAX; i++)
        ask_about(p, seat, &legal[count <= LEGAL_LOOKED_MAX ? i : rng_below(&p->rng, (uint32_t)count)]);
    if (count == LEGAL_UNLISTED) {
        game->sample(table_state(p->table), seat, &p->rng, &sampled);
        ask_about(p, seat, &sampled);
    }
    mem_free(legal);
}

static void play_on(struct players *p, unsigned seat) {
    const struct game *game = table_game(p->table);
    char text[ACTION_TEXT_BYTES_MAX], body[ACTION_TEXT_BYTES_MAX + 32], path[32];
    struct action action;
    game->sample(table_state(p->table), seat, &p->rng, &action);
    game->action_format(table_state(p->table), seat, &action, text);
    snprintf(body, sizeof body, "{\"actions\":[\"%s\"]}", text);
    snprintf(path, sizeof path, "/%s/actions", p->code);
    assert_memory_equal(post(path, p->tokens[seat], body).data, "HTTP/1.1 200", 12);
}

static unsigned seat_to_act(const struct table *table) {
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if (game_may_act(table_game(table), table_state(table), seat))
            return seat;
    fail_msg("nobody is to act");
    return 0;
}

static void twins_are_answered_alike(void **state) {
    (void)state;
    for (size_t i = 0; games[i] != NULL; i++) {
        const struct game *game = games[i];
        struct players p = {0};
        if (game->redact_state == stock_redact_state)
            continue;
        rng_seed(&p.rng, 12);
        players_sit(&p, game);
        for (unsigned n = 0; n < POSITIONS_MAX && table_state_word(p.table) == TABLE_RUNNING; n++) {
            unsigned seat = seat_to_act(p.table);
            look_at_position(&p, seat);
            play_on(&p, seat);
        }
        assert_true(p.other_worlds > POSITIONS_MAX && p.known > 0);
        bool has_open_outcomes = game->foresee != stock_foresee;
        assert_int_equal(has_open_outcomes, p.unknown > 0);
    }
}

static void twins_look_alike(void **state) {
    (void)state;
    for (size_t i = 0; games[i] != NULL; i++) {
        struct players p = {0};
        if (!game_has_secrets(games[i]))
            continue;
        rng_seed(&p.rng, 13);
        players_sit(&p, games[i]);
        for (unsigned n = 0; n < POSITIONS_MAX && table_state_word(p.table) == TABLE_RUNNING; n++) {
            look_at_twins(&p);
            play_on(&p, seat_to_act(p.table));
        }
        assert_true(p.other_worlds > POSITIONS_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(twins_look_alike, setup, teardown),
        cmocka_unit_test_setup_teardown(twins_are_answered_alike, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
