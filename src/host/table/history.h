/* Where tables have been: any version of any table, running or finished, by folding its journal up to there.
 * The last fold of each of the tables that were asked for lately is kept, so that going on from it costs only
 * what has been added. Separate from table.h, which knows only the present. */
#ifndef HOST_TABLE_HISTORY_H
#define HOST_TABLE_HISTORY_H

#include "host/table/fold.h"
#include "host/table/record.h"
#include "store/store.h"

enum {
    HISTORY_TABLES_MAX = 1024,     /* whose last fold is kept */
    HISTORY_TAIL_EVENTS_MAX = 128, /* of one table, that were told and are kept */
};

struct history;

/* Gives. The store is borrowed. */
struct history *history_create(struct store *);
void history_free(struct history *);

#define HISTORY_LAST UINT64_MAX

/* The table as it was after so many events, or after all of them (HISTORY_LAST). NULL when there is no such
 * table or version, or its journal cannot be read or does not fold; history_error says which. Borrowed until
 * the next call. Reads the store at once, where what was told is not enough. */
const struct fold *history_at(struct history *, uint64_t table, uint64_t version);

/* Why the last call gave nothing: ERR_IO when the store could not be read, ERR_CHAIN when the journal does
 * not fold, ERR_OK when there is no such thing. */
enum err history_error(const struct history *);

/* An event that has just happened at a table: the newest are kept, so that they need not be read again. May
 * be left out at any time. */
void history_tell(struct history *, uint64_t table, const struct event *);

/* The table as it was at a time by the clock of the journal: before the first event that is younger, but
 * after the set-up at least. newest is the table's version now. *next_ms is when that event was, INT64_MAX:
 * there is none. Otherwise as history_at. What a history has shown of a table this does not take back, so a
 * history that is asked nothing else only ever goes on. */
const struct fold *history_until(struct history *, uint64_t table, uint64_t newest, int64_t wall_ms,
                                 int64_t *next_ms);

/* Whether the table is over by now, whatever version was asked for last. */
bool history_is_finished(struct history *, uint64_t table);

/* Shows the events from one version to another (both included, HISTORY_LAST: as far as there are any), each
 * with the truth before it. visit returns false to stop. Returns the version of the last one that was shown,
 * 0 when there was none. */
uint64_t history_read(struct history *, uint64_t table, uint64_t from, uint64_t to,
                      bool (*visit)(void *context, const struct record *), void *context);

#endif
