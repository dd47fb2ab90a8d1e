/* What the files of the Masters of Renaissance port share: port.c hears clients,
 * lobby.c knows players and opens tables, table.c tells what happens at a table. */
#ifndef WIRE_RENAISSANCE_INTERNAL_H
#define WIRE_RENAISSANCE_INTERNAL_H

#include "base/timers.h"
#include "wire/farewell.h"
#include "wire/json/port.h"
#include "wire/renaissance/dialect.h"
#include "wire/renaissance/port.h"

#include <uthash.h>

#define RENAISSANCE_PROTOCOL "renaissance"
/* The note of a seat that was taken through this port. */
#define RENAISSANCE_SEAT_NOTE "tcp"

enum { RENAISSANCE_NAME_BYTES_MAX = 4 * RENAISSANCE_NAME_CHARS_MAX };

/* What a player is asked for at the moment. */
enum renaissance_prompt {
    PROMPT_NOTHING,
    PROMPT_NUMBER, /* of players */
    PROMPT_LEADERS,
    PROMPT_RESOURCES,
    PROMPT_ACTION,
    PROMPT_MANAGE,
};

struct renaissance_table;

/* One connection. */
struct renaissance_session {
    struct json_peer *peer;
    struct renaissance_player *player; /* NULL: not logged in */
    bool swallows_end;                 /* the turn was just ended by actionReply: one endTurn may follow */
    char seed[EVENT_SEED_BYTES_MAX +
              1]; /* of its login, for the dice of the table where it sits down, or "" */
    struct renaissance_session *prev, *next;
};

/* A nickname: somebody who waits for a table, or has a seat at one, connected or not. */
struct renaissance_player {
    char name[EVENT_NAME_BYTES_MAX + 1];
    UT_hash_handle by_name;
    bool is_named;                       /* it is in the hash */
    bool is_elsewhere;                   /* sits there through another protocol */
    struct renaissance_session *session; /* NULL: not connected */
    struct renaissance_table *table;     /* NULL: waits */
    unsigned seat;
    struct renaissance_player *prev, *next; /* of those who wait */
    bool is_asked;                          /* how many shall play */
    bool is_returning; /* has logged in again, and is told everything when the rules have it back */
    bool is_told_gone; /* the others know that it is not connected */
    bool needs_prompt; /* whatever it is asked for is to be said again */
    bool is_ending;    /* has ended its turn by actionReply, and is answered when that is saved */
    enum renaissance_prompt prompted; /* the last thing asked for */
    unsigned chosen;                  /* the action announced, one of RENAISSANCE_MAY_*; 0 when none is */
};

struct renaissance_table {
    struct renaissance_port *port;
    struct table *table;
    struct renaissance_player *players[RENAISSANCE_SEATS_MAX]; /* NULL: nobody sits there */
    struct renaissance_player
        *chooser;        /* has chosen how many shall play, and waits; NULL: has a seat, or left */
    unsigned newest;     /* the seat that was taken last, as long as it is not full */
    bool is_from_door;   /* opened through another protocol */
    bool is_begun;       /* everybody has come */
    bool tells_storing;  /* the starting resources were asked for */
    bool is_set_up;      /* the end of the set-up was told */
    bool is_over;        /* nobody belongs to it any more; it is closed soon */
    seat_set owes_empty; /* who gets no starting resources, and has not said so yet */
    uint16_t turn_round; /* of the turn that was told last, and whose it was; SEAT_CHANCE: none */
    unsigned turn_mover;
    struct renaissance told;   /* how the table was when it was told last, as anybody may know it */
    struct timer timer;        /* kept without anybody; closed after the end */
    struct timer return_timer; /* who has not come back after a restart is away */
    struct renaissance_table *prev, *next;
};

struct renaissance_port {
    struct port *json; /* who we are to the server */
    struct renaissance_port_config config;
    bool has_restored; /* tables that a restart brought back; their time begins with the first advance */
    struct renaissance_session *sessions;
    struct renaissance_player *by_name, *waiting;
    struct renaissance_table *tables; /* in the order in which they were opened */
    size_t table_count, player_count;
    struct timers timers;
    struct timer answer_timer;  /* of the first of those who wait */
    struct farewells farewells; /* for who was away at the end */
    struct buf out;             /* the message that is being said */
    uint64_t now_ms;
};

/* lobby.c */
struct renaissance_player *renaissance_player_find(struct renaissance_port *, struct span name);
void renaissance_player_free(struct renaissance_port *, struct renaissance_player *);
/* The nickname may be used by somebody else; the player stays until its seat is free. */
void renaissance_player_unname(struct renaissance_port *, struct renaissance_player *);
/* Answers a login of a session that is not logged in. */
void renaissance_login(struct renaissance_port *, struct renaissance_session *, struct span name);
/* The connection of a player is gone. */
void renaissance_leave(struct renaissance_port *, struct renaissance_player *);
/* The number of players that somebody who was asked has chosen. Refused: ERR_SEAT_COUNT, ERR_TOO_MANY,
 * ERR_ADDRESS_FULL. */
enum err renaissance_choose_number(struct renaissance_port *, struct renaissance_player *, int64_t number);
/* Lets those who wait sit down or choose, as far as that is possible now, and gives tables up that nobody is
 * left for. */
void renaissance_lobby_go_on(struct renaissance_port *);
/* Looks after a table that is not full, when it is not busy: lets those go who left. True while that is not
 * done. */
bool renaissance_lobby_clear(struct renaissance_table *);
/* Somebody has sat down or got up. */
void renaissance_lobby_sat(struct renaissance_table *, unsigned seat);
/* Forgets a table: those who sat there are free, and it is closed. */
void renaissance_table_free(struct renaissance_table *);
/* A table that a restart brought back; and its time begins to run. */
void renaissance_adopt(struct renaissance_port *, struct table *);
void renaissance_adopted(struct renaissance_table *);
/* Nobody may be connected any more: then the table is kept only for a while. */
void renaissance_watch_empty(struct renaissance_table *);
extern const struct table_door renaissance_door;

/* table.c */
extern const struct table_listener renaissance_listener;
/* The table as a viewer may know it: a seat or SEAT_WATCHER. */
static inline const struct renaissance *renaissance_view(const struct renaissance_table *t, unsigned viewer) {
    return renaissance_of_view(table_view(t->table, viewer));
}
enum renaissance_prompt renaissance_prompt_of(const struct renaissance_table *, unsigned seat);
void renaissance_send_prompt(struct renaissance_player *);
/* Tells a player who has come back everything, unless that must wait. */
void renaissance_complete_return(struct renaissance_player *);
/* Tells how far the set-up and the turns are, and asks for what is awaited. */
void renaissance_go_on(struct renaissance_table *);

/* port.c */
/* Says what is in port->out to one player, when it is connected. */
void renaissance_say(struct renaissance_port *, const struct renaissance_player *);

#endif
