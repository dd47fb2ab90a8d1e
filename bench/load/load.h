/* What the load generator and its clients share. A client is one protocol as a player speaks it: it brings
 * pairs of connections to a table and answers what it is asked, at random and within the rules. When a move
 * is sent is not its affair: it says what the move is (load_move) and the generator sends it, at once or when
 * its time has come. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include "base/buf.h"
#include "base/rng.h"
#include "wire/json/read.h"

struct load_client;

struct load_conn {
    int fd;
    unsigned number;
    unsigned seat;          /* 0 or 1: which of its pair */
    struct load_conn *peer; /* the other one of its pair; itself when there is none */
    struct buf input;       /* the beginning of a message that is not whole yet */
    struct buf move;        /* what is to be sent when its time has come */
    uint64_t sent_ns;       /* when the last move was sent; 0: it is answered */
    bool is_lost;
    struct rng rng;         /* of its own: so it does the same whatever the others do meanwhile */
    struct load_conn *next; /* in a line of those whose move waits */
};

struct load_client {
    const char *name;
    unsigned seats;     /* connections of a table: 1 or 2 */
    bool is_one_by_one; /* tables are begun one after the other: who comes next sits at the same */
    size_t size;        /* of what it keeps of a connection, which begins with struct load_conn */
    void (*begin)(struct load_conn *);
    /* How many bytes the first message of the input has; 0 when it is not whole. */
    size_t (*message)(const struct load_conn *, struct span input);
    void (*take)(struct load_conn *, struct span message);
};

extern const struct load_client load_ugs, load_santorini, load_eriantys, load_renaissance, load_treasure,
    load_websocket, load_watchers, load_echo, load_all, load_game, load_http;

/* What was asked for on the command line, for clients. */
struct load_wishes {
    int64_t say_bytes, hear_bytes; /* of a message of the references */
    const char *name;              /* what all players' names begin with */
    const char *path;              /* of HTTP */
    bool is_zipped;
};
extern struct load_wishes load_wishes;

/* Sends now what is no move. */
void load_say(struct load_conn *, struct span message);
void load_say_text(struct load_conn *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The connection makes this move next. */
void load_move(struct load_conn *, struct span message);
/* Its move is answered. */
void load_answered(struct load_conn *);
/* A game is over: another one may begin. */
void load_over(struct load_conn *);
/* The server did what it should not. */
void load_error(struct load_conn *, const char *what, struct span message);

/* The rest of message behind the first occurrence of text; data is NULL when there is none. */
struct span load_behind(struct span message, const char *text);
/* The text behind the first occurrence of text, up to the character. */
struct span load_value(struct span message, const char *text, char end);
bool load_has(struct span message, const char *text);
bool load_begins(struct span message, const char *text);
/* Framings: a line, and an answer of HTTP with its head. */
size_t load_line(const struct load_conn *, struct span input);
size_t load_http_answer(const struct load_conn *, struct span input);
/* A line of JSON as a value; NULL after having complained. */
json_t *load_json(struct load_conn *, struct span line);
/* True when the line was a ping; it is answered. */
bool load_pong(struct load_conn *, struct span line);

#endif
