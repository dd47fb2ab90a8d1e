/* parlor serve: the server. What it prints on standard output is one line, when everything listens:
 *
 *     ready http=127.0.0.1:8080 ugs=127.0.0.1:8888 santorini=off eriantys=off renaissance=off
 *
 * so that whoever started it knows that, and on which ports. Everything else goes to the log on standard
 * error. */
#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/tables_source.h"
#include "host/championship.h"
#include "server/protocols.h"
#include "server/server.h"
#include "store/data_dir.h"
#include "store/store.h"

#include <signal.h>
#include <stdio.h>

enum {
    HOST_BYTES_MAX = 256,
    PLAYERS_MAX_MAX = 1000 * 1000,
    HUNT_GAMES_MAX_MAX = 1000 * 1000,
    RENAISSANCE_TABLES_MAX_MAX = 1000 * 1000,
    TABLES_MAX_MAX = 1000 * 1000,
    WATCHERS_MAX_MAX = 1000 * 1000,
    SANTORINI_TABLES_MAX_MAX = 1000 * 1000,
    SANTORINI_WAITING_MAX_MAX = 1000 * 1000,
    ERIANTYS_TABLES_MAX_MAX = 1000 * 1000,
    CONNECTIONS_MAX_MAX = 1000 * 1000,
    ADDRESS_MAX_MAX = 1000 * 1000,
    ADDRESS_TABLES_MAX_DEFAULT = 500,
    PARALLEL_MAX = 1000 * 1000,
    KEEP_DAYS_MAX = 36500,
    PATH_BYTES_MAX = 4096,
};

/* What the options fill. */
struct serve {
    const char *address[PROTOCOL_COUNT];
    const char *data;
    const char *config;
    const char *championship_players;
    bool is_championship;
    int64_t port;
    bool has_port;
    int64_t max_parallel;
    int64_t players_max;
    int64_t hunt_games_max;
    int64_t tables_max;
    int64_t watchers_max;
    int64_t santorini_tables_max, santorini_waiting_max;
    int64_t eriantys_tables_max;
    int64_t connections_max;
    int64_t address_connections_max, address_tables_max;
    bool limits_loopback;
    int64_t seed;
    bool has_seed;
    int first_attacks;
    int store_kind;
    const char *backup;
    uint32_t backup_every_ms;
    int64_t keep_days;
    int64_t keep_tables;
    int log_level;
    bool has_no_master;
    struct protocols_config protocols;
    struct inspector *inspector;
    struct hall_desk desk;
};

static struct serve serve;
static struct hall_config *const hall = &serve.protocols.ugs.hall;

static const char *const attack_words[] = {[ATTACK_TOP] = "top", [ATTACK_BOTTOM] = "bottom", NULL};
enum { STORE_KIND_SQLITE, STORE_KIND_MEMORY };
static const char *const store_words[] = {
    [STORE_KIND_SQLITE] = "sqlite", [STORE_KIND_MEMORY] = "memory", NULL};
static const char *const level_words[] = {
    [LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARN] = "warn", [LOG_ERROR] = "error", NULL};

#define UGS         (&serve.protocols.ugs)
#define HUNT        (&serve.protocols.hunt)
#define SANTORINI   (&serve.protocols.santorini)
#define ERIANTYS    (&serve.protocols.eriantys)
#define RENAISSANCE (&serve.protocols.renaissance)
#define API         (&serve.protocols.api)
static const struct option_row rows_after_listeners[] = {
    ROW_TEXT("data", "DIR", &serve.data, "where things are kept; made when missing"),
    ROW_WORD("store", "KIND", &serve.store_kind, store_words,
             "where journals go: sqlite is a file in --data, memory forgets with the process"),
    ROW_TEXT("backup", "FILE", &serve.backup, "copy the journal there while the server runs"),
    ROW_SECONDS("backup-every", &serve.backup_every_ms, "between two such copies"),
    ROW_NUMBER("keep-days", &serve.keep_days, 0, KEEP_DAYS_MAX, NULL,
               "remove finished tables after so many days, 0 keeps them for ever"),
    ROW_NUMBER("keep-tables", &serve.keep_tables, 0, INT64_MAX, NULL,
               "keep at most so many finished tables, 0 for no limit"),
    ROW_TEXT("config", "FILE", &serve.config, "read options from a file of lines NAME = VALUE"),
    {.name = "championship",
     .value = "TYPE PLAYERS",
     .help = "wait for so many players, let everybody meet everybody, end",
     .kind = OPTION_TEXT,
     .target = &UGS->hall.championship_type,
     .second = &serve.championship_players,
     .is_given = &serve.is_championship},
    ROW_NUMBER("port", &serve.port, 0, 65535, &serve.has_port, "the port of --ugs, on its address"),
    ROW_NUMBER("max-parallel", &serve.max_parallel, 0, PARALLEL_MAX, NULL,
               "tables that one game master runs at the same time, 0 for no limit"),
    ROW_FLAG("no-builtin-master", &serve.has_no_master, "leave Paper Soccer to a game master that logs in"),
    ROW_WORD("first-attacks", "GOAL", &serve.first_attacks, attack_words,
             "the goal that the first player attacks, top or bottom"),
    ROW_FLAG("lenient-moves", &UGS->master.is_lenient,
             "accept moves that begin at the ball, and <move x= y=/>"),
    ROW_SECONDS("move-timeout", &UGS->hall.move_timeout_ms, "for a player's move"),
    ROW_SECONDS("thanks-timeout", &UGS->hall.thanks_timeout_ms, "for a player's thanks after a table"),
    ROW_SECONDS("master-timeout", &UGS->hall.master_timeout_ms,
                "for the answer of a game master that logged in"),
    ROW_SECONDS("settle-timeout", &UGS->hall.settle_timeout_ms,
                "for the verdict of such a master when a player left"),
    ROW_SECONDS("login-timeout", &UGS->hall.login_timeout_ms, "for logging in"),
    ROW_FLAG("championship-resume", &UGS->hall.championship_resumes,
             "go on with the --championship that an earlier run left unfinished, if there is one"),
    ROW_SECONDS("championship-return", &UGS->hall.return_timeout_ms,
                "for the players of a championship to come back after a restart before they have lost"),
    ROW_SECONDS("message-timeout", &UGS->message_timeout_ms,
                "for the rest of a message or HTTP request that has begun"),
    ROW_SECONDS("idle-timeout", &serve.protocols.http.idle_timeout_ms,
                "for the next request on an HTTP connection"),
    ROW_NUMBER("hunt-games-max", &serve.hunt_games_max, 1, HUNT_GAMES_MAX_MAX, NULL,
               "Treasure Hunt games at the same time; one more drops the oldest"),
    ROW_SECONDS("hunt-idle", &HUNT->idle_ms, "without a request, after which such a game is given up"),
    {.name = "hunt-poll-interval",
     .value = "SECONDS",
     .help = "between two state queries of a player; earlier ones are answered late",
     .kind = OPTION_SECONDS,
     .target = &HUNT->poll_interval_ms,
     .max = OPTION_SECONDS_MS_MAX},
    ROW_SECONDS("hunt-action-time", &HUNT->action_ms, "for an action in games of course players"),
    ROW_SECONDS("hunt-game-time", &HUNT->game_ms, "for a whole game of course players"),
    ROW_NUMBER("renaissance-tables-max", &RENAISSANCE->tables_max, 1, RENAISSANCE_TABLES_MAX_MAX, NULL,
               "Masters of Renaissance games at the same time"),
    ROW_SECONDS("renaissance-keep", &RENAISSANCE->keep_ms,
                "without anybody, after which such a game is given up"),
    ROW_SECONDS("renaissance-silence", &RENAISSANCE->silence_ms,
                "without a line of a player there, after which the player is gone"),
    ROW_SECONDS("renaissance-return", &RENAISSANCE->return_ms,
                "for players to come back after a restart before their turns are skipped"),
    ROW_SECONDS("renaissance-answer-time", &RENAISSANCE->answer_ms,
                "for the number of players, when others wait for it"),
    ROW_NUMBER("renaissance-name-min", &RENAISSANCE->name_chars_min, 1, RENAISSANCE_NAME_CHARS_MAX, NULL,
               "characters that a nickname there has at least"),
    ROW_NUMBER("renaissance-name-max", &RENAISSANCE->name_chars_max, 1, RENAISSANCE_NAME_CHARS_MAX, NULL,
               "characters that a nickname there has at most"),
    ROW_FLAG("renaissance-lenient", &RENAISSANCE->is_lenient,
             "take parameters there without the actionReply before them"),
    ROW_NUMBER("tables-max", &serve.tables_max, 1, TABLES_MAX_MAX, NULL,
               "tables of the native API at the same time"),
    ROW_SECONDS("table-idle", &API->lounge.idle_ms, "without a change, after which such a table is given up"),
    ROW_NUMBER("watchers-max", &serve.watchers_max, 1, WATCHERS_MAX_MAX, NULL,
               "watchers of one table over WebSocket"),
    {.name = "watch-delay",
     .value = "SECONDS",
     .help = "that watchers see tables of other protocols later; tables of the native API say so themselves",
     .kind = OPTION_SECONDS,
     .target = &API->lounge.watch_delay_ms,
     .max = LOUNGE_WATCH_DELAY_MS_MAX},
    ROW_TEXT("cors", "ORIGIN", &API->cors, "let pages of this origin use the native API; * for all"),
    ROW_TEXT("inspect", "TOKEN", &API->inspect_token,
             "record what clients of all tables say; whoever has TOKEN may look (32 hexadecimal digits)"),
    ROW_SECONDS("santorini-grace", &SANTORINI->grace_ms,
                "that the seat of a Santorini player waits for a new connection"),
    ROW_SECONDS("santorini-silence", &SANTORINI->silence_ms,
                "without a line, after which a Santorini client that answers pings is gone"),
    ROW_SECONDS("santorini-quiet", &SANTORINI->quiet_ms, "the same for one that never has answered a ping"),
    ROW_SECONDS("santorini-answer-time", &SANTORINI->answer_ms,
                "for the number of players or a name, when others wait for it"),
    {.name = "santorini-turn-time",
     .value = "SECONDS",
     .help = "for each action of a Santorini player; 0 is no limit",
     .kind = OPTION_SECONDS,
     .target = &SANTORINI->turn_ms,
     .max = OPTION_SECONDS_MS_MAX},
    ROW_NUMBER("santorini-tables-max", &serve.santorini_tables_max, 1, SANTORINI_TABLES_MAX_MAX, NULL,
               "Santorini tables at the same time"),
    ROW_NUMBER("santorini-waiting-max", &serve.santorini_waiting_max, 1, SANTORINI_WAITING_MAX_MAX, NULL,
               "Santorini clients that wait for a table"),
    ROW_NUMBER("eriantys-tables-max", &serve.eriantys_tables_max, 1, ERIANTYS_TABLES_MAX_MAX, NULL,
               "Eriantys games at the same time"),
    ROW_SECONDS("eriantys-keep", &ERIANTYS->keep_ms, "without anybody, after which such a game is given up"),
    ROW_SECONDS("eriantys-silence", &ERIANTYS->json.silence_ms,
                "without a line, after which an Eriantys client is gone"),
    ROW_NUMBER("players-max", &serve.players_max, 1, PLAYERS_MAX_MAX, NULL,
               "players logged in at the same time"),
    ROW_NUMBER("connections-max", &serve.connections_max, 1, CONNECTIONS_MAX_MAX, NULL,
               "connections at the same time"),
    ROW_NUMBER("address-connections-max", &serve.address_connections_max, 0, ADDRESS_MAX_MAX, NULL,
               "of them from one address, 0 for no limit"),
    ROW_NUMBER("address-tables-max", &serve.address_tables_max, 0, ADDRESS_MAX_MAX, NULL,
               "tables that one address has opened and that are not over, 0 for no limit"),
    ROW_FLAG("limit-loopback", &serve.limits_loopback,
             "these limits count for addresses of this machine, too, where a proxy speaks for many"),
    ROW_FLAG("no-xml-decl", &UGS->style.omits_declaration, "write XML messages without <?xml ...?>"),
    ROW_FLAG("newline", &UGS->style.ends_with_newline, "end XML messages with a line feed"),
    ROW_NUMBER("seed", &serve.seed, 0, INT64_MAX, &serve.has_seed,
               "makes the dice repeatable, for tests: they are no secret then"),
    ROW_WORD("log-level", "LEVEL", &serve.log_level, level_words, "debug, info, warn or error"),
    {0},
};

static void serve_defaults(void) {
    serve = (struct serve){
        .data = "parlor-data",
        .backup_every_ms = 60 * 60 * 1000,
        .connections_max = server_config_default().connections_max,
        .address_connections_max = server_config_default().address_connections_max,
        .address_tables_max = ADDRESS_TABLES_MAX_DEFAULT,
        .log_level = LOG_INFO,
        .protocols = protocols_config_default(),
    };
    serve.max_parallel = hall->tables_per_master_max;
    serve.players_max = hall->players_max;
    serve.hunt_games_max = HUNT->games_max;
    serve.tables_max = API->lounge.tables_max;
    serve.watchers_max = API->watchers_max;
    serve.santorini_tables_max = SANTORINI->tables_max;
    serve.santorini_waiting_max = SANTORINI->waiting_max;
    serve.eriantys_tables_max = ERIANTYS->tables_max;
    serve.first_attacks = (int)serve.protocols.ugs.master.first_attack;
    for (size_t i = 0; i < PROTOCOL_COUNT; i++)
        serve.address[i] = protocols[i].create == NULL ? "off" : protocols[i].default_address;
}

static int serve_parse(int argc, char **argv) {
    static struct option_row
        rows[PROTOCOL_COUNT + sizeof rows_after_listeners / sizeof *rows_after_listeners];
    for (size_t i = 0; i < PROTOCOL_COUNT; i++)
        rows[i] = (struct option_row){.name = protocols[i].name,
                                      .value = "ADDR:PORT",
                                      .help = protocols[i].about,
                                      .kind = OPTION_TEXT,
                                      .target = &serve.address[i]};
    memcpy(rows + PROTOCOL_COUNT, rows_after_listeners, sizeof rows_after_listeners);
    static const struct options options = {
        .command = "serve",
        .operands = "",
        .about =
            "Serves the games. A listener is ADDR:PORT or 'off'; ADDR is an IPv4 address, an IPv6 address\n"
            "in brackets or a name, and port 0 picks a free one. Prints one line that begins with 'ready'\n"
            "when everything listens; SIGTERM or SIGINT ends it in order.",
        .rows = rows,
    };
    struct operands operands;
    return options_parse(&options, argc, argv, &operands);
}

static bool championship_check(void) {
    int64_t players;
    if (!serve.is_championship)
        return true;
    if (!span_to_int(span_of(serve.championship_players), &players) || players < CHAMPIONSHIP_ENTRANTS_MIN ||
        players > CHAMPIONSHIP_ENTRANTS_MAX) {
        fprintf(stderr, "parlor: --championship takes a game type and a number of players from %d to %d\n",
                CHAMPIONSHIP_ENTRANTS_MIN, CHAMPIONSHIP_ENTRANTS_MAX);
        return false;
    }
    size_t size = strlen(hall->championship_type);
    if (size == 0 || size > HALL_TYPE_BYTES_MAX || !utf8_is_valid(span_of(hall->championship_type))) {
        fprintf(stderr, "parlor: a game type has from 1 to %d bytes of UTF-8\n", HALL_TYPE_BYTES_MAX);
        return false;
    }
    hall->championship_players = (uint32_t)players;
    return true;
}

static bool renaissance_check(void) {
    if (RENAISSANCE->name_chars_min <= RENAISSANCE->name_chars_max)
        return true;
    fprintf(stderr, "parlor: --renaissance-name-min is more than --renaissance-name-max\n");
    return false;
}

/* Where a protocol listens; *is_off when it does not. */
struct place {
    bool is_off;
    char host[HOST_BYTES_MAX];
    uint16_t number;
};

static bool place_read(size_t i, struct place *out) {
    const char *name = protocols[i].name;
    bool is_off = strcmp(serve.address[i], "off") == 0;
    *out = (struct place){.is_off = is_off};
    if (is_off)
        return true;
    if (protocols[i].create == NULL) {
        fprintf(stderr, "parlor: --%s can only be 'off': this version does not speak that protocol\n", name);
        return false;
    }
    if (options_address(serve.address[i], out->host, sizeof out->host, &out->number) != ERR_OK) {
        fprintf(stderr,
                "parlor: --%s cannot be '%s': it takes ADDR:PORT with a port from 0 to 65535, or off\n", name,
                serve.address[i]);
        return false;
    }
    return true;
}

static bool places_read(struct place places[PROTOCOL_COUNT]) {
    bool is_any = false;
    for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
        if (!place_read(i, &places[i]))
            return false;
        is_any = is_any || !places[i].is_off;
    }
    if (!is_any) {
        fprintf(stderr, "parlor: every listener is off, there is nothing to serve\n");
        return false;
    }
    if (places[PROTOCOL_UGS].is_off && (serve.has_port || serve.is_championship)) {
        fprintf(stderr, "parlor: --%s needs the --ugs listener, which is off\n",
                serve.has_port ? "port" : "championship");
        return false;
    }
    if (serve.has_port)
        places[PROTOCOL_UGS].number = (uint16_t)serve.port;
    return true;
}

/* Carries over what the options could not put in its place directly. */
static void serve_complete(void) {
    struct ugs_port_config *ugs = &serve.protocols.ugs;
    hall->tables_per_master_max = (uint32_t)serve.max_parallel;
    hall->players_max = (uint32_t)serve.players_max;
    RENAISSANCE->players_max = (uint32_t)serve.players_max;
    HUNT->games_max = (uint32_t)serve.hunt_games_max;
    API->lounge.tables_max = (uint32_t)serve.tables_max;
    API->watchers_max = (uint32_t)serve.watchers_max;
    SANTORINI->tables_max = (uint32_t)serve.santorini_tables_max;
    SANTORINI->waiting_max = (uint32_t)serve.santorini_waiting_max;
    ERIANTYS->tables_max = (uint32_t)serve.eriantys_tables_max;
    serve.protocols.http.header_timeout_ms = ugs->message_timeout_ms;
    ugs->has_master = !serve.has_no_master;
    ugs->master.first_attack = (enum attack)serve.first_attacks;
}

static struct store *store_open(void) {
    if (serve.store_kind == STORE_KIND_MEMORY)
        return store_memory_open(true);
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "%s/" STORE_FILE, serve.data);
    struct store *store;
    const char *complaint;
    struct store_sqlite_config config = {.path = path,
                                         .has_writer_thread = true,
                                         .keep_days = (uint32_t)serve.keep_days,
                                         .keep_tables = (uint64_t)serve.keep_tables};
    if (store_sqlite_open(&config, &store, &complaint) == ERR_OK)
        return store;
    fprintf(stderr, "parlor: %s: %s\n", path, complaint);
    return NULL;
}

static void backup(void *context) {
    (void)context;
    char path[PATH_BYTES_MAX];
    const char *complaint;
    snprintf(path, sizeof path, "%s/" STORE_FILE, serve.data);
    if (store_sqlite_backup(path, serve.backup, &complaint) == ERR_OK)
        log_event(LOG_INFO, "backup", LOG_TEXT("file", span_of(serve.backup)));
    else
        log_event(LOG_ERROR, "backup-failed", LOG_TEXT("file", span_of(serve.backup)),
                  LOG_TEXT("why", span_of(complaint)));
}

static void nobody_listens(void *context, struct table *table) {
    (void)context;
    (void)table;
}

/* A table that was running when the server ended: its protocol knows what becomes of it. Others wait for
 * whoever comes. */
static void table_restored(void *context, struct table *table) {
    (void)context;
    for (size_t i = 0; i < PROTOCOL_COUNT; i++)
        if (protocols[i].restored != NULL && strcmp(protocols[i].name, table_protocol(table)) == 0) {
            protocols[i].restored(table);
            return;
        }
    table_listen(table, &(struct table_listener){
                            .context = NULL, .settled = nobody_listens, .stalled = nobody_listens});
}

static void print_ready(const struct server *server) {
    printf("ready");
    for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
        const char *address = server_address(server, protocols[i].name);
        printf(" %s=%s", protocols[i].name, address == NULL ? "off" : address);
    }
    printf("\n");
    fflush(stdout);
}

/* One more signal must not spoil the exit status of an orderly end. */
static void signals_hold(void) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigprocmask(SIG_BLOCK, &ending, NULL);
}

static int serve_places(const struct place places[PROTOCOL_COUNT], struct tables *tables,
                        struct store *store) {
    struct server_config config = server_config_default();
    config.connections_max = (uint32_t)serve.connections_max;
    config.address_connections_max = (uint32_t)serve.address_connections_max;
    config.counts_loopback = serve.limits_loopback;
    struct server *server = server_create(&config);
    server_keep(server, tables, store);
    if (serve.backup != NULL)
        server_every(server, serve.backup_every_ms, backup, NULL);
    serve.protocols.ugs.tables = tables;
    hall->tables = tables;
    HUNT->tables = tables;
    RENAISSANCE->tables = tables;
    API->lounge.tables = tables;
    API->lounge.thinker = server_thinker(server);
    API->store = store;
    serve.protocols.inspector = serve.inspector;
    serve.protocols.desk = &serve.desk;
    SANTORINI->tables = tables;
    SANTORINI->inspector = serve.inspector;
    ERIANTYS->tables = tables;
    ERIANTYS->json.inspector = serve.inspector;
    RENAISSANCE->inspector = serve.inspector;
    int status = 0;
    for (size_t i = 0; i < PROTOCOL_COUNT && status == 0; i++) {
        if (places[i].is_off)
            continue;
        struct port *port = protocols[i].create(&serve.protocols);
        if (server_listen(server, protocols[i].name, places[i].host, places[i].number, port) != ERR_OK) {
            fprintf(stderr, "parlor: %s\n", server_complaint(server));
            status = 1;
        }
    }
    if (status == 0) {
        print_ready(server);
        server_run(server);
        signals_hold();
    }
    store_close(store); /* what is on its way is written, and nobody wakes the loop any more */
    server_free(server);
    return status;
}

static int serve_store(const struct place places[PROTOCOL_COUNT]) {
    struct store *store = store_open();
    if (store == NULL)
        return 1;
    struct tables_source source = {.has_seed = serve.has_seed};
    rng_seed(&source.rng, (uint64_t)serve.seed);
    struct tables_config config = tables_source_config(&source, store);
    config.address_tables_max = (uint32_t)serve.address_tables_max;
    struct tables *tables = tables_create(&config);
    int status = 1;
    if (tables_restore(tables, clock_monotonic_ms(), table_restored, NULL) == ERR_OK) {
        status = serve_places(places, tables, store);
    } else {
        fprintf(stderr, "parlor: the journal cannot be read\n");
        store_close(store);
    }
    tables_free(tables);
    return status;
}

static bool api_check(void) {
    struct digest hash;
    if (API->inspect_token != NULL && !token_hash(span_of(API->inspect_token), &hash)) {
        fprintf(stderr, "parlor: --inspect takes a token of %d hexadecimal digits in lower case\n",
                TOKEN_CHARS);
        return false;
    }
    for (const char *c = API->cors; c != NULL && *c != '\0'; c++)
        if (*c <= ' ' || *c > '~') {
            fprintf(stderr, "parlor: --cors takes an origin such as https://example.org, or *\n");
            return false;
        }
    return true;
}

static bool store_check(void) {
    if (serve.backup == NULL || serve.store_kind == STORE_KIND_SQLITE)
        return true;
    fprintf(stderr, "parlor: --backup needs --store sqlite\n");
    return false;
}

static int serve_run(int argc, char **argv) {
    serve_defaults();
    int wrong = serve_parse(argc, argv);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    struct place places[PROTOCOL_COUNT];
    if (!championship_check() || !store_check() || !api_check() || !renaissance_check() ||
        !places_read(places))
        return EXIT_USAGE;
    log_set_level((enum log_level)serve.log_level);
    serve_complete();
    struct data_dir data;
    char complaint[512];
    if (data_dir_open(&data, serve.data, complaint, sizeof complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s\n", complaint);
        return 1;
    }
    const struct inspector_config inspector = {.has_all = API->inspect_token != NULL,
                                               .wall_ms = clock_wall_ms};
    serve.inspector = inspector_create(&inspector);
    int status = serve_store(places);
    inspector_free(serve.inspector);
    data_dir_close(&data);
    return status;
}

const struct command cmd_serve = {"serve", "run the server", serve_run};
