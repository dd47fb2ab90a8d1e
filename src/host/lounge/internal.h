/* What lounge.c (the tables that it knows, how long, and their bots) and request.c (what people ask
 * for) share. */
#ifndef HOST_LOUNGE_INTERNAL_H
#define HOST_LOUNGE_INTERNAL_H

#include "host/lounge/lounge.h"
#include "host/room/room.h"

enum lounge_request_kind {
    LOUNGE_REQUEST_OPEN,
    LOUNGE_REQUEST_SIT,
    LOUNGE_REQUEST_ACT,
    LOUNGE_REQUEST_RESIGN,
    LOUNGE_REQUEST_LEAVE,
    LOUNGE_REQUEST_CLAIM,
};

struct lounge_request {
    struct room_request room;
    enum lounge_request_kind kind;
    void *ticket;
    unsigned seat;    /* who asks, or which is wanted (SEAT_WATCHER: any) */
    bool is_any_seat; /* any was wanted */
    unsigned claimed; /* whose player is gone */
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
    char key[LOUNGE_KEY_CHARS_MAX + 1]; /* "": none */
    char token[TOKEN_CHARS + 1];
    char owner_token[TOKEN_CHARS + 1];
    const char *reason; /* NULL: that of the error */
    size_t index;
    bool has_index;
};

struct lounge_table {
    struct room_table room;
    UT_hash_handle by_key; /* of those whose note has one */
    struct lounge_note note;
    struct thinker_job *job; /* of a bot that thinks; NULL: none does */
    uint64_t job_version;
    struct bot_plan *plan;       /* the rest of a turn of a bot; owned, NULL: there is none */
    uint64_t thought_us;         /* of its bots, as the thinker counts it */
    bool is_keyed;               /* it is among those with a key */
    seat_set opened_from;        /* the seat of who opened it, as far as this run knows; empty: none */
    uint64_t away_ms[SEATS_MAX]; /* since when a seat is not online, without outages of the store */
    uint8_t stand_in[SEATS_MAX]; /* the level of the bot that plays on for who is gone; 0: none does */
    struct timer absent;         /* until a bot plays on by itself for who is gone */
};

struct lounge_pair {
    uint64_t before, after; /* tables */
    UT_hash_handle by_before;
};

struct lounge {
    struct room room;
    struct lounge_config config;
    struct lounge_output output;
    struct lounge_table *keyed; /* by the key of the request that opened them */
    struct lounge_pair *rematches;
    struct lounge_steward steward;
    bool is_stopped; /* bots do nothing more */
};

static inline struct lounge_table *lounge_table_of(struct room_table *rt) {
    return (struct lounge_table *)(void *)rt;
}

static inline struct lounge *lounge_of(const struct lounge_table *lt) {
    return (struct lounge *)(void *)lt->room.room;
}

/* lounge.c */

/* The table of an id as the lounge knows it; NULL when there is none at hand. */
struct lounge_table *lounge_table_get(struct lounge *, uint64_t id);
/* Reads what its notes say, once they can be. */
void lounge_table_known(struct lounge_table *);
/* Which seats are those of bots, for the clocks: they wait for a thread of ours, and nobody is charged for
 * what the server delays. */
void lounge_bots_tell(struct lounge_table *);
/* A bot that was ordered and does not sit yet takes its seat. True when a request is on its way. */
bool lounge_bots_sit(struct lounge_table *);

/* cup.c */

/* An entrant who does not sit yet takes its seat. True when a request is on its way. */
bool lounge_entrants_sit(struct lounge_table *);

/* absence.c */

/* The table is known from now on; and the seat is online now or no more. */
void lounge_absence_begin(struct lounge_table *);
void lounge_absence_note(struct lounge_table *, unsigned seat);
/* The time is known, or another node took care of the table until now. */
void lounge_absence_wake(struct lounge_table *);
void lounge_absence_end(struct lounge_table *);
/* Starts such a request. */
enum err lounge_claim_start(struct lounge_table *, struct lounge_request *) MUST_CHECK;

/* request.c */

/* What a table begins with: the events of another one up to a version. */
struct lounge_beginning {
    struct table_step *steps; /* owned, with their actions */
    size_t step_count;
    struct store_origin origin; /* where it stands */
    bool is_impossible;
};
/* Opens a table of the lounge's own; id 0: any. */
enum err lounge_open_own(struct lounge *, const struct game *, const struct game_options *,
                         const struct lounge_beginning *, const struct lounge_note *,
                         const struct address *opener, uint64_t id, struct lounge_table **out) MUST_CHECK;

/* For the room: see struct room_policy. */
enum err lounge_request_start(struct room_table *, struct room_request *);
enum err lounge_request_again(struct room_table *, struct room_request *);
bool lounge_request_goes_on(struct room_table *, struct room_request *);
void lounge_request_answer(struct room_table *, struct room_request *);
void lounge_request_put_off(struct room_table *, struct room_request *, bool is_undone);
/* A bot sits down at a seat that is free. */
enum err lounge_seat_bot(struct lounge_table *, unsigned seat, unsigned level);

#endif
