/* One connection to a journal in SQLite: opening, the schema, and the statements of the writer. Which thread
 * uses which connection when is the business of store_sqlite.c. */
#ifndef STORE_SQLITE_DB_H
#define STORE_SQLITE_DB_H

#include "store/pending.h"

#include <sqlite3.h>

enum { DB_COMPLAINT_BYTES = 2048 };

enum db_statement {
    DB_BEGIN,
    DB_COMMIT,
    DB_ROLLBACK,
    DB_LAST_SEQ,
    DB_TABLE_OPEN,
    DB_TABLE_MOVE,
    DB_TABLE_FINISH,
    DB_EVENT_ADD,
    DB_META,
    DB_SETTLE, /* counts on: a transaction that changes something whatever was there, which is its purpose */
    DB_STATEMENTS
};

struct db {
    sqlite3 *handle;
    sqlite3_stmt *statements[DB_STATEMENTS]; /* prepared at their first use */
    bool has_last_id;                        /* otherwise it is asked for */
    uint64_t last_id; /* of an event: they are counted over all tables, and no number is given twice */
};

enum db_mode {
    DB_WRITE, /* makes the file and its schema when they are missing */
    DB_READ,  /* beside a DB_WRITE of this or another process */
};

/* Opens; on failure the connection is closed again and complaint says why. A DB_WRITE has changed nothing
 * besides making the schema: db_settle_log comes before anything is written. Until then, and always by a
 * DB_READ, a write-ahead log with something in it is left as it is when the connection is closed. */
enum err db_open(struct db *, const char *path, const char *vfs, enum db_mode, bool is_exclusive,
                 char complaint[DB_COMPLAINT_BYTES]) MUST_CHECK;
void db_close(struct db *);

/* Much memory for pages from now on, for whoever reads all journals; or little, as at first. Returns SQLite's
 * code. */
int db_widen(struct db *, bool is_wide);

/* A server that is gone may have left commits that are in the system's memory and not on disk: makes them
 * lasting, and moves them into the database. Returns SQLite's code. */
int db_settle_log(struct db *);

/* Brings the schema of an older file up to date, after that. Returns SQLite's code. */
int db_migrate(struct db *);

/* The number of the last event that was ever committed, whether it is still there or not. Returns SQLite's
 * code. */
int db_last_id(struct db *, uint64_t *out);
/* The number of the last event of a table. */
int db_last_seq(struct db *, uint64_t table, uint64_t *out);

/* The cached statement, ready to bind; NULL when it cannot be prepared. */
sqlite3_stmt *db_statement(struct db *, enum db_statement);

/* Runs a cached statement without results or with one row that is not looked at. Returns SQLite's code,
 * SQLITE_OK when it worked. */
int db_run(struct db *, enum db_statement);

/* Adds an append to the open transaction when its table stands where it expects: result becomes ERR_OK or
 * ERR_CONFLICT. Returns SQLITE_OK, or what went wrong with the disk. */
int db_append(struct db *, struct pending *);

/* What a failed COMMIT left behind: true when all events of an append are there. */
int db_is_there(struct db *, const struct pending *, bool *out);

/* Notes of the writer to itself, in the open transaction. */
int db_beat(struct db *, int64_t wall_ms);
int db_outage_add(struct db *, const struct store_outage *);

/* Reads. ERR_IO when SQLite fails. They may be nested. A journal that is shorter than the row of its table
 * says is ERR_DAMAGED, unless it may be cut: whoever looks for what is wrong wants to see the rest. */
enum err db_read(struct db *, uint64_t table, uint64_t from_seq, bool may_be_cut, store_visit_event *,
                 void *context);
enum err db_read_running(struct db *, store_visit_event *, void *context);
enum err db_list(struct db *, enum store_filter, store_visit_table *, void *context);
enum err db_list_finished(struct db *, int64_t before_ms, uint64_t before_table, store_visit_table *,
                          void *context);
enum err db_origin(struct db *, uint64_t table, struct store_origin *out);
enum err db_secret(struct db *, uint64_t table, struct digest *out);
enum err db_is_running(struct db *, uint64_t table, bool *out);
/* The key of the store (store.h); ERR_FIELD_MISSING when it has none yet. And gives it one. */
enum err db_key(struct db *, struct digest *out);
int db_key_add(struct db *, const struct digest *);
enum err db_last_table(struct db *, uint64_t below, uint64_t *out);
enum err db_last_beat(struct db *, int64_t *out_ms);
/* The newest outages, at most STORE_OUTAGES_MAX. */
enum err db_outages(struct db *, struct store_outage *out, size_t *count);

/* Removes up to tables_max finished tables with their journals, the oldest first: those finished before
 * before_ms, and those beyond the newest keep_tables (0: no limit). Commits. *removed tells how many. */
int db_retain(struct db *, int64_t before_ms, uint64_t keep_tables, unsigned tables_max, unsigned *removed);

#endif
