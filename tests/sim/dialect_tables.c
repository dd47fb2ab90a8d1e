/* Tables without any wire: the fixture game with its chance, secrets, simultaneous turns and clocks, played
 * through host/table/table.h. Its tables go on after a restart where they were. What the seats and a watcher
 * may know is told whenever a table has changed. */
#include "sim.h"

#include "base/mem.h"
#include "fixture_game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLES_MAX = 6, AGENTS = 2, TURN_MS_MIN = 300, TURN_MS_MAX = 6000, NAMES = 4 };

extern const struct sim_dialect tables_dialect;

static const char *const names[NAMES] = {"ann", "bob", "cid", "dora"};

/* A number for everything that anybody at the table may know. */
static void describe_all(const struct game *game, const struct game_state *state, uint32_t seat_count,
                         uint64_t version, char *text, size_t text_size) {
    struct game_view *view = (struct game_view *)game_state_alloc(game);
    struct buf out = {0};
    struct writer writer;
    for (unsigned viewer = 0; viewer <= seat_count; viewer++) {
        game_view(game, state, viewer == seat_count ? SEAT_WATCHER : viewer, view);
        writer_init(&writer, WRITER_JSON, &out);
        game->describe(view, &writer);
    }
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < out.size; i++)
        hash = (hash ^ (uint8_t)out.data[i]) * 0x100000001b3u;
    snprintf(text, text_size, "event %llu, views %016llx", (unsigned long long)version,
             (unsigned long long)hash);
    buf_free(&out);
    mem_free(view);
}

static void on_settled(void *context, struct table *table) {
    struct sim *sim = context;
    char text[80];
    describe_all(table->fold.game, table_state(table), table->fold.setup.options.seat_count,
                 table_version(table), text, sizeof text);
    sim_told(sim, &tables_dialect, sim->server->index, table_id(table), true, text);
    if (table_state_word(table) == TABLE_OVER)
        table_close(table);
}

static void on_stalled(void *context, struct table *table) {
    (void)table;
    sim_trace(context, "a table stalls");
}

static void tables_restored(struct sim *sim, struct table *table) {
    table_listen(table,
                 &(struct table_listener){.context = sim, .settled = on_settled, .stalled = on_stalled});
}

static size_t own_tables(struct sim *sim, struct table **out) {
    struct table *t, *next;
    size_t count = 0;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        if (strcmp(t->fold.setup.protocol, "tables") == 0 && !t->is_closed && count < 2 * TABLES_MAX)
            out[count++] = t;
    }
    return count;
}

static void open_table(struct sim_client *agent) {
    struct sim *sim = agent->sim;
    struct table_setup setup = {.id = tables_new_id(sim->server->tables),
                                .game = &fixture_game,
                                .options = game_options_default(&fixture_game, 3),
                                .violation_loses = sim_chance(&agent->rng, 500),
                                .protocol = "tables",
                                .draws_seats = sim_chance(&agent->rng, 500)};
    setup.options.seat_count += sim_below(&agent->rng, 2);
    setup.options.value[BIDS_OPTION_ROUNDS] = 1 + (int32_t)sim_below(&agent->rng, BIDS_ROUNDS_MAX);
    setup.options.value[BIDS_OPTION_DIE] = (int32_t)sim_below(&agent->rng, 2);
    setup.options.value[BIDS_OPTION_MOTTO] = (int32_t)sim_below(&agent->rng, 2);
    setup.turn_timeout_ms = TURN_MS_MIN + sim_below(&agent->rng, TURN_MS_MAX - TURN_MS_MIN);
    for (unsigned i = 0; i < setup.options.seat_count; i++)
        setup.names[i] = span_of(names[i]);
    struct table *table;
    enum err e =
        table_open(sim->server->tables, &setup,
                   &(struct table_listener){.context = sim, .settled = on_settled, .stalled = on_stalled},
                   sim->now_ms, &table);
    if (e != ERR_OK)
        sim_fail(sim, "a table cannot be opened: %s", err_sentence(e));
}

static unsigned any_seat(struct sim_client *agent, seat_set set) {
    for (uint32_t skip = sim_below(&agent->rng, (uint32_t)__builtin_popcount(set)); skip > 0; skip--)
        set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

static void act_at(struct sim_client *agent, struct table *t) {
    struct sim *sim = agent->sim;
    seat_set set = t->fold.game->turn(t->fold.state);
    uint32_t fancy = sim_below(&agent->rng, 100);
    struct action action;
    enum err e;
    if (table_state_word(t) != TABLE_RUNNING || table_is_busy(t)) {
        e = table_act(t, 0, &(struct action){.kind = BIDS_BID}, 1, sim->now_ms);
        if (e == ERR_OK)
            sim_fail(sim, "a table takes an action while it is busy");
        return;
    }
    assert(set != 0);
    unsigned seat = any_seat(agent, set);
    t->fold.game->sample(t->fold.state, seat, &agent->rng, &action);
    if (fancy < 80)
        e = table_act(t, seat, &action, 1, sim->now_ms);
    else if (fancy < 84)
        e = table_act(t, seat, &(struct action){.kind = BIDS_BID, .arg = {99}}, 1, sim->now_ms);
    else if (fancy < 88)
        e = table_act(t, t->fold.setup.options.seat_count, &action, 1, sim->now_ms);
    else if (fancy < 90)
        e = table_forfeit(t, seat, REASON_RESIGNED);
    else if (fancy < 91)
        e = table_abandon(t);
    else
        return; /* lets its clock run */
    sim_trace(sim, "seat %u acts: %s", seat, game_refusal(table_game(t), e)->word);
    if (fancy < 80 && e != ERR_OK)
        sim_fail(sim, "a sampled action is refused: %s", game_refusal(table_game(t), e)->sentence);
}

static void agent_acts(struct sim_client *agent) {
    struct sim *sim = agent->sim;
    struct table *tables[2 * TABLES_MAX];
    bool is_idle = sim_chance(&agent->rng, 20);
    sim_client_act_in(agent, sim_below(&agent->rng, is_idle ? TURN_MS_MAX : 150));
    struct sim_server *server = sim->db == NULL ? sim->server : nodes_choose(agent);
    if (server == NULL || !server->is_up || sim->options.is_twin)
        return;
    sim->server = server;
    size_t count = own_tables(sim, tables);
    if (count == 0 || (count < TABLES_MAX && sim_chance(&agent->rng, 100)))
        open_table(agent);
    else
        act_at(agent, tables[sim_below(&agent->rng, (uint32_t)count)]);
    sim_server_touched(sim);
}

static void agent_hears(struct sim_client *agent, struct span bytes) {
    (void)agent;
    (void)bytes;
}

static void agent_told(struct sim_client *agent, size_t connection, struct span bytes) {
    (void)agent;
    (void)connection;
    (void)bytes;
}

static void agent_does_nothing(struct sim_client *agent) {
    (void)agent;
}

static void tables_populate(struct sim *sim) {
    static const struct sim_client_kind agent = {.size = 1,
                                                 .acts = agent_acts,
                                                 .heard = agent_hears,
                                                 .closed = agent_does_nothing,
                                                 .told = agent_told,
                                                 .freed = agent_does_nothing};
    for (size_t i = 0; i < AGENTS; i++)
        sim_client_add(sim, &tables_dialect, &agent);
}

/* Another node has opened a table. */
static void table_came(void *context, struct table *table) {
    if (strcmp(table_protocol(table), "tables") == 0)
        tables_restored(context, table);
}

static struct port *tables_open(struct sim *sim, struct tables *tables) {
    if (sim->db != NULL)
        tables_greet(tables, &(struct tables_greeter){.context = sim, .came = table_came});
    return NULL;
}

/* A table may have been shown after any of its events. */
static void tables_expected(const struct event *events, size_t count, struct sim_fact *out,
                            size_t *out_count) {
    struct fold fold;
    const uint64_t table = 0; /* the chain is checked elsewhere; here it is made anew */
    fold_init(&fold, table);
    for (size_t i = 0; i < count && *out_count < SIM_FACTS_MAX; i++) {
        struct event event = events[i];
        event_chain(&event, table, i == 0 ? NULL : &fold.last_hash);
        if (fold_event(&fold, &event) != ERR_OK)
            break;
        char text[80];
        describe_all(fold.game, fold.state, fold.setup.options.seat_count, event.seq, text, sizeof text);
        char *copy = strdup(text);
        assert(copy != NULL);
        out[(*out_count)++] = (struct sim_fact){.text = copy, .is_optional = true};
    }
    fold_free(&fold);
}

static size_t tables_count_none(const struct port *port) {
    (void)port;
    return 0;
}

static const char *tables_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    (void)sim;
    (void)port;
    (void)is_saving;
    return NULL;
}

static const char *tables_remains(const struct port *port) {
    (void)port;
    return NULL;
}

static void tables_finish(struct sim *sim) {
    (void)sim;
}

const struct sim_dialect tables_dialect = {
    .name = "tables",
    .open = tables_open,
    .restored = tables_restored,
    .populate = tables_populate,
    .expected = tables_expected,
    .has_late_listeners = true,
    .table_count = tables_count_none,
    .waits = tables_waits,
    .remains = tables_remains,
    .finish = tables_finish,
};
