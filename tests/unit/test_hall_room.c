/* The hall when there is no room: for another table, in memory or on disk, where nobody is refused, and the
 * two who wait play as soon as there is; and for another championship, where those to which nobody has come
 * end. A master of a stranger counts how many games it was told to begin. */
#include "tests.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "hall_past.h"
#include "host/hall/hall.h"
#include "host/table/table.h"

enum { MASTER, ANN, BOB, PEOPLE };

static struct {
    struct hall *hall;
    struct store *store;
    struct tables *tables;
    struct hall_member *members[PEOPLE];
    unsigned begun; /* games */
    uint64_t now_ms;
} world;

static void on_write(void *context, struct buf *out, const struct hall_message *m) {
    (void)context;
    (void)m;
    buf_append_text(out, "x");
}

static void on_send(void *context, void *member_context, enum hall_type type, struct span written) {
    (void)context;
    (void)written;
    assert_int_not_equal(type, HALL_ERROR);
    if (member_context == &world.members[MASTER] && type == HALL_BEGIN_GAME)
        world.begun++;
}

static void on_close(void *context, void *member_context) {
    (void)context;
    (void)member_context;
    fail_msg("somebody is thrown out");
}

static void on_ended(void *context) {
    (void)context;
}

static int64_t on_wall_ms(void *context) {
    (void)context;
    return 0;
}

static void on_secret(void *context, struct digest *out) {
    static uint64_t secrets;
    (void)context;
    *out = (struct digest){{7}};
    digest_number(++secrets * UINT64_C(0x9e3779b97f4a7c15), out->bytes); /* spread over all ids */
}

static void world_login(int who, struct hall_message m) {
    world.members[who] = hall_join(world.hall, &world.members[who], world.now_ms);
    m.game_type = SPAN("chess");
    hall_take(world.hall, world.members[who], &m, world.now_ms);
}

static void world_pass(uint64_t ms) {
    world.now_ms += ms;
    hall_advance(world.hall, world.now_ms);
}

static int world_begin(void **state) {
    (void)state;
    world.now_ms = 1000;
    world.begun = 0;
    world.store = store_memory_open(true);
    world.tables = tables_create(
        &(struct tables_config){.store = world.store, .wall_ms = on_wall_ms, .secret = on_secret});
    struct hall_config config = hall_config_default();
    config.tables = world.tables;
    world.hall = hall_create(&config, &(struct hall_output){NULL, on_write, on_send, on_close, on_ended});
    world_login(MASTER, (struct hall_message){
                            .type = HALL_MASTER_LOGIN, .id = SPAN("m"), .players_min = 2, .players_max = 2});
    world_login(ANN, (struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = SPAN("ann")});
    return 0;
}

static int world_end(void **state) {
    (void)state;
    hall_free(world.hall);
    store_close(world.store);
    tables_free(world.tables);
    return 0;
}

/* bob comes when there is no room; when there is, the game begins within a second. */
static void world_wait(enum limit limit, void (*make_room)(void)) {
    uint64_t before = limit_hits(limit);
    world_login(BOB, (struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = SPAN("bob")});
    assert_int_equal(limit_hits(limit), before + 1);
    world_pass(1000);
    assert_int_equal(limit_hits(limit), before + 2);
    make_room();
    world_pass(999);
    assert_int_equal(world.begun, 0);
    world_pass(1);
    assert_int_equal(world.begun, 1);
    world_pass(1000);
    assert_int_equal(limit_hits(limit), before + 2);
    assert_int_equal(world.begun, 1);
}

static void memory_free_again(void) {
    mem_set_max(0);
}

static void two_who_wait_play_when_there_is_memory(void **state) {
    (void)state;
    mem_set_max(mem_used() + TABLE_ROOM_BYTES / 2);
    world_wait(LIMIT_MEMORY, memory_free_again);
}

static void disk_free_again(void) {
    world.store->is_scarce = false;
}

static void two_who_wait_play_when_there_is_disk(void **state) {
    (void)state;
    world.store->is_scarce = true;
    world_wait(LIMIT_DISK, disk_free_again);
}

/* Championships of strangers. */

static struct hall *hall_anew(const struct hall_config *config) {
    return hall_create(config, &(struct hall_output){NULL, on_write, on_send, on_close, on_ended});
}

static int championships_begin(void **state) {
    (void)state;
    world.now_ms = 1000;
    world.store = store_memory_open(false);
    world.tables = tables_create(
        &(struct tables_config){.store = world.store, .wall_ms = on_wall_ms, .secret = on_secret});
    struct hall_config config = hall_config_default();
    config.tables = world.tables;
    config.keeps_championships = true;
    world.hall = hall_anew(&config);
    assert_int_equal(hall_restore(world.hall, world.now_ms), ERR_OK);
    return 0;
}

static void championships_save(void) {
    store_work(world.store);
    store_drain(world.store);
}

static int championships_end(void **state) {
    championships_save();
    return world_end(state);
}

static void on_opened(void *context, const struct hall *hall, size_t index) {
    (void)hall;
    (void)index;
    ++*(unsigned *)context;
}

/* Whether one more can be opened. */
static enum err championship_open(void) {
    unsigned opened = 0;
    const struct hall_opening opening = {&opened, on_opened, NULL, {{0}}};
    enum err e = hall_open_championship(world.hall, SPAN("chess"), 2, &opening, world.now_ms);
    championships_save();
    assert_int_equal(opened, e == ERR_OK);
    return e;
}

static enum hall_championship_state championship_state(size_t index) {
    struct hall_championship c;
    assert_true(hall_championship_at(world.hall, index, &c));
    return c.state;
}

/* All that there may be are opened, and nobody comes. The server begins anew, and they are still there: but
 * not for ever. */
static void championships_without_entrants_expire_after_a_restart_too(void **state) {
    (void)state;
    for (unsigned i = 0; i < HALL_CHAMPIONSHIPS_MAX; i++)
        assert_int_equal(championship_open(), ERR_OK);
    assert_int_equal(championship_open(), ERR_TOO_MANY);
    struct hall_config config = hall_config_default();
    hall_free(world.hall);
    struct hall_past *past = past_read(world.tables, &config);
    world.hall = hall_anew(&config);
    hall_restore_past(world.hall, past, world.now_ms);
    hall_past_free(past);
    assert_int_equal(championship_state(0), HALL_CHAMPIONSHIP_OPEN);
    assert_int_equal(championship_open(), ERR_TOO_MANY);
    world_pass(HALL_OPEN_MS - 1);
    assert_int_equal(championship_open(), ERR_TOO_MANY);
    world_pass(1);
    championships_save();
    assert_int_equal(championship_state(0), HALL_CHAMPIONSHIP_OVER);
    assert_int_equal(championship_open(), ERR_OK);
}

int main(void) {
    log_set_level(LOG_ERROR);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_who_wait_play_when_there_is_memory, world_begin, world_end),
        cmocka_unit_test_setup_teardown(two_who_wait_play_when_there_is_disk, world_begin, world_end),
        cmocka_unit_test_setup_teardown(championships_without_entrants_expire_after_a_restart_too,
                                        championships_begin, championships_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
