#include "server/thinker_pool.h"

#include "base/mem.h"

#include <assert.h>

struct pool {
    struct thinker base;
    uv_loop_t *loop;
    struct bot_shelf *shelf;
};

struct work {
    uv_work_t request;
    struct pool *pool;
    struct thinker_job *job;
};

static void on_work(uv_work_t *request) {
    struct work *work = request->data;
    bot_shelf_think(work->pool->shelf, work->job);
}

static void thinker_pool_on_done(uv_work_t *request, int status) {
    struct work *work = request->data;
    struct thinker_job *job = work->job;
    (void)status;
    mem_free(work);
    job->done(job);
}

static void pool_submit(struct thinker *t, struct thinker_job *job) {
    struct pool *pool = (struct pool *)(void *)t;
    struct work *work = mem_alloc(sizeof *work);
    work->request.data = work;
    work->pool = pool;
    work->job = job;
    int failed = uv_queue_work(pool->loop, &work->request, on_work, thinker_pool_on_done);
    assert(failed == 0); /* only without a function to call */
    (void)failed;
}

static void pool_free(struct thinker *t) {
    struct pool *pool = (struct pool *)(void *)t;
    bot_shelf_free(pool->shelf);
    mem_free(pool);
}

struct thinker *thinker_pool_create(uv_loop_t *loop) {
    static const struct thinker_ops ops = {pool_submit, pool_free};
    struct pool *pool = mem_alloc(sizeof *pool);
    pool->base.ops = &ops;
    pool->loop = loop;
    pool->shelf = bot_shelf_create();
    return &pool->base;
}
