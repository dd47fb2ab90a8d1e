/* One connection to a UGS server, for the programs that are its clients: the master and the bot. Blocking,
 * one message at a time; works with any UGS server. */
#ifndef CLI_UGS_CLIENT_H
#define CLI_UGS_CLIENT_H

#include "base/err.h"
#include "cli/connect.h"
#include "host/hall/hall.h"
#include "wire/ugs/dialect.h"
#include "wire/xml/frame.h"

enum { UGS_CLIENT_READ_BYTES = 16 * 1024 };

struct ugs_client {
    struct connection *connection;
    struct ugs_reader *reader;
    struct xml_frame frame;
    struct ugs_style style;
    struct buf out;
    char input[UGS_CLIENT_READ_BYTES];
    struct span rest; /* of input, not worked on */
};

/* Connects to "ADDR:PORT" and prints why when it cannot. ugs_client_close in any case. For
 * accepts_move_points see ugs_reader_create. */
bool ugs_client_open(struct ugs_client *, const char *address, const struct connect_way *,
                     bool accepts_move_points);
void ugs_client_close(struct ugs_client *);

/* ERR_IO when the connection is lost. */
enum err ugs_client_send(struct ugs_client *, const struct hall_message *) MUST_CHECK;

/* The next message; its spans live until the next call. Waits as long as it takes. ERR_CLOSED when the server
 * has closed, ERR_IO when the connection is lost, anything else when the server's bytes cannot be understood.
 * ERR_UNKNOWN_TYPE may be passed over. */
enum err ugs_client_next(struct ugs_client *, struct hall_message *) MUST_CHECK;

#endif
