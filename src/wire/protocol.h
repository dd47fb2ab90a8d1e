/* A protocol as the server sees it: one constant struct beside its code and one word in src/wire/meson.build.
 *
 * Everything that a protocol can be told stands in a struct of its own, which is filled from its rows of
 * options; nobody else knows what is in it. */
#ifndef WIRE_PROTOCOL_H
#define WIRE_PROTOCOL_H

#include "base/option_row.h"
#include "host/hall/hall.h"
#include "host/inspector.h"
#include "host/table/table.h"
#include "host/thinker.h"
#include "wire/announcer.h"
#include "wire/http/http.h"
#include "wire/json/message.h"
#include "wire/port.h"

enum { PROTOCOL_COMPLAINT_BYTES_MAX = 256, PROTOCOL_HOST_BYTES_MAX = 256 };

/* What all protocols of one server stand on. Borrowed for the life of the ports. */
struct protocol_host {
    struct tables *tables;
    struct store *store;
    struct inspector *inspector;
    struct thinker *thinker;
    struct announcer *announcer; /* to whom announcements are made; NULL: there are none */
    struct hall_desk *desk;      /* where the hall of the Universal Game System is to be found */
    uint32_t players_max;        /* logged in at the same time, where players log in */
    uint32_t message_timeout_ms; /* for the rest of a message or request that has begun */
    const char *version;         /* of this program; NULL: nobody knows */
    const void *server;
    /* Writes the protocols as members of a list, each with the address where it is spoken by now. NULL:
     * nobody knows. */
    void (*write_protocols)(const void *server, struct writer *);
};

/* Where a protocol listens. */
struct protocol_place {
    bool is_off;
    char host[PROTOCOL_HOST_BYTES_MAX];
    uint16_t number;
};

struct protocol {
    const char *name;  /* in the journal; of its option and in the ready line, if it listens */
    const char *about; /* for --help, and for people who look for a protocol */
    const char *game;  /* the only game that it speaks of, or NULL for any */
    /* Another framing of that protocol, before it in the list: it has its config and its room, and no config,
     * rows and check of its own. NULL: it is one itself. */
    const struct protocol *of;
    const char *page;                    /* below docs/: its description for people who write clients */
    const struct json_message *messages; /* what its clients say, if it stands in tables; or NULL */
    const char *default_address;         /* NULL: it is a route of the HTTP listener */
    size_t config_size;
    void (*defaults)(void *config);
    const struct option_row *rows; /* offsets point into the config */
    /* Completes the config once all options are known, and may move the place. False: complaint is one
     * sentence that says what is wrong with them. NULL: nothing can be wrong. */
    bool (*check)(void *config, struct protocol_place *, char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]);
    /* Gives the port of a protocol with a listener of its own, or the route of one over HTTP; the other is
     * NULL. The texts of config are borrowed for the life of the port. */
    struct port *(*port)(const void *config, const struct protocol_host *);
    struct http_route (*route)(const void *config, const struct protocol_host *);
    /* Takes over a table of this protocol that a restart has brought back. NULL: its port asks for them. */
    void (*restored)(struct table *);
};

#endif
