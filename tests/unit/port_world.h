/* A port on links of memory, with a store of memory and a clock of its own: what the tests of ports of JSON
 * lines share. Each of them has a port_begin of its own. */
#ifndef TESTS_PORT_WORLD_H
#define TESTS_PORT_WORLD_H

#include "tests.h"

#include "host/table/record.h"

#include "base/log.h"
#include "host/table/table.h"
#include "wire/port.h"

enum { LINKS = 4 };

struct test_link {
    struct link link;
    struct buf sent;
    unsigned writes;
    bool is_closed;
};

static struct {
    struct store *store;
    struct tables *tables;
    struct port *port;
    struct rng secrets;
    uint64_t now_ms;
    struct buf text; /* what a test makes of what was sent */
    struct test_link links[LINKS];
} world;

static void link_sends(struct link *link, struct span bytes) {
    struct test_link *l = (struct test_link *)link;
    assert_false(l->is_closed);
    buf_append(&l->sent, bytes);
    l->writes++;
}

static void link_closes(struct link *link) {
    ((struct test_link *)link)->is_closed = true;
}

static const struct link_ops test_link_ops = {.send = link_sends, .close = link_closes};

static int64_t on_wall(void *context) {
    (void)context;
    return 1000;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&world.secrets), out->bytes + i);
}

/* As the server does it for protocols that find their tables by themselves. */
static void on_restored(void *context, struct table *t) {
    (void)context;
    table_listen(t, &(struct table_listener){0});
}

/* Tables on the store, those of an earlier run among them. */
static void world_tables(void) {
    world.tables =
        tables_create(&(struct tables_config){.store = world.store, .wall_ms = on_wall, .secret = on_secret});
    assert_int_equal(tables_restore(world.tables, world.now_ms, on_restored, NULL), ERR_OK);
}

/* An empty world; tables and port follow. */
static void world_begin(void) {
    log_set_level(LOG_ERROR);
    memset(&world, 0, sizeof world);
    rng_seed(&world.secrets, 4);
    world.now_ms = 1000000;
    world.store = store_memory_open(false);
}

static int end(void **state) {
    (void)state;
    world.port->ops->free(world.port);
    tables_free(world.tables);
    store_close(world.store);
    buf_free(&world.text);
    for (size_t i = 0; i < LINKS; i++)
        buf_free(&world.links[i].sent);
    return 0;
}

/* What was asked is on disk, and everybody has heard of it. */
static void save(void) {
    store_work(world.store);
    store_drain(world.store);
}

static __attribute__((unused)) void pass(uint64_t ms) {
    uint64_t until = world.now_ms + ms;
    for (;;) {
        uint64_t next = world.port->ops->next_ms(world.port);
        if (next > until)
            break;
        world.now_ms = next > world.now_ms ? next : world.now_ms;
        world.port->ops->advance(world.port, world.now_ms);
    }
    world.now_ms = until;
}

static void link_opens(unsigned i) {
    struct test_link *l = &world.links[i];
    buf_free(&l->sent);
    *l = (struct test_link){.link.ops = &test_link_ops};
    world.port->ops->opened(world.port, &l->link, world.now_ms);
}

static __attribute__((unused)) void say(unsigned i, const char *text) {
    struct buf line = {0};
    buf_append_text(&line, text);
    buf_append_byte(&line, '\n');
    world.port->ops->received(world.port, &world.links[i].link, buf_span(&line), world.now_ms);
    buf_free(&line);
}

static void link_breaks(unsigned i) {
    world.links[i].is_closed = true;
    world.port->ops->closed(world.port, &world.links[i].link, world.now_ms);
}

/* Another writer of the same journal is first. */
static __attribute__((unused)) void write_first(const struct table *t, enum event_kind kind,
                                                const struct buf *body) {
    struct record last;
    assert_true(table_last(t, &last));
    struct event event = {.seq = table_version(t) + 1, .time_ms = 1000, .kind = kind, .body = buf_span(body)};
    event_chain(&event, table_id(t), &last.event->hash);
    store_append(world.store, &(struct store_request){.table = table_id(t),
                                                      .expected_seq = table_version(t),
                                                      .events = &event,
                                                      .event_count = 1});
}

#endif
