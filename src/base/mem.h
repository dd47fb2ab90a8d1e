/* Allocation, and the account of it. Rules of games never allocate.
 *
 * An allocation does not fail: when the system has no more memory the process says so and stops, because a
 * server that cannot allocate can no longer keep its word. It must not come to that for a client's sake:
 * whoever is about to take memory because somebody asks for something looks first whether there is room under
 * the ceiling (mem_has_room), and otherwise refuses, or makes room. All threads share one account. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory, to be given to mem_free. */
void *mem_alloc(size_t size);

/* Like realloc; new bytes are not zeroed. */
void *mem_resize(void *memory, size_t size);

/* A copy of a terminated string. */
char *mem_copy_text(const char *text);

void mem_free(void *memory);

/* The same as malloc and calloc, for libraries that take functions to allocate with: with mem_resize and
 * mem_free what they allocate is in the account like everything else. */
void *mem_library_take(size_t size);
void *mem_library_clear(size_t count, size_t size);

/* What a library allocates in somebody's name by itself counts, too, as long as it is charged. */
void mem_charge(size_t bytes);
void mem_credit(size_t bytes);

/* The ceiling in bytes; 0, as at the start: none. */
void mem_set_max(size_t bytes);
size_t mem_max(void);

/* Whether so many bytes more stay under the ceiling. A look, not a promise: nothing is set aside. */
bool mem_has_room(size_t bytes);

/* What is in use now, and the most that ever was. */
size_t mem_used(void);
size_t mem_peak(void);

#endif
