#include "wire/ugs/master.h"

#include "base/log.h"
#include "base/mem.h"
#include "wire/ugs/dialect.h"

#include <assert.h>
#include <stdio.h>
#include <uthash.h>

enum {
    MASTER_POINTS_MAX = PITCH_MOVE_STEPS_MAX + 1
}; /* a whole move, and the starting point that some repeat */

const char *const ugs_master_types[] = {"paper-soccer", "paper_soccer", "papersoccer", "paper_football"};
const size_t ugs_master_type_count = sizeof ugs_master_types / sizeof *ugs_master_types;

struct master_table {
    struct ugs_master *master;
    char *id; /* the gameId */
    UT_hash_handle by_id;
    struct table *table;
    struct buf payload; /* the points of the last move, said when it is on disk */
    bool has_left;      /* a player left while a move was being saved */
    unsigned left_seat;
};

struct ugs_master {
    struct ugs_master_config config;
    struct ugs_reader *reader;
    struct master_table *tables;
    struct pitch_point points[MASTER_POINTS_MAX];
};

struct ugs_master *ugs_master_create(const struct ugs_master_config *config) {
    struct ugs_master *master = mem_alloc(sizeof *master);
    master->config = *config;
    master->reader = ugs_reader_create();
    return master;
}

/* Takes the table out of the master; what it has still to save is saved. */
static void master_table_drop(struct master_table *t) {
    HASH_DELETE(by_id, t->master->tables, t);
    table_close(t->table);
}

static void master_table_free(struct master_table *t) {
    buf_free(&t->payload);
    mem_free(t->id);
    mem_free(t);
}

void ugs_master_free(struct ugs_master *master) {
    struct master_table *t, *next;
    HASH_ITER(by_id, master->tables, t, next) {
        master_table_drop(t);
        master_table_free(t);
    }
    ugs_reader_free(master->reader);
    mem_free(master);
}

static void say(struct ugs_master *master, const struct hall_message *m) {
    master->config.say(master->config.context, m);
}

static void say_error(struct ugs_master *master, const char *text) {
    say(master, &(struct hall_message){.type = HALL_ERROR, .text = span_of(text)});
}

static const struct pitch *pitch_at(const struct master_table *t) {
    return (const struct pitch *)table_state(t->table);
}

static void payload_set(struct master_table *t, size_t point_count) {
    buf_clear(&t->payload);
    ugs_points_write(&t->payload, "gameState", t->master->points, point_count);
}

/* The same for a move that loses; why stands in a comment, which no parser minds. */
static void payload_set_illegal(struct master_table *t, size_t point_count, enum err why) {
    char words[EVENT_RULE_BYTES_MAX + EVENT_WHY_BYTES_MAX];
    bool has_rule = err_rule(why)[0] != '\0';
    snprintf(words, sizeof words, "%s%s%s", err_rule(why), has_rule ? ": " : "", err_sentence(why));
    buf_clear(&t->payload);
    ugs_breach_write(&t->payload, t->master->points, point_count, words);
}

static void say_over(struct master_table *t, struct hall_message *state) {
    struct hall_player players[2] = {0};
    int32_t points[SEATS_MAX];
    table_points(t->table, points);
    for (unsigned seat = 0; seat < 2; seat++) {
        players[seat].nick = span_of(table_name(t->table, seat));
        players[seat].result = points[seat] > 0 ? SPAN("winner") : SPAN("loser");
    }
    state->is_over = true;
    state->players = players;
    state->player_count = 2;
    /* Said last, because the next game may begin from inside. */
    HASH_DELETE(by_id, t->master->tables, t);
    say(t->master, state);
    table_close(t->table);
    master_table_free(t);
}

static void table_settled(void *context, struct table *table) {
    struct master_table *t = context;
    if (t->has_left && table_state_word(table) == TABLE_RUNNING) {
        t->has_left = false;
        payload_set(t, 0);
        enum err e = table_forfeit(table, t->left_seat, REASON_LEFT);
        assert(e == ERR_OK);
        (void)e;
        return;
    }
    struct hall_message state = {.type = HALL_GAME_STATE,
                                 .has_table = true,
                                 .table = span_of(t->id),
                                 .payload = buf_span(&t->payload)};
    if (table_state_word(table) == TABLE_OVER) {
        say_over(t, &state);
        return;
    }
    state.has_next = true;
    state.next = span_of(table_name(table, pitch_at(t)->mover));
    say(t->master, &state);
}

static void table_stalled(void *context, struct table *table) {
    struct master_table *t = context;
    (void)table;
    if (t->master->config.stalled != NULL)
        t->master->config.stalled(t->master->config.context, span_of(t->id));
}

static char *copy_span(struct span text) {
    char *copy = mem_alloc(text.size + 1);
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    return copy;
}

static void begin(struct ugs_master *master, const struct hall_message *m, uint64_t now_ms) {
    struct master_table *t = NULL;
    if (m->player_count != 2 || !m->has_table || m->table.size == 0) {
        say_error(master, "Paper Soccer is played by two, and a game needs an id");
        return;
    }
    HASH_FIND(by_id, master->tables, m->table.data, m->table.size, t);
    if (t != NULL) {
        say_error(master, "this game id is in use");
        return;
    }
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2),
                                .violation_loses = true,
                                .protocol = "ugs",
                                .names = {m->players[0].nick, m->players[1].nick},
                                .draws_seats = true};
    setup.options.value[PITCH_OPTION_FIRST_ATTACKS] = master->config.first_attack;
    if (!master->config.is_at_home || !table_code_parse(m->table, &setup.id))
        setup.id = tables_new_id(master->config.tables);
    t = mem_alloc(sizeof *t);
    t->master = master;
    t->id = copy_span(m->table);
    payload_set(t, 0);
    enum err e =
        table_open(master->config.tables, &setup,
                   &(struct table_listener){.context = t, .settled = table_settled, .stalled = table_stalled},
                   now_ms, &t->table);
    if (e != ERR_OK) {
        say_error(master, err_sentence(e));
        master_table_free(t);
        return;
    }
    HASH_ADD_KEYPTR(by_id, master->tables, t->id, strlen(t->id), t);
    for (unsigned seat = 0; seat < 2; seat++)
        table_set_online(t->table, seat, true); /* who is gone has left the game, and the master is told */
}

/* The table that a message is about; tells the server when there is none. */
static struct master_table *table_of(struct ugs_master *master, const struct hall_message *m) {
    struct master_table *t = NULL;
    if (!m->has_table && HASH_CNT(by_id, master->tables) == 1)
        return master->tables;
    if (m->table.size > 0)
        HASH_FIND(by_id, master->tables, m->table.data, m->table.size, t);
    if (t == NULL)
        say_error(master, "there is no such game");
    return t;
}

/* The actions of the points that were read. Returns why they are illegal. */
static enum err actions_of_points(struct ugs_master *master, const struct pitch *pitch,
                                  struct action *actions, size_t *count) {
    struct pitch trial = *pitch;
    struct pitch_point ball = pitch_point_of(trial.ball);
    if (master->config.is_lenient && *count > 1 && master->points[0].x == ball.x &&
        master->points[0].y == ball.y) {
        --*count;
        memmove(master->points, master->points + 1, *count * sizeof *master->points);
    }
    uint8_t dirs[MASTER_POINTS_MAX];
    enum err e = pitch_play_move(&trial, master->points, *count, dirs);
    if (e == ERR_MOVE_TOO_SHORT && master->config.is_lenient)
        e = ERR_OK; /* one step per message: the same player goes on */
    for (size_t i = 0; e == ERR_OK && i < *count; i++)
        actions[i] = pitch_action((enum direction)dirs[i]);
    return e;
}

static void move(struct ugs_master *master, const struct hall_message *m, uint64_t now_ms) {
    struct master_table *t = table_of(master, m);
    if (t == NULL)
        return;
    if (table_is_busy(t->table)) {
        say_error(master, err_sentence(ERR_BUSY));
        return;
    }
    struct action actions[MASTER_POINTS_MAX];
    unsigned mover = pitch_at(t)->mover;
    size_t count = 0;
    enum err e = ugs_points_read(master->reader, m->payload, master->config.is_lenient, master->points,
                                 MASTER_POINTS_MAX, &count);
    if (e != ERR_OK)
        count = 0; /* what cannot be read cannot be shown */
    else
        e = actions_of_points(master, pitch_at(t), actions, &count);
    if (e == ERR_OK) {
        payload_set(t, count);
        e = table_act(t->table, mover, actions, count, now_ms);
        assert(e == ERR_OK);
        return;
    }
    log_event(LOG_DEBUG, "illegal-move", LOG_TEXT("table", span_of(t->id)),
              LOG_TEXT("why", span_of(err_word(e))), LOG_TEXT("rule", span_of(err_rule(e))));
    inspector_record(
        master->config.inspector, table_id(t->table),
        &(struct inspector_message){
            .seat = mover, .protocol = "ugs", .is_incoming = true, .text = m->payload, .why = e});
    payload_set_illegal(t, count, e);
    e = table_violate(t->table, mover, &(struct table_breach){.why = e, .sent = m->payload});
    assert(e == ERR_OK);
}

static void player_left(struct ugs_master *master, const struct hall_message *m) {
    struct master_table *t = table_of(master, m);
    if (t == NULL)
        return;
    unsigned seat = 0;
    while (seat < 2 && !span_is(m->nick, table_name(t->table, seat)))
        seat++;
    if (seat == 2) {
        say_error(master, "nobody of that name plays in this game");
        return;
    }
    table_set_online(t->table, seat, false);
    if (table_is_busy(t->table)) {
        if (!t->has_left)
            t->left_seat = seat; /* who left first */
        t->has_left = true;
        return;
    }
    payload_set(t, 0);
    enum err e = table_forfeit(t->table, seat, REASON_LEFT);
    assert(e == ERR_OK);
    (void)e;
}

void ugs_master_take(struct ugs_master *master, const struct hall_message *m, uint64_t now_ms) {
    switch (m->type) {
    case HALL_BEGIN_GAME: begin(master, m, now_ms); break;
    case HALL_MOVE: move(master, m, now_ms); break;
    case HALL_PLAYER_LEFT_GAME: player_left(master, m); break;
    default: break;
    }
}

static void restored_settled(void *context, struct table *table) {
    (void)context;
    table_close(table);
}

static void restored_stalled(void *context, struct table *table) {
    (void)context;
    (void)table;
}

void ugs_master_restored(struct table *table) {
    table_listen(table, &(struct table_listener){
                            .context = NULL, .settled = restored_settled, .stalled = restored_stalled});
    enum err e = table_abandon(table);
    assert(e == ERR_OK);
    (void)e;
}

size_t ugs_master_table_count(const struct ugs_master *master) {
    return HASH_CNT(by_id, master->tables);
}
