/* Whatever clients send, the port answers lines of JSON, hears everybody again, and its tables keep the
 * rules. And a line that is JSON is the same value after it was mended.
 *
 * Each line of the input is one event: "0" to "2" and a text is a line of that client, which connects first
 * when it is not there; "a" to "c" ends its connection; "t" and "T" let a second and a hundred seconds pass.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "games/santorini.h"
#include "host/table.h"
#include "wire/json_mend.h"
#include "wire/json_read.h"
#include "wire/santorini_port.h"

enum { CLIENTS = 3, EVENTS_MAX = 400 };

struct client {
    struct link link;
    bool is_open;
    struct buf received;
};

struct run {
    struct store *store;
    struct tables *tables;
    struct port *port;
    struct client clients[CLIENTS];
    uint64_t now_ms;
};

static void client_receives(struct link *link, struct span bytes) {
    struct client *client = (struct client *)link;
    assert(client->is_open && bytes.size > 0);
    buf_append(&client->received, bytes);
}

static void client_is_closed(struct link *link) {
    struct client *client = (struct client *)link;
    assert(client->is_open);
    client->is_open = false;
}

static const struct link_ops client_ops = {.send = client_receives, .close = client_is_closed};

static int64_t wall_ms(void *context) {
    (void)context;
    return 0;
}

static void secret(void *context, struct digest *out) {
    (void)context;
    memset(out, 7, sizeof *out);
}

static void check_table(void *context, struct table *table) {
    (void)context;
    assert(table_game(table)->valid(table_state(table)) == NULL);
    assert(!table_is_busy(table));
}

/* Everything that is said is lines of JSON with a type. Those that could repeat what a client said are
 * parsed: parsing the lists of gods over and over would be all that this program does. */
static void check_line(struct span line) {
    enum { PARSED_BYTES_MAX = 256 };
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message;
    assert(line.size > 9 && memcmp(line.data, "{\"type\":", 8) == 0 && line.data[line.size - 1] == '}');
    if (line.size > PARSED_BYTES_MAX || memchr(line.data, '\\', line.size) == NULL)
        return;
    enum err e = json_read_object(line, &message, complaint);
    assert(e == ERR_OK && json_text(message, "type").size > 0);
    json_decref(message);
}

static void check_received(struct client *client) {
    struct span rest = buf_span(&client->received);
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\n', rest.size);
        assert(end != NULL);
        size_t size = (size_t)(end - rest.data);
        check_line(span_make(rest.data, size));
        rest = span_make(end + 1, rest.size - size - 1);
    }
    buf_clear(&client->received);
}

static void settle(struct run *run) {
    while (store_drain(run->store) > 0)
        continue;
    run->port->ops->advance(run->port, run->now_ms);
    while (store_drain(run->store) > 0)
        continue;
    tables_each(run->tables, check_table, NULL);
    for (unsigned i = 0; i < CLIENTS; i++)
        check_received(&run->clients[i]);
}

static void say(struct run *run, struct client *client, struct span line) {
    if (!client->is_open) {
        client->is_open = true;
        run->port->ops->opened(run->port, &client->link, run->now_ms);
        settle(run);
    }
    if (client->is_open)
        run->port->ops->received(run->port, &client->link, line, run->now_ms);
    if (client->is_open)
        run->port->ops->received(run->port, &client->link, SPAN("\n"), run->now_ms);
}

static void event(struct run *run, struct span line) {
    char kind = line.data[0];
    if (kind >= '0' && kind < '0' + CLIENTS) {
        say(run, &run->clients[kind - '0'], span_make(line.data + 1, line.size - 1));
    } else if (kind >= 'a' && kind < 'a' + CLIENTS && run->clients[kind - 'a'].is_open) {
        run->clients[kind - 'a'].is_open = false;
        run->port->ops->closed(run->port, &run->clients[kind - 'a'].link, run->now_ms);
    } else if (kind == 't' || kind == 'T') {
        run->now_ms += kind == 't' ? 1000 : 100 * 1000;
    }
    settle(run);
}

static void check_mended(struct span line) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *plain, *mended;
    struct buf text = {0};
    json_mend(line, &text);
    if (json_read_object(line, &plain, complaint) == ERR_OK) {
        enum err e = json_read_object(buf_span(&text), &mended, complaint);
        assert(e == ERR_OK && json_equal(plain, mended));
        json_decref(mended);
        json_decref(plain);
    }
    buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct run run = {.store = store_memory_open(true), .now_ms = 1000};
    run.tables =
        tables_create(&(struct tables_config){.store = run.store, .wall_ms = wall_ms, .secret = secret});
    struct santorini_port_config config = santorini_port_config_default();
    config.tables = run.tables;
    run.port = santorini_port_create(&config);
    for (unsigned i = 0; i < CLIENTS; i++)
        run.clients[i].link.ops = &client_ops;
    struct span rest = span_make(data, size);
    for (unsigned count = 0; rest.size > 0 && count < EVENTS_MAX; count++) {
        const char *end = memchr(rest.data, '\n', rest.size);
        struct span line = span_make(rest.data, end == NULL ? rest.size : (size_t)(end - rest.data));
        if (line.size > 0) {
            check_mended(span_make(line.data + 1, line.size - 1));
            event(&run, line);
        }
        size_t taken = line.size + (end != NULL);
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    run.port->ops->shutdown(run.port);
    run.port->ops->free(run.port);
    store_close(run.store);
    tables_free(run.tables);
    for (unsigned i = 0; i < CLIENTS; i++)
        buf_free(&run.clients[i].received);
    return 0;
}
