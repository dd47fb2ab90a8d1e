/* Playing in the terminal, with a script for a person. */
#include "terminal.h"
#include "tests.h"

#include "base/buf.h"
#include "cli/play.h"
#include "games/paper_soccer/paper_soccer.h"
#include "games/treasure_hunt/treasure_hunt.h"

/* What the program writes when these lines are typed; to be freed. */
static char *play(struct play_settings settings, const char *typed) {
    static char *written;
    static size_t size;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    settings.game = settings.game == NULL ? &paper_soccer_game : settings.game;
    settings.level = settings.level == 0 ? 1 : settings.level;
    assert_int_equal(play_run(&settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static void assert_writes(const char *typed, const char *expected) {
    char *written = play((struct play_settings){.seed = 1}, typed);
    if (strstr(written, expected) == NULL)
        terminal_unwrap(written);
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
    terminal_unwrap(written);
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

/* What the hint says can be typed as it stands, in every game, and is allowed. */
static void a_hint_can_be_played(void **unused) {
    (void)unused;
    static const char before[] = "would play: ";
    for (size_t i = 0; games[i] != NULL; i++) {
        struct play_settings settings = {.game = games[i], .seed = 3};
        char *written = play(settings, "hint\nquit\n");
        const char *text = strstr(written, before);
        assert_non_null(text);
        text += strlen(before);
        if (games[i] == &paper_soccer_game) {
            assert_non_null(strstr(text, "It has looked at "));
            assert_non_null(strstr(text, "It expects "));
        }
        char *typed = NULL;
        assert_true(asprintf(&typed, "hint\n%.*s\nquit\n", (int)strcspn(text, "\n"), text) > 0);
        char *answered = play(settings, typed);
        if (strstr(answered, "Not possible") != NULL || strstr(answered, "not an action") != NULL)
            fail_msg("%s: %s", settings.game->name, answered);
        free(typed);
        free(answered);
        free(written);
    }
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

static char *hunt(const char *typed) {
    return play((struct play_settings){.game = &treasure_hunt_game, .seed = 3}, typed);
}

static void assert_hunt_writes(const char *typed, const char *expected) {
    char *written = hunt(typed);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

/* With this seed the person starts at (0,9), the way up is a mountain and right is grass. */
static void a_hunt_is_walked_in_many_ways(void **unused) {
    (void)unused;
    static const char *const right[] = {"d\n", "right\n", "RIGHT\n", "→\n", "\x1b[C\n", "\x1bOC\n", " d \n"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_hunt_writes(right[i], "@ you at (0,9), your half is the lower one. Step right: 1 of 2 ■□\n");
    assert_hunt_writes("w\n", "Step up: 1 of 3 ■□□\n");
    assert_hunt_writes("dw\n", "Step up: 1 of 3 ■□□\n"); /* what is typed behind is played on the next turn */
    assert_hunt_writes("dd\n", "@ you at (1,9)");
    assert_hunt_writes("D\n", "@ you at (1,9), your half is the lower one. No step is under way.\n");
    assert_hunt_writes("D, d\n", "@ you at (1,9), your half is the lower one. Step right: 1 of 2 ■□\n");
    assert_hunt_writes("W\n", "@ you at (0,8)");
    assert_hunt_writes("right right down\n",
                       "Not possible: 'down': the move leaves the map (treasure-hunt R18).");
    assert_hunt_writes("Sdd\n", "Not possible: 'S': the move leaves the map (treasure-hunt R18).");
    assert_hunt_writes("x\n", "'x': the text is not an action of this game.");
}

static void a_hunt_cannot_be_taken_back(void **unused) {
    (void)unused;
    assert_hunt_writes("d\nundo\n", "There is nothing to take back.");
    char *written = hunt("help\nquit\n");
    assert_null(strstr(written, "undo"));
    assert_non_null(strstr(written, "Capitals W A S D"));
    free(written);
}

static void a_hunt_shows_what_the_person_knows(void **unused) {
    (void)unused;
    assert_hunt_writes("", "falsely until your action 8, without its treasure\n");
    assert_hunt_writes("", "$ your treasure: on one of 31 fields of grass\n");
    char *written = hunt("D\nA\nD\nA\n"), *last = written, *next;
    while ((next = strstr(last + 1, "E the bot: ")) != NULL)
        last = next;
    assert_null(strstr(last, "falsely")); /* the eighth action is done */
    free(written);
}

/* Lines fit in 80 columns and pictures with their prompt in 24 rows, in every form and shape. */
static void a_hunt_fits_the_terminal(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct play_settings settings = {.game = &treasure_hunt_game, .seed = seed, .clears = true};
        char *written = play(settings, "d\na\nD\nA\n");
        unsigned rows = 1, columns = 0;
        for (const char *byte = written; *byte != '\0'; byte++) {
            bool is_new = strncmp(byte, "\x1b[H\x1b[2J", 7) == 0;
            byte += is_new ? 6 : 0;
            rows = is_new ? 1 : rows + (*byte == '\n');
            columns = *byte == '\n' || is_new ? 0 : columns + ((*byte & 0xc0) != 0x80);
            assert_true(rows <= 24 && columns <= 80);
        }
        free(written);
    }
}

static void a_hunt_is_drawn_plainly_and_in_colours(void **unused) {
    (void)unused;
    struct play_settings settings = {.game = &treasure_hunt_game, .seed = 3, .is_ascii = true};
    char *written = play(settings, "d\nquit\n");
    for (const char *byte = written; *byte != '\0'; byte++)
        assert_true(*byte == '\n' || (*byte >= ' ' && *byte <= '~'));
    assert_non_null(strstr(written, "1 of 2 #-\n"));
    free(written);
    settings = (struct play_settings){.game = &treasure_hunt_game, .seed = 3, .has_color = true};
    written = play(settings, "d\nquit\n");
    assert_non_null(strstr(written, "\x1b[0;38;5;117;48;5;25m"));
    free(written);
}

static void a_hunt_ends_with_its_reason(void **unused) {
    (void)unused;
    struct buf typed = {0};
    for (int i = 0; i < 400; i++)
        buf_append_text(&typed, "w\ns\na\nd\n");
    char *written =
        play((struct play_settings){.game = &treasure_hunt_game, .seed = 3, .level = 5}, buf_text(&typed));
    assert_non_null(strstr(written, "You have lost: the bot came into your fort with its treasure (R23).\n"));
    free(written);
    buf_free(&typed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_typed_in_many_ways),
        cmocka_unit_test(a_turn_is_sent_by_enter_and_answered),
        cmocka_unit_test(steps_are_taken_back_before_they_are_sent),
        cmocka_unit_test(refusals_name_their_rule),
        cmocka_unit_test(a_person_may_leave_at_any_time),
        cmocka_unit_test(a_hint_can_be_played),
        cmocka_unit_test(a_table_is_played_to_its_end_with_the_reason),
        cmocka_unit_test(ascii_and_colour_are_kept),
        cmocka_unit_test(goals_say_who_attacks_them),
        cmocka_unit_test(a_hunt_is_walked_in_many_ways),
        cmocka_unit_test(a_hunt_cannot_be_taken_back),
        cmocka_unit_test(a_hunt_shows_what_the_person_knows),
        cmocka_unit_test(a_hunt_fits_the_terminal),
        cmocka_unit_test(a_hunt_is_drawn_plainly_and_in_colours),
        cmocka_unit_test(a_hunt_ends_with_its_reason),
    };
    return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
