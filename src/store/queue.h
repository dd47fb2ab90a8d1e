/* What waits between the loop and the threads of an engine: appends and loads on their way there, results on
 * their way back. Shared by the engines that write in a thread of their own. Everything here may be called
 * from any thread. */
#ifndef STORE_QUEUE_H
#define STORE_QUEUE_H

#include "store/pending.h"

#include <pthread.h>

enum {
    QUEUED_EVENTS_MAX = 32 * 1024, /* appends beyond are refused with ERR_IO: the disk does not keep up */
};

struct store_queue {
    struct store *store;  /* whose wake is called; borrowed */
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct pending_list appends, done;
    struct pending_loads loads, loaded;
    struct pending_loads pasts; /* those that are read apart (reader.h) */
    pthread_cond_t pasts_changed;
    bool has_beat, is_closing;
    int64_t beat_ms;
    uint64_t taken_us;        /* when the writer took the appends that it has; 0: it has none */
    struct histogram commits; /* how long it had them */
};

/* What a writer takes out of it in one go. */
struct store_batch {
    struct pending_list appends;
    bool has_beat;
    int64_t beat_ms;
};

void queue_init(struct store_queue *, struct store *);
void queue_free(struct store_queue *);

/* From the loop; each wakes the writer. An append keeps its place even when it is refused, because results
 * come in order. */
void queue_append(struct store_queue *, const struct store_request *);
void queue_load(struct store_queue *, const struct store_load *);
void queue_look(struct store_queue *, const struct store_look *);
void queue_beat(struct store_queue *, int64_t wall_ms);
void queue_close(struct store_queue *);

/* Whether there was anything. */
bool queue_take(struct store_queue *, struct store_batch *out);
bool queue_take_loads(struct store_queue *, struct pending_loads *out);

/* The first of those that are read apart; NULL: there is none. */
struct pending_load *queue_take_past(struct store_queue *);

/* Back to the loop, which is woken when there is anything. */
void queue_hand_back(struct store_queue *, struct pending_list *);
void queue_hand_back_loads(struct store_queue *, struct pending_loads *);
void queue_wake_loop(struct store_queue *);

/* Waits until something changes, or so many milliseconds (0: for ever). Called with the lock. */
void queue_wait(struct store_queue *, unsigned timeout_ms);

/* Reads are rare while a table is played, so each is told at debug: whoever asks for its past. */
void store_read_log(const char *what, uint64_t table);

#endif
