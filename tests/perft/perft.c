/* Counts the trees in the files tests/perft/GAME.txt and holds them against the numbers there.
 *
 * A file is a list of positions with their counts. A position is a game in the form of game/replay.h up to
 * some action; after it come lines "perft TURNS COUNT". The next position begins with the next line "game":
 *
 *     game paper-soccer 1
 *     perft 1 8
 *     perft 2 56
 *     game paper-soccer 1
 *     0 N
 *     perft 1 7
 *
 * Every count is made by the game's own perft, and by the stock one, which knows nothing but turn, legal and
 * apply, when it is not above STOCK_LEAVES_MAX.
 *
 * usage: perft FILE... */
#include "game/perft.h"
#include "base/buf.h"
#include "base/mem.h"
#include "game/replay.h"

#include <inttypes.h>
#include <stdio.h>

enum { STOCK_LEAVES_MAX = 100 * 1000, LINE_BYTES_MAX = 1024 };

struct counter {
    const char *file;
    unsigned line;
    struct buf text;      /* of the position, up to its first perft line */
    struct replay replay; /* of that text, once there was one */
    bool is_placed;
    unsigned cases, failures;
};

static void report(struct counter *c, bool is_good, const char *what, unsigned turns) {
    c->cases++;
    c->failures += !is_good;
    printf("%sok %u - %s:%u %s, %u turns\n", is_good ? "" : "not ", c->cases, c->file, c->line, what, turns);
}

static void position_drop(struct counter *c) {
    if (c->is_placed)
        replay_free(&c->replay);
    c->is_placed = false;
    buf_clear(&c->text);
}

/* Plays the position at its first perft line. */
static bool position_place(struct counter *c) {
    if (c->is_placed)
        return true;
    /* A position without an action is set up by its head alone only when something follows it. */
    enum err e = replay_run(&c->replay, buf_span(&c->text));
    if (e == ERR_FIELD_MISSING && c->replay.game != NULL) {
        c->replay.state = game_state_alloc(c->replay.game);
        e = c->replay.game->setup(c->replay.state, &c->replay.options);
    }
    c->is_placed = true;
    if (e != ERR_OK)
        printf("# %s: the position before line %u, its line %zu: %s\n", c->file, c->line, c->replay.line,
               game_refusal(c->replay.game, e)->sentence);
    return e == ERR_OK;
}

static void count_line(struct counter *c, const char *line) {
    unsigned turns = 0;
    uint64_t expected = 0;
    if (sscanf(line, "perft %u %" SCNu64, &turns, &expected) != 2 || !position_place(c)) {
        report(c, false, "cannot be read", turns);
        return;
    }
    const struct game *game = c->replay.game;
    uint64_t count = game->perft(game, c->replay.state, turns);
    if (count != expected)
        printf("# %s:%u: %" PRIu64 " sequences, not %" PRIu64 "\n", c->file, c->line, count, expected);
    report(c, count == expected, "own perft", turns);
    if (expected <= STOCK_LEAVES_MAX)
        report(c, perft_turns(game, c->replay.state, turns) == expected, "stock perft", turns);
}

static void count_file(struct counter *c, FILE *file) {
    char line[LINE_BYTES_MAX];
    for (c->line = 1; fgets(line, sizeof line, file) != NULL; c->line++) {
        if (strncmp(line, "perft ", 6) == 0) {
            count_line(c, line);
            continue;
        }
        if (strncmp(line, "game ", 5) == 0)
            position_drop(c);
        buf_append_text(&c->text, line);
    }
    position_drop(c);
    buf_free(&c->text);
}

int main(int argc, char **argv) {
    struct counter c = {0};
    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        unsigned before = c.cases;
        FILE *file = fopen(argv[i], "r");
        c.file = slash == NULL ? argv[i] : slash + 1;
        if (file != NULL) {
            count_file(&c, file);
            fclose(file);
        }
        if (c.cases == before)
            report(&c, false, "has no counts", 0);
    }
    printf("1..%u\n", c.cases);
    return c.cases > 0 && c.failures == 0 ? 0 : 1;
}
