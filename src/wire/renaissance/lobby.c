/* Who is who on the port of Masters of Renaissance, and how tables come to be and go: logins, those who wait,
 * tables that fill up seat by seat, absence, and what a restart has brought back. */
#include "wire/renaissance/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <utlist.h>

/* When a table that is to be given up is busy, it is looked at again. */
enum { RETRY_MS = 1000 };

struct renaissance_player *renaissance_player_find(struct renaissance_port *p, struct span name) {
    struct renaissance_player *player = NULL;
    HASH_FIND(by_name, p->by_name, name.data, name.size, player);
    return player;
}

/* Unless the name is in use: somebody who sits down through another protocol may have any. */
static void player_name(struct renaissance_port *p, struct renaissance_player *player) {
    struct span name = span_of(player->name);
    player->is_named = renaissance_player_find(p, name) == NULL;
    if (player->is_named)
        HASH_ADD_KEYPTR(by_name, p->by_name, player->name, name.size, player);
}

static struct renaissance_player *player_create(struct renaissance_port *p, struct span name) {
    struct renaissance_player *player = mem_alloc(sizeof *player);
    memcpy(player->name, name.data, name.size);
    player_name(p, player);
    p->player_count++;
    return player;
}

void renaissance_player_unname(struct renaissance_port *p, struct renaissance_player *player) {
    if (player->is_named)
        HASH_DELETE(by_name, p->by_name, player);
    player->is_named = false;
}

void renaissance_player_free(struct renaissance_port *p, struct renaissance_player *player) {
    renaissance_player_unname(p, player);
    p->player_count--;
    mem_free(player);
}

static struct renaissance_table *table_add(struct renaissance_port *p, struct table *table) {
    struct renaissance_table *t = mem_alloc(sizeof *t);
    struct table_listener listener = renaissance_listener;
    t->port = p;
    t->table = table;
    t->turn_mover = SEAT_CHANCE;
    listener.context = t;
    table_listen(table, &listener);
    DL_APPEND(p->tables, t);
    p->table_count++;
    return t;
}

void renaissance_table_free(struct renaissance_table *t) {
    struct renaissance_port *p = t->port;
    static const struct table_listener nobody;
    for (unsigned seat = 0; seat < RENAISSANCE_SEATS_MAX; seat++)
        if (t->players[seat] != NULL)
            renaissance_player_free(p, t->players[seat]);
    timers_stop(&p->timers, &t->timer);
    timers_stop(&p->timers, &t->return_timer);
    DL_DELETE(p->tables, t);
    p->table_count -= !t->is_over;
    table_listen(t->table, &nobody);
    table_close(t->table);
    mem_free(t);
}

static bool is_anybody_online(const struct renaissance_table *t) {
    for (unsigned seat = 0; seat < table_options(t->table)->seat_count; seat++)
        if (table_is_online(t->table, seat))
            return true;
    return false;
}

/* Tolerance 29: nobody has come back. */
static void keep_due(struct timer *timer, uint64_t now_ms) {
    struct renaissance_table *t = TIMER_OWNER(timer, struct renaissance_table, timer);
    t->port->now_ms = now_ms;
    if (is_anybody_online(t))
        return;
    enum err e = table_abandon(t->table);
    if (e == ERR_BUSY)
        timers_arm(&t->port->timers, &t->timer, now_ms + RETRY_MS, keep_due);
}

void renaissance_watch_empty(struct renaissance_table *t) {
    struct renaissance_port *p = t->port;
    if (t->is_over)
        return;
    if (is_anybody_online(t))
        timers_stop(&p->timers, &t->timer);
    else
        timers_arm(&p->timers, &t->timer, p->now_ms + p->config.keep_ms, keep_due);
}

/* The time to come back after a restart is up. */
static void return_due(struct timer *timer, uint64_t now_ms) {
    struct renaissance_table *t = TIMER_OWNER(timer, struct renaissance_table, return_timer);
    t->port->now_ms = now_ms;
    for (unsigned seat = 0; seat < table_options(t->table)->seat_count && !t->is_over; seat++)
        if (!t->players[seat]->is_elsewhere && t->players[seat]->session == NULL)
            table_attend(t->table, seat, SEAT_AWAY, now_ms);
}

void renaissance_adopt(struct renaissance_port *p, struct table *table) {
    struct renaissance_table *t = table_add(p, table);
    const struct renaissance *r = renaissance_view(t, SEAT_WATCHER);
    t->told = *r;
    t->is_begun = table_free_seats(table) == 0;
    p->has_restored = true;
    t->tells_storing = r->phase >= RENAISSANCE_STORING;
    t->is_set_up = r->phase >= RENAISSANCE_BEFORE;
    if (t->is_set_up) {
        t->turn_mover = r->mover;
        t->turn_round = r->round;
    }
    for (unsigned seat = 0; seat < r->seats; seat++) {
        const char *name = table_name(table, seat);
        if (*name == '\0')
            continue;
        struct renaissance_player *player = t->players[seat] = player_create(p, span_of(name));
        player->table = t;
        player->seat = seat;
        player->is_elsewhere = strcmp(table_note(table, seat), RENAISSANCE_SEAT_NOTE) != 0;
        player->is_told_gone = true;
        if (!t->is_begun && !player->is_elsewhere)
            renaissance_player_unname(p, player); /* it had left a table that was not full */
    }
}

void renaissance_adopted(struct renaissance_table *t) {
    struct renaissance_port *p = t->port;
    renaissance_watch_empty(t);
    if (t->is_begun)
        timers_arm(&p->timers, &t->return_timer, p->now_ms + p->config.return_ms, return_due);
    else
        renaissance_lobby_clear(t);
}

/* Everybody has left a table that was not full, and who has chosen its number is gone too: those who come
 * next choose for themselves. */
static bool is_forlorn(const struct renaissance_table *t) {
    if (t->is_begun || t->is_over || t->is_from_door || t->chooser != NULL)
        return false;
    for (unsigned seat = 0; seat < RENAISSANCE_SEATS_MAX; seat++)
        if (t->players[seat] != NULL) /* perhaps about to sit down or to get up */
            return false;
    return true;
}

static void forlorn_give_up(struct renaissance_port *p) {
    struct renaissance_table *t;
    DL_FOREACH(p->tables, t) {
        enum err e = is_forlorn(t) ? table_abandon(t->table) : ERR_OK;
        assert(e == ERR_OK || e == ERR_BUSY || e == ERR_TABLE_OVER); /* looked at again when it has settled */
    }
}

/* Those who left a table that was not full have no name here any more (tolerance 32). */
static bool has_left(const struct renaissance_player *player) {
    return player != NULL && !player->is_elsewhere && player->session == NULL && !player->is_named;
}

static bool is_name_at(const struct renaissance_table *t, const char *name) {
    for (unsigned seat = 0; seat < table_options(t->table)->seat_count; seat++)
        if (!has_left(t->players[seat]) && strcmp(table_name(t->table, seat), name) == 0)
            return true;
    return false;
}

/* A seat is free; or will be as soon as it is saved that its player has left, and somebody stays. */
static bool has_room(const struct renaissance_table *t) {
    unsigned left = 0, seats = table_options(t->table)->seat_count;
    for (unsigned seat = 0; seat < seats; seat++)
        left += has_left(t->players[seat]);
    return table_free_seats(t->table) > 0 || (left > 0 && left < seats);
}

/* A table with a seat for the first of those who wait. Somebody of the same name may have sat down there
 * through another protocol; names are keys in what is told, so the two cannot play together. */
static struct renaissance_table *table_that_fills(const struct renaissance_port *p) {
    struct renaissance_table *t;
    DL_FOREACH(p->tables, t)
    if (!t->is_begun && !t->is_over && !is_forlorn(t) && has_room(t) && !is_name_at(t, p->waiting->name))
        return t;
    return NULL;
}

/* The player has a seat, or is gone. */
static void chooser_forget(struct renaissance_port *p, const struct renaissance_player *player) {
    struct renaissance_table *t;
    DL_FOREACH(p->tables, t)
    if (t->chooser == player)
        t->chooser = NULL;
}

static unsigned seat_free(const struct renaissance_table *t) {
    unsigned seat = 0;
    while (table_name(t->table, seat)[0] != '\0')
        seat++;
    return seat;
}

/* The first of those who wait takes the first free seat. */
static void sit(struct renaissance_port *p, struct renaissance_table *t) {
    struct renaissance_player *player = p->waiting;
    struct table_guest guest = {.seat = seat_free(t),
                                .name = span_of(player->name),
                                .note = SPAN(RENAISSANCE_SEAT_NOTE),
                                .seed = span_of(player->session == NULL ? "" : player->session->seed)};
    if (table_sit(t->table, &guest, NULL, 0, p->now_ms) != ERR_OK)
        return;
    DL_DELETE(p->waiting, player);
    chooser_forget(p, player);
    player->is_asked = false;
    player->table = t;
    player->seat = guest.seat;
    t->players[guest.seat] = player;
}

/* Who keeps others waiting goes behind them. */
static void answer_due(struct timer *timer, uint64_t now_ms) {
    struct renaissance_port *p = TIMER_OWNER(timer, struct renaissance_port, answer_timer);
    struct renaissance_player *first = p->waiting;
    p->now_ms = now_ms;
    if (first == NULL || !first->is_asked)
        return;
    if (first->next == NULL) {
        timers_arm(&p->timers, timer, now_ms + p->config.answer_ms, answer_due);
        return;
    }
    first->is_asked = false;
    DL_DELETE(p->waiting, first);
    DL_APPEND(p->waiting, first);
    renaissance_write_error(&p->out, RENAISSANCE_ERROR_ACTION, ERR_ANSWER_LATE);
    renaissance_say(p, first);
    buf_clear(&p->out);
    renaissance_lobby_go_on(p);
}

void renaissance_lobby_go_on(struct renaissance_port *p) {
    struct renaissance_player *first = p->waiting;
    forlorn_give_up(p);
    if (first == NULL)
        return;
    struct renaissance_table *t = table_that_fills(p);
    if (t != NULL) {
        if (!table_is_busy(t->table) && table_free_seats(t->table) > 0)
            sit(p, t);
        return;
    }
    if (first->is_asked)
        return;
    first->is_asked = true;
    timers_arm(&p->timers, &p->answer_timer, p->now_ms + p->config.answer_ms, answer_due);
    renaissance_write_number_request(&p->out);
    renaissance_say(p, first);
    buf_clear(&p->out);
}

static enum err open_table(struct renaissance_port *p, const struct table_wish *wish, struct table **out) {
    static const struct table_listener nobody;
    if (!tables_may_open(p->config.tables, &wish->opener))
        return ERR_ADDRESS_FULL;
    if ((int64_t)p->table_count >= p->config.tables_max)
        return ERR_TOO_MANY;
    struct table_setup setup = {.id = tables_new_short(p->config.tables),
                                .game = &renaissance_game,
                                .options = wish->options,
                                .protocol = RENAISSANCE_PROTOCOL,
                                .house = wish->house,
                                .opener = wish->opener};
    enum err e = table_open(p->config.tables, &setup, &nobody, p->now_ms, out);
    if (e == ERR_OK)
        renaissance_watch_empty(table_add(p, *out));
    return e;
}

static enum err door_open(void *context, const struct table_wish *wish, uint64_t now_ms, struct table **out) {
    struct renaissance_port *p = context;
    p->now_ms = now_ms;
    enum err e = open_table(p, wish, out);
    if (e == ERR_OK)
        p->tables->prev->is_from_door = true; /* the last one */
    return e;
}

const struct table_door renaissance_door = {
    .protocol = RENAISSANCE_PROTOCOL, .game = &renaissance_game, .open = door_open};

enum err renaissance_choose_number(struct renaissance_port *p, struct renaissance_player *player,
                                   int64_t number) {
    struct table *table;
    if (number < 1 || number > RENAISSANCE_SEATS_MAX)
        return ERR_SEAT_COUNT;
    const struct table_wish wish = {.options = game_options_default(&renaissance_game, (uint32_t)number),
                                    .opener = *json_peer_address(player->session->peer)};
    enum err e = open_table(p, &wish, &table);
    if (e != ERR_OK)
        return e;
    player->is_asked = false;
    p->tables->prev->chooser = player; /* the last one */
    return ERR_OK;
}

bool renaissance_lobby_clear(struct renaissance_table *t) {
    unsigned seats = table_options(t->table)->seat_count;
    for (unsigned seat = 0; seat < seats; seat++) {
        struct renaissance_player *player = t->players[seat];
        if (!has_left(player))
            continue;
        enum err e = table_get_up(t->table, seat, t->port->now_ms);
        if (e == ERR_OK || e == ERR_BUSY)
            return true;
        /* Somebody has acted already, through another protocol: the seat is one whose player is away. */
        player_name(t->port, player);
    }
    return false;
}

void renaissance_lobby_sat(struct renaissance_table *t, unsigned seat) {
    struct renaissance_player *player = t->players[seat];
    const char *name = table_name(t->table, seat);
    if (t->is_over)
        return;
    if (*name != '\0')
        t->newest = seat;
    if (*name == '\0' && player != NULL) {
        renaissance_player_free(t->port, player);
        t->players[seat] = NULL;
    } else if (*name != '\0' && player == NULL) {
        player = t->players[seat] = player_create(t->port, span_of(name));
        player->is_elsewhere = true;
        player->table = t;
        player->seat = seat;
    }
}

static bool name_is_good(const struct renaissance_port *p, struct span name) {
    if (name.data == NULL || !utf8_is_valid(name))
        return false;
    int64_t chars = (int64_t)utf8_length(name);
    if (chars < p->config.name_chars_min || chars > p->config.name_chars_max ||
        name.size > RENAISSANCE_NAME_BYTES_MAX)
        return false;
    while (name.size > 0)
        if (utf8_is_blank(utf8_next(&name)))
            return false;
    return true;
}

static void answer_login(struct renaissance_port *p, struct renaissance_session *session, const char *name) {
    renaissance_write_username(&p->out, name);
    json_peer_send(session->peer, buf_span(&p->out));
    buf_clear(&p->out);
}

/* The seat of a table that is not full could not be left (see renaissance_lobby_clear). */
static void come_back_early(struct renaissance_port *p, struct renaissance_session *session,
                            struct renaissance_player *player) {
    player->session = session;
    session->player = player;
    answer_login(p, session, player->name);
    table_set_online(player->table->table, player->seat, true);
}

/* Tolerance 40: without a usernameResponse. */
static void come_back(struct renaissance_port *p, struct renaissance_session *session,
                      struct renaissance_player *player) {
    struct renaissance_table *t = player->table;
    player->session = session;
    session->player = player;
    player->is_returning = true;
    player->is_ending = false;
    player->chosen = 0;
    table_set_online(t->table, player->seat, true);
    table_attend(t->table, player->seat, SEAT_BACK, p->now_ms);
    renaissance_complete_return(player);
}

/* Whoever comes back after the end is told how it ended; the login is that of a new player then. */
static void come_late(struct renaissance_port *p, struct renaissance_session *session, struct span name) {
    if (farewells_take(&p->farewells, name, p->now_ms, &p->out))
        json_peer_send_lines(session->peer, buf_span(&p->out));
    buf_clear(&p->out);
}

static bool is_session(const struct json_peer *peer, const void *session) {
    return json_peer_session(peer) == session;
}

void renaissance_login(struct renaissance_port *p, struct renaissance_session *session, struct span name) {
    struct renaissance_player *player = name_is_good(p, name) ? renaissance_player_find(p, name) : NULL;
    if (player != NULL && player->session != NULL &&
        json_port_release(p->json, is_session, player->session, p->now_ms))
        player = renaissance_player_find(p, name);
    if (player != NULL && player->session == NULL && !player->is_elsewhere) {
        if (player->table->is_begun)
            come_back(p, session, player);
        else
            come_back_early(p, session, player);
        return;
    }
    if (player == NULL && name_is_good(p, name))
        come_late(p, session, name);
    if (player != NULL || !name_is_good(p, name) || p->player_count >= p->config.players_max) {
        answer_login(p, session, NULL);
        return;
    }
    player = player_create(p, name);
    player->session = session;
    session->player = player;
    DL_APPEND(p->waiting, player);
    answer_login(p, session, player->name);
    renaissance_lobby_go_on(p);
}

void renaissance_leave(struct renaissance_port *p, struct renaissance_player *player) {
    struct renaissance_table *t = player->table;
    player->session = NULL;
    player->is_returning = false;
    if (t == NULL) {
        DL_DELETE(p->waiting, player);
        chooser_forget(p, player);
        renaissance_player_free(p, player);
        renaissance_lobby_go_on(p);
    } else if (!t->is_begun) {
        renaissance_player_unname(p, player);
        table_set_online(t->table, player->seat, false);
        renaissance_lobby_clear(t);
    } else {
        t->owes_empty &= ~SEAT_BIT(player->seat);
        player->prompted = PROMPT_NOTHING;
        table_set_online(t->table, player->seat, false);
        table_attend(t->table, player->seat, SEAT_AWAY, p->now_ms);
        if (!table_is_busy(t->table))
            renaissance_go_on(t);
    }
}
