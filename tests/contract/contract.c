/* Every game of the list and the fixtures against the contract of game/game.h, at every seat count and with
 * every value of every option. One case per check and variant.
 *
 *     test_contract [GAME]
 *
 * checks one game, or the "fixture" games, or all. PARLOR_SEED takes another seed than the usual one, and
 * PARLOR_TABLES another number of tables for each case. */
#include "tests.h"

#include "base/mem.h"
#include "checker.h"
#include "fixture_game.h"
#include "json_check.h"

#include <stdio.h>

extern const struct game three_men_game;

enum { CASES_MAX = 4096, TABLES = 6 };

struct contract_case {
    char name[CONTRACT_NAME_BYTES_MAX * 2];
    const struct game *game;
    struct game_options options;
    const struct contract_check *check; /* NULL: setup */
};

struct contract_list {
    const struct game *game;
    struct contract_case *cases;
    struct CMUnitTest *tests;
    size_t count;
};

static uint64_t seed = 20120305;
static size_t tables = TABLES;

static void run_case(void **state) {
    const struct contract_case *c = *state;
    static char complaint[COMPLAINT_BYTES_MAX];
    if (c->check == NULL) {
        const char *wrong = contract_setup(c->game);
        if (wrong != NULL)
            fail_msg("%s", wrong);
    } else if (!contract_run(c->game, &c->options, c->check, seed, tables, complaint)) {
        fail_msg("%s", complaint);
    }
}

static void add_case(struct contract_list *list, const struct game_options *options, const char *variant,
                     const struct contract_check *check) {
    assert_true(list->count < CASES_MAX);
    struct contract_case *c = &list->cases[list->count];
    *c = (struct contract_case){.game = list->game, .check = check};
    if (options != NULL)
        c->options = *options;
    snprintf(c->name, sizeof c->name, "%s: %s", variant,
             check == NULL ? "setup refuses the impossible" : check->name);
    list->tests[list->count++] =
        (struct CMUnitTest){.name = c->name, .test_func = run_case, .initial_state = c};
}

static void add_variant(void *context, const struct game_options *options, const char *name) {
    for (const struct contract_check *check = contract_checks; check->name != NULL; check++)
        add_case(context, options, name, check);
    for (const struct contract_check *check = secret_checks; check->name != NULL; check++)
        add_case(context, options, name, check);
}

static void add_game(struct contract_list *list, const struct game *game) {
    list->game = game;
    add_case(list, NULL, game->name, NULL);
    contract_variants(game, add_variant, list);
}

static void json_checker_is_strict(void **unused) {
    (void)unused;
    static const char *const good[] = {"{}", "[]", " {\"a\": [1, -2.5e+3, true, null, \"\\u00e9\\n\"]} ", "0",
                                       "\"é\""};
    static const char *const bad[] = {"",    "{",     "[1,]",       "{\"a\":1,}", "{a:1}",   "01",
                                      "1.",  "[1 2]", "\"\\x\"",    "\"\n\"",     "tru",     "{}{}",
                                      "-",   "[\"]",  "+1",         "\"\xff\"",   "{\"a\"}", "[1]]",
                                      "'a'", "1e",    "\"\\u12g4\""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!json_is_valid(span_of(good[i])))
            fail_msg("refuses %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (json_is_valid(span_of(bad[i])))
            fail_msg("accepts %s", bad[i]);
}

static int64_t number_from(const char *name, int64_t usual) {
    const char *text = getenv(name);
    int64_t number;
    return text != NULL && span_to_int(span_of(text), &number) && number > 0 ? number : usual;
}

int main(int argc, char **argv) {
    struct contract_list list = {0};
    const char *only = argc > 1 ? argv[1] : NULL;
    seed = (uint64_t)number_from("PARLOR_SEED", (int64_t)seed);
    tables = (size_t)number_from("PARLOR_TABLES", TABLES);
    printf("# seed %llu, %zu tables a case\n", (unsigned long long)seed, tables);
    list.cases = mem_alloc(CASES_MAX * sizeof *list.cases);
    list.tests = mem_alloc(CASES_MAX * sizeof *list.tests);
    list.tests[list.count++] = (struct CMUnitTest)cmocka_unit_test(json_checker_is_strict);
    for (size_t i = 0; games[i] != NULL; i++)
        if (only == NULL || strcmp(only, games[i]->name) == 0)
            add_game(&list, games[i]);
    if (only == NULL || strcmp(only, "fixture") == 0) {
        add_game(&list, &fixture_game);
        add_game(&list, &three_men_game);
    }
    assert_true(list.count > 1); /* there is such a game */
    int failed = _cmocka_run_group_tests("contract", list.tests, list.count, NULL, NULL);
    mem_free(list.cases);
    mem_free(list.tests);
    return failed;
}
