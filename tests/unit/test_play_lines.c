/* Playing in the terminal: no line is wider than 80 columns, in any game, and the person is told what a card
 * does before it is chosen, who the partner is, and what the others did. */
#include "tests.h"

#include "base/buf.h"
#include "cli/play.h"
#include "cli/play_text.h"

enum { BLOCKS = 60, REFUSED_WORD_BYTES = 300 };

/* What the program writes when these lines are typed; to be freed. Inlined, gcc 12 takes the text for the
 * variable that points to it (-Wdangling-pointer). */
static __attribute__((noinline)) char *play(const struct play_settings *settings, const char *typed) {
    char *written = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    assert_int_equal(play_run(settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static struct play_settings settings_of(const char *game, unsigned seats) {
    const struct game *g = game_by_name(span_of(game));
    return (struct play_settings){
        .game = g, .options = game_options_default(g, seats), .level = 1, .seed = 7, .echoes = true};
}

static void assert_says(const struct play_settings *settings, const char *typed, const char *expected) {
    char *written = play(settings, typed);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

/* Whatever can be typed in the game, whether it is right now or not. */

static void soccer_block(struct buf *typed) {
    buf_append_text(typed, "0\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\nundo all\n");
}

static void hunt_block(struct buf *typed) {
    buf_append_text(typed, "W\nA\nS\nD\nd\nw\na\ns\nAAWW\n");
}

static void santorini_block(struct buf *typed) {
    buf_append_text(typed, "unknown\n\n\n\natlas\npan\nminotaur\ndemeter\n0\nwhite\nMAGENTA\n");
    for (unsigned cell = 0; cell < 25; cell++)
        buf_printf(typed, "%u%u\nm 1 %u%u\n", cell / 5, cell % 5, cell / 5, cell % 5);
    buf_append_text(typed, "end\n");
}

static void eriantys_block(struct buf *typed) {
    static const char letters[] = "BFGRY";
    for (unsigned i = 1; i <= 10; i++)
        buf_printf(typed, "a%u\n\n", i);
    for (unsigned i = 1; i <= 12; i++)
        buf_printf(typed, "p%u\n", i);
    for (unsigned i = 0; i < 5; i++)
        buf_printf(typed, "swap in %c\nswap out %c\nignore %c\nreturn %c\nprincess %c\nmonk %c 3\n%cd\n%c4\n",
                   letters[i], letters[i], letters[i], letters[i], letters[i], letters[i], letters[i],
                   letters[i]);
    buf_append_text(typed, "herald 3\nban 4\n");
    for (unsigned i = 0; i < 12; i++)
        buf_printf(typed, "m%u\n", i);
    buf_append_text(typed, "c0\n\nc1\n\nc2\n\nc3\n\n");
}

static void renaissance_block(struct buf *typed) {
    for (unsigned a = 1; a <= 15; a++)
        for (unsigned b = a + 1; b <= 16; b++)
            buf_printf(typed, "keep L%03u L%03u\n", a, b);
    for (unsigned round = 0; round < 6; round++) {
        buf_append_text(typed, "put c 0\nput t 1\nbase c t v\nbase t t c\nbase v d c\nrun\npay\npay\npay\n");
        for (unsigned slot = 0; slot < 3; slot++)
            buf_printf(
                typed,
                "card %u\nrun\npay\npay\nbuy purple 1 %u\nbuy green 1 %u\nbuy yellow 2 %u\npay\npay\npay\n",
                slot, slot, slot, slot);
        for (unsigned leader = 1; leader <= 16; leader++)
            buf_printf(typed, "play L%03u\n", leader);
        buf_printf(typed,
                   "row %u\nc\nt\nv\nd\ncc\ntt\nvv\ndd\n-\n-\n-\ncolumn %u\nc\nt\nv\nd\n-\n-\n-\nend\n",
                   round % 3, round % 4);
    }
}

static void plain_block(struct buf *typed) {
    buf_append_text(typed, "anything\n");
}

static void (*block_of(const struct game *game))(struct buf *) {
    static const struct {
        const char *name;
        void (*block)(struct buf *);
    } blocks[] = {{"paper-soccer", soccer_block},
                  {"treasure-hunt", hunt_block},
                  {"santorini", santorini_block},
                  {"eriantys", eriantys_block},
                  {"renaissance", renaissance_block}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strcmp(blocks[i].name, game->name) == 0)
            return blocks[i].block;
    return plain_block;
}

/* The typed word counts only as far as the program repeats it in a sentence. */
static void assert_narrow(const struct game *game, const char *written, struct span echoed) {
    for (struct span rest = span_of(written); rest.size > 0;) {
        struct span line = text_line(&rest);
        if (echoed.size > 0 && line.size >= echoed.size &&
            memcmp(line.data + line.size - echoed.size, echoed.data, echoed.size) == 0)
            line.size -= echoed.size;
        if (text_columns(line) > TERMINAL_COLUMNS)
            fail_msg("%s: %zu columns: %.*s", game->name, text_columns(line), (int)line.size, line.data);
    }
}

/* With commands and nonsense in between, to the end or until there is no more to type. */
static void assert_game_narrow(const struct play_settings *settings) {
    struct buf typed = {0};
    char nonsense[REFUSED_WORD_BYTES];
    memset(nonsense, 'x', sizeof nonsense - 1);
    nonsense[sizeof nonsense - 1] = '\0';
    for (unsigned i = 0; i < BLOCKS; i++) {
        block_of(settings->game)(&typed);
        buf_append_text(&typed, i % 20 == 3 ? "help\nnews\n\xe6\xbc\xa2\xe5\xad\x97\n" : "");
    }
    char *written = play(settings, buf_text(&typed));
    assert_narrow(settings->game, written, SPAN(""));
    free(written);
    buf_clear(&typed);
    buf_printf(&typed, "%s\nquit\n", nonsense);
    written = play(settings, buf_text(&typed));
    assert_narrow(settings->game, written, span_of(nonsense));
    free(written);
    buf_free(&typed);
}

static void no_line_is_wider_than_80_columns(void **unused) {
    (void)unused;
    for (size_t i = 0; games[i] != NULL; i++)
        for (unsigned seats = games[i]->seats_min; seats <= games[i]->seats_max; seats++) {
            struct play_settings settings = settings_of(games[i]->name, seats);
            settings.seed = INT32_MAX;
            settings.has_color = seats % 2 == 0;
            settings.is_ascii = seats == 3;
            assert_game_narrow(&settings);
            if (games[i]->options[0].words == NULL || strcmp(games[i]->name, "treasure-hunt") == 0)
                continue;
            settings.options.value[0] = !settings.options.value[0];
            settings.seat = (enum play_seat)(seats - 1);
            assert_game_narrow(&settings);
        }
}

static void characters_are_wide_or_nothing(void **unused) {
    (void)unused;
    assert_int_equal(text_columns(SPAN("a\x1b[1;93mb\x1b[0m")), 2);
    assert_int_equal(text_columns(SPAN("\xe6\xbc\xa2\xe5\xad\x97")), 4);
    assert_int_equal(text_columns(SPAN("e\xcc\x81")), 1);
    struct buf out = {0};
    text_wrap(&out, SPAN("one two three\nfour"), 8, 2);
    assert_string_equal(buf_text(&out), "one two\n  three\nfour");
    buf_clear(&out);
    text_wrap(&out, SPAN("abcdefghij"), 4, 1);
    assert_string_equal(buf_text(&out), "abcd\n efg\n hij");
    buf_free(&out);
}

/* Before a card is chosen its text is there. */
static void cards_say_what_they_do(void **unused) {
    (void)unused;
    struct play_settings santorini = settings_of("santorini", 2);
    assert_says(&santorini, "2000-05-05\n", "Apollo       A builder of yours may enter the cell of an");
    assert_says(&santorini, "2000-05-05\n\n\n\n\n", "Zeus  ");
    assert_says(&santorini, "2000-05-05\natlas pan\n", "You may build a dome at any height");
    struct play_settings eriantys = settings_of("eriantys", 2);
    assert_int_equal(game_options_set(eriantys.game, &eriantys.options, "mode", "expert"), ERR_OK);
    eriantys.seed = 5;
    assert_says(&eriantys, "", "Messenger, 1$: mother nature may go up to two islands further this turn\n");
    struct play_settings renaissance = settings_of("renaissance", 3);
    renaissance.seed = 5;
    assert_says(&renaissance, "", " hand  L003 2 p: cards cost 1 stone less; needs 1 GREEN, 1 BLUE\n");
    assert_says(&renaissance, "",
                " hand  L013 4 p: 1 shield makes 1 of any and 1 faith; needs 1 YELLOW of level 2\n");
}

static void partners_are_named(void **unused) {
    (void)unused;
    struct play_settings four = settings_of("eriantys", 4), three = settings_of("eriantys", 3);
    assert_says(&four, "", "Partners: you and bot 3 (white); bot 2 and bot 4 (black)\n");
    four.seat = PLAY_SECOND;
    assert_says(&four, "", "Partners: bot 1 and bot 3 (white); you and bot 4 (black)\n");
    char *written = play(&three, "");
    assert_null(strstr(written, "Partners"));
    free(written);
}

/* What the others did since the last own turn, a line for each action; not what is older. */
static void what_bots_did_is_told(void **unused) {
    (void)unused;
    struct play_settings santorini = settings_of("santorini", 2);
    static const char set_up[] = "2000-05-05\natlas limus\nlimus\natlas\n0\nwhite\n00 44\n";
    char typed[200];
    assert_says(&santorini, set_up, "the bot places a builder on ");
    snprintf(typed, sizeof typed, "%s%s", set_up, "m 1 01, b 00\n");
    char *written = play(&santorini, typed), *last = strstr(written, "Your turn: move 1 to");
    assert_non_null(last);
    assert_non_null(strstr(last, "the bot moves builder "));
    assert_non_null(strstr(last, "the bot builds level 1 on "));
    assert_null(strstr(last, "places a builder"));
    free(written);
    struct play_settings eriantys = settings_of("eriantys", 2);
    assert_says(&eriantys, "a1\n\nnews\n", "bot 2 plays the assistant ");
    struct play_settings renaissance = settings_of("renaissance", 2);
    renaissance.seat = PLAY_SECOND;
    written = play(&renaissance, "news\n");
    assert_non_null(strstr(written, "Since your last turn:\nbot 1 keeps two leaders\n"));
    free(written);
    assert_says(&eriantys, "news\n", "Nobody has done anything since your last turn.\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_wide_or_nothing), cmocka_unit_test(no_line_is_wider_than_80_columns),
        cmocka_unit_test(cards_say_what_they_do),         cmocka_unit_test(partners_are_named),
        cmocka_unit_test(what_bots_did_is_told),
    };
    return cmocka_run_group_tests_name("play_lines", tests, NULL, NULL);
}
