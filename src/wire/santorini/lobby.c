/* Who waits for a game of Santorini. A new connection joins the table that has room; the line is empty as
 * long as there is one. Otherwise the first in line is asked for the number of players of the next table.
 * Names are asked for when there are as many players as seats, and a seat belongs to whoever has said a name.
 */
#include "wire/santorini/internal.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

enum {
    NUMBER_MIN = 2,
    NUMBER_MAX = SANTORINI_SEATS_MAX,
};

/* Visitors without a name who keep a place: those of this node, and all. */
static unsigned stage_unnamed_here(const struct room_table *rt) {
    const struct room_member *m;
    unsigned count = 0;
    DL_FOREACH2(rt->members, m, at_next) count += m->seat == SEAT_WATCHER && !m->is_slow;
    return count;
}

static unsigned stage_unnamed(const struct room_table *rt) {
    return stage_unnamed_here(rt) + table_guests_elsewhere(rt->table);
}

/* Those who keep none, because they say nothing. */
static unsigned stage_silent(const struct room_table *rt) {
    const struct room_member *m;
    unsigned count = 0;
    DL_FOREACH2(rt->members, m, at_next) count += m->seat == SEAT_WATCHER && m->is_slow;
    return count;
}

/* With every one who says nothing more may come, so that many of those hold up nobody for long. */
static unsigned stage_places(const struct room_table *rt) {
    return table_free_seats(rt->table) * (1 + stage_silent(rt));
}

/* So many are there that names can be asked for, if only silent ones. */
static bool stage_is_crowded(const struct room_table *rt) {
    return room_seats_taken(rt) + stage_unnamed(rt) + stage_silent(rt) >= room_seat_count(rt);
}

/* Nobody is seated with somebody who is away. */
static bool stage_has_room(const struct room_table *rt) {
    return !rt->is_dropped && !rt->is_opening && !rt->is_by_code && !room_has_away(rt) &&
           stage_unnamed(rt) < stage_places(rt);
}

/* Visitors come and go. */

void santorini_visitor_leave(struct room_member *m) {
    struct room_table *rt = m->at;
    unsigned seat = m->seat;
    room_member_leave(m);
    if (rt == NULL || !rt->is_forming)
        return;
    if (room_is_forsaken(rt) && !rt->is_sitting)
        room_table_drop(rt);
    if (seat != SEAT_WATCHER && rt->seats[seat].is_away) {
        rt->seats[seat].is_leaving = true;
        room_vacate(rt);
    }
}

void santorini_visitor_dismiss(struct room_member *m, const char *why) {
    if (why != NULL)
        santorini_say_error(m, why);
    santorini_visitor_leave(m);
    santorini_say_plain(m, "disconnect");
    json_member_close(m);
}

struct visitor_words *santorini_words_keep(struct room_member *m) {
    if (m->kept == NULL)
        m->kept = mem_alloc(sizeof(struct visitor_words));
    return m->kept;
}

bool santorini_has_name(const struct room_member *m) {
    const struct visitor_words *words = santorini_words(m);
    return words != NULL && words->name[0] != '\0';
}

void santorini_name_drop(struct room_member *m) {
    if (m->kept != NULL)
        santorini_words(m)->name[0] = '\0';
}

void santorini_ask_name(struct room_member *m) {
    santorini_visitor(m)->is_asked_name = true;
    santorini_say_plain(m, "askNickAndDate");
}

void santorini_ask_early(struct room_member *m) {
    const struct visitor *v = santorini_visitor(m);
    if (m->seat == SEAT_WATCHER && !v->is_asked_name && !m->is_asked && !santorini_has_name(m) &&
        santorini_seat_is_any_awaited(m->room))
        santorini_ask_name(m);
}

void santorini_visitor_sit(struct room_member *m) {
    const struct visitor_words *words = santorini_words(m);
    struct span name = span_of(words->name);
    char note[sizeof SANTORINI_PROTOCOL + 16];
    bool is_known = room_seat_named(m->at, name) != SEAT_WATCHER;
    snprintf(note, sizeof note, SANTORINI_PROTOCOL " %u.%u.%u", words->birth.year, words->birth.month,
             words->birth.day);
    struct table_guest guest = {.seat = room_seat_free(m->at),
                                .name = name,
                                .note = span_of(note),
                                .seed = span_of(words->seed),
                                .origin = *peer_origin(json_member_peer(m)),
                                .secret = span_of(words->secret),
                                .is_any_seat = true};
    enum err e = is_known                     ? ERR_FIELD_INVALID
                 : guest.seat == SEAT_WATCHER ? ERR_TABLE_FULL
                                              : room_sit(m, &guest);
    if (e == ERR_OK)
        return;
    santorini_refuse_player(m, &(struct santorini_request){.type = SANTORINI_ADD_PLAYER, .name = name},
                            is_known ? santorini_name_taken : refusal_of(&santorini_game, e));
    santorini_name_drop(m);
}

void santorini_visitor_sit_kept(struct room_member *m) {
    if (m->seat != SEAT_WATCHER || !santorini_has_name(m) || table_is_busy(m->at->table))
        return;
    santorini_visitor(m)->is_asked_name = true;
    santorini_visitor_sit(m);
}

/* The lobby. */

/* For one who says nothing only a table at which names are not asked for yet. */
static struct room_table *lobby_find(const struct room *room, bool is_slow) {
    struct room_table *rt = room->forming;
    while (rt != NULL && (!stage_has_room(rt) || (is_slow && stage_is_crowded(rt))))
        rt = rt->forming_next;
    return rt;
}

/* The last visitor without a name for whom there is no place any more; the silent ones stay as long as any
 * seat is free. Of those at other nodes it is not known yet who has just sat down; whoever comes too late
 * there learns it from the journal. */
static struct room_member *lobby_surplus(const struct room_table *rt) {
    unsigned left = table_free_seats(rt->table);
    struct room_member *m, *last = NULL;
    if (left > 0 && stage_unnamed_here(rt) <= stage_places(rt))
        return NULL;
    DL_FOREACH2(rt->members, m, at_next)
    last = m->seat == SEAT_WATCHER && m != rt->sitter && (left == 0 || !m->is_slow) ? m : last;
    return last;
}

void santorini_lobby_check_full(struct room_table *rt) {
    struct room_member *m;
    if (rt->is_dropped || rt->is_opening)
        return;
    while ((m = lobby_surplus(rt)) != NULL) {
        santorini_say_error(m, santorini_seat_lost.sentence);
        room_member_leave(m);
        room_member_moved(m);
        santorini_lobby_arrive(m);
    }
    if (!stage_is_crowded(rt))
        return;
    DL_FOREACH2(rt->members, m, at_next) {
        if (m->seat != SEAT_WATCHER || santorini_has_name(m) || m == rt->sitter)
            continue;
        if (!santorini_visitor(m)->is_asked_name)
            santorini_ask_name(m);
        if (!timer_is_armed(&m->answer))
            room_ask(m);
    }
}

/* A silent one keeps no place there either. */
static void lobby_join(struct room_member *m, struct room_table *rt) {
    bool is_slow = m->is_waiting && m->is_slow;
    santorini_visitor(m)->swallows_number = m->is_asked;
    room_member_come(m, rt);
    if (is_slow)
        room_member_silence(m);
    santorini_say_replay(m, SEAT_WATCHER);
    santorini_visitor_sit_kept(m);
    santorini_ask_early(m);
    santorini_lobby_check_full(rt);
}

void santorini_lobby_arrive(struct room_member *m) {
    struct room *room = m->room;
    struct room_table *rt = lobby_find(room, false);
    santorini_visitor(m)->is_asked_name = false;
    if (rt != NULL) {
        lobby_join(m, rt);
    } else if (room->line_count >= room->policy.waiting_max || room->own_count >= room->policy.tables_max) {
        santorini_visitor_dismiss(m, santorini_too_many.sentence);
    } else {
        room_line_join(m);
        room_line_ask(room);
        santorini_ask_early(m);
    }
}

/* All who sit there do so through this room and can have a seat at the other one, which has places for them
 * and for those without a seat. */
static bool lobby_can_move(const struct room_table *rt, const struct room_table *to) {
    unsigned awake = stage_unnamed_here(rt) + room_seats_taken(rt);
    if (room_seats_taken(rt) > 0 && stage_unnamed(to) + awake > table_free_seats(to->table))
        return false;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        const char *name = table_name(rt->table, seat);
        if (name[0] != '\0' &&
            (rt->seats[seat].member == NULL || room_seat_named(to, span_of(name)) != SEAT_WATCHER))
            return false;
    }
    return true;
}

/* A player takes its name along. */
static void lobby_move(struct room_member *m, struct room_table *to) {
    if (m->seat != SEAT_WATCHER) {
        struct visitor_words *words = santorini_words_keep(m);
        bool fits = span_copy(span_of(table_name(m->at->table, m->seat)), words->name, sizeof words->name);
        assert(fits);
        (void)fits;
        santorini_visitor_leave(m);
    }
    lobby_join(m, to);
}

/* Two tables with free seats would wait for each other: opened at different nodes at the same time, or when
 * somebody else kept a place at the older one for a while. Those at the younger one move to the older one,
 * but for who has named it and who says nothing. */
static void santorini_lobby_unite(struct room *room) {
    struct room_table *rt, *next, *older = NULL;
    DL_FOREACH2(room->forming, rt, forming_next)
    if (stage_has_room(rt) && (older == NULL || room_table_is_older(rt, older)))
        older = rt;
    DL_FOREACH_SAFE2(room->forming, rt, next, forming_next) {
        if (older == NULL || !room_table_is_older(older, rt) || rt->is_dropped || rt->is_opening ||
            rt->is_by_code || rt->is_sitting || table_is_busy(rt->table) || !lobby_can_move(rt, older))
            continue;
        for (struct room_member *m = rt->members, *follower; m != NULL && stage_has_room(older);
             m = follower) {
            follower = m->at_next;
            if (!m->is_slow)
                lobby_move(m, older);
        }
        if (room_is_forsaken(rt))
            room_table_drop(rt);
    }
}

/* Tables that were left at other nodes, which did not take care of them. */
static void lobby_clear(struct room *room) {
    struct room_table *rt, *next;
    if (!tables_is_shared(room->tables))
        return;
    DL_FOREACH_SAFE2(room->forming, rt, next, forming_next)
    if (!rt->is_dropped && !rt->is_opening && !rt->is_sitting && room_is_forsaken(rt))
        room_table_drop(rt);
}

/* Where some say nothing, those at the front who have answered a ping come to a table before all others. */
static struct room_member *lobby_next_awake(const struct room *room) {
    struct room_member *m = room->silent == NULL ? NULL : room->line;
    for (unsigned left = ROOM_ASKS_MAX; m != NULL && !santorini_visitor(m)->has_ponged; m = m->line_next)
        if (--left == 0)
            return NULL;
    return m;
}

/* Who comes to a table that has room: rather not those who are being asked what their own shall be, who are
 * at the front and few, and at last those who say nothing. */
static struct room_member *lobby_next(const struct room *room) {
    struct room_member *m = room->line, *awake = lobby_next_awake(room);
    if (awake != NULL)
        return awake;
    while (m != NULL && m->is_asked)
        m = m->line_next;
    return m != NULL ? m : room->line != NULL ? room->line : room->silent;
}

void santorini_lobby_fill(struct room *room) {
    struct room_table *rt;
    struct room_member *m;
    santorini_lobby_unite(room);
    lobby_clear(room);
    while ((m = lobby_next(room)) != NULL && (rt = lobby_find(room, m->is_slow)) != NULL)
        lobby_join(m, rt);
    room_line_ask(room);
}

static void lobby_open(struct room_member *m, unsigned seat_count) {
    struct room *room = m->room;
    struct table_setup setup = {.game = &santorini_game,
                                .options = game_options_default(&santorini_game, seat_count),
                                .opener = *peer_address(json_member_peer(m))};
    struct room_table *rt;
    enum err e = room_open(room, &setup, NULL, &rt);
    if (e == ERR_OK) {
        room_member_come(m, rt);
        return;
    }
    room_member_leave(m);
    if (e == ERR_ADDRESS_FULL) { /* asking once more would not help */
        json_member_refused(m, e);
        santorini_visitor_dismiss(m, err_sentence(e));
    } else {
        santorini_lobby_arrive(m);
    }
    room_lobby(room);
}

/* Several are asked at once when others have said nothing: who answers while the table of another one is
 * being opened comes to that, or is asked once more when it has no room. */
void santorini_lobby_take_number(struct room_member *m, const struct santorini_request *r) {
    bool is_late = santorini_visitor(m)->swallows_number;
    struct room_table *rt = lobby_find(m->room, false);
    santorini_visitor(m)->swallows_number = false;
    if (!m->is_waiting || (!m->is_asked && !m->is_slow)) {
        if (!is_late)
            santorini_refuse_time(m, santorini_number_unasked);
    } else if (r->number < NUMBER_MIN || r->number > NUMBER_MAX) {
        json_member_refused(m, ERR_SEAT_COUNT);
        santorini_say_plain(m, "errorNumber");
        santorini_say_plain(m, "askNumberOfPlayers");
    } else if (rt == NULL && m->room->opening_count == 0) {
        lobby_open(m, (unsigned)r->number);
    } else {
        room_answered(m);
        if (rt != NULL)
            lobby_join(m, rt);
    }
}
