/* parlor serve: the server. What it prints on standard output is one line, when everything listens:
 *
 *     ready http=127.0.0.1:8080 ugs=127.0.0.1:8888 santorini=off eriantys=off renaissance=off
 *
 * so that whoever started it knows that, and on which ports; listeners for TLS follow when they are not off.
 * Everything else goes to the log on standard
 * error. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/options_change.h"
#include "cli/store_choice.h"
#include "cli/tables_source.h"
#include "server/admin.h"
#include "server/conn.h"
#include "server/protocols.h"
#include "server/sandbox.h"
#include "server/server.h"
#include "server/tls.h"
#include "store/data_dir.h"
#include "store/store.h"
#include "version.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDRESS_BYTES_MAX_MAX (INT64_C(1) << 40)

enum {
    PLAYERS_MAX_MAX = 1000 * 1000,
    CONNECTIONS_MAX_MAX = 1000 * 1000,
    ADDRESS_MAX_MAX = 1000 * 1000,
    ADDRESS_TABLES_MAX_DEFAULT = 500,
    MEMORY_MAX_MIN = 32 * 1024 * 1024,
    MEMORY_MAX_DEFAULT = 1024 * 1024 * 1024,
    ADDRESS_JOURNAL_MIB_DEFAULT = 100,
    DISK_RESERVE_MIB_DEFAULT = 64,
    MIB = 1024 * 1024,
    PLAYERS_MAX_DEFAULT = 100 * 1000,
    MESSAGE_TIMEOUT_MS_DEFAULT = 30 * 1000,
    KEEP_DAYS_MAX = 36500,
    PATH_BYTES_MAX = 4096,
    SEED_NONE = -1,
};

/* What the options fill. */
struct serve {
    const char *data;
    const char *config;
    struct server_config server;
    struct protocol_host host;
    uint32_t address_tables_max, address_journal_mib;
    uint32_t disk_reserve_mib;
    int return_from;
    size_t memory_max;
    int64_t seed;
    const char *store;
    enum store_kind store_kind;
    bool is_store_alone;
    const char *backup;
    uint32_t backup_every_ms;
    uint32_t keep_days;
    int64_t keep_tables;
    bool accepts_loss;
    int log_level, log_format;
    int sandbox;
    bool allows_root;
    const char *admin;
    struct admin_places admin_places;
    struct http_figures http_figures;
    struct protocols_setup protocols;
    struct tls_keys *keys; /* NULL: nothing is spoken over TLS */
};

static struct serve serve;

/* What reading the options again needs. */
static struct serve_again {
    int argc;
    char **argv;
    struct server *server;
    struct tables *tables;
    struct buf started,
        last; /* the options at the start, and when they were read last (cli/options_change.h) */
} again;

static const char *const level_words[] = {
    [LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARN] = "warn", [LOG_ERROR] = "error", NULL};

enum { FORMAT_AUTO, FORMAT_TEXT, FORMAT_JSON, FORMAT_JOURNALD };
static const char *const format_words[] = {[FORMAT_AUTO] = "auto",
                                           [FORMAT_TEXT] = "text",
                                           [FORMAT_JSON] = "json",
                                           [FORMAT_JOURNALD] = "journald",
                                           NULL};

enum { SANDBOX_OFF, SANDBOX_ON };
static const char *const sandbox_words[] = {[SANDBOX_OFF] = "off", [SANDBOX_ON] = "on", NULL};

enum { RETURN_SAME_ADDRESS, RETURN_ANYWHERE };
static const char *const return_words[] = {
    [RETURN_SAME_ADDRESS] = "same-address", [RETURN_ANYWHERE] = "anywhere", NULL};

static const struct option_row serve_rows[] = {
    ROW_TEXT("data", "DIR", &serve.data, "where things are kept; made when missing"),
    ROW_TEXT(
        "store", "STORE", &serve.store,
        "where journals go: sqlite is a file in --data, postgresql://USER@HOST,HOST/DATABASE a database, "
        "memory forgets with the process"),
    ROW_FLAG("store-alone", &serve.is_store_alone,
             "one database without a synchronous standby is meant; otherwise it is refused"),
    ROW_TEXT("backup", "FILE", &serve.backup, "copy the journal there while the server runs"),
    ROW_SECONDS("backup-every", &serve.backup_every_ms, "between two such copies"),
    ROW_U32("keep-days", &serve.keep_days, 0, KEEP_DAYS_MAX,
            "remove finished tables after so many days, 0 keeps them for ever"),
    ROW_NUMBER("keep-tables", &serve.keep_tables, 0, INT64_MAX,
               "keep at most so many finished tables, 0 for no limit"),
    ROW_FLAG("accept-loss", &serve.accepts_loss,
             "go on although the journal has lost events that were saved in it"),
    ROW_TEXT("config", "FILE", &serve.config, "read options from a file of lines NAME = VALUE"),
    ROW_SECONDS(
        "message-timeout", &serve.host.message_timeout_ms,
        "for the rest of a message or HTTP request that has begun, and up to 10 s for a handshake of TLS"),
    ROW_U32("players-max", &serve.host.players_max, 1, PLAYERS_MAX_MAX, "players logged in at the same time"),
    ROW_U32("connections-max", &serve.server.connections_max, 1, CONNECTIONS_MAX_MAX,
            "connections at the same time"),
    ROW_U32("address-connections-max", &serve.server.address_connections_max, 0, ADDRESS_MAX_MAX,
            "of them from one address, 0 for no limit"),
    ROW_U32("address-requests-max", &serve.server.address_requests_max, 0, ADDRESS_MAX_MAX,
            "requests and messages of one address in a second, over ten seconds, 0 for no limit"),
    ROW_BYTES("address-bytes-max", &serve.server.address_bytes_max, 0, ADDRESS_BYTES_MAX_MAX,
              "from and to one address in a second, over ten seconds, 0 for no limit"),
    ROW_U32("address-thinking-max", &serve.server.address_thinking_s, 0, ADDRESS_MAX_MAX,
            "seconds of processor time that bots at tables of one address think in an hour before it gets no "
            "more bots, 0 for "
            "no limit"),
    ROW_U32("address-tables-max", &serve.address_tables_max, 0, ADDRESS_MAX_MAX,
            "tables that one address has opened and that are not over, 0 for no limit"),
    ROW_BYTES("memory-max", &serve.memory_max, MEMORY_MAX_MIN, INT64_MAX,
              "of memory for everything that clients ask for; over it new work is refused, and those "
              "connections go that have most"),
    ROW_U32("address-journal-max", &serve.address_journal_mib, 0, ADDRESS_MAX_MAX,
            "MiB of journal that tables of one address write in an hour before it may open no more, 0 for no "
            "limit"),
    ROW_U32("disk-reserve", &serve.disk_reserve_mib, 0, ADDRESS_MAX_MAX,
            "MiB that are left free on the disk of the journal: with less no tables open"),
    ROW_FLAG(
        "free-loopback", &serve.server.is_loopback_free,
        "addresses of this machine have no limits: where a load is made, or a proxy of TCP speaks for many"),
    ROW_GONE("limit-loopback",
             "limits count for addresses of this machine, unless --free-loopback frees them"),
    ROW_WORD("return-from", "WHERE", &serve.return_from, return_words,
             "where players who are known by a name come back from: same-address, or anywhere"),
    ROW_NUMBER("seed", &serve.seed, 0, INT64_MAX,
               "makes the dice repeatable, for tests: they are no secret then"),
    ROW_TEXT("admin", "WHERE", &serve.admin,
             "numbers, health and commands for the operator: the path of a socket, ADDR:PORT of the "
             "loopback, both with "
             "a comma between them, or off"),
    ROW_WORD("sandbox", "WORD", &serve.sandbox, sandbox_words,
             "on: give up what is not needed as far as the kernel can take it, so that no other files are "
             "opened, no programs started, and nobody connected to but a database; or off"),
    ROW_FLAG("allow-root", &serve.allows_root, "run as root, which is refused otherwise"),
    ROW_WORD("log-level", "LEVEL", &serve.log_level, level_words, "debug, info, warn or error"),
    ROW_WORD("log-format", "FORMAT", &serve.log_format, format_words,
             "text, json, journald for the fields of systemd's journal, or auto: journald where standard "
             "error leads "
             "there, and text"),
    {0},
};

static void serve_defaults(void) {
    serve = (struct serve){
        .data = "parlor-data",
        .store = "sqlite",
        .backup_every_ms = 60 * 60 * 1000,
        .server = server_config_default(),
        .host = {.players_max = PLAYERS_MAX_DEFAULT, .message_timeout_ms = MESSAGE_TIMEOUT_MS_DEFAULT},
        .address_tables_max = ADDRESS_TABLES_MAX_DEFAULT,
        .memory_max = MEMORY_MAX_DEFAULT,
        .address_journal_mib = ADDRESS_JOURNAL_MIB_DEFAULT,
        .disk_reserve_mib = DISK_RESERVE_MIB_DEFAULT,
        .seed = SEED_NONE,
        .log_level = LOG_INFO,
        .sandbox = SANDBOX_ON,
        .admin = "off",
    };
    protocols_prepare(&serve.protocols, serve_rows);
}

static struct options serve_options(void) {
    return (struct options){
        .command = "serve",
        .operands = "",
        .about =
            "Serves the games. A listener is ADDR:PORT or 'off'; ADDR is an IPv4 address, an IPv6 address\n"
            "in brackets or a name, and port 0 picks a free one. Prints one line that begins with 'ready'\n"
            "when everything listens; SIGTERM or SIGINT ends it in order, SIGHUP reads the configuration "
            "file again.",
        .rows = serve.protocols.addresses,
        .groups = serve.protocols.groups,
    };
}

static int serve_parse(int argc, char **argv) {
    const struct options options = serve_options();
    struct operands operands;
    return options_parse(&options, argc, argv, &operands);
}

static struct store *store_complain(const char *complaint) {
    fprintf(stderr, "parlor: %s\n", complaint);
    return NULL;
}

static struct store *store_open_postgres(void) {
    struct store *store;
    const char *complaint;
    const struct store_postgres_config config = {.url = serve.store,
                                                 .has_writer_thread = true,
                                                 .is_alone = serve.is_store_alone,
                                                 .lease = "hall",
                                                 .keep_days = serve.keep_days,
                                                 .keep_tables = (uint64_t)serve.keep_tables};
    return store_postgres_open(&config, &store, &complaint) == ERR_OK ? store : store_complain(complaint);
}

static struct store *store_open_sqlite(void) {
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "%s/" STORE_FILE, serve.data);
    struct store *store;
    const char *complaint;
    const struct store_sqlite_config config = {.path = path,
                                               .has_writer_thread = true,
                                               .accepts_loss = serve.accepts_loss,
                                               .reserve_bytes = (uint64_t)serve.disk_reserve_mib * MIB,
                                               .keep_days = serve.keep_days,
                                               .keep_tables = (uint64_t)serve.keep_tables};
    if (store_sqlite_open(&config, &store, &complaint) == ERR_OK)
        return store;
    fprintf(stderr, "parlor: %s: %s\n", path, complaint);
    return NULL;
}

static struct store *store_open(void) {
    switch (serve.store_kind) {
    case STORE_KIND_MEMORY: return store_memory_open(true);
    case STORE_KIND_POSTGRES: return store_open_postgres();
    case STORE_KIND_SQLITE: break;
    }
    return store_open_sqlite();
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

static void table_restored(void *context, struct table *table) {
    protocols_restored(table, tables_is_shared(context));
}

static const char *serve_address(const void *server, const char *listener) {
    return server_address(server, listener);
}

static void serve_write_protocols(const void *server, struct writer *w) {
    protocols_write(w, serve_address, server);
}

static void print_ready(const struct server *server) {
    printf("ready");
    for (size_t i = 0; i < serve.protocols.listener_count; i++) {
        const char *name = serve.protocols.listeners[i].name, *address = server_address(server, name);
        printf(" %s=%s", name, address == NULL ? "off" : address);
    }
    for (size_t i = 0; i < serve.protocols.listener_count; i++) {
        const char *name = serve.protocols.listeners[i].tls_name, *address = server_address(server, name);
        if (address != NULL)
            printf(" %s=%s", name, address);
    }
    static const char *const own[] = {ADMIN_NAME, ADMIN_TCP_NAME};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *address = server_address(server, own[i]);
        if (address != NULL)
            printf(" %s=%s", own[i], address);
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

static bool serve_listen_at(struct server *server, const struct protocols_listener *l, bool is_tls,
                            struct port *port) {
    const struct protocol_place *place = is_tls ? &l->tls_place : &l->place;
    if (place->is_off)
        return true;
    const struct server_place where = {.name = is_tls ? l->tls_name : l->name,
                                       .host = place->host,
                                       .number = place->number,
                                       .tls = is_tls ? serve.keys : NULL,
                                       .is_http = strcmp(l->name, PROTOCOLS_HTTP_NAME) == 0,
                                       .wants_header = l->wants_header};
    if (server_listen(server, &where, port) == ERR_OK)
        return true;
    fprintf(stderr, "parlor: %s\n", server_complaint(server));
    return false;
}

/* Opens every port that has a place. */
static bool serve_listen(struct server *server, struct admin *admin) {
    const struct protocols_setup *all = &serve.protocols;
    for (size_t i = 0; i < all->listener_count; i++) {
        const struct protocols_listener *l = &all->listeners[i];
        if (l->place.is_off && l->tls_place.is_off)
            continue;
        struct port *port = protocols_open(all, i, &serve.host);
        if (!serve_listen_at(server, l, false, port) || !serve_listen_at(server, l, true, port))
            return false;
    }
    if (admin_listen(admin, server, &serve.admin_places) == ERR_OK)
        return true;
    fprintf(stderr, "parlor: %s\n", server_complaint(server));
    return false;
}

static void sandbox_end(void);
static bool serve_reload(void);
static void serve_on_reload(void *context);

/* Of whoever stands behind a proxy; others are not let in at all. */
static bool serve_is_banned(void *context, const struct address *address) {
    struct server *server = context;
    return bans_have(&server_conns(server)->bans, address, server_clock_ms(server));
}

static int serve_tables(struct tables *tables, struct store *store) {
    serve.server.proxies = serve.protocols.http.proxies;
    if (serve.host.message_timeout_ms < serve.server.greeting_ms)
        serve.server.greeting_ms = serve.host.message_timeout_ms;
    struct server *server = server_create(&serve.server);
    struct hall_desk desk = {0};
    struct announcer announcer = {0};
    server_keep(server, tables, store);
    again.server = server;
    again.tables = tables;
    server_on_reload(server, serve_on_reload, NULL);
    if (serve.backup != NULL)
        server_every(server, serve.backup_every_ms, backup, NULL);
    const struct inspector_config inspector = {.wall_ms = clock_wall_ms};
    serve.host.tables = tables;
    serve.host.store = store;
    serve.host.thinker = server_thinker(server);
    serve.host.inspector = inspector_create(&inspector);
    serve.host.desk = &desk;
    serve.host.version = PARLOR_VERSION;
    serve.host.server = server;
    serve.host.write_protocols = serve_write_protocols;
    serve.host.announcer = &announcer;
    serve.protocols.http.figures = &serve.http_figures;
    serve.protocols.http.is_banned = serve_is_banned;
    serve.protocols.http.ban_context = server;
    const struct commands_config orders = {.server = server,
                                           .host = &serve.host,
                                           .version = PARLOR_VERSION,
                                           .started_ms = clock_wall_ms(),
                                           .reload = serve_reload};
    struct commands *served = commands_create(&orders);
    const struct admin_config config = {
        .metrics = {.server = server,
                    .tables = tables,
                    .store = store,
                    .http = &serve.http_figures,
                    .version = PARLOR_VERSION,
                    .started_ms = orders.started_ms,
                    .memory_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)},
        .host = &serve.host,
        .commands = served,
        .message_timeout_ms = serve.host.message_timeout_ms,
    };
    struct admin *admin = admin_create(&config);
    int status = serve_listen(server, admin) ? 0 : 1;
    if (status == 0) {
        sandbox_end();
        print_ready(server);
        server_run(server);
        signals_hold();
    }
    tables_store_closes(tables);
    store_close(store); /* what is on its way is written, and nobody wakes the loop any more */
    server_free(server);
    admin_free(admin);
    commands_free(served);
    close(config.metrics.memory_file);
    inspector_free(serve.host.inspector);
    return status;
}

static int serve_store(void) {
    struct store *store = store_open();
    if (store == NULL)
        return 1;
    struct tables_source source = {.has_seed = serve.seed != SEED_NONE};
    rng_seed(&source.rng, (uint64_t)serve.seed);
    struct tables_config config = tables_source_config(&source, store);
    config.address_tables_max = serve.address_tables_max;
    config.address_bytes_max = (uint64_t)serve.address_journal_mib * MIB;
    config.returns_from_anywhere = serve.return_from == RETURN_ANYWHERE;
    struct tables *tables = tables_create(&config);
    int status = 1;
    if (tables_restore(tables, clock_monotonic_ms(), table_restored, tables) == ERR_OK) {
        store_drain(store); /* who else is there, and where the hall is */
        status = serve_tables(tables, store);
    } else {
        fprintf(stderr, "parlor: the journal cannot be read\n");
        tables_store_closes(tables);
        store_close(store);
    }
    tables_free(tables);
    return status;
}

static bool store_check(void) {
    if (!store_choice_parse(serve.store, &serve.store_kind)) {
        fprintf(stderr, "parlor: --store takes sqlite, memory, or postgresql://...\n");
        return false;
    }
    if (serve.backup == NULL || serve.store_kind == STORE_KIND_SQLITE)
        return true;
    fprintf(stderr, "parlor: --backup needs --store sqlite\n");
    return false;
}

/* Whoever finds a mistake of ours should not have the whole machine. */
static bool root_check(void) {
    if (geteuid() != 0 || serve.allows_root)
        return true;
    fprintf(stderr,
            "parlor: the server does not run as root: run it as a user of its own, or say --allow-root\n");
    return false;
}

static bool serve_check(void) {
    if (!store_check())
        return false;
    if (!admin_places_parse(serve.admin, &serve.admin_places, serve.protocols.complaint)) {
        fprintf(stderr, "parlor: %s\n", serve.protocols.complaint);
        return false;
    }
    if (protocols_check(&serve.protocols))
        return root_check();
    fprintf(stderr, "parlor: %s\n", serve.protocols.complaint);
    return false;
}

static void serve_log(void) {
    static const enum log_form forms[] = {
        [FORMAT_TEXT] = LOG_FORM_TEXT, [FORMAT_JSON] = LOG_FORM_JSON, [FORMAT_JOURNALD] = LOG_FORM_JOURNAL};
    int format = serve.log_format != FORMAT_AUTO ? serve.log_format
                 : log_is_journal()              ? FORMAT_JOURNALD
                                                 : FORMAT_TEXT;
    log_set_level((enum log_level)serve.log_level);
    log_set_form(forms[format], LOG_JOURNAL_PATH);
}

/* Options that can change while the server runs. */
static const char *const reloaded_names[] = {
    "log-level",          "log-format",          "memory-max", "connections-max", "address-connections-max",
    "address-tables-max", "address-journal-max", NULL};

static bool reload_can(struct span name) {
    size_t i = 0;
    while (reloaded_names[i] != NULL && !span_is(name, reloaded_names[i]))
        i++;
    return reloaded_names[i] != NULL;
}

static void reload_name(struct buf *list, struct span name) {
    buf_printf(list, "%s%.*s", list->size > 0 ? " " : "", (int)name.size, name.data);
}

static void reload_taken(void *context, struct span name) {
    if (reload_can(name))
        reload_name(context, name);
}

/* What needs a restart is named every time until there was one. */
static void reload_waiting(void *context, struct span name) {
    if (!reload_can(name))
        reload_name(context, name);
}

/* The options as they would be at a start now, from the same command line and the file that it names; false
 * when that would be refused. */
static bool reload_read(struct serve *fresh, struct buf *options) {
    const struct serve live = serve;
    serve_defaults();
    bool is_good = serve_parse(again.argc, again.argv) == OPTIONS_GO_ON;
    if (is_good) {
        const struct options rows = serve_options();
        options_note(&rows, options);
        is_good = serve_check();
    }
    *fresh = serve;
    protocols_release(&serve.protocols);
    serve = live;
    return is_good;
}

static void reload_apply(const struct serve *fresh) {
    serve.log_level = fresh->log_level;
    serve.log_format = fresh->log_format;
    serve_log();
    mem_set_max(fresh->memory_max);
    server_set_limits(again.server, fresh->server.connections_max, fresh->server.address_connections_max);
    tables_set_limits(again.tables, fresh->address_tables_max, (uint64_t)fresh->address_journal_mib * MIB);
}

static struct span reload_list(const struct buf *names) {
    return names->size == 0 ? SPAN("") : buf_span(names);
}

static void reload_report(struct buf *now) {
    struct buf taken = {0}, waiting = {0};
    options_changed(buf_span(&again.last), buf_span(now), reload_taken, &taken);
    options_changed(buf_span(&again.started), buf_span(now), reload_waiting, &waiting);
    log_event(LOG_INFO, "reloaded", LOG_TEXT("changed", reload_list(&taken)),
              LOG_TEXT("needs_restart", reload_list(&waiting)));
    buf_clear(&again.last);
    buf_append(&again.last, buf_span(now));
    buf_free(&taken);
    buf_free(&waiting);
}

/* The certificate and key of TLS; those that cannot be used change nothing. */
static bool reload_keys(void) {
    char complaint[TLS_COMPLAINT_BYTES_MAX];
    if (serve.keys == NULL || tls_keys_reload(serve.keys, complaint) == ERR_OK)
        return true;
    log_event(LOG_ERROR, "certificate-refused", LOG_TEXT("why", span_of(complaint)));
    return false;
}

/* SIGHUP, and the operator. */
static bool serve_reload(void) {
    struct buf options = {0};
    struct serve fresh;
    bool has_keys = reload_keys();
    bool is_good = reload_read(&fresh, &options);
    if (is_good) {
        reload_apply(&fresh);
        reload_report(&options);
    } else {
        log_event(
            LOG_ERROR, "reload-refused",
            LOG_TEXT("why", SPAN("the options are not right, as the lines before say; all stays as it was")));
    }
    buf_free(&options);
    return is_good && has_keys;
}

static void serve_on_reload(void *context) {
    (void)context;
    serve_reload();
}

static bool keys_open(void) {
    const struct protocols_setup *all = &serve.protocols;
    char complaint[TLS_COMPLAINT_BYTES_MAX];
    if (all->tls_certificate == NULL)
        return true;
    const char *key = all->tls_key == NULL ? all->tls_certificate : all->tls_key;
    serve.keys = tls_keys_open(all->tls_certificate, key, complaint);
    if (serve.keys == NULL)
        fprintf(stderr, "parlor: %s\n", complaint);
    return serve.keys != NULL;
}

/* Few rights. */

static struct sandbox serve_sandbox;
static int serve_landlock; /* the version of its interface, 0: the kernel has none */

/* Files that options name are read again, and may come anew beside the old ones; so may what a link leads to,
 * as with certificates that are renewed. */
static bool sandbox_option(void *context, const struct option_place *place) {
    const char *text = place->row->kind == OPTION_TEXT ? *(const char **)place->target : NULL;
    char led_to[PATH_MAX];
    struct stat found;
    (void)context;
    if (text == NULL || stat(text, &found) != 0 || !S_ISREG(found.st_mode))
        return true;
    sandbox_allow_beside(&serve_sandbox, text, false);
    sandbox_allow_beside(&serve_sandbox, realpath(text, led_to), false);
    return true;
}

/* What libpq may read when it connects again: files that its environment or the URL names. */
static void sandbox_database(void) {
    static const char *const names[] = {"PGPASSFILE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY",
                                        "PGSERVICEFILE"};
    const char *home = getenv("HOME");
    char path[PATH_BYTES_MAX];
    serve_sandbox.connects = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sandbox_allow(&serve_sandbox, getenv(names[i]), false);
    for (const char *at = strstr(serve.store, "=/"); at != NULL; at = strstr(at + 1, "=/")) {
        snprintf(path, sizeof path, "%.*s", (int)strcspn(at + 1, "&"), at + 1);
        sandbox_allow(&serve_sandbox, path, false);
    }
    snprintf(path, sizeof path, "%s/.pgpass", home == NULL ? "" : home);
    sandbox_allow(&serve_sandbox, path, false);
    snprintf(path, sizeof path, "%s/.postgresql", home == NULL ? "" : home);
    sandbox_allow(&serve_sandbox, path, false);
}

/* Before any thread is started: files. */
static void sandbox_begin(void) {
    const struct options rows = serve_options();
    if (serve.sandbox == SANDBOX_OFF)
        return;
    sandbox_allow_system(&serve_sandbox);
    options_each(&rows, sandbox_option, NULL);
    if (serve.store_kind == STORE_KIND_POSTGRES) {
        sandbox_database();
    } else {
        sandbox_allow(&serve_sandbox, serve.data, true);
        setenv("SQLITE_TMPDIR", serve.data, 1);
    }
    sandbox_allow_beside(&serve_sandbox, serve.backup, true);
    for (size_t i = 0; i < serve.admin_places.count; i++)
        if (serve.admin_places.of[i].is_local)
            sandbox_allow_beside(&serve_sandbox, serve.admin_places.of[i].path, true);
    serve_landlock = sandbox_files(&serve_sandbox);
}

/* When everything listens: calls. What the kernel does not have is nobody's mistake, but worth a line. */
static void sandbox_end(void) {
    if (serve.sandbox == SANDBOX_OFF)
        return;
    bool has_seccomp = sandbox_calls(&serve_sandbox);
    bool is_whole = has_seccomp && serve_landlock > 0;
    log_event(LOG_INFO, is_whole ? "sandboxed" : "sandbox-partial", LOG_INT("landlock", serve_landlock),
              LOG_INT("seccomp", has_seccomp));
}

static int serve_data(void) {
    struct data_dir data;
    char complaint[512];
    serve_log();
    mem_set_max(serve.memory_max);
    if (!keys_open())
        return 1;
    if (serve.store_kind == STORE_KIND_POSTGRES) { /* where nothing is kept in a directory */
        sandbox_begin();
        return serve_store();
    }
    if (data_dir_open(&data, serve.data, complaint, sizeof complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s\n", complaint);
        return 1;
    }
    sandbox_begin();
    int status = serve_store();
    data_dir_close(&data);
    return status;
}

static int serve_run(int argc, char **argv) {
    tls_account();
    serve_defaults();
    int status = serve_parse(argc, argv);
    if (status == OPTIONS_GO_ON) {
        const struct options rows = serve_options();
        again = (struct serve_again){.argc = argc, .argv = argv};
        options_note(&rows, &again.started);
        options_note(&rows, &again.last);
        status = serve_check() ? serve_data() : EXIT_USAGE;
        buf_free(&again.started);
        buf_free(&again.last);
    }
    protocols_release(&serve.protocols);
    tls_keys_free(serve.keys);
    return status;
}

const struct command cmd_serve = {"serve", "run the server", serve_run};
