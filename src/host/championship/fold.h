/* A championship is a fold over its journal, as a table is over its own (host/table/fold.h): events in,
 * standing out. Restart, verify, show and what is told of a standing all go through this one function. It
 * trusts nothing: every event is held against the chain of hashes and the order of events before it counts.
 */
#ifndef HOST_CHAMPIONSHIP_FOLD_H
#define HOST_CHAMPIONSHIP_FOLD_H

#include "host/championship/championship.h"
#include "store/event.h"

struct championship_fold {
    uint64_t id;                     /* of the journal */
    struct event_championship about; /* format is 0 before the first event */
    struct event_entrant *entrants;  /* owned; room for all */
    size_t entered;                  /* how many there are by now */
    struct championship *standing;   /* owned; NULL before all have entered */
    bool is_closed;
    struct event_close close;
    uint64_t last_seq;
    struct digest last_hash;
    const char *complaint; /* of the last event that was refused; or NULL */
};

void championship_fold_init(struct championship_fold *, uint64_t id);
void championship_fold_free(struct championship_fold *);

/* Takes the next event, or refuses it and stays as it was: ERR_CHAIN, ERR_EVENT_ORDER, ERR_MALFORMED,
 * ERR_RESULT_WRONG (it was closed as played and is not, or the other way round). */
enum err championship_fold_event(struct championship_fold *, const struct event *) MUST_CHECK;

/* The nick of an entrant, or "?" when there is no such entrant. */
const char *championship_fold_nick(const struct championship_fold *, uint32_t entrant);

#endif
