/* Load for the native API over WebSocket: so many tables of Paper Soccer, one connection each, both seats
 * played by it at random; every move is sent when the one before is on disk. Prints moves a second and the
 * latencies.
 *
 *     api_load HOST:PORT TABLES SECONDS [SPARES [RATE]]
 *
 * With SPARES so many tables are opened beforehand, "ready" is printed, and the load begins with a line on
 * standard input: so that several of them begin together. With RATE so many moves a second are due, one after
 * the other at whichever table is free, and a latency counts from when its move was due. */
#include "base/clock.h"
#include "base/mem.h"
#include "cli/connect.h"
#include "cli/http_client.h"
#include "games/paper_soccer/paper_soccer.h"
#include "wire/json/read.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    TABLES_MAX = 1000,
    SPARES_MAX = 500,
    LATENCIES_MAX = 1000 * 1000,
    FRAME_BYTES_MAX = 256,
    HEAD_BYTES = 6,
    ADDRESS_BYTES_MAX = 256
};

struct seats {
    char code[16];
    char tokens[2][40];
};

struct player_table {
    int fd;
    struct seats seats;
    struct pitch *pitch;
    uint64_t sent_ns;
    struct buf input;
};

static struct player_table tables[TABLES_MAX];
static uint32_t latencies_us[LATENCIES_MAX];
static struct seats spares[SPARES_MAX]; /* tables for later games, opened before anything is measured */
static size_t spare_count;
static size_t move_count, game_count;
static struct player_table *waiting[TABLES_MAX]; /* with a rate: those whose last move is answered */
static size_t waiting_first, waiting_count;
static uint64_t step_ns, due_ns; /* between two moves, 0: there is no rate; and of the next one */
static struct rng rng;
static struct http_client client;

static void fail(const char *what) {
    fprintf(stderr, "api_load: %s\n", what);
    exit(1);
}

static json_t *post(const char *path, const char *body) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    struct buf answer = {0};
    json_t *value = NULL;
    int status;
    if (http_client_ask(&client, "POST", path, span_of(body), &status, &answer) != ERR_OK || status >= 300)
        fail("a request was refused");
    if (json_read_object(buf_span(&answer), &value, complaint) != ERR_OK)
        fail(complaint);
    buf_free(&answer);
    return value;
}

static void copy(char *into, size_t size, struct span text) {
    if (!span_copy(text, into, size))
        fail("an answer is not as expected");
}

/* A new table, with both seats taken. */
static void seats_take(struct seats *s) {
    char path[64];
    json_t *opened = post("/api/v1/tables", "{\"game\":\"paper-soccer\",\"private\":true}");
    copy(s->code, sizeof s->code, json_text(opened, "code"));
    json_decref(opened);
    snprintf(path, sizeof path, "/api/v1/tables/%s/seats", s->code);
    for (int seat = 0; seat < 2; seat++) {
        json_t *taken = post(path, "{\"name\":\"load\"}");
        copy(s->tokens[seat], sizeof s->tokens[seat], json_text(taken, "token"));
        json_decref(taken);
    }
}

/* Begins another game: at a table that was opened before, as long as there is one. */
static void table_begin(struct player_table *t) {
    if (spare_count > 0)
        t->seats = spares[--spare_count];
    else
        seats_take(&t->seats);
    const struct game_options options = game_options_default(&paper_soccer_game, 2);
    if (t->pitch == NULL)
        t->pitch = (struct pitch *)game_state_alloc(&paper_soccer_game);
    if (paper_soccer_game.setup((struct game_state *)t->pitch, &options) != ERR_OK)
        fail("no pitch");
}

static void say(int fd, const void *data, size_t size) {
    if (send_all(fd, span_make(data, size)) != ERR_OK)
        fail("the connection does not take it");
}

/* The frame of a client has a mask; one of zeros changes nothing. */
static void send_move(struct player_table *t) {
    struct game_state *state = (struct game_state *)t->pitch;
    unsigned seat = paper_soccer_game.turn(state) == SEAT_BIT(0) ? 0 : 1;
    struct action action = {0};
    char text[ACTION_TEXT_BYTES_MAX], frame[FRAME_BYTES_MAX];
    paper_soccer_game.sample(state, seat, &rng, &action);
    paper_soccer_game.action_format(state, seat, &action, text);
    paper_soccer_game.apply(state, seat, &action);
    int size = snprintf(frame + HEAD_BYTES, sizeof frame - HEAD_BYTES,
                        "{\"type\":\"act\",\"table\":\"%s\",\"token\":\"%s\",\"actions\":[\"%s\"]}",
                        t->seats.code, t->seats.tokens[seat], text);
    if (size > 125) /* what a head of this size can say */
        fail("a move is too long");
    frame[0] = (char)0x81;
    frame[1] = (char)(0x80 | size);
    memset(frame + 2, 0, HEAD_BYTES - 2);
    t->sent_ns = clock_monotonic_ns();
    say(t->fd, frame, (size_t)size + HEAD_BYTES);
}

static void table_connect(struct player_table *t, const char *address) {
    static const char shake[] = "GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                                "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                "Sec-WebSocket-Version: 13\r\n\r\n";
    char answer[1024];
    t->fd = connect_to(address);
    if (t->fd < 0)
        fail("no connection");
    say(t->fd, shake, sizeof shake - 1);
    ssize_t size = read(t->fd, answer, sizeof answer);
    if (size < 12 || memcmp(answer, "HTTP/1.1 101", 12) != 0)
        fail("no handshake");
}

static void table_goes_on(struct player_table *t) {
    if (step_ns == 0)
        send_move(t);
    else
        waiting[(waiting_first + waiting_count++) % TABLES_MAX] = t;
}

/* Whole frames of the server: answers, which are short. */
static void table_read(struct player_table *t) {
    char bytes[4096];
    ssize_t size = read(t->fd, bytes, sizeof bytes);
    if (size <= 0)
        fail("the server has closed the connection");
    buf_append(&t->input, span_make(bytes, (size_t)size));
    while (t->input.size >= 2 && t->input.size >= 2 + ((size_t)t->input.data[1] & 0x7f)) {
        size_t frame = 2 + ((size_t)t->input.data[1] & 0x7f);
        if (frame > 127 || memmem(t->input.data, frame, "\"acted\"", 7) == NULL)
            fail("a move was refused");
        buf_consume(&t->input, frame);
        if (move_count < LATENCIES_MAX)
            latencies_us[move_count] = (uint32_t)((clock_monotonic_ns() - t->sent_ns) / 1000);
        move_count++;
        if (paper_soccer_game.turn((struct game_state *)t->pitch) == 0) {
            game_count++;
            table_begin(t);
        }
        table_goes_on(t);
    }
}

/* What is due, as far as tables are free. */
static void send_due(void) {
    while (waiting_count > 0 && due_ns <= clock_monotonic_ns()) {
        struct player_table *t = waiting[waiting_first];
        waiting_first = (waiting_first + 1) % TABLES_MAX;
        waiting_count--;
        send_move(t);
        t->sent_ns = due_ns;
        due_ns += step_ns;
    }
}

/* Until something is answered, or due. */
static int await(struct pollfd *polls, size_t count) {
    uint64_t now_ns = clock_monotonic_ns(), wait_ns = 1000000000u - 1;
    if (waiting_count > 0 && due_ns < now_ns + wait_ns)
        wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    return ppoll(polls, count, &(struct timespec){.tv_nsec = (long)wait_ns}, NULL);
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    static struct pollfd polls[TABLES_MAX];
    char url[ADDRESS_BYTES_MAX];
    bool has_spares = argc == 5 || argc == 6;
    int rate = argc == 6 ? atoi(argv[5]) : 0;
    size_t count = argc == 4 || has_spares ? (size_t)atoi(argv[2]) : 0;
    size_t spares_wanted = has_spares ? (size_t)atoi(argv[4]) : SPARES_MAX;
    if (count == 0 || count > TABLES_MAX || spares_wanted > SPARES_MAX)
        fail("usage: api_load HOST:PORT TABLES SECONDS [SPARES [RATE]]");
    step_ns = rate > 0 ? 1000000000u / (uint64_t)rate : 0;
    snprintf(url, sizeof url, "http://%s", argv[1]);
    if (!http_client_open(&client, url, NULL))
        return 1;
    client.type = "application/json";
    rng_seed(&rng, 1);
    while (spare_count < spares_wanted)
        seats_take(&spares[spare_count++]);
    for (size_t i = 0; i < count; i++) {
        table_begin(&tables[i]);
        table_connect(&tables[i], argv[1]);
        polls[i] = (struct pollfd){.fd = tables[i].fd, .events = POLLIN};
    }
    if (has_spares) {
        printf("ready\n");
        fflush(stdout);
        if (getchar() == EOF)
            return 1;
    }
    uint64_t start_ns = clock_monotonic_ns(), end_ns = start_ns + (uint64_t)atoi(argv[3]) * 1000000000u;
    due_ns = start_ns;
    for (size_t i = 0; i < count; i++)
        table_goes_on(&tables[i]);
    while (clock_monotonic_ns() < end_ns && await(polls, count) >= 0) {
        for (size_t i = 0; i < count; i++)
            if (polls[i].revents != 0)
                table_read(&tables[i]);
        send_due();
    }
    double seconds = (double)(clock_monotonic_ns() - start_ns) / 1e9;
    size_t kept = move_count < LATENCIES_MAX ? move_count : LATENCIES_MAX;
    qsort(latencies_us, kept, sizeof *latencies_us, by_size);
    printf("tables=%zu moves=%zu games=%zu moves_per_s=%.0f p50_us=%u p99_us=%u\n", count, move_count,
           game_count, (double)move_count / seconds, kept == 0 ? 0 : latencies_us[kept / 2],
           kept == 0 ? 0 : latencies_us[kept * 99 / 100]);
    http_client_close(&client);
    return 0;
}
