/* What the commands that look at journals share: one table's journal in memory, and events in words. */
#ifndef CLI_JOURNAL_TOOL_H
#define CLI_JOURNAL_TOOL_H

#include "host/championship/fold.h"
#include "host/cup/fold.h"
#include "host/table/fold.h"
#include "store/store.h"

#include <stdio.h>

/* The journal of one table; bodies owned. */
struct record {
    uint64_t table;
    char code[TABLE_CODE_CHARS + 1];
    struct event *events;
    size_t event_count, event_capacity;
};

enum err record_read(struct record *, struct store *, uint64_t table) MUST_CHECK;
void record_free(struct record *);

/* A table by its code; says what is wrong on standard error: no code, or no such table. record_free in any
 * case. */
bool record_find(struct record *, struct store *, const char *code);

/* True when the last event is a result, which it gives. */
bool record_result(const struct record *, struct event_result *out);

/* True when it is not that of a table. */
bool record_is_championship(const struct record *);

/* The rows of the tables of a store, oldest first; their texts are not kept. */
struct rows {
    struct store_table *list;
    size_t count, capacity;
};

enum err rows_read(struct rows *, struct store *) MUST_CHECK;
void rows_free(struct rows *);

/* Says how far something is that goes through them, when standard error is a terminal. */
void rows_progress(const struct rows *, size_t done);
void rows_progress_end(const struct rows *);

enum { TIME_TEXT_BYTES = 40 };

/* "2026-11-15 20:15:00.123Z". */
void time_text(int64_t wall_ms, char text[TIME_TEXT_BYTES]);

/* A name as a terminal may show it: control characters become question marks. */
void name_text(const char *name, char text[EVENT_NAME_BYTES_MAX + 1]);

/* The event in words, without its time and number, for a viewer who may know everything or only what a
 * watcher may. fold stands before the event. */
void event_words(const struct fold *, const struct event *, bool knows_all, struct buf *out);

/* The fold of a journal, whichever it is: of a table or of a championship of either kind. */
struct story {
    bool is_championship; /* of the Universal Game System */
    bool is_cup;          /* of any game */
    struct fold table;
    struct championship_fold championship;
    struct cup_fold cup;
};

void story_begin(struct story *, const struct record *);
void story_end(struct story *);
enum err story_take(struct story *, const struct event *) MUST_CHECK;
/* More about the last event that was refused, or NULL. */
const char *story_complaint(const struct story *);
/* As event_words, for both. */
void story_words(const struct story *, const struct event *, bool knows_all, struct buf *out);
/* How a championship stands: "running: ann 2:0, bob 1:1; 3 games to play"; "spring, swiss: running; ann 2,
 * bob 1.5". */
void standing_words(const struct championship_fold *, struct buf *out);
void cup_standing_words(const struct cup_fold *, struct buf *out);
/* The event of a cup, as event_words; false when it cannot be read. */
bool cup_words(const struct cup_fold *, const struct event *, struct buf *out);
/* The number of the last event that was taken of a championship, and whether it is over. */
uint64_t story_last_seq(const struct story *);
bool story_is_closed(const struct story *);

/* ", sent N, asked ..., heard ..., used 4 s of 5 s": what a loss was judged by; NULL: no stamps. */
void journal_cause_words(const char *sent, const struct event_stamps *, struct buf *out);

/* "ann 1, bob 0", or the seats' numbers where nobody sat. */
void points_words(const struct game *, const struct event_result *,
                  char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1], struct buf *out);

/* The subcommands that have a file of their own. They return the exit status. */
int journal_show(struct store *, const char *code, bool knows_all);
int journal_export(struct store *, const char *code, const char *output, bool is_replay);
int journal_verify(struct store *, const char *code);
/* store is sqlite, in data, or the URL of a database. */
int journal_import(const char *data, const char *store, const char *file, bool accepts_loss);
/* From one store to another, each sqlite:DIR, DIR, or the URL of a database. */
int journal_copy(const char *from, const char *to, bool accepts_loss);
int journal_repair(const char *data, const char *output); /* output NULL: beside the damaged file */

#endif
