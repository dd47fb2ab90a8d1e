/* The paths of cups: what is asked of championships of any game over HTTP. */
#include "wire/api/asking.h"
#include "wire/api/cup_json.h"

#include "base/mem.h"

#include <stdio.h>
#include <utlist.h>

enum { RATINGS_ROWS_DEFAULT = 1000 };

static const char cup_route_csv[] = "text/csv; charset=utf-8";

/* The answer to a request that changes something. */
void cup_route_answer(void *context, void *ticket, const struct cups_answer *a) {
    struct api *api = context;
    struct api_ticket *t = ticket;
    if (!api->is_ending && a->why != ERR_OK) {
        asking_answer_problem(api, t->exchange, &(struct api_refusal){.why = a->why, .reason = a->reason});
    } else if (!api->is_ending) {
        struct writer w = asking_writer(api);
        writer_object_begin(&w, NULL);
        if (t->reply == API_REPLY_SEAT) {
            writer_text(&w, "championship", span_of(a->cup->about.name));
            writer_text(&w, "name", span_of(a->entrant));
            writer_int(&w, "version", (int64_t)a->cup->last_seq);
            if (a->token != NULL)
                writer_text(&w, "token", span_of(a->token));
        } else if (t->reply == API_REPLY_TABLE) {
            api_write_cup(&w, api->cups, a->cup, 0, CUP_ENTRANTS_MAX);
            writer_text(&w, "owner_token", span_of(a->token));
        } else {
            api_write_cup_summary(&w, a->cup);
        }
        writer_object_end(&w);
        asking_answer(api, t->exchange, t->accepts_gzip, t->reply == API_REPLY_VERSION ? 200 : 201);
    }
    DL_DELETE(api->openings, t);
    mem_free(t);
}

static struct api_ticket *cup_route_ticket(const struct asking *a, enum api_reply reply) {
    struct api_ticket *t = asking_ticket(a, reply);
    DL_APPEND(a->api->openings, t);
    return t;
}

/* Opening. */

/* A number of the message within bounds; *out stays when it is not there. */
static bool cup_route_number(const json_t *message, const char *name, int64_t min, int64_t max,
                             uint32_t *out) {
    int64_t value;
    if (!json_has(message, name))
        return true;
    if (!json_plain_int(message, name, &value) || value < min || value > max)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* Whose clients may enter; NULL: they could not. Without an API nobody knows yet who listens. */
static const char *cup_route_protocol(const struct api *api, const json_t *message, const struct game *game) {
    struct span protocol = json_text(message, "protocol");
    if (!json_has(message, "protocol") || span_is(protocol, LOUNGE_PROTOCOL))
        return LOUNGE_PROTOCOL;
    if (api == NULL && protocol.data != NULL)
        return LOUNGE_PROTOCOL;
    const struct table_door *door =
        protocol.data == NULL ? NULL : tables_door(api->config.lounge.tables, protocol);
    return door == NULL || door->game != game ? NULL : door->protocol;
}

/* What of it is an order for a table: the clocks of a championship run at tables of any protocol, and nobody
 * plays alone. */
static json_t *cup_route_table_order(const json_t *message) {
    json_t *rest = json_copy((json_t *)(uintptr_t)message);
    const struct game *game = game_by_name(json_text(message, "game"));
    json_object_del(rest, "protocol");
    if (game != NULL && game->seats_min < 2 && !json_has(message, "seats"))
        json_object_set_new(rest, "seats", json_integer(2));
    return rest;
}

enum err api_read_cup_order(struct api *api, const json_t *message, struct cups_order *out,
                            const char **field) {
    struct lounge_order table;
    *out = (struct cups_order){.name = json_text(message, "name"),
                               .clocks = {.turn_ms = CUPS_TURN_MS_DEFAULT},
                               .tables_max = CUPS_TABLES_DEFAULT};
    *field = "name";
    if (out->name.data == NULL)
        return ERR_FIELD_MISSING;
    out->format = cup_format_number(json_text(message, "format"));
    *field = "format";
    if (out->format == 0)
        return ERR_FIELD_INVALID;
    json_t *rest = cup_route_table_order(message);
    enum err e = api_read_order(api, rest, &table, field);
    json_decref(rest);
    if (e != ERR_OK)
        return e;
    out->game = table.game;
    out->options = table.options;
    if (table.clocks.turn_ms != 0 || table.clocks.game_ms != 0)
        out->clocks = table.clocks;
    *field = "protocol";
    out->protocol = cup_route_protocol(api, message, table.game);
    if (out->protocol == NULL)
        return ERR_FIELD_INVALID;
    *field = "rounds";
    if (!cup_route_number(message, "rounds", 0, CUP_ROUNDS_MAX, &out->rounds))
        return ERR_FIELD_INVALID;
    *field = "tables_max";
    return cup_route_number(message, "tables_max", 1, CUPS_TABLES_MAX, &out->tables_max) ? ERR_OK
                                                                                         : ERR_FIELD_INVALID;
}

const char *api_cup_order_reason(const char *field, enum err e, char reason[ASKING_REASON_BYTES_MAX]) {
    if (strcmp(field, "format") == 0)
        return api_cup_format.sentence;
    if (strcmp(field, "protocol") == 0)
        return api_cup_protocol.sentence;
    if (strcmp(field, "rounds") == 0 || strcmp(field, "tables_max") == 0)
        return api_cup_numbers.sentence;
    snprintf(reason, ASKING_REASON_BYTES_MAX, API_FIELD, field, err_sentence(e));
    return reason;
}

void cup_route_open(const struct asking *a, const json_t *message) {
    struct cups_order order;
    const char *field;
    char reason[ASKING_REASON_BYTES_MAX];
    enum err e = api_read_cup_order(a->api, message, &order, &field);
    order.opener = a->request->address;
    if (e == ERR_OK)
        cups_open(a->api->cups, &order, cup_route_ticket(a, API_REPLY_TABLE), a->now_ms);
    else
        asking_refuse(a, e, api_cup_order_reason(field, e, reason));
}

/* Looking. */

static const struct cup_fold *cup_route_find(const struct asking *a) {
    const struct cup_fold *f = cups_find(a->api->cups, a->piece[3]);
    if (f == NULL)
        asking_refuse_as(a, api_cup_unknown);
    return f;
}

static void cup_route_show(const struct asking *a) {
    const struct cup_fold *f = cup_route_find(a);
    int64_t round = 0;
    if (f == NULL)
        return;
    if (!asking_number(a, "round", 1, CUP_ROUNDS_MAX, &round)) {
        asking_refuse_as(a, api_cup_numbers);
        return;
    }
    uint32_t entrant = a->asker.has_token ? cups_entrant_of(f, &a->asker.token) : CUP_ENTRANTS_MAX;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_cup(&w, a->api->cups, f, (uint32_t)round, entrant);
    writer_object_end(&w);
    asking_done(a, 200);
}

static void cup_route_table(const struct asking *a,
                            void (*write)(struct buf *, const struct cups *, const struct cup_fold *)) {
    const struct cup_fold *f = cup_route_find(a);
    if (f == NULL)
        return;
    (void)asking_writer(a->api);
    write(&a->api->out, a->api->cups, f);
    http_exchange_set_headers(a->exchange, buf_span(&a->api->cors));
    http_answer(a->exchange, 200, cup_route_csv, buf_span(&a->api->out));
}

static void cup_route_standings(const struct asking *a) {
    cup_route_table(a, api_write_cup_standings_csv);
}

static void cup_route_pairings(const struct asking *a) {
    cup_route_table(a, api_write_cup_pairings_csv);
}

void cup_route_ratings(const struct asking *a) {
    const struct game *game = game_by_name(asking_query(a, "game"));
    int64_t rows_max = RATINGS_ROWS_DEFAULT;
    if (game == NULL) {
        asking_refuse_as(a, api_ratings_game);
        return;
    }
    if (!asking_number(a, "limit", 1, RATINGS_MAX, &rows_max)) {
        asking_refuse_as(a, api_ratings_limit);
        return;
    }
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_ratings(&w, cups_ratings(a->api->cups), game->name, (size_t)rows_max);
    writer_object_end(&w);
    asking_done(a, 200);
}

/* What is asked of one. */

/* The cup of the path, for its owner. */
static const struct cup_fold *cup_route_owned(const struct asking *a) {
    const struct cup_fold *f = cup_route_find(a);
    if (f == NULL || (a->asker.has_token && cups_is_owner(f, &a->asker.token)))
        return f;
    asking_refuse_as(a, api_cup_owner);
    return NULL;
}

static void cup_route_enter(const struct asking *a) {
    const struct cup_fold *f = cup_route_find(a);
    int64_t level = 0;
    json_t *message = f == NULL ? NULL : asking_body(a);
    if (message == NULL)
        return;
    struct span name = json_text(message, "name");
    bool is_bot = json_has(message, "bot"), is_client = false;
    bool is_owner = a->asker.has_token && cups_is_owner(f, &a->asker.token);
    bool keeps_token = a->asker.has_token && !is_owner;
    if (name.data == NULL || name.size > EVENT_NAME_BYTES_MAX)
        asking_refuse_as(a, api_cup_entrant);
    else if (json_has(message, "client") && (!json_plain_flag(message, "client", &is_client) || is_bot))
        asking_refuse_as(a, api_cup_client);
    else if (is_bot &&
             (!json_plain_int(message, "bot", &level) || level < BOT_LEVEL_MIN || level > BOT_LEVEL_MAX))
        asking_refuse_as(a, api_bot_invalid);
    else if (is_bot && !is_owner)
        asking_refuse_as(a, api_cup_owner);
    else if (keeps_token && !cups_know_token(a->api->cups, &a->asker.token))
        asking_refuse_as(a, api_cup_token);
    else
        cups_wish(a->api->cups,
                  &(struct cups_wish){.kind = CUPS_ENTER,
                                      .cup = f->id,
                                      .name = name,
                                      .bot_level = (unsigned)level,
                                      .is_client = is_client,
                                      .token = keeps_token ? &a->asker.token : NULL},
                  cup_route_ticket(a, API_REPLY_SEAT), a->now_ms);
    json_decref(message);
}

/* An entrant may go by itself; the owner sends anybody. */
static void cup_route_leave(const struct asking *a) {
    const struct cup_fold *f = cup_route_find(a);
    json_t *message = f == NULL ? NULL : asking_body(a);
    if (message == NULL)
        return;
    uint32_t own = a->asker.has_token ? cups_entrant_of(f, &a->asker.token) : f->sheet.entrant_count;
    bool is_owner = a->asker.has_token && cups_is_owner(f, &a->asker.token);
    struct span name = json_text(message, "name");
    if (own < f->sheet.entrant_count && name.data == NULL)
        name = span_of(cup_fold_name(f, own));
    if (name.data == NULL || name.size > EVENT_NAME_BYTES_MAX)
        asking_refuse_as(a, api_cup_entrant);
    else if (!is_owner && (own == f->sheet.entrant_count || !span_is(name, cup_fold_name(f, own))))
        asking_refuse_as(a, api_cup_owner);
    else
        cups_wish(a->api->cups, &(struct cups_wish){.kind = CUPS_LEAVE, .cup = f->id, .name = name},
                  cup_route_ticket(a, API_REPLY_VERSION), a->now_ms);
    json_decref(message);
}

static void cup_route_disqualify(const struct asking *a) {
    const struct cup_fold *f = cup_route_owned(a);
    json_t *message = f == NULL ? NULL : asking_body(a);
    if (message == NULL)
        return;
    struct span name = json_text(message, "name"), why = json_text(message, "why");
    if (name.data == NULL || name.size > EVENT_NAME_BYTES_MAX || why.size > EVENT_WHY_BYTES_MAX)
        asking_refuse_as(a, api_cup_entrant);
    else
        cups_wish(a->api->cups,
                  &(struct cups_wish){.kind = CUPS_DISQUALIFY, .cup = f->id, .name = name, .why = why},
                  cup_route_ticket(a, API_REPLY_VERSION), a->now_ms);
    json_decref(message);
}

static void cup_route_replay(const struct asking *a) {
    const struct cup_fold *f = cup_route_owned(a);
    int64_t pairing;
    json_t *message = f == NULL ? NULL : asking_body(a);
    if (message == NULL)
        return;
    if (!json_plain_int(message, "pairing", &pairing) || pairing < 0 || pairing >= CUP_PAIRINGS_MAX)
        asking_refuse_as(a, api_cup_pairing);
    else
        cups_wish(a->api->cups,
                  &(struct cups_wish){.kind = CUPS_REPLAY, .cup = f->id, .pairing = (uint32_t)pairing},
                  cup_route_ticket(a, API_REPLY_VERSION), a->now_ms);
    json_decref(message);
}

static void cup_route_step(const struct asking *a, enum cups_wish_kind kind) {
    const struct cup_fold *f = cup_route_owned(a);
    if (f != NULL)
        cups_wish(a->api->cups, &(struct cups_wish){.kind = kind, .cup = f->id},
                  cup_route_ticket(a, API_REPLY_VERSION), a->now_ms);
}

static void cup_route_start(const struct asking *a) {
    cup_route_step(a, CUPS_BEGIN);
}

static void cup_route_pause(const struct asking *a) {
    cup_route_step(a, CUPS_PAUSE);
}

static void cup_route_resume(const struct asking *a) {
    cup_route_step(a, CUPS_RESUME);
}

static void cup_route_cancel(const struct asking *a) {
    cup_route_step(a, CUPS_CANCEL);
}

void cup_route_take(const struct asking *a) {
    static const struct {
        const char *word;
        void (*get)(const struct asking *);
        void (*post)(const struct asking *);
    } paths[] = {
        {"entrants", NULL, cup_route_enter},
        {"leave", NULL, cup_route_leave},
        {"start", NULL, cup_route_start},
        {"pause", NULL, cup_route_pause},
        {"resume", NULL, cup_route_resume},
        {"cancel", NULL, cup_route_cancel},
        {"disqualify", NULL, cup_route_disqualify},
        {"replay", NULL, cup_route_replay},
        {"standings.csv", cup_route_standings, NULL},
        {"pairings.csv", cup_route_pairings, NULL},
    };
    if (a->piece_count == 4) {
        asking_take(a, cup_route_show, NULL);
        return;
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths && a->piece_count == 5; i++)
        if (span_is(a->piece[4], paths[i].word)) {
            asking_take(a, paths[i].get, paths[i].post);
            return;
        }
    asking_refuse(a, ERR_PATH_UNKNOWN, NULL);
}
