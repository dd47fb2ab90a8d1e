/* Rooms and their tables: how tables come to be known, what they tell, and when they go. */
#include "host/room/internal.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "host/lounge/note.h"

#include <assert.h>
#include <utlist.h>

static const struct table_listener room_listener;

void room_tell(struct room *room, const struct room_notice *notice) {
    room->policy.tell(room, notice);
}

static void room_tell_table(struct room_table *rt, enum room_notice_kind kind) {
    room_tell(rt->room, &(struct room_notice){.kind = kind, .table = rt});
}

void room_lobby(struct room *room) {
    room_tell(room, &(struct room_notice){.kind = ROOM_LOBBY});
}

void room_enter(struct room *room, uint64_t now_ms) {
    room->depth++;
    if (now_ms > room->now_ms)
        room->now_ms = now_ms;
}

void room_exit(struct room *room) {
    if (room->depth == 1 && !room->is_ending)
        room_hear_moved(room);
    if (--room->depth == 0)
        room_tell(room, &(struct room_notice){.kind = ROOM_FLUSH});
}

/* What a table tells need not come from a call into this room. */
static struct room_table *room_enter_table(void *context) {
    struct room_table *rt = context;
    room_enter(rt->room, tables_now_ms(rt->room->tables));
    return rt;
}

/* More is told of the same request: what was said leaves when it has settled. */
static void room_exit_step(struct room *room) {
    room->depth--;
}

/* How long tables live. */

/* Bots always are. */
static bool is_person_online(const struct room_table *rt) {
    const struct table *t = rt->table;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_is_online(t, seat) &&
            lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat)).kind == LOUNGE_PERSON)
            return true;
    return false;
}

static uint64_t life_due_ms(const struct room_table *rt) {
    const struct room_policy *policy = &rt->room->policy;
    uint64_t due_ms = TIMERS_NEVER, idle_ms = rt->is_over ? policy->linger_ms : policy->idle_ms;
    if (rt->is_over && !rt->is_listed)
        return 0;
    if (rt->is_over || idle_ms != 0)
        due_ms = rt->touched_ms + idle_ms;
    if (!rt->is_over && policy->wait_ms != 0 && rt->empty_ms + policy->wait_ms < due_ms &&
        table_free_seats(rt->table) > 0 && !is_person_online(rt))
        due_ms = rt->empty_ms + policy->wait_ms;
    if (!rt->is_over && policy->keep_ms != 0 && !room_is_anybody_online(rt) &&
        rt->empty_ms + policy->keep_ms < due_ms)
        due_ms = rt->empty_ms + policy->keep_ms;
    if (!rt->is_over && rt->is_from_door && rt->door_ms < due_ms)
        due_ms = rt->door_ms;
    return due_ms;
}

static void life_due(struct timer *, uint64_t now_ms);

/* The timer may be early: it is looked at when it is due. */
static void life_arm(struct room_table *rt) {
    uint64_t due_ms = life_due_ms(rt);
    if (rt->is_own && rt->room->is_awake && due_ms != TIMERS_NEVER &&
        (!timer_is_armed(&rt->timer) || rt->timer.due_ms > due_ms))
        timers_arm(&rt->room->timers, &rt->timer, due_ms, life_due);
}

/* Whether a player without a connection was heard of at another node. */
static bool room_is_seen_elsewhere(const struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_is_online_elsewhere(rt->table, seat) && table_token(rt->table, seat) != NULL)
            return true;
    return false;
}

static void life_due(struct timer *timer, uint64_t now_ms) {
    struct room_table *rt = TIMER_OWNER(timer, struct room_table, timer);
    struct room *room = rt->room;
    char code[TABLE_CODE_CHARS + 1];
    if (life_due_ms(rt) > now_ms) {
        life_arm(rt);
        return;
    }
    if (rt->is_over) {
        room_table_free(rt);
        return;
    }
    if (!table_is_cared(rt->table)) {
        timers_arm(&room->timers, timer, now_ms + TABLES_CARE_RETRY_MS, life_due);
        return;
    }
    if (rt->is_from_door && rt->door_ms <= now_ms) {
        rt->is_from_door = false;
        if (room_is_forsaken(rt))
            room_table_drop(rt);
        life_arm(rt);
        return;
    }
    if (room_is_seen_elsewhere(rt)) { /* the signs of life are at other nodes */
        rt->touched_ms = now_ms;
        life_arm(rt);
        return;
    }
    table_code_format(rt->id, code);
    log_event(LOG_DEBUG, "table-idle", LOG_TEXT("protocol", span_of(room->policy.protocol)),
              LOG_TEXT("table", span_of(code)));
    room_tell_table(rt, ROOM_IDLE);
    if (table_abandon(rt->table) != ERR_OK)
        timers_arm(&room->timers, timer, now_ms + ROOM_BUSY_RETRY_MS, life_due);
}

void room_watch_life(struct room_table *rt, bool was_online) {
    if (was_online)
        rt->empty_ms = rt->room->now_ms;
    life_arm(rt);
}

static void table_list(struct room_table *rt) {
    struct room *room = rt->room;
    if (rt->is_over)
        DL_APPEND2(room->over, rt, touched_prev, touched_next);
    else
        DL_APPEND2(room->running, rt, touched_prev, touched_next);
    room->over_count += rt->is_over;
    room->own_count += !rt->is_over;
    rt->is_listed = true;
}

static void table_unlist(struct room_table *rt) {
    struct room *room = rt->room;
    if (!rt->is_listed)
        return;
    if (rt->is_over)
        DL_DELETE2(room->over, rt, touched_prev, touched_next);
    else
        DL_DELETE2(room->running, rt, touched_prev, touched_next);
    room->over_count -= rt->is_over;
    room->own_count -= !rt->is_over;
    rt->is_listed = false;
}

void room_touch(struct room_table *rt) {
    rt->touched_ms = rt->room->now_ms;
    if (rt->is_listed) {
        table_unlist(rt);
        table_list(rt);
    }
    life_arm(rt);
}

/* Tables. */

static struct room_table *room_table_add(struct room *room, uint64_t id, unsigned seat_count, bool is_own) {
    struct room_table *rt = mem_alloc(room->policy.table_bytes);
    rt->room = room;
    rt->id = id;
    rt->is_own = is_own;
    rt->is_forming = true;
    rt->touched_ms = rt->empty_ms = room->now_ms;
    rt->seat_count = seat_count < SEATS_MAX ? seat_count : SEATS_MAX; /* more are refused by the table */
    rt->seats = mem_alloc(rt->seat_count * sizeof *rt->seats);
    for (unsigned seat = 0; seat < rt->seat_count; seat++)
        rt->seats[seat] = (struct room_seat){.table = rt, .number = seat};
    HASH_ADD(by_id, room->by_id, id, sizeof rt->id, rt);
    DL_APPEND(room->all, rt);
    DL_APPEND2(room->forming, rt, forming_prev, forming_next);
    if (is_own)
        table_list(rt);
    return rt;
}

void room_table_formed(struct room_table *rt) {
    if (rt->is_forming)
        DL_DELETE2(rt->room->forming, rt, forming_prev, forming_next);
    rt->is_forming = false;
}

static void table_opened(struct room_table *rt) {
    rt->room->opening_count -= rt->is_opening;
    rt->is_opening = false;
    if (rt->creator != NULL)
        rt->creator->creating = NULL;
}

/* When there are too many like it the first one goes, but not here, where somebody may be in the middle of
 * telling of it. */
static void table_over(struct room_table *rt) {
    struct room *room = rt->room;
    bool was_listed = rt->is_listed;
    room_table_formed(rt);
    table_unlist(rt);
    rt->is_over = true;
    if (was_listed)
        table_list(rt);
    if (room->policy.linger_max == 0 || room->over_count <= room->policy.linger_max)
        return;
    struct room_table *first = room->over;
    table_unlist(first);
    life_arm(first);
}

void room_table_hide(struct room_table *rt) {
    if (!rt->is_hidden)
        HASH_DELETE(by_id, rt->room->by_id, rt);
    rt->is_hidden = true;
    table_unlist(rt);
}

void room_table_empty(struct room_table *rt) {
    while (rt->members != NULL) {
        struct room_member *m = rt->members;
        room_member_detach(m);
        room_member_moved(m);
    }
}

/* Everything but the table itself. */
static void room_table_forget(struct room_table *rt) {
    struct room *room = rt->room;
    if (room->policy.answer != NULL)
        room_refuse_all(rt, ERR_CLOSED);
    if (room->policy.forget != NULL)
        room->policy.forget(rt);
    table_opened(rt);
    room_table_formed(rt);
    room_table_empty(rt);
    for (unsigned seat = 0; seat < rt->seat_count; seat++)
        room_seat_forget(&rt->seats[seat]);
    timers_stop(&room->timers, &rt->timer);
    room_table_hide(rt);
    DL_DELETE(room->all, rt);
    if (room->hearing == rt)
        room->hearing = NULL;
}

void room_table_free(struct room_table *rt) {
    static const struct table_listener nobody;
    struct table *table = rt->table;
    room_table_forget(rt);
    if (rt->watch != NULL)
        table_unwatch(rt->watch);
    else if (table != NULL)
        table_listen(table, &nobody);
    if (rt->is_own && table != NULL)
        table_close(table);
    mem_free(rt->seats);
    mem_free(rt);
}

void room_table_release(struct room_table *rt) {
    if (!rt->is_own && rt->members == NULL)
        room_table_free(rt);
}

static void table_abandon_soon(struct room_table *rt) {
    enum err e = table_abandon(rt->table);
    assert(e == ERR_OK || e == ERR_TABLE_OVER || e == ERR_BUSY); /* busy: when it has settled */
    (void)e;
}

void room_table_drop(struct room_table *rt) {
    if (!rt->is_dropped)
        table_abandon_soon(rt);
    rt->is_dropped = true;
}

/* What whoever opened the table for this protocol wants of it. */
static void table_read_house(struct room_table *rt) {
    struct lounge_note note;
    lounge_note_read(table_house_note(rt->table), &note);
    rt->is_by_code = note.is_inspected || note.is_private || note.cup != 0;
    rt->is_private = note.is_private;
}

struct room_table *room_adopt(struct room *room, struct table *table) {
    struct room_table *rt = room_table_add(room, table_id(table), table_options(table)->seat_count,
                                           strcmp(table_protocol(table), room->policy.protocol) == 0);
    struct table_listener listener = room_listener;
    listener.context = rt;
    rt->table = table;
    table_read_house(rt);
    if (rt->is_own)
        table_listen(table, &listener);
    else
        rt->watch = table_watch(table, &listener);
    if (table_state_word(table) == TABLE_OVER)
        table_over(rt);
    if (rt->is_own && tables_is_shared(room->tables)) {
        rt->is_from_door = true;
        rt->door_ms = room->now_ms + ROOM_ARRIVED_KEEP_MS;
    }
    room_tell_table(rt, ROOM_ADOPTED);
    life_arm(rt);
    return rt;
}

bool room_table_is_older(const struct room_table *rt, const struct room_table *than) {
    int64_t ms = table_created_ms(rt->table), than_ms = table_created_ms(than->table);
    return ms < than_ms || (ms == than_ms && rt->id < than->id);
}

struct room_table *room_table_of(const struct room *room, uint64_t id) {
    struct room_table *rt = NULL;
    HASH_FIND(by_id, room->by_id, &id, sizeof id, rt);
    return rt;
}

static struct room_table *room_find_id(struct room *room, uint64_t id) {
    struct room_table *rt = room_table_of(room, id);
    if (rt != NULL)
        return table_state_word(rt->table) == TABLE_RUNNING ? rt : NULL;
    struct table *table = room->policy.looks_on ? tables_find(room->tables, id) : NULL;
    if (table == NULL || (room->policy.game != NULL && table_game(table) != room->policy.game) ||
        table_state_word(table) != TABLE_RUNNING)
        return NULL;
    return room_adopt(room, table);
}

/* A private table is hidden from who has guessed too often. */
static struct room_table *room_find_for(struct room *room, uint64_t id, bool may_guess) {
    struct room_table *rt = room_find_id(room, id);
    if (rt == NULL || !rt->is_private || may_guess)
        return rt;
    room_table_release(rt);
    return NULL;
}

struct room_table *room_find(struct room *room, struct span code, const struct address *asker) {
    uint64_t id;
    bool may_guess = tables_may_guess(room->tables, asker), is_code = table_code_parse(code, &id);
    struct room_table *rt = is_code ? room_find_for(room, id, may_guess) : NULL;
    if (rt == NULL)
        tables_missed(room->tables, asker);
    return rt;
}

/* A journal that cannot be read has nothing newer to show. */
static void room_fetched(void *context, enum err why) {
    struct room_member *m = context;
    struct room *room = m->room;
    (void)why;
    room_enter(room, tables_now_ms(room->tables));
    m->fetch = NULL;
    struct room_table *rt = room_find_for(room, m->fetching, m->may_guess);
    room_tell(room, &(struct room_notice){.kind = ROOM_FETCHED, .member = m, .table = rt});
    room_member_moved(m);
    room_exit(room);
}

bool room_fetch(struct room_member *m, struct span code, const struct address *asker) {
    m->may_guess = tables_may_guess(m->room->tables, asker);
    if (table_code_parse(code, &m->fetching))
        m->fetch = tables_fetch(m->room->tables, m->fetching, room_fetched, m);
    return m->fetch != NULL;
}

/* Nobody plays there: it waits for players, or they have left. After a restart nobody is online yet who
 * plays. Who waits there in person goes only before somebody who has less. */
static bool table_may_go(const struct room_table *rt, bool has_more) {
    bool is_person = is_person_online(rt), waits = table_free_seats(rt->table) > 0;
    bool is_left = rt->touched_ms + ROOM_LEFT_MS <= rt->room->now_ms && !is_person;
    return is_left || (waits && (has_more || !is_person));
}

struct room_table *room_table_least(const struct room *room, const struct address *asker, bool may_be_own) {
    struct room_table *rt, *found = NULL;
    uint32_t own = tables_opened_from(room->tables, asker), most = own;
    DL_FOREACH2(room->running, rt, touched_next) {
        const struct address *opener = table_opener(rt->table);
        uint32_t count = tables_opened_from(room->tables, opener);
        bool is_own = may_be_own && found == NULL && address_equal(opener, asker);
        bool is_busy = rt->is_opening || table_is_busy(rt->table);
        if ((count <= most && !is_own) || (is_busy && !may_be_own) || !table_may_go(rt, count > own))
            continue;
        found = rt;
        most = count > most ? count : most;
    }
    return found;
}

/* A table that goes counts no more from now on, and is over when that is saved. */
static bool table_make_room(struct room *room, const struct address *opener) {
    struct room_table *rt = room_table_least(room, opener, room->policy.drops_own);
    if (rt == NULL || table_abandon(rt->table) != ERR_OK)
        return false;
    table_unlist(rt);
    return true;
}

/* The code of a private table is long, unless its protocol knows no such; or a key has chosen it, which must
 * lead to the same table at every node. */
static uint64_t room_take_id(struct room *room, const struct table_setup *setup) {
    bool is_chosen = setup->id != 0 && (setup->is_fixed || tables_is_shared(room->tables));
    if (!setup->is_private || room->policy.has_short_codes || is_chosen)
        return tables_take_short(room->tables, setup->id);
    return tables_new_id(room->tables);
}

/* Whether one more table may be opened; a table that nobody needs may go for it. */
static bool room_has_room(struct room *room, const struct address *opener) {
    const struct room_policy *policy = &room->policy;
    enum limit limit = LIMIT_COUNT;
    if (tables_is_scarce(room->tables))
        limit = LIMIT_DISK;
    else if (!mem_has_room(TABLE_ROOM_BYTES))
        limit = LIMIT_MEMORY;
    else if (policy->tables_max != 0 && room->own_count >= policy->tables_max &&
             !table_make_room(room, opener))
        limit = LIMIT_TABLES;
    if (limit != LIMIT_COUNT)
        limit_hit(limit, opener);
    return limit == LIMIT_COUNT;
}

/* Another node was first to open the table that was to have this very id: theirs comes in its place, and is
 * adopted. */
static void on_taken(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    struct room *room = rt->room;
    (void)table;
    room_refuse_all(rt, ERR_CLOSED); /* as long as it has a table */
    rt->table = NULL;                /* which is closed by whoever tells this */
    room_table_free(rt);
    room_exit(room);
}

enum err room_open(struct room *room, struct table_setup *setup, struct room_member *creator,
                   struct room_table **out) {
    const struct room_policy *policy = &room->policy;
    struct table_listener listener = room_listener;
    if (tables_is_draining(room->tables))
        return ERR_DRAINING;
    if (!tables_may_open(room->tables, &setup->opener))
        return ERR_ADDRESS_FULL;
    if (!room_has_room(room, &setup->opener))
        return ERR_TOO_MANY;
    setup->id = room_take_id(room, setup);
    struct room_table *rt = room_table_add(room, setup->id, setup->options.seat_count, true);
    setup->protocol = policy->protocol;
    listener.context = rt;
    listener.taken = setup->is_fixed ? on_taken : NULL;
    rt->is_opening = rt->is_opened_here = true;
    room->opening_count++;
    enum err e = table_open(room->tables, setup, &listener, room->now_ms, &rt->table);
    if (e != ERR_OK) {
        room_table_free(rt);
        return e;
    }
    room->asks = 1; /* somebody has answered */
    rt->creator = creator;
    if (creator != NULL)
        creator->creating = rt;
    life_arm(rt);
    *out = rt;
    return ERR_OK;
}

/* What tables tell. */

/* What waited while the request was being saved is heard now. Where each member has its turn, one that
 * always has something to say does not keep the others from being heard. */
static void table_hear(struct room_table *rt) {
    struct room *room = rt->room;
    struct room_member *m;
    DL_FOREACH2(rt->members, m, at_next) m->is_marked = true;
    room->hearing = rt;
    while (room->hearing == rt && !table_is_busy(rt->table)) {
        for (m = rt->members; m != NULL && !m->is_marked;)
            m = m->at_next;
        if (m == NULL)
            break;
        m->is_marked = false;
        if (!room->policy.hears_in_order) {
            DL_DELETE2(rt->members, m, at_prev, at_next);
            DL_APPEND2(rt->members, m, at_prev, at_next);
        }
        room_tell(room, &(struct room_notice){.kind = ROOM_HEAR, .member = m});
    }
    if (room->hearing == rt)
        room->hearing = NULL;
}

/* The clocks of the policy run once all players are known; at tables that were given others these do. */
static void room_set_clocks(struct room_table *rt) {
    const struct room_policy *policy = &rt->room->policy;
    bool is_formed = !rt->is_forming || policy->begins_full;
    if (!rt->is_own || rt->is_over || !is_formed || table_free_seats(rt->table) > 0)
        return;
    if (policy->turn_ms != 0 && table_turn_ms(rt->table) == 0)
        table_set_clock(rt->table, policy->turn_ms, rt->room->now_ms);
    if (policy->game_ms != 0 && table_game_ms(rt->table) == 0)
        table_set_game_clock(rt->table, policy->game_ms, policy->increment_ms, rt->room->now_ms);
}

static void table_settle(struct room_table *rt) {
    struct room_member *creator = rt->creator;
    if (rt->is_opening) {
        table_opened(rt);
        rt->creator = NULL;
        room_tell(rt->room, &(struct room_notice){.kind = ROOM_OPENED, .table = rt, .member = creator});
        if (creator != NULL)
            room_member_moved(creator);
    }
    if (rt->is_dropped)
        table_abandon_soon(rt);
    room_tell_table(rt, ROOM_SETTLED);
    room_set_clocks(rt);
}

static void on_settled(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    struct room *room = rt->room;
    bool is_over = table_state_word(table) == TABLE_OVER;
    room_touch(rt);
    if (is_over) {
        table_opened(rt);
        table_over(rt);
        room_tell_table(rt, ROOM_OVER);
        life_arm(rt);
    } else {
        table_settle(rt);
    }
    if (room->policy.answer != NULL)
        room_requests_settled(rt);
    if (!is_over)
        table_hear(rt);
    else if (rt->is_hidden) /* nobody could look at it any more */
        room_table_free(rt);
    room_lobby(room);
    room_exit(room);
}

static void on_stalled(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    (void)table;
    room_tell_table(rt, ROOM_STALLED);
    room_exit(rt->room);
}

/* What was asked with a ticket is answered with it when the table has settled. */
static void on_refused(void *context, struct table *table, unsigned seat, enum err why) {
    struct room_table *rt = room_enter_table(context);
    struct room_notice notice = {.kind = ROOM_REFUSED, .table = rt, .seat = seat, .why = why};
    (void)table;
    if (seat < rt->seat_count)
        notice.member = rt->is_sitting ? rt->sitter : rt->seats[seat].member;
    rt->is_sitting = false;
    rt->sitter = NULL;
    if (rt->current != NULL)
        rt->current->why = why;
    room_tell(rt->room, &notice);
    room_exit(rt->room);
}

static void on_late(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    struct room *room = rt->room;
    if (room->policy.put_off != NULL && room_requests_late(rt)) {
        if (rt->is_opening) {
            rt->table = NULL; /* it is closed by that */
            room_table_free(rt);
        }
        table_withdraw(table);
    }
    room_exit(room);
}

/* Somebody was connected as this seat here, and the journal says that it is not any more. */
static void seat_lose_member(struct room_seat *place) {
    struct room_member *m = place->member;
    struct room_table *rt = place->table;
    if (m == NULL || table_tells_own(rt->table))
        return;
    room_member_detach(m);
    table_set_online(rt->table, place->number, false);
    room_tell(rt->room, &(struct room_notice){.kind = ROOM_UNSEATED, .member = m});
}

static void on_sat(void *context, struct table *table, unsigned seat) {
    struct room_table *rt = room_enter_table(context);
    struct room_seat *place = &rt->seats[seat];
    struct room_notice notice = {.table = rt, .seat = seat};
    seat_lose_member(place);
    if (table_name(table, seat)[0] == '\0') {
        room_seat_forget(place);
        notice.kind = ROOM_GOT_UP;
        room_tell(rt->room, &notice);
        room_exit_step(rt->room);
        return;
    }
    notice.kind = ROOM_SAT;
    notice.is_ours = rt->is_sitting && table_tells_own(table);
    notice.member = notice.is_ours ? rt->sitter : NULL;
    if (notice.is_ours) {
        rt->is_sitting = false;
        rt->sitter = NULL;
    }
    room_tell(rt->room, &notice);
    if (notice.member != NULL)
        room_seat_take(rt, seat, notice.member);
    else if (notice.is_ours)
        room_seat_miss(place);
    room_exit_step(rt->room);
}

static void room_table_step(struct room_table *rt, enum room_notice_kind kind,
                            const struct table_notice *step) {
    room_enter_table(rt);
    room_tell(rt->room, &(struct room_notice){.kind = kind, .table = rt, .seat = step->seat, .played = step});
    room_exit_step(rt->room);
}

static void on_played(void *context, const struct table_notice *step) {
    room_table_step(context, ROOM_PLAYED, step);
}

static void on_attended(void *context, const struct table_notice *step) {
    room_table_step(context, ROOM_ATTENDED, step);
}

static void on_presence(void *context, struct table *table, unsigned seat) {
    struct room_table *rt = room_enter_table(context);
    (void)table;
    if (!rt->is_over)
        room_seat_presence(&rt->seats[seat]);
    room_exit(rt->room);
}

static void on_doubled(void *context, struct table *table, unsigned seat) {
    struct room_table *rt = room_enter_table(context);
    struct room_member *m = rt->seats[seat].member;
    (void)table;
    if (m != NULL && !rt->is_over)
        room_tell(rt->room, &(struct room_notice){.kind = ROOM_DOUBLED, .member = m});
    room_exit(rt->room);
}

static void on_guests(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    struct room *room = rt->room;
    (void)table;
    if (!rt->is_over)
        room_tell_table(rt, ROOM_GUESTS);
    room_lobby(room);
    room_exit(room);
}

/* Somebody else's table is gone; perhaps its owner has closed it with the last request. */
static void room_on_closed(void *context, struct table *table) {
    struct room_table *rt = room_enter_table(context);
    struct room *room = rt->room;
    if (!table_is_busy(table))
        room_current_answer(rt);
    room_tell_table(rt, ROOM_CLOSED);
    room_refuse_all(rt, ERR_CLOSED); /* as long as it has a table */
    rt->watch = NULL;
    rt->table = NULL;
    room_table_free(rt);
    room_exit(room);
}

static const struct table_listener room_listener = {
    .settled = on_settled,
    .stalled = on_stalled,
    .refused = on_refused,
    .late = on_late,
    .sat = on_sat,
    .played = on_played,
    .attended = on_attended,
    .presence = on_presence,
    .doubled = on_doubled,
    .guests = on_guests,
    .closed = room_on_closed,
};

/* The room itself. */

static void room_adopt_own(void *context, struct table *table) {
    struct room *room = context;
    if (strcmp(table_protocol(table), room->policy.protocol) == 0 && table_state_word(table) != TABLE_OVER)
        room_adopt(room, table);
}

static enum err door_open(void *context, const struct table_wish *wish, uint64_t now_ms, struct table **out) {
    struct room *room = context;
    struct table_setup setup = {.id = wish->id,
                                .game = room->policy.game,
                                .options = wish->options,
                                .house = wish->house,
                                .opener = wish->opener,
                                .is_private = wish->is_private,
                                .is_fixed = wish->is_fixed};
    struct room_table *rt;
    enum err e = game_options_check(setup.game, &setup.options);
    room_enter(room, now_ms);
    if (e == ERR_OK && room->policy.admits != NULL)
        e = room->policy.admits(room, &setup);
    if (e == ERR_OK)
        e = room_open(room, &setup, NULL, &rt);
    if (e == ERR_OK) {
        rt->is_from_door = true;
        table_read_house(rt);
        rt->door_ms = room->policy.door_keep_ms == 0 ? TIMERS_NEVER : now_ms + room->policy.door_keep_ms;
        life_arm(rt);
        *out = rt->table;
    }
    room_exit(room);
    return e;
}

/* Another node has opened a table of this protocol. */
static void room_came(void *context, struct table *table) {
    struct room *room = context;
    if (strcmp(table_protocol(table), room->policy.protocol) != 0)
        return;
    room_enter(room, tables_now_ms(room->tables));
    struct room_table *rt = room_adopt(room, table);
    room_set_clocks(rt);
    if (room->is_awake)
        room_tell_table(rt, ROOM_AWAKE);
    room_lobby(room);
    room_exit(room);
}

/* Players with connections of whom nobody has said that they are there. */
static void room_miss_players(struct room_table *rt) {
    for (unsigned seat = 0; rt->room->policy.grace_ms != 0 && seat < room_seat_count(rt); seat++)
        if (table_name(rt->table, seat)[0] != '\0' && !table_is_online(rt->table, seat) &&
            table_token(rt->table, seat) == NULL)
            room_seat_miss(&rt->seats[seat]);
}

/* Who was at the tables through nodes that are gone may never have been heard of here: what nobody seems to
 * want is kept as if that began now. */
static void room_company(void *context) {
    struct room *room = context;
    struct room_table *rt, *next;
    if (!room->is_awake)
        return;
    room_enter(room, tables_now_ms(room->tables));
    DL_FOREACH_SAFE(room->all, rt, next) {
        if (rt->is_over || rt->is_opening)
            continue;
        rt->touched_ms = rt->empty_ms = room->now_ms;
        room_miss_players(rt);
        room_tell_table(rt, ROOM_AWAKE);
    }
    room_lobby(room);
    room_exit(room);
}

void room_begin(struct room *room, const struct room_policy *policy, struct tables *tables) {
    room->policy = *policy;
    room->tables = tables;
    room->now_ms = tables_now_ms(tables);
    tables_each(tables, room_adopt_own, room);
    tables_greet(tables, &(struct tables_greeter){room, room_came, room_company});
    if (policy->game != NULL)
        tables_add_door(tables, &(struct table_door){.protocol = policy->protocol,
                                                     .game = policy->game,
                                                     .context = room,
                                                     .open = door_open});
}

struct room *room_of_protocol(const struct tables *tables, const char *protocol) {
    const struct table_door *door = tables_door(tables, span_of(protocol));
    return door == NULL || door->open != door_open ? NULL : door->context;
}

void room_end(struct room *room) {
    room->is_ending = true;
    tables_ungreet(room->tables, room);
    if (room->policy.game != NULL)
        tables_remove_door(room->tables, room->policy.protocol);
    while (room->all != NULL)
        room_table_free(room->all);
    while (room->members != NULL)
        room_member_free(room->members);
    timers_free(&room->timers);
}

uint64_t room_next_ms(const struct room *room) {
    return room->is_awake ? timers_next_ms(&room->timers) : 0;
}

/* What was brought back has had nobody for an unknown time; it is kept as if that began now. */
static void room_wake(struct room *room) {
    struct room_table *rt, *next;
    room->is_awake = true;
    DL_FOREACH_SAFE(room->all, rt, next) {
        rt->touched_ms = rt->empty_ms = room->now_ms;
        if (tables_is_shared(room->tables))
            rt->door_ms = room->now_ms + ROOM_ARRIVED_KEEP_MS;
        life_arm(rt);
        for (unsigned seat = 0; seat < rt->seat_count; seat++)
            room_seat_wake(&rt->seats[seat]);
        room_set_clocks(rt);
        room_tell_table(rt, ROOM_AWAKE);
    }
    room_lobby(room);
}

void room_advance(struct room *room, uint64_t now_ms) {
    room_enter(room, now_ms);
    if (!room->is_awake)
        room_wake(room);
    timers_advance(&room->timers, now_ms);
    room_exit(room);
}
