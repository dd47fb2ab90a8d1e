/* A table that goes on from a position of another one begins with what was played there. Its journal has
 * these events like any others, each with its number, its time and its hash. But nobody pays for them twice:
 * the store keeps one row in their place, which names the other journal, and makes them from it whenever they
 * are read. This file owns that row and how events come out of it; every engine shows its rows through it.
 *
 * The row stands where the last of these events would, with its number, time and hash, so that whoever reads
 * from some number on comes across it exactly when it is needed. Its body:
 *
 *     varint table, varint version: the journal up to that event; varint depth: 1 when that journal has no
 *     such row itself, otherwise one more than there; 32 bytes: the hash of the event before the first
 *
 * The events are those of the other journal without its set-up and its seats; what chance decided there was
 * given here. All follow the set-up, and happened when it did. Their hashes follow from that; the last one is
 * that of the row, so a change of the other journal breaks the chain of this one, too. */
#ifndef STORE_ORIGIN_H
#define STORE_ORIGIN_H

#include "store/pending.h"

enum {
    ORIGIN_ROW_KIND = 128, /* in place of the kind of an event */
    ORIGIN_BODY_BYTES_MAX = 3 * 10 + DIGEST_BYTES,
};

/* What stands in the row. */
struct origin_row {
    uint64_t table, version;
    uint32_t depth;
    struct digest before;
};

void origin_row_write(struct buf *out, const struct origin_row *);
enum err origin_row_read(struct span body, struct origin_row *) MUST_CHECK;

/* The row of an append that has an origin; its body is written to out. */
struct event origin_row_of(const struct pending *, struct buf *out);

/* Shows the rows of a table as an engine keeps them, from a number on. */
typedef enum err origin_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *,
                             void *context);

/* Stands between rows and whoever wants events. */
struct origin_filter {
    origin_rows *rows;
    void *engine;
    uint64_t from_seq; /* those before it are not shown */
    store_visit_event *visit;
    void *context;
    unsigned depth;  /* 0, but for what is read on behalf of another filter */
    enum err result; /* ERR_DAMAGED when the other journal is not what it was, or as that is read */
};

/* A visitor of rows; context is the struct origin_filter. */
bool origin_filter_take(void *context, uint64_t table, const struct event *row);

/* Reads rows through a filter. */
enum err origin_read(origin_rows *, void *engine, uint64_t table, uint64_t from_seq, store_visit_event *,
                     void *context) MUST_CHECK;

/* What store_origin says, by the row. ERR_DAMAGED when it is none. */
enum err origin_of_row(const struct event *row, struct store_origin *out) MUST_CHECK;

#endif
