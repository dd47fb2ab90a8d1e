/* The words of Santorini over lines of JSON: messages of clients into requests and actions, states and
 * actions into messages. Pure: no sockets, no tables, no clock. docs/protocols/santorini.md is the page. */
#ifndef WIRE_SANTORINI_DIALECT_H
#define WIRE_SANTORINI_DIALECT_H

#include "base/buf.h"
#include "games/santorini/santorini.h"
#include "wire/json/message.h"
#include "wire/santorini/messages.h"
#include "wire/santorini/refusals.h"

enum { SANTORINI_NAME_CHARS_MAX = 32, SANTORINI_NAME_BYTES_MAX = 4 * SANTORINI_NAME_CHARS_MAX };

/* What a client can say, and what the server repeats to all with a result when it was done. */
#define SANTORINI_REQUEST(TYPE, ...) SANTORINI_##TYPE,
enum santorini_request_type { SANTORINI_MESSAGES(SANTORINI_REQUEST) SANTORINI_REQUEST_TYPES };

/* The steps of a turn that a client is asked to choose from. */
enum santorini_step {
    SANTORINI_STEP_MOVE,
    SANTORINI_STEP_BUILD,
    SANTORINI_STEP_FORCE,
    SANTORINI_STEP_REMOVE,
    SANTORINI_STEP_BORROW,
    SANTORINI_STEP_END,
    SANTORINI_STEP_COUNT,
    SANTORINI_STEP_NONE = SANTORINI_STEP_COUNT,
};

/* The steps that the document knows, a bit each. */
enum {
    SANTORINI_WORDS_DOCUMENT = 1 << SANTORINI_STEP_MOVE | 1 << SANTORINI_STEP_BUILD | 1 << SANTORINI_STEP_END
};

/* Of the fields only those of its type mean something. Texts are borrowed from the message. */
struct santorini_request {
    enum santorini_request_type type;
    int64_t number;                    /* of players */
    struct span name;                  /* add player: who; set start: who begins */
    struct santorini_birth birth;      /* add player */
    struct span seed;                  /* add player: for the dice; may be empty */
    struct span secret;                /* the same: by which it comes back; may be empty */
    struct span table;                 /* the same: the code of the table that it wants; may be empty */
    unsigned words;                    /* add player: the steps it knows, a bit each; 0: it does not say */
    uint8_t gods[SANTORINI_SEATS_MAX]; /* set gods; set god: the first one */
    unsigned god_count;
    enum santorini_color color;            /* SANTORINI_COLORS: none that is known */
    uint8_t positions[SANTORINI_BUILDERS]; /* cells; SANTORINI_NOWHERE: not given, as the next two */
    uint8_t src, dst;
    bool is_dome;
    enum santorini_step step;
    char complaint[JSON_COMPLAINT_BYTES_MAX]; /* what is wrong with it */
};

/* One of which nothing is known yet. */
extern const struct santorini_request santorini_request_empty;

/* What a client can say, by its type. */
extern const struct json_message santorini_messages;

/* Reads what a client says. Refused, with a sentence in complaint: ERR_UNKNOWN_TYPE, and with the type set
 * and whatever else could be read: ERR_FIELD_MISSING, ERR_FIELD_INVALID, ERR_CELL_OUTSIDE, ERR_GOD_UNKNOWN,
 * ERR_COLOR_UNKNOWN, ERR_BIRTH_DATE. */
enum err santorini_read(const json_t *message, struct santorini_request *out) MUST_CHECK;

/* The same for what the server repeats, for clients: playerAdded is SANTORINI_ADD_PLAYER without a date,
 * godCardAssigned SANTORINI_SET_GOD. name is the player who did it. */
enum err santorini_read_reply(const json_t *message, struct santorini_request *out) MUST_CHECK;

/* The word of a request and of its answer: "setGodCard" and "godCardAssigned". */
const char *santorini_request_word(enum santorini_request_type);
const char *santorini_reply_word(enum santorini_request_type);
/* "MOVE" */
const char *santorini_step_word(enum santorini_step);
enum santorini_step santorini_step_by_word(struct span word); /* SANTORINI_STEP_NONE: no such step */

/* The phase in which a request is awaited; SANTORINI_OVER for those that are not about the game. */
enum santorini_phase santorini_request_phase(enum santorini_request_type);

/* What a message needs besides the state. */
struct santorini_scene {
    const struct santorini *state;
    const char *names[SANTORINI_SEATS_MAX]; /* "": nobody sits there yet */
};

enum { SANTORINI_REQUEST_ACTIONS_MAX = SANTORINI_SEATS_MAX };

/* The actions that a request of the seat on turn is in this state, in its phase. A step other than the end is
 * none: 0 actions. Refused: ERR_BUILDER_UNKNOWN (nobody of the seat stands there), ERR_STARTER_UNKNOWN,
 * ERR_FIELD_INVALID (not as many gods as seats). Whether they are legal is for the table to say. */
enum err santorini_request_actions(const struct santorini_scene *, const struct santorini_request *,
                                   struct action out[SANTORINI_REQUEST_ACTIONS_MAX],
                                   size_t *count) MUST_CHECK;

/* The request that an action of the seat on turn is in this state: what a client would have sent for it. For
 * actions of one part of a request (offers, places) only the kind is right; DRAW has none: SANTORINI_PONG. */
void santorini_request_of(const struct santorini *, const struct action *, struct santorini_request *out);

/* The kinds of steps that are open, a bit per enum santorini_step. */
unsigned santorini_open_steps(const struct santorini_steps *);

/* What a client that knows these steps (santorini_request.words) is offered. Without any it knows only the
 * document: nothing but MOVE, BUILD and END, and once a builder has acted it goes on with that one, so cells
 * of the other one stand for its own where it has none. */
void santorini_offered(const struct santorini *, unsigned words, struct santorini_steps *out);

/* Whether nothing that is open can be said by such a client, or nothing but the end: then out is what is done
 * for it. */
bool santorini_speaks_for(const struct santorini *, unsigned words, struct action *out);

/* What such a client has said of the builder that it is bound to becomes what it means. */
void santorini_request_bind(const struct santorini *, unsigned words, struct santorini_request *);

/* Messages. Each is appended to out without the end of its line; between two stands a line feed. */

/* Nothing but a type: "askNumberOfPlayers". */
void santorini_write_plain(struct buf *out, const char *type);
/* A type and a name: "turnUpdate". */
void santorini_write_name(struct buf *out, const char *type, struct span name);
void santorini_write_error(struct buf *out, const char *description);
void santorini_write_state(struct buf *out, enum santorini_phase);
void santorini_write_end(struct buf *out, const char *winner);
/* The answer to a request of a player. */
void santorini_write_reply(struct buf *out, const struct santorini_request *, const char *name, bool result);
/* The fields of a request into a message that a client has begun. */
void santorini_write_request(struct writer *, const struct santorini_request *, const char *name);

/* What all at the table are told of an action that was played by a seat, or (action NULL) of a seat that was
 * given up: from before to the state of the scene. May be nothing. */
void santorini_write_news(struct buf *out, const struct santorini_scene *, const struct santorini *before,
                          unsigned seat, const struct action *);

/* What the seat on turn is asked, by the step that it has chosen or SANTORINI_STEP_NONE, in words that its
 * client knows. Nothing in other phases than those of a seat. */
void santorini_write_prompt(struct buf *out, const struct santorini_scene *, enum santorini_step chosen,
                            unsigned words);

/* Everything that somebody who comes back needs to draw the table, up to whose turn it is. */
void santorini_write_replay(struct buf *out, const struct santorini_scene *);

#endif
