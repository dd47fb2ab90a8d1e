#include "base/mem.h"
#include "wire/http/internal.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>
#include <utlist.h>

struct http_exchange *http_exchange_create(struct http_session *s, bool is_head, bool is_1_0, bool closes) {
    struct http_port *p = s->port;
    struct http_exchange *e = p->spare;
    if (e != NULL) {
        LL_DELETE(p->spare, e);
        p->spare_count--;
    } else {
        e = mem_alloc(sizeof *e);
    }
    *e = (struct http_exchange){
        .port = p, .session = s, .answer = e->answer, .is_head = is_head, .is_1_0 = is_1_0, .closes = closes};
    if (p->config.figures != NULL)
        e->begun_us = p->config.now_us();
    DL_APPEND2(p->exchanges, e, all_prev, all_next);
    if (s->last == NULL)
        s->first = e;
    else
        s->last->next = e;
    s->last = e;
    s->exchange_count++;
    return e;
}

static void exchange_free(struct http_exchange *e) {
    struct http_port *p = e->port;
    timers_stop(&p->timers, &e->timer);
    DL_DELETE2(p->exchanges, e, all_prev, all_next);
    buf_clear(&e->answer);
    if (e->answer.capacity > HTTP_SPARE_BYTES_MAX)
        buf_free(&e->answer);
    if (p->spare_count < HTTP_SPARE_COUNT_MAX) {
        LL_PREPEND(p->spare, e);
        p->spare_count++;
        return;
    }
    buf_free(&e->answer);
    mem_free(e);
}

void http_exchanges_free(struct http_port *p) {
    struct http_exchange *e, *next;
    DL_FOREACH_SAFE2(p->exchanges, e, next, all_next)
    exchange_free(e);
    LL_FOREACH_SAFE(p->spare, e, next) {
        buf_free(&e->answer);
        mem_free(e);
    }
}

/* The answer of the first exchange of a session is in the port's output. */
static void session_pop(struct http_session *s) {
    struct http_exchange *e = s->first;
    s->must_close = e->closes;
    s->first = e->next;
    if (s->first == NULL)
        s->last = NULL;
    s->exchange_count--;
    s->kept_bytes -= e->answer.size;
    exchange_free(e);
}

void http_session_orphan(struct http_session *s) {
    while (s->first != NULL) {
        struct http_exchange *e = s->first;
        s->first = e->next;
        e->session = NULL;
        if (e->wait != NULL)
            http_wait_abandon(e->wait);
        else if (!e->is_answered)
            continue;
        exchange_free(e);
    }
    s->last = NULL;
    s->exchange_count = 0;
    s->kept_bytes = 0;
}

void http_session_send(struct http_session *s) {
    struct http_port *p = s->port;
    if (p->out.size == 0)
        return;
    link_send(s->link, buf_span(&p->out));
    buf_clear(&p->out);
    s->is_blocked = link_is_full(s->link);
}

void http_session_flush(struct http_session *s) {
    struct http_port *p = s->port;
    assert(p->writer == s);
    http_session_send(s);
    while (s->first != NULL && s->first->is_ready && !s->is_blocked) {
        buf_append(&p->out, buf_span(&s->first->answer));
        session_pop(s);
        if (p->out.size >= HTTP_SEND_BYTES)
            http_session_send(s);
    }
    http_session_send(s);
}

static const char *status_line(int status) {
    static const struct {
        int status;
        const char *line;
    } lines[] = {
        {200, "HTTP/1.1 200 OK\r\n"},
        {201, "HTTP/1.1 201 Created\r\n"},
        {202, "HTTP/1.1 202 Accepted\r\n"},
        {204, "HTTP/1.1 204 No Content\r\n"},
        {301, "HTTP/1.1 301 Moved Permanently\r\n"},
        {302, "HTTP/1.1 302 Found\r\n"},
        {303, "HTTP/1.1 303 See Other\r\n"},
        {304, "HTTP/1.1 304 Not Modified\r\n"},
        {400, "HTTP/1.1 400 Bad Request\r\n"},
        {401, "HTTP/1.1 401 Unauthorized\r\n"},
        {403, "HTTP/1.1 403 Forbidden\r\n"},
        {404, "HTTP/1.1 404 Not Found\r\n"},
        {405, "HTTP/1.1 405 Method Not Allowed\r\n"},
        {406, "HTTP/1.1 406 Not Acceptable\r\n"},
        {408, "HTTP/1.1 408 Request Timeout\r\n"},
        {409, "HTTP/1.1 409 Conflict\r\n"},
        {410, "HTTP/1.1 410 Gone\r\n"},
        {413, "HTTP/1.1 413 Content Too Large\r\n"},
        {415, "HTTP/1.1 415 Unsupported Media Type\r\n"},
        {417, "HTTP/1.1 417 Expectation Failed\r\n"},
        {422, "HTTP/1.1 422 Unprocessable Content\r\n"},
        {426, "HTTP/1.1 426 Upgrade Required\r\n"},
        {429, "HTTP/1.1 429 Too Many Requests\r\n"},
        {431, "HTTP/1.1 431 Request Header Fields Too Large\r\n"},
        {500, "HTTP/1.1 500 Internal Server Error\r\n"},
        {501, "HTTP/1.1 501 Not Implemented\r\n"},
        {503, "HTTP/1.1 503 Service Unavailable\r\n"},
        {505, "HTTP/1.1 505 HTTP Version Not Supported\r\n"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].status == status)
            return lines[i].line;
    return NULL;
}

/* The wall clock is read once a turn, and written anew once a second. */
static struct span date_header(struct http_port *p) {
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct span date = span_make(p->date, HTTP_DATE_BYTES);
    if (p->date_turn_ms == p->now_ms && p->date[0] != '\0')
        return date;
    p->date_turn_ms = p->now_ms;
    int64_t now_s = p->config.wall_ms() / 1000;
    if (now_s == p->date_s && p->date[0] != '\0')
        return date;
    p->date_s = now_s;
    time_t seconds = (time_t)now_s;
    struct tm tm;
    gmtime_r(&seconds, &tm);
    snprintf(p->date, sizeof p->date, "Date: %s, %02u %s %04u %02u:%02u:%02u GMT\r\n", days[tm.tm_wday % 7],
             (unsigned)tm.tm_mday % 100u, months[tm.tm_mon % 12], (unsigned)(tm.tm_year + 1900) % 10000u,
             (unsigned)tm.tm_hour % 100u, (unsigned)tm.tm_min % 100u, (unsigned)tm.tm_sec % 100u);
    return date;
}

/* What an answer consists of. */
struct answer {
    int status;
    const char *content_type;
    struct span body;
    bool is_gzip;
    uint64_t due_ms; /* 0: now */
};

struct http_tunnel *http_upgrade(struct http_exchange *e, struct span lines,
                                 const struct http_tunnel_ops *ops, void *context) {
    struct http_session *s = e->session;
    assert(!e->is_answered && s != NULL && e->port->writer == s);
    if (s->first != e || s->is_blocked)
        return NULL;
    struct buf *out = &e->port->out;
    buf_append(out,
               SPAN("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"));
    buf_append(out, lines);
    buf_append(out, SPAN("\r\n"));
    e->is_answered = true;
    e->closes = false;
    session_pop(s);
    s->is_tunnel = true;
    s->is_deaf = false;
    s->tunnel = (struct http_tunnel){ops, context};
    return &s->tunnel;
}

static void answer_write(const struct http_exchange *e, struct buf *out, const struct answer *a) {
    const char *line = status_line(a->status);
    bool has_body = a->status != 204 && a->status != 304;
    if (line != NULL)
        buf_append_text(out, line);
    else
        buf_printf(out, "HTTP/1.1 %d \r\n", a->status);
    buf_append(out, date_header(e->port));
    buf_append(out, SPAN("X-Content-Type-Options: nosniff\r\n"));
    if (has_body) {
        buf_append(out, SPAN("Content-Type: "));
        buf_append_text(out, a->content_type);
        buf_append(out, SPAN("\r\nContent-Length: "));
        buf_append_int(out, (int64_t)a->body.size);
        buf_append(out, SPAN("\r\n"));
        if (a->is_gzip)
            buf_append(out, SPAN("Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n"));
    }
    buf_append(out, e->headers);
    if (e->closes)
        buf_append(out, SPAN("Connection: close\r\n"));
    else if (e->is_1_0)
        buf_append(out, SPAN("Connection: keep-alive\r\n"));
    buf_append(out, SPAN("\r\n"));
    if (has_body && !e->is_head)
        buf_append(out, a->body);
}

static void on_due(struct timer *timer, uint64_t now_ms) {
    (void)now_ms;
    struct http_exchange *e = TIMER_OWNER(timer, struct http_exchange, timer);
    e->is_ready = true;
    http_session_ready(e->session);
}

/* How long a player who asks too often is kept waiting is no time of the server's. */
static void exchange_count(const struct http_exchange *e, int status) {
    const struct http_port_config *config = &e->port->config;
    if (config->figures == NULL || status < 100 || status > 599)
        return;
    config->figures->answers[status / 100]++;
    histogram_add(&config->figures->took, config->now_us() - e->begun_us);
}

static void exchange_answer(struct http_exchange *e, const struct answer *a) {
    struct http_port *p = e->port;
    struct http_session *s = e->session;
    assert(!e->is_answered);
    exchange_count(e, a->status);
    if (s == NULL) {
        exchange_free(e);
        return;
    }
    e->is_answered = true;
    bool is_due = a->due_ms <= p->now_ms;
    if (is_due && p->writer == s && s->first == e && !s->is_blocked) {
        answer_write(e, &p->out, a); /* the usual case: its turn is now */
        session_pop(s);
        return;
    }
    answer_write(e, &e->answer, a);
    s->kept_bytes += e->answer.size;
    if (is_due) {
        e->is_ready = true;
        http_session_ready(s);
    } else {
        timers_arm(&p->timers, &e->timer, a->due_ms, on_due);
    }
}

void http_exchange_set_headers(struct http_exchange *e, struct span lines) {
    e->headers = lines;
}

void http_answer(struct http_exchange *e, int status, const char *content_type, struct span body) {
    exchange_answer(e, &(struct answer){.status = status, .content_type = content_type, .body = body});
}

void http_answer_gzip(struct http_exchange *e, int status, const char *content_type, struct span compressed) {
    exchange_answer(e, &(struct answer){status, content_type, compressed, .is_gzip = true});
}

void http_answer_at(struct http_exchange *e, uint64_t due_ms, int status, const char *content_type,
                    struct span body) {
    exchange_answer(e, &(struct answer){status, content_type, body, .due_ms = due_ms});
}

void http_answer_gzip_at(struct http_exchange *e, uint64_t due_ms, int status, const char *content_type,
                         struct span compressed) {
    exchange_answer(e, &(struct answer){status, content_type, compressed, .is_gzip = true, .due_ms = due_ms});
}

void http_answer_refusal(struct http_exchange *e, struct http_refusal why) {
    char text[160];
    int size = snprintf(text, sizeof text, "%s\n", why.sentence);
    http_answer(e, why.status, "text/plain; charset=utf-8", span_make(text, (size_t)size));
}

void http_exchange_refuse(struct http_session *s, struct http_refusal why) {
    struct http_exchange *e = http_exchange_create(s, false, false, true);
    s->is_deaf = true;
    http_answer_refusal(e, why);
}
