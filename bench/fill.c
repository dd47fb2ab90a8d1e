/* Makes a data directory as a busy server leaves it, for bench/restart:
 *
 *     fill DIR TABLES STEPS
 *
 * So many tables of Paper Soccer, each after so many random legal steps and still running. Every step is an
 * event, and the events of the tables are mixed as they are when all tables are played at the same time. The
 * protocol is that of imported tables, so that a restart keeps them running. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/table/import.h"
#include "store/data_dir.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

enum { APPENDS_PER_COMMIT = 1000 };

static struct store *store;
static size_t queued, failed;

static void on_done(void *context, enum err e) {
    (void)context;
    failed += e != ERR_OK;
}

static void commit(void) {
    store_work(store);
    store_drain(store);
    queued = 0;
}

/* A running table's steps as text; tries until one is not over before its end. */
static void game_text(struct buf *out, struct rng *rng, size_t steps) {
    static const char *const words[DIRECTIONS] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
    struct pitch pitch;
    do {
        buf_clear(out);
        buf_append_text(out, "game paper-soccer 1\nseats 2\n");
        pitch_setup(&pitch, ATTACK_TOP);
        for (size_t i = 0; i < steps && !pitch.is_over; i++) {
            unsigned exits = pitch_exits(&pitch);
            for (uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(exits)); skip > 0; skip--)
                exits &= exits - 1;
            enum direction d = (enum direction)__builtin_ctz(exits);
            buf_printf(out, "%u %s\n", pitch.mover, words[d]);
            pitch_step(&pitch, d);
        }
    } while (pitch.is_over);
}

static void append(uint64_t table, const struct import *import, size_t from, size_t count,
                   const struct digest *secret) {
    store_append(store, &(struct store_request){.table = table,
                                                .expected_seq = from,
                                                .events = import->events + from,
                                                .event_count = count,
                                                .secret = from == 0 ? secret : NULL,
                                                .done = on_done});
    if (++queued == APPENDS_PER_COMMIT)
        commit();
}

static bool fill(size_t tables, size_t steps) {
    struct import *imports = mem_alloc(tables * sizeof *imports);
    struct digest secret;
    struct buf text = {0};
    struct rng rng;
    size_t longest = 0;
    rng_seed(&rng, 1);
    digest_secret(&secret);
    for (size_t i = 0; i < tables; i++) {
        game_text(&text, &rng, steps);
        enum err e = import_text(&imports[i], buf_span(&text), i + 1, clock_wall_ms(), &secret);
        if (e != ERR_OK || imports[i].is_finished) {
            fprintf(stderr, "fill: line %zu: %s\n", imports[i].line, err_sentence(e));
            return false;
        }
        longest = imports[i].event_count > longest ? imports[i].event_count : longest;
    }
    for (size_t at = 0; at < longest; at++)
        for (size_t i = 0; i < tables; i++)
            if (at < imports[i].event_count)
                append(i + 1, &imports[i], at, 1, &secret);
    commit();
    for (size_t i = 0; i < tables; i++)
        import_free(&imports[i]);
    mem_free(imports);
    buf_free(&text);
    return failed == 0;
}

int main(int argc, char **argv) {
    struct data_dir data;
    char complaint[512], path[4096];
    const char *why;
    if (argc != 4) {
        fprintf(stderr, "usage: fill DIR TABLES STEPS\n");
        return 2;
    }
    if (data_dir_open(&data, argv[1], complaint, sizeof complaint) != ERR_OK) {
        fprintf(stderr, "fill: %s\n", complaint);
        return 1;
    }
    snprintf(path, sizeof path, "%s/" STORE_FILE, argv[1]);
    if (store_sqlite_open(&(struct store_sqlite_config){.path = path}, &store, &why) != ERR_OK) {
        fprintf(stderr, "fill: %s\n", why);
        return 1;
    }
    bool is_well = fill(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    store_close(store);
    data_dir_close(&data);
    return is_well ? 0 : 1;
}
