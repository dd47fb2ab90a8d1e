/* What hunt.c (games and how long they live), request.c (what players ask for) and view.c (what
 * they see) share. */
#ifndef HOST_HUNT_INTERNAL_H
#define HOST_HUNT_INTERNAL_H

#include "bots/bots.h"
#include "host/hunt/hunt.h"
#include "host/hunt/policy.h"
#include "host/room/room.h"
#include "host/thinker.h"

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
    struct hunt_wait *waiting; /* the last to come first */
    void *attachment;
};

enum hunt_request_kind {
    HUNT_REQUEST_CREATE,
    HUNT_REQUEST_REGISTER,
    HUNT_REQUEST_MOVE,
    HUNT_REQUEST_HALF,
    HUNT_REQUEST_POLL,
};

struct hunt_request {
    struct room_request room; /* why: refused, but not before the loss that follows from it is on disk */
    enum hunt_request_kind kind;
    void *ticket;
    /* Of a game that is not known here, while its journal is loaded. */
    struct hunt *hunt;
    struct tables_load *load;
    struct hunt_request *prev, *next;
    char game[TABLE_SHORT_CODE_CHARS + 1]; /* as it was named */
    char player[HUNT_ID_CHARS + 1];        /* the same; "": no id */
    unsigned seat;                         /* who asks */
    struct hunt_name name;                 /* in the memory of texts */
    char *texts;                           /* owned, or NULL */
    char id[HUNT_ID_CHARS + 1];            /* of a new player */
    enum treasure_direction direction;
    struct hunt_node *nodes; /* owned, or NULL */
    size_t node_count;
    bool is_put_off; /* the store cannot save */
    char complaint[HUNT_COMPLAINT_BYTES_MAX];
};

struct hunt_game {
    struct room_table room;
    struct hunt_policy policy;
    struct hunt_player players[TREASURE_SEATS];
    struct timer limit;      /* of the whole game */
    uint64_t outages_ms;     /* of the store, when that began (tables_outages_ms) */
    uint32_t clock_ms;       /* that the table has been given */
    struct thinker_job *job; /* of a bot that thinks; NULL: none does */
    uint64_t job_version;
    uint64_t thought_us; /* of its bot, as the thinker counts it */
};

struct hunt {
    struct room room;
    struct hunt_config config;
    struct hunt_output output;
    struct hunt_request *loading;     /* requests whose games are being loaded */
    char note[HUNT_POLICY_BYTES_MAX]; /* of the set-up of a game that is being opened */
};

static inline struct hunt_game *hunt_game_of(struct room_table *rt) {
    return (struct hunt_game *)(void *)rt;
}

static inline struct hunt *hunt_of(const struct hunt_game *g) {
    return (struct hunt *)(void *)g->room.room;
}

/* hunt.c */

/* The game of this id that is known here, or NULL. */
struct hunt_game *hunt_game_find(struct hunt *, struct span id);
/* A table that was over before the server was started again, or was forgotten since: it is a game again, or
 * closed when it is none. */
void hunt_game_recall(struct hunt *, struct table *);
/* Shows the player its state, at once or when it may be asked for again. */
void hunt_player_poll(struct hunt_player *, void *ticket, uint64_t now_ms);
void hunt_refuse(struct hunt *, void *ticket, enum err, const char *text);

/* request.c */

/* For the room: what a request begins with, what comes between requests, and their answers. */
enum err hunt_start(struct room_table *, struct room_request *);
bool hunt_between(struct room_table *);
void hunt_answer(struct room_table *, struct room_request *);
void hunt_put_off(struct room_table *, struct room_request *, bool is_undone);
/* The request that creates a game, which is being saved. */
struct room_request *hunt_creation(void *ticket);
/* Answers those whose games are being loaded: the hunt ends. */
void hunt_requests_forget(struct hunt *);
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
/* What anybody may know: the phase and the options. */
static inline const struct treasure_hunt *hunt_game_view(const struct hunt_game *g) {
    return treasure_of_view(table_view(g->room.table, SEAT_WATCHER));
}

#endif
