/* What cups.c (all cups and their journals), request.c (what is asked of them) and director.c (what comes
 * next) share. */
#ifndef HOST_CUP_INTERNAL_H
#define HOST_CUP_INTERNAL_H

#include "base/timers.h"
#include "host/cup/cups.h"
#include "host/lounge/note.h"

#include <uthash.h>

struct cup_request {
    struct cup_request *prev, *next;
    void *ticket;
    enum cups_wish_kind kind;
    bool opens;
    char name[EVENT_NAME_BYTES_MAX + 1];
    char why[EVENT_WHY_BYTES_MAX + 1];
    unsigned bot_level;
    bool is_client;
    uint32_t pairing;
    char token[TOKEN_CHARS + 1]; /* "": none */
    bool keeps_token;            /* the entrant has it from an earlier entry */
    struct digest hash;          /* of that */
    struct event_cup about;      /* of one that opens */
    const char *reason;          /* of a refusal, or NULL */
};

/* A table of a cup that is not over as far as the journal of the cup knows. */
struct cup_place {
    struct cup_place *prev, *next;
    struct cup *cup;
    uint32_t pairing;
    uint64_t table;
    struct table_watch *watch; /* NULL: the table has been forgotten */
    uint64_t since_ms;         /* when it was first seen here */
};

struct cup {
    struct cups *cups;
    UT_hash_handle by_id;
    struct cup *prev, *next; /* the newest first */
    struct cup_fold fold;    /* id is the key */
    struct address opener;
    struct cup_request *queue; /* that wait; the first is being judged or saved when is_sending */
    unsigned queue_count;
    bool is_sending, is_loading, is_broken;
    bool is_asked;      /* what is being saved is of the first request */
    bool is_directing;  /* director_step is on the stack */
    unsigned conflicts; /* in a row */
    struct cup_place *places;
    struct history_wait *wait; /* for journals of tables that are over; NULL: it does not */
    struct rating_line *lines; /* owned, of each entrant; NULL: it does not count, or not yet */
    struct timer retry;
};

struct cups {
    struct cups_config config;
    struct cups_output output;
    struct cup *by_id, *all;
    struct timers timers;
    struct timer sweep;
    uint64_t now_ms;
    bool is_stopped;
    struct ratings base;              /* by those that are over and were forgotten */
    struct ratings ratings;           /* by those at hand, too */
    const struct cup *rated;          /* the last of them that counted; NULL: none */
    char note[LOUNGE_BOT_NOTE_BYTES]; /* of the guest that was asked for last */
};

/* Events that are to be appended together. */
struct cup_batch {
    struct cup *cup;
    struct event *events; /* owned, with their bodies */
    size_t count;
};

/* cups.c */

/* Adds an event, and keeps the body. */
void cup_batch_add(struct cup_batch *, enum event_kind, struct buf *body);
/* Appends them, if there are any, and frees the batch. The cup is not sending. */
void cup_batch_send(struct cup_batch *);
struct cup *cup_find(const struct cups *, uint64_t id);
/* An id for a table of the cup, of the kind that its clients can name. */
uint64_t cup_new_table(const struct cup *);
/* Goes on with what waits, and with what comes next. */
void cup_pump(struct cup *);
/* What could not be done is tried again. */
void cup_retry(struct cup *);

/* periods.c */

/* Counts a cup that is over, if it was not counted before. */
void cup_count(struct cup *);
/* Counts all that are at hand, in their order. */
void cups_recount(struct cups *);
/* The cup is about to be forgotten, and is the first in that order. */
void cup_count_off(struct cup *);

/* request.c */

/* What the first request comes to: events, or a refusal. */
enum err cup_request_judge(struct cup *, struct cup_request *, struct cup_batch *) MUST_CHECK;
/* Answers the first request and frees it. */
void cup_request_answer(struct cup *, enum err why, const char *reason);

/* director.c */

/* Does what comes next. True when something is being saved. */
bool cup_direct(struct cup *);
/* No table is watched any more. */
void cup_places_free(struct cup *);

#endif
