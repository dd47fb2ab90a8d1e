#include "host/hall/internal.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <utlist.h>

struct hall_config hall_config_default(void) {
    return (struct hall_config){
        .move_timeout_ms = 30000,
        .thanks_timeout_ms = 5000,
        .master_timeout_ms = 30000,
        .settle_timeout_ms = 5000,
        .login_timeout_ms = 10000,
        .return_timeout_ms = 60000,
        .alone_timeout_ms = 2000,
        .players_max = 100000,
    };
}

const char *hall_login_sentence(enum hall_login_error e) {
    static const char *const sentences[] = {
        [HALL_LOGIN_OK] = "welcome",
        [HALL_LOGIN_NICK] = "the nick is empty, too long, has blanks in it or is in use",
        [HALL_LOGIN_GAME_TYPE] = "the game type is missing, too long or not the one that is played here",
        [HALL_LOGIN_POOL_FULL] = "there is no room for another player",
        [HALL_LOGIN_MASTER_TAKEN] = "this game type has a master already",
        [HALL_LOGIN_DESCRIPTION] = "playersMin must be at least 2 and playersMax not less than that",
    };
    return (size_t)e < sizeof sentences / sizeof *sentences ? sentences[e] : "refused";
}

void hall_enter(struct hall *hall, uint64_t now_ms) {
    hall->now_ms = now_ms;
    hall->depth++;
}

void hall_exit(struct hall *hall) {
    if (--hall->depth > 0)
        return;
    contests_finish(hall);
    contests_flush(hall);
}

static void hall_free_tables(struct hall *hall) {
    struct relay *table, *next;
    HASH_ITER(by_id, hall->tables_by_id, table, next) {
        relay_free(table);
    }
}

void hall_free(struct hall *hall) {
    struct pool *pool, *next;
    hall->is_ending = true;
    if (hall->mixed != NULL)
        mixed_detach(hall->mixed);
    hall_free_tables(hall);
    while (hall->members != NULL)
        hall_member_end(hall->members, false);
    while (hall->contests != NULL)
        contest_free(hall->contests);
    HASH_ITER(by_type, hall->pools_by_type, pool, next) {
        pool_free(pool);
    }
    timers_free(&hall->timers);
    master_free(hall->master);
    buf_free(&hall->out);
    mem_free(hall);
}

void hall_write(struct hall *hall, struct buf *out, const struct hall_message *m) {
    buf_clear(out);
    hall->output.write(hall->output.context, out, m);
}

void hall_send(struct hall_member *member, enum hall_type type, struct span written) {
    member->hall->output.send(member->hall->output.context, member->context, type, written);
}

void hall_tell(struct hall_member *member, const struct hall_message *m) {
    struct hall *hall = member->hall;
    if (member == hall->local) {
        master_take(hall->master, m, hall->now_ms);
        return;
    }
    hall_write(hall, &hall->out, m);
    hall_send(member, m->type, buf_span(&hall->out));
}

void hall_tell_error(struct hall_member *member, const char *format, ...) {
    char text[HALL_TEXT_BYTES_MAX];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size >= (int)sizeof text)
        size = (int)sizeof text - 1;
    hall_tell(member, &(struct hall_message){.type = HALL_ERROR, .text = span_make(text, (size_t)size)});
}

static struct hall_member *hall_member_add(struct hall *hall, void *context) {
    struct hall_member *member = mem_alloc(sizeof *member);
    member->hall = hall;
    member->context = context;
    DL_PREPEND(hall->members, member);
    hall->counts.members++;
    return member;
}

static void hall_member_remove(struct hall_member *member) {
    struct hall *hall = member->hall;
    timers_stop(&hall->timers, &member->timer);
    DL_DELETE(hall->members, member);
    hall->counts.members--;
    mem_free(member);
}

void hall_member_end(struct hall_member *member, bool has_connection) {
    struct hall *hall = member->hall;
    struct pool *pool = member->pool;
    enum member_role role = member->role;
    if (role == MEMBER_PLAYER) {
        HASH_DELETE(by_nick, hall->players_by_nick, member);
        pool->player_count--;
        pool_forget(member);
        contest_withdraw(member, false);
        relay_lose_player(member);
        mixed_leave(member);
    } else if (role == MEMBER_MASTER) {
        hall->counts.masters--;
        pool_master_lost(member);
    }
    if (has_connection)
        hall->output.close(hall->output.context, member->context);
    hall_member_remove(member);
    if (role != MEMBER_FRESH) {
        pool_match(pool);
        pool_release(pool);
    }
}

static void hall_login_late(struct timer *timer, uint64_t now_ms) {
    struct hall_member *member = TIMER_OWNER(timer, struct hall_member, timer);
    (void)now_ms;
    hall_tell_error(member, "no login within %g seconds", member->hall->config.login_timeout_ms / 1000.0);
    hall_member_end(member, true);
}

static void hall_login_clock(struct hall_member *member) {
    struct hall *hall = member->hall;
    timers_arm(&hall->timers, &member->timer, hall->now_ms + hall->config.login_timeout_ms, hall_login_late);
}

struct hall_member *hall_join(struct hall *hall, void *member_context, uint64_t now_ms) {
    hall->now_ms = now_ms;
    struct hall_member *member = hall_member_add(hall, member_context);
    hall_login_clock(member);
    return member;
}

void hall_member_is_from(struct hall_member *member, const struct address *origin,
                         const struct address *opener) {
    member->origin = *origin;
    member->opener = *opener;
}

struct span hall_type_canonical(const struct hall *hall, struct span type) {
    for (size_t i = 0; hall->master != NULL && i < master_type_count; i++)
        if (span_is(type, master_types[i]))
            return span_of(master_types[0]);
    return type;
}

static void hall_master_says(void *context, const struct hall_message *m) {
    struct hall *hall = context;
    hall_take(hall, hall->local, m, hall->now_ms);
}

static void hall_master_stalled(void *context, struct span table) {
    relay_stall(context, table);
}

static void hall_master_undecided(void *context, struct span table) {
    struct hall *hall = context;
    hall_enter(hall, hall->now_ms);
    relay_undecided(hall, table);
    hall_exit(hall);
}

static void hall_add_master(struct hall *hall, const struct master_config *given) {
    struct master_config config = *given;
    config.tables = hall->config.tables;
    config.is_at_home = true;
    config.context = hall;
    config.say = hall_master_says;
    config.stalled = hall_master_stalled;
    config.undecided = hall_master_undecided;
    hall->master = master_create(&config);
}

struct hall *hall_create(const struct hall_config *config, const struct hall_output *output) {
    struct hall *hall = mem_alloc(sizeof *hall);
    struct span whole = span_of(config->championship_players > 0 ? config->championship_type : "");
    hall->config = *config;
    hall->output = *output;
    hall->config.master = NULL;
    if (config->master != NULL)
        hall_add_master(hall, config->master);
    if (whole.size > 0)
        hall->whole = contest_create(hall, whole, whole, config->championship_players);
    bool is_local = hall->master != NULL && /* otherwise a championship of another game type */
                    pool_admits(hall, span_of(master_types[0]), SPAN(""), NULL) == HALL_LOGIN_OK;
    if (is_local) {
        hall->local = hall_member_add(hall, NULL);
        hall->local->role = MEMBER_MASTER;
        hall->local->pool = pool_get(hall, span_of(master_types[0]));
        pool_serve(hall->local->pool, hall->local, 2);
        hall->counts.masters++;
    }
    if (config->mixed != NULL)
        mixed_attach(config->mixed, hall);
    return hall;
}

static bool hall_nick_is_good(struct span nick) {
    if (nick.size == 0 || nick.size > HALL_NICK_BYTES_MAX)
        return false;
    while (nick.size > 0) {
        int32_t c = utf8_next(&nick);
        if (c < 0 || utf8_is_blank(c))
            return false;
    }
    return true;
}

static enum hall_login_error hall_player_check(const struct hall_member *member,
                                               const struct hall_message *m) {
    struct hall *hall = member->hall;
    struct hall_member *other = NULL;
    if (!hall_nick_is_good(m->nick))
        return HALL_LOGIN_NICK;
    HASH_FIND(by_nick, hall->players_by_nick, m->nick.data, m->nick.size, other);
    if (other != NULL)
        return HALL_LOGIN_NICK;
    enum hall_login_error e = pool_admits(hall, m->game_type, m->nick, &member->origin);
    if (e != HALL_LOGIN_OK)
        return e;
    if (HASH_CNT(by_nick, hall->players_by_nick) < hall->config.players_max)
        return HALL_LOGIN_OK;
    limit_hit(LIMIT_PLAYERS, &member->origin);
    return HALL_LOGIN_POOL_FULL;
}

static enum hall_login_error hall_master_check(struct hall *hall, const struct hall_message *m) {
    enum hall_login_error e = pool_admits(hall, m->game_type, SPAN(""), NULL);
    if (e == HALL_LOGIN_GAME_TYPE)
        return e;
    if (m->players_min < 2 || m->players_max < m->players_min || m->players_min > HALL_TABLE_SEATS_MAX)
        return HALL_LOGIN_DESCRIPTION;
    struct pool *pool = pool_find(hall, hall_type_canonical(hall, m->game_type));
    if (pool != NULL && pool->contest != NULL && m->players_min > 2)
        return HALL_LOGIN_DESCRIPTION;
    return pool != NULL && pool->master != NULL ? HALL_LOGIN_MASTER_TAKEN : HALL_LOGIN_OK;
}

static void hall_login_refuse(struct hall_member *member, enum hall_login_error e) {
    log_event(LOG_DEBUG, "login-refused", LOG_INT("error", e),
              LOG_TEXT("why", span_of(hall_login_sentence(e))));
    hall_tell(member, &(struct hall_message){.type = HALL_LOGIN_RESPONSE, .login_error = e});
    if (++member->login_tries >= HALL_LOGIN_TRIES_MAX) {
        hall_tell_error(member, "too many refused logins");
        hall_member_end(member, true);
        return;
    }
    hall_login_clock(member); /* the connection stays open for another try */
}

/* place: the table that the player has named; NULL: it takes any. */
static void hall_player_enter(struct hall_member *member, const struct hall_message *m,
                              struct mixed_table *place) {
    struct hall *hall = member->hall;
    memcpy(member->nick, m->nick.data, m->nick.size);
    HASH_ADD_KEYPTR(by_nick, hall->players_by_nick, member->nick, m->nick.size, member);
    member->role = MEMBER_PLAYER;
    member->pool->player_count++;
    log_event(LOG_INFO, "player-login", LOG_TEXT("nick", m->nick), LOG_TEXT("type", m->game_type));
    hall_tell(member, &(struct hall_message){.type = HALL_LOGIN_RESPONSE});
    if (member->pool->contest != NULL && member->pool->contest->championship != NULL)
        contest_return(member);
    if (place != NULL) {
        mixed_enter(member, place);
        return;
    }
    pool_wait(member);
    pool_match(member->pool);
}

static void hall_master_enter(struct hall_member *member, const struct hall_message *m) {
    member->role = MEMBER_MASTER;
    member->hall->counts.masters++;
    pool_serve(member->pool, member, (uint32_t)m->players_min);
    log_event(LOG_INFO, "master-login", LOG_TEXT("id", m->id), LOG_TEXT("type", m->game_type));
    hall_tell(member, &(struct hall_message){.type = HALL_LOGIN_RESPONSE});
    pool_match(member->pool);
    contests_serve(member);
}

static void hall_login(struct hall_member *member, const struct hall_message *m) {
    struct hall *hall = member->hall;
    bool is_player = m->type == HALL_PLAYER_LOGIN;
    struct mixed_table *place = NULL;
    enum hall_login_error e = is_player ? hall_player_check(member, m) : hall_master_check(hall, m);
    if (e == HALL_LOGIN_OK && is_player)
        e = mixed_admits(hall, m->game_type, &member->opener, &place);
    if (e != HALL_LOGIN_OK) {
        hall_login_refuse(member, e);
        return;
    }
    timers_stop(&hall->timers, &member->timer);
    member->pool =
        place != NULL ? hall->local->pool : pool_get(hall, hall_type_canonical(hall, m->game_type));
    if (is_player)
        hall_player_enter(member, m, place);
    else
        hall_master_enter(member, m);
}

/* What a player says about its table, and what a master does. */
static bool hall_role_says(enum member_role role, enum hall_type type) {
    if (role == MEMBER_PLAYER)
        return type == HALL_MOVE || type == HALL_THANK_YOU || type == HALL_LEAVE_GAME;
    return role == MEMBER_MASTER && (type == HALL_GAME_STATE || type == HALL_PLAYER_LEFT_GAME);
}

static void hall_hear(struct hall_member *member, const struct hall_message *m) {
    static const char *const wrong[] = {"log in first: send playerLogin or gameMasterLogin",
                                        "a player does not send this message",
                                        "a game master does not send this message"};
    bool is_master = member->role == MEMBER_MASTER;
    bool is_login = m->type == HALL_PLAYER_LOGIN || m->type == HALL_MASTER_LOGIN;
    if (hall_role_says(member->role, m->type))
        relay_take(member, m);
    else if (is_login && member->role == MEMBER_FRESH)
        hall_login(member, m);
    else if (is_login)
        hall_tell_error(member, "you are logged in already, as %s",
                        is_master ? "a game master" : member->nick);
    else if (m->type == HALL_LOGOUT)
        hall_member_end(member, true);
    else if (m->type == HALL_ERROR && member->table != NULL && member->table->phase == RELAY_WAITS_FOR_THANKS)
        relay_take(member, &(struct hall_message){.type = HALL_THANK_YOU});
    else if (m->type != HALL_ERROR &&
             !(is_master && m->type == HALL_THANK_YOU)) /* some thank; it means nothing */
        hall_tell_error(member, "%s", wrong[member->role]);
}

void hall_take(struct hall *hall, struct hall_member *member, const struct hall_message *m, uint64_t now_ms) {
    hall_enter(hall, now_ms);
    hall_hear(member, m);
    hall_exit(hall);
}

void hall_leave(struct hall *hall, struct hall_member *member, uint64_t now_ms) {
    hall_enter(hall, now_ms);
    hall_member_end(member, false);
    hall_exit(hall);
}

bool hall_member_is_in(const struct hall_member *member) {
    return member->role != MEMBER_FRESH;
}

void hall_member_set_thanks(struct hall_member *member, bool is_thankful) {
    member->is_thankless = !is_thankful;
}

void hall_move_goes_on(struct hall *hall, struct hall_member *member, uint64_t now_ms) {
    hall_enter(hall, now_ms);
    relay_go_on(member);
    hall_exit(hall);
}

bool hall_member_place(const struct hall_member *member, const char **table, size_t *seat) {
    if (member->role != MEMBER_PLAYER || member->table == NULL)
        return false;
    *table = member->table->id;
    *seat = member->seat;
    return true;
}

uint64_t hall_next_ms(const struct hall *hall) {
    return timers_next_ms(&hall->timers);
}

void hall_advance(struct hall *hall, uint64_t now_ms) {
    hall_enter(hall, now_ms);
    timers_advance(&hall->timers, now_ms);
    hall_exit(hall);
}

void hall_shutdown(struct hall *hall) {
    struct hall_member *member, *next;
    struct contest *c;
    if (hall->is_ending)
        return;
    hall->is_ending = true;
    DL_FOREACH(hall->members, member)
    if (member != hall->local)
        hall_tell(member, &(struct hall_message){.type = HALL_SERVER_SHUTDOWN});
    if (hall->mixed != NULL)
        mixed_detach(hall->mixed);
    hall_free_tables(hall);
    DL_FOREACH(hall->contests, c) contest_rest(c);
    if (hall->config.tables != NULL && tables_is_shared(hall->config.tables))
        master_disown(hall->master);
    DL_FOREACH_SAFE(hall->members, member, next)
    if (member != hall->local)
        hall_member_end(member, true);
    hall->output.ended(hall->output.context);
}

bool hall_is_at_rest(const struct hall *hall) {
    return hall->is_ending && !contests_are_sending(hall);
}

struct hall_counts hall_counts(const struct hall *hall) {
    struct hall_counts counts = hall->counts;
    counts.players = HASH_CNT(by_nick, hall->players_by_nick);
    counts.tables = HASH_CNT(by_id, hall->tables_by_id);
    counts.master_tables = master_table_count(hall->master);
    return counts;
}
