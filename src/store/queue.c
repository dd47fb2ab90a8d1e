#include "store/queue.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <time.h>

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)

void queue_init(struct store_queue *q, struct store *store) {
    pthread_condattr_t kind;
    *q = (struct store_queue){.store = store};
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(&q->changed, &kind);
    pthread_cond_init(&q->pasts_changed, &kind);
    pthread_condattr_destroy(&kind);
}

void queue_free(struct store_queue *q) {
    pending_free(&q->appends);
    pending_free(&q->done);
    pending_loads_free(&q->loads);
    pending_loads_free(&q->loaded);
    pending_loads_free(&q->pasts);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->changed);
    pthread_cond_destroy(&q->pasts_changed);
}

void queue_append(struct store_queue *q, const struct store_request *r) {
    struct pending *p = pending_copy(r);
    pthread_mutex_lock(&q->lock);
    if (q->appends.event_count + r->event_count > QUEUED_EVENTS_MAX) {
        mem_free(p);
        p = pending_refuse(r, ERR_IO);
    }
    pending_push(&q->appends, p);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_load(struct store_queue *q, const struct store_load *load) {
    pthread_mutex_lock(&q->lock);
    pending_loads_push(load->is_past ? &q->pasts : &q->loads, load);
    pthread_cond_signal(load->is_past ? &q->pasts_changed : &q->changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_look(struct store_queue *q, const struct store_look *look) {
    pthread_mutex_lock(&q->lock);
    pending_looks_push(&q->pasts, look);
    pthread_cond_signal(&q->pasts_changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_beat(struct store_queue *q, int64_t wall_ms) {
    pthread_mutex_lock(&q->lock);
    if (q->has_beat)
        atomic_fetch_add(&q->store->beats_waiting, 1);
    q->has_beat = true;
    q->beat_ms = wall_ms;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_close(struct store_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->is_closing = true;
    pthread_cond_signal(&q->changed);
    pthread_cond_signal(&q->pasts_changed);
    pthread_mutex_unlock(&q->lock);
}

bool queue_take(struct store_queue *q, struct store_batch *out) {
    *out = (struct store_batch){0};
    pthread_mutex_lock(&q->lock);
    pending_move(&out->appends, &q->appends);
    out->has_beat = q->has_beat;
    out->beat_ms = q->beat_ms;
    q->has_beat = false;
    atomic_store(&q->store->beats_waiting, 0);
    if (out->appends.first != NULL)
        q->taken_us = clock_monotonic_us();
    pthread_mutex_unlock(&q->lock);
    return out->appends.first != NULL || out->has_beat;
}

bool queue_take_loads(struct store_queue *q, struct pending_loads *out) {
    *out = (struct pending_loads){0};
    pthread_mutex_lock(&q->lock);
    pending_loads_move(out, &q->loads);
    pthread_mutex_unlock(&q->lock);
    return out->first != NULL;
}

struct pending_load *queue_take_past(struct store_queue *q) {
    pthread_mutex_lock(&q->lock);
    struct pending_load *l = q->pasts.first == NULL ? NULL : pending_loads_pop(&q->pasts);
    pthread_mutex_unlock(&q->lock);
    return l;
}

void queue_wake_loop(struct store_queue *q) {
    if (q->store->wake != NULL)
        q->store->wake(q->store->wake_context);
}

void queue_hand_back(struct store_queue *q, struct pending_list *list) {
    if (list->first == NULL)
        return;
    pthread_mutex_lock(&q->lock);
    if (q->taken_us != 0)
        histogram_add(&q->commits, clock_monotonic_us() - q->taken_us);
    q->taken_us = 0;
    pending_move(&q->done, list);
    pthread_mutex_unlock(&q->lock);
    queue_wake_loop(q);
}

void queue_hand_back_loads(struct store_queue *q, struct pending_loads *loads) {
    if (loads->first == NULL)
        return;
    pthread_mutex_lock(&q->lock);
    pending_loads_move(&q->loaded, loads);
    pthread_mutex_unlock(&q->lock);
    queue_wake_loop(q);
}

void queue_wait(struct store_queue *q, unsigned timeout_ms) {
    if (timeout_ms == 0) {
        pthread_cond_wait(&q->changed, &q->lock);
        return;
    }
    uint64_t until_ns = clock_monotonic_ns() + timeout_ms * NS_PER_MS;
    struct timespec until = {(time_t)(until_ns / NS_PER_S), (long)(until_ns % NS_PER_S)};
    pthread_cond_timedwait(&q->changed, &q->lock, &until);
}

void store_read_log(const char *what, uint64_t table) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(table, code);
    log_event(LOG_DEBUG, "store-read", LOG_TEXT("what", span_of(what)), LOG_TEXT("table", span_of(code)));
}
