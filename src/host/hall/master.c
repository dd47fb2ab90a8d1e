#include "host/hall/master.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/table/figures.h"

#include <assert.h>
#include <stdio.h>
#include <uthash.h>

const char *const master_types[] = {"paper-soccer", "paper_soccer", "papersoccer", "paper_football"};
const size_t master_type_count = sizeof master_types / sizeof *master_types;

struct master_table {
    struct master *master;
    UT_hash_handle by_id;
    struct table *table;
    struct buf points; /* of the last move, said when it is on disk */
    enum err broken;   /* the rule that it broke; ERR_OK: none */
    bool has_left;     /* a player left while a move was being saved */
    unsigned left_seat;
    uint32_t silent_ms; /* of who has left, see struct hall_message */
    char id[];          /* the gameId */
};

struct master {
    struct master_config config;
    struct master_table *tables;
};

struct master *master_create(const struct master_config *config) {
    struct master *master = mem_alloc(sizeof *master);
    master->config = *config;
    return master;
}

static void master_table_free(struct master_table *t) {
    buf_free(&t->points);
    mem_free(t);
}

/* What the tables have still to save is saved. */
void master_free(struct master *master) {
    struct master_table *t, *next;
    if (master == NULL)
        return;
    HASH_ITER(by_id, master->tables, t, next) {
        HASH_DELETE(by_id, master->tables, t);
        table_close(t->table);
        master_table_free(t);
    }
    mem_free(master);
}

void master_disown(struct master *master) {
    struct master_table *t, *next;
    if (master == NULL)
        return;
    HASH_ITER(by_id, master->tables, t, next) {
        HASH_DELETE(by_id, master->tables, t);
        table_disown(t->table);
        for (unsigned seat = 0; seat < 2; seat++)
            table_set_online(t->table, seat, false);
        master_table_free(t);
    }
}

static void master_say(struct master *master, const struct hall_message *m) {
    master->config.say(master->config.context, m);
}

static void master_say_error(struct master *master, const char *text) {
    master_say(master, &(struct hall_message){.type = HALL_ERROR, .text = span_of(text)});
}

static const struct pitch *master_pitch(const struct table *table) {
    return pitch_of_view(table_view(table, SEAT_WATCHER));
}

static void master_remember(struct master_table *t, const struct pitch_point *points, size_t count,
                            enum err broken) {
    buf_clear(&t->points);
    buf_append(&t->points, span_make(points, count * sizeof *points));
    t->broken = broken;
}

void master_words(enum err broken, char words[MASTER_WORDS_BYTES]) {
    const struct err_row *row = game_refusal(&paper_soccer_game, broken);
    snprintf(words, MASTER_WORDS_BYTES, "%s%s%s", row->rule, row->rule[0] != '\0' ? ": " : "", row->sentence);
}

static void master_say_over(struct master_table *t, struct hall_message *state) {
    struct hall_player players[2] = {0};
    char words[MASTER_WORDS_BYTES];
    int32_t points[SEATS_MAX];
    table_points(t->table, points);
    for (unsigned seat = 0; seat < 2; seat++) {
        players[seat].nick = span_of(table_name(t->table, seat));
        players[seat].result = points[seat] > 0 ? SPAN("winner") : SPAN("loser");
    }
    state->is_over = true;
    state->players = players;
    state->player_count = 2;
    if (t->broken != ERR_OK) {
        master_words(t->broken, words);
        state->text = span_of(words);
    }
    /* Said last, because the next game may begin from inside. */
    HASH_DELETE(by_id, t->master->tables, t);
    if (table_outcome(t->table) != OUTCOME_UNDECIDED)
        master_say(t->master, state);
    else if (t->master->config.undecided != NULL)
        t->master->config.undecided(t->master->config.context, span_of(t->id));
    table_close(t->table);
    master_table_free(t);
}

enum err master_give_up(struct table *table, unsigned seat, uint32_t silent_ms) {
    char words[TABLE_CAUSE_WORDS_BYTES];
    snprintf(words, sizeof words, "no move within %g s", silent_ms / 1000.0);
    if (silent_ms > 0 && table_may_act(table, seat))
        return table_time_out_why(
            table, seat, &(struct table_cause){.words = words, .rule = "clocks C1", .allowed_ms = silent_ms});
    return table_forfeit_why(table, seat, REASON_LEFT,
                             &(struct table_cause){.words = "left the game, or its connection was lost"});
}

static void master_forfeit(struct master_table *t, unsigned seat) {
    master_remember(t, NULL, 0, ERR_OK);
    enum err e = master_give_up(t->table, seat, t->silent_ms);
    assert(e == ERR_OK);
    (void)e;
}

static void master_settled(void *context, struct table *table) {
    struct master_table *t = context;
    bool is_running = table_state_word(table) == TABLE_RUNNING;
    if (t->has_left && is_running) {
        t->has_left = false;
        master_forfeit(t, t->left_seat);
        return;
    }
    struct hall_message state = {.type = HALL_GAME_STATE,
                                 .has_table = true,
                                 .table = span_of(t->id),
                                 .points = (const struct pitch_point *)(const void *)t->points.data,
                                 .point_count = t->points.size / sizeof(struct pitch_point)};
    if (!table_tells_own(table)) /* another hall has ended it: what was on its way here was never saved */
        state.point_count = 0;
    if (!is_running) {
        master_say_over(t, &state);
        return;
    }
    state.has_next = true;
    state.next = span_of(table_name(table, master_pitch(table)->mover));
    master_say(t->master, &state);
}

static void master_stalled(void *context, struct table *table) {
    struct master_table *t = context;
    (void)table;
    if (t->master->config.stalled != NULL)
        t->master->config.stalled(t->master->config.context, span_of(t->id));
}

/* Two halls have given out the same number: the game does not take place. */
static void master_taken(void *context, struct table *table) {
    struct master_table *t = context;
    struct master *master = t->master;
    (void)table;
    HASH_DELETE(by_id, master->tables, t);
    if (master->config.undecided != NULL)
        master->config.undecided(master->config.context, span_of(t->id));
    master_table_free(t);
}

static struct master_table *master_find(const struct master *master, struct span id) {
    struct master_table *t = NULL;
    if (id.size > 0)
        HASH_FIND(by_id, master->tables, id.data, id.size, t);
    return t;
}

static void master_begin(struct master *master, const struct hall_message *m, uint64_t now_ms) {
    if (m->player_count != 2 || !m->has_table || m->table.size == 0) {
        master_say_error(master, "Paper Soccer is played by two, and a game needs an id");
        return;
    }
    if (master_find(master, m->table) != NULL) {
        master_say_error(master, "this game id is in use");
        return;
    }
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2),
                                .violation_loses = true,
                                .protocol = HALL_PROTOCOL,
                                .names = {m->players[0].nick, m->players[1].nick},
                                .draws_seats = true};
    setup.options.value[PITCH_OPTION_FIRST_ATTACKS] = master->config.first_attack;
    if (!master->config.is_at_home || !table_code_parse(m->table, &setup.id))
        setup.id = tables_new_id(master->config.tables);
    struct master_table *t = mem_alloc(sizeof *t + m->table.size + 1);
    const struct table_listener listener = {
        .context = t, .settled = master_settled, .stalled = master_stalled, .taken = master_taken};
    t->master = master;
    memcpy(t->id, m->table.data, m->table.size);
    enum err e = table_open(master->config.tables, &setup, &listener, now_ms, &t->table);
    if (e != ERR_OK) {
        master_say_error(master, err_sentence(e));
        master_table_free(t);
        return;
    }
    HASH_ADD_KEYPTR(by_id, master->tables, t->id, m->table.size, t);
    for (unsigned seat = 0; seat < 2; seat++)
        table_set_online(t->table, seat, true); /* who is gone has left the game, and the master is told */
}

/* The steps from the ball to the first point that is no neighbour of the one before. Returns how many. */
static size_t master_steps(struct pitch_point at, const struct pitch_point *points, size_t count,
                           struct action *actions) {
    size_t i = 0;
    for (int d; i < count && (d = pitch_direction(at, points[i])) >= 0; at = points[i++])
        actions[i] = pitch_action((enum direction)d);
    return i;
}

/* What cannot be read cannot be shown. */
static size_t master_point_count(const struct hall_message *move) {
    return move->unread == ERR_OK ? move->point_count : 0;
}

static void master_note_breach(const struct table *table, unsigned seat, struct inspector *inspector,
                               struct span sent, enum err e) {
    const struct err_row *row = game_refusal(&paper_soccer_game, e);
    char code[TABLE_CODE_CHARS + 1];
    refusals_count(HALL_PROTOCOL, &paper_soccer_game, e);
    table_code_format(table_id(table), code);
    log_event(LOG_DEBUG, "illegal-move", LOG_TEXT("table", span_of(code)),
              LOG_TEXT("why", span_of(row->word)), LOG_TEXT("rule", span_of(row->rule)));
    inspector_record(
        inspector, table_id(table),
        &(struct inspector_message){
            .seat = seat, .protocol = HALL_PROTOCOL, .is_incoming = true, .text = sent, .why = e});
}

enum err master_act(struct table *table, const struct hall_message *m, struct inspector *inspector,
                    uint64_t now_ms) {
    const struct pitch *pitch = master_pitch(table);
    struct action actions[PITCH_MOVE_STEPS_MAX + 1];
    unsigned mover = pitch->mover;
    size_t count = master_point_count(m);
    assert(count <= PITCH_MOVE_STEPS_MAX + 1);
    struct table_turn turn = {.actions = actions,
                              .count = master_steps(pitch_point_of(pitch->ball), m->points, count, actions),
                              .too_short = ERR_MOVE_TOO_SHORT,
                              .too_long = ERR_MOVE_TOO_LONG,
                              .sent = m->payload};
    if (turn.count < count)
        turn.broken = ERR_STEP_TOO_LONG;
    else if (count == 0)
        turn.broken = m->unread != ERR_OK ? m->unread : ERR_MOVE_EMPTY;
    enum err e = table_act_turn(table, mover, &turn, now_ms);
    if (e != ERR_OK && e != ERR_BUSY)
        master_note_breach(table, mover, inspector, m->payload, e);
    return e;
}

static void master_move(struct master_table *t, const struct hall_message *m, uint64_t now_ms) {
    enum err e = master_act(t->table, m, t->master->config.inspector, now_ms);
    if (e == ERR_BUSY)
        master_say_error(t->master, err_sentence(e));
    else
        master_remember(t, m->points, master_point_count(m), e);
}

static void master_left(struct master_table *t, const struct hall_message *m) {
    unsigned seat = 0;
    while (seat < 2 && !span_is(m->nick, table_name(t->table, seat)))
        seat++;
    if (seat == 2) {
        master_say_error(t->master, "nobody of that name plays in this game");
        return;
    }
    table_set_online(t->table, seat, false);
    if (!table_is_busy(t->table)) {
        t->silent_ms = m->silent_ms;
        master_forfeit(t, seat);
        return;
    }
    if (!t->has_left) {
        t->left_seat = seat; /* who left first */
        t->silent_ms = m->silent_ms;
    }
    t->has_left = true;
}

void master_take(struct master *master, const struct hall_message *m, uint64_t now_ms) {
    if (m->type == HALL_BEGIN_GAME) {
        master_begin(master, m, now_ms);
        return;
    }
    if (m->type != HALL_MOVE && m->type != HALL_PLAYER_LEFT_GAME)
        return;
    struct master_table *t = master_find(master, m->table);
    if (!m->has_table && HASH_CNT(by_id, master->tables) == 1)
        t = master->tables;
    if (t == NULL)
        master_say_error(master, "there is no such game");
    else if (m->type == HALL_MOVE)
        master_move(t, m, now_ms);
    else
        master_left(t, m);
}

/* What was on its way when it was to end comes first, and what another node does may, too. */
static void master_restored_settled(void *context, struct table *table) {
    (void)context;
    if (table_state_word(table) == TABLE_OVER)
        table_close(table);
    else
        master_restored(table);
}

static void master_restored_taken(void *context, struct table *table) {
    (void)context;
    (void)table;
}

void master_restored(struct table *table) {
    table_listen(
        table, &(struct table_listener){.settled = master_restored_settled, .taken = master_restored_taken});
    enum err e = table_abandon(table);
    assert(e == ERR_OK || e == ERR_BUSY);
    (void)e;
}

size_t master_table_count(const struct master *master) {
    return master == NULL ? 0 : HASH_CNT(by_id, master->tables);
}
