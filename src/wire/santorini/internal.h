/* What port.c (peers and what they ask for), lobby.c (who joins which table) and
 * table.c (what happens at a table) share. */
#ifndef WIRE_SANTORINI_INTERNAL_H
#define WIRE_SANTORINI_INTERNAL_H

#include "base/timers.h"
#include "wire/farewell.h"
#include "wire/json/port.h"
#include "wire/santorini/dialect.h"
#include "wire/santorini/port.h"

/* One connection: in the line of the lobby, at a table without a seat yet, or on a seat. */
struct visitor {
    struct santorini_port *port;
    struct json_peer *peer;
    struct stage *at;        /* NULL: in line */
    struct stage_seat *seat; /* NULL: none yet */
    bool is_asked;           /* for its name */
    bool is_asked_number;    /* of players, in line */
    bool is_slow;            /* it was asked and says nothing, so it keeps no place from others */
    bool has_ponged;
    unsigned words;               /* the steps that it knows, see struct santorini_request */
    struct santorini_birth birth; /* with the name that it has said before there was a table for it */
    char name[SANTORINI_NAME_BYTES_MAX + 1];
    char seed[EVENT_SEED_BYTES_MAX + 1];
    unsigned resumed;            /* the round in which it was heard again, see santorini_port.resume_round */
    bool is_moved;               /* to another table or the lobby: it may have to be heard again */
    struct timer timer;          /* for its answer */
    struct visitor *prev, *next; /* in line, or at the same table */
};

struct stage_seat {
    struct stage *stage;
    unsigned number;
    struct visitor *visitor; /* NULL: nobody of this port is connected */
    bool is_missed;          /* it is known to be offline, in the list of those */
    bool is_leaving;         /* ... and not waited for: it is free as soon as the table can save that */
    bool is_through;         /* the player has given up, or lost while others play on: it waits for no end */
    struct timer grace;
    enum santorini_step step;       /* that the player has chosen, until something is played */
    struct stage_seat *prev, *next; /* those that are missed */
};

/* A table of this port and whoever is connected to it. */
struct stage {
    struct santorini_port *port;
    struct table *table;
    struct visitor *visitors;
    struct stage_seat seats[SANTORINI_SEATS_MAX];
    struct visitor *sitter;    /* whose name is being saved, or NULL */
    bool is_sitting;           /* a seat is being taken through this port, for sitter unless it has gone */
    bool is_opening;           /* its set-up is being saved */
    bool is_from_door;         /* opened through another protocol: it may be empty for a while */
    struct timer empty;        /* ... which is this long */
    bool is_forming;           /* the players are not all known; in the list of those, too */
    bool is_dropped;           /* it will not be played: whoever is there goes back to the lobby */
    bool has_news;             /* something was played that the next prompt has to follow */
    struct stage *prev, *next; /* all tables */
    struct stage *forming_prev, *forming_next; /* those that form */
};

struct santorini_port {
    struct port *json; /* the port itself */
    struct santorini_port_config config;
    struct timers timers;
    struct visitor *line; /* who waits for a table; the first one is asked for the number of players */
    unsigned line_count;
    unsigned opening_count; /* tables whose set-up is being saved: nobody is asked meanwhile */
    struct stage *stages, *forming;
    unsigned stage_count;
    unsigned resume_round; /* counts the times that waiting peers are heard again */
    bool has_moved;        /* some visitor is_moved */
    bool is_started;       /* the clock is known; before it no time can be given */
    bool is_speaking;      /* flushed by whoever it is */
    struct stage_seat *missed;
    struct farewells farewells; /* for who was away at the end */
    struct buf out;             /* what is being said */
    uint64_t now_ms;            /* of the last call from outside */
};

/* Saying: what is in port->out goes to one visitor or to all at a table but one (NULL: to all), and out is
 * empty then. */
void visitor_send(struct visitor *);
void stage_send(struct stage *, const struct visitor *except);
void visitor_send_error(struct visitor *, const char *description);

/* The lobby. */

/* Seats the visitor at the open table, or puts it in line. Too many of them are told so and closed. */
void lobby_arrive(struct visitor *);
/* Out of line or away from its table, without a word; a seat stays its own. */
void lobby_leave(struct visitor *);
/* Fills tables that have room from the line, and asks whoever is first then. */
void lobby_advance(struct santorini_port *);
/* Hears visitors who had to wait for a table where they are no more. */
void lobby_resume(struct santorini_port *);
/* Somebody in line who was asked has chosen. */
void lobby_open_table(struct visitor *, unsigned seat_count);
/* Whether the seat of a player who has vanished waits for it. */
bool lobby_awaits(const struct santorini_port *);
/* Those at the table who have said their names in line sit down, one by one. */
void lobby_seat_named(struct stage *);
/* Asks the visitor for its name although nobody waits for it, so that who has vanished can come back: a
 * client of the document says its name only when it is asked. Nothing when nobody is missed. */
void lobby_ask_early(struct visitor *);
/* Names are asked for when there are as many players as seats; who is too much goes back. */
void lobby_check_full(struct stage *);

/* Tells the visitor goodbye, closes and frees it. */
void visitor_dismiss(struct visitor *);

/* Tables. */

extern const struct game *const santorini_port_game;

/* How others open tables of this port. */
extern const struct table_door santorini_door;

struct stage *stage_create(struct santorini_port *, unsigned seat_count);
void stage_free(struct stage *);
struct table_listener stage_listener(struct stage *);
const struct santorini *stage_view(const struct stage *);
struct santorini_scene stage_scene(const struct stage *);
/* Nobody is there and nobody is to come. */
bool stage_is_empty(const struct stage *);
unsigned stage_named(const struct stage *);   /* seats with a name */
unsigned stage_unnamed(const struct stage *); /* visitors without one who keep a place */
/* The visitor takes the seat and is online from now on. */
void stage_seat_take(struct stage_seat *, struct visitor *);
/* Nobody is connected as the seat any more. */
void stage_seat_lose(struct stage_seat *);
/* The player has given up. */
void stage_seat_give_up(struct stage_seat *);
/* The table will not be played. */
void stage_drop(struct stage *);
/* Asks the seat on turn, if it is connected here; what its client has no words for is done for it. */
void stage_prompt(struct stage *);
/* Whether some player of the table is away. */
bool stage_has_missed(const struct stage *);
/* Who is away, for somebody who comes: into out, without a seat of that number. */
void stage_write_away(struct stage *, unsigned except);
/* Whether the player of a seat came through this port, and what it said of its birth then. */
bool stage_seat_is_ours(const struct table *, unsigned seat);
/* Frees the seats that are leaving while the table forms. True when something is on its way. */
bool stage_vacate(struct stage *);
/* Why this cannot be a name at the table (NULL: at any), or NULL when it can. */
const char *stage_name_complaint(const struct table *, struct span name);
/* Gives a free seat to a visitor. Refused is what table_sit refuses, and ERR_TABLE_FULL. */
enum err stage_sit(struct visitor *, struct span name, struct santorini_birth, struct span seed) MUST_CHECK;
/* A table that a restart has brought back; and from when on its seats wait for their players. */
void stage_adopt(struct santorini_port *, struct table *);
void stage_start(struct stage *);

/* The word for its tables in the journal. */
#define SANTORINI_PROTOCOL "santorini"

/* The note of a player who sat down through this port: this word, and the date of birth after a space, which
 * is played when all are there. */
#define SANTORINI_SEAT_NOTE "santorini"

#endif
