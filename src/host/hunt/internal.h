/* What hunt.c (games and how long they live), request.c (what players ask for) and view.c (what
 * they see) share. */
#ifndef HOST_HUNT_INTERNAL_H
#define HOST_HUNT_INTERNAL_H

#include "base/timers.h"
#include "bots/bots.h"
#include "host/hunt/hunt.h"
#include "host/hunt/policy.h"

#include <uthash.h>

/* A state query that is answered late. */
struct hunt_wait {
    struct hunt_wait *next;
    void *ticket;
};

struct hunt_player {
    struct hunt_game *game;
    unsigned seat;
    bool is_seated;
    struct hunt_name name;      /* in the memory of the table */
    char id[HUNT_ID_CHARS + 1]; /* the secret one, once somebody has shown it in this run of the program */
    uint64_t free_ms;           /* a query before this time waits for it */
    struct timer poll;
    uint64_t seen_ms;          /* its last request */
    struct timer gone;         /* runs while the player counts as there */
    struct hunt_wait *waiting; /* the last to come first */
    void *attachment;
};

enum hunt_request_kind { HUNT_REQUEST_CREATE, HUNT_REQUEST_REGISTER, HUNT_REQUEST_MOVE, HUNT_REQUEST_HALF };

struct hunt_request {
    struct hunt_request *prev, *next;
    enum hunt_request_kind kind;
    void *ticket;
    unsigned seat;              /* who asks */
    struct hunt_name name;      /* in the memory of texts */
    char *texts;                /* owned, or NULL */
    char id[HUNT_ID_CHARS + 1]; /* of a new player */
    enum treasure_direction direction;
    struct hunt_node *nodes; /* owned, or NULL */
    size_t node_count;
    bool is_put_off; /* the store cannot save */
    enum err why;    /* refused, but not before the loss that follows from it is on disk */
    char complaint[HUNT_COMPLAINT_BYTES_MAX];
};

struct hunt_game {
    struct hunt *hunt;
    uint64_t id;
    UT_hash_handle by_id;
    struct hunt_game *prev, *next; /* by the last request, oldest first: among the running, the finished or
                                      the dropped */
    struct hunt_game **list;       /* which of them */
    uint64_t last_ms;
    struct table *table;
    struct hunt_policy policy;
    struct hunt_player players[TREASURE_SEATS];
    struct hunt_request *current; /* being saved */
    bool is_unasked; /* what is being saved was answered as unknown: it is dropped if the store refuses it */
    struct hunt_request *queue; /* those that wait */
    unsigned queue_count;
    struct timer limit; /* of the whole game */
    uint32_t clock_ms;  /* that the table has been given */
};

struct hunt {
    struct hunt_config config;
    struct hunt_output output;
    struct hunt_game *games; /* by id */
    struct hunt_game *running, *finished, *dropped;
    struct timers timers;
    struct bot *bot; /* serves all games; NULL before it is needed */
    struct rng rng;
    uint64_t now_ms;
    bool is_awake; /* it has been told the time, and the games of the last run go on */
};

/* hunt.c */

/* The game of this id, from memory or, when it is finished, from the journal; NULL when there is none, and
 * *why is ERR_TABLE_UNKNOWN, or ERR_UNAVAILABLE when that cannot be known at the moment. */
struct hunt_game *hunt_game_find(struct hunt *, struct span id, enum err *why);
/* Somebody is interested in it, or it is over now: it is the last of its list to be given up. */
void hunt_game_touch(struct hunt_game *);
/* A game whose set-up was refused by the store has never been. */
void hunt_game_undo(struct hunt_game *);
void hunt_refuse(struct hunt *, void *ticket, enum err, const char *text);

/* request.c */

/* Starts whatever can be started: bots, limits, the next request. */
void hunt_game_pump(struct hunt_game *);
/* The table has changed: answers the request that was being saved. */
void hunt_game_settled(void *game, struct table *);
/* It cannot be saved: answers everything that waits for that, and takes back what can be. */
void hunt_game_late(void *game, struct table *);
/* Answers the request that was being saved, if there is one. */
void hunt_game_answer(struct hunt_game *);
/* Answers everything that waits in the game with a refusal. Who has created a game that is dropped
 * (ERR_TABLE_UNKNOWN) before it is on disk goes on waiting for that. */
void hunt_game_refuse_all(struct hunt_game *, enum err);
/* The player that knows this secret id, or NULL. With a player the game is not idle, and the player is there.
 */
struct hunt_player *hunt_player_find(struct hunt_game *, struct span id);

/* view.c */

/* Brings the players up to date with the table. */
void hunt_game_seat(struct hunt_game *);
/* The note of a seat by which its player is known again after a restart, and the name for the journal. */
void hunt_name_format(const struct hunt_name *, char name[EVENT_NAME_BYTES_MAX + 1],
                      char note[EVENT_NOTE_BYTES_MAX + 1]);
/* A UUID of version 4 from 16 random bytes. */
void hunt_id_format(const uint8_t *bytes, char text[HUNT_ID_CHARS + 1]);
/* What the journal keeps of a secret id. */
void hunt_id_digest(struct span id, struct digest *out);
static inline const struct treasure_hunt *hunt_game_state(const struct hunt_game *g) {
    return treasure_of(table_state(g->table));
}

#endif
