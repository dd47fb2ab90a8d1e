/* The numbers of the server as text, in the form of OpenMetrics 1.0: families in the order of one table, each
 * with its type, unit and help, whether it has samples yet or not. docs/operations.md lists them for people.
 */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include "base/buf.h"
#include "server/server.h"
#include "wire/http/http.h"

#define METRICS_CONTENT_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* Where the numbers come from; borrowed. */
struct metrics_source {
    const struct server *server;
    const struct tables *tables;
    const struct store *store;
    const struct http_figures *http;
    const char *version;
    int64_t started_ms; /* since 1970 */
    int memory_file;    /* /proc/self/statm, open; -1: it could not be */
};

void metrics_write(struct buf *out, const struct metrics_source *);

#endif
