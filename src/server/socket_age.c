#include "server/socket_age.h"

#include "base/receipt.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static uint32_t socket_waited_ms(const void *tcp) {
    const uv_tcp_t *socket = tcp;
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    uv_os_fd_t fd;
    if (uv_fileno((const uv_handle_t *)socket, &fd) != 0 ||
        getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return 0;
    uint64_t now_ms = uv_hrtime() / (1000 * 1000), turn_ms = uv_now(socket->loop);
    uint64_t in_turn_ms = now_ms > turn_ms ? now_ms - turn_ms : 0;
    return info.tcpi_last_data_recv > in_turn_ms ? (uint32_t)(info.tcpi_last_data_recv - in_turn_ms) : 0;
}

void socket_hand_on(const uv_tcp_t *tcp, struct port *port, struct link *link, struct span bytes,
                    uint64_t now_ms) {
    receipt_begin(socket_waited_ms, tcp);
    port->ops->received(port, link, bytes, now_ms);
    receipt_end();
}

void socket_resume(const uv_tcp_t *tcp, struct port *port, struct link *link, uint64_t now_ms) {
    receipt_begin(socket_waited_ms, tcp);
    port->ops->resumed(port, link, now_ms);
    receipt_end();
}
