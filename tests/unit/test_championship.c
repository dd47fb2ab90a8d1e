/* Every pair once, whoever leaves: the schedule and the standings of a championship. */
#include "tests.h"

#include "base/rng.h"
#include "host/championship/championship.h"

enum { ENTRANTS = 9 };

static void everybody_meets_everybody_once(void **unused) {
    (void)unused;
    struct championship *c = championship_create(ENTRANTS);
    int met[ENTRANTS][ENTRANTS] = {0};
    size_t playing[ENTRANTS][2], tables = 0, games = 0, most = 0;
    struct rng rng;
    rng_seed(&rng, 5);
    while (!championship_is_over(c)) {
        while (championship_pair_start(c, &playing[tables][0], &playing[tables][1])) {
            assert_true(playing[tables][0] < playing[tables][1]);
            tables++;
        }
        most = tables > most ? tables : most;
        size_t i = rng_below(&rng, (uint32_t)tables);
        size_t a = playing[i][0], b = playing[i][1];
        assert_int_equal(++met[a][b], 1);
        championship_pair_result(c, a, b, true, false, false, true);
        championship_entrant_free(c, a);
        championship_entrant_free(c, b);
        memcpy(playing[i], playing[--tables], sizeof playing[i]);
        games++;
    }
    assert_int_equal(games, ENTRANTS * (ENTRANTS - 1) / 2);
    assert_int_equal(most, ENTRANTS / 2); /* in parallel */
    struct standing list[ENTRANTS];
    championship_standings(c, list);
    for (size_t i = 0; i < ENTRANTS; i++) {
        assert_int_equal(list[i].entrant, i); /* the smaller number always won */
        assert_int_equal(list[i].won, ENTRANTS - 1 - i);
        assert_int_equal(list[i].lost, i);
    }
    championship_free(c);
}

static void who_leaves_loses_the_rest(void **unused) {
    (void)unused;
    struct championship *c = championship_create(4);
    size_t a, b;
    assert_true(championship_pair_start(c, &a, &b));
    championship_withdraw(c, a);
    /* The pair that plays waits for its result; the other two pairs of the leaver are lost. */
    assert_int_equal(championship_pairs_left(c), 4);
    championship_withdraw(c, a);
    assert_int_equal(championship_pairs_left(c), 4);
    championship_pair_result(c, a, b, false, true, true, false);
    championship_entrant_free(c, b);
    championship_entrant_free(c, a);
    struct standing list[4];
    championship_standings(c, list);
    assert_int_equal(list[3].entrant, a);
    assert_int_equal(list[3].lost, 3);
    assert_int_equal(list[3].won, 0);
    while (championship_pair_start(c, &a, &b)) {
        championship_pair_result(c, a, b, false, true, true, false);
        championship_entrant_free(c, a);
        championship_entrant_free(c, b);
    }
    assert_true(championship_is_over(c));
    championship_free(c);
}

static void when_both_are_gone_the_first_to_leave_loses(void **unused) {
    (void)unused;
    struct championship *c = championship_create(3);
    size_t a, b;
    assert_true(championship_pair_start(c, &a, &b));
    championship_withdraw(c, b);
    championship_withdraw(c, a);
    championship_pair_again(c, a, b); /* undecided, and nobody is left to play it */
    assert_int_equal(championship_pairs_left(c), 0);
    assert_false(championship_is_over(c));
    championship_entrant_free(c, a);
    championship_entrant_free(c, b);
    assert_true(championship_is_over(c));
    struct standing list[3];
    championship_standings(c, list);
    assert_int_equal(list[0].won, 2);
    assert_int_equal(list[1].entrant, a);
    assert_int_equal(list[1].won, 1);
    assert_int_equal(list[2].entrant, b);
    assert_int_equal(list[2].lost, 2);
    championship_free(c);
}

static void an_undecided_pair_is_played_again(void **unused) {
    (void)unused;
    struct championship *c = championship_create(2);
    size_t a, b;
    assert_true(championship_pair_start(c, &a, &b));
    assert_false(championship_pair_start(c, &a, &b));
    championship_pair_again(c, 0, 1);
    championship_entrant_free(c, 0);
    championship_entrant_free(c, 1);
    assert_false(championship_is_over(c));
    assert_true(championship_pair_start(c, &a, &b));
    /* Two losers were reported: counted as sent. */
    championship_pair_result(c, 0, 1, false, true, false, true);
    championship_entrant_free(c, 0);
    championship_entrant_free(c, 1);
    assert_true(championship_is_over(c));
    struct standing list[2];
    championship_standings(c, list);
    assert_int_equal(list[0].entrant, 0); /* a tie keeps the order of entering */
    assert_int_equal(list[0].won + list[1].won, 0);
    assert_int_equal(list[0].lost + list[1].lost, 2);
    championship_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_meets_everybody_once),
        cmocka_unit_test(who_leaves_loses_the_rest),
        cmocka_unit_test(when_both_are_gone_the_first_to_leave_loses),
        cmocka_unit_test(an_undecided_pair_is_played_again),
    };
    return cmocka_run_group_tests_name("championship", tests, NULL, NULL);
}
