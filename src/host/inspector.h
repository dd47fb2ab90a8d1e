/* The wire inspector: for tables that want it, what the clients of their protocol and the server said to each
 * other, for people who write such clients. Protocols record, whoever owns the table reads. Bounded: the
 * oldest messages go first, and so do the oldest tables; when all together are too many, the oldest messages
 * of the table that has most.
 *
 * Recording costs one lookup where nothing is inspected. It shows what seats are told, so it is for the owner
 * of the table alone, who may not know all of it before the table is over: that is for whoever shows it to
 * decide. What is called a secret in a message, by which players come back, is never kept. */
#ifndef HOST_INSPECTOR_H
#define HOST_INSPECTOR_H

#include "base/address.h"
#include "base/err.h"
#include "game/game.h"

enum {
    INSPECTOR_TABLES_MAX = 1000,
    INSPECTOR_MESSAGES_MAX = 1000,    /* of one table */
    INSPECTOR_BYTES_MAX = 256 * 1024, /* of their texts */
    INSPECTOR_ALL_BYTES_MAX =
        16 * 1024 * 1024,                 /* of all messages of all tables, with what they need besides */
    INSPECTOR_TEXT_BYTES_MAX = 16 * 1024, /* of one text; the rest is cut off */
    INSPECTOR_PROTOCOL_BYTES_MAX = 16,    /* with the final NUL */
};

/* Borrowed. */
struct inspector_message {
    uint64_t number;     /* in its table, from 1; set by the inspector */
    int64_t at_ms;       /* wall time; set by the inspector */
    uint64_t version;    /* of the table when it was said; 0: set by the inspector, to what it is told then */
    unsigned seat;       /* SEAT_WATCHER: none yet */
    uint64_t connection; /* a number that tells the connections of a table apart; 0: there is none to tell */
    const char *protocol;
    struct address origin; /* of the client; nobody's when it is not known */
    bool is_incoming;      /* from the client */
    struct span text;
    enum err why; /* what was wrong with it, and so refused; ERR_OK: nothing */
};

struct inspector;

struct inspector_config {
    bool has_all; /* every table is inspected, asked or not */
    int64_t (*wall_ms)(void);
};

/* Gives. */
struct inspector *inspector_create(const struct inspector_config *);
void inspector_free(struct inspector *);

/* From now on the messages of all tables are recorded, asked or not. */
void inspector_enable_all(struct inspector *);

/* From now on the messages of this table are recorded. */
void inspector_enable(struct inspector *, uint64_t table);

/* False: recording would be in vain. inspector may be NULL. */
bool inspector_wants(const struct inspector *, uint64_t table);

/* Keeps a message of a table that is inspected; copies. inspector may be NULL. */
void inspector_record(struct inspector *, uint64_t table, const struct inspector_message *);

/* Shows the messages of a table from a number on, in order. visit returns false to stop. Returns the number
 * that the next message will have; 0 when the table is not inspected. */
uint64_t inspector_read(const struct inspector *, uint64_t table, uint64_t from,
                        bool (*visit)(void *context, const struct inspector_message *), void *context);

/* Who knows the version of a table; one at a time, NULL: nobody, and it is 0. */
void inspector_ask_versions(struct inspector *, uint64_t (*version)(void *context, uint64_t table),
                            void *context);
/* The version of a table now, 0 when nobody knows: for what is recorded later than it was said. */
uint64_t inspector_version(const struct inspector *, uint64_t table);

/* Who hears of every message as it is recorded; one at a time, NULL ends it. */
void inspector_listen(struct inspector *,
                      void (*recorded)(void *context, uint64_t table, const struct inspector_message *),
                      void *context);

#endif
