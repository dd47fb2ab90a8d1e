/* What bots say to people about a table: a hint, and the values of positions. Separate from route.c because
 * the answer comes when a bot has thought, on the thinker's threads: the loop only makes the views. Only for
 * tables at which nobody but bots of this server plays against the asker, so that nobody is beaten by a hint.
 */
#include "base/mem.h"
#include "wire/api/asking.h"

#include <utlist.h>

enum {
    ADVICE_MAX = 64,           /* of all askers, that are being thought about */
    ADVICE_OF_ADDRESS_MAX = 4, /* of one of them */
    ADVICE_VALUES_MAX = 32,    /* versions in one answer */
};

struct advice_position {
    uint64_t version;
    unsigned seat;
    struct game_view *view; /* owned */
    int32_t value;
};

struct advice {
    struct advice *prev, *next;
    struct api *api; /* NULL: nobody will be answered */
    struct http_exchange *exchange;
    bool accepts_gzip;
    uint64_t table;
    uint64_t next_version; /* the first that was not asked for; 0: there is none */
    struct thinker_job job;
    struct bot_thought thought; /* of a hint */
    size_t count, at;
    struct advice_position positions[ADVICE_VALUES_MAX];
};

static void advice_free(struct advice *v) {
    for (size_t i = 0; i < v->count; i++)
        mem_free(v->positions[i].view);
    mem_free(v);
}

/* Whether nobody but bots of ours plays against whoever has this seat; SEAT_WATCHER: against one person. */
static bool advice_is_fair(const struct snapshot *s, unsigned own) {
    unsigned people = 0;
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        people += s->faces[seat].level == 0 && seat != own;
    return people <= (own == SEAT_WATCHER);
}

/* Whether bots have time for one more; otherwise it is answered. */
static bool advice_has_room(const struct asking *a) {
    struct advice *v;
    size_t all = 0, own = 0;
    DL_FOREACH(a->api->advices, v) {
        all++;
        own +=
            !address_is_nobody(&a->request->address) && address_equal(&v->job.address, &a->request->address);
    }
    if (own >= ADVICE_OF_ADDRESS_MAX)
        asking_refuse_as(a, api_advice_yours);
    else if (all >= ADVICE_MAX)
        asking_refuse_as(a, api_advice_many);
    return own < ADVICE_OF_ADDRESS_MAX && all < ADVICE_MAX;
}

static struct advice *advice_make(const struct asking *a, const struct game *game, enum thinker_wish wish) {
    struct advice *v = mem_alloc(sizeof *v);
    v->api = a->api;
    v->exchange = a->exchange;
    v->accepts_gzip = a->request->accepts_gzip;
    v->table = a->table;
    v->job = (struct thinker_job){.game = game,
                                  .wish = wish,
                                  .level = BOT_LEVEL_DEFAULT,
                                  .context = v,
                                  .address = a->request->address,
                                  .is_awaited = wish == THINKER_ADVISES};
    DL_APPEND(a->api->advices, v);
    return v;
}

static void advice_add(struct advice *v, const struct snapshot *s, unsigned seat) {
    v->positions[v->count++] =
        (struct advice_position){.version = s->version, .seat = seat, .view = snapshot_view(s, seat)};
}

/* What the bot knows of its reasons. */
static void advice_write_why(const struct advice *v, struct writer *w) {
    const struct advice_position *p = &v->positions[0];
    char texts[BOT_LINE_MAX][ACTION_TEXT_BYTES_MAX];
    size_t count = bot_line_format(v->job.game, p->view, p->seat, &v->thought, texts);
    writer_object_begin(w, "why");
    writer_int(w, "nodes", (int64_t)v->thought.nodes);
    writer_int(w, "visits", (int64_t)v->thought.visits);
    writer_int(w, "depth", v->thought.depth);
    if (v->thought.has_value)
        writer_int(w, "value", v->thought.value);
    else
        writer_null(w, "value");
    writer_list_begin(w, "line");
    for (size_t i = 0; i < count; i++) {
        writer_object_begin(w, NULL);
        writer_int(w, "seat", v->thought.line[i].seat);
        writer_text(w, "action", span_of(texts[i]));
        writer_object_end(w);
    }
    writer_list_end(w);
    writer_object_end(w);
}

static void advice_write_hint(const struct advice *v, struct writer *w) {
    const struct advice_position *p = &v->positions[0];
    char text[ACTION_TEXT_BYTES_MAX];
    bot_action_format(v->job.game, p->view, p->seat, &v->job.action, text);
    writer_int(w, "version", (int64_t)p->version);
    writer_int(w, "seat", p->seat);
    writer_int(w, "level", v->job.level);
    writer_text(w, "action", span_of(text));
    advice_write_why(v, w);
}

static void advice_write_values(const struct advice *v, struct writer *w) {
    writer_list_begin(w, "values");
    for (size_t i = 0; i < v->count; i++) {
        writer_object_begin(w, NULL);
        writer_int(w, "version", (int64_t)v->positions[i].version);
        writer_int(w, "seat", v->positions[i].seat);
        writer_int(w, "value", v->positions[i].value);
        writer_object_end(w);
    }
    writer_list_end(w);
    if (v->next_version != 0)
        writer_int(w, "next", (int64_t)v->next_version);
    else
        writer_null(w, "next");
}

static void advice_answer(struct advice *v) {
    struct api *api = v->api;
    struct writer w = asking_writer(api);
    DL_DELETE(api->advices, v);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", v->table);
    if (v->job.wish == THINKER_ADVISES)
        advice_write_hint(v, &w);
    else
        advice_write_values(v, &w);
    writer_object_end(&w);
    asking_answer(api, v->exchange, v->accepts_gzip, 200);
    advice_free(v);
}

static void advice_think(struct advice *);

static void advice_thought(struct thinker_job *job) {
    struct advice *v = job->context;
    if (v->api == NULL) {
        advice_free(v);
        return;
    }
    if (job->is_cancelled) {
        DL_DELETE(v->api->advices, v);
        asking_answer_problem(v->api, v->exchange, &(struct api_refusal){.why = ERR_CLOSED});
        advice_free(v);
        return;
    }
    v->positions[v->at++].value = job->value;
    if (v->at < v->count)
        advice_think(v);
    else
        advice_answer(v);
}

/* The same position is always thought about in the same way, so whoever asks again is told the same. */
static void advice_think(struct advice *v) {
    const struct advice_position *p = &v->positions[v->at];
    v->job.seat = p->seat;
    v->job.view = p->view;
    v->job.done = advice_thought;
    rng_seed(&v->job.rng, v->table + p->version);
    thinker_submit(v->api->config.lounge.thinker, &v->job);
}

/* As good as the best bot at the table, and no worse than the usual one. */
static unsigned advice_level(const struct snapshot *s) {
    unsigned level = BOT_LEVEL_DEFAULT;
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        level = s->faces[seat].level > level ? s->faces[seat].level : level;
    return level;
}

static void advice_hint_after(const struct asking *a, struct api_scene *scene, json_t *message) {
    unsigned seat = scene->sight.seat, level = advice_level(&scene->snapshot);
    struct trial trial;
    struct rng rng;
    struct api_refusal refusal;
    if (!json_has(message, "actions"))
        json_object_set_new(message, "actions", json_array());
    if (api_try_play(a->api, scene, message, &rng, &trial, &refusal) != ERR_OK) {
        asking_answer_problem(a->api, a->exchange, &refusal);
        return;
    }
    if (trial.is_unknown) {
        asking_refuse(a, ERR_OUTCOME_UNKNOWN, NULL);
    } else if ((snapshot_turn(&scene->snapshot) & SEAT_BIT(seat)) == 0) {
        asking_refuse(a, ERR_NOT_YOUR_TURN, NULL);
    } else {
        struct advice *v = advice_make(a, scene->snapshot.game, THINKER_ADVISES);
        v->job.level = level;
        v->job.thought = &v->thought;
        advice_add(v, &scene->snapshot, seat);
        advice_think(v);
    }
    snapshot_end(&scene->snapshot);
}

void advice_hint(const struct asking *a) {
    struct api_scene scene;
    if (!asking_player(a, &scene))
        return;
    lounge_seen(a->api->lounge, a->table, scene.sight.seat, a->now_ms);
    if (!advice_is_fair(&scene.snapshot, scene.sight.seat)) {
        asking_refuse(a, ERR_ADVICE_REFUSED, NULL);
        return;
    }
    json_t *message = advice_has_room(a) ? asking_body(a) : NULL;
    if (message == NULL)
        return;
    advice_hint_after(a, &scene, message);
    json_decref(message);
}

/* Positions at which a seat is to act, of so many versions. */
static enum err advice_gather(const struct asking *a, struct advice *v, uint64_t from, uint64_t end) {
    for (uint64_t version = from; version < end; version++) {
        struct api_scene scene;
        enum err e = api_scene_set(a->api, a->table, version, SEAT_WATCHER, &scene);
        if (e != ERR_OK)
            return e;
        seat_set turn = scene.snapshot.free_seats > 0 ? 0 : snapshot_turn(&scene.snapshot);
        if (turn != 0)
            advice_add(v, &scene.snapshot, (unsigned)__builtin_ctz(turn));
    }
    return ERR_OK;
}

void advice_values(const struct asking *a) {
    struct api_scene scene;
    int64_t from = 1, limit = ADVICE_VALUES_MAX;
    bool is_read = asking_number(a, "from", 1, INT32_MAX, &from) &&
                   asking_number(a, "limit", 1, ADVICE_VALUES_MAX, &limit);
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, &scene);
    if (e == ERR_OK && !scene.is_over_now)
        e = ERR_TABLE_RUNS;
    if (e == ERR_OK && !advice_is_fair(&scene.snapshot, SEAT_WATCHER))
        e = ERR_ADVICE_REFUSED;
    if (e == ERR_OK && !is_read)
        e = ERR_FIELD_INVALID;
    if (e != ERR_OK) {
        asking_refuse(a, e, e == ERR_FIELD_INVALID ? api_values_invalid.sentence : NULL);
        return;
    }
    if (!advice_has_room(a))
        return;
    uint64_t last = scene.snapshot.version, end = (uint64_t)(from + limit);
    struct advice *v = advice_make(a, scene.snapshot.game, THINKER_VALUES);
    v->next_version = end <= last ? end : 0;
    e = advice_gather(a, v, (uint64_t)from, end <= last ? end : last + 1);
    if (e != ERR_OK) {
        DL_DELETE(a->api->advices, v);
        advice_free(v);
        asking_refuse(a, e, NULL);
    } else if (v->count == 0) {
        advice_answer(v);
    } else {
        advice_think(v);
    }
}

void advices_end(struct api *api) {
    struct advice *v, *next;
    DL_FOREACH_SAFE(api->advices, v, next) {
        DL_DELETE(api->advices, v);
        v->api = NULL; /* freed when the bot has thought */
    }
}
