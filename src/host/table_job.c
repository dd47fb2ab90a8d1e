#include "host/table_job.h"

#include "base/mem.h"

struct thinker_job *table_job_create(const struct table *t, unsigned seat, unsigned level) {
    const struct game *game = table_game(t);
    struct thinker_job *job = mem_alloc(sizeof *job);
    struct digest derived;
    *job = (struct thinker_job){.game = game, .level = level, .seat = seat, .address = *table_opener(t)};
    job->view = (struct game_view *)game_state_alloc(game);
    memcpy(job->view, table_view(t, seat), game->state_size);
    table_derive(t, "bot", seat, table_version(t), &derived);
    rng_seed(&job->rng, digest_to_number(derived.bytes));
    return job;
}

void table_job_free(struct thinker_job *job) {
    mem_free(job->view);
    mem_free(job);
}
