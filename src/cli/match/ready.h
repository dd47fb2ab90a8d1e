/* The ready line of a server that this program has started. */
#ifndef CLI_MATCH_READY_H
#define CLI_MATCH_READY_H

#include <stdbool.h>
#include <stddef.h>

enum { READY_BYTES_MAX = 1024, READY_START_MS = 60 * 1000 };

/* Reads it, for READY_START_MS at most; false when none comes. */
bool ready_read(int fd, char line[READY_BYTES_MAX]);

/* The address that stands after this name in it. */
bool ready_address(const char *line, const char *name, char *out, size_t size);

#endif
