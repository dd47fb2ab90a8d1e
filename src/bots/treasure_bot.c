/* Treasure Hunt is a search: first for the own treasure among the fields of the own half that were not
 * uncovered, then for the fort of the other. The bot goes where a way uncovers most of these fields per
 * action, over mountains when they show more than they cost; better levels think the most promising ways
 * through to the end of the search and take the one that finds it soonest on average.
 *
 * Where the fort can be, the first true position of the other tells: an avatar does not get far from it in
 * eight actions. */
#include "bots/treasure_bot.h"

#include "base/mem.h"

#include <assert.h>

enum { WAYS_MAX = TREASURE_FIELDS };

/* What the levels can do. Luck has a large part in this game: lower levels lose their way often enough that
 * the higher one wins two of three games. */
static const struct {
    uint64_t looks;    /* first targets thought through */
    bool looks_around; /* mountains count for what they show */
    bool reasons;      /* it concludes where the fort can be */
    uint32_t slips;    /* of a thousand actions, at first */
    /* After so many own actions slips become fewer, and so many later there are none: whoever is lost for
       long pulls itself together, and games end before the limit. */
    uint32_t wakes, wakes_for;
} levels[BOT_LEVEL_MAX + 1] = {
    [1] = {1, false, false, 975, 78, 25}, [2] = {1, false, false, 645, 68, 25},
    [3] = {1, false, false, 415, 42, 30}, [4] = {1, true, false, 62, 60, 40},
    [5] = {16, true, true, 0, 0, 1},
};

/* What the strongest goes by: a name, with what tuning begins, and what it is in
 * words. */
#define TREASURE_WEIGHTS(X)                                                                                  \
    X(WALK, 200, "of a step from where a thing is seen to where it lies, in hundredths of an action")        \
    X(AT_0, 100, "how likely the fort is where the other was first seen")                                    \
    X(AT_1, 100, "the same one step away")                                                                   \
    X(AT_2, 100, "two steps away")                                                                           \
    X(AT_3, 100, "three steps away")                                                                         \
    X(AT_4, 100, "four steps away, or more")

#define WEIGHT(name, first, words) WEIGHT_##name,
enum { TREASURE_WEIGHTS(WEIGHT) WEIGHTS };
#undef WEIGHT
static const char *const weight_names[WEIGHTS] = {TREASURE_WEIGHTS(BOT_WEIGHT_WORDS)};
static const int32_t weight_firsts[WEIGHTS] = {TREASURE_WEIGHTS(BOT_WEIGHT_FIRST)};
/* In this order; written by `parlor tune treasure-hunt`. */
static const int32_t weight_values[WEIGHTS] = {
#include "bots/treasure_weights.inc"
};
static const struct bot_weights treasure_weights = {WEIGHTS, weight_names, weight_firsts, weight_values};

/* A set of fields. */
struct fields {
    uint64_t word[2];
};

static void fields_add(struct fields *f, unsigned field) {
    f->word[field / 64] |= (uint64_t)1 << field % 64;
}

static bool fields_has(const struct fields *f, unsigned field) {
    return (f->word[field / 64] >> field % 64 & 1) != 0;
}

static int fields_count(const struct fields *f) {
    return __builtin_popcountll(f->word[0]) + __builtin_popcountll(f->word[1]);
}

static struct fields fields_both(struct fields a, struct fields b) {
    return (struct fields){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

static struct fields fields_any(struct fields a, struct fields b) {
    return (struct fields){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

static struct fields fields_without(struct fields a, struct fields b) {
    return (struct fields){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

struct treasure_bot {
    struct bot bot;
};

/* What does not change while one move is being chosen. */
struct hunt {
    const struct treasure_hunt *h;
    struct fields sight[TREASURE_FIELDS]; /* what coming to a field uncovers */
    uint64_t walk;                        /* of a step, in hundredths of an action */
    uint64_t chance[TREASURE_FIELDS];     /* how likely the thing is there, compared to other fields */
    bool is_even;                         /* it is the same everywhere, and 1 */
};

/* The cheapest ways from one field to all others. */
struct ways {
    uint8_t cost[TREASURE_FIELDS];
    uint8_t before[TREASURE_FIELDS];      /* the field before, on the way there */
    struct fields shown[TREASURE_FIELDS]; /* what the way uncovers */
    uint8_t order[WAYS_MAX];              /* fields that can be reached, the nearest first */
    unsigned count;
};

static struct bot *treasure_bot_open(const struct game *game, unsigned level) {
    (void)game;
    struct treasure_bot *b = mem_alloc(sizeof *b);
    b->bot.nodes_max = levels[level].looks;
    b->bot.slips = levels[level].slips;
    return &b->bot;
}

static void treasure_close(struct bot *bot) {
    mem_free(bot);
}

static struct fields sight_of(const struct treasure_hunt *h, unsigned field) {
    uint8_t set[TREASURE_SET_BYTES] = {0};
    struct fields f = {{0}};
    treasure_sight_add(h, field, set);
    for (unsigned i = 0; i < TREASURE_SET_BYTES; i++)
        f.word[i / 8] |= (uint64_t)set[i] << i % 8 * 8;
    return f;
}

static struct fields only(unsigned field) {
    struct fields f = {{0}};
    fields_add(&f, field);
    return f;
}

/* Whether a seat of this level makes no slips any more. */
static bool is_awake(unsigned level, unsigned actions) {
    return actions >= levels[level].wakes + levels[level].wakes_for;
}

static void hunt_begin(struct hunt *hunt, const struct treasure_hunt *h, unsigned seat, unsigned level) {
    bool looks_around = levels[level].looks_around || is_awake(level, h->seat[seat].actions);
    hunt->h = h;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        hunt->sight[field] = looks_around ? sight_of(h, field) : only(field);
}

static void way_add(const struct hunt *hunt, struct ways *w, unsigned field) {
    unsigned before = field;
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++) {
        int from = treasure_neighbour(hunt->h, field, (enum treasure_direction)d);
        if (from >= 0 && w->cost[from] != TREASURE_FAR &&
            w->cost[from] + treasure_step_cost(hunt->h, (unsigned)from, field) == w->cost[field])
            before = (unsigned)from;
    }
    w->before[field] = (uint8_t)before;
    w->shown[field] =
        before == field ? (struct fields){{0}} : fields_any(w->shown[before], hunt->sight[field]);
}

static void ways_find(const struct hunt *hunt, unsigned from, struct ways *w) {
    treasure_costs(hunt->h, from, w->cost);
    w->count = 0;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++) {
        unsigned at = w->count;
        if (w->cost[field] == TREASURE_FAR)
            continue;
        for (w->count++; at > 0 && w->cost[w->order[at - 1]] > w->cost[field]; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = (uint8_t)field;
    }
    for (unsigned i = 0; i < w->count; i++)
        way_add(hunt, w, w->order[i]);
}

/* How likely the thing is in one of these fields. */
static uint64_t fields_chance(const struct hunt *hunt, const struct fields *f) {
    uint64_t sum = 0;
    if (hunt->is_even)
        return (uint64_t)fields_count(f);
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t left = f->word[i]; left != 0; left &= left - 1)
            sum += hunt->chance[64 * i + (unsigned)__builtin_ctzll(left)];
    return sum;
}

/* Whether uncovering so much for so much is better. */
static bool is_better(uint64_t gain, unsigned cost, uint64_t best_gain, unsigned best_cost) {
    return gain * best_cost > best_gain * cost;
}

/* The target whose way uncovers most of the wanted fields per action, leaving out the fields in `not`; the
 * start itself when there is none. */
static unsigned target_best(const struct hunt *hunt, const struct ways *w, struct fields wanted,
                            struct fields not ) {
    unsigned best = w->order[0];
    uint64_t best_gain = 0;
    for (unsigned i = 1; i < w->count; i++) {
        unsigned field = w->order[i];
        struct fields shown = fields_both(w->shown[field], wanted);
        uint64_t gain = fields_chance(hunt, &shown);
        if (gain > 0 && !fields_has(&not, field) &&
            (best_gain == 0 || is_better(gain, w->cost[field], best_gain, w->cost[best]))) {
            best = field;
            best_gain = gain;
        }
    }
    return best;
}

/* Steps from one field to another, if nothing is in the way. */
static unsigned distance(const struct hunt *hunt, unsigned a, unsigned b) {
    unsigned width = treasure_width(hunt->h);
    int x = (int)(a % width) - (int)(b % width), y = (int)(a / width) - (int)(b / width);
    return (unsigned)((x < 0 ? -x : x) + (y < 0 ? -y : y));
}

/* When each of the wanted fields would be entered if the thing were there, times how likely that is, summed
 * up over those that the way to this target uncovers; what it uncovers is not wanted any more. */
static uint64_t way_sum(const struct hunt *hunt, const struct ways *w, unsigned target, unsigned elapsed,
                        struct fields *wanted) {
    uint8_t path[TREASURE_FIELDS];
    unsigned count = 0;
    uint64_t sum = 0;
    for (unsigned at = target; w->before[at] != at; at = w->before[at])
        path[count++] = (uint8_t)at;
    while (count > 0) {
        unsigned at = path[--count];
        struct fields found = fields_both(hunt->sight[at], *wanted);
        for (unsigned i = 0; i < 2; i++)
            for (uint64_t left = found.word[i]; left != 0; left &= left - 1) {
                unsigned field = 64 * i + (unsigned)__builtin_ctzll(left);
                uint64_t when = 100 * (elapsed + w->cost[at]) + hunt->walk * distance(hunt, at, field);
                sum += (hunt->is_even ? 1 : hunt->chance[field]) * when;
            }
        *wanted = fields_without(*wanted, found);
    }
    return sum;
}

/* The same sum for a whole search that begins with this target and then goes on to the best one each time. */
static uint64_t search_sum(const struct hunt *hunt, const struct ways *first, unsigned target,
                           struct fields wanted) {
    struct ways next;
    const struct ways *w = first;
    unsigned elapsed = 0;
    uint64_t sum = 0;
    struct fields none = {{0}};
    for (;;) {
        sum += way_sum(hunt, w, target, elapsed, &wanted);
        elapsed += w->cost[target];
        if (fields_count(&wanted) == 0)
            return sum;
        ways_find(hunt, target, &next);
        w = &next;
        target = target_best(hunt, w, wanted, none);
        if (target == w->order[0])
            return sum;
    }
}

/* Whether there is no time for one more target; each takes long enough for a look at the clock. */
static bool target_must_stop(struct bot *bot) {
    if (bot != NULL)
        bot->looks = 0;
    return bot != NULL && bot_must_stop(bot);
}

static unsigned target_choose(struct bot *bot, const struct hunt *hunt, const struct ways *w,
                              struct fields wanted, uint64_t looks) {
    struct fields tried = {{0}};
    unsigned best = target_best(hunt, w, wanted, tried), target = best;
    uint64_t best_sum = 0;
    for (uint64_t i = 0; looks > 1 && i < looks && target != w->order[0] && !target_must_stop(bot); i++) {
        uint64_t sum = search_sum(hunt, w, target, wanted);
        if (i == 0 || sum < best_sum) {
            best = target;
            best_sum = sum;
        }
        fields_add(&tried, target);
        target = target_best(hunt, w, wanted, tried);
    }
    return best;
}

/* Grass that was not uncovered: in the own half, in the other one, or anywhere. */
static struct fields unseen(const struct treasure_hunt *h, unsigned seat, bool in_own, bool in_other) {
    struct fields f = {{0}};
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        if (h->terrain[field] == TREASURE_GRASS && !treasure_set_has(h->seat[seat].seen, field) &&
            (treasure_half_owner(h, field) == seat ? in_own : in_other))
            fields_add(&f, field);
    return f;
}

/* Where the thing that is looked for can be. */
static struct fields wanted_now(const struct game_view *view, unsigned seat, unsigned level) {
    const struct treasure_hunt *h = treasure_of_view(view);
    const struct treasure_seat *own = &h->seat[seat], *other = &h->seat[seat ^ 1];
    if (!own->has_treasure)
        return own->treasure < TREASURE_FIELDS ? only(own->treasure) : unseen(h, seat, true, false);
    if (other->fort < TREASURE_FIELDS)
        return only(other->fort);
    struct fields f = {{0}};
    bool candidates[TREASURE_FIELDS] = {false};
    if (levels[level].reasons)
        treasure_fort_candidates(view, seat, candidates);
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        if (candidates[field])
            fields_add(&f, field);
    return fields_count(&f) > 0 ? f : unseen(h, seat, false, true);
}

/* What the levels that reason know about where the fort is: an avatar that has walked for a while is seldom
 * where it began. */
static void hunt_weigh(struct hunt *hunt, unsigned seat, unsigned level, const int32_t *weights) {
    enum { STEPS_MAX = WEIGHT_AT_4 - WEIGHT_AT_0 };
    const struct treasure_seat *own = &hunt->h->seat[seat];
    hunt->is_even = !levels[level].reasons || !own->has_treasure || own->first_seen >= TREASURE_FIELDS;
    hunt->walk = (uint64_t)(levels[level].reasons ? weights[WEIGHT_WALK] : 200);
    for (unsigned field = 0; !hunt->is_even && field < TREASURE_FIELDS; field++) {
        unsigned steps = distance(hunt, own->first_seen, field);
        hunt->chance[field] = (uint64_t)weights[WEIGHT_AT_0 + (steps < STEPS_MAX ? steps : STEPS_MAX)] + 1;
    }
}

static enum treasure_direction treasure_bot_first_step(const struct hunt *hunt, const struct ways *w,
                                                       unsigned target) {
    unsigned from = w->order[0], at = target;
    while (w->before[at] != from)
        at = w->before[at];
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
        if (treasure_neighbour(hunt->h, from, (enum treasure_direction)d) == (int)at)
            return (enum treasure_direction)d;
    assert(false);
    return TREASURE_UP;
}

/* For a client whose picture of the game is wrong: something that is at least legal. */
static enum treasure_direction any_step(const struct treasure_hunt *h, unsigned seat) {
    unsigned d = 0;
    while (d + 1 < TREASURE_DIRECTIONS && treasure_move_check(h, seat, d) != ERR_OK)
        d++;
    return (enum treasure_direction)d;
}

/* bot: whose clock it is; NULL: there is none. */
static enum treasure_direction treasure_bot_step(struct bot *bot, const struct game_view *view, unsigned seat,
                                                 unsigned level, uint64_t looks) {
    const struct treasure_hunt *h = treasure_of_view(view);
    const struct treasure_seat *own = &h->seat[seat];
    struct hunt hunt;
    struct ways ways;
    if (own->progress > 0)
        return (enum treasure_direction)own->direction;
    hunt_begin(&hunt, h, seat, level);
    hunt_weigh(&hunt, seat, level, bot == NULL ? weight_values : bot->weights);
    ways_find(&hunt, own->position, &ways);
    struct fields wanted = wanted_now(view, seat, level);
    /* A thing whose place is known must be entered, not looked at. */
    if (fields_count(&wanted) == 1)
        for (unsigned field = 0; field < TREASURE_FIELDS; field++)
            if (fields_has(&wanted, field) && field != own->position && ways.cost[field] != TREASURE_FAR)
                return treasure_bot_first_step(&hunt, &ways, field);
    unsigned target = target_choose(bot, &hunt, &ways, wanted, looks);
    if (target == own->position)
        return any_step(h, seat);
    return treasure_bot_first_step(&hunt, &ways, target);
}

enum treasure_direction treasure_bot_move(const struct game_view *view, unsigned seat, unsigned level,
                                          uint64_t looks) {
    return treasure_bot_step(NULL, view, seat, level, looks);
}

static uint32_t treasure_bot_slips(const struct bot *bot, const struct game_view *view, unsigned seat) {
    return treasure_bot_slips_after(bot, treasure_of_view(view)->seat[seat].actions);
}

uint32_t treasure_bot_slips_after(const struct bot *bot, unsigned actions) {
    uint32_t wakes = levels[bot->level].wakes, wakes_for = levels[bot->level].wakes_for;
    uint32_t awake = actions < wakes ? 0 : actions - wakes;
    return awake >= wakes_for ? 0 : bot->slips * (wakes_for - awake) / wakes_for;
}

enum treasure_direction treasure_bot_slip(const struct game_view *view, unsigned seat, struct rng *rng) {
    const struct treasure_hunt *h = treasure_of_view(view);
    unsigned legal[TREASURE_DIRECTIONS], count = 0;
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
        if (treasure_move_check(h, seat, d) == ERR_OK)
            legal[count++] = d;
    assert(count > 0);
    return (enum treasure_direction)legal[rng_below(rng, count)];
}

static void treasure_choose(struct bot *bot, const struct game_view *view, unsigned seat, struct rng *rng,
                            struct action *out) {
    const struct treasure_hunt *h = treasure_of_view(view);
    struct treasure_half half;
    switch ((enum treasure_phase)h->phase) {
    case TREASURE_ENTERING: *out = treasure_action_enter(TREASURE_SEED); return;
    case TREASURE_HALVES:
        treasure_half_draw(&half, rng);
        *out = treasure_half_action(&half);
        return;
    default: *out = treasure_action_move(treasure_bot_step(bot, view, seat, bot->level, bot->nodes_max));
    }
}

const struct bot_kind treasure_bot_kind = {"treasure-hunt",   &treasure_hunt_game, treasure_bot_open,
                                           treasure_choose,   treasure_close,      &treasure_weights,
                                           treasure_bot_slips};
