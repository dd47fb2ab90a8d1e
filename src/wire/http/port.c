#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "wire/http/forwarded.h"
#include "wire/http/guard.h"
#include "wire/http/head.h"
#include "wire/http/internal.h"

#include <assert.h>
#include <utlist.h>

#define TEXT_PLAIN "text/plain; charset=utf-8"

struct http_port_config http_port_config_default(void) {
    return (struct http_port_config){.header_timeout_ms = 30 * 1000,
                                     .idle_timeout_ms = 75 * 1000,
                                     .wall_ms = clock_wall_ms,
                                     .now_us = clock_monotonic_us};
}

static struct http_port *http_port_of(const struct port *port) {
    return (struct http_port *)(void *)(uintptr_t)port;
}

static void session_mark(struct http_session *s) {
    if (s->is_dirty)
        return;
    s->is_dirty = true;
    s->dirty_next = s->port->dirty;
    s->port->dirty = s;
}

static void http_port_session_free(struct http_session *s) {
    struct http_port *p = s->port;
    http_session_orphan(s);
    timers_stop(&p->timers, &s->timer);
    if (s->is_dirty)
        LL_DELETE2(p->dirty, s, dirty_next);
    DL_DELETE(p->sessions, s);
    buf_free(&s->head);
    buf_free(&s->body);
    buf_free(&s->held);
    mem_free(s);
}

static void http_port_session_close(struct http_session *s) {
    link_close(s->link);
    http_port_session_free(s);
}

static void http_port_session_refuse(struct http_session *s, struct http_refusal why) {
    log_event(LOG_DEBUG, "request-refused", LOG_INT("status", why.status),
              LOG_TEXT("why", span_of(why.sentence)));
    http_exchange_refuse(s, why);
}

/* What comes behind a request that changes something is not looked at before that is answered: it would be
 * answered as if nothing had changed, and sent after the news that something has. */
static bool session_is_changing(const struct http_session *s) {
    return s->last != NULL && s->last->is_change && !s->last->is_answered;
}

static bool session_can_read(const struct http_session *s) {
    return !s->is_tunnel && !s->is_deaf && !s->is_blocked && !s->wants_continue && !session_is_changing(s) &&
           !link_is_spent(s->link) && s->exchange_count < HTTP_PIPELINE_MAX &&
           s->kept_bytes < HTTP_KEPT_BYTES_MAX;
}

static enum http_method method_of(struct span word) {
    static const char *const words[] = {
        [HTTP_METHOD_GET] = "GET", [HTTP_METHOD_HEAD] = "HEAD",     [HTTP_METHOD_POST] = "POST",
        [HTTP_METHOD_PUT] = "PUT", [HTTP_METHOD_DELETE] = "DELETE", [HTTP_METHOD_OPTIONS] = "OPTIONS",
    };
    for (int i = 0; i < HTTP_METHOD_OTHER; i++)
        if (span_is(word, words[i]))
            return (enum http_method)i;
    return HTTP_METHOD_OTHER;
}

/* True when WebSocket is among the protocols of an Upgrade header. */
static bool wants_websocket(struct span protocols) {
    while (protocols.size > 0) {
        const char *comma = memchr(protocols.data, ',', protocols.size);
        size_t size = comma == NULL ? protocols.size : (size_t)(comma - protocols.data);
        if (span_is_nocase(span_trim(span_make(protocols.data, size)), "websocket"))
            return true;
        protocols = comma == NULL ? SPAN("") : span_make(comma + 1, protocols.size - size - 1);
    }
    return false;
}

/* The words of the first route that has some. */
static void problem_write(const struct http_port *p, enum err why, struct buf *out) {
    for (size_t i = 0; i < p->route_count && out->size == 0; i++)
        if (p->route[i].problem != NULL)
            p->route[i].problem(out, why);
}

/* The first route that invites somebody speaks for all. */
static const char *invited_origin(const struct http_port *p) {
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].origin != NULL)
            return p->route[i].origin;
    return NULL;
}

static void route_take(struct http_port *p, const struct http_request *request, struct http_exchange *e) {
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].take(p->route[i].context, request, e, p->now_ms))
            return;
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].unknown != NULL && p->route[i].unknown(p->route[i].context, request, e))
            return;
    http_answer_refusal(e, http_path_unknown);
}

/* Requests that wait. */

static void wait_free(struct http_wait *w) {
    DL_DELETE(w->port->waits, w);
    buf_free(&w->texts);
    mem_free(w);
}

static void wait_resume(void *ticket, enum err why) {
    struct http_wait *w = ticket;
    if (why == ERR_OK)
        route_take(w->port, &w->request, w->exchange);
    else
        w->route->waited(w->route->context, &w->request, w->exchange, why);
    wait_free(w);
}

/* A copy that lasts as long as it is waited. */
static struct http_wait *wait_keep(struct http_port *p, const struct http_request *request,
                                   struct http_exchange *e) {
    struct http_wait *w = mem_alloc(sizeof *w);
    struct span *const texts[] = {&w->request.path,          &w->request.query,
                                  &w->request.body,          &w->request.content_type,
                                  &w->request.authorization, &w->request.host,
                                  &w->request.origin,        &w->request.idempotency_key,
                                  &w->request.websocket_key, &w->request.websocket_version,
                                  &w->request.if_none_match};
    *w = (struct http_wait){.port = p, .exchange = e, .request = *request};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        buf_append(&w->texts, *texts[i]);
    const char *at = w->texts.data;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = span_make(texts[i]->data == NULL ? NULL : at, texts[i]->size);
        at += texts[i]->size;
    }
    DL_APPEND(p->waits, w);
    return w;
}

struct http_wait *http_wait(struct http_exchange *e, const struct http_request *request,
                            void (*gone)(void *context), void *context) {
    assert(!e->is_answered && e->wait == NULL);
    struct http_wait *w = wait_keep(e->port, request, e);
    w->gone = gone;
    w->context = context;
    e->wait = w;
    return w;
}

void http_retake(struct http_wait *w) {
    w->exchange->wait = NULL;
    route_take(w->port, &w->request, w->exchange);
    wait_free(w);
}

struct http_exchange *http_wait_end(struct http_wait *w) {
    struct http_exchange *e = w->exchange;
    e->wait = NULL;
    wait_free(w);
    return e;
}

void http_wait_abandon(struct http_wait *w) {
    w->gone(w->context);
    wait_free(w);
}

static bool request_waits(struct http_port *p, const struct http_request *request, struct http_exchange *e) {
    for (size_t i = 0; i < p->route_count; i++) {
        if (p->route[i].waits == NULL)
            continue;
        struct http_wait *w = wait_keep(p, request, e);
        w->route = &p->route[i];
        if (p->route[i].waits(p->route[i].context, &w->request, wait_resume, w))
            return true;
        wait_free(w);
    }
    return false;
}

static void problem_answer(struct http_port *p, struct http_exchange *e, int status, enum err why) {
    struct buf body = {0};
    problem_write(p, why, &body);
    http_answer(e, status, "application/problem+json", buf_span(&body));
    buf_free(&body);
}

/* The address asks too often: in the words of the route whose path it is. */
static void request_put_off(struct http_port *p, const struct http_request *request,
                            struct http_exchange *e) {
    http_exchange_set_headers(e, SPAN("Retry-After: 1\r\n"));
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].refuse != NULL && p->route[i].refuse(p->route[i].context, request, e, ERR_TOO_OFTEN))
            return;
    problem_answer(p, e, 429, ERR_TOO_OFTEN);
}

static void route(struct http_port *p, const struct http_request *request, struct http_exchange *e) {
    bool is_banned =
        p->config.is_banned != NULL && p->config.is_banned(p->config.ban_context, &request->client);
    enum err why = is_banned ? ERR_BANNED : http_guard_check(&p->config.guard, invited_origin(p), request);
    if (why != ERR_OK) {
        problem_answer(p, e, 403, why);
        return;
    }
    if (!request_waits(p, request, e))
        route_take(p, request, e);
}

/* Where the client is: of a request that a trusted proxy hands on, where the proxy says. */
static struct address session_client(const struct http_session *s, const struct http_head *head,
                                     bool is_proxy) {
    struct address client;
    bool is_told = is_proxy && (s->port->config.proxy_header == HTTP_FORWARDED
                                    ? forwarded_read(head->forwarded, &client)
                                    : forwarded_read_plain(head->forwarded_for, &client));
    return is_told ? client : s->link->origin;
}

/* Whether the client came over TLS: what a proxy does not say is as it came here. */
static bool session_is_secure(const struct http_session *s, const struct http_head *head, bool is_proxy) {
    bool is_secure = s->link->is_secure;
    if (is_proxy && s->port->config.proxy_header == HTTP_FORWARDED)
        forwarded_read_proto(head->forwarded, &is_secure);
    else if (is_proxy)
        forwarded_read_plain_proto(head->forwarded_proto, &is_secure);
    return is_secure;
}

/* A whole request. */
static void session_take(struct http_session *s, const struct http_head *head, struct span body) {
    bool is_proxy = addresses_have(&s->port->config.proxies, &s->link->origin);
    struct address client = session_client(s, head, is_proxy);
    const struct http_request request = {
        .method = method_of(head->method),
        .path = head->path,
        .query = head->query,
        .body = body,
        .content_type = head->content_type,
        .authorization = head->authorization,
        .if_none_match = head->if_none_match,
        .host = head->host,
        .origin = head->origin,
        .idempotency_key = head->idempotency_key,
        .wants_websocket = !head->is_1_0 && wants_websocket(head->upgrade),
        .websocket_key = head->websocket_key,
        .websocket_version = head->websocket_version,
        .accepts_gzip = head->accepts_gzip,
        .accepts_html = head->accepts_html,
        .is_secure = session_is_secure(s, head, is_proxy),
        .address = address_equal(&client, &s->link->origin) && !is_proxy ? s->link->address : client,
        .client = client,
        .uid = s->link->uid,
        .pid = s->link->pid,
    };
    s->watch = HTTP_WATCH_NOTHING; /* the next request has its own time */
    s->deadline_ms = TIMERS_NEVER;
    s->is_deaf = !head->keeps_alive;
    struct http_exchange *e =
        http_exchange_create(s, request.method == HTTP_METHOD_HEAD, head->is_1_0, s->is_deaf);
    e->is_change = request.method != HTTP_METHOD_GET && request.method != HTTP_METHOD_HEAD;
    if (link_may_ask(s->link, &request.address))
        route(s->port, &request, e);
    else
        request_put_off(s->port, &request, e);
    link_heard(s->link);
}

/* The request of which head and body were kept is whole. */
static void session_take_kept(struct http_session *s) {
    struct http_head head;
    int status = http_head_read(buf_span(&s->head), &head);
    assert(status == 0);
    (void)status;
    s->is_in_body = false;
    /* Moved out, so that whatever the route does finds the session between two requests. */
    struct buf head_bytes = s->head, body_bytes = s->body;
    s->head = s->body = (struct buf){0};
    session_take(s, &head, buf_span(&body_bytes));
    buf_free(&head_bytes);
    buf_free(&body_bytes);
}

/* Reads on in a body; false when it needs more bytes or is refused. */
static bool http_port_body_read(struct http_session *s, struct span *bytes) {
    if (s->is_chunked) {
        bool is_done;
        enum err e = http_chunks_read(&s->chunks, bytes, &s->body, HTTP_BODY_BYTES_MAX, &is_done);
        if (e != ERR_OK)
            http_port_session_refuse(s, e == ERR_TOO_LARGE ? http_body_too_large : http_chunks_malformed);
        if (e != ERR_OK || !is_done)
            return false;
    } else {
        size_t size = bytes->size < s->body_left ? bytes->size : s->body_left;
        buf_append(&s->body, span_make(bytes->data, size));
        *bytes = span_make(bytes->data + size, bytes->size - size);
        s->body_left -= size;
        if (s->body_left > 0)
            return false;
    }
    session_take_kept(s);
    return true;
}

static void body_begin(struct http_session *s, struct span head_text, const struct http_head *head) {
    if (head_text.data != s->head.data) {
        buf_clear(&s->head);
        buf_append(&s->head, head_text);
    }
    s->is_in_body = true;
    s->is_chunked = head->is_chunked;
    s->chunks = (struct http_chunks){0};
    s->body_left = (size_t)head->body_bytes;
    s->wants_continue = head->expects_continue;
}

/* A whole head, and the bytes behind it; false when the session takes no more. */
static bool head_take(struct http_session *s, struct span head_text, struct span *bytes) {
    struct http_head head;
    int status = http_head_read(head_text, &head);
    if (status == 0 && head.body_bytes > HTTP_BODY_BYTES_MAX) {
        head.complaint = http_body_too_large.sentence;
        status = http_body_too_large.status;
    }
    if (status != 0) {
        http_port_session_refuse(s, (struct http_refusal){status, head.complaint});
        return false;
    }
    bool has_body = head.is_chunked || head.body_bytes > 0;
    if (has_body && (head.is_chunked || head.expects_continue || bytes->size < head.body_bytes)) {
        body_begin(s, head_text, &head);
        return true;
    }
    struct span body = span_make(bytes->data, (size_t)head.body_bytes);
    *bytes = span_make(bytes->data + body.size, bytes->size - body.size);
    struct buf kept = s->head;
    s->head = (struct buf){0};
    session_take(s, &head, body);
    buf_free(&kept);
    return true;
}

/* Looks for a head, in the bytes themselves when none has begun before; false when it needs more bytes or is
 * refused. */
static bool head_read(struct http_session *s, struct span *bytes) {
    size_t kept = s->head.size, head_size;
    if (kept == 0)
        s->head_looked = 0;
    else
        buf_append(&s->head, *bytes);
    struct span text = kept == 0 ? *bytes : buf_span(&s->head);
    int status = http_head_find(text, HTTP_HEADER_BYTES_MAX, &s->head_looked, &head_size);
    if (status != 0) {
        http_port_session_refuse(s, status == http_head_too_large.status ? http_head_too_large
                                                                         : http_head_malformed);
        return false;
    }
    if (head_size == 0) {
        if (kept == 0)
            buf_append(&s->head, *bytes);
        *bytes = SPAN("");
        return false;
    }
    if (kept > 0)
        s->head.size = head_size;
    *bytes = span_make(bytes->data + (head_size - kept), bytes->size - (head_size - kept));
    return head_take(s, span_make(text.data, head_size), bytes);
}

/* Takes requests until the bytes are used up or the session must wait; what is left then is held. */
static void http_port_session_read(struct http_session *s, struct span bytes) {
    struct http_port *p = s->port;
    bool goes_on = true;
    while (goes_on && bytes.size > 0 && session_can_read(s)) {
        goes_on = s->is_in_body ? http_port_body_read(s, &bytes) : head_read(s, &bytes);
        if (p->out.size >= HTTP_SEND_BYTES)
            http_session_send(s);
    }
    if (!s->is_deaf)
        buf_append(&s->held, bytes);
}

/* Says 100 when that is next. */
static void session_continue(struct http_session *s) {
    if (!s->wants_continue || s->first != NULL || s->is_blocked)
        return;
    buf_append(&s->port->out, SPAN("HTTP/1.1 100 Continue\r\n\r\n"));
    s->wants_continue = false;
}

static void http_port_on_deadline(struct timer *, uint64_t now_ms);

static enum http_watch watch_of(const struct http_session *s) {
    if (s->is_tunnel) /* whoever holds its other end watches over it */
        return HTTP_WATCH_NOTHING;
    if (s->is_blocked)
        return HTTP_WATCH_STALL;
    if (!session_can_read(s))
        return HTTP_WATCH_NOTHING;
    if (s->is_in_body || s->head.size > 0)
        return HTTP_WATCH_REQUEST;
    return s->first == NULL ? HTTP_WATCH_IDLE : HTTP_WATCH_NOTHING;
}

/* Sets the deadline, and stops or resumes reading. The timer is left where it is as long as it is not too
 * late, because most deadlines are moved on with the next request. */
static void http_port_session_watch(struct http_session *s) {
    struct http_port *p = s->port;
    s->link->kept_bytes =
        s->head.capacity + s->body.capacity + s->held.capacity + s->kept_bytes + s->tunnel_bytes;
    enum http_watch watch = watch_of(s);
    if (watch != s->watch || watch == HTTP_WATCH_IDLE) {
        uint32_t timeout_ms =
            watch == HTTP_WATCH_REQUEST ? p->config.header_timeout_ms : p->config.idle_timeout_ms;
        s->watch = (uint8_t)watch;
        s->deadline_ms = watch == HTTP_WATCH_NOTHING ? TIMERS_NEVER : p->now_ms + timeout_ms;
        if (s->deadline_ms != TIMERS_NEVER &&
            (!timer_is_armed(&s->timer) || s->timer.due_ms > s->deadline_ms))
            timers_arm(&p->timers, &s->timer, s->deadline_ms, http_port_on_deadline);
    }
    bool is_idle =
        session_is_changing(s) && s->held.size == 0; /* hardly anybody sends more, so let it come */
    bool is_held = !s->is_tunnel && !s->is_deaf && !session_can_read(s) && !is_idle;
    if (is_held != s->is_held) {
        s->is_held = is_held;
        link_hold(s->link, is_held);
    }
}

/* Gives the other end of a tunnel what it takes of the input; the rest is held until there is room for what
 * it answers. */
static void tunnel_read(struct http_session *s, struct span bytes) {
    struct buf held = s->held;
    s->held = (struct buf){0};
    if (held.size > 0) {
        buf_append(&held, bytes);
        bytes = buf_span(&held);
    }
    size_t taken = 0;
    if (!s->is_blocked && !link_is_spent(s->link) && bytes.size > 0)
        taken = s->tunnel.ops->received(s->tunnel.context, bytes, s->port->now_ms);
    if (s->tunnel.ops != NULL)
        buf_append(&s->held, span_make(bytes.data + taken, bytes.size - taken));
    buf_free(&held);
}

/* The same for one that has left HTTP. */
static void tunnel_run(struct http_session *s, struct span bytes) {
    if (s->tunnel.ops != NULL)
        tunnel_read(s, bytes);
    bool is_over = (s->is_finished && s->held.size == 0) || s->held.size > HTTP_HELD_BYTES_MAX;
    if (is_over && s->tunnel.ops != NULL) {
        s->tunnel.ops->closed(s->tunnel.context, s->port->now_ms);
        s->tunnel.ops = NULL;
    }
    if (s->tunnel.ops == NULL)
        http_port_session_close(s);
    else
        http_port_session_watch(s);
}

static struct http_session *session_of(const struct http_tunnel *tunnel) {
    return (struct http_session *)((uintptr_t)tunnel - offsetof(struct http_session, tunnel));
}

void http_tunnel_send(struct http_tunnel *tunnel, struct span bytes) {
    struct http_session *s = session_of(tunnel);
    if (s->port->writer == s) { /* the answer to the handshake goes first */
        buf_append(&s->port->out, bytes);
        return;
    }
    link_send(s->link, bytes);
    s->is_blocked = link_is_full(s->link);
}

bool http_tunnel_is_full(const struct http_tunnel *tunnel) {
    return session_of(tunnel)->is_blocked;
}

void http_tunnel_heard(struct http_tunnel *tunnel) {
    link_heard(session_of(tunnel)->link);
}

bool http_tunnel_may_ask(struct http_tunnel *tunnel, const struct address *address) {
    return link_may_ask(session_of(tunnel)->link, address);
}

void http_tunnel_keeps(struct http_tunnel *tunnel, size_t bytes) {
    session_of(tunnel)->tunnel_bytes = bytes;
}

bool http_tunnel_must_wait(const struct http_tunnel *tunnel) {
    const struct http_session *s = session_of(tunnel);
    return s->is_blocked || link_is_spent(s->link);
}

void http_tunnel_resume(struct http_tunnel *tunnel) {
    session_mark(session_of(tunnel));
}

void http_tunnel_close(struct http_tunnel *tunnel) {
    tunnel->ops = NULL;
    session_mark(session_of(tunnel));
}

/* Does for a session what can be done now: takes input (new bytes, or what was held), sends what may leave.
 * It is gone afterwards when that was its end. */
static void session_run(struct http_session *s, struct span bytes) {
    struct http_port *p = s->port;
    if (s->is_tunnel) {
        tunnel_run(s, bytes);
        return;
    }
    p->writer = s;
    if (bytes.size > 0 && s->held.size == 0)
        http_port_session_read(s, bytes);
    else if (!s->is_deaf)
        buf_append(&s->held, bytes);
    for (;;) {
        http_session_flush(s);
        session_continue(s);
        if (s->held.size == 0 || !session_can_read(s))
            break;
        struct buf held = s->held;
        s->held = (struct buf){0};
        http_port_session_read(s, buf_span(&held));
        buf_free(&held);
    }
    http_session_send(s);
    p->writer = NULL;
    if (s->is_tunnel) { /* since just now; what came behind the request is for the other end */
        tunnel_run(s, SPAN(""));
        return;
    }
    bool is_waiting = s->first != NULL || s->is_blocked || link_is_spent(s->link);
    bool is_over = s->must_close || (s->is_finished && !is_waiting);
    if (is_over || s->held.size > HTTP_HELD_BYTES_MAX)
        http_port_session_close(s);
    else
        http_port_session_watch(s);
}

/* Serves those that have become dirty, until there are none. */
static void port_settle(struct http_port *p) {
    p->is_settling = true;
    while (p->dirty != NULL) {
        struct http_session *s = p->dirty;
        p->dirty = s->dirty_next;
        s->is_dirty = false;
        session_run(s, SPAN(""));
    }
    p->is_settling = false;
}

/* Answers that are given outside of a turn of the port (when the store has committed, say) leave at once when
 * they are the only one of their connection. Of several there may be more to come, and input that was held
 * would be given to routes that are in the middle of answering: both wait for the next turn. */
void http_session_ready(struct http_session *s) {
    if (!s->port->is_settling && s->exchange_count == 1 && s->held.size == 0)
        session_run(s, SPAN(""));
    else
        session_mark(s);
}

static void http_port_on_deadline(struct timer *timer, uint64_t now_ms) {
    struct http_session *s = TIMER_OWNER(timer, struct http_session, timer);
    if (s->deadline_ms == TIMERS_NEVER)
        return;
    if (s->deadline_ms > now_ms)
        timers_arm(&s->port->timers, timer, s->deadline_ms, http_port_on_deadline);
    else if (s->watch == HTTP_WATCH_REQUEST)
        http_port_session_refuse(s, http_request_late);
    else
        http_port_session_close(s);
}

static void http_port_opened(struct port *port, struct link *link, uint64_t now_ms) {
    struct http_port *p = http_port_of(port);
    p->now_ms = now_ms;
    struct http_session *s = mem_alloc(sizeof *s);
    s->port = p;
    s->link = link;
    link->session = s;
    DL_APPEND(p->sessions, s);
    http_port_session_watch(s);
}

static void http_port_received(struct port *port, struct link *link, struct span bytes, uint64_t now_ms) {
    struct http_port *p = http_port_of(port);
    p->now_ms = now_ms;
    p->is_settling = true;
    session_run(link->session, bytes);
    port_settle(p);
}

static void http_port_finished(struct port *port, struct link *link, uint64_t now_ms) {
    struct http_session *s = link->session;
    http_port_of(port)->now_ms = now_ms;
    s->is_finished = true;
    session_mark(s);
    port_settle(s->port);
}

static void http_port_closed(struct port *port, struct link *link, uint64_t now_ms) {
    struct http_session *s = link->session;
    http_port_of(port)->now_ms = now_ms;
    if (s->tunnel.ops != NULL)
        s->tunnel.ops->closed(s->tunnel.context, now_ms);
    http_port_session_free(s);
}

static void http_port_drained(struct port *port, struct link *link, uint64_t now_ms) {
    struct http_port *p = http_port_of(port);
    struct http_session *s = link->session;
    p->now_ms = now_ms;
    s->is_blocked = false;
    if (s->tunnel.ops != NULL)
        s->tunnel.ops->drained(s->tunnel.context, now_ms);
    session_mark(s);
    port_settle(p);
}

static void http_port_resumed(struct port *port, struct link *link, uint64_t now_ms) {
    struct http_port *p = http_port_of(port);
    p->now_ms = now_ms;
    session_mark(link->session);
    port_settle(p);
}

static uint64_t http_port_next_ms(const struct port *port) {
    const struct http_port *p = http_port_of(port);
    uint64_t next_ms = p->dirty != NULL ? p->now_ms : timers_next_ms(&p->timers);
    for (size_t i = 0; i < p->route_count; i++) {
        uint64_t route_ms =
            p->route[i].next_ms == NULL ? TIMERS_NEVER : p->route[i].next_ms(p->route[i].context);
        next_ms = route_ms < next_ms ? route_ms : next_ms;
    }
    return next_ms;
}

static void http_port_advance(struct port *port, uint64_t now_ms) {
    struct http_port *p = http_port_of(port);
    p->now_ms = now_ms;
    p->is_settling = true;
    timers_advance(&p->timers, now_ms);
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].advance != NULL)
            p->route[i].advance(p->route[i].context, now_ms);
    port_settle(p);
}

/* Before anything was asked. */
static void http_port_refuse(struct port *port, struct buf *out) {
    struct http_port *p = http_port_of(port);
    struct buf body = {0};
    problem_write(p, ERR_ADDRESS_FULL, &body);
    buf_printf(out,
               "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/problem+json\r\n"
               "X-Content-Type-Options: nosniff\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
               body.size);
    buf_append(out, buf_span(&body));
    buf_free(&body);
}

/* Answers that only wait for their time are sent; a request that has none yet goes without one, because
 * whether it was done is not known here. */
static void http_port_shutdown(struct port *port) {
    struct http_port *p = http_port_of(port);
    struct http_session *s, *next;
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].shutdown != NULL)
            p->route[i].shutdown(p->route[i].context);
    DL_FOREACH_SAFE(p->sessions, s, next) {
        struct http_exchange *e;
        LL_FOREACH(s->first, e)
        e->is_ready = e->is_answered;
        p->writer = s;
        http_session_flush(s);
        p->writer = NULL;
        if (s->tunnel.ops != NULL)
            s->tunnel.ops->shutdown(s->tunnel.context);
        s->tunnel.ops = NULL;
        http_port_session_close(s);
    }
}

static void http_port_free(struct port *port) {
    struct http_port *p = http_port_of(port);
    for (size_t i = 0; i < p->route_count; i++)
        if (p->route[i].free != NULL)
            p->route[i].free(p->route[i].context);
    while (p->waits != NULL) {
        p->waits->exchange->wait = NULL;
        wait_free(p->waits);
    }
    struct http_session *s, *next;
    DL_FOREACH_SAFE(p->sessions, s, next)
    http_port_session_free(s); /* with the routes gone there is nobody behind its tunnel */
    http_exchanges_free(p);
    timers_free(&p->timers);
    buf_free(&p->out);
    mem_free(p);
}

static const struct port_ops http_port_ops = {
    .opened = http_port_opened,
    .refuse = http_port_refuse,
    .received = http_port_received,
    .closed = http_port_closed,
    .finished = http_port_finished,
    .drained = http_port_drained,
    .resumed = http_port_resumed,
    .next_ms = http_port_next_ms,
    .advance = http_port_advance,
    .shutdown = http_port_shutdown,
    .free = http_port_free,
};

struct port *http_port_create(const struct http_port_config *config, const struct http_route *routes,
                              size_t route_count) {
    assert(route_count <= HTTP_ROUTES_MAX);
    struct http_port *p = mem_alloc(sizeof *p);
    p->port.ops = &http_port_ops;
    p->config = *config;
    p->route_count = route_count;
    for (size_t i = 0; i < route_count; i++)
        p->route[i] = routes[i];
    return &p->port;
}
