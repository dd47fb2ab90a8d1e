/* Who is told what over WebSocket: watchers of tables, of the lobby and of the inspector. A message is
 * written once for all who see the same. Whoever reads too slowly is not told, and learns the newest when
 * there is room again: nothing is kept for anybody. */
#include "base/limit.h"
#include "base/mem.h"
#include "wire/api/past.h"

#include <assert.h>
#include <stddef.h>
#include <utlist.h>

/* A table that somebody watches. */
struct api_feed {
    struct api *api;
    uint64_t table;
    UT_hash_handle by_table;
    struct table_watch *watch;
    struct api_sub *subs;
    size_t sub_count;
    struct buf
        events[VIEWERS];     /* since the last message, as items of a list; only for viewers that are there */
    uint32_t watch_delay_ms; /* those without a seat are late by this */
    struct timer due;        /* of the next event that they have not been shown */
    bool has_sat;            /* since the last message */
    struct past_wait wait;   /* for what they are to be told, */
    bool waits;              /* which is lacking */
    bool owes_change;        /* since it is */
    bool is_closing;         /* the table is gone; those who are late have yet to be told how it ended */
};

enum { FEED_RETRY_MS = 1000 }; /* after so long it is tried again to read what could not be read */

/* Does not see what happens when it happens. */
static bool is_late(const struct api_sub *sub) {
    return sub->sight.seat == SEAT_WATCHER && sub->feed->watch_delay_ms > 0;
}

static void feed_free(struct api_feed *feed) {
    HASH_DELETE(by_table, feed->api->feeds, feed);
    timers_stop(&feed->api->timers, &feed->due);
    if (feed->waits)
        past_wait_end(&feed->wait);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++)
        buf_free(&feed->events[viewer]);
    mem_free(feed);
}

static void sub_free(struct api_sub *sub) {
    struct api_sub **own = api_socket_subs(sub->socket);
    DL_DELETE2(*own, sub, own_prev, own_next);
    DL_DELETE(sub->feed->subs, sub);
    sub->feed->sub_count--;
    mem_free(sub);
}

struct api_sub *api_sub_find(struct api_socket *socket, uint64_t table) {
    struct api_sub *sub;
    for (sub = *api_socket_subs(socket); sub != NULL; sub = sub->own_next)
        if (sub->feed->table == table)
            return sub;
    return NULL;
}

void api_unwatch(struct api_sub *sub) {
    struct api_feed *feed = sub->feed;
    struct api *api = feed->api;
    unsigned seat = sub->sight.seat;
    uint64_t table = feed->table;
    sub_free(sub);
    if (feed->sub_count == 0) {
        if (!feed->is_closing)
            table_unwatch(feed->watch);
        feed_free(feed);
    }
    if (seat != SEAT_WATCHER && !api->is_ending)
        lounge_attach(api->lounge, table, seat, false, api->now_ms);
}

static bool has_viewer(const struct api_feed *feed, unsigned viewer) {
    const struct api_sub *sub;
    DL_FOREACH(feed->subs, sub)
    if (sub->sight.viewer == viewer && !is_late(sub))
        return true;
    return false;
}

/* A listener as a seat that is free again is a watcher from now on: the next player of the seat has
 * secrets of its own. */
static void feed_free_seat(struct api_feed *feed, const struct event *event) {
    struct event_seat seat;
    struct api_sub *sub;
    if (event->kind != EVENT_SEAT || event_seat_read(event->body, &seat) != ERR_OK || seat.name[0] != '\0')
        return;
    DL_FOREACH(feed->subs, sub)
    if (sub->sight.seat == seat.seat)
        sub->sight = (struct api_sight){SEAT_WATCHER, SEAT_WATCHER};
}

static void feed_happened(void *context, struct table *table, const struct record *record) {
    struct api_feed *feed = context;
    (void)table;
    feed_free_seat(feed, record->event);
    if (feed->watch_delay_ms > 0) { /* those who are late will ask for it */
        history_tell(feed->api->late, feed->table, record->event);
        history_tell(feed->api->history, feed->table, record->event);
    }
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (!has_viewer(feed, viewer))
            continue;
        struct writer w;
        if (feed->events[viewer].size > 0)
            buf_append_byte(&feed->events[viewer], ',');
        writer_init(&w, WRITER_JSON, &feed->events[viewer]);
        record_write(&w, NULL, record, viewer);
    }
}

/* The scene, with what has happened as items of a list. */
static void table_message(struct api *api, const struct api_scene *scene, struct span events, bool is_gap) {
    struct writer w = api_message(api, "table", NULL);
    api_scene_write(api, scene, &w);
    writer_bool(&w, "gap", is_gap);
    writer_list_begin(&w, "events");
    buf_append(&api->out, events);
    writer_list_end(&w);
    writer_object_end(&w);
}

/* The table now, as a subscriber sees it. */
static enum err scene_for(const struct api_sub *sub, struct api_scene *scene) {
    enum err e = api_scene_set(sub->feed->api, sub->feed->table, HISTORY_LAST, sub->sight.seat, scene);
    scene->sight = sub->sight;
    return e;
}

static bool is_same(const struct api_sub *a, const struct api_sub *b) {
    return a->sight.seat == b->sight.seat && a->sight.viewer == b->sight.viewer &&
           (!is_late(a) || a->version == b->version);
}

/* Sends the message to one subscriber and all after it who see the same. */
static void send_to_all(struct api_sub *first, uint64_t version) {
    const struct api_sub key = *first;
    struct api_sub *sub;
    for (sub = first; sub != NULL; sub = sub->next) {
        if (!is_same(sub, &key))
            continue;
        sub->is_told = true;
        sub->is_behind = sub->is_behind || api_socket_is_full(sub->socket);
        if (sub->is_behind)
            continue;
        sub->version = version;
        api_socket_send(sub->socket, buf_span(&sub->feed->api->out));
    }
}

static void late_due(struct timer *, uint64_t now_ms);

/* Waits for when there is more to be shown. The clock of the journal may have been set back meanwhile: then
 * it is looked at again after a delay. */
static void late_arm(struct api_feed *feed, int64_t next_ms) {
    struct api *api = feed->api;
    int64_t wait_ms = feed->watch_delay_ms;
    if (next_ms == INT64_MAX)
        return;
    next_ms -= tables_ago_ms(api->config.lounge.tables, feed->watch_delay_ms);
    wait_ms = next_ms < 1 ? 1 : next_ms < wait_ms ? next_ms : wait_ms;
    timers_arm(&api->timers, &feed->due, api->now_ms + (uint64_t)wait_ms, late_due);
}

/* What a late one has not been told yet; false when that is nothing, or too much. */
static bool late_span(const struct api_sub *sub, uint64_t version, struct api_span *out) {
    *out = (struct api_span){sub->feed->table, sub->version + 1, version, API_JOURNAL_MAX, sub->sight.viewer};
    return version > sub->version && version - sub->version <= API_JOURNAL_MAX;
}

/* The same as items of a list in brackets; false when it is too much. */
static bool late_events(const struct api_sub *sub, const struct api_scene *scene, struct buf *out) {
    struct writer w;
    struct api_span span;
    uint64_t version = scene->snapshot.version, shown;
    bool has_events = late_span(sub, version, &span);
    enum err e = ERR_OK;
    writer_init(&w, WRITER_JSON, out);
    writer_list_begin(&w, NULL);
    if (has_events)
        e = api_write_events(sub->feed->api, &span, &w, &shown);
    writer_list_end(&w);
    /* what cannot be read now is a gap */
    return e == ERR_OK && (has_events || version <= sub->version);
}

static bool late_message(const struct api_sub *sub, struct api_scene *scene) {
    struct buf events = {0};
    bool is_whole = late_events(sub, scene, &events);
    /* The past of a table that is over comes from the same history as the scene, which is gone with it. */
    bool is_there = !scene->is_over_now || scene_for(sub, scene) == ERR_OK;
    if (is_there)
        table_message(sub->feed->api, scene, span_make(events.data + 1, events.size - 2), !is_whole);
    buf_free(&events);
    return is_there;
}

static void late_publish(struct api_feed *, bool is_changed);
static void feed_end(struct api_feed *);

static void late_catch_up(struct api_feed *feed) {
    struct api_sub *sub;
    DL_FOREACH(feed->subs, sub) {
        sub->is_told = false;
        if (sub->is_behind && !api_socket_is_full(sub->socket))
            api_catch_up(sub);
    }
}

static void late_come(struct past_wait *w) {
    struct api_feed *feed = (struct api_feed *)((uintptr_t)w - offsetof(struct api_feed, wait));
    past_wait_end(w);
    feed->waits = false;
    late_catch_up(feed);
    if (!feed->waits)
        late_publish(feed, false);
    if (feed->is_closing && !feed->waits)
        feed_end(feed);
}

static void late_drop(struct past_wait *w) {
    (void)w; /* it goes with its feed */
}

static void late_wait(struct api_feed *feed) {
    if (feed->waits)
        return;
    feed->waits = true;
    feed->wait = (struct past_wait){.come = late_come, .drop = late_drop};
    past_wait_begin(feed->api, &feed->wait, NULL);
    past_wait_lacking(&feed->wait);
}

/* Whether all that those who are late are to be told is at hand. */
static bool late_is_ready(struct api_feed *feed) {
    struct api_scene scene;
    struct api_span span;
    const struct api_sub *sub;
    past_begin(feed->api);
    DL_FOREACH(feed->subs, sub) {
        if (!is_late(sub) || sub->is_behind || scene_for(sub, &scene) != ERR_OK ||
            !late_span(sub, scene.snapshot.version, &span))
            continue;
        enum err e = api_has_events(feed->api, &span);
        (void)e; /* what is lacking is noted, what cannot be read is a gap */
    }
    return !past_is_lacking(feed->api);
}

/* Tells those who are late what they may know by now: nothing at all as long as that is not more than before,
 * because that something happens is part of it. */
static void late_publish(struct api_feed *feed, bool is_changed) {
    struct api_scene scene;
    struct api_sub *sub;
    int64_t next_ms = INT64_MAX;
    feed->owes_change = feed->owes_change || is_changed;
    if (feed->waits)
        return; /* then */
    if (!late_is_ready(feed)) {
        late_wait(feed);
        return;
    }
    DL_FOREACH(feed->subs, sub) {
        if (!is_late(sub) || sub->is_told || sub->is_behind)
            continue;
        if (scene_for(sub, &scene) != ERR_OK) {
            next_ms = tables_ago_ms(feed->api->config.lounge.tables, feed->watch_delay_ms) + FEED_RETRY_MS;
            continue;
        }
        uint64_t version = scene.snapshot.version;
        next_ms = scene.next_ms;
        if ((feed->owes_change || version > sub->version) && late_message(sub, &scene))
            send_to_all(sub, version);
    }
    feed->owes_change = false;
    late_arm(feed, next_ms);
}

static void late_due(struct timer *timer, uint64_t now_ms) {
    struct api_feed *feed = TIMER_OWNER(timer, struct api_feed, due);
    struct api_sub *sub;
    feed->api->now_ms = now_ms;
    DL_FOREACH(feed->subs, sub) sub->is_told = false;
    late_publish(feed, false);
}

/* is_changed: something besides the game, which is nobody's secret. */
static void feed_publish(struct api_feed *feed, bool is_changed) {
    struct api_scene scene;
    struct api_sub *sub;
    DL_FOREACH(feed->subs, sub) sub->is_told = false;
    DL_FOREACH(feed->subs, sub) {
        if (is_late(sub) || sub->is_told || scene_for(sub, &scene) != ERR_OK)
            continue;
        uint64_t version = scene.snapshot.version;
        table_message(feed->api, &scene, buf_span(&feed->events[sub->sight.viewer]), false);
        send_to_all(sub, version);
    }
    if (feed->watch_delay_ms > 0)
        late_publish(feed, is_changed || feed->has_sat);
    feed->has_sat = false;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++)
        buf_clear(&feed->events[viewer]);
}

void api_catch_up(struct api_sub *sub) {
    struct api *api = sub->feed->api;
    struct api_scene scene;
    if (!sub->is_behind)
        return;
    past_begin(api);
    enum err e = scene_for(sub, &scene);
    if (e == ERR_LATER)
        late_wait(sub->feed);
    if (e != ERR_OK)
        return;
    sub->version = scene.snapshot.version;
    table_message(api, &scene, SPAN(""), true);
    sub->is_behind = false;
    api_socket_send(sub->socket, buf_span(&api->out));
}

void api_publish(struct api *api, uint64_t table) {
    struct api_feed *feed;
    HASH_FIND(by_table, api->feeds, &table, sizeof table, feed);
    if (feed != NULL && !feed->is_closing)
        feed_publish(feed, true);
}

static bool has_news(const struct api_feed *feed) {
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++)
        if (feed->events[viewer].size > 0)
            return true;
    return false;
}

static void feed_settled(void *context, struct table *table) {
    (void)table;
    feed_publish(context, false);
}

static void feed_sat(void *context, struct table *table, unsigned seat) {
    struct api_feed *feed = context;
    (void)table;
    (void)seat;
    feed->has_sat = true;
}

static void feed_presence(void *context, struct table *table, unsigned seat) {
    (void)table;
    (void)seat;
    feed_publish(context, true);
}

/* All who are still told that there is nothing more to come. */
static void feed_end(struct api_feed *feed) {
    struct api_sub *sub, *next;
    struct writer w = api_message(feed->api, "gone", NULL);
    api_write_code(&w, "code", feed->table);
    writer_object_end(&w);
    DL_FOREACH_SAFE(feed->subs, sub, next) {
        if (!api_socket_is_full(sub->socket))
            api_socket_send(sub->socket, buf_span(&feed->api->out));
        sub_free(sub);
    }
    feed_free(feed);
}

/* The table is not at hand any more; its journal is. Its owner may close it as soon as it is over, before
 * anybody else is told that. */
static void feed_closed(void *context, struct table *table) {
    struct api_feed *feed = context;
    (void)table;
    if (has_news(feed) || feed->watch_delay_ms > 0)
        feed_publish(feed, false);
    feed->is_closing = true;
    if (!feed->waits)
        feed_end(feed);
}

static struct api_feed *feed_get(struct api *api, uint64_t id) {
    struct api_feed *feed;
    HASH_FIND(by_table, api->feeds, &id, sizeof id, feed);
    if (feed != NULL)
        return feed->is_closing ? NULL : feed;
    struct table *table = tables_find(api->config.lounge.tables, id);
    if (table == NULL || table_state_word(table) == TABLE_OPENING)
        return NULL;
    feed = mem_alloc(sizeof *feed);
    feed->api = api;
    feed->table = id;
    feed->watch = table_watch(table, &(struct table_listener){.context = feed,
                                                              .happened = feed_happened,
                                                              .sat = feed_sat,
                                                              .settled = feed_settled,
                                                              .presence = feed_presence,
                                                              .closed = feed_closed});
    HASH_ADD(by_table, api->feeds, table, sizeof feed->table, feed);
    return feed;
}

enum err api_watch(struct api *api, struct api_socket *socket, const struct api_scene *scene) {
    uint64_t table = scene->snapshot.table;
    const struct api_sight *sight = &scene->sight;
    struct api_sub *sub = api_sub_find(socket, table), *own;
    size_t count = 0;
    if (sub != NULL)
        api_unwatch(sub);
    for (own = *api_socket_subs(socket); own != NULL; own = own->own_next)
        count++;
    if (count >= API_SUBSCRIPTIONS_MAX)
        return ERR_TOO_MANY;
    struct api_feed *feed = feed_get(api, table);
    if (feed == NULL)
        return ERR_TABLE_UNKNOWN;
    if (feed->sub_count >= api->config.watchers_max && sight->seat == SEAT_WATCHER) {
        limit_hit(LIMIT_WATCHERS, NULL);
        return ERR_TOO_MANY;
    }
    sub = mem_alloc(sizeof *sub);
    sub->socket = socket;
    sub->feed = feed;
    sub->sight = *sight;
    sub->version = scene->snapshot.version;
    feed->watch_delay_ms = scene->watch_delay_ms;
    late_arm(feed, scene->next_ms);
    DL_APPEND(feed->subs, sub);
    feed->sub_count++;
    DL_APPEND2(*api_socket_subs(socket), sub, own_prev, own_next);
    return ERR_OK;
}

void api_feeds_free(struct api *api) {
    struct api_feed *feed, *next;
    HASH_ITER(by_table, api->feeds, feed, next) {
        assert(feed->subs == NULL);
        table_unwatch(feed->watch);
        feed_free(feed);
    }
}

/* The lobby. */

/* The list of tables, written once for all who ask in a turn of the loop in which nothing changes. False when
 * journals are lacking. */
static bool lobby_look(struct api *api) {
    uint64_t change = tables_change(api->config.lounge.tables);
    struct api_list list = {.limit = API_LIST_MAX};
    struct writer w;
    if (api->lobby.size > 0 && api->lobby_ms == api->now_ms && api->lobby_change == change)
        return true;
    api->lobby_ms = api->now_ms;
    api->lobby_change = change;
    buf_clear(&api->lobby);
    writer_init(&w, WRITER_JSON, &api->lobby);
    writer_list_begin(&w, NULL);
    api_write_list(api, &list, &w);
    writer_list_end(&w);
    bool is_whole = !past_is_lacking(api);
    if (!is_whole)
        buf_clear(&api->lobby);
    return is_whole;
}

bool api_lobby_send(struct api *api, struct api_socket *socket, const char *id) {
    if (!lobby_look(api))
        return false;
    struct writer w = api_message(api, "lobby", id);
    writer_raw(&w, "tables", buf_span(&api->lobby));
    writer_object_end(&w);
    api_socket_send(socket, buf_span(&api->out));
    return true;
}

static void lobby_tell(struct api *api) {
    for (struct api_socket *s = api->sockets; s != NULL; s = api_socket_next(s)) {
        if (!api_socket_is_in_lobby(s))
            continue;
        if (api_socket_is_full(s))
            api_socket_miss_lobby(s);
        else
            api_socket_send(s, buf_span(&api->out));
    }
}

size_t api_announce(void *context, struct span text) {
    struct api *api = context;
    size_t told = 0;
    struct writer w = api_message(api, "announcement", NULL);
    writer_text(&w, "text", text);
    writer_object_end(&w);
    for (struct api_socket *s = api->sockets; s != NULL; s = api_socket_next(s)) {
        if (api_socket_is_full(s))
            continue;
        api_socket_send(s, buf_span(&api->out));
        told++;
    }
    return told;
}

/* A table that is shown with a delay, and whose journal is lacking. */
struct listed_wait {
    struct past_wait wait; /* first */
    uint64_t table;
};

static void listed_drop(struct past_wait *w) {
    mem_free(w);
}

/* It is told as it is then, if it is still in the list. */
static void listed_come(struct past_wait *w) {
    struct api *api = w->api;
    struct table *table = tables_find(api->config.lounge.tables, ((struct listed_wait *)(void *)w)->table);
    past_wait_end(w);
    mem_free(w);
    if (table != NULL && table_state_word(table) == TABLE_RUNNING)
        api_lobby_listed(api, table);
}

static void listed_put_off(struct api *api, uint64_t table) {
    struct listed_wait *l = mem_alloc(sizeof *l);
    *l = (struct listed_wait){.wait = {.come = listed_come, .drop = listed_drop}, .table = table};
    past_wait_begin(api, &l->wait, NULL);
    past_wait_lacking(&l->wait);
}

void api_lobby_listed(void *context, struct table *table) {
    struct api *api = context;
    struct snapshot s;
    uint32_t watch_delay_ms;
    if (api->sockets == NULL)
        return;
    past_begin(api);
    if (!api_snapshot_public(api, table, &s, &watch_delay_ms)) {
        if (past_is_lacking(api))
            listed_put_off(api, table_id(table));
        return;
    }
    struct writer w = api_message(api, "lobby-table", NULL);
    writer_object_begin(&w, "table");
    api_write_summary(&w, &s, watch_delay_ms);
    writer_object_end(&w);
    writer_object_end(&w);
    lobby_tell(api);
}

void api_lobby_unlisted(void *context, uint64_t table) {
    struct api *api = context;
    if (api->sockets == NULL)
        return;
    struct writer w = api_message(api, "lobby-gone", NULL);
    api_write_code(&w, "code", table);
    writer_object_end(&w);
    lobby_tell(api);
}

/* The inspector. */

struct wire_items {
    struct api *api;
    const struct api_wire *wire;
    struct writer *writer;
};

static bool wire_item(void *context, const struct inspector_message *message) {
    const struct wire_items *to = context;
    bool is_hidden = !to->wire->sees_all && api_wire_hides(to->api, to->wire->table, message);
    api_write_message(to->writer, to->wire->game, message, is_hidden);
    return true;
}

static void wire_send(struct api *api, struct api_wire *wire, const char *id) {
    struct writer w = api_message(api, "wire", id);
    struct wire_items to = {api, wire, &w};
    api_write_code(&w, "code", wire->table);
    writer_list_begin(&w, "items");
    wire->next_number = inspector_read(api->config.inspector, wire->table, wire->next_number, wire_item, &to);
    writer_list_end(&w);
    writer_object_end(&w);
    api_socket_send(wire->socket, buf_span(&api->out));
}

enum err api_wire_add(struct api *api, struct api_socket *socket, const struct api_scene *scene,
                      bool sees_all, const char *id) {
    uint64_t table = scene->snapshot.table;
    struct api_wire *wire;
    size_t count = 0;
    DL_FOREACH(api->wires, wire) {
        if (wire->socket == socket && wire->table == table)
            break;
        count += wire->socket == socket;
    }
    if (wire == NULL && count >= API_SUBSCRIPTIONS_MAX)
        return ERR_TOO_MANY;
    if (wire == NULL) {
        wire = mem_alloc(sizeof *wire);
        wire->socket = socket;
        wire->table = table;
        wire->game = scene->snapshot.game;
        DL_APPEND(api->wires, wire);
    }
    wire->sees_all = sees_all;
    wire->next_number = 1;
    wire_send(api, wire, id);
    return ERR_OK;
}

void api_wires_drop(struct api *api, const struct api_socket *socket) {
    struct api_wire *wire, *next;
    DL_FOREACH_SAFE(api->wires, wire, next) {
        if (wire->socket != socket)
            continue;
        DL_DELETE(api->wires, wire);
        mem_free(wire);
    }
}

void api_wires_catch_up(struct api *api, const struct api_socket *socket) {
    struct api_wire *wire;
    DL_FOREACH(api->wires, wire)
    if (wire->socket == socket && !api_socket_is_full(socket))
        wire_send(api, wire, NULL);
}

void api_wire_recorded(void *context, uint64_t table, const struct inspector_message *message) {
    struct api *api = context;
    struct api_wire *wire;
    (void)message;
    DL_FOREACH(api->wires, wire)
    if (wire->table == table && !api_socket_is_full(wire->socket))
        wire_send(api, wire, NULL);
}
