/* Allocation that does not fail: when memory is gone the process says so and stops, because a server that
 * cannot allocate can no longer keep its word. Rules of games never allocate. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Zeroed memory, to be given to mem_free. */
void *mem_alloc(size_t size);

/* Like realloc; new bytes are not zeroed. */
void *mem_resize(void *memory, size_t size);

/* A copy of a terminated string. */
char *mem_copy_text(const char *text);

void mem_free(void *memory);

#endif
