/* Who plays Eriantys: the bot, and a person at a terminal with a script. */
#include "eriantys_world.h"
#include "terminal.h"

#include "base/buf.h"
#include "bots/eriantys_bot.h"
#include "cli/play.h"

/* Plays a table with this bot for the team of one seat and the other for the rest; every action must be
 * legal. */
static struct eriantys table_play(unsigned seats, enum eriantys_mode mode, unsigned side, struct bot *bot,
                                  struct bot *other, uint64_t seed) {
    struct eriantys e = world_setup(seats, mode);
    struct rng rng;
    seat_set set;
    rng_seed(&rng, seed);
    while ((set = game->turn(state_of(&e))) != 0) {
        struct action action;
        unsigned seat = (unsigned)__builtin_ctz(set);
        if (seat == SEAT_CHANCE)
            game->sample(state_of(&e), seat, &rng, &action);
        else
            bot_choose(eriantys_team(&e, seat) == eriantys_team(&e, side) ? bot : other,
                       (struct game_view *)&e, seat, &rng, &action);
        assert_int_equal(game->check(state_of(&e), seat, &action), ERR_OK);
        game->apply(state_of(&e), seat, &action);
    }
    return e;
}

static unsigned tables_won(unsigned seats, enum eriantys_mode mode, struct bot *bot, struct bot *other,
                           unsigned tables) {
    unsigned won = 0;
    for (unsigned i = 0; i < tables; i++) {
        unsigned side = i % seats;
        struct eriantys e = table_play(seats, mode, side, bot, other, i + 1);
        won += (eriantys_winners(&e) & SEAT_BIT(side)) != 0;
    }
    return won;
}

static void the_bot_beats_random_play_at_every_table(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(game, 1), *other = bot_open(&random_bot_kind, game, 1);
    assert_string_equal(bot->kind->name, "eriantys");
    for (unsigned seats = 2; seats <= 4; seats++) {
        assert_int_equal(tables_won(seats, ERIANTYS_NORMAL, bot, other, seats), seats);
        assert_int_equal(tables_won(seats, ERIANTYS_EXPERT, bot, other, seats), seats);
    }
    bot_close(bot);
    bot_close(other);
}

static void more_thinking_wins_more(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(game, 3), *other = bot_for_game(game, 1);
    assert_true(tables_won(2, ERIANTYS_EXPERT, bot, other, 6) >= 5);
    bot_close(bot);
    bot_close(other);
}

static void the_bot_does_the_same_again(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(game, 1);
    struct eriantys first = table_play(3, ERIANTYS_EXPERT, 0, bot, bot, 5),
                    again = table_play(3, ERIANTYS_EXPERT, 0, bot, bot, 5);
    assert_memory_equal(&first, &again, sizeof first);
    bot_close(bot);
}

static void the_bot_takes_the_last_tower(void **unused) {
    (void)unused;
    struct bot *bot = bot_for_game(game, 1);
    struct eriantys e = world_new(2);
    struct rng rng;
    struct action action;
    rng_seed(&rng, 1);
    groups_set(&e, "7113", "0..1");
    dining_set(&e, 0, "BB");
    island_set(&e, 8, "B");
    plan(&e, 5);
    students_away(&e);
    bot_choose(bot, (struct game_view *)&e, 0, &rng, &action);
    game->apply(state_of(&e), 0, &action);
    assert_int_equal(e.end, ERIANTYS_BY_TOWERS);
    bot_close(bot);
}

/* What the program writes when these lines are typed; to be freed. */
static char *played(struct play_settings settings, unsigned seats, enum eriantys_mode mode,
                    const char *typed) {
    static char *written;
    static size_t size;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"), *out = open_memstream(&written, &size);
    settings.game = game;
    settings.options = game_options_default(game, seats);
    settings.options.value[ERIANTYS_OPTION_MODE] = (int32_t)mode;
    settings.level = 1;
    assert_int_equal(play_run(&settings, in, out), 0);
    fclose(in);
    fclose(out);
    return written;
}

static void assert_writes(const char *typed, const char *expected) {
    char *written = played((struct play_settings){.seed = 1}, 2, ERIANTYS_EXPERT, typed);
    if (strstr(written, expected) == NULL)
        terminal_unwrap(written);
    if (strstr(written, expected) == NULL)
        fail_msg("after '%s' there is no '%s' in:\n%s", typed, expected, written);
    free(written);
}

static void actions_are_typed_in_short_or_as_texts(void **unused) {
    (void)unused;
    static const char *const threes[] = {"a3\n", "A3\n", "assistant 3\n", " assistant  3 \n"};
    for (size_t i = 0; i < sizeof threes / sizeof *threes; i++)
        assert_writes(threes[i], "Pending: assistant 3\nComplete.");
    assert_writes("a11\n", "'a11': assistants have the values 1 to 10 (eriantys R2).");
    assert_writes("b4\n", "'b4': in the planning phase assistants are played, nothing else (eriantys R7).");
    assert_writes("nonsense\n", "'nonsense': the text is not an action of this game.");
    assert_writes("a3\nundo\na4\n", "Pending: assistant 4\n");
    assert_writes("a1\n\n", "Your turn: student 1 of 3: ");
    /* Some of the five colours are there, whatever chance has drawn. */
    assert_writes("a1\n\nb4\nf4\ng4\nr4\ny4\nB 4\n", "Pending: student ");
    assert_writes("help\n", "pays the character 7");
}

/* Everything that could be possible, again and again, so that the table comes to its end. */
static char *played_out(struct play_settings settings, unsigned seats, enum eriantys_mode mode) {
    struct buf typed = {0};
    for (unsigned round = 0; round < ERIANTYS_ROUNDS_MAX; round++) {
        for (unsigned value = 1; value <= ERIANTYS_ASSISTANTS; value++)
            buf_printf(&typed, "a%u\n", value);
        buf_append_text(&typed, "\np7\nswap in b\nswap out b\n\n");
        for (unsigned student = 0; student < 4; student++)
            for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
                buf_printf(&typed, "%c%u\n", "BFGRY"[color], round % 2 == 0 ? 4 : student);
        for (unsigned island = 0; island < ERIANTYS_ISLANDS; island++)
            buf_printf(&typed, "m%u\n", island);
        buf_append_text(&typed, "c0, c1\nc1\nc2\nc3\n\n");
    }
    char *written = played(settings, seats, mode, buf_text(&typed));
    buf_free(&typed);
    return written;
}

static void a_table_is_played_to_its_end_with_the_reason(void **unused) {
    (void)unused;
    for (unsigned seats = 2; seats <= 4; seats++) {
        char *written = played_out((struct play_settings){.seed = seats, .seat = PLAY_SECOND}, seats,
                                   seats == 3 ? ERIANTYS_EXPERT : ERIANTYS_NORMAL);
        char *won = strstr(written, "You have won: "), *lost = strstr(written, "You have lost: ");
        assert_true(won != NULL || lost != NULL);
        const char *reason = won != NULL ? won : lost;
        assert_non_null(strstr(reason, "(R"));
        assert_non_null(strstr(reason, "; towers "));
        assert_true(strcspn(reason, "\n") <= 80);
        free(written);
    }
}

/* The longest line of a text. */
static size_t columns_of(const char *text) {
    size_t columns = 0, longest = 0;
    for (; *text != '\0'; text++) {
        columns = *text == '\n' ? 0 : columns + ((*text & 0xc0) != 0x80);
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

/* Also what all bots have done, and the help. */
static void lines_fit_the_terminal(void **unused) {
    (void)unused;
    for (unsigned seats = 2; seats <= 4; seats++) {
        char *written = played((struct play_settings){.seed = 1, .echoes = true}, seats, ERIANTYS_EXPERT,
                               "a10\n\nhelp\n");
        assert_non_null(strstr(written, "bot 2 plays the assistant "));
        assert_true(columns_of(written) <= 80);
        free(written);
    }
}

/* The picture has room in 24 rows with its prompt, also where a line is wrapped. */
static void the_picture_fits_the_terminal(void **unused) {
    (void)unused;
    for (unsigned seats = 2; seats <= 4; seats += 2) {
        char *written = played_out((struct play_settings){.seed = 7, .clears = true}, seats, ERIANTYS_EXPERT);
        unsigned rows = 1, columns = 0;
        for (const char *byte = written; *byte != '\0'; byte++) {
            bool is_new = strncmp(byte, "\x1b[H\x1b[2J", 7) == 0;
            byte += is_new ? 6 : 0;
            rows = is_new ? 1 : rows + (*byte == '\n' || columns == 80);
            columns = *byte == '\n' || is_new || columns == 80 ? 0 : columns + ((*byte & 0xc0) != 0x80);
            assert_true(rows <= 24);
        }
        free(written);
    }
}

static void the_picture_is_plain_or_in_colours(void **unused) {
    (void)unused;
    char *written = played_out((struct play_settings){.seed = 4, .is_ascii = true}, 3, ERIANTYS_EXPERT);
    for (const char *byte = written; *byte != '\0'; byte++)
        assert_true(*byte == '\n' || (*byte >= ' ' && *byte <= '~'));
    assert_non_null(strstr(written, "w white  b black  g grey"));
    free(written);
    written = played((struct play_settings){.seed = 4}, 2, ERIANTYS_NORMAL, "quit\n");
    assert_null(strchr(written, '\x1b'));
    assert_non_null(strstr(written, "○ white  ● black"));
    free(written);
    written = played((struct play_settings){.seed = 4, .has_color = true}, 2, ERIANTYS_NORMAL, "quit\n");
    assert_non_null(strstr(written, "\x1b[38;5;"));
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bot_beats_random_play_at_every_table),
        cmocka_unit_test(more_thinking_wins_more),
        cmocka_unit_test(the_bot_does_the_same_again),
        cmocka_unit_test(the_bot_takes_the_last_tower),
        cmocka_unit_test(actions_are_typed_in_short_or_as_texts),
        cmocka_unit_test(a_table_is_played_to_its_end_with_the_reason),
        cmocka_unit_test(lines_fit_the_terminal),
        cmocka_unit_test(the_picture_fits_the_terminal),
        cmocka_unit_test(the_picture_is_plain_or_in_colours),
    };
    return cmocka_run_group_tests_name("eriantys players", tests, NULL, NULL);
}
