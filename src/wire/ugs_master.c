#include "wire/ugs_master.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/table.h"
#include "wire/ugs.h"

#include <assert.h>
#include <uthash.h>

enum {
    MASTER_POINTS_MAX = PITCH_MOVE_STEPS_MAX + 1
}; /* a whole move, and the starting point that some repeat */

const char *const ugs_master_types[] = {"paper-soccer", "paper_soccer", "papersoccer", "paper_football"};
const size_t ugs_master_type_count = sizeof ugs_master_types / sizeof *ugs_master_types;

struct master_table {
    char *id;
    UT_hash_handle by_id;
    char *nick[2]; /* seat 0 begins */
    struct table *table;
};

struct ugs_master {
    struct ugs_master_config config;
    struct rng rng;
    struct ugs_reader *reader;
    struct master_table *tables;
    struct buf payload; /* of the message that is being said */
    struct pitch_point points[MASTER_POINTS_MAX];
};

struct ugs_master *ugs_master_create(const struct ugs_master_config *config) {
    struct ugs_master *master = mem_alloc(sizeof *master);
    master->config = *config;
    rng_seed(&master->rng, config->seed);
    master->reader = ugs_reader_create();
    return master;
}

static char *copy_span(struct span text) {
    char *copy = mem_alloc(text.size + 1);
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    return copy;
}

static void master_table_free(struct master_table *t) {
    table_free(t->table);
    mem_free(t->id);
    mem_free(t->nick[0]);
    mem_free(t->nick[1]);
    mem_free(t);
}

void ugs_master_free(struct ugs_master *master) {
    struct master_table *t, *next;
    HASH_ITER(by_id, master->tables, t, next) {
        HASH_DELETE(by_id, master->tables, t);
        master_table_free(t);
    }
    ugs_reader_free(master->reader);
    buf_free(&master->payload);
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

/* Says where the table stands after the points of the last move. A table that is over is forgotten before it
 * is said, because the answer may come from inside. */
static void say_state(struct ugs_master *master, struct master_table *t, size_t point_count) {
    struct hall_player players[2] = {0};
    struct hall_message state = {.type = HALL_GAME_STATE, .has_table = true, .table = span_of(t->id)};
    buf_clear(&master->payload);
    ugs_points_write(&master->payload, "gameState", master->points, point_count);
    state.payload = buf_span(&master->payload);
    if (table_outcome(t->table) == TABLE_RUNNING) {
        state.has_next = true;
        state.next = span_of(t->nick[pitch_at(t)->mover]);
        say(master, &state);
        return;
    }
    int32_t points[SEATS_MAX];
    table_points(t->table, points);
    for (unsigned seat = 0; seat < 2; seat++) {
        players[seat].nick = span_of(t->nick[seat]);
        players[seat].result = points[seat] > 0 ? SPAN("winner") : SPAN("loser");
    }
    state.is_over = true;
    state.players = players;
    state.player_count = 2;
    HASH_DELETE(by_id, master->tables, t);
    say(master, &state);
    master_table_free(t);
}

static void begin(struct ugs_master *master, const struct hall_message *m) {
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
    struct game_options options = game_options_default(&paper_soccer_game, 2);
    options.value[PITCH_OPTION_FIRST_ATTACKS] = master->config.first_attack;
    t = mem_alloc(sizeof *t);
    enum err e = table_create(&paper_soccer_game, &options, &(struct table_policy){.violation_loses = true},
                              &t->table);
    assert(e == ERR_OK);
    (void)e;
    unsigned first = rng_below(&master->rng, 2);
    t->id = copy_span(m->table);
    t->nick[0] = copy_span(m->players[first].nick);
    t->nick[1] = copy_span(m->players[first ^ 1].nick);
    HASH_ADD_KEYPTR(by_id, master->tables, t->id, strlen(t->id), t);
    say_state(master, t, 0);
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

/* Plays the points of a move that could be read. Returns why it is illegal. */
static enum err play_points(struct ugs_master *master, struct master_table *t, size_t *count) {
    struct pitch trial = *pitch_at(t);
    unsigned mover = trial.mover;
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
    if (e != ERR_OK) {
        table_violate(t->table, mover);
        return e;
    }
    struct action actions[MASTER_POINTS_MAX];
    for (size_t i = 0; i < *count; i++)
        actions[i] = pitch_action((enum direction)dirs[i]);
    return table_act(t->table, mover, actions, *count);
}

static void move(struct ugs_master *master, const struct hall_message *m) {
    struct master_table *t = table_of(master, m);
    if (t == NULL)
        return;
    size_t count = 0;
    enum err e = ugs_points_read(master->reader, m->payload, master->config.is_lenient, master->points,
                                 MASTER_POINTS_MAX, &count);
    if (e != ERR_OK) {
        table_violate(t->table, pitch_at(t)->mover);
        count = 0; /* what cannot be read cannot be shown */
    } else {
        e = play_points(master, t, &count);
    }
    if (e != ERR_OK)
        log_event(LOG_DEBUG, "illegal-move", LOG_TEXT("table", span_of(t->id)),
                  LOG_TEXT("why", span_of(err_word(e))), LOG_TEXT("rule", span_of(err_rule(e))));
    say_state(master, t, count);
}

static void player_left(struct ugs_master *master, const struct hall_message *m) {
    struct master_table *t = table_of(master, m);
    if (t == NULL)
        return;
    for (unsigned seat = 0; seat < 2; seat++)
        if (span_is(m->nick, t->nick[seat])) {
            table_forfeit(t->table, seat);
            say_state(master, t, 0);
            return;
        }
    say_error(master, "nobody of that name plays in this game");
}

void ugs_master_take(struct ugs_master *master, const struct hall_message *m) {
    switch (m->type) {
    case HALL_BEGIN_GAME: begin(master, m); break;
    case HALL_MOVE: move(master, m); break;
    case HALL_PLAYER_LEFT_GAME: player_left(master, m); break;
    default: break;
    }
}

size_t ugs_master_table_count(const struct ugs_master *master) {
    return HASH_CNT(by_id, master->tables);
}
