/* Whatever two clients send to the Masters of Renaissance port, the table stays one that the rules allow, and
 * every line that is not swallowed is answered with lines of JSON. The input is lines; one that begins with
 * '1' is said by the second client, without that. Each client has a seat at a table of two, and what they say
 * is saved after each line. A line of '!' alone ends the connection of the client, '?' opens another one that
 * comes back. */
#include "fuzz.h"

#include "base/log.h"
#include "games/renaissance/renaissance.h"
#include "host/table/internal.h"
#include "wire/json/read.h"
#include "wire/renaissance/port.h"

enum { CLIENTS = 2, LINES_MAX = 200 };

struct fuzz_link {
    struct link link;
    bool is_open;
};

static struct {
    struct store *store;
    struct tables *tables;
    struct port *port;
    struct fuzz_link links[CLIENTS];
} world;

static void check_lines(struct span bytes) {
    while (bytes.size > 0) {
        char complaint[JSON_COMPLAINT_BYTES_MAX];
        const char *end = memchr(bytes.data, '\n', bytes.size);
        json_t *message;
        assert(end != NULL);
        size_t size = (size_t)(end - bytes.data);
        enum err e = json_read_object(span_make(bytes.data, size), &message, complaint);
        assert(e == ERR_OK && json_text(message, "type").size > 0);
        json_decref(message);
        bytes = span_make(end + 1, bytes.size - size - 1);
    }
}

static void link_sends(struct link *link, struct span bytes) {
    assert(((struct fuzz_link *)link)->is_open);
    check_lines(bytes);
}

static void link_closes(struct link *link) {
    ((struct fuzz_link *)link)->is_open = false;
}

static const struct link_ops link_ops = {.send = link_sends, .close = link_closes};

static int64_t on_wall(void *context) {
    (void)context;
    return 1000;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    memset(out, 7, sizeof *out);
}

static void save(void) {
    for (int i = 0; i < 8; i++) {
        store_work(world.store);
        if (store_drain(world.store) == 0)
            break;
    }
}

static void check_table(struct table *table) {
    if (table_game(table) == &renaissance_game)
        assert(renaissance_game.valid(table_state(table)) == NULL);
}

static void visit(void *context, struct table *table) {
    (void)context;
    check_table(table);
}

static void say(unsigned who, struct span line) {
    struct fuzz_link *l = &world.links[who];
    if (!l->is_open)
        return;
    struct buf bytes = {0};
    buf_append(&bytes, line);
    buf_append_byte(&bytes, '\n');
    world.port->ops->received(world.port, &l->link, buf_span(&bytes), 1000);
    buf_free(&bytes);
    save();
    tables_each(world.tables, visit, NULL);
}

static void connect_as(unsigned who) {
    static const char *const logins[CLIENTS] = {
        "{\"type\":\"loginRequest\",\"username\":\"alice\"}",
        "{\"type\":\"loginRequest\",\"username\":\"bobby\"}",
    };
    struct fuzz_link *l = &world.links[who];
    if (l->is_open)
        return;
    l->link.ops = &link_ops;
    l->is_open = true;
    world.port->ops->opened(world.port, &l->link, 1000);
    say(who, span_of(logins[who]));
}

static void disconnect(unsigned who) {
    struct fuzz_link *l = &world.links[who];
    if (!l->is_open)
        return;
    l->is_open = false;
    world.port->ops->closed(world.port, &l->link, 1000);
    save();
}

static void world_begin(void) {
    struct renaissance_port_config config = renaissance_port_config_default();
    log_set_level(LOG_ERROR);
    memset(&world, 0, sizeof world);
    world.store = store_memory_open(false);
    world.tables =
        tables_create(&(struct tables_config){.store = world.store, .wall_ms = on_wall, .secret = on_secret});
    config.tables = world.tables;
    config.is_lenient = true;
    world.port = renaissance_port_create(&config);
    connect_as(0);
    say(0, SPAN("{\"type\":\"numberOfPlayersSelectionReply\",\"number\":2}"));
    connect_as(1);
}

static void world_end(void) {
    world.port->ops->free(world.port);
    tables_free(world.tables);
    store_close(world.store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span rest = span_make(data, size);
    world_begin();
    for (int lines = 0; rest.size > 0 && lines < LINES_MAX; lines++) {
        const char *end = memchr(rest.data, '\n', rest.size);
        struct span line = span_make(rest.data, end == NULL ? rest.size : (size_t)(end - rest.data));
        rest = end == NULL ? (struct span){0} : span_make(end + 1, rest.size - line.size - 1);
        unsigned who = line.size > 0 && line.data[0] == '1';
        if (who == 1)
            line = span_make(line.data + 1, line.size - 1);
        if (span_is(line, "!"))
            disconnect(who);
        else if (span_is(line, "?"))
            connect_as(who);
        else
            say(who, line);
    }
    world_end();
    return 0;
}
