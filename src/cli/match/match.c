#include "cli/match/match.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

/* Alone one wins with more than no points, and loses with none (game.h). */
static double match_score(const struct match *m, const struct match_result *r, unsigned seat,
                          struct match_contestant *c) {
    double score = 0;
    for (unsigned other = 0; other < m->count; other++) {
        int32_t theirs = r->points[other], own = r->points[seat];
        if (other == seat && m->count > 1)
            continue;
        if (m->count == 1) {
            theirs = 0;
            own = own > 0 ? 1 : -1;
        }
        c->won += own > theirs;
        c->drawn += own == theirs;
        c->lost += own < theirs;
        score += own > theirs ? 1 : own == theirs ? 0.5 : 0;
    }
    return m->count == 1 ? score : score / (m->count - 1);
}

static void match_count(struct match *m, uint32_t index) {
    const struct match_result *r = &m->results[index];
    m->broken += r->is_broken;
    for (unsigned seat = 0; seat < m->count && !r->is_broken; seat++) {
        unsigned who = match_sitter(m, index, seat);
        struct match_contestant *c = &m->contestant[who];
        double score = match_score(m, r, seat, c);
        c->score += score;
        c->faults[r->faults[seat]]++;
        c->moves += r->moves[seat];
        c->thought_ns += r->thought_ns[seat];
        c->longest_ns = r->longest_ns[seat] > c->longest_ns ? r->longest_ns[seat] : c->longest_ns;
        m->round_score += who == 0 ? score : 0;
    }
    m->round_count += !r->is_broken;
    if ((index + 1) % m->count == 0) {
        if (m->round_count > 0)
            sprt_add(&m->sprt, m->round_score / m->round_count);
        m->round_score = 0;
        m->round_count = 0;
        if (m->sprt.is_on && m->verdict == SPRT_OPEN)
            m->verdict = sprt_decide(&m->sprt);
    }
}

/* A line that is written over on a terminal; elsewhere one for every tenth of the games. */
static void match_progress(const struct match *m) {
    enum { BAR = 30 };
    bool is_terminal = isatty(STDERR_FILENO) == 1, is_last = m->counted == m->games;
    uint32_t step = m->games < 10 ? 1 : m->games / 10;
    if (!is_terminal && m->counted % step != 0 && !is_last)
        return;
    fprintf(stderr, "%s[", is_terminal ? "\r" : "");
    for (uint32_t i = 0; i < BAR; i++)
        fputc(i * m->games < m->counted * BAR ? '#' : '.', stderr);
    fprintf(stderr, "] %u/%u", m->counted, m->games);
    for (unsigned i = 0; i < m->count; i++)
        fprintf(stderr, "  %c %.1f", 'A' + (int)i, m->contestant[i].score);
    fprintf(stderr, is_terminal && !is_last ? "  " : "\n");
    fflush(stderr);
}

static bool match_take(struct match *m, uint32_t *index) {
    pthread_mutex_lock(&m->lock);
    bool is_taken = m->next < m->games && m->verdict == SPRT_OPEN;
    if (is_taken)
        *index = m->next++;
    pthread_mutex_unlock(&m->lock);
    return is_taken;
}

/* Counts what is there in order. What came after the verdict is not counted. */
static void match_give(struct match *m, uint32_t index, const struct match_result *result) {
    pthread_mutex_lock(&m->lock);
    m->results[index] = *result;
    m->results[index].is_done = true;
    while (m->counted < m->games && m->results[m->counted].is_done && m->verdict == SPRT_OPEN) {
        match_count(m, m->counted++);
        match_progress(m);
    }
    pthread_mutex_unlock(&m->lock);
}

static void *match_work(void *context) {
    struct match *m = context;
    uint32_t index;
    while (match_take(m, &index)) {
        struct match_result result = {0};
        if (m->has_programs)
            result.is_broken = !match_play_served(m, index, &result);
        else
            match_play_inside(m, index, &result);
        match_give(m, index, &result);
    }
    return NULL;
}

void match_run(struct match *m) {
    pthread_t threads[MATCH_JOBS_MAX];
    m->results = mem_alloc(m->games * sizeof *m->results);
    pthread_mutex_init(&m->lock, NULL);
    for (uint32_t i = 0; i < m->jobs; i++) {
        int failed = pthread_create(&threads[i], NULL, match_work, m);
        assert(failed == 0);
        (void)failed;
    }
    for (uint32_t i = 0; i < m->jobs; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&m->lock);
    mem_free(m->results);
    m->results = NULL;
    if (m->counted < m->games && isatty(STDERR_FILENO) == 1)
        fputc('\n', stderr);
}
