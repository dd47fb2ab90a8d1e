/* Santorini for its own clients: who comes back, plays and goes, and what they are told (lobby.c: who waits
 * and sits down). Everything that happens at a table is told from what the room tells, so that it is the same
 * through which protocol somebody plays. */
#include "wire/santorini/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/table/figures.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>
#include <utlist.h>

enum {
    DOOR_KEEP_MS = 10 * 60 * 1000, /* a table that was opened elsewhere may be empty for so long */
    PATIENCE_MS = 3 * 1000,        /* how long others in line wait for one who was asked and says nothing */
    SEAT_PATIENCE_MS = 15 * 1000,  /* the same at a table, where it is a name that has to be typed */
};

/* Tables and how they stand. */

/* What anybody may know; the game has no secrets. */
static const struct santorini *stage_view(const struct room_table *rt) {
    return santorini_of_view(table_view(rt->table, SEAT_WATCHER));
}

static struct santorini_scene santorini_scene_of(const struct room_table *rt) {
    struct santorini_scene scene = {.state = stage_view(rt)};
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        scene.names[seat] = seat < scene.state->seat_count ? table_name(rt->table, seat) : "";
    return scene;
}

/* Seats. */

static bool seat_is_ours(const struct room_seat *place) {
    const char *note = table_note(place->table->table, place->number);
    size_t size = strlen(SANTORINI_PROTOCOL);
    return strncmp(note, SANTORINI_PROTOCOL, size) == 0 && (note[size] == '\0' || note[size] == ' ');
}

/* What its player has said of its birth on sitting down here; all 0: nothing. */
static struct santorini_birth seat_birth(const struct table *table, unsigned seat) {
    unsigned year, month, day;
    if (sscanf(table_note(table, seat), SANTORINI_PROTOCOL " %u.%u.%u", &year, &month, &day) != 3)
        return (struct santorini_birth){0};
    return (struct santorini_birth){.year = (uint16_t)year, .month = (uint8_t)month, .day = (uint8_t)day};
}

/* The player is away, has not lost and can come back here. */
static bool seat_is_awaited(const struct room_seat *place) {
    const struct room_table *rt = place->table;
    return !place->is_leaving && !rt->is_dropped && !rt->is_over &&
           santorini_is_alive(stage_view(rt), place->number) && seat_is_ours(place);
}

bool santorini_seat_is_any_awaited(const struct room *room) {
    const struct room_seat *place;
    DL_FOREACH(room->away, place)
    if (seat_is_awaited(place))
        return true;
    return false;
}

/* The seat whose player this is by what it says: of several the one that was left last. NULL: there is none.
 */
static struct room_seat *seat_of_player(const struct room_member *m, const struct santorini_request *r) {
    struct room_seat *place;
    DL_FOREACH(m->room->away, place) {
        const struct table *table = place->table->table;
        if (r->name.size > 0 && span_is(r->name, table_name(table, place->number)) &&
            seat_is_awaited(place) &&
            table_may_return(table, place->number, peer_origin(json_member_peer(m)), r->secret))
            return place;
    }
    return NULL;
}

/* The player does not come back. */
static void seat_give_up(struct room_table *rt, unsigned seat, const char *why) {
    santorini_stage(rt)->through |= SEAT_BIT(seat);
    if (rt->is_forming) {
        rt->seats[seat].is_leaving = true;
        room_vacate(rt);
    } else {
        table_retire(rt->table, seat, &(struct table_cause){.words = why}, rt->room->now_ms);
    }
}

/* Messages. */

void santorini_say_plain(struct room_member *m, const char *type) {
    santorini_write_plain(json_room_message(m->room), type);
    json_say(m);
}

void santorini_say_error(struct room_member *m, const char *description) {
    santorini_write_error(json_room_message(m->room), description);
    json_say(m);
}

void santorini_say_replay(struct room_member *m, unsigned own) {
    struct buf *out = json_room_message(m->room);
    struct santorini_scene scene = santorini_scene_of(m->at);
    santorini_write_replay(out, &scene);
    for (unsigned seat = 0; seat < room_seat_count(m->at); seat++)
        if (m->at->seats[seat].is_away && seat != own && santorini_is_alive(scene.state, seat))
            santorini_write_name(out, "playerDisconnected", span_of(scene.names[seat]));
    json_say(m);
}

/* The seat on turn is asked, if it is connected here; what its client has no words for is done for it. */
static void say_prompt(struct room_table *rt) {
    const struct santorini *s = stage_view(rt);
    unsigned seat = s->mover;
    struct room_member *m = rt->seats[seat].member;
    struct action action;
    if (s->phase == SANTORINI_BORN || s->phase == SANTORINI_OVER || m == NULL)
        return;
    struct santorini_scene scene = santorini_scene_of(rt);
    if (santorini_speaks_for(scene.state, santorini_visitor(m)->words, &action)) {
        enum err e = table_act(rt->table, seat, &action, 1, rt->room->now_ms);
        assert(e == ERR_OK || e == ERR_TABLE_OVER || e == ERR_BUSY);
        (void)e;
        return;
    }
    santorini_write_prompt(json_room_message(rt->room), &scene, santorini_stage(rt)->steps[seat],
                           santorini_visitor(m)->words);
    json_say(m);
}

/* Refusals. */

/* What could be understood of the request is repeated, except what nobody could have said. */
static void santorini_refuse(struct room_member *m, const struct santorini_request *r, struct refusal why) {
    struct buf *out = json_room_message(m->room);
    struct santorini_request shown = *r;
    log_event(LOG_DEBUG, "request-refused", LOG_TEXT("type", span_of(santorini_request_word(r->type))),
              LOG_TEXT("why", span_of(why.sentence)));
    json_member_refused(m, why.why);
    if (r->name.size == 0 || utf8_length(r->name) > SANTORINI_NAME_CHARS_MAX)
        shown.name = (struct span){0};
    shown.god_count = r->type == SANTORINI_SET_GODS ? 0 : r->god_count;
    santorini_write_reply(out, &shown, m->seat == SEAT_WATCHER ? "" : table_name(m->at->table, m->seat),
                          false);
    santorini_write_error(out, why.sentence);
    json_say(m);
}

/* Moves and builds are not asked for again: the lists that were sent still hold. */
static void refuse_turn(struct room_member *m, const struct santorini_request *r, struct refusal why) {
    santorini_refuse(m, r, why);
    if (r->type >= SANTORINI_MOVE)
        return;
    santorini_stage(m->at)->steps[m->seat] = SANTORINI_STEP_NONE;
    say_prompt(m->at);
}

void santorini_refuse_player(struct room_member *m, const struct santorini_request *r, struct refusal why) {
    santorini_refuse(m, r, why);
    if (santorini_visitor(m)->is_asked_name)
        santorini_say_plain(m, "askNickAndDate");
    else if (m->is_asked)
        santorini_say_plain(m, "askNumberOfPlayers");
}

void santorini_refuse_time(struct room_member *m, struct refusal why) {
    json_member_refused(m, why.why);
    santorini_say_error(m, why.sentence);
}

static void refuse_peer(struct buf *out, enum err why) {
    santorini_write_error(out, err_sentence(why));
    if (why != ERR_TOO_OFTEN) /* who only asks too often stays */
        santorini_write_plain(out, "disconnect");
}

/* Requests. */

/* Who says a name, and what else. */
struct seated_as {
    const struct room_member *sayer;
    const struct santorini_request *said;
};

static bool is_seated_as(const struct peer *peer, const void *whom) {
    const struct room_member *m = peer_session(peer);
    const struct seated_as *as = whom;
    return m != NULL && m->seat != SEAT_WATCHER &&
           span_is(as->said->name, table_name(m->at->table, m->seat)) &&
           table_may_return(m->at->table, m->seat, peer_origin(json_member_peer(as->sayer)),
                            as->said->secret);
}

static void santorini_come_back(struct room_member *m, struct room_seat *place) {
    struct room_table *rt = place->table;
    santorini_visitor_leave(m);
    room_member_come(m, rt);
    santorini_say_replay(m, place->number);
    santorini_name_drop(m);
    santorini_stage(rt)->steps[place->number] = SANTORINI_STEP_NONE;
    room_seat_take(rt, place->number, m);
    if (!table_is_busy(rt->table) && stage_view(rt)->mover == place->number)
        say_prompt(rt);
    room_lobby(rt->room);
}

/* A player who comes back after the end is told how it ended, as those who were there, and goes like them.
 * True when it was so. */
static bool santorini_come_late(struct room_member *m, struct span name) {
    struct room *room = m->room;
    if (!json_farewell_take(room, name))
        return false;
    santorini_visitor_leave(m); /* this is not about the table where it is */
    json_say(m);
    santorini_visitor_dismiss(m, NULL);
    room_lobby(room);
    return true;
}

/* The visitor is at the table that it names; false when it cannot be. */
static bool come_by_code(struct room_member *m, const struct santorini_request *r) {
    struct room_table *rt = room_find(m->room, r->table, peer_address(json_member_peer(m)));
    if (rt == NULL || !rt->is_forming || rt->is_dropped || rt->is_opening || table_free_seats(rt->table) == 0)
        return false;
    if (m->at == rt)
        return true;
    santorini_visitor_leave(m);
    room_member_come(m, rt);
    santorini_say_replay(m, SEAT_WATCHER);
    santorini_visitor(m)->is_asked_name = true;
    return true;
}

/* Tomorrow has begun somewhere in the world. */
static bool birth_is_to_come(const struct tables *tables, struct santorini_birth birth) {
    enum { HOUR_S = 3600, EAST_HOURS_MAX = 14 };
    time_t now_s = (time_t)(tables_journal_ms(tables) / 1000 + EAST_HOURS_MAX * HOUR_S);
    struct tm today;
    gmtime_r(&now_s, &today);
    int year = today.tm_year + 1900, month = today.tm_mon + 1;
    if (birth.year != year)
        return birth.year > year;
    return birth.month != month ? birth.month > month : birth.day > today.tm_mday;
}

static const char *name_complaint(struct span name) {
    if (!utf8_is_one_line(name))
        return santorini_name_control.sentence;
    if (utf8_is_all_blank(name) || utf8_length(name) > SANTORINI_NAME_CHARS_MAX)
        return santorini_name_length.sentence;
    return NULL;
}

/* A client of the document that was asked in line has no table yet: its name is kept until there is one; and
 * until the seat of a player who has just gone is free. */
static void santorini_take_name(struct room_member *m, const struct santorini_request *r, enum err e) {
    const struct visitor *v = santorini_visitor(m);
    const char *why = e != ERR_OK                                   ? r->complaint
                      : birth_is_to_come(m->room->tables, r->birth) ? santorini_date_to_come.sentence
                      : m->at == NULL && !v->is_asked_name          ? santorini_number_first.sentence
                                                                    : name_complaint(r->name);
    santorini_name_drop(m);
    if (why != NULL) {
        santorini_refuse_player(m, r, (struct refusal){e == ERR_OK ? ERR_FIELD_INVALID : e, why});
        return;
    }
    struct visitor_words *words = santorini_words_keep(m);
    bool fits = span_copy(r->name, words->name, sizeof words->name) &&
                span_copy(r->seed, words->seed, sizeof words->seed) &&
                span_copy(r->secret, words->secret, sizeof words->secret);
    assert(fits);
    (void)fits;
    words->birth = r->birth;
    if (m->at != NULL && !table_is_busy(m->at->table))
        santorini_visitor_sit(m);
}

static void santorini_take_player(struct room_member *m, const struct santorini_request *r, enum err e) {
    peers_release(peer_port(json_member_peer(m)), is_seated_as, &(struct seated_as){m, r}, m->room->now_ms);
    if (m->seat != SEAT_WATCHER) {
        santorini_refuse_time(m, santorini_name_known);
        return;
    }
    santorini_visitor(m)->words = r->words;
    struct room_seat *awaited = seat_of_player(m, r);
    if (awaited != NULL)
        santorini_come_back(m, awaited);
    else if (r->table.size > 0 && !come_by_code(m, r))
        santorini_refuse_player(m, r, refusal_of(NULL, ERR_TABLE_UNKNOWN));
    else if (!santorini_come_late(m, r->name))
        santorini_take_name(m, r, e);
}

static void take_step(struct room_member *m, const struct santorini_request *r) {
    struct visitor *v = santorini_visitor(m);
    struct santorini_steps steps;
    santorini_steps(stage_view(m->at), &steps);
    if (!(santorini_open_steps(&steps) >> r->step & 1)) {
        refuse_turn(m, r, santorini_step_not_offered);
        return;
    }
    if (!(SANTORINI_WORDS_DOCUMENT >> r->step & 1))
        v->words |= SANTORINI_WORDS_DOCUMENT | 1u << r->step; /* who says it knows it */
    santorini_stage(m->at)->steps[m->seat] = r->step;
    santorini_write_reply(json_room_message(m->room), r, table_name(m->at->table, m->seat), true);
    json_say(m);
    say_prompt(m->at);
}

/* Whether the player has bound itself to another step than this request is. */
static bool is_against_choice(enum santorini_step chosen, enum santorini_request_type type) {
    static const enum santorini_step steps[SANTORINI_REQUEST_TYPES] = {
        [SANTORINI_MOVE] = SANTORINI_STEP_MOVE,     [SANTORINI_BUILD] = SANTORINI_STEP_BUILD,
        [SANTORINI_FORCE] = SANTORINI_STEP_FORCE,   [SANTORINI_REMOVE] = SANTORINI_STEP_REMOVE,
        [SANTORINI_BORROW] = SANTORINI_STEP_BORROW,
    };
    return type >= SANTORINI_MOVE && chosen != SANTORINI_STEP_NONE && chosen != steps[type];
}

static enum err santorini_act(struct room_member *m, const struct santorini_request *r, struct refusal *why) {
    struct santorini_scene scene = santorini_scene_of(m->at);
    struct santorini_request meant = *r;
    struct action actions[SANTORINI_REQUEST_ACTIONS_MAX];
    size_t count;
    if (is_against_choice(santorini_stage(m->at)->steps[m->seat], r->type)) {
        *why = santorini_step_other;
        return why->why;
    }
    santorini_request_bind(scene.state, santorini_visitor(m)->words, &meant);
    enum err e = santorini_request_actions(&scene, &meant, actions, &count);
    if (e == ERR_OK)
        e = table_act(m->at->table, m->seat, actions, count, m->room->now_ms);
    *why = e == ERR_FIELD_INVALID ? santorini_gods_other : refusal_of(&santorini_game, e);
    return e;
}

/* Everything that is for the seat on turn alone. */
static void santorini_take_turn(struct room_member *m, const struct santorini_request *r, enum err e) {
    const struct santorini *s = m->seat == SEAT_WATCHER ? NULL : stage_view(m->at);
    struct refusal why = {e, r->complaint};
    if (s == NULL) {
        santorini_refuse_time(m, santorini_not_seated);
    } else if (s->phase == SANTORINI_BORN || s->mover != m->seat) {
        santorini_refuse_time(m, refusal_of(NULL, ERR_NOT_YOUR_TURN));
    } else if (s->phase != santorini_request_phase(r->type)) {
        santorini_refuse_time(m, refusal_of(&santorini_game, ERR_PHASE_OTHER));
    } else if (e == ERR_OK && r->type == SANTORINI_SET_STEP && r->step != SANTORINI_STEP_END) {
        take_step(m, r);
    } else {
        e = e == ERR_OK ? santorini_act(m, r, &why) : e;
        if (e != ERR_OK)
            refuse_turn(m, r, why);
    }
}

static void santorini_take_pong(struct room_member *m) {
    struct visitor *v = santorini_visitor(m);
    if (!v->has_ponged)
        peer_set_silence(v->json.peer, santorini_room(m->room)->silence_ms, m->room->now_ms);
    v->has_ponged = true;
}

static bool visitor_answers_pings(const struct room_member *m) {
    return ((const struct visitor *)(const void *)m)->has_ponged;
}

static void take_disconnect(struct room_member *m) {
    struct room *room = m->room;
    struct room_table *rt = m->at;
    unsigned seat = m->seat;
    santorini_visitor_leave(m);
    json_member_close(m);
    if (seat != SEAT_WATCHER)
        seat_give_up(rt, seat, "sent disconnect");
    room_lobby(room);
}

static void visitor_received(struct room_member *m, const json_t *message) {
    struct santorini_request r;
    enum err e = santorini_read(message, &r);
    switch (r.type) {
    case SANTORINI_REQUEST_TYPES: santorini_refuse_time(m, (struct refusal){e, r.complaint}); break;
    case SANTORINI_PONG: santorini_take_pong(m); break;
    case SANTORINI_SET_NUMBER: santorini_lobby_take_number(m, &r); break;
    case SANTORINI_ADD_PLAYER: santorini_take_player(m, &r, e); break;
    case SANTORINI_DISCONNECT: take_disconnect(m); break;
    default: santorini_take_turn(m, &r, e);
    }
}

static void visitor_malformed(struct room_member *m, enum err why, const char *complaint) {
    log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(err_word(why))));
    refusals_count(SANTORINI_PROTOCOL, NULL, why);
    santorini_say_error(m, complaint);
}

static void visitor_goodbye(struct room_member *m) {
    santorini_say_plain(m, "disconnect");
}

/* What the room tells. */

static void santorini_tell_presence(const struct room_notice *n) {
    struct room_table *rt = n->table;
    if (!n->is_change)
        return;
    santorini_write_name(json_room_message(rt->room),
                         table_is_online(rt->table, n->seat) ? "playerReconnected" : "playerDisconnected",
                         span_of(table_name(rt->table, n->seat)));
    json_say_table(rt, rt->seats[n->seat].member);
}

static void santorini_tell_sat(const struct room_notice *n) {
    struct room_table *rt = n->table;
    struct santorini_request r = {.type = SANTORINI_ADD_PLAYER,
                                  .name = span_of(table_name(rt->table, n->seat))};
    santorini_write_reply(json_room_message(rt->room), &r, "", true);
    json_say_table(rt, NULL);
    santorini_stage(rt)->steps[n->seat] = SANTORINI_STEP_NONE;
    if (n->member != NULL)
        santorini_name_drop(n->member);
    else if (n->is_ours)
        rt->seats[n->seat].is_leaving = rt->is_forming;
}

/* An action was played, or a seat was given up. */
static void tell_news(const struct room_notice *n) {
    struct room_table *rt = n->table;
    struct stage *stage = santorini_stage(rt);
    struct santorini_scene scene = santorini_scene_of(rt);
    struct action action = {0};
    if (n->kind == ROOM_PLAYED)
        action = notice_action(n->played, SEAT_WATCHER);
    else if (n->played->attendance != SEAT_RETIRED)
        return;
    santorini_write_news(json_room_message(rt->room), &scene,
                         santorini_of_view(notice_before(n->played, SEAT_WATCHER)), n->seat,
                         n->kind == ROOM_PLAYED ? &action : NULL);
    json_say_table(rt, NULL);
    stage->has_news = true;
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        stage->steps[seat] = SANTORINI_STEP_NONE;
        if (scene.state->phase != SANTORINI_OVER && !santorini_is_alive(scene.state, seat))
            stage->through |= SEAT_BIT(seat);
    }
}

/* What was being saved is refused after all, because somebody else was first at the journal: the player is
 * asked again, but for a name that is kept: it takes another seat. */
static void santorini_tell_refused(const struct room_notice *n) {
    struct room_member *m = n->member;
    if (m == NULL || (m->seat == SEAT_WATCHER && santorini_has_name(m)))
        return;
    santorini_say_error(m, game_refusal(&santorini_game, n->why)->sentence);
    if (m->seat == SEAT_WATCHER) {
        santorini_ask_name(m);
    } else {
        santorini_stage(n->table)->steps[m->seat] = SANTORINI_STEP_NONE;
        santorini_stage(n->table)->has_news = true; /* the prompt comes when the table has settled */
    }
}

static void santorini_tell_stalled(struct room_table *rt) {
    santorini_write_error(json_room_message(rt->room), refusal_stalled.sentence);
    json_say_table(rt, NULL);
}

static void santorini_tell_opened(struct room_table *rt) {
    struct room_member *m;
    santorini_write_state(json_room_message(rt->room), SANTORINI_BORN);
    json_say_table(rt, NULL);
    DL_FOREACH2(rt->members, m, at_next) santorini_ask_early(m);
}

/* R2: what the players said of their births is played when all are there; until then a seat can be free
 * again. A player who came through another protocol may have said nothing; nobody is asked there. True when
 * something is on its way. */
static bool stage_give_births(struct room_table *rt) {
    const struct santorini *s = stage_view(rt);
    if (s->phase != SANTORINI_BORN || table_free_seats(rt->table) > 0 || !table_is_cared(rt->table))
        return false;
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        struct santorini_birth birth = seat_birth(rt->table, seat);
        struct action born = santorini_action_born(birth.year, birth.month, birth.day);
        if (!(s->has_birth >> seat & 1) && table_act(rt->table, seat, &born, 1, rt->room->now_ms) == ERR_OK)
            return true;
    }
    return false;
}

/* Nobody goes to another table with them any more. */
static void stage_forget_words(struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_member *m = rt->seats[seat].member;
        if (m == NULL)
            continue;
        mem_free(m->kept);
        m->kept = NULL;
    }
}

/* True when the table waits for its players, and not for its journal. */
static bool stage_look_over(struct room_table *rt) {
    struct room *room = rt->room;
    struct room_member *m;
    if (rt->is_forming && room_is_forsaken(rt))
        room_table_drop(rt);
    if (table_is_busy(rt->table) || (rt->is_forming && room_vacate(rt)))
        return false;
    if (rt->is_forming)
        santorini_lobby_check_full(rt);
    if (stage_give_births(rt))
        return false;
    if (rt->is_forming && stage_view(rt)->phase != SANTORINI_BORN) {
        room_table_formed(rt);
        stage_forget_words(rt);
        table_set_clock(rt->table, santorini_room(room)->turn_ms, room->now_ms);
    }
    if (rt->is_forming)
        DL_FOREACH2(rt->members, m, at_next) santorini_visitor_sit_kept(m);
    return true;
}

static void santorini_tell_settled(struct room_table *rt) {
    struct stage *stage = santorini_stage(rt);
    if (!stage_look_over(rt))
        return;
    if (stage->has_news)
        say_prompt(rt);
    stage->has_news = false;
}

/* When the table has ended without the rules having said who won: somebody left before the first turn. */
static void santorini_write_result(struct buf *out, const struct room_table *rt) {
    int32_t points[SEATS_MAX];
    unsigned best = 0, shared = 0, count = room_seat_count(rt);
    if (stage_view(rt)->phase == SANTORINI_OVER || table_outcome(rt->table) == OUTCOME_UNDECIDED)
        return;
    table_points(rt->table, points);
    for (unsigned seat = 1; seat < count; seat++)
        best = points[seat] > points[best] ? seat : best;
    for (unsigned seat = 0; seat < count; seat++)
        shared += points[seat] == points[best];
    santorini_write_end(out, shared == 1 ? table_name(rt->table, best) : "");
}

/* Keeps how the table ended for players of this port who are away and have not given up. */
static void keep_end(struct room_table *rt) {
    struct buf *out = json_room_message(rt->room);
    struct santorini_scene scene = santorini_scene_of(rt);
    if (!room_has_away(rt) || table_outcome(rt->table) == OUTCOME_UNDECIDED)
        return;
    santorini_write_replay(out, &scene);
    santorini_write_result(out, rt);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (rt->seats[seat].is_away && !(santorini_stage(rt)->through >> seat & 1) &&
            seat_is_ours(&rt->seats[seat]))
            json_farewell_keep(rt, seat, rt->room->policy.grace_ms);
}

/* Everybody goes; or back to the lobby, when the table was never complete. */
static void santorini_tell_over(struct room_table *rt) {
    bool is_dropped = rt->is_dropped && table_outcome(rt->table) == OUTCOME_UNDECIDED;
    struct room_member *m;
    if (!is_dropped) {
        santorini_write_result(json_room_message(rt->room), rt);
        json_say_table(rt, NULL);
        keep_end(rt);
    }
    while ((m = rt->members) != NULL) {
        room_member_detach(m);
        room_member_moved(m);
        if (is_dropped)
            santorini_lobby_arrive(m);
        else
            santorini_visitor_dismiss(m, NULL);
    }
    room_table_hide(rt);
}

/* Seats are waited for also when their players came through another protocol: nobody else would ever give
 * them up. */
static void santorini_tell_adopted(struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (table_name(rt->table, seat)[0] != '\0' && !table_is_online(rt->table, seat))
            room_seat_miss(&rt->seats[seat]);
}

static void santorini_tell_given_up(struct room_table *rt, unsigned seat) {
    log_event(LOG_DEBUG, "grace-over", LOG_TEXT("name", span_of(table_name(rt->table, seat))));
    if (santorini_is_alive(stage_view(rt), seat))
        seat_give_up(rt, seat, TABLE_WORDS_AWAY);
}

/* Somebody has said a date through another protocol, so the seats hold; or all were there, so it is a game
 * that is left. */
static void tell_kept(struct room_table *rt, unsigned seat) {
    if (table_free_seats(rt->table) > 0)
        room_table_drop(rt);
    else if (santorini_stage(rt)->through >> seat & 1)
        table_attend(rt->table, seat, SEAT_RETIRED, rt->room->now_ms);
}

static void tell_late(struct room_member *m) {
    bool was_waiting = m->is_waiting;
    santorini_say_error(m, err_sentence(ERR_ANSWER_LATE));
    if (!was_waiting)
        santorini_visitor_dismiss(m, NULL);
}

static void santorini_room_tell(struct room *room, const struct room_notice *n) {
    switch (n->kind) {
    case ROOM_ADOPTED: santorini_tell_adopted(n->table); break;
    case ROOM_AWAKE: stage_look_over(n->table); break;
    case ROOM_OPENED: santorini_tell_opened(n->table); break;
    case ROOM_SAT: santorini_tell_sat(n); break;
    case ROOM_GOT_UP: santorini_stage(n->table)->through &= ~SEAT_BIT(n->seat); break;
    case ROOM_PLAYED:
    case ROOM_ATTENDED: tell_news(n); break;
    case ROOM_PRESENCE: santorini_tell_presence(n); break;
    case ROOM_GUESTS: /* there may be enough of them now */
        if (n->table->is_forming)
            santorini_lobby_check_full(n->table);
        break;
    case ROOM_SETTLED: santorini_tell_settled(n->table); break;
    case ROOM_REFUSED: santorini_tell_refused(n); break;
    case ROOM_STALLED: santorini_tell_stalled(n->table); break;
    case ROOM_OVER: santorini_tell_over(n->table); break;
    case ROOM_GIVEN_UP: santorini_tell_given_up(n->table, n->seat); break;
    case ROOM_KEPT: tell_kept(n->table, n->seat); break;
    case ROOM_ASKED: santorini_say_plain(n->member, "askNumberOfPlayers"); break;
    case ROOM_LATE: tell_late(n->member); break;
    case ROOM_LOBBY: santorini_lobby_fill(room); break;
    default: break;
    }
}

/* The protocol has no words for a game without gods. */
static enum err santorini_admits(struct room *room, struct table_setup *setup) {
    struct game_options own = game_options_default(&santorini_game, setup->options.seat_count);
    (void)room;
    return memcmp(own.value, setup->options.value, sizeof own.value) == 0 ? ERR_OK : ERR_OPTION_INVALID;
}

struct port *santorini_port_create(const struct santorini_port_config *config) {
    struct santorini_room *room = mem_alloc(sizeof *room);
    room->silence_ms = config->silence_ms;
    room->turn_ms = config->turn_ms;
    return json_room_create(&room->json,
                            &(struct json_room_dialect){.opened = santorini_lobby_arrive,
                                                        .refuse = refuse_peer,
                                                        .received = visitor_received,
                                                        .malformed = visitor_malformed,
                                                        .left = santorini_visitor_leave,
                                                        .answers_pings = visitor_answers_pings,
                                                        .goodbye = visitor_goodbye,
                                                        .tell = santorini_room_tell},
                            &(struct json_port_config){.ping_first_ms = config->ping_every_ms,
                                                       .ping_every_ms = config->ping_every_ms,
                                                       .silence_ms = config->quiet_ms,
                                                       .inspector = config->inspector,
                                                       .protocol = SANTORINI_PROTOCOL,
                                                       .mends_lines = true},
                            (struct room_policy){.protocol = SANTORINI_PROTOCOL,
                                                 .game = &santorini_game,
                                                 .member_bytes = sizeof(struct visitor),
                                                 .table_bytes = sizeof(struct stage),
                                                 .counts_guests = true,
                                                 .hears_in_order = true,
                                                 .tables_max = config->tables_max,
                                                 .waiting_max = config->waiting_max,
                                                 .door_keep_ms = DOOR_KEEP_MS,
                                                 .grace_ms = config->grace_ms,
                                                 .game_ms = config->game_ms,
                                                 .increment_ms = config->increment_ms,
                                                 .answer_ms = config->answer_ms,
                                                 .patience_ms = PATIENCE_MS,
                                                 .seat_patience_ms = SEAT_PATIENCE_MS,
                                                 .admits = santorini_admits},
                            config->tables);
}
