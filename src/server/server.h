/* The server: one event loop with listeners, each of which leads to the port of one protocol. It knows the
 * ceiling of connections, the signals, the clock and how to end in order; what is said on a connection is
 * the ports' business. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "base/err.h"
#include "base/histogram.h"
#include "host/table/table.h"
#include "host/thinker.h"
#include "wire/port.h"

enum {
    SERVER_LISTENERS_MAX = 32,
    SERVER_FILES_RESERVE = 100, /* files that are not connections: listeners, logs, the store */
    SERVER_CONNECTIONS_MAX_DEFAULT = 20000 - SERVER_FILES_RESERVE,
    SERVER_ADDRESS_CONNECTIONS_MAX_DEFAULT = 1000,
    SERVER_ADDRESS_REQUESTS_MAX_DEFAULT = 5000, /* a second */
    SERVER_ADDRESS_BYTES_A_SECOND_DEFAULT = 32 * 1024 * 1024,
    SERVER_ADDRESS_THINKING_S_DEFAULT = 2 * 60 * 60, /* an hour: two processors all the time */
    SERVER_GOODBYE_MS = 5000,
    SERVER_GREETING_MS = 10 * 1000,
    SERVER_BEAT_MS = 1000,
    SERVER_LATE_MS = 250,           /* a turn of the loop that comes later than this is a halt */
    SERVER_HALT_LOG_MS = 1000,      /* of which is told from this length on */
    SERVER_TURN_PEERS_MAX = 4,      /* connections that a turn of the loop accepts; each listener one more */
    SERVER_ADDRESS_BYTES_MAX = 128, /* "[address]:port", or the path of a socket */
};

struct server_config {
    uint32_t connections_max;         /* further peers are accepted and closed at once */
    uint32_t address_connections_max; /* of one address, the others are turned away; 0: any number */
    uint32_t address_requests_max;    /* a second, of one address, over some seconds; 0: any number */
    size_t address_bytes_max;    /* a second, from and to one address, over some seconds; 0: any number */
    uint32_t address_thinking_s; /* that bots of one address think in an hour; 0: any number */
    bool is_loopback_free;       /* addresses of this machine have no limit */
    struct addresses
        proxies;          /* that say for whom they speak (http_port_config): they have no limit themselves
                           */
    uint32_t greeting_ms; /* for a handshake of TLS, and the header of a proxy */
    uint32_t goodbye_ms;  /* how long sending what is unsent may take, for one connection and at the end */
};

struct server_config server_config_default(void);

struct server;
struct tls_keys;

/* Gives. Raises the soft limit of open files to the hard one, and lowers connections_max to what that leaves.
 * From here on SIGTERM and SIGINT do not end the process but server_run, even when they come before it, until
 * the server is freed; SIGHUP ends nothing (server_on_reload). */
struct server *server_create(const struct server_config *);

/* Frees the ports, too. After server_run has returned, or without any run. */
void server_free(struct server *);

/* Where to listen: host is an IPv4 or IPv6 address or a name, of which the IPv4 addresses are tried first;
 * port number 0 picks a free one. */
struct server_place {
    const char *name; /* for the log; borrowed for the life of the server */
    const char *host;
    uint16_t number;
    struct tls_keys *tls; /* NULL: without TLS. Borrowed for the life of the server */
    bool is_http;
    bool wants_header; /* proxies of the server begin every connection by saying whose it is (proxy_header.h)
                        */
};

/* Listens for a port and keeps it, also when it fails. A port may have several places. A socket that whoever
 * started the program has given under the name (see server/supervisor.h) is used instead. On ERR_IO
 * server_complaint says why. */
enum err server_listen(struct server *, const struct server_place *, struct port *) MUST_CHECK;

/* The same at a path of the file system, for this machine and the user of the server alone
 * (server/local_socket.h). It is removed when the server is freed. */
enum err server_listen_local(struct server *, const char *name, const char *path, struct port *) MUST_CHECK;

/* Serves these tables, too: their clocks, their beats, and what their store has committed. Both are borrowed;
 * the store must be closed before server_free. */
void server_keep(struct server *, struct tables *, struct store *);

/* Lets bots think beside the loop. Borrowed for the life of the server; when the server ends they are
 * cancelled, and server_run does not return before all have heard it. */
struct thinker *server_thinker(struct server *);

/* Has work done every so often, from the start of server_run on, in a thread of its own so that the loop
 * never waits for it; never twice at the same time. At the end a run that is on its way is waited for. One
 * such job per server. */
void server_every(struct server *, uint32_t period_ms, void (*work)(void *context), void *context);

/* Has this called whenever SIGHUP asks for it: on the loop's thread, between two things that it does, so it
 * must not take long. Without it SIGHUP leaves a line in the log and does nothing. One such function per
 * server. */
void server_on_reload(struct server *, void (*reload)(void *context), void *context);

/* For the operator: connections and bans, see server/conn.h and server/bans.h. */
struct conns *server_conns(struct server *);
uint64_t server_clock_ms(struct server *);

/* Ends as SIGTERM does, when the loop has come to it. */
void server_stop(struct server *);
/* Opens no more tables, and ends when none of this server's runs any more; or goes on as before. */
void server_drain(struct server *, bool is_draining);

/* Other limits from now on, as in struct server_config; nobody who is there goes for it. */
void server_set_limits(struct server *, uint32_t connections_max, uint32_t address_connections_max);

/* One line for people about the last thing that was refused. */
const char *server_complaint(const struct server *);

/* Where the listener of that name really listens, "127.0.0.1:8888" or "[::1]:8888"; NULL when there is none.
 */
const char *server_address(const struct server *, const char *name);

/* What has passed through the port of an index, counted from 0, and its name; NULL: there are no more.
 * Borrowed. */
const struct port_figures *server_port_figures(const struct server *, size_t index, const char **name);

/* The name of the listener of a port; "": it is none. Borrowed. */
const char *server_port_name(const struct server *, const struct port *);

/* What the loop itself has done so far. */
struct server_figures {
    const struct histogram *turns; /* the work of a turn, without waiting; borrowed */
    uint64_t halted_ms;            /* how long it has stood still */
};
void server_figures(const struct server *, struct server_figures *out);

/* Serves until a port has ended, or SIGTERM or SIGINT. Then nobody is accepted any more, the ports say
 * goodbye, and what is unsent has goodbye_ms to leave; a second signal cuts that short. */
void server_run(struct server *);

#endif
