/* Load for a server, in one thread on epoll, over any of its protocols:
 *
 *     load CLIENT --connect HOST:PORT [--tables N] [--spares N] [--seconds T] [--rate N] [--pid PID]
 *
 * Opens N tables and the spares, each with its connections, and brings all of them to their first move. Then
 * N tables play; when a game is over one of the spares begins, so that what is counted are moves and not
 * set-ups. Without --rate every move is answered by the next one at once; with it so many moves a second are
 * sent in all. --seconds 0 plays nothing: the memory of the server with so many tables is the report.
 *
 * --moves N plays just so many, after as many that are not counted, and waits for a line on its standard
 * input in between, when it has said "begun", and for its end after the report: for whoever counts what the
 * server does for them, or what becomes of their time (with --rate it is in the report).
 *
 * What is asked and answered is held against the rules where the client has them, so that a wrong answer is
 * an error and not a fast one. Reports one line of NAME=VALUE; "idle" is the share of the time that the
 * generator itself had nothing to do. The exit status is 0 only without errors. */
#include "load.h"

#include "base/address.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TABLES_MAX = 20000,
    IN_FLIGHT = 50, /* tables that are begun at the same time: fewer than a listener's backlog */
    WARM_UP_MS = 300,
    ANSWER_MS_MAX = 20000, /* without anything to read for so long, the load gives up */
    EVENTS_MAX = 256,
    READ_BYTES = 256 * 1024,
    ERRORS_PRINTED = 5,
    PLAYING_PERCENT_MIN = 90, /* of the tables: with fewer of them the measurement ends */
};

static const struct load_client *const clients[] = {
    &load_ugs,      &load_santorini, &load_eriantys, &load_renaissance, &load_treasure, &load_websocket,
    &load_watchers, &load_echo,      &load_all,      &load_game,        &load_http,
};

struct line {
    struct load_conn *first, **end;
    size_t count;
};

static struct {
    const struct load_client *client;
    struct sockaddr_storage address;
    socklen_t address_size;
    int epoll;
    int64_t tables, spares, pid, rate, moves, seed;
    uint32_t duration_ms;
    struct load_conn **conns;
    size_t conn_count;
    bool is_playing, is_counting;
    int64_t moves_left; /* to be sent, when their number was given */
    uint64_t answered;
    struct line held;    /* first moves of tables that have not begun */
    struct line waiting; /* moves that wait for their time */
    size_t playing;      /* tables */
    uint64_t next_due_ns;
    const char *latencies; /* the file that they are written to; NULL: none */
    uint32_t *latency_ns;
    size_t latency_count, latency_capacity;
    uint64_t heard, heard_bytes, said, said_bytes, games, errors;
    int64_t rss_before, rss_idle;
} load = {.tables = 100, .duration_ms = 3000};

struct load_wishes load_wishes = {.say_bytes = 64, .hear_bytes = 64, .name = "load", .path = "/"};

static void load_fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

void load_error(struct load_conn *conn, const char *what, struct span message) {
    size_t size = message.size < 300 ? message.size : 300;
    if (load.errors++ < ERRORS_PRINTED)
        fprintf(stderr, "load: %s %u: %s: %.*s\n", load.client->name, conn->number, what, (int)size,
                size == 0 ? "" : message.data);
}

/* Texts. */

struct span load_behind(struct span message, const char *text) {
    const char *found = memmem(message.data, message.size, text, strlen(text));
    if (found == NULL)
        return (struct span){NULL, 0};
    found += strlen(text);
    return span_make(found, message.size - (size_t)(found - message.data));
}

struct span load_value(struct span message, const char *text, char end) {
    struct span rest = load_behind(message, text);
    const char *found = rest.size == 0 ? NULL : memchr(rest.data, end, rest.size);
    return found == NULL ? (struct span){NULL, 0} : span_make(rest.data, (size_t)(found - rest.data));
}

bool load_has(struct span message, const char *text) {
    return memmem(message.data, message.size, text, strlen(text)) != NULL;
}

bool load_begins(struct span message, const char *text) {
    return message.size >= strlen(text) && memcmp(message.data, text, strlen(text)) == 0;
}

size_t load_line(const struct load_conn *conn, struct span input) {
    (void)conn;
    const char *end = memchr(input.data, '\n', input.size);
    return end == NULL ? 0 : (size_t)(end - input.data) + 1;
}

size_t load_http_answer(const struct load_conn *conn, struct span input) {
    (void)conn;
    int64_t body = 0;
    const char *end = memmem(input.data, input.size, "\r\n\r\n", 4);
    if (end == NULL)
        return 0;
    struct span head = span_make(input.data, (size_t)(end - input.data) + 4);
    if (load_has(head, "Content-Length: ") && !span_to_int(load_value(head, "Content-Length: ", '\r'), &body))
        body = 0;
    size_t size = head.size + (size_t)body;
    return size <= input.size ? size : 0;
}

json_t *load_json(struct load_conn *conn, struct span line) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *value = NULL;
    while (line.size > 0 && (line.data[line.size - 1] == '\n' || line.data[line.size - 1] == '\r'))
        line.size--;
    if (json_read_object(line, &value, complaint) != ERR_OK) {
        load_error(conn, complaint, line);
        return NULL;
    }
    return value;
}

bool load_pong(struct load_conn *conn, struct span line) {
    if (!load_begins(line, "{\"type\":\"ping\"}"))
        return false;
    load_say(conn, SPAN("{\"type\":\"pong\"}\n"));
    return true;
}

/* Connections. */

static void conn_lost(struct load_conn *conn) {
    conn->is_lost = true;
    epoll_ctl(load.epoll, EPOLL_CTL_DEL, conn->fd, NULL);
}

void load_say(struct load_conn *conn, struct span message) {
    /* Little is on its way at the same time, so the kernel takes it whole or the connection is broken. */
    if (conn->is_lost || send(conn->fd, message.data, message.size, MSG_NOSIGNAL) != (ssize_t)message.size)
        load_error(conn, "cannot send", SPAN(""));
    load.said += load.is_counting;
    load.said_bytes += load.is_counting ? message.size : 0;
}

void load_say_text(struct load_conn *conn, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof text)
        load_error(conn, "too long to be said", SPAN(""));
    else
        load_say(conn, span_make(text, (size_t)size));
}

static void line_add(struct line *line, struct load_conn *conn) {
    conn->next = NULL;
    if (line->first == NULL)
        line->end = &line->first;
    *line->end = conn;
    line->end = &conn->next;
    line->count++;
}

static struct load_conn *line_take(struct line *line) {
    struct load_conn *conn = line->first;
    line->first = conn->next;
    line->count--;
    return conn;
}

static void conn_move(struct load_conn *conn) {
    conn->sent_ns = clock_monotonic_ns();
    load.moves_left--;
    load_say(conn, buf_span(&conn->move));
    buf_clear(&conn->move);
}

void load_move(struct load_conn *conn, struct span message) {
    buf_append(&conn->move, message);
    if (!load.is_playing || (load.moves > 0 && load.moves_left == 0))
        line_add(&load.held, conn);
    else if (load.rate > 0)
        line_add(&load.waiting, conn);
    else
        conn_move(conn);
}

void load_answered(struct load_conn *conn) {
    if (conn->sent_ns == 0)
        return;
    uint64_t spent = clock_monotonic_ns() - conn->sent_ns;
    conn->sent_ns = 0;
    load.answered++;
    if (!load.is_counting)
        return;
    if (load.latency_count == load.latency_capacity) {
        load.latency_capacity = load.latency_capacity == 0 ? 65536 : load.latency_capacity * 2;
        load.latency_ns = mem_resize(load.latency_ns, load.latency_capacity * sizeof *load.latency_ns);
    }
    load.latency_ns[load.latency_count++] = spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
}

static void table_begin(void) {
    if (load.held.count == 0)
        return;
    struct load_conn *conn = line_take(&load.held);
    if (conn->move.size == 0) /* it only looks on */
        return;
    load.playing++;
    if (load.rate > 0)
        line_add(&load.waiting, conn);
    else
        conn_move(conn);
}

void load_over(struct load_conn *conn) {
    (void)conn;
    load.games += load.is_counting;
    load.playing--;
    table_begin();
}

static void conn_take(struct load_conn *conn, struct span input) {
    size_t size;
    while (input.size > 0 && (size = load.client->message(conn, input)) > 0) {
        load.heard += load.is_counting;
        load.heard_bytes += load.is_counting ? size : 0;
        load.client->take(conn, span_make(input.data, size));
        input = span_make(input.data + size, input.size - size);
    }
    if (conn->input.size > 0)
        buf_consume(&conn->input, conn->input.size - input.size);
    else if (input.size > 0)
        buf_append(&conn->input, input);
    if (conn->input.size == 0)
        buf_free(&conn->input);
}

static void conn_read(struct load_conn *conn) {
    static char bytes[READ_BYTES];
    ssize_t size = recv(conn->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) { /* after the end of its game a server may close it */
        conn_lost(conn);
        if (conn->sent_ns != 0 || conn->move.size > 0)
            load_error(conn, "connection lost", SPAN(""));
        return;
    }
    if (conn->input.size == 0) {
        conn_take(conn, span_make(bytes, (size_t)size));
        return;
    }
    buf_append(&conn->input, span_make(bytes, (size_t)size));
    conn_take(conn, buf_span(&conn->input));
}

static struct load_conn *conn_open(unsigned seat) {
    struct load_conn *conn = mem_alloc(load.client->size);
    int yes = 1;
    conn->fd = socket(load.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (conn->fd < 0)
        load_fail("socket");
    if (connect(conn->fd, (struct sockaddr *)&load.address, load.address_size) != 0)
        load_fail("connect");
    setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = conn};
    if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, conn->fd, &event) != 0)
        load_fail("epoll");
    conn->seat = seat;
    rng_seed(&conn->rng, (uint64_t)load.seed + load.conn_count);
    conn->peer = conn;
    conn->number = (unsigned)load.conn_count;
    load.conns[load.conn_count++] = conn;
    return conn;
}

/* Time. */

static uint64_t due_ns(uint64_t end_ns, uint64_t now_ns) {
    uint64_t due = end_ns;
    if (load.rate > 0 && load.waiting.count > 0 && load.next_due_ns < due)
        due = load.next_due_ns;
    return due > now_ns ? due - now_ns : 0;
}

static void waiting_send(void) {
    uint64_t now_ns = clock_monotonic_ns(), step_ns = 1000000000u / (uint64_t)load.rate;
    if (load.next_due_ns + 100 * step_ns < now_ns) /* what is long past is not made up for */
        load.next_due_ns = now_ns;
    while (load.waiting.count > 0 && load.next_due_ns <= now_ns) {
        conn_move(line_take(&load.waiting));
        load.next_due_ns += step_ns;
    }
}

/* Handles what comes next; false when nothing comes any more. */
static bool load_turn(uint64_t end_ns) {
    struct epoll_event events[EVENTS_MAX];
    static uint64_t heard_ns;
    uint64_t now_ns = clock_monotonic_ns(), left_ns = due_ns(end_ns, now_ns);
    struct timespec wait = {.tv_sec = (time_t)(left_ns / 1000000000u),
                            .tv_nsec = (long)(left_ns % 1000000000u)};
    int count = epoll_pwait2(load.epoll, events, EVENTS_MAX, &wait, NULL);
    heard_ns = count > 0 || heard_ns == 0 ? now_ns : heard_ns;
    for (int i = 0; i < count; i++)
        conn_read(events[i].data.ptr);
    if (load.rate > 0)
        waiting_send();
    return now_ns < heard_ns + ANSWER_MS_MAX * 1000000ull;
}

static bool load_until(uint64_t end_ns) {
    bool is_alive = true;
    while (is_alive && clock_monotonic_ns() < end_ns &&
           load.playing * 100 >= (size_t)load.tables * PLAYING_PERCENT_MIN)
        is_alive = load_turn(end_ns);
    return is_alive;
}

/* The server. */

/* Its own memory. Pages of files do not count: how many of the program's own are there says nothing about
 * what it keeps, and the system takes them back as it likes. */
static int64_t server_rss(void) {
    char path[64];
    long long pages = 0, resident = 0, of_files = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/statm", load.pid);
    FILE *file = load.pid == 0 ? NULL : fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lld %lld %lld", &pages, &resident, &of_files) != 3)
        resident = of_files = 0;
    fclose(file);
    return (resident - of_files) * sysconf(_SC_PAGESIZE);
}

static uint64_t cpu_ns(clockid_t clock) {
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t server_cpu_ns(void) {
    clockid_t clock;
    if (load.pid == 0 || clock_getcpuclockid((pid_t)load.pid, &clock) != 0)
        return 0;
    return cpu_ns(clock);
}

/* The run. */

static void tables_open(void) {
    size_t tables = (size_t)(load.tables + load.spares), seats = load.client->seats;
    size_t in_flight = load.client->is_one_by_one || load.moves > 0 ? 1 : IN_FLIGHT;
    load.conns = mem_alloc((tables * seats + 1) * sizeof *load.conns);
    for (size_t i = 0; i < tables; i++) {
        struct load_conn *first = conn_open(0), *second = seats == 2 ? conn_open(1) : first;
        first->peer = second;
        second->peer = first;
        load.client->begin(first);
        if (seats == 2)
            load.client->begin(second);
        while (i + 1 - load.held.count >= in_flight && load.errors == 0)
            if (!load_turn(clock_monotonic_ns() + 1000000000u))
                load_error(first, "no table begins", SPAN(""));
        if (load.errors > 0)
            return;
    }
    while (load.held.count < tables && load.errors == 0)
        if (!load_turn(clock_monotonic_ns() + 1000000000u))
            load_error(load.conns[0], "not every table begins", SPAN(""));
}

static int latency_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double percentile_us(unsigned percent) {
    return load.latency_count == 0 ? 0 : load.latency_ns[(load.latency_count - 1) * percent / 100] / 1000.0;
}

static double per(double a, double b) {
    return b > 0 ? a / b : 0;
}

static void report(double seconds, double server_s, double own_s) {
    double moves = (double)load.latency_count, heard = (double)load.heard;
    qsort(load.latency_ns, load.latency_count, sizeof *load.latency_ns, latency_compare);
    printf("tables=%" PRId64 " conns=%zu errors=%" PRIu64, load.tables, load.conn_count, load.errors);
    printf(" rss_before=%" PRId64 " rss_idle=%" PRId64, load.rss_before, load.rss_idle);
    if (load.latency_count > 0)
        printf(" seconds=%.3f moves=%zu games=%" PRIu64
               " moves_per_s=%.0f cpu_us=%.2f moves_per_cpu_s=%.0f heard_per_s=%.0f heard_per_cpu_s=%.0f"
               " heard_per_move=%.2f heard_bytes=%.0f said_bytes=%.0f p50_us=%.1f p99_us=%.1f idle=%.2f",
               seconds, load.latency_count, load.games, moves / seconds, 1e6 * server_s / moves,
               per(moves, server_s), heard / seconds, per(heard, server_s), heard / moves,
               per((double)load.heard_bytes, heard), per((double)load.said_bytes, (double)load.said),
               percentile_us(50), percentile_us(99), own_s < seconds ? 1 - own_s / seconds : 0);
    printf("\n");
}

/* For whoever puts several runs together. */
static void latencies_write(void) {
    FILE *file = fopen(load.latencies, "w");
    if (file == NULL)
        load_fail(load.latencies);
    for (size_t i = 0; i < load.latency_count; i++)
        fprintf(file, "%.1f\n", load.latency_ns[i] / 1000.0);
    if (fclose(file) != 0)
        load_fail(load.latencies);
}

static void address_find(const char *text) {
    char host[256], service[8];
    uint16_t number;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (address_split(text, host, sizeof host, &number) != ERR_OK) {
        fprintf(stderr, "load: --connect takes HOST:PORT\n");
        exit(2);
    }
    snprintf(service, sizeof service, "%u", number);
    int failed = getaddrinfo(host, service, &hints, &found);
    if (failed != 0) {
        fprintf(stderr, "load: %s: %s\n", host, gai_strerror(failed));
        exit(1);
    }
    memcpy(&load.address, found->ai_addr, found->ai_addrlen);
    load.address_size = found->ai_addrlen;
    freeaddrinfo(found);
}

static void client_find(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof clients / sizeof *clients; i++)
        if (strcmp(argv[1], clients[i]->name) == 0)
            load.client = clients[i];
    if (load.client != NULL)
        return;
    fprintf(stderr, "usage: load CLIENT --connect HOST:PORT ...; a client is one of:");
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
        fprintf(stderr, " %s", clients[i]->name);
    fprintf(stderr, "\n");
    exit(2);
}

static void options_read(int argc, char **argv) {
    const char *connect_to = NULL;
    const struct option_row rows[] = {
        ROW_TEXT("connect", "HOST:PORT", &connect_to, "the server"),
        ROW_NUMBER("tables", &load.tables, 1, TABLES_MAX, "tables that play at the same time"),
        ROW_NUMBER("spares", &load.spares, 0, TABLES_MAX, "tables that begin when others are over"),
        {.name = "seconds",
         .value = "T",
         .help = "how long; 0 only opens the tables",
         .target = &load.duration_ms,
         .kind = OPTION_SECONDS,
         .max = 600000},
        ROW_NUMBER("rate", &load.rate, 0, 10000000, "moves a second; 0: as fast as they are answered"),
        ROW_NUMBER("moves", &load.moves, 0, 100000, "plays just so many"),
        ROW_NUMBER("pid", &load.pid, 1, INT32_MAX, "process of the server"),
        ROW_TEXT("latencies", "FILE", &load.latencies, "where each is written to, in microseconds"),
        ROW_NUMBER("seed", &load.seed, 0, INT64_MAX, "of the moves"),
        ROW_NUMBER("say", &load_wishes.say_bytes, 2, 65536, "bytes of a message to a reference"),
        ROW_NUMBER("hear", &load_wishes.hear_bytes, 2, 65536, "bytes of its answer"),
        ROW_TEXT("name", "NAME", &load_wishes.name, "what the names of the players begin with"),
        ROW_TEXT("path", "PATH", &load_wishes.path, "what is asked for over HTTP"),
        ROW_FLAG("gzip", &load_wishes.is_zipped, "and compressed"),
        {0},
    };
    const struct options options = {
        .command = "load", .operands = "", .about = "Load for a server.", .rows = rows};
    struct operands operands;
    client_find(argc, argv);
    int wrong = options_parse(&options, argc - 1, argv + 1, &operands);
    if (wrong != OPTIONS_GO_ON)
        exit(wrong);
    address_find(connect_to == NULL ? "" : connect_to);
}

static void files_raise(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* So many moves, and the next is held back. */
static bool load_moves(void) {
    uint64_t wanted = load.answered + (uint64_t)load.moves;
    bool is_alive = true;
    load.moves_left = load.moves;
    for (int64_t i = 0; i < load.tables; i++)
        table_begin();
    while (is_alive && load.errors == 0 && load.answered < wanted)
        is_alive = load_turn(clock_monotonic_ns() + 1000000000u);
    return is_alive && load.errors == 0;
}

static void load_play_counted(void) {
    load.is_playing = true;
    load.next_due_ns = clock_monotonic_ns();
    if (!load_moves())
        load_error(load.conns[0], "nothing comes any more", SPAN(""));
    printf("begun\n");
    fflush(stdout);
    bool goes_on = getchar() != EOF;
    uint64_t start_ns = load.next_due_ns = clock_monotonic_ns();
    load.is_counting = load.rate > 0;
    if (!goes_on || !load_moves())
        load_error(load.conns[0], "nothing comes any more", SPAN(""));
    report((double)(clock_monotonic_ns() - start_ns) / 1e9, 0, 0);
    if (load.latencies != NULL)
        latencies_write();
    fflush(stdout);
    while (getchar() != EOF) /* that everybody goes is not to be counted */
        continue;
}

static void load_play(void) {
    load.is_playing = true;
    load.next_due_ns = clock_monotonic_ns();
    for (int64_t i = 0; i < load.tables; i++)
        table_begin();
    bool is_alive = load_until(clock_monotonic_ns() + WARM_UP_MS * 1000000ull);
    load.is_counting = true;
    uint64_t start_ns = clock_monotonic_ns(), start_server_ns = server_cpu_ns(),
             start_own_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    is_alive = is_alive && load_until(start_ns + load.duration_ms * 1000000ull);
    double seconds = (double)(clock_monotonic_ns() - start_ns) / 1e9;
    double server_s = (double)(server_cpu_ns() - start_server_ns) / 1e9;
    double own_s = (double)(cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - start_own_ns) / 1e9;
    if (!is_alive || load.latency_count == 0)
        load_error(load.conns[0], "nothing comes any more", SPAN(""));
    report(seconds, server_s, own_s);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    options_read(argc, argv);
    files_raise();
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (load.epoll < 0)
        load_fail("epoll");
    load.rss_before = server_rss();
    tables_open();
    load.rss_idle = server_rss();
    if (load.errors == 0 && load.moves > 0)
        load_play_counted();
    else if (load.errors == 0 && load.duration_ms > 0)
        load_play();
    else
        report(0, 0, 0);
    return load.errors == 0 ? 0 : 1;
}
