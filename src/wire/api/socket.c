/* The API over WebSocket: connections and what is said on them. */
#include "base/mem.h"
#include "wire/api/past.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <utlist.h>

struct api_socket {
    struct api_socket *prev, *next;
    struct api *api;
    struct http_tunnel *tunnel;
    struct websocket *frames;
    struct api_sub *subs;
    struct api_ticket *tickets; /* that wait for their answers */
    json_t *held; /* about a table that another node may know better, or whose past is lacking; NULL: nothing
                     waits, otherwise nothing more is heard until */
    struct tables_fetch *fetch;  /* ... this is here, */
    bool is_put_off;             /* or what was lacking: then it is */
    struct past_wait wait;       /* ... taken again */
    struct past_wait lobby_wait; /* for what it misses of the lobby */
    bool waits, waits_for_lobby; /* these are under way */
    bool is_trying;              /* a refusal is not said: what is known here may be old */
    bool was_refused;            /* ... and there was one */
    bool is_in_lobby;
    bool misses_lobby; /* was not told of the last change */
    uint64_t heard_ms;
    struct timer timer;
    struct address address;      /* for whom limits count */
    uint64_t cups[API_CUPS_MAX]; /* see cup_feed.c */
};

bool api_socket_is_full(const struct api_socket *s) {
    return http_tunnel_is_full(s->tunnel);
}

void api_socket_send(struct api_socket *s, struct span text) {
    websocket_send(s->frames, text);
}

struct api *api_socket_api(const struct api_socket *s) {
    return s->api;
}

uint64_t *api_socket_cups(struct api_socket *s) {
    return s->cups;
}

struct api_sub **api_socket_subs(struct api_socket *s) {
    return &s->subs;
}

struct api_socket *api_socket_next(const struct api_socket *s) {
    return s->next;
}

bool api_socket_is_in_lobby(const struct api_socket *s) {
    return s->is_in_lobby;
}

void api_socket_miss_lobby(struct api_socket *s) {
    s->misses_lobby = true;
}

/* Without its tunnel. */
static void socket_free(struct api_socket *s) {
    struct api *api = s->api;
    struct api_ticket *ticket, *next;
    timers_stop(&api->timers, &s->timer);
    DL_DELETE(api->sockets, s);
    while (s->subs != NULL)
        api_unwatch(s->subs);
    api_wires_drop(api, s);
    if (s->fetch != NULL)
        tables_fetch_forget(s->fetch);
    if (s->waits)
        past_wait_end(&s->wait);
    if (s->waits_for_lobby)
        past_wait_end(&s->lobby_wait);
    json_decref(s->held);
    DL_FOREACH_SAFE(s->tickets, ticket, next) ticket->socket = NULL;
    websocket_free(s->frames);
    mem_free(s);
}

void api_sockets_free(struct api *api) {
    while (api->sockets != NULL)
        socket_free(api->sockets);
}

/* Messages. */

struct writer api_message(struct api *api, const char *type, const char *id) {
    buf_clear(&api->out);
    struct writer w = writer_message(&api->out, type);
    if (id != NULL && id[0] != '\0')
        writer_raw(&w, "id", span_of(id));
    return w;
}

static void api_socket_end(struct api_socket *s, struct writer *w) {
    writer_object_end(w);
    api_socket_send(s, buf_span(&s->api->out));
}

static void api_socket_refuse(struct api_socket *s, const char *id, const struct api_refusal *refusal) {
    if (s->is_trying) {
        s->was_refused = true;
        return;
    }
    if (refusal->why == ERR_LATER) { /* see past.h: it is taken again */
        s->is_put_off = true;
        return;
    }
    struct writer w = api_message(s->api, "refused", id);
    api_write_refusal(&w, refusal);
    api_socket_end(s, &w);
}

static void refuse_because(struct api_socket *s, const char *id, enum err why, const char *reason) {
    api_socket_refuse(s, id, &(struct api_refusal){.why = why, .reason = reason});
}

static void api_socket_refuse_as(struct api_socket *s, const char *id, struct refusal why) {
    refuse_because(s, id, why.why, why.sentence);
}

static void api_socket_say(struct api_socket *s, const char *type, const char *id) {
    struct writer w = api_message(s->api, type, id);
    api_socket_end(s, &w);
}

void api_socket_answer(struct api_ticket *t, const struct lounge_answer *a) {
    struct api_socket *s = t->socket;
    if (s == NULL)
        return;
    DL_DELETE(s->tickets, t);
    if (a->why != ERR_OK) {
        api_socket_refuse(s, t->id,
                          &(struct api_refusal){.why = a->why,
                                                .game = a->game,
                                                .reason = a->reason,
                                                .has_index = a->has_index,
                                                .index = a->index,
                                                .has_version = a->table != 0,
                                                .version = a->version});
        return;
    }
    struct writer w = api_message(s->api, "acted", t->id);
    api_write_code(&w, "code", a->table);
    writer_int(&w, "version", (int64_t)a->version);
    api_socket_end(s, &w);
}

/* What is said. */

struct saying {
    struct api_socket *socket;
    const json_t *message;
    char id[API_ID_BYTES_MAX * 6 + 3]; /* as JSON; "": none */
    uint64_t table;
    struct api_asker asker;
};

/* What the client calls its request: a number or a short text. */
static bool id_read(const json_t *message, char out[API_ID_BYTES_MAX * 6 + 3]) {
    const json_t *id = json_object_get(message, "id");
    out[0] = '\0';
    if (id == NULL || json_is_null(id))
        return true;
    if (json_is_integer(id)) {
        snprintf(out, API_ID_BYTES_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
        return true;
    }
    struct span text = json_value_text(id);
    if (text.data == NULL || text.size > API_ID_BYTES_MAX)
        return false;
    size_t size = json_dumpb(id, out, API_ID_BYTES_MAX * 6 + 2, JSON_ENCODE_ANY);
    out[size] = '\0';
    return true;
}

static bool table_read(struct saying *y) {
    struct span token = json_text(y->message, "token");
    if (!json_has(y->message, "table")) {
        api_socket_refuse_as(y->socket, y->id, api_table_missing);
        return false;
    }
    if (!table_code_parse(json_text(y->message, "table"), &y->table)) {
        refuse_because(y->socket, y->id, ERR_TABLE_UNKNOWN, NULL);
        return false;
    }
    if (token.data == NULL && json_has(y->message, "token")) {
        api_socket_refuse_as(y->socket, y->id, api_token_invalid);
        return false;
    }
    if (token.data == NULL)
        return true;
    y->asker.has_token = true;
    if (!token_hash(token, &y->asker.token))
        digest_of(&y->asker.token, NULL, &token, 1);
    return true;
}

static void take_lobby(struct saying *y) {
    if (!api_lobby_send(y->socket->api, y->socket, y->id)) {
        refuse_because(y->socket, y->id, ERR_LATER, NULL);
        return;
    }
    y->socket->is_in_lobby = true;
    y->socket->misses_lobby = false;
}

static void take_unlobby(struct saying *y) {
    y->socket->is_in_lobby = false;
    api_socket_say(y->socket, "ok", y->id);
}

enum { AS_BYTES_MAX = 24 }; /* of a number */

/* The eyes that as asks for: a word or a number. What is neither is none that there are. */
static struct span as_read(const json_t *message, char text[AS_BYTES_MAX]) {
    const json_t *as = json_object_get(message, "as");
    if (json_is_integer(as)) {
        snprintf(text, AS_BYTES_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(as));
        return span_of(text);
    }
    if (!json_has(message, "as"))
        return SPAN("");
    struct span word = json_value_text(as);
    return word.size == 0 ? SPAN("?") : word;
}

/* What a watcher who has been told everything up to a version is told at first. */
struct first_look {
    bool has_version, is_gap;
    struct api_span events; /* none: from is behind to */
};

static struct first_look first_look(const struct saying *y, const struct api_scene *scene) {
    int64_t version = 0;
    uint64_t now = scene->snapshot.version;
    bool has_version = json_plain_int(y->message, "version", &version) && (uint64_t)version < now;
    bool is_gap = has_version && now - (uint64_t)version > API_JOURNAL_MAX;
    return (struct first_look){
        has_version, is_gap, {y->table, (uint64_t)version + 1, now, API_JOURNAL_MAX, scene->sight.viewer}};
}

static void show_table(struct saying *y, const struct api_scene *scene) {
    struct api *api = y->socket->api;
    const struct first_look look = first_look(y, scene);
    struct writer w = api_message(api, "table", y->id);
    api_scene_write(api, scene, &w);
    writer_bool(&w, "gap", look.is_gap);
    writer_list_begin(&w, "events");
    enum err e = ERR_OK;
    uint64_t shown;
    if (look.has_version && !look.is_gap)
        e = api_write_events(api, &look.events, &w, &shown);
    writer_list_end(&w);
    if (e == ERR_OK)
        api_socket_end(y->socket, &w);
    else
        refuse_because(y->socket, y->id, e, NULL);
}

static void take_watch(struct saying *y) {
    struct api *api = y->socket->api;
    struct api_scene scene;
    char as[AS_BYTES_MAX];
    int64_t version;
    if (!table_read(y))
        return;
    if (json_has(y->message, "version") &&
        (!json_plain_int(y->message, "version", &version) || version < 0)) {
        api_socket_refuse_as(y->socket, y->id, api_version_invalid);
        return;
    }
    enum err e = api_scene_find(api, y->table, HISTORY_LAST, &y->asker, &scene);
    if (e == ERR_OK)
        e = api_scene_look(api, &scene, &y->asker, as_read(y->message, as));
    struct api_sight sight = scene.sight;
    /* Nobody is told of a watcher who has to wait for what is shown first. */
    const struct first_look look = e == ERR_OK ? first_look(y, &scene) : (struct first_look){0};
    if (look.has_version && !look.is_gap && api_has_events(api, &look.events) == ERR_LATER)
        e = ERR_LATER;
    if (e == ERR_OK && !scene.is_over_now) {
        e = api_watch(api, y->socket, &scene);
        if (e == ERR_OK && sight.seat != SEAT_WATCHER) {
            /* Being there is news for the others; for this one it is part of the first message. */
            lounge_attach(api->lounge, y->table, sight.seat, true, api->now_ms);
            e = api_scene_set(api, y->table, HISTORY_LAST, sight.seat, &scene);
            scene.sight = sight;
        }
    } else if (e == ERR_OK && tables_find(api->config.lounge.tables, y->table) != NULL) {
        e = api_watch(api, y->socket, &scene); /* there may be a rematch */
    }
    if (e == ERR_OK)
        show_table(y, &scene);
    else
        refuse_because(y->socket, y->id, e, api_scene_reason(e));
}

static void take_unwatch(struct saying *y) {
    if (!table_read(y))
        return;
    struct api_sub *sub = api_sub_find(y->socket, y->table);
    if (sub != NULL)
        api_unwatch(sub);
    api_socket_say(y->socket, "ok", y->id);
}

static void try_actions(struct saying *y, struct api_scene *scene) {
    struct api_refusal refusal;
    struct writer w = api_message(y->socket->api, "tried", y->id);
    if (api_try(y->socket->api, scene, y->message, &w, &refusal) == ERR_OK)
        api_socket_end(y->socket, &w);
    else
        api_socket_refuse(y->socket, y->id, &refusal);
}

static void play_actions(struct saying *y, unsigned seat) {
    struct api *api = y->socket->api;
    struct api_act act;
    const char *reason;
    enum err e = api_read_act(y->message, false, &act, &reason);
    if (e != ERR_OK) {
        refuse_because(y->socket, y->id, e, reason);
        return;
    }
    struct api_ticket *t = mem_alloc(sizeof *t);
    t->api = api;
    t->reply = API_REPLY_VERSION;
    t->socket = y->socket;
    memcpy(t->id, y->id, sizeof t->id);
    DL_APPEND(y->socket->tickets, t);
    lounge_act(api->lounge, y->table, seat, act.has_version ? act.version : LOUNGE_ANY_VERSION, act.texts,
               act.count, t, api->now_ms);
    mem_free(act.texts);
}

static void api_socket_take_act(struct saying *y) {
    struct api *api = y->socket->api;
    struct api_scene scene;
    bool is_dry = false;
    if (!table_read(y))
        return;
    const struct api_sub *sub = api_sub_find(y->socket, y->table);
    unsigned seat =
        !y->asker.has_token && sub != NULL ? sub->sight.seat : api_seat_of(api, y->table, &y->asker);
    const struct table *table = tables_find(api->config.lounge.tables, y->table);
    bool is_running = table != NULL && table_state_word(table) == TABLE_RUNNING;
    if (is_running && seat != SEAT_WATCHER && !json_has(y->message, "dry_run")) {
        play_actions(y, seat); /* the usual case: nobody looks at the table */
        return;
    }
    enum err e = seat == SEAT_WATCHER ? api_scene_find(api, y->table, HISTORY_LAST, &y->asker, &scene)
                                      : api_scene_set(api, y->table, HISTORY_LAST, seat, &scene);
    /* Who watched with a token watches no more when the table is over. */
    if (e == ERR_OK && scene.sight.seat == SEAT_WATCHER)
        e = scene.is_over_now && !y->asker.has_token ? ERR_TABLE_OVER : ERR_TOKEN_UNKNOWN;
    if (e == ERR_OK && json_has(y->message, "dry_run") && !json_plain_flag(y->message, "dry_run", &is_dry))
        e = ERR_FIELD_INVALID;
    if (e != ERR_OK)
        refuse_because(y->socket, y->id, e, e == ERR_FIELD_INVALID ? api_dry_run_invalid.sentence : NULL);
    else if (is_dry)
        try_actions(y, &scene);
    else
        play_actions(y, scene.sight.seat);
}

static void take_inspect(struct saying *y) {
    struct api *api = y->socket->api;
    struct api_scene scene;
    if (!table_read(y))
        return;
    enum err e = api_scene_find(api, y->table, HISTORY_LAST, &y->asker, &scene);
    if (e == ERR_OK && !api_is_owner(api, &scene.snapshot, &y->asker))
        e = ERR_TOKEN_UNKNOWN;
    if (e == ERR_OK)
        e = api_wire_add(api, y->socket, &scene, api_is_operator(api, &y->asker), y->id);
    if (e != ERR_OK)
        refuse_because(y->socket, y->id, e, NULL);
}

static void take_ping(struct saying *y) {
    api_socket_say(y->socket, "pong", y->id);
}

static const struct cup_fold *cup_read(struct saying *y) {
    struct span name = json_text(y->message, "name");
    const struct cup_fold *f = name.data == NULL ? NULL : cups_find(y->socket->api->cups, name);
    if (f == NULL)
        api_socket_refuse_as(y->socket, y->id, name.data == NULL ? api_cup_missing : api_cup_unknown);
    return f;
}

static void take_watch_cup(struct saying *y) {
    const struct cup_fold *f = cup_read(y);
    if (f == NULL)
        return;
    if (!api_cup_watch(y->socket, f->id)) {
        refuse_because(y->socket, y->id, ERR_TOO_MANY, NULL);
        return;
    }
    api_cup_message(y->socket->api, f, y->id);
    api_socket_send(y->socket, buf_span(&y->socket->api->out));
}

static void take_unwatch_cup(struct saying *y) {
    const struct cup_fold *f = cup_read(y);
    if (f == NULL)
        return;
    api_cup_unwatch(y->socket, f->id);
    api_socket_say(y->socket, "ok", y->id);
}

static const struct {
    const char *type;
    void (*take)(struct saying *);
} sayings[] = {
    {"watch-championship", take_watch_cup},
    {"unwatch-championship", take_unwatch_cup},
    {"lobby", take_lobby},
    {"unlobby", take_unlobby},
    {"watch", take_watch},
    {"unwatch", take_unwatch},
    {"act", api_socket_take_act},
    {"inspect", take_inspect},
    {"ping", take_ping},
};

static void message_take(struct api_socket *s, const json_t *message) {
    struct saying y = {.socket = s, .message = message, .asker = {.address = s->address}};
    struct span type = json_text(message, "type");
    if (!id_read(message, y.id)) {
        api_socket_refuse_as(s, "", api_id_invalid);
        return;
    }
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
        if (span_is(type, sayings[i].type)) {
            sayings[i].take(&y);
            return;
        }
    if (type.data == NULL)
        api_socket_refuse_as(s, y.id, api_type_missing);
    else
        refuse_because(s, y.id, ERR_UNKNOWN_TYPE, NULL);
}

/* What is here may be older than what the player knows: nothing is said rather than that. */
static void message_refuse(struct api_socket *s, const json_t *message, const struct api_refusal *why) {
    char id[API_ID_BYTES_MAX * 6 + 3];
    if (id_read(message, id))
        api_socket_refuse(s, id, why);
    else
        api_socket_refuse_as(s, "", api_id_invalid);
}

static void message_hear(struct api_socket *, json_t *message);

/* What was held is taken up again, and then the rest of what the peer says. */
static void socket_go_on(struct api_socket *s, enum err why) {
    json_t *message = s->held;
    s->held = NULL;
    if (why == ERR_OK)
        message_hear(s, message);
    else
        message_refuse(s, message, &(struct api_refusal){.why = ERR_UNAVAILABLE});
    json_decref(message);
    if (s->held == NULL)
        http_tunnel_resume(s->tunnel);
}

static void socket_fetched(void *context, enum err why) {
    struct api_socket *s = context;
    s->fetch = NULL;
    socket_go_on(s, why);
}

static void socket_come(struct past_wait *w) {
    struct api_socket *s = (struct api_socket *)((uintptr_t)w - offsetof(struct api_socket, wait));
    struct api *api = s->api;
    past_wait_end(w);
    s->waits = false;
    api->rounds = w->rounds;
    socket_go_on(s, ERR_OK);
    api->rounds = 0;
}

static void socket_drop(struct past_wait *w) {
    (void)w; /* it goes with its socket */
}

/* What is lacking is waited for, and the message is taken again. */
static void socket_put_off(struct api_socket *s, json_t *message) {
    struct refusal why;
    if (!past_has_room(s->api, &s->address, &why)) {
        message_refuse(s, message, &(struct api_refusal){.why = why.why, .reason = why.sentence});
        return;
    }
    s->held = json_incref(message);
    s->wait = (struct past_wait){.come = socket_come, .drop = socket_drop};
    s->waits = true;
    past_wait_begin(s->api, &s->wait, &s->address);
    past_wait_lacking(&s->wait);
}

static void message_hear(struct api_socket *s, json_t *message) {
    past_begin(s->api);
    s->is_put_off = false;
    message_take(s, message);
    if (s->is_put_off)
        socket_put_off(s, message);
}

/* An action that is allowed as far as is known here need not wait: it is saved only if nothing else has
 * happened meanwhile. True when it is on its way. */
static bool socket_tries(struct api_socket *s, uint64_t id, const json_t *message) {
    const struct table *table = tables_find(s->api->config.lounge.tables, id);
    if (table == NULL || table_state_word(table) != TABLE_RUNNING ||
        !span_is(json_text(message, "type"), "act") || json_has(message, "dry_run"))
        return false;
    s->is_trying = true;
    s->was_refused = false;
    message_take(s, message);
    s->is_trying = false;
    return !s->was_refused;
}

/* Who watches a table here has what is new; others may have been told more of it by another node. */
static bool socket_waits(struct api_socket *s, json_t *message) {
    struct tables *tables = s->api->config.lounge.tables;
    uint64_t table;
    if (!tables_is_shared(tables) || !table_code_parse(json_text(message, "table"), &table) ||
        api_sub_find(s, table) != NULL)
        return false;
    if (socket_tries(s, table, message))
        return true;
    s->fetch = tables_fetch(tables, table, socket_fetched, s);
    if (s->fetch == NULL)
        return false;
    s->held = json_incref(message);
    return true;
}

static void api_socket_hear(struct api_socket *s, struct span text) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message;
    enum err e = json_read_object(text, &message, complaint);
    if (e != ERR_OK) {
        refuse_because(s, "", e, complaint);
        return;
    }
    if (!socket_waits(s, message))
        message_hear(s, message);
    json_decref(message);
}

static void on_message(void *context, struct span text) {
    struct api_socket *s = context;
    if (http_tunnel_may_ask(s->tunnel, &s->address))
        api_socket_hear(s, text);
    else
        refuse_because(s, "", ERR_TOO_OFTEN, NULL);
    http_tunnel_heard(s->tunnel);
}

/* The connection. */

static void on_send(void *context, struct span bytes) {
    struct api_socket *s = context;
    http_tunnel_send(s->tunnel, bytes);
}

static bool api_socket_must_wait(void *context) {
    const struct api_socket *s = context;
    return s->held != NULL || http_tunnel_must_wait(s->tunnel);
}

static size_t tunnel_received(void *context, struct span bytes, uint64_t now_ms) {
    struct api_socket *s = context;
    s->api->now_ms = s->heard_ms = now_ms;
    size_t taken = websocket_receive(s->frames, bytes);
    http_tunnel_keeps(s->tunnel, websocket_bytes(s->frames));
    if (!websocket_is_over(s->frames))
        return taken;
    http_tunnel_close(s->tunnel);
    socket_free(s);
    return taken;
}

static void tunnel_closed(void *context, uint64_t now_ms) {
    struct api_socket *s = context;
    s->api->now_ms = now_ms;
    socket_free(s);
}

static void lobby_catch_up(struct api_socket *s);

static void lobby_come(struct past_wait *w) {
    struct api_socket *s = (struct api_socket *)((uintptr_t)w - offsetof(struct api_socket, lobby_wait));
    past_wait_end(w);
    s->waits_for_lobby = false;
    lobby_catch_up(s);
}

/* Says how the lobby is now to one who was not told of a change. */
static void lobby_catch_up(struct api_socket *s) {
    if (!s->is_in_lobby || !s->misses_lobby || s->waits_for_lobby || api_socket_is_full(s))
        return;
    past_begin(s->api);
    s->misses_lobby = false;
    if (api_lobby_send(s->api, s, ""))
        return;
    s->misses_lobby = s->waits_for_lobby = true;
    s->lobby_wait = (struct past_wait){.come = lobby_come, .drop = socket_drop};
    past_wait_begin(s->api, &s->lobby_wait, NULL);
    past_wait_lacking(&s->lobby_wait);
}

static void tunnel_drained(void *context, uint64_t now_ms) {
    struct api_socket *s = context;
    struct api_sub *sub, *next;
    s->api->now_ms = now_ms;
    lobby_catch_up(s);
    api_wires_catch_up(s->api, s);
    api_cups_catch_up(s);
    for (sub = s->subs; sub != NULL && !api_socket_is_full(s); sub = next) {
        next = sub->own_next;
        api_catch_up(sub);
    }
}

static void tunnel_shutdown(void *context) {
    struct api_socket *s = context;
    websocket_close(s->frames, WEBSOCKET_GOING_AWAY, api_shutdown.sentence);
    socket_free(s);
}

static void on_time(struct timer *timer, uint64_t now_ms) {
    struct api_socket *s = TIMER_OWNER(timer, struct api_socket, timer);
    struct api *api = s->api;
    if (s->heard_ms + API_SILENCE_MS <= now_ms) {
        websocket_close(s->frames, WEBSOCKET_POLICY, api_silent.sentence);
        http_tunnel_close(s->tunnel);
        socket_free(s);
        return;
    }
    if (s->heard_ms + API_PING_MS <= now_ms) {
        websocket_ping(s->frames);
        timers_arm(&api->timers, timer, s->heard_ms + API_SILENCE_MS, on_time);
        return;
    }
    timers_arm(&api->timers, timer, s->heard_ms + API_PING_MS, on_time);
}

void api_socket_open(struct api *api, const struct http_request *request, struct http_exchange *x) {
    static const struct http_tunnel_ops ops = {tunnel_received, tunnel_closed, tunnel_drained,
                                               tunnel_shutdown};
    char accept[WEBSOCKET_ACCEPT_BYTES], lines[64];
    if (!span_is(request->websocket_version, "13")) {
        http_exchange_set_headers(x, SPAN("Sec-WebSocket-Version: 13\r\n"));
        http_answer_refusal(x, http_websocket_version);
        return;
    }
    struct api_socket *s = mem_alloc(sizeof *s);
    if (websocket_accept(request->websocket_key, accept)) {
        snprintf(lines, sizeof lines, "Sec-WebSocket-Accept: %s\r\n", accept);
        s->tunnel = http_upgrade(x, span_of(lines), &ops, s);
    }
    if (s->tunnel == NULL) {
        mem_free(s);
        http_answer_refusal(x, http_websocket_handshake);
        return;
    }
    s->api = api;
    s->heard_ms = api->now_ms;
    s->address = request->address;
    s->frames = websocket_create(&(struct websocket_output){s, on_send, on_message, api_socket_must_wait},
                                 &api->spare);
    DL_APPEND(api->sockets, s);
    timers_arm(&api->timers, &s->timer, api->now_ms + API_PING_MS, on_time);
}
