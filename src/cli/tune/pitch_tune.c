/* Paper Soccer: rounds of games of the bot against itself, each judged by what was learned in the one before.
 * The first is played without a net. */
#include "base/clock.h"
#include "base/mem.h"
#include "bots/paper_soccer_bot.h"
#include "cli/tune/pitch_learner.h"
#include "cli/tune/tune.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    TUNE_OPENING_TURNS_MAX = 8, /* by chance, so that no two games are the same */
    TUNE_TEST_PART = 20,        /* one of so many lessons is held back */
    TUNE_KEPT_ROUNDS = 3,       /* of games that are learned from */
    TUNE_PASSES = 6,            /* through all of them in a round */
    TUNE_ASIDE_TURNS = 3,       /* at one turn of so many a way is looked at that is not gone */
    TUNE_RANDOM_TURNS = 24,     /* one turn of so many is any legal one */
};

struct tune {
    const struct tune_plan *plan;
    float trust; /* how much of a lesson is what the bot expected */
    struct rng rng;
    struct bot *bot;
    struct pitch_learner *learner;
    struct pitch_net *net;
    struct pitch_lesson *lessons;
    size_t count, capacity;
    size_t round_first[TUNE_KEPT_ROUNDS + 1]; /* where the lessons of each kept round begin */
};

static void lesson_add(struct tune *t, const struct pitch *p, float expected, bool is_aside) {
    if (t->count == t->capacity) {
        t->capacity = t->capacity == 0 ? 65536 : t->capacity * 2;
        t->lessons = mem_resize(t->lessons, t->capacity * sizeof *t->lessons);
    }
    t->lessons[t->count++] = (struct pitch_lesson){.pitch = *p, .outcome = expected, .is_aside = is_aside};
}

/* From 0, lost, to 1, won. */
static float bot_expects(const struct bot *bot) {
    return ((float)bot->thought.value / BOT_VALUE_MAX + 1) / 2;
}

static void turn_play_any(struct pitch *p, struct rng *rng) {
    unsigned mover = p->mover;
    while (!p->is_over && p->mover == mover) {
        struct action action;
        paper_soccer_game.sample((const struct game_state *)p, mover, rng, &action);
        pitch_step(p, (enum direction)action.arg[0]);
    }
}

static void turn_play(struct tune *t, struct pitch *p) {
    uint8_t dirs[PITCH_MOVE_STEPS_MAX];
    bool is_sure = pitch_can_score(p, pitch_attack_of(p, p->mover));
    struct pitch before = *p;
    size_t count = pitch_bot_turn(t->bot, p, &t->rng, dirs);
    if (!is_sure) /* what is sure needs no judgement */
        lesson_add(t, &before, bot_expects(t->bot), false);
    for (size_t i = 0; i < count; i++)
        pitch_step(p, (enum direction)dirs[i]);
}

/* What follows a turn that nobody who is good would make: a search comes to many such positions. */
static void aside_look(struct tune *t, const struct pitch *p) {
    struct pitch aside = *p;
    uint8_t dirs[PITCH_MOVE_STEPS_MAX];
    turn_play_any(&aside, &t->rng);
    if (aside.is_over || pitch_can_score(&aside, pitch_attack_of(&aside, aside.mover)))
        return;
    pitch_bot_turn(t->bot, &aside, &t->rng, dirs);
    lesson_add(t, &aside, bot_expects(t->bot), true);
}

/* A game; its lessons know how it ended. */
static void game_play(struct tune *t) {
    struct pitch p;
    size_t first = t->count;
    pitch_setup(&p, (enum attack)rng_below(&t->rng, 2));
    for (uint32_t i = rng_below(&t->rng, TUNE_OPENING_TURNS_MAX + 1); i > 0 && !p.is_over; i--)
        turn_play_any(&p, &t->rng);
    while (!p.is_over) {
        if (rng_below(&t->rng, TUNE_RANDOM_TURNS) == 0 &&
            !pitch_can_score(&p, pitch_attack_of(&p, p.mover))) {
            turn_play_any(&p, &t->rng);
            first = t->count; /* what was before keeps what was expected of it: this is not what followed */
        } else {
            if (t->trust > 0 && rng_below(&t->rng, TUNE_ASIDE_TURNS) == 0)
                aside_look(t, &p);
            turn_play(t, &p);
        }
    }
    for (size_t i = first; i < t->count; i++) {
        struct pitch_lesson *lesson = &t->lessons[i];
        if (lesson->is_aside)
            continue;
        float ended = lesson->pitch.mover == p.winner ? 1 : 0;
        lesson->outcome = t->trust * lesson->outcome + (1 - t->trust) * ended;
    }
}

static bool net_save(const struct tune *t) {
    struct buf text = {0};
    pitch_net_write(t->net, &text);
    FILE *file = fopen(t->plan->out_path, "w");
    bool is_good = file != NULL && fwrite(text.data, 1, text.size, file) == text.size;
    is_good = (file == NULL || fclose(file) == 0) && is_good;
    buf_free(&text);
    if (!is_good)
        fprintf(stderr, "parlor: %s cannot be written\n", t->plan->out_path);
    return is_good;
}

static void lessons_forget(struct tune *t) {
    size_t gone = t->round_first[1];
    memmove(t->lessons, t->lessons + gone, (t->count - gone) * sizeof *t->lessons);
    t->count -= gone;
    for (size_t i = 0; i < TUNE_KEPT_ROUNDS; i++)
        t->round_first[i] = t->round_first[i + 1] - gone;
}

static void tune_play_round(struct tune *t, int64_t round) {
    uint64_t begun = clock_monotonic_ns();
    size_t before = t->count;
    for (int64_t i = 0; i < t->plan->games; i++) {
        game_play(t);
        if ((i + 1) % 500 == 0)
            fprintf(stderr, "\rround %" PRId64 ": %" PRId64 " of %" PRId64 " games", round, i + 1,
                    t->plan->games);
    }
    fprintf(stderr, "\rround %" PRId64 ": %zu positions in %.0f s\n", round, t->count - before,
            (double)(clock_monotonic_ns() - begun) / 1e9);
}

static void tune_learn_round(struct tune *t) {
    struct pitch_lesson *all = mem_alloc((t->count + 1) * sizeof *all);
    size_t test = t->count / TUNE_TEST_PART;
    memcpy(all, t->lessons, t->count * sizeof *all);
    for (size_t i = 0; i < t->count; i++) /* those that are held back are drawn, too */
        pitch_lesson_draw(all, i, t->count, &t->rng);
    for (int pass = 0; pass < TUNE_PASSES; pass++) {
        float rate = 0.002f / (float)(1 << (pass / 2 * 2));
        double learned = pitch_learner_learn(t->learner, all + test, t->count - test, rate, &t->rng);
        double tested = pitch_learner_test(t->learner, all, test);
        fprintf(stderr, "  pass %d: %.4f learned, %.4f held back\n", pass + 1, learned, tested);
    }
    mem_free(all);
    pitch_learner_net(t->learner, t->net);
}

int pitch_tune(const struct tune_plan *plan) {
    struct tune tune = {.plan = plan}, *t = &tune;
    rng_seed(&t->rng, (uint64_t)plan->seed);
    t->learner = pitch_learner_create(&t->rng);
    t->net = mem_alloc(sizeof *t->net);
    t->bot = bot_open(&paper_soccer_bot_kind, &paper_soccer_game, BOT_LEVEL_MAX);
    t->bot->nodes_max = (uint64_t)plan->nodes;
    bool is_good = true;
    for (int64_t round = 1; round <= plan->rounds && is_good; round++) {
        pitch_bot_use(t->bot, round == 1 ? NULL : t->net);
        t->trust = round == 1 ? 0 : (float)plan->trust / 100; /* what it says without a net are no chances */
        if (round > TUNE_KEPT_ROUNDS)
            lessons_forget(t);
        t->round_first[round > TUNE_KEPT_ROUNDS ? TUNE_KEPT_ROUNDS - 1 : round - 1] = t->count;
        tune_play_round(t, round);
        t->round_first[round > TUNE_KEPT_ROUNDS ? TUNE_KEPT_ROUNDS : round] = t->count;
        tune_learn_round(t);
        is_good = net_save(t);
    }
    bot_close(t->bot);
    pitch_learner_free(t->learner);
    mem_free(t->net);
    mem_free(t->lessons);
    return is_good ? 0 : 1;
}
