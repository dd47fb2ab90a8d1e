/* Players who are gone: who they are, and what the others may do about it. */
#include "wire/api/asking.h"

void claims_list(const struct asking *a) {
    struct api_scene scene;
    struct lounge_absence absence;
    if (!asking_player(a, &scene))
        return;
    unsigned seat_count = scene.snapshot.options->seat_count;
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_list_begin(&w, "seats");
    for (unsigned seat = 0; seat < seat_count; seat++) {
        if (seat == scene.sight.seat || !lounge_absent(a->api->lounge, a->table, seat, &absence, a->now_ms))
            continue;
        writer_object_begin(&w, NULL);
        writer_int(&w, "seat", seat);
        writer_int(&w, "in_ms", (int64_t)absence.left_ms);
        if (absence.bot_level == 0)
            writer_null(&w, "bot");
        else
            writer_int(&w, "bot", absence.bot_level);
        writer_object_end(&w);
    }
    writer_list_end(&w);
    writer_object_end(&w);
    asking_done(a, 200);
}

void claims_take(const struct asking *a) {
    struct api_scene scene;
    int64_t seat, level = 0;
    if (!asking_player(a, &scene))
        return;
    json_t *message = asking_body(a);
    if (message == NULL)
        return;
    if (!json_has(message, "seat"))
        asking_refuse_as(a, api_claim_seat_missing);
    else if (!json_plain_int(message, "seat", &seat) || seat < 0 ||
             seat >= scene.snapshot.options->seat_count || seat == scene.sight.seat ||
             (json_has(message, "bot") &&
              (!json_plain_int(message, "bot", &level) || level < BOT_LEVEL_MIN || level > BOT_LEVEL_MAX)))
        asking_refuse_as(a, api_claim_invalid);
    else
        lounge_claim(a->api->lounge, a->table, scene.sight.seat, (unsigned)seat, (unsigned)level,
                     asking_ticket(a, API_REPLY_VERSION), a->now_ms);
    json_decref(message);
}
