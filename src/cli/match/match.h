/* Games between contestants, which are bots of Parlor or programs of anybody, counted.
 *
 * A round is as many games as there are contestants, all with the same chance, in which everybody has every
 * seat once. Games are played beside each other and counted in their order, so that the same match has the
 * same report however many run at a time. */
#ifndef CLI_MATCH_MATCH_H
#define CLI_MATCH_MATCH_H

#include "bots/spec.h"
#include "cli/match/stats.h"

#include <pthread.h>

enum {
    MATCH_GAMES_MAX = 100 * 1000,
    MATCH_JOBS_MAX = 64,
    MATCH_PATH_BYTES_MAX = 4096,
    MATCH_OPENING_MAX = 64,
};

/* What a contestant did wrong in a game. */
enum match_fault { FAULT_NONE, FAULT_CRASH, FAULT_ILLEGAL, FAULT_TIME, FAULT_KINDS };

struct match_contestant {
    const char *text;    /* as it was given */
    const char *program; /* what follows "cmd:"; NULL: a bot */
    struct bot_spec spec;
    /* Counted: */
    uint32_t won, drawn, lost; /* against one other each */
    double score;              /* per game the part of the others that it beat */
    uint32_t faults[FAULT_KINDS];
    uint64_t moves, thought_ns, longest_ns; /* of bots */
};

struct match_result {
    bool is_done, is_broken; /* broken: it could not be played at all, and says nothing */
    int32_t points[SEATS_MAX];
    enum match_fault faults[SEATS_MAX]; /* by seat */
    uint32_t plies;
    uint64_t moves[SEATS_MAX], thought_ns[SEATS_MAX], longest_ns[SEATS_MAX];
};

struct match {
    const struct game *game;
    struct game_options options;
    const char *options_text; /* as it was given; "" for none */
    struct match_contestant contestant[SEATS_MAX];
    unsigned count; /* of contestants, which is the number of seats */
    bool has_programs;
    uint32_t games, jobs;
    uint32_t ms; /* --time: for those without a budget of their own; 0: none */
    uint32_t opening;
    uint32_t limit_ms; /* silence of a program that loses the game */
    uint64_t seed;
    const char *output;
    struct sprt sprt;
    /* Under the lock, while it is played: */
    pthread_mutex_t lock;
    uint32_t next;    /* the game that begins next */
    uint32_t counted; /* games in order that are counted */
    uint32_t broken;
    double round_score; /* of the first contestant, in the round that is being counted */
    unsigned round_count;
    struct match_result *results;
    enum sprt_verdict verdict;
};

/* Who sits where in a game: the contestant of a seat. */
static inline unsigned match_sitter(const struct match *m, uint32_t index, unsigned seat) {
    return (seat + index) % m->count;
}

/* The seed of what is drawn in a game for a purpose: the same in all games of a round for chance. */
uint64_t match_seed(const struct match *, uint32_t round, uint64_t purpose);

/* Plays one game of bots in this process and leaves it as a text that `parlor journal import` reads. */
void match_play_inside(const struct match *, uint32_t index, struct match_result *);

/* Plays one game on a server of its own, whose journal stays. False, and a line on standard error, when that
 * could not be started. */
bool match_play_served(const struct match *, uint32_t index, struct match_result *);

/* Plays everything and counts. */
void match_run(struct match *);

/* The report as JSON, in a file, and for people on standard output. */
bool match_save(const struct match *, const char *path) MUST_CHECK;
void match_print(const struct match *);

#endif
