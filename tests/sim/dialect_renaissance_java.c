/* Masters of Renaissance over Java streams in the simulation. Its clients follow the game as those of lines
 * of JSON do, and play with them at the same tables; what they say and hear goes through object streams
 * (java_lines.h). */
#include "java_lines.h"
#include "renaissance_clients.h"

#include "games/renaissance/renaissance.h"
#include "wire/json/read.h"
#include "wire/renaissance_java/port.h"

enum { PLAYERS_MIN = 1, PLAYERS_MORE = 5, PAUSE_MS_MAX = 120 };

extern const struct sim_dialect renaissance_java_dialect;

static bool stream_next(void *stream, struct span *bytes, struct buf *shown, struct buf *line) {
    return java_lines_next(stream, bytes, shown, line);
}

static bool stream_say(void *stream, const json_t *message, const char *name, struct buf *out) {
    return java_lines_say(stream, message, name, out);
}

static void stream_freed(void *stream) {
    java_lines_free(stream);
}

/* The end of a turn is announced, and ended when that was answered. */
static enum json_meaning player_takes(struct sim_client *client, const json_t *message) {
    enum json_meaning meaning = renaissance_client_takes(client, message);
    if (json_is(message, "actionResponse") && span_is(json_text(message, "action"), "ENDTURN"))
        json_speaker_say(client, json_pack("{s:s}", "type", "endTurn"));
    return meaning;
}

/* Section 7 of the protocol's page: whoever is asked without an update before it gets one that changes
 * nothing.
 */
static void renaissance_java_tells(struct sim_telling *t, const struct sim_step *step) {
    const struct renaissance *r = renaissance_of(step->state);
    renaissance_tells(t, step);
    if (r->phase == RENAISSANCE_BEFORE || r->phase == RENAISSANCE_AFTER)
        renaissance_tells_layout(t, step, r->mover);
}

static struct port *renaissance_java_open(struct sim *sim, struct tables *tables) {
    json_clients_begin(&renaissance_java_dialect);
    renaissance_config.tables = tables;
    renaissance_config.inspector = sim->inspector;
    return renaissance_java_port_create(&renaissance_config);
}

static void renaissance_java_prepare(struct sim *sim) {
    renaissance_config.java_pause_ms = 1 + sim_below(&sim->plan_rng, PAUSE_MS_MAX);
}

static void renaissance_java_populate(struct sim *sim) {
    static const struct json_framing framing = {.stream_bytes = sizeof(struct java_lines),
                                                .next = stream_next,
                                                .say = stream_say,
                                                .freed = stream_freed,
                                                .ping = "Ping {}"};
    static struct json_speech speech;
    speech = renaissance_client_speech(&renaissance_java_dialect);
    speech.framing = &framing;
    speech.takes = player_takes;
    json_clients_add(sim, &speech, PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE));
}

static void renaissance_java_finish(struct sim *sim) {
    (void)sim;
    json_clients_finish(&renaissance_java_dialect);
}

const struct sim_dialect renaissance_java_dialect = {
    .name = "renaissance-java",
    .prepare = renaissance_java_prepare,
    .open = renaissance_java_open,
    .restored = json_clients_restored,
    .populate = renaissance_java_populate,
    .tells = renaissance_java_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = renaissance_clients_wait,
    .remains = json_clients_remain,
    .finish = renaissance_java_finish,
};
