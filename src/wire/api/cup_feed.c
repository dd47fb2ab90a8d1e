/* Who is told over WebSocket that a championship has changed. The message is short, whatever its size: who
 * wants to know more asks for it. Nothing is queued for a link that is full: it is told the newest when there
 * is room. */
#include "wire/api/asking.h"
#include "wire/api/cup_json.h"
#include "wire/api/internal.h"

/* Beside the id of a championship that a socket watches: it was not told of the last change. */
static const uint64_t cup_feed_missed = (uint64_t)1 << 63;
_Static_assert(TABLE_ID_BITS < 63, "an id has room for a mark");

bool api_cup_watch(struct api_socket *s, uint64_t cup) {
    uint64_t *watched = api_socket_cups(s);
    api_cup_unwatch(s, cup);
    for (size_t i = 0; i < API_CUPS_MAX; i++)
        if (watched[i] == 0) {
            watched[i] = cup;
            return true;
        }
    return false;
}

void api_cup_unwatch(struct api_socket *s, uint64_t cup) {
    uint64_t *watched = api_socket_cups(s);
    for (size_t i = 0; i < API_CUPS_MAX; i++)
        if ((watched[i] & ~cup_feed_missed) == cup)
            watched[i] = 0;
}

void api_cup_message(struct api *api, const struct cup_fold *f, const char *id) {
    struct writer w = api_message(api, "championship", id);
    writer_object_begin(&w, "championship");
    api_write_cup_summary(&w, f);
    writer_object_end(&w);
    writer_object_end(&w);
}

void api_cup_changed(void *context, const struct cup_fold *f) {
    struct api *api = context;
    bool is_written = false;
    cup_file_changed(api);
    for (struct api_socket *s = api->sockets; s != NULL; s = api_socket_next(s)) {
        uint64_t *watched = api_socket_cups(s);
        for (size_t i = 0; i < API_CUPS_MAX; i++) {
            if ((watched[i] & ~cup_feed_missed) != f->id)
                continue;
            watched[i] = f->id | (api_socket_is_full(s) ? cup_feed_missed : 0);
            if (watched[i] != f->id)
                continue;
            if (!is_written)
                api_cup_message(api, f, NULL);
            is_written = true;
            api_socket_send(s, buf_span(&api->out));
        }
    }
}

void api_cups_catch_up(struct api_socket *s) {
    struct api *api = api_socket_api(s);
    uint64_t *watched = api_socket_cups(s);
    for (size_t i = 0; i < API_CUPS_MAX; i++) {
        const struct cup_fold *f = NULL;
        if ((watched[i] & cup_feed_missed) == 0 || api_socket_is_full(s))
            continue;
        watched[i] &= ~cup_feed_missed;
        f = cups_of(api->cups, watched[i]);
        if (f == NULL)
            continue;
        api_cup_message(api, f, NULL);
        api_socket_send(s, buf_span(&api->out));
    }
}
