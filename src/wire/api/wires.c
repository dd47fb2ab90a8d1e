/* More about what the inspector records: what a client could have done when it was refused, and recording
 * that begins at a table that was opened without it. */
#include "wire/api/asking.h"

/* The owner of the table of the path, or whoever has the token of the inspector. False, and it is answered,
 * when the asker is neither. */
static bool wires_owner(const struct asking *a, struct api_scene *scene) {
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, scene);
    if (e == ERR_OK && !api_is_owner(a->api, &scene->snapshot, &a->asker))
        e = ERR_TOKEN_UNKNOWN;
    if (e != ERR_OK)
        asking_refuse(a, e, NULL);
    return e == ERR_OK;
}

struct wires_search {
    uint64_t number;
    bool is_found;
    struct inspector_message message; /* its texts are not to be looked at */
};

static bool wires_found(void *context, const struct inspector_message *message) {
    struct wires_search *search = context;
    search->is_found = message->number == search->number;
    search->message = *message;
    return false;
}

/* The position in which a message was heard, with the eyes of who said it. */
static enum err wires_scene(const struct asking *a, const struct inspector_message *message,
                            struct api_scene *out) {
    if (!api_is_operator(a->api, &a->asker) && api_wire_hides(a->api, a->table, message))
        return ERR_NOT_ALLOWED;
    if (message->version == 0)
        return ERR_VERSION_UNKNOWN;
    return api_scene_set(a->api, a->table, message->version, message->seat, out);
}

void wires_legal(const struct asking *a) {
    struct api_scene scene;
    int64_t number;
    struct wires_search search = {0};
    if (!wires_owner(a, &scene))
        return;
    if (span_to_int(a->piece[5], &number) && number > 0) {
        search.number = (uint64_t)number;
        inspector_read(a->api->config.inspector, a->table, search.number, wires_found, &search);
    }
    if (!search.is_found) {
        asking_refuse_as(a, api_wire_unknown);
        return;
    }
    enum err e = wires_scene(a, &search.message, &scene);
    if (e != ERR_OK) {
        asking_refuse(a, e, NULL);
        return;
    }
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_int(&w, "n", number);
    writer_int(&w, "version", (int64_t)search.message.version);
    api_write_moves(&w, &scene.snapshot, search.message.seat, &a->api->rng);
    writer_object_end(&w);
    asking_done(a, 200);
}

void wires_record(const struct asking *a) {
    struct api_scene scene;
    if (!wires_owner(a, &scene))
        return;
    if (scene.is_over_now) {
        asking_refuse(a, ERR_TABLE_OVER, NULL);
        return;
    }
    inspector_enable(a->api->config.inspector, a->table);
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_bool(&w, "inspect", true);
    writer_object_end(&w);
    asking_done(a, 200);
    api_publish(a->api, a->table);
}
