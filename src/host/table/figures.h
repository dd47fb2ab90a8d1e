/* What tables have seen so far, by game and protocol: plain counts that the loop's thread raises. A table
 * knows its row from the start, so that counting a move is one addition. Each node counts what it did itself.
 */
#ifndef HOST_TABLE_FIGURES_H
#define HOST_TABLE_FIGURES_H

#include "base/histogram.h"
#include "host/table/table.h"

enum {
    TABLE_FIGURES_MAX = 64, /* pairs of game and protocol; one more is counted with the last */
    TABLE_OUTCOMES = OUTCOME_UNDECIDED + 1,
};

struct table_figures {
    const char *game;
    char protocol[EVENT_NAME_BYTES_MAX + 1];
    uint64_t running; /* that are here now and not over */
    uint64_t opened, begun, moves;
    uint64_t ended[TABLE_OUTCOMES];
    struct histogram answers; /* from a request of a table until everybody is told that it is on disk */
};

/* All rows; borrowed. */
const struct table_figures *tables_figures(const struct tables *, size_t *count);

/* What players were refused, in whatever protocol they asked, by the word and rule of the refusal. One
 * account of the process, on the loop's thread. game: whose refusal it is; NULL: it is no game's. */
void refusals_count(const char *protocol, const struct game *, enum err why);

/* Shows all that were ever counted. */
struct refusal_figure {
    const char *protocol;
    const struct game *game; /* or NULL */
    enum err why;
    uint64_t count;
};
void refusals_each(void (*visit)(void *context, const struct refusal_figure *), void *context);

#endif
