/* One connection to PostgreSQL: opening it, running a statement with a time limit, and parameters and results
 * in libpq's binary form. Which thread uses which link is the business of store_postgres.c.
 *
 * A statement without an answer (the connection broke, or nothing came in time) closes the link; what became
 * of the statement is not known then. A statement that was answered with an error has done nothing. */
#ifndef STORE_POSTGRES_LINK_H
#define STORE_POSTGRES_LINK_H

#include "base/buf.h"
#include "base/err.h"

#include <libpq-fe.h>

enum {
    LINK_WHY_BYTES = 1024,
    LINK_PARAMS_MAX = 19,
    LINK_NAME_BYTES = 256,
};

enum link_mode {
    LINK_WRITE, /* to the one of the hosts that takes writes */
    LINK_READ,  /* to any; nothing can be changed through it */
};

struct link {
    PGconn *conn;               /* NULL: closed */
    char why[LINK_WHY_BYTES];   /* of the last failure, a sentence of libpq or of the server in one line */
    char state[6];              /* the SQLSTATE of it, or "" */
    char name[LINK_NAME_BYTES]; /* of the database, without passwords, since the link was opened first */
    bool was_warned;            /* the server has warned since link_run began */
};

/* Closed already or not. application is how the database's administrator sees it; may be NULL. */
bool link_open(struct link *, const char *url, enum link_mode, const char *application) MUST_CHECK;
void link_close(struct link *);
static inline bool link_is_open(const struct link *l) {
    return l->conn != NULL;
}

/* Whether it is open and the database has not hung up meanwhile, as far as is known here; closes it when it
 * has. */
bool link_is_sound(struct link *);

/* Parameters of one statement, in order. */
struct link_params {
    struct buf bytes;
    size_t count;
    size_t starts[LINK_PARAMS_MAX];
    Oid types[LINK_PARAMS_MAX];
    size_t open_count; /* elements of the array that is being written */
    bool has_null;
};

void link_param_int(struct link_params *, int64_t value);
void link_param_text(struct link_params *, const char *text);

/* An array: begin, its elements, end. */
enum link_type { LINK_INTS, LINK_TEXTS, LINK_BYTES };
void link_array_begin(struct link_params *, enum link_type);
void link_array_int(struct link_params *, int64_t value);
void link_array_bytes(struct link_params *, struct span bytes); /* data NULL: no value */
void link_array_end(struct link_params *);

void link_params_clear(struct link_params *);
void link_params_free(struct link_params *);

/* Runs one statement and waits for its whole result, at most so long. NULL when it failed, and why says it:
 * the link is closed when it is not known what became of it. Gives; PQclear. params may be NULL. */
PGresult *link_run(struct link *, const char *sql, struct link_params *params, unsigned timeout_ms);
/* The same for a statement that link_prepare has prepared under this name. */
bool link_prepare(struct link *, const char *name, const char *sql, unsigned timeout_ms) MUST_CHECK;
PGresult *link_run_prepared(struct link *, const char *name, struct link_params *params, unsigned timeout_ms);
/* For statements whose result does not matter. */
bool link_do(struct link *, const char *sql, struct link_params *params, unsigned timeout_ms) MUST_CHECK;

/* Values of a result. */
int64_t link_int(const PGresult *, int row, int column);
struct span link_bytes(const PGresult *, int row, int column);

/* A random number that is never 0. */
int64_t link_number(void);

#endif
