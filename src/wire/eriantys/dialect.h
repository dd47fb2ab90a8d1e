/* The words of Eriantys over lines of JSON: messages of clients into requests and actions, states and actions
 * into messages. Pure: no sockets, no tables, no clock. docs/protocols/eriantys.md is the page; numbers in
 * comments are those of its tolerances. */
#ifndef WIRE_ERIANTYS_DIALECT_H
#define WIRE_ERIANTYS_DIALECT_H

#include "base/buf.h"
#include "games/eriantys/eriantys.h"
#include "wire/eriantys/messages.h"
#include "wire/eriantys/refusals.h"
#include "wire/json/message.h"

enum { ERIANTYS_NAME_CHARS_MAX = 32 };

/* The one error text that means something to a program: somebody of the table is gone. */
#define ERIANTYS_USER_DISCONNECTED "UserDisconnected"

/* What a client can say. */
#define ERIANTYS_REQUEST(TYPE, ...) ERIANTYS_REQUEST_##TYPE,
enum eriantys_request_type { ERIANTYS_MESSAGES(ERIANTYS_REQUEST) };

struct eriantys_request {
    enum eriantys_request_type type;
    int64_t seat_count; /* create */
    bool is_expert;
    struct span code;   /* enter: trimmed, any case; borrowed from the message, as the name */
    struct span name;   /* login: trimmed; empty when it cannot be one */
    struct span seed;   /* login: for the dice; may be empty */
    struct span secret; /* login: by which the player comes back; may be empty */
    char complaint[JSON_COMPLAINT_BYTES_MAX];
};

/* What a client can say, by its type. */
extern const struct json_message eriantys_messages;

/* Refused, with a sentence in complaint: ERR_UNKNOWN_TYPE, ERR_FIELD_MISSING, ERR_FIELD_INVALID. Of a command
 * only the type is looked at here. */
enum err eriantys_read_request(const json_t *message, struct eriantys_request *out) MUST_CHECK;

/* The action that a command of this player is in this state. Refused, with a sentence in complaint:
 * ERR_FIELD_MISSING, ERR_FIELD_INVALID (also for somebody else's name), ERR_UNKNOWN_TYPE (of the command),
 * and what eriantys_move_action refuses. Whether the action is legal is for the table to say. */
enum err eriantys_read_command(const json_t *message, const struct eriantys *state, struct span player,
                               struct action *out, char complaint[JSON_COMPLAINT_BYTES_MAX]) MUST_CHECK;

/* What a message needs besides the state. */
struct eriantys_scene {
    const struct eriantys *state;
    const char *names[ERIANTYS_SEATS_MAX]; /* "": nobody sits there yet */
    bool is_online[ERIANTYS_SEATS_MAX];
    unsigned wizards[ERIANTYS_SEATS_MAX]; /* which of ERIANTYS_WIZARDS each seat has */
};

enum { ERIANTYS_WIZARDS = 4 };

/* Messages of the server, each appended to out without the end of its line. */
void eriantys_write_error(struct buf *out, const char *text);
void eriantys_write_creation(struct buf *out, const char *code);
/* found false: the others are ignored. */
void eriantys_write_enter(struct buf *out, bool is_found, const struct eriantys_scene *);
void eriantys_write_waiting(struct buf *out, const struct eriantys_scene *);
void eriantys_write_login(struct buf *out, bool is_success);
void eriantys_write_start(struct buf *out);
void eriantys_write_turn(struct buf *out, const char *player, bool is_enabled);
/* The names of these seats; nobody: a draw. */
void eriantys_write_win(struct buf *out, const struct eriantys_scene *, seat_set winners);
void eriantys_write_status(struct buf *out, const struct eriantys_scene *);
/* A command as a client would send it: what this seat is about to do in the state of the scene. */
void eriantys_write_command(struct buf *out, const struct eriantys_scene *, unsigned seat,
                            const struct action *);
/* The same without the type, into an object that was begun. */
void eriantys_write_command_fields(struct writer *, const struct eriantys_scene *, unsigned seat,
                                   const struct action *);

#endif
