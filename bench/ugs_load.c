/* Load for a UGS server, in one thread on epoll:
 *
 *     ugs_load --connect HOST:PORT [--pairs N] [--seconds T] [--pid PID]
 *     ugs_load --connect HOST:PORT --echo ...     the same pattern of messages against the bare echo
 *     ugs_load --connect HOST:PORT --idle N ...   besides, N players wait for a game that nobody masters
 *
 * N pairs of players log in and play random legal Paper Soccer. Every gameState is held against the rules
 * here, so a wrong one is an error and not a fast answer. Reports one line of NAME=VALUE: moves, moves a
 * second, microseconds from a move to the gameState that it causes at its sender, errors, and with PID the
 * CPU time and the memory of the server. The exit status is 0 only without errors. */
#include "base/address.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "cli/options.h"
#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"
#include "wire/xml/frame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PAIRS_MAX = 4000,
    IDLE_MAX = 19000,
    IDLE_BATCH = 200,     /* logins on their way at the same time: fewer than a listener's backlog */
    WARM_UP_MS = 200,     /* played but not counted */
    ANSWER_MS_MAX = 5000, /* without anything to read for so long, the load gives up */
    EVENTS_MAX = 256,
    READ_BYTES = 16 * 1024,
    ID_BYTES_MAX = 64,
    ERRORS_PRINTED = 5,
};

struct player {
    int fd;
    int number;
    bool is_logged_in;
    struct player *partner; /* echo only: who speaks next */
    struct xml_frame frame;
    char nick[24];
    char table[ID_BYTES_MAX];
    struct pitch pitch;
    uint64_t sent_ns; /* 0: nothing is on its way */
};

struct load {
    struct sockaddr_storage address;
    socklen_t address_size;
    int epoll;
    bool is_echo;
    int64_t pairs, idle, pid;
    uint32_t duration_ms;
    struct player *players;
    size_t player_count, logged_in;
    int *idle_fds;
    struct rng rng;
    bool is_counting;
    uint32_t *latency_ns;
    size_t latency_count, latency_capacity;
    uint64_t games, errors;
    int64_t rss_before, rss_idle;
};

static struct load load = {.pairs = 50, .duration_ms = 3000};

static void load_fail(const char *what) {
    fprintf(stderr, "ugs_load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void load_error(const struct player *player, const char *what, struct span message) {
    if (load.errors++ < ERRORS_PRINTED)
        fprintf(stderr, "ugs_load: player %d: %s: %.*s\n", player->number, what, (int)message.size,
                message.data);
}

static int connection_open(void) {
    int fd = socket(load.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0)
        load_fail("socket");
    if (connect(fd, (struct sockaddr *)&load.address, load.address_size) != 0)
        load_fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static void player_send(struct player *player, struct span bytes) {
    /* One small message is on its way at most, so the kernel takes it whole or the connection is broken. */
    if (send(player->fd, bytes.data, bytes.size, MSG_NOSIGNAL) != (ssize_t)bytes.size)
        load_error(player, "cannot send", SPAN(""));
}

static void player_say(struct player *player, const struct hall_message *message) {
    static struct buf out;
    buf_clear(&out);
    ugs_write(&out, message, &(struct ugs_style){0});
    player_send(player, buf_span(&out));
}

/* A random legal move of the seat on turn, as the points that it touches. */
static size_t move_choose(const struct pitch *pitch, struct pitch_point points[PITCH_MOVE_STEPS_MAX]) {
    struct pitch copy = *pitch;
    size_t count = 0;
    do {
        unsigned exits = pitch_exits(&copy);
        for (uint32_t skip = rng_below(&load.rng, (uint32_t)__builtin_popcount(exits)); skip > 0; skip--)
            exits &= exits - 1;
        pitch_step(&copy, (enum direction)__builtin_ctz(exits));
        points[count++] = pitch_point_of(copy.ball);
    } while (!copy.is_over && copy.mover == pitch->mover);
    return count;
}

static void player_move(struct player *player) {
    struct pitch_point points[PITCH_MOVE_STEPS_MAX];
    size_t count = move_choose(&player->pitch, points);
    player->sent_ns = clock_monotonic_ns();
    player_say(player, &(struct hall_message){.type = HALL_MOVE,
                                              .has_table = true,
                                              .table = span_of(player->table),
                                              .points = points,
                                              .point_count = count});
}

static void latency_take(struct player *player) {
    if (player->sent_ns == 0)
        return;
    uint64_t spent = clock_monotonic_ns() - player->sent_ns;
    player->sent_ns = 0;
    if (!load.is_counting)
        return;
    if (load.latency_count == load.latency_capacity) {
        load.latency_capacity = load.latency_capacity == 0 ? 65536 : load.latency_capacity * 2;
        load.latency_ns = mem_resize(load.latency_ns, load.latency_capacity * sizeof *load.latency_ns);
    }
    load.latency_ns[load.latency_count++] = spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
}

/* The rest of message behind the first occurrence of text; empty when there is none. */
static struct span behind(struct span message, const char *text) {
    const char *found = memmem(message.data, message.size, text, strlen(text));
    if (found == NULL)
        return (struct span){NULL, 0};
    found += strlen(text);
    return span_make(found, message.size - (size_t)(found - message.data));
}

/* The value of the first attribute that begins with text, which ends in =". */
static struct span attribute(struct span message, const char *text) {
    struct span rest = behind(message, text);
    const char *end = rest.size == 0 ? NULL : memchr(rest.data, '"', rest.size);
    return span_make(rest.data, end == NULL ? 0 : (size_t)(end - rest.data));
}

/* Points are found by their text and not by an XML parser: the load must cost less than what it measures.
 * That the text is right shows when the move is played here. */
static size_t points_find(struct span message, struct pitch_point *points) {
    size_t count = 0;
    for (struct span rest = behind(message, "<point "); rest.size > 0; rest = behind(rest, "<point ")) {
        int64_t x, y;
        if (count == PITCH_MOVE_STEPS_MAX || !span_to_int(attribute(rest, "x=\""), &x) ||
            !span_to_int(attribute(rest, "y=\""), &y))
            return SIZE_MAX;
        points[count++] = (struct pitch_point){(int32_t)x, (int32_t)y};
    }
    return count;
}

static void player_take_state(struct player *player, struct span message) {
    struct pitch_point points[PITCH_MOVE_STEPS_MAX];
    size_t count = points_find(message, points);
    bool is_over = behind(message, "<gameOver>").size > 0;
    latency_take(player);
    if (count == 0) {
        pitch_setup(&player->pitch, ATTACK_TOP);
        if (!span_copy(attribute(message, "<gameId id=\""), player->table, sizeof player->table))
            load_error(player, "no gameId", message);
    } else if (count == SIZE_MAX || pitch_play_move(&player->pitch, points, count, NULL) != ERR_OK ||
               (player->pitch.is_over != 0) != is_over) {
        load_error(player, "against the rules", message);
        return;
    }
    if (is_over) {
        load.games += load.is_counting;
        player_say(player, &(struct hall_message){
                               .type = HALL_THANK_YOU, .has_table = true, .table = span_of(player->table)});
    } else if (span_is(attribute(message, "<nextPlayer nick=\""), player->nick)) {
        player_move(player);
    }
}

static void player_take(struct player *player, struct span message) {
    if (behind(message, "type=\"gameState\"").size > 0) {
        player_take_state(player, message);
    } else if (behind(message, "accept=\"yes\"").size > 0 && !player->is_logged_in) {
        player->is_logged_in = true;
        load.logged_in++;
    } else {
        load_error(player, "unexpected", message);
    }
}

static void echo_begin(struct player *player) {
    static char message[256];
    static size_t size;
    if (size == 0) {
        /* As long as the move of a random game is on average: two points. */
        size = (size_t)snprintf(message, sizeof message,
                                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><message type=\"move\"><gameId "
                                "id=\"1000\"/><move><point x=\"-1\" y=\"2\"/><point x=\"0\" "
                                "y=\"3\"/></move></message>");
    }
    player->sent_ns = clock_monotonic_ns();
    player_send(player, span_make(message, size));
}

static void player_read(struct player *player) {
    static char bytes[READ_BYTES];
    ssize_t size = recv(player->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        load_error(player, "connection lost", SPAN(""));
        epoll_ctl(load.epoll, EPOLL_CTL_DEL, player->fd, NULL);
        return;
    }
    struct span input = span_make(bytes, (size_t)size), message;
    if (load.is_echo) {
        latency_take(player);
        echo_begin(player->partner);
        return;
    }
    for (;;) {
        if (xml_frame_next(&player->frame, &input, &message) != ERR_OK) {
            load_error(player, "not a message", input);
            return;
        }
        if (message.size == 0)
            return;
        player_take(player, message);
    }
}

/* Handles what comes until the time is over; false when nothing comes any more. */
static bool load_until(uint64_t end_ms) {
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(load.epoll, events, EVENTS_MAX, ANSWER_MS_MAX);
        if (count == 0)
            return false;
        for (int i = 0; i < count; i++)
            player_read(events[i].data.ptr);
        if (clock_monotonic_ms() >= end_ms)
            return true;
    }
}

static void players_open(void) {
    load.player_count = (size_t)load.pairs * 2;
    load.players = mem_alloc(load.player_count * sizeof *load.players);
    for (size_t i = 0; i < load.player_count; i++) {
        struct player *player = &load.players[i];
        player->number = (int)i;
        player->fd = connection_open();
        player->partner = &load.players[i ^ 1];
        snprintf(player->nick, sizeof player->nick, "load%d", player->number);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = player};
        if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, player->fd, &event) != 0)
            load_fail("epoll");
        if (load.is_echo && i % 2 == 1)
            echo_begin(player);
        if (!load.is_echo)
            player_say(player, &(struct hall_message){.type = HALL_PLAYER_LOGIN,
                                                      .nick = span_of(player->nick),
                                                      .game_type = SPAN("paper-soccer")});
    }
}

/* Resident memory of the server in bytes. */
static int64_t server_rss(void) {
    char path[64];
    long long pages = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/statm", load.pid);
    FILE *file = load.pid == 0 ? NULL : fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lld %lld", &pages, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

/* CPU time of the server in nanoseconds. */
static uint64_t server_cpu_ns(void) {
    clockid_t clock;
    struct timespec t;
    if (load.pid == 0 || clock_getcpuclockid((pid_t)load.pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void idle_open(void) {
    load.rss_before = server_rss();
    load.idle_fds = mem_alloc((size_t)load.idle * sizeof *load.idle_fds);
    for (int64_t first = 0; first < load.idle; first += IDLE_BATCH) {
        int64_t end = first + IDLE_BATCH < load.idle ? first + IDLE_BATCH : load.idle;
        for (int64_t i = first; i < end; i++) {
            struct player player = {.fd = connection_open(), .number = (int)i};
            snprintf(player.nick, sizeof player.nick, "idle%" PRId64, i);
            player_say(&player, &(struct hall_message){.type = HALL_PLAYER_LOGIN,
                                                       .nick = span_of(player.nick),
                                                       .game_type = SPAN("bench-idle")});
            load.idle_fds[i] = player.fd;
        }
        for (int64_t i = first; i < end; i++) {
            char answer[512];
            ssize_t size = recv(load.idle_fds[i], answer, sizeof answer, 0);
            if (size <= 0 || behind(span_make(answer, (size_t)size), "accept=\"yes\"").size == 0)
                load_error(&(struct player){.number = (int)i}, "idle login refused",
                           span_make(answer, size > 0 ? (size_t)size : 0));
        }
    }
    load.rss_idle = server_rss();
}

/* They must all still be there. */
static void idle_check(void) {
    for (int64_t i = 0; i < load.idle; i++) {
        char byte;
        if (recv(load.idle_fds[i], &byte, 1, MSG_DONTWAIT) >= 0 || errno != EAGAIN)
            load_error(&(struct player){.number = (int)i}, "idle connection lost", SPAN(""));
    }
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double percentile_us(unsigned percent) {
    return load.latency_count == 0 ? 0 : load.latency_ns[(load.latency_count - 1) * percent / 100] / 1000.0;
}

static void report(double seconds, double cpu_seconds) {
    qsort(load.latency_ns, load.latency_count, sizeof *load.latency_ns, compare);
    double moves = (double)load.latency_count;
    printf("moves=%zu moves_per_s=%.0f p50_us=%.1f p99_us=%.1f games=%" PRIu64 " errors=%" PRIu64,
           load.latency_count, moves / seconds, percentile_us(50), percentile_us(99), load.games / 2,
           load.errors);
    if (cpu_seconds > 0)
        printf(" server_cpu_s=%.3f moves_per_cpu_s=%.0f", cpu_seconds, moves / cpu_seconds);
    if (load.idle > 0)
        printf(" idle=%" PRId64 " rss_before=%" PRId64 " rss_idle=%" PRId64 " bytes_per_idle=%.0f", load.idle,
               load.rss_before, load.rss_idle, (double)(load.rss_idle - load.rss_before) / (double)load.idle);
    printf("\n");
}

static void address_find(const char *text) {
    char host[256], service[8];
    uint16_t number;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (address_split(text, host, sizeof host, &number) != ERR_OK) {
        fprintf(stderr, "ugs_load: --connect takes HOST:PORT\n");
        exit(2);
    }
    snprintf(service, sizeof service, "%u", number);
    int failed = getaddrinfo(host, service, &hints, &found);
    if (failed != 0) {
        fprintf(stderr, "ugs_load: %s: %s\n", host, gai_strerror(failed));
        exit(1);
    }
    memcpy(&load.address, found->ai_addr, found->ai_addrlen);
    load.address_size = found->ai_addrlen;
    freeaddrinfo(found);
}

static void options_read(int argc, char **argv) {
    const char *connect_to = NULL;
    int64_t seed = 1;
    const struct option_row rows[] = {
        {.name = "connect",
         .value = "HOST:PORT",
         .help = "the server",
         .target = &connect_to,
         .kind = OPTION_TEXT},
        {.name = "pairs",
         .value = "N",
         .help = "pairs of players",
         .target = &load.pairs,
         .kind = OPTION_INT,
         .min = 1,
         .max = PAIRS_MAX},
        {.name = "seconds",
         .value = "T",
         .help = "how long",
         .target = &load.duration_ms,
         .kind = OPTION_SECONDS,
         .min = 1,
         .max = 600000},
        {.name = "idle",
         .value = "N",
         .help = "players that only wait",
         .target = &load.idle,
         .kind = OPTION_INT,
         .min = 0,
         .max = IDLE_MAX},
        {.name = "pid",
         .value = "PID",
         .help = "process of the server",
         .target = &load.pid,
         .kind = OPTION_INT,
         .min = 1,
         .max = INT32_MAX},
        {.name = "seed",
         .value = "N",
         .help = "of the moves",
         .target = &seed,
         .kind = OPTION_INT,
         .min = 0,
         .max = INT64_MAX},
        {.name = "echo", .help = "the server is the bare echo", .target = &load.is_echo, .kind = OPTION_FLAG},
        {0},
    };
    const struct options options = {
        .command = "ugs_load", .operands = "", .about = "Load for a UGS server.", .rows = rows};
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        exit(wrong);
    address_find(connect_to == NULL ? "" : connect_to);
    rng_seed(&load.rng, (uint64_t)seed);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    options_read(argc, argv);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (load.epoll < 0)
        load_fail("epoll");
    if (load.idle > 0)
        idle_open();
    players_open();
    bool is_alive = load_until(clock_monotonic_ms() + WARM_UP_MS);
    load.is_counting = true;
    uint64_t start_ns = clock_monotonic_ns(), start_cpu_ns = server_cpu_ns();
    is_alive = is_alive && load_until(clock_monotonic_ms() + load.duration_ms);
    double seconds = (double)(clock_monotonic_ns() - start_ns) / 1e9;
    double cpu_seconds = (double)(server_cpu_ns() - start_cpu_ns) / 1e9;
    if (!is_alive)
        load_error(&load.players[0], "nothing comes any more", SPAN(""));
    if (!load.is_echo && load.logged_in != load.player_count)
        load_error(&load.players[0], "not everybody could log in", SPAN(""));
    idle_check();
    report(seconds, cpu_seconds);
    return load.errors == 0 && load.latency_count > 0 ? 0 : 1;
}
