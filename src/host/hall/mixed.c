#include "host/hall/internal.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "host/lounge/note.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

enum { MIXED_NUMBER_BYTES = 8 }; /* " (10)" */

/* A player of the hall at such a table, as its room knows it. */
struct mixed_member {
    struct room_member room;
    struct hall_member *player;
};

struct mixed_table {
    struct room_table room;
    struct relay
        *relay; /* the game as players of the hall know it; NULL: it has not begun for them, or is over */
    struct buf points; /* of the turn so far; of a broken one as it was sent */
    enum err broken;   /* the rule that the last move broke; ERR_OK: none */
    bool has_move;     /* a move waits until the table can take it: */
    struct hall_message move;
    struct buf move_points, move_payload;
    bool is_ready; /* a player of the hall could sit down: in a list of those */
    bool is_empty; /* ... the one of tables where nobody sits */
    struct mixed_table *ready_prev, *ready_next;
};

struct mixed {
    struct room room;
    struct mixed_config config;
    struct hall *hall;         /* NULL: it is at another node */
    struct mixed_table *ready; /* where somebody waits, the one that does for the longest time first */
    struct mixed_table *empty; /* the same where nobody does: players go there when there is no other */
    struct mixed_table *lone;  /* where one player of the hall waits, and nobody else; NULL: there is none */
};

static struct mixed_table *mixed_table_of(struct room_table *rt) {
    return (struct mixed_table *)(void *)rt;
}

static struct mixed *mixed_of(const struct mixed_table *mt) {
    return (struct mixed *)(void *)mt->room.room;
}

static struct mixed_member *mixed_member_of(struct room_member *m) {
    return (struct mixed_member *)(void *)m;
}

static bool mixed_is_served(const struct mixed *mixed) {
    return mixed->hall != NULL && !mixed->hall->is_ending;
}

/* The pool whose players sit down at these tables; NULL: there is none. */
static struct pool *mixed_pool(const struct mixed *mixed) {
    bool has_pool = mixed_is_served(mixed) && mixed->config.has_door && mixed->hall->local != NULL;
    return has_pool ? mixed->hall->local->pool : NULL;
}

/* Whether a player of the hall sits there. */
static bool mixed_is_ours(const struct table *t, unsigned seat) {
    struct lounge_face face = lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat));
    return face.kind == LOUNGE_PERSON && strcmp(face.protocol, HALL_PROTOCOL) == 0;
}

static bool mixed_has_ours(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (mixed_is_ours(t, seat))
            return true;
    return false;
}

static bool mixed_has_others(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (table_name(t, seat)[0] != '\0' && !mixed_is_ours(t, seat))
            return true;
    return false;
}

/* Whether a player of the hall sits there who is connected. */
static bool mixed_has_seated(const struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (rt->seats[seat].member != NULL)
            return true;
    return false;
}

static const struct pitch *mixed_pitch(const struct table *t) {
    return pitch_of_view(table_view(t, SEAT_WATCHER));
}

/* Tables that wait for a player. */

static void mixed_unready(struct mixed_table *mt) {
    struct mixed *mixed = mixed_of(mt);
    if (mt->is_ready && mt->is_empty)
        DL_DELETE2(mixed->empty, mt, ready_prev, ready_next);
    else if (mt->is_ready)
        DL_DELETE2(mixed->ready, mt, ready_prev, ready_next);
    mt->is_ready = false;
    if (mixed->lone == mt)
        mixed->lone = NULL;
}

/* A member of the room ends; its player is where the caller brings it. */
static struct hall_member *mixed_part(struct mixed_member *place) {
    struct hall_member *player = place->player;
    room_member_leave(&place->room);
    room_member_free(&place->room);
    player->place = NULL;
    return player;
}

static void mixed_back_to_pool(struct mixed_member *place) {
    struct hall_member *player = mixed_part(place);
    pool_wait(player);
    pool_match(player->pool);
}

/* Whether everybody who sits there is there. */
static bool mixed_is_attended(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (table_name(t, seat)[0] != '\0' && !table_is_online(t, seat))
            return false;
    return true;
}

static void mixed_look(struct mixed_table *);

/* The player comes to the table, and sits down there as soon as it can. */
static void mixed_come(struct hall_member *player, struct mixed_table *mt) {
    struct mixed_member *place = mixed_member_of(room_member_add(mt->room.room));
    pool_forget(player);
    place->player = player;
    player->place = place;
    room_member_come(&place->room, &mt->room);
    mixed_look(mt);
}

/* A player of the hall waits alone elsewhere, and somebody else waits here: they are to meet. */
static void mixed_recall(struct mixed_table *mt) {
    struct mixed_table *lone = mixed_of(mt)->lone;
    if (lone == NULL || lone == mt || !mixed_has_others(mt->room.table) || table_is_busy(lone->room.table) ||
        lone->room.members == NULL)
        return;
    struct mixed_member *place = mixed_member_of(lone->room.members);
    mixed_unready(lone);
    room_table_drop(&lone->room);
    mixed_come(mixed_part(place), mt);
}

/* The table has a free seat and nothing is on its way. */
static void mixed_offer(struct mixed_table *mt) {
    struct mixed *mixed = mixed_of(mt);
    struct pool *pool = mixed_pool(mixed);
    const struct table *t = mt->room.table;
    if (pool == NULL || mt->room.is_by_code || !mixed_is_attended(t))
        return;
    mt->is_ready = true;
    mt->is_empty = room_seats_taken(&mt->room) == 0;
    if (mt->is_empty)
        DL_APPEND2(mixed->empty, mt, ready_prev, ready_next);
    else
        DL_APPEND2(mixed->ready, mt, ready_prev, ready_next);
    if (mixed_has_ours(t) && !mixed_has_others(t))
        mixed->lone = mt;
    pool_match(pool);
    if (mt->is_ready)
        mixed_recall(mt);
}

/* Sitting down. */

static bool mixed_is_name_at(const struct room_table *rt, struct span name) {
    return room_seat_named(rt, name) != SEAT_WATCHER;
}

/* Where nobody sits yet chance decides on the seat, and with it on who begins. */
static unsigned mixed_seat(const struct room_table *rt) {
    return room_seats_taken(rt) > 0 ? room_seat_free(rt) : table_draw_seat(rt->table);
}

/* Others at the table may have the name of the player: then it has a number behind it there. */
static enum err mixed_sit(struct mixed_member *place) {
    struct room_table *rt = place->room.at;
    char numbered[HALL_NICK_BYTES_MAX + MIXED_NUMBER_BYTES + 1];
    struct span name = span_of(place->player->nick);
    for (unsigned number = 2; mixed_is_name_at(rt, name); number++) {
        snprintf(numbered, sizeof numbered, "%s (%u)", place->player->nick, number);
        name = span_of(numbered);
    }
    return room_sit(&place->room, &(struct table_guest){.seat = mixed_seat(rt), .name = name});
}

/* Whoever is at the table without a seat sits down, or goes back when there is none. True when the table is
 * busy with it, or is not what it was. */
static bool mixed_seat_members(struct mixed_table *mt) {
    struct room_member *m = mt->room.members;
    while (m != NULL && m->seat != SEAT_WATCHER)
        m = m->at_next;
    if (m == NULL)
        return false;
    if (table_free_seats(mt->room.table) == 0 || mixed_sit(mixed_member_of(m)) != ERR_OK)
        mixed_back_to_pool(mixed_member_of(m));
    return true;
}

/* The game, as players of the hall know it. */

/* The name of somebody who is not of the hall as its players may see it: without blanks, and not that of
 * another player of the game. */
static void mixed_nick(const char *name, const char *taken, char nick[HALL_NICK_BYTES_MAX + 1]) {
    struct span text = span_of(name);
    size_t size = 0;
    while (text.size > 0) {
        const char *start = text.data;
        int32_t c = utf8_next(&text);
        size_t bytes = (size_t)(text.data - start);
        bool is_good = c >= 0 && !utf8_is_blank(c);
        if (size + bytes > HALL_NICK_BYTES_MAX - MIXED_NUMBER_BYTES)
            break;
        memcpy(nick + size, is_good ? start : "_", is_good ? bytes : 1);
        size += is_good ? bytes : 1;
    }
    nick[size] = '\0';
    if (strcmp(nick, taken) == 0)
        memcpy(nick + size, "_2", sizeof "_2");
}

static void mixed_begin(struct mixed_table *mt, unsigned mover) {
    struct mixed *mixed = mixed_of(mt);
    struct relay_seat seats[2] = {0};
    char code[TABLE_CODE_CHARS + 1];
    for (unsigned seat = 0; seat < 2; seat++) {
        struct room_member *m = mt->room.seats[seat].member;
        if (m != NULL) {
            seats[seat].member = mixed_member_of(m)->player;
            memcpy(seats[seat].nick, seats[seat].member->nick, sizeof seats[seat].nick);
        }
    }
    for (unsigned seat = 0; seat < 2; seat++)
        if (seats[seat].member == NULL)
            mixed_nick(table_name(mt->room.table, seat), seats[1 - seat].nick, seats[seat].nick);
    table_code_format(mt->room.id, code);
    room_table_formed(&mt->room);
    buf_clear(&mt->points);
    mt->broken = ERR_OK;
    mt->relay = relay_join(mixed_pool(mixed), code, seats, 2, mt);
    relay_next(mt->relay, NULL, 0, mover);
}

static struct span mixed_points(const struct mixed_table *mt) {
    return buf_span(&mt->points);
}

static void mixed_told(struct mixed_table *mt, unsigned mover) {
    struct span points = mixed_points(mt);
    relay_next(mt->relay, (const struct pitch_point *)(const void *)points.data,
               points.size / sizeof(struct pitch_point), mover);
    buf_clear(&mt->points);
}

/* One step of whoever is on turn. A turn that has ended is told as one move. */
static void mixed_played(struct mixed_table *mt, const struct table_notice *step) {
    const struct table *t = mt->room.table;
    if (!mixed_is_served(mixed_of(mt)) || !mixed_has_ours(t))
        return;
    unsigned before = pitch_of_view(notice_before(step, SEAT_WATCHER))->mover;
    const struct pitch *pitch = mixed_pitch(t);
    struct pitch_point ball = pitch_point_of(pitch->ball);
    unsigned mover = pitch->mover;
    bool has_passed = !pitch->is_over && mover != before;
    if (mt->relay == NULL && mixed_has_seated(&mt->room))
        mixed_begin(mt, before);
    if (mt->relay == NULL)
        return;
    buf_append(&mt->points, span_make(&ball, sizeof ball));
    if (has_passed)
        mixed_told(mt, mover);
}

/* The players of the hall have to do with the table no more. */
static void mixed_end_relay(struct mixed_table *mt) {
    if (mt->relay == NULL)
        return;
    mt->relay->mixed = NULL;
    mt->relay->pool->hall->counts.mixed_tables--;
    mt->relay = NULL;
}

static void mixed_forget_move(struct mixed_table *mt) {
    mt->has_move = false;
    buf_free(&mt->move_points);
    buf_free(&mt->move_payload);
}

/* What it says after the end is said to players who are at no table of the room any more. */
static void mixed_over(struct mixed_table *mt) {
    struct mixed *mixed = mixed_of(mt);
    const struct table *t = mt->room.table;
    struct relay *relay = mt->relay;
    int32_t points[SEATS_MAX];
    mixed_unready(mt);
    mixed_forget_move(mt);
    while (mt->room.members != NULL) {
        struct mixed_member *place = mixed_member_of(mt->room.members);
        if (relay == NULL)
            mixed_back_to_pool(place);
        else
            mixed_part(place);
    }
    if (relay == NULL)
        return;
    mixed_end_relay(mt);
    if (table_outcome(t) == OUTCOME_UNDECIDED) {
        relay_undecided(mixed->hall, span_of(relay->id));
        return;
    }
    struct span drawn = mixed_points(mt);
    if (table_outcome(t) != OUTCOME_PLAYED && mt->broken == ERR_OK)
        drawn = SPAN("");
    table_points(t, points);
    relay_finish(relay, (const struct pitch_point *)(const void *)drawn.data,
                 drawn.size / sizeof(struct pitch_point), mt->broken, points);
}

static void mixed_play(struct mixed_table *mt, const struct hall_message *m) {
    struct mixed *mixed = mixed_of(mt);
    enum err e = master_act(mt->room.table, m, mixed->config.inspector, mixed->room.now_ms);
    assert(e != ERR_BUSY);
    mt->broken = e;
    if (e == ERR_OK)
        return;
    buf_clear(&mt->points);
    if (m->unread == ERR_OK)
        buf_append(&mt->points, span_make(m->points, m->point_count * sizeof *m->points));
}

static void mixed_keep_move(struct mixed_table *mt, const struct hall_message *m) {
    mt->has_move = true;
    mt->move = *m;
    buf_append(&mt->move_points, span_make(m->points, m->point_count * sizeof *m->points));
    buf_append(&mt->move_payload, m->payload);
}

static void mixed_play_kept(struct mixed_table *mt) {
    struct hall_message m = {.type = HALL_MOVE,
                             .points = (const struct pitch_point *)(const void *)mt->move_points.data,
                             .point_count = mt->move.point_count,
                             .payload = buf_span(&mt->move_payload),
                             .unread = mt->move.unread};
    mixed_play(mt, &m);
    mixed_forget_move(mt);
}

/* Players of the hall who are gone. */

/* The seat of one that has gone, the first of them; or SEAT_WATCHER. */
static unsigned mixed_gone(const struct room_table *rt) {
    unsigned found = SEAT_WATCHER;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (mixed_is_ours(rt->table, seat) && rt->seats[seat].member == NULL &&
            (found == SEAT_WATCHER || rt->seats[seat].left < rt->seats[found].left))
            found = seat;
    return found;
}

/* True when the table is busy with the seat of somebody who has gone. */
static bool mixed_clear(struct mixed_table *mt) {
    struct room_table *rt = &mt->room;
    struct table *t = rt->table;
    unsigned seat = mixed_gone(rt);
    if (seat == SEAT_WATCHER)
        return false;
    bool is_late = mt->relay != NULL && mt->relay->seat[seat].is_silent;
    if (mt->relay != NULL) {
        enum err e = master_give_up(t, seat, is_late ? mixed_of(mt)->config.move_timeout_ms : 0);
        assert(e == ERR_OK);
        (void)e;
        return true;
    }
    bool waits = table_free_seats(t) > 0 || (mixed_has_others(t) && !table_has_begun(t));
    rt->seats[seat].is_leaving = waits;
    if (!waits || !room_vacate(rt)) /* a hall before has left it behind */
        room_table_drop(rt);
    return true;
}

/* The table has settled, or something about who is there has changed. */
static void mixed_look(struct mixed_table *mt) {
    struct room_table *rt = &mt->room;
    struct table *t = rt->table;
    mixed_unready(mt);
    if (!mixed_is_served(mixed_of(mt)) || rt->is_opening || rt->is_dropped || rt->is_over || table_is_busy(t))
        return;
    if (mixed_clear(mt) || mixed_seat_members(mt))
        return;
    if (table_free_seats(t) > 0) {
        mixed_offer(mt);
        if (!table_is_busy(t) && room_is_forsaken(rt)) {
            mixed_unready(mt);
            room_table_drop(rt);
        }
    } else if (mt->relay == NULL && mixed_has_seated(rt)) {
        mixed_begin(mt, mixed_pitch(t)->mover);
    } else if (mt->has_move) {
        mixed_play_kept(mt);
    }
}

/* Players of the hall have its own clock; bots have none. The same at every node. */
static void mixed_clock(struct mixed_table *mt) {
    const struct mixed *mixed = mixed_of(mt);
    struct table *t = mt->room.table;
    if (table_free_seats(t) > 0 || table_state_word(t) != TABLE_RUNNING)
        return;
    unsigned mover = mixed_pitch(t)->mover;
    struct lounge_face face = lounge_face_of(table_protocol(t), table_name(t, mover), table_note(t, mover));
    bool has_clock = face.kind == LOUNGE_PERSON && !mixed_is_ours(t, mover);
    uint32_t turn_ms = has_clock ? mixed->config.move_timeout_ms : 0;
    if (table_turn_ms(t) != turn_ms)
        table_set_clock(t, turn_ms, mixed->room.now_ms);
}

static void mixed_tell(struct room *room, const struct room_notice *n) {
    struct mixed *mixed = (struct mixed *)(void *)room;
    struct mixed_table *mt = n->table == NULL ? NULL : mixed_table_of(n->table);
    struct hall *hall = mixed->hall;
    if (hall != NULL)
        hall_enter(hall, room->now_ms > hall->now_ms ? room->now_ms : hall->now_ms);
    switch (n->kind) {
    case ROOM_ADOPTED:
    case ROOM_AWAKE:
    case ROOM_SETTLED:
        mixed_clock(mt);
        mixed_look(mt);
        break;
    case ROOM_PRESENCE:
        if (table_free_seats(mt->room.table) > 0)
            mixed_look(mt);
        break;
    case ROOM_PLAYED: mixed_played(mt, n->played); break;
    case ROOM_OVER: mixed_over(mt); break;
    case ROOM_UNSEATED: mixed_back_to_pool(mixed_member_of(n->member)); break;
    case ROOM_STALLED:
        if (mt->relay != NULL)
            relay_stall(hall, span_of(mt->relay->id));
        break;
    default: break;
    }
    if (hall != NULL)
        hall_exit(hall);
}

static void mixed_forget(struct room_table *rt) {
    struct mixed_table *mt = mixed_table_of(rt);
    mixed_unready(mt);
    mixed_forget_move(mt);
    buf_free(&mt->points);
    mixed_end_relay(mt);
    while (rt->members != NULL)
        mixed_part(mixed_member_of(rt->members));
}

/* Which goal is whose players of the hall know without a word. Those tables have numbers, as their other
 * games, to which they come without naming them; but not where several nodes would count. */
static enum err mixed_admits_setup(struct room *room, struct table_setup *setup) {
    const struct mixed *mixed = (const struct mixed *)(const void *)room;
    int32_t *attack = &setup->options.value[PITCH_OPTION_FIRST_ATTACKS];
    struct game_options usual = game_options_default(&paper_soccer_game, 2);
    char house[EVENT_NOTE_BYTES_MAX + 1];
    struct lounge_note note;
    if (*attack == usual.value[PITCH_OPTION_FIRST_ATTACKS])
        *attack = (int32_t)mixed->config.first_attack;
    if (*attack != (int32_t)mixed->config.first_attack)
        return ERR_OPTION_INVALID;
    setup->violation_loses = true;
    if (!span_copy(setup->house, house, sizeof house))
        return ERR_FIELD_INVALID;
    lounge_note_read(house, &note);
    bool has_number = !setup->is_private && !note.is_inspected && !tables_is_shared(room->tables);
    if (setup->id == 0 && has_number)
        setup->id = tables_new_number(room->tables);
    return ERR_OK;
}

/* The room itself. */

struct mixed *mixed_create(const struct mixed_config *config) {
    struct mixed *mixed = mem_alloc(sizeof *mixed);
    mixed->config = *config;
    room_begin(&mixed->room,
               &(struct room_policy){.protocol = HALL_PROTOCOL,
                                     .game = config->has_door ? &paper_soccer_game : NULL,
                                     .member_bytes = sizeof(struct mixed_member),
                                     .table_bytes = sizeof(struct mixed_table),
                                     .tables_max = MIXED_TABLES_MAX,
                                     .wait_ms = ROOM_WAIT_MS,
                                     .door_keep_ms = MIXED_DOOR_KEEP_MS,
                                     .idle_ms = MIXED_IDLE_MS,
                                     .linger_ms = MIXED_LINGER_MS,
                                     .linger_max = MIXED_LINGER_MAX,
                                     .tell = mixed_tell,
                                     .forget = mixed_forget,
                                     .admits = mixed_admits_setup},
               config->tables);
    return mixed;
}

void mixed_free(struct mixed *mixed) {
    room_end(&mixed->room);
    mem_free(mixed);
}

uint64_t mixed_next_ms(const struct mixed *mixed) {
    return room_next_ms(&mixed->room);
}

void mixed_advance(struct mixed *mixed, uint64_t now_ms) {
    room_advance(&mixed->room, now_ms);
}

void mixed_restored(struct table *table) {
    bool waits = table_free_seats(table) > 0 || (mixed_has_others(table) && !table_has_begun(table));
    if (mixed_has_ours(table) && !waits)
        master_restored(table);
    else
        table_disown(table); /* its room asks for it */
}

/* A table that no room has: the hall was here before, and has left it behind. */
static void mixed_adopt_left(void *context, struct table *table) {
    struct mixed *mixed = context;
    if (strcmp(table_protocol(table), HALL_PROTOCOL) == 0 && table_state_word(table) == TABLE_RUNNING &&
        room_table_of(&mixed->room, table_id(table)) == NULL)
        room_adopt(&mixed->room, table);
}

void mixed_attach(struct mixed *mixed, struct hall *hall) {
    struct room_table *rt, *next;
    mixed->hall = hall;
    hall->mixed = mixed;
    room_enter(&mixed->room, tables_now_ms(mixed->room.tables));
    DL_FOREACH_SAFE(mixed->room.all, rt, next) mixed_look(mixed_table_of(rt));
    tables_each(mixed->room.tables, mixed_adopt_left, mixed);
    room_exit(&mixed->room);
}

void mixed_detach(struct mixed *mixed) {
    struct room_table *rt;
    room_enter(&mixed->room, tables_now_ms(mixed->room.tables));
    mixed->hall->mixed = NULL;
    mixed->hall = NULL;
    DL_FOREACH(mixed->room.all, rt) {
        struct mixed_table *mt = mixed_table_of(rt);
        mixed_unready(mt);
        mixed_forget_move(mt);
        mixed_end_relay(mt);
        while (rt->members != NULL)
            mixed_part(mixed_member_of(rt->members));
    }
    room_exit(&mixed->room);
}

/* What the hall asks of it. */

void mixed_fill(struct pool *pool) {
    struct mixed *mixed = pool->hall->mixed;
    if (mixed == NULL || pool != mixed_pool(mixed))
        return;
    room_enter(&mixed->room, pool->hall->now_ms);
    while (pool->free != NULL && (mixed->ready != NULL || mixed->empty != NULL) && pool_has_room(pool))
        mixed_come(pool->free, mixed->ready != NULL ? mixed->ready : mixed->empty);
    room_exit(&mixed->room);
}

bool mixed_open(struct pool *pool, const struct address *opener) {
    struct mixed *mixed = pool->hall->mixed;
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2),
                                .violation_loses = true,
                                .opener = *opener};
    struct room_table *rt;
    setup.options.value[PITCH_OPTION_FIRST_ATTACKS] = mixed->config.first_attack;
    if (!tables_is_shared(mixed->room.tables))
        setup.id = tables_new_number(mixed->room.tables);
    room_enter(&mixed->room, pool->hall->now_ms);
    enum err e = room_open(&mixed->room, &setup, NULL, &rt);
    room_exit(&mixed->room);
    return e == ERR_OK;
}

bool mixed_is_open_to(const struct pool *pool) {
    const struct mixed *mixed = pool->hall->mixed;
    return mixed != NULL && pool == mixed_pool(mixed) && mixed->room.opening_count == 0;
}

/* "paper-soccer#CODE", where the code is no number: those are of championships. */
static bool mixed_code(const struct hall *hall, struct span type, struct span *code) {
    const char *hash = memchr(type.data, '#', type.size);
    bool has_letter = false;
    if (hash == NULL)
        return false;
    *code = span_make(hash + 1, type.size - (size_t)(hash + 1 - type.data));
    for (size_t i = 0; i < code->size; i++)
        has_letter |= code->data[i] < '0' || code->data[i] > '9';
    struct span game = hall_type_canonical(hall, span_make(type.data, (size_t)(hash - type.data)));
    return has_letter && span_is(game, master_types[0]);
}

enum hall_login_error mixed_admits(struct hall *hall, struct span type, const struct address *asker,
                                   struct mixed_table **out) {
    struct mixed *mixed = hall->mixed;
    struct span code;
    *out = NULL;
    if (mixed == NULL || mixed_pool(mixed) == NULL || !mixed_code(hall, type, &code))
        return HALL_LOGIN_OK;
    room_enter(&mixed->room, hall->now_ms);
    struct room_table *rt = room_find(&mixed->room, code, asker);
    room_exit(&mixed->room);
    if (rt == NULL || rt->is_dropped)
        return HALL_LOGIN_GAME_TYPE;
    *out = mixed_table_of(rt);
    return table_free_seats(rt->table) == 0 ? HALL_LOGIN_POOL_FULL : HALL_LOGIN_OK;
}

void mixed_enter(struct hall_member *player, struct mixed_table *mt) {
    room_enter(mt->room.room, player->hall->now_ms);
    mixed_come(player, mt);
    room_exit(mt->room.room);
}

void mixed_leave(struct hall_member *player) {
    struct mixed_member *place = player->place;
    if (place == NULL)
        return;
    struct room *room = place->room.room;
    struct mixed_table *mt = mixed_table_of(place->room.at);
    room_enter(room, player->hall->now_ms);
    mixed_part(place);
    mixed_look(mt);
    room_exit(room);
}

void mixed_take(struct mixed_table *mt, size_t seat, const struct hall_message *m) {
    struct room *room = mt->room.room;
    room_enter(room, mt->relay->pool->hall->now_ms);
    if (m->type == HALL_PLAYER_LEFT_GAME) {
        struct room_member *member = mt->room.seats[seat].member;
        if (member != NULL)
            mixed_part(mixed_member_of(member));
        mixed_forget_move(mt);
        mixed_look(mt);
    } else if (m->type == HALL_MOVE && table_is_busy(mt->room.table)) {
        mixed_keep_move(mt, m);
    } else if (m->type == HALL_MOVE) {
        mixed_play(mt, m);
    }
    room_exit(room);
}
