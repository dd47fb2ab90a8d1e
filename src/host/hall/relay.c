/* Tables: what passes between a master and the players of one game, and what happens when one of them does
 * not answer. */
#include "host/hall/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

static void relay_timed_out(struct timer *timer, uint64_t now_ms);

bool relay_is_decided(const struct relay *table) {
    return table->phase == RELAY_SAVES || table->phase == RELAY_WAITS_FOR_THANKS;
}

static void relay_enter(struct relay *table, enum relay_phase phase) {
    struct hall *hall = table->pool->hall;
    const uint32_t limit_ms[] = {
        [RELAY_WAITS_FOR_MASTER] = hall->config.master_timeout_ms,
        [RELAY_WAITS_FOR_MOVE] = hall->config.move_timeout_ms,
        [RELAY_SETTLES] = hall->config.settle_timeout_ms,
        [RELAY_WAITS_FOR_THANKS] = hall->config.thanks_timeout_ms,
    };
    table->phase = phase;
    bool is_masters_turn = phase == RELAY_WAITS_FOR_MASTER || phase == RELAY_SETTLES;
    if (phase == RELAY_SAVES || (is_masters_turn && table->pool->master == hall->local)) {
        /* The built-in master answers when its table is saved; a slow disk is nobody's fault. */
        timers_stop(&hall->timers, &table->timer);
        return;
    }
    timers_arm(&hall->timers, &table->timer, hall->now_ms + limit_ms[phase], relay_timed_out);
}

static struct hall_message relay_message(const struct relay *table, enum hall_type type) {
    return (struct hall_message){.type = type, .has_table = true, .table = span_of(table->id)};
}

static void relay_send(struct relay *table, enum hall_type type, struct span written) {
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].member != NULL)
            hall_send(table->seat[i].member, type, written);
}

/* What all players of a table are told is written once. */
static void relay_tell(struct relay *table, const struct hall_message *m) {
    struct hall *hall = table->pool->hall;
    hall_write(hall, &hall->out, m);
    relay_send(table, m->type, buf_span(&hall->out));
}

static void relay_tell_error(struct relay *table, const char *text) {
    char words[HALL_TEXT_BYTES_MAX];
    snprintf(words, sizeof words, "game %s: %s", table->id, text);
    relay_tell(table, &(struct hall_message){.type = HALL_ERROR, .text = span_of(words)});
}

static struct relay *relay_add(struct pool *pool, const char *id, size_t count) {
    struct hall *hall = pool->hall;
    struct relay *table = mem_alloc(sizeof *table + count * sizeof table->seat[0]);
    table->pool = pool;
    snprintf(table->id, sizeof table->id, "%s", id);
    HASH_ADD_KEYPTR(by_id, hall->tables_by_id, table->id, strlen(table->id), table);
    DL_PREPEND(pool->tables, table);
    pool->table_count++;
    table->seat_count = count;
    log_event(LOG_DEBUG, "table-begins", LOG_TEXT("table", span_of(table->id)));
    return table;
}

static void relay_seat_player(struct relay *table, size_t index, struct hall_member *player) {
    struct relay_seat *seat = &table->seat[index];
    pool_forget(player);
    player->table = table;
    player->seat = index;
    seat->member = player;
    seat->entrant = player->entrant;
    memcpy(seat->nick, player->nick, sizeof seat->nick);
}

void relay_begin(struct pool *pool, struct hall_member **players, size_t count) {
    struct hall *hall = pool->hall;
    char id[HALL_TABLE_ID_BYTES_MAX];
    uint64_t number =
        hall->config.tables != NULL ? tables_new_number(hall->config.tables) : ++hall->table_count;
    table_code_format(number, id);
    struct relay *table = relay_add(pool, id, count);
    struct hall_player told[HALL_TABLE_SEATS_MAX] = {0};
    for (size_t i = 0; i < count; i++) {
        relay_seat_player(table, i, players[i]);
        told[i].nick = span_of(table->seat[i].nick);
    }
    relay_enter(table, RELAY_WAITS_FOR_MASTER);
    struct hall_message begin = relay_message(table, HALL_BEGIN_GAME);
    begin.players = told;
    begin.player_count = count;
    hall_tell(pool->master, &begin);
}

struct relay *relay_join(struct pool *pool, const char *id, const struct relay_seat *seats, size_t count,
                         struct mixed_table *mixed) {
    struct relay *table = relay_add(pool, id, count);
    table->mixed = mixed;
    pool->hall->counts.mixed_tables++;
    for (size_t i = 0; i < count; i++) {
        if (seats[i].member != NULL)
            relay_seat_player(table, i, seats[i].member);
        else
            memcpy(table->seat[i].nick, seats[i].nick, sizeof seats[i].nick);
    }
    relay_enter(table, RELAY_WAITS_FOR_MASTER);
    return table;
}

/* Whoever knows the rules hears of it: of a seat. */
static void relay_ask(struct relay *table, size_t seat, const struct hall_message *m) {
    if (table->mixed != NULL)
        mixed_take(table->mixed, seat, m);
    else
        hall_tell(table->pool->master, m);
}

void relay_free(struct relay *table) {
    struct pool *pool = table->pool;
    struct hall *hall = pool->hall;
    assert(table->mixed == NULL);
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].member != NULL)
            table->seat[i].member->table = NULL;
    timers_stop(&hall->timers, &table->timer);
    HASH_DELETE(by_id, hall->tables_by_id, table);
    DL_DELETE(pool->tables, table);
    pool->table_count--;
    buf_free(&table->verdict);
    mem_free(table);
}

/* The table is gone, and its players wait for the next one. */
static void relay_dissolve(struct relay *table) {
    struct hall_member *players[HALL_TABLE_SEATS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].member != NULL)
            players[count++] = table->seat[i].member;
    relay_free(table);
    for (size_t i = 0; i < count; i++)
        pool_wait(players[i]);
}

/* Whether the player is taken for broken: it fell silent, or it never thanks and even its late move is
 * missing. */
static bool relay_seat_is_deaf(const struct relay_seat *seat) {
    return !seat->has_thanked && (seat->is_silent || (seat->member->is_thankless && seat->owes_move));
}

/* Players who are let go when the table is gone. */
struct relay_parting {
    struct hall_member *members[HALL_TABLE_SEATS_MAX];
    size_t count;
};

/* Takes those out of the table who are taken for broken. */
static void relay_part(struct relay *table, struct relay_parting *out) {
    out->count = 0;
    for (size_t i = 0; i < table->seat_count; i++) {
        struct relay_seat *seat = &table->seat[i];
        if (seat->member == NULL || !relay_seat_is_deaf(seat))
            continue;
        seat->member->table = NULL;
        out->members[out->count++] = seat->member;
        seat->member = NULL;
    }
}

/* The pool may end with the last of them. */
static void relay_let_go(const struct relay_parting *parting, const char *why) {
    for (size_t i = 0; i < parting->count; i++) {
        hall_tell_error(parting->members[i], "%s; log in again to play", why);
        hall_member_end(parting->members[i], true);
    }
}

/* Ends the table. Players who fell silent and did not even thank are taken for broken and closed. */
static void relay_end(struct relay *table) {
    struct pool *pool = table->pool;
    struct relay_parting broken;
    for (size_t i = 0; i < table->seat_count; i++)
        if (table->seat[i].member != NULL)
            memcpy(table->seat[i].member->last_table, table->id, sizeof table->id);
    relay_part(table, &broken);
    pool->hall->counts.tables_finished++;
    relay_dissolve(table);
    pool_match(pool);
    relay_let_go(&broken, "you did not answer any more");
}

/* Ends it when it is over for everybody. */
static void relay_end_thanked(struct relay *table) {
    bool is_over = table->phase == RELAY_WAITS_FOR_THANKS;
    for (size_t i = 0; i < table->seat_count; i++)
        is_over &= table->seat[i].member == NULL || table->seat[i].has_thanked;
    if (is_over)
        relay_end(table);
}

/* The seat of a nick, or seat_count. */
static size_t relay_seat_of(const struct relay *table, struct span nick) {
    size_t i = 0;
    while (i < table->seat_count && !span_is(nick, table->seat[i].nick))
        i++;
    return i;
}

static void relay_record(struct relay *table, const struct hall_message *over) {
    struct contest *c = table->pool->contest;
    if (c == NULL)
        return;
    bool won[2] = {false, false}, lost[2] = {false, false};
    for (size_t i = 0; i < over->player_count; i++) {
        size_t seat = relay_seat_of(table, over->players[i].nick);
        won[seat] |= span_is(over->players[i].result, "winner");
        lost[seat] |= span_is(over->players[i].result, "loser");
    }
    championship_pair_result(c->championship, table->seat[0].entrant, table->seat[1].entrant, won[0], lost[0],
                             won[1], lost[1]);
    for (size_t i = 0; i < 2; i++)
        contest_release(c, table->seat[i].entrant);
}

static void relay_tell_over(struct relay *table) {
    relay_enter(table, RELAY_WAITS_FOR_THANKS);
    relay_send(table, HALL_GAME_STATE, buf_span(&table->verdict));
    for (size_t i = 0; i < table->seat_count; i++) {
        struct relay_seat *seat = &table->seat[i];
        seat->has_thanked |= seat->member != NULL && seat->member->is_thankless && !seat->owes_move;
    }
    relay_end_thanked(table); /* nobody may be left to thank */
}

/* The game is over, by the master's word or by ours. In a championship that is kept, its players are told
 * when the journal has it. */
static void relay_over(struct relay *table, const struct hall_message *over) {
    const struct contest *c = table->pool->contest;
    log_event(LOG_DEBUG, "table-over", LOG_TEXT("table", span_of(table->id)));
    hall_write(table->pool->hall, &table->verdict, over);
    relay_record(table, over);
    if (c == NULL || contest_is_saved(c)) {
        relay_tell_over(table);
        return;
    }
    table->verdict_seq = contest_last_seq(c);
    relay_enter(table, RELAY_SAVES);
}

static struct relay *relay_saved_first(const struct pool *pool, uint64_t seq) {
    struct relay *table = pool->tables;
    while (table != NULL && (table->phase != RELAY_SAVES || table->verdict_seq > seq))
        table = table->next;
    return table;
}

void relays_saved(struct pool *pool, uint64_t seq) {
    struct relay *table;
    while ((table = relay_saved_first(pool, seq)) != NULL) {
        if (pool->master != NULL) {
            relay_tell_over(table);
        } else {
            relay_send(table, HALL_GAME_STATE, buf_span(&table->verdict));
            table->phase = RELAY_WAITS_FOR_THANKS;
            relay_abandon(table);
        }
    }
}

void relays_stalled(struct pool *pool) {
    for (struct relay *table = pool->tables; table != NULL; table = table->next) {
        if (table->phase != RELAY_SAVES || table->is_stalled)
            continue;
        table->is_stalled = true;
        relay_tell_error(table, "the server cannot save at the moment; it goes on as soon as it can");
    }
}

/* The master gave no verdict: who left has lost, the others have won. When all have left, the first of them
 * has lost. */
static void relay_settle(struct relay *table) {
    struct hall_player players[HALL_TABLE_SEATS_MAX] = {0};
    for (size_t i = 0; i < table->seat_count; i++) {
        const struct relay_seat *seat = &table->seat[i];
        bool has_lost = table->left_count == table->seat_count ? seat->left == 1 : seat->left != 0;
        players[i].nick = span_of(seat->nick);
        players[i].result = has_lost ? SPAN("loser") : SPAN("winner");
    }
    struct hall_message over = relay_message(table, HALL_GAME_STATE);
    over.is_over = true;
    over.players = players;
    over.player_count = table->seat_count;
    relay_over(table, &over);
}

/* The seat takes no part any more; the master is asked for its verdict. */
static void relay_drop(struct relay *table, size_t index) {
    struct relay_seat *seat = &table->seat[index];
    seat->left = ++table->left_count;
    relay_enter(table, RELAY_SETTLES);
    struct hall_message left = relay_message(table, HALL_PLAYER_LEFT_GAME);
    left.nick = span_of(seat->nick);
    left.silent_ms = seat->is_silent ? table->pool->hall->config.move_timeout_ms : 0;
    relay_ask(table, index, &left);
}

static void relay_fell_silent(struct relay *table) {
    struct relay_seat *seat = &table->seat[table->mover];
    seat->is_silent = true;
    hall_tell_error(seat->member, "no move within %g seconds: you lose game %s",
                    table->pool->hall->config.move_timeout_ms / 1000.0, table->id);
    contest_withdraw(seat->member, true);
    relay_drop(table, table->mover);
}

static void relay_timed_out(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct relay *table = TIMER_OWNER(timer, struct relay, timer);
    struct hall_member *master = table->pool->master;
    switch (table->phase) {
    case RELAY_WAITS_FOR_MASTER:
        log_event(LOG_WARN, "master-silent", LOG_TEXT("type", span_of(table->pool->type)),
                  LOG_TEXT("table", span_of(table->id)));
        hall_tell_error(master, "no answer for game %s: you are taken for lost", table->id);
        hall_member_end(master, true);
        break;
    case RELAY_WAITS_FOR_MOVE: relay_fell_silent(table); break;
    case RELAY_SETTLES: relay_settle(table); break;
    case RELAY_SAVES: break; /* has no time limit */
    case RELAY_WAITS_FOR_THANKS: relay_end(table); break;
    }
}

/* What members say about tables. Each returns why it is refused, with the id of the table to be put in; or
 * NULL, and the table may be gone. */

static const char *relay_of_master(const struct hall_member *master, const struct hall_message *m,
                                   struct relay **table) {
    struct pool *pool = master->pool;
    if (m->has_table && m->table.size > 0)
        HASH_FIND(by_id, master->hall->tables_by_id, m->table.data, m->table.size, *table);
    else if (!m->has_table && pool->table_count == 1)
        *table = pool->tables;
    if (*table != NULL && (*table)->pool->master == master)
        return NULL;
    return m->has_table ? "there is no game with this id that you run"
                        : "the gameId is missing and you do not run exactly one game";
}

/* Which can only be its own. */
static const char *relay_of_player(const struct hall_member *player, const struct hall_message *m,
                                   struct relay **table) {
    *table = player->table;
    if (*table == NULL)
        return "you are not in a game";
    return m->has_table && !span_is(m->table, (*table)->id) ? "you are not in that game; yours is %s" : NULL;
}

static const char *relay_take_state(struct relay *table, const struct hall_message *m) {
    struct hall_message state = *m;
    if (relay_is_decided(table))
        return "game %s is over";
    state.has_table = true;
    state.table = span_of(table->id);
    if (m->is_over) {
        for (size_t i = 0; i < m->player_count; i++)
            if (relay_seat_of(table, m->players[i].nick) == table->seat_count)
                return "gameOver names somebody who is not in game %s";
        state.has_next = false;
        relay_over(table, &state);
        return NULL;
    }
    if (!m->has_next)
        return "game %s: one of nextPlayer and gameOver is needed";
    size_t seat = relay_seat_of(table, m->next);
    if (seat == table->seat_count || table->seat[seat].left != 0)
        return "nextPlayer is not, or not any more, in game %s";
    bool is_ours = table->seat[seat].member != NULL; /* others have their own clock */
    table->mover = seat;
    table->seat[seat].owes_move = is_ours;
    relay_enter(table, is_ours ? RELAY_WAITS_FOR_MOVE : RELAY_WAITS_FOR_MASTER);
    relay_tell(table, &state);
    return NULL;
}

/* Refused only when whoever is next has left, and then it is decided soon. */
static void relay_say_state(struct relay *table, const struct hall_message *m) {
    const char *why = relay_take_state(table, m);
    (void)why;
}

void relay_next(struct relay *table, const struct pitch_point *points, size_t count, size_t mover) {
    struct hall_message state = relay_message(table, HALL_GAME_STATE);
    state.has_next = true;
    state.next = span_of(table->seat[mover].nick);
    state.points = points;
    state.point_count = count;
    relay_say_state(table, &state);
}

void relay_finish(struct relay *table, const struct pitch_point *points, size_t count, enum err broken,
                  const int32_t *scores) {
    struct hall_player players[HALL_TABLE_SEATS_MAX] = {0};
    struct hall_message state = relay_message(table, HALL_GAME_STATE);
    char words[MASTER_WORDS_BYTES];
    for (size_t i = 0; i < table->seat_count; i++) {
        players[i].nick = span_of(table->seat[i].nick);
        players[i].result = scores[i] > 0 ? SPAN("winner") : SPAN("loser");
    }
    state.is_over = true;
    state.players = players;
    state.player_count = table->seat_count;
    state.points = points;
    state.point_count = count;
    if (broken != ERR_OK) {
        master_words(broken, words);
        state.text = span_of(words);
    }
    relay_say_state(table, &state);
}

/* The master says that somebody has left: also the echo of our own message, which says nothing new. */
static const char *relay_take_left(struct relay *table, const struct hall_message *m) {
    size_t index = relay_seat_of(table, m->nick);
    struct relay_seat *seat = &table->seat[index];
    if (index == table->seat_count)
        return "playerLeftGame names somebody who is not in game %s";
    if (seat->left == 0 && !relay_is_decided(table)) {
        seat->left = ++table->left_count;
        relay_enter(table, RELAY_SETTLES);
        hall_tell_error(seat->member, "the game master removed you from game %s", table->id);
    }
    return NULL;
}

/* The game ended while its answer was on the way: it counts as thanks and as nothing else. */
static void relay_take_late(struct relay *table, struct relay_seat *seat) {
    seat->owes_move = false;
    seat->has_thanked = table->phase == RELAY_WAITS_FOR_THANKS;
    relay_end_thanked(table);
}

static const char *relay_take_move(struct hall_member *player, const struct hall_message *m) {
    struct relay *table = player->table;
    struct relay_seat *seat = &table->seat[player->seat];
    struct hall_message move = *m;
    if (player->is_thankless && seat->owes_move && table->phase != RELAY_WAITS_FOR_MOVE) {
        relay_take_late(table, seat);
        return NULL;
    }
    if (table->phase == RELAY_WAITS_FOR_THANKS)
        return "game %s is over";
    if (table->phase != RELAY_WAITS_FOR_MOVE || table->mover != player->seat)
        return "it is not your turn in game %s";
    seat->owes_move = false;
    relay_enter(table, RELAY_WAITS_FOR_MASTER);
    move.has_table = true;
    move.table = span_of(table->id);
    relay_ask(table, player->seat, &move);
    return NULL;
}

void relay_go_on(struct hall_member *player) {
    struct relay *table = player->table;
    if (table != NULL && table->phase == RELAY_WAITS_FOR_MOVE && table->mover == player->seat)
        relay_enter(table, RELAY_WAITS_FOR_MOVE);
}

/* Thanks, or leave, which is the same when the table is decided. */
static const char *relay_take_goodbye(struct hall_member *player, const struct hall_message *m) {
    struct relay *table = player->table;
    if (m->type == HALL_THANK_YOU ? table->phase == RELAY_WAITS_FOR_THANKS : relay_is_decided(table)) {
        table->seat[player->seat].has_thanked = true;
        relay_end_thanked(table);
        return NULL;
    }
    if (m->type == HALL_THANK_YOU)
        return "game %s is not over";
    relay_lose_player(player);
    pool_wait(player);
    pool_match(player->pool);
    return NULL;
}

/* Is this about the table that the player was at before, whose time for thanks has run out? */
static bool relay_is_late(const struct hall_member *player, const struct hall_message *m) {
    return m->type == HALL_THANK_YOU && player->last_table[0] != '\0' &&
           (m->has_table ? span_is(m->table, player->last_table) : player->table == NULL);
}

void relay_take(struct hall_member *member, const struct hall_message *m) {
    bool is_player = member->role == MEMBER_PLAYER;
    struct relay *table = NULL;
    if (is_player && relay_is_late(member, m))
        return;
    const char *why = is_player ? relay_of_player(member, m, &table) : relay_of_master(member, m, &table);
    if (why == NULL && is_player)
        why = m->type == HALL_MOVE ? relay_take_move(member, m) : relay_take_goodbye(member, m);
    else if (why == NULL)
        why = m->type == HALL_GAME_STATE ? relay_take_state(table, m) : relay_take_left(table, m);
    if (why != NULL)
        hall_tell_error(member, why, table == NULL ? "" : table->id);
}

void relay_lose_player(struct hall_member *player) {
    struct relay *table = player->table;
    if (table == NULL)
        return;
    struct relay_seat *seat = &table->seat[player->seat];
    player->table = NULL;
    memcpy(player->last_table, table->id, sizeof table->id);
    seat->member = NULL;
    if (table->pool->hall->is_ending)
        return;
    if (!relay_is_decided(table)) {
        if (seat->left == 0)
            relay_drop(table, player->seat);
        return;
    }
    relay_end_thanked(table);
}

void relay_stall(struct hall *hall, struct span id) {
    struct relay *table = NULL;
    HASH_FIND(by_id, hall->tables_by_id, id.data, id.size, table);
    if (table != NULL)
        relay_tell_error(table, "the server cannot save at the moment; the game goes on as soon as it can");
}

void relay_undecided(struct hall *hall, struct span id) {
    struct relay *table = NULL;
    HASH_FIND(by_id, hall->tables_by_id, id.data, id.size, table);
    if (table == NULL)
        return;
    struct pool *pool = table->pool;
    struct relay_parting owing;
    relay_part(table, &owing); /* a move that is still to come would be taken for one of the next game */
    relay_abandon(table);
    if (!hall->is_ending)
        pool_match(pool);
    relay_let_go(&owing, "the game is undecided");
}

void relay_abandon(struct relay *table) {
    struct contest *c = table->pool->contest;
    if (!relay_is_decided(table)) {
        for (size_t i = 0; i < table->seat_count && !table->pool->hall->is_ending; i++)
            if (table->seat[i].member != NULL)
                hall_tell_error(table->seat[i].member, "the game master is gone: game %s is undecided",
                                table->id);
        if (c != NULL)
            championship_pair_again(c->championship, table->seat[0].entrant, table->seat[1].entrant);
        for (size_t i = 0; c != NULL && i < 2; i++)
            contest_release(c, table->seat[i].entrant);
    }
    relay_dissolve(table);
}
