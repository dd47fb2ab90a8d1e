/* Masters of Renaissance in the terminal, with a script for a person. */
#include "terminal.h"
#include "tests.h"

#include "base/buf.h"
#include "cli/play.h"
#include "games/renaissance/renaissance.h"

/* What the program writes when these lines are typed; to be freed. */
static char *play(struct play_settings settings, unsigned seats, const char *typed) {
    static char *written;
    static size_t size;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    settings.game = &renaissance_game;
    settings.options = game_options_default(&renaissance_game, seats);
    settings.level = 1;
    settings.seed = settings.seed == 0 ? 3 : settings.seed;
    assert_int_equal(play_run(&settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static void assert_writes(unsigned seats, const char *typed, const char *expected) {
    char *written = play((struct play_settings){0}, seats, typed);
    if (strstr(written, expected) == NULL)
        terminal_unwrap(written);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

/* With this seed the market is PBGW/GRWP/WBWY and Y is free. */
static void actions_are_typed_in_short(void **unused) {
    (void)unused;
    assert_writes(1, "", "keep two of your leaders, such as: keep L005 L007");
    assert_writes(1, "keep L005 L007\nrow 0\n", "Taken: 1t1v1d. To place: 1t1v1d.");
    assert_writes(1, "keep L005 L007\npush row 0\n", "Taken: 1t1v1d.");
    assert_writes(1, "keep L005 L007, row 0, t v d\n", "depots [t][v.][d..]");
    assert_writes(1, "keep L005 L007\nrow 0\nt\nv\nd\n", "depots [t][v.][d..]");
    assert_writes(1, "keep L005 L007\nrow 0\nfill 0 stones 1\n- d\n", "depots [t][..][d..]");
    assert_writes(1, "keep L005 L007\nrow 0\nt v d\nend\n", "his last token: ");
    assert_writes(1, "keep L005 L007\nrow 0, t v d, end, base t v c, run, pay, pay, end\n",
                  "strongbox 1c 0t 0v 0d");
    assert_writes(1, "keep L005 L007\nrow 0, t v d, end, base t v c, run, pay t 1 0 0\n", "Owed: 1v.");
}

static void refusals_name_their_rule(void **unused) {
    (void)unused;
    assert_writes(1, "keep L001 L002\n",
                  "two different ones of the four leaders dealt are kept (renaissance R4)");
    assert_writes(1, "keep L005 L007\nend\n", "the turn cannot end before a main action (renaissance R8)");
    assert_writes(1, "keep L005 L007\nbuy purple 1 0\n",
                  "the resources do not suffice for this card (renaissance R16)");
    assert_writes(1, "keep L005 L007\nrow 0\ncc\n", "(renaissance R13)");
    assert_writes(1, "keep L005 L007\nrow 0\nxx\n", "'xx': the text is not an action of this game.");
    assert_writes(1, "dance\n", "'dance': the text is not an action of this game.");
}

/* Types what is possible of everything, turn after turn: most lines are refused. */
static void script_write(struct buf *typed, unsigned turns) {
    static const char *const depot_lines[] = {"ddd", "vvv", "ttt", "ccc", "dd", "vv", "tt",
                                              "cc",  "d",   "v",   "t",   "c",  "-"};
    for (unsigned leader = 1; leader <= RENAISSANCE_LEADERS; leader++)
        for (unsigned other = leader + 1; other <= RENAISSANCE_LEADERS; other++)
            buf_printf(typed, "keep L%03u L%03u\n", leader, other);
    buf_append_text(typed, "put c 2\nput t 1\n");
    for (unsigned turn = 0; turn < turns; turn++) {
        for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
            buf_printf(typed, "buy %s %u %u, pay, pay, pay\n",
                       renaissance_colour_word((pile + turn) % RENAISSANCE_COLOURS),
                       3 - pile / RENAISSANCE_COLOURS, pile % RENAISSANCE_SLOTS);
        buf_printf(typed, turn % 3 == 2 ? "card 0, run, pay, pay\n" : "");
        buf_printf(typed, turn % 5 == 4 ? "base c t v, run, pay, pay\n" : "");
        buf_printf(typed, turn % 2 == 0 ? "row %u\n" : "column %u\n", turn % 3);
        for (unsigned depot = 0; depot < RENAISSANCE_DEPOTS; depot++)
            for (size_t i = 0; i < sizeof depot_lines / sizeof *depot_lines; i++)
                buf_printf(typed, "%s\n", depot_lines[i]);
        for (unsigned leader = 1; leader <= RENAISSANCE_LEADERS; leader++)
            buf_printf(typed, "play L%03u\n", leader);
        buf_append_text(typed, "end\n");
    }
}

/* Lines of a picture fit in 80 columns, and with what stands under it and wraps it has at most 24 rows. */
static void assert_fits_terminal(const char *written) {
    enum { ROWS_MAX = 24, COLUMNS_MAX = 80 };
    static const char clear[] = "\x1b[H\x1b[2J";
    unsigned rows = 0;
    bool is_under = false;
    while (*written != '\0') {
        if (strncmp(written, clear, sizeof clear - 1) == 0) {
            written += sizeof clear - 1;
            rows = 0;
            is_under = false;
        }
        size_t size = strcspn(written, "\n\x1b");
        rows += 1 + (unsigned)(size == 0 ? 0 : (size - 1) / COLUMNS_MAX);
        is_under = is_under || size == 0;
        if (rows > ROWS_MAX || (!is_under && size > COLUMNS_MAX))
            fail_msg("row %u, %zu columns: %.*s", rows, size, (int)size, written);
        written += size + (written[size] == '\n');
    }
}

/* Whole tables of any size from a pipe, up to the result, and every picture fits in 80 x 24. */
static void tables_are_played_to_their_end_from_a_pipe(void **unused) {
    (void)unused;
    enum { TURNS = 45 };
    struct buf typed = {0};
    script_write(&typed, TURNS);
    for (unsigned seats = 1; seats <= RENAISSANCE_SEATS_MAX; seats++) {
        enum play_seat seat = (enum play_seat)(seats - 1);
        struct play_settings settings = {.clears = true, .is_ascii = true, .seat = seat};
        char *written = play(settings, seats, buf_text(&typed));
        assert_fits_terminal(written);
        const char *end = strstr(written, "You have ");
        assert_non_null(end);
        assert_non_null(strstr(end, seats == 1 ? "(R35), with " : "the points are "));
        assert_non_null(strstr(written, "Another one?"));
        free(written);
    }
    buf_free(&typed);
}

static void others_are_seen_without_their_secrets(void **unused) {
    (void)unused;
    char *written = play((struct play_settings){0}, 3, "");
    assert_non_null(strstr(written, "\n2 bot: 0 p, faith 0, 0 cards, "));
    assert_non_null(strstr(written, "\n3 bot: 0 p, faith 1, 0 cards, "));
    unsigned leaders = 0;
    for (const char *at = written; (at = strstr(at, " hand  L")) != NULL; at++)
        leaders++;
    assert_int_equal(leaders, RENAISSANCE_LEADERS_DEALT);
    free(written);
}

static void colours_are_kept_apart(void **unused) {
    (void)unused;
    char *written = play((struct play_settings){.has_color = true}, 1, "");
    assert_non_null(strstr(written, "\x1b[38;5;141mPURPLE"));
    free(written);
    written = play((struct play_settings){.is_ascii = true}, 2, "help\nquit\n");
    for (const char *byte = written; *byte != '\0'; byte++)
        assert_true(*byte == '\n' || (*byte >= ' ' && *byte <= '~'));
    assert_non_null(strstr(written, "c coins, t stones, v servants, d shields"));
    free(written);
}

static void help_fits_in_80_columns_and_names_undo(void **unused) {
    (void)unused;
    char *written = play((struct play_settings){.seed = INT32_MAX, .is_ascii = true}, 4, "help\nquit\n");
    assert_non_null(strstr(written, "\nundo     takes back"));
    for (char *line = strtok(written, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(line, " > ") == NULL) /* a prompt, with what comes after the answer */
            assert_true(strlen(line) <= 80);
    free(written);
    assert_writes(1, "keep L005 L007\nrow 0\nundo\n", "Pending: keep L005 L007\n");
}

static void resigning_alone_names_no_bot(void **unused) {
    (void)unused;
    assert_writes(1, "resign\n", "You have resigned.\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_are_typed_in_short),
        cmocka_unit_test(refusals_name_their_rule),
        cmocka_unit_test(tables_are_played_to_their_end_from_a_pipe),
        cmocka_unit_test(others_are_seen_without_their_secrets),
        cmocka_unit_test(colours_are_kept_apart),
        cmocka_unit_test(help_fits_in_80_columns_and_names_undo),
        cmocka_unit_test(resigning_alone_names_no_bot),
    };
    return cmocka_run_group_tests_name("play_renaissance", tests, NULL, NULL);
}
