/* Masters of Renaissance over lines of JSON in the simulation. Clients follow the game and answer as the bot
 * does, with actions drawn at random. Nobody is told a leader that another one has in its hand, except where
 * the protocol says so. */
#include "renaissance_clients.h"

#include "cli/renaissance/answer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAYERS_MIN = 2, PLAYERS_MORE = 6, AWAY_MS = 500 };

extern const struct sim_dialect renaissance_dialect;

struct renaissance_port_config renaissance_config;

struct player {
    struct json_speaker speaker; /* first */
    struct renaissance_answers answers;
    bool is_in;
    unsigned announced; /* actions without an answer yet */
};

static void choose(void *context, const struct game_view *view, unsigned seat, struct action *out) {
    struct sim_client *client = context;
    renaissance_game.sample((const struct game_state *)(const void *)view, seat, &client->rng, out);
}

static void login(struct sim_client *client) {
    struct player *p = client->own;
    p->announced = 0;
    p->answers.context = client;
    p->answers.choose = choose;
    p->answers.action_count = 0;
    renaissance_follow_begin(&p->answers.follow, span_of(p->speaker.name));
    json_speaker_say(client, json_pack("{s:s,s:s,s:s*}", "type", "loginRequest", "username", p->speaker.name,
                                       "seed", sim_client_seed(client, p->speaker.name)));
}

static bool is_prompt(const json_t *message) {
    static const char *const types[] = {
        "numberOfPlayersSelectionRequest", "leaderCardsRequest", "resourcesRequest", "possibleAction",
        "resourcesManageRequest",          "finalScore"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (json_is(message, types[i]))
            return true;
    return json_is(message, "actionResponse") && !span_is(json_text(message, "action"), "ENDTURN");
}

/* Who has logged in under a name of somebody else does not know where it sits, and goes. */
static void cannot_follow(struct sim_client *client, const json_t *message) {
    const struct player *p = client->own;
    char *text = json_dumps(message, JSON_COMPACT);
    if (!p->speaker.is_fouled)
        sim_fail(client->sim, "client %zu of renaissance cannot follow %s", client->index, text);
    free(text);
    sim_client_close(client, false);
    sim_client_act_in(client, AWAY_MS);
}

/* A turn that another node has ended, because it took the player for gone, is followed by another one. What
 * was announced in the first is answered in the second, too, and of two that were announced only one can be
 * done. */
static void announcements_follow(struct sim_client *client, const json_t *message) {
    struct player *p = client->own;
    if (client->sim->db == NULL)
        return;
    if (json_is(message, "actionResponse") || json_is(message, "errorMessage"))
        p->announced -= p->announced > 0;
    if (json_is(message, "possibleAction") && p->announced > 0)
        p->speaker.is_fouled = true;
}

enum json_meaning renaissance_client_takes(struct sim_client *client, const json_t *message) {
    struct player *p = client->own;
    bool is_free = true;
    announcements_follow(client, message);
    if (!renaissance_follow_take(&p->answers.follow, message)) {
        cannot_follow(client, message);
        return JSON_NOTHING;
    }
    if (json_is(message, "usernameResponse") && json_flag(message, "isFree", &is_free)) {
        p->is_in = p->is_in || is_free;
        if (is_free) { /* also behind the end of the game before: it need not log in again */
            json_speaker_forget(client);
            renaissance_follow_begin(&p->answers.follow, span_of(p->speaker.name));
        }
        return is_free ? JSON_NEWS : JSON_PROMPT;
    }
    if (json_is(message, "players"))
        p->is_in = p->speaker.has_sat = true;
    if (json_is(message, "errorMessage"))
        return span_is(json_text(message, "error"), "NOT_SAVED") ? JSON_NEWS : JSON_REFUSAL;
    if (json_is(message, "finalScore") || (json_is(message, "endGame") && p->speaker.seat == SEAT_WATCHER))
        p->speaker.has_sat = false;
    if (renaissance_follow_is_farewell(&p->answers.follow, message)) {
        p->is_in = false; /* until the login is answered */
        return JSON_NEWS;
    }
    return is_prompt(message) ? JSON_PROMPT : JSON_NEWS;
}

static void player_begins(struct sim_client *client) {
    struct player *p = client->own;
    p->is_in = false;
    login(client);
}

/* By what it has heard since then it may be somebody else's turn. */
static bool is_still_asked(const struct player *p, const json_t *prompt) {
    const struct renaissance_follow *f = &p->answers.follow;
    bool owes_nothing = json_is(prompt, "resourcesRequest"); /* who gets nothing has to say so */
    return owes_nothing || game_may_act(&renaissance_game, (const struct game_state *)&f->state, f->seat);
}

static void player_answers(struct sim_client *client, const json_t *prompt, bool *is_sure) {
    struct player *p = client->own;
    struct buf out = {0};
    struct writer w;
    json_t *answer;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    if (json_is(prompt, "usernameResponse") || json_is(prompt, "finalScore")) {
        *is_sure = false;
        if (p->is_in && json_is(prompt, "usernameResponse")) /* it had a name and asked for another */
            return;
        p->is_in = false;
        if (sim_chance(&client->rng, 500))
            json_speaker_rename(client);
        login(client);
    } else if (json_is(prompt, "numberOfPlayersSelectionRequest")) {
        p->speaker.prompts = 1; /* a place at another node may be found for it first */
        *is_sure = false;
        json_speaker_mention(client, json_pack("{s:s,s:i}", "type", "numberOfPlayersSelectionReply", "number",
                                               (int)(1 + sim_below(&client->rng, RENAISSANCE_SEATS_MAX))));
    } else if (is_still_asked(p, prompt) && renaissance_answer(&p->answers, prompt, &out, &w)) {
        writer_object_end(&w);
        enum err e = json_read_object(buf_span(&out), &answer, complaint);
        assert(e == ERR_OK);
        (void)e;
        p->announced += json_is(answer, "actionReply");
        json_speaker_say(client, answer);
    }
    buf_free(&out);
}

static void player_idles(struct sim_client *client) {
    const struct player *p = client->own;
    if (sim_chance(&client->rng, 30))
        sim_client_close(client, sim_chance(&client->rng, 500));
    else if (!p->is_in && p->speaker.said_ms == 0)
        login(client);
}

/* Facts: what was done, and what the player has then. */

static size_t depots_text(char *text, size_t size, const struct renaissance_depot *depots) {
    size_t used = 0;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %u:%ux%u", i, depots[i].count,
                                 depots[i].count > 0 ? depots[i].kind : 0);
    return used;
}

static void layout_text(char text[SIM_FACT_BYTES_MAX], const char *name, const char *action, const char *id,
                        const struct renaissance_depot *depots, const uint16_t *strongbox) {
    size_t used = (size_t)snprintf(text, SIM_FACT_BYTES_MAX, "%s %s %s", name, action, id);
    if (depots != NULL && used < SIM_FACT_BYTES_MAX)
        used += depots_text(text + used, SIM_FACT_BYTES_MAX - used, depots);
    for (unsigned kind = 0; strongbox != NULL && kind < RENAISSANCE_KINDS && used < SIM_FACT_BYTES_MAX;
         kind++)
        used += (size_t)snprintf(text + used, SIM_FACT_BYTES_MAX - used, " %u", strongbox[kind]);
}

static bool player_fact(const json_t *message, struct span line, char text[SIM_FACT_BYTES_MAX]) {
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    uint16_t strongbox[RENAISSANCE_KINDS];
    const char *name = json_string_value(json_object_get(message, "nickname"));
    const char *action = json_string_value(json_object_get(message, "action"));
    const char *id = json_string_value(json_object_get(message, "id"));
    if (json_is(message, "finalScore")) {
        sim_fact_text(line, text);
        return true;
    }
    if (!json_is(message, "layoutUpdate") || name == NULL || action == NULL)
        return false;
    bool has_depots = json_has(message, "warehouse") &&
                      renaissance_read_warehouse(json_object_get(message, "warehouse"), depots);
    bool has_box = json_has(message, "strongbox") &&
                   renaissance_read_counts(json_object_get(message, "strongbox"), strongbox);
    layout_text(text, name, action, id == NULL ? "" : id, has_depots ? depots : NULL,
                has_box ? strongbox : NULL);
    return true;
}

void renaissance_tells_layout(struct sim_telling *t, const struct sim_step *step, unsigned seat) {
    const struct renaissance_seat *s = &renaissance_of(step->state)->seat[seat];
    char text[SIM_FACT_BYTES_MAX];
    layout_text(text, step->fold->seats[seat]->name, "USEPRODUCTION", "", s->depot, s->strongbox);
    telling_add(t, text, true);
}

static void tell_paid(struct sim_telling *t, const struct renaissance_seat *s, const char *name) {
    char text[SIM_FACT_BYTES_MAX], id[RENAISSANCE_ID_BYTES];
    layout_text(text, name, "USEPRODUCTION", "", s->depot, s->strongbox);
    telling_add(t, text, true);
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        if (renaissance_top(s, slot) != 0) {
            renaissance_card_id(renaissance_top(s, slot), id);
            layout_text(text, name, "BUYDEVELOPMENTCARD", id, s->depot, s->strongbox);
            telling_add(t, text, true);
        }
}

static void tell_action(struct sim_telling *t, const struct sim_step *step) {
    const struct renaissance *r = renaissance_of(step->state);
    char text[SIM_FACT_BYTES_MAX], id[RENAISSANCE_ID_BYTES];
    if (step->seat >= RENAISSANCE_SEATS_MAX)
        return;
    const struct renaissance_seat *s = &r->seat[step->seat];
    const char *name = step->fold->seats[step->seat]->name;
    switch (step->action->kind) {
    case RENAISSANCE_PLAY:
        renaissance_leader_id(step->action->arg[0], id);
        layout_text(text, name, "PLAYLEADERCARD", id, s->depot, NULL);
        telling_add(t, text, true);
        break;
    case RENAISSANCE_DISCARD:
        renaissance_leader_id(step->action->arg[0], id);
        layout_text(text, name, "DISCARDLEADERCARD", id, NULL, NULL);
        telling_add(t, text, true);
        break;
    case RENAISSANCE_FILL:
        layout_text(text, name, "MARKETACTION", "", s->depot, NULL);
        telling_add(t, text, true);
        break;
    case RENAISSANCE_PAY: tell_paid(t, s, name); break;
    default: break;
    }
}

void renaissance_tells(struct sim_telling *t, const struct sim_step *step) {
    const struct renaissance *r = renaissance_of(step->state);
    struct renaissance_scene scene = {.state = r};
    struct buf out = {0};
    char text[SIM_FACT_BYTES_MAX];
    enum attendance attendance;
    unsigned seat;
    if (step->before == NULL)
        telling_view(t, SPAN(""));
    if (step->action != NULL)
        tell_action(t, step);
    else if (event_attends(step->event, &seat, &attendance) &&
             renaissance_of(step->before)->phase == RENAISSANCE_ARRANGING) {
        unsigned mover = renaissance_of(step->before)->mover;
        layout_text(text, step->fold->seats[mover]->name, "MARKETACTION", "", r->seat[mover].depot, NULL);
        telling_add(t, text, true);
    }
    if (r->phase == RENAISSANCE_OVER) {
        for (unsigned i = 0; i < r->seats; i++)
            scene.names[i] = step->fold->seats[i]->name;
        renaissance_write_scores(&out, &scene);
        sim_fact_text(buf_span(&out), text);
        telling_add(t, text, true);
    }
    buf_free(&out);
}

static bool shows(struct span line, const uint8_t *leaders, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        char id[RENAISSANCE_ID_BYTES];
        renaissance_leader_id(leaders[i], id);
        if (memmem(line.data, line.size, id, strlen(id)) != NULL)
            return true;
    }
    return false;
}

/* Row 5 of the protocol's page: only setupUpdate shows the leaders of all to all. */
static const char *player_leaks(const struct table *t, unsigned seat, const json_t *message,
                                struct span line) {
    const struct renaissance *r = renaissance_of(t->fold.state);
    for (unsigned other = 0; other < r->seats; other++) {
        const struct renaissance_seat *s = &r->seat[other];
        if (other != seat && r->phase >= RENAISSANCE_KEEPING && r->phase != RENAISSANCE_OVER &&
            ((shows(line, s->hand, s->hand_count) && !json_is(message, "setupUpdate")) ||
             shows(line, s->dropped, s->dropped_count)))
            return "a leader that another seat keeps secret";
    }
    return NULL;
}

/* Before the first turn the players who get no resources have to say so, which is not in the journal. */
static bool player_waits(const struct table *t) {
    const struct renaissance *r = renaissance_of(t->fold.state);
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        if (t->fold.seats[seat]->name[0] == '\0')
            return true;
    return r->phase == RENAISSANCE_BEFORE && r->round == 0;
}

/* The dialect. */

static struct port *renaissance_open(struct sim *sim, struct tables *tables) {
    json_clients_begin(&renaissance_dialect);
    renaissance_config.tables = tables;
    renaissance_config.inspector = sim->inspector;
    return renaissance_port_create(&renaissance_config);
}

static void renaissance_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    struct renaissance_port_config *config = &renaissance_config;
    *config = renaissance_port_config_default();
    config->ping_ms = 1000 + sim_below(rng, 4000);
    config->silence_ms = 2 * config->ping_ms + 2000 + sim_below(rng, 5000);
    config->keep_ms = 1000 + sim_below(rng, 60000);
    config->return_ms = 500 + sim_below(rng, 8000);
    config->answer_ms = 1000 + sim_below(rng, 10000);
    config->is_lenient = sim_chance(rng, 300);
    if (sim_chance(rng, 200))
        config->tables_max = 1 + sim_below(rng, 3);
    if (sim_chance(rng, 100))
        config->players_max = 2 + sim_below(rng, 4);
}

/* What nobody says who was asked something else. */
static const char *const fouls[] = {
    "{\"type\":\"loginRequest\",\"username\":\"a b\"}",
    "{\"type\":\"loginRequest\",\"username\":\"p10-1\"}",
    "{\"type\":\"numberOfPlayersSelectionReply\",\"number\":5}",
    "{\"type\":\"numberOfPlayersSelectionReply\",\"number\":\"1\"}",
    "{\"type\":\"leaderCardsReply\",\"leaderCards\":[\"L001\",\"L001\"]}",
    "{\"type\":\"resourcesReply\",\"warehouse\":{\"0\":[\"COINS\",\"COINS\"]}}",
    "{\"type\":\"actionReply\",\"action\":\"ENDTURN\"}",
    "{\"type\":\"actionReply\",\"action\":\"MARKETACTION\"}",
    "{\"type\":\"rowColumnSelection\",\"index\":9,\"isRow\":true}",
    "{\"type\":\"rowColumnSelection\",\"index\":1,\"isRow\":true}",
    "{\"type\":\"resourcesManageReply\",\"warehouse\":{\"2\":[\"COINS\",\"STONES\"]}}",
    "{\"type\":\"actionParameters\",\"action\":\"PLAYLEADERCARD\",\"id\":\"L099\"}",
    "{\"type\":\"actionParameters\",\"username\":\"nobody\",\"action\":\"USEPRODUCTION\"}",
    "{\"type\":\"endTurn\"}",
    NULL,
};

struct json_speech renaissance_client_speech(const struct sim_dialect *dialect) {
    return (struct json_speech){
        .dialect = dialect,
        .client_size = sizeof(struct player),
        .fouls = fouls,
        .begins = player_begins,
        .takes = renaissance_client_takes,
        .answers = player_answers,
        .idles = player_idles,
        .fact = player_fact,
        .leaks = player_leaks,
        .waits = player_waits,
    };
}

static void renaissance_populate(struct sim *sim) {
    static struct json_speech speech;
    speech = renaissance_client_speech(&renaissance_dialect);
    json_clients_add(sim, &speech, PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE));
}

static void renaissance_finish(struct sim *sim) {
    (void)sim;
    json_clients_finish(&renaissance_dialect);
}

const char *renaissance_clients_wait(const struct sim *sim, const struct port *port, bool is_saving) {
    enum { LINGER_MS = 60 * 1000 }; /* a finished table is shown to others for so long */
    const struct renaissance_port_config *config = &renaissance_config;
    const uint32_t limits[] = {config->ping_ms,   config->silence_ms, config->keep_ms,
                               config->return_ms, config->answer_ms,  LINGER_MS};
    (void)is_saving;
    return json_clients_wait(sim, port, limits, sizeof limits / sizeof *limits);
}

const struct sim_dialect renaissance_dialect = {
    .name = "renaissance",
    .prepare = renaissance_prepare,
    .open = renaissance_open,
    .restored = json_clients_restored,
    .populate = renaissance_populate,
    .tells = renaissance_tells,
    .has_free_seats = true,
    .table_count = json_clients_tables,
    .waits = renaissance_clients_wait,
    .remains = json_clients_remain,
    .finish = renaissance_finish,
};
