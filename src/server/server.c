#include "server/server.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/slice.h"
#include "server/conn.h"
#include "server/local_socket.h"
#include "server/supervisor.h"
#include "server/thinker_pool.h"

#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LISTEN_BACKLOG = 1024 };

static const int signal_numbers[] = {SIGTERM, SIGINT, SIGHUP};
enum { SIGNALS = sizeof signal_numbers / sizeof *signal_numbers };

/* A port with the server that it belongs to. */
struct served {
    struct server *server;
    const char *name; /* of its first place */
    struct port *port;
    bool has_ended; /* it has nothing more to do */
};

struct listener {
    uv_tcp_t tcp;
    struct server *server;
    struct conn_place place;
    char address[SERVER_ADDRESS_BYTES_MAX];
    bool has_handle;
    bool is_local;   /* the address is a path */
    bool is_waiting; /* a peer is there that is accepted in the next turn; until then it is not listened */
};

struct server {
    uv_loop_t loop;
    struct server_config config;
    struct conns conns;
    struct thinker *thinker;
    struct listener listener[SERVER_LISTENERS_MAX];
    size_t listener_count;
    struct served served[SERVER_LISTENERS_MAX];
    size_t served_count;
    uv_prepare_t before_wait;
    uv_timer_t timer;
    uv_timer_t goodbye;
    uv_async_t committed;  /* the store has something to say */
    struct tables *tables; /* NULL: none are kept */
    struct store *store;
    uint64_t beat_due_ms;
    uv_timer_t job_timer;
    uv_work_t job; /* what server_every was given */
    void (*job_work)(void *context);
    void *job_context;
    uint32_t job_period_ms; /* 0: there is none */
    bool job_is_running;
    void (*reload)(void *context); /* NULL: nothing is read again */
    void *reload_context;
    uv_signal_t signal[SIGNALS];
    uint64_t timer_due_ms; /* TIMERS_NEVER: the timer is stopped */
    struct histogram turns;
    uint64_t turn_us, turn_idle_us; /* when this turn began, and how long the loop had waited until then */
    uint64_t halted_ms;             /* how long it has stood still, all in all */
    bool is_late;         /* has stood still before this turn: the sockets are read before any time is over */
    bool has_waited;      /* what was due was put off for that in the last turn */
    bool defers_commits;  /* the same for what the store says */
    bool is_full;         /* a peer has been refused since there was room last */
    bool is_failing;      /* a peer could not be accepted since one could last */
    uint32_t turn_peers;  /* that were accepted in this turn */
    uv_idle_t next_peers; /* runs while others wait for it, so that the loop does not */
    bool must_end;
    bool is_ending; /* goodbye has been said */
    char complaint[256];
};

struct server_config server_config_default(void) {
    return (struct server_config){.connections_max = SERVER_CONNECTIONS_MAX_DEFAULT,
                                  .address_connections_max = SERVER_ADDRESS_CONNECTIONS_MAX_DEFAULT,
                                  .greeting_ms = SERVER_GREETING_MS,
                                  .address_requests_max = SERVER_ADDRESS_REQUESTS_MAX_DEFAULT,
                                  .address_bytes_max = SERVER_ADDRESS_BYTES_A_SECOND_DEFAULT,
                                  .address_thinking_s = SERVER_ADDRESS_THINKING_S_DEFAULT,
                                  .goodbye_ms = SERVER_GOODBYE_MS};
}

static uint32_t files_raise(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return SERVER_FILES_RESERVE;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return SERVER_FILES_RESERVE;
    return limit.rlim_cur > UINT32_MAX ? UINT32_MAX : (uint32_t)limit.rlim_cur;
}

static void connections_limit(struct server *server) {
    uint32_t files = files_raise();
    uint32_t room = files > SERVER_FILES_RESERVE ? files - SERVER_FILES_RESERVE : 1;
    if (server->config.connections_max <= room)
        return;
    log_event(LOG_WARN, "connections-limited", LOG_INT("wanted", server->config.connections_max),
              LOG_INT("max", room), LOG_INT("open_files", files));
    server->config.connections_max = room;
}

static void handle_close(uv_handle_t *handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void listeners_close(struct server *server) {
    for (size_t i = 0; i < server->listener_count; i++)
        if (server->listener[i].has_handle)
            handle_close((uv_handle_t *)&server->listener[i].tcp);
}

static void on_goodbye_over(uv_timer_t *timer) {
    struct server *server = timer->data;
    log_event(LOG_WARN, "goodbye-cut-short", LOG_INT("connections", (int64_t)server->conns.count));
    conns_abort(&server->conns);
}

static void server_end(struct server *server) {
    supervisor_say("STOPPING=1");
    server->is_ending = true;
    server->must_end = true;
    listeners_close(server);
    conns_end_greetings(&server->conns);
    for (size_t i = 0; i < server->served_count; i++) {
        struct served *served = &server->served[i];
        if (!served->has_ended)
            served->port->ops->shutdown(served->port);
    }
    thinker_cancel(server->thinker); /* nobody is left who would hear what a bot plays */
    uv_timer_start(&server->goodbye, on_goodbye_over, server->config.goodbye_ms, 0);
}

/* The time that connections, ports and tables know: that of the loop without the time in which the server
 * stood still (stopped, starved, or busy with one thing for long). So a halt is charged to nobody, whatever
 * the deadline. It shows by the timer, which should have woken us before. */
static uint64_t server_now(void *context) {
    struct server *server = context;
    uint64_t now_ms = uv_now(&server->loop) - server->halted_ms;
    if (server->timer_due_ms == TIMERS_NEVER || now_ms <= server->timer_due_ms + SERVER_LATE_MS)
        return now_ms;
    uint64_t halt_ms = now_ms - server->timer_due_ms;
    server->halted_ms += halt_ms;
    server->is_late = true;
    if (halt_ms >= SERVER_HALT_LOG_MS)
        log_event(LOG_WARN, "server-halted", LOG_INT("ms", (int64_t)halt_ms));
    return now_ms - halt_ms;
}

static uint64_t server_now_us(void) {
    return uv_hrtime() / 1000;
}

static void on_signal(uv_signal_t *handle, int number) {
    struct server *server = handle->data;
    if (number == SIGHUP &&
        server->reload == NULL) { /* what sends it means it for programs that can do that */
        log_event(LOG_WARN, "hangup-ignored",
                  LOG_TEXT("why", SPAN("nothing is read again while the server runs: to change its options "
                                       "start it again, SIGTERM ends it")));
        return;
    }
    log_event(LOG_INFO, "signal", LOG_INT("number", number));
    if (number == SIGHUP) {
        server->reload(server->reload_context);
        return;
    }
    if (server->is_ending)
        conns_abort(&server->conns);
    else
        server_end(server);
}

struct server *server_create(const struct server_config *config) {
    struct server *server = mem_alloc(sizeof *server);
    server->config = *config;
    server->timer_due_ms = TIMERS_NEVER;
    connections_limit(server);
    /* None of these fails unless files or memory are gone at the very start. */
    int failed = uv_loop_init(&server->loop);
    assert(failed == 0);
    failed = uv_loop_configure(&server->loop, UV_METRICS_IDLE_TIME);
    assert(failed == 0);
    uv_prepare_init(&server->loop, &server->before_wait);
    uv_timer_init(&server->loop, &server->timer);
    uv_timer_init(&server->loop, &server->goodbye);
    uv_idle_init(&server->loop, &server->next_peers);
    uv_handle_t *handles[] = {(uv_handle_t *)&server->before_wait, (uv_handle_t *)&server->timer,
                              (uv_handle_t *)&server->goodbye, (uv_handle_t *)&server->next_peers};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        handles[i]->data = server;
    for (size_t i = 0; i < SIGNALS; i++) {
        server->signal[i].data = server;
        failed = uv_signal_init(&server->loop, &server->signal[i]);
        assert(failed == 0);
        failed = uv_signal_start(&server->signal[i], on_signal, signal_numbers[i]);
        assert(failed == 0);
        uv_unref(
            (uv_handle_t *)&server->signal[i]); /* caught until the server is freed, but no reason to run */
    }
    conns_init(&server->conns, &server->loop, &(struct conns_clock){server, server_now, server_now_us},
               config->goodbye_ms);
    server->conns.greeting_ms = config->greeting_ms;
    server->conns.address_max = config->address_connections_max;
    server->conns.appetite = appetite_make(config->address_requests_max, config->address_bytes_max);
    server->conns.is_loopback_free = config->is_loopback_free;
    server->conns.proxies = config->proxies;
    server->thinker = thinker_pool_create(&server->loop, config->address_thinking_s);
    return server;
}

/* Leaves the loop without anything that could keep it running. */
static void handles_close(struct server *server) {
    listeners_close(server);
    handle_close((uv_handle_t *)&server->before_wait);
    handle_close((uv_handle_t *)&server->timer);
    handle_close((uv_handle_t *)&server->goodbye);
    handle_close((uv_handle_t *)&server->next_peers);
    conns_end(&server->conns);
    if (server->tables != NULL)
        handle_close((uv_handle_t *)&server->committed);
    if (server->job_period_ms != 0)
        handle_close((uv_handle_t *)&server->job_timer);
}

void server_free(struct server *server) {
    conns_abort(&server->conns);
    handles_close(server);
    for (size_t i = 0; i < SIGNALS; i++)
        handle_close((uv_handle_t *)&server->signal[i]);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    int failed = uv_loop_close(&server->loop);
    assert(failed == 0);
    conns_free(&server->conns);
    for (size_t i = 0; i < server->served_count; i++)
        server->served[i].port->ops->free(server->served[i].port);
    for (size_t i = 0; i < server->listener_count; i++)
        if (server->listener[i].is_local && server->listener[i].has_handle)
            unlink(server->listener[i].address);
    thinker_free(server->thinker);
    mem_free(server);
}

const char *server_complaint(const struct server *server) {
    return server->complaint;
}

const char *server_address(const struct server *server, const char *name) {
    for (size_t i = 0; i < server->listener_count; i++)
        if (server->listener[i].has_handle && strcmp(server->listener[i].place.name, name) == 0)
            return server->listener[i].address;
    return NULL;
}

static void on_port_ended(void *context) {
    struct served *served = context;
    served->has_ended = true;
    served->server->must_end = true; /* seen before the loop waits again: the port is in the middle of it */
}

/* Once, because whatever it is will be met again at once. */
static void log_accept_failed(struct listener *listener, const char *reason) {
    if (!listener->server->is_failing)
        log_event(LOG_WARN, "accept-failed", LOG_TEXT("listener", span_of(listener->place.name)),
                  LOG_TEXT("reason", span_of(reason)));
    listener->server->is_failing = true;
}

static void peer_take(struct listener *listener) {
    struct server *server = listener->server;
    uv_stream_t *stream = (uv_stream_t *)&listener->tcp;
    server->turn_peers++;
    if (server->must_end) {
        conn_refuse(&server->conns, stream);
        return;
    }
    if (server->conns.count >= server->config.connections_max && !listener->place.port->is_operator) {
        if (!server->is_full)
            log_event(LOG_WARN, "connections-full", LOG_INT("max", server->config.connections_max));
        server->is_full = true;
        limit_hit(LIMIT_CONNECTIONS, NULL);
        conn_refuse(&server->conns, stream);
        return;
    }
    if (conn_accept(&server->conns, stream, &listener->place) != ERR_OK) {
        log_accept_failed(listener, "the connection was lost at once");
        return;
    }
    server->is_failing = false;
    log_event(LOG_DEBUG, "connected", LOG_TEXT("listener", span_of(listener->place.name)));
}

static void on_next_peers(uv_idle_t *idle) {
    struct server *server = idle->data;
    uv_idle_stop(idle);
    for (size_t i = 0; i < server->listener_count; i++) {
        struct listener *listener = &server->listener[i];
        if (listener->is_waiting && !uv_is_closing((uv_handle_t *)&listener->tcp))
            peer_take(listener);
        listener->is_waiting = false;
    }
}

/* Whoever comes costs time before it has said anything, so a turn accepts a few: libuv looks for no more as
 * long as one is not taken. Out of files, libuv itself accepts and closes with a file that it keeps for that.
 */
static void on_peer(uv_stream_t *stream, int status) {
    struct listener *listener = stream->data;
    struct server *server = listener->server;
    if (status != 0) {
        log_accept_failed(listener, uv_strerror(status));
    } else if (server->turn_peers < SERVER_TURN_PEERS_MAX) {
        peer_take(listener);
    } else {
        listener->is_waiting = true;
        uv_idle_start(&server->next_peers, on_next_peers);
    }
}

static bool listener_address(struct listener *listener) {
    struct sockaddr_storage address;
    int size = sizeof address;
    char ip[INET6_ADDRSTRLEN];
    if (listener->is_local)
        return true;
    if (uv_tcp_getsockname(&listener->tcp, (struct sockaddr *)&address, &size) != 0 ||
        uv_ip_name((struct sockaddr *)&address, ip, sizeof ip) != 0)
        return false;
    bool is_six = address.ss_family == AF_INET6;
    in_port_t port =
        is_six ? ((struct sockaddr_in6 *)&address)->sin6_port : ((struct sockaddr_in *)&address)->sin_port;
    snprintf(listener->address, sizeof listener->address, is_six ? "[%s]:%u" : "%s:%u", ip, ntohs(port));
    return true;
}

/* Listens on one address, or (NULL) on a socket that listens already; 0 or an error of libuv. */
static int listener_open(struct listener *listener, const struct sockaddr *address, int socket) {
    int failed = uv_tcp_init(&listener->server->loop, &listener->tcp);
    if (failed != 0)
        return failed;
    listener->tcp.data = listener;
    listener->has_handle = true;
    failed = address != NULL ? uv_tcp_bind(&listener->tcp, address, 0) : uv_tcp_open(&listener->tcp, socket);
    if (failed == 0)
        failed = uv_listen((uv_stream_t *)&listener->tcp, LISTEN_BACKLOG, on_peer);
    if (failed == 0 && !listener_address(listener))
        failed = UV_EINVAL;
    if (failed == 0)
        return 0;
    /* Another address may be tried with the same memory, so libuv must have let go of it. */
    handle_close((uv_handle_t *)&listener->tcp);
    uv_run(&listener->server->loop, UV_RUN_NOWAIT);
    listener->has_handle = false;
    return failed;
}

/* Tries the addresses of one family in turn. */
static int listener_try(struct listener *listener, const struct addrinfo *found, int family, int failed) {
    for (; found != NULL && failed != 0; found = found->ai_next)
        if (found->ai_family == family)
            failed = listener_open(listener, found->ai_addr, -1);
    return failed;
}

/* Listens at a place of its own. */
static int listener_find(struct listener *listener, const char *host, uint16_t number) {
    char service[8];
    snprintf(service, sizeof service, "%u", number);
    if (strcmp(host, "localhost") == 0) /* means this machine, whatever a resolver says (RFC 6761) */
        host = "127.0.0.1";
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    uv_getaddrinfo_t request;
    int failed = uv_getaddrinfo(&listener->server->loop, &request, NULL, host, service, &hints);
    if (failed != 0)
        return failed;
    failed = listener_try(listener, request.addrinfo, AF_INET, UV_EAFNOSUPPORT);
    failed = listener_try(listener, request.addrinfo, AF_INET6, failed);
    uv_freeaddrinfo(request.addrinfo);
    return failed;
}

static void served_add(struct server *server, const char *name, struct port *port) {
    for (size_t i = 0; i < server->served_count; i++)
        if (server->served[i].port == port)
            return;
    struct served *served = &server->served[server->served_count++];
    *served = (struct served){.server = server, .name = name, .port = port};
    port->ended = on_port_ended;
    port->ended_context = served;
}

static struct listener *server_listener_add(struct server *server, const struct conn_place *place) {
    assert(server->listener_count < SERVER_LISTENERS_MAX);
    struct listener *listener = &server->listener[server->listener_count++];
    *listener = (struct listener){.server = server, .place = *place};
    served_add(server, place->name, place->port);
    return listener;
}

static void log_listening(const struct listener *listener) {
    log_event(LOG_INFO, "listening", LOG_TEXT("protocol", span_of(listener->place.name)),
              LOG_TEXT("address", span_of(listener->address)));
}

enum err server_listen_local(struct server *server, const char *name, const char *path, struct port *port) {
    struct listener *listener = server_listener_add(server, &(struct conn_place){.name = name, .port = port});
    listener->is_local = true;
    snprintf(listener->address, sizeof listener->address, "%s", path);
    int fd = local_socket_listen(path, server->complaint, sizeof server->complaint);
    if (fd < 0)
        return ERR_IO;
    int failed = listener_open(listener, NULL, fd);
    if (failed != 0) {
        snprintf(server->complaint, sizeof server->complaint, "cannot listen for %s on %s: %s", name, path,
                 uv_strerror(failed));
        return ERR_IO;
    }
    log_listening(listener);
    return ERR_OK;
}

enum err server_listen(struct server *server, const struct server_place *place, struct port *port) {
    struct listener *listener =
        server_listener_add(server, &(struct conn_place){.name = place->name,
                                                         .port = port,
                                                         .tls = place->tls,
                                                         .is_http = place->is_http,
                                                         .wants_header = place->wants_header});
    int given = supervisor_socket(place->name);
    int failed = given >= 0 ? listener_open(listener, NULL, given)
                            : listener_find(listener, place->host, place->number);
    if (failed != 0) {
        snprintf(server->complaint, sizeof server->complaint, "cannot listen for %s on %s port %u: %s",
                 place->name, place->host, place->number, uv_strerror(failed));
        return ERR_IO;
    }
    log_listening(listener);
    return ERR_OK;
}

const struct port_figures *server_port_figures(const struct server *server, size_t index, const char **name) {
    if (index >= server->served_count)
        return NULL;
    *name = server->served[index].name;
    return &server->served[index].port->figures;
}

const char *server_port_name(const struct server *server, const struct port *port) {
    for (size_t i = 0; i < server->served_count; i++)
        if (server->served[i].port == port)
            return server->served[i].name;
    return "";
}

void server_figures(const struct server *server, struct server_figures *out) {
    *out = (struct server_figures){.turns = &server->turns, .halted_ms = server->halted_ms};
}

static void on_wake(void *context) {
    struct server *server = context;
    uv_async_send(&server->committed);
}

static void commits_take(struct server *server, uint64_t now_ms) {
    for (size_t i = 0; i < server->served_count; i++) /* they learn the time before they are told things */
        server->served[i].port->ops->advance(server->served[i].port, now_ms);
    tables_advance(server->tables, now_ms);
    store_drain(server->store);
}

static void on_committed(uv_async_t *async) {
    struct server *server = async->data;
    uint64_t now_ms = server_now(server);
    server->defers_commits = server->is_late && !server->defers_commits;
    if (server->defers_commits) {
        uv_async_send(&server->committed);
        return;
    }
    commits_take(server, now_ms);
}

void server_keep(struct server *server, struct tables *tables, struct store *store) {
    server->tables = tables;
    server->store = store;
    server->committed.data = server;
    int failed = uv_async_init(&server->loop, &server->committed, on_committed);
    assert(failed == 0);
    (void)failed;
    store->wake_context = server;
    store->wake = on_wake;
    uv_async_send(&server->committed); /* for what was committed before anybody listened */
}

struct thinker *server_thinker(struct server *server) {
    return server->thinker;
}

static void job_run(uv_work_t *job) {
    struct server *server = job->data;
    server->job_work(server->job_context);
}

static void on_job_done(uv_work_t *job, int status) {
    struct server *server = job->data;
    (void)status;
    server->job_is_running = false;
}

static void on_job_due(uv_timer_t *timer) {
    struct server *server = timer->data;
    if (server->job_is_running)
        return;
    server->job_is_running = uv_queue_work(&server->loop, &server->job, job_run, on_job_done) == 0;
}

void server_every(struct server *server, uint32_t period_ms, void (*work)(void *context), void *context) {
    assert(server->job_period_ms == 0 && period_ms > 0);
    server->job_work = work;
    server->job_context = context;
    server->job_period_ms = period_ms;
    server->job.data = server->job_timer.data = server;
    uv_timer_init(&server->loop, &server->job_timer);
    uv_timer_start(&server->job_timer, on_job_due, period_ms, period_ms);
}

void server_on_reload(struct server *server, void (*reload)(void *context), void *context) {
    server->reload = reload;
    server->reload_context = context;
}

struct conns *server_conns(struct server *server) {
    return &server->conns;
}

uint64_t server_clock_ms(struct server *server) {
    return server_now(server);
}

void server_stop(struct server *server) {
    server->must_end = true;
}

void server_drain(struct server *server, bool is_draining) {
    if (server->tables != NULL)
        tables_drain(server->tables, is_draining);
}

void server_set_limits(struct server *server, uint32_t connections_max, uint32_t address_connections_max) {
    server->config.connections_max = connections_max;
    connections_limit(server);
    server->conns.address_max = address_connections_max;
}

static void tables_serve(struct server *server, uint64_t now_ms) {
    if (server->tables == NULL)
        return;
    tables_advance(server->tables, now_ms);
    if (now_ms < server->beat_due_ms)
        return;
    server->beat_due_ms = now_ms + SERVER_BEAT_MS;
    log_settle();
    commits_take(server, now_ms); /* a loop that is late to hear of them is no failing disk */
    tables_beat(server->tables);
    if (tables_are_drained(server->tables) && !server->must_end) {
        log_event(LOG_INFO, "drained", LOG_TEXT("why", SPAN("no table runs any more: the server ends")));
        server_stop(server);
    }
    if (supervisor_watches())
        supervisor_say("WATCHDOG=1");
}

static void on_timer(uv_timer_t *timer) {
    struct server *server = timer->data;
    uint64_t now_ms = server_now(server);
    server->timer_due_ms = TIMERS_NEVER;
    server->has_waited = server->is_late && !server->has_waited;
    if (server->has_waited) /* due at once, but behind what lies in the sockets */
        return;
    for (size_t i = 0; i < server->served_count; i++) {
        struct port *port = server->served[i].port;
        if (port->ops->next_ms(port) <= now_ms)
            port->ops->advance(port, now_ms);
    }
    tables_serve(server, now_ms);
    conns_advance(&server->conns, now_ms);
}

/* Arms the one timer for whatever is due first. */
static void timer_set(struct server *server) {
    uint64_t due_ms = conns_next_ms(&server->conns);
    for (size_t i = 0; i < server->served_count; i++) {
        uint64_t port_ms = server->served[i].port->ops->next_ms(server->served[i].port);
        due_ms = port_ms < due_ms ? port_ms : due_ms;
    }
    if (server->tables != NULL) {
        uint64_t clock_ms = tables_next_ms(server->tables);
        due_ms = clock_ms < due_ms ? clock_ms : due_ms;
        due_ms = server->beat_due_ms < due_ms ? server->beat_due_ms : due_ms;
    }
    if (due_ms == server->timer_due_ms)
        return;
    uint64_t now_ms = server_now(server);
    server->timer_due_ms = due_ms > now_ms || due_ms == TIMERS_NEVER ? due_ms : now_ms;
    if (due_ms == TIMERS_NEVER)
        uv_timer_stop(&server->timer);
    else
        uv_timer_start(&server->timer, on_timer, due_ms > now_ms ? due_ms - now_ms : 0, 0);
}

/* What the loop has done since it waited before. */
static void turn_count(struct server *server) {
    uint64_t now_us = server_now_us(), idle_us = uv_metrics_idle_time(&server->loop) / 1000;
    uint64_t passed_us = now_us - server->turn_us, waited_us = idle_us - server->turn_idle_us;
    if (server->turn_us != 0)
        histogram_add(&server->turns, passed_us > waited_us ? passed_us - waited_us : 0);
    server->turn_us = now_us;
    server->turn_idle_us = idle_us;
}

/* Work for those who rest keeps the loop from waiting, so its thread never sleeps, and the kernel may let
 * other threads on the same core wait for it until the next tick of its clock, which is up to ten
 * milliseconds. Somebody waits for the disk: its threads have the core now, if they are ready. */
static void core_share(const struct server *server) {
    if (server->conns.accounts.resting_count > 0 && server->store != NULL && store_is_writing(server->store))
        sched_yield();
}

static void on_before_wait(uv_prepare_t *prepare) {
    struct server *server = prepare->data;
    turn_count(server);
    core_share(server);
    server->is_late = false;
    server->turn_peers = 0;
    conns_settle(&server->conns);
    if (server->must_end && !server->is_ending) {
        server_end(server);
        conns_settle(&server->conns);
    }
    if (server->conns.count < server->config.connections_max)
        server->is_full = false;
    if (server->is_ending && server->conns.count == 0)
        handles_close(server);
    else
        timer_set(server);
}

void server_run(struct server *server) {
    slice_ask(SLICE_LOOP_US);
    uv_prepare_start(&server->before_wait, on_before_wait);
    supervisor_say("READY=1");
    if (server->tables != NULL)
        tables_store(server->tables)->is_serving = true;
    uv_run(&server->loop, UV_RUN_DEFAULT);
    log_event(LOG_INFO, "ended", LOG_INT("memory_peak_bytes", (int64_t)mem_peak()),
              LOG_INT("memory_bytes", (int64_t)mem_used()));
}
