#include "cli/json_client.h"

bool json_client_open(struct json_client *c, const char *address, const struct connect_way *way) {
    memset(c, 0, sizeof *c);
    c->connection = connection_open(address, way);
    return c->connection != NULL;
}

void json_client_close(struct json_client *c) {
    connection_close(c->connection);
    c->connection = NULL;
    line_frame_free(&c->frame);
    buf_free(&c->out);
}

struct writer *json_client_begin(struct json_client *c, const char *type) {
    buf_clear(&c->out);
    c->writer = writer_message(&c->out, type);
    return &c->writer;
}

enum err json_client_send(struct json_client *c) {
    writer_object_end(&c->writer);
    buf_append_byte(&c->out, '\n');
    return connection_send(c->connection, buf_span(&c->out));
}

static enum err next_line(struct json_client *c, struct span *line) {
    for (;;) {
        enum err e = line_frame_next(&c->frame, &c->rest, line);
        if (e != ERR_OK || line->size > 0)
            return e;
        ssize_t n = connection_receive(c->connection, c->input, sizeof c->input);
        if (n <= 0)
            return n == 0 ? ERR_CLOSED : ERR_IO;
        c->rest = span_make(c->input, (size_t)n);
    }
}

enum err json_client_next(struct json_client *c, json_t **out) {
    for (;;) {
        struct span line;
        char complaint[JSON_COMPLAINT_BYTES_MAX];
        *out = NULL;
        enum err e = next_line(c, &line);
        if (e == ERR_OK)
            e = json_read_object(line, out, complaint);
        if (e != ERR_OK || !span_is(json_text(*out, "type"), "ping"))
            return e;
        json_decref(*out);
        json_client_begin(c, "pong");
        e = json_client_send(c);
        if (e != ERR_OK)
            return e;
    }
}
