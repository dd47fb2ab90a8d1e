/* The API over HTTP: which path is which request, and answers. */
#include "base/mem.h"
#include "host/championship/championship.h"
#include "openapi.h"
#include "wire/api/asking.h"
#include "wire/api/past.h"
#include "wire/http/page_route.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

struct api_config api_config_default(void) {
    return (struct api_config){.lounge = lounge_config_default(), .watchers_max = 1000};
}

static void write_opened(struct api *api, const struct lounge_answer *a, struct writer *w) {
    struct api_scene scene;
    writer_object_begin(w, NULL);
    if (api_scene_set(api, a->table, HISTORY_LAST, a->seat, &scene) == ERR_OK) {
        api_scene_write(api, &scene, w);
    } else {
        api_write_code(w, "code", a->table);
        writer_int(w, "version", (int64_t)a->version);
    }
    writer_text(w, "owner_token", span_of(a->owner_token));
    if (a->token != NULL)
        writer_text(w, "token", span_of(a->token));
    writer_object_end(w);
}

/* An opening whose table is shown with a delay waits for its journal before it is answered. */
struct opened_wait {
    struct past_wait wait; /* first */
    struct api_ticket *ticket;
    struct lounge_answer answer;
    char token[TOKEN_CHARS + 1], owner_token[TOKEN_CHARS + 1];
};

static void opened_drop(struct past_wait *w) {
    mem_free(((struct opened_wait *)(void *)w)->ticket);
    mem_free(w);
}

static void opened_come(struct past_wait *w) {
    struct opened_wait *o = (struct opened_wait *)(void *)w;
    struct api *api = w->api;
    past_wait_end(w);
    api_answer_ticket(api, o->ticket, &o->answer);
    mem_free(o);
}

/* False when it need not wait, or has waited. */
static bool opened_waits(struct api *api, struct api_ticket *t, const struct lounge_answer *a) {
    struct api_scene scene;
    past_begin(api);
    if (t->has_waited || api_scene_set(api, a->table, HISTORY_LAST, a->seat, &scene) != ERR_LATER)
        return false;
    struct opened_wait *o = mem_alloc(sizeof *o);
    *o = (struct opened_wait){.wait = {.come = opened_come, .drop = opened_drop}, .ticket = t, .answer = *a};
    snprintf(o->owner_token, sizeof o->owner_token, "%s", a->owner_token);
    o->answer.owner_token = o->owner_token;
    if (a->token != NULL)
        snprintf(o->token, sizeof o->token, "%s", a->token);
    o->answer.token = a->token == NULL ? NULL : o->token;
    t->has_waited = true;
    past_wait_begin(api, &o->wait, NULL);
    past_wait_lacking(&o->wait);
    return true;
}

static void write_sat(const struct lounge_answer *a, struct writer *w) {
    writer_object_begin(w, NULL);
    api_write_code(w, "code", a->table);
    writer_int(w, "seat", a->seat);
    if (a->token != NULL)
        writer_text(w, "token", span_of(a->token));
    writer_int(w, "version", (int64_t)a->version);
    writer_object_end(w);
}

static void write_version(const struct lounge_answer *a, struct writer *w) {
    writer_object_begin(w, NULL);
    api_write_code(w, "code", a->table);
    writer_int(w, "version", (int64_t)a->version);
    if (a->is_freed)
        writer_bool(w, "freed", true);
    writer_object_end(w);
}

/* What a field that the lounge has refused should be; NULL: the error says it. */
static const char *ticket_reason(enum err why) {
    return why == ERR_FIELD_MISSING || why == ERR_FIELD_INVALID ? api_guest_invalid.sentence : NULL;
}

/* An opening that failed half-way has opened a table all the same: then the token of its owner counts. */
void api_answer_ticket(void *context, void *ticket, const struct lounge_answer *a) {
    struct api *api = context;
    struct api_ticket *t = ticket;
    if (api->is_ending) {
        if (t->exchange == NULL)
            api_socket_answer(t, a);
        mem_free(t);
        return;
    }
    if (a->why == ERR_OK && t->reply == API_REPLY_TABLE) {
        const struct table *table = tables_find(api->config.lounge.tables, a->table);
        if (table != NULL && lounge_is_inspected(api->lounge, table))
            inspector_enable(api->config.inspector, a->table);
        if (opened_waits(api, t, a))
            return;
    }
    if (a->why == ERR_OK && a->token != NULL)
        lounge_seen(api->lounge, a->table, a->seat, api->now_ms);
    if (t->exchange == NULL) {
        api_socket_answer(t, a);
        mem_free(t);
        return;
    }
    if (a->why != ERR_OK) {
        /* An asker without a seat is not told how far the table is. */
        asking_answer_problem(
            api, t->exchange,
            &(struct api_refusal){.why = a->why,
                                  .game = a->game,
                                  .reason = a->reason != NULL ? a->reason : ticket_reason(a->why),
                                  .has_index = a->has_index,
                                  .index = a->index,
                                  .has_version = a->table != 0 && t->reply != API_REPLY_SEAT,
                                  .version = a->version});
    } else {
        struct writer w = asking_writer(api);
        switch (t->reply) {
        case API_REPLY_TABLE: write_opened(api, a, &w); break;
        case API_REPLY_SEAT: write_sat(a, &w); break;
        case API_REPLY_VERSION: write_version(a, &w); break;
        }
        asking_answer(api, t->exchange, t->accepts_gzip, t->reply == API_REPLY_VERSION ? 200 : 201);
    }
    mem_free(t);
}

static struct api_asker asker_of(struct span authorization) {
    static const char scheme[] = "Bearer ";
    struct api_asker asker = {0};
    size_t size = sizeof scheme - 1;
    if (authorization.size == 0)
        return asker;
    /* Something that is no token at all is one that nobody has. */
    asker.has_token = true;
    if (authorization.size <= size || !span_is_nocase(span_make(authorization.data, size), scheme) ||
        !token_hash(span_trim(span_make(authorization.data + size, authorization.size - size)), &asker.token))
        digest_of(&asker.token, NULL, &authorization, 1);
    return asker;
}

/* Requests. */

static void take_games(const struct asking *a) {
    struct writer w = asking_writer(a->api);
    api_write_games(&w, a->api->config.lounge.tables);
    asking_done(a, 200);
}

static void take_protocols(const struct asking *a) {
    const struct api_config *c = &a->api->config;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    writer_text(&w, "version", span_of(c->version == NULL ? "" : c->version));
    writer_list_begin(&w, "protocols");
    if (c->write_protocols != NULL)
        c->write_protocols(c->server, &w);
    writer_list_end(&w);
    writer_object_end(&w);
    asking_done(a, 200);
}

static void take_openapi(const struct asking *a) {
    struct api *api = a->api;
    struct span document = span_make(openapi_json, openapi_json_size);
    http_exchange_set_headers(a->exchange, buf_span(&api->cors));
    if (!a->request->accepts_gzip) {
        http_answer(a->exchange, 200, asking_type, document);
        return;
    }
    if (api->openapi_gzip.size == 0) /* it never changes */
        http_gzip(&api->openapi_gzip, document);
    http_answer_gzip(a->exchange, 200, asking_type, buf_span(&api->openapi_gzip));
}

/* "1794787200000-K7QZ2": where the page before ended. */
static bool before_read(struct span text, struct api_list *out) {
    const char *dash = text.size == 0 ? NULL : memchr(text.data, '-', text.size);
    if (text.size == 0)
        return true;
    if (dash == NULL)
        return false;
    size_t size = (size_t)(dash - text.data);
    out->has_before = true;
    return span_to_int(span_make(text.data, size), &out->before_ms) &&
           table_code_parse(span_make(dash + 1, text.size - size - 1), &out->before_table);
}

static bool list_read(const struct asking *a, struct api_list *list, bool *is_finished) {
    struct span game = asking_query(a, "game");
    struct span state = asking_query(a, "state");
    int64_t limit = API_LIST_DEFAULT;
    bool is_open = span_is(state, "open"), is_running = span_is(state, "running");
    *is_finished = span_is(state, "finished");
    *list = (struct api_list){.game = game.size == 0 ? NULL : game_by_name(game),
                              .state = is_open      ? 'o'
                                       : is_running ? 'r'
                                                    : 0};
    if (!asking_number(a, "limit", 1, API_LIST_MAX, &limit) || !before_read(asking_query(a, "before"), list))
        return false;
    list->limit = (size_t)limit;
    return (game.size == 0 || list->game != NULL) &&
           (state.size == 0 || is_open || is_running || *is_finished);
}

static void take_list(const struct asking *a) {
    struct api_list list;
    bool is_finished;
    if (!list_read(a, &list, &is_finished)) {
        asking_refuse_as(a, api_list_invalid);
        return;
    }
    if (is_finished) {
        finished_list(a, &list);
        return;
    }
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    writer_list_begin(&w, "tables");
    api_write_list(a->api, &list, &w);
    if (past_is_lacking(a->api)) {
        asking_refuse(a, ERR_LATER, NULL);
        return;
    }
    writer_list_end(&w);
    api_list_write_next(&w, &list);
    writer_object_end(&w);
    asking_done(a, 200);
}

/* The key of a request that may be repeated. False, and it is answered, when it cannot be one. */
static bool key_read(const struct asking *a, struct span *key) {
    *key = a->request->idempotency_key;
    bool is_key = key->size == 0 || (key->size >= LOUNGE_KEY_CHARS_MIN && key->size <= LOUNGE_KEY_CHARS_MAX);
    for (size_t i = 0; i < key->size; i++)
        is_key = is_key && key->data[i] > ' ' && key->data[i] <= '~';
    if (!is_key)
        asking_refuse_as(a, api_key_invalid);
    return is_key;
}

static uint64_t body_mark(const struct asking *a) {
    struct digest digest;
    digest_of(&digest, NULL, &a->request->body, 1);
    return digest_to_number(digest.bytes);
}

/* The table to go on from: its journal is at hand when the lounge looks at it, or it is guessed at too often.
 * Everything else the lounge says. */
static enum err from_find(const struct asking *a, const struct lounge_order *order) {
    struct api_scene scene;
    struct store_origin origin;
    enum err e = api_scene_find(a->api, order->from_table, order->from_version, &a->asker, &scene);
    if (e != ERR_TOO_MANY && e != ERR_LATER)
        e = history_origin(a->api->history, order->from_table, &origin);
    return e == ERR_TOO_MANY || e == ERR_LATER ? e : ERR_OK;
}

static void take_open(const struct asking *a) {
    struct lounge_order order;
    const char *field;
    char reason[ASKING_REASON_BYTES_MAX];
    struct span key;
    json_t *message = key_read(a, &key) ? asking_body(a) : NULL;
    if (message == NULL)
        return;
    enum err e = api_read_order(a->api, message, &order, &field);
    order.opener = a->request->address;
    order.origin = a->request->client;
    order.key = key;
    order.body = body_mark(a);
    enum err from = e == ERR_OK && order.from_table != 0 ? from_find(a, &order) : ERR_OK;
    if (from != ERR_OK)
        e = from;
    if (e == ERR_LATER) {
        asking_refuse(a, e, NULL);
    } else if (e == ERR_OK) {
        lounge_open(a->api->lounge, &order, asking_ticket(a, API_REPLY_TABLE), a->now_ms);
    } else {
        snprintf(reason, sizeof reason, API_FIELD, field, err_sentence(e));
        asking_refuse(a, e, reason);
    }
    json_decref(message);
}

/* The table of the path at a version, with the asker's eyes. False, and it is answered, when that cannot be.
 */
static bool scene_read(const struct asking *a, uint64_t version, struct api_scene *scene) {
    enum err e = api_scene_find(a->api, a->table, version, &a->asker, scene);
    if (e == ERR_OK)
        e = api_scene_look(a->api, scene, &a->asker, asking_query(a, "as"));
    if (e == ERR_OK)
        return true;
    asking_refuse(a, e, api_scene_reason(e));
    return false;
}

static void seen(const struct asking *a, const struct api_scene *scene) {
    if (scene->sight.seat != SEAT_WATCHER)
        lounge_seen(a->api->lounge, a->table, scene->sight.seat, a->now_ms);
}

static void take_table(const struct asking *a) {
    struct api_scene scene;
    if (!scene_read(a, HISTORY_LAST, &scene))
        return;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_scene_write(a->api, &scene, &w);
    writer_object_end(&w);
    asking_done(a, 200);
    seen(a, &scene);
}

static void take_at(const struct asking *a) {
    struct api_scene scene;
    int64_t version;
    if (!span_to_int(a->piece[5], &version) || version < 1) {
        asking_refuse(a, ERR_VERSION_UNKNOWN, NULL);
        return;
    }
    if (!scene_read(a, (uint64_t)version, &scene))
        return;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_scene_write(a->api, &scene, &w);
    writer_object_end(&w);
    asking_done(a, 200);
}

static enum err write_journal(const struct asking *a, const struct api_scene *scene, int64_t from,
                              int64_t limit) {
    uint64_t version = scene->snapshot.version;
    const struct game *game = scene->snapshot.game;
    bool is_over = scene->snapshot.is_over;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_text(&w, "game", span_of(game->name));
    writer_int(&w, "version", (int64_t)version);
    writer_bool(&w, "over", is_over);
    api_write_viewer(&w, "as", scene->sight.viewer);
    writer_list_begin(&w, "events");
    const struct api_span span = {a->table, (uint64_t)from, version, (size_t)limit, scene->sight.viewer};
    uint64_t last;
    enum err e = api_write_events(a->api, &span, &w, &last);
    writer_list_end(&w);
    if (last != 0 && last < version)
        writer_int(&w, "next", (int64_t)last + 1);
    else
        writer_null(&w, "next");
    writer_object_end(&w);
    return e;
}

static void take_journal(const struct asking *a) {
    struct api_scene scene;
    int64_t from = 1, limit = API_JOURNAL_MAX;
    if (!asking_number(a, "from", 1, INT64_MAX - API_JOURNAL_MAX, &from) ||
        !asking_number(a, "limit", 1, API_JOURNAL_MAX, &limit)) {
        asking_refuse_as(a, api_events_invalid);
        return;
    }
    if (!scene_read(a, HISTORY_LAST, &scene))
        return;
    if (scene.is_over_now && asking_query(a, "as").size == 0)
        scene.sight.viewer = VIEWER_ALL;
    enum err e = write_journal(a, &scene, from, limit);
    if (e == ERR_OK)
        asking_done(a, 200);
    else
        asking_refuse(a, e, NULL);
}

static void take_sit_bot(const struct asking *a, const json_t *message, unsigned seat) {
    struct api_scene scene;
    int64_t level;
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, &scene);
    if (e == ERR_OK && scene.sight.seat == SEAT_WATCHER && !api_is_owner(a->api, &scene.snapshot, &a->asker))
        e = ERR_TOKEN_UNKNOWN;
    if (e == ERR_OK &&
        (!json_plain_int(message, "bot", &level) || level < BOT_LEVEL_MIN || level > BOT_LEVEL_MAX))
        e = ERR_FIELD_INVALID;
    if (e == ERR_OK)
        lounge_sit_bot(a->api->lounge, a->table, seat, (unsigned)level, asking_ticket(a, API_REPLY_SEAT),
                       a->now_ms);
    else
        asking_refuse(a, e, e == ERR_FIELD_INVALID ? api_bot_invalid.sentence : NULL);
}

static void take_sit(const struct asking *a) {
    struct span key;
    struct api_scene scene;
    json_t *message = key_read(a, &key) ? asking_body(a) : NULL;
    if (message == NULL)
        return;
    enum err e;
    int64_t seat = SEAT_WATCHER;
    struct span name = json_text(message, "name"), seed;
    if (json_has(message, "seat") &&
        (!json_plain_int(message, "seat", &seat) || seat < 0 || seat >= SEATS_MAX))
        asking_refuse_as(a, api_seat_invalid);
    else if (json_has(message, "bot"))
        take_sit_bot(a, message, (unsigned)seat);
    else if (name.data == NULL)
        asking_refuse_as(a, api_name_missing);
    else if (!json_seed(message, &seed))
        asking_refuse_as(a, json_seed_invalid);
    else if ((e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, &scene)) == ERR_TOO_MANY ||
             e == ERR_LATER)
        asking_refuse(a, e, NULL);
    else
        lounge_sit(a->api->lounge, a->table, (unsigned)seat, name, seed, key,
                   asking_ticket(a, API_REPLY_SEAT), a->now_ms);
    json_decref(message);
}

static void take_try(const struct asking *a, struct api_scene *scene, const json_t *message) {
    struct api_refusal refusal;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    if (api_try(a->api, scene, message, &w, &refusal) != ERR_OK) {
        asking_answer_problem(a->api, a->exchange, &refusal);
        return;
    }
    writer_object_end(&w);
    asking_done(a, 200);
}

static void api_route_take_act(const struct asking *a, const struct api_scene *scene, const json_t *message) {
    struct api_act act;
    const char *reason;
    enum err e = api_read_act(message, false, &act, &reason);
    if (e != ERR_OK) {
        asking_refuse(a, e, reason);
        return;
    }
    lounge_act(a->api->lounge, a->table, scene->sight.seat,
               act.has_version ? act.version : LOUNGE_ANY_VERSION, act.texts, act.count,
               asking_ticket(a, API_REPLY_VERSION), a->now_ms);
    mem_free(act.texts);
}

static void api_route_take_actions(const struct asking *a) {
    struct api_scene scene;
    bool is_dry = false;
    if (!asking_player(a, &scene))
        return;
    json_t *message = asking_body(a);
    if (message == NULL)
        return;
    seen(a, &scene);
    if (json_has(message, "dry_run") && !json_plain_flag(message, "dry_run", &is_dry))
        asking_refuse_as(a, api_dry_run_invalid);
    else if (is_dry)
        take_try(a, &scene, message);
    else
        api_route_take_act(a, &scene, message);
    json_decref(message);
}

static void take_resign(const struct asking *a) {
    struct api_scene scene;
    if (asking_player(a, &scene))
        lounge_resign(a->api->lounge, a->table, scene.sight.seat, asking_ticket(a, API_REPLY_VERSION),
                      a->now_ms);
}

static void take_leave(const struct asking *a) {
    struct api_scene scene;
    if (asking_player(a, &scene))
        lounge_leave(a->api->lounge, a->table, scene.sight.seat, asking_ticket(a, API_REPLY_VERSION),
                     a->now_ms);
}

static void take_rematch(const struct asking *a) {
    struct api_scene scene;
    struct span seed, key;
    if (!asking_player(a, &scene) || !key_read(a, &key))
        return;
    json_t *message = asking_body(a);
    if (message == NULL)
        return;
    if (!json_seed(message, &seed))
        asking_refuse_as(a, json_seed_invalid);
    else
        lounge_rematch(a->api->lounge, &scene.snapshot, scene.sight.seat, seed, &a->request->address, key,
                       asking_ticket(a, API_REPLY_SEAT), a->now_ms);
    json_decref(message);
}

struct wire_reading {
    struct api *api;
    uint64_t table;
    bool sees_all;
    struct writer *writer;
    const struct game *game;
    int64_t seat; /* -1: all */
    bool only_refused;
    int64_t left;
    uint64_t last;
};

static bool wire_write(void *context, const struct inspector_message *message) {
    struct wire_reading *r = context;
    if (r->left == 0)
        return false;
    r->last = message->number;
    bool is_hidden = !r->sees_all && api_wire_hides(r->api, r->table, message);
    if ((r->seat >= 0 && message->seat != r->seat) ||
        (r->only_refused && (message->why == ERR_OK || is_hidden)))
        return true;
    r->left--;
    api_write_message(r->writer, r->game, message, is_hidden);
    return true;
}

static void take_wire(const struct asking *a) {
    struct api_scene scene;
    int64_t from = 1, limit = INSPECTOR_MESSAGES_MAX, seat = -1;
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, &scene);
    if (e == ERR_OK && !api_is_owner(a->api, &scene.snapshot, &a->asker))
        e = ERR_TOKEN_UNKNOWN;
    if (e == ERR_OK && (!asking_number(a, "from", 1, INT64_MAX, &from) ||
                        !asking_number(a, "limit", 1, INSPECTOR_MESSAGES_MAX, &limit) ||
                        !asking_number(a, "seat", 0, SEATS_MAX - 1, &seat)))
        e = ERR_FIELD_INVALID;
    if (e != ERR_OK) {
        asking_refuse(a, e, e == ERR_FIELD_INVALID ? api_wire_invalid.sentence : NULL);
        return;
    }
    struct writer w = asking_writer(a->api);
    struct wire_reading reading = {.api = a->api,
                                   .table = a->table,
                                   .sees_all = api_is_operator(a->api, &a->asker),
                                   .writer = &w,
                                   .game = scene.snapshot.game,
                                   .seat = seat,
                                   .left = limit,
                                   .only_refused = span_is(asking_query(a, "refused"), "true")};
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_list_begin(&w, "items");
    uint64_t next = inspector_read(a->api->config.inspector, a->table, (uint64_t)from, wire_write, &reading);
    writer_list_end(&w);
    writer_int(&w, "next", (int64_t)(reading.left == 0 ? reading.last + 1 : next));
    writer_object_end(&w);
    asking_done(a, 200);
}

/* Paths. */

static bool is_get(const struct http_request *request) {
    return request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD;
}

/* A body must say that it is JSON; a request that has none need not say anything. */
static bool has_right_type(const struct http_request *request) {
    return (request->body.size == 0 && request->content_type.size == 0) ||
           asking_type_is_json(request->content_type);
}

void asking_take(const struct asking *a, void (*get)(const struct asking *),
                 void (*post)(const struct asking *)) {
    const struct api *api = a->api;
    if (get != NULL && is_get(a->request))
        get(a);
    else if (post != NULL && a->request->method == HTTP_METHOD_POST && !has_right_type(a->request))
        asking_refuse(a, ERR_CONTENT_TYPE, NULL);
    else if (post != NULL && a->request->method == HTTP_METHOD_POST)
        post(a);
    else
        asking_refuse_method(a, get == NULL    ? &api->allow_post
                                : post == NULL ? &api->allow_get
                                               : &api->allow_both);
}

static void take_below_table(const struct asking *a) {
    static const struct {
        const char *word;
        void (*get)(const struct asking *);
        void (*post)(const struct asking *);
    } paths[] = {
        {"seats", NULL, take_sit},         {"actions", NULL, api_route_take_actions},
        {"journal", take_journal, NULL},   {"resign", NULL, take_resign},
        {"leave", NULL, take_leave},       {"rematch", NULL, take_rematch},
        {"wire", take_wire, wires_record}, {"hint", advice_hint, advice_hint},
        {"values", advice_values, NULL},   {"claim", claims_list, claims_take},
        {"handover", NULL, handover_take},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths && a->piece_count == 5; i++)
        if (span_is(a->piece[4], paths[i].word)) {
            asking_take(a, paths[i].get, paths[i].post);
            return;
        }
    if (a->piece_count == 6 && span_is(a->piece[4], "at"))
        asking_take(a, take_at, NULL);
    else if (a->piece_count == 6 && span_is(a->piece[4], "wire"))
        asking_take(a, wires_legal, NULL);
    else
        asking_refuse(a, ERR_PATH_UNKNOWN, NULL);
}

static void take_tables(struct asking *a) {
    if (a->piece_count == 3) {
        asking_take(a, take_list, take_open);
        return;
    }
    if (!table_code_parse(a->piece[3], &a->table))
        asking_refuse(a, ERR_TABLE_UNKNOWN, NULL);
    else if (a->piece_count == 4)
        asking_take(a, take_table, NULL);
    else
        take_below_table(a);
}

static void take_socket(const struct asking *a) {
    if (a->request->wants_websocket)
        api_socket_open(a->api, a->request, a->exchange);
    else
        http_answer_refusal(a->exchange, http_websocket_wanted);
}

static void split(struct asking *a) {
    struct span rest = a->request->path;
    while (rest.size > 0 && a->piece_count < ASKING_PIECES_MAX) {
        const char *slash = memchr(rest.data, '/', rest.size);
        size_t size = slash == NULL ? rest.size : (size_t)(slash - rest.data);
        if (size > 0)
            a->piece[a->piece_count++] = span_make(rest.data, size);
        size += slash != NULL;
        rest = span_make(rest.data + size, rest.size - size);
    }
}

static void route_dispatch(struct asking *a) {
    struct api *api = a->api;
    bool is_ours = a->piece_count >= 3 && span_is(a->piece[1], "v1");
    if (api->config.cors != NULL && a->request->method == HTTP_METHOD_OPTIONS) {
        http_exchange_set_headers(a->exchange, buf_span(&api->cors));
        http_answer(a->exchange, 204, "", SPAN(""));
    } else if (is_ours && span_is(a->piece[2], "tables")) {
        take_tables(a);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "games")) {
        asking_take(a, take_games, NULL);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "protocols")) {
        asking_take(a, take_protocols, NULL);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "championships")) {
        asking_take(a, championships_list, championships_open);
    } else if (is_ours && span_is(a->piece[2], "championships")) {
        cup_route_take(a);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "ratings")) {
        asking_take(a, cup_route_ratings, NULL);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "openapi.json")) {
        asking_take(a, take_openapi, NULL);
    } else if (is_ours && a->piece_count == 3 && span_is(a->piece[2], "ws")) {
        asking_take(a, take_socket, NULL);
    } else {
        asking_refuse(a, ERR_PATH_UNKNOWN, NULL);
    }
}

static bool api_route_take(void *context, const struct http_request *request, struct http_exchange *x,
                           uint64_t now_ms) {
    struct api *api = context;
    struct asking a = {.api = api, .request = request, .exchange = x, .now_ms = now_ms};
    split(&a);
    api->now_ms = now_ms;
    a.asker = asker_of(request->authorization);
    a.asker.address = request->address;
    past_begin(api);
    if (!cards_take(&a)) {
        if (a.piece_count == 0 || !span_is(a.piece[0], "api"))
            return false;
        route_dispatch(&a);
    }
    if (api->is_put_off)
        past_put_off(&a);
    return true;
}

/* What another node was told of the table is known here before the request is taken. A key may have opened
 * one there. */
static bool api_route_waits(void *context, const struct http_request *request,
                            void (*resume)(void *ticket, enum err), void *ticket) {
    struct api *api = context;
    struct asking a = {.request = request};
    split(&a);
    if (a.piece_count >= 2 && span_is(a.piece[0], "t"))
        return table_code_parse(a.piece[1], &a.table) &&
               tables_fetch(api->config.lounge.tables, a.table, resume, ticket) != NULL;
    if (a.piece_count < 3 || !span_is(a.piece[0], "api") || !span_is(a.piece[2], "tables"))
        return false;
    if (a.piece_count == 3)
        return request->idempotency_key.size > 0 &&
               tables_fetch_code(api->config.lounge.tables, lounge_key_table(request->idempotency_key),
                                 resume, ticket);
    if (!table_code_parse(a.piece[3], &a.table))
        return false;
    return tables_fetch(api->config.lounge.tables, a.table, resume, ticket) != NULL;
}

/* What is here may be older than what the player knows: nothing is said rather than that. */
static void api_route_waited(void *context, const struct http_request *request, struct http_exchange *x,
                             enum err why) {
    (void)why;
    bool is_page = request->path.size > 2 && memcmp(request->path.data, "/t/", 3) == 0;
    if (is_page) /* which asks again, and tells */
        page_answer_card(request, x, 200, NULL);
    else
        asking_answer_problem(context, x, &(struct api_refusal){.why = ERR_UNAVAILABLE});
}

/* The route. */

static uint64_t api_route_next_ms(void *context) {
    const struct api *api = context;
    uint64_t next_ms = timers_next_ms(&api->timers);
    const uint64_t others[] = {lounge_next_ms(api->lounge), cups_next_ms(api->cups)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        next_ms = others[i] < next_ms ? others[i] : next_ms;
    return next_ms;
}

static void api_route_advance(void *context, uint64_t now_ms) {
    struct api *api = context;
    api->now_ms = now_ms;
    lounge_advance(api->lounge, now_ms);
    cups_advance(api->cups, now_ms);
    timers_advance(&api->timers, now_ms);
}

static void route_shutdown(void *context) {
    struct api *api = context;
    lounge_stop(api->lounge);
    cups_stop(api->cups);
}

static void api_route_free(void *context) {
    struct api *api = context;
    api->is_ending = true;
    inspector_listen(api->config.inspector, NULL, NULL);
    inspector_ask_versions(api->config.inspector, NULL, NULL);
    api_sockets_free(api);
    api_feeds_free(api);
    while (api->openings != NULL) { /* nobody will be told any more */
        struct api_ticket *t = api->openings;
        DL_DELETE(api->openings, t);
        mem_free(t);
    }
    advices_end(api);
    pasts_free(api);
    cup_file_end(api);
    cups_free(api->cups);
    lounge_free(api->lounge);
    handovers_free(api);
    history_free(api->history);
    history_free(api->late);
    timers_free(&api->timers);
    buf_free(&api->out);
    buf_free(&api->lobby);
    buf_free(&api->packed);
    buf_free(&api->packed_from);
    buf_free(&api->openapi_gzip);
    buf_free(&api->cors);
    buf_free(&api->allow_get);
    buf_free(&api->allow_post);
    buf_free(&api->allow_both);
    websocket_spare_free(&api->spare);
    mem_free(api);
}

static void headers_prepare(struct api *api) {
    struct {
        struct buf *lines;
        const char *allow;
    } sets[] = {{&api->cors, NULL},
                {&api->allow_get, "GET, HEAD"},
                {&api->allow_post, "POST"},
                {&api->allow_both, "GET, HEAD, POST"}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (api->config.cors != NULL)
            buf_printf(
                sets[i].lines,
                "Access-Control-Allow-Origin: %s\r\nAccess-Control-Allow-Methods: GET, POST, OPTIONS\r\n"
                "Access-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key\r\n"
                "Access-Control-Max-Age: 86400\r\nVary: Origin\r\n",
                api->config.cors);
        if (sets[i].allow != NULL)
            buf_printf(sets[i].lines, "Allow: %s\r\n", sets[i].allow);
    }
}

static void lounge_changed(void *context, uint64_t table) {
    api_publish(context, table);
}

/* A table that was opened with the inspector before a restart. */
static void inspect_again(void *context, struct table *table) {
    struct api *api = context;
    if (lounge_is_inspected(api->lounge, table))
        inspector_enable(api->config.inspector, table_id(table));
}

static uint64_t api_route_version(void *context, uint64_t id) {
    const struct api *api = context;
    const struct table *table = tables_find(api->config.lounge.tables, id);
    return table == NULL ? 0 : table_version(table);
}

static void api_route_problem(struct buf *out, enum err why) {
    struct writer w;
    writer_init(&w, WRITER_JSON, out);
    api_write_problem(&w, &(struct api_refusal){.why = why});
}

struct http_route api_route(const struct api_config *config) {
    struct api *api = mem_alloc(sizeof *api);
    struct digest seed;
    api->config = *config;
    digest_secret(&seed);
    rng_seed(&api->rng, digest_to_number(seed.bytes));
    headers_prepare(api);
    if (config->inspect_token != NULL)
        api->has_inspect_token = token_hash(span_of(config->inspect_token), &api->inspect_token);
    api->history = history_create(config->store);
    api->late = history_create(config->store);
    api->config.lounge.history = api->history;
    api->lounge = lounge_create(&api->config.lounge, &(struct lounge_output){.context = api,
                                                                             .answer = api_answer_ticket,
                                                                             .listed = api_lobby_listed,
                                                                             .unlisted = api_lobby_unlisted,
                                                                             .changed = lounge_changed});
    api->cups = cups_create(
        &(struct cups_config){
            .tables = config->lounge.tables, .history = api->history, .lounge = api->lounge},
        &(struct cups_output){.context = api, .answer = cup_route_answer, .changed = api_cup_changed});
    cup_file_begin(api);
    tables_each(config->lounge.tables, inspect_again, api);
    inspector_listen(config->inspector, api_wire_recorded, api);
    inspector_ask_versions(config->inspector, api_route_version, api);
    announcer_add(config->announcer, api, api_announce);
    return (struct http_route){.context = api,
                               .origin = config->cors,
                               .take = api_route_take,
                               .waits = tables_is_shared(config->lounge.tables) ? api_route_waits : NULL,
                               .waited = api_route_waited,
                               .problem = api_route_problem,
                               .next_ms = api_route_next_ms,
                               .advance = api_route_advance,
                               .shutdown = route_shutdown,
                               .free = api_route_free};
}
