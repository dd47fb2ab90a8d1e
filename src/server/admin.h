/* The operator's listener: numbers, health and commands for programs of this machine, over HTTP, at a socket
 * of the file system or at an address of the loopback. Players never reach it. */
#ifndef SERVER_ADMIN_H
#define SERVER_ADMIN_H

#include "server/commands.h"
#include "server/local_socket.h"
#include "server/metrics.h"
#include "wire/protocol.h"

#define ADMIN_NAME     "admin"     /* the listener of a socket */
#define ADMIN_TCP_NAME "admin-tcp" /* and of an address */

enum { ADMIN_PLACES_MAX = 2 }; /* a socket for commands, and an address for what collects numbers */

struct admin_place {
    bool is_local;
    char path[LOCAL_SOCKET_PATH_BYTES_MAX + 1]; /* of a socket */
    struct protocol_place at;                   /* otherwise */
};

struct admin_places {
    struct admin_place of[ADMIN_PLACES_MAX];
    size_t count;
};

/* Reads "PATH", "ADDR:PORT" or both with a comma between them; "off" is none. False: complaint is a sentence.
 */
bool admin_places_parse(const char *text, struct admin_places *out,
                        char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) MUST_CHECK;

struct admin_config {
    struct metrics_source metrics;
    const struct protocol_host *host;
    struct commands *commands; /* of the socket alone */
    uint32_t message_timeout_ms;
};

struct admin;

/* Gives. The config's pointers are borrowed for its life, which is longer than the server's. */
struct admin *admin_create(const struct admin_config *);
void admin_free(struct admin *);

/* Listens at all places. On ERR_IO server_complaint says why. */
enum err admin_listen(struct admin *, struct server *, const struct admin_places *) MUST_CHECK;

#endif
