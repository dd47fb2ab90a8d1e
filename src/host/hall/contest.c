/* Championships: that of the whole hall, and those that are opened while it runs, each with a pool of its own
 * that the master of its game type serves, and with a journal. */
#include "host/hall/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

enum {
    NUMBER_CHARS_MAX = 21,     /* "#18446744073709551615" */
    CONTEST_EVENTS_MAX = 4096, /* of one append; the beginning, with all entrants, fits */
};

static void contest_saved(struct contest *);
static void contest_failed(struct contest *);

/* The journal. Events are noted at once and written in that order, as many together as have gathered. What is
 * on disk is folded as it gets there, so that what is told of a standing is never ahead of it. One that is
 * not kept has nothing to save. */

static void contest_send(struct contest *);

static void contest_try_again(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    contest_send(TIMER_OWNER(timer, struct contest, retry));
}

static void contest_append_failed(struct contest *c, enum err e) {
    struct hall *hall = c->hall;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(c->saved.id, code);
    if (!c->is_failing)
        log_event(LOG_ERROR, e == ERR_CONFLICT ? "journal-conflict" : "championship-stalls",
                  LOG_TEXT("table", span_of(code)), LOG_TEXT("why", span_of(err_sentence(e))));
    c->is_failing = true;
    timers_arm(&hall->timers, &c->retry, hall->now_ms + HALL_RETRY_MS, contest_try_again);
    if (c->pool == NULL || hall->is_ending)
        return;
    relays_stalled(c->pool);
    contest_failed(c);
}

static void contest_drop_events(struct contest *c, size_t count) {
    for (size_t i = 0; i < count; i++)
        mem_free((void *)(uintptr_t)c->events[i].body.data);
    c->event_count -= count;
    if (c->event_count > 0)
        memmove(c->events, c->events + count, c->event_count * sizeof *c->events);
}

static void contest_appended(void *context, enum err e) {
    struct contest *c = context;
    struct hall *hall = c->hall;
    size_t count = c->sent_count;
    c->sent_count = 0;
    if (e != ERR_OK) {
        contest_append_failed(c, e);
        return;
    }
    c->is_failing = false;
    for (size_t i = 0; i < count; i++) {
        e = championship_fold_event(&c->saved, &c->events[i]);
        assert(e == ERR_OK); /* what is played follows the same rules as its fold */
    }
    contest_drop_events(c, count);
    contest_send(c);
    timers_stop(&hall->timers, &c->retry);
    if (c->pool == NULL || hall->is_ending)
        return;
    hall_enter(hall, hall->now_ms);
    contest_saved(c);
    relays_saved(c->pool, c->saved.last_seq);
    contest_match(c);
    hall_exit(hall);
}

/* Unless something is on its way: then the rest follows. */
static void contest_send(struct contest *c) {
    if (c->sent_count > 0 || c->event_count == 0)
        return;
    c->sent_count = c->event_count < CONTEST_EVENTS_MAX ? c->event_count : CONTEST_EVENTS_MAX;
    store_append(tables_store(c->hall->config.tables),
                 &(struct store_request){.table = c->saved.id,
                                         .expected_seq = c->saved.last_seq,
                                         .events = c->events,
                                         .event_count = c->sent_count,
                                         .done = contest_appended,
                                         .context = c});
}

bool contests_are_sending(const struct hall *hall) {
    const struct contest *c;
    DL_FOREACH(hall->contests, c)
    if (c->sent_count > 0)
        return true;
    return false;
}

void contests_flush(struct hall *hall) {
    struct contest *c;
    DL_FOREACH(hall->contests, c)
    if (!c->is_failing) /* that is tried again in time */
        contest_send(c);
}

/* Keeps the body. A hall that ends leaves everything as it is: its entrants come back when it begins again.
 */
static void contest_note(struct contest *c, enum event_kind kind, struct buf *body) {
    if (!c->is_kept || c->hall->is_ending) {
        buf_free(body);
        return;
    }
    c->events = mem_resize(c->events, (c->event_count + 1) * sizeof *c->events);
    const struct event *last = c->event_count == 0 ? NULL : &c->events[c->event_count - 1];
    uint64_t last_seq = contest_last_seq(c);
    const struct digest *before = last != NULL ? &last->hash : last_seq > 0 ? &c->saved.last_hash : NULL;
    struct event *event = &c->events[c->event_count++];
    *event = (struct event){.seq = last_seq + 1,
                            .time_ms = tables_journal_ms(c->hall->config.tables),
                            .kind = kind,
                            .body = buf_span(body)};
    *body = (struct buf){0};
    event_chain(event, c->saved.id, before);
}

static void contest_keep(struct contest *c, uint64_t number) {
    struct tables *tables = c->hall->config.tables;
    struct event_championship about = {.format = EVENT_FORMAT, .number = number, .entrants = c->players};
    struct buf body = {0};
    if (!c->hall->config.keeps_championships)
        return;
    c->is_kept = true;
    championship_fold_init(&c->saved, tables_new_id(tables));
    struct span type = hall_type_canonical(c->hall, span_of(c->type));
    memcpy(about.type, type.data, type.size);
    event_championship_write(&body, &about);
    contest_note(c, EVENT_CHAMPIONSHIP, &body);
}

static void contest_note_entrants(struct contest *c) {
    struct buf body = {0};
    struct event_entrant entrant = {.has_home = false};
    if (c == c->hall->whole)
        contest_keep(c, 0);
    for (size_t i = 0; i < c->players; i++) {
        struct contest_entrant *e = &c->entrants[i];
        memcpy(entrant.nick, e->nick, sizeof e->nick);
        e->has_home =
            c->is_kept && tables_home(c->hall->config.tables, c->saved.id, &e->member->origin, &e->home);
        entrant.has_home = e->has_home;
        entrant.home = e->home;
        event_entrant_write(&body, &entrant);
        contest_note(c, EVENT_ENTRANT, &body);
    }
}

static void contest_note_pair(void *contest, const struct pair_result *r) {
    struct buf body = {0};
    event_pair_write(&body, &(struct event_pair){.a = (uint32_t)r->a,
                                                 .b = (uint32_t)r->b,
                                                 .a_won = r->a_won,
                                                 .a_lost = r->a_lost,
                                                 .b_won = r->b_won,
                                                 .b_lost = r->b_lost});
    contest_note(contest, EVENT_PAIR, &body);
}

static void contest_note_withdrawal(struct contest *c, size_t entrant) {
    struct buf body = {0};
    event_withdrawal_write(&body, &(struct event_withdrawal){(uint32_t)entrant});
    contest_note(c, EVENT_WITHDRAWAL, &body);
}

static void contest_note_close(struct contest *c) {
    struct buf body = {0};
    bool is_played = c->championship != NULL && championship_pairs_left(c->championship) == 0;
    event_close_write(&body, &(struct event_close){is_played ? OUTCOME_PLAYED : OUTCOME_UNDECIDED});
    contest_note(c, EVENT_CLOSE, &body);
}

bool contest_is_saved(const struct contest *c) {
    return c->event_count == 0;
}

uint64_t contest_last_seq(const struct contest *c) {
    return c->event_count == 0 ? c->saved.last_seq : c->events[c->event_count - 1].seq;
}

/* How it stands by what is on disk; NULL: it has not begun. */
static const struct championship *contest_standing(const struct contest *c) {
    return c->is_kept ? c->saved.standing : c->championship;
}

static struct contest *contest_make(struct hall *hall, struct span name, struct span type, uint32_t players) {
    struct contest *c = mem_alloc(sizeof *c);
    bool fits = span_copy(name, c->name, sizeof c->name) && span_copy(type, c->type, sizeof c->type);
    assert(fits);
    (void)fits;
    c->hall = hall;
    c->players = players;
    return c;
}

static void contest_add_pool(struct contest *c) {
    c->pool = pool_get(c->hall, hall_type_canonical(c->hall, span_of(c->name)));
    c->pool->contest = c;
}

struct contest *contest_create(struct hall *hall, struct span name, struct span type, uint32_t players) {
    struct contest *c = contest_make(hall, name, type, players);
    DL_APPEND(hall->contests, c);
    contest_add_pool(c);
    return c;
}

void contest_rest(struct contest *c) {
    struct timers *timers = &c->hall->timers;
    timers_stop(timers, &c->timer);
    timers_stop(timers, &c->return_timer);
    timers_stop(timers, &c->patience);
    timers_stop(timers, &c->expiry);
}

void contest_free(struct contest *c) {
    DL_DELETE(c->hall->contests, c);
    contest_rest(c);
    timers_stop(&c->hall->timers, &c->retry);
    contest_drop_events(c, c->event_count);
    mem_free(c->events);
    championship_fold_free(&c->saved);
    championship_free(c->championship);
    mem_free(c->entrants);
    mem_free(c);
}

static bool contest_is_entrant(const struct contest *c, const struct contest_entrant *e, struct span nick,
                               const struct address *origin) {
    return e->is_away && span_is(nick, e->nick) &&
           tables_is_home(c->hall->config.tables, c->saved.id, e->has_home ? &e->home : NULL, origin);
}

/* The entrant of this nick who may come back from there, or the number of players. */
static size_t contest_away(const struct contest *c, struct span nick, const struct address *origin) {
    size_t i = c->away_count == 0 ? c->players : 0;
    while (i < c->players && !contest_is_entrant(c, &c->entrants[i], nick, origin))
        i++;
    return i;
}

bool contest_is_full(const struct contest *c, struct span nick, const struct address *origin) {
    return c->championship != NULL ? contest_away(c, nick, origin) == c->players
                                   : c->pool->player_count >= c->players;
}

void contest_return(struct hall_member *player) {
    struct contest *c = player->pool->contest;
    player->entrant = contest_away(c, span_of(player->nick), &player->origin);
    assert(player->entrant < c->players);
    c->entrants[player->entrant].is_away = false;
    c->entrants[player->entrant].member = player;
    if (--c->away_count == 0)
        timers_stop(&c->hall->timers, &c->return_timer);
}

void contest_release(struct contest *c, size_t entrant) {
    if (c->entrants[entrant].member == NULL)
        championship_entrant_free(c->championship, entrant);
}

void contest_withdraw(struct hall_member *player, bool is_connected) {
    struct contest *c = player->pool->contest;
    if (c == NULL || c->championship == NULL)
        return;
    if (!is_connected)
        c->entrants[player->entrant].member = NULL;
    if (c->is_closed)
        return;
    if (!championship_has_left(c->championship, player->entrant))
        contest_note_withdrawal(c, player->entrant);
    championship_withdraw(c->championship, player->entrant);
    if (player->table == NULL || relay_is_decided(player->table))
        contest_release(c, player->entrant);
}

static void contest_begin(struct contest *c) {
    struct hall_member *player;
    size_t i = 0;
    c->championship = championship_create(c->players);
    c->entrants = mem_alloc(c->players * sizeof *c->entrants);
    DL_FOREACH2(c->pool->free, player, free_next) {
        player->entrant = i;
        c->entrants[i].member = player;
        memcpy(c->entrants[i++].nick, player->nick, sizeof player->nick);
    }
    assert(i == c->players);
    championship_listen(c->championship, contest_note_pair, c);
    contest_note_entrants(c);
    log_event(LOG_INFO, "championship-begins", LOG_TEXT("type", span_of(c->pool->type)),
              LOG_INT("players", (int64_t)c->players));
}

void contest_match(struct contest *c) {
    struct pool *pool = c->pool;
    size_t a, b;
    if (c->is_finished || c->hall->is_ending)
        return;
    if (c->championship == NULL && pool->master != NULL && pool->free_count == c->players)
        contest_begin(c);
    if (c->championship == NULL || contest_standing(c) == NULL)
        return;
    while (!c->is_given_up && pool_may_open(pool) && championship_pair_start(c->championship, &a, &b)) {
        struct hall_member *pair[2] = {c->entrants[a].member, c->entrants[b].member};
        relay_begin(pool, pair, 2);
    }
    c->is_finished = (c->is_given_up || championship_is_over(c->championship)) && contest_is_saved(c);
}

static void contest_without_master(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct contest *c = TIMER_OWNER(timer, struct contest, timer);
    log_event(LOG_WARN, "championship-without-master", LOG_TEXT("type", span_of(c->pool->type)));
    c->is_given_up = true;
    contest_match(c);
}

void contest_seek_master(struct contest *c, uint32_t timeout_ms) {
    timers_arm(&c->hall->timers, &c->timer, c->hall->now_ms + timeout_ms, contest_without_master);
}

/* Masters of more than two play no pairs. */
static void contest_serve(struct contest *c, struct hall_member *master) {
    if (master->pool->players_min > 2 || master->pool->contest != NULL || c->pool->master != NULL)
        return;
    pool_serve(c->pool, master, 2);
    contest_match(c);
}

void contests_serve(struct hall_member *master) {
    struct contest *c;
    DL_FOREACH(master->hall->contests, c)
    if (c->pool != NULL && strcmp(c->type, master->pool->type) == 0)
        contest_serve(c, master);
}

/* The master of the type, if it has one. */
static void contest_find_master(struct contest *c) {
    const struct pool *base = pool_find(c->hall, span_of(c->type));
    if (base != NULL && base->master != NULL)
        contest_serve(c, base->master);
}

/* Its players, best first; gives. */
static struct hall_player *contest_list(const struct contest *c, const struct championship *standing) {
    struct standing *rows = mem_alloc(c->players * sizeof *rows);
    struct hall_player *players = mem_alloc(c->players * sizeof *players);
    championship_standings(standing, rows);
    for (size_t i = 0; i < c->players; i++)
        players[i] = (struct hall_player){.nick = span_of(c->entrants[rows[i].entrant].nick),
                                          .won = (int32_t)rows[i].won,
                                          .lost = (int32_t)rows[i].lost};
    mem_free(rows);
    return players;
}

/* Tells the result to everybody who is still here. */
static void contest_tell_list(struct contest *c) {
    struct hall *hall = c->hall;
    struct hall_player *players = contest_list(c, c->championship);
    hall_write(
        hall, &hall->out,
        &(struct hall_message){.type = HALL_CHAMPIONS_LIST, .players = players, .player_count = c->players});
    for (size_t i = 0; i < c->players; i++)
        if (c->entrants[i].member != NULL)
            hall_send(c->entrants[i].member, HALL_CHAMPIONS_LIST, buf_span(&hall->out));
    log_event(LOG_INFO, "championship-over", LOG_TEXT("type", span_of(c->pool->type)),
              LOG_TEXT("champion", players[0].nick),
              LOG_INT("undecided", (int64_t)championship_pairs_left(c->championship)));
    mem_free(players);
}

static void contest_finish(struct contest *c) {
    struct pool *pool = c->pool;
    contest_tell_list(c);
    contest_note_close(c);
    contest_rest(c);
    c->is_closed = true;
    if (c == c->hall->whole) {
        hall_shutdown(c->hall);
        return;
    }
    for (size_t i = 0; i < c->players; i++) {
        struct hall_member *member = c->entrants[i].member;
        if (member == NULL)
            continue;
        hall_tell(member, &(struct hall_message){.type = HALL_SERVER_SHUTDOWN});
        hall_member_end(member, true);
    }
    c->pool = NULL;
    pool->contest = NULL;
    pool_release(pool);
}

void contests_finish(struct hall *hall) {
    struct contest *c, *next;
    DL_FOREACH_SAFE(hall->contests, c, next)
    if (c->is_finished && c->pool != NULL && !hall->is_ending)
        contest_finish(c);
}

/* It is open, and nobody has come. */
static bool contest_is_deserted(const struct contest *c) {
    return c != c->hall->whole && c->pool != NULL && c->championship == NULL && c->pool->player_count == 0 &&
           c->opening.opened == NULL && contest_is_saved(c);
}

/* It ends as it is. */
static void contest_desert(struct contest *c) {
    struct pool *pool = c->pool;
    log_event(LOG_INFO, "championship-deserted", LOG_TEXT("name", span_of(c->name)));
    contest_note_close(c);
    contest_rest(c);
    c->is_finished = c->is_closed = true;
    c->pool = NULL;
    pool->contest = NULL;
    pool_release(pool);
}

static void contest_expired(struct timer *timer, uint64_t now_ms) {
    struct contest *c = TIMER_OWNER(timer, struct contest, expiry);
    if (contest_is_deserted(c))
        contest_desert(c);
    else if (c->championship == NULL)
        timers_arm(&c->hall->timers, timer, now_ms + HALL_OPEN_MS, contest_expired);
}

/* Those who come first have HALL_OPEN_MS. */
static void contest_expect(struct contest *c) {
    timers_arm(&c->hall->timers, &c->expiry, c->hall->now_ms + HALL_OPEN_MS, contest_expired);
}

static size_t contests_opened_from(const struct hall *hall, const struct address *opener) {
    const struct contest *c;
    size_t count = 0;
    DL_FOREACH(hall->contests, c) count += c->pool != NULL && address_equal(&c->opener, opener);
    return count;
}

/* One that nobody has come to, of who has more open than the asker: of several that of who has most, the
 * oldest; NULL: there is none. */
static struct contest *contests_least(const struct hall *hall, const struct address *asker) {
    struct contest *c, *found = NULL;
    size_t most = contests_opened_from(hall, asker);
    DL_FOREACH(hall->contests, c) {
        size_t count = contest_is_deserted(c) ? contests_opened_from(hall, &c->opener) : 0;
        if (count <= most)
            continue;
        most = count;
        found = c;
    }
    return found;
}

/* Room for one more: the oldest that is over goes, or one that nobody has come to. That is still being saved
 * for a while. */
static bool contests_make_room(struct hall *hall, const struct address *asker) {
    struct contest *c;
    size_t count = 0;
    DL_COUNT(hall->contests, c, count);
    if (count < HALL_CHAMPIONSHIPS_MAX)
        return true;
    DL_FOREACH(hall->contests, c)
    if (c->pool == NULL && contest_is_saved(c)) {
        contest_free(c);
        return true;
    }
    c = count < 2 * HALL_CHAMPIONSHIPS_MAX ? contests_least(hall, asker) : NULL;
    if (c != NULL)
        contest_desert(c);
    return c != NULL;
}

/* Whether it can be taken back: the store has refused it, and nobody has found the way to it. */
static bool contest_may_undo(const struct contest *c) {
    return c->saved.last_seq == 0 && c->sent_count == 0 && c->pool->player_count == 0;
}

static void contest_undo(struct contest *c) {
    struct pool *pool = c->pool;
    log_event(LOG_INFO, "championship-undone", LOG_TEXT("name", span_of(c->name)));
    contest_free(c);
    pool->contest = NULL;
    pool_release(pool);
}

static void contest_late(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct contest *c = TIMER_OWNER(timer, struct contest, patience);
    struct hall_opening opening = c->opening;
    bool is_undone = contest_may_undo(c);
    c->opening = (struct hall_opening){0};
    c->is_unasked = true;
    if (is_undone)
        contest_undo(c);
    opening.put_off(opening.context, is_undone);
}

static void contest_failed(struct contest *c) {
    if (c->is_unasked && contest_may_undo(c))
        contest_undo(c);
}

static bool contest_type_is_good(struct span type) {
    return type.size > 0 && type.size + NUMBER_CHARS_MAX <= HALL_TYPE_BYTES_MAX && utf8_is_valid(type) &&
           utf8_is_one_line(type);
}

static struct span contest_name(char name[HALL_TYPE_BYTES_MAX + 1], struct span type, uint64_t number) {
    int most = HALL_TYPE_BYTES_MAX - NUMBER_CHARS_MAX;
    snprintf(name, HALL_TYPE_BYTES_MAX + 1, "%.*s#%" PRIu64, type.size < (size_t)most ? (int)type.size : most,
             type.data, number);
    return span_of(name);
}

bool hall_may_enter(const struct hall *hall, struct span type) {
    type = hall_type_canonical(hall, type);
    const struct pool *pool = pool_find(hall, type);
    bool is_ours = span_is(type, master_types[0]) || game_by_name(type) == NULL;
    return is_ours || (pool != NULL && pool->master != NULL);
}

enum err hall_open_championship(struct hall *hall, struct span type, int64_t players,
                                const struct hall_opening *opening, uint64_t now_ms) {
    char name[HALL_TYPE_BYTES_MAX + 1];
    type = hall_type_canonical(hall, type);
    if (!contest_type_is_good(type) || players < CHAMPIONSHIP_ENTRANTS_MIN ||
        players > CHAMPIONSHIP_ENTRANTS_MAX)
        return ERR_FIELD_INVALID;
    if (hall->whole != NULL || hall->is_ending)
        return ERR_TOO_MANY;
    hall_enter(hall, now_ms);
    if (!contests_make_room(hall, &opening->opener)) {
        hall_exit(hall);
        return ERR_TOO_MANY;
    }
    while (pool_find(hall, contest_name(name, type, ++hall->opened_count)) != NULL)
        ; /* somebody waits under this name by chance */
    struct contest *c = contest_create(hall, span_of(name), type, (uint32_t)players);
    c->opening = *opening;
    c->opener = opening->opener;
    contest_expect(c);
    contest_keep(c, hall->opened_count);
    contest_find_master(c);
    log_event(LOG_INFO, "championship-opened", LOG_TEXT("name", span_of(name)), LOG_INT("players", players));
    if (!c->is_kept)
        contest_saved(c);
    else if (opening->put_off != NULL)
        timers_arm(&hall->timers, &c->patience, now_ms + TABLES_PATIENCE_MS, contest_late);
    hall_exit(hall);
    return ERR_OK;
}

/* An entrant who has not come back by now has left. */
static void contest_nobody_comes(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct contest *c = TIMER_OWNER(timer, struct contest, return_timer);
    for (size_t i = 0; i < c->players; i++) {
        if (!c->entrants[i].is_away)
            continue;
        c->entrants[i].is_away = false;
        contest_note_withdrawal(c, i);
        championship_withdraw(c->championship, i);
        championship_entrant_free(c->championship, i);
    }
    log_event(LOG_INFO, "championship-entrants-missing", LOG_TEXT("type", span_of(c->pool->type)),
              LOG_INT("players", (int64_t)c->away_count));
    c->away_count = 0;
    contest_match(c);
}

/* Goes on where its journal ends: waits for its entrants, and for a master. */
static void contest_resume(struct contest *c) {
    struct hall *hall = c->hall;
    uint32_t return_ms = hall->config.return_timeout_ms, master_ms = hall->config.master_timeout_ms;
    c->championship = championship_copy(c->saved.standing);
    for (size_t i = 0; i < c->players; i++) {
        c->entrants[i].is_away = !championship_has_left(c->championship, i);
        c->away_count += c->entrants[i].is_away;
    }
    championship_listen(c->championship, contest_note_pair, c);
    championship_resume(c->championship);
    timers_arm(&hall->timers, &c->return_timer, hall->now_ms + return_ms, contest_nobody_comes);
    if (c->pool->master == NULL)
        contest_seek_master(c, master_ms > return_ms ? master_ms : return_ms);
    log_event(LOG_INFO, "championship-restored", LOG_TEXT("type", span_of(c->pool->type)),
              LOG_INT("left", (int64_t)championship_pairs_left(c->championship)));
}

static void contest_restore_entrant(struct contest_entrant *e, const struct event_entrant *saved) {
    memcpy(e->nick, saved->nick, sizeof e->nick);
    e->has_home = saved->has_home;
    e->home = saved->home;
}

void contest_restore(struct hall *hall, const struct championship_fold *fold) {
    struct span type = span_of(fold->about.type);
    char name[HALL_TYPE_BYTES_MAX + 1];
    struct contest *c = hall->whole;
    if (c == NULL) {
        c = contest_make(hall, contest_name(name, type, fold->about.number), type, fold->about.entrants);
        DL_PREPEND(hall->contests, c);
        c->is_finished = fold->is_closed;
        if (!c->is_finished)
            contest_add_pool(c);
    }
    c->is_kept = true;
    c->saved = *fold;
    if (fold->standing != NULL) {
        c->entrants = mem_alloc(c->players * sizeof *c->entrants);
        for (size_t i = 0; i < c->players; i++)
            contest_restore_entrant(&c->entrants[i], &fold->entrants[i]);
    }
    if (fold->standing != NULL && !c->is_finished)
        contest_resume(c);
    else if (!c->is_finished && c != hall->whole)
        contest_expect(c);
    if (!c->is_finished)
        contest_find_master(c);
}

/* Nobody is told of it before it is on disk. */
static bool contest_is_known(const struct contest *c) {
    return c == c->hall->whole || !c->is_kept || c->saved.last_seq > 0;
}

static void contest_saved(struct contest *c) {
    struct hall_opening opening = c->opening;
    size_t index = 0;
    timers_stop(&c->hall->timers, &c->patience);
    if (opening.opened == NULL)
        return;
    c->opening = (struct hall_opening){0};
    for (const struct contest *other = c->hall->contests; other != c; other = other->next)
        index += contest_is_known(other);
    opening.opened(opening.context, c->hall, index);
}

static struct contest *contest_named(struct hall *hall, struct span name) {
    struct contest *c;
    DL_FOREACH(hall->contests, c)
    if (contest_is_known(c) && span_is(name, c->name))
        return c;
    return NULL;
}

enum err hall_pause_championship(struct hall *hall, struct span name, bool is_paused, uint64_t now_ms) {
    struct contest *c = contest_named(hall, name);
    if (c == NULL || c->is_finished)
        return c == NULL ? ERR_TABLE_UNKNOWN : ERR_TABLE_OVER;
    hall_enter(hall, now_ms);
    c->is_paused = is_paused;
    contest_match(c);
    hall_exit(hall);
    return ERR_OK;
}

/* Those who wait for it to begin are let go. */
static void contest_dismiss(struct contest *c) {
    struct hall_member *member, *next;
    DL_FOREACH_SAFE2(c->pool->free, member, next, free_next) {
        hall_tell(member, &(struct hall_message){.type = HALL_SERVER_SHUTDOWN});
        hall_member_end(member, true);
    }
    contest_desert(c);
}

enum err hall_cancel_championship(struct hall *hall, struct span name, uint64_t now_ms) {
    struct contest *c = contest_named(hall, name);
    struct relay *table, *next;
    if (c == NULL || c->is_finished || c->is_given_up)
        return c == NULL ? ERR_TABLE_UNKNOWN : ERR_TABLE_OVER;
    hall_enter(hall, now_ms);
    c->is_given_up = true;
    if (c->championship == NULL && c != hall->whole) {
        contest_dismiss(c);
    } else if (c->championship != NULL) {
        DL_FOREACH_SAFE(c->pool->tables, table, next)
        if (table->phase != RELAY_SAVES)
            relay_abandon(table);
        contest_match(c);
    }
    hall_exit(hall);
    return ERR_OK;
}

static const struct contest *contest_at(const struct hall *hall, size_t index) {
    const struct contest *c;
    DL_FOREACH(hall->contests, c)
    if (contest_is_known(c) && index-- == 0)
        return c;
    return NULL;
}

bool hall_championship_at(const struct hall *hall, size_t index, struct hall_championship *out) {
    const struct contest *c = contest_at(hall, index);
    if (c == NULL)
        return false;
    bool has_begun = contest_standing(c) != NULL;
    *out = (struct hall_championship){.name = c->name,
                                      .type = c->type,
                                      .players = c->players,
                                      .is_paused = c->is_paused,
                                      .entered = has_begun         ? c->players
                                                 : c->pool == NULL ? 0
                                                                   : (uint32_t)c->pool->player_count,
                                      .state = c->is_finished ? HALL_CHAMPIONSHIP_OVER
                                               : has_begun    ? HALL_CHAMPIONSHIP_RUNS
                                                              : HALL_CHAMPIONSHIP_OPEN};
    return true;
}

void hall_championship_standings(const struct hall *hall, size_t index,
                                 void (*visit)(void *context, const struct hall_player *), void *context) {
    const struct contest *c = contest_at(hall, index);
    if (c == NULL || contest_standing(c) == NULL)
        return;
    struct hall_player *players = contest_list(c, contest_standing(c));
    for (size_t i = 0; i < c->players; i++)
        visit(context, &players[i]);
    mem_free(players);
}
