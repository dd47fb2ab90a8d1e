/* A request over HTTP while it is being taken, and the ways to answer it: for the files that have paths
 * (route.c, championships.c, claims.c, handover.c). */
#ifndef WIRE_API_ASKING_H
#define WIRE_API_ASKING_H

#include "wire/api/internal.h"

enum {
    ASKING_PIECES_MAX = 7, /* of a path: api, v1, tables, CODE, at, VERSION, and one that is too many */
    ASKING_REASON_BYTES_MAX = JSON_COMPLAINT_BYTES_MAX + 128,
};

struct asking {
    struct api *api;
    const struct http_request *request;
    struct http_exchange *exchange;
    struct span piece[ASKING_PIECES_MAX];
    size_t piece_count;
    struct api_asker asker;
    uint64_t table; /* the one of the path */
    uint64_t now_ms;
};

extern const char asking_type[]; /* of answers that are no refusals */

/* Begins an answer in api->out. */
struct writer asking_writer(struct api *);
/* Sends what was written, as JSON: to the request that is being taken, or to one that was taken before. */
void asking_done(const struct asking *, int status);
void asking_answer(struct api *, struct http_exchange *, bool accepts_gzip, int status);

void asking_answer_problem(struct api *, struct http_exchange *, const struct api_refusal *);
/* The reason may be NULL: the error says it. */
void asking_refuse(const struct asking *, enum err why, const char *reason);
void asking_refuse_as(const struct asking *, struct refusal why);
void asking_refuse_method(const struct asking *, const struct buf *allow);

/* For an answer that comes later. The caller keeps it, and frees it with mem_free. */
struct api_ticket *asking_ticket(const struct asking *, enum api_reply);

/* A value of the query, as it stands there; empty when it is not there. */
struct span asking_query(const struct asking *, const char *name);
/* A number of the query within bounds; *out stays when it is not there. False when it is something else. */
bool asking_number(const struct asking *, const char *name, int64_t min, int64_t max, int64_t *out);

/* Whether a type is JSON. Others are those that a page of any origin may send without being asked back. */
bool asking_type_is_json(struct span type);
/* The body, given to the caller; NULL, and it is answered, when it is none. An empty one is an empty object.
 */
json_t *asking_body(const struct asking *);

/* The table of the path for a request that only a player can make. False, and it is answered, when that
 * cannot be. */
bool asking_player(const struct asking *, struct api_scene *);

/* advice.c */

/* What a bot would play in the place of the asker, and what positions of a finished table were worth: thought
 * about by the thinker, as the asker's address has its turn. */
void advice_hint(const struct asking *);
void advice_values(const struct asking *);
/* Nobody will be answered any more. */
void advices_end(struct api *);

/* claims.c */
void claims_list(const struct asking *);
void claims_take(const struct asking *);

/* handover.c */
void handover_take(const struct asking *);

/* cards.c */

/* True when the path is one of the page that has a card; it is answered then. */
bool cards_take(struct asking *);

/* cup_file.c */

/* What is wrong with the championships of a file; false when something is. */
bool cup_file_check(const char *path, char *complaint, size_t complaint_size);
/* The championships of the configuration are opened, filled and begun, each once; also after changes. */
void cup_file_begin(struct api *);
void cup_file_end(struct api *);
void cup_file_changed(struct api *);
/* Opens one for the operator; gives what is wrong, or NULL. */
const char *cup_file_open(void *context, const json_t *message, uint64_t now_ms);

/* wires.c */

/* What whoever said a recorded message could have done then; and recording from now on. */
void wires_legal(const struct asking *);
void wires_record(const struct asking *);

/* route.c */

/* A request that may be asked with GET or POST; NULL: not with this one. */
void asking_take(const struct asking *, void (*get)(const struct asking *),
                 void (*post)(const struct asking *));

/* championships.c */
void championships_list(const struct asking *);
void championships_open(const struct asking *);

/* cup_route.c */
struct cups_answer;
/* Whatever has the name of a cup in its path. */
void cup_route_take(const struct asking *);
/* What a message says of a championship to be opened, without who opens it; field: what is wrong. Without an
 * API the protocol is not looked at. */
enum err api_read_cup_order(struct api *, const json_t *, struct cups_order *, const char **field) MUST_CHECK;
const char *api_cup_order_reason(const char *field, enum err, char reason[ASKING_REASON_BYTES_MAX]);
/* How strong the players of a game are. */
void cup_route_ratings(const struct asking *);
/* Opens one by what the message says. */
void cup_route_open(const struct asking *, const json_t *message);
void cup_route_answer(void *context, void *ticket, const struct cups_answer *);

#endif
