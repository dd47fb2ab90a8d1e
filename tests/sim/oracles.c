/* What must hold in every run, besides what the witness checks. */
#include "sim.h"

#include "cups.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLEWED_MS = 1000 }; /* small steps of the wall's clock are not told from time that has passed */

/* Games that are not in the list, as the fixture, are not counted. */
static void game_count(struct sim *sim, const struct game *game, uint64_t events) {
    for (size_t i = 0; i < SIM_GAMES_MAX && games[i] != NULL; i++)
        if (games[i] == game)
            sim->counts.game_events[i] += events;
}

/* Folds a journal up to an event, dice included. False when it does not fold; fold_free in any case. */
static bool fold_journal(struct sim *sim, uint64_t table, const struct journal_copy *journal, uint64_t up_to,
                         const struct digest *secret, struct fold *fold) {
    fold_init(fold, table);
    sim->counts.folds++;
    for (size_t i = 0; i < journal->count && i < up_to; i++) {
        const struct event *event = &journal->events[i];
        enum err e = fold_check_dice(fold, event, secret);
        if (e == ERR_OK)
            e = fold_event(fold, event);
        if (e != ERR_OK) {
            char code[TABLE_CODE_CHARS + 1];
            table_code_format(table, code);
            sim_fail(sim, "the journal of table %s does not fold at event %llu: %s", code,
                     (unsigned long long)event->seq, game_refusal(fold->game, e)->sentence);
            return false;
        }
        sim->counts.events_folded++;
        sim->counts.draws_mixed += event->kind == EVENT_CHANCE && fold->dice.mixed_seq != 0;
    }
    game_count(sim, fold->game, fold->last_seq);
    return true;
}

/* The secret of a journal: revealed by its result, or kept beside it. */
static bool secret_of(struct sim *sim, uint64_t table, const struct journal_copy *journal,
                      struct digest *out) {
    const struct event *last = &journal->events[journal->count - 1];
    struct event_result result;
    if (last->kind == EVENT_RESULT && event_result_read(last->body, &result) == ERR_OK) {
        *out = result.secret;
        return true;
    }
    if (store_secret(sim_journals(sim), table, out) == ERR_OK)
        return true;
    sim_fail(sim, "the secret of a running table is not there");
    return false;
}

static const char *differs(const struct table *t, const struct fold *fold) {
    const struct fold *live = &t->fold;
    if (fold->last_seq != live->last_seq)
        return "the number of events";
    if (!digest_equal(&fold->last_hash, &live->last_hash))
        return "the hash of the last event";
    if (memcmp(fold->state, live->state, live->game->state_size) != 0)
        return "the state";
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if (strcmp(fold->seats[seat]->name, live->seats[seat]->name) != 0)
            return "the names";
    if (fold->is_finished != live->is_finished)
        return "whether it is over";
    if (live->is_finished &&
        (fold->result->outcome != live->result->outcome ||
         memcmp(fold->result->points, live->result->points, sizeof live->result->points) != 0))
        return "the result";
    return NULL;
}

static void check_live(struct sim *sim, const struct table *t) {
    struct journal_copy journal;
    struct digest secret;
    struct fold fold;
    uint64_t version = table_version(t);
    if (version == 0 || !journal_copy_read(sim, t->id, &journal))
        return;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->id, code);
    if (journal.count < version) {
        sim_fail(sim, "table %s has %llu events, its journal %zu", code, (unsigned long long)version,
                 journal.count);
    } else if (secret_of(sim, t->id, &journal, &secret)) {
        if (fold_journal(sim, t->id, &journal, version, &secret, &fold)) {
            const char *what = differs(t, &fold);
            if (what != NULL)
                sim_fail(sim, "table %s is not the fold of its journal: %s", code, what);
        }
        fold_free(&fold);
    }
    journal_copy_free(&journal);
}

void oracle_tables(struct sim *sim) {
    struct table *t, *next;
    if (sim->options.has_only_witness)
        return;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        if (!sim->has_failed)
            check_live(sim, t);
    }
}

static const struct sim_dialect *dialect_of(const struct table *t) {
    size_t i = 0;
    while (sim_dialects[i] != NULL && strcmp(sim_dialects[i]->name, t->fold.setup.protocol) != 0)
        i++;
    return sim_dialects[i];
}

/* A table that nothing is being saved for waits for a seat with a name, until its clock runs out. While seats
 * are free chance waits for them, and no clock runs. */
static const char *waits_wrongly(const struct sim *sim, const struct table *t) {
    const struct sim_dialect *dialect = dialect_of(t);
    bool has_free_seats = dialect != NULL && dialect->has_free_seats;
    if (t->fold.is_finished) /* tables of others are shown for a while */
        return has_free_seats ? NULL : "is over and still here";
    seat_set set = t->fold.game->turn(t->fold.state);
    if (set == 0)
        return "waits for nobody";
    if (has_free_seats && table_free_seats(t) > 0)
        return timer_is_armed(&t->clock) ? "waits for players with a clock that runs" : NULL;
    if ((set & ~(SEAT_BIT(t->fold.setup.options.seat_count) - 1)) != 0)
        return "waits for a seat that it does not have";
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if ((set & SEAT_BIT(seat)) != 0 && t->fold.seats[seat]->name[0] == '\0' && !has_free_seats)
            return "waits for a seat where nobody sits";
    /* Clocks of bots are told, and run for nobody. */
    bool has_clock = (t->turn_timeout_ms != 0 || t->game_ms != 0) && (set & ~t->told) != 0;
    if (has_clock != timer_is_armed(&t->clock))
        return has_clock ? "has a clock that does not run" : "has a clock that runs for nobody";
    if (has_clock && t->turn_timeout_ms != 0 && sim->db == NULL &&
        t->clock.due_ms > sim->now_ms + t->turn_timeout_ms)
        return "waits longer than its clock allows";
    return NULL;
}

/* A table that waits for the disk says so after a while. */
static const char *saves_wrongly(const struct sim *sim, const struct table *t) {
    uint64_t latest_ms = t->waiting_since_ms + TABLES_PATIENCE_MS + 2 * SIM_BEAT_MS;
    bool has_no_clocks = sim->options.broken == BREAK_STOP_CLOCKS; /* then it does not know either */
    if (sim->now_ms > latest_ms && !t->is_stalled && !t->is_closed && !has_no_clocks)
        return "waits for the disk and has told nobody";
    return NULL;
}

void oracle_waits(struct sim *sim) {
    struct table *t, *next;
    bool is_saving = false;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        const char *what = t->request == NULL ? waits_wrongly(sim, t) : saves_wrongly(sim, t);
        is_saving = is_saving || t->request != NULL;
        if (what != NULL) {
            char code[TABLE_CODE_CHARS + 1];
            table_code_format(t->id, code);
            sim_fail(sim, "table %s %s", code, what);
        }
    }
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        const char *what = sim->server->ports[i] == NULL
                               ? NULL
                               : sim_dialects[i]->waits(sim, sim->server->ports[i], is_saving);
        if (what != NULL)
            sim_fail(sim, "the port of %s %s", sim_dialects[i]->name, what);
    }
}

/* The time between two moments during which the server was there. */
static int64_t uptime_ms(const struct sim *sim, int64_t from_ms, int64_t to_ms) {
    int64_t up = to_ms - from_ms;
    for (size_t i = 0; i < sim->outage_count; i++) {
        int64_t from = sim->outages[i].from_ms > from_ms ? sim->outages[i].from_ms : from_ms;
        int64_t to = sim->outages[i].to_ms < to_ms ? sim->outages[i].to_ms : to_ms;
        if (to > from)
            up -= to - from;
    }
    return up;
}

/* A seat that loses by its clock has had all its time while the server was there. */
static void check_time_outs(struct sim *sim, uint64_t table, const struct journal_copy *journal) {
    struct event_setup setup;
    struct event_forfeit loss;
    if (event_setup_read(journal->events[0].body, &setup) != ERR_OK)
        return;
    for (size_t i = 1; i < journal->count; i++) {
        if (journal->events[i].kind != EVENT_TIMEOUT)
            continue;
        sim->counts.time_outs++;
        if (event_forfeit_read(journal->events[i].body, &loss) != ERR_OK || !loss.has_stamps ||
            loss.why[0] == '\0' || loss.stamps.used_ms < loss.stamps.allowed_ms)
            sim_fail(sim,
                     "a seat lost by its clock, but its stamps do not say so: event %llu, %u of %u ms used, "
                     "\"%s\"",
                     (unsigned long long)journal->events[i].seq, loss.stamps.used_ms, loss.stamps.allowed_ms,
                     loss.why);
        int64_t from_ms = journal->events[i - 1].time_ms, to_ms = journal->events[i].time_ms;
        if (sim->strain != NULL && !(strain_true_ms(sim, table, &journal->events[i - 1], &from_ms) &&
                                     strain_true_ms(sim, table, &journal->events[i], &to_ms)))
            continue;
        int64_t had = uptime_ms(sim, from_ms, to_ms);
        if (had + (sim->strain != NULL ? SLEWED_MS : 0) >= setup.turn_timeout_ms)
            continue;
        char code[TABLE_CODE_CHARS + 1];
        table_code_format(table, code);
        sim_fail(sim, "table %s: a seat lost by its clock after %lld of %lld ms; the rest was outage", code,
                 (long long)had, (long long)setup.turn_timeout_ms);
    }
}

struct ids {
    uint64_t *ids;
    size_t count, capacity;
};

static bool ids_add(void *context, const struct store_table *table) {
    struct ids *ids = context;
    if (ids->count == ids->capacity) {
        ids->capacity = ids->capacity == 0 ? 256 : 2 * ids->capacity;
        ids->ids = realloc(ids->ids, ids->capacity * sizeof *ids->ids);
        assert(ids->ids != NULL);
    }
    ids->ids[ids->count++] = table->table;
    return true;
}

static void check_journal(struct sim *sim, uint64_t table) {
    struct journal_copy journal;
    struct digest secret;
    struct fold fold;
    if (!journal_copy_read(sim, table, &journal))
        return;
    if (journal.count == 0)
        sim_fail(sim, "a table is listed and has no journal");
    else if (journal.events[0].kind == EVENT_CUP)
        cup_oracle_check(sim, table, &journal);
    else if (secret_of(sim, table, &journal, &secret)) {
        if (fold_journal(sim, table, &journal, journal.count, &secret, &fold))
            check_time_outs(sim, table, &journal);
        fold_free(&fold);
    }
    journal_copy_free(&journal);
}

void oracle_journals(struct sim *sim) {
    struct ids all = {0};
    if (store_list(sim_journals(sim), STORE_ALL, ids_add, &all) != ERR_OK)
        sim_fail(sim, "the journals cannot be listed");
    for (size_t i = 0; i < all.count && !sim->has_failed; i++)
        check_journal(sim, all.ids[i]);
    free(all.ids);
}

/* The result of a table reveals its secret; before it is on disk nobody may know it. */
static bool is_to_be_kept(const struct sim *sim, const struct digest *secret) {
    struct table *t, *next;
    HASH_ITER(by_id, sim->server->tables->by_id, t, next) {
        if (digest_equal(&t->secret, secret) && !t->fold.is_finished)
            return true;
    }
    return false;
}

void oracle_output(struct sim *sim, struct span bytes) {
    for (size_t i = 0; i < bytes.size; i++)
        sim->output_hash = (sim->output_hash ^ (uint8_t)bytes.data[i]) * 0x100000001b3u;
    size_t count = sim->secret_count < SIM_SECRETS_KEPT ? sim->secret_count : SIM_SECRETS_KEPT;
    for (size_t i = 0; i < count; i++) {
        char text[2 * DIGEST_BYTES + 1];
        digest_format(&sim->secrets[i], text);
        if ((memmem(bytes.data, bytes.size, sim->secrets[i].bytes, DIGEST_BYTES) != NULL ||
             memmem(bytes.data, bytes.size, text, sizeof text - 1) != NULL) &&
            is_to_be_kept(sim, &sim->secrets[i]))
            sim_fail(sim, "the secret of a table is in what the server sends");
    }
}

void oracle_empty(struct sim *sim) {
    if (tables_count(sim->server->tables) > 0 || tables_next_ms(sim->server->tables) != TIMERS_NEVER)
        sim_fail(sim, "tables or clocks are left");
    for (size_t i = 0; sim_dialects[i] != NULL; i++) {
        const char *what =
            sim->server->ports[i] == NULL ? NULL : sim_dialects[i]->remains(sim->server->ports[i]);
        if (what != NULL)
            sim_fail(sim, "everybody is gone, but the port of %s has %s", sim_dialects[i]->name, what);
    }
}
