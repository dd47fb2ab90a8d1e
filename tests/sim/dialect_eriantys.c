/* Eriantys over lines of JSON in the simulation. A status shows the whole game, so clients play by the last
 * one they heard. Codes go from one client to another outside of the network, as people tell them. */
#include "json_clients.h"

#include "cli/eriantys/follow.h"
#include "wire/eriantys/port.h"
#include "wire/json/read.h"

#include <assert.h>
#include <stdio.h>

enum { PLAYERS_MIN = 2, PLAYERS_MORE = 6, CODES = 2, CODE_BYTES_MAX = 16, LOOKING_MS = 400 };

extern const struct sim_dialect eriantys_dialect;

/* What all of a run share; there is one run at a time. */
static struct {
    struct eriantys_port_config config;
    char codes[CODES][CODE_BYTES_MAX]; /* of the newest games */
    size_t code_count;
} eriantys;

struct player {
    struct json_speaker speaker; /* first */
    char code[CODE_BYTES_MAX];   /* of the game that it is in, or was */
    bool is_seated;              /* on this connection */
    bool is_muddled;             /* a command was on its way when a pause began: it does not know which status
                                    answers what any more */
    bool has_state;
    struct eriantys state; /* of the last status */
    char names[ERIANTYS_SEATS_MAX][JSON_NAME_BYTES_MAX];
};

static void take_status(struct sim_client *client, const json_t *message) {
    struct player *p = client->own;
    struct span names[ERIANTYS_SEATS_MAX];
    p->has_state = eriantys_follow_status(message, &p->state, names);
    for (unsigned seat = 0; seat < ERIANTYS_SEATS_MAX && p->has_state; seat++)
        p->has_state = span_copy(names[seat], p->names[seat], sizeof p->names[seat]);
    if (!p->has_state)
        sim_fail(client->sim, "client %zu of eriantys cannot read a status", client->index);
}

static enum json_meaning take_turn(const struct player *p, const json_t *message) {
    bool is_enabled = false;
    bool is_mine = json_flag(message, "enable", &is_enabled) && is_enabled &&
                   span_is(json_text(message, "player"), p->speaker.name) && p->has_state && p->is_seated;
    return is_mine ? JSON_PROMPT : JSON_NEWS;
}

/* That somebody has gone and that the server ends is no refusal; that nothing can be saved is no answer
 * either: what was asked still waits for it. */
static enum json_meaning take_error(struct player *p, struct span text) {
    static const char *const news[] = {
        ERIANTYS_USER_DISCONNECTED,
        "the server is shutting down",
    };
    if (span_is(text, "the server cannot save at the moment; the game goes on as soon as it can"))
        return JSON_NOTHING;
    if (span_is(text, ERIANTYS_USER_DISCONNECTED))
        p->is_muddled = p->is_muddled || p->speaker.said_ms != 0;
    for (size_t i = 0; i < sizeof news / sizeof *news; i++)
        if (span_is(text, news[i]))
            return JSON_NEWS;
    return JSON_REFUSAL;
}

static enum json_meaning take_answer(struct player *p, const json_t *message) {
    bool is_well = false;
    if (json_is(message, "gameCreation")) {
        if (!span_copy(json_text(message, "code"), p->code, sizeof p->code))
            p->code[0] = '\0';
        memcpy(eriantys.codes[eriantys.code_count++ % CODES], p->code, sizeof p->code);
        return p->is_seated ? JSON_NEWS : JSON_PROMPT;
    }
    if (json_is(message, "enterGame")) {
        is_well = json_flag(message, "found", &is_well) && is_well;
        return is_well && !p->is_seated ? JSON_PROMPT : JSON_NEWS;
    }
    is_well = json_flag(message, "success", &is_well) && is_well;
    p->is_seated = p->is_seated || is_well;
    p->speaker.has_sat = p->speaker.has_sat || is_well;
    return JSON_NEWS;
}

static enum json_meaning player_takes(struct sim_client *client, const json_t *message) {
    struct player *p = client->own;
    if (json_is(message, "waitingRoomUpdate"))
        return JSON_NOTHING;
    if (json_is(message, "gameCreation") || json_is(message, "enterGame") || json_is(message, "login"))
        return take_answer(p, message);
    if (json_is(message, "turnEnable"))
        return take_turn(p, message);
    if (json_is(message, "error")) {
        if (span_is(json_text(message, "message"), ERIANTYS_USER_DISCONNECTED))
            json_speaker_forget(client); /* nobody may play now */
        return take_error(p, json_text(message, "message"));
    }
    if (json_is(message, "status"))
        take_status(client, message);
    if (json_is(message, "win")) {
        p->is_seated = p->has_state = false;
        json_speaker_forget(client);
        json_speaker_rename(client);
    }
    return JSON_NEWS;
}

static void enter(struct sim_client *client, const char *code) {
    json_speaker_say(client, json_pack("{s:s,s:s}", "type", "enterGame", "code", code));
}

static void player_begins(struct sim_client *client) {
    struct player *p = client->own;
    p->is_seated = p->has_state = p->is_muddled = false;
    if (p->speaker.has_sat)
        enter(client, p->code);
}

static void command(struct sim_client *client, bool *is_sure) {
    struct player *p = client->own;
    unsigned seat = p->state.mover;
    struct eriantys_scene scene = {.state = &p->state};
    struct action action;
    struct buf out = {0};
    json_t *message;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    if (!p->has_state || strcmp(p->names[seat], p->speaker.name) != 0)
        return;
    for (unsigned i = 0; i < ERIANTYS_SEATS_MAX; i++)
        scene.names[i] = p->names[i];
    eriantys_game.sample((const struct game_state *)&p->state, seat, &client->rng, &action);
    struct writer w = writer_message(&out, "command");
    eriantys_write_command_fields(&w, &scene, seat, &action);
    writer_object_end(&w);
    enum err e = json_read_object(buf_span(&out), &message, complaint);
    assert(e == ERR_OK);
    (void)e;
    buf_free(&out);
    *is_sure = !p->is_muddled;
    json_speaker_say(client, message);
}

static void player_answers(struct sim_client *client, const json_t *prompt, bool *is_sure) {
    struct player *p = client->own;
    *is_sure = false;
    if (json_is(prompt, "gameCreation"))
        enter(client, p->code);
    else if (json_is(prompt, "enterGame"))
        json_speaker_say(client, json_pack("{s:s,s:s,s:s*}", "type", "login", "name", p->speaker.name, "seed",
                                           sim_client_seed(client, p->speaker.name)));
    else
        command(client, is_sure);
}

/* Who is in no game goes to one that somebody has told it of, or makes one. */
static void player_idles(struct sim_client *client) {
    struct player *p = client->own;
    if (p->speaker.said_ms != 0) /* one thing at a time */
        return;
    if (p->is_seated && sim_chance(&client->rng, p->has_state ? 20 : 250)) {
        p->speaker.has_sat = p->has_state; /* where it has waited in vain it does not wait again */
        json_speaker_mention(client, json_pack("{s:s}", "type", "logout"));
        p->is_seated = p->has_state = false;
    } else if (sim_chance(&client->rng, 20)) {
        sim_client_close(client, sim_chance(&client->rng, 500));
    } else if (!p->is_seated && eriantys.code_count > 0 && sim_chance(&client->rng, 850)) {
        size_t count = eriantys.code_count < CODES ? eriantys.code_count : CODES;
        bool goes_back = p->speaker.has_sat && sim_chance(&client->rng, 700);
        if (!goes_back)
            memcpy(p->code, eriantys.codes[sim_below(&client->rng, (uint32_t)count)], sizeof p->code);
        enter(client, p->code);
    } else if (!p->is_seated) {
        unsigned more = sim_chance(&client->rng, 500) ? 0 : sim_below(&client->rng, 3);
        json_speaker_say(client, json_pack("{s:s,s:i,s:b}", "type", "gameCreation", "playersNumber",
                                           (int)(2 + more), "expert", (int)sim_below(&client->rng, 2)));
    }
    if (!p->is_seated)
        sim_client_act_in(client, sim_below(&client->rng, LOOKING_MS));
}

/* The wizards are drawn from the secret of the table; everything else of a status follows from the events. */
static void status_text(struct span line, char text[SIM_FACT_BYTES_MAX]) {
    static const char word[] = "\"wizardType\":\"";
    struct buf out = {0};
    const char *at;
    while ((at = memmem(line.data, line.size, word, sizeof word - 1)) != NULL) {
        const char *from = at + sizeof word - 1;
        const char *end = memchr(from, '"', (size_t)(line.data + line.size - from));
        assert(end != NULL);
        buf_append(&out, span_make(line.data, (size_t)(from - line.data)));
        line = span_make(end, (size_t)(line.data + line.size - end));
    }
    buf_append(&out, line);
    sim_fact_text(buf_span(&out), text);
    buf_free(&out);
}

static bool player_repeats(const json_t *message) {
    return json_is(message, "status");
}

static bool player_fact(const json_t *message, struct span line, char text[SIM_FACT_BYTES_MAX]) {
    if (json_is(message, "status"))
        status_text(line, text);
    else if (json_is(message, "command") || json_is(message, "win"))
        sim_fact_text(line, text);
    else
        return false;
    return true;
}

static bool player_enters(const json_t *message) {
    bool is_success = false;
    return json_is(message, "login") && json_flag(message, "success", &is_success) && is_success;
}

/* What others do at the table while somebody is missing is told with the game as it is when all are there. */
static bool player_pauses(const json_t *message, bool was_paused) {
    if (json_is(message, "gameStart"))
        return false;
    return was_paused || player_enters(message) || json_is(message, "waitingRoomUpdate") ||
           (json_is(message, "error") && span_is(json_text(message, "message"), ERIANTYS_USER_DISCONNECTED));
}

static bool player_waits(const struct table *t) {
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        if (t->fold.seats[seat]->name[0] == '\0' || !t->is_online[seat])
            return true;
    return false;
}

/* What the journal says was to be told. */

static seat_set winners_of(const struct fold *fold) {
    seat_set set = 0;
    if (fold->result->outcome == OUTCOME_PLAYED)
        return eriantys_winners(eriantys_of(fold->state));
    for (unsigned seat = 0; seat < fold->setup.options.seat_count; seat++)
        set |= fold->result->points[seat] > 0 ? SEAT_BIT(seat) : 0;
    return set;
}

static void eriantys_tells(struct sim_telling *t, const struct sim_step *step) {
    struct buf out = {0};
    struct eriantys_scene scene = {.state = eriantys_of(step->state)};
    char text[SIM_FACT_BYTES_MAX];
    seat_set turn = eriantys_game.turn(step->state);
    for (unsigned seat = 0; seat < ERIANTYS_SEATS_MAX; seat++)
        scene.names[seat] = step->fold->seats[seat]->name;
    telling_view(t, SPAN("")); /* who waits for others is shown nothing before something happens */
    if (step->action != NULL && step->seat != SEAT_CHANCE) {
        struct eriantys_scene before = scene;
        before.state = eriantys_of(step->before);
        eriantys_write_command(&out, &before, step->seat, step->action);
        sim_fact_text(buf_span(&out), text);
        telling_add(t, text, true); /* who has said it is not told */
        buf_clear(&out);
    }
    if (step->event->kind == EVENT_RESULT) {
        eriantys_write_win(&out, &scene, winners_of(step->fold));
        sim_fact_text(buf_span(&out), text);
        telling_add(t, text, false);
    } else if (turn != 0 && turn != SEAT_BIT(SEAT_CHANCE) && step->fold->seats[0]->name[0] != '\0') {
        eriantys_write_status(&out, &scene);
        status_text(buf_span(&out), text);
        telling_add_state(t, text);
        telling_view_fact(t, text);
    }
    buf_free(&out);
}

/* The dialect. */

static struct port *eriantys_open(struct sim *sim, struct tables *tables) {
    json_clients_begin(&eriantys_dialect);
    eriantys.config.tables = tables;
    eriantys.config.json.inspector = sim->inspector;
    return eriantys_port_create(&eriantys.config);
}

static void eriantys_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    struct eriantys_port_config *config = &eriantys.config;
    *config = eriantys_port_config_default();
    config->json.ping_first_ms = 300 + sim_below(rng, 2000);
    config->json.ping_every_ms = 1000 + sim_below(rng, 4000);
    config->json.silence_ms = 2 * config->json.ping_every_ms + 3000 + sim_below(rng, 8000);
    config->keep_ms = 1000 + sim_below(rng, 60000);
    if (sim_chance(rng, 200))
        config->tables_max = 1 + sim_below(rng, 3);
    memset(eriantys.codes, 0, sizeof eriantys.codes);
    eriantys.code_count = 0;
}

static void eriantys_populate(struct sim *sim) {
    static const char *const fouls[] = {
        "{\"type\":\"gameCreation\",\"playersNumber\":9,\"expert\":false}",
        "{\"type\":\"gameCreation\",\"playersNumber\":\"2\",\"expert\":\"true\"}",
        "{\"type\":\"enterGame\",\"code\":\"ZZZZZ\"}",
        "{\"type\":\"enterGame\"}",
        "{\"type\":\"login\",\"name\":\"  \"}",
        "{\"type\":\"login\",\"name\":\"p10-1\"}",
        "{\"type\":\"logout\"}",
        "{\"type\":\"pong\"}",
        "{\"type\":\"command\",\"subtype\":\"playAssistant\",\"assistant\":11}",
        "{\"type\":\"command\",\"subtype\":\"playAssistant\",\"assistant\":5}",
        "{\"type\":\"command\",\"subtype\":\"playAssistant\",\"player\":\"nobody\",\"assistant\":5}",
        "{\"type\":\"command\",\"subtype\":\"move\",\"pawn\":\"student\",\"color\":\"RED\",\"from\":"
        "\"entrance\","
        "\"to\":\"diningRoom\"}",
        "{\"type\":\"command\",\"subtype\":\"move\",\"pawn\":\"motherNature\",\"island\":40,\"move\":true}",
        "{\"type\":\"command\",\"subtype\":\"refill\",\"cloud\":0}",
        "{\"type\":\"command\",\"subtype\":\"pay\",\"character\":7}",
        "{\"type\":\"command\",\"subtype\":\"ban\",\"island\":1}",
        NULL,
    };
    static const struct json_speech speech = {
        .dialect = &eriantys_dialect,
        .client_size = sizeof(struct player),
        .fouls = fouls,
        .begins = player_begins,
        .takes = player_takes,
        .answers = player_answers,
        .idles = player_idles,
        .fact = player_fact,
        .repeats = player_repeats,
        .enters = player_enters,
        .pauses = player_pauses,
        .waits = player_waits,
    };
    json_clients_add(sim, &speech, PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE));
}

static void eriantys_finish(struct sim *sim) {
    (void)sim;
    json_clients_finish(&eriantys_dialect);
}

static const char *eriantys_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    const struct eriantys_port_config *config = &eriantys.config;
    const uint32_t limits[] = {config->json.ping_first_ms, config->json.ping_every_ms,
                               config->json.silence_ms, config->keep_ms};
    (void)is_saving;
    return json_clients_wait(sim, port, limits, sizeof limits / sizeof *limits);
}

const struct sim_dialect eriantys_dialect = {
    .name = ERIANTYS_PROTOCOL,
    .prepare = eriantys_prepare,
    .open = eriantys_open,
    .restored = json_clients_restored,
    .populate = eriantys_populate,
    .tells = eriantys_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = eriantys_waits,
    .remains = json_clients_remain,
    .finish = eriantys_finish,
};
