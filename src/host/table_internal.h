/* What table.c (requests) and tables.c (the registry, clocks, restart) share. */
#ifndef HOST_TABLE_INTERNAL_H
#define HOST_TABLE_INTERNAL_H

#include "base/timers.h"
#include "host/dice.h"
#include "host/table.h"

#include <uthash.h>

/* The events of a request that is on its way, until they are on disk: an action, what chance answers, a
 * result. Kept for the next request of any table, so that a move allocates nothing. */
struct table_request {
    struct table_request *next_free;
    struct event *events; /* bodies as sizes only until they are submitted: bodies may still move */
    size_t count, capacity;
    struct buf bodies;
};

struct table {
    struct tables *tables;
    uint64_t id;
    UT_hash_handle by_id;
    const struct game *game;
    struct game_options options;
    bool violation_loses;
    bool is_opened;  /* its set-up is on disk */
    bool has_begun;  /* an action of a seat is on disk */
    seat_set acted;  /* the seats whose players have acted since they sat down */
    bool is_over;    /* its result is on disk */
    bool is_closed;  /* nobody wants it any more; freed when its request is done */
    bool is_waiting; /* its request is on its way, see tables.waiting */
    bool is_sent;    /* the store has the request and has not answered yet */
    bool is_stalled; /* the listener has been told that the request cannot be saved at the moment */
    enum event_outcome outcome;
    int32_t points[SEATS_MAX];
    char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1];
    bool has_token[SEATS_MAX];
    struct digest tokens[SEATS_MAX];
    char *notes[SEATS_MAX]; /* NULL: none */
    char *seeds[SEATS_MAX]; /* the same */
    char *note;             /* of the set-up */
    char *house;            /* of the set-up; NULL: none */
    bool has_given;         /* it began with outcomes of chance that were given */
    char protocol[EVENT_NAME_BYTES_MAX + 1];
    int64_t created_ms;
    uint64_t seq;       /* of the last event on disk */
    struct digest hash; /* of that event */
    struct digest secret, commitment;
    struct dice dice;         /* by the events on disk */
    struct address opener;    /* nobody's: it is not counted, or not any more */
    struct game_state *state; /* on disk */
    struct game_state *next;  /* when the request is on disk; scratch while there is none */
    struct dice next_dice;    /* the same with those of the request */
    bool next_is_over;
    seat_set next_acted; /* whose actions are in the request */
    enum event_outcome next_outcome;
    int32_t next_points[SEATS_MAX];
    struct event_seat *next_guest; /* who sits down with the request, or NULL */
    struct table_request *request; /* NULL: none is on its way */
    struct table_request *last;    /* that led to state; NULL: not known, or it is being told */
    struct game_state *before;     /* the truth before that; NULL until there was one */
    struct table *waiting_prev, *waiting_next;
    uint64_t waiting_since_ms;
    struct table_listener listener;
    struct table_watch *watches; /* in the order in which they came */
    unsigned telling;            /* depth; what ends meanwhile, watches and the table, is freed after it */
    seat_set retired;            /* seats that were given up */
    seat_set retired_before;     /* the same without the request that is on its way */
    bool is_online[SEATS_MAX];
    bool has_wish[SEATS_MAX]; /* for when the request is through */
    enum attendance wishes[SEATS_MAX];
    struct table *newer, *older; /* newer of the oldest is NULL; see utlist.h for that of the newest */
    uint32_t turn_timeout_ms;
    uint64_t used_ms; /* of the turn before the last restart */
    uint32_t mark;    /* of the listener of all tables */
    struct timer clock;
};

/* Ids below this have codes of digits only, or short codes, or are not used. Short codes begin with a letter,
 * so that all of them lie between the numbers of five digits and those of six. */
#define TABLES_NUMBER_BELOW ((uint64_t)1 << 45)
#define TABLES_SHORT_BELOW  ((uint64_t)1 << 5 * TABLE_SHORT_CODE_CHARS)
#define TABLES_SHORT_FROM   ((uint64_t)10 << 5 * (TABLE_SHORT_CODE_CHARS - 1))

enum { TABLES_DOORS_MAX = 8 }; /* one for each protocol */

struct table_watch {
    struct table *table;
    struct table_listener listener;
    bool is_over; /* has ended while the table was telling */
    struct table_watch *prev, *next;
};

struct tables {
    struct tables_config config;
    struct table_listener listener;
    struct table *newest;
    struct table_door doors[TABLES_DOORS_MAX];
    size_t door_count;
    struct game_state *before; /* what a step is told with; grows to the largest state */
    size_t before_bytes;
    struct game_state *last_before; /* what table_last shows; grows in the same way */
    size_t last_before_bytes;
    uint64_t last_number; /* given out, as a number */
    uint64_t change;      /* so many changes have been told, of any table */
    struct table *by_id;
    struct table *waiting; /* for the store, the longest first */
    struct table_request *free_requests;
    struct timers clocks;
    struct tally openers; /* of tables that are not over */
    uint64_t now_ms;
};

/* tables.c */
/* The table is over or gone: it does not count for who opened it any more. */
void table_forget_opener(struct table *);
void tables_add(struct tables *, struct table *);
void tables_remove(struct table *);
/* Lets the clock of the seats on turn run for so long; none when the table has no clock, waits for players or
 * nobody is on turn.
 */
void table_clock_start(struct table *, uint64_t remaining_ms);

/* table_notice.c */
/* Tells everybody, and then does what was wished meanwhile. The table may be gone after it. */
void table_tell_settled(struct table *);
void table_tell_stalled(struct table *);
/* False when the table is gone after it. */
bool table_tell_late(struct table *);
void table_tell_closed(struct table *);
/* The same to those who began to watch after that, while the last event of the table was being saved. */
void table_tell_late_watches_closed(struct table *);
/* The request is on disk: plays its events one by one on the state, and tells of each. */
void table_tell_steps(struct table *);
/* Whether anybody wants to know the steps. */
bool table_tells_steps(const struct table *);
void table_free_watches(struct table *);

/* table_last.c */
/* The request, which is on disk, is the last one from now on; or nothing is known of the last one, while its
 * steps are told. */
void table_last_set(struct table *);
void table_last_forget(struct table *);
/* The same for a table that is brought back: its last event, and the truth before it (NULL before a set-up).
 */
void table_last_restore(struct table *, const struct event *, const struct game_state *before);

/* table.c */
/* Does what was wished while a request was on its way, if none is. */
void table_do_wishes(struct table *);
void table_request_free(struct table_request *);
/* Its memory serves another request. */
void table_request_recycle(struct tables *, struct table_request *);
struct table *table_alloc(struct tables *, const struct game *, const struct game_options *);
void table_free(struct table *);
/* Sends the request that is prepared to the store, for the first time or again. */
void table_submit(struct table *);
/* The guest sits now. */
void table_take_guest(struct table *, const struct event_seat *);
/* The request cannot be saved at the moment: tells the listener, once. */
void table_stalls(struct table *);

#endif
