#include "server/origin.h"

#include <stdio.h>

struct address origin_of(const uv_tcp_t *tcp) {
    static const struct address nobody;
    struct address address = nobody;
    struct sockaddr_storage found;
    int size = sizeof found;
    if (uv_tcp_getpeername(tcp, (struct sockaddr *)&found, &size) != 0)
        return nobody;
    if (found.ss_family == AF_INET)
        address = address_of_four((const uint8_t *)&((const struct sockaddr_in *)&found)->sin_addr);
    else if (found.ss_family == AF_INET6)
        address = address_of_six((const uint8_t *)&((const struct sockaddr_in6 *)&found)->sin6_addr);
    return address;
}

void origin_text(const uv_tcp_t *tcp, char out[INET6_ADDRSTRLEN]) {
    struct sockaddr_storage found;
    int size = sizeof found;
    if (uv_tcp_getpeername(tcp, (struct sockaddr *)&found, &size) != 0 ||
        uv_ip_name((struct sockaddr *)&found, out, INET6_ADDRSTRLEN) != 0)
        snprintf(out, INET6_ADDRSTRLEN, "?");
}
