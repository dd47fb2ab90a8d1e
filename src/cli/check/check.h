/* parlor check: a conversation with somebody else's server, message by message. What is to be said and heard
 * is a table of steps for each protocol (script_NAME.c); this is who works through it, and what comes of it.
 *
 * In what is said {name} stands for something that was heard before, or for a name of this run (ann, bob).
 * What must be heard is a pattern: of lines of JSON an object whose fields must be there ("{name}" keeps a
 * text or number,
 * "*" is anything), of XML a text in which {name} keeps what stands there, and {...} is anything. */
#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

#include "base/buf.h"
#include "cli/connect.h"

#include <stdint.h>

enum {
    CHECK_CLIENTS_MAX = 4,
    CHECK_KEPT_MAX = 16, /* names for what was heard */
    CHECK_NAME_BYTES = 16,
    CHECK_VALUE_BYTES_MAX = 256,
    CHECK_MESSAGE_BYTES_MAX = 256 * 1024,
    CHECK_COMPLAINT_BYTES = 512,
};

enum check_kind { CHECK_END, CHECK_OPEN, CHECK_SAY, CHECK_HEAR, CHECK_CLOSE };

struct check_step {
    enum check_kind kind;
    const char *who;  /* "A": whose connection; "AB": both hear it */
    const char *text; /* what is said, or the pattern of what must be heard */
    const char *rule; /* where that stands: "ugs 3.3" */
    const char *sentence;
};

struct check_form;

/* A protocol that can be checked. */
struct check_script {
    const char *protocol;
    const struct check_form *form;
    const struct check_step *steps; /* ended by CHECK_END */
    /* Arguments of `parlor bot`, with {server} and {name}, that play a whole game against each other
     * afterwards; ended by NULL. */
    const char *const *bot;
};

extern const struct check_script check_ugs, check_treasure, check_santorini, check_eriantys,
    check_renaissance;

struct check_kept {
    char name[CHECK_NAME_BYTES], value[CHECK_VALUE_BYTES_MAX];
};

struct check_client {
    int fd; /* -1: not connected */
    struct buf input;
};

/* One message of the report. */
struct check_result {
    bool is_heard; /* otherwise it was said */
    bool conforms;
    char who;
    const struct check_step *step;
    struct buf text; /* of the message; empty: none came */
    char complaint[CHECK_COMPLAINT_BYTES];
};

struct check {
    const struct check_script *script;
    const char *server; /* "ADDR:PORT" */
    uint32_t patience_ms;
    struct check_client clients[CHECK_CLIENTS_MAX];
    struct check_kept kept[CHECK_KEPT_MAX];
    size_t kept_count;
    struct check_result *results;
    size_t result_count, result_capacity;
    void (*shown)(void *context, const struct check_result *); /* each as it comes; NULL: nobody looks on */
    void *context;
};

/* How messages of a protocol lie on the wire, and what is equal. */
struct check_form {
    /* Sends the text of a step. */
    enum err (*say)(struct check *, struct check_client *, struct span text);
    /* Takes the first whole message off the input of a client: false when there is none yet. Answers what
     * must be answered on the way, which is not shown. */
    bool (*take)(struct check *, struct check_client *, struct buf *out);
    /* Whether the message fits the pattern; keeps what it names. complaint is why not. */
    bool (*fits)(struct check *, const char *pattern, struct span message,
                 char complaint[CHECK_COMPLAINT_BYTES]);
};

extern const struct check_form check_lines_form, check_xml_form, check_http_form;

/* Works through the script until something does not conform, or the server is gone. True when all of it does.
 */
bool check_run(struct check *);
/* Ends all connections; to be called before check_free only when others are to play. */
void check_hang_up(struct check *);
void check_free(struct check *);

/* For forms. */

/* What is kept under a name; NULL: nothing. And keeping it: false when another value is kept there. */
const char *check_look(const struct check *, struct span name);
bool check_keep(struct check *, struct span name, struct span value);
/* The text with what its {names} stand for. */
void check_fill(const struct check *, const char *text, struct buf *out);
/* Whether the text fits a pattern of literal text, {name} and {...}. */
bool check_glob(struct check *, const char *pattern, struct span text);

#endif
