#include "host/thinker_queue.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>
#include <uthash.h>

/* Those that somebody waits for, and the others. */
enum { LINE_AWAITED, LINE_ALONE, LINES };

enum { OWNERS_IDLE_MAX = 1024 }; /* without jobs, whose account is kept */

/* An address with jobs that wait or are under way, or one that had more time than the others lately. Heaps of
 * timers are ordered by thinking time here. */
struct thinker_owner {
    struct address address;
    UT_hash_handle by_address;
    struct timer place; /* among those with jobs that wait, or those without any, by spent_us */
    struct timers jobs; /* that wait, by their own spent_us */
    uint64_t spent_us;  /* with an estimate for what is under way */
    uint64_t floor_us;  /* of the job that began last */
    uint64_t guess_us;  /* what its last job took: so much the next one is charged in advance */
    unsigned running;
    unsigned line;
};

struct thinker_line {
    struct thinker_owner *owners;
    struct timers ready;
    struct timers idle; /* have no jobs */
    uint64_t floor_us;  /* of the owner that was served last */
};

struct thinker_queue {
    struct thinker_line lines[LINES];
    unsigned running[LINES];
    unsigned running_max, alone_max;
};

struct thinker_queue *thinker_queue_create(unsigned running_max, unsigned alone_max) {
    struct thinker_queue *q = mem_alloc(sizeof *q);
    assert(running_max > 0 && alone_max > 0);
    q->running_max = running_max;
    q->alone_max = alone_max;
    return q;
}

static void owner_free(struct thinker_line *line, struct thinker_owner *owner) {
    HASH_DELETE(by_address, line->owners, owner);
    timers_free(&owner->jobs);
    mem_free(owner);
}

void thinker_queue_free(struct thinker_queue *q) {
    for (unsigned i = 0; i < LINES; i++) {
        struct thinker_owner *owner, *next;
        assert(q->running[i] == 0);
        HASH_ITER(by_address, q->lines[i].owners, owner, next) owner_free(&q->lines[i], owner);
        timers_free(&q->lines[i].ready);
        timers_free(&q->lines[i].idle);
    }
    mem_free(q);
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static struct thinker_owner *owner_of(struct thinker_line *line, const struct address *address) {
    struct thinker_owner *owner;
    HASH_FIND(by_address, line->owners, address, sizeof *address, owner);
    if (owner != NULL) {
        if (owner->jobs.count == 0)
            timers_stop(&line->idle, &owner->place);
        owner->spent_us = larger(owner->spent_us, line->floor_us);
        return owner;
    }
    owner = mem_alloc(sizeof *owner);
    owner->address = *address;
    owner->spent_us = line->floor_us;
    HASH_ADD(by_address, line->owners, address, sizeof owner->address, owner);
    return owner;
}

/* To where its time puts it among those with jobs that wait. */
static void owner_place(struct thinker_line *line, struct thinker_owner *owner) {
    if (owner->jobs.count > 0)
        timers_arm(&line->ready, &owner->place, owner->spent_us, NULL);
}

void thinker_queue_add(struct thinker_queue *q, struct thinker_job *job) {
    unsigned i = job->is_awaited ? LINE_AWAITED : LINE_ALONE;
    struct thinker_line *line = &q->lines[i];
    struct thinker_owner *owner = owner_of(line, &job->address);
    owner->line = i;
    job->owner = owner;
    job->spent_us = larger(job->spent_us, owner->floor_us);
    job->place = (struct timer){0};
    timers_arm(&owner->jobs, &job->place, job->spent_us, NULL);
    owner_place(line, owner);
}

static bool line_may_begin(const struct thinker_queue *q, unsigned i) {
    return q->lines[i].ready.count > 0 && (i == LINE_AWAITED || q->running[i] < q->alone_max);
}

struct thinker_job *thinker_queue_begin(struct thinker_queue *q) {
    unsigned i = line_may_begin(q, LINE_AWAITED) ? LINE_AWAITED : LINE_ALONE;
    if (q->running[LINE_AWAITED] + q->running[LINE_ALONE] >= q->running_max || !line_may_begin(q, i))
        return NULL;
    struct thinker_line *line = &q->lines[i];
    struct thinker_owner *owner = TIMER_OWNER(timers_first(&line->ready), struct thinker_owner, place);
    struct thinker_job *job = TIMER_OWNER(timers_first(&owner->jobs), struct thinker_job, place);
    timers_stop(&owner->jobs, &job->place);
    timers_stop(&line->ready, &owner->place);
    line->floor_us = larger(line->floor_us, owner->spent_us);
    owner->floor_us = larger(owner->floor_us, job->spent_us);
    job->charged_us = owner->guess_us;
    owner->spent_us += owner->guess_us;
    owner->running++;
    q->running[i]++;
    owner_place(line, owner);
    return job;
}

/* An owner without jobs is remembered as long as there is anything to remember, and as long as there are not
 * too many of them. */
static void owner_rest(struct thinker_line *line, struct thinker_owner *owner) {
    struct timer *first;
    timers_arm(&line->idle, &owner->place, owner->spent_us, NULL);
    while ((first = timers_first(&line->idle)) != NULL &&
           (first->due_ms <= line->floor_us || line->idle.count > OWNERS_IDLE_MAX)) {
        line->floor_us = larger(line->floor_us, first->due_ms);
        timers_stop(&line->idle, first);
        owner_free(line, TIMER_OWNER(first, struct thinker_owner, place));
    }
}

void thinker_queue_end(struct thinker_queue *q, struct thinker_job *job, uint64_t took_us) {
    struct thinker_owner *owner = job->owner;
    struct thinker_line *line = &q->lines[owner->line];
    q->running[owner->line]--;
    owner->running--;
    owner->spent_us += took_us - job->charged_us; /* what was guessed is part of the sum */
    owner->guess_us = took_us;
    job->spent_us += took_us;
    owner_place(line, owner);
    if (owner->running == 0 && owner->jobs.count == 0)
        owner_rest(line, owner);
}
