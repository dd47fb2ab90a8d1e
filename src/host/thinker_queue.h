/* Which bot thinks next when more of them want to than can. Jobs that somebody waits for come before those of
 * tables where bots are alone, which also never have all the threads. Within both the address goes first
 * whose tables have had the least thinking time, and of its tables the one that has had the least: so whoever
 * opens hundreds of tables of deep thinkers slows those down, and nobody else's.
 *
 * Time that was not asked for is not saved up: whoever comes, or comes back, begins where the one stands that
 * was served last. Plain counting without threads or clock; the thinker that has them asks. */
#ifndef HOST_THINKER_QUEUE_H
#define HOST_THINKER_QUEUE_H

#include "host/thinker.h"

struct thinker_queue;

/* Gives. So many jobs may be under way at a time, of those that nobody waits for alone_max. */
struct thinker_queue *thinker_queue_create(unsigned running_max, unsigned alone_max);
/* Only when no job is under way; those that wait are forgotten. */
void thinker_queue_free(struct thinker_queue *);

void thinker_queue_add(struct thinker_queue *, struct thinker_job *);

/* The job that is to begin now; NULL: none, or as many as may be are under way. */
struct thinker_job *thinker_queue_begin(struct thinker_queue *);

/* A job that has begun is done, and took so long. job->spent_us is for the next one of its table. */
void thinker_queue_end(struct thinker_queue *, struct thinker_job *, uint64_t took_us);

#endif
