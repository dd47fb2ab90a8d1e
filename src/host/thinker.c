#include "host/thinker.h"

#include "base/mem.h"

#include <pthread.h>
#include <utlist.h>

enum { SHELF_BOTS_MAX = 16 }; /* at rest; one more is closed */

struct shelved {
    struct shelved *next;
    struct bot *bot;
    bool is_valuer; /* the search that plays any game, with the rounds of one value */
};

struct bot_shelf {
    pthread_mutex_t lock;
    struct shelved *bots; /* the one that was used last comes first */
    size_t count;
    atomic_bool is_cancelled;
};

struct bot_shelf *bot_shelf_create(void) {
    struct bot_shelf *shelf = mem_alloc(sizeof *shelf);
    pthread_mutex_init(&shelf->lock, NULL);
    return shelf;
}

void bot_shelf_free(struct bot_shelf *shelf) {
    while (shelf->bots != NULL) {
        struct shelved *s = shelf->bots;
        shelf->bots = s->next;
        bot_close(s->bot);
        mem_free(s);
    }
    pthread_mutex_destroy(&shelf->lock);
    mem_free(shelf);
}

static struct shelved *shelf_take(struct bot_shelf *shelf, const struct thinker_job *job) {
    struct shelved *s;
    pthread_mutex_lock(&shelf->lock);
    LL_FOREACH(shelf->bots, s)
    if (s->is_valuer == (job->wish == THINKER_VALUES) && s->bot->game == job->game &&
        (s->is_valuer || s->bot->level == job->level))
        break;
    if (s != NULL) {
        LL_DELETE(shelf->bots, s);
        shelf->count--;
    }
    pthread_mutex_unlock(&shelf->lock);
    return s;
}

/* Gives back what there is no room for. */
static struct shelved *shelf_put(struct bot_shelf *shelf, struct shelved *s) {
    struct shelved *last = NULL;
    pthread_mutex_lock(&shelf->lock);
    LL_PREPEND(shelf->bots, s);
    if (++shelf->count > SHELF_BOTS_MAX) {
        for (last = shelf->bots; last->next != NULL;)
            last = last->next;
        LL_DELETE(shelf->bots, last);
        shelf->count--;
    }
    pthread_mutex_unlock(&shelf->lock);
    return last;
}

void bot_shelf_cancel(struct bot_shelf *shelf) {
    shelf->is_cancelled = true;
}

/* A value is always that of the same search, so that those of one table can be compared. */
static struct shelved *shelf_open(struct bot_shelf *shelf, const struct thinker_job *job) {
    struct shelved *s = mem_alloc(sizeof *s);
    s->is_valuer = job->wish == THINKER_VALUES;
    s->bot = s->is_valuer ? bot_open(&search_bot_kind, job->game, BOT_LEVEL_MIN)
                          : bot_for_game(job->game, job->level);
    if (s->is_valuer)
        s->bot->nodes_max = THINKER_VALUE_ROUNDS;
    s->bot->cancelled = &shelf->is_cancelled;
    return s;
}

/* What the clock of the table leaves for this choice. */
static void shelf_limit(struct bot *bot, const struct thinker_job *job, uint64_t (*now_ns)(void)) {
    uint64_t nodes = job->budget_us * BOT_SHELF_NODES_A_MS / 1000 + 1;
    bot->now_ns = job->budget_us == 0 ? NULL : now_ns;
    bot->time_max_ns = job->budget_us * 1000;
    if (job->budget_us != 0 && now_ns == NULL && nodes < bot->nodes_max)
        bot->nodes_max = nodes;
}

void bot_shelf_think(struct bot_shelf *shelf, struct thinker_job *job, uint64_t (*now_ns)(void)) {
    job->is_cancelled = shelf->is_cancelled;
    if (job->is_cancelled)
        return;
    struct shelved *s = shelf_take(shelf, job);
    if (s == NULL)
        s = shelf_open(shelf, job);
    uint32_t slips = s->bot->slips;
    uint64_t nodes_max = s->bot->nodes_max, begun_ns = now_ns == NULL ? 0 : now_ns();
    shelf_limit(s->bot, job, now_ns);
    s->bot->slips = job->wish == THINKER_PLAYS ? slips : 0;
    s->bot->plan = job->plan; /* a bot serves many tables: its turns are theirs */
    bot_choose(s->bot, job->view, job->seat, &job->rng, &job->action);
    s->bot->slips = slips;
    s->bot->nodes_max = nodes_max;
    job->took_us = now_ns == NULL ? 0 : (now_ns() - begun_ns) / 1000;
    job->value = s->bot->thought.value;
    job->plan = s->bot->plan;
    if (job->thought != NULL)
        *job->thought = s->bot->thought;
    job->is_cancelled = shelf->is_cancelled;
    s = shelf_put(shelf, s);
    if (s != NULL) {
        bot_close(s->bot);
        mem_free(s);
    }
}

struct inline_thinker {
    struct thinker base;
    struct bot_shelf *shelf;
    struct thinker_job *jobs;
};

static struct inline_thinker *inline_of(struct thinker *t) {
    return (struct inline_thinker *)(void *)t;
}

static void inline_submit(struct thinker *t, struct thinker_job *job) {
    struct inline_thinker *n = inline_of(t);
    LL_APPEND(n->jobs, job);
}

static void inline_cancel(struct thinker *t) {
    bot_shelf_cancel(inline_of(t)->shelf);
}

static void inline_free(struct thinker *t) {
    struct inline_thinker *n = inline_of(t);
    bot_shelf_free(n->shelf);
    mem_free(n);
}

struct thinker *thinker_inline_create(void) {
    static const struct thinker_ops ops = {inline_submit, inline_cancel, inline_free, NULL};
    struct inline_thinker *n = mem_alloc(sizeof *n);
    n->base.ops = &ops;
    n->shelf = bot_shelf_create();
    return &n->base;
}

bool thinker_inline_work(struct thinker *t) {
    struct inline_thinker *n = inline_of(t);
    struct thinker_job *jobs = n->jobs, *job, *next;
    n->jobs = NULL;
    LL_FOREACH_SAFE(jobs, job, next) {
        bot_shelf_think(n->shelf, job, NULL);
        job->done(job);
    }
    return jobs != NULL;
}
