/* What the files of the hall share: hall.c (members, logins, what they say), pool.c (pools and
 * championships), opened.c and keep.c (more about championships) and relay.c (the tables that
 * a master runs).
 *
 * The built-in master answers from inside hall_tell, so telling a master is always the last thing that a
 * function does to a table: everything is in order before, nothing is assumed after. */
#ifndef HOST_HALL_INTERNAL_H
#define HOST_HALL_INTERNAL_H

#include "base/timers.h"
#include "host/championship/log.h"
#include "host/hall/master.h"

#include <uthash.h>

enum {
    HALL_LOGIN_TRIES_MAX = 16,
    HALL_TEXT_BYTES_MAX = 256, /* an error text that the hall writes */
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
    size_t entrant; /* in the championship, once it has begun */
};

struct pool {
    struct hall *hall;
    char type[HALL_TYPE_BYTES_MAX + 1];
    UT_hash_handle by_type;
    struct hall_member *master;
    uint32_t players_min, players_max; /* of the master */
    struct relay *tables;
    size_t table_count;
    size_t player_count;
    struct hall_member *free_first, *free_last; /* who waits, longest first */
    size_t free_count;

    /* A championship's pool only. */
    bool is_championship;
    uint32_t entrants_max;
    struct opened *opened; /* NULL: it is that of the whole hall */
    bool is_finished;
    struct pool *finished_next;
    struct championship *championship; /* NULL until it begins */
    struct pool_entrant *entrants;     /* of the championship, in the order of their login */
    struct timer timer;                /* to find another master */
    bool is_given_up;                  /* none was found */
    struct championship_log *log;      /* its journal; NULL: it is not kept, or closed */
    struct timer return_timer;         /* for entrants to come back after a restart */
    size_t away_count;                 /* of them */
};

struct pool_entrant {
    char nick[HALL_NICK_BYTES_MAX + 1];
    struct hall_member *member; /* NULL once it is gone */
    bool is_away;               /* not back yet after a restart */
};

enum relay_phase {
    RELAY_WAITS_FOR_MASTER, /* after beginGame or a move */
    RELAY_WAITS_FOR_MOVE,
    RELAY_SETTLES, /* a player left; the master's verdict is due */
    RELAY_SAVES,   /* decided, but the championship's journal does not have it yet: nobody is told */
    RELAY_WAITS_FOR_THANKS,
};

struct relay_seat {
    struct hall_member *member; /* NULL once the player has left the table */
    char nick[HALL_NICK_BYTES_MAX + 1];
    size_t entrant;
    uint32_t left;  /* 0: takes part; otherwise the how-manieth to leave or to fall silent */
    bool is_silent; /* did not move in time, but is still connected */
    bool has_thanked;
};

struct relay {
    struct pool *pool;
    char id[HALL_TABLE_ID_BYTES_MAX];
    UT_hash_handle by_id;
    struct relay *prev, *next; /* all tables of the pool */
    enum relay_phase phase;
    struct timer timer;
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
    struct master *master;     /* the built-in one; NULL: there is none */
    struct hall_member *local; /* the same as a member */
    struct buf out;            /* what is being told */
    uint64_t table_count;      /* ever, where no tables are kept */
    struct hall_counts counts;
    unsigned depth;                /* of calls into the hall: the built-in master calls from inside one */
    struct pool *finished;         /* their championships are over; told when the outermost call ends */
    struct opened *opened;         /* championships, oldest first */
    struct championship_log *logs; /* all of them */
    bool has_notes;                /* some of them have something to write */
    uint64_t opened_count;         /* ever */
    bool is_ending;
};

/* hall.c */
/* Around every call into the hall. What would pull the ground from under an outer call waits for its end. */
void hall_enter(struct hall *, uint64_t now_ms);
void hall_exit(struct hall *);
void hall_tell(struct hall_member *, const struct hall_message *);
/* The same for what was written before, to a member that is not the built-in master. */
void hall_send(struct hall_member *, enum hall_type, struct span written);
void hall_write(struct hall *, struct buf *out, const struct hall_message *);
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
/* The player waits for a table, behind all others; pool_match is for the caller. */
void pool_wait(struct hall_member *);
void pool_forget(struct hall_member *);
/* Begins what can begin. */
void pool_match(struct pool *);
/* The player is gone for good, or counts as gone: it loses what is left of a championship. */
void pool_withdraw(struct hall_member *, bool is_connected);
/* The pair of this entrant is decided or off: when the entrant is gone it must not hold up the championship.
 */
void pool_entrant_release(struct pool *, size_t entrant);
/* Tells the result of the championship to everybody who is still here, and ends the hall. */
void pool_finish(struct pool *);
void pool_master_lost(struct hall_member *);
/* nick is empty for a master. */
enum hall_login_error pool_admits(struct hall *, struct span type, struct span nick);
/* An entrant is back after a restart. */
void pool_return(struct hall_member *);
/* The pairs of the championship are told to its journal, as they are decided. */
void pool_listen(struct pool *);
/* For a master, when there is none. */
void pool_seek_master(struct pool *, uint32_t timeout_ms);

/* opened.c: a championship that was opened while the hall runs. */
struct opened {
    struct opened *prev, *next;
    char name[HALL_TYPE_BYTES_MAX + 1];
    char type[HALL_TYPE_BYTES_MAX + 1];
    uint32_t players;
    struct hall_opening opening;  /* who waits for it to be on disk */
    struct timer patience;        /* of those who wait */
    bool is_unasked;              /* they were told that it is not known: it goes if the store refuses it */
    struct championship_log *log; /* NULL: it is not kept */
    struct pool *pool;            /* NULL: it is over */
    struct hall_player *results;  /* how it ended; nicks in the memory of entrants */
    struct pool_entrant *entrants;
};
/* Its championship is over: everybody is told and let go. */
void opened_finish(struct pool *);
/* The master of a type has come: it serves the championships of the type, too. */
void opened_serve(struct hall_member *master);
void opened_free_all(struct hall *);
/* It is on disk now: whoever waits is told. */
void opened_saved(struct opened *);
/* The store has refused something of it. It may be gone after it. */
void opened_failed(struct opened *);
/* One that the journal has. The fold is borrowed, the log, which is NULL for one that is over, is kept. */
void opened_restore(struct hall *, const struct championship_fold *, struct championship_log *);
/* The table of how a championship stands, best first, into room for all of its entrants. */
void entrants_standings(const struct championship *, const struct pool_entrant *, size_t count,
                        struct hall_player *out);
struct pool_entrant *entrants_restore(const struct championship_fold *);

/* keep.c: the journals of championships. Those that are not kept have nothing to save. */
void keep_open(struct pool *, uint64_t number, const char *type, uint32_t players);
void keep_begin(struct pool *);
void keep_pair(struct pool *, const struct pair_result *);
void keep_withdrawal(struct pool *, size_t entrant);
/* After this the pool has no log any more. */
void keep_close(struct pool *);
/* Whether all of it is on disk, and whether its entrants are. */
bool keep_is_saved(const struct pool *);
bool keep_has_begun(const struct pool *);
/* The number of the last event that was noted. */
uint64_t keep_last_seq(const struct pool *);
/* Writes what was noted. */
void keep_flush(struct hall *);
/* Frees a log that nobody needs any more. */
void keep_forget(struct hall *, struct championship_log *);
void keep_free_all(struct hall *);
/* The championship goes on where its journal ends. The log is kept. */
void keep_resume(struct pool *, struct championship_log *);

/* relay.c */
void relay_begin(struct pool *, struct hall_member **players, size_t count);
/* The game is decided, whether or not its players know. */
bool relay_is_decided(const struct relay *);
/* The journal of the championship has everything up to this event: verdicts are told. */
void relays_saved(struct pool *, uint64_t seq);
/* It cannot be written at the moment: those who wait are told. */
void relays_stalled(struct pool *);
void relay_take_state(struct hall_member *master, const struct hall_message *);
void relay_take_move(struct hall_member *player, const struct hall_message *);
void relay_take_thanks(struct hall_member *player, const struct hall_message *);
void relay_take_leave(struct hall_member *player, const struct hall_message *);
void relay_take_left(struct hall_member *master, const struct hall_message *);
/* The player is gone from its table. */
void relay_lose_player(struct hall_member *);
/* The built-in master cannot save this table at the moment: those who wait are told. */
void relay_stall(struct hall *, struct span table);
/* The table's master is gone: nobody has won. */
void relay_abandon(struct relay *);
void relay_free(struct relay *);

#endif
