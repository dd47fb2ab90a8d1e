/* Masters of Renaissance for its own clients: nicknames, a line of those who wait, tables that fill up seat
 * by seat, and what clients ask. Numbers in comments are those of the tolerances in
 * docs/protocols/renaissance.md. */
#include "wire/renaissance/internal.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/table/figures.h"

#include <assert.h>
#include <utlist.h>

enum { NAME_BYTES_MAX = 4 * RENAISSANCE_NAME_CHARS_MAX };

struct renaissance_port_config renaissance_port_config_default(void) {
    return (struct renaissance_port_config){
        .ping_ms = 2000,
        .silence_ms = 5000,
        .keep_ms = 10 * 60 * 1000,
        .return_ms = 30 * 1000,
        .answer_ms = 30 * 1000,
        .java_pause_ms = 50,
        .players_max = 10000,
        .tables_max = 1000,
        .name_chars_min = 4,
        .name_chars_max = 15,
    };
}

/* Messages. */

static void say_username(struct room_member *m, const char *name) {
    renaissance_begin(m->room);
    RENAISSANCE_PUT(m->room, USERNAME, .name = name);
    renaissance_say(m);
}

static void renaissance_say_error(struct room_member *m, enum renaissance_error error, enum err why) {
    renaissance_begin(m->room);
    RENAISSANCE_PUT(m->room, ERROR, .error = error, .why = why);
    renaissance_say(m);
}

/* Refuses a message, and repeats what is asked for. Nothing has happened. */
static void renaissance_refuse(struct room_member *m, enum renaissance_error error, enum err why) {
    json_member_refused(m, why);
    renaissance_say_error(m, error, why);
    renaissance_tell_prompt(m);
}

/* The lobby. */

/* Everybody has left a table that was not full, and who has chosen its number is gone too: those who come
 * next choose for themselves. */
static bool lobby_is_forlorn(const struct room_table *rt) {
    struct room_member *m;
    if (rt->is_sitting || !room_is_forsaken(rt))
        return false;
    DL_FOREACH2(rt->room->line, m, line_next)
    if (renaissance_talk(m)->opened == rt->id)
        return false;
    return true;
}

/* A seat is free; or will be as soon as it is saved that its player has left, and somebody stays. */
static bool lobby_has_room(const struct room_table *rt) {
    unsigned left = 0, seats = room_seat_count(rt);
    for (unsigned seat = 0; seat < seats; seat++)
        left += rt->seats[seat].is_leaving;
    return table_free_seats(rt->table) > 0 || (left > 0 && left < seats);
}

/* Those who left a table that was not full have no name here any more (32). */
static bool lobby_is_name_at(const struct room_table *rt, struct span name) {
    unsigned seat = room_seat_named(rt, name);
    return seat != SEAT_WATCHER && !rt->seats[seat].is_leaving;
}

/* Who has named a table sits there alone, and nobody else where everybody must. */
static bool lobby_is_for(const struct room_table *rt, struct room_member *m) {
    uint64_t wanted = renaissance_talk(m)->wanted;
    return wanted != 0 ? rt->id == wanted : !rt->is_by_code;
}

/* A table with a seat for this member. Somebody of the same name may have sat down there through another
 * protocol; names are keys in what is told, so the two cannot play together. */
static struct room_table *lobby_table_for(struct room_member *m) {
    bool is_shared = tables_is_shared(m->room->tables);
    struct room_table *rt, *found = NULL;
    DL_FOREACH2(m->room->forming, rt, forming_next) {
        if (rt->is_dropped || !lobby_has_room(rt) || !lobby_is_for(rt, m) ||
            lobby_is_name_at(rt, span_of(m->name)))
            continue;
        if (!is_shared) /* they are in the order of their opening */
            return rt;
        found = found == NULL || room_table_is_older(rt, found) ? rt : found;
    }
    return found;
}

/* All who sit there do so through this room. */
static bool lobby_is_ours(const struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_name(rt->table, seat)[0] != '\0' && rt->seats[seat].member == NULL)
            return false;
    return !rt->is_dropped && !rt->is_opening && !rt->is_sitting && !table_is_busy(rt->table);
}

/* Two tables that were opened at different nodes at the same time would wait for each other: those at the
 * younger one wait for a seat at the older one, unless they have named theirs. They have been told nothing of
 * a table yet. */
static void renaissance_lobby_unite(struct room *room) {
    struct room_table *rt, *next;
    if (!tables_is_shared(room->tables))
        return;
    DL_FOREACH_SAFE2(room->forming, rt, next, forming_next) {
        struct room_member *m = rt->members;
        if (m == NULL || rt->is_by_code || !lobby_is_ours(rt))
            continue;
        struct room_table *older = lobby_table_for(m);
        if (older == NULL || !room_table_is_older(older, rt))
            continue;
        while ((m = rt->members) != NULL) {
            rt->seats[m->seat].is_leaving = true;
            renaissance_talk(m)->wanted = 0;
            room_member_leave(m);
            room_line_join(m);
        }
        room_vacate(rt);
    }
}

static void lobby_sit(struct room_member *m, struct room_table *rt) {
    const struct renaissance_tokens *tokens = m->kept;
    struct table_guest guest = {.seat = room_seat_free(rt),
                                .name = span_of(m->name),
                                .note = SPAN(RENAISSANCE_SEAT_NOTE),
                                .seed = span_of(tokens == NULL ? "" : tokens->seed),
                                .origin = *peer_origin(json_member_peer(m)),
                                .secret = span_of(tokens == NULL ? "" : tokens->secret),
                                .is_any_seat = true};
    renaissance_talk(m)->swallows_number = m->is_asked && tables_is_shared(m->room->tables);
    room_member_come(m, rt);
    enum err e = room_sit(m, &guest);
    assert(e == ERR_OK);
    (void)e;
}

/* Whoever has a seat sits down; not those who are being asked what their own table shall be, unless it was
 * opened elsewhere or is the one that they have named. */
static bool lobby_may_sit(struct room_member *m, const struct room_table *rt) {
    return rt != NULL && !table_is_busy(rt->table) && table_free_seats(rt->table) > 0 &&
           (!m->is_asked || rt->is_from_door || renaissance_talk(m)->wanted == rt->id);
}

/* When nobody else waits, one that has let its time pass has its turn. True when there is a seat for it, if
 * only in a moment. */
static bool lobby_seat_late(struct room *room) {
    struct room_member *m = room->line == NULL ? room->silent : NULL;
    while (m != NULL && m->is_asked)
        m = m->line_next;
    struct room_table *rt = m == NULL ? NULL : lobby_table_for(m);
    if (lobby_may_sit(m, rt))
        lobby_sit(m, rt);
    return rt != NULL;
}

/* Lets those in line sit down or choose, as far as that is possible now, and gives tables up that nobody is
 * left for. Nobody is looked at behind the first for whom there is no table. */
static void lobby_go_on(struct room *room) {
    struct room_table *rt;
    DL_FOREACH2(room->forming, rt, forming_next)
    if (lobby_is_forlorn(rt))
        room_table_drop(rt);
    renaissance_lobby_unite(room);
    for (struct room_member *m = room->line, *next; m != NULL; m = next) {
        next = m->line_next;
        rt = lobby_table_for(m);
        if (lobby_may_sit(m, rt))
            lobby_sit(m, rt);
        else if (!m->is_asked && renaissance_talk(m)->wanted == 0 && rt != NULL)
            return; /* its seat comes when the table has saved what it does */
        else if (!m->is_asked && renaissance_talk(m)->wanted == 0)
            break;
    }
    if (!lobby_seat_late(room))
        room_line_ask(room);
}

/* Logins. */

static bool name_is_good(struct room *room, struct span name) {
    const struct renaissance_port_config *config = &renaissance_room(room)->config;
    if (name.data == NULL || !utf8_is_valid(name))
        return false;
    int64_t chars = (int64_t)utf8_length(name);
    if (chars < config->name_chars_min || chars > config->name_chars_max || name.size > NAME_BYTES_MAX)
        return false;
    while (name.size > 0)
        if (utf8_is_blank(utf8_next(&name)))
            return false;
    return true;
}

/* The seat of a player of this name, who is not connected here; that of one who came through this room, if
 * there are several. */
static struct room_seat *seat_known(struct room *room, struct span name) {
    struct room_seat *found = NULL;
    struct room_table *rt;
    DL_FOREACH2(room->running, rt, touched_next)
    if (lobby_is_name_at(rt, name)) {
        unsigned seat = room_seat_named(rt, name);
        if (found == NULL || renaissance_seat_is_ours(rt, seat))
            found = &rt->seats[seat];
    }
    return found;
}

/* Those who are logged in, and those who are not and have a seat. */
static unsigned player_count(struct room *room) {
    unsigned count = HASH_CNT(by_name, room->by_name);
    struct room_table *rt;
    DL_FOREACH2(room->running, rt, touched_next)
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        count += rt->seats[seat].member == NULL && table_name(rt->table, seat)[0] != '\0';
    return count;
}

/* 40: without a usernameResponse; but for the seat of a table that is not full, which could not be left. */
static void renaissance_come_back(struct room_member *m, struct room_seat *place) {
    struct room_table *rt = place->table;
    room_member_come(m, rt);
    if (rt->is_forming)
        say_username(m, m->name);
    renaissance_talk(m)->is_returning = !rt->is_forming;
    room_seat_take(rt, place->number, m);
    if (rt->is_forming)
        return;
    table_attend(rt->table, place->number, SEAT_BACK, m->room->now_ms);
    renaissance_tell_return(m);
}

/* A player who comes back after the end is told how it ended. The login is that of a new player then, unless
 * a client of this kind says nothing more: false. */
static bool renaissance_come_late(struct room_member *m, struct span name) {
    return !renaissance_say_kept(m, name) || !renaissance_speech(m)->leaves_at_the_end;
}

static void come_new(struct room_member *m) {
    room_line_join(m);
    say_username(m, m->name);
    lobby_go_on(m->room);
}

/* Whether the player of a seat is the one who logs in. */
static bool login_is_player(const struct room_member *m, const struct room_table *rt, unsigned seat,
                            struct span secret) {
    return renaissance_seat_is_ours(rt, seat) &&
           table_may_return(rt->table, seat, peer_origin(json_member_peer(m)), secret);
}

/* A connection that only waits for its last answers makes way for the same player. */
static bool login_releases(const struct room_member *m, const struct room_member *other, struct span secret) {
    if (other == NULL)
        return false;
    bool is_same = other->seat == SEAT_WATCHER
                       ? address_equal(peer_origin(json_member_peer(m)), peer_origin(json_member_peer(other)))
                       : login_is_player(m, other->at, other->seat, secret);
    return is_same && json_release_member(other);
}

/* The table that the login names; ERR_OK and 0 when it names none. */
static enum err login_table(struct room_member *m, struct span code, uint64_t *out) {
    *out = 0;
    if (code.size == 0)
        return ERR_OK;
    const struct room_table *rt = room_find(m->room, code, peer_address(json_member_peer(m)));
    if (rt == NULL || rt->is_dropped)
        return ERR_TABLE_UNKNOWN;
    *out = rt->id;
    return rt->is_forming && lobby_has_room(rt) ? ERR_OK : ERR_TABLE_FULL;
}

static void login_keep_tokens(struct room_member *m, struct span seed, struct span secret) {
    mem_free(m->kept);
    m->kept = NULL;
    if (seed.size == 0 && secret.size == 0)
        return;
    struct renaissance_tokens *tokens = mem_alloc(sizeof *tokens);
    bool fits = span_copy(seed, tokens->seed, sizeof tokens->seed) &&
                span_copy(secret, tokens->secret, sizeof tokens->secret);
    assert(fits);
    (void)fits;
    m->kept = tokens;
}

static void renaissance_take_login(struct room_member *m, const struct renaissance_message *message) {
    struct room *room = m->room;
    struct renaissance_talk *talk = renaissance_talk(m);
    bool (*admits)(struct span) = renaissance_speech(m)->admits;
    struct span name = message->username;
    bool is_good = name_is_good(room, name) && (admits == NULL || admits(name));
    struct room_member *other = is_good ? room_member_named(room, name) : NULL;
    if (login_releases(m, other, message->secret))
        other = NULL;
    struct room_seat *place = is_good && other == NULL ? seat_known(room, name) : NULL;
    bool is_back = place != NULL && login_is_player(m, place->table, place->number, message->secret) &&
                   !table_is_online_elsewhere(place->table->table, place->number);
    bool is_new = is_good && other == NULL && place == NULL;
    if (is_new && !renaissance_come_late(m, name))
        return;
    bool is_full = player_count(room) >= renaissance_room(room)->config.players_max;
    if (!is_back && (!is_new || is_full)) {
        if (is_new)
            limit_hit(LIMIT_PLAYERS, NULL);
        say_username(m, NULL);
        return;
    }
    uint64_t wanted;
    enum err e = login_table(m, is_back ? SPAN("") : message->table, &wanted);
    if (e != ERR_OK) {
        renaissance_refuse(m, RENAISSANCE_ERROR_ACTION, e);
        return;
    }
    *talk = (struct renaissance_talk){.wanted = wanted};
    login_keep_tokens(m, message->seed, message->secret);
    room_member_name(m, name);
    if (is_back)
        renaissance_come_back(m, place);
    else
        come_new(m);
}

/* The member is free of its table, which is over. Who was coming back, and has not been answered yet, is a
 * new player under the same name. */
static void member_release(struct room_member *m) {
    room_member_detach(m);
    bool is_new = renaissance_talk(m)->is_returning;
    renaissance_talk(m)->is_returning = false;
    if (is_new && renaissance_come_late(m, span_of(m->name)))
        come_new(m);
    else
        room_member_name(m, SPAN(""));
    room_member_moved(m);
}

/* What clients ask. */

/* The member does what the message says. */
static enum err renaissance_act(struct room_member *m, const struct renaissance_message *message,
                                unsigned choice) {
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX];
    size_t count;
    enum err e =
        renaissance_read_actions(renaissance_view(m->at, m->seat), m->seat, message, choice, actions, &count);
    if (e == ERR_OK)
        e = table_act(m->at->table, m->seat, actions, count, m->room->now_ms);
    if (e != ERR_OK)
        log_event(LOG_DEBUG, "message-refused",
                  LOG_TEXT("why", span_of(game_refusal(&renaissance_game, e)->word)));
    return e;
}

static enum err take_plain(struct room_member *m, const struct renaissance_message *message) {
    return renaissance_act(m, message, 0);
}

/* A seat is left there besides those of who is sitting down, or has opened it and waits for it; or one is
 * being left. */
static bool lobby_has_place(const struct room_table *rt, const struct room_member *m) {
    struct room_member *other;
    unsigned taken = 0, left = table_free_seats(rt->table);
    DL_FOREACH2(rt->members, other, at_next) taken += other->seat == SEAT_WATCHER;
    DL_FOREACH2(m->room->line, other, line_next)
    taken += other != m && renaissance_talk(other)->opened == rt->id;
    return left == 0 || left > taken;
}

/* Of a number that cannot be played, and when there are too many tables, only the request is repeated. */
static enum err renaissance_take_number(struct room_member *m, const struct renaissance_message *message) {
    struct table_setup setup = {.game = &renaissance_game, .opener = *peer_address(json_member_peer(m))};
    struct room_table *rt = lobby_table_for(m);
    enum err e = ERR_SEAT_COUNT;
    renaissance_talk(m)->wanted = 0;
    if (message->number >= 1 && message->number <= RENAISSANCE_SEATS_MAX && rt != NULL &&
        lobby_has_place(rt, m)) {
        room_answered(m); /* somebody else has answered before */
        lobby_go_on(m->room);
        return ERR_OK;
    }
    if (message->number >= 1 && message->number <= RENAISSANCE_SEATS_MAX) {
        setup.options = game_options_default(&renaissance_game, (uint32_t)message->number);
        e = room_open(m->room, &setup, NULL, &rt);
    }
    if (e == ERR_ADDRESS_FULL)
        return e;
    if (e != ERR_OK) {
        renaissance_tell_prompt(m);
        return ERR_OK;
    }
    room_answered(m);
    renaissance_talk(m)->opened = rt->id;
    lobby_go_on(m->room);
    return ERR_OK;
}

/* A player who gets no starting resources says so with an empty warehouse, which changes nothing at the
 * table. */
static enum err take_resources(struct room_member *m, const struct renaissance_message *message) {
    struct renaissance_table *t = renaissance_table(m->at);
    if ((t->owes_empty & SEAT_BIT(m->seat)) == 0)
        return renaissance_act(m, message, 0);
    if (!renaissance_reads_empty(message))
        return ERR_GIFTS_COUNT;
    t->owes_empty &= ~SEAT_BIT(m->seat);
    renaissance_begin(m->room);
    RENAISSANCE_PUT(m->room, RESOURCES_RESPONSE, .number = room_seat_count(m->at));
    renaissance_say(m);
    renaissance_tell_progress(m->at);
    return ERR_OK;
}

/* The turn ends with actionReply ENDTURN; an endTurn right after it is not needed, but may come (9). Of
 * clients that must have the answer before they end it, only the endTurn counts. */
static enum err renaissance_take_action(struct room_member *m, const struct renaissance_message *message) {
    struct renaissance_talk *talk = renaissance_talk(m);
    if ((renaissance_possible(renaissance_view(m->at, m->seat), m->seat) & message->choice) == 0)
        return ERR_NOT_OFFERED;
    if (message->choice == RENAISSANCE_MAY_END_TURN && !renaissance_speech(m)->ends_at_end_turn) {
        enum err e =
            renaissance_act(m, &(struct renaissance_message){.type = RENAISSANCE_MESSAGE_END_TURN}, 0);
        if (e == ERR_OK)
            talk->is_ending = talk->swallows_end = true;
        return e;
    }
    talk->chosen = message->choice;
    renaissance_begin(m->room);
    RENAISSANCE_PUT(m->room, ACTION_RESPONSE, .number = message->choice);
    renaissance_say(m);
    return ERR_OK;
}

/* Parameters are for the action that was announced last (7). */
static enum err take_parameters(struct room_member *m, const struct renaissance_message *message) {
    bool is_line = message->type == RENAISSANCE_MESSAGE_LINE;
    unsigned choice = renaissance_talk(m)->chosen, named = is_line ? RENAISSANCE_MAY_PUSH : message->choice;
    if (choice == 0 && renaissance_room(m->room)->config.is_lenient)
        choice = named & renaissance_possible(renaissance_view(m->at, m->seat), m->seat);
    renaissance_talk(m)->chosen = 0;
    bool is_named_right = is_line || message->has_choice ? named == choice : true;
    if (choice == 0 || !is_named_right || (!is_line && choice == RENAISSANCE_MAY_PUSH))
        return ERR_NOT_ANNOUNCED;
    return renaissance_act(m, message, choice);
}

/* What each message answers, and what is wrong when it is refused then. */
static const struct answer {
    enum renaissance_prompt prompt;
    enum renaissance_error error;
    enum err (*take)(struct room_member *, const struct renaissance_message *);
} answers[] = {
    [RENAISSANCE_MESSAGE_NUMBER] = {PROMPT_NUMBER, RENAISSANCE_ERROR_ACTION, renaissance_take_number},
    [RENAISSANCE_MESSAGE_LEADERS] = {PROMPT_LEADERS, RENAISSANCE_ERROR_LEADERS, take_plain},
    [RENAISSANCE_MESSAGE_RESOURCES] = {PROMPT_RESOURCES, RENAISSANCE_ERROR_RESOURCES, take_resources},
    [RENAISSANCE_MESSAGE_ACTION] = {PROMPT_ACTION, RENAISSANCE_ERROR_ACTION, renaissance_take_action},
    [RENAISSANCE_MESSAGE_PARAMETERS] = {PROMPT_ACTION, RENAISSANCE_ERROR_ACTION, take_parameters},
    [RENAISSANCE_MESSAGE_LINE] = {PROMPT_ACTION, RENAISSANCE_ERROR_ACTION, take_parameters},
    [RENAISSANCE_MESSAGE_MANAGE] = {PROMPT_MANAGE, RENAISSANCE_ERROR_MANAGE, take_plain},
    [RENAISSANCE_MESSAGE_END_TURN] = {PROMPT_ACTION, RENAISSANCE_ERROR_ACTION, take_plain},
};

/* Why a message is not the answer that is awaited (6, 10, 36); ERR_OK when it is. */
static enum err answer_check(struct room_member *m, const struct renaissance_message *message) {
    enum renaissance_prompt prompt = renaissance_prompt_of(m);
    if (m->name == NULL)
        return ERR_NOT_LOGGED_IN;
    if (message->username.data != NULL && !span_is(message->username, m->name))
        return ERR_NOT_YOUR_NAME;
    if (answers[message->type].prompt == prompt)
        return ERR_OK;
    return m->at != NULL && prompt == PROMPT_NOTHING ? ERR_NOT_YOUR_TURN : ERR_NOT_ASKED;
}

static void take_answer(struct room_member *m, const struct renaissance_message *message) {
    const struct answer *answer = &answers[message->type];
    enum err e = answer_check(m, message);
    enum renaissance_error error = e == ERR_OK ? answer->error : RENAISSANCE_ERROR_ACTION;
    if (e == ERR_OK)
        e = answer->take(m, message);
    if (e != ERR_OK)
        renaissance_refuse(m, error, e);
}

/* A number of players that comes when the question for it has been put to others is kept for the next time,
 * where a question cannot be taken back; true: it was. */
static bool take_late_number(struct room_member *m, const struct renaissance_message *message) {
    struct renaissance_talk *talk = renaissance_talk(m);
    if (message->type != RENAISSANCE_MESSAGE_NUMBER || !renaissance_speech(m)->keeps_questions)
        return false;
    talk->owes_number = false;
    if (m->is_asked || (m->is_waiting && m->is_slow))
        return false;
    if (m->is_waiting && message->number >= 1 && message->number <= RENAISSANCE_SEATS_MAX)
        talk->number = message->number;
    return true;
}

void renaissance_hear(struct room_member *m, const struct renaissance_message *message) {
    struct renaissance_talk *talk = renaissance_talk(m);
    bool swallows_end = talk->swallows_end, swallows_number = talk->swallows_number;
    if (message->type == RENAISSANCE_MESSAGE_PONG)
        return;
    talk->swallows_end = talk->swallows_number = false;
    if (swallows_number && message->type == RENAISSANCE_MESSAGE_NUMBER)
        return;
    if (message->type == RENAISSANCE_MESSAGE_LOGIN && m->name == NULL)
        renaissance_take_login(m, message);
    else if (message->type == RENAISSANCE_MESSAGE_LOGIN) /* 35 */
        say_username(m, NULL);
    else if ((!swallows_end || message->type != RENAISSANCE_MESSAGE_END_TURN) &&
             !take_late_number(m, message))
        take_answer(m, message);
}

static void renaissance_member_received(struct room_member *m, const json_t *line) {
    struct renaissance_message message;
    enum err e = renaissance_read_message(line, &message);
    if (e == ERR_OK) {
        renaissance_hear(m, &message);
        return;
    }
    renaissance_talk(m)->swallows_end = renaissance_talk(m)->swallows_number = false;
    renaissance_refuse(m, RENAISSANCE_ERROR_ACTION, e);
}

/* Who is the first in line is asked how many shall play, unless it has said so before. */
static void renaissance_tell_asked(struct room_member *m) {
    int64_t number = renaissance_talk(m)->number;
    renaissance_talk(m)->number = 0;
    if (number != 0)
        take_answer(m, &(struct renaissance_message){.type = RENAISSANCE_MESSAGE_NUMBER, .number = number});
    else
        renaissance_tell_prompt(m);
}

/* Until everybody has come, whoever leaves is forgotten (32); afterwards the table goes on without it. */
void renaissance_leave(struct room_member *m) {
    struct room_table *rt = m->at;
    unsigned seat = m->seat;
    renaissance_go(m);
    room_member_name(m, SPAN(""));
    if (seat != SEAT_WATCHER)
        rt->seats[seat].is_leaving = rt->is_forming;
    room_member_leave(m);
    if (seat == SEAT_WATCHER)
        return;
    if (rt->is_forming) {
        room_vacate(rt);
        return;
    }
    renaissance_table(rt)->owes_empty &= ~SEAT_BIT(seat);
    table_attend(rt->table, seat, SEAT_AWAY, rt->room->now_ms);
    if (!table_is_busy(rt->table))
        renaissance_tell_progress(rt);
}

void renaissance_drop(struct room_member *m) {
    struct room *room = m->room;
    renaissance_leave(m);
    json_member_close(m);
    lobby_go_on(room);
}

static void member_malformed(struct room_member *m, enum err why, const char *complaint) {
    renaissance_talk(m)->swallows_end = false;
    log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(complaint)));
    if (why != ERR_TOO_LARGE) { /* 34 */
        renaissance_refuse(m, RENAISSANCE_ERROR_ACTION, why);
        return;
    }
    refusals_count(peer_protocol(json_member_peer(m)), NULL, why);
    renaissance_say_error(m, RENAISSANCE_ERROR_ACTION, why);
    renaissance_drop(m);
}

static void renaissance_member_opened(struct room_member *m) {
    renaissance_come(m, &renaissance_json_speech);
}

static void renaissance_member_refuse(struct buf *out, enum err why) {
    renaissance_write_error(out, RENAISSANCE_ERROR_ACTION, why);
}

/* What the room tells. */

/* A player who had left a table that was not full, through this room, has left it for good; but may be there
 * through another node, which is known a little later. */
static void renaissance_tell_adopted(struct room_table *rt) {
    bool is_full = table_free_seats(rt->table) == 0, is_shared = tables_is_shared(rt->room->tables);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        if (table_name(rt->table, seat)[0] == '\0' || table_is_online(rt->table, seat))
            continue;
        room_seat_miss(&rt->seats[seat]);
        if (!renaissance_seat_is_ours(rt, seat))
            continue;
        rt->seats[seat].is_leaving = !is_full && !is_shared;
        renaissance_table(rt)->awaited |= is_full ? SEAT_BIT(seat) : 0;
    }
    if (!is_full)
        return;
    room_table_formed(rt);
    renaissance_tell_resumed(rt);
}

static void renaissance_tell_sat(const struct room_notice *n) {
    renaissance_table(n->table)->newest = n->seat;
    n->table->seats[n->seat].is_leaving = n->is_ours && n->member == NULL;
}

static void renaissance_tell_settled(struct room_table *rt) {
    if (rt->is_forming) {
        if (room_vacate(rt) || table_free_seats(rt->table) > 0)
            return;
        room_table_formed(rt);
        renaissance_tell_begin(rt);
    }
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_member *m = rt->seats[seat].member;
        if (m != NULL && renaissance_talk(m)->is_returning)
            renaissance_tell_return(m);
        else if (m != NULL && tables_is_shared(rt->room->tables) &&
                 renaissance_view(rt, SEAT_WATCHER)->seat[seat].is_away)
            table_attend(rt->table, seat, SEAT_BACK, rt->room->now_ms); /* another node took it for gone */
    }
    renaissance_tell_progress(rt);
}

/* Players who have not come back after a restart are away, all at once; others have been since they left. */
static void renaissance_tell_given_up(struct room_table *rt, unsigned given_up) {
    struct renaissance_table *t = renaissance_table(rt);
    if (rt->is_forming) { /* lost with another node */
        rt->seats[given_up].is_leaving = renaissance_seat_is_ours(rt, given_up);
        room_vacate(rt);
        return;
    }
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if ((t->awaited & SEAT_BIT(seat)) != 0 && !table_is_online(rt->table, seat)) {
            if ((t->unsure & SEAT_BIT(seat)) != 0)
                renaissance_tell_presence(rt, seat);
            table_attend(rt->table, seat, SEAT_AWAY, rt->room->now_ms);
        }
    t->awaited = 0;
}

/* Another writer of the journal was first. Whoever was to sit down waits again. */
static void renaissance_tell_refused(const struct room_notice *n) {
    struct room_member *m = n->member;
    if (m == NULL || renaissance_talk(m)->is_returning)
        return;
    if (m->seat == SEAT_WATCHER) {
        room_member_detach(m);
        room_line_join(m);
        room_member_moved(m);
        return;
    }
    renaissance_talk(m)->is_ending = renaissance_talk(m)->swallows_end = false;
    renaissance_refuse(m, RENAISSANCE_ERROR_ACTION, n->why);
}

/* Those who played there may log in again, under any name. */
static void renaissance_tell_over(struct room_table *rt) {
    renaissance_tell_end(rt);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (rt->seats[seat].member != NULL)
            member_release(rt->seats[seat].member);
}

/* A player at another node has gone. That node journals it, unless it is gone with the player. */
static void renaissance_tell_remote(struct room_table *rt, unsigned seat) {
    if (rt->is_forming || table_is_online(rt->table, seat) || !renaissance_seat_is_ours(rt, seat) ||
        renaissance_view(rt, SEAT_WATCHER)->seat[seat].is_away || !table_is_cared(rt->table))
        return;
    table_attend(rt->table, seat, SEAT_AWAY, rt->room->now_ms);
}

void renaissance_room_tell(struct room *room, const struct room_notice *n) {
    switch (n->kind) {
    case ROOM_ADOPTED: renaissance_tell_adopted(n->table); break;
    case ROOM_AWAKE:
        if (n->table->is_forming)
            room_vacate(n->table);
        break;
    case ROOM_SAT: renaissance_tell_sat(n); break;
    case ROOM_PLAYED:
    case ROOM_ATTENDED: renaissance_tell_step(n); break;
    case ROOM_SETTLED: renaissance_tell_settled(n->table); break;
    case ROOM_PRESENCE:
        if (n->is_change && !n->table->is_forming)
            renaissance_tell_presence(n->table, n->seat);
        if (!n->is_ours)
            renaissance_tell_remote(n->table, n->seat);
        break;
    case ROOM_STALLED: renaissance_tell_stalled(n->table); break;
    case ROOM_REFUSED: renaissance_tell_refused(n); break;
    case ROOM_GIVEN_UP: renaissance_tell_given_up(n->table, n->seat); break;
    case ROOM_OVER: renaissance_tell_over(n->table); break;
    case ROOM_ASKED: renaissance_tell_asked(n->member); break;
    case ROOM_LATE: renaissance_say_error(n->member, RENAISSANCE_ERROR_ACTION, ERR_ANSWER_LATE); break;
    case ROOM_LOBBY: lobby_go_on(room); break;
    default: break;
    }
}

struct port *renaissance_port_create(const struct renaissance_port_config *config) {
    const struct peers_config peers =
        json_peers_config(&(struct json_port_config){.ping_every_ms = config->ping_ms,
                                                     .silence_ms = config->silence_ms,
                                                     .inspector = config->inspector,
                                                     .protocol = RENAISSANCE_PROTOCOL});
    return renaissance_room_open(config, &renaissance_json_speech,
                                 &(struct json_room_dialect){.opened = renaissance_member_opened,
                                                             .refuse = renaissance_member_refuse,
                                                             .received = renaissance_member_received,
                                                             .malformed = member_malformed,
                                                             .left = renaissance_leave},
                                 &peers);
}
