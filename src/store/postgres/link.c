#include "store/postgres/link.h"

#include "base/clock.h"
#include "base/digest.h"

#include <assert.h>
#include <endian.h>
#include <poll.h>
#include <stdio.h>

enum {
    OID_BYTEA = 17,
    OID_INT8 = 20,
    OID_TEXT = 25,
    OID_BYTEA_ARRAY = 1001,
    OID_TEXT_ARRAY = 1009,
    OID_INT8_ARRAY = 1016,
};

enum { LAST_WORDS_MAX = 4 }; /* reads that look for the end of a connection */

/* One line without the newline that libpq's messages end with. */
static void link_fail(struct link *l, const char *why) {
    size_t size = 0;
    for (; *why != '\0' && size < sizeof l->why - 1; why++)
        if (*why != '\n' || why[1] != '\0')
            l->why[size++] = *why == '\n' || *why == '\t' ? ' ' : *why;
    l->why[size] = '\0';
}

static void link_notice(void *context, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    struct link *l = context;
    if (severity != NULL && strcmp(severity, "WARNING") == 0)
        l->was_warned = true;
}

void link_close(struct link *l) {
    if (l->conn != NULL)
        PQfinish(l->conn);
    l->conn = NULL;
}

bool link_open(struct link *l, const char *url, enum link_mode mode, const char *application) {
    /* What stands before the URL can be said otherwise in it, what stands behind it cannot. The times are
     * those after which a machine that is gone is noticed. */
    const char *const keywords[] = {"connect_timeout",      "keepalives_idle",
                                    "keepalives_interval",  "keepalives_count",
                                    "tcp_user_timeout",     "dbname",
                                    "application_name",     "client_encoding",
                                    "target_session_attrs", NULL};
    const char *const values[] = {"3",
                                  "5",
                                  "2",
                                  "3",
                                  "10000",
                                  url,
                                  application == NULL ? "parlor" : application,
                                  "UTF8",
                                  mode == LINK_WRITE ? "read-write" : "any",
                                  NULL};
    link_close(l);
    l->conn = PQconnectdbParams(keywords, values, 1);
    if (l->conn == NULL || PQstatus(l->conn) != CONNECTION_OK || PQsetnonblocking(l->conn, 1) != 0) {
        link_fail(l, l->conn == NULL ? "memory is gone" : PQerrorMessage(l->conn));
        link_close(l);
        return false;
    }
    PQsetNoticeReceiver(l->conn, link_notice, l);
    snprintf(l->name, sizeof l->name, "postgresql://%s:%s/%s", PQhost(l->conn), PQport(l->conn),
             PQdb(l->conn));
    if (mode == LINK_READ && !link_do(l, "SET default_transaction_read_only = on", NULL, 3000)) {
        link_close(l);
        return false;
    }
    return true;
}

bool link_is_sound(struct link *l) {
    if (l->conn == NULL)
        return false;
    struct pollfd fd = {.fd = PQsocket(l->conn), .events = POLLIN};
    bool is_sound = true;
    /* What it says last comes before the end of the stream. */
    for (int i = 0; i < LAST_WORDS_MAX && is_sound && poll(&fd, 1, 0) != 0; i++)
        is_sound = PQconsumeInput(l->conn) != 0 && PQstatus(l->conn) == CONNECTION_OK;
    if (is_sound)
        return true;
    link_fail(l, PQerrorMessage(l->conn));
    link_close(l);
    return false;
}

static void put_int32(struct buf *b, uint32_t value) {
    uint32_t big = htobe32(value);
    buf_append(b, span_make((const char *)&big, sizeof big));
}

static void put_int64(struct buf *b, int64_t value) {
    uint64_t big = htobe64((uint64_t)value);
    buf_append(b, span_make((const char *)&big, sizeof big));
}

static void param_begin(struct link_params *p, Oid type) {
    assert(p->count < LINK_PARAMS_MAX);
    p->types[p->count] = type;
    p->starts[p->count++] = p->bytes.size;
}

void link_param_int(struct link_params *p, int64_t value) {
    param_begin(p, OID_INT8);
    put_int64(&p->bytes, value);
}

void link_param_text(struct link_params *p, const char *text) {
    param_begin(p, OID_TEXT);
    buf_append_text(&p->bytes, text);
}

/* The head of an array: dimensions, whether a value is missing, the type, the size and the first index. */
void link_array_begin(struct link_params *p, enum link_type type) {
    static const Oid arrays[] = {OID_INT8_ARRAY, OID_TEXT_ARRAY, OID_BYTEA_ARRAY};
    static const Oid elements[] = {OID_INT8, OID_TEXT, OID_BYTEA};
    param_begin(p, arrays[type]);
    p->open_count = 0;
    p->has_null = false;
    put_int32(&p->bytes, 1);
    put_int32(&p->bytes, 0);
    put_int32(&p->bytes, elements[type]);
    put_int32(&p->bytes, 0);
    put_int32(&p->bytes, 1);
}

void link_array_int(struct link_params *p, int64_t value) {
    put_int32(&p->bytes, sizeof value);
    put_int64(&p->bytes, value);
    p->open_count++;
}

void link_array_bytes(struct link_params *p, struct span bytes) {
    p->has_null = p->has_null || bytes.data == NULL;
    put_int32(&p->bytes, bytes.data == NULL ? UINT32_MAX : (uint32_t)bytes.size);
    if (bytes.data != NULL)
        buf_append(&p->bytes, bytes);
    p->open_count++;
}

void link_array_end(struct link_params *p) {
    char *head = p->bytes.data + p->starts[p->count - 1];
    const uint32_t has_null = htobe32(p->has_null), count = htobe32((uint32_t)p->open_count);
    memcpy(head + 4, &has_null, sizeof has_null);
    memcpy(head + 12, &count, sizeof count);
}

void link_params_clear(struct link_params *p) {
    buf_clear(&p->bytes);
    p->count = 0;
}

void link_params_free(struct link_params *p) {
    buf_free(&p->bytes);
    p->count = 0;
}

/* The parameters as libpq wants them. */
struct link_values {
    int count;
    const char *values[LINK_PARAMS_MAX];
    int sizes[LINK_PARAMS_MAX], formats[LINK_PARAMS_MAX];
    const Oid *types;
};

static void values_fill(struct link_values *v, const struct link_params *p) {
    *v = (struct link_values){0};
    if (p == NULL)
        return;
    assert(!buf_is_over(&p->bytes));
    v->count = (int)p->count;
    v->types = p->types;
    for (size_t i = 0; i < p->count; i++) {
        size_t end = i + 1 < p->count ? p->starts[i + 1] : p->bytes.size;
        v->values[i] = p->bytes.data == NULL ? "" : p->bytes.data + p->starts[i];
        v->sizes[i] = (int)(end - p->starts[i]);
        v->formats[i] = 1;
    }
}

/* Waits for the socket; false when the time is over. */
static bool link_poll(struct link *l, short events, uint64_t until_ms) {
    struct pollfd fd = {.fd = PQsocket(l->conn), .events = events};
    uint64_t now_ms = clock_monotonic_ms();
    return now_ms < until_ms && poll(&fd, 1, (int)(until_ms - now_ms)) >= 0;
}

static bool link_flush(struct link *l, uint64_t until_ms) {
    int left;
    while ((left = PQflush(l->conn)) > 0)
        if (!link_poll(l, POLLIN | POLLOUT, until_ms) || PQconsumeInput(l->conn) == 0)
            return false;
    return left == 0;
}

/* All results of what was sent; the last of them. NULL: the connection is of no use any more. */
static PGresult *link_await(struct link *l, uint64_t until_ms) {
    PGresult *last = NULL, *next;
    bool is_fine = link_flush(l, until_ms);
    while (is_fine) {
        while (is_fine && PQisBusy(l->conn))
            is_fine = link_poll(l, POLLIN, until_ms) && PQconsumeInput(l->conn) != 0;
        if (!is_fine || (next = PQgetResult(l->conn)) == NULL)
            break;
        PQclear(last);
        last = next;
    }
    if (is_fine && PQstatus(l->conn) == CONNECTION_OK && last != NULL)
        return last;
    PQclear(last);
    link_fail(l, clock_monotonic_ms() >= until_ms ? "the database does not answer" : PQerrorMessage(l->conn));
    link_close(l);
    return NULL;
}

static PGresult *link_finish(struct link *l, int is_sent, unsigned timeout_ms) {
    if (is_sent == 0) {
        link_fail(l, PQerrorMessage(l->conn));
        link_close(l);
        return NULL;
    }
    PGresult *result = link_await(l, clock_monotonic_ms() + timeout_ms);
    ExecStatusType status = PQresultStatus(result);
    if (result == NULL || status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return result;
    link_fail(l, PQresultErrorMessage(result));
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    snprintf(l->state, sizeof l->state, "%s", state == NULL ? "" : state);
    PQclear(result);
    return NULL;
}

static bool link_is_ready(struct link *l) {
    l->was_warned = false;
    l->state[0] = '\0';
    return l->conn != NULL;
}

PGresult *link_run(struct link *l, const char *sql, struct link_params *params, unsigned timeout_ms) {
    struct link_values v;
    if (!link_is_ready(l))
        return NULL;
    values_fill(&v, params);
    return link_finish(l, PQsendQueryParams(l->conn, sql, v.count, v.types, v.values, v.sizes, v.formats, 1),
                       timeout_ms);
}

bool link_prepare(struct link *l, const char *name, const char *sql, unsigned timeout_ms) {
    if (!link_is_ready(l))
        return false;
    PGresult *result = link_finish(l, PQsendPrepare(l->conn, name, sql, 0, NULL), timeout_ms);
    PQclear(result);
    return result != NULL;
}

PGresult *link_run_prepared(struct link *l, const char *name, struct link_params *params,
                            unsigned timeout_ms) {
    struct link_values v;
    if (!link_is_ready(l))
        return NULL;
    values_fill(&v, params);
    return link_finish(l, PQsendQueryPrepared(l->conn, name, v.count, v.values, v.sizes, v.formats, 1),
                       timeout_ms);
}

bool link_do(struct link *l, const char *sql, struct link_params *params, unsigned timeout_ms) {
    PGresult *result = link_run(l, sql, params, timeout_ms);
    PQclear(result);
    return result != NULL;
}

int64_t link_int(const PGresult *result, int row, int column) {
    uint64_t big;
    if (PQgetlength(result, row, column) != sizeof big)
        return 0;
    memcpy(&big, PQgetvalue(result, row, column), sizeof big);
    return (int64_t)be64toh(big);
}

struct span link_bytes(const PGresult *result, int row, int column) {
    return (struct span){PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column)};
}

int64_t link_number(void) {
    struct digest random;
    digest_secret(&random);
    return (int64_t)(digest_to_number(random.bytes) >> 1) | 1;
}
