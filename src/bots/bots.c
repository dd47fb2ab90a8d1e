#include "bots/bots.h"

#include "base/mem.h"

#include <assert.h>

#define ENTRY(name) extern const struct bot_kind name;
#include "bots/bot_list.h"
#undef ENTRY

/* From src/bots/meson.build. A kind for one game stands before those for all. */
#define ENTRY(name) &name,
const struct bot_kind *const bot_kinds[] = {
#include "bots/bot_list.h"
    NULL,
};
#undef ENTRY

static bool kind_plays(const struct bot_kind *kind, const struct game *game) {
    return kind->game == NULL || kind->game == game;
}

const struct bot_kind *bot_kind_by_name(struct span name, const struct game *game) {
    for (size_t i = 0; bot_kinds[i] != NULL; i++)
        if (span_is(name, bot_kinds[i]->name) && kind_plays(bot_kinds[i], game))
            return bot_kinds[i];
    return NULL;
}

struct bot *bot_open(const struct bot_kind *kind, const struct game *game, unsigned level) {
    assert(kind_plays(kind, game) && level >= BOT_LEVEL_MIN && level <= BOT_LEVEL_MAX);
    struct bot *bot = kind->open(game, level);
    bot->kind = kind;
    bot->game = game;
    bot->level = level;
    return bot;
}

struct bot *bot_for_game(const struct game *game, unsigned level) {
    size_t i = 0;
    while (!kind_plays(bot_kinds[i], game))
        i++;
    return bot_open(bot_kinds[i], game, level);
}

/* An action without a thought. */
static void bot_slip(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                     struct action *out) {
    if (bot->slip_world == NULL)
        bot->slip_world = game_state_alloc(bot->game);
    memcpy(bot->slip_world, view, bot->game->state_size);
    bot->game->imagine((struct game_view *)bot->slip_world, seat, rng);
    bot->game->sample(bot->slip_world, seat, rng, out);
}

void bot_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                struct action *out) {
    bot_begin_choice(bot);
    bot->thought = (struct bot_thought){0};
    if (bot->slips > 0 && rng_below(rng, 1000) < bot->slips)
        bot_slip(bot, view, seat, rng, out);
    else
        bot->kind->choose(bot, view, seat, rng, out);
    if (bot->thought.line_count == 0)
        bot_expect(bot, seat, out);
}

void bot_action_format(const struct game *game, const struct game_view *view, unsigned seat,
                       const struct action *action, char text[ACTION_TEXT_BYTES_MAX]) {
    game->action_format((const struct game_state *)view, seat, action, text);
}

void bot_close(struct bot *bot) {
    if (bot == NULL)
        return;
    mem_free(bot->slip_world);
    bot->kind->close(bot);
}
