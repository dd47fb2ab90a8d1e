/* The journal of a championship: what it folds to, and what is refused. */
#include "tests.h"

#include "host/championship/fold.h"
#include "journals.h"

enum { ID = 77, ENTRANTS = 4 };

static struct journal j;
static struct championship_fold fold;

static int begin(void **unused) {
    (void)unused;
    journal_free(&j);
    j = (struct journal){.table = ID};
    championship_fold_init(&fold, ID);
    return 0;
}

static int end(void **unused) {
    (void)unused;
    journal_free(&j);
    championship_fold_free(&fold);
    return 0;
}

static enum err take_last(void) {
    return championship_fold_event(&fold, journal_chain(&j));
}

static enum err open_it(void) {
    event_championship_write(journal_next(&j, EVENT_CHAMPIONSHIP, 1),
                             &(struct event_championship){
                                 .format = EVENT_FORMAT, .number = 3, .entrants = ENTRANTS, .type = "go"});
    return take_last();
}

static enum err enter(const char *nick) {
    struct event_entrant entrant = {.has_home = false};
    memcpy(entrant.nick, nick, strlen(nick) + 1);
    event_entrant_write(journal_next(&j, EVENT_ENTRANT, 2), &entrant);
    return take_last();
}

static enum err pair(uint32_t a, uint32_t b, bool a_won) {
    event_pair_write(journal_next(&j, EVENT_PAIR, 3),
                     &(struct event_pair){a, b, a_won, !a_won, !a_won, a_won});
    return take_last();
}

static enum err withdraw(uint32_t entrant) {
    event_withdrawal_write(journal_next(&j, EVENT_WITHDRAWAL, 4), &(struct event_withdrawal){entrant});
    return take_last();
}

static enum err close_it(enum event_outcome outcome) {
    event_close_write(journal_next(&j, EVENT_CLOSE, 5), &(struct event_close){outcome});
    return take_last();
}

static void all_enter(void) {
    assert_int_equal(open_it(), ERR_OK);
    assert_int_equal(enter("ann"), ERR_OK);
    assert_int_equal(enter("bob"), ERR_OK);
    assert_int_equal(enter("cid"), ERR_OK);
    assert_null(fold.standing);
    assert_int_equal(enter("dan"), ERR_OK);
    assert_non_null(fold.standing);
}

/* An event that was refused is none: the next one takes its place. */
static void refused(enum err found, enum err expected) {
    assert_int_equal(found, expected);
    buf_clear(&j.bodies[--j.count]);
}

static void a_whole_championship(void **unused) {
    (void)unused;
    struct standing list[ENTRANTS];
    all_enter();
    assert_int_equal(fold.about.number, 3);
    assert_string_equal(fold.about.type, "go");
    assert_string_equal(championship_fold_nick(&fold, 3), "dan");
    assert_string_equal(championship_fold_nick(&fold, 4), "?");
    for (uint32_t a = 0; a < ENTRANTS; a++)
        for (uint32_t b = a + 1; b < ENTRANTS; b++)
            assert_int_equal(pair(a, b, false), ERR_OK);
    assert_int_equal(close_it(OUTCOME_PLAYED), ERR_OK);
    assert_true(fold.is_closed);
    championship_standings(fold.standing, list);
    for (uint32_t i = 0; i < ENTRANTS; i++) {
        assert_int_equal(list[i].entrant, ENTRANTS - 1 - i);
        assert_int_equal(list[i].won, ENTRANTS - 1 - i);
        assert_int_equal(list[i].lost, i);
    }
    refused(withdraw(0), ERR_EVENT_ORDER);
}

static void order_is_kept(void **unused) {
    (void)unused;
    refused(enter("ann"), ERR_EVENT_ORDER);
    assert_int_equal(open_it(), ERR_OK);
    refused(open_it(), ERR_EVENT_ORDER);
    refused(close_it(OUTCOME_PLAYED), ERR_RESULT_WRONG); /* nobody has entered */
    refused(pair(0, 1, true), ERR_EVENT_ORDER);
    assert_int_equal(enter("ann"), ERR_OK);
    refused(close_it(OUTCOME_UNDECIDED), ERR_EVENT_ORDER); /* only one has */
    for (int i = 1; i < ENTRANTS; i++)
        assert_int_equal(enter("ann"), ERR_OK);
    refused(enter("eve"), ERR_EVENT_ORDER);
    refused(pair(0, ENTRANTS, true), ERR_EVENT_ORDER);
    assert_int_equal(pair(0, 1, true), ERR_OK);
    refused(pair(0, 1, true), ERR_EVENT_ORDER);
    refused(withdraw(ENTRANTS), ERR_EVENT_ORDER);
    assert_int_equal(withdraw(2), ERR_OK);
    refused(withdraw(2), ERR_EVENT_ORDER);
    refused(close_it(OUTCOME_PLAYED), ERR_RESULT_WRONG);
    journal_next(&j, EVENT_SETUP, 9);
    refused(take_last(), ERR_MALFORMED);
    assert_int_equal(close_it(OUTCOME_UNDECIDED), ERR_OK);
}

static void the_chain_is_kept(void **unused) {
    (void)unused;
    all_enter();
    struct event event = j.events[1];
    assert_int_equal(championship_fold_event(&fold, &event), ERR_CHAIN); /* again */
    event_withdrawal_write(journal_next(&j, EVENT_WITHDRAWAL, 4), &(struct event_withdrawal){1});
    event = *journal_chain(&j);
    event.time_ms++;
    assert_int_equal(championship_fold_event(&fold, &event), ERR_CHAIN);
    event.time_ms--;
    assert_int_equal(championship_fold_event(&fold, &event), ERR_OK);
}

struct heard {
    size_t count;
    struct pair_result last;
};

static void on_decided(void *context, const struct pair_result *result) {
    struct heard *heard = context;
    heard->count++;
    heard->last = *result;
}

/* A kill between a withdrawal and the pairs that it decides. */
static void what_the_gone_left_open_is_decided_on_the_way_back(void **unused) {
    (void)unused;
    struct heard heard = {0};
    struct standing list[ENTRANTS];
    size_t a, b;
    all_enter();
    assert_int_equal(pair(1, 2, true), ERR_OK);
    assert_int_equal(withdraw(3), ERR_OK);
    assert_int_equal(withdraw(1), ERR_OK);
    assert_int_equal(pair(0, 3, true), ERR_OK);
    struct championship *c = championship_copy(fold.standing);
    championship_listen(c, on_decided, &heard);
    championship_resume(c);
    assert_int_equal(heard.count, 3); /* 0-1, 1-3, 2-3 */
    assert_int_equal(heard.last.a, 2);
    assert_int_equal(heard.last.b, 3);
    assert_true(heard.last.a_won && heard.last.b_lost && !heard.last.a_lost && !heard.last.b_won);
    assert_int_equal(championship_pairs_left(c), 1);
    assert_int_equal(championship_pairs_left(fold.standing), 4); /* a copy is a copy */
    assert_false(championship_pair_start(c, &a, &b));            /* those who are left are not back yet */
    championship_entrant_free(c, 2);
    assert_false(championship_pair_start(c, &a, &b));
    championship_entrant_free(c, 0);
    assert_true(championship_pair_start(c, &a, &b));
    assert_int_equal(a, 0);
    assert_int_equal(b, 2);
    championship_pair_result(c, 0, 2, true, false, false, true);
    championship_entrant_free(c, 0);
    assert_false(championship_is_over(c));
    championship_entrant_free(c, 2);
    assert_true(championship_is_over(c));
    championship_standings(c, list);
    assert_int_equal(list[0].entrant, 0);
    assert_int_equal(list[0].won, 3);
    assert_int_equal(list[3].entrant, 3); /* left first: it has lost to 1, who left, too */
    assert_int_equal(list[3].lost, 3);
    championship_free(c);
}

#define FOLD_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        FOLD_TEST(a_whole_championship),
        FOLD_TEST(order_is_kept),
        FOLD_TEST(the_chain_is_kept),
        FOLD_TEST(what_the_gone_left_open_is_decided_on_the_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
