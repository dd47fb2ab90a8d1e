/* The words of Masters of Renaissance, and how they are written in lines of JSON: messages of clients into
 * actions, states into messages. Pure: no sockets, no tables, no clock. docs/protocols/renaissance.md is the
 * page; numbers in comments are those of its tolerances. What is said is a struct renaissance_word, whatever
 * framing it is written in (wire/renaissance_java is another one). */
#ifndef WIRE_RENAISSANCE_DIALECT_H
#define WIRE_RENAISSANCE_DIALECT_H

#include "base/buf.h"
#include "games/renaissance/renaissance.h"
#include "wire/json/message.h"
#include "wire/renaissance/messages.h"

/* What a client can say. */
#define RENAISSANCE_MESSAGE(TYPE, ...) RENAISSANCE_MESSAGE_##TYPE,
enum renaissance_message_type { RENAISSANCE_MESSAGES(RENAISSANCE_MESSAGE) };

/* What the fields of a message say; what is missing is nothing. */
struct renaissance_said {
    unsigned kept[RENAISSANCE_LEADERS_KEPT];
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    struct said_counts {
        bool is_given;
        uint16_t of[RENAISSANCE_KINDS];
    } discard;
    int64_t index, level, slot;
    bool is_row;
    unsigned colour, leader;
    struct said_kinds {
        uint8_t kind[RENAISSANCE_COLUMNS];
        size_t count;
    } exchange, board, gains;
    struct said_set {
        unsigned bits, first;
    } cards, leaders;
    uint16_t paid[RENAISSANCE_SOURCES][RENAISSANCE_KINDS];
};

struct renaissance_message {
    enum renaissance_message_type type;
    struct span username;                /* borrowed; data is NULL when it is missing */
    struct span seed;                    /* of a login: for the dice; may be empty */
    struct span secret;                  /* the same: by which the player comes back; may be empty */
    struct span table;                   /* the same: the code of the table that it wants; may be empty */
    int64_t number;                      /* of players; 0 when there is none to be read */
    unsigned choice;                     /* the action named: one of RENAISSANCE_MAY_*, or 0 */
    bool has_choice;                     /* an action is named, whether it is known or not */
    const json_t *body;                  /* borrowed; NULL: it came in another framing, which has read it */
    const struct renaissance_said *said; /* then: what it says, */
    enum err wrong;                      /* and what is wrong with that */
};

/* What a client can say, by its type. */
extern const struct json_message renaissance_messages;

/* ERR_UNKNOWN_TYPE when the message has no type that is known, ERR_FIELD_INVALID when its seed, secret
 * or table cannot be one. What its other fields are worth shows later. */
enum err renaissance_read_message(const json_t *, struct renaissance_message *out) MUST_CHECK;

/* The longest: six productions, RUN, a payment of each kind. */
enum { RENAISSANCE_MESSAGE_ACTIONS_MAX = 6 + 1 + RENAISSANCE_KINDS };

/* The actions that a message of a seat means in this state; choice is what the parameters are for. Refused is
 * what cannot be read (ERR_FIELD_MISSING, ERR_FIELD_INVALID) or says something that does not add up and that
 * actions could not say; whether they are legal is for the table to say. */
enum err renaissance_read_actions(const struct renaissance *, unsigned seat,
                                  const struct renaissance_message *, unsigned choice,
                                  struct action out[RENAISSANCE_MESSAGE_ACTIONS_MAX],
                                  size_t *count) MUST_CHECK;

/* Whether a reply with starting resources holds none, as it must for who gets none. */
bool renaissance_reads_empty(const struct renaissance_message *);

/* Parts of messages, for whoever reads those of the server: a number of a kind of resource, of a marble or of
 * a colour; false when there is none of that name. In any case of letters (tolerance 33). */
bool renaissance_read_kind(const json_t *, unsigned *kind);
bool renaissance_read_marble(const json_t *, unsigned *marble);
/* The depots of a warehouse; a missing one is empty (tolerance 12). */
bool renaissance_read_warehouse(const json_t *, struct renaissance_depot out[RENAISSANCE_DEPOTS]);
/* How many of each kind: {"COINS":2} or ["COINS","COINS"] (tolerance 18); missing is none. */
bool renaissance_read_counts(const json_t *, uint16_t counts[RENAISSANCE_KINDS]);
/* The word of one of RENAISSANCE_MAY_*, and back; 0 when there is none of that name. */
const char *renaissance_choice_word(unsigned choice);
unsigned renaissance_choice_of(struct span word);

/* What a message needs. */
struct renaissance_scene {
    const struct renaissance *state; /* as the one to whom it is said may know it */
    const char *names[RENAISSANCE_SEATS_MAX];
    bool is_online[RENAISSANCE_SEATS_MAX];
};

enum renaissance_error {
    RENAISSANCE_ERROR_LEADERS,
    RENAISSANCE_ERROR_RESOURCES,
    RENAISSANCE_ERROR_ACTION,
    RENAISSANCE_ERROR_MANAGE,
    RENAISSANCE_ERROR_STALLED, /* the server cannot save at the moment */
};

/* What the server says. */
enum renaissance_word_type {
    RENAISSANCE_SAYS_ERROR,    /* error, why */
    RENAISSANCE_SAYS_USERNAME, /* name; NULL: refused */
    RENAISSANCE_SAYS_NUMBER_REQUEST,
    RENAISSANCE_SAYS_PLAYERS,
    RENAISSANCE_SAYS_GRID,
    RENAISSANCE_SAYS_MARKET,
    RENAISSANCE_SAYS_LEADERS_REQUEST,    /* seat */
    RENAISSANCE_SAYS_LEADERS_RESPONSE,   /* number: of players at the table */
    RENAISSANCE_SAYS_RESOURCES_REQUEST,  /* number */
    RENAISSANCE_SAYS_RESOURCES_RESPONSE, /* number: of players at the table */
    RENAISSANCE_SAYS_SETUP,
    RENAISSANCE_SAYS_POSSIBLE,        /* number: the choices */
    RENAISSANCE_SAYS_ACTION_RESPONSE, /* number: the choice */
    RENAISSANCE_SAYS_MANAGE_REQUEST,
    RENAISSANCE_SAYS_FAITH,     /* change */
    RENAISSANCE_SAYS_PLAYED,    /* seat; number: the leader */
    RENAISSANCE_SAYS_DISCARDED, /* seat; number: the leader */
    RENAISSANCE_SAYS_BOUGHT,    /* seat; number: the card */
    RENAISSANCE_SAYS_PRODUCED,  /* seat */
    RENAISSANCE_SAYS_PUSHED,    /* seat; number: the line */
    RENAISSANCE_SAYS_LORENZO,
    RENAISSANCE_SAYS_TURN, /* seat, name */
    RENAISSANCE_SAYS_END,
    RENAISSANCE_SAYS_SCORES,
    RENAISSANCE_SAYS_GONE,   /* seat, name */
    RENAISSANCE_SAYS_BACK,   /* seat, name */
    RENAISSANCE_SAYS_UPDATE, /* seat: everything that it may know */
};

/* One thing said. Everything that is about a table has its scene. Borrowed. */
struct renaissance_word {
    enum renaissance_word_type type;
    const struct renaissance_scene *scene;
    unsigned seat, number;
    const char *name;
    enum renaissance_error error;
    enum err why;
    const struct renaissance_faith_change *change;
};

/* A word in JSON: what the function below of its name writes. */
void renaissance_write_word(struct buf *out, const struct renaissance_word *);

/* The seats from the best to the worst (tolerance 27). */
void renaissance_ranking(const struct renaissance *, unsigned order[RENAISSANCE_SEATS_MAX]);
/* What a seat has kept of its leaders, wherever they are now; 0 before it has chosen. */
unsigned renaissance_kept(const struct renaissance_seat *, uint8_t leaders[RENAISSANCE_LEADERS_DEALT]);
/* How many leaders it has in its hand: before it has chosen there is none, only the four of the request. */
unsigned renaissance_hand_count(const struct renaissance_seat *);
/* The slot with this card on top. */
unsigned renaissance_slot_of(const struct renaissance_seat *, unsigned card);

/* Messages of the server, each appended to out as a line of its own; the last line has no end. */
void renaissance_write_error(struct buf *out, enum renaissance_error, enum err why);
/* name NULL: refused. */
void renaissance_write_username(struct buf *out, const char *name);
void renaissance_write_number_request(struct buf *out);
void renaissance_write_players(struct buf *out, const struct renaissance_scene *);
void renaissance_write_grid(struct buf *out, const struct renaissance_scene *);
void renaissance_write_market(struct buf *out, const struct renaissance_scene *);
void renaissance_write_leaders_request(struct buf *out, const struct renaissance_scene *, unsigned seat);
void renaissance_write_leaders_response(struct buf *out);
void renaissance_write_resources_request(struct buf *out, unsigned number);
void renaissance_write_resources_response(struct buf *out);
/* Shows the leaders that each has kept, so the scene must know them: the protocol wants it. */
void renaissance_write_setup(struct buf *out, const struct renaissance_scene *);
void renaissance_write_possible(struct buf *out, unsigned choices);
void renaissance_write_action_response(struct buf *out, unsigned choice);
void renaissance_write_manage_request(struct buf *out, const struct renaissance_scene *);
void renaissance_write_faith(struct buf *out, const struct renaissance_scene *,
                             const struct renaissance_faith_change *);
/* What a seat has done, and how it stands now. */
void renaissance_write_played(struct buf *out, const struct renaissance_scene *, unsigned seat,
                              unsigned leader);
void renaissance_write_discarded(struct buf *out, const struct renaissance_scene *, unsigned seat,
                                 unsigned leader);
void renaissance_write_bought(struct buf *out, const struct renaissance_scene *, unsigned seat,
                              unsigned card);
void renaissance_write_produced(struct buf *out, const struct renaissance_scene *, unsigned seat);
void renaissance_write_pushed(struct buf *out, const struct renaissance_scene *, unsigned seat,
                              unsigned line);
void renaissance_write_lorenzo(struct buf *out, const struct renaissance_scene *);
void renaissance_write_turn(struct buf *out, const char *name);
void renaissance_write_end(struct buf *out);
void renaissance_write_scores(struct buf *out, const struct renaissance_scene *);
void renaissance_write_gone(struct buf *out, const char *name);
void renaissance_write_back(struct buf *out, const char *name);
/* Everything that a seat may know: the scene is that of its view. */
void renaissance_write_update(struct buf *out, const struct renaissance_scene *, unsigned seat);

#endif
