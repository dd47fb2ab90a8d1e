#include "json_clients.h"

#include "host/room/room.h"
#include "shared_store.h"
#include "wire/json/line_frame.h"
#include "wire/json/read.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    THINK_MS = 60,
    DAWDLE_MS = 6000,
    AWAY_MS = 2500,
    PATIENCE_MS = 3000,
    MUTE_MS = 25000, /* without a word to somebody who waits for one; longer than any disk is slow */
    LINE_LONG_BYTES = LINE_FRAME_BYTES_MAX + 100,
    STAYS_MAX = 1000, /* of one connection */
};

/* A line that was said and has not left yet. */
struct said {
    struct said *next;
    char *text;
    uint64_t table;
    unsigned seat;
};

/* A connection as the port counts it and as the network does. */
struct json_conn {
    struct json_conn *next;
    const struct sim_dialect *dialect;
    const struct sim_server *server;
    uint64_t number;
    size_t connection;
    size_t stays;
    bool is_paused;                /* what it is told */
    char fact[SIM_FACT_BYTES_MAX]; /* that was told last in this stay */
    const struct json_framing *framing;
    void *stream; /* of another framing: what was told */
    struct said *first, **last;
};

static struct json_conn *conns;

void __wrap_inspector_record(struct inspector *, uint64_t table, const struct inspector_message *);
bool __wrap_inspector_wants(const struct inspector *, uint64_t table);

bool __wrap_inspector_wants(const struct inspector *inspector, uint64_t table) {
    (void)inspector;
    (void)table;
    return true;
}

/* The ports show the inspector every line with its table, before it leaves: that is how the witness knows
 * what a line is about. */
void __wrap_inspector_record(struct inspector *inspector, uint64_t table, const struct inspector_message *m) {
    struct json_conn *conn = conns;
    (void)inspector;
    while (conn != NULL && (conn->number != m->connection || strcmp(conn->dialect->name, m->protocol) != 0 ||
                            conn->server != sim_current()->server))
        conn = conn->next;
    if (conn == NULL || m->is_incoming || (conn->framing != NULL && span_is(m->text, conn->framing->ping)))
        return;
    struct said *said = malloc(sizeof *said);
    assert(said != NULL);
    *said = (struct said){NULL, strndup(m->text.data, m->text.size), table, m->seat};
    *conn->last = said;
    conn->last = &said->next;
}

static void said_free(struct json_conn *conn) {
    struct said *said = conn->first;
    conn->first = said->next;
    if (conn->first == NULL)
        conn->last = &conn->first;
    free(said->text);
    free(said);
}

/* Forgets connections of a protocol: to a server, or (NULL) all. */
static void conns_forget(const struct sim_dialect *dialect, const struct sim_server *server) {
    struct json_conn **at = &conns;
    while (*at != NULL) {
        struct json_conn *conn = *at;
        if (conn->dialect != dialect || (server != NULL && conn->server != server)) {
            at = &conn->next;
            continue;
        }
        while (conn->first != NULL)
            said_free(conn);
        *at = conn->next;
        if (conn->framing != NULL)
            conn->framing->freed(conn->stream);
        free(conn->stream);
        free(conn);
    }
}

void json_clients_begin(const struct sim_dialect *dialect) {
    conns_forget(dialect, sim_current()->server);
}

void json_clients_finish(const struct sim_dialect *dialect) {
    conns_forget(dialect, NULL);
}

static void *stream_new(const struct json_framing *framing) {
    void *stream = framing == NULL ? NULL : calloc(1, framing->stream_bytes);
    assert(framing == NULL || stream != NULL);
    return stream;
}

static struct json_conn *conn_add(struct sim_client *client) {
    struct json_conn *conn = calloc(1, sizeof *conn);
    assert(conn != NULL);
    conn->dialect = client->dialect;
    conn->server = client->chosen;
    conn->number = 1;
    for (const struct json_conn *other = conns; other != NULL; other = other->next)
        conn->number += other->dialect == conn->dialect && other->server == conn->server;
    conn->connection = client->sim->counts.connections;
    conn->framing = ((const struct json_speaker *)client->own)->speech->framing;
    conn->stream = stream_new(conn->framing);
    conn->last = &conn->first;
    conn->next = conns;
    conns = conn;
    return conn;
}

bool json_is(const json_t *message, const char *type) {
    return span_is(json_text(message, "type"), type);
}

json_t *json_any(struct rng *rng, const json_t *list) {
    size_t count = json_array_size(list);
    return count == 0 ? NULL : json_array_get(list, rng_below(rng, (uint32_t)count));
}

/* Speaking. */

/* What the other framing cannot say is said as it is: it is no stream any more then. */
static void send_framed(struct sim_client *client, const char *text) {
    struct json_speaker *c = client->own;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    struct buf out = {0};
    json_t *message;
    if (json_read_object(span_of(text), &message, complaint) != ERR_OK)
        message = NULL;
    if (message == NULL || !c->speech->framing->say(c->stream, message, c->name, &out))
        buf_append_text(&out, text);
    sim_client_send(client, buf_span(&out));
    buf_free(&out);
    json_decref(message);
}

static void send_text(struct sim_client *client, const char *text) {
    const struct json_speaker *c = client->own;
    if (c->speech->framing != NULL) {
        send_framed(client, text);
        return;
    }
    sim_client_send(client, span_of(text));
    sim_client_send(client, SPAN("\n"));
}

void json_speaker_mention(struct sim_client *client, json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    assert(text != NULL);
    sim_trace(client->sim, "client %zu says %.120s", client->index, text);
    send_text(client, text);
    free(text);
    json_decref(message);
}

/* How far the journal of its table is, of which its node may know less. */
static void note_version(struct sim_client *client) {
    struct json_speaker *c = client->own;
    const struct sim_server *server = sim_client_server(client);
    const struct table *t = server == NULL || c->table == 0 ? NULL : tables_find(server->tables, c->table);
    struct journal_copy journal;
    c->version = 0;
    c->is_behind = true;
    if (t == NULL || !journal_copy_read(client->sim, c->table, &journal))
        return;
    c->version = journal.count;
    c->is_behind = t->fold.last_seq < journal.count;
    journal_copy_free(&journal);
}

/* Whether something else has happened at its table, through whichever node, since it was judged what the
 * client may do. What its own node has written for its seat is what the client has said; another node may
 * have acted for a player whom it took for gone. */
static bool is_overtaken(struct sim_client *client) {
    const struct json_speaker *c = client->own;
    const struct sim_server *server = sim_client_server(client);
    struct event_action action;
    struct journal_copy journal;
    bool is_so = c->is_behind;
    if (client->sim->db == NULL || is_so || !journal_copy_read(client->sim, c->table, &journal))
        return is_so && client->sim->db != NULL;
    for (size_t i = c->version; i < journal.count && !is_so; i++)
        is_so = journal.events[i].kind != EVENT_ACTION ||
                event_action_read(journal.events[i].body, &action) != ERR_OK || action.seat != c->seat ||
                (server != NULL && !shared_is_author(server->inner, c->table, journal.events[i].seq));
    journal_copy_free(&journal);
    return is_so;
}

void json_speaker_say(struct sim_client *client, json_t *message) {
    struct json_speaker *c = client->own;
    json_speaker_mention(client, message);
    if (client->sim->db != NULL)
        note_version(client);
    if (c->said_ms == 0)
        c->said_ms = client->sim->now_ms;
}

void json_speaker_rename(struct sim_client *client) {
    struct json_speaker *c = client->own;
    snprintf(c->name, sizeof c->name, "p%zu-%u", 10 + client->index, ++c->name_number);
    c->has_sat = false;
}

void json_speaker_forget(struct sim_client *client) {
    struct json_speaker *c = client->own;
    json_decref(c->prompt);
    c->prompt = NULL;
}

static void say_long_line(struct sim_client *client) {
    char *line = malloc(LINE_LONG_BYTES + 1);
    assert(line != NULL);
    memset(line, 'x', LINE_LONG_BYTES);
    line[LINE_LONG_BYTES] = '\0';
    send_text(client, line);
    free(line);
}

static void misbehave(struct sim_client *client) {
    struct json_speaker *c = client->own;
    static const char *const garbage[] = {
        "hello",
        "{",
        "[1,2]",
        "{\"type\":\"ping\"}",
        "{\"type\":\"nothing\"}",
        "{\"type\":17,\"type\":18}",
        "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
        "\xff\xfe",
        "{\"type\":\"error\",\"message\":\"\\u0000\"}",
    };
    size_t foul_count = 0;
    while (c->speech->fouls[foul_count] != NULL)
        foul_count++;
    c->is_fouled = true;
    switch (sim_below(&client->rng, 12)) {
    case 0: sim_client_close(client, false); break;
    case 1: sim_client_close(client, true); break;
    case 2: sim_client_send(client, SPAN("{\"type\":")); break;
    case 3:
        if (sim_chance(&client->rng, 100))
            say_long_line(client);
        break;
    case 4: sim_client_act_in(client, sim_below(&client->rng, DAWDLE_MS)); return;
    case 5:
    case 6: send_text(client, garbage[sim_below(&client->rng, sizeof garbage / sizeof *garbage)]); break;
    default: send_text(client, c->speech->fouls[sim_below(&client->rng, (uint32_t)foul_count)]); break;
    }
    sim_client_act_in(client, sim_below(&client->rng, client->conn == NULL ? AWAY_MS : THINK_MS));
}

/* Living. */

static void forget(struct json_speaker *c) {
    json_decref(c->prompt);
    c->prompt = NULL;
    c->is_sure = c->is_fouled = c->has_news = c->is_doubtful = c->is_ahead = false;
    c->prompts = 0;
    c->said_ms = c->heard_ms = c->table = 0;
    c->seat = SEAT_WATCHER;
    line_frame_free(c->frame);
    *c->frame = (struct line_frame){0};
    if (c->speech->framing != NULL)
        c->speech->framing->freed(c->stream);
}

static void connect(struct sim_client *client) {
    struct json_speaker *c = client->own;
    struct sim *sim = client->sim;
    forget(c);
    bool is_possible = sim_client_finds(client);
    if (is_possible)
        c->connection = conn_add(client)->connection;
    bool is_connected = is_possible && sim_client_connect(client);
    assert(is_connected == is_possible);
    sim_client_act_in(client, sim_below(&client->rng, is_connected ? PATIENCE_MS : AWAY_MS));
    c->heard_ms = sim->now_ms;
    if (!is_connected || client->conn == NULL)
        return;
    if (c->name[0] == '\0' || (!c->has_sat && sim_chance(&client->rng, 300)))
        json_speaker_rename(client);
    c->speech->begins(client);
}

/* The table at which the server has placed the client and at which it is to act, although nobody has said so.
 */
static bool is_passed_over(const struct sim_client *client) {
    const struct json_speaker *c = client->own;
    const struct sim_server *server = sim_client_server(client);
    const struct table *t = c->table == 0 || server == NULL ? NULL : tables_find(server->tables, c->table);
    return t != NULL && c->seat < SEATS_MAX && c->prompt == NULL && t->request == NULL &&
           !t->fold.is_finished && game_may_act(t->fold.game, t->fold.state, c->seat) &&
           !(c->speech->waits != NULL && c->speech->waits(t));
}

/* Nobody who has only said what is right waits for an answer, or for a turn that has come. */
static void check_heard(struct sim_client *client) {
    const struct json_speaker *c = client->own;
    struct sim *sim = client->sim;
    if (!sim_client_is_linked(client) || c->is_fouled || sim_client_was_put_off(client))
        return;
    if (c->said_ms != 0 && sim->now_ms > c->said_ms + MUTE_MS)
        sim_fail(sim, "client %zu of %s was not answered for %d s", client->index, client->dialect->name,
                 MUTE_MS / 1000);
    else if (sim->now_ms > c->heard_ms + MUTE_MS && is_passed_over(client))
        sim_fail(sim, "client %zu of %s is to act for %d s and was not told", client->index,
                 client->dialect->name, MUTE_MS / 1000);
}

static void client_acts(struct sim_client *client) {
    struct json_speaker *c = client->own;
    if (client->conn == NULL) {
        connect(client);
        return;
    }
    check_heard(client);
    sim_client_act_in(client, PATIENCE_MS);
    if (sim_chance(&client->rng, c->malice_per_mille)) {
        misbehave(client);
        return;
    }
    json_t *prompt = c->prompt;
    c->prompt = NULL;
    if (prompt != NULL) {
        c->is_ahead = c->is_ahead || (client->sim->db != NULL && c->is_doubtful);
        bool is_behind = c->is_ahead || (client->sim->db != NULL && c->prompts > 1);
        c->is_sure = true;
        c->is_doubtful = false;
        c->prompts = 0;
        c->speech->answers(client, prompt, &c->is_sure);
        c->is_sure = c->is_sure && !is_behind;
        json_decref(prompt);
    } else {
        c->is_sure = false;
        c->speech->idles(client);
    }
    if (client->conn == NULL)
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void take(struct sim_client *client, const json_t *message, struct span line) {
    struct json_speaker *c = client->own;
    if (client->sim->is_silent)
        return;
    if (json_is(message, "ping")) {
        if (!sim_chance(&client->rng, c->malice_per_mille / 4))
            json_speaker_mention(client, json_pack("{s:s}", "type", "pong"));
        return;
    }
    sim_trace(client->sim, "client %zu hears %.*s", client->index, line.size < 100 ? (int)line.size : 100,
              line.data);
    enum json_meaning meaning = c->speech->takes(client, message);
    if (meaning == JSON_NOTHING)
        return;
    c->heard_ms = client->sim->now_ms;
    if (c->said_ms != 0 && meaning != JSON_REFUSAL) /* this may be no answer to what it said */
        c->is_doubtful = c->is_doubtful || is_overtaken(client);
    c->said_ms = 0;
    if (meaning == JSON_REFUSAL && c->is_sure && !c->has_news && !c->is_fouled && !is_overtaken(client) &&
        !sim_client_was_put_off(client))
        sim_fail(client->sim, "client %zu of %s is refused what it was offered: %.*s", client->index,
                 client->dialect->name, (int)line.size, line.data);
    c->has_news = true;
    if (meaning != JSON_PROMPT)
        return;
    c->has_news = false;
    c->prompts++;
    if (client->sim->db !=
        NULL) /* what it has just said may come too late, behind what others did elsewhere */
        c->is_sure = false;
    json_decref(c->prompt);
    c->prompt = json_deep_copy(message);
    sim_client_act_in(client, sim_below(&client->rng, THINK_MS));
}

static void hear_line(struct sim_client *client, struct span line) {
    json_t *message;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    if (json_read_object(line, &message, complaint) != ERR_OK) {
        sim_fail(client->sim, "what the server sends to client %zu cannot be read: %.*s", client->index,
                 (int)line.size, line.data);
        return;
    }
    take(client, message, line);
    json_decref(message);
}

/* A message that lines would not say is passed over. */
static void hear_framed(struct sim_client *client, struct span bytes) {
    struct json_speaker *c = client->own;
    struct buf shown = {0}, line = {0};
    while (client->conn != NULL && c->speech->framing->next(c->stream, &bytes, &shown, &line))
        if (line.size > 0)
            hear_line(client, buf_span(&line));
    buf_free(&shown);
    buf_free(&line);
}

static void client_hears(struct sim_client *client, struct span bytes) {
    struct json_speaker *c = client->own;
    struct span line;
    if (c->speech->framing != NULL) {
        hear_framed(client, bytes);
        return;
    }
    while (client->conn != NULL && line_frame_next(c->frame, &bytes, &line) == ERR_OK && line.size > 0)
        hear_line(client, line);
}

static void client_closed(struct sim_client *client) {
    sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void client_freed(struct sim_client *client) {
    struct json_speaker *c = client->own;
    if (c->speech->freed != NULL)
        c->speech->freed(client);
    json_decref(c->prompt);
    line_frame_free(c->frame);
    free(c->frame);
    if (c->speech->framing != NULL)
        c->speech->framing->freed(c->stream);
    free(c->stream);
}

/* Witness. */

static void line_told(struct sim_client *client, struct json_conn *conn, struct span line,
                      const struct said *said) {
    struct json_speaker *c = client->own;
    const struct json_speech *speech = c->speech;
    struct sim *sim = client->sim;
    char text[SIM_FACT_BYTES_MAX], complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message;
    if (json_read_object(line, &message, complaint) != ERR_OK) {
        sim_fail(sim, "the server says what is no message: %.*s", (int)line.size, line.data);
        return;
    }
    if (conn->connection == c->connection) {
        c->table = said->table;
        c->seat = said->seat;
        c->heard_ms = sim->now_ms; /* soon: a turn that has come is on its way */
    }
    const struct table *table = tables_find(sim->server->tables, said->table);
    const char *leak =
        speech->leaks == NULL || table == NULL ? NULL : speech->leaks(table, said->seat, message, line);
    if (leak != NULL)
        sim_fail(sim, "seat %u is told %s: %.*s", said->seat, leak, (int)line.size, line.data);
    if (speech->enters != NULL && speech->enters(message)) {
        conn->stays++;
        conn->fact[0] = '\0';
    }
    assert(conn->stays < STAYS_MAX);
    bool is_fact = speech->fact(message, line, text);
    bool is_again =
        is_fact && speech->repeats != NULL && speech->repeats(message) && strcmp(text, conn->fact) == 0;
    if (is_fact && !is_again) {
        size_t listener = conn->connection * STAYS_MAX + conn->stays;
        if (conn->is_paused)
            sim_told_in_pause(sim, client->dialect, listener, said->table, text);
        else
            sim_told(sim, client->dialect, listener, said->table, true, text);
        memcpy(conn->fact, text, sizeof text);
    }
    if (speech->pauses != NULL && sim->db != NULL && !speech->pauses(message, true))
        sim_told_was_in_pause(sim, client->dialect, conn->connection * STAYS_MAX + conn->stays, said->table);
    if (speech->pauses != NULL)
        conn->is_paused = speech->pauses(message, conn->is_paused);
    json_decref(message);
}

/* Messages of another framing may leave later than they are said, but in their order. */
static void framed_told(struct sim_client *client, struct json_conn *conn, struct span bytes) {
    struct buf shown = {0}, line = {0};
    while (conn->framing->next(conn->stream, &bytes, &shown, &line)) {
        if (shown.size == 0) { /* nothing behind it can be read, either */
            sim_fail(client->sim, "the server says what is no message: %s", buf_text(&line));
            break;
        }
        if (conn->first == NULL || !span_is(buf_span(&shown), conn->first->text))
            continue;
        if (line.size > 0)
            line_told(client, conn, buf_span(&line), conn->first);
        said_free(conn);
    }
    buf_free(&shown);
    buf_free(&line);
}

/* Lines leave in the order in which they were said. Those that were not about a table are only sent. */
static void client_told(struct sim_client *client, size_t connection, struct span bytes) {
    struct json_conn *conn = conns;
    while (conn != NULL && conn->connection != connection)
        conn = conn->next;
    assert(conn != NULL);
    if (conn->framing != NULL) {
        framed_told(client, conn, bytes);
        return;
    }
    while (bytes.size > 0) {
        const char *end = memchr(bytes.data, '\n', bytes.size);
        if (end == NULL) {
            sim_fail(client->sim, "the server sends a part of a line");
            return;
        }
        struct span line = span_make(bytes.data, (size_t)(end - bytes.data));
        if (conn->first != NULL && span_is(line, conn->first->text)) {
            line_told(client, conn, line, conn->first);
            said_free(conn);
        }
        bytes = span_make(end + 1, bytes.size - line.size - 1);
    }
    if (conn->first != NULL)
        sim_fail(client->sim, "what was said to client %zu at a table was not sent: %s", client->index,
                 conn->first->text);
}

void json_clients_add(struct sim *sim, const struct json_speech *speech, size_t count) {
    static const unsigned malices[] = {0, 0, 5, 30, 100};
    static struct sim_client_kind kinds[SIM_DIALECTS_MAX];
    size_t at = 0;
    while (sim_dialects[at] != speech->dialect)
        at++;
    kinds[at] = (struct sim_client_kind){.size = speech->client_size,
                                         .acts = client_acts,
                                         .heard = client_hears,
                                         .closed = client_closed,
                                         .told = client_told,
                                         .freed = client_freed};
    for (size_t i = 0; i < count; i++) {
        struct sim_client *client = sim_client_add(sim, speech->dialect, &kinds[at]);
        struct json_speaker *c = client->own;
        c->speech = speech;
        c->frame = calloc(1, sizeof *c->frame);
        assert(c->frame != NULL);
        c->stream = stream_new(speech->framing);
        c->malice_per_mille = malices[sim_below(&sim->plan_rng, sizeof malices / sizeof *malices)];
    }
}

const char *json_clients_wait(const struct sim *sim, const struct port *port, const uint32_t *limits_ms,
                              size_t count) {
    uint64_t next = port->ops->next_ms(port), longest_ms = 0;
    for (size_t i = 0; i < count; i++)
        longest_ms = limits_ms[i] > longest_ms ? limits_ms[i] : longest_ms;
    if (sim->db != NULL) /* what another node cares for is looked at again and again */
        longest_ms += ROOM_ARRIVED_KEEP_MS;
    return next != TIMERS_NEVER && next > sim->now_ms + longest_ms ? "waits longer than any of its limits"
                                                                   : NULL;
}

const char *json_clients_remain(const struct port *port) {
    uint64_t next = port->ops->next_ms(port);
    bool is_new = next == 0; /* it has not been told the time yet */
    return next == TIMERS_NEVER || is_new ? NULL : "deadlines";
}

/* All of them are the server's, which counts its tables. */
size_t json_clients_tables(const struct port *port) {
    (void)port;
    return 0;
}

/* The port takes its tables over when it is opened. */
void json_clients_restored(struct sim *sim, struct table *table) {
    (void)sim;
    (void)table;
}

void json_clients_thinkers_create(struct thinker *thinkers[SIM_NODES_MAX]) {
    for (size_t i = 0; i < SIM_NODES_MAX; i++)
        thinkers[i] = thinker_inline_create();
}

void json_clients_think(struct sim *sim, struct thinker *const thinkers[SIM_NODES_MAX]) {
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        if (sim->server->is_up && strain_stall_ms(sim->server) == 0 && thinker_inline_work(thinkers[i]))
            sim_server_touched(sim);
    }
}

void json_clients_thinkers_free(struct thinker *const thinkers[SIM_NODES_MAX]) {
    for (size_t i = 0; i < SIM_NODES_MAX; i++) {
        thinker_inline_work(thinkers[i]);
        thinker_free(thinkers[i]);
    }
}

void sim_client_request(struct sim_client *client, const char *method, const char *path, const char *token,
                        const char *head, json_t *body) {
    struct buf out = {0};
    char *text = body == NULL ? NULL : json_dumps(body, JSON_COMPACT);
    sim_trace(client->sim, "client %zu asks %s %s %.80s", client->index, method, path,
              text == NULL ? "" : text);
    buf_printf(&out, "%s /api/v1%s HTTP/1.1\r\nHost: sim\r\n", method, path);
    if (token[0] != '\0')
        buf_printf(&out, "Authorization: Bearer %s\r\n", token);
    buf_append_text(&out, head);
    if (text != NULL)
        buf_printf(&out, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(text));
    buf_printf(&out, "\r\n%s", text == NULL ? "" : text);
    sim_client_send(client, buf_span(&out));
    buf_free(&out);
    free(text);
    json_decref(body);
}
