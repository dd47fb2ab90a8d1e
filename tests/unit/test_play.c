/* Playing in the terminal, with a script for a person. */
#include "tests.h"

#include "base/buf.h"
#include "cli/play.h"
#include "games/paper_soccer.h"

/* What the program writes when these lines are typed; to be freed. */
static char *play(struct play_settings settings, const char *typed) {
    static char *written;
    static size_t size;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    settings.game = &paper_soccer_game;
    settings.level = settings.level == 0 ? 1 : settings.level;
    assert_int_equal(play_run(&settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static void assert_writes(const char *typed, const char *expected) {
    char *written = play((struct play_settings){.seed = 1}, typed);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

static void a_turn_is_typed_in_many_ways(void **unused) {
    (void)unused;
    static const char *const north_east[] = {"1\n", "NE\n", "ne\n", "↗\n", " 1 \n", "1"};
    for (size_t i = 0; i < sizeof north_east / sizeof *north_east; i++)
        assert_writes(north_east[i], "Pending: NE\nComplete.");
    assert_writes("\x1b[A\n", "Pending: N\n");
    assert_writes("\x1bOD\n", "Pending: W\n");
}

static void a_turn_is_sent_by_enter_and_answered(void **unused) {
    (void)unused;
    assert_writes("N\n\nquit\n", "the bot played ");
    char *written = play((struct play_settings){.seed = 1}, "N\nquit\n");
    assert_null(strstr(written, "the bot played "));
    free(written);
}

static void steps_are_taken_back_before_they_are_sent(void **unused) {
    (void)unused;
    assert_writes("undo\n", "nothing to take back");
    assert_writes("N\nundo\nS\n", "Pending: S\n");
    assert_writes("N\nundo all\nW\n", "Pending: W\n");
    assert_writes("N\n\nundo\n", "nothing to take back");
}

static void refusals_name_their_rule(void **unused) {
    (void)unused;
    assert_writes("N N\n", "Your turn ends before 'N'.");
    assert_writes("x\n", "'x': the text is not an action of this game.");
    assert_writes("9\n", "'9': the text is not an action of this game.");
    assert_writes("\xff\n", "the text is not an action of this game.");
    char lines[4096] = "";
    /* Sooner or later one of these is a line that was already drawn or leaves the pitch. */
    for (int i = 0; i < 60; i++)
        strcat(lines, "N\n\nS\n\nE\n\n");
    char *written = play((struct play_settings){.seed = 1}, lines);
    assert_true(strstr(written, "(paper-soccer R3)") != NULL || strstr(written, "(paper-soccer R4)") != NULL);
    free(written);
}

static void a_person_may_leave_at_any_time(void **unused) {
    (void)unused;
    assert_writes("resign\n", "You have resigned, the bot wins.\nAnother one? [y/N] > ");
    assert_writes("resign\ny\nresign\nn\n", "Another one? [y/N] > ");
    assert_writes("help\nquit\n", "undo     takes back");
    assert_writes("", "Your turn: ");
    char *written = play((struct play_settings){.seed = 1}, "quit\n");
    assert_null(strstr(written, "Another one"));
    free(written);
}

/* Every direction is tried again and again, so that the table comes to its end whatever the bot does. */
static char *played_out(struct play_settings settings) {
    struct buf typed = {0};
    for (int i = 0; i < 400; i++)
        buf_printf(&typed, "%d\n\n", i % 8);
    char *written = play(settings, buf_text(&typed));
    buf_free(&typed);
    return written;
}

static void a_table_is_played_to_its_end_with_the_reason(void **unused) {
    (void)unused;
    for (unsigned level = 1; level <= 2; level++) {
        char *written =
            played_out((struct play_settings){.seed = level, .level = level, .seat = PLAY_SECOND});
        char *won = strstr(written, "You have won: "), *lost = strstr(written, "You have lost: ");
        assert_true(won != NULL || lost != NULL);
        const char *reason = won != NULL ? won : lost;
        assert_true(strstr(reason, "(R9).\n") != NULL || strstr(reason, "(R10).\n") != NULL);
        assert_non_null(strstr(reason, "Another one? "));
        free(written);
    }
}

static void ascii_and_colour_are_kept(void **unused) {
    (void)unused;
    char *written = played_out((struct play_settings){.seed = 4, .is_ascii = true});
    for (const char *byte = written; *byte != '\0'; byte++)
        assert_true(*byte == '\n' || (*byte >= ' ' && *byte <= '~'));
    free(written);
    written = played_out((struct play_settings){.seed = 4});
    assert_null(strchr(written, '\x1b'));
    free(written);
    written = played_out((struct play_settings){.seed = 4, .has_color = true});
    assert_non_null(strchr(written, '\x1b'));
    free(written);
}

static void goals_say_who_attacks_them(void **unused) {
    (void)unused;
    char *written = play((struct play_settings){.seed = 1, .seat = PLAY_FIRST}, "");
    assert_true(strstr(written, "you attack this goal") < strstr(written, "the bot attacks this goal"));
    free(written);
    written = play((struct play_settings){.seed = 1, .seat = PLAY_SECOND}, "");
    assert_true(strstr(written, "the bot attacks this goal") < strstr(written, "you attack this goal"));
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_typed_in_many_ways),
        cmocka_unit_test(a_turn_is_sent_by_enter_and_answered),
        cmocka_unit_test(steps_are_taken_back_before_they_are_sent),
        cmocka_unit_test(refusals_name_their_rule),
        cmocka_unit_test(a_person_may_leave_at_any_time),
        cmocka_unit_test(a_table_is_played_to_its_end_with_the_reason),
        cmocka_unit_test(ascii_and_colour_are_kept),
        cmocka_unit_test(goals_say_who_attacks_them),
    };
    return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
