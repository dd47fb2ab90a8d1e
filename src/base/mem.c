#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory, size_t size) {
    if (memory == NULL) {
        fprintf(stderr, "parlor: out of memory (%zu bytes)\n", size);
        abort();
    }
    return memory;
}

void *mem_alloc(size_t size) {
    return checked(calloc(1, size == 0 ? 1 : size), size);
}

void *mem_resize(void *memory, size_t size) {
    return checked(realloc(memory, size == 0 ? 1 : size), size);
}

char *mem_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = mem_alloc(size);
    memcpy(copy, text, size);
    return copy;
}

void mem_free(void *memory) {
    free(memory);
}
