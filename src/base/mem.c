#include "base/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t used_bytes, peak_bytes, max_bytes;

void mem_charge(size_t bytes) {
    size_t used = atomic_fetch_add_explicit(&used_bytes, bytes, memory_order_relaxed) + bytes;
    size_t peak = atomic_load_explicit(&peak_bytes, memory_order_relaxed);
    while (used > peak && !atomic_compare_exchange_weak_explicit(
                              &peak_bytes, &peak, used, memory_order_relaxed, memory_order_relaxed)) {
    }
}

void mem_credit(size_t bytes) {
    atomic_fetch_sub_explicit(&used_bytes, bytes, memory_order_relaxed);
}

static void *checked(void *memory, size_t size) {
    if (memory == NULL) {
        fprintf(stderr, "parlor: out of memory (%zu bytes)\n", size);
        abort();
    }
    mem_charge(malloc_usable_size(memory));
    return memory;
}

void *mem_alloc(size_t size) {
    return checked(calloc(1, size == 0 ? 1 : size), size);
}

void *mem_resize(void *memory, size_t size) {
    mem_credit(malloc_usable_size(memory)); /* 0 of NULL */
    return checked(realloc(memory, size == 0 ? 1 : size), size);
}

void *mem_library_take(size_t size) {
    return checked(malloc(size == 0 ? 1 : size), size);
}

void *mem_library_clear(size_t count, size_t size) {
    return checked(calloc(count == 0 ? 1 : count, size == 0 ? 1 : size), size);
}

char *mem_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = mem_alloc(size);
    memcpy(copy, text, size);
    return copy;
}

void mem_free(void *memory) {
    mem_credit(malloc_usable_size(memory));
    free(memory);
}

void mem_set_max(size_t bytes) {
    max_bytes = bytes;
}

size_t mem_max(void) {
    return max_bytes;
}

bool mem_has_room(size_t bytes) {
    size_t max = max_bytes, used = used_bytes;
    return max == 0 || (used <= max && bytes <= max - used);
}

size_t mem_used(void) {
    return used_bytes;
}

size_t mem_peak(void) {
    return peak_bytes;
}
