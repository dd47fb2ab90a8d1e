/* What results say about strength, against values that are known. */
#include "tests.h"

#include "cli/match/stats.h"

#include <math.h>

static void assert_near(double value, double wanted, double by) {
    if (!(fabs(value - wanted) <= by))
        fail_msg("%f is not %f", value, wanted);
}

static void test_intervals(void **state) {
    (void)state;
    struct interval i = wilson(0.65, 100);
    assert_near(i.low, 0.5525, 0.0005);
    assert_near(i.high, 0.7364, 0.0005);
    i = wilson(1, 10);
    assert_near(i.low, 0.7225, 0.0005);
    assert_true(i.high == 1);
    i = wilson(0.5, 0);
    assert_true(i.low == 0 && i.high == 1);
}

static void test_elo(void **state) {
    (void)state;
    assert_near(elo_of_score(0.5), 0, 1e-9);
    assert_near(elo_of_score(0.75), 190.85, 0.01);
    assert_near(score_of_elo(190.85), 0.75, 1e-4);
    assert_true(isinf(elo_of_score(1)) && elo_of_score(0) < 0);
    assert_near(superiority(10, 10), 0.5, 1e-9);
    assert_near(superiority(60, 40), 0.9772, 0.0005);
}

static void test_sprt_reads(void **state) {
    static const char *const wrong[] = {"elo0=20,elo1=0", "elo0=x", "elo2=3", "elo0=0,elo1=20,alpha=0.9",
                                        "elo0"};
    struct sprt s;
    (void)state;
    assert_true(sprt_read(&s, "elo0=-5,elo1=12.5,beta=0.1"));
    assert_true(s.is_on && s.elo0 == -5 && s.elo1 == 12.5 && s.alpha == 0.05 && s.beta == 0.1);
    assert_near(sprt_bounds(&s).low, log(0.1 / 0.95), 1e-9);
    assert_near(sprt_bounds(&s).high, log(0.9 / 0.05), 1e-9);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(sprt_read(&s, wrong[i]));
}

/* The first rounds alone decide nothing, many alike do, and so do many that are even. */
static void test_sprt_decides(void **state) {
    struct sprt s;
    (void)state;
    assert_true(sprt_read(&s, "elo0=0,elo1=100"));
    sprt_add(&s, 1);
    assert_int_equal(sprt_decide(&s), SPRT_OPEN);
    for (int i = 0; i < 60 && sprt_decide(&s) == SPRT_OPEN; i++)
        sprt_add(&s, i % 4 == 0 ? 0.5 : 1);
    assert_int_equal(sprt_decide(&s), SPRT_ELO1);
    assert_true(sprt_read(&s, "elo0=0,elo1=100"));
    for (int i = 0; i < 120; i++)
        sprt_add(&s, i % 2 == 0 ? 0 : 1);
    assert_int_equal(sprt_decide(&s), SPRT_ELO0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_elo),
        cmocka_unit_test(test_sprt_reads),
        cmocka_unit_test(test_sprt_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
