/* What the files of the API share: route.c (paths of HTTP), request.c (what is asked, whichever way),
 * socket.c (WebSocket) and feed.c (who is told what). */
#ifndef WIRE_API_INTERNAL_H
#define WIRE_API_INTERNAL_H

#include "base/timers.h"
#include "host/cup/cups.h"
#include "wire/api/api.h"
#include "wire/api/json.h"
#include "wire/http/websocket.h"
#include "wire/json/read.h"

#include <uthash.h>

struct api_socket;
struct api_feed;

enum { API_CUPS_MAX = 16 }; /* championships that one WebSocket watches */

enum { API_PACKED_BYTES_MAX = 256 * 1024 }; /* a larger answer is compressed again when it is asked again */

/* How a request is answered when it is done. */
enum api_reply {
    API_REPLY_TABLE, /* the whole table, of an opening */
    API_REPLY_SEAT,  /* the seat that was taken */
    API_REPLY_VERSION,
};

/* One request on its way through the lounge. */
struct api_ticket {
    struct api_ticket *prev, *next; /* of its socket */
    struct api *api;
    enum api_reply reply;
    struct http_exchange *exchange; /* NULL: it came over a WebSocket */
    bool accepts_gzip;
    bool has_waited;                   /* for the journal of what was opened */
    struct api_socket *socket;         /* NULL: it is gone */
    char id[API_ID_BYTES_MAX * 6 + 3]; /* what the client calls it, as JSON; "": nothing */
};

/* Somebody who waits for the past of tables; see past.h. Part of whoever does. */
struct past_wait {
    struct past_wait *prev, *next;
    struct api *api;
    bool is_request; /* it counts, for this address */
    struct address address;
    unsigned rounds; /* how often it has been put off */
    struct history_wait *wait;
    void (*come)(struct past_wait *);
    void (*drop)(struct past_wait *); /* there is nobody to answer any more */
};

struct api {
    struct api_config config;
    struct history *history;
    struct history *late; /* of tables with a delay, as those without a seat see them */
    struct lounge *lounge;
    struct cups *cups;
    struct cup_file *cup_file; /* of the configuration; NULL: there is none */
    struct rng rng;
    struct timers timers;
    uint64_t now_ms;
    struct buf out;                  /* of one answer or message */
    struct buf lobby;                /* the list of tables as it was at lobby_ms, */
    uint64_t lobby_ms, lobby_change; /* after so many changes of tables */
    struct buf packed, packed_from;  /* the last answer that was compressed, and what it was; or nothing */
    struct buf openapi_gzip;         /* empty until somebody asks for it */
    struct buf cors;                 /* lines for the head of every answer */
    struct buf allow_get, allow_post, allow_both; /* the same with what is allowed */
    struct api_ticket *openings;                  /* championships that are being opened */
    struct advice *advices;                       /* that bots are thinking about */
    struct past_wait *waits;                      /* who waits for the past of tables */
    bool is_put_off;                              /* the request that is being taken lacks some of it, */
    unsigned rounds;                              /* and was put off so often before */
    struct api_socket *sockets;
    struct websocket_spare spare; /* of all of them */
    struct api_feed *feeds;       /* by table */
    struct api_wire *wires;       /* who looks at the inspector */
    bool has_inspect_token;
    struct digest inspect_token;
    struct handover *handovers; /* seats on their way to another device; see handover.c */
    bool is_ending;             /* there is nobody to answer any more */
};

/* request.c: what both ways have in common. */

/* A table as somebody sees it. */
struct api_scene {
    struct snapshot snapshot;
    struct history *history; /* from which the event that led here comes */
    bool is_over_now;        /* whatever version is shown */
    uint32_t watch_delay_ms; /* of the table */
    int64_t
        next_ms; /* by the clock of the journal: of the first event that is not shown yet; INT64_MAX: none */
    struct api_sight sight;
};

/* Who asks: a token, or none. */
struct api_asker {
    bool has_token;
    struct digest token;
    struct address address; /* for whom limits count */
};

/* The table at a version (HISTORY_LAST: now) for a seat; for SEAT_WATCHER now is later where the table has a
 * delay. ERR_TABLE_UNKNOWN, ERR_VERSION_UNKNOWN, ERR_UNAVAILABLE, and ERR_LATER when a journal is lacking
 * (past.h). Borrowed until anything changes. */
enum err api_scene_set(struct api *, uint64_t table, uint64_t version, unsigned seat,
                       struct api_scene *) MUST_CHECK;
/* The asker's seat by what the table knows now, whatever version is looked at; SEAT_WATCHER: none, or its
 * journal is lacking. */
unsigned api_seat_of(struct api *, uint64_t table, const struct api_asker *);
/* The same for an asker. A code that is none counts for its address, and with too many of those private
 * tables are none for it: ERR_TOO_MANY. */
enum err api_scene_find(struct api *, uint64_t table, uint64_t version, const struct api_asker *,
                        struct api_scene *) MUST_CHECK;

/* A table that is not over, as lists show it to everybody, and its delay. False when its journal, which that
 * needs, cannot be read or is lacking. */
bool api_snapshot_public(struct api *, const struct table *, struct snapshot *, uint32_t *watch_delay_ms);

/* Through whose eyes: the asker's, or as (empty: the asker's own) says. ERR_TOKEN_UNKNOWN, ERR_NOT_ALLOWED,
 * ERR_FIELD_INVALID. */
enum err api_scene_look(struct api *, struct api_scene *, const struct api_asker *,
                        struct span as) MUST_CHECK;

/* Whether its table is for those alone who know its code. */
bool api_scene_is_private(struct api *, const struct api_scene *);

/* Why that was refused, where the error does not say it; otherwise NULL. */
const char *api_scene_reason(enum err);

/* All fields of the table; inside an object that has begun. */
void api_scene_write(struct api *, const struct api_scene *, struct writer *);

/* What a seat wants to play, and from which version on. */
struct api_act {
    struct span *texts; /* borrow from the message, in memory to be freed with mem_free */
    size_t count;
    bool has_version;
    uint64_t version;
};

/* Reads the fields actions and version of a message. What is refused gives nothing, and *reason says why. */
enum err api_read_act(const json_t *message, bool may_be_empty, struct api_act *out,
                      const char **reason) MUST_CHECK;

/* The fields of a table after these actions of a seat, which are only tried (host/table/trial.h), as far as
 * they follow from what the seat sees; inside an object that has begun, and only when it returns ERR_OK. */
enum err api_try(struct api *, struct api_scene *, const json_t *message, struct writer *,
                 struct api_refusal *) MUST_CHECK;

/* The same without a word of it: with ERR_OK the scene is of the imagined world, and snapshot_end ends it. */
enum err api_try_play(struct api *, struct api_scene *, const json_t *message, struct rng *, struct trial *,
                      struct api_refusal *) MUST_CHECK;

/* Reads what is to be opened. Spans borrow from the message. */
enum err api_read_order(struct api *, const json_t *message, struct lounge_order *out,
                        const char **reason) MUST_CHECK;

/* The list of open and running tables, newest first, as items of a list that has begun. */
struct api_list {
    const struct game *game; /* NULL: any */
    int state;               /* 0: any, 'o' open, 'r' running */
    bool has_before;
    int64_t before_ms;
    uint64_t before_table;
    size_t limit;
    /* what was found */
    size_t count;
    bool has_more;
    int64_t last_ms;
    uint64_t last_table;
};
/* Not whole when journals are lacking. */
void api_write_list(struct api *, struct api_list *, struct writer *);
/* Adds a table, with the time by which the list is ordered; false when it is full. */
bool api_list_add(struct api_list *, const struct snapshot *, uint32_t watch_delay_ms, int64_t ms,
                  struct writer *);
/* Where the next page begins, behind the list. */
void api_list_write_next(struct writer *, const struct api_list *);

/* The events of a table from one version on up to another, at most so many, as items of a list that has
 * begun. *shown is the version of the last one, or 0. ERR_UNAVAILABLE when they cannot be read. */
struct api_span {
    uint64_t table, from, to;
    size_t limit;
    unsigned viewer;
};
enum err api_write_events(struct api *, const struct api_span *, struct writer *, uint64_t *shown) MUST_CHECK;
/* Whether these can be written: ERR_OK, ERR_LATER or ERR_UNAVAILABLE. */
enum err api_has_events(struct api *, const struct api_span *) MUST_CHECK;

bool api_is_owner(const struct api *, const struct snapshot *, const struct api_asker *);
/* Whoever has the token of the inspector. */
bool api_is_operator(const struct api *, const struct api_asker *);
/* Whether a message that the inspector has of a table is not shown to its owner yet: the client of somebody
 * else said or was told it, watchers may not know it (yet), and the table is not over. */
bool api_wire_hides(struct api *, uint64_t table, const struct inspector_message *);

/* handover.c */
void handovers_free(struct api *);

/* route.c */
void api_answer_ticket(void *context, void *ticket, const struct lounge_answer *);

/* socket.c */
/* Begins a message over WebSocket in api->out, with the id of the request it answers (NULL or "": none). */
struct writer api_message(struct api *, const char *type, const char *id);
void api_socket_open(struct api *, const struct http_request *, struct http_exchange *);
void api_sockets_free(struct api *);
/* The answer to a ticket of a socket. */
void api_socket_answer(struct api_ticket *, const struct lounge_answer *);
void api_socket_send(struct api_socket *, struct span text);
bool api_socket_is_full(const struct api_socket *);
struct api *api_socket_api(const struct api_socket *);
struct api_socket *api_socket_next(const struct api_socket *);
/* Lists of subscriptions are kept by the socket that has them. */
struct api_sub **api_socket_subs(struct api_socket *);

/* feed.c */

/* Somebody who watches a table. */
struct api_sub {
    struct api_sub *prev, *next;         /* of its feed */
    struct api_sub *own_prev, *own_next; /* of its socket */
    struct api_socket *socket;
    struct api_feed *feed;
    struct api_sight sight;
    uint64_t version; /* that it was told last */
    bool is_behind;   /* was not told of the last change */
    bool is_told;     /* in this round */
};

/* Begins to watch after what the scene shows. The first message is the caller's. Refused: ERR_TABLE_UNKNOWN,
 * ERR_TOO_MANY. */
enum err api_watch(struct api *, struct api_socket *, const struct api_scene *) MUST_CHECK;
void api_unwatch(struct api_sub *);
struct api_sub *api_sub_find(struct api_socket *, uint64_t table);
/* There is room again: says what was left out. */
void api_catch_up(struct api_sub *);
/* Tells everybody who watches it how a table is now. */
void api_publish(struct api *, uint64_t table);
void api_feeds_free(struct api *);

/* Who is told when a championship changes: cup_feed.c. */
void api_cup_changed(void *context, const struct cup_fold *);
/* The ids that a socket watches, API_CUPS_MAX of them; 0: a place that is free. */
uint64_t *api_socket_cups(struct api_socket *);
/* Begins to watch, or no more. False: it watches as many as it may. */
bool api_cup_watch(struct api_socket *, uint64_t cup);
void api_cup_unwatch(struct api_socket *, uint64_t cup);
/* Writes the message about one. */
void api_cup_message(struct api *, const struct cup_fold *, const char *id);
/* There is room again: tells the newest of all that were left out. */
void api_cups_catch_up(struct api_socket *);

/* The lobby. False, and nothing is sent, when journals are lacking. */
bool api_lobby_send(struct api *, struct api_socket *, const char *id);
/* Tells all sockets that have room; how many. */
size_t api_announce(void *context, struct span text);
void api_lobby_listed(void *context, struct table *);
void api_lobby_unlisted(void *context, uint64_t table);
bool api_socket_is_in_lobby(const struct api_socket *);
void api_socket_miss_lobby(struct api_socket *);

/* Who looks at what the inspector records. */
struct api_wire {
    struct api_wire *prev, *next;
    struct api_socket *socket;
    uint64_t table;
    const struct game *game;
    bool sees_all;        /* whatever api_wire_hides says */
    uint64_t next_number; /* the first that was not sent */
};
/* The table of the scene is looked at by its owner, or by whoever sees all. Refused: ERR_TOO_MANY. */
enum err api_wire_add(struct api *, struct api_socket *, const struct api_scene *, bool sees_all,
                      const char *id) MUST_CHECK;
void api_wires_drop(struct api *, const struct api_socket *);
/* Sends what there is and has not been sent. */
void api_wires_catch_up(struct api *, const struct api_socket *);
void api_wire_recorded(void *context, uint64_t table, const struct inspector_message *);

#endif
