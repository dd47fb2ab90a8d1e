/* Where tables have been: any version of any table, running or finished, by folding its journal up to there.
 * The last fold of each of the tables that were asked for lately is kept, and as much of their journals as
 * there is room for, so that going on from there, or back, costs no reading. Separate from table.h, which
 * knows only the present.
 *
 * Nothing here waits for the store. What is not at hand is lacking: the call gives nothing, history_error is
 * ERR_LATER, and whoever asked waits for it (history_wait) and asks again from the beginning. */
#ifndef HOST_TABLE_HISTORY_H
#define HOST_TABLE_HISTORY_H

#include "host/table/fold.h"
#include "host/table/record.h"
#include "store/store.h"

enum {
    HISTORY_TABLES_MAX = 1024,            /* whose last fold is kept, besides those that somebody waits for */
    HISTORY_BYTES_MAX = 16 * 1024 * 1024, /* of journals that are kept */
    HISTORY_LACKS_MAX = 256,              /* tables that one asker waits for at a time */
    HISTORY_AGAIN_MS = 100, /* after so long somebody looks again for what was written while it was read */
};

struct history;

/* Gives. The store is borrowed. */
struct history *history_create(struct store *);
/* Nobody who waits is told any more; the store delivers nothing after it. */
void history_free(struct history *);

#define HISTORY_LAST UINT64_MAX

/* The table as it was after so many events, or after all of them (HISTORY_LAST). NULL when there is no such
 * table or version, or it is lacking, or its journal cannot be read or does not fold; history_error says
 * which. Borrowed until the next call. */
const struct fold *history_at(struct history *, uint64_t table, uint64_t version);

/* Why the last call gave nothing: ERR_LATER when it is lacking, ERR_IO when the store could not be read,
 * ERR_CHAIN when the journal does not fold, ERR_OK when there is no such thing. */
enum err history_error(const struct history *);

/* An event that has just happened at a table: it is kept, so that it need not be read again. May be left out
 * at any time. */
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
 * with the truth before it; all of them or, when some are lacking, none. visit returns false to stop. Returns
 * the version of the last one that was shown, 0 when there was none. */
uint64_t history_read(struct history *, uint64_t table, uint64_t from, uint64_t to,
                      bool (*visit)(void *context, const struct record *), void *context);

/* ERR_OK when history_read has these events at hand; otherwise as history_error. */
enum err history_has(struct history *, uint64_t table, uint64_t from, uint64_t to) MUST_CHECK;

/* To which journal that of a table refers, see store_origin; otherwise as history_error. */
enum err history_origin(struct history *, uint64_t table, struct store_origin *out) MUST_CHECK;

/* Whether anything was lacking since history_begin. */
bool history_lacks(const struct history *);
void history_begin(struct history *);

/* Waits for what was lacking since then, which must be something: come is called once, by store_drain, when
 * all of it is at hand or cannot be had. While come runs nothing of that is lacking: what a journal has then
 * is all there is. */
struct history_wait;
struct history_wait *history_wait(struct history *, void (*come)(void *context), void *context);
/* Nobody wants to know any more; not from come. */
void history_wait_forget(struct history_wait *);

#endif
