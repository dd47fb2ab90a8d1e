/* What the files of the room of Masters of Renaissance share: room.c (who comes, waits, sits down, asks and
 * goes), told.c (what those who sit at a table are told) and voice.c (in which framing); and what another
 * framing needs to bring its members into the same room (wire/renaissance_java). */
#ifndef WIRE_RENAISSANCE_INTERNAL_H
#define WIRE_RENAISSANCE_INTERNAL_H

#include "wire/json/room_port.h"
#include "wire/renaissance/dialect.h"
#include "wire/renaissance/port.h"

#define RENAISSANCE_PROTOCOL "renaissance"
/* The note of a seat that was taken through this room. */
#define RENAISSANCE_SEAT_NOTE "tcp"

/* A finished table can still be looked at by others for so long, and who was away can ask how it ended. */
enum { RENAISSANCE_LINGER_MS = 60 * 1000 };

/* What a member is asked for at the moment. */
enum renaissance_prompt {
    PROMPT_NOTHING,
    PROMPT_NUMBER, /* of players */
    PROMPT_LEADERS,
    PROMPT_RESOURCES,
    PROMPT_ACTION,
    PROMPT_MANAGE,
};

/* What a client of Java streams knows so far, whose handlers run in any order and wait for each other:
 * docs/protocols/renaissance-java.md, "Order and pace". */
struct renaissance_manners {
    seat_set away;       /* the seats that it takes for away */
    bool is_drawn;       /* it has a whole board, without which it cannot show errors of a turn */
    bool takes_question; /* something was told since a turn began or an action was announced */
};

/* What few players bring to their login: kept by those who do (room_member.kept). */
struct renaissance_tokens {
    char seed[EVENT_SEED_BYTES_MAX + 1];   /* for the dice of its table, or "" */
    char secret[EVENT_SEED_BYTES_MAX + 1]; /* by which it comes back, or "" */
};

/* How far the server and a player are with each other; begins anew with every login. */
struct renaissance_talk {
    uint64_t wanted;      /* the table that it has named; 0: any */
    uint64_t opened;      /* the table that was opened because it has said how many shall play; 0: none */
    bool is_returning;    /* has logged in again, and is told everything when the rules have it back */
    bool needs_prompt;    /* whatever it is asked for is to be said again */
    bool is_ending;       /* has ended its turn by actionReply, and is answered when that is saved */
    bool swallows_end;    /* ... just now: one endTurn may follow */
    bool swallows_number; /* it was asked how many shall play when a table came from another node: the answer
                             may be on its way */
    enum renaissance_prompt prompted; /* the last thing asked for */
    unsigned chosen;                  /* the action announced, one of RENAISSANCE_MAY_*; 0 when none is */
    bool owes_number; /* a client that cannot take a question back was asked for the number of players */
    int64_t number;   /* that it said when it was asked no more; 0: none */
    struct renaissance_manners manners;
};

/* How a framing speaks, and what is different for its clients. */
struct renaissance_speech {
    /* Appends a word. */
    void (*write)(struct buf *out, const struct renaissance_word *);
    /* Says to a member what was written, or as much of it as is for it. */
    void (*say)(struct room_member *, struct span said);
    bool (*admits)(struct span name); /* NULL: every name that is one */
    bool ends_at_end_turn;  /* actionReply ENDTURN is answered, and the turn ends with the endTurn after it */
    bool keeps_questions;   /* a question stays until it is answered: it is not asked twice, and a late answer
                               counts */
    bool leaves_at_the_end; /* after the scores a client says nothing more */
};

/* The members of one framing, and what is being said to them. */
struct renaissance_voice {
    const struct renaissance_speech *speech; /* NULL: nobody speaks so */
    unsigned member_count;
    struct buf out;
    struct farewells farewells;
};

enum { RENAISSANCE_VOICES = JSON_ROOM_PORTS_MAX };

/* A connection; logged in when the room knows it by a name. */
struct renaissance_member {
    struct json_member json;
    struct renaissance_voice *voice;
    struct renaissance_talk talk;
};

/* A table has formed when everybody has come. */
struct renaissance_table {
    struct room_table room;
    unsigned newest;    /* the seat that was taken last */
    bool tells_storing; /* the starting resources were asked for */
    bool is_set_up;     /* the end of the set-up was told */
    seat_set awaited;   /* after a restart: who counts as away when the time to come back is up */
    seat_set unsure;    /* at other nodes: not known yet to be there, and nobody was told that they are not */
    seat_set owes_empty; /* who gets no starting resources, and has not said so yet */
    uint16_t turn_round; /* of the turn that was told last, and whose it was; SEAT_CHANCE: none */
    unsigned turn_mover;
    struct renaissance told; /* how the table was when it was told last, as anybody may know it */
};

struct renaissance_room {
    struct json_room json;
    struct renaissance_port_config config;
    struct renaissance_voice voices[RENAISSANCE_VOICES];
    bool is_keeping; /* what is being said is for somebody who may come back in any framing */
};

static inline struct renaissance_room *renaissance_room(struct room *room) {
    return (struct renaissance_room *)(void *)room;
}

static inline struct renaissance_table *renaissance_table(struct room_table *rt) {
    return (struct renaissance_table *)(void *)rt;
}

static inline struct renaissance_talk *renaissance_talk(struct room_member *m) {
    return &((struct renaissance_member *)(void *)m)->talk;
}

/* Whether the player of a seat came through this room. */
static inline bool renaissance_seat_is_ours(const struct room_table *rt, unsigned seat) {
    return strcmp(table_note(rt->table, seat), RENAISSANCE_SEAT_NOTE) == 0;
}

static inline const struct renaissance_speech *renaissance_speech(struct room_member *m) {
    return ((struct renaissance_member *)(void *)m)->voice->speech;
}

/* voice.c: what is said is put word by word, and written once in every framing that somebody speaks. */

/* A port of this framing in front of the room of these tables, which is opened if there is none yet. */
struct port *renaissance_room_open(const struct renaissance_port_config *, const struct renaissance_speech *,
                                   const struct json_room_dialect *, const struct peers_config *);
/* A member has connected and speaks so; it is gone. */
void renaissance_come(struct room_member *, const struct renaissance_speech *);
void renaissance_go(struct room_member *);
/* Nothing is said yet. */
void renaissance_begin(struct room *);
void renaissance_put(struct room *, const struct renaissance_word *);
#define RENAISSANCE_PUT(ROOM, TYPE, ...)                                                                     \
    renaissance_put((ROOM), &(struct renaissance_word){.type = RENAISSANCE_SAYS_##TYPE, __VA_ARGS__})
/* What was put, to a member. */
void renaissance_say(struct room_member *);
/* What is put from renaissance_keep_begin on is kept for a while for the player of a seat, in every framing.
 */
void renaissance_keep_begin(struct room *);
void renaissance_keep(struct room_table *, unsigned seat);
/* Says what was kept for the name, once; false: nothing was. */
bool renaissance_say_kept(struct room_member *, struct span name);
extern const struct renaissance_speech renaissance_json_speech;

/* room.c */

void renaissance_room_tell(struct room *, const struct room_notice *);
/* A member has said something. */
void renaissance_hear(struct room_member *, const struct renaissance_message *);
/* The connection of a member is gone: it leaves. */
void renaissance_leave(struct room_member *);
/* A member leaves, and its connection is closed. */
void renaissance_drop(struct room_member *);

/* told.c */

/* What a viewer may know of a table, with the names of those who sit there. */
struct renaissance_scene renaissance_scene(const struct room_table *, unsigned viewer);

/* The table as a viewer may know it: a seat or SEAT_WATCHER. */
const struct renaissance *renaissance_view(const struct room_table *, unsigned viewer);
enum renaissance_prompt renaissance_prompt_of(struct room_member *);
/* The member is told again what it has to say now, if that is anything. */
void renaissance_tell_prompt(struct room_member *);
/* Everybody has come, and perhaps somebody has gone meanwhile; or a table was brought back where they had. */
void renaissance_tell_begin(struct room_table *);
void renaissance_tell_resumed(struct room_table *);
/* How far the set-up and the turns are, and whatever is awaited. */
void renaissance_tell_progress(struct room_table *);
/* An action was played, or a seat is away, back or gone. */
void renaissance_tell_step(const struct room_notice *);
/* The others are told that the seat is online again, or no more. */
void renaissance_tell_presence(struct room_table *, unsigned seat);
void renaissance_tell_stalled(struct room_table *);
/* Everything to a member who has come back, unless that must wait. */
void renaissance_tell_return(struct room_member *);
/* The table is over; how it ended is kept for the players of this room who do not hear it. */
void renaissance_tell_end(struct room_table *);

#endif
