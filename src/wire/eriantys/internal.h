/* What port.c (connections and what they ask) and table.c (tables and what they tell)
 * share. */
#ifndef WIRE_ERIANTYS_INTERNAL_H
#define WIRE_ERIANTYS_INTERNAL_H

#include "base/timers.h"
#include "wire/eriantys/dialect.h"
#include "wire/eriantys/port.h"

#include <uthash.h>

struct eriantys_port {
    struct port *port; /* the JSON port in front of it */
    struct eriantys_port_config config;
    struct eriantys_session *sessions;
    struct eriantys_table *by_id;
    uint32_t own_count;              /* tables of its own among them */
    struct eriantys_table *resuming; /* whose sessions are being heard again; NULL once it is freed */
    struct timers timers;
    struct buf out; /* the message that is being written */
    unsigned calls; /* depth of calls from the JSON port, which sends what was said when they return */
    uint64_t departures;
    uint64_t now_ms;
    bool is_awake; /* now_ms is a time: tables of the last run are kept from here on */
};

/* One connection. */
struct eriantys_session {
    struct eriantys_port *port;
    struct json_peer *peer;
    struct eriantys_table *table;    /* that it has entered, or NULL */
    unsigned seat;                   /* where it sits, or ERIANTYS_NONE: not logged in */
    struct eriantys_table *creating; /* that is being saved for it, or NULL */
    bool is_pinged;
    bool pongs_unasked;                               /* of the kind that cannot bear forwarded commands */
    bool is_marked;                                   /* to be heard again */
    unsigned mistakes;                                /* in a row: lines that are no message */
    struct eriantys_session *prev, *next;             /* all sessions */
    struct eriantys_session *table_prev, *table_next; /* those of the table; who was heard last is last */
};

/* Where a turn stands; two that differ belong to different turns. */
struct eriantys_turn {
    bool is_planning;
    uint8_t round, turn, mover;
};

/* A table as this protocol sees it. */
struct eriantys_table {
    struct eriantys_port *port;
    struct table *table;
    uint64_t id;
    UT_hash_handle by_id;
    bool is_own;                       /* otherwise the port only looks on */
    struct table_watch *watch;         /* of a table that is not its own */
    struct eriantys_session *sessions; /* that have entered it, logged in or not */
    struct eriantys_session *seats[ERIANTYS_SEATS_MAX];
    struct eriantys_session *creator;  /* waits for the code, or NULL */
    struct eriantys_session *sitter;   /* whose login is being saved, or NULL */
    unsigned sitting;                  /* the seat of the sitter */
    bool is_started;                   /* everybody was there at least once, or had a seat before a restart */
    bool is_paused;                    /* the clients are in the waiting room: they are told nothing else */
    bool has_step;                     /* a command was played with the request that settles next */
    struct eriantys_turn step_turn;    /* the turn to which it belonged */
    uint64_t left[ERIANTYS_SEATS_MAX]; /* order in which seats were left; 0: never, or before a restart */
    unsigned wizards[ERIANTYS_SEATS_MAX];
    struct timer timer; /* nobody is there: until the table is given up; over: until it is closed */
};

/* table.c */

/* Opens a table for a session, which hears its code when it is saved. */
enum err eriantys_table_open(struct eriantys_session *, const struct eriantys_request *) MUST_CHECK;
/* How others open tables of this port. */
extern const struct table_door eriantys_door;
/* Takes over a table that runs already: as the port's own, or to look on. */
struct eriantys_table *eriantys_table_adopt(struct eriantys_port *, struct table *);
void eriantys_table_free(struct eriantys_table *);
struct eriantys_table *eriantys_table_find(struct eriantys_port *, struct span code);

struct eriantys_scene eriantys_table_scene(const struct eriantys_table *);
const struct eriantys *eriantys_table_state(const struct eriantys_table *);
/* Every seat is taken and online. */
bool eriantys_table_is_complete(const struct eriantys_table *);
bool eriantys_table_is_started(const struct eriantys_table *);

/* A session enters, and leaves again: its seat goes offline, and the others are told. */
void eriantys_table_enter(struct eriantys_table *, struct eriantys_session *);
void eriantys_table_leave(struct eriantys_session *);
/* The same without telling anybody. */
void eriantys_table_detach(struct eriantys_session *);
/* Forgets somebody else's table when no session needs it any more. */
void eriantys_table_release(struct eriantys_table *);
/* The time is known: from now on tables without anybody grow old. */
void eriantys_table_wake(struct eriantys_table *);
/* The session has logged in as this seat: it is told first, then everybody when that makes the table
 * complete. */
void eriantys_table_seat(struct eriantys_session *, unsigned seat);
/* Where the table stands, to one session. */
void eriantys_table_show(struct eriantys_session *);
/* Plays for whoever is on turn when its client cannot send what is left to play. */
void eriantys_table_help(struct eriantys_table *);

/* port.c */
void eriantys_session_say(struct eriantys_session *); /* what is in port->out */
/* What it has just asked is refused for this reason. */
void eriantys_session_error(struct eriantys_session *, enum err why, const char *text);

#endif
