/* A board game without a picture of its own, played in the terminal: its grid is drawn, and an action is told
 * by its cells. */
#include "terminal.h"
#include "tests.h"

#include "base/buf.h"
#include "cli/play.h"
#include "fixture_game.h"

extern const struct game three_men_game;

/* What the program writes when these lines are typed; to be freed. */
static char *play(const struct game *game, const char *typed) {
    char *written = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    struct play_settings settings = {.game = game, .level = 1, .seed = 5, .echoes = true};
    assert_int_equal(play_run(&settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static void assert_writes(const char *typed, const char *expected) {
    char *written = play(&three_men_game, typed);
    if (strstr(written, expected) == NULL)
        terminal_unwrap(written);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

static void assert_never_writes(const char *typed, const char *unexpected) {
    char *written = play(&three_men_game, typed);
    if (strstr(written, unexpected) != NULL)
        fail_msg("after '%s' there is '%s' in:\n%s", typed, unexpected, written);
    free(written);
}

static void the_board_is_drawn_with_the_names_of_its_cells(void **unused) {
    (void)unused;
    assert_writes("", "board:\n    3  . . .\n    2  . . .\n    1  . . .\n       a b c\n");
    assert_writes("put b2\n", "    2  . X .\n");
    assert_writes("lay c1\n", "    1  . . x\n");
}

static void an_action_is_told_by_enough_of_its_words(void **unused) {
    (void)unused;
    assert_writes("lay b2\n", "Pending: lay b2\nComplete.");
    assert_writes("LAY B2\n", "Pending: lay b2\nComplete.");
    assert_writes("b2\n", "Your turn: put b2, lay b2 > ");
    assert_writes("b2\nlay b2\n", "Pending: lay b2\n");
    assert_writes("lay\n",
                  "Your turn: lay a3, lay b3, lay c3, lay a2, lay b2, lay c2, lay a1, lay b1, lay c1 > ");
    assert_writes("lay\nb2\n", "Pending: lay b2\nComplete.");
    assert_writes("lay\nput a1\n", "Pending: put a1\nComplete.");
}

static void what_was_narrowed_is_forgotten(void **unused) {
    (void)unused;
    assert_never_writes("lay\nundo\nb2\n", "Pending");
    assert_never_writes("lay\n\nb2\n", "Pending");
    assert_writes("lay\n\n\n", "Your turn: put a3, lay a3, ");
    assert_writes("lay\nd9\n", "Not possible: 'd9': ");
    assert_writes("pass\n",
                  "Not possible: 'pass': place all of your men before you move one (three-men R2).");
    assert_never_writes("lay\nd9\nb2\n", "Pending");
}

/* Whatever the bot does, one of these is possible, and after as many plies as there can be it is over. */
static void a_table_is_played_to_its_end_by_cells(void **unused) {
    (void)unused;
    struct buf typed = {0};
    for (unsigned i = 0; i < 12; i++)
        for (unsigned cell = 0; cell < 9; cell++)
            buf_printf(&typed, "put %c%u\n\n", (char)('a' + cell % 3), 1 + cell / 3);
    for (unsigned i = 0; i < 20; i++)
        for (unsigned pair = 0; pair < 81; pair++)
            buf_printf(&typed, "%c%u %c%u\n\n", (char)('a' + pair % 3), 1 + pair / 3 % 3,
                       (char)('a' + pair / 9 % 3), 1 + pair / 27);
    char *written = play(&three_men_game, buf_text(&typed));
    assert_non_null(strstr(written, "Another one? "));
    assert_true(strstr(written, "You have won: the points are 1 (you) 0.") != NULL ||
                strstr(written, "You have lost: the points are 0 (you) 1.") != NULL ||
                strstr(written, "It is a draw: the points are 0 (you) 0.") != NULL);
    assert_non_null(strstr(written, "bot 2: "));
    free(written);
    buf_free(&typed);
}

/* A game whose actions cannot be listed, and which has no grid. */
static void other_games_are_typed_as_ever(void **unused) {
    (void)unused;
    char *written = play(&fixture_game, "bid 0\n\nbid 0\n\nbid\n");
    assert_non_null(strstr(written, "Pending: bid 0\n"));
    assert_non_null(strstr(written, "Another one? "));
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_is_drawn_with_the_names_of_its_cells),
        cmocka_unit_test(an_action_is_told_by_enough_of_its_words),
        cmocka_unit_test(what_was_narrowed_is_forgotten),
        cmocka_unit_test(a_table_is_played_to_its_end_by_cells),
        cmocka_unit_test(other_games_are_typed_as_ever),
    };
    return cmocka_run_group_tests_name("play grid", tests, NULL, NULL);
}
