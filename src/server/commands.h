/* What the operator can do while the server runs: paths of HTTP at the operator's socket, where only the user
 * of the server and root are let in. Each is answered with JSON that has a sentence, and leaves a line in the
 * log. docs/administration.md is its page. */
#ifndef SERVER_COMMANDS_H
#define SERVER_COMMANDS_H

#include "server/server.h"
#include "wire/announcer.h"
#include "wire/protocol.h"

struct commands_config {
    struct server *server;
    const struct protocol_host *host;
    const char *version;
    int64_t started_ms;   /* since 1970 */
    bool (*reload)(void); /* false: nothing has changed, and the log says why */
};

struct commands;

/* Gives. Everything is borrowed for its life. */
struct commands *commands_create(const struct commands_config *);
void commands_free(struct commands *);

/* Everything below /admin. */
struct http_route commands_route(struct commands *);
/* The same where it may not be asked: it says so. */
struct http_route commands_refusal_route(void);

#endif
