/* The least that a durable game can be: two players of a table take turns, a move is a line of any text, it
 * is appended to a file and synced before anybody hears of it, and both are told with as many bytes as it is
 * told to. The moves of one turn of the loop share a sync. Nothing is parsed, nothing is kept but whose turn
 * it is.
 *
 *     game FILE BYTES     prints "ready game=127.0.0.1:PORT" */
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { CONNS_MAX = 65536, RECORD_BYTES = 64 };

struct table {
    int fds[2];
    unsigned turn, moves;
};

static struct table tables[CONNS_MAX / 2];
static size_t conn_count;
static unsigned numbers[CONNS_MAX]; /* of connections, by their files */
static char records[EVENTS_MAX][RECORD_BYTES];
static struct table *moved[EVENTS_MAX];
static size_t moved_count, answer_bytes;

static void player_add(int epoll, int fd) {
    if (conn_count == CONNS_MAX || fd >= CONNS_MAX)
        exit(failed("too many connections"));
    numbers[fd] = (unsigned)conn_count;
    tables[conn_count / 2].fds[conn_count % 2] = fd;
    conn_count++;
    watch(epoll, fd);
}

static void move_take(int fd) {
    static char bytes[READ_BYTES];
    unsigned number = numbers[fd];
    struct table *table = &tables[number / 2];
    ssize_t size = read(fd, bytes, sizeof bytes);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        close(fd);
        return;
    }
    if (number % 2 != table->turn || bytes[size - 1] != '\n')
        return;
    char *record = records[moved_count];
    memcpy(record, bytes, (size_t)size < RECORD_BYTES ? (size_t)size : RECORD_BYTES);
    memcpy(record, &number, sizeof number);
    memcpy(record + sizeof number, &table->moves, sizeof table->moves);
    table->moves++;
    table->turn = 1 - table->turn;
    moved[moved_count++] = table;
}

static void moves_commit(int file) {
    static char answer[ANSWER_BYTES_MAX];
    size_t size = moved_count * RECORD_BYTES;
    if (moved_count == 0)
        return;
    if (write(file, records, size) != (ssize_t)size || fdatasync(file) != 0)
        exit(failed("the file"));
    for (size_t i = 0; i < moved_count; i++)
        for (unsigned seat = 0; seat < 2; seat++) {
            answer[0] = (char)('0' + moved[i]->turn);
            if (write(moved[i]->fds[seat], answer, answer_bytes) != (ssize_t)answer_bytes)
                close(moved[i]->fds[seat]);
        }
    moved_count = 0;
}

int main(int argc, char **argv) {
    int epoll, fd;
    answer_bytes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (answer_bytes == 0 || answer_bytes > ANSWER_BYTES_MAX)
        return 2;
    int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return failed(argv[1]);
    int listener = listen_ready("game", &epoll);
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR)
            return failed("epoll_wait");
        for (int i = 0; i < count; i++)
            if (events[i].data.fd != listener)
                move_take(events[i].data.fd);
            else
                while ((fd = accept_next(listener)) >= 0)
                    player_add(epoll, fd);
        moves_commit(file);
    }
}
