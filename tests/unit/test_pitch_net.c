/* The net that judges positions of Paper Soccer: what follows step by step is what a position has by itself,
 * both sides see the same pitch, and whoever learns from outcomes expects them. */
#include "tests.h"

#include "bots/pitch_net.h"
#include "cli/tune/pitch_learner.h"

static struct pitch_points points_of(const struct pitch *p) {
    struct pitch_points points;
    pitch_points_of(p, &points);
    return points;
}

static int value_of(const struct pitch_net *net, const struct pitch *p) {
    struct pitch_points points = points_of(p);
    struct pitch_sum sum;
    pitch_sum_of(net, p, &sum);
    return pitch_net_value(net, &sum, p, goal_turns(p, &points));
}

static enum direction any_step(const struct pitch *p, struct rng *rng) {
    struct action action;
    paper_soccer_game.sample((const struct game_state *)p, p->mover, rng, &action);
    return (enum direction)action.arg[0];
}

static void what_follows_step_by_step_is_what_the_position_has(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 1);
    for (int game = 0; game < 50; game++) {
        struct pitch p;
        struct pitch_sum sum, again;
        pitch_setup(&p, (enum attack)(game % 2));
        pitch_sum_of(&pitch_net, &p, &sum);
        struct pitch_points points = points_of(&p);
        while (!p.is_over) {
            enum direction d = any_step(&p, &rng);
            pitch_sum_step(&pitch_net, &sum, &p, d);
            pitch_points_step(&points, &p, d);
            pitch_step(&p, d);
            struct pitch_points whole = points_of(&p);
            pitch_sum_of(&pitch_net, &p, &again);
            assert_memory_equal(&sum, &again, sizeof sum);
            assert_memory_equal(&points, &whole, sizeof points);
        }
    }
}

/* Played with every step turned round by who attacks the other goal, a game is the same game. */
static void both_sides_see_the_same(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 2);
    for (int game = 0; game < 50; game++) {
        struct pitch p, turned;
        pitch_setup(&p, ATTACK_TOP);
        pitch_setup(&turned, ATTACK_BOTTOM);
        while (!p.is_over) {
            assert_int_equal(value_of(&pitch_net, &p), value_of(&pitch_net, &turned));
            enum direction d = any_step(&p, &rng);
            pitch_step(&p, d);
            pitch_step(&turned, (enum direction)((d + DIRECTIONS / 2) % DIRECTIONS));
        }
    }
}

static void a_goal_within_the_turn_is_found_exactly(void **unused) {
    (void)unused;
    struct rng rng;
    unsigned found = 0;
    rng_seed(&rng, 3);
    for (int game = 0; game < 200; game++) {
        struct pitch p;
        pitch_setup(&p, (enum attack)(game % 2));
        while (!p.is_over) {
            struct pitch_points points = points_of(&p);
            struct goal_turns turns = goal_turns(&p, &points);
            enum attack own = pitch_attack_of(&p, p.mover), other = pitch_attack_of(&p, p.mover ^ 1);
            assert_int_equal(turns.to_score == 0, pitch_can_score(&p, own));
            assert_int_equal(turns.to_lose == 0, pitch_can_score(&p, other));
            found += turns.to_score == 0;
            pitch_step(&p, any_step(&p, &rng));
        }
    }
    assert_true(found > 100);
}

static void from_the_kick_off_both_goals_are_scored_in_the_fifth_turn(void **unused) {
    (void)unused;
    struct pitch p;
    pitch_setup(&p, ATTACK_TOP);
    struct pitch_points points = points_of(&p);
    struct goal_turns turns = goal_turns(&p, &points);
    assert_int_equal(turns.to_score,
                     4); /* four turns pass, and from the post or the line the ball bounces on */
    assert_int_equal(turns.to_lose, 4);
}

static void inputs_are_mirrored_twice_to_themselves(void **unused) {
    (void)unused;
    struct rng rng;
    struct pitch p, mirrored;
    uint16_t inputs[PITCH_NET_INPUTS_MAX], others[PITCH_NET_INPUTS_MAX];
    rng_seed(&rng, 4);
    pitch_setup(&p, ATTACK_TOP);
    pitch_setup(&mirrored, ATTACK_TOP);
    for (int i = 0; i < 20 && !p.is_over; i++) {
        enum direction d = any_step(&p, &rng);
        pitch_step(&p, d);
        pitch_step(&mirrored, (enum direction)((DIRECTIONS - d) % DIRECTIONS));
    }
    size_t count = pitch_net_inputs(&p, (struct goal_turns){1, 2}, inputs);
    assert_int_equal(pitch_net_inputs(&mirrored, (struct goal_turns){1, 2}, others), count);
    for (size_t i = 0; i < count; i++) {
        bool is_there = false;
        for (size_t j = 0; j < count; j++)
            is_there = is_there || pitch_net_mirrored(inputs[i]) == others[j];
        assert_true(is_there);
        assert_int_equal(pitch_net_mirrored(pitch_net_mirrored(inputs[i])), inputs[i]);
    }
}

/* Whoever is nearer to the top wins, say the lessons. */
static size_t lessons_make(struct pitch_lesson *lessons, size_t max) {
    struct rng rng;
    size_t count = 0;
    rng_seed(&rng, 5);
    while (count < max) {
        struct pitch p;
        pitch_setup(&p, ATTACK_TOP);
        while (!p.is_over && count < max) {
            bool is_up = pitch_attack_of(&p, p.mover) == ATTACK_TOP;
            bool is_high = p.ball / PITCH_WIDTH > PITCH_HEIGHT / 2;
            lessons[count++] = (struct pitch_lesson){.pitch = p, .outcome = is_up == is_high ? 1 : 0};
            pitch_step(&p, any_step(&p, &rng));
        }
    }
    return count;
}

static void who_learns_expects_what_was_taught(void **unused) {
    (void)unused;
    static struct pitch_lesson lessons[2000];
    static struct pitch_net net;
    struct rng rng;
    rng_seed(&rng, 6);
    size_t count = lessons_make(lessons, 2000), right = 0, judged = 0;
    struct pitch_learner *learner = pitch_learner_create(&rng);
    double before = pitch_learner_test(learner, lessons, count);
    for (int pass = 0; pass < 12; pass++)
        pitch_learner_learn(learner, lessons, count, 0.005f, &rng);
    assert_true(pitch_learner_test(learner, lessons, count) < before / 2);
    pitch_learner_net(learner, &net);
    for (size_t i = 0; i < count; i++) {
        if (lessons[i].pitch.ball / PITCH_WIDTH == PITCH_HEIGHT / 2)
            continue; /* neither high nor low */
        judged++;
        right += (value_of(&net, &lessons[i].pitch) > 0) == (lessons[i].outcome > 0.5f);
    }
    assert_true(right * 10 > judged * 9);
    pitch_learner_free(learner);
}

static void a_net_is_written_as_the_text_that_the_bot_is_built_with(void **unused) {
    (void)unused;
    struct buf text = {0};
    char rows[80];
    pitch_net_write(&pitch_net, &text);
    snprintf(rows, sizeof rows, ".output_bias = %d,\n", (int)pitch_net.output_bias);
    assert_non_null(strstr(buf_text(&text), rows));
    snprintf(rows, sizeof rows, ".bias = {%d,%d,", pitch_net.bias[0], pitch_net.bias[1]);
    assert_non_null(strstr(buf_text(&text), rows));
    buf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_step_by_step_is_what_the_position_has),
        cmocka_unit_test(both_sides_see_the_same),
        cmocka_unit_test(a_goal_within_the_turn_is_found_exactly),
        cmocka_unit_test(from_the_kick_off_both_goals_are_scored_in_the_fifth_turn),
        cmocka_unit_test(inputs_are_mirrored_twice_to_themselves),
        cmocka_unit_test(who_learns_expects_what_was_taught),
        cmocka_unit_test(a_net_is_written_as_the_text_that_the_bot_is_built_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
