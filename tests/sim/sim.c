#include "sim.h"

#include "cups.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "host/lounge/lounge.h"
#include "host/table/dice.h"
#include "shared_store.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WRITER_USUAL_MS = 4,
    WRITER_SLOW_MS = 3000,
    LATE_USUAL_MS = 2,
    LATE_SLOW_MS = 60,
    RESTART_MS = 20000,
    RESTART_NODE_MS = 9000,
    PEACE_SHARE = 3, /* of the steps, without faults after them */
    FAULT_PAUSE_MS = 12000,
    FAULT_MS = 5000,
    CRASH_OPERATIONS_MAX = 60, /* of the disk, until the crash that is announced to it */
    SILENCE_MS_MAX = LOUNGE_SEEN_MS + 20 * 60 * 1000, /* a silent player of the API counts as there so long */
    SILENCE_STEPS_MAX = 400 * 1000,
    DAMAGES_IN_THE_END = 6,             /* of copies of the disk of a strained server */
    DIALECT_PER_MILLE = 250,            /* how often the clients of a protocol come */
    CLIENTS_OF_DIALECT_MAX = 16,        /* that one protocol adds */
    ROUND_GROWTH_BYTES_MAX = 12 * 1024, /* in every round: what is kept for the next use grows in some */
};

const char *const sim_break_words[BREAK_COUNT] = {
#define SIM_BREAK_WORD(name, word) word,
    SIM_BREAKS(SIM_BREAK_WORD)
#undef SIM_BREAK_WORD
};

static struct sim *current;

const struct sim *sim_current(void) {
    return current;
}

static uint64_t hash_add(uint64_t hash, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

void sim_trace(struct sim *sim, const char *format, ...) {
    char *line = sim->trace[sim->trace_count++ % SIM_TRACE_LINES];
    va_list args;
    int used = snprintf(line, SIM_TRACE_LINE_BYTES, "%8llu %9llu ms  ", (unsigned long long)sim->step,
                        (unsigned long long)sim->now_ms);
    va_start(args, format);
    vsnprintf(line + used, SIM_TRACE_LINE_BYTES - (size_t)used, format, args);
    va_end(args);
    sim->trace_hash = hash_add(sim->trace_hash, line, strlen(line));
    if (sim->options.is_verbose)
        printf("# %s\n", line);
}

void sim_print_tail(const struct sim *sim) {
    size_t count = sim->trace_count < SIM_TRACE_LINES ? sim->trace_count : SIM_TRACE_LINES;
    printf("# seed %llu, step %llu; the last things that happened (step, time):\n",
           (unsigned long long)sim->options.seed, (unsigned long long)sim->step);
    for (size_t i = sim->trace_count - count; i < sim->trace_count; i++)
        printf("#   %s\n", sim->trace[i % SIM_TRACE_LINES]);
    fflush(stdout);
}

void sim_fail(struct sim *sim, const char *format, ...) {
    if (sim->has_failed)
        return;
    sim->has_failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(sim->failure, sizeof sim->failure, format, args);
    va_end(args);
    sim_trace(sim, "FAILED: %s", sim->failure);
}

static int64_t wall_ms(void *context) {
    return sim_wall_ms(context);
}

void __real_digest_secret(struct digest *out);
void __wrap_digest_secret(struct digest *out);

/* Whatever else nobody can guess: tokens of players. */
void __wrap_digest_secret(struct digest *out) {
    if (current == NULL) {
        __real_digest_secret(out);
        return;
    }
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&current->token_rng), out->bytes + i);
}

static unsigned seat_of_first(uint64_t table, const struct digest *secret) {
    unsigned joined[SEATS_MAX];
    static const struct dice nothing_before;
    dice_seats(table, secret, &nothing_before, 2, 2, joined);
    return joined[0];
}

/* The twin's secret: another one, by whose dice the two players sit where they sat before. */
static void secret_vary(uint64_t table, struct digest *secret) {
    unsigned seat = seat_of_first(table, secret);
    struct digest first = *secret;
    for (uint64_t i = 0; digest_equal(secret, &first) || seat_of_first(table, secret) != seat; i++) {
        uint8_t number[8];
        digest_number(i, number);
        const struct span pieces[] = {span_make(first.bytes, DIGEST_BYTES), span_make(number, 8)};
        digest_of(secret, NULL, pieces, 2);
    }
}

/* The id of the table that was numbered last. */
static uint64_t last_id(const struct sim *sim) {
    char code[24];
    uint64_t id = 0;
    snprintf(code, sizeof code, "%llu", (unsigned long long)sim->server->tables->last_number);
    bool is_code = table_code_parse(span_of(code), &id);
    assert(is_code);
    (void)is_code;
    return id;
}

/* Secrets of tables, and ids of those that have no number; in a twin run all have one. */
static void secret_draw(void *context, struct digest *out) {
    struct sim *sim = context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&sim->secret_rng), out->bytes + i);
    if (sim->options.is_twin && sim->options.has_other_dice)
        secret_vary(last_id(sim), out);
    sim->secrets[sim->secret_count++ % SIM_SECRETS_KEPT] = *out;
}

static void on_restart(struct timer *timer, uint64_t now_ms);

struct store *sim_journals(const struct sim *sim) {
    return sim->db == NULL ? sim->server->store : shared_journals(sim->db);
}

/* The process is gone, or its memory is to be given back. */
static void server_close(struct sim *sim) {
    sim->server->is_up = false;
    timers_stop(&sim->timers, &sim->server->writer);
    timers_stop(&sim->timers, &sim->server->drain);
    tables_store_closes(sim->server->tables);
    sim_network_lose_server(sim->server);
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        if (sim->server->ports[i] != NULL)
            sim->server->ports[i]->ops->free(sim->server->ports[i]);
        sim->server->ports[i] = NULL;
    }
    store_close(sim->server->store);
    tables_free(sim->server->tables);
    sim->server->store = NULL;
    sim->server->tables = NULL;
    sim->server->has_ended = sim->server->is_stalled = false;
    sim->server->down_since_ms = sim_true_ms(sim);
}

static void restart_in(struct sim *sim, uint64_t ms) {
    timers_arm(&sim->timers, &sim->server->restart, sim->now_ms + ms, on_restart);
}

void sim_server_kill(struct sim_server *server) {
    struct sim *sim = server->sim;
    sim->server = server;
    sim_trace(sim, "node %zu is killed", server->index);
    sim->counts.crashes_killed++;
    shared_store_kill(server->inner);
    server_close(sim);
    restart_in(sim, sim->is_peaceful ? 0 : sim_below(&sim->fault_rng, RESTART_NODE_MS));
}

/* The disk has ended, and everything with it. */
static void server_crash(struct sim *sim) {
    assert(disk_is_dead());
    sim_trace(sim, "the server is gone");
    server_close(sim);
    restart_in(sim, sim->is_peaceful ? 0 : sim_below(&sim->fault_rng, RESTART_MS));
}

/* SIGTERM, or the end of a championship. */
static void server_end(struct sim *sim) {
    sim_trace(sim, "the server ends in order");
    sim->counts.ends_in_order++;
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (sim->server->ports[i] != NULL && !sim->server->has_ended)
            sim->server->ports[i]->ops->shutdown(sim->server->ports[i]);
    server_close(sim);
    restart_in(sim, sim_below(&sim->fault_rng, 500));
}

void sim_server_end(struct sim_server *server) {
    server->sim->server = server;
    server_end(server->sim);
}

static void on_ended(void *context) {
    struct sim_server *server = context;
    server->has_ended = true;
}

static void table_restored(void *context, struct table *table) {
    struct sim *sim = context;
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (strcmp(sim_dialects[i]->name, table_protocol(table)) == 0) {
            if (sim->db != NULL && sim_dialects[i]->prepare != NULL) /* a port takes it over, or nobody */
                table_disown(table);
            else
                sim_dialects[i]->restored(sim, table);
            sim->counts.tables_resumed++;
            return;
        }
    sim_fail(sim, "a table of the protocol '%s', which nobody speaks", table_protocol(table));
}

static bool count_table(void *context, const struct store_table *table) {
    *(size_t *)context += strcmp(table->protocol, EVENT_PROTOCOL_CHAMPIONSHIP) != 0;
    return true;
}

/* All running tables are back, and nothing that was ever said is missing. */
static void check_restart(struct sim *sim, size_t running) {
    if (tables_count(sim->server->tables) != running)
        sim_fail(sim, "%zu tables were running, but %zu are back", running,
                 tables_count(sim->server->tables));
    witness_recheck(sim);
    witness_check(sim);
    oracle_tables(sim);
}

static enum err store_open(struct sim *sim) {
    struct store *inner;
    const char *complaint;
    if (sim->db != NULL) {
        enum err e = shared_store_open(sim->db, &sim->server->inner);
        if (e == ERR_OK)
            sim->server->store = broken_store_open(sim, sim->server->inner);
        return e;
    }
    struct store_sqlite_config config = {.path = "journal", .vfs = DISK_VFS, .is_exclusive = true};
    enum err e = store_sqlite_open(&config, &inner, &complaint);
    if (e == ERR_OK)
        sim->server->store = broken_store_open(sim, inner);
    else if (!disk_is_dead() && !sim->is_faulty)
        sim_fail(sim, "the store does not open: %s", complaint);
    return e;
}

static void outage_note(struct sim *sim) {
    assert(sim->outage_count < SIM_OUTAGES_MAX);
    if (sim->db !=
        NULL) { /* the others were there meanwhile; of when the database was away it knows nothing */
        sim->outage_count = 0;
        return;
    }
    sim->outages[sim->outage_count++] = (struct sim_outage){sim->server->down_since_ms, sim_true_ms(sim)};
}

/* False when the start fails and has to be tried again. */
static bool server_open(struct sim *sim) {
    if (store_open(sim) != ERR_OK)
        return false;
    size_t running = 0;
    struct tables_config config = {
        .store = sim->server->store, .context = sim, .wall_ms = wall_ms, .secret = secret_draw};
    sim->server->tables = tables_create(&config);
    enum err e = store_list(sim->server->store, STORE_RUNNING, count_table, &running);
    if (e == ERR_OK)
        e = tables_restore(sim->server->tables, sim->now_ms, table_restored, sim);
    if (e != ERR_OK && !disk_is_dead() && !sim->is_faulty)
        sim_fail(sim, "the journals cannot be read");
    if (sim->db != NULL)
        store_drain(sim->server->store);
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        sim->server->ports[i] = sim_dialects[i]->open(sim, sim->server->tables);
        if (sim->server->ports[i] != NULL) {
            sim->server->ports[i]->ended = on_ended;
            sim->server->ports[i]->ended_context = sim->server;
        }
    }
    sim->server->is_up = true;
    sim->server->store->is_serving = sim->db != NULL; /* otherwise the oracles read it */
    sim->server->beat_due_ms = sim->now_ms;
    outage_note(sim);
    if (e != ERR_OK || disk_is_dead()) {
        server_close(sim);
        return false;
    }
    sim->server->start = ++sim->counts.restarts;
    if (sim->db == NULL)
        sim_trace(sim, "the server is ready, %zu tables run", running);
    else
        sim_trace(sim, "node %zu is ready, %zu tables run", sim->server->index, running);
    check_restart(sim, running);
    sim_server_touched(sim);
    return true;
}

static void on_restart(struct timer *timer, uint64_t now_ms) {
    struct sim_server *server = TIMER_OWNER(timer, struct sim_server, restart);
    struct sim *sim = server->sim;
    (void)now_ms;
    sim->server = server;
    if (sim->db == NULL && disk_is_dead()) {
        disk_revive();
        sim->is_faulty = false;
    }
    if (sim->strain != NULL && !sim->is_peaceful)
        strain_damage(sim);
    /* Sometimes it dies again while it gets up. */
    if (sim->db == NULL && !sim->is_peaceful && sim_chance(&sim->fault_rng, 100))
        disk_end_after(1 + sim_below(&sim->fault_rng, 12),
                       sim_chance(&sim->fault_rng, 500) ? DISK_KILLED : DISK_POWER_CUT);
    if (!server_open(sim))
        restart_in(sim, 1 + sim_below(&sim->fault_rng, 2000));
}

static void on_writer(struct timer *timer, uint64_t now_ms);

/* Sometimes the disk takes its time. */
static void writer_arm(struct sim *sim) {
    if (timer_is_armed(&sim->server->writer))
        return;
    bool is_slow = !sim->is_peaceful && sim_below(&sim->fault_rng, 100) < sim->slow_percent;
    uint32_t in_ms = sim_below(&sim->fault_rng, is_slow ? WRITER_SLOW_MS : WRITER_USUAL_MS);
    timers_arm(&sim->timers, &sim->server->writer, sim->now_ms + in_ms, on_writer);
}

static void on_drain(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim_server, drain)->sim;
    sim->server = TIMER_OWNER(timer, struct sim_server, drain);
    if (strain_stall_ms(sim->server) > 0) {
        timers_arm(&sim->timers, timer, now_ms + strain_stall_ms(sim->server), on_drain);
        return;
    }
    strain_woke(sim->server);
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (sim->server->ports[i] != NULL && sim->options.broken != BREAK_STOP_CLOCKS)
            sim->server->ports[i]->ops->advance(sim->server->ports[i], now_ms);
    if (sim->options.broken != BREAK_STOP_CLOCKS)
        tables_advance(sim->server->tables, now_ms);
    store_drain(sim->server->store);
    writer_arm(sim);
}

static void drain_in(struct sim *sim, uint64_t ms) {
    if (!timer_is_armed(&sim->server->drain))
        timers_arm(&sim->timers, &sim->server->drain, sim->now_ms + ms, on_drain);
}

static void on_writer(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim_server, writer)->sim;
    (void)now_ms;
    sim->server = TIMER_OWNER(timer, struct sim_server, writer);
    bool is_done = store_work(sim->server->store);
    if (disk_is_dead() || !is_done)
        return;
    sim_trace(sim, "the writer has worked");
    drain_in(sim, sim_below(&sim->net_rng, 3));
}

void sim_server_touched(struct sim *sim) {
    if (!sim->server->is_up)
        return;
    if (sim->options.broken == BREAK_ANNOUNCE_EARLY || sim->options.broken == BREAK_LOSE_EVENT)
        drain_in(sim, 0);
    writer_arm(sim);
}

static uint64_t server_due_ms(const struct sim *sim) {
    if (!sim->server->is_up)
        return TIMERS_NEVER;
    if (strain_stall_ms(sim->server) > 0)
        return sim->server->stalled_until_ms;
    uint64_t due = sim->server->beat_due_ms;
    if (sim->db != NULL && shared_store_next_ms(sim->server->inner) < due)
        due = shared_store_next_ms(sim->server->inner);
    if (sim->options.broken == BREAK_STOP_CLOCKS)
        return due;
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        uint64_t port = sim->server->ports[i] == NULL
                            ? TIMERS_NEVER
                            : sim->server->ports[i]->ops->next_ms(sim->server->ports[i]);
        due = port < due ? port : due;
    }
    uint64_t clock = tables_next_ms(sim->server->tables);
    return (clock < due ? clock : due) + sim->server->lateness_ms;
}

/* Everybody is told the time before the store is drained. */
static void server_tick(struct sim *sim) {
    strain_woke(sim->server);
    bool drains = sim->db != NULL && shared_store_next_ms(sim->server->inner) <= sim->now_ms;
    if (sim->options.broken != BREAK_STOP_CLOCKS) {
        for (size_t i = 0; sim_dialects[i] != NULL; i++) {
            struct port *port = sim->server->ports[i];
            if (port != NULL && (drains || port->ops->next_ms(port) <= sim->now_ms))
                port->ops->advance(port, sim->now_ms);
        }
        tables_advance(sim->server->tables, sim->now_ms);
    }
    if (sim->now_ms >= sim->server->beat_due_ms) {
        sim->server->beat_due_ms = sim->now_ms + SIM_BEAT_MS;
        tables_beat(sim->server->tables);
    }
    if (drains)
        store_drain(sim->server->store);
    bool is_late = !sim->is_peaceful && sim_chance(&sim->net_rng, 50);
    sim->server->lateness_ms = sim_below(&sim->net_rng, is_late ? LATE_SLOW_MS : LATE_USUAL_MS);
    sim_server_touched(sim);
}

static void on_fault(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim, fault);
    static const enum fault faults[] = {FAULT_FULL, FAULT_WRITE, FAULT_SYNC};
    static const unsigned percents[] = {100, 50, 10};
    static const char *const words[] = {"is full", "does not write", "does not sync"};
    sim->is_faulty = !sim->is_faulty;
    if (sim->is_faulty) {
        uint32_t which = sim_below(&sim->fault_rng, 3);
        disk_fault_set(faults[which], percents[sim_below(&sim->fault_rng, 3)]);
        sim_trace(sim, "the disk %s", words[which]);
        sim->counts.fault_windows++;
    } else {
        disk_fault_set(FAULT_NONE, 0);
        sim_trace(sim, "the disk is well again");
    }
    uint32_t in_ms = sim_below(&sim->fault_rng, sim->is_faulty ? FAULT_MS : FAULT_PAUSE_MS);
    timers_arm(&sim->timers, &sim->fault, now_ms + in_ms, on_fault);
}

static void on_crash(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim, crash);
    timers_arm(&sim->timers, &sim->crash,
               now_ms + sim_below(&sim->fault_rng, (uint32_t)(2 * sim->crash_mean_ms)), on_crash);
    if (!sim->server->is_up)
        return;
    if (sim_chance(&sim->fault_rng, 100)) {
        server_end(sim);
        return;
    }
    bool is_power = sim_chance(&sim->fault_rng, 500), is_now = sim_chance(&sim->fault_rng, 300);
    sim_trace(sim, "%s%s", is_power ? "the power goes" : "the server is killed", is_now ? "" : " soon");
    if (is_power)
        sim->counts.crashes_power++;
    else
        sim->counts.crashes_killed++;
    disk_end_after(is_now ? 0 : 1 + sim_below(&sim->fault_rng, CRASH_OPERATIONS_MAX),
                   is_power ? DISK_POWER_CUT : DISK_KILLED);
}

void sim_crash_in(struct sim *sim, uint64_t ms) {
    timers_arm(&sim->timers, &sim->crash, sim->now_ms + ms, on_crash);
}

/* The server that has something to do next, which becomes the one that is looked at; and when. */
static uint64_t servers_due_ms(struct sim *sim) {
    uint64_t first = TIMERS_NEVER;
    struct sim_server *server = sim->server;
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        uint64_t due = server_due_ms(sim);
        if (due < first) {
            first = due;
            server = sim->server;
        }
    }
    sim->server = server;
    return first;
}

static void servers_check(struct sim *sim) {
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        if (!sim->server->is_up || sim->server->is_stalled)
            continue;
        oracle_waits(sim);
        if (!sim->is_faulty)
            oracle_tables(sim);
    }
    if (!sim->is_faulty && sim->server->is_up)
        witness_check(sim);
    if (sim->db != NULL)
        nodes_check(sim);
    strain_check(sim);
}

static void step(struct sim *sim) {
    uint64_t own = timers_next_ms(&sim->timers), server = servers_due_ms(sim);
    uint64_t next = own < server ? own : server;
    assert(next != TIMERS_NEVER);
    sim->step++;
    sim->now_ms = next > sim->now_ms ? next : sim->now_ms;
    if (own <= server) {
        struct timer *timer = sim->timers.heap[1];
        timers_stop(&sim->timers, timer);
        timer->fire(timer, sim->now_ms);
    } else {
        server_tick(sim);
    }
    if (sim->server->is_up && sim->db == NULL && disk_is_dead())
        server_crash(sim);
    else if (sim->server->is_up && sim->server->has_ended)
        server_end(sim);
    if (sim->step % SIM_CHECK_STEPS == 0)
        servers_check(sim);
}

/* Looks at all servers. */
static bool servers_all(const struct sim *sim, bool (*is_so)(const struct sim *)) {
    struct sim *looking = (struct sim *)(uintptr_t)sim;
    bool are_all = true;
    for (size_t i = 0; i < sim->server_count; i++) {
        looking->server = &looking->servers[i];
        are_all = is_so(sim) && are_all;
    }
    return are_all;
}

/* Somebody waits there for others, and may as long as the connection is there. */
static bool is_waited_at(const struct sim *sim, const struct table *t) {
    bool is_patient = false, is_online = false;
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        is_patient |=
            sim_dialects[i]->waits_for_ever && strcmp(sim_dialects[i]->name, table_protocol(t)) == 0;
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        is_online |= table_is_online(t, seat);
    return is_patient && is_online && table_free_seats(t) > 0 && !sim_network_is_idle(sim);
}

static bool is_server_at_rest(const struct sim *sim) {
    struct table *t, *next;
    if (!sim->server->is_up)
        return false;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        if (!is_waited_at(sim, t))
            return false;
    }
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (sim->server->ports[i] != NULL && sim_dialects[i]->table_count(sim->server->ports[i]) > 0)
            return false;
    return true;
}

static bool are_tables_over(const struct sim *sim) {
    return servers_all(sim, is_server_at_rest);
}

static bool are_all_gone(const struct sim *sim) {
    return are_tables_over(sim) && sim_network_is_idle(sim);
}

static bool has_nobody_finished(const struct sim *sim) {
    return !sim_network_has_finished(sim);
}

/* What is still there, for whoever has to find out why. */
static bool trace_tables(const struct sim *looking) {
    struct sim *sim = (struct sim *)(uintptr_t)looking;
    struct table *t, *next;
    if (!sim->server->is_up)
        return true;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        char code[TABLE_CODE_CHARS + 1];
        table_code_format(t->id, code);
        sim_trace(sim, "node %zu: table %s of %s is left: %s, event %llu, %u of %u seats are free, turn %x%s",
                  sim->server->index, code, t->fold.setup.protocol, t->fold.game->name,
                  (unsigned long long)t->fold.last_seq, table_free_seats(t), t->fold.setup.options.seat_count,
                  t->fold.game->turn(t->fold.state), t->request != NULL ? ", saving" : "");
    }
    return true;
}

static void dialects_work(struct sim *sim) {
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (sim_dialects[i]->work != NULL)
            sim_dialects[i]->work(sim);
}

/* Lets time pass until that is so; fails when it never is. */
static void pass_until(struct sim *sim, bool (*is_so)(const struct sim *), const char *what) {
    uint64_t deadline = sim->now_ms + SILENCE_MS_MAX, last = sim->step + SILENCE_STEPS_MAX;
    while (!sim->has_failed && !is_so(sim)) {
        if (sim->now_ms > deadline || sim->step > last) {
            servers_all(sim, trace_tables);
            sim_fail(sim, "%s, although nothing went wrong for a long time", what);
            return;
        }
        step(sim);
        dialects_work(sim);
    }
}

static bool is_server_empty(const struct sim *sim) {
    oracle_empty((struct sim *)(uintptr_t)sim);
    return true;
}

/* From now on nothing goes wrong any more. */
static void make_peace(struct sim *sim) {
    sim->peace_ms = sim->is_peaceful ? sim->peace_ms : sim->now_ms;
    sim->is_peaceful = true;
    sim->is_faulty = false;
    strain_end(sim);
    timers_stop(&sim->timers, &sim->fault);
    timers_stop(&sim->timers, &sim->crash);
    if (sim->db != NULL)
        nodes_end_faults(sim);
    else if (!disk_is_dead())
        disk_revive(); /* from what is wrong with it, and from what was still to come */
}

/* Several nodes, and a server that was under strain, go on for a while without any fault: whoever waits for
 * others meets them now. */
static void go_on_in_peace(struct sim *sim) {
    if (sim->db == NULL && sim->strain == NULL)
        return;
    sim_trace(sim, "nothing goes wrong any more");
    make_peace(sim);
    for (uint64_t until = sim->step + sim->options.steps / PEACE_SHARE;
         sim->step < until && !sim->has_failed;)
        step(sim);
}

/* Everybody falls silent, all tables end; everybody goes, nothing remains. */
static void come_to_rest(struct sim *sim) {
    sim_trace(sim, "everybody falls silent");
    sim->is_silent = true;
    make_peace(sim);
    if (sim->options.has_cups)
        pass_until(sim, cup_clients_are_over, "there are championships that do not end");
    pass_until(sim, are_tables_over, "there are tables that do not end");
    if (sim->strain != NULL)
        pass_until(sim, has_nobody_finished, "there are links whose peers have said their last word");
    if (sim->has_failed)
        return;
    sim_trace(sim, "everybody goes");
    for (size_t i = 0; i < sim->client_count; i++)
        sim_client_close(sim->clients[i], false);
    pass_until(sim, are_all_gone, "there are connections or tables left");
    if (sim->options.has_cups)
        pass_until(sim, cup_clients_are_swept, "there are championships that could be deserted");
    if (!sim->has_failed)
        servers_all(sim, is_server_empty);
}

/* Not everybody comes in every run: there are many protocols, and each is to be tried with many others. In a
 * twin run only those come whose games have no dice. */
static void populate(struct sim *sim) {
    const struct sim_options *options = &sim->options;
    size_t count = 0, chosen = 0;
    while (sim_dialects[count] != NULL)
        count++;
    size_t always = sim_below(&sim->plan_rng, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        if (sim_dialects[i]->prepare != NULL)
            sim_dialects[i]->prepare(sim);
        bool comes = sim_chance(&sim->plan_rng, DIALECT_PER_MILLE) || i == always;
        if (options->only.names[0][0] != '\0')
            comes = strcmp(options->only.names[0], sim_dialects[i]->name) == 0 ||
                    strcmp(options->only.names[1], sim_dialects[i]->name) == 0;
        if (options->is_twin)
            comes = sim_dialects[i]->has_no_dice;
        if (comes && sim->client_count + CLIENTS_OF_DIALECT_MAX <= SIM_CLIENTS_MAX) {
            sim_dialects[i]->populate(sim);
            chosen++;
        }
    }
    assert(chosen > 0);
    if (options->has_cups)
        cup_clients_add(sim);
}

static void plan(struct sim *sim) {
    static const unsigned cuts[] = {0, 2, 10}, slows[] = {0, 3, 15};
    static const uint64_t crashes[] = {4000, 15000, 60000};
    bool is_calm = sim->options.is_calm;
    sim->cut_per_mille = is_calm ? 0 : cuts[sim_below(&sim->plan_rng, 3)];
    sim->slow_percent = is_calm ? 0 : slows[sim_below(&sim->plan_rng, 3)];
    sim->crash_mean_ms = crashes[sim_below(&sim->plan_rng, 3)];
    disk_create(rng_next(&sim->plan_rng), sim_chance(&sim->plan_rng, 500));
    disk_lie(sim->options.broken == BREAK_LYING_DISK);
    if (sim->options.nodes > 1)
        nodes_plan(sim);
    if (sim->options.is_strained)
        strain_plan(sim);
    sim->inspector = inspector_create(&(struct inspector_config){.has_all = true, .wall_ms = clock_wall_ms});
    populate(sim);
}

static void begin_round(struct sim *sim) {
    sim->is_silent = false;
    sim->is_peaceful = sim->options.is_calm;
    for (size_t i = 0; i < sim->client_count; i++)
        sim_client_act_in(sim->clients[i], sim_below(&sim->plan_rng, 500));
    if (sim->options.is_calm)
        return;
    strain_begin(sim);
    if (sim->db != NULL) {
        nodes_begin_faults(sim);
        return;
    }
    timers_arm(&sim->timers, &sim->fault, sim->now_ms + sim_below(&sim->fault_rng, FAULT_PAUSE_MS), on_fault);
    timers_arm(&sim->timers, &sim->crash,
               sim->now_ms + sim_below(&sim->fault_rng, (uint32_t)(2 * sim->crash_mean_ms)), on_crash);
}

/* Buffers and heaps keep the size that they needed once, so that memory grows now and then; a leak makes it
 * grow in every round. */
static void play_rounds(struct sim *sim) {
    size_t bytes = 0, least_growth = SIZE_MAX;
    for (unsigned round = 0; round < sim->options.rounds && !sim->has_failed; round++) {
        begin_round(sim);
        for (uint64_t until = sim->step + sim->options.steps; sim->step < until && !sim->has_failed;)
            step(sim);
        if (!sim->has_failed)
            go_on_in_peace(sim);
        if (!sim->has_failed)
            come_to_rest(sim);
        size_t now = counted_bytes(), growth = now > bytes ? now - bytes : 0;
        if (round > 0 && growth < least_growth)
            least_growth = growth;
        bytes = now;
    }
    if (sim->options.rounds > 1 && least_growth > ROUND_GROWTH_BYTES_MAX)
        sim_fail(sim, "the server has at least %zu bytes more after every round", least_growth);
}

/* The last look is one from outside, after an orderly end. */
static void check_in_the_end(struct sim *sim) {
    size_t running = 0;
    if (sim->has_failed)
        return;
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        server_end(sim);
        timers_stop(&sim->timers, &sim->server->restart);
    }
    for (int i = 0; i < DAMAGES_IN_THE_END && sim->strain != NULL && !sim->has_failed; i++)
        strain_damage(sim);
    if (!server_open(sim)) {
        sim_fail(sim, "the server does not start again");
        return;
    }
    oracle_journals(sim);
    if (store_list(sim_journals(sim), STORE_RUNNING, count_table, &running) != ERR_OK || running > 0)
        sim_fail(sim, "%zu tables still run in the journal", running);
}

static void sim_free(struct sim *sim) {
    sim->is_silent = true;
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        if (sim->server->is_up)
            server_close(sim);
    }
    sim_network_free(sim);
    sim_clients_free(sim);
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        sim_dialects[i]->finish(sim);
    cup_clients_finish();
    inspector_free(sim->inspector);
    if (sim->db != NULL)
        nodes_finish(sim);
    strain_finish(sim);
    timers_free(&sim->timers);
    witness_free(sim->witness);
    struct disk_counts disk = disk_counts();
    sim->counts.disk_writes = disk.writes;
    sim->counts.disk_syncs = disk.syncs;
    sim->counts.disk_faults = disk.faults;
    sim->counts.sectors_lost = disk.sectors_lost;
    disk_destroy();
}

static void counts_add(struct sim_counts *total, const struct sim_counts *counts) {
    uint64_t *to = (uint64_t *)total;
    const uint64_t *from = (const uint64_t *)counts;
    for (size_t i = 0; i < sizeof *total / sizeof *to; i++)
        to[i] += from[i];
}

bool sim_run(const struct sim_options *options, struct sim_counts *total, uint64_t *trace, uint64_t *output) {
    size_t blocks = counted_blocks();
    struct sim *sim = calloc(1, sizeof *sim);
    assert(sim != NULL);
    current = sim;
    sim->options = *options;
    sim->now_ms = 1000;
    sim->server = sim->servers;
    sim->server_count = options->nodes > 1 ? options->nodes : 1;
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->servers[i].sim = sim;
        sim->servers[i].index = i;
    }
    struct rng *streams[] = {&sim->plan_rng, &sim->net_rng, &sim->fault_rng, &sim->secret_rng,
                             &sim->token_rng};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        rng_seed(streams[i], rng_mix(options->seed) + i);
    sim->trace_hash = sim->output_hash = 0xcbf29ce484222325u;
    sim->witness = witness_create();
    plan(sim);
    for (size_t i = 0; i < sim->server_count; i++) {
        sim->server = &sim->servers[i];
        sim->server->down_since_ms = sim_true_ms(sim);
        if (!server_open(sim))
            sim_fail(sim, "the server does not start");
    }
    play_rounds(sim);
    check_in_the_end(sim);
    sim->counts.steps = sim->step;
    sim_free(sim);
    if (counted_blocks() != blocks)
        sim_fail(sim, "%zu pieces of memory were there at the beginning, %zu are there in the end", blocks,
                 counted_blocks());
    buf_free(&sim->kept);
    counts_add(total, &sim->counts);
    if (trace != NULL)
        *trace = sim->trace_hash;
    if (output != NULL)
        *output = sim->output_hash;
    bool is_well = !sim->has_failed;
    if (!is_well && options->broken == BREAK_NOTHING) {
        printf("# %s\n", sim->failure);
        sim_print_tail(sim);
    } else if (!is_well) {
        printf("# %s, seed %llu: %s\n", sim_break_words[options->broken], (unsigned long long)options->seed,
               sim->failure);
    }
    current = NULL;
    free(sim);
    return is_well;
}
