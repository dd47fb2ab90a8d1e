/* What an engine reads for those who look back: old journals and lists. A thread of its own, with a
 * connection of its own, so that a long one holds up neither commits nor what a move waits for. One at a
 * time, in the order in which they were asked for. Shared by the engines that have threads. */
#ifndef STORE_READER_H
#define STORE_READER_H

#include "store/queue.h"

struct store_reader {
    struct store_queue *queue; /* where it takes them and hands them back; borrowed */
    /* Reads one of them, a journal or a list, and says in it how that went. Called by the thread, or by
     * reader_work. */
    void (*read)(void *engine, struct pending_load *);
    void *engine;
    pthread_t thread;
    bool has_thread;
};

/* False when the system gives no thread. */
bool reader_start(struct store_reader *) MUST_CHECK;
/* Ends the thread if there is one, after what it reads now; queue_close was called before. */
void reader_end(struct store_reader *);

/* Reads all that wait, on this thread: for stores without one. True when there was anything. */
bool reader_work(struct store_reader *);

#endif
