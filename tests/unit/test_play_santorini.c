/* Santorini in the terminal, with a script for a person. */
#include "terminal.h"
#include "tests.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/play.h"
#include "games/santorini/santorini.h"

enum { COLUMNS_MAX = 80, ROWS_MAX = 24 };

/* The person is the challenger, takes what is left over of Atlas and Limus, and begins. */
#define SET_UP "2000-05-05\natlas limus\nlimus\natlas\n0\nwhite\n00 44\n"

/* What the program writes when these lines are typed; to be freed. */
static char *play(struct play_settings settings, const char *typed) {
    static char *written;
    static size_t size;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    settings.game = &santorini_game;
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

static void the_set_up_is_typed_in_words(void **unused) {
    (void)unused;
    assert_writes("", "your date of birth as 2000-05-05, or unknown");
    assert_writes("2000-02-31\n", "a day of the calendar");
    assert_writes("born 2000-05-05\noffer atlas\n", "named so far: Atlas");
    assert_writes("2000-05-05\natlas limus\n", "Opponents cannot build beside your builders");
    assert_writes("2000-05-05\natlas zorro\n", "'zorro': there is no such god (santorini R3).");
    assert_writes(SET_UP, "Your turn: move 1 to ");
    assert_writes("2000-05-05\natlas limus\nlimus\natlas\n", "who begins: 0 for you, 1 for the bot");
    assert_writes("2000-05-05\natlas limus\nlimus\natlas\n0\nred\n",
                  "the colours are MAGENTA, LIGHT_BLUE and WHITE");
    assert_writes("2000-05-05\natlas limus\nlimus\natlas\n0\nwhite\n00 00\n",
                  "a builder stands there already");
}

static void steps_are_typed_in_many_ways(void **unused) {
    (void)unused;
    static const char *const same[] = {"move 1 01\n", "m 1 01\n", "m 01\n", "1 01\n", "01\n", " M 1 01 \n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char typed[256];
        snprintf(typed, sizeof typed, SET_UP "%s", same[i]);
        assert_writes(typed, "Pending: move 1 01\n");
    }
    assert_writes(SET_UP "m 1 01, b 00\n", "the bot builds level "); /* sent at once */
    assert_writes(SET_UP "m 1 01\nundo\nm 2 43\n", "Pending: move 2 43\n");
}

static void refusals_say_why(void **unused) {
    (void)unused;
    assert_writes(SET_UP "m 1 44\n", "a builder moves to a neighbouring cell (santorini R5).");
    assert_writes(SET_UP "b 1 01\n", "the move comes before the build (santorini R7).");
    assert_writes(SET_UP "end\n", "the turn is not complete yet (santorini R7).");
    assert_writes(SET_UP "m 1 59\n", "cells have rows and columns from 0 to 4 (santorini R1).");
    assert_writes(SET_UP "jump\n", "the text is not an action of this game.");
    assert_writes(SET_UP "help\n", "move 1 12    builder 1 goes there");
    /* Both builders could be meant. */
    assert_writes("2000-05-05\ndemeter pan\ndemeter\npan\n0\nwhite\n00 02\n01\n",
                  "name the builder, or say move, build or dome");
}

/* Everything that could be typed, again and again: sooner or later the table is over. */
static char *played_out(struct play_settings settings) {
    struct buf typed = {0};
    buf_append_text(&typed, "unknown\n");
    for (size_t round = 0; round < 2; round++)
        for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++)
            buf_printf(&typed, "%s\n", santorini_god_name((enum santorini_god)god));
    buf_append_text(&typed, "0\nwhite\nmagenta\nlight_blue\n");
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell += 3)
        buf_printf(&typed, "place %u%u\n", cell / 5, cell % 5);
    for (int i = 0; i < 60; i++)
        for (unsigned k = 0; k < SANTORINI_CELLS; k++) {
            unsigned cell = (k * 7 + (unsigned)i) % SANTORINI_CELLS, row = cell / 5, column = cell % 5;
            buf_printf(&typed, "m 1 %u%u\nm 2 %u%u\nb 1 %u%u\nb 2 %u%u\nd 1 %u%u\n", row, column, row, column,
                       row, column, row, column, row, column);
            buf_printf(&typed, "d 2 %u%u\ne\n", row, column);
        }
    char *written = play(settings, buf_text(&typed));
    buf_free(&typed);
    return written;
}

static void assert_ends(const char *written) {
    const char *won = strstr(written, "You have won: "), *lost = strstr(written, "You have lost: ");
    assert_true(won != NULL || lost != NULL);
    assert_non_null(strstr(won != NULL ? won : lost, "Another one? "));
}

static void tables_are_played_to_their_end(void **unused) {
    (void)unused;
    for (unsigned seed = 1; seed <= 2; seed++) {
        struct play_settings settings = {
            .seed = seed, .level = 2, .seat = seed == 2 ? PLAY_SECOND : PLAY_FIRST};
        char *written = played_out(settings);
        assert_ends(written);
        free(written);
    }
    struct play_settings three = {
        .options = game_options_default(&santorini_game, 3), .seed = 4, .seat = PLAY_THIRD};
    char *written = played_out(three);
    assert_ends(written);
    assert_non_null(strstr(written, "You have the third seat"));
    free(written);
}

/* A refusal wraps as the terminal likes. */
static bool wraps(struct span line) {
    static const char refusal[] = "Not possible";
    return line.size >= sizeof refusal - 1 && memcmp(line.data, refusal, sizeof refusal - 1) == 0;
}

static void assert_fits(struct span line) {
    if (utf8_length(line) > COLUMNS_MAX)
        fail_msg("longer than %d: %.*s", COLUMNS_MAX, (int)line.size, line.data);
}

static void help_and_long_choices_fit(void **unused) {
    (void)unused;
    /* Prometheus and Hermes may begin with a move or a build of either builder, in all directions. */
    char *written = play((struct play_settings){.seed = 1, .echoes = true},
                         "2000-05-05\nprometheus hermes\nprometheus\nhermes\n0\nwhite\n11 33\nhelp\n");
    assert_non_null(strstr(written, "\nYour turn: move 1 to "));
    assert_non_null(strstr(written, ";\n  move 2 to "));
    assert_non_null(strstr(written, "takes a step back."));
    for (const char *at = written; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        assert_fits(span_make(at, strcspn(at, "\n")));
    free(written);
}

/* Every picture fits into a terminal of the usual size, and so does what is under it. */
static void pictures_fit(void **unused) {
    (void)unused;
    static const char clear[] = "\x1b[H\x1b[2J";
    for (unsigned seats = 2; seats <= 3; seats++) {
        struct play_settings settings = {
            .options = game_options_default(&santorini_game, seats), .seed = 6, .clears = true};
        char *written = played_out(settings);
        unsigned rows = 0, pictures = 0;
        for (const char *at = written; *at != '\0';) {
            const char *next = strstr(at, clear);
            size_t size = strcspn(at, "\n");
            if (next == at) {
                rows = 0;
                pictures++;
                at += sizeof clear - 1;
                continue;
            }
            if (next != NULL && (size_t)(next - at) < size)
                size = (size_t)(next - at); /* after a prompt */
            struct span line = span_make(at, size);
            rows += 1 + (unsigned)(size > COLUMNS_MAX && wraps(line));
            if (!wraps(line))
                assert_fits(line);
            if (rows > ROWS_MAX)
                fail_msg("more than %d lines at: %.*s", ROWS_MAX, (int)size, at);
            at += size + (at[size] == '\n');
        }
        assert_true(pictures > 50);
        free(written);
    }
}

static void pictures_have_two_alphabets(void **unused) {
    (void)unused;
    char *written = play((struct play_settings){.seed = 1, .is_ascii = true}, SET_UP "m 1 01\nb 1 00\n");
    for (const char *at = written; *at != '\0'; at++)
        assert_true((unsigned char)*at < 0x80);
    assert_non_null(strstr(written, "|......1|"));
    free(written);
    written = play((struct play_settings){.seed = 1}, SET_UP "m 1 01\nb 1 00\n");
    assert_non_null(strstr(written, "│░░░░░░1│"));
    assert_null(strchr(written, '\x1b'));
    free(written);
    written = play((struct play_settings){.seed = 1, .has_color = true}, SET_UP "m 1 01\n");
    assert_non_null(strstr(written, "\x1b[1;97mW1 \x1b[0m"));
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_set_up_is_typed_in_words),
        cmocka_unit_test(steps_are_typed_in_many_ways),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(tables_are_played_to_their_end),
        cmocka_unit_test(help_and_long_choices_fit),
        cmocka_unit_test(pictures_fit),
        cmocka_unit_test(pictures_have_two_alphabets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
