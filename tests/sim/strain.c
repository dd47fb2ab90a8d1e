/* Servers that have too little of everything, as a seed draws it: their loops stand still for a while, the
 * clock of the wall is set, memory is short, addresses say too much, peers end only their half of a
 * connection, and pages of a copy of the disk are damaged. In between everything is as in other runs. Of
 * several nodes each has a loop and a clock of its own; memory is short for all of them, and whoever damages
 * a disk damages that of one server alone: several have none. */
#include "base/mem.h"
#include "host/room/room.h"
#include "sim.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PAUSE_MS = 4000, /* between two of the following */
    STALL_MS = 400,
    STALL_LONG_MS = 5000,
    SHORTAGE_MS = 6000,
    FLOOD_MS = 1500,
    JUMP_SMALL_MS = 200, /* as clocks are slewed */
    JUMP_MS_MIN = 5000,
    JUMP_LARGE_MS = 2 * 24 * 3600 * 1000,
    RESTART_PER_MILLE = 400, /* of jumps are followed by a restart */
    RESTART_AFTER_MS = 1200,
    PUT_OFF_PER_MILLE = 300, /* of pieces, while addresses say too much */
    FINISH_PER_MILLE = 500,  /* of those who hang up */
    DAMAGE_BYTES_MAX = 24,
    DAMAGE_PLACES_MAX = 3,
    PAGE_BYTES = 4096,
    LINE_STANDS_MS_MAX = 5000,
};

/* What the store has been asked to keep, with the true time. */
struct strain_event {
    uint64_t table, seq;
    int64_t wall_ms, true_ms;
};

struct sim_strain {
    struct rng rng;
    struct timer timer;
    bool has_shortage, has_flood;
    struct strain_event *events;
    size_t event_count, event_capacity;
    uint64_t line_stands_ms[SIM_NODES_MAX]; /* those who wait for others there are not asked since then; 0:
                                               they are */
};

void strain_plan(struct sim *sim) {
    sim->strain = calloc(1, sizeof *sim->strain);
    assert(sim->strain != NULL);
    rng_seed(&sim->strain->rng, rng_mix(sim->options.seed ^ 0x5741494e));
}

void strain_finish(struct sim *sim) {
    if (sim->strain == NULL)
        return;
    strain_end(sim);
    free(sim->strain->events);
    free(sim->strain);
    sim->strain = NULL;
}

/* Fate. */

/* The one that it happens to. */
static struct sim_server *strain_choose(struct sim *sim) {
    return sim->db == NULL ? sim->server
                           : &sim->servers[sim_below(&sim->strain->rng, (uint32_t)sim->server_count)];
}

static void stall(struct sim *sim) {
    struct sim_strain *s = sim->strain;
    struct sim_server *server = strain_choose(sim);
    uint64_t ms = 1 + sim_below(&s->rng, sim_chance(&s->rng, 400) ? STALL_LONG_MS : STALL_MS);
    if (!server->is_up)
        return;
    sim_trace(sim, "the loop of node %zu stands still for %llu ms", server->index, (unsigned long long)ms);
    sim->counts.stalls++;
    server->is_stalled = true;
    server->stalled_until_ms = sim->now_ms + ms;
}

static void jump(struct sim *sim) {
    struct sim_strain *s = sim->strain;
    struct sim_server *server = strain_choose(sim);
    int64_t by_ms = sim_chance(&s->rng, 300) ? (int64_t)sim_below(&s->rng, JUMP_SMALL_MS)
                                             : JUMP_MS_MIN + (int64_t)sim_below(&s->rng, JUMP_LARGE_MS);
    server->wall_jump_ms += sim_chance(&s->rng, 500) ? by_ms : -by_ms;
    sim_trace(sim, "the clock of the wall of node %zu is %lld ms ahead", server->index,
              (long long)server->wall_jump_ms);
    sim->counts.jumps++;
    if (!sim_chance(&s->rng, RESTART_PER_MILLE))
        return;
    uint64_t in_ms = RESTART_AFTER_MS + sim_below(&s->rng, RESTART_AFTER_MS); /* a beat or two later */
    if (sim->db == NULL)
        sim_crash_in(sim, in_ms);
    else
        nodes_crash_in(sim, in_ms);
}

/* As much memory as there is now, and not a byte more. */
static void shortage(struct sim *sim, bool is_short) {
    sim->strain->has_shortage = is_short;
    sim->counts.shortages += is_short;
    mem_set_max(is_short ? 1 : 0);
    sim_trace(sim, "memory %s", is_short ? "is short" : "is there again");
}

static void on_strain(struct timer *timer, uint64_t now_ms) {
    struct sim_strain *s = TIMER_OWNER(timer, struct sim_strain, timer);
    struct sim *sim = (struct sim *)(uintptr_t)sim_current();
    uint32_t in_ms = sim_below(&s->rng, PAUSE_MS);
    if (s->has_shortage) {
        shortage(sim, false);
    } else if (s->has_flood) {
        s->has_flood = false;
    } else {
        switch (sim_below(&s->rng, 4)) {
        case 0: stall(sim); break;
        case 1: jump(sim); break;
        case 2:
            shortage(sim, true);
            in_ms = sim_below(&s->rng, SHORTAGE_MS);
            break;
        default:
            s->has_flood = true;
            in_ms = sim_below(&s->rng, FLOOD_MS);
            break;
        }
    }
    timers_arm(&sim->timers, timer, now_ms + in_ms, on_strain);
}

void strain_begin(struct sim *sim) {
    if (sim->strain != NULL)
        timers_arm(&sim->timers, &sim->strain->timer, sim->now_ms + sim_below(&sim->strain->rng, PAUSE_MS),
                   on_strain);
}

void strain_end(struct sim *sim) {
    if (sim->strain == NULL)
        return;
    timers_stop(&sim->timers, &sim->strain->timer);
    if (sim->strain->has_shortage)
        shortage(sim, false);
    sim->strain->has_flood = false;
    for (size_t i = 0; i < sim->server_count; i++)
        if (strain_stall_ms(&sim->servers[i]) > 0)
            sim->servers[i].stalled_until_ms = sim->now_ms;
}

uint64_t strain_stall_ms(const struct sim_server *server) {
    uint64_t now_ms = server->sim->now_ms;
    return server->is_stalled && server->stalled_until_ms > now_ms ? server->stalled_until_ms - now_ms : 0;
}

void strain_woke(struct sim_server *server) {
    server->is_stalled = false;
}

bool strain_finishes(struct sim *sim) {
    return sim->strain != NULL && !sim->is_silent && sim_chance(&sim->strain->rng, FINISH_PER_MILLE);
}

bool strain_puts_off(struct sim *sim) {
    return sim->strain != NULL && sim->strain->has_flood && sim_chance(&sim->strain->rng, PUT_OFF_PER_MILLE);
}

/* True times. */

void strain_appended(struct sim *sim, const struct store_request *r) {
    struct sim_strain *s = sim->strain;
    for (size_t i = 0; s != NULL && i < r->event_count; i++) {
        if (s->event_count == s->event_capacity) {
            s->event_capacity = s->event_capacity == 0 ? 1024 : 2 * s->event_capacity;
            s->events = realloc(s->events, s->event_capacity * sizeof *s->events);
            assert(s->events != NULL);
        }
        s->events[s->event_count++] =
            (struct strain_event){r->table, r->events[i].seq, r->events[i].time_ms, sim_true_ms(sim)};
    }
}

bool strain_true_ms(const struct sim *sim, uint64_t table, const struct event *event, int64_t *out_ms) {
    const struct sim_strain *s = sim->strain;
    for (size_t i = 0; i < s->event_count; i++)
        if (s->events[i].table == table && s->events[i].seq == event->seq &&
            s->events[i].wall_ms == event->time_ms) {
            *out_ms = s->events[i].true_ms;
            return true;
        }
    return false;
}

/* Damaged pages. */

/* A journal as somebody read it who checks what is to be checked. */
struct reading {
    bool trusts;
    bool is_whole; /* every event follows from the one before */
    uint64_t last_seq;
    struct digest last_hash, content;
};

struct readings {
    uint64_t tables[1024];
    struct reading of[1024];
    size_t count;
};

static bool reading_event(void *context, uint64_t table, const struct event *event) {
    struct reading *r = context;
    const char *complaint;
    uint8_t numbers[16];
    r->is_whole =
        r->is_whole && (r->trusts || event_is_next(event, table, r->last_seq, &r->last_hash, &complaint));
    r->last_seq = event->seq;
    r->last_hash = event->hash;
    digest_number((uint64_t)event->time_ms, numbers);
    digest_number((uint64_t)event->kind, numbers + 8);
    const struct span pieces[] = {span_make(r->content.bytes, DIGEST_BYTES),
                                  span_make(numbers, sizeof numbers), event->body};
    digest_of(&r->content, NULL, pieces, sizeof pieces / sizeof *pieces);
    return true;
}

static enum err reading_take(struct sim *sim, struct store *store, uint64_t table, struct reading *out) {
    *out = (struct reading){.trusts = sim->options.broken == BREAK_TRUST_PAGES, .is_whole = true};
    enum err e = store_read(store, table, 1, reading_event, out);
    return e == ERR_OK && !out->is_whole ? ERR_CHAIN : e;
}

static bool readings_add(void *context, const struct store_table *table) {
    struct readings *all = context;
    all->tables[all->count++] = table->table;
    return all->count < sizeof all->tables / sizeof *all->tables;
}

static struct store *copy_open(void) {
    struct store_sqlite_config config = {.path = "copy", .vfs = DISK_VFS, .is_exclusive = true};
    struct store *store;
    const char *complaint;
    return store_sqlite_open(&config, &store, &complaint) == ERR_OK ? store : NULL;
}

/* What stands in the copy before it is damaged. */
static bool copy_read(struct sim *sim, struct readings *all) {
    struct store *store = copy_open();
    bool is_well = store != NULL && store_list(store, STORE_ALL, readings_add, all) == ERR_OK;
    for (size_t i = 0; is_well && i < all->count; i++)
        is_well = reading_take(sim, store, all->tables[i], &all->of[i]) == ERR_OK;
    if (store != NULL)
        store_close(store);
    return is_well;
}

/* Whoever can read a journal after the damage reads what was there before. */
static void copy_compare(struct sim *sim, const struct readings *all) {
    struct store *store = copy_open();
    bool is_seen = store == NULL;
    for (size_t i = 0; store != NULL && i < all->count; i++) {
        struct reading now;
        if (reading_take(sim, store, all->tables[i], &now) != ERR_OK) {
            is_seen = true;
        } else if (!digest_equal(&now.content, &all->of[i].content)) {
            char code[TABLE_CODE_CHARS + 1];
            table_code_format(all->tables[i], code);
            sim_fail(sim,
                     "the journal of table %s, %llu events long, is read as one of %llu from a damaged page",
                     code, (unsigned long long)all->of[i].last_seq, (unsigned long long)now.last_seq);
        }
    }
    sim->counts.damages_seen += is_seen;
    if (store != NULL)
        store_close(store);
}

static void copy_damage(struct sim *sim, size_t size) {
    struct rng *rng = &sim->strain->rng;
    uint64_t page = sim_below(rng, (uint32_t)(size / PAGE_BYTES));
    for (uint32_t places = 1 + sim_below(rng, DAMAGE_PLACES_MAX); places > 0; places--) {
        uint8_t bytes[DAMAGE_BYTES_MAX];
        size_t count = 1 + sim_below(rng, DAMAGE_BYTES_MAX);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)rng_next(rng);
        uint64_t at = page * PAGE_BYTES + sim_below(rng, (uint32_t)(PAGE_BYTES - count));
        disk_damage("copy", at, bytes, count);
    }
    sim_trace(sim, "page %llu of a copy of the journal is damaged", (unsigned long long)page + 1);
    sim->counts.damages++;
}

void strain_damage(struct sim *sim) {
    struct readings *all = calloc(1, sizeof *all);
    assert(all != NULL);
    if (sim->db != NULL || sim->is_faulty || disk_is_dead() || disk_size("journal") < PAGE_BYTES) {
        free(all);
        return;
    }
    disk_copy_begin("journal", "copy");
    bool is_well =
        copy_read(sim, all); /* not when the disk cannot be read: then there is nothing to compare */
    size_t size = disk_size("copy");
    if (is_well && size >= PAGE_BYTES) {
        copy_damage(sim, size);
        copy_compare(sim, all);
    }
    disk_copy_end("copy");
    free(all);
}

/* Matchmaking. */

/* Two of Santorini wait in line, there is room for a table, and nobody is asked whether it wants one. */
static bool line_stands(const struct sim_server *server) {
    const struct room *room = server->is_up ? room_of_protocol(server->tables, "santorini") : NULL;
    unsigned waiting = 0;
    if (room == NULL || room->opening_count > 0 || room->own_count >= room->policy.tables_max)
        return false;
    for (const struct room_member *m = room->line; m != NULL; m = m->line_next) {
        if (m->is_asked)
            return false;
        waiting++;
    }
    return waiting > 1;
}

static void line_check(struct sim *sim, const struct sim_server *server, uint64_t *stands_ms) {
    if (server->is_stalled || !line_stands(server))
        *stands_ms = 0;
    else if (*stands_ms == 0)
        *stands_ms = sim->now_ms;
    else if (sim->now_ms > *stands_ms + LINE_STANDS_MS_MAX)
        sim_fail(sim, "people wait in line for a table for %d s, and nobody is asked",
                 LINE_STANDS_MS_MAX / 1000);
}

void strain_check(struct sim *sim) {
    struct sim_strain *s = sim->strain;
    if (s == NULL)
        return;
    sim_network_check(sim);
    for (size_t i = 0; i < sim->server_count; i++)
        line_check(sim, &sim->servers[i], &s->line_stands_ms[i]);
}
