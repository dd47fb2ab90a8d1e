#include "server/thinker_pool.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/ration.h"
#include "host/thinker_queue.h"

#include <assert.h>
#include <sys/resource.h>
#include <unistd.h>

struct pool {
    struct thinker base;
    uv_loop_t *loop;
    struct bot_shelf *shelf;
    struct thinker_queue *queue;
    struct ration thought; /* in microseconds, by who has opened the tables */
};

struct work {
    uv_work_t request;
    struct pool *pool;
    struct thinker_job *job;
    uint64_t took_us;
};

/* Whoever serves people comes first where both want the processor. */
static void thread_yields(void) {
    static _Thread_local bool has_yielded;
    if (!has_yielded)
        setpriority(PRIO_PROCESS, (id_t)gettid(), POOL_NICE);
    has_yielded = true;
}

static void on_work(uv_work_t *request) {
    struct work *work = request->data;
    uint64_t begun_ns = clock_cpu_ns();
    thread_yields();
    bot_shelf_think(work->pool->shelf, work->job, clock_cpu_ns);
    work->took_us = (clock_cpu_ns() - begun_ns) / 1000;
}

static void pool_begin(struct pool *);

static void thinker_pool_on_done(uv_work_t *request, int status) {
    struct work *work = request->data;
    struct thinker_job *job = work->job;
    struct pool *pool = work->pool;
    (void)status;
    thinker_queue_end(pool->queue, job, work->took_us);
    ration_spend(&pool->thought, &job->address, work->took_us, uv_now(pool->loop));
    mem_free(work);
    pool_begin(pool);
    job->done(job);
}

/* As many as may be under way. */
static void pool_begin(struct pool *pool) {
    struct thinker_job *job;
    while ((job = thinker_queue_begin(pool->queue)) != NULL) {
        struct work *work = mem_alloc(sizeof *work);
        work->request.data = work;
        work->pool = pool;
        work->job = job;
        int failed = uv_queue_work(pool->loop, &work->request, on_work, thinker_pool_on_done);
        assert(failed == 0); /* only without a function to call */
        (void)failed;
    }
}

static struct pool *pool_of(struct thinker *t) {
    return (struct pool *)(void *)t;
}

static void pool_submit(struct thinker *t, struct thinker_job *job) {
    thinker_queue_add(pool_of(t)->queue, job);
    pool_begin(pool_of(t));
}

static void pool_cancel(struct thinker *t) {
    bot_shelf_cancel(pool_of(t)->shelf);
}

static void pool_free(struct thinker *t) {
    struct pool *pool = pool_of(t);
    ration_free(&pool->thought);
    bot_shelf_free(pool->shelf);
    thinker_queue_free(pool->queue);
    mem_free(pool);
}

static bool pool_allows(struct thinker *t, const struct address *address) {
    struct pool *pool = pool_of(t);
    return ration_allows(&pool->thought, address, uv_now(pool->loop));
}

struct thinker *thinker_pool_create(uv_loop_t *loop, uint32_t address_thinking_s) {
    static const struct thinker_ops ops = {pool_submit, pool_cancel, pool_free, pool_allows};
    struct pool *pool = mem_alloc(sizeof *pool);
    pool->thought =
        (struct ration){.amount = (uint64_t)address_thinking_s * 1000 * 1000, .time_ms = POOL_THOUGHT_MS};
    pool->base.ops = &ops;
    pool->loop = loop;
    pool->shelf = bot_shelf_create();
    pool->queue = thinker_queue_create(POOL_JOBS_MAX, POOL_ALONE_MAX);
    return &pool->base;
}
