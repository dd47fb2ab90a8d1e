#include "server/commands.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "host/cup/cups.h"
#include "host/table/figures.h"
#include "server/conn.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>

enum { COMMANDS_TEXT_BYTES = 600, BAN_SECONDS_DEFAULT = 3600, CHAMPIONSHIP_PLAYERS_MAX = 1024 };

#define COMMANDS_JSON "application/json"

struct commands {
    struct commands_config config;
    struct buf out;
};

/* A command that is being asked. */
struct asked {
    struct commands *commands;
    const char *name;
    struct http_exchange *exchange;
    json_t *body; /* an object; what is missing is NULL */
    uint64_t now_ms;
    uint32_t uid, pid; /* who asks */
};

/* Answers: {"said": SENTENCE, ...}, or {"error": SENTENCE}. */

static struct writer answer_begin(struct commands *c) {
    struct writer w;
    buf_clear(&c->out);
    writer_init(&w, WRITER_JSON, &c->out);
    writer_object_begin(&w, NULL);
    return w;
}

static void answer_end(const struct asked *a, struct writer *w, int status) {
    writer_object_end(w);
    buf_append_byte(&a->commands->out, '\n');
    http_answer(a->exchange, status, COMMANDS_JSON, buf_span(&a->commands->out));
}

static void command_log(const char *name, uint32_t uid, uint32_t pid, const char *text) {
    log_event(LOG_INFO, "admin", LOG_TEXT("command", span_of(name)), LOG_TEXT("result", span_of(text)),
              LOG_INT("uid", uid), LOG_INT("pid", pid));
}

__attribute__((format(printf, 3, 4))) static void command_say(const struct asked *a, int status,
                                                              const char *format, ...) {
    char text[COMMANDS_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    command_log(a->name, a->uid, a->pid, text);
    struct writer w = answer_begin(a->commands);
    writer_text(&w, status < 400 ? "said" : "error", span_of(text));
    answer_end(a, &w, status);
}

static const char *command_text(const struct asked *a, const char *name) {
    return json_string_value(json_object_get(a->body, name));
}

/* Lists. */

static void command_status(const struct asked *a) {
    const struct commands_config *c = &a->commands->config;
    const char *why_not = store_why_not(c->host->store);
    struct writer w = answer_begin(a->commands);
    size_t count, running = 0;
    const struct table_figures *rows = tables_figures(c->host->tables, &count);
    for (size_t i = 0; i < count; i++)
        running += rows[i].running;
    writer_text(&w, "version", span_of(c->version));
    writer_int(&w, "uptime_s", (clock_wall_ms() - c->started_ms) / 1000);
    writer_int(&w, "connections", (int64_t)server_conns(c->server)->count);
    writer_int(&w, "tables", (int64_t)running);
    writer_int(&w, "memory_bytes", (int64_t)mem_used());
    writer_bool(&w, "writable", why_not == NULL);
    writer_bool(&w, "draining", tables_is_draining(c->host->tables));
    writer_text(&w, "said", span_of(why_not == NULL ? "the server is ready" : why_not));
    answer_end(a, &w, 200);
}

static void commands_table_write(void *context, struct table *t) {
    static const char *const states[] = {
        [TABLE_OPENING] = "opening", [TABLE_RUNNING] = "running", [TABLE_OVER] = "over"};
    struct writer *w = context;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(table_id(t), code);
    unsigned online = 0, seats = table_options(t)->seat_count;
    for (unsigned seat = 0; seat < seats; seat++)
        online += table_is_online(t, seat);
    writer_object_begin(w, NULL);
    writer_text(w, "table", span_of(code));
    writer_text(w, "game", span_of(table_game(t)->name));
    writer_text(w, "protocol", span_of(table_protocol(t)));
    writer_text(w, "state", span_of(states[table_state_word(t)]));
    writer_int(w, "seats", seats);
    writer_int(w, "free", table_free_seats(t));
    writer_int(w, "online", online);
    writer_int(w, "version", (int64_t)table_version(t));
    writer_int(w, "created_ms", table_created_ms(t));
    writer_object_end(w);
}

static void command_tables(const struct asked *a) {
    struct writer w = answer_begin(a->commands);
    writer_list_begin(&w, "tables");
    tables_each(a->commands->config.host->tables, commands_table_write, &w);
    writer_list_end(&w);
    answer_end(a, &w, 200);
}

static void connection_write(const struct asked *a, struct writer *w, const struct conn_about *about) {
    char address[ADDRESS_TEXT_BYTES_MAX];
    address_format(&about->origin, address);
    writer_object_begin(w, NULL);
    writer_int(w, "connection", (int64_t)about->number);
    writer_text(w, "listener", span_of(server_port_name(a->commands->config.server, about->port)));
    writer_text(w, "address", span_of(address));
    writer_int(w, "seconds", (int64_t)((a->now_ms - about->since_ms) / 1000));
    writer_int(w, "unsent_bytes", (int64_t)about->unsent_bytes);
    writer_object_end(w);
}

static void command_connections(const struct asked *a) {
    struct writer w = answer_begin(a->commands);
    writer_list_begin(&w, "connections");
    const struct conns *conns = server_conns(a->commands->config.server);
    for (const struct conn *c = conns_next(conns, NULL); c != NULL; c = conns_next(conns, c)) {
        const struct conn_about about = conn_about(c);
        connection_write(a, &w, &about);
    }
    writer_list_end(&w);
    answer_end(a, &w, 200);
}

static void ban_write(void *context, const struct address *address, uint64_t left_ms) {
    struct writer *w = context;
    char text[ADDRESS_TEXT_BYTES_MAX];
    address_format(address, text);
    writer_object_begin(w, NULL);
    writer_text(w, "address", span_of(text));
    writer_int(w, "seconds", (int64_t)(left_ms + 999) / 1000);
    writer_object_end(w);
}

static void command_bans(const struct asked *a) {
    struct writer w = answer_begin(a->commands);
    writer_list_begin(&w, "bans");
    bans_each(&server_conns(a->commands->config.server)->bans, a->now_ms, ban_write, &w);
    writer_list_end(&w);
    answer_end(a, &w, 200);
}

/* The hall is at one node, and may be off. */
static struct hall *command_hall(const struct asked *a) {
    struct hall *hall = a->commands->config.host->desk->hall;
    if (hall == NULL)
        command_say(a, 503, "the hall of the Universal Game System is not at this server");
    return hall;
}

static void championship_write(struct writer *w, const struct hall_championship *c) {
    static const char *const states[] = {[HALL_CHAMPIONSHIP_OPEN] = "open",
                                         [HALL_CHAMPIONSHIP_RUNS] = "running",
                                         [HALL_CHAMPIONSHIP_OVER] = "finished"};
    writer_text(w, "championship", span_of(c->name));
    writer_text(w, "type", span_of(c->type));
    writer_text(w, "state", span_of(states[c->state]));
    writer_bool(w, "paused", c->is_paused);
    writer_int(w, "players", c->players);
    writer_int(w, "entered", c->entered);
}

static void cup_write(struct writer *w, const struct cup_fold *f) {
    writer_text(w, "championship", span_of(f->about.name));
    writer_text(w, "type", span_of(f->about.game));
    writer_text(w, "state", span_of(cup_state_word(f->phase)));
    writer_bool(w, "paused", f->phase == CUP_PAUSED);
    writer_int(w, "players", f->sheet.entrant_count);
    writer_int(w, "entered", f->sheet.entrant_count);
}

/* Those of the hall, where it is, then those with a format. */
static void command_championships(const struct asked *a) {
    const struct hall_desk *desk = a->commands->config.host->desk;
    const struct hall *hall = desk->hall;
    struct hall_championship c;
    const struct cup_fold *f;
    struct writer w = answer_begin(a->commands);
    writer_list_begin(&w, "championships");
    for (size_t i = 0; hall != NULL && hall_championship_at(hall, i, &c); i++) {
        writer_object_begin(&w, NULL);
        championship_write(&w, &c);
        writer_object_end(&w);
    }
    for (size_t i = 0; desk->cups != NULL && (f = cups_at(desk->cups, i)) != NULL; i++) {
        writer_object_begin(&w, NULL);
        cup_write(&w, f);
        writer_object_end(&w);
    }
    writer_list_end(&w);
    answer_end(a, &w, 200);
}

/* What changes something. */

static void command_close_table(const struct asked *a) {
    const char *code = command_text(a, "table");
    uint64_t id;
    struct table *t = NULL;
    if (code != NULL && table_code_parse(span_of(code), &id))
        t = tables_find(a->commands->config.host->tables, id);
    if (t == NULL) {
        command_say(a, 404, "there is no table %s here", code == NULL ? "without a code" : code);
        return;
    }
    enum err e = table_abandon(t);
    if (e == ERR_OK)
        command_say(a, 200, "table %s ends undecided", code);
    else
        command_say(a, 409, "table %s is not closed: %s", code, err_sentence(e));
}

/* Cuts the connection of a number, or (0) all of players from an address; how many. */
static size_t connections_cut(struct conns *conns, uint64_t number, const struct address *address) {
    struct conn *next;
    size_t count = 0;
    for (struct conn *c = conns_next(conns, NULL); c != NULL; c = next) {
        const struct conn_about about = conn_about(c);
        next = conns_next(conns, c);
        if (number != 0 ? about.number != number
                        : about.port->is_operator || !address_equal(&about.origin, address))
            continue;
        conn_cut(c);
        count++;
    }
    return count;
}

static void command_close_connection(const struct asked *a) {
    const json_t *number = json_object_get(a->body, "connection");
    size_t count = 0;
    if (json_integer_value(number) > 0)
        count = connections_cut(server_conns(a->commands->config.server),
                                (uint64_t)json_integer_value(number), NULL);
    if (count == 0)
        command_say(a, 404, "there is no such connection");
    else
        command_say(a, 200, "connection %lld is closed", (long long)json_integer_value(number));
}

static bool command_address(const struct asked *a, struct address *out, char text[ADDRESS_TEXT_BYTES_MAX]) {
    const char *given = command_text(a, "address");
    if (given == NULL || !address_parse(span_of(given), out) || address_is_nobody(out)) {
        command_say(a, 400, "an address is one of IPv4 or IPv6, such as 192.0.2.7");
        return false;
    }
    address_format(out, text);
    return true;
}

static void command_ban(const struct asked *a) {
    struct conns *conns = server_conns(a->commands->config.server);
    const json_t *given = json_object_get(a->body, "seconds");
    int64_t seconds = given == NULL ? BAN_SECONDS_DEFAULT : json_integer_value(given);
    struct address address;
    char text[ADDRESS_TEXT_BYTES_MAX];
    if (!command_address(a, &address, text))
        return;
    if (seconds < 1 || seconds > BAN_SECONDS_MAX) {
        command_say(a, 400, "a ban lasts from 1 second to %d", BAN_SECONDS_MAX);
        return;
    }
    if (!bans_add(&conns->bans, &address, a->now_ms + (uint64_t)seconds * 1000)) {
        command_say(a, 409, "there are %d bans, and no more can be kept", BANS_MAX);
        return;
    }
    size_t count = connections_cut(conns, 0, &address);
    command_say(a, 200, "%s is banned for %lld seconds; %zu connections from there are closed", text,
                (long long)seconds, count);
}

static void command_lift(const struct asked *a) {
    struct address address;
    char text[ADDRESS_TEXT_BYTES_MAX];
    if (!command_address(a, &address, text))
        return;
    if (bans_lift(&server_conns(a->commands->config.server)->bans, &address))
        command_say(a, 200, "%s is not banned any more", text);
    else
        command_say(a, 404, "%s is not banned", text);
}

/* One that is being opened: its answer comes when it is on disk. */
struct opening {
    struct asked asked;
};

static void opening_end(struct opening *o, int status, const char *text) {
    command_say(&o->asked, status, "%s", text);
    mem_free(o);
}

static void opening_done(void *context, const struct hall *hall, size_t index) {
    struct hall_championship c;
    char text[COMMANDS_TEXT_BYTES];
    bool is_known = hall_championship_at(hall, index, &c);
    snprintf(text, sizeof text, "championship %s is open for %u players", is_known ? c.name : "", c.players);
    opening_end(context, 200, text);
}

static void opening_put_off(void *context, bool is_undone) {
    opening_end(context, 503,
                is_undone ? "the store cannot save it at the moment: nothing has happened"
                          : "the store cannot save it at the moment; it may still come");
}

/* One with a format, for which the operator has no token, and needs none. */
static void command_open_cup(const struct asked *a) {
    const struct hall_desk *desk = a->commands->config.host->desk;
    if (desk->cups == NULL) {
        command_say(a, 503, "the native API, which has championships with a format, is not at this server");
        return;
    }
    const char *wrong = desk->open_cup(desk->cups_context, a->body, a->now_ms);
    if (wrong == NULL)
        command_say(a, 200, "championship %s is opened", command_text(a, "name"));
    else
        command_say(a, 400, "%s", wrong);
}

static void command_open_championship(const struct asked *a) {
    if (command_text(a, "format") != NULL) {
        command_open_cup(a);
        return;
    }
    struct hall *hall = command_hall(a);
    const char *type = command_text(a, "type");
    const json_t *players = json_object_get(a->body, "players");
    if (hall == NULL)
        return;
    struct opening *o = mem_alloc(sizeof *o);
    o->asked = *a;
    o->asked.body = NULL; /* is gone by then */
    const struct hall_opening opening = {.context = o, .opened = opening_done, .put_off = opening_put_off};
    enum err e = hall_open_championship(hall, span_of(type == NULL ? "" : type), json_integer_value(players),
                                        &opening, a->now_ms);
    if (e == ERR_OK)
        return;
    opening_end(o, e == ERR_TOO_MANY ? 409 : 400,
                e == ERR_TOO_MANY ? err_sentence(e)
                                  : "a championship has a game type, and from 2 to 1024 players");
}

/* The same of one with a format; false: there is none of this name. */
static bool command_cup(const struct asked *a, enum cups_wish_kind kind, const char *name, const char *done) {
    struct cups *cups = a->commands->config.host->desk->cups;
    const struct cup_fold *f = cups == NULL ? NULL : cups_find(cups, span_of(name));
    if (f == NULL)
        return false;
    enum err e = cups_may(f, kind);
    if (e == ERR_OK && kind == CUPS_BEGIN && f->sheet.entrant_count < CUP_ENTRANTS_MIN)
        e = ERR_NOT_ASKED;
    if (e != ERR_OK) {
        command_say(a, 409, "championship %s is %s, and has %u entrants", name, cup_state_word(f->phase),
                    f->sheet.entrant_count);
        return true;
    }
    cups_wish(cups, &(struct cups_wish){.kind = kind, .cup = f->id}, NULL, a->now_ms);
    command_say(a, 200, "championship %s %s", name, done);
    return true;
}

static void command_championship(const struct asked *a,
                                 enum err (*change)(struct hall *, struct span, uint64_t),
                                 enum cups_wish_kind kind, const char *done) {
    const char *given = command_text(a, "championship"), *name = given == NULL ? "" : given;
    if (command_cup(a, kind, name, done))
        return;
    struct hall *hall = command_hall(a);
    if (hall == NULL)
        return;
    enum err e = change(hall, span_of(name), a->now_ms);
    if (e == ERR_OK)
        command_say(a, 200, "championship %s %s", name, done);
    else if (e == ERR_TABLE_UNKNOWN)
        command_say(a, 404, "there is no such championship");
    else
        command_say(a, 409, "championship %s is over", name);
}

static enum err championship_pause(struct hall *hall, struct span name, uint64_t now_ms) {
    return hall_pause_championship(hall, name, true, now_ms);
}

static enum err championship_resume(struct hall *hall, struct span name, uint64_t now_ms) {
    return hall_pause_championship(hall, name, false, now_ms);
}

static enum err championship_cancel(struct hall *hall, struct span name, uint64_t now_ms) {
    return hall_cancel_championship(hall, name, now_ms);
}

static void command_pause(const struct asked *a) {
    command_championship(a, championship_pause, CUPS_PAUSE,
                         "is paused: games that run go on, and no new ones begin");
}

static void command_resume(const struct asked *a) {
    command_championship(a, championship_resume, CUPS_RESUME, "goes on");
}

static void command_cancel(const struct asked *a) {
    command_championship(a, championship_cancel, CUPS_CANCEL, "is cancelled: it ends as it stands");
}

/* Those of the hall begin by themselves. */
static void command_begin(const struct asked *a) {
    const char *given = command_text(a, "championship"), *name = given == NULL ? "" : given;
    if (!command_cup(a, CUPS_BEGIN, name, "begins"))
        command_say(a, 404, "there is no such championship with a format");
}

static void command_enter(const struct asked *a) {
    struct cups *cups = a->commands->config.host->desk->cups;
    const char *championship = command_text(a, "championship"), *name = command_text(a, "name");
    int64_t level = json_integer_value(json_object_get(a->body, "level"));
    const struct cup_fold *f =
        cups == NULL || championship == NULL ? NULL : cups_find(cups, span_of(championship));
    if (f == NULL)
        command_say(a, 404, "there is no such championship with a format");
    else if (name == NULL || name[0] == '\0' || utf8_length(span_of(name)) > LOUNGE_NAME_CHARS_MAX ||
             level < BOT_LEVEL_MIN || level > BOT_LEVEL_MAX)
        command_say(a, 400, "a bot has a name of 1 to 50 characters, and a level from %d to %d",
                    BOT_LEVEL_MIN, BOT_LEVEL_MAX);
    else if (cup_fold_named(f, span_of(name)) < f->sheet.entrant_count)
        command_say(a, 409, "an entrant of championship %s has this name", championship);
    else if (f->phase != CUP_OPEN && !(f->format->takes_late && !cup_fold_is_closed(f)))
        command_say(a, 409, "championship %s is %s", championship, cup_state_word(f->phase));
    else {
        cups_wish(cups,
                  &(struct cups_wish){
                      .kind = CUPS_ENTER, .cup = f->id, .name = span_of(name), .bot_level = (unsigned)level},
                  NULL, a->now_ms);
        command_say(a, 200, "%s enters championship %s", name, championship);
    }
}

static void command_announce(const struct asked *a) {
    const char *text = command_text(a, "text");
    size_t size = text == NULL ? 0 : strlen(text);
    if (size == 0 || size > ANNOUNCER_TEXT_BYTES_MAX || !utf8_is_one_line(span_of(text))) {
        command_say(a, 400, "an announcement is one line of 1 to %d bytes", ANNOUNCER_TEXT_BYTES_MAX);
        return;
    }
    size_t told = announcer_say(a->commands->config.host->announcer, span_of(text));
    command_say(a, 200, "announced to %zu connections of the API and the page", told);
}

static void command_drain(const struct asked *a) {
    server_drain(a->commands->config.server, true);
    command_say(a, 200, "no more tables are opened; the server ends when none runs any more");
}

static void command_undrain(const struct asked *a) {
    server_drain(a->commands->config.server, false);
    command_say(a, 200, "tables are opened again");
}

static void command_reload(const struct asked *a) {
    if (a->commands->config.reload())
        command_say(a, 200,
                    "the options are read again; the log says what has changed and what needs a restart");
    else
        command_say(a, 409, "the options are not right, and nothing has changed; the log says why");
}

/* The table of commands. */
static const struct command_row {
    enum http_method method;
    const char *path;
    const char *name; /* in the log */
    void (*run)(const struct asked *);
} command_rows[] = {
    {HTTP_METHOD_GET, "/admin/status", "status", command_status},
    {HTTP_METHOD_GET, "/admin/tables", "tables", command_tables},
    {HTTP_METHOD_GET, "/admin/connections", "connections", command_connections},
    {HTTP_METHOD_GET, "/admin/bans", "bans", command_bans},
    {HTTP_METHOD_GET, "/admin/championships", "championships", command_championships},
    {HTTP_METHOD_POST, "/admin/tables/close", "close-table", command_close_table},
    {HTTP_METHOD_POST, "/admin/connections/close", "close-connection", command_close_connection},
    {HTTP_METHOD_POST, "/admin/bans", "ban", command_ban},
    {HTTP_METHOD_POST, "/admin/bans/lift", "lift", command_lift},
    {HTTP_METHOD_POST, "/admin/championships", "open-championship", command_open_championship},
    {HTTP_METHOD_POST, "/admin/championships/pause", "pause", command_pause},
    {HTTP_METHOD_POST, "/admin/championships/resume", "resume", command_resume},
    {HTTP_METHOD_POST, "/admin/championships/cancel", "cancel", command_cancel},
    {HTTP_METHOD_POST, "/admin/championships/begin", "begin", command_begin},
    {HTTP_METHOD_POST, "/admin/championships/bots", "enter-bot", command_enter},
    {HTTP_METHOD_POST, "/admin/announce", "announce", command_announce},
    {HTTP_METHOD_POST, "/admin/drain", "drain", command_drain},
    {HTTP_METHOD_POST, "/admin/undrain", "undrain", command_undrain},
    {HTTP_METHOD_POST, "/admin/reload", "reload", command_reload},
};

static bool commands_are_at(struct span path) {
    static const struct span base = SPAN("/admin/");
    return path.size >= base.size && memcmp(path.data, base.data, base.size) == 0;
}

/* An empty body says nothing; anything else is an object. */
static json_t *command_body(struct span body) {
    if (body.size == 0)
        return json_object();
    json_t *value = json_loadb(body.data, body.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(value))
        return value;
    json_decref(value);
    return NULL;
}

static void command_run(struct commands *c, const struct command_row *row, const struct http_request *request,
                        struct http_exchange *exchange, uint64_t now_ms) {
    struct asked asked = {.commands = c,
                          .name = row->name,
                          .exchange = exchange,
                          .body = command_body(request->body),
                          .now_ms = now_ms,
                          .uid = request->uid,
                          .pid = request->pid};
    if (asked.body == NULL)
        command_say(&asked, 400, "the body is a JSON object");
    else
        row->run(&asked);
    json_decref(asked.body);
}

static bool commands_take(void *context, const struct http_request *request, struct http_exchange *exchange,
                          uint64_t now_ms) {
    bool is_known = false;
    if (!commands_are_at(request->path))
        return false;
    for (size_t i = 0; i < sizeof command_rows / sizeof *command_rows; i++) {
        if (!span_is(request->path, command_rows[i].path))
            continue;
        is_known = true;
        if (request->method != command_rows[i].method)
            continue;
        command_run(context, &command_rows[i], request, exchange, now_ms);
        return true;
    }
    http_answer_refusal(exchange, is_known ? http_command_method : http_path_unknown);
    return true;
}

static bool commands_refuse(void *context, const struct http_request *request, struct http_exchange *exchange,
                            uint64_t now_ms) {
    (void)context;
    (void)now_ms;
    if (!commands_are_at(request->path))
        return false;
    http_answer_refusal(exchange, http_command_elsewhere);
    return true;
}

struct commands *commands_create(const struct commands_config *config) {
    struct commands *c = mem_alloc(sizeof *c);
    c->config = *config;
    return c;
}

void commands_free(struct commands *c) {
    buf_free(&c->out);
    mem_free(c);
}

struct http_route commands_route(struct commands *c) {
    return (struct http_route){.context = c, .take = commands_take};
}

struct http_route commands_refusal_route(void) {
    return (struct http_route){.take = commands_refuse};
}
