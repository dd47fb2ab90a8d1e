#include "self.h"

#include "base/mem.h"
#include "fixture_game.h"
#include "sim.h"

#include <assert.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SAME_SEEDS = 3,
    TWIN_SEEDS = 6,
    BREAK_SEEDS = 200, /* within so many every way of being wrong is noticed */
    SELF_STEPS = 3000,
    ROUNDS = 5, /* caches that have a ceiling fill up in the first ones */
    SECRET_TABLES = 60,
    SECRET_TRIES = 400,
};

static int cases, failures;

static void report(bool is_well, const char *name) {
    printf("%s %d - %s\n", is_well ? "ok" : "not ok", ++cases, name);
    fflush(stdout);
    failures += !is_well;
}

static void same_seed_same_run(unsigned nodes, bool is_strained) {
    bool is_same = true, is_other = false;
    uint64_t first = 0, trace[2], output[2];
    for (uint64_t seed = 1; seed <= SAME_SEEDS; seed++) {
        struct sim_options options = {
            .seed = seed, .steps = SELF_STEPS, .rounds = 1, .nodes = nodes, .is_strained = is_strained};
        struct sim_counts counts = {0};
        for (int i = 0; i < 2; i++)
            is_same = sim_run(&options, &counts, &trace[i], &output[i]) && is_same;
        is_same = is_same && trace[0] == trace[1] && output[0] == output[1];
        is_other = is_other || (seed > 1 && trace[0] != first);
        first = trace[0];
    }
    const char *where = nodes > 1 ? " of several nodes" : "", *how = is_strained ? " under strain" : "";
    char name[80];
    snprintf(name, sizeof name, "the same seed gives the same run%s%s", where, how);
    report(is_same, name);
    snprintf(name, sizeof name, "another seed gives another run%s%s", where, how);
    report(is_other, name);
}

/* Whether two runs that differ in the secrets of the dice alone give everybody the same bytes. */
static bool twins_agree(uint64_t seed, enum sim_break broken) {
    struct sim_options options = {
        .seed = seed, .steps = SELF_STEPS, .rounds = 1, .is_calm = true, .is_twin = true, .broken = broken};
    struct sim_counts counts = {0};
    uint64_t trace[2], output[2];
    for (int i = 0; i < 2; i++) {
        options.has_other_dice = i == 1;
        if (!sim_run(&options, &counts, &trace[i], &output[i]))
            return false;
    }
    return trace[0] == trace[1] && output[0] == output[1];
}

static void twins(void) {
    bool is_well = true;
    for (uint64_t seed = 1; seed <= TWIN_SEEDS; seed++)
        is_well = twins_agree(seed, BREAK_NOTHING) && is_well;
    report(is_well, "other secrets of the dice do not change a byte that anybody gets");
    report(!twins_agree(1, BREAK_HINT_SECRET), "a byte that depends on a secret is noticed");
}

static void rounds(void) {
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        if (sim_dialects[i]->prepare == NULL) /* it has no port, and nobody comes */
            continue;
        struct sim_options options = {.seed = 1, .steps = SELF_STEPS, .rounds = ROUNDS, .is_calm = true};
        struct sim_counts counts = {0};
        char name[80];
        snprintf(options.only.names[0], sizeof options.only.names[0], "%s", sim_dialects[i]->name);
        snprintf(name, sizeof name, "memory does not grow while people of %s come and go",
                 sim_dialects[i]->name);
        report(sim_run(&options, &counts, NULL, NULL), name);
    }
}

/* In a process of its own, because what is broken may also run into an assertion. */
static bool is_noticed(struct sim_options options) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct sim_counts counts = {0};
        bool is_well = sim_run(&options, &counts, NULL, NULL);
        fflush(stdout);
        _exit(is_well ? 0 : 1);
    }
    int status = 0;
    assert(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static bool is_noticed_soon(struct sim_options *options) {
    for (options->seed = 1; options->seed <= BREAK_SEEDS; options->seed++)
        if (is_noticed(*options))
            return true;
    return false;
}

static void breaks(void) {
    for (int broken = BREAK_NOTHING + 1; broken < BREAK_LOSE_REQUEST; broken++) {
        char name[80];
        if (broken == BREAK_HINT_SECRET) /* only twins see it */
            continue;
        struct sim_options options = {.steps = SELF_STEPS, .rounds = 1, .broken = (enum sim_break)broken};
        snprintf(name, sizeof name, "%s is noticed", sim_break_words[broken]);
        report(is_noticed_soon(&options), name);
    }
}

/* By those of one protocol alone, and not by looking at the tables. */
static void breaks_of(const char *protocol, enum sim_break broken) {
    struct sim_options options = {
        .steps = SELF_STEPS, .rounds = 1, .broken = broken, .has_only_witness = true};
    char name[80];
    snprintf(options.only.names[0], sizeof options.only.names[0], "%s", protocol);
    snprintf(name, sizeof name, "%s is noticed by clients of %s", sim_break_words[broken], protocol);
    report(is_noticed_soon(&options), name);
}

static void breaks_of_protocols(void) {
    static const enum sim_break breaks[] = {BREAK_ANNOUNCE_EARLY, BREAK_SKIP_MESSAGE, BREAK_LOSE_REQUEST,
                                            BREAK_REFUSE_LEGAL};
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        for (size_t k = 0; sim_dialects[i]->tells != NULL && k < sizeof breaks / sizeof *breaks; k++)
            breaks_of(sim_dialects[i]->name, breaks[k]);
    breaks_of("renaissance", BREAK_SHOW_HAND);
    breaks_of("treasure", BREAK_SHOW_FORT);
    breaks_of("treasure", BREAK_SHOW_OLD);
}

/* What only several nodes can be wrong about, and what they must notice as well. */
static void breaks_of_nodes(void) {
    static const enum sim_break breaks[] = {BREAK_ANNOUNCE_EARLY, BREAK_LOSE_EVENT, BREAK_IGNORE_OTHERS,
                                            BREAK_JUDGE_OLD,      BREAK_TAKE_SEAT,  BREAK_GUESS_OUTCOME,
                                            BREAK_FORGET_MISSED};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct sim_options options = {.steps = SELF_STEPS, .rounds = 1, .broken = breaks[i], .nodes = 2};
        char name[80];
        snprintf(name, sizeof name, "%s is noticed by several nodes", sim_break_words[breaks[i]]);
        report(is_noticed_soon(&options), name);
    }
}

/* What only shows when a server has too little of everything. */
static void breaks_under_strain(void) {
    for (int broken = BREAK_KEEP_FINISHED; broken < BREAK_COUNT; broken++) {
        struct sim_options options = {
            .steps = SELF_STEPS, .rounds = 1, .broken = (enum sim_break)broken, .is_strained = true};
        char name[80];
        if (broken == BREAK_CHARGE_JUMP) /* there most seats have a clock */
            snprintf(options.only.names[0], sizeof options.only.names[0], "tables");
        if (broken == BREAK_KEEP_FINISHED) /* over HTTP whoever has nothing to wait for is let go at once */
            snprintf(options.only.names[0], sizeof options.only.names[0], "treasure");
        if (broken == BREAK_KEEP_APART)
            snprintf(options.only.names[0], sizeof options.only.names[0], "santorini");
        snprintf(name, sizeof name, "%s is noticed under strain", sim_break_words[broken]);
        report(is_noticed_soon(&options), name);
    }
}

/* What only championships show. */
static void breaks_of_cups(void) {
    for (int broken = BREAK_SWAP_RESULT; broken <= BREAK_STOP_CUP; broken++) {
        struct sim_options options = {.steps = SELF_STEPS,
                                      .rounds = 1,
                                      .broken = (enum sim_break)broken,
                                      .only = {.names = {"api"}},
                                      .has_cups = true};
        char name[80];
        snprintf(name, sizeof name, "%s is noticed in a championship", sim_break_words[broken]);
        report(is_noticed_soon(&options), name);
    }
}

/* The same of several nodes, each of which has a loop and a clock of its own. */
static void breaks_of_strained_nodes(void) {
    static const enum sim_break breaks[] = {BREAK_KEEP_FINISHED, BREAK_IGNORE_MEMORY, BREAK_SAVE_REFUSED};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct sim_options options = {
            .steps = SELF_STEPS, .rounds = 1, .broken = breaks[i], .nodes = 2, .is_strained = true};
        char name[80];
        if (breaks[i] == BREAK_KEEP_FINISHED)
            snprintf(options.only.names[0], sizeof options.only.names[0], "treasure");
        snprintf(name, sizeof name, "%s is noticed by several nodes under strain",
                 sim_break_words[breaks[i]]);
        report(is_noticed_soon(&options), name);
    }
}

/* A table of the fixture game with a secret of its own, in a store of its own. */
struct world {
    struct store *store;
    struct tables *tables;
    struct table *table;
    struct rng rng;
};

static int64_t no_time(void *context) {
    (void)context;
    return 1;
}

static void world_secret(void *context, struct digest *out) {
    struct world *w = context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&w->rng), out->bytes + i);
}

static void world_settled(void *context, struct table *table) {
    (void)context;
    (void)table;
}

static void world_open(struct world *w, const struct game *game, uint64_t seed) {
    *w = (struct world){.store = store_memory_open(true)};
    rng_seed(&w->rng, seed);
    w->tables = tables_create(
        &(struct tables_config){.store = w->store, .context = w, .wall_ms = no_time, .secret = world_secret});
    struct table_setup setup = {.id = 1,
                                .game = game,
                                .options = game_options_default(game, 3),
                                .protocol = "tables",
                                .names = {SPAN("ann"), SPAN("bob"), SPAN("cid")}};
    enum err e =
        table_open(w->tables, &setup,
                   &(struct table_listener){.context = w, .settled = world_settled, .stalled = world_settled},
                   0, &w->table);
    assert(e == ERR_OK);
    (void)e;
    store_drain(w->store);
}

static void world_close(struct world *w) {
    store_close(w->store);
    tables_free(w->tables);
}

static void world_describe(const struct world *w, unsigned viewer, struct buf *out) {
    const struct game_view *view = table_view(w->table, viewer);
    struct writer writer;
    for (int form = WRITER_JSON; form <= WRITER_TEXT; form++) {
        writer_init(&writer, (enum writer_form)form, out);
        table_game(w->table)->describe(view, &writer);
    }
}

static bool views_are_equal(const struct world *a, const struct world *b, unsigned viewer) {
    struct game_view *views[2];
    const struct world *worlds[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        views[i] = (struct game_view *)game_state_alloc(&fixture_game);
        game_view(&fixture_game, table_state(worlds[i]->table), viewer, views[i]);
    }
    bool is_equal = memcmp(views[0], views[1], fixture_game.state_size) == 0;
    mem_free(views[0]);
    mem_free(views[1]);
    return is_equal;
}

static bool worlds_are_equal(const struct world *a, const struct world *b) {
    return memcmp(table_state(a->table), table_state(b->table), fixture_game.state_size) == 0;
}

/* The bytes about an action that a seat is about to play, for the viewer. */
static struct action redacted(const struct world *w, unsigned seat, const struct action *action,
                              unsigned viewer) {
    struct action copy = *action;
    table_game(w->table)->redact_action(table_state(w->table), seat, &copy, viewer);
    return copy;
}

/* Whether seat 0 gets the same bytes from two worlds that it cannot tell apart, until the bids are shown. */
static bool same_bytes(struct world *a, struct world *b) {
    struct world *worlds[2] = {a, b};
    bool is_same = true;
    for (unsigned seat = 2; is_same; seat--) { /* the viewer last: its own bid shows the others */
        struct action seen[2];
        struct buf out[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            const struct bids *bids = (const struct bids *)table_state(worlds[i]->table);
            struct action action = {.kind = BIDS_BID};
            action.arg[0] = seat == 0 ? 0 : bids->card[seat]; /* the hidden facts decide */
            seen[i] = redacted(worlds[i], seat, &action, 0);
            world_describe(worlds[i], 0, &out[i]);
            if (seat > 0 && table_act(worlds[i]->table, seat, &action, 1, 0) == ERR_OK)
                store_drain(worlds[i]->store);
        }
        is_same = action_equal(&seen[0], &seen[1]) && span_equal(buf_span(&out[0]), buf_span(&out[1]));
        buf_free(&out[0]);
        buf_free(&out[1]);
        if (seat == 0)
            break;
    }
    return is_same;
}

/* Looks for two worlds that differ in what seat 0 may not know and in nothing else, and compares. */
static bool secrets_are_kept(const struct game *game, unsigned *found) {
    bool is_well = true;
    for (uint64_t i = 0; i < SECRET_TABLES && is_well; i++) {
        struct world a, b;
        bool is_found = false;
        world_open(&a, game, 1000 * i);
        for (uint64_t k = 1; k <= SECRET_TRIES && !is_found; k++) {
            world_open(&b, game, 1000 * i + k);
            is_found = views_are_equal(&a, &b, 0) && !worlds_are_equal(&a, &b);
            if (is_found)
                is_well = same_bytes(&a, &b);
            world_close(&b);
        }
        *found += is_found;
        world_close(&a);
    }
    return is_well;
}

static void keep_everything(struct game_state *state, unsigned viewer) {
    (void)state;
    (void)viewer;
}

static void keep_action(const struct game_state *state, unsigned actor, struct action *action,
                        unsigned viewer) {
    (void)state;
    (void)actor;
    (void)action;
    (void)viewer;
}

static void secrets(void) {
    unsigned found = 0, ignored = 0;
    struct game open_cards = fixture_game, open_bids = fixture_game;
    bool is_well = secrets_are_kept(&fixture_game, &found);
    report(is_well && found == SECRET_TABLES, "worlds that look the same to a seat give it the same bytes");
    open_cards.redact_state = keep_everything;
    report(!secrets_are_kept(&open_cards, &ignored), "a view with a secret in it is noticed");
    open_bids.redact_action = keep_action;
    report(!secrets_are_kept(&open_bids, &ignored), "an action with a secret in it is noticed");
}

int self_run(void) {
    same_seed_same_run(1, false);
    same_seed_same_run(SIM_NODES_MAX, false);
    same_seed_same_run(1, true);
    same_seed_same_run(2, true);
    twins();
    rounds();
    secrets();
    breaks();
    breaks_of_protocols();
    breaks_of_nodes();
    breaks_of_cups();
    breaks_under_strain();
    breaks_of_strained_nodes();
    printf("1..%d\n", cases);
    return failures == 0 ? 0 : 1;
}
