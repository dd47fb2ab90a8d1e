/* The schema, in the namespace "parlor" of its database:
 *
 *     meta     notes with a number: schema, its version; beat_ms and "away N" as in SQLite; settled, which is
 *              written only to be committed
 *     tables   one row per table and championship, running or finished; origin is the table to whose journal
 *              its own refers (store/origin.h)
 *     secrets  of the dice of running tables. Row security without a policy: whatever is granted to others,
 *              only the owner, the role of the servers, sees a row
 *     events   the journals; xact is the transaction that wrote the row, by which a follower that was away
 *              finds what it has missed
 *     nodes    the servers that live, and when each was seen last; not logged, because after a crash nobody
 *              of them has been seen
 *     leases   what lives at one node at a time: where, and until when
 */
#include "store/postgres/schema.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCHEMA_VERSION = 3 }; /* meta.schema; raised with the schema below */

/* 1347570770 is "PRLR". */
#define SCHEMA_LOCK "SELECT pg_advisory_xact_lock(1347570770)"

static const char *const schema_texts[] = {
    "CREATE SCHEMA parlor",
    "CREATE TABLE parlor.meta(key text PRIMARY KEY, value bigint NOT NULL)",
    "CREATE TABLE parlor.tables("
    "  id bigint PRIMARY KEY,"
    "  game text NOT NULL,"
    "  protocol text NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  finished_ms bigint NOT NULL DEFAULT 0,"
    "  last_seq bigint NOT NULL"
    ")",
    "CREATE INDEX tables_created ON parlor.tables(created_ms, id)",
    "CREATE INDEX tables_running ON parlor.tables(id) WHERE finished_ms = 0",
    "CREATE INDEX tables_finished ON parlor.tables(finished_ms, id) WHERE finished_ms <> 0",
    "CREATE TABLE parlor.secrets(table_id bigint PRIMARY KEY, secret bytea NOT NULL)",
    "ALTER TABLE parlor.secrets ENABLE ROW LEVEL SECURITY",
    "CREATE TABLE parlor.events("
    "  table_id bigint NOT NULL,"
    "  seq bigint NOT NULL,"
    "  time_ms bigint NOT NULL,"
    "  kind bigint NOT NULL,"
    "  body bytea NOT NULL,"
    "  hash bytea NOT NULL,"
    "  xact bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,"
    "  PRIMARY KEY (table_id, seq)"
    ")",
    "CREATE INDEX events_xact ON parlor.events USING brin(xact) WITH (pages_per_range = 16)",
    "INSERT INTO parlor.meta(key, value) VALUES('schema', 1)",
};
/* From version 1 to 2: several nodes. */
static const char *const schema_nodes_texts[] = {
    "CREATE UNLOGGED TABLE parlor.nodes(id bigint PRIMARY KEY, seen timestamptz NOT NULL)",
    "CREATE TABLE parlor.leases(name text PRIMARY KEY, node bigint NOT NULL, until timestamptz NOT NULL)",
    "UPDATE parlor.meta SET value = 2 WHERE key = 'schema'",
};
/* From version 2 to 3: tables that refer to the journals of others, which stay as long as they do. */
static const char *const schema_origins_texts[] = {
    "ALTER TABLE parlor.tables ADD COLUMN origin bigint REFERENCES parlor.tables(id)",
    "CREATE INDEX tables_origin ON parlor.tables(origin) WHERE origin IS NOT NULL",
    "UPDATE parlor.meta SET value = 3 WHERE key = 'schema'",
};
static const struct {
    const char *const *texts;
    size_t count;
} schema_steps[SCHEMA_VERSION] = {
    {schema_texts, sizeof schema_texts / sizeof *schema_texts},
    {schema_nodes_texts, sizeof schema_nodes_texts / sizeof *schema_nodes_texts},
    {schema_origins_texts, sizeof schema_origins_texts / sizeof *schema_origins_texts},
};

static bool schema_refuse(struct link *l, const char *why) {
    snprintf(l->why, sizeof l->why, "%s", why);
    return false;
}

/* 0: there is none; -1: it is not ours. */
static bool schema_version(struct link *l, int64_t *out) {
    PGresult *found = link_run(l,
                               "SELECT count(*), count(*) FILTER (WHERE c.relname = 'meta') "
                               "FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid "
                               "WHERE n.nspname = 'parlor'",
                               NULL, SCHEMA_TIMEOUT_MS);
    if (found == NULL)
        return false;
    int64_t things = link_int(found, 0, 0), metas = link_int(found, 0, 1);
    PQclear(found);
    *out = things == 0 ? 0 : -1;
    if (metas == 0)
        return true;
    found = link_run(l, "SELECT value FROM parlor.meta WHERE key = 'schema'", NULL, SCHEMA_TIMEOUT_MS);
    if (found == NULL)
        return false;
    *out = PQntuples(found) == 1 ? link_int(found, 0, 0) : -1;
    PQclear(found);
    return true;
}

/* Every version is a step from the one before; the first makes the schema. */
static bool schema_migrate(struct link *l, int64_t version) {
    bool is_made = true;
    for (; version < SCHEMA_VERSION && is_made; version++)
        for (size_t i = 0; i < schema_steps[version].count && is_made; i++)
            is_made = link_do(l, schema_steps[version].texts[i], NULL, SCHEMA_TIMEOUT_MS);
    return is_made;
}

/* Within a transaction that holds the lock. Whoever only reads makes do with an older version. */
static bool schema_bring(struct link *l, bool may_write) {
    int64_t version;
    if (!schema_version(l, &version))
        return false;
    if (version > SCHEMA_VERSION)
        return schema_refuse(l, "its schema was made by a newer version of this program");
    if (version < 0)
        return schema_refuse(l, "it has a schema \"parlor\" that is not a journal of this program");
    if (version == 0 && !may_write)
        return schema_refuse(l, "there is no journal in it");
    return !may_write || schema_migrate(l, version);
}

bool schema_prepare(struct link *l, bool may_write) {
    if (!may_write)
        return schema_bring(l, false);
    char why[LINK_WHY_BYTES];
    bool is_fine = link_do(l, "BEGIN", NULL, SCHEMA_TIMEOUT_MS) &&
                   link_do(l, SCHEMA_LOCK, NULL, SCHEMA_TIMEOUT_MS) && schema_bring(l, true);
    if (is_fine)
        return link_do(l, "COMMIT", NULL, SCHEMA_TIMEOUT_MS);
    snprintf(why, sizeof why, "%s", l->why);
    if (link_is_open(l) && !link_do(l, "ROLLBACK", NULL, SCHEMA_TIMEOUT_MS))
        link_close(l);
    return schema_refuse(l, why);
}

/* The settings that decide, as texts. */
struct promise {
    char version[64], commit[32], fsync[16], standbys[256], encoding[32];
};

static bool promise_read(struct link *l, struct promise *out) {
    char *const texts[] = {out->version, out->commit, out->fsync, out->standbys, out->encoding};
    const size_t sizes[] = {sizeof out->version, sizeof out->commit, sizeof out->fsync, sizeof out->standbys,
                            sizeof out->encoding};
    PGresult *row =
        link_run(l,
                 "SELECT current_setting('server_version'), current_setting('synchronous_commit'), "
                 "current_setting('fsync'), current_setting('synchronous_standby_names'), "
                 "current_setting('server_encoding')",
                 NULL, SCHEMA_TIMEOUT_MS);
    if (row == NULL)
        return false;
    for (int i = 0; i < 5; i++)
        snprintf(texts[i], sizes[i], "%s", PQgetvalue(row, 0, i));
    PQclear(row);
    return true;
}

bool schema_promise(struct link *l, bool is_alone, char promise[PROMISE_BYTES]) {
    struct promise p;
    if (!promise_read(l, &p))
        return false;
    bool is_off = strcmp(p.commit, "off") == 0, is_local = strcmp(p.commit, "local") == 0;
    if (strcmp(p.encoding, "UTF8") != 0)
        return schema_refuse(l, "its encoding is not UTF8: make the database with ENCODING 'UTF8'");
    if (!is_alone && strcmp(p.fsync, "on") != 0)
        return schema_refuse(
            l, "fsync is off there, so a power cut loses what players were told: set fsync = on");
    if (!is_alone && (is_off || is_local))
        return schema_refuse(
            l, is_off ? "synchronous_commit is off there, so a crash loses what players were told: "
                        "set synchronous_commit = on"
                      : "synchronous_commit is local there, so a commit does not wait for the "
                        "standby: set synchronous_commit = on");
    if (!is_alone && p.standbys[0] == '\0')
        return schema_refuse(
            l, "it has no synchronous standby, so what players were told is lost with one disk: set "
               "synchronous_standby_names, or say --store-alone if one database is meant");
    /* A session may ask for more than the database does by itself. */
    if (is_off && !link_do(l, "SET synchronous_commit = on", NULL, SCHEMA_TIMEOUT_MS))
        return false;
    snprintf(promise, PROMISE_BYTES, "PostgreSQL %s; a commit is on its disk%s%s%s%s", p.version,
             p.standbys[0] == '\0' || is_local ? " alone, without a standby" : " and at the standby of ",
             is_local ? "" : p.standbys, strcmp(p.commit, "remote_write") == 0 ? " (in its memory)" : "",
             strcmp(p.fsync, "on") == 0 ? "" : "; fsync is off: a power cut loses what players were told");
    return true;
}
