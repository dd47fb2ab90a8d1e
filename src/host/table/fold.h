/* A table is a fold over its journal: events in, state out. Restore, verify, show and replay all go through
 * this one function, so that they cannot disagree. It trusts nothing: every event is held against the chain
 * of hashes, the order of events and the rules of the game before it counts. Knows no clock, no store, no
 * players. */
#ifndef HOST_TABLE_FOLD_H
#define HOST_TABLE_FOLD_H

#include "host/table/dice.h"

/* What the set-up said. */
struct fold_setup {
    uint32_t format; /* 0 before the set-up event */
    uint32_t rules_version;
    struct game_options options;
    bool violation_loses, has_given, waits_for_seats;
    uint32_t turn_timeout_ms;
    struct digest commitment;
    const char *protocol, *note, *house; /* "": none; in the memory of texts */
    char *texts;                         /* owned */
};

/* Who sits on a seat, and what was said about it: one piece of memory with everything that it points to, so
 * that a seat takes no more than its player needs. */
struct fold_seat {
    const char *name, *note, *seed;    /* "": none, and without a name nobody sits there */
    const struct digest *token, *home; /* NULL: none */
};

struct fold {
    uint64_t table;
    const struct game *(*find)(struct span name); /* game_by_name; NULL: it is the one in game */
    struct fold_setup setup;
    const struct game *game;                  /* NULL before the set-up, unless it is given */
    struct game_state *state;                 /* owned; NULL before the set-up */
    const struct fold_seat *seats[SEATS_MAX]; /* owned, but for those where nobody sits; never NULL */

    struct event last; /* the event that was taken last; its body is in last_body */
    char *last_body;   /* owned; as large as it must be */
    size_t last_body_bytes;
    struct game_state *before; /* the truth before it; NULL before there was one. Owned */

    uint64_t last_seq; /* 0 before the first event */
    struct digest last_hash;
    int64_t created_ms, last_ms; /* when the first and the last event happened */
    uint64_t plies;              /* actions played, those of chance included */
    uint64_t drawn_seq;          /* of the first seat that was drawn */
    unsigned drawn_count;        /* of such seats */
    struct dice drawn_dice;      /* what came before the first of them */
    struct dice dice;            /* what all events so far mean for the next draw */
    bool has_begun;              /* a seat has acted */
    seat_set acted;              /* the seats whose players have acted since they sat down */
    seat_set answered;           /* that have acted since whoever keeps their clocks looked last */
    uint64_t used_ms[SEATS_MAX]; /* of their time for the whole game, as far as it is counted */
    uint32_t turns[SEATS_MAX];   /* that they have ended meanwhile */

    seat_set retired;                  /* seats that were given up and without which the table went on */
    unsigned loser;                    /* the seat that lost it by that; SEAT_WATCHER: none has */
    enum event_reason loser_reason;    /* 0 for a time-out */
    bool is_finished;                  /* the result is in; nothing may follow */
    const struct event_result *result; /* once is_finished; owned then. Before it says nothing */

    const char *complaint; /* after a refusal: more about it than the error says; a literal */
};

/* A table of which nothing has happened yet. fold_free in any case. */
void fold_init(struct fold *, uint64_t table);
void fold_free(struct fold *);

/* What whoever folds a live table brings along: memory, what it knows, and who looks on while the state
 * changes step by step. */
struct fold_steps {
    struct game_state *before, *trial; /* memory for two states of the game; borrowed */
    bool is_chained; /* the caller has made the hash of the event itself, from the last one here */
    void *context;
    /* An action of the event has been played: from before to fold->state. NULL: nobody looks on. */
    void (*played)(void *context, unsigned seat, const struct action *);
    /* The rules went on with an absence, a return or a loss. NULL: the same. */
    void (*attended)(void *context, unsigned seat, enum attendance);
};

/* Takes the next event. Refused, with nothing changed:
 *   ERR_CHAIN          not the next number, or its hash does not follow from the fields and the hash before
 *   ERR_MALFORMED      a body that cannot be read
 *   ERR_EVENT_ORDER    an event that cannot come now: no set-up yet, a second one, the table is over
 *   ERR_RULES_UNKNOWN  a game, or a version of its rules, that this program does not have
 *   ERR_RESULT_WRONG   a result that does not follow from what was played
 *   and whatever the rules say about an illegal action.
 */
enum err fold_event(struct fold *, const struct event *) MUST_CHECK;

/* The same for a live table. Steps before one that is refused have been shown, too. */
enum err fold_event_steps(struct fold *, const struct event *, const struct fold_steps *) MUST_CHECK;

/* True when only the result is missing: over by the rules, or by a forfeit or time-out. */
bool fold_is_over(const struct fold *);

/* Whether the player of the seat left, resigned or let its time run out. */
bool fold_has_given_up(const struct fold *, unsigned seat);

/* The result that must follow now, with the secret left zero; only when fold_is_over, or for a table that is
 * given up undecided (OUTCOME_UNDECIDED, all points 0). */
void fold_result(const struct fold *, struct event_result *out);

/* The points when a seat has lost the table: 1 for its rivals (see game.h) who are still there, 0 for
 * everybody else. present: seats that are taken and were not given up before. */
void fold_loss(const struct game *, const struct game_state *, seat_set present, unsigned loser,
               int32_t points[SEATS_MAX]);

/* Whether a seat may still change hands, or be free again: before the first action of a seat; and as long as
 * not all seats are taken, unless its own player has acted. */
bool fold_may_change(const struct fold *, unsigned seat);

/* The seats on which somebody sits; and how many are free. */
seat_set fold_taken(const struct fold *);
unsigned fold_free_seats(const struct fold *);

/* False when the set-up commits to nothing (32 zero bytes): then chance was given and no seat drawn. */
bool fold_has_dice(const struct fold *);

/* Whether this is the secret that the set-up commits to; a table without dice has none, and any will do. */
bool fold_secret_fits(const struct fold *, const struct digest *secret);

/* A result that reveals no secret although there were dice (32 zero bytes, and nobody has won): the server
 * had lost it, and what the dice decided cannot be checked any more. */
bool fold_lost_secret(const struct digest *commitment, const struct event_result *);

/* Whether the event that comes next agrees with the dice: a chance outcome with the draw for it, drawn seats
 * with the draw of seats, the set-up and the result with the commitment. ERR_OK for everything that dice do
 * not decide, and for outcomes that the table was given; otherwise ERR_DICE_WRONG. Call it before
 * fold_event. Malformed events are ERR_MALFORMED. */
enum err fold_check_dice(const struct fold *, const struct event *, const struct digest *secret) MUST_CHECK;

#endif
