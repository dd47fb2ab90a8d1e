#include "store/reader.h"

/* False when there was nothing to read. */
static bool reader_read_next(struct store_reader *r) {
    struct pending_load *l = queue_take_past(r->queue);
    if (l == NULL)
        return false;
    if (l->result == ERR_OK)
        r->read(r->engine, l);
    queue_hand_back_loads(r->queue, &(struct pending_loads){l, l, 1});
    return true;
}

static void *reader_main(void *context) {
    struct store_reader *r = context;
    struct store_queue *q = r->queue;
    bool is_closing = false;
    while (!is_closing) {
        pthread_mutex_lock(&q->lock);
        while (!q->is_closing && q->pasts.first == NULL)
            pthread_cond_wait(&q->pasts_changed, &q->lock);
        is_closing = q->is_closing;
        pthread_mutex_unlock(&q->lock);
        if (!is_closing)
            reader_read_next(r);
    }
    return NULL;
}

bool reader_start(struct store_reader *r) {
    r->has_thread = pthread_create(&r->thread, NULL, reader_main, r) == 0;
    return r->has_thread;
}

void reader_end(struct store_reader *r) {
    if (r->has_thread)
        pthread_join(r->thread, NULL);
    r->has_thread = false;
}

bool reader_work(struct store_reader *r) {
    bool is_done = false;
    while (reader_read_next(r))
        is_done = true;
    return is_done;
}
