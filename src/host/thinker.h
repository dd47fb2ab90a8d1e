/* Bots that think beside the event loop. A job is a view and a seat; what the bot chooses comes back through
 * done on the loop's thread. Behind an interface, because threads belong to the server: tests and the
 * simulation let bots think at once, in the order of the jobs. */
#ifndef HOST_THINKER_H
#define HOST_THINKER_H

#include "base/address.h"
#include "base/timers.h"
#include "bots/bots.h"

struct thinker;

/* What a job is for: an action that is played, one that is recommended, which is never a slip, or how good
 * the position is for the seat that is to act. */
enum thinker_wish { THINKER_PLAYS, THINKER_ADVISES, THINKER_VALUES };

enum { THINKER_VALUE_ROUNDS = 300 }; /* of the search that plays any game, for one value */

/* Belongs to whoever asks; must stay until done is called. */
struct thinker_job {
    const struct game *game;
    enum thinker_wish wish;
    unsigned level;
    unsigned seat;
    struct game_view *view; /* what the seat may know */
    struct rng rng;
    struct bot_plan plan; /* what is left of the turn that the table's bot has begun, before and after */
    uint64_t budget_us;   /* that the choice may take, besides what its level allows; 0: any time */
    uint64_t took_us;     /* how long it took, where that is measured */
    struct action action; /* the choice */
    struct bot_thought *thought; /* filled in with why it is; borrowed, NULL: nobody wants to know */
    int32_t value; /* of a job that wants it: from -BOT_VALUE_MAX, lost, to BOT_VALUE_MAX, won */
    void (*done)(struct thinker_job *);
    void *context;
    struct address address; /* whose share of the thinking time it takes: who opened the table */
    bool is_awaited;        /* somebody who is no bot sits at the table; others think last */
    /* The account of the table: what its last job came back with, 0 when it is the first. */
    uint64_t spent_us;
    bool is_cancelled; /* nothing was chosen: nobody wants to know any more */
    /* The thinker's own. */
    struct thinker_job *next;
    struct timer place;
    struct thinker_owner *owner;
    uint64_t charged_us;
};

struct thinker_ops {
    /* Takes a job; done follows, never from inside. */
    void (*submit)(struct thinker *, struct thinker_job *);
    /* See thinker_cancel. */
    void (*cancel)(struct thinker *);
    void (*free)(struct thinker *);
    /* See thinker_allows. NULL: always. */
    bool (*allows)(struct thinker *, const struct address *);
};

struct thinker {
    const struct thinker_ops *ops;
};

static inline void thinker_submit(struct thinker *t, struct thinker_job *job) {
    t->ops->submit(t, job);
}

/* Nobody wants to know any more: searches that are under way end as soon as they look, no other begins, and
 * all jobs come back cancelled. There is no way back. */
static inline void thinker_cancel(struct thinker *t) {
    t->ops->cancel(t);
}

/* Whether an address may have one bot more: those that it has have not thought for too long. Those think on
 * in any case. */
static inline bool thinker_allows(struct thinker *t, const struct address *address) {
    return t->ops->allows == NULL || t->ops->allows(t, address);
}

static inline void thinker_free(struct thinker *t) {
    t->ops->free(t);
}

/* Bots that are opened and at rest, for one decision after the other; may be used by many threads. */
struct bot_shelf;
struct bot_shelf *bot_shelf_create(void);
void bot_shelf_free(struct bot_shelf *);
/* Does the job on this thread: fills in the action, or that it is cancelled. now_ns is the clock of a budget;
 * NULL: it is counted in positions, BOT_SHELF_NODES_A_MS for each millisecond. */
enum { BOT_SHELF_NODES_A_MS = 20 };
void bot_shelf_think(struct bot_shelf *, struct thinker_job *, uint64_t (*now_ns)(void));
/* What thinks ends soon, and nothing more begins; from any thread. */
void bot_shelf_cancel(struct bot_shelf *);

/* A thinker without threads: jobs wait for thinker_inline_work, which does those that are there. True when
 * there was anything to do. */
struct thinker *thinker_inline_create(void);
bool thinker_inline_work(struct thinker *);

#endif
