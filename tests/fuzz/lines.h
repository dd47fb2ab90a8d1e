/* What fuzz targets of ports that speak lines of JSON share: clients that are pieces of memory, a store and a
 * clock.
 *
 * Each line of the input is one event: "0" to "3" and a text is a line of that client, which connects first
 * when it is not there ('$' in it stands for the code of the newest table); "a" to "d" ends its connection;
 * "t" and "T" let a second and a hundred seconds pass; "m" lets the port's own mover act (see lines_mover).
 * After every event all tables keep their rules and wait for nothing, and everything that was said is lines
 * of JSON with a type. In the end every client that is still there is still heard. */
#ifndef TESTS_FUZZ_LINES_H
#define TESTS_FUZZ_LINES_H

#include "fuzz.h"

#include "base/rng.h"
#include "host/table/internal.h"
#include "wire/json/read.h"
#include "wire/port.h"

enum { LINES_CLIENTS = 4, LINES_EVENTS_MAX = 400 };

struct lines_client {
    struct link link;
    bool is_open;
    struct buf received;
};

struct lines_run {
    struct store *store;
    struct tables *tables;
    struct port *port;
    struct lines_client clients[LINES_CLIENTS];
    struct rng rng; /* of the secrets, and for the mover */
    uint64_t now_ms;
};

/* A line that the one of these clients who is on turn can say, into out; SEAT_WATCHER when nobody is. */
typedef unsigned lines_mover(struct lines_run *, struct buf *out);

static void lines_receives(struct link *link, struct span bytes) {
    struct lines_client *client = (struct lines_client *)link;
    assert(client->is_open && bytes.size > 0);
    buf_append(&client->received, bytes);
}

static void lines_closes(struct link *link) {
    struct lines_client *client = (struct lines_client *)link;
    assert(client->is_open);
    client->is_open = false;
}

static const struct link_ops lines_client_ops = {.send = lines_receives, .close = lines_closes};

static int64_t lines_wall_ms(void *context) {
    (void)context;
    return 0;
}

static void lines_secret(void *context, struct digest *out) {
    struct lines_run *run = context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&run->rng), out->bytes + i);
}

static void lines_check_table(void *context, struct table *table) {
    (void)context;
    assert(table_game(table)->valid(table_state(table)) == NULL);
    assert(!table_is_busy(table));
}

static void lines_check_received(struct lines_client *client) {
    static struct buf last; /* everybody gets the same large ones */
    struct span rest = buf_span(&client->received);
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\n', rest.size);
        char complaint[JSON_COMPLAINT_BYTES_MAX];
        json_t *message;
        assert(end != NULL);
        size_t size = (size_t)(end - rest.data);
        struct span line = span_make(rest.data, size);
        if (!span_equal(line, buf_span(&last))) {
            enum err e = json_read_object(line, &message, complaint);
            assert(e == ERR_OK && json_text(message, "type").size > 0);
            json_decref(message);
            buf_clear(&last);
            buf_append(&last, line);
        }
        rest = span_make(end + 1, rest.size - size - 1);
    }
    buf_clear(&client->received);
}

static void lines_settle(struct lines_run *run) {
    while (store_drain(run->store) > 0)
        continue;
    run->port->ops->advance(run->port, run->now_ms);
    while (store_drain(run->store) > 0)
        continue;
    tables_each(run->tables, lines_check_table, NULL);
    for (unsigned i = 0; i < LINES_CLIENTS; i++)
        lines_check_received(&run->clients[i]);
}

/* The text with the code of the newest table in it. */
static void lines_complete(const struct lines_run *run, struct span text, struct buf *out) {
    const struct table *newest = tables_newest(run->tables);
    char code[TABLE_CODE_CHARS + 1] = "";
    if (newest != NULL)
        table_code_format(table_id(newest), code);
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] == '$')
            buf_append_text(out, code);
        else
            buf_append_byte(out, text.data[i]);
    buf_append_byte(out, '\n');
}

static void lines_say(struct lines_run *run, struct lines_client *client, struct span text) {
    struct buf line = {0};
    lines_complete(run, text, &line);
    if (!client->is_open) {
        client->is_open = true;
        run->port->ops->opened(run->port, &client->link, run->now_ms);
        lines_settle(run);
    }
    if (client->is_open)
        run->port->ops->received(run->port, &client->link, buf_span(&line), run->now_ms);
    buf_free(&line);
}

static void lines_move(struct lines_run *run, lines_mover *mover) {
    struct buf line = {0};
    unsigned client = mover == NULL ? (unsigned)SEAT_WATCHER : mover(run, &line);
    if (client < LINES_CLIENTS && run->clients[client].is_open)
        lines_say(run, &run->clients[client], buf_span(&line));
    buf_free(&line);
}

static void lines_event(struct lines_run *run, struct span line, lines_mover *mover) {
    char kind = line.data[0];
    if (kind >= '0' && kind < '0' + LINES_CLIENTS) {
        lines_say(run, &run->clients[kind - '0'], span_make(line.data + 1, line.size - 1));
    } else if (kind >= 'a' && kind < 'a' + LINES_CLIENTS && run->clients[kind - 'a'].is_open) {
        run->clients[kind - 'a'].is_open = false;
        run->port->ops->closed(run->port, &run->clients[kind - 'a'].link, run->now_ms);
    } else if (kind == 't' || kind == 'T') {
        run->now_ms += kind == 't' ? 1000 : 100 * 1000;
    } else if (kind == 'm') {
        lines_move(run, mover);
    }
    lines_settle(run);
}

/* A question that every client may ask has an answer; empty: there is none. */
static void lines_check_heard(struct lines_run *run, struct span question) {
    for (unsigned i = 0; i < LINES_CLIENTS; i++) {
        struct lines_client *client = &run->clients[i];
        if (!client->is_open || question.size == 0)
            continue;
        lines_say(run, client, question);
        assert(client->received.size > 0);
        lines_settle(run);
    }
}

static void lines_fuzz(const uint8_t *data, size_t size, struct port *(*create)(struct tables *),
                       lines_mover *mover, struct span question) {
    struct lines_run run = {.store = store_memory_open(true), .now_ms = 1000};
    rng_seed(&run.rng, 1);
    run.tables = tables_create(&(struct tables_config){
        .store = run.store, .context = &run, .wall_ms = lines_wall_ms, .secret = lines_secret});
    run.port = create(run.tables);
    for (unsigned i = 0; i < LINES_CLIENTS; i++)
        run.clients[i].link.ops = &lines_client_ops;
    struct span rest = span_make(data, size);
    for (unsigned count = 0; rest.size > 0 && count < LINES_EVENTS_MAX; count++) {
        const char *end = memchr(rest.data, '\n', rest.size);
        struct span line = span_make(rest.data, end == NULL ? rest.size : (size_t)(end - rest.data));
        if (line.size > 0)
            lines_event(&run, line, mover);
        size_t taken = line.size + (end != NULL);
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    lines_check_heard(&run, question);
    run.port->ops->shutdown(run.port);
    run.port->ops->free(run.port);
    store_close(run.store);
    tables_free(run.tables);
    for (unsigned i = 0; i < LINES_CLIENTS; i++)
        buf_free(&run.clients[i].received);
}

#endif
