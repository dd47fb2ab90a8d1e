/* The events of a table and their bytes: what a journal is made of. docs/journal.md describes the format for
 * people; this file and event.c own it.
 *
 * Every event carries its place in the table's journal, the wall time when it happened and the hash of itself
 * and of all events before it:
 *
 *     hash(n) = BLAKE2b-256(hash(n-1), table id, n, time, kind, body)        hash(0) = 32 zero bytes
 *
 * so that a journal cannot be altered, cut in the middle or reordered unnoticed. */
#ifndef STORE_EVENT_H
#define STORE_EVENT_H

#include "base/buf.h"
#include "base/digest.h"
#include "game/game.h"

enum {
    EVENT_FORMAT = 1,           /* version of the bodies below; stands in every EVENT_SETUP */
    EVENT_NAME_BYTES_MAX = 200, /* 50 characters, whatever they are */
    EVENT_NOTE_BYTES_MAX = 640,
    EVENT_SEED_BYTES_MAX = 64,
    EVENT_RULE_BYTES_MAX = 40,
    EVENT_WHY_BYTES_MAX = 400,
    EVENT_SENT_BYTES_MAX = 4096,
    EVENT_CUP_SENT_BYTES_MAX = 400, /* of the same in the result of a pairing */
    EVENT_BODY_BYTES_MAX = 1024 * 1024,
    EVENT_ACTIONS_MAX = 512, /* of one request */
};

/* Numbers are part of the format: added, never changed. */
enum event_kind {
    EVENT_SETUP = 1, /* the game, its rules version, seats, options, policy, and the commitment to the dice */
    EVENT_SEAT = 2,  /* who sits where */
    EVENT_ACTION = 3,     /* what a seat did: the actions of one request, all or none */
    EVENT_CHANCE = 4,     /* what chance decided */
    EVENT_TIMEOUT = 5,    /* a seat let its time run out: it is given up */
    EVENT_FORFEIT = 6,    /* a seat was given up or broke the rules: it retires, or loses the table */
    EVENT_ATTENDANCE = 8, /* a seat is away or back, and the rules know what follows */
    EVENT_RESULT = 7,     /* how it ended, and the secret of the dice */
    /* A championship has a journal of its own, which begins with the first of these and has no others. */
    EVENT_CHAMPIONSHIP = 9, /* the game type, how many players, and its number */
    EVENT_ENTRANT = 10,     /* the next player, in the order of entering; all of them when it begins */
    EVENT_PAIR = 11,        /* how two of them parted */
    EVENT_WITHDRAWAL = 12,  /* one is gone for good */
    EVENT_CLOSE = 13,       /* it is over and everybody has been told */
    /* A championship at tables of this server, a cup, has a journal of another kind: the first of these, then
     * any of the others. */
    EVENT_CUP = 14,         /* its name, game, format, clock and owner */
    EVENT_CUP_ENTRANT = 15, /* the next entrant */
    EVENT_CUP_GONE = 16,    /* one is gone: withdrew, or was disqualified */
    EVENT_CUP_STATE = 17,   /* it begins, is paused, or goes on */
    EVENT_CUP_ROUND = 18,   /* who meets whom, and at which tables */
    EVENT_CUP_RESULT = 19,  /* how a pairing was decided */
    EVENT_CUP_REPLAY = 20,  /* a pairing is to be played again, at another table */
    EVENT_CUP_CLOSE = 21,   /* it is over, or was cancelled */
};

/* What stands in place of the protocol in the row of a championship, see store_table. */
#define EVENT_PROTOCOL_CHAMPIONSHIP "championship"

struct event {
    uint64_t seq; /* from 1 */
    int64_t time_ms;
    enum event_kind kind;
    struct span body; /* borrowed */
    struct digest hash;
};

/* Fills in event->hash from the fields before it and the hash of the event before (NULL: it is the first). */
void event_chain(struct event *, uint64_t table, const struct digest *before);

/* Whether the event comes next in its journal, after one of this number (0: it is the first) and hash. If
 * not, *complaint is what is wrong besides the hash, or NULL. */
bool event_is_next(const struct event *, uint64_t table, uint64_t last_seq, const struct digest *last_hash,
                   const char **complaint);

struct event_setup {
    uint32_t format;
    char game[EVENT_NAME_BYTES_MAX + 1];
    uint32_t rules_version;
    struct game_options options;
    bool violation_loses;
    bool
        has_given; /* it begins with what was played elsewhere, and with outcomes of chance that were given */
    bool waits_for_seats;     /* chance decides nothing while a seat is free, see dice_number */
    uint32_t turn_timeout_ms; /* 0: no clock */
    char protocol[EVENT_NAME_BYTES_MAX + 1]; /* through which it was opened: "ugs", "import" */
    struct digest commitment;                /* to the secret of the dice, see host/table/dice.h */
    char note[EVENT_NOTE_BYTES_MAX + 1];     /* what its protocol must know again after a restart, or "" */
    char
        house[EVENT_NOTE_BYTES_MAX + 1]; /* what whoever opened it for that protocol must know again, or "" */
};

struct event_seat {
    unsigned seat;
    bool is_drawn; /* by the dice of the table, see dice_seats; otherwise it was chosen */
    char name[EVENT_NAME_BYTES_MAX + 1]; /* "": the seat is free again, and has nothing else */
    bool has_token;
    struct digest token; /* the hash of the secret by which the player is known, when it has one */
    char note[EVENT_NOTE_BYTES_MAX + 1]; /* what its protocol must know again about the player, or "" */
    char seed[EVENT_SEED_BYTES_MAX + 1]; /* what the player adds to the dice, see host/table/dice.h, or "" */
    bool has_home;
    struct digest home; /* a keyed hash of where the player came from, when it may come back by its name */
};

struct event_action {
    unsigned seat; /* SEAT_CHANCE for EVENT_CHANCE */
    bool is_given; /* an outcome of chance that the table was given when it was opened, not drawn */
    struct action actions[EVENT_ACTIONS_MAX];
    size_t action_count;
    /* At a table with a clock for the whole game: what the seat is charged for it, and whether its turn is
     * over then. */
    bool has_time, ends_turn;
    uint32_t used_ms;
};

enum event_reason { REASON_LEFT = 1, REASON_VIOLATION = 2, REASON_RESIGNED = 3 };

/* What a loss was judged by. Times of the journal's clock. */
struct event_stamps {
    int64_t asked_ms;    /* the seat was asked to act; of one that was not, when anything happened last */
    int64_t heard_ms;    /* what its player sent arrived, or its time was over */
    uint32_t used_ms;    /* of its time, without what the server delayed */
    uint32_t allowed_ms; /* what it had of it when it was asked; 0: no clock */
};

struct event_forfeit { /* and EVENT_TIMEOUT, whose reason is 0 */
    unsigned seat;
    enum event_reason reason;
    /* When there is more to say; otherwise all of it is "". Without stamps only of REASON_VIOLATION. */
    char why[EVENT_WHY_BYTES_MAX + 1];   /* a sentence; without it there is neither rule nor text */
    char rule[EVENT_RULE_BYTES_MAX + 1]; /* that was broken, "paper-soccer R4", "clocks C1", or "" */
    char sent[EVENT_SENT_BYTES_MAX + 1]; /* what the player sent, or "" */
    bool has_stamps;                     /* older journals have none */
    struct event_stamps stamps;
};

struct event_attendance {
    unsigned seat;
    enum attendance attendance; /* SEAT_AWAY or SEAT_BACK */
};

enum event_outcome { OUTCOME_PLAYED = 1, OUTCOME_FORFEITED = 2, OUTCOME_UNDECIDED = 3 };

struct event_result {
    enum event_outcome outcome;
    bool all_others_win; /* a forfeit of before the rules were asked who wins by it */
    uint32_t seat_count;
    int32_t points[SEATS_MAX];
    struct digest secret;
};

/* The numbers of entrants count from 0, in the order of their events. */
enum { EVENT_ENTRANTS_MAX = 1024 };

struct event_championship {
    uint32_t format;
    uint64_t number;   /* in its name, "paper-soccer#7"; 0: it was that of a whole server */
    uint32_t entrants; /* how many it is for */
    char type[EVENT_NAME_BYTES_MAX + 1];
};

struct event_entrant {
    char nick[EVENT_NAME_BYTES_MAX + 1];
    bool has_home;
    struct digest home; /* as of a seat */
};

struct event_pair {
    uint32_t a, b; /* a is less than b */
    bool a_won, a_lost, b_won, b_lost;
};

struct event_withdrawal {
    uint32_t entrant;
};

struct event_close {
    enum event_outcome outcome; /* OUTCOME_PLAYED: every pair is decided; OUTCOME_UNDECIDED: not all are */
};

/* Of cups. Entrants and pairings are numbers from 0, in the order of their events. */
enum { EVENT_CUP_ENTRANTS_MAX = 256, EVENT_CUP_PAIRINGS_MAX = 8192, EVENT_CUP_ROUND_MAX = 129 };

struct event_cup {
    uint32_t format; /* of these bodies */
    char name[EVENT_NAME_BYTES_MAX + 1];
    char game[EVENT_NAME_BYTES_MAX + 1];
    char protocol[EVENT_NAME_BYTES_MAX + 1]; /* whose tables they are: "api" */
    uint32_t number;                         /* of the format of the cup (host/cup/format.h) */
    struct game_options options;             /* for tables with all seats */
    uint32_t rounds;                         /* 0: as many as the format has */
    uint32_t turn_ms, game_ms, increment_ms; /* the clocks of its tables; 0: no such one */
    uint32_t tables_max;                     /* that are played at the same time */
    struct digest owner;                     /* the hash of the owner's token */
};

struct event_cup_entrant {
    char name[EVENT_NAME_BYTES_MAX + 1];
    uint32_t bot_level;  /* 0: it is no bot of this server */
    bool is_client;      /* comes to its tables by itself, in the protocol of the cup */
    struct digest token; /* the hash of the entrant's token; zero of a bot */
};

struct event_cup_gone {
    uint32_t entrant;
    bool is_disqualified;
    char why[EVENT_WHY_BYTES_MAX + 1]; /* or "" */
};

enum event_cup_step { CUP_STEP_BEGIN = 1, CUP_STEP_PAUSE = 2, CUP_STEP_RESUME = 3 };

struct event_cup_pairing {
    uint32_t round; /* from 1 */
    uint32_t count; /* of entrants; 1: a bye, which has no table */
    uint32_t entrant[SEATS_MAX];
    uint64_t table;
};

struct event_cup_round {
    uint32_t count;
    struct event_cup_pairing pairings[EVENT_CUP_ROUND_MAX];
};

struct event_cup_result {
    uint32_t pairing;
    uint32_t how; /* of the sheet (host/cup/sheet.h): played, forfeited, walkover */
    uint32_t seat_count;
    int32_t results[SEATS_MAX];            /* of the table */
    unsigned loser;                        /* who forfeited; SEAT_WATCHER: nobody */
    char reason[EVENT_RULE_BYTES_MAX + 1]; /* "time-out", "left", or "" */
    char why[EVENT_WHY_BYTES_MAX + 1];     /* a sentence about it, or "" */
    /* What it was judged by, as the forfeit of the table has it. Older journals, and pairings without such a
     * forfeit, have no stamps, and then neither rule nor text. */
    bool has_stamps;
    struct event_stamps stamps;
    char rule[EVENT_RULE_BYTES_MAX + 1];
    char sent[EVENT_CUP_SENT_BYTES_MAX + 1]; /* how that began */
};

struct event_cup_replay {
    uint32_t pairing;
    uint64_t table;
};

/* Whether this can be a seed: 1 to EVENT_SEED_BYTES_MAX bytes of UTF-8 without control characters. */
bool event_seed_fits(struct span seed);

/* Bodies to bytes; appended to out. Names, notes and seeds must fit and be UTF-8. */
void event_setup_write(struct buf *out, const struct event_setup *);
void event_seat_write(struct buf *out, const struct event_seat *);
void event_action_write(struct buf *out, unsigned seat, const struct action *actions, size_t count);
/* The same with what the seat is charged for it. */
void event_timed_write(struct buf *out, unsigned seat, const struct action *actions, size_t count,
                       uint32_t used_ms, bool ends_turn);
void event_given_write(struct buf *out, const struct action *actions, size_t count); /* is_given */
void event_forfeit_write(struct buf *out, const struct event_forfeit *);
void event_attendance_write(struct buf *out, const struct event_attendance *);
void event_result_write(struct buf *out, const struct event_result *);
void event_championship_write(struct buf *out, const struct event_championship *);
void event_entrant_write(struct buf *out, const struct event_entrant *);
void event_pair_write(struct buf *out, const struct event_pair *);
void event_withdrawal_write(struct buf *out, const struct event_withdrawal *);
void event_close_write(struct buf *out, const struct event_close *);
void event_cup_write(struct buf *out, const struct event_cup *);
void event_cup_entrant_write(struct buf *out, const struct event_cup_entrant *);
void event_cup_gone_write(struct buf *out, const struct event_cup_gone *);
void event_cup_state_write(struct buf *out, enum event_cup_step);
void event_cup_round_write(struct buf *out, const struct event_cup_round *);
void event_cup_result_write(struct buf *out, const struct event_cup_result *);
void event_cup_replay_write(struct buf *out, const struct event_cup_replay *);

/* Bytes to bodies. Take any bytes; ERR_MALFORMED when they are not exactly such a body. */
enum err event_setup_read(struct span body, struct event_setup *) MUST_CHECK;
enum err event_seat_read(struct span body, struct event_seat *) MUST_CHECK;
enum err event_action_read(struct span body, struct event_action *) MUST_CHECK;
enum err event_forfeit_read(struct span body, struct event_forfeit *) MUST_CHECK;
enum err event_attendance_read(struct span body, struct event_attendance *) MUST_CHECK;
enum err event_result_read(struct span body, struct event_result *) MUST_CHECK;
enum err event_championship_read(struct span body, struct event_championship *) MUST_CHECK;
enum err event_entrant_read(struct span body, struct event_entrant *) MUST_CHECK;
enum err event_pair_read(struct span body, struct event_pair *) MUST_CHECK;
enum err event_withdrawal_read(struct span body, struct event_withdrawal *) MUST_CHECK;
enum err event_close_read(struct span body, struct event_close *) MUST_CHECK; /* and EVENT_CUP_CLOSE */
enum err event_cup_read(struct span body, struct event_cup *) MUST_CHECK;
enum err event_cup_entrant_read(struct span body, struct event_cup_entrant *) MUST_CHECK;
enum err event_cup_gone_read(struct span body, struct event_cup_gone *) MUST_CHECK;
enum err event_cup_state_read(struct span body, enum event_cup_step *) MUST_CHECK;
enum err event_cup_round_read(struct span body, struct event_cup_round *) MUST_CHECK;
enum err event_cup_result_read(struct span body, struct event_cup_result *) MUST_CHECK;
enum err event_cup_replay_read(struct span body, struct event_cup_replay *) MUST_CHECK;

/* A number as it stands in bodies. Reading takes it off the front; false when there is none. */
void event_number_write(struct buf *out, uint64_t value);
bool event_number_read(struct span *rest, uint64_t *out);

/* The body of an EVENT_CHANCE that is not empty, as that of a table that was given the outcome. */
void event_body_give(struct buf *out, struct span body);

/* True for the kinds with which a journal begins, and for those with which it ends. */
bool event_begins(enum event_kind);
bool event_ends(enum event_kind);

/* What the row of a journal says, by its first event: the game (of a championship its type) and the protocol.
 * Both are "" when the event cannot be read. */
void event_row(const struct event *first, char game[EVENT_NAME_BYTES_MAX + 1],
               char protocol[EVENT_NAME_BYTES_MAX + 1]);

/* True when the event is an attendance, forfeit or time-out that can be read: whose, and which. */
bool event_attends(const struct event *, unsigned *seat, enum attendance *);

/* "setup", "seat", ...; "?" for a number that is no kind. */
const char *event_kind_word(unsigned kind);

/* A table's id as people write it and back: up to ten letters and digits without those that look alike
 * (Crockford base 32, 50 bits), without leading zeros. Parsing takes lower case too. Tables of protocols that
 * count their games have codes of digits only, so that the number on the wire is the code. */
enum { TABLE_CODE_CHARS = 10 };
#define TABLE_ID_BITS 50
void table_code_format(uint64_t table, char code[TABLE_CODE_CHARS + 1]);
bool table_code_parse(struct span code, uint64_t *out);

#endif
