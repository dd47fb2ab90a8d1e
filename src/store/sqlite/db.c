#include "store/sqlite/db.h"

#include "base/mem.h"
#include "store/origin.h"

#include <stdio.h>
#include <string.h>

enum {
    SCHEMA_VERSION = 2,          /* PRAGMA user_version; raised with the schema below */
    APPLICATION_ID = 0x50524c52, /* "PRLR" */
    BUSY_TIMEOUT_MS = 5000,      /* for a command that writes beside us, or a checkpoint */
    CACHE_KIB_WIDE = 64 * 1024,  /* a restart reads the journals of all running tables criss-cross */
    CACHE_KIB = 512, /* afterwards: pages that moves write to again; those behind the last event are not read
                        any more */
    WAL_PAGES_BEFORE_CHECKPOINT = 1000,
    WAL_BYTES_KEPT = 16 * 1024 * 1024, /* a log that grew behind a slow reader is cut back to this */
    WAL_PIECE_BYTES = 64 * 1024,       /* that are written over themselves at a time */
};

static const char schema[] = "BEGIN IMMEDIATE;"
                             "CREATE TABLE meta("
                             "  key TEXT PRIMARY KEY,"
                             "  value INTEGER NOT NULL"
                             ") WITHOUT ROWID;"
                             "CREATE TABLE tables("
                             "  id INTEGER PRIMARY KEY,"
                             "  game TEXT NOT NULL,"
                             "  protocol TEXT NOT NULL,"
                             "  created_ms INTEGER NOT NULL,"
                             "  finished_ms INTEGER NOT NULL DEFAULT 0,"
                             "  last_seq INTEGER NOT NULL,"
                             "  secret BLOB,"
                             "  origin INTEGER"
                             ");"
                             "CREATE INDEX tables_created ON tables(created_ms, id);"
                             "CREATE INDEX tables_running ON tables(id) WHERE finished_ms = 0;"
                             "CREATE INDEX tables_finished ON tables(finished_ms, id) WHERE finished_ms <> 0;"
                             "CREATE INDEX tables_origin ON tables(origin) WHERE origin IS NOT NULL;"
                             "CREATE TABLE events("
                             "  id INTEGER PRIMARY KEY,"
                             "  table_id INTEGER NOT NULL,"
                             "  seq INTEGER NOT NULL,"
                             "  time_ms INTEGER NOT NULL,"
                             "  kind INTEGER NOT NULL,"
                             "  body BLOB NOT NULL,"
                             "  hash BLOB NOT NULL,"
                             "  UNIQUE(table_id, seq)"
                             ");"
                             "PRAGMA application_id = 1347570770;"
                             "PRAGMA user_version = 2;"
                             "COMMIT;";
/* From version 1 to 2: tables that refer to the journals of others. */
static const char schema_origins[] = "BEGIN IMMEDIATE;"
                                     "ALTER TABLE tables ADD COLUMN origin INTEGER;"
                                     "CREATE INDEX tables_origin ON tables(origin) WHERE origin IS NOT NULL;"
                                     "PRAGMA user_version = 2;"
                                     "COMMIT;";
_Static_assert(APPLICATION_ID == 1347570770 && SCHEMA_VERSION == 2, "the schema says so too");

static const char *const statement_texts[DB_STATEMENTS] = {
    [DB_BEGIN] = "BEGIN IMMEDIATE",
    [DB_COMMIT] = "COMMIT",
    [DB_ROLLBACK] = "ROLLBACK",
    [DB_LAST_SEQ] = "SELECT last_seq FROM tables WHERE id = ?1",
    [DB_TABLE_OPEN] = "INSERT INTO tables(id, game, protocol, created_ms, last_seq, secret, origin) "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [DB_TABLE_MOVE] = "UPDATE tables SET last_seq = ?2 WHERE id = ?1 AND last_seq = ?3",
    [DB_TABLE_FINISH] = "UPDATE tables SET finished_ms = ?2, secret = NULL WHERE id = ?1",
    [DB_EVENT_ADD] =
        "INSERT INTO events(id, table_id, seq, time_ms, kind, body, hash) VALUES(?7, ?1, ?2, ?3, ?4, ?5, ?6)",
    [DB_META] = "INSERT INTO meta(key, value) VALUES(?1, ?2) "
                "ON CONFLICT(key) DO UPDATE SET value = excluded.value",
    [DB_SETTLE] = "INSERT INTO meta(key, value) VALUES('settled', 1) "
                  "ON CONFLICT(key) DO UPDATE SET value = value + 1",
};

static int execute(struct db *db, const char *sql) {
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
}

static int pragma_get(struct db *db, const char *sql, int64_t *out) {
    sqlite3_stmt *s;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(s);
    *out = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static enum err sqlite_db_complain(struct db *db, const char *path, const char *why,
                                   char complaint[DB_COMPLAINT_BYTES]) {
    snprintf(complaint, DB_COMPLAINT_BYTES, "the journal %s cannot be opened: %s", path,
             why != NULL ? why : sqlite3_errmsg(db->handle));
    db_close(db);
    return ERR_IO;
}

/* Says in why what is wrong with the file; NULL when SQLite itself says it. */
static enum err schema_check(struct db *db, enum db_mode mode, const char **why) {
    int64_t application, version, things;
    *why = NULL;
    if (pragma_get(db, "PRAGMA application_id", &application) != SQLITE_OK ||
        pragma_get(db, "PRAGMA user_version", &version) != SQLITE_OK ||
        pragma_get(db, "SELECT count(*) FROM sqlite_schema", &things) != SQLITE_OK)
        return ERR_IO;
    if (application == APPLICATION_ID && version >= 1 && version <= SCHEMA_VERSION)
        return ERR_OK;
    if (application == APPLICATION_ID && version > SCHEMA_VERSION)
        *why = "it was written by a newer version of this program";
    else if (application != 0 || things != 0)
        *why = "it is a database, but not a journal of this program";
    else if (mode == DB_READ)
        *why = "it is empty";
    if (*why != NULL)
        return ERR_IO;
    return execute(db, schema) == SQLITE_OK ? ERR_OK : ERR_IO;
}

/* A reader opens for writing where it may, so that it can clean up after a server that was killed; then it is
 * told not to change anything. */
static int handle_open(struct db *db, const char *path, const char *vfs, enum db_mode mode) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (mode == DB_WRITE)
        return sqlite3_open_v2(path, &db->handle, flags | SQLITE_OPEN_CREATE, vfs);
    int code = sqlite3_open_v2(path, &db->handle, flags, vfs);
    return code == SQLITE_OK ? execute(db, "PRAGMA query_only = ON") : code;
}

int db_widen(struct db *db, bool is_wide) {
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA cache_size = -%d", is_wide ? CACHE_KIB_WIDE : CACHE_KIB);
    int code = execute(db, sql);
    if (code == SQLITE_OK && !is_wide)
        code = sqlite3_db_release_memory(db->handle);
    return code;
}

static int handle_configure(struct db *db, enum db_mode mode, bool is_exclusive) {
    char sql[256];
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, BUSY_TIMEOUT_MS);
    /* Before anything that looks at the file, or SQLite asks for shared memory. */
    int code = is_exclusive ? execute(db, "PRAGMA locking_mode = EXCLUSIVE") : SQLITE_OK;
    if (code == SQLITE_OK)
        code = db_widen(db, false);
    if (mode == DB_READ || code != SQLITE_OK)
        return code;
    snprintf(sql, sizeof sql,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = %d;"
             "PRAGMA journal_size_limit = %d;",
             WAL_PAGES_BEFORE_CHECKPOINT, WAL_BYTES_KEPT);
    return execute(db, sql);
}

/* Whether the write-ahead log is left as it is when the connection is closed, or goes into the database. */
static void log_leave(struct db *db, bool is_left) {
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)is_left, NULL);
}

/* The write-ahead log and its size; NULL when nothing is in it. */
static sqlite3_file *log_file(struct db *db, int64_t *size) {
    sqlite3_file *file = NULL;
    sqlite3_int64 bytes = 0;
    if (db->handle != NULL)
        sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    bool is_open = file != NULL && file->pMethods != NULL;
    if (!is_open || file->pMethods->xFileSize(file, &bytes) != SQLITE_OK || bytes == 0)
        return NULL;
    *size = bytes;
    return file;
}

/* Writes the log over itself, byte for byte, and syncs it. Called with the write lock. */
static int log_rewrite(struct db *db) {
    int64_t size;
    sqlite3_file *file = log_file(db, &size);
    if (file == NULL)
        return SQLITE_OK;
    uint8_t *piece = mem_alloc(WAL_PIECE_BYTES);
    int code = SQLITE_OK;
    for (int64_t at = 0; at < size && code == SQLITE_OK; at += WAL_PIECE_BYTES) {
        int bytes = size - at < WAL_PIECE_BYTES ? (int)(size - at) : WAL_PIECE_BYTES;
        code = file->pMethods->xRead(file, piece, bytes, at);
        if (code == SQLITE_OK)
            code = file->pMethods->xWrite(file, piece, bytes, at);
    }
    mem_free(piece);
    return code == SQLITE_OK ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : code;
}

/* A server that is gone may have left commits that are in the system's memory and not on disk: it was killed
 * before it synced them, or a sync failed, after which many systems take what they could not write for
 * written, and the next sync succeeds without it. SQLite takes such commits for lasting. A sync that fails
 * later could take them along with all that follows; and a power cut while they go into the database would
 * leave half of them there and a log that no longer has the rest. So the log is written once more, and is
 * lasting before anything is done with it. A full disk is no obstacle: that needs no room, and what needs
 * some may wait. */
int db_settle_log(struct db *db) {
    int code = db_run(db, DB_BEGIN);
    if ((code & 0xff) == SQLITE_BUSY)
        return SQLITE_OK; /* somebody writes, and has settled it */
    if (code == SQLITE_OK)
        code = log_rewrite(db);
    if (!sqlite3_get_autocommit(db->handle))
        db_run(db, DB_ROLLBACK);
    if (code != SQLITE_OK)
        return code;
    log_leave(db, false);
    code = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return (code & 0xff) == SQLITE_FULL || (code & 0xff) == SQLITE_BUSY ? SQLITE_OK : code;
}

enum err db_open(struct db *db, const char *path, const char *vfs, enum db_mode mode, bool is_exclusive,
                 char complaint[DB_COMPLAINT_BYTES]) {
    const char *why;
    *db = (struct db){0};
    int code = handle_open(db, path, vfs, mode);
    if (code == SQLITE_OK) {
        log_leave(db, true);
        code = handle_configure(db, mode, is_exclusive);
    }
    if (code != SQLITE_OK)
        return sqlite_db_complain(db, path, NULL, complaint);
    if (schema_check(db, mode, &why) != ERR_OK)
        return sqlite_db_complain(db, path, why, complaint);
    return ERR_OK;
}

int db_migrate(struct db *db) {
    int64_t version;
    int code = pragma_get(db, "PRAGMA user_version", &version);
    if (code != SQLITE_OK || version == SCHEMA_VERSION)
        return code;
    code = execute(db, schema_origins);
    if (!sqlite3_get_autocommit(db->handle))
        db_run(db, DB_ROLLBACK);
    return code;
}

void db_close(struct db *db) {
    int64_t size;
    for (int i = 0; i < DB_STATEMENTS; i++)
        sqlite3_finalize(db->statements[i]);
    if (db->handle != NULL && log_file(db, &size) == NULL)
        log_leave(db, false); /* an empty one goes */
    sqlite3_close(db->handle);
    *db = (struct db){0};
}

sqlite3_stmt *db_statement(struct db *db, enum db_statement which) {
    if (db->statements[which] == NULL)
        sqlite3_prepare_v3(db->handle, statement_texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                           &db->statements[which], NULL);
    return db->statements[which];
}

/* Steps a statement once and makes it ready for the next use. */
static int statement_run(struct db *db, sqlite3_stmt *s) {
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        code = SQLITE_OK;
    sqlite3_reset(s);
    return code;
}

int db_run(struct db *db, enum db_statement which) {
    return statement_run(db, db_statement(db, which));
}

int db_last_seq(struct db *db, uint64_t table, uint64_t *out) {
    sqlite3_stmt *s = db_statement(db, DB_LAST_SEQ);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    int code = sqlite3_step(s);
    *out = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int event_add(struct db *db, uint64_t table, const struct event *event) {
    sqlite3_stmt *s = db_statement(db, DB_EVENT_ADD);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)event->seq);
    sqlite3_bind_int64(s, 3, event->time_ms);
    sqlite3_bind_int(s, 4, (int)event->kind);
    sqlite3_bind_blob64(s, 5, event->body.size == 0 ? "" : event->body.data, event->body.size, SQLITE_STATIC);
    sqlite3_bind_blob(s, 6, event->hash.bytes, DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(s, 7, (sqlite3_int64)(db->last_id + 1));
    int code = statement_run(db, s);
    db->last_id += code == SQLITE_OK;
    return code;
}

/* Whether the journal to which a new table refers is still there. */
static int origin_find(struct db *db, const struct pending *p, bool *is_there) {
    uint64_t last = 0;
    int code = p->origin.count == 0 ? SQLITE_OK : db_last_seq(db, p->origin.table, &last);
    *is_there = last > 0 && last >= p->origin.version;
    return code;
}

static int table_open(struct db *db, const struct pending *p, bool has_origin) {
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
    sqlite3_stmt *s = db_statement(db, DB_TABLE_OPEN);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    /* A set-up that cannot be read is for the fold to refuse; the journal keeps what it is given. */
    event_row(&p->events[0], game, protocol);
    sqlite3_bind_int64(s, 1, (sqlite3_int64)p->table);
    sqlite3_bind_text(s, 2, game, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 3, protocol, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 4, p->events[0].time_ms);
    sqlite3_bind_int64(s, 5, (sqlite3_int64)p->event_count);
    if (p->has_secret)
        sqlite3_bind_blob(s, 6, p->secret.bytes, DIGEST_BYTES, SQLITE_STATIC);
    else
        sqlite3_bind_null(s, 6);
    if (has_origin)
        sqlite3_bind_int64(s, 7, (sqlite3_int64)p->origin.table);
    else
        sqlite3_bind_null(s, 7);
    return statement_run(db, s);
}

static int table_set(struct db *db, enum db_statement which, uint64_t table, int64_t value) {
    sqlite3_stmt *s = db_statement(db, which);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    sqlite3_bind_int64(s, 2, value);
    return statement_run(db, s);
}

int db_last_id(struct db *db, uint64_t *out) {
    int64_t last = 0, retained = 0;
    int code = pragma_get(db, "SELECT max(id) FROM events", &last);
    if (code == SQLITE_OK)
        code = pragma_get(db, "SELECT value FROM meta WHERE key = 'retained'", &retained);
    *out = (uint64_t)(last > retained ? last : retained);
    return code;
}

/* The table moves on when it stands where the append expects it. */
static int table_move(struct db *db, const struct pending *p, bool *is_there, bool *has_origin) {
    uint64_t last;
    int code;
    if (p->expected_seq == 0) {
        code = origin_find(db, p, has_origin);
        if (code == SQLITE_OK)
            code = db_last_seq(db, p->table, &last);
        *is_there = code == SQLITE_OK && last == 0;
        return *is_there ? table_open(db, p, *has_origin) : code;
    }
    sqlite3_stmt *move = db_statement(db, DB_TABLE_MOVE);
    if (move == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_int64(move, 3, (int64_t)p->expected_seq);
    code = table_set(db, DB_TABLE_MOVE, p->table, (int64_t)(p->expected_seq + p->event_count));
    *is_there = sqlite3_changes(db->handle) == 1;
    return code;
}

/* The row that stands for the events of another journal. */
static int origin_add(struct db *db, const struct pending *p) {
    struct buf body = {0};
    struct event row = origin_row_of(p, &body);
    int code = event_add(db, p->table, &row);
    buf_free(&body);
    return code;
}

int db_append(struct db *db, struct pending *p) {
    bool is_there = false, has_origin = false;
    int code = db->has_last_id ? SQLITE_OK : db_last_id(db, &db->last_id);
    db->has_last_id = code == SQLITE_OK;
    if (code == SQLITE_OK)
        code = table_move(db, p, &is_there, &has_origin);
    if (code != SQLITE_OK)
        return code;
    if (!is_there) {
        p->result = ERR_CONFLICT;
        return SQLITE_OK;
    }
    for (size_t i = 0; i < p->event_count && code == SQLITE_OK; i++) {
        if (has_origin && i >= 1 && i < p->origin.count)
            continue;
        bool is_origin = has_origin && i == p->origin.count;
        code = is_origin ? origin_add(db, p) : event_add(db, p->table, &p->events[i]);
        if (code == SQLITE_OK && event_ends(p->events[i].kind))
            code = table_set(db, DB_TABLE_FINISH, p->table, pending_finished_ms(&p->events[i]));
    }
    p->result = ERR_OK;
    p->last_id = db->last_id;
    return code;
}

int db_is_there(struct db *db, const struct pending *p, bool *out) {
    sqlite3_stmt *s;
    const struct event *event = &p->events[p->event_count - 1];
    int code = sqlite3_prepare_v2(db->handle, "SELECT hash FROM events WHERE table_id = ?1 AND seq = ?2", -1,
                                  &s, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)p->table);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)event->seq);
    code = sqlite3_step(s);
    *out = code == SQLITE_ROW && sqlite3_column_bytes(s, 0) == DIGEST_BYTES &&
           memcmp(sqlite3_column_blob(s, 0), event->hash.bytes, DIGEST_BYTES) == 0;
    sqlite3_finalize(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int meta_set(struct db *db, const char *key, int64_t value) {
    sqlite3_stmt *s = db_statement(db, DB_META);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, value);
    return statement_run(db, s);
}

int db_beat(struct db *db, int64_t wall_ms) {
    return meta_set(db, "beat_ms", wall_ms);
}

/* One row per restart, under the time when it began: a second try of the same start only moves its end. */
int db_outage_add(struct db *db, const struct store_outage *outage) {
    char key[64];
    snprintf(key, sizeof key, "away %020lld", (long long)outage->from_ms);
    return meta_set(db, key, outage->to_ms);
}

/* What a code of SQLite means for whoever reads. */
static enum err db_error(int code) {
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return ERR_OK;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ERR_DAMAGED;
    default: return ERR_IO;
    }
}

static void event_of_row(sqlite3_stmt *s, uint64_t *table, struct event *event) {
    *table = (uint64_t)sqlite3_column_int64(s, 0);
    event->seq = (uint64_t)sqlite3_column_int64(s, 1);
    event->time_ms = sqlite3_column_int64(s, 2);
    event->kind = (enum event_kind)sqlite3_column_int(s, 3);
    const char *body = sqlite3_column_blob(s, 4);
    event->body = (struct span){body == NULL ? "" : body, (size_t)sqlite3_column_bytes(s, 4)};
    /* A hash of another size was tampered with; zeros will not fit the chain. */
    event->hash = (struct digest){0};
    if (sqlite3_column_bytes(s, 5) == DIGEST_BYTES)
        memcpy(event->hash.bytes, sqlite3_column_blob(s, 5), DIGEST_BYTES);
}

static enum err events_visit(sqlite3_stmt *s, store_visit_event *visit, void *context) {
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t table;
        struct event event;
        event_of_row(s, &table, &event);
        if (!visit(context, table, &event)) {
            code = SQLITE_DONE;
            break;
        }
    }
    sqlite3_finalize(s);
    return db_error(code);
}

/* As they stand there, for origin_read; engine is the struct db. */
static enum err db_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                        void *context) {
    struct db *db = engine;
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle,
                           "SELECT table_id, seq, time_ms, kind, body, hash FROM events "
                           "WHERE table_id = ?1 AND seq >= ?2 ORDER BY seq",
                           -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)from_seq);
    return events_visit(s, visit, context);
}

/* A journal, and how far it was read. */
struct db_reading {
    store_visit_event *visit;
    void *context;
    uint64_t last_seq;
    bool is_enough;
};

static bool db_reading_take(void *context, uint64_t table, const struct event *event) {
    struct db_reading *r = context;
    r->last_seq = event->seq;
    r->is_enough = !r->visit(r->context, table, event);
    return !r->is_enough;
}

/* A damaged page can look like one that has less on it: the row of the table knows how long the journal is.
 * It is asked first, because the journal may become longer meanwhile, and again when nothing is there,
 * because the table may have been removed. */
enum err db_read(struct db *db, uint64_t table, uint64_t from_seq, bool may_be_cut, store_visit_event *visit,
                 void *context) {
    struct db_reading r = {.visit = visit, .context = context};
    uint64_t last_seq = 0;
    bool is_known = db_last_seq(db, table, &last_seq) == SQLITE_OK; /* its own page may be damaged, too */
    enum err e = origin_read(db_rows, db, table, from_seq, db_reading_take, &r);
    if (e != ERR_OK || may_be_cut || !is_known || r.is_enough || last_seq < from_seq ||
        r.last_seq >= last_seq)
        return e;
    if (r.last_seq == 0 && db_last_seq(db, table, &last_seq) == SQLITE_OK && last_seq == 0)
        return ERR_OK;
    return ERR_DAMAGED;
}

struct found_origin {
    struct store_origin *out;
    enum err result;
};

static bool found_origin_take(void *context, uint64_t table, const struct event *row) {
    struct found_origin *found = context;
    (void)table;
    found->result = origin_of_row(row, found->out);
    return false;
}

enum err db_origin(struct db *db, uint64_t table, struct store_origin *out) {
    struct found_origin found = {out, ERR_OK};
    char sql[160];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql,
             "SELECT table_id, seq, time_ms, kind, body, hash FROM events WHERE table_id = ?1 AND seq > 1 "
             "AND kind = %d LIMIT 1",
             ORIGIN_ROW_KIND);
    if (sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    enum err e = events_visit(s, found_origin_take, &found);
    return e != ERR_OK ? e : found.result;
}

/* Rows of running tables, each with how long the journal of its table is. One that ends before is damaged,
 * and nothing is shown behind it. */
static enum err running_visit(sqlite3_stmt *s, struct origin_filter *filter) {
    uint64_t before = 0, read_seq = 0, last_seq = 0;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t table;
        struct event event;
        event_of_row(s, &table, &event);
        if (table != before && read_seq < last_seq)
            break;
        before = table;
        read_seq = event.seq;
        last_seq = (uint64_t)sqlite3_column_int64(s, 6);
        if (event.seq == 0) /* it has no events at all */
            break;
        if (!origin_filter_take(filter, table, &event)) {
            sqlite3_finalize(s);
            return filter->result;
        }
    }
    sqlite3_finalize(s);
    if (code == SQLITE_ROW || (code == SQLITE_DONE && read_seq < last_seq))
        return ERR_DAMAGED;
    enum err e = db_error(code);
    return e != ERR_OK ? e : filter->result;
}

enum err db_read_running(struct db *db, store_visit_event *visit, void *context) {
    struct origin_filter filter = {.rows = db_rows, .engine = db, .visit = visit, .context = context};
    sqlite3_stmt *s;
    /* LEFT JOIN keeps SQLite from turning the loops around, and shows tables whose events are gone. */
    if (sqlite3_prepare_v2(db->handle,
                           "SELECT t.id, e.seq, e.time_ms, e.kind, e.body, e.hash, t.last_seq "
                           "FROM tables t LEFT JOIN events e ON e.table_id = t.id "
                           "WHERE t.finished_ms = 0 AND t.protocol <> '" EVENT_PROTOCOL_CHAMPIONSHIP
                           "' ORDER BY t.id, e.seq",
                           -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    enum err e = running_visit(s, &filter);
    /* What was read once for a restart is not needed again. */
    sqlite3_db_release_memory(db->handle);
    return e;
}

static enum err tables_visit(sqlite3_stmt *s, store_visit_table *visit, void *context) {
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *game = (const char *)sqlite3_column_text(s, 1);
        const char *protocol = (const char *)sqlite3_column_text(s, 2);
        struct store_table row = {
            .table = (uint64_t)sqlite3_column_int64(s, 0),
            .game = game == NULL ? "" : game,
            .protocol = protocol == NULL ? "" : protocol,
            .created_ms = sqlite3_column_int64(s, 3),
            .finished_ms = sqlite3_column_int64(s, 4),
            .last_seq = (uint64_t)sqlite3_column_int64(s, 5),
        };
        if (!visit(context, &row)) {
            code = SQLITE_DONE;
            break;
        }
    }
    sqlite3_finalize(s);
    return db_error(code);
}

enum err db_list_finished(struct db *db, int64_t before_ms, uint64_t before_table, store_visit_table *visit,
                          void *context) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle,
                           "SELECT id, game, protocol, created_ms, finished_ms, last_seq FROM tables "
                           "WHERE finished_ms <> 0 AND (finished_ms, id) < (?1, ?2) "
                           "AND protocol <> '" EVENT_PROTOCOL_CHAMPIONSHIP "' "
                           "ORDER BY finished_ms DESC, id DESC",
                           -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, before_ms);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)before_table);
    return tables_visit(s, visit, context);
}

/* What has been shown of a list, so that another way through a damaged file shows nothing twice. */
struct shown {
    store_visit_table *visit;
    void *context;
    uint64_t *ids;
    size_t count, capacity;
    size_t known; /* of the ids: from the ways before this one */
    bool is_enough;
};

static bool shown_add(void *context, const struct store_table *row) {
    struct shown *shown = context;
    for (size_t i = 0; i < shown->known; i++)
        if (shown->ids[i] == row->table)
            return true;
    if (shown->count == shown->capacity) {
        shown->capacity = shown->capacity == 0 ? 64 : 2 * shown->capacity;
        shown->ids = mem_resize(shown->ids, shown->capacity * sizeof *shown->ids);
    }
    shown->ids[shown->count++] = row->table;
    shown->is_enough = !shown->visit(shown->context, row);
    return !shown->is_enough;
}

/* A damaged page ends a walk: the same list is walked without the index, and from the other end. */
enum err db_list(struct db *db, enum store_filter filter, store_visit_table *visit, void *context) {
    static const char *const wheres[] = {[STORE_ALL] = "",
                                         [STORE_RUNNING] = "WHERE finished_ms = 0",
                                         [STORE_FINISHED] = "WHERE finished_ms <> 0",
                                         [STORE_CHAMPIONSHIPS] =
                                             "WHERE protocol = '" EVENT_PROTOCOL_CHAMPIONSHIP "'"};
    static const char *const ways[][2] = {
        {"", "created_ms, id"}, {"NOT INDEXED", "id"}, {"NOT INDEXED", "id DESC"}};
    struct shown shown = {.visit = visit, .context = context};
    enum err e = ERR_DAMAGED, first = ERR_OK;
    for (size_t way = 0; way < 3 && e == ERR_DAMAGED && !shown.is_enough; way++) {
        char sql[256];
        sqlite3_stmt *s;
        snprintf(sql, sizeof sql,
                 "SELECT id, game, protocol, created_ms, finished_ms, last_seq FROM tables %s %s ORDER BY %s",
                 ways[way][0], wheres[filter], ways[way][1]);
        int code = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);
        shown.known = shown.count;
        e = code == SQLITE_OK ? tables_visit(s, shown_add, &shown) : db_error(code);
        first = way == 0 ? e : first;
    }
    mem_free(shown.ids);
    /* Whole by another way is whole; otherwise something may be missing. */
    return e == ERR_OK ? ERR_OK : first;
}

/* The digest that a statement gives, which is finalized. */
static enum err digest_take(sqlite3_stmt *s, struct digest *out) {
    int code = sqlite3_step(s);
    enum err e = db_error(code);
    if (e == ERR_OK)
        e = ERR_FIELD_MISSING;
    if (code == SQLITE_ROW && sqlite3_column_bytes(s, 0) == DIGEST_BYTES) {
        memcpy(out->bytes, sqlite3_column_blob(s, 0), DIGEST_BYTES);
        e = ERR_OK;
    }
    sqlite3_finalize(s);
    return e;
}

enum err db_is_running(struct db *db, uint64_t table, bool *out) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle, "SELECT 1 FROM tables WHERE id = ?1 AND finished_ms = 0", -1, &s,
                           NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    int code = sqlite3_step(s);
    *out = code == SQLITE_ROW;
    sqlite3_finalize(s);
    return db_error(code);
}

enum err db_secret(struct db *db, uint64_t table, struct digest *out) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle, "SELECT secret FROM tables WHERE id = ?1", -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)table);
    return digest_take(s, out);
}

/* Bytes in a column of numbers, which SQLite keeps as they are. */
enum err db_key(struct db *db, struct digest *out) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle, "SELECT value FROM meta WHERE key = 'key'", -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    return digest_take(s, out);
}

int db_key_add(struct db *db, const struct digest *key) {
    sqlite3_stmt *s = db_statement(db, DB_META);
    if (s == NULL)
        return sqlite3_extended_errcode(db->handle);
    sqlite3_bind_text(s, 1, "key", -1, SQLITE_STATIC);
    sqlite3_bind_blob(s, 2, key->bytes, DIGEST_BYTES, SQLITE_STATIC);
    return statement_run(db, s);
}

enum err db_last_table(struct db *db, uint64_t below, uint64_t *out) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db->handle, "SELECT max(id) FROM tables WHERE id < ?1", -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)below);
    enum err e = db_error(sqlite3_step(s));
    if (e == ERR_OK)
        *out = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    if (e != ERR_DAMAGED ||
        sqlite3_prepare_v2(db->handle, "SELECT max(table_id) FROM events WHERE table_id < ?1", -1, &s,
                           NULL) != SQLITE_OK)
        return e;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)below); /* the index of the events knows it, too */
    e = db_error(sqlite3_step(s));
    if (e == ERR_OK)
        *out = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return e;
}

enum err db_last_beat(struct db *db, int64_t *out_ms) {
    return db_error(pragma_get(db, "SELECT value FROM meta WHERE key = 'beat_ms'", out_ms));
}

enum err db_outages(struct db *db, struct store_outage *out, size_t *count) {
    sqlite3_stmt *s;
    *count = 0;
    if (sqlite3_prepare_v2(db->handle,
                           "SELECT CAST(substr(key, 6) AS INTEGER), value FROM meta WHERE key GLOB 'away *' "
                           "ORDER BY key DESC LIMIT ?1",
                           -1, &s, NULL) != SQLITE_OK)
        return ERR_IO;
    sqlite3_bind_int(s, 1, STORE_OUTAGES_MAX);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        out[(*count)++] = (struct store_outage){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1)};
    sqlite3_finalize(s);
    return db_error(code);
}

/* What others refer to stays as long as they do. */
#define UNREFERRED "NOT EXISTS (SELECT 1 FROM tables AS r WHERE r.origin = t.id) "

/* The next tables to go, oldest first, into ids. */
static int retain_find(struct db *db, int64_t before_ms, uint64_t keep_tables, unsigned tables_max,
                       int64_t *ids, unsigned *count) {
    sqlite3_stmt *s;
    int code = sqlite3_prepare_v2(
        db->handle,
        "SELECT id FROM tables AS t WHERE finished_ms <> 0 AND (finished_ms < ?1 OR ?2 > 0) AND " UNREFERRED
        "ORDER BY finished_ms, id LIMIT min(?3, max("
        "(SELECT count(*) FROM tables AS t WHERE finished_ms <> 0 AND finished_ms < ?1 AND " UNREFERRED "),"
        "CASE ?2 WHEN 0 THEN 0 ELSE (SELECT count(*) FROM tables WHERE finished_ms <> 0) - ?2 END))",
        -1, &s, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_bind_int64(s, 1, before_ms);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)keep_tables);
    sqlite3_bind_int(s, 3, (int)tables_max);
    *count = 0;
    while ((code = sqlite3_step(s)) == SQLITE_ROW && *count < tables_max)
        ids[(*count)++] = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int retain_delete(struct db *db, const char *sql, int64_t id) {
    sqlite3_stmt *s;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_bind_int64(s, 1, id);
    code = sqlite3_step(s);
    sqlite3_finalize(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int db_retain(struct db *db, int64_t before_ms, uint64_t keep_tables, unsigned tables_max,
              unsigned *removed) {
    int64_t *ids = mem_alloc(tables_max * sizeof *ids);
    unsigned count = 0;
    int code = retain_find(db, before_ms, keep_tables, tables_max, ids, &count);
    uint64_t last_id = 0;
    if (code == SQLITE_OK && count > 0)
        code = db_run(db, DB_BEGIN);
    if (code == SQLITE_OK && count > 0)
        code = db_last_id(db, &last_id);
    if (code == SQLITE_OK && count > 0) /* the newest event may be among what goes, and its number with it */
        code = meta_set(db, "retained", (int64_t)last_id);
    for (unsigned i = 0; i < count && code == SQLITE_OK; i++) {
        code = retain_delete(db, "DELETE FROM events WHERE table_id = ?1", ids[i]);
        if (code == SQLITE_OK)
            code = retain_delete(db, "DELETE FROM tables WHERE id = ?1", ids[i]);
    }
    if (code == SQLITE_OK && count > 0)
        code = db_run(db, DB_COMMIT);
    if (!sqlite3_get_autocommit(db->handle))
        db_run(db, DB_ROLLBACK);
    mem_free(ids);
    *removed = code == SQLITE_OK ? count : 0;
    return code;
}
