/* The store between the tables and the real one, and functions of the server that the linker sends through
 * here. Everything is passed on, except in runs that are to be broken, where one promise is. */
#include "sim.h"

#include "base/mem.h"
#include "host/cup/internal.h"
#include "host/hunt/internal.h"
#include "host/room/room.h"
#include "wire/renaissance/dialect.h"

enum { REFUSE_EVERY = 20, SHOW_OLD_EVERY = 20 };

struct early {
    struct early *next;
    store_done *done;
    void *context;
};

struct broken_store {
    struct store base; /* first */
    struct sim *sim;
    struct store *inner;
    struct early *first, **last; /* announced at the next drain, come what may */
    uint64_t appends;
};

static struct broken_store *broken_of(struct store *s) {
    return (struct broken_store *)(void *)s;
}

static void early_add(struct broken_store *b, const struct store_request *r) {
    struct early *early = mem_alloc(sizeof *early);
    *early = (struct early){NULL, r->done, r->context};
    *b->last = early;
    b->last = &early->next;
}

static void on_append(struct store *s, const struct store_request *r) {
    struct broken_store *b = broken_of(s);
    struct store_request request = *r;
    struct digest secret;
    b->appends++;
    strain_appended(b->sim, r);
    switch (b->sim->options.broken) {
    case BREAK_ANNOUNCE_EARLY:
        early_add(b, r);
        request.done = NULL;
        break;
    case BREAK_LOSE_EVENT:
        if (b->appends % 50 == 0) {
            early_add(b, r);
            return;
        }
        break;
    case BREAK_WRONG_DICE:
        if (r->secret != NULL) {
            secret = *r->secret;
            secret.bytes[0] ^= 1;
            request.secret = &secret;
        }
        break;
    default: break;
    }
    store_append(b->inner, &request);
}

static size_t on_drain(struct store *s) {
    struct broken_store *b = broken_of(s);
    struct early *early = b->first;
    b->inner->neighbours = b->base.neighbours;
    b->first = NULL;
    b->last = &b->first;
    while (early != NULL) {
        struct early *next = early->next;
        early->done(early->context, ERR_OK);
        mem_free(early);
        early = next;
    }
    return store_drain(b->inner);
}

static bool on_work(struct store *s) {
    return store_work(broken_of(s)->inner);
}

static enum err on_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                        void *context) {
    return store_read(broken_of(s)->inner, table, from_seq, visit, context);
}

static enum err on_read_running(struct store *s, store_visit_event *visit, void *context) {
    return store_read_running(broken_of(s)->inner, visit, context);
}

static enum err on_list(struct store *s, enum store_filter filter, store_visit_table *visit, void *context) {
    return store_list(broken_of(s)->inner, filter, visit, context);
}

static enum err on_list_finished(struct store *s, int64_t before_ms, uint64_t before_table,
                                 store_visit_table *visit, void *context) {
    return store_list_finished(broken_of(s)->inner, before_ms, before_table, visit, context);
}

static enum err on_secret(struct store *s, uint64_t table, struct digest *out) {
    return store_secret(broken_of(s)->inner, table, out);
}

static enum err on_last_table(struct store *s, uint64_t below, uint64_t *out) {
    return store_last_table(broken_of(s)->inner, below, out);
}

static enum err on_origin(struct store *s, uint64_t table, struct store_origin *out) {
    return store_origin(broken_of(s)->inner, table, out);
}

static void on_load(struct store *s, const struct store_load *load) {
    store_load(broken_of(s)->inner, load);
}

static void on_look(struct store *s, const struct store_look *look) {
    store_look(broken_of(s)->inner, look);
}

static void on_follow(struct store *s, store_visit_commit *visit, void *context) {
    store_follow(broken_of(s)->inner, visit, context);
}

static void on_beat(struct store *s, int64_t wall_ms) {
    store_beat(broken_of(s)->inner, wall_ms);
}

static void on_say(struct store *s, struct span word) {
    store_say(broken_of(s)->inner, word);
}

static void on_close(struct store *s) {
    struct broken_store *b = broken_of(s);
    while (b->first != NULL) {
        struct early *next = b->first->next;
        mem_free(b->first);
        b->first = next;
    }
    store_close(b->inner);
    mem_free(b);
}

uint64_t broken_store_appends(const struct store *s) {
    return ((const struct broken_store *)(const void *)s)->appends;
}

/* Outages that were hours long, although no server of a run is away for so long. */
static size_t outages_without_jumps(struct store_outage *outages, size_t count) {
    enum { JUMP_MS_MIN = 10 * 60 * 1000 };
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (outages[i].to_ms - outages[i].from_ms < JUMP_MS_MIN)
            outages[kept++] = outages[i];
    return kept;
}

struct store *broken_store_open(struct sim *sim, struct store *inner) {
    static const struct store_ops ops = {
        .append = on_append,
        .load = on_load,
        .look = on_look,
        .drain = on_drain,
        .work = on_work,
        .read = on_read,
        .read_running = on_read_running,
        .list = on_list,
        .list_finished = on_list_finished,
        .secret = on_secret,
        .last_table = on_last_table,
        .origin = on_origin,
        .follow = on_follow,
        .beat = on_beat,
        .say = on_say,
        .close = on_close,
    };
    struct broken_store *b = mem_alloc(sizeof *b);
    b->base.ops = &ops;
    b->base.last_beat_ms = inner->last_beat_ms;
    b->base.is_shared = inner->is_shared;
    b->base.outages = inner->outages;
    b->base.outage_count = sim->options.broken == BREAK_CHARGE_OUTAGE ? 0 : inner->outage_count;
    if (sim->options.broken == BREAK_CHARGE_JUMP)
        b->base.outage_count = outages_without_jumps(inner->outages, inner->outage_count);
    b->sim = sim;
    b->inner = inner;
    b->last = &b->first;
    return &b->base;
}

enum err __real_table_act(struct table *, unsigned seat, const struct action *actions, size_t count,
                          uint64_t now_ms);
enum err __wrap_table_act(struct table *, unsigned seat, const struct action *actions, size_t count,
                          uint64_t now_ms);
enum err __real_table_act_turn(struct table *, unsigned seat, const struct table_turn *, uint64_t now_ms);
enum err __wrap_table_act_turn(struct table *, unsigned seat, const struct table_turn *, uint64_t now_ms);
enum err __real_table_sit(struct table *, const struct table_guest *, const struct action *actions,
                          size_t count, uint64_t now_ms);
enum err __wrap_table_sit(struct table *, const struct table_guest *, const struct action *actions,
                          size_t count, uint64_t now_ms);
bool __real_mem_has_room(size_t bytes);
bool __wrap_mem_has_room(size_t bytes);
enum err __real_room_open(struct room *, struct table_setup *, struct room_member *creator,
                          struct room_table **out);
enum err __wrap_room_open(struct room *, struct table_setup *, struct room_member *creator,
                          struct room_table **out);
void __real_room_line_ask(struct room *);
void __wrap_room_line_ask(struct room *);
void __real_renaissance_write_update(struct buf *out, const struct renaissance_scene *, unsigned seat);
void __wrap_renaissance_write_update(struct buf *out, const struct renaissance_scene *, unsigned seat);
void __real_hunt_view(const struct hunt_player *, struct hunt_view *out);
void __wrap_hunt_view(const struct hunt_player *, struct hunt_view *out);
bool __real_table_is_online(const struct table *, unsigned seat);
bool __wrap_table_is_online(const struct table *, unsigned seat);
bool __real_table_is_online_elsewhere(const struct table *, unsigned seat);
bool __wrap_table_is_online_elsewhere(const struct table *, unsigned seat);
uint64_t __real_hunt_version(const struct hunt_player *);
uint64_t __wrap_hunt_version(const struct hunt_player *);

/* What a table has on disk and on its way there. */
struct table_kept {
    uint64_t appends, last_seq;
    struct digest last_hash;
    const struct table_request *request;
};

static struct table_kept table_keeps(const struct sim *sim, const struct table *t) {
    return (struct table_kept){broken_store_appends(sim->server->store), t->fold.last_seq, t->fold.last_hash,
                               t->request};
}

/* A request that is refused has changed nothing, here or on disk; but for a breach where that loses. */
static enum err table_judged(struct table *t, const struct table_kept *before, enum err e) {
    struct sim *sim = (struct sim *)(uintptr_t)sim_current();
    if (sim == NULL || e == ERR_OK || t->fold.setup.violation_loses)
        return e;
    sim->counts.refused++;
    if (sim->options.broken == BREAK_SAVE_REFUSED && t->request == NULL && table_abandon(t) != ERR_OK)
        return e;
    struct table_kept after = table_keeps(sim, t);
    if (after.appends != before->appends || after.last_seq != before->last_seq ||
        after.request != before->request || !digest_equal(&after.last_hash, &before->last_hash))
        sim_fail(sim, "a table of %s has refused a request (%s) and changed by it", table_protocol(t),
                 game_refusal(t->fold.game, e)->sentence);
    return e;
}

static bool break_refuses(uint64_t now_ms) {
    const struct sim *sim = sim_current();
    return sim != NULL && sim->options.broken == BREAK_REFUSE_LEGAL && now_ms % REFUSE_EVERY == 0;
}

enum err __wrap_table_act(struct table *t, unsigned seat, const struct action *actions, size_t count,
                          uint64_t now_ms) {
    const struct sim *sim = sim_current();
    struct table_kept before = {0};
    if (break_refuses(now_ms))
        return ERR_NOT_YOUR_TURN;
    if (sim != NULL)
        before = table_keeps(sim, t);
    return table_judged(t, &before, __real_table_act(t, seat, actions, count, now_ms));
}

enum err __wrap_table_act_turn(struct table *t, unsigned seat, const struct table_turn *turn,
                               uint64_t now_ms) {
    struct table_kept before = {0};
    if (break_refuses(now_ms))
        return ERR_NOT_YOUR_TURN;
    if (sim_current() != NULL)
        before = table_keeps(sim_current(), t);
    return table_judged(t, &before, __real_table_act_turn(t, seat, turn, now_ms));
}

enum err __wrap_table_sit(struct table *t, const struct table_guest *guest, const struct action *actions,
                          size_t count, uint64_t now_ms) {
    struct table_kept before = {0};
    if (sim_current() != NULL)
        before = table_keeps(sim_current(), t);
    return table_judged(t, &before, __real_table_sit(t, guest, actions, count, now_ms));
}

/* Nobody who comes through a room opens a table while memory is short. */
bool __wrap_mem_has_room(size_t bytes) {
    const struct sim *sim = sim_current();
    return (sim != NULL && sim->options.broken == BREAK_IGNORE_MEMORY) || __real_mem_has_room(bytes);
}

enum err __wrap_room_open(struct room *room, struct table_setup *setup, struct room_member *creator,
                          struct room_table **out) {
    struct sim *sim = (struct sim *)(uintptr_t)sim_current();
    bool is_short = !__real_mem_has_room(1);
    enum err e = __real_room_open(room, setup, creator, out);
    if (sim != NULL && e == ERR_OK && is_short)
        sim_fail(sim, "a table of %s is opened although memory is short", room->policy.protocol);
    return e;
}

void __wrap_room_line_ask(struct room *room) {
    const struct sim *sim = sim_current();
    if (sim == NULL || sim->options.broken != BREAK_KEEP_APART)
        __real_room_line_ask(room);
}

/* A scene has nothing to betray: it takes the table from which the names are borrowed. */
void __wrap_renaissance_write_update(struct buf *out, const struct renaissance_scene *scene, unsigned seat) {
    const struct sim *sim = sim_current();
    struct renaissance_scene shown = *scene;
    const struct table *t = NULL;
    if (sim != NULL && sim->options.broken == BREAK_SHOW_HAND)
        for (t = tables_newest(sim->server->tables); t != NULL && table_name(t, 0) != scene->names[0];)
            t = table_older(t);
    if (t != NULL)
        shown.state = renaissance_of(table_state(t));
    __real_renaissance_write_update(out, &shown, t == NULL ? seat : (seat + 1) % scene->state->seats);
}

void __wrap_hunt_view(const struct hunt_player *player, struct hunt_view *out) {
    const struct sim *sim = sim_current();
    const struct treasure_hunt *h = treasure_of(table_state(player->game->room.table));
    __real_hunt_view(player, out);
    if (sim == NULL || sim->options.broken != BREAK_SHOW_FORT)
        return;
    for (size_t i = 0; i < out->field_count; i++)
        if (out->fields[i].y * treasure_width(h) + out->fields[i].x == h->seat[1 - player->seat].fort)
            out->fields[i].has_enemy_fort = true;
}

/* A state whose number does not change is taken from the cache. */
uint64_t __wrap_hunt_version(const struct hunt_player *player) {
    const struct sim *sim = sim_current();
    uint64_t version = __real_hunt_version(player);
    return sim != NULL && sim->options.broken == BREAK_SHOW_OLD ? version - version % SHOW_OLD_EVERY
                                                                : version;
}

static bool is_blind(void) {
    const struct sim *sim = sim_current();
    return sim != NULL && sim->options.broken == BREAK_TAKE_SEAT;
}

bool __wrap_table_is_online(const struct table *t, unsigned seat) {
    return is_blind() ? t->is_online[seat] : __real_table_is_online(t, seat);
}

bool __wrap_table_is_online_elsewhere(const struct table *t, unsigned seat) {
    return !is_blind() && __real_table_is_online_elsewhere(t, seat);
}

/* Championships. */

void __real_event_cup_result_write(struct buf *, const struct event_cup_result *);
void __wrap_event_cup_result_write(struct buf *, const struct event_cup_result *);
void __real_event_cup_round_write(struct buf *, const struct event_cup_round *);
void __wrap_event_cup_round_write(struct buf *, const struct event_cup_round *);
bool __real_cup_direct(struct cup *);
bool __wrap_cup_direct(struct cup *);

static bool is_broken_by(enum sim_break broken) {
    return sim_current() != NULL && sim_current()->options.broken == broken;
}

void __wrap_event_cup_result_write(struct buf *out, const struct event_cup_result *result) {
    struct event_cup_result written = *result;
    if (is_broken_by(BREAK_SWAP_RESULT)) {
        written.results[0] = result->results[1];
        written.results[1] = result->results[0];
    }
    __real_event_cup_result_write(out, &written);
}

void __wrap_event_cup_round_write(struct buf *out, const struct event_cup_round *round) {
    static struct event_cup_round written;
    written = *round;
    if (is_broken_by(BREAK_PAIR_TWICE) && round->count > 1 && round->pairings[0].count == 2 &&
        round->pairings[1].count == 2)
        memcpy(written.pairings[1].entrant, round->pairings[0].entrant, sizeof round->pairings[0].entrant);
    __real_event_cup_round_write(out, &written);
}

bool __wrap_cup_direct(struct cup *cup) {
    return !is_broken_by(BREAK_STOP_CUP) && __real_cup_direct(cup);
}
