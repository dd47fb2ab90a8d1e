/* Twins: two servers whose journals differ in one outcome of chance that somebody may not know, with the same
 * ids, secrets and times. The same script on both gives that somebody the same bytes: over the native API
 * (the table, every old version, the journal, a subscription, dry runs, refusals), over the protocol of the
 * game, and for the owner of the table from the inspector. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/lounge/lounge.h"
#include "host/table/internal.h"
#include "memory_peer.h"
#include "wire/api/api.h"
#include "wire/json/read.h"
#include "wire/renaissance/port.h"
#include "wire/treasure/route.h"

#include <stdio.h>

enum { MOVES = 24, TRIES_MAX = 5000, EVENTS_MAX = 200, NOW_MS = 1000 };

static int64_t wall_ms(void) {
    return NOW_MS;
}

static int64_t tables_wall_ms(void *context) {
    (void)context;
    return NOW_MS;
}

static void peer_close(struct link *link) {
    (void)link;
}

static const struct link_ops peer_ops = {.send = peer_send, .close = peer_close};

/* One who opens the table and looks on, and one from elsewhere who plays over the protocol of the game. */
static struct {
    struct store *store;
    struct tables *tables;
    struct thinker *thinker;
    struct inspector *inspector;
    struct port *http, *lines;
    struct peer owner, socket, stranger, client;
} world;

static void settle(void) {
    while (store_drain(world.store) > 0 || thinker_inline_work(world.thinker)) {
        world.http->ops->advance(world.http, NOW_MS);
        world.lines->ops->advance(world.lines, NOW_MS);
    }
}

static struct span say(struct port *port, struct peer *peer, struct span bytes) {
    buf_clear(&peer->got);
    port->ops->received(port, &peer->link, bytes, NOW_MS);
    settle();
    return buf_span(&peer->got);
}

static void on_restored(void *context, struct table *t) {
    (void)context;
    table_listen(t, &(struct table_listener){0});
}

static void peer_open(struct port *port, struct peer *peer, uint8_t last) {
    *peer = (struct peer){.link = {.ops = &peer_ops, .origin = address_of_four((uint8_t[]){10, 0, 0, last})}};
    port->ops->opened(port, &peer->link, NOW_MS);
}

static void http_open(void) {
    struct api_config api = api_config_default();
    api.lounge.tables = world.tables;
    api.lounge.thinker = world.thinker;
    api.store = world.store;
    api.inspector = world.inspector;
    struct hunt_config hunt = hunt_config_default();
    hunt.tables = world.tables;
    hunt.thinker = world.thinker;
    hunt.poll_interval_ms = 0;
    struct http_route routes[] = {treasure_route(&hunt, world.inspector), api_route(&api)};
    struct http_port_config http = http_port_config_default();
    http.wall_ms = wall_ms;
    world.http = http_port_create(&http, routes, 2);
}

static void world_begin(struct store *store) {
    world.store = store;
    world.tables =
        tables_create(&(struct tables_config){.store = store, .wall_ms = tables_wall_ms, .secret = secret});
    assert_int_equal(tables_restore(world.tables, NOW_MS, on_restored, NULL), ERR_OK);
    world.thinker = thinker_inline_create();
    world.inspector = inspector_create(&(struct inspector_config){.wall_ms = wall_ms});
    struct renaissance_port_config lines = renaissance_port_config_default();
    lines.tables = world.tables;
    lines.inspector = world.inspector;
    world.lines = renaissance_port_create(&lines); /* before the API, which opens its door */
    http_open();
    world.http->ops->advance(world.http, NOW_MS);
    world.lines->ops->advance(world.lines, NOW_MS);
    peer_open(world.http, &world.owner, 1);
    peer_open(world.http, &world.socket, 1);
    peer_open(world.http, &world.stranger, 2);
    peer_open(world.lines, &world.client, 2);
    say(world.http, &world.socket,
        SPAN("GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
}

static void world_end(void) {
    struct peer *peers[] = {&world.owner, &world.socket, &world.stranger, &world.client};
    for (size_t i = 0; i < 4; i++) {
        struct port *port = i == 3 ? world.lines : world.http;
        port->ops->closed(port, &peers[i]->link, NOW_MS);
        buf_free(&peers[i]->got);
    }
    world.http->ops->shutdown(world.http);
    world.lines->ops->shutdown(world.lines);
    world.http->ops->free(world.http);
    world.lines->ops->free(world.lines);
    inspector_free(world.inspector);
    thinker_free(world.thinker);
    tables_free(world.tables);
    store_close(world.store);
}

/* Requests. */

static struct span ask(struct peer *peer, const char *method, const char *path, const char *token,
                       const char *body) {
    struct buf request = {0};
    buf_printf(&request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n", method,
               path);
    if (token[0] != '\0')
        buf_printf(&request, "Authorization: Bearer %s\r\n", token);
    buf_printf(&request, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    struct span got = say(world.http, peer, buf_span(&request));
    buf_free(&request);
    return got;
}

static void field_of(struct span answer, const char *name, char *out, size_t size) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    char *at = memmem(answer.data, answer.size, key, strlen(key));
    assert_non_null(at);
    at += strlen(key);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

struct script {
    const struct game *game;
    const char *protocol, *options;
    char code[16], owner[TOKEN_CHARS + 1], token[TOKEN_CHARS + 1], id[64];
    uint64_t table;
    struct event events[EVENTS_MAX], twins[EVENTS_MAX]; /* bodies owned */
    size_t count;
    struct digest secret;
    unsigned viewer; /* who may not know what differs */
};

/* The player of the first seat, over the protocol of the game; and again after a restart. */
static void client_speaks(struct script *s, struct buf *out) {
    char text[256];
    struct span got;
    if (strcmp(s->protocol, "renaissance") == 0) {
        snprintf(text, sizeof text, "{\"type\":\"loginRequest\",\"username\":\"carla\",\"table\":\"%s\"}\n",
                 s->code);
        got = say(world.lines, &world.client, span_of(text));
    } else if (s->id[0] == '\0') {
        snprintf(text, sizeof text, "/games/%s/players", s->code);
        got = ask(&world.stranger, "POST", text, "",
                  "<playerRegistration><playerUsername>carla</playerUsername></playerRegistration>");
        char *id = memmem(got.data, got.size, "<uniquePlayerID>", 16);
        assert_non_null(id);
        snprintf(s->id, sizeof s->id, "%.36s", id + 16);
    } else {
        snprintf(text, sizeof text, "/games/%s/states/%s", s->code, s->id);
        got = ask(&world.stranger, "GET", text, "", "");
        assert_non_null(memmem(got.data, got.size, s->id, 36));
    }
    buf_append(out, got);
}

static void table_begin(struct script *s) {
    char body[256], path[64];
    struct buf ignored = {0};
    snprintf(body, sizeof body, "{\"game\":\"%s\",\"protocol\":\"%s\",\"seats\":2,\"inspect\":true%s}",
             s->game->name, s->protocol, s->options);
    struct span opened = ask(&world.owner, "POST", "/api/v1/tables", "", body);
    field_of(opened, "code", s->code, sizeof s->code);
    field_of(opened, "owner_token", s->owner, sizeof s->owner);
    assert_true(table_code_parse(span_of(s->code), &s->table));
    client_speaks(s, &ignored);
    buf_free(&ignored);
    snprintf(path, sizeof path, "/api/v1/tables/%s/seats", s->code);
    field_of(ask(&world.owner, "POST", path, "", "{\"name\":\"dora\"}"), "token", s->token, sizeof s->token);
}

static void table_play(const struct script *s) {
    struct table *t = tables_find(world.tables, s->table);
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned n = 0; n < MOVES; n++) {
        unsigned seat = table_may_act(t, 0) ? 0 : 1;
        struct action action;
        assert_true(table_may_act(t, seat));
        s->game->sample(table_state(t), seat, &rng, &action);
        assert_int_equal(table_act(t, seat, &action, 1, NOW_MS), ERR_OK);
        settle();
        assert_int_equal(table_state_word(t), TABLE_RUNNING);
    }
}

/* Journals. */

static void event_copy(struct event *to, const struct event *from, struct span body) {
    char *kept = mem_alloc(body.size + 1);
    memcpy(kept, body.data, body.size);
    *to = *from;
    to->body = span_make(kept, body.size);
}

static bool event_take(void *context, uint64_t table, const struct event *event) {
    struct script *s = context;
    (void)table;
    assert_true(s->count < EVENTS_MAX);
    event_copy(&s->events[s->count++], event, event->body);
    return true;
}

static void events_free(struct event *events, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mem_free((void *)(uintptr_t)events[i].body.data);
        events[i] = (struct event){0};
    }
}

/* The journal with another outcome at this event; events after it stay as they are. */
static void twin_write(struct script *s, size_t changed, const struct game_state *before, struct rng *rng) {
    struct event_action *outcome = mem_alloc(sizeof *outcome);
    struct game_state *state = game_state_alloc(s->game);
    struct buf body = {0};
    memcpy(state, before, s->game->state_size);
    assert_int_equal(event_action_read(s->events[changed].body, outcome), ERR_OK);
    for (size_t i = 0; i < outcome->action_count; i++) {
        s->game->sample(state, SEAT_CHANCE, rng, &outcome->actions[i]);
        s->game->apply(state, SEAT_CHANCE, &outcome->actions[i]);
    }
    event_action_write(&body, SEAT_CHANCE, outcome->actions, outcome->action_count);
    events_free(s->twins, s->count);
    for (size_t i = 0; i < s->count; i++) {
        event_copy(&s->twins[i], &s->events[i], i == changed ? buf_span(&body) : s->events[i].body);
        event_chain(&s->twins[i], s->table, i == 0 ? NULL : &s->twins[i - 1].hash);
    }
    buf_free(&body);
    mem_free(state);
    mem_free(outcome);
}

/* Whether the two journals can both be, look the same to the viewer all along, and are not the same. */
static bool twins_fit(const struct script *s) {
    struct fold one, other;
    struct game_state *a = game_state_alloc(s->game), *b = game_state_alloc(s->game);
    bool fits = true;
    fold_init(&one, s->table);
    fold_init(&other, s->table);
    for (size_t i = 0; i < s->count && fits; i++) {
        fits = fold_event(&one, &s->events[i]) == ERR_OK && fold_event(&other, &s->twins[i]) == ERR_OK;
        if (!fits || one.state == NULL)
            continue;
        game_view(s->game, one.state, s->viewer, (struct game_view *)a);
        game_view(s->game, other.state, s->viewer, (struct game_view *)b);
        fits = memcmp(a, b, s->game->state_size) == 0;
    }
    fits = fits && memcmp(one.state, other.state, s->game->state_size) != 0;
    fold_free(&one);
    fold_free(&other);
    mem_free(a);
    mem_free(b);
    return fits;
}

/* Finds an outcome that the viewer does not know. */
static bool twin_find(struct script *s, struct rng *rng) {
    for (unsigned n = 0; n < TRIES_MAX; n++) {
        size_t changed = rng_below(rng, (uint32_t)s->count);
        struct fold fold;
        if (s->events[changed].kind != EVENT_CHANCE)
            continue;
        fold_init(&fold, s->table);
        for (size_t i = 0; i < changed; i++)
            assert_int_equal(fold_event(&fold, &s->events[i]), ERR_OK);
        twin_write(s, changed, fold.state, rng);
        fold_free(&fold);
        if (twins_fit(s))
            return true;
    }
    return false;
}

static void store_done_well(void *context, enum err e) {
    (void)context;
    assert_int_equal(e, ERR_OK);
}

static struct store *store_of(const struct script *s, const struct event *events, const struct digest *key) {
    struct store *store = store_memory_open(true);
    store->key = *key;
    store_append(store, &(struct store_request){.table = s->table,
                                                .events = events,
                                                .event_count = s->count,
                                                .secret = &s->secret,
                                                .done = store_done_well});
    store_drain(store);
    return store;
}

/* The script. */

static void watch(const struct script *s, const char *token, struct buf *out) {
    struct buf text = {0}, frame = {0};
    buf_printf(&text, "{\"type\":\"watch\",\"id\":\"1\",\"table\":\"%s\",\"version\":1%s%s%s%128s}", s->code,
               token[0] == '\0' ? "" : ",\"token\":\"", token, token[0] == '\0' ? "" : "\"", "");
    buf_append_byte(&frame, (char)0x81);
    buf_append_byte(&frame, (char)(0x80 | 126));
    buf_append_byte(&frame, (char)(text.size >> 8));
    buf_append_byte(&frame, (char)text.size);
    buf_append(&frame, span_make("\0\0\0\0", 4));
    buf_append(&frame, buf_span(&text));
    buf_append(out, say(world.http, &world.socket, buf_span(&frame)));
    buf_free(&text);
    buf_free(&frame);
}

static void try_actions(const struct script *s, struct buf *out) {
    char path[64];
    snprintf(path, sizeof path, "/api/v1/tables/%s/actions", s->code);
    buf_append(out, ask(&world.owner, "POST", path, s->token, "{\"actions\":[],\"dry_run\":true}"));
    buf_append(out, ask(&world.owner, "POST", path, s->token, "{\"actions\":[\"nonsense\"]}"));
    struct table *t = tables_find(world.tables, s->table);
    struct action *legal = mem_alloc(s->game->actions_max * sizeof *legal);
    size_t count = table_may_act(t, 1) ? table_legal(t, 1, legal) : 0;
    for (size_t i = 0; count != LEGAL_UNLISTED && i < count && i < 8; i++) {
        char text[ACTION_TEXT_BYTES_MAX], body[ACTION_TEXT_BYTES_MAX + 64];
        s->game->action_format(table_state(t), 1, &legal[i], text);
        snprintf(body, sizeof body, "{\"actions\":[\"%s\"],\"dry_run\":true}", text);
        buf_append(out, ask(&world.owner, "POST", path, s->token, body));
    }
    mem_free(legal);
}

/* All that the viewer is told; out has it. */
static void script_run(struct script *s, struct store *store, struct buf *out) {
    char path[96];
    const char *token = s->viewer == 1 ? s->token : "";
    struct buf theirs = {0};
    world_begin(store);
    client_speaks(s, s->viewer == 0 ? out : &theirs);
    snprintf(path, sizeof path, "/api/v1/tables/%s", s->code);
    for (unsigned i = 0; i < 2 && s->viewer != 0; i++)
        buf_append(out, ask(&world.owner, "GET", path, token, ""));
    for (size_t version = 1; version <= s->count && s->viewer != 0; version++) {
        snprintf(path, sizeof path, "/api/v1/tables/%s/at/%zu", s->code, version);
        buf_append(out, ask(&world.owner, "GET", path, token, ""));
    }
    snprintf(path, sizeof path, "/api/v1/tables/%s/journal", s->code);
    if (s->viewer != 0)
        buf_append(out, ask(&world.owner, "GET", path, token, ""));
    if (s->viewer != 0)
        watch(s, token, out);
    if (s->viewer == 1)
        try_actions(s, out);
    snprintf(path, sizeof path, "/api/v1/tables/%s/wire", s->code);
    if (s->viewer == SEAT_WATCHER) {
        buf_append(out, ask(&world.owner, "GET", path, s->owner, ""));
        assert_non_null(strstr(buf_text(out), "\"hidden\":true"));
        assert_null(strstr(buf_text(out), "\"hidden\":false"));
    }
    world_end();
    buf_free(&theirs);
}

static void twins_are_told_the_same(const char *name, const char *protocol, const char *options) {
    static struct script s;
    struct rng rng;
    struct buf one = {0}, other = {0};
    struct digest key;
    unsigned found = 0;
    s = (struct script){.game = game_by_name(span_of(name)), .protocol = protocol, .options = options};
    assert_non_null(s.game);
    world_begin(store_memory_open(true));
    key = world.store->key;
    table_begin(&s);
    table_play(&s);
    assert_int_equal(store_read(world.store, s.table, 1, event_take, &s), ERR_OK);
    assert_int_equal(store_secret(world.store, s.table, &s.secret), ERR_OK);
    world_end();
    rng_seed(&rng, 9);
    static const unsigned viewers[] = {0, 1, SEAT_WATCHER};
    for (size_t i = 0; i < 3; i++) {
        s.viewer = viewers[i];
        if (!twin_find(&s, &rng))
            continue;
        found++;
        buf_clear(&one);
        buf_clear(&other);
        script_run(&s, store_of(&s, s.events, &key), &one);
        script_run(&s, store_of(&s, s.twins, &key), &other);
        assert_int_equal(one.size, other.size);
        assert_memory_equal(buf_text(&one), buf_text(&other), one.size);
        assert_true(one.size > 100);
    }
    assert_int_equal(found, 3);
    events_free(s.events, s.count);
    events_free(s.twins, s.count);
    buf_free(&one);
    buf_free(&other);
}

static void twins_of_renaissance(void **state) {
    (void)state;
    twins_are_told_the_same("renaissance", "renaissance", "");
}

static void twins_of_treasure_hunt(void **state) {
    (void)state;
    twins_are_told_the_same("treasure-hunt", "treasure", ",\"options\":{\"players\":\"any\"}");
}

/* Whoever adds a game with secrets adds it here. */
static void every_game_with_secrets_has_twins(void **state) {
    (void)state;
    for (size_t i = 0; games[i] != NULL; i++)
        if (game_has_secrets(games[i]))
            assert_true(strcmp(games[i]->name, "renaissance") == 0 ||
                        strcmp(games[i]->name, "treasure-hunt") == 0);
}

int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_of_renaissance),
        cmocka_unit_test(twins_of_treasure_hunt),
        cmocka_unit_test(every_game_with_secrets_has_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
