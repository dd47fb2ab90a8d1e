/* The bot that plays any legal action with the same chance: the opponent for first tests, and the yardstick
 * for all other bots. */
#include "base/mem.h"
#include "bots/bots.h"

struct random_bot {
    struct bot bot;
    struct game_state *world; /* what it imagines behind the view; owned */
};

static struct bot *random_open(const struct game *game, unsigned level) {
    (void)level;
    struct random_bot *r = mem_alloc(sizeof *r);
    r->world = game_state_alloc(game);
    r->bot.nodes_max = 1;
    return &r->bot;
}

static void random_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                          struct action *out) {
    struct random_bot *r = (struct random_bot *)bot;
    memcpy(r->world, view, bot->game->state_size);
    bot->game->imagine((struct game_view *)r->world, seat, rng);
    bot->game->sample(r->world, seat, rng, out);
}

static void random_close(struct bot *bot) {
    struct random_bot *r = (struct random_bot *)bot;
    mem_free(r->world);
    mem_free(r);
}

const struct bot_kind random_bot_kind = {"random",     NULL, random_open, random_choose,
                                         random_close, NULL, NULL};
