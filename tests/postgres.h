/* A PostgreSQL of its own for a test program, see postgres.py: started at the first use, stopped when the
 * program ends, however it ends. */
#ifndef TESTS_POSTGRES_H
#define TESTS_POSTGRES_H

#include "tests.h"

#include <libpq-fe.h>
#include <unistd.h>

enum { POSTGRES_TEXT_BYTES = 256 };

static struct {
    FILE *in, *out;
    char folder[POSTGRES_TEXT_BYTES]; /* of its socket; "": it is missing */
    char missing[POSTGRES_TEXT_BYTES];
} postgres;

__attribute__((unused)) static void postgres_line(char line[POSTGRES_TEXT_BYTES]) {
    assert_non_null(fgets(line, POSTGRES_TEXT_BYTES, postgres.out));
    line[strcspn(line, "\n")] = '\0';
}

/* False when there is no PostgreSQL; postgres.missing says why. */
__attribute__((unused)) static bool postgres_begin(void) {
    char line[POSTGRES_TEXT_BYTES];
    int in[2], out[2];
    const char *program = getenv("PARLOR_TEST_POSTGRES");
    if (postgres.out != NULL || program == NULL) {
        if (program == NULL)
            snprintf(postgres.missing, sizeof postgres.missing,
                     "PARLOR_TEST_POSTGRES does not name tests/postgres.py");
        return postgres.folder[0] != '\0';
    }
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    if (fork() == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        execlp("python3", "python3", program, NULL);
        _exit(1);
    }
    close(in[0]);
    close(out[1]);
    postgres.in = fdopen(in[1], "w");
    postgres.out = fdopen(out[0], "r");
    postgres_line(line);
    bool is_there = strncmp(line, "ready ", 6) == 0;
    const char *rest = strchr(line, ' ');
    snprintf(is_there ? postgres.folder : postgres.missing, POSTGRES_TEXT_BYTES, "%s",
             rest == NULL ? line : rest + 1);
    return is_there;
}

/* "kill", "stop" or "start"; returns when it is done. */
__attribute__((unused)) static void postgres_command(const char *command) {
    char line[POSTGRES_TEXT_BYTES];
    fprintf(postgres.in, "%s\n", command);
    fflush(postgres.in);
    postgres_line(line);
    assert_string_equal(line, "ok");
}

__attribute__((unused)) static void postgres_url(char url[2 * POSTGRES_TEXT_BYTES], const char *folder) {
    snprintf(url, 2 * POSTGRES_TEXT_BYTES, "postgresql:///postgres?host=%s&user=parlor", folder);
}

/* Runs statements; the first value of the last one goes into out, when it is not NULL. */
__attribute__((unused)) static void postgres_sql(const char *sql, char out[POSTGRES_TEXT_BYTES]) {
    char url[2 * POSTGRES_TEXT_BYTES];
    postgres_url(url, postgres.folder);
    PGconn *conn = PQconnectdb(url);
    PQclear(PQexec(conn, "SET client_min_messages = error"));
    PGresult *result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    if (out != NULL)
        snprintf(out, POSTGRES_TEXT_BYTES, "%s", PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(conn);
}

#endif
