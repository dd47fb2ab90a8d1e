/* All cups of this process: championships of any game at tables of the lounge, opened by whoever asks,
 * entered by bots of this server and by players of the native API. A cup is a fold over its journal (fold.h);
 * what is asked of it is judged on that, appended, and counts when it comes back as a commit, whichever node
 * wrote it. The node that takes care of a cup directs it (director.c): it writes down what came of tables,
 * plans the next ones by the format and opens them. So a restart goes on where the journal ends.
 *
 * No sockets and no words of a wire: a request has a ticket, and every ticket gets exactly one answer. */
#ifndef HOST_CUP_CUPS_H
#define HOST_CUP_CUPS_H

#include "host/cup/ratings.h"
#include "host/lounge/lounge.h"

enum {
    CUPS_MAX = 256,        /* that are not over */
    CUPS_OVER_MAX = 256,   /* that are over and kept at hand: those that ended last */
    CUPS_ADDRESS_MAX = 16, /* that are not over, of one address */
    CUPS_NAME_CHARS_MAX = 50,
    CUPS_TABLES_DEFAULT = 8, /* of one cup that are played at the same time */
    CUPS_TABLES_MAX = 64,
    CUPS_TURN_MS_DEFAULT = 60 * 1000,
    CUPS_REQUESTS_MAX = 64,                 /* of one cup that wait for their turn */
    CUPS_REPLAYS_MAX = 2,                   /* of a table that came to nothing, by itself */
    CUPS_EMPTY_MS = 60 * 60 * 1000,         /* one that nobody enters is cancelled after so long */
    CUPS_IDLE_MS = 7 * 24 * 60 * 60 * 1000, /* the same of one that does not begin, or is paused */
    CUPS_SWEEP_MS = 60 * 1000,              /* how often that is looked at */
    CUPS_ARRIVAL_MS = 3 * 60 * 1000,        /* clients have so long to come to their table */
    CUPS_RETRY_MS = 1000,                   /* what could not be done is tried again */
};

struct cups_config {
    struct tables *tables; /* borrowed, like the next two */
    struct history *history;
    struct lounge *lounge;
};

/* Borrowed for the length of the call. */
struct cups_answer {
    enum err why;               /* ERR_OK: it is done */
    const char *reason;         /* more about that than the error says, or NULL */
    const struct cup_fold *cup; /* NULL: there is none */
    const char *entrant;        /* the name of who has entered, or NULL */
    const char *token;          /* of that entrant, or of the owner of a cup that was opened; or NULL */
};

struct cups_output {
    void *context;
    void (*answer)(void *context, void *ticket, const struct cups_answer *);
    /* A cup has changed: look at it. */
    void (*changed)(void *context, const struct cup_fold *);
};

struct cups;

/* Gives. Brings back what there is in the store, and becomes the steward of the lounge. Output functions may
 * be called from any of the others. */
struct cups *cups_create(const struct cups_config *, const struct cups_output *);
/* Tickets that are open are not answered any more. */
void cups_free(struct cups *);
/* The server ends: nothing is directed any more. */
void cups_stop(struct cups *);

uint64_t cups_next_ms(const struct cups *);
void cups_advance(struct cups *, uint64_t now_ms);

/* The cup of this name, of several the oldest; NULL: there is none. All of them, newest first: NULL when
 * index is too large. Borrowed until anything is called. */
const struct cup_fold *cups_find(const struct cups *, struct span name);
const struct cup_fold *cups_at(const struct cups *, size_t index);
/* The cup of an id; NULL: there is none. */
const struct cup_fold *cups_of(const struct cups *, uint64_t id);

/* A cup to be opened. */
struct cups_order {
    struct span name;
    const struct game *game;
    struct game_options options; /* with its seats, from 2 on */
    uint32_t format;             /* its number */
    uint32_t rounds;             /* 0: as many as the format has */
    struct lounge_clocks clocks; /* as of a table; one of them runs */
    uint32_t tables_max;         /* 1 to CUPS_TABLES_MAX */
    const char *protocol;        /* whose clients may enter, too; LOUNGE_PROTOCOL: none's. It has a door */
    struct address opener;
};

/* What is wrong with an order, whatever there is; NULL: nothing. */
const char *cups_order_complaint(const struct cups_order *);

/* No answer without a ticket. Refused, with a reason: ERR_FIELD_INVALID (a name that is none, or is
 * another's; a game that is not played by so many or by fewer), ERR_TOO_MANY, ERR_ADDRESS_FULL, ERR_DRAINING.
 */
void cups_open(struct cups *, const struct cups_order *, void *ticket, uint64_t now_ms);

/* What is asked of a cup that is there. */
enum cups_wish_kind {
    CUPS_ENTER,      /* name, and bot_level */
    CUPS_LEAVE,      /* name: takes an entry back, or withdraws */
    CUPS_DISQUALIFY, /* name, and why */
    CUPS_BEGIN,
    CUPS_PAUSE,
    CUPS_RESUME,
    CUPS_CANCEL,
    CUPS_REPLAY, /* pairing */
};

struct cups_wish {
    enum cups_wish_kind kind;
    uint64_t cup; /* its id */
    struct span name;
    unsigned bot_level;         /* 0: an entrant who gets a token */
    bool is_client;             /* comes to its tables by itself, in the protocol of the cup */
    const struct digest *token; /* that the entrant has from an earlier entry, and keeps; NULL: gets one */
    struct span why;            /* may be empty */
    uint32_t pairing;
};

/* Refused, with a reason: ERR_TABLE_UNKNOWN, ERR_TABLE_OVER (it is over), ERR_FIELD_INVALID,
 * ERR_PLAYER_UNKNOWN, ERR_TOO_MANY, ERR_NOT_ASKED (it cannot come now). */
void cups_wish(struct cups *, const struct cups_wish *, void *ticket, uint64_t now_ms);
/* Whether a step (begin, pause, resume, cancel) could come now: ERR_OK, ERR_TABLE_OVER, ERR_NOT_ASKED. */
enum err cups_may(const struct cup_fold *, enum cups_wish_kind) MUST_CHECK;

/* Whether this is the owner's token; and whose entrant's it is, or as many as there are. */
bool cups_is_owner(const struct cup_fold *, const struct digest *token);
uint32_t cups_entrant_of(const struct cup_fold *, const struct digest *token);

/* Whether this is the token of an entrant of any cup that is at hand, or of one that has a rating. */
bool cups_know_token(const struct cups *, const struct digest *token);

/* How strong everybody is by the cups that are over; borrowed. And an entrant: when its cup began and ended,
 * or, of one that does not count (yet), twice as of now. */
const struct ratings *cups_ratings(const struct cups *);
struct rating_line cups_rating_line(const struct cups *, const struct cup_fold *, uint32_t entrant);

/* The table of a pairing is open, as far as is known here, for this seat: its entrant sits there, or is a
 * client, which comes by itself. And everybody has come to it. */
bool cups_is_open(const struct cups *, const struct cup_fold *, uint32_t pairing, uint32_t seat);
bool cups_is_played(const struct cups *, const struct cup_fold *, uint32_t pairing);

#endif
