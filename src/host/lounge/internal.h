/* What lounge.c (the tables that it knows, how long, and their bots) and request.c (what people ask
 * for) share. */
#ifndef HOST_LOUNGE_INTERNAL_H
#define HOST_LOUNGE_INTERNAL_H

#include "base/timers.h"
#include "host/lounge/lounge.h"

#include <uthash.h>

enum lounge_request_kind {
    LOUNGE_REQUEST_OPEN,
    LOUNGE_REQUEST_SIT,
    LOUNGE_REQUEST_ACT,
    LOUNGE_REQUEST_RESIGN,
    LOUNGE_REQUEST_LEAVE,
};

struct lounge_request {
    struct lounge_request *prev, *next;
    enum lounge_request_kind kind;
    void *ticket;
    unsigned seat; /* who asks, or which is wanted (SEAT_WATCHER: any) */
    uint64_t version;
    struct span *texts; /* in the memory of words; owned */
    size_t text_count;
    char *words;                         /* owned: texts, or the name; NULL: none */
    struct span name;                    /* who sits down; empty: nobody does */
    char seed[EVENT_SEED_BYTES_MAX + 1]; /* that it brings, or "" */
    unsigned bot_level;                  /* not 0: a bot does */
    bool is_rematch;                     /* the seat is kept for it */
    bool has_sat;
    bool is_freed;                      /* the seat that was left is free again */
    bool is_done;                       /* started, and nothing is to be saved for it */
    char key[LOUNGE_KEY_CHARS_MAX + 1]; /* "": none */
    char token[TOKEN_CHARS + 1];
    char owner_token[TOKEN_CHARS + 1];
    enum err why;
    const char *reason; /* NULL: that of the error */
    size_t index;
    bool has_index;
};

struct lounge_presence {
    struct lounge_table *table;
    unsigned listeners;
    uint64_t seen_ms;  /* when somebody who does not listen has last asked for something */
    struct timer gone; /* LOUNGE_SEEN_MS after that, or LOUNGE_SEEN_WAITING_MS */
};

struct lounge_table {
    struct lounge *lounge;
    uint64_t id;
    UT_hash_handle by_id;
    UT_hash_handle by_key; /* of those whose note has one */
    struct table *table;
    struct table_watch *watch; /* of a table that belongs to somebody else; NULL: it is the lounge's own */
    struct lounge_note note;
    struct lounge_request *opening; /* until the table is as it was ordered */
    struct lounge_request *current; /* being saved */
    bool is_unasked; /* what is being saved was answered as unknown: it is dropped if the store refuses it */
    struct lounge_request *queue;
    unsigned queue_count;
    struct thinker_job *job; /* of a bot that thinks; NULL: none does */
    uint64_t job_version;
    uint64_t changed_ms;
    bool is_keyed;       /* it is among those with a key */
    bool is_counted_out; /* it is over, or was given up, and does not count as one of ours any more */
    bool is_crowded_out; /* it is over, and there are too many younger ones like it */
    struct timer idle;
    struct lounge_table *over_prev, *over_next; /* those of ours that are over */
    struct lounge_presence seats[SEATS_MAX];
};

struct lounge_pair {
    uint64_t before, after; /* tables */
    UT_hash_handle by_before;
};

struct lounge {
    struct lounge_config config;
    struct lounge_output output;
    struct lounge_table *tables; /* by id */
    struct lounge_table *keyed;  /* by the key of the request that opened them */
    struct lounge_pair *rematches;
    struct timers timers;
    uint64_t now_ms;
    uint32_t own_count; /* of tables of its own that are not over */
    struct lounge_table
        *over; /* those that are, the first that ended first, as far as they are not crowded out */
    uint32_t over_count;
    bool is_stopped; /* bots do nothing more */
    bool is_awake;   /* it has been told the time, and what was there before goes on */
};

/* Not all calls are told the time; the clocks of tables must not be set back. */
static inline uint64_t lounge_now_ms(const struct lounge *l) {
    uint64_t tables_ms = tables_now_ms(l->config.tables);
    return tables_ms > l->now_ms ? tables_ms : l->now_ms;
}

/* lounge.c */

/* The table of an id as the lounge knows it; NULL when there is none at hand. */
struct lounge_table *lounge_table_get(struct lounge *, uint64_t id);
/* Begins to know a table. */
struct lounge_table *lounge_table_add(struct lounge *, struct table *);
/* Forgets a table, and refuses what waits at it. */
void lounge_table_free(struct lounge_table *);
/* Makes room for one more of its own; false when there is none. */
bool lounge_has_room(const struct lounge *);
/* Starts whatever can be started: bots sit down, the next request, bots think. */
void lounge_table_pump(struct lounge_table *);

/* request.c */

/* Goes on with an opening: who sits down, and the answer. True when a request is on its way for it. */
bool lounge_opening_finish(struct lounge_table *);
/* Starts a request; ERR_OK and the table is busy, or why not. */
enum err lounge_request_start(struct lounge_table *, struct lounge_request *);
/* Answers, and frees. */
void lounge_request_answer(struct lounge *, struct lounge_table *, struct lounge_request *);
void lounge_refuse_all(struct lounge_table *, enum err);
/* The table cannot be saved: answers everything that waits, and takes back what can be. The table may be gone
 * after it. */
void lounge_requests_late(struct lounge_table *);
/* A bot sits down at a seat that is free. */
enum err lounge_seat_bot(struct lounge_table *, unsigned seat, unsigned level);

#endif
