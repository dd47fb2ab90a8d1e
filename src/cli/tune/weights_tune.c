/* Any game whose bot judges by weights: round after round somebody with other weights plays against the best
 * so far, and takes its place when it wins clearly. Both have every seat once with the same chance, so that
 * luck counts for little. */
#include "base/mem.h"
#include "bots/bots.h"
#include "cli/tune/tune.h"
#include "game/game.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TUNE_PLIES_MAX = 20000, /* of a game */
    TUNE_SEATS = 2,
    TUNE_STEP_PERCENT = 35,  /* how far a weight is moved at the most */
    TUNE_MOVED_PERCENT = 40, /* how many of the weights are */
};

struct weights_tune {
    const struct tune_plan *plan;
    const struct game *game;
    const struct bot_weights *weights;
    struct bot *bots[TUNE_SEATS]; /* the best so far, and whoever challenges it */
    int32_t best[BOT_WEIGHTS_MAX], other[BOT_WEIGHTS_MAX];
    struct game_state *state;
    struct game_view *view;
    uint64_t seed; /* of the next pair of games */
};

/* One game; what the challenger has of it: 1, a half, or nothing. */
static double weights_play(struct weights_tune *t, uint64_t seed, unsigned challenger) {
    struct game_options options = game_options_default(t->game, TUNE_SEATS);
    struct rng chance, own[TUNE_SEATS];
    int32_t points[SEATS_MAX] = {0};
    seat_set set;
    rng_seed(&chance, seed);
    for (unsigned i = 0; i < TUNE_SEATS; i++)
        rng_seed(&own[i], rng_mix(seed + i + 1));
    enum err e = t->game->setup(t->state, &options);
    (void)e; /* they are the game's own */
    for (unsigned ply = 0; ply < TUNE_PLIES_MAX && (set = t->game->turn(t->state)) != 0; ply++) {
        unsigned seat = (unsigned)__builtin_ctz(set);
        struct action action = {0};
        if (seat == SEAT_CHANCE)
            t->game->sample(t->state, seat, &chance, &action);
        else {
            game_view(t->game, t->state, seat, t->view);
            bot_choose(t->bots[seat == challenger], t->view, seat, &own[seat], &action);
        }
        t->game->apply(t->state, seat, &action);
    }
    t->game->score(t->state, points);
    int32_t ahead = points[challenger] - points[challenger ^ 1];
    return ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
}

/* What the challenger has of so many pairs of games, from 0 to 1. */
static double weights_match(struct weights_tune *t, int64_t pairs) {
    double sum = 0;
    for (int64_t i = 0; i < pairs; i++) {
        uint64_t seed = rng_mix(t->seed++);
        sum += weights_play(t, seed, 0) + weights_play(t, seed, 1);
    }
    return sum / (2 * (double)pairs);
}

static void weights_draw(struct weights_tune *t, struct rng *rng) {
    for (size_t i = 0; i < t->weights->count; i++) {
        int32_t reach = abs(t->best[i]) * TUNE_STEP_PERCENT / 100 + 1;
        bool is_moved = rng_below(rng, 100) < TUNE_MOVED_PERCENT;
        t->other[i] = t->best[i];
        if (is_moved)
            t->other[i] += (int32_t)rng_below(rng, 2 * (uint32_t)reach + 1) - reach;
        t->other[i] = t->other[i] < 0 ? 0 : t->other[i];
    }
}

static bool weights_save(const struct weights_tune *t) {
    FILE *file = fopen(t->plan->out_path, "w");
    bool is_good = file != NULL;
    for (size_t i = 0; is_good && i < t->weights->count; i++)
        is_good = fprintf(file, "%" PRId32 ", /* %s */\n", t->best[i], t->weights->names[i]) > 0;
    is_good = (file == NULL || fclose(file) == 0) && is_good;
    if (!is_good)
        fprintf(stderr, "parlor: %s cannot be written\n", t->plan->out_path);
    return is_good;
}

/* One more standard deviation than half: by luck alone that happens to one of six. */
static void weights_try(struct weights_tune *t, int64_t round, struct rng *rng) {
    int64_t pairs = (t->plan->games + 1) / 2;
    weights_draw(t, rng);
    double score = weights_match(t, pairs), clearly = 0.5 + 0.5 / sqrt(2 * (double)pairs);
    bool is_better = score > clearly;
    fprintf(stderr, "round %" PRId64 ": %.1f %%%s\n", round, 100 * score,
            is_better ? ", is the best now" : "");
    if (is_better)
        memcpy(t->best, t->other, sizeof t->best);
}

int weights_tune(const struct tune_plan *plan, const struct bot_kind *kind) {
    struct weights_tune tune = {.plan = plan, .game = kind->game, .weights = kind->weights}, *t = &tune;
    struct rng rng;
    rng_seed(&rng, (uint64_t)plan->seed);
    t->seed = rng_mix((uint64_t)plan->seed);
    memcpy(t->best, kind->weights->firsts, kind->weights->count * sizeof *t->best);
    t->state = game_state_alloc(t->game);
    t->view = mem_alloc(t->game->state_size);
    for (unsigned i = 0; i < TUNE_SEATS; i++) {
        t->bots[i] = bot_open(kind, t->game, BOT_LEVEL_MAX);
        t->bots[i]->weights = i == 0 ? t->best : t->other;
        if (plan->nodes > 0)
            t->bots[i]->nodes_max = (uint64_t)plan->nodes;
    }
    bool is_good = true;
    for (int64_t round = 1; round <= plan->rounds && is_good; round++) {
        weights_try(t, round, &rng);
        is_good = weights_save(t);
    }
    for (unsigned i = 0; i < TUNE_SEATS; i++)
        bot_close(t->bots[i]);
    mem_free(t->state);
    mem_free(t->view);
    return is_good ? 0 : 1;
}
