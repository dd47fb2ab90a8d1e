/* The room: where the members of one protocol and their tables meet. What every protocol needs is here once:
 * members and where they are, seats and who speaks for them, who is away and for how long, who waits in line,
 * who is heard again when a request is saved, requests that wait for their turn, tables that a restart
 * brought back, doors for others, and ceilings. What differs is data (struct room_policy), and what is to be
 * said is told by notices: a closed list, which the protocol puts into its own words.
 *
 * No sockets and no words of a wire. Calls into a room stand between room_enter and room_exit; what was said
 * leaves with the outermost room_exit. What tables tell comes in the same way by itself. */
#ifndef HOST_ROOM_ROOM_H
#define HOST_ROOM_ROOM_H

#include "base/timers.h"
#include "host/table/table.h"

#include <uthash.h>

enum {
    ROOM_ASKS_MAX = 64,            /* that are asked at once for what the next table shall be */
    ROOM_WAIT_MS = 10 * 60 * 1000, /* what wait_ms is unless somebody says otherwise */
    ROOM_LEFT_MS = 5 * 60 * 1000,  /* a table with players who have been silent for so long may make room */
    ROOM_BUSY_RETRY_MS = 1000,     /* a table that is to be given up and is busy is looked at again */
    ROOM_ARRIVED_KEEP_MS = 10 * 1000, /* a table of another node may seem empty for so long: who is there is
                                         told after it */
};

struct room;
struct room_table;
struct room_member;

/* Somebody who takes part: a connection, or whoever else a protocol speaks to. It is the first member of the
 * protocol's own struct for it. */
struct room_member {
    struct room *room;
    struct room_table *at; /* where it is; NULL: at no table */
    char *name;            /* by which the room knows it, see room_member_name; NULL: none */
    void *kept;            /* the protocol's own, freed with it; NULL: nothing */
    UT_hash_handle by_name;
    unsigned seat;                         /* there; SEAT_WATCHER: none */
    bool is_waiting;                       /* in line */
    bool is_asked;                         /* for something that others wait for, see room_ask */
    bool is_slow;                          /* ... and keeps no place from others any more */
    bool is_marked;                        /* to be heard in this round */
    bool is_moved;                         /* to be heard when the call is over */
    struct room_table *creating;           /* that is being opened for it; NULL: none is */
    struct tables_fetch *fetch;            /* that it waits for, see room_fetch; NULL: it does not */
    uint64_t fetching;                     /* the table of that */
    bool may_guess;                        /* ... which may be a private one */
    struct timer answer;                   /* for what it is asked */
    struct room_member *prev, *next;       /* all members */
    struct room_member *at_prev, *at_next; /* those at the table, see policy.hears_in_order */
    struct room_member *line_prev, *line_next;
    struct room_member *moved_prev, *moved_next;
};

struct room_seat {
    struct room_table *table;
    unsigned number;
    struct room_member *member; /* who speaks for it here; NULL: nobody does */
    bool is_away;        /* its player was there, and is online through no protocol; in the list of those */
    bool is_leaving;     /* it is to be free as soon as the table can save that, see room_vacate */
    uint64_t left;       /* the order in which seats were left; 0: never in this run */
    unsigned listeners;  /* of a player who has no connection of its own, see room_listen */
    uint64_t seen_ms;    /* when such a player was last heard of, see room_seen */
    struct timer timer;  /* until the seat is given up, or its player is not there any more */
    uint64_t outages_ms; /* of the store, when its grace began (tables_outages_ms) */
    struct room_seat *prev, *next;
};

/* A request that has a ticket and is answered when it is on disk. The first member of the protocol's own. */
struct room_request {
    struct room_request *prev, *next;
    enum err why;
    bool opens;   /* its table; which stays, once it is on disk, whatever else was asked for */
    bool is_done; /* it was started, and its answer waits for nothing */
};

/* A table as the room knows it; the first member of the protocol's own. */
struct room_table {
    struct room *room;
    struct table *table;
    uint64_t id;
    UT_hash_handle by_id;
    bool is_own;     /* of this protocol; otherwise the room only looks on */
    bool is_by_code; /* nobody is seated there who did not name it: it is private, or records what is said */
    bool is_private; /* only who knows the code knows of it */
    bool is_opening; /* its set-up is being saved */
    bool is_opened_here; /* by this node, in this run */
    bool is_from_door;   /* from a door or another node: it may be empty until door_ms */
    bool is_forming; /* players may still come; in the list of those. The protocol says when it has formed */
    bool is_dropped; /* it will not be played: it is abandoned as soon as that can be saved */
    bool is_over;
    bool
        is_listed; /* it is one of the room's own, counts, and is in the list of those that run or are over */
    bool is_hidden;            /* nobody finds it any more */
    struct table_watch *watch; /* of a table that is not its own */
    struct room_member *members;
    struct room_member *creator; /* waits for it to be open, at no table; NULL: nobody does */
    struct room_member *sitter;  /* whose seat is being saved; NULL: nobody's, or it has gone */
    bool is_sitting;             /* a seat is being taken through this room */
    struct room_seat *seats;     /* as many as the table has; owned */
    unsigned seat_count;
    struct timer timer;           /* until it is given up, or closed when it is over */
    uint64_t empty_ms;            /* since when nobody is online */
    uint64_t door_ms;             /* of a table from a door */
    struct room_request *current; /* being saved */
    struct room_request *queue;   /* that wait for their turn */
    unsigned queue_count;
    bool is_unasked; /* what is being saved was answered as unknown: it is dropped if the store refuses it */
    uint64_t touched_ms;            /* the last sign of life, see room_touch */
    struct room_table *prev, *next; /* all tables, in the order in which they came */
    struct room_table *forming_prev, *forming_next;
    struct room_table *touched_prev, *touched_next; /* those that run, or those that are over */
};

/* What a room tells its protocol. */
enum room_notice_kind {
    ROOM_ADOPTED, /* table: a restart has brought it back, or another protocol has opened it */
    ROOM_AWAKE,   /* table: the time is known, and what was brought back begins to wait; or another node took
                     care of it until now, perhaps */
    ROOM_OPENED,  /* table: its set-up is on disk; member: its creator, or NULL */
    ROOM_SAT, /* table, seat: somebody sits there; member: who it is, NULL: it came through elsewhere, or has
                 gone meanwhile (is_ours tells which). The seat is taken and online after the notice */
    ROOM_GOT_UP,   /* table, seat: it is free again */
    ROOM_UNSEATED, /* member: another node took it for gone, and its seat is free or somebody else's. It is at
                      no table any more */
    ROOM_PLAYED,   /* table, played: one action */
    ROOM_ATTENDED, /* table, played: a seat is away, back or gone, and the rules went on with that */
    ROOM_PRESENCE, /* table, seat: is online now, or no more; is_change: it was known to be away, or is now;
                      is_ours: through this node */
    ROOM_DOUBLED,  /* member: its seat is online at another node, too. Who of the two is there no more shows
                      when both are asked */
    ROOM_GUESTS,   /* table: more or fewer are there without a seat at other nodes */
    ROOM_FETCHED,  /* member, table: what it waited for; NULL: there is no such table that runs */
    ROOM_SETTLED,  /* table: all of a request has been told; after it members are heard again */
    ROOM_REFUSED, /* table, seat, why: what was being saved is refused after all; member: for whom, or NULL */
    ROOM_STALLED, /* table: the store cannot save at the moment */
    ROOM_OVER,    /* table: as ROOM_SETTLED, and nothing follows. The room closes it when its time is up */
    ROOM_CLOSED,  /* table: somebody else's is gone; it is forgotten after the notice */
    ROOM_IDLE,    /* table: there was no sign of life for too long; it is abandoned after the notice */
    ROOM_GIVEN_UP, /* table, seat: its player was away for too long */
    ROOM_KEPT,     /* table, seat: was to be free, and cannot be any more */
    ROOM_ASKED,    /* member: is the first in line, and asked for what the next table shall be */
    ROOM_LATE,     /* member: has kept others waiting for too long. In line it goes behind them after this */
    ROOM_LOBBY,    /* those who wait may find a place now */
    ROOM_HEAR,     /* member: may say more */
    ROOM_FLUSH,    /* what was said leaves */
};

struct room_notice {
    enum room_notice_kind kind;
    struct room_table *table;
    struct room_member *member;
    unsigned seat;
    bool is_ours, is_change;
    enum err why;
    const struct table_notice *played; /* of ROOM_PLAYED and ROOM_ATTENDED: the step; seat is whose */
};

/* What a protocol brings. Times and numbers of 0 mean: never, no limit. */
struct room_policy {
    const char *protocol;    /* the word for its tables in the journal */
    const struct game *game; /* of its tables; NULL: any */
    size_t member_bytes, table_bytes;
    bool counts_guests;    /* those at a table without a seat keep a place there, at other nodes too */
    bool hears_in_order;   /* those at a table are heard again in the order in which they came; otherwise the
                              one that was heard last comes last */
    bool begins_full;      /* its tables have formed when they are full, and it does not say so */
    bool drops_own;        /* one table too many takes the place of one of the asker's own that nobody has */
    bool has_short_codes;  /* its clients know no other, not even of private tables */
    bool looks_on;         /* tables of other protocols can be found by their code, too */
    uint32_t tables_max;   /* of its own that are not over */
    uint32_t waiting_max;  /* members in line */
    uint32_t keep_ms;      /* a table at which nobody is online is given up after so long */
    uint32_t wait_ms;      /* the same of a table that still waits for players, bots or not */
    uint32_t door_keep_ms; /* a table from a door is dropped when nobody has come after so long, and is like
                              any other then */
    uint32_t grace_ms;     /* a seat whose player is away is given up after so long (ROOM_GIVEN_UP) */
    uint32_t idle_ms;      /* a table without a sign of life (room_touch) is given up after so long */
    uint32_t linger_ms;    /* a table that is over is closed so long after its last sign of life */
    uint32_t linger_max;   /* so many of them are kept, if not 0 */
    uint32_t requests_max; /* of one table that wait for their turn */
    uint32_t answer_ms;    /* who is asked has so long to answer */
    uint32_t patience_ms;  /* ... and after so long it keeps no place: the next ones in line are asked, too */
    uint32_t seat_patience_ms;         /* the same at a table; 0: as in line */
    uint32_t turn_ms;                  /* a seat has so long for an action, once all players are known */
    uint32_t game_ms, increment_ms;    /* and so long for the whole game, with so much more for each turn */
    uint32_t seen_ms, seen_waiting_ms; /* a player without a connection counts as there so long after it was
                                          heard of; the second while seats are free */
    void (*tell)(struct room *, const struct room_notice *);
    /* Requests with tickets. start: ERR_OK and the table is busy with it, or is_done; or why it is refused.
     * goes_on: what was started is on disk; true when more of it comes, and the table is busy with that.
     * between: true when something of the table's own comes before the next request, and it is busy with
     * that. rest: nothing waits. answer: says r->why and frees it. again: another node was first at the seat
     * that was wanted; starts the request once more (of one that opens: goes_on follows). put_off comes
     * before answer when the store cannot save; is_undone: nothing of it has happened. All but start and
     * answer may be NULL; all are where a protocol has no tickets. */
    enum err (*start)(struct room_table *, struct room_request *);
    enum err (*again)(struct room_table *, struct room_request *);
    bool (*goes_on)(struct room_table *, struct room_request *);
    bool (*between)(struct room_table *);
    void (*rest)(struct room_table *);
    void (*answer)(struct room_table *, struct room_request *);
    void (*put_off)(struct room_table *, struct room_request *, bool is_undone);
    /* The table is forgotten after this, with what is the protocol's own. NULL: there is nothing to do. */
    void (*forget)(struct room_table *);
    /* Whether a table may be opened through the door as it is set up there; may add to it. NULL: always. */
    enum err (*admits)(struct room *, struct table_setup *);
};

/* The first member of the protocol's own. */
struct room {
    struct room_policy policy;
    struct tables *tables;
    struct timers timers;
    uint64_t now_ms;
    bool is_awake; /* it has been told the time */
    bool is_ending;
    unsigned depth; /* of calls */
    struct room_member *members, *line, *by_name;
    struct room_member *silent; /* in line behind all others, because they did not answer; is_slow */
    unsigned asks;              /* so many of the line are asked at once; 0: one */
    struct room_member *moved;  /* to be heard, in the order in which they moved */
    unsigned line_count;        /* with the silent ones */
    struct room_table *by_id, *all, *forming;
    struct room_table *running, *over; /* by their last sign of life, oldest first; without the hidden ones */
    unsigned over_count;
    unsigned own_count;         /* tables of its own that are not over */
    unsigned opening_count;     /* whose set-up is being saved */
    struct room_table *hearing; /* whose members are being heard; NULL once it is gone */
    struct room_seat *away;     /* the one that went last first */
    uint64_t departures;
};

/* Begins: adopts the tables of its protocol (ROOM_ADOPTED for each) and hangs up its door. The room is memory
 * of the caller, zeroed but for what is its own; tables are borrowed. */
void room_begin(struct room *, const struct room_policy *, struct tables *);
/* The room that has hung up the door of a protocol; NULL: there is none. */
struct room *room_of_protocol(const struct tables *, const char *protocol);
/* Takes the door down and closes all tables; members are freed without a word. */
void room_end(struct room *);

void room_enter(struct room *, uint64_t now_ms);
void room_exit(struct room *);
/* Those who wait may find a place now (ROOM_LOBBY): when a member has gone, and by itself when a table has
 * settled. */
void room_lobby(struct room *);
uint64_t room_next_ms(const struct room *);
/* Lets time pass; the first time what was brought back awakes. */
void room_advance(struct room *, uint64_t now_ms);

/* Members. */

struct room_member *room_member_add(struct room *);
/* Forgets a member; where it was nobody is told (room_member_leave comes before). */
void room_member_free(struct room_member *);
/* Is at the table from now on, without a seat. */
void room_member_come(struct room_member *, struct room_table *);
/* Is at no table any more, nor in line. A seat keeps its player: it goes offline, or (detach) nothing is said
 * of that. */
void room_member_leave(struct room_member *);
void room_member_detach(struct room_member *);
/* The room knows the member by this name from now on, which is nobody else's; an empty one: by none. */
void room_member_name(struct room_member *, struct span name);
/* The member of this name, or NULL. */
struct room_member *room_member_named(const struct room *, struct span name);
/* Whether what it says can be judged now: its table is not saving. */
bool room_member_may_speak(const struct room_member *);
/* Had to wait for a table where it is no more: it is heard when the call is over. */
void room_member_moved(struct room_member *);

/* The line. */

void room_line_join(struct room_member *);
/* The first in line is asked when nothing is being opened and it was not asked yet; several at once when
 * others before it have said nothing. */
void room_line_ask(struct room *);
/* The member is asked for something that others wait for; it has policy.answer_ms. And it has answered. */
void room_ask(struct room_member *);
void room_answered(struct room_member *);
/* The member was silent in line and is at a table now: it keeps no place there either, until it answers. */
void room_member_silence(struct room_member *);

/* Tables. */

/* One more table than there may be is wanted from an address. The one to go, or NULL when none may: it
 * belongs to the address that has most, which is more than the asker has, or (may_be_own, and then it may be
 * busy) to the asker; nobody plays there, so it waits for players or has been left; of several the one
 * without a sign of life for the longest time. */
struct room_table *room_table_least(const struct room *, const struct address *asker, bool may_be_own);

/* Opens one of the room's own: id and protocol are the room's to fill in. Refused: ERR_ADDRESS_FULL,
 * ERR_TOO_MANY, and what table_open refuses. The creator may be NULL; otherwise it is not heard before the
 * table is open, unless it comes to it. */
enum err room_open(struct room *, struct table_setup *, struct room_member *creator,
                   struct room_table **out) MUST_CHECK;
/* The running table of this code; NULL: there is none, or it is private and who asks has guessed too often. A
 * miss counts for the address (tables_missed). */
struct room_table *room_find(struct room *, struct span code, const struct address *asker);
/* The table of this id as the room knows it, or NULL. */
struct room_table *room_table_of(const struct room *, uint64_t id);
/* Begins to know a table that runs. */
struct room_table *room_adopt(struct room *, struct table *);
/* All players are known. */
void room_table_formed(struct room_table *);
/* It will not be played. */
void room_table_drop(struct room_table *);
/* Nobody finds it any more, and it counts no more; it lives on until what is on its way is saved. */
void room_table_hide(struct room_table *);
/* Its members are at no table any more, and are heard when the call is over. */
void room_table_empty(struct room_table *);
/* Forgets it; its own is closed. Empties it before. */
void room_table_free(struct room_table *);
/* Somebody else's is forgotten when no member needs it. */
void room_table_release(struct room_table *);
/* Looks for a table that another node may have opened. True: the member is not heard until it is told
 * ROOM_FETCHED. False: there is nothing to wait for. Private tables are found as room_find finds them; a miss
 * does not count again. */
bool room_fetch(struct room_member *, struct span code, const struct address *asker);
/* Which of two was opened first; the same at every node. */
bool room_table_is_older(const struct room_table *, const struct room_table *than);
/* A sign of life. */
void room_touch(struct room_table *);

unsigned room_seat_count(const struct room_table *);
/* The first seat without a name, or SEAT_WATCHER. */
unsigned room_seat_free(const struct room_table *);
unsigned room_seats_taken(const struct room_table *);
/* The seat of this name, or SEAT_WATCHER. */
unsigned room_seat_named(const struct room_table *, struct span name);
bool room_is_anybody_online(const struct room_table *);
bool room_is_complete(const struct room_table *); /* every seat is taken and online */
bool room_has_away(const struct room_table *);
/* Nobody is there, nobody is to come, and this node takes care of that. */
bool room_is_forsaken(const struct room_table *);

/* Seats. */

/* The member, who is at the table, sits down, and has answered: what table_sit refuses. ROOM_SAT follows. */
enum err room_sit(struct room_member *, const struct table_guest *) MUST_CHECK;
/* The member speaks for the seat from now on, and it is online. */
void room_seat_take(struct room_table *, unsigned seat, struct room_member *);
/* The player of the seat is away as far as the room knows: it waits for it from now on. */
void room_seat_miss(struct room_seat *);
/* Frees the seats that are leaving, where the table waits for players. True when something is on its way. The
 * table tells of a seat that cannot be free any more by keeping it, with is_leaving false. */
bool room_vacate(struct room_table *);
/* A player without a connection was heard of; begins to listen, or no more. */
void room_seen(struct room_table *, unsigned seat);
void room_listen(struct room_table *, unsigned seat, bool is_listening);

/* Requests with tickets: judged one after the other, each when the one before is on disk. */

void room_take(struct room_table *, struct room_request *);
/* Goes on with what waits. */
void room_pump(struct room_table *);
/* Everything that waits is answered with this. */
void room_refuse_all(struct room_table *, enum err);

#endif
