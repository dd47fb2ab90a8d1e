/* Eriantys for its own clients: games by code, a waiting room, and a pause whenever somebody is missing.
 * Everything that happens at a table is told from what the room tells, so that it makes no difference through
 * which protocol somebody sits or plays. Numbers in comments are those of the tolerances in
 * docs/protocols/eriantys.md. */
#include "wire/eriantys/port.h"

#include "base/log.h"
#include "base/mem.h"
#include "wire/eriantys/dialect.h"
#include "wire/json/room_port.h"

#include <assert.h>
#include <utlist.h>

enum { MISTAKES_MAX = 8 }; /* lines in a row that are no message */

struct eriantys_member {
    struct json_member json;
    bool is_pinged;
    bool pongs_unasked; /* of the kind that cannot bear forwarded commands */
    unsigned mistakes;  /* in a row */
};

/* Where a turn stands; two that differ belong to different turns. */
struct eriantys_turn {
    bool is_planning;
    uint8_t round, turn, mover;
};

struct eriantys_table {
    struct room_table room;
    bool is_started;                /* everybody was there at least once, or had a seat before a restart */
    bool is_paused;                 /* the clients are in the waiting room: they are told nothing else */
    bool has_step;                  /* a command was played with the request that settles next */
    uint64_t step_version;          /* of the table before it */
    struct eriantys_turn step_turn; /* the turn to which it belonged */
    unsigned wizards[ERIANTYS_SEATS_MAX];
};

struct eriantys_port_config eriantys_port_config_default(void) {
    return (struct eriantys_port_config){
        /* The first ping is late, so that programs which pong without being asked are known by it. */
        .json = {.ping_first_ms = 1500,
                 .ping_every_ms = 1000,
                 .silence_ms = 10000,
                 .protocol = ERIANTYS_PROTOCOL},
        .keep_ms = 60 * 60 * 1000,
        .tables_max = 10000,
    };
}

static struct eriantys_member *eriantys_member(struct room_member *m) {
    return (struct eriantys_member *)(void *)m;
}

static struct eriantys_table *eriantys_table(struct room_table *rt) {
    return (struct eriantys_table *)(void *)rt;
}

/* Tables and how they stand. */

/* What anybody may know; the game has no secrets. */
static const struct eriantys *table_eriantys(const struct room_table *rt) {
    return eriantys_of_view(table_view(rt->table, SEAT_WATCHER));
}

static struct eriantys_scene eriantys_scene_of(struct room_table *rt, const struct eriantys *state) {
    struct eriantys_scene scene = {.state = state};
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        scene.names[seat] = table_name(rt->table, seat);
        scene.is_online[seat] = table_is_online(rt->table, seat);
        scene.wizards[seat] = eriantys_table(rt)->wizards[seat];
    }
    return scene;
}

static struct eriantys_scene scene_now(struct room_table *rt) {
    return eriantys_scene_of(rt, table_eriantys(rt));
}

static bool table_is_started(struct room_table *rt) {
    return eriantys_table(rt)->is_started || table_has_begun(rt->table);
}

/* Which wizard a seat has means nothing to the rules; it is drawn, and the same after a restart. */
static void table_draw_wizards(struct room_table *rt) {
    unsigned *wizards = eriantys_table(rt)->wizards;
    struct digest digest;
    struct rng rng;
    table_derive(rt->table, "eriantys wizards", 0, 0, &digest);
    rng_seed(&rng, digest_to_number(digest.bytes));
    for (unsigned i = 0; i < ERIANTYS_WIZARDS; i++) {
        unsigned other = rng_below(&rng, i + 1);
        wizards[i] = wizards[other];
        wizards[other] = i;
    }
}

/* Messages. */

static void say_all(struct room_table *rt) {
    json_say_seats(rt, SEATS_ALL);
}

static void eriantys_say_error(struct room_member *m, struct refusal why) {
    json_member_refused(m, why.why);
    eriantys_write_error(json_room_message(m->room), why.sentence);
    json_say(m);
}

static void write_status(struct room_table *rt) {
    struct eriantys_scene scene = scene_now(rt);
    eriantys_write_status(json_room_message(rt->room), &scene);
}

/* Whose turn it is. While somebody is missing nobody may play. */
static void eriantys_room_write_turn(struct room_table *rt) {
    eriantys_write_turn(json_room_message(rt->room), table_name(rt->table, table_eriantys(rt)->mover),
                        room_is_complete(rt));
}

/* Somebody was missing and is not any more. What is being saved is told with it: until then the game waits,
 * so that nobody is offered a turn that is just being played. */
static void table_start(struct room_table *rt) {
    struct eriantys_table *t = eriantys_table(rt);
    if (!t->is_paused || !room_is_complete(rt) || table_is_busy(rt->table))
        return;
    t->is_started = true;
    t->is_paused = false;
    write_status(rt);
    say_all(rt);
    eriantys_write_start(json_room_message(rt->room));
    say_all(rt);
    eriantys_room_write_turn(rt);
    say_all(rt);
}

/* 23: the authors' client refuses to send an assistant that somebody else has played, although R8 allows it
 * to who has no other: it would wait for ever. */
static void table_help(struct room_table *rt) {
    const struct eriantys *e = table_eriantys(rt);
    struct room_member *m = rt->seats[e->mover].member;
    struct action hand[ERIANTYS_ACTIONS_MAX];
    if (eriantys_table(rt)->is_paused || table_is_busy(rt->table) ||
        table_state_word(rt->table) != TABLE_RUNNING || m == NULL || !eriantys_member(m)->pongs_unasked ||
        e->phase != ERIANTYS_PLANNING || !eriantys_hand_is_taken(e))
        return;
    size_t count = table_legal(rt->table, e->mover, hand);
    enum err why = table_act(rt->table, e->mover, &hand[0], 1, rt->room->now_ms);
    assert(count > 0 && why == ERR_OK);
    (void)count;
    (void)why;
}

/* What clients ask. */

/* 2: a line that is no message. After a handful of them this is no client of ours. */
static void member_mistake(struct room_member *m, enum err why, const char *complaint) {
    unsigned mistakes = ++eriantys_member(m)->mistakes;
    eriantys_say_error(m, (struct refusal){why, complaint});
    if (mistakes < MISTAKES_MAX && why != ERR_TOO_LARGE)
        return;
    log_event(LOG_DEBUG, "eriantys-closed", LOG_INT("mistakes", (int64_t)mistakes));
    room_member_leave(m);
    json_member_close(m);
}

static void take_create(struct room_member *m, const struct eriantys_request *r) {
    struct table_setup setup = {.game = &eriantys_game,
                                .options = game_options_default(&eriantys_game, r->seat_count),
                                .opener = *peer_address(json_member_peer(m))};
    struct room_table *rt;
    setup.options.value[ERIANTYS_OPTION_MODE] = r->is_expert ? ERIANTYS_EXPERT : ERIANTYS_NORMAL;
    enum err e = room_open(m->room, &setup, m, &rt);
    if (e != ERR_OK)
        eriantys_say_error(m, e == ERR_ADDRESS_FULL ? refusal_of(NULL, e)
                                                    : (struct refusal){e, eriantys_too_many.sentence});
}

/* rt NULL: there is no such table. */
static void member_enter(struct room_member *m, struct room_table *rt) {
    struct eriantys_scene scene = {0};
    bool is_found = rt != NULL && !room_is_complete(rt);
    if (is_found) {
        scene = scene_now(rt);
        room_member_come(m, rt);
    }
    eriantys_write_enter(json_room_message(m->room), is_found, &scene);
    json_say(m);
    if (rt != NULL)
        room_table_release(rt);
}

static void take_enter(struct room_member *m, const struct eriantys_request *r) {
    if (m->seat != SEAT_WATCHER) { /* 14 */
        eriantys_say_error(m, eriantys_is_seated);
        return;
    }
    room_member_leave(m);
    struct room_table *rt = room_find(m->room, r->code, peer_address(json_member_peer(m)));
    if (rt != NULL || !room_fetch(m, r->code, peer_address(json_member_peer(m))))
        member_enter(m, rt);
}

static void refuse_login(struct room_member *m, enum err why) {
    json_member_refused(m, why);
    eriantys_write_login(json_room_message(m->room), false);
    json_say(m);
}

static void say_welcome(struct room_member *m) {
    eriantys_write_login(json_room_message(m->room), true);
    json_say(m);
}

/* The seat for a name that the table does not know: a free one, or before the start that of whoever has been
 * gone for the longest time (13). SEAT_WATCHER: there is none. Whoever is known by a secret cannot be
 * replaced. */
static unsigned seat_for(struct room_table *rt, bool *takes_over) {
    unsigned oldest = room_seat_free(rt);
    *takes_over = oldest == SEAT_WATCHER;
    if (oldest != SEAT_WATCHER || table_is_started(rt))
        return oldest;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (!table_is_online(rt->table, seat) && table_token(rt->table, seat) == NULL &&
            (oldest == SEAT_WATCHER || rt->seats[seat].left < rt->seats[oldest].left))
            oldest = seat;
    return oldest;
}

static void eriantys_take_login(struct room_member *m, const struct eriantys_request *r) {
    struct room_table *rt = m->at;
    if (rt == NULL || m->seat != SEAT_WATCHER || r->name.size == 0) { /* 14, 15 */
        refuse_login(m, rt == NULL          ? ERR_TABLE_UNKNOWN
                        : r->name.size == 0 ? ERR_FIELD_INVALID
                                            : ERR_SEAT_TAKEN);
        return;
    }
    unsigned seat = room_seat_named(rt, r->name);
    const struct address *origin = peer_origin(json_member_peer(m));
    if (seat != SEAT_WATCHER) { /* back again */
        bool is_player = table_may_return(rt->table, seat, origin, r->secret);
        if (is_player)
            json_release_member(rt->seats[seat].member);
        if (!is_player || table_is_online(rt->table, seat)) {
            refuse_login(m, ERR_SEAT_TAKEN);
            return;
        }
        say_welcome(m);
        room_seat_take(rt, seat, m);
        return;
    }
    struct table_guest guest = {.name = r->name, .seed = r->seed, .origin = *origin, .secret = r->secret};
    guest.seat = seat_for(rt, &guest.takes_over);
    guest.is_any_seat = !guest.takes_over;
    enum err e = guest.seat == SEAT_WATCHER ? ERR_TABLE_FULL : room_sit(m, &guest);
    if (e != ERR_OK)
        refuse_login(m, e);
}

static void take_logout(struct room_member *m) {
    if (m->seat == SEAT_WATCHER)
        eriantys_say_error(m, eriantys_not_seated);
    else
        room_member_leave(m);
}

/* 1: told why, and then where the game stands, because clients wait for that. */
static void refuse_command(struct room_member *m, struct refusal why) {
    eriantys_say_error(m, why);
    if (!table_is_started(m->at))
        return;
    write_status(m->at);
    json_say(m);
    eriantys_room_write_turn(m->at);
    json_say(m);
}

static void take_command(struct room_member *m, const json_t *message) {
    struct room_table *rt = m->at;
    struct action action;
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    if (m->seat == SEAT_WATCHER) {
        eriantys_say_error(m, eriantys_not_seated);
        return;
    }
    if (!room_is_complete(rt)) {
        refuse_command(m, table_is_started(rt) ? eriantys_waits_return : eriantys_waits_players);
        return;
    }
    if (!table_may_act(rt->table, m->seat)) {
        refuse_command(m, refusal_of(NULL, ERR_NOT_YOUR_TURN));
        return;
    }
    struct span name = span_of(table_name(rt->table, m->seat));
    enum err e = eriantys_read_command(message, table_eriantys(rt), name, &action, complaint);
    if (e != ERR_OK) {
        refuse_command(m, (struct refusal){e, complaint});
        return;
    }
    e = table_act(rt->table, m->seat, &action, 1, m->room->now_ms);
    if (e != ERR_OK)
        refuse_command(m, refusal_of(&eriantys_game, e));
}

/* Before it was ever pinged: it is of the kind that does so every second. */
static void eriantys_take_pong(struct room_member *m) {
    struct eriantys_member *em = eriantys_member(m);
    if (em->is_pinged || em->pongs_unasked)
        return;
    em->pongs_unasked = true;
    if (m->at != NULL)
        table_help(m->at);
}

static void eriantys_member_received(struct room_member *m, const json_t *message) {
    struct eriantys_request request;
    enum err e = eriantys_read_request(message, &request);
    if (e != ERR_OK) {
        member_mistake(m, e, request.complaint);
        return;
    }
    switch (request.type) {
    case ERIANTYS_REQUEST_PONG: eriantys_take_pong(m); return;
    case ERIANTYS_REQUEST_PING: /* 7: an answer would be unknown to clients */
    case ERIANTYS_REQUEST_ERROR: return;
    case ERIANTYS_REQUEST_CREATE: take_create(m, &request); break;
    case ERIANTYS_REQUEST_ENTER: take_enter(m, &request); break;
    case ERIANTYS_REQUEST_LOGIN: eriantys_take_login(m, &request); break;
    case ERIANTYS_REQUEST_LOGOUT: take_logout(m); break;
    case ERIANTYS_REQUEST_COMMAND: take_command(m, message); break;
    }
    eriantys_member(m)->mistakes = 0;
}

static void eriantys_member_refuse(struct buf *out, enum err why) {
    eriantys_write_error(out, err_sentence(why));
}

/* The waiting room is told to those who are in it, once a second. */
static void member_pinged(struct room_member *m) {
    eriantys_member(m)->is_pinged = true;
    if (m->seat == SEAT_WATCHER || !eriantys_table(m->at)->is_paused)
        return;
    struct eriantys_scene scene = scene_now(m->at);
    eriantys_write_waiting(json_room_message(m->room), &scene);
    json_say(m);
}

static void member_goodbye(struct room_member *m) {
    eriantys_say_error(m, eriantys_shutdown);
}

/* What the room tells. */

static struct eriantys_turn eriantys_turn_of(const struct eriantys *e) {
    return (struct eriantys_turn){e->phase <= ERIANTYS_PLANNING, e->round, e->turn, e->mover};
}

static bool turn_equal(const struct eriantys_turn *a, const struct eriantys_turn *b) {
    return a->is_planning == b->is_planning && a->round == b->round && a->turn == b->turn;
}

/* A step is over, after which the game stands, or stood, like this. Nobody is offered a turn that has been
 * played since. */
static void tell_step(struct room_table *rt, const struct eriantys *now, bool is_newest) {
    struct eriantys_table *t = eriantys_table(rt);
    struct eriantys_turn turn = eriantys_turn_of(now);
    struct eriantys_scene scene = eriantys_scene_of(rt, now);
    t->has_step = false;
    if (!turn_equal(&t->step_turn, &turn)) {
        eriantys_write_turn(json_room_message(rt->room), table_name(rt->table, t->step_turn.mover), false);
        say_all(rt);
    }
    eriantys_write_status(json_room_message(rt->room), &scene);
    say_all(rt);
    eriantys_write_turn(json_room_message(rt->room), scene.names[now->mover],
                        is_newest && room_is_complete(rt));
    say_all(rt);
}

/* The command goes to everybody but who has sent it, as far as they can bear it. What is played in a pause,
 * through another protocol, is told with the whole game when everybody is there again. */
static void tell_played(const struct room_notice *n) {
    struct room_table *rt = n->table;
    struct eriantys_table *t = eriantys_table(rt);
    if (n->seat == SEAT_CHANCE || t->is_paused)
        return;
    const struct eriantys *before = eriantys_of_view(notice_before(n->played, SEAT_WATCHER));
    if (t->has_step && t->step_version != table_version(rt->table))
        tell_step(rt, before, false); /* of another node, heard of with more behind it */
    if (!t->has_step) {
        t->has_step = true;
        t->step_version = table_version(rt->table);
        t->step_turn = eriantys_turn_of(before);
    }
    struct eriantys_scene scene = eriantys_scene_of(rt, before);
    struct action action = notice_action(n->played, SEAT_WATCHER);
    eriantys_write_command(json_room_message(rt->room), &scene, n->seat, &action);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_member *m = rt->seats[seat].member;
        if (seat != n->seat && m != NULL && !eriantys_member(m)->pongs_unasked)
            json_say(m);
    }
}

static void eriantys_tell_settled(struct room_table *rt) {
    struct eriantys_table *t = eriantys_table(rt);
    t->is_paused = t->is_paused || !room_is_complete(rt);
    if (t->has_step)
        tell_step(rt, table_eriantys(rt), true);
    table_start(rt);
    table_help(rt);
}

static void eriantys_tell_opened(const struct room_notice *n) {
    char code[TABLE_CODE_CHARS + 1];
    eriantys_table(n->table)->is_paused = true;
    table_draw_wizards(n->table);
    if (n->member == NULL)
        return;
    table_code_format(n->table->id, code);
    eriantys_write_creation(json_room_message(n->table->room), code);
    json_say(n->member);
}

/* Whether all were there at once is not in the journal. Who has a seat and has only lost the server keeps it.
 */
static void eriantys_tell_adopted(struct room_table *rt) {
    table_draw_wizards(rt);
    eriantys_table(rt)->is_started = table_free_seats(rt->table) == 0;
    eriantys_table(rt)->is_paused = !room_is_complete(rt);
}

static void eriantys_tell_presence(struct room_table *rt, unsigned seat) {
    if (table_is_online(rt->table, seat)) {
        table_start(rt);
    } else {
        eriantys_table(rt)->is_paused = true;
        eriantys_write_error(json_room_message(rt->room), ERIANTYS_USER_DISCONNECTED);
        say_all(rt);
        if (table_is_started(rt) && table_eriantys(rt)->phase != ERIANTYS_PLANNING) {
            write_status(rt);
            say_all(rt);
        }
    }
    table_help(rt);
}

static void eriantys_tell_stalled(struct room_table *rt) {
    eriantys_write_error(json_room_message(rt->room), refusal_stalled.sentence);
    say_all(rt);
    if (rt->sitter != NULL)
        json_say(rt->sitter);
    if (rt->creator != NULL)
        json_say(rt->creator);
}

static seat_set winners_of(const struct room_table *rt) {
    int32_t points[SEATS_MAX];
    seat_set set = 0;
    if (table_outcome(rt->table) == OUTCOME_PLAYED)
        return eriantys_winners(table_eriantys(rt));
    table_points(rt->table, points);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        set |= points[seat] > 0 ? SEAT_BIT(seat) : 0;
    return set;
}

static void tell_win(struct room_table *rt) {
    struct eriantys_scene scene = scene_now(rt);
    eriantys_write_win(json_room_message(rt->room), &scene, winners_of(rt));
    say_all(rt);
}

static void tell_closed(struct room_table *rt) {
    if (table_state_word(rt->table) == TABLE_OVER) {
        tell_win(rt);
        return;
    }
    eriantys_write_error(json_room_message(rt->room), eriantys_table_gone.sentence);
    say_all(rt);
}

static void eriantys_tell_refused(const struct room_notice *n) {
    if (n->member == NULL)
        return;
    if (n->member->seat == SEAT_WATCHER)
        refuse_login(n->member, n->why);
    else
        refuse_command(n->member, refusal_of(&eriantys_game, n->why));
}

/* Somebody else sits there now, or nobody, through another protocol or node: what follows is told with the
 * whole game. */
static void tell_changed(struct room_table *rt) {
    struct eriantys_table *t = eriantys_table(rt);
    t->is_paused = t->is_paused || !room_is_complete(rt);
}

/* In a pause nobody can act, so nobody is charged for it: but for who is on turn and gone. */
static void table_hold(struct room_table *rt) {
    bool is_held = eriantys_table(rt)->is_paused;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_may_act(rt->table, seat) && !table_is_online(rt->table, seat))
            is_held = false;
    table_hold_clock(rt->table, is_held, rt->room->now_ms);
}

static void eriantys_tell(struct room *room, const struct room_notice *n) {
    (void)room;
    switch (n->kind) {
    case ROOM_ADOPTED: eriantys_tell_adopted(n->table); break;
    case ROOM_OPENED: eriantys_tell_opened(n); break;
    case ROOM_SAT:
        if (n->member != NULL)
            say_welcome(n->member);
        else
            tell_changed(n->table);
        break;
    case ROOM_GOT_UP: tell_changed(n->table); break;
    case ROOM_PLAYED: tell_played(n); break;
    case ROOM_FETCHED: member_enter(n->member, n->table); break;
    case ROOM_SETTLED:
        eriantys_tell_settled(n->table);
        table_hold(n->table);
        break;
    case ROOM_PRESENCE:
        eriantys_tell_presence(n->table, n->seat);
        table_hold(n->table);
        break;
    case ROOM_REFUSED: eriantys_tell_refused(n); break;
    case ROOM_STALLED: eriantys_tell_stalled(n->table); break;
    case ROOM_OVER: /* the connections may enter other tables */
        tell_win(n->table);
        room_table_empty(n->table);
        break;
    case ROOM_CLOSED: tell_closed(n->table); break;
    default: break;
    }
}

struct port *eriantys_port_create(const struct eriantys_port_config *config) {
    return json_room_create(mem_alloc(sizeof(struct json_room)),
                            &(struct json_room_dialect){.refuse = eriantys_member_refuse,
                                                        .received = eriantys_member_received,
                                                        .malformed = member_mistake,
                                                        .pinged = member_pinged,
                                                        .left = room_member_leave,
                                                        .goodbye = member_goodbye,
                                                        .tell = eriantys_tell},
                            &config->json,
                            (struct room_policy){.protocol = ERIANTYS_PROTOCOL,
                                                 .game = &eriantys_game,
                                                 .member_bytes = sizeof(struct eriantys_member),
                                                 .table_bytes = sizeof(struct eriantys_table),
                                                 .looks_on = true,
                                                 .begins_full = true,
                                                 .tables_max = config->tables_max,
                                                 .keep_ms = config->keep_ms,
                                                 .wait_ms = ROOM_WAIT_MS,
                                                 .turn_ms = config->turn_ms,
                                                 .game_ms = config->game_ms,
                                                 .increment_ms = config->increment_ms,
                                                 .drops_own = true},
                            config->tables);
}
