/* The list of championships, and those of the Universal Game System; the others are in cup_route.c. */
#include "base/mem.h"
#include "host/championship/championship.h"
#include "wire/api/asking.h"
#include "wire/api/cup_json.h"

#include <stdio.h>
#include <utlist.h>

/* False, and it is answered, when another node has the hall, or nobody. */
static bool championships_are_here(const struct asking *a) {
    const struct hall_desk *desk = a->api->config.desk;
    bool is_elsewhere = desk != NULL && desk->hall == NULL && desk->is_elsewhere;
    if (desk != NULL && desk->hall != NULL)
        return true;
    asking_refuse_as(a, is_elsewhere ? api_hall_elsewhere : api_hall_nowhere);
    return false;
}

/* Those of the hall, where it is, then the others, newest first. */
void championships_list(const struct asking *a) {
    const struct hall_desk *desk = a->api->config.desk;
    struct hall_championship c;
    const struct cup_fold *f;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    writer_list_begin(&w, "championships");
    for (size_t i = 0; desk != NULL && desk->hall != NULL && hall_championship_at(desk->hall, i, &c); i++) {
        writer_object_begin(&w, NULL);
        api_write_championship(&w, desk->hall, i);
        writer_object_end(&w);
    }
    for (size_t i = 0; (f = cups_at(a->api->cups, i)) != NULL; i++) {
        writer_object_begin(&w, NULL);
        api_write_cup_row(&w, a->api->cups, f);
        writer_object_end(&w);
    }
    writer_list_end(&w);
    if (desk != NULL && desk->is_elsewhere)
        writer_bool(&w, "hall_elsewhere", true);
    writer_object_end(&w);
    asking_done(a, 200);
}

/* The championship is on disk. */
static void championships_opened(void *context, const struct hall *hall, size_t index) {
    struct api_ticket *t = context;
    struct api *api = t->api;
    if (!api->is_ending) {
        struct writer w = asking_writer(api);
        writer_object_begin(&w, NULL);
        api_write_championship(&w, hall, index);
        writer_object_end(&w);
        asking_answer(api, t->exchange, t->accepts_gzip, 201);
    }
    DL_DELETE(api->openings, t);
    mem_free(t);
}

static void championships_put_off(void *context, bool is_undone) {
    struct api_ticket *t = context;
    struct api *api = t->api;
    if (!api->is_ending)
        asking_answer_problem(
            api, t->exchange,
            &(struct api_refusal){.why = ERR_BUSY,
                                  .reason = is_undone ? api_not_saved.sentence : api_perhaps_saved.sentence});
    DL_DELETE(api->openings, t);
    mem_free(t);
}

static void championships_refuse(const struct asking *a, enum err e) {
    char reason[ASKING_REASON_BYTES_MAX];
    bool is_field = e == ERR_FIELD_MISSING || e == ERR_FIELD_INVALID;
    snprintf(reason, sizeof reason, API_CHAMPIONSHIP_INVALID, CHAMPIONSHIP_ENTRANTS_MIN,
             CHAMPIONSHIP_ENTRANTS_MAX);
    asking_refuse(a, e, is_field ? reason : NULL);
}

static void championships_open_hall(const struct asking *a, const json_t *message) {
    int64_t players = 0;
    struct span type = json_text(message, "type");
    enum err e = ERR_FIELD_MISSING;
    if (!championships_are_here(a))
        return;
    if (type.size > 0 && !hall_may_enter(a->api->config.desk->hall, type)) {
        asking_refuse(a, ERR_FIELD_INVALID, API_CHAMPIONSHIP_FOREIGN);
        return;
    }
    if (type.data != NULL && json_plain_int(message, "players", &players)) {
        struct api_ticket *t = asking_ticket(a, API_REPLY_TABLE);
        DL_APPEND(a->api->openings, t);
        e = hall_open_championship(
            a->api->config.desk->hall, type, players,
            &(struct hall_opening){t, championships_opened, championships_put_off, a->request->address},
            a->now_ms);
        if (e != ERR_OK) {
            DL_DELETE(a->api->openings, t);
            mem_free(t);
        }
    }
    if (e != ERR_OK)
        championships_refuse(a, e);
}

/* One with a format is a cup. */
void championships_open(const struct asking *a) {
    json_t *message = asking_body(a);
    if (message == NULL)
        return;
    if (json_has(message, "format"))
        cup_route_open(a, message);
    else
        championships_open_hall(a, message);
    json_decref(message);
}
