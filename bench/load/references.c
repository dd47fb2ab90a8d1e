/* Clients of the references: of the bare echo and the minimal game, with messages as long as those of the
 * protocol that is held against them, and of HTTP, which asks for the same thing again and again. */
#include "load.h"

#include "base/mem.h"

#include <stdio.h>

static size_t all_count; /* connections of which all are told everything */

static size_t answer_size(const struct load_conn *conn, struct span input) {
    (void)conn;
    size_t size = (size_t)load_wishes.hear_bytes;
    return input.size >= size ? size : 0;
}

/* A line of the length that was asked for. */
static void reference_move(struct load_conn *conn) {
    static char *text;
    size_t size = (size_t)load_wishes.say_bytes;
    if (text == NULL) {
        text = mem_alloc(size);
        memset(text, 'x', size);
        text[size - 1] = '\n';
    }
    load_move(conn, span_make(text, size));
}

static void echo_take(struct load_conn *conn, struct span message) {
    (void)message;
    load_answered(conn);
    reference_move(conn);
}

/* All are told what the first one says, and it goes on when the last of them was told. */
static void all_begin(struct load_conn *conn) {
    all_count++;
    if (conn->number == 0)
        reference_move(conn);
    else
        load_move(conn, SPAN(""));
}

static void all_take(struct load_conn *conn, struct span message) {
    (void)message;
    static struct load_conn *first;
    static size_t told;
    if (conn->number == 0)
        first = conn;
    if (++told < all_count)
        return;
    told = 0;
    load_answered(first);
    reference_move(first);
}

/* Two players take turns. Both are told of a move; the first byte says whose turn it is. */
static void game_take(struct load_conn *conn, struct span message) {
    load_answered(conn);
    if ((unsigned)(message.data[0] - '0') == conn->seat)
        reference_move(conn);
}

static void game_begin(struct load_conn *conn) {
    if (conn->seat == 0)
        reference_move(conn);
}

static struct span http_request(void) {
    static char text[1024];
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", load_wishes.path,
                        load_wishes.is_zipped ? "Accept-Encoding: gzip\r\n" : "");
    return span_make(text, (size_t)size);
}

/* The first answer shows that the connection is there. */
static void http_begin(struct load_conn *conn) {
    load_say(conn, http_request());
}

static void http_take(struct load_conn *conn, struct span message) {
    if (!load_begins(message, "HTTP/1.1 200"))
        load_error(conn, "not answered", message);
    load_answered(conn);
    load_move(conn, http_request());
}

const struct load_client load_echo = {
    .name = "echo",
    .seats = 1,
    .size = sizeof(struct load_conn),
    .begin = reference_move,
    .message = answer_size,
    .take = echo_take,
};

const struct load_client load_all = {
    .name = "all",
    .seats = 1,
    .size = sizeof(struct load_conn),
    .begin = all_begin,
    .message = answer_size,
    .take = all_take,
};

const struct load_client load_game = {
    .name = "game",
    .seats = 2,
    .size = sizeof(struct load_conn),
    .begin = game_begin,
    .message = answer_size,
    .take = game_take,
};

const struct load_client load_http = {
    .name = "http",
    .seats = 1,
    .size = sizeof(struct load_conn),
    .begin = http_begin,
    .message = load_http_answer,
    .take = http_take,
};
