/* Runs seeds of the simulation and says in TAP how each came out.
 *
 *     sim [--steps N] [--fresh N] [--break WORD] [--only PROTOCOL] [--verbose] [--named FILE] [--nodes N]
 * [--strained] [--cups] [SEED]...
 *
 * --fresh N     N seeds that nobody has run before, from the wall clock
 * --only WORD   no clients but those of this protocol, or of both of two: ugs+api
 * --named FILE  the seeds of a file of lines "SEED why", "SEED only=PROTOCOL why", or the same with nodes=N
 *               before them
 * --strained    servers that have too little of everything: time, memory, requests, links, pages
 * --cups        championships of the API, with players of no other protocol
 * --nodes N     N servers on one database, 2 or 3, in place of one with a disk
 * --self        that the same seed gives the same run, that the oracles can fail, and the other checks of
 *               the simulation itself
 *
 * The exit status is 0 when every seed was well. */
#include "sim.h"

#include "base/clock.h"
#include "base/log.h"
#include "self.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEEDS_MAX = 1000 * 1000, STEPS_DEFAULT = 6000 };

struct seed {
    uint64_t number;
    struct sim_only only;
    unsigned nodes;
    char why[120];
};

static struct seed *seeds;
static size_t seed_count;

static void seed_add(uint64_t number, const char *why) {
    seeds = realloc(seeds, (seed_count + 1) * sizeof *seeds);
    if (seeds == NULL || seed_count >= SEEDS_MAX)
        exit(2);
    seeds[seed_count] = (struct seed){.number = number};
    snprintf(seeds[seed_count++].why, sizeof seeds->why, "%s", why);
}

static void protocol_find(const char *word) {
    for (size_t i = 0; sim_dialects[i] != NULL; i++)
        if (strcmp(word, sim_dialects[i]->name) == 0)
            return;
    fprintf(stderr, "sim: there is no protocol '%s'\n", word);
    exit(2);
}

static struct sim_only protocol_parse(const char *word) {
    struct sim_only only = {0};
    int count = sscanf(word, "%31[^+]+%31s", only.names[0], only.names[1]);
    for (int i = 0; i < 2 && (i == 0 || i < count); i++)
        protocol_find(only.names[i]);
    return only;
}

static void seed_read(const char *line) {
    char why[120], word[64];
    unsigned long long number;
    unsigned nodes = 0;
    int used = 0;
    if (line[0] == '#' || sscanf(line, "%llu %n", &number, &used) != 1)
        return;
    line += used;
    if (sscanf(line, "nodes=%u %n", &nodes, &used) == 1)
        line += used;
    bool has_only = sscanf(line, "only=%63s %119[^\n]", word, why) == 2;
    if (!has_only && sscanf(line, "%119[^\n]", why) != 1)
        return;
    seed_add(number, why);
    if (has_only)
        seeds[seed_count - 1].only = protocol_parse(word);
    seeds[seed_count - 1].nodes = nodes;
}

static void seeds_read(const char *path) {
    char line[256];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) != NULL)
        seed_read(line);
    fclose(file);
}

static void seeds_fresh(unsigned long count) {
    uint64_t now = rng_mix((uint64_t)clock_wall_ms() ^ (uint64_t)getpid() << 40);
    for (unsigned long i = 0; i < count; i++)
        seed_add(rng_mix(now + i) >> 16, "fresh");
}

/* An assertion or a sanitizer ends the process: say at least in which run, and what happened before. */
static void on_abort(int number) {
    (void)number;
    if (sim_current() != NULL)
        sim_print_tail(sim_current());
    _exit(3);
}

static void counts_print(const struct sim_counts *c) {
    printf("# %llu steps; crashes: %llu killed, %llu power cuts; %llu orderly ends, %llu starts, "
           "%llu tables resumed\n",
           (unsigned long long)c->steps, (unsigned long long)c->crashes_killed,
           (unsigned long long)c->crashes_power, (unsigned long long)c->ends_in_order,
           (unsigned long long)c->restarts, (unsigned long long)c->tables_resumed);
    printf("# %llu connections, %llu cut, %llu half open, %llu shares spent, %llu times full; disk: %llu "
           "writes, %llu syncs, "
           "%llu "
           "times wrong, %llu operations failed, %llu sectors lost\n",
           (unsigned long long)c->connections, (unsigned long long)c->cuts, (unsigned long long)c->half_open,
           (unsigned long long)c->spent, (unsigned long long)c->full, (unsigned long long)c->disk_writes,
           (unsigned long long)c->disk_syncs, (unsigned long long)c->fault_windows,
           (unsigned long long)c->disk_faults, (unsigned long long)c->sectors_lost);
    printf("# %llu facts told and held against the journals %llu times; %llu folds of %llu events, "
           "%llu of them draws with seeds; %llu time-outs checked\n",
           (unsigned long long)c->facts_told, (unsigned long long)c->facts_checked,
           (unsigned long long)c->folds, (unsigned long long)c->events_folded,
           (unsigned long long)c->draws_mixed, (unsigned long long)c->time_outs);
    printf("# between nodes: %llu commits, %llu conflicts, %llu answers lost, %llu words, %llu of them lost, "
           "%llu commits told twice; more than one had the lease at %llu looks\n",
           (unsigned long long)c->commits, (unsigned long long)c->conflicts, (unsigned long long)c->doubts,
           (unsigned long long)c->words, (unsigned long long)c->words_lost, (unsigned long long)c->news_again,
           (unsigned long long)c->beliefs);
    printf("# %llu requests refused by tables; under strain: %llu times the loop stood still, %llu jumps of "
           "the wall's clock, %llu times too "
           "little memory, "
           "%llu messages put off, %llu links half-closed, %llu damaged pages, %llu of them seen\n",
           (unsigned long long)c->refused, (unsigned long long)c->stalls, (unsigned long long)c->jumps,
           (unsigned long long)c->shortages, (unsigned long long)c->put_off, (unsigned long long)c->finished,
           (unsigned long long)c->damages, (unsigned long long)c->damages_seen);
    printf("# %llu championships began, with %llu pairings\n", (unsigned long long)c->cups,
           (unsigned long long)c->cup_results);
    printf("# events folded:");
    for (size_t i = 0; i < SIM_GAMES_MAX && games[i] != NULL; i++)
        printf(" %s=%llu", games[i]->name, (unsigned long long)c->game_events[i]);
    printf("\n");
}

static int seeds_run(const struct sim_options *given) {
    struct sim_counts total = {0};
    int failed = 0;
    printf("1..%zu\n", seed_count);
    for (size_t i = 0; i < seed_count; i++) {
        struct sim_options options = *given;
        options.seed = seeds[i].number;
        if (seeds[i].only.names[0][0] != '\0')
            options.only = seeds[i].only;
        if (seeds[i].nodes != 0)
            options.nodes = seeds[i].nodes;
        printf("# seed %llu %s %s", (unsigned long long)options.seed, options.only.names[0],
               options.only.names[1]);
        if (options.nodes > 1)
            printf(" on %u nodes", options.nodes);
        printf("\n");
        fflush(stdout);
        bool is_well = sim_run(&options, &total, NULL, NULL);
        failed += !is_well;
        printf("%s %zu - seed %llu: %s\n", is_well ? "ok" : "not ok", i + 1, (unsigned long long)options.seed,
               seeds[i].why);
    }
    counts_print(&total);
    return failed == 0 ? 0 : 1;
}

static enum sim_break break_parse(const char *word) {
    for (int i = 0; i < BREAK_COUNT; i++)
        if (strcmp(word, sim_break_words[i]) == 0)
            return (enum sim_break)i;
    fprintf(stderr, "sim: there is no way to break '%s'\n", word);
    exit(2);
}

int main(int argc, char **argv) {
    static const struct option rows[] = {
        {"steps", required_argument, NULL, 's'},
        {"fresh", required_argument, NULL, 'f'},
        {"break", required_argument, NULL, 'b'},
        {"named", required_argument, NULL, 'n'},
        {"only", required_argument, NULL, 'o'},
        {"verbose", no_argument, NULL, 'v'},
        {"self", no_argument, NULL, 't'},
        {"nodes", required_argument, NULL, 'm'},
        {"strained", no_argument, NULL, 'r'},
        {"cups", no_argument, NULL, 'c'},
        {0},
    };
    struct sim_options options = {.steps = STEPS_DEFAULT, .rounds = 1};
    int letter;
    bool is_self = false;
    while ((letter = getopt_long(argc, argv, "", rows, NULL)) != -1) {
        switch (letter) {
        case 's': options.steps = strtoull(optarg, NULL, 10); break;
        case 'f': seeds_fresh(strtoul(optarg, NULL, 10)); break;
        case 'b': options.broken = break_parse(optarg); break;
        case 'n': seeds_read(optarg); break;
        case 'o': options.only = protocol_parse(optarg); break;
        case 'v': options.is_verbose = true; break;
        case 't': is_self = true; break;
        case 'r': options.is_strained = true; break;
        case 'c':
            options.has_cups = true;
            options.only = protocol_parse("api");
            break;
        case 'm': options.nodes = (unsigned)strtoul(optarg, NULL, 10); break;
        default: return 2;
        }
    }
    if (options.nodes > SIM_NODES_MAX) {
        fprintf(stderr, "sim: at most %d nodes\n", SIM_NODES_MAX);
        return 2;
    }
    for (int i = optind; i < argc; i++)
        seed_add(strtoull(argv[i], NULL, 10), "given");
    signal(SIGABRT, on_abort);
    signal(SIGSEGV, on_abort);
    log_set_level(
        (enum log_level)(LOG_ERROR + 1)); /* a failing disk is told loudly, and it fails all the time */
    int status = is_self ? self_run() : seeds_run(&options);
    free(seeds);
    return status;
}
