#include "store/postgres/read.h"

#include "base/mem.h"
#include "store/origin.h"
#include "store/queue.h"

#include <stdio.h>

enum {
    READ_TABLES_PAGE = 1000,  /* rows of tables */
    READ_FINISHED_PAGE = 128, /* of a list that is mostly left early */
    READ_RUNNING_PAGE = 256,  /* tables whose journals are read at once */
    READ_EVENTS_PAGE = 2000,
};

#define TABLE_COLUMNS   "id, game, protocol, created_ms, finished_ms, last_seq"
#define NO_CHAMPIONSHIP "protocol <> '" EVENT_PROTOCOL_CHAMPIONSHIP "'"

static enum err read_error(const struct link *l) {
    return strncmp(l->state, "XX", 2) == 0 ? ERR_DAMAGED : ERR_IO;
}

uint64_t read_event(const PGresult *rows, int row, struct event *out) {
    struct span hash = link_bytes(rows, row, 5);
    *out = (struct event){.seq = (uint64_t)link_int(rows, row, 1),
                          .time_ms = link_int(rows, row, 2),
                          .kind = (enum event_kind)link_int(rows, row, 3),
                          .body = link_bytes(rows, row, 4)};
    /* A hash of another size was tampered with; zeros will not fit the chain. */
    if (hash.size == DIGEST_BYTES)
        memcpy(out->hash.bytes, hash.data, DIGEST_BYTES);
    return (uint64_t)link_int(rows, row, 0);
}

/* False when the visitor has seen enough. */
static bool read_events_visit(const PGresult *rows, store_visit_event *visit, void *context) {
    bool goes_on = true;
    for (int row = 0; row < PQntuples(rows) && goes_on; row++) {
        struct event event;
        uint64_t table = read_event(rows, row, &event);
        goes_on = visit(context, table, &event);
    }
    return goes_on;
}

/* As they stand there, for origin_read. */
enum err read_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *visit, void *context) {
    const struct read_from *from = engine;
    struct link *l = from->link;
    unsigned timeout_ms = from->timeout_ms;
    bool goes_on = true;
    while (goes_on) {
        struct link_params params = {0};
        link_param_int(&params, (int64_t)table);
        link_param_int(&params, (int64_t)from_seq);
        link_param_int(&params, READ_EVENTS_PAGE);
        PGresult *rows = link_run(l,
                                  "SELECT " READ_EVENT_COLUMNS " FROM parlor.events e WHERE e.table_id = $1 "
                                  "AND e.seq >= $2 ORDER BY e.seq LIMIT $3",
                                  &params, timeout_ms);
        link_params_free(&params);
        if (rows == NULL)
            return read_error(l);
        int count = PQntuples(rows);
        goes_on = count == READ_EVENTS_PAGE;
        if (goes_on)
            from_seq = (uint64_t)link_int(rows, count - 1, 1) + 1;
        goes_on = read_events_visit(rows, visit, context) && goes_on;
        PQclear(rows);
    }
    return ERR_OK;
}

enum err read_events(struct link *l, uint64_t table, uint64_t from_seq, unsigned timeout_ms,
                     store_visit_event *visit, void *context) {
    struct read_from from = {l, timeout_ms};
    return origin_read(read_rows, &from, table, from_seq, visit, context);
}

enum err read_origin(struct link *l, uint64_t table, unsigned timeout_ms, struct store_origin *out) {
    struct link_params params = {0};
    struct event row;
    link_param_int(&params, (int64_t)table);
    link_param_int(&params, ORIGIN_ROW_KIND);
    PGresult *rows = link_run(l,
                              "SELECT " READ_EVENT_COLUMNS " FROM parlor.events e WHERE e.table_id = $1 "
                              "AND e.seq > 1 AND e.kind = $2 LIMIT 1",
                              &params, timeout_ms);
    link_params_free(&params);
    if (rows == NULL)
        return read_error(l);
    bool is_there = PQntuples(rows) == 1;
    if (is_there)
        read_event(rows, 0, &row);
    enum err e = is_there ? origin_of_row(&row, out) : ERR_OK;
    PQclear(rows);
    return e;
}

/* The ids of the running tables from one on, a page of them. */
static PGresult *running_page(struct link *l, int64_t after, unsigned timeout_ms) {
    struct link_params params = {0};
    link_param_int(&params, after);
    link_param_int(&params, READ_RUNNING_PAGE);
    PGresult *rows = link_run(l,
                              "SELECT id FROM parlor.tables WHERE finished_ms = 0 AND id > $1 "
                              "AND " NO_CHAMPIONSHIP " ORDER BY id LIMIT $2",
                              &params, timeout_ms);
    link_params_free(&params);
    return rows;
}

static PGresult *running_events(struct link *l, const PGresult *ids, unsigned timeout_ms) {
    struct link_params params = {0};
    link_array_begin(&params, LINK_INTS);
    for (int row = 0; row < PQntuples(ids); row++)
        link_array_int(&params, link_int(ids, row, 0));
    link_array_end(&params);
    PGresult *rows =
        link_run(l,
                 "SELECT " READ_EVENT_COLUMNS " FROM parlor.tables t "
                 "JOIN parlor.events e ON e.table_id = t.id "
                 "WHERE t.id = ANY($1::bigint[]) AND t.finished_ms = 0 ORDER BY e.table_id, e.seq",
                 &params, timeout_ms);
    link_params_free(&params);
    return rows;
}

enum err read_running(struct link *l, unsigned timeout_ms, store_visit_event *visit, void *context) {
    struct read_from from = {l, timeout_ms};
    struct origin_filter filter = {.rows = read_rows, .engine = &from, .visit = visit, .context = context};
    int64_t after = INT64_MIN;
    bool goes_on = true;
    while (goes_on) {
        PGresult *ids = running_page(l, after, timeout_ms);
        if (ids == NULL)
            return read_error(l);
        int count = PQntuples(ids);
        PGresult *rows = count == 0 ? NULL : running_events(l, ids, timeout_ms);
        if (count > 0)
            after = link_int(ids, count - 1, 0);
        PQclear(ids);
        if (count > 0 && rows == NULL)
            return read_error(l);
        goes_on = (count == 0 || read_events_visit(rows, origin_filter_take, &filter)) &&
                  count == READ_RUNNING_PAGE;
        PQclear(rows);
    }
    return filter.result;
}

static bool read_tables_visit(const PGresult *rows, store_visit_table *visit, void *context) {
    bool goes_on = true;
    for (int row = 0; row < PQntuples(rows) && goes_on; row++) {
        struct store_table table = {
            .table = (uint64_t)link_int(rows, row, 0),
            .game = PQgetvalue(rows, row, 1),
            .protocol = PQgetvalue(rows, row, 2),
            .created_ms = link_int(rows, row, 3),
            .finished_ms = link_int(rows, row, 4),
            .last_seq = (uint64_t)link_int(rows, row, 5),
        };
        goes_on = visit(context, &table);
    }
    return goes_on;
}

/* A list, page by page: sql takes the place behind which a page begins, a time and an id, and its size. */
static enum err pages_visit(struct link *l, const char *sql, int64_t time_ms, int64_t id, int time_column,
                            int page, unsigned timeout_ms, store_visit_table *visit, void *context) {
    bool goes_on = true;
    while (goes_on) {
        struct link_params params = {0};
        link_param_int(&params, time_ms);
        link_param_int(&params, id);
        link_param_int(&params, page);
        PGresult *rows = link_run(l, sql, &params, timeout_ms);
        link_params_free(&params);
        if (rows == NULL)
            return read_error(l);
        int count = PQntuples(rows);
        if (count > 0) {
            time_ms = link_int(rows, count - 1, time_column);
            id = link_int(rows, count - 1, 0);
        }
        goes_on = read_tables_visit(rows, visit, context) && count == page;
        PQclear(rows);
    }
    return ERR_OK;
}

enum err read_list(struct link *l, enum store_filter filter, unsigned timeout_ms, store_visit_table *visit,
                   void *context) {
    static const char *const wheres[] = {
        [STORE_ALL] = "true",
        [STORE_RUNNING] = "finished_ms = 0",
        [STORE_FINISHED] = "finished_ms <> 0",
        [STORE_CHAMPIONSHIPS] = "protocol = '" EVENT_PROTOCOL_CHAMPIONSHIP "'",
    };
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT " TABLE_COLUMNS " FROM parlor.tables WHERE %s AND (created_ms, id) > ($1, $2) "
             "ORDER BY created_ms, id LIMIT $3",
             wheres[filter]);
    return pages_visit(l, sql, INT64_MIN, INT64_MIN, 3, READ_TABLES_PAGE, timeout_ms, visit, context);
}

enum err read_finished(struct link *l, int64_t before_ms, uint64_t before_table, unsigned timeout_ms,
                       store_visit_table *visit, void *context) {
    return pages_visit(l,
                       "SELECT " TABLE_COLUMNS " FROM parlor.tables WHERE finished_ms <> 0 "
                       "AND (finished_ms, id) < ($1, $2) AND " NO_CHAMPIONSHIP
                       " ORDER BY finished_ms DESC, id DESC LIMIT $3",
                       before_ms, (int64_t)before_table, 4, READ_FINISHED_PAGE, timeout_ms, visit, context);
}

enum err read_secret(struct link *l, uint64_t table, unsigned timeout_ms, struct digest *out) {
    struct link_params params = {0};
    enum err e = ERR_FIELD_MISSING;
    link_param_int(&params, (int64_t)table);
    PGresult *rows =
        link_run(l, "SELECT secret FROM parlor.secrets WHERE table_id = $1", &params, timeout_ms);
    link_params_free(&params);
    if (rows == NULL)
        return read_error(l);
    if (PQntuples(rows) == 1 && link_bytes(rows, 0, 0).size == DIGEST_BYTES) {
        memcpy(out->bytes, link_bytes(rows, 0, 0).data, DIGEST_BYTES);
        e = ERR_OK;
    }
    PQclear(rows);
    return e;
}

/* By the row of the table alone, however long its journal is. */
static bool read_is_running(struct link *l, uint64_t table, unsigned timeout_ms, enum err *e) {
    struct link_params params = {0};
    link_param_int(&params, (int64_t)table);
    PGresult *rows =
        link_run(l, "SELECT FROM parlor.tables WHERE id = $1 AND finished_ms = 0", &params, timeout_ms);
    link_params_free(&params);
    *e = rows == NULL ? read_error(l) : ERR_OK;
    bool is_running = rows != NULL && PQntuples(rows) == 1;
    PQclear(rows);
    return is_running;
}

void read_load(struct link *l, struct pending_load *load, unsigned timeout_ms) {
    const struct store_load *asked = &load->asked;
    if (load->result != ERR_OK)
        return;
    if (l == NULL) {
        load->result = ERR_IO;
        return;
    }
    store_read_log("load", asked->table);
    if (asked->is_running && !read_is_running(l, asked->table, timeout_ms, &load->result))
        return;
    if (asked->secret != NULL) {
        enum err e = read_secret(l, asked->table, timeout_ms, &load->secret);
        load->has_secret = e == ERR_OK;
        load->result = e == ERR_FIELD_MISSING ? ERR_OK : e;
    }
    if (load->result == ERR_OK)
        load->result = read_events(l, asked->table, asked->from_seq, timeout_ms, pending_load_take, load);
    if (load->result == ERR_OK && asked->origin != NULL)
        load->result = read_origin(l, asked->table, timeout_ms, &load->origin);
}

/* Whether it asks for nothing but what is new of a table. */
static bool load_is_plain(const struct pending_load *load) {
    return load->result == ERR_OK && !load->asked.is_running && load->asked.secret == NULL &&
           load->asked.origin == NULL;
}

static const char news_sql[] =
    "SELECT " READ_EVENT_COLUMNS ", n.place FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY "
    "AS n(id, first, place) JOIN parlor.events e ON e.table_id = n.id AND e.seq >= n.first "
    "ORDER BY n.place, e.seq LIMIT $3";

bool read_prepare(struct link *l, unsigned timeout_ms) {
    return link_prepare(l, "news", news_sql, timeout_ms);
}

/* Each of the rows belongs to the plain load at its place. */
static void news_share(const PGresult *rows, struct pending_load *load) {
    int64_t place = 0;
    int row = 0, count = PQntuples(rows);
    for (; load != NULL; load = load->next) {
        if (!load_is_plain(load))
            continue;
        for (place++; row < count && link_int(rows, row, 6) == place; row++) {
            struct event event;
            uint64_t table = read_event(rows, row, &event);
            pending_load_take(load, table, &event);
        }
        load->is_read = true;
    }
}

/* The plain ones of them in one statement, unless that is too much for one. */
static void loads_read_news(struct link *l, struct pending_loads *loads, unsigned timeout_ms) {
    struct link_params params = {0};
    link_array_begin(&params, LINK_INTS);
    for (struct pending_load *load = loads->first; load != NULL; load = load->next)
        if (load_is_plain(load))
            link_array_int(&params, (int64_t)load->asked.table);
    link_array_end(&params);
    link_array_begin(&params, LINK_INTS);
    for (struct pending_load *load = loads->first; load != NULL; load = load->next)
        if (load_is_plain(load))
            link_array_int(&params, (int64_t)load->asked.from_seq);
    link_array_end(&params);
    link_param_int(&params, READ_EVENTS_PAGE);
    PGresult *rows = link_run_prepared(l, "news", &params, timeout_ms);
    link_params_free(&params);
    if (rows != NULL && PQntuples(rows) < READ_EVENTS_PAGE)
        news_share(rows, loads->first);
    PQclear(rows);
}

void read_loads(struct link *l, struct pending_loads *loads, unsigned timeout_ms) {
    if (link_is_open(l))
        loads_read_news(l, loads, timeout_ms);
    for (struct pending_load *load = loads->first; load != NULL; load = load->next)
        if (!load->is_read)
            read_load(link_is_open(l) ? l : NULL, load, timeout_ms);
}

/* It stands where no table has its secret, and where only the owner looks. */
enum err read_key(struct link *writer, unsigned timeout_ms, struct digest *out) {
    struct link_params params = {0};
    struct digest fresh;
    char digits[2 * DIGEST_BYTES + 1];
    digest_secret(&fresh);
    digest_format(&fresh, digits);
    link_param_text(&params, digits);
    bool is_made = link_do(writer,
                           "INSERT INTO parlor.secrets(table_id, secret) VALUES(0, decode($1, 'hex')) "
                           "ON CONFLICT (table_id) DO NOTHING",
                           &params, timeout_ms);
    link_params_free(&params);
    return is_made ? read_secret(writer, 0, timeout_ms, out) : read_error(writer);
}

/* One number of one row; 0 when there is none. */
static enum err read_one_number(struct link *l, const char *sql, struct link_params *params,
                                unsigned timeout_ms, int64_t *out) {
    PGresult *rows = link_run(l, sql, params, timeout_ms);
    if (rows == NULL)
        return read_error(l);
    *out = PQntuples(rows) == 1 ? link_int(rows, 0, 0) : 0;
    PQclear(rows);
    return ERR_OK;
}

enum err read_last_table(struct link *l, uint64_t below, unsigned timeout_ms, uint64_t *out) {
    struct link_params params = {0};
    int64_t found = 0;
    link_param_int(&params, below > INT64_MAX ? INT64_MAX : (int64_t)below);
    enum err e =
        read_one_number(l, "SELECT max(id) FROM parlor.tables WHERE id < $1", &params, timeout_ms, &found);
    link_params_free(&params);
    if (e == ERR_OK)
        *out = (uint64_t)found;
    return e;
}

enum err read_last_beat(struct link *l, unsigned timeout_ms, int64_t *out_ms) {
    return read_one_number(l, "SELECT value FROM parlor.meta WHERE key = 'beat_ms'", NULL, timeout_ms,
                           out_ms);
}

enum err read_outages(struct link *l, unsigned timeout_ms, struct store_outage *out, size_t *count) {
    struct link_params params = {0};
    *count = 0;
    link_param_int(&params, STORE_OUTAGES_MAX);
    PGresult *rows = link_run(l,
                              "SELECT substr(key, 6)::bigint, value FROM parlor.meta WHERE key LIKE 'away %' "
                              "ORDER BY 1 DESC LIMIT $1",
                              &params, timeout_ms);
    link_params_free(&params);
    if (rows == NULL)
        return read_error(l);
    for (int row = 0; row < PQntuples(rows); row++)
        out[(*count)++] = (struct store_outage){link_int(rows, row, 0), link_int(rows, row, 1)};
    PQclear(rows);
    return ERR_OK;
}
