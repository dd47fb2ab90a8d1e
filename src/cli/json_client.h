/* One connection to a server that speaks JSON, one object a line, for the programs that are its clients: the
 * bots of Santorini, Eriantys and Renaissance. Blocking, one message at a time. */
#ifndef CLI_JSON_CLIENT_H
#define CLI_JSON_CLIENT_H

#include "base/writer.h"
#include "cli/connect.h"
#include "wire/json/line_frame.h"
#include "wire/json/read.h"

enum { JSON_CLIENT_READ_BYTES = 16 * 1024 };

struct json_client {
    struct connection *connection;
    struct line_frame frame;
    struct buf out;
    struct writer writer;
    char input[JSON_CLIENT_READ_BYTES];
    struct span rest; /* of input, not worked on */
};

/* Connects to "ADDR:PORT" and prints why when it cannot. json_client_close in any case. */
bool json_client_open(struct json_client *, const char *address, const struct connect_way *);
void json_client_close(struct json_client *);

/* Begins a message of this type; its other fields are written with what this returns, valid until the message
 * is sent. */
struct writer *json_client_begin(struct json_client *, const char *type);
/* Ends the message and sends it. ERR_IO when it could not be. */
enum err json_client_send(struct json_client *) MUST_CHECK;

/* Waits for the next message and gives it, to be freed with json_decref. Pings are answered here and not
 * shown. ERR_CLOSED at the end of the stream, ERR_IO when the connection is lost, and what json_read_object
 * refuses. */
enum err json_client_next(struct json_client *, json_t **out) MUST_CHECK;

#endif
