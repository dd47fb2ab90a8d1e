/* The simulation: ports, tables and store in one process under a clock, a network and a disk that obey a
 * seed. One seed decides everything, so a run that fails once fails every time.
 *
 *     clients  --bytes-->  network  --bytes-->  ports, tables  --events-->  store  --pages-->  disk
 *     (dialect_*.c)        (network.c)          (src/)                      (src/)             (disk.c)
 *
 * A run of several nodes has as many servers, and one database in place of store and disk:
 *
 *     clients  --bytes-->  network  --bytes-->  ports, tables of any node  --events-->  database
 *                                                                                       (shared_store.c)
 *
 * sim.c is the time and the server's process: its loop, its crashes and restarts. nodes.c is what happens to
 * several of them, cups.h what championships add to it, strain.c what happens to one that has too little of
 * everything. witness.c keeps what the server said and holds it against the journals. oracles.c has what must
 * hold besides. main.c runs seeds. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/buf.h"
#include "base/rng.h"
#include "base/timers.h"
#include "disk.h"
#include "host/inspector.h"
#include "host/table/fold.h"
#include "host/table/internal.h"
#include "wire/port.h"

enum {
    SIM_CLIENTS_MAX = 32,
    SIM_DIALECTS_MAX = 16,
    SIM_NODES_MAX = 3,
    SIM_GAMES_MAX = 32,
    SIM_BEAT_MS = 1000,
    SIM_OUTAGES_MAX = 512,
    SIM_SECRETS_KEPT = 64, /* the newest, to look for in what is sent */
    SIM_TRACE_LINES = 60,
    SIM_TRACE_LINE_BYTES = 200,
    SIM_CHECK_STEPS = 40, /* between two looks at everything */
};

/* Ways to be wrong, one of which a run can be given to show that an oracle notices. */
/* clang-format off */
#define SIM_BREAKS(X) \
    X(NOTHING,        "nothing") \
    X(ANNOUNCE_EARLY, "announce-early") /* output is released before the commit */ \
    X(LOSE_EVENT,     "lose-event")     /* an append is reported as done and is not */ \
    X(WRONG_DICE,     "wrong-dice")     /* the secret that is kept is not the one that the dice use */ \
    X(LYING_DISK,     "lying-disk")     /* syncs do nothing */ \
    X(SKIP_MESSAGE,   "skip-message")   /* a player misses a message */ \
    X(LEAK_SECRET,    "leak-secret")    /* what is sent contains the secret of the dice */ \
    X(HINT_SECRET,    "hint-secret")    /* what is sent depends on it in one byte */ \
    X(STOP_CLOCKS,    "stop-clocks")    /* time limits never run out */ \
    X(CHARGE_OUTAGE,  "charge-outage")  /* a restart does not know about the outages before */ \
    X(KEEP_MEMORY,    "keep-memory")    /* every message leaves some memory behind */ \
    X(LOSE_REQUEST,   "lose-request")   /* what clients say over lines is now and then not heard */ \
    X(REFUSE_LEGAL,   "refuse-legal")   /* now and then a legal action is refused */ \
    X(SHOW_HAND,      "show-hand")      /* who comes back to Masters of Renaissance sees another hand */ \
    X(SHOW_FORT,      "show-fort")      /* states of Treasure Hunt show the fort of the other */ \
    X(SHOW_OLD,       "show-old")       /* states of Treasure Hunt are now and then not those of now */ \
    /* of several nodes: */ \
    X(IGNORE_OTHERS,  "ignore-others")  /* a node does not hear what others commit */ \
    X(JUDGE_OLD,      "judge-old")      /* who comes second is not judged again, but written behind the first */ \
    X(TAKE_SEAT,      "take-seat")      /* who is online at another node counts as gone */ \
    X(GUESS_OUTCOME,  "guess-outcome")  /* a commit whose answer is lost counts as failed */ \
    X(FORGET_MISSED,  "forget-missed")  /* nobody is told that words were lost */ \
    /* of championships: */ \
    X(SWAP_RESULT,    "swap-result")    /* a championship counts the winner of a table as its loser */ \
    X(PAIR_TWICE,     "pair-twice")     /* the next pairing is the one before */ \
    X(STOP_CUP,       "stop-cup")       /* nobody directs a championship any more */ \
    /* of a server under strain: */ \
    X(KEEP_FINISHED,  "keep-finished")  /* nobody hears that a peer says nothing more */ \
    X(FORGET_STALL,   "forget-stall")   /* what came while the loop stood still is lost */ \
    X(CHARGE_JUMP,    "charge-jump")    /* a restart takes a jump of the wall's clock for time that has passed */ \
    X(IGNORE_MEMORY,  "ignore-memory")  /* tables are opened although memory is short */ \
    X(HEED_PUT_OFF,   "heed-put-off")   /* a message that is refused for its address is dealt with all the same */ \
    X(SAVE_REFUSED,   "save-refused")   /* what a table refuses leaves something in its journal */ \
    X(KEEP_APART,     "keep-apart")     /* those who wait for others are not asked */ \
    X(TRUST_PAGES,    "trust-pages")    /* what is read from a damaged page is believed */
/* clang-format on */

enum sim_break {
#define SIM_BREAK_ENUM(name, word) BREAK_##name,
    SIM_BREAKS(SIM_BREAK_ENUM)
#undef SIM_BREAK_ENUM
        BREAK_COUNT
};

extern const char *const sim_break_words[BREAK_COUNT];

struct sim;
struct sim_client;
struct sim_conn;
struct sim_fact;
struct sim_telling;

/* One thing that happened at a table, from its journal: an action of a seat or of chance, or another event.
 */
struct sim_step {
    const struct fold *fold; /* after the event */
    const struct event *event;
    unsigned seat;                           /* who acted */
    const struct action *action;             /* NULL: the event is no action */
    const struct game_state *before, *state; /* before NULL: nothing was before */
    bool is_last;                            /* of the event */
};

/* How a client of some kind behaves. Clients call sim_client_* and nothing else. */
struct sim_client_kind {
    size_t size; /* of its own memory, zeroed */
    /* Its time has come: see sim_client_act_in. */
    void (*acts)(struct sim_client *);
    /* Bytes of the server, in any split. */
    void (*heard)(struct sim_client *, struct span bytes);
    /* Its connection is gone. */
    void (*closed)(struct sim_client *);
    /* The server sends this on the connection of that number: what it says about tables goes to sim_told. One
     * call is one write of the server, whether it ever arrives or not. */
    void (*told)(struct sim_client *, size_t connection, struct span bytes);
    void (*freed)(struct sim_client *); /* gives back what its own memory points at */
};

/* A protocol in the simulation: a constant struct NAME_dialect in its own file dialect_NAME.c, which is there
 * because the server has a protocol of that name. */
struct sim_dialect {
    const char *name; /* of the protocol, as it stands in the journals of its tables */
    /* Its settings for the run, whether its clients come or not; NULL: it has none. */
    void (*prepare)(struct sim *);
    /* The port of a server that starts; NULL when it has none. Randomness from sim->plan_rng. */
    struct port *(*open)(struct sim *, struct tables *);
    /* A table that a restart has brought back. */
    void (*restored)(struct sim *, struct table *);
    /* Adds its clients, at the very beginning; not in every run. */
    void (*populate)(struct sim *);
    /* The facts that were to be told about a table, in order, from its whole journal: adds them to the list.
     * All who are told anything are told them from the first one on. NULL: see tells. */
    void (*expected)(const struct event *events, size_t count, struct sim_fact *out, size_t *out_count);
    /* The same for tables to which people come back: what was to be told about one step of the journal, by
     * telling_add, and what somebody who comes after it is shown first, by telling_view. */
    void (*tells)(struct sim_telling *, const struct sim_step *);
    /* Chance decides nothing at its tables: other secrets of the dice change no byte there. */
    bool has_no_dice;
    /* Who listens at a node hears a table from when it comes there, and not everything. */
    bool has_late_listeners;
    /* Its tables wait for players who are still to come. */
    bool has_free_seats;
    /* ... as long as their connections are there. */
    bool waits_for_ever;
    /* How many tables its port runs. */
    size_t (*table_count)(const struct port *);
    /* What is wrong with the deadlines of its port, or NULL; is_saving: some table waits for the disk. */
    const char *(*waits)(const struct sim *, const struct port *, bool is_saving);
    /* What is left although nobody is connected any more and all tables are over, or NULL. */
    const char *(*remains)(const struct port *);
    /* What the servers' other threads have to do is done, also while no client says anything; NULL: nothing.
     */
    void (*work)(struct sim *);
    /* The memory of the dialect itself, after the last client is gone. */
    void (*finish)(struct sim *);
};

extern const struct sim_dialect *const sim_dialects[]; /* ended by NULL */

/* A fact about a table that somebody is told, as a line of text. */
struct sim_fact {
    char *text; /* malloc */
    bool is_optional;
    bool is_beginning; /* what is told only begins with it */
};
enum { SIM_FACTS_MAX = 4096 };

struct sim_client {
    struct sim *sim;
    size_t index;
    const struct sim_dialect *dialect;
    size_t port;               /* index of the dialect */
    struct sim_server *chosen; /* the node for its next connection; NULL: none is chosen yet */
    const struct sim_client_kind *kind;
    struct rng rng;
    struct timer timer;
    struct sim_conn *conn; /* NULL: not connected */
    void *own;
};

/* The one protocol whose clients come, or the two; "": the seed draws some. */
struct sim_only {
    char names[2][32];
};

struct sim_options {
    uint64_t seed;
    uint64_t steps;
    enum sim_break broken;
    bool is_verbose;
    bool is_calm;        /* no faults and no crashes: for runs that are compared */
    bool has_other_dice; /* the twin: other secrets that draw the same seats */
    bool is_twin;        /* one of two runs that differ in has_other_dice alone */
    unsigned rounds;     /* how often everybody comes and goes, at least 1 */
    unsigned nodes;      /* that share a database; at most 1: one server with a disk */
    struct sim_only only;
    bool is_strained;      /* one server that has too little of everything, see strain.c */
    bool has_cups;         /* championships of the API, see cups.h */
    bool has_only_witness; /* tables are not held against their journals: only what was told is */
};

struct sim_counts {
    uint64_t steps, crashes_killed, crashes_power, ends_in_order, restarts, tables_resumed;
    uint64_t connections, cuts, half_open, spent, full, fault_windows;
    uint64_t facts_told, facts_checked, folds, events_folded, draws_mixed, tables_checked, time_outs;
    uint64_t disk_writes, disk_syncs, disk_faults, sectors_lost;
    uint64_t refused, stalls, jumps, shortages, put_off, finished, damages,
        damages_seen;                                                            /* of a strained server */
    uint64_t commits, conflicts, doubts, words, words_lost, news_again, beliefs; /* of a shared store */
    uint64_t cups, cup_results;          /* championships that began, and pairings of them */
    uint64_t game_events[SIM_GAMES_MAX]; /* folded, of each game of the list */
};

/* A period in which the server was not there, in wall time. */
struct sim_outage {
    int64_t from_ms, to_ms;
};

/* A server's process. */
struct sim_server {
    struct sim *sim;
    size_t index;
    bool is_up, has_ended;
    struct store *store; /* the wrapper in breaks.c */
    struct store *inner; /* the one of the node in a shared store */
    struct tables *tables;
    struct port *ports[SIM_DIALECTS_MAX];
    uint64_t beat_due_ms, lateness_ms;
    struct timer writer, drain, restart;
    int64_t down_since_ms;
    uint64_t start;  /* its number of all starts */
    bool is_stalled; /* its loop stands still until then: */
    uint64_t stalled_until_ms;
    int64_t wall_jump_ms; /* its clock of the wall was set by so much, all in all */
};

struct sim {
    struct sim_options options;
    struct rng plan_rng, net_rng, fault_rng, secret_rng, token_rng;
    uint64_t now_ms, step;
    struct timers timers; /* of clients, network, disk and fate */

    struct sim_server servers[SIM_NODES_MAX];
    size_t server_count;
    struct sim_server *server;   /* whose code runs, or that is being looked at */
    struct shared_db *db;        /* of several nodes; NULL: there is one server with a disk */
    struct inspector *inspector; /* of all servers of the run; keeps nothing, see json_clients.c */

    /* fate */
    struct timer fault, crash;
    bool is_faulty;
    bool is_peaceful;  /* at the end: nothing goes wrong any more */
    uint64_t peace_ms; /* since then */
    bool is_silent;    /* at the end: clients say nothing any more */
    uint64_t crash_mean_ms;
    unsigned cut_per_mille, slow_percent;

    struct sim_client *clients[SIM_CLIENTS_MAX];
    size_t client_count;
    struct sim_conn *conns;
    struct witness *witness;
    struct sim_outage outages[SIM_OUTAGES_MAX];
    size_t outage_count;
    struct sim_nodes_watch *watch; /* of nodes.c */
    struct sim_strain *strain;     /* of strain.c; NULL: there is none */
    struct digest secrets[SIM_SECRETS_KEPT];
    size_t secret_count;

    struct sim_counts counts;
    uint64_t trace_hash, output_hash;
    char trace[SIM_TRACE_LINES][SIM_TRACE_LINE_BYTES];
    size_t trace_count;
    struct buf kept; /* for BREAK_KEEP_MEMORY */
    bool has_failed;
    char failure[1024];
};

/* The true time, and what the clock of the wall makes of it, where the server is that is looked at. */
static inline int64_t sim_true_ms(const struct sim *sim) {
    return 1700000000000 + (int64_t)sim->now_ms;
}
static inline int64_t sim_wall_ms(const struct sim *sim) {
    return sim_true_ms(sim) + sim->server->wall_jump_ms;
}

/* sim.c */
/* One whole run. True when every oracle was content; otherwise sim->failure says which was not. The counts
 * are added to *total. The hashes of the trace and of all output go to *trace and *output when not NULL. */
bool sim_run(const struct sim_options *, struct sim_counts *total, uint64_t *trace, uint64_t *output);
void sim_trace(struct sim *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sim_fail(struct sim *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* To be called after everything that the server did (sim->server): the writer gets to work in a while. */
void sim_server_touched(struct sim *);
/* The journals as they are, whatever a node may see of them. */
struct store *sim_journals(const struct sim *);
/* The run that is going on, for signal handlers. */
const struct sim *sim_current(void);
void sim_print_tail(const struct sim *);

/* A number from 0 to below - 1; and true so often out of a thousand. */
static inline uint32_t sim_below(struct rng *rng, uint32_t below) {
    return rng_below(rng, below);
}
static inline bool sim_chance(struct rng *rng, unsigned per_mille) {
    return rng_below(rng, 1000) < per_mille;
}

/* The next crash comes then. */
void sim_crash_in(struct sim *, uint64_t ms);
/* What becomes of a server, for nodes.c. */
void sim_server_kill(struct sim_server *);
void sim_server_end(struct sim_server *);

/* nodes.c */
void nodes_plan(struct sim *);
void nodes_begin_faults(struct sim *);
/* The next node is killed or ended so soon. */
void nodes_crash_in(struct sim *, uint64_t ms);
void nodes_end_faults(struct sim *);
/* What must hold of all nodes together. */
void nodes_check(struct sim *);
void nodes_finish(struct sim *);
/* The node that a client finds behind the balancer; NULL: none is there. */
struct sim_server *nodes_choose(struct sim_client *);

/* strain.c: one server that has too little of everything. Whatever it draws comes from a generator of its
 * own, and without it a seed does what it did before. */
void strain_plan(struct sim *);
void strain_begin(struct sim *);
/* The loop goes on, memory is there again. */
void strain_end(struct sim *);
void strain_finish(struct sim *);
/* How long the loop of the server still stands still; 0: it does not. */
uint64_t strain_stall_ms(const struct sim_server *);
/* The server has done something again. */
void strain_woke(struct sim_server *);
/* Who hangs up only says that it says nothing more, and still reads. */
bool strain_finishes(struct sim *);
/* A piece of bytes comes to the server: whether all of it is refused because its address says too much. */
bool strain_puts_off(struct sim *);
/* What was appended, and by the true time, whatever the clock of the wall says. */
void strain_appended(struct sim *, const struct store_request *);
bool strain_true_ms(const struct sim *, uint64_t table, const struct event *, int64_t *out_ms);
/* A copy of the disk is damaged and read: what is wrong with it is noticed. */
void strain_damage(struct sim *);
/* Those who wait for others are not kept from each other. */
void strain_check(struct sim *);

/* network.c */
/* A message of the client was refused because its address says too much, on this connection. */
bool sim_client_was_put_off(const struct sim_client *);
/* Finds a server for the next connection; false: none is there. sim_client_connect does it, too. */
bool sim_client_finds(struct sim_client *);
/* The server of its connection; NULL: it has none, or that is gone. */
struct sim_server *sim_client_server(const struct sim_client *);
/* The client has a connection on which both sides hear each other. */
bool sim_client_is_linked(const struct sim_client *);
struct sim_client *sim_client_add(struct sim *, const struct sim_dialect *, const struct sim_client_kind *);
/* Connects, when the server is there; false when it is not. */
bool sim_client_connect(struct sim_client *);
void sim_client_send(struct sim_client *, struct span bytes);
/* Ends the connection: in order, or by vanishing so that the server does not notice for a long time. */
void sim_client_close(struct sim_client *, bool vanishes);
void sim_client_act_in(struct sim_client *, uint64_t ms);
/* What the client adds to the dice when it sits down under a name; NULL: nothing, as for all in half of the
 * runs and for most in the others. It follows from the seed of the run and is drawn from no generator, so
 * that runs without are as if there were none. Valid until the next call. */
const char *sim_client_seed(const struct sim_client *, const char *name);
void sim_clients_free(struct sim *);
/* A server is gone: tells its ports that all links are closed, which only gives their memory back. */
void sim_network_lose_server(struct sim_server *);
void sim_network_check(struct sim *);
/* There are links whose peers have said their last word, and whose ports have not. */
bool sim_network_has_finished(const struct sim *);
bool sim_network_is_idle(const struct sim *);
void sim_network_free(struct sim *);

/* witness.c */
struct witness *witness_create(void);
void witness_free(struct witness *);
/* Somebody is told a fact about a table. is_journalled: it must be in the table's journal. */
void sim_told(struct sim *, const struct sim_dialect *, size_t listener, uint64_t table, bool is_journalled,
              const char *text);
/* The same in a pause of the protocol, in which people are not told everything that the journal has: only,
 * now and then, what is not optional. */
void sim_told_in_pause(struct sim *, const struct sim_dialect *, size_t listener, uint64_t table,
                       const char *text);
/* What the listener was told last ended a pause, which nobody had told it of: another node knew of it first.
 */
void sim_told_was_in_pause(struct sim *, const struct sim_dialect *, size_t listener, uint64_t table);
/* The same for somebody who is told less than the others: only how the fact begins. */
void sim_told_beginning(struct sim *, const struct sim_dialect *, size_t listener, uint64_t table,
                        const char *text);
/* Adds what everybody at the table is told. is_optional: not all are. */
void telling_add(struct sim_telling *, const char *text, bool is_optional);
/* The same for what is told again and again: nothing, when it is what was told last. */
void telling_add_state(struct sim_telling *, const char *text);
/* Adds what somebody who comes now is told first: facts of so many lines. */
void telling_view(struct sim_telling *, struct span lines);
/* The same for a single fact. */
void telling_view_fact(struct sim_telling *, const char *text);
/* A line as the text of a fact: its beginning and a number for the whole. */
enum { SIM_FACT_BYTES_MAX = 160 };
void sim_fact_text(struct span line, char text[SIM_FACT_BYTES_MAX]);
/* Holds everything that was told about tables since the last time against their journals. */
void witness_check(struct sim *);
/* The server has lost its memory: everything is to be looked at again. */
void witness_recheck(struct sim *);

/* A journal as it stands in the store, bodies included. */
struct journal_copy {
    struct event *events;
    size_t count, capacity;
    char *bodies;
    size_t bodies_size, bodies_capacity;
};
bool journal_copy_read(struct sim *, uint64_t table, struct journal_copy *);
void journal_copy_free(struct journal_copy *);

/* oracles.c */
/* The journal of every table here folds to its state, and its dice are right. */
void oracle_tables(struct sim *);
/* Every table waits for somebody, until some time. */
void oracle_waits(struct sim *);
/* All journals of the store: they fold, the dice are right, and no seat was charged for an outage. */
void oracle_journals(struct sim *);
/* No secret of a table is in what is sent. */
void oracle_output(struct sim *, struct span bytes);
/* Nobody is connected, no table runs: nothing is left of them. */
void oracle_empty(struct sim *);

/* breaks.c: the store as the tables see it, which is the real one unless the run is to be broken. */
struct store *broken_store_open(struct sim *, struct store *inner);
/* How many requests the tables have made of it. */
uint64_t broken_store_appends(const struct store *);

/* counted.c: memory that the server has from mem_alloc. */
size_t counted_blocks(void);
size_t counted_bytes(void);
/* What is allocated meanwhile is the simulation's own, and must be freed in such a time too. */
void counted_pause(bool pauses);

#endif
