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
    bot->weights = kind->weights == NULL ? NULL : kind->weights->values;
    return bot;
}

struct bot *bot_for_game(const struct game *game, unsigned level) {
    size_t i = 0;
    while (!kind_plays(bot_kinds[i], game))
        i++;
    return bot_open(bot_kinds[i], game, level);
}

/* A copy of the view to play in. */
static struct game_state *bot_world(struct bot *bot, const struct game_view *view) {
    if (bot->world == NULL)
        bot->world = game_state_alloc(bot->game);
    memcpy(bot->world, view, bot->game->state_size);
    return bot->world;
}

/* An action without a thought. */
static void bot_slip(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                     struct action *out) {
    struct game_state *world = bot_world(bot, view);
    bot->game->imagine((struct game_view *)world, seat, rng);
    bot->game->sample(world, seat, rng, out);
}

/* Tells views from each other. */
static uint64_t plan_sum(const struct game *game, const void *view) {
    uint64_t sum = game->state_size;
    const uint8_t *bytes = view;
    for (size_t i = 0; i < game->state_size; i += sizeof sum) {
        uint64_t word = 0;
        size_t left = game->state_size - i;
        memcpy(&word, bytes + i, left < sizeof word ? left : sizeof word);
        sum = rng_mix(sum ^ word);
    }
    return sum;
}

/* Whether the next step of the plan is due in this view. */
static bool plan_is_due(const struct bot *bot, const struct game_view *view, unsigned seat) {
    const struct bot_plan *p = &bot->plan;
    return p->count > 0 && p->seat == seat && plan_sum(bot->game, view) == p->foreseen &&
           bot->game->check((const struct game_state *)view, seat, &p->steps[0]) == ERR_OK;
}

static void plan_step(struct bot *bot, struct action *out) {
    struct bot_plan *p = &bot->plan;
    *out = p->steps[0];
    memmove(p->steps, p->steps + 1, --p->count * sizeof *p->steps);
    bot->thought = (struct bot_thought){.depth = p->depth, .has_value = p->has_value, .value = p->value};
    bot_expect(bot, p->seat, out);
    for (unsigned i = 0; i < p->count; i++)
        bot_expect(bot, p->seat, &p->steps[i]);
}

/* What the seat sees after this step if nobody else has a hand in it. */
static void plan_foresee(struct bot *bot, const struct game_view *view, unsigned seat,
                         const struct action *step) {
    struct bot_plan *p = &bot->plan;
    struct game_state *world = bot_world(bot, view);
    bot->game->apply(world, seat, step);
    p->foreseen = plan_sum(bot->game, world);
    p->seat = seat;
    p->depth = bot->thought.depth;
    p->has_value = bot->thought.has_value;
    p->value = bot->thought.value;
}

void bot_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                struct action *out) {
    bot_begin_choice(bot);
    bot->thought = (struct bot_thought){0};
    uint32_t slips =
        bot->slips == 0 || bot->kind->slips == NULL ? bot->slips : bot->kind->slips(bot, view, seat);
    bool is_slip = slips > 0 && rng_below(rng, 1000) < slips;
    if (!is_slip && plan_is_due(bot, view, seat))
        plan_step(bot, out);
    else {
        bot->plan.count = 0;
        if (is_slip)
            bot_slip(bot, view, seat, rng, out);
        else
            bot->kind->choose(bot, view, seat, rng, out);
    }
    if (bot->plan.count > 0)
        plan_foresee(bot, view, seat, out);
    if (bot->thought.line_count == 0)
        bot_expect(bot, seat, out);
}

void bot_action_format(const struct game *game, const struct game_view *view, unsigned seat,
                       const struct action *action, char text[ACTION_TEXT_BYTES_MAX]) {
    game->action_format((const struct game_state *)view, seat, action, text);
}

size_t bot_line_format(const struct game *game, const struct game_view *view, unsigned viewer,
                       const struct bot_thought *thought, char texts[BOT_LINE_MAX][ACTION_TEXT_BYTES_MAX]) {
    struct game_state *world = game_state_alloc(game);
    struct rng rng;
    size_t count = 0;
    rng_seed(&rng, 1);
    memcpy(world, view, game->state_size);
    game->imagine((struct game_view *)world, viewer, &rng);
    for (; count < thought->line_count; count++) {
        const struct bot_step *step = &thought->line[count];
        if ((game->turn(world) & SEAT_BIT(step->seat)) == 0 ||
            game->check(world, step->seat, &step->action) != ERR_OK)
            break;
        game->action_format(world, step->seat, &step->action, texts[count]);
        game->apply(world, step->seat, &step->action);
    }
    mem_free(world);
    return count;
}

void bot_close(struct bot *bot) {
    if (bot == NULL)
        return;
    mem_free(bot->world);
    bot->kind->close(bot);
}
