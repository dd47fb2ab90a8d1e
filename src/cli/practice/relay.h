/* Connections that pass through bad weather: whatever comes in at a place is handed on to a server, and what
 * that answers back, through a struct weather for each direction. */
#ifndef CLI_PRACTICE_RELAY_H
#define CLI_PRACTICE_RELAY_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { RELAY_PLACES_MAX = 16, RELAY_ADDRESS_BYTES_MAX = 128, RELAY_CONNECTIONS_MAX = 1000 };

struct relay_place {
    const char *name;                      /* of the listener: "ugs" */
    char address[RELAY_ADDRESS_BYTES_MAX]; /* where clients come in, "127.0.0.1:0"; filled in with the port */
    char server[RELAY_ADDRESS_BYTES_MAX];  /* where it is handed on to */
};

struct relay_config {
    struct relay_place *places;
    unsigned place_count;
    unsigned kinds; /* of faults, see weather.h; 0: none */
    uint64_t seed;
    /* When all places listen; and then twenty times a second: false ends it. */
    void (*ready)(void *context);
    bool (*goes_on)(void *context);
    void *context;
};

/* Runs until goes_on says no, or SIGTERM or SIGINT comes. False after having said why on standard error when
 * a place cannot be listened at. Each fault is a line on standard error. */
bool relay_run(const struct relay_config *);

#endif
