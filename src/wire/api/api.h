/* The native API: every game as JSON over HTTP and WebSocket, below /api/v1. docs/api.md says it for people,
 * docs/api/openapi.json for programs. It speaks games through the interface of game/game.h alone, so a new
 * game needs no line here. */
#ifndef WIRE_API_API_H
#define WIRE_API_API_H

#include "host/hall/hall.h"
#include "host/inspector.h"
#include "host/lounge/lounge.h"
#include "wire/announcer.h"
#include "wire/http/http.h"

enum {
    API_LIST_DEFAULT = 50,
    API_LIST_MAX = 100,         /* tables in one answer */
    API_JOURNAL_MAX = 1000,     /* events in one answer */
    API_SUBSCRIPTIONS_MAX = 64, /* of one WebSocket */
    API_PING_MS = 30 * 1000,    /* of silence before a peer is asked whether it is there */
    API_SILENCE_MS = 60 * 1000, /* after which it is not */
    API_ID_BYTES_MAX = 64,      /* of what a client calls its request */
    API_TOKEN_FILE_BYTES_MAX = 256,
};

struct api_config {
    struct lounge_config lounge;
    struct store *store;         /* borrowed */
    struct inspector *inspector; /* borrowed */
    struct announcer *announcer; /* whose announcements all sockets are told; NULL: nobody's. Borrowed */
    struct hall_desk *desk;      /* where championships are opened; borrowed */
    const char *inspect_token;   /* opens the records of all tables; NULL: there is none. Borrowed */
    const char *inspect_file;    /* from which it is read by the list of options; NULL: from none */
    char inspect_read[API_TOKEN_FILE_BYTES_MAX + 1];
    const char *championships; /* a file with those that the operator wants, or NULL. Borrowed */
    const char *cors;          /* the origin whose pages may ask, "*" for all; NULL: none. Borrowed */
    uint32_t watchers_max;     /* of one table over WebSocket */
    const char *version;       /* as in struct protocol_host, like the next two */
    const void *server;
    void (*write_protocols)(const void *server, struct writer *);
};

struct api_config api_config_default(void);

/* Everything below /api. */
struct http_route api_route(const struct api_config *);

#endif
