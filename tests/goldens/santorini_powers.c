/* Holds the golden games of Santorini against their purpose: DIR/santorini-GOD.txt is a game in which the
 * power of that god is used. Whether it is used is found by taking the power away: then an action of its
 * owner is not legal any more, or an opponent has other steps; the few that win, draw or take builders are
 * told by that.
 *
 * With --write it looks for such games and writes those that are missing; `make goldens` then adds results
 * and views.
 *
 * usage: santorini_powers [--write] DIR */
#include "base/buf.h"
#include "bots/bots.h"
#include "game/playout.h"
#include "game/replay.h"
#include "games/santorini/santorini.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/param.h>

enum {
    FILE_BYTES_MAX = 1 << 16,
    GAMES_MAX = 200000, /* tried for one god */
    FOUND_ENOUGH = 12,  /* of which the shortest is kept */
    BOT_GAMES = 60,     /* before chance plays instead of bots */
    BOT_NODES = 60,
};

static unsigned owner_of(const struct santorini *s, enum santorini_god god) {
    unsigned seat = 0;
    while (seat < s->seat_count && s->card[seat] != god)
        seat++;
    return seat;
}

static struct santorini without(const struct santorini *s, unsigned seat) {
    struct santorini other = *s;
    other.card[seat] = GOD_NONE;
    other.is_stolen = 0;
    return other;
}

/* The action is one of the owner that only the power allows. */
static bool is_allowed_by(const struct santorini *s, unsigned owner, unsigned seat,
                          const struct action *action) {
    struct santorini other = without(s, owner);
    if (seat != owner)
        return false;
    return action->kind == SANTORINI_ACT_BORROW ||
           santorini_game.check((const struct game_state *)&other, seat, action) != ERR_OK;
}

/* An opponent of the owner has fewer steps than there would be otherwise. */
static bool is_hindered_by(const struct santorini *s, unsigned owner) {
    struct santorini_steps now, otherwise;
    struct santorini other = without(s, owner);
    if (s->mover == owner)
        return false;
    santorini_steps(s, &now);
    santorini_steps(&other, &otherwise);
    return memcmp(&now, &otherwise, sizeof now) != 0;
}

static bool takes_a_builder(const struct santorini *s, unsigned owner, const struct action *action,
                            const struct santorini *after) {
    struct santorini_effect effects[SANTORINI_EFFECTS_MAX];
    size_t count = santorini_effects(s, action, after, effects);
    for (size_t i = 0; i < count; i++)
        if (effects[i].kind == EFFECT_GONE && s->mover == owner && effects[i].seat != owner)
            return true;
    return false;
}

/* Whether this action, from this state to that one, shows the power. */
static bool is_used(enum santorini_god god, const struct santorini *s, unsigned seat,
                    const struct action *action, const struct santorini *after) {
    unsigned owner = owner_of(s, god);
    if (owner == s->seat_count || !santorini_is_alive(s, owner))
        return false;
    if (god == GOD_CHAOS)
        return action->kind == SANTORINI_ACT_DRAW && s->turns > 0;
    if (s->phase != SANTORINI_TURN)
        return false;
    switch (god) {
    case GOD_PAN:
    case GOD_EROS:
    case GOD_CHRONUS:
        return after->phase == SANTORINI_OVER && after->end == SANTORINI_BY_POWER && after->winner == owner;
    case GOD_BIA:
    case GOD_MEDUSA: return takes_a_builder(s, owner, action, after);
    case GOD_HERA: {
        unsigned to = action->arg[1];
        return seat != owner && action->kind == SANTORINI_ACT_MOVE && s->led_seat == SANTORINI_NOBODY &&
               santorini_height(s, to) == SANTORINI_HEIGHT_MAX &&
               santorini_height(s, santorini_cell(s, action->arg[0])) < SANTORINI_HEIGHT_MAX &&
               after->phase != SANTORINI_OVER;
    }
    case GOD_ATHENA:
    case GOD_APHRODITE:
    case GOD_HYPNUS:
    case GOD_LIMUS:
    case GOD_PERSEPHONE: return is_hindered_by(s, owner);
    default: return is_allowed_by(s, owner, seat, action);
    }
}

struct showing {
    enum santorini_god god;
    size_t uses;
};

static void action_look(void *context, const struct replay *r, unsigned seat, const struct action *action) {
    struct showing *showing = context;
    struct santorini after = *santorini_of(r->state);
    santorini_game.apply((struct game_state *)&after, seat, action);
    showing->uses += is_used(showing->god, santorini_of(r->state), seat, action, &after);
}

static void path_of(const char *directory, enum santorini_god god, char path[MAXPATHLEN]) {
    int size = snprintf(path, MAXPATHLEN, "%s/santorini-", directory);
    for (const char *name = santorini_god_name(god); *name != '\0'; name++)
        path[size++] = (char)tolower((unsigned char)*name);
    snprintf(path + size, (size_t)(MAXPATHLEN - size), ".txt");
}

static bool golden_check(const char *path, enum santorini_god god) {
    static char text[FILE_BYTES_MAX];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    struct replay r;
    struct showing showing = {god, 0};
    enum err e = replay_run_each(&r, span_make(text, size), action_look, &showing);
    replay_free(&r);
    return e == ERR_OK && showing.uses > 0;
}

/* One game with the god at seat 0 and others by chance; its text, and in which action the power is used. */
static size_t game_try(enum santorini_god god, unsigned seats, struct bot *bot, struct rng *rng,
                       struct buf *out, size_t *plies) {
    struct game_options options = game_options_default(&santorini_game, seats);
    struct santorini s, after;
    size_t used = 0;
    seat_set set;
    if (santorini_game.setup((struct game_state *)&s, &options) != ERR_OK)
        return 0;
    replay_write_head(out, &santorini_game, &options);
    for (*plies = 0; (set = santorini_game.turn((struct game_state *)&s)) != 0; s = after) {
        struct action action;
        unsigned seat = playout_seat(set, rng);
        santorini_game.sample((struct game_state *)&s, seat, rng, &action);
        if (s.phase == SANTORINI_OFFER && s.offered_count == 0)
            action = santorini_action(SANTORINI_ACT_OFFER, god, 0);
        if (s.phase == SANTORINI_TURN && bot != NULL)
            bot_choose(bot, (const struct game_view *)&s, seat, rng, &action);
        replay_write_action(out, &santorini_game, (struct game_state *)&s, seat, &action);
        after = s;
        santorini_game.apply((struct game_state *)&after, seat, &action);
        ++*plies;
        if (used == 0 && is_used(god, &s, seat, &action, &after))
            used = *plies;
    }
    return used;
}

static bool golden_write(const char *path, enum santorini_god god) {
    struct buf text = {0}, best = {0};
    size_t best_plies = SIZE_MAX, best_used = 0, plies;
    unsigned found = 0, seats = god % 3 == 0 && santorini_god_fits(god, 3) ? 3 : 2;
    struct bot *bot = bot_for_game(&santorini_game, 2);
    struct rng rng;
    bot->nodes_max = BOT_NODES;
    rng_seed(&rng, god);
    for (unsigned i = 0; i < GAMES_MAX && found < FOUND_ENOUGH; i++) {
        buf_clear(&text);
        size_t used = game_try(god, seats, i < BOT_GAMES ? bot : NULL, &rng, &text, &plies);
        if (used == 0)
            continue;
        found++;
        if (plies < best_plies) {
            best_plies = plies;
            best_used = used;
            buf_clear(&best);
            buf_append(&best, buf_span(&text));
        }
    }
    FILE *file = found == 0 ? NULL : fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "# A game with %s, whose power shows first in action %zu.\n%.*s",
                santorini_god_name(god), best_used, (int)best.size, best.data);
        fclose(file);
    }
    bot_close(bot);
    buf_free(&text);
    buf_free(&best);
    return file != NULL;
}

int main(int argc, char **argv) {
    bool is_write = argc == 3 && strcmp(argv[1], "--write") == 0;
    int failures = 0;
    if (argc != 2 && !is_write) {
        fprintf(stderr, "usage: santorini_powers [--write] DIR\n");
        return 2;
    }
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++) {
        char path[MAXPATHLEN];
        path_of(argv[argc - 1], (enum santorini_god)god, path);
        bool is_good = golden_check(path, (enum santorini_god)god);
        if (!is_good && is_write)
            is_good = golden_write(path, (enum santorini_god)god);
        failures += !is_good;
        printf("%sok %u - %s\n", is_good ? "" : "not ", god, santorini_god_name((enum santorini_god)god));
        fflush(stdout);
    }
    printf("1..%d\n", GOD_COUNT - 1);
    return failures == 0 ? 0 : 1;
}
