/* Looking back holds up nobody: while journals and lists are read, which takes as long as the test wants, the
 * API answers everybody else; and those who wait have ceilings, and are forgotten when they go. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/lounge/lounge.h"
#include "memory_peer.h"
#include "wire/api/api.h"
#include "wire/json/read.h"

#include <stdio.h>

enum {
    PEERS = 4,
    HELD_MAX = 256,
    WAITS_ADDRESS_MAX = 64, /* as docs/api.md says */
    DELAY_MS = 5000,
};

static int64_t now_ms;

static int64_t wall_ms(void) {
    return now_ms;
}

static int64_t tables_wall_ms(void *context) {
    (void)context;
    return now_ms;
}

static void peer_close(struct link *link) {
    (void)link;
    fail_msg("the server has hung up");
}

static const struct link_ops peer_ops = {.send = peer_send, .close = peer_close};

/* A server in memory whose store reads nothing of the past until it is told to. */
static struct {
    struct store *store;
    const struct store_ops *ops;
    struct store_ops slow_ops;
    bool is_slow;
    struct {
        bool is_look;
        struct store_load load;
        struct store_look look;
    } held[HELD_MAX];
    size_t held_count;
    struct tables *tables;
    struct thinker *thinker;
    struct inspector *inspector;
    struct port *port;
    struct peer peers[PEERS];
    bool is_there[PEERS];
    char code[16], token[2][TOKEN_CHARS + 1];
} world;

static void slow_load(struct store *s, const struct store_load *load) {
    if (!world.is_slow || !load->is_past) {
        world.ops->load(s, load);
        return;
    }
    assert_true(world.held_count < HELD_MAX);
    world.held[world.held_count].is_look = false;
    world.held[world.held_count++].load = *load;
}

static void slow_look(struct store *s, const struct store_look *look) {
    if (!world.is_slow) {
        world.ops->look(s, look);
        return;
    }
    assert_true(world.held_count < HELD_MAX);
    world.held[world.held_count].is_look = true;
    world.held[world.held_count++].look = *look;
}

static void settle(void) {
    size_t count;
    do {
        count = store_drain(world.store);
        world.port->ops->advance(world.port, (uint64_t)now_ms);
    } while (count > 0);
}

/* What was held back until now is read. */
static void read_on(void) {
    size_t count = world.held_count;
    world.held_count = 0;
    for (size_t i = 0; i < count; i++)
        if (world.held[i].is_look)
            world.ops->look(world.store, &world.held[i].look);
        else
            world.ops->load(world.store, &world.held[i].load);
    settle();
}

static void pass(int64_t ms) {
    now_ms += ms;
    tables_advance(world.tables, (uint64_t)now_ms);
    settle();
}

static void peer_open(unsigned i, unsigned address) {
    char text[32];
    world.peers[i].link = (struct link){.ops = &peer_ops};
    snprintf(text, sizeof text, "192.0.2.%u", address);
    assert_true(address_parse(span_of(text), &world.peers[i].link.address));
    world.peers[i].link.origin = world.peers[i].link.address;
    world.port->ops->opened(world.port, &world.peers[i].link, (uint64_t)now_ms);
    world.is_there[i] = true;
}

static void peer_end(unsigned i) {
    world.port->ops->closed(world.port, &world.peers[i].link, (uint64_t)now_ms);
    world.is_there[i] = false;
}

static const char *say(unsigned i, struct span bytes) {
    buf_clear(&world.peers[i].got);
    world.port->ops->received(world.port, &world.peers[i].link, bytes, (uint64_t)now_ms);
    settle();
    return buf_text(&world.peers[i].got);
}

/* What it has heard since it said something. */
static const char *heard(unsigned i) {
    return world.peers[i].got.size == 0 ? "" : buf_text(&world.peers[i].got);
}

static const char *ask(unsigned i, const char *method, const char *path, const char *token,
                       const char *body) {
    struct buf request = {0};
    buf_printf(&request, "%s /api/v1%s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, path);
    if (token != NULL)
        buf_printf(&request, "Authorization: Bearer %s\r\n", token);
    if (body != NULL)
        buf_printf(&request, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    buf_printf(&request, "\r\n%s", body == NULL ? "" : body);
    const char *answer = say(i, buf_span(&request));
    buf_free(&request);
    return world.peers[i].got.size == 0 ? "" : answer;
}

static const char *get(unsigned i, const char *path) {
    return ask(i, "GET", path, NULL, NULL);
}

/* Below the table of the world. */
static const char *get_table(unsigned i, const char *path) {
    char whole[64];
    snprintf(whole, sizeof whole, "/tables/%s%s", world.code, path);
    return get(i, whole);
}

static bool is_answered(const char *bytes, const char *status) {
    return strncmp(bytes, "HTTP/1.1 ", 9) == 0 && strncmp(bytes + 9, status, 3) == 0;
}

static void text_of(const char *answer, const char *field, char *out, size_t size) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    const char *end = strstr(answer, "\r\n\r\n");
    json_t *value = NULL;
    assert_non_null(end);
    assert_int_equal(json_read_object(span_of(end + 4), &value, complaint), ERR_OK);
    assert_true(span_copy(json_text(value, field), out, size));
    json_decref(value);
}

static void sit(unsigned seat, const char *name) {
    char path[64], body[64];
    snprintf(path, sizeof path, "/tables/%s/seats", world.code);
    snprintf(body, sizeof body, "{\"name\":\"%s\"}", name);
    text_of(ask(0, "POST", path, NULL, body), "token", world.token[seat], sizeof world.token[seat]);
}

static const char *act(unsigned i, unsigned seat, const char *text) {
    char path[64], body[64];
    snprintf(path, sizeof path, "/tables/%s/actions", world.code);
    snprintf(body, sizeof body, "{\"actions\":[\"%s\"]}", text);
    return ask(i, "POST", path, world.token[seat], body);
}

static const char *resign(unsigned i, unsigned seat) {
    char path[64];
    snprintf(path, sizeof path, "/tables/%s/resign", world.code);
    return ask(i, "POST", path, world.token[seat], "{}");
}

static void upgrade(unsigned i) {
    const char *answer = say(
        i, SPAN("GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"));
    assert_true(is_answered(answer, "101"));
}

static const char *message(unsigned i, const char *text) {
    static const uint8_t mask[4] = {0};
    size_t size = strlen(text);
    struct buf frame = {0};
    assert_true(size < 126);
    buf_append_byte(&frame, (char)0x81);
    buf_append_byte(&frame, (char)(0x80 | size));
    buf_append(&frame, span_make(mask, 4));
    buf_append(&frame, span_of(text));
    const char *answer = say(i, buf_span(&frame));
    buf_free(&frame);
    return world.peers[i].got.size == 0 ? "" : answer;
}

static void world_open(const char *order) {
    text_of(ask(0, "POST", "/tables", NULL, order), "code", world.code, sizeof world.code);
    sit(0, "ann");
    sit(1, "bob");
}

static int setup(void **state) {
    (void)state;
    log_set_level(LOG_ERROR);
    memset(&world, 0, sizeof world);
    now_ms = 1000000;
    world.store = store_memory_open(true);
    world.ops = world.store->ops;
    world.slow_ops = *world.ops;
    world.slow_ops.load = slow_load;
    world.slow_ops.look = slow_look;
    world.store->ops = &world.slow_ops;
    world.tables = tables_create(
        &(struct tables_config){.store = world.store, .wall_ms = tables_wall_ms, .secret = secret});
    world.thinker = thinker_inline_create();
    world.inspector = inspector_create(&(struct inspector_config){.wall_ms = wall_ms});
    struct api_config config = api_config_default();
    config.lounge.tables = world.tables;
    config.lounge.thinker = world.thinker;
    config.lounge.linger_ms = 1000;
    config.store = world.store;
    config.inspector = world.inspector;
    struct http_route route = api_route(&config);
    struct http_port_config http = http_port_config_default();
    http.wall_ms = wall_ms;
    world.port = http_port_create(&http, &route, 1);
    tables_advance(world.tables, (uint64_t)now_ms);
    world.port->ops->advance(world.port, (uint64_t)now_ms);
    for (unsigned i = 0; i < PEERS; i++)
        peer_open(i, i + 1);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    for (unsigned i = 0; i < PEERS; i++)
        if (world.is_there[i])
            peer_end(i);
    world.port->ops->shutdown(world.port);
    world.port->ops->free(world.port);
    inspector_free(world.inspector);
    thinker_free(world.thinker);
    tables_free(world.tables);
    store_close(world.store);
    for (unsigned i = 0; i < PEERS; i++)
        buf_free(&world.peers[i].got);
    return 0;
}

#define TWO "{\"game\":\"paper-soccer\"}"

static void others_are_answered_while_a_journal_is_read(void **state) {
    (void)state;
    world_open(TWO);
    world.is_slow = true;
    assert_string_equal(get_table(1, "/at/2"), "");
    assert_string_equal(get_table(2, "/journal?limit=2"), "");
    assert_int_equal(world.held_count, 1); /* of one table one at a time */
    assert_true(is_answered(get(0, "/games"), "200"));
    assert_true(is_answered(act(0, 0, "N"), "200"));
    assert_true(is_answered(get_table(3, ""), "200")); /* as it is now is in memory */
    assert_string_equal(heard(1), "");
    read_on();
    assert_true(is_answered(heard(1), "200"));
    assert_non_null(strstr(heard(1), "\"version\":2,"));
    read_on();
    assert_true(is_answered(heard(2), "200"));
    char *before = mem_copy_text(heard(1));
    assert_string_equal(get_table(1, "/at/2"), before); /* it is at hand now */
    assert_int_equal(world.held_count, 0);
    mem_free(before);
}

static void sockets_wait_for_themselves_alone(void **state) {
    (void)state;
    char text[120];
    world_open(TWO);
    upgrade(1);
    upgrade(2);
    world.is_slow = true;
    snprintf(text, sizeof text, "{\"type\":\"watch\",\"table\":\"%s\",\"version\":1}", world.code);
    assert_string_equal(message(1, text), "");
    assert_string_equal(message(1, "{\"type\":\"ping\",\"id\":7}"), ""); /* answers keep their order */
    assert_non_null(strstr(message(2, "{\"type\":\"ping\",\"id\":8}"), "pong"));
    assert_true(is_answered(act(0, 0, "N"), "200"));
    read_on();
    read_on(); /* the table had gone on */
    const char *table = strstr(heard(1), "\"type\":\"table\"");
    assert_non_null(table);
    assert_non_null(strstr(table, "\"version\":4,"));
    assert_non_null(strstr(table, "\"gap\":false"));
    assert_non_null(strstr(table, "pong"));
    assert_true(is_answered(act(0, 1, "N"), "200")); /* and from now on it is told what happens */
    assert_non_null(strstr(heard(1), "\"version\":5,"));
}

static void finished_tables_are_listed_later(void **state) {
    (void)state;
    world_open(TWO);
    assert_true(is_answered(resign(0, 1), "200"));
    pass(2000); /* it is not at hand any more */
    world.is_slow = true;
    assert_string_equal(get(1, "/tables?state=finished"), "");
    assert_true(is_answered(get(0, "/tables"), "200"));
    read_on(); /* the list */
    assert_string_equal(heard(1), "");
    assert_true(is_answered(get(0, "/tables"), "200"));
    read_on(); /* and what it has of each table */
    assert_true(is_answered(heard(1), "200"));
    assert_non_null(strstr(heard(1), world.code));
    assert_non_null(strstr(heard(1), "\"next\":null"));
    assert_string_equal(get(2, "/tables?state=finished&game=santorini"), "");
    read_on();
    assert_non_null(strstr(heard(2), "{\"tables\":[],\"next\":null}"));
    assert_true(is_answered(get_table(3, "/at/1"), "200")); /* its journal is at hand now */
}

static void who_goes_is_forgotten(void **state) {
    (void)state;
    world_open(TWO);
    world.is_slow = true;
    get_table(1, "/at/2");
    get(2, "/tables?state=finished");
    upgrade(3);
    char text[120];
    snprintf(text, sizeof text, "{\"type\":\"watch\",\"table\":\"%s\",\"version\":1}", world.code);
    message(3, text);
    for (unsigned i = 1; i < PEERS; i++)
        peer_end(i);
    read_on();
    read_on();
    for (unsigned i = 1; i < PEERS; i++)
        assert_string_equal(heard(i), i == 3 ? heard(i) : "");
    peer_open(1, 1);
    assert_true(is_answered(get_table(1, "/at/2"), "200"));
}

/* Nobody is left behind when the server ends. */
static void the_end_comes_before_the_journal(void **state) {
    (void)state;
    world_open(TWO);
    world.is_slow = true;
    get_table(1, "/at/2");
    get(2, "/tables?state=finished");
    assert_int_equal(world.held_count, 2);
}

static void an_address_waits_for_so_many(void **state) {
    (void)state;
    world_open(TWO);
    peer_end(2);
    peer_open(2, 2); /* the same address as the one before */
    world.is_slow = true;
    for (int i = 0; i < WAITS_ADDRESS_MAX; i++)
        assert_string_equal(get_table(1, "/at/2"), "");
    const char *answer = get_table(2, "/at/2");
    assert_true(is_answered(answer, "429"));
    assert_non_null(strstr(answer, "address-full"));
    assert_true(is_answered(get(2, "/tables?state=finished"), "429"));
    assert_true(is_answered(get_table(2, ""), "200"));
    assert_string_equal(get_table(3, "/at/2"), ""); /* another one may */
    while (world.held_count > 0)
        read_on();
    assert_true(is_answered(heard(1), "200"));
    assert_true(is_answered(get_table(2, "/at/2"), "200"));
}

/* Who sees a table with a delay is shown its past, first of all when it is opened; players do not wait. */
static void watchers_with_a_delay_do_not_hold_up_players(void **state) {
    (void)state;
    char order[96], text[120];
    snprintf(order, sizeof order, "{\"game\":\"paper-soccer\",\"watch_delay_ms\":%d}", DELAY_MS);
    world.is_slow = true;
    assert_string_equal(ask(0, "POST", "/tables", NULL, order), "");
    read_on();
    assert_true(is_answered(heard(0), "201"));
    text_of(heard(0), "code", world.code, sizeof world.code);
    world.is_slow = false;
    sit(0, "ann");
    sit(1, "bob");
    world.is_slow = true;
    upgrade(1);
    pass(DELAY_MS);
    snprintf(text, sizeof text, "{\"type\":\"watch\",\"table\":\"%s\"}", world.code);
    assert_string_equal(message(1, text), "");
    assert_true(is_answered(act(0, 0, "N"), "200"));
    read_on();
    assert_non_null(strstr(heard(1), "\"version\":3,"));
    buf_clear(&world.peers[1].got);
    assert_true(is_answered(act(0, 1, "N"), "200"));
    assert_string_equal(heard(1), ""); /* nobody may know that yet */
    pass(DELAY_MS);
    while (world.held_count > 0)
        read_on();
    assert_non_null(strstr(heard(1), "\"version\":5,"));
    assert_non_null(strstr(heard(1), "\"gap\":false"));
    buf_clear(&world.peers[1].got);
    assert_true(is_answered(resign(0, 0), "200"));
    pass(2000); /* the table goes */
    while (world.held_count > 0)
        read_on();
    const char *end = strstr(heard(1), "\"over\":true");
    assert_non_null(end);
    assert_non_null(strstr(end, "\"type\":\"gone\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_are_answered_while_a_journal_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(sockets_wait_for_themselves_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(finished_tables_are_listed_later, setup, teardown),
        cmocka_unit_test_setup_teardown(who_goes_is_forgotten, setup, teardown),
        cmocka_unit_test_setup_teardown(the_end_comes_before_the_journal, setup, teardown),
        cmocka_unit_test_setup_teardown(an_address_waits_for_so_many, setup, teardown),
        cmocka_unit_test_setup_teardown(watchers_with_a_delay_do_not_hold_up_players, setup, teardown),
    };
    return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
