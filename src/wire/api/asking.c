/* What a request over HTTP and its answer are made of, whichever path it has. */
#include "wire/api/asking.h"

#include "base/mem.h"

enum { GZIP_BYTES_MIN = 1024 };

const char asking_type[] = "application/json";
static const char type_problem[] = "application/problem+json";

/* Answers. */

static void asking_send(struct api *api, struct http_exchange *x, bool accepts_gzip, int status,
                        const char *type) {
    struct span body = buf_span(&api->out);
    http_exchange_set_headers(x, buf_span(&api->cors));
    if (!accepts_gzip || body.size < GZIP_BYTES_MIN) {
        http_answer(x, status, type, body);
        return;
    }
    /* Whoever is asked the same again answers the same again: a list while nothing changes, say. */
    bool is_same = api->packed.size > 0 && api->packed_from.size == body.size &&
                   memcmp(api->packed_from.data, body.data, body.size) == 0;
    if (!is_same) {
        buf_clear(&api->packed_from);
        buf_append(&api->packed_from, body);
        buf_clear(&api->packed);
        http_gzip(&api->packed, body);
    }
    http_answer_gzip(x, status, type, buf_span(&api->packed));
    if (body.size > API_PACKED_BYTES_MAX) {
        buf_free(&api->packed);
        buf_free(&api->packed_from);
    }
}

struct writer asking_writer(struct api *api) {
    struct writer w;
    buf_clear(&api->out);
    writer_init(&w, WRITER_JSON, &api->out);
    return w;
}

/* What may be better in a moment says when to ask again. */
void asking_answer_problem(struct api *api, struct http_exchange *x, const struct api_refusal *refusal) {
    if (refusal->why == ERR_LATER) { /* see past.h: it is taken again */
        api->is_put_off = true;
        return;
    }
    struct writer w = asking_writer(api);
    api_write_problem(&w, refusal);
    if (api_status(refusal->why) != 503) {
        asking_send(api, x, false, api_status(refusal->why), type_problem);
        return;
    }
    struct buf lines = {0};
    buf_append(&lines, buf_span(&api->cors));
    buf_append(&lines, SPAN("Retry-After: 2\r\n"));
    http_exchange_set_headers(x, buf_span(&lines));
    http_answer(x, 503, type_problem, buf_span(&api->out));
    buf_free(&lines);
}

void asking_refuse(const struct asking *a, enum err why, const char *reason) {
    asking_answer_problem(a->api, a->exchange, &(struct api_refusal){.why = why, .reason = reason});
}

void asking_refuse_as(const struct asking *a, struct refusal why) {
    asking_refuse(a, why.why, why.sentence);
}

void asking_refuse_method(const struct asking *a, const struct buf *allow) {
    struct api *api = a->api;
    struct writer w = asking_writer(api);
    api_write_problem(&w, &(struct api_refusal){.why = ERR_METHOD_UNKNOWN});
    http_exchange_set_headers(a->exchange, buf_span(allow));
    http_answer(a->exchange, api_status(ERR_METHOD_UNKNOWN), type_problem, buf_span(&api->out));
}

void asking_answer(struct api *api, struct http_exchange *x, bool accepts_gzip, int status) {
    asking_send(api, x, accepts_gzip, status, asking_type);
}

void asking_done(const struct asking *a, int status) {
    asking_answer(a->api, a->exchange, a->request->accepts_gzip, status);
}

/* Tickets. */

struct api_ticket *asking_ticket(const struct asking *a, enum api_reply reply) {
    struct api_ticket *t = mem_alloc(sizeof *t);
    t->api = a->api;
    t->reply = reply;
    t->exchange = a->exchange;
    t->accepts_gzip = a->request->accepts_gzip;
    return t;
}

/* Reading. */

struct span asking_query(const struct asking *a, const char *name) {
    struct span query = a->request->query;
    while (query.size > 0) {
        const char *end = memchr(query.data, '&', query.size);
        size_t size = end == NULL ? query.size : (size_t)(end - query.data);
        const char *equals = memchr(query.data, '=', size);
        size_t name_size = equals == NULL ? size : (size_t)(equals - query.data);
        if (span_is(span_make(query.data, name_size), name))
            return equals == NULL ? SPAN("") : span_make(equals + 1, size - name_size - 1);
        size += end != NULL;
        query = span_make(query.data + size, query.size - size);
    }
    return SPAN("");
}

/* A number of the query within bounds; *out stays when it is not there. */
bool asking_number(const struct asking *a, const char *name, int64_t min, int64_t max, int64_t *out) {
    struct span text = asking_query(a, name);
    int64_t value;
    if (text.size == 0)
        return true;
    if (!span_to_int(text, &value) || value < min || value > max)
        return false;
    *out = value;
    return true;
}

/* Other types are those that a page of any origin may send without being asked back. */
bool asking_type_is_json(struct span type) {
    const char *semicolon = type.size == 0 ? NULL : memchr(type.data, ';', type.size);
    size_t size = semicolon == NULL ? type.size : (size_t)(semicolon - type.data);
    return span_is_nocase(span_trim(span_make(type.data, size)), asking_type);
}

/* The body; NULL, and it is answered, when it is none. An empty one is an empty object. */
json_t *asking_body(const struct asking *a) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *message = NULL;
    if (a->request->body.size == 0)
        return json_object();
    enum err e = json_read_object(a->request->body, &message, complaint);
    if (e != ERR_OK)
        asking_refuse(a, e, complaint);
    return message;
}

bool asking_player(const struct asking *a, struct api_scene *scene) {
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, scene);
    if (e == ERR_OK && scene->sight.seat == SEAT_WATCHER)
        e = ERR_TOKEN_UNKNOWN;
    if (e != ERR_OK)
        asking_refuse(a, e, NULL);
    return e == ERR_OK;
}
