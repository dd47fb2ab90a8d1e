/* What the files of the hall share: hall.c (members, logins, what they say), pool.c (who waits for whom),
 * contest.c (championships), restore.c (their way back), relay.c (the tables that a master runs) and mixed.c
 * (those at which others sit, too).
 *
 * The built-in master answers from inside hall_tell, so telling a master is always the last thing that a
 * function does to a table: everything is in order before, nothing is assumed after. */
#ifndef HOST_HALL_INTERNAL_H
#define HOST_HALL_INTERNAL_H

#include "base/timers.h"
#include "host/championship/fold.h"
#include "host/hall/master.h"
#include "host/hall/mixed.h"
#include "host/room/room.h"

#include <uthash.h>

struct mixed_member;
struct mixed_table;

enum {
    HALL_LOGIN_TRIES_MAX = 16,
    HALL_TEXT_BYTES_MAX = 256, /* an error text that the hall writes */
    HALL_ROOM_RETRY_MS = 1000, /* until tables are tried again for which there was no memory or disk */
};

enum member_role { MEMBER_FRESH, MEMBER_PLAYER, MEMBER_MASTER };

struct hall_member {
    struct hall *hall;
    void *context;
    struct hall_member *prev, *next; /* all members of the hall */
    enum member_role role;
    uint8_t login_tries;
    struct timer timer; /* to log in */
    struct pool *pool;  /* of a player or master */

    /* Players only. */
    char nick[HALL_NICK_BYTES_MAX + 1];
    UT_hash_handle by_nick;
    struct relay *table;
    size_t seat;
    char last_table[HALL_TABLE_ID_BYTES_MAX]; /* the table before: a late thank you for it is no offence */
    bool is_free;                             /* in the pool's list */
    struct hall_member *free_prev, *free_next;
    size_t entrant;             /* in the championship, once it has begun */
    struct address origin;      /* nobody's: it is not known */
    struct address opener;      /* for which tables count that are opened for it; nobody's: for none */
    struct mixed_member *place; /* at a table with others; NULL: at none */
    bool is_thankless;          /* says nothing after a game; see hall_member_set_thanks */
};

/* Those who log in with one name: of a game type, or of a championship. */
struct pool {
    struct hall *hall;
    char type[HALL_TYPE_BYTES_MAX + 1];
    UT_hash_handle by_type;
    struct hall_member *master;
    uint32_t players_min; /* of the master */
    struct relay *tables;
    size_t table_count;
    size_t player_count;
    struct hall_member *free; /* who waits, longest first */
    size_t free_count;
    struct contest *contest; /* NULL: it is that of a game type */
};

struct contest_entrant {
    char nick[HALL_NICK_BYTES_MAX + 1];
    struct hall_member *member; /* NULL once it is gone */
    bool is_away;               /* not back yet after a restart */
    bool has_home;              /* from where it may come back */
    struct digest home;
};

/* A championship: that of the whole hall, or one that was opened while it runs. */
struct contest {
    struct contest *prev, *next; /* all of them, oldest first */
    struct pool *pool;           /* NULL: it is over, and nobody can log in for it */
    struct hall *hall;
    char name[HALL_TYPE_BYTES_MAX + 1];
    char type[HALL_TYPE_BYTES_MAX + 1]; /* of the game */
    uint32_t players;
    struct championship *championship; /* NULL until it begins */
    struct contest_entrant *entrants;  /* in the order of their login */
    bool is_finished;                  /* told when the outermost call ends */
    bool is_closed;                    /* it has been told: what follows does not count */
    bool is_given_up;                  /* no other master was found, or it was cancelled */
    bool is_paused;                    /* no new game begins, by the operator's wish */
    struct timer timer;                /* to find another master */
    struct timer return_timer;         /* for entrants to come back after a restart */
    struct timer expiry;               /* for the first entrants to come */
    struct address opener;             /* nobody's: it is not known */
    size_t away_count;                 /* of them */
    bool is_kept;                      /* it has a journal */
    struct championship_fold saved;    /* what is on disk of it */
    struct event *events;              /* what is not yet; bodies owned */
    size_t event_count, sent_count;    /* the first ones are on their way */
    bool is_failing;                   /* the store has refused them */
    struct timer retry;
    struct hall_opening opening; /* who waits for it to be on disk */
    struct timer patience;       /* of those who wait */
    bool is_unasked;             /* they were told that it is not known: it goes if the store refuses it */
};

enum relay_phase {
    RELAY_WAITS_FOR_MASTER, /* after beginGame or a move */
    RELAY_WAITS_FOR_MOVE,
    RELAY_SETTLES, /* a player left; the master's verdict is due */
    RELAY_SAVES,   /* decided, but the championship's journal does not have it yet: nobody is told */
    RELAY_WAITS_FOR_THANKS,
};

struct relay_seat {
    struct hall_member *member; /* NULL once the player has left the table, or when it is not of the hall */
    char nick[HALL_NICK_BYTES_MAX + 1];
    size_t entrant;
    uint32_t left;  /* 0: takes part; otherwise the how-manieth to leave or to fall silent */
    bool is_silent; /* did not move in time, but is still connected */
    bool has_thanked;
    bool owes_move; /* it was named, and has not answered */
};

struct relay {
    struct pool *pool;
    char id[HALL_TABLE_ID_BYTES_MAX];
    UT_hash_handle by_id;
    struct relay *prev, *next; /* all tables of the pool */
    enum relay_phase phase;
    struct timer timer;
    struct mixed_table
        *mixed;   /* where others play, too, and no master is asked; NULL: they do not, or it is over */
    size_t mover; /* while it waits for a move */
    uint32_t left_count;
    struct buf verdict;   /* how it was decided, written, while that is being saved */
    uint64_t verdict_seq; /* of its event in the journal of the championship */
    bool is_stalled;      /* its players know that it cannot be saved at the moment */
    size_t seat_count;
    struct relay_seat seat[];
};

struct hall {
    struct hall_config config;
    struct hall_output output;
    uint64_t now_ms; /* of the call that is running */
    struct timers timers;
    struct hall_member *members;
    struct hall_member *players_by_nick;
    struct pool *pools_by_type;
    struct relay *tables_by_id;
    struct master *master;            /* the built-in one; NULL: there is none */
    struct hall_member *local;        /* the same as a member */
    struct mixed *mixed;              /* tables at which others sit, too; NULL: there are none */
    struct timer retry;               /* while memory or disk is too short for a table */
    struct timer alone;               /* of the player who waits for the longest time: */
    const struct hall_member *waiter; /* NULL: nobody's */
    struct buf out;                   /* what is being told */
    uint64_t table_count;             /* ever, where no tables are kept */
    struct hall_counts counts;
    unsigned depth;           /* of calls into the hall: the built-in master calls from inside one */
    struct contest *contests; /* oldest first */
    struct contest *whole;    /* the one that the whole hall is; NULL: it is none */
    uint64_t opened_count;    /* ever */
    bool is_ending;
};

/* hall.c */
/* Around every call into the hall. What would pull the ground from under an outer call waits for its end. */
void hall_enter(struct hall *, uint64_t now_ms);
void hall_exit(struct hall *);
void hall_tell(struct hall_member *, const struct hall_message *);
/* The same in two steps, to members that are not the built-in master: what is told to several is written
 * once. */
void hall_write(struct hall *, struct buf *out, const struct hall_message *);
void hall_send(struct hall_member *, enum hall_type, struct span written);
void hall_tell_error(struct hall_member *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The end of a member: takes it out of everything, tells its table, and closes its connection when it still
 * has one. */
void hall_member_end(struct hall_member *, bool has_connection);
struct span hall_type_canonical(const struct hall *, struct span type);

/* pool.c */
struct pool *pool_get(struct hall *, struct span type);
struct pool *pool_find(const struct hall *, struct span type);
/* Frees a pool that nobody needs any more. */
void pool_release(struct pool *);
void pool_free(struct pool *);
/* The player waits for a table, behind all others; pool_match is for the caller. */
void pool_wait(struct hall_member *);
void pool_forget(struct hall_member *);
/* Begins what can begin. */
void pool_match(struct pool *);
bool pool_has_room(const struct pool *);
/* The same for one more table, which needs memory and disk. When these are short it is tried again later. */
bool pool_may_open(struct pool *);
/* The player is not the one any more for whom a table is to be opened. */
void pool_unwatch(struct hall_member *);
/* A master for the pool, which plays with at least so many. */
void pool_serve(struct pool *, struct hall_member *master, uint32_t players_min);
void pool_master_lost(struct hall_member *);
/* nick is empty and origin NULL for a master. */
enum hall_login_error pool_admits(struct hall *, struct span type, struct span nick,
                                  const struct address *origin);

/* contest.c */
struct contest *contest_create(struct hall *, struct span name, struct span type, uint32_t players);
void contest_free(struct contest *);
/* Waits for nothing any more. */
void contest_rest(struct contest *);
bool contest_is_full(const struct contest *, struct span nick, const struct address *origin);
/* An entrant is back after a restart. */
void contest_return(struct hall_member *);
/* The player is gone for good, or counts as gone: it loses what is left. */
void contest_withdraw(struct hall_member *, bool is_connected);
/* The pair of this entrant is decided or off: when the entrant is gone it must not hold up the others. */
void contest_release(struct contest *, size_t entrant);
void contest_match(struct contest *);
/* For a master, when there is none. */
void contest_seek_master(struct contest *, uint32_t timeout_ms);
/* The master of a type has come: it serves the championships of the type, too. */
void contests_serve(struct hall_member *master);
/* Those that are over are told to everybody who is still there, and end; with the whole hall, if it is that.
 */
void contests_finish(struct hall *);
/* Whether all of it is on disk, and the number of the last event that was noted. */
bool contest_is_saved(const struct contest *);
uint64_t contest_last_seq(const struct contest *);
/* Writes what was noted. */
void contests_flush(struct hall *);
/* Whether something is being saved, and will come back. */
bool contests_are_sending(const struct hall *);
/* One that the journal has. The fold belongs to it then. */
void contest_restore(struct hall *, const struct championship_fold *);

/* relay.c */
void relay_begin(struct pool *, struct hall_member **players, size_t count);
/* The same of a mixed table that is there already, seat by seat: nicks, and members of the hall. */
struct relay *relay_join(struct pool *, const char *id, const struct relay_seat *, size_t count,
                         struct mixed_table *);
/* What has been moved there, and who is next; and how it has ended. broken: the rule that the last move
 * broke.
 */
void relay_next(struct relay *, const struct pitch_point *, size_t count, size_t mover);
void relay_finish(struct relay *, const struct pitch_point *, size_t count, enum err broken,
                  const int32_t *points);
/* The game is decided, whether or not its players know. */
bool relay_is_decided(const struct relay *);
/* The journal of the championship has everything up to this event: verdicts are told. */
void relays_saved(struct pool *, uint64_t seq);
/* It cannot be written at the moment: those who wait are told. */
void relays_stalled(struct pool *);
/* The player on turn has the time for a move again. */
void relay_go_on(struct hall_member *);
/* What a player or master says about a table. */
void relay_take(struct hall_member *, const struct hall_message *);
/* The player is gone from its table. */
void relay_lose_player(struct hall_member *);
/* The built-in master cannot save this table at the moment: those who wait are told. */
void relay_stall(struct hall *, struct span table);
/* Another node has ended the table: its players wait for the next one. */
void relay_undecided(struct hall *, struct span table);
/* The table's master is gone: nobody has won. */
void relay_abandon(struct relay *);
void relay_free(struct relay *);

/* mixed.c */
/* The hall is at this node, or not any more. */
void mixed_attach(struct mixed *, struct hall *);
void mixed_detach(struct mixed *);
/* Those who wait in the pool sit down where others wait. */
void mixed_fill(struct pool *);
/* Whether a table can be opened for somebody who waits there alone; and opens one, to which it comes when
 * that is saved. False: there is no room. */
bool mixed_is_open_to(const struct pool *);
bool mixed_open(struct pool *, const struct address *opener);
/* The table that a game type names; NULL: it names none. Or why nobody can log in for it. */
enum hall_login_error mixed_admits(struct hall *, struct span type, const struct address *asker,
                                   struct mixed_table **out);
/* The player, who has logged in, comes to the table that it has named. */
void mixed_enter(struct hall_member *, struct mixed_table *);
/* The player has gone from a table that it waited at. */
void mixed_leave(struct hall_member *);
/* What the player of a seat does, or that it has gone, of a relay that is a mixed table. */
void mixed_take(struct mixed_table *, size_t seat, const struct hall_message *);

#endif
