/* Who is in a room: members, the seats that they speak for, and the line of those who wait for a table. */
#include "host/room/internal.h"

#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

/* Members. */

struct room_member *room_member_add(struct room *room) {
    struct room_member *m = mem_alloc(room->policy.member_bytes);
    m->room = room;
    m->seat = SEAT_WATCHER;
    DL_APPEND(room->members, m);
    return m;
}

static void member_unmove(struct room_member *m) {
    if (m->is_moved)
        DL_DELETE2(m->room->moved, m, moved_prev, moved_next);
    m->is_moved = false;
}

void room_member_free(struct room_member *m) {
    room_member_detach(m);
    room_member_name(m, SPAN(""));
    member_unmove(m);
    if (m->creating != NULL)
        m->creating->creator = NULL;
    if (m->fetch != NULL)
        tables_fetch_forget(m->fetch);
    DL_DELETE(m->room->members, m);
    mem_free(m->kept);
    mem_free(m);
}

/* The other nodes are told how many keep a place here without having a seat. */
static void guests_count(struct room_table *rt) {
    const struct room_member *m;
    unsigned count = 0;
    if (rt == NULL || rt->table == NULL || !rt->room->policy.counts_guests)
        return;
    DL_FOREACH2(rt->members, m, at_next) count += m->seat == SEAT_WATCHER && !m->is_slow;
    table_set_guests(rt->table, count);
}

void room_member_come(struct room_member *m, struct room_table *rt) {
    room_member_detach(m);
    m->at = rt;
    DL_APPEND2(rt->members, m, at_prev, at_next);
    guests_count(rt);
}

static void line_leave(struct room_member *m) {
    if (!m->is_waiting)
        return;
    if (m->is_slow)
        DL_DELETE2(m->room->silent, m, line_prev, line_next);
    else
        DL_DELETE2(m->room->line, m, line_prev, line_next);
    m->room->line_count--;
    m->is_waiting = false;
}

void room_member_detach(struct room_member *m) {
    struct room_table *rt = m->at;
    line_leave(m);
    room_answered(m);
    if (rt == NULL)
        return;
    DL_DELETE2(rt->members, m, at_prev, at_next);
    if (m->seat != SEAT_WATCHER)
        rt->seats[m->seat].member = NULL;
    if (rt->sitter == m)
        rt->sitter = NULL;
    m->at = NULL;
    m->seat = SEAT_WATCHER;
    guests_count(rt);
}

void room_member_leave(struct room_member *m) {
    struct room_table *rt = m->at;
    unsigned seat = m->seat;
    room_member_detach(m);
    if (rt == NULL)
        return;
    if (seat != SEAT_WATCHER)
        table_set_online(rt->table, seat, false);
    room_table_release(rt);
}

bool room_member_may_speak(const struct room_member *m) {
    return m->creating == NULL && m->fetch == NULL && (m->at == NULL || !table_is_busy(m->at->table));
}

void room_member_name(struct room_member *m, struct span name) {
    struct room *room = m->room;
    if (m->name != NULL)
        HASH_DELETE(by_name, room->by_name, m);
    mem_free(m->name);
    m->name = NULL;
    if (name.size == 0)
        return;
    assert(room_member_named(room, name) == NULL);
    m->name = mem_alloc(name.size + 1);
    memcpy(m->name, name.data, name.size);
    HASH_ADD_KEYPTR(by_name, room->by_name, m->name, name.size, m);
}

struct room_member *room_member_named(const struct room *room, struct span name) {
    struct room_member *m = NULL;
    HASH_FIND(by_name, room->by_name, name.data, name.size, m);
    return m;
}

void room_member_moved(struct room_member *m) {
    member_unmove(m);
    DL_APPEND2(m->room->moved, m, moved_prev, moved_next);
    m->is_moved = true;
}

/* Any of them may move others, or be gone, meanwhile. */
void room_hear_moved(struct room *room) {
    struct room_member *m;
    while ((m = room->moved) != NULL) {
        member_unmove(m);
        room_tell(room, &(struct room_notice){.kind = ROOM_HEAR, .member = m});
    }
}

/* The line. */

void room_line_join(struct room_member *m) {
    DL_APPEND2(m->room->line, m, line_prev, line_next);
    m->room->line_count++;
    m->is_waiting = true;
}

/* Those who say nothing wait behind all others. */
static void line_silence(struct room_member *m) {
    line_leave(m);
    m->is_slow = true;
    DL_APPEND2(m->room->silent, m, line_prev, line_next);
    m->room->line_count++;
    m->is_waiting = true;
}

/* When nobody else waits, one that has let its time pass is asked once more. */
static void line_wake(struct room *room) {
    struct room_member *m = room->silent;
    while (m != NULL && m->is_asked)
        m = m->line_next;
    if (room->line != NULL || m == NULL)
        return;
    line_leave(m);
    m->is_slow = false;
    room_line_join(m);
}

/* The next one in line to be asked; NULL: as many are asked as may be. */
static struct room_member *line_unasked(const struct room *room) {
    unsigned left = room->asks == 0 ? 1 : room->asks;
    struct room_member *m = room->line;
    while (m != NULL && m->is_asked && --left > 0)
        m = m->line_next;
    return left == 0 ? NULL : m;
}

/* Whoever is asked may have its answer ready, and then the line is another one. */
void room_line_ask(struct room *room) {
    struct room_member *m;
    if (room->opening_count == 0)
        line_wake(room);
    while (room->opening_count == 0 && (m = line_unasked(room)) != NULL) {
        room_ask(m);
        room_tell(room, &(struct room_notice){.kind = ROOM_ASKED, .member = m});
    }
}

static void answer_slow(struct timer *timer, uint64_t now_ms);
static void answer_late(struct timer *timer, uint64_t now_ms);

static uint32_t answer_patience_ms(const struct room_member *m) {
    const struct room_policy *policy = &m->room->policy;
    return m->is_waiting || policy->seat_patience_ms == 0 ? policy->patience_ms : policy->seat_patience_ms;
}

static void answer_arm(struct room_member *m) {
    struct room *room = m->room;
    uint32_t answer_ms = room->policy.answer_ms, patience_ms = answer_patience_ms(m);
    bool is_patient = patience_ms != 0 && (answer_ms == 0 || answer_ms > patience_ms);
    if (is_patient || answer_ms != 0)
        timers_arm(&room->timers, &m->answer, room->now_ms + (is_patient ? patience_ms : answer_ms),
                   is_patient ? answer_slow : answer_late);
}

/* Nobody else waits in line: there is time. */
static bool answer_has_time(struct room_member *m) {
    if (!m->is_waiting || m->room->line_count > 1)
        return false;
    answer_arm(m);
    return true;
}

/* Silent members do not hold up those who answer: they wait behind, and of those in line twice as many are
 * asked at once. */
static void answer_slow(struct timer *timer, uint64_t now_ms) {
    struct room_member *m = TIMER_OWNER(timer, struct room_member, answer);
    struct room *room = m->room;
    if (answer_has_time(m))
        return;
    if (m->is_waiting) {
        line_silence(m);
        room->asks = room->asks >= ROOM_ASKS_MAX / 2 ? ROOM_ASKS_MAX : room->asks == 0 ? 2 : 2 * room->asks;
    }
    m->is_slow = true;
    guests_count(m->at);
    if (room->policy.answer_ms != 0)
        timers_arm(&room->timers, timer, now_ms + room->policy.answer_ms - answer_patience_ms(m),
                   answer_late);
    room_line_ask(room);
    room_lobby(room);
}

/* A member that keeps others waiting goes behind them. */
static void answer_late(struct timer *timer, uint64_t now_ms) {
    struct room_member *m = TIMER_OWNER(timer, struct room_member, answer);
    struct room *room = m->room;
    (void)now_ms;
    if (answer_has_time(m))
        return;
    if (m->is_waiting) {
        line_silence(m);
        m->is_asked = false;
    }
    room_tell(room, &(struct room_notice){.kind = ROOM_LATE, .member = m});
    room_lobby(room);
}

void room_ask(struct room_member *m) {
    m->is_asked = true;
    answer_arm(m);
}

void room_member_silence(struct room_member *m) {
    m->is_slow = true;
    guests_count(m->at);
}

/* A silent one that waits has its turn before all who are still to be asked. */
void room_answered(struct room_member *m) {
    bool was_slow = m->is_slow;
    if (m->is_waiting && was_slow) {
        line_leave(m);
        DL_PREPEND2(m->room->line, m, line_prev, line_next);
        m->room->line_count++;
        m->is_waiting = true;
    }
    m->is_asked = m->is_slow = false;
    if (was_slow)
        guests_count(m->at);
    timers_stop(&m->room->timers, &m->answer);
}

/* Seats. */

unsigned room_seat_count(const struct room_table *rt) {
    return table_options(rt->table)->seat_count;
}

unsigned room_seat_named(const struct room_table *rt, struct span name) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (span_is(name, table_name(rt->table, seat)))
            return seat;
    return SEAT_WATCHER;
}

unsigned room_seat_free(const struct room_table *rt) {
    return room_seat_named(rt, SPAN(""));
}

unsigned room_seats_taken(const struct room_table *rt) {
    return room_seat_count(rt) - table_free_seats(rt->table);
}

bool room_is_anybody_online(const struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_is_online(rt->table, seat))
            return true;
    return false;
}

bool room_is_complete(const struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_name(rt->table, seat)[0] == '\0' || !table_is_online(rt->table, seat))
            return false;
    return true;
}

bool room_has_away(const struct room_table *rt) {
    for (unsigned seat = 0; seat < rt->seat_count; seat++)
        if (rt->seats[seat].is_away)
            return true;
    return false;
}

bool room_is_forsaken(const struct room_table *rt) {
    return rt->members == NULL && room_seats_taken(rt) == 0 && !rt->is_from_door &&
           table_guests_elsewhere(rt->table) == 0 && table_is_cared(rt->table);
}

static void grace_over(struct timer *timer, uint64_t now_ms) {
    struct room_seat *seat = TIMER_OWNER(timer, struct room_seat, timer);
    uint64_t outages_ms = tables_outages_ms(seat->table->room->tables);
    bool is_cared = table_is_cared(seat->table->table);
    if (!is_cared || outages_ms > seat->outages_ms) {
        uint64_t more_ms = is_cared ? outages_ms - seat->outages_ms : TABLES_CARE_RETRY_MS;
        seat->outages_ms = is_cared ? outages_ms : seat->outages_ms;
        timers_arm(&seat->table->room->timers, timer, now_ms + more_ms, grace_over);
        return;
    }
    room_tell(seat->table->room,
              &(struct room_notice){.kind = ROOM_GIVEN_UP, .table = seat->table, .seat = seat->number});
}

void room_seat_wake(struct room_seat *seat) {
    struct room *room = seat->table->room;
    seat->outages_ms = tables_outages_ms(room->tables);
    if (seat->is_away && room->is_awake && room->policy.grace_ms != 0)
        timers_arm(&room->timers, &seat->timer, room->now_ms + room->policy.grace_ms, grace_over);
}

void room_seat_miss(struct room_seat *seat) {
    struct room *room = seat->table->room;
    if (seat->is_away || table_state_word(seat->table->table) == TABLE_OVER)
        return;
    seat->is_away = true;
    DL_PREPEND(room->away, seat);
    room_seat_wake(seat);
}

void room_seat_forget(struct room_seat *seat) {
    struct room *room = seat->table->room;
    timers_stop(&room->timers, &seat->timer);
    if (seat->is_away)
        DL_DELETE(room->away, seat);
    seat->is_away = seat->is_leaving = false;
    seat->listeners = 0;
}

void room_seat_presence(struct room_seat *seat) {
    struct room_table *rt = seat->table;
    struct room *room = rt->room;
    bool is_online = table_is_online(rt->table, seat->number), was_away = seat->is_away;
    if (is_online && was_away) {
        DL_DELETE(room->away, seat);
        seat->is_away = seat->is_leaving = false;
        if (room->policy.grace_ms != 0)
            timers_stop(&room->timers, &seat->timer);
    } else if (!is_online) {
        seat->left = ++room->departures;
        if (table_name(rt->table, seat->number)[0] != '\0')
            room_seat_miss(seat);
    }
    if (table_tells_remote(rt->table))
        room_touch(rt);
    room_watch_life(rt, !is_online);
    room_tell(room, &(struct room_notice){.kind = ROOM_PRESENCE,
                                          .table = rt,
                                          .seat = seat->number,
                                          .is_change = was_away != seat->is_away,
                                          .is_ours = !table_tells_remote(rt->table)});
}

void room_seat_take(struct room_table *rt, unsigned seat, struct room_member *m) {
    assert(m->at == rt && m->seat == SEAT_WATCHER);
    rt->seats[seat].member = m;
    m->seat = seat;
    room_answered(m);
    guests_count(rt);
    table_set_online(rt->table, seat, true);
}

enum err room_sit(struct room_member *m, const struct table_guest *guest) {
    struct room_table *rt = m->at;
    enum err e = table_sit(rt->table, guest, NULL, 0, m->room->now_ms);
    if (e != ERR_OK)
        return e;
    room_answered(m);
    rt->sitter = m;
    rt->is_sitting = true;
    return ERR_OK;
}

/* At other nodes a table that is full has begun: nobody gets up there any more, whatever is known here. */
static enum err room_get_up(struct room_table *rt, unsigned seat) {
    bool is_shared = tables_is_shared(rt->room->tables);
    if (is_shared && table_free_seats(rt->table) == 0)
        return ERR_FIELD_INVALID;
    enum err e = table_get_up(rt->table, seat, rt->room->now_ms);
    if (e == ERR_OK && is_shared)
        table_pin_request(rt->table);
    return e;
}

bool room_vacate(struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_seat *place = &rt->seats[seat];
        if (!place->is_leaving || table_state_word(rt->table) != TABLE_RUNNING)
            continue;
        enum err e = room_get_up(rt, seat);
        if (e == ERR_OK || e == ERR_BUSY)
            return true;
        place->is_leaving = false;
        room_tell(rt->room, &(struct room_notice){.kind = ROOM_KEPT, .table = rt, .seat = seat});
    }
    return table_is_busy(rt->table);
}

/* Players without a connection. */

static uint64_t seen_until_ms(const struct room_seat *seat) {
    const struct room_policy *policy = &seat->table->room->policy;
    bool is_waiting = policy->seen_waiting_ms != 0 && table_free_seats(seat->table->table) > 0;
    return seat->seen_ms + (is_waiting ? policy->seen_waiting_ms : policy->seen_ms);
}

/* The timer is not armed again with every request, and the last player may have come since. */
static void seen_over(struct timer *timer, uint64_t now_ms) {
    struct room_seat *seat = TIMER_OWNER(timer, struct room_seat, timer);
    if (seen_until_ms(seat) > now_ms)
        timers_arm(&seat->table->room->timers, timer, seen_until_ms(seat), seen_over);
    else if (seat->listeners == 0)
        table_set_online(seat->table->table, seat->number, false);
}

void room_seen(struct room_table *rt, unsigned seat) {
    struct room_seat *place = &rt->seats[seat];
    if (table_state_word(rt->table) == TABLE_OVER)
        return;
    place->seen_ms = rt->room->now_ms;
    if (!timer_is_armed(&place->timer) || place->timer.due_ms > seen_until_ms(place))
        timers_arm(&rt->room->timers, &place->timer, seen_until_ms(place), seen_over);
    table_set_online(rt->table, seat, true);
}

void room_listen(struct room_table *rt, unsigned seat, bool is_listening) {
    struct room_seat *place = &rt->seats[seat];
    if (!is_listening && place->listeners == 0)
        return; /* the seat was free in between, or the table forgotten */
    place->listeners += is_listening ? 1 : -1;
    if (place->listeners == 0)
        timers_stop(&rt->room->timers, &place->timer);
    table_set_online(rt->table, seat, place->listeners > 0);
}
