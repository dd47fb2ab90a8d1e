/* Treasure Hunt games over a protocol that is polled: who creates, who registers, what a player may see, what
 * it does, and when a game has been idle for too long. The words of the protocol and its transport are
 * elsewhere; here a request has a ticket, and every ticket gets exactly one answer, at once or later.
 *
 * Every game is a table with a journal, its id on the wire is the code of that table. Players are known by
 * secret ids, of which the journal has only hashes; so after a restart everybody goes on where they were.
 * Policy (what a breach of the rules costs, time limits, a bot as opponent) stands in the note of the
 * table's set-up in the form of the query by which the game was created. */
#ifndef HOST_HUNT_HUNT_H
#define HOST_HUNT_HUNT_H

#include "games/treasure_hunt/treasure_hunt.h"
#include "host/table/table.h"

enum {
    HUNT_NAME_CHARS_MAX = 50,
    HUNT_NAME_BYTES_MAX = 4 * HUNT_NAME_CHARS_MAX,
    HUNT_ID_CHARS = 36,       /* of a UUID */
    HUNT_REQUESTS_MAX = 16,   /* of one game that wait for their turn */
    HUNT_SEEN_MS = 30 * 1000, /* so long after its last request a player counts as there */
    HUNT_NODES_MAX = 1024,    /* of a half map, rightly or wrongly; a body has no room for more */
    HUNT_COMPLAINT_BYTES_MAX = 256,
};

/* The protocol word of these tables in the journal. */
#define HUNT_PROTOCOL "treasure"

struct hunt_config {
    struct tables *tables;   /* borrowed */
    struct thinker *thinker; /* where bots think; borrowed */
    uint32_t games_max;      /* one more drops the oldest finished one, then one that room_table_least says */
    uint32_t idle_ms; /* after so long without a request a game is given up, or forgotten when it is over */
    uint32_t poll_interval_ms; /* state queries that come faster are answered late */
    uint32_t action_ms;        /* limits of games in which a course player sits: for one action, */
    uint32_t game_ms;          /* and for the whole game */
};

struct hunt_config hunt_config_default(void);

/* What a player is: how it registered, and so how it is spoken to. */
enum hunt_kind { HUNT_SEED, HUNT_COURSE, HUNT_BOT };

/* Borrowed texts. A seed player and a bot have a username, a course player the other three. */
struct hunt_name {
    enum hunt_kind kind;
    struct span username;
    struct span first_name, last_name, account;
};

/* One field of a half map as it was sent. */
struct hunt_node {
    int64_t x, y;
    enum treasure_terrain terrain;
    bool is_fort;
};

struct hunt_player; /* somebody who has registered */

enum hunt_answer_kind {
    HUNT_CREATED,    /* text: the id of the game */
    HUNT_REGISTERED, /* text: the secret id of the player */
    HUNT_STATE,      /* player: whose state is to be shown */
    HUNT_DONE,       /* a move or a half map is on disk */
    HUNT_REFUSED,    /* why, and text: a sentence about it */
};

/* Borrowed. */
struct hunt_answer {
    enum hunt_answer_kind kind;
    enum err why;
    bool is_put_off; /* ERR_BUSY because the store cannot save */
    const char *text;
    struct hunt_player *player;
};

struct hunt_output {
    void *context;
    /* The answer for a ticket. Must not call back into the hunt, apart from looking at the player. */
    void (*answer)(void *context, void *ticket, const struct hunt_answer *);
    /* The attachment of a player that is forgotten. */
    void (*forget)(void *context, void *attachment);
};

struct hunt;

/* Gives. Takes over the tables of its protocol that are there. */
struct hunt *hunt_create(const struct hunt_config *, const struct hunt_output *);
/* Answers all tickets (ERR_CLOSED) and forgets all games; their journals stay. */
void hunt_free(struct hunt *);

/* Requests. All texts are borrowed for the length of the call. */

/* A new game; query is "violation=lose&actionTime=5&maxActions=320&enableDebugMode=true" and the like, of
 * which unknown names and impossible values are ignored. Refused: ERR_ADDRESS_FULL (see tables_may_open),
 * ERR_TOO_MANY. */
void hunt_create_game(struct hunt *, struct span query, const struct address *opener, void *ticket,
                      uint64_t now_ms);
/* Refused: ERR_TABLE_UNKNOWN, ERR_TABLE_FULL, ERR_FIELD_MISSING (an empty name),
 * ERR_FIELD_INVALID (a name that is too long). */
void hunt_register(struct hunt *, struct span game, const struct hunt_name *, void *ticket, uint64_t now_ms);
/* Refused: ERR_TABLE_UNKNOWN, ERR_PLAYER_UNKNOWN. */
void hunt_poll(struct hunt *, struct span game, struct span player, void *ticket, uint64_t now_ms);
/* Refused: the same, ERR_TABLE_OVER, ERR_NOT_YOUR_TURN, and what the rules say. What a refusal by the rules
 * costs is the policy of the game. */
void hunt_move(struct hunt *, struct span game, struct span player, enum treasure_direction, void *ticket,
               uint64_t now_ms);
/* The same. The nodes are copied. */
void hunt_half(struct hunt *, struct span game, struct span player, const struct hunt_node *nodes,
               size_t count, void *ticket, uint64_t now_ms);

uint64_t hunt_next_ms(const struct hunt *);
void hunt_advance(struct hunt *, uint64_t now_ms);

/* Which game and seat somebody speaks of; false when there is no such game, and SEAT_WATCHER when no such
 * player is in it. Changes nothing. */
bool hunt_place(struct hunt *, struct span game, struct span player, uint64_t *table, unsigned *seat);

/* Whether somebody from there may know that there is such a game, see tables_may_guess. */
bool hunt_may_find(struct hunt *, struct span game, const struct address *);

size_t hunt_game_count(const struct hunt *);

/* What a player may see. */

struct hunt_face {
    char id[HUNT_ID_CHARS + 1]; /* the real one of the player itself, another one of the opponent */
    struct hunt_name name;
    enum treasure_standing standing;
    bool has_treasure;
};

struct hunt_view {
    struct hunt_face faces[TREASURE_SEATS]; /* first the player itself */
    size_t face_count;
    struct treasure_field fields[TREASURE_FIELDS]; /* only those that are known; none: there is no map yet */
    size_t field_count;
    char state_id[HUNT_ID_CHARS + 1];
};

/* Texts in it are borrowed until the game changes. */
void hunt_view(const struct hunt_player *, struct hunt_view *out);
/* Changes exactly when the view does. */
uint64_t hunt_version(const struct hunt_player *);
enum hunt_kind hunt_kind_of(const struct hunt_player *);
/* Something of the caller's own that lives as long as the player is known. */
void **hunt_attachment(struct hunt_player *);

#endif
