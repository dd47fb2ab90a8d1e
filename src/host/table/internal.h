/* What table.c (requests), tables.c (the registry, clocks, restart), codes.c (short codes), nodes.c and
 * arrival.c (other nodes) share. */
#ifndef HOST_TABLE_INTERNAL_H
#define HOST_TABLE_INTERNAL_H

#include "base/ration.h"
#include "base/steady.h"
#include "base/timers.h"
#include "host/table/figures.h"
#include "host/table/fold.h"
#include "host/table/table.h"

#include <uthash.h>

enum table_ask_kind {
    TABLE_ASK_OPEN,
    TABLE_ASK_SIT,
    TABLE_ASK_GET_UP,
    TABLE_ASK_ACT,
    TABLE_ASK_FORFEIT,
    TABLE_ASK_TIME_OUT,
    TABLE_ASK_ATTEND,
    TABLE_ASK_ABANDON,
};

/* Who sits down, or what is lost: large and rare, so that a request has it only when it is one of them. */
union table_word {
    struct event_seat guest;
    struct event_forfeit forfeit;
};

/* What was asked for, as long as it is on its way: when another writer was first it is judged again. */
struct table_ask {
    enum table_ask_kind kind;
    unsigned seat;
    struct action *actions;
    size_t action_count, action_capacity;
    struct table_turn turn; /* its actions are those above */
    struct buf sent;        /* of an act that may cost the table */
    union table_word *word; /* owned; NULL: it is neither of the two */
    bool takes_over, is_any_seat;
    enum err guest_fault; /* the guest cannot be written down */
    enum attendance attendance;
};

/* A request: what it becomes is judged on a copy of the state, and its events wait here until they are on
 * disk: an action, what chance answers, a result. Kept for the next request of any table, so that a move
 * allocates nothing. */
struct table_request {
    struct table_request *next_free;
    struct table_ask ask;
    bool is_pinned;       /* to the version on which it was judged */
    bool is_again;        /* it was judged before, on what is not true any more */
    unsigned conflicts;   /* so often in a row another writer was first */
    struct event *events; /* bodies as sizes only until they are submitted: bodies may still move */
    size_t count, capacity;
    struct buf bodies;
    struct store_origin origin; /* from where the first of them are */
    /* As it will be after the events so far: */
    struct dice dice;
    seat_set taken;
};

/* What a player's going or coming back is to become when the request is through. */
struct table_intent {
    bool is_open;
    enum attendance attendance;
    struct table_cause cause; /* of one who leaves for good */
};

/* The functions of listeners: those of a protocol are the same for all its tables, which share them. */
struct table_voice {
    struct table_listener listener; /* its context is NULL */
    struct table_voice *next;
};

/* A live table is the fold of its journal: nothing else says what has happened. Beside it stands only what
 * the journal does not know. */
struct table {
    struct tables *tables;
    uint64_t id;
    UT_hash_handle by_id;
    struct fold fold;        /* of what is on disk; set-up and first seats are in it from the start */
    uint64_t stamp;          /* of what is true now: no two truths of any table have the same */
    uint64_t told_seq;       /* of the last event that was told; none is told twice */
    bool is_opened;          /* the set-up is on disk, too */
    bool is_closed;          /* nobody wants it any more; freed when its request is done */
    bool is_waiting;         /* its request is on its way, see tables.waiting */
    bool is_sent;            /* the store has the request, or a question about it, and has not answered yet */
    bool is_stalled;         /* the listener has been told that the request cannot be saved at the moment */
    bool tells_own;          /* it is of the request that is on its way */
    bool is_update_due;      /* who is there may have changed since other nodes were told */
    bool is_ahead_elsewhere; /* what another node says of it is of a version that is not known here yet */
    bool is_remote;          /* the presence that is being told is of another node */
    bool is_stopped;         /* clocks stand since the table saves, since stopped_ms */
    bool is_held;            /* clocks stand since the players cannot go on, since held_ms */
    bool is_begin_logged;    /* or the table had begun before it was brought back */
    bool is_counted;         /* among those that run */
    bool is_online[SEATS_MAX];
    struct digest secret;
    struct address opener;         /* nobody's: it is not counted, or not any more */
    struct table_request *request; /* NULL: none is on its way */
    struct table *waiting_prev, *waiting_next;
    uint64_t waiting_since_ms;
    const struct table_listener *listener; /* see struct table_voice */
    void *listener_context;
    struct table_watch *watches; /* in the order in which they came */
    uint32_t mark;               /* of the listener of all tables */
    unsigned telling;            /* depth; what ends meanwhile, watches and the table, is freed after it */
    unsigned guests;             /* that are here without a seat, see table_set_guests */
    /* The same at other nodes. */
    seat_set elsewhere;
    unsigned guests_elsewhere;
    struct table_intent *wishes; /* of the seats, for when the request is through; NULL: there are none */
    struct table *newer, *older; /* newer of the oldest is NULL; see utlist.h for that of the newest */
    uint32_t turn_timeout_ms;
    uint32_t game_ms, increment_ms; /* of each seat for the whole game, and more of it for each turn; 0: no
                                       such clock */
    uint64_t used_ms;               /* of the turn before the last restart */
    seat_set asked;                 /* that are on turn since they were told so */
    seat_set told;                  /* see table_set_told */
    int64_t since_ms[SEATS_MAX];    /* when they were, by the loop's clock; later by what is not charged */
    int64_t asked_ms[SEATS_MAX];    /* the same by the journal's */
    uint64_t stopped_ms;            /* see is_stopped */
    uint64_t held_ms;               /* see is_held */
    struct table_figures *figures;
    uint64_t asked_us; /* when its request began to be on its way */
    struct timer clock;
    uint64_t turn_due_ms;  /* when the clock of the turn runs out */
    uint64_t clock_due_ms; /* the first of all clocks; from then on the timer looks again and again */
};

/* Ids below this have codes of digits only, or short codes, or are not used. Short codes begin with a letter,
 * so that all of them lie between the numbers of five digits and those of six. */
#define TABLES_NUMBER_BELOW ((uint64_t)1 << 45)
#define TABLES_SHORT_BELOW  ((uint64_t)1 << 5 * TABLE_SHORT_CODE_CHARS)
#define TABLES_SHORT_FROM   ((uint64_t)10 << 5 * (TABLE_SHORT_CODE_CHARS - 1))

enum {
    TABLES_DOORS_MAX = 8,                 /* one for each protocol */
    TABLES_GREETERS_MAX = 16,             /* one for each protocol, and others */
    TABLES_BYTES_MS = 60 * 60 * 1000,     /* see address_bytes_max */
    TABLES_EVENT_BYTES = 100,             /* that an event takes besides its body */
    TABLES_REQUEST_BYTES_MAX = 16 * 1024, /* memory of a request that is kept for others */
    TABLES_FREE_REQUESTS_MAX = 128,       /* that are kept for others */
    TABLES_CODES_SPARE_MAX = 32,          /* short codes that are known not to be used */
    TABLES_CODES_USED_MAX = 64,           /* that were wished for last and are used */
};

struct table_watch {
    struct table *table;
    const struct table_listener *listener; /* see struct table_voice */
    void *listener_context;
    bool is_over; /* has ended while the table was telling */
    struct table_watch *prev, *next;
};

/* What viewers may know of one truth, each made when it is first asked for. */
struct table_views {
    struct {
        uint64_t stamp; /* of what it was made from; 0: of nothing */
        struct game_view *view;
        size_t bytes; /* its memory */
    } of[SEAT_WATCHER + 1];
};

/* A finished table that is asked for. */
struct tables_load {
    struct tables_load *prev, *next;
    struct tables *tables;
    struct fold fold;
    bool is_broken;
    tables_loaded *loaded; /* NULL: nobody wants to know any more */
    void *context;
};

/* Somebody who waits for a table, see tables_fetch. */
struct tables_fetch {
    tables_fetched *fetched; /* NULL: not any more */
    void *context;
    struct tables *tables;
    int64_t since_ms; /* when what waits for it reached this machine, as the journal has time */
    struct tables_fetch *next;
};

/* A table of another node that is being folded. */
struct arrival {
    struct tables *tables;
    uint64_t id;
    struct fold fold;
    struct digest secret;
    uint64_t seen_seq; /* events up to here are known to be there */
    uint64_t from_seq; /* what is being loaded begins after this one */
    bool is_loading, is_broken;
    struct tables_fetch *fetches; /* who waits for it */
    UT_hash_handle hh;
};

/* A table that is here, and is being brought up to date. */
struct refresh {
    struct tables *tables;
    uint64_t id;
    bool has_news;
    struct tables_fetch fetch; /* who waits for it */
    struct refresh *prev, *next;
};

/* Short codes; see codes.c. */
struct tables_codes {
    struct code_look *looks;                /* those that are being looked up */
    size_t looks_count;                     /* of them, those that are to be spare ones */
    uint64_t spare[TABLES_CODES_SPARE_MAX]; /* not used by any table */
    size_t spare_count;
    bool is_failing;                      /* the last look: one at a time is tried again */
    uint64_t used[TABLES_CODES_USED_MAX]; /* by tables that are not here, for whoever wishes for them; the
                                             oldest goes */
    size_t used_count;                    /* so far */
};

struct tables {
    struct tables_config config;
    struct nodes *nodes; /* NULL: nobody shares the store */
    struct arrival *arrivals;
    struct refresh *refreshes;
    struct tables_codes codes;
    struct tables_greeter greeters[TABLES_GREETERS_MAX];
    size_t greeter_count;
    struct table_listener listener;
    struct table_voice *voices;
    store_visit_commit *cups; /* who follows journals of cups; NULL: nobody does */
    void *cups_context;
    tables_usher *usher;
    void *usher_context;
    struct table *newest;
    struct table_door doors[TABLES_DOORS_MAX];
    size_t door_count;
    /* Memory for states that serve one request or event of any table; they grow to the largest game. */
    struct game_state *next;                /* on which a request is judged */
    struct game_state *before;              /* with which a step is told */
    struct game_state *trial;               /* on which the steps of one event are played */
    struct table_views views, views_before; /* of the table that was looked at last, and of before */
    const struct action *action;            /* of the step that is being told */
    size_t scratch_bytes;
    uint64_t stamps;      /* so many were given out */
    uint64_t last_number; /* given out, as a number */
    uint64_t change;      /* so many changes have been told, of any table */
    struct table *by_id;
    struct table *waiting; /* for the store, the longest first */
    struct tables_load *loads;
    struct table_request *free_requests;
    size_t free_request_count;
    struct timers clocks;
    struct tally openers; /* of tables that are not over */
    struct ration misses; /* of codes */
    struct ration bytes;  /* of journals, by who has opened the table */
    struct steady steady; /* the clock of the journal beside the loop's */
    uint64_t now_ms;
    uint64_t outages_ms; /* of the store, so far in this run */
    bool is_draining;
    struct table_figures figures[TABLE_FIGURES_MAX];
    size_t figures_count;
};

/* figures.c */
/* The table is new here; and is over, or gone. */
void table_count_in(struct table *);
void table_count_out(struct table *);
/* Its request is on its way; and is through. */
void table_count_asked(struct table *);
void table_count_answered(struct table *);

/* tables.c */
/* Makes room for states of this game in next, before and trial. */
void tables_make_room(struct tables *, const struct game *);
/* The table is over or gone: it does not count for who opened it any more. */
void table_forget_opener(struct table *);
/* Its request is written, which counts for who opened it. */
void table_charge(const struct table *);
/* The request is through: its memory serves another one. */
void table_request_keep(struct tables *, struct table_request *);
void table_request_free(struct table_request *);
/* All events behind the set-up come from another journal; bodies are still to be chained. */
void table_request_refer(struct table_request *, const struct store_origin *);
void tables_add(struct tables *, struct table *);
void table_log_undecided(uint64_t id, const char *why);
void tables_remove(struct table *);
/* clock.c */
/* The seats on turn are asked now, or were so long ago (before a restart); their clocks run, if the table has
 * any. */
void table_clock_start(struct table *, uint64_t used_ms);
/* Clocks stand: what comes next is being saved. */
void table_clock_stop(struct table *);
/* What the seat has used of the time that runs, by the arrival of what is being dealt with. */
uint32_t table_clock_used_ms(const struct table *, unsigned seat);
/* What a loss of the seat is judged by; allowed_ms: of whoever keeps another clock for it, or 0. */
void table_clock_stamps(const struct table *, unsigned seat, uint32_t allowed_ms, struct event_stamps *out);
/* Who is out of time: the named seat, or the first on turn. */
unsigned table_clock_loser(const struct table *, unsigned named);
/* Gives the clock of a table, or of all tables, so much more time. */
void table_clock_extend(struct table *, uint64_t more_ms);
void tables_clocks_extend(struct tables *, uint64_t more_ms);

/* loss.c */
struct event_forfeit table_loss_of_breach(const struct game *, unsigned seat, const struct table_breach *);
struct event_forfeit table_loss_of_cause(unsigned seat, enum event_reason, const struct table_cause *);
/* When and by which clock: the last thing before it is written down. */
void table_loss_stamp(const struct table *, struct event_forfeit *);

/* tables.c again */
/* A number that was given to a table by whomever. */
void tables_number_seen(struct tables *, uint64_t id);
void tables_tell_company(struct tables *);

/* nodes.c */
struct nodes *nodes_create(struct tables *, struct store *);
void nodes_free(struct nodes *);
/* Who is here has changed: tells the other nodes. */
void nodes_table_tell(const struct table *);
/* Whether all nodes through which the seat is online are known to have lived at that time. */
bool nodes_were_there(const struct table *, unsigned seat, uint64_t then_ms);
/* The table learns who is there at other nodes; when its request is through, if it has one: others may know
 * of that already, and have gone because of it. */
void nodes_table_update(struct table *);
void nodes_table_update_now(struct table *);
/* Somebody else sits on the seat from now on, or nobody: who was there at other nodes is not any more. */
void nodes_seat_changes(struct table *, unsigned seat);

/* arrival.c */
/* Events of a table that is not here are on disk. */
void arrivals_hear(struct tables *, uint64_t id, const struct event *, size_t count);
/* A table that somebody else has opened under this id. */
void arrivals_expect(struct tables *, uint64_t id);
/* Events that are here show that others are missing: they are read. */
void arrivals_fill_gap(struct table *);
/* Another try for those that could not be read. */
void arrivals_beat(struct tables *);
void arrivals_free(struct tables *);

/* codes.c */
/* Draws spare codes and has them looked up, as many as are lacking. */
void codes_fill(struct tables *);
void codes_free(struct tables *);

/* The truth about the table. Whatever leaves this folder goes through a view. */
static inline const struct game_state *table_state(const struct table *t) {
    return t->fold.state;
}

/* home.c */
/* What is kept of where a guest comes from, and of its secret. */
void table_guest_home(const struct table *, const struct table_guest *, struct event_seat *out);

/* view.c */
/* The truth has changed: views of what was before are not shown any more. */
void table_changed(struct table *);
void table_views_free(struct table_views *);

/* notice.c */
/* Says in the log that a request of this process made the table begin or end, when it did. */
void table_log(struct table *);
/* Tells everybody, and then does what was wished meanwhile. The table may be gone after it. */
void table_tell_settled(struct table *);
void table_tell_stalled(struct table *);
/* The request is refused after all; the table stays until table_tell_settled. */
void table_tell_refused(struct table *, unsigned seat, enum err why);
/* False when the table is gone after it. */
bool table_tell_late(struct table *);
void table_tell_closed(struct table *);
/* The same to those who began to watch after that, while the last event of the table was being saved. */
void table_tell_late_watches_closed(struct table *);
/* One more event is on disk: the table changes by it, and tells of it step by step. One that it has taken
 * before changes nothing. */
void table_take_event(struct table *, const struct event *);
/* Whether the event is one of the table's request. */
bool table_is_own(const struct table *, const struct event *);
/* The functions of a listener, for as long as there are tables. */
const struct table_listener *tables_voice(struct tables *, const struct table_listener *);
void table_free_watches(struct table *);
/* Who is there at other nodes: tells of what has changed by it. */
void table_set_elsewhere(struct table *, seat_set seats, unsigned guests);

/* table.c */
/* Does what was wished while a request was on its way, if none is. */
void table_do_wishes(struct table *);
/* A table that nobody knows yet; takes the fold over. */
struct table *table_alloc(struct tables *, struct fold *);
void table_free(struct table *);
/* Sends the request to the store again; judged anew when the table has moved on meanwhile. */
void table_retry(struct table *);
/* Whatever is on disk is told: the next turn begins. The table may be gone after it. */
void table_settle(struct table *);
/* The request cannot be saved at the moment: tells the listener, once. */
void table_stalls(struct table *);

#endif
