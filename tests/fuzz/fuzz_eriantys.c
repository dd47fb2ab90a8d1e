/* Whatever clients of Eriantys send and whenever they go, tables keep the rules, everything that is said is
 * JSON, and nobody is muted. The players of a table are the clients whose numbers are their names. A status
 * is also read back. */
#include "lines.h"

#include "cli/eriantys/follow.h"
#include "wire/eriantys/port.h"

static struct port *create(struct tables *tables) {
    struct eriantys_port_config config = eriantys_port_config_default();
    config.tables = tables;
    config.keep_ms = 50 * 1000;
    config.tables_max = 4;
    return eriantys_port_create(&config);
}

/* What the page calls a status shows the state from which it was written. */
static void check_status(const struct eriantys_scene *scene) {
    struct buf text = {0};
    struct eriantys read;
    struct span names[ERIANTYS_SEATS_MAX];
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *status;
    eriantys_write_status(&text, scene);
    enum err e = json_read_object(buf_span(&text), &status, complaint);
    assert(e == ERR_OK);
    bool is_status = eriantys_follow_status(status, &read, names);
    assert(is_status && eriantys_game.valid((const struct game_state *)&read) == NULL);
    json_decref(status);
    buf_free(&text);
}

static unsigned mover(struct lines_run *run, struct buf *out) {
    struct table *t = tables_newest(run->tables);
    while (t != NULL && (table_state_word(t) != TABLE_RUNNING || table_free_seats(t) > 0))
        t = table_older(t);
    if (t == NULL)
        return SEAT_WATCHER;
    struct eriantys_scene scene = {.state = eriantys_of(table_state(t))};
    unsigned seat = scene.state->mover;
    struct action action;
    int64_t client;
    for (unsigned i = 0; i < scene.state->seat_count; i++)
        scene.names[i] = table_name(t, i);
    check_status(&scene);
    eriantys_game.sample(table_state(t), seat, &run->rng, &action);
    eriantys_write_command(out, &scene, seat, &action);
    return span_to_int(span_of(scene.names[seat]), &client) && client >= 0 ? (unsigned)client : SEAT_WATCHER;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lines_fuzz(data, size, create, mover, SPAN("{\"type\":\"enterGame\",\"code\":\"-\"}"));
    return 0;
}
