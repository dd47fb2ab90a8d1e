/* The Masters of Renaissance port over Java streams at a table of two that is being set up. Both clients are
 * logged in and have their streams; the input is pieces of those, a byte before each: the lowest bit is
 * whose, the others how long it is (128: the connection ends, and a new one begins). In the end the
 * invariants of the game hold, and everything that was said can be read. The same bytes are also read with
 * all classes there are, and written again where they are a message. */
#include "fuzz.h"

#include "../java_client.h"
#include "base/log.h"
#include "host/table/internal.h"
#include "wire/renaissance_java/dialect.h"
#include "wire/renaissance_java/port.h"

#include <assert.h>

enum { CLIENTS = 2, PIECES_MAX = 400, ENDS = 128, PAUSE_STEPS = 64 };

struct fuzz_client {
    struct link link;
    bool is_open;
    struct buf sent;
};

static struct {
    struct store *store;
    struct tables *tables;
    struct port *port;
    uint64_t now_ms;
    struct fuzz_client clients[CLIENTS];
} world;

static void on_send(struct link *link, struct span bytes) {
    struct fuzz_client *client = (struct fuzz_client *)link;
    assert(client->is_open && bytes.size > 0);
    buf_append(&client->sent, bytes);
}

static void on_close(struct link *link) {
    ((struct fuzz_client *)link)->is_open = false;
}

static const struct link_ops client_ops = {.send = on_send, .close = on_close};

static int64_t on_wall(void *context) {
    (void)context;
    return 0;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    memset(out, 7, sizeof *out);
}

static void check_table(void *context, struct table *table) {
    (void)context;
    if (table_game(table) == &renaissance_game)
        assert(renaissance_game.valid(table_state(table)) == NULL);
}

/* What is asked is saved, and what is to be said comes with its pauses. */
static void settle(void) {
    for (int i = 0; i < 8; i++) {
        store_work(world.store);
        if (store_drain(world.store) == 0)
            break;
    }
    world.now_ms += PAUSE_STEPS;
    world.port->ops->advance(world.port, world.now_ms);
    tables_each(world.tables, check_table, NULL);
}

/* Every stream of the server is one from its header to its last byte. */
static void check_sent(struct fuzz_client *client) {
    struct java_reader reader = {.classes = renaissance_java_all};
    struct java_message message;
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    for (struct span rest = buf_span(&client->sent); rest.size > 0;) {
        size_t size;
        enum java_result result = java_read(&reader, rest, &message, &size, complaint);
        assert(result == JAVA_MESSAGE || result == JAVA_PASSED);
        rest = span_make(rest.data + size, rest.size - size);
    }
    java_reader_free(&reader);
    buf_free(&client->sent);
}

static void give(unsigned who, struct span bytes) {
    struct fuzz_client *client = &world.clients[who];
    if (client->is_open && bytes.size > 0)
        world.port->ops->received(world.port, &client->link, bytes, world.now_ms);
    settle();
}

static void give_record(unsigned who, struct java_writer *w, const char *name, json_t *fields) {
    java_client_put(w, name, fields);
    json_decref(fields);
    give(who, buf_span(w->out));
    buf_clear(w->out);
}

static void connect_as(unsigned who) {
    static const char *const names[CLIENTS] = {"alice", "bobby"};
    struct fuzz_client *client = &world.clients[who];
    struct buf bytes = {0};
    struct java_writer w;
    check_sent(client);
    client->link.ops = &client_ops;
    client->is_open = true;
    world.port->ops->opened(world.port, &client->link, world.now_ms);
    java_begin(&w, &bytes);
    java_put_header(&w);
    give_record(who, &w, "LoginMessage", json_pack("{s:s}", "username", names[who]));
    if (who == 0)
        give_record(who, &w, "PlayerNumberReply", json_pack("{s:i}", "playerNum", CLIENTS));
    buf_free(&bytes);
}

static void reconnect(unsigned who) {
    struct fuzz_client *client = &world.clients[who];
    if (client->is_open) {
        client->is_open = false;
        world.port->ops->closed(world.port, &client->link, world.now_ms);
        settle();
    }
    connect_as(who);
}

static void world_begin(void) {
    struct renaissance_port_config config = renaissance_port_config_default();
    log_set_level(LOG_ERROR);
    memset(&world, 0, sizeof world);
    world.now_ms = 1000;
    world.store = store_memory_open(false);
    world.tables =
        tables_create(&(struct tables_config){.store = world.store, .wall_ms = on_wall, .secret = on_secret});
    config.tables = world.tables;
    config.is_lenient = true;
    config.silence_ms = 1000 * 1000;
    world.port = renaissance_java_port_create(&config);
    for (unsigned who = 0; who < CLIENTS; who++)
        connect_as(who);
}

static void world_end(void) {
    for (unsigned who = 0; who < CLIENTS; who++)
        check_sent(&world.clients[who]);
    world.port->ops->free(world.port);
    tables_free(world.tables);
    store_close(world.store);
}

/* A stream of its own, with everything that there is. */
static void read_alone(struct span bytes) {
    struct java_reader reader = {.classes = renaissance_java_all, .has_begun = true, .knows_lists = true};
    struct java_message message;
    struct buf shown = {0};
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    for (;;) {
        size_t size;
        enum java_result result = java_read(&reader, bytes, &message, &size, complaint);
        if (result == JAVA_MESSAGE)
            java_show(&message, &shown);
        if (result != JAVA_MESSAGE && result != JAVA_PASSED)
            break;
        assert(size > 0 && size <= bytes.size);
        bytes = span_make(bytes.data + size, bytes.size - size);
    }
    buf_free(&shown);
    java_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span rest = span_make(data, size);
    read_alone(rest);
    world_begin();
    for (int pieces = 0; rest.size > 0 && pieces < PIECES_MAX; pieces++) {
        uint8_t head = (uint8_t)rest.data[0];
        unsigned who = head & 1;
        size_t piece = head >= ENDS ? 0 : (size_t)(head >> 1) * (head >> 1);
        rest = span_make(rest.data + 1, rest.size - 1);
        if (piece > rest.size)
            piece = rest.size;
        if (head >= ENDS)
            reconnect(who);
        else
            give(who, span_make(rest.data, piece));
        rest = span_make(rest.data + piece, rest.size - piece);
    }
    world_end();
    return 0;
}
