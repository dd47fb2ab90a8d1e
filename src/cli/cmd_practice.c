/* parlor practice: a server to try clients against, in bad weather when that is asked for. A server of its
 * own is started beside it on free ports; clients reach it through the ports of this one. What it prints on
 * standard output is two lines:
 *
 *     calm http=127.0.0.1:40001 ugs=127.0.0.1:40002 ...        the server itself
 *     ready http=127.0.0.1:8080 ugs=127.0.0.1:8888 ...         through the weather
 *
 * so that bots and other players can come in past the weather. */
#include "cli/command.h"
#include "cli/match/process.h"
#include "cli/match/ready.h"
#include "cli/options.h"
#include "cli/practice/relay.h"
#include "cli/practice/weather.h"
#include "server/protocols.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    PRACTICE_END_MS = 5000,
    PRACTICE_ARGS_MAX = 80,
    PRACTICE_OPERANDS_MAX = 40,
    PRACTICE_PATH_BYTES_MAX = 4096,
    PRACTICE_NONE = -1,
};

static struct practice {
    int64_t faults;
    const char *kinds;
    bool has_free_ports;
    char directory[PRACTICE_PATH_BYTES_MAX];
    pid_t server;
    struct relay_place places[RELAY_PLACES_MAX];
    unsigned place_count;
} practice;

static const struct option_row practice_rows[] = {
    ROW_NUMBER("faults", &practice.faults, 0, INT64_MAX,
               "bad weather from this seed; the same seed has the same faults for the same connections"),
    ROW_TEXT("kinds", "LIST", &practice.kinds,
             "which faults there are: some of fragments, delays, drops, with commas between them"),
    ROW_FLAG("free-ports", &practice.has_free_ports,
             "listen on free ports, which the ready line names, in place of those of the protocols"),
    {0},
};

static const struct options practice_options = {
    .command = "practice",
    .operands = "[-- OPTION OF SERVE...]",
    .about =
        "A server to try clients against; what is played there is forgotten. With --faults connections are\n"
        "delayed, cut into small pieces and dropped, so that a client must put messages together again,\n"
        "wait and come back. Prints 'calm' with the addresses without faults, for other players, and "
        "'ready'\n"
        "with those with faults; each fault is a line on standard error. Options after -- are for the "
        "server.",
    .rows = practice_rows,
    .operands_max = PRACTICE_OPERANDS_MAX,
};

/* Listens where the protocol does unless told otherwise. */
static void practice_add_place(const char *name, const char *address) {
    struct relay_place *place = &practice.places[practice.place_count++];
    place->name = name;
    snprintf(place->address, sizeof place->address, "%s", practice.has_free_ports ? "127.0.0.1:0" : address);
}

static void practice_add_places(void) {
    practice_add_place(PROTOCOLS_HTTP_NAME, PROTOCOLS_HTTP_ADDRESS);
    for (size_t i = 0; protocols[i] != NULL && practice.place_count < RELAY_PLACES_MAX; i++)
        if (protocols[i]->default_address != NULL)
            practice_add_place(protocols[i]->name, protocols[i]->default_address);
}

static bool practice_fail(const char *why) {
    fprintf(stderr, "parlor: %s; see %s/log\n", why, practice.directory);
    return false;
}

/* The addresses that the server has said, each for its place; one that is off has none. */
static bool practice_read_ready(int fd) {
    char line[READY_BYTES_MAX];
    unsigned kept = 0;
    if (!ready_read(fd, line))
        return practice_fail("the server does not listen");
    for (unsigned i = 0; i < practice.place_count; i++) {
        struct relay_place *place = &practice.places[i];
        if (ready_address(line, place->name, place->server, sizeof place->server) &&
            strcmp(place->server, "off") != 0)
            practice.places[kept++] = *place;
    }
    practice.place_count = kept;
    return true;
}

static bool practice_start(const struct operands *more) {
    char self[PRACTICE_PATH_BYTES_MAX], data[PRACTICE_PATH_BYTES_MAX + 16], log[PRACTICE_PATH_BYTES_MAX + 16];
    char texts[RELAY_PLACES_MAX][RELAY_ADDRESS_BYTES_MAX];
    const char *argv[PRACTICE_ARGS_MAX] = {self,           "serve",           "--store=memory",
                                           "--allow-root", "--free-loopback", data};
    size_t count = 6;
    int ready_fd;
    snprintf(data, sizeof data, "--data=%s/data", practice.directory);
    snprintf(log, sizeof log, "%s/log", practice.directory);
    for (unsigned i = 0; i < practice.place_count; i++) {
        snprintf(texts[i], sizeof texts[i], "--%s=127.0.0.1:0", practice.places[i].name);
        argv[count++] = texts[i];
    }
    for (int i = 0; i < more->count; i++)
        argv[count++] = more->list[i];
    argv[count] = NULL;
    if (!process_self(self, sizeof self))
        return practice_fail("this program cannot find itself");
    practice.server = process_start(argv, log, &ready_fd);
    if (practice.server < 0)
        return practice_fail("the server could not be started");
    bool is_ready = practice_read_ready(ready_fd);
    close(ready_fd);
    return is_ready;
}

static void practice_ready(void *context) {
    (void)context;
    printf("calm");
    for (unsigned i = 0; i < practice.place_count; i++)
        printf(" %s=%s", practice.places[i].name, practice.places[i].server);
    printf("\nready");
    for (unsigned i = 0; i < practice.place_count; i++)
        printf(" %s=%s", practice.places[i].name, practice.places[i].address);
    printf("\n");
    fflush(stdout);
}

static bool practice_goes_on(void *context) {
    (void)context;
    return process_look(&practice.server) == PROCESS_RUNS;
}

/* Nothing is kept: files of the server, and the directories. */
static void practice_remove(const char *path) {
    DIR *directory = opendir(path);
    char inner[PRACTICE_PATH_BYTES_MAX + 300];
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(inner);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}

static bool practice_make_directory(void) {
    const char *base = getenv("TMPDIR");
    snprintf(practice.directory, sizeof practice.directory, "%s/parlor-practice-XXXXXX",
             base == NULL || *base == '\0' ? "/tmp" : base);
    if (mkdtemp(practice.directory) != NULL)
        return true;
    perror("parlor: a directory for the practice");
    return false;
}

static int practice_play(unsigned kinds, const struct operands *more) {
    char data[PRACTICE_PATH_BYTES_MAX + 16];
    if (!practice_make_directory())
        return 1;
    practice_add_places();
    const struct relay_config config = {.places = practice.places,
                                        .kinds = kinds,
                                        .seed = (uint64_t)practice.faults,
                                        .ready = practice_ready,
                                        .goes_on = practice_goes_on};
    bool is_good = practice_start(more);
    if (is_good) {
        struct relay_config ready = config;
        ready.place_count = practice.place_count;
        is_good = relay_run(&ready) && (practice_goes_on(NULL) || practice_fail("the server has ended"));
    }
    process_end(&practice.server, is_good ? PRACTICE_END_MS : 0);
    if (!is_good)
        return 1;
    snprintf(data, sizeof data, "%s/data", practice.directory);
    practice_remove(data);
    practice_remove(practice.directory);
    return 0;
}

static int practice_run(int argc, char **argv) {
    struct operands more;
    unsigned kinds = 0;
    practice = (struct practice){.faults = PRACTICE_NONE, .kinds = "fragments,delays,drops"};
    int status = options_parse(&practice_options, argc, argv, &more);
    if (status != OPTIONS_GO_ON)
        return status;
    if (more.count > 0 && strncmp(more.list[0], "--", 2) != 0) {
        fprintf(stderr, "parlor: practice takes no '%s': what stands after -- are options of the server\n",
                more.list[0]);
        return EXIT_USAGE;
    }
    if (!weather_kinds(span_of(practice.kinds), &kinds)) {
        fprintf(stderr, "parlor: --kinds takes some of fragments, delays, drops, with commas between them\n");
        return EXIT_USAGE;
    }
    return practice_play(practice.faults == PRACTICE_NONE ? 0 : kinds, &more);
}

const struct command cmd_practice = {"practice", "a server to try clients against, in bad weather if asked",
                                     practice_run};
