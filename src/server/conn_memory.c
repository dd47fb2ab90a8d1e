#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "server/conn_internal.h"
#include "server/greed.h"
#include "server/tls.h"

#include <utlist.h>

/* Of TLS what is more than any session needs; all of it as long as nobody knows what it is for. */
static size_t conn_tls_bytes(const struct conn *conn) {
    size_t bytes = conn->tls == NULL ? 0 : tls_bytes(conn->tls);
    if (conn->greeting != NULL)
        return bytes + conn->greeting->input.capacity;
    return bytes > TLS_IDLE_BYTES_MAX ? bytes - TLS_IDLE_BYTES_MAX : 0;
}

static size_t conn_bytes(const struct conn *conn) {
    const struct backlog *backlog = conn->backlog;
    return conn->link.kept_bytes + conn_tls_bytes(conn) +
           (backlog == NULL ? 0 : backlog->writing.capacity + backlog->waiting.capacity);
}

/* What is left when those who are leaving have left. */
static bool conns_have_room(const struct conns *conns, size_t bytes) {
    size_t max = mem_max(), used = mem_used();
    used -= conns->leaving_bytes < used ? conns->leaving_bytes : used;
    return max == 0 || used + bytes <= max;
}

/* Connections with something to give, the greediest first. */
static size_t conns_list_greedy(const struct conns *conns, struct greedy *list) {
    struct conn *conn;
    size_t count = 0;
    DL_FOREACH(conns->all, conn) {
        size_t bytes = conn_bytes(conn);
        if (conn->state == CONN_GONE || conn->state == CONN_LOST || bytes < CONN_GREEDY_BYTES_MIN)
            continue;
        list[count++] = (struct greedy){.conn = conn, .address = conn->link.address, .bytes = bytes};
    }
    greed_sort(list, count);
    return count;
}

static void conn_drop(struct conn *conn) {
    conn_lose(conn);
    if (conn->state != CONN_LOST)
        return;
    conn->leaving_bytes = conn_bytes(conn);
    conn->conns->leaving_bytes += conn->leaving_bytes;
}

static void conns_log_short(struct conns *conns, size_t dropped) {
    uint64_t now_ms = conns->clock.now_ms(conns->clock.context);
    conns->dropped_count += dropped;
    limit_hit(LIMIT_MEMORY, NULL);
    if (now_ms < conns->short_logged_ms + CONN_SHORT_LOG_MS && conns->short_logged_ms != 0)
        return;
    conns->short_logged_ms = now_ms;
    log_event(LOG_WARN, "memory-short", LOG_INT("used_bytes", (int64_t)mem_used()),
              LOG_INT("max_bytes", (int64_t)mem_max()), LOG_INT("dropped", (int64_t)conns->dropped_count));
}

bool conns_make_room(struct conns *conns) {
    if (conns_have_room(conns, CONN_ROOM_BYTES))
        return true;
    if (conns->short_turn == conns->turn) /* nobody has become greedy since */
        return false;
    struct greedy *list = mem_alloc((conns->count + 1) * sizeof *list);
    size_t count = conns_list_greedy(conns, list), dropped = 0;
    /* A little more than is needed, so that it is not to be done again at once. */
    size_t wanted = CONN_ROOM_BYTES + mem_max() / CONN_ROOM_PART;
    while (dropped < count && !conns_have_room(conns, wanted))
        conn_drop(list[dropped++].conn);
    mem_free(list);
    conns_log_short(conns, dropped);
    bool has_room = conns_have_room(conns, CONN_ROOM_BYTES);
    if (!has_room)
        conns->short_turn = conns->turn;
    return has_room;
}
