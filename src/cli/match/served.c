/* A game on a server of its own: programs come in over the protocol of the game, and bots as programs, too.
 * The server is started for one game with the dice of the round, the table is opened through the native API,
 * and the players are started in the order of their seats, each when the one before has sat down. The
 * Universal Game System opens its tables itself, for the players in the order in which they log in. */
#include "base/buf.h"
#include "base/clock.h"
#include "cli/http_client.h"
#include "cli/match/match.h"
#include "cli/match/process.h"
#include "cli/match/ready.h"
#include "cli/match/usher.h"
#include "server/protocols.h"

#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum {
    FAREWELL_MS = 3000, /* for a program to end by itself after the game */
    NAME_BYTES = 16,
    ARGS_MAX = 40,
    ADDRESS_BYTES_MAX = 128,
    CODE_BYTES = 32,
    COMMAND_BYTES_MAX = 4096,
    URL_BYTES_MAX = 256,
    NUMBER_BYTES = 24,
    SEED_TABLE = 100, /* a purpose of seeds: beside those of games inside */
};

/* The names of contestants, in their order; long enough for every protocol. */
static const char *const names[SEATS_MAX] = {"alpha", "bravo", "charlie", "delta"};

struct served {
    const struct match *match;
    uint32_t index;
    const struct protocol *protocol;
    char self[MATCH_PATH_BYTES_MAX], base[MATCH_PATH_BYTES_MAX], log[MATCH_PATH_BYTES_MAX];
    char http[ADDRESS_BYTES_MAX], address[ADDRESS_BYTES_MAX]; /* where the server listens */
    char code[CODE_BYTES];
    pid_t server, players[SEATS_MAX];
    bool has_ended[SEATS_MAX];      /* by itself, in order */
    struct usher ushers[SEATS_MAX]; /* Santorini's alone */
    struct http_client client;
    struct buf answer;
    int64_t version; /* of the table, when it was looked at last */
    uint64_t changed_ms;
};

static bool served_is_ugs(const struct served *s) {
    return strcmp(s->protocol->name, "ugs") == 0;
}

/* Santorini asks everybody for a name at the same time, and who is first has the first seat. */
static bool served_is_race(const struct served *s) {
    return strcmp(s->protocol->name, "santorini") == 0;
}

static const struct protocol *served_protocol(const struct game *game) {
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocols[i]->game != NULL && strcmp(protocols[i]->game, game->name) == 0 &&
            protocols[i]->of == NULL)
            return protocols[i];
    return NULL;
}

static bool served_fail(const struct served *s, const char *why) {
    fprintf(stderr, "parlor: game %u: %s; see %s\n", s->index + 1, why, s->log);
    return false;
}

/* Every listener is off but HTTP and the protocol's own. */
static size_t served_listener_args(const struct served *s, const char *argv[], size_t count,
                                   char (*texts)[ADDRESS_BYTES_MAX]) {
    for (size_t i = 0; protocols[i] != NULL; i++) {
        if (protocols[i]->default_address == NULL)
            continue;
        bool is_on = protocols[i] == s->protocol;
        snprintf(texts[i], ADDRESS_BYTES_MAX, "--%s=%s", protocols[i]->name, is_on ? "127.0.0.1:0" : "off");
        argv[count++] = texts[i];
    }
    return count;
}

static bool served_start_server(struct served *s) {
    char data[MATCH_PATH_BYTES_MAX + 16], seed[NUMBER_BYTES + 8], limit[NUMBER_BYTES + 24];
    char texts[PROTOCOLS_MAX][ADDRESS_BYTES_MAX], line[READY_BYTES_MAX];
    const char *argv[ARGS_MAX] = {s->self,
                                  "serve",
                                  "--http=127.0.0.1:0",
                                  "--allow-root", /* whoever plays the match has been told to run it */
                                  "--free-loopback",
                                  "--hunt-poll-interval=0.01",
                                  "--log-level=debug"};
    size_t count = 7;
    int ready_fd;
    snprintf(data, sizeof data, "--data=%s", s->base);
    snprintf(seed, sizeof seed, "--seed=%" PRIu64,
             match_seed(s->match, s->index / s->match->count, SEED_TABLE) >> 2);
    snprintf(limit, sizeof limit, "--move-timeout=%u.%03u", s->match->limit_ms / 1000,
             s->match->limit_ms % 1000);
    argv[count++] = data;
    argv[count++] = seed;
    argv[count++] = limit;
    count = served_listener_args(s, argv, count, texts);
    argv[count] = NULL;
    s->server = process_start(argv, s->log, &ready_fd);
    if (s->server < 0)
        return served_fail(s, "the server could not be started");
    bool is_ready = ready_read(ready_fd, line);
    close(ready_fd);
    const char *listener = s->protocol->default_address == NULL ? "http" : s->protocol->name;
    if (!is_ready || !ready_address(line, "http", s->http, sizeof s->http) ||
        !ready_address(line, listener, s->address, sizeof s->address))
        return served_fail(s, "the server does not listen");
    return true;
}

/* Asks the server; gives the answer, or NULL. */
static json_t *served_ask(struct served *s, const char *method, const char *path, struct span body) {
    int status;
    buf_clear(&s->answer);
    if (http_client_ask(&s->client, method, path, body, &status, &s->answer) != ERR_OK || status >= 300)
        return NULL;
    return json_loadb(s->answer.data, s->answer.size, 0, NULL);
}

/* The options of the game as a JSON object: "a=b,c=2". */
static void served_write_options(const struct served *s, struct writer *w) {
    const struct game *game = s->match->game;
    writer_object_begin(w, "options");
    for (size_t i = 0; game->options != NULL && game->options[i].name != NULL; i++)
        game_option_write(&game->options[i], s->match->options.value[i], game->options[i].name, w);
    writer_object_end(w);
}

static bool served_open_table(struct served *s) {
    struct buf body = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &body);
    writer_object_begin(&w, NULL);
    writer_text(&w, "game", span_of(s->match->game->name));
    writer_text(&w, "protocol", span_of(s->protocol->name));
    writer_int(&w, "seats", s->match->count);
    served_write_options(s, &w);
    writer_object_end(&w);
    json_t *table = served_ask(s, "POST", "/api/v1/tables", buf_span(&body));
    buf_free(&body);
    const char *code = json_string_value(json_object_get(table, "code"));
    bool is_open = code != NULL && span_copy(span_of(code), s->code, sizeof s->code);
    json_decref(table);
    return is_open ? true : served_fail(s, "the server opened no table");
}

/* The words of a command with what they stand for. False when it becomes too long. */
static bool served_fill_in(const struct served *s, const char *command, unsigned seat, struct buf *out) {
    unsigned who = match_sitter(s->match, s->index, seat);
    static const char *const words[] = {"{host}",    "{port}", "{name}", "{table}",
                                        "{players}", "{ms}",   "{seed}"};
    enum { PORT = 1, NAME, TABLE, PLAYERS, MS, SEED, WORDS };
    char values[WORDS][ADDRESS_BYTES_MAX];
    const char *colon = strrchr(s->address, ':');
    snprintf(values[0], sizeof values[0], "%.*s", (int)(colon - s->address), s->address);
    snprintf(values[PORT], sizeof values[0], "%s", colon + 1);
    if (served_is_race(s))
        snprintf(values[PORT], sizeof values[0], "%u", s->ushers[seat].port);
    snprintf(values[NAME], sizeof values[0], "%s", names[who]);
    snprintf(values[TABLE], sizeof values[0], "%s", s->code);
    snprintf(values[PLAYERS], sizeof values[0], "%u", s->match->count);
    snprintf(values[MS], sizeof values[0], "%u", s->match->ms);
    snprintf(values[SEED], sizeof values[0], "%" PRIu64, match_seed(s->match, s->index, who + 1) >> 2);
    while (*command != '\0') {
        size_t i = 0;
        while (i < WORDS && strncmp(command, words[i], strlen(words[i])) != 0)
            i++;
        if (i < WORDS)
            buf_append_text(out, values[i]);
        else
            buf_append_byte(out, *command);
        command += i < WORDS ? strlen(words[i]) : 1;
    }
    return out->size < COMMAND_BYTES_MAX;
}

/* How a bot of Parlor is started over each protocol. */
static const char *served_bot_command(const struct served *s) {
    static const char *const commands[][2] = {
        {"ugs", "--connect_to {host}:{port} --nick {name} --games 1 --seed {seed}"},
        {"santorini", "--connect {host}:{port} --name {name} --players {players} --games 1 --seed {seed}"},
        {"eriantys", "--connect {host}:{port} --name {name} --code {table} --seed {seed}"},
        {"renaissance", "--connect {host}:{port} --name {name} --players {players} --games 1 --seed {seed}"},
        {"treasure", "--connect http://{host}:{port} --game {table} --name {name} --interval 0.01"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i][0], s->protocol->name) == 0)
            return commands[i][1];
    return "";
}

static bool served_start_player(struct served *s, unsigned seat) {
    unsigned who = match_sitter(s->match, s->index, seat);
    const struct match_contestant *c = &s->match->contestant[who];
    char log[MATCH_PATH_BYTES_MAX + NAME_BYTES];
    struct buf command = {0};
    if (served_is_race(s) && !usher_begin(&s->ushers[seat], s->address))
        return served_fail(s, "there is no port for a player");
    if (c->program == NULL) {
        buf_printf(&command, "exec '%s' bot %s --bot ", s->self, s->match->game->name);
        buf_append_text(&command, c->text);
        if (c->spec.ms > 0 && strstr(c->text, "ms=") == NULL)
            buf_printf(&command, "%sms=%u", strchr(c->text, ':') == NULL ? ":" : ",", c->spec.ms);
        buf_append_byte(&command, ' ');
    }
    bool is_whole =
        served_fill_in(s, c->program == NULL ? served_bot_command(s) : c->program, seat, &command);
    snprintf(log, sizeof log, "%s.%s.log", s->base, names[who]);
    buf_append_byte(&command, '\0');
    const char *argv[] = {"/bin/sh", "-c", command.data, NULL};
    s->players[seat] = is_whole ? process_start(argv, log, NULL) : -1;
    buf_free(&command);
    return s->players[seat] > 0 ? true : served_fail(s, "a program could not be started");
}

static void served_path(const struct served *s, const char *what, char path[URL_BYTES_MAX]) {
    snprintf(path, URL_BYTES_MAX, "/api/v1/tables/%s%s", s->code, what);
}

/* The seat of a player at the table, or -1. */
static int served_seat_of(const json_t *table, const char *name) {
    const json_t *seats = json_object_get(table, "seats");
    for (size_t i = 0; i < json_array_size(seats) && i < SEATS_MAX; i++) {
        const char *there = json_string_value(json_object_get(json_array_get(seats, i), "name"));
        if (there != NULL && strcmp(there, name) == 0)
            return (int)i;
    }
    return -1;
}

/* The code of the oldest table in a state, if there is one. Tables of the Universal Game System are found so:
 * this server has no other, but players who wait for a moment after their game are paired again. */
static void served_find_table(struct served *s, const char *state) {
    char path[URL_BYTES_MAX];
    snprintf(path, sizeof path, "/api/v1/tables?game=%s&state=%s", s->match->game->name, state);
    json_t *page = served_ask(s, "GET", path, (struct span){0});
    const json_t *tables = json_object_get(page, "tables");
    const json_t *oldest = json_array_get(tables, json_array_size(tables) - 1);
    const char *code = json_string_value(json_object_get(oldest, "code"));
    if (code != NULL)
        snprintf(s->code, sizeof s->code, "%s", code);
    json_decref(page);
}

/* The table as it stands; NULL while there is none. */
static json_t *served_look(struct served *s) {
    char path[URL_BYTES_MAX];
    if (s->code[0] == '\0') {
        served_find_table(s, "running");
        served_find_table(s, "finished"); /* a finished one was there before what runs now */
    }
    if (s->code[0] == '\0')
        return NULL;
    served_path(s, "", path);
    json_t *table = served_ask(s, "GET", path, (struct span){0});
    int64_t version = json_integer_value(json_object_get(table, "version"));
    if (version != s->version)
        s->changed_ms = clock_monotonic_ms();
    s->version = version;
    return table;
}

/* How many lines of the server's log have both. */
static unsigned served_log_count(const struct served *s, const char *event, const char *field) {
    char line[READY_BYTES_MAX];
    FILE *log = fopen(s->log, "r");
    unsigned count = 0;
    while (log != NULL && fgets(line, sizeof line, log) != NULL)
        count += strstr(line, event) != NULL && strstr(line, field) != NULL;
    if (log != NULL)
        fclose(log);
    return count;
}

/* Whether the player of a seat has come so far that the next one may, without taking the place before it. In
 * Santorini nobody sits before all are there, and places go by the order of the connections. */
static bool served_has_come(struct served *s, unsigned seat, const char *name) {
    char field[NAME_BYTES + 16];
    if (served_is_ugs(s)) {
        snprintf(field, sizeof field, "nick=\"%s\"", name);
        return served_log_count(s, "player-login", field) > 0;
    }
    if (served_is_race(s))
        return served_log_count(s, " connected ", "listener=\"santorini\"") > seat;
    json_t *table = served_look(s);
    bool is_seated = served_seat_of(table, name) >= 0;
    json_decref(table);
    return is_seated;
}

/* Waits for the player; false when the program ends or is silent for too long. */
static bool served_wait_seated(struct served *s, unsigned seat, enum match_fault *fault) {
    const char *name = names[match_sitter(s->match, s->index, seat)];
    uint64_t until_ms = clock_monotonic_ms() + s->match->limit_ms;
    while (!served_has_come(s, seat, name)) {
        if (process_look(&s->players[seat]) != PROCESS_RUNS) {
            *fault = FAULT_CRASH;
            return false;
        }
        if (clock_monotonic_ms() >= until_ms) {
            *fault = FAULT_TIME;
            return false;
        }
        process_pause();
    }
    return true;
}

/* The game ends because of this seat: all others have won. */
static void served_lose(const struct match *m, unsigned seat, enum match_fault fault,
                        struct match_result *out) {
    for (unsigned i = 0; i < m->count; i++)
        out->points[i] = out->faults[i] == FAULT_NONE && i != seat;
    out->faults[seat] = fault;
}

/* A program that has ended before its table: with two seats that decides, with more only a failure does. */
static bool served_look_at_players(struct served *s, struct match_result *out) {
    for (unsigned seat = 0; seat < s->match->count; seat++) {
        if (s->has_ended[seat])
            continue;
        enum process_end end = process_look(&s->players[seat]);
        if (end == PROCESS_RUNS)
            continue;
        s->has_ended[seat] = true;
        json_t *table = served_look(s); /* it may have heard of the end before we have */
        bool is_over = json_is_true(json_object_get(table, "over"));
        json_decref(table);
        if (is_over)
            return true;
        if (end == PROCESS_FAILED || s->match->count <= 2) {
            served_lose(s->match, seat, FAULT_CRASH, out);
            return false;
        }
    }
    return true;
}

/* Those who are to act, and have not for too long. */
static void served_time_out(const struct served *s, const json_t *table, struct match_result *out) {
    const json_t *turn = json_object_get(table, "turn");
    for (unsigned seat = 0; seat < s->match->count; seat++) {
        int at = served_seat_of(table, names[match_sitter(s->match, s->index, seat)]);
        for (size_t i = 0; i < json_array_size(turn); i++)
            if (at >= 0 && json_integer_value(json_array_get(turn, i)) == at)
                served_lose(s->match, seat, s->has_ended[seat] ? FAULT_CRASH : FAULT_TIME, out);
    }
}

/* Goes on until the table is over, and gives it; NULL when it ends in another way. */
static json_t *served_wait_over(struct served *s, struct match_result *out) {
    s->changed_ms = clock_monotonic_ms();
    for (;;) {
        json_t *table = served_look(s);
        if (json_is_true(json_object_get(table, "over")))
            return table;
        /* The server's own limit, where it has one, comes first. */
        bool is_silent = clock_monotonic_ms() - s->changed_ms > s->match->limit_ms + FAREWELL_MS;
        if (is_silent)
            served_time_out(s, table, out);
        json_decref(table);
        if (is_silent || !served_look_at_players(s, out))
            return NULL;
        process_pause();
    }
}

static bool served_has_won(const json_t *result, int seat) {
    const json_t *winners = json_object_get(result, "winners");
    for (size_t i = 0; i < json_array_size(winners); i++)
        if (json_integer_value(json_array_get(winners, i)) == seat)
            return true;
    return false;
}

/* What a forfeit in the journal says about its seat. */
static void served_take_forfeit(const struct served *s, const json_t *table, const json_t *event,
                                struct match_result *out) {
    const char *reason = json_string_value(json_object_get(event, "reason"));
    json_int_t at = json_integer_value(json_object_get(event, "seat"));
    if (reason == NULL)
        return;
    enum match_fault fault = strcmp(reason, "violation") == 0 ? FAULT_ILLEGAL
                             : strcmp(reason, "time") == 0    ? FAULT_TIME
                             : strcmp(reason, "left") == 0    ? FAULT_CRASH
                                                              : FAULT_NONE;
    for (unsigned seat = 0; seat < s->match->count; seat++)
        if (served_seat_of(table, names[match_sitter(s->match, s->index, seat)]) == at)
            out->faults[seat] = fault;
}

static void served_take_result(struct served *s, const json_t *table, struct match_result *out) {
    const json_t *result = json_object_get(table, "result"), *points = json_object_get(result, "points");
    char path[URL_BYTES_MAX];
    for (unsigned seat = 0; seat < s->match->count; seat++) {
        int at = served_seat_of(table, names[match_sitter(s->match, s->index, seat)]);
        /* Of equal points some may have won by what breaks ties. */
        if (at >= 0)
            out->points[seat] = 2 * (int32_t)json_integer_value(json_array_get(points, (size_t)at)) +
                                served_has_won(result, at);
    }
    int64_t from = s->version > 8 ? s->version - 8 : 1; /* a forfeit is among the last events */
    snprintf(path, sizeof path, "/api/v1/tables/%s/journal?from=%" PRId64, s->code, from);
    json_t *journal = served_ask(s, "GET", path, (struct span){0});
    const json_t *events = json_object_get(journal, "events");
    for (size_t i = 0; i < json_array_size(events); i++)
        served_take_forfeit(s, table, json_array_get(events, i), out);
    json_decref(journal);
    out->plies = (uint32_t)s->version;
}

/* One after the other, each when the one before sits; whoever keeps them waiting has lost by then. */
static void served_let_speak(struct served *s) {
    uint64_t until_ms = clock_monotonic_ms() + s->match->limit_ms;
    for (unsigned seat = 0; seat < s->match->count; seat++) {
        const char *name = names[match_sitter(s->match, s->index, seat)];
        bool is_seated = false;
        usher_let_speak(&s->ushers[seat]);
        while (!is_seated && clock_monotonic_ms() < until_ms &&
               process_look(&s->players[seat]) == PROCESS_RUNS) {
            json_t *table = served_look(s);
            is_seated = served_seat_of(table, name) >= 0;
            json_decref(table);
            process_pause();
        }
    }
}

static bool served_play(struct served *s, struct match_result *out) {
    char url[URL_BYTES_MAX];
    if (!served_start_server(s))
        return false;
    snprintf(url, sizeof url, "http://%s", s->http);
    if (!http_client_open(&s->client, url, NULL))
        return served_fail(s, "the server does not answer");
    s->client.type = "application/json";
    if (!served_is_ugs(s) && !served_open_table(s))
        return false;
    for (unsigned seat = 0; seat < s->match->count; seat++) {
        enum match_fault fault;
        if (!served_start_player(s, seat))
            return false;
        if (!served_wait_seated(s, seat, &fault)) {
            served_lose(s->match, seat, fault, out);
            return true;
        }
    }
    if (served_is_race(s))
        served_let_speak(s);
    json_t *table = served_wait_over(s, out);
    if (table != NULL)
        served_take_result(s, table, out);
    json_decref(table);
    return true;
}

bool match_play_served(const struct match *m, uint32_t index, struct match_result *out) {
    struct served s = {.match = m, .index = index, .protocol = served_protocol(m->game)};
    snprintf(s.base, sizeof s.base, "%s/game-%04u", m->output, index + 1);
    snprintf(s.log, sizeof s.log, "%s/game-%04u.server.log", m->output, index + 1);
    bool is_played = process_self(s.self, sizeof s.self) && served_play(&s, out);
    for (unsigned seat = 0; seat < m->count; seat++)
        process_end(&s.players[seat], FAREWELL_MS);
    for (unsigned seat = 0; seat < m->count; seat++)
        usher_end(&s.ushers[seat]);
    http_client_close(&s.client);
    if (s.server > 0)
        kill(s.server, SIGTERM);
    process_end(&s.server, READY_START_MS);
    buf_free(&s.answer);
    return is_played;
}
