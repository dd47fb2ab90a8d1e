/* Bytes of a socket on their way to a port: with how long they waited in the kernel before the loop came to
 * them (base/receipt.h), for whoever keeps clocks. */
#ifndef SERVER_SOCKET_AGE_H
#define SERVER_SOCKET_AGE_H

#include "wire/port.h"

#include <uv.h>

/* Calls received, or resumed, of the port. Whoever asks meanwhile is told the milliseconds between the
 * arrival of what came last and the beginning of this turn of the loop; 0 where the kernel does not say. What
 * came later than the bytes that are being dealt with makes it less, never more. */
void socket_hand_on(const uv_tcp_t *, struct port *, struct link *, struct span bytes, uint64_t now_ms);
void socket_resume(const uv_tcp_t *, struct port *, struct link *, uint64_t now_ms);

#endif
