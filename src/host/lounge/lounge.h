/* The lounge: tables as the native API knows them. It opens tables of its own, lets people take seats by
 * token at any table that is open, through whatever protocol it was opened, lets them act, resign, leave and
 * ask for a rematch, and moves the bots. No sockets and no words of a wire: a request has a ticket, and every
 * ticket gets exactly one answer, at once or when what it asked for is on disk.
 *
 * Tables of its own carry what must be known again after a restart in the note of their set-up
 * (note.h); tokens stand in the journal as hashes. So players, owners and bots go on after a restart.
 */
#ifndef HOST_LOUNGE_LOUNGE_H
#define HOST_LOUNGE_LOUNGE_H

#include "host/table/snapshot.h"
#include "host/thinker.h"
#include "host/token.h"

enum {
    LOUNGE_NAME_CHARS_MAX = 50,
    LOUNGE_KEY_CHARS_MIN = 16, /* of the name that a client gives to a request that it may repeat */
    LOUNGE_KEY_CHARS_MAX = 64,
    LOUNGE_REQUESTS_MAX = 32, /* of one table that wait for their turn */
    LOUNGE_STEPS_MAX = 10000, /* that a table can begin with */
    LOUNGE_TURN_MS_MIN = 1000,
    LOUNGE_TURN_MS_MAX = 24 * 60 * 60 * 1000,
    LOUNGE_BOT_PARTS = 30, /* of the time that a bot has left for its game, it takes one for a decision */
    LOUNGE_WATCH_DELAY_MS_MAX = 24 * 60 * 60 * 1000,
    /* So long after its last request a player who does not listen counts as there: while the table waits for
       players, and once all have come, because whoever thinks does not ask. */
    LOUNGE_SEEN_WAITING_MS = 60 * 1000,
    LOUNGE_SEEN_MS = 30 * 60 * 1000,
};

struct lounge_config {
    struct tables *tables;   /* borrowed */
    struct history *history; /* borrowed */
    struct thinker *thinker; /* borrowed */
    uint32_t tables_max;     /* of its own that are not over */
    uint32_t idle_ms;        /* after so long without any change a table of its own is given up */
    uint32_t wait_ms;        /* the same of one that waits for players and has nobody online */
    uint32_t linger_ms;      /* so long a finished one is kept at hand */
    uint32_t linger_max;     /* so many of them at most */
    uint32_t watch_delay_ms; /* of tables of other protocols that were not ordered with another one */
    uint32_t claim_ms;       /* so long a player must be away before the others may claim its seat */
    uint32_t absent_level;   /* of the bots that play on for who is gone, at tables of its own that were not
                                ordered with another one; 0: none does */
    uint32_t absent_ms;      /* so long a player must be away before such a bot does */
};

struct lounge_config lounge_config_default(void);

/* Borrowed for the length of the call. */
struct lounge_answer {
    enum err why;            /* ERR_OK: it is done */
    const struct game *game; /* of the table, which words its own refusals; NULL: there is none */
    const char *reason;      /* more about that than the error says, or NULL */
    size_t index;            /* which of the actions was refused */
    bool has_index;
    uint64_t table;          /* 0: there is none */
    uint64_t version;        /* of the table now */
    unsigned seat;           /* that was taken; SEAT_WATCHER: none */
    const char *token;       /* of that seat, or NULL */
    const char *owner_token; /* of a table that was opened, or NULL */
    bool is_freed;           /* who left or resigned had not lost anything: the table waited for players */
};

struct lounge_output {
    void *context;
    /* The answer for a ticket. May make another request. */
    void (*answer)(void *context, void *ticket, const struct lounge_answer *);
    /* A table is in the list of open and running public tables: new, or with other players, or in another
     * state; or it is not in it any more. */
    void (*listed)(void *context, struct table *);
    void (*unlisted)(void *context, uint64_t table);
    /* Something besides what tables tell themselves: there is a rematch. */
    void (*changed)(void *context, uint64_t table);
};

struct lounge;

/* Gives. Takes over the tables that are there, and listens to all tables. */
struct lounge *lounge_create(const struct lounge_config *, const struct lounge_output *);
/* Answers all tickets (ERR_CLOSED). Tables and journals stay. */
void lounge_free(struct lounge *);

/* Bots do nothing more. */
void lounge_stop(struct lounge *);

uint64_t lounge_next_ms(const struct lounge *);
void lounge_advance(struct lounge *, uint64_t now_ms);

/* A table to be opened. */
struct lounge_order {
    const struct game *game;
    struct game_options options;
    const struct table_door *door; /* of the protocol that is to own it; NULL: the lounge */
    bool is_private, is_inspected;
    struct lounge_clocks clocks;  /* each 0, or from LOUNGE_TURN_MS_MIN (an increment: from 1) to
                                     LOUNGE_TURN_MS_MAX; only without a door */
    bool has_watch_delay;         /* otherwise it is that of its kind, see lounge_watch_delay_ms */
    uint32_t watch_delay_ms;      /* at most LOUNGE_WATCH_DELAY_MS_MAX */
    bool has_absent;              /* otherwise it is as the config says, see lounge_absent_level */
    uint8_t absent_level;         /* 0, or from BOT_LEVEL_MIN to BOT_LEVEL_MAX; only without a door */
    uint8_t bot_level[SEATS_MAX]; /* 0: none sits there */
    bool wants_seat;              /* somebody sits down at once: */
    struct span name;
    struct span seed;    /* for the dice; may be empty */
    unsigned seat;       /* SEAT_WATCHER: the first that is free */
    uint64_t from_table; /* begins with what was played there up to from_version; 0: from the start */
    uint64_t from_version;
    struct address opener; /* see tables_may_open */
    struct address origin; /* where it comes from, limited or not */
    struct span key;       /* see below; empty: none */
    uint64_t body;         /* a mark of all that the request said */
};

/* The id under which a request with this key opens its table, unless that is taken: so the same request at
 * two nodes is the same table. */
uint64_t lounge_key_table(struct span key);

/* Requests that give somebody a token may have a key: a secret of the client, from LOUNGE_KEY_CHARS_MIN to
 * LOUNGE_KEY_CHARS_MAX characters, by which the same request is known again. Tokens then follow from the key,
 * so that whoever asks again, because the answer was lost, is given the same seat and the same tokens, as
 * long as the table is at hand, after a restart too, and while the first is still being saved. Another
 * request with the key is refused: ERR_KEY_REUSED. */

/* Refused: what table_open refuses, ERR_TOO_MANY, ERR_ADDRESS_FULL, ERR_TABLE_RUNS (what is to be played
 * again is not over, so that its secrets still are some), ERR_FROM_IMPOSSIBLE (no such version, another game,
 * the game is over there, or a player had left or been away), and what lounge_sit refuses. What chance has
 * decided up to there counts; what it decides later is drawn anew. */
void lounge_open(struct lounge *, const struct lounge_order *, void *ticket, uint64_t now_ms);

/* A table of a cup: its seats are kept for entrants, whom the lounge asks for one after the other and seats
 * itself. */
struct lounge_cup_order {
    const struct game *game;
    struct game_options options;
    const struct table_door *door; /* of the protocol whose clients come; NULL: the lounge's own */
    struct lounge_clocks clocks;
    uint64_t cup;   /* the id of its journal */
    uint64_t table; /* the id that the table is to have */
};
/* Refused: what table_open refuses, ERR_TOO_MANY, ERR_BUSY (the id is taken, or may be). */
enum err lounge_open_cup(struct lounge *, const struct lounge_cup_order *, uint64_t now_ms) MUST_CHECK;

/* Who knows the entrants: fills in the guest of a seat, borrowed until the next call. False: nobody is to sit
 * there (yet). */
struct lounge_steward {
    void *context;
    bool (*guest)(void *context, uint64_t cup, uint64_t table, unsigned seat, struct table_guest *out);
};
void lounge_set_steward(struct lounge *, const struct lounge_steward *);
/* The steward knows more now: the seats of this table that are free are asked for again. */
void lounge_seat_entrants(struct lounge *, uint64_t table, uint64_t now_ms);

/* Somebody takes a seat (SEAT_WATCHER: the first that is free). Refused: ERR_TABLE_UNKNOWN, ERR_TABLE_OVER,
 * ERR_TABLE_FULL, ERR_SEAT_TAKEN, ERR_FIELD_INVALID (no such seat; a seed that is none, see event_seed_fits),
 * ERR_FIELD_MISSING (no name), ERR_BUSY. The seed may be empty: the player brings none. */
void lounge_sit(struct lounge *, uint64_t table, unsigned seat, struct span name, struct span seed,
                struct span key, void *ticket, uint64_t now_ms);
/* The same for a bot of ours. */
void lounge_sit_bot(struct lounge *, uint64_t table, unsigned seat, unsigned level, void *ticket,
                    uint64_t now_ms);

/* Why a seat cannot do anything any more at a table: ERR_GIVEN_UP, ERR_TABLE_OVER, ERR_TABLE_UNKNOWN; or
 * ERR_OK. */
enum err lounge_may_act(struct lounge *, uint64_t table, unsigned seat) MUST_CHECK;

/* The actions of a seat in words, all or none. version: what the player has seen, or LOUNGE_ANY_VERSION.
 * Refused: ERR_TABLE_UNKNOWN, ERR_GIVEN_UP, ERR_CONFLICT, ERR_TABLE_WAITS, ERR_BUSY, and what table_act
 * refuses. */
#define LOUNGE_ANY_VERSION UINT64_MAX
void lounge_act(struct lounge *, uint64_t table, unsigned seat, uint64_t version, const struct span *texts,
                size_t count, void *ticket, uint64_t now_ms);

/* The seat is given up. At a table that waits for players it is only free again, whichever of the two is
 * asked; a table of the lounge ends without a result when who opened it with a seat goes and is the last
 * person there. */
void lounge_resign(struct lounge *, uint64_t table, unsigned seat, void *ticket, uint64_t now_ms);
void lounge_leave(struct lounge *, uint64_t table, unsigned seat, void *ticket, uint64_t now_ms);

/* At a table of the lounge the player of the seat claimed has been away for config.claim_ms and is waited
 * for: another player gives that seat up for it, as lounge_leave would, or with a level lets a bot play on
 * for it until it is back. Refused: ERR_FIELD_INVALID (no such seat, or one's own), ERR_TABLE_WAITS,
 * ERR_TABLE_OVER, ERR_GIVEN_UP, ERR_CLAIM_IMPOSSIBLE (a table of another protocol, a bot, who has gone for
 * good), ERR_CLAIM_EARLY (online, not away for long enough, or not on turn). */
void lounge_claim(struct lounge *, uint64_t table, unsigned seat, unsigned claimed, unsigned bot_level,
                  void *ticket, uint64_t now_ms);

/* A seat of a table of the lounge that runs, whose player is gone. */
struct lounge_absence {
    uint64_t left_ms;   /* until it may be claimed */
    unsigned bot_level; /* of the bot that plays on for it; 0: none does */
};
/* False: it is not. */
bool lounge_absent(struct lounge *, uint64_t table, unsigned seat, struct lounge_absence *, uint64_t now_ms);

/* The level of the bots that play on, by themselves, for players who have been away for config.absent_ms
 * while another person is there; until they are back. 0: none does. Also of a table that is over. */
unsigned lounge_absent_level(const struct lounge *, const struct snapshot *);

/* The player of a seat of a table that is over wants to play again. Refused: ERR_TABLE_RUNS,
 * ERR_REMATCH_IMPOSSIBLE, ERR_TOO_MANY, ERR_ADDRESS_FULL, ERR_SEAT_TAKEN (it is there already),
 * ERR_FIELD_INVALID (a seed that is none; it may be empty). */
void lounge_rematch(struct lounge *, const struct snapshot *before, unsigned seat, struct span seed,
                    const struct address *opener, struct span key, void *ticket, uint64_t now_ms);
/* The table where it goes on; 0: there is none. */
uint64_t lounge_rematch_of(const struct lounge *, uint64_t table);

/* Whether this is the owner's token of a table. Only the table is asked, not the journal. */
bool lounge_is_owner(const struct lounge *, const struct snapshot *, const struct digest *token);
/* Whether somebody from there is the owner, as far as that shows. */
bool lounge_is_owners(const struct lounge *, uint64_t table, const struct address *origin);
/* Whether a table is hidden from lists; whether its messages are recorded. */
bool lounge_is_private(const struct lounge *, const struct table *);
bool lounge_is_inspected(const struct lounge *, const struct table *);

/* So much later those who have no seat at a table that runs see what is played there: as it was ordered, or
 * what is usual for tables of other protocols, or 0. Who sits there is no secret. */
uint32_t lounge_watch_delay_ms(const struct lounge *, const struct snapshot *);

/* The player of a seat has been heard of; and somebody listens as that seat, or no more. */
void lounge_seen(struct lounge *, uint64_t table, unsigned seat, uint64_t now_ms);
void lounge_attach(struct lounge *, uint64_t table, unsigned seat, bool is_attached, uint64_t now_ms);

/* Open and running public tables, newest first. visit returns false to stop. */
void lounge_list(const struct lounge *, bool (*visit)(void *context, struct table *), void *context);

size_t lounge_table_count(const struct lounge *);

#endif
