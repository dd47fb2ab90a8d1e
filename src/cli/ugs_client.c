#include "cli/ugs_client.h"

bool ugs_client_open(struct ugs_client *c, const char *address, const struct connect_way *way,
                     bool accepts_move_points) {
    memset(c, 0, sizeof *c);
    c->connection = connection_open(address, way);
    if (c->connection == NULL)
        return false;
    c->reader = ugs_reader_create(accepts_move_points);
    return true;
}

void ugs_client_close(struct ugs_client *c) {
    connection_close(c->connection);
    c->connection = NULL;
    if (c->reader != NULL)
        ugs_reader_free(c->reader);
    c->reader = NULL;
    xml_frame_free(&c->frame);
    buf_free(&c->out);
}

enum err ugs_client_send(struct ugs_client *c, const struct hall_message *m) {
    buf_clear(&c->out);
    ugs_write(&c->out, m, &c->style);
    return connection_send(c->connection, buf_span(&c->out));
}

enum err ugs_client_next(struct ugs_client *c, struct hall_message *m) {
    for (;;) {
        struct span document;
        enum err e = xml_frame_next(&c->frame, &c->rest, &document);
        if (e != ERR_OK)
            return e;
        if (document.size > 0)
            return ugs_read(c->reader, document, m);
        ssize_t n = connection_receive(c->connection, c->input, sizeof c->input);
        if (n <= 0)
            return n == 0 ? ERR_CLOSED : ERR_IO;
        c->rest = span_make(c->input, (size_t)n);
    }
}
