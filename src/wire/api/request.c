/* What is asked of the API, whether over HTTP or WebSocket: reading requests, finding tables, and who may see
 * what. */
#include "base/mem.h"
#include "wire/api/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* Tables. */

unsigned api_seat_of(struct api *api, uint64_t id, const struct api_asker *asker) {
    const struct table *table = tables_find(api->config.lounge.tables, id);
    struct snapshot now;
    if (!asker->has_token)
        return SEAT_WATCHER;
    if (table != NULL)
        return table_seat_by_token(table, &asker->token);
    const struct fold *fold = history_at(api->history, id, HISTORY_LAST);
    if (fold == NULL)
        return SEAT_WATCHER;
    snapshot_of_fold(fold, &now);
    return snapshot_seat(&now, &asker->token);
}

/* What those without a seat may know of the game by now; of who sits there they know the newest. NULL when
 * the journal cannot be read. */
static const struct fold *late_fold(struct api *api, struct snapshot *s, uint32_t delay_ms,
                                    int64_t *next_ms) {
    const struct snapshot now = *s;
    int64_t until_ms = tables_ago_ms(api->config.lounge.tables, delay_ms);
    const struct fold *fold = history_until(api->late, s->table, now.version, until_ms, next_ms);
    if (fold == NULL)
        return NULL;
    snapshot_of_fold(fold, s);
    snapshot_take_seats(s, &now);
    return fold;
}

bool api_snapshot_public(struct api *api, const struct table *table, struct snapshot *s,
                         uint32_t *watch_delay_ms) {
    int64_t next_ms;
    snapshot_of_table(table, s);
    *watch_delay_ms = lounge_watch_delay_ms(api->lounge, s);
    return *watch_delay_ms == 0 || late_fold(api, s, *watch_delay_ms, &next_ms) != NULL;
}

/* What a history that gave nothing means: there is no such thing, it is lacking, or nobody can tell at the
 * moment. */
static enum err missing(const struct history *history, enum err why) {
    enum err e = history_error(history);
    return e == ERR_OK ? why : e == ERR_LATER ? ERR_LATER : ERR_UNAVAILABLE;
}

static enum err scene_of_journal(struct api *api, uint64_t id, uint64_t version, struct api_scene *scene) {
    const struct fold *fold = history_at(api->history, id, version);
    if (fold == NULL)
        return missing(api->history, ERR_VERSION_UNKNOWN);
    snapshot_of_fold(fold, &scene->snapshot);
    scene->watch_delay_ms = lounge_watch_delay_ms(api->lounge, &scene->snapshot);
    return ERR_OK;
}

/* The scene of a table that runs. The usual case asks no journal. */
static enum err scene_of_table(struct api *api, const struct table *table, uint64_t version,
                               struct api_scene *scene) {
    struct snapshot *s = &scene->snapshot;
    snapshot_of_table(table, s);
    scene->watch_delay_ms = lounge_watch_delay_ms(api->lounge, s);
    if (scene->sight.seat == SEAT_WATCHER && scene->watch_delay_ms > 0) {
        if (late_fold(api, s, scene->watch_delay_ms, &scene->next_ms) == NULL)
            return missing(api->late, ERR_TABLE_UNKNOWN);
        scene->history = api->late;
    }
    if (version == HISTORY_LAST)
        return ERR_OK;
    if (version > s->version)
        return ERR_VERSION_UNKNOWN;
    scene->history = api->history;
    return scene_of_journal(api, table_id(table), version, scene);
}

enum err api_scene_set(struct api *api, uint64_t id, uint64_t version, unsigned seat,
                       struct api_scene *scene) {
    const struct table *table = tables_find(api->config.lounge.tables, id);
    struct record last;
    *scene = (struct api_scene){.history = api->history, .next_ms = INT64_MAX, .sight = {seat, seat}};
    if (table != NULL && table_state_word(table) == TABLE_OPENING)
        return ERR_TABLE_UNKNOWN;
    if (table != NULL && table_state_word(table) == TABLE_RUNNING)
        return scene_of_table(api, table, version, scene);
    if (table != NULL && version == HISTORY_LAST && table_last(table, &last)) {
        snapshot_of_table(table, &scene->snapshot);
        scene->watch_delay_ms = lounge_watch_delay_ms(api->lounge, &scene->snapshot);
        scene->is_over_now = true;
        return ERR_OK;
    }
    scene->is_over_now = history_is_finished(api->history, id);
    if (history_error(api->history) == ERR_LATER)
        return ERR_LATER;
    enum err e = scene_of_journal(api, id, version, scene);
    return e == ERR_VERSION_UNKNOWN && !scene->is_over_now ? ERR_TABLE_UNKNOWN : e;
}

enum err api_scene_find(struct api *api, uint64_t id, uint64_t version, const struct api_asker *asker,
                        struct api_scene *scene) {
    struct tables *tables = api->config.lounge.tables;
    unsigned seat = api_seat_of(api, id, asker);
    bool may_guess = tables_may_guess(tables, &asker->address);
    enum err e = api_scene_set(api, id, version, seat, scene);
    if (e == ERR_LATER)
        return e;
    if (e == ERR_TABLE_UNKNOWN)
        tables_missed(tables, &asker->address);
    bool is_known =
        seat != SEAT_WATCHER ||
        (e == ERR_OK && (!scene->snapshot.note.is_private || api_is_owner(api, &scene->snapshot, asker)));
    return may_guess || is_known ? e : ERR_TOO_MANY;
}

enum err api_scene_look(struct api *api, struct api_scene *scene, const struct api_asker *asker,
                        struct span as) {
    unsigned seat = scene->sight.seat;
    int64_t number;
    if (asker->has_token && seat == SEAT_WATCHER && !api_is_owner(api, &scene->snapshot, asker))
        return ERR_TOKEN_UNKNOWN;
    if (as.size == 0)
        return ERR_OK;
    if (span_is(as, "watcher"))
        scene->sight.viewer = SEAT_WATCHER;
    else if (span_is(as, "all"))
        scene->sight.viewer = VIEWER_ALL;
    else if (span_to_int(as, &number) && number >= 0 && number < scene->snapshot.options->seat_count)
        scene->sight.viewer = (unsigned)number;
    else
        return ERR_FIELD_INVALID;
    bool is_own = scene->sight.viewer == seat || scene->sight.viewer == SEAT_WATCHER;
    return is_own || scene->is_over_now ? ERR_OK : ERR_NOT_ALLOWED;
}

bool api_scene_is_private(struct api *api, const struct api_scene *scene) {
    const struct table *table = tables_find(api->config.lounge.tables, scene->snapshot.table);
    return scene->snapshot.note.is_private || (table != NULL && lounge_is_private(api->lounge, table));
}

const char *api_scene_reason(enum err why) {
    return why == ERR_FIELD_INVALID ? api_as_invalid.sentence : NULL;
}

bool api_is_owner(const struct api *api, const struct snapshot *s, const struct api_asker *asker) {
    if (!asker->has_token)
        return false;
    return lounge_is_owner(api->lounge, s, &asker->token) || api_is_operator(api, asker);
}

bool api_is_operator(const struct api *api, const struct api_asker *asker) {
    return asker->has_token && api->has_inspect_token && digest_equal(&api->inspect_token, &asker->token);
}

bool api_wire_hides(struct api *api, uint64_t id, const struct inspector_message *message) {
    const struct table *table = tables_find(api->config.lounge.tables, id);
    struct snapshot s;
    if (table == NULL || table_state_word(table) == TABLE_OVER ||
        lounge_is_owners(api->lounge, id, &message->origin))
        return false;
    snapshot_of_table(table, &s);
    return game_has_secrets(table_game(table)) || lounge_watch_delay_ms(api->lounge, &s) > 0;
}

/* The event that led to what a scene shows: of a table that is at hand, and shown as it is, without the
 * journal. */
static bool last_of_table(const struct table *table, const struct api_scene *scene, struct record *out) {
    return table != NULL && scene->snapshot.version == table_version(table) && table_last(table, out);
}

/* When the snapshot is from the journal, the fold is the one that it borrows from. */
static bool last_of_journal(const struct api_scene *scene, struct record *out) {
    const struct fold *fold = history_at(scene->history, scene->snapshot.table, scene->snapshot.version);
    if (fold != NULL)
        *out = record_last(fold);
    return fold != NULL;
}

/* rng draws the examples of actions that are too many to list. */
static void scene_write(struct api *api, const struct api_scene *scene, struct rng *rng, struct writer *w) {
    const struct table *table = tables_find(api->config.lounge.tables, scene->snapshot.table);
    struct record last;
    bool has_last = last_of_table(table, scene, &last) || last_of_journal(scene, &last);
    const struct api_extra extra = {
        .last = has_last ? &last : NULL,
        .rematch = lounge_rematch_of(api->lounge, scene->snapshot.table),
        .is_inspected = inspector_wants(api->config.inspector, scene->snapshot.table),
        .absent_level = lounge_absent_level(api->lounge, &scene->snapshot),
        .is_private = api_scene_is_private(api, scene),
        .watch_delay_ms = scene->watch_delay_ms,
        .rng = rng,
    };
    api_write_table(w, &scene->snapshot, &scene->sight, &extra);
}

void api_scene_write(struct api *api, const struct api_scene *scene, struct writer *w) {
    scene_write(api, scene, &api->rng, w);
}

static bool event_write(void *context, const struct record *record) {
    struct {
        struct writer *writer;
        unsigned viewer;
    } *to = context;
    record_write(to->writer, NULL, record, to->viewer);
    return true;
}

enum err api_write_events(struct api *api, const struct api_span *span, struct writer *w, uint64_t *shown) {
    struct {
        struct writer *writer;
        unsigned viewer;
    } to = {w, span->viewer};
    uint64_t from = span->from == 0 ? 1 : span->from, last = from + span->limit - 1;
    *shown =
        history_read(api->history, span->table, from, last < span->to ? last : span->to, event_write, &to);
    return missing(api->history, ERR_OK);
}

enum err api_has_events(struct api *api, const struct api_span *span) {
    enum err e = history_has(api->history, span->table, span->from, span->to);
    return e == ERR_OK || e == ERR_LATER ? e : ERR_UNAVAILABLE;
}

/* Actions. */

static bool read_texts(const json_t *list, struct api_act *out) {
    out->count = json_array_size(list);
    if (!json_is_array(list) || out->count > EVENT_ACTIONS_MAX)
        return false;
    out->texts = mem_alloc((out->count + 1) * sizeof *out->texts);
    for (size_t i = 0; i < out->count; i++) {
        out->texts[i] = json_value_text(json_array_get(list, i));
        if (out->texts[i].data == NULL) {
            mem_free(out->texts);
            return false;
        }
    }
    return true;
}

static_assert(EVENT_ACTIONS_MAX == 512, "api_actions_invalid says so");

enum err api_read_act(const json_t *message, bool may_be_empty, struct api_act *out, const char **reason) {
    int64_t version;
    *out = (struct api_act){.has_version = json_has(message, "version")};
    *reason = api_version_invalid.sentence;
    if (out->has_version && (!json_plain_int(message, "version", &version) || version < 0))
        return ERR_FIELD_INVALID;
    out->version = out->has_version ? (uint64_t)version : 0;
    *reason = api_actions_invalid.sentence;
    if (!json_has(message, "actions"))
        return ERR_FIELD_MISSING;
    if (!read_texts(json_object_get(message, "actions"), out))
        return ERR_FIELD_INVALID;
    if (out->count > 0 || may_be_empty)
        return ERR_OK;
    mem_free(out->texts);
    return ERR_FIELD_MISSING;
}

/* Why nothing can be tried at this table, or ERR_OK. */
static enum err try_check(struct api *api, const struct snapshot *s, unsigned seat,
                          const struct api_act *act) {
    enum err e = lounge_may_act(api->lounge, s->table, seat);
    if (e != ERR_OK)
        return e;
    if (act->has_version && act->version != s->version)
        return ERR_CONFLICT;
    return s->free_seats > 0 ? ERR_TABLE_WAITS : ERR_OK;
}

enum err api_try_play(struct api *api, struct api_scene *scene, const json_t *message, struct rng *rng,
                      struct trial *trial, struct api_refusal *refusal) {
    unsigned seat = scene->sight.viewer = scene->sight.seat;
    struct api_act act;
    *refusal = (struct api_refusal){
        .game = scene->snapshot.game, .has_version = true, .version = scene->snapshot.version};
    refusal->why = api_read_act(message, true, &act, &refusal->reason);
    if (refusal->why != ERR_OK)
        return refusal->why;
    refusal->reason = NULL;
    refusal->why = try_check(api, &scene->snapshot, seat, &act);
    if (refusal->why == ERR_OK) {
        refusal->why = snapshot_try(&scene->snapshot, seat, act.texts, act.count, rng, trial);
        refusal->has_index = refusal->why != ERR_OK;
        refusal->index = trial->played;
        if (refusal->why != ERR_OK)
            snapshot_end(&scene->snapshot);
    }
    mem_free(act.texts);
    return refusal->why;
}

enum err api_try(struct api *api, struct api_scene *scene, const json_t *message, struct writer *w,
                 struct api_refusal *refusal) {
    struct trial trial;
    struct rng rng;
    enum err e = api_try_play(api, scene, message, &rng, &trial, refusal);
    if (e != ERR_OK)
        return e;
    writer_bool(w, "chance", snapshot_is_chance(&scene->snapshot));
    scene_write(api, scene, &rng, w);
    writer_int(w, "played", (int64_t)trial.played);
    writer_bool(w, "unknown", trial.is_unknown);
    snapshot_end(&scene->snapshot);
    return ERR_OK;
}

/* What is to be opened. */

static bool is_numeric(const struct game *game, const char *name) {
    const struct game_option *option = game->options;
    while (option->name != NULL && strcmp(option->name, name) != 0)
        option++;
    return option->name != NULL && option->words == NULL;
}

static enum err read_options(const struct game *game, const json_t *object, struct game_options *out,
                             const char **reason) {
    const char *name;
    json_t *value;
    if (object == NULL)
        return ERR_OK;
    if (!json_is_object(object))
        return ERR_FIELD_INVALID;
    json_object_foreach((json_t *)(uintptr_t)object, name, value) {
        char text[64];
        *reason = name;
        int64_t number;
        if (json_is_string(value) &&
            (is_numeric(game, name) || !span_copy(json_value_text(value), text, sizeof text)))
            return ERR_OPTION_INVALID;
        if (json_is_boolean(value))
            snprintf(text, sizeof text, "%s", json_is_true(value) ? "yes" : "no");
        else if (!json_is_string(value) && json_value_int(value, &number))
            snprintf(text, sizeof text, "%lld", (long long)number);
        else if (!json_is_string(value))
            return ERR_OPTION_INVALID;
        enum err e = game_options_set(game, out, name, text);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

static enum err api_request_read_bots(const json_t *list, uint32_t seat_count, uint8_t levels[SEATS_MAX],
                                      const char **reason) {
    if (list == NULL)
        return ERR_OK;
    if (!json_is_array(list))
        return ERR_FIELD_INVALID;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *bot = json_array_get(list, i);
        int64_t seat, level = BOT_LEVEL_DEFAULT;
        *reason = API_LEVEL_OF_BOT;
        if (json_has(bot, "level") &&
            (!json_plain_int(bot, "level", &level) || level < BOT_LEVEL_MIN || level > BOT_LEVEL_MAX))
            return ERR_FIELD_INVALID;
        *reason = API_SEAT_OF_BOT;
        if (!json_has(bot, "seat"))
            return ERR_FIELD_MISSING;
        if (!json_plain_int(bot, "seat", &seat) || seat < 0 || seat >= seat_count)
            return ERR_FIELD_INVALID;
        if (levels[seat] != 0)
            return ERR_SEAT_TAKEN;
        levels[seat] = (uint8_t)level;
    }
    return ERR_OK;
}

static enum err read_seat(const json_t *object, struct lounge_order *out, const char **reason) {
    int64_t seat;
    if (object == NULL)
        return ERR_OK;
    out->wants_seat = true;
    out->name = json_text(object, "name");
    out->seat = SEAT_WATCHER;
    *reason = API_NAME_OF_SEAT;
    if (out->name.data == NULL)
        return ERR_FIELD_MISSING;
    *reason = API_SEED_OF_SEAT;
    if (!json_seed(object, &out->seed))
        return ERR_FIELD_INVALID;
    *reason = "seat";
    if (!json_has(object, "seat"))
        return ERR_OK;
    if (!json_plain_int(object, "seat", &seat) || seat < 0 || seat >= out->options.seat_count)
        return ERR_FIELD_INVALID;
    out->seat = (unsigned)seat;
    return ERR_OK;
}

static enum err api_request_read_from(const json_t *object, struct lounge_order *out) {
    int64_t version;
    if (object == NULL)
        return ERR_OK;
    if (!table_code_parse(json_text(object, "code"), &out->from_table) ||
        !json_plain_int(object, "version", &version) || version < 1)
        return ERR_FIELD_INVALID;
    out->from_version = (uint64_t)version;
    return out->door == NULL ? ERR_OK : ERR_FROM_IMPOSSIBLE;
}

static bool read_clock(const json_t *message, const char *name, int64_t min_ms, uint32_t *out) {
    int64_t ms = 0;
    if (json_has(message, name) && !json_plain_int(message, name, &ms))
        return false;
    *out = (uint32_t)ms;
    return ms == 0 || (ms >= min_ms && ms <= LOUNGE_TURN_MS_MAX);
}

static enum err read_clocks(const json_t *message, struct lounge_order *out, const char **reason) {
    struct lounge_clocks *clocks = &out->clocks;
    *reason = "turn_ms";
    if (!read_clock(message, "turn_ms", LOUNGE_TURN_MS_MIN, &clocks->turn_ms))
        return ERR_FIELD_INVALID;
    *reason = "game_ms";
    if (!read_clock(message, "game_ms", LOUNGE_TURN_MS_MIN, &clocks->game_ms))
        return ERR_FIELD_INVALID;
    *reason = "increment_ms";
    if (!read_clock(message, "increment_ms", 1, &clocks->increment_ms) ||
        (clocks->increment_ms != 0 && clocks->game_ms == 0))
        return ERR_FIELD_INVALID;
    *reason = API_TURN_MS_AT_DOOR;
    return out->door != NULL && (clocks->turn_ms != 0 || clocks->game_ms != 0) ? ERR_FIELD_INVALID : ERR_OK;
}

/* The bot that plays on for who is gone. */
static enum err read_absent(const json_t *message, struct lounge_order *out, const char **reason) {
    int64_t level = 0;
    *reason = "absent_bot";
    out->has_absent = json_has(message, "absent_bot");
    if (out->has_absent && (!json_plain_int(message, "absent_bot", &level) || level < 0 ||
                            level > BOT_LEVEL_MAX || (out->door != NULL && level != 0)))
        return ERR_FIELD_INVALID;
    out->absent_level = (uint8_t)level;
    return ERR_OK;
}

/* The simple fields. */
static enum err read_policy(const json_t *message, struct lounge_order *out, const char **reason) {
    int64_t delay_ms = 0;
    *reason = "private";
    if (json_has(message, "private") && !json_plain_flag(message, "private", &out->is_private))
        return ERR_FIELD_INVALID;
    *reason = "inspect";
    if (json_has(message, "inspect") && !json_plain_flag(message, "inspect", &out->is_inspected))
        return ERR_FIELD_INVALID;
    enum err e = read_clocks(message, out, reason);
    if (e != ERR_OK)
        return e;
    e = read_absent(message, out, reason);
    if (e != ERR_OK)
        return e;
    *reason = "watch_delay_ms";
    out->has_watch_delay = json_has(message, "watch_delay_ms");
    if (out->has_watch_delay && (!json_plain_int(message, "watch_delay_ms", &delay_ms) || delay_ms < 0 ||
                                 delay_ms > LOUNGE_WATCH_DELAY_MS_MAX))
        return ERR_FIELD_INVALID;
    out->watch_delay_ms = (uint32_t)delay_ms;
    return ERR_OK;
}

static enum err read_protocol(struct api *api, struct span protocol, struct lounge_order *out) {
    if (protocol.data == NULL || span_is(protocol, LOUNGE_PROTOCOL))
        return ERR_OK;
    out->door = tables_door(api->config.lounge.tables, protocol);
    return out->door != NULL && out->door->game == out->game ? ERR_OK : ERR_FIELD_INVALID;
}

static const json_t *api_request_field(const json_t *message, const char *name) {
    const json_t *value = json_object_get(message, name);
    return json_is_null(value) ? NULL : value;
}

enum err api_read_order(struct api *api, const json_t *message, struct lounge_order *out,
                        const char **reason) {
    struct span name = json_text(message, "game");
    *out = (struct lounge_order){.game = name.data == NULL ? NULL : game_by_name(name)};
    *reason = "game";
    if (out->game == NULL)
        return name.data == NULL ? ERR_FIELD_MISSING : ERR_GAME_UNKNOWN;
    int64_t seats = out->game->seats_min;
    *reason = "seats";
    if (json_has(message, "seats") && !json_plain_int(message, "seats", &seats))
        return ERR_FIELD_INVALID;
    if (seats < out->game->seats_min || seats > out->game->seats_max)
        return ERR_SEAT_COUNT;
    out->options = game_options_default(out->game, (uint32_t)seats);
    *reason = "protocol";
    struct span protocol = json_text(message, "protocol");
    enum err e = json_has(message, "protocol") && protocol.data == NULL ? ERR_FIELD_INVALID
                                                                        : read_protocol(api, protocol, out);
    if (e != ERR_OK)
        return e;
    *reason = "options";
    e = read_options(out->game, api_request_field(message, "options"), &out->options, reason);
    if (e != ERR_OK)
        return e;
    *reason = "bots";
    e = api_request_read_bots(api_request_field(message, "bots"), out->options.seat_count, out->bot_level,
                              reason);
    if (e != ERR_OK)
        return e;
    e = read_policy(message, out, reason);
    if (e != ERR_OK)
        return e;
    *reason = "seat";
    e = read_seat(api_request_field(message, "seat"), out, reason);
    if (e != ERR_OK)
        return e;
    *reason = "from";
    return api_request_read_from(api_request_field(message, "from"), out);
}

/* Lists. */

struct listing {
    struct api *api;
    struct api_list *list;
    struct writer *writer;
};

static bool is_before(const struct api_list *list, int64_t ms, uint64_t table) {
    if (!list->has_before)
        return true;
    return ms < list->before_ms || (ms == list->before_ms && table < list->before_table);
}

static bool list_is_full(struct api_list *list) {
    list->has_more = list->has_more || list->count == list->limit;
    return list->has_more;
}

bool api_list_add(struct api_list *list, const struct snapshot *s, uint32_t watch_delay_ms, int64_t ms,
                  struct writer *w) {
    if (list_is_full(list))
        return false;
    list->count++;
    list->last_ms = ms;
    list->last_table = s->table;
    writer_object_begin(w, NULL);
    api_write_summary(w, s, watch_delay_ms);
    writer_object_end(w);
    return true;
}

void api_list_write_next(struct writer *w, const struct api_list *list) {
    char next[64], code[TABLE_CODE_CHARS + 1];
    if (!list->has_more) {
        writer_null(w, "next");
        return;
    }
    table_code_format(list->last_table, code);
    snprintf(next, sizeof next, "%" PRId64 "-%s", list->last_ms, code);
    writer_text(w, "next", span_of(next));
}

static bool list_table(void *context, struct table *table) {
    struct listing *l = context;
    const struct api_list *list = l->list;
    struct snapshot s;
    if ((list->game != NULL && table_game(table) != list->game) ||
        (list->state != 0 && (list->state == 'o') != (table_free_seats(table) > 0)) ||
        !is_before(list, table_created_ms(table), table_id(table)))
        return true;
    if (list_is_full(l->list))
        return false;
    uint32_t watch_delay_ms;
    if (api_snapshot_public(l->api, table, &s, &watch_delay_ms))
        api_list_add(l->list, &s, watch_delay_ms, s.made_ms, l->writer);
    return true;
}

void api_write_list(struct api *api, struct api_list *list, struct writer *w) {
    struct listing listing = {api, list, w};
    lounge_list(api->lounge, list_table, &listing);
}
