/* Who thinks next, and that nobody thinks on when it is not wanted. */
#include "tests.h"

#include "base/clock.h"
#include "base/mem.h"
#include "game/playout.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/thinker_queue.h"
#include "server/thinker_pool.h"

#include <assert.h>

enum { JOBS_MAX = 64, DECISIONS = 3, OPENING_PLIES = 12, SHORT_NS = 50 * 1000 * 1000 };

static struct thinker_queue *queue;
static struct thinker_job jobs[JOBS_MAX];

static int setup(void **state) {
    (void)state;
    memset(jobs, 0, sizeof jobs);
    queue = thinker_queue_create(4, 2);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    thinker_queue_free(queue);
    return 0;
}

static void add(size_t i, uint8_t address, bool is_awaited) {
    jobs[i].address = address_of_four((const uint8_t[4]){10, 0, 0, address});
    jobs[i].is_awaited = is_awaited;
    thinker_queue_add(queue, &jobs[i]);
}

/* The number of the job that begins; -1: none. */
static int begin(void) {
    const struct thinker_job *job = thinker_queue_begin(queue);
    return job == NULL ? -1 : (int)(job - jobs);
}

static void end(int i, uint64_t took_us) {
    assert(i >= 0); /* one has begun */
    thinker_queue_end(queue, &jobs[i], took_us);
}

/* Everything that is left. */
static void drain(void) {
    int job;
    while ((job = begin()) >= 0)
        end(job, 1);
}

/* Bots that are alone have two of four threads at the most, and only what nobody waits for. */
static void who_is_awaited_comes_first(void **state) {
    (void)state;
    for (size_t i = 0; i < 10; i++)
        add(i, 1, false);
    int first = begin(), second = begin();
    assert_in_range(first, 0, 9);
    assert_in_range(second, 0, 9);
    assert_int_equal(begin(), -1);
    add(20, 2, true);
    add(21, 1, true);
    int third = begin(), fourth = begin();
    assert_in_range(third, 20, 21);
    assert_in_range(fourth, 20, 21);
    add(22, 2, true);
    assert_int_equal(begin(), -1);
    end(first, 100);
    assert_int_equal(begin(), 22);
    end(third, 1);
    first = begin();
    assert_in_range(first, 0, 9);
    assert_int_equal(begin(), -1);
    const int under_way[] = {first, second, fourth, 22};
    for (size_t i = 0; i < 4; i++)
        end(under_way[i], 1);
    drain();
}

static int one_at_a_time(void **state) {
    (void)state;
    memset(jobs, 0, sizeof jobs);
    queue = thinker_queue_create(1, 1);
    return 0;
}

/* One has fifty tables, the other comes later with one: its bot is the next. */
static void an_address_has_its_share(void **state) {
    (void)state;
    for (size_t i = 0; i < 50; i++)
        add(i, 1, true);
    for (int i = 0; i < 10; i++)
        end(begin(), 100000);
    int running = begin();
    for (size_t i = 50; i < 53; i++)
        add(i, 2, true);
    end(running, 100000);
    unsigned others = 0;
    for (int i = 0; i < 6; i++) {
        int job = begin();
        others += job >= 50;
        end(job, 100000);
    }
    assert_int_equal(others, 3);
    drain();
}

/* Time is what is shared, not turns: who asks for little is served more often. */
static void time_is_shared(void **state) {
    (void)state;
    unsigned deep = 0, light = 0;
    add(0, 1, true);
    add(1, 2, true);
    while (light < 100) {
        int job = begin();
        end(job, job == 0 ? 50000 : 1000);
        *(job == 0 ? &deep : &light) += 1;
        thinker_queue_add(queue, &jobs[job]);
    }
    assert_in_range(deep, 1, 4);
    drain();
}

/* The same among the tables of one address; and a table that was quiet for long has saved nothing up. */
static void so_is_that_of_an_address(void **state) {
    (void)state;
    unsigned deep = 0, light = 0, quiet = 0;
    for (size_t i = 0; i < 2; i++)
        add(i, 1, true);
    for (int round = 0; round < 1000; round++) {
        if (round == 500)
            add(2, 1, true);
        int job = begin();
        end(job, job == 0 ? 50000 : 1000);
        *(job == 0 ? &deep : job == 1 ? &light : &quiet) += 1;
        thinker_queue_add(queue, &jobs[job]);
    }
    assert_in_range(deep, 10, 30);
    assert_in_range(light, 700, 760);
    assert_in_range(quiet, 200, 260);
    drain();
}

/* What a bot takes for some decisions after a random opening, in time of the processor. */
static uint64_t decisions_ns(const struct game *game, const atomic_bool *cancelled) {
    struct game_options options = game_options_default(game, game->seats_min);
    struct game_state *s = game_state_alloc(game);
    struct game_view *view = mem_alloc(game->state_size);
    struct bot *bot = bot_for_game(game, BOT_LEVEL_MAX);
    uint64_t took_ns = 0;
    struct rng rng;
    rng_seed(&rng, 5);
    bot->cancelled = cancelled;
    assert_int_equal(game->setup(s, &options), ERR_OK);
    for (int ply = 0, decisions = 0; decisions < DECISIONS && game->turn(s) != 0; ply++) {
        unsigned seat = playout_seat(game->turn(s), &rng);
        struct action action;
        if (seat == SEAT_CHANCE || ply < OPENING_PLIES) {
            game->sample(s, seat, &rng, &action);
        } else {
            uint64_t begun_ns = clock_cpu_ns();
            game_view(game, s, seat, view);
            bot_choose(bot, view, seat, &rng, &action);
            took_ns += clock_cpu_ns() - begun_ns;
            decisions++;
        }
        assert_int_equal(game->check(s, seat, &action), ERR_OK);
        game->apply(s, seat, &action);
    }
    bot_close(bot);
    mem_free(s);
    mem_free(view);
    return took_ns;
}

/* A search that is cancelled chooses something that is allowed, and hardly looks before; where the deepest
 * one takes hardly any time it may go on. */
static void a_cancelled_search_ends(void **state) {
    (void)state;
    static const atomic_bool yes = true;
    for (size_t g = 0; games[g] != NULL; g++) {
        uint64_t whole_ns = decisions_ns(games[g], NULL), cancelled_ns = decisions_ns(games[g], &yes);
        print_message("# %s: %llu us, cancelled %llu us\n", games[g]->name,
                      (unsigned long long)whole_ns / 1000 / DECISIONS,
                      (unsigned long long)cancelled_ns / 1000 / DECISIONS);
        assert_true(cancelled_ns < whole_ns / 3 || whole_ns < DECISIONS * SHORT_NS);
    }
}

enum { PAIR = 2, PAIR_PLIES = 60 };

struct pair {
    struct pitch pitch[PAIR];
    uint8_t dirs[PAIR][PAIR_PLIES];
    unsigned plies[PAIR], followed;
};

/* One step of a table by a bot of the shelf: its chance is that of the table and the ply. */
static void pair_step(struct pair *pair, unsigned t, struct bot_shelf *shelf, struct thinker_job *job) {
    unsigned before = job->plan.count;
    *job = (struct thinker_job){.game = &paper_soccer_game,
                                .level = 2, /* judges by chance as well: another search is another turn */
                                .seat = pair->pitch[t].mover,
                                .view = (struct game_view *)&pair->pitch[t],
                                .plan = job->plan};
    rng_seed(&job->rng, 1000 * t + pair->plies[t]);
    bot_shelf_think(shelf, job, NULL);
    pair->followed += job->plan.count + 1 == before;
    pair->dirs[t][pair->plies[t]++] = job->action.arg[0];
    paper_soccer_game.apply((struct game_state *)&pair->pitch[t], job->seat, &job->action);
}

static bool pair_goes_on(const struct pair *pair, unsigned t) {
    return !pair->pitch[t].is_over && pair->plies[t] < PAIR_PLIES;
}

/* A turn that was begun at a table is ended there as it was meant, whatever else the bot has thought about in
 * between: two tables that share a bot are played as if each had its own. */
static void a_turn_stays_with_its_table(void **state) {
    (void)state;
    struct pair shared = {0}, alone = {0};
    struct bot_shelf *both = bot_shelf_create();
    struct thinker_job shared_jobs[PAIR] = {0};
    for (unsigned t = 0; t < PAIR; t++) {
        pitch_setup(&shared.pitch[t], t == 0 ? ATTACK_TOP : ATTACK_BOTTOM);
        pitch_setup(&alone.pitch[t], t == 0 ? ATTACK_TOP : ATTACK_BOTTOM);
    }
    while (pair_goes_on(&shared, 0) || pair_goes_on(&shared, 1))
        for (unsigned t = 0; t < PAIR; t++)
            if (pair_goes_on(&shared, t))
                pair_step(&shared, t, both, &shared_jobs[t]);
    for (unsigned t = 0; t < PAIR; t++) {
        struct bot_shelf *own = bot_shelf_create();
        struct thinker_job job = {0};
        while (pair_goes_on(&alone, t))
            pair_step(&alone, t, own, &job);
        bot_shelf_free(own);
    }
    bot_shelf_free(both);
    assert_true(shared.followed > 5);
    assert_int_equal(shared.followed, alone.followed);
    assert_memory_equal(shared.dirs, alone.dirs, sizeof shared.dirs);
}

/* What was meant for another position, or for the other seat, is not played. */
static void a_turn_is_forgotten_when_another_position_comes(void **state) {
    (void)state;
    struct pair pair = {0};
    struct bot_shelf *shelf = bot_shelf_create();
    struct thinker_job job = {0};
    pitch_setup(&pair.pitch[0], ATTACK_TOP);
    while (job.plan.count == 0)
        pair_step(&pair, 0, shelf, &job);
    struct bot_plan plan = job.plan;
    struct action step = plan.steps[0];
    pair.pitch[1] = pair.pitch[0];
    pair_step(&pair, 0, shelf, &job);
    assert_memory_equal(&job.action, &step, sizeof step);
    assert_int_equal(pair.followed, 1);

    struct pitch *other = &pair.pitch[1];
    unsigned d = 0;
    while (d < DIRECTIONS && (d == step.arg[0] || pitch_check_step(other, d) != ERR_OK))
        d++;
    pitch_step(other, (enum direction)d);
    assert_false(other->is_over);
    job.plan = plan;
    job.plan.count = BOT_PLAN_MAX; /* more than any search here comes to */
    for (d = 0; pitch_check_step(other, d) != ERR_OK;)
        d++;
    job.plan.steps[0] = pitch_action((enum direction)d); /* it could be played */
    job.plan.seat = other->mover;
    pair_step(&pair, 1, shelf, &job);
    assert_in_range(job.plan.count, 0, BOT_PLAN_MAX - 2);
    bot_shelf_free(shelf);
}

static unsigned chosen_count, cancelled_count;

static void on_chosen(struct thinker_job *job) {
    if (job->is_cancelled)
        cancelled_count++;
    else
        chosen_count++;
}

/* Of many deep thoughts only those end with a choice that were through before it was said: no thread begins
 * another one. */
static void nobody_thinks_on_at_the_end(void **state) {
    (void)state;
    const struct game *game = game_by_name(SPAN("paper-soccer"));
    struct game_options options = game_options_default(game, 2);
    struct game_state *s = game_state_alloc(game);
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct thinker *thinker = thinker_pool_create(&loop, 0);
    assert_int_equal(game->setup(s, &options), ERR_OK);
    memset(jobs, 0, sizeof jobs);
    for (size_t i = 0; i < JOBS_MAX; i++) {
        jobs[i] = (struct thinker_job){.game = game,
                                       .level = BOT_LEVEL_MAX,
                                       .view = (struct game_view *)s,
                                       .is_awaited = true,
                                       .done = on_chosen};
        rng_seed(&jobs[i].rng, i);
        thinker_submit(thinker, &jobs[i]);
    }
    thinker_cancel(thinker);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(chosen_count + cancelled_count, JOBS_MAX);
    assert_in_range(chosen_count, 0, POOL_JOBS_MAX);
    thinker_free(thinker);
    assert_int_equal(uv_loop_close(&loop), 0);
    mem_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_is_awaited_comes_first, setup, teardown),
        cmocka_unit_test_setup_teardown(an_address_has_its_share, one_at_a_time, teardown),
        cmocka_unit_test_setup_teardown(time_is_shared, one_at_a_time, teardown),
        cmocka_unit_test_setup_teardown(so_is_that_of_an_address, one_at_a_time, teardown),
        cmocka_unit_test(a_turn_stays_with_its_table),
        cmocka_unit_test(a_turn_is_forgotten_when_another_position_comes),
        cmocka_unit_test(a_cancelled_search_ends),
        cmocka_unit_test(nobody_thinks_on_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
