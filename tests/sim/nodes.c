/* Several nodes: what goes wrong between them and the database, and what must hold of all of them together.
 */
#include "host/room/room.h"
#include "shared_store.h"
#include "wire/santorini/internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    AWAY_PAUSE_MS = 10000,
    AWAY_MS = 5000,
    AWAY_LONG_MS = 15000,
    AWAY_BELIEVED_MS =
        6500, /* until then a node may not have noticed it, and charges it to whoever is on turn */
    KILL_MEAN_MS = 15000,
    SEAT_APART_MS = 20000, /* so long two nodes may at most both have somebody on a seat, or not know of it */
    SEATS_APART_MAX = 64,
    MEETING_MS = 30000, /* so long two may at most wait for each other while nothing goes wrong */
};

enum seat_fault { SEAT_TWICE, SEAT_GHOST, SEAT_UNHEARD };
static const char *const seat_fault_words[] = {"has been taken at two nodes",
                                               "is said to be taken at another node, and is not,",
                                               "is taken at another node, which is not known,"};

/* A seat of which the nodes do not think alike. */
struct seat_apart {
    uint64_t table;
    unsigned seat;
    enum seat_fault fault;
    uint64_t since_ms; /* 0: this place is free */
    bool is_seen;
};

/* Two tables of a protocol at which somebody waits for others, the oldest of them. */
struct sim_meeting {
    const char *protocol;
    uint64_t tables[2];
    uint64_t since_ms;
};

struct sim_nodes_watch {
    struct sim_meeting meetings[2];
    struct seat_apart apart[SEATS_APART_MAX];
    int64_t away_since_ms; /* the database, for all; 0: it is there */
    struct sim_server *cut;
    unsigned believed; /* the most nodes that had the lease at once */
};

void __real_room_seat_take(struct room_table *, unsigned seat, struct room_member *);
void __wrap_room_seat_take(struct room_table *, unsigned seat, struct room_member *);

/* Who comes back to a seat that is known to be taken at another node. Who has just sat down on it is sure of
 * it, whatever is known of those who sat there before. */
void __wrap_room_seat_take(struct room_table *rt, unsigned seat, struct room_member *m) {
    struct sim *sim = (struct sim *)(uintptr_t)sim_current();
    const struct table *t = rt->table;
    if (sim != NULL && t->telling == 0 && (t->elsewhere & SEAT_BIT(seat)) != 0)
        sim_fail(sim, "seat %u of a table of %s is given to somebody although it is taken at another node",
                 seat, table_protocol(t));
    __real_room_seat_take(rt, seat, m);
}

void nodes_plan(struct sim *sim) {
    static const unsigned slows[] = {5, 30, 120}, doubts[] = {0, 10, 40}, losses[] = {0, 2, 10},
                          lates[] = {0, 20, 150};
    struct rng *rng = &sim->plan_rng;
    struct shared_plan plan = {.slow = slows[sim_below(rng, 3)],
                               .doubt = doubts[sim_below(rng, 3)],
                               .lose_words = losses[sim_below(rng, 3)],
                               .again = 30,
                               .late_company = lates[sim_below(rng, 3)]};
    sim->db = shared_db_create(sim, sim->options.is_calm ? &(struct shared_plan){0} : &plan);
    sim->watch = calloc(1, sizeof *sim->watch);
    assert(sim->watch != NULL);
}

void nodes_finish(struct sim *sim) {
    free(sim->watch);
    shared_db_free(sim->db);
    sim->db = NULL;
}

struct sim_server *nodes_choose(struct sim_client *client) {
    struct sim *sim = client->sim;
    bool has_hall = strcmp(client->dialect->name, "ugs") == 0 && sim_chance(&client->rng, 900);
    size_t first = sim_below(&client->rng, (uint32_t)sim->server_count);
    struct sim_server *chosen = NULL;
    for (size_t i = 0; i < sim->server_count; i++) {
        struct sim_server *server = &sim->servers[(first + i) % sim->server_count];
        if (!server->is_up || server->has_ended)
            continue;
        if (chosen == NULL || (has_hall && tables_has_lease(server->tables)))
            chosen = server;
        if (!has_hall)
            break;
    }
    return chosen;
}

/* Fate. */

static void on_fault(struct timer *timer, uint64_t now_ms);
static void on_crash(struct timer *timer, uint64_t now_ms);

static void away_end(struct sim *sim) {
    struct sim_nodes_watch *w = sim->watch;
    shared_store_cut(sim->db, NULL, false);
    if (w->cut != NULL && w->cut->is_up)
        shared_store_cut(sim->db, w->cut->inner, false);
    w->cut = NULL;
    if (w->away_since_ms != 0 && sim_true_ms(sim) > w->away_since_ms + AWAY_BELIEVED_MS) {
        assert(sim->outage_count < SIM_OUTAGES_MAX);
        sim->outages[sim->outage_count++] =
            (struct sim_outage){w->away_since_ms + AWAY_BELIEVED_MS, sim_true_ms(sim)};
    }
    w->away_since_ms = 0;
}

static void away_begin(struct sim *sim) {
    struct sim_nodes_watch *w = sim->watch;
    sim->counts.fault_windows++;
    if (sim_chance(&sim->fault_rng, 300)) {
        sim_trace(sim, "the database is away");
        shared_store_cut(sim->db, NULL, true);
        w->away_since_ms = sim_true_ms(sim);
        return;
    }
    struct sim_server *server = &sim->servers[sim_below(&sim->fault_rng, (uint32_t)sim->server_count)];
    if (!server->is_up)
        return;
    sim_trace(sim, "the database is away for node %zu", server->index);
    shared_store_cut(sim->db, server->inner, true);
    w->cut = server;
}

static void on_fault(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim, fault);
    bool is_beginning = sim->watch->cut == NULL && sim->watch->away_since_ms == 0;
    if (is_beginning)
        away_begin(sim);
    else
        away_end(sim);
    if (!is_beginning)
        sim_trace(sim, "the database is there again");
    uint32_t most_ms = !is_beginning                      ? AWAY_PAUSE_MS
                       : sim_chance(&sim->fault_rng, 150) ? AWAY_LONG_MS
                                                          : AWAY_MS;
    uint32_t in_ms = sim_below(&sim->fault_rng, most_ms);
    timers_arm(&sim->timers, &sim->fault, now_ms + in_ms, on_fault);
}

static void on_crash(struct timer *timer, uint64_t now_ms) {
    struct sim *sim = TIMER_OWNER(timer, struct sim, crash);
    timers_arm(&sim->timers, &sim->crash,
               now_ms + sim_below(&sim->fault_rng, (uint32_t)(2 * sim->crash_mean_ms)), on_crash);
    struct sim_server *server = &sim->servers[sim_below(&sim->fault_rng, (uint32_t)sim->server_count)];
    bool is_end = sim_chance(&sim->fault_rng, 150);
    if (!server->is_up)
        return;
    if (is_end)
        sim_server_end(server);
    else
        sim_server_kill(server);
}

void nodes_crash_in(struct sim *sim, uint64_t ms) {
    timers_arm(&sim->timers, &sim->crash, sim->now_ms + ms, on_crash);
}

void nodes_begin_faults(struct sim *sim) {
    timers_arm(&sim->timers, &sim->fault, sim->now_ms + sim_below(&sim->fault_rng, AWAY_PAUSE_MS), on_fault);
    timers_arm(&sim->timers, &sim->crash,
               sim->now_ms + sim_below(&sim->fault_rng, (uint32_t)(2 * sim->crash_mean_ms)), on_crash);
}

void nodes_end_faults(struct sim *sim) {
    away_end(sim);
    shared_db_calm(sim->db);
}

/* Oracles. */

/* Whether somebody is connected to that seat through the room of its protocol. */
static bool has_member(const struct sim_server *server, uint64_t table, unsigned seat) {
    const struct table *t = server->is_up ? tables_find(server->tables, table) : NULL;
    return t != NULL && t->is_online[seat] && !t->fold.is_finished;
}

/* Clients of Santorini need not answer pings, and one that never has done so may be silent for ten minutes
 * (docs/protocols/santorini.md): nobody can know that it is dead, at one node as little as at two. */
static bool is_mute(const struct sim_server *server, uint64_t table, unsigned seat) {
    const struct room *room = room_of_protocol(server->tables, "santorini");
    const struct room_table *rt = room == NULL ? NULL : room_table_of(room, table);
    const struct room_member *m = rt == NULL ? NULL : rt->seats[seat].member;
    return m != NULL && !((const struct visitor *)(const void *)m)->has_ponged;
}

/* Whether all who are connected to that seat are known to answer pings. */
static bool answers_pings(const struct sim *sim, uint64_t table, unsigned seat) {
    for (const struct sim_server *server = sim->servers; server < sim->servers + sim->server_count; server++)
        if (has_member(server, table, seat) && is_mute(server, table, seat))
            return false;
    return true;
}

static bool is_of_connections(const struct table *t) {
    static const char *const protocols[] = {"santorini", "eriantys", "renaissance"};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (strcmp(table_protocol(t), protocols[i]) == 0)
            return true;
    return false;
}

static void apart_note(struct sim *sim, const struct table *t, unsigned seat, enum seat_fault fault) {
    struct seat_apart *place = NULL, *s = sim->watch->apart;
    for (size_t i = 0; i < SEATS_APART_MAX; i++) {
        if (s[i].since_ms != 0 && s[i].table == t->id && s[i].seat == seat && s[i].fault == fault) {
            s[i].is_seen = true;
            if (sim->now_ms - s[i].since_ms > SEAT_APART_MS) {
                char code[TABLE_CODE_CHARS + 1];
                table_code_format(t->id, code);
                sim_fail(sim, "seat %u of table %s of %s %s for %d s", seat, code, table_protocol(t),
                         seat_fault_words[fault], SEAT_APART_MS / 1000);
            }
            return;
        }
        if (s[i].since_ms == 0 && place == NULL)
            place = &s[i];
    }
    if (place != NULL)
        *place = (struct seat_apart){t->id, seat, fault, sim->now_ms, true};
}

static unsigned members_elsewhere(const struct sim *sim, const struct sim_server *here, const struct table *t,
                                  unsigned seat) {
    unsigned count = 0;
    for (const struct sim_server *other = sim->servers; other < sim->servers + sim->server_count; other++)
        count += other != here && has_member(other, t->id, seat);
    return count;
}

/* Players of the API are seen wherever their requests come to; of those with connections each has one. What
 * a node knows of the others is true again soon after the last fault. */
static void check_seat(struct sim *sim, const struct sim_server *here, const struct table *t, unsigned seat) {
    bool is_elsewhere = members_elsewhere(sim, here, t, seat) > 0;
    bool is_said = (t->elsewhere & SEAT_BIT(seat)) != 0;
    if (is_elsewhere && has_member(here, t->id, seat) && is_of_connections(t) &&
        table_token(t, seat) == NULL && answers_pings(sim, t->id, seat))
        apart_note(sim, t, seat, SEAT_TWICE);
    if (sim->is_peaceful && is_said != is_elsewhere)
        apart_note(sim, t, seat, is_said ? SEAT_GHOST : SEAT_UNHEARD);
}

static void check_seats(struct sim *sim) {
    struct sim_nodes_watch *w = sim->watch;
    for (size_t i = 0; i < SEATS_APART_MAX; i++)
        w->apart[i].is_seen = false;
    for (struct sim_server *here = sim->servers; here < sim->servers + sim->server_count; here++) {
        struct table *t, *next;
        if (!here->is_up)
            continue;
        HASH_ITER(by_id, here->tables->by_id, t, next) {
            for (unsigned seat = 0; !t->fold.is_finished && seat < SEATS_MAX; seat++)
                check_seat(sim, here, t, seat);
        }
    }
    for (size_t i = 0; i < SEATS_APART_MAX; i++)
        if (!w->apart[i].is_seen)
            w->apart[i].since_ms = 0;
}

/* Not wrong, but what is to be tried: counted. */
static void count_beliefs(struct sim *sim) {
    unsigned believers = 0;
    for (size_t i = 0; i < sim->server_count; i++)
        believers += sim->servers[i].is_up && tables_has_lease(sim->servers[i].tables);
    sim->counts.beliefs += believers > 1;
}

/* Whether people wait at the table for others to come, and all of them are there. */
static bool is_waited_at(const struct sim *sim, const struct table *t) {
    bool keeps_names = strcmp(table_protocol(t), "santorini") == 0; /* who has said its name there stays */
    unsigned waiting = 0;
    if (!t->is_opened || t->fold.is_finished || table_free_seats(t) == 0 || t->request != NULL)
        return false;
    for (size_t i = 0; i < sim->server_count; i++) {
        const struct table *there = sim->servers[i].is_up ? tables_find(sim->servers[i].tables, t->id) : NULL;
        if (there == NULL || there->request != NULL)
            return false;
        waiting += there->guests;
    }
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++) {
        if ((keeps_names && table_name(t, seat)[0] != '\0') || table_token(t, seat) != NULL ||
            (table_name(t, seat)[0] != '\0' && !table_is_online(t, seat)))
            return false;
        waiting += table_name(t, seat)[0] != '\0';
    }
    return waiting > 0;
}

/* Whoever waits in line at one node meets those who wait at others. */
static void check_meeting(struct sim *sim, struct sim_meeting *meeting) {
    uint64_t oldest[2] = {0, 0};
    int64_t ages[2] = {INT64_MAX, INT64_MAX};
    struct table *t, *next;
    HASH_ITER(by_id, sim->servers[0].tables->by_id, t, next) {
        if (strcmp(table_protocol(t), meeting->protocol) != 0 || !is_waited_at(sim, t))
            continue;
        size_t at = table_created_ms(t) < ages[0] ? 0 : 1;
        if (at == 0) {
            oldest[1] = oldest[0];
            ages[1] = ages[0];
        }
        if (table_created_ms(t) < ages[at]) {
            oldest[at] = t->id;
            ages[at] = table_created_ms(t);
        }
    }
    bool is_same = memcmp(oldest, meeting->tables, sizeof oldest) == 0;
    if (oldest[1] == 0 || !is_same)
        meeting->since_ms = sim->now_ms;
    memcpy(meeting->tables, oldest, sizeof oldest);
    if (sim->now_ms - meeting->since_ms > MEETING_MS)
        sim_fail(sim, "at two tables of %s people wait for each other for %d s", meeting->protocol,
                 MEETING_MS / 1000);
}

static void check_meetings(struct sim *sim) {
    struct sim_meeting *meetings = sim->watch->meetings;
    meetings[0].protocol = "santorini";
    meetings[1].protocol = "renaissance";
    for (size_t i = 0; i < sizeof sim->watch->meetings / sizeof *meetings; i++) {
        if (sim->is_peaceful && !sim->is_silent && sim->servers[0].is_up)
            check_meeting(sim, &meetings[i]);
        else
            meetings[i].since_ms = sim->now_ms;
    }
}

void nodes_check(struct sim *sim) {
    check_seats(sim);
    check_meetings(sim);
    count_beliefs(sim);
}
