/* Players that are programs of our own, for any game: one action at a time, from what a seat may know.
 *
 * A bot does no I/O. How long it thinks is a number of nodes, so that the same view and the same generator
 * give the same action; whoever wants a budget in milliseconds as well gives it a clock. Its tables have
 * fixed sizes and are allocated when it is opened. A kind of bot is one constant struct beside its code and
 * one line in meson.build. */
#ifndef BOTS_BOTS_H
#define BOTS_BOTS_H

#include "game/game.h"

#include <stdatomic.h>

enum { BOT_LEVEL_MIN = 1, BOT_LEVEL_DEFAULT = 3, BOT_LEVEL_MAX = 5 };

struct bot;

/* How a kind judges positions, in whole numbers that `parlor tune` finds by games of the bot against itself.
 */
struct bot_weights {
    size_t count;
    const char *const *names; /* what each of them weighs, in words */
    const int32_t *firsts;    /* with which tuning begins: as good as somebody could guess */
    const int32_t *values;    /* what came of it: those that the program plays with */
};

enum { BOT_WEIGHTS_MAX = 32 };

/* For the list of a kind's weights: X(name, what tuning begins with, words). */
#define BOT_WEIGHT_FIRST(name, first, words) first,
#define BOT_WEIGHT_WORDS(name, first, words) words,

struct bot_kind {
    const char *name;        /* "random": in commands */
    const struct game *game; /* the only game it plays, or NULL for any */
    struct bot *(*open)(const struct game *, unsigned level);
    void (*choose)(struct bot *, const struct game_view *, unsigned seat, struct rng *, struct action *out);
    void (*close)(struct bot *);
    const struct bot_weights *weights; /* NULL: it has none of this kind */
    /* How many of a thousand actions are slips here, of a seat of a level that has bot->slips of them. NULL:
     * as many, whatever the position. */
    uint32_t (*slips)(const struct bot *, const struct game_view *, unsigned seat);
};

enum {
    BOT_LINE_MAX = 24, /* actions of an expected line */
    BOT_VALUE_MAX = 1000,
};

/* Why a bot has chosen what it has chosen: of the last decision. */
struct bot_thought {
    uint64_t nodes;  /* positions or rounds that it has looked at */
    uint64_t visits; /* of them those that went through the choice; 0 where that is not counted */
    unsigned depth;  /* turns that were looked ahead; 0 where that is not counted */
    bool has_value;
    int32_t value; /* what it expects for its seat: from -BOT_VALUE_MAX, lost, to BOT_VALUE_MAX, won */
    size_t line_count;
    struct bot_step {
        uint8_t seat;
        struct action action;
    } line[BOT_LINE_MAX]; /* how it expects the game to go on; the choice is its first */
};

enum { BOT_PLAN_MAX = 24 }; /* steps; a turn that is longer is thought about again */

/* The rest of a turn that was thought through at once. It is good for the position that was foreseen after
 * the step before, and for no other. Whoever lets one bot play at several tables keeps it with the table. */
struct bot_plan {
    uint64_t foreseen; /* the sum over the view in which the next step is due */
    unsigned seat;
    unsigned count; /* steps that are left; 0: there is no plan */
    unsigned depth; /* as in the thought of the first step */
    bool has_value;
    int32_t value;
    struct action steps[BOT_PLAN_MAX];
};

/* The beginning of every bot; what follows is its kind's own. */
struct bot {
    const struct bot_kind *kind;
    const struct game *game;
    unsigned level;
    /* How it judges, where its kind has weights: those of the program. Whoever has others gives them;
     * borrowed.
     */
    const int32_t *weights;
    /* How many positions it may look at for one decision; set by the level, and may be changed at any time.
     */
    uint64_t nodes_max;
    /* Set from another thread when nobody wants the choice any more: it is made as if there were no nodes
     * left. Borrowed; NULL: that never happens. */
    const atomic_bool *cancelled;
    /* What one decision may take by this clock, in nanoseconds; without a clock time does not matter. */
    uint64_t (*now_ns)(void);
    uint64_t time_max_ns;
    /* Kept by bot_choose and bot_must_stop. */
    uint64_t ends_ns;
    unsigned looks;
    bool is_late;
    struct bot_thought thought;
    struct bot_plan plan; /* set by kinds that choose a whole turn, and followed by bot_choose */
    /* How many of a thousand actions are any legal one, so that lower levels can be beaten; 0 of the highest.
     * Set by the kind, and at most so many: see its function slips. */
    uint32_t slips;
    struct game_state *world; /* where one is drawn, and what follows a step; owned, NULL at first */
};

enum { BOT_LOOKS_PER_CLOCK = 16 }; /* a look at the clock costs as much as some nodes */

/* The decision begins now. */
static inline void bot_begin_choice(struct bot *bot) {
    bot->looks = 0;
    bot->is_late = false;
    bot->ends_ns = bot->now_ns == NULL ? UINT64_MAX : bot->now_ns() + bot->time_max_ns;
}

/* Whether the choice is to be made with what is known now: nobody wants it any more, or its time is over. To
 * be asked for every node. */
static inline bool bot_must_stop(struct bot *bot) {
    if (bot->now_ns != NULL && !bot->is_late && bot->looks++ % BOT_LOOKS_PER_CLOCK == 0)
        bot->is_late = bot->now_ns() >= bot->ends_ns;
    return bot->is_late ||
           (bot->cancelled != NULL && atomic_load_explicit(bot->cancelled, memory_order_relaxed));
}

/* For kinds: one more action of the expected line, as long as there is room. */
static inline void bot_expect(struct bot *bot, unsigned seat, const struct action *action) {
    struct bot_thought *t = &bot->thought;
    if (t->line_count < BOT_LINE_MAX)
        t->line[t->line_count++] = (struct bot_step){(uint8_t)seat, *action};
}

/* For kinds: a value of their own, of which half_way is half of a sure win. */
static inline void bot_expect_value(struct bot *bot, int64_t value, int64_t half_way) {
    bot->thought.has_value = true;
    bot->thought.value = (int32_t)(BOT_VALUE_MAX * value / ((value < 0 ? -value : value) + half_way));
}

/* For kinds: one more step that follows the chosen one in the same turn, if the plan has room for it. */
static inline void bot_intend(struct bot *bot, const struct action *action) {
    struct bot_plan *p = &bot->plan;
    if (p->count < BOT_PLAN_MAX)
        p->steps[p->count++] = *action;
}

/* A number of nodes that nobody reaches: only time ends the search. */
#define BOT_NODES_ANY ((uint64_t)1 << 40)

/* A bot of a kind that plays this game, at a level from BOT_LEVEL_MIN to BOT_LEVEL_MAX. Gives; to be closed
 * with bot_close. */
struct bot *bot_open(const struct bot_kind *, const struct game *, unsigned level);

/* The best kind there is for a game: its own one when it has one, otherwise the search that plays any game.
 */
struct bot *bot_for_game(const struct game *, unsigned level);

/* One legal action of a seat that may act, from that seat's own view; bot->thought says why. It is the next
 * step of bot->plan where that is due, and then nothing is thought about. */
void bot_choose(struct bot *, const struct game_view *, unsigned seat, struct rng *, struct action *out);

/* An action of a seat as text, for whoever has only what the seat may know: what a seat may do does not
 * depend on more. */
void bot_action_format(const struct game *, const struct game_view *, unsigned seat, const struct action *,
                       char text[ACTION_TEXT_BYTES_MAX]);

/* The line that a thought expects, as texts, from the view that it began with: as far as it can be played and
 * chance has no word. Returns how many there are. */
size_t bot_line_format(const struct game *, const struct game_view *, unsigned viewer,
                       const struct bot_thought *, char texts[BOT_LINE_MAX][ACTION_TEXT_BYTES_MAX]);

void bot_close(struct bot *);

/* The list of kinds, ended by NULL; and one by name that plays the game (NULL when there is none). */
extern const struct bot_kind *const bot_kinds[];
const struct bot_kind *bot_kind_by_name(struct span name, const struct game *);

extern const struct bot_kind random_bot_kind;
extern const struct bot_kind search_bot_kind;

#endif
