#include "cups.h"

#include "host/cup/cups.h"
#include "host/hall/hall.h"
#include "http_stream.h"
#include "json_clients.h"
#include "wire/json/read.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PLAYERS_MIN = 2,
    PLAYERS_MORE = 4,
    BOTS_MAX = 2,
    THINK_MS = 40,
    PATIENCE_MS = 800,
    AWAY_MS = 1500,
    MUTE_MS = 25000,
    BEGIN_MS = 1500, /* so long a championship waits for entrants */
    WISH_MS = 3000,
    TURN_MS_MIN = 1000,
    TURN_MS_MORE = 3000,
    TEXT_BYTES = 128,
    CODE_BYTES = 16,
};

extern const struct sim_dialect api_dialect;

enum cup_ask {
    CUP_ASK_NOTHING,
    CUP_ASK_OPEN,
    CUP_ASK_BOT,
    CUP_ASK_STEP,
    CUP_ASK_ENTER,
    CUP_ASK_LOOK,
    CUP_ASK_TABLE,
    CUP_ASK_ACT
};

struct cup_client {
    bool is_owner;
    struct http_stream stream;
    enum cup_ask asked;
    uint64_t asked_ms;
    char cup[JSON_NAME_BYTES_MAX], name[JSON_NAME_BYTES_MAX], token[TOKEN_CHARS + 1];
    unsigned names, bots;  /* that it has used; that are still to enter */
    uint64_t opened_ms;    /* 0: the owner has no championship */
    bool is_beginning;     /* what it asked last was to begin */
    enum cup_state phase;  /* as it was shown last */
    char code[CODE_BYTES]; /* of its table, or "" */
    json_t *legal;         /* there, and at which version */
    int64_t version;
};

/* Of the run that is going on. */
static struct {
    struct hall_desk desks[SIM_NODES_MAX];
    char current[JSON_NAME_BYTES_MAX]; /* the championship that players enter */
    unsigned number;
    uint64_t wished_ms; /* by the operator */
} run;

struct hall_desk *cup_clients_desk(const struct sim_server *server) {
    return &run.desks[server->index];
}

/* Speaking. */

static void cup_request(struct sim_client *client, enum cup_ask ask, const char *method, const char *path,
                        json_t *body) {
    struct cup_client *p = client->own;
    sim_client_request(client, method, path, p->token, "", body);
    p->asked = ask;
    p->asked_ms = client->sim->now_ms;
}

static void cup_request_of(struct sim_client *client, enum cup_ask ask, const char *word, json_t *body) {
    const struct cup_client *p = client->own;
    char path[80];
    snprintf(path, sizeof path, "/championships/%s%s", p->cup, word);
    cup_request(client, ask, body == NULL ? "GET" : "POST", path, body);
}

static void table_forget(struct cup_client *p) {
    json_decref(p->legal);
    p->legal = NULL;
}

static void cup_forget(struct cup_client *p) {
    table_forget(p);
    p->token[0] = p->code[0] = p->cup[0] = '\0';
    p->opened_ms = 0;
    p->phase = CUP_OPEN;
}

static void owner_opens(struct sim_client *client) {
    static const char *const formats[] = {"round-robin", "double-round-robin", "swiss", "knockout"};
    struct cup_client *p = client->own;
    cup_forget(p);
    snprintf(p->cup, sizeof p->cup, "cup-%u", ++run.number);
    p->bots = sim_below(&client->rng, BOTS_MAX + 1);
    p->opened_ms = client->sim->now_ms;
    const char *format = formats[sim_below(&client->rng, sizeof formats / sizeof *formats)];
    json_t *body =
        json_pack("{s:s,s:s,s:s,s:i,s:i}", "name", p->cup, "format", format, "game", "paper-soccer",
                  "turn_ms", (int)(TURN_MS_MIN + sim_below(&client->rng, TURN_MS_MORE)), "tables_max",
                  (int)(1 + sim_below(&client->rng, 4)));
    if (strcmp(format, "swiss") == 0)
        json_object_set_new(body, "rounds", json_integer(1));
    cup_request(client, CUP_ASK_OPEN, "POST", "/championships", body);
}

static void owner_acts(struct sim_client *client) {
    struct cup_client *p = client->own;
    char name[JSON_NAME_BYTES_MAX];
    bool is_time = client->sim->now_ms > p->opened_ms + BEGIN_MS;
    if (p->opened_ms == 0 || p->token[0] == '\0' || p->phase == CUP_OVER || p->phase == CUP_CANCELLED) {
        owner_opens(client);
    } else if (p->phase == CUP_OPEN && p->bots > 0) {
        snprintf(name, sizeof name, "bot-%u", p->bots--);
        cup_request_of(client, CUP_ASK_BOT, "/entrants", json_pack("{s:s,s:i}", "name", name, "bot", 1));
    } else if (p->phase == CUP_OPEN && is_time && sim_chance(&client->rng, 500)) {
        p->is_beginning = true;
        cup_request_of(client, CUP_ASK_STEP, "/start", json_object());
    } else if (p->phase == CUP_PAUSED || (p->phase == CUP_RUNNING && sim_chance(&client->rng, 30))) {
        p->is_beginning = false;
        cup_request_of(client, CUP_ASK_STEP, p->phase == CUP_PAUSED ? "/resume" : "/pause", json_object());
    } else {
        cup_request_of(client, CUP_ASK_LOOK, "", NULL);
    }
}

static void player_acts(struct sim_client *client) {
    struct cup_client *p = client->own;
    char path[80];
    json_t *action = json_any(&client->rng, p->legal);
    bool is_over = p->phase == CUP_OVER || p->phase == CUP_CANCELLED;
    if (p->cup[0] != '\0' && p->token[0] != '\0' && is_over)
        cup_forget(p);
    if (p->cup[0] == '\0' || (p->token[0] == '\0' && strcmp(p->cup, run.current) != 0)) {
        cup_forget(p);
        snprintf(p->cup, sizeof p->cup, "%s", run.current);
    }
    if (p->cup[0] == '\0')
        return;
    if (p->token[0] == '\0') {
        /* What came of an entry whose answer was lost is not known: it may be there. */
        snprintf(p->name, sizeof p->name, "p%zu-%u", client->index, ++p->names);
        cup_request_of(client, CUP_ASK_ENTER, "/entrants", json_pack("{s:s}", "name", p->name));
    } else if (action != NULL) {
        snprintf(path, sizeof path, "/tables/%s/actions", p->code);
        cup_request(client, CUP_ASK_ACT, "POST", path,
                    json_pack("{s:I,s:[O]}", "version", (json_int_t)p->version, "actions", action));
        table_forget(p);
    } else if (p->code[0] != '\0' && sim_chance(&client->rng, 850)) {
        snprintf(path, sizeof path, "/tables/%s", p->code);
        cup_request(client, CUP_ASK_TABLE, "GET", path, NULL);
    } else {
        cup_request_of(client, CUP_ASK_LOOK, "", NULL);
    }
}

static void client_acts(struct sim_client *client) {
    struct cup_client *p = client->own;
    struct sim *sim = client->sim;
    if (client->conn == NULL) {
        http_stream_free(&p->stream);
        table_forget(p);
        if (p->asked == CUP_ASK_OPEN) /* whether there is one nobody has told */
            cup_forget(p);
        p->asked = CUP_ASK_NOTHING;
        bool is_connected = sim_client_connect(client);
        sim_client_act_in(client, sim_below(&client->rng, is_connected ? THINK_MS : AWAY_MS));
        return;
    }
    sim_client_act_in(client, sim_below(&client->rng, PATIENCE_MS));
    if (p->asked != CUP_ASK_NOTHING) {
        if (sim->now_ms > p->asked_ms + MUTE_MS && sim_client_is_linked(client) &&
            !sim_client_was_put_off(client))
            sim_fail(sim, "client %zu of a championship was not answered for %d s", client->index,
                     MUTE_MS / 1000);
        return;
    }
    if (sim_chance(&client->rng, 10))
        sim_client_close(client, sim_chance(&client->rng, 500));
    else if (p->is_owner)
        owner_acts(client);
    else
        player_acts(client);
    if (client->conn == NULL)
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

/* Hearing. */

static void take_pairing(struct sim *sim, const char *cup, const json_t *pairing) {
    char text[TEXT_BYTES];
    int64_t number, replays;
    struct span how = json_text(pairing, "how");
    const json_t *players = json_object_get(pairing, "players"),
                 *results = json_object_get(pairing, "results");
    if (!span_is(json_text(pairing, "state"), "decided") || !json_int(pairing, "number", &number) ||
        !json_int(pairing, "replays", &replays))
        return;
    size_t used = (size_t)snprintf(text, sizeof text, "%.*s", (int)how.size, how.data);
    for (size_t i = 0; i < json_array_size(players) && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s %d",
                                 json_string_value(json_array_get(players, i)),
                                 (int)json_integer_value(json_array_get(results, i)));
    cup_told_result(sim, cup, (unsigned)number, (unsigned)replays, text);
}

static void take_cup(struct sim_client *client, const json_t *body) {
    static const enum cup_state phases[] = {CUP_OPEN, CUP_RUNNING, CUP_PAUSED, CUP_OVER, CUP_CANCELLED};
    struct cup_client *p = client->own;
    const json_t *pairings = json_object_get(body, "pairings");
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (span_is(json_text(body, "state"), cup_state_word(phases[i])))
            p->phase = phases[i];
    for (size_t i = 0; i < json_array_size(pairings); i++)
        take_pairing(client->sim, p->cup, json_array_get(pairings, i));
    if (!span_copy(json_text(json_object_get(body, "you"), "table"), p->code, sizeof p->code))
        p->code[0] = '\0';
}

static void take_table(struct cup_client *p, const json_t *body) {
    bool is_over = false;
    table_forget(p);
    if (json_flag(body, "over", &is_over) && is_over)
        p->code[0] = '\0';
    else if (json_int(body, "version", &p->version))
        p->legal = json_deep_copy(json_object_get(body, "legal"));
}

static void take_done(struct sim_client *client, const json_t *body) {
    struct cup_client *p = client->own;
    switch (p->asked) {
    case CUP_ASK_OPEN:
        if (span_copy(json_text(body, "owner_token"), p->token, sizeof p->token))
            snprintf(run.current, sizeof run.current, "%s", p->cup);
        break;
    case CUP_ASK_ENTER:
        if (span_copy(json_text(body, "token"), p->token, sizeof p->token))
            cup_told_entrant(p->cup, p->name);
        break;
    case CUP_ASK_STEP:
        if (p->is_beginning)
            cup_told_begun(p->cup);
        p->phase = CUP_RUNNING; /* as far as is known: it is looked at next */
        break;
    case CUP_ASK_LOOK: take_cup(client, body); break;
    case CUP_ASK_TABLE: take_table(p, body); break;
    default: break;
    }
}

/* Who is too late for one waits for the next; who was refused at its table looks again. */
static void take_refused(struct sim_client *client, int status, const json_t *body) {
    struct cup_client *p = client->own;
    struct span word = json_text(body, "error");
    bool is_broken = status == 401 && p->asked != CUP_ASK_ENTER && client->sim->db == NULL;
    if (is_broken && (p->asked == CUP_ASK_TABLE || p->asked == CUP_ASK_ACT))
        sim_fail(client->sim, "the token of client %zu is not known at table %s of championship %s: %.*s",
                 client->index, p->code, p->cup, (int)word.size, word.data);
    if (p->asked == CUP_ASK_OPEN)
        cup_forget(p);
    if (p->asked == CUP_ASK_TABLE || p->asked == CUP_ASK_ACT)
        p->code[0] = '\0';
    if (p->asked == CUP_ASK_ENTER)
        sim_client_act_in(client, PATIENCE_MS);
}

static void client_hears(struct sim_client *client, struct span bytes) {
    struct cup_client *p = client->own;
    struct buf text = {0};
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    int status;
    http_stream_add(&p->stream, bytes);
    while (client->conn != NULL && http_stream_next(&p->stream, &status, &text) == HTTP_PIECE_ANSWER) {
        json_t *body = NULL;
        if (text.size > 0 && json_read_object(buf_span(&text), &body, complaint) != ERR_OK)
            body = NULL;
        bool has_time = p->asked == CUP_ASK_LOOK;
        if (!client->sim->is_silent && status < 400)
            take_done(client, body);
        else if (!client->sim->is_silent)
            take_refused(client, status, body);
        p->asked = CUP_ASK_NOTHING;
        has_time = has_time && p->code[0] == '\0';
        sim_client_act_in(client, sim_below(&client->rng, has_time ? PATIENCE_MS : THINK_MS));
        json_decref(body);
    }
    buf_free(&text);
}

static void client_closed(struct sim_client *client) {
    sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void client_told_nothing(struct sim_client *client, size_t connection, struct span bytes) {
    (void)client;
    (void)connection;
    (void)bytes;
}

static void client_freed(struct sim_client *client) {
    struct cup_client *p = client->own;
    table_forget(p);
    http_stream_free(&p->stream);
}

/* The run. */

void cup_clients_add(struct sim *sim) {
    static const struct sim_client_kind kind = {.size = sizeof(struct cup_client),
                                                .acts = client_acts,
                                                .heard = client_hears,
                                                .closed = client_closed,
                                                .told = client_told_nothing,
                                                .freed = client_freed};
    size_t count = 1 + PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE);
    memset(&run, 0, sizeof run);
    for (size_t i = 0; i < count; i++) {
        struct cup_client *p = sim_client_add(sim, &api_dialect, &kind)->own;
        p->is_owner = i == 0;
        p->phase = CUP_OPEN;
    }
}

void cup_clients_finish(void) {
    cup_told_free();
}

/* What the operator does with championships that are not over, one after the other. */
static void operator_ends(struct sim *sim, struct cups *cups, const struct cup_fold *f) {
    enum cups_wish_kind kind = f->phase == CUP_PAUSED ? CUPS_RESUME : CUPS_CANCEL;
    if (f->phase == CUP_RUNNING || sim->now_ms < run.wished_ms + WISH_MS)
        return;
    run.wished_ms = sim->now_ms;
    cups_wish(cups, &(struct cups_wish){.kind = kind, .cup = f->id}, NULL, sim->now_ms);
    sim_server_touched(sim);
}

bool cup_clients_are_over(const struct sim *looking) {
    struct sim *sim = (struct sim *)(uintptr_t)looking;
    const struct cup_fold *f;
    bool are_over = true;
    for (size_t i = 0; i < sim->server_count; i++) {
        struct cups *cups = sim->servers[i].is_up ? run.desks[i].cups : NULL;
        are_over = are_over && sim->servers[i].is_up;
        sim->server = &sim->servers[i];
        for (size_t k = 0; cups != NULL && (f = cups_at(cups, k)) != NULL; k++)
            if (!cup_fold_is_closed(f)) {
                are_over = false;
                operator_ends(sim, cups, f);
                break;
            }
    }
    return are_over;
}

/* An opening may have waited for the disk for so long that it is saved after all others were over. */
bool cup_clients_are_swept(const struct sim *sim) {
    if (!cup_clients_are_over(sim))
        return false;
    for (size_t i = 0; i < sim->server_count; i++)
        if (!sim->servers[i].is_up || cups_next_ms(run.desks[i].cups) != TIMERS_NEVER)
            return false;
    return true;
}
