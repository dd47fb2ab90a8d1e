/* A cup is a fold over its journal, as a table is over its own (host/table/fold.h): events in, sheet out. A
 * live cup, restart, verify and show all go through this one function. It trusts nothing: every event is held
 * against the chain of hashes and the order of events before it counts. */
#ifndef HOST_CUP_FOLD_H
#define HOST_CUP_FOLD_H

#include "host/cup/format.h"
#include "store/event.h"

enum cup_state {
    CUP_OPEN = 1, /* for entrants */
    CUP_RUNNING,
    CUP_PAUSED, /* tables that run are played on, and no others begin */
    CUP_OVER,
    CUP_CANCELLED,
};

struct cup_entrant {
    struct event_cup_entrant about;
    bool is_disqualified;
    char why[EVENT_WHY_BYTES_MAX + 1]; /* of one who is gone; or "" */
};

/* What the sheet does not know of a pairing. */
struct cup_record {
    uint64_t table; /* 0: there is none */
    uint32_t replays;
    unsigned loser;             /* who forfeited; SEAT_WATCHER: nobody */
    int32_t results[SEATS_MAX]; /* of the table, as it gave them */
    bool has_stamps;            /* a forfeit was judged by these: */
    struct event_stamps stamps;
    const char *reason, *why, *rule, *sent; /* "": nothing is known; in the memory of texts */
    char *texts;                            /* owned; or NULL */
};

struct cup_fold {
    uint64_t id;
    struct event_cup about; /* format is 0 before the first event */
    const struct cup_format *format;
    enum cup_state phase;
    struct cup_sheet sheet;
    struct cup_entrant **entrants; /* owned, each by itself; as many as the sheet has */
    struct cup_record *records;    /* owned; as many as the sheet has pairings */
    int64_t created_ms, last_ms;
    uint64_t last_seq;
    struct digest last_hash;
    const char *complaint; /* of the last event that was refused; or NULL */
};

void cup_fold_init(struct cup_fold *, uint64_t id);
void cup_fold_free(struct cup_fold *);

/* Takes the next event, or refuses it and stays as it was: ERR_CHAIN, ERR_EVENT_ORDER, ERR_MALFORMED,
 * ERR_RESULT_WRONG (it was closed as played and is not). */
enum err cup_fold_event(struct cup_fold *, const struct event *) MUST_CHECK;

bool cup_fold_is_closed(const struct cup_fold *);
/* "open", "running", "paused", "finished", "cancelled". */
const char *cup_state_word(enum cup_state);
/* "undecided", "played", "forfeited", "walkover", "bye". */
const char *cup_how_word(enum cup_how);

/* The entrant of this name, or as many as there are. */
uint32_t cup_fold_named(const struct cup_fold *, struct span name);
/* The name of an entrant, or "?" when there is no such one. */
const char *cup_fold_name(const struct cup_fold *, uint32_t entrant);
/* The undecided pairing that is played at this table, or as many as there are. */
uint32_t cup_fold_at(const struct cup_fold *, uint64_t table);

/* Whether a pairing may be played again: it is no bye, and nothing was planned on what it came to. */
bool cup_fold_may_replay(const struct cup_fold *, uint32_t pairing);

/* All entrants, best first; gives sheet.entrant_count rows. */
struct cup_standing *cup_fold_standings(const struct cup_fold *);

#endif
