/* A pair is a connection of a client and one to the server; each direction holds back what the weather does
 * not let pass yet, up to a ceiling, and then no more is read. */
#include "cli/practice/relay.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/practice/weather.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <utlist.h>
#include <uv.h>

enum {
    RELAY_READ_BYTES = 16 * 1024,
    RELAY_HELD_BYTES_MAX = 256 * 1024, /* that wait for the weather before no more is read */
    RELAY_LOOK_MS = 50,
    RELAY_SHOWN_MS_MIN = 10, /* shorter pauses are not worth a line */
    RELAY_HANDLES = 4,       /* of a pair: two sockets, two timers */
    RELAY_BACKLOG = 128,
};

struct relay;

/* One direction of a pair of connections. */
struct flow {
    struct pair *pair;
    uv_tcp_t *from, *to;
    struct weather weather;
    struct buf held;
    uv_timer_t timer; /* runs while nothing may pass */
    bool has_ended;   /* the sender says no more */
    bool has_shut;    /* and the receiver knows */
    bool is_reading;
    uint64_t pieces, pauses;
};

struct pair {
    struct pair *prev, *next;
    struct relay *relay;
    const struct relay_place *place;
    uint64_t number;
    uv_tcp_t client, server;
    uv_connect_t connecting;
    struct flow flows[2]; /* from the client, and to it */
    bool is_closing;
    unsigned handles;
};

struct door {
    struct relay *relay;
    struct relay_place *place;
    uv_tcp_t tcp;
    uint64_t number; /* of the last connection */
};

struct relay {
    const struct relay_config *config;
    uv_loop_t loop;
    struct door doors[RELAY_PLACES_MAX];
    uv_timer_t look;
    uv_signal_t signals[2];
    struct pair *pairs;
    unsigned pair_count;
    char input[RELAY_READ_BYTES];
};

struct piece {
    uv_write_t request;
    struct flow *flow;
    char data[];
};

static const char *flow_word(const struct flow *f) {
    return f == &f->pair->flows[1] ? "to the client" : "from the client";
}

static void pair_say(const struct pair *p, const struct flow *f, const char *what) {
    fprintf(stderr, "fault %s#%" PRIu64 " %s at byte %" PRIu64 ": %s\n", p->place->name, p->number,
            flow_word(f), f->weather.passed, what);
}

static void pair_handle_closed(uv_handle_t *handle) {
    struct pair *p = handle->data;
    if (--p->handles > 0)
        return;
    p->relay->pair_count--;
    DL_DELETE(p->relay->pairs, p);
    for (size_t i = 0; i < 2; i++)
        buf_free(&p->flows[i].held);
    mem_free(p);
}

static void pair_close(struct pair *p) {
    if (p->is_closing)
        return;
    p->is_closing = true;
    fprintf(stderr,
            "end %s#%" PRIu64 ": %" PRIu64 " pieces from the client, %" PRIu64 " to it, %" PRIu64 " pauses\n",
            p->place->name, p->number, p->flows[0].pieces, p->flows[1].pieces,
            p->flows[0].pauses + p->flows[1].pauses);
    uv_handle_t *handles[RELAY_HANDLES] = {(uv_handle_t *)&p->client, (uv_handle_t *)&p->server,
                                           (uv_handle_t *)&p->flows[0].timer,
                                           (uv_handle_t *)&p->flows[1].timer};
    for (size_t i = 0; i < RELAY_HANDLES; i++) {
        handles[i]->data = p;
        uv_close(handles[i], pair_handle_closed);
    }
}

static void flow_pump(struct flow *);
static void flow_read(struct flow *);

static void flow_written(uv_write_t *request, int status) {
    struct piece *piece = (struct piece *)(void *)request;
    struct flow *f = piece->flow;
    mem_free(piece);
    if (f->pair->is_closing)
        return;
    if (status != 0)
        pair_close(f->pair);
    else
        flow_read(f);
}

static void flow_write(struct flow *f, size_t size) {
    struct piece *piece = mem_alloc(sizeof *piece + size);
    piece->flow = f;
    memcpy(piece->data, f->held.data, size);
    uv_buf_t buffer = uv_buf_init(piece->data, (unsigned)size);
    buf_consume(&f->held, size);
    f->pieces++;
    if (uv_write(&piece->request, (uv_stream_t *)f->to, &buffer, 1, flow_written) == 0)
        return;
    mem_free(piece);
    pair_close(f->pair);
}

static void flow_resumed(uv_timer_t *timer) {
    struct flow *f = timer->data;
    flow_pump(f);
}

static void flow_shut_done(uv_shutdown_t *request, int status) {
    (void)status;
    mem_free(request);
}

/* All has passed that the sender said. */
static void flow_shut(struct flow *f) {
    uv_shutdown_t *request = mem_alloc(sizeof *request);
    f->has_shut = true;
    if (uv_shutdown(request, (uv_stream_t *)f->to, flow_shut_done) != 0)
        mem_free(request);
    if (f->pair->flows[0].has_shut && f->pair->flows[1].has_shut)
        pair_close(f->pair);
}

/* Lets pass what may, up to the next cut. */
static void flow_pump(struct flow *f) {
    while (f->held.size > 0 && !f->pair->is_closing && !uv_is_active((uv_handle_t *)&f->timer)) {
        size_t size = weather_room(&f->weather, f->held.size);
        if (size == 0) {
            pair_say(f->pair, f, "dropped");
            pair_close(f->pair);
            return;
        }
        flow_write(f, size);
        uint32_t pause_ms = weather_pass(&f->weather, size);
        char words[32];
        snprintf(words, sizeof words, "pause of %" PRIu32 " ms", pause_ms);
        if (pause_ms >= RELAY_SHOWN_MS_MIN)
            pair_say(f->pair, f, words);
        f->pauses += pause_ms >= RELAY_SHOWN_MS_MIN;
        if (pause_ms > 0 && !f->pair->is_closing)
            uv_timer_start(&f->timer, flow_resumed, pause_ms, 0);
    }
    if (!f->pair->is_closing && f->has_ended && !f->has_shut && f->held.size == 0)
        flow_shut(f);
    else if (!f->pair->is_closing)
        flow_read(f);
}

static void flow_space(uv_handle_t *handle, size_t wanted, uv_buf_t *out) {
    struct flow *f = handle->data;
    (void)wanted;
    *out = uv_buf_init(f->pair->relay->input, RELAY_READ_BYTES);
}

static void flow_came(uv_stream_t *stream, ssize_t size, const uv_buf_t *space) {
    struct flow *f = stream->data;
    if (size == 0)
        return;
    if (size < 0 && size != UV_EOF) {
        pair_close(f->pair);
        return;
    }
    f->has_ended = f->has_ended || size < 0;
    if (size > 0)
        buf_append(&f->held, span_make(space->base, (size_t)size));
    flow_pump(f);
}

/* Reads while there is room for more. */
static void flow_read(struct flow *f) {
    size_t waiting = f->held.size + uv_stream_get_write_queue_size((uv_stream_t *)f->to);
    bool must_read = !f->has_ended && waiting < RELAY_HELD_BYTES_MAX;
    if (must_read == f->is_reading)
        return;
    f->is_reading = must_read;
    if (!must_read)
        uv_read_stop((uv_stream_t *)f->from);
    else if (uv_read_start((uv_stream_t *)f->from, flow_space, flow_came) != 0)
        pair_close(f->pair);
}

static void flow_begin(struct flow *f, struct pair *p, bool is_down) {
    const struct relay_config *config = p->relay->config;
    f->pair = p;
    f->from = is_down ? &p->server : &p->client;
    f->to = is_down ? &p->client : &p->server;
    f->from->data = f->timer.data = f;
    weather_begin(&f->weather, config->kinds, config->seed, p->place->name, p->number, is_down);
}

static void pair_connected(uv_connect_t *request, int status) {
    struct pair *p = request->data;
    if (p->is_closing)
        return;
    if (status != 0) {
        pair_close(p);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        flow_read(&p->flows[i]);
}

static bool relay_parse(const char *text, struct sockaddr_in *out) {
    char host[RELAY_ADDRESS_BYTES_MAX];
    const char *colon = strrchr(text, ':');
    if (colon == NULL || !span_copy(span_make(text, (size_t)(colon - text)), host, sizeof host))
        return false;
    return uv_ip4_addr(host, (int)strtol(colon + 1, NULL, 10), out) == 0;
}

static struct pair *pair_make(struct door *door) {
    struct relay *relay = door->relay;
    struct pair *p = mem_alloc(sizeof *p);
    p->relay = relay;
    p->place = door->place;
    p->number = ++door->number;
    p->handles = RELAY_HANDLES;
    relay->pair_count++;
    DL_APPEND(relay->pairs, p);
    uv_tcp_init(&relay->loop, &p->client);
    uv_tcp_init(&relay->loop, &p->server);
    for (size_t i = 0; i < 2; i++) {
        uv_timer_init(&relay->loop, &p->flows[i].timer);
        flow_begin(&p->flows[i], p, i == 1);
    }
    return p;
}

static void relay_door_knocked(uv_stream_t *stream, int status) {
    struct door *door = stream->data;
    struct sockaddr_in server;
    if (status != 0)
        return;
    struct pair *p = pair_make(door);
    p->connecting.data = p;
    if (uv_accept(stream, (uv_stream_t *)&p->client) != 0 ||
        door->relay->pair_count > RELAY_CONNECTIONS_MAX || !relay_parse(door->place->server, &server) ||
        uv_tcp_connect(&p->connecting, &p->server, (const struct sockaddr *)&server, pair_connected) != 0) {
        pair_close(p);
        return;
    }
    uv_tcp_nodelay(&p->client, 1);
    uv_tcp_nodelay(&p->server, 1);
}

static bool relay_door_open(struct door *door) {
    struct sockaddr_in address;
    int size = sizeof address, failed = UV_EINVAL;
    if (relay_parse(door->place->address, &address))
        failed = uv_tcp_bind(&door->tcp, (const struct sockaddr *)&address, 0);
    if (failed == 0)
        failed = uv_listen((uv_stream_t *)&door->tcp, RELAY_BACKLOG, relay_door_knocked);
    if (failed == 0)
        failed = uv_tcp_getsockname(&door->tcp, (struct sockaddr *)&address, &size);
    if (failed != 0) {
        fprintf(stderr, "parlor: cannot listen for %s on %s: %s\n", door->place->name, door->place->address,
                uv_strerror(failed));
        return false;
    }
    char host[RELAY_ADDRESS_BYTES_MAX / 2];
    uv_ip4_name(&address, host, sizeof host);
    snprintf(door->place->address, sizeof door->place->address, "%s:%u", host, ntohs(address.sin_port));
    return true;
}

static void relay_signalled(uv_signal_t *handle, int number) {
    (void)number;
    uv_stop(handle->loop);
}

static void relay_looks(uv_timer_t *timer) {
    const struct relay *relay = timer->data;
    if (!relay->config->goes_on(relay->config->context))
        uv_stop(timer->loop);
}

static bool relay_open(struct relay *relay) {
    const struct relay_config *config = relay->config;
    static const int numbers[2] = {SIGTERM, SIGINT};
    bool is_open = true;
    uv_timer_init(&relay->loop, &relay->look);
    relay->look.data = relay;
    for (size_t i = 0; i < 2; i++) {
        uv_signal_init(&relay->loop, &relay->signals[i]);
        uv_signal_start(&relay->signals[i], relay_signalled, numbers[i]);
    }
    for (unsigned i = 0; i < config->place_count; i++) {
        struct door *door = &relay->doors[i];
        *door = (struct door){.relay = relay, .place = &config->places[i]};
        uv_tcp_init(&relay->loop, &door->tcp);
        door->tcp.data = door;
        is_open = is_open && relay_door_open(door);
    }
    return is_open;
}

static void relay_close(struct relay *relay) {
    struct pair *p, *next;
    DL_FOREACH_SAFE(relay->pairs, p, next) pair_close(p);
    uv_close((uv_handle_t *)&relay->look, NULL);
    for (size_t i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&relay->signals[i], NULL);
    for (unsigned i = 0; i < relay->config->place_count; i++)
        uv_close((uv_handle_t *)&relay->doors[i].tcp, NULL);
    uv_run(&relay->loop, UV_RUN_DEFAULT);
    int failed = uv_loop_close(&relay->loop);
    assert(failed == 0);
    (void)failed;
}

bool relay_run(const struct relay_config *config) {
    assert(config->place_count <= RELAY_PLACES_MAX);
    struct relay *relay = mem_alloc(sizeof *relay);
    relay->config = config;
    uv_loop_init(&relay->loop);
    bool is_open = relay_open(relay);
    if (is_open) {
        uv_timer_start(&relay->look, relay_looks, RELAY_LOOK_MS, RELAY_LOOK_MS);
        config->ready(config->context);
        uv_run(&relay->loop, UV_RUN_DEFAULT);
    }
    relay_close(relay);
    mem_free(relay);
    return is_open;
}
