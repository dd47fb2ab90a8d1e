/* A whole server in memory: all ports of the list at once, on one store whose commits come when the input
 * says so, with links that are full, spent, half-closed and cut. Whatever clients say on all of them in
 * whatever order, tables keep the rules and every byte that is allocated is given back; and when everybody is
 * let through again, everything that waits is through after a bound, and a small question is answered.
 *
 * Each line of the input is one event. "0" to "9" and a text: that client says it (\r, \n and \xHH stand for
 * bytes, '$' for the code of the newest table); it connects first when it is not there, to the listener of
 * its number, those with higher numbers to the first ones again. "w0" to "w9" and a text: it says it as a
 * message of WebSocket. "x" and "h" with a number end the connection of that client, or its sending side.
 * "f" and "s" with a number: its link is full, or spent, or is so no more. "c": the store commits what has
 * gathered. "b": bots that have something to think about have thought. "t" and "T" let a second and a hundred
 * seconds pass.
 */
#include "fuzz.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "host/table/internal.h"
#include "server/protocols.h"

#include <ctype.h>

enum {
    CLIENTS = 10,
    EVENTS_MAX = 300,
    QUIET_ROUNDS_MAX = 400, /* in which everything that waits must be through */
    QUIET_STEP_MS = 50,
    COMMITS_MAX = 20,
    FRAME_BYTES_MAX = 125,
};

#define WALL_MS INT64_C(1800000000000) /* in the year 2027, so that players have been born */

struct client {
    struct link link;
    struct port *port;
    bool is_open, is_full, is_spent, has_finished;
    struct buf got; /* of HTTP, for the question at the end */
};

static struct {
    struct store *store;
    struct tables *tables;
    struct protocols_setup setup;
    struct protocol_host host;
    struct hall_desk desk;
    struct port *ports[PROTOCOLS_MAX];
    size_t port_count;
    struct client clients[CLIENTS];
    struct rng rng;
    uint64_t now_ms;
} world;

static struct client *client_of(const struct link *link) {
    return (struct client *)(uintptr_t)link;
}

static void link_takes(struct link *link, struct span bytes) {
    struct client *c = client_of(link);
    assert(c->is_open);
    buf_clear(&c->got);
    buf_append(&c->got, bytes);
}

static void link_ends(struct link *link) {
    assert(client_of(link)->is_open);
    client_of(link)->is_open = false;
}

static void link_holds(struct link *link, bool is_held) {
    (void)link;
    (void)is_held;
}

static bool link_full(const struct link *link) {
    return client_of(link)->is_full;
}

static bool link_spent(const struct link *link) {
    return client_of(link)->is_spent;
}

static const struct link_ops client_ops = {
    .send = link_takes, .close = link_ends, .hold = link_holds, .is_full = link_full, .is_spent = link_spent};

static int64_t on_wall(void) {
    return WALL_MS + (int64_t)world.now_ms;
}

static int64_t on_tables_wall(void *context) {
    (void)context;
    return on_wall();
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&world.rng), out->bytes + i);
}

static void check_table(void *context, struct table *table) {
    (void)context;
    assert(table_game(table)->valid(table_state(table)) == NULL);
}

static void world_begin(void) {
    memset(&world, 0, sizeof world);
    world.now_ms = 1000;
    rng_seed(&world.rng, 1);
    world.store = store_memory_open(false);
    world.tables = tables_create(
        &(struct tables_config){.store = world.store, .wall_ms = on_tables_wall, .secret = on_secret});
    static const struct option_row none[] = {{0}};
    protocols_prepare(&world.setup, none);
    bool is_right = protocols_check(&world.setup);
    assert(is_right);
    (void)is_right;
    world.setup.http.wall_ms = on_wall;
    world.host = (struct protocol_host){
        .tables = world.tables,
        .store = world.store,
        .inspector = inspector_create(&(struct inspector_config){.wall_ms = on_wall}),
        .thinker = thinker_inline_create(),
        .desk = &world.desk,
        .players_max = 100,
        .message_timeout_ms = 30 * 1000,
    };
    for (size_t i = 0; i < world.setup.listener_count; i++)
        world.ports[world.port_count++] = protocols_open(&world.setup, i, &world.host);
    for (size_t i = 0; i < CLIENTS; i++) {
        world.clients[i].link.ops = &client_ops;
        world.clients[i].port = world.ports[i % world.port_count];
    }
}

static void settle(void) {
    while (store_drain(world.store) > 0)
        continue;
    for (size_t i = 0; i < world.port_count; i++)
        world.ports[i]->ops->advance(world.ports[i], world.now_ms);
    tables_advance(world.tables, world.now_ms);
    while (store_drain(world.store) > 0)
        continue;
}

/* What follows from a commit may be another one. */
static void commit(void) {
    for (int i = 0; i < COMMITS_MAX && store_work(world.store); i++)
        settle();
    settle();
}

static void client_connect(struct client *c) {
    if (c->is_open)
        return;
    c->is_open = true;
    c->is_full = c->is_spent = c->has_finished = false;
    c->port->ops->opened(c->port, &c->link, world.now_ms);
    settle();
}

static void client_receive(struct client *c, struct span bytes) {
    client_connect(c);
    if (c->is_open && !c->has_finished && bytes.size > 0)
        c->port->ops->received(c->port, &c->link, bytes, world.now_ms);
}

static int hex(char c) {
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

static void text_unfold(struct span text, struct buf *out) {
    const struct table *newest = tables_newest(world.tables);
    char code[TABLE_CODE_CHARS + 1] = "1";
    if (newest != NULL)
        table_code_format(table_id(newest), code);
    for (size_t i = 0; i < text.size; i++) {
        const char *at = text.data + i;
        size_t left = text.size - i;
        if (*at == '$') {
            buf_append_text(out, code);
        } else if (left >= 2 && at[0] == '\\' && (at[1] == 'n' || at[1] == 'r')) {
            buf_append_byte(out, at[1] == 'n' ? '\n' : '\r');
            i++;
        } else if (left >= 4 && at[0] == '\\' && at[1] == 'x' && hex(at[2]) >= 0 && hex(at[3]) >= 0) {
            buf_append_byte(out, (char)(16 * hex(at[2]) + hex(at[3])));
            i += 3;
        } else {
            buf_append_byte(out, *at);
        }
    }
}

static bool is_lines(const struct client *c) {
    size_t listener = (size_t)(c - world.clients) % world.port_count;
    const char *name = world.setup.listeners[listener].name;
    return listener > 0 && strcmp(name, "ugs") != 0 && strcmp(name, "renaissance-java") != 0;
}

static void client_say(struct client *c, struct span text) {
    struct buf bytes = {0};
    text_unfold(text, &bytes);
    if (is_lines(c))
        buf_append_byte(&bytes, '\n');
    client_receive(c, buf_span(&bytes));
    buf_free(&bytes);
}

/* A masked frame, whose mask is 0. */
static void client_say_frame(struct client *c, struct span text) {
    static const char mask[4];
    struct buf words = {0}, frame = {0};
    text_unfold(text, &words);
    size_t size = words.size < FRAME_BYTES_MAX ? words.size : FRAME_BYTES_MAX;
    buf_append_byte(&frame, (char)0x81);
    buf_append_byte(&frame, (char)(0x80 | size));
    buf_append(&frame, span_make(mask, sizeof mask));
    buf_append(&frame, span_make(words.data, size));
    client_receive(c, buf_span(&frame));
    buf_free(&words);
    buf_free(&frame);
}

static void client_cut(struct client *c) {
    if (!c->is_open)
        return;
    c->is_open = false;
    c->port->ops->closed(c->port, &c->link, world.now_ms);
}

static void client_finish(struct client *c) {
    if (!c->is_open || c->has_finished)
        return;
    c->has_finished = true;
    if (c->port->ops->finished != NULL)
        c->port->ops->finished(c->port, &c->link, world.now_ms);
    else
        client_cut(c);
}

static void client_free_way(struct client *c, bool *reason) {
    bool was_full = c->is_full;
    *reason = !*reason;
    if (*reason || !c->is_open || c->is_full)
        return;
    if (was_full && c->port->ops->drained != NULL)
        c->port->ops->drained(c->port, &c->link, world.now_ms);
    if (c->is_open && !c->is_spent && c->port->ops->resumed != NULL)
        c->port->ops->resumed(c->port, &c->link, world.now_ms);
}

static struct client *numbered(struct span line, size_t at) {
    return line.size > at && isdigit((unsigned char)line.data[at]) ? &world.clients[line.data[at] - '0']
                                                                   : NULL;
}

static void event(struct span line) {
    char kind = line.data[0];
    struct client *named = numbered(line, 1);
    if (numbered(line, 0) != NULL)
        client_say(numbered(line, 0), span_make(line.data + 1, line.size - 1));
    else if (kind == 'w' && named != NULL)
        client_say_frame(named, span_make(line.data + 2, line.size - 2));
    else if (kind == 'x' && named != NULL)
        client_cut(named);
    else if (kind == 'h' && named != NULL)
        client_finish(named);
    else if (kind == 'f' && named != NULL)
        client_free_way(named, &named->is_full);
    else if (kind == 's' && named != NULL)
        client_free_way(named, &named->is_spent);
    else if (kind == 'c')
        commit();
    else if (kind == 'b')
        thinker_inline_work(world.host.thinker);
    else if (kind == 't' || kind == 'T')
        world.now_ms += kind == 't' ? 1000 : 100 * 1000;
    settle();
    tables_each(world.tables, check_table, NULL);
}

static void busy_count(void *context, struct table *table) {
    *(unsigned *)context += table_is_busy(table);
}

/* Nobody is in anybody's way any more: what waits is through after a bound. */
static void quiet_phase(void) {
    for (size_t i = 0; i < CLIENTS; i++) {
        struct client *c = &world.clients[i];
        if (c->is_full)
            client_free_way(c, &c->is_full);
        if (c->is_spent)
            client_free_way(c, &c->is_spent);
    }
    unsigned busy = 1;
    for (unsigned round = 0; round < QUIET_ROUNDS_MAX && busy > 0; round++) {
        world.now_ms += QUIET_STEP_MS;
        commit();
        busy = 0;
        tables_each(world.tables, busy_count, &busy);
    }
    assert(busy == 0);
    struct client *asker = &world.clients[0];
    client_cut(asker);
    buf_clear(&asker->got);
    client_receive(asker, SPAN("GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    for (unsigned round = 0; round < QUIET_ROUNDS_MAX && asker->got.size == 0; round++)
        commit();
    assert(asker->got.size > 12 && memcmp(asker->got.data, "HTTP/1.1 200", 12) == 0);
}

static void world_end(void) {
    for (size_t i = 0; i < CLIENTS; i++)
        client_cut(&world.clients[i]);
    for (size_t i = 0; i < world.port_count; i++)
        world.ports[i]->ops->shutdown(world.ports[i]);
    thinker_cancel(world.host.thinker);
    while (thinker_inline_work(world.host.thinker))
        continue;
    tables_store_closes(world.tables);
    store_close(world.store);
    for (size_t i = 0; i < world.port_count; i++)
        world.ports[i]->ops->free(world.ports[i]);
    inspector_free(world.host.inspector);
    thinker_free(world.host.thinker);
    tables_free(world.tables);
    protocols_release(&world.setup);
    for (size_t i = 0; i < CLIENTS; i++)
        buf_free(&world.clients[i].got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_warm; /* what is made once and kept has been made by the first input */
    log_set_level(LOG_ERROR);
    size_t before = mem_used();
    world_begin();
    struct span rest = span_make(data, size);
    for (unsigned count = 0; rest.size > 0 && count < EVENTS_MAX; count++) {
        const char *end = memchr(rest.data, '\n', rest.size);
        struct span line = span_make(rest.data, end == NULL ? rest.size : (size_t)(end - rest.data));
        if (line.size > 0)
            event(line);
        size_t taken = line.size + (end != NULL);
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    quiet_phase();
    world_end();
    assert(!is_warm || mem_used() <= before);
    is_warm = true;
    return 0;
}
