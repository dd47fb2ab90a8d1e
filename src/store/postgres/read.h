/* What is read from a journal in PostgreSQL. Results are read whole, page by page, so that a visitor may read
 * again through the same link. ERR_IO when the database does not answer in time or says no; ERR_DAMAGED when
 * it says that its data are damaged. */
#ifndef STORE_POSTGRES_READ_H
#define STORE_POSTGRES_READ_H

#include "store/pending.h"
#include "store/postgres/link.h"

/* Rows as they stand there, for store/origin.h; engine is a struct read_from. */
struct read_from {
    struct link *link;
    unsigned timeout_ms;
};
enum err read_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *,
                   void *context) MUST_CHECK;

enum err read_events(struct link *, uint64_t table, uint64_t from_seq, unsigned timeout_ms,
                     store_visit_event *, void *context) MUST_CHECK;
enum err read_running(struct link *, unsigned timeout_ms, store_visit_event *, void *context) MUST_CHECK;
enum err read_list(struct link *, enum store_filter, unsigned timeout_ms, store_visit_table *,
                   void *context) MUST_CHECK;
enum err read_finished(struct link *, int64_t before_ms, uint64_t before_table, unsigned timeout_ms,
                       store_visit_table *, void *context) MUST_CHECK;
/* The key of the store (store.h), which is made by who comes first. */
enum err read_key(struct link *writer, unsigned timeout_ms, struct digest *out) MUST_CHECK;
enum err read_origin(struct link *, uint64_t table, unsigned timeout_ms, struct store_origin *out) MUST_CHECK;
enum err read_secret(struct link *, uint64_t table, unsigned timeout_ms, struct digest *out) MUST_CHECK;
enum err read_last_table(struct link *, uint64_t below, unsigned timeout_ms, uint64_t *out) MUST_CHECK;
enum err read_last_beat(struct link *, unsigned timeout_ms, int64_t *out_ms) MUST_CHECK;
/* The newest outages, at most STORE_OUTAGES_MAX. */
enum err read_outages(struct link *, unsigned timeout_ms, struct store_outage *out, size_t *count) MUST_CHECK;

/* Carries out what was asked for; l NULL: the database is not there. The secret is read first: a table that
 * has its events still running has it then. */
void read_load(struct link *l, struct pending_load *, unsigned timeout_ms);
/* All of them, those that ask for no more than what is new together. For a link that read_prepare was called
 * for; it may be closed, or become so. */
void read_loads(struct link *, struct pending_loads *, unsigned timeout_ms);
bool read_prepare(struct link *, unsigned timeout_ms) MUST_CHECK;

/* The columns that read_event wants, of an events e. */
#define READ_EVENT_COLUMNS "e.table_id, e.seq, e.time_ms, e.kind, e.body, e.hash"
/* An event of such a row; borrows from it. */
uint64_t read_event(const PGresult *, int row, struct event *out);

#endif
