/* Santorini over lines of JSON in the simulation. Clients choose among what they are offered; of the board
 * they know where the builders stand, which is all that the lists do not say. */
#include "json_clients.h"

#include "wire/json/read.h"
#include "wire/santorini/dialect.h"
#include "wire/santorini/port.h"

#include <assert.h>
#include <stdio.h>

enum { PLAYERS_MIN = 2, PLAYERS_MORE = 6 };

extern const struct sim_dialect santorini_dialect;

static struct santorini_port_config santorini; /* of the run that is going on */

struct builders {
    char name[JSON_NAME_BYTES_MAX];
    json_t *cells[SANTORINI_BUILDERS]; /* NULL: not on the board */
};

struct player {
    struct json_speaker speaker; /* first */
    struct builders builders[SANTORINI_SEATS_MAX];
    char mover[JSON_NAME_BYTES_MAX]; /* whose turn it is: who is asked then may sit under a name that it said
                                        by mistake */
    bool is_answered; /* it has said something in its turn, and has not heard what came of it */
    bool is_twice; /* ... and was asked again meanwhile, because somebody left: one answer may be refused */
};

static void builders_forget(struct player *p) {
    p->is_answered = p->is_twice = false;
    for (unsigned i = 0; i < SANTORINI_SEATS_MAX; i++) {
        for (unsigned k = 0; k < SANTORINI_BUILDERS; k++)
            json_decref(p->builders[i].cells[k]);
        p->builders[i] = (struct builders){0};
    }
}

/* The builders of a player, who may be new. */
static struct builders *builders_of(struct player *p, struct span name) {
    unsigned i = 0;
    while (i + 1 < SANTORINI_SEATS_MAX && p->builders[i].name[0] != '\0' &&
           !span_is(name, p->builders[i].name))
        i++;
    if (!span_copy(name, p->builders[i].name, sizeof p->builders[i].name))
        p->builders[i].name[0] = '\0';
    return &p->builders[i];
}

static void cell_set_to(json_t **cell, json_t *value) {
    json_decref(*cell);
    *cell = json_is_object(value) ? json_deep_copy(value) : NULL;
}

/* A builder of that player has gone from one cell to another, or (NULL) away. False: it was none of theirs.
 */
static bool builder_moves(struct player *p, struct span name, json_t *src, json_t *dst) {
    struct builders *b = builders_of(p, name);
    for (unsigned k = 0; k < SANTORINI_BUILDERS; k++)
        if (json_equal(b->cells[k], src)) {
            cell_set_to(&b->cells[k], dst);
            return true;
        }
    return false;
}

/* In an extra turn the builder that moves belongs to somebody else. */
static void any_builder_moves(struct player *p, json_t *src, json_t *dst) {
    for (unsigned i = 0; i < SANTORINI_SEATS_MAX; i++)
        for (unsigned k = 0; k < SANTORINI_BUILDERS; k++)
            if (p->builders[i].cells[k] != NULL && json_equal(p->builders[i].cells[k], src)) {
                cell_set_to(&p->builders[i].cells[k], dst);
                return;
            }
}

static void follow(struct player *p, const json_t *message) {
    struct span name = json_text(message, "name");
    json_t *src = json_object_get(message, "src"), *dst = json_object_get(message, "dst");
    if (json_is(message, "buildersPlacement")) {
        const json_t *positions = json_object_get(message, "positions");
        struct builders *b = builders_of(p, name);
        for (unsigned k = 0; k < SANTORINI_BUILDERS; k++)
            cell_set_to(&b->cells[k], json_array_get(positions, k));
    } else if (json_is(message, "move")) {
        if (!builder_moves(p, name, src, dst))
            any_builder_moves(p, src, dst);
    } else if (json_is(message, "builderPushed")) {
        builder_moves(p, name, src, dst);
    } else if (json_is(message, "builderRemoved")) {
        builder_moves(p, name, src, NULL);
    } else if (json_is(message, "turnUpdate") && !span_copy(name, p->mover, sizeof p->mover)) {
        p->mover[0] = '\0';
    }
}

static bool begins_with(struct span text, const char *word) {
    return text.size >= strlen(word) && memcmp(text.data, word, strlen(word)) == 0;
}

static bool is_prompt(struct span type) {
    return begins_with(type, "ask") || begins_with(type, "choose") || begins_with(type, "possible");
}

static enum json_meaning player_takes(struct sim_client *client, const json_t *message) {
    struct player *p = client->own;
    bool result = true;
    bool has_result = json_flag(message, "result", &result);
    bool is_stall = begins_with(json_text(message, "description"), "the server cannot save");
    if (has_result || json_is(message, "turnUpdate") || (json_is(message, "error") && !is_stall))
        p->is_answered = false;
    if (json_is(message, "turnUpdate"))
        p->is_twice = false;
    if (has_result && !result)
        return JSON_REFUSAL;
    if (json_is(message, "stateUpdate") && span_is(json_text(message, "state"), "SETUP_PLAYERS"))
        builders_forget(p);
    if (json_is(message, "playerAdded") && span_is(json_text(message, "name"), p->speaker.name))
        p->speaker.has_sat = true;
    if (json_is(message, "endGame")) {
        json_speaker_forget(client);
        json_speaker_rename(client);
    }
    follow(p, message);
    return is_prompt(json_text(message, "type")) ? JSON_PROMPT : JSON_NEWS;
}

/* Some of them know only the document, and say nothing of steps. */
static json_t *name_of(const struct sim_client *client, const char *date) {
    const struct player *p = client->own;
    json_t *message = json_pack("{s:s,s:s,s:s,s:s*}", "type", "addPlayer", "name", p->speaker.name, "date",
                                date, "seed", sim_client_seed(client, p->speaker.name));
    if (client->index % 3 != 0)
        json_object_set_new(message, "steps", json_pack("[s,s,s]", "FORCE", "REMOVE", "BORROW"));
    return message;
}

static void player_begins(struct sim_client *client) {
    struct player *p = client->own;
    builders_forget(p);
    if (p->speaker.has_sat && sim_chance(&client->rng, 800)) /* back again */
        json_speaker_say(client, name_of(client, "2000.01.01"));
}

/* Some keys of an object that are not in a list, as a list of so many. */
static json_t *keys_choose(struct rng *rng, json_t *object, const json_t *without, size_t count) {
    json_t *keys = json_array(), *chosen = json_array();
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool is_out = false;
        for (size_t i = 0; i < json_array_size(without); i++)
            is_out = is_out || strcmp(json_string_value(json_array_get(without, i)), key) == 0;
        if (!is_out)
            json_array_append_new(keys, json_string(key));
    }
    while (count-- > 0 && json_array_size(keys) > 0) {
        size_t at = rng_below(rng, (uint32_t)json_array_size(keys));
        json_array_append(chosen, json_array_get(keys, at));
        json_array_remove(keys, at);
    }
    json_decref(keys);
    return chosen;
}

static json_t *answer_gods(struct sim_client *client, const json_t *prompt) {
    json_t *gods = json_object_get(prompt, "godDescriptions");
    int64_t count = 0;
    if (json_is(prompt, "chooseMatchGodCards") && json_int(prompt, "numberOfPlayers", &count))
        return json_pack("{s:s,s:o}", "type", "setMatchGodCards", "godCardNames",
                         keys_choose(&client->rng, gods, NULL, (size_t)count));
    json_t *one = keys_choose(&client->rng, gods, json_object_get(prompt, "chosenGodCards"), 1);
    json_t *answer = json_pack("{s:s,s:O}", "type", "setGodCard", "godCard", json_array_get(one, 0));
    json_decref(one);
    return answer;
}

static json_t *answer_color(struct sim_client *client, const json_t *prompt) {
    json_t *all = json_pack("{s:n,s:n,s:n}", "MAGENTA", "LIGHT_BLUE", "WHITE");
    json_t *one = keys_choose(&client->rng, all, json_object_get(prompt, "chosenColors"), 1);
    json_t *answer = json_pack("{s:s,s:O}", "type", "colorUpdate", "color", json_array_get(one, 0));
    json_decref(one);
    json_decref(all);
    return answer;
}

static json_t *answer_builders(struct sim_client *client, const json_t *prompt) {
    json_t *cells = json_object_get(prompt, "possibleDst");
    const json_t *seconds = json_object_get(prompt, "possibleSecondDst");
    size_t count = json_array_size(cells);
    size_t at = sim_below(&client->rng, (uint32_t)count);
    json_t *second = seconds != NULL ? json_any(&client->rng, json_array_get(seconds, at))
                                     : json_array_get(cells, (at + 1) % count);
    return json_pack("{s:s,s:[O,O]}", "type", "buildersPlacement", "positions", json_array_get(cells, at),
                     second);
}

/* What a builder can do of a list of lists: the lists of that number, and of its domes. */
static json_t *answer_lists(struct sim_client *client, const json_t *prompt, const char *type) {
    struct player *p = client->own;
    const json_t *lists = json_object_get(prompt, "possibleDst"),
                 *numbers = json_object_get(prompt, "builders");
    json_t *options = json_array();
    const struct builders *mine = builders_of(p, span_of(p->mover));
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        size_t number = (size_t)json_integer_value(json_array_get(numbers, i));
        bool is_borrowed = number > SANTORINI_BUILDERS;
        json_t *src = is_borrowed ? json_object_get(prompt, "borrowed") : mine->cells[number - 1];
        bool has_domes = strcmp(type, "build") == 0;
        for (unsigned dome = 0; dome <= has_domes && src != NULL; dome++) {
            size_t at = !has_domes ? number - 1 : is_borrowed ? 4 + dome : number - 1 + 2 * dome;
            const json_t *cells = json_array_get(lists, at);
            for (size_t k = 0; k < json_array_size(cells); k++)
                json_array_append_new(options, json_pack("{s:s,s:O,s:O,s:b}", "type", type, "src", src, "dst",
                                                         json_array_get(cells, k), "buildDome", (int)dome));
        }
    }
    json_t *chosen = json_incref(json_any(&client->rng, options));
    json_decref(options);
    return chosen;
}

static json_t *answer_cell(struct sim_client *client, const json_t *prompt, const char *type) {
    return json_pack("{s:s,s:O}", "type", type, "dst",
                     json_any(&client->rng, json_object_get(prompt, "possibleDst")));
}

static json_t *answer_turn(struct sim_client *client, const json_t *prompt) {
    if (json_is(prompt, "askStep"))
        return json_pack("{s:s,s:O}", "type", "setStepChoice", "stepChoice",
                         json_any(&client->rng, json_object_get(prompt, "possibleSteps")));
    if (json_is(prompt, "possibleMoveDestinations"))
        return answer_lists(client, prompt, "move");
    if (json_is(prompt, "possibleBuildDestinations"))
        return answer_lists(client, prompt, "build");
    if (json_is(prompt, "possibleForceDestinations"))
        return answer_lists(client, prompt, "force");
    return answer_cell(client, prompt, json_is(prompt, "possibleRemoveDestinations") ? "remove" : "borrow");
}

static json_t *answer_of(struct sim_client *client, const json_t *prompt) {
    char date[16];
    if (json_is(prompt, "askNumberOfPlayers"))
        return json_pack("{s:s,s:i}", "type", "setNumberOfPlayers", "numberOfPlayers",
                         (int)(2 + sim_below(&client->rng, 2)));
    if (json_is(prompt, "askNickAndDate")) {
        snprintf(date, sizeof date, "%u.5.5", 1980 + sim_below(&client->rng, 4));
        return name_of(client, date);
    }
    if (json_is(prompt, "chooseMatchGodCards") || json_is(prompt, "askGod"))
        return answer_gods(client, prompt);
    if (json_is(prompt, "chooseStartPlayer"))
        return json_pack("{s:s,s:O}", "type", "setStartPlayer", "name",
                         json_any(&client->rng, json_object_get(prompt, "players")));
    if (json_is(prompt, "askColor"))
        return answer_color(client, prompt);
    if (json_is(prompt, "askBuilders"))
        return answer_builders(client, prompt);
    return answer_turn(client, prompt);
}

static void player_answers(struct sim_client *client, const json_t *prompt, bool *is_sure) {
    struct player *p = client->own;
    json_t *answer = answer_of(client, prompt);
    p->is_twice = p->is_twice || p->is_answered;
    p->is_answered = begins_with(json_text(prompt, "type"), "possible") || json_is(prompt, "askStep");
    *is_sure = !p->is_twice && !json_is(prompt, "askNickAndDate") && !json_is(prompt, "askNumberOfPlayers");
    if (answer == NULL && p->speaker.has_news) /* its time was up, and its builders are gone */
        return;
    if (answer == NULL)
        sim_fail(client->sim, "client %zu of santorini is asked and can answer nothing", client->index);
    else if (json_is(prompt, "askNumberOfPlayers") && client->sim->db != NULL && p->speaker.has_news)
        json_speaker_mention(client, answer); /* a place at another node was found for it first */
    else
        json_speaker_say(client, answer);
}

static void player_idles(struct sim_client *client) {
    if (sim_chance(&client->rng, 20))
        sim_client_close(client, sim_chance(&client->rng, 500));
    else if (sim_chance(&client->rng, 5))
        json_speaker_mention(client, json_pack("{s:s}", "type", "disconnect"));
}

/* The dates of birth are played by the server when all are there. */
static bool player_waits(const struct table *table) {
    return santorini_of(table->fold.state)->phase == SANTORINI_BORN;
}

static void player_freed(struct sim_client *client) {
    builders_forget(client->own);
}

/* Questions, refusals, and who is connected are of the moment. */
static bool player_fact(const json_t *message, struct span line, char text[SIM_FACT_BYTES_MAX]) {
    static const char *const others[] = {
        "error",         "ping",       "disconnect", "playerDisconnected", "playerReconnected",
        "setStepChoice", "errorNumber"};
    bool result = true;
    if (is_prompt(json_text(message, "type")) || (json_flag(message, "result", &result) && !result))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_is(message, others[i]))
            return false;
    sim_fact_text(line, text);
    return true;
}

static bool player_enters(const json_t *message) {
    return json_is(message, "stateUpdate") && span_is(json_text(message, "state"), "SETUP_PLAYERS");
}

/* What the journal says was to be told. */

static void tell_lines(struct sim_telling *t, struct span lines) {
    while (lines.size > 0) {
        char text[SIM_FACT_BYTES_MAX];
        const char *end = memchr(lines.data, '\n', lines.size);
        size_t size = end == NULL ? lines.size : (size_t)(end - lines.data);
        sim_fact_text(span_make(lines.data, size), text);
        telling_add(t, text, false);
        size += end != NULL;
        lines = span_make(lines.data + size, lines.size - size);
    }
}

static void write_result(struct buf *out, const struct fold *fold) {
    const int32_t *points = fold->result->points;
    unsigned best = 0, shared = 0, count = fold->setup.options.seat_count;
    if (santorini_of(fold->state)->phase == SANTORINI_OVER || fold->result->outcome == OUTCOME_UNDECIDED)
        return;
    for (unsigned seat = 1; seat < count; seat++)
        best = points[seat] > points[best] ? seat : best;
    for (unsigned seat = 0; seat < count; seat++)
        shared += points[seat] == points[best];
    santorini_write_end(out, shared == 1 ? fold->seats[best]->name : "");
}

static void santorini_tells(struct sim_telling *t, const struct sim_step *step) {
    struct buf out = {0};
    struct santorini_scene scene = {.state = santorini_of(step->state)};
    enum attendance attendance;
    struct event_seat sat;
    unsigned seat;
    for (unsigned i = 0; i < SANTORINI_SEATS_MAX; i++)
        scene.names[i] = i < step->fold->setup.options.seat_count ? step->fold->seats[i]->name : "";
    if (step->action != NULL) {
        santorini_write_news(&out, &scene, santorini_of(step->before), step->seat, step->action);
    } else if (step->event->kind == EVENT_SEAT && event_seat_read(step->event->body, &sat) == ERR_OK) {
        struct santorini_request r = {.type = SANTORINI_ADD_PLAYER, .name = span_of(sat.name)};
        if (r.name.size > 0) /* otherwise the seat is free again */
            santorini_write_reply(&out, &r, "", true);
    } else if (event_attends(step->event, &seat, &attendance)) {
        if (step->fold->loser == SEAT_WATCHER)
            santorini_write_news(&out, &scene, santorini_of(step->before), seat, NULL);
    } else if (step->event->kind == EVENT_RESULT) {
        write_result(&out, step->fold);
    }
    tell_lines(t, buf_span(&out));
    buf_clear(&out);
    santorini_write_replay(&out, &scene);
    telling_view(t, buf_span(&out));
    buf_free(&out);
}

/* The dialect. */

static struct port *santorini_open(struct sim *sim, struct tables *tables) {
    json_clients_begin(&santorini_dialect);
    santorini.tables = tables;
    santorini.inspector = sim->inspector;
    return santorini_port_create(&santorini);
}

static void santorini_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    struct santorini_port_config *config = &santorini;
    *config = santorini_port_config_default();
    config->grace_ms = 500 + sim_below(rng, 9000);
    config->ping_every_ms = 1000 + sim_below(rng, 4000);
    config->silence_ms = 2 * config->ping_every_ms + 1000 + sim_below(rng, 5000);
    config->quiet_ms = config->silence_ms + sim_below(rng, 20000);
    config->answer_ms = 2000 + sim_below(rng, 20000);
    config->turn_ms = sim_chance(rng, 300) ? 1000 + sim_below(rng, 5000) : 0;
    if (sim_chance(rng, 200)) {
        config->tables_max = 1 + sim_below(rng, 2);
        config->waiting_max = 1 + sim_below(rng, 4);
    }
}

static void santorini_populate(struct sim *sim) {
    static const char *const fouls[] = {
        "{\"type\":\"setNumberOfPlayers\",\"numberOfPlayers\":7}",
        "{\"type\":\"setNumberOfPlayers\",\"numberOfPlayers\":\"2\"}",
        "{\"type\":\"addPlayer\",\"name\":\"\",\"date\":\"2000.01.01\"}",
        "{\"type\":\"addPlayer\",\"name\":\"p10-1\",\"date\":\"2000.13.01\"}",
        "{\"type\":\"addPlayer\",\"name\":\"p10-1\",\"date\":\"2000.12.01\"}",
        "{\"type\":\"setMatchGodCards\",\"godCardNames\":[\"Pan\",\"Pan\"]}",
        "{\"type\":\"setGodCard\",\"godCard\":\"Nobody\"}",
        "{\"type\":\"setStartPlayer\",\"name\":\"nobody\"}",
        "{\"type\":\"colorUpdate\",\"color\":\"WHITE\"}",
        "{\"type\":\"buildersPlacement\",\"positions\":[{\"i\":0,\"j\":0},{\"i\":0,\"j\":0}]}",
        "{\"type\":\"buildersPlacement\",\"positions\":[{\"i\":9,\"j\":0},null]}",
        "{\"type\":\"setStepChoice\",\"stepChoice\":\"END\"}",
        "{\"type\":\"setStepChoice\",\"stepChoice\":\"FLY\"}",
        "{\"type\":\"move\",\"src\":{\"i\":0,\"j\":0},\"dst\":{\"i\":4,\"j\":4}}",
        "{\"type\":\"build\",\"src\":{\"i\":1,\"j\":1},\"dst\":{\"i\":1,\"j\":2},\"buildDome\":true}",
        "{\"type\":\"borrow\",\"dst\":{\"i\":1,\"j\":1}}",
        "{\"type\":\"disconnect\"}",
        NULL,
    };
    static const struct json_speech speech = {
        .dialect = &santorini_dialect,
        .client_size = sizeof(struct player),
        .fouls = fouls,
        .begins = player_begins,
        .takes = player_takes,
        .answers = player_answers,
        .idles = player_idles,
        .freed = player_freed,
        .waits = player_waits,
        .fact = player_fact,
        .enters = player_enters,
    };
    json_clients_add(sim, &speech, PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE));
}

static void santorini_finish(struct sim *sim) {
    (void)sim;
    json_clients_finish(&santorini_dialect);
}

static const char *santorini_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    const struct santorini_port_config *config = &santorini;
    const uint32_t limits[] = {config->grace_ms, config->ping_every_ms, config->quiet_ms, config->answer_ms};
    (void)is_saving;
    return json_clients_wait(sim, port, limits, sizeof limits / sizeof *limits);
}

const struct sim_dialect santorini_dialect = {
    .name = "santorini",
    .prepare = santorini_prepare,
    .open = santorini_open,
    .restored = json_clients_restored,
    .populate = santorini_populate,
    .tells = santorini_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = santorini_waits,
    .remains = json_clients_remain,
    .finish = santorini_finish,
};
