#include "cli/match/ready.h"

#include "base/clock.h"
#include "base/span.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { READY_KEY_BYTES = 128 };

bool ready_address(const char *line, const char *name, char *out, size_t size) {
    char key[READY_KEY_BYTES];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(line, key);
    if (at == NULL)
        return false;
    at += strlen(key);
    return span_copy(span_make(at, strcspn(at, " \n")), out, size);
}

bool ready_read(int fd, char line[READY_BYTES_MAX]) {
    uint64_t until_ms = clock_monotonic_ms() + READY_START_MS;
    size_t size = 0;
    while (size + 1 < READY_BYTES_MAX && (size == 0 || line[size - 1] != '\n')) {
        uint64_t now_ms = clock_monotonic_ms();
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (now_ms >= until_ms || poll(&wait, 1, (int)(until_ms - now_ms)) <= 0)
            return false;
        ssize_t got = read(fd, line + size, READY_BYTES_MAX - 1 - size);
        if (got <= 0)
            return false;
        size += (size_t)got;
    }
    line[size] = '\0';
    return true;
}
