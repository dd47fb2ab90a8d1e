/* Messages as data. What clients may say is a table of rows: a message has fields, a field is of a kind. From
 * it come the reader and the JSON schemas (`parlor protocols --schema`), and from those the table on the page
 * of the protocol and the dictionary of its fuzz target (tools/messages): they cannot disagree. What no table
 * can say is code, a kind's own take. */
#ifndef WIRE_JSON_MESSAGE_H
#define WIRE_JSON_MESSAGE_H

#include "game/game.h"
#include "wire/json/read.h"

/* How a value is read, and into what. Tolerant, as json/read.h says. */
enum json_form {
    JSON_OWN,    /* by the kind's read or take */
    JSON_TEXT,   /* struct span */
    JSON_NUMBER, /* int64_t */
    JSON_FLAG,   /* bool */
    JSON_WORD,   /* unsigned: which of the words, in any case and with blanks around it */
};

/* Reads a value, NULL when it is missing, into its place in a request. False: it is no such value. */
typedef bool json_read(const json_t *value, void *place);
/* The same for a kind of which there is more to say: ERR_FIELD_INVALID is for what is no such value.
 * complaint, of JSON_COMPLAINT_BYTES_MAX, may be given a sentence. */
typedef enum err json_take(const json_t *value, void *place, char *complaint);

/* A kind of value. Its schema says what a client should send; what else is borne with is up to the reader. */
struct json_kind {
    const char *def;    /* its name in common.json; NULL: its schema stands wherever it is used */
    const char *schema; /* what the rest does not tell, as JSON_SCHEMA; or NULL */
    enum json_form form;
    json_read *read;
    json_take *take;               /* instead */
    int64_t min, max;              /* of a number, of characters of a text, of items; max 0: not told */
    const struct json_kind *item;  /* of a list */
    const char *(*word)(unsigned); /* the words that it can be, up to NULL */
    enum err refusal;              /* of what is no such value; 0: ERR_FIELD_MISSING or ERR_FIELD_INVALID */
    enum err unknown;              /* of other words or numbers; 0: of words as above, numbers are taken */
    const char *wrong, *none;      /* sentences for these two, with the name of the field for %s; or NULL */
};

/* JSON as it stands becomes a text in C. */
#define JSON_SCHEMA(...) #__VA_ARGS__

enum {
    JSON_ASKED = 1,  /* the schema requires it */
    JSON_NEEDED = 2, /* the reader does: it is read even when it is missing or null */
    JSON_UNREAD = 4, /* it is not looked at */
    JSON_MUST = JSON_ASKED | JSON_NEEDED,
};

struct json_field {
    const char *name;
    const struct json_kind *kind;
    unsigned flags;
    size_t offset;     /* in the request */
    const char *alias; /* another name, which counts when the first is missing; or NULL */
};

/* A row: a field of a kind (NAME_kind), read into a member of a struct, and what else is to be said. */
#define JSON_FIELD(STRUCT, NAME, KIND, FLAGS, MEMBER, ...)                                                   \
    { .name = NAME, .kind = &KIND##_kind, .flags = FLAGS, .offset = offsetof(STRUCT, MEMBER), __VA_ARGS__ }

#define JSON_FIELDS(...)                                                                                     \
    .fields = (const struct json_field[]) {                                                                  \
        __VA_ARGS__, {                                                                                       \
            0                                                                                                \
        }                                                                                                    \
    }

/* A message, or one case of it; a protocol is the message of which all others are cases. */
struct json_message {
    const char *word;  /* in the field that tells the cases apart; NULL ends them */
    const char *about; /* of a message: NULL is for what is borne with and not told to anybody */
    const struct json_field *fields; /* in the order in which they are read, ended by {0}; NULL: none */
    const char *by;                  /* the field that tells its cases apart */
    const struct json_message *cases;
    const char *schema; /* what the rest does not tell, as JSON_SCHEMA; or NULL */
};

/* The case that a message is by a word, in any case of letters; NULL: none. */
const struct json_message *json_message_case(const struct json_message *, struct span word);

/* Fills a request from a message, field by field up to the first that is refused. complaint, of
 * JSON_COMPLAINT_BYTES_MAX and empty before, then has a sentence, that of the game where it is one of its
 * refusals; it may be NULL. */
enum err json_take_fields(const struct game *, const struct json_field *, const json_t *message,
                          void *request, char *complaint) MUST_CHECK;

/* A field that must be there is missing, or has a value that it cannot have: ERR_FIELD_MISSING or
 * ERR_FIELD_INVALID, with a sentence in complaint. */
enum err json_complain_of(const json_t *message, const char *field, char *complaint);

/* One field that may be missing, and is an empty text then; false when it has a value that it cannot have. */
bool json_optional(const json_t *message, const char *field, const struct json_kind *, struct span *out);

/* A text for the dice: struct span. */
extern const struct json_kind json_seed_kind;
/* By which a player may come back, and the code of a table: the same. */
extern const struct json_kind json_secret_kind, json_table_kind;

#endif
