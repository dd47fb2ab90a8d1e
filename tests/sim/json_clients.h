/* What clients of the protocols over lines of JSON have in common in the simulation: their lives, their
 * lines, and what the witness is told. A dialect adds how it is spoken (struct json_speech).
 *
 * A client is prompted, thinks, and answers with something that it was offered; a bad one says other things
 * in between, goes, vanishes, comes back under its old name. A client that has only said what it was offered
 * is never refused, and nobody who said something, or is to act, waits for long without a word. */
#ifndef SIM_JSON_CLIENTS_H
#define SIM_JSON_CLIENTS_H

#include "host/thinker.h"
#include "sim.h"

#include <jansson.h>

enum { JSON_NAME_BYTES_MAX = 16 };

/* What a message of the server is to a client. */
enum json_meaning {
    JSON_NOTHING, /* a ping, or a sign of life that comes by itself */
    JSON_NEWS,
    JSON_PROMPT,  /* to be answered */
    JSON_REFUSAL, /* of what the client said last */
};

/* Another framing than lines, whose messages are told as the lines of JSON that say the same. */
struct json_framing {
    size_t stream_bytes; /* of what it keeps of one connection, in one direction; zeroed */
    /* See java_lines.h. */
    bool (*next)(void *stream, struct span *bytes, struct buf *shown, struct buf *line);
    bool (*say)(void *stream, const json_t *message, const char *name, struct buf *out);
    void (*freed)(void *stream);
    const char *ping; /* as the inspector has it: pings overtake what is said */
};

struct json_speech {
    const struct sim_dialect *dialect;
    const struct json_framing *framing; /* NULL: lines */
    size_t client_size;                 /* of a client's own memory, which begins with struct json_speaker */
    const char *const *fouls;           /* lines that no good client sends now; ended by NULL */
    /* Connected: what it says by itself, if anything. Nothing of an earlier connection is known any more. */
    void (*begins)(struct sim_client *);
    /* A message has arrived. */
    enum json_meaning (*takes)(struct sim_client *, const json_t *message);
    /* Answers a prompt. is_sure is set to false when good answers may be refused, too. */
    void (*answers)(struct sim_client *, const json_t *prompt, bool *is_sure);
    /* Nothing happens: perhaps it says something by itself. */
    void (*idles)(struct sim_client *);
    void (*freed)(struct sim_client *); /* gives back what its own memory points at; NULL: nothing */
    /* The text of the fact that a line about a table is; false: none. */
    bool (*fact)(const json_t *message, struct span line, char text[SIM_FACT_BYTES_MAX]);
    /* A fact that may come again and again, until another one does. NULL: there are none. */
    bool (*repeats)(const json_t *message);
    /* The listener begins a new stay with this line. NULL: only with its connection. */
    bool (*enters)(const json_t *message);
    /* Whether a listener is in a pause, see sim_told_in_pause, after this line. NULL: there is none. */
    bool (*pauses)(const json_t *message, bool was_paused);
    /* What is wrong with telling this line to a seat of the table, or NULL. NULL: nothing ever is. */
    const char *(*leaks)(const struct table *, unsigned seat, const json_t *message, struct span line);
    /* Whether the table is waiting for somebody to come, and nobody is prompted. NULL: never. */
    bool (*waits)(const struct table *);
};

struct json_speaker {
    const struct json_speech *speech;
    struct line_frame *frame;
    void *stream; /* of another framing */
    unsigned malice_per_mille;
    char name[JSON_NAME_BYTES_MAX];
    unsigned name_number;
    bool has_sat; /* under this name, so that it may come back */
    json_t *prompt;
    bool is_sure, is_fouled; /* its answer was one of those offered; it has said something wrong here */
    bool has_news;           /* since it was prompted */
    bool is_doubtful;        /* what it said last may be refused behind the prompt that it heard then */
    bool is_ahead;     /* ... and it answered that prompt: which answer is to what cannot be told any more */
    unsigned prompts;  /* since it answered */
    uint64_t version;  /* of the journal of its table, when it said something */
    bool is_behind;    /* its node knew an older one then */
    uint64_t said_ms;  /* when it said what is not answered yet; 0: nothing */
    uint64_t heard_ms; /* when it heard anything but signs of life, or was told something at a table */
    size_t connection; /* its number in the network */
    uint64_t table;    /* where it is, as far as the server has said */
    unsigned seat;
};

/* A message, which is given. */
void json_speaker_say(struct sim_client *, json_t *message);
/* The same that needs no answer. */
void json_speaker_mention(struct sim_client *, json_t *message);
/* Another name from now on. */
void json_speaker_rename(struct sim_client *);
/* What it was asked is not to be answered any more. */
void json_speaker_forget(struct sim_client *);
bool json_is(const json_t *message, const char *type);
/* One of the items of a list, or NULL when it is empty. */
json_t *json_any(struct rng *, const json_t *list);

/* For the functions of a sim_dialect. */
void json_clients_add(struct sim *, const struct json_speech *, size_t count);
void json_clients_begin(const struct sim_dialect *); /* its port is opened: connections are counted anew */
void json_clients_finish(const struct sim_dialect *);
/* What is wrong with the deadline of a port that has no longer ones than these. */
const char *json_clients_wait(const struct sim *, const struct port *, const uint32_t *limits_ms,
                              size_t count);
const char *json_clients_remain(const struct port *);
size_t json_clients_tables(const struct port *);
void json_clients_restored(struct sim *, struct table *);

/* Bots beside the loop of each server, where a dialect has any. Those of servers that are up and do not stand
 * still think; and what was still to be thought about at the end goes nowhere. */
void json_clients_thinkers_create(struct thinker *thinkers[SIM_NODES_MAX]);
void json_clients_think(struct sim *, struct thinker *const thinkers[SIM_NODES_MAX]);
void json_clients_thinkers_free(struct thinker *const thinkers[SIM_NODES_MAX]);

/* A request to the native API. The token may be "", further lines of the head too; the body is given away,
 * NULL: none. */
void sim_client_request(struct sim_client *, const char *method, const char *path, const char *token,
                        const char *head, json_t *body);

#endif
